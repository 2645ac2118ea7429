#!/usr/bin/env python3
# play.py : the conformance vectors, played with the engine of tern_second.py
# SPDX-License-Identifier: Apache-2.0
#
#     python3 play.py FILE.txt...
#
# Status 0: every line of every file is what the engine makes, and every value of a trace beside it. To run another
# engine in Python, give Player another Net, State and Vote.
import os
import struct
import sys
from tern_second import Net, State, Vote, block, dither, draw16, threefry


def listed(name, values, form="%d"):
    return ["= %s[%d] %s" % (name, i, " ".join(form % v for v in values[i:i + 12])) for i in range(0, len(values), 12)]


def flat(x):
    return [z for y in x for z in (flat(y) if isinstance(y, list) else [y])]


def state_lines(st):
    lines = ["= STATE step %d lag_head %d pending %d k0 %d" % (st.step, st.lag_head, st.pending, st.k0),
             "= sat " + " ".join("%s %d" % kind for kind in st.sat.items()),
             "= comm unicast %d broadcast %d" % (st.unicast, st.broadcast)]
    for name, form, values in (
            ("WEIGHT", "%d", st.weight), ("BIAS", "%d", st.bias), ("SELF", "%d", st.self_), ("EK", "%d", st.ek),
            ("HISTI", "%x", st.hist_in), ("HISTN", "%x", st.hist), ("ERR", "%d", st.err), ("V", "%d", st.v),
            ("M", "%d", st.m), ("W", "%d", st.w), ("BASE", "%d", st.base), ("BASEW", "%d", st.basew),
            ("LOSS", "%d", st.loss), ("SPIKE", "%08x", st.last), ("SPIKEI", "%08x", st.last_in)):
        lines += listed("S_" + name, flat(values), form)
    return lines


class Player:
    def __init__(self, path):
        self.path, self.st, self.vote = path, None, None
        self.trace = os.path.splitext(path)[0] + ".trace"

    def play(self, words):
        """The lines that have to follow an operation."""
        op, st = words[0], self.st
        if op == "image":
            self.net = Net(os.path.join(os.path.dirname(self.path), words[1]))
        elif op == "start":
            self.st = State(self.net, int(words[1]), int(words[2]))
            if "STATE" in self.net.sections:
                self.st.take_parameters()
        elif op == "resume":
            seed, K = struct.unpack_from("<QI", self.net.sections["STATE"])
            self.st = State(self.net, K, seed)
            self.st.resume()
        elif op == "classes":
            self.vote = Vote(st, int(words[1]), int(words[2]), words[3] == "first")
        elif op == "step":
            at = 3 + self.net.n_in // 32
            self.traced(words, [int(x, 16) for x in words[3:at]], [int(x, 16) for x in words[at + 1:]])
        elif op == "reward":
            st.w = [st.share(int(x)) for x in words[1:]]
        elif op == "rate":
            st.ek = self.net.rate(int(words[1]))
            return listed("ek", st.ek)
        elif op == "batch":
            st.clear()
            st.step, st.k0 = int(words[1]), int(words[2])
        elif op == "vote":
            self.vote.close()
            v = self.vote
            return (listed("decisions", v.decisions) + listed("votes", v.votes) + listed("spikes", v.spikes)
                    + ["= winner %d" % v.winner])
        elif op == "state":
            return state_lines(st)
        else:
            {"flush": st.flush, "clear": st.clear, "example": self.vote and self.vote.example}[op]()
        return ["= digest %016x records %d" % (self.st.digest, self.st.records)] if op in ("step", "flush") else []

    def traced(self, words, inputs, targets):
        """A step; its values, if it is the one that the trace is of."""
        st, wanted = self.st, None
        if os.path.exists(self.trace):
            lines = [line.rstrip("\n") for line in open(self.trace)]
            if "# step %d" % st.step in lines:
                wanted = dict(line.split(" = ") for line in lines if " = " in line)
        st.trace = {} if wanted is not None else None
        st.step_(inputs, targets, "l" in words[1], "c" in words[1])
        if self.vote:
            self.vote.step()
        for key in sorted(set(wanted) | set(st.trace)) if wanted is not None else ():
            if st.trace.get(key) != wanted.get(key):
                raise ValueError("%s: %s is %s, not %s" % (self.trace, key, st.trace.get(key), wanted.get(key)))
        st.trace = None

    def run(self):
        lines = [line.rstrip("\n") for line in open(self.path)]
        at, played = 0, 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if not line or line[0] == "#":
                continue
            found = self.play(line.split())
            played += 1
            for want in found:
                if at >= len(lines) or lines[at] != want:
                    raise ValueError("%s:%d: after %s\n  file   %s\n  engine %s" % (self.path, at + 1, line[:80],
                                     lines[at] if at < len(lines) else "(end)", want))
                at += 1
        if played < 3:
            raise ValueError(self.path + ": no operations")


def draws(path):
    """threefry.txt"""
    n = 0
    for line in open(path):
        w = line.split()
        if not w or w[0] == "#":
            continue
        if w[0] == "threefry":
            found = "%08x %08x" % threefry((int(w[2], 16), int(w[3], 16)), (int(w[5], 16), int(w[6], 16)))
        elif w[0] == "uniform":
            seed = int(w[2], 16)
            x0, x1 = threefry((seed & 0xffffffff, seed >> 32), (int(w[4], 16), int(w[5], 16)))
            found = "%.17g" % (((x1 << 32 | x0) >> 11) / 2.0 ** 53)
        elif w[0] == "spike":
            found = "%d" % draw16(int(w[2], 16), int(w[4]), int(w[6]), int(w[8]))
        else:
            found = "%d" % dither(int(w[8]), block(int(w[2], 16), int(w[4]), 1, 0, int(w[6]))[0], int(w[10]))
        if line.rstrip("\n").split(" = ")[1] != found:
            raise ValueError("%s: %s, not %s" % (path, found, line.strip()))
        n += 1
    if n == 0:
        raise ValueError(path + ": no draws")


def main(paths):
    if not paths:
        sys.exit("usage: play.py FILE.txt...")
    for path in paths:
        try:
            draws(path) if os.path.basename(path) == "threefry.txt" else Player(path).run()
        except (ValueError, KeyError, IndexError, OSError) as fault:
            sys.exit("%s\n%s: differs" % (fault, path))
    print("%d files: as they should be" % len(paths))


if __name__ == "__main__":
    main(sys.argv[1:])
