#!/usr/bin/env python3
"""errors.py : numbers of errors are names in the code, and docs/60-errors.md has exactly those that exist
SPDX-License-Identifier: Apache-2.0

    errors.py ROOT

Every function of the product with a parameter `int code` is found; an argument there must not be a number. Each name of
runtime/base/tern_errors.h is used, its number has a row in docs/60-errors.md, and its comment is the meaning in that
row. Each number that one file or layer has as its own (E_, W_ or N_) has a row, too, and is that of no other file. Each
number of the page stands somewhere in the code. Exit status 0: all is so; 1: not, each place is printed.
"""

import os
import re
import sys

FOLDERS = ("runtime", "compiler", "cli", "sim")
NUMBER = r"(?<![\w.])[1-8][0-9][0-9](?![\w.])"


def blanked(text):
    """The text without comments, and with empty strings, at the same places."""

    def blank(m):
        t = m.group(0)
        return t[0] + "_" * (len(t) - 2) + t[0] if t[0] in "\"'" else re.sub(r"[^\n]", " ", t)

    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'", blank, text, flags=re.S)


def arguments(text, at):
    """Places of the arguments of a call; `at` is behind its bracket."""
    depth, first, out = 0, at, []
    for i in range(at, len(text)):
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return out + [(first, i)]
            depth -= 1
        elif c == "," and depth == 0:
            out.append((first, i))
            first = i + 1
    return out


def plain(text):
    """A cell of the page without marks."""
    return re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text.replace("`", ""))


def meanings(header):
    """(name, number, comment) of each enumerator; its comment is in front of it or behind it in its line."""
    found = r"((?:/\*(?:[^*]|\*(?!/))*\*/\s*)?)\b(TERN_ERROR_\w+) = (\d+),((?: */\*.*?\*/)?) *\n"
    for before, name, number, behind in re.findall(found, header):
        words = re.sub(r"\n\s*\*", " ", (behind or before).replace("/*", "").replace("*/", ""))
        yield name, number, " ".join(words.split())


def main(root):
    os.chdir(root)
    files = {}
    for folder in FOLDERS:
        for path, _, names in os.walk(folder):
            for name in names:
                if name.endswith((".c", ".h", ".py", ".inc")):
                    files[os.path.join(path, name)] = open(os.path.join(path, name), encoding="utf-8").read()
    code = {f: blanked(t) for f, t in files.items() if f.endswith((".c", ".h"))}
    bad = []

    shared, own = {}, {}  # function -> place of its parameter `code`; own: of static functions, by file
    for f, t in code.items():
        bracket = -1
        for m in re.finditer(r"\bint \w*code\b", t):
            before, bracket = bracket, t.rfind("(", 0, m.start())
            name = re.search(r"\b[a-z_]\w*$", t[max(0, bracket - 80) : max(0, bracket)])
            if bracket == before or name is None or ")" in t[bracket : m.start()]:
                continue
            first = bracket - len(name.group(0))
            static = t[t.rfind("\n", 0, first) + 1 : first].startswith("static")
            (own.setdefault(f, {}) if static else shared)[name.group(0)] = t.count(",", bracket, m.start())
    if len(shared) < 5:
        bad.append(f"errors: only {len(shared)} functions with a code: the sources are not those of Tern")
    for f, t in code.items():
        known = {**shared, **own.get(f, {})}
        for call in re.finditer(r"\b([a-z_]\w*)\(", t):
            name = call.group(1)
            args = arguments(t, call.end()) if name in known else []
            if name in known and known[name] < len(args):
                a, b = args[known[name]]
                for m in re.finditer(NUMBER, t[a:b]):
                    line = t.count("\n", 0, a + m.start()) + 1
                    bad.append(f"{f}:{line}: {name}() gets the number {m.group(0)}: give it a name, tern_errors.h")
        for m in re.finditer(r"\bcode *[=!]= *(" + NUMBER + ")", t):
            bad.append(f"{f}:{t.count(chr(10), 0, m.start()) + 1}: a comparison with the number {m.group(1)}: give it a name")

    header = "runtime/base/tern_errors.h"
    words = {w for f, t in code.items() if f != header for w in re.findall(r"\w+", t)}
    numbers = {w for f, t in files.items() if f.endswith(".py") for w in re.findall(r"\w+", t)} | words
    numbers.update(re.findall(r"\w+", code.get(header, "")))
    page = open("docs/60-errors.md", encoding="utf-8").read()
    rows = dict(re.findall(r"^\| ([1-8][0-9][0-9]) \| (.*?) \|", page, re.M))
    seen = set()
    for name, number in re.findall(r"\b(TERN_ERROR_\w+) = (\d+)", code.get(header, "")):
        if number in seen:
            bad.append(f"{header}: {number} stands twice")
        seen.add(number)
        if number not in rows:
            bad.append(f"docs/60-errors.md: no row for {name}, {number}")
        if name not in words:
            bad.append(f"{header}: {name} is not used")
    for name, number, text in meanings(files.get(header, "")):
        if number in rows and text != plain(rows[number]):
            bad.append(f"{header}: {name} is '{text}', {number} of docs/60-errors.md '{plain(rows[number])}'")
    owner = {number: header for number in seen}
    for f, t in sorted(code.items()):
        for name, number in re.findall(r"\b((?:TERN_+)?[EWN]_\w+) = ([1-8][0-9][0-9])\b", t):
            if number not in rows:
                bad.append(f"docs/60-errors.md: no row for {name} of {f}, {number}")
            if owner.setdefault(number, f) != f:
                bad.append(f"{f}: {name} is {number}, as in {owner[number]}: one name in {header}")
    for number in sorted(rows):
        if number not in numbers:
            bad.append(f"docs/60-errors.md: {number} is reported nowhere")
    print("\n".join(bad) if bad else f"{len(rows)} numbers, {len(seen)} of them shared; none is written as a number")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
