// tern_ahead.v : what is made ahead of the pass: random words, coefficients, rows
// SPDX-License-Identifier: Apache-2.0
//
// Function  tern_draw begins a neuron and makes its random words, tern_learn its coefficients, tern_prepare the taps
//           and kernels of its rows. What they make is kept under the two lowest bits of the neuron's number
`default_nettype none

module tern_ahead #(
  parameter SAMPLE_W   = 3,
  parameter TAPS_D     = 10,
  parameter HIST_W     = 14,
  parameter LAG_W      = 6,
  parameter Q_W        = 6,
  parameter FILTER_W   = 4,
  parameter TAP_W      = 9,
  parameter X_W        = 13,
  parameter KERNEL_W   = 32,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MAX = 31,
  parameter NEURON_W   = 8,
  parameter ROW_AW     = 10,
  parameter ERROR_AW   = 12,
  parameter SELF_AW    = 10,
  parameter COEF_AW    = 8,
  parameter TAP_AW     = 8,
  parameter HIST_AW    = 10,
  parameter WORD_AW    = 12,
  parameter INDEX_W    = 20,
  parameter SIGNALS    = 0,
  parameter LAGS_W     = 4,
  parameter PREP       = 1,
  parameter WAYS       = 1,
  parameter KERNELS    = 0,
  parameter ROOM       = 0    // of tern_weight
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire begin_i,
  input  wire update_i,
  input  wire potential_i,
  output wire local_done_o,
  output wire idle_o,
  output wire draw_idle_o,
  output wire [NEURON_W-1:0] neurons_raddr_o,
  input  wire [FILTER_W:0] neurons_rdata_i,
  output wire error_re_o,
  output wire m_re_o,
  output wire self_re_o,
  output wire local_re_o,
  output wire [ERROR_AW-1:0] error_raddr_o,
  input  wire [15:0] error_rdata_i,
  output wire [SAMPLE_W-1:0] m_raddr_o,
  input  wire [15:0] m_rdata_i,
  input  wire [31:0] w_rdata_i,
  output wire [LAG_W-1:0] ek_raddr_o,
  input  wire [14:0] ek_rdata_i,
  output wire base_re_o,
  input  wire [31:0] base_rdata_i,
  output wire kap_valid_o,
  output wire kap_first_o,
  output wire kap_end_o,
  output wire kap_last_o,
  output wire [SAMPLE_W-1:0] kap_sample_o,
  output wire [31:0] kap_product_o,
  input  wire base_busy_i,
  input  wire base_re_i,
  input  wire [SAMPLE_W-1:0] base_sample_i,
  output wire [32:0] base_diff_o,
  output wire [SELF_AW-1:0] self_raddr_o,
  input  wire [HIST_W-1:0] self_rdata_i,
  input  wire spike_rdata_i,
  output wire self_we_o,
  output wire [SELF_AW-1:0] self_waddr_o,
  output wire [HIST_W-1:0] self_wdata_o,
  output wire [NEURON_W:0] local_raddr_o,
  input  wire [15:0] local_rdata_i,
  output wire local_we_o,
  output wire [NEURON_W:0] local_waddr_o,
  output wire [15:0] local_wdata_o,
  output wire [WAYS-1:0] coef_we_o,
  output wire [COEF_AW+1:0] coef_waddr_o,
  output wire [15:0] coef_wdata_o,
  output wire acc_we_o,
  output wire [SAMPLE_W+1:0] acc_waddr_o,
  output wire [ACC_W-1:0] acc_wdata_o,
  input  wire [NEURON_W-1:0] cfg_neuron_last_i,
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire [LAG_W-1:0] cfg_lag_last_i,
  input  wire [Q_W-1:0] cfg_tap_last_i,
  input  wire [LAG_W-1:0] cfg_lag_head_i,
  input  wire [4:0] cfg_c_shift_i,
  input  wire [4:0] cfg_local_bits_i,
  input  wire [4:0] cfg_c_shift1_i,
  input  wire [4:0] cfg_local_bits1_i,
  input  wire [NEURON_W:0] cfg_signal_first_i,
  input  wire [4:0] cfg_m_shift_i,
  input  wire cfg_baseline_i,
  input  wire cfg_common_i,
  input  wire [3:0] cfg_trace_frac_i,
  output wire [1:0] sat_coefficient_o,
  output wire sat_modulator_o,
  output wire sat_local_o,
  output wire row_valid_o,
  input  wire row_take_i,
  input  wire pass_soon_i,
  output wire [1:0] row_kind_o,
  output wire row_shift_o,
  output wire row_last_o,
  output wire [1:0] row_number_o,
  output wire row_set_o,
  output wire row_pair_o,
  output wire [HIST_W/2-1:0] each_we_o,
  output wire [SAMPLE_W:0] each_waddr_o,
  output wire [HIST_W/2*(2*KERNEL_W+1)-1:0] each_wdata_o,
  output wire [DELTA_W-1:0] each_base_o,
  output wire coef_re_o,
  output wire [COEF_AW+1:0] coef_raddr_o,
  input  wire [15:0] coef_rdata_i,
  output wire [15:0] row_words_o,
  output wire [HIST_AW-1:0] row_hist_o,
  output wire [WORD_AW-1:0] row_word_o,
  output wire [INDEX_W-1:0] row_index_o,
  output wire [HIST_W/2*(2*KERNEL_W+1)-1:0] row_kernel_o,
  output wire [DELTA_W-1:0] row_kernel_base_o,
  output wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] row_taps_o,
  output wire [X_W-1:0] row_taps_base_o,
  output wire [ROW_AW-1:0] rows_raddr_o,
  input  wire [31:0] rows_rdata_i,
  input  wire [HIST_AW-1:0] rows_hist_i,
  input  wire [WORD_AW-1:0] rows_word_i,
  input  wire [INDEX_W-1:0] rows_index_i,
  output wire taps_re_o,
  output wire [TAP_AW-1:0] taps_raddr_o,
  input  wire [TAP_W-1:0] taps_rdata_i,
  input  wire clamp_i,
  output wire draws_done_o,
  input  wire pass_end_i,
  input  wire fire_done_i,
  output wire [127:0] s_words_o,
  output wire draw_we_o,
  output wire [SAMPLE_W+1:0] draw_waddr_o,
  output wire [15:0] draw_wdata_o,
  input  wire [63:0] cfg_seed_i,
  input  wire [31:0] cfg_step_i,
  input  wire [11:0] cfg_group0_i,
  input  wire [NEURON_W:0] cfg_visible_i
`ifdef TERN_COSIM
  ,
  output wire ev_l_valid_o,
  output wire ev_l_self_o,
  output wire [NEURON_W-1:0] ev_l_neuron_o,
  output wire [15:0] ev_l_old_o,
  output wire [15:0] ev_l_new_o,
  output wire ev_l_sat_o,
  output wire [DITHER_MAX-1:0] ev_l_draw_o
