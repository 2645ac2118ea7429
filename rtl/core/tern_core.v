// tern_core.v : the whole step in hardware: memories, engines, host port
// SPDX-License-Identifier: Apache-2.0
//
// Function  One step (or flush) of docs/21-numerics.md per start. The core is programmable: parameters are capacities,
//           the network is data in the
//           memories and in the configuration registers, written over the host port (docs/33-host-port.md).
// C model   runtime/engine/tern_golden.c
// Structure tern_ahead runs ahead of tern_pass, tern_fire follows it; tern_signal is the central processor,
//           tern_baseline keeps baselines of the neurons that learn from its learning signal.
`default_nettype none

module tern_core #(
  // Weights per word and cycle: 1, 2, 4, 8, 16 or 32.
  parameter LANES      = 4,
  // Bits of a stored weight, 4..16; a network may use fewer.
  parameter WEIGHT_W   = 16,
  // Samples K, 1..32.
  parameter SAMPLES    = 8,
  // Neurons, 2..65535.
  parameter NEURONS    = 64,
  // (neuron, sample) pairs, error words (pairs times lags).
  parameter PAIRS      = 512,
  parameter ERRORS     = 2048,
  // Filter taps D, 1..32; learning lags W, 1..63; history bits, at least D + W of every network, 2..64.
  parameter TAPS_D     = 10,
  parameter LAGS_W     = 4,
  parameter HIST_W     = 14,
  // Filters, 1..16.
  parameter FILTERS    = 4,
  // Row descriptors.
  parameter ROWS       = 256,
  // Weight words of LANES weights.
  parameter WORDS      = 4096,
  // History words: input groups, and neuron groups times samples.
  parameter HIST_WORDS = 512,
  // Words of target bits.
  parameter TARGETS    = 32,
  // Widths: filter tap, trace, kernel tap, weight change, sums (proved by the planner for each network).
  parameter TAP_W      = 9,
  parameter X_W        = 14,
  parameter KERNEL_W   = 32,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  // Least and largest R.
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  // Bits of a dither word index.
  parameter INDEX_W    = 24,
  // 0: rule GEM only; 1: every rule (learning signals, second learning set).
  parameter SIGNALS    = 0,
  // Neurons with a baseline, 0..65535 (needs SIGNALS): the first ones that learn from w.
  parameter BASELINES  = 0,
  // Neurons of the largest winner-take-all circuit, 0 or 2..64.
  parameter WTA        = 0,
  // Classes of a decision, 0..1024.
  parameter CLASSES    = 0,
  // 1: rows from neurons make weight changes from a kernel for each sample instead of a trace for each lag; only with
  // WAYS = 1.
  parameter KERNELS    = 0,
  // Samples per cycle in rows from neurons, 1..16, at most SAMPLES; history words of ways 1.. (sample k is in way k mod
  // WAYS), 1..HIST_WORDS.
  parameter WAYS       = 1,
  parameter WAY_WORDS  = 1,
  // Products of a learning kernel per cycle, 1..TAPS_D, at most LAGS_W.
  parameter PREP       = 1,
  // 1: silent words of inputs are left out: fewer cycles, which depend on the data; 0: all words are read.
  parameter SKIP       = 0,
  // 0; other values are those of tern_small.
  parameter SMALL      = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,
  // host port: a request is taken in a cycle with valid and ready; read data comes with rvalid
  input  wire        host_valid_i,
  output wire        host_ready_o,
  input  wire        host_write_i,
  input  wire [31:0] host_addr_i,   // [31:24] region, [23:0] word * slices + slice
  input  wire [31:0] host_wdata_i,
  output wire        host_rvalid_o,
  output wire [31:0] host_rdata_o,
  // status
  output wire        busy_o
`ifdef TERN_COSIM
  ,
  output wire        ev_w_valid_o,
  output wire [31:0] ev_w_addr_o,
  output wire [LANES*WEIGHT_W-1:0] ev_w_old_o,
  output wire [LANES*WEIGHT_W-1:0] ev_w_new_o,
  output wire [LANES-1:0] ev_w_changed_o,
  output wire [LANES-1:0] ev_w_sat_o,
  output wire [LANES*32-1:0] ev_w_draw_o,
  output wire        ev_l_valid_o,
  output wire        ev_l_self_o,
  output wire [31:0] ev_l_neuron_o,
  output wire [15:0] ev_l_old_o,
  output wire [15:0] ev_l_new_o,
  output wire        ev_l_sat_o,
  output wire [31:0] ev_l_draw_o,
  output wire        ev_n_valid_o,
  output wire [31:0] ev_n_neuron_o,
  output wire [7:0]  ev_n_sample_o,
  output wire [11:0] ev_n_u_o,
  output wire [16:0] ev_n_p_o,
  output wire [15:0] ev_n_draw_o,
  output wire        ev_n_spike_o,
  output wire        ev_n_clamp_o,
  output wire        ev_n_limited_o,
  output wire        ev_v_valid_o,
  output wire [7:0]  ev_v_sample_o,
  output wire [31:0] ev_v_before_o,
  output wire [31:0] ev_v_after_o,
  output wire        ev_m_valid_o,
  output wire [7:0]  ev_m_sample_o,
  output wire [15:0] ev_m_value_o,
  output wire [31:0] ev_m_signal_o,
  output wire        ev_a_valid_o,
  output wire [31:0] ev_a_neuron_o,
  output wire [31:0] ev_a_before_o,
  output wire [31:0] ev_a_after_o,
  output wire [31:0] ev_a_weight_o
