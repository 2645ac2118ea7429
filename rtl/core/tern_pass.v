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
// Latency   an operation issued in cycle 0 reads memories in cycle 1, writes its weight in cycle 5, its sum in cycle 7
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
  output wire                       idle_o,       // no row at hand, pipeline empty
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
  output wire [5:0]                 sat_count_o        // lanes that saturated in this cycle
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

  // ---- row at hand -------------------------------------------------------------
  reg                act_q, take_q;
  reg  [1:0]         kind_q, phase_q;
  reg                shift_q, last_q, parity_q, set_q;
  reg  [15:0]        words_q;           // words left after this one
  reg  [HIST_AW-1:0] hist_q, hist_k_q;  // word of sample 0, of the sample at hand
  reg  [WORD_AW-1:0] word_q;
  reg  [INDEX_W-1:0] index_q;
  reg  [SAMPLE_W-1:0] k_q;
  reg  [LAG_W-1:0]   d_q;
  reg  [COEF_AW-1:0] coef_q;
  reg                fresh_sample_q, fresh_shared_q; // the neuron's first contribution of its kind overwrites the sum
  reg                has_sample_q, has_shared_q;
  reg                sums_pending_q;    // a closing operation is under way or tern_fire is busy
  reg  [1:0]         drain_q;           // cycles to wait behind a SHIFT row
  reg                take2_q, take3_q;
  reg  [HIST_W/2*(2*KERNEL_W+1)-1:0]  kernel_q;      // used in stage 1
  reg  [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_q;
  reg  [DELTA_W-1:0] kernel_next_q, kernel_base_q;   // used in stage 3
  reg  [X_W-1:0]     taps_next_q, taps_base_q;

  wire k_end    = (k_q == cfg_sample_last_i);
  wire d_end    = (d_q == cfg_lag_last_i);
  wire word_end = (words_q == 16'd0);

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
            PH_GAP:  op = OP_NONE;
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
                hist_k_q <= k_end ? hist_q : hist_k_q + cfg_sample_words_i;
                if (k_end) phase_q <= PH_GAP;
              end
            end
            PH_GAP: phase_q <= PH_FIN;
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
        coef_q   <= {COEF_AW{1'b0}};
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
    // the taps follow one cycle later, when the last operation of the row before has reached stage 1
    if (take_q) begin
      kernel_q      <= row_kernel_i;
      taps_q        <= row_taps_i;
      kernel_next_q <= row_kernel_base_i;
      taps_next_q   <= row_taps_base_i;
    end
    take2_q <= take_q;
    take3_q <= take2_q;
    if (take3_q) begin
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
  reg  [2:0] op1_q, op2_q, op3_q, op4_q, op5_q, op6_q;
  reg        close1_q, close2_q, close3_q, close4_q, close5_q, close6_q, close7_q;
  reg        first1_q, first2_q, first3_q, first4_q, first5_q;           // LAG: first of its word
  reg        fresh1_q, fresh2_q, fresh3_q, fresh4_q, fresh5_q, fresh6_q; // sum starts anew
  reg        set1_q, set2_q, set3_q;
  reg [4:0]  dither_bits4_q;
  reg        shift1_q, parity1_q, parity2_q, parity3_q, parity4_q, parity5_q, parity6_q;
  reg  [LAG_W-1:0]    lag1_q;
  reg  [SAMPLE_W-1:0] k1_q, k2_q, k3_q, k4_q, k5_q, k6_q;
  reg  [HIST_AW-1:0]  haddr1_q, haddr2_q;
  reg  [WORD_AW-1:0]  waddr1_q, waddr2_q, waddr3_q, waddr4_q, waddr5_q;
  reg  [INDEX_W-1:0]  index1_q, index2_q, index3_q, index4_q;
  reg  [15:0]         c2_q, c3_q, c4_q;
  reg                 flag1_q, flag2_q, flag3_q, flag4_q, flag5_q, flag6_q; // closing: the neuron has shared rows
  reg                 samp1_q, samp2_q, samp3_q, samp4_q, samp5_q, samp6_q; // closing: the neuron has sample rows

  wire [HIST_AW-1:0] haddr = (kind_q == ROW_SAMPLE) ? hist_k_q : hist_q;
  wire               fresh = (op == OP_ADD) ? fresh_sample_q : fresh_shared_q;

  always @(posedge clk_i) begin
    op1_q <= issue ? op : OP_NONE; op2_q <= op1_q; op3_q <= op2_q; op4_q <= op3_q; op5_q <= op4_q; op6_q <= op5_q;
    close1_q <= issue && closing; close2_q <= close1_q; close3_q <= close2_q; close4_q <= close3_q; close5_q <= close4_q; close6_q <= close5_q; close7_q <= close6_q;
    first1_q <= (k_q == {SAMPLE_W{1'b0}}) && (d_q == {LAG_W{1'b0}}); first2_q <= first1_q; first3_q <= first2_q; first4_q <= first3_q; first5_q <= first4_q;
    fresh1_q <= fresh; fresh2_q <= fresh1_q; fresh3_q <= fresh2_q; fresh4_q <= fresh3_q; fresh5_q <= fresh4_q; fresh6_q <= fresh5_q;
    set1_q <= set_q; set2_q <= set1_q; set3_q <= set2_q;
`ifdef TERN_TESTBUG_PASS_DITHER_SET
    dither_bits4_q <= set3_q ? cfg_dither_bits_i : cfg_dither_bits1_i;
`else
    dither_bits4_q <= set3_q ? cfg_dither_bits1_i : cfg_dither_bits_i;
`endif
    parity1_q <= parity_q; parity2_q <= parity1_q; parity3_q <= parity2_q; parity4_q <= parity3_q; parity5_q <= parity4_q; parity6_q <= parity5_q;
    // a flush sees the histories as the next pass will, without writing them
    shift1_q <= (kind_q == ROW_SHIFT) || shift_q || !potential_i;
    // the trace at lag d of the last step starts behind the newest bit
`ifdef TERN_TESTBUG_PASS_LAG_OFF_BY_ONE
    lag1_q   <= (op == OP_LAG) ? d_q : {LAG_W{1'b0}};
`else
    lag1_q   <= (op == OP_LAG) ? d_q + 1'b1 : {LAG_W{1'b0}};
`endif
    k1_q <= k_q; k2_q <= k1_q; k3_q <= k2_q; k4_q <= k3_q; k5_q <= k4_q; k6_q <= k5_q;
    haddr1_q <= haddr; haddr2_q <= haddr1_q;
    waddr1_q <= word_q; waddr2_q <= waddr1_q; waddr3_q <= waddr2_q; waddr4_q <= waddr3_q; waddr5_q <= waddr4_q;
    index1_q <= index_q; index2_q <= index1_q; index3_q <= index2_q; index4_q <= index3_q;
    c2_q <= coef_rdata_i; c3_q <= c2_q; c4_q <= c3_q;
    flag1_q <= has_shared_q || (kind_q == ROW_SHARED); flag2_q <= flag1_q; flag3_q <= flag2_q; flag4_q <= flag3_q; flag5_q <= flag4_q; flag6_q <= flag5_q;
    samp1_q <= has_sample_q || (kind_q == ROW_SAMPLE); samp2_q <= samp1_q; samp3_q <= samp2_q; samp4_q <= samp3_q; samp5_q <= samp4_q; samp6_q <= samp5_q;
    if (rst_i) begin
      op1_q <= OP_NONE; op2_q <= OP_NONE; op3_q <= OP_NONE; op4_q <= OP_NONE; op5_q <= OP_NONE; op6_q <= OP_NONE;
      close1_q <= 1'b0; close2_q <= 1'b0; close3_q <= 1'b0; close4_q <= 1'b0; close5_q <= 1'b0; close6_q <= 1'b0; close7_q <= 1'b0;
    end
  end

  assign hist_re_o      = issue && (op != OP_NONE);
  assign weight_re_o    = issue && (op == OP_WORD || op == OP_FIN);
  assign coef_re_o      = issue && (op == OP_LAG);
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

  // stage 4: dither, operands
  wire [LANES*DITHER_MAX-1:0] r4;
  tern_dither #(.LANES(LANES), .LANE_W(LANE_W), .INDEX_W(INDEX_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)) u_dither (
`ifdef TERN_TESTBUG_PASS_DITHER_OF_OTHER_NEURON
    .index_i(index4_q), .s_word_i(parity4_q ? s_word0_i : s_word1_i), .dither_bits_i(dither_bits4_q), .r_o(r4)
`else
    .index_i(index4_q), .s_word_i(parity4_q ? s_word1_i : s_word0_i), .dither_bits_i(dither_bits4_q), .r_o(r4)
`endif
  );
  wire load4   = (op4_q == OP_WORD) || (op4_q == OP_FIN);
  wire coef4   = (op4_q == OP_LAG);
  wire update4 = update_i && load4;

  // lanes
  wire [WEIGHT_W-1:0]        bottom = -cfg_top_i;
  wire [LANES*WEIGHT_W-1:0]  w_old5, w_new5;
  wire [LANES-1:0]           changed5, sat5;
  wire [LANES*DITHER_MAX-1:0] r5;
  wire [LANES*(17+X_W)-1:0]  product6;
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_lane
      tern_lane #(.TAPS_D(TAPS_D), .HIST_W(HIST_W), .LAG_W(LAG_W), .WEIGHT_W(WEIGHT_W), .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W),
                  .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)) u_lane (
        .clk_i(clk_i),
        .history_i(hist_rdata_i[n*HIST_W +: HIST_W]), .spike_i(frame_rdata_i[n]), .w_i(weight_rdata_i[n*WEIGHT_W +: WEIGHT_W]),
        .shift_i(shift1_q), .lag_i(lag1_q),
        .load_i(load4), .coef_i(coef4), .update_i(update4), .use_acc_i(op4_q == OP_FIN), .c_i(c4_q), .r_i(r4[n*DITHER_MAX +: DITHER_MAX]),
        .acc_i(op5_q == OP_LAG), .first_i(first5_q),
        .kernel_i(kernel_q), .kernel_base_i(kernel_base_q), .taps_i(taps_q), .taps_base_i(taps_base_q), .dither_bits_i(dither_bits4_q), .top_i(cfg_top_i), .bottom_i(bottom), .absent_i(cfg_absent_i),
        .history_o(history1[n*HIST_W +: HIST_W]), .w_old_o(w_old5[n*WEIGHT_W +: WEIGHT_W]), .w_o(w_new5[n*WEIGHT_W +: WEIGHT_W]),
        .changed_o(changed5[n]), .sat_o(sat5[n]), .r_o(r5[n*DITHER_MAX +: DITHER_MAX]), .product_o(product6[n*(17+X_W) +: 17+X_W])
      );
    end
  endgenerate

  // stage 5: weight write-back
  reg write5_q;
  always @(posedge clk_i) begin
    write5_q <= update4;
    if (rst_i) write5_q <= 1'b0;
  end
  assign weight_we_o    = write5_q;
  assign weight_waddr_o = waddr5_q;
  assign weight_wdata_o = w_new5;

  reg [5:0] n_sat;
  integer   i;
  always @* begin
    n_sat = 6'd0;
    for (i = 0; i < LANES; i = i + 1) n_sat = n_sat + {5'd0, sat5[i]};
  end
  assign sat_count_o = write5_q ? n_sat : 6'd0;

  // stage 6: sum over lanes; stage 7: sums of the neuron
  // (one adder behind the other, its carry in bit 0: in one expression they would become carry-save adders, which are larger)
  localparam LANES_W = (17 + X_W + LANE_W < ACC_W) ? 17 + X_W + LANE_W : ACC_W;
  localparam PAD_W   = LANES_W - 16 - X_W; // of a product's sign
  reg [LANES_W-1:0] sum_lanes;
  reg [ACC_W-1:0]   sum7_q;
  reg               unused_lanes;
  integer           m;
  always @* begin
    sum_lanes    = {{PAD_W{product6[16+X_W]}}, product6[15+X_W:0]};
    unused_lanes = 1'b0;
    for (m = 1; m < LANES; m = m + 1)
      {sum_lanes, unused_lanes} = {sum_lanes, 1'b0} + {{PAD_W{product6[m*(17+X_W)+16+X_W]}}, product6[m*(17+X_W) +: 16+X_W], 1'b0};
  end
  wire [ACC_W-1:0] sum_wide = {{(ACC_W-LANES_W+1){sum_lanes[LANES_W-1]}}, sum_lanes[LANES_W-2:0]};
`ifdef TERN_TESTBUG_PASS_SAMPLE_SWAP
  wire [SAMPLE_W-1:0] k6 = (k6_q == {SAMPLE_W{1'b0}}) ? cfg_sample_last_i : k6_q - 1'b1;
`else
  wire [SAMPLE_W-1:0] k6 = k6_q;
`endif
  reg  [2:0]          op7_q;
  reg                 fresh7_q, parity7_q, flag7_q, samp7_q;
  reg  [SAMPLE_W-1:0] k7_q;
  always @(posedge clk_i) begin
    sum7_q    <= sum_wide;
    op7_q     <= op6_q;
    fresh7_q  <= fresh6_q;
    parity7_q <= parity6_q;
    k7_q      <= k6;
    flag7_q   <= flag6_q;
    samp7_q   <= samp6_q;
    if (rst_i) op7_q <= OP_NONE;
  end

  reg  [ACC_W-1:0] shared_q;
`ifdef TERN_TESTBUG_PASS_SUM_NOT_RESTARTED
  wire [ACC_W-1:0] shared_d = shared_q + sum7_q;
`else
  wire [ACC_W-1:0] shared_d = fresh7_q ? sum7_q : shared_q + sum7_q;
`endif
  always @(posedge clk_i) if (op7_q == OP_WORD) shared_q <= shared_d;

  wire [ACC_W-1:0] sample_now;
  // those of the neuron at hand in registers, what they come to in a memory that tern_fire reads while the next neuron is summed
  localparam SUM_SLICES = (ACC_W + 31) / 32;
  wire             add7     = (op7_q == OP_ADD);
  wire [ACC_W-1:0] sample_d = (fresh7_q ? {ACC_W{1'b0}} : sample_now) + sum7_q;
  tern_regfile #(.WIDTH(ACC_W), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_sums (
    .clk_i(clk_i), .we_i(add7), .waddr_i(k7_q), .wdata_i(sample_d), .raddr_i(k7_q), .rdata_o(sample_now)
  );
  tern_ram #(.WIDTH(ACC_W), .DEPTH(2 << SAMPLE_W), .ADDR_W(SAMPLE_W + 1)) u_ready (
    .clk_i(clk_i), .we_i({SUM_SLICES{add7}}), .waddr_i({parity7_q, k7_q}), .wdata_i(sample_d), .re_i(sum_re_i), .raddr_i(sum_raddr_i), .rdata_o(sum_sample_o)
  );

  // stage 8: hand over
  reg              sums_valid_q, has_sample_out_q;
  reg [ACC_W-1:0]  sum_shared_q;
  always @(posedge clk_i) begin
    sums_valid_q <= close7_q;
    if (close7_q) begin
      sum_shared_q     <= !flag7_q ? {ACC_W{1'b0}} : (op7_q == OP_WORD) ? shared_d : shared_q;
      has_sample_out_q <= samp7_q;
    end
    if (rst_i) sums_valid_q <= 1'b0;
  end
  assign sums_valid_o = sums_valid_q;
  assign sum_shared_o = sum_shared_q;
  assign has_sample_o = has_sample_out_q;

  assign idle_o = !act_q && !take_q && (drain_q == 2'd0) && (op1_q == OP_NONE) && (op2_q == OP_NONE) && (op3_q == OP_NONE) && (op4_q == OP_NONE)
                  && (op5_q == OP_NONE) && (op6_q == OP_NONE) && (op7_q == OP_NONE);

`ifdef TERN_COSIM
  assign ev_w_valid_o   = write5_q;
  assign ev_w_addr_o    = waddr5_q;
  assign ev_w_old_o     = w_old5;
  assign ev_w_new_o     = w_new5;
  assign ev_w_changed_o = changed5;
  assign ev_w_sat_o     = sat5;
  assign ev_w_draw_o    = r5;
`else
  wire unused_ev = &{1'b0, w_old5, changed5, r5};
`endif
endmodule

`default_nettype wire
