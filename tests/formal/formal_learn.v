// formal_learn.v : rules of tern_learn: its addresses, and that it waits for nothing but the others
// SPDX-License-Identifier: Apache-2.0
//
// Neurons are any that the planner makes (docs/33-host-port.md): filters that there are. Memories, draws and the other
// engines are free.
//! files   core/tern_learn core/tern_local blocks/tern_history blocks/tern_trace blocks/tern_tapsum
//! files   blocks/tern_modulator blocks/tern_coefficient blocks/tern_weight mem/tern_ram mem/tern_regfile
//! cut     tern_history tern_trace tern_modulator tern_coefficient tern_weight
//! solver  bits
//! bound   12
//! induct  1
//! reach   60
//! connect f_state=dut.state_q f_wait=dut.wait_q neuron=dut.neuron_q f_begun=dut.begun_q f_dithers=dut.dithers_q
//! connect f_d=dut.d_q f_k=dut.k_q f_q=dut.q_q f_pair=dut.pair_q f_pair0=dut.pair0_q f_error=dut.error_q
//! connect f_error0=dut.error0_q f_column=dut.column_q f_coef=dut.coef_q f_coef0=dut.coef0_q f_ahead=dut.ahead_q
//! connect f_km=dut.km_q f_t_first=dut.t_first_q f_has_base=dut.has_base
//! connect f_h_coef=dut.h1_coef_q f_h_acc=dut.h1_acc_q f_h_k=dut.h1_k_q f_h_d=dut.h1_d_q f_h_pair=dut.h1_pair_q
//! connect f_h_at=dut.h1_coef_addr_q f_pipe=dut.coef_pipe_q f_acc_pipe=dut.u_local.acc_pipe_q f_acc5=dut.u_local.acc5_q
//! connect f_acc6=dut.u_local.acc6_q
//! connect f_c2=dut.caddr2_q f_c3=dut.caddr3_q f_c4=dut.caddr4_q f_c5=dut.caddr5_q f_c6=dut.caddr6_q f_l2=dut.lag2_q
//! connect f_l3=dut.lag3_q f_l4=dut.lag4_q f_l5=dut.lag5_q f_l6=dut.lag6_q f_l7=dut.lag7_q
//! connect f_k2=dut.u_local.k2_q f_k3=dut.u_local.k3_q f_k4=dut.u_local.k4_q f_k5=dut.u_local.k5_q
//! connect f_k6=dut.u_local.k6_q f_self_we=dut.self_we2_q f_self_at=dut.self_waddr2_q f_use=dut.u_local.local_use_q
//! mutant  errors_next a_error LEARN_ERRORS_OF_NEXT 40
//! mutant  wait_on a_goes_on LEARN_WAITS_ON 60
`default_nettype none

module formal_learn (
  input wire        clk_i,
  input wire        begin_i,
  input wire        begun_i,
  input wire        dither_i,
  input wire        self_wait_i,
  input wire        base_busy_i,
  input wire        base_re_i,
  input wire [1:0]  base_sample_i,
  input wire [2:0]  neuron_i
);
  localparam SAMPLES = 3, LAGS = 3, NEURONS = 3, FILTERS = 3, TAPS = 3;
  localparam [3:0] ST_IDLE = 4'd0, ST_START = 4'd1, ST_SELF = 4'd2, ST_BASE = 4'd3, ST_COEF = 4'd4, ST_KAP = 4'd5,
                   ST_COEF_WAIT = 4'd6, ST_BIAS = 4'd7, ST_LOCAL = 4'd8, ST_START_ACC = 4'd9, ST_ACC = 4'd10,
                       ST_ACC_WAIT = 4'd11;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg       update, potential, baseline, common;
  (* anyconst *) reg [1:0] neuron_last, sample_last, lag_last, lag_head;
  (* anyconst *) reg [2:0] tap_last, signal_first;

  wire        idle, error_re, m_re, self_re, local_re, self_we, local_we, coef_we, sumc_we, acc_we, taps_re,
      coefficients;
  wire [1:0]  neuron, neuron_at, m_at, ek_at, kap_sample;
  wire [2:0]  local_at, local_to, taps_q;
  wire [3:0]  acc_to, sumc_to;    // {neuron, bits 1..0; sample or lag}
  wire [4:0]  taps_at, error_at;
  wire [3:0]  self_at, self_to;
  wire [5:0]  coef_to;            // {neuron, bits 1..0; word}
  wire        begins = begin_i && idle && !f_reset;
  tern_learn #(
    .SAMPLE_W(2), .TAPS_D(TAPS), .HIST_W(6), .LAG_W(2), .Q_W(3), .FILTER_W(2), .TAP_W(9), .X_W(10), .DELTA_W(27),
    .ACC_W(28),
    .DITHER_MAX(2), .NEURON_W(2), .ERROR_AW(5), .SELF_AW(4), .COEF_AW(4), .TAP_AW(5), .SIGNALS(1)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .update_i(update), .potential_i(potential), .idle_o(idle),
    .begun_i(begun_i),
    .dither_done_i(dither_i), .s_words_i(128'd0), .coefficients_o(coefficients), .local_done_o(),
    .self_taps_re_o(taps_re),
    .self_taps_at_o(taps_at), .self_taps_q_o(taps_q), .self_wait_i(self_wait_i), .self_taps_i(42'd0),
    .self_base_i(10'd0),
    .neurons_raddr_o(neuron_at), .neurons_rdata_i(neuron_i), .error_re_o(error_re), .m_re_o(m_re), .self_re_o(self_re),
    .local_re_o(local_re), .error_raddr_o(error_at), .error_rdata_i(16'd0), .m_raddr_o(m_at), .m_rdata_i(16'd0),
    .w_rdata_i(32'd0),
    .ek_raddr_o(ek_at), .ek_rdata_i(15'd0), .base_re_o(), .base_rdata_i(32'd0), .kap_valid_o(), .kap_first_o(),
    .kap_end_o(),
    .kap_last_o(), .kap_sample_o(kap_sample), .kap_product_o(), .base_busy_i(base_busy_i), .base_re_i(base_re_i),
    .base_sample_i(base_sample_i), .base_diff_o(), .self_raddr_o(self_at), .self_rdata_i(6'd0), .spike_rdata_i(1'b0),
    .self_we_o(self_we), .self_waddr_o(self_to), .self_wdata_o(), .local_raddr_o(local_at), .local_rdata_i(16'd0),
    .local_we_o(local_we), .local_waddr_o(local_to), .local_wdata_o(), .coef_we_o(coef_we), .coef_waddr_o(coef_to),
    .coef_wdata_o(),
    .sumc_we_o(sumc_we), .sumc_waddr_o(sumc_to), .sumc_wdata_o(), .acc_we_o(acc_we), .acc_waddr_o(acc_to),
    .acc_wdata_o(),
    .cfg_neuron_last_i(neuron_last), .cfg_sample_last_i(sample_last), .cfg_lag_last_i(lag_last),
    .cfg_tap_last_i(tap_last),
    .cfg_lag_head_i(lag_head), .cfg_c_shift_i(5'd15), .cfg_local_bits_i(5'd1), .cfg_c_shift1_i(5'd15),
    .cfg_local_bits1_i(5'd1),
    .cfg_signal_first_i(signal_first), .cfg_m_shift_i(5'd0), .cfg_baseline_i(baseline), .cfg_common_i(common),
    .cfg_trace_frac_i(4'd0),
    .sat_coefficient_o(), .sat_modulator_o(), .sat_local_o()
  );
  wire [4:0] f_error, f_error0, f_t_first, f_pipe;
  wire [2:0] f_q, f_acc_pipe, f_wait, f_begun, f_dithers;
  wire [3:0] f_state, f_pair, f_pair0, f_coef, f_coef0, f_h_pair, f_h_at, f_c2, f_c3, f_c4, f_c5, f_c6, f_self_at;
  wire [1:0] f_d, f_k, f_column, f_km, f_h_k, f_h_d, f_l2, f_l3, f_l4, f_l5, f_l6, f_l7, f_k2, f_k3, f_k4, f_k5, f_k6;
  wire       f_ahead, f_has_base, f_h_coef, f_h_acc, f_acc5, f_acc6, f_self_we, f_use;

  // ---- what the planner makes: a memory gives the same word as long as the address stays -----------------------
  reg  [2:0]  m_neuron_was = 3'd0;
  reg  [1:0]  m_neuron_at = 2'd0, m_neuron_old = 2'd0;
  reg         m_held = 1'b0;
  always @(posedge clk_i) begin
    m_neuron_at  <= neuron_at;
    m_neuron_old <= m_neuron_at;
    m_neuron_was <= neuron_i;
    m_held       <= 1'b1;
  end
  wire [2:0] samples = {1'b0, sample_last} + 3'd1;
  wire [2:0] lags    = {1'b0, lag_last} + 3'd1;
  wire [4:0] all     = samples * lags;
  wire [4:0] top     = ({3'd0, neuron_last} + 5'd1) * all;
  wire [3:0] pairs   = ({2'd0, neuron_last} + 4'd1) * {1'b0, samples};
  always @* begin
    assume (neuron_last < NEURONS && sample_last < SAMPLES && lag_last < LAGS && tap_last < TAPS &&
        lag_head <= lag_last);
    if (m_held && m_neuron_at == m_neuron_old) assume (neuron_i == m_neuron_was);
    assume (neuron_i[1:0] < FILTERS && base_sample_i <= sample_last);
  end

  // ---- time: cycles since the last state in which it may have to wait for another engine
  wire       waits = f_state == ST_IDLE || f_state == ST_START || f_state == ST_SELF || f_state == ST_BASE ||
      (f_state == ST_COEF_WAIT && f_wait == 3'd0 && f_dithers == 3'd0);
  localparam LIMIT = 25;
  reg  [6:0] m_run = 7'd0;
  always @(posedge clk_i) m_run <= (f_reset || waits || coefficients) ? 7'd0 : m_run + 7'd1;

  // ---- rules -----------------------------------------------------------------------------------------------------
  always @* if (!f_reset) begin
    // 1. every address is one of the network's; of neurons those that are looked at
    if (f_state != ST_IDLE) a_neuron: assert (neuron_at <= neuron_last);
    if (taps_re) a_taps: assert (taps_at < FILTERS * TAPS && taps_q == f_q);
    if (error_re) a_error: assert (error_at < top);
    if (error_re) a_ek: assert (ek_at <= lag_last);
    if (m_re) a_modulator: assert (m_at <= sample_last);
    if (self_re) a_self: assert (self_at < pairs);
    if (self_we) a_self_written: assert (self_to < pairs);
    if (local_re) a_local: assert (local_at[2:1] <= neuron_last);
    if (local_we) a_local_written: assert (local_to[2:1] <= neuron_last);
    if (coef_we) a_coefficient: assert ({1'b0, coef_to[3:0]} < all && coef_to[5:4] == neuron);
    if (sumc_we) a_sums_written: assert (sumc_to[1:0] <= lag_last && sumc_to[3:2] == neuron);
    if (acc_we) a_potential: assert (acc_to[1:0] <= sample_last && acc_to[3:2] == neuron);
    // 2. it continues but where it waits for others: for draws, tern_prepare's taps, tern_baseline
    a_goes_on: assert (m_run <= LIMIT);
    // 3. coefficients are announced when they are there, or are written in this cycle
    if (coefficients && update) a_there: assert (!f_h_coef && f_pipe[3:0] == 4'd0);
  end

  // ---- registers ---------------------------------------------------------------------------------------------------
  wire       i_before = f_state == ST_START || f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF ||
      f_state == ST_KAP;
  wire [3:0] i_number = {2'd0, neuron} + {3'd0, update && !i_before};
  wire [4:0] i_error0 = i_number * all;
  wire [4:0] i_pair0  = neuron * samples;
  wire [4:0] i_steps  = f_d * samples + {3'd0, f_k};  // coefficients before this one
  wire [4:0] i_kaps   = f_k * lags + {3'd0, f_d};
  wire [4:0] i_word   = f_k * lags + {3'd0, f_d};
  always @* if (!f_reset) begin
    i_state: assert (f_state <= ST_ACC_WAIT);
    if (f_state != ST_IDLE) begin
      i_pairs: assert ({1'b0, f_pair0} == i_pair0);
      if (update) i_errors: assert (f_error0 == i_error0);
      if (f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF || f_state == ST_KAP) i_ranges:
          assert (f_d <= lag_last && f_k <= sample_last);
    end
    if (f_state != ST_IDLE && (f_state != ST_START || f_wait == 3'd0)) i_neuron_at: assert (m_neuron_at == neuron);
    if (f_state == ST_START) i_start: assert (f_wait <= 3'd1);
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
    if (f_state == ST_BASE || f_state == ST_COEF || f_state == ST_KAP || f_state == ST_COEF_WAIT) i_update:
        assert (update);
    if (f_state == ST_COEF) i_coef: assert ({1'b0, f_pair} == i_pair0 + {3'd0, f_k} &&
        f_error == f_error0 + f_k * lags && {1'b0, f_coef} == i_word && f_coef0 == {2'd0, f_d} && f_km <= sample_last &&
        f_column <= lag_last);
    if (f_state == ST_KAP) i_kap: assert (f_error == f_error0 + f_k * lags && f_column <= lag_last && f_wait <= 3'd5);
    if (f_state == ST_ACC) i_acc: assert (f_k <= sample_last && {1'b0, f_pair} == i_pair0 + {3'd0, f_k});
    // time
    if (f_state == ST_SELF || f_state == ST_BASE || f_state == ST_START) i_run_start:
        assert (m_run <= (f_state == ST_START ? 7'd15 : 7'd0));
    if (f_state == ST_COEF) i_run_coef: assert (m_run <= {2'd0, i_steps} + {6'd0, !f_ahead});
    if (f_state == ST_KAP) i_run_kap: assert (m_run <= 7'd10 + {2'd0, i_kaps});
    if (f_state == ST_COEF_WAIT) i_run_wait: assert (f_wait <= 3'd5 && m_run <= 7'd24 - {4'd0, f_wait});
    if (f_state == ST_BIAS) i_run_bias: assert (m_run == 7'd0);
    if (f_state == ST_LOCAL) i_run_local: assert (f_wait <= 3'd2 && m_run <= 7'd3 - {4'd0, f_wait});
    if (f_state == ST_START_ACC) i_run_start_acc: assert (m_run <= 7'd4);
    if (f_state == ST_ACC) i_run_acc: assert (m_run <= 7'd5 + {5'd0, f_k});
    if (f_state == ST_ACC_WAIT) i_run_acc_wait: assert (f_wait <= 3'd5 && m_run <= 7'd13 - {4'd0, f_wait});
    // pipelines
    if (f_h_coef) i_h_coef: assert ({1'b0, f_h_at} < all && f_h_d <= lag_last);
    if (f_h_acc) i_h_acc: assert (f_h_pair < pairs && f_h_k <= sample_last);
    if (f_self_we) i_self_at: assert (f_self_at < pairs);
    if (f_pipe[0]) i_p2: assert ({1'b0, f_c2} < all && f_l2 <= lag_last);
    if (f_pipe[1]) i_p3: assert ({1'b0, f_c3} < all && f_l3 <= lag_last);
    if (f_pipe[2]) i_p4: assert ({1'b0, f_c4} < all && f_l4 <= lag_last);
    if (f_pipe[3]) i_p5: assert ({1'b0, f_c5} < all && f_l5 <= lag_last);
    if (f_pipe[4]) i_p6: assert ({1'b0, f_c6} < all && f_l6 <= lag_last);
    // they are empty so many cycles behind the last coefficient
    if (f_state != ST_COEF && f_state != ST_KAP && !(f_state == ST_COEF_WAIT && f_wait == 3'd5)) i_e1:
        assert (!f_h_coef);
    if (f_state != ST_COEF && f_state != ST_KAP && !(f_state == ST_COEF_WAIT && f_wait >= 3'd4)) i_e2:
        assert (!f_pipe[0]);
    if (f_state != ST_COEF && f_state != ST_KAP && !(f_state == ST_COEF_WAIT && f_wait >= 3'd3)) i_e3:
        assert (!f_pipe[1]);
    if (f_state != ST_COEF && f_state != ST_KAP && !(f_state == ST_COEF_WAIT && f_wait >= 3'd2)) i_e4:
        assert (!f_pipe[2]);
    if (f_state != ST_COEF && f_state != ST_KAP && !(f_state == ST_COEF_WAIT && f_wait >= 3'd1)) i_e5:
        assert (!f_pipe[3]);
    if (f_state != ST_COEF && f_state != ST_KAP && f_state != ST_COEF_WAIT) i_e6: assert (!f_pipe[4] || 1'b0);
    if (f_acc_pipe[0]) i_k2: assert (f_k2 <= sample_last);
    if (f_acc_pipe[1]) i_k3: assert (f_k3 <= sample_last);
    if (f_acc_pipe[2]) i_k4: assert (f_k4 <= sample_last);
    if (f_acc5) i_k5: assert (f_k5 <= sample_last);
    if (f_acc6) i_k6: assert (f_k6 <= sample_last);
    // started potentials are written before the next neuron
    if (f_state != ST_ACC && !(f_state == ST_ACC_WAIT && f_wait == 3'd5)) i_a1: assert (!f_h_acc);
    if (f_state != ST_ACC && !(f_state == ST_ACC_WAIT && f_wait >= 3'd4)) i_a2: assert (!f_acc_pipe[0]);
    if (f_state != ST_ACC && !(f_state == ST_ACC_WAIT && f_wait >= 3'd3)) i_a3: assert (!f_acc_pipe[1]);
    if (f_state != ST_ACC && !(f_state == ST_ACC_WAIT && f_wait >= 3'd2)) i_a4: assert (!f_acc_pipe[2]);
    if (f_state != ST_ACC && !(f_state == ST_ACC_WAIT && f_wait >= 3'd1)) i_a5: assert (!f_acc5);
    if (f_state != ST_ACC && f_state != ST_ACC_WAIT) i_a6: assert (!f_acc6);
    if (f_use) i_use: assert (f_state == ST_LOCAL || f_state == ST_START_ACC);
  end

  // ---- these happen: a neuron with an update and self-memory; a flush of two neurons; a baseline
  reg f_self = 1'b0;
  always @(posedge clk_i) if (f_state == ST_SELF) f_self <= 1'b1;
  always @* if (!f_reset) begin
    c_learns: cover (f_self && update && f_state == ST_ACC && potential && sample_last == 2'd1);
    c_flush: cover (f_state == ST_IDLE && f_self && !potential && neuron_last == 2'd1 && neuron == 2'd2);
    c_base: cover (f_state == ST_BIAS && f_has_base && neuron == 2'd0);
  end
  wire unused = &{1'b0, kap_sample, f_begun, f_l7};
endmodule

`default_nettype wire
