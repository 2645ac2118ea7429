// tern_draw.v : makes the random words of the neurons: each one's dither word, then its spike draws
// SPDX-License-Identifier: Apache-2.0
//
// Function  docs/21-numerics.md, section 7, neuron by neuron: dither (purpose 1) if an update is pending, then one
//           block per four samples (purpose 0) if the neuron draws its spikes: not in a flush, nor if it takes them
//           from its target. Words, and what tern_learn makes, are kept for four neurons, so a neuron begins here when
//           the fourth one before it is finished
// C model   runtime/blocks/tern_random.c, tern_random_block()
// Cycles    for each neuron 1, 22 per block (start to done of tern_random, and one to start it), 1 for each draw that
//           is written, or 1 if there is none
`default_nettype none

module tern_draw #(
  parameter SAMPLE_W = 3,
  parameter NEURON_W = 8
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                begin_i,
  input  wire                update_i,
  input  wire                potential_i,
  input  wire                clamp_i,        // visible neurons take their target
  output wire                idle_o,
  output wire                begun_o,        // pulse: a neuron begins
  output wire                dither_done_o,  // pulse: the dither word of a neuron is there in the next cycle
  output wire                draws_done_o,   // pulse: all spike draws of a neuron are written, or it needs none
  input  wire                pass_end_i,     // pulse: tern_pass has executed the last row of a neuron
  input  wire                fire_done_i,    // pulse: tern_fire has finished a neuron
  // output
  output wire [127:0]        s_words_o,      // of neurons whose number mod 4 is 0 (lowest), .. 3
  // memory: draws, address {neuron number, bits 1..0; sample}
  output wire                draw_we_o,
  output wire [SAMPLE_W+1:0] draw_waddr_o,
  output wire [15:0]         draw_wdata_o,
  // config
  input  wire [63:0]         cfg_seed_i,
  input  wire [31:0]         cfg_step_i,
  input  wire [11:0]         cfg_group0_i,   // k0 / 4
  input  wire [NEURON_W-1:0] cfg_neuron_last_i,
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire [NEURON_W:0]   cfg_visible_i   // visible neurons
);
  localparam [2:0] ST_IDLE = 3'd0, ST_DITHER = 3'd1, ST_SPIKE = 3'd2, ST_WRITE = 3'd3, ST_NONE = 3'd4,
                   ST_NEXT = 3'd5;
  // neurons that are kept (two bits of a neuron's number are part of the addresses)
`ifdef TERN_TESTBUG_DRAW_AHEAD
  wire [2:0]  ahead = 3'd5;
`else
  wire [2:0]  ahead = 3'd4;
`endif
  reg  [2:0]  state_q;
  reg  [2:0]  open_q, unfired_q; // neurons begun that tern_pass has not ended; that tern_fire has not finished
  reg         go_q;
  reg  [5:0]  k_q;        // sample to write next
  reg  [127:0] s_q;
  integer      s;
  reg  [NEURON_W-1:0] neuron_q;

  wire        done;
  wire [31:0] x0, x1;
