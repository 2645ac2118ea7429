# python.py : stepping digits2 through NumPy against `tern train`, in one run (tests/bench/python.sh)
# SPDX-License-Identifier: Apache-2.0
#
#     python.py TERN WORKDIR ROUNDS
# Three ways to the same image: the command; Network.train on arrays; Network.step on NumPy arrays, a call for each
# presentation. They take turns, round by round, so that what else the machine does meets all of them. Told are steps
# per second of processor time in the median round, and the ratio to the command in the same round. Every way makes
# WARM + PRESENTATIONS presentations, and the time of the last ones counts: for the command it is the difference of two
# runs, so that its start and its reading of the recordings are left out.
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np
import tern

WARM, PRESENTATIONS = 100, 1000
command, work, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
script = Path(__file__).resolve().parents[2] / "models/digits2/digits2.lua"
folder = work / "train"
if not folder.exists():
    tern.simulate_digits(folder, [0, 1], 50, seed=1)
image = tern.compile(script)
recordings = image.recordings(folder)
arrays = [recordings[i] for i in range(len(recordings))]
inputs = np.stack([a.inputs for a in arrays])
targets = np.stack([a.targets for a in arrays])
labels = [a.label for a in arrays]
steps = PRESENTATIONS * inputs.shape[1]


def run_command(presentations):
    """Processor seconds of a run, and its image."""
    out = work / "command.tern"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [command, "train", script, "--data", folder, "--presentations", str(presentations), "-o", out],
        check=True,
        capture_output=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out.read_bytes()


def by_command():
    warm = run_command(WARM)[0]
    whole, made = run_command(WARM + PRESENTATIONS)
    return whole - warm, made


def by_train():
    with tern.Network(image) as net:
        examples = image.examples(inputs, labels=labels)
        net.train(examples, WARM)
        start = time.process_time()
        net.train(examples, PRESENTATIONS)
        return time.process_time() - start, net.image().bytes


def by_step():
    n = len(inputs)
    with tern.Network(image) as net:
        now = None
        spikes = np.empty((inputs.shape[1], net.samples, image.n_neurons), np.uint8)
        for p in range(WARM + PRESENTATIONS):
            if p == WARM:
                start = time.process_time()
            if p % n == 0:
                order = tern.order(net.seed, p // n, n)
            i = order[p % n]
            eta = image.eta_at(p)
            if eta != now:
                net.set_eta(now := eta)
            net.step(inputs[i], targets[i], learn=True, spikes=spikes, log_loss=True)
            net.end()
        seconds = time.process_time() - start
        net.presentations = WARM + PRESENTATIONS
        return seconds, net.image().bytes


ways = {"tern train": by_command, "Network.train, arrays": by_train, "Network.step, NumPy": by_step}
seconds = {name: [] for name in ways}
images = set()
for _ in range(rounds):
    for name, way in ways.items():
        took, made = way()
        seconds[name].append(took)
        images.add(made)
if len(images) != 1:
    sys.exit("python.py: the images differ")
for name, took in seconds.items():
    ratio = median(a / b for a, b in zip(seconds["tern train"], took))
    print(f"{name:22} {steps / median(took):8.0f} steps/s, {100 * ratio:.0f} % of tern train")
print(f"{rounds} rounds of {PRESENTATIONS} presentations ({steps} steps), the same image each time")
