// tern_fire.v : closes a neuron or a winner-take-all circuit: potentials to spikes, errors and cross-entropies
// SPDX-License-Identifier: Apache-2.0
//
// Function  N-3..N-7 for each sample of the neuron whose sums tern_pass hands over. A member of a circuit leaves its
//           potentials; behind the last one tern_wta decides for all of them, N-22..N-26, sample by sample.
// C model   runtime/engine/tern_golden.c, fire(), fire_wta()
// Cycles    sums_valid, started potentials and draws there in cycle 0: first sample in cycle 1, done_o in cycle K + 7;
//           for a member of a circuit in cycle K + 3, for the last of C members in cycle K + 3 + K (4 C + 25)
`default_nettype none

module tern_fire #(
  parameter LANES    = 4,
  parameter LANE_W   = 2,
  parameter SAMPLE_W = 3,
  parameter LAG_W    = 6,
  parameter ACC_W    = 48,
  parameter NEURON_W = 8,
  parameter ERROR_AW = 12,
  parameter SELF_AW  = 10,
  parameter HIST_AW  = 10,
  // Members of the largest circuit, 2..64; 0: no circuits.
  parameter WTA      = 0,
  // Samples per cycle in rows from neurons: spikes of sample k belong to way k mod WAYS.
  parameter WAYS     = 1
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                begin_i,
  input  wire                learn_i,       // errors of this step are recorded
  input  wire                clamp_i,       // visible neurons take their target
  output wire                idle_o,
  // from the others
  input  wire                local_done_i,  // pulse: a neuron's potentials are started
  input  wire                draws_done_i,  // pulse: a neuron's draws are there
  input  wire                sums_valid_i,  // pulse: a neuron's sums are there
  output wire                done_o,        // pulse: a neuron is finished
  input  wire [ACC_W-1:0]    sum_shared_i,
  input  wire                has_sample_i,
  output wire                sum_re_o,
  output wire [SAMPLE_W:0]   sum_raddr_o,
  input  wire [ACC_W-1:0]    sum_sample_i,
  // memory
  output wire                sample_re_o,   // started potentials and draws are read
  output wire [SAMPLE_W+1:0] acc_raddr_o,   // started potentials, {neuron number, bits 1..0; sample}
  input  wire [ACC_W-1:0]    acc_rdata_i,
  output wire [SAMPLE_W+1:0] draw_raddr_o,
  input  wire [15:0]         draw_rdata_i,
  output wire [NEURON_W-1:0] place_raddr_o, // {group, lane, last member, member, visible}
  input  wire [31:0]         place_rdata_i,
  output wire [HIST_AW-1:0]  target_raddr_o,
  input  wire [LANES-1:0]    target_rdata_i,
  output wire [8:0]          table_raddr_o,
  input  wire [31:0]         table_rdata_i, // {sigmoid, softplus}
  output wire                error_we_o,
  output wire [ERROR_AW-1:0] error_waddr_o,
  output wire [15:0]         error_wdata_o,
  output wire                spike_we_o,    // last spike of (neuron, sample)
  output wire [SELF_AW-1:0]  spike_waddr_o,
  output wire                spike_wdata_o,
  output wire [WAYS-1:0]     frame_we_o,    // spikes of a group of LANES positions, a memory for each way
  output wire [HIST_AW-1:0]  frame_waddr_o, // of way 0
  output wire [HIST_AW-1:0]  ways_waddr_o,  // of the others
  output wire [LANES-1:0]    frame_wdata_o,
  // host: tables of exp and log, of which the circuits have their own
  input  wire                exp_we_i,
  input  wire                log_we_i,
  input  wire                log_re_i,
  input  wire [23:0]         host_where_i,
  input  wire [31:0]         host_wdata_i,
  output wire [31:0]         log_host_o,
  // to tern_vote, with the last spike
  output wire [NEURON_W-1:0] fired_neuron_o,
  output wire [SAMPLE_W-1:0] fired_sample_o,
  // to tern_signal
  output wire                loss_re_o,     // the sum of this sample is needed in the next cycle, with loss_valid_o
  output wire [SAMPLE_W-1:0] loss_raddr_o,
  output wire                loss_valid_o,
  output wire                loss_first_o,  // first visible neuron: starts the sum
  output wire [SAMPLE_W-1:0] loss_sample_o,
  output wire [16:0]         loss_f12_o,
  output wire                visible_done_o, // pulse: the last visible neuron is finished
  // config
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire [LAG_W-1:0]    cfg_lag_last_i,
  input  wire [LAG_W-1:0]    cfg_lag_head_i,
  input  wire [4:0]          cfg_scale_i,        // 20 - WF - XF
  input  wire [HIST_AW-1:0]  cfg_sample_hist0_i, // first history word of the neuron pool
  input  wire [HIST_AW-1:0]  cfg_sample_words_i, // history words of one sample
  input  wire [NEURON_W:0]   cfg_visible_i,      // visible neurons
  output wire                sat_potential_o
`ifdef TERN_COSIM
  ,
  output wire                ev_n_valid_o,
  output wire [NEURON_W-1:0] ev_n_neuron_o,
  output wire [SAMPLE_W-1:0] ev_n_sample_o,
  output wire [11:0]         ev_n_u_o,
  output wire [16:0]         ev_n_p_o,
  output wire [15:0]         ev_n_draw_o,
  output wire                ev_n_spike_o,
  output wire                ev_n_clamp_o,
  output wire                ev_n_limited_o
