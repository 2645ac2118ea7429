// formal_prepare.v : rules of tern_prepare: its addresses, each row once, and no taps under those that tern_pass copies
// SPDX-License-Identifier: Apache-2.0
//
// Row words are any that the planner makes (docs/33-host-port.md): filters that there are, and a last row that is the
// last neuron's. tern_pass takes rows at any time, but keeps its word (formal.pass, a_soon): if it says so it takes one
// within three cycles. Coefficients and taps of a self-memory are asked for at any time.
//! files   core/tern_prepare core/tern_taps
//! cut     tern_taps
//! solver  bits glucose
//! bound   34
//! reach   60
//! set     PREP=1
//! set     PREP=2
//! set     PREP=2 TAPS=2
//! set     PREP=1 KERNELS=1
//! set     PREP=2 KERNELS=1
//! connect f_state=dut.state_q f_row=dut.row_q f_neuron=dut.neuron_q f_learned=dut.learned_q f_hand=dut.hand
//! connect f_pass_on=dut.pass_on f_make=dut.make f_valid=dut.valid_q f_coming=dut.coming_q
//! connect f_q=dut.q_q f_kernel=dut.kernel_q f_store=dut.store_q f_stored=dut.tap_stored f_next=dut.next
//! connect f_kind=dut.kind_q f_made=dut.made_kind_q f_ends=dut.taps_end f_load=dut.load_q
//! mutant  tap_more a_taps PREPARE_TAP_MORE 30
//! mutant  soon_always a_kept PREPARE_SOON_ALWAYS 34
//! connect f_each=dut.each_on_q f_pair=dut.made_pair_q f_held=dut.held_q f_sample=dut.k_q
//! mutant  waits_not a_known PREPARE_WAITS_NOT 30
//! mutant  each_early a_pair PREPARE_EACH_EARLY 34 PREP=1 KERNELS=1
//! mutant  each_taps_early a_kept PREPARE_EACH_TAPS_EARLY 34 PREP=2 KERNELS=1
//! mutant  each_of_first a_each PREPARE_EACH_OF_FIRST 34 PREP=1 KERNELS=1
`default_nettype none

module formal_prepare #(
  parameter PREP    = 1,
  parameter TAPS    = 3,
  parameter KERNELS = 0
) (
  input wire        clk_i,
  input wire        begin_i,
  input wire        coefficients_i,
  input wire        take_i,
  input wire        soon_i,
  input wire        self_i,
  input wire [31:0] row_i
);
  localparam LAGS = 3, NEURONS = 3, FILTERS = 3, ROWS = 6;
  localparam [2:0] ST_IDLE = 3'd0, ST_TAPS = 3'd2;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg       update, sample_last;
  (* anyconst *) reg [1:0] neuron_last, lag_last;
  (* anyconst *) reg [2:0] tap_last, rows, signal_first;

  wire        idle, row_valid, taps_re, sumc_re, coef_re, self_wait, row_last, row_pair;
  wire [4:0]  coef_at;            // {neuron, bits 1..0; sample W + lag}
  wire [1:0]  row_kind, row_number;
  wire [2:0]  row_at;
  wire [3:0]  sumc_at;            // {neuron, bits 1..0; lag}
  wire [4:0]  taps_at;
  wire        begins = begin_i && idle && !f_reset;
  wire        take   = take_i && row_valid;
  reg  [2:0]  m_told = 3'd0;      // coefficients of so many neurons in this pass
  wire        learns = coefficients_i && f_state != ST_IDLE && m_told <= {1'b0, neuron_last};
  tern_prepare #(
    .TAPS_D(TAPS), .HIST_W(6), .LAG_W(2), .Q_W(3), .FILTER_W(2), .TAP_W(9), .X_W(10), .KERNEL_W(22), .DELTA_W(27),
    .NEURON_W(2),
    .ROW_AW(3), .TAP_AW(5), .HIST_AW(2), .WORD_AW(2), .INDEX_W(2), .SIGNALS(1), .LAGS_W(LAGS), .PREP(PREP),
    .KERNELS(KERNELS), .SAMPLE_W(1), .COEF_AW(3)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .update_i(update), .idle_o(idle), .coefficients_i(learns),
    .row_valid_o(row_valid),
    .row_take_i(take), .pass_soon_i(soon_i), .row_kind_o(row_kind), .row_shift_o(), .row_last_o(row_last),
    .row_number_o(row_number),
    .row_set_o(), .row_words_o(), .row_hist_o(), .row_word_o(), .row_index_o(), .row_kernel_o(), .row_kernel_base_o(),
    .row_taps_o(),
    .row_taps_base_o(), .self_re_i(self_i), .self_at_i(5'd0), .self_q_i(3'd0), .self_wait_o(self_wait), .self_taps_o(),
    .self_base_o(),
    .rows_raddr_o(row_at), .rows_rdata_i(row_i), .rows_hist_i(2'd0), .rows_word_i(2'd0), .rows_index_i(2'd0),
    .taps_re_o(taps_re),
    .taps_raddr_o(taps_at), .taps_rdata_i(9'd0), .sumc_re_o(sumc_re), .sumc_raddr_o(sumc_at), .sumc_rdata_i(21'd0),
    .row_pair_o(row_pair), .each_we_o(), .each_waddr_o(), .each_wdata_o(), .each_base_o(), .coef_re_o(coef_re),
    .coef_raddr_o(coef_at), .coef_rdata_i(16'd0), .cfg_sample_last_i(sample_last),
    .cfg_neuron_last_i(neuron_last), .cfg_lag_last_i(lag_last), .cfg_tap_last_i(tap_last),
    .cfg_signal_first_i(signal_first)
  );
  wire [1:0] f_neuron, f_coming, f_kind, f_made;
  wire [2:0] f_state, f_row, f_learned, f_q;
  wire       f_each, f_pair, f_held, f_sample;
  wire       f_hand, f_pass_on, f_make, f_valid, f_kernel, f_store, f_stored, f_next, f_ends, f_load;

  // ---- what the planner makes: the memory gives the same word as long as the address stays --------------------------
  reg  [2:0]  m_row_at = 3'd0, m_row_was = 3'd0;
  reg  [31:0] m_row_last = 32'd0;
  // the row before was a SAMPLE row; there is none before of this neuron
  reg         m_held = 1'b0, m_sample = 1'b0, m_first = 1'b1;
  always @(posedge clk_i) begin
    m_row_at   <= row_at;
    m_row_was  <= m_row_at;
    m_row_last <= row_i;
    m_held     <= 1'b1;
    if (f_pass_on || f_make) begin
      m_sample <= (row_i[1:0] == 2'd1);
      m_first  <= row_i[3] || row_i[1:0] == 2'd2;
    end
    if (begins) m_first <= 1'b1;
  end
  reg  [1:0] m_neuron = 2'd0;     // of the next row
  always @(posedge clk_i) m_neuron <= begins ? 2'd0 : ((f_pass_on || f_make) && row_i[3]) ? m_neuron + 2'd1 : m_neuron;
  always @* begin
    assume (neuron_last < NEURONS && lag_last < LAGS && tap_last < TAPS && rows != 3'd0 && rows <= ROWS);
    if (m_held && m_row_at == m_row_was) assume (row_i == m_row_last);
    assume (row_i[9:8] < FILTERS);
    if (f_next) assume ((m_row_at == rows - 3'd1) == (row_i[3] && m_neuron == neuron_last));
    if (f_next && row_i[1:0] == 2'd2) assume (!row_i[3] && m_neuron == 2'd0 && m_first && !row_i[4] && !row_i[5]);
    if (f_next && row_i[1:0] == 2'd3) assume (row_i[3] && m_first && !row_i[4] && !row_i[5]);
    if (f_next && m_first) assume (!row_i[4] && !row_i[5]);
    if (f_next && row_i[5]) assume (row_i[1:0] == 2'd0 && m_sample && !row_i[4]);
    if (f_next && row_i[4]) assume (row_i[1:0] == {1'b0, m_sample});
  end

  // ---- tern_pass keeps its word -------------------------------------------------------------------------------------
  reg [2:0] m_soon = 3'd0;
  always @(posedge clk_i) m_soon <= {m_soon[1:0], soon_i} & {3{!take && !f_reset}};
  always @* if (m_soon[2] && row_valid) assume (take);

  // ---- which row the taps belong to: of the buffer, of the rows taken one and two cycles ago, of the taps read 4 to 1
  // cycles ago
  reg [3:0] m_making = 4'd0, m_buffer = 4'd0, m_taken1 = 4'd0, m_taken2 = 4'd0, m_store1 = 4'd0, m_store2 = 4'd0,
      m_store3 = 4'd0, m_store4 = 4'd0;
  reg       m_is1 = 1'b0, m_is2 = 1'b0, m_tap1 = 1'b0, m_tap2 = 1'b0, m_tap3 = 1'b0, m_tap4 = 1'b0;
  wire [3:0] number = {1'b0, f_row} + 4'd1; // of the next row
  always @(posedge clk_i) begin
    if (f_make) m_making <= number;
    if (f_hand) m_buffer <= m_making;
    else if (f_pass_on) m_buffer <= number;
    {m_is2, m_is1}       <= {m_is1, take && !f_reset};
    {m_taken2, m_taken1} <= {m_taken1, m_buffer};
    {m_tap4, m_tap3, m_tap2, m_tap1}         <=
        {m_tap3, m_tap2, m_tap1, (f_state == ST_TAPS) && f_store && f_stored && !f_reset};
    {m_store4, m_store3, m_store2, m_store1} <= {m_store3, m_store2, m_store1, m_making};
  end
  // ---- the row taken last: does it use kernels of samples, and which pair
  reg m_runs = 1'b0, m_runs_pair = 1'b0;
  always @(posedge clk_i) begin
    if (take) {m_runs, m_runs_pair} <= {KERNELS != 0 && update && row_kind == 2'd1, row_pair};
    if (begins || f_reset) m_runs <= 1'b0;
  end
  // ---- time: cycles in which it makes taps
  reg [5:0] m_run = 6'd0;
  always @(posedge clk_i) m_run <= (f_state != ST_TAPS || f_make || f_reset) ? 6'd0 : m_run + 6'd1;

  always @* if (!f_reset) begin
    // 1. every address is one of the network's; of rows those that are looked at
    if (f_next) a_row: assert (m_row_at < rows && f_neuron <= neuron_last);
    if (taps_re && f_state == ST_TAPS) a_taps: assert (taps_at < FILTERS * TAPS);
    if (sumc_re) a_sums: assert (sumc_at[1:0] <= lag_last && sumc_at[3:2] == f_neuron);
    // 2. each row is handed over once, in order (its number grows by one with each), and no more of them than there are
    if (f_make || f_pass_on) a_rows: assert (f_row < rows && !(f_make && f_pass_on));
    if (f_hand) a_buffer: assert (!f_pass_on && (!f_valid || take) && f_coming == 2'd0);
    if (row_valid && row_kind == 2'd2) a_shift: assert (!row_last);
    // 3. of a neuron whose coefficients are not there no sum is used, and no row is handed over
    if (coef_re) a_coefficients: assert (f_sample <= sample_last && coef_at[4:3] == f_neuron);
    if (sumc_re || coef_re || f_hand || (f_pass_on && row_i[1:0] != 2'd2)) a_known: assert (m_told > {1'b0, f_neuron});
    // 4. taps of a row are not stored before those of the rows before it are copied
    if (m_tap4 && (f_valid || f_coming != 2'd0) && !take) a_kept: assert (m_store4 <= m_buffer);
    if (m_tap4 && take) a_kept0: assert (m_store4 <= m_buffer);
    if (m_tap4 && m_is1) a_kept1: assert (m_store4 <= m_taken1);
    // 5. the taps of a row are made in their time
    a_goes_on: assert (m_run <= (KERNELS != 0 ? 6'd28 : 6'd14));
    if (coef_re) a_each: assert (coef_at[2:0] >= f_sample * (lag_last + 3'd1) &&
        coef_at[2:0] <= f_sample * (lag_last + 3'd1) + lag_last);
    // 6. kernels of samples are not written over those of the row that is executed, or waits
    if (f_each && f_state == ST_TAPS) a_pair: assert (!(m_runs && m_runs_pair == f_pair) &&
        !((f_valid || f_coming != 2'd0) && f_held && row_pair == f_pair));
  end
  always @(posedge clk_i) m_told <= (f_reset || begins) ? 3'd0 : m_told + {2'd0, learns};
  always @* if (!f_reset) begin
    c_two: cover (f_hand && f_make && update);
    c_kernel: cover (f_hand && f_kernel && !f_store);
    c_end: cover (idle && m_told == 3'd2 && neuron_last == 2'd1 && rows == 3'd5);
  end
  wire unused = &{1'b0, row_number, self_wait, f_learned, f_q, f_kind, f_made, f_ends, f_load, m_taken2, m_is2};
endmodule

`default_nettype wire
