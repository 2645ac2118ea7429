# test_same_bits.py : what Python makes is, byte for byte, what the command makes
# SPDX-License-Identifier: Apache-2.0
import filecmp
import json
import math
import unittest

import numpy as np
import tern
from common import DIGITS2, PLAIN, Case, command


def told(x):
    """A number as the command prints it: 12 digits."""
    return float(f"{x:.12g}")


class SameBits(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        work = cls.work
        command("data", "digits", work / "train", "--classes", "0,1", "--count", 6, "--seed", 1)
        command("data", "digits", work / "test", "--classes", "0,1", "--count", 4, "--seed", 2)
        command(
            "train",
            DIGITS2,
            "--data",
            work / "train",
            "--presentations",
            20,
            "-o",
            work / "c.tern",
            "--log",
            work / "c.jsonl",
        )
        cls.image = tern.compile(DIGITS2)
        cls.trained = (work / "c.tern").read_bytes()

    def test_recordings(self):
        made = tern.simulate_digits(self.work / "train_py", [0, 1], 6, seed=1)
        self.assertEqual(made.files, 12)
        same = filecmp.dircmp(self.work / "train", self.work / "train_py")
        self.assertEqual(len(same.common_files), 13)
        self.assertEqual(same.left_only + same.right_only + same.diff_files + same.funny_files, [])
        self.assertIn(
            made.sha256, command("data", "digits", self.work / "again", "--classes", "0,1", "--count", 6, "--seed", 1)
        )

    def test_compile(self):
        command("compile", DIGITS2, "-o", self.work / "compiled")
        self.assertEqual(self.image.bytes, (self.work / "compiled/digits2.tern").read_bytes())
        (self.work / "plain.lua").write_text(PLAIN)
        command(
            "compile",
            self.work / "plain.lua",
            "-o",
            self.work / "plain",
            "--set",
            "rule.samples=7",
            "--set",
            "rule.eta=0.002",
            "--set",
            "formats.weight={8,7}",
        )
        image = tern.compile(
            source=PLAIN, name="plain.lua", sets={"rule.samples": 7, "rule.eta": 2e-3, "formats.weight": (8, 7)}
        )
        self.assertEqual(image.bytes, (self.work / "plain/plain.tern").read_bytes())
        self.assertEqual((image.samples, image.weight_bits, image.weight_frac), (7, 8, 7))

    def test_train_on_recordings(self):
        with tern.Network(self.image) as net:
            net.train(self.work / "train", 20)
            net.save(self.work / "py.tern")
        self.assertEqual((self.work / "py.tern").read_bytes(), self.trained)

    def test_train_on_arrays(self):
        ex = self.image.recordings(self.work / "train")
        arrays = [ex[i] for i in range(len(ex))]
        inputs = np.stack([a.inputs for a in arrays])
        labels = [a.label for a in arrays]
        for data in (
            self.image.examples(inputs, labels=labels),
            self.image.examples(inputs, np.stack([a.targets for a in arrays]), labels),
        ):
            with tern.Network(self.image) as net:
                net.train(data, 20)
                self.assertEqual(net.image().bytes, self.trained)

    def test_parts_files_and_the_log(self):
        ex = self.image.recordings(self.work / "train")
        net = tern.Network(self.image)
        rows = [net.train(ex, 7), net.train(ex, 1)]
        net.save(self.work / "half.tern")
        net = tern.Network(tern.load(self.work / "half.tern"))
        self.assertEqual(net.presentations, 8)
        rows.append(net.train(ex, 12))
        self.assertEqual(net.image().bytes, self.trained)
        rows = np.concatenate(rows)
        log = [json.loads(line) for line in (self.work / "c.jsonl").read_text().splitlines()[1:]]
        self.assertEqual(len(log), 20)
        for line, row in zip(log, rows):
            for name in ("presentation", "step", "recording", "label", "eta", "log_loss", "log_loss_iw", "hidden_rate"):
                self.assertEqual(line[name], told(row[name]), name)
            self.assertEqual(line["communication"]["unicast"], row["unicast"])
            self.assertEqual(line["saturations"]["potential"], row["saturations"]["potential"])

    def test_golden_and_threads(self):
        ex = self.image.recordings(self.work / "train")
        for options in ({"engine": "golden"}, {"threads": 2}):
            with tern.Network(self.image, **options) as net:
                net.train(ex, 20)
                self.assertEqual(net.image().bytes, self.trained)

    def test_steps_by_hand(self):
        """A training made of single steps: order, rates and ends as the documentation tells them."""
        ex = self.image.recordings(self.work / "train")
        net = tern.Network(self.image)
        spikes = np.zeros((80, net.samples, self.image.n_neurons), np.uint8)
        for p in range(20):
            example = ex[tern.order(net.seed, p // len(ex), len(ex))[p % len(ex)]]
            net.set_eta(self.image.eta_at(p))
            net.step(example.inputs[:30], example.targets[:30], learn=True, spikes=False)
            seen = net.step(example.inputs[30:], example.targets[30:], learn=True, spikes=spikes[30:], log_loss=True)
            net.end()
            net.presentations = p + 1
        self.assertEqual(net.image().bytes, self.trained)
        self.assertIs(seen.spikes.base is not None, True)
        self.assertTrue(np.shares_memory(seen.spikes, spikes))
        self.assertTrue((seen.spikes[..., :2] == example.targets[30:, np.newaxis, :]).all())  # clamped
        self.assertTrue(np.isfinite(seen.log_loss).all() and (seen.log_loss > 0).any())

    def test_fresh(self):
        command(
            "train",
            self.work / "c.tern",
            "--data",
            self.work / "train",
            "--presentations",
            5,
            "--samples",
            3,
            "--seed",
            9,
            "-o",
            self.work / "fresh.tern",
        )
        with tern.Network(tern.load(self.work / "c.tern"), fresh=True, samples=3, seed=9) as net:
            net.train(self.work / "train", 5)
            self.assertEqual(net.image().bytes, (self.work / "fresh.tern").read_bytes())

    def test_evaluate(self):
        with tern.Network(tern.load(self.work / "c.tern")) as net:
            for options, words in (
                ({}, ()),
                ({"samples": 20, "seed": 5}, ("--samples", 20, "--seed", 5)),
                (
                    {"samples": 9, "decode": "first", "early_stop": True},
                    ("--samples", 9, "--decode", "first", "--early-stop"),
                ),
            ):
                lines = self.work / "lines.jsonl"
                printed = json.loads(
                    command(
                        "eval",
                        self.work / "c.tern",
                        "--data",
                        self.work / "test",
                        "--json",
                        "--per-recording",
                        lines,
                        *words,
                    )
                )
                found = net.evaluate(self.work / "test", **options)
                self.assertEqual(found.examples, printed["recordings"])
                for name in ("accuracy", "log_loss", "log_loss_error", "log_loss_iw", "log_loss_iw_error"):
                    self.assertEqual(told(getattr(found, name)), printed[name], name)
                self.assertEqual(told(found.ece), printed["decisions"]["ece"])
                self.assertEqual([told(x) for x in found.accuracy_interval], printed["accuracy_interval"])
                for line, row, votes in zip(map(json.loads, lines.read_text().splitlines()), found.table, found.votes):
                    self.assertEqual(line["votes"], votes.tolist())
                    for name in ("label", "samples", "decision", "entropy", "confidence", "log_loss", "log_loss_iw"):
                        self.assertEqual(line[name], told(row[name]), name)
            self.assertEqual(net.image().bytes, self.trained)  # measuring changes nothing
            self.assertTrue(math.isnan(found.distance))

    def test_encode(self):
        values = np.random.default_rng(1).random((3, 4, 6))
        np.save(self.work / "values.npy", values)
        for code, words, named in (
            ("rate", ("--steps", 5, "--rate", 0.5), {"steps": 5, "rate": 0.5}),
            ("time", ("--steps", 8), {"steps": 8}),
            ("even", ("--steps", 3, "--population", 4), {"steps": 3, "population": 4}),
        ):
            out = self.work / f"{code}.npz"
            command("data", "encode", self.work / "values.npy", out, "--code", code, "--seed", 7, *words)
            spikes = tern.encode(values, code, seed=7, **named)
            frames = np.load(out)["frames"]
            self.assertTrue(np.array_equal(spikes, frames.astype(bool).reshape(spikes.shape)), code)
        back = tern.decode(spikes, "even", steps=3, population=4)
        self.assertEqual(back.shape, values.shape)


if __name__ == "__main__":
    unittest.main()
