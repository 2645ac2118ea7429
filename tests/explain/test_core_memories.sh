#!/bin/sh
# test_core_memories.sh TOOL RTL WORK : the memories that explain lists are those that tern_core instantiates, word for word and bit for bit
# SPDX-License-Identifier: Apache-2.0
set -u
tool=$1 rtl=$2 work=$3/core_memories
command -v iverilog >/dev/null || { echo "SKIP: needs iverilog"; exit 77; }
mkdir -p "$work" && cd "$work" || exit 1
failed=0
sources=$(sed "s#^#$rtl/../#" "$rtl/tern_core.f")
# an instance that is not listed would go unnoticed below
instances=$(cat "$rtl"/core/*.v "$rtl"/blocks/*.v | grep -cE '^ *tern_(bank|ram|regfile) #')
for case in "0 4" "1 4" "2 1" "3 32" "5 8" "8 2" "13 16" "21 4" "22 4" "23 8"; do
    set -- $case
    "$tool" net "$1" "$2" >list || { echo "FAILED: network $1"; failed=1; continue; }
    [ "$1" != 0 ] || [ "$(($(wc -l <list) - 1))" -eq "$instances" ] || { echo "FAILED: $(($(wc -l <list) - 1)) memories are listed, the Verilog has $instances"; failed=1; }
    {
        echo 'module tb;'
        echo "  tern_core #($(head -n 1 list)) dut (.clk_i(1'b0), .rst_i(1'b0), .host_valid_i(1'b0), .host_ready_o(), .host_write_i(1'b0), .host_addr_i(32'd0),"
        echo "    .host_wdata_i(32'd0), .host_rvalid_o(), .host_rdata_o(), .busy_o());"
        echo '  initial begin'
        sed -n '2,$s/^\([^ ]*\) .*/    $display("\1 %0d %0d", dut.\1.WIDTH, dut.\1.DEPTH);/p' list
        echo '    $finish;'
        echo '  end'
        echo 'endmodule'
    } >tb.v
    iverilog -g2005 -s tb -o tb.vvp tb.v $sources 2>err.txt && vvp -n tb.vvp | grep '^[ug]_' >found ||
        { echo "FAILED: network $1 with $2 lanes does not elaborate:"; head -5 err.txt; failed=1; continue; }
    sed -n '2,$p' list >wanted
    cmp -s wanted found || { echo "FAILED: network $1, $2 lanes (< listed, > in the Verilog):"; diff wanted found; failed=1; }
done
[ "$failed" -eq 0 ] && echo "core memories: $instances memories, 10 networks, all as listed"
exit "$failed"
