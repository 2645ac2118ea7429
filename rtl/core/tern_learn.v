// tern_learn.v : learning coefficients, bias and self-memory of the neurons, ahead of the pass
// SPDX-License-Identifier: Apache-2.0
//
// Function  For each neuron i in order, if an update is pending: c[k][d] (N-11, N-12), their sums and the updates of
//           bias and self-memory (N-16); then the start of each potential, bias + self-memory (N-2). What it makes is
//           kept for four neurons, as the words of tern_draw, which begins them.
//           Neurons of learning set 1 make their modulator from w and their baseline (N-19); their averaged errors go
//           to tern_baseline.
// C model   runtime/engine/tern_golden.c, coefficients(), local_parameters()
// Cycles    docs/31-blocks.md, "learn"; compiler/layout/tern_cycles.c predicts them
`default_nettype none

module tern_learn #(
  parameter SAMPLE_W   = 3,
  parameter TAPS_D     = 10,
  parameter HIST_W     = 14,  // history bits, at least D + W of a network, 2..64
  parameter LAG_W      = 6,
  parameter Q_W        = 6,   // bits of a tap number 0..D+W
  parameter FILTER_W   = 4,   // bits of a filter number
  parameter TAP_W      = 9,
  parameter X_W        = 13,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MAX = 31,
  parameter NEURON_W   = 8,   // address bits: neurons
  parameter ERROR_AW   = 12,
  parameter SELF_AW    = 10,  // neuron-sample pairs
  parameter COEF_AW    = 8,
  parameter TAP_AW     = 8,
  // 0: rule GEM only, 1: every rule.
  parameter SIGNALS    = 0,
  // Samples per cycle in rows from neurons: coefficients of sample k belong to way k mod WAYS.
  parameter WAYS       = 1,
  parameter ROOM       = 0    // of tern_weight
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // control
  input  wire                 begin_i,
  input  wire                 update_i,     // static during the pass
  input  wire                 potential_i,
  output wire                 idle_o,
  // from tern_draw
  input  wire                 begun_i,      // pulse: it begins a neuron, for which there is room now
  input  wire                 dither_done_i, // pulse: the dither word of a neuron is there in the next cycle
  input  wire [127:0]         s_words_i,    // of neurons whose number mod 4 is 0 (lowest), .. 3
  // to and from the others
  // pulse: coefficients and dither word of a neuron are there, or not needed
  output wire                 coefficients_o,
  output wire                 local_done_o, // pulse: the potentials of a neuron are started
  // taps of the self-memory (tern_prepare): they are read while self_re_o, but for the cycles of self_wait_i
  output wire                 self_taps_re_o,
  output wire [TAP_AW-1:0]    self_taps_at_o,
  output wire [Q_W-1:0]       self_taps_q_o,
  input  wire                 self_wait_i,
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] self_taps_i, // in pairs (tern_taps)
  input  wire [X_W-1:0]                      self_base_i,
  // memory: neuron table, {has_self, self filter}
  output wire [NEURON_W-1:0]  neurons_raddr_o,
  input  wire [FILTER_W:0]    neurons_rdata_i,
  // read enables
  output wire                 error_re_o,      // errors, coefficients of the rate or kap
  output wire                 m_re_o,          // modulators and learning signals
  output wire                 self_re_o,       // own histories and last spikes
  output wire                 local_re_o,      // bias and self-memory weights
  // memory: errors; modulators and learning signals; learning coefficients of the rate or of averages (kap_valid_o)
  output wire [ERROR_AW-1:0]  error_raddr_o,
  input  wire [15:0]          error_rdata_i,
  output wire [SAMPLE_W-1:0]  m_raddr_o,
  input  wire [15:0]          m_rdata_i,
  input  wire [31:0]          w_rdata_i,
  output wire [LAG_W-1:0]     ek_raddr_o,
  input  wire [14:0]          ek_rdata_i,
  // memory: baseline of the next neuron that has one; tern_baseline addresses it
  output wire                 base_re_o,
  input  wire [31:0]          base_rdata_i,
  // tern_baseline: averages sample by sample, their products kap e three cycles later; w - b two cycles after
  // base_re_i with a sample
  output wire                 kap_valid_o,
  output wire                 kap_first_o,     // first of a sum (IW: one sum over all samples)
  output wire                 kap_end_o,       // last of a sum
  output wire                 kap_last_o,      // last of the neuron
  output wire [SAMPLE_W-1:0]  kap_sample_o,    // of the sum; IW: 0
  output wire [31:0]          kap_product_o,
  input  wire                 base_busy_i,
  input  wire                 base_re_i,
  input  wire [SAMPLE_W-1:0]  base_sample_i,
  output wire [32:0]          base_diff_o,
  // memory: own histories and last spikes of the neurons
  output wire [SELF_AW-1:0]   self_raddr_o,
  input  wire [HIST_W-1:0] self_rdata_i,
  input  wire                 spike_rdata_i, // same address
  output wire                 self_we_o,
  output wire [SELF_AW-1:0]   self_waddr_o,
  output wire [HIST_W-1:0] self_wdata_o,
  // memory: bias and self-memory weights, address {neuron, 0 bias / 1 self}
  output wire [NEURON_W:0]    local_raddr_o,
  input  wire [15:0]          local_rdata_i,
  output wire                 local_we_o,
  output wire [NEURON_W:0]    local_waddr_o,
  output wire [15:0]          local_wdata_o,
  // memory: coefficients c for tern_pass, a memory for each way; address {neuron number, bits 1..0;
  // (sample div WAYS) W + lag}
  output wire [WAYS-1:0]      coef_we_o,
  output wire [COEF_AW+1:0]   coef_waddr_o,
  output wire [15:0]          coef_wdata_o,
  // memory: coefficients summed over samples, {neuron number, bits 1..0; lag}
  output wire                 sumc_we_o,
  output wire [LAG_W+1:0]     sumc_waddr_o,
  output wire [20:0]          sumc_wdata_o,
  // memory: started potentials for tern_fire, address {neuron number, bits 1..0; sample}
  output wire                 acc_we_o,
  output wire [SAMPLE_W+1:0]  acc_waddr_o,
  output wire [ACC_W-1:0]     acc_wdata_o,
  // config
  input  wire [NEURON_W-1:0]  cfg_neuron_last_i,
  input  wire [SAMPLE_W-1:0]  cfg_sample_last_i,
  input  wire [LAG_W-1:0]     cfg_lag_last_i,
  input  wire [Q_W-1:0]       cfg_tap_last_i,     // D - 1
  input  wire [LAG_W-1:0]     cfg_lag_head_i,     // column that this step writes
  input  wire [4:0]           cfg_c_shift_i,
  input  wire [4:0]           cfg_local_bits_i,
  input  wire [4:0]           cfg_c_shift1_i,     // learning set 1
  input  wire [4:0]           cfg_local_bits1_i,
  input  wire [NEURON_W:0]    cfg_signal_first_i, // first neuron of set 1
  input  wire [4:0]           cfg_m_shift_i,
  input  wire                 cfg_baseline_i,
  input  wire                 cfg_common_i,       // IW: one w for all samples
  input  wire [3:0]           cfg_trace_frac_i,
  // counts
  output wire [1:0]           sat_coefficient_o,
  output wire                 sat_modulator_o,    // once per neuron and sample
  output wire                 sat_local_o
`ifdef TERN_COSIM
  ,
  output wire                 ev_l_valid_o,   // a bias or self-memory weight whose dw is not 0
  output wire                 ev_l_self_o,
  output wire [NEURON_W-1:0]  ev_l_neuron_o,
  output wire [15:0]          ev_l_old_o,
  output wire [15:0]          ev_l_new_o,
  output wire                 ev_l_sat_o,
  output wire [DITHER_MAX-1:0] ev_l_draw_o
