#!/usr/bin/env python3
"""mutation.py : how many of the generated mistakes in rtl/ the tests see, by the exit status of the tests
SPDX-License-Identifier: Apache-2.0

    mutation.py run BUILD OUT [--jobs J] [--only N,N...] [--folder F] [--tests quick]
        all mistakes of BUILD/tests/mutants/copy; each one meets the tests in the order of their cost, until one fails.
        Writes OUT/results.tsv and OUT/survivors.txt, prints the rate by folder. quick: the first tests only
    mutation.py sample BUILD [--count N] [--seed S]
        N of them (default 20), by random networks on the prebuilt cores only: most must be seen
    mutation.py lint
        explained.txt still fits the Verilog

A mistake that every test lets pass has to be explained in explained.txt, beside this file; see there. Exit status of
run: 0 if every survivor is explained, and every explained mistake that was made has survived; of sample: 0 if at least
four of five are seen. First every test runs once without a mistake: it has to pass.
"""

import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RULES = ("gem", "mb", "iw", "reward")
LIMIT = 1200  # seconds; a test that takes longer counts as failed, as in ctest


def words(*names):
    return [name for n in names for name in open(os.path.join(ROOT, "rtl", n + ".f")).read().split()]


CORE, SMALL, LINK, BRIDGE = words("tern_core"), words("tern_small"), words("tern_link"), words("tern_bridge")
# cores that a module's work is seen on the soonest
SOONEST = {"kernels": "each", "silent": "silent", "taps": "ways", "ways": "ways"}
# tests of tests/rtl that a block's bench is part of
BENCHES = {"tapsum": ("trace", "kernel"), "bank": ("vote",), "ram": ("wta", "vote"), "regfile": ("wta",)}


def squeeze(text):
    return " ".join(text.split())


class Mistake:
    def __init__(self, row):
        number, self.kind, place, self.before, self.after = row.rstrip("\n").split("\t")
        self.number = int(number)
        self.path, self.line = place.rsplit(":", 1)
        self.folder = os.path.dirname(self.path)
        self.name = os.path.basename(self.path)[len("tern_") : -len(".v")]
        self.key = (self.place(), squeeze(self.before), squeeze(self.after))

    def place(self):
        """The file; where the line occurs more than once, also which one it is."""
        with open(os.path.join(ROOT, self.path)) as f:
            lines = f.read().split("\n")
        line = squeeze(self.before)
        all_of_them = squeeze("\n".join(lines)).count(line)
        before = squeeze("\n".join(lines[: int(self.line) - 1])).count(line)
        return self.path if all_of_them <= 1 else f"{self.path} ({before + 1} of {all_of_them})"

    def diff(self):
        return f"{self.place()}\n- {self.before}\n+ {self.after}\n# line {self.line}, {self.kind}, number {self.number}\n"


