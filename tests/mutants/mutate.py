#!/usr/bin/env python3
"""mutate.py : makes single mistakes in Verilog, many of them in one copy, which reads at run time which one to make
SPDX-License-Identifier: Apache-2.0

    mutate.py list [--seed S --count N] RTL...
        one line per mistake: number, kind, file:line, the line before and after
    mutate.py copy OUT [--seed S --count N] RTL...
        copies of the files below OUT, with the chosen mistakes, and OUT/mutants.tsv
    mutate.py plain OUT NUMBER --seed S --count N RTL...
        plain Verilog copies with this one mistake

Planted bugs, `ifdef TERN_TESTBUG_..., are in a copy, too; their numbers are in OUT/planted.inc. RTL: folders of Verilog.
Every place where a mistake can be made (verilog.py) is found by parsing; --count of them are drawn with --seed, spread over
the folders as the places are. A copy is SystemVerilog for Verilator: where mistake 17 is chosen, `a + b` became
`((tern_mutant::which == 17) ? (a - b) : (a + b))`, and so on; the package is OUT/tern_mutant.sv, and the C function
tern_mutant_which() says which mistake a design makes from its start on (0: none). Verilog behind other `ifdef is not
changed: checks and the events for the lockstep. Nor are declarations, parameters, and what else is constant.
"""

import os
import random
import re
import sys
from planted import PLANTED, merge, regions
from verilog import Mutant, Mutator, braces


# ---- texts
def plain(text, m):
    return text[: m.at] + m.plain + text[m.end :]


def lines_of(text, m):
    """Number and text of the line with the mistake, before and after."""
    number = text.count("\n", 0, m.at) + 1
    other = plain(text, m)
    first = text.rfind("\n", 0, m.at) + 1
    before = text[first : text.find("\n", m.end) if "\n" in text[m.end :] else len(text)]
    end = m.at + len(m.plain)
    after = other[first : other.find("\n", end) if "\n" in other[end:] else len(other)]
    return number, " ".join(before.split()), " ".join(after.split())


def part(text, first, last, chosen):
    """text[first:last] with all mistakes in it; one inside another is kept where the outer one is not made."""
    chosen = sorted((m for m in chosen if first <= m.at and m.end <= last), key=lambda m: (m.at, -m.end, m.number))

    def render(at, end, todo):
        out, here = [], at
        while todo:
            m = todo[0]
            inside = [n for n in todo[1:] if n.at >= m.at and n.end <= m.end]
            rest = [n for n in todo[1:] if not (n.at >= m.at and n.end <= m.end)]
            out.append(text[here : m.at])
            inner = render(m.at, m.end, inside)
            out.append(m.copy.format(m.number, inner))
            here, todo = m.end, rest
        out.append(text[here:end])
        return "".join(out)

    return render(first, last, chosen)


def finish_select(mutator):
    """A part or bit of a vector: what is chosen between is the whole of `name[...]`."""
    out = []
    for m in mutator.found:
        if m.kind == "select":
            before = re.search(r"([A-Za-z_][A-Za-z0-9_$.]*(?:\[[^\[\]]*\])?)\[$", mutator.text[: m.at])
            if before is None:
                continue
            at, end = before.start(), m.end + 1
            whole = before.group(1) + "[" + m.plain + "]"
            m = Mutant("select", at, end, whole, "((tern_mutant::which == {0}) ? " + braces(whole) + " : {1})")
        out.append(m)
    return out


def collect(roots):
    files = {}
    for root in roots:
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not name.endswith(".v") or name in ("tern_micro_rom.v", "tern_micro_rules.v", "tern_tb.v") or "/boards" in path:
                    continue  # the program is checked word by word; a test bench; pins and clocks of boards
                mutator = Mutator(path)
                edges = [e for first, last, _, right in regions(mutator.text, path) for e in (first, last, *right)]
                files[path] = (
                    mutator.text,
                    [m for m in finish_select(mutator) if not any(m.at < e < m.end for e in edges)],
                )
    return files


