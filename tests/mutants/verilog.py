"""verilog.py : reads Tern's Verilog and finds the places for single mistakes; used by mutate.py
SPDX-License-Identifier: Apache-2.0
"""

import re

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<directive>`[a-z]+[^\n]*)
  | (?P<string>"[^"\n]*")
  | (?P<number>\d*'[sS]?[bdhoBDHO][0-9a-fA-F_xXzZ?]+|\d[\d_]*)
  | (?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
  | (?P<op><<<|>>>|===|!==|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||~\^|\^~|~&|~\||\+:|-:|[-+*/%&|^~!<>=?:;,.(){}\[\]#@])
""",
    re.X | re.S,
)
BINARY = [
    ("||",),
    ("&&",),
    ("|",),
    ("^", "~^", "^~"),
    ("&",),
    ("==", "!=", "===", "!=="),
    ("<", "<=", ">", ">="),
    ("<<", ">>", "<<<", ">>>"),
    ("+", "-"),
    ("*", "/", "%"),
    ("**",),
]
LEVEL = {op: level for level, ops in enumerate(BINARY) for op in ops}
OTHER = {
    "+": ["-"],
    "-": ["+"],
    "*": ["+"],
    "&": ["|"],
    "|": ["&"],
    "^": ["|", "&"],
    "&&": ["||"],
    "||": ["&&"],
    "==": ["!="],
    "!=": ["=="],
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "<<": [">>"],
    ">>": ["<<"],
    "<<<": [">>"],
    ">>>": [">>"],
}
KEYWORDS = {
    "begin",
    "end",
    "if",
    "else",
    "case",
    "casez",
    "endcase",
    "default",
    "for",
    "while",
    "repeat",
    "assign",
    "always",
    "initial",
    "wire",
    "reg",
    "integer",
    "genvar",
    "signed",
    "parameter",
    "localparam",
    "function",
    "endfunction",
    "task",
    "endtask",
    "generate",
    "endgenerate",
    "module",
    "endmodule",
    "input",
    "output",
    "inout",
    "posedge",
    "negedge",
    "or",
}


def braces(text):
    """For str.format()."""
    return text.replace("{", "{{").replace("}", "}}")


class Token:
    __slots__ = ("text", "kind", "at", "end")

    def __init__(self, text, kind, at):
        self.text, self.kind, self.at, self.end = text, kind, at, at + len(text)


def tokens_of(text, name):
    """The tokens that are there when no macro is defined."""
    out, at, hidden = [], 0, []
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise SyntaxError(f"{name}:{text.count(chr(10), 0, at) + 1}: not understood: {text[at:at + 20]!r}")
        kind, at = m.lastgroup, m.end()
        if kind == "directive":
            word = m.group().split()[0]
            if word in ("`ifdef", "`ifndef"):
                hidden.append(word == "`ifdef")
            elif word in ("`else", "`elsif"):
                hidden[-1] = not hidden[-1] if word == "`else" else True
            elif word == "`endif":
                hidden.pop()
        elif kind != "space" and not any(hidden):
            out.append(Token(m.group(), kind, m.start()))
    kept, i = [], 0
    while i < len(out):  # attributes (* ... *)
        if (
            out[i].text == "("
            and i + 1 < len(out)
            and out[i + 1].text == "*"
            and out[i].end == out[i + 1].at
            and (not kept or kept[-1].text != "@")
        ):
            while not (out[i].text == "*" and out[i + 1].text == ")"):
                i += 1
            i += 2
        else:
            kept.append(out[i])
            i += 1
    kept.append(Token("", "end", len(text)))
    return kept


class Mutant:
    """One mistake: `plain` replaces text[at:end]; `copy` is what stands in a copy, where {0} is the number and {1} the
    text with the mistakes inside it.
    """

    def __init__(self, kind, at, end, plain, copy):
        self.kind, self.at, self.end, self.plain, self.copy = kind, at, end, plain, copy
        self.number = 0


