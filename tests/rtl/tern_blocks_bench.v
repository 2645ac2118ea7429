// tern_blocks_bench.v : every block of rtl/blocks/ with its ports outside, so that one compiled model serves all of
// their tests
// SPDX-License-Identifier: Apache-2.0
//
// Function  none of its own: blocks_bench.cpp drives each block and compares it with the C function that it is named
//           after
// Parameter SERIAL=1: only wta, vote, signal and baseline, which work for many cycles. Evaluating the others in each
//           cycle would cost ten times as much. Outputs of the others are undefined
`default_nettype none

module tern_blocks_bench #(parameter SERIAL = 0) (
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
  // tern_wta, circuits of at most 64 and of at most 10 members; both read the same potentials and tables
  input  wire           wta_start_i, wta10_start_i,
  input  wire [5:0]     wta_last_i, wta_target_i,
  input  wire [15:0]    wta_draw_i,
  input  wire [10:0]    wta_top_i,
  input  wire           wta_clamp_i, wta_has_target_i,
  output wire [1:0]     wta_busy_o, wta_valid_o, wta_spike_o, wta_done_o, wta_u_re_o, wta_table_re_o,
  output wire [5:0]     wta_u_raddr_o, wta_member_o,
  output wire [3:0]     wta10_u_raddr_o, wta10_member_o,
  input  wire [11:0]    wta_u_rdata_i,
  output wire [8:0]     wta_exp_raddr_o, wta10_exp_raddr_o,
  input  wire [15:0]    wta_exp_rdata_i,
  output wire [7:0]     wta_log_raddr_o, wta10_log_raddr_o,
  input  wire [11:0]    wta_log_rdata_i,
  output wire [16:0]    wta_p_o, wta_l_o, wta10_p_o, wta10_l_o,
  output wire [15:0]    wta_e_o, wta10_e_o,
  // tern_vote, 100 classes in 32 samples and 3 classes in 2 samples
  input  wire           vote_begin_i,
  input  wire [1:0]     vote_vote_i, vote_example_i,
  output wire [1:0]     vote_busy_o,
  input  wire           vote_fired_valid_i, vote_fired_spike_i,
  input  wire [15:0]    vote_fired_neuron_i,
  input  wire [4:0]     vote_fired_sample_i, vote_sample_last_i,
  input  wire [15:0]    vote_class_first_i,
  input  wire [14:0]    vote_class_count_i,
  input  wire           vote_class_spike_i,
  output wire [31:0]    vote_winner_o, vote3_winner_o,
  input  wire [2:0]     vote_host_we_i, vote_host_re_i,
  input  wire [23:0]    vote_host_where_i,
  input  wire [31:0]    vote_host_wdata_i,
  output wire [31:0]    vote_host_count_o, vote_host_votes_o, vote_host_decision_o, vote3_host_count_o,
  vote3_host_votes_o, vote3_host_decision_o,
  // tern_signal, 32 samples
  input  wire           signal_start_i, signal_learn_i, signal_no_visible_i,
  output wire           signal_busy_o,
  input  wire           signal_loss_re_i, signal_loss_valid_i, signal_loss_first_i,
  input  wire [4:0]     signal_loss_sample_i,
  input  wire [16:0]    signal_loss_i,
  output wire           signal_v_re_o, signal_v_we_o, signal_m_we_o, signal_w_we_o,
  output wire [6:0]     signal_v_raddr_o, signal_v_waddr_o,
  output wire [4:0]     signal_m_waddr_o,
  input  wire [31:0]    signal_v_rdata_i,
  output wire [31:0]    signal_v_wdata_o,
  output wire [15:0]    signal_m_wdata_o,
  output wire [31:0]    signal_w_wdata_o,
  output wire [8:0]     signal_exp_raddr_o,
  input  wire [15:0]    signal_exp_rdata_i,
  output wire [7:0]     signal_log_raddr_o,
  input  wire [11:0]    signal_log_rdata_i,
  input  wire [1:0]     signal_rule_i,
  input  wire [16:0]    signal_inverse_i,
  input  wire [14:0]    signal_mean_i,
  input  wire [17:0]    signal_log_offset_i,
  input  wire [16:0]    signal_gamma_i,
  input  wire [4:0]     signal_sample_last_i,
  output wire           signal_sat_o,
  // tern_modulator
  input  wire           modulator_set_i,
  input  wire [15:0]    modulator_m_i,
  input  wire [31:0]    modulator_w_i, modulator_b_i,
  input  wire [4:0]     modulator_shift_i,
  output wire [32:0]    modulator_diff_o,
  output wire [15:0]    modulator_o,
  output wire           modulator_sat_o,
  // tern_baseline, 32 samples
  input  wire           baseline_begin_i, baseline_valid_i, baseline_first_i, baseline_end_i, baseline_last_i,
  baseline_common_i,
  output wire           baseline_busy_o,
  input  wire [4:0]     baseline_sample_i, baseline_sample_last_i,
  input  wire [31:0]    baseline_product_i,
  output wire           baseline_re_o, baseline_we_o,
  output wire [4:0]     baseline_sample_o,
  input  wire [32:0]    baseline_diff_i,
  output wire [5:0]     baseline_addr_o,
  input  wire [63:0]    baseline_rdata_i,
  output wire [63:0]    baseline_wdata_o,
  input  wire [2:0]     baseline_shift_i
);
  generate if (SERIAL == 0) begin : g_short
    tern_random u_random (
      .clk_i(clk_i), .rst_i(rst_i), .start_i(random_start_i), .key0_i(random_key0_i), .key1_i(random_key1_i),
      .ctr0_i(random_ctr0_i), .ctr1_i(random_ctr1_i),
      .done_o(random_done_o), .x0_o(random_x0_o), .x1_o(random_x1_o)
    );

    tern_history #(.HIST_W(64), .LAG_W(6)) u_history64 (
      .history_i(history_i), .spike_i(history_spike_i), .shift_i(history_shift_i), .lag_i(history_lag_i),
      .history_o(history_o), .lagged_o(history_lagged_o)
    );
    tern_history #(.HIST_W(14), .LAG_W(6)) u_history14 (
      .history_i(history_i[13:0]), .spike_i(history_spike_i), .shift_i(history_shift_i), .lag_i(history_lag_i),
      .history_o(history14_o), .lagged_o(history14_lagged_o)
    );

    // taps in pairs, as tern_taps makes them: halves of S = a + b and of D = a - b, and the bit in which both end
    reg  [16*21-1:0] trace_pairs;
    reg  [32*69-1:0] kernel_pairs;
    reg  [13:0]      trace_base;
    reg  [43:0]      kernel_base;
    reg  [63*34+33:0] kernel_all;
    reg  signed [10:0] trace_s, trace_d;
    reg  signed [34:0] kernel_s, kernel_d;
    integer pair;
    always @* begin
      trace_base  = 14'd0;
      kernel_base = 44'd0;
      kernel_all  = {34'd0, kernel_taps_i};
      for (pair = 0; pair < 16; pair = pair + 1) begin
        trace_s = $signed({2'b00, trace_taps_i[18*pair +: 9]}) + $signed({2'b00, trace_taps_i[18*pair+9 +: 9]});
        trace_d = $signed({2'b00, trace_taps_i[18*pair +: 9]}) - $signed({2'b00, trace_taps_i[18*pair+9 +: 9]});
        trace_pairs[21*pair +: 21] = {trace_s[0], trace_d[10:1], trace_s[10:1]};
        trace_base = trace_base + {4'd0, trace_s[10:1]} + {13'd0, trace_s[0]};
      end
      for (pair = 0; pair < 32; pair = pair + 1) begin
        kernel_s = $signed({kernel_all[68*pair+33], kernel_all[68*pair +: 34]}) +
            $signed({kernel_all[68*pair+67], kernel_all[68*pair+34 +: 34]});
        kernel_d = $signed({kernel_all[68*pair+33], kernel_all[68*pair +: 34]}) -
            $signed({kernel_all[68*pair+67], kernel_all[68*pair+34 +: 34]});
        kernel_pairs[69*pair +: 69] = {kernel_s[0], kernel_d[34:1], kernel_s[34:1]};
        kernel_base = kernel_base + {{10{kernel_s[34]}}, kernel_s[34:1]} + {43'd0, kernel_s[0]};
      end
    end
    wire unused_pairs = &{1'b0, trace_d[0], kernel_d[0]};
    // the base belongs to the last of three stages
    reg  [13:0] trace_base1_q, trace_base2_q;
    reg  [43:0] kernel_base1_q, kernel_base2_q;
    always @(posedge clk_i) begin
      trace_base1_q  <= trace_base;  trace_base2_q  <= trace_base1_q;
      kernel_base1_q <= kernel_base; kernel_base2_q <= kernel_base1_q;
    end
    tern_trace #(.TAPS_D(32), .TAP_W(9), .X_W(14)) u_trace (.clk_i(clk_i), .bits_i(trace_bits_i), .taps_i(trace_pairs),
        .base_i(trace_base2_q), .x_o(trace_x_o));
    tern_tapsum #(.TAPS(63), .TAP_W(34), .SUM_W(44)) u_kernel (.clk_i(clk_i), .bits_i(kernel_bits_i),
        .pairs_i(kernel_pairs), .base_i(kernel_base2_q), .sum_o(kernel_sum_o));

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
      .clk_i(clk_i), .w_i(weight_w_i), .dw_i(weight_dw_i), .r_i(weight_r_i), .enable_i(weight_enable_i),
      .dither_bits_i(weight_bits_i), .top_i(weight_top_i), .bottom_i(-weight_top_i),
      .w_o(weight16_o), .changed_o(weight_changed_o[0]), .sat_o(weight_sat_o[0])
    );
    tern_weight #(.WEIGHT_W(4), .DELTA_W(7), .DITHER_MIN(1), .DITHER_MAX(5)) u_weight4 (
      .clk_i(clk_i), .w_i(weight_w_i[3:0]), .dw_i(weight_dw_i[6:0]), .r_i(weight_r_i[4:0]), .enable_i(weight_enable_i),
      .dither_bits_i(weight_bits_i), .top_i(weight_top_i[3:0]), .bottom_i(-weight_top_i[3:0]),
      .w_o(weight4_o), .changed_o(weight_changed_o[1]), .sat_o(weight_sat_o[1])
    );
    tern_weight #(.WEIGHT_W(5), .DELTA_W(8), .DITHER_MIN(3), .DITHER_MAX(3)) u_weight5 (
      .clk_i(clk_i), .w_i(weight_w_i[4:0]), .dw_i(weight_dw_i[7:0]), .r_i(weight_r_i[2:0]), .enable_i(weight_enable_i),
      .dither_bits_i(weight_bits_i), .top_i(weight_top_i[4:0]), .bottom_i(-weight_top_i[4:0]),
      .w_o(weight5_o), .changed_o(weight_changed_o[2]), .sat_o(weight_sat_o[2])
    );

    tern_potential #(.ACC_W(56)) u_potential56 (
      .clk_i(clk_i), .local_f20_i(potential_local_i + 56'h800), .sum_shared_i(potential_shared_i),
      .sum_sample_i(potential_sample_i), .scale_i(potential_scale_i),
      .u_f8_o(potential56_o), .limited_o(potential_limited_o[0])
    );
    tern_potential #(.ACC_W(24)) u_potential24 (
      .clk_i(clk_i), .local_f20_i(potential_local_i[23:0] + 24'h800), .sum_shared_i(potential_shared_i[23:0]),
      .sum_sample_i(potential_sample_i[23:0]), .scale_i(potential_scale_i),
      .u_f8_o(potential24_o), .limited_o(potential_limited_o[1])
    );

    tern_neuron u_neuron (
      .u_f8_i(neuron_u_i), .draw_i(neuron_draw_i), .clamp_i(neuron_clamp_i), .target_i(neuron_target_i),
      .sig_f16_i(neuron_sig_i), .softplus_f12_i(neuron_softplus_i),
      .p_f16_o(neuron_p_o), .spike_o(neuron_spike_o), .e_f15_o(neuron_e_o), .l_f12_o(neuron_l_o)
    );

    wire [31:0] coefficient_product;
    tern_coefficient u_coefficient (
      .clk_i(clk_i), .m_i(coefficient_m_i), .e_f15_i(coefficient_e_i), .ek_i(coefficient_ek_i),
      .c_shift_i(coefficient_shift_i), .product_o(coefficient_product), .c_o(coefficient_o), .sat_o(coefficient_sat_o)
    );
    wire unused_product = &{1'b0, coefficient_product};

    tern_modulator #(.SIGNALS(1)) u_modulator (
      .clk_i(clk_i), .set_i(modulator_set_i), .m_i(modulator_m_i), .w_f12_i(modulator_w_i), .b_f12_i(modulator_b_i),
      .m_shift_i(modulator_shift_i),
      .diff_o(modulator_diff_o), .m_o(modulator_o), .sat_o(modulator_sat_o)
    );
  end endgenerate

  tern_wta #(.WTA(64), .WTA_AW(6)) u_wta64 (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(wta_start_i), .last_i(wta_last_i), .busy_o(wta_busy_o[0]), .top_i(wta_top_i),
    .draw_i(wta_draw_i), .clamp_i(wta_clamp_i),
    .has_target_i(wta_has_target_i), .target_i(wta_target_i), .u_re_o(wta_u_re_o[0]), .u_raddr_o(wta_u_raddr_o),
    .u_rdata_i(wta_u_rdata_i),
    .table_re_o(wta_table_re_o[0]), .exp_raddr_o(wta_exp_raddr_o), .exp_rdata_i(wta_exp_rdata_i),
    .log_raddr_o(wta_log_raddr_o), .log_rdata_i(wta_log_rdata_i),
    .valid_o(wta_valid_o[0]), .member_o(wta_member_o), .p_f16_o(wta_p_o), .spike_o(wta_spike_o[0]), .e_f15_o(wta_e_o),
    .done_o(wta_done_o[0]), .l_f12_o(wta_l_o)
  );
  tern_wta #(.WTA(10), .WTA_AW(4)) u_wta10 (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(wta10_start_i), .last_i(wta_last_i[3:0]), .busy_o(wta_busy_o[1]),
    .top_i(wta_top_i), .draw_i(wta_draw_i), .clamp_i(wta_clamp_i),
    .has_target_i(wta_has_target_i), .target_i(wta_target_i[3:0]), .u_re_o(wta_u_re_o[1]), .u_raddr_o(wta10_u_raddr_o),
    .u_rdata_i(wta_u_rdata_i),
    .table_re_o(wta_table_re_o[1]), .exp_raddr_o(wta10_exp_raddr_o), .exp_rdata_i(wta_exp_rdata_i),
    .log_raddr_o(wta10_log_raddr_o), .log_rdata_i(wta_log_rdata_i),
    .valid_o(wta_valid_o[1]), .member_o(wta10_member_o), .p_f16_o(wta10_p_o), .spike_o(wta_spike_o[1]),
    .e_f15_o(wta10_e_o), .done_o(wta_done_o[1]), .l_f12_o(wta10_l_o)
  );

  tern_vote #(.CLASSES(100), .SAMPLES(32), .SAMPLE_W(5), .NEURON_W(16)) u_vote100 (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(vote_begin_i), .vote_i(vote_vote_i[0]), .example_i(vote_example_i[0]),
    .busy_o(vote_busy_o[0]),
    .fired_valid_i(vote_fired_valid_i), .fired_neuron_i(vote_fired_neuron_i), .fired_sample_i(vote_fired_sample_i),
    .fired_spike_i(vote_fired_spike_i),
    .cfg_sample_last_i(vote_sample_last_i), .cfg_class_first_i(vote_class_first_i),
    .cfg_class_count_i(vote_class_count_i), .cfg_class_spike_i(vote_class_spike_i),
    .winner_o(vote_winner_o), .host_we_i(vote_host_we_i), .host_re_i(vote_host_re_i), .host_where_i(vote_host_where_i),
    .host_wdata_i(vote_host_wdata_i),
    .host_count_o(vote_host_count_o), .host_votes_o(vote_host_votes_o), .host_decision_o(vote_host_decision_o)
  );
  tern_vote #(.CLASSES(3), .SAMPLES(2), .SAMPLE_W(1), .NEURON_W(6)) u_vote3 (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(vote_begin_i), .vote_i(vote_vote_i[1]), .example_i(vote_example_i[1]),
    .busy_o(vote_busy_o[1]),
    .fired_valid_i(vote_fired_valid_i), .fired_neuron_i(vote_fired_neuron_i[5:0]),
    .fired_sample_i(vote_fired_sample_i[0]), .fired_spike_i(vote_fired_spike_i),
    .cfg_sample_last_i(vote_sample_last_i[0]), .cfg_class_first_i(vote_class_first_i),
    .cfg_class_count_i(vote_class_count_i), .cfg_class_spike_i(vote_class_spike_i),
    .winner_o(vote3_winner_o), .host_we_i(vote_host_we_i), .host_re_i(vote_host_re_i), .host_where_i(vote_host_where_i),
    .host_wdata_i(vote_host_wdata_i),
    .host_count_o(vote3_host_count_o), .host_votes_o(vote3_host_votes_o), .host_decision_o(vote3_host_decision_o)
  );

  tern_signal #(.SAMPLE_W(5), .SIGNALS(1)) u_signal (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(signal_start_i), .learn_i(signal_learn_i),
    .no_visible_i(signal_no_visible_i), .busy_o(signal_busy_o),
    .loss_re_i(signal_loss_re_i), .loss_raddr_i(signal_loss_sample_i), .loss_valid_i(signal_loss_valid_i),
    .loss_first_i(signal_loss_first_i), .loss_sample_i(signal_loss_sample_i), .loss_f12_i(signal_loss_i),
    .v_re_o(signal_v_re_o), .v_raddr_o(signal_v_raddr_o), .v_rdata_i(signal_v_rdata_i), .v_we_o(signal_v_we_o),
    .v_waddr_o(signal_v_waddr_o), .v_wdata_o(signal_v_wdata_o),
    .m_we_o(signal_m_we_o), .m_waddr_o(signal_m_waddr_o), .m_wdata_o(signal_m_wdata_o), .w_we_o(signal_w_we_o),
    .w_wdata_o(signal_w_wdata_o), .log_raddr_o(signal_log_raddr_o), .log_rdata_i(signal_log_rdata_i),
    .cfg_rule_i(signal_rule_i), .cfg_inverse_f16_i(signal_inverse_i), .cfg_mean_f14_i(signal_mean_i),
    .cfg_log_offset_f12_i(signal_log_offset_i), .exp_raddr_o(signal_exp_raddr_o), .exp_rdata_i(signal_exp_rdata_i),
    .cfg_gamma_f16_i(signal_gamma_i), .cfg_sample_last_i(signal_sample_last_i), .sat_logprob_o(signal_sat_o)
  );

  tern_baseline #(.SAMPLE_W(5), .BASE_AW(6)) u_baseline (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(baseline_begin_i), .busy_o(baseline_busy_o), .valid_i(baseline_valid_i),
    .first_i(baseline_first_i), .end_i(baseline_end_i),
    .last_i(baseline_last_i), .sample_i(baseline_sample_i), .product_i(baseline_product_i), .re_o(baseline_re_o),
    .sample_o(baseline_sample_o), .diff_i(baseline_diff_i),
    .addr_o(baseline_addr_o), .rdata_i(baseline_rdata_i), .we_o(baseline_we_o), .wdata_o(baseline_wdata_o),
    .cfg_shift_i(baseline_shift_i),
    .cfg_sample_last_i(baseline_sample_last_i), .cfg_common_i(baseline_common_i)
  );
endmodule

`default_nettype wire
