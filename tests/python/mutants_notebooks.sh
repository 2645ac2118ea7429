#!/bin/sh
# mutants_notebooks.sh PYTHON SITE SOURCE WORK : the notebooks' test notices faults of the package and of a notebook
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
python=$1 site=$2 source=$3 work=$4
here=$source/tests/python books=$source/runtime/python/notebooks
planted=0
rm -rf "$work"
mkdir -p "$work/tests" "$work/runtime/python/notebooks"
cp -r "$here" "$work/tests/python"

# noticed WHAT MESSAGE SITE: the test over the notebooks in $work fails with this message
noticed() {
    status=0
    sh "$here/notebooks.sh" "$python" "$3" "$work" "$work/run" >"$work/out" 2>&1 || status=$?
    if [ "$status" -eq 0 ] || ! grep -q -e "$2" "$work/out"; then
        tail -n 20 "$work/out"
        echo "FAILED: $1: status $status, wanted the message: $2"
        exit 1
    fi
    planted=$((planted + 1))
}
# small NAME CODE: a notebook of one cell
small() {
    "$python" -c 'import sys, nbformat.v4 as v
import nbformat
nbformat.write(v.new_notebook(cells=[v.new_code_cell(sys.argv[2])]), sys.argv[1])' \
        "$work/runtime/python/notebooks/$1.ipynb" "$2" || exit 1
}
# faulty NOTEBOOK FILE SED MESSAGE: this notebook and a short one, with the package changed
faulty() {
    rm -f "$work"/runtime/python/notebooks/*.ipynb
    small another 'print("all as promised")'
    cp "$books/$1.ipynb" "$work/runtime/python/notebooks"
    shift
    rm -rf "$work/site"
    mkdir "$work/site"
    cp -r "$site/tern" "$work/site/tern"
    sed "$2" "$site/tern/$1" >"$work/site/tern/$1"
    if cmp -s "$site/tern/$1" "$work/site/tern/$1"; then echo "FAILED: '$2' changes nothing in $1"; exit 1; fi
    noticed "'$2' in $1" "$3" "$work/site"
}

faulty own_data examples.py 's/labels_array(labels, n)/__import__("numpy").sort(labels_array(labels, n))/' \
    'FAILED: own_data.ipynb: .*'
grep -q 'assert result.accuracy' "$work/out" || { echo "FAILED: mixed labels: another cell failed"; exit 1; }
faulty digits2 network.py 's/network_train(pointer, data, n,/network_train(pointer, data, max(n - 1, 1),/' \
    'FAILED: digits2.ipynb: .*'
grep -q 'second.image().bytes == whole' "$work/out" || { echo "FAILED: fewer presentations: another cell"; exit 1; }

rm "$work"/runtime/python/notebooks/*.ipynb
small digits2 'print("all as promised")'
noticed 'one notebook' 'FAILED: there are two notebooks' "$site"
small second 'raise RuntimeError("a cell that fails")'
noticed 'a cell that fails' 'FAILED: second.ipynb: .*' "$site"
small second 'print("something else")'
noticed 'no promise' 'FAILED: second.ipynb: the last cell does not say' "$site"
"$python" - "$work/runtime/python/notebooks/second.ipynb" <<'PY'
import sys, nbformat
n = nbformat.read(sys.argv[1], as_version=4)
n.cells[0].outputs = [nbformat.v4.new_output("stream", text="all as promised")]
nbformat.write(n, sys.argv[1])
PY
noticed 'outputs that are kept' 'FAILED: second.ipynb holds outputs' "$site"
echo "$planted planted faults are noticed"
