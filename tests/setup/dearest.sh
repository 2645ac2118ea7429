#!/bin/sh
# The table of the dearest tests in docs/40-setup.md is made of docs/figures/tests.txt.
#     sh dearest.sh measure ROOT TIMES      the times of a whole run go into docs/figures/tests.txt, of the dearest tests
#                                           and of those that it knows, and the table is written. TIMES:
#                                           build/check-results.xml, which ./check leaves, or
#                                           build/Testing/Temporary/LastTest.log of ctest
#     sh dearest.sh fill ROOT               the table is written again
#     sh dearest.sh check ROOT [BUILD]      the table is that of the file, every row says what its test shows, and the
#                                           folder BUILD has every test
# Exit status 0: so it is, or done; 1: not; 2: wrong usage.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
usage() { echo "usage: dearest.sh measure ROOT TIMES | fill ROOT | check ROOT [BUILD]" >&2; exit 2; }
[ $# -ge 2 ] || usage
what=$1 given=${3:-} most=25
case $what in
measure) [ -f "$given" ] || usage; given=$(cd "$(dirname "$given")" && pwd)/$(basename "$given") ;;
fill | check) [ -z "$given" ] || given=$(cd "$(dirname "$given")" && pwd)/$(basename "$given") ;;
*) usage ;;
esac
cd "$2"
list=docs/figures/tests.txt page=docs/40-setup.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$what" = measure ]; then
    # seconds and name of each test that ran
    awk '
        /<testcase / { name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
                       s = $0; sub(/.* time="/, "", s); sub(/".*/, "", s); print s + 0, name }
        /^[0-9]+\/[0-9]+ Test: / { name = $3 }
        /^Test time = / { print $4 + 0, name }' "$given" | sort -rn >"$work/times"
    [ "$(wc -l <"$work/times")" -gt "$most" ] || { echo "dearest: $given has no times of a whole run" >&2; exit 1; }
    {
        sed -n '/^#/p' "$list"
        awk '{ s += $1; ++n } END { printf "all | %d | %d tests\n", s + 0.5, n }' "$work/times"
        awk -F ' [|] ' -v most="$most" '
            NR == FNR { shows[$1] = $3; next }
            { split($0, cell, / /); name = cell[2] }
            FNR <= most || name in shows { printf "%s | %.0f | %s\n", name, cell[1], name in shows ? shows[name] : "?" }' \
            "$list" "$work/times"
    } >"$work/list"
    cat "$work/list" >"$list"
fi

{
    awk -F ' [|] ' -v most="$most" '
        $1 == "all" { printf "A whole run on two cores: %s, %s s in all. The dearest of them:\n\n| test | s | shows |\n|---|---|---|\n", $3, $2; next }
        /^#/ || NF != 3 || ++n > most { next }
        { printf "| %s | %s | %s |\n", $1, $2, $3 }' "$list"
} >"$work/table"
awk -v table="$work/table" '
    /^<!-- tests -->$/ { print; while ((getline line <table) > 0) print line; inside = 1; ++n; next }
    /^<!-- \/tests -->$/ { inside = 0; ++n }
    !inside { print }
    END { exit n != 2 }' "$page" >"$work/page" || { echo "dearest: $page has not one place for the table" >&2; exit 1; }
if [ "$what" != check ]; then
    cmp -s "$work/page" "$page" || cat "$work/page" >"$page"
    grep -n '| ?$' "$list" && echo "dearest: say what these show, then: sh tests/setup/dearest.sh fill ."
    echo "the table is written"
    exit 0
fi
failed=0
cmp -s "$work/page" "$page" || { echo "dearest: the table of $page is not that of $list: dearest.sh fill"; failed=1; }
if grep -n '| ?$' "$list"; then echo "dearest: $list does not say what these show"; failed=1; fi
rows=$(grep -c '^|' "$work/table")
[ "$rows" -gt 10 ] || { echo "dearest: only $rows rows"; failed=1; }
if [ -n "$given" ]; then
    ctest --test-dir "$given" -N | sed -n 's/^ *Test *#[0-9]*: \([^ ]*\).*/\1/p' | sort >"$work/names"
    sed -n '/^#/d; /^all /d; s/ |.*//p' "$list" | sort | comm -23 - "$work/names" >"$work/gone"
    while read -r name; do echo "dearest: no test is called $name"; failed=1; done <"$work/gone"
fi
[ $failed -ne 0 ] || echo "the table has $((rows - 2)) tests"
exit $failed
