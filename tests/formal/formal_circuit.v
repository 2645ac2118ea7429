// formal_circuit.v : rules of tern_fire with winner-take-all circuits: its addresses, and that a neuron or circuit
// whose words are there ends in its time
// SPDX-License-Identifier: Apache-2.0
//
// Neurons are handed over as tern_core does (formal_fire.v is the same without circuits). Places are any that the
// planner makes: circuits are complete, their members neighbours, with C - 1 at the last one.
// tern_wta is free but for its time and the order of its members, as formal.wta proves them.
//! files   core/tern_fire blocks/tern_potential blocks/tern_neuron blocks/tern_wta mem/tern_bank mem/tern_ram
//! files   mem/tern_regfile
//! cut     tern_potential tern_neuron tern_regfile tern_ram tern_wta
//! solver  bits
//! bound   12
//! induct  1
//! reach   120
//! set     WTA=2 SAMPLES=1 LAGS=1
//! set     WTA=2
//! set     WTA=3
//! set     WTA=4
//! connect f_state=dut.state_q f_drain=dut.drain_q f_k=dut.k_q f_neuron=dut.neuron_q f_locals=dut.locals_q
//! connect f_draws=dut.draws_q f_sums=dut.sums_q f_error=dut.error_q f_pair=dut.pair_q f_frame=dut.frame_q
//! connect f_start=dut.start
//! connect f_run1=dut.run1_q f_run2=dut.run2_q f_run3=dut.run3_q f_run4=dut.run4_q f_run5=dut.run5_q f_run6=dut.run6_q
//! connect f_e1=dut.error1_q f_e2=dut.error2_q f_e3=dut.error3_q f_e4=dut.error4_q f_e5=dut.error5_q f_e6=dut.error6_q
//! connect f_p1=dut.pair1_q f_p2=dut.pair2_q f_p3=dut.pair3_q f_p4=dut.pair4_q f_p5=dut.pair5_q f_p6=dut.pair6_q
//! connect f_f1=dut.frame1_q f_f2=dut.frame2_q f_f3=dut.frame3_q f_f4=dut.frame4_q f_f5=dut.frame5_q f_f6=dut.frame6_q
//! connect f_k1=dut.k1_q f_k2=dut.k2_q f_k3=dut.k3_q f_k4=dut.k4_q f_k5=dut.k5_q f_k6=dut.k6_q f_member=dut.member_q
//! connect f_first=dut.wta_first_q f_stride=dut.wta_stride_q f_c_error=dut.wta_error_q f_c_pair=dut.wta_pair_q
//! connect w_start=dut.g_wta.wta_start w_busy=dut.wta_busy w_valid=dut.wta_valid w_done=dut.wta_done
//! connect w_member=dut.wta_member f_new=dut.group_new_q
//! mutant  error_on a_member FIRE_WTA_ERROR_ON 40
//! mutant  member_on a_read FIRE_WTA_MEMBER_ON 40
//! mutant  place a_place FIRE_WTA_PLACE 120
//! mutant  sample_ahead a_fired FIRE_SAMPLE_AHEAD 40
`default_nettype none

module formal_circuit #(
  parameter WTA = 2, SAMPLES = 3, LAGS = 3
) (
  input wire        clk_i,
  input wire        begin_i,
  input wire        local_i,
  input wire        draws_i,
  input wire        sums_i
);
  localparam NEURONS = 4, HIST_WORDS = 13, TARGETS = 3, AW = (WTA > 2) ? $clog2(WTA) : 1;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg [1:0]  neuron_last, sample_last, lag_last, lag_head;
  (* anyconst *) reg [2:0]  visible;
  (* anyconst *) reg [3:0]  hist0, sample_words;
  (* anyconst *) reg        learn, clamp;
  (* anyconst *) reg [31:0] place0, place1, place2, place3;
  wire [2:0] samples = {1'b0, sample_last} + 3'd1;
  wire [2:0] lags    = {1'b0, lag_last} + 3'd1;
  wire [5:0] all     = samples * lags;
  wire [2:0] count   = {1'b0, neuron_last} + 3'd1;
  wire [5:0] top     = count * all;
  wire [3:0] pairs   = count * samples;

  reg        m_begun = 1'b0;
  reg  [2:0] m_locals = 3'd0, m_draws = 3'd0, m_sums = 3'd0, m_done = 3'd0; // neurons in this pass
  wire       done, sample_re, sum_re, error_we, spike_we, frame_we, loss_re, loss_valid, idle;
  wire [1:0] place_at, loss_at, loss_to, fired;
  wire [2:0] sum_at;
  wire [3:0] acc_at, draw_at; // {neuron number, bits 1..0; sample}
  wire [3:0] frame_to, target_at, spike_to;
  wire [5:0] error_to;
  wire       local_v = local_i && m_begun && m_locals != count && m_locals < m_done + 4'd4;
  wire       draws_v = draws_i && m_begun && m_draws != count && m_draws < m_done + 4'd4;
  // tern_pass waits for the end of the neuron before
  wire       sums_v  = sums_i && m_begun && m_sums != count && m_sums == m_done;
  wire       begins  = begin_i && (!m_begun || m_done == count);
  reg  [1:0] m_place_at = 2'd0;
  wire [31:0] place  = m_place_at == 2'd0 ? place0 : m_place_at == 2'd1 ? place1 : m_place_at == 2'd2 ? place2 : place3;
  tern_fire #(.LANES(1), .LANE_W(0), .SAMPLE_W(2), .LAG_W(2), .ACC_W(28), .NEURON_W(2), .ERROR_AW(6), .SELF_AW(4),
      .HIST_AW(4), .WTA(WTA)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .learn_i(learn), .clamp_i(clamp), .idle_o(idle),
    .local_done_i(local_v), .draws_done_i(draws_v), .sums_valid_i(sums_v), .done_o(done), .sum_shared_i(28'd0),
    .has_sample_i(1'b0), .sum_re_o(sum_re), .sum_raddr_o(sum_at), .sum_sample_i(28'd0), .sample_re_o(sample_re),
    .acc_raddr_o(acc_at), .acc_rdata_i(28'd0), .draw_raddr_o(draw_at), .draw_rdata_i(16'd0),
    .place_raddr_o(place_at), .place_rdata_i(place), .target_raddr_o(target_at), .target_rdata_i(1'b0),
    .table_raddr_o(), .table_rdata_i(32'd0), .error_we_o(error_we), .error_waddr_o(error_to), .error_wdata_o(),
    .spike_we_o(spike_we), .spike_waddr_o(spike_to), .spike_wdata_o(), .frame_we_o(frame_we), .frame_waddr_o(frame_to),
    .ways_waddr_o(), .frame_wdata_o(), .exp_we_i(1'b0), .log_we_i(1'b0), .log_re_i(1'b0), .host_where_i(24'd0),
    .host_wdata_i(32'd0), .log_host_o(), .fired_neuron_o(), .fired_sample_o(fired), .loss_re_o(loss_re),
    .loss_raddr_o(loss_at), .loss_valid_o(loss_valid), .loss_first_o(), .loss_sample_o(loss_to), .loss_f12_o(),
    .visible_done_o(), .cfg_sample_last_i(sample_last), .cfg_lag_last_i(lag_last), .cfg_lag_head_i(lag_head),
    .cfg_scale_i(5'd0), .cfg_sample_hist0_i(hist0), .cfg_sample_words_i(sample_words), .cfg_visible_i(visible),
    .sat_potential_o()
  );
  wire [2:0]    f_state, f_drain, f_locals, f_draws;
  wire [1:0]    f_k, f_neuron, f_k1, f_k2, f_k3, f_k4, f_k5, f_k6, f_first;
  wire          f_sums, f_start, f_run1, f_run2, f_run3, f_run4, f_run5, f_run6, w_start, w_busy, w_valid, w_done,
      f_new;
  wire [5:0]    f_error, f_e1, f_e2, f_e3, f_e4, f_e5, f_e6, f_stride, f_c_error;
  wire [3:0]    f_pair, f_frame, f_p1, f_p2, f_p3, f_p4, f_p5, f_p6, f_f1, f_f2, f_f3, f_f4, f_f5, f_f6, f_c_pair,
      w_state;
  wire [4:0]    w_n;
  wire [AW-1:0] f_member, w_c;

  // ---- what the planner makes ---------------------------------------------------------------------------------------
  // number of a neuron in its circuit
  wire [1:0]  in1 = place0[1] && place0[7:2] == 6'd0 ? 2'd1 : 2'd0;
  wire [1:0]  in2 = place1[1] && place1[7:2] == 6'd0 ? in1 + 2'd1 : 2'd0;
  wire [1:0]  in3 = place2[1] && place2[7:2] == 6'd0 ? in2 + 2'd1 : 2'd0;
  wire [7:0]  frames = {4'd0, hist0} + samples * {4'd0, sample_words};
  wire [7:0]  last_frame = {4'd0, hist0} + {6'd0, sample_last} * {4'd0, sample_words};
  always @(posedge clk_i) m_place_at <= place_at;
  always @* begin
    assume (neuron_last < NEURONS && sample_last < SAMPLES && lag_last < LAGS && lag_head <= lag_last &&
        visible <= count && sample_words != 4'd0 && frames <= HIST_WORDS);
    assume (place0[19:16] < sample_words && (!place0[0] || place0[19:16] < TARGETS) &&
        (place0[1] ? neuron_last != 2'd0 : 1'b1) && place0[7:2] == 6'd0);
    if (neuron_last >= 2'd1) assume (place1[19:16] < sample_words && (!place1[0] || place1[19:16] < TARGETS) &&
        (in1 == 2'd0 || place1[1]) && (place1[7:2] == 6'd0 ? !(place1[1] && neuron_last == 2'd1)
                                     : place1[1] && place1[7:2] == {4'd0, in1}) && {1'b0, in1} < WTA);
    if (neuron_last >= 2'd2) assume (place2[19:16] < sample_words && (!place2[0] || place2[19:16] < TARGETS) &&
        (in2 == 2'd0 || place2[1]) && (place2[7:2] == 6'd0 ? !(place2[1] && neuron_last == 2'd2)
                                     : place2[1] && place2[7:2] == {4'd0, in2}) && {1'b0, in2} < WTA);
    if (neuron_last == 2'd3) assume (place3[19:16] < sample_words && (!place3[0] || place3[19:16] < TARGETS) &&
        (in3 == 2'd0 || place3[1]) && (place3[7:2] == 6'd0 ? !place3[1]
                                     : place3[1] && place3[7:2] == {4'd0, in3}) && {1'b0, in3} < WTA);
  end
  // of the current neuron
  wire [31:0] own    = f_neuron == 2'd0 ? place0 : f_neuron == 2'd1 ? place1 : f_neuron == 2'd2 ? place2 : place3;
  wire [1:0]  number = f_neuron == 2'd0 ? 2'd0 : f_neuron == 2'd1 ? in1 : f_neuron == 2'd2 ? in2 : in3;
  wire        member = own[1], decides = own[1] && own[7:2] != 6'd0;

  // ---- time ---------------------------------------------------------------------------------------------------------
  wire        there = m_begun && m_locals > m_done && m_draws > m_done && m_sums > m_done; // all of the next neuron
  reg  [9:0]  m_run = 10'd0;
  reg  [2:0]  m_age = 3'd0; // cycles of ST_WTA, 7: or more
  reg  [3:0]  m_target1 = 4'd0, m_target2 = 4'd0;
  reg         m_any = 1'b0;     // a spike was reported, of sample m_sample last
  reg  [1:0]  m_sample = 2'd0;
  localparam [2:0] ST_IDLE = 3'd0, ST_WAIT = 3'd1, ST_RUN = 3'd2, ST_DRAIN = 3'd3, ST_WTA = 3'd4;
  always @(posedge clk_i) begin
    m_run <= (f_reset || done || !there || begins) ? 10'd0 : m_run + 10'd1;
    m_age <= (f_state != ST_WTA) ? 3'd0 : (m_age == 3'd7) ? 3'd7 : m_age + 3'd1;
    m_target1 <= target_at;
    m_target2 <= m_target1;
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
    m_any <= !f_reset && (m_any || spike_we);
    if (spike_we) m_sample <= fired;
  end
  wire [9:0] size    = {8'd0, number} + 10'd1;
  wire [9:0] circuit = size * 10'd4 + 10'd25; // of a sample
  wire [9:0] all_run = {7'd0, samples} + 10'd3;
  wire [9:0] limit   = !member ? {7'd0, samples} + 10'd7 : !decides ? all_run : all_run + samples * circuit;

  wire [AW-1:0] w_member; // connected
  // tern_wta: cycles since its start, which included; member m is given 3 (C - 1 - m) + 1 cycles before it is done
  reg  [9:0] m_w = 10'd0;
  reg        m_valid1 = 1'b0; // in the cycle before
  always @(posedge clk_i) begin
    m_w      <= (f_reset || w_done || begins) ? 10'd0 : (w_start || m_w != 10'd0) ? m_w + 10'd1 : 10'd0;
    m_valid1 <= w_valid && !f_reset;
  end
  wire [9:0] w_left = circuit - 10'd1 - (m_w + 10'd1); // of the cycles before it is done
  wire [9:0] w_next = size - 10'd1 - {{(10-AW){1'b0}}, w_member}; // members behind this one
  reg  [AW-1:0] m_member = {AW{1'b0}};
  always @(posedge clk_i) m_member <= (f_reset || m_w == 10'd0 || w_done || begins) ? {AW{1'b0}} :
      (w_valid && w_next != 10'd0) ? m_member + 1'b1 : m_member;
  always @* begin
    assume (w_busy == (m_w != 10'd0) && w_member == m_member);
    assume (w_valid == (m_w != 10'd0 && w_left == 10'd3 * w_next && !(w_next == 10'd0 && w_left != 10'd0)));
    assume (w_done == (m_w != 10'd0 && m_w + 10'd1 == circuit));
  end
  wire [2:0] i_who   = who; // whose words the circuit has now

  // ---- rules --------------------------------------------------------------------------------------------------------
  wire [2:0] who = {1'b0, f_first} + {{(3-AW){1'b0}}, m_member};
  always @* if (!f_reset) begin
    // 1. every address is one of the network's; of places and targets those that are looked at
    if (f_start || f_state == ST_RUN || f_state == ST_DRAIN) a_own:
        assert (m_place_at == f_neuron && f_neuron <= neuron_last);
    if (w_valid) a_place: assert ({1'b0, m_place_at} == who && m_place_at <= neuron_last);
    if ((f_run5 || (f_state == ST_DRAIN && f_drain == 3'd0)) && place[0]) a_target:
        assert (m_target1 < TARGETS && m_target2 < TARGETS);
    if (sample_re) a_sample: assert (sum_at[1:0] <= sample_last && sum_at[2] == f_neuron[0] &&
        acc_at == {f_neuron, sum_at[1:0]} && draw_at == acc_at);
    if (error_we) a_error: assert (error_to < top);
    if (spike_we) a_spike: assert (spike_to < pairs);
    if (frame_we) a_frame: assert (frame_to >= hist0 && {4'd0, frame_to} < frames);
    if (loss_re) a_loss: assert (loss_at <= sample_last);
    if (loss_valid) a_loss_written: assert (loss_to <= sample_last);
    // potentials of a circuit: {sample, member}
    if (f_run3 && member) a_written: assert (f_k3 <= sample_last && {{(2-AW){1'b0}}, f_member} == number);
    if (f_state == ST_WTA && w_busy) a_read: assert (f_k <= sample_last && {{(2-AW){1'b0}}, m_member} <= number &&
        {{(2-AW){1'b0}}, f_member} == number);
    // 2. the current words are those of the current member; those of the first one before
    if (f_state == ST_WTA) a_member: assert (f_error == i_who * all + f_k * lags &&
        f_pair == i_who * samples + {2'd0, f_k} && f_c_error == f_first * all + f_k * lags &&
        f_c_pair == f_first * samples + {2'd0, f_k});
    // 3. spikes are reported sample by sample, as tern_vote wants them
    if (spike_we) a_fired: assert (fired == 2'd0 ||
        (m_any && (fired == m_sample || {1'b0, fired} == {1'b0, m_sample} + 3'd1)));
    // 4. a neuron of which everything is there ends K + 7 cycles later, a member of a circuit K + 3, the last one of C
    // behind K (4 C + 25) more; none ends without
    if (m_run != 10'd0) a_ends: assert (m_run <= limit);
    if (done) a_once: assert (there);
    if (f_state == ST_IDLE || m_done == count) a_idle: assert (idle);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  wire [5:0] i_error = f_neuron * all + f_k * lags;
  wire [5:0] i_next  = (f_neuron + 3'd1) * all;
  wire [3:0] i_pairs = f_neuron * samples + {2'd0, f_k};
  wire [3:0] i_more  = (f_neuron + 3'd1) * samples;
  wire       i_run   = f_state == ST_RUN || f_state == ST_DRAIN || f_state == ST_WTA;
  always @* if (!f_reset) begin
    i_state: assert (f_state <= ST_WTA && m_begun == (f_state != ST_IDLE));
    if (m_begun) begin
      i_done: assert ({1'b0, f_neuron} == m_done[1:0] && m_done <= count);
      i_counts: assert (f_locals == m_locals - m_done - {2'd0, i_run} && f_draws == m_draws - m_done - {2'd0, i_run} &&
          {2'd0, f_sums} == m_sums - m_done - {2'd0, i_run});
      i_ahead: assert (m_locals <= count && m_draws <= count && m_sums <= count && m_locals >= m_done &&
          m_locals <= m_done + 4'd4 && m_draws >= m_done && m_draws <= m_done + 4'd4 && m_sums >= m_done &&
          m_sums <= m_done + 3'd1);
      i_place: assert (m_done == count || f_state == ST_WTA || m_place_at == f_neuron ||
          (f_state == ST_WAIT && !there));
      if (m_done != count) i_member: assert ({{(2-AW){1'b0}}, f_member} == number);
      if (m_done == count) i_members: assert (f_member == {AW{1'b0}});
      // where the current circuit begins
      if (m_done != count && (number != 2'd0 || (member && f_state != ST_WAIT))) i_first:
          assert (f_first == f_neuron - number);
      if (m_done != count && ((f_state != ST_WAIT && f_neuron != 2'd0) || f_neuron >= 2'd2)) i_stride:
          assert (f_stride == all);
      if (m_done != count && f_state != ST_WTA && (number != 2'd0 || (member && f_state != ST_WAIT))) i_words:
          assert (f_c_error == f_first * all && f_c_pair == f_first * samples);
    end
    if (i_run) i_there: assert (there && f_neuron <= neuron_last);
    if (f_state == ST_WAIT) i_wait: assert (m_done == count ||
        (f_error == f_neuron * all && f_pair == f_neuron * samples));
    if (f_state == ST_WAIT && m_done != count) i_time_wait: assert (m_run == 10'd0);
    if (f_state == ST_RUN) i_runs: assert (f_k <= sample_last && f_error == i_error && f_pair == i_pairs &&
        {4'd0, f_frame} == {4'd0, hist0} + f_k * {4'd0, sample_words} && m_run <= {8'd0, f_k} + 10'd1);
    if (f_state == ST_DRAIN) i_drain: assert (f_error == i_next && f_pair == i_more &&
        m_run <= {7'd0, samples} + (member ? 10'd3 : 10'd7) - {7'd0, f_drain} && f_drain <= (member ? 3'd2 : 3'd6));
    if (f_run1 || f_run2 || f_run3) i_flow: assert (f_state == ST_RUN || f_state == ST_DRAIN);
    if (f_run4 || f_run5) i_flow_alone: assert (!member && (f_state == ST_RUN || f_state == ST_DRAIN));
    if (f_run6) i_flow_end: assert (f_state != ST_IDLE &&
        (f_state != ST_WAIT || (!f_run1 && !f_run2 && !f_run3 && !f_run4 && !f_run5)));
    if (f_state == ST_DRAIN) i_empty: assert ((f_drain >= (member ? 3'd2 : 3'd6) || !f_run1) &&
        (f_drain >= (member ? 3'd1 : 3'd5) || !f_run2) && (f_drain >= (member ? 3'd0 : 3'd4) || !f_run3) &&
        (f_drain >= 3'd3 || !f_run4)
                                                      && (f_drain >= 3'd2 || !f_run5) &&
                                                          (f_drain >= 3'd1 || !f_run6 || member));
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
    if (f_run6) i_6: assert (f_e6 < top && f_p6 < pairs && f_f6 >= hist0 && {4'd0, f_f6} < frames &&
        f_k6 <= sample_last);
    if (loss_valid) i_6k: assert (f_k6 <= sample_last);
    // samples on their way, one behind the other
    if (!member && f_state == ST_RUN && f_k != 2'd0) i_o0: assert (f_run1 && f_k1 == f_k - 2'd1);
    if (!member && f_run1 && f_k1 != 2'd0) i_o1: assert (f_run2 && f_k2 == f_k1 - 2'd1);
    if (!member && f_run2 && f_k2 != 2'd0) i_o2: assert (f_run3 && f_k3 == f_k2 - 2'd1);
    if (!member && f_run3 && f_k3 != 2'd0) i_o3: assert (f_run4 && f_k4 == f_k3 - 2'd1);
    if (f_run4 && f_k4 != 2'd0) i_o4: assert (f_run5 && f_k5 == f_k4 - 2'd1);
    if (f_run5 && f_k5 != 2'd0) i_o5: assert (f_run6 && f_k6 == f_k5 - 2'd1);
    // places of the current neuron, for the targets
    if (f_state == ST_DRAIN || f_run2 || f_run3 || f_run4 || f_run5) i_target: assert (m_target1 == own[19:16]);
    if ((f_state == ST_DRAIN && f_drain != (member ? 3'd2 : 3'd6)) || f_run3 || f_run4 || f_run5) i_target2:
        assert (m_target2 == own[19:16]);
    // the circuit
    if (f_state != ST_WTA) i_w_idle: assert (m_w == 10'd0);
    if (m_w == 10'd0) i_w_member: assert (m_member == {AW{1'b0}});
    if (f_state == ST_WTA) begin
      i_circuit: assert (decides && f_k <= sample_last && {{(2-AW){1'b0}}, m_member} <= number && m_w < circuit);
      i_w_time: assert (m_run <= all_run + f_k * circuit + m_w + 10'd1);
      i_w_frame: assert ({4'd0, f_frame} == {4'd0, hist0} + f_k * {4'd0, sample_words});
      if (m_w != 10'd0 && !m_valid1) i_w_place: assert ({1'b0, m_place_at} == who);
      if (m_w != 10'd0 && w_next != 10'd0) i_pending: assert (w_left < 10'd512 && w_left >= 10'd3 * w_next);
      if (m_w != 10'd0 && w_next == 10'd0) i_last: assert (w_left < 10'd512 || (w_left == 10'h3ff && m_valid1));
      if (m_valid1) i_w_valid: assert (m_w > 10'd5);
      if (m_w != 10'd0) i_w_run6: assert (f_run6 == m_valid1);
      if (m_valid1) i_w_given: assert (w_left == 10'd3 * w_next + 10'd2 || (w_next == 10'd0 && w_left == 10'h3ff));
      if (m_w >= 10'd1) i_k1: assert (f_k1 == f_k);
      if (m_w >= 10'd2) i_k2: assert (f_k2 == f_k);
      if (m_w >= 10'd3) i_k3: assert (f_k3 == f_k);
      if (m_w >= 10'd4) i_k4: assert (f_k4 == f_k);
      if (m_w >= 10'd5) i_k5: assert (f_k5 == f_k);
      if (f_run6) i_k6: assert (m_valid1 && f_k6 == f_k && m_w != 10'd0);
      if (f_k != 2'd0) i_reported: assert (m_any && (m_sample == f_k || m_sample == f_k - 2'd1));
      // words on the way to the results
      if (m_w >= 10'd1 && !m_valid1) i_words1: assert (f_e1 == f_error + {4'd0, lag_head} && f_p1 == f_pair);
      if (m_w >= 10'd1) i_a1: assert (f_f1 == f_frame);
      if (m_w >= 10'd2) i_a2: assert (f_f2 == f_frame);
      if (m_w >= 10'd3) i_a3: assert (f_f3 == f_frame);
      if (m_w >= 10'd4) i_a4: assert (f_f4 == f_frame);
      if (m_w >= 10'd5) i_a5: assert (f_f5 == f_frame);
    end
  end

  // ---- these happen: the last error of a circuit of the network's last neurons; one begins behind another neuron
  always @* if (!f_reset) begin
    c_last: cover (error_we && error_to == top - 6'd1 && f_state == ST_WTA);
    c_later: cover (w_valid && f_first == 2'd1);
  end
  wire unused = &{1'b0, sum_re, f_new, w_done};
endmodule

`default_nettype wire
