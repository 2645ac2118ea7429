// tern_signal.v : the central processor: discounted log-probabilities, modulators, learning signals
// SPDX-License-Identifier: Apache-2.0
//
// Function  L[k] = sum of l over visible neurons; v[k] = sat(rs(gamma v[k], 16) - L[k], 32);                      [N-8]
//           if the step learns:
//             GEM, IW  E[k] = exp(v[k] - max v) by table, m[k] = (E[k] 2^14 + S/2) div S                    [N-9, N-10]
//             IW       w[k] = log R = sat(max v + LN(S) - offset, 32) for all k                            [N-17, N-18]
//             MB       m[k] = a constant, w[k] = rs(rK v[k], 16)
//             REWARD   nothing: w is the host's
// C model   runtime/blocks/tern_signal.c
// Cycles    busy for 20 K; if the step learns 27 K more for GEM, 27 K + 25 for IW, 20 K for MB; bit-serial
//           multiplication and division
`default_nettype none

module tern_signal #(
  parameter SAMPLE_W = 3,
  // 0: rule GEM only, 1: every rule.
  parameter SIGNALS  = 0
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                start_i,      // pulse: all cross-entropies of the step are in
  input  wire                learn_i,
  input  wire                no_visible_i, // the network has no visible neuron: L = 0
  output wire                busy_o,
  // cross-entropies from tern_fire; the sum is read one cycle before
  input  wire                loss_re_i,
  input  wire [SAMPLE_W-1:0] loss_raddr_i,
  input  wire                loss_valid_i,
  input  wire                loss_first_i,
  input  wire [SAMPLE_W-1:0] loss_sample_i,
  input  wire [16:0]         loss_f12_i,
  // memory: {0, sample} log-probabilities v, {1, sample} cross-entropies L of the step, {2, sample} E
  output wire                v_re_o,
  output wire [SAMPLE_W+1:0] v_raddr_o,
  input  wire [31:0]         v_rdata_i,
  output wire                v_we_o,
  output wire [SAMPLE_W+1:0] v_waddr_o,
  output wire [31:0]         v_wdata_o,
  // memory: modulators
  output wire                m_we_o,
  output wire [SAMPLE_W-1:0] m_waddr_o,
  output wire [15:0]         m_wdata_o,
  // memory: learning signals, written with the modulator of the same sample; GEM: 0
  output wire                w_we_o,
  output wire [31:0]         w_wdata_o,
  // memory: tables of exp and log
  output wire [8:0]          exp_raddr_o,
  input  wire [15:0]         exp_rdata_i,
  output wire [7:0]          log_raddr_o,
  input  wire [11:0]         log_rdata_i,
  // config
  input  wire [16:0]         cfg_gamma_f16_i,
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire [1:0]          cfg_rule_i,           // 0 GEM, 1 MB, 2 IW, 3 REWARD
  input  wire [16:0]         cfg_inverse_f16_i,    // rK
  input  wire [14:0]         cfg_mean_f14_i,       // modulator of set 0, MB
  input  wire [17:0]         cfg_log_offset_f12_i, // 45426 + LN(K) - LOG[0]
  output wire                sat_logprob_o
`ifdef TERN_COSIM
  ,
  output wire                ev_v_valid_o,
  output wire [SAMPLE_W-1:0] ev_v_sample_o,
  output wire [31:0]         ev_v_before_o,
  output wire [31:0]         ev_v_after_o,
  output wire                ev_m_valid_o,
  output wire [SAMPLE_W-1:0] ev_m_sample_o,
  output wire [15:0]         ev_m_value_o,
  output wire [31:0]         ev_m_signal_o
