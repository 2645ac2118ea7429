#!/bin/sh
# rtl_bench.sh IVERILOG ROOT BENCH.v : a bench as it is, and with each bug that its lines `//! mutant` name
# A bench says what it needs in lines of its own:
#     //! files F...                      rtl/F.v
#     //! mutant NAME bench DEFINE WHAT   with the planted bug TERN_TESTBUG_DEFINE it says "FAILED: ... WHAT" and ends with another status than 0
# It prints "NAME: ..." once all is as it should, else lines that begin with "FAILED: ".
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
iverilog=$1 root=$2 bench=$3
command -v "$iverilog" >/dev/null && command -v vvp >/dev/null || { echo "SKIP: needs iverilog"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$(cd "$root/rtl" && pwd)" "$work/rtl"
cp "$bench" "$work"
cd "$work" # names without blanks, wherever the folders lie
bench=$(basename "$bench")
files=$(sed -n 's|^//! files  *||p' "$bench" | tr ' ' '\n' | sed "s|^|rtl/|; s|\$|.v|")
# shellcheck disable=SC2086 # words are wanted
make() { "$iverilog" -g2005 "$@" -s "$(basename "$bench" .v)" -o "$work/bench" "$bench" $files; }
make
if ! vvp -n "$work/bench" >"$work/out" || grep -q '^FAILED: ' "$work/out" || ! grep '^[a-z]*: .* as ' "$work/out"; then cat "$work/out"; exit 1; fi
sed -n 's|^//! mutant  *||p' "$bench" >"$work/bugs"
[ -s "$work/bugs" ] || { echo "the bench names no planted bug"; exit 1; }
while read -r _ _ bug what; do
    make "-DTERN_TESTBUG_$bug"
    if vvp -n "$work/bench" >"$work/out"; then echo "with the planted bug $bug the bench ends with status 0:"; cat "$work/out"; exit 1; fi
    grep "^FAILED: .*$what" "$work/out" >"$work/found" || { echo "the planted bug $bug is not found:"; cat "$work/out"; exit 1; }
    echo "with the planted bug $bug: $(head -n 1 "$work/found")"
done <"$work/bugs"
