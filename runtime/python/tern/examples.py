# examples.py : what a network is trained on and measured with
# SPDX-License-Identifier: Apache-2.0
"""Examples from arrays or recordings, and values that become spikes."""

from __future__ import annotations

from ctypes import c_int32, c_void_p
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _c
from ._arrays import SPIKES, PathLike, Spikes, address, array, labels_array, path_bytes, reals, whole
from ._handle import Handle, User
from .errors import ArgumentError, ArrayError, Report, error
from .image import Image


class Example(NamedTuple):
    """One example as arrays."""

    inputs: NDArray[np.bool_]
    """[steps, n_inputs]"""
    targets: NDArray[np.bool_]
    """[steps, n_visible], the label's unit included"""
    label: int
    """-1: none"""


class Examples(User):
    """Presentations for training and measuring. They are packed to bits immediately; the arrays are not kept.

    inputs: [examples, steps, n_inputs] of bool or uint8; anything but 0 is a spike. None: silent inputs (then `targets`
    say how many). targets: [examples, steps, n_visible], wanted spikes of the visible neurons. labels: a whole number
    for each example, the unit of the label population (``data.label`` of the script) that should spike in every step;
    -1: none. With targets and labels both hold.

    Nothing is converted silently: `ArrayError` (184) says how to convert arrays of another type, order or shape.
    ``len()`` is the number of examples, ``ex[i]`` is example i as arrays. For one thread at a time."""

    _what = "examples"

    def __init__(
        self, image: Image, inputs: Optional[Spikes], targets: Optional[Spikes] = None, labels: Any = None
    ) -> None:
        if inputs is None and targets is None:
            raise error(ArrayError, 184, "inputs", "neither inputs nor targets", "give one of them")
        if inputs is not None:
            inputs = array("inputs", inputs, SPIKES, ("examples", "steps", image.n_inputs))
        n, steps = (
            inputs if inputs is not None else array("targets", targets, SPIKES, ("examples", "steps", image.n_visible))
        ).shape[:2]
        if targets is not None:
            targets = array("targets", targets, SPIKES, (n, steps, image.n_visible))
        if n > 2**28 - 1 or steps > 1000000:
            raise error(
                ArrayError,
                184,
                "inputs",
                f"{n} examples of {steps} steps, allowed are 268435455 of 1000000",
                "cut them into smaller parts",
            )
        tags = None if labels is None else labels_array(labels, n)
        spec = _c.ExamplesSpec(n, steps, address(inputs), address(targets), address(tags))
        pointer, report = c_void_p(), Report()
        report.check(_c.lib.tern_examples_pack(image._model.ref, _c.byref(spec), _c.byref(pointer), report.ref))
        self._set_up(image, pointer)

    def _set_up(self, image: Image, pointer: c_void_p) -> None:
        User.__init__(self, Handle(pointer.value or 0, _c.lib.tern_examples_close, image._model, forks=True))
        self._image = image
        self._n = int(_c.lib.tern_examples_count(pointer))

    @classmethod
    def _open(cls, image: Image, path: PathLike) -> "Examples":
        pointer, report = c_void_p(), Report()
        report.check(_c.lib.tern_examples_open(image._model.ref, path_bytes(path), _c.byref(pointer), report.ref), 4)
        made = cls.__new__(cls)
        made._set_up(image, pointer)
        return made

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, i: int) -> Example:
        n = whole("example", i, -self._n, 2**63)
        n += self._n if n < 0 else 0
        if n >= self._n:
            raise IndexError(f"there is no example {i}, but 0..{self._n - 1}")
        pointer = self._begin()
        try:
            frames, label = _c.Frames(), c_int32()
            self._report.check(_c.lib.tern_examples_get(pointer, n, _c.byref(frames), self._report.ref))
            inputs = np.empty((frames.n_steps, self._image.n_inputs), np.uint8)
            targets = np.empty((frames.n_steps, self._image.n_visible), np.uint8)
            self._report.check(
                _c.lib.tern_examples_unpack(
                    pointer, n, address(inputs), address(targets), _c.byref(label), self._report.ref
                )
            )
        finally:
            self._end()
        return Example(inputs.view(np.bool_), targets.view(np.bool_), label.value)

    def __repr__(self) -> str:
        return f"<tern.Examples: {self._n} for {self._image.name}{', closed' if self.closed else ''}>"


# ---- values to spikes


_CODES = {"rate": 0, "even": 1, "time": 2, "change": 3}


def _spec(code: str, settings: dict[str, Any]) -> _c.EncodeSpec:
    spec, report = _c.EncodeSpec(), Report()
    _c.lib.tern_encode_defaults(_c.byref(spec))
    if code not in _CODES:
        raise error(ArgumentError, 462, "code", f"there is no code {code!r}", "one of " + ", ".join(_CODES))
    spec.code = _CODES[code]
    for name in ("population", "steps"):
        if settings[name] is not None:
            setattr(spec, name, whole(name, settings[name], 0, 2**32 - 1))
    if settings["seed"] is not None:
        spec.seed = whole("seed", settings["seed"], 0, 2**64 - 1)
    for name in ("lo", "hi", "rate", "threshold", "width"):
        if settings[name] is not None:
            setattr(spec, name, float(settings[name]))
    report.check(_c.lib.tern_encode_check(_c.byref(spec), report.ref), 4)
    return spec


