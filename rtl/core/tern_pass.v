// tern_pass.v : the pass over the weights: executes rows, one word of LANES weights per cycle
// SPDX-License-Identifier: Apache-2.0
//
// Function  For each row handed over by tern_prepare, issues operations into the lane pipeline (docs/31-blocks.md,
//           "pass"). In rows of kind SHIFT, for each word
//             SHIFT  history word := {history, spikes}
//           in rows of kind SHARED
//             WORD   kernel update and shared potential
//           in rows of kind SAMPLE, where WAYS samples take part in a LAG or ADD, so that there are G = ceil(K / WAYS)
//           groups of samples
//             LAG    dw += c[k][d] x[k](t-d): G W of them, if an update is pending
//             FIN    new weight from the accumulated dw; the first ADD
//             ADD    sum[k] += w x[k]: G - 1 of them, unless flushing
//             KERN   instead of LAG, KERNELS = 1: dw += kernel sum of sample k, beside the sums of the word before
//           and NONE, which does nothing, for a neuron without rows. tern_sums adds what the lanes make
// C model   runtime/engine/tern_golden.c, shared_row() and sample_row()
// Latency   an operation issued in cycle 0 reads memories in cycle 1, writes its weight in cycle 7, its sum in cycle 10
`default_nettype none

module tern_pass #(
  parameter LANES      = 4,   // 1, 2, 4, 8, 16, 32
  parameter LANE_W     = 2,   // log2(LANES), derived, do not set
  parameter SAMPLE_W   = 3,   // bits of a sample number
  parameter TAPS_D     = 10,  // D capacity
  parameter HIST_W     = 14,  // history bits, at least D + W of a network, 2..64
  parameter LAG_W      = 6,   // bits of a lag, at least 1
  parameter WEIGHT_W   = 16,  // stored weight bits
  parameter TAP_W      = 9,
  parameter X_W        = 13,
  parameter KERNEL_W   = 32,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  parameter WORD_AW    = 12,  // address bits: weight words
  parameter HIST_AW    = 10,  // history words
  parameter COEF_AW    = 8,   // learning coefficients
  parameter INDEX_W    = 20,  // dither word index
  parameter SAMPLES    = 8,   // capacity K
  parameter WAYS       = 1,   // samples per cycle in rows of kind SAMPLE, 1..SAMPLES
  parameter KERNELS    = 0,   // 1: rows of kind SAMPLE have a kernel for each sample, WAYS is 1
  parameter SKIP       = 0,   // 1: silent words of inputs are left out (tern_silent)
  parameter ROOM       = 0    // of tern_weight
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  // control
  input  wire                       begin_i,      // a pass begins (pulse)
  input  wire                       update_i,     // an update is pending (static during the pass)
  input  wire                       potential_i,  // 0: flush
  output wire                       idle_o,       // no current row, pipeline empty
  output wire                       soon_o,       // a row is taken within three cycles, unless one is in this cycle
  output wire                       end_o,        // pulse: the last operation of a neuron is issued
  // row from tern_prepare
  input  wire                       row_valid_i,
  output wire                       row_take_o,
  input  wire [1:0]                 row_kind_i,
  input  wire                       row_shift_i,
  input  wire                       row_last_i,   // last row of its neuron
  input  wire [1:0]                 row_number_i, // neuron number, bits 1..0
  input  wire                       row_set_i,    // learning set of the neuron
  input  wire                       row_pair_i,   // KERNELS = 1: which of the two rows in tern_kernels
  input  wire [15:0]                row_words_i,  // words - 1
  input  wire [HIST_AW-1:0]         row_hist_i,
  input  wire [WORD_AW-1:0]         row_word_i,
  input  wire [INDEX_W-1:0]         row_index_i,
  input  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  row_kernel_i, // taps in pairs (tern_taps)
  input  wire [DELTA_W-1:0]                  row_kernel_base_i,
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] row_taps_i,
  input  wire [X_W-1:0]                      row_taps_base_i,
  // kernels of the samples, from tern_taps
  input  wire [HIST_W/2-1:0]                 each_we_i,
  input  wire [SAMPLE_W:0]                   each_waddr_i,
  input  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  each_wdata_i,
  input  wire [DELTA_W-1:0]                  each_base_i,
  // dither words of neurons whose number mod 4 is 0 (lowest), .. 3
  input  wire [127:0]               s_words_i,
  // memory
  output wire                       hist_re_o,     // histories and frames are read
  output wire                       weight_re_o,
  output wire                       coef_re_o,
  // histories: sample k lies in way k mod WAYS; way 0, lowest, has those of the inputs as well, so its addresses are
  // larger by cfg_sample_hist0_i
  output wire [HIST_AW-1:0]         hist_raddr_o,
  input  wire [WAYS*LANES*HIST_W-1:0] hist_rdata_i,
  output wire                       hist_we_o,
  output wire [HIST_AW-1:0]         hist_waddr_o,
  output wire [WAYS*LANES*HIST_W-1:0] hist_wdata_o,
  output wire                       ways_re_o,     // the other ways are read, written
  output wire [HIST_AW-1:0]         ways_raddr_o,
  output wire                       ways_we_o,
  output wire [HIST_AW-1:0]         ways_waddr_o,
  output wire [HIST_AW-1:0]         frame_raddr_o,
  input  wire [WAYS*LANES-1:0]      frame_rdata_i,
  output wire [WORD_AW-1:0]         weight_raddr_o,
  input  wire [LANES*WEIGHT_W-1:0]  weight_rdata_i,
  output wire                       weight_we_o,
  output wire [WORD_AW-1:0]         weight_waddr_o,
  output wire [LANES*WEIGHT_W-1:0]  weight_wdata_o,
  output wire [COEF_AW+1:0]         coef_raddr_o,  // {neuron number, bits 1..0; group of samples times W + lag}
  input  wire [WAYS*16-1:0]         coef_rdata_i,
  // output to tern_fire: sums of the neuron whose last operation left the pipeline
  output wire                       sums_valid_o, // pulse
  input  wire                       sums_done_i,  // pulse: tern_fire has finished a neuron
  output wire [ACC_W-1:0]           sum_shared_o,
  output wire                       has_sample_o, // the neuron had rows of kind SAMPLE
  input  wire                       sum_re_i,
  input  wire [SAMPLE_W:0]          sum_raddr_i,  // {parity, sample}; the sum comes one cycle later
  output wire [ACC_W-1:0]           sum_sample_o,
  // config
  input  wire [SAMPLE_W-1:0]        cfg_sample_last_i, // K - 1
  input  wire [LAG_W-1:0]           cfg_lag_last_i,    // W - 1
  input  wire [HIST_AW-1:0]         cfg_sample_hist0_i,// first history word of the neurons
  input  wire [HIST_AW-1:0]         cfg_sample_words_i,// history words of one sample
  input  wire [4:0]                 cfg_dither_bits_i, // R of learning set 0
  input  wire [4:0]                 cfg_dither_bits1_i,// of set 1
  input  wire [WEIGHT_W-1:0]        cfg_top_i,
  input  wire [WEIGHT_W-1:0]        cfg_absent_i,
  output wire [5:0]                 sat_count_o        // lanes that saturated, one cycle later
`ifdef TERN_COSIM
  ,
  // debug: one event per weight word written back
  output wire                       ev_w_valid_o,
  output wire [WORD_AW-1:0]         ev_w_addr_o,
  output wire [LANES*WEIGHT_W-1:0]  ev_w_old_o,
  output wire [LANES*WEIGHT_W-1:0]  ev_w_new_o,
  output wire [LANES-1:0]           ev_w_changed_o,
  output wire [LANES-1:0]           ev_w_sat_o,
  output wire [LANES*DITHER_MAX-1:0] ev_w_draw_o