`endif
);
  wire                begun, dither_done, coefficients, self_taps_re, self_wait, sumc_we, sumc_re, learn_idle,
      prepare_idle;
  wire [TAP_AW-1:0]   self_taps_at;
  wire [Q_W-1:0]      self_taps_q;
  wire [LAG_W+1:0]    sumc_waddr, sumc_raddr;
  wire [20:0]         sumc_wdata, sumc_rdata;
  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] self_taps;
  wire [X_W-1:0]                      self_base;
  assign idle_o = learn_idle && prepare_idle;
  tern_ram #(.WIDTH(21), .DEPTH(4 << LAG_W), .ADDR_W(LAG_W+2)) u_sumc (
    .clk_i(clk_i), .we_i(sumc_we), .waddr_i(sumc_waddr), .wdata_i(sumc_wdata), .re_i(sumc_re), .raddr_i(sumc_raddr),
    .rdata_o(sumc_rdata)
  );
  tern_draw #(
    .SAMPLE_W(SAMPLE_W), .NEURON_W(NEURON_W)
  ) u_draws (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(begin_i), .update_i(update_i), .potential_i(potential_i),
    .clamp_i(clamp_i), .idle_o(draw_idle_o), .begun_o(begun), .dither_done_o(dither_done),
    .draws_done_o(draws_done_o), .pass_end_i(pass_end_i), .fire_done_i(fire_done_i), .s_words_o(s_words_o),
    .draw_we_o(draw_we_o), .draw_waddr_o(draw_waddr_o), .draw_wdata_o(draw_wdata_o), .cfg_seed_i(cfg_seed_i),
    .cfg_step_i(cfg_step_i), .cfg_group0_i(cfg_group0_i), .cfg_neuron_last_i(cfg_neuron_last_i),
    .cfg_sample_last_i(cfg_sample_last_i), .cfg_visible_i(cfg_visible_i)
  );
  tern_learn #(
    .SAMPLE_W(SAMPLE_W), .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .Q_W(Q_W), .FILTER_W(FILTER_W),
    .TAP_W(TAP_W), .X_W(X_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W), .DITHER_MAX(DITHER_MAX), .NEURON_W(NEURON_W),
    .ERROR_AW(ERROR_AW), .SELF_AW(SELF_AW), .COEF_AW(COEF_AW), .TAP_AW(TAP_AW), .SIGNALS(SIGNALS), .WAYS(WAYS),
    .ROOM(ROOM)
  ) u_learn (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(begin_i), .update_i(update_i), .potential_i(potential_i),
    .idle_o(learn_idle), .begun_i(begun), .dither_done_i(dither_done), .s_words_i(s_words_o),
    .coefficients_o(coefficients), .local_done_o(local_done_o), .self_taps_re_o(self_taps_re),
    .self_taps_at_o(self_taps_at), .self_taps_q_o(self_taps_q), .self_wait_i(self_wait), .self_taps_i(self_taps),
    .self_base_i(self_base), .neurons_raddr_o(neurons_raddr_o), .neurons_rdata_i(neurons_rdata_i),
    .error_re_o(error_re_o), .m_re_o(m_re_o), .self_re_o(self_re_o), .local_re_o(local_re_o),
    .error_raddr_o(error_raddr_o), .error_rdata_i(error_rdata_i), .m_raddr_o(m_raddr_o), .m_rdata_i(m_rdata_i),
    .w_rdata_i(w_rdata_i), .ek_raddr_o(ek_raddr_o), .ek_rdata_i(ek_rdata_i), .base_re_o(base_re_o),
    .base_rdata_i(base_rdata_i), .kap_valid_o(kap_valid_o), .kap_first_o(kap_first_o), .kap_end_o(kap_end_o),
    .kap_last_o(kap_last_o), .kap_sample_o(kap_sample_o), .kap_product_o(kap_product_o), .base_busy_i(base_busy_i),
    .base_re_i(base_re_i), .base_sample_i(base_sample_i), .base_diff_o(base_diff_o), .self_raddr_o(self_raddr_o),
    .self_rdata_i(self_rdata_i), .spike_rdata_i(spike_rdata_i), .self_we_o(self_we_o), .self_waddr_o(self_waddr_o),
    .self_wdata_o(self_wdata_o), .local_raddr_o(local_raddr_o), .local_rdata_i(local_rdata_i),
    .local_we_o(local_we_o), .local_waddr_o(local_waddr_o), .local_wdata_o(local_wdata_o), .coef_we_o(coef_we_o),
    .coef_waddr_o(coef_waddr_o), .coef_wdata_o(coef_wdata_o), .sumc_we_o(sumc_we), .sumc_waddr_o(sumc_waddr),
    .sumc_wdata_o(sumc_wdata), .acc_we_o(acc_we_o), .acc_waddr_o(acc_waddr_o), .acc_wdata_o(acc_wdata_o),
    .cfg_neuron_last_i(cfg_neuron_last_i), .cfg_sample_last_i(cfg_sample_last_i), .cfg_lag_last_i(cfg_lag_last_i),
    .cfg_tap_last_i(cfg_tap_last_i), .cfg_lag_head_i(cfg_lag_head_i), .cfg_c_shift_i(cfg_c_shift_i),
    .cfg_local_bits_i(cfg_local_bits_i), .cfg_c_shift1_i(cfg_c_shift1_i), .cfg_local_bits1_i(cfg_local_bits1_i),
    .cfg_signal_first_i(cfg_signal_first_i), .cfg_m_shift_i(cfg_m_shift_i), .cfg_baseline_i(cfg_baseline_i),
    .cfg_common_i(cfg_common_i), .cfg_trace_frac_i(cfg_trace_frac_i), .sat_coefficient_o(sat_coefficient_o),
    .sat_modulator_o(sat_modulator_o), .sat_local_o(sat_local_o)
`ifdef TERN_COSIM
    ,
    .ev_l_valid_o(ev_l_valid_o), .ev_l_self_o(ev_l_self_o), .ev_l_neuron_o(ev_l_neuron_o), .ev_l_old_o(ev_l_old_o),
    .ev_l_new_o(ev_l_new_o), .ev_l_sat_o(ev_l_sat_o), .ev_l_draw_o(ev_l_draw_o)
