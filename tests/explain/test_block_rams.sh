#!/bin/sh
# test_block_rams.sh TOOL RTL WORK : block RAMs as counted are those that Yosys makes of rtl/mem
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tool=$1 rtl=$2 work=$3/block_rams
command -v yosys >/dev/null || { echo "SKIP: needs yosys"; exit 77; }
mkdir -p "$work" && cd "$work" || exit 1
failed=0
fail() { # ends at a message that is all that a test of a planted mistake wants to see
    echo "FAILED: $*"
    failed=1
    [ -z "${TERN_STOP_AT-}" ] || ! echo "FAILED: $*" | grep -q "$TERN_STOP_AT" || exit 1
}
ln -sfn "$rtl" rtl # names without blanks, wherever the tree lies
unset TMPDIR # likewise
# Yosys runs as far as memories are mapped, as in tests/synth/chip.sh
rtl=rtl
# of the small core: its program and its data memory in block RAM, its weights in single-port RAM
single="32:3048 32:16384 32:20000 16:17000 24:100"
{
    echo 'module top(input clk, input [31:0] a, input [31:0] d, input we, input re, output [4095:0] q);'
    echo '  wrom urom (clk, a[9:0], q[0 +: 20]);'
    echo '  wdata udata (clk, {we, we}, a, d, re, a[31:16], q[32 +: 32]);'
    n=1
    for s in $single; do n=$((n + 1)); echo "  s$n u$n (clk, we, re, a, d, q[32*$n +: 32]);"; done
    echo 'endmodule'
    echo '(* keep_hierarchy *) module wrom(input clk, input [9:0] a, output [19:0] q); tern_micro_rom #(.PC_W(10)) u (clk, a, q); endmodule'
    echo '(* keep_hierarchy *) module wdata(input clk, input [1:0] we, input [15:0] wa, input [31:0] d, input re, input [15:0] ra, output [31:0] q);'
    echo "  tern_data #(.DEPTH(1260), .ADDR_W(11), .INIT(8192'd77)) u (clk, we, wa[10:8] == 3'd0, wa[10:0], d, re, ra[10:8] == 3'd0, ra[10:0], q);"
    echo 'endmodule'
    n=1
    for s in $single; do
        n=$((n + 1))
        echo "(* keep_hierarchy *) module s$n(input clk, input we, input re, input [31:0] a, input [31:0] d, output [31:0] q);"
        echo "  tern_spram #(.WIDTH(${s%:*}), .DEPTH(${s#*:}), .ADDR_W(15)) u (clk, we, re, a[14:0], d[$((${s%:*} - 1)):0], q[$((${s%:*} - 1)):0]);"
        echo 'endmodule'
    done
} >small.v
yosys -q -p "read_verilog $rtl/mem/tern_data.v $rtl/mem/tern_spram.v $rtl/small/tern_micro_rom.v small.v; synth_ice40 -device u -spram -top top -run begin:map_ffram; tee -o small.txt stat" >small.log 2>&1 ||
    { tail -3 small.log; fail "yosys, small core"; }
made() { # MODULE CELL
    awk -v m="=== $1 ===" -v cell="$2" '$0 == m { on = 1; next } /^===/ { on = 0 } on && index($0, cell) { for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9]+$/) r += $i } END { printf "%d", r }' small.txt
}
alike() { # WHAT COUNTED MADE
    [ "$2" = "$3" ] || fail "$1: counted $2, Yosys makes $3"
}
alike program "$("$tool" map ice40 20 1024 | cut -d' ' -f1)" "$(made wrom SB_RAM40_4K)"
alike "data memory" $((2 * $("$tool" map ice40 16 1260 | cut -d' ' -f1))) "$(made wdata SB_RAM40_4K)"
n=1
for s in $single; do n=$((n + 1)); alike "single-port $s" "$("$tool" single "${s%:*}" "${s#*:}")" "$(made s$n SB_SPRAM256KA) $(made s$n SB_RAM40_4K)"; done
singles=$n
# width and depth: wide words of several slices, thin and deep, packing of address groups into one block, both sides of "too small for a block"
shapes="64:1020 128:25 16:1400 1:3000 5:700 32:512 38:16 16:4 21:64 9:4100 36:600 4:256"
{
    echo 'module top(input clk, input [31:0] we, input [15:0] wa, input [15:0] ra, input re, input [127:0] d, output [4095:0] q);'
    n=0
    for s in $shapes; do echo "  w$n u$n (clk, we, wa, ra, re, d, q[128*$n +: 128]);"; n=$((n + 1)); done
    echo 'endmodule'
    n=0
    for s in $shapes; do
        w=${s%:*} d=${s#*:}
        a=1; while [ $((1 << a)) -lt "$d" ]; do a=$((a + 1)); done
        echo "(* keep_hierarchy *) module w$n(input clk, input [31:0] we, input [15:0] wa, input [15:0] ra, input re, input [127:0] d, output [127:0] q);"
        echo "  tern_ram #(.WIDTH($w), .DEPTH($d), .ADDR_W($a)) u (.clk_i(clk), .we_i(we[$(((w + 31) / 32 - 1)):0]), .waddr_i(wa[$((a - 1)):0]), .wdata_i(d[$((w - 1)):0]), .re_i(re),"
        echo "    .raddr_i(ra[$((a - 1)):0]), .rdata_o(q[$((w - 1)):0]));"
        echo 'endmodule'
        n=$((n + 1))
    done
} >shapes.v
for family in ice40 ecp5; do
    yosys -q -p "read_verilog $rtl/mem/tern_ram.v shapes.v; synth_$family -top top -run begin:map_ffram; tee -o $family.txt stat" >$family.log 2>&1 || { tail -3 $family.log; fail "yosys, $family"; continue; }
    n=0
    for s in $shapes; do
        found=$(awk -v m="=== w$n ===" '$0 == m { on = 1; next } /^===/ { on = 0 } on && /SB_RAM40_4K|DP16KD|PDPW16KD/ { for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9]+$/) r += $i }
            on && /DPR16X4/ { for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9]+$/) l += $i } END { printf "%d %d", r, l }' $family.txt)
        wanted=$("$tool" map $family "${s%:*}" "${s#*:}" | cut -d' ' -f1,2)
        [ "$found" = "$wanted" ] || fail "$family, $s: counted '$wanted' block and small RAMs, Yosys makes '$found'"
        n=$((n + 1))
    done
done
n=$((n + singles))
[ "$failed" -eq 0 ] && echo "block RAMs: $n shapes on two families as Yosys makes them"
exit "$failed"
