// tern_prepare.v : makes rows ready for the pass: their filter taps and learning kernels
// SPDX-License-Identifier: Apache-2.0
//
// Function  For each row its filter taps and, for rows of kind SHARED with an update pending, the learning kernel f[q]
//           (kernel form of N-13) from the sums of the coefficients, which tern_learn makes. Rows are handed over one
//           at a time (row_valid/row_take), their taps as well: tern_pass copies them two cycles after it takes a row.
//           The registers of the taps (tern_taps) are written at the earliest five cycles after the state ST_ROW in
//           which a row is begun. So the next row may begin before this one is taken if that happens within three
//           cycles (pass_soon_i). The kernel of a row whose taps are those of the row before, a SAMPLE row, may
//           begin at any time: that row has none in the same registers.
//           KERNELS = 1: a SAMPLE row with an update pending has a kernel for each sample. They go into a memory
//           (tern_kernels), so they are made first, at any time at which their half of it is free; then, from the
//           state ST_WAIT on, the row's taps.
// C model   runtime/blocks/tern_kernel.c
// Cycles    docs/31-blocks.md, "prepare"; compiler/layout/tern_cycles.c predicts them
`default_nettype none

module tern_prepare #(
  parameter TAPS_D   = 10,
  parameter HIST_W   = 14,  // history bits, at least D + W of a network, 2..64
  parameter LAG_W    = 6,
  parameter Q_W      = 6,   // bits of a tap number 0..D+W
  parameter FILTER_W = 4,   // bits of a filter number
  parameter TAP_W    = 9,
  parameter X_W      = 13,
  parameter KERNEL_W = 32,
  parameter DELTA_W  = 40,
  parameter NEURON_W = 8,   // bits of a neuron's number
  parameter ROW_AW   = 10,
  parameter TAP_AW   = 8,
  parameter HIST_AW  = 10,
  parameter WORD_AW  = 12,
  parameter INDEX_W  = 20,
  // 0: rule GEM only, 1: every rule.
  parameter SIGNALS  = 0,
  // Products of a learning kernel per cycle (tern_taps), W capacity.
  parameter PREP     = 1,
  parameter LAGS_W   = 4,
  // 1: rows from neurons have a kernel for each sample; bits of a sample number, of a coefficient's address.
  parameter KERNELS  = 0,
  parameter SAMPLE_W = 3,
  parameter COEF_AW  = 5
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // control
  input  wire                begin_i,
  input  wire                update_i,       // static during the pass
  output wire                idle_o,
  input  wire                coefficients_i, // pulse: one more neuron has what its rows need: coefficients, dither word
  // row to tern_pass
  output wire                row_valid_o,
  input  wire                row_take_i,
  // tern_pass takes a row within three cycles, unless it takes one in this one
  input  wire                pass_soon_i,
  output wire [1:0]          row_kind_o,
  output wire                row_shift_o,
  output wire                row_last_o,
  output wire [1:0]          row_number_o,   // neuron number, bits 1..0
  output wire                row_set_o,      // learning set of the neuron
  output wire                row_pair_o,     // which of the two rows of tern_kernels, KERNELS = 1
  output wire [15:0]         row_words_o,
  output wire [HIST_AW-1:0]  row_hist_o,
  output wire [WORD_AW-1:0]  row_word_o,
  output wire [INDEX_W-1:0]  row_index_o,
  output wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  row_kernel_o, // taps in pairs (tern_taps)
  output wire [DELTA_W-1:0]                  row_kernel_base_o,
  output wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] row_taps_o,
  output wire [X_W-1:0]                      row_taps_base_o,
  // taps of the samples' kernels to tern_kernels
  output wire [HIST_W/2-1:0]                 each_we_o,
  output wire [SAMPLE_W:0]                   each_waddr_o,
  output wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  each_wdata_o,
  output wire [DELTA_W-1:0]                  each_base_o,
  // taps of a self-memory for tern_learn, which waits while self_wait_o: {filter's first tap, tap}
  input  wire                self_re_i,
  input  wire [TAP_AW-1:0]   self_at_i,
  input  wire [Q_W-1:0]      self_q_i,
  output wire                self_wait_o,
  output wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] self_taps_o,
  output wire [X_W-1:0]                      self_base_o,
  // memory: rows
  output wire [ROW_AW-1:0]   rows_raddr_o,
  input  wire [31:0]         rows_rdata_i,
  input  wire [HIST_AW-1:0]  rows_hist_i,
  input  wire [WORD_AW-1:0]  rows_word_i,
  input  wire [INDEX_W-1:0]  rows_index_i,
  // memory: filter taps
  output wire                taps_re_o,
  output wire [TAP_AW-1:0]   taps_raddr_o,
  input  wire [TAP_W-1:0]    taps_rdata_i,
  // memory: coefficients summed over samples, {neuron number, bits 1..0; lag}
  output wire                sumc_re_o,
  output wire [LAG_W+1:0]    sumc_raddr_o,
  input  wire [20:0]         sumc_rdata_i,
  // memory: coefficients, KERNELS = 1: {neuron number, bits 1..0; sample times W + lag}
  output wire                coef_re_o,
  output wire [COEF_AW+1:0]  coef_raddr_o,
  input  wire [15:0]         coef_rdata_i,
  // config
  input  wire [NEURON_W-1:0] cfg_neuron_last_i,
  input  wire [SAMPLE_W-1:0] cfg_sample_last_i,
  input  wire [LAG_W-1:0]    cfg_lag_last_i,
  input  wire [Q_W-1:0]      cfg_tap_last_i,    // D - 1
  input  wire [NEURON_W:0]   cfg_signal_first_i // first neuron of set 1
);
  localparam [1:0] ROW_SHARED = 2'd0, ROW_SAMPLE = 2'd1, ROW_SHIFT = 2'd2;
  localparam [2:0] ST_IDLE = 3'd0, ST_ROW = 3'd1, ST_TAPS = 3'd2, ST_HAND = 3'd3, ST_WAIT = 3'd4;
  // PREP > 1: the values that come are taps, else sums
  localparam       TAPS_COME = (LAGS_W <= TAPS_D);
  reg [2:0] state_q;

  // ---- the next row, as the memory of rows gives it ------------------------------------
  // What decides when it begins is decoded into registers, one cycle later: a block RAM's output is late in its cycle.
  // descriptor word: docs/33-host-port.md, "row words"
  wire [1:0]          r_kind   = rows_rdata_i[1:0];
  wire                r_reuse  = rows_rdata_i[4];
  wire                r_same   = rows_rdata_i[5];
  wire [FILTER_W-1:0] r_filter = rows_rdata_i[8 +: FILTER_W];
  wire unused_row = &{1'b0, rows_rdata_i};
  wire r_kernel = update_i && (r_kind == ROW_SHARED) && !r_reuse;
  wire r_each   = (KERNELS != 0) && update_i && (r_kind == ROW_SAMPLE) && !r_reuse; // a kernel for each sample
  wire r_taps   = !r_kind[1] && !r_reuse && !r_same;
  reg [1:0] d_kind_q;
  reg       d_last_q, d_kernel_q, d_each_q, d_taps_q, d_none_q;
  always @(posedge clk_i) begin
    d_kind_q   <= r_kind;
    d_last_q   <= rows_rdata_i[3];
    d_kernel_q <= r_kernel;
    d_each_q   <= r_each;
    d_taps_q   <= r_taps;
    d_none_q   <= !r_kernel && !r_taps && !r_each;
  end

  // ---- neuron, row that is being made, row in the buffer -------------------------------
  reg [NEURON_W-1:0]  neuron_q;     // of both
  reg [2:0]           learned_q;    // neurons that have what their rows need, this one included
  reg [ROW_AW-1:0]    row_q;        // next row
  reg [1:0]           fetch_q;      // bit 0: the memory reads its word; bit 1: the word is decoded
  wire                there = (fetch_q == 2'd0);
  reg                 fresh_q;      // the last tap was read in the cycle before
  reg                 kernel_q, store_q; // this row needs a kernel; its taps are stored
  reg                 loaded_q;     // PREP > 1: sums of this neuron are in the registers
  reg                 each_q, each_on_q; // this row has a kernel for each sample, which are being made
  reg                 held_q;       // KERNELS = 1: the row in the buffer is a SAMPLE row
  reg                 made_pair_q, pair_q;
  reg [1:0]           made_kind_q;
  reg                 made_shift_q, made_last_q;
  reg [15:0]          made_words_q;
  reg [HIST_AW-1:0]   made_hist_q;
  reg [WORD_AW-1:0]   made_word_q;
  reg [INDEX_W-1:0]   made_index_q;
  reg                 valid_q;
  reg [1:0]           coming_q;     // cycles until it is valid
  reg                 shift_q, last_q, set_q;
  reg [1:0]           kind_q, number_q;
  reg [15:0]          words_q;
  reg [HIST_AW-1:0]   hist_q;
  reg [WORD_AW-1:0]   word_q;
  reg [INDEX_W-1:0]   index_q;
  wire [NEURON_W+1:0] neuron_wide = {2'd0, neuron_q};
  wire unused_wide = &{1'b0, neuron_wide};

`ifdef TERN_TESTBUG_PREPARE_WAITS_NOT
  wire ready = 1'b1;
  wire unused_bug = &{1'b0, learned_q};
`else
  wire ready = (learned_q != 3'd0);
`endif
`ifdef TERN_TESTBUG_PREPARE_READY_LATE
  wire known = ready && (learned_q > 3'd1);
`else
  wire known = ready;
`endif
  wire free  = !valid_q && (coming_q == 2'd0);
  wire room  = free || row_take_i;
  wire taps_end, kernels_end;
  // the taps of a row follow its kernels, when those of the row before have been copied, or soon are
`ifdef TERN_TESTBUG_PREPARE_EACH_TAPS_EARLY
  wire each_taps = (KERNELS != 0) && (state_q == ST_WAIT);
`else
  wire each_taps = (KERNELS != 0) && (state_q == ST_WAIT) && (row_take_i || pass_soon_i || free);
`endif
  wire made  = (state_q == ST_TAPS && taps_end) || (state_q == ST_HAND); // nothing is left to read for this row
  wire hand  = made && room && known;
  wire next  = there && (state_q == ST_ROW || (hand && !made_last_q));
  // a row without taps goes into the buffer as it is; otherwise their registers must be free, those of the kernel are
  wire pass_on = next && d_none_q && room && !hand && (known || d_kind_q == ROW_SHIFT);
  // row_take_i comes last
  wire row     = there && (state_q == ST_ROW);
  wire after   = there && made && known && !made_last_q; // behind the row that is handed over
`ifdef TERN_TESTBUG_PREPARE_SOON_ALWAYS
  wire taps_may = row_take_i ? row || after : (row && (pass_soon_i || free)) || (after && free && pass_soon_i);
`else
  wire taps_may = row_take_i ? row : (row && (pass_soon_i || free)) || (after && free && pass_soon_i);
`endif
  wire kernel_may = row || (after && room); // of a row whose taps are there
  // kernels of samples: the row that is executed may use one pair of tern_kernels, the buffer's row then none
`ifdef TERN_TESTBUG_PREPARE_EACH_EARLY
  wire each_may   = kernel_may;
`else
  wire each_may   = (row && (free || row_take_i || !held_q)) || (after && room && !each_q);
`endif
  wire make    = (taps_may && d_taps_q && !d_each_q && (known || !d_kernel_q)) ||
                 (known && ((kernel_may && d_kernel_q && !d_taps_q) || (each_may && d_each_q)));
  wire last    = hand ? made_last_q : d_last_q;
  wire ends    = (hand || pass_on) && last && (neuron_q == cfg_neuron_last_i);

  always @(posedge clk_i) begin
    fetch_q <= {fetch_q[0], 1'b0};
    fresh_q <= (state_q == ST_TAPS);
    if (row_take_i) valid_q <= 1'b0;
    if (coming_q != 2'd0) coming_q <= coming_q - 2'd1;
    if (coming_q == 2'd1) valid_q <= 1'b1;
    learned_q <= learned_q + {2'd0, coefficients_i} - {2'd0, (hand || pass_on) && last};
    if (hand) begin
`ifdef TERN_TESTBUG_PREPARE_HANDS_EARLY
      coming_q <= 2'd1;
      valid_q  <= 1'b0;
`else
      coming_q <= (state_q == ST_TAPS) ? 2'd2 : fresh_q ? 2'd1 : 2'd0;
      valid_q  <= (state_q == ST_HAND) && !fresh_q;
`endif
      kind_q   <= made_kind_q;
      held_q   <= each_q;
      shift_q  <= made_shift_q;
      last_q   <= made_last_q;
      words_q  <= made_words_q;
      hist_q   <= made_hist_q;
      word_q   <= made_word_q;
      index_q  <= made_index_q;
    end else if (pass_on) begin
      valid_q  <= 1'b1;
      kind_q   <= d_kind_q;
      held_q   <= (d_kind_q == ROW_SAMPLE);
      shift_q  <= rows_rdata_i[2];
      last_q   <= rows_rdata_i[3];
      words_q  <= rows_rdata_i[31:16];
      hist_q   <= rows_hist_i;
      word_q   <= rows_word_i;
      index_q  <= rows_index_i;
    end
    if (hand || pass_on) begin
      number_q <= neuron_wide[1:0];
      if (hand && each_q) pair_q <= made_pair_q; // a row that reuses the kernels of the one before has them in its pair
      set_q    <= (SIGNALS != 0) && ({1'b0, neuron_q} >= cfg_signal_first_i);
      if (last) begin
        neuron_q <= neuron_q + 1'b1;
        loaded_q <= 1'b0;
      end
    end
    if (each_taps) {kernel_q, each_on_q, store_q} <= 3'b001;
    if (pass_on || make) begin
      row_q   <= row_q + 1'b1;
      fetch_q <= 2'b01;
    end
    if (make) begin
      kernel_q     <= d_kernel_q || d_each_q;
      each_q       <= d_each_q;
      each_on_q    <= d_each_q;
      if (d_each_q) begin
        made_pair_q <= !made_pair_q;
        loaded_q    <= 1'b0;
      end
      store_q      <= d_taps_q && !d_each_q;
      if (d_kernel_q) loaded_q <= 1'b1;
      made_kind_q  <= d_kind_q;
      made_shift_q <= rows_rdata_i[2];
      made_last_q  <= rows_rdata_i[3];
      made_words_q <= rows_rdata_i[31:16];
      made_hist_q  <= rows_hist_i;
      made_word_q  <= rows_word_i;
      made_index_q <= rows_index_i;
    end
    case (state_q)
      ST_IDLE: if (begin_i) begin
        state_q   <= ST_ROW;
        neuron_q  <= {NEURON_W{1'b0}};
        row_q     <= {ROW_AW{1'b0}};
        fetch_q   <= 2'b01;
        learned_q <= 3'd0;
        loaded_q  <= 1'b0;
        made_pair_q <= 1'b0;
        pair_q      <= 1'b0;
      end
      default:
        if (make) state_q <= ST_TAPS;
        else if (kernels_end) state_q <= ST_WAIT;
        else if (state_q == ST_WAIT) begin
          if (each_taps) state_q <= ST_TAPS;
        end
        else if (ends) state_q <= ST_IDLE;
        else if (hand) state_q <= ST_ROW;
        else if (made) state_q <= ST_HAND;
    endcase
    if (rst_i) begin
      state_q  <= ST_IDLE;
      valid_q  <= 1'b0;
      coming_q <= 2'd0;
    end
  end

  assign idle_o       = (state_q == ST_IDLE) && !valid_q && (coming_q == 2'd0);
  assign rows_raddr_o = row_q;
  assign row_valid_o  = valid_q;
  assign row_kind_o   = kind_q;
  assign row_shift_o  = shift_q;
  assign row_last_o   = last_q;
  assign row_number_o = number_q;
  assign row_pair_o   = pair_q;
  assign row_set_o    = set_q;
  assign row_words_o  = words_q;
  assign row_hist_o   = hist_q;
  assign row_word_o   = word_q;
  assign row_index_o  = index_q;

  // ---- what is read for a row ----------------------------------------------------------
  // PREP = 1: tap q = q_q + 1 of the kernel from lags d0..d1: d0 = max(0, q - D), d1 = min(W - 1, q - 1); without a
  // kernel only d = 0, q = 1..D. PREP > 1: values for the registers (sums, or taps; if there is no kernel, taps that
  // are only stored), then those that come: a cycle for each block of PREP held ones, and then one for each sum that
  // is left in the chain
  localparam        N_BLOCKS = ((TAPS_COME ? LAGS_W : TAPS_D) + PREP - 1) / (PREP > 0 ? PREP : 1);
  reg  [Q_W-1:0]    q_q;                     // tap number - 1
  reg  [LAG_W-1:0]  d_q;
  reg  [4:0]        block_q, block_last;
  reg               load_q;                  // PREP > 1: values for the registers
  integer           b;
  wire [Q_W-1:0]    lag_last  = {{(Q_W-LAG_W){1'b0}}, cfg_lag_last_i};
  wire [Q_W-1:0]    come_last = TAPS_COME ? cfg_tap_last_i : lag_last,
      held_last = TAPS_COME ? lag_last : cfg_tap_last_i;
  wire [Q_W-1:0]    load_last = kernel_q ? held_last : cfg_tap_last_i;
  always @* begin
    block_last = 5'd0;
    for (b = 1; b < N_BLOCKS; b = b + 1)
      if ({{(32-Q_W){1'b0}}, held_last} >= b * PREP) block_last = b[4:0];
  end
  wire              rest      = !load_q && (q_q > come_last); // nothing comes any more
  wire              block_end = load_q || rest || (block_q == block_last);
  wire [LAG_W-1:0]  d_low     = (q_q > cfg_tap_last_i) ? q_q[LAG_W-1:0] - cfg_tap_last_i[LAG_W-1:0] : {LAG_W{1'b0}};
  wire              lags_end  = !kernel_q || (d_q == cfg_lag_last_i) || ({{(Q_W-LAG_W){1'b0}}, d_q} == q_q);
  wire [Q_W-1:0]    q_last    = kernel_q ? cfg_tap_last_i + lag_last : cfg_tap_last_i;
  wire              kernel_end = (PREP == 1) ? lags_end && (q_q == q_last)
                                 : load_q ? !kernel_q && (q_q == load_last) : block_end && (q_q == q_last);
  // KERNELS = 1: sample of the kernel, its first coefficient
  reg  [SAMPLE_W-1:0] k_q;
  reg  [COEF_AW-1:0]  coef_q;
  wire              each_more = (KERNELS != 0) && each_on_q && (k_q != cfg_sample_last_i);
  assign taps_end    = kernel_end && !((KERNELS != 0) && each_on_q);
  assign kernels_end = taps && kernel_end && (KERNELS != 0) && each_on_q && !each_more;
  wire [Q_W-1:0]    q_next    = q_q + 1'b1;
  wire              taps      = (state_q == ST_TAPS);
  always @(posedge clk_i) begin
    if (make) begin
      d_q     <= {LAG_W{1'b0}};
      q_q     <= {Q_W{1'b0}};
      block_q <= 5'd0;
      load_q  <= !d_kernel_q || !TAPS_COME || !loaded_q;
      k_q     <= {SAMPLE_W{1'b0}};
      coef_q  <= {COEF_AW{1'b0}};
    end else if (each_taps) begin // the taps of the row
      d_q     <= {LAG_W{1'b0}};
      q_q     <= {Q_W{1'b0}};
      block_q <= 5'd0;
      load_q  <= 1'b1;
    end else if (taps && kernel_end && each_more) begin
      d_q     <= {LAG_W{1'b0}};
      q_q     <= {Q_W{1'b0}};
      block_q <= 5'd0;
      load_q  <= TAPS_COME; // else the taps are held already
      k_q     <= k_q + 1'b1;
`ifdef TERN_TESTBUG_PREPARE_EACH_OF_FIRST
`else
      coef_q  <= coef_q + {{(COEF_AW-LAG_W){1'b0}}, cfg_lag_last_i} + 1'b1;
`endif
    end else if (taps && PREP > 1) begin
      block_q <= block_end ? 5'd0 : block_q + 5'd1;
      if (block_end) q_q <= q_next;
      if (load_q && kernel_q && q_q == load_last) begin
        load_q <= 1'b0;
        q_q    <= {Q_W{1'b0}};
      end
    end else if (taps) begin
      if (lags_end) begin
        q_q <= q_next;
        d_q <= (q_next > cfg_tap_last_i) ? q_next[LAG_W-1:0] - cfg_tap_last_i[LAG_W-1:0] : {LAG_W{1'b0}};
      end else d_q <= d_q + 1'b1;
    end
  end
  // taps address filter * TAPS_D + q - d, sum address d; their data is there when tern_taps has seen the tap number
  wire sums = (PREP > 1) && kernel_q && (TAPS_COME ? load_q : !load_q && !rest); // a sum is read, PREP > 1
  wire tap  = (PREP == 1) || !(TAPS_COME ? kernel_q && load_q : !load_q);        // a tap
  wire [Q_W-1:0] d_wide = {{(Q_W-LAG_W){1'b0}}, d_q};
`ifdef TERN_TESTBUG_PREPARE_TAP_MORE
  wire [Q_W-1:0] t_tap = q_q;
`else
  wire [Q_W-1:0] t_tap = (PREP > 1) ? q_q : q_q - d_wide;
`endif
  // first tap of each filter: a table takes one look-up table per bit, a product a multiplier and its delay
  localparam [15:0]   D = TAPS_D[15:0];
  localparam [255:0]  ALL_FIRST = {D * 16'd15, D * 16'd14, D * 16'd13, D * 16'd12, D * 16'd11, D * 16'd10, D * 16'd9,
      D * 16'd8, D * 16'd7, D * 16'd6, D * 16'd5, D * 16'd4, D * 16'd3, D * 16'd2, D, 16'd0};
  localparam [(16<<FILTER_W)-1:0] FIRST = ALL_FIRST[(16<<FILTER_W)-1:0];
  reg  [TAP_AW-1:0]   t_first_q;
  always @(posedge clk_i) if (make) t_first_q <= FIRST[{r_filter, 4'd0} +: TAP_AW];
  wire self = self_re_i && !taps;
  assign self_wait_o  = taps;
  assign taps_re_o    = (taps && tap && !(PREP > 1 && rest)) || self;
  assign taps_raddr_o = taps ? t_first_q + {{(TAP_AW-Q_W){1'b0}}, t_tap} : self_at_i;
  wire   value        = taps && ((PREP == 1) ? kernel_q : sums);
  assign sumc_re_o    = value && !((KERNELS != 0) && each_on_q);
  assign coef_re_o    = value && (KERNELS != 0) && each_on_q;
  wire [LAG_W-1:0] value_at = (PREP > 1) ? q_q[LAG_W-1:0] : d_q;
  assign coef_raddr_o = {neuron_wide[1:0], coef_q + {{(COEF_AW-LAG_W){1'b0}}, value_at}};
`ifdef TERN_TESTBUG_PREPARE_SUMS_OF_OTHER
  assign sumc_raddr_o = {~neuron_wide[1:0], (PREP > 1) ? q_q[LAG_W-1:0] : d_q};
`else
  assign sumc_raddr_o = {neuron_wide[1:0], (PREP > 1) ? q_q[LAG_W-1:0] : d_q};
`endif
  wire comes = !load_q && !rest && (block_q == 5'd0);
  wire tap_stored = (PREP == 1) ? (d_q == {LAG_W{1'b0}}) && (q_q <= cfg_tap_last_i)
                                : (!kernel_q || !TAPS_COME) ? load_q : comes;
  tern_taps #(
    .TAPS_D(TAPS_D), .HIST_W(HIST_W), .Q_W(Q_W), .TAP_W(TAP_W), .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W),
    .LAGS_W(LAGS_W), .PREP(PREP), .KERNELS(KERNELS), .SAMPLE_W(SAMPLE_W)
  ) u_taps (
    .clk_i(clk_i), .rst_i(rst_i), .begin_i(begin_i && state_q == ST_IDLE), .tap_i(taps && tap_stored && store_q),
    .each_i(taps && each_on_q), .each_at_i({made_pair_q, k_q}), .coef_rdata_i(coef_rdata_i), .each_we_o(each_we_o),
    .each_waddr_o(each_waddr_o), .each_wdata_o(each_wdata_o), .each_base_o(each_base_o),
    .hold_i(taps && load_q && kernel_q), .product_i(taps && kernel_q && (PREP == 1 || !load_q)), .first_i(d_q == d_low),
    .end_i(lags_end), .q_i(q_q), .block_i(block_q), .rest_i(rest), .self_i(self), .self_q_i(self_q_i),
    .taps_rdata_i(taps_rdata_i), .sumc_rdata_i(sumc_rdata_i), .taps_o(row_taps_o), .taps_base_o(row_taps_base_o),
    .self_taps_o(self_taps_o), .self_base_o(self_base_o), .kernel_o(row_kernel_o), .kernel_base_o(row_kernel_base_o)
  );
endmodule

`default_nettype wire