`endif
);
  // ---- derived widths (a width is at least 1, and wider than what it is added to) -----------------
  localparam LANE_W   = $clog2(LANES);
  localparam SAMPLE_W = (SAMPLES > 2) ? $clog2(SAMPLES) : 1;
  localparam NEURON_W = (NEURONS > 2) ? $clog2(NEURONS) : 1;
  localparam LAG_W    = $clog2(LAGS_W + 1);
  localparam Q_W      = ($clog2(HIST_W + 1) > LAG_W) ? $clog2(HIST_W + 1) : LAG_W + 1;
  localparam FILTER_W = (FILTERS > 2) ? $clog2(FILTERS) : 1;
  localparam ROW_AW   = (ROWS > 2) ? $clog2(ROWS) : 1;
  localparam ERROR_AW = ($clog2(ERRORS) > LAG_W) ? $clog2(ERRORS) : LAG_W + 1;
  localparam SELF_AW  = ($clog2(PAIRS) > SAMPLE_W) ? $clog2(PAIRS) : SAMPLE_W + 1;
  localparam SLOTS    = (SAMPLES + WAYS - 1) / (WAYS > 0 ? WAYS : 1); // groups of samples that are in a cycle together
  localparam COEF_AW  = ($clog2(SLOTS * LAGS_W) > LAG_W) ? $clog2(SLOTS * LAGS_W) : LAG_W + 1;
  localparam TAP_AW   = FILTER_W + Q_W;
  // a core of many lanes and ways is for a large device: logic for a shorter path (tern_weight)
  localparam ROOM     = (LANES * WAYS >= 16) ? 1 : 0;
  localparam HIST_AW  = (HIST_WORDS > 2) ? $clog2(HIST_WORDS) : 1;
  localparam WORD_AW  = (WORDS > 2) ? $clog2(WORDS) : 1;
  localparam TARGET_AW = (TARGETS > 2) ? $clog2(TARGETS) : 1;
  localparam BASE_AW  = (BASELINES > 2) ? $clog2(BASELINES) : 1;

  // What is refused, in every tool: an instance of a module that does not exist, and whose name says why
  // (docs/31-blocks.md, Legal parameters).
  generate
    if (LANES != 1 && LANES != 2 && LANES != 4 && LANES != 8 && LANES != 16 && LANES != 32) begin : g_check_0
      tern_core_error_LANES_is_not_1_2_4_8_16_32 u_error (); end
    if (SMALL != 0) begin : g_check_1 tern_core_error_SMALL_is_not_0 u_error (); end
    if (WEIGHT_W < 4 || WEIGHT_W > 16) begin : g_check_2 tern_core_error_WEIGHT_W_is_not_4_to_16 u_error (); end
    if (SAMPLES < 1 || SAMPLES > 32) begin : g_check_3 tern_core_error_SAMPLES_is_not_1_to_32 u_error (); end
    if (NEURONS < 2 || NEURONS > 65535) begin : g_check_4 tern_core_error_NEURONS_is_not_2_to_65535 u_error (); end
    if (PAIRS < 1 || PAIRS > (HIST_W > 32 ? 8388608 : 16777216)) begin : g_check_5
      tern_core_error_PAIRS_is_0_or_beyond_24_address_bits u_error (); end
    if (ERRORS < 1 || ERRORS > 16777216) begin : g_check_6
      tern_core_error_ERRORS_is_0_or_beyond_24_address_bits u_error (); end
    if (TAPS_D < 1 || TAPS_D > 32) begin : g_check_7 tern_core_error_TAPS_D_is_not_1_to_32 u_error (); end
    if (LAGS_W < 1 || LAGS_W > 63) begin : g_check_8 tern_core_error_LAGS_W_is_not_1_to_63 u_error (); end
    if (HIST_W < 2 || HIST_W > 64) begin : g_check_9 tern_core_error_HIST_W_is_not_2_to_64 u_error (); end
    if (HIST_W <= TAPS_D || HIST_W <= LAGS_W) begin : g_check_10
      tern_core_error_HIST_W_is_not_above_TAPS_D_and_LAGS_W u_error (); end
    if (FILTERS < 1 || FILTERS > 16) begin : g_check_11 tern_core_error_FILTERS_is_not_1_to_16 u_error (); end
    if (ROWS < 1 || ROWS > 4194304) begin : g_check_12
      tern_core_error_ROWS_is_0_or_beyond_24_address_bits u_error (); end
    if (WORDS < 1 || WORDS > (16777216 >> $clog2((LANES*WEIGHT_W + 31) / 32))) begin : g_check_13
      tern_core_error_WORDS_is_0_or_beyond_24_address_bits u_error (); end
    if (HIST_WORDS < 1 || HIST_WORDS > 65536) begin : g_check_14
      tern_core_error_HIST_WORDS_is_not_1_to_65536 u_error (); end
    if (TARGETS < 1 || TARGETS > HIST_WORDS) begin : g_check_15
      tern_core_error_TARGETS_is_not_1_to_HIST_WORDS u_error (); end
    if (TAP_W != 9) begin : g_check_16 tern_core_error_TAP_W_is_not_9 u_error (); end
    if (X_W < 10 || X_W > 24) begin : g_check_17 tern_core_error_X_W_is_not_10_to_24 u_error (); end
    if (KERNEL_W < 22 || KERNEL_W > 63) begin : g_check_18 tern_core_error_KERNEL_W_is_not_22_to_63 u_error (); end
    if (DELTA_W < 17 + X_W || DELTA_W > 64) begin : g_check_19
      tern_core_error_DELTA_W_is_not_17_and_X_W_to_64 u_error (); end
    if (DELTA_W <= KERNEL_W || DELTA_W <= DITHER_MAX) begin : g_check_20
      tern_core_error_DELTA_W_is_not_above_KERNEL_W_and_DITHER_MAX u_error (); end
    if (ACC_W < 24 || ACC_W < 18 + X_W || ACC_W > 64) begin : g_check_21
      tern_core_error_ACC_W_is_not_24_and_18_and_X_W_to_64 u_error (); end
    if (DITHER_MIN < 1 || DITHER_MIN > DITHER_MAX || DITHER_MAX > 31) begin : g_check_22
      tern_core_error_DITHER_MIN_and_DITHER_MAX_are_not_in_order_within_1_to_31 u_error (); end
    if (INDEX_W < 1 || INDEX_W > 32) begin : g_check_23 tern_core_error_INDEX_W_is_not_1_to_32 u_error (); end
    if (SIGNALS != 0 && SIGNALS != 1) begin : g_check_24 tern_core_error_SIGNALS_is_not_0_or_1 u_error (); end
    if (BASELINES < 0 || BASELINES > 65535) begin : g_check_25
      tern_core_error_BASELINES_is_not_0_to_65535 u_error (); end
    if (BASELINES > 0 && SIGNALS == 0) begin : g_check_26 tern_core_error_BASELINES_needs_SIGNALS u_error (); end
    if (WTA < 0 || WTA > 64 || WTA == 1) begin : g_check_27 tern_core_error_WTA_is_not_0_or_2_to_64 u_error (); end
    if (CLASSES < 0 || CLASSES > 1024) begin : g_check_28 tern_core_error_CLASSES_is_not_0_to_1024 u_error (); end
    if (WAYS < 1 || WAYS > 16 || WAYS > SAMPLES) begin : g_check_29
      tern_core_error_WAYS_is_not_1_to_16_and_SAMPLES u_error (); end
    if (WAY_WORDS < 1 || WAY_WORDS > HIST_WORDS) begin : g_check_30
      tern_core_error_WAY_WORDS_is_not_1_to_HIST_WORDS u_error (); end
    if (PREP < 1 || PREP > TAPS_D || PREP > LAGS_W) begin : g_check_32
      tern_core_error_PREP_is_not_1_to_TAPS_D_and_LAGS_W u_error (); end
    if (KERNELS != 0 && (KERNELS != 1 || WAYS != 1)) begin : g_check_34
      tern_core_error_KERNELS_is_not_0_or_with_one_way_1 u_error (); end
    if (SKIP != 0 && SKIP != 1) begin : g_check_33 tern_core_error_SKIP_is_not_0_or_1 u_error (); end
    if (WAYS > 1 && $clog2(WAYS) + $clog2(HIST_WORDS) + $clog2((LANES*HIST_W + 31) / 32) > 24) begin : g_check_31
      tern_core_error_WAYS_times_HIST_WORDS_is_beyond_24_address_bits u_error (); end
  endgenerate

  // ---- registers and step control: tern_control ----------------------------------------------------------
  wire                busy, clearing, update, potential, learn, clamp, plane, m_plane, pass_begin, signal_start,
                      no_visible, hwrite, hread, vote_start, example_start, vote_busy;
  wire [NEURON_W-1:0] cfg_neuron_last;
  wire [NEURON_W:0]   cfg_visible, cfg_signal_first;
  wire [SAMPLE_W-1:0] cfg_sample_last;
  wire [Q_W-1:0]      cfg_tap_last;
  wire [LAG_W-1:0]    cfg_lag_last, lag_head;
  wire [HIST_AW-1:0]  cfg_sample_hist0, cfg_sample_words;
  wire [4:0]          cfg_scale, cfg_dither_bits, cfg_local_bits, cfg_c_shift, cfg_m_shift, cfg_dither_bits1,
                      cfg_local_bits1, cfg_c_shift1;
  wire [3:0]          cfg_trace_frac;
  wire [WEIGHT_W-1:0] cfg_top, cfg_absent;
  wire [16:0]         cfg_gamma, cfg_inverse;
  wire [63:0]         cfg_seed;
  wire [31:0]         step, reg_rdata, winner;
  wire [11:0]         cfg_group0;
  wire [1:0]          cfg_rule;
  localparam [1:0]    RULE_IW = 2'd2;
  wire                cfg_baseline, cfg_class_spike;
  wire [2:0]          cfg_baseline_shift;
  wire [14:0]         cfg_mean, cfg_class_count;
  wire [17:0]         cfg_log_offset;
  wire [15:0]         cfg_class_first;
  // a request of the host, one cycle later, and the answers of what lies in the engines (tern_memories)
  wire                own, clear_last, host_re, exp_we, log_we, count_we, votes_we, decision_we;
  wire [6:0]          host_register;
  wire [23:0]         host_where;
  wire [31:0]         host_data, v_host, log_wta_host, count_host, votes_host, decision_host;
  // ---- engines' signals ----------------------------------------------------------------------------------
  wire prepare_idle, pass_idle, pass_soon, pass_end, draw_idle, draws_done, sum_re, fire_done, fire_idle, visible_done,
       local_done;
  wire signal_busy, row_valid, row_take, row_shift, row_last, row_set, sums_valid, has_sample, loss_re, loss_valid,
       loss_first, sat_local, sat_potential, sat_logprob, sat_modulator, baseline_busy;
  wire [1:0]          row_kind, row_number, sat_coefficient;
  wire [5:0]          sat_weight;
  wire [15:0]         row_words;
  wire [16:0]         loss_f12;
  wire [HIST_AW-1:0]  row_hist;
  wire [WORD_AW-1:0]  row_word;
  wire [INDEX_W-1:0]  row_index;
  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  row_kernel, each_wdata; // taps in pairs (tern_taps)
  wire [HIST_W/2-1:0] each_we;
  wire [SAMPLE_W:0]   each_waddr;
  wire [DELTA_W-1:0]  each_base;
  wire [COEF_AW+1:0]  pass_coef_raddr, each_coef_raddr;
  wire                row_pair, pass_coef_re, each_coef_re;
  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] row_taps;
  wire [DELTA_W-1:0]   row_kernel_base;
  wire [X_W-1:0]       row_taps_base;
  wire [127:0]        s_words;
  wire [ACC_W-1:0]    sum_shared, sum_sample;
  wire [SAMPLE_W:0]   sum_raddr;
  wire [SAMPLE_W-1:0] loss_sample, loss_raddr, fired_sample;
  wire [NEURON_W-1:0] fired_neuron;
  wire                unused_idle = &{1'b0, fire_idle};

  // ---- memories ------------------------------------------------------------------------------------------------
  wire                       w_we, m_re, base_re, base_we, kap_valid, kap_first, kap_end, kap_last, base_signal_re;
  wire                       weight_we, hist_we, local_we, error_we, self_we, spike_we, v_we, v_re, hist_re, weight_re,
                             coef_re, taps_re, error_re, self_re, local_re, sample_re, m_we, acc_we, draw_we, ways_re,
                             ways_we;
  wire [WAYS-1:0]            coef_we, frame_we;
  wire [WORD_AW-1:0]         weight_waddr, weight_raddr;
  wire [LANES*WEIGHT_W-1:0]  weight_wdata, weight_rdata;
  wire [HIST_AW-1:0]         hist_waddr, hist_raddr, frame_waddr, frame_raddr, target_raddr, ways_waddr, ways_raddr,
                             ways_frame;
  wire [WAYS*LANES*HIST_W-1:0] hist_wdata, hist_rdata;
  wire [WAYS*LANES-1:0]      frame_rdata;
  wire [WAYS*16-1:0]         coef_rdata;
  wire [LANES-1:0]           frame_wdata, target_rdata;
  wire [ROW_AW-1:0]          row_raddr;
  wire [31:0]                row_flags;
  wire [HIST_AW-1:0]         row_first_hist;
  wire [WORD_AW-1:0]         row_first_word;
  wire [INDEX_W-1:0]         row_first_index;
  wire [NEURON_W-1:0]        neuron_raddr, place_raddr;
  wire [FILTER_W:0]          neuron_rdata;
  wire [31:0]                place_rdata, table_rdata, v_rdata, v_wdata, w_rdata, w_wdata, kap_product;
  wire [TAP_AW-1:0]          taps_raddr;
  wire [TAP_W-1:0]           taps_rdata;
  wire [NEURON_W:0]          local_waddr, local_raddr;
  wire [15:0]                local_wdata, local_rdata, error_wdata, error_rdata, exp_rdata, m_wdata, m_rdata,
                             draw_wdata, draw_rdata, coef_wdata;
  wire [ERROR_AW-1:0]        error_waddr, error_raddr;
  wire [SELF_AW-1:0]         self_waddr, self_raddr, spike_waddr;
  wire [HIST_W-1:0]          self_wdata, self_rdata;
  wire                       spike_wdata, spike_rdata;
  wire [LAG_W-1:0]           ek_raddr;
  wire [14:0]                ek_rdata;
  wire [8:0]                 table_raddr, exp_raddr;
  wire [SAMPLE_W+1:0]        v_waddr, v_raddr;
  wire [SAMPLE_W-1:0]        m_waddr, m_raddr, kap_sample, base_sample;
  wire [BASE_AW-1:0]         base_addr;
  wire [63:0]                base_rdata, base_wdata;
  wire [32:0]                base_diff;
  wire [7:0]                 log_raddr;
  wire [11:0]                log_rdata;
  wire [SAMPLE_W+1:0]        acc_waddr, acc_raddr, draw_waddr, draw_raddr;
  wire [ACC_W-1:0]           acc_wdata, acc_rdata;
  wire [COEF_AW+1:0]         coef_waddr, coef_raddr;

  tern_memories #(
    .LANES(LANES), .WEIGHT_W(WEIGHT_W), .SAMPLES(SAMPLES), .NEURONS(NEURONS), .PAIRS(PAIRS), .ERRORS(ERRORS),
    .TAPS_D(TAPS_D), .LAGS_W(LAGS_W), .HIST_W(HIST_W), .FILTERS(FILTERS), .ROWS(ROWS), .WORDS(WORDS),
    .HIST_WORDS(HIST_WORDS), .TARGETS(TARGETS), .TAP_W(TAP_W), .ACC_W(ACC_W), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS),
    .BASELINES(BASELINES), .WTA(WTA), .CLASSES(CLASSES), .WAYS(WAYS), .WAY_WORDS(WAY_WORDS), .SAMPLE_W(SAMPLE_W),
    .NEURON_W(NEURON_W), .LAG_W(LAG_W), .FILTER_W(FILTER_W), .ROW_AW(ROW_AW), .ERROR_AW(ERROR_AW), .SELF_AW(SELF_AW),
    .COEF_AW(COEF_AW), .TAP_AW(TAP_AW), .HIST_AW(HIST_AW), .WORD_AW(WORD_AW), .TARGET_AW(TARGET_AW), .BASE_AW(BASE_AW)
  ) u_memories (
    .clk_i(clk_i), .rst_i(rst_i), .own_i(own), .clearing_i(clearing), .run_i(busy), .plane_i(plane),
    .m_plane_i(m_plane), .no_visible_i(no_visible), .write_i(hwrite), .read_i(hread), .addr_i(host_addr_i),
    .wdata_i(host_wdata_i), .rvalid_o(host_rvalid_o), .rdata_o(host_rdata_o), .clear_last_o(clear_last),
    .host_re_o(host_re), .register_o(host_register), .where_o(host_where), .data_o(host_data), .config_rdata_o(v_host),
    .exp_we_o(exp_we), .log_we_o(log_we), .count_we_o(count_we), .votes_we_o(votes_we), .decision_we_o(decision_we),
    .reg_rdata_i(reg_rdata), .log_wta_i(log_wta_host), .count_i(count_host), .votes_i(votes_host),
    .decision_i(decision_host), .weight_we_i(weight_we), .weight_waddr_i(weight_waddr), .weight_wdata_i(weight_wdata),
    .weight_re_i(weight_re), .weight_raddr_i(weight_raddr), .weight_rdata_o(weight_rdata), .hist_re_i(hist_re),
    .hist_raddr_i(hist_raddr), .hist_rdata_o(hist_rdata), .hist_we_i(hist_we), .hist_waddr_i(hist_waddr),
    .hist_wdata_i(hist_wdata), .ways_re_i(ways_re), .ways_raddr_i(ways_raddr), .ways_we_i(ways_we),
    .ways_waddr_i(ways_waddr), .frame_we_i(frame_we), .frame_waddr_i(frame_waddr), .ways_frame_i(ways_frame),
    .frame_wdata_i(frame_wdata), .frame_raddr_i(frame_raddr), .frame_rdata_o(frame_rdata), .coef_we_i(coef_we),
    .coef_waddr_i(coef_waddr), .coef_wdata_i(coef_wdata), .coef_re_i(coef_re), .coef_raddr_i(coef_raddr),
    .coef_rdata_o(coef_rdata), .row_raddr_i(row_raddr), .row_flags_o(row_flags), .row_first_hist_o(row_first_hist),
    .row_first_word_o(row_first_word), .row_first_index_o(row_first_index), .neuron_raddr_i(neuron_raddr),
    .neuron_rdata_o(neuron_rdata), .place_raddr_i(place_raddr), .place_rdata_o(place_rdata), .taps_re_i(taps_re),
    .taps_raddr_i(taps_raddr), .taps_rdata_o(taps_rdata), .local_we_i(local_we), .local_waddr_i(local_waddr),
    .local_wdata_i(local_wdata), .local_re_i(local_re), .local_raddr_i(local_raddr), .local_rdata_o(local_rdata),
    .error_we_i(error_we), .error_waddr_i(error_waddr), .error_wdata_i(error_wdata), .error_re_i(error_re),
    .error_raddr_i(error_raddr), .error_rdata_o(error_rdata), .self_we_i(self_we), .self_waddr_i(self_waddr),
    .self_wdata_i(self_wdata), .self_re_i(self_re), .self_raddr_i(self_raddr), .self_rdata_o(self_rdata),
    .spike_we_i(spike_we), .spike_waddr_i(spike_waddr), .spike_wdata_i(spike_wdata), .spike_rdata_o(spike_rdata),
    .kap_valid_i(kap_valid), .ek_raddr_i(ek_raddr), .ek_rdata_o(ek_rdata), .table_raddr_i(table_raddr),
    .table_rdata_o(table_rdata), .exp_raddr_i(exp_raddr), .exp_rdata_o(exp_rdata), .log_raddr_i(log_raddr),
    .log_rdata_o(log_rdata), .target_raddr_i(target_raddr), .target_rdata_o(target_rdata), .v_we_i(v_we),
    .v_waddr_i(v_waddr), .v_wdata_i(v_wdata), .v_re_i(v_re), .v_raddr_i(v_raddr), .v_rdata_o(v_rdata), .m_we_i(m_we),
    .m_waddr_i(m_waddr), .m_wdata_i(m_wdata), .m_re_i(m_re), .m_raddr_i(m_raddr), .m_rdata_o(m_rdata), .w_we_i(w_we),
    .w_wdata_i(w_wdata), .w_rdata_o(w_rdata), .base_re_i(base_re), .base_we_i(base_we), .base_addr_i(base_addr),
    .base_wdata_i(base_wdata), .base_rdata_o(base_rdata), .acc_we_i(acc_we), .acc_waddr_i(acc_waddr),
    .acc_wdata_i(acc_wdata), .acc_raddr_i(acc_raddr), .acc_rdata_o(acc_rdata), .draw_we_i(draw_we),
    .draw_waddr_i(draw_waddr), .draw_wdata_i(draw_wdata), .draw_raddr_i(draw_raddr), .draw_rdata_o(draw_rdata),
    .sample_re_i(sample_re)
  );
  // ---- engines ---------------------------------------------------------------------------------------------------
`ifdef TERN_COSIM
  wire [WORD_AW-1:0]  ev_w_addr;
  wire [LANES*DITHER_MAX-1:0] ev_w_draw;
  wire [NEURON_W-1:0] ev_l_neuron, ev_n_neuron;
  wire [DITHER_MAX-1:0] ev_l_draw;
  wire [SAMPLE_W-1:0] ev_n_sample, ev_v_sample, ev_m_sample;
