#!/bin/sh
# report_browser.sh TERN : a whole report, made as docs/11-commands.md tells, opened in a browser
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
for tool in gnuplot chromium; do command -v $tool >/dev/null || { echo "SKIP: needs $tool"; exit 77; }; done
tern=$1 here=$(cd "$(dirname "$0")" && pwd)
models=$here/../../models
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 143' TERM INT
cd "$dir" || exit 1
run() { "$tern" "$@" >out 2>err </dev/null || { echo "FAILED: tern $*"; cat out err; exit 1; }; }
run data digits data --count 20 --classes 0,1 --seed 3
run train "$models/digits2/digits2.lua" --data data --validation 0.25 --validate-every 10 --presentations 60 -o d.tern --log d.jsonl
run eval d.tern --data data --samples 8 --per-recording d.eval.jsonl
run report d.tern --data data --json
figures=$(sed 's/.*"figures":\([0-9]*\).*/\1/' out)
[ "$figures" -ge 30 ] || { echo "FAILED: only $figures figures"; exit 1; }
size=$(wc -c <d.html)
[ "$size" -lt 2000000 ] || { echo "FAILED: a page of $size bytes"; exit 1; }
sh "$here/browser.sh" d.html "$figures"