`endif
);
  localparam [1:0] ROW_SHARED = 2'd0, ROW_SAMPLE = 2'd1, ROW_SHIFT = 2'd2;
  localparam [2:0] OP_NONE = 3'd0, OP_SHIFT = 3'd1, OP_WORD = 3'd2, OP_LAG = 3'd3, OP_FIN = 3'd4, OP_ADD = 3'd5;
  localparam [1:0] PH_LAG = 2'd0, PH_GAP = 2'd1, PH_FIN = 2'd2, PH_ADD = 2'd3;
  // WAYS > 1: the lags of a word are followed by the new weights of the word before it, so that the sum of the changes
  // has the time that it takes
  localparam       AHEAD = (WAYS > 1);
  localparam       SLOTS = (SAMPLES + WAYS - 1) / (WAYS > 0 ? WAYS : 1); // groups of samples
  localparam [SAMPLE_W-1:0] WAY_STEP = WAYS[SAMPLE_W-1:0];

  // ---- current row -------------------------------------------------------------
  reg                act_q, take_q, take2_q;
  reg  [1:0]         kind_q;
  reg  [1:0]         phase_q;
  reg  [1:0]         wait_q;            // cycles of PH_GAP that are left
  reg                shift_q, last_q, set_q, pair_q;
  reg  [1:0]         number_q;
  reg  [15:0]        words_q;           // words left after this one
  reg  [HIST_AW-1:0] hist_q, hist_k_q;  // word of sample 0, of the current sample
  reg  [WORD_AW-1:0] word_q;
  reg  [INDEX_W-1:0] index_q;
  reg  [HIST_AW-1:0] lag_hist_q;        // AHEAD: word of the lags ...
  reg  [15:0]        lag_words_q;       // ... words left after it
  reg                ahead_q, lag_done_q; // the lags are a word ahead; all words have had theirs
  reg                pool_q;            // a SHIFT row of the neurons
  reg  [SAMPLE_W-1:0] k_q;              // group of samples
  reg  [LAG_W-1:0]   d_q;
  reg  [COEF_AW-1:0] coef_q;
  reg                fresh_sample_q, fresh_shared_q; // the neuron's first contribution of its kind overwrites the sum
  reg                has_sample_q, has_shared_q;
  reg                sums_pending_q;    // a closing operation is under way or tern_fire is busy
  reg                hold_q;            // so the current row, a neuron's last one, must not end yet
  reg  [1:0]         drain_q;           // cycles to wait behind a SHIFT row
  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  kernel;        // used in stage 2
  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps;
  wire [DELTA_W-1:0] kernel_base;                    // used in stage 4
  wire [X_W-1:0]     taps_base;

  tern_kernels #(
    .TAPS_D(TAPS_D), .HIST_W(HIST_W), .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W),
    .SAMPLE_W(SAMPLE_W), .KERNELS(KERNELS)
  ) u_kernels (
    .clk_i(clk_i), .take2_i(take2_q), .row_taps_i(row_taps_i), .row_taps_base_i(row_taps_base_i),
    .row_kernel_i(row_kernel_i), .row_base_i(row_kernel_base_i), .we_i(each_we_i), .waddr_i(each_waddr_i),
    .wdata_i(each_wdata_i), .base_i(each_base_i), .sample_i(kern_q[1]), .raddr_i({pair1_q, k1_q}), .taps_o(taps),
    .taps_base_o(taps_base), .kernel_o(kernel), .base_o(kernel_base)
  );

  // groups of samples that the network has, samples of the last one: in registers, since every decision of a row waits
  // for them, and the host does not change them during a step
  reg [SAMPLE_W-1:0] slot_last, way_last, slot_last_d, way_last_d;
  integer            q;
  always @* begin
    slot_last_d = {SAMPLE_W{1'b0}};
    way_last_d  = cfg_sample_last_i;
    for (q = 1; q < SLOTS; q = q + 1)
      if ({{(32-SAMPLE_W){1'b0}}, cfg_sample_last_i} >= q * WAYS) begin
        slot_last_d = q[SAMPLE_W-1:0];
        way_last_d  = way_last_d - WAY_STEP;
      end
  end
  // what ends is known a cycle ahead: k_q and words_q are compared with the values before their last ones
  reg                k_end_q, word_end_q, one_slot_q;
  reg [SAMPLE_W-1:0] slot_before_q;
  always @(posedge clk_i) begin
    slot_last     <= slot_last_d;
    way_last      <= way_last_d;
    one_slot_q    <= (slot_last_d == {SAMPLE_W{1'b0}});
    slot_before_q <= slot_last_d - 1'b1;
  end
  wire k_more   = (k_q == slot_before_q); // k_end_q, if the next cycle's k_q is the next group
  wire d_end    = (KERNELS != 0) || (d_q == cfg_lag_last_i);
`ifdef TERN_TESTBUG_PASS_WORD_MORE
  wire words_before = 1'b0;