`endif
);
  localparam [16:0] LN2_16 = 17'd45424; // 16 ln 2, .12: 16 times 2839
  localparam [19:0] LN2_F16 = 20'd45426;
  localparam [4:0] ST_IDLE = 5'd0, ST_V_READ = 5'd1, ST_V_MUL = 5'd2, ST_V_WRITE = 5'd3, ST_E_READ = 5'd4,
      ST_E_SUB = 5'd5, ST_E_RED = 5'd6,
                   ST_E_TABLE = 5'd7, ST_E_STORE = 5'd8, ST_M_LOAD = 5'd9, ST_M_DIV = 5'd10, ST_M_WRITE = 5'd11,
                       ST_E_TABLE2 = 5'd12,
                   ST_L_LOAD = 5'd13, ST_L_NORM = 5'd14, ST_L_TABLE = 5'd15, ST_L_TABLE2 = 5'd16, ST_L_WRITE = 5'd17,
                   ST_V_LESS = 5'd18, ST_L_LESS = 5'd19;
  localparam [1:0] RULE_MB = 2'd1, RULE_IW = 2'd2, RULE_REWARD = 2'd3;
  wire                mb     = (SIGNALS != 0) && cfg_rule_i == RULE_MB;
  wire                iw     = (SIGNALS != 0) && cfg_rule_i == RULE_IW;
  wire                reward = (SIGNALS != 0) && cfg_rule_i == RULE_REWARD;
  reg  [4:0]          state_q;
  reg  [SAMPLE_W-1:0] k_q;
  reg  [4:0]          n_q;        // bit counter
  reg  [33:0]         value_q;    // product from bit 16 up, then v or w before saturation
  reg  [16:0]         factor_q;   // bits of the factor that are left
  reg  [20:0]         work_q;     // reduced argument, S or remainder
  reg  signed [31:0]  max_q;      // IW: w, from ST_L_WRITE on
  reg  signed [31:0]  v_last_q;   // the v written last, compared with max in the next cycle
  reg                 v_check_q, v_first_q;
  reg                 share_q;    // MB: multiplying by rK, not by gamma
  wire                share = (SIGNALS != 0) && share_q;
  reg  [4:0]          shift_q;
  reg  [20:0]         sum_q;
  reg  [14:0]         quotient_q; // low bits of the dividend, replaced by the quotient
  reg  [16:0]         high_q;     // upper bits of max v - v
  reg                 zero_q;     // exp is 0
  wire                k_end = (k_q == cfg_sample_last_i);

  // ---- cross-entropy sums: v, L and E share a memory, since v is not needed while cross-entropies come in, nor with L
  // or E
  localparam [1:0] AT_V = 2'd0, AT_LOSS = 2'd1, AT_E = 2'd2;
`ifdef TERN_TESTBUG_SIGNAL_LOSS_KEPT
  wire [31:0] loss_d = v_rdata_i + {15'd0, loss_f12_i};
  wire unused_bug_first = loss_first_i;
`else
  wire [31:0] loss_d = (loss_first_i ? 32'd0 : v_rdata_i) + {15'd0, loss_f12_i};
`endif
  // the sum is written a cycle later: more than two cycles lie between cross-entropies of one sample
  reg                loss_we_q;
  reg [SAMPLE_W-1:0] loss_sample_q;
  reg [31:0]         loss_q;
  always @(posedge clk_i) begin
    loss_we_q     <= loss_valid_i && !rst_i;
    loss_sample_q <= loss_sample_i;
    loss_q        <= loss_d;
  end
  reg  [15:0] e_wdata_q;
  reg  [15:0] e_q; // of the next division
  wire        single = (cfg_sample_last_i == {SAMPLE_W{1'b0}}); // its E is not written yet when it is read

  // gamma v (MB: then rK v), rounded: one bit of the factor per cycle, least significant first; what falls off the
  // right end is the fraction
`ifdef TERN_TESTBUG_SIGNAL_INVERSE_IGNORED
  wire        [16:0] factor  = cfg_gamma_f16_i;
  wire unused_bug = &{1'b0, cfg_inverse_f16_i};
`else
  wire        [16:0] factor  = share ? cfg_inverse_f16_i : cfg_gamma_f16_i;
`endif
`ifdef TERN_TESTBUG_SIGNAL_GAMMA_FLOOR
  wire               half    = share && (n_q == 5'd15);
`else
  wire               half    = (n_q == 5'd15);
`endif
  // the half is the adder's carry: a third value in the expression would be a second adder
  wire        [33:0] part    = factor_q[0] ? {{2{v_rdata_i[31]}}, v_rdata_i} : 34'd0;
  wire        [34:0] mul_d   = {value_q[33], value_q[33:1], 1'b1} + {part, half};
  // less L (MB's shares, networks without visible neurons: nothing), which comes late out of its memory; in the next
  // cycle saturation to 32 bits, symmetric
  wire        [33:0] v_all   = value_q - {2'd0, v_rdata_i};
  wire               v_fits  = (value_q[33:31] == {3{value_q[33]}});
  wire               v_below = value_q[33] && (!v_fits || value_q[30:0] == 31'd0);
  wire               v_above = !value_q[33] && !v_fits;
  wire        [31:0] v_new   = v_below ? 32'h80000001 : v_above ? 32'h7fffffff : value_q[31:0];
  // reduction by ln 2, most significant bit of q first: the argument moves left past 16 ln 2
  wire        [32:0] distance = {max_q[31], max_q} - {v_rdata_i[31], v_rdata_i};
  wire        [17:0] red_d    = {1'b0, work_q[16:0]} - {1'b0, LN2_16};
  wire               fits     = !red_d[17];
  wire unused_low = &{1'b0, mul_d[0], rest_d[21]}; // a remainder is below S
  // division: S is subtracted from the remainder where it fits
`ifdef TERN_TESTBUG_SIGNAL_DIVISION_FLOOR
  wire        [30:0] dividend = {1'b0, e_q, 14'd0};
`else
  wire        [30:0] dividend = {1'b0, e_q, 14'd0} + {11'd0, sum_q[20:1]};
`endif
  wire        [21:0] rest     = {work_q, quotient_q[14]};
  wire        [22:0] rest_d   = {1'b0, rest} - {2'd0, sum_q};
  wire               divides  = !rest_d[22];
  // LN(S): 45426 n + 8 is counted down while S is shifted until bit 20 is its leading one; then offset - LN(S), signed
  wire [33:0] w_all; // IW: max v less (offset - LN(S))
  generate
    if (SIGNALS != 0) begin : g_log
      reg  [19:0] log_q;
`ifdef TERN_TESTBUG_SIGNAL_LOG_OFFSET
      wire [19:0] offset = 20'd0;
      wire unused_bug = &{1'b0, cfg_log_offset_f12_i};
`else
      wire [19:0] offset = {2'd0, cfg_log_offset_f12_i};
`endif
      always @(posedge clk_i) begin
        if (state_q == ST_L_LOAD) log_q <= LN2_F16 * 20'd20 + 20'd8;
        if (state_q == ST_L_NORM && !work_q[20]) log_q <= log_q - LN2_F16;
        if (state_q == ST_L_TABLE2) log_q <= offset - {4'd0, log_q[19:4]} - {8'd0, log_rdata_i};
      end
      assign w_all = {{2{max_q[31]}}, max_q} - {{14{log_q[19]}}, log_q};
    end else begin : g_no_log
      assign w_all = 34'd0;
      wire unused_log = &{1'b0, cfg_log_offset_f12_i, log_rdata_i};
    end
  endgenerate

`ifdef TERN_TESTBUG_SIGNAL_EXP_NOT_SHIFTED
  wire [15:0] e_d = zero_q ? 16'd0 : exp_rdata_i;
`else
  wire [15:0] e_d = zero_q ? 16'd0 : exp_rdata_i >> shift_q;
`endif
  always @(posedge clk_i) begin
    if (state_q == ST_E_STORE || state_q == ST_M_WRITE) e_q <= single ? e_wdata_q : v_rdata_i[15:0];
    high_q    <= distance[32:16];
    v_last_q  <= v_new;
    v_check_q <= (state_q == ST_V_WRITE);
    v_first_q <= (k_q == {SAMPLE_W{1'b0}});
`ifdef TERN_TESTBUG_SIGNAL_MAX_OF_FIRST
    if (v_check_q && !share && v_first_q) max_q <= v_last_q;
`else
    if (v_check_q && (v_first_q || v_last_q > max_q)) max_q <= v_last_q;
`endif
    case (state_q)
      ST_IDLE: if (start_i) begin
        state_q <= ST_V_READ;
        k_q     <= {SAMPLE_W{1'b0}};
        share_q <= 1'b0;
      end
      ST_V_READ: begin
        value_q  <= 34'd0;
        factor_q <= factor;
        n_q      <= 5'd0;
        state_q  <= ST_V_MUL;
      end
      ST_V_MUL: begin
        value_q  <= mul_d[34:1];
        factor_q <= {1'b0, factor_q[16:1]};
        n_q      <= n_q + 5'd1;
        if (n_q == 5'd16) state_q <= ST_V_LESS;
      end
      ST_V_LESS: begin
        if (!share && !no_visible_i) value_q <= v_all;
        state_q <= ST_V_WRITE;
      end
      ST_V_WRITE: begin
        k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
        if (k_end) share_q <= mb;
        state_q <= !k_end || (learn_i && mb && !share) ? ST_V_READ : learn_i && !mb && !reward ? ST_E_READ : ST_IDLE;
        sum_q   <= 21'd0;
      end
      ST_E_READ: state_q <= ST_E_SUB;
      ST_E_SUB: begin
        work_q  <= {5'd0, distance[15:0]};
        n_q     <= 5'd4;
        shift_q <= 5'd0;
        state_q <= ST_E_RED;
      end
      ST_E_RED: begin
        work_q  <= {3'd0, fits ? red_d[16:0] : work_q[16:0], 1'b0};
        shift_q <= {shift_q[3:0], fits};
        n_q     <= n_q - 5'd1;
        // in the first cycle the argument is as it was: at least 17 ln 2
        if (n_q == 5'd4) zero_q <= (high_q != 17'd0) || (work_q[15:0] >= 16'd48263);
        if (n_q == 5'd0) state_q <= ST_E_TABLE;
      end
      ST_E_TABLE: state_q <= ST_E_TABLE2; // the table's word arrives with the next cycle
      ST_E_TABLE2: begin
        e_wdata_q <= e_d;
        state_q   <= ST_E_STORE;
      end
      ST_E_STORE: begin
        sum_q   <= sum_q + {5'd0, e_wdata_q};
        k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
        state_q <= !k_end ? ST_E_READ : iw ? ST_L_LOAD : ST_M_LOAD;
      end
      ST_L_LOAD: if (SIGNALS != 0) begin
        work_q  <= sum_q;
        n_q     <= 5'd19;
        state_q <= ST_L_NORM;
      end
      ST_L_NORM: if (SIGNALS != 0) begin
        if (!work_q[20]) work_q <= {work_q[19:0], 1'b0};
        n_q <= n_q - 5'd1;
        if (n_q == 5'd0) state_q <= ST_L_TABLE;
      end
      ST_L_TABLE: if (SIGNALS != 0) state_q <= ST_L_TABLE2;
      ST_L_TABLE2: if (SIGNALS != 0) state_q <= ST_L_LESS;
      ST_L_LESS: if (SIGNALS != 0) begin
        value_q <= w_all;
        state_q <= ST_L_WRITE;
      end
      ST_L_WRITE: if (SIGNALS != 0) begin
        max_q   <= v_new;
        state_q <= ST_M_LOAD;
      end
      ST_M_LOAD: begin
        work_q     <= {5'd0, dividend[30:15]};
        quotient_q <= dividend[14:0];
        n_q        <= 5'd14;
        state_q    <= ST_M_DIV;
      end
      ST_M_DIV: begin
        work_q     <= divides ? rest_d[20:0] : rest[20:0];
        quotient_q <= {quotient_q[13:0], divides};
        n_q        <= n_q - 5'd1;
`ifdef TERN_TESTBUG_SIGNAL_DIVIDES_ON
        if (n_q == 5'd0 && !divides) state_q <= ST_M_WRITE;
`else
        if (n_q == 5'd0) state_q <= ST_M_WRITE;
`endif
      end
      ST_M_WRITE: begin
        k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
        state_q <= k_end ? ST_IDLE : ST_M_LOAD;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) begin
      state_q   <= ST_IDLE;
      v_check_q <= 1'b0;
    end
  end

  assign busy_o      = (state_q != ST_IDLE);
  // reads: v; L behind the last bit of the product; E two cycles before each division, of sample 0 while the last E
  // is in its register
  wire                read_loss = (state_q == ST_V_MUL) && (n_q == 5'd16);
  wire                read_e    = (state_q == ST_E_TABLE2) || (state_q == ST_M_DIV && n_q == 5'd0);
  wire [SAMPLE_W-1:0] k_next    = k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
  assign v_re_o      = loss_re_i || (state_q == ST_V_READ) || (state_q == ST_E_READ) || read_loss || read_e;
`ifdef TERN_TESTBUG_SIGNAL_SAMPLE_KEPT
  wire [SAMPLE_W-1:0] k_read    = share ? {SAMPLE_W{1'b0}} : k_q;
`else
  wire [SAMPLE_W-1:0] k_read    = k_q;
`endif
  assign v_raddr_o   = loss_re_i ? {AT_LOSS, loss_raddr_i} : read_e ? {AT_E, k_next} :
      {read_loss ? AT_LOSS : AT_V, k_read};
  wire                v_we      = (state_q == ST_V_WRITE) && !share;
  wire                e_we      = (state_q == ST_E_STORE);
  assign v_we_o      = v_we || e_we || loss_we_q;
  assign v_waddr_o   = loss_we_q ? {AT_LOSS, loss_sample_q} : {e_we ? AT_E : AT_V, k_q};
  assign v_wdata_o   = loss_we_q ? loss_q : e_we ? {16'd0, e_wdata_q} : v_new;
  wire share_we      = (state_q == ST_V_WRITE) && share;
  assign m_we_o      = (state_q == ST_M_WRITE) || share_we;
  assign m_waddr_o   = k_q;
  assign m_wdata_o   = {1'b0, mb ? cfg_mean_f14_i : quotient_q};
  assign w_we_o      = m_we_o;
  assign w_wdata_o   = mb ? v_new : iw ? max_q : 32'd0;
  assign exp_raddr_o = work_q[16:8]; // the remainder has moved left by 5
`ifdef TERN_TESTBUG_SIGNAL_LOG_INDEX
  assign log_raddr_o = work_q[20:13];
`else
  assign log_raddr_o = work_q[19:12];
`endif
  assign sat_logprob_o = (state_q == ST_V_WRITE || (SIGNALS != 0 && state_q == ST_L_WRITE)) && (v_below || v_above);

`ifdef TERN_COSIM
  reg [31:0] v_before_q, v_less_q; // v, until L has been subtracted
  always @(posedge clk_i) begin
    v_less_q   <= v_rdata_i;
    v_before_q <= v_less_q;
  end
  assign ev_v_valid_o  = v_we;
  assign ev_v_sample_o = k_q;
  assign ev_v_before_o = v_before_q;
  assign ev_v_after_o  = v_new;
  assign ev_m_valid_o  = m_we_o;
  assign ev_m_sample_o = k_q;
  assign ev_m_value_o  = m_wdata_o;
  assign ev_m_signal_o = w_wdata_o;
`endif
endmodule

`default_nettype wire
