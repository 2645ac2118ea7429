#!/bin/sh
# boards.sh TERN SOURCE WORK FAMILY : pins, clock and PLL of every board of a family through the real tools to a bitstream, with a small circuit instead of core and link
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3_$4 family=$4
. "$source/tests/synth/fake_synth.sh"
case $family in
ice40) needs="nextpnr-ice40 icepack" boards="icebreaker upduino3 hx8k-evn" freqs="12 24" flow=synth_ice40 ;;
ecp5) needs="nextpnr-ecp5 ecppack" boards="ulx3s-85f colorlight-i5 orangecrab" freqs="25 40" flow=synth_ecp5 ;;
*) exit 2 ;;
esac
begin_synth yosys $needs
pnr=$(tool ${needs% *}) pack=$(tool ${needs#* })
cat >chip.v <<'V'
module tern_chip #(parameter CLK_HZ = 1, parameter BAUD = 1, parameter BUFFER_AW = 9) (input wire clk_i, input wire ready_i, input wire rx_i, output wire tx_o, output wire led_o);
  reg [15:0] n_q = 16'd0;
  reg        rx_q;
  always @(posedge clk_i) begin
    n_q  <= n_q + 16'd1;
    rx_q <= rx_i && ready_i;
  end
  assign tx_o  = rx_q;
  assign led_o = n_q[15];
endmodule
V
for board in $boards; do
    for freq in $freqs; do
        d=$board-$freq
        # the generated clock, and the words that nextpnr is given, are those of `tern synth`; the stand-ins of the tools keep the latter
        PATH=$bin:$PATH FAKE_MHZ=90 FAKE_ARGUMENTS=$work/arguments "$tern" synth "$source/models/tiny/tiny.lua" --board $board --lanes 1 --force --freq $freq -o $d >out.txt 2>err.txt || { fail "$d"; cat err.txt; continue; }
        cp chip.v $d/chip.v
        (
            cd $d || exit 1
            "$yosys" -q -p "read_verilog -I. chip.v; read_verilog -I. rtl/boards/tern_pll_$family.v rtl/boards/$board/tern_top.v; $flow -top tern_top; write_json netlist.json" &&
                "$pnr" $(cat ../arguments) >nextpnr.txt 2>&1
        ) >$d/log 2>&1 || { fail "$d: $(grep -h ERROR $d/log $d/nextpnr.txt | head -3)"; continue; }
        case $family in
        ice40) "$pack" $d/routed_1.asc $d/out.bin && [ "$(wc -c <$d/out.bin)" -gt 100000 ] || fail "$d: no bitstream" ;;
        ecp5) (cd $d && "$pack" --compress routed_1.config out.bit) >/dev/null 2>&1 && [ "$(wc -c <$d/out.bit)" -gt 50000 ] || fail "$d: no bitstream" ;;
        esac
        grep -q "PLL = 1" $d/tern_clock.vh && pll=1 || pll=0
        used=$(sed -n 's/.*\(ICESTORM_PLL\|EHXPLLL\): *\([0-9]*\)\/.*/\2/p' $d/nextpnr.txt | head -1)
        [ "${used:-0}" = $pll ] || fail "$d: ${used:-no} PLL was used, wanted $pll"
        grep -qi 'unconstrained' $d/nextpnr.txt && fail "$d: a pin has no place"
        echo "$d: PLL $pll, $(sed -n 's/.*Max frequency for clock *\(.*\)/\1/p' $d/nextpnr.txt | tail -1)"
    done
done
exit $failed