`else
  wire words_before = 1'b1; // words that are left before the last one
`endif
  wire words_more = (words_q == {15'd0, words_before});
  wire words_one  = (row_words_i == 16'd0) && words_before;

  wire               silent_jump, silent_none, silent_hold; // tern_silent
  wire [HIST_AW-1:0] silent_hist;
  wire [WORD_AW-1:0] silent_word;
  wire [INDEX_W-1:0] silent_index;

  // operation of this cycle and whether it is the row's last
  reg  [2:0] op;
  reg        op_end;
  always @* begin
    op     = OP_NONE;
    op_end = 1'b0;
    if (act_q) begin
      case (kind_q)
        ROW_SHARED: begin op = silent_hold ? OP_NONE : OP_WORD; op_end = silent_jump ? silent_none : word_end_q; end
        ROW_SHIFT:  begin op = OP_SHIFT; op_end = word_end_q; end
        ROW_SAMPLE:
          case (phase_q)
            PH_LAG:  op = (KERNELS != 0) ? OP_NONE : OP_LAG;
            PH_GAP:  op = OP_NONE; // the last product is on its way to dw
            PH_FIN:  begin op = OP_FIN; op_end = word_end_q && (!potential_i || k_end_q); end
            default: begin op = (KERNELS != 0 && !potential_i) ? OP_NONE : OP_ADD; op_end = word_end_q && k_end_q; end
          endcase
        default: op_end = 1'b1;
      endcase
    end
  end
  // KERNELS = 1: the kernel sum of a sample, for the row's first word, or for the one behind the word of op
  wire each     = (KERNELS != 0) && update_i;
  wire kern     = each && act_q && kind_q == ROW_SAMPLE && (phase_q == PH_LAG || (phase_q[1] && !word_end_q));
  wire tail_end = (phase_q == PH_FIN && !potential_i && !each) || (phase_q[1] && k_end_q); // of a sample row's word
  // AHEAD: empty cycles before a weight, so that three lie between it and its last lag, if fewer lags of the next word
  // do; those before the last weight of a row
  wire [1:0] lag_pad   = (lag_last_ops == 2'd0) ? 2'd2 : (lag_last_ops == 2'd1) ? 2'd1 : 2'd0;
  wire [31:0] lags_less = {{(32-LAG_W){1'b0}}, cfg_lag_last_i};
  // lags of a word - 1, at most 2
  wire [1:0] lag_last_ops = (slot_last == {SAMPLE_W{1'b0}}) ? ((lags_less > 32'd1) ? 2'd2 : lags_less[1:0])
                          : (slot_last == 1 && cfg_lag_last_i == {LAG_W{1'b0}}) ? 2'd1 : 2'd2;
  wire [2:0] between   = {1'b0, lag_pad} +
                         ((!potential_i || slot_last == {SAMPLE_W{1'b0}}) ? 3'd1 : (slot_last == 1) ? 3'd2 : 3'd3);
  wire [1:0] last_wait = (between >= 3'd3) ? 2'd0 : 2'd3 - between[1:0];
  wire closing = op_end && last_q && potential_i;        // hands the neuron over to tern_fire
  wire stall   = op_end && hold_q;
  wire issue   = act_q && !stall;
  wire finish  = issue && op_end;
  wire take    = row_valid_i && !take_q && (!act_q || finish) && (drain_q == 2'd0) && !(finish && kind_q == ROW_SHIFT);
  wire skip    = take && row_kind_i == ROW_SHIFT && !potential_i; // a flush leaves histories as they are
  wire pending = (issue && closing) || (sums_pending_q && !sums_done_i);

  assign row_take_o    = take;
  // what is left of the current row takes three cycles at most
`ifdef TERN_TESTBUG_PASS_SOON_EARLY
  assign soon_o     = !act_q || (kind_q == ROW_SHARED && words_q <= 16'd4 && !hold_q);
`else
  assign soon_o     = !act_q || (kind_q == ROW_SHARED && words_q <= 16'd3 && !hold_q);
`endif
  assign end_o      = finish && last_q;

  always @(posedge clk_i) begin
    take_q <= take;
    if (drain_q != 2'd0) drain_q <= drain_q - 2'd1;
    if (finish) act_q <= 1'b0;
    if (finish && kind_q == ROW_SHIFT) drain_q <= 2'd3;
    if (finish && last_q) begin
      {fresh_sample_q, fresh_shared_q, has_sample_q, has_shared_q} <= 4'b1100;
    end
    if (issue && !op_end) begin
      case (kind_q)
        ROW_SHARED, ROW_SHIFT: begin
          words_q <= words_q - 16'd1;
          word_end_q <= words_more;
          hist_q  <= hist_q + 1'b1;
          word_q  <= word_q + 1'b1;
          index_q <= index_q + 1'b1;
          if (kind_q == ROW_SHARED) {fresh_shared_q, has_shared_q} <= 2'b01;
          if (kind_q == ROW_SHARED && silent_jump) begin // not the adjacent word: the next one that is not silent
            hist_q  <= silent_hist;
            word_q  <= silent_word;
            index_q <= silent_index;
          end
        end
        ROW_SAMPLE:
          case (phase_q)
            PH_LAG: begin
              coef_q <= coef_q + 1'b1;
              d_q    <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
              if (d_end) begin
                k_q      <= k_end_q ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
                k_end_q  <= k_end_q ? one_slot_q : k_more;
`ifdef TERN_TESTBUG_PASS_SAMPLE_AGAIN
                hist_k_q <= hist_k_q + cfg_sample_words_i;
`elsif TERN_TESTBUG_PASS_KERNEL_WORD_SAME
                hist_k_q <= !k_end_q ? hist_k_q + cfg_sample_words_i : hist_q;
`else
                hist_k_q <= !k_end_q ? hist_k_q + cfg_sample_words_i : (KERNELS != 0) ? hist_q + 1'b1 : hist_q;
`endif
                if (KERNELS != 0 && k_end_q) hist_q <= hist_q + 1'b1; // that of the kernel sums
                if (k_end_q) begin
                  phase_q <= (KERNELS != 0) || (AHEAD && ahead_q && lag_pad == 2'd0) ? PH_FIN : PH_GAP;
                  wait_q  <= !AHEAD ? 2'd2 : ahead_q ? lag_pad : 2'd3;
                  if (AHEAD) begin
                    ahead_q     <= 1'b1;
                    lag_hist_q  <= lag_hist_q + 1'b1;
                    lag_words_q <= lag_words_q - 16'd1;
`ifdef TERN_TESTBUG_PASS_LAG_DONE_LATE
                    lag_done_q  <= (lag_words_q == 16'hffff);
`else
                    lag_done_q  <= (lag_words_q == 16'd0);
`endif
`ifdef TERN_TESTBUG_PASS_COEFFICIENTS_ON
`else
                    coef_q      <= {COEF_AW{1'b0}};
`endif
                    if (!ahead_q && lag_words_q != 16'd0) begin
                      phase_q  <= PH_LAG;
                      hist_k_q <= lag_hist_q + 1'b1;
                    end
                  end
                end
              end
            end
            PH_GAP: begin
              wait_q <= wait_q - 2'd1;
              if (wait_q == 2'd1) phase_q <= PH_FIN;
            end
            default: if (!tail_end) begin
              k_q      <= k_q + 1'b1;
              k_end_q  <= k_more;
              hist_k_q <= hist_k_q + cfg_sample_words_i;
              phase_q  <= PH_ADD;
            end
          endcase
        default: ;
      endcase
      // a sample row's next word
      if (kind_q == ROW_SAMPLE && tail_end) begin
        words_q  <= words_q - 16'd1;
        hist_q   <= hist_q + 1'b1;
        hist_k_q <= hist_q + 1'b1;
        word_q   <= word_q + 1'b1;
        index_q  <= index_q + 1'b1;
        k_q      <= {SAMPLE_W{1'b0}};
        {word_end_q, k_end_q} <= {words_more, one_slot_q};
`ifdef TERN_TESTBUG_PASS_COEFFICIENTS_ON
`else
        coef_q   <= {COEF_AW{1'b0}};
`endif
        phase_q  <= (update_i && KERNELS == 0) ? PH_LAG : PH_FIN;
        if (AHEAD && update_i) begin
          if (!lag_done_q) hist_k_q <= lag_hist_q;
          else begin
            wait_q  <= last_wait;
            phase_q <= (last_wait == 2'd0) ? PH_FIN : PH_GAP;
          end
        end
        if (potential_i) begin
          fresh_sample_q <= 1'b0;
          has_sample_q   <= 1'b1;
        end
      end
    end
    // a neuron's rows end one by one; what the last word of a row that is not the neuron's last leaves behind
    if (finish && !last_q && potential_i) begin
      if (kind_q == ROW_SHARED) {fresh_shared_q, has_shared_q} <= 2'b01;
      if (kind_q == ROW_SAMPLE) {fresh_sample_q, has_sample_q} <= 2'b01;
    end
    if (take && !skip) begin
      act_q    <= 1'b1;
      kind_q   <= row_kind_i;
      shift_q  <= row_shift_i;
      last_q   <= row_last_i;
      number_q <= row_number_i;
      set_q    <= row_set_i;
      pair_q   <= row_pair_i;
      words_q  <= row_words_i;
      hist_q   <= row_hist_i;
      hist_k_q <= row_hist_i;
      lag_hist_q  <= row_hist_i;
      lag_words_q <= row_words_i;
      ahead_q     <= 1'b0;
      lag_done_q  <= 1'b0;
      pool_q      <= (row_kind_i == ROW_SHIFT) && (row_hist_i >= cfg_sample_hist0_i);
      word_q   <= row_word_i;
      index_q  <= row_index_i;
      coef_q   <= {COEF_AW{1'b0}};
      k_q      <= {SAMPLE_W{1'b0}};
      {word_end_q, k_end_q} <= {words_one, one_slot_q};
      d_q      <= {LAG_W{1'b0}};
      phase_q  <= update_i ? PH_LAG : PH_FIN;
    end
    // the taps follow two cycles later, when the last operation of the row before has reached stage 2
    take2_q <= take_q;
    sums_pending_q <= pending;
    hold_q         <= potential_i && pending && ((take && !skip) ? row_last_i : last_q);
    if (begin_i) begin
      {fresh_sample_q, fresh_shared_q, has_sample_q, has_shared_q} <= 4'b1100;
      sums_pending_q <= 1'b0;
      hold_q         <= 1'b0;
      drain_q        <= 2'd0;
    end
    if (rst_i) begin
      act_q          <= 1'b0;
      take_q         <= 1'b0;
      drain_q        <= 2'd0;
      sums_pending_q <= 1'b0;
      hold_q         <= 1'b0;
    end
  end

  // ---- pipeline ------------------------------------------------------------------
  reg  [2:0]  op1_q, op2_q, op3_q, op4_q, op5_q, op6_q, op7_q, op8_q, op9_q, op10_q;
  // one bit of an operation in stage n is bit n
  reg  [10:1] close_q;
  reg  [8:1]  first_q;        // LAG: first of its word
  reg  [8:1]  final_q;        // ... the last
  reg  [5:1]  kern_q;
  reg  [10:1] fresh_q;        // sum starts over
  reg  [10:1] row_parity_q;
  reg  [4:1]  row_high_q;     // bit 1 of the neuron's number
  reg  [10:1] flag_q, samp_q; // closing: the neuron has shared rows, sample rows
  reg  [3:1]  row_set_q;
  reg  [4:0]  dither_bits4_q, dither_bits5_q;
  reg         shift1_q, pair1_q;
  reg  [LAG_W-1:0]    lag1_q;
  reg  [SAMPLE_W-1:0] k1_q, k2_q, k3_q, k4_q, k5_q, k6_q, k7_q, k8_q, k9_q, k10_q;
  reg  [HIST_AW-1:0]  haddr1_q, haddr2_q;
  reg  [WORD_AW-1:0]  waddr1_q, waddr2_q, waddr3_q, waddr4_q, waddr5_q, waddr6_q, waddr7_q;
  reg  [INDEX_W-1:0]  index1_q, index2_q, index3_q, index4_q;
  reg  [WAYS*16-1:0]  c2_q, c3_q, c4_q, c5_q, c6_q, coef;
  integer             y;

  // samples behind the last one have no coefficients
  always @* begin
    coef = coef_rdata_i;
    for (y = 0; y < WAYS; y = y + 1)
`ifdef TERN_TESTBUG_PASS_WAYS_BEYOND
      coef[16*y +: 16] = coef_rdata_i[16*y +: 16];
`else
      if (AHEAD && k1_q == slot_last && {{(32-SAMPLE_W){1'b0}}, way_last} < y) coef[16*y +: 16] = 16'd0;
`endif
  end
  wire [HIST_AW-1:0] haddr = (kind_q == ROW_SAMPLE) ? hist_k_q : hist_q;
  wire               fresh = (op == OP_ADD || op == OP_FIN) ? fresh_sample_q : fresh_shared_q;

  always @(posedge clk_i) begin
    op1_q <= issue ? op : OP_NONE; op2_q <= op1_q; op3_q <= op2_q; op4_q <= op3_q; op5_q <= op4_q; op6_q <= op5_q;
    op7_q <= op6_q; op8_q <= op7_q; op9_q <= op8_q; op10_q <= op9_q;
    close_q      <= {close_q[9:1], issue && closing};
    first_q      <= {first_q[7:1], (k_q == {SAMPLE_W{1'b0}}) && (d_q == {LAG_W{1'b0}})};
    final_q      <= {final_q[7:1], k_end_q && d_end};
    fresh_q      <= {fresh_q[9:1], fresh};
    kern_q       <= {kern_q[4:1], issue && kern};
    row_parity_q <= {row_parity_q[9:1], number_q[0]};
    row_high_q   <= {row_high_q[3:1], number_q[1]};
    flag_q       <= {flag_q[9:1], has_shared_q || (kind_q == ROW_SHARED)};
    samp_q       <= {samp_q[9:1], has_sample_q || (kind_q == ROW_SAMPLE)};
    row_set_q    <= {row_set_q[2:1], set_q};
`ifdef TERN_TESTBUG_PASS_DITHER_SET
    dither_bits4_q <= row_set_q[3] ? cfg_dither_bits_i : cfg_dither_bits1_i;
`else
    dither_bits4_q <= row_set_q[3] ? cfg_dither_bits1_i : cfg_dither_bits_i;
`endif
`ifdef TERN_TESTBUG_PASS_DITHER_EARLY
    dither_bits5_q <= row_set_q[3] ? cfg_dither_bits1_i : cfg_dither_bits_i;
`else
    dither_bits5_q <= dither_bits4_q;
`endif
    // a flush sees the histories as the next pass will, without writing them
    shift1_q <= (kind_q == ROW_SHIFT) || shift_q || !potential_i;
    // the trace at lag d of the last step starts behind the newest bit
`ifdef TERN_TESTBUG_PASS_LAG_OFF_BY_ONE
    lag1_q   <= (op == OP_LAG) ? d_q : {LAG_W{1'b0}};
`else
    lag1_q   <= (op == OP_LAG) ? d_q + 1'b1 : {LAG_W{1'b0}};
`endif
    k1_q <= k_q; k2_q <= k1_q; k3_q <= k2_q; k4_q <= k3_q; k5_q <= k4_q; k6_q <= k5_q; k7_q <= k6_q; k8_q <= k7_q;
    k9_q <= k8_q; k10_q <= k9; pair1_q <= pair_q;
    haddr1_q <= haddr; haddr2_q <= haddr1_q;
    waddr1_q <= word_q; waddr2_q <= waddr1_q; waddr3_q <= waddr2_q; waddr4_q <= waddr3_q; waddr5_q <= waddr4_q;
    waddr6_q <= waddr5_q; waddr7_q <= waddr6_q;
    index1_q <= index_q; index2_q <= index1_q; index3_q <= index2_q; index4_q <= index3_q;
    c2_q <= coef; c3_q <= c2_q; c4_q <= c3_q; c5_q <= c4_q; c6_q <= c5_q;
    if (rst_i) begin
      op1_q <= OP_NONE; op2_q <= OP_NONE; op3_q <= OP_NONE; op4_q <= OP_NONE; op5_q <= OP_NONE; op6_q <= OP_NONE;
      op7_q <= OP_NONE; op8_q <= OP_NONE; op9_q <= OP_NONE; op10_q <= OP_NONE;
      close_q <= 10'd0;
      kern_q  <= 5'd0;
    end
  end

  // an operation that has to wait reads its words again and again: whether it is issued is known late
  assign hist_re_o      = (each && kind_q == ROW_SAMPLE) ? kern : (op != OP_NONE);
  assign weight_re_o    = (op == OP_WORD || op == OP_FIN);
  assign coef_re_o      = (op == OP_LAG);
  assign hist_raddr_o   = haddr;
  assign frame_raddr_o  = haddr;
  assign weight_raddr_o = word_q;
`ifdef TERN_TESTBUG_PASS_COEFFICIENTS_OF_OTHER
  assign coef_raddr_o   = {!number_q[1], number_q[0], coef_q};
`else
  assign coef_raddr_o   = {number_q, coef_q};
`endif

  // stage 1 -> 2: history write-back
  wire [WAYS*LANES*HIST_W-1:0] history1;
  reg  [WAYS*LANES*HIST_W-1:0] history2_q;
  reg                     hist_we2_q;
`ifdef TERN_TESTBUG_PASS_FLUSH_SHIFTS
  reg                     bug_q; // a row that takes in spikes does so in a flush as well
`endif
  always @(posedge clk_i) begin
    history2_q <= history1;
`ifdef TERN_TESTBUG_PASS_FLUSH_SHIFTS
    bug_q      <= shift_q;
    hist_we2_q <= (potential_i ? shift1_q : bug_q) && (op1_q == OP_SHIFT || op1_q == OP_WORD);
`else
    hist_we2_q <= potential_i && shift1_q && (op1_q == OP_SHIFT || op1_q == OP_WORD);
`endif
    if (rst_i) hist_we2_q <= 1'b0;
  end
  assign hist_we_o    = hist_we2_q;
  assign hist_waddr_o = haddr2_q;
  assign hist_wdata_o = history2_q;
  // the other ways have histories of neurons only
  reg pool1_q, pool2_q;
  always @(posedge clk_i) begin
    pool1_q <= pool_q;
    pool2_q <= pool1_q;
  end
  generate
    if (WAYS > 1) begin : g_ways
      assign ways_re_o    = (op == OP_LAG || op == OP_FIN || op == OP_ADD) || (op == OP_SHIFT && pool_q);
      assign ways_raddr_o = haddr - cfg_sample_hist0_i;
`ifdef TERN_TESTBUG_PASS_WAYS_ALL_SHIFT
      assign ways_we_o    = hist_we2_q;
`else
      assign ways_we_o    = hist_we2_q && pool2_q;
`endif
      assign ways_waddr_o = haddr2_q - cfg_sample_hist0_i;
    end else begin : g_way
      assign ways_re_o    = 1'b0;
      assign ways_raddr_o = {HIST_AW{1'b0}};
      assign ways_we_o    = 1'b0;
      assign ways_waddr_o = {HIST_AW{1'b0}};
      wire unused_pool = &{1'b0, pool2_q};
    end
  endgenerate

  // silent words of inputs are left out
  tern_silent #(
    .SKIP(SKIP), .LANES(LANES), .HIST_W(HIST_W), .TAPS_D(TAPS_D), .TAP_W(TAP_W), .LAG_W(LAG_W), .HIST_AW(HIST_AW),
    .WORD_AW(WORD_AW), .INDEX_W(INDEX_W)
  ) u_silent (
    .clk_i(clk_i), .rst_i(rst_i), .we_i(hist_we2_q && !pool2_q), .waddr_i(haddr2_q),
    .history_i(history2_q[LANES*HIST_W-1:0]), .take_i(take && !skip),
    .shared_i(row_kind_i == ROW_SHARED && potential_i && !row_shift_i), .late_i(shift_q), .words_i(row_words_i),
    .hist_i(row_hist_i), .word_i(row_word_i), .index_i(row_index_i), .taps_we_i(take2_q), .taps_i(row_taps_i),
    .step_i(issue && !op_end && kind_q == ROW_SHARED), .update_i(update_i), .jump_o(silent_jump), .none_o(silent_none),
    .hold_o(silent_hold), .hist_o(silent_hist), .word_o(silent_word), .index_o(silent_index),
    .cfg_lag_last_i(cfg_lag_last_i)
  );

  // stage 4: dither
  wire [LANES*DITHER_MAX-1:0] r4;
  reg  [LANES*DITHER_MAX-1:0] r5_q;
  tern_dither #(
    .LANES(LANES), .LANE_W(LANE_W), .INDEX_W(INDEX_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)
  ) u_dither (
`ifdef TERN_TESTBUG_PASS_DITHER_OF_OTHER_NEURON
    .index_i(index4_q), .s_word_i(s_words_i[32*{row_high_q[4], !row_parity_q[4]} +: 32]),
    .dither_bits_i(dither_bits4_q), .r_o(r4)
`else
    .index_i(index4_q), .s_word_i(s_words_i[32*{row_high_q[4], row_parity_q[4]} +: 32]), .dither_bits_i(dither_bits4_q),
    .r_o(r4)
`endif
  );
  always @(posedge clk_i) r5_q <= r4;

  // stages 5, 6: new weight, operands
  wire load5   = (op5_q == OP_WORD) || (op5_q == OP_FIN);
  wire update5 = update_i && load5;
  wire load6   = (op6_q == OP_WORD) || (op6_q == OP_FIN);
  wire coef6   = (op6_q == OP_LAG);

  // lanes
  wire [WEIGHT_W-1:0]        bottom = -cfg_top_i;
  wire [LANES*WEIGHT_W-1:0]  w_old7, w_new7;
  wire [LANES-1:0]           changed7, sat7;
  wire [LANES*DITHER_MAX-1:0] r7;
  wire [WAYS*LANES*(17+X_W)-1:0] product8;   // way 0 lowest
  wire [LANES*16-1:0]        a6;
  wire                       lag7     = (op7_q == OP_LAG);
  reg                        lag8_q;
  always @(posedge clk_i) lag8_q <= lag7;
  wire acc       = AHEAD ? lag8_q : (KERNELS != 0) ? kern_q[5] : lag7;
  wire acc_first = AHEAD ? first_q[8] : (KERNELS != 0) ? first_q[5] : first_q[7];
  localparam MORE = AHEAD ? WAYS - 1 : 1;
  genvar n, v;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_lane
      wire [MORE*(17+X_W)-1:0] products;
      if (WAYS == 1) begin : g_one
        assign products = {(17+X_W){1'b0}};
        wire unused_a = &{1'b0, a6[16*n +: 16]};
      end
      for (v = 1; v < WAYS; v = v + 1) begin : g_way
        tern_way #(.TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .TAP_W(TAP_W), .X_W(X_W)) u_way (
          .clk_i(clk_i), .history_i(hist_rdata_i[(v*LANES+n)*HIST_W +: HIST_W]), .spike_i(frame_rdata_i[v*LANES+n]),
          .shift_i(shift1_q), .lag_i(lag1_q), .load_i(load6), .coef_i(coef6), .w_i(a6[16*n +: 16]),
          .c_i(c6_q[16*v +: 16]), .taps_i(taps), .taps_base_i(taps_base),
          .history_o(history1[(v*LANES+n)*HIST_W +: HIST_W]), .product_o(product8[(v*LANES+n)*(17+X_W) +: 17+X_W])
        );
        assign products[(v-1)*(17+X_W) +: 17+X_W] = product8[(v*LANES+n)*(17+X_W) +: 17+X_W];
      end
      tern_lane #(
        .TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .WEIGHT_W(WEIGHT_W), .TAP_W(TAP_W), .X_W(X_W),
        .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .WAYS(WAYS),
        .KERNELS(KERNELS), .SAMPLE_W(SAMPLE_W), .ROOM(ROOM)
      ) u_lane (
        .clk_i(clk_i), .history_i(hist_rdata_i[n*HIST_W +: HIST_W]), .spike_i(frame_rdata_i[n]),
        .w_i(weight_rdata_i[n*WEIGHT_W +: WEIGHT_W]), .shift_i(shift1_q), .lag_i(lag1_q), .update_i(update5),
        .use_acc_i(op5_q == OP_FIN), .r_i(r5_q[n*DITHER_MAX +: DITHER_MAX]), .dither_bits_i(dither_bits5_q),
        .load_i(load6), .coef_i(coef6), .c_i(c6_q[15:0]), .acc_i(acc), .k_i(k5_q),
        .use_x_i(each && (op5_q == OP_FIN || op5_q == OP_ADD)), .first_i(acc_first), .last_i(final_q[8]),
        .products_i(products), .kernel_i(kernel), .kernel_base_i(kernel_base), .taps_i(taps), .taps_base_i(taps_base),
        .top_i(cfg_top_i), .bottom_i(bottom), .absent_i(cfg_absent_i), .history_o(history1[n*HIST_W +: HIST_W]),
        .w_old_o(w_old7[n*WEIGHT_W +: WEIGHT_W]), .w_o(w_new7[n*WEIGHT_W +: WEIGHT_W]), .changed_o(changed7[n]),
        .sat_o(sat7[n]), .r_o(r7[n*DITHER_MAX +: DITHER_MAX]), .a_o(a6[16*n +: 16]),
        .product_o(product8[n*(17+X_W) +: 17+X_W])
      );
    end
  endgenerate

  // stage 7: weight write-back
  reg write7_q;
  always @(posedge clk_i) begin
    write7_q <= update_i && load6;
    if (rst_i) write7_q <= 1'b0;
  end
  assign weight_we_o    = write7_q;
  assign weight_waddr_o = waddr7_q;
  assign weight_wdata_o = w_new7;

  reg [5:0] n_sat;
  integer   i;
  always @* begin
    n_sat = 6'd0;
    for (i = 0; i < LANES; i = i + 1) n_sat = n_sat + {5'd0, sat7[i]};
  end
  reg [5:0] sat_count_q; // one cycle behind the weights
  always @(posedge clk_i) begin
    sat_count_q <= write7_q ? n_sat : 6'd0;
    if (rst_i) sat_count_q <= 6'd0;
  end
  assign sat_count_o = sat_count_q;

  // stages 8 to 11: sums of the lanes, then of the neuron
`ifdef TERN_TESTBUG_PASS_SAMPLE_SWAP
  wire [SAMPLE_W-1:0] k9 = (k9_q == {SAMPLE_W{1'b0}}) ? slot_last : k9_q - 1'b1;
`else
  wire [SAMPLE_W-1:0] k9 = k9_q;
`endif
  tern_sums #(
    .LANES(LANES), .LANE_W(LANE_W), .SAMPLE_W(SAMPLE_W), .SAMPLES(SAMPLES), .WAYS(WAYS), .X_W(X_W), .ACC_W(ACC_W)
  ) u_sums (
    .clk_i(clk_i), .rst_i(rst_i), .product_i(product8), .shared_i(op10_q == OP_WORD),
    .add_i((op10_q == OP_ADD) || (op10_q == OP_FIN && potential_i)), .fresh_i(fresh_q[10]), .slot_i(k10_q),
    .parity_i(row_parity_q[10]), .close_i(close_q[10]), .has_shared_i(flag_q[10]), .has_sample_i(samp_q[10]),
    .valid_o(sums_valid_o), .sum_shared_o(sum_shared_o), .has_sample_o(has_sample_o), .sum_re_i(sum_re_i),
    .sum_raddr_i(sum_raddr_i), .sum_sample_o(sum_sample_o)
  );

  assign idle_o = !act_q && !take_q && (drain_q == 2'd0) &&
                  (op1_q == OP_NONE) && (op2_q == OP_NONE) && (op3_q == OP_NONE) && (op4_q == OP_NONE) &&
                  (op5_q == OP_NONE) && (op6_q == OP_NONE) && (op7_q == OP_NONE) && (op8_q == OP_NONE) &&
                  (op9_q == OP_NONE) && (op10_q == OP_NONE);

`ifdef TERN_COSIM
  assign ev_w_valid_o   = write7_q;
  assign ev_w_addr_o    = waddr7_q;
  assign ev_w_old_o     = w_old7;
  assign ev_w_new_o     = w_new7;
  assign ev_w_changed_o = changed7;
  assign ev_w_sat_o     = sat7;
  assign ev_w_draw_o    = r7;
`else
  wire unused_ev = &{1'b0, w_old7, changed7, r7};
`endif
endmodule

`default_nettype wire
