// formal_stream.v : rules of the small core's pass: addresses, the two banks of weights, the row buffer, and that it
// ends what it was given
// SPDX-License-Identifier: Apache-2.0
//
// tern_small with its program and its memories cut away. The program is any that keeps its word: rows are written and
// pushed while the buffer is not full and no row waits for its kernel, results taken when there are some, at most two
// neurons at a time; modes change when a pass begins, and all is idle; nothing else is written into the row buffer
// while a kernel is made. (tests/unit checks of the program itself what it can.) Rows are any that the planner makes;
// each neuron's begin with its self-memory's, as on docs/43-small-core.md. The buffer has four slots, and two if
// histories are long. Results are looked at in stage 8; they are written a cycle later. What the histories' memory says
// of distances is free: 3 bits, none, 2 bits (rtl.distances shows what the row of kind shift leaves there).
//! files   small/tern_small small/tern_stream small/tern_kernel small/tern_micro small/tern_micro_rom
//! files   small/tern_small_lane small/tern_weights mem/tern_spram mem/tern_ram mem/tern_block mem/tern_data
//! files   blocks/tern_history blocks/tern_trace blocks/tern_tapsum blocks/tern_dither
//! cut     tern_micro tern_small_lane tern_dither tern_spram tern_ram tern_block tern_data
//! solver  bits
//! bound   4
//! induct  1
//! reach   60
//! set     HIST_W=4
//! set     HIST_W=16
//! set     HIST_W=30
//! connect f_busy=dut.m_busy f_sample_last_q=dut.sample_last_q f_lag_last_q=dut.lag_last_q
//! connect f_sample_words_q=dut.sample_words_q
//! connect f_ctl=dut.ctl f_code=dut.code f_we=dut.m_we f_space=dut.m_space f_at=dut.m_waddr f_rb=dut.rb_rdata
//! connect f_rb_re=dut.rb_re f_rb_at=dut.rb_raddr
//! connect f_rb_to=dut.rb_waddr f_kernel_we=dut.kernel_we f_kernel_busy=dut.kernel_busy
//! connect f_pending=dut.pending_q f_push=dut.push f_waits=dut.waits f_a=dut.m_a f_start=dut.kernel_start
//! connect f_run=dut.u_kernel.run_q f_kn=dut.u_kernel.n_q f_kd=dut.u_kernel.d_q f_valid1=dut.u_kernel.valid1_q
//! connect f_end1=dut.u_kernel.end1_q
//! connect f_valid2=dut.u_kernel.valid2_q f_end2=dut.u_kernel.end2_q f_store=dut.u_kernel.store_q
//! connect f_kaddr=dut.u_kernel.waddr_q
//! connect f_full=dut.full_q f_closed_q=dut.closed_q f_wslot=dut.wslot_q f_rslot=dut.rslot_q f_update=dut.update_q
//! connect f_potential=dut.potential_q
//! connect f_take=dut.take f_closed=dut.closed f_idle=dut.pass_idle f_hist_re=dut.hist_re f_hist_at=dut.hist_raddr
//! connect f_hist_we=dut.hist_we f_hist_to=dut.hist_waddr
//! connect f_weight_re=dut.weight_re f_weight_at=dut.weight_raddr f_weight_we=dut.weight_we
//! connect f_weight_to=dut.weight_waddr f_result_we=dut.u_stream.result8 f_result_to=dut.u_stream.result_at8
//! connect f_load=dut.u_stream.load_q f_load1=dut.u_stream.load1_q f_act=dut.u_stream.act_q f_wait=dut.u_stream.wait_q
//! connect f_out=dut.u_stream.out_q f_part=dut.u_stream.part_q f_part1=dut.u_stream.part1_q
//! connect f_kind=dut.u_stream.kind_q f_phase=dut.u_stream.phase_q f_n=dut.u_stream.n_q f_n1=dut.u_stream.n1_q
//! connect f_last=dut.u_stream.last_q f_self=dut.u_stream.self_q f_gap=dut.u_stream.gap_q
//! connect f_filter=dut.u_stream.filter_q f_words=dut.u_stream.words_q f_hist=dut.u_stream.hist_q
//! connect f_hist_k=dut.u_stream.hist_k_q f_hist_w=dut.u_stream.hist_w_q f_hist_we2=dut.u_stream.hist_we2_q
//! connect f_shift1=dut.u_stream.shift1_q
//! connect f_k=dut.u_stream.k_q f_d=dut.u_stream.d_q f_op=dut.u_stream.op f_op1=dut.u_stream.op1_q
//! connect f_op2=dut.u_stream.op2_q
//! connect f_op3=dut.u_stream.op3_q f_op4=dut.u_stream.op4_q f_op5=dut.u_stream.op5_q f_op6=dut.u_stream.op6_q
//! connect f_op7=dut.u_stream.op7_q f_op8=dut.u_stream.op8_q
//! connect f_first1=dut.u_stream.first1_q f_first2=dut.u_stream.first2_q f_first3=dut.u_stream.first3_q
//! connect f_first4=dut.u_stream.first4_q
//! connect f_self1=dut.u_stream.self1_q f_self2=dut.u_stream.self2_q f_self3=dut.u_stream.self3_q
//! connect f_self4=dut.u_stream.self4_q
//! connect f_self5=dut.u_stream.self5_q f_self6=dut.u_stream.self6_q f_self7=dut.u_stream.self7_q
//! connect f_self8=dut.u_stream.self8_q
//! connect f_coef=dut.u_stream.coef_q f_coef4=dut.u_stream.coef4 f_word3=dut.u_stream.word3_q
//! connect f_word6=dut.u_stream.word6_q f_k7=dut.u_stream.k7_q f_k8=dut.u_stream.k8_q f_write6=dut.u_stream.write6_q
//! connect f_far=dut.gap_rdata f_fresh=dut.u_stream.fresh_q f_far1=dut.u_stream.gap1_q f_far2=dut.u_stream.gap2_q
//! connect f_far3=dut.u_stream.gap3_q f_far4=dut.u_stream.gap4_q f_far5=dut.u_stream.gap5_q
//! connect f_index=dut.u_stream.index_q f_begun=dut.u_stream.begun_q
//! mutant  one_bank a_banks STREAM_ONE_BANK 40
//! mutant  own_beyond a_history STREAM_OWN_STRIDE 40
//! mutant  full_once a_full STREAM_TAKES_TWICE 30
//! mutant  out_waits a_ends STREAM_OUT_WAITS 125
//! mutant  push_early a_kernel SMALL_PUSH_EARLY 30
//! mutant  gap_beyond a_order STREAM_GAP_BEYOND 40
`default_nettype none

module formal_stream #(
  parameter HIST_W = 4
) (
  input wire clk_i
);
  localparam SAMPLES = 2, LAGS = 2, TAPS = 1, FILTERS = 2, HIST_WORDS = 8, PAIRS = 6, DEEP = HIST_WORDS + PAIRS,
      WORDS = 11, N_KERNEL = HIST_W / 2;
  localparam SLOT_W = (8 + 2 * N_KERNEL <= 32) ? 5 : 6, SLOTS_W = 7 - SLOT_W, SLOTS = 1 << SLOTS_W,
      KERNEL_TIME = 2 * N_KERNEL * LAGS + 4;
  // bits of a distance, as in tern_small
  localparam SPARE = (16 - HIST_W % 16) % 16, GAP_W = (SPARE > 3) ? 3 : SPARE, GAP_PORT = (GAP_W > 0) ? GAP_W : 1;
  localparam [2:0] OP_NONE = 3'd0, OP_SHIFT = 3'd1, OP_WORD = 3'd2, OP_LAG = 3'd3, OP_FIN = 3'd4, OP_ADD = 3'd5,
      OP_SELF = 3'd6, OP_OUT = 3'd7;
  localparam [1:0] PH_LAG = 2'd0, PH_GAP = 2'd1, PH_FIN = 2'd2, PH_ADD = 2'd3;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;

  // the host writes what the network is; then passes begin
  (* anyconst *) reg [3:0] hist0, sample_words;
  (* anyconst *) reg [1:0] lag_last;
  (* anyconst *) reg       sample_last;
  reg  [1:0] f_write = 2'd0;
  reg        m_written = 1'b0;
  always @(posedge clk_i) begin
    f_write   <= f_reset ? 2'd1 : (f_write == 2'd0) ? 2'd0 : f_write + 2'd1;
    m_written <= !f_reset && (m_written || f_write == 2'd3);
  end
  tern_small #(
    .LANES(1), .WEIGHT_W(4), .SAMPLES(SAMPLES), .NEURONS(3), .PAIRS(PAIRS), .ERRORS(12), .TAPS_D(TAPS), .LAGS_W(LAGS),
    .HIST_W(HIST_W), .FILTERS(FILTERS), .ROWS(5), .WORDS(WORDS), .HIST_WORDS(HIST_WORDS), .TARGETS(1),
    .TAP_W(9), .X_W(10), .KERNEL_W(22), .DELTA_W(27), .ACC_W(33), .DITHER_MIN(1), .DITHER_MAX(2), .INDEX_W(2), .SMALL(3)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .host_valid_i(f_write != 2'd0), .host_ready_o(), .host_write_i(1'b1),
    .host_addr_i(f_write == 2'd1 ? 32'd34 : f_write == 2'd2 ? 32'd36 : 32'd38),
    .host_wdata_i(f_write == 2'd1 ? {31'd0, sample_last} : f_write == 2'd2 ? {30'd0, lag_last} : {28'd0, sample_words}),
    .host_rvalid_o(), .host_rdata_o(), .busy_o()
  );
  wire        f_ctl, f_we, f_rb_re, f_kernel_we, f_kernel_busy, f_update, f_potential, f_take, f_closed, f_idle,
      f_hist_re, f_hist_we, f_weight_re, f_weight_we, f_result_we;
  wire        f_load, f_load1, f_act, f_wait, f_out, f_last, f_self, f_filter, f_hist_we2, f_shift1, f_k, f_k7, f_k8,
      f_write6;
  wire [14:0] f_code;
  wire [2:0]  f_space, f_op;
  wire [9:0]  f_at;
  wire [31:0] f_rb;
  wire [7:0]  f_rb_at, f_rb_to;
  wire        f_pending, f_push, f_start, f_run, f_valid1, f_end1, f_valid2, f_end2, f_store;
  wire [31:0] f_a;
  wire [7:0]  f_waits;
  wire [5:0]  f_kn, f_kaddr;
  wire [1:0]  f_kd;
  wire [SLOTS_W-1:0] f_wslot, f_rslot;
  wire [SLOTS_W:0]   f_full;
  wire [1:0]  f_closed_q, f_part, f_part1, f_kind, f_phase, f_gap, f_d;
  wire        f_busy, f_sample_last_q;
  wire [1:0]  f_lag_last_q;
  wire [3:0]  f_sample_words_q;
  wire [3:0]  f_hist_at, f_hist_to, f_weight_at, f_weight_to, f_words, f_hist, f_hist_k, f_hist_w, f_word3, f_word6,
      f_result_to;
  wire [5:0]  f_n, f_n1;
  wire [2:0]  f_op1, f_op2, f_op3, f_op4, f_op5, f_op6, f_op7, f_op8;
  wire        f_first1, f_first2, f_first3, f_first4, f_self1, f_self2, f_self3, f_self4, f_self5, f_self6, f_self7,
      f_self8;
  // half a distance: in the histories' memory, of the word in a stage
  wire [GAP_PORT-1:0] f_far, f_far1, f_far2, f_far3, f_far4, f_far5;
  wire        f_fresh, f_begun;
  wire [1:0]  f_index;
  wire [23:0] f_ops    = {f_op8, f_op7, f_op6, f_op5, f_op4, f_op3, f_op2, f_op1};
  wire [3:0]  f_firsts = {f_first4, f_first3, f_first2, f_first1};
  wire [7:0]  f_selfs  = {f_self8, f_self7, f_self6, f_self5, f_self4, f_self3, f_self2, f_self1};
  wire [4:0]  f_coef, f_coef4;

  // ---- the program: rows as they are pushed -------------------------------------------------------------------------
  (* anyseq *) reg [1:0] new_kind;
  (* anyseq *) reg       new_last, new_self, new_filter;
  (* anyseq *) reg [3:0] new_words, new_hist;
  wire       begins = f_ctl && f_code[6];
  wire       push   = f_ctl && f_code[1];
  wire       taken  = f_ctl && f_code[2];
  wire       kernel = f_ctl && f_code[3];
  wire       writes = f_we && f_space == 3'd1 && !f_at[7];
  wire [2:0] samples = {2'd0, sample_last} + 3'd1;
  wire [2:0] lags    = {1'b0, lag_last} + 3'd1;
  wire [3:0] products = samples * lags;
  wire [7:0] sample_end = {4'd0, hist0} + {4'd0, sample_words};
  // a row's last history word; rows of kind shift begin there
  wire [4:0] new_top = {1'b0, new_hist} + {1'b0, new_words};
  wire       new_weights = (new_kind == 2'd0 || new_kind == 2'd1) && !new_self;
  // {hist, words, filter, self, last, kind}
  wire [12:0] new_row = {new_hist, new_words, new_filter, new_self, new_last, new_kind};
  reg  [12:0] m_row0 = 13'd0, m_row1 = 13'd0, m_row2 = 13'd0, m_row3 = 13'd0; // of each slot
  reg         m_open = 1'b0;      // a pass has begun
  reg         m_neuron = 1'b0;    // rows of a neuron have come, and not yet its last one
  reg  [1:0]  m_ahead = 2'd0;     // neurons begun, and not yet taken
  reg  [3:0]  m_total = 4'd0;     // words of weights of all rows
  reg  [2:0]  m_lasts = 3'd0, m_closed = 3'd0;
  // rows in the buffer: handed over, and the one that waits for its kernel behind them
  wire [2:0]  used = f_full + {2'd0, f_pending};
  wire [51:0] rows;                               // in their order
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : g_row
      wire [SLOTS_W-1:0] at = f_rslot + g;
      assign rows[13*g +: 13] = (at == 2'd0) ? m_row0 : (at == 2'd1) ? m_row1 : (at == 2'd2) ? m_row2 : m_row3;
    end
  endgenerate
  wire [12:0] row  = rows[12:0];                  // the next one
  // the one that waits
  wire [12:0] made = (f_wslot == 2'd0) ? m_row0 : (f_wslot == 2'd1) ? m_row1 : (f_wslot == 2'd2) ? m_row2 : m_row3;
  wire        room = !f_full[SLOTS_W] && !f_pending;
  wire        reading = f_load1 && f_part1 == 2'd0;
  always @* begin
    assume (lag_last < LAGS && sample_words != 4'd0 && {4'd0, hist0} + samples * {4'd0, sample_words} <= HIST_WORDS);
    if (f_write != 2'd0) assume (!f_busy);
    if (f_ctl || f_we) assume (m_written);
    if (begins) assume (f_idle && f_full == 3'd0 && !f_pending && !f_kernel_busy && !push && !taken && !kernel);
    if (push) assume (m_open && room && !taken);
    if (taken) assume (f_closed_q != 2'd0);
    if (kernel) assume (push && f_a[1:0] == new_kind);    // A is the row's first word
    if (push && new_kind == 2'd0) assume (kernel);
    if (writes) assume (room && (f_at >> SLOT_W) == 10'd0);
    if (f_we && f_space == 3'd1 && f_at[7]) assume (!f_kernel_busy);
    assume (!(f_we && f_ctl));
    if (push) begin
      if (new_self) assume (!m_neuron && m_ahead < 2'd2 && new_kind == 2'd1 && !new_last && new_words == 4'd0 &&
          new_hist >= HIST_WORDS && {1'b0, new_hist} + {4'd0, sample_last} < DEEP);
      else if (new_kind == 2'd2) assume (!m_neuron && !new_last && f_potential && new_hist >= new_words &&
          new_hist < HIST_WORDS);
      else assume (m_neuron);
      if (new_kind == 2'd0) assume (new_top < HIST_WORDS);
      if (new_kind == 2'd1 && !new_self) assume (new_hist >= hist0 && {3'd0, new_top} < sample_end);
      if (new_kind == 2'd3) assume (new_last && new_words == 4'd0);
      if (new_weights) assume ({1'b0, m_total} + {1'b0, new_words} < WORDS);
    end
    if (reading && f_n1 == 6'd0) assume ({f_rb[8], f_rb[5], f_rb[3], f_rb[1:0]} == row[4:0] &&
        f_rb[16 +: 4] == row[8:5]);
    if (reading && f_n1 == 6'd1) assume (f_rb[3:0] == row[12:9]);
  end

  // ---- time: ROW cycles from row to row, of which the last LOAD are those of loading; then END until the last result
  // is written
  localparam LOAD = 6 + 2 * N_KERNEL, ROW = 61 + LOAD, END = 12, LIMIT = (END > LOAD) ? ROW - LOAD + END : ROW + 1;
  wire [4:0] word_time = (f_kind != 2'd1) ? 5'd1 :
      (f_update ? {1'b0, products} + 5'd4 : f_self ? 5'd0 : 5'd1) +
      ((f_potential || (f_self && !f_update)) ? {2'd0, samples} : 5'd0);
  reg  [7:0] m_left = 8'd0;   // operations of the current row
  reg  [6:0] m_quiet = 7'd0;  // since a row was taken last, or handed over to a pass that had none
  reg  [6:0] m_waits = 7'd0;  // since the last row was pushed
  reg  [6:0] m_time = 7'd0;   // of the kernel: cycles since its start, that one counted; 0: none
  reg  [5:0] m_made = 6'd0;   // words of it that were written
  reg  [3:0] m_still = 4'd0;  // since the last operation or row
  reg  [3:0] m_read1 = 4'd0, m_read2 = 4'd0, m_read3 = 4'd0;
  reg  [3:0] m_i1 = 4'd0, m_i2 = 4'd0, m_i3 = 4'd0, m_i4 = 4'd0; // number of the coefficient
  reg  [7:0] m_ks = 8'd0;     // sample of each stage
  wire [3:0] i0 = f_d * samples + {3'd0, f_k};   // all samples of a lag, then the next lag
  // words of weights: passed, those between two that are read too; of all rows taken; address of the word in a stage.
  // The same of the row's histories
  reg  [3:0] m_next = 4'd0, m_behind = 4'd0;
  reg  [3:0] m_w1 = 4'd0, m_w2 = 4'd0, m_w3 = 4'd0, m_w4 = 4'd0, m_w5 = 4'd0, m_w6 = 4'd0, m_h1 = 4'd0, m_h2 = 4'd0,
      m_first = 4'd0, m_begins = 4'd0, m_words = 4'd0;
  reg        m_fresh = 1'b0; // the row's first word is to come
  reg        m_told = 1'b0;  // the dither index of a row's first word has come
  reg  [1:0] m_index = 2'd0;
  wire [5:0] far  = {5'd0, 1'b1} + {4'd0, f_far, 1'b0};
  wire [3:0] left = m_behind - m_next;
  wire       skip = f_act && f_kind == 2'd0 && !m_fresh && f_potential && GAP_W > 0 && far <= {2'd0, left};
  wire [3:0] dist = skip ? far[3:0] : 4'd1;
  wire [3:0] word = m_next + dist - 4'd1;
  wire       moves = f_load || f_load1 || f_act || f_wait || f_out || f_full != 3'd0;
  always @(posedge clk_i) begin
    if (push) begin
      if (f_wslot == 2'd0) m_row0 <= new_row;
      if (f_wslot == 2'd1) m_row1 <= new_row;
      if (f_wslot == 2'd2) m_row2 <= new_row;
      if (f_wslot == 2'd3) m_row3 <= new_row;
      if (new_self) m_neuron <= 1'b1;
      if (new_last) m_neuron <= 1'b0;
      if (new_weights) m_total <= m_total + new_words + 4'd1;
      if (new_last) m_lasts <= m_lasts + 3'd1;
    end
    if (f_closed) m_closed <= m_closed + 3'd1;
    m_ahead <= m_ahead + {1'b0, push && new_self} - {1'b0, taken};
    if (f_take) m_left <= (f_words + 8'd1) * word_time;
    else if (f_act) m_left <= m_left - {4'd0, dist};
    m_fresh <= f_take || (m_fresh && !f_act);
    if (f_take && !f_kind[1] && !f_self) m_behind <= m_behind + f_words + 4'd1;
    if (f_op == OP_WORD || f_op == OP_FIN) m_next <= word + 4'd1;
    m_w1 <= word; m_w2 <= m_w1; m_w3 <= m_w2; m_w4 <= m_w3; m_w5 <= m_w4; m_w6 <= m_w5;
    m_h1 <= f_hist_at; m_h2 <= m_h1;
    if (reading && f_n1 == 6'd2) begin
      m_told  <= 1'b1;
      m_index <= f_rb[1:0];
    end
    if (f_take) begin // of the current row: first history word, first word of weights, words - 1
      m_first  <= f_hist;
      m_begins <= m_behind;
      m_words  <= f_words;
    end
    m_waits <= push ? 7'd1 : (m_waits == 7'd127) ? m_waits : m_waits + 7'd1;
    m_time  <= (f_reset || m_time == KERNEL_TIME - 1) ? 7'd0 : (f_start || m_time != 7'd0) ? m_time + 7'd1 : 7'd0;
    m_made  <= push ? 6'd0 : m_made + {5'd0, f_kernel_we};
    m_quiet <= (f_take || (f_push && !moves) || begins || f_reset) ? 7'd0 : (m_quiet == 7'd127) ? m_quiet :
        m_quiet + 7'd1;
    m_still <= (moves || f_reset) ? 4'd0 : (m_still == 4'd15) ? m_still : m_still + 4'd1;
    m_read1 <= f_weight_at; m_read2 <= m_read1; m_read3 <= m_read2;
    m_i1 <= i0; m_i2 <= m_i1; m_i3 <= m_i2; m_i4 <= m_i3;
    m_ks <= {m_ks[6:0], f_k};
    if (begins || f_reset) begin
      m_open   <= !f_reset;
      m_neuron <= 1'b0;
      m_ahead  <= 2'd0;
      m_total  <= 4'd0;
      m_lasts  <= 3'd0;
      m_closed <= 3'd0;
      m_left   <= 8'd0;
      m_next   <= 4'd0;
      m_behind <= 4'd0;
      m_told   <= 1'b0;
    end
  end

  // ---- rules --------------------------------------------------------------------------------------------------------
  wire [8:0] p; // a weight is loaded: stage
  wire [8:0] c; // a sample's sum or result
  wire [8:0] e; // last result of a neuron
  wire [8:0] s; // writes a result
  generate
    for (g = 0; g < 9; g = g + 1) begin : g_stage
      wire [2:0] o = (g == 0) ? f_op : f_ops[3*((g == 0) ? 0 : g-1) +: 3];
      wire       own = (g == 0) ? (f_self && f_act) : f_selfs[(g == 0) ? 0 : g-1];
      wire       k = (g == 0) ? f_k : m_ks[(g == 0) ? 0 : g-1];
      assign p[g] = o == OP_WORD || o == OP_FIN;
      assign c[g] = o == OP_ADD || o == OP_SELF || (o == OP_OUT && !own);
      assign e[g] = o == OP_OUT && !own && k == sample_last;
      assign s[g] = o == OP_SELF || o == OP_OUT;
    end
  endgenerate
  wire [3:0] lasts; // of the rows in the buffer
  wire [3:0] valid;
  wire [19:0] words_of;
  generate
    for (g = 0; g < 4; g = g + 1) begin : g_used
      assign valid[g] = g < SLOTS && used > g;
      assign lasts[g] = valid[g] && rows[13*g + 2];
      assign words_of[5*g +: 5] = valid[g] && !rows[13*g + 1] && !rows[13*g + 3] ? {1'b0, rows[13*g + 5 +: 4]} + 5'd1 :
          5'd0;
    end
  endgenerate
  wire [2:0] slot_lasts = {2'd0, lasts[0]} + {2'd0, lasts[1]} + {2'd0, lasts[2]} + {2'd0, lasts[3]};
  wire [2:0] at_hand    = {2'd0, f_act && f_last} + {2'd0, f_wait} + {2'd0, f_out};
  wire [3:0] behind     = {3'd0, e[1]} + {3'd0, e[2]} + {3'd0, e[3]} + {3'd0, e[4]} + {3'd0, e[5]} + {3'd0, e[6]} +
      {3'd0, e[7]} + {3'd0, e[8]};
  wire [6:0] slot_words = {2'd0, words_of[4:0]} + {2'd0, words_of[9:5]} + {2'd0, words_of[14:10]} +
      {2'd0, words_of[19:15]};
  always @* if (!f_reset) begin
    // 1. every address is one of the network's
    if (f_hist_re) a_history: assert (f_hist_at < DEEP);
    if (f_hist_we) a_history_written: assert (f_hist_to < DEEP);
    if (f_weight_re) a_weight: assert (f_weight_at < WORDS);
    if (f_weight_we) a_weight_written: assert (f_weight_to < WORDS);
    if (f_rb_re && f_rb_at[7:6] == 2'b10) a_coefficient: assert ({1'b0, f_rb_at[4:0]} < {2'd0, products});
    if (f_rb_re && f_rb_at[7:6] == 2'b11) a_taps: assert (f_rb_at[5:0] < FILTERS);
    if (f_rb_re && !f_rb_at[7]) a_row: assert (f_full != 3'd0 && f_rb_at[6:SLOT_W] == f_rslot &&
        f_rb_at[SLOT_W-1:0] < 8 + 2 * N_KERNEL);
    if (f_result_we) a_result: assert (f_result_to[1] <= sample_last && (!f_result_to[2] || f_result_to[1:0] == 2'd0));
    // rows are passed over in order: the first word, from each to one at the distance that its histories tell, if that
    // is not behind the last word and this is no flush, else to the next one; and the last word. What is shifted goes
    // back to where it came from, each word of a row of kind shift
    if (f_weight_re) a_order: assert (f_weight_at == m_w3);
    if (p[4]) a_dither: assert (f_index == i_index);
    if (f_act && f_kind == 2'd0) a_histories: assert (f_hist_re && f_op == OP_WORD && i_h == i_w);
    if (f_act && f_kind == 2'd2) a_shift: assert (f_hist_re && f_op == OP_SHIFT &&
        {4'd0, i_down} + m_left == {4'd0, m_words} + 8'd1);
    if (!f_act) a_last: assert (m_next == m_behind);
    if (f_hist_we) a_shifted: assert (f_hist_to == m_h2);
    if (f_hist_we && f_hist_re) a_one_word: assert (f_hist_to != f_hist_at);
    // 2. a word of weights is written three cycles after it was read, and never in a cycle in which its bank is read
    if (f_weight_we) a_written_back: assert (f_weight_to == m_read3);
    if (f_weight_we && f_weight_re) a_banks: assert (f_weight_to[0] != f_weight_at[0]);
    // 3. row buffer: no row too many, none that is not there, each in its slot and handed over with its kernel, none
    // written while it is read; so are results
    a_full: assert (f_full <= SLOTS && !(f_push && f_full == SLOTS) && !(f_take && f_full == 3'd0));
    a_slots: assert (f_wslot == f_rslot + f_full[SLOTS_W-1:0]);
    if (f_kernel_we) a_place: assert (f_pending && f_full != SLOTS && f_rb_to[7:SLOT_W] == {1'b0, f_wslot} &&
        f_rb_to[SLOT_W-1:0] == 8 + m_made && m_made < 2 * N_KERNEL);
    if (f_push && made[1:0] == 2'd0 && f_update) a_kernel: assert (m_made == 2 * N_KERNEL && !f_kernel_we);
    if (f_we && f_space == 3'd1) a_port: assert (!f_kernel_we);
    if ((writes || f_kernel_we) && f_rb_re) a_apart: assert (f_rb_to != f_rb_at);
    // the program learns when it may: what it waits for stays so until it pushes, takes or begins
    if (!f_ctl) a_told: assert ((f_waits[0] || (room && !f_kernel_busy)) && (f_waits[1] || f_closed_q != 2'd0)
            && (f_waits[2] || (f_idle && f_full == 3'd0 && !f_pending && !f_kernel_busy)) &&
                (f_waits[4] || !f_kernel_busy));
    a_results: assert (f_closed_q != 2'd3 && !(f_result_we && f_closed_q == 2'd2));
    // 4. what was pushed is handed over in time; then it continues: another row is taken in time, or everything is
    // done, and each neuron's results have come
    if (f_pending) a_handed: assert (m_waits <= KERNEL_TIME);
    if (m_quiet >= LIMIT) a_ends: assert (f_idle && f_full == 3'd0);
    if (f_idle && f_full == 3'd0 && !f_pending) a_closes: assert (m_lasts == m_closed);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  wire       i_loading = f_load || f_load1;
  wire       i_kernel  = f_kind == 2'd0 && f_update;
  wire       i_writer  = f_potential && (f_ops[2:0] == OP_SHIFT || f_ops[2:0] == OP_SELF);
  wire [3:0] i_step    = (f_kind == 2'd2) ? 4'hf : 4'd1;
  wire [3:0] i_w1      = f_hist_w + (f_hist_we2 ? i_step : 4'd0), i_w0 = i_w1 + (i_writer ? i_step : 4'd0);
  // the last word that has come to a stage
  wire [3:0] i_x5 = p[5] ? m_w5 : f_word6, i_x4 = p[4] ? m_w4 : i_x5, i_x3 = p[3] ? m_w3 : i_x4;
  wire [3:0] i_x2 = p[2] ? m_w2 : f_word3, i_x1 = p[1] ? m_w1 : i_x2;
  // distances
  wire [3:0] i_d1 = m_w1 - i_x2, i_d2 = m_w2 - f_word3, i_d3 = m_w3 - i_x4, i_d4 = m_w4 - i_x5, i_d5 = m_w5 - f_word6;
  wire [3:0] i_begins = i_x4 + 4'd1;
  wire [1:0] i_index  = m_index + i_x4[1:0] - m_begins[1:0]; // of the last word that has come to stage 4
  wire [3:0] i_passed = m_next - 4'd1 - m_begins, i_h = f_hist_at - m_first, i_w = word - m_begins,
      i_down = m_first - f_hist_at, i_at = f_hist - m_first, i_shifted = m_first - f_hist;
  wire [7:0] i_gone    = {2'd0, f_n1};
  always @* if (!f_reset) begin
    if (f_write == 2'd0) i_host: assert (m_written);
    if (m_written || f_write >= 2'd2) i_sample_last: assert (f_sample_last_q == sample_last);
    if (m_written || f_write == 2'd3) i_lag_last: assert (f_lag_last_q == lag_last);
    if (m_written) i_sample_words: assert (f_sample_words_q == sample_words && f_write == 2'd0);
    if (!m_written) i_not_yet: assert (!m_open);
    if (!m_open) i_begun: assert (!moves && f_ops == 24'd0 && !f_pending);
    // the row that waits, and its kernel: word f_kn, product f_kd
    if (f_pending) i_pending: assert (f_full != SLOTS &&
        (m_waits == m_time || (m_time == 7'd0 && (m_waits == 7'd1 || m_waits == KERNEL_TIME))));
    i_time_kernel: assert (m_time < KERNEL_TIME && f_kernel_busy == (f_start || m_time != 7'd0) &&
        f_run == (m_time != 7'd0 && m_time <= 2 * N_KERNEL * LAGS));
    if (m_time != 7'd0) i_kernel_row: assert (f_pending && made[1:0] == 2'd0 && f_update);
    if (f_pending && made[1:0] == 2'd0 && f_update && m_time == 7'd0) i_kernel_made: assert (m_made == 2 * N_KERNEL);
    if (f_run) i_kernel_at: assert (f_kn < 2 * N_KERNEL && f_kd < LAGS && m_time == f_kn * LAGS + f_kd + 1);
    i_kernel_valid: assert (f_valid1 == (m_time >= 7'd2 && m_time <= 2 * N_KERNEL * LAGS + 1) &&
        f_valid2 == (m_time >= 7'd3 && m_time <= 2 * N_KERNEL * LAGS + 2));
    if (f_valid1) i_kernel_end1: assert (f_end1 == m_time[0]);  // LAGS is 2: every other product ends a word
    if (f_valid2) i_kernel_end2: assert (f_end2 == !m_time[0]);
    i_kernel_store: assert (f_store == (m_time >= 7'd5 && m_time[0]));
    if (m_time != 7'd0) i_kernel_word: assert (f_kaddr == 6'd8 + m_made &&
        m_made == (m_time <= 7'd5 ? 7'd0 : (m_time - 7'd4) / 7'd2));
    i_one: assert ({2'd0, i_loading} + {2'd0, f_act} + {2'd0, f_wait} + {2'd0, f_out} <= 3'd1);
    if (f_load) i_part: assert (f_part != 2'd3 &&
        (f_part == 2'd0 ? f_n <= 6'd3 : f_part == 2'd1 ? f_n == 6'd0 : f_n < 2 * N_KERNEL));
    if (f_load && !f_load1) i_part_first: assert (f_part == 2'd0 && f_n == 6'd0);
    if (f_load && f_load1) i_part_next: assert (f_part == f_part1 ? f_n == f_n1 + 6'd1 : f_part == f_part1 + 2'd1 &&
        f_n == 6'd0 && f_n1 == (f_part1 == 2'd0 ? 6'd3 : 6'd0));
    if (f_load1) i_part1: assert (f_part1 != 2'd3 &&
        f_n1 <= (f_part1 == 2'd1 ? 0 : f_part1 == 2'd0 ? 3 : 2 * N_KERNEL - 1) && (f_part1 != 2'd2 || i_kernel));
    if (f_load1 && !f_load) i_part1_last: assert (f_part1 == (i_kernel ? 2'd2 : 2'd1) &&
        f_n1 == (i_kernel ? 2 * N_KERNEL - 1 : 0));
    if (f_load && f_part == 2'd2) i_part_kernel: assert (i_kernel);
    if (i_loading) i_row: assert (f_full != 3'd0);
    if (f_load1 && !(reading && f_n1 == 6'd0)) i_row0:
        assert ({f_filter, f_self, f_last, f_kind} == row[4:0] && f_words == row[8:5]);
    if (f_load1 && !(reading && f_n1 <= 6'd1)) i_row1:
        assert (f_hist == row[12:9] && f_hist_k == f_hist && f_hist_w == f_hist);
    // the current row
    i_act: assert (f_act == (m_left != 8'd0));
    if (f_act) begin
      i_act_k: assert (f_k <= sample_last && f_d <= lag_last);
      if (f_kind == 2'd0 || f_kind == 2'd2) i_act_words:
          assert (m_left == {4'd0, f_words} + {7'd0, m_fresh} && !f_self && f_fresh == m_fresh);
      if (f_kind == 2'd0) i_act_hist: assert ({1'b0, f_hist} + {1'b0, f_words} < HIST_WORDS);
      if (f_kind == 2'd2) i_act_shift: assert (f_potential && !f_last && f_hist < HIST_WORDS && f_hist >= f_words);
      if (f_kind == 2'd3) i_act_none: assert (f_last && !f_self && m_left == 8'd1);
      if (f_kind == 2'd1 && !f_self) i_act_sample:
          assert (f_hist >= hist0 && {4'd0, f_hist} + {4'd0, f_words} < sample_end &&
          {4'd0, f_hist_k} == {4'd0, f_hist} + f_k * {4'd0, sample_words});
      if (f_kind == 2'd1 && f_self) i_act_self:
          assert (f_hist >= HIST_WORDS && {1'b0, f_hist} + {4'd0, sample_last} < DEEP &&
          {1'b0, f_hist_k} == {1'b0, f_hist} + {4'd0, f_k} && f_words == 4'd0 && !f_last);
      if (f_kind == 2'd1) begin
        i_phase: assert ((f_update || f_phase == PH_ADD || (f_phase == PH_FIN && !f_self)) &&
            (f_phase != PH_ADD || f_potential || (f_self
                && !f_update)) && (f_phase == PH_LAG || f_d == 2'd0) &&
                    (f_phase == PH_LAG || f_phase == PH_ADD || f_k == 1'b0)
                        && (f_phase == PH_GAP ? f_gap <= 2'd2 : f_phase != PH_LAG || f_gap == 2'd0));
        i_left: assert (m_left == f_words * word_time +
            (f_phase == PH_ADD ? {5'd0, samples} - {7'd0, f_k} :
            (f_phase == PH_LAG ? {4'd0, products} - {4'd0, i0} + 8'd3 : f_phase == PH_GAP ? 8'd3 - {6'd0, f_gap} : 8'd0)
                                                         + 8'd1 + (f_potential ? {5'd0, samples} : 8'd0)));
      end
      i_act_more: assert (f_kind == 2'd2 || f_last || m_neuron || slot_lasts != 3'd0);
    end
    if (f_wait || (f_act && f_kind != 2'd1)) i_wait: assert (f_k == 1'b0);
    if (f_out) i_out: assert (f_k <= sample_last);
    // histories are written behind their reading
    if (f_ops[2:0] == OP_SHIFT || f_ops[2:0] == OP_SELF) i_shifts:
        assert (f_shift1 && (f_ops[2:0] == OP_SHIFT ? f_kind == 2'd2 : f_kind == 2'd1 && f_self));
    if (f_hist_we2) i_hist_op: assert (f_potential && (f_ops[5:3] == OP_SHIFT || f_ops[5:3] == OP_SELF));
    if (f_hist_we2) i_hist2: assert (f_hist_w == m_h2 && m_h2 < DEEP && (f_kind == 2'd2 || (f_kind == 2'd1 && f_self)));
    if (i_writer) i_hist1: assert (i_w1 == m_h1 && m_h1 < DEEP);
    if (f_act && f_kind == 2'd2) i_hist_shift: assert (i_w0 == f_hist_at);
    if (f_act && f_kind == 2'd1 && f_self && f_potential) i_hist_self:
        assert (f_phase == PH_ADD ? i_w0 == f_hist_k : !i_writer && !f_hist_we2 && f_hist_w == f_hist);
    if (f_load1) i_hist_load: assert (!f_hist_we2 && f_ops[2:0] == OP_NONE);
    if (f_load) i_hist_load1: assert (f_ops[2:0] == OP_NONE);
    if (f_act && !f_kind[0]) i_at_hand: assert (f_kind[1] ? {1'b0, i_shifted} + {1'b0, f_words} == {1'b0, m_words} &&
        m_words <= m_first && f_words <= m_words : i_at == (m_fresh ? 4'd0 : i_passed) &&
        (!m_fresh || m_next == m_begins));
    // weights: read, on their way, to come
    if (m_open) i_words: assert ({3'd0, m_behind} + slot_words == {3'd0, m_total} && m_total <= WORDS &&
        m_next <= m_behind);
    if (f_act) i_hand: assert ({1'b0, left} ==
        (f_kind[1] || f_self ? 5'd0 : f_kind == 2'd1 ? {1'b0, f_words} + {4'd0, f_phase != PH_ADD} :
        {1'b0, f_words} + {4'd0, m_fresh}));
    if (m_open) i_word3: assert (m_next == i_x1 + 4'd1 && f_word3 == i_x3);
    if (p[1]) i_far1: assert (i_d1 == {f_far1, 1'b1} && m_w1 < WORDS);
    if (p[2]) i_far2: assert (i_d2 == {f_far2, 1'b1} && m_w2 < WORDS);
    if (p[3]) i_far3: assert (i_d3 == {f_far3, 1'b1} && m_w3 < WORDS);
    if (p[4]) i_far4: assert (i_d4 == {f_far4, 1'b1} && m_w4 < WORDS);
    if (p[5]) i_far5: assert (i_d5 == {f_far5, 1'b1} && m_w5 < WORDS);
    if (p[6]) i_far6: assert (m_w6 == f_word6 && m_w6 < WORDS);
    if (p[4]) i_read1: assert (m_read1 == m_w4);
    if (p[5]) i_read2: assert (m_read2 == m_w5);
    if (p[6]) i_read3: assert (m_read3 == m_w6);
    if (m_told) i_index4: assert (f_index == (f_begun ? i_index : m_index));
    if (!m_told) i_not_told: assert (!f_act && p[4:1] == 4'd0 && !(f_load1 && (f_part1 != 2'd0 || f_n1 > 6'd2)));
    if (m_told && f_act && !f_begun) i_index_first: assert (i_begins == m_begins);
    if ((f_load1 && (f_part1 != 2'd0 || f_n1 > 6'd2)) || (f_act && m_fresh)) i_index_fresh: assert (!f_begun);
    if (p[4]) i_index_begun: assert (f_begun);
    if (p[1] || p[2] || p[3]) i_index_next: assert (m_told && (f_begun || i_begins == m_begins));
    i_write6: assert (!f_write6 || p[6]);
    if (f_write6) i_updates: assert (f_update);
    if (f_update) begin
      i_together: assert (!(p[0] && p[3] && !(p[1] && p[2])) && !(p[1] && p[4] && !(p[2] && p[3])) &&
          !(p[2] && p[5] && !(p[3] && p[4])) && !(p[3] && p[6] && !(p[4] && p[5])));
      if (f_act && f_kind == 2'd0) i_row_words: assert ((!p[3] || p[2]) && (!p[2] || p[1]));
      if (f_act && f_kind == 2'd1 && f_phase == PH_GAP) i_gap:
          assert (!p[1] && (f_gap == 2'd0 || !p[2]) && (f_gap <= 2'd1 || !p[3]));
      if (f_act && f_kind == 2'd1 && f_phase == PH_FIN) i_fin: assert (!p[1] && !p[2] && !p[3]);
      if (f_act && f_kind == 2'd1 && f_phase == PH_LAG && i0 != 4'd0) i_lag: assert (!p[1]);
    end
    // behind a row the stages empty one by one while the next one is loaded
    if (f_load1 && (f_part1 != 2'd0 || f_n1 >= 6'd0)) i_empty2: assert (f_ops[5:0] == 6'd0);
    if (f_load1 && (f_part1 != 2'd0 || f_n1 >= 6'd1)) i_empty3: assert (f_ops[8:0] == 9'd0);
    if (f_load1 && (f_part1 != 2'd0 || f_n1 >= 6'd2)) i_empty4: assert (f_ops[11:0] == 12'd0);
    if (f_load1 && (f_part1 != 2'd0 || f_n1 >= 6'd3)) i_empty5: assert (f_ops[14:0] == 15'd0);
    if (f_load1 && f_part1 != 2'd0) i_empty6: assert (f_ops[17:0] == 18'd0);
    // coefficients and samples are counted where they are used
    if (f_op == OP_LAG && i0 != 4'd0) i_lag0: assert (f_ops[2:0] == OP_LAG && m_i1 == i0 - 4'd1);
    if (f_ops[2:0] == OP_LAG) i_lag1: assert (m_i1 < products && f_firsts[0] == (m_i1 == 4'd0) &&
        (m_i1 == 4'd0 || (f_ops[5:3] == OP_LAG && m_i2 == m_i1 - 4'd1)));
    if (f_ops[5:3] == OP_LAG) i_lag2: assert (m_i2 < products && f_firsts[1] == (m_i2 == 4'd0) &&
        (m_i2 == 4'd0 || (f_ops[8:6] == OP_LAG && m_i3 == m_i2 - 4'd1)));
    if (f_ops[8:6] == OP_LAG) i_lag3: assert (m_i3 < products && f_firsts[2] == (m_i3 == 4'd0) &&
        (m_i3 == 4'd0 || (f_ops[11:9] == OP_LAG && m_i4 == m_i3 - 4'd1)));
    if (f_ops[11:9] == OP_LAG) i_lag4: assert (m_i4 < products && f_firsts[3] == (m_i4 == 4'd0) &&
        (m_i4 == 4'd0 || f_coef == {1'b0, m_i4}));
    i_chain: assert ((c[0] || !c[1] || m_ks[0] == sample_last) && (!c[0] || f_k == 1'b0 || (c[1] && m_ks[0] != f_k)) &&
        (!(c[0] && c[1]) || m_ks[0] == sample_last || f_k != m_ks[0]));
    if (m_open) i_k: assert (f_k7 <= sample_last && (!s[8] || c[8] || f_k8 == 1'b0) &&
        f_k7 == (c[8] && m_ks[7] != sample_last) && (!c[8] || f_k8 == m_ks[7]));
    // each neuron: open, in the buffer, current, on its way, closed
    i_neurons: assert ({3'd0, m_ahead} == {4'd0, m_neuron} + {2'd0, slot_lasts} + {2'd0, at_hand} + {1'b0, behind} +
        {3'd0, f_closed_q} && m_ahead <= 2'd2);
    i_lasts: assert (m_lasts - m_closed == slot_lasts + at_hand + behind[2:0]);
    // time
    if (m_still != 4'd0) i_still: assert (!moves || f_full != 3'd0);
    if (!moves && m_open) i_still_time: assert (m_still == 4'd15 || m_quiet <= ROW - LOAD + m_still + 1);
    if (!moves) i_still_ops: assert ((m_still < 4'd1 || f_op1 == OP_NONE) && (m_still < 4'd2 || f_op2 == OP_NONE) &&
        (m_still < 4'd3 || f_op3 == OP_NONE) && (m_still < 4'd4 || f_op4 == OP_NONE)
            && (m_still < 4'd5 || f_op5 == OP_NONE) && (m_still < 4'd6 || f_op6 == OP_NONE) &&
                (m_still < 4'd7 || f_op7 == OP_NONE) && (m_still < 4'd8 || f_op8 == OP_NONE));
    if (moves) i_time: assert (m_quiet + (f_load1 ? (f_part1 == 2'd0 ? LOAD - 2 - f_n1 : f_part1 == 2'd1 ? LOAD - 6 :
        LOAD - 7 - f_n1) : f_load ? LOAD - 1
                                         : LOAD + (f_act ? m_left[6:0] + 7'd5 : f_wait ? 7'd4 : f_out ?
                                             7'd3 - {6'd0, f_k} : 7'd0)) <= ROW);
  end
  // rows in the buffer are as they were pushed; each neuron's has a last one behind it, or will have
  generate
    for (g = 0; g < SLOTS; g = g + 1) begin : g_pushed
      wire [12:0] r = rows[13*g +: 13];
      always @* if (!f_reset && valid[g]) begin
        assert (r[3] ? (r[1:0] == 2'd1 && !r[2] && r[8:5] == 4'd0 && r[12:9] >= HIST_WORDS &&
            {1'b0, r[12:9]} + {4'd0, sample_last} < DEEP)
                : r[1:0] == 2'd1 ? (r[12:9] >= hist0 && {4'd0, r[12:9]} + {4'd0, r[8:5]} < sample_end)
                : r[1:0] == 2'd3 ? (r[2] && r[8:5] == 4'd0)
                : r[1:0] == 2'd2 ? (f_potential && !r[2] && r[12:9] < HIST_WORDS && r[12:9] >= r[8:5]) :
                    {1'b0, r[12:9]} + {1'b0, r[8:5]} < HIST_WORDS);
        assert (r[1:0] == 2'd2 || r[2] || m_neuron || (lasts >> (g + 1)) != 4'd0);
      end
    end
    for (g = 1; g < 8; g = g + 1) begin : g_chain
      always @* if (!f_reset) begin
        assert ((c[g] || !c[g+1] || m_ks[g] == sample_last) &&
            (!c[g] || m_ks[g-1] == 1'b0 || (c[g+1] && m_ks[g] != m_ks[g-1]))
                && (!(c[g] && c[g+1]) || m_ks[g] == sample_last || m_ks[g-1] != m_ks[g]) &&
                    (!c[g] || m_ks[g-1] <= sample_last));
      end
    end
    for (g = 1; g < 9; g = g + 1) begin : g_results
      wire [8:0] before = e & ((9'd1 << (g + 1)) - 9'd1) & 9'h1fe;
      always @* if (!f_reset && s[g]) begin
        assert (m_neuron || slot_lasts != 3'd0 || at_hand != 3'd0 || before != 9'd0);
      end
    end
  endgenerate

  // ---- these happen: a sample row of a network that learns is passed over; a flush; two neurons closed
  reg f_fin = 1'b0;
  always @(posedge clk_i) if (f_weight_we && f_kind == 2'd1) f_fin <= 1'b1;
  always @* if (!f_reset) begin
    c_learns: cover (f_fin && f_closed && f_potential && f_update);
    c_flush: cover (f_fin && f_idle && f_full == 3'd0 && !f_potential);
    c_two: cover (f_closed_q == 2'd2);
    c_distance: cover (f_weight_re && f_weight_we && f_weight_at - f_weight_to > 4'd3);
    c_full: cover (f_full == SLOTS);
    c_kernel: cover (f_push && m_made == 2 * N_KERNEL && f_load);
  end
  wire unused = &{1'b0, i_gone, f_coef4, f_filter};
endmodule

`default_nettype wire
