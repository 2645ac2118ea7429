# test_package.py : the package itself: structures as in C, types, descriptions, progress for people
# SPDX-License-Identifier: Apache-2.0
import contextlib
import inspect
import io
import os
import subprocess
import sys
import types
import unittest
from pathlib import Path

import numpy as np
import tern
from common import PLAIN, ROOT, Case, plain
from tern import _c


class Package(Case):
    def test_layout(self):
        """Every mirrored structure has the offsets and sizes that the C compiler gives it."""
        lines = [line.split() for line in subprocess.check_output([os.environ["TERN_LAYOUT"]], text=True).splitlines()]
        self.assertGreater(len(lines), 250)
        for name, field, offset, size in lines:
            mirror = _c.STRUCTURES[name]
            place = getattr(mirror, field) if field != "-" else None
            found = (0, _c.ctypes.sizeof(mirror)) if place is None else (place.offset, place.size)
            self.assertEqual(found, (int(offset), int(size)), f"{name}.{field}")

    def test_constants(self):
        text = "".join(
            (ROOT / "runtime" / f).read_text()
            for f in ("net/include/tern/net.h", "model/include/tern/model.h", "engine/include/tern/engine.h")
        )
        text = " ".join(text.split())  # wherever the headers break lines
        for line in (
            "TERN_MAX_TAPS        32u",
            "TERN_MAX_FILTERS     16u",
            "TERN_NO_FILTER       255u",
            "TERN_MAX_POPULATIONS 64u",
            "TERN_MAX_PARTS 16u",
            "TERN_STEP_LEARN = 1, TERN_STEP_CLAMP = 2",
            "TERN_RULE_GEM = 0, TERN_RULE_MB = 1, TERN_RULE_IW = 2, TERN_RULE_REWARD = 3",
            "TERN_POP_INPUT, TERN_POP_HIDDEN, TERN_POP_VISIBLE",
            "TERN_FILTER_COSINE, TERN_FILTER_EXP, TERN_FILTER_ALPHA, TERN_FILTER_USER",
            "TERN_POL_MERGE, TERN_POL_ON, TERN_POL_OFF, TERN_POL_SEPARATE",
        ):
            self.assertIn(" ".join(line.split()), text)

    def test_version(self):
        header = (ROOT / "runtime/net/include/tern/version.h").read_text()
        self.assertIn(f'TERN_VERSION_STRING "{tern.__version__}"', header)

    def test_typed(self):
        self.assertTrue((Path(tern.__file__).parent / "py.typed").exists())
        for name, thing in self.public():
            for call in [thing] if isinstance(thing, types.FunctionType) else self.methods(thing):
                hints = call.__annotations__
                wanted = [p for p in inspect.signature(call).parameters if p not in ("self", "cls", "_")]
                self.assertEqual([p for p in wanted if p not in hints], [], f"{name}.{call.__name__}")
                self.assertIn("return", hints, f"{name}.{call.__name__}")

    def test_described(self):
        for name, thing in self.public():
            self.assertTrue(thing.__doc__ and len(thing.__doc__) > 15, name)
            for call in self.methods(thing):
                self.assertTrue(call.__doc__, f"{name}.{call.__name__}")

    @staticmethod
    def public():
        return [(name, getattr(tern, name)) for name in tern.__all__ if callable(getattr(tern, name))]

    @staticmethod
    def methods(thing):
        if not inspect.isclass(thing) or issubclass(thing, (tuple, Exception)):
            return []
        found = [
            m.fget if isinstance(m, property) else getattr(m, "__func__", m)
            for n, m in vars(thing).items()
            if not n.startswith("_")
        ]
        return [m for m in found if isinstance(m, types.FunctionType)]

    def test_image(self):
        image, _, _ = plain()
        self.assertEqual(
            [(p.name, p.kind, p.shape, p.first) for p in image.populations.values()],
            [("a", "input", (5,), 0), ("b", "input", (3, 13), 5), ("h", "hidden", (3,), 4), ("v", "visible", (4,), 0)],
        )
        self.assertEqual((image.n_inputs, image.n_neurons, image.n_visible), (44, 7, 4))
        self.assertEqual((image.name, image.trained, image.data, len(image.filters)), ("plain", False, None, 3))
        self.assertEqual((image.rule.kind, image.rule.eta, image.rule.samples), ("gem", 1e-3, 3))
        matrix, whole = image.matrix("b", "h", 1), image.matrix_int("b", "h", 1)
        self.assertEqual(matrix.shape, (3, 39))
        self.assertTrue(np.array_equal(matrix * 2**image.weight_frac, whole))
        self.assertTrue(np.isnan(image.matrix("b", "v")).all())  # not connected
        self.assertEqual(image.eta_at(0), 1e-3)
        self.assertEqual(len(image.layout_hash), 64)

    def test_the_place_of_units(self):
        """A spike of one unit changes the weights of this unit's synapses, and of no other's."""
        image = tern.compile(source=PLAIN, sets={"rule.eta": 0.02})
        inputs = np.zeros((40, image.n_inputs), np.uint8)
        b = image.populations["b"]
        inputs[::3, b.first + 17] = 1
        targets = np.zeros((40, 4), np.uint8)
        targets[::2, 1] = 1
        with tern.Network(image) as net:
            net.step(inputs, targets, learn=True)
            net.end()
            moved = (net.matrix_int("b", "h", 1) != image.matrix_int("b", "h", 1)).any(axis=0)
        self.assertEqual(np.flatnonzero(moved).tolist(), [17])

    def test_bar(self):
        image, inputs, targets = plain()
        text = io.StringIO()
        with tern.Network(image) as net, contextlib.redirect_stderr(text):
            net.train(image.examples(inputs, targets), 5, progress=True)
            net.evaluate(image.examples(inputs, targets), progress=True)
        lines = text.getvalue().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn("presentation 5 of 5", lines[0])
        self.assertIn("example 4 of 4", lines[1])

    def test_missing_library(self):
        run = subprocess.run(
            [sys.executable, "-c", "import tern"],
            capture_output=True,
            text=True,
            env={**os.environ, "TERN_LIBRARY": "/no/libtern.so"},
        )
        self.assertIn("ImportError: tern cannot load its library", run.stderr)


if __name__ == "__main__":
    unittest.main()
