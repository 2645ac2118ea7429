#!/bin/sh
# Every bug planted in the engine `fast` is found, by the array that it corrupts.
#     sh mutants.sh TEST_FAST_PLANTED TEST_FAST_LIMITS_PLANTED TEST_FAST_SCRIPTS_PLANTED PLANT_HEADER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
random=$1 limits=$2 scripts=$3 header=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0

# found NAME ARRAY FIRST [PEERS]: network FIRST shows bug NAME in ARRAY first, with one engine or as many as share it
# (0: two to five). Networks are named so that few have to run.
found() {
    n=$((n + 1))
    echo "$1" >>"$work/tested"
    if "$random" --plant "$1" --first "$3" --count 1 --peers "${4:-1}" >"$work/out" 2>&1; then
        echo "$1: not found"
        bad=1
    elif ! grep -q "^DIFFERS array=$2 " "$work/out"; then
        echo "$1: $(grep -m1 DIFFERS "$work/out" || cat "$work/out"), wanted array=$2"
        bad=1
    fi
}

"$random" --first 1 --count 3 >"$work/out" 2>&1 || { echo "differs without a bug:"; cat "$work/out"; bad=1; }
"$limits" >"$work/out" 2>&1 || { echo "differs without a bug:"; cat "$work/out"; bad=1; }
# shellcheck source=/dev/null
. "$(dirname "$0")/mutants.list"
echo BLOCKS >>"$work/tested"
echo ISA >>"$work/tested" # by mutant.cli.engines
"$limits" --plant BLOCKS >"$work/out" 2>&1 && { echo "BLOCKS: not found"; bad=1; }
grep -q 'FAILED: sum == 5' "$work/out" || { echo "BLOCKS: found by something else"; cat "$work/out"; bad=1; }

# the networks of scripts find bugs, too
for bug in LAG ERROR DRAW; do
    "$scripts" --plant $bug >"$work/out" 2>&1 && { echo "$bug: not found by scripts"; bad=1; }
    grep -q '^DIFFERS array=' "$work/out" || { echo "$bug:"; cat "$work/out"; bad=1; }
done
grep -oE ' X\([A-Z_]+\)' "$header" | sed 's/ X(//; s/)//' | sort -u >"$work/planted"
sort -u "$work/tested" >"$work/all"
if ! cmp -s "$work/planted" "$work/all"; then
    echo "planted bugs (<) and tests (>) differ:"
    diff "$work/planted" "$work/all" || true
    bad=1
fi
[ "$bad" -eq 0 ] && echo "$((n + 1)) planted bugs found"
exit "$bad"