`endif
);
  localparam WTA_AW = (WTA > 2) ? $clog2(WTA) : 1;
  localparam [2:0] ST_IDLE = 3'd0, ST_WAIT = 3'd1, ST_RUN = 3'd2, ST_DRAIN = 3'd3, ST_WTA = 3'd4;
  reg [2:0]          state_q;
  reg [2:0]          drain_q;
  reg [NEURON_W-1:0] neuron_q;
  reg [SAMPLE_W-1:0] k_q;
  reg [2:0]          locals_q, draws_q;   // neurons ready and not yet closed (0..4)
  reg [ERROR_AW-1:0] error_q;             // error word of (neuron, sample, 0)
  reg [SELF_AW-1:0]  pair_q;
  // first frame word of the sample; WAYS > 1: counted from the first one of the neurons
  reg [HIST_AW-1:0]  frame_q;
  reg [SAMPLE_W-1:0] way_q;               // way of the sample
  reg                sums_q;
  reg  [HIST_AW-1:0] group_q;             // group of the neuron before
  reg                group_new_q;         // the current neuron, or the first member of its circuit, begins a group
  // the current circuit
  reg [WTA_AW-1:0]   member_q;            // members before the current neuron
  reg [NEURON_W-1:0] wta_first_q;         // first member
  reg [ERROR_AW-1:0] wta_error_q;         // its error word and pair in the current sample
  reg [SELF_AW-1:0]  wta_pair_q;
  reg [ERROR_AW-1:0] wta_stride_q;        // error words of a neuron
  reg                has_target_q;        // a member has a target
  reg [WTA_AW-1:0]   wta_target_q;        // the lowest of these

  wire               k_end = (k_q == cfg_sample_last_i);
  wire               ready = (locals_q != 3'd0) && (draws_q != 3'd0) && sums_q;
  wire               start = (state_q == ST_WAIT) && ready;
  wire [HIST_AW-1:0] group   = place_rdata_i[16 +: HIST_AW];
  wire               visible = place_rdata_i[0];
  wire               member  = (WTA != 0) && place_rdata_i[1];
  wire               decides = member && (place_rdata_i[7:2] != 6'd0); // last member
  // valid: a member in order; done: the circuit in this sample
  wire               wta_busy, wta_valid, wta_spike, wta_done;
  wire [WTA_AW-1:0]  wta_member;
  wire [16:0]        wta_p, wta_l;
  wire [15:0]        wta_e;
  wire [12:0]        wta_u;                                            // {limited, potential}
  wire               drained = (state_q == ST_DRAIN) && (drain_q == 3'd0);
  wire               done    = (drained && !decides) || (wta_done && k_end);
  wire unused_place = &{1'b0, place_rdata_i};

  wire [HIST_AW-1:0] frame_first   = (WAYS == 1) ? cfg_sample_hist0_i : {HIST_AW{1'b0}};
  localparam         WAY_END  = WAYS - 1;
`ifdef TERN_TESTBUG_FIRE_WAYS_SAME
  wire               way_end  = 1'b1;
