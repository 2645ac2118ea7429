#!/bin/sh
# test_core_memories.sh TOOL RTL WORK : the memories that explain lists are those that tern_core and tern_small instantiate, word for word and bit for bit
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tool=$1 rtl=$2 work=$3/core_memories
command -v iverilog >/dev/null || { echo "SKIP: needs iverilog"; exit 77; }
mkdir -p "$work" && cd "$work" || exit 1
failed=0
fail() { # ends at a message that is all that a test of a planted mistake wants to see
    echo "FAILED: $*"
    failed=1
    [ -z "${TERN_STOP_AT-}" ] || ! echo "FAILED: $*" | grep -q "$TERN_STOP_AT" || exit 1
}
ln -sfn "$rtl" rtl # names without blanks, wherever the tree lies
rtl=rtl
# the small core; the data memory is four arrays of one module, the program is one
sources=$(cat rtl/tern_small.f)
instances_small=$(cat "$rtl"/small/*.v | grep -cE '^ *tern_(ram|block|spram|data|micro_rom) #')
seed=0 n=0
while [ "$n" -lt 8 ] && [ "$seed" -lt 200 ]; do
    seed=$((seed + 1))
    lanes=$((1 << (seed % 3)))
    status=0
    "$tool" small $seed $lanes >list || status=$?
    [ $status -ne 3 ] || continue
    [ $status -eq 0 ] || { fail "network $seed"; continue; }
    n=$((n + 1))
    # listed: the four arrays of the data memory; in the Verilog: weights of either kind (one memory, two)
    [ "$(($(wc -l <list) - 1))" -eq "$((instances_small + 3 - (seed % 2 == 1 ? 1 : 2)))" ] || fail "$(($(wc -l <list) - 1)) memories of the small core are listed, the Verilog has $instances_small"
    {
        echo 'module tb;'
        echo "  tern_small #($(head -n 1 list)) dut (.clk_i(1'b0), .rst_i(1'b0), .host_valid_i(1'b0), .host_ready_o(), .host_write_i(1'b0), .host_addr_i(32'd0),"
        echo "    .host_wdata_i(32'd0), .host_rvalid_o(), .host_rdata_o(), .busy_o());"
        echo '  initial begin'
        sed -n '2,$s/^\([^ ]*\) .*/\1/p' list | while read -r path; do
            case $path in
            u_data.*2) echo "    \$display(\"$path %0d %0d\", \$bits(dut.$path[0]), dut.u_data.REST);" ;;
            u_data.*) echo "    \$display(\"$path %0d 256\", \$bits(dut.$path[0]));" ;;
            *.u_rom.mem) echo "    \$display(\"$path %0d 1024\", \$bits(dut.$path[0]));" ;;
            *.u_rom.far) echo "    \$display(\"$path %0d 512\", \$bits(dut.$path[0]));" ;;
            *) echo "    \$display(\"$path %0d %0d\", dut.$path.WIDTH, dut.$path.DEPTH);" ;;
            esac
        done
        echo '    $finish;'
        echo '  end'
        echo 'endmodule'
    } >tb.v
    iverilog -g2012 -s tb -o tb.vvp tb.v $sources 2>err.txt && vvp -n tb.vvp | grep '^[ug]_' >found ||
        { head -5 err.txt; fail "small core, network $seed with $lanes lanes does not elaborate"; continue; }
    sed -n '2,$p' list >wanted
    cmp -s wanted found || { diff wanted found; fail "small core, network $seed, $lanes lanes (above: < listed, > in the Verilog)"; }
done
[ "$n" -eq 8 ] || fail "only $n networks for the small core"
sources=$(cat rtl/tern_core.f)
# an instance that is not listed would go unnoticed below
instances=$(cat "$rtl"/core/*.v "$rtl"/blocks/*.v | grep -cE '^ *tern_(bank|ram|regfile) #')
for case in "0 4" "1 4" "2 1" "3 32" "5 8" "8 2" "13 16" "21 4" "22 4" "23 8"; do
    set -- $case
    "$tool" net "$1" "$2" >list || { fail "network $1"; continue; }
    [ "$1" != 0 ] || [ "$(($(wc -l <list) - 1))" -eq "$instances" ] || fail "$(($(wc -l <list) - 1)) memories are listed, the Verilog has $instances"
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
        { head -5 err.txt; fail "network $1 with $2 lanes does not elaborate"; continue; }
    sed -n '2,$p' list >wanted
    cmp -s wanted found || { diff wanted found; fail "network $1, $2 lanes (above: < listed, > in the Verilog)"; }
done
[ "$failed" -eq 0 ] && echo "core memories: $instances memories, 10 networks; small core: $n networks; all as listed"
exit "$failed"
