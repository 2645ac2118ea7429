// tern_silent.v : leaves words of inputs out of a row whose histories say nothing to its filter
// SPDX-License-Identifier: Apache-2.0
//
// Function  The row that shifts the inputs' histories passes here, and leaves the age of the newest spike of each word:
//           0 the last step, HIST_W none. A word of a later row is silent if that age is not below the number of newest
//           history bits that the row's filter reaches: up to its last tap that is not 0, and W more while an update is
//           pending. Such a word adds 0 to potential and weight (docs/31-blocks.md, "Silent words"). Ages of eight
//           words share a word of the memory; two cycles after its address they are a mask of words to be read.
// C model   none: nothing but cycles depends on it
// Latency   the first LEAD words of a row are read anyway, until the first mask is there
`default_nettype none

module tern_silent #(
  parameter SKIP    = 1,   // 0: every word is read, and there is nothing here
  parameter LANES   = 4,
  parameter HIST_W  = 14,  // history bits
  parameter TAPS_D  = 10,
  parameter TAP_W   = 9,
  parameter LAG_W   = 6,
  parameter HIST_AW = 10,  // address bits: history words
  parameter WORD_AW = 12,  // weight words
  parameter INDEX_W = 20   // dither word index
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  // histories of inputs as they are written back, words in ascending order from 0
  input  wire                    we_i,
  input  wire [HIST_AW-1:0]      waddr_i,
  input  wire [LANES*HIST_W-1:0] history_i,
  // row
  input  wire                    take_i,    // pulse: the row is taken
  input  wire                    shared_i,  // it reads inputs, in a step, and does not shift
  input  wire                    late_i,    // the row before it shifts them
  input  wire [15:0]             words_i,   // words - 1
  input  wire [HIST_AW-1:0]      hist_i,    // first words, first index
  input  wire [WORD_AW-1:0]      word_i,
  input  wire [INDEX_W-1:0]      index_i,
  input  wire                    taps_we_i, // pulse, two cycles after take_i: the row's taps
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_i, // in pairs (tern_tapsum)
  // pass
  input  wire                    step_i,    // another word is wanted, not the row's first
  output wire                    jump_o,    // it is the one given here, not the adjacent one ...
  output wire                    none_o,    // ... there is none
  output wire                    hold_o,    // there is no word in this cycle
  output wire [HIST_AW-1:0]      hist_o,
  output wire [WORD_AW-1:0]      word_o,
  output wire [INDEX_W-1:0]      index_o,
  // config
  input  wire                    update_i,
  input  wire [LAG_W-1:0]        cfg_lag_last_i // W - 1
);
  localparam AGE_W  = $clog2(HIST_W + 1);
  localparam A      = (HIST_AW > 4) ? HIST_AW + 1 : 5; // wider than any word's address
  localparam C_W    = A - 3;
  localparam DEPTH  = (HIST_AW > 4) ? 1 << (HIST_AW - 3) : 2;
  localparam PAIRS  = (TAPS_D + 1) / 2;
  localparam PAIR_W = 2 * TAP_W + 3;
  // Words that are read before the first mask is there; behind a row that shifts, its last ages take two cycles more.
  localparam [2:0] LEAD = 3'd4, LEAD_LATE = 3'd6;

  generate
    if (SKIP == 0) begin : g_all
      assign {jump_o, none_o, hold_o} = 3'b000;
      assign {hist_o, word_o, index_o} = {(HIST_AW+WORD_AW+INDEX_W){1'b0}};
      wire unused = &{1'b0, clk_i, rst_i, we_i, waddr_i, history_i, take_i, shared_i, late_i, words_i, hist_i, word_i,
                      index_i, taps_we_i, taps_i, step_i, update_i, cfg_lag_last_i};
    end else begin : g_skip
      // ---- ages --------------------------------------------------------------------------------------
      reg                we3_q;
      reg  [A-1:0]       waddr3_q;
      reg  [HIST_W-1:0]  any3, any3_q;     // some lane has a spike
      reg  [AGE_W-1:0]   age3;
      reg  [8*AGE_W-1:0] ages, ages_q;
      integer            l, b;
      always @* begin
        any3 = {HIST_W{1'b0}};
`ifdef TERN_TESTBUG_SILENT_LANE
        for (l = 0; l < LANES - 1; l = l + 1) any3 = any3 | history_i[l*HIST_W +: HIST_W];
