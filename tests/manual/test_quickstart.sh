#!/bin/sh
# test_quickstart.sh TERN SOURCE_DIR [plant] : the commands of README's quick start lead to a report that lacks nothing
# SPDX-License-Identifier: Apache-2.0
#
# plant: README gives the lines of the evaluation another name; the test has to notice.
export LC_ALL=C
set -u
tern=$1 src=$2 plant=${3:-}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
command -v gnuplot >/dev/null || fail "gnuplot is not there to draw the figures"
cd "$dir" || exit 1
mkdir -p build out/demo && ln -s "$tern" build/tern && ln -s "$src/models" models
build/tern data digits out/demo/train --classes 0,1 --count 12 -q >/dev/null || fail "data digits"
build/tern data digits out/demo/test --classes 0,1 --count 12 --first 12 -q >/dev/null || fail "data digits"
sed -n '/^## Quick start/,/^## Results/p' "$src/README.md" | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ta' -e '}' |
    grep '^build.tern \(train\|eval\|report\|sweep\) ' >commands
[ -z "$plant" ] || sed -i 's/out.mine.eval.jsonl/out\/other.jsonl/' commands
[ "$(wc -l <commands)" -eq 4 ] || fail "README has $(wc -l <commands) commands of train, eval, report and sweep, wanted one each"
grep -v '^build.tern sweep' commands | while read -r line; do
    eval "$line" >>out.txt 2>err.txt || { echo "FAILED: $line"; cat err.txt; echo x >>broken; }
    [ ! -s err.txt ] || { echo "FAILED: $line: says something"; cat err.txt; echo x >>broken; }
done
[ ! -e broken ] || failed=1
eval "$(grep '^build.tern report' commands) --json" >report.json || fail "report --json"
grep -q '"log":true,"eval":true' report.json || fail "the report has not found log and evaluation: $(cut -c1-300 report.json)"
grep -q '"presentations":100' report.json || fail "not the whole training"
# of a missing part the page shows the command that makes it
page=out/mine.html
grep -q 'tern train NET.lua\|--per-recording\|tern report out' $page && fail "a part of the page is missing"
eval "$(grep '^build.tern sweep' commands) --presentations 10 --inference 2 --seeds 1" >sweep.txt 2>&1 && fail "seeds given twice"
eval "$(sed -n '/^build.tern sweep/s/--seeds 3/--seeds 1 --presentations 10 --inference 2/p' commands)" >sweep.txt 2>err.txt || { fail "sweep"; cat err.txt; }
grep -q '^best: --set rule.eta=' sweep.txt || fail "the sweep has no best setting"
exit $failed
