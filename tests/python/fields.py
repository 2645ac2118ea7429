# fields.py OUT : the fields that Python mirrors, as FIELD(structure, field) lines for layout.c
# SPDX-License-Identifier: Apache-2.0
#
# Reads _c.py without importing it: the library need not be there. A structure begins with `class NAME(Structure)`, its
# fields are ("field", type) pairs; STRUCTURES names it in C.
import ast
import sys

source, out = sys.argv[1:]
fields, names = {}, {}
for node in ast.parse(open(source, encoding="utf-8").read()).body:
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.Assign):
                fields[node.name] = [pair.elts[0].value for pair in statement.value.elts]
    if isinstance(node, ast.AnnAssign) and node.target.id == "STRUCTURES":
        names = {key.value: value.id for key, value in zip(node.value.keys, node.value.values)}
if sorted(names.values()) != sorted(fields):
    sys.exit(f"fields.py: STRUCTURES does not name {sorted(set(fields) ^ set(names.values()))}")
with open(out, "w", encoding="utf-8") as file:
    for name, structure in names.items():
        file.write(f"WHOLE({name})\n")
        file.writelines(f"FIELD({name}, {field})\n" for field in fields[structure])
