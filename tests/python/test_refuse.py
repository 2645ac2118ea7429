# test_refuse.py : wrong arguments and files, each an exception with its code, its place and advice, never a crash
# SPDX-License-Identifier: Apache-2.0
import os
import unittest
import warnings

import numpy as np
import tern
from common import PLAIN, REWARD, Case, plain, random_spikes


def quietly(source):
    """Compiles a script whose warnings (inputs that nothing drives) do not matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tern.compile(source=source)


class Refuse(Case):
    def setUp(self):
        self.image, self.inputs, self.targets = plain()
        self.net = tern.Network(self.image)
        self.ex = self.image.examples(self.inputs, self.targets)

    # ---- scripts and files

    def test_scripts(self):
        e = self.refused(
            tern.ScriptError, 202, tern.compile, source="tern.input{", name="broken.lua", text="broken.lua:1"
        )
        self.assertEqual((e.file, e.line), ("broken.lua", 1))
        self.assertTrue(str(e).startswith("broken.lua:1: error TERN-E0202: "))
        e = self.refused(tern.ScriptError, 210, tern.compile, source="\ntern.input{ name = 'a', sizes = 3 }")
        self.assertEqual(e.line, 2)
        self.refused(tern.ScriptError, 224, tern.compile, source=PLAIN, sets={"rule.et": 1})
        self.refused(tern.TernError, 206, tern.compile, "no such file.lua")
        self.refused(tern.ArgumentError, 180, tern.compile)
        self.refused(tern.ArgumentError, 180, tern.compile, "x.lua", source=PLAIN)
        self.refused(tern.ArgumentError, 180, tern.compile, "x\0.lua")
        self.refused(tern.ArgumentError, 180, tern.compile, source=PLAIN, script_seconds=float("nan"))
        self.refused(tern.ArgumentError, 180, tern.compile, source=PLAIN, script_memory=-1)
        self.refused(tern.ScriptError, 204, tern.compile, source="while true do end", script_seconds=0.1)
        notes = tern.compile(source=PLAIN + "\nprint('hello', 7)").notes
        self.assertEqual([(n.code, n.severity) for n in notes], [(201, "note")])
        self.assertIn("hello", notes[0].message)

    def test_warnings(self):
        script = PLAIN + "\ntern.hidden{ name = 'deaf', size = 1 }"
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            tern.compile(source=script, name="deaf.lua")
        self.assertEqual([w.message.diagnostic.code for w in seen], [266])
        self.assertEqual(os.path.basename(seen[0].filename), "test_refuse.py")  # where the caller stands
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertRaises(tern.TernWarning, tern.compile, source=script)

    def test_images(self):
        good = self.image.bytes
        for data, code in (
            (b"", 303),
            (b"no image", 303),
            (good[:-1], 305),
            (good + b"x", 305),
            (good[:200] + bytes([good[200] ^ 1]) + good[201:], None),
        ):
            with self.assertRaises(tern.ImageError) as caught:
                tern.Image(data, "damaged.tern")
            self.assertIn("damaged.tern", str(caught.exception))
            if code is not None:
                self.assertEqual(caught.exception.code, code)
        self.refused(tern.ArgumentError, 180, tern.Image, bytearray(good))
        with self.assertRaises(tern.FileError) as caught:
            tern.load(self.work / "none.tern")
        self.assertEqual(caught.exception.code, 301)
        (self.work / "precious.txt").write_text("no image")
        for save in (self.image.save, self.net.save):
            with self.assertRaises(tern.TernError) as caught:
                save(self.work / "precious.txt")
            self.assertEqual(caught.exception.code, 302)
            with self.assertRaises(tern.FileError):
                save(self.work / "no folder" / "x.tern")
        self.assertEqual((self.work / "precious.txt").read_text(), "no image")
        self.image.save(self.work / "x.tern")
        self.assertEqual(tern.load(os.fsencode(self.work / "x.tern")), self.image)

    def test_recordings(self):
        self.refused(tern.DataError, 119, self.image.recordings, self.work)
        image = quietly(PLAIN + "\ntern.data{ format='auto', crop={0,0,5,1}, window_ms=1, steps=5, input=a }")
        with self.assertRaises(tern.TernError) as caught:
            image.recordings(self.work / "none")
        self.assertEqual(caught.exception.code, 440)
        (self.work / "text.aedat").write_text("no recording")
        self.refused(tern.DataError, 446, image.recordings, self.work / "text.aedat")

    # ---- arrays

    def test_spikes_in(self):
        n = self.image.n_inputs
        x = random_spikes(1, 6, n)
        for bad, text in (
            (x.astype(np.int64), "int64"),
            (x.astype(np.float64), "astype"),
            (x.tolist(), "a list"),
            (x[:, :-1], f"[steps, {n}]"),
            (x[0], f"[{n}]"),
            (x[np.newaxis], "[1, 6"),
            (np.asfortranarray(x), "ascontiguousarray"),
            (x[::2], "not contiguous"),
            (x[:, ::-1], "not contiguous"),
            (np.full((6, n), np.nan), "float64"),
            (x.astype(object), "object"),
            (x.astype("S1"), "|S1"),
        ):
            self.refused(tern.ArrayError, 184, self.net.step, bad, text=text)
            if not (isinstance(bad, np.ndarray) and bad.ndim == 3):
                self.refused(tern.ArrayError, 184, self.image.examples, bad, text="inputs")
        self.refused(tern.ArrayError, 184, self.net.step)
        self.refused(tern.ArrayError, 184, self.net.step, x, steps=5, text="[5, ")
        self.refused(tern.ArrayError, 184, self.net.step, x, random_spikes(2, 5, 4), text="[6, 4]")
        self.refused(tern.ArgumentError, 180, self.net.step, steps=-1)
        self.refused(tern.ArgumentError, 180, self.net.step, steps=1.5)
        self.refused(tern.ArgumentError, 180, self.net.step, x, clamp=True, text="targets")
        self.refused(tern.ArgumentError, 180, self.net.step, x, learn=True, text="rule reward only")
        self.assertIsInstance(self.refused(tern.ArrayError, 184, self.net.step, x[0]), ValueError)
        self.assertEqual(self.net.steps_made, 0)
        self.assertEqual(self.net.step(x[:0]).spikes.shape, (0, 3, self.image.n_neurons))
        x.flags.writeable = False
        self.net.step(x)

    def test_spikes_out(self):
        for bad, text in (
            (np.zeros((6, 3, 6), np.uint8), "[6, 3, 7]"),
            (np.zeros((6, 3, 7)), "float64"),
            (np.zeros((6, 3, 14), np.uint8)[..., ::2], "contiguous"),
        ):
            self.refused(tern.ArrayError, 184, self.net.step, steps=6, spikes=bad, text=text)
        fixed = np.zeros((6, 3, 7), np.uint8)
        fixed.flags.writeable = False
        self.refused(tern.ArrayError, 184, self.net.step, steps=6, spikes=fixed, text="read-only")

    def test_examples(self):
        x, t = self.inputs, self.targets
        self.refused(tern.ArrayError, 184, self.image.examples, None)
        self.refused(tern.ArrayError, 184, self.image.examples, x, t[:-1], text="[4, 30, 4]")
        self.refused(tern.ArgumentError, 180, self.image.examples, x[:0], text="0 examples")
        self.refused(tern.ArgumentError, 181, self.image.examples, x, labels=[0, 1, 0, 1], text="no label population")
        image = quietly(PLAIN + "\ntern.data{ format='auto', crop={0,0,5,1}, window_ms=1, steps=5, input=a, label=v }")
        for bad, code, text in (
            ([0, 1, 2], 184, "[4]"),
            ([0.0, 1, 2, 3], 184, "float64"),
            ([0, 1, np.nan, 3], 184, "float64"),
            ([[0, 1, 2, 3]], 184, "[1, 4]"),
            ([0, 1, 2, 2**40], 184, "1099511627776"),
            ([0, 1, 2, -2], 184, "-2"),
            ([0, 1, 2, 4], 181, "0..3"),
            ("0123", 184, "U4"),
        ):
            self.refused(tern.ArgumentError, code, image.examples, x, labels=bad, text=text)
        labelled = image.examples(x, labels=np.array([0, 1, -1, 3], np.int8))
        with tern.Network(image) as net:
            with self.assertRaises(tern.DataError) as caught:
                net.train(labelled, 4)
            self.assertEqual(caught.exception.code, 112)
            self.assertLess(net.presentations, 4)  # those before it are made
        self.assertRaises(IndexError, self.ex.__getitem__, 4)
        self.assertRaises(tern.ArgumentError, self.ex.__getitem__, "a")
        self.assertTrue(np.array_equal(self.ex[-1].inputs, x[3].astype(bool)))

    def test_training(self):
        self.refused(tern.ArgumentError, 181, self.net.train, self.image.examples(self.inputs), text="nothing to learn")
        other = tern.compile(source=PLAIN.replace("size = 5", "size = 6"))
        foreign = other.examples(random_spikes(1, 2, 3, other.n_inputs), random_spikes(2, 2, 3, 4))
        self.refused(tern.ArgumentError, 181, self.net.train, foreign, text="other sizes")
        self.refused(tern.ArgumentError, 181, self.net.evaluate, foreign, text="other sizes")
        self.refused(tern.ArgumentError, 180, self.net.train, self.ex, -1)
        self.refused(tern.ArgumentError, 180, self.net.train, self.ex, 1, progress=7)
        self.assertEqual(len(self.net.train(self.ex, 0)), 0)
        self.net.presentations = 2**32 - 2
        self.refused(tern.LimitError, 118, self.net.train, self.ex, 2)
        reward = tern.compile(source=REWARD)
        with tern.Network(reward) as net:
            self.refused(tern.ArgumentError, 126, net.train, reward.examples(self.inputs, self.targets), 1)
            net.step(self.inputs[0], learn=True)
            for bad in ([1, 2], [1, 2, np.nan], [1, 2, np.inf], "abc", [[1, 2, 3]]):
                self.refused(tern.ArrayError, 184, net.reward, bad)
            net.reward([0.5, 1, -1])
        self.refused(tern.ArgumentError, 180, self.net.reward, [0.5, 1, -1])
        for bad in (0, -1, float("nan"), float("inf")):
            self.refused(tern.ArgumentError, 180, self.net.set_eta, bad)
        with self.assertRaises(tern.ArgumentError) as caught:
            self.net.set_eta(1e9)
        self.assertEqual(caught.exception.code, 113)
        self.assertRaises(TypeError, self.net.set_eta, None)

    def test_weights(self):
        w = self.net.weights
        for write in (lambda: w.__setitem__(0, 1), lambda: w.setflags(write=True), lambda: w.sort()):
            self.assertRaises(ValueError, write)
        new = w.copy()
        absent = int(np.flatnonzero(w != -32768)[0])
        new[absent] = -32768
        self.refused(tern.ArgumentError, 181, self.net.set_weights, new, text="there is a synapse")
        self.refused(tern.ArrayError, 184, self.net.set_weights, w[:-1].copy())
        self.refused(tern.ArrayError, 184, self.net.set_weights, w.astype(np.float32))
        self.refused(tern.ArgumentError, 181, self.net.set_weights, bias=np.full(7, -32768, np.int16))
        self.refused(
            tern.ArgumentError, 181, self.net.set_weights, self_memory=np.ones(7, np.int16), text="self-memory"
        )
        new[absent] = 5
        self.net.set_weights(new, np.arange(7, dtype=np.int16))
        self.assertTrue(np.array_equal(self.net.weights, new) and self.net.bias[6] == 6)
        self.refused(tern.ArgumentError, 180, self.net.matrix, "a", "nobody", text="nobody")
        self.refused(tern.ArgumentError, 180, self.net.matrix, "a", "h", 3)
        self.refused(tern.ArgumentError, 180, self.net.matrix, "a", "h", -1)
        self.refused(tern.ArgumentError, 180, self.net.matrix, "h", "a", text="input population")

    def test_options(self):
        for bad in (
            {"samples": 0},
            {"samples": 33},
            {"samples": "3"},
            {"seed": -1},
            {"seed": 2**63},
            {"engine": "x"},
            {"engine": None},
            {"threads": -1},
            {"threads": 257},
            {"engine": "golden", "threads": 2},
        ):
            self.refused(tern.ArgumentError, 180, tern.Network, self.image, **bad)
        self.refused(tern.ArgumentError, 180, tern.Network, self.image.bytes)
        self.net.train(self.ex, 2)
        trained = self.net.image()
        self.refused(tern.ArgumentError, 182, tern.Network, trained, samples=4, text="fresh")
        self.refused(tern.ArgumentError, 182, tern.Network, trained, seed=77, text="fresh")
        for bad in (
            {"samples": 0},
            {"samples": 257},
            {"batch": 6},
            {"batch": 36},
            {"batch": 0},
            {"decode": "last"},
            {"seed": 2**64},
        ):
            self.refused(tern.ArgumentError, 180, self.net.evaluate, self.ex, **bad)
        self.refused(tern.LimitError, 122, self.net.evaluate, self.ex, early_stop=True)

    def test_values(self):
        for bad in (
            [[np.nan]],
            [[np.inf]],
            [["a"]],
            [1.0],
            [[[[1.0]]]],
            np.zeros((0, 3)),
            np.zeros((2, 0)),
            [[1], [2, 3]],
        ):
            self.refused(tern.ArrayError, 184, tern.encode, bad)
        for named in ({"steps": 0}, {"rate": 2.0}, {"rate": float("nan")}, {"lo": 1.0, "hi": 0.0}, {"population": 65}):
            with self.assertRaises(tern.ArgumentError) as caught:
                tern.encode([[0.5]], **named)
            self.assertEqual(caught.exception.code, 462)
        self.refused(tern.ArgumentError, 462, tern.encode, [[0.5]], "morse")
        self.refused(tern.ArgumentError, 180, tern.encode, [[0.5]], seed=-1)
        self.refused(tern.ArrayError, 184, tern.decode, np.zeros((1, 5, 2), np.uint8), steps=2)
        self.refused(tern.ArgumentError, 180, tern.simulate_digits, self.work / "d", [10], 1)
        self.refused(tern.ArgumentError, 180, tern.simulate_digits, self.work / "d", [], 1)
        self.refused(tern.ArgumentError, 180, tern.order, 1, 1, 0)


if __name__ == "__main__":
    unittest.main()
