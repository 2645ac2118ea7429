#!/bin/sh
# check.sh TERN SOURCE WORK : the design of every model, as it is synthesised, has no latches, no combinational loops, no undriven or doubly driven wires
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3
. "$source/tests/synth/fake_synth.sh"
begin_synth yosys
n=0
examine() { # folder
    (
        cd "$1" || exit 1
        {
            grep '^read_verilog' tern_synth.ys
            echo 'hierarchy -check -top tern_chip; proc; flatten; opt_clean; opt_expr; opt_clean'
            echo 'check -assert; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr; scc -expect 0'
        } >check.ys
        "$yosys" -q check.ys >check.log 2>&1
    )
}
for model in "$source"/models/*/*.lua; do
    name=$(basename "$model" .lua)
    PATH=$bin:$PATH "$tern" synth "$model" --target ecp5-85k --lanes 2 --force --until netlist -o "$name" >out.txt 2>err.txt || { echo "FAILED: $name"; cat err.txt; failed=1; continue; }
    examine "$name" || { echo "FAILED: $name"; tail -5 "$name/check.log"; failed=1; }
    n=$((n + 1))
done
for case in "digits2 up5k 2" "tiny up5k 1" "tiny hx8k 2" "tiny ecp5-25k 1"; do # the small core, weights in single-port or block RAM
    set -- $case
    PATH=$bin:$PATH "$tern" synth "$source/models/$1/$1.lua" --target "$2" --lanes "$3" --core small --force --until netlist -o small >out.txt 2>err.txt || { echo "FAILED: small core, $case"; cat err.txt; failed=1; continue; }
    grep -q 'localparam SMALL *= *[13];' "small/$1.vh" || { echo "FAILED: $case has not the small core"; failed=1; }
    examine small || { echo "FAILED: small core, $case"; tail -5 small/check.log; failed=1; }
    n=$((n + 1))
done
# planted mistakes: a latch, a loop
for bug in latch loop; do
    cp -r tiny bug_$bug
    case $bug in
    latch) text='reg l; always @* if (rx_i) l = clk_i; assign led_o = l;' ;;
    loop) text='wire l = !(l \& rx_i); assign led_o = l;' ;;
    esac
    sed -i "s/^endmodule/$text\nendmodule/; s/\.led_o(led_o)/.led_o()/" bug_$bug/rtl/boards/tern_chip.v
    case $bug in latch) text='ERROR: .*selection is not empty: t:.dlatch' ;; loop) text='Warning: found logic loop' ;; esac
    examine bug_$bug && { echo "FAILED: a planted $bug was not found"; failed=1; }
    grep -q "$text" bug_$bug/check.log || { echo "FAILED: a planted $bug is not what was found"; cat bug_$bug/check.log; failed=1; }
done
# the tops of the boards: ports, parameters and the family's cells go together, with the PLL and without
for board in "$source"/rtl/boards/*/; do
    board=$(basename "$board")
    for freq in 12 25 48 24; do
        PATH=$bin:$PATH FAKE_MHZ=90 "$tern" synth "$source/models/tiny/tiny.lua" --board "$board" --lanes 1 --force --freq $freq -o top >out.txt 2>err.txt || { echo "FAILED: $board at $freq MHz"; cat err.txt; failed=1; continue; }
        case $board in icebreaker | upduino3 | hx8k-evn) cells='+/ice40/cells_sim.v' ;; *) cells='+/ecp5/cells_sim.v +/ecp5/cells_bb.v' ;; esac
        (
            cd top || exit 1
            { echo "read_verilog -lib -D NO_ICE40_DEFAULT_ASSIGNMENTS $cells" && grep '^read_verilog' tern_synth.ys && echo 'hierarchy -check -top tern_top'; } >check.ys
            "$yosys" -q check.ys >check.log 2>&1
        ) || { echo "FAILED: top of $board at $freq MHz"; tail -3 top/check.log; failed=1; }
        for pin in $(sed -n 's/^ *\(input\|output\) *wire *\([a-z0-9_]*\).*/\2/p' "$source/rtl/boards/$board/tern_top.v"); do
            grep -qw "$pin" "$source"/rtl/boards/"$board"/*.[pl][cp]f || { echo "FAILED: $board: no place for $pin"; failed=1; }
        done
    done
done
[ $failed -eq 0 ] && echo "$n designs: no latches, no loops, nothing undriven"
exit $failed