def choose(files, seed, count):
    """`count` of them; of each folder as many as its share of all places is, at least 8."""
    folders = {}
    for path, (_, found) in files.items():
        unique = {}
        for m in found:
            unique.setdefault((m.at, m.end, m.plain), m)
        folders.setdefault(os.path.dirname(path), []).extend((path, m) for m in unique.values())
    total = sum(len(v) for v in folders.values())
    chosen = []
    for folder in sorted(folders):
        places = sorted(folders[folder], key=lambda pm: (pm[0], pm[1].at, pm[1].end, pm[1].plain))
        n = len(places) if count is None else min(len(places), max(8, round(count * len(places) / total)))
        by_kind = {}
        for pm in places:
            by_kind.setdefault(pm[1].kind, []).append(pm)
        draw = random.Random(f"{seed} {os.path.basename(folder)}")
        if count is None:
            picked = places
        else:  # kinds by turns, so that the frequent ones do not crowd out the others
            for kind in sorted(by_kind):
                draw.shuffle(by_kind[kind])
            picked, kinds = [], sorted(by_kind)
            draw.shuffle(kinds)
            while len(picked) < n:
                for kind in kinds:
                    if by_kind[kind] and len(picked) < n:
                        picked.append(by_kind[kind].pop())
        chosen.extend(sorted(picked, key=lambda pm: (pm[0], pm[1].at, pm[1].end)))
    for number, (_, m) in enumerate(chosen, 1):
        m.number = number
    return chosen


def with_planted(text, chosen, numbers, path):
    """A copy with the mistakes `chosen` and all planted bugs."""
    out, at = [], 0
    for first, last, bugs, right in regions(text, path):
        out.append(part(text, at, first, chosen))
        body = part(text, *right, chosen)
        for bug, a, e in bugs:
            body = merge(numbers[bug], text[a:e], body, path)
        out.append(body)
        at = last
    out.append(part(text, at, len(text), chosen))
    return "".join(out).replace("if ($time > 16 &&", "if (tern_mutant::checks && $time > 16 &&")


PACKAGE = """// tern_mutant.sv : which mistake the design makes, and whether the checks of its memories are on
package tern_mutant;
  import "DPI-C" function int tern_mutant_which();
  import "DPI-C" function int tern_mutant_checks();
  int which = tern_mutant_which(), checks = tern_mutant_checks();
endpackage
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    old = None
    if os.path.exists(path):
        with open(path) as f:
            old = f.read()
    if old != text:
        with open(path + ".part", "w") as f:
            f.write(text)
        os.replace(path + ".part", path)


def main(argv):
    seed, count, rest = 1, None, []
    i = 0
    while i < len(argv):
        if argv[i] == "--seed":
            seed, i = int(argv[i + 1]), i + 1
        elif argv[i] == "--count":
            count, i = int(argv[i + 1]), i + 1
        else:
            rest.append(argv[i])
        i += 1
    if len(rest) < 2 or rest[0] not in ("list", "copy", "plain"):
        sys.exit(__doc__)
    verb = rest.pop(0)
    out = rest.pop(0) if verb != "list" else None
    number = int(rest.pop(0)) if verb == "plain" else None
    files = collect(rest)
    chosen = choose(files, seed, count)
    base = os.path.dirname(os.path.abspath(rest[0]))

    def short(path):
        return os.path.relpath(os.path.abspath(path), base)

    rows = []
    for path, m in chosen:
        line, before, after = lines_of(files[path][0], m)
        rows.append(f"{m.number}\t{m.kind}\t{short(path)}:{line}\t{before}\t{after}\n")
    if verb == "list":
        sys.stdout.write("".join(rows))
        return 0
    groups = {path: regions(text, path) for path, (text, _) in files.items()}
    names = sorted({bug for g in groups.values() for _, _, bugs, _ in g for bug, _, _ in bugs})
    numbers = {bug: PLANTED + i for i, bug in enumerate(names)}
    for path, (text, _) in files.items():
        mine = [m for p, m in chosen if p == path]
        if verb == "plain":
            mine = [m for m in mine if m.number == number]
            write(os.path.join(out, short(path)), plain(text, mine[0]) if mine else text)
        else:
            write(os.path.join(out, short(path)), with_planted(text, mine, numbers, path))
    if verb == "copy":
        write(os.path.join(out, "tern_mutant.sv"), PACKAGE)
        write(os.path.join(out, "mutants.tsv"), "".join(rows))
        write(os.path.join(out, "planted.inc"), "".join(f"PLANTED({n}, {bug})\n" for bug, n in numbers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