class Tests:
    """The commands that a mistake meets: (name, function that gives command and environment for its number). 0: no
    mistake.
    """

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.programs = os.path.join(self.build, "tests")

    def program(self, name, *arguments):
        path = os.path.join(self.programs, name)

        def command(number, _):
            return [path, *arguments], {"TERN_MUTANT": str(number)}

        return (" ".join((name,) + arguments), command)

    def run_core(self, core, first, count):
        path = os.path.join(self.programs, "mutant_run")

        def command(number, _):
            return [path, core, str(number) if number else "none", "--first", str(first), "--count", str(count)], {}

        return (f"mutant_run {core} --first {first}", command)

    def plain(self, name, text):
        """A shell command in a folder with a plain copy of the tree's rtl/ in $RTL/rtl."""

        def command(number, work):
            shutil.copytree(os.path.join(ROOT, "rtl"), os.path.join(work, "rtl"), dirs_exist_ok=True)
            if number:
                subprocess.run(
                    [
                        sys.executable,
                        "-B",
                        os.path.join(HERE, "mutate.py"),
                        "plain",
                        work,
                        str(number),
                        os.path.join(ROOT, "rtl"),
                    ],
                    check=True,
                )
            return ["sh", "-c", text], {"RTL": work, "ROOT": ROOT, "BUILD": self.build}

        return (name, command)

    def bench(self, small):
        option, files = ("-DTERN_TB_SMALL", SMALL) if small else ("", CORE)
        names = " ".join(dict.fromkeys(files + BRIDGE + ["rtl/tern_tb.v"]))
        # all of it takes less than 125,000: four times that is as good as no end, which takes long to wait for
        return self.plain(
            "tern_tb" + (" small" if small else ""),
            'cd "$RTL" && sed -i "s/#2000000 /#500000 /" rtl/tern_tb.v &&'
            f" iverilog -g2005 -DTERN_CHECK_RAM {option} -s tern_tb -o tb {names} && vvp -n tb >out &&"
            " grep -q '^tern_tb: passed' out",
        )

    def cocotb(self, top):
        return self.plain(
            "cocotb " + top,
            'TERN_COCOTB_ROOT="$RTL" sh "$ROOT/tests/cocotb/cocotb.sh" '
            + top
            + ' "$BUILD/tern" "$BUILD/tests/cocotb_golden" "$BUILD/tests/cocotb/venv" "$RTL/cocotb"',
        )

    def cosim(self, script, *options):
        """A network that is made for one place, on a core of its own."""
        command = f'TERN_SHARE="$RTL" "$BUILD/tern" cosim "$ROOT/{script}" --cache "$RTL/cores" '
        return self.plain("cosim " + script, 'cp -r "$ROOT/sim" "$RTL/" && ' + command + " ".join(options))

    def proofs(self, mistake):
        out = []
        for harness in sorted(glob.glob(os.path.join(ROOT, "tests", "formal", "formal_*.v"))):
            files = re.findall(r"^//! files +(.*)$", open(harness).read(), re.M)
            if mistake.path[len("rtl/") : -2] in " ".join(files).split():
                name = os.path.basename(harness)[len("formal_") : -2]
                out.append(
                    self.plain(
                        "proof " + name,
                        f'FORMAL_RTL="$RTL/rtl" sh "$ROOT/tests/formal/formal.sh" {harness} prove yosys'
                        " yosys-smtbmc z3",
                    )
                )
        return out

    def quick(self, m):
        out = []
        if m.path in CORE:  # of several shapes: several samples per cycle, kernels of samples, silent words left out
            cores = ["large", "ways", "each", "silent"]
            cores.sort(key=lambda core: core != SOONEST.get(m.name, "large"))
            out += [self.run_core(core, 1, 24) for core in cores]
        if m.path in SMALL:
            out += [self.run_core("small", 1, 10), self.run_core("rules", 1, 10)]
        if m.path in LINK and m.folder == "rtl/link" and m.name != "board":
            out.append(self.program("link_rtl", "mutants", "same", "--seed", "2"))
        if m.folder == "rtl/bridge" and m.name != "wishbone":
            out.append(self.bench(False))
        return out

    def all(self, m):
        out = self.quick(m)
        if m.folder == "rtl/link" and m.name != "board":
            out.append(self.program("link_rtl", "mutants", "world", "--seed", "2"))
        if m.name == "board":
            out += [
                self.program("mutation_board", "--count", "3"),
                self.plain("board_ready", 'sh "$ROOT/tests/link/board_ready.sh" iverilog "$RTL" "$RTL/work"'),
            ]
        if m.folder == "rtl/blocks" or m.name in BENCHES:
            out += [self.program("mutation_blocks", block) for block in BENCHES.get(m.name, (m.name,))]
        if m.path in CORE:  # the loudest networks: sums of taps near their limits
            out.append(self.run_core("large", 1000000, 12))
        if m.path in SMALL:
            out += [self.run_core("small", 1000000, 12), self.run_core("rules", 1000000, 12)]
            out.append(self.program("mutation_small", "--rule", "gem", "--first", "1", "--count", "56"))
        if m.folder == "rtl/small":
            out.append(self.cosim("tests/cosim_cli/far.lua", "--core small", "--lanes 4", "--steps 300"))
        if m.path in CORE + SMALL:  # cores of exactly the network's size: every address bit is needed
            core = "large" if m.path in CORE else "small"
            out.append(self.cosim("models/tiny/tiny.lua", f"--core {core}", "--lanes 1", "--steps 60"))
            out.append(self.cosim("tests/random/limits/coarse.lua", f"--core {core}", "--lanes 1", "--steps 40"))
        if m.path in CORE:
            out += [self.run_core("tight", 1, 60), self.run_core("bare", 1, 40), self.run_core("large", 101, 100)] + [
                self.program("mutation_random", "--rule", rule, "--first", "1", "--count", "20") for rule in RULES
            ]
        if m.name in ("ram", "block", "spram", "data", "regfile"):
            out.append(
                self.plain(
                    "rtl.memories",
                    'sh "$ROOT/tests/rtl/rtl_bench.sh" iverilog "$RTL" "$ROOT/tests/rtl/tern_ram_bench.v"',
                )
            )
        if m.folder == "rtl/small":
            out.append(
                self.plain(
                    "rtl.distances",
                    'sh "$ROOT/tests/rtl/rtl_bench.sh" iverilog "$RTL" "$ROOT/tests/rtl/tern_stream_bench.v"',
                )
            )
        if m.name == "axis_out":
            out.append(
                self.plain(
                    "rtl.axis_out",
                    'sh "$ROOT/tests/rtl/rtl_bench.sh" iverilog "$RTL" "$ROOT/tests/rtl/tern_axis_out_bench.v"',
                )
            )
        if m.path in BRIDGE and m.folder == "rtl/bridge":
            out += [self.cocotb("wishbone_tiny" if m.name == "wishbone" else "axi_tiny")]
            out += [self.cocotb("wishbone_tiny")] if m.name in ("bus", "share") else []
        return out + self.proofs(m)


