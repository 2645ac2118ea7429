// formal_tapsum.v : tern_tapsum is the sum of the taps that are chosen, three cycles later, for all inputs
// SPDX-License-Identifier: Apache-2.0
//
// The reference adds one tap after the other; with GROUPS 1, for sums too long for that, groups of 4 and 16 as the
// module says (the sum is exact, so they are the same). Taps are made into pairs as tern_taps does. Inputs are those of
// four cycles at most, so 4 cycles from any state are all that there is.
//! files   blocks/tern_tapsum
//! solver  bits dc2
//! bound   4
//! reach   6
//! set     TAPS=5 TAP_W=3 SUM_W=6 GROUPS=0
//! set     TAPS=17 TAP_W=1 SUM_W=6 GROUPS=1
//! mutant  unsigned a_sum TAPSUM_UNSIGNED
`default_nettype none

module formal_tapsum #(
  parameter TAPS   = 13,
  parameter TAP_W  = 4,
  parameter SUM_W  = 9,
  parameter GROUPS = 0
) (
  input wire                  clk_i,
  input wire [TAPS-1:0]       bits_i,
  input wire [TAPS*TAP_W-1:0] taps_i  // two's complement
);
  localparam PAIRS  = (TAPS + 1) / 2;
  localparam PAIR_W = 2 * TAP_W + 1;

  // taps do not change while sums are under way
  reg [1:0]            f_age = 2'd0;
  reg [TAPS*TAP_W-1:0] f_taps;
  always @(posedge clk_i) begin
    f_taps <= taps_i;
    if (f_age != 2'd3) f_age <= f_age + 2'd1;
  end
  always @* if (f_age != 2'd0) assume (taps_i == f_taps);

  // a pair is {z, D / 2, S / 2} with S = a + b, D = a - b; the base is the sum of all S / 2, rounded up
  wire [PAIRS*PAIR_W-1:0] pairs;
  wire [2*PAIRS*TAP_W-1:0] padded = {{(2*PAIRS*TAP_W){1'b0}}, taps_i};
  wire [PAIRS*SUM_W-1:0]  upper;
  genvar p;
  generate
    for (p = 0; p < PAIRS; p = p + 1) begin : g_pair
      wire signed [TAP_W-1:0] a = padded[2*p*TAP_W +: TAP_W];
      wire signed [TAP_W-1:0] b = padded[(2*p+1)*TAP_W +: TAP_W];
      wire signed [TAP_W:0]   s = a + b;
      wire signed [TAP_W:0]   d = a - b;
      wire signed [TAP_W+1:0] s1 = s + 1;
      assign pairs[p*PAIR_W +: PAIR_W] = {s[0], d[TAP_W:1], s[TAP_W:1]};
      assign upper[p*SUM_W +: SUM_W] = {{(SUM_W){s1[TAP_W+1]}}, s1[TAP_W:1]};
    end
  endgenerate
  reg [SUM_W-1:0] base;
  integer         i;
  always @* begin
    base = {SUM_W{1'b0}};
    for (i = 0; i < PAIRS; i = i + 1) base = base + upper[i*SUM_W +: SUM_W];
  end

  wire [SUM_W-1:0] sum;
  tern_tapsum #(.TAPS(TAPS), .TAP_W(TAP_W), .SUM_W(SUM_W)) dut (.clk_i(clk_i), .bits_i(bits_i), .pairs_i(pairs),
      .base_i(base), .sum_o(sum));

  reg [SUM_W-1:0] f_1, f_2, f_3, add, four, sixteen;
  integer         n;
  always @* begin
    add = {SUM_W{1'b0}};
    four = {SUM_W{1'b0}};
    sixteen = {SUM_W{1'b0}};
    for (n = 0; n < TAPS; n = n + 1) begin
      if (GROUPS == 0 || n % 4 == 0) four = {SUM_W{1'b0}};
      if (GROUPS == 0 || n % 16 == 0) sixteen = {SUM_W{1'b0}};
      four = four + (bits_i[n] ? {{SUM_W{taps_i[n*TAP_W + TAP_W-1]}}, taps_i[n*TAP_W +: TAP_W]} : {SUM_W{1'b0}});
      if (GROUPS == 0 || n % 4 == 3 || n == TAPS - 1) sixteen = sixteen + four;
      if (GROUPS == 0 || n % 16 == 15 || n == TAPS - 1) add = add + sixteen;
    end
  end
  always @(posedge clk_i) begin
    f_1 <= add;
    f_2 <= f_1;
    f_3 <= f_2;
  end
  always @* if (f_age == 2'd3) begin
    a_sum: assert (sum == f_3);
    c_all: cover (f_3[SUM_W-1] && &bits_i);
  end
endmodule

`default_nettype wire
