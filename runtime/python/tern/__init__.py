# __init__.py : Tern from Python
# SPDX-License-Identifier: Apache-2.0
"""Tern from Python: probabilistic spiking networks that learn, bit for bit the same in C, in hardware, and here.

    import tern
    image = tern.compile("models/digits2/digits2.lua")
    with tern.Network(image) as net:
        net.train(image.recordings("digits"), 100, progress=True)
        print(net.evaluate(image.recordings("test"), samples=20).accuracy)
        net.save("digits2.tern")

Everything is done by libtern.so, which also is the command: the same script, data and seed give the same bytes. Arrays
are NumPy's, read and shown in place. Errors are exceptions with the codes of docs/60-errors.md; docs/48-python.md
describes the package."""

from . import _c
from .errors import (
    ArgumentError,
    ArrayError,
    DataError,
    Diagnostic,
    FileError,
    ImageError,
    LimitError,
    OutOfMemory,
    ScriptError,
    TernError,
    TernWarning,
    ToolError,
    UseError,
)
from .examples import Example, Examples, Simulated, decode, encode, simulate_digits
from .image import Data, Filter, Image, Population, Rule, compile, load, order
from .network import EVALUATED, PRESENTED, Evaluation, Network, Steps
from .version import __version__

if _c.version != __version__:
    raise ImportError(f"the package tern {__version__} needs libtern.so of the same version, this one is {_c.version}")

__all__ = [
    "ArgumentError",
    "ArrayError",
    "Data",
    "DataError",
    "Diagnostic",
    "EVALUATED",
    "Evaluation",
    "Example",
    "Examples",
    "FileError",
    "Filter",
    "Image",
    "ImageError",
    "LimitError",
    "Network",
    "OutOfMemory",
    "PRESENTED",
    "Population",
    "Rule",
    "ScriptError",
    "Simulated",
    "Steps",
    "TernError",
    "TernWarning",
    "ToolError",
    "UseError",
    "compile",
    "decode",
    "encode",
    "load",
    "order",
    "simulate_digits",
]
