// tern_small.v : the small core: the whole step with one program-driven sequencer instead of seven engines
// SPDX-License-Identifier: Apache-2.0
//
// Function  What tern_core does under rule GEM or (SIGNALS) every rule, over the same host port and with the same
//           parameters (docs/43-small-core.md): tern_micro computes everything that is done once for a neuron, sample
//           or step from one data memory; tern_kernel makes the learning kernels; tern_stream passes over the weights.
// C model   runtime/engine/tern_golden.c
`default_nettype none

module tern_small #(
  // As in tern_core, with ranges of its own: `g_check` below. Samples times lags of a network are at most 32; SAMPLES
  // and LAGS_W may have another product.
  parameter LANES      = 2,
  parameter WEIGHT_W   = 16,
  parameter SAMPLES    = 5,
  parameter NEURONS    = 6,
  parameter PAIRS      = 30,
  parameter ERRORS     = 90,
  parameter TAPS_D     = 10,
  parameter LAGS_W     = 3,
  parameter HIST_W     = 13,
  parameter FILTERS    = 4,
  parameter ROWS       = 25,
  parameter WORDS      = 6096,
  parameter HIST_WORDS = 353,
  parameter TARGETS    = 1,
  parameter TAP_W      = 9,
  parameter X_W        = 11,
  parameter KERNEL_W   = 22,
  parameter DELTA_W    = 28,
  parameter ACC_W      = 38,
  parameter DITHER_MIN = 20,
  parameter DITHER_MAX = 20,
  parameter INDEX_W    = 11,
  // 1: every rule, not GEM alone; neurons with a baseline.
  parameter SIGNALS    = 0,
  parameter BASELINES  = 0,
  // 0: nothing else is there.
  parameter WTA        = 0,
  parameter CLASSES    = 0,
  // 0, 1: one sample per cycle, no kernels of samples.
  parameter KERNELS    = 0,
  parameter WAYS       = 1,
  parameter WAY_WORDS  = 1,
  parameter PREP       = 1,
  parameter SKIP       = 0,
  // 1: weights in block RAM; 2: in two single-port banks (iCE40 UP); 3: so, and of exactly WEIGHT_W bits.
  parameter SMALL      = 3
) (
  input  wire        clk_i,
  input  wire        rst_i,
  // host port, as of tern_core; read data comes two cycles after the request, and before it no other request
  input  wire        host_valid_i,
  output wire        host_ready_o,
  input  wire        host_write_i,
  input  wire [31:0] host_addr_i,
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
  localparam LANE_W   = $clog2(LANES);
  localparam SAMPLE_W = (SAMPLES > 2) ? $clog2(SAMPLES) : 1;
  localparam LAG_W    = (LAGS_W > 0) ? $clog2(LAGS_W + 1) : 1;
  localparam FILTER_W = (FILTERS > 2) ? $clog2(FILTERS) : 1;
  localparam DEEP     = HIST_WORDS + PAIRS;           // own histories lie behind the groups'
  localparam HIST_AW  = $clog2(DEEP);
  localparam WORD_AW  = (WORDS > 4) ? $clog2(WORDS) : 2;
  localparam N_TAPS   = (TAPS_D + 1) / 2;
  localparam TAPS_SW  = $clog2(N_TAPS);
  localparam STRIDE_W = $clog2(LAGS_W + 2 * (HIST_W / 2));
  // log2 of the words of a row in the row buffer, whose half holds rows
  localparam SLOT_W   = (8 + 2 * (HIST_W / 2) <= 32) ? 5 : 6;
  localparam SLOTS_W  = 7 - SLOT_W;
  // weights limited in a step
  localparam SAT_W    = ($clog2(LANES * WORDS + 1) < 7) ? 7 : ($clog2(LANES * WORDS + 1) < 18) ?
      $clog2(LANES * WORDS + 1) : 18;
  localparam HIST_SW  = $clog2((LANES * HIST_W + 31) / 32);
  localparam SLICE_MASK = (1 << HIST_SW) - 1;
  localparam HIST_S   = (LANES * HIST_W + 31) / 32;
  // a word of the histories' memory also holds how far the next word that is to be read lies, in bits that block RAMs
  // of an iCE40 have anyway: they are of 16, 8, 4 or 2 bits
  localparam HIST_BLOCK = (DEEP <= 256) ? 16 : (DEEP <= 512) ? 8 : (DEEP <= 1024) ? 4 : 2;
  localparam HIST_SPARE = (HIST_BLOCK - (LANES * HIST_W) % HIST_BLOCK) % HIST_BLOCK;
  localparam GAP_W    = (HIST_SPARE > 3) ? 3 : HIST_SPARE;
  localparam GAP_PORT = (GAP_W > 0) ? GAP_W : 1;
  localparam HIST_MW  = LANES * HIST_W + GAP_W;

  // ---- data memory: where everything lies (compiler/micro/tern_microcode.c knows the words below 256 by number, the
  // rest through words 96..)
  localparam B_TABLE  = 256;
  localparam B_EXP    = B_TABLE + 512;
  localparam B_ROW    = B_EXP + 178;
  localparam B_NEURON = B_ROW + 4 * ROWS;
  localparam B_PLACE  = B_NEURON + NEURONS;
  localparam B_TAPS   = B_PLACE + NEURONS;
  localparam B_LOCAL  = B_TAPS + FILTERS * TAPS_D;
  localparam B_ERROR  = B_LOCAL + 2 * NEURONS;
  localparam B_TARGET = B_ERROR + ERRORS;
  localparam B_EK     = B_TARGET + TARGETS;
  localparam B_V      = B_EK + LAGS_W;
  localparam B_M      = B_V + SAMPLES;
  localparam B_W      = B_M + SAMPLES;                // learning signals
  localparam B_LOSS   = B_W + ((SIGNALS != 0) ? SAMPLES : 0);
  localparam DRAWS    = 4 * ((SAMPLES + 3) / 4);
  // for each sample a draw, and in the lower half the frame current word
  localparam B_DRAW   = B_LOSS + SAMPLES;
  localparam B_E      = B_DRAW + DRAWS;               // exponentials
  localparam B_MI     = B_E + SAMPLES;                // modulators of a neuron that learns from w
  localparam B_LOG    = B_MI + ((SIGNALS != 0) ? SAMPLES : 0);
  localparam B_KAP    = B_LOG + ((SIGNALS != 0) ? 128 : 0);  // two entries of LOG to a word
  localparam B_BASE   = B_KAP + ((BASELINES != 0) ? LAGS_W : 0);
  localparam B_G      = B_BASE + 2 * BASELINES;       // sums of N-20, two words for each sample
  localparam DATA     = B_G + ((BASELINES != 0) ? 2 * SAMPLES : 0);
  // a sum over the samples of coefficients of 16 bits; under GEM it is below 2^15
  localparam C_W      = (SIGNALS != 0) ? 16 + $clog2(SAMPLES) : 16;
  localparam DM_AW    = ($clog2(DATA) > 8) ? $clog2(DATA) : 8;

  // What is refused, in every tool: an instance of a module that does not exist, and whose name says why
  // (docs/43-small-core.md, Legal parameters).
  generate
    if (LANES != 1 && LANES != 2 && LANES != 4 && LANES != 8 && LANES != 16 && LANES != 32) begin : g_check_0
      tern_small_error_LANES_is_not_1_2_4_8_16_32 u_error (); end
    if (SMALL < 1 || SMALL > 3) begin : g_check_1 tern_small_error_SMALL_is_not_1_2_or_3 u_error (); end
    if (WEIGHT_W < 4 || WEIGHT_W > 16) begin : g_check_2 tern_small_error_WEIGHT_W_is_not_4_to_16 u_error (); end
    if (LANES * WEIGHT_W > 32) begin : g_check_3 tern_small_error_LANES_times_WEIGHT_W_is_above_32 u_error (); end
    if (SAMPLES < 1 || SAMPLES > 32) begin : g_check_4 tern_small_error_SAMPLES_is_not_1_to_32 u_error (); end
    if (NEURONS < 2 || NEURONS > 65535) begin : g_check_5 tern_small_error_NEURONS_is_not_2_to_65535 u_error (); end
    if (PAIRS < 1) begin : g_check_6 tern_small_error_PAIRS_is_0 u_error (); end
    if (ERRORS < 1) begin : g_check_7 tern_small_error_ERRORS_is_0 u_error (); end
    if (TAPS_D < 1 || TAPS_D > 32) begin : g_check_8 tern_small_error_TAPS_D_is_not_1_to_32 u_error (); end
    if (LAGS_W < 1 || LAGS_W > 32) begin : g_check_9 tern_small_error_LAGS_W_is_not_1_to_32 u_error (); end
    if (HIST_W < 2 || HIST_W > 32) begin : g_check_10 tern_small_error_HIST_W_is_not_2_to_32 u_error (); end
    if (HIST_W <= TAPS_D || HIST_W <= LAGS_W) begin : g_check_11
      tern_small_error_HIST_W_is_not_above_TAPS_D_and_LAGS_W u_error (); end
    if (FILTERS < 1 || FILTERS > 16) begin : g_check_12 tern_small_error_FILTERS_is_not_1_to_16 u_error (); end
    if (ROWS < 1) begin : g_check_13 tern_small_error_ROWS_is_0 u_error (); end
    if (WORDS < 1 || WORDS > 16777216) begin : g_check_14
      tern_small_error_WORDS_is_0_or_beyond_24_address_bits u_error (); end
    if (HIST_WORDS < 1) begin : g_check_15 tern_small_error_HIST_WORDS_is_0 u_error (); end
    if (TARGETS < 1 || TARGETS > HIST_WORDS) begin : g_check_16
      tern_small_error_TARGETS_is_not_1_to_HIST_WORDS u_error (); end
    if (TAP_W != 9) begin : g_check_17 tern_small_error_TAP_W_is_not_9 u_error (); end
    if (X_W < 10 || X_W > 24) begin : g_check_18 tern_small_error_X_W_is_not_10_to_24 u_error (); end
    if (KERNEL_W < 22 || KERNEL_W > 30) begin : g_check_19 tern_small_error_KERNEL_W_is_not_22_to_30 u_error (); end
    if (DELTA_W < 17 + X_W || DELTA_W > 31) begin : g_check_20
      tern_small_error_DELTA_W_is_not_17_and_X_W_to_31 u_error (); end
    if (DELTA_W <= KERNEL_W || DELTA_W <= DITHER_MAX) begin : g_check_21
      tern_small_error_DELTA_W_is_not_above_KERNEL_W_and_DITHER_MAX u_error (); end
    if (ACC_W < 33 || ACC_W < 18 + X_W || ACC_W > 64) begin : g_check_22
      tern_small_error_ACC_W_is_not_33_and_18_and_X_W_to_64 u_error (); end
    if (DITHER_MIN < 1 || DITHER_MIN > DITHER_MAX || DITHER_MAX > 31) begin : g_check_23
      tern_small_error_DITHER_MIN_and_DITHER_MAX_are_not_in_order_within_1_to_31 u_error (); end
    if (INDEX_W < 1 || INDEX_W > 32) begin : g_check_24 tern_small_error_INDEX_W_is_not_1_to_32 u_error (); end
    if (SIGNALS < 0 || SIGNALS > 1) begin : g_check_30 tern_small_error_SIGNALS_is_not_0_or_1 u_error (); end
    if (BASELINES < 0 || BASELINES > NEURONS || (BASELINES > 0 && SIGNALS == 0)) begin : g_check_32
      tern_small_error_BASELINES_is_not_0_to_NEURONS_or_0_without_SIGNALS u_error (); end
    if (WTA != 0 || CLASSES != 0) begin : g_check_25
      tern_small_error_has_no_circuits_and_votes u_error (); end
    if (SKIP != 0) begin : g_check_31 tern_small_error_SKIP_is_not_0 u_error (); end
    if (KERNELS != 0) begin : g_check_34 tern_small_error_KERNELS_is_not_0 u_error (); end
    if (WAYS != 1 || WAY_WORDS != 1 || PREP != 1) begin : g_check_29
      tern_small_error_WAYS_and_WAY_WORDS_and_PREP_are_not_1 u_error (); end
    if (DATA > 8192) begin : g_check_26 tern_small_error_data_memory_is_above_8192_words u_error (); end
    if (DEEP > (1 << DM_AW)) begin : g_check_27
      tern_small_error_HIST_WORDS_and_PAIRS_are_above_the_data_memory u_error (); end
    if ((FILTERS << (STRIDE_W + 1)) > 256) begin : g_check_28
      tern_small_error_sums_of_taps_are_above_256_words u_error (); end
  endgenerate

  // what the first words hold after configuration: registers that never change, what the program needs to know of this
  // core, numbers
  function [8191:0] known(input unused);
    begin
      known = {8191'd0, unused && 1'b0};
      known[32*0 +: 32] = 32'h5445524e; known[32*1 +: 32] = 3; known[32*11 +: 32] = SIGNALS;
      known[32*12 +: 32] = BASELINES; known[32*15 +: 32] = SMALL; known[32*16 +: 32] = LANES;
      known[32*17 +: 32] = WEIGHT_W; known[32*18 +: 32] = SAMPLES;
      known[32*19 +: 32] = NEURONS; known[32*20 +: 32] = PAIRS; known[32*21 +: 32] = ERRORS;
      known[32*22 +: 32] = TAPS_D; known[32*23 +: 32] = LAGS_W;
      known[32*24 +: 32] = FILTERS; known[32*25 +: 32] = ROWS; known[32*26 +: 32] = WORDS;
      known[32*27 +: 32] = HIST_WORDS; known[32*28 +: 32] = TARGETS;
      known[32*29 +: 32] = (KERNEL_W << 24) | (DELTA_W << 16) | (ACC_W << 8) | X_W;
      known[32*30 +: 32] = (INDEX_W << 16) | (DITHER_MIN << 8) | DITHER_MAX;
      known[32*31 +: 32] = HIST_W;
      known[32*96 +: 32] = B_TABLE; known[32*97 +: 32] = B_EXP; known[32*98 +: 32] = B_ROW;
      known[32*99 +: 32] = B_NEURON; known[32*100 +: 32] = B_PLACE;
      known[32*101 +: 32] = B_TAPS; known[32*102 +: 32] = B_LOCAL; known[32*103 +: 32] = B_ERROR;
      known[32*104 +: 32] = B_TARGET; known[32*105 +: 32] = B_EK;
      known[32*106 +: 32] = B_V; known[32*107 +: 32] = B_M; known[32*108 +: 32] = B_LOSS;
      known[32*109 +: 32] = 1 << TAPS_SW;
      known[32*111 +: 32] = B_DRAW; known[32*113 +: 32] = B_E; known[32*114 +: 32] = HIST_WORDS;
      known[32*115 +: 32] = N_TAPS;
      known[32*116 +: 32] = 2 << STRIDE_W; known[32*117 +: 32] = LAGS_W; known[32*118 +: 32] = TAPS_D;
      known[32*119 +: 32] = FILTERS; known[32*120 +: 32] = FILTERS << (STRIDE_W + 1);
      known[32*121 +: 32] = DEEP; known[32*122 +: 32] = ERRORS; known[32*254 +: 32] = 4 << SAMPLE_W;
      known[32*255 +: 32] = 2 << SAMPLE_W; known[32*124 +: 32] = 1 << (TAP_W + 2);
      known[32*125 +: 32] = 65536; known[32*126 +: 32] = 32'h1BD11BDA;
      if (SIGNALS != 0) begin
        known[32*110 +: 32] = B_LOG; known[32*112 +: 32] = B_W; known[32*123 +: 32] = B_MI; known[32*127 +: 32] = B_KAP;
        known[32*239 +: 32] = B_BASE; known[32*240 +: 32] = B_G; known[32*241 +: 32] = 45426;
        known[32*250 +: 32] = 15 * 45426 + 8; known[32*251 +: 32] = 1024;
      end
      known[32*231 +: 32] = ((SIGNALS != 0) ? 3 : 2) * SAMPLES; known[32*232 +: 32] = 1; known[32*234 +: 32] = 3;
      known[32*235 +: 32] = 32768; known[32*236 +: 32] = 5; known[32*237 +: 32] = 10;
      known[32*238 +: 32] = 16; known[32*242 +: 32] = 16384;
      known[32*243 +: 32] = 32767; known[32*244 +: 32] = -32767; known[32*245 +: 32] = 268435456;
      known[32*246 +: 32] = -268435456;
      known[32*247 +: 32] = 32'h80000000; known[32*248 +: 32] = 1477; known[32*249 +: 32] = -2839;
      known[32*252 +: 32] = 2839; known[32*253 +: 32] = 48263;
    end
  endfunction

  // ---- host port ---------------------------------------------------------------------------------------------------
  localparam [7:0] RG_REG = 8'd0, RG_WEIGHT = 8'd1, RG_HIST = 8'd2, RG_FRAME = 8'd3, RG_FRAME_LAST = 8'd4,
      RG_TARGET = 8'd5, RG_ROW = 8'd6, RG_NEURON = 8'd7,
                   RG_PLACE = 8'd8, RG_TAPS = 8'd9, RG_LOCAL = 8'd10, RG_ERROR = 8'd11, RG_SELF = 8'd12,
                       RG_SPIKE = 8'd13, RG_EK = 8'd14, RG_TABLE = 8'd15,
                   RG_EXP = 8'd16, RG_V = 8'd17, RG_M = 8'd18, RG_LOSS = 8'd19,
                   RG_SIGNAL = 8'd20, RG_BASELINE = 8'd21, RG_KAP = 8'd22, RG_LOG = 8'd23;
  wire        busy;
  wire [7:0]  region = host_addr_i[31:24];
  wire [23:0] where  = host_addr_i[23:0];
  wire        is_reg = (region == RG_REG);
  wire        status = is_reg && !host_write_i && where[6:0] == 7'd3; // read at any time
  assign host_ready_o = !busy || status;
  assign busy_o       = busy;
  wire        request = host_valid_i && host_ready_o;
  wire        hwrite  = host_valid_i && host_write_i && !busy;
  wire        go      = hwrite && is_reg && where[6:0] == 7'd2 && (host_wdata_i[0] || host_wdata_i[4]);

  reg  [DM_AW-1:0] base;
  reg              in_data;
  always @* begin
    in_data = 1'b1;
    case (region)
      RG_TABLE:  base = B_TABLE[DM_AW-1:0];
      RG_EXP:    base = B_EXP[DM_AW-1:0];
      RG_ROW:    base = B_ROW[DM_AW-1:0];
      RG_NEURON: base = B_NEURON[DM_AW-1:0];
      RG_PLACE:  base = B_PLACE[DM_AW-1:0];
      RG_TAPS:   base = B_TAPS[DM_AW-1:0];
      RG_LOCAL:  base = B_LOCAL[DM_AW-1:0];
      RG_ERROR:  base = B_ERROR[DM_AW-1:0];
      RG_TARGET: base = B_TARGET[DM_AW-1:0];
      RG_EK:     base = B_EK[DM_AW-1:0];
      RG_V:      base = B_V[DM_AW-1:0];
      RG_M:      base = B_M[DM_AW-1:0];
      RG_LOSS:   base = B_LOSS[DM_AW-1:0];
      default: begin
        base    = {DM_AW{1'b0}};
        in_data = is_reg;
      end
    endcase
    if (SIGNALS != 0 && region == RG_SIGNAL) {in_data, base} = {1'b1, B_W[DM_AW-1:0]};
    if (SIGNALS != 0 && region == RG_LOG) {in_data, base} = {1'b1, B_LOG[DM_AW-1:0]};
    if (BASELINES != 0 && region == RG_BASELINE) {in_data, base} = {1'b1, B_BASE[DM_AW-1:0]};
    if (BASELINES != 0 && region == RG_KAP) {in_data, base} = {1'b1, B_KAP[DM_AW-1:0]};
  end
  wire             is_exp  = (region == RG_EXP) || (SIGNALS != 0 && region == RG_LOG); // two values in a word
  wire [DM_AW-1:0] h_data  = base + (is_exp ? where[DM_AW:1] : where[DM_AW-1:0]);
  wire [DM_AW-1:0] h_at    = is_reg ? {{(DM_AW-7){1'b0}}, where[6:0]} : h_data;
  // registers that the host cannot write
  wire             fixed   = is_reg && ((where[6:5] == 2'd0 && where[6:0] != 7'd2) || where[6:5] == 2'd3);
  wire [1:0]       h_we    = {2{host_valid_i && host_write_i && in_data && !fixed}} &
      (is_exp ? {where[0], !where[0]} : 2'b11);
  wire             own     = (region == RG_SELF) || (region == RG_SPIKE);
  wire [23:0]      h_hist_word = (where >> ((region == RG_HIST) ? HIST_SW : 0)) + (own ? HIST_WORDS[23:0] : 24'd0);
  wire [HIST_AW-1:0] h_hist = h_hist_word[HIST_AW-1:0];
  wire unused_where = &{1'b0, where, h_hist_word};

  // ---- sequencer -------------------------------------------------------------------------------------------------
  wire             m_busy, m_re, m_result_re, m_we, ctl;
  wire [DM_AW-1:0] m_raddr, m_waddr;
  wire [2:0]       m_space;
  wire [31:0]      m_wdata, m_a, data_rdata, result_rdata;
  wire [14:0]      code;
  wire [7:0]       waits;
  reg  [SAT_W-1:0] sat_q;
  wire [18:0]      sat_wide = {{(19-SAT_W){1'b0}}, sat_q};
  wire unused_sat = sat_wide[18];
  tern_micro #(.PC_W((SIGNALS != 0) ? 11 : 10), .DM_AW(DM_AW)) u_micro (
    .clk_i(clk_i), .rst_i(rst_i), .go_i(go), .busy_o(m_busy), .re_o(m_re), .result_re_o(m_result_re), .raddr_o(m_raddr),
    .data_rdata_i(data_rdata), .result_rdata_i(result_rdata),
    .we_o(m_we), .space_o(m_space), .waddr_o(m_waddr), .wdata_o(m_wdata), .host_wdata_i(host_wdata_i),
    .sat_count_i(sat_wide[17:0]), .ctl_o(ctl), .ctl_code_o(code), .a_o(m_a), .wait_i(waits)
  );
  assign busy = m_busy;
  wire unused_code = &{1'b0, code};
  wire ctl_push  = ctl && code[1];
  wire ctl_taken = ctl && code[2];
  wire ctl_kernel = ctl && code[3];
  wire ctl_flip  = ctl && code[4];
  wire ctl_clean = ctl && code[5];
  wire ctl_begin = ctl && code[6];
  wire ctl_flags = ctl && code[7];
  wire ctl_rows  = ctl && code[11];
  // only ST writes to other memories than the data memory: what it writes is A
  wire m_data   = m_we && m_space == 3'd0;
  wire m_rows   = m_we && m_space == 3'd1;
  wire m_frame  = m_we && m_space == 3'd2;
  wire m_hist   = m_we && m_space == 3'd3;
  wire m_taps   = m_we && m_space == 3'd4;
  wire m_sumc   = m_we && m_space == 3'd5;
  wire m_high   = m_we && m_space == 3'd6;
  wire m_low    = m_we && m_space == 3'd7;

  // of the host's regions only the registers lie in the first 256 words
  wire          m_wlow = (m_waddr >> 8) == {DM_AW{1'b0}};
  wire          m_rlow = (m_raddr >> 8) == {DM_AW{1'b0}};
  tern_data #(.DEPTH(DATA), .ADDR_W(DM_AW), .INIT(known(1'b0))) u_data (
    .clk_i(clk_i), .we_i(busy ? {m_data || m_high, m_data || m_low} : h_we), .wlow_i(busy ? m_wlow : is_reg),
    .waddr_i(busy ? m_waddr : h_at), .wdata_i(m_wdata),
    .re_i(busy ? m_re : host_valid_i && !host_write_i), .rlow_i(busy ? m_rlow : is_reg),
    .raddr_i(busy ? m_raddr : h_at), .rdata_o(data_rdata)
  );

  // ---- state in hardware --------------------------------------------------------------------------------------------
  reg                plane_q, dirty_q, update_q, potential_q;
  reg  [SAMPLE_W-1:0] sample_last_q;
  reg  [LAG_W-1:0]   lag_last_q;
  reg  [HIST_AW-1:0] sample_words_q;
  reg  [WEIGHT_W-1:0] top_q;
  reg  [4:0]         dither_bits_q;
  reg  [SLOTS_W-1:0] wslot_q, rslot_q;
  reg  [SLOTS_W:0]   full_q;       // rows in the buffer
  reg  [1:0]         closed_q;     // neurons with results
  wire               take, closed;
  wire [5:0]         sat_count;
  wire               kernel_busy;
  reg                pending_q;    // a row is written, its kernel perhaps not yet
  // what the program asks often: rows of the neuron that is prepared are left; the one that fires is visible, clamped
  reg                rows_q, visible_q, clamped_q;
`ifdef TERN_TESTBUG_SMALL_PUSH_EARLY
  wire               push = pending_q;
