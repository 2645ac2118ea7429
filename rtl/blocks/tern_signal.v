// tern_signal.v : the central processor: discounted log-probabilities and modulators
// SPDX-License-Identifier: Apache-2.0
//
// Function  L[k] = sum of l over visible neurons; v[k] = sat(rs(gamma v[k], 16) - L[k], 32);                           [N-8]
//           if the step learns: E[k] = exp(v[k] - max v) by table, m[k] = (E[k] 2^14 + S/2) div S                      [N-9, N-10]
// C model   runtime/blocks/tern_signal.c
// Cycles    busy for 19 K, and 27 K more if the step learns; bit-serial multiplication and division
`default_nettype none

module tern_signal #(
  parameter SAMPLE_W = 3
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                start_i,      // pulse: all cross-entropies of the step are in
  input  wire                learn_i,
  input  wire                no_visible_i, // the network has no visible neuron: L = 0
  output wire                busy_o,
  // cross-entropies from tern_fire
  input  wire                loss_valid_i,
  input  wire                loss_first_i,
  input  wire [SAMPLE_W-1:0] loss_sample_i,
  input  wire [15:0]         loss_f12_i,
  // memory: log-probabilities
  output wire                v_re_o,
  output wire [SAMPLE_W-1:0] v_raddr_o,
  input  wire [31:0]         v_rdata_i,
  output wire                v_we_o,
  output wire [SAMPLE_W-1:0] v_waddr_o,
  output wire [31:0]         v_wdata_o,
  // memory: modulators
  output wire                m_we_o,
  output wire [SAMPLE_W-1:0] m_waddr_o,
  output wire [15:0]         m_wdata_o,
  // memory: exponential table
  output wire [8:0]          exp_raddr_o,
  input  wire [15:0]         exp_rdata_i,
  // host: L of a sample
  input  wire [SAMPLE_W-1:0] loss_raddr_i,
  output wire [31:0]         loss_rdata_o,
  // config
  input  wire [16:0]         cfg_gamma_f16_i,
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  output wire                sat_logprob_o
`ifdef TERN_COSIM
  ,
  output wire                ev_v_valid_o,
  output wire [SAMPLE_W-1:0] ev_v_sample_o,
  output wire [31:0]         ev_v_before_o,
  output wire [31:0]         ev_v_after_o,
  output wire                ev_m_valid_o,
  output wire [SAMPLE_W-1:0] ev_m_sample_o,
  output wire [15:0]         ev_m_value_o
