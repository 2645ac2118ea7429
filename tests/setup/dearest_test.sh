#!/bin/sh
# Shows that dearest.sh sees a table that is not that of its file, a row without words, and a test that is gone; and that
# it reads both kinds of times.
#     sh dearest_test.sh dearest.sh ROOT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
dearest=$1 root=$2 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/t/docs/figures"
copy() { cp "$root/docs/40-setup.md" "$work/t/docs/" && cp "$root/docs/figures/tests.txt" "$work/t/docs/figures/"; }
expect() { # STATUS TEXT words...
    status=0
    wanted=$1 text=$2
    shift 2
    sh "$dearest" "$@" >"$work/out" 2>&1 || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "$text" "$work/out"; then
        echo "FAILED: status $status instead of $wanted, or not '$text': $*"
        cat "$work/out"
        failed=1
    fi
}
change() { sed "$2" "$work/t/docs/$1" >"$work/part" && cp "$work/part" "$work/t/docs/$1"; }
# a folder of a build with these tests
project() { # NAMES
    mkdir -p "$work/b"
    sed 's/.*/add_test([=[&]=] "true")/' "$1" >"$work/b/CTestTestfile.cmake"
}
sed -n '/^#/d; /^all /d; s/ |.*//p' "$root/docs/figures/tests.txt" >"$work/names"
copy; project "$work/names"; expect 0 'the table has' check "$work/t" "$work/b"
change 40-setup.md '/^<!-- tests -->/,/^<!-- .tests/s/ | \([0-9]\)/ | 1\1/'; expect 1 'is not that of' check "$work/t"
expect 0 'the table is written' fill "$work/t"; expect 0 'the table has' check "$work/t"
cmp "$work/t/docs/40-setup.md" "$root/docs/40-setup.md" || failed=1
change figures/tests.txt '$s/[^|]*$/ ?/'; expect 1 'does not say what these show' check "$work/t"
copy; sed '$d' "$work/names" >"$work/fewer"; project "$work/fewer"; expect 1 'no test is called' check "$work/t" "$work/b"
first=$(sed -n '/^#/d; /^all /d; s/ |.*//p' "$root/docs/figures/tests.txt" | head -n 1)
i=0
while [ $i -lt 40 ]; do
    i=$((i + 1)) name=t.$i
    [ $i -ne 7 ] || name=$first
    printf '	<testcase name="%s" classname="%s" time="%d.5" status="run">\n' "$name" "$name" $i
done >"$work/times.xml"
sed 's/.*name="\([^"]*\)" class.*time="\([0-9.]*\)".*/1\/40 Test: \1\nTest time =   \2 sec/' "$work/times.xml" >"$work/times.log"
for times in xml log; do
    copy; expect 0 '^[0-9]*:t.40 | 40 | ?$' measure "$work/t" "$work/times.$times"
    grep -q '^all | 840 | 40 tests$' "$work/t/docs/figures/tests.txt" || { echo "FAILED: $times: sum"; failed=1; }
    grep -q "^$first | 8 | [^?]" "$work/t/docs/figures/tests.txt" || { echo "FAILED: $times: words are lost"; failed=1; }
done
expect 1 'no times of a whole run' measure "$work/t" "$work/names"
[ $failed -eq 0 ] && echo "every difference is seen"
exit $failed
