#!/bin/sh
# mutants_wheel.sh PYTHON LIBRARY SOURCE WORK : the wheel's test notices a wrong tag, a missing file, dates
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
python=$1 library=$2 source=$3 work=$4
planted=0
# plant FILE SED MESSAGE: with FILE of the package's folder changed
plant() {
    rm -rf "$work"
    mkdir -p "$work/source/runtime"
    cp -r "$source/runtime/python" "$work/source/runtime/python"
    sed "$2" "$source/runtime/python/$1" >"$work/source/runtime/python/$1"
    if cmp -s "$source/runtime/python/$1" "$work/source/runtime/python/$1"; then
        echo "FAILED: '$2' changes nothing in $1"
        exit 1
    fi
    status=0
    sh "$source/tests/python/wheel.sh" "$python" "$library" "$work/source" "$work/made" >"$work/out" 2>&1 || status=$?
    if [ "$status" -eq 0 ] || ! grep -q -e "$3" "$work/out"; then
        tail -n 20 "$work/out"
        echo "FAILED: '$2' in $1: status $status, wanted the message: $3"
        exit 1
    fi
    planted=$((planted + 1))
}
plant setup.py 's/return "py3", "none", super().get_tag()\[2\]/return super().get_tag()/' \
    'FAILED: the wheel is tern_snn-.*-cp3[0-9]*-.*, wanted is one for every Python'
plant setup.py 's/return True  # the wheel belongs.*/return False/' \
    'FAILED: the wheel is tern_snn-.*-any.whl, wanted is one for every Python'
plant setup.py 's/"py3", "none"/"py2.py3", "none"/' 'FAILED: the wheel is tern_snn-.*-py2.py3-none-'
plant pyproject.toml 's/"py.typed", //' 'FAILED: tern/py.typed is not in the wheel'
plant setup.py 's/"315532800"/"1700000000"/' 'FAILED: the wheel has dates'
echo "$planted planted faults are noticed"