`endif
  tern_control #(
    .LANES(LANES), .WEIGHT_W(WEIGHT_W), .SAMPLES(SAMPLES), .NEURONS(NEURONS), .PAIRS(PAIRS), .ERRORS(ERRORS),
    .TAPS_D(TAPS_D), .LAGS_W(LAGS_W), .HIST_W(HIST_W), .FILTERS(FILTERS), .ROWS(ROWS), .WORDS(WORDS),
    .HIST_WORDS(HIST_WORDS), .TARGETS(TARGETS), .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W),
    .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS), .BASELINES(BASELINES),
    .WTA(WTA), .CLASSES(CLASSES), .KERNELS(KERNELS), .WAYS(WAYS), .WAY_WORDS(WAY_WORDS), .PREP(PREP), .SKIP(SKIP),
    .SAMPLE_W(SAMPLE_W), .NEURON_W(NEURON_W), .LAG_W(LAG_W), .Q_W(Q_W), .HIST_AW(HIST_AW)
  ) u_control (
    .clk_i(clk_i), .rst_i(rst_i), .host_valid_i(host_valid_i), .host_ready_o(host_ready_o), .host_write_i(host_write_i),
    .host_addr_i(host_addr_i), .host_wdata_i(host_wdata_i), .hwrite_o(hwrite), .hread_o(hread),
    .register_i(host_register), .reg_rdata_o(reg_rdata), .config_rdata_i(v_host), .busy_o(busy_o), .run_o(busy),
    .begin_o(pass_begin), .update_o(update), .potential_o(potential), .learn_o(learn), .clamp_o(clamp), .plane_o(plane),
    .m_plane_o(m_plane), .signal_start_o(signal_start), .step_o(step), .lag_head_o(lag_head), .no_visible_o(no_visible),
    .clearing_o(clearing), .clear_last_i(clear_last), .own_o(own), .vote_o(vote_start), .example_o(example_start),
    .prepare_idle_i(prepare_idle), .pass_idle_i(pass_idle), .draw_idle_i(draw_idle), .signal_busy_i(signal_busy),
    .baseline_busy_i(baseline_busy), .vote_busy_i(vote_busy), .fire_done_i(fire_done), .visible_done_i(visible_done),
    .winner_i(winner), .sat_weight_i(sat_weight), .sat_local_i(sat_local), .sat_potential_i(sat_potential),
    .sat_coefficient_i(sat_coefficient), .sat_logprob_i(sat_logprob), .sat_modulator_i(sat_modulator),
    .cfg_neuron_last_o(cfg_neuron_last), .cfg_visible_o(cfg_visible), .cfg_sample_last_o(cfg_sample_last),
    .cfg_tap_last_o(cfg_tap_last), .cfg_lag_last_o(cfg_lag_last), .cfg_sample_hist0_o(cfg_sample_hist0),
    .cfg_sample_words_o(cfg_sample_words), .cfg_scale_o(cfg_scale), .cfg_dither_bits_o(cfg_dither_bits),
    .cfg_local_bits_o(cfg_local_bits), .cfg_c_shift_o(cfg_c_shift), .cfg_trace_frac_o(cfg_trace_frac),
    .cfg_top_o(cfg_top), .cfg_absent_o(cfg_absent), .cfg_gamma_f16_o(cfg_gamma), .cfg_seed_o(cfg_seed),
    .cfg_group0_o(cfg_group0), .cfg_rule_o(cfg_rule), .cfg_baseline_o(cfg_baseline),
    .cfg_signal_first_o(cfg_signal_first), .cfg_m_shift_o(cfg_m_shift), .cfg_baseline_shift_o(cfg_baseline_shift),
    .cfg_dither_bits1_o(cfg_dither_bits1), .cfg_local_bits1_o(cfg_local_bits1), .cfg_c_shift1_o(cfg_c_shift1),
    .cfg_inverse_f16_o(cfg_inverse), .cfg_mean_f14_o(cfg_mean), .cfg_log_offset_f12_o(cfg_log_offset),
    .cfg_class_first_o(cfg_class_first), .cfg_class_count_o(cfg_class_count), .cfg_class_spike_o(cfg_class_spike)
  );
  tern_ahead #(
    .SAMPLE_W(SAMPLE_W), .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .Q_W(Q_W), .FILTER_W(FILTER_W), .TAP_W(TAP_W),
    .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W), .DITHER_MAX(DITHER_MAX), .NEURON_W(NEURON_W),
    .ROW_AW(ROW_AW), .ERROR_AW(ERROR_AW), .SELF_AW(SELF_AW), .COEF_AW(COEF_AW), .TAP_AW(TAP_AW), .HIST_AW(HIST_AW),
    .WORD_AW(WORD_AW), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS), .LAGS_W(LAGS_W), .PREP(PREP), .WAYS(WAYS),
    .KERNELS(KERNELS), .ROOM(ROOM)
  ) u_ahead (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(pass_begin), .update_i(update), .potential_i(potential),
    .local_done_o(local_done), .idle_o(prepare_idle), .draw_idle_o(draw_idle), .neurons_raddr_o(neuron_raddr),
    .neurons_rdata_i(neuron_rdata), .error_re_o(error_re), .m_re_o(m_re), .self_re_o(self_re), .local_re_o(local_re),
    .error_raddr_o(error_raddr), .error_rdata_i(error_rdata), .m_raddr_o(m_raddr), .m_rdata_i(m_rdata),
    .w_rdata_i(w_rdata), .ek_raddr_o(ek_raddr), .ek_rdata_i(ek_rdata), .base_re_o(base_re),
    .base_rdata_i(base_rdata[31:0]), .kap_valid_o(kap_valid), .kap_first_o(kap_first), .kap_end_o(kap_end),
    .kap_last_o(kap_last), .kap_sample_o(kap_sample), .kap_product_o(kap_product), .base_busy_i(baseline_busy),
    .base_re_i(base_signal_re), .base_sample_i(base_sample), .base_diff_o(base_diff), .self_raddr_o(self_raddr),
    .self_rdata_i(self_rdata), .spike_rdata_i(spike_rdata), .self_we_o(self_we), .self_waddr_o(self_waddr),
    .self_wdata_o(self_wdata), .local_raddr_o(local_raddr), .local_rdata_i(local_rdata), .local_we_o(local_we),
    .local_waddr_o(local_waddr), .local_wdata_o(local_wdata), .coef_we_o(coef_we), .coef_waddr_o(coef_waddr),
    .coef_wdata_o(coef_wdata), .acc_we_o(acc_we), .acc_waddr_o(acc_waddr), .acc_wdata_o(acc_wdata),
    .cfg_neuron_last_i(cfg_neuron_last), .cfg_sample_last_i(cfg_sample_last), .cfg_lag_last_i(cfg_lag_last),
    .cfg_tap_last_i(cfg_tap_last), .cfg_lag_head_i(lag_head), .cfg_c_shift_i(cfg_c_shift),
    .cfg_local_bits_i(cfg_local_bits), .cfg_c_shift1_i(cfg_c_shift1), .cfg_local_bits1_i(cfg_local_bits1),
    .cfg_signal_first_i(cfg_signal_first), .cfg_m_shift_i(cfg_m_shift), .cfg_baseline_i(cfg_baseline),
    .cfg_common_i(cfg_rule == RULE_IW), .cfg_trace_frac_i(cfg_trace_frac), .sat_coefficient_o(sat_coefficient),
    .sat_modulator_o(sat_modulator), .sat_local_o(sat_local), .row_valid_o(row_valid), .row_take_i(row_take),
    .pass_soon_i(pass_soon), .row_kind_o(row_kind), .row_shift_o(row_shift), .row_last_o(row_last),
    .row_number_o(row_number), .row_set_o(row_set), .row_pair_o(row_pair), .each_we_o(each_we),
    .each_waddr_o(each_waddr), .each_wdata_o(each_wdata), .each_base_o(each_base), .coef_re_o(each_coef_re),
    .coef_raddr_o(each_coef_raddr), .coef_rdata_i(coef_rdata[15:0]), .row_words_o(row_words), .row_hist_o(row_hist),
    .row_word_o(row_word), .row_index_o(row_index), .row_kernel_o(row_kernel), .row_kernel_base_o(row_kernel_base),
    .row_taps_o(row_taps), .row_taps_base_o(row_taps_base), .rows_raddr_o(row_raddr), .rows_rdata_i(row_flags),
    .rows_hist_i(row_first_hist), .rows_word_i(row_first_word), .rows_index_i(row_first_index), .taps_re_o(taps_re),
    .taps_raddr_o(taps_raddr), .taps_rdata_i(taps_rdata), .clamp_i(clamp), .draws_done_o(draws_done),
    .pass_end_i(pass_end), .fire_done_i(fire_done), .s_words_o(s_words), .draw_we_o(draw_we), .draw_waddr_o(draw_waddr),
    .draw_wdata_o(draw_wdata), .cfg_seed_i(cfg_seed), .cfg_step_i(step), .cfg_group0_i(cfg_group0),
    .cfg_visible_i(cfg_visible)
`ifdef TERN_COSIM
    , .ev_l_valid_o(ev_l_valid_o), .ev_l_self_o(ev_l_self_o), .ev_l_neuron_o(ev_l_neuron), .ev_l_old_o(ev_l_old_o),
    .ev_l_new_o(ev_l_new_o), .ev_l_sat_o(ev_l_sat_o), .ev_l_draw_o(ev_l_draw)
