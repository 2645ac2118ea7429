// formal_vote.v : rules of tern_vote: its addresses, and that a vote ends, whatever a host writes as number of classes
// SPDX-License-Identifier: Apache-2.0
//
// Counters and votes are free. Spikes come as tern_fire reports them: the samples of a neuron one after the other,
// those of a circuit's members member by member; none while a vote is under way.
//! files   blocks/tern_vote mem/tern_bank mem/tern_ram
//! cut     tern_ram
//! solver  bits
//! bound   8
//! induct  1
//! reach   60
//! set     CLASSES=2 SAMPLES=3 SAMPLE_W=2
//! set     CLASSES=1 SAMPLES=1 SAMPLE_W=1
//! set     CLASSES=3 SAMPLES=3 SAMPLE_W=2
//! set     CLASSES=4 SAMPLES=5 SAMPLE_W=3
//! set     CLASSES=10 SAMPLES=8 SAMPLE_W=3
//! connect f_state=dut.state_q f_k=dut.k_q f_c=dut.c_q f_best=dut.best_q f_row=dut.row_q f_odd=dut.odd_q
//! connect f_mine1=dut.mine1_q f_addr1=dut.addr1_q
//! connect f_count_we=dut.u_count.we_i f_count_to=dut.u_count.waddr_i f_count_re=dut.u_count.re_i
//! connect f_count_at=dut.u_count.raddr_i
//! connect f_votes_we=dut.u_votes.we_i f_votes_to=dut.u_votes.waddr_i f_votes_re=dut.u_votes.re_i
//! connect f_votes_at=dut.u_votes.raddr_i f_decision_we=dut.u_decision.we_i f_decision_to=dut.u_decision.waddr_i
//! mutant  classes_beyond a_ends VOTE_CLASSES_BEYOND 40
//! mutant  row_on a_count VOTE_ROW_ON 20
`default_nettype none

module formal_vote #(
  parameter CLASSES = 2, SAMPLES = 3, SAMPLE_W = 2
) (
  input wire                clk_i,
  input wire                vote_i,
  input wire                example_i,
  input wire                begin_i,
  input wire                fired_i,
  input wire                spike_i,
  input wire [3:0]          neuron_i,
  input wire [SAMPLE_W-1:0] sample_i
);
  localparam CLASS_AW = (CLASSES > 2) ? $clog2(CLASSES) : 1;
  localparam COUNT_AW = ($clog2(SAMPLES * CLASSES) > CLASS_AW) ? $clog2(SAMPLES * CLASSES) : CLASS_AW + 1;
  localparam [3:0] ST_READ = 4'd1, ST_COMPARE = 4'd2, ST_VOTE_READ = 4'd3, ST_VOTE = 4'd4, ST_BEST_VOTES = 4'd5,
      ST_VOTES = 4'd6, ST_BEST_SPIKES = 4'd7, ST_SPIKES = 4'd8, ST_WINNER = 4'd9;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg [SAMPLE_W-1:0] sample_last;
  (* anyconst *) reg [15:0]         first;
  (* anyconst *) reg [14:0]         class_count;
  (* anyconst *) reg                by_spike;
  wire        busy;
  wire [31:0] winner;
  wire        vote = vote_i && !busy && !f_reset, example = example_i && !busy && !f_reset,
      fired = fired_i && !busy && !f_reset;
  tern_vote #(.CLASSES(CLASSES), .SAMPLES(SAMPLES), .SAMPLE_W(SAMPLE_W), .NEURON_W(4)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begin_i && !busy), .vote_i(vote), .example_i(example), .busy_o(busy),
    .fired_valid_i(fired), .fired_neuron_i(neuron_i), .fired_sample_i(sample_i), .fired_spike_i(spike_i),
    .cfg_sample_last_i(sample_last), .cfg_class_first_i(first), .cfg_class_count_i(class_count),
    .cfg_class_spike_i(by_spike), .winner_o(winner), .host_we_i(3'd0), .host_re_i(3'd0), .host_where_i(24'd0),
    .host_wdata_i(32'd0), .host_count_o(), .host_votes_o(), .host_decision_o()
  );
  wire [3:0]          f_state;
  wire [SAMPLE_W-1:0] f_k, f_decision_to;
  wire [CLASS_AW-1:0] f_c, f_best;
  wire [COUNT_AW-1:0] f_row, f_addr1, f_count_to, f_count_at;
  wire [CLASS_AW:0]   f_votes_to, f_votes_at;
  wire                f_odd, f_mine1, f_count_we, f_count_re, f_votes_we, f_votes_re, f_decision_we;

  // ---- time, and the sample that was reported last ------------------------------------------------------------------
  reg                 m_any = 1'b0;
  reg  [SAMPLE_W-1:0] m_sample = {SAMPLE_W{1'b0}};
  reg  [9:0]          m_time = 10'd0;
  wire [9:0]          n       = class_count > CLASSES ? CLASSES : class_count[9:0];
  wire [9:0]          samples = {{(10-SAMPLE_W){1'b0}}, sample_last} + 10'd1;
  wire [9:0]          decided = samples * (n * 10'd2 + 10'd2), all = decided + n * 10'd5;
  always @(posedge clk_i) begin
    if (fired) begin
      m_any    <= 1'b1;
      m_sample <= sample_i;
    end
    if (vote || example || f_reset) m_any <= 1'b0;
    m_time <= (f_reset || m_time == all) ? 10'd0 : ((vote || example) && class_count != 15'd0) || m_time != 10'd0 ?
        m_time + 10'd1 : 10'd0;
  end
  always @* begin
    assume ({1'b0, sample_last} < SAMPLES && sample_i <= sample_last);
    if (fired) assume (sample_i == {SAMPLE_W{1'b0}} ||
        (m_any && (sample_i == m_sample || {1'b0, sample_i} == {1'b0, m_sample} + 1'b1)));
    assume (!(fired && (vote || example))); // a step has ended before
  end

  // ---- rules --------------------------------------------------------------------------------------------------------
  always @* if (!f_reset) begin
    // 1. every address is one that there is, of the samples and classes of the network
    if (f_count_we) a_count: assert (f_count_to < samples * CLASSES);
    if (f_count_re) a_count_read: assert (f_count_at < samples * CLASSES);
    if (f_votes_we) a_votes: assert ({1'b0, f_votes_to[CLASS_AW:1]} < n);
    if (f_votes_re) a_votes_read: assert ({1'b0, f_votes_at[CLASS_AW:1]} < n);
    if (f_decision_we) a_decision: assert (f_decision_to <= sample_last);
    // 2. a vote or new example takes K (2 n + 2) + 5 n cycles, n the classes that are written, but at most those of the
    // core
    a_ends: assert (busy == (m_time != 10'd0) && m_time <= all);
    if (!busy && class_count != 15'd0) a_winner: assert (winner < CLASSES);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  wire [9:0] c = {{(10-CLASS_AW){1'b0}}, f_c}, k_at = {{(10-SAMPLE_W){1'b0}}, f_k} * (n * 10'd2 + 10'd2);
  reg  [9:0] before;
  always @* begin
    case (f_state)
      ST_READ:        before = k_at + c * 10'd2;
      ST_COMPARE:     before = k_at + c * 10'd2 + 10'd1;
      ST_VOTE_READ:   before = k_at + n * 10'd2;
      ST_VOTE:        before = k_at + n * 10'd2 + 10'd1;
      ST_BEST_VOTES:  before = decided + c * 10'd5;
      ST_VOTES:       before = decided + c * 10'd5 + 10'd1;
      ST_BEST_SPIKES: before = decided + c * 10'd5 + 10'd2;
      ST_SPIKES:      before = decided + c * 10'd5 + 10'd3;
      default:        before = decided + c * 10'd5 + 10'd4;
    endcase
  end
  wire decides = f_state >= ST_READ && f_state <= ST_VOTE;
  always @* if (!f_reset) begin
    if (busy) i_state: assert (f_state <= ST_WINNER && c < n && m_time == before + 10'd1 && !m_any);
    if (f_state == ST_VOTE_READ || f_state == ST_VOTE) i_c: assert (f_c == {CLASS_AW{1'b0}});
    if (decides) i_k: assert (f_k <= sample_last && f_row == f_k * CLASSES);
    i_best: assert ({{(10-CLASS_AW){1'b0}}, f_best} < CLASSES);
    if (busy && (f_state >= ST_VOTE_READ || c != 10'd0 || f_state == ST_COMPARE)) i_best_is:
        assert ({{(10-CLASS_AW){1'b0}}, f_best} < n || (f_state == ST_COMPARE && f_c == {CLASS_AW{1'b0}}));
    if (m_any) i_row: assert (f_row == m_sample * CLASSES && f_odd == m_sample[0] && m_sample <= sample_last);
    if (f_mine1) i_mine: assert (f_addr1 < samples * CLASSES && (m_any || f_state == ST_READ));
  end

  // ---- these happen: a vote of two samples ends; a spike in the last sample
  always @* if (!f_reset) begin
    c_vote: cover (m_time == all && sample_last == SAMPLES - 1 && class_count > CLASSES);
    c_spike: cover (f_mine1 && f_addr1 == SAMPLES * CLASSES - 1);
  end
endmodule

`default_nettype wire