`ifdef TERN_TESTBUG_DRAW_GROUP_IGNORED
  wire [9:0]  group  = {6'd0, k_q[5:2]};
  wire unused_bug = &{1'b0, cfg_group0_i};
`else
  wire [11:0] group  = cfg_group0_i + {8'd0, k_q[5:2]};
`endif
  wire        dither = (state_q == ST_DITHER);
`ifdef TERN_TESTBUG_DRAW_COUNTER
  wire [15:0] who = {{(16-NEURON_W){1'b0}}, neuron_q} ^ 16'd1;
`else
  wire [15:0] who = {{(16-NEURON_W){1'b0}}, neuron_q};
`endif
  wire [31:0] counter = dither ? {4'd1, 12'd0, who} : {4'd0, group, who};
  tern_random u_random (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(go_q), .key0_i(cfg_seed_i[31:0]), .key1_i(cfg_seed_i[63:32]),
    .ctr0_i(cfg_step_i), .ctr1_i(counter),
    .done_o(done), .x0_o(x0), .x1_o(x1)
  );

  wire [5:0] k_last = {{(6-SAMPLE_W){1'b0}}, cfg_sample_last_i};
  wire       all    = (k_q == k_last);
`ifdef TERN_TESTBUG_DRAW_NEVER_CLAMPED
  wire       clamped = 1'b0;
  wire unused_bug_clamp = &{1'b0, clamp_i};
`else
  wire       clamped = clamp_i;
`endif
`ifdef TERN_TESTBUG_DRAW_ALL_CLAMPED
  wire       spikes = potential_i && !clamped;
  wire unused_bug_visible = &{1'b0, cfg_visible_i};
`else
  wire       spikes = potential_i && !(clamped && {1'b0, neuron_q} < cfg_visible_i);
`endif
  wire       ends   = ((state_q == ST_WRITE) && all) || (state_q == ST_NONE);
  wire       start  = (state_q == ST_NEXT) && (open_q < ahead) && (unfired_q < ahead);
  wire [NEURON_W+1:0] neuron_wide = {2'd0, neuron_q};
  wire unused_wide = &{1'b0, neuron_wide};
  always @(posedge clk_i) begin
    go_q      <= 1'b0;
    open_q    <= open_q + {2'd0, start} - {2'd0, pass_end_i};
    unfired_q <= unfired_q + {2'd0, start && potential_i} - {2'd0, fire_done_i};
    if (start) begin
      k_q     <= 6'd0;
      go_q    <= update_i || spikes;
      state_q <= update_i ? ST_DITHER : spikes ? ST_SPIKE : ST_NONE;
    end
    if (state_q == ST_DITHER && done) begin
      go_q    <= spikes;
      state_q <= spikes ? ST_SPIKE : ST_NONE;
    end
    if (state_q == ST_SPIKE && done) state_q <= ST_WRITE;
    if (state_q == ST_WRITE) begin
      k_q <= k_q + 6'd1;
      if (!all && k_q[1:0] == 2'd3) begin
        go_q    <= 1'b1;
        state_q <= ST_SPIKE;
      end
    end
    // word by word: Yosys makes a shifter of all 128 bits of a part select that is written
    for (s = 0; s < 4; s = s + 1)
      if (dither_done_o && neuron_wide[1:0] == s[1:0]) s_q[32*s +: 32] <= x0;
    if (ends) begin
      neuron_q <= neuron_q + 1'b1;
      state_q  <= (neuron_q == cfg_neuron_last_i) ? ST_IDLE : ST_NEXT;
    end
    if (begin_i) begin
      neuron_q  <= {NEURON_W{1'b0}};
      state_q   <= ST_NEXT;
      open_q    <= 3'd0;
      unfired_q <= 3'd0;
    end
    if (rst_i) begin
      state_q <= ST_IDLE;
      go_q    <= 1'b0;
    end
  end

  assign idle_o         = (state_q == ST_IDLE);
  assign begun_o        = start;
  assign dither_done_o  = (state_q == ST_DITHER) && done;
  assign draws_done_o   = ends && potential_i;
  assign s_words_o      = s_q;
  assign draw_we_o      = (state_q == ST_WRITE);
  assign draw_waddr_o   = {neuron_wide[1:0], k_q[SAMPLE_W-1:0]};
`ifdef TERN_TESTBUG_DRAW_HALVES_SWAPPED
  assign draw_wdata_o   = k_q[1] ? (k_q[0] ? x1[15:0] : x1[31:16]) : (k_q[0] ? x0[15:0] : x0[31:16]);
`else
  assign draw_wdata_o   = k_q[1] ? (k_q[0] ? x1[31:16] : x1[15:0]) : (k_q[0] ? x0[31:16] : x0[15:0]);
`endif
endmodule

`default_nettype wire