`endif
  );
  // learning coefficients: read by tern_prepare for the kernels of the samples, or by tern_pass
  assign coef_re    = (KERNELS != 0) ? each_coef_re : pass_coef_re;
  assign coef_raddr = (KERNELS != 0) ? each_coef_raddr : pass_coef_raddr;
  wire unused_coef  = &{1'b0, pass_coef_re, pass_coef_raddr, each_coef_re, each_coef_raddr};
  tern_pass #(
    .LANES(LANES), .LANE_W(LANE_W), .SAMPLE_W(SAMPLE_W), .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W),
    .WEIGHT_W(WEIGHT_W), .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W),
    .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .WORD_AW(WORD_AW), .HIST_AW(HIST_AW), .COEF_AW(COEF_AW),
    .INDEX_W(INDEX_W), .SAMPLES(SAMPLES), .WAYS(WAYS), .KERNELS(KERNELS), .SKIP(SKIP), .ROOM(ROOM)
  ) u_pass (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(pass_begin), .update_i(update), .potential_i(potential), .idle_o(pass_idle),
    .soon_o(pass_soon), .end_o(pass_end), .row_valid_i(row_valid), .row_take_o(row_take), .row_kind_i(row_kind),
    .row_shift_i(row_shift), .row_last_i(row_last), .row_number_i(row_number), .row_set_i(row_set),
    .row_pair_i(row_pair), .each_we_i(each_we), .each_waddr_i(each_waddr), .each_wdata_i(each_wdata),
    .each_base_i(each_base),
    .row_words_i(row_words), .row_hist_i(row_hist), .row_word_i(row_word), .row_index_i(row_index),
    .row_kernel_i(row_kernel), .row_kernel_base_i(row_kernel_base), .row_taps_i(row_taps),
    .row_taps_base_i(row_taps_base), .s_words_i(s_words), .hist_re_o(hist_re), .weight_re_o(weight_re),
    .coef_re_o(pass_coef_re), .hist_raddr_o(hist_raddr), .hist_rdata_i(hist_rdata), .hist_we_o(hist_we),
    .hist_waddr_o(hist_waddr), .hist_wdata_o(hist_wdata), .ways_re_o(ways_re), .ways_raddr_o(ways_raddr),
    .ways_we_o(ways_we), .ways_waddr_o(ways_waddr), .frame_raddr_o(frame_raddr), .frame_rdata_i(frame_rdata),
    .weight_raddr_o(weight_raddr), .weight_rdata_i(weight_rdata), .weight_we_o(weight_we),
    .weight_waddr_o(weight_waddr), .weight_wdata_o(weight_wdata),
    .coef_raddr_o(pass_coef_raddr), .coef_rdata_i(coef_rdata),
    .sums_valid_o(sums_valid), .sums_done_i(fire_done), .sum_shared_o(sum_shared), .has_sample_o(has_sample),
    .sum_re_i(sum_re), .sum_raddr_i(sum_raddr), .sum_sample_o(sum_sample), .cfg_sample_last_i(cfg_sample_last),
    .cfg_lag_last_i(cfg_lag_last), .cfg_sample_hist0_i(cfg_sample_hist0), .cfg_sample_words_i(cfg_sample_words),
    .cfg_dither_bits_i(cfg_dither_bits), .cfg_dither_bits1_i(cfg_dither_bits1), .cfg_top_i(cfg_top),
    .cfg_absent_i(cfg_absent), .sat_count_o(sat_weight)
`ifdef TERN_COSIM
    , .ev_w_valid_o(ev_w_valid_o), .ev_w_addr_o(ev_w_addr), .ev_w_old_o(ev_w_old_o), .ev_w_new_o(ev_w_new_o),
    .ev_w_changed_o(ev_w_changed_o), .ev_w_sat_o(ev_w_sat_o), .ev_w_draw_o(ev_w_draw)
