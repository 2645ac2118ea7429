# test_checkpoints.py : checkpoints of the paper's authors: the network that `tern import` makes says what theirs does
# SPDX-License-Identifier: Apache-2.0
#
# `theirs` computes, from a checkpoint's arrays and the definition of such a network alone, how probable the letters of
# the visible units are in each step; Tern's log-loss on the same spikes has to be the same up to rounding.
import unittest

import numpy as np
import tern
from common import Case, command

TAPS = np.array([[1.0, 0.75, 0.25], [0.0, 0.5, 1.0]])  # [filters][steps back - 1]
SCRIPT = """
local f1, f2 = tern.taps{ 1, 0.75, 0.25 }, tern.taps{ 0, 0.5, 1 }
local x = tern.input  { name = "x", %(input)s }
local v = tern.visible{ name = "v", size = %(v)d, memory = f1 %(wta)s }
tern.connect{ from = x, to = v, filters = { f1, f2 } }
tern.connect{ from = v, to = v, filters = { f1, f2 } }
tern.gem{ eta = 1e-3, gamma = 0.5, samples = 1 }
tern.formats{ trace = 8 }
"""


def theirs(ff, fb, bias, spikes, n_inputs):
    """Negative log-probability of the visible letters, nats in each step. spikes: [steps][units][letters]."""
    losses = []
    for t in range(len(spikes)):
        trace = np.zeros((len(TAPS), *spikes.shape[1:]))
        for back in range(1, TAPS.shape[1] + 1):
            if t >= back:
                trace += TAPS[:, back - 1, None, None] * spikes[t - back][None]
        u = np.einsum("lanbf,fnb->la", ff, trace) + bias
        u += np.einsum("laq,qla->la", fb, trace[: fb.shape[2], n_inputs:])
        log_z = np.log(1 + np.exp(u).sum(axis=1))
        now = spikes[t, n_inputs:]
        losses.append((log_z - (now * u).sum(axis=1)).sum())
    return np.array(losses)


def one_hot(rng, steps, units, letters):
    """At most one letter of a unit in a step."""
    draw = rng.integers(0, letters + 2, (steps, units))
    return (draw[..., None] == np.arange(letters)).astype(float)


def tern_spikes(spikes, planes):
    """In the order of Tern's units: [steps][units * letters]."""
    order = spikes.transpose(0, 2, 1) if planes else spikes
    return np.ascontiguousarray(order.reshape(len(spikes), -1).astype(np.uint8))


class Checkpoints(Case):
    def make(self, letters, planes=False, short=False, seed=1):
        rng = np.random.default_rng(seed)
        n_in, n_vis, n_filters = 6, 3, len(TAPS)
        ff = rng.normal(0, 0.5, (n_vis, letters, n_in + n_vis, letters, n_filters)).astype(np.float32)
        for i in range(n_vis):
            ff[i, :, n_in + i] = 0  # no unit reaches itself
        fb = rng.normal(0, 0.5, (n_vis, letters, 1)).astype(np.float32)
        bias = rng.normal(0, 0.5, (n_vis, letters)).astype(np.float32)
        spikes = one_hot(rng, 40, n_in + n_vis, letters)
        spikes = {"ff": ff, "fb": fb, "bias": bias, "spikes": spikes, "n_in": n_in}
        if short:
            np.savez(self.work / "c.npz", ff_weights=ff[:, 0, :, 0], fb_weights=fb[:, 0], bias=bias[:, 0])
        else:
            np.savez(self.work / "c.npz", ff_weights=ff, fb_weights=fb, bias=bias)
        source = SCRIPT % {
            "input": f"shape = {{{letters}, 2, 3}}" if planes else f"size = {n_in * letters}",
            "v": n_vis * letters,
            "wta": f", wta = {letters}" if letters > 1 else "",
        }
        (self.work / "net.lua").write_text(source)
        return spikes

    def compare(self, letters, planes=False, short=False):
        c = self.make(letters, planes, short)
        command("import", self.work / "net.lua", self.work / "c.npz", "-o", self.work / "net.tern")
        image = tern.load(self.work / "net.tern")
        inputs = tern_spikes(c["spikes"][:, : c["n_in"]], planes)
        targets = tern_spikes(c["spikes"][:, c["n_in"] :], False)
        with tern.Network(image) as net:
            ours = net.step(inputs, targets, log_loss=True)[1]
        must = theirs(c["ff"], c["fb"], c["bias"], c["spikes"], c["n_in"])
        np.testing.assert_allclose(np.asarray(ours).reshape(len(must), -1)[:, 0], must, atol=0.03)

    def test_neurons(self):
        self.compare(1, short=True)

    def test_one_letter(self):
        self.compare(1)

    def test_circuits(self):
        for letters in (2, 3, 5):
            with self.subTest(letters=letters):
                self.compare(letters)

    def test_planes(self):
        self.compare(2, planes=True)

    def refused_by_command(self, text, *more):
        with self.assertRaises(AssertionError) as caught:
            command("import", self.work / "net.lua", self.work / "c.npz", "-o", self.work / "no.tern", *more)
        self.assertIn(text, str(caught.exception))
        self.assertFalse((self.work / "no.tern").exists())

    def test_refuse(self):
        c = self.make(2)
        net = (self.work / "net.lua").read_text()
        (self.work / "net.lua").write_text(net.replace(", wta = 2", ""))
        self.refused_by_command("TERN-E0153: ff_weights: has units of 2 letters, but the population 'v' has no circuits")
        (self.work / "net.lua").write_text(net.replace("size = 12", "size = 13"))
        self.refused_by_command("TERN-E0153: ff_weights: has units of 2 letters, but the population 'x' has 13 units")
        (self.work / "net.lua").write_text(net.replace("size = 12", "size = 14"))
        self.refused_by_command("TERN-E0152: ff_weights: has the shape [3, 2, 9, 2, 2]")
        (self.work / "net.lua").write_text(net)
        np.savez(self.work / "c.npz", ff_weights=c["ff"], fb_weights=c["fb"], bias=c["ff"])
        self.refused_by_command("TERN-E0152: bias: has the shape of ff_weights")
        np.savez(self.work / "c.npz", ff_weights=c["ff"][:, :, :, :1], fb_weights=c["fb"], bias=c["bias"])
        self.refused_by_command("TERN-E0152: ff_weights: has the shape [3, 2, 9, 1, 2]")
        ff = c["ff"].copy()
        ff[1, 0, 7, 1] = 0.5  # unit 1 reaches itself: no synapse of a circuit with itself in theirs, some in Tern
        np.savez(self.work / "c.npz", ff_weights=ff, fb_weights=c["fb"], bias=c["bias"])
        command("import", self.work / "net.lua", self.work / "c.npz", "-o", self.work / "net.tern")
        ff[1, 0, 7, 0] = 0.5  # a neuron reaches itself
        np.savez(self.work / "c.npz", ff_weights=ff, fb_weights=c["fb"], bias=c["bias"])
        self.refused_by_command("TERN-E0153: weights/v/v/0: [2, 2] is 0.5, but the network has no synapse there")
        self.make(1, short=True)
        (self.work / "net.lua").write_text(
            (self.work / "net.lua").read_text().replace("size = 3", "size = 3, wta = 3")
        )
        self.refused_by_command("TERN-E0153: ff_weights: has units of 1 letter, but the population 'v' has circuits of 3")


if __name__ == "__main__":
    unittest.main()
