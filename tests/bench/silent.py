#!/usr/bin/env python3
"""silent.py : how many words of inputs a row of digits2 has to read, by the size of a word (docs/31-blocks.md)
SPDX-License-Identifier: Apache-2.0

    silent.py RECORDING.aedat

Counts, in the 80 steps of a DVS128 recording (crop and window of models/digits2) and in random inputs of density 0.1,
the words with a spike among the history bits that a row needs: as many as its filter has taps, and W = 3 more if it
learns. "apart": each of 4 lanes skips words independently, and the slowest one counts.
"""
import random
import struct
import sys

STEPS, SIDE, FIRST, WINDOW_US, LAGS = 80, 26, 48, 25000, 3
TAPS = (3, 5, 10)  # the last one that is not 0, of the three filters
INPUTS = SIDE * SIDE


def recording(path):
    with open(path, 'rb') as file:
        raw = file.read()
    at = 0
    while raw[at:at + 1] == b'#':
        at = raw.index(b'\n', at) + 1
    frames, start = [[0] * INPUTS for _ in range(STEPS)], None
    for address, time in struct.iter_unpack('>II', raw[at:len(raw) - (len(raw) - at) % 8]):
        if address >> 15:
            continue
        start = time if start is None else start
        x, y, step = (address >> 1 & 127) - FIRST, (address >> 8 & 127) - FIRST, (time - start) // WINDOW_US
        if 0 <= x < SIDE and 0 <= y < SIDE and step < STEPS:
            frames[step][y * SIDE + x] = 1
    return frames


def runs(n):
    return [range(i, min(i + n, INPUTS)) for i in range(0, INPUTS, n)]


def squares():
    return [[(i + a) * SIDE + j + b for a in (0, 1) for b in (0, 1)]
            for i in range(0, SIDE, 2) for j in range(0, SIDE, 2)]


def needed(frames, lags):
    """For each row of each step: whether an input has a spike that the row needs."""
    for taps in TAPS:
        age = [99] * INPUTS
        for frame in frames:
            yield [a < taps + lags for a in age]
            age = [0 if spike else a + 1 for spike, a in zip(frame, age)]


def share(frames, words, lags):
    read = rows = 0
    for row in needed(frames, lags):
        read += sum(any(row[i] for i in word) for word in words)
        rows += 1
    return read / rows / len(words)


def apart(frames, lanes, lags):
    read = rows = 0
    for row in needed(frames, lags):
        read += max(sum(row[lane::lanes]) for lane in range(lanes))
        rows += 1
    return read * lanes / rows / INPUTS


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: silent.py RECORDING.aedat')
    random.seed(1)
    real, noise = recording(sys.argv[1]), [[int(random.random() < 0.1) for _ in range(INPUTS)] for _ in range(STEPS)]
    print(f'density {sum(map(sum, real)) / STEPS / INPUTS:.3f}')
    counts = [(f'{n}', lambda f, lags, n=n: share(f, runs(n), lags)) for n in (1, 2, 4, 8)]
    counts += [('2 x 2', lambda f, lags: share(f, squares(), lags)), ('apart', lambda f, lags: apart(f, 4, lags))]
    for name, count in counts:
        r = [count(frames, lags) for lags in (LAGS, 0) for frames in (real, noise)]
        print(f'{name:6s} learning {100 * r[0]:5.1f} % random {100 * r[1]:5.1f} % ratio {r[1] / r[0]:.2f}   '
              f'inference {100 * r[2]:5.1f} % {100 * r[3]:5.1f} % ratio {r[3] / r[2]:.2f}')


if __name__ == '__main__':
    main()
