# network.py : a network that runs
# SPDX-License-Identifier: Apache-2.0
"""Networks that make steps, learn, and are measured."""

from __future__ import annotations

import time
from ctypes import c_void_p
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _c
from ._arrays import SPIKES, PathLike, Spikes, address, array, path_bytes, reals, view, whole
from ._handle import Handle, User
from .errors import ArgumentError, ArrayError, LimitError, Report, error
from .examples import Examples
from .image import Image, encoded, to_real
from .progress import bar

_SLICE_S = 0.1  # seconds of C at a time, so that Ctrl-C works
_FEW_STEPS = 1024  # which are made in one call

Progress = Union[None, bool, Callable[[int, int, Any], object]]

PRESENTED = np.dtype(_c.Presented)
"""Type of the rows that `Network.train` returns: those of ``tern train --log``."""
EVALUATED = np.dtype(_c.Evaluated)
"""Type of the rows of `Evaluation.table`: those of ``tern eval --per-recording``."""


class Steps(NamedTuple):
    """What `Network.step` saw; None for what was not asked for."""

    spikes: Optional[NDArray[np.bool_]]
    """[steps, samples, n_neurons], visible neurons first."""
    log_loss: Optional[NDArray[np.float64]]
    """[steps, samples], cross-entropy of the visible neurons in nats."""


class Evaluation(NamedTuple):
    """What `Network.evaluate` measured: the numbers of ``tern eval``. Log-losses in nats per step; NaN where it is
    undefined."""

    examples: int
    accuracy: float
    accuracy_interval: tuple[float, float]
    """95 % (Wilson)."""
    log_loss: float
    log_loss_error: float
    """Standard error of the mean."""
    log_loss_iw: float
    log_loss_iw_error: float
    distance: float
    distance_error: float
    ece: float
    """Expected calibration error in 15 bins, by the softmax of the votes."""
    ece_votes: float
    """The same by the shares of the votes."""
    table: NDArray[Any]
    """A row for each example, of type `EVALUATED`: ``table["decision"]``, ``table["entropy"]``, ..."""
    votes: NDArray[np.uint32]
    """[examples, classes]: how many samples decided for each class."""


class _Pace:
    """How many items a call of C should do, to last about _SLICE_S."""

    def __init__(self, first: int) -> None:
        self.n = first

    def __call__(self, left: int) -> int:
        self.start = time.perf_counter()
        return min(self.n, left)

    def done(self, n: int) -> None:
        seconds = time.perf_counter() - self.start
        if n >= self.n:  # a last, smaller one says little
            self.n = max(1, min(int(n * min(_SLICE_S / max(seconds, 1e-9), 8.0)), 1 << 20))


def _callback(progress: Progress, what: str, unit: str) -> Optional[Callable[[int, int, Any], object]]:
    if progress is None or progress is False:
        return None
    if progress is True:
        return bar(what, unit)
    if not callable(progress):
        raise error(
            ArgumentError,
            180,
            "progress",
            f"a {type(progress).__name__}",
            "True, or a function of done, total and a row",
        )
    return progress