`endif
  );
  tern_fire #(
    .LANES(LANES), .LANE_W(LANE_W), .SAMPLE_W(SAMPLE_W), .LAG_W(LAG_W), .ACC_W(ACC_W), .NEURON_W(NEURON_W),
    .ERROR_AW(ERROR_AW), .SELF_AW(SELF_AW), .HIST_AW(HIST_AW), .WTA(WTA), .WAYS(WAYS)
  ) u_fire (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(pass_begin && potential), .learn_i(learn), .clamp_i(clamp),
    .idle_o(fire_idle), .local_done_i(local_done), .draws_done_i(draws_done), .sums_valid_i(sums_valid),
    .done_o(fire_done), .sum_shared_i(sum_shared), .has_sample_i(has_sample), .sum_re_o(sum_re),
    .sum_raddr_o(sum_raddr), .sum_sample_i(sum_sample), .sample_re_o(sample_re), .acc_raddr_o(acc_raddr),
    .acc_rdata_i(acc_rdata), .draw_raddr_o(draw_raddr), .draw_rdata_i(draw_rdata), .place_raddr_o(place_raddr),
    .place_rdata_i(place_rdata), .target_raddr_o(target_raddr), .target_rdata_i(target_rdata),
    .table_raddr_o(table_raddr), .table_rdata_i(table_rdata), .error_we_o(error_we), .error_waddr_o(error_waddr),
    .error_wdata_o(error_wdata), .spike_we_o(spike_we), .spike_waddr_o(spike_waddr), .spike_wdata_o(spike_wdata),
    .frame_we_o(frame_we), .frame_waddr_o(frame_waddr), .ways_waddr_o(ways_frame), .frame_wdata_o(frame_wdata),
    .exp_we_i(exp_we), .log_we_i(log_we), .log_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data),
    .log_host_o(log_wta_host), .fired_neuron_o(fired_neuron), .fired_sample_o(fired_sample), .loss_re_o(loss_re),
    .loss_raddr_o(loss_raddr), .loss_valid_o(loss_valid), .loss_first_o(loss_first), .loss_sample_o(loss_sample),
    .loss_f12_o(loss_f12), .visible_done_o(visible_done), .cfg_sample_last_i(cfg_sample_last),
    .cfg_lag_last_i(cfg_lag_last), .cfg_lag_head_i(lag_head), .cfg_scale_i(cfg_scale),
    .cfg_sample_hist0_i(cfg_sample_hist0), .cfg_sample_words_i(cfg_sample_words), .cfg_visible_i(cfg_visible),
    .sat_potential_o(sat_potential)
`ifdef TERN_COSIM
    , .ev_n_valid_o(ev_n_valid_o), .ev_n_neuron_o(ev_n_neuron), .ev_n_sample_o(ev_n_sample), .ev_n_u_o(ev_n_u_o),
    .ev_n_p_o(ev_n_p_o), .ev_n_draw_o(ev_n_draw_o), .ev_n_spike_o(ev_n_spike_o), .ev_n_clamp_o(ev_n_clamp_o),
    .ev_n_limited_o(ev_n_limited_o)
