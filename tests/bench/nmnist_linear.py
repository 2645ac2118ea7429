#!/usr/bin/env python3
"""Softmax regression on N-MNIST's event counts, beside which models/nmnist is measured (models/nmnist/README.md).

    python3 nmnist_linear.py TRAIN_index.csv [TEST_index.csv] [--only NAME]

Both are lists of parts with their recordings beside them (docs/30-data.md, section 3). Prints a line of Markdown for
each kind of input: accuracy in five-fold cross-validation over TRAIN, which chooses the strength of the penalty, and
with TEST the accuracy there of one fit to all of TRAIN. Real numbers, NumPy only, nothing random.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import csv
import sys
from pathlib import Path

import numpy as np

FOLDS = 5
PENALTIES = (1e-3, 3e-3, 1e-2)
STILL = [(0, 0)]
MOVED = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]  # the places of data.shift = 1


def read(index):
    """Events (x, y, polarity, microseconds, recording) and labels of a list of N-MNIST's parts."""
    rows = list(csv.DictReader(open(index, encoding="ascii")))
    raw = np.fromfile(str(index).replace("_index.csv", ".bin"), np.uint8).reshape(-1, 5).astype(np.int64)
    which = np.full(len(raw), -1)
    for i, row in enumerate(rows):
        first = int(row["first_event"])
        which[first : first + int(row["n_events"])] = i
    raw, which = raw[which >= 0], which[which >= 0]
    time = (raw[:, 2] & 127) << 16 | raw[:, 3] << 8 | raw[:, 4]
    return (raw[:, 0], raw[:, 1], raw[:, 2] >> 7, time, which), np.array([int(row["label"]) for row in rows])


def counts(events, n, move):
    """Events of every pixel and polarity: n x 2312."""
    x, y, polarity, _, which = events
    x, y = x + move[0], y + move[1]
    ok = (x >= 0) & (x < 34) & (y >= 0) & (y < 34)
    at = ((which * 2 + polarity) * 34 + y) * 34 + x
    return np.bincount(at[ok], minlength=n * 2312).reshape(n, -1).astype(np.float32)


def cells(events, n, move, window_us, steps, phases):
    """What the network sees: steps with an event, of every phase, polarity and pixel."""
    x, y, polarity, time, which = events
    x, y, step = x + move[0], y + move[1], time // window_us
    ok = (x >= 0) & (x < 34) & (y >= 0) & (y < 34) & (step < steps)
    at = (((which * steps + step) * 2 + polarity) * 34 + y) * 34 + x
    on = np.zeros(n * steps * 2312, np.float32)
    on[at[ok]] = 1
    return on.reshape(n, phases, steps // phases, 2312).sum(2).reshape(n, -1)


INPUTS = {
    "counts": ("event counts, 34 x 34 x 2", counts),
    "saccades": ("as in saccades.lua, 34 x 34 x 2 x 3", lambda e, n, m: cells(e, n, m, 50000, 6, 3)),
}


def softmax(u):
    e = np.exp(u - u.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def fit(x, y, penalty, steps=50, memory=10):
    """Weights and biases with the least mean cross-entropy + penalty/2 |w|^2: L-BFGS, halving steps."""
    n, d = x.shape
    target = np.eye(10, dtype=np.float32)[y]

    def loss(w):
        p = softmax(x @ w[:-10].reshape(d, 10) + w[-10:])
        error = (p - target) / n
        value = -np.log(p[np.arange(n), y] + 1e-30).mean() + penalty / 2 * float(w[:-10] @ w[:-10])
        return value, np.concatenate([(x.T @ error).ravel() + penalty * w[:-10], error.sum(0)])

    w = np.zeros(d * 10 + 10, np.float32)
    past = []
    value, slope = loss(w)
    for _ in range(steps):
        q, used = slope.copy(), []
        for s, t in reversed(past):
            used.append((s @ q) / (s @ t))
            q -= used[-1] * t
        q *= (past[-1][0] @ past[-1][1]) / (past[-1][1] @ past[-1][1]) if past else 1 / max(1, np.abs(slope).sum())
        for (s, t), a in zip(past, reversed(used)):
            q += s * (a - (t @ q) / (s @ t))
        size = 1.0
        while size > 1e-8:
            new, gradient = loss(w - size * q)
            if new <= value - 1e-4 * size * float(slope @ q):
                break
            size /= 2
        else:
            break
        if float(q @ (slope - gradient)) > 0:
            past = (past + [(-size * q, gradient - slope)])[-memory:]
        done = value - new < 1e-5 * value
        w, value, slope = w - size * q, new, gradient
        if done:
            break
    return w[:-10].reshape(d, 10), w[-10:]


def right(train, y, test, penalty):
    """Decisions for `test` of a fit to `train`; both are centred and scaled as `train` needs it."""
    mean = train.mean(0)
    scale = 10 / np.sqrt(train.var(0).sum())
    w, b = fit((train - mean) * scale, y, penalty)
    return ((test - mean) * scale @ w + b).argmax(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path, nargs="?")
    parser.add_argument("--only", choices=sorted(INPUTS))
    o = parser.parse_args()
    events, y = read(o.train)
    n, fold = len(y), np.arange(len(y)) % FOLDS
    print("| inputs | moved | penalty | accuracy, cross-validation | accuracy, test |\n|---|---|---|---|---|")
    for name, (text, make) in INPUTS.items():
        if o.only not in (None, name):
            continue
        for moves in (STILL, MOVED):
            copies = [make(events, n, m) for m in moves]
            still = copies[moves.index((0, 0))]
            best = (-1.0, 0.0)
            for penalty in PENALTIES:
                good = 0
                for k in range(FOLDS):
                    part = fold != k
                    got = right(np.concatenate([c[part] for c in copies]), np.tile(y[part], len(moves)), still[~part], penalty)
                    good += int((got == y[~part]).sum())
                best = max(best, (good / n, penalty))
            line = f"| {text} | {'1 pixel' if len(moves) > 1 else 'no'} | {best[1]:g} | {best[0]:.3f} |"
            if o.test is not None:
                seen, answer = read(o.test)
                got = right(np.concatenate(copies), np.tile(y, len(moves)), make(seen, len(answer), (0, 0)), best[1])
                line += f" {(got == answer).mean():.2f} ({(got == answer).sum()} of {len(answer)}) |"
            print(line if o.test is not None else line + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
