// tern_stream_bench.v : the distances that tern_stream leaves in the histories' memory, and the words that it reads by
// them, against a plain model
// SPDX-License-Identifier: Apache-2.0
//
// Steps of one group of inputs: a row of kind shift, then shared rows over all of the group and over parts of it; now
// and then a flush, which shifts nothing and reads every word, of histories that were written meanwhile. Groups of 1 to
// 40 words with random histories, and every pattern of silent words in groups of 1 to 6, with all of their parts.
// Checked: what is shifted, and nothing else is written; each row reads its first and last word and every one with
// history, in steps of odd numbers, and these are the steps of the model, so that silent words are passed over; weights
// are read in the same steps, and written back three cycles later, never to the bank that is read.
// Prints "distances: N rows, W words, R read, as they should" or the first differences.
//! files   small/tern_stream small/tern_small_lane blocks/tern_history blocks/tern_trace blocks/tern_tapsum
//! files   blocks/tern_dither mem/tern_block
//! mutant  even bench STREAM_GAP_EVEN a word with history is passed over
//! mutant  oldest bench STREAM_GAP_OLDEST a word with history is passed over
//! mutant  beyond bench STREAM_GAP_BEYOND another word than the model
`default_nettype none
`timescale 1ns/1ns

module shape #(
  parameter LANES = 2,
  parameter GAP_W = 4,
  parameter SEED  = 1
) (
  input wire        clk_i,
  output reg [31:0] rows_o,
  output reg [31:0] words_o,
  output reg [31:0] reads_o,
  output reg [31:0] wrong_o,
  output reg        done_o
);
  localparam HIST_W = 3, HIST_AW = 6, DEPTH = 64, MOST = 40, WORD_AW = 12, WEIGHT_W = 4,
      GAP_PORT = (GAP_W > 0) ? GAP_W : 1, ROWS = 32, FAR = (2 << GAP_W) - 1;
  localparam W = LANES * HIST_W;
  reg                 rst, update, potential, begins;
  wire                take, idle, hist_re, hist_we, weight_re, weight_we, rb_re;
  wire [7:0]          rb_raddr;
  reg  [31:0]         rb_rdata;
  wire [HIST_AW-1:0]  hist_raddr, hist_waddr;
  wire [W-1:0]        hist_wdata;
  wire [GAP_PORT-1:0] gap_wdata;
  reg  [W-1:0]        hist_rdata;
  reg  [GAP_PORT-1:0] gap_rdata;
  reg  [LANES-1:0]    frame_rdata;
  wire [WORD_AW-1:0]  weight_raddr, weight_waddr;
  wire [LANES*WEIGHT_W-1:0] weight_wdata;

  // rows of the current pass; the group's histories and spikes
  reg  [1:0]  kind [0:ROWS-1];
  integer     from [0:ROWS-1], to [0:ROWS-1];
  integer     rows, taken;             // rows of the pass, and how many of them the stream has taken
  reg  [W-1:0]        hist [0:DEPTH-1], model [0:DEPTH-1];
  reg  [GAP_PORT-1:0] dist [0:DEPTH-1];
  reg  [LANES-1:0]    frame [0:DEPTH-1];
  tern_stream #(.FIXED(1), .LANES(LANES), .LANE_W((LANES > 1) ? 1 : 0), .WEIGHT_W(WEIGHT_W), .SAMPLE_W(1), .TAPS_D(3),
      .HIST_W(HIST_W), .LAG_W(2), .DITHER_MIN(2), .DITHER_MAX(2), .INDEX_W(8), .HIST_AW(HIST_AW), .GAP_W(GAP_W),
                .FILTER_W(1), .WORD_AW(WORD_AW)) dut (
    .clk_i(clk_i), .rst_i(rst), .update_i(update), .potential_i(potential), .begin_i(begins), .valid_i(taken < rows),
    .take_o(take), .closed_o(), .idle_o(idle), .sat_count_o(), .weight_o(),
    .rb_re_o(rb_re), .rb_raddr_o(rb_raddr), .slot_i(2'd0), .rb_rdata_i(rb_rdata),
    .hist_re_o(hist_re), .hist_raddr_o(hist_raddr), .hist_rdata_i(hist_rdata), .gap_rdata_i(gap_rdata),
    .frame_rdata_i(frame_rdata),
    .hist_we_o(hist_we), .hist_waddr_o(hist_waddr), .hist_wdata_o(hist_wdata), .gap_wdata_o(gap_wdata),
    .weight_re_o(weight_re), .weight_raddr_o(weight_raddr), .weight_rdata_i({(LANES*WEIGHT_W){1'b0}}),
    .weight_we_o(weight_we), .weight_waddr_o(weight_waddr), .weight_wdata_o(weight_wdata),
    .result_we_o(), .result_waddr_o(), .result_wdata_o(),
    .cfg_sample_last_i(1'b0), .cfg_lag_last_i(2'd0), .cfg_sample_words_i({HIST_AW{1'b0}}), .cfg_top_i({WEIGHT_W{1'b0}}),
    .cfg_dither_bits_i(5'd2)
  );

  task wrong(input [8*64-1:0] what, input integer at);
    begin
      if (wrong_o < 3) $display("FAILED: %0d lanes, GAP_W %0d, row %0d: %0s at %0d", LANES, GAP_W, taken - 1, what, at);
      wrong_o = wrong_o + 1;
    end
  endtask

  // ---- memories, and what is checked in each cycle ------------------------------------------------------------------
  integer at, base, next_base, first, visit, n_weight, written;
  integer want [0:ROWS*DEPTH-1];       // words of weights, in their order
  integer n_want;
  reg [WORD_AW-1:0] read1, read2, read3;
  reg               was1, was2, was3;
  always @(posedge clk_i) begin
    if (rb_re) rb_rdata <= (rb_raddr[7] || rb_raddr[4:0] > 5'd3) ? 32'd0 : (rb_raddr[1:0] == 2'd0) ?
        {10'd0, to[taken][5:0] - from[taken][5:0], 14'd0, kind[taken]}
                           : (rb_raddr[1:0] == 2'd1) ? ((kind[taken] == 2'd2) ? to[taken] : from[taken]) : 32'd0;
    if (hist_re) begin
      hist_rdata  <= hist[hist_raddr];
      gap_rdata   <= dist[hist_raddr];
      frame_rdata <= frame[hist_raddr];
      if (hist_we && hist_raddr == hist_waddr) wrong("a history that is read while it is written", hist_raddr);
    end
    if (hist_we) begin
      hist[hist_waddr] <= hist_wdata;
      dist[hist_waddr] <= gap_wdata;
      written = written + 1;
    end
    // a row reads the words that the model says, one each cycle
    if (hist_re) begin
      if (kind[taken-1] == 2'd2) begin
        if (hist_raddr !== to[taken-1] - visit) wrong("a row of kind shift does not read from its last word down",
            hist_raddr);
        visit = visit + 1;
      end else begin
        if (visit < 0 ? hist_raddr !== from[taken-1] :
            (hist_raddr <= visit || ((hist_raddr - visit) & 1) == 0)) wrong("not the first word, or no odd step",
            hist_raddr);
        for (at = (visit < 0 ? from[taken-1] : visit + 1); at < hist_raddr; at = at + 1)
          if ((potential ? model[at] : hist[at]) != 0) wrong("a word with history is passed over", at);
        if (hist_raddr !== expected(visit)) wrong("another word than the model", hist_raddr);
        want[n_want] = base + hist_raddr - from[taken-1];
        n_want  = n_want + 1;
        visit   = hist_raddr;
        reads_o = reads_o + 1;
      end
    end
    if (take) begin
      ends;
      if (kind[taken] != 2'd2) begin
        base      = next_base;
        next_base = base + to[taken] - from[taken] + 1;
        words_o   = words_o + to[taken] - from[taken] + 1;
      end
      visit  = (kind[taken] == 2'd2) ? 0 : -1;
      taken  <= taken + 1;
      rows_o = rows_o + 1;
    end
    // weights
    if (weight_re) begin
      if (n_weight >= n_want || weight_raddr !== want[n_weight]) wrong("another word of weights", weight_raddr);
      n_weight = n_weight + 1;
      if (weight_we && weight_raddr[0] === weight_waddr[0]) wrong("a bank is read and written", weight_raddr);
    end
    if (!rst && weight_we !== (update && was3)) wrong("a word of weights is written, or is not", weight_waddr);
    if (weight_we && weight_waddr !== read3) wrong("not written where it was read", weight_waddr);
    read1 <= weight_raddr; read2 <= read1; read3 <= read2;
    was1 <= weight_re && !rst; was2 <= was1 && !rst; was3 <= was2 && !rst;
  end
  // the row before has come to its last word
  task ends;
    begin
      if (taken > 0 && kind[taken-1] == 2'd2 &&
          visit != to[taken-1] - from[taken-1] + 1) wrong("a row of kind shift ends early, or late", visit);
      if (taken > 0 && kind[taken-1] != 2'd2 && visit != to[taken-1]) wrong("a row does not end with its last word",
          visit);
    end
  endtask

  // ---- model --------------------------------------------------------------------------------------------------------
  integer group0, group_last;          // words of the group
  // the word after this one in the current row: the next one with history, or the group's last, where that lies at an
  // odd distance; no farther than GAP_W bits tell, and not beyond the row
  function integer expected(input integer word);
    integer d;
    begin
      d = 1;
      if (word >= 0 && potential && GAP_W > 0) begin
        while (word + d < group_last && model[word + d] == 0) d = d + 1;
        if (d > FAR) d = FAR;
        else if (d % 2 == 0) d = 1;
        if (word + d > to[taken-1]) d = 1;
      end
      expected = (word < 0) ? from[taken-1] : word + d;
    end
  endfunction

  // ---- passes -------------------------------------------------------------------------------------------------------
  integer seed, i, n, step, density, quiet, pattern, n_rows;
  function integer below(input integer unused, input integer n_values);
    below = $unsigned($random(seed)) % n_values;
  endfunction
  task pass(input integer n_of_rows);  // rows are there
    begin
      for (i = 0; i < DEPTH; i = i + 1)
        if (potential) begin // as if all were shifted; the others are put back
          model[i] = hist[i];
          for (n = 0; n < LANES && i >= group0 && i <= group_last; n = n + 1) model[i][n*HIST_W +: HIST_W] =
              hist[i][n*HIST_W +: HIST_W] << 1 | frame[i][n];
        end
      @(negedge clk_i);
      begins = 1'b1;
      @(negedge clk_i);
      begins = 1'b0;
      base = 0; next_base = 0; n_want = 0; n_weight = 0; written = 0; visit = 0;
      taken = 0;
      rows = n_of_rows;
      @(negedge clk_i);
      quiet = 0;
      while (!idle && quiet < 5000) begin
        @(negedge clk_i);
        quiet = quiet + 1;
      end
      if (!idle || taken != rows) wrong("it does not come to its end", taken);
      ends;
      if (n_weight != n_want) wrong("too few words of weights", n_weight);
      if (written != (potential ? group_last - group0 + 1 : 0)) wrong("too many or too few histories are written",
          written);
      for (i = 0; i < DEPTH && potential; i = i + 1)
        if (hist[i] !== model[i]) wrong("a history is not as it should be", i);
      rows = 0;
    end
  endtask
  task shift_row; // first row of a pass with potentials
    begin
      kind[0] = 2'd2; from[0] = group0; to[0] = group_last;
    end
  endtask

  initial begin
    seed = SEED; rows_o = 0; words_o = 0; reads_o = 0; wrong_o = 0; done_o = 0; rows = 0; taken = 0; update = 0;
    potential = 1; begins = 0; n_want = 0; n_weight = 0; written = 0; visit = 0; base = 0;
    was1 = 0; was2 = 0; was3 = 0; next_base = 0; group0 = 0; group_last = 0;
    for (i = 0; i < DEPTH; i = i + 1) begin hist[i] = 0; model[i] = 0; frame[i] = 0; dist[i] = 0; end
    rst = 1;
    @(negedge clk_i); @(negedge clk_i);
    rst = 0;
    // random: steps of a group, its histories come and go
    for (first = 0; first < 60; first = first + 1) begin
      n_rows = 1 + ((first < 40) ? first : below(0, MOST));
      group0 = below(0, DEPTH - n_rows + 1); group_last = group0 + n_rows - 1;
      for (i = 0; i < DEPTH; i = i + 1) hist[i] = (below(0, 3) == 0) ? $random(seed) : 0;
      density = 1 + below(0, 12);
      for (step = 0; step < 6; step = step + 1) begin
        potential = (step != 4);
        update    = !potential || below(0, 2) == 0;
        for (i = 0; i < DEPTH && !potential; i = i + 1) if (below(0, 3) == 0) hist[i] = $random(seed);
        for (i = 0; i < DEPTH; i = i + 1) for (n = 0; n < LANES; n = n + 1) frame[i][n] = (below(0, 4 * density) == 0);
        n_rows = 1 + below(0, 4);
        for (i = 0; i < n_rows; i = i + 1) begin
          kind[i] = 2'd0;
          from[i] = group0 + ((i == 1) ? 0 : below(0, group_last - group0 + 1));
          to[i]   = (i == 1) ? group_last : from[i] + below(0, group_last - from[i] + 1);
        end
        if (potential) shift_row;
        pass(n_rows);
      end
    end
    // every pattern, every part
    potential = 1; update = 0; group0 = 3;
    for (i = 0; i < DEPTH; i = i + 1) frame[i] = 0;
    for (first = 1; first <= 6; first = first + 1)
      for (pattern = 0; pattern < (1 << first); pattern = pattern + 1) begin
        group_last = group0 + first - 1;
        for (i = 0; i < first; i = i + 1) hist[group0 + i] = pattern[i];
        shift_row;
        n_rows = 1;
        for (i = 0; i < first; i = i + 1)
          for (n = i; n < first; n = n + 1) begin
            kind[n_rows] = 2'd0; from[n_rows] = group0 + i; to[n_rows] = group0 + n;
            n_rows = n_rows + 1;
          end
        pass(n_rows);
      end
    done_o = 1;
  end
endmodule

module tern_stream_bench;
  localparam SHAPES = 5;
  reg clk = 1'b0;
  always #5 clk = !clk;
  wire [SHAPES-1:0]    done;
  wire [32*SHAPES-1:0] rows, words, reads, wrong;
  shape #(.LANES(2), .GAP_W(3), .SEED(1)) u0 (.clk_i(clk), .rows_o(rows[31:0]), .words_o(words[31:0]),
      .reads_o(reads[31:0]), .wrong_o(wrong[31:0]), .done_o(done[0]));
  shape #(.LANES(1), .GAP_W(4), .SEED(2)) u1 (.clk_i(clk), .rows_o(rows[63:32]), .words_o(words[63:32]),
      .reads_o(reads[63:32]), .wrong_o(wrong[63:32]), .done_o(done[1]));
  shape #(.LANES(1), .GAP_W(2), .SEED(3)) u2 (.clk_i(clk), .rows_o(rows[95:64]), .words_o(words[95:64]),
      .reads_o(reads[95:64]), .wrong_o(wrong[95:64]), .done_o(done[2]));
  shape #(.LANES(2), .GAP_W(1), .SEED(4)) u3 (.clk_i(clk), .rows_o(rows[127:96]), .words_o(words[127:96]),
      .reads_o(reads[127:96]), .wrong_o(wrong[127:96]), .done_o(done[3]));
  shape #(.LANES(2), .GAP_W(0), .SEED(5)) u4 (.clk_i(clk), .rows_o(rows[159:128]), .words_o(words[159:128]),
      .reads_o(reads[159:128]), .wrong_o(wrong[159:128]), .done_o(done[4]));
  wire [31:0] all_rows  = rows[31:0] + rows[63:32] + rows[95:64] + rows[127:96] + rows[159:128];
  wire [31:0] all_words = words[31:0] + words[63:32] + words[95:64] + words[127:96] + words[159:128];
  wire [31:0] all_reads = reads[31:0] + reads[63:32] + reads[95:64] + reads[127:96] + reads[159:128];
  wire [31:0] all_wrong = wrong[31:0] + wrong[63:32] + wrong[95:64] + wrong[127:96] + wrong[159:128];
  always @(posedge clk)
    if (&done || all_wrong > 20) begin
      if (all_wrong != 0 || all_rows < 10000 || all_reads > all_words - all_words / 8) begin
        $display("FAILED: %0d differences; %0d rows, %0d words, %0d read", all_wrong, all_rows, all_words, all_reads);
        $fatal;
      end
      $display("distances: %0d rows, %0d words, %0d read, as they should", all_rows, all_words, all_reads);
      $finish;
    end
endmodule

`default_nettype wire
