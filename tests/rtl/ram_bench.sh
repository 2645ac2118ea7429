#!/bin/sh
# ram_bench.sh IVERILOG ROOT : tern_ram_bench.v as it is, and with each bug that its lines `//! mutant` name
# SPDX-License-Identifier: Apache-2.0
set -eu
iverilog=$1 root=$2
command -v "$iverilog" >/dev/null && command -v vvp >/dev/null || { echo "SKIP: needs iverilog"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$root/tests/rtl/tern_ram_bench.v
run() { "$iverilog" -g2005 "$@" -s tern_ram_bench -o "$work/bench" "$bench" "$root/rtl/mem/tern_ram.v" && vvp -n "$work/bench" >"$work/out"; }
run
grep '^memories: .* as written$' "$work/out" || { cat "$work/out"; exit 1; }
for bug in $(sed -n 's|^//! mutant  *[^ ]* *ram_bench *||p' "$bench"); do
    run "-DTERN_TESTBUG_$bug"
    grep -q '^FAILED: ' "$work/out" || { echo "the planted bug $bug is not found"; exit 1; }
    echo "with the planted bug $bug: $(grep '^FAILED: ' "$work/out")"
done
