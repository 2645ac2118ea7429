#!/bin/sh
# types.sh PYTHON SOURCE WORK : mypy in its strictest mode agrees with the package's types
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
python=$1 source=$2 work=$3
"$python" -c "import mypy" 2>/dev/null || { echo "FAILED: $python has no mypy (Debian: python3-mypy)"; exit 1; }
mkdir -p "$work"
cd "$source/runtime/python"
"$python" -m mypy --cache-dir "$work" tern
# a planted fault: a network from a path
printf 'import tern\ntern.Network("x.tern")\n' >"$work/planted.py"
if MYPYPATH=. "$python" -m mypy --cache-dir "$work" --strict "$work/planted.py" >"$work/planted.out"; then
    echo "FAILED: a planted fault is not noticed"
    exit 1
fi
grep -q 'incompatible type "str"; expected "Image"' "$work/planted.out"
