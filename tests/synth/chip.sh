#!/bin/sh
# chip.sh TERN SOURCE WORK FAMILY : every memory of a core becomes block RAM or small RAM, none that is large becomes registers, as many blocks as the planner counts, and every
# multiplier a multiplier block
# SPDX-License-Identifier: Apache-2.0
#
# One way and one product: the counts below are of this core, whatever the planner would choose for the target.
# The synthesis is run as far as memories and multipliers are mapped; the rest takes the most time and does not change them.
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3/chip_$4 family=$4
. "$source/tests/synth/fake_synth.sh"
begin_synth yosys
lanes=1
case $family in
ice40) target=up5k lanes=4 flow="synth_ice40 -device u -dsp" ;; # 8 multipliers
ecp5) target=ecp5-25k flow=synth_ecp5 ;;
gowin) target=gw2a-18 flow=synth_gowin ;;
xc7) target=xc7a35t flow="synth_xilinx -family xc7 -flatten" ;;
*) exit 2 ;;
esac
# the design as `tern synth` writes it, and what the planner says
PATH=$bin:$PATH "$tern" synth "$source/models/reward/reward.lua" --target $target --lanes $lanes --ways 1 --prep 1 --force --until netlist -o design --json >report.json 2>err.txt || { cat err.txt; exit 1; }
cd design || exit 1
{
    quick_script tern_chip
    echo "$flow -top tern_chip -run begin:map_ffram"
    echo 'tee -q -o ../stat.json stat -json'
    echo 'tee -q -o ../left.txt dump t:$mem*'
} >../memories.ys
"$yosys" -q ../memories.ys >../yosys.log 2>&1 || { tail -5 ../yosys.log; exit 1; }
cd ..
case $family in
ice40) rams=$(count SB_RAM40) dsps=$(count SB_MAC16) wanted_dsps=8 ;;
ecp5) rams=$(count 'DP16KD\|PDPW16KD') dsps=$(count MULT18X18D) wanted_dsps=5 ;;
gowin) rams=$(count 'SDP\|DP\|SP') dsps=$(count MULT18X18) wanted_dsps=5 ;;
xc7) rams=$(count RAMB18) ; rams=$((rams + 2 * $(count RAMB36))) dsps=$(count DSP48) wanted_dsps=5 ;; # factors of up to 25 bits: one block less
esac
echo "$family: $rams block RAMs, $dsps multiplier blocks"
planned=$(sed -n 's/.*"estimate":{"cells":[0-9]*,"block_rams":\([0-9]*\),.*/\1/p' report.json)
[ -z "$planned" ] || [ "$rams" -eq "$planned" ] || fail "the planner counts $planned block RAMs"
[ "$rams" -ge 14 ] || fail "almost nothing became block RAM" # 16,416 weights of 16 bits are 14 blocks of 18 Kbit
[ "$dsps" = $wanted_dsps ] || fail "$wanted_dsps multiplier blocks expected"
multipliers=$(sed -n 's/.*"estimate":{[^}]*"multipliers":\([0-9]*\)}.*/\1/p' report.json)
[ -z "$multipliers" ] || [ "$dsps" -eq "$multipliers" ] || fail "the planner counts $multipliers multiplier blocks"
# what is left becomes registers: register files and memories too small for a block
awk -v most=1024 '
    /parameter \\MEMID/ { name = $3 } /parameter \\SIZE/ { size = $3 } /parameter \\WIDTH/ { width = $3 }
    /^ *end/ { if (size != "") { ++n; if (size * width > most) { print "FAILED: " name ": " size " words of " width " bits become registers"; bad = 1 } } size = "" }
    END { print n + 0 " small memories become registers"; exit bad }' left.txt || failed=1
exit $failed
