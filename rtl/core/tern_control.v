// tern_control.v : registers of the host port, and when a step begins and ends
// SPDX-License-Identifier: Apache-2.0
//
// Function  Registers of docs/33-host-port.md; start, flush, clear, vote; step number, pending update, saturation
//           counters. The engines tell when they are idle; the step is done when all are.
// C model   runtime/engine/tern_golden.c, tern_step()
`default_nettype none

module tern_control #(
  // Capacities, read over the host port: the parameters of tern_core.
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
  parameter X_W        = 14,
  parameter KERNEL_W   = 32,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  parameter INDEX_W    = 24,
  parameter SIGNALS    = 0,
  parameter BASELINES  = 0,
  parameter WTA        = 0,
  parameter CLASSES    = 0,
  parameter KERNELS    = 0,
  parameter WAYS       = 1,
  parameter WAY_WORDS  = 1,
  parameter PREP       = 1,
  parameter SKIP       = 0,
  // Widths, derived in tern_core.
  parameter SAMPLE_W   = 3,
  parameter NEURON_W   = 6,
  parameter LAG_W      = 3,
  parameter Q_W        = 4,
  parameter HIST_AW    = 9
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // host port
  input  wire                host_valid_i,
  output wire                host_ready_o,
  input  wire                host_write_i,
  input  wire [31:0]         host_addr_i,
  input  wire [31:0]         host_wdata_i,
  output wire                hwrite_o,        // a request is taken: write, read
  output wire                hread_o,
  input  wire [6:0]          register_i,      // number of a register that is read
  output wire [31:0]         reg_rdata_o,     // its value one cycle later
  // registers 32..63 are kept in a memory of tern_core as well, which answers reads
  input  wire [31:0]         config_rdata_i,
  // step
  output wire                busy_o,          // to the host: step, clear or vote
  output wire                run_o,           // a step or clear is under way
  output wire                begin_o,         // pulse: a pass begins
  output wire                update_o,        // it applies an update
  output wire                potential_o,     // 0: flush
  output wire                learn_o,
  output wire                clamp_o,
  output wire                plane_o,         // plane of this step's frame
  output wire                m_plane_o,       // plane of the modulators that this step makes
  output wire                signal_start_o,  // pulse: all visible neurons are done
  output wire [31:0]         step_o,
  output wire [LAG_W-1:0]    lag_head_o,      // column of the errors that this step writes
  output wire                no_visible_o,
  output wire                clearing_o,
  input  wire                clear_last_i,    // the last word is cleared
  output wire                own_o,           // memories are the engines': a step is under way
  output wire                vote_o,          // pulse: vote
  output wire                example_o,       // pulse: new example
  // from the engines
  input  wire                prepare_idle_i,
  input  wire                pass_idle_i,
  input  wire                draw_idle_i,
  input  wire                signal_busy_i,
  input  wire                baseline_busy_i,
  input  wire                vote_busy_i,     // from the cycle after vote_o or example_o
  input  wire                fire_done_i,     // pulse: a neuron is done
  input  wire                visible_done_i,  // pulse: the last visible one is
  input  wire [31:0]         winner_i,
  input  wire [5:0]          sat_weight_i,
  input  wire                sat_local_i,
  input  wire                sat_potential_i,
  input  wire [1:0]          sat_coefficient_i,
  input  wire                sat_logprob_i,
  input  wire                sat_modulator_i,
  // network
  output wire [NEURON_W-1:0] cfg_neuron_last_o,
  output wire [NEURON_W:0]   cfg_visible_o,
  output wire [SAMPLE_W-1:0] cfg_sample_last_o,
  output wire [Q_W-1:0]      cfg_tap_last_o,
  output wire [LAG_W-1:0]    cfg_lag_last_o,
  output wire [HIST_AW-1:0]  cfg_sample_hist0_o,
  output wire [HIST_AW-1:0]  cfg_sample_words_o,
  output wire [4:0]          cfg_scale_o,
  output wire [4:0]          cfg_dither_bits_o,
  output wire [4:0]          cfg_local_bits_o,
  output wire [4:0]          cfg_c_shift_o,
  output wire [3:0]          cfg_trace_frac_o,
  output wire [WEIGHT_W-1:0] cfg_top_o,
  output wire [WEIGHT_W-1:0] cfg_absent_o,
  output wire [16:0]         cfg_gamma_f16_o,
  output wire [63:0]         cfg_seed_o,
  output wire [11:0]         cfg_group0_o,
  // rules: 0 in a core with SIGNALS = 0
  output wire [1:0]          cfg_rule_o,           // 0 GEM, 1 MB, 2 IW, 3 REWARD
  output wire                cfg_baseline_o,       // neurons have baselines
  output wire [NEURON_W:0]   cfg_signal_first_o,   // first neuron that learns from w
  output wire [4:0]          cfg_m_shift_o,        // 12 - MF
  output wire [2:0]          cfg_baseline_shift_o, // bs
  output wire [4:0]          cfg_dither_bits1_o,   // learning set 1
  output wire [4:0]          cfg_local_bits1_o,
  output wire [4:0]          cfg_c_shift1_o,
  output wire [16:0]         cfg_inverse_f16_o,    // rK
  output wire [14:0]         cfg_mean_f14_o,       // modulator of set 0, MB
  output wire [17:0]         cfg_log_offset_f12_o,
  // decisions: 0 in a core with CLASSES = 0
  output wire [15:0]         cfg_class_first_o,
  output wire [14:0]         cfg_class_count_o,
  output wire                cfg_class_spike_o     // decide by the first spike
);
  localparam [7:0] RG_REG = 8'd0;
  localparam [1:0] RULE_REWARD = 2'd3;

  reg                 busy_q, clearing_q, update_q, potential_q, learn_q, clamp_q, pending_q, plane_q, m_plane_q,
      begin_q, signal_wait_q, fire_all_q;
  reg  [NEURON_W-1:0] cfg_neuron_last_q, fire_count_q;
  reg  [NEURON_W:0]   cfg_visible_q;
  reg  [SAMPLE_W-1:0] cfg_sample_last_q;
  reg  [Q_W-1:0]      cfg_tap_last_q;
  reg  [LAG_W-1:0]    cfg_lag_last_q, lag_head_q;
  reg  [HIST_AW-1:0]  cfg_sample_hist0_q, cfg_sample_words_q;
  reg  [4:0]          cfg_scale_q, cfg_dither_bits_q, cfg_local_bits_q, cfg_c_shift_q;
  reg  [3:0]          cfg_trace_frac_q;
  reg  [WEIGHT_W-1:0] cfg_top_q, cfg_absent_q;
  reg  [16:0]         cfg_gamma_q;
  reg  [63:0]         cfg_seed_q;
  reg  [31:0]         step_q, cycles_q;
  reg  [11:0]         cfg_group0_q;
  reg  [31:0]         sat_weight_q, sat_local_q, sat_potential_q, sat_coefficient_q, sat_logprob_q, sat_modulator_q;
  // a core without the rules or without decisions has constants here, and no registers
  reg  [2:0]          rule_q, baseline_shift_q;
  reg  [NEURON_W:0]   signal_first_q;
  reg  [4:0]          m_shift_q, dither_bits1_q, local_bits1_q, c_shift1_q;
  reg  [16:0]         inverse_q;
  reg  [14:0]         mean_q;
  reg  [17:0]         log_offset_q;
  reg  [31:0]         classes_q;
  localparam HAS_SIGNALS = (SIGNALS != 0);
  wire [2:0]          rule           = HAS_SIGNALS ? rule_q : 3'd0;
  wire [NEURON_W:0]   signal_first   = HAS_SIGNALS ? signal_first_q : {(NEURON_W+1){1'b1}};
  wire [4:0]          m_shift        = HAS_SIGNALS ? m_shift_q : 5'd0;
  wire [2:0]          baseline_shift = (BASELINES != 0) ? baseline_shift_q : 3'd0;
  wire [4:0]          dither_bits1   = HAS_SIGNALS ? dither_bits1_q : 5'd0;
  wire [4:0]          local_bits1    = HAS_SIGNALS ? local_bits1_q : 5'd0;
  wire [4:0]          c_shift1       = HAS_SIGNALS ? c_shift1_q : 5'd0;
  wire [16:0]         inverse        = HAS_SIGNALS ? inverse_q : 17'd0;
  wire [14:0]         mean           = HAS_SIGNALS ? mean_q : 15'd0;
  wire [17:0]         log_offset     = HAS_SIGNALS ? log_offset_q : 18'd0;
  wire [31:0]         sat_modulator  = HAS_SIGNALS ? sat_modulator_q : 32'd0;
  wire [31:0]         classes        = (CLASSES != 0) ? classes_q : 32'd0;

  // ---- host port -------------------------------------------------------------------------------------------
  wire [7:0]  region = host_addr_i[31:24];
  wire [23:0] where  = host_addr_i[23:0];
  wire        ready  = !busy_q && !begin_q && !vote_busy_i;
`ifdef TERN_TESTBUG_CONTROL_READY_WHILE_BUSY
  assign host_ready_o = 1'b1;
