// formal_kernel.v : rules of tern_kernel: the taps it reads, the words it writes, and its time
// SPDX-License-Identifier: Apache-2.0
//
// Sums and differences of taps lie at LAGS_W + tau - 2 (docs/43-small-core.md): product d of pair i takes that of tau =
// 2 i + 2 - d. The program starts the kernel when it is not busy.
//! files   small/tern_kernel mem/tern_ram
//! cut     tern_ram
//! solver  bits
//! bound   10
//! induct  1
//! reach   40
//! set     LAGS_W=3 HIST_W=6 STRIDE_W=4
//! set     LAGS_W=1 HIST_W=2 STRIDE_W=2
//! set     LAGS_W=4 HIST_W=7 STRIDE_W=4
//! connect f_run=dut.run_q f_n=dut.n_q f_d=dut.d_q f_at=dut.at_q f_filter=dut.filter_q f_valid1=dut.valid1_q
//! connect f_end1=dut.end1_q f_valid2=dut.valid2_q f_end2=dut.end2_q f_store=dut.store_q f_waddr=dut.waddr_q
//! mutant  pair_step a_address KERNEL_PAIR_STEP 40
//! mutant  one_more a_ends KERNEL_ONE_MORE 60
`default_nettype none

module formal_kernel #(
  parameter LAGS_W   = 3,
  parameter HIST_W   = 6,
  parameter STRIDE_W = 4
) (
  input wire       clk_i,
  input wire       start_i,
  input wire [1:0] filter_i
);
  localparam PAIRS = HIST_W / 2, AT = 8, LAG_W = $clog2(LAGS_W + 1), TIME = 2 * PAIRS * LAGS_W + 4;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire       busy, we;
  wire [5:0] waddr;
  reg  [9:0] m_time = 10'd0;   // cycles since the start, that one counted; 0: none
  wire       start = start_i && m_time == 10'd0 && !f_reset;
  tern_kernel #(.LAGS_W(LAGS_W), .HIST_W(HIST_W), .TAP_W(9), .KERNEL_W(22), .STRIDE_W(STRIDE_W), .FILTER_W(2),
      .AT(AT)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .start_i(start), .filter_i(filter_i), .busy_o(busy), .taps_we_i(1'b0),
    .sumc_we_i(1'b0), .waddr_i({(3+STRIDE_W){1'b0}}), .wdata_i(16'd0), .we_o(we), .waddr_o(waddr), .wdata_o()
  );
  wire                f_run, f_valid1, f_end1, f_valid2, f_end2, f_store;
  wire [5:0]          f_n, f_waddr;
  wire [LAG_W-1:0]    f_d;
  wire [STRIDE_W-1:0] f_at;
  wire [1:0]          f_filter;

  // ---- what comes when: word n = 2 i + part, product d --------------------------------------------------------------
  reg  [5:0] m_n = 6'd0;      // current word
  reg  [5:0] m_d = 6'd0;
  reg  [5:0] m_words = 6'd0;  // written
  reg  [1:0] m_filter = 2'd0;
  wire       runs = m_time != 10'd0 && m_time <= 2 * PAIRS * LAGS_W;
  wire [9:0] at   = LAGS_W + {4'd0, m_n[5:1], 1'b0} - {4'd0, m_d};
  always @(posedge clk_i) begin
    m_time <= (f_reset || m_time == TIME - 1) ? 10'd0 : (start || m_time != 10'd0) ? m_time + 10'd1 : 10'd0;
    if (start) begin
      m_n      <= 6'd0;
      m_d      <= 6'd0;
      m_words  <= 6'd0;
      m_filter <= filter_i;
    end else if (runs) begin
      m_d <= (m_d == LAGS_W - 1) ? 6'd0 : m_d + 6'd1;
      if (m_d == LAGS_W - 1) m_n <= m_n + 6'd1;
    end
    if (we) m_words <= m_words + 6'd1;
  end
  always @* if (!f_reset) begin
    // 1. the sum or difference that belongs to the product, and it is one of the filter's
    if (f_run) a_address: assert ({22'd0, at} == f_at && f_filter == m_filter && f_n[0] == m_n[0] && at >= 10'd1 &&
        at < (1 << STRIDE_W) && at <= LAGS_W + 2 * PAIRS - 2);
    // 2. words are written one behind the other, as many as there are
    if (we) a_place: assert (waddr == AT + m_words && m_words < 2 * PAIRS);
    // 3. it takes 2 (HIST_W / 2) LAGS_W + 4 cycles
    a_ends: assert (busy == (start || m_time != 10'd0));
    if (m_time == TIME - 1) a_all: assert (we && m_words == 2 * PAIRS - 1);
  end
  wire [9:0] i_steps = m_n * LAGS_W + {4'd0, m_d};
  always @* if (!f_reset) begin
    i_time: assert (m_time < TIME && f_run == runs);
    if (runs) i_steps_done: assert (m_time == i_steps + 10'd1 && m_d < LAGS_W && m_n < 2 * PAIRS && f_n == m_n &&
        f_d == m_d[LAG_W-1:0]);
    if (m_time != 10'd0 && !runs) i_done: assert (m_n == 2 * PAIRS && m_d == 6'd0);
    i_valid: assert (f_valid1 == (m_time >= 10'd2 && m_time <= 2 * PAIRS * LAGS_W + 1) &&
        f_valid2 == (m_time >= 10'd3 && m_time <= 2 * PAIRS * LAGS_W + 2));
    if (f_valid1) i_end1: assert (f_end1 == (m_d == 6'd0));
    if (f_valid2) i_end2: assert (f_end2 == (LAGS_W == 1 || m_d == 6'd1 || !f_valid1));
    if (m_time != 10'd0) i_waddr: assert (f_waddr == AT + m_words &&
        m_words + {5'd0, f_store} + {5'd0, f_valid2 && f_end2} + {5'd0, f_valid1 && f_end1} == m_n);
    if (m_time == 10'd0) i_none: assert (!f_store);
    if (f_store) i_store: assert (m_time >= 10'd4);
  end
  always @* if (!f_reset) begin
    c_done: cover (m_words == 2 * PAIRS && m_time == 10'd0 && m_filter == 2'd2);
  end
endmodule

`default_nettype wire