`endif
  );
  tern_prepare #(
    .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .Q_W(Q_W), .FILTER_W(FILTER_W), .TAP_W(TAP_W), .X_W(X_W),
    .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .NEURON_W(NEURON_W), .ROW_AW(ROW_AW), .TAP_AW(TAP_AW), .HIST_AW(HIST_AW),
    .WORD_AW(WORD_AW), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS), .PREP(PREP), .LAGS_W(LAGS_W),
    .KERNELS(KERNELS), .SAMPLE_W(SAMPLE_W), .COEF_AW(COEF_AW)
  ) u_prepare (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(begin_i), .update_i(update_i), .idle_o(prepare_idle),
    .coefficients_i(coefficients), .row_valid_o(row_valid_o), .row_take_i(row_take_i), .pass_soon_i(pass_soon_i),
    .row_kind_o(row_kind_o), .row_shift_o(row_shift_o), .row_last_o(row_last_o), .row_number_o(row_number_o),
    .row_set_o(row_set_o), .row_pair_o(row_pair_o), .each_we_o(each_we_o), .each_waddr_o(each_waddr_o),
    .each_wdata_o(each_wdata_o), .each_base_o(each_base_o), .coef_re_o(coef_re_o), .coef_raddr_o(coef_raddr_o),
    .coef_rdata_i(coef_rdata_i), .row_words_o(row_words_o), .row_hist_o(row_hist_o), .row_word_o(row_word_o),
    .row_index_o(row_index_o), .row_kernel_o(row_kernel_o), .row_kernel_base_o(row_kernel_base_o),
    .row_taps_o(row_taps_o), .row_taps_base_o(row_taps_base_o), .self_re_i(self_taps_re), .self_at_i(self_taps_at),
    .self_q_i(self_taps_q), .self_wait_o(self_wait), .self_taps_o(self_taps), .self_base_o(self_base),
    .rows_raddr_o(rows_raddr_o), .rows_rdata_i(rows_rdata_i), .rows_hist_i(rows_hist_i), .rows_word_i(rows_word_i),
    .rows_index_i(rows_index_i), .taps_re_o(taps_re_o), .taps_raddr_o(taps_raddr_o), .taps_rdata_i(taps_rdata_i),
    .sumc_re_o(sumc_re), .sumc_raddr_o(sumc_raddr), .sumc_rdata_i(sumc_rdata), .cfg_neuron_last_i(cfg_neuron_last_i),
    .cfg_sample_last_i(cfg_sample_last_i), .cfg_lag_last_i(cfg_lag_last_i), .cfg_tap_last_i(cfg_tap_last_i),
    .cfg_signal_first_i(cfg_signal_first_i)
  );
endmodule

`default_nettype wire
