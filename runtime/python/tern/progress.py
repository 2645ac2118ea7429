# progress.py : a bar for people, on terminals and in notebooks
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
import time
from typing import Any, Callable


def _notebook_display() -> Any:
    """A place in the notebook's output that can be rewritten; None outside notebooks."""
    ipython: Any = sys.modules.get("IPython")  # whoever runs in a notebook has it
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    display = ipython.display.display

    return display({"text/plain": ""}, raw=True, display_id=True)


def bar(what: str, unit: str) -> Callable[[int, int, Any], None]:
    """A function for ``progress=``: shows how far it is, at most ten times a second, and the time left."""
    start = last = time.monotonic()
    place = _notebook_display()

    def show(done: int, total: int, row: Any) -> None:
        nonlocal last
        now = time.monotonic()
        if done < total and now - last < 0.1:
            return
        last = now
        filled = 30 * done // max(total, 1)
        text = f"{what} [{'#' * filled}{'.' * (30 - filled)}] {unit} {done} of {total}, "
        text += f"{now - start:.0f} s" if done >= total else f"{(now - start) / done * (total - done):.0f} s left"
        if row is not None and "log_loss" in row.dtype.names:
            text += f", log-loss {row['log_loss']:.4g}"
        if place is not None:
            place.update({"text/plain": text}, raw=True)
        elif sys.stderr is not None:
            sys.stderr.write(f"\r{text}\033[K" if sys.stderr.isatty() else f"{text}\n" if done >= total else "")
            sys.stderr.write("\n" if sys.stderr.isatty() and done >= total else "")
            sys.stderr.flush()

    return show
