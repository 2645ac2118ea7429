#!/bin/sh
# json_files_test.sh PYTHON JSON_FILES.py : json_files.py notices each mistake
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
python=$1 check=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { # STATUS TEXT
    status=0
    "$python" -B "$check" "$work" >"$work/out.txt" || status=$?
    [ "$status" -eq "$1" ] || { cat "$work/out.txt"; echo "FAILED: status $status, wanted $1: $2"; exit 1; }
    [ -z "$2" ] || grep -q -e "$2" "$work/out.txt" || { cat "$work/out.txt"; echo "FAILED: no '$2'"; exit 1; }
}
expect 1 'no JSON file was found'
echo '{ "a": { "x": 1 }, "b": { "x": 1 } }' >"$work/good.json"
expect 0 ''
[ ! -s "$work/out.txt" ] || { cat "$work/out.txt"; echo "FAILED: a good file is reported"; exit 1; }
mkdir "$work/deep" "$work/build" "$work/build-x"
echo '{ "a": [ { "x": 1, "y": 2, "x": 1 } ] }' >"$work/deep/twice.json"
expect 1 "^deep/twice.json: the key 'x' is there twice"
echo '{ "a": 1, }' >"$work/deep/twice.json"
expect 1 '^deep/twice.json: '
echo '{} {}' >"$work/deep/twice.json"
expect 1 '^deep/twice.json: Extra data'
mv "$work/deep/twice.json" "$work/deep/book.ipynb"
expect 1 '^deep/book.ipynb: Extra data'
mv "$work/deep/book.ipynb" "$work/build/twice.json"
cp "$work/build/twice.json" "$work/build-x"
expect 0 ''
