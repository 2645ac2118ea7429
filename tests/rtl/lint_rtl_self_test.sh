#!/bin/sh
# Shows that each rule of lint_rtl.sh can fail: a copy of the tree passes, and with one thing broken it does not.
#     sh lint_rtl_self_test.sh lint_rtl.sh ROOT VERILATOR IVERILOG YOSYS
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 5 ] || { echo "usage: lint_rtl_self_test.sh lint_rtl.sh ROOT VERILATOR IVERILOG YOSYS" >&2; exit 2; }
lint=$1 root=$2 verilator=$3 iverilog=$4 yosys=$5
for t in "$verilator" "$iverilog" "$yosys"; do command -v "$t" >/dev/null 2>&1 || { echo "SKIP: needs $t"; exit 77; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

copy() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/runtime" "$work/tree/docs"
    cp -R "$root/rtl" "$work/tree/rtl"
    cp -R "$root/runtime/blocks" "$work/tree/runtime/blocks"
    cp "$root/docs/31-blocks.md" "$root/docs/36-link.md" "$root/docs/37-synthesis.md" "$root/docs/42-bridges.md" "$root/docs/43-small-core.md" "$work/tree/docs/"
}
expect() { # STATUS RULE TEXT [TOOL [SETS]]
    status=0
    sh "$lint" "$2" "$work/tree" ${4:+"$4" "${5:-1}"} >"$work/out" 2>&1 || status=$?
    if [ "$status" -ne "$1" ] || { [ "$1" -eq 1 ] && ! grep -q -e "$3" "$work/out"; }; then
        echo "rule $2: exit status $status instead of $1, or the answer does not tell '$3'" >&2
        head -n 10 "$work/out" >&2
        failed=1
    fi
}
append() { # FILE TEXT: before the last line
    sed '$d' "$1" >"$work/part"
    printf '%s\n' "$2" >>"$work/part"
    echo '`default_nettype wire' >>"$work/part"
    cp "$work/part" "$1"
}
inside() { # FILE TEXT: inside its module
    awk -v text="$2" '/^endmodule/ { print text } { print }' "$1" >"$work/part"
    cp "$work/part" "$1"
}

for rule in pairs memories files; do
    copy
    expect 0 "$rule" ''
done
copy; rm "$work/tree/rtl/blocks/tern_trace.v"; expect 1 pairs 'only in runtime/blocks: tern_trace'
copy; cp "$work/tree/rtl/blocks/tern_trace.v" "$work/tree/rtl/blocks/tern_extra.v"; expect 1 pairs 'only in rtl/blocks: tern_extra'
copy; sed 's/tern_trace()/tern_trance()/' "$root/rtl/blocks/tern_trace.v" >"$work/tree/rtl/blocks/tern_trace.v"; expect 1 pairs 'no such function: tern_trance()'
copy; sed 's/tern_regfile/register file/' "$root/docs/31-blocks.md" >"$work/tree/docs/31-blocks.md"; expect 1 pairs 'does not name tern_regfile'
copy; sed 's/tern_crc/checksum/' "$root/docs/36-link.md" >"$work/tree/docs/36-link.md"; expect 1 pairs '36-link.md: does not name tern_crc'
copy; sed 's/tern_stream/the pass/' "$root/docs/43-small-core.md" >"$work/tree/docs/43-small-core.md"; expect 1 pairs '43-small-core.md: does not name tern_stream'
copy; sed '/^| neuron |/d' "$root/docs/31-blocks.md" >"$work/tree/docs/31-blocks.md"; expect 1 pairs 'no row for neuron'
copy; inside "$work/tree/rtl/core/tern_fire.v" '  reg [7:0] store_q [0:15];'; expect 1 memories 'tern_fire.v'
copy; inside "$work/tree/rtl/core/tern_fire.v" '  reg store_q [0:15];'; expect 1 memories 'tern_fire.v'
copy; inside "$work/tree/rtl/blocks/tern_tapsum.v" '  reg signed [SUM_W-1:0] c_q [0:3];'; expect 1 memories 'tern_tapsum.v'
copy; inside "$work/tree/rtl/core/tern_fire.v" '  initial state_q = 0;'; expect 1 files 'tern_fire.v:.*initial'
copy; sed '/tern_kernel/d' "$root/rtl/tern_small.f" >"$work/tree/rtl/tern_small.f"; expect 1 files 'tern_kernel.v is not in rtl/tern_small.f'
copy; append "$work/tree/rtl/core/tern_fire.v" 'module tern_second; endmodule'; expect 1 files 'not exactly one module'
copy; sed '$d' "$root/rtl/core/tern_fire.v" >"$work/tree/rtl/core/tern_fire.v"; expect 1 files 'the last line'
copy; cp "$work/tree/rtl/core/tern_draw.v" "$work/tree/rtl/core/tern_other.v"; expect 1 files 'tern_other.v is not in'
copy; sed '/tern_crc/d' "$root/rtl/tern_link.f" >"$work/tree/rtl/tern_link.f"; expect 1 files 'tern_crc.v is not in rtl/tern_link.f'
copy; inside "$work/tree/rtl/core/tern_fire.v" '`ifdef OTHER'; expect 1 files 'OTHER'

