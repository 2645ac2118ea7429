// tern_pass.v : the pass over the weights: executes rows, one word of LANES weights per cycle
// SPDX-License-Identifier: Apache-2.0
//
// Function  For each row handed over by tern_prepare, issues operations into the lane pipeline (docs/31-blocks.md, "pass"):
//             SHIFT  history word := {history, spikes}                        rows of kind SHIFT
//             WORD   kernel update and shared potential of one word           rows of kind SHARED, one per cycle
//             LAG    dw += c[k][d] x[k](t-d)                                  rows of kind SAMPLE, K W per word, if an update is pending
//             FIN    new weight from the accumulated dw                       rows of kind SAMPLE, one per word
//             ADD    sum[k] += w x[k]                                         rows of kind SAMPLE, K per word, unless flushing
//             NONE   nothing, closes a neuron without rows
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
  parameter INDEX_W    = 20   // dither word index
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  // control
  input  wire                       begin_i,      // a pass begins (pulse)
  input  wire                       update_i,     // an update is pending (static during the pass)
  input  wire                       potential_i,  // 0: flush
  output wire                       idle_o,       // no current row, pipeline empty
  output wire                       sample_busy_o,// a row of kind SAMPLE is being executed
  output wire                       active_o,     // a row is being executed ...
  output wire                       parity_o,     // ... of a neuron with this number, bit 0
  // row from tern_prepare
  input  wire                       row_valid_i,
  output wire                       row_take_o,
  input  wire [1:0]                 row_kind_i,
  input  wire                       row_shift_i,
  input  wire                       row_last_i,   // last row of its neuron
  input  wire                       row_parity_i, // neuron number, bit 0
  input  wire                       row_set_i,    // learning set of the neuron
  input  wire [15:0]                row_words_i,  // words - 1
  input  wire [HIST_AW-1:0]         row_hist_i,
  input  wire [WORD_AW-1:0]         row_word_i,
  input  wire [INDEX_W-1:0]         row_index_i,
  input  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  row_kernel_i, // taps in pairs (tern_taps)
  input  wire [DELTA_W-1:0]                  row_kernel_base_i,
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] row_taps_i,
  input  wire [X_W-1:0]                      row_taps_base_i,
  // dither words of even and odd neurons
  input  wire [31:0]                s_word0_i,
  input  wire [31:0]                s_word1_i,
  // memory
  output wire                       hist_re_o,     // histories and frames are read
  output wire                       weight_re_o,
  output wire                       coef_re_o,
  output wire [HIST_AW-1:0]         hist_raddr_o,
  input  wire [LANES*(HIST_W)-1:0] hist_rdata_i,
  output wire                       hist_we_o,
  output wire [HIST_AW-1:0]         hist_waddr_o,
  output wire [LANES*(HIST_W)-1:0] hist_wdata_o,
  output wire [HIST_AW-1:0]         frame_raddr_o,
  input  wire [LANES-1:0]           frame_rdata_i,
  output wire [WORD_AW-1:0]         weight_raddr_o,
  input  wire [LANES*WEIGHT_W-1:0]  weight_rdata_i,
  output wire                       weight_we_o,
  output wire [WORD_AW-1:0]         weight_waddr_o,
  output wire [LANES*WEIGHT_W-1:0]  weight_wdata_o,
  output wire [COEF_AW-1:0]         coef_raddr_o,
  input  wire [15:0]                coef_rdata_i,
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
  localparam [2:0] PH_LAG = 3'd0, PH_GAP = 3'd1, PH_GAP2 = 3'd2, PH_FIN = 3'd3, PH_ADD = 3'd4;

  // ---- current row -------------------------------------------------------------
  reg                act_q, take_q;
  reg  [1:0]         kind_q;
  reg  [2:0]         phase_q;
  reg                shift_q, last_q, parity_q, set_q;
  reg  [15:0]        words_q;           // words left after this one
  reg  [HIST_AW-1:0] hist_q, hist_k_q;  // word of sample 0, of the current sample
  reg  [WORD_AW-1:0] word_q;
  reg  [INDEX_W-1:0] index_q;
  reg  [SAMPLE_W-1:0] k_q;
  reg  [LAG_W-1:0]   d_q;
  reg  [COEF_AW-1:0] coef_q;
  reg                fresh_sample_q, fresh_shared_q; // the neuron's first contribution of its kind overwrites the sum
  reg                has_sample_q, has_shared_q;
  reg                sums_pending_q;    // a closing operation is under way or tern_fire is busy
  reg  [1:0]         drain_q;           // cycles to wait behind a SHIFT row
  reg                take2_q, take3_q, take4_q;
  reg  [HIST_W/2*(2*KERNEL_W+1)-1:0]  kernel_q;      // used in stage 2
  reg  [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_q;
  reg  [DELTA_W-1:0] kernel_next_q, kernel_base_q;   // used in stage 4
  reg  [X_W-1:0]     taps_next_q, taps_base_q;

  wire k_end    = (k_q == cfg_sample_last_i);
  wire d_end    = (d_q == cfg_lag_last_i);
`ifdef TERN_TESTBUG_PASS_WORD_MORE
  wire word_end = (words_q == 16'hffff);
`else
  wire word_end = (words_q == 16'd0);
`endif

  // operation of this cycle and whether it is the row's last
  reg  [2:0] op;
  reg        op_end;
  always @* begin
    op     = OP_NONE;
    op_end = 1'b0;
    if (act_q) begin
      case (kind_q)
        ROW_SHARED: begin op = OP_WORD;  op_end = word_end; end
        ROW_SHIFT:  begin op = OP_SHIFT; op_end = word_end; end
        ROW_SAMPLE:
          case (phase_q)
            PH_LAG:  op = OP_LAG;
            PH_GAP, PH_GAP2: op = OP_NONE; // the last product is on its way to dw
            PH_FIN:  begin op = OP_FIN; op_end = word_end && !potential_i; end
            default: begin op = OP_ADD; op_end = word_end && k_end; end
          endcase
        default: op_end = 1'b1;
      endcase
    end
  end
  wire closing = op_end && last_q && potential_i;        // hands the neuron over to tern_fire
  wire stall   = closing && sums_pending_q;
  wire issue   = act_q && !stall;
  wire finish  = issue && op_end;
  wire take    = row_valid_i && !take_q && (!act_q || finish) && (drain_q == 2'd0) && !(finish && kind_q == ROW_SHIFT);
  wire skip    = take && row_kind_i == ROW_SHIFT && !potential_i; // a flush leaves histories as they are

  assign row_take_o    = take;
  assign sample_busy_o = act_q && (kind_q == ROW_SAMPLE);
  assign active_o      = act_q && (kind_q != ROW_SHIFT); // a SHIFT row uses no dither
  assign parity_o      = parity_q;

  always @(posedge clk_i) begin
    take_q <= take;
    if (drain_q != 2'd0) drain_q <= drain_q - 2'd1;
    if (finish) act_q <= 1'b0;
    if (finish && kind_q == ROW_SHIFT) drain_q <= 2'd3;
    if (finish && last_q) begin
      fresh_sample_q <= 1'b1;
      fresh_shared_q <= 1'b1;
      has_sample_q   <= 1'b0;
      has_shared_q   <= 1'b0;
    end
    if (issue && !op_end) begin
      case (kind_q)
        ROW_SHARED, ROW_SHIFT: begin
          words_q <= words_q - 16'd1;
          hist_q  <= hist_q + 1'b1;
          word_q  <= word_q + 1'b1;
          index_q <= index_q + 1'b1;
          if (kind_q == ROW_SHARED) begin
            fresh_shared_q <= 1'b0;
            has_shared_q   <= 1'b1;
          end
        end
        ROW_SAMPLE:
          case (phase_q)
            PH_LAG: begin
              coef_q <= coef_q + 1'b1;
              d_q    <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
              if (d_end) begin
                k_q      <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
`ifdef TERN_TESTBUG_PASS_SAMPLE_AGAIN
                hist_k_q <= hist_k_q + cfg_sample_words_i;
`else
                hist_k_q <= k_end ? hist_q : hist_k_q + cfg_sample_words_i;
`endif
                if (k_end) phase_q <= PH_GAP;
              end
            end
            PH_GAP:  phase_q <= PH_GAP2;
            PH_GAP2: phase_q <= PH_FIN;
            PH_FIN: if (potential_i) phase_q <= PH_ADD;
            default: begin
              k_q      <= k_end ? {SAMPLE_W{1'b0}} : k_q + 1'b1;
              hist_k_q <= hist_k_q + cfg_sample_words_i;
            end
          endcase
        default: ;
      endcase
      // a sample row's next word
      if (kind_q == ROW_SAMPLE && ((phase_q == PH_ADD && k_end) || (phase_q == PH_FIN && !potential_i))) begin
        words_q  <= words_q - 16'd1;
        hist_q   <= hist_q + 1'b1;
        hist_k_q <= hist_q + 1'b1;
        word_q   <= word_q + 1'b1;
        index_q  <= index_q + 1'b1;
`ifdef TERN_TESTBUG_PASS_COEFFICIENTS_ON
`else
        coef_q   <= {COEF_AW{1'b0}};
`endif
        phase_q  <= update_i ? PH_LAG : PH_FIN;
        if (phase_q == PH_ADD) begin
          fresh_sample_q <= 1'b0;
          has_sample_q   <= 1'b1;
        end
      end
    end
    // a neuron's rows end one by one; what the last word of a row that is not the neuron's last leaves behind
    if (finish && !last_q && potential_i) begin
      if (kind_q == ROW_SHARED) begin
        fresh_shared_q <= 1'b0;
        has_shared_q   <= 1'b1;
      end
      if (kind_q == ROW_SAMPLE) begin
        fresh_sample_q <= 1'b0;
        has_sample_q   <= 1'b1;
      end
    end
    if (take && !skip) begin
      act_q    <= 1'b1;
      kind_q   <= row_kind_i;
      shift_q  <= row_shift_i;
      last_q   <= row_last_i;
      parity_q <= row_parity_i;
      set_q    <= row_set_i;
      words_q  <= row_words_i;
      hist_q   <= row_hist_i;
      hist_k_q <= row_hist_i;
      word_q   <= row_word_i;
      index_q  <= row_index_i;
      coef_q   <= {COEF_AW{1'b0}};
      k_q      <= {SAMPLE_W{1'b0}};
      d_q      <= {LAG_W{1'b0}};
      phase_q  <= update_i ? PH_LAG : PH_FIN;
    end
    // the taps follow two cycles later, when the last operation of the row before has reached stage 2
    if (take2_q) begin
      kernel_q      <= row_kernel_i;
      taps_q        <= row_taps_i;
      kernel_next_q <= row_kernel_base_i;
      taps_next_q   <= row_taps_base_i;
    end
    take2_q <= take_q;
    take3_q <= take2_q;
    take4_q <= take3_q;
    if (take4_q) begin
      kernel_base_q <= kernel_next_q;
      taps_base_q   <= taps_next_q;
    end
    if (issue && closing) sums_pending_q <= 1'b1;
    else if (sums_done_i) sums_pending_q <= 1'b0;
    if (begin_i) begin
      fresh_sample_q <= 1'b1;
      fresh_shared_q <= 1'b1;
      has_sample_q   <= 1'b0;
      has_shared_q   <= 1'b0;
      sums_pending_q <= 1'b0;
      drain_q        <= 2'd0;
    end
    if (rst_i) begin
      act_q          <= 1'b0;
      take_q         <= 1'b0;
      drain_q        <= 2'd0;
      sums_pending_q <= 1'b0;
    end
  end

  // ---- pipeline ------------------------------------------------------------------
  reg  [2:0]  op1_q, op2_q, op3_q, op4_q, op5_q, op6_q, op7_q, op8_q, op9_q, op10_q;
  // one bit of an operation in stage n is bit n
  reg  [10:1] close_q;
  reg  [7:1]  first_q;        // LAG: first of its word
  reg  [10:1] fresh_q;        // sum starts over
  reg  [10:1] row_parity_q;
  reg  [10:1] flag_q, samp_q; // closing: the neuron has shared rows, sample rows
  reg  [3:1]  row_set_q;
  reg  [4:0]  dither_bits4_q, dither_bits5_q;
  reg         shift1_q;
  reg  [LAG_W-1:0]    lag1_q;
  reg  [SAMPLE_W-1:0] k1_q, k2_q, k3_q, k4_q, k5_q, k6_q, k7_q, k8_q, k9_q, k10_q;
  reg  [HIST_AW-1:0]  haddr1_q, haddr2_q;
  reg  [WORD_AW-1:0]  waddr1_q, waddr2_q, waddr3_q, waddr4_q, waddr5_q, waddr6_q, waddr7_q;
  reg  [INDEX_W-1:0]  index1_q, index2_q, index3_q, index4_q;
  reg  [15:0]         c2_q, c3_q, c4_q, c5_q, c6_q;

  wire [HIST_AW-1:0] haddr = (kind_q == ROW_SAMPLE) ? hist_k_q : hist_q;
  wire               fresh = (op == OP_ADD) ? fresh_sample_q : fresh_shared_q;

  always @(posedge clk_i) begin
    op1_q <= issue ? op : OP_NONE; op2_q <= op1_q; op3_q <= op2_q; op4_q <= op3_q; op5_q <= op4_q; op6_q <= op5_q; op7_q <= op6_q; op8_q <= op7_q; op9_q <= op8_q; op10_q <= op9_q;
    close_q      <= {close_q[9:1], issue && closing};
    first_q      <= {first_q[6:1], (k_q == {SAMPLE_W{1'b0}}) && (d_q == {LAG_W{1'b0}})};
    fresh_q      <= {fresh_q[9:1], fresh};
    row_parity_q <= {row_parity_q[9:1], parity_q};
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
    k1_q <= k_q; k2_q <= k1_q; k3_q <= k2_q; k4_q <= k3_q; k5_q <= k4_q; k6_q <= k5_q; k7_q <= k6_q; k8_q <= k7_q; k9_q <= k8_q; k10_q <= k9;
    haddr1_q <= haddr; haddr2_q <= haddr1_q;
    waddr1_q <= word_q; waddr2_q <= waddr1_q; waddr3_q <= waddr2_q; waddr4_q <= waddr3_q; waddr5_q <= waddr4_q; waddr6_q <= waddr5_q; waddr7_q <= waddr6_q;
    index1_q <= index_q; index2_q <= index1_q; index3_q <= index2_q; index4_q <= index3_q;
    c2_q <= coef_rdata_i; c3_q <= c2_q; c4_q <= c3_q; c5_q <= c4_q; c6_q <= c5_q;
    if (rst_i) begin
      op1_q <= OP_NONE; op2_q <= OP_NONE; op3_q <= OP_NONE; op4_q <= OP_NONE; op5_q <= OP_NONE; op6_q <= OP_NONE; op7_q <= OP_NONE; op8_q <= OP_NONE; op9_q <= OP_NONE; op10_q <= OP_NONE;
      close_q <= 10'd0;
    end
  end

  // an operation that has to wait reads its words again and again: whether it is issued is known late
  assign hist_re_o      = (op != OP_NONE);
  assign weight_re_o    = (op == OP_WORD || op == OP_FIN);
  assign coef_re_o      = (op == OP_LAG);
  assign hist_raddr_o   = haddr;
  assign frame_raddr_o  = haddr;
  assign weight_raddr_o = word_q;
  assign coef_raddr_o   = coef_q;

  // stage 1 -> 2: history write-back
  wire [LANES*HIST_W-1:0] history1;
  reg  [LANES*HIST_W-1:0] history2_q;
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

  // stage 4: dither
  wire [LANES*DITHER_MAX-1:0] r4;
  reg  [LANES*DITHER_MAX-1:0] r5_q;
  tern_dither #(.LANES(LANES), .LANE_W(LANE_W), .INDEX_W(INDEX_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)) u_dither (
`ifdef TERN_TESTBUG_PASS_DITHER_OF_OTHER_NEURON
    .index_i(index4_q), .s_word_i(row_parity_q[4] ? s_word0_i : s_word1_i), .dither_bits_i(dither_bits4_q), .r_o(r4)
`else
    .index_i(index4_q), .s_word_i(row_parity_q[4] ? s_word1_i : s_word0_i), .dither_bits_i(dither_bits4_q), .r_o(r4)
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
  wire [LANES*(17+X_W)-1:0]  product8;
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_lane
      tern_lane #(.TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .WEIGHT_W(WEIGHT_W), .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W),
                  .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)) u_lane (
        .clk_i(clk_i),
        .history_i(hist_rdata_i[n*HIST_W +: HIST_W]), .spike_i(frame_rdata_i[n]), .w_i(weight_rdata_i[n*WEIGHT_W +: WEIGHT_W]),
        .shift_i(shift1_q), .lag_i(lag1_q),
        .update_i(update5), .use_acc_i(op5_q == OP_FIN), .r_i(r5_q[n*DITHER_MAX +: DITHER_MAX]), .dither_bits_i(dither_bits5_q),
        .load_i(load6), .coef_i(coef6), .c_i(c6_q), .acc_i(op7_q == OP_LAG), .first_i(first_q[7]),
        .kernel_i(kernel_q), .kernel_base_i(kernel_base_q), .taps_i(taps_q), .taps_base_i(taps_base_q), .top_i(cfg_top_i), .bottom_i(bottom), .absent_i(cfg_absent_i),
        .history_o(history1[n*HIST_W +: HIST_W]), .w_old_o(w_old7[n*WEIGHT_W +: WEIGHT_W]), .w_o(w_new7[n*WEIGHT_W +: WEIGHT_W]),
        .changed_o(changed7[n]), .sat_o(sat7[n]), .r_o(r7[n*DITHER_MAX +: DITHER_MAX]), .product_o(product8[n*(17+X_W) +: 17+X_W])
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

  // stage 8: sums of a few lanes; stage 9: of all; stage 10: sums of the neuron
  // (one adder behind the other, its carry in bit 0: in one expression they would become carry-save adders, which are larger)
  localparam GROUP   = (LANES > 16) ? 8 : (LANES > 4) ? 4 : LANES;
  localparam N_GROUP = LANES / GROUP;
  localparam LANES_W = (17 + X_W + LANE_W < ACC_W) ? 17 + X_W + LANE_W : ACC_W;
  localparam PAD_W   = LANES_W - 16 - X_W; // of a product's sign
  reg [N_GROUP*LANES_W-1:0] group_d, group9_q;
  reg [LANES_W-1:0] sum_group, sum_lanes;
  reg [ACC_W-1:0]   sum10_q;
  reg               unused_group, unused_lanes;
  integer           g, m, j;
  always @* begin
    unused_group = 1'b0;
    for (g = 0; g < N_GROUP; g = g + 1) begin
      sum_group = {{PAD_W{product8[g*GROUP*(17+X_W)+16+X_W]}}, product8[g*GROUP*(17+X_W) +: 16+X_W]};
      for (m = g * GROUP + 1; m < (g + 1) * GROUP; m = m + 1)
        {sum_group, unused_group} = {sum_group, 1'b0} + {{PAD_W{product8[m*(17+X_W)+16+X_W]}}, product8[m*(17+X_W) +: 16+X_W], 1'b0};
      group_d[g*LANES_W +: LANES_W] = sum_group;
    end
  end
  always @(posedge clk_i) group9_q <= group_d;
  always @* begin
    sum_lanes    = group9_q[LANES_W-1:0];
    unused_lanes = 1'b0;
    for (j = 1; j < N_GROUP; j = j + 1) {sum_lanes, unused_lanes} = {sum_lanes, 1'b0} + {group9_q[j*LANES_W +: LANES_W], 1'b0};
  end
  wire [ACC_W-1:0] sum_wide = {{(ACC_W-LANES_W+1){sum_lanes[LANES_W-1]}}, sum_lanes[LANES_W-2:0]};
`ifdef TERN_TESTBUG_PASS_SAMPLE_SWAP
  wire [SAMPLE_W-1:0] k9 = (k9_q == {SAMPLE_W{1'b0}}) ? cfg_sample_last_i : k9_q - 1'b1;
`else
  wire [SAMPLE_W-1:0] k9 = k9_q;
`endif
  always @(posedge clk_i) sum10_q <= sum_wide;

  reg  [ACC_W-1:0] shared_q;
`ifdef TERN_TESTBUG_PASS_SUM_NOT_RESTARTED
  wire [ACC_W-1:0] shared_d = shared_q + sum10_q;
`else
  wire [ACC_W-1:0] shared_d = fresh_q[10] ? sum10_q : shared_q + sum10_q;
`endif
  always @(posedge clk_i) if (op10_q == OP_WORD) shared_q <= shared_d;

  wire [ACC_W-1:0] sample_now;
  // those of the current neuron in registers, what they come to in a memory that tern_fire reads while the next neuron is summed
  localparam SUM_SLICES = (ACC_W + 31) / 32;
  wire             add10    = (op10_q == OP_ADD);
  wire [ACC_W-1:0] sample_d = (fresh_q[10] ? {ACC_W{1'b0}} : sample_now) + sum10_q;
  tern_regfile #(.WIDTH(ACC_W), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_sums (
    .clk_i(clk_i), .we_i(add10), .waddr_i(k10_q), .wdata_i(sample_d), .raddr_i(k10_q), .rdata_o(sample_now)
  );
  tern_ram #(.WIDTH(ACC_W), .DEPTH(2 << SAMPLE_W), .ADDR_W(SAMPLE_W + 1)) u_ready (
    .clk_i(clk_i), .we_i({SUM_SLICES{add10}}), .waddr_i({row_parity_q[10], k10_q}), .wdata_i(sample_d), .re_i(sum_re_i), .raddr_i(sum_raddr_i), .rdata_o(sum_sample_o)
  );

  // stage 11: hand over
  reg              sums_valid_q, has_sample_out_q;
  reg [ACC_W-1:0]  sum_shared_q;
  always @(posedge clk_i) begin
    sums_valid_q <= close_q[10];
    if (close_q[10]) begin
      sum_shared_q     <= !flag_q[10] ? {ACC_W{1'b0}} : (op10_q == OP_WORD) ? shared_d : shared_q;
      has_sample_out_q <= samp_q[10];
    end
    if (rst_i) sums_valid_q <= 1'b0;
  end
  assign sums_valid_o = sums_valid_q;
  assign sum_shared_o = sum_shared_q;
  assign has_sample_o = has_sample_out_q;

  assign idle_o = !act_q && !take_q && (drain_q == 2'd0) && (op1_q == OP_NONE) && (op2_q == OP_NONE) && (op3_q == OP_NONE) && (op4_q == OP_NONE)
                  && (op5_q == OP_NONE) && (op6_q == OP_NONE) && (op7_q == OP_NONE) && (op8_q == OP_NONE) && (op9_q == OP_NONE) && (op10_q == OP_NONE);

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
