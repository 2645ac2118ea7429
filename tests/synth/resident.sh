#!/bin/sh
# resident.sh TERN SOURCE WORK BOARD : the Verilog takes the capacities of a board's resident core, and its memories become as many blocks as the planner counts
# SPDX-License-Identifier: Apache-2.0
#
# As chip.sh: the synthesis is run as far as memories are mapped; what the script does before it is done here as well.
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3/resident_$4 board=$4
. "$source/tests/synth/fake_synth.sh"
begin_synth yosys
case $board in
icebreaker) flow="synth_ice40 -device u -dsp -spram" rams='SB_RAM40' ;;
hx8k-evn) flow="synth_ice40 -device hx" rams='SB_RAM40' ;;
*) flow=synth_ecp5 rams='DP16KD\|PDPW16KD' ;;
esac
PATH=$bin:$PATH TERN_SHARE=$source "$tern" synth --resident --board $board --until netlist -o design --json >report.json 2>err.txt || { cat err.txt; exit 1; }
cd design || exit 1
{
    quick_script tern_top
    echo "$flow -top tern_top -run begin:map_ffram"
    echo 'tee -q -o ../stat.json stat -json'
} >../memories.ys
"$yosys" -q ../memories.ys >../yosys.log 2>&1 || { tail -5 ../yosys.log; exit 1; }
cd ..
planned() { sed -n "s/.*\"estimate\":{[^}]*\"$1\":\([0-9]*\)[,}].*/\1/p" report.json; }
echo "$board: $(count "$rams") block RAMs, $(count SB_SPRAM) single-port RAMs"
[ "$(count "$rams")" = "$(planned block_rams)" ] || fail "the planner counts $(planned block_rams) block RAMs"
[ "$(count SB_SPRAM)" = "$(planned single_port_rams)" ] || fail "the planner counts $(planned single_port_rams) single-port RAMs"
exit $failed
