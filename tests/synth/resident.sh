#!/bin/sh
# resident.sh TERN SOURCE WORK BOARD : the Verilog takes the capacities of a board's resident core, and its memories become as many blocks as the planner counts
# SPDX-License-Identifier: Apache-2.0
#
# As chip.sh: the synthesis is run as far as memories are mapped.
set -u
tern=$1 source=$2 work=$3/resident_$4 board=$4
command -v yosys >/dev/null || { echo "SKIP: needs yosys"; exit 77; }
case $board in
icebreaker) flow="synth_ice40 -device u -dsp -spram" rams='SB_RAM40' ;;
hx8k-evn) flow="synth_ice40 -device hx" rams='SB_RAM40' ;;
*) flow=synth_ecp5 rams='DP16KD\|PDPW16KD' ;;
esac
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
bin=$work/bin
. "$source/tests/synth/fake_synth.sh"
fake_synth
PATH=$bin:$PATH TERN_SHARE=$source "$tern" synth --resident --board $board --until netlist -o design --json >report.json 2>err.txt || { cat err.txt; exit 1; }
cd design || exit 1
{
    sed '/^synth_/,$d' tern_synth.ys
    echo "$flow -top tern_chip -run begin:map_ffram"
    echo 'tee -q -o ../stat.json stat -json'
} >../memories.ys
yosys -q ../memories.ys >../yosys.log 2>&1 || { tail -5 ../yosys.log; exit 1; }
cd ..
count() { sed -n '/"design"/,$p' stat.json | sed -n "s/^ *\"\($1\)[A-Z0-9_]*\": *\([0-9]*\).*/\2/p" | awk '{ n += $1 } END { print n + 0 }'; }
planned() { sed -n "s/.*\"estimate\":{[^}]*\"$1\":\([0-9]*\)[,}].*/\1/p" report.json; }
failed=0
echo "$board: $(count "$rams") block RAMs, $(count SB_SPRAM) single-port RAMs"
[ "$(count "$rams")" = "$(planned block_rams)" ] || { echo "FAILED: the planner counts $(planned block_rams) block RAMs"; failed=1; }
[ "$(count SB_SPRAM)" = "$(planned single_port_rams)" ] || { echo "FAILED: the planner counts $(planned single_port_rams) single-port RAMs"; failed=1; }
exit $failed
