// tern_baseline.v : what is subtracted from the learning signal, one neuron at a time
// SPDX-License-Identifier: Apache-2.0
//
// Function  g[k] = sat(rs(sum of kap e, 21), 13), q = rs(g g, 4); D' = D - (D >> bs) + sum q;                    [N-20]
//           n = sum q (w - b); b' = b + sign(n) ((|n| + D'/2) div D'), or b if D' = 0
// C model   runtime/blocks/tern_baseline.c
// Cycles    busy for 40 + 33 n, n = K sums (IW: 1), from the fourth cycle after last_i; bit-serial multiplication and
//           division
// Numerics  sums 43 bits, n 59 bits signed; |n| < 2^32 D', so the quotient has 32 bits
`default_nettype none

module tern_baseline #(
  parameter SAMPLE_W = 3,
  parameter BASE_AW  = 6      // address bits: neurons with a baseline
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                begin_i,     // pulse: a pass begins, the next neuron is the first
  output wire                busy_o,
  // averages from tern_learn, product_i two cycles after the rest
  input  wire                valid_i,
  input  wire                first_i,     // first of a sum
  input  wire                end_i,       // last of a sum
  input  wire                last_i,      // last of the neuron
  input  wire [SAMPLE_W-1:0] sample_i,    // number of the sum
  input  wire [31:0]         product_i,
  // learning signals: w - b of sample_o is there two cycles after re_o
  output wire                re_o,
  output wire [SAMPLE_W-1:0] sample_o,
  input  wire [32:0]         diff_i,
  // memory: baselines, {D, b}; tern_learn reads the word before it sends the first product
  output wire [BASE_AW-1:0]  addr_o,
  input  wire [63:0]         rdata_i,
  output wire                we_o,
  output wire [63:0]         wdata_o,
  // config
  input  wire [2:0]          cfg_shift_i,      // bs
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire                cfg_common_i      // IW: one sum over all samples
);
  localparam [2:0] ST_IDLE = 3'd0, ST_SHIFT = 3'd1, ST_READ = 3'd2, ST_SQUARE = 3'd3, ST_MUL = 3'd4, ST_SIZE = 3'd5,
      ST_DIV = 3'd6, ST_WRITE = 3'd7;
  reg  [2:0]          state_q;
  reg  [BASE_AW-1:0]  addr_q;
  reg  [SAMPLE_W-1:0] k_q;
  reg  [4:0]          n_q;       // bit counter
  reg  [63:0]         sum_q;     // sum of products; n; |n| + D'/2; remainder and quotient
  reg  [52:0]         work_q;    // D 2^(8 - bs), then (w - b) 2^bit
  reg  [31:0]         weight_q;  // D'
  reg  [23:0]         square_q;  // g g + 8; q is bits 23..4
  reg                 minus_q, valid1_q, valid2_q, first1_q, first2_q, end1_q, end2_q, end3_q, last1_q, last2_q,
      last3_q;
  reg  [SAMPLE_W-1:0] sample1_q, sample2_q, sample3_q;
`ifdef TERN_TESTBUG_BASELINE_SAMPLE_MORE
  wire                k_end = (k_q > cfg_sample_last_i);
