#!/bin/sh
# Every `ifdef TERN_TESTBUG_... of the core's Verilog (rtl/link has tests of its own) is a mutant that is tested, and every mutant is in the Verilog.
# What no lockstep can show is found by a proof or a bench: the lines `//! mutant` of tests/formal and tests/rtl.
#     sh mutant_list.sh RTL-FOLDER mutants.inc
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -rhoE --exclude-dir=link '`(ifdef|elsif) TERN_TESTBUG_[A-Z0-9_]+' "$1" | sed 's/.*TERN_TESTBUG_//' | tr 'A-Z' 'a-z' | sort -u >"$work/planted"
sed -n 's/^MUTANT(\(.*\))$/\1/p' "$2" | sort -u >"$work/lockstep"
cat "$1"/../tests/formal/formal_*.v "$1"/../tests/rtl/*_bench.v | awk '$1 == "//!" && $2 == "mutant" && $5 !~ /^LINK_/ { print tolower($5) }' | sort -u | cat - "$work/lockstep" | sort -u >"$work/tested"
[ -s "$work/planted" ] || { echo "no planted bug found in $1" >&2; exit 1; }
if ! cmp -s "$work/planted" "$work/tested"; then
    echo "planted bugs of $1 (<) and tests (>) differ:" >&2
    diff "$work/planted" "$work/tested" >&2 || true
    exit 1
fi
echo "$(wc -l <"$work/planted") planted bugs, each with a test"
