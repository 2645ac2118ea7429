#!/bin/sh
# board_ready.sh IVERILOG ROOT WORK : tern_board stays in reset until its clock is ready and 16 clocks more, and is reset when the clock fails
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
iverilog=$1 root=$2 work=$3
command -v "$iverilog" >/dev/null && command -v vvp >/dev/null || { echo "SKIP: needs iverilog"; exit 77; }
mkdir -p "$work"
cat >"$work/bench.v" <<'V'
`timescale 1ns/1ns
module bench;
  reg clk = 1'b0, ready = 1'b0;
  always #5 clk = !clk;
  wire tx, led;
  tern_board #(.BAUD(3000000)) dut (.clk_i(clk), .ready_i(ready), .rx_i(1'b1), .tx_o(tx), .led_o(led));
  integer n, failed = 0, held;
  task expect_reset(input wanted, input [8*40-1:0] what);
    if (dut.rst !== wanted || dut.core_rst_q !== wanted) begin
      $display("FAILED: %0s: reset is %b, of the core %b", what, dut.rst, dut.core_rst_q);
      failed = 1;
    end
  endtask
  initial begin
    for (n = 0; n < 100; n = n + 1) begin
      @(negedge clk);
      expect_reset(1'b1, "before the clock is ready");
    end
    repeat (2) begin
      #3 ready = 1'b1; // at any time
      held = 0;
      while (dut.rst && held < 100) begin
        @(negedge clk);
        held = held + 1;
      end
      if (held < 16 || held > 20) begin
        $display("FAILED: reset was held for %0d clocks", held);
        failed = 1;
      end
      repeat (50) @(negedge clk);
      expect_reset(1'b0, "while the clock is ready");
      #2 ready = 1'b0;
      repeat (6) @(negedge clk);
      expect_reset(1'b1, "when the clock has failed");
    end
    if (failed) $fatal;
    $display("board: reset until the clock is ready");
    $finish;
  end
endmodule
V
cd "$root"
run() { # BOARD: the bench with this tern_board
    # shellcheck disable=SC2046 # a list of files
    "$iverilog" -g2005 -s bench -o "$work/bench" "$work/bench.v" "$1" $(cat rtl/tern_core.f rtl/tern_link.f | awk '!there[$0]++' | grep -v tern_board.v)
    vvp -n "$work/bench" >"$work/out" && grep -q '^board: reset until' "$work/out" && ! grep -q FAILED "$work/out"
}
run rtl/link/tern_board.v || { cat "$work/out"; exit 1; }
cat "$work/out"
# each of these would be seen: the clock's word ignored, reset too short, not again when the clock fails, the core not with the link
for bug in 's/if (!ready_q\[1\]) power_q <= 5.d0;/if (1'"'"'b0) power_q <= 5'"'"'d0;/' 's/!power_q\[4\]/!power_q[2]/g' 's/if (!ready_q\[1\]) power_q/if (!ready_q[1] \&\& !power_q[4]) power_q/' 's/core_rst_q <= rst || core_rst/core_rst_q <= core_rst/'; do
    sed "$bug" rtl/link/tern_board.v >"$work/tern_board.v"
    ! cmp -s rtl/link/tern_board.v "$work/tern_board.v" || { echo "FAILED: nothing was planted by $bug"; exit 1; }
    ! run "$work/tern_board.v" || { echo "FAILED: not seen: $bug"; exit 1; }
done
