// tern_stream.v : the pass over the weights of the small core: rows from a buffer, one word per cycle
// SPDX-License-Identifier: Apache-2.0
//
// Function  takes rows one by one from the row buffer that tern_micro and tern_kernel fill (docs/43-small-core.md, "row
//           buffer"): loads descriptor, taps and kernel, then runs the row's operations in the lanes (tern_small_lane)
//           as tern_pass does, and leaves the sums of each neuron, limited to 29 bits, in the result memory. Words of
//           inputs whose histories are all zero change nothing and are passed over: the row that shifts the histories
//           (ROW_SHIFT, from the last word to the first) leaves in each word how far the next word lies that must be
//           read. That is an odd number, so that banks alternate.
// C model   runtime/engine/tern_golden.c
// Cycles    a row: 3 + words loaded + operations; a neuron: K + 1 more for its results
`default_nettype none

module tern_stream #(
  // 1: each neuron has an R of its own, in its first row.
  parameter SETS       = 0,
  // 1: weights have exactly WEIGHT_W bits.
  parameter FIXED      = 1,
  // log2 of the words of a row in the row buffer: 5 or 6.
  parameter SLOT_W     = 5,
  parameter LANES      = 2,
  parameter LANE_W     = 1,
  parameter WEIGHT_W   = 16,
  parameter SAMPLE_W   = 3,
  parameter TAPS_D     = 10,
  parameter HIST_W     = 13,
  parameter LAG_W      = 2,
  parameter TAP_W      = 9,
  parameter X_W        = 11,
  parameter KERNEL_W   = 22,
  parameter DELTA_W    = 28,
  parameter ACC_W      = 38,
  parameter DITHER_MIN = 20,
  parameter DITHER_MAX = 20,
  parameter INDEX_W    = 11,
  parameter HIST_AW    = 9,
  // Bits kept of a distance, which is 2 gap + 1; 0: every word is read.
  parameter GAP_W      = 3,
  // max(GAP_W, 1): derived, do not set.
  parameter GAP_PORT   = (GAP_W > 0) ? GAP_W : 1,
  parameter FILTER_W   = 2,
  parameter WORD_AW    = 13
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  // control
  input  wire                      update_i,     // static during a pass
  input  wire                      potential_i,
  input  wire                      begin_i,      // pulse: a pass begins
  input  wire                      valid_i,      // the row buffer holds a row
  output wire                      take_o,       // pulse: it is used up
  output wire                      closed_o,     // pulse: the results of a neuron are there
  output wire                      idle_o,
  output wire [5:0]                sat_count_o,  // weights limited in this cycle
  output wire [LANES*WEIGHT_W-1:0] weight_o,     // the word read, two cycles after its address
  // memory: row buffer: rows ({0, slot, word}), coefficients c ({10, parity, number}), taps of the filters ({11,
  // filter, pair})
  output wire                      rb_re_o,
  output wire [7:0]                rb_raddr_o,
  input  wire [6-SLOT_W:0]         slot_i,       // slot of the row
  input  wire [31:0]               rb_rdata_i,
  // memory: histories, spikes of the last step
  output wire                      hist_re_o,
  output wire [HIST_AW-1:0]        hist_raddr_o,
  input  wire [LANES*HIST_W-1:0]   hist_rdata_i,
  input  wire [GAP_PORT-1:0]       gap_rdata_i,  // unused if GAP_W is 0
  input  wire [LANES-1:0]          frame_rdata_i,
  output wire                      hist_we_o,
  output wire [HIST_AW-1:0]        hist_waddr_o,
  output wire [LANES*HIST_W-1:0]   hist_wdata_o,
  output wire [GAP_PORT-1:0]       gap_wdata_o,
  // memory: weights, one after another or an even number of them left out; a word is written three cycles after it was
  // read, so a read and a write are never of the same bank
  output wire                      weight_re_o,
  output wire [WORD_AW-1:0]        weight_raddr_o,
  input  wire [LANES*WEIGHT_W-1:0] weight_rdata_i,
  output wire                      weight_we_o,
  output wire [WORD_AW-1:0]        weight_waddr_o,
  output wire [LANES*WEIGHT_W-1:0] weight_wdata_o,
  // memory: results, {parity, 0, sample, 0 trace of the self-memory / 1 sum}; the change of its weight at {parity, 1,
  // 0, 0}
  output wire                      result_we_o,
  output wire [SAMPLE_W+2:0]       result_waddr_o,
  output wire [31:0]               result_wdata_o,
  // config
  input  wire [SAMPLE_W-1:0]       cfg_sample_last_i,
  input  wire [LAG_W-1:0]          cfg_lag_last_i,
  input  wire [HIST_AW-1:0]        cfg_sample_words_i,
  input  wire [WEIGHT_W-1:0]       cfg_top_i,          // largest weight; unused if FIXED
  input  wire [4:0]                cfg_dither_bits_i
`ifdef TERN_COSIM
  ,
  output wire                       ev_w_valid_o,
  output wire [WORD_AW-1:0]         ev_w_addr_o,
  output wire [LANES*WEIGHT_W-1:0]  ev_w_old_o,
  output wire [LANES*WEIGHT_W-1:0]  ev_w_new_o,
  output wire [LANES-1:0]           ev_w_changed_o,
  output wire [LANES-1:0]           ev_w_sat_o,
  output wire [LANES*DITHER_MAX-1:0] ev_w_draw_o
