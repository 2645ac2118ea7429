# notebooks.py NOTEBOOK... : runs each in a kernel of its own; what its last cell prints must be what it promises
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def text_of(cell):
    return "".join(o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def read(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    if any(c.outputs or c.execution_count for c in code):
        sys.exit(f"FAILED: {path.name} holds outputs: they are not kept in the tree")
    return path, notebook, code


failed = 0
if len(sys.argv) < 3:
    sys.exit("FAILED: there are two notebooks")
for path, notebook, code in [read(Path(name)) for name in sys.argv[1:]]:
    try:
        NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": "."}}).execute()
    except CellExecutionError as e:
        print(f"FAILED: {path.name}: {e}")
        failed += 1
        continue
    last = text_of(code[-1])
    print(f"{path.name}: {len(code)} cells; {last.strip()}")
    if "all as promised" not in last:
        print(f"FAILED: {path.name}: the last cell does not say `all as promised`")
        failed += 1
sys.exit(failed != 0)