class Network(User):
    """A network that runs, with the engine that ``tern train`` uses and with the same bits.

    image: where it starts from. A trained image is continued, as by ``--resume``; `fresh` takes only its weights and
    starts a new training, as ``tern train IMAGE`` does. samples: K, 1 to 32; seed: of draws and order; None: those of
    the saved training, else of the script. engine: ``"fast"`` or ``"golden"`` (the same bits, slowly). threads: of the
    engine fast, 0: as many as pay.

    One thread at a time uses a network, else `UseError`; different networks run side by side, as other Python threads
    run during its calls. It does not go through ``fork()``. ``with tern.Network(image) as net:`` closes it at the end.

    Raises `ArgumentError`: 180 for an argument out of its range, 182 if the saved training has another seed or number
    of samples."""

    _what = "network"

    def __init__(
        self,
        image: Image,
        *,
        samples: Optional[int] = None,
        seed: Optional[int] = None,
        engine: str = "fast",
        threads: int = 0,
        fresh: bool = False,
    ) -> None:
        if not isinstance(image, Image):
            raise error(
                ArgumentError,
                180,
                "image",
                f"a {type(image).__name__}, wanted is a tern.Image",
                "tern.load() or tern.compile()",
            )
        options = _c.NetworkOptions(
            str(engine).encode(),
            whole("threads", threads, 0, 256),
            0 if samples is None else whole("samples", samples, 1, 32),
            seed is not None,
            bool(fresh),
            0 if seed is None else whole("seed", seed, 0, 2**63 - 1),
        )
        pointer, report = c_void_p(), Report()
        report.check(_c.lib.tern_network_open(image._model.ref, _c.byref(options), _c.byref(pointer), report.ref))
        super().__init__(Handle(pointer.value or 0, _c.lib.tern_network_close, image._model, forks=False))
        self._image = image
        self._state: _c.State = _c.lib.tern_network_state(pointer).contents
        self._samples = int(self._state.n_samples)
        self._clear = bool(image._model.model.data.clear)

    def __enter__(self) -> "Network":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- what it is

    @property
    def template(self) -> Image:
        """The image that it was made from: populations, sizes, rule."""
        return self._image

    @property
    def samples(self) -> int:
        """K, samples that run side by side."""
        return self._samples

    @property
    def seed(self) -> int:
        """Seed of its draws."""
        return int(self._number("seed"))

    @property
    def steps_made(self) -> int:
        """Steps since the training began."""
        return int(self._number("step"))

    @property
    def presentations(self) -> int:
        """Presentations learnt so far. May be set by who makes presentations of single steps: order and learning rate
        of `train` follow it, and images contain it."""
        pointer = self._begin()
        try:
            return int(_c.lib.tern_network_presentations(pointer))
        finally:
            self._end()

    @presentations.setter
    def presentations(self, n: int) -> None:
        pointer = self._begin()
        try:
            _c.lib.tern_network_set_presentations(pointer, whole("presentations", n, 0, 2**32 - 1))
        finally:
            self._end()

    @property
    def saturations(self) -> dict[str, int]:
        """How often a number was limited, of each kind, since the network was made."""
        self._begin()
        try:
            return {name: getattr(self._state.sat, name) for name, _ in _c.SatCounts._fields_}
        finally:
            self._end()

    def _number(self, field: str) -> Any:
        self._begin()
        try:
            return getattr(self._state, field)
        finally:
            self._end()

    def _view(self, field: str, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        self._begin()
        try:
            return view(self._handle, getattr(self._state, field), shape, dtype)
        finally:
            self._end()

    # ---- weights

    @property
    def weights(self) -> NDArray[np.int16]:
        """All weights as integers, -32768 where there is no synapse: w stands for w / 2**template.weight_frac. A
        read-only view that changes while the network learns; it may be kept after close()."""
        return self._view("weights", (int(self._image._model.model.net.n_weights),), np.int16)

    @property
    def bias(self) -> NDArray[np.int16]:
        """A bias for each neuron, in 1/4096. A read-only view."""
        return self._view("bias_f12", (self._image.n_neurons,), np.int16)

    @property
    def self_memory(self) -> NDArray[np.int16]:
        """Weight of each neuron's memory of its own spikes, in 1/4096. A read-only view."""
        return self._view("self_f12", (self._image.n_neurons,), np.int16)

    def matrix(self, source: str, target: str, filter: int = 0) -> NDArray[np.float64]:
        """Weights between two populations through one filter, [target's units, source's units], as real numbers; NaN
        where there is no synapse."""
        return to_real(self.matrix_int(source, target, filter), self._image.weight_frac)

    def matrix_int(self, source: str, target: str, filter: int = 0) -> NDArray[np.int16]:
        """As `matrix`, as integers: -32768 where there is no synapse."""
        return self._image._matrix(self.weights, source, target, filter)

    def set_weights(
        self,
        weights: Optional[NDArray[np.int16]] = None,
        bias: Optional[NDArray[np.int16]] = None,
        self_memory: Optional[NDArray[np.int16]] = None,
    ) -> None:
        """New weights, of the types and sizes of the views; None: as they are.

        Raises `ArgumentError` (181) if a weight does not fit its format, or if there is no synapse: nothing is changed
        then."""
        sizes = (int(self._image._model.model.net.n_weights), self._image.n_neurons, self._image.n_neurons)
        given = [
            None if x is None else array(name, x, (np.dtype(np.int16),), (n,))
            for name, x, n in zip(("weights", "bias", "self_memory"), (weights, bias, self_memory), sizes)
        ]
        pointer = self._begin()
        try:
            self._report.check(_c.lib.tern_network_set_weights(pointer, *map(address, given), self._report.ref))
        finally:
            self._end()

    # ---- steps

    def step(
        self,
        inputs: Optional[Spikes] = None,
        targets: Optional[Spikes] = None,
        *,
        steps: Optional[int] = None,
        learn: bool = False,
        clamp: Optional[bool] = None,
        spikes: Union[bool, Spikes] = True,
        log_loss: bool = False,
    ) -> Steps:
        """Makes steps, all in one call.

        inputs: [steps, n_inputs] of bool or uint8, anything but 0 is a spike; None: silence, for as many steps as
        `targets` or `steps` say. targets: [steps, n_visible]; with them the visible neurons are clamped to these
        spikes, without them they draw (``clamp=False``: they draw in spite of targets). learn: every step learns, at
        the rate last set (`set_eta`, `train`). spikes: False: they are not wanted; or an array [steps, samples,
        n_neurons] to write them to. log_loss: return it for every step and sample.

        Nothing is cleared before or after: a presentation ends with `end`. The array is read in place. Ctrl-C stops
        between steps; those made are made."""
        image = self._image
        n: Optional[int] = None if steps is None else whole("steps", steps, 0, 2**32 - 1)
        if inputs is not None:
            inputs = array("inputs", inputs, SPIKES, ("steps" if n is None else n, image.n_inputs))
            n = len(inputs)
        if targets is not None:
            targets = array("targets", targets, SPIKES, ("steps" if n is None else n, image.n_visible))
            n = len(targets)
        if n is None:
            raise error(ArrayError, 184, "steps", "neither inputs, targets nor steps", "give one of them")
        if n > 2**32 - 1:
            raise error(LimitError, 118, "steps", f"{n} steps, allowed are 4294967295", "give them in parts")
        out = self._spikes_out(spikes, n)
        loss = np.empty((n, self._samples)) if log_loss else None
        clamped = targets is not None if clamp is None else bool(clamp)
        flags = (_c.STEP_CLAMP if clamped else 0) | (_c.STEP_LEARN if learn else 0)
        self._run(n, flags, inputs, targets, out, loss)
        return Steps(None if out is None else out.view(np.bool_), loss)

    def _spikes_out(self, spikes: Union[bool, Spikes], n: int) -> Optional[NDArray[Any]]:
        shape = (n, self._samples, self._image.n_neurons)
        if isinstance(spikes, np.ndarray):
            return array("spikes", spikes, SPIKES, shape, write=True)
        return np.empty(shape, np.uint8) if spikes else None

    def _run(self, n: int, flags: int, *arrays: Optional[NDArray[Any]]) -> None:
        if n <= _FEW_STEPS:
            self._run_some(_c.NetworkSteps(n, flags, *map(address, arrays)))
            return
        pace = _Pace(_FEW_STEPS)
        t = 0
        while t < n:
            more = pace(n - t)
            self._run_some(_c.NetworkSteps(more, flags, *(address(a, t) for a in arrays)))
            t += more
            pace.done(more)

    def _run_some(self, run: _c.NetworkSteps) -> None:
        pointer = self._begin()
        try:
            self._report.check(_c.lib.tern_network_run(pointer, _c.byref(run), self._report.ref), 5)
        finally:
            self._end()

    def reward(self, signal: Any) -> None:
        """Rule reward: the learning signal of the last step for each sample, [samples]; positive: more of what the
        sample did. After a step that learned (``step(..., learn=True)``)."""
        values = reals("signal", signal, (self._samples,))
        pointer = self._begin()
        try:
            self._report.check(_c.lib.tern_network_reward(pointer, address(values), self._report.ref))
        finally:
            self._end()

    def set_eta(self, eta: float) -> None:
        """Learning rate of the steps that follow; `train` sets its own. ``template.eta_at(n)`` is the script's."""
        pointer = self._begin()
        try:
            self._report.check(_c.lib.tern_network_set_eta(pointer, float(eta), self._report.ref))
        finally:
            self._end()

    def end(self, clear: Optional[bool] = None) -> None:
        """Ends a presentation: applies the update that waits, and clears histories and averages. clear: None: if the
        script's data section says so (it does, unless ``clear = false``)."""
        all_clear = self._clear if clear is None else bool(clear)
        pointer = self._begin()
        try:
            _c.lib.tern_network_end(pointer, all_clear)
        finally:
            self._end()

    # ---- training

    def train(
        self, examples: Union[Examples, PathLike], presentations: Optional[int] = None, *, progress: Progress = None
    ) -> NDArray[Any]:
        """Learns further presentations; returns a row for each, of type `PRESENTED`.

        examples: of `Examples`, or a path to recordings. presentations: how many; None: every example once. Each epoch
        shows every example once, in an order of the seed; rates follow the rule's schedule. Both continue from
        `presentations`, so training in parts gives the same bits as in one piece, and as ``tern train``.

        progress: True: a bar on the terminal or in the notebook; or a function of the presentations done, their number,
        and the last row. It may use the network, e.g. ``net.evaluate(...)``; what it raises ends the training. After
        Ctrl-C the network is at the end of a whole presentation and can continue from there."""
        ex = examples if isinstance(examples, Examples) else self._image.recordings(examples)
        n = len(ex) if presentations is None else whole("presentations", presentations, 0, 2**32 - 1)
        tell = _callback(progress, "train", "presentation")
        rows = np.zeros(n, PRESENTED)
        pace = _Pace(1)
        done = 0
        while done < n:
            more = pace(n - done)
            before, after = self._train_some(ex, more, rows[done:])
            done += more
            pace.done(more)
            if tell is not None:
                tell(done, n, rows[done - 1])
        return rows

    def _train_some(self, ex: Examples, n: int, rows: NDArray[Any]) -> tuple[int, int]:
        pointer = self._begin()
        try:
            data = ex._begin()
            try:
                before = int(_c.lib.tern_network_presentations(pointer))
                self._report.check(_c.lib.tern_network_train(pointer, data, n, address(rows), self._report.ref), 4)
                return before, before + n
            finally:
                ex._end()
        finally:
            self._end()

    # ---- measuring

    def evaluate(
        self,
        examples: Union[Examples, PathLike],
        samples: int = 1,
        *,
        seed: Optional[int] = None,
        batch: Optional[int] = None,
        early_stop: bool = False,
        decode: str = "rate",
        progress: Progress = None,
    ) -> Evaluation:
        """Measures the network as it is, without learning: the numbers of ``tern eval``, with its options. The network
        continues as if nothing had happened.

        samples: K_I, 1 to 256, that vote for each example. seed: of the draws; None: the script's. decode: a sample
        decides by most spikes (``"rate"``) or by the first one (``"first"``). early_stop: no further samples of an
        example once they cannot change the vote. batch: samples made at the same time, a multiple of 4. progress: as in
        `train`."""
        if decode not in ("rate", "first"):
            raise error(
                ArgumentError, 180, "decode", f"{decode!r}, allowed are 'rate' and 'first'", "see docs/12-inference.md"
            )
        ex = examples if isinstance(examples, Examples) else self._image.recordings(examples)
        options = _c.EvaluateOptions(
            whole("samples", samples, 1, 256),
            0 if batch is None else whole("batch", batch, 4, 32),
            seed is not None,
            bool(early_stop),
            decode == "first",
            0 if seed is None else whole("seed", seed, 0, 2**63 - 1),
        )
        tell = _callback(progress, "evaluate", "example")
        opened, report = c_void_p(), Report()
        pointer = self._begin()
        try:
            report.check(_c.lib.tern_evaluation_open(pointer, _c.byref(options), _c.byref(opened), report.ref))
        finally:
            self._end()
        handle = Handle(opened.value or 0, _c.lib.tern_evaluation_close, self._image._model, forks=False)
        table = np.zeros(len(ex), EVALUATED)
        votes = np.zeros((len(ex), int(_c.lib.tern_evaluation_classes(handle.pointer))), np.uint32)
        for i in range(len(ex)):
            data = ex._begin()
            try:
                report.check(
                    _c.lib.tern_evaluation_measure(
                        handle.pointer, data, i, address(table, i), address(votes, i), report.ref
                    )
                )
            finally:
                ex._end()
            if tell is not None:
                tell(i + 1, len(ex), table[i])
        total = _c.EvaluatedSum()
        _c.lib.tern_evaluated_add_up(address(table), len(table), _c.byref(total))
        return Evaluation(
            total.examples,
            total.accuracy,
            (total.accuracy_lo, total.accuracy_hi),
            total.log_loss,
            total.log_loss_error,
            total.log_loss_iw,
            total.log_loss_iw_error,
            total.distance,
            total.distance_error,
            total.ece,
            total.ece_votes,
            table,
            votes,
        )

    # ---- images

    def image(self) -> Image:
        """The network as it is, with its whole state: what ``tern train`` writes."""
        pointer = self._begin()
        try:
            return Image(
                encoded(
                    lambda a, p, n: self._report.check(_c.lib.tern_network_encode(pointer, a, p, n, self._report.ref))
                ),
                self._image.name,
            )
        finally:
            self._end()

    def save(self, path: PathLike) -> None:
        """Writes ``image()`` to a file, whole or not at all. Raises `FileError` (302)."""
        pointer = self._begin()
        try:
            self._report.check(_c.lib.tern_network_save(pointer, path_bytes(path), self._report.ref))
        finally:
            self._end()

    def __repr__(self) -> str:
        return f"<tern.Network {self._image.name}{', closed' if self.closed else f': {self._samples} samples'}>"