`else
  wire               push = pending_q && !kernel_busy;
`endif
  always @(posedge clk_i) begin
    if (ctl_flip) plane_q <= !plane_q;
    if (ctl_clean) dirty_q <= 1'b0;
    if (hwrite && (region == RG_TAPS || (is_reg && where[6:5] == 2'd1))) dirty_q <= 1'b1;
    if (ctl_begin) {potential_q, update_q} <= m_a[1:0];
    if (ctl_flags) {visible_q, clamped_q} <= code[13:12];
    if (ctl_rows) rows_q <= 1'b1;
    if (ctl_kernel && m_a[3]) rows_q <= 1'b0; // the last one is handed over
    if (hwrite && is_reg) begin
      case (where[6:0])
        7'd34: sample_last_q  <= host_wdata_i[SAMPLE_W-1:0];
        7'd36: lag_last_q     <= host_wdata_i[LAG_W-1:0];
        7'd38: sample_words_q <= host_wdata_i[HIST_AW-1:0];
        7'd40: dither_bits_q  <= host_wdata_i[4:0];
        7'd44: top_q          <= host_wdata_i[WEIGHT_W-1:0];
        7'd67: plane_q        <= host_wdata_i[0];
        default: ;
      endcase
    end
    if (ctl_begin) sat_q <= {SAT_W{1'b0}};
    else sat_q <= sat_q + {{(SAT_W-6){1'b0}}, sat_count};
    pending_q <= ctl_push || (pending_q && !push);
    if (push) wslot_q <= wslot_q + 1'b1;
    if (take) rslot_q <= rslot_q + 1'b1;
    full_q   <= full_q + {{SLOTS_W{1'b0}}, push} - {{SLOTS_W{1'b0}}, take};
    closed_q <= closed_q + {1'b0, closed} - {1'b0, ctl_taken};
    if (ctl_begin || rst_i) begin
      wslot_q  <= {SLOTS_W{1'b0}};
      rslot_q  <= {SLOTS_W{1'b0}};
      full_q   <= {(SLOTS_W+1){1'b0}};
      closed_q <= 2'd0;
      pending_q <= 1'b0;
      rows_q   <= 1'b0;
      {visible_q, clamped_q} <= 2'd0; // a flush does not set them
    end
    if (rst_i) begin
      plane_q <= 1'b0;
      dirty_q <= 1'b1;
    end
  end

  // ---- row buffer, kernel -------------------------------------------------------------------------------------------
  // a row of inputs has a kernel while an update is pending; the pass gets the row when it is written
  wire        kernel_we;
  wire        kernel_start = ctl_kernel && update_q && m_a[1:0] == 2'd0;
  wire unused_a = &{1'b0, m_a};
  wire [5:0]  kernel_at;
  wire [31:0] kernel_wdata, rb_rdata;
  wire        rb_re;
  wire [7:0]  rb_raddr;
  tern_kernel #(.LAGS_W(LAGS_W), .HIST_W(HIST_W), .TAP_W(TAP_W), .KERNEL_W(KERNEL_W), .C_W(C_W), .STRIDE_W(STRIDE_W),
      .FILTER_W(FILTER_W)) u_kernel (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(kernel_start), .filter_i(m_a[8 +: FILTER_W]), .busy_o(kernel_busy),
    .taps_we_i(m_taps), .sumc_we_i(m_sumc), .waddr_i(m_waddr[FILTER_W+STRIDE_W:0]), .wdata_i(m_a[C_W-1:0]),
    .we_o(kernel_we), .waddr_o(kernel_at), .wdata_o(kernel_wdata)
  );
  wire [7:0] rb_waddr = kernel_we ? {1'b0, wslot_q, kernel_at[SLOT_W-1:0]} : m_waddr[7] ? m_waddr[7:0] :
      {1'b0, wslot_q, m_waddr[SLOT_W-1:0]};
  wire unused_at = &{1'b0, kernel_at, kernel_wdata};
  // above a kernel's bits nobody looks
  wire [31:0] rb_wdata = {m_a[31:KERNEL_W+1], kernel_we ? kernel_wdata[KERNEL_W:0] : m_a[KERNEL_W:0]};
  tern_ram #(.WIDTH(32), .DEPTH(256), .ADDR_W(8)) u_rows (
    .clk_i(clk_i), .we_i(m_rows || kernel_we), .waddr_i(rb_waddr), .wdata_i(rb_wdata), .re_i(rb_re), .raddr_i(rb_raddr),
    .rdata_o(rb_rdata)
  );

  // ---- pass over the weights ----------------------------------------------------------------------------------------
  wire                      pass_idle, hist_re, hist_we, weight_re, weight_we, result_we;
  wire [HIST_AW-1:0]        hist_raddr, hist_waddr;
  wire [LANES*HIST_W-1:0]   hist_wdata, hist_rdata;
  wire [GAP_PORT-1:0]       gap_wdata, gap_rdata;
  wire [HIST_MW-1:0]        hist_word, hist_new;
  wire [LANES-1:0]          frame_rdata;
  wire [WORD_AW-1:0]        weight_raddr, weight_waddr;
  wire [LANES*WEIGHT_W-1:0] weight_wdata, weight_rdata, weight_late;
  wire [SAMPLE_W+2:0]       result_waddr;
  wire [31:0]               result_wdata;
`ifdef TERN_COSIM
  wire [WORD_AW-1:0]          ev_w_addr;
  wire [LANES*DITHER_MAX-1:0] ev_w_draw;
`endif
  tern_stream #(.SETS(SIGNALS), .FIXED((SMALL == 3) ? 1 : 0), .SLOT_W(SLOT_W), .LANES(LANES), .LANE_W(LANE_W),
      .WEIGHT_W(WEIGHT_W), .SAMPLE_W(SAMPLE_W), .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .TAP_W(TAP_W),
      .X_W(X_W),
                .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX),
                .INDEX_W(INDEX_W), .HIST_AW(HIST_AW), .GAP_W(GAP_W), .FILTER_W(FILTER_W),
                .WORD_AW(WORD_AW)) u_stream (
    .clk_i(clk_i), .rst_i(rst_i), .update_i(update_q), .potential_i(potential_q), .begin_i(ctl_begin),
    .valid_i(|full_q), .take_o(take), .closed_o(closed),
    .idle_o(pass_idle), .sat_count_o(sat_count), .weight_o(weight_late), .rb_re_o(rb_re), .rb_raddr_o(rb_raddr),
    .slot_i(rslot_q), .rb_rdata_i(rb_rdata),
    .hist_re_o(hist_re), .hist_raddr_o(hist_raddr), .hist_rdata_i(hist_rdata), .gap_rdata_i(gap_rdata),
    .frame_rdata_i(frame_rdata), .hist_we_o(hist_we), .hist_waddr_o(hist_waddr), .hist_wdata_o(hist_wdata),
    .gap_wdata_o(gap_wdata),
    .weight_re_o(weight_re), .weight_raddr_o(weight_raddr), .weight_rdata_i(weight_rdata), .weight_we_o(weight_we),
    .weight_waddr_o(weight_waddr), .weight_wdata_o(weight_wdata),
    .result_we_o(result_we), .result_waddr_o(result_waddr), .result_wdata_o(result_wdata),
    .cfg_sample_last_i(sample_last_q), .cfg_lag_last_i(lag_last_q), .cfg_sample_words_i(sample_words_q),
    .cfg_top_i(top_q), .cfg_dither_bits_i(dither_bits_q)
`ifdef TERN_COSIM
    , .ev_w_valid_o(ev_w_valid_o), .ev_w_addr_o(ev_w_addr), .ev_w_old_o(ev_w_old_o), .ev_w_new_o(ev_w_new_o),
        .ev_w_changed_o(ev_w_changed_o), .ev_w_sat_o(ev_w_sat_o), .ev_w_draw_o(ev_w_draw)
`endif
  );
  assign waits = {visible_q, clamped_q, rows_q, kernel_busy, dirty_q, !pass_idle || pending_q, closed_q == 2'd0,
      full_q[SLOTS_W] || pending_q};

  tern_ram #(.WIDTH(32), .DEPTH(1 << (SAMPLE_W + 3)), .ADDR_W(SAMPLE_W + 3)) u_result (
    .clk_i(clk_i), .we_i(result_we), .waddr_i(result_waddr), .wdata_i(result_wdata), .re_i(m_result_re),
    .raddr_i(m_raddr[SAMPLE_W+2:0]), .rdata_o(result_rdata)
  );
  tern_weights #(.WIDTH(LANES*WEIGHT_W), .DEPTH(WORDS), .ADDR_W(WORD_AW), .BANKED((SMALL >= 2) ? 1 : 0)) u_weights (
    .clk_i(clk_i), .we_i(busy ? weight_we : hwrite && region == RG_WEIGHT),
    .waddr_i(busy ? weight_waddr : where[WORD_AW-1:0]),
    .wdata_i(busy ? weight_wdata : host_wdata_i[LANES*WEIGHT_W-1:0]),
    .re_i(busy ? weight_re : host_valid_i && !host_write_i), .raddr_i(busy ? weight_raddr : where[WORD_AW-1:0]),
    .rdata_o(weight_rdata)
  );
  // histories: the host writes slices of 32 bits; an own history is one slice, the lanes beside it stay zero
  wire [HIST_S-1:0]       h_slice;
  wire [32*HIST_S-1:0]    h_wide, hist_wide;
  genvar s;
  generate
    for (s = 0; s < HIST_S; s = s + 1) begin : g_slice
      if (HIST_S == 1) begin : g_one
        assign h_slice[s] = 1'b1;
      end else begin : g_many
        assign h_slice[s] = (where[HIST_SW-1:0] == s) || (region == RG_SELF);
      end
      assign h_wide[32*s +: 32] = (s != 0 && region == RG_SELF) ? 32'd0 : host_wdata_i;
    end
  endgenerate
  wire unused_wide = &{1'b0, h_wide};
  assign hist_wide = {{(32*HIST_S-LANES*HIST_W+1){1'b0}}, hist_rdata[LANES*HIST_W-1:1]} << 1 |
      {{(32*HIST_S-1){1'b0}}, hist_rdata[0]};
  wire [HIST_S-1:0]       hist_write = busy ? {HIST_S{hist_we || m_hist}} :
      {HIST_S{hwrite && (region == RG_HIST || region == RG_SELF)}} & h_slice;
  assign hist_rdata = hist_word[LANES*HIST_W-1:0];
  generate
    if (GAP_W == 0) begin : g_no_gap
      assign gap_rdata = 1'b0;
      assign hist_new  = hist_wdata;
      wire unused_gap = &{1'b0, gap_wdata};
    end else begin : g_gap
      assign gap_rdata = hist_word[HIST_MW-1:LANES*HIST_W];
      assign hist_new  = {gap_wdata, hist_wdata};
    end
  endgenerate
  tern_ram #(.WIDTH(HIST_MW), .DEPTH(DEEP), .ADDR_W(HIST_AW)) u_hist (
    .clk_i(clk_i), .we_i(hist_write), .waddr_i(!busy ? h_hist : m_hist ? m_waddr[HIST_AW-1:0] : hist_waddr),
    .wdata_i(!busy ? {{(HIST_MW-LANES*HIST_W+1){1'b0}}, h_wide[LANES*HIST_W-1:1]} << 1 |
    {{(HIST_MW-1){1'b0}}, h_wide[0]} : m_hist ? {HIST_MW{1'b0}} : hist_new),
    .re_i(busy ? hist_re : host_valid_i && !host_write_i),
    .raddr_i(busy ? hist_raddr : h_hist), .rdata_o(hist_word)
  );
  // frames of two steps
  wire                    h_frame = (region == RG_FRAME) || (region == RG_FRAME_LAST) || (region == RG_SPIKE);
  wire                    h_plane = plane_q ^ (region != RG_FRAME);
  tern_ram #(.WIDTH(LANES), .DEPTH(2 << HIST_AW), .ADDR_W(HIST_AW + 1)) u_frame (
    .clk_i(clk_i), .we_i(busy ? m_frame : hwrite && h_frame),
    .waddr_i(busy ? {plane_q, m_waddr[HIST_AW-1:0]} : {h_plane, h_hist}),
    .wdata_i(busy ? m_a[LANES-1:0] : host_wdata_i[LANES-1:0]), .re_i(busy ? hist_re : host_valid_i && !host_write_i),
    .raddr_i(busy ? {!plane_q, hist_raddr} : {h_plane, h_hist}), .rdata_o(frame_rdata)
  );

  // ---- answers of the host port -------------------------------------------------------------------------------------
  // (memories hold what they have read: no other request comes meanwhile, tern_link waits for the answer)
  reg        rvalid_q, rvalid2_q;
  reg  [2:0] from_q;               // 0 data, 1 weights, 2 histories, 3 frames, 4 status, 7 nothing
  reg  [5:0] slice_q;
  reg        busy_at_q;
  always @(posedge clk_i) begin
    rvalid_q  <= request && !host_write_i && !rst_i;
    rvalid2_q <= rvalid_q && !rst_i;
    if (request) begin
      from_q   <= (is_reg && where[6:0] == 7'd3) ? 3'd4 : in_data ? 3'd0 : (region == RG_WEIGHT) ? 3'd1
                  : (region == RG_HIST || region == RG_SELF) ? 3'd2 : h_frame ? 3'd3 : 3'd7;
      slice_q  <= (HIST_S > 1 && region == RG_HIST) ? where[5:0] & SLICE_MASK[5:0] : 6'd0;
    end
    busy_at_q <= busy;
  end
  reg  [31:0] rdata;
  always @* begin
    case (from_q)
      3'd0:    rdata = data_rdata;
      3'd1:    rdata = {{(32-LANES*WEIGHT_W+1){1'b0}}, weight_late[LANES*WEIGHT_W-1:1]} << 1 | {31'd0, weight_late[0]};
      3'd2:    rdata = hist_wide[32*slice_q +: 32];
      3'd3:    rdata = {{(32-LANES){1'b0}}, frame_rdata};
      3'd4:    rdata = {30'd0, plane_q, busy_at_q};
      default: rdata = 32'd0;
    endcase
  end
  assign host_rvalid_o = rvalid2_q;
  assign host_rdata_o  = rdata;

`ifdef TERN_COSIM
  // what the program tells of with CTL, and with the spike of a sample, which goes into the neuron's own frame
  // (compiler/micro/tern_microcode.c): words 128..134 of the data memory. A netlist has no memory that can be looked
  // into, so what is written there is kept once more.
  localparam TOLD = 128, TOLD_N = 7;
  wire        tells = ctl && code[10:8] != 3'd0;
  wire [32*TOLD_N-1:0] told;
  genvar w;
  generate
    for (w = 0; w < TOLD_N; w = w + 1) begin : g_told
      reg [31:0] word_q;
      initial word_q = 32'd0; // as the memory after configuration
      always @(posedge clk_i) begin
        if (busy && (m_data || m_low) && m_waddr == TOLD + w) word_q[15:0] <= m_wdata[15:0];
        if (busy && m_data && m_waddr == TOLD + w) word_q[31:16] <= m_wdata[31:16];
      end
      assign told[32*w +: 32] = word_q;
    end
  endgenerate
  wire [31:0] ev_n, ev_k, ev_u, ev_p, ev_old, ev_new, ev_dither;
  assign {ev_dither, ev_new, ev_old, ev_p, ev_u, ev_k, ev_n} = told;
  wire [31:0] told_at = {{(32-DM_AW){1'b0}}, m_waddr};
  reg  [16*DRAWS-1:0] draws_q;
  initial draws_q = {16*DRAWS{1'b0}};
  always @(posedge clk_i) if (busy && m_high && told_at >= B_DRAW)
    draws_q[16*(told_at - B_DRAW) +: 16] <= m_wdata[31:16];
  assign ev_w_addr_o   = {{(32-WORD_AW){1'b0}}, ev_w_addr};
  // a neuron's spike tells of its sample
  reg  [7:0]  sample_q;
  reg         limited_q, changed_q;
  wire        spike = busy && m_frame && told_at >= HIST_WORDS && closed_q != 2'd0; // not while all is cleared
  always @(posedge clk_i) begin
    if (ctl_begin || ctl_taken) sample_q <= 8'd0;
    else if (spike) sample_q <= sample_q + 8'd1;
    if (busy && m_data && m_waddr == 82) limited_q <= 1'b1; // SAT_POTENTIAL
    else if (spike || ctl_begin) limited_q <= 1'b0;
    if (busy && m_data && m_waddr == 81) changed_q <= 1'b1; // SAT_LOCAL
    else if (tells || ctl_begin) changed_q <= 1'b0;
  end
  assign ev_n_valid_o  = spike;
  assign ev_l_valid_o  = tells && (code[10:8] == 3'd2 || code[10:8] == 3'd3);
  assign ev_l_self_o   = code[10:8] == 3'd3;
  assign ev_v_valid_o  = tells && code[10:8] == 3'd4;
  assign ev_m_valid_o  = tells && code[10:8] == 3'd5;
  assign ev_l_neuron_o = ev_n;
  assign ev_l_old_o    = ev_old[15:0];
  assign ev_l_new_o    = ev_new[15:0];
  assign ev_l_sat_o    = changed_q;
  assign ev_l_draw_o   = ev_dither;
  assign ev_n_neuron_o = ev_n;
  assign ev_n_sample_o = sample_q;
  assign ev_n_u_o      = ev_u[11:0];
  assign ev_n_p_o      = ev_p[16:0];
  assign ev_n_draw_o   = clamped_q ? 16'd0 : draws_q[16*sample_q +: 16];
  assign ev_n_limited_o = limited_q;
  assign ev_n_spike_o  = m_wdata[0];
  assign ev_n_clamp_o  = clamped_q;
  assign ev_v_sample_o = ev_k[7:0];
  assign ev_v_before_o = ev_old;
  assign ev_v_after_o  = ev_new;
  assign ev_m_sample_o = ev_k[7:0];
  assign ev_m_value_o  = ev_new[15:0];
  assign ev_m_signal_o = (SIGNALS != 0) ? ev_u : 32'd0;
  wire unused_told = &{1'b0, ev_k, ev_u, ev_p, ev_old, ev_new};
  assign ev_a_valid_o  = tells && code[10:8] == 3'd6;
  assign ev_a_neuron_o = m_a;
  assign ev_a_before_o = ev_old;
  assign ev_a_after_o  = ev_new;
  assign ev_a_weight_o = ev_p;
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_ev_draw
      assign ev_w_draw_o[32*n +: 32] = {{(32-DITHER_MAX){1'b0}}, ev_w_draw[n*DITHER_MAX +: DITHER_MAX]};
    end
  endgenerate
`endif
endmodule

`default_nettype wire
