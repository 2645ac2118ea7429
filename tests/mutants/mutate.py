#!/usr/bin/env python3
"""mutate.py : makes single mistakes in Verilog, many of them in one copy, which reads at run time which one to make
SPDX-License-Identifier: Apache-2.0

    mutate.py list [--seed S --count N] RTL...
        one line per mistake: number, kind, file:line, the line before and after
    mutate.py copy OUT [--seed S --count N] RTL...
        copies of the files below OUT, with the chosen mistakes, and OUT/mutants.tsv
    mutate.py plain OUT NUMBER RTL...
        plain Verilog copies with this one mistake

Planted bugs, `ifdef TERN_TESTBUG_..., are in a copy, too; their numbers are in OUT/planted.inc. RTL: folders of Verilog.
Every place where a mistake can be made (verilog.py) is found by parsing; --count of them are drawn with --seed, spread
over the folders as the places are. A mistake is known by its content: its file, kind, line before and after. Its number
and whether a seed draws it follow from a hash of that, so an edit of other lines changes neither. A copy is
SystemVerilog for Verilator: where a mistake is chosen, `a + b` is `((tern_mutant::which == N) ? (a - b) : (a + b))`,
and so on; the package is OUT/tern_mutant.sv, and the C function tern_mutant_which() says which mistake a design makes
from its start on (0: none). Verilog behind other `ifdef is not changed: checks and the events for the lockstep. Nor are
declarations, parameters, and what else is constant.
"""

import hashlib
import os
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


SELECTED = re.compile(r"([A-Za-z_][A-Za-z0-9_$.]*(?:\[[^\[\]]*\])?)\[$")


def finish_select(mutator):
    """A part or bit of a vector: what is chosen between is the whole of `name[...]`."""
    out = []
    for m in mutator.found:
        if m.kind == "select":
            before = SELECTED.search(mutator.text, max(0, m.at - 200), m.at) # no name is longer; from 0 it takes seconds
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


NUMBERS = 900000000  # how many numbers of generated mistakes there are, from 100000000


def contents(files, path):
    """(what it is known by, mistake) of every mistake in a file: kind, line before and after, and which of the equal
    ones it is.
    """
    text, found = files[path]
    unique = {}
    for m in found:
        unique.setdefault((m.at, m.end, m.plain), m)
    out, seen = [], {}
    for _, m in sorted(unique.items()):
        lines = lines_of(text, m)[1:]
        key = (m.kind, *lines)
        seen[key] = seen.get(key, 0) + 1
        out.append(("\t".join((os.path.basename(path), *key, str(seen[key]))), m))
    return out


def digest(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def choose(files, seed, count):
    """`count` of them; of each folder as many as its share of all places is, at least 8."""
    folders, taken = {}, set()
    for path in sorted(files):
        for content, m in contents(files, path):
            number = digest(content)
            while (number := number % NUMBERS) in taken:
                number += 1
            taken.add(number)
            m.number = 100000000 + number
            folders.setdefault(os.path.dirname(path), []).append((digest(f"{seed}\t{content}"), m.number, path, m))
    total = sum(len(v) for v in folders.values())
    chosen = []
    for folder, places in sorted(folders.items()):
        n = len(places) if count is None else min(len(places), max(8, round(count * len(places) / total)))
        by_kind = {}
        for place in sorted(places, key=lambda place: place[:2], reverse=True):
            by_kind.setdefault(place[3].kind, []).append(place)
        kinds = sorted(by_kind, key=lambda kind: digest(f"{seed}\t{os.path.basename(folder)}\t{kind}"))
        picked = []
        while len(picked) < n:  # kinds by turns, so that the frequent ones do not crowd out the others
            for kind in kinds:
                if by_kind[kind] and len(picked) < n:
                    picked.append(by_kind[kind].pop()[2:])
        chosen.extend(sorted(picked, key=lambda pm: (pm[0], pm[1].at, pm[1].end)))
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
    chosen = choose(files, seed, None if verb == "plain" else count)
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
    if verb == "plain" and all(m.number != number for _, m in chosen):
        sys.exit(f"mutate.py: there is no mistake {number}")
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
