#!/bin/sh
# Every `ifdef TERN_TESTBUG_LINK_... of rtl/link is a mutant that is tested, every one that is tested is there, and there are no others.
# What no lockstep can show is found by a proof: the lines `//! mutant` of tests/formal.
#     sh link_mutant_list.sh RTL-FOLDER link_bugs.txt
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 2 ] || { echo "usage: link_mutant_list.sh RTL-FOLDER link_bugs.txt" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -rhoE '`(ifdef|elsif) TERN_TESTBUG_[A-Z0-9_]+' "$1/link" | sed 's/.*TERN_TESTBUG_//' | tr 'A-Z' 'a-z' | sort -u >"$work/planted"
sort -u "$2" >"$work/lockstep"
cat "$1"/../tests/formal/formal_*.v | awk '$1 == "//!" && $2 == "mutant" && $5 ~ /^LINK_/ { print tolower($5) }' | sort -u - "$work/lockstep" >"$work/tested"
[ "$(wc -l <"$work/planted")" -ge 8 ] || { echo "fewer than 8 planted bugs in $1/link" >&2; exit 1; }
if ! cmp -s "$work/planted" "$work/tested"; then
    echo "planted bugs of $1/link (<) and tests (>) differ:" >&2
    diff "$work/planted" "$work/tested" >&2 || true
    exit 1
fi
echo "$(wc -l <"$work/planted") planted bugs, each with a test"