`endif
);
  localparam [3:0] ST_IDLE = 4'd0, ST_START = 4'd1, ST_SELF = 4'd2, ST_BASE = 4'd3, ST_COEF = 4'd4, ST_KAP = 4'd5,
                   ST_COEF_WAIT = 4'd6, ST_BIAS = 4'd7, ST_LOCAL = 4'd8, ST_START_ACC = 4'd9, ST_ACC = 4'd10,
                   ST_ACC_WAIT = 4'd11;
  reg [3:0] state_q;

  // ---- neuron --------------------------------------------------------------------
  reg [NEURON_W-1:0] neuron_q;
  reg [2:0]          begun_q;       // neurons that tern_draw has begun, and this module has not
  reg [2:0]          dithers_q;     // dither words whose neuron's coefficients are not there yet
  reg                self_valid_q;  // self_taps holds the filter self_filter_q
  reg [FILTER_W-1:0] self_filter_q;
  reg [2:0]          wait_q;
  reg [LAG_W-1:0]    d_q;
  reg [SAMPLE_W-1:0] k_q;
  reg [Q_W-1:0]      q_q;           // tap number - 1
  reg [SELF_AW-1:0]  pair_q, pair0_q;    // current (neuron, sample), of sample 0
  reg [ERROR_AW-1:0] error_q, error0_q;  // error word of (neuron, sample, column), of (neuron, 0, 0)
  reg [LAG_W-1:0]    column_q;
  reg [COEF_AW-1:0]  coef_q, coef0_q;
  reg [SAMPLE_W-1:0] way_q;         // of the coefficient's sample
  localparam         WAY_END = WAYS - 1;
  wire               way_end = (way_q == WAY_END[SAMPLE_W-1:0]) || (WAYS == 1);
`ifdef TERN_TESTBUG_LEARN_WAY_STAYS
  wire [SAMPLE_W-1:0] way_next = {SAMPLE_W{1'b0}};
`else
  wire [SAMPLE_W-1:0] way_next = (k_end || way_end) ? {SAMPLE_W{1'b0}} : way_q + 1'b1;
`endif
  reg                ahead_q;       // cycle by which the modulators are still to be read ahead of the errors
  reg [SAMPLE_W-1:0] km_q;          // sample whose modulator is read
  reg                km_again_q;    // every modulator has been read once
  reg                set_q;         // learning set of the neuron
  wire [NEURON_W+1:0] neuron_wide = {2'd0, neuron_q};
  wire unused_wide = &{1'b0, neuron_wide};
  wire [1:0]          number      = neuron_wide[1:0];

  wire                n_self   = neurons_rdata_i[FILTER_W];
  wire [FILTER_W-1:0] n_filter = neurons_rdata_i[FILTER_W-1:0];

  wire k_end = (k_q == cfg_sample_last_i), km_end = (km_q == cfg_sample_last_i), d_end = (d_q == cfg_lag_last_i);
  wire [ERROR_AW-1:0] error_next  = error_q + {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1;    // next sample
  wire [LAG_W-1:0]    column_next = (column_q == {LAG_W{1'b0}}) ? cfg_lag_last_i : column_q - 1'b1; // next lag
  wire coef_issue = (state_q == ST_COEF) && !ahead_q;

  // learning set 1: modulators are made from w. All neurons of set 1 have a baseline, or none has.
  wire is_signal = (SIGNALS != 0) && ({1'b0, neuron_q} >= cfg_signal_first_i);
  wire has_base  = is_signal && cfg_baseline_i;
  wire [3:0] first_state = !update_i ? ST_BIAS : has_base ? ST_BASE : ST_COEF; // after the taps of the self-memory

  // a neuron starts when tern_draw has begun it; wait_q: its table word is there
  wire start = (state_q == ST_START) && (wait_q == 3'd0) && (begun_q != 3'd0);
`ifdef TERN_TESTBUG_LEARN_DITHER_LATE
  wire learned = (state_q == ST_COEF_WAIT) && (wait_q == 3'd0);
`else
  wire learned = (state_q == ST_COEF_WAIT) && (wait_q == 3'd0) && (dithers_q != 3'd0);
`endif

  // ---- states --------------------------------------------------------------------
  always @(posedge clk_i) begin
    if (wait_q != 3'd0) wait_q <= wait_q - 3'd1;
    set_q <= is_signal;
    begun_q   <= begun_q + {2'd0, begun_i} - {2'd0, start};
    dithers_q <= dithers_q + {2'd0, dither_done_i} - {2'd0, learned};
    case (state_q)
      ST_IDLE: if (begin_i) begin
        state_q      <= ST_START;
        neuron_q     <= {NEURON_W{1'b0}};
        begun_q      <= 3'd0;
        dithers_q    <= 3'd0;
        pair0_q      <= {SELF_AW{1'b0}};
        error0_q     <= {ERROR_AW{1'b0}};
        self_valid_q <= 1'b0;
        wait_q       <= 3'd1;
      end
      ST_START:
        if (start) begin
          k_q     <= {SAMPLE_W{1'b0}};
          d_q     <= {LAG_W{1'b0}};
          q_q     <= {Q_W{1'b0}};
          pair_q  <= pair0_q;
          error_q <= error0_q;
`ifdef TERN_TESTBUG_LEARN_LAG_COLUMN
          column_q <= cfg_lag_head_i;
`else
          column_q <= (cfg_lag_head_i == {LAG_W{1'b0}}) ? cfg_lag_last_i : cfg_lag_head_i - 1'b1;
`endif
          coef_q  <= {COEF_AW{1'b0}};
          coef0_q <= {COEF_AW{1'b0}};
          way_q   <= {SAMPLE_W{1'b0}};
          ahead_q <= 1'b1;
          km_q    <= {SAMPLE_W{1'b0}};
          km_again_q <= 1'b0;
          state_q <= (n_self && !(self_valid_q && self_filter_q == n_filter)) ? ST_SELF : first_state;
        end
      ST_SELF: begin // taps of the self-memory's filter, one per cycle in which tern_prepare reads none
        self_filter_q <= n_filter;
        self_valid_q  <= 1'b1;
`ifdef TERN_TESTBUG_LEARN_SELF_WAITS_NOT
        q_q <= q_q + 1'b1;
        if (q_q == cfg_tap_last_i) state_q <= first_state;
`else
        if (!self_wait_i) begin
          q_q <= q_q + 1'b1;
          if (q_q == cfg_tap_last_i) state_q <= first_state;
        end
`endif
      end
`ifdef TERN_TESTBUG_LEARN_BASE_WAITS_NOT
      ST_BASE: state_q <= ST_COEF;
`else
      ST_BASE: if (!base_busy_i) state_q <= ST_COEF; // the baseline of the neuron before is done, this one's is read
`endif
      ST_COEF: begin // one coefficient per cycle, lag by lag; in the cycle before, its modulator
        km_q <= km_end ? {SAMPLE_W{1'b0}} : km_q + 1'b1;
        if (km_end) km_again_q <= 1'b1;
        ahead_q <= 1'b0;
        if (coef_issue) begin
          k_q     <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
          pair_q  <= k_end ? pair0_q : pair_q + 1'b1;
`ifdef TERN_TESTBUG_LEARN_ERRORS_OF_NEXT
          error_q <= error_next;
`else
          error_q <= k_end ? error0_q : error_next;
`endif
          way_q   <= way_next;
          coef_q  <= k_end ? coef0_q + 1'b1 : way_end ? coef_q + {{(COEF_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1 :
              coef_q;
          if (k_end) begin
            coef0_q  <= coef0_q + 1'b1;
            column_q <= column_next;
            d_q      <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
            if (d_end) begin
              if (!has_base) error0_q <= error_next;
              wait_q   <= 3'd5;
              state_q  <= has_base ? ST_KAP : ST_COEF_WAIT;
            end
          end
        end
      end
      ST_KAP: begin // averaged errors for the baseline, sample by sample
        d_q      <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
        column_q <= column_next;
        wait_q   <= 3'd5;
        if (d_end) begin
          k_q     <= k_q + 1'b1;
          error_q <= error_next;
          if (k_end) begin
            error0_q <= error_next;
            state_q  <= ST_COEF_WAIT;
          end
        end
      end
      ST_COEF_WAIT: if (learned) state_q <= ST_BIAS;
      ST_BIAS: begin // read of the bias is under way; without an update the parameters stay
        wait_q  <= 3'd2;
        state_q <= ST_LOCAL;
      end
`ifdef TERN_TESTBUG_LEARN_WAITS_ON
      ST_LOCAL: if (wait_q == 3'd0 && begun_q != 3'd0) state_q <= ST_START_ACC;
`else
      ST_LOCAL: if (wait_q == 3'd0) state_q <= ST_START_ACC; // bias, then self-memory (see below)
`endif
      ST_START_ACC: begin
        k_q     <= {SAMPLE_W{1'b0}};
        pair_q  <= pair0_q;
        state_q <= potential_i ? ST_ACC : ST_ACC_WAIT;
        wait_q  <= 3'd0;
      end
      ST_ACC: begin
        k_q    <= k_q + 1'b1;
        pair_q <= pair_q + 1'b1;
        if (k_end) begin
          wait_q  <= 3'd5;
          state_q <= ST_ACC_WAIT;
        end
      end
      ST_ACC_WAIT: if (wait_q == 3'd0) begin
        neuron_q <= neuron_q + 1'b1;
        pair0_q  <= pair0_q + {{(SELF_AW-SAMPLE_W){1'b0}}, cfg_sample_last_i} + 1'b1;
        wait_q   <= 3'd1;
        state_q  <= (neuron_q == cfg_neuron_last_i) ? ST_IDLE : ST_START;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) begin
      state_q <= ST_IDLE;
      wait_q  <= 3'd0;
    end
  end

  assign idle_o          = (state_q == ST_IDLE);
  assign neurons_raddr_o = neuron_q;
  assign coefficients_o  = learned || (start && !update_i);
  assign local_done_o    = (state_q == ST_ACC_WAIT) && (wait_q == 3'd0) && potential_i;

  // ---- taps of the self-memory: address filter * TAPS_D + q ----------------------------------
  // first tap of each filter, as in tern_prepare
  localparam [15:0]   D = TAPS_D[15:0];
  localparam [255:0]  ALL_FIRST = {D * 16'd15, D * 16'd14, D * 16'd13, D * 16'd12, D * 16'd11, D * 16'd10, D * 16'd9,
      D * 16'd8, D * 16'd7, D * 16'd6, D * 16'd5, D * 16'd4, D * 16'd3, D * 16'd2, D, 16'd0};
  localparam [(16<<FILTER_W)-1:0] FIRST = ALL_FIRST[(16<<FILTER_W)-1:0];
  reg  [TAP_AW-1:0]   t_first_q;
  always @(posedge clk_i) t_first_q <= FIRST[{n_filter, 4'd0} +: TAP_AW];
  assign self_taps_re_o = (state_q == ST_SELF);
`ifdef TERN_TESTBUG_LEARN_SELF_FILTER_OF_ROW
  assign self_taps_at_o = {{(TAP_AW-Q_W){1'b0}}, q_q};
  wire unused_bug_first = &{1'b0, t_first_q};
`else
  assign self_taps_at_o = t_first_q + {{(TAP_AW-Q_W){1'b0}}, q_q};
`endif
  assign self_taps_q_o  = q_q;

  assign error_re_o   = coef_issue || (state_q == ST_KAP);
  assign m_re_o       = (state_q == ST_COEF) || base_re_i;
  assign base_re_o    = (state_q == ST_BASE) && !base_busy_i;
  assign self_re_o    = coef_issue || (state_q == ST_ACC);
  assign local_re_o   = (state_q == ST_BIAS) || (state_q == ST_LOCAL && wait_q == 3'd2);

  // ---- own history: trace at lag d+1 (coefficients), at lag 0 (start of the potentials) --------
  assign self_raddr_o  = pair_q;
  assign error_raddr_o = error_q + {{(ERROR_AW-LAG_W){1'b0}}, column_q};
  assign m_raddr_o     = base_re_i ? base_sample_i : km_q; // tern_baseline reads w while no coefficients are made
`ifdef TERN_TESTBUG_LEARN_KAP_ORDER
  assign ek_raddr_o    = (state_q == ST_KAP) ? cfg_lag_last_i - d_q : d_q;
`else
  assign ek_raddr_o    = d_q;
`endif

  reg               h1_coef_q, h1_acc_q, h1_k_first_q, h1_k_end_q;
  reg [LAG_W-1:0]   h1_lag_q, h1_d_q;
  reg [SELF_AW-1:0] h1_pair_q;
  reg [SAMPLE_W-1:0] h1_k_q;
  reg [COEF_AW-1:0] h1_coef_addr_q;
  reg [SAMPLE_W-1:0] h1_way_q;
  always @(posedge clk_i) begin
    h1_coef_q    <= coef_issue;
    h1_acc_q     <= (state_q == ST_ACC);
    h1_lag_q     <= (state_q == ST_COEF) ? d_q + 1'b1 : {LAG_W{1'b0}};
    h1_pair_q    <= pair_q;
    h1_k_q       <= k_q;
    h1_d_q       <= d_q;
    h1_k_first_q <= (k_q == {SAMPLE_W{1'b0}});
    h1_k_end_q   <= k_end;
    h1_coef_addr_q <= coef_q;
    h1_way_q     <= way_q;
    if (rst_i) {h1_coef_q, h1_acc_q} <= 2'b00;
  end
  wire [HIST_W-1:0] history1, lagged1;
  tern_history #(.HIST_W(HIST_W), .LAG_W(LAG_W)) u_history (
    .history_i(self_rdata_i), .spike_i(spike_rdata_i), .shift_i(1'b1), .lag_i(h1_lag_q), .history_o(history1),
    .lagged_o(lagged1)
  );
  wire unused_lagged = &{1'b0, lagged1};
  reg  [TAPS_D-1:0] bits2_q;
  always @(posedge clk_i) bits2_q <= lagged1[TAPS_D-1:0];
  wire [X_W-1:0] x5;
  tern_trace #(.TAPS_D(TAPS_D), .TAP_W(TAP_W), .X_W(X_W)) u_trace (.clk_i(clk_i), .bits_i(bits2_q),
    .taps_i(self_taps_i), .base_i(self_base_i), .x_o(x5));
  // shifted histories go back once per step, with the start of the potentials
  reg               self_we2_q;
  reg [SELF_AW-1:0] self_waddr2_q;
  reg [HIST_W-1:0]  self_wdata2_q;
  always @(posedge clk_i) begin
    self_we2_q <= h1_acc_q; self_waddr2_q <= h1_pair_q; self_wdata2_q <= history1;
    if (rst_i) self_we2_q <= 1'b0;
  end
  assign self_we_o    = self_we2_q;
  assign self_waddr_o = self_waddr2_q;
  assign self_wdata_o = self_wdata2_q;

  // ---- modulators: read one cycle ahead of the errors, so m is there with them in 2 ---------------
  wire [15:0] m2;
  wire        m_sat2;
  reg         m_once_a_q, m_once_b_q, m_once2_q; // first time of this sample: counted once
`ifdef TERN_TESTBUG_LEARN_BASELINE_IGNORED
  wire [31:0] base = 32'd0;
  wire unused_bug_base = &{1'b0, base_rdata_i};
`else
  wire [31:0] base = cfg_baseline_i ? base_rdata_i : 32'd0;
`endif
  tern_modulator #(.SIGNALS(SIGNALS)) u_modulator (
    .clk_i(clk_i), .set_i(set_q), .m_i(m_rdata_i), .w_f12_i(w_rdata_i), .b_f12_i(base), .m_shift_i(cfg_m_shift_i),
    .diff_o(base_diff_o), .m_o(m2), .sat_o(m_sat2)
  );
  always @(posedge clk_i) begin
    m_once_a_q <= (state_q == ST_COEF) && !km_again_q; m_once_b_q <= m_once_a_q; m_once2_q <= m_once_b_q;
    if (rst_i) {m_once_a_q, m_once_b_q, m_once2_q} <= 3'b000;
  end
  assign sat_modulator_o = m_once2_q && m_sat2;

  // ---- averaged errors: kap and error in 2, product in 3 ------------------------------------------
  assign kap_valid_o   = (state_q == ST_KAP);
  assign kap_first_o   = (d_q == {LAG_W{1'b0}}) && (!cfg_common_i || k_q == {SAMPLE_W{1'b0}});
  assign kap_end_o     = d_end && (!cfg_common_i || k_end);
  assign kap_last_o    = d_end && k_end;
  assign kap_sample_o  = cfg_common_i ? {SAMPLE_W{1'b0}} : k_q;
  reg kap1_q, kap2_q;
  always @(posedge clk_i) {kap2_q, kap1_q} <= {kap1_q, kap_valid_o};

  // ---- coefficients: memory data in 1, c in 6, products in 7, sums in 8 -------------------------
`ifdef TERN_TESTBUG_LEARN_SET_SHIFT
  wire [4:0]  c_shift = cfg_c_shift_i;
  wire unused_bug_shift = &{1'b0, cfg_c_shift1_i};
`else
  wire [4:0]  c_shift = set_q ? cfg_c_shift1_i : cfg_c_shift_i;
`endif
  wire [4:0]  local_bits = set_q ? cfg_local_bits1_i : cfg_local_bits_i;
  reg  [15:0] e2_q;
  reg  [14:0] ek2_q;
  wire [15:0] c6;
  wire [1:0]  c_sat6;
  tern_coefficient u_coefficient (
    .clk_i(clk_i), .m_i(kap2_q ? {1'b0, ek2_q} : m2), .e_f15_i(e2_q), .ek_i(ek2_q), .c_shift_i(c_shift),
    .product_o(kap_product_o), .c_o(c6), .sat_o(c_sat6)
  );
  reg [4:0]         coef_pipe_q, first_pipe_q, end_pipe_q; // stages 2..6
  reg [COEF_AW-1:0] caddr2_q, caddr3_q, caddr4_q, caddr5_q, caddr6_q;
  reg [LAG_W-1:0]   lag2_q, lag3_q, lag4_q, lag5_q, lag6_q, lag7_q;
  reg [SAMPLE_W-1:0] way2_q, way3_q, way4_q, way5_q, way6_q;
  reg [X_W-1:0]     x6_q;
  always @(posedge clk_i) begin
    e2_q <= error_rdata_i; ek2_q <= ek_rdata_i;
    coef_pipe_q  <= {coef_pipe_q[3:0], h1_coef_q};
    first_pipe_q <= {first_pipe_q[3:0], h1_k_first_q};
    end_pipe_q   <= {end_pipe_q[3:0], h1_k_end_q};
    caddr2_q <= h1_coef_addr_q; caddr3_q <= caddr2_q; caddr4_q <= caddr3_q; caddr5_q <= caddr4_q; caddr6_q <= caddr5_q;
    way2_q <= h1_way_q; way3_q <= way2_q; way4_q <= way3_q; way5_q <= way4_q; way6_q <= way5_q;
    lag2_q <= h1_d_q; lag3_q <= lag2_q; lag4_q <= lag3_q; lag5_q <= lag4_q; lag6_q <= lag5_q; lag7_q <= lag6_q;
    x6_q <= x5;
    if (rst_i) coef_pipe_q <= 5'd0;
  end
  wire valid6 = coef_pipe_q[4];
  genvar v;
  generate
    for (v = 0; v < WAYS; v = v + 1) begin : g_way
      assign coef_we_o[v] = valid6 && (WAYS == 1 || way6_q == v);
    end
  endgenerate
  wire unused_way = &{1'b0, way6_q};
  assign coef_waddr_o = {number, caddr6_q};
  assign coef_wdata_o = c6;
  assign sat_coefficient_o = valid6 ? c_sat6 : 2'd0;

  // sum over samples for each lag; over lags for the bias; c x for the self-memory
  reg  [20:0]        sum_c_q;
`ifdef TERN_TESTBUG_LEARN_SUM_NOT_RESTARTED
  wire [20:0]        sum_c = sum_c_q + {{5{c6[15]}}, c6};
`else
  wire [20:0]        sum_c = (first_pipe_q[4] ? 21'd0 : sum_c_q) + {{5{c6[15]}}, c6};
`endif
  reg                sumc_we_q;
  reg  [20:0]        sumc_q;
  reg  [DELTA_W-1:0] d_bias_q, d_self_q;
  wire signed [16+X_W:0] mul_a_x;  // 16-bit operand times trace, shared with the start of the potentials
  reg                self_add7_q;
  reg  [16+X_W:0]    product_q;
  always @(posedge clk_i) begin
    if (valid6) sum_c_q <= sum_c;
    sumc_we_q   <= valid6 && end_pipe_q[4];
    sumc_q      <= sum_c;
    self_add7_q <= valid6;
    product_q   <= mul_a_x;
    if (state_q == ST_START) begin
      d_bias_q <= {DELTA_W{1'b0}}; d_self_q <= {DELTA_W{1'b0}};
    end else begin
      if (sumc_we_q) d_bias_q <= d_bias_q + {{(DELTA_W-21){sumc_q[20]}}, sumc_q};
      if (self_add7_q) d_self_q <= d_self_q + {{(DELTA_W-17-X_W){product_q[16+X_W]}}, product_q};
    end
    if (rst_i) {sumc_we_q, self_add7_q} <= 2'b00;
  end
  assign sumc_we_o    = sumc_we_q;
  assign sumc_waddr_o = {number, lag7_q};
  assign sumc_wdata_o = sumc_q;

  // ---- bias and self-memory ---------------------------------------------------------------------
  // ST_BIAS reads the bias; ST_LOCAL: wait 2: bias arrives, self is read; wait 1: new bias, self arrives; wait 0: bias
  // written, new self; ST_START_ACC: self written. The potentials need them four cycles later
  wire local_self = (state_q == ST_LOCAL) && (wait_q != 3'd2);
  wire local_use  = (state_q == ST_LOCAL) && (wait_q == 3'd2 || wait_q == 3'd1);
  assign local_raddr_o = {neuron_q, (state_q == ST_LOCAL)};
  wire [15:0] self_w;
  wire [SAMPLE_W-1:0] acc_sample;
  tern_local #(.SAMPLE_W(SAMPLE_W), .NEURON_W(NEURON_W), .X_W(X_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W),
      .DITHER_MAX(DITHER_MAX), .ROOM(ROOM)) u_local (
    .clk_i(clk_i), .rst_i(rst_i), .update_i(update_i), .use_i(local_use), .self_i(local_self), .neuron_i(neuron_q),
    .n_self_i(n_self), .s_word_i(s_words_i[32*number +: 32]), .d_bias_i(d_bias_q), .d_self_i(d_self_q),
    .local_bits_i(local_bits), .trace_frac_i(cfg_trace_frac_i), .rdata_i(local_rdata_i), .we_o(local_we_o),
    .waddr_o(local_waddr_o), .wdata_o(local_wdata_o), .self_o(self_w), .sat_o(sat_local_o),
    .start_i(h1_acc_q), .sample_i(h1_k_q), .product_i(product_q), .acc_we_o(acc_we_o), .acc_sample_o(acc_sample),
    .acc_o(acc_wdata_o)
`ifdef TERN_COSIM
    , .ev_valid_o(ev_l_valid_o), .ev_self_o(ev_l_self_o), .ev_neuron_o(ev_l_neuron_o), .ev_old_o(ev_l_old_o),
    .ev_new_o(ev_l_new_o), .ev_sat_o(ev_l_sat_o), .ev_draw_o(ev_l_draw_o)
`endif
  );

  // ---- start of the potentials: history in 1, x in 5, product in 5 -> 6, acc in 6
  assign mul_a_x = $signed(valid6 ? c6 : self_w) * $signed({1'b0, valid6 ? x6_q : x5});
  assign acc_waddr_o = {number, acc_sample};
endmodule

`default_nettype wire
