# image.py : a compiled network, trained or not, as it lies in a file NAME.tern
# SPDX-License-Identifier: Apache-2.0
"""Images: what `tern compile` and `tern train` write."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_size_t, c_void_p
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _c
from ._arrays import PathLike, Spikes, address, array, path_bytes, view, whole
from .errors import ArgumentError, Diagnostic, Report, error

if TYPE_CHECKING:
    from .examples import Examples

_KINDS = ("input", "hidden", "visible")
_RULES = ("gem", "mb", "iw", "reward")
_BASELINES = ("none", "neuron", "synapse")
_FILTERS = ("cosine", "exp", "alpha", "user")
_POLARITIES = ("merge", "on", "off", "separate")


@dataclass(frozen=True)
class Population:
    """A group of units. Its units are ``slice`` of the last axis of arrays of inputs (kind ``"input"``), of targets
    (``"visible"``) or of neurons (``"hidden"``, ``"visible"``)."""

    name: str
    kind: str
    """``"input"``, ``"hidden"`` or ``"visible"``."""
    shape: tuple[int, ...]
    size: int
    first: int
    """Number of its first unit: among the input units, or among the neurons."""
    index: int
    """Place among all populations of the network."""
    wta: int
    """Alternatives of a winner-take-all circuit; 0: ordinary neurons."""

    @property
    def slice(self) -> slice:
        """Its units: ``spikes[..., population.slice]``."""
        return slice(self.first, self.first + self.size)


@dataclass(frozen=True)
class Filter:
    """A synaptic filter: how a spike fades, a number for each step after it."""

    kind: str
    taps: NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """The learning rule, in real numbers."""

    kind: str
    """``"gem"``, ``"mb"``, ``"iw"`` or ``"reward"``."""
    eta: float
    eta_divide: float
    eta_every: int
    gamma: float
    kappa: float
    samples: int
    baseline: str
    memory: int
    tau: float


@dataclass(frozen=True)
class Data:
    """How recordings become steps."""

    format: str
    sensor: tuple[int, int]
    crop: tuple[int, int, int, int]
    """x, y, width, height."""
    window_us: int
    steps: int
    polarity: str
    scale: int
    phases: tuple[int, int]
    """Pieces that are shown side by side, and the steps of each; (0, 0): none."""
    shift: int
    """Pixels by which training moves a recording at most."""
    label: Optional[str]
    """Name of the population that labels are for."""
    clear: bool
    """Are histories cleared between presentations?"""


_Bytes = bytes  # the name that `Image.bytes` hides


class _Model:
    """A model of C with its memory, which everything made from it keeps."""

    def __init__(self) -> None:
        self.arena = _c.Arena()
        self.model = _c.Model()
        self.ref = _c.byref(self.model)
        self.keeps = b""
        _c.lib.tern_arena_init(_c.byref(self.arena), _c.lib.tern_alloc_default(), 0)

    def __del__(self, free: Any = _c.lib.tern_arena_free, byref: Any = _c.byref) -> None:
        free(byref(self.arena))


def encoded(call: Any) -> bytes:
    """The bytes that call(arena, &pointer, &size) makes."""
    arena, pointer, size = _c.Arena(), c_void_p(), c_size_t()
    _c.lib.tern_arena_init(_c.byref(arena), _c.lib.tern_alloc_default(), 0)
    try:
        call(_c.byref(arena), _c.byref(pointer), _c.byref(size))
        return ctypes.string_at(pointer, size.value)
    finally:
        _c.lib.tern_arena_free(_c.byref(arena))


class Image:
    """A network in a file's bytes: populations, formats, rule, weights and, once trained, its whole state.

    Images never change, so they may be used by several threads, given to child processes, and pickled. They are made
    by `compile`, `load`, `Network.image`, or from bytes.

    Raises `ImageError` for bytes that are no image (303 to 318)."""

    def __init__(self, data: bytes, name: str = "image") -> None:
        if not isinstance(data, bytes):
            raise error(
                ArgumentError,
                180,
                "data",
                f"a {type(data).__name__}, wanted are bytes",
                "bytes(...), or tern.load(path)",
            )
        self._bytes = data
        self._name = name
        self._model = _Model()
        self._model.keeps = data
        self.notes: list[Diagnostic] = []
        """What the script printed, if this comes from `compile`."""
        report = Report()
        report.check(
            _c.lib.tern_image_decode(
                data, len(data), name.encode(), _c.byref(self._model.arena), self._model.ref, report.ref
            )
        )
        self._describe()

    def _describe(self) -> None:
        m = self._model.model
        found = []
        inputs = 0
        for i in range(m.n_populations):
            p = m.populations[i]
            first = inputs if p.kind == 0 else p.neuron0
            inputs += p.size if p.kind == 0 else 0
            found.append(
                Population(p.name.decode(), _KINDS[p.kind], tuple(p.dims[: p.n_dims]), p.size, first, i, p.wta)
            )
        self.populations: Mapping[str, Population] = MappingProxyType({p.name: p for p in found})
        """All populations by name, in the order of the network."""
        self.n_inputs: int = inputs
        """Units of all input populations: the last axis of arrays of inputs."""
        self.n_neurons: int = m.net.n_neurons
        """Hidden and visible neurons: the last axis of arrays of spikes."""
        self.n_visible: int = m.net.n_visible
        """Visible neurons, the first ones: the last axis of arrays of targets."""

    @property
    def bytes(self) -> bytes:
        """The bytes of the file."""
        return self._bytes

    @property
    def name(self) -> str:
        """Name of the network."""
        return str(self._model.model.name.decode())

    @property
    def trained(self) -> bool:
        """Does it hold the state of a training?"""
        return bool(self._model.model.state)

    @property
    def presentations(self) -> int:
        """Presentations that it was trained with."""
        return int(self._model.model.presentations_done)

    @property
    def samples(self) -> int:
        """K: those of the saved state, or what the script says."""
        m = self._model.model
        return int(m.state.contents.n_samples if m.state else m.net.n_samples)

    @property
    def seed(self) -> int:
        """Seed of the script: initial weights, and draws if nothing else is said."""
        return int(self._model.model.seed)

    @property
    def source_sha256(self) -> str:
        """SHA-256 of the script and its modules."""
        return str(self._model.model.source_sha256.decode())

    @property
    def layout_hash(self) -> str:
        """Equal for images with the same structure, whatever their weights."""
        text = ctypes.create_string_buffer(65)
        report = Report()
        report.check(_c.lib.tern_layout_hash(self._model.ref, text))
        return text.value.decode()

    @property
    def weight_bits(self) -> int:
        """Bits of a weight, the sign included."""
        return int(self._model.model.net.weight_bits)

    @property
    def weight_frac(self) -> int:
        """Bits after the point: the integer w stands for w / 2**weight_frac."""
        return int(self._model.model.net.weight_frac)

    @property
    def filters(self) -> list[Filter]:
        """The synaptic filters."""
        m = self._model.model
        return [Filter(_FILTERS[f.kind], np.array(f.taps[: f.n_taps])) for f in m.filters[: m.n_filters]]

    @property
    def rule(self) -> Rule:
        """The learning rule."""
        r = self._model.model.rule
        return Rule(
            _RULES[r.kind],
            r.eta,
            r.eta_divide,
            r.eta_every,
            r.gamma,
            r.kappa,
            r.samples,
            _BASELINES[r.baseline],
            r.memory,
            r.tau,
        )

    @property
    def data(self) -> Optional[Data]:
        """How recordings become steps; None: the script does not say."""
        m = self._model.model
        d = m.data
        if not d.present:
            return None
        label = m.populations[d.label_population].name.decode() if d.label_population >= 0 else None
        return Data(
            d.format.decode(),
            (d.sensor_width, d.sensor_height),
            (d.crop_x, d.crop_y, d.crop_width, d.crop_height),
            d.window_us,
            d.steps,
            _POLARITIES[d.polarity],
            d.scale,
            (d.phases, d.phase_steps),
            d.shift,
            label,
            d.clear,
        )

    def eta_at(self, presentations: int) -> float:
        """Learning rate of the rule's schedule after so many presentations."""
        n = whole("presentations", presentations, 0, 2**32 - 1)
        return float(_c.lib.tern_rule_eta_at(_c.byref(self._model.model.rule), n))

    # ---- weights

    @property
    def weights(self) -> NDArray[np.int16]:
        """All weights as integers, -32768 where there is no synapse; trained ones if there are. A read-only view."""
        m = self._model.model
        where = m.state.contents.weights if m.state else m.net.weights0
        return view(self._model, where, (m.net.n_weights,), np.int16)

    @property
    def bias(self) -> NDArray[np.int16]:
        """A bias for each neuron, in 1/4096. A read-only view."""
        m = self._model.model
        return view(self._model, m.state.contents.bias_f12 if m.state else m.net.bias0_f12, (self.n_neurons,), np.int16)

    @property
    def self_memory(self) -> NDArray[np.int16]:
        """Weight of each neuron's memory of its own spikes, in 1/4096. A read-only view."""
        m = self._model.model
        return view(self._model, m.state.contents.self_f12 if m.state else m.net.self0_f12, (self.n_neurons,), np.int16)

    def matrix(self, source: str, target: str, filter: int = 0) -> NDArray[np.float64]:
        """Weights between two populations through one filter as real numbers, NaN where there is no synapse.

        Shape: [target's units, source's units]. The integers, exactly: ``matrix_int``."""
        return to_real(self.matrix_int(source, target, filter), self.weight_frac)

    def matrix_int(self, source: str, target: str, filter: int = 0) -> NDArray[np.int16]:
        """As `matrix`, as integers: -32768 where there is no synapse."""
        return self._matrix(self.weights, source, target, filter)

    def _matrix(self, weights: NDArray[np.int16], source: str, target: str, filter: int) -> NDArray[np.int16]:
        a, b = self._population(source), self._population(target)
        out = np.empty((b.size, a.size), np.int16)
        report = Report()
        report.check(
            _c.lib.tern_network_matrix(
                self._model.ref,
                address(weights),
                a.index,
                b.index,
                whole("filter", filter, 0, 2**32 - 1),
                address(out),
                report.ref,
            ),
            4,
        )
        return out

    def _population(self, name: str) -> Population:
        if name not in self.populations:
            raise error(
                ArgumentError,
                180,
                "population",
                f"there is no population {name!r}",
                "one of " + ", ".join(self.populations),
            )
        return self.populations[name]

    # ---- examples

    def examples(self, inputs: Optional[Spikes], targets: Optional[Spikes] = None, labels: Any = None) -> "Examples":
        """Examples from arrays: see `Examples`."""
        from .examples import Examples

        return Examples(self, inputs, targets, labels)

    def recordings(self, path: PathLike) -> "Examples":
        """Examples from recordings on the disk: a file, a folder or a list, as ``tern train --data PATH`` takes it."""
        from .examples import Examples

        return Examples._open(self, path)

    # ---- files

    def save(self, path: PathLike) -> None:
        """Writes the file, whole or not at all. Raises `FileError`; a file there that is no image is not replaced."""
        report = Report()
        name = path_bytes(path)
        report.check(_c.lib.tern_image_replaceable(name, report.ref))
        report.check(_c.lib.tern_file_write(name, self._bytes, len(self._bytes), report.ref))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Image) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __reduce__(self) -> tuple[type, tuple[_Bytes, str]]:
        return Image, (self._bytes, self._name)

    def __repr__(self) -> str:
        state = f"trained with {self.presentations} presentations" if self.trained else "untrained"
        neurons = f"{self.n_neurons} neurons ({self.n_visible} visible)"
        return f"<tern.Image {self.name}: {self.n_inputs} inputs, {neurons}, {state}>"


