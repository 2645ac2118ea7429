# _handle.py : an object of C: freed when nobody needs it, used by one thread of one process at a time
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
import threading
from typing import Any, Callable, Optional

from .errors import Report, UseError, error

_life: object = object()  # of this process; a forked child begins another one


def _forked() -> None:
    global _life
    _life = object()


os.register_at_fork(after_in_child=_forked)


class Handle:
    """Owner of an object of C. Arrays over its memory hold it, too, so that the memory stays as long as they do."""

    def __init__(self, pointer: int, free: Callable[[int], Any], *keeps: object, forks: bool) -> None:
        self.pointer = pointer
        self.keeps = keeps  # what the object points to
        self.life = None if forks else _life
        self._free = free

    def alive(self) -> bool:
        """False: it was made before a fork(), and belongs to the parent."""
        return self.life is None or self.life is _life

    def __del__(self) -> None:
        if self.alive():  # the threads of a network are not in a forked child: it could not end them
            self._free(self.pointer)


class User:
    """Base of what has a handle: _begin() and _end() stand around every call with its pointer.

    No Python code runs within a call of C, so a thread that already has the lock is not within one: the lock lets it in
    again. That also covers a lock that an exception by Ctrl-C left locked."""

    _what = "object"

    def __init__(self, handle: Handle) -> None:
        self._handle: Optional[Handle] = handle
        self._lock = threading.RLock()
        self._report = Report()

    def _begin(self) -> int:
        handle = self._handle
        if handle is not None and handle.life is not _life and not handle.alive():
            raise error(
                UseError,
                183,
                self._what,
                "it was made before a fork(), and its threads are in the parent",
                "make it in the child; images can be given to children",
            )
        if not self._lock.acquire(blocking=False):
            raise error(
                UseError,
                183,
                self._what,
                "another thread is using it",
                "one thread at a time; make one for each thread",
            )
        if self._handle is None:
            self._lock.release()
            raise error(UseError, 183, self._what, "it is closed", "make a new one")
        return self._handle.pointer

    def _end(self) -> None:
        self._lock.release()

    @property
    def closed(self) -> bool:
        """Has close() been called?"""
        return self._handle is None

    def close(self) -> None:
        """Frees it. Arrays that show its memory stay as they are: that is freed with the last of them. May be called
        again."""
        if not self._lock.acquire(blocking=False):
            raise error(UseError, 183, self._what, "another thread is using it", "close it when that has ended")
        self._handle = None
        self._lock.release()

    def __reduce__(self) -> str:
        raise error(
            UseError,
            183,
            self._what,
            "it cannot be pickled or copied",
            "give the bytes of its image to another process",
        )