class Mutator:
    """Parses one file and collects the mistakes that can be made in it."""

    def __init__(self, path):
        self.path = path
        with open(path) as f:
            self.text = f.read()
        self.t = tokens_of(self.text, path)
        self.i = 0
        self.found = []
        self.constants, self.signals, self.order = set(), {}, []
        self.module()

    # ---- places
    def span(self, first, last):
        return self.text[self.t[first].at : self.t[last - 1].end]

    def note(self, kind, first, last, plain, copy=None):
        """Tokens first..last-1 become `plain`."""
        at, end = self.t[first].at, self.t[last - 1].end
        if kind == "condition" and any(m.kind == "inverter" and (m.at, m.end) == (at, end) for m in self.found):
            return  # the same
        copy = copy or "((tern_mutant::which == {0}) ? (" + braces(plain) + ") : ({1}))"
        self.found.append(Mutant(kind, self.t[first].at, self.t[last - 1].end, plain, copy))

    def look(self, ahead=0):
        return self.t[min(self.i + ahead, len(self.t) - 1)].text

    def take(self, text=None):
        if text is not None and self.look() != text:
            line = self.text.count("\n", 0, self.t[self.i].at) + 1
            raise SyntaxError(f"{self.path}:{line}: '{text}' expected, not '{self.look()}'")
        self.i += 1
        return self.t[self.i - 1].text

    def skip_to(self, text):
        """Behind the next `text` outside brackets."""
        depth = 0
        while depth > 0 or self.look() != text:
            if self.look() == "":
                raise SyntaxError(f"{self.path}: no '{text}'")
            depth += (self.look() in "([{") - (self.look() in ")]}") if self.look() else 0
            self.i += 1
        self.i += 1

    def brackets(self):
        """Over a pair of brackets."""
        depth = 0
        while True:
            depth += (self.look() in ("(", "[", "{")) - (self.look() in (")", "]", "}"))
            self.i += 1
            if depth == 0:
                return

    # ---- expressions: each returns whether a signal is in it
    def expression(self, fixed=False):
        first = self.i
        signal = self.binary(0, fixed)
        if self.look() != "?":
            return signal
        mid = self.i
        condition = signal
        self.take("?")
        signal |= self.expression(fixed)
        self.take(":")
        signal |= self.expression(fixed)
        if condition and not fixed:
            c = self.span(first, mid)
            self.note("condition", first, mid, f"!({c})")
        return signal

    def binary(self, level, fixed):
        if level == len(BINARY):
            return self.unary(fixed)
        first = self.i
        signal = self.binary(level + 1, fixed)
        while self.look() in BINARY[level]:
            op = self.i
            self.take()
            right = self.i
            signal |= self.binary(level + 1, fixed)
            if signal and not fixed:
                for other in OTHER.get(self.t[op].text, []):
                    self.note("operator", first, self.i, f"{self.span(first, op)} {other} {self.span(right, self.i)}")
        return signal

    def unary(self, fixed):
        first, op = self.i, self.look()
        if op not in ("!", "~", "-", "+", "&", "|", "^", "~&", "~|", "~^"):
            return self.primary(fixed)
        self.take()
        signal = self.unary(fixed)
        inner = self.span(first + 1, self.i)
        if signal and not fixed:
            if op == "!":
                self.note("inverter", first, self.i, f"(({inner}) != 0)")
            elif op in ("~", "-"):
                self.note("inverter", first, self.i, inner)
            elif op in ("&", "|") and not inner.startswith("{1'b0"):
                self.note("reduction", first, self.i, f"{'|' if op == '&' else '&'}({inner})")
        return signal

    def primary(self, fixed):
        first, token = self.i, self.t[self.i]
        if token.text == "(":
            self.take()
            signal = self.expression(fixed)
            self.take(")")
            return signal
        if token.text == "{":
            return self.concatenation(fixed)
        if token.kind == "number":
            self.take()
            if not fixed:
                self.number(first)
            return False
        if token.kind == "string":
            self.take()
            return False
        if token.kind != "name" or token.text in KEYWORDS:
            line = self.text.count("\n", 0, token.at) + 1
            raise SyntaxError(f"{self.path}:{line}: no expression: '{token.text}'")
        return self.named(fixed)

    def number(self, at):
        text = self.t[at].text
        m = re.fullmatch(r"(\d+)?'([sS]?)([bdhBDH])([0-9a-fA-F_]+)", text)
        if not m:
            return  # without a size, or with x and z
        base = {"b": 2, "d": 10, "h": 16}[m.group(3).lower()]
        bits, value = int(m.group(1) or 32), int(m.group(4).replace("_", ""), base)
        for other in sorted({(value + 1) % (1 << bits), (value - 1) % (1 << bits)} - {value}):
            digits = {2: format(other, "b"), 10: str(other), 16: format(other, "x")}[base]
            self.note("constant", at, at + 1, f"{m.group(1) or ''}'{m.group(2)}{m.group(3)}{digits}")

    def concatenation(self, fixed):
        self.take("{")
        mark = len(self.found)
        signal = self.expression(fixed)
        if self.look() == "{":  # {n{...}}
            del self.found[mark:]
            self.take("{")
            signal = self.expression(fixed)
            while self.look() == ",":
                self.take()
                signal |= self.expression(fixed)
            self.take("}")
        while self.look() == ",":
            self.take()
            signal |= self.expression(fixed)
        self.take("}")
        return signal

    def named(self, fixed):
        first = self.i
        name = self.take()
        if self.look() == "(":  # a function
            self.take("(")
            if name in ("$clog2", "$bits"):
                self.i -= 1
                self.brackets()
                return False
            signal = self.expression(fixed)
            while self.look() == ",":
                self.take()
                signal |= self.expression(fixed)
            self.take(")")
            inner = self.span(first + 2, self.i - 1)
            if name == "$signed" and signal and not fixed and not re.match(r"\{\d+'[bd]0+\b", inner):
                q = braces(inner)
                self.note(
                    "sign",
                    first,
                    self.i,
                    inner,
                    "$signed({{(tern_mutant::which != {0}) && ($signed(" + q + ") < 0), (" + q + ")}})",
                )
            return signal
        while self.look() == ".":  # a name inside an instance or a block
            self.take()
            self.take()
        constant = name in self.constants
        signal = not constant
        while self.look() == "[":
            signal |= self.select(name, fixed or constant)
        if not constant and not fixed:
            self.swap(first, name)
        return signal

    def select(self, name, fixed):
        """[i], [hi:lo], [i +: n]"""
        self.take("[")
        first, mark = self.i, len(self.found)
        signal = self.expression(fixed)
        if not signal:
            del self.found[mark:]  # which bit of a vector: below, by its range
        if self.look() == ":":
            del self.found[mark:]
            mid = self.i
            self.take()
            low = self.i
            self.expression(True)
            if not fixed:
                hi, lo = self.span(first, mid), self.span(low, self.i)
                for d in ("+", "-"):
                    if d == "+" or not re.fullmatch(r"0+", lo):
                        self.found.append(
                            Mutant(
                                "select",
                                self.t[first].at,
                                self.t[self.i - 1].end,
                                f"({hi})+1:({lo})+1" if d == "+" else f"({hi})-1:({lo})-1",
                                None,
                            )
                        )
        elif self.look() in ("+:", "-:"):
            self.take()
            self.expression(True)
        elif not signal and not fixed:
            index = self.span(first, self.i)
            width = self.signals.get(name, (None,))[0]
            for d in "+-":
                if not (d == "-" and re.fullmatch(r"0+", index)) and not (
                    d == "+" and width is not None and width == f"[{index}:0]"
                ):
                    self.found.append(
                        Mutant("select", self.t[first].at, self.t[self.i - 1].end, f"({index}){d}1", None)
                    )
        self.take("]")
        return signal

    def swap(self, first, name):
        """Another signal of the same declaration, from an input or a register: no loop comes of it."""
        mine = self.signals.get(name)
        if mine is None or name in ("clk_i",) or mine[2]:
            return
        near = [
            n
            for n in self.order
            if n != name
            and n != "clk_i"
            and self.signals[n][:2] == mine[:2]
            and not self.signals[n][2]
            and (n.endswith("_q") or n.endswith("_i"))
        ]
        if not near:
            return
        at = self.order.index(name)
        near.sort(key=lambda n: abs(self.order.index(n) - at))
        other = near[0]
        self.note("net", first, self.i, self.span(first, self.i).replace(name, other, 1))

    # ---- statements
    def statement(self, clocked):
        word = self.look()
        first = self.i
        if word == "begin":
            self.take()
            if self.look() == ":":
                self.i += 2
            while self.look() in ("reg", "integer"):
                self.skip_to(";")
            while self.look() != "end":
                self.statement(clocked)
            self.take("end")
        elif word == "if":
            self.take()
            self.take("(")
            inner = self.i
            signal = self.expression()
            condition = self.span(inner, self.i)
            if signal:
                self.note("condition", inner, self.i, f"!({condition})")
                if condition.startswith("rst") or condition == "begin_i":
                    self.note("reset", inner, self.i, "1'b0")
            self.take(")")
            self.statement(clocked)
            if self.look() == "else":
                self.take()
                self.statement(clocked)
        elif word in ("case", "casez"):
            self.take()
            self.take("(")
            self.expression()
            self.take(")")
            while self.look() != "endcase":
                if self.look() == "default":
                    self.take()
                    if self.look() == ":":
                        self.take()
                else:
                    self.skip_to(":")
                self.statement(clocked)
            self.take("endcase")
        elif word == "for":
            self.take()
            self.brackets()
            self.statement(clocked)
        elif word == ";":
            self.take()
        elif word.startswith("$") or (self.look(1) in ("(", ";") and word != "{"):
            self.skip_to(";")
        else:
            self.assignment(clocked, first)

    def assignment(self, clocked, first):
        if self.look() == "{":
            self.brackets()
        else:
            self.take()
            while self.look() in ("[", "."):
                if self.look() == ".":
                    self.i += 2
                else:
                    mark = len(self.found)
                    self.select("", True)
                    del self.found[mark:]
        target = self.span(first, self.i)
        op = self.take()
        if op not in ("<=", "="):
            line = self.text.count("\n", 0, self.t[self.i - 1].at) + 1
            raise SyntaxError(f"{self.path}:{line}: no assignment: '{target} {op}'")
        value = self.i
        self.expression()
        semicolon = self.i
        self.take(";")
        if op == "<=" and clocked:
            self.note("dropped", first, semicolon + 1, ";", "begin if (tern_mutant::which != {0}) {1} end")
            width = self.signals.get(target)
            # not where only constants are stored, whose highest bits are mostly 0 in any case
            stored = [
                re.sub(r"\{\w+\{1'b0\}\}|\d*'[bdh]\w+", "", leaf.rsplit("?", 1)[-1])
                for leaf in self.span(value, semicolon).split(":")
            ]
            if (
                width is not None
                and width[0] != ""
                and not width[1]
                and not width[2]
                and any(re.search(r"[a-z]", leaf) for leaf in stored)
            ):
                top = f"{target}[$bits({target})-1] <= 1'b0;"
                self.note(
                    "width",
                    first,
                    semicolon + 1,
                    f"begin {self.span(first, semicolon + 1)} {top} end",
                    "begin {1} if (tern_mutant::which == {0}) " + top + " end",
                )

    # ---- modules
    def declared(self, text, constant=False):
        """Names of a declaration that ends before the next ';', ')' or (ports) ','; values of wires are expressions."""
        word = self.take()
        while self.look() in ("wire", "reg", "signed"):
            word += " " + self.take()
        signed = "signed" in word.split()
        width = ""
        if self.look() == "[":
            first = self.i
            self.brackets()
            width = self.span(first, self.i)
        while True:
            name = self.take()
            array = self.look() == "["
            while self.look() == "[":
                self.brackets()
            if constant or word.split()[0] in ("integer", "genvar"):
                self.constants.add(name)
            else:
                self.signals[name] = (re.sub(r"\s", "", width), signed, array)
                self.order.append(name)
            if self.look() == "=":
                self.take()
                if name.startswith("unused"):
                    self.expression(True)
                else:
                    self.expression(constant)
            if text == "port" or self.look() != ",":
                return
            self.take()

    def header(self):
        self.take("module")
        self.take()
        if self.look() == "#":
            self.take()
            self.take("(")
            while self.look() != ")":
                while self.look() in ("parameter", "localparam", "integer", "signed", ","):
                    self.take()
                if self.look() == "[":
                    self.brackets()
                self.constants.add(self.take())
                self.take("=")
                self.expression(True)
                if self.look() == ",":
                    self.take()
            self.take(")")
        if self.look() == "(":
            self.take()
            while self.look() != ")":
                if self.look() == ",":
                    self.take()
                    continue
                if self.look() not in ("input", "output", "inout"):
                    self.i += 1
                    continue
                self.declared("port")
            self.take(")")
        self.take(";")

    def instance(self):
        self.take()
        if self.look() == "#":
            self.take()
            self.brackets()
        if self.look() != "(":
            self.take()
        if self.look() != "(":
            raise SyntaxError(f"{self.path}: no instance before '{self.look()}'")
        self.take("(")
        while self.look() != ")":
            if self.look() == ",":
                self.take()
                continue
            self.take(".")
            port = self.take()
            if port.endswith("_i") and port != "clk_i":
                self.take("(")
                if self.look() != ")":
                    self.expression()
                self.take(")")
            else:
                self.brackets()
        self.take(")")
        self.take(";")

    def function(self):
        """Skipped if it is one of constants."""
        first = self.i
        while self.look() != "endfunction":
            self.i += 1
        last = self.i
        words = [t.text for t in self.t[first:last]]
        name = next(t.text for t in self.t[first + 1 : last] if t.kind == "name" and t.text not in KEYWORDS)
        if "integer" in words or re.search(r"localparam[^;]*\b" + name + r"\(|\.[A-Z_]+\(" + name + r"\b", self.text):
            self.take("endfunction")
            return
        self.i = first
        name_end = None
        while name_end is None:
            if self.look() in ("(", ";"):
                name_end = self.i
            elif self.look() == "[":
                self.brackets()
            else:
                self.i += 1
        if self.look() == "(":
            self.brackets()
        self.take(";")
        while self.look() in ("input", "reg", "integer"):
            self.skip_to(";")
        while self.look() != "endfunction":
            self.statement(False)
        self.take("endfunction")

    def module(self):
        while self.look() != "module":
            if self.look() == "":
                return
            self.i += 1
        self.header()
        while self.look() != "endmodule":
            self.item()
        self.take("endmodule")

    def item(self):
        word = self.look()
        if word in ("parameter", "localparam"):
            self.take()
            while self.look() in ("integer", "signed"):
                self.take()
            if self.look() == "[":
                self.brackets()
            while True:
                self.constants.add(self.take())
                self.take("=")
                self.expression(True)
                if self.look() != ",":
                    break
                self.take()
            self.take(";")
        elif word in ("wire", "reg", "integer", "genvar", "input", "output"):
            self.declared("")
            self.take(";")
        elif word == "assign":
            self.take()
            while True:
                if self.look() == "{":
                    self.brackets()
                else:
                    self.take()
                    while self.look() in ("[", "."):
                        if self.look() == ".":
                            self.i += 2
                        else:
                            self.brackets()
                self.take("=")
                self.expression()
                if self.look() != ",":
                    break
                self.take()
            self.take(";")
        elif word == "always":
            self.take()
            self.take("@")
            clocked = False
            if self.look() == "(":
                clocked = self.look(1) == "posedge"
                self.brackets()
            else:
                self.take()
            self.statement(clocked)
        elif word == "initial":
            self.take()
            mark = len(self.found)
            self.statement(False)
            del self.found[mark:]
        elif word == "function":
            self.function()
        elif word == "task":
            while self.take() != "endtask":
                pass
        elif word in ("generate", "endgenerate", "else", ";"):
            self.take()
        elif word in ("begin", "end"):
            self.take()
            if self.look() == ":":
                self.i += 2
        elif word in ("for", "if", "case"):
            if word == "case":
                raise SyntaxError(f"{self.path}: case in generate")
            self.take()
            self.brackets()
        else:
            self.instance()
