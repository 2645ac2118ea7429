#!/bin/sh
# check.sh TERN SOURCE WORK : the design of every model, as it is synthesised, has no latches, no combinational loops,
# no undriven or doubly driven wires
# SPDX-License-Identifier: Apache-2.0
#
# Yosys reads the sources once for all designs; those below rtl/boards are read for each, with its numbers.
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3
. "$source/tests/synth/fake_synth.sh"
begin_synth yosys
ln -s "$source" tree # a name without blanks, wherever the tree lies
n=0 designs=''
chip=rtl/boards/tern_chip.v
same() { # the design in the folder $1 has the sources of the tree, in the order of the first one
    sed -n 's/^read_verilog -I\. //p' "$1/tern_synth.ys" | grep -v '^rtl/boards/' >files.txt
    [ -s first.txt ] || { cp files.txt first.txt; (cd "$source" && xargs sha256sum) <first.txt >first.sums; }
    cmp files.txt first.txt && (cd "$1" && xargs sha256sum) <files.txt | cmp - first.sums
}
common() { sed "s,.*,read_verilog -defer tree/&," first.txt; } # their reading; elaborated is only what a design has
examine() { # folders: what was examined last is in design.txt
    {
        common
        echo 'design -save sources'
        for d; do
            printf 'design -load sources\ntee -q -o design.txt log %s\nread_verilog -I%s %s/%s\n' "$d" "$d" "$d" $chip
            # Wires that nothing reads and attributes go before the modules are joined: that halves the time. Constants
            # stay where they are, so more is looked at than what a synthesis would keep.
            echo 'hierarchy -check -top tern_chip; proc -noopt; opt_clean -purge; setattr -unset src */*'
            echo 'flatten; opt_clean -purge'
            echo 'check -assert; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr; scc -expect 0'
        done
        echo 'tee -q -o design.txt log none'
    } >check.ys
    "$yosys" -q check.ys >check.log 2>&1
}
design() { # NAME WORDS...
    name=$1
    shift
    PATH=$bin:$PATH "$tern" synth "$@" --force --until netlist -o "$name" >out.txt 2>err.txt ||
        { fail "$name"; cat err.txt; return 1; }
    same "$name" || { fail "$name has other sources"; return 1; }
    designs="$designs $name" n=$((n + 1))
}
for model in "$source"/models/*/*.lua; do
    design "$(basename "$model" .lua)" "$model" --target ecp5-85k --lanes 2
done
for case in "digits2 up5k 2" "tiny up5k 1" "tiny hx8k 2" "tiny ecp5-25k 1"; do # weights in single-port or block RAM
    set -- $case
    name=small_$1_$2
    design "$name" "$source/models/$1/$1.lua" --target "$2" --lanes "$3" --core small || continue
    grep -q 'localparam SMALL *= *[13];' "$name/$1.vh" || fail "$case has not the small core"
done
examine $designs || { fail "$(cat design.txt)"; tail -5 check.log; }
# planted mistakes
for bug in latch loop undriven twice; do
    cp -r small_tiny_up5k bug_$bug
    case $bug in
    latch) text='reg l; always @* if (rx_i) l = clk_i; assign led_o = l;' ;;
    loop) text='wire l = !(l \& rx_i); assign led_o = l;' ;;
    undriven) text='wire l; assign led_o = rx_i \& l;' ;;
    twice) text='wire l; assign l = rx_i; assign l = rx_i \& clk_i; assign led_o = l;' ;;
    esac
    sed -i "s/^endmodule/$text\nendmodule/; s/\.led_o(led_o)/.led_o()/" bug_$bug/$chip
    case $bug in
    latch) text='ERROR: .*selection is not empty: t:.dlatch' ;;
    loop) text='Warning: found logic loop' ;;
    undriven) text='Warning: Wire .* is used but has no driver' ;;
    twice) text='Warning: multiple conflicting drivers' ;;
    esac
    examine bug_$bug && fail "a planted $bug was not found"
    grep -q "bug_$bug" design.txt && grep -q "$text" check.log ||
        { fail "a planted $bug is not what was found"; cat check.log; }
done
# The tops of the boards: ports, parameters and the family's cells go together, with the PLL and without. The modules
# of all boards of a family stand in one design, with a number in their names; equal chips are the same module.
tops() { # FAMILY CELLS...
    family=$1
    shift
    {
        printf 'read_verilog -lib -D NO_ICE40_DEFAULT_ASSIGNMENTS %s\n' "$*"
        common
        for pll in ice40 ecp5; do echo "read_verilog tree/rtl/boards/tern_pll_$pll.v"; done
        for d in top_"$family"_*/; do
            d=${d%/}
            key=$(cat "$d/tern_network.vh" "$d/tiny.vh" | grep -v '^ *//' | cksum | tr ' ' _) # of the chip's numbers
            if [ ! -f "chip_$key.v" ]; then
                sed "s/module tern_chip\>/module tern_chip_$key/" "$d/$chip" >"chip_$key.v"
                echo "read_verilog -I$d chip_$key.v"
            fi
            top=$(sed -n 's/^read_verilog -I\. \(.*tern_top\.v\)$/\1/p' "$d/tern_synth.ys")
            sed "s/module tern_top\>/module $d/; s/\<tern_chip\>/tern_chip_$key/" "$d/$top" >"$d.v"
            echo "read_verilog -I$d $d.v"
        done
        echo "read_verilog tops_$family.v"
        echo 'hierarchy -check -top tops'
    } >tops.ys
    {
        echo 'module tops;'
        for d in top_"$family"_*/; do echo "  ${d%/} u_${d%/} ();"; done
        echo endmodule
    } >"tops_$family.v"
    "$yosys" -q tops.ys >tops.log 2>&1
}
for board in "$source"/rtl/boards/*/; do
    board=$(basename "$board")
    case $board in icebreaker | upduino3 | hx8k-evn) family=ice40 ;; *) family=ecp5 ;; esac
    for freq in 12 25 48 24; do
        d=top_${family}_$(echo "$board" | tr - _)_$freq
        PATH=$bin:$PATH FAKE_MHZ=90 "$tern" synth "$source/models/tiny/tiny.lua" --board "$board" --lanes 1 --force \
            --freq $freq -o "$d" >out.txt 2>err.txt || { fail "$board at $freq MHz"; cat err.txt; continue; }
        same "$d" || fail "$board at $freq MHz has other sources"
    done
    for pin in $(sed -n 's/^ *\(input\|output\) *wire *\([a-z0-9_]*\).*/\2/p' "$source/rtl/boards/$board/tern_top.v"); do
        grep -qw "$pin" "$source"/rtl/boards/"$board"/*.[pl][cp]f || fail "$board: no place for $pin"
    done
done
tops ice40 +/ice40/cells_sim.v || { fail "tops of iCE40"; tail -3 tops.log; }
tops ecp5 +/ecp5/cells_sim.v +/ecp5/cells_bb.v || { fail "tops of ECP5"; tail -3 tops.log; }
[ $failed -eq 0 ] && echo "$n designs: no latches, no loops, nothing undriven"
exit $failed