`endif
  );
  tern_signal #(
    .SAMPLE_W(SAMPLE_W), .SIGNALS(SIGNALS)
  ) u_signal (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(signal_start), .learn_i(learn), .no_visible_i(no_visible),
    .busy_o(signal_busy), .loss_re_i(loss_re), .loss_raddr_i(loss_raddr), .loss_valid_i(loss_valid),
    .loss_first_i(loss_first), .loss_sample_i(loss_sample), .loss_f12_i(loss_f12), .v_re_o(v_re), .v_raddr_o(v_raddr),
    .v_rdata_i(v_rdata), .v_we_o(v_we), .v_waddr_o(v_waddr), .v_wdata_o(v_wdata), .m_we_o(m_we), .m_waddr_o(m_waddr),
    .m_wdata_o(m_wdata), .w_we_o(w_we), .w_wdata_o(w_wdata), .exp_raddr_o(exp_raddr), .exp_rdata_i(exp_rdata),
    .log_raddr_o(log_raddr), .log_rdata_i(log_rdata), .cfg_gamma_f16_i(cfg_gamma), .cfg_sample_last_i(cfg_sample_last),
    .cfg_rule_i(cfg_rule), .cfg_inverse_f16_i(cfg_inverse), .cfg_mean_f14_i(cfg_mean),
    .cfg_log_offset_f12_i(cfg_log_offset), .sat_logprob_o(sat_logprob)
`ifdef TERN_COSIM
    , .ev_v_valid_o(ev_v_valid_o), .ev_v_sample_o(ev_v_sample), .ev_v_before_o(ev_v_before_o),
    .ev_v_after_o(ev_v_after_o), .ev_m_valid_o(ev_m_valid_o), .ev_m_sample_o(ev_m_sample), .ev_m_value_o(ev_m_value_o),
    .ev_m_signal_o(ev_m_signal_o)