`endif
);
  localparam [15:0] LN2_F12 = 16'd2839;
  localparam [3:0] ST_IDLE = 4'd0, ST_V_READ = 4'd1, ST_V_MUL = 4'd2, ST_V_WRITE = 4'd3, ST_E_READ = 4'd4, ST_E_SUB = 4'd5, ST_E_RED = 4'd6,
                   ST_E_TABLE = 4'd7, ST_E_STORE = 4'd8, ST_M_LOAD = 4'd9, ST_M_DIV = 4'd10, ST_M_WRITE = 4'd11,
                   ST_E_TABLE2 = 4'd12;
  reg  [3:0]          state_q;
  reg  [SAMPLE_W-1:0] k_q;
  reg  [4:0]          n_q;        // bit counter
  reg  [49:0]         work_q;     // product, reduced argument or dividend
  reg  signed [31:0]  max_q;
  reg  [4:0]          shift_q;
  reg  [20:0]         sum_q;
  reg  [14:0]         quotient_q;
  reg                 zero_q;     // exp is 0
  wire                k_end = (k_q == cfg_sample_last_i);

  // ---- cross-entropy sums -----------------------------------------------------
  wire [31:0] loss_now, loss_host;
  tern_regfile #(.WIDTH(32), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_loss (
`ifdef TERN_TESTBUG_SIGNAL_LOSS_KEPT
    .clk_i(clk_i), .we_i(loss_valid_i), .waddr_i(loss_sample_i), .wdata_i(loss_now + {16'd0, loss_f12_i}),
`else
    .clk_i(clk_i), .we_i(loss_valid_i), .waddr_i(loss_sample_i), .wdata_i((loss_first_i ? 32'd0 : loss_now) + {16'd0, loss_f12_i}),
`endif
    .raddr_a_i(loss_valid_i ? loss_sample_i : k_q), .rdata_a_o(loss_now), .raddr_b_i(loss_raddr_i), .rdata_b_o(loss_host)
  );
  assign loss_rdata_o = loss_host;

  // ---- exp of the samples -------------------------------------------------------
  wire [15:0] e_k, unused_e;
  reg  [15:0] e_wdata_q;
  tern_regfile #(.WIDTH(16), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_exp (
    .clk_i(clk_i), .we_i(state_q == ST_E_STORE), .waddr_i(k_q), .wdata_i(e_wdata_q), .raddr_a_i(k_q), .rdata_a_o(e_k), .raddr_b_i(k_q), .rdata_b_o(unused_e)
  );
  wire unused_read = &{1'b0, unused_e};

  // gamma v: one bit of gamma per cycle, most significant first: work = 2 work + (bit ? v : 0)
  wire signed [49:0] v_ext   = {{18{v_rdata_i[31]}}, v_rdata_i};
  wire        [49:0] mul_d   = {work_q[48:0], 1'b0} + (cfg_gamma_f16_i[n_q] ? v_ext : 50'd0);
  // rs(., 16) - L, then saturation to 32 bits symmetric
`ifdef TERN_TESTBUG_SIGNAL_GAMMA_FLOOR
  wire signed [49:0] rounded = $signed(work_q) >>> 16;
`else
  wire signed [49:0] rounded = $signed(work_q + 50'h8000) >>> 16;
`endif
  wire signed [49:0] v_all   = rounded - (no_visible_i ? 50'd0 : {18'd0, loss_now});
  wire               v_below = v_all < -50'sd2147483647;
  wire               v_above = v_all > 50'sd2147483647;
  wire        [31:0] v_new   = v_below ? 32'h80000001 : v_above ? 32'h7fffffff : v_all[31:0];
  // reduction by ln 2: subtract 2839 2^n where it fits
  wire        [32:0] distance = {max_q[31], max_q} - {v_rdata_i[31], v_rdata_i};
  wire        [49:0] step     = {34'd0, LN2_F12} << n_q;
  wire               fits     = work_q >= step;
  // division: subtract S 2^n where it fits
  wire        [49:0] divisor  = {29'd0, sum_q} << n_q;
  wire               divides  = work_q >= divisor;

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: if (start_i) begin
        state_q <= ST_V_READ;
        k_q     <= {SAMPLE_W{1'b0}};
      end
      ST_V_READ: begin
        work_q  <= 50'd0;
        n_q     <= 5'd16;
        state_q <= ST_V_MUL;
      end
      ST_V_MUL: begin
        work_q <= mul_d;
        n_q    <= n_q - 5'd1;
        if (n_q == 5'd0) state_q <= ST_V_WRITE;
      end
      ST_V_WRITE: begin
`ifdef TERN_TESTBUG_SIGNAL_MAX_OF_FIRST
        if (k_q == {SAMPLE_W{1'b0}}) max_q <= v_new;
`else
        if (k_q == {SAMPLE_W{1'b0}} || $signed(v_new) > max_q) max_q <= v_new;
`endif
        k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
        state_q <= !k_end ? ST_V_READ : learn_i ? ST_E_READ : ST_IDLE;
        sum_q   <= 21'd0;
      end
      ST_E_READ: state_q <= ST_E_SUB;
      ST_E_SUB: begin
        work_q  <= {17'd0, distance};
        zero_q  <= distance >= {17'd0, LN2_F12} * 33'd17;
        n_q     <= 5'd4;
        shift_q <= 5'd0;
        state_q <= ST_E_RED;
      end
      ST_E_RED: begin
        if (fits) work_q <= work_q - step;
        shift_q <= {shift_q[3:0], fits};
        n_q     <= n_q - 5'd1;
        if (n_q == 5'd0) state_q <= ST_E_TABLE;
      end
      ST_E_TABLE: state_q <= ST_E_TABLE2; // the table's word arrives with the next cycle
      ST_E_TABLE2: begin
`ifdef TERN_TESTBUG_SIGNAL_EXP_NOT_SHIFTED
        e_wdata_q <= zero_q ? 16'd0 : exp_rdata_i;
`else
        e_wdata_q <= zero_q ? 16'd0 : exp_rdata_i >> shift_q;
`endif
        state_q   <= ST_E_STORE;
      end
      ST_E_STORE: begin
        sum_q   <= sum_q + {5'd0, e_wdata_q};
        k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
        state_q <= k_end ? ST_M_LOAD : ST_E_READ;
      end
      ST_M_LOAD: begin
`ifdef TERN_TESTBUG_SIGNAL_DIVISION_FLOOR
        work_q     <= {20'd0, e_k, 14'd0};
`else
        work_q     <= {20'd0, e_k, 14'd0} + {30'd0, sum_q[20:1]};
`endif
        n_q        <= 5'd14;
        quotient_q <= 15'd0;
        state_q    <= ST_M_DIV;
      end
      ST_M_DIV: begin
        if (divides) work_q <= work_q - divisor;
        quotient_q <= {quotient_q[13:0], divides};
        n_q        <= n_q - 5'd1;
        if (n_q == 5'd0) state_q <= ST_M_WRITE;
      end
      ST_M_WRITE: begin
        k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
        state_q <= k_end ? ST_IDLE : ST_M_LOAD;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) state_q <= ST_IDLE;
  end

  assign busy_o      = (state_q != ST_IDLE);
  assign v_re_o      = (state_q == ST_V_READ) || (state_q == ST_E_READ);
  assign v_raddr_o   = k_q;
  assign v_we_o      = (state_q == ST_V_WRITE);
  assign v_waddr_o   = k_q;
  assign v_wdata_o   = v_new;
  assign m_we_o      = (state_q == ST_M_WRITE);
  assign m_waddr_o   = k_q;
  assign m_wdata_o   = {1'b0, quotient_q};
  assign exp_raddr_o = work_q[11:3];
  assign sat_logprob_o = (state_q == ST_V_WRITE) && (v_below || v_above);

`ifdef TERN_COSIM
  assign ev_v_valid_o  = (state_q == ST_V_WRITE);
  assign ev_v_sample_o = k_q;
  assign ev_v_before_o = v_rdata_i;
  assign ev_v_after_o  = v_new;
  assign ev_m_valid_o  = (state_q == ST_M_WRITE);
  assign ev_m_sample_o = k_q;
  assign ev_m_value_o  = {1'b0, quotient_q};
`endif
endmodule

`default_nettype wire
