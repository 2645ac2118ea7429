#!/bin/sh
# board_mutant.sh : mistakes of a core that only a board in use shows: resident_rtl.sh or small_rtl.sh must see each of them, and there where it shows
# SPDX-License-Identifier: Apache-2.0
#
#     board_mutant.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD SOURCE BOARDS resident|small
export LC_ALL=C
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
    case $kind in
    resident) sh "$here/resident_rtl.sh" "$tern" "$make" "$get" "$check" "$odd" "$source" "$boards" small "$share" ;;
    small) sh "$here/small_rtl.sh" "$tern" "$make" "$get" "$check" "$odd" "$source" "$boards" "$share" ;;
    esac >"$share/log" 2>&1
    got=$?
    first=$(sed -n 's/^FAILED: .* differ: //p' "$share/log" | head -n 1)
    echo "$1: exit status $got, first difference: $first"
    [ $got -eq 1 ] && [ "$first" = "$4" ] || { echo "FAILED: $1 was not found where it shows"; cat "$share/log"; failed=1; }
}
tern=$1 make=$2 get=$3 check=$4 odd=$5 boards=$7 kind=$8
case $kind in
resident)
    # sums of taps are made again for a new network: without that the second load of a board runs with what the first one made
    plant "taps of the network before" rtl/small/tern_small.v "s/^ *if (hwrite \&\& (region == RG_TAPS.*dirty_q <= 1'b1;\$//" "tiny, measured"
    # lags of the network, not of the core: tiny has 7 of 8
    plant "lags of the core" rtl/small/tern_small.v "s/lag_last_q *<= host_wdata_i\[LAG_W-1:0\]/lag_last_q <= LAGS_W[LAG_W-1:0] - 1'b1/" "tiny"
    ;;
small)
    # histories of a network that continues are read when it is saved, and written when the training continues
    plant "histories are not read" rtl/small/tern_small.v "s/3'd2: *rdata = hist_wide\[.*\]/& \& 32'd0/" "net, histories that continue, another rate"
    plant "histories are not written" rtl/small/tern_small.v "s/{HIST_S{hwrite \&\& (region == RG_HIST || region == RG_SELF)}}/{HIST_S{hwrite \&\& region == RG_SELF}}/" "net, measured"
    ;;
*) exit 2 ;;
esac
exit $failed
