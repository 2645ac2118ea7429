// tern_memories.v : the memories of tern_core that several engines or the host share, and the host's way to them
// SPDX-License-Identifier: Apache-2.0
//
// Function  One memory for each region of the host port (docs/33-host-port.md), whose other ports are those of the
//           engines; what the host reads comes from one of them, or from an engine that has a memory of its own.
//           Two memories between engines lie here as well, which the host does not see.
// Latency   read data one cycle after the address, for the engines; a host's answer comes four cycles after its request
`default_nettype none

module tern_memories #(
  // capacities, as in tern_core
  parameter LANES      = 4,
  parameter WEIGHT_W   = 16,
  parameter SAMPLES    = 8,
  parameter NEURONS    = 64,
  parameter PAIRS      = 512,
  parameter ERRORS     = 2048,
  parameter TAPS_D     = 10,
  parameter LAGS_W     = 4,
  parameter HIST_W     = 14,
  parameter FILTERS    = 4,
  parameter ROWS       = 256,
  parameter WORDS      = 4096,
  parameter HIST_WORDS = 512,
  parameter TARGETS    = 32,
  parameter TAP_W      = 9,
  parameter ACC_W      = 48,
  parameter INDEX_W    = 24,
  parameter SIGNALS    = 0,
  parameter BASELINES  = 0,
  parameter WTA        = 0,
  parameter CLASSES    = 0,
  parameter WAYS       = 1,
  parameter WAY_WORDS  = 1,
  // widths, derived from them: do not set
  parameter SAMPLE_W   = 3,
  parameter NEURON_W   = 6,
  parameter LAG_W      = 3,
  parameter FILTER_W   = 2,
  parameter ROW_AW     = 8,
  parameter ERROR_AW   = 11,
  parameter SELF_AW    = 9,
  parameter COEF_AW    = 5,
  parameter TAP_AW     = 6,
  parameter HIST_AW    = 9,
  parameter WORD_AW    = 12,
  parameter TARGET_AW  = 5,
  parameter BASE_AW    = 1
) (
  input  wire                              clk_i,
  input  wire                              rst_i,
  // state of the step
  input  wire                              own_i,              // the engines write
  input  wire                              clearing_i,
  input  wire                              run_i,              // a step runs: tables are read
  input  wire                              plane_i,            // of the spikes of this step
  input  wire                              m_plane_i,          // of its modulators
  input  wire                              no_visible_i,       // its losses are 0
  // a request of the host (tern_control takes it), and its answer
  input  wire                              write_i,
  input  wire                              read_i,
  input  wire [31:0]                       addr_i,
  input  wire [31:0]                       wdata_i,
  output wire                              rvalid_o,
  output wire [31:0]                       rdata_o,
  output wire                              clear_last_o,       // the last address
  // the request one cycle later, for what lies in the engines, and their answers one cycle after it
  output wire                              host_re_o,
  output wire [6:0]                        register_o,
  output wire [23:0]                       where_o,
  output wire [31:0]                       data_o,
  output wire [31:0]                       config_rdata_o,     // registers 32..63
  output wire                              exp_we_o,
  output wire                              log_we_o,
  output wire                              count_we_o,
  output wire                              votes_we_o,
  output wire                              decision_we_o,
  input  wire [31:0]                       reg_rdata_i,
  input  wire [31:0]                       log_wta_i,
  input  wire [31:0]                       count_i,
  input  wire [31:0]                       votes_i,
  input  wire [31:0]                       decision_i,
  // weights
  input  wire                              weight_we_i,
  input  wire [WORD_AW-1:0]                weight_waddr_i,
  input  wire [LANES*WEIGHT_W-1:0]         weight_wdata_i,
  input  wire                              weight_re_i,
  input  wire [WORD_AW-1:0]                weight_raddr_i,
  output wire [LANES*WEIGHT_W-1:0]         weight_rdata_o,
  // histories, spikes and learning coefficients of the samples: as tern_ways has them
  input  wire                              hist_re_i,
  input  wire [HIST_AW-1:0]                hist_raddr_i,
  output wire [WAYS*LANES*HIST_W-1:0]      hist_rdata_o,
  input  wire                              hist_we_i,
  input  wire [HIST_AW-1:0]                hist_waddr_i,
  input  wire [WAYS*LANES*HIST_W-1:0]      hist_wdata_i,
  input  wire                              ways_re_i,
  input  wire [HIST_AW-1:0]                ways_raddr_i,
  input  wire                              ways_we_i,
  input  wire [HIST_AW-1:0]                ways_waddr_i,
  input  wire [WAYS-1:0]                   frame_we_i,
  input  wire [HIST_AW-1:0]                frame_waddr_i,
  input  wire [HIST_AW-1:0]                ways_frame_i,
  input  wire [LANES-1:0]                  frame_wdata_i,
  input  wire [HIST_AW-1:0]                frame_raddr_i,
  output wire [WAYS*LANES-1:0]             frame_rdata_o,
  input  wire [WAYS-1:0]                   coef_we_i,
  input  wire [COEF_AW+1:0]                coef_waddr_i,
  input  wire [15:0]                       coef_wdata_i,
  input  wire                              coef_re_i,
  input  wire [COEF_AW+1:0]                coef_raddr_i,
  output wire [WAYS*16-1:0]                coef_rdata_o,
  // row descriptors
  input  wire [ROW_AW-1:0]                 row_raddr_i,
  output wire [31:0]                       row_flags_o,
  output wire [HIST_AW-1:0]                row_first_hist_o,
  output wire [WORD_AW-1:0]                row_first_word_o,
  output wire [INDEX_W-1:0]                row_first_index_o,
  // neuron tables of tern_learn and tern_fire, filter taps
  input  wire [NEURON_W-1:0]               neuron_raddr_i,
  output wire [FILTER_W:0]                 neuron_rdata_o,
  input  wire [NEURON_W-1:0]               place_raddr_i,
  output wire [31:0]                       place_rdata_o,
  input  wire                              taps_re_i,
  input  wire [TAP_AW-1:0]                 taps_raddr_i,
  output wire [TAP_W-1:0]                  taps_rdata_o,
  // biases and self-memory weights
  input  wire                              local_we_i,
  input  wire [NEURON_W:0]                 local_waddr_i,
  input  wire [15:0]                       local_wdata_i,
  input  wire                              local_re_i,
  input  wire [NEURON_W:0]                 local_raddr_i,
  output wire [15:0]                       local_rdata_o,
  // errors; own histories and last spikes, which are read together; coefficients of the rate, read with the errors
  input  wire                              error_we_i,
  input  wire [ERROR_AW-1:0]               error_waddr_i,
  input  wire [15:0]                       error_wdata_i,
  input  wire                              error_re_i,
  input  wire [ERROR_AW-1:0]               error_raddr_i,
  output wire [15:0]                       error_rdata_o,
  input  wire                              self_we_i,
  input  wire [SELF_AW-1:0]                self_waddr_i,
  input  wire [HIST_W-1:0]                 self_wdata_i,
  input  wire                              self_re_i,
  input  wire [SELF_AW-1:0]                self_raddr_i,
  output wire [HIST_W-1:0]                 self_rdata_o,
  input  wire                              spike_we_i,
  input  wire [SELF_AW-1:0]                spike_waddr_i,
  input  wire                              spike_wdata_i,
  output wire                              spike_rdata_o,
  input  wire                              kap_valid_i,
  input  wire [LAG_W-1:0]                  ek_raddr_i,
  output wire [14:0]                       ek_rdata_o,
  // tables of functions, targets
  input  wire [8:0]                        table_raddr_i,
  output wire [31:0]                       table_rdata_o,
  input  wire [8:0]                        exp_raddr_i,
  output wire [15:0]                       exp_rdata_o,
  input  wire [7:0]                        log_raddr_i,
  output wire [11:0]                       log_rdata_o,
  input  wire [HIST_AW-1:0]                target_raddr_i,
  output wire [LANES-1:0]                  target_rdata_o,
  // log-probabilities, modulators, learning signals, baselines
  input  wire                              v_we_i,
  input  wire [SAMPLE_W+1:0]               v_waddr_i,
  input  wire [31:0]                       v_wdata_i,
  input  wire                              v_re_i,
  input  wire [SAMPLE_W+1:0]               v_raddr_i,
  output wire [31:0]                       v_rdata_o,
  input  wire                              m_we_i,
  input  wire [SAMPLE_W-1:0]               m_waddr_i,
  input  wire [15:0]                       m_wdata_i,
  input  wire                              m_re_i,
  input  wire [SAMPLE_W-1:0]               m_raddr_i,
  output wire [15:0]                       m_rdata_o,
  input  wire                              w_we_i,
  input  wire [31:0]                       w_wdata_i,
  output wire [31:0]                       w_rdata_o,
  input  wire                              base_re_i,
  input  wire                              base_we_i,
  input  wire [BASE_AW-1:0]                base_addr_i,
  input  wire [63:0]                       base_wdata_i,
  output wire [63:0]                       base_rdata_o,
  // started potentials and draws, not seen by the host; read together
  input  wire                              acc_we_i,
  input  wire [SAMPLE_W+1:0]               acc_waddr_i,
  input  wire [ACC_W-1:0]                  acc_wdata_i,
  input  wire [SAMPLE_W+1:0]               acc_raddr_i,
  output wire [ACC_W-1:0]                  acc_rdata_o,
  input  wire                              draw_we_i,
  input  wire [SAMPLE_W+1:0]               draw_waddr_i,
  input  wire [15:0]                       draw_wdata_i,
  input  wire [SAMPLE_W+1:0]               draw_raddr_i,
  output wire [15:0]                       draw_rdata_o,
  input  wire                              sample_re_i
);
  // regions of the host port (0: registers)
  localparam [4:0] RG_WEIGHT = 5'd1, RG_HIST = 5'd2, RG_FRAME = 5'd3, RG_FRAME_LAST = 5'd4, RG_TARGET = 5'd5,
                   RG_ROW = 5'd6, RG_NEURON = 5'd7, RG_PLACE = 5'd8, RG_TAPS = 5'd9, RG_LOCAL = 5'd10,
                   RG_ERROR = 5'd11, RG_SELF = 5'd12, RG_SPIKE = 5'd13, RG_EK = 5'd14, RG_TABLE = 5'd15,
                   RG_EXP = 5'd16, RG_V = 5'd17, RG_M = 5'd18, RG_LOSS = 5'd19, RG_SIGNAL = 5'd20,
                   RG_BASELINE = 5'd21, RG_KAP = 5'd22, RG_LOG = 5'd23, RG_COUNT = 5'd24, RG_VOTES = 5'd25,
                   RG_DECISION = 5'd26;
  localparam N_REGIONS = 27;
  localparam EK_AW    = (BASELINES > 0) ? LAG_W + 1 : LAG_W;  // {kap, lag}
  localparam SELF_SW  = (HIST_W > 32) ? 1 : 0;
  localparam HIST_SW  = $clog2((LANES*HIST_W + 31) / 32); // slices of a word: bits of their number
  localparam WEIGHT_SW = $clog2((LANES*WEIGHT_W + 31) / 32);
  localparam CLEAR_H  = (HIST_SW > 1) ? HIST_AW + HIST_SW : HIST_AW + 1;
  localparam CLEAR_A  = (CLEAR_H > ERROR_AW) ? CLEAR_H : ERROR_AW;
  localparam CLEAR_W  = (CLEAR_A > SELF_AW + SELF_SW) ? CLEAR_A : SELF_AW + SELF_SW;
  // a request of the host, one cycle later, to all memories
  wire [N_REGIONS-1:0] host_we, host_select;
  wire                 host_re, host_valid;
  wire [4:0]           host_region;
  wire [6:0]           host_register;
  wire [23:0]          host_where;
  wire [31:0]          host_data;
  wire [5:0]           host_slice;
  assign host_re_o  = host_re;
  assign register_o = host_register;
  assign where_o    = host_where;
  assign data_o     = host_data;
  assign {decision_we_o, votes_we_o, count_we_o} = {host_we[RG_DECISION], host_we[RG_VOTES], host_we[RG_COUNT]};
  assign {log_we_o, exp_we_o} = {host_we[RG_LOG], host_we[RG_EXP]};

  // weights: LANES of WEIGHT_W bits
  wire [31:0] weight_host;
  tern_bank #(.WIDTH(LANES*WEIGHT_W), .DEPTH(WORDS), .ADDR_W(WORD_AW)) u_weight (
    .clk_i(clk_i), .own_i(own_i), .we_i(weight_we_i), .waddr_i(weight_waddr_i), .wdata_i(weight_wdata_i),
    .re_i(weight_re_i), .raddr_i(weight_raddr_i), .rdata_o(weight_rdata_o), .clear_i(1'b0),
    .host_we_i(host_we[RG_WEIGHT]), .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data),
    .host_slice_i(host_slice), .host_rdata_o(weight_host)
  );
  // histories, spikes and learning coefficients of the samples, in ways
  wire [31:0] hist_host, frame_host;
  tern_ways #(
    .LANES(LANES), .HIST_W(HIST_W), .HIST_WORDS(HIST_WORDS), .HIST_AW(HIST_AW), .WAYS(WAYS), .WAY_WORDS(WAY_WORDS),
    .COEF_AW(COEF_AW)
  ) u_ways (
    .clk_i(clk_i), .own_i(own_i), .clearing_i(clearing_i), .plane_i(plane_i), .hist_re_i(hist_re_i),
    .hist_raddr_i(hist_raddr_i), .hist_rdata_o(hist_rdata_o), .hist_we_i(hist_we_i), .hist_waddr_i(hist_waddr_i),
    .hist_wdata_i(hist_wdata_i), .ways_re_i(ways_re_i), .ways_raddr_i(ways_raddr_i), .ways_we_i(ways_we_i),
    .ways_waddr_i(ways_waddr_i), .frame_we_i(frame_we_i), .frame_waddr_i(frame_waddr_i), .ways_frame_i(ways_frame_i),
    .frame_wdata_i(frame_wdata_i), .frame_raddr_i(frame_raddr_i), .frame_rdata_o(frame_rdata_o), .coef_we_i(coef_we_i),
    .coef_waddr_i(coef_waddr_i), .coef_wdata_i(coef_wdata_i), .coef_re_i(coef_re_i), .coef_raddr_i(coef_raddr_i),
    .coef_rdata_o(coef_rdata_o), .host_hist_we_i(host_we[RG_HIST]),
    .host_frame_we_i(host_we[RG_FRAME] || host_we[RG_FRAME_LAST]), .host_re_i(host_re),
    .host_hist_i(host_region == RG_HIST), .host_now_i(host_region == RG_FRAME), .host_where_i(host_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .hist_host_o(hist_host), .frame_host_o(frame_host)
  );
  // row descriptors: four slices, each a memory as wide as the core needs
  wire [31:0] row_host0, row_host1, row_host2, row_host3;
  wire [23:0] row_where = {2'd0, host_where[23:2]};
  tern_bank #(.WIDTH(32), .DEPTH(ROWS), .ADDR_W(ROW_AW), .TABLE(1)) u_row (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({ROW_AW{1'b0}}), .wdata_i({32{1'b0}}), .re_i(run_i),
    .raddr_i(row_raddr_i), .rdata_o(row_flags_o), .clear_i(1'b0),
    .host_we_i(host_we[RG_ROW] && host_where[1:0] == 2'd0), .host_re_i(host_re), .host_where_i(row_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(row_host0)
  );
  tern_bank #(.WIDTH(HIST_AW), .DEPTH(ROWS), .ADDR_W(ROW_AW), .TABLE(1)) u_row_hist (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({ROW_AW{1'b0}}), .wdata_i({HIST_AW{1'b0}}), .re_i(run_i),
    .raddr_i(row_raddr_i), .rdata_o(row_first_hist_o), .clear_i(1'b0),
    .host_we_i(host_we[RG_ROW] && host_where[1:0] == 2'd1), .host_re_i(host_re), .host_where_i(row_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(row_host1)
  );
  tern_bank #(.WIDTH(WORD_AW), .DEPTH(ROWS), .ADDR_W(ROW_AW), .TABLE(1)) u_row_word (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({ROW_AW{1'b0}}), .wdata_i({WORD_AW{1'b0}}), .re_i(run_i),
    .raddr_i(row_raddr_i), .rdata_o(row_first_word_o), .clear_i(1'b0),
    .host_we_i(host_we[RG_ROW] && host_where[1:0] == 2'd2), .host_re_i(host_re), .host_where_i(row_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(row_host2)
  );
  tern_bank #(.WIDTH(INDEX_W), .DEPTH(ROWS), .ADDR_W(ROW_AW), .TABLE(1)) u_row_index (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({ROW_AW{1'b0}}), .wdata_i({INDEX_W{1'b0}}), .re_i(run_i),
    .raddr_i(row_raddr_i), .rdata_o(row_first_index_o), .clear_i(1'b0),
    .host_we_i(host_we[RG_ROW] && host_where[1:0] == 2'd3), .host_re_i(host_re), .host_where_i(row_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(row_host3)
  );
  wire [31:0] row_host = host_slice[1] ? (host_slice[0] ? row_host3 : row_host2)
                                       : (host_slice[0] ? row_host1 : row_host0);
  // neuron table for tern_learn: {has self-memory, filter}
  wire [31:0] neuron_host;
  tern_bank #(.WIDTH(FILTER_W+1), .DEPTH(NEURONS), .ADDR_W(NEURON_W), .TABLE(1)) u_neuron (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({NEURON_W{1'b0}}), .wdata_i({(FILTER_W+1){1'b0}}), .re_i(run_i),
    .raddr_i(neuron_raddr_i), .rdata_o(neuron_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_NEURON]),
    .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(neuron_host)
  );
  // neuron table for tern_fire: {group, lane, visible}
  wire [31:0] place_host;
  tern_bank #(.WIDTH(32), .DEPTH(NEURONS), .ADDR_W(NEURON_W), .TABLE(1)) u_place (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({NEURON_W{1'b0}}), .wdata_i(32'd0), .re_i(run_i),
    .raddr_i(place_raddr_i), .rdata_o(place_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_PLACE]),
    .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(place_host)
  );
  // filter taps: filter * TAPS_D + tau - 1
  wire [31:0] taps_host;
  tern_bank #(.WIDTH(TAP_W), .DEPTH(FILTERS*TAPS_D), .ADDR_W(TAP_AW), .TABLE(1)) u_taps (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({TAP_AW{1'b0}}), .wdata_i({TAP_W{1'b0}}), .re_i(taps_re_i),
    .raddr_i(taps_raddr_i), .rdata_o(taps_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_TAPS]), .host_re_i(host_re),
    .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(taps_host)
  );
  // bias and self-memory weights: {neuron, 0 or 1}
  wire [31:0] local_host;
  tern_bank #(.WIDTH(16), .DEPTH(2*NEURONS), .ADDR_W(NEURON_W+1)) u_local (
    .clk_i(clk_i), .own_i(own_i), .we_i(local_we_i), .waddr_i(local_waddr_i), .wdata_i(local_wdata_i),
    .re_i(local_re_i), .raddr_i(local_raddr_i), .rdata_o(local_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_LOCAL]),
    .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(local_host)
  );
  // errors: (neuron * K + sample) * W + column
  wire [31:0] error_host;
  tern_bank #(.WIDTH(16), .DEPTH(ERRORS), .ADDR_W(ERROR_AW)) u_error (
    .clk_i(clk_i), .own_i(own_i), .we_i(error_we_i), .waddr_i(error_waddr_i), .wdata_i(error_wdata_i),
    .re_i(error_re_i), .raddr_i(error_raddr_i), .rdata_o(error_rdata_o), .clear_i(clearing_i),
    .host_we_i(host_we[RG_ERROR]), .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data),
    .host_slice_i(host_slice), .host_rdata_o(error_host)
  );
  // own histories: neuron * K + sample
  wire [31:0] self_host;
  tern_bank #(.WIDTH(HIST_W), .DEPTH(PAIRS), .ADDR_W(SELF_AW)) u_self (
    .clk_i(clk_i), .own_i(own_i), .we_i(self_we_i), .waddr_i(self_waddr_i), .wdata_i(self_wdata_i), .re_i(self_re_i),
    .raddr_i(self_raddr_i), .rdata_o(self_rdata_o), .clear_i(clearing_i), .host_we_i(host_we[RG_SELF]),
    .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(self_host)
  );
  // last spikes: neuron * K + sample
  wire [31:0] spike_host;
  tern_bank #(.WIDTH(1), .DEPTH(PAIRS), .ADDR_W(SELF_AW)) u_spike (
    .clk_i(clk_i), .own_i(own_i), .we_i(spike_we_i), .waddr_i(spike_waddr_i), .wdata_i(spike_wdata_i), .re_i(self_re_i),
    .raddr_i(self_raddr_i), .rdata_o(spike_rdata_o), .clear_i(clearing_i), .host_we_i(host_we[RG_SPIKE]),
    .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(spike_host)
  );
  // learning coefficients of the rate, and of the averages of baselines: {0 ek / 1 kap, lag}
  wire [31:0] ek_host;
  localparam EK_DEPTH = (BASELINES > 0) ? 2 << LAG_W : LAGS_W;
  wire [EK_AW-1:0] ek_raddr_all;
  wire [23:0]      ek_where;
  generate
    if (BASELINES > 0) begin : g_ek_kap
      assign ek_raddr_all = {kap_valid_i, ek_raddr_i};
      assign ek_where     = {host_where[22:LAG_W], host_region == RG_KAP, host_where[LAG_W-1:0]};
    end else begin : g_ek_only
      assign ek_raddr_all = ek_raddr_i;
      assign ek_where     = host_where;
      wire unused_kap = &{1'b0, kap_valid_i};
    end
  endgenerate
  tern_bank #(.WIDTH(15), .DEPTH(EK_DEPTH), .ADDR_W(EK_AW), .TABLE(1)) u_ek (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({EK_AW{1'b0}}), .wdata_i(15'd0), .re_i(error_re_i),
    .raddr_i(ek_raddr_all), .rdata_o(ek_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_EK] || host_we[RG_KAP]),
    .host_re_i(host_re), .host_where_i(ek_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(ek_host)
  );
  // sigmoid and softplus tables
  wire [31:0] table_host;
  tern_bank #(.WIDTH(32), .DEPTH(512), .ADDR_W(9), .TABLE(1)) u_table (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i(9'd0), .wdata_i(32'd0), .re_i(run_i), .raddr_i(table_raddr_i),
    .rdata_o(table_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_TABLE]), .host_re_i(host_re),
    .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(table_host)
  );
  // exponential table
  wire [31:0] exp_host;
  tern_bank #(.WIDTH(16), .DEPTH(512), .ADDR_W(9), .TABLE(1)) u_exp (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i(9'd0), .wdata_i(16'd0), .re_i(run_i), .raddr_i(exp_raddr_i),
    .rdata_o(exp_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_EXP]), .host_re_i(host_re), .host_where_i(host_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(exp_host)
  );
  // of the samples, {0 log-probability v / 1 cross-entropy L / 2 exponential E, sample}; above, registers 32..63 for
  // the host to read
  wire [31:0] v_host;
  assign config_rdata_o = v_host;
  localparam V_AW = (SAMPLE_W + 2 > 5) ? SAMPLE_W + 3 : 6;
  wire [23:0] v_where = (clearing_i || host_region == RG_V) ? host_where
                        : (host_region == RG_LOSS) ? {{(23-SAMPLE_W){1'b0}}, 1'b1, host_where[SAMPLE_W-1:0]}
                        : (24'd1 << (V_AW - 1)) | {19'd0, host_where[4:0]};
  tern_bank #(.WIDTH(32), .DEPTH(1 << V_AW), .ADDR_W(V_AW)) u_v (
    .clk_i(clk_i), .own_i(own_i), .we_i(v_we_i), .waddr_i({{(V_AW-SAMPLE_W-2){1'b0}}, v_waddr_i}), .wdata_i(v_wdata_i),
    .re_i(v_re_i), .raddr_i({{(V_AW-SAMPLE_W-2){1'b0}}, v_raddr_i}), .rdata_o(v_rdata_o),
    .clear_i(clearing_i && host_where[V_AW-1:SAMPLE_W] == {(V_AW-SAMPLE_W){1'b0}}),
    .host_we_i(host_we[RG_V] || host_we[0]), .host_re_i(host_re), .host_where_i(v_where), .host_wdata_i(host_data),
    .host_slice_i(host_slice), .host_rdata_o(v_host)
  );
  // targets of the visible neurons
  wire [31:0] target_host;
  tern_bank #(.WIDTH(LANES), .DEPTH(TARGETS), .ADDR_W(TARGET_AW), .TABLE(1)) u_target (
    .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i({TARGET_AW{1'b0}}), .wdata_i({LANES{1'b0}}), .re_i(run_i),
    .raddr_i(target_raddr_i[TARGET_AW-1:0]), .rdata_o(target_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_TARGET]),
    .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
    .host_rdata_o(target_host)
  );
  wire unused_target = &{1'b0, target_raddr_i};
  // modulators, {plane, sample}: tern_signal writes this step's plane, tern_learn reads that of the last learning step
  wire [31:0] m_host;
  wire [23:0] m_where = {{(23-SAMPLE_W){1'b0}}, clearing_i ? host_where[SAMPLE_W] : !m_plane_i,
      host_where[SAMPLE_W-1:0]};
  tern_bank #(.WIDTH(16), .DEPTH(2 << SAMPLE_W), .ADDR_W(SAMPLE_W+1)) u_m (
`ifdef TERN_TESTBUG_CORE_MODULATOR_PLANE
    .clk_i(clk_i), .own_i(own_i), .we_i(m_we_i), .waddr_i({m_plane_i, m_waddr_i}), .wdata_i(m_wdata_i), .re_i(m_re_i),
    .raddr_i({m_plane_i, m_raddr_i}), .rdata_o(m_rdata_o),
