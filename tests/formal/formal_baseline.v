// formal_baseline.v : rules of tern_baseline behind tern_learn: whose baseline is read and written, samples, and that
// it ends
// SPDX-License-Identifier: Apache-2.0
//
// Both as tern_core connects them. Draws, memories and the other engines are free; a pass begins when both are idle;
// the neurons that learn from w, the last ones, are at most BASELINES.
//! files   core/tern_learn core/tern_local blocks/tern_baseline blocks/tern_history blocks/tern_trace
//! files   blocks/tern_tapsum blocks/tern_modulator blocks/tern_coefficient blocks/tern_weight mem/tern_ram
//! files   mem/tern_regfile
//! cut     tern_history tern_trace tern_modulator tern_coefficient tern_weight tern_ram
//! solver  bits
//! bound   8
//! induct  1
//! reach   130
//! set     SAMPLES=2 LAGS=1
//! set     SAMPLES=3 LAGS=3
//! set     SAMPLES=8 LAGS=3 SAMPLE_W=3
//! connect f_state=dut.state_q neuron=dut.neuron_q f_wait=dut.wait_q f_d=dut.d_q f_k=dut.k_q f_km=dut.km_q
//! connect f_has=dut.has_base
//! connect b_state=base.state_q b_n=base.n_q b_k=base.k_q b_end3=base.end3_q b_end2=base.end2_q b_end1=base.end1_q
//! connect b_last3=base.last3_q b_last2=base.last2_q b_last1=base.last1_q
//! connect b_s3=base.sample3_q b_s2=base.sample2_q b_s1=base.sample1_q
//! mutant  next_early a_written BASELINE_NEXT_EARLY 110
//! mutant  sample_more a_signal BASELINE_SAMPLE_MORE 60
//! mutant  kap_waits_not a_apart LEARN_BASE_WAITS_NOT 70
`default_nettype none

module formal_baseline #(
  parameter SAMPLES = 2, LAGS = 1, SAMPLE_W = 2
) (
  input wire        clk_i,
  input wire        begin_i,
  input wire        begun_i,
  input wire        dither_i,
  input wire        self_wait_i,
  input wire [2:0]  neuron_i
);
  localparam NEURONS = 4, BASELINES = 3, TAPS = 3;
  localparam [3:0] ST_IDLE = 4'd0, ST_START = 4'd1, ST_SELF = 4'd2, ST_BASE = 4'd3, ST_COEF = 4'd4, ST_KAP = 4'd5,
      ST_COEF_WAIT = 4'd6, ST_ACC_WAIT = 4'd11;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg                update, potential, baseline, common;
  (* anyconst *) reg [1:0]          neuron_last, lag_last, lag_head;
  (* anyconst *) reg [SAMPLE_W-1:0] sample_last;
  (* anyconst *) reg [2:0]          tap_last, signal_first, shift;

  wire                idle, busy, kap_valid, kap_first, kap_end, kap_last, re, base_re, base_we, m_re;
  wire [1:0]          neuron, base_at;
  wire [SAMPLE_W-1:0] kap_sample, base_sample, m_at;
  wire [31:0]         product;
  wire [32:0]         diff;
  wire                begins = begin_i && idle && !busy && !f_reset;
  tern_learn #(
    .SAMPLE_W(SAMPLE_W), .TAPS_D(TAPS), .HIST_W(6), .LAG_W(2), .Q_W(3), .FILTER_W(2), .TAP_W(9), .X_W(10), .DELTA_W(27),
    .ACC_W(28),
    .DITHER_MAX(2), .NEURON_W(2), .ERROR_AW(7), .SELF_AW(5), .COEF_AW(5), .TAP_AW(5), .SIGNALS(1)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .update_i(update), .potential_i(potential), .idle_o(idle),
    .begun_i(begun_i),
    .dither_done_i(dither_i), .s_words_i(128'd0), .coefficients_o(), .local_done_o(), .self_taps_re_o(),
    .self_taps_at_o(), .self_taps_q_o(),
    .self_wait_i(self_wait_i), .self_taps_i(42'd0), .self_base_i(10'd0), .neurons_raddr_o(), .neurons_rdata_i(neuron_i),
    .error_re_o(),
    .m_re_o(m_re), .self_re_o(), .local_re_o(), .error_raddr_o(), .error_rdata_i(16'd0), .m_raddr_o(m_at),
    .m_rdata_i(16'd0),
    .w_rdata_i(32'd0), .ek_raddr_o(), .ek_rdata_i(15'd0), .base_re_o(base_re), .base_rdata_i(32'd0),
    .kap_valid_o(kap_valid),
    .kap_first_o(kap_first), .kap_end_o(kap_end), .kap_last_o(kap_last), .kap_sample_o(kap_sample),
    .kap_product_o(product),
    .base_busy_i(busy), .base_re_i(re), .base_sample_i(base_sample), .base_diff_o(diff), .self_raddr_o(),
    .self_rdata_i(6'd0),
    .spike_rdata_i(1'b0), .self_we_o(), .self_waddr_o(), .self_wdata_o(), .local_raddr_o(), .local_rdata_i(16'd0),
    .local_we_o(),
    .local_waddr_o(), .local_wdata_o(), .coef_we_o(), .coef_waddr_o(), .coef_wdata_o(), .sumc_we_o(), .sumc_waddr_o(),
    .sumc_wdata_o(),
    .acc_we_o(), .acc_waddr_o(), .acc_wdata_o(), .cfg_neuron_last_i(neuron_last), .cfg_sample_last_i(sample_last),
    .cfg_lag_last_i(lag_last), .cfg_tap_last_i(tap_last), .cfg_lag_head_i(lag_head), .cfg_c_shift_i(5'd15),
    .cfg_local_bits_i(5'd1),
    .cfg_c_shift1_i(5'd15), .cfg_local_bits1_i(5'd1), .cfg_signal_first_i(signal_first), .cfg_m_shift_i(5'd0),
    .cfg_baseline_i(baseline),
    .cfg_common_i(common), .cfg_trace_frac_i(4'd0), .sat_coefficient_o(), .sat_modulator_o(), .sat_local_o()
  );
  reg                valid_q, first_q, end_q, last_q; // as in tern_core
  reg [SAMPLE_W-1:0] sample_q;
  always @(posedge clk_i) begin
    valid_q  <= kap_valid && !f_reset;
    first_q  <= kap_first;
    end_q    <= kap_end;
    last_q   <= kap_last;
    sample_q <= kap_sample;
  end
  tern_baseline #(.SAMPLE_W(SAMPLE_W), .BASE_AW(2)) base (
    .clk_i(clk_i), .rst_i(f_reset), .begin_i(begins), .busy_o(busy), .valid_i(valid_q), .first_i(first_q),
    .end_i(end_q), .last_i(last_q), .sample_i(sample_q), .product_i(product), .re_o(re), .sample_o(base_sample),
    .diff_i(diff),
    .addr_o(base_at), .rdata_i(64'd0), .we_o(base_we), .wdata_o(), .cfg_shift_i(shift), .cfg_sample_last_i(sample_last),
    .cfg_common_i(common)
  );
  wire [4:0]          b_n;
  wire [3:0]          f_state;
  wire [2:0]          f_wait;
  wire [1:0]          f_d;
  wire [SAMPLE_W-1:0] f_k, f_km, b_k, b_s1, b_s2, b_s3;
  wire [2:0]          b_state;
  wire                f_has, b_end1, b_end2, b_end3, b_last1, b_last2, b_last3;

  // ---- what the planner makes, and how many baselines are due -------------------------------------------------------
  wire [2:0] count = {1'b0, neuron_last} + 3'd1;
  always @* assume ({1'b0, sample_last} < SAMPLES && lag_last < LAGS && tap_last < TAPS && lag_head <= lag_last &&
      (!baseline || count <= signal_first + BASELINES));
  reg        m_begun = 1'b0;
  reg  [9:0] m_time = 10'd0;                                   // cycle of the baseline
  wire [9:0] sums = common ? 10'd1 : {{(10-SAMPLE_W){1'b0}}, sample_last} + 10'd1;
  wire [9:0] all  = sums * 10'd33 + 10'd40;
  always @(posedge clk_i) begin
    m_begun <= !f_reset && (m_begun || begins);
    m_time <= (f_reset || m_time == all) ? 10'd0 : (b_last3 && m_time == 10'd0) || m_time != 10'd0 ? m_time + 10'd1 :
        10'd0;
  end
  wire       before = f_state == ST_START || f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF ||
      f_state == ST_KAP;
  // neurons whose averages have been sent
  wire [2:0] at     = (f_state == ST_IDLE) ? count : {1'b0, neuron} + {2'd0, !before};
  wire [2:0] sent   = (update && baseline && at > signal_first) ? at - signal_first : 3'd0;
  wire       way    = (valid_q && last_q) || b_last1 || b_last2 || b_last3;           // of the last one, on their way
  wire       writes = way || busy;

  // ---- rules --------------------------------------------------------------------------------------------------------
  always @* if (!f_reset) begin
    // 1. the word that is read is the neuron's, the one that is written that of the neuron whose averages came last;
    // both are there
    if (base_re) a_read: assert (f_has && {1'b0, base_at} + signal_first == {1'b0, neuron} && base_at < BASELINES);
    if (base_we) a_written: assert ({1'b0, base_at} + 3'd1 == sent && base_at < BASELINES &&
        {1'b0, base_at} + signal_first <= {1'b0, neuron_last});
    if (busy) a_stays: assert ({1'b0, base_at} + 3'd1 == sent);
    // 2. samples that there are: averages, their sums, w
    if (valid_q) a_sample: assert (sample_q <= sample_last);
    if (b_end3) a_sum: assert (b_s3 <= sample_last);
    if (re) a_signal: assert (base_sample <= sample_last);
    if (m_re) a_modulator: assert (m_at <= sample_last);
    // 3. modulators and signals are never read in one cycle, nor averages sent while a baseline is computed
    if (re) a_apart: assert (f_state != ST_COEF);
    if (busy) a_rests: assert (!valid_q && f_state != ST_KAP);
    // 4. it takes 40 + 33 n cycles, n sums
    a_ends: assert (busy == (m_time != 10'd0) && m_time <= all);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  localparam [2:0] B_SHIFT = 3'd1, B_READ = 3'd2, B_SQUARE = 3'd3, B_MUL = 3'd4, B_SIZE = 3'd5, B_DIV = 3'd6,
      B_WRITE = 3'd7;
  wire [9:0] n = {5'd0, b_n}, k_at = 10'd6 + {{(10-SAMPLE_W){1'b0}}, b_k} * 10'd33;
  reg  [9:0] done;
  always @* begin
    case (b_state)
      B_SHIFT:  done = n;
      B_READ:   done = k_at;
      B_SQUARE: done = k_at + 10'd12 - n;
      B_MUL:    done = k_at + 10'd32 - n;
      B_SIZE:   done = all - 10'd34;
      B_DIV:    done = all - 10'd2 - n;
      default:  done = all - 10'd1;
    endcase
  end
  wire in_coef = f_state == ST_SELF || f_state == ST_BASE || f_state == ST_COEF || f_state == ST_KAP;
  always @* if (!f_reset) begin
    i_state: assert (f_state <= ST_ACC_WAIT && (m_begun || f_state == ST_IDLE) &&
        (f_state == ST_IDLE || neuron <= neuron_last));
    if (m_begun && f_state == ST_IDLE) i_end: assert (neuron == count[1:0]);
    if (in_coef) i_ranges: assert (f_d <= lag_last && f_k <= sample_last);
    if (f_state == ST_SELF || f_state == ST_BASE) i_fresh:
        assert (f_d == 2'd0 && f_k == {SAMPLE_W{1'b0}} && f_km == {SAMPLE_W{1'b0}});
    if (f_state == ST_COEF) i_km: assert (f_km <= sample_last);
    if (f_state == ST_BASE || f_state == ST_COEF || f_state == ST_KAP) i_update: assert (update);
    if (f_state == ST_BASE || f_state == ST_KAP) i_has: assert (f_has);
    if (f_has && (f_state == ST_COEF || f_state == ST_KAP)) i_free: assert (!writes);
    if (f_state == ST_KAP || f_state == ST_COEF_WAIT) i_wait: assert (f_wait <= 3'd5);
    // the last average on its way: so many cycles behind the state that sends it
    if (valid_q && last_q) i_way0: assert (f_state == ST_COEF_WAIT && f_wait == 3'd5 && !b_last1 && !b_last2 &&
        !b_last3 && !busy);
    if (b_last1) i_way1: assert (f_state == ST_COEF_WAIT && f_wait == 3'd4 && !b_last2 && !b_last3 && !busy);
    if (b_last2) i_way2: assert (f_state == ST_COEF_WAIT && f_wait == 3'd3 && !b_last3 && !busy);
    if (b_last3) i_way3: assert (f_state == ST_COEF_WAIT && f_wait == 3'd2 && !busy);
    if (valid_q) i_valid: assert (f_state == ST_KAP || (last_q && f_state == ST_COEF_WAIT));
    if (b_end1) i_s1: assert (b_s1 <= sample_last);
    if (b_end2) i_s2: assert (b_s2 <= sample_last);
    if (writes) i_due: assert (update && baseline && m_begun && sent != 3'd0);
    // baselines done and under way are those that are due
    if (m_begun && update && baseline && !(sent > BASELINES)) i_address: assert (base_at == sent[1:0] - {1'b0, writes});
    if (busy) i_busy: assert (m_time == done + 10'd1 &&
        (b_state >= B_SIZE || (b_k <= sample_last && (!common || b_k == {SAMPLE_W{1'b0}}))));
    if (b_state == B_SHIFT) i_shift: assert (b_n <= 5'd5 && b_k == {SAMPLE_W{1'b0}});
    if (b_state == B_SQUARE) i_square: assert (b_n <= 5'd11);
    if (b_state == B_MUL) i_mul: assert (b_n <= 5'd19);
  end

  // ---- these happen: a baseline is written; the second neuron's is read behind it
  always @* if (!f_reset) begin
    c_written: cover (base_we && !common);
    c_second: cover (base_re && base_at == 2'd1);
  end
  wire unused = &{1'b0, first_q};
endmodule

`default_nettype wire