`else
  wire                k_end = cfg_common_i || (k_q == cfg_sample_last_i);
`endif
  wire [31:0]         b = rdata_i[31:0];

  // ---- averaged errors: |g| is all that is needed; for a negative sum rounding up is rounding ~sum --------
  wire [21:0] g_floor = sum_q[42:21] ^ {22{sum_q[42]}};
  wire [12:0] g_round = {1'b0, g_floor[11:0]} + {12'd0, sum_q[20] ^ sum_q[42]};
  wire [11:0] g_size  = (g_floor[21:12] != 10'd0 || g_round[12]) ? 12'hfff : g_round[11:0];
  wire [11:0] g;
  tern_ram #(.WIDTH(12), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_g (
    .clk_i(clk_i), .we_i(end3_q), .waddr_i(sample3_q), .wdata_i(g_size), .re_i(state_q == ST_READ), .raddr_i(k_q),
    .rdata_o(g)
  );

  // ---- one adder for sums, n and |n| + D'/2 ---------------------------------------
  wire        minus = sum_q[58];
  wire        size  = (state_q == ST_SIZE);
  wire [58:0] sum_a = size && minus ? ~sum_q[58:0] : (valid2_q && first2_q) ? 59'd0 : sum_q[58:0];
  wire [58:0] sum_b = valid2_q ? {{27{product_i[31]}}, product_i} : size ? {28'd0, weight_q[31:1]} :
      {{6{work_q[52]}}, work_q};
  wire [58:0] sum_d = sum_a + sum_b + {58'd0, size && minus};
  wire        add   = valid2_q || size || (state_q == ST_MUL && square_q[4]);

  // ---- square, decay, division --------------------------------------------------------
  // + 8: it rounds
  wire [23:0] square_d = {square_q[22:0], 1'b0} + (g[n_q[3:0]] ? {12'd0, g} : 24'd0) + {23'd0, n_q == 5'd3};
  wire [32:0] rest     = sum_q[63:31];
  wire [33:0] rest_d   = {1'b0, rest} - {2'd0, weight_q};
  wire        divides  = !rest_d[33];
  wire        unused_rest = rest_d[32];
`ifdef TERN_TESTBUG_BASELINE_SHIFT
  wire        shifts   = n_q[2:0] < ~cfg_shift_i;
`else
  wire        shifts   = n_q[2:0] <= ~cfg_shift_i; // 8 - bs times
`endif

  always @(posedge clk_i) begin
    valid1_q  <= valid_i;           valid2_q  <= valid1_q;
    first1_q  <= first_i;           first2_q  <= first1_q;
    end1_q    <= valid_i && end_i;  end2_q    <= end1_q;    end3_q    <= end2_q;
    last1_q   <= valid_i && last_i; last2_q   <= last1_q;   last3_q   <= last2_q;
    sample1_q <= sample_i;          sample2_q <= sample1_q; sample3_q <= sample2_q;
    n_q       <= n_q - 5'd1;
    if (add) sum_q[58:0] <= sum_d;
    case (state_q)
      ST_IDLE: begin
        work_q <= {21'd0, rdata_i[63:32]};
        n_q    <= 5'd0;
        k_q    <= {SAMPLE_W{1'b0}};
        if (last3_q) state_q <= ST_SHIFT;
`ifdef TERN_TESTBUG_BASELINE_NEXT_EARLY
        if (last3_q) addr_q <= addr_q + 1'b1;
`endif
      end
      ST_SHIFT: begin // D >> bs is 8 bits up in the end
        if (shifts) work_q <= {work_q[51:0], 1'b0};
        weight_q <= rdata_i[63:32] - work_q[39:8];
        sum_q    <= 64'd0;
        n_q      <= n_q + 5'd1;
        if (n_q == 5'd5) state_q <= ST_READ;
      end
      ST_READ: begin
        square_q <= 24'd0;
        n_q      <= 5'd11;
        state_q  <= ST_SQUARE;
      end
      ST_SQUARE: begin // most significant bit first
        square_q <= square_d;
        work_q   <= {{20{diff_i[32]}}, diff_i};
        if (n_q == 5'd0) begin
          n_q     <= 5'd19;
          state_q <= ST_MUL;
        end
      end
      ST_MUL: begin // least significant bit of q first
        if (n_q == 5'd19) weight_q <= weight_q + {12'd0, square_q[23:4]};
        work_q   <= {work_q[51:0], 1'b0};
        square_q <= {1'b0, square_q[23:1]};
        if (n_q == 5'd0) begin
          k_q     <= k_q + 1'b1;
          state_q <= k_end ? ST_SIZE : ST_READ;
        end
      end
      ST_SIZE: begin
        minus_q <= minus;
        n_q     <= 5'd31;
        state_q <= ST_DIV;
      end
      ST_DIV: begin
        sum_q <= {divides ? rest_d[31:0] : rest[31:0], sum_q[30:0], divides};
        if (n_q == 5'd0) state_q <= ST_WRITE;
      end
      default: begin
        addr_q  <= addr_q + 1'b1;
        state_q <= ST_IDLE;
      end
    endcase
    if (begin_i) addr_q <= {BASE_AW{1'b0}};
    if (rst_i) begin
      state_q  <= ST_IDLE;
      valid1_q <= 1'b0; valid2_q <= 1'b0;
      end1_q   <= 1'b0; end2_q   <= 1'b0; end3_q  <= 1'b0;
      last1_q  <= 1'b0; last2_q  <= 1'b0; last3_q <= 1'b0;
    end
  end

  wire [31:0] move = (weight_q == 32'd0) ? 32'd0 : sum_q[31:0];
`ifdef TERN_TESTBUG_BASELINE_SIGN
  wire        down = 1'b0;
  wire unused_bug  = &{1'b0, minus_q};
`else
  wire        down = minus_q;
`endif
  assign busy_o   = (state_q != ST_IDLE);
  assign re_o     = (state_q == ST_READ);
  assign sample_o = k_q;
  assign addr_o   = addr_q;
  assign we_o     = (state_q == ST_WRITE);
  assign wdata_o  = {weight_q, b + (move ^ {32{down}}) + {31'd0, down}};
endmodule

`default_nettype wire