`endif
);
  localparam N_TAPS   = (TAPS_D + 1) / 2;   // pairs
  localparam N_KERNEL = HIST_W / 2;
  localparam TAP_PW   = 2 * TAP_W + 3;
  localparam K_PW     = 2 * KERNEL_W + 1;
  // in a row's slot: 0 flags, filter, words - 1; 1 first history; 2 dither index; 3 dither word; 8 kernel
  localparam AT_KERNEL = 8;
  localparam TAPS_SW   = $clog2(N_TAPS);
  localparam WORDS_W   = (HIST_AW < 16) ? HIST_AW : 16;

  localparam [1:0] ROW_SHARED = 2'd0, ROW_SAMPLE = 2'd1, ROW_SHIFT = 2'd2;
  localparam [2:0] OP_NONE = 3'd0, OP_SHIFT = 3'd1, OP_WORD = 3'd2, OP_LAG = 3'd3, OP_FIN = 3'd4, OP_ADD = 3'd5,
      OP_SELF = 3'd6, OP_OUT = 3'd7;
  localparam [1:0] PH_LAG = 2'd0, PH_GAP = 2'd1, PH_FIN = 2'd2, PH_ADD = 2'd3;

  // ---- loading a row: words of its slot, then the taps of its filter, then its kernel; pairs move through chains of
  // registers
  localparam [1:0] LD_ROW = 2'd0, LD_TAPS = 2'd1, LD_KERNEL = 2'd2;
  // words are asked for, one has come; operations; results of the neuron
  reg                  load_q, load1_q, act_q, wait_q, out_q;
  reg  [1:0]           part_q, part1_q, kind_q, phase_q;
  reg  [5:0]           n_q, n1_q;
  reg                  last_q, self_q;
  reg  [1:0]           gap_q;
  reg  [FILTER_W-1:0]  filter_q;
  reg  [WORDS_W-1:0]   words_q;
  reg  [HIST_AW-1:0]   hist_q, hist_k_q, hist_w_q;
  reg  [INDEX_W-1:0]   index_q;
  reg  [31:0]          s_word_q;
  wire [4:0]           dither_bits; // R of the neuron
  reg  [X_W-1:0]       taps_base_q;
  reg  [DELTA_W-1:0]   kernel_base_q;
  reg  [N_TAPS*TAP_PW-1:0] taps_q;
  reg  [2*N_KERNEL*(KERNEL_W+1)-1:0] kernel_q;
  wire                 with_kernel = (kind_q == ROW_SHARED) && update_i;
  wire                 part_end  = (part_q == LD_ROW) ? n_q == 6'd3 :
      ({26'd0, n_q} == ((part_q == LD_TAPS) ? N_TAPS - 1 : 2 * N_KERNEL - 1));
  wire                 load_last = part_end && (part_q == LD_KERNEL || (part_q == LD_TAPS && !with_kernel));
`ifdef TERN_TESTBUG_STREAM_TAKES_TWICE
  wire                 take      = load1_q && (!load_q || (part1_q == LD_ROW && n1_q == 6'd0));
`else
  wire                 take      = load1_q && !load_q;
`endif
  wire                 begin_row = valid_i && !load_q && !load1_q && !act_q && !wait_q && !out_q;
  wire             none1      = (n1_q == 6'd0);
  wire [X_W:0]     taps_sum   = {none1 ? {X_W{1'b0}} : taps_base_q, 1'b1} +
      {{(X_W-TAP_W-1){1'b0}}, rb_rdata_i[1 +: TAP_W+1], rb_rdata_i[0]};
  wire [DELTA_W:0] kernel_sum = {none1 ? {DELTA_W{1'b0}} : kernel_base_q, 1'b1} +
      {{(DELTA_W-KERNEL_W){rb_rdata_i[KERNEL_W]}}, rb_rdata_i[KERNEL_W:1], rb_rdata_i[0]};
  wire             unused_sums = &{1'b0, taps_sum[0], kernel_sum[0]};
  always @(posedge clk_i) begin
    load1_q <= load_q;
    part1_q <= part_q;
    n1_q    <= n_q;
    if (begin_row) begin
      load_q <= 1'b1;
      part_q <= LD_ROW;
      n_q    <= 6'd0;
    end else if (load_q) begin
      n_q <= part_end ? 6'd0 : n_q + 6'd1;
      if (part_end) part_q <= part_q + 2'd1;
      if (load_last) load_q <= 1'b0;
    end
    if (load1_q && part1_q == LD_ROW) begin
      if (n1_q[1:0] == 2'd0) begin
        kind_q   <= rb_rdata_i[1:0];
        last_q   <= rb_rdata_i[3];
        self_q   <= rb_rdata_i[5];
        filter_q <= rb_rdata_i[8 +: FILTER_W];
      end
      if (n1_q[1:0] == 2'd3 && self_q) s_word_q <= rb_rdata_i; // the first row of a neuron brings its dither word
    end
    // taps: S in bits TAP_W+1..1, its lowest bit in bit 0, D / 2 above; kernel: S, then D. Their bases, the sums of S /
    // 2 rounded up, are made meanwhile
    if (load1_q && part1_q == LD_TAPS) begin
      taps_q      <= (taps_q >> TAP_PW) | ({{(N_TAPS*TAP_PW-TAP_PW){1'b0}}, rb_rdata_i[0],
          rb_rdata_i[TAP_W+2 +: TAP_W+1], rb_rdata_i[1 +: TAP_W+1]} << (N_TAPS*TAP_PW-TAP_PW));
      taps_base_q <= taps_sum[X_W:1];
    end
    if (load1_q && part1_q == LD_KERNEL) begin
      kernel_q <= {rb_rdata_i[KERNEL_W:0], kernel_q[2*N_KERNEL*(KERNEL_W+1)-1 : KERNEL_W+1]};
      if (!n1_q[0]) kernel_base_q <= kernel_sum[DELTA_W:1];
    end
    if (rst_i || begin_i) begin
      load_q  <= 1'b0;
      load1_q <= 1'b0;
    end
  end
  assign take_o  = take;
  generate
    if (SETS == 0) begin : g_one_set
      assign dither_bits = cfg_dither_bits_i;
    end else begin : g_sets // where other rows have their dither index
      reg [4:0] dither_bits_q;
      always @(posedge clk_i)
        if (load1_q && part1_q == LD_ROW && n1_q[1:0] == 2'd2 && self_q) dither_bits_q <= rb_rdata_i[4:0];
`ifdef TERN_TESTBUG_STREAM_ONE_R
      assign dither_bits = cfg_dither_bits_i;
      wire unused_bits = &{1'b0, dither_bits_q};
`else
      assign dither_bits = dither_bits_q;
      wire unused_bits = &{1'b0, cfg_dither_bits_i};
`endif
    end
  endgenerate
  wire unused_rb = &{1'b0, rb_rdata_i};
  // as tern_tapsum takes them: {lowest bit of S, D / 2, S / 2}
  wire [N_KERNEL*K_PW-1:0] kernel;
  genvar q;
  generate
    for (q = 0; q < N_KERNEL; q = q + 1) begin : g_pair
      assign kernel[q*K_PW +: K_PW] = {kernel_q[2*q*(KERNEL_W+1)], kernel_q[(2*q+1)*(KERNEL_W+1)+1 +: KERNEL_W],
          kernel_q[2*q*(KERNEL_W+1)+1 +: KERNEL_W]};
      wire unused_low = kernel_q[(2*q+1)*(KERNEL_W+1)];
    end
  endgenerate

  // ---- operations --------------------------------------------------------------------------------------------
  reg  [SAMPLE_W-1:0] k_q;
  reg  [LAG_W-1:0]    d_q;
  wire k_end    = (k_q == cfg_sample_last_i);
  wire d_end    = (d_q == cfg_lag_last_i);
  // from the word before to this one: in words of weights 1 or more, in histories also 0 (a row's first word) and -1
  // (ROW_SHIFT)
  reg                 fresh_q;  // a row's first word is not read yet
  wire                sample  = (kind_q == ROW_SAMPLE);
  wire [GAP_PORT-1:0] gap;      // half the distance
  wire [31:0]         far0    = {{(31-GAP_PORT){1'b0}}, gap, sample || !fresh_q};
  wire [WORDS_W-1:0]  words   = words_q - far0[WORDS_W-1:0];   // left behind this word; ROW_SAMPLE: behind the next one
  wire [HIST_AW-1:0]  hist    = hist_q + ((kind_q == ROW_SHIFT) ? {HIST_AW{!fresh_q}} : far0[HIST_AW-1:0]);
  wire                to_last;  // the row's last word lies at the distance that was read
  wire                word_end = (sample || fresh_q) ? words_q == {WORDS_W{1'b0}} : to_last ||
      words_q == {{(WORDS_W-1){1'b0}}, 1'b1};
  generate
    if (GAP_W == 0) begin : g_all
      assign gap     = 1'b0;
      assign to_last = 1'b0;
      wire unused_gap = &{1'b0, gap_rdata_i};
    end else begin : g_gap // not beyond the row's last word, which is always read
      wire [31:0] left  = {{(32-WORDS_W){1'b0}}, words_q};
      wire        many  = |left[31:GAP_W+1];
      // a flush reads all: the host may have written histories since the last step
      wire        valid = potential_i && !fresh_q && kind_q == ROW_SHARED;
      reg         in_row; // left >= 2 gap + 1, written out, for it is on a long path
      integer     b;
      always @* begin
        in_row = left[0];
        for (b = 0; b < GAP_W; b = b + 1) if (left[b+1] != gap_rdata_i[b]) in_row = left[b+1];
`ifdef TERN_TESTBUG_STREAM_GAP_BEYOND
        in_row = 1'b1;
`else
        if (many) in_row = 1'b1;
`endif
      end
      assign gap     = gap_rdata_i & {GAP_W{valid && in_row}};
      assign to_last = valid && !many && left[GAP_W:0] == {gap_rdata_i, 1'b1};
    end
  endgenerate
  reg  [2:0] op;
  reg        op_end;
  always @* begin
    op     = OP_NONE;
    op_end = 1'b0;
    if (out_q) op = OP_OUT;
    else if (act_q) begin
      case (kind_q)
        ROW_SHARED: begin op = OP_WORD;  op_end = word_end; end
        ROW_SHIFT:  begin op = OP_SHIFT; op_end = word_end; end
        ROW_SAMPLE:
          case (phase_q)
            PH_LAG:  op = OP_LAG;
            PH_GAP:  op = OP_NONE; // three empty cycles behind the last lag
            // self-memory: the change of its weight
            PH_FIN:  begin op = self_q ? OP_OUT : OP_FIN; op_end = word_end && !potential_i; end
            default: begin op = self_q ? OP_SELF : OP_ADD; op_end = word_end && k_end; end
          endcase
        default: op_end = 1'b1;
      endcase
    end
  end
  wire finish = act_q && op_end;
  wire next_word = (kind_q == ROW_SHARED) || (kind_q == ROW_SHIFT) || (phase_q == PH_ADD && k_end) ||
      (phase_q == PH_FIN && !potential_i);

  always @(posedge clk_i) begin
    if (finish) act_q <= 1'b0;
    wait_q <= finish && last_q; // one cycle, for the sums' memory
    if (wait_q) out_q <= 1'b1;
`ifdef TERN_TESTBUG_STREAM_OUT_WAITS
    if (out_q && k_end && !valid_i) out_q <= 1'b0;
`else
    if (out_q && k_end) out_q <= 1'b0;
`endif
    if (out_q) k_q <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
    if (act_q) begin
      fresh_q <= 1'b0;
      if (next_word) begin
        words_q <= words;
        hist_q  <= hist;
      end
      if (kind_q == ROW_SAMPLE) begin
        case (phase_q)
          PH_LAG: begin // all samples of a lag
            k_q      <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
            hist_k_q <= k_end ? hist_q : self_q ? hist_k_q + 1'b1 : hist_k_q + cfg_sample_words_i;
            if (k_end) begin
              d_q <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
              if (d_end) phase_q <= PH_GAP;
            end
          end
          PH_GAP: begin
            gap_q <= gap_q + 2'd1;
            if (gap_q[1]) phase_q <= PH_FIN;
          end
          PH_FIN: if (potential_i) phase_q <= PH_ADD;
          default: begin
            k_q      <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
`ifdef TERN_TESTBUG_STREAM_OWN_STRIDE
            hist_k_q <= hist_k_q + cfg_sample_words_i;
`else
            hist_k_q <= self_q ? hist_k_q + 1'b1 : hist_k_q + cfg_sample_words_i;
`endif
          end
        endcase
        if (next_word) begin // a sample row's next word
          hist_k_q <= hist;
          gap_q    <= 2'd0;
          phase_q  <= update_i ? PH_LAG : PH_FIN;
        end
      end
    end
    if (load1_q && part1_q == LD_ROW) begin
      if (n1_q[1:0] == 2'd0) words_q <= rb_rdata_i[16 +: WORDS_W];
      if (n1_q[1:0] == 2'd1) begin
        hist_q   <= rb_rdata_i[HIST_AW-1:0];
        hist_k_q <= rb_rdata_i[HIST_AW-1:0];
      end
    end
    if (take) begin
      act_q   <= 1'b1;
      fresh_q <= 1'b1;
      k_q     <= {SAMPLE_W{1'b0}};
      d_q     <= {LAG_W{1'b0}};
      gap_q   <= 2'd0;
      phase_q <= update_i ? PH_LAG : self_q ? PH_ADD : PH_FIN;
    end
    if (rst_i || begin_i) begin
      act_q  <= 1'b0;
      wait_q <= 1'b0;
      out_q  <= 1'b0;
    end
  end

  // ---- pipeline: what belongs to a stage is counted there, and not carried along -----------------------------------
  reg  [2:0] op1_q, op2_q, op3_q, op4_q, op5_q, op6_q, op7_q, op8_q;
  reg        first1_q, first2_q, first3_q, first4_q, first5_q, first6_q, first7_q; // LAG: first of its word
  reg        self1_q, self2_q, self3_q, self4_q, self5_q, self6_q, self7_q, self8_q;
  reg  [GAP_PORT-1:0] gap1_q, gap2_q, gap3_q, gap4_q, gap5_q; // distance from the word before, as gap
  reg        fresh1_q, begun_q;
  reg        shift1_q, parity_q, fresh_shared_q, fresh_sample_q;
  reg  [LAG_W-1:0]    lag1_q;
  reg  [4:0]          coef_q;
  reg  [WORD_AW-1:0]  word3_q, word6_q;
  reg  [SAMPLE_W-1:0] k7_q, k8_q;
  wire [HIST_AW-1:0]  haddr = sample ? hist_k_q : hist;
  wire load2 = (op2_q == OP_WORD) || (op2_q == OP_FIN);
  wire load3 = (op3_q == OP_WORD) || (op3_q == OP_FIN);
  wire load5 = (op5_q == OP_WORD) || (op5_q == OP_FIN);
  wire coef5 = (op5_q == OP_LAG) || (op5_q == OP_SELF);
  wire update5 = update_i && load5;
  wire [31:0] far2 = {{(31-GAP_PORT){1'b0}}, gap2_q, 1'b1};
  wire [31:0] far3 = {{(31-GAP_PORT){1'b0}}, gap3_q, begun_q};
`ifdef TERN_TESTBUG_STREAM_ONE_BANK
  wire        load4 = (op4_q == OP_WORD) || (op4_q == OP_FIN);
  wire [31:0] far4 = {{(31-GAP_PORT){1'b0}}, gap4_q, 1'b1};
`endif
  wire [31:0] far5 = {{(31-GAP_PORT){1'b0}}, gap5_q, 1'b1};
  wire unused_far = &{1'b0, far0, far2, far3, far5};
  wire [4:0] coef4  = first4_q ? 5'd0 : coef_q;
  wire counts7 = (op7_q == OP_ADD) || (op7_q == OP_SELF) || (op7_q == OP_OUT && !self7_q);
  wire k7_end  = (k7_q == cfg_sample_last_i);
  always @(posedge clk_i) begin
    op1_q <= op; op2_q <= op1_q; op3_q <= op2_q; op4_q <= op3_q; op5_q <= op4_q; op6_q <= op5_q; op7_q <= op6_q;
    op8_q <= op7_q;
    first1_q <= (k_q == {SAMPLE_W{1'b0}}) && (d_q == {LAG_W{1'b0}}); first2_q <= first1_q; first3_q <= first2_q;
    first4_q <= first3_q; first5_q <= first4_q; first6_q <= first5_q; first7_q <= first6_q;
    self1_q <= self_q && act_q; self2_q <= self1_q; self3_q <= self2_q; self4_q <= self3_q; self5_q <= self4_q;
    self6_q <= self5_q; self7_q <= self6_q; self8_q <= self7_q;
    gap1_q <= gap; gap2_q <= gap1_q; gap3_q <= gap2_q; gap4_q <= gap3_q; gap5_q <= gap4_q;
    fresh1_q <= fresh_q;
    // a flush sees the histories as the next pass will, without writing them; own histories take in their spike when
    // they are read
    shift1_q <= (kind_q == ROW_SHIFT) || !potential_i || self_q;
    // the trace at lag d of the last step starts behind the newest bit
    lag1_q   <= (op == OP_LAG) ? d_q + 1'b1 : {LAG_W{1'b0}};
    if (load2) word3_q <= word3_q + far2[WORD_AW-1:0];
`ifdef TERN_TESTBUG_STREAM_ONE_BANK
    if (load4) word6_q <= word6_q + far4[WORD_AW-1:0];
`else
    if (load5) word6_q <= word6_q + far5[WORD_AW-1:0];
`endif
    if (op4_q == OP_LAG) coef_q <= coef4 + 5'd1;
    if (load1_q && part1_q == LD_ROW && n1_q[1:0] == 2'd2) begin
      index_q <= rb_rdata_i[INDEX_W-1:0];
      begun_q <= 1'b0;
    end else if (load3) begin
      index_q <= index_q + far3[INDEX_W-1:0];
      begun_q <= 1'b1;
    end
    if (counts7) k7_q <= k7_end ? {SAMPLE_W{1'b0}} : k7_q + 1'b1;
    k8_q <= (op7_q == OP_OUT && self7_q) ? {SAMPLE_W{1'b0}} : k7_q;
    if (begin_i) begin
      word3_q <= {WORD_AW{1'b1}};
      word6_q <= {WORD_AW{1'b1}};
      k7_q    <= {SAMPLE_W{1'b0}};
    end
    if (rst_i) begin
      op1_q <= OP_NONE; op2_q <= OP_NONE; op3_q <= OP_NONE; op4_q <= OP_NONE; op5_q <= OP_NONE; op6_q <= OP_NONE;
      op7_q <= OP_NONE; op8_q <= OP_NONE;
    end
  end
  wire [5:0] kernel_at  = n_q + AT_KERNEL[5:0];
  wire unused_at = &{1'b0, kernel_at};
  wire [5:0] taps_at    = ({{(6-FILTER_W){1'b0}}, filter_q} << TAPS_SW) | n_q;
  assign rb_re_o        = load_q || (op4_q == OP_LAG);
  assign rb_raddr_o     = !load_q ? {2'b10, parity_q, coef4} : (part_q == LD_TAPS) ? {2'b11, taps_at} :
      (part_q == LD_KERNEL) ? {1'b0, slot_i, kernel_at[SLOT_W-1:0]} : {1'b0, slot_i, n_q[SLOT_W-1:0]};
  assign hist_re_o      = (op != OP_NONE) && (op != OP_OUT);
  assign hist_raddr_o   = haddr;
  assign weight_re_o    = load3;
  assign weight_raddr_o = word3_q;

  // stage 1 -> 2: history write-back, and the distance to the next word above that is to be read: the last word, and
  // those with history
`ifdef TERN_TESTBUG_STREAM_GAP_OLDEST
  wire                    active1 = |history1[LANES*HIST_W-2:0];
`else
  wire                    active1 = |history1;
`endif
  reg  [GAP_PORT:0]       far_q;
  reg  [GAP_PORT-1:0]     gap_we2_q;
  wire [LANES*HIST_W-1:0] history1;
  reg  [LANES*HIST_W-1:0] history2_q;
  reg                     hist_we2_q;
  always @(posedge clk_i) begin
    history2_q <= history1;
    hist_we2_q <= potential_i && shift1_q && (op1_q == OP_SHIFT || op1_q == OP_SELF);
`ifdef TERN_TESTBUG_STREAM_GAP_EVEN
    gap_we2_q  <= far_q[GAP_PORT:1];
`else
    gap_we2_q  <= far_q[GAP_PORT:1] & {GAP_PORT{far_q[0]}}; // an even one by way of the word above
`endif
    far_q      <= (fresh1_q || active1) ? {{GAP_PORT{1'b0}}, 1'b1} : (&far_q) ? far_q : far_q + 1'b1;
    if (load1_q && part1_q == LD_ROW && n1_q[1:0] == 2'd1) hist_w_q <= rb_rdata_i[HIST_AW-1:0];
    else if (hist_we2_q) hist_w_q <= hist_w_q + {{(HIST_AW-1){kind_q == ROW_SHIFT}}, 1'b1};
    if (rst_i) hist_we2_q <= 1'b0;
  end
  assign hist_we_o    = hist_we2_q;
  assign hist_waddr_o = hist_w_q;
  assign hist_wdata_o = history2_q;
  assign gap_wdata_o  = (GAP_W == 0) ? {GAP_PORT{1'b0}} : gap_we2_q;

  wire [WEIGHT_W-1:0] top = (FIXED != 0) ? {1'b0, {(WEIGHT_W-1){1'b1}}} : cfg_top_i;
  wire unused_top = &{1'b0, cfg_top_i};

  // stage 4: dither
  wire [LANES*DITHER_MAX-1:0] r4;
  tern_dither #(.LANES(LANES), .LANE_W(LANE_W), .INDEX_W(INDEX_W), .DITHER_MIN(DITHER_MIN),
      .DITHER_MAX(DITHER_MAX)) u_dither (
    .index_i(index_q), .s_word_i(s_word_q), .dither_bits_i(dither_bits), .r_o(r4)
  );
  wire [15:0] c5 = (op5_q == OP_SELF) ? 16'd1 : rb_rdata_i[15:0];

  wire [LANES*WEIGHT_W-1:0]  w_old6, w_new6;
  wire [LANES-1:0]           changed6, sat6;
  wire [LANES*DITHER_MAX-1:0] r6;
  wire [LANES*(17+X_W)-1:0]  product7;
  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : g_lane
      tern_small_lane #(.FIXED(FIXED), .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .WEIGHT_W(WEIGHT_W),
          .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W),
                        .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)) u_lane (
        .clk_i(clk_i),
        .history_i(hist_rdata_i[g*HIST_W +: HIST_W]), .spike_i(frame_rdata_i[g]),
        .w_i(weight_rdata_i[g*WEIGHT_W +: WEIGHT_W]),
        .shift_i(shift1_q), .lag_i(lag1_q),
        .load_i(load5), .coef_i(coef5), .update_i(update5), .use_acc_i(op4_q == OP_FIN), .c_i(c5),
        .r_i(r4[g*DITHER_MAX +: DITHER_MAX]),
        .acc_i(op7_q == OP_LAG), .first_i(first7_q),
        .kernel_i(kernel), .kernel_base_i(kernel_base_q), .taps_i(taps_q), .taps_base_i(taps_base_q),
        .dither_bits_i(dither_bits), .top_i(top),
        .history_o(history1[g*HIST_W +: HIST_W]), .w_read_o(weight_o[g*WEIGHT_W +: WEIGHT_W]),
        .w_old_o(w_old6[g*WEIGHT_W +: WEIGHT_W]), .w_o(w_new6[g*WEIGHT_W +: WEIGHT_W]),
        .changed_o(changed6[g]), .sat_o(sat6[g]), .r_o(r6[g*DITHER_MAX +: DITHER_MAX]),
        .product_o(product7[g*(17+X_W) +: 17+X_W])
      );
    end
  endgenerate

  // stage 6: weight write-back
  reg write6_q;
  always @(posedge clk_i) begin
    write6_q <= update5;
    if (rst_i) write6_q <= 1'b0;
  end
  assign weight_we_o    = write6_q;
  assign weight_waddr_o = word6_q;
  assign weight_wdata_o = w_new6;
  reg [5:0] n_sat;
  integer   i;
  always @* begin
    n_sat = 6'd0;
    for (i = 0; i < LANES; i = i + 1) n_sat = n_sat + {5'd0, sat6[i]};
  end
  assign sat_count_o = write6_q ? n_sat : 6'd0;

  // stage 7: sum over lanes; stage 8: sums of the neuron, one adder for all of them
  localparam LANES_W = (17 + X_W + LANE_W < ACC_W) ? 17 + X_W + LANE_W : ACC_W;
  localparam PAD_W   = LANES_W - 16 - X_W; // of a product's sign
  reg [LANES_W-1:0] sum_lanes;
  reg [LANES_W-1:0] sum8_q;
  reg               unused_lanes;
  integer           m;
  always @* begin
    sum_lanes    = {{PAD_W{product7[16+X_W]}}, product7[15+X_W:0]};
    unused_lanes = 1'b0;
    for (m = 1; m < LANES; m = m + 1)
      {sum_lanes, unused_lanes} = {sum_lanes, 1'b0} +
          {{PAD_W{product7[m*(17+X_W)+16+X_W]}}, product7[m*(17+X_W) +: 16+X_W], 1'b0};
  end
  always @(posedge clk_i) sum8_q <= sum_lanes;

  reg  [ACC_W-1:0] shared_q;
  wire [ACC_W-1:0] sample8;
  wire             add8    = (op8_q == OP_ADD);
  wire             out8    = (op8_q == OP_OUT);
  wire             shared8 = (op8_q == OP_WORD) || (op8_q == OP_LAG && self8_q);
  wire             end8    = out8 && !self8_q && (k8_q == cfg_sample_last_i); // the neuron's last result
  wire             zero8   = (out8 && !self8_q) || add8 ? fresh_sample_q : fresh_shared_q || !shared8;
  wire [ACC_W-1:0] a8      = zero8 ? {ACC_W{1'b0}} : (add8 || out8) ? sample8 : shared_q;
  wire [ACC_W-1:0] b8      = !out8 ? {{(ACC_W-LANES_W+1){sum8_q[LANES_W-1]}}, sum8_q[LANES_W-2:0]} : !fresh_shared_q ?
      shared_q : {ACC_W{1'b0}};
  wire [ACC_W-1:0] r8      = a8 + b8;
  always @(posedge clk_i) begin
    if (shared8) begin
      shared_q       <= r8;
      fresh_shared_q <= 1'b0;
    end
`ifdef TERN_TESTBUG_STREAM_SUM_RESTARTED
`else
    if (add8 && k8_q == cfg_sample_last_i) fresh_sample_q <= 1'b0;
`endif
    if (begin_i || end8 || (out8 && self8_q)) fresh_shared_q <= 1'b1;
    if (begin_i || end8) fresh_sample_q <= 1'b1;
    if (begin_i) parity_q <= 1'b0;
    else if (end8) parity_q <= !parity_q;
  end
  tern_block #(.WIDTH(ACC_W), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_sums (
    .clk_i(clk_i), .we_i(add8), .waddr_i(k8_q), .wdata_i(r8), .re_i(op7_q == OP_ADD || op7_q == OP_OUT), .raddr_i(k7_q),
    .rdata_o(sample8)
  );

  // results, a cycle later (closed_o comes before the last one is written), sums limited to 29 bits, for one beyond
  // that makes a potential that is limited anyway (a change and a trace are not limited: at most DELTA_W, X_W bits)
  wire   beyond = !(&r8[ACC_W-1:28]) && (|r8[ACC_W-1:28]) && !self8_q;
  wire               result8     = (out8 && !(self8_q && !update_i)) || (op8_q == OP_SELF);
  wire [SAMPLE_W+2:0] result_at8 = {parity_q, self8_q && out8, k8_q, !self8_q};
  reg                result_we_q;
  reg [SAMPLE_W+2:0] result_waddr_q;
  reg [31:0]         result_q;
  always @(posedge clk_i) begin
    result_we_q    <= result8 && !rst_i;
    result_waddr_q <= result_at8;
    result_q       <= beyond ? {{4{r8[ACC_W-1]}}, {28{!r8[ACC_W-1]}}} : r8[31:0];
  end
  assign result_we_o    = result_we_q;
  assign result_waddr_o = result_waddr_q;
  assign result_wdata_o = result_q;
  assign closed_o       = end8;
  assign idle_o         = !valid_i && !load_q && !load1_q && !act_q && !wait_q && !out_q && op1_q == OP_NONE &&
      op2_q == OP_NONE && op3_q == OP_NONE && op4_q == OP_NONE && op5_q == OP_NONE
                          && op6_q == OP_NONE && op7_q == OP_NONE && op8_q == OP_NONE;

`ifdef TERN_COSIM
  assign ev_w_valid_o   = write6_q;
  assign ev_w_addr_o    = word6_q;
  assign ev_w_old_o     = w_old6;
  assign ev_w_new_o     = w_new6;
  assign ev_w_changed_o = changed6;
  assign ev_w_sat_o     = sat6;
  assign ev_w_draw_o    = r6;
`else
  wire unused_ev = &{1'b0, w_old6, changed6, r6};
`endif
endmodule

`default_nettype wire