def to_real(weights: NDArray[np.int16], frac: int) -> NDArray[np.float64]:
    """Integers as the real numbers that they stand for, NaN where there is no synapse."""
    real = weights / float(1 << frac)
    real[weights == _c.ABSENT] = np.nan
    return np.asarray(real, dtype=np.float64)


def load(path: PathLike) -> Image:
    """Loads an image from a file. Raises `FileError` (301) or `ImageError` (303 to 319)."""
    report = Report()
    alloc = _c.lib.tern_alloc_default()
    pointer, size = c_void_p(), c_size_t()
    report.check(_c.lib.tern_file_read(path_bytes(path), 2**40, alloc, _c.byref(pointer), _c.byref(size), report.ref))
    try:
        data = ctypes.string_at(pointer, size.value)
    finally:
        give_back = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t)(alloc.fn)
        give_back(alloc.ud, pointer, 0)
    return Image(data, os.fsdecode(path))


def compile(
    path: Optional[PathLike] = None,
    *,
    source: Optional[str] = None,
    name: str = "script.lua",
    sets: Optional[Mapping[str, Any]] = None,
    script_memory: int = 0,
    script_seconds: float = 0,
) -> Image:
    """Compiles a network script, from a file or from a string, to the bytes that ``tern compile`` writes.

    path: file of the script. source: its text instead; `name` then stands for the file in messages, and names the
    network ("net.lua": net). sets: changed settings, as ``--set KEY=VALUE``: ``{"rule.samples": 10}``. script_memory:
    MiB that the script may use, 0: 256. script_seconds: its work, 0: 5.

    Raises `ScriptError` with code, file, line and hint; warnings come as `TernWarning`, what the script prints is in
    ``Image.notes``."""
    if (path is None) == (source is None):
        raise error(ArgumentError, 180, "source", "a script is a file or a string", "give either path or source")
    if not 0 <= script_seconds <= 1e6:  # NaN too
        raise error(ArgumentError, 180, "script_seconds", f"{script_seconds!r}, allowed are 0..1000000", "0: 5")
    texts = [f"{key}={_set_text(value)}".encode() for key, value in (sets or {}).items()]
    pointers = (ctypes.c_char_p * max(len(texts), 1))(*texts)
    options = _c.CompileOptions(
        len(texts), pointers, whole("script_memory", script_memory, 0, 2**20) << 20, script_seconds
    )
    model, report = _Model(), Report()
    arena = _c.byref(model.arena)
    if path is not None:
        status = _c.lib.tern_compile_file(path_bytes(path), _c.byref(options), arena, model.ref, report.ref)
    else:
        text = _utf8(source)
        status = _c.lib.tern_compile_string(
            text, len(text), name.encode(), _c.byref(options), arena, model.ref, report.ref
        )
    notes = report.check(status)
    data = encoded(lambda a, p, n: report.check(_c.lib.tern_image_encode(model.ref, a, p, n)))
    image = Image(data, os.fsdecode(path) if path is not None else name)
    image.notes = notes
    return image


def _utf8(source: Union[str, bytes, None]) -> bytes:
    return source.encode("utf-8", "surrogateescape") if isinstance(source, str) else bytes(source or b"")


def _set_text(value: Any) -> str:
    """A setting as --set takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "{" + ",".join(_set_text(v) for v in value) + "}"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def order(seed: int, epoch: int, n: int) -> NDArray[np.uint32]:
    """In which order n examples are shown in an epoch: it depends on these three numbers only, as in ``tern train``."""
    out = np.empty(whole("n", n, 1, 2**28 - 1), np.uint32)
    _c.lib.tern_order_epoch(
        whole("seed", seed, 0, 2**64 - 1), whole("epoch", epoch, 0, 2**32 - 1), len(out), address(out)
    )
    return out


__all__ = ["Data", "Filter", "Image", "Population", "Rule", "array", "compile", "load", "order"]
