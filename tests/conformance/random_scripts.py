#!/usr/bin/env python3
# random_scripts.py : random networks through the language, golden model against the engine of tern_second.py
# SPDX-License-Identifier: Apache-2.0
#
#     python3 random_scripts.py CONFORMANCE_MAKE FOLDER SEED NUMBER
#
# Makes scripts with plans in FOLDER until NUMBER of them were accepted, has the golden model make their vectors, and
# plays these. Status 0: no difference. The script of a difference stays in FOLDER, the others do not.
import os
import random
import subprocess
import sys
from play import Player

KINDS = ("input", "hidden", "visible")


class Script:
    def __init__(self, r):
        self.r = r
        self.taps = r.choice([1, 1, 2, 3, 5, 8, 32])
        self.filters = r.randint(1, 3)
        self.bits = r.randint(4, 16)
        self.frac = r.randint(0, min(12, self.bits - 1))
        self.rule = r.choice(["gem", "mb", "iw", "reward"])
        self.sizes = []

    def filter_list(self):
        r = self.r
        rows = [[round(r.choice([0, r.random(), 1.99 * r.random()]), 3) for _ in range(r.randint(1, self.taps))]
                for _ in range(self.filters)]
        for i, row in enumerate(rows):
            row[-1] = 0.1 + 0.25 * i + 0.01 * len(row)  # no filter is nearly 0, no two are the same
        return "{ %s }" % ", ".join("tern.taps{%s}" % ", ".join("%.9g" % a for a in row) for row in rows)

    def population(self, kind, number):
        r, name = self.r, kind[0] + str(number)
        size = r.choice([1, r.randint(1, 4), r.randint(1, 9), r.choice([16, 17, 31, 32, 33])])
        text = 'name = "%s", size = %d' % (name, size)
        if kind != "input":
            text += ", bias = tern.uniform(%g, %g)" % r.choice([(-1, 1), (-8, 7.9), (-3, -1)])
            if r.random() < 0.6:
                text += ", memory = f[%d], memory_init = tern.uniform(-2, 2)" % r.randint(1, self.filters)
            circuits = [c for c in range(2, size + 1) if size % c == 0]
            if circuits and r.random() < 0.4:
                text += ", wta = %d" % r.choice(circuits)
        self.sizes.append((name, kind))
        return "local %s = tern.%s{ %s }" % (name, kind, text)

    def connection(self, a, b):
        r = self.r
        most = min(900, ((1 << self.bits - 1) - 1) / (1 << self.frac))
        span = 0.99 * min(most, r.choice([0.5, 2, most]))
        text = "from = %s, to = %s, init = tern.uniform(%.6g, %.6g)" % (a, b, -span, span)
        text += ", filters = " + r.choice(["f", "f[1]", "{f[%d]}" % r.randint(1, self.filters)])
        if r.random() < 0.5:
            text += ", pattern = tern.random{ density = %g }" % r.choice([0.02, 0.1, 0.5, 0.9])
        if a == b and r.random() < 0.5:
            text += ", self = true"
        return "tern.connect{ %s }" % text

    def plan(self):
        r, learn = self.r, "l" if self.rule == "reward" else "lc"
        words = ["density=%d" % r.choice([1, 2, 4]), "silence=%d" % r.choice([1, 1, 8, 30])]
        if r.random() < 0.3:
            words.append("batch:%d:%d" % (r.choice([5, 2 ** 32 - 3]), 4 * r.randint(0, 4000)))
        some = [learn + "4", learn + "7", learn + "2", "c2", "-2", "l1", "lc2", "flush", "clear", "state"]
        words += [r.choice(some) for _ in range(5)] + [learn + "3"]
        if r.random() < 0.3:
            words += r.choice([["resume"], ["poke", "resume"], ["K=%d" % r.choice([1, 2, 7]), "seed=77", "start"]])
            words += [learn + "4"]
        return " ".join(words)

    def settings(self):
        r = self.r
        lags = r.choice([1, 2, 3, 5, 8]) if r.random() < 0.85 else 64 - self.taps
        rule = "eta = %.6g, gamma = %g, kappa = %g, samples = %d" % (
            10 ** r.uniform(-6, -0.5), r.choice([0, 0.5, 0.9, 1]), r.choice([0, 0.3, 0.8, 1]),
            r.choice([1, 1, 2, 3, 4, 5, 8, 32]))
        if self.rule != "gem":
            rule += ', baseline = "%s", memory = %d' % (r.choice(["neuron", "synapse", "none"]), 2 ** r.randint(3, 7))
        formats = "weight = {%d, %d}, trace = %d, learn = %d, lags = %d" % (
            self.bits, self.frac, r.randint(4, 8), r.randint(8, 16), lags)
        return ["tern.%s{ %s }" % (self.rule, rule), "tern.formats{ %s }" % formats,
                "tern.data{ window_ms = 1, steps = 20 }"]

    def text(self):
        r = self.r
        counts = {"input": r.choice([0, 1, 1, 2]), "hidden": r.choice([0, 1, 1, 2]), "visible": r.choice([1, 1, 2])}
        populations = [self.population(kind, i) for kind in KINDS for i in range(counts[kind])]
        r.shuffle(populations)
        pairs = [self.connection(a, b) for a, _ in self.sizes for b, kind in self.sizes
                 if kind != "input" and r.random() < 0.65]
        lines = ["-- Random", "-- plan: " + self.plan(), "local f = " + self.filter_list()]
        return "\n".join(lines + populations + pairs + self.settings()) + "\n"


def main(make, folder, seed, number):
    r, accepted, tries = random.Random(seed), 0, 0
    os.makedirs(folder, exist_ok=True)
    while accepted < number:
        tries += 1
        if tries > 20 * number:
            sys.exit("almost no script is accepted")
        path = os.path.join(folder, "r%d_%d.lua" % (seed, tries))
        open(path, "w").write(Script(r).text())
        made = subprocess.run([make, folder, path], capture_output=True, text=True)
        if made.returncode not in (0, 1) or (made.returncode == 1 and ".lua: " not in made.stderr):
            sys.exit("%s: status %d\n%s" % (path, made.returncode, made.stderr))
        if made.returncode == 0:
            accepted += 1
            try:
                Player(path[:-4] + ".txt").run()
            except (ValueError, KeyError, IndexError) as fault:
                sys.exit("%s\n%s: differs" % (fault, path))
        for end in (".lua", ".txt", ".tern"):
            if os.path.exists(path[:-4] + end):
                os.remove(path[:-4] + end)
    print("%d random networks (of %d scripts): no difference" % (accepted, tries))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: random_scripts.py CONFORMANCE_MAKE FOLDER SEED NUMBER")
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
