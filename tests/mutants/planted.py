"""planted.py : planted bugs, `ifdef TERN_TESTBUG_..., as alternatives that are chosen at run time; used by mutate.py
SPDX-License-Identifier: Apache-2.0
"""

import re
from verilog import TOKEN


# ---- planted bugs: `ifdef TERN_TESTBUG_NAME, then what is wrong, `else what is right, `endif
def regions(text, path):
    """(first, last, [(bug, at, end)...], (at, end) of what is right) of every group of planted bugs."""
    out, open_ = [], []
    for m in re.finditer(r"^[ \t]*`(ifdef|ifndef|elsif|else|endif)\b[ \t]*(\w*)[^\n]*\n", text, re.M):
        word, name = m.group(1), m.group(2)
        if word in ("ifdef", "ifndef"):
            open_.append([m.start(), [(name, m.end())]])
            continue
        group = open_[-1][1]
        group[-1] += (m.start(),)
        if word in ("elsif", "else"):
            group.append((name, m.end()))
            continue
        first, parts = open_.pop()
        bugs = [(n[len("TERN_TESTBUG_") :].lower(), a, e) for n, a, e in parts if n.startswith("TERN_TESTBUG_")]
        if bugs:
            right = next(((a, e) for n, a, e in parts if n == ""), (m.start(), m.start()))
            if open_:
                raise SyntaxError(f"{path}: a planted bug inside another `ifdef")
            out.append((first, m.end(), bugs, right))
    return out


def split_items(text):
    """Statements and declarations, each up to its ';' outside brackets and begin ... end."""
    out, depth, first = [], 0, 0
    for m in TOKEN.finditer(text):
        t = m.group()
        depth += (t in ("(", "[", "{", "begin", "case")) - (t in (")", "]", "}", "end", "endcase"))
        if depth == 0 and (t == ";" or t == "end"):
            out.append(text[first : m.end()].strip())
            first = m.end()
    rest = re.sub(r"//[^\n]*", "", text[first:]).strip()
    if depth != 0 or rest != "":
        return None
    return [re.sub(r"^(//[^\n]*\n\s*)*", "", i).strip() for i in out]


PLANTED = 10001  # number of the first one


def merge_ports(number, wrong, right):
    """Lines of ports of an instance."""

    def ports(text):
        out, depth, first = [], 0, 0
        for m in TOKEN.finditer(text):
            depth += (m.group() in ("(", "[", "{")) - (m.group() in (")", "]", "}"))
            if depth == 0 and m.group() == ")":
                out.append(re.fullmatch(r"[\s,]*\.(\w+)\((.*)\)", text[first : m.end()], re.S).groups())
                first = m.end()
        return out

    bad = dict(ports(wrong))
    parts = [
        f".{p}({e})" if bad[p] == e else f".{p}((tern_mutant::which == {number}) ? ({bad[p]}) : ({e}))"
        for p, e in ports(right)
    ]
    return "    " + ", ".join(parts) + ("," if right.rstrip().endswith(",") else "") + "\n"


DECLARED = re.compile(r"(wire\b(?:\s+signed\b)?\s*(?:\[[^=]*?\])?\s*)(\w+)\s*=(?!=)(.*);$", re.S)
ASSIGNED = re.compile(r"(assign\s+)([^=]+?)\s*=(?!=)(.*);$", re.S)


def merge(number, wrong, right, path):
    """What is right, and with mistake `number` what is wrong."""
    wrong, right = (re.sub(r"//[^\n]*", "", part) for part in (wrong, right))
    heads = [re.fullmatch(r"\s*(end else )?(?:if \((.*)\) )?begin\s*", part, re.S) for part in (wrong, right)]
    if all(heads):  # of a block
        bad, good = (h.group(2) or "1'b1" for h in heads)
        return f"    {heads[1].group(1) or ''}if ((tern_mutant::which == {number}) ? ({bad}) : ({good})) begin\n"
    if wrong.lstrip().startswith("."):
        return merge_ports(number, wrong, right)
    if all(re.match(r"\s*else\b", part) for part in (wrong, right)):
        bad, good = (re.sub(r"^\s*else\b", "", part).strip() for part in (wrong, right))
        return f"    else begin if (tern_mutant::which == {number}) begin {bad} end else begin {good} end end\n"
    tails = [re.fullmatch(r"\s*([-+]|&&) (.*);\s*", part, re.S) for part in (wrong, right)]
    if all(tails) and tails[0].group(1) == tails[1].group(1):  # of an expression
        return (
            f"    {tails[1].group(1)} ((tern_mutant::which == {number}) ? ({tails[0].group(2)}) :"
            f" ({tails[1].group(2)}));\n"
        )
    labels = [re.fullmatch(r"\s*(ST_\w+): ?(.*;)\s*", part, re.S) for part in (wrong, right)]
    if (
        all(labels) and labels[0].group(1) == labels[1].group(1) and len(re.findall(r"\bST_\w+:(?!:)", right)) == 1
    ):  # of a case
        return (
            f"      {labels[1].group(1)}: if (tern_mutant::which == {number}) begin {labels[0].group(2)} end else begin"
            f" {labels[1].group(2)} end\n"
        )
    bad, good = split_items(wrong), split_items(right)
    if bad is None or good is None:
        raise SyntaxError(f"{path}: a planted bug that is not a list of whole statements:\n{wrong}")
    bad, good = ([re.sub(r"^localparam\b", "wire", item) for item in items] for items in (bad, good))
    if all(re.match(r"initial\b", i) for i in bad + good):
        bad, good = (" ".join(re.sub(r"^initial\b", "", i) for i in items) for items in (bad, good))
        return f"  initial if (tern_mutant::which == {number}) begin {bad} end else begin {good} end\n"
    if not any(re.match(r"(wire|reg|assign|always)\b", i) for i in bad + good):
        return (
            f"    begin if (tern_mutant::which == {number}) begin {' '.join(bad)} end else begin {' '.join(good)} end"
            " end\n"
        )
    out = []
    for item in bad:
        if re.match(r"wire unused", item):
            continue
        for shape in (DECLARED, ASSIGNED):
            m = shape.match(item)
            if m:
                break
        if m:
            same = [
                (i, shape.match(g))
                for i, g in enumerate(good)
                if shape.match(g) and shape.match(g).group(2) == m.group(2)
            ]
            if same:
                i, g = same[0]
                if ("signed" in g.group(1)) != ("signed" in m.group(1)):
                    raise SyntaxError(f"{path}: declared differently: {item}")
                if shape is DECLARED:
                    out.append(f"{m.group(1)}{m.group(2)}_bug{number} ={m.group(3)};")
                    good[i] = (
                        f"{g.group(1)}{g.group(2)} = (tern_mutant::which == {number}) ? {g.group(2)}_bug{number} :"
                        f" ({g.group(3)});"
                    )
                else:
                    good[i] = (
                        f"{g.group(1)}{g.group(2)} = (tern_mutant::which == {number}) ? ({m.group(3)}) :"
                        f" ({g.group(3)});"
                    )
                continue
        m = re.match(r"(always @(?:\*|\([^)]*\)))\s*(.*)$", item, re.S)
        same = [i for i, g in enumerate(good) if m and g.startswith(m.group(1))]
        if same:
            good[same[0]] = (
                f"{m.group(1)} begin if (tern_mutant::which == {number}) begin {m.group(2)} end else begin"
                f" {good[same[0]][len(m.group(1)):]} end end"
            )
        else:
            out.append(item)
    return "  " + "\n  ".join(out + good) + "\n"
