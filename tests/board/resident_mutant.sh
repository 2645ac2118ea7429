#!/bin/sh
# resident_mutant.sh : mistakes of a core that take a second network, or one smaller than the core, to show: resident_rtl.sh must see each of them
# SPDX-License-Identifier: Apache-2.0
#
#     resident_mutant.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD SOURCE BOARDS
set -u
command -v verilator >/dev/null || { echo "SKIP: needs verilator"; exit 77; }
here=${0%/*} source=$6
share=$(mktemp -d) || exit 1
trap 'rm -rf "$share"' EXIT
failed=0
plant() { # NAME FILE EDIT WHAT-FAILS: the test names the first network that comes out wrong
    rm -rf "$share"
    mkdir -p "$share" && cp -r "$source/rtl" "$source/sim" "$share/" || exit 1
    sed -i "$3" "$share/$2"
    cmp -s "$source/$2" "$share/$2" && { echo "FAILED: $1: nothing to plant in $2"; failed=1; return; }
    sh "$here/resident_rtl.sh" "$tern" "$make" "$get" "$check" "$odd" "$source" "$boards" small "$share" >"$share/log" 2>&1
    got=$?
    first=$(sed -n 's/^FAILED: .* differ: //p' "$share/log" | head -n 1)
    echo "$1: exit status $got, first difference: $first"
    [ $got -eq 1 ] && [ "$first" = "$4" ] || { echo "FAILED: $1 was not found where it shows"; cat "$share/log"; failed=1; }
}
tern=$1 make=$2 get=$3 check=$4 odd=$5 boards=$7
# sums of taps are made anew for a new network: without that the second load of a board runs with what the first one made
plant "taps of the network before" rtl/small/tern_small.v "s/^ *if (hwrite \&\& (region == RG_TAPS.*dirty_q <= 1'b1;\$//" "tiny, measured"
# lags of the network, not of the core: tiny has 7 of 8
plant "lags of the core" rtl/small/tern_small.v "s/lag_last_q *<= host_wdata_i\[LAG_W-1:0\]/lag_last_q <= LAGS_W[LAG_W-1:0] - 1'b1/" "tiny"
exit $failed
