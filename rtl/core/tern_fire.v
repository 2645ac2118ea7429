// tern_fire.v : closes a neuron: potentials to spikes, errors and cross-entropies, one sample per cycle
// SPDX-License-Identifier: Apache-2.0
//
// Function  N-3..N-7 for each sample of the neuron whose sums tern_pass hands over
// C model   runtime/engine/tern_golden.c, fire()
// Cycles    sums_valid, started potentials and draws there in cycle 0: first sample in cycle 1, done_o in cycle K + 5
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
  parameter HIST_AW  = 10
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
  output wire [SAMPLE_W:0]   sum_raddr_o,
  input  wire [ACC_W-1:0]    sum_sample_i,
  // memory
  output wire                sample_re_o,   // started potentials and draws are read
  output wire [SAMPLE_W:0]   acc_raddr_o,   // started potentials, {parity, sample}
  input  wire [ACC_W-1:0]    acc_rdata_i,
  output wire [SAMPLE_W:0]   draw_raddr_o,
  input  wire [15:0]         draw_rdata_i,
  output wire [NEURON_W-1:0] place_raddr_o, // {group, lane, visible}
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
  output wire                frame_we_o,    // spikes of a group of LANES positions
  output wire [HIST_AW-1:0]  frame_waddr_o,
  output wire [LANES-1:0]    frame_wdata_o,
  // to tern_signal
  output wire                loss_valid_o,
  output wire                loss_first_o,  // first visible neuron: starts the sum
  output wire [SAMPLE_W-1:0] loss_sample_o,
  output wire [15:0]         loss_f12_o,
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
  localparam [1:0] ST_IDLE = 2'd0, ST_WAIT = 2'd1, ST_RUN = 2'd2, ST_DRAIN = 2'd3;
  reg [1:0]          state_q;
  reg [2:0]          drain_q;
  reg [NEURON_W-1:0] neuron_q;
  reg [SAMPLE_W-1:0] k_q;
  reg [1:0]          locals_q, draws_q;   // neurons ready and not yet closed (0..2)
  reg [ERROR_AW-1:0] error_q;             // error word of (neuron, sample, 0)
  reg [SELF_AW-1:0]  pair_q;
  reg [HIST_AW-1:0]  frame_q;
  reg                sums_q;
  reg  [HIST_AW-1:0] group_q;             // group of the neuron before
  reg                group_new_q;         // the neuron at hand begins a group

  wire               k_end = (k_q == cfg_sample_last_i);
  wire               ready = (locals_q != 2'd0) && (draws_q != 2'd0) && sums_q;
  wire               start = (state_q == ST_WAIT) && ready;
  wire               done  = (state_q == ST_DRAIN) && (drain_q == 3'd0);
  wire [HIST_AW-1:0] group   = place_rdata_i[16 +: HIST_AW];
  wire               visible = place_rdata_i[0];
  wire unused_place = &{1'b0, place_rdata_i};

  always @(posedge clk_i) begin
    locals_q <= locals_q + {1'b0, local_done_i} - {1'b0, start};
    draws_q  <= draws_q + {1'b0, draws_done_i} - {1'b0, start};
    if (sums_valid_i) sums_q <= 1'b1;
    else if (start) sums_q <= 1'b0;
    if (drain_q != 3'd0) drain_q <= drain_q - 3'd1;
    case (state_q)
      ST_WAIT: if (start) begin
        state_q <= ST_RUN;
        k_q     <= {SAMPLE_W{1'b0}};
        frame_q <= cfg_sample_hist0_i + group;
        group_q <= group;
        group_new_q <= (neuron_q == {NEURON_W{1'b0}}) || (group != group_q);
      end
      ST_RUN: begin
        k_q     <= k_q + 1'b1;
        frame_q <= frame_q + cfg_sample_words_i;
        error_q <= error_q + {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1;
        pair_q  <= pair_q + 1'b1;
        if (k_end) begin
          state_q <= ST_DRAIN;
          drain_q <= 3'd4;
        end
      end
      ST_DRAIN: if (drain_q == 3'd0) begin
        state_q  <= ST_WAIT;
        neuron_q <= neuron_q + 1'b1;
      end
      default: ;
    endcase
    if (begin_i) begin
      state_q  <= ST_WAIT;
      neuron_q <= {NEURON_W{1'b0}};
      error_q  <= {ERROR_AW{1'b0}};
      pair_q   <= {SELF_AW{1'b0}};
      locals_q <= 2'd0;
      draws_q  <= 2'd0;
      sums_q   <= 1'b0;
    end
    if (rst_i) state_q <= ST_IDLE;
  end

  assign idle_o         = (state_q == ST_IDLE) || ((state_q == ST_WAIT) && !sums_q);
  assign done_o         = done;
  assign visible_done_o = done && ({1'b0, neuron_q} + 1'b1 == cfg_visible_i);

  // ---- pipeline: 0 addresses, 1 sums, 2 table address, 3 table data, 4 results ---------------------
  assign sample_re_o    = (state_q == ST_RUN);
  assign place_raddr_o  = neuron_q;
  assign sum_raddr_o    = {neuron_q[0], k_q};
  assign acc_raddr_o    = {neuron_q[0], k_q};
  assign draw_raddr_o   = {neuron_q[0], k_q};
  assign target_raddr_o = group;

  reg                run1_q, run2_q, run3_q, run4_q;
  reg [SAMPLE_W-1:0] k1_q, k2_q, k3_q, k4_q;
  reg [ERROR_AW-1:0] error1_q, error2_q, error3_q, error4_q;
  reg [SELF_AW-1:0]  pair1_q, pair2_q, pair3_q, pair4_q;
  reg [HIST_AW-1:0]  frame1_q, frame2_q, frame3_q, frame4_q;
  reg [ACC_W-1:0]    sample1_q;
  reg [15:0]         draw2_q, draw3_q;
  reg [11:0]         u2_q, u3_q;
  reg                limited2_q, limited3_q;
  reg                target_q;
  wire [11:0]        u1;
  wire               limited1;
  tern_potential #(.ACC_W(ACC_W)) u_potential (
    .local_f20_i(acc_rdata_i), .sum_shared_i(sum_shared_i), .sum_sample_i(sample1_q), .scale_i(cfg_scale_i), .u_f8_o(u1), .limited_o(limited1)
  );
  wire [11:0]        a2 = u2_q[11] ? -u2_q : u2_q;
  assign table_raddr_o = a2[10:2];
  wire unused_a = &{1'b0, a2[11], a2[1:0]};

`ifdef TERN_TESTBUG_FIRE_CLAMP_IGNORED
  wire        clamp = 1'b0;
  wire unused_bug = &{1'b0, clamp_i};
`else
  wire        clamp = visible && clamp_i;
`endif
  wire        spike3;
  wire [16:0] p3;
  wire [15:0] e3, l3;
  tern_neuron u_neuron (
    .u_f8_i(u3_q), .draw_i(draw3_q), .clamp_i(clamp), .target_i(target_q), .sig_f16_i(table_rdata_i[31:16]), .softplus_f12_i(table_rdata_i[15:0]),
    .p_f16_o(p3), .spike_o(spike3), .e_f15_o(e3), .l_f12_o(l3)
  );

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
  wire [LANES-1:0] earlier = group_new_q ? {LANES{1'b0}} : collected;
  wire [LANES-1:0] now    = earlier | (lane_bit & {LANES{spike3}});
  wire [LANES-1:0] unused_b;
  tern_regfile #(.WIDTH(LANES), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_collect (
    .clk_i(clk_i), .we_i(run3_q), .waddr_i(k3_q), .wdata_i(now), .raddr_a_i(k3_q), .rdata_a_o(collected), .raddr_b_i(k3_q), .rdata_b_o(unused_b)
  );
  wire unused_read = &{1'b0, unused_b};

  reg             spike4_q;
  reg [15:0]      e4_q, l4_q;
  reg [LANES-1:0] frame_word4_q;
  always @(posedge clk_i) begin
    run1_q <= (state_q == ST_RUN); run2_q <= run1_q; run3_q <= run2_q; run4_q <= run3_q;
    k1_q <= k_q; k2_q <= k1_q; k3_q <= k2_q; k4_q <= k3_q;
    error1_q <= error_q + {{(ERROR_AW-LAG_W){1'b0}}, cfg_lag_head_i}; error2_q <= error1_q; error3_q <= error2_q; error4_q <= error3_q;
    pair1_q <= pair_q; pair2_q <= pair1_q; pair3_q <= pair2_q; pair4_q <= pair3_q;
    frame1_q <= frame_q; frame2_q <= frame1_q; frame3_q <= frame2_q; frame4_q <= frame3_q;
    sample1_q <= has_sample_i ? sum_sample_i : {ACC_W{1'b0}};
    draw2_q <= draw_rdata_i; draw3_q <= draw2_q;
    u2_q <= u1; u3_q <= u2_q;
    limited2_q <= limited1; limited3_q <= limited2_q;
    target_q <= |(target_rdata_i & lane_bit);
    spike4_q <= spike3;
`ifdef TERN_TESTBUG_FIRE_ERROR_KEPT
    e4_q <= e3;
`else
    e4_q <= learn_i ? e3 : 16'd0;
`endif
    l4_q <= l3;
`ifdef TERN_TESTBUG_FIRE_FRAME_LANE
    frame_word4_q <= {now, now} >> (LANES - 1);
`else
    frame_word4_q <= now;
`endif
    if (rst_i) begin
      run1_q <= 1'b0; run2_q <= 1'b0; run3_q <= 1'b0; run4_q <= 1'b0;
    end
  end

  assign error_we_o    = run4_q;
  assign error_waddr_o = error4_q;
  assign error_wdata_o = e4_q;
  assign spike_we_o    = run4_q;
  assign spike_waddr_o = pair4_q;
  assign spike_wdata_o = spike4_q;
  assign frame_we_o    = run4_q;
  assign frame_waddr_o = frame4_q;
  assign frame_wdata_o = frame_word4_q;
`ifdef TERN_TESTBUG_FIRE_LOSS_OF_HIDDEN
  assign loss_valid_o  = run4_q;
`else
  assign loss_valid_o  = run4_q && visible;
`endif
  assign loss_first_o  = (neuron_q == {NEURON_W{1'b0}});
  assign loss_sample_o = k4_q;
  assign loss_f12_o    = l4_q;
  assign sat_potential_o = run3_q && limited3_q;

`ifdef TERN_COSIM
  assign ev_n_valid_o   = run3_q;
  assign ev_n_neuron_o  = neuron_q;
  assign ev_n_sample_o  = k3_q;
  assign ev_n_u_o       = u3_q;
  assign ev_n_p_o       = p3;
  assign ev_n_draw_o    = clamp ? 16'd0 : draw3_q;
  assign ev_n_spike_o   = spike3;
  assign ev_n_clamp_o   = clamp;
  assign ev_n_limited_o = limited3_q;
`else
  wire unused_ev = &{1'b0, p3};
`endif
endmodule

`default_nettype wire
