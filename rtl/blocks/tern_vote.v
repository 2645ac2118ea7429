// tern_vote.v : class counters, decisions of the samples and their vote
// SPDX-License-Identifier: Apache-2.0
//
// Function  While steps run: spikes and step of the first spike of each class in each sample. vote_i: decision of each
//           sample, votes and spikes of the classes, winner, counters cleared [N-27, N-28]. example_i: the same with
//           everything 0.
// C model   runtime/blocks/tern_vote.c, tern_vote_step(), tern_vote_close(), tern_vote_begin()
// Cycles    busy for K (2 n + 2) + 5 n, n classes; a spike costs none
// Numerics  counts and steps 16 bits, both stop at 65535; votes and sums of spikes 32 bits
`default_nettype none

module tern_vote #(
  // Classes, 1..1024.
  parameter CLASSES  = 16,
  // Samples, 1..32, and bits of a sample's number.
  parameter SAMPLES  = 8,
  parameter SAMPLE_W = 3,
  // Bits of a neuron's number.
  parameter NEURON_W = 8
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                begin_i,   // pulse: a step begins that is no flush
  input  wire                vote_i,    // pulse
  input  wire                example_i, // pulse
  output wire                busy_o,
  // input: what tern_fire reports, the samples of a neuron or circuit in ascending order
  input  wire                fired_valid_i,
  input  wire [NEURON_W-1:0] fired_neuron_i,
  input  wire [SAMPLE_W-1:0] fired_sample_i,
  input  wire                fired_spike_i,
  // config
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire [15:0]         cfg_class_first_i, // neuron of class 0
  input  wire [14:0]         cfg_class_count_i, // 0: no classes; more than CLASSES: CLASSES
  input  wire                cfg_class_spike_i, // decide by the first spike
  // output
  output wire [31:0]         winner_o,
  // host: counters, votes, decisions
  input  wire [2:0]          host_we_i,
  input  wire [2:0]          host_re_i,
  input  wire [23:0]         host_where_i,
  input  wire [31:0]         host_wdata_i,
  output wire [31:0]         host_count_o,
  output wire [31:0]         host_votes_o,
  output wire [31:0]         host_decision_o
);
  generate
    if (CLASSES < 1 || CLASSES > 1024 || SAMPLES < 1 || SAMPLES > 32) begin : g_check
      tern_vote_error_CLASSES_or_SAMPLES_out_of_range u_error ();
    end
  endgenerate

  localparam CLASS_AW = (CLASSES > 2) ? $clog2(CLASSES) : 1;
  localparam COUNT_AW = ($clog2(SAMPLES * CLASSES) > CLASS_AW) ? $clog2(SAMPLES * CLASSES) : CLASS_AW + 1;
  localparam [COUNT_AW-1:0] STRIDE = CLASSES[COUNT_AW-1:0];
  localparam [15:0] NEVER = 16'hffff;

  localparam [3:0] ST_IDLE = 4'd0, ST_READ = 4'd1, ST_COMPARE = 4'd2, ST_VOTE_READ = 4'd3, ST_VOTE = 4'd4,
                   ST_BEST_VOTES = 4'd5, ST_VOTES = 4'd6, ST_BEST_SPIKES = 4'd7, ST_SPIKES = 4'd8, ST_WINNER = 4'd9;
  reg  [3:0]          state_q;
  reg                 fresh_q;          // new example
  reg  [SAMPLE_W-1:0] k_q;
  reg  [CLASS_AW-1:0] c_q, best_q;
  reg  [COUNT_AW-1:0] row_q;            // counter of class 0 in the current sample
  reg  [31:0]         hold_q;           // what the next value has to exceed
  reg                 above_q, equal_q; // votes of c_q above, equal to those of best_q
  reg  [15:0]         step_q;           // step in the example
  reg                 begun_q;          // a step has begun since the counters were cleared

  wire       start   = (vote_i || example_i) && (cfg_class_count_i != 15'd0);
  wire [14:0] c_more = {{(15-CLASS_AW){1'b0}}, c_q} + 15'd1;
  // a host may write anything: there are never more classes than counters
`ifdef TERN_TESTBUG_VOTE_CLASSES_BEYOND
  wire [14:0] count  = cfg_class_count_i;
`else
  wire [14:0] count  = (cfg_class_count_i > CLASSES[14:0]) ? CLASSES[14:0] : cfg_class_count_i;
`endif
  wire       c_end   = (c_more == count);
  wire       k_end   = (k_q == cfg_sample_last_i);
  wire       compare = (state_q == ST_COMPARE);

  // ---- spikes ------------------------------------------------------------------