`else
  wire               way_end  = (WAYS == 1) || (way_q == WAY_END[SAMPLE_W-1:0]);
`endif
  wire [HIST_AW-1:0] frame_next = way_end ? frame_q + cfg_sample_words_i : frame_q;
  wire [SAMPLE_W-1:0] way_next  = way_end ? {SAMPLE_W{1'b0}} : way_q + 1'b1;
  // words of the next sample; in a circuit also those of the same sample's next member
  wire               wta_again  = wta_done && !k_end;
  wire [ERROR_AW-1:0] error_add = wta_valid ? wta_stride_q : {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1;
  wire [SELF_AW-1:0]  pair_add  = wta_valid ? {{(SELF_AW-SAMPLE_W){1'b0}}, cfg_sample_last_i} + 1'b1 :
      {{(SELF_AW-1){1'b0}}, 1'b1};
  wire [ERROR_AW-1:0] error_d   = (wta_again ? wta_error_q : error_q) + error_add;
  wire [SELF_AW-1:0]  pair_d    = (wta_again ? wta_pair_q : pair_q) + pair_add;

  always @(posedge clk_i) begin
    locals_q <= locals_q + {2'd0, local_done_i} - {2'd0, start};
    draws_q  <= draws_q + {2'd0, draws_done_i} - {2'd0, start};
`ifdef TERN_TESTBUG_FIRE_SUMS_KEPT
    if (start) sums_q <= 1'b0;
    else if (sums_valid_i && state_q != ST_WAIT) sums_q <= 1'b1;
`else
    if (sums_valid_i) sums_q <= 1'b1;
    else if (start) sums_q <= 1'b0;
`endif
    if (drain_q != 3'd0) drain_q <= drain_q - 3'd1;
    case (state_q)
      ST_WAIT: if (start) begin
        state_q <= ST_RUN;
        k_q     <= {SAMPLE_W{1'b0}};
`ifdef TERN_TESTBUG_FIRE_FRAME_OF_NEXT
        if (neuron_q == {NEURON_W{1'b0}}) frame_q <= frame_first;
`else
        frame_q <= frame_first;
`endif
        way_q   <= {SAMPLE_W{1'b0}};
        group_q <= group;
`ifdef TERN_TESTBUG_FIRE_WTA_GROUP
        group_new_q <= (neuron_q == {NEURON_W{1'b0}}) || (group != group_q);
`else
        if (!member || member_q == {WTA_AW{1'b0}}) group_new_q <= (neuron_q == {NEURON_W{1'b0}}) || (group != group_q);
`endif
        if (member && member_q == {WTA_AW{1'b0}}) begin
          wta_first_q  <= neuron_q;
          wta_error_q  <= error_q;
          wta_pair_q   <= pair_q;
          has_target_q <= 1'b0;
        end
        if (neuron_q == {{(NEURON_W-1){1'b0}}, 1'b1}) wta_stride_q <= error_q;
      end
      ST_RUN: begin
        k_q     <= k_q + 1'b1;
        frame_q <= frame_next;
        way_q   <= way_next;
        error_q <= error_d;
        pair_q  <= pair_d;
        if (k_end) begin
          state_q <= ST_DRAIN;
          drain_q <= member ? 3'd2 : 3'd6;
        end
      end
      ST_DRAIN: if (drain_q == 3'd0) begin
        state_q <= ST_WAIT;
        if (!decides) neuron_q <= neuron_q + 1'b1;
        else begin
          state_q <= ST_WTA;
          k_q     <= {SAMPLE_W{1'b0}};
          frame_q <= frame_first;
          way_q   <= {SAMPLE_W{1'b0}};
`ifdef TERN_TESTBUG_FIRE_WTA_ERROR_ON
          error_q <= error_q;
`else
          error_q <= wta_error_q;
`endif
          pair_q  <= wta_pair_q;
        end
`ifdef TERN_TESTBUG_FIRE_WTA_MEMBER_ON
        if (member) member_q <= member_q + 1'b1;
`else
        if (member && !decides) member_q <= member_q + 1'b1;
`endif
`ifdef TERN_TESTBUG_FIRE_WTA_TARGET_HIGHEST
        if (member && target_q) begin
`else
        if (member && target_q && !has_target_q) begin
`endif
          has_target_q <= 1'b1;
          wta_target_q <= member_q;
        end
      end
      ST_WTA: begin
        if (wta_valid) group_q <= group;
        if ((wta_valid && wta_member != member_q) || wta_done) begin
          error_q <= error_d;
          pair_q  <= pair_d;
        end
        if (wta_done) begin
          k_q         <= k_q + 1'b1;
          frame_q     <= frame_next;
          way_q       <= way_next;
          wta_error_q <= error_d;
          wta_pair_q  <= pair_d;
          if (k_end) begin
            state_q  <= ST_WAIT;
            neuron_q <= neuron_q + 1'b1;
            member_q <= {WTA_AW{1'b0}};
          end
        end
      end
      default: ;
    endcase
    if (begin_i) begin
      state_q  <= ST_WAIT;
      neuron_q <= {NEURON_W{1'b0}};
      member_q <= {WTA_AW{1'b0}};
      error_q  <= {ERROR_AW{1'b0}};
      pair_q   <= {SELF_AW{1'b0}};
      locals_q <= 3'd0;
      draws_q  <= 3'd0;
      sums_q   <= 1'b0;
    end
    if (rst_i) state_q <= ST_IDLE;
  end

  assign idle_o         = (state_q == ST_IDLE) || ((state_q == ST_WAIT) && !sums_q);
  assign done_o         = done;
  // a neuron takes more than two cycles, so which one it is has been known for long
  // that it is visible, too; all members of a circuit are, or none
  reg                visible_last_q, visible_q;
  always @(posedge clk_i) begin
    visible_last_q <= ({1'b0, neuron_q} + 1'b1 == cfg_visible_i);
    visible_q      <= visible;
  end
  assign visible_done_o = done && visible_last_q;

  // ---- pipeline -------------------------------------------------------------------------------
  // 0 addresses, 1 sums, 2 shift and sum, 3 potential, table address, 4 table data, 5 spike, error, cross-entropy,
  // 6 results
  // A member's potentials end in stage 3. tern_wta gives its results in stage 5; the sample, from stage 0 on, has been
  // the same for long by then, but error word and pair have been the member's for two cycles only.
  wire [NEURON_W-1:0] who;
  wire [NEURON_W+1:0] neuron_wide = {2'd0, neuron_q};
  wire unused_wide = &{1'b0, neuron_wide};
  assign sample_re_o    = (state_q == ST_RUN) || (state_q == ST_WTA);
  assign place_raddr_o  = who;
  assign sum_re_o       = (state_q == ST_RUN);
  assign sum_raddr_o    = {neuron_q[0], k_q};
  assign acc_raddr_o    = {neuron_wide[1:0], k_q};
  assign draw_raddr_o   = {neuron_wide[1:0], k_q};
  assign target_raddr_o = group;

  reg                run1_q, run2_q, run3_q, run4_q, run5_q, run6_q;
  reg [SAMPLE_W-1:0] k1_q, k2_q, k3_q, k4_q, k5_q, k6_q;
  reg [ERROR_AW-1:0] error1_q, error2_q, error3_q, error4_q, error5_q, error6_q;
  reg [SELF_AW-1:0]  pair1_q, pair2_q, pair3_q, pair4_q, pair5_q, pair6_q;
  reg [HIST_AW-1:0]  frame1_q, frame2_q, frame3_q, frame4_q, frame5_q, frame6_q, base5_q, ways6_q; // base5_q: in way 0
  reg [SAMPLE_W-1:0] way1_q, way2_q, way3_q, way4_q, way5_q, way6_q;
  reg [15:0]         draw2_q, draw3_q, draw4_q, draw5_q;
  reg [11:0]         u4_q, u5_q;
  reg                limited4_q, limited5_q;
  reg [31:0]         table5_q;
  reg                target_q;
  wire [11:0]        u3;
  wire               limited3;
  tern_potential #(.ACC_W(ACC_W)) u_potential (
    .clk_i(clk_i), .local_f20_i(acc_rdata_i), .sum_shared_i(sum_shared_i),
    .sum_sample_i(has_sample_i ? sum_sample_i : {ACC_W{1'b0}}), .scale_i(cfg_scale_i), .u_f8_o(u3), .limited_o(limited3)
  );
  wire [11:0]        a3 = u3[11] ? -u3 : u3;
  assign table_raddr_o = a3[10:2];
  wire unused_a = &{1'b0, a3[11], a3[1:0]};

`ifdef TERN_TESTBUG_FIRE_CLAMP_IGNORED
  wire        clamp = 1'b0;
  wire unused_bug = &{1'b0, clamp_i};
`else
  wire        clamp = visible_q && clamp_i;
`endif
  wire        spike5, spike_alone;
  wire [16:0] p_alone;
  wire [15:0] e_alone, l_alone;
  tern_neuron u_neuron (
    .u_f8_i(u5_q), .draw_i(draw5_q), .clamp_i(clamp), .target_i(target_q), .sig_f16_i(table5_q[31:16]),
    .softplus_f12_i(table5_q[15:0]),
    .p_f16_o(p_alone), .spike_o(spike_alone), .e_f15_o(e_alone), .l_f12_o(l_alone)
  );

  // ---- circuits: potentials of all members and samples, {sample, member}; tables of their own --------
  generate
    if (WTA != 0) begin : g_wta
      wire [WTA_AW-1:0] u_raddr;
      wire [8:0]        exp_raddr;
      wire [7:0]        log_raddr;
      wire [15:0]       exp_rdata;
      wire [11:0]       log_rdata;
      wire              u_re, table_re;
      tern_ram #(.WIDTH(13), .DEPTH(1 << (SAMPLE_W + WTA_AW)), .ADDR_W(SAMPLE_W + WTA_AW)) u_u (
        .clk_i(clk_i), .we_i(run3_q && member), .waddr_i({k3_q, member_q}), .wdata_i({limited3, u3}), .re_i(u_re),
        .raddr_i({k_q, u_raddr}), .rdata_o(wta_u)
      );
      wire [31:0]       unused_exp_host;
      tern_bank #(.WIDTH(16), .DEPTH(512), .ADDR_W(9), .TABLE(1)) u_exp (
        .clk_i(clk_i), .own_i(1'b0), .we_i(1'b0), .waddr_i(9'd0), .wdata_i(16'd0), .re_i(table_re), .raddr_i(exp_raddr),
        .rdata_o(exp_rdata), .clear_i(1'b0),
        .host_we_i(exp_we_i), .host_re_i(1'b0), .host_where_i(host_where_i), .host_wdata_i(host_wdata_i),
        .host_slice_i(6'd0), .host_rdata_o(unused_exp_host)
      );
      tern_bank #(.WIDTH(12), .DEPTH(256), .ADDR_W(8), .TABLE(1)) u_log (
        .clk_i(clk_i), .own_i(1'b0), .we_i(1'b0), .waddr_i(8'd0), .wdata_i(12'd0), .re_i(table_re), .raddr_i(log_raddr),
        .rdata_o(log_rdata), .clear_i(1'b0),
        .host_we_i(log_we_i), .host_re_i(log_re_i), .host_where_i(host_where_i), .host_wdata_i(host_wdata_i),
        .host_slice_i(6'd0), .host_rdata_o(log_host_o)
      );
      wire unused_host = &{1'b0, unused_exp_host};
`ifdef TERN_TESTBUG_FIRE_WTA_WAITS_DRAWS
      wire wta_start = (state_q == ST_WTA) && !wta_busy && (draws_q != 3'd0);
`else
      wire wta_start = (state_q == ST_WTA) && !wta_busy;
`endif
      // the largest potential of each sample, at least 0
      wire [10:0]       top;
      wire [10:0]       top_before = (member_q == {WTA_AW{1'b0}}) ? 11'd0 : top;
      wire              higher = !u3[11] && u3[10:0] > top_before;
      tern_regfile #(.WIDTH(11), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_top (
`ifdef TERN_TESTBUG_FIRE_WTA_TOP_KEPT
        .clk_i(clk_i), .we_i(run3_q && member && higher), .waddr_i(k3_q), .wdata_i(u3[10:0]),
`else
        .clk_i(clk_i), .we_i(run3_q && member), .waddr_i(k3_q), .wdata_i(higher ? u3[10:0] : top_before),
`endif
        .raddr_i((state_q == ST_WTA) ? k_q : k3_q), .rdata_o(top)
      );
      tern_wta #(.WTA(WTA), .WTA_AW(WTA_AW)) u_wta (
        .clk_i(clk_i), .rst_i(rst_i), .start_i(wta_start), .last_i(member_q), .busy_o(wta_busy), .top_i(top),
        .draw_i(draw5_q), .clamp_i(clamp),
        .has_target_i(has_target_q), .target_i(wta_target_q), .u_re_o(u_re), .u_raddr_o(u_raddr),
        .u_rdata_i(wta_u[11:0]), .table_re_o(table_re),
        .exp_raddr_o(exp_raddr), .exp_rdata_i(exp_rdata), .log_raddr_o(log_raddr), .log_rdata_i(log_rdata),
        .valid_o(wta_valid), .member_o(wta_member),
        .p_f16_o(wta_p), .spike_o(wta_spike), .e_f15_o(wta_e), .done_o(wta_done), .l_f12_o(wta_l)
      );
      wire [NEURON_W+WTA_AW-1:0] member_at = {{WTA_AW{1'b0}}, wta_first_q} + {{NEURON_W{1'b0}}, wta_member};
`ifdef TERN_TESTBUG_FIRE_WTA_PLACE
      assign who = neuron_q;
`else
      assign who = (state_q == ST_WTA) ? member_at[NEURON_W-1:0] : neuron_q;
`endif
      wire unused_at = &{1'b0, member_at};
    end else begin : g_alone
      assign wta_busy   = 1'b0;
      assign wta_valid  = 1'b0;
      assign wta_member = {WTA_AW{1'b0}};
      assign wta_p      = 17'd0;
      assign wta_spike  = 1'b0;
      assign wta_e      = 16'd0;
      assign wta_done   = 1'b0;
      assign wta_l      = 17'd0;
      assign wta_u      = 13'd0;
      assign who        = neuron_q;
      assign log_host_o = 32'd0;
      wire unused_wta = &{1'b0, exp_we_i, log_we_i, log_re_i, host_where_i, host_wdata_i, has_target_q, wta_target_q,
          wta_busy};
    end
  endgenerate
  wire unused_wta_u = &{1'b0, wta_u, wta_p}; // records only
  assign spike5 = wta_valid ? wta_spike : spike_alone;

  // spikes of the LANES positions of a group are collected per sample; the neurons of a group follow each other
  wire [LANES-1:0] lane_bit;
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_lane
      if (LANES == 1) begin : g_one
        assign lane_bit[n] = 1'b1;
      end else begin : g_many
        assign lane_bit[n] = (place_rdata_i[8 +: LANE_W] == n);
      end
    end
  endgenerate
  wire [LANES-1:0] collected;
`ifdef TERN_TESTBUG_FIRE_WTA_FRAME
  wire             begins  = wta_valid ? (wta_member == {WTA_AW{1'b0}} || group != group_q) : group_new_q;
`else
  wire             begins  = (wta_valid && wta_member != {WTA_AW{1'b0}}) ? (group != group_q) : group_new_q;
`endif
  wire [LANES-1:0] earlier = begins ? {LANES{1'b0}} : collected;
  wire [LANES-1:0] now    = earlier | (lane_bit & {LANES{spike5}});
  tern_regfile #(.WIDTH(LANES), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_collect (
    .clk_i(clk_i), .we_i(run5_q || wta_valid), .waddr_i(k5_q), .wdata_i(now), .raddr_i(k5_q), .rdata_o(collected)
  );

`ifdef TERN_TESTBUG_FIRE_LOSS_OF_HIDDEN
  wire            loss5 = run5_q || wta_done;
  wire            unused_bug_visible = visible_q;
`else
  wire            loss5 = (run5_q || wta_done) && visible_q;
`endif
  reg             spike6_q, loss6_q, loss_first6_q;
  reg [15:0]      e6_q;
  reg [16:0]      l6_q;
  reg [NEURON_W-1:0] neuron6_q;
  reg [LANES-1:0] frame_word6_q;
  always @(posedge clk_i) begin
    run1_q <= (state_q == ST_RUN); run2_q <= run1_q; run3_q <= run2_q; run4_q <= run3_q && !member; run5_q <= run4_q;
    run6_q <= run5_q || wta_valid;
    k1_q <= k_q; k2_q <= k1_q; k3_q <= k2_q; k4_q <= k3_q; k5_q <= k4_q; k6_q <= k5_q;
`ifdef TERN_TESTBUG_FIRE_LAG_BEYOND
    error1_q <= error_q + {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_head_i} + 1'b1;
`else
    error1_q <= error_q + {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_head_i};
`endif
    error2_q <= error1_q; error3_q <= error2_q; error4_q <= error3_q; error5_q <= error4_q;
    error6_q <= wta_valid ? error1_q : error5_q;
    pair1_q <= pair_q; pair2_q <= pair1_q; pair3_q <= pair2_q; pair4_q <= pair3_q; pair5_q <= pair4_q;
    pair6_q <= wta_valid ? pair1_q : pair5_q;
    frame1_q <= frame_q; frame2_q <= frame1_q; frame3_q <= frame2_q; frame4_q <= frame3_q; frame5_q <= frame4_q;
    base5_q <= (WAYS == 1) ? frame4_q : frame4_q + cfg_sample_hist0_i; frame6_q <= base5_q + group;
    ways6_q <= frame5_q + group;
    way1_q <= way_q; way2_q <= way1_q; way3_q <= way2_q; way4_q <= way3_q; way5_q <= way4_q; way6_q <= way5_q;
    draw2_q <= draw_rdata_i; draw3_q <= draw2_q; draw4_q <= draw3_q; draw5_q <= draw4_q;
    u4_q <= u3; u5_q <= u4_q;
    limited4_q <= limited3; limited5_q <= limited4_q;
    table5_q <= table_rdata_i;
    neuron6_q <= who;
    target_q <= |(target_rdata_i & lane_bit);
    spike6_q <= spike5;
`ifdef TERN_TESTBUG_FIRE_ERROR_KEPT
    e6_q <= wta_valid ? wta_e : e_alone;
`else
    e6_q <= !learn_i ? 16'd0 : wta_valid ? wta_e : e_alone;
`endif
    l6_q <= wta_done ? wta_l : {1'b0, l_alone};
    loss6_q <= loss5;
    loss_first6_q <= ((wta_done ? wta_first_q : neuron_q) == {NEURON_W{1'b0}});
`ifdef TERN_TESTBUG_FIRE_FRAME_LANE
    frame_word6_q <= {now, now} >> (LANES - 1);
`else
    frame_word6_q <= now;
`endif
    if (rst_i) begin
      run1_q <= 1'b0; run2_q <= 1'b0; run3_q <= 1'b0; run4_q <= 1'b0; run5_q <= 1'b0; run6_q <= 1'b0; loss6_q <= 1'b0;
    end
  end

  assign error_we_o    = run6_q;
  assign error_waddr_o = error6_q;
  assign error_wdata_o = e6_q;
  assign spike_we_o    = run6_q;
  assign spike_waddr_o = pair6_q;
  assign spike_wdata_o = spike6_q;
  genvar v;
  generate
    for (v = 0; v < WAYS; v = v + 1) begin : g_way
      assign frame_we_o[v] = run6_q && (WAYS == 1 || way6_q == v);
    end
  endgenerate
  assign frame_waddr_o = frame6_q;
  assign ways_waddr_o  = ways6_q;
  wire unused_ways = &{1'b0, way6_q, ways6_q};
  assign frame_wdata_o = frame_word6_q;
  assign fired_neuron_o = neuron6_q;
`ifdef TERN_TESTBUG_FIRE_SAMPLE_AHEAD
  assign fired_sample_o = k_q;
`else
  assign fired_sample_o = k6_q;
`endif
  assign loss_re_o     = loss5;
  assign loss_raddr_o  = k5_q;
  assign loss_valid_o  = loss6_q;
  assign loss_first_o  = loss_first6_q;
  assign loss_sample_o = k6_q;
  assign loss_f12_o    = l6_q;
  assign sat_potential_o = run3_q && limited3;

`ifdef TERN_COSIM
  assign ev_n_valid_o   = run5_q || wta_valid;
  assign ev_n_neuron_o  = who;
  assign ev_n_sample_o  = k5_q;
  assign ev_n_u_o       = wta_valid ? wta_u[11:0] : u5_q;
  assign ev_n_p_o       = wta_valid ? wta_p : p_alone;
  assign ev_n_draw_o    = clamp ? 16'd0 : draw5_q;
  assign ev_n_spike_o   = spike5;
  assign ev_n_clamp_o   = clamp;
  assign ev_n_limited_o = wta_valid ? wta_u[12] : limited5_q;
`else
  wire unused_ev = &{1'b0, p_alone, limited5_q};
`endif
endmodule

`default_nettype wire
