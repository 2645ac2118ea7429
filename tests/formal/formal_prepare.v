// formal_prepare.v : rules of tern_prepare: its addresses, and that it waits for nothing but the others
// SPDX-License-Identifier: Apache-2.0
//
// Row words and neurons are any that the planner makes (docs/33-host-port.md): filters that there are, and a last row
// that is the last neuron's. Other memories, draws and the engines behind are free.
//! files   core/tern_prepare core/tern_taps core/tern_local blocks/tern_history blocks/tern_trace blocks/tern_tapsum
//! files   blocks/tern_modulator blocks/tern_coefficient blocks/tern_weight mem/tern_ram mem/tern_regfile
//! cut     tern_taps tern_history tern_trace tern_modulator tern_coefficient tern_weight
//! solver  bits
//! bound   12
//! induct  1
//! reach   60
//! set     PREP=1
//! set     PREP=2
//! set     PREP=2 TAPS=2
//! connect f_load=dut.load_q f_block=dut.block_q f_block_last=dut.block_last f_rest=dut.rest
//! connect f_state=dut.state_q f_row=dut.row_q f_prologue=dut.prologue_q f_first=dut.first_q
//! connect f_last_first=dut.last_first_q f_wait=dut.wait_q f_valid=dut.valid_q f_publish=dut.publish
//! connect f_d=dut.d_q f_k=dut.k_q f_q=dut.q_q f_pair=dut.pair_q f_pair0=dut.pair0_q f_error=dut.error_q
//! connect f_error0=dut.error0_q f_column=dut.column_q f_coef=dut.coef_q f_coef0=dut.coef0_q f_ahead=dut.ahead_q
//! connect f_km=dut.km_q f_kernel=dut.kernel_q f_t_first=dut.t_first_q f_has_base=dut.has_base f_q_last=dut.q_last
//! connect f_d_low=dut.d_low
//! connect f_h_coef=dut.h1_coef_q f_h_acc=dut.h1_acc_q f_h_k=dut.h1_k_q f_h_d=dut.h1_d_q f_h_pair=dut.h1_pair_q
//! connect f_h_at=dut.h1_coef_addr_q f_pipe=dut.coef_pipe_q f_acc_pipe=dut.u_local.acc_pipe_q f_acc5=dut.u_local.acc5_q
//! connect f_acc6=dut.u_local.acc6_q
//! connect f_c2=dut.caddr2_q f_c3=dut.caddr3_q f_c4=dut.caddr4_q f_c5=dut.caddr5_q f_c6=dut.caddr6_q f_l2=dut.lag2_q
//! connect f_l3=dut.lag3_q f_l4=dut.lag4_q f_l5=dut.lag5_q f_l6=dut.lag6_q f_l7=dut.lag7_q
//! connect f_k2=dut.u_local.k2_q f_k3=dut.u_local.k3_q f_k4=dut.u_local.k4_q f_k5=dut.u_local.k5_q
//! connect f_k6=dut.u_local.k6_q f_self_we=dut.self_we2_q f_self_at=dut.self_waddr2_q f_use=dut.u_local.local_use_q
//! mutant  errors_next a_error PREPARE_ERRORS_OF_NEXT 40
//! mutant  tap_more a_taps PREPARE_TAP_MORE 30
//! mutant  wait_on a_goes_on PREPARE_WAITS_ON 60
`default_nettype none

module formal_prepare #(
  parameter PREP = 1,
  parameter TAPS = 3
) (
  input wire        clk_i,
  input wire        begin_i,
  input wire        draw_idle_i,
  input wire        ready_i,
  input wire        fire_done_i,
  input wire        pass_sample_i,
  input wire        pass_active_i,
  input wire        pass_parity_i,
  input wire        take_i,
  input wire        base_busy_i,
  input wire        base_re_i,
  input wire [1:0]  base_sample_i,
  input wire [31:0] row_i,
  input wire [2:0]  neuron_i
);
  localparam SAMPLES = 3, LAGS = 3, NEURONS = 3, FILTERS = 3, ROWS = 6;
  localparam [4:0] ST_IDLE = 5'd0, ST_PROLOGUE = 5'd1, ST_START = 5'd2, ST_SELF = 5'd3, ST_COEF = 5'd4,
      ST_COEF_WAIT = 5'd5, ST_ROW = 5'd6,
                   ST_TAPS = 5'd7, ST_TAPS_WAIT = 5'd8, ST_PUBLISH = 5'd9, ST_BIAS = 5'd10, ST_LOCAL = 5'd11,
                       ST_START_ACC = 5'd12, ST_ACC = 5'd13,
                   ST_ACC_WAIT = 5'd14, ST_FETCH = 5'd15, ST_BASE = 5'd16, ST_KAP = 5'd17;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg       update, potential, baseline, common;
  (* anyconst *) reg [1:0] neuron_last, sample_last, lag_last, lag_head;
  (* anyconst *) reg [2:0] tap_last, rows, signal_first;

  localparam  COME = LAGS <= TAPS; // taps come one by one
  wire        f_load, f_rest;
  wire [4:0]  f_block, f_block_last;
  wire        idle, row_valid, taps_re, error_re, m_re, self_re, local_re, self_we, local_we, coef_we, sumc_we, acc_we;
  wire [1:0]  neuron, neuron_at, m_at, ek_at, sumc_to, sumc_at, kap_sample;
  wire [2:0]  row_at, local_at, local_to, acc_to;
  wire [4:0]  taps_at, error_at;
  wire [3:0]  self_at, self_to;
  wire [4:0]  coef_to;   // {neuron, bit 0; word}
  wire        begins = begin_i && idle && !f_reset;
  tern_prepare #(
    .SAMPLE_W(2), .TAPS_D(TAPS), .HIST_W(6), .LAG_W(2), .Q_W(3), .FILTER_W(2), .TAP_W(9), .X_W(10), .KERNEL_W(22),
    .DELTA_W(27), .ACC_W(28), .DITHER_MAX(2), .NEURON_W(2), .ROW_AW(3), .ERROR_AW(5), .SELF_AW(4),
    .COEF_AW(4), .TAP_AW(5), .HIST_AW(2), .WORD_AW(2), .INDEX_W(2), .SIGNALS(1), .LAGS_W(LAGS), .PREP(PREP)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .update_i(update), .potential_i(potential), .idle_o(idle),
    .draw_start_o(), .draw_idle_i(draw_idle_i), .dither_ready_i(ready_i), .s_word_i(32'd0), .neuron_o(neuron),
    .fire_done_i(fire_done_i), .pass_sample_busy_i(pass_sample_i), .pass_active_i(pass_active_i),
    .pass_parity_i(pass_parity_i), .local_done_o(), .row_valid_o(row_valid), .row_take_i(take_i && row_valid),
    .row_kind_o(),
    .row_shift_o(), .row_last_o(), .row_parity_o(), .row_set_o(), .row_words_o(), .row_hist_o(), .row_word_o(),
    .row_index_o(), .row_kernel_o(), .row_kernel_base_o(), .row_taps_o(), .row_taps_base_o(),
    .rows_raddr_o(row_at), .rows_rdata_i(row_i), .rows_hist_i(2'd0), .rows_word_i(2'd0), .rows_index_i(2'd0),
    .neurons_raddr_o(neuron_at), .neurons_rdata_i(neuron_i), .taps_re_o(taps_re), .error_re_o(error_re),
    .m_re_o(m_re), .self_re_o(self_re), .local_re_o(local_re), .taps_raddr_o(taps_at), .taps_rdata_i(9'd0),
    .error_raddr_o(error_at), .error_rdata_i(16'd0), .m_raddr_o(m_at), .m_rdata_i(16'd0), .w_rdata_i(32'd0),
    .ek_raddr_o(ek_at), .ek_rdata_i(15'd0), .base_re_o(), .base_rdata_i(32'd0), .kap_valid_o(), .kap_first_o(),
    .kap_end_o(), .kap_last_o(), .kap_sample_o(kap_sample), .kap_product_o(), .base_busy_i(base_busy_i),
    .base_re_i(base_re_i), .base_sample_i(base_sample_i), .base_diff_o(), .self_raddr_o(self_at), .self_rdata_i(6'd0),
    .spike_rdata_i(1'b0), .self_we_o(self_we), .self_waddr_o(self_to), .self_wdata_o(),
    .local_raddr_o(local_at), .local_rdata_i(16'd0), .local_we_o(local_we), .local_waddr_o(local_to), .local_wdata_o(),
    .coef_we_o(coef_we), .coef_waddr_o(coef_to), .coef_wdata_o(), .sumc_we_o(sumc_we),
    .sumc_waddr_o(sumc_to), .sumc_wdata_o(), .sumc_raddr_o(sumc_at), .sumc_rdata_i(21'd0), .acc_we_o(acc_we),
    .acc_waddr_o(acc_to), .acc_wdata_o(), .cfg_neuron_last_i(neuron_last), .cfg_sample_last_i(sample_last),
    .cfg_lag_last_i(lag_last), .cfg_tap_last_i(tap_last), .cfg_lag_head_i(lag_head), .cfg_c_shift_i(5'd15),
    .cfg_local_bits_i(5'd1), .cfg_c_shift1_i(5'd15), .cfg_local_bits1_i(5'd1), .cfg_signal_first_i(signal_first),
    .cfg_m_shift_i(5'd0), .cfg_baseline_i(baseline), .cfg_common_i(common), .cfg_trace_frac_i(4'd0),
    .sat_coefficient_o(), .sat_modulator_o(), .sat_local_o()
  );
  wire [4:0] f_state, f_error, f_error0, f_t_first, f_pipe;
  wire [2:0] f_row, f_q, f_q_last, f_acc_pipe;
  wire [3:0] f_wait, f_pair, f_pair0, f_coef, f_coef0, f_h_pair, f_h_at, f_c2, f_c3, f_c4, f_c5, f_c6, f_self_at;
  wire [1:0] f_d, f_k, f_column, f_km, f_d_low, f_h_k, f_h_d, f_l2, f_l3, f_l4, f_l5, f_l6, f_l7, f_k2, f_k3, f_k4,
      f_k5, f_k6;
  wire       f_prologue, f_first, f_last_first, f_valid, f_publish, f_ahead, f_kernel, f_has_base, f_h_coef, f_h_acc,
      f_acc5, f_acc6, f_self_we, f_use;

  // ---- what the planner makes: memories give the same word as long as the address stays -----------------------------
  reg  [2:0]  m_row_at = 3'd0, m_row_was = 3'd0, m_neuron_was = 3'd0;
  reg  [1:0]  m_neuron_at = 2'd0, m_neuron_old = 2'd0;
  reg  [31:0] m_row_last = 32'd0;
  reg         m_held = 1'b0;
  always @(posedge clk_i) begin
    m_row_at     <= row_at;
    m_row_was    <= m_row_at;
    m_row_last   <= row_i;
    m_neuron_at  <= neuron_at;
    m_neuron_old <= m_neuron_at;
    m_neuron_was <= neuron_i;
    m_held       <= 1'b1;
  end
  wire [1:0] kind   = row_i[1:0];
  wire [1:0] filter = row_i[9:8];
  wire       ends   = row_i[3] && neuron == neuron_last;
  wire       looks  = f_state == ST_ROW || f_state == ST_TAPS || f_state == ST_TAPS_WAIT || f_state == ST_PUBLISH;
  wire [2:0] samples = {1'b0, sample_last} + 3'd1;
  wire [2:0] lags    = {1'b0, lag_last} + 3'd1;
  wire [4:0] all     = samples * lags;
  wire [4:0] top     = ({3'd0, neuron_last} + 5'd1) * all;
  wire [3:0] pairs   = ({2'd0, neuron_last} + 4'd1) * {1'b0, samples};
  always @* begin
    assume (neuron_last < NEURONS && sample_last < SAMPLES && lag_last < LAGS && tap_last < TAPS &&
        lag_head <= lag_last && rows != 3'd0 && rows <= ROWS);
    if (m_held && m_row_at == m_row_was) assume (row_i == m_row_last);
    if (m_held && m_neuron_at == m_neuron_old) assume (neuron_i == m_neuron_was);
    assume (filter < FILTERS && neuron_i[1:0] < FILTERS);
    if (looks) assume ((m_row_at == rows - 3'd1) == ends);
    if (f_state == ST_PROLOGUE && kind == 2'd2) assume (m_row_at != rows - 3'd1);
    assume (base_sample_i <= sample_last);
  end

  // ---- time: cycles since the last state in which it may have to wait for another engine
  wire       waits = f_state == ST_IDLE || f_state == ST_PROLOGUE || f_state == ST_START || f_state == ST_ROW ||
      f_state == ST_PUBLISH || f_state == ST_BASE;
  localparam LIMIT = 29;
  reg  [6:0] m_run = 7'd0;
  always @(posedge clk_i) m_run <= (f_reset || waits) ? 7'd0 : m_run + 7'd1;

  // ---- rules --------------------------------------------------------------------------------------------------------
  always @* if (!f_reset) begin
    // 1. every address is one of the network's; of rows and neurons those that are looked at
    if (looks || f_state == ST_PROLOGUE) a_row: assert (m_row_at < rows);
    if (f_state != ST_IDLE) a_neuron: assert (neuron_at <= neuron_last);
    if (taps_re) a_taps: assert (taps_at < FILTERS * TAPS);
    if (error_re) a_error: assert (error_at < top);
    if (error_re) a_ek: assert (ek_at <= lag_last);
    if (m_re) a_modulator: assert (m_at <= sample_last);
    if (self_re) a_self: assert (self_at < pairs);
    if (self_we) a_self_written: assert (self_to < pairs);
    if (local_re) a_local: assert (local_at[2:1] <= neuron_last);
    if (local_we) a_local_written: assert (local_to[2:1] <= neuron_last);
    if (coef_we) a_coefficient: assert ({1'b0, coef_to[3:0]} < all && coef_to[4] == neuron[0]);
    if (sumc_we) a_sums_written: assert (sumc_to <= lag_last);
    if (f_state == ST_TAPS && f_kernel && (PREP == 1 || (COME == 0 && !f_load && taps_re))) a_sums:
        assert (sumc_at <= lag_last);
    if (acc_we) a_potential: assert (acc_to[1:0] <= sample_last);
    // 2. it continues but where it waits for others: for draws, tern_fire, tern_pass, tern_baseline, or for a row to be
    // taken
    a_goes_on: assert (m_run <= LIMIT);
    // 3. each row is handed over once, in order (its number grows by one with each), and no more of them than there are
    if (f_publish) a_rows: assert (f_row < rows);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  wire       i_before = f_state == ST_START || f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF ||
      f_state == ST_KAP || f_state == ST_PROLOGUE || (f_state == ST_FETCH && f_prologue);
  wire       i_local  = f_state == ST_BIAS || f_state == ST_LOCAL || f_state == ST_START_ACC || f_state == ST_ACC ||
      f_state == ST_ACC_WAIT;
  wire [3:0] i_number = {2'd0, neuron} + {3'd0, update && !i_before};
  wire [4:0] i_error0 = i_number * all;
  wire [4:0] i_pair0  = neuron * samples;
  wire [4:0] i_steps  = f_d * samples + {3'd0, f_k};  // coefficients before this one
  wire [4:0] i_kaps   = f_k * lags + {3'd0, f_d};
  wire [4:0] i_word   = f_k * lags + {3'd0, f_d};
  always @* if (!f_reset) begin
    i_state: assert (f_state <= ST_KAP);
    if (f_state != ST_IDLE) begin
      i_pairs: assert ({1'b0, f_pair0} == i_pair0);
      if (update) i_errors: assert (f_error0 == i_error0);
      i_rows: assert (f_row < rows || (f_row == rows && i_local && f_last_first && neuron == neuron_last));
      if (f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF || f_state == ST_KAP) i_ranges:
          assert (f_d <= lag_last && f_k <= sample_last);
      i_prologue: assert (!f_prologue || f_state == ST_FETCH || f_state == ST_PROLOGUE);
      i_not_prologue: assert (f_prologue || f_state != ST_PROLOGUE);
    end
    if (looks || f_state == ST_PROLOGUE || f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF ||
        f_state == ST_KAP || f_state == ST_COEF_WAIT || (i_local && f_state != ST_BIAS) ||
        (f_state == ST_START && f_wait == 4'd0))
      i_row_at: assert (m_row_at == f_row);
    if (f_state != ST_IDLE && f_state != ST_FETCH && f_state != ST_PROLOGUE &&
        (f_state != ST_START || f_wait == 4'd0)) i_neuron_at: assert (m_neuron_at == neuron);
    if (f_state == ST_PROLOGUE) i_prologue_at: assert (m_neuron_at == neuron && neuron == 2'd0 && f_wait == 4'd0);
    if (f_prologue && f_state == ST_FETCH) i_fetch: assert (neuron == 2'd0 && f_wait == 4'd0);
    if (f_state == ST_START) i_start: assert (f_wait <= 4'd1);
    if (f_state == ST_FETCH || f_state == ST_PROLOGUE) i_fetch_row: assert (f_row < rows);
    if (i_local && !f_last_first) i_more: assert (f_row < rows);
    if (f_state == ST_SELF) i_self: assert (f_q <= tap_last && f_t_first == neuron_i[1:0] * TAPS && f_pair == f_pair0 &&
        (!update || f_error == f_error0) && f_k == 2'd0 && f_d == 2'd0);
    if (f_state == ST_SELF || f_state == ST_BASE || (f_state == ST_COEF && f_ahead)) i_fresh:
        assert (f_coef == 4'd0 && f_coef0 == 4'd0 && f_ahead && f_km == 2'd0 && f_pair == f_pair0 && f_k == 2'd0 &&
        f_d == 2'd0
                                                                                                   && f_column <=
                                                                                                       lag_last &&
                                                                                                       (!update ||
                                                                                                       f_error ==
                                                                                                       f_error0));
    if (f_state == ST_BASE || f_state == ST_COEF || f_state == ST_KAP) i_update: assert (update);
    if (f_state == ST_COEF) i_coef: assert ({1'b0, f_pair} == i_pair0 + {3'd0, f_k} &&
        f_error == f_error0 + f_k * lags && {1'b0, f_coef} == i_word && f_coef0 == {2'd0, f_d} && f_km <= sample_last &&
        f_column <= lag_last);
    if (f_state == ST_KAP) i_kap: assert (f_error == f_error0 + f_k * lags && f_column <= lag_last && f_wait <= 4'd6);
    if (f_state == ST_TAPS && PREP > 1) i_chain:
        assert (f_t_first == filter * TAPS && f_q <= (f_load ? tap_last : tap_last + {1'b0, lag_last}) &&
        f_block <= f_block_last && f_block_last <= 5'd1 && (f_load || f_kernel)
                                                         && ((!f_load && !f_rest) || f_block == 5'd0) &&
                                                             (!f_load || COME == 0 || !f_kernel));
    if (f_state == ST_TAPS && PREP == 1) i_taps:
        assert (f_t_first == filter * TAPS && f_q <= f_q_last && f_d >= f_d_low && f_d <= lag_last &&
        {1'b0, f_d} <= f_q && (f_kernel || f_d == 2'd0) && f_q_last <= tap_last + {1'b0, lag_last});
    if (f_state == ST_TAPS && PREP == 1 && (!f_kernel || lag_last == 2'd0)) i_taps_only: assert (f_q <= tap_last);
    if (f_state == ST_ACC) i_acc: assert (f_k <= sample_last && {1'b0, f_pair} == i_pair0 + {3'd0, f_k});
    // time
    if (f_state == ST_SELF) i_run_self: assert (m_run <= {4'd0, f_q});
    if (f_state == ST_COEF) i_run_coef: assert (m_run <= 7'd3 + {2'd0, i_steps} + {6'd0, !f_ahead});
    if (f_state == ST_KAP) i_run_kap: assert (m_run <= 7'd13 + {2'd0, i_kaps});
    if (f_state == ST_COEF_WAIT) i_run_wait: assert (f_wait <= 4'd6 && m_run <= 7'd28 - {3'd0, f_wait});
    if (f_state == ST_TAPS && PREP == 1) i_run_taps: assert (m_run <= f_q * 7'd3 + {5'd0, f_d});
    if (f_state == ST_TAPS && PREP > 1) i_run_chain:
        assert (m_run <= ((f_load || COME == 1) ? 7'd0 : 7'd3) + f_q * 7'd2 + {2'd0, f_block});
    if (PREP > 1) i_no_wait: assert (f_state != ST_TAPS_WAIT);
    if (f_state == ST_TAPS_WAIT) i_run_taps_wait: assert (m_run <= 7'd18);
    if (f_state == ST_FETCH) i_run_fetch: assert (m_run == 7'd0);
    if (f_state == ST_BIAS) i_run_bias: assert (m_run == 7'd0);
    if (f_state == ST_LOCAL) i_run_local: assert (f_wait <= 4'd2 && m_run <= 7'd3 - {3'd0, f_wait});
    if (f_state == ST_START_ACC) i_run_start: assert (m_run <= 7'd4);
    if (f_state == ST_ACC) i_run_acc: assert (m_run <= 7'd5 + {5'd0, f_k});
    if (f_state == ST_ACC_WAIT) i_run_acc_wait: assert (f_wait <= 4'd5 && m_run <= 7'd13 - {3'd0, f_wait});
    // pipelines
    if (f_h_coef) i_h_coef: assert ({1'b0, f_h_at} < all && f_h_d <= lag_last);
    if (f_h_acc) i_h_acc: assert (f_h_pair < pairs && f_h_k <= sample_last);
    if (f_self_we) i_self_at: assert (f_self_at < pairs);
    if (f_pipe[0]) i_p2: assert ({1'b0, f_c2} < all && f_l2 <= lag_last);
    if (f_pipe[1]) i_p3: assert ({1'b0, f_c3} < all && f_l3 <= lag_last);
    if (f_pipe[2]) i_p4: assert ({1'b0, f_c4} < all && f_l4 <= lag_last);
    if (f_pipe[3]) i_p5: assert ({1'b0, f_c5} < all && f_l5 <= lag_last);
    if (f_pipe[4]) i_p6: assert ({1'b0, f_c6} < all && f_l6 <= lag_last);
    if (f_acc_pipe[0]) i_k2: assert (f_k2 <= sample_last);
    if (f_acc_pipe[1]) i_k3: assert (f_k3 <= sample_last);
    if (f_acc_pipe[2]) i_k4: assert (f_k4 <= sample_last);
    if (f_acc5) i_k5: assert (f_k5 <= sample_last);
    if (f_acc6) i_k6: assert (f_k6 <= sample_last);
    if (f_use) i_use: assert (f_state == ST_LOCAL || f_state == ST_START_ACC);
  end

  // ---- these happen: a neuron with an update, self-memory and a kernel; the last row of the second neuron is handed
  // over
  reg f_self = 1'b0, f_tap = 1'b0;
  always @(posedge clk_i) begin
    if (f_state == ST_SELF) f_self <= 1'b1;
    if (f_state == ST_TAPS && f_kernel) f_tap <= 1'b1;
  end
  always @* if (!f_reset) begin
    c_learns: cover (f_self && f_tap && f_state == ST_ACC && potential && sample_last == 2'd1);
    c_flush: cover (f_state == ST_IDLE && f_tap && !potential && neuron_last == 2'd1);
    c_base: cover (f_state == ST_ROW && f_has_base && neuron == 2'd0);
  end
  wire unused = &{1'b0, kap_sample, f_first};
endmodule

`default_nettype wire
