#!/usr/bin/env python3
"""cosim.py : how fast the co-simulation of digits2 is, one build of tern against others, in turns
SPDX-License-Identifier: Apache-2.0

    cosim.py OUT TERN [TERN...] [--steps N] [--rounds R] [--jobs J] [--instructions]

For each program: processor seconds to build its core, steps per processor second once that is built (median of R rounds
in turns), and the ratio to the last program. The pages of memory that a core's code happens to lie in decide about a
fifth of its speed, so each round has copies of the cores of its own. --instructions: instructions per simulated cycle,
in the Verilated core and outside it, counted by valgrind; they do not depend on the machine's load. Verilog and wrapper
are those that belong to the program: the tree of its build folder, or the folder that it is installed with. --jobs: the
first program makes each run in so many parts; then all seconds are those of the clock, on a machine that is idle.
"""
import argparse
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

NETWORK = pathlib.Path(__file__).resolve().parents[2] / 'models/digits2/digits2.lua'
STEPS_SHORT = 2


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cosim(tern, cache, steps, jobs=0, before=()):
    """Seconds and standard output of one run: of the processor, with jobs of the clock."""
    seconds = time.monotonic if jobs else processor_seconds
    start = seconds()
    parts = ['--jobs', str(jobs)] if jobs > 1 else []
    done = subprocess.run([*before, tern, 'cosim', str(NETWORK), '--lanes', '4', '--cache', cache, '--steps',
                           str(steps), *parts], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0 or not re.search(r'^differences +0$', done.stdout, re.M):
        sys.exit(f'{tern}: {done.stdout}{done.stderr}')
    return seconds() - start, done.stdout


def cycles_of(text, steps):
    return float(re.search(r'measured ([0-9.]+) per step', text).group(1)) * steps


def instructions(tern, cache, steps, out):
    """Instructions of a run in the core's library and elsewhere, and its cycles."""
    profile = out / 'callgrind.out'
    _, text = cosim(tern, cache, steps, 0, ['valgrind', '-q', '--tool=callgrind', f'--callgrind-out-file={profile}'])
    core = other = 0
    names, here, call = {}, '', False
    for line in profile.read_text(encoding='utf-8').splitlines():
        named = re.match(r'ob=\((\d+)\)(?: (.*))?$', line)
        if named:
            here = names.setdefault(named.group(1), named.group(2) or '')
        elif other_object := re.match(r'cob=\((\d+)\) (.*)$', line):
            names[other_object.group(1)] = other_object.group(2)
        elif line.startswith('calls='):
            call = True
        elif cost := re.match(r'[+*0-9x-][^ ]* (\d+)$', line):
            if not call and here.endswith('/core.so'):
                core += int(cost.group(1))
            elif not call:
                other += int(cost.group(1))
            call = False
    return core, other, cycles_of(text, steps)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('tern', nargs='+')
    parser.add_argument('--steps', type=int, default=400)
    parser.add_argument('--rounds', type=int, default=15)
    parser.add_argument('--jobs', type=int, default=0)
    parser.add_argument('--instructions', action='store_true')
    options = parser.parse_args()
    caches, builds, empty, times = [], [], [], [[] for _ in options.tern]
    jobs = [options.jobs] + [min(options.jobs, 1)] * (len(options.tern) - 1)
    for i, tern in enumerate(options.tern):
        caches.append(str(options.out / f'core-{i}'))
        (options.out / f'core-{i}').mkdir(parents=True, exist_ok=True, mode=0o700)
        first = cosim(tern, caches[i], STEPS_SHORT, jobs[i])[0]
        empty.append(min(cosim(tern, caches[i], STEPS_SHORT, jobs[i])[0] for _ in range(3)))
        builds.append(first - empty[i])
    for r in range(options.rounds):
        for i, tern in enumerate(options.tern):
            copy = f'{caches[i]}-copy-{r}' # kept until the end: a new one would get the pages of one that is removed
            shutil.copytree(caches[i], copy)
            times[i].append(cosim(tern, copy, options.steps, jobs[i])[0] - empty[i])
    for r in range(options.rounds):
        for cache in caches:
            shutil.rmtree(f'{cache}-copy-{r}')
    speeds = [(options.steps - STEPS_SHORT) / statistics.median(t) for t in times]
    second = 'second' if options.jobs else 'processor second'
    for i, tern in enumerate(options.tern):
        print(f'{tern}: core built in {builds[i]:.1f} s, {speeds[i]:.0f} steps per {second}, '
              f'{speeds[i] / speeds[-1]:.2f} times the last one', flush=True)
    for i, tern in enumerate(options.tern if options.instructions else []):
        less, more = (instructions(tern, caches[i], n, options.out) for n in (STEPS_SHORT, STEPS_SHORT + 20))
        cycles = more[2] - less[2]
        print(f'{tern}: {(more[0] - less[0]) / cycles:.0f} instructions per cycle in the core, '
              f'{(more[1] - less[1]) / cycles:.0f} outside it', flush=True)


if __name__ == '__main__':
    main()