def run(command, number):
    """(failed, what it printed)"""
    with tempfile.TemporaryDirectory(prefix="tern-mutation.") as work:
        argv, environment = command(number, work)
        try:
            done = subprocess.run(
                argv,
                env=dict(os.environ, **environment),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True, f"no end after {LIMIT} s"
        return done.returncode != 0, done.stdout.decode(errors="replace")


def read_mistakes(build):
    with open(os.path.join(build, "tests", "mutants", "copy", "mutants.tsv")) as f:
        return [Mistake(row) for row in f]


def explained():
    """(path, before, after) -> reason"""
    out = {}
    with open(os.path.join(HERE, "explained.txt")) as f:
        text = f.read()
    for block in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", text, flags=re.M)):
        lines = block.strip().splitlines()
        if not lines:
            continue
        if (
            len(lines) < 4
            or not lines[1].startswith("- ")
            or not lines[2].startswith("+ ")
            or not re.match(r"(equivalent|unseen): \S", lines[3])
        ):
            sys.exit(f"explained.txt: not a file, a line '- before', a line '+ after' and a reason:\n{block}")
        out[(lines[0], squeeze(lines[1][2:]), squeeze(lines[2][2:]))] = " ".join(lines[3:])
    return out


def table(results):
    folders = sorted({m.folder for m, _ in results})
    reasons = explained()
    lines = ["folder        made  seen  explained as equal  rate of the others"]
    for folder in folders + ["all"]:
        mine = [(m, by) for m, by in results if folder in (m.folder, "all")]
        seen = sum(by is not None for _, by in mine)
        equal = sum(by is None and reasons.get(m.key, "").startswith("equivalent") for m, by in mine)
        lines.append(
            f"{folder:12}  {len(mine):4}  {seen:4}  {equal:18}  {100.0 * seen / max(1, len(mine) - equal):5.1f} %"
        )
    return "\n".join(lines)


def test_one(tests, mistake, stages):
    for name, command in stages:
        if run(command, mistake.number)[0]:
            return name
    return None


def verb_run(argv):
    build, out = argv[0], argv[1]
    options = dict(zip(argv[2::2], argv[3::2]))
    mistakes, tests = read_mistakes(build), Tests(build)
    if "--only" in options:
        wanted = {int(n) for n in options["--only"].split(",")}
        mistakes = [m for m in mistakes if m.number in wanted]
    if "--folder" in options:
        mistakes = [m for m in mistakes if m.folder == options["--folder"]]
    os.makedirs(out, exist_ok=True)
    stages = {m.number: tests.quick(m) if options.get("--tests") == "quick" else tests.all(m) for m in mistakes}
    mistakes = [m for m in mistakes if stages[m.number]]
    with concurrent.futures.ThreadPoolExecutor(int(options.get("--jobs", os.cpu_count() or 1))) as pool:
        sound = dict({name: command for m in mistakes for name, command in stages[m.number]})
        for name, (failed, text) in zip(sound, pool.map(lambda command: run(command, 0), sound.values())):
            if failed:
                sys.exit(f"mutation: without a mistake this test fails: {name}\n{text[-4000:]}")
        print(f"mutation: {len(sound)} tests pass without a mistake; {len(mistakes)} mistakes", flush=True)
        results = []
        for m, by in zip(mistakes, pool.map(lambda m: test_one(tests, m, stages[m.number]), mistakes)):
            results.append((m, by))
            print(f"{m.number}\t{m.kind}\t{m.path}:{m.line}\t{by or 'SURVIVES'}", flush=True)
    reasons = explained()
    with open(os.path.join(out, "results.tsv"), "w") as f:
        f.writelines(f"{m.number}\t{m.kind}\t{m.path}:{m.line}\t{by or 'survives'}\n" for m, by in results)
    survivors = [m for m, by in results if by is None]
    with open(os.path.join(out, "survivors.txt"), "w") as f:
        f.writelines(m.diff() + reasons.get(m.key, "not explained") + "\n\n" for m in survivors)
    print(table(results))
    bad = [m.diff() for m in survivors if m.key not in reasons]
    if bad:
        print("survivors that explained.txt does not explain:\n\n" + "\n".join(bad))
    stale = [f"{m.diff()}seen by {by}\n" for m, by in results if by is not None and m.key in reasons]
    if stale:
        print("explained in explained.txt, but seen:\n\n" + "\n".join(stale))
    return 1 if bad or stale else 0


def verb_sample(argv):
    build = argv[0]
    options = dict(zip(argv[1::2], argv[2::2]))
    tests = Tests(build)
    reasons = explained()  # of mistakes that no test sees
    mistakes = [m for m in read_mistakes(build) if tests.quick(m) and m.key not in reasons]
    mistakes.sort(key=lambda m: hashlib.sha256(f"{options.get('--seed', '1')} {m.number}".encode()).digest())
    mistakes = sorted(mistakes[: int(options.get("--count", 20))], key=lambda m: (m.path, int(m.line)))
    stages = {m.number: tests.quick(m) for m in mistakes}
    seen = {}

    def enough():
        return len(seen) * 5 >= len(mistakes) * 4

    # Every mistake meets its first test; the others, where what is hard to see runs to its end, only as long as the
    # verdict depends on them.
    for k in range(max(map(len, stages.values()), default=0)):
        for m in mistakes:
            if m.number in seen or (k > 0 and enough()):
                continue
            by = test_one(tests, m, stages[m.number][k : k + 1])
            if by:
                seen[m.number] = by
    for m in mistakes:
        print(f"{seen.get(m.number) or 'not seen by the tests that were run'}: {m.diff()}", flush=True)
    print(f"mutation: {len(seen)} of {len(mistakes)} mistakes seen")
    return 0 if mistakes and enough() else 1


def verb_lint(_):
    bad = 0
    for place, before, after in explained():
        path, _, which = place.partition(" (")
        full = os.path.join(ROOT, path)
        there = squeeze(open(full).read()).count(before) if os.path.exists(full) else 0
        wanted = int(which.rstrip(")").split(" of ")[1]) if which else 1
        if there == 0:
            print(f"explained.txt: {path} has no line any more that reads\n- {before}\n+ {after}")
        elif there != wanted:
            print(f"explained.txt: {path} has {there} lines, not {wanted}, that read\n- {before}\n+ {after}")
        elif before == after:
            print(f"explained.txt: {path}: no mistake in {before}")
        else:
            continue
        bad = 1
    print(f"explained.txt: {len(explained())} mistakes" + (", not all fit" if bad else ""))
    return bad


if __name__ == "__main__":
    verbs = {"run": (verb_run, 2), "sample": (verb_sample, 1), "lint": (verb_lint, 0)}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs or len(sys.argv) - 2 < verbs[sys.argv[1]][1]:
        sys.exit(__doc__)
    sys.exit(verbs[sys.argv[1]][0](sys.argv[2:]))
