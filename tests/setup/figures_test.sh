#!/bin/sh
# Shows that figures.sh sees each kind of difference: a copy of the pages passes, and with one thing changed it does not; filling in mends what it can.
#     sh figures_test.sh figures.sh ROOT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
figures=$1 root=$2 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/docs" "$work/tree/tests/bench"
    cp "$root/README.md" "$work/tree/"
    cp "$root/tests/bench/README.md" "$work/tree/tests/bench/"
    cp -R "$root/docs/." "$work/tree/docs/"
}
expect() { # STATUS TEXT
    status=0
    sh "$figures" check "$work/tree" >"$work/out" 2>&1 || status=$?
    if [ "$status" -ne "$1" ] || ! grep -q -e "$2" "$work/out"; then
        echo "FAILED: status $status instead of $1, or the answer does not tell '$2'"
        cat "$work/out"
        failed=1
    fi
}
change() { sed "$2" "$work/tree/$1" >"$work/part" && cp "$work/part" "$work/tree/$1"; }
copy; expect 0 'marked places'
change docs/boards/icebreaker.md 's/\(resident.up5k.fmax -->\)[0-9.]*/\121.0/'; expect 1 'icebreaker.md:[0-9]*: resident.up5k.fmax is .*, not 21.0'
sh "$figures" fill "$work/tree" >/dev/null; expect 0 'marked places'
cmp -s "$work/tree/docs/boards/icebreaker.md" "$root/docs/boards/icebreaker.md" || { echo "FAILED: filling in does not mend the page"; failed=1; }
copy; change docs/figures/figures.txt 's/^digits2.cells | [0-9,]*/digits2.cells | 1,234/'; expect 1 'README.md:[0-9]*: digits2.cells is 1,234'
copy; change README.md 's/figure:digits2.cells -->/figure:digits9.cells -->/'; expect 1 'no figure is called digits9.cells'
copy; change docs/43-small-core.md '0,/<!-- \/ -->/s/<!-- \/ -->//'; expect 1 '43-small-core.md:[0-9]*: '
copy; change docs/44-resident.md 's/<!-- figure:resident.hx8k.cells -->\([0-9,]*\)<!-- \/ -->/\1/'; expect 1 'resident.hx8k.cells) is not marked'
copy; echo 'extra.cells | 1 | cells | nothing | none' >>"$work/tree/docs/figures/figures.txt"; expect 1 'no page has extra.cells'
copy; echo 'digits2.cells | 1 | cells | nothing | none' >>"$work/tree/docs/figures/figures.txt"; expect 1 'a second digits2.cells'
[ $failed -eq 0 ] && echo "figures: every difference is seen"
exit $failed
