# common.py : what the tests of the package share
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
import tern

COMMAND = os.environ["TERN_COMMAND"]
ROOT = Path(os.environ["TERN_SOURCE"])
DIGITS2 = ROOT / "models/digits2/digits2.lua"

# A network without a data section: for arrays.
PLAIN = """
local f = tern.raised_cosine{ count = 2, duration = 6 }
local a = tern.input  { name = "a", size = 5 }
local b = tern.input  { name = "b", shape = {3, 13} }
local h = tern.hidden { name = "h", size = 3, memory = tern.raised_cosine{ duration = 6 } }
local v = tern.visible{ name = "v", size = 4 }
tern.connect{ from = {a, b}, to = h, filters = f }
tern.connect{ from = {a, h}, to = v, filters = f }
tern.gem{ eta = 1e-3, gamma = 0.9, kappa = 0.2, samples = 3 }
"""
REWARD = PLAIN.replace(
    "tern.gem{ eta = 1e-3, gamma = 0.9, kappa = 0.2, samples = 3 }",
    "tern.reward{ eta = 1e-3, gamma = 0.9, kappa = 0.2, samples = 3, tau = 0 }",
)


def command(*words):
    """What the command prints."""
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"tern {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


class Case(unittest.TestCase):
    """A folder for each class, and errors checked by class, code and text."""

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.work = Path(cls._folder.name)

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    def refused(self, kind, code, call, *arguments, text="", **named):
        with self.assertRaises(kind) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        self.assertTrue(caught.exception.message)
        self.assertTrue(caught.exception.hint, "no advice: " + str(caught.exception))
        self.assertIn(text, str(caught.exception))
        return caught.exception


def random_spikes(seed, *shape):
    return (np.random.default_rng(seed).random(shape) < 0.3).astype(np.uint8)


def plain(seed=0, n=4, steps=30):
    """A network for arrays and examples of it."""
    image = tern.compile(source=PLAIN, name="plain.lua")
    inputs = random_spikes(seed, n, steps, image.n_inputs)
    targets = random_spikes(seed + 1, n, steps, image.n_visible)
    return image, inputs, targets
