// formal_pass.v : rules of tern_pass: its addresses, and that each row ends in its time
// SPDX-License-Identifier: Apache-2.0
//
// A row is any that the planner makes (docs/33-host-port.md, "row words"): shared and shift rows lie inside the
// histories, sample rows inside those of a sample; weights inside theirs. Lanes, sums and memories are free. The
// harness counts the cycles of a row that are no wait for tern_fire.
//! files   core/tern_pass core/tern_silent core/tern_lane core/tern_kernels core/tern_way core/tern_lanesum
//! files   core/tern_sums blocks/tern_weight
//! files   blocks/tern_history blocks/tern_trace blocks/tern_tapsum blocks/tern_dither mem/tern_regfile mem/tern_ram
//! cut     tern_lane tern_way tern_lanesum tern_dither tern_regfile tern_ram
//! solver  bits
//! bound   4
//! induct  1
//! reach   40
//! set     WAYS=2
//! set     WAYS=1
//! set     WAYS=1 KERNELS=1
//! connect f_wait=dut.wait_q f_lag_hist=dut.lag_hist_q f_lag_words=dut.lag_words_q f_ahead=dut.ahead_q
//! connect f_lag_done=dut.lag_done_q f_pad=dut.lag_pad f_last_wait=dut.last_wait f_slot_last=dut.slot_last
//! connect f_k_end=dut.k_end_q f_word_end=dut.word_end_q f_one_slot=dut.one_slot_q f_slot_before=dut.slot_before_q
//! connect f_hold=dut.hold_q
//! connect f_pool=dut.pool_q f_pool1=dut.pool1_q f_pool2=dut.pool2_q
//! connect f_act=dut.act_q f_kind=dut.kind_q f_phase=dut.phase_q f_words=dut.words_q f_hist=dut.hist_q
//! connect f_hist_k=dut.hist_k_q f_word=dut.word_q f_k=dut.k_q f_d=dut.d_q f_coef=dut.coef_q
//! connect f_stall=dut.stall f_issue=dut.issue f_closing=dut.closing f_pending=dut.sums_pending_q f_drain=dut.drain_q
//! connect f_taken=dut.take_q f_skip=dut.skip f_last=dut.last_q
//! connect f_op1=dut.op1_q f_op2=dut.op2_q f_op3=dut.op3_q f_op4=dut.op4_q f_op5=dut.op5_q f_op6=dut.op6_q
//! connect f_op7=dut.op7_q f_op8=dut.op8_q f_op9=dut.op9_q f_op10=dut.op10_q
//! connect f_h1=dut.haddr1_q f_h2=dut.haddr2_q f_w1=dut.waddr1_q f_w2=dut.waddr2_q f_w3=dut.waddr3_q f_w4=dut.waddr4_q
//! connect f_w5=dut.waddr5_q f_w6=dut.waddr6_q f_write7=dut.write7_q f_hist_we2=dut.hist_we2_q
//! connect f_k1=dut.k1_q f_k2=dut.k2_q f_k3=dut.k3_q f_k4=dut.k4_q f_k5=dut.k5_q f_k6=dut.k6_q f_k7=dut.k7_q
//! connect f_k8=dut.k8_q f_k9=dut.k9_q f_k10=dut.k10_q
//! mutant  sample_again a_history PASS_SAMPLE_AGAIN 16
//! mutant  coefficients_on a_coefficient PASS_COEFFICIENTS_ON 16
//! mutant  word_more a_ends PASS_WORD_MORE 16
//! mutant  ways_all_shift a_ways_written PASS_WAYS_ALL_SHIFT 16
//! mutant  lag_late a_ends PASS_LAG_DONE_LATE 30
//! mutant  soon_early a_soon PASS_SOON_EARLY 16
`default_nettype none

module formal_pass #(
  parameter WAYS       = 1,
  parameter KERNELS    = 0,
  parameter HIST_WORDS = 13,
  parameter WORDS      = 11
) (
  input wire       clk_i,
  input wire       begin_i,
  input wire       row_valid_i,
  input wire [1:0] kind_i,
  input wire       shift_i,
  input wire       last_i,
  input wire       set_i,
  input wire [3:0] hist_i,
  input wire [3:0] word_i,
  input wire [3:0] words_i,
  input wire       done_i
);
  localparam SAMPLES = 3, LAGS = 3;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg       update, potential;
  (* anyconst *) reg [1:0] sample_last, lag_last;
  (* anyconst *) reg [3:0] hist0, sample_words;

  // ---- what the planner makes ---------------------------------------------------------------------------------------
  wire [2:0] samples  = {1'b0, sample_last} + 3'd1;
  wire [2:0] lags     = {1'b0, lag_last} + 3'd1;
  wire [7:0] sample_end = {4'd0, hist0} + {4'd0, sample_words};
  wire [2:0] groups   = (samples + WAYS - 3'd1) / WAYS; // of WAYS samples
  wire [4:0] top      = {1'b0, hist_i} + {1'b0, words_i};
  wire [4:0] word_top = {1'b0, word_i} + {1'b0, words_i};
  always @* begin
    assume (sample_last < SAMPLES && lag_last < LAGS);
    assume ({4'd0, hist0} + groups * {4'd0, sample_words} <= HIST_WORDS && sample_words != 4'd0);
    if (kind_i == 2'd1) assume (hist_i >= hist0 && {3'd0, top} < sample_end);
    else if (kind_i != 2'd3) assume (top < HIST_WORDS);
    if (kind_i == 2'd2) assume ({3'd0, top} < {4'd0, hist0} || hist_i >= hist0); // of the inputs or of the neurons
    if (kind_i == 2'd2 && hist_i >= hist0) assume ({3'd0, top} < {4'd0, hist0} + groups * {4'd0, sample_words});
    if (kind_i[1] == 1'b0) assume (word_top < WORDS);
  end

  wire       take, hist_re, weight_re, coef_re, hist_we, weight_we, idle;
  wire [3:0] hist_at, hist_to, frame_at, weight_at, weight_to, ways_at, ways_to;
  wire [4:0] coef_at;
  wire       ways_re, ways_we, soon;
  wire       begins = begin_i && idle && !f_reset;
  reg        m_begun = 1'b0;
  tern_pass #(
    .LANES(1), .LANE_W(0), .SAMPLE_W(2), .TAPS_D(1), .HIST_W(4), .LAG_W(2), .WEIGHT_W(4), .TAP_W(9), .X_W(10),
    .KERNEL_W(22), .DELTA_W(27), .ACC_W(28), .DITHER_MIN(1), .DITHER_MAX(2),
    .WORD_AW(4), .HIST_AW(4), .COEF_AW(4), .INDEX_W(2), .SAMPLES(SAMPLES), .WAYS(WAYS), .KERNELS(KERNELS)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .update_i(update), .potential_i(potential), .idle_o(idle),
    .soon_o(soon), .end_o(),
    .row_valid_i(row_valid_i && m_begun), .row_take_o(take), .row_kind_i(kind_i), .row_shift_i(shift_i),
    .row_last_i(last_i), .row_number_i(2'd0), .row_set_i(set_i), .row_words_i({12'd0, words_i}), .row_hist_i(hist_i),
    .row_word_i(word_i), .row_index_i(2'd0), .row_kernel_i(90'd0), .row_kernel_base_i(27'd0), .row_taps_i(21'd0),
    .row_taps_base_i(10'd0), .s_words_i(128'd0), .row_pair_i(1'b0), .each_we_i(2'd0), .each_waddr_i(3'd0),
    .each_wdata_i(90'd0), .each_base_i(27'd0),
    .hist_re_o(hist_re), .weight_re_o(weight_re), .coef_re_o(coef_re), .hist_raddr_o(hist_at),
    .hist_rdata_i({WAYS{4'd0}}), .hist_we_o(hist_we), .hist_waddr_o(hist_to), .hist_wdata_o(), .ways_re_o(ways_re),
    .ways_raddr_o(ways_at), .ways_we_o(ways_we), .ways_waddr_o(ways_to), .frame_raddr_o(frame_at),
    .frame_rdata_i({WAYS{1'b0}}), .weight_raddr_o(weight_at), .weight_rdata_i(4'd0), .weight_we_o(weight_we),
    .weight_waddr_o(weight_to), .weight_wdata_o(), .coef_raddr_o(coef_at), .coef_rdata_i({WAYS{16'd0}}),
    .sums_valid_o(),
    .sums_done_i(done_i), .sum_shared_o(), .has_sample_o(), .sum_re_i(1'b0), .sum_raddr_i(3'd0), .sum_sample_o(),
    .cfg_sample_last_i(sample_last), .cfg_lag_last_i(lag_last), .cfg_sample_hist0_i(hist0),
    .cfg_sample_words_i(sample_words),
    .cfg_dither_bits_i(5'd1), .cfg_dither_bits1_i(5'd1), .cfg_top_i(4'd7), .cfg_absent_i(4'd8), .sat_count_o()
  );
  wire        f_last, f_act, f_stall, f_issue, f_closing, f_pending, f_taken, f_skip, f_write7, f_hist_we2;
  wire [1:0]  f_kind, f_k, f_d, f_drain, f_k1, f_k2, f_k3, f_k4, f_k5, f_k6, f_k7, f_k8, f_k9, f_k10;
  wire        f_ahead, f_lag_done, f_pool, f_pool1, f_pool2;
  wire [1:0]  f_phase, f_wait, f_pad, f_last_wait, f_slot_last, f_slot_before;
  wire        f_k_end, f_word_end, f_one_slot, f_hold;
  wire [3:0]  f_lag_hist;
  wire [15:0] f_lag_words;
  wire [2:0]  f_op1, f_op2, f_op3, f_op4, f_op5, f_op6, f_op7, f_op8, f_op9, f_op10;
  wire [15:0] f_words;
  wire [3:0]  f_hist, f_hist_k, f_word, f_coef, f_h1, f_h2, f_w1, f_w2, f_w3, f_w4, f_w5, f_w6;

  // ---- how long a row takes: a cycle for each operation; G W lags and two empty cycles for a word of a sample row,
  // then G sums of which the first makes the new weight. With several ways the lags of the next word stand between a
  // word's lags and its weight, which has three cycles there at least
  wire [3:0] products = groups * lags;
  wire [3:0] sums     = potential ? {1'b0, groups} : 4'd1;
  wire [1:0] pad      = (WAYS == 1 || products >= 4'd3) ? 2'd0 : 2'd3 - products[1:0];
  wire [4:0] between  = {3'd0, pad} + {1'b0, sums};
  wire [1:0] last_wait = (between >= 5'd3) ? 2'd0 : 2'd3 - between[1:0];
  wire [4:0] per_word = !update ? {1'b0, sums} : (WAYS == 1) ? {1'b0, products} + {1'b0, sums} + 5'd2 :
      {1'b0, products} + {1'b0, sums};
  // a kernel for each sample: the kernel sums of the first word, then those of the next word beside each word's sums
  wire       each = KERNELS != 0 && update;
  wire [8:0] each_time = ({5'd0, words_i} + (potential ? 9'd2 : 9'd1)) * groups + (potential ? 9'd0 : 9'd1);
  wire [8:0] sample_time = each ? each_time : ({5'd0, words_i} + 9'd1) * per_word
                           + ((WAYS == 1 || !update) ? 9'd0 : (words_i == 4'd0) ? 9'd3 :
                               {5'd0, words_i} * pad + {7'd0, last_wait});
  reg  [8:0] m_left = 9'd0;   // cycles of the current row
  reg        m_owed = 1'b0;   // a neuron was handed over, and tern_fire has not ended it
  reg  [4:0] m_still = 5'd0;  // cycles without a current row
  reg  [2:0] m_offered = 3'd0; // cycles that a row has been offered while there was none
  // it was said one (bit 0) to three cycles ago that a row would be taken, and none has been
  reg  [2:0] m_soon = 3'd0;
  always @(posedge clk_i) begin
    if (take && !f_skip) m_left <= (kind_i == 2'd3) ? 9'd1 : (kind_i == 2'd1) ? sample_time : {5'd0, words_i} + 9'd1;
    else if (f_issue) m_left <= m_left - 9'd1;
    if (f_issue && f_closing) m_owed <= 1'b1;
    else if (done_i || begins) m_owed <= 1'b0;
    m_still   <= (f_act || take) ? 5'd0 : (m_still == 5'd31) ? m_still : m_still + 5'd1;
    m_soon    <= {m_soon[1:0], soon} & {3{!take && !f_reset && !begins}};
    m_offered <= (row_valid_i && m_begun && !take && !f_act) ? m_offered + 3'd1 : 3'd0;
    if (begins) m_begun <= 1'b1;
    if (f_reset) begin
      m_left <= 9'd0;
      m_owed <= 1'b0;
      m_begun <= 1'b0;
      m_offered <= 3'd0;
    end
  end

  // ---- rules --------------------------------------------------------------------------------------------------------
  always @* if (!f_reset) begin
    // 1. every address is one of the network's
    if (hist_re) a_history: assert (hist_at < HIST_WORDS && frame_at == hist_at);
    if (hist_we) a_history_written: assert (hist_to < HIST_WORDS);
    if (weight_re) a_weight: assert (weight_at < WORDS);
    if (weight_we) a_weight_written: assert (weight_to < WORDS);
    if (coef_re) a_coefficient: assert (coef_at < {1'b0, products});
    if (f_op10 == 3'd5 || f_op10 == 3'd4) a_sum: assert (f_k10 < groups);
    if (ways_re) a_ways: assert (ways_at < groups * {4'd0, sample_words});
    if (ways_we) a_ways_written: assert (ways_to < groups * {4'd0, sample_words});
    // 2. a row ends after its cycles; it waits only for tern_fire, and a row that is offered waits only for the one
    // before
    a_ends: assert (f_act == (m_left != 9'd0));
    if (f_stall) a_waits: assert (m_owed);
    a_taken: assert (m_offered <= 3'd4);
    if (m_soon[2] && row_valid_i && m_begun) a_soon: assert (take);
    // 3. then the pass is idle, 15 cycles later
    if (m_still >= 5'd15) a_idle: assert (idle);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  wire       sample = f_act && f_kind == 2'd1;
  wire [8:0] words_left = {5'd0, f_words[3:0]};
  wire [3:0] at_lag = f_k * lags + {2'd0, f_d};
  wire       i_early = WAYS > 1 && update;
  wire [3:0] i_at = (i_early && f_phase == 2'd0) ? f_lag_hist : f_hist;
  wire [8:0] i_to_do = f_lag_done ? 9'd0 : {5'd0, f_lag_words[3:0]} + 9'd1; // words without lags
  always @* if (!f_reset) begin
    i_hold: assert (f_hold == (f_last && potential && f_pending));
    i_owed: assert (m_owed == f_pending || (m_owed && !f_pending && !m_begun));
    i_begun: assert (m_begun || (!f_act && !f_taken && m_left == 9'd0));
    if (f_act) begin
      i_words: assert (f_words[15:4] == 12'd0 && f_k < groups && f_d <= lag_last);
      i_ends: assert (f_k_end == (f_k == f_slot_last) && f_word_end == (f_words == 16'd0));
      i_pool: assert (f_pool == (f_kind == 2'd2 && f_hist >= hist0));
      if (f_kind == 2'd2 && !f_pool) i_inputs: assert ({1'b0, f_hist} + {1'b0, f_words[3:0]} < {1'b0, hist0});
      if (f_pool) i_pool_end: assert ({4'd0, f_hist} + {4'd0, f_words[3:0]} < {4'd0, hist0} + groups *
          {4'd0, sample_words});
      if (f_kind == 2'd0 || f_kind == 2'd2) i_hist:
          assert ({1'b0, f_hist} + {1'b0, f_words[3:0]} < HIST_WORDS && m_left == words_left + 9'd1);
      if (f_kind[1] == 1'b0) i_word: assert ({1'b0, f_word} + {1'b0, f_words[3:0]} < WORDS);
      if (f_kind == 2'd3) i_none: assert (m_left == 9'd1);
      if (f_kind == 2'd2) i_shift: assert (potential);
    end
    if (!f_reset) i_config: assert (f_slot_last + 3'd1 == groups && f_slot_before == f_slot_last - 2'd1 &&
        f_one_slot == (f_slot_last == 2'd0) &&
        (WAYS == 1 || !update || (f_pad == pad && f_last_wait == last_wait)));
    if (sample) begin
      i_sample: assert (f_hist >= hist0 &&
          {4'd0, f_hist} + {4'd0, f_words[3:0]} < sample_end + (each && f_phase[1]));
      i_place: assert ({4'd0, f_hist_k} == {4'd0, i_at} + f_k * {4'd0, sample_words});
      if (each) i_each: assert (f_phase != 2'd1 && (f_words != 16'd0 || potential || f_phase != 2'd3));
      i_phase: assert ((update || f_phase[1]) && (potential || each || f_phase != 2'd3) &&
          (f_phase == 2'd0 || f_d == 2'd0) &&
          (f_phase == 2'd0 || f_phase == 2'd3 || f_k == 2'd0) && (f_phase != 2'd3 || f_k != 2'd0));
      if (f_phase == 2'd0) i_coef: assert (f_coef == (each ? {2'd0, f_k} : at_lag));
      if (each) i_left_each: assert (m_left == (words_left + (f_phase == 2'd0 ? 9'd1 : 9'd0)) * groups - f_k +
          (potential ? {6'd0, groups} : 9'd1));
      if (f_phase != 2'd0) i_coef_0: assert (f_coef == 4'd0 || !update || WAYS == 1);
      if (f_phase == 2'd1) i_wait: assert (f_wait != 2'd0);
      if (!i_early && !each) i_left: assert (m_left == words_left * per_word +
          (f_phase == 2'd0 ? {5'd0, products - at_lag} + 9'd2 + sums : f_phase == 2'd1 ? {7'd0, f_wait} + sums :
          {5'd0, sums} - {7'd0, f_k}));
      if (i_early) begin // the lags are ahead
        i_lags: assert (f_lag_words[15:4] == 12'd0 || f_lag_words == 16'hffff);
        if (f_phase == 2'd0) begin
          i_lag_words: assert (f_lag_words[15:4] == 12'd0 && f_lag_words + (f_ahead ? 16'd1 : 16'd0) == f_words &&
              f_lag_hist == f_hist + (f_ahead ? 4'd1 : 4'd0) && !f_lag_done);
          i_left_lag: assert (m_left == {5'd0, products - at_lag} + f_lag_words[3:0] * products + (words_left + 9'd1) *
              sums + words_left * pad
                                        + ((!f_ahead && f_words == 16'd0) ? 9'd3 : {7'd0, last_wait}));
        end else begin
          i_done: assert (f_lag_done == (f_lag_words == 16'hffff) && f_ahead &&
              i_to_do == ((f_words == 16'd0) ? 9'd0 : words_left - 9'd1));
          if (!f_lag_done) i_lag_at: assert (f_lag_hist == f_hist + 4'd2);
          i_left_sums: assert (m_left == i_to_do * products + words_left * sums +
              ((f_phase == 2'd1) ? {7'd0, f_wait} + sums : {5'd0, sums} - {7'd0, f_k})
                                         + ((f_words != 16'd0) ? (words_left - 9'd1) * pad + {7'd0, last_wait} : 9'd0));
        end
      end
    end
    if (f_op1 != 3'd0 && !(each && f_op1[2])) i_h1: assert (f_h1 < HIST_WORDS);
    if (f_hist_we2) i_h2: assert (f_h2 < HIST_WORDS);
    if (f_op1 == 3'd1 && f_pool1) i_pool1: assert (f_h1 >= hist0 &&
        {4'd0, f_h1} < {4'd0, hist0} + groups * {4'd0, sample_words});
    if (f_hist_we2 && f_pool2) i_pool2: assert (f_h2 >= hist0 &&
        {4'd0, f_h2} < {4'd0, hist0} + groups * {4'd0, sample_words});
    if (f_pool1 && f_op1 != 3'd0) i_pool1_op: assert (f_op1 == 3'd1);
    if (f_op1 == 3'd2 || f_op1 == 3'd4) i_w1: assert (f_w1 < WORDS);
    if (f_op2 == 3'd2 || f_op2 == 3'd4) i_w2: assert (f_w2 < WORDS);
    if (f_op3 == 3'd2 || f_op3 == 3'd4) i_w3: assert (f_w3 < WORDS);
    if (f_op4 == 3'd2 || f_op4 == 3'd4) i_w4: assert (f_w4 < WORDS);
    if (f_op5 == 3'd2 || f_op5 == 3'd4) i_w5: assert (f_w5 < WORDS);
    if (f_op6 == 3'd2 || f_op6 == 3'd4) i_w6: assert (f_w6 < WORDS);
    if (f_op1 == 3'd5 || f_op1 == 3'd4) i_k1: assert (f_k1 < groups);
    if (f_op2 == 3'd5 || f_op2 == 3'd4) i_k2: assert (f_k2 < groups);
    if (f_op3 == 3'd5 || f_op3 == 3'd4) i_k3: assert (f_k3 < groups);
    if (f_op4 == 3'd5 || f_op4 == 3'd4) i_k4: assert (f_k4 < groups);
    if (f_op5 == 3'd5 || f_op5 == 3'd4) i_k5: assert (f_k5 < groups);
    if (f_op6 == 3'd5 || f_op6 == 3'd4) i_k6: assert (f_k6 < groups);
    if (f_op7 == 3'd5 || f_op7 == 3'd4) i_k7: assert (f_k7 < groups);
    if (f_op8 == 3'd5 || f_op8 == 3'd4) i_k8: assert (f_k8 < groups);
    if (f_op9 == 3'd5 || f_op9 == 3'd4) i_k9: assert (f_k9 < groups);
    // what is left when a row is to be taken soon
    i_soon: assert ((!soon || !f_act || (f_kind == 2'd0 && m_left <= 9'd4)) &&
        (!m_soon[0] || !f_act || (f_kind == 2'd0 && m_left <= 9'd3 && !f_stall))
                    && (!m_soon[1] || !f_act || (f_kind == 2'd0 && m_left <= 9'd2 && !f_stall)) &&
                        (!m_soon[2] || !f_act || (f_kind == 2'd0 && m_left == 9'd1 && !f_stall)));
    if (m_soon != 3'd0) i_unowed: assert (!f_act || !f_last || !potential || !f_pending);
    i_soon_drain: assert ((!m_soon[0] || f_drain <= 2'd2) && (!m_soon[1] || f_drain <= 2'd1) &&
        (!m_soon[2] || (f_drain == 2'd0 && !f_taken)) && (!m_soon[1] || !f_taken));
    // rows take three cycles to drain; then the pipeline is empty stage by stage
    i_drain: assert (f_drain == 2'd0 || (!f_act && m_still + {3'd0, f_drain} == 5'd3));
    i_offered: assert (m_offered + {1'b0, f_drain} <= 3'd4 && (!f_taken || m_offered == 3'd0));
    if (m_still >= 5'd1) i_taken: assert (!f_taken || m_still == 5'd1);
    if (m_still >= 5'd2) i_still1: assert (f_op1 == 3'd0);
    if (m_still >= 5'd3) i_still2: assert (f_op2 == 3'd0 && !f_taken);
    if (m_still >= 5'd4) i_still3: assert (f_op3 == 3'd0);
    if (m_still >= 5'd5) i_still4: assert (f_op4 == 3'd0 && f_drain == 2'd0);
    if (m_still >= 5'd6) i_still5: assert (f_op5 == 3'd0);
    if (m_still >= 5'd7) i_still6: assert (f_op6 == 3'd0);
    if (m_still >= 5'd8) i_still7: assert (f_op7 == 3'd0);
    if (m_still >= 5'd9) i_still8: assert (f_op8 == 3'd0);
    if (m_still >= 5'd10) i_still9: assert (f_op9 == 3'd0);
    if (m_still >= 5'd11) i_still10: assert (f_op10 == 3'd0);
  end

  // ---- these happen: a sample row of two words with an update; a flush of one; a wait for tern_fire
  reg [1:0] f_rows = 2'd0;
  reg       f_two = 1'b0;
  always @(posedge clk_i) begin
    if (take && f_rows != 2'd3) f_rows <= f_rows + 2'd1;
    if (take) f_two <= kind_i == 2'd1 && words_i == 4'd1;
  end
  wire f_one = f_two && update && f_rows == 2'd1 && m_left == 9'd0 && idle; // such a row has been executed
  always @* if (!f_reset) begin
    c_sample: cover (f_one && potential && sample_last != 2'd0 && lag_last != 2'd0);
    c_flush: cover (f_one && !potential);
    c_waits: cover (f_stall && f_rows == 2'd2);
  end
  wire unused = &{1'b0, row_valid_i};
endmodule

`default_nettype wire
