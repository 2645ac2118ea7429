# errors.py : what is wrong, where, and how to fix it, as exceptions and warnings
# SPDX-License-Identifier: Apache-2.0
"""Exceptions of Tern. Codes are listed in docs/60-errors.md."""

from __future__ import annotations

import ctypes
import warnings
from dataclasses import dataclass

from . import _c


@dataclass(frozen=True)
class Diagnostic:
    """One message, as the command prints it: ``file:line: error TERN-E0213: key: message`` and a hint."""

    code: int
    """Number of the message (docs/60-errors.md)."""
    severity: str
    """``"error"``, ``"warning"`` or ``"note"``."""
    file: str
    line: int
    key: str
    """The object or option it is about, ``""`` if none."""
    message: str
    hint: str
    """How to fix it, may be ``""``."""
    text: str
    """All of it, as the command prints it."""

    def __str__(self) -> str:
        return self.text


class TernError(Exception):
    """Base of all errors of Tern. The attributes are those of the first error; all messages are in `diagnostics`."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        errors = [d for d in diagnostics if d.severity == "error"]
        super().__init__("\n".join(str(d) for d in errors))
        first = errors[0]
        self.diagnostics = diagnostics
        self.code = first.code
        self.file = first.file
        self.line = first.line
        self.key = first.key
        self.message = first.message
        self.hint = first.hint

    def __reduce__(self) -> tuple[type, tuple[list[Diagnostic]]]:
        return type(self), (self.diagnostics,)


class ScriptError(TernError):
    """A script, or the network that it describes, has errors."""


class ImageError(TernError):
    """A file is no image, is damaged, or of a version not known here."""


class DataError(TernError):
    """A recording or a data set has errors."""


class FileError(TernError):
    """A file cannot be read or written."""


class LimitError(TernError):
    """A limit of this version is exceeded."""


class ToolError(TernError):
    """A library that a format needs was not there when Tern was built."""


class OutOfMemory(TernError, MemoryError):
    """There is not enough memory."""


class ArgumentError(TernError, ValueError):
    """An argument is out of its range, or does not go with the network."""


class ArrayError(ArgumentError, TypeError):
    """An array of the wrong type or shape, not contiguous, or with NaN (184)."""


class UseError(TernError, RuntimeError):
    """An object that cannot be used now: closed, in use by another thread, or from before a fork (183)."""


class TernWarning(UserWarning):
    """A warning of Tern, with its `diagnostic`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


_BY_STATUS: dict[int, type[TernError]] = {
    10: OutOfMemory,
    11: ArgumentError,
    12: LimitError,
    20: FileError,
    21: ImageError,
    22: ImageError,
    23: ImageError,
    24: ImageError,
    30: ScriptError,
    31: ScriptError,
    32: LimitError,
    33: DataError,
    41: ToolError,
}
_SEVERITY = ("note", "warning", "error")


def error(kind: type[TernError], code: int, key: str, message: str, hint: str) -> TernError:
    """An error found in Python, in the form of those found in C."""
    text = f"error TERN-E{code:04d}: {key}{': ' if key else ''}{message}\n  hint: {hint}"
    return kind([Diagnostic(code, "error", "", 0, key, message, hint, text)])


class Report:
    """Takes the messages of calls. For one thread at a time."""

    def __init__(self) -> None:
        self.diags = _c.Diags()
        self.ref = _c.byref(self.diags)

    def _take(self) -> list[Diagnostic]:
        text = ctypes.create_string_buffer(1400)
        found = []
        for i in range(self.diags.n):
            d = self.diags.list[i]
            _c.lib.tern_diag_format(_c.byref(d), text, len(text))
            words = [s.decode("utf-8", "replace") for s in (d.file, d.key, d.message, d.hint, text.value)]
            found.append(Diagnostic(d.code, _SEVERITY[d.severity], words[0], d.line, *words[1:]))
        _c.lib.tern_diags_init(self.ref)
        return found

    def check(self, status: int, stacklevel: int = 3) -> list[Diagnostic]:
        """Raises what a call failed with; else gives its warnings to `warnings` and returns its notes."""
        if status == 0 and self.diags.n == 0:
            return []
        found = self._take()
        if status != 0:
            if not any(d.severity == "error" for d in found):
                text = _c.lib.tern_status_text(status).decode()
                found.append(Diagnostic(320 if status == 10 else 180, "error", "", 0, "", text, "", text))
            kind = _BY_STATUS.get(status, TernError)
            code = next(d.code for d in found if d.severity == "error")
            if kind is ImageError and 400 <= code < 500:
                kind = DataError
            raise kind(found)
        for d in found:
            if d.severity == "warning":
                warnings.warn(TernWarning(d), stacklevel=stacklevel)
        return [d for d in found if d.severity == "note"]