`endif
  );
  generate
    if (BASELINES > 0) begin : g_baseline
      // tern_learn's product is there a cycle later than tern_baseline wants it
      reg                kap_valid_q, kap_first_q, kap_end_q, kap_last_q;
      reg [SAMPLE_W-1:0] kap_sample_q;
      always @(posedge clk_i) begin
        kap_valid_q  <= kap_valid && !rst_i;
        kap_first_q  <= kap_first;
        kap_end_q    <= kap_end;
        kap_last_q   <= kap_last;
        kap_sample_q <= kap_sample;
      end
      tern_baseline #(
        .SAMPLE_W(SAMPLE_W), .BASE_AW(BASE_AW)
      ) u_baseline (
        .clk_i(clk_i), .rst_i(rst_i), .begin_i(pass_begin), .busy_o(baseline_busy), .valid_i(kap_valid_q),
        .first_i(kap_first_q), .end_i(kap_end_q), .last_i(kap_last_q), .sample_i(kap_sample_q), .product_i(kap_product),
        .re_o(base_signal_re), .sample_o(base_sample), .diff_i(base_diff), .addr_o(base_addr), .rdata_i(base_rdata),
        .we_o(base_we), .wdata_o(base_wdata), .cfg_shift_i(cfg_baseline_shift), .cfg_sample_last_i(cfg_sample_last),
        .cfg_common_i(cfg_rule == RULE_IW)
      );
    end else begin : g_no_baseline
      assign baseline_busy  = 1'b0;
      assign base_signal_re = 1'b0;
      assign base_sample    = {SAMPLE_W{1'b0}};
      assign base_addr      = {BASE_AW{1'b0}};
      assign base_we        = 1'b0;
      assign base_wdata     = 64'd0;
      wire unused_kap = &{1'b0, kap_valid, kap_first, kap_end, kap_last, kap_sample, kap_product, base_diff, base_rdata,
                          cfg_baseline_shift};
    end
  endgenerate

  generate
    if (CLASSES > 0) begin : g_vote
      tern_vote #(.CLASSES(CLASSES), .SAMPLES(SAMPLES), .SAMPLE_W(SAMPLE_W), .NEURON_W(NEURON_W)) u_vote (
        .clk_i(clk_i), .rst_i(rst_i), .begin_i(pass_begin && potential), .vote_i(vote_start), .example_i(example_start),
        .busy_o(vote_busy), .fired_valid_i(spike_we), .fired_neuron_i(fired_neuron), .fired_sample_i(fired_sample),
        .fired_spike_i(spike_wdata), .cfg_sample_last_i(cfg_sample_last), .cfg_class_first_i(cfg_class_first),
        .cfg_class_count_i(cfg_class_count), .cfg_class_spike_i(cfg_class_spike), .winner_o(winner),
        .host_we_i({decision_we, votes_we, count_we}), .host_re_i({3{host_re}}), .host_where_i(host_where),
        .host_wdata_i(host_data), .host_count_o(count_host), .host_votes_o(votes_host), .host_decision_o(decision_host)
      );
    end else begin : g_no_vote
      assign vote_busy     = 1'b0;
      assign winner        = 32'd0;
      assign count_host    = 32'd0;
      assign votes_host    = 32'd0;
      assign decision_host = 32'd0;
      wire unused_vote = &{1'b0, vote_start, example_start, cfg_class_first, cfg_class_count, cfg_class_spike,
                           fired_neuron, fired_sample, count_we, votes_we, decision_we};
    end
  endgenerate

`ifdef TERN_COSIM
  assign ev_w_addr_o   = {{(32-WORD_AW){1'b0}}, ev_w_addr};
  assign ev_l_neuron_o = {{(32-NEURON_W){1'b0}}, ev_l_neuron};
  assign ev_l_draw_o   = {{(32-DITHER_MAX){1'b0}}, ev_l_draw};
  assign ev_a_valid_o  = base_we;
  assign ev_a_neuron_o = {{(32-BASE_AW){1'b0}}, base_addr} + {{(31-NEURON_W){1'b0}}, cfg_signal_first};
  assign ev_a_before_o = base_rdata[31:0];
  assign ev_a_after_o  = base_wdata[31:0];
  assign ev_a_weight_o = base_wdata[63:32];
  assign ev_n_neuron_o = {{(32-NEURON_W){1'b0}}, ev_n_neuron};
  assign ev_n_sample_o = {{(8-SAMPLE_W){1'b0}}, ev_n_sample};
  assign ev_v_sample_o = {{(8-SAMPLE_W){1'b0}}, ev_v_sample};
  assign ev_m_sample_o = {{(8-SAMPLE_W){1'b0}}, ev_m_sample};
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_ev_draw
      assign ev_w_draw_o[32*n +: 32] = {{(32-DITHER_MAX){1'b0}}, ev_w_draw[n*DITHER_MAX +: DITHER_MAX]};
    end
  endgenerate
`endif
endmodule

`default_nettype wire