def encode(
    values: Any,
    code: str = "rate",
    *,
    steps: Optional[int] = None,
    lo: Optional[float] = None,
    hi: Optional[float] = None,
    rate: Optional[float] = None,
    threshold: Optional[float] = None,
    population: Optional[int] = None,
    width: Optional[float] = None,
    seed: Optional[int] = None,
    first: int = 0,
) -> NDArray[np.bool_]:
    """Values to spikes, as ``tern data encode`` makes them (docs/39-encoding.md, where the settings are described).

    values: [samples, rows, n], or [samples, n] for samples of one row. Returns [samples, rows * steps, units]: the
    `inputs` of `Examples`. first: number of the first sample, so that parts of a data set have draws of their own."""
    shape = ("samples", "rows", "n")
    try:
        flat = np.ndim(values) == 2
    except ValueError:
        flat = False
    x = reals("values", values, shape[:1] + shape[2:] if flat else shape)
    if flat:
        x = x[:, np.newaxis, :]
    spec = _spec(
        code,
        {
            "steps": steps,
            "lo": lo,
            "hi": hi,
            "rate": rate,
            "threshold": threshold,
            "population": population,
            "width": width,
            "seed": seed,
        },
    )
    samples, rows, n = x.shape
    units = int(_c.lib.tern_encode_units(_c.byref(spec), whole("values", n, 0, 2**32 - 1)))
    if units == 0 or not samples or not 1 <= rows <= 1000000:
        raise error(
            ArrayError,
            184,
            "values",
            f"of shape {x.shape}: no value, or too many for 65536 units",
            "at least one sample, row and value",
        )
    number = whole("first", first, 0, 2**28 - samples)
    out = np.empty((samples, rows * spec.steps, units), np.uint8)
    counts, report = _c.EncodeCounts(), Report()
    for i in range(samples):
        report.check(
            _c.lib.tern_encode(
                _c.byref(spec), address(x, i), rows, n, number + i, address(out, i), _c.byref(counts), report.ref
            )
        )
    return out.view(np.bool_)


def decode(
    spikes: Spikes,
    code: str = "rate",
    *,
    steps: Optional[int] = None,
    lo: Optional[float] = None,
    hi: Optional[float] = None,
    rate: Optional[float] = None,
    threshold: Optional[float] = None,
    population: Optional[int] = None,
    width: Optional[float] = None,
) -> NDArray[np.float64]:
    """What spikes say of values, the other way round: [samples, rows * steps, units] to [samples, rows, n]; NaN where
    nothing is known. Code ``"change"`` begins at `lo`."""
    s = array("spikes", spikes, SPIKES, ("samples", "rows * steps", "units"))
    spec = _spec(
        code,
        {
            "steps": steps,
            "lo": lo,
            "hi": hi,
            "rate": rate,
            "threshold": threshold,
            "population": population,
            "width": width,
            "seed": None,
        },
    )
    samples, total, units = s.shape
    per_value = spec.population * (2 if spec.code == _CODES["change"] else 1)
    if total == 0 or total % spec.steps or units == 0 or units % per_value:
        raise error(
            ArrayError,
            184,
            "spikes",
            f"of shape {s.shape}: steps are a multiple of {spec.steps}, units of {per_value}",
            "the settings of encode()",
        )
    rows, n = total // spec.steps, units // per_value
    out = np.full((samples, rows, n), spec.lo)
    report = Report()
    for i in range(samples):
        report.check(_c.lib.tern_decode(_c.byref(spec), address(s, i), rows, n, address(out, i), report.ref))
    return out


# ---- recordings without a camera


class Simulated(NamedTuple):
    """What `simulate_digits` wrote."""

    files: int
    events: int
    bytes: int
    sha256: str


def simulate_digits(
    folder: PathLike,
    classes: Any = range(10),
    count: int = 10,
    *,
    seed: int = 1,
    first: int = 0,
    overwrite: bool = False,
) -> Simulated:
    """Writes a data set of moving digits as a simulated event camera sees them: the files of
    ``tern data digits FOLDER --classes ... --count ... --seed ...``, for ``Image.recordings(folder)``.

    count: recordings of each class. The folder is made; it must be missing or empty, unless `overwrite`."""
    digits = [whole("classes", c, 0, 9) for c in classes]
    settings, what, totals, report = _c.SimSettings(), _c.SimSet(), _c.SimTotals(), Report()
    _c.lib.tern_sim_defaults(_c.byref(settings))
    settings.seed = whole("seed", seed, 0, 2**64 - 1)
    what.n_classes = whole("classes", len(digits), 1, 10)
    what.classes[: len(digits)] = digits
    what.first = whole("first", first, 0, 999999)
    what.count = whole("count", count, 1, 1000000)
    what.overwrite = bool(overwrite)
    stop: list[BaseException] = []

    def go_on(_ud: Any, _done: int, _total: int) -> bool:
        try:
            return True
        except BaseException as e:  # Ctrl-C
            stop.append(e)
            return False

    status = _c.lib.tern_sim_write_set(
        _c.byref(settings),
        _c.byref(what),
        path_bytes(folder),
        _c.lib.tern_alloc_default(),
        _c.SimProgress(go_on),
        None,
        _c.byref(totals),
        report.ref,
    )
    if stop:
        raise stop[0]
    report.check(status)
    return Simulated(totals.n_files, totals.n_events, totals.n_bytes, totals.sha256.decode())
