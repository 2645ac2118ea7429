# _arrays.py : arguments on their way to C, and memory of C as arrays
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ctypes
import operator
import os
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError, ArrayError, error

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
SPIKES = (np.dtype(np.uint8), np.dtype(np.bool_))
"""Types of arrays of spikes; anything but 0 is one."""
Spikes = Union[NDArray[np.bool_], NDArray[np.uint8]]


def whole(name: str, value: Any, lo: int, hi: int) -> int:
    """An integer in lo..hi."""
    try:
        n = operator.index(value)
    except TypeError:
        raise error(ArgumentError, 180, name, f"{value!r} is no whole number", f"{lo}..{hi}") from None
    if not lo <= n <= hi:
        raise error(ArgumentError, 180, name, f"{n}, allowed are {lo}..{hi}", "a number within the range")
    return n


def path_bytes(path: PathLike) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise error(ArgumentError, 180, "path", "a name with a byte 0", "names end there")
    return name


def _shape_text(shape: Sequence[Any]) -> str:
    return "[" + ", ".join(str(n) for n in shape) + "]"


def _fits(found: tuple[int, ...], wanted: tuple[Any, ...]) -> bool:
    """Are the shapes equal, but for lengths that may be any?"""
    if len(found) != len(wanted):
        return False
    for n, w in zip(found, wanted):
        if n != w and not isinstance(w, str):
            return False
    return True


def array(name: str, x: Any, kinds: tuple[Any, ...], shape: tuple[Any, ...], write: bool = False) -> NDArray[Any]:
    """The array itself, if C can use it as it is. In `shape` a string stands for any length, and names it."""
    if isinstance(x, np.ndarray) and x.dtype in kinds:
        flags = x.flags
        if flags.c_contiguous and flags.aligned and (flags.writeable or not write) and _fits(x.shape, shape):
            return x
    raise _refused(name, x, kinds, shape)


def _refused(name: str, x: Any, kinds: tuple[Any, ...], shape: tuple[Any, ...]) -> Exception:
    """Why array() does not take it."""
    kind = kinds[0].name
    wanted = f"{' or '.join(k.name for k in kinds)} {_shape_text(shape)}"
    if not isinstance(x, np.ndarray):
        message, hint = f"a {type(x).__name__}, wanted is an array {wanted}", f"numpy.asarray(..., dtype=numpy.{kind})"
    elif x.dtype not in kinds:
        message, hint = f"of type {x.dtype}, wanted is {wanted}", f".astype(numpy.{kind}) makes a copy of that type"
    elif not _fits(x.shape, shape):
        message, hint = f"of shape {_shape_text(x.shape)}, wanted is {wanted}", "see the sizes of the populations"
    elif not x.flags.c_contiguous or not x.flags.aligned:
        message, hint = "not contiguous in memory", "numpy.ascontiguousarray() makes a copy that is"
    else:
        message, hint = "read-only, but results go into it", "give an array that can be written"
    return error(ArrayError, 184, name, message, hint)


def labels_array(labels: Any, n: int) -> NDArray[np.int32]:
    """Labels as C takes them; of any integer type, or a list of integers."""
    x = np.asarray(labels)
    if x.dtype.kind not in "iu":
        raise error(
            ArrayError,
            184,
            "labels",
            f"of type {x.dtype}, wanted are integers [{n}]",
            "a whole number for each example, -1: none",
        )
    if x.shape != (n,):
        raise error(
            ArrayError,
            184,
            "labels",
            f"of shape {_shape_text(x.shape)}, wanted is [{n}]",
            "a label for each example, -1: none",
        )
    if x.size and (x.min() < -1 or x.max() > 2**31 - 1):
        raise error(
            ArrayError,
            184,
            "labels",
            f"from {x.min()} to {x.max()}, allowed are -1..2147483647",
            "labels count from 0, -1: none",
        )
    return np.ascontiguousarray(x, dtype=np.int32)


def reals(name: str, x: Any, shape: tuple[Any, ...]) -> NDArray[np.float64]:
    """Finite real numbers of this shape; lists and other types of number are copied."""
    try:
        y = np.ascontiguousarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise error(
            ArrayError, 184, name, "not a rectangular array of numbers", f"wanted are real numbers {_shape_text(shape)}"
        ) from None
    if not _fits(y.shape, shape):
        raise error(
            ArrayError,
            184,
            name,
            f"of shape {_shape_text(y.shape)}, wanted is {_shape_text(shape)}",
            "see the argument's description",
        )
    if not np.isfinite(y).all():
        raise error(
            ArrayError,
            184,
            name,
            f"element {int(np.argmin(np.isfinite(y).ravel()))} is NaN or infinite",
            "finite numbers",
        )
    return y


_BYTES: Any = ctypes.c_char * 0


def address(x: Optional[NDArray[Any]], row: int = 0) -> Optional[int]:
    """Where row `row` of a contiguous array begins; None stays None."""
    if x is None:
        return None
    if x.flags.writeable:  # ten times as quick as the other way
        start = ctypes.addressof(_BYTES.from_buffer(x))
    else:
        start = int(x.__array_interface__["data"][0])
    return start + row * x.strides[0] if row else start


class _Memory:
    """Memory of C as NumPy's array interface; the array keeps the owner, and the owner the memory."""

    def __init__(self, owner: object, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def view(owner: object, where: Optional[int], shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """A read-only array over memory that lives as long as `owner`. Nothing is copied."""
    kind = np.dtype(dtype)
    if not where or 0 in shape:
        empty = np.empty(shape, kind)
        empty.flags.writeable = False
        return empty
    return np.asarray(_Memory(owner, {"version": 3, "data": (where, True), "shape": shape, "typestr": kind.str}))