for rule in verilator iverilog yosys; do
    copy
    eval "expect 0 $rule '' \"\$$rule\""
done
copy; inside "$work/tree/rtl/core/tern_fire.v" '  wire [3:0] narrow = k_q + 9'"'"'d1;'
expect 1 verilator 'WIDTH' "$verilator"
copy; inside "$work/tree/rtl/core/tern_fire.v" '  assign done_o = undeclared_name;'
expect 1 iverilog 'undeclared_name' "$iverilog"
copy; inside "$work/tree/rtl/core/tern_fire.v" '  assign idle_o = clamp_i;'
expect 1 yosys 'yosys, tern_core, parameters' "$yosys"
# of one set of parameters only: seen in the design of all sets, then reported for this one
copy; inside "$work/tree/rtl/core/tern_core.v" '  generate if (LANES == 1) begin : g_planted wire lost; wire read = ~lost; end endgenerate'
expect 1 yosys 'yosys, tern_core, parameters: .*LANES=1' "$yosys" 2
# without its check an illegal number of lanes goes unnoticed or fails without its name; a rule needs a case, a case a rule, a parameter a row in its page
parameters() { # TEXT ARGUMENT...
    text=$1 status=0
    shift
    sh "$(dirname "$lint")/parameters.sh" "$@" >"$work/out" 2>&1 || status=$?
    if [ "$status" -ne 1 ] || ! grep -q -e "$text" "$work/out"; then
        echo "parameters.sh $*: exit status $status instead of 1, or the answer does not tell '$text'" >&2
        head -n 10 "$work/out" >&2
        failed=1
    fi
}
with_cases() { mkdir -p "$work/tree/tests/rtl"; cp "$root/tests/rtl/parameters.txt" "$work/tree/tests/rtl/"; }
copy; with_cases; sed 's/tern_core_error_LANES[A-Za-z0-9_]* u_error ();//' "$root/rtl/core/tern_core.v" >"$work/tree/rtl/core/tern_core.v"
parameters 'LANES_is_not' verilator "$work/tree" "$verilator" 1
parameters 'LANES_is_not' iverilog "$work/tree" "$iverilog" 1
parameters 'LANES_is_not' yosys "$work/tree" "$yosys" 1
parameters 'tern_core_error_LANES_is_not_1_2_4_8_16_32 of .* is no rule' list "$work/tree"
copy; with_cases; sed '/TAP_W=/d' "$root/tests/rtl/parameters.txt" >"$work/tree/tests/rtl/parameters.txt"
parameters 'breaks tern_small_error_TAP_W_is_not_9' list "$work/tree"
copy; with_cases; sed '/^| `ACC_W`/d' "$root/docs/43-small-core.md" >"$work/tree/docs/43-small-core.md"
parameters 'no row for ACC_W of tern_small' list "$work/tree"

# a memory that is read without a clock cannot become block RAM
copy
sed -e 's/if (re_i) rdata_q <= mem\[.*//' -e 's/= rdata_q;/= mem[raddr_i[PA-1:0]];/' "$root/rtl/mem/tern_ram.v" >"$work/tree/rtl/mem/tern_ram.v"
status=0
sh "$(dirname "$lint")/memories.sh" "$yosys" "$work/tree" ice40 >"$work/out" 2>&1 || status=$?
if [ "$status" -ne 1 ] || ! grep -q 'becomes flip-flops' "$work/out"; then
    echo "memories.sh: exit status $status instead of 1" >&2
    head -n 10 "$work/out" >&2
    failed=1
fi
exit "$failed"