`else
  // 32..63 are in a memory that tern_signal uses
  assign host_ready_o = ready || (region == RG_REG && !host_write_i && where[5] == 1'b0);
`endif
  assign busy_o       = !ready;
  wire        request = host_valid_i && host_ready_o;
  assign hwrite_o     = request && host_write_i;
  assign hread_o      = request && !host_write_i;

  wire reg_write = hwrite_o && region == RG_REG;
  wire control   = reg_write && where == 24'd2;
  wire start     = control && host_wdata_i[0];
  wire flush     = start && host_wdata_i[3];
  wire clear     = control && !host_wdata_i[0] && host_wdata_i[4];
  assign vote_o    = control && !host_wdata_i[0] && host_wdata_i[5];
  assign example_o = control && !host_wdata_i[0] && host_wdata_i[6];

  // ---- step control -----------------------------------------------------------------------------------------
  wire no_visible  = (cfg_visible_q == {(NEURON_W+1){1'b0}});
  wire fire_last   = fire_done_i && (fire_count_q == cfg_neuron_last_q);
  wire step_done   = busy_q && !clearing_q && !begin_q && prepare_idle_i && pass_idle_i && draw_idle_i &&
      !signal_busy_i && !signal_wait_q
`ifdef TERN_TESTBUG_CONTROL_BASELINE_LEFT
                     && (!potential_q || fire_all_q);
`else
                     && !baseline_busy_i && (!potential_q || fire_all_q);
`endif
  wire clear_done  = clearing_q && clear_last_i;
  wire signal_start = (visible_done_i || (begin_q && no_visible)) && potential_q;

  always @(posedge clk_i) begin
    begin_q <= 1'b0;
    if (start) begin
      busy_q        <= 1'b1;
      begin_q       <= 1'b1;
      potential_q   <= !flush;
      update_q      <= pending_q;
      learn_q       <= host_wdata_i[1] && !flush;
      clamp_q       <= host_wdata_i[2];
      cycles_q      <= 32'd0;
      signal_wait_q <= !flush;
      fire_all_q    <= 1'b0;
      fire_count_q  <= {NEURON_W{1'b0}};
    end
    if (busy_q && !clearing_q) cycles_q <= cycles_q + 32'd1;
    if (signal_start) signal_wait_q <= 1'b0;
    if (fire_done_i) fire_count_q <= fire_count_q + 1'b1;
    if (fire_last) fire_all_q <= 1'b1;
    if (step_done) begin
      busy_q    <= 1'b0;
`ifdef TERN_TESTBUG_CORE_PENDING_KEPT
      pending_q <= learn_q || (pending_q && potential_q);
`else
      pending_q <= learn_q;
`endif
`ifdef TERN_TESTBUG_CORE_FLUSH_COUNTS
      if (!potential_q) step_q <= step_q + 32'd1;
`endif
      if (potential_q) begin
        plane_q    <= !plane_q;
        m_plane_q  <= m_plane_q ^ (learn_q && rule[1:0] != RULE_REWARD); // REWARD: w stays in its place
        step_q     <= step_q + 32'd1;
        lag_head_q <= (lag_head_q == cfg_lag_last_q) ? {LAG_W{1'b0}} : lag_head_q + 1'b1;
      end
    end
    if (clear) begin
      busy_q     <= 1'b1;
      clearing_q <= 1'b1;
      pending_q  <= 1'b0;
      lag_head_q <= {LAG_W{1'b0}};
    end
    if (clear_done) begin
      busy_q     <= 1'b0;
      clearing_q <= 1'b0;
    end
    if (!clearing_q) begin
      sat_weight_q      <= sat_weight_q + {26'd0, sat_weight_i};
      sat_local_q       <= sat_local_q + {31'd0, sat_local_i};
      sat_potential_q   <= sat_potential_q + {31'd0, sat_potential_i};
      sat_coefficient_q <= sat_coefficient_q + {30'd0, sat_coefficient_i};
      sat_logprob_q     <= sat_logprob_q + {31'd0, sat_logprob_i};
      sat_modulator_q   <= sat_modulator_q + {31'd0, sat_modulator_i};
    end
    if (reg_write) begin
      case (where)
        24'd32: cfg_neuron_last_q  <= host_wdata_i[NEURON_W-1:0];
        24'd33: cfg_visible_q      <= host_wdata_i[NEURON_W:0];
        24'd34: cfg_sample_last_q  <= host_wdata_i[SAMPLE_W-1:0];
        24'd35: cfg_tap_last_q     <= host_wdata_i[Q_W-1:0];
        24'd36: cfg_lag_last_q     <= host_wdata_i[LAG_W-1:0];
        24'd37: cfg_sample_hist0_q <= host_wdata_i[HIST_AW-1:0];
        24'd38: cfg_sample_words_q <= host_wdata_i[HIST_AW-1:0];
        24'd39: cfg_scale_q        <= host_wdata_i[4:0];
        24'd40: cfg_dither_bits_q  <= host_wdata_i[4:0];
        24'd41: cfg_local_bits_q   <= host_wdata_i[4:0];
        24'd42: cfg_c_shift_q      <= host_wdata_i[4:0];
        24'd43: cfg_trace_frac_q   <= host_wdata_i[3:0];
        24'd44: cfg_top_q          <= host_wdata_i[WEIGHT_W-1:0];
        24'd45: cfg_absent_q       <= host_wdata_i[WEIGHT_W-1:0];
        24'd46: cfg_gamma_q        <= host_wdata_i[16:0];
        24'd47: cfg_seed_q[31:0]   <= host_wdata_i;
        24'd48: cfg_seed_q[63:32]  <= host_wdata_i;
        24'd49: cfg_group0_q       <= host_wdata_i[11:0];
        24'd51: rule_q             <= host_wdata_i[2:0];
        24'd52: signal_first_q     <= host_wdata_i[NEURON_W:0];
        24'd53: m_shift_q          <= host_wdata_i[4:0];
        24'd54: baseline_shift_q   <= host_wdata_i[2:0];
        24'd55: dither_bits1_q     <= host_wdata_i[4:0];
        24'd56: local_bits1_q      <= host_wdata_i[4:0];
        24'd57: c_shift1_q         <= host_wdata_i[4:0];
        24'd58: inverse_q          <= host_wdata_i[16:0];
        24'd59: mean_q             <= host_wdata_i[14:0];
        24'd60: log_offset_q       <= host_wdata_i[17:0];
        24'd61: classes_q          <= host_wdata_i;
        24'd64: step_q             <= host_wdata_i;
        24'd65: lag_head_q         <= host_wdata_i[LAG_W-1:0];
        24'd66: pending_q          <= host_wdata_i[0];
        24'd67: plane_q            <= host_wdata_i[0];
        24'd80: sat_weight_q       <= host_wdata_i;
        24'd81: sat_local_q        <= host_wdata_i;
        24'd82: sat_potential_q    <= host_wdata_i;
        24'd83: sat_coefficient_q  <= host_wdata_i;
        24'd84: sat_logprob_q      <= host_wdata_i;
        24'd85: sat_modulator_q    <= host_wdata_i;
        default: ;
      endcase
    end
    if (rst_i) begin
      busy_q     <= 1'b0;
      begin_q    <= 1'b0;
      clearing_q <= 1'b0;
      pending_q  <= 1'b0;
      plane_q    <= 1'b0;
      m_plane_q  <= 1'b0;
      signal_wait_q <= 1'b0;
    end
  end

  reg [31:0] reg_rdata;
  always @* begin
    case (register_i)
      7'd0:  reg_rdata = 32'h5445524e; // "TERN"
      7'd1:  reg_rdata = 32'd1;        // version of the host port
      7'd3:  reg_rdata = {27'd0, clearing_q, 1'b0, pending_q, plane_q, busy_o};
      7'd4:  reg_rdata = cycles_q;
      7'd6:  reg_rdata = KERNELS;
      7'd7:  reg_rdata = SKIP;
      7'd8:  reg_rdata = WAYS;
      7'd9:  reg_rdata = WAY_WORDS;
      7'd10: reg_rdata = PREP;
      7'd11: reg_rdata = SIGNALS;
      7'd12: reg_rdata = BASELINES;
      7'd13: reg_rdata = WTA;
      7'd14: reg_rdata = CLASSES;
      7'd16: reg_rdata = LANES;
      7'd17: reg_rdata = WEIGHT_W;
      7'd18: reg_rdata = SAMPLES;
      7'd19: reg_rdata = NEURONS;
      7'd20: reg_rdata = PAIRS;
      7'd21: reg_rdata = ERRORS;
      7'd22: reg_rdata = TAPS_D;
      7'd23: reg_rdata = LAGS_W;
      7'd24: reg_rdata = FILTERS;
      7'd25: reg_rdata = ROWS;
      7'd26: reg_rdata = WORDS;
      7'd27: reg_rdata = HIST_WORDS;
      7'd28: reg_rdata = TARGETS;
      7'd31: reg_rdata = HIST_W;
      7'd29: reg_rdata = {KERNEL_W[7:0], DELTA_W[7:0], ACC_W[7:0], X_W[7:0]};
      7'd30: reg_rdata = {8'd0, INDEX_W[7:0], DITHER_MIN[7:0], DITHER_MAX[7:0]};
      7'd64: reg_rdata = step_q;
      7'd65: reg_rdata = {{(32-LAG_W){1'b0}}, lag_head_q};
      7'd66: reg_rdata = {31'd0, pending_q};
      7'd67: reg_rdata = {31'd0, plane_q};
      7'd68: reg_rdata = winner_i;
      7'd80: reg_rdata = sat_weight_q;
      7'd81: reg_rdata = sat_local_q;
      7'd82: reg_rdata = sat_potential_q;
      7'd83: reg_rdata = sat_coefficient_q;
      7'd84: reg_rdata = sat_logprob_q;
      7'd85: reg_rdata = sat_modulator;
      default: reg_rdata = 32'd0;
    endcase
  end
  // what was written is what is read; a core without the rules or without classes has 0 for theirs
  wire [4:0]  number  = register_i[4:0];
  wire        absent  = (!HAS_SIGNALS && number >= 5'd19 && number <= 5'd28) || (CLASSES == 0 && number == 5'd29);
  reg  [31:0] reg_rdata_q;
  reg         config_q;
  always @(posedge clk_i) begin
    reg_rdata_q <= reg_rdata;
    config_q    <= (register_i[6:5] == 2'b01) && !absent;
  end

  assign reg_rdata_o          = config_q ? config_rdata_i : reg_rdata_q;
  assign run_o                = busy_q;
  assign begin_o              = begin_q;
  assign update_o             = update_q;
  assign potential_o          = potential_q;
  assign learn_o              = learn_q;
  assign clamp_o              = clamp_q;
  assign plane_o              = plane_q;
  assign m_plane_o            = m_plane_q;
  assign signal_start_o       = signal_start;
  assign step_o               = step_q;
  assign lag_head_o           = lag_head_q;
  assign no_visible_o         = no_visible;
`ifdef TERN_TESTBUG_CONTROL_CLEAR_LATE
  assign clearing_o           = potential_q;
`else
  assign clearing_o           = clearing_q;
`endif
  assign own_o                = busy_q && !clearing_q;
  assign cfg_neuron_last_o    = cfg_neuron_last_q;
  assign cfg_visible_o        = cfg_visible_q;
  assign cfg_sample_last_o    = cfg_sample_last_q;
  assign cfg_tap_last_o       = cfg_tap_last_q;
  assign cfg_lag_last_o       = cfg_lag_last_q;
  assign cfg_sample_hist0_o   = cfg_sample_hist0_q;
  assign cfg_sample_words_o   = cfg_sample_words_q;
  assign cfg_scale_o          = cfg_scale_q;
  assign cfg_dither_bits_o    = cfg_dither_bits_q;
  assign cfg_local_bits_o     = cfg_local_bits_q;
  assign cfg_c_shift_o        = cfg_c_shift_q;
  assign cfg_trace_frac_o     = cfg_trace_frac_q;
  assign cfg_top_o            = cfg_top_q;
  assign cfg_absent_o         = cfg_absent_q;
  assign cfg_gamma_f16_o      = cfg_gamma_q;
  assign cfg_seed_o           = cfg_seed_q;
  assign cfg_group0_o         = cfg_group0_q;
  assign cfg_rule_o           = rule[1:0];
  assign cfg_baseline_o       = (BASELINES != 0) && rule[2];
  assign cfg_signal_first_o   = signal_first;
  assign cfg_m_shift_o        = m_shift;
  assign cfg_baseline_shift_o = baseline_shift;
  assign cfg_dither_bits1_o   = dither_bits1;
  assign cfg_local_bits1_o    = local_bits1;
  assign cfg_c_shift1_o       = c_shift1;
  assign cfg_inverse_f16_o    = inverse;
  assign cfg_mean_f14_o       = mean;
  assign cfg_log_offset_f12_o = log_offset;
  assign cfg_class_first_o    = classes[15:0];
  assign cfg_class_count_o    = classes[30:16];
  assign cfg_class_spike_o    = classes[31];
endmodule

`default_nettype wire
