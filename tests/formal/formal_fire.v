// formal_fire.v : rules of tern_fire: its addresses, and that a neuron whose words are there ends in its time
// SPDX-License-Identifier: Apache-2.0
//
// Neurons are handed over as tern_core does: started potentials and draws up to four neurons ahead, sums one. Places
// are any that the planner makes. Without winner-take-all circuits.
//! files   core/tern_fire blocks/tern_potential blocks/tern_neuron blocks/tern_wta mem/tern_bank mem/tern_ram
//! files   mem/tern_regfile
//! cut     tern_potential tern_neuron tern_regfile
//! solver  bits
//! bound   12
//! induct  1
//! reach   50
//! connect f_state=dut.state_q f_drain=dut.drain_q f_k=dut.k_q f_neuron=dut.neuron_q f_locals=dut.locals_q
//! connect f_draws=dut.draws_q f_sums=dut.sums_q f_error=dut.error_q f_pair=dut.pair_q f_frame=dut.frame_q
//! connect f_start=dut.start
//! connect f_run1=dut.run1_q f_run2=dut.run2_q f_run3=dut.run3_q f_run4=dut.run4_q f_run5=dut.run5_q f_run6=dut.run6_q
//! connect f_e1=dut.error1_q f_e2=dut.error2_q f_e3=dut.error3_q f_e4=dut.error4_q f_e5=dut.error5_q f_e6=dut.error6_q
//! connect f_p1=dut.pair1_q f_p2=dut.pair2_q f_p3=dut.pair3_q f_p4=dut.pair4_q f_p5=dut.pair5_q f_p6=dut.pair6_q
//! connect f_f1=dut.frame1_q f_f2=dut.frame2_q f_f3=dut.frame3_q f_f4=dut.frame4_q f_f5=dut.frame5_q f_f6=dut.frame6_q
//! connect f_k1=dut.k1_q f_k2=dut.k2_q f_k3=dut.k3_q f_k4=dut.k4_q f_k5=dut.k5_q f_k6=dut.k6_q
//! mutant  frame_of_next a_frame FIRE_FRAME_OF_NEXT 40
//! mutant  lag_beyond a_error FIRE_LAG_BEYOND 40
//! mutant  sums_kept a_ends FIRE_SUMS_KEPT 40
`default_nettype none

module formal_fire (
  input wire        clk_i,
  input wire        begin_i,
  input wire        local_i,
  input wire        draws_i,
  input wire        sums_i,
  input wire [31:0] place_i
);
  localparam SAMPLES = 3, LAGS = 3, NEURONS = 3, HIST_WORDS = 13, TARGETS = 3;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg [1:0] neuron_last, sample_last, lag_last, lag_head;
  (* anyconst *) reg [2:0] visible;
  (* anyconst *) reg [3:0] hist0, sample_words;
  (* anyconst *) reg       learn, clamp;
  wire [2:0] samples = {1'b0, sample_last} + 3'd1;
  wire [2:0] lags    = {1'b0, lag_last} + 3'd1;
  wire [4:0] all     = samples * lags;
  wire [4:0] top     = ({3'd0, neuron_last} + 5'd1) * all;
  wire [3:0] pairs   = ({2'd0, neuron_last} + 4'd1) * {1'b0, samples};

  reg        m_begun = 1'b0;
  reg  [2:0] m_locals = 3'd0, m_draws = 3'd0, m_sums = 3'd0, m_done = 3'd0; // neurons in this pass
  wire       done, sample_re, sum_re, error_we, spike_we, frame_we, loss_re, loss_valid, idle;
  wire [1:0] place_at, loss_at, loss_to;
  wire [2:0] sum_at;
  wire [3:0] acc_at, draw_at; // {neuron number, bits 1..0; sample}
  wire [3:0] frame_to, target_at, spike_to;
  wire [4:0] error_to;
  wire [2:0] count   = {1'b0, neuron_last} + 3'd1;
  wire       local_v = local_i && m_begun && m_locals != count && m_locals < m_done + 3'd4;
  wire       draws_v = draws_i && m_begun && m_draws != count && m_draws < m_done + 3'd4;
  // tern_pass waits for the end of the neuron before
  wire       sums_v  = sums_i && m_begun && m_sums != count && m_sums == m_done;
  wire       begins  = begin_i && (!m_begun || m_done == count);
  tern_fire #(.LANES(1), .LANE_W(0), .SAMPLE_W(2), .LAG_W(2), .ACC_W(28), .NEURON_W(2), .ERROR_AW(5), .SELF_AW(4),
      .HIST_AW(4), .WTA(0)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .learn_i(learn), .clamp_i(clamp), .idle_o(idle),
    .local_done_i(local_v), .draws_done_i(draws_v), .sums_valid_i(sums_v), .done_o(done), .sum_shared_i(28'd0),
    .has_sample_i(1'b0), .sum_re_o(sum_re), .sum_raddr_o(sum_at), .sum_sample_i(28'd0), .sample_re_o(sample_re),
    .acc_raddr_o(acc_at), .acc_rdata_i(28'd0), .draw_raddr_o(draw_at), .draw_rdata_i(16'd0),
    .place_raddr_o(place_at), .place_rdata_i(place_i), .target_raddr_o(target_at), .target_rdata_i(1'b0),
    .table_raddr_o(), .table_rdata_i(32'd0), .error_we_o(error_we), .error_waddr_o(error_to), .error_wdata_o(),
    .spike_we_o(spike_we), .spike_waddr_o(spike_to), .spike_wdata_o(), .frame_we_o(frame_we), .frame_waddr_o(frame_to),
    .ways_waddr_o(), .frame_wdata_o(), .exp_we_i(1'b0), .log_we_i(1'b0), .log_re_i(1'b0), .host_where_i(24'd0),
    .host_wdata_i(32'd0), .log_host_o(), .fired_neuron_o(), .fired_sample_o(), .loss_re_o(loss_re),
    .loss_raddr_o(loss_at), .loss_valid_o(loss_valid), .loss_first_o(), .loss_sample_o(loss_to), .loss_f12_o(),
    .visible_done_o(), .cfg_sample_last_i(sample_last), .cfg_lag_last_i(lag_last), .cfg_lag_head_i(lag_head),
    .cfg_scale_i(5'd0), .cfg_sample_hist0_i(hist0), .cfg_sample_words_i(sample_words), .cfg_visible_i(visible),
    .sat_potential_o()
  );
  wire [2:0] f_state, f_drain;
  wire [2:0] f_locals, f_draws;
  wire [1:0] f_k, f_neuron, f_k1, f_k2, f_k3, f_k4, f_k5, f_k6;
  wire       f_sums, f_start, f_run1, f_run2, f_run3, f_run4, f_run5, f_run6;
  wire [4:0] f_error, f_e1, f_e2, f_e3, f_e4, f_e5, f_e6;
  wire [3:0] f_pair, f_frame, f_p1, f_p2, f_p3, f_p4, f_p5, f_p6, f_f1, f_f2, f_f3, f_f4, f_f5, f_f6;

  // ---- what the planner makes ---------------------------------------------------------------------------------------
  reg  [1:0]  m_place_at = 2'd0, m_place_was = 2'd0;
  reg  [31:0] m_place = 32'd0;
  reg         m_held = 1'b0;
  wire [3:0]  group = place_i[19:16];
  wire [7:0]  frames = {4'd0, hist0} + samples * {4'd0, sample_words};
  wire [7:0]  last_frame = {4'd0, hist0} + {6'd0, sample_last} * {4'd0, sample_words};
  always @(posedge clk_i) begin
    m_place_at  <= place_at;
    m_place_was <= m_place_at;
    m_place     <= place_i;
    m_held      <= 1'b1;
  end
  always @* begin
    assume (neuron_last < NEURONS && sample_last < SAMPLES && lag_last < LAGS && lag_head <= lag_last &&
        visible <= count && sample_words != 4'd0 && frames <= HIST_WORDS);
    assume (group < sample_words && (!place_i[0] || group < TARGETS));
    if (m_held && m_place_at == m_place_was) assume (place_i == m_place);
  end

  // ---- time ---------------------------------------------------------------------------------------------------------
  wire       there = m_begun && m_locals > m_done && m_draws > m_done && m_sums > m_done; // all of the next neuron
  reg  [3:0] m_run = 4'd0;
  always @(posedge clk_i) begin
    m_run <= (f_reset || done || !there || begins) ? 4'd0 : m_run + 4'd1;
    if (local_v) m_locals <= m_locals + 3'd1;
    if (draws_v) m_draws <= m_draws + 3'd1;
    if (sums_v) m_sums <= m_sums + 3'd1;
    if (done) m_done <= m_done + 3'd1;
    if (begins) begin
      m_begun  <= 1'b1;
      m_locals <= 3'd0;
      m_draws  <= 3'd0;
      m_sums   <= 3'd0;
      m_done   <= 3'd0;
    end
    if (f_reset) m_begun <= 1'b0;
  end

  // ---- rules --------------------------------------------------------------------------------------------------------
  localparam [2:0] ST_IDLE = 3'd0, ST_WAIT = 3'd1, ST_RUN = 3'd2, ST_DRAIN = 3'd3;
  always @* if (!f_reset) begin
    // 1. every address is one of the network's; of places and targets those that are looked at
    if (f_start || f_state == ST_RUN || f_state == ST_DRAIN) a_place:
        assert (m_place_at == f_neuron && f_neuron <= neuron_last);
    if (f_run5 && place_i[0]) a_target: assert (target_at < TARGETS);
    if (sum_re) a_sample: assert (sample_re && sum_at[1:0] <= sample_last && sum_at[2] == f_neuron[0] &&
        acc_at == {f_neuron, sum_at[1:0]} && draw_at == acc_at);
    if (error_we) a_error: assert (error_to < top);
    if (spike_we) a_spike: assert (spike_to < pairs);
    if (frame_we) a_frame: assert (frame_to >= hist0 && {4'd0, frame_to} < frames);
    if (loss_re) a_loss: assert (loss_at <= sample_last);
    if (loss_valid) a_loss_written: assert (loss_to <= sample_last);
    // 2. a neuron of which everything is there ends K + 7 cycles later; none ends without
    a_ends: assert (m_run <= {1'b0, samples} + 4'd7);
    if (done) a_once: assert (there);
    if (f_state == ST_IDLE || m_done == count) a_idle: assert (idle);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  wire [4:0] i_error = f_neuron * all + f_k * lags;
  wire [4:0] i_next  = (f_neuron + 3'd1) * all;
  wire [3:0] i_pairs = f_neuron * samples + {2'd0, f_k};
  wire [3:0] i_more  = (f_neuron + 3'd1) * samples;
  wire       i_run   = f_state == ST_RUN || f_state == ST_DRAIN;
  always @* if (!f_reset) begin
    i_state: assert (f_state <= ST_DRAIN && m_begun == (f_state != ST_IDLE));
    if (m_begun) begin
      i_done: assert ({1'b0, f_neuron} == m_done && m_done <= count);
      i_counts: assert (f_locals == m_locals - m_done - {2'd0, i_run} && f_draws == m_draws - m_done - {2'd0, i_run} &&
          {2'd0, f_sums} == m_sums - m_done - {2'd0, i_run});
      i_ahead: assert (m_locals <= count && m_draws <= count && m_sums <= count && m_locals >= m_done &&
          m_locals <= m_done + 3'd4 && m_draws >= m_done && m_draws <= m_done + 3'd4 && m_sums >= m_done &&
          m_sums <= m_done + 3'd1);
      i_place: assert (m_done == count || m_place_at == f_neuron || (f_state == ST_WAIT && !there));
    end
    if (i_run) i_there: assert (there);
    if (f_state == ST_WAIT) i_wait: assert (m_done == count ||
        (f_error == f_neuron * all && f_pair == f_neuron * samples));
    if (f_state == ST_WAIT && m_done != count) i_time_wait: assert (m_run == 4'd0);
    if (f_state == ST_RUN) i_runs: assert (f_k <= sample_last && f_error == i_error && f_pair == i_pairs &&
        {4'd0, f_frame} == {4'd0, hist0} + f_k * {4'd0, sample_words} && m_run <= {2'd0, f_k} + 4'd1);
    if (f_state == ST_DRAIN) i_drain: assert (f_error == i_next && f_pair == i_more &&
        m_run <= {1'b0, samples} + 4'd7 - {1'b0, f_drain} && f_drain <= 3'd6);
    if (f_run1 || f_run2 || f_run3 || f_run4 || f_run5 || f_run6) i_flow:
        assert (i_run || (f_run6 && !f_run1 && !f_run2 && !f_run3 && !f_run4 && !f_run5));
    if (f_state == ST_DRAIN) i_empty: assert ((f_drain >= 3'd6 || !f_run1) && (f_drain >= 3'd5 || !f_run2) &&
        (f_drain >= 3'd4 || !f_run3) && (f_drain >= 3'd3 || !f_run4) && (f_drain >= 3'd2 || !f_run5) &&
        (f_drain >= 3'd1 || !f_run6));
    if (f_run1) i_1: assert (f_e1 < top && f_p1 < pairs && f_f1 >= hist0 && {4'd0, f_f1} <= last_frame &&
        f_k1 <= sample_last);
    if (f_run2) i_2: assert (f_e2 < top && f_p2 < pairs && f_f2 >= hist0 && {4'd0, f_f2} <= last_frame &&
        f_k2 <= sample_last);
    if (f_run3) i_3: assert (f_e3 < top && f_p3 < pairs && f_f3 >= hist0 && {4'd0, f_f3} <= last_frame &&
        f_k3 <= sample_last);
    if (f_run4) i_4: assert (f_e4 < top && f_p4 < pairs && f_f4 >= hist0 && {4'd0, f_f4} <= last_frame &&
        f_k4 <= sample_last);
    if (f_run5) i_5: assert (f_e5 < top && f_p5 < pairs && f_f5 >= hist0 && {4'd0, f_f5} <= last_frame &&
        f_k5 <= sample_last);
    if (f_run6) i_6: assert (f_e6 < top && f_p6 < pairs && f_f6 >= hist0 && {4'd0, f_f6} < frames);
    if (loss_valid) i_6k: assert (f_k6 <= sample_last && f_run6);
  end

  // ---- these happen: two neurons one behind the other; the last error there is
  always @* if (!f_reset) begin
    c_two: cover (m_begun && m_done == 3'd2 && count == 3'd2 && sample_last == 2'd1);
    c_last: cover (error_we && error_to == top - 5'd1 && lag_last == 2'd1);
  end
endmodule

`default_nettype wire
