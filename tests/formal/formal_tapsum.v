// formal_tapsum.v : tern_tapsum is the sum of the taps that are chosen, three cycles later, for all inputs
// SPDX-License-Identifier: Apache-2.0
//
// The reference adds one tap after the other; with GROUPS 1, for sums too long for that, groups of 4 and 16 as the module says (the sum is exact, so they are the same). Inputs are those of four cycles at most, so 4 cycles from any state are all that there is.
//! files   blocks/tern_tapsum
//! bound   4
//! reach   6
//! set     TAPS=5 TAP_W=3 SIGNED=1 SUM_W=6 GROUPS=0
//! set     TAPS=17 TAP_W=1 SIGNED=0 SUM_W=5 GROUPS=1
//! set     TAPS=4 TAP_W=9 SIGNED=0 SUM_W=11 GROUPS=1
//! mutant  unsigned a_sum TAPSUM_UNSIGNED
`default_nettype none

module formal_tapsum #(
  parameter TAPS   = 13,
  parameter TAP_W  = 4,
  parameter SIGNED = 1,
  parameter SUM_W  = 9,
  parameter GROUPS = 0
) (
  input wire                  clk_i,
  input wire [TAPS-1:0]       bits_i,
  input wire [TAPS*TAP_W-1:0] taps_i
);
  wire [SUM_W-1:0] sum;
  tern_tapsum #(.TAPS(TAPS), .TAP_W(TAP_W), .SIGNED(SIGNED), .SUM_W(SUM_W)) dut (.clk_i(clk_i), .bits_i(bits_i), .taps_i(taps_i), .sum_o(sum));

  reg [1:0]        f_age = 2'd0;
  reg [SUM_W-1:0]  f_1, f_2, f_3, add, four, sixteen;
  integer          n;
  always @* begin
    add = {SUM_W{1'b0}};
    four = {SUM_W{1'b0}};
    sixteen = {SUM_W{1'b0}};
    for (n = 0; n < TAPS; n = n + 1) begin
      if (GROUPS == 0 || n % 4 == 0) four = {SUM_W{1'b0}};
      if (GROUPS == 0 || n % 16 == 0) sixteen = {SUM_W{1'b0}};
      four = four + (bits_i[n] ? {{(SUM_W-TAP_W){SIGNED != 0 && taps_i[n*TAP_W + TAP_W-1]}}, taps_i[n*TAP_W +: TAP_W]} : {SUM_W{1'b0}});
      if (GROUPS == 0 || n % 4 == 3 || n == TAPS - 1) sixteen = sixteen + four;
      if (GROUPS == 0 || n % 16 == 15 || n == TAPS - 1) add = add + sixteen;
    end
  end
  always @(posedge clk_i) begin
    f_1 <= add;
    f_2 <= f_1;
    f_3 <= f_2;
    if (f_age != 2'd3) f_age <= f_age + 2'd1;
  end
  always @* if (f_age == 2'd3) begin
    a_sum: assert (sum == f_3);
    c_all: cover (f_3 != 0 && f_3[SUM_W-1] == (SIGNED != 0));
  end
endmodule

`default_nettype wire
