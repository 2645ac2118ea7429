// tern_prepare.v : runs ahead of the pass: learning coefficients, bias and self-memory, filter taps and learning kernels of the rows
// SPDX-License-Identifier: Apache-2.0
//
// Function  For each neuron i in order: draws (tern_draw); if an update is pending, c[k][d] (N-11, N-12) and the updates of bias and self-memory
//           (N-16); the start of each potential, bias + self-memory (N-2); for each row its filter taps and, for shared rows with an update
//           pending, the learning kernel f[q] (kernel form of N-13). Rows are handed over one at a time (row_valid/row_take).
//           Neurons of learning set 1 make their modulator from w and their baseline (N-19); their averaged errors go to tern_baseline.
// C model   runtime/engine/tern_golden.c, coefficients(), local_parameters(); runtime/blocks/tern_kernel.c
// Cycles    docs/31-blocks.md, "prepare"; compiler/layout/tern_cycles.c predicts them
`default_nettype none

module tern_prepare #(
  parameter SAMPLE_W   = 3,
  parameter TAPS_D     = 10,
  parameter HIST_W     = 14,  // history bits, at least D + W of a network, 2..64
  parameter LAG_W      = 6,
  parameter Q_W        = 6,   // bits of a tap number 0..D+W
  parameter FILTER_W   = 4,   // bits of a filter number
  parameter TAP_W      = 9,
  parameter X_W        = 13,
  parameter KERNEL_W   = 32,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MAX = 31,
  parameter NEURON_W   = 8,   // address bits: neurons
  parameter ROW_AW     = 10,
  parameter ERROR_AW   = 12,
  parameter SELF_AW    = 10,  // neuron-sample pairs
  parameter COEF_AW    = 8,
  parameter TAP_AW     = 8,
  parameter HIST_AW    = 10,
  parameter WORD_AW    = 12,
  parameter INDEX_W    = 20,
  // 0: rule GEM only, 1: every rule.
  parameter SIGNALS    = 0,
  // Products of a learning kernel per cycle (tern_taps), W capacity.
  parameter PREP       = 1,
  parameter LAGS_W     = 4,
  // Samples per cycle in rows from neurons: coefficients of sample k belong to way k mod WAYS.
  parameter WAYS       = 1
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // control
  input  wire                 begin_i,
  input  wire                 update_i,     // static during the pass
  input  wire                 potential_i,
  output wire                 idle_o,
  // to tern_draw
  output wire                 draw_start_o, // pulse: draws of neuron_o
  input  wire                 draw_idle_i,
  input  wire                 dither_ready_i, // dither word of the current neuron is there
  input  wire [31:0]          s_word_i,
  output wire [NEURON_W-1:0]  neuron_o,
  // from the others
  input  wire                 fire_done_i,  // pulse: tern_fire has finished a neuron
  input  wire                 pass_sample_busy_i,
  input  wire                 pass_active_i,
  input  wire                 pass_parity_i,
  output wire                 local_done_o, // pulse: the potentials of neuron_o are started
  // row to tern_pass
  output wire                 row_valid_o,
  input  wire                 row_take_i,
  output wire [1:0]           row_kind_o,
  output wire                 row_shift_o,
  output wire                 row_last_o,
  output wire                 row_parity_o,
  output wire                 row_set_o,       // learning set of the neuron
  output wire [15:0]          row_words_o,
  output wire [HIST_AW-1:0]   row_hist_o,
  output wire [WORD_AW-1:0]   row_word_o,
  output wire [INDEX_W-1:0]   row_index_o,
  output wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  row_kernel_o, // taps in pairs (tern_taps)
  output wire [DELTA_W-1:0]                  row_kernel_base_o,
  output wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] row_taps_o,
  output wire [X_W-1:0]                      row_taps_base_o,
  // memory: rows
  output wire [ROW_AW-1:0]    rows_raddr_o,
  input  wire [31:0]          rows_rdata_i,
  input  wire [HIST_AW-1:0]   rows_hist_i,
  input  wire [WORD_AW-1:0]   rows_word_i,
  input  wire [INDEX_W-1:0]   rows_index_i,
  // memory: neuron table, {has_self, self filter}
  output wire [NEURON_W-1:0]  neurons_raddr_o,
  input  wire [FILTER_W:0]    neurons_rdata_i,
  // read enables
  output wire                 taps_re_o,       // filter taps, summed coefficients
  output wire                 error_re_o,      // errors, coefficients of the rate or kap
  output wire                 m_re_o,          // modulators and learning signals
  output wire                 self_re_o,       // own histories and last spikes
  output wire                 local_re_o,      // bias and self-memory weights
  // memory: filter taps
  output wire [TAP_AW-1:0]    taps_raddr_o,
  input  wire [TAP_W-1:0]     taps_rdata_i,
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
  // tern_baseline: averages sample by sample, their products kap e three cycles later; w - b two cycles after base_re_i with a sample
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
  // memory: coefficients c for tern_pass, a memory for each way; address {neuron number, bit 0 (WAYS > 1); (sample div WAYS) W + lag}
  output wire [WAYS-1:0]      coef_we_o,
  output wire [COEF_AW:0]     coef_waddr_o,
  output wire [15:0]          coef_wdata_o,
  // memory: coefficients summed over samples
  output wire                 sumc_we_o,
  output wire [LAG_W-1:0]     sumc_waddr_o,
  output wire [20:0]          sumc_wdata_o,
  output wire [LAG_W-1:0]     sumc_raddr_o,
  input  wire [20:0]          sumc_rdata_i,
  // memory: started potentials for tern_fire, address {parity, sample}
  output wire                 acc_we_o,
  output wire [SAMPLE_W:0]    acc_waddr_o,
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
  localparam [1:0] ROW_SHARED = 2'd0, ROW_SAMPLE = 2'd1, ROW_SHIFT = 2'd2, ROW_NONE = 2'd3;

  localparam [4:0] ST_IDLE = 5'd0, ST_PROLOGUE = 5'd1, ST_START = 5'd2, ST_SELF = 5'd3, ST_COEF = 5'd4, ST_COEF_WAIT = 5'd5, ST_ROW = 5'd6,
                   ST_TAPS = 5'd7, ST_TAPS_WAIT = 5'd8, ST_PUBLISH = 5'd9, ST_BIAS = 5'd10, ST_LOCAL = 5'd11, ST_START_ACC = 5'd12, ST_ACC = 5'd13,
                   ST_ACC_WAIT = 5'd14, ST_FETCH = 5'd15, ST_BASE = 5'd16, ST_KAP = 5'd17;
  reg [4:0] state_q;

  // ---- neuron and current row --------------------------------------------------
  reg [NEURON_W-1:0] neuron_q;
  reg [NEURON_W:0]   fired_q;       // neurons that tern_fire has finished in this pass
  reg [ROW_AW-1:0]   row_q;
  reg                prologue_q;    // fetching for ST_PROLOGUE
  reg                first_q;       // the next published row is its neuron's first
  reg                self_valid_q;  // self_taps holds the filter self_filter_q
  reg [FILTER_W-1:0] self_filter_q;
  reg [3:0]          wait_q;
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
`ifdef TERN_TESTBUG_PREPARE_WAY_STAYS
  wire [SAMPLE_W-1:0] way_next = {SAMPLE_W{1'b0}};
`else
  wire [SAMPLE_W-1:0] way_next = (k_end || way_end) ? {SAMPLE_W{1'b0}} : way_q + 1'b1;
`endif
  reg                ahead_q;       // cycle by which the modulators are still to be read ahead of the errors
  reg [SAMPLE_W-1:0] km_q;          // sample whose modulator is read
  reg                km_again_q;    // every modulator has been read once
  reg                set_q;         // learning set of the neuron

  // descriptor word: docs/33-host-port.md, "row words"
  wire [1:0]          d_kind   = rows_rdata_i[1:0];
  wire                d_shift  = rows_rdata_i[2];
  wire                d_last   = rows_rdata_i[3];
  wire                d_reuse  = rows_rdata_i[4];
  wire [FILTER_W-1:0] d_filter = rows_rdata_i[8 +: FILTER_W];
  wire [15:0]         d_words  = rows_rdata_i[31:16];
  wire unused_row = &{1'b0, rows_rdata_i};

  wire                n_self   = neurons_rdata_i[FILTER_W];
  wire [FILTER_W-1:0] n_filter = neurons_rdata_i[FILTER_W-1:0];

  wire k_end = (k_q == cfg_sample_last_i), km_end = (km_q == cfg_sample_last_i), d_end = (d_q == cfg_lag_last_i);
  wire [ERROR_AW-1:0] error_next  = error_q + {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1;                   // next sample
  wire [LAG_W-1:0]    column_next = (column_q == {LAG_W{1'b0}}) ? cfg_lag_last_i : column_q - 1'b1;                // next lag
  wire coef_issue = (state_q == ST_COEF) && !ahead_q;

  // learning set 1: modulators are made from w. All neurons of set 1 have a baseline, or none has.
  wire is_signal = (SIGNALS != 0) && ({1'b0, neuron_q} >= cfg_signal_first_i);
  wire has_base  = is_signal && cfg_baseline_i;
  wire [4:0] first_state = !update_i ? ST_ROW : has_base ? ST_BASE : ST_COEF; // after the taps of the self-memory

  // tern_fire may lag two neurons behind (ping-pong of draws, sums and started potentials)
`ifdef TERN_TESTBUG_PREPARE_READY_LATE
  wire fire_ready = !potential_i || ({1'b0, neuron_q} < fired_q);
`else
  wire fire_ready = !potential_i || ({1'b0, neuron_q} <= fired_q + {{NEURON_W{1'b0}}, 1'b1});
`endif

  // PREP > 1: the values that come (TAPS_COME: taps, else sums, behind the taps, which are loaded first) take a cycle for each block of PREP held ones, the rest one
  localparam          TAPS_COME = (LAGS_W <= TAPS_D);
  localparam          N_BLOCKS  = ((TAPS_COME ? LAGS_W : TAPS_D) + PREP - 1) / (PREP > 0 ? PREP : 1);
  reg  [4:0]          block_q, block_last;  integer b;
  reg                 load_q;                                   // taps are loaded
  wire [Q_W-1:0]      lag_last  = {{(Q_W-LAG_W){1'b0}}, cfg_lag_last_i};
  wire [Q_W-1:0]      come_last = TAPS_COME ? cfg_tap_last_i : lag_last, held_last = TAPS_COME ? lag_last : cfg_tap_last_i;
  always @* begin
    block_last = 5'd0;
    for (b = 1; b < N_BLOCKS; b = b + 1)
      if ({{(32-Q_W){1'b0}}, held_last} >= b * PREP) block_last = b[4:0];
  end
  wire                rest = !load_q && (q_q > come_last), block_end = load_q || rest || (block_q == block_last); // nothing comes any more

  // kernel loop: tap q = q_q + 1 from lags d0..d1: d0 = max(0, q - D), d1 = min(W - 1, q - 1); without kernel only d = 0, q = 1..D
  reg                 kernel_q;                                 // this row needs a kernel
  wire [LAG_W-1:0]    d_low  = (q_q > cfg_tap_last_i) ? q_q[LAG_W-1:0] - cfg_tap_last_i[LAG_W-1:0] : {LAG_W{1'b0}};
  wire                tap_lags_end  = !kernel_q || d_end || ({{(Q_W-LAG_W){1'b0}}, d_q} == q_q);
  wire [Q_W-1:0]      q_last = kernel_q ? cfg_tap_last_i + {{(Q_W-LAG_W){1'b0}}, cfg_lag_last_i} : cfg_tap_last_i;
  wire                taps_end = (PREP == 1) ? tap_lags_end && (q_q == q_last) : load_q ? !kernel_q && (q_q == cfg_tap_last_i) : block_end && (q_q == q_last);
  wire [Q_W-1:0]      q_next = q_q + 1'b1;

  // ---- row buffer ---------------------------------------------------------------
  reg                 valid_q, shift_q, last_q, parity_q, row_set_q;
  reg [1:0]           kind_q;
  reg [15:0]          words_q;
  reg [HIST_AW-1:0]   hist_q;
  reg [WORD_AW-1:0]   word_q;
  reg [INDEX_W-1:0]   index_q;
  wire publish = (state_q == ST_PUBLISH && (!update_i || dither_ready_i)) || (state_q == ST_PROLOGUE && d_kind == ROW_SHIFT && !valid_q);

  // a neuron starts when nobody needs any more what its preparation overwrites; wait_q: its table word is there
  // WAYS > 1: coefficients are kept for two neurons
  wire sample_free = (WAYS > 1) || (!pass_sample_busy_i && !(valid_q && kind_q == ROW_SAMPLE));
  wire start = (wait_q == 4'd0) && draw_idle_i && fire_ready && sample_free
               && !(pass_active_i && pass_parity_i == neuron_q[0]); // its dither word and coefficients are still in use (only a flush gets that far ahead)
  // was the neuron's first row also its last? (row_q has moved on by then)
  reg  last_first_q;
  always @(posedge clk_i) if (state_q == ST_PUBLISH && first_q) last_first_q <= d_last;

  // ---- states --------------------------------------------------------------------
  always @(posedge clk_i) begin
    if (wait_q != 4'd0) wait_q <= wait_q - 4'd1;
    set_q <= is_signal;
    if (fire_done_i) fired_q <= fired_q + 1'b1;
    if (row_take_i) valid_q <= 1'b0;
    if (publish) begin
      valid_q  <= 1'b1;
      kind_q   <= d_kind;
      shift_q  <= d_shift;
      last_q   <= d_last;
      parity_q <= neuron_q[0];
      row_set_q <= set_q;
      words_q  <= d_words;
      hist_q   <= rows_hist_i;
      word_q   <= rows_word_i;
      index_q  <= rows_index_i;
    end
    case (state_q)
      ST_IDLE: if (begin_i) begin
        state_q      <= ST_FETCH;
        prologue_q   <= 1'b1;
        neuron_q     <= {NEURON_W{1'b0}};
        fired_q      <= {(NEURON_W+1){1'b0}};
        row_q        <= {ROW_AW{1'b0}};
        pair0_q      <= {SELF_AW{1'b0}};
        error0_q     <= {ERROR_AW{1'b0}};
        self_valid_q <= 1'b0;
        valid_q      <= 1'b0;
        wait_q       <= 4'd0;
      end
      ST_FETCH: state_q <= prologue_q ? ST_PROLOGUE : ST_ROW;
      ST_PROLOGUE: // rows of kind SHIFT come before the first neuron
        if (d_kind != ROW_SHIFT) begin
          prologue_q <= 1'b0;
          state_q    <= ST_START;
        end else if (!valid_q) begin
          row_q   <= row_q + 1'b1;
          state_q <= ST_FETCH;
        end
      ST_START:
        if (start) begin
          first_q <= 1'b1;
          k_q     <= {SAMPLE_W{1'b0}};
          d_q     <= {LAG_W{1'b0}};
          q_q     <= {Q_W{1'b0}};
          pair_q  <= pair0_q;
          error_q <= error0_q;
`ifdef TERN_TESTBUG_PREPARE_LAG_COLUMN
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
      ST_SELF: begin // taps of the self-memory's filter, one per cycle
        self_filter_q <= n_filter;
        self_valid_q  <= 1'b1;
        q_q <= q_next;
        if (q_q == cfg_tap_last_i) begin
          q_q     <= {Q_W{1'b0}};
          state_q <= first_state;
        end
      end
`ifdef TERN_TESTBUG_PREPARE_BASE_WAITS_NOT
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
`ifdef TERN_TESTBUG_PREPARE_ERRORS_OF_NEXT
          error_q <= error_next;
`else
          error_q <= k_end ? error0_q : error_next;
`endif
          way_q   <= way_next;
          coef_q  <= k_end ? coef0_q + 1'b1 : way_end ? coef_q + {{(COEF_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1 : coef_q;
          if (k_end) begin
            coef0_q  <= coef0_q + 1'b1;
            column_q <= column_next;
            d_q      <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
            if (d_end) begin
              if (!has_base) error0_q <= error_next;
              wait_q   <= 4'd6;
              state_q  <= has_base ? ST_KAP : ST_COEF_WAIT;
            end
          end
        end
      end
      ST_KAP: begin // averaged errors for the baseline, sample by sample
        d_q      <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
        column_q <= column_next;
        wait_q   <= 4'd6;
        if (d_end) begin
          k_q     <= k_q + 1'b1;
          error_q <= error_next;
          if (k_end) begin
            error0_q <= error_next;
            state_q  <= ST_COEF_WAIT;
          end
        end
      end
`ifdef TERN_TESTBUG_PREPARE_WAITS_ON
      ST_COEF_WAIT: if (wait_q == 4'd0 && pass_active_i) state_q <= ST_ROW;
`else
      ST_COEF_WAIT: if (wait_q == 4'd0) state_q <= ST_ROW;
`endif
      ST_ROW: // the row's word is there; wait for the buffer
        if (!valid_q) begin
          kernel_q <= update_i && d_kind == ROW_SHARED;
          d_q      <= {LAG_W{1'b0}};
          q_q      <= {Q_W{1'b0}};
          block_q  <= 5'd0;
          load_q   <= !TAPS_COME || !(update_i && d_kind == ROW_SHARED);
          state_q  <= (d_reuse || d_kind == ROW_NONE) ? ST_PUBLISH : ST_TAPS;
        end
      ST_TAPS: if (PREP > 1) begin
        block_q <= block_end ? 5'd0 : block_q + 5'd1;
        if (block_end) q_q <= q_next;
        if (load_q && kernel_q && q_q == cfg_tap_last_i) begin // the sums follow
          load_q <= 1'b0;
          q_q    <= {Q_W{1'b0}};
        end
        if (taps_end) state_q <= ST_PUBLISH;
      end else begin
        if (tap_lags_end) begin
          q_q <= q_next;
          d_q <= (q_next > cfg_tap_last_i) ? q_next[LAG_W-1:0] - cfg_tap_last_i[LAG_W-1:0] : {LAG_W{1'b0}};
        end else d_q <= d_q + 1'b1;
        if (taps_end) state_q <= ST_TAPS_WAIT; // the last tap of the kernel is stored two cycles after row_valid, one before tern_pass takes it
      end
      ST_TAPS_WAIT: state_q <= ST_PUBLISH;
      ST_PUBLISH: if (publish) begin
        row_q   <= row_q + 1'b1;
        first_q <= 1'b0;
        if (first_q) state_q <= ST_BIAS;
        else if (!d_last) state_q <= ST_FETCH;
        else begin
          neuron_q <= neuron_q + 1'b1;
          pair0_q  <= pair0_q + {{(SELF_AW-SAMPLE_W){1'b0}}, cfg_sample_last_i} + 1'b1;
          wait_q   <= 4'd1;
          state_q  <= (neuron_q == cfg_neuron_last_i) ? ST_IDLE : ST_START;
        end
      end
      ST_BIAS: begin // read of the bias is under way; without an update the parameters stay
        wait_q  <= 4'd2;
        state_q <= ST_LOCAL;
      end
      ST_LOCAL: if (wait_q == 4'd0) state_q <= ST_START_ACC; // bias, then self-memory (see below)
      ST_START_ACC: begin
        k_q     <= {SAMPLE_W{1'b0}};
        pair_q  <= pair0_q;
        state_q <= potential_i ? ST_ACC : ST_ACC_WAIT;
        wait_q  <= 4'd0;
      end
      ST_ACC: begin
        k_q    <= k_q + 1'b1;
        pair_q <= pair_q + 1'b1;
        if (k_end) begin
          wait_q  <= 4'd5;
          state_q <= ST_ACC_WAIT;
        end
      end
      ST_ACC_WAIT: if (wait_q == 4'd0) begin
        if (!last_first_q) state_q <= ST_ROW;
        else begin
          neuron_q <= neuron_q + 1'b1;
          pair0_q  <= pair0_q + {{(SELF_AW-SAMPLE_W){1'b0}}, cfg_sample_last_i} + 1'b1;
          wait_q   <= 4'd1;
          state_q  <= (neuron_q == cfg_neuron_last_i) ? ST_IDLE : ST_START;
        end
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) begin
      state_q <= ST_IDLE;
      valid_q <= 1'b0;
      wait_q  <= 4'd0;
    end
  end

  assign idle_o          = (state_q == ST_IDLE) && !valid_q;
  assign draw_start_o    = (state_q == ST_START) && start;
  assign neuron_o        = neuron_q;
  assign neurons_raddr_o = neuron_q;
  assign rows_raddr_o    = row_q;
  assign row_valid_o     = valid_q;
  assign row_kind_o      = kind_q;
  assign row_shift_o     = shift_q;
  assign row_last_o      = last_q;
  assign row_parity_o    = parity_q;
  assign row_set_o       = row_set_q;
  assign row_words_o     = words_q;
  assign row_hist_o      = hist_q;
  assign row_word_o      = word_q;
  assign row_index_o     = index_q;

  // ---- filter taps and learning kernel of a row ------------------------------------
  // taps address filter * TAPS_D + q - d, sum address d; their data is there when tern_taps has seen the tap number. The product is made in the cycle before
  // the first tap: ST_START, of the neuron's filter, or ST_ROW, of the row's
`ifdef TERN_TESTBUG_PREPARE_SELF_FILTER_OF_ROW
  wire [FILTER_W-1:0] t_filter = d_filter;
`else
  wire [FILTER_W-1:0] t_filter = (state_q == ST_START || state_q == ST_SELF) ? n_filter : d_filter;
`endif
`ifdef TERN_TESTBUG_PREPARE_TAP_MORE
  wire [Q_W-1:0]      t_tap    = q_q;
`else
  wire [Q_W-1:0]      t_tap    = (PREP > 1 && !TAPS_COME && state_q == ST_TAPS && !load_q) ? {Q_W{1'b0}} : (PREP > 1 || state_q == ST_SELF) ? q_q : q_q - {{(Q_W-LAG_W){1'b0}}, d_q};
`endif
  localparam [TAP_AW-1:0] STRIDE = TAPS_D[TAP_AW-1:0];
  reg  [TAP_AW-1:0]   t_first_q;
  always @(posedge clk_i) t_first_q <= {{(TAP_AW-FILTER_W){1'b0}}, t_filter} * STRIDE;
  assign taps_re_o    = (state_q == ST_TAPS && (PREP == 1 || !rest)) || (state_q == ST_SELF);
  assign error_re_o   = coef_issue || (state_q == ST_KAP);
  assign m_re_o       = (state_q == ST_COEF) || base_re_i;
  assign base_re_o    = (state_q == ST_BASE) && !base_busy_i;
  assign self_re_o    = coef_issue || (state_q == ST_ACC);
  assign local_re_o   = (state_q == ST_BIAS) || (state_q == ST_LOCAL && wait_q == 4'd2);
  wire tap_comes = load_q || (TAPS_COME && block_q == 5'd0 && !rest);
  assign taps_raddr_o = t_first_q + {{(TAP_AW-Q_W){1'b0}}, t_tap};
  assign sumc_raddr_o = (PREP > 1) ? q_q[LAG_W-1:0] : d_q;

  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] self_taps;
  wire [X_W-1:0]                      self_base;
  wire                                low_use; // the first multiplier of tern_coefficient works for tern_taps
  wire [15:0]                         low;
  tern_taps #(.TAPS_D(TAPS_D), .HIST_W(HIST_W), .Q_W(Q_W), .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .LAGS_W(LAGS_W), .LAG_W(LAG_W), .PREP(PREP)) u_taps (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(begin_i), .start_i(state_q == ST_START), .clear_i(state_q == ST_ROW && !valid_q && !d_reuse),
    .tap_i(state_q == ST_TAPS && ((PREP > 1) ? tap_comes : d_q == {LAG_W{1'b0}} && q_q <= cfg_tap_last_i)), .self_i(state_q == ST_SELF),
    .product_i(state_q == ST_TAPS && kernel_q && (PREP == 1 || !load_q)), .block_i(block_q), .rest_i(rest), .sumc_we_i(sumc_we_o), .sumc_lag_i(sumc_waddr_o), .sumc_i(sumc_wdata_o),
    .first_i(d_q == d_low), .end_i(tap_lags_end), .q_i(q_q), .taps_rdata_i(taps_rdata_i), .sumc_rdata_i(sumc_rdata_i), .low_use_o(low_use), .low_o(low), .low_product_i(kap_product_o),
    .taps_o(row_taps_o), .taps_base_o(row_taps_base_o), .self_taps_o(self_taps), .self_base_o(self_base), .kernel_o(row_kernel_o), .kernel_base_o(row_kernel_base_o)
  );

  // ---- own history: trace at lag d+1 (coefficients), at lag 0 (start of the potentials) --------
  assign self_raddr_o  = pair_q;
  assign error_raddr_o = error_q + {{(ERROR_AW-LAG_W){1'b0}}, column_q};
  assign m_raddr_o     = base_re_i ? base_sample_i : km_q; // tern_baseline reads w while no coefficients are made
`ifdef TERN_TESTBUG_PREPARE_KAP_ORDER
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
    .history_i(self_rdata_i), .spike_i(spike_rdata_i), .shift_i(1'b1), .lag_i(h1_lag_q), .history_o(history1), .lagged_o(lagged1)
  );
  wire unused_lagged = &{1'b0, lagged1};
  reg  [TAPS_D-1:0] bits2_q;
  always @(posedge clk_i) bits2_q <= lagged1[TAPS_D-1:0];
  wire [X_W-1:0] x5;
  tern_trace #(.TAPS_D(TAPS_D), .TAP_W(TAP_W), .X_W(X_W)) u_trace (.clk_i(clk_i), .bits_i(bits2_q), .taps_i(self_taps), .base_i(self_base), .x_o(x5));
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
`ifdef TERN_TESTBUG_PREPARE_BASELINE_IGNORED
  wire [31:0] base = 32'd0;
  wire unused_bug_base = &{1'b0, base_rdata_i};
`else
  wire [31:0] base = cfg_baseline_i ? base_rdata_i : 32'd0;
`endif
  tern_modulator #(.SIGNALS(SIGNALS)) u_modulator (
    .clk_i(clk_i), .set_i(set_q), .m_i(m_rdata_i), .w_f12_i(w_rdata_i), .b_f12_i(base), .m_shift_i(cfg_m_shift_i), .diff_o(base_diff_o), .m_o(m2), .sat_o(m_sat2)
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
`ifdef TERN_TESTBUG_PREPARE_SET_SHIFT
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
    .clk_i(clk_i), .m_i(low_use ? {{(16-TAP_W){1'b0}}, taps_rdata_i} : kap2_q ? {1'b0, ek2_q} : m2), .e_f15_i(low_use ? low : e2_q), .ek_i(ek2_q), .c_shift_i(c_shift), .product_o(kap_product_o), .c_o(c6), .sat_o(c_sat6)
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
  assign coef_waddr_o = {neuron_q[0], caddr6_q};
  assign coef_wdata_o = c6;
  assign sat_coefficient_o = valid6 ? c_sat6 : 2'd0;

  // sum over samples for each lag; over lags for the bias; c x for the self-memory
  reg  [20:0]        sum_c_q;
`ifdef TERN_TESTBUG_PREPARE_SUM_NOT_RESTARTED
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
  assign sumc_waddr_o = lag7_q;
  assign sumc_wdata_o = sumc_q;

  // ---- bias and self-memory: ST_BIAS reads the bias; ST_LOCAL: wait 2: bias arrives, self is read; wait 1: new bias, self arrives; wait 0: bias written,
  //      new self; ST_START_ACC: self written. The potentials need them four cycles later
  wire local_self = (state_q == ST_LOCAL) && (wait_q != 4'd2);
  wire local_use  = (state_q == ST_LOCAL) && (wait_q == 4'd2 || wait_q == 4'd1);
  assign local_raddr_o = {neuron_q, (state_q == ST_LOCAL)};
  wire [15:0] self_w;
  wire [SAMPLE_W-1:0] acc_sample;
  tern_local #(.SAMPLE_W(SAMPLE_W), .NEURON_W(NEURON_W), .X_W(X_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W), .DITHER_MAX(DITHER_MAX)) u_local (
    .clk_i(clk_i), .rst_i(rst_i), .update_i(update_i), .use_i(local_use), .self_i(local_self), .neuron_i(neuron_q), .n_self_i(n_self), .s_word_i(s_word_i), .d_bias_i(d_bias_q), .d_self_i(d_self_q),
    .local_bits_i(local_bits), .trace_frac_i(cfg_trace_frac_i), .rdata_i(local_rdata_i), .we_o(local_we_o), .waddr_o(local_waddr_o), .wdata_o(local_wdata_o), .self_o(self_w), .sat_o(sat_local_o),
    .start_i(h1_acc_q), .sample_i(h1_k_q), .product_i(product_q), .acc_we_o(acc_we_o), .acc_sample_o(acc_sample), .acc_o(acc_wdata_o)
`ifdef TERN_COSIM
    , .ev_valid_o(ev_l_valid_o), .ev_self_o(ev_l_self_o), .ev_neuron_o(ev_l_neuron_o), .ev_old_o(ev_l_old_o), .ev_new_o(ev_l_new_o), .ev_sat_o(ev_l_sat_o), .ev_draw_o(ev_l_draw_o)
`endif
  );

  // ---- start of the potentials: history in 1, x in 5, product in 5 -> 6, acc in 6
  assign mul_a_x = $signed(valid6 ? c6 : self_w) * $signed({1'b0, valid6 ? x6_q : x5});
  assign acc_waddr_o = {neuron_q[0], acc_sample};
  assign local_done_o = (state_q == ST_ACC_WAIT) && (wait_q == 4'd0) && potential_i;
endmodule

`default_nettype wire
