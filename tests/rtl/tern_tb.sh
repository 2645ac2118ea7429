#!/bin/sh
# tern_tb.sh IVERILOG ROOT : rtl/tern_tb.v with either core; a wrong value of a register after reset is seen, and ends with a failure status
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
iverilog=$1 root=$2
command -v "$iverilog" >/dev/null && command -v vvp >/dev/null || { echo "SKIP: needs iverilog"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
make() { # LIST WITH-OTHER-tern_axis.v OPTIONS
    list=$1 axis=$2
    shift 2
    # shellcheck disable=SC2046 # a list of files
    "$iverilog" -g2005 -DTERN_CHECK_RAM "$@" -s tern_tb -o "$work/tb" $(cat "rtl/$list.f" rtl/tern_bridge.f | awk '!there[$0]++' | grep -v tern_axis.v) "$axis" rtl/tern_tb.v
}
make tern_core rtl/bridge/tern_axis.v
vvp -n "$work/tb" | tee "$work/out" | grep -x 'tern_tb: passed' || { cat "$work/out"; exit 1; }
make tern_small rtl/bridge/tern_axis.v -DTERN_TB_SMALL
vvp -n "$work/tb" | tee "$work/out" | grep -x 'tern_tb: passed' || { cat "$work/out"; exit 1; }
sed "s/end_q  *<= 24'd0/end_q <= 24'd1/" rtl/bridge/tern_axis.v >"$work/tern_axis.v"
! cmp -s rtl/bridge/tern_axis.v "$work/tern_axis.v" || { echo "FAILED: nothing was planted"; exit 1; }
make tern_core "$work/tern_axis.v"
! vvp -n "$work/tb" >"$work/out" || { echo "FAILED: a wrong register ends with status 0"; cat "$work/out"; exit 1; }
grep '^tern_tb: check 46: 00000001 instead of 00000000' "$work/out"
