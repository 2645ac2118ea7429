// tern_blocks_bench.v : every block of rtl/blocks/ with its ports outside, so that one compiled model serves all of their tests
// SPDX-License-Identifier: Apache-2.0
//
// Function  none of its own: blocks_bench.cpp drives each block and compares it with the C function that it is named after
`default_nettype none

module tern_blocks_bench (
  input  wire           clk_i,
  input  wire           rst_i,
  // tern_random
  input  wire           random_start_i,
  input  wire [31:0]    random_key0_i, random_key1_i, random_ctr0_i, random_ctr1_i,
  output wire           random_done_o,
  output wire [31:0]    random_x0_o, random_x1_o,
  // tern_history, 64 and 14 bits
  input  wire [63:0]    history_i,
  input  wire           history_spike_i, history_shift_i,
  input  wire [5:0]     history_lag_i,
  output wire [63:0]    history_o, history_lagged_o,
  output wire [13:0]    history14_o, history14_lagged_o,
  // tern_trace, 32 taps
  input  wire [31:0]    trace_bits_i,
  input  wire [32*9-1:0] trace_taps_i,
  output wire [13:0]    trace_x_o,
  // tern_tapsum, the learning kernel's shape
  input  wire [62:0]    kernel_bits_i,
  input  wire [63*34-1:0] kernel_taps_i,
  output wire [43:0]    kernel_sum_o,
  // tern_dither, 1, 8 and 32 lanes
  input  wire [23:0]    dither_index_i,
  input  wire [31:0]    dither_word_i,
  input  wire [4:0]     dither_bits_i,
  output wire [30:0]    dither1_o,
  output wire [8*31-1:0] dither8_o,
  output wire [32*31-1:0] dither32_o,
  // tern_weight: 16 bits with shifter, 4 bits, 5 bits with a fixed shift of 3
  input  wire [15:0]    weight_w_i,
  input  wire [43:0]    weight_dw_i,
  input  wire [30:0]    weight_r_i,
  input  wire           weight_enable_i,
  input  wire [4:0]     weight_bits_i,
  input  wire [15:0]    weight_top_i,
  output wire [15:0]    weight16_o,
  output wire [3:0]     weight4_o,
  output wire [4:0]     weight5_o,
  output wire [2:0]     weight_changed_o, weight_sat_o,
  // tern_potential, 56 and 24 bits
  input  wire [55:0]    potential_local_i, potential_shared_i, potential_sample_i,
  input  wire [4:0]     potential_scale_i,
  output wire [11:0]    potential56_o, potential24_o,
  output wire [1:0]     potential_limited_o,
  // tern_neuron
  input  wire [11:0]    neuron_u_i,
  input  wire [15:0]    neuron_draw_i,
  input  wire           neuron_clamp_i, neuron_target_i,
  input  wire [15:0]    neuron_sig_i, neuron_softplus_i,
  output wire [16:0]    neuron_p_o,
  output wire           neuron_spike_o,
  output wire [15:0]    neuron_e_o, neuron_l_o,
  // tern_coefficient
  input  wire [15:0]    coefficient_m_i, coefficient_e_i,
  input  wire [14:0]    coefficient_ek_i,
  input  wire [4:0]     coefficient_shift_i,
  output wire [15:0]    coefficient_o,
  output wire [1:0]     coefficient_sat_o,
  // tern_signal, 32 samples
  input  wire           signal_start_i, signal_learn_i, signal_no_visible_i,
  output wire           signal_busy_o,
  input  wire           signal_loss_valid_i, signal_loss_first_i,
  input  wire [4:0]     signal_loss_sample_i,
  input  wire [15:0]    signal_loss_i,
  output wire           signal_v_re_o, signal_v_we_o, signal_m_we_o,
  output wire [4:0]     signal_v_raddr_o, signal_v_waddr_o, signal_m_waddr_o,
  input  wire [31:0]    signal_v_rdata_i,
  output wire [31:0]    signal_v_wdata_o,
  output wire [15:0]    signal_m_wdata_o,
  output wire [8:0]     signal_exp_raddr_o,
  input  wire [15:0]    signal_exp_rdata_i,
  input  wire [4:0]     signal_loss_raddr_i,
  output wire [31:0]    signal_loss_rdata_o,
  input  wire [16:0]    signal_gamma_i,
  input  wire [4:0]     signal_sample_last_i,
  output wire           signal_sat_o
);
  tern_random u_random (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(random_start_i), .key0_i(random_key0_i), .key1_i(random_key1_i), .ctr0_i(random_ctr0_i), .ctr1_i(random_ctr1_i),
    .done_o(random_done_o), .x0_o(random_x0_o), .x1_o(random_x1_o)
  );

  tern_history #(.HIST_W(64), .LAG_W(6)) u_history64 (
    .history_i(history_i), .spike_i(history_spike_i), .shift_i(history_shift_i), .lag_i(history_lag_i), .history_o(history_o), .lagged_o(history_lagged_o)
  );
  tern_history #(.HIST_W(14), .LAG_W(6)) u_history14 (
    .history_i(history_i[13:0]), .spike_i(history_spike_i), .shift_i(history_shift_i), .lag_i(history_lag_i), .history_o(history14_o), .lagged_o(history14_lagged_o)
  );

  tern_trace #(.TAPS_D(32), .TAP_W(9), .X_W(14)) u_trace (.clk_i(clk_i), .bits_i(trace_bits_i), .taps_i(trace_taps_i), .x_o(trace_x_o));
  tern_tapsum #(.TAPS(63), .TAP_W(34), .SIGNED(1), .SUM_W(44)) u_kernel (.clk_i(clk_i), .bits_i(kernel_bits_i), .taps_i(kernel_taps_i), .sum_o(kernel_sum_o));

  tern_dither #(.LANES(1), .LANE_W(0), .INDEX_W(24), .DITHER_MAX(31)) u_dither1 (
    .index_i(dither_index_i), .s_word_i(dither_word_i), .dither_bits_i(dither_bits_i), .r_o(dither1_o)
  );
  tern_dither #(.LANES(8), .LANE_W(3), .INDEX_W(24), .DITHER_MAX(31)) u_dither8 (
    .index_i(dither_index_i), .s_word_i(dither_word_i), .dither_bits_i(dither_bits_i), .r_o(dither8_o)
  );
  tern_dither #(.LANES(32), .LANE_W(5), .INDEX_W(24), .DITHER_MAX(31)) u_dither32 (
    .index_i(dither_index_i), .s_word_i(dither_word_i), .dither_bits_i(dither_bits_i), .r_o(dither32_o)
  );

  tern_weight #(.WEIGHT_W(16), .DELTA_W(44), .DITHER_MIN(1), .DITHER_MAX(31)) u_weight16 (
    .w_i(weight_w_i), .dw_i(weight_dw_i), .r_i(weight_r_i), .enable_i(weight_enable_i), .dither_bits_i(weight_bits_i), .top_i(weight_top_i),
    .w_o(weight16_o), .changed_o(weight_changed_o[0]), .sat_o(weight_sat_o[0])
  );
  tern_weight #(.WEIGHT_W(4), .DELTA_W(7), .DITHER_MIN(1), .DITHER_MAX(5)) u_weight4 (
    .w_i(weight_w_i[3:0]), .dw_i(weight_dw_i[6:0]), .r_i(weight_r_i[4:0]), .enable_i(weight_enable_i), .dither_bits_i(weight_bits_i), .top_i(weight_top_i[3:0]),
    .w_o(weight4_o), .changed_o(weight_changed_o[1]), .sat_o(weight_sat_o[1])
  );
  tern_weight #(.WEIGHT_W(5), .DELTA_W(8), .DITHER_MIN(3), .DITHER_MAX(3)) u_weight5 (
    .w_i(weight_w_i[4:0]), .dw_i(weight_dw_i[7:0]), .r_i(weight_r_i[2:0]), .enable_i(weight_enable_i), .dither_bits_i(weight_bits_i), .top_i(weight_top_i[4:0]),
    .w_o(weight5_o), .changed_o(weight_changed_o[2]), .sat_o(weight_sat_o[2])
  );

  tern_potential #(.ACC_W(56)) u_potential56 (
    .local_f20_i(potential_local_i), .sum_shared_i(potential_shared_i), .sum_sample_i(potential_sample_i), .scale_i(potential_scale_i),
    .u_f8_o(potential56_o), .limited_o(potential_limited_o[0])
  );
  tern_potential #(.ACC_W(24)) u_potential24 (
    .local_f20_i(potential_local_i[23:0]), .sum_shared_i(potential_shared_i[23:0]), .sum_sample_i(potential_sample_i[23:0]), .scale_i(potential_scale_i),
    .u_f8_o(potential24_o), .limited_o(potential_limited_o[1])
  );

  tern_neuron u_neuron (
    .u_f8_i(neuron_u_i), .draw_i(neuron_draw_i), .clamp_i(neuron_clamp_i), .target_i(neuron_target_i), .sig_f16_i(neuron_sig_i), .softplus_f12_i(neuron_softplus_i),
    .p_f16_o(neuron_p_o), .spike_o(neuron_spike_o), .e_f15_o(neuron_e_o), .l_f12_o(neuron_l_o)
  );

  tern_coefficient u_coefficient (
    .clk_i(clk_i), .m_i(coefficient_m_i), .e_f15_i(coefficient_e_i), .ek_i(coefficient_ek_i), .c_shift_i(coefficient_shift_i), .c_o(coefficient_o), .sat_o(coefficient_sat_o)
  );

  tern_signal #(.SAMPLE_W(5)) u_signal (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(signal_start_i), .learn_i(signal_learn_i), .no_visible_i(signal_no_visible_i), .busy_o(signal_busy_o),
    .loss_valid_i(signal_loss_valid_i), .loss_first_i(signal_loss_first_i), .loss_sample_i(signal_loss_sample_i), .loss_f12_i(signal_loss_i),
    .v_re_o(signal_v_re_o), .v_raddr_o(signal_v_raddr_o), .v_rdata_i(signal_v_rdata_i), .v_we_o(signal_v_we_o), .v_waddr_o(signal_v_waddr_o), .v_wdata_o(signal_v_wdata_o),
    .m_we_o(signal_m_we_o), .m_waddr_o(signal_m_waddr_o), .m_wdata_o(signal_m_wdata_o), .exp_raddr_o(signal_exp_raddr_o), .exp_rdata_i(signal_exp_rdata_i),
    .loss_raddr_i(signal_loss_raddr_i), .loss_rdata_o(signal_loss_rdata_o), .cfg_gamma_f16_i(signal_gamma_i), .cfg_sample_last_i(signal_sample_last_i), .sat_logprob_o(signal_sat_o)
  );
endmodule

`default_nettype wire
