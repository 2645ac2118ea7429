#!/bin/sh
# hostport_self.sh : lint.hostport sees a wrong number wherever the map of the host port stands
# SPDX-License-Identifier: Apache-2.0
#
#     hostport_self.sh TEST ROOT WORK
export LC_ALL=C
set -u
test=$1 root=$2 work=$3
rm -rf "$work"
mkdir -p "$work" || exit 1
failed=0
expect() { # file sed-expression words
    rm -rf "$work/tree"
    mkdir -p "$work/tree/docs" && cp -r "$root/rtl" "$work/tree/" || exit 1
    cp "$root/docs/33-host-port.md" "$root/docs/42-bridges.md" "$work/tree/docs/" || exit 1
    sed -i "$2" "$work/tree/$1"
    cmp -s "$root/$1" "$work/tree/$1" && { echo "FAILED: nothing changed in $1 by $2"; failed=1; }
    "$test" "$work/tree" >"$work/said.txt" 2>&1
    if [ $? -ne 1 ] || ! grep -q -e "$3" "$work/said.txt"; then
        echo "FAILED: $1, $2: no '$3'"
        cat "$work/said.txt"
        failed=1
    fi
}
"$test" "$root" || failed=1
expect docs/33-host-port.md 's/^| 13 | `SPIKE`/| 14 | `SPIKE`/' 'the table of regions is not'
expect docs/33-host-port.md 's/^| 64 | `STEP`/| 63 | `STEP`/' 'the table of registers is not'
expect docs/42-bridges.md 's/^| 0x0010 | `WINDOW`/| 0x0020 | `WINDOW`/' 'the table of slave is not'
expect docs/42-bridges.md 's/^| 0x80000006 | `END`/| 0x80000007 | `END`/' 'the table of stream is not'
expect rtl/core/tern_memories.v "s/RG_KAP = 5'd22/RG_KAP = 5'd23/" 'RG_KAP = 23 is not in'
expect rtl/small/tern_small.v "s/RG_EK = 8'd14/RG_EK = 8'd16/" 'RG_EK = 16 is not in'
expect rtl/bridge/tern_bus.v "s/R_WINDOW = 3'd4/R_WINDOW = 3'd7/" 'R_WINDOW = 7 is not in'
expect rtl/bridge/tern_axis.v "s/R_END = 3'd6/R_END = 3'd5/" 'R_END = 5 is not in'
expect rtl/core/tern_control.v "s/24'd46: cfg_gamma_q/24'd62: cfg_gamma_q/" 'register 46 is not GAMMA'
expect rtl/core/tern_control.v "s/7'd68: *reg_rdata = winner_i/7'd69: reg_rdata = winner_i/" 'register 68 is not WINNER'
expect rtl/core/tern_control.v \
    "s/7'd4:  reg_rdata = cycles_q;/&\n      7'd5:  reg_rdata = cycles_q;/" 'registers, tern_hostport.h has'
expect rtl/core/tern_control.v \
    's/clamp_q       <= host_wdata_i\[2\]/clamp_q       <= host_wdata_i[3]/' "no 'clamp_q       <= host_wdata_i.2.'"
[ $failed -eq 0 ] && rm -rf "$work"
exit $failed