`else
    .clk_i(clk_i), .own_i(own_i), .we_i(m_we_i), .waddr_i({m_plane_i, m_waddr_i}), .wdata_i(m_wdata_i), .re_i(m_re_i),
    .raddr_i({!m_plane_i, m_raddr_i}), .rdata_o(m_rdata_o),
`endif
    .clear_i(clearing_i), .host_we_i(host_we[RG_M]), .host_re_i(host_re), .host_where_i(m_where),
    .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(m_host)
  );
  // what the other rules need: learning signals (planes as the modulators), table of log, baselines {D, b}
  wire [31:0] w_host, log_host, base_host;
  generate
    if (SIGNALS != 0) begin : g_signals
      tern_bank #(.WIDTH(32), .DEPTH(2 << SAMPLE_W), .ADDR_W(SAMPLE_W+1)) u_w (
        .clk_i(clk_i), .own_i(own_i), .we_i(w_we_i), .waddr_i({m_plane_i, m_waddr_i}), .wdata_i(w_wdata_i),
        .re_i(m_re_i), .raddr_i({!m_plane_i, m_raddr_i}), .rdata_o(w_rdata_o), .clear_i(clearing_i),
        .host_we_i(host_we[RG_SIGNAL]), .host_re_i(host_re), .host_where_i(m_where), .host_wdata_i(host_data),
        .host_slice_i(host_slice), .host_rdata_o(w_host)
      );
      tern_bank #(.WIDTH(12), .DEPTH(256), .ADDR_W(8), .TABLE(1)) u_log (
        .clk_i(clk_i), .own_i(own_i), .we_i(1'b0), .waddr_i(8'd0), .wdata_i(12'd0), .re_i(run_i), .raddr_i(log_raddr_i),
        .rdata_o(log_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_LOG]), .host_re_i(host_re),
        .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice), .host_rdata_o(log_host)
      );
    end else begin : g_no_signals
      assign w_rdata_o   = 32'd0;
      assign w_host      = 32'd0;
      assign log_rdata_o = 12'd0;
      assign log_host    = 32'd0;
      wire unused_signals = &{1'b0, w_we_i, w_wdata_i, log_raddr_i};
    end
    if (BASELINES > 0) begin : g_baselines
      tern_bank #(.WIDTH(64), .DEPTH(BASELINES), .ADDR_W(BASE_AW)) u_base (
        .clk_i(clk_i), .own_i(own_i), .we_i(base_we_i), .waddr_i(base_addr_i), .wdata_i(base_wdata_i), .re_i(base_re_i),
        .raddr_i(base_addr_i), .rdata_o(base_rdata_o), .clear_i(1'b0), .host_we_i(host_we[RG_BASELINE]),
        .host_re_i(host_re), .host_where_i(host_where), .host_wdata_i(host_data), .host_slice_i(host_slice),
        .host_rdata_o(base_host)
      );
    end else begin : g_no_baselines
      assign base_rdata_o = 64'd0;
      assign base_host    = 32'd0;
      wire unused_base = &{1'b0, base_re_i, base_we_i, base_addr_i, base_wdata_i};
    end
  endgenerate
  // memories between the engines, not seen by the host
  tern_ram #(.WIDTH(ACC_W), .DEPTH(4 << SAMPLE_W), .ADDR_W(SAMPLE_W+2)) u_acc (
    .clk_i(clk_i), .we_i({((ACC_W+31)/32){acc_we_i}}), .waddr_i(acc_waddr_i), .wdata_i(acc_wdata_i), .re_i(sample_re_i),
    .raddr_i(acc_raddr_i), .rdata_o(acc_rdata_o)
  );
  tern_ram #(.WIDTH(16), .DEPTH(4 << SAMPLE_W), .ADDR_W(SAMPLE_W+2)) u_draw (
    .clk_i(clk_i), .we_i(draw_we_i), .waddr_i(draw_waddr_i), .wdata_i(draw_wdata_i), .re_i(sample_re_i),
    .raddr_i(draw_raddr_i), .rdata_o(draw_rdata_o)
  );

  // ---- host port: where a region ends, counted in slices -------------------------------------------------------
  localparam [31:0] END_WEIGHT = WORDS << WEIGHT_SW, END_WORD = (WAYS > 1) ? WAYS << HIST_AW : HIST_WORDS,
                    END_HIST = END_WORD << HIST_SW, END_TARGET = TARGETS, END_ROW = ROWS << 2, END_NEURON = NEURONS,
                    END_TAPS = FILTERS * TAPS_D, END_LOCAL = 2 * NEURONS, END_ERROR = ERRORS,
                    END_SELF = PAIRS << SELF_SW, END_PAIR = PAIRS, END_EK = (BASELINES > 0) ? 1 << LAG_W : LAGS_W,
                    END_SAMPLE = SAMPLES, END_SIGNAL = (SIGNALS != 0) ? SAMPLES : 0, END_BASELINE = BASELINES << 1,
                    END_KAP = (BASELINES > 0) ? 1 << LAG_W : 0, END_LOG = (SIGNALS != 0 || WTA != 0) ? 256 : 0,
                    END_COUNT = SAMPLES * CLASSES, END_VOTES = 2 * CLASSES,
                    END_DECISION = (CLASSES > 0) ? SAMPLES : 0;
  tern_host #(
    .N_REGIONS(N_REGIONS), .CLEAR_W(CLEAR_W),
    .ENDS({END_DECISION[24:0], END_VOTES[24:0], END_COUNT[24:0], END_LOG[24:0], END_KAP[24:0], END_BASELINE[24:0],
           END_SIGNAL[24:0], END_SAMPLE[24:0], END_SAMPLE[24:0], END_SAMPLE[24:0], 25'd512, 25'd512, END_EK[24:0],
           END_PAIR[24:0], END_SELF[24:0], END_ERROR[24:0], END_LOCAL[24:0], END_TAPS[24:0], END_NEURON[24:0],
           END_NEURON[24:0], END_ROW[24:0], END_TARGET[24:0], END_WORD[24:0], END_WORD[24:0], END_HIST[24:0],
           END_WEIGHT[24:0], 25'd0})
  ) u_host (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(write_i), .read_i(read_i), .addr_i(addr_i), .wdata_i(wdata_i),
    .clearing_i(clearing_i), .clear_last_o(clear_last_o), .we_o(host_we), .re_o(host_re), .region_o(host_region),
    .register_o(host_register), .where_o(host_where), .wdata_o(host_data), .valid_o(host_valid), .select_o(host_select),
    .slice_o(host_slice)
  );
  wire unused_host = &{1'b0, host_we};
  // the answer: every memory's data where its region was asked for; regions of one memory share its place
  localparam [N_REGIONS-1:0] ONE = 1;
  wire [N_REGIONS-1:0] host_answer = host_select | (host_select[RG_FRAME_LAST] ? ONE << RG_FRAME : 0) |
      (host_select[RG_KAP] ? ONE << RG_EK : 0) | (host_select[RG_LOSS] && !no_visible_i ? ONE << RG_V : 0);
  // Weights and histories lie in many blocks all over the device, so they have a register of their own on the way.
  // The others have two, since there are many.
  reg [31:0] answer_q, weight_q, hist_q, tables_q, others_q;
  reg        some_q, answer_valid_q;
  always @(posedge clk_i) begin
    if (host_valid) begin // in simulation, nothing is to do otherwise
      weight_q <= host_select[RG_WEIGHT] ? weight_host : 32'd0; // as the reset of a flip-flop
      hist_q   <= host_select[RG_HIST] ? hist_host : 32'd0;
      tables_q <= (reg_rdata_i & {32{host_answer[0]}}) | (frame_host & {32{host_answer[RG_FRAME]}})
                  | (target_host & {32{host_answer[RG_TARGET]}}) | (row_host & {32{host_answer[RG_ROW]}})
                  | (neuron_host & {32{host_answer[RG_NEURON]}}) | (place_host & {32{host_answer[RG_PLACE]}})
                  | (taps_host & {32{host_answer[RG_TAPS]}}) | (local_host & {32{host_answer[RG_LOCAL]}})
                  | (error_host & {32{host_answer[RG_ERROR]}}) | (self_host & {32{host_answer[RG_SELF]}})
                  | (((SIGNALS != 0) ? log_host : log_wta_i) & {32{host_answer[RG_LOG]}});
      others_q <= (spike_host & {32{host_answer[RG_SPIKE]}}) | (ek_host & {32{host_answer[RG_EK]}})
                  | (table_host & {32{host_answer[RG_TABLE]}}) | (exp_host & {32{host_answer[RG_EXP]}})
                  | (v_host & {32{host_answer[RG_V]}}) | (m_host & {32{host_answer[RG_M]}})
                  | (w_host & {32{host_answer[RG_SIGNAL]}}) | (base_host & {32{host_answer[RG_BASELINE]}})
                  | (count_i & {32{host_answer[RG_COUNT]}}) | (votes_i & {32{host_answer[RG_VOTES]}})
                  | (decision_i & {32{host_answer[RG_DECISION]}});
    end
    some_q         <= host_valid && !rst_i;
    answer_q       <= weight_q | hist_q | tables_q | others_q;
    answer_valid_q <= some_q && !rst_i;
  end
  assign rvalid_o = answer_valid_q;
  assign rdata_o  = answer_q;
endmodule

`default_nettype wire
