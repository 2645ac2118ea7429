// tern_uart_phase.v : the bit time of a serial line, for any rate up to a quarter of the clock
// SPDX-License-Identifier: Apache-2.0
//
// Function  A counter of the phase within a bit, whose step is the fraction BAUD / CLK_HZ; tick_o when it overflows.
//           The average rate is exact to 0.4 %, each tick to one clock. While hold_i is 1 the phase stays near one
//           half, so the ticks behind it are in the middle of bits that begin with it.
// C model   none; docs/36-link.md, section 2
// Latency   combinational from the counter
`default_nettype none

module tern_uart_phase #(
  // Clock in Hz, at most 400,000,000.
  parameter CLK_HZ = 12000000,
  // Bits per second, 300 to CLK_HZ / 4.
  parameter BAUD   = 115200
) (
  input  wire clk_i,
  input  wire hold_i,
  output wire tick_o
);
  generate
    if (CLK_HZ > 400000000) begin : g_check_clock
      tern_uart_phase_error_CLK_HZ_is_above_400000000 u_error ();
    end
    if (BAUD < 300 || CLK_HZ / 4 < BAUD) begin : g_check_rate
      tern_uart_phase_error_BAUD_is_not_within_300_and_a_quarter_of_CLK_HZ u_error ();
    end
  endgenerate

  localparam PHASE_W = $clog2(CLK_HZ / BAUD) + 8;
  // 2^PHASE_W BAUD / CLK_HZ, rounded: long division, which needs no more than 32 bits
  function [PHASE_W-1:0] fraction;
    input integer baud;
    integer rest, i;
    begin
      fraction = {PHASE_W{1'b0}};
      rest     = baud;
      for (i = 0; i < PHASE_W; i = i + 1) begin
        rest     = 2 * rest;
        fraction = {fraction[PHASE_W-2:0], (rest >= CLK_HZ)};
        if (rest >= CLK_HZ) rest = rest - CLK_HZ;
      end
      if (2 * rest >= CLK_HZ) fraction = fraction + 1'b1;
    end
  endfunction
  localparam [PHASE_W-1:0] STEP = fraction(BAUD);
  // The first low sample of a start bit is half a clock behind its edge on average, an overflow half a step behind its
  // time, and counting begins one clock later.
`ifdef TERN_TESTBUG_LINK_SAMPLE_EDGE
  localparam [PHASE_W-1:0] START = {PHASE_W{1'b0}};
`else
  localparam [PHASE_W-1:0] START = {1'b1, {(PHASE_W-1){1'b0}}} + STEP;
`endif

  reg  [PHASE_W-1:0] phase_q;
  wire [PHASE_W:0]   phase_d = {1'b0, phase_q} + {1'b0, STEP};
  always @(posedge clk_i) phase_q <= hold_i ? START : phase_d[PHASE_W-1:0];
  assign tick_o = phase_d[PHASE_W] && !hold_i;
endmodule

`default_nettype wire