`else
        for (l = 0; l < LANES; l = l + 1) any3 = any3 | history_i[l*HIST_W +: HIST_W];
`endif
        age3 = HIST_W[AGE_W-1:0];
        for (b = HIST_W - 1; b >= 0; b = b - 1) if (any3_q[b]) age3 = b[AGE_W-1:0];
        ages = ages_q;
        ages[waddr3_q[2:0]*AGE_W +: AGE_W] = age3;
      end
      always @(posedge clk_i) begin
        we3_q    <= we_i && !rst_i;
        waddr3_q <= {{(A-HIST_AW){1'b0}}, waddr_i};
        any3_q   <= any3;
        if (we3_q) ages_q <= ages;
      end

      // ---- the row -----------------------------------------------------------------------------------
      reg               skip_q;            // words are left out
      reg  [2:0]        lead_q, wait_q;    // adjacent words left; cycles until ages are read
      reg  [A-1:0]      from_q, last_q;
      reg  [WORD_AW-1:0] word_q;           // of history word 0
      reg  [INDEX_W-1:0] index_q;
      reg  [7:0]        reach, reach_q;    // newest history bits that matter
      reg               hold_q;
      wire [2:0]        lead     = late_i ? LEAD_LATE : LEAD;
      wire [A-1:0]      first    = {{(A-HIST_AW){1'b0}}, hist_i};
      wire [A+15:0]     words    = {{A{1'b0}}, words_i};
      wire [31:0]       word     = {{(32-WORD_AW){1'b0}}, word_i} - {{(32-HIST_AW){1'b0}}, hist_i};
      wire [32:0]       index    = {{(33-INDEX_W){1'b0}}, index_i} - {{(33-HIST_AW){1'b0}}, hist_i};
      wire              valid;
      wire [A-1:0]      hist;
      integer           p;
      // taps a, b of a pair are not below 0: both are 0 if a + b is, b alone if a + b = a - b
      always @* begin
        reach = 8'd0;
        for (p = 0; p < PAIRS; p = p + 1)
          if (taps_i[p*PAIR_W +: TAP_W+1] != {(TAP_W+1){1'b0}} || taps_i[p*PAIR_W+PAIR_W-1])
            reach = {p[6:0], 1'b0}
                    + ((taps_i[p*PAIR_W +: TAP_W+1] != taps_i[p*PAIR_W+TAP_W+1 +: TAP_W+1]) ? 8'd2 : 8'd1);
`ifdef TERN_TESTBUG_SILENT_REACH
`else
        if (update_i && reach != 8'd0) reach = reach + {{(8-LAG_W){1'b0}}, cfg_lag_last_i} + 8'd1;
`endif
      end
      always @(posedge clk_i) begin
        if (wait_q != 3'd0) wait_q <= wait_q - 3'd1;
        if (take_i) begin
          skip_q  <= shared_i && words_i >= {13'd0, lead};
          lead_q  <= lead - 3'd1;
`ifdef TERN_TESTBUG_SILENT_EARLY
          wait_q  <= 3'd2;
`else
          wait_q  <= late_i ? 3'd4 : 3'd2;
`endif
          from_q  <= first + {{(A-3){1'b0}}, lead};
          last_q  <= first + words[A-1:0];
          word_q  <= word[WORD_AW-1:0];
`ifdef TERN_TESTBUG_SILENT_INDEX
          index_q <= index_i;
`else
          index_q <= index[INDEX_W-1:0];
`endif
        end
        if (taps_we_i) reach_q <= reach;
        if (take_i) hold_q <= 1'b0;
        else if (step_i) begin
          if (lead_q != 3'd0) lead_q <= lead_q - 3'd1;
          else hold_q <= skip_q && !valid;
        end
        if (rst_i) begin
          skip_q <= 1'b0;
          wait_q <= 3'd0;
          hold_q <= 1'b0;
        end
      end

      // ---- words to be read: ages of eight words after another ---------------------------------------
      wire               start = skip_q && (wait_q == 3'd1);
      reg                ahead_q;          // the memory gives ages of chunk1_q
      reg  [C_W-1:0]     chunk1_q, chunk_q;
      reg  [7:0]         here1, mask_q;
      wire [8*AGE_W-1:0] ages1;
      reg  [2:0]         slot;             // lowest of the mask
      wire               next  = step_i && jump_o && valid;
      wire [7:0]         rest  = next ? mask_q & (mask_q - 8'd1) : mask_q;
      wire               load  = ahead_q && (rest == 8'd0);
      // eight silent words take no time if there are others left
      wire               drop  = ahead_q && (rest == 8'd0 || here1 == 8'd0);
      wire               re    = start || (drop && chunk1_q != last_q[A-1:3]);
      wire [C_W-1:0]     raddr = start ? from_q[A-1:3] : chunk1_q + 1'b1;
      integer            i;
      always @* begin
        slot = 3'd0;
        for (i = 7; i >= 0; i = i - 1) begin
          here1[i] = ({{(8-AGE_W){1'b0}}, ages1[i*AGE_W +: AGE_W]} < reach_q);
          if (chunk1_q == from_q[A-1:3] && i[2:0] < from_q[2:0]) here1[i] = 1'b0;
`ifdef TERN_TESTBUG_SILENT_BEYOND
`else
          if (chunk1_q == last_q[A-1:3] && i[2:0] > last_q[2:0]) here1[i] = 1'b0;
`endif
          if (mask_q[i]) slot = i[2:0];
        end
      end
      tern_ram #(.WIDTH(8*AGE_W), .DEPTH(DEPTH), .ADDR_W(C_W)) u_ages (
        .clk_i(clk_i), .we_i({((8*AGE_W+31)/32){we3_q}}), .waddr_i(waddr3_q[A-1:3]), .wdata_i(ages),
        .re_i(re), .raddr_i(raddr), .rdata_o(ages1)
      );
      always @(posedge clk_i) begin
        mask_q <= load ? here1 : rest;
        if (load) chunk_q <= chunk1_q;
        if (re) chunk1_q <= raddr;
        if (re || drop) ahead_q <= re;
        if (take_i || rst_i) begin
          mask_q  <= 8'd0;
          ahead_q <= 1'b0;
        end
      end

      wire [31:0] hist_all  = {{(32-A){1'b0}}, hist};
      wire [31:0] word_all  = {{(32-WORD_AW){1'b0}}, word_q} + hist_all;
      wire [32:0] index_all = {{(33-INDEX_W){1'b0}}, index_q} + {1'b0, hist_all};
      assign valid   = (mask_q != 8'd0);
      assign hist    = {chunk_q, slot};
      assign jump_o  = skip_q && (lead_q == 3'd0);
`ifdef TERN_TESTBUG_SILENT_ENDS
      assign none_o  = !valid;
`else
      assign none_o  = !valid && !ahead_q;
`endif
      assign hold_o  = hold_q;
      assign hist_o  = hist[HIST_AW-1:0];
      assign word_o  = word_all[WORD_AW-1:0];
      assign index_o = index_all[INDEX_W-1:0];
      wire unused = &{1'b0, words, word, index, hist_all, word_all, index_all};
    end
  endgenerate
endmodule

`default_nettype wire