`ifdef TERN_TESTBUG_VOTE_FIRST_CLASS
  wire [16:0]         class_of = {1'b0, {(16-NEURON_W){1'b0}}, fired_neuron_i};
  wire unused_first = &{1'b0, cfg_class_first_i};
`else
  wire [16:0]         class_of = {1'b0, {(16-NEURON_W){1'b0}}, fired_neuron_i} - {1'b0, cfg_class_first_i};
`endif
  wire                mine     = fired_valid_i && fired_spike_i && (class_of < {2'd0, count});
  // row of the sample: the samples of a neuron come one after the other, those of a circuit's members member by member
  reg                 odd_q;
  wire [COUNT_AW-1:0] row_next  = row_q + STRIDE;
`ifdef TERN_TESTBUG_VOTE_ROW_ON
  wire [COUNT_AW-1:0] fired_row = (fired_sample_i == {SAMPLE_W{1'b0}}) ? {COUNT_AW{1'b0}} : row_next;
`else
  wire [COUNT_AW-1:0] fired_row = (fired_sample_i == {SAMPLE_W{1'b0}}) ? {COUNT_AW{1'b0}} :
      (fired_sample_i[0] == odd_q) ? row_q : row_next;
`endif
  reg                 mine1_q;
  reg  [COUNT_AW-1:0] addr1_q;

  // ---- memories ------------------------------------------------------------------
  wire [31:0] count_rdata, votes_rdata;
  wire [15:0] spikes1  = count_rdata[15:0];
  wire [15:0] first1   = count_rdata[31:16];
  wire [15:0] spikes_d = (spikes1 == 16'hffff) ? spikes1 : spikes1 + 16'd1;
`ifdef TERN_TESTBUG_VOTE_FIRST_MOVES
  wire [15:0] first_d  = step_q;
`else
  wire [15:0] first_d  = (first1 == NEVER) ? step_q : first1;
`endif
  wire [COUNT_AW-1:0] count_addr = row_q + {{(COUNT_AW-CLASS_AW){1'b0}}, c_q};
`ifdef TERN_TESTBUG_VOTE_COUNTERS_KEPT
  wire        count_clear = compare && fresh_q;
`else
  wire        count_clear = compare;
`endif
  tern_bank #(.WIDTH(32), .DEPTH(SAMPLES*CLASSES), .ADDR_W(COUNT_AW)) u_count (
    .clk_i(clk_i), .own_i(mine1_q || count_clear), .we_i(mine1_q || count_clear),
    .waddr_i(mine1_q ? addr1_q : count_addr), .wdata_i(mine1_q ? {first_d, spikes_d} : {NEVER, 16'd0}),
    .re_i(mine || state_q == ST_READ), .raddr_i(mine ? fired_row +
    {{(COUNT_AW-CLASS_AW){1'b0}}, class_of[CLASS_AW-1:0]} : count_addr), .rdata_o(count_rdata),
    .clear_i(1'b0),
    .host_we_i(host_we_i[0]), .host_re_i(host_re_i[0]), .host_where_i(host_where_i), .host_wdata_i(host_wdata_i),
    .host_slice_i(6'd0), .host_rdata_o(host_count_o)
  );
  // {class, 0}: votes; {class, 1}: spikes. Read and written in different cycles, but for ST_READ, which writes votes
  // and reads spikes
  wire               of_best   = (state_q == ST_VOTE_READ) || (state_q == ST_BEST_VOTES) || (state_q == ST_BEST_SPIKES);
  wire               of_spikes = (state_q == ST_READ) || (state_q == ST_BEST_SPIKES) || (state_q == ST_SPIKES);
`ifdef TERN_TESTBUG_VOTE_SPIKES_OF_LAST
  wire [31:0]        total     = compare ? {16'd0, spikes1} : votes_rdata + 32'd1;
`else
  wire [31:0]        total     = votes_rdata + (compare ? {16'd0, spikes1} : 32'd1);
`endif
  wire               voted     = (state_q == ST_VOTE) && !fresh_q;
  tern_bank #(.WIDTH(32), .DEPTH(2*CLASSES), .ADDR_W(CLASS_AW+1)) u_votes (
    .clk_i(clk_i), .own_i(compare || voted || (state_q == ST_READ && fresh_q)),
    .we_i(compare || voted || (state_q == ST_READ && fresh_q)), .waddr_i({voted ? best_q : c_q, compare}),
    .wdata_i(fresh_q ? 32'd0 : total),
    .re_i(of_best || of_spikes || state_q == ST_VOTES), .raddr_i({of_best ? best_q : c_q, of_spikes}),
    .rdata_o(votes_rdata),
    .clear_i(1'b0),
    .host_we_i(host_we_i[1]), .host_re_i(host_re_i[1]), .host_where_i(host_where_i), .host_wdata_i(host_wdata_i),
    .host_slice_i(6'd0), .host_rdata_o(host_votes_o)
  );
  wire [CLASS_AW-1:0] unused_decision;
  tern_bank #(.WIDTH(CLASS_AW), .DEPTH(SAMPLES), .ADDR_W(SAMPLE_W)) u_decision (
    .clk_i(clk_i), .own_i(state_q == ST_VOTE), .we_i(state_q == ST_VOTE), .waddr_i(k_q),
    .wdata_i(fresh_q ? {CLASS_AW{1'b0}} : best_q), .re_i(1'b0), .raddr_i({SAMPLE_W{1'b0}}), .rdata_o(unused_decision),
    .clear_i(1'b0),
    .host_we_i(host_we_i[2]), .host_re_i(host_re_i[2]), .host_where_i(host_where_i), .host_wdata_i(host_wdata_i),
    .host_slice_i(6'd0), .host_rdata_o(host_decision_o)
  );
  wire unused_read = &{1'b0, unused_decision, class_of};

  // ---- comparing: a decision's first criterion is in the upper half; a larger value wins, so steps are inverted
`ifdef TERN_TESTBUG_VOTE_DECODE_IGNORED
  wire [31:0] key    = {spikes1, ~first1};
  wire unused_decode = &{1'b0, cfg_class_spike_i};
`else
  wire [31:0] key    = cfg_class_spike_i ? {~first1, spikes1} : {spikes1, ~first1};
`endif
  wire [31:0] value  = compare ? key : votes_rdata;
`ifdef TERN_TESTBUG_VOTE_TIE_HIGHEST
  wire        above  = (value >= hold_q);
`else
  wire        above  = (value > hold_q);
`endif
  wire        better = compare ? (above || c_q == {CLASS_AW{1'b0}}) : (above_q || (equal_q && above));

  always @(posedge clk_i) begin
    if (begin_i) begin
      begun_q <= 1'b1;
      if (begun_q && step_q != NEVER) step_q <= step_q + 16'd1;
    end
    mine1_q <= mine;
    addr1_q <= fired_row + {{(COUNT_AW-CLASS_AW){1'b0}}, class_of[CLASS_AW-1:0]};
    if (fired_valid_i) begin
      row_q <= fired_row;
      odd_q <= fired_sample_i[0];
    end
    case (state_q)
      ST_IDLE: if (start) begin
        state_q <= ST_READ;
        fresh_q <= example_i;
        k_q     <= {SAMPLE_W{1'b0}};
        c_q     <= {CLASS_AW{1'b0}};
`ifdef TERN_TESTBUG_VOTE_STEP_KEPT
        if (example_i) begin
`else
        begin
`endif
          step_q  <= 16'd0;
          begun_q <= 1'b0;
        end
      end
      ST_READ: state_q <= ST_COMPARE;
      ST_COMPARE: begin
        if (better) begin
          best_q <= c_q;
          hold_q <= value;
        end
        c_q     <= c_end ? {CLASS_AW{1'b0}} : c_more[CLASS_AW-1:0];
        state_q <= c_end ? ST_VOTE_READ : ST_READ;
      end
      ST_VOTE_READ: state_q <= ST_VOTE;
      ST_VOTE: begin
        k_q     <= k_q + 1'b1;
        row_q   <= row_next;
        state_q <= k_end ? ST_BEST_VOTES : ST_READ;
        if (k_end) best_q <= {CLASS_AW{1'b0}};
      end
      // class by class: its votes and spikes against those of the best so far
      ST_BEST_VOTES: state_q <= ST_VOTES;
      ST_VOTES: begin
        hold_q  <= value;
        state_q <= ST_BEST_SPIKES;
      end
      ST_BEST_SPIKES: begin
        above_q <= (value > hold_q);
        equal_q <= (value == hold_q);
        state_q <= ST_SPIKES;
      end
      ST_SPIKES: begin
        hold_q  <= value;
        state_q <= ST_WINNER;
      end
      ST_WINNER: begin
        if (better) best_q <= c_q;
        c_q     <= c_end ? {CLASS_AW{1'b0}} : c_more[CLASS_AW-1:0];
        state_q <= c_end ? ST_IDLE : ST_BEST_VOTES;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (state_q == ST_IDLE && start) row_q <= {COUNT_AW{1'b0}}; // last: as the reset of a flip-flop
    if (rst_i) begin
      state_q <= ST_IDLE;
      mine1_q <= 1'b0;
      best_q  <= {CLASS_AW{1'b0}};
    end
  end

  assign busy_o   = (state_q != ST_IDLE);
  assign winner_o = {{(32-CLASS_AW){1'b0}}, best_q};
endmodule

`default_nettype wire
