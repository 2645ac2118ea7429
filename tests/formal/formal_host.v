// formal_host.v : rules of the host port of tern_core: what is taken, when, and how it is answered
// SPDX-License-Identifier: Apache-2.0
//
// Engines and memories are free: they work and answer in any way, for any time; and so does the host.
//! files   mem/tern_ram mem/tern_bank mem/tern_regfile blocks/tern_history blocks/tern_random blocks/tern_tapsum
//! files   blocks/tern_trace blocks/tern_dither blocks/tern_weight blocks/tern_potential
//! files   blocks/tern_neuron blocks/tern_coefficient blocks/tern_modulator blocks/tern_baseline blocks/tern_signal
//! files   blocks/tern_vote blocks/tern_wta
//! files   core/tern_host core/tern_control core/tern_draw core/tern_fire core/tern_lane
//! files   core/tern_kernels core/tern_way
//! files   core/tern_lanesum core/tern_sums core/tern_ways core/tern_local core/tern_pass core/tern_taps
//! files   core/tern_learn core/tern_memories
//! files   core/tern_prepare core/tern_ahead core/tern_silent core/tern_core
//! cut     tern_bank tern_ram tern_regfile tern_ahead tern_pass tern_fire tern_signal tern_baseline tern_vote
//! solver  bits
//! bound   5
//! induct  5
//! reach   16
//! mutant  ready_while_busy a_busy CONTROL_READY_WHILE_BUSY 6
`default_nettype none

module formal_host (
  input wire        clk_i,
  input wire        valid_i,
  input wire        write_i,
  input wire [31:0] addr_i,
  input wire [31:0] wdata_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        ready, rvalid, busy;
  wire [31:0] rdata;
  wire        valid = valid_i && !f_reset;
  tern_core #(.LANES(1), .WEIGHT_W(4), .SAMPLES(1), .NEURONS(2), .PAIRS(2), .ERRORS(2), .TAPS_D(1), .LAGS_W(1),
      .HIST_W(2), .FILTERS(1), .ROWS(2), .WORDS(2), .HIST_WORDS(2), .TARGETS(1), .CLASSES(1)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .host_valid_i(valid), .host_ready_o(ready), .host_write_i(write_i),
    .host_addr_i(addr_i), .host_wdata_i(wdata_i),
    .host_rvalid_o(rvalid), .host_rdata_o(rdata), .busy_o(busy)
  );

  wire taken    = valid && ready;
  wire is_reg   = (addr_i[31:24] == 8'd0);
  wire write    = taken && write_i;
  wire control  = write && is_reg && addr_i[23:0] == 24'd2;
  wire starts   = control && wdata_i[0];

  // ---- reads taken one to four cycles ago; of register ID
  reg m_read1 = 1'b0, m_read2 = 1'b0, m_read3 = 1'b0, m_read4 = 1'b0, m_id1 = 1'b0, m_id2 = 1'b0, m_id3 = 1'b0,
      m_id4 = 1'b0;
  always @(posedge clk_i) begin
    m_read1 <= taken && !write_i;
    m_read2 <= m_read1;
    m_read3 <= m_read2;
    m_read4 <= m_read3;
    m_id1   <= taken && !write_i && is_reg && addr_i[23:0] == 24'd0;
    m_id2   <= m_id1;
    m_id3   <= m_id2;
    m_id4   <= m_id3;
  end

  reg m_started = 1'b0;
  always @(posedge clk_i) m_started <= starts;
  always @* if (!f_reset) begin
    // 1. while the core is busy only registers are read: nothing is written, no memory is touched (32..63 are one)
    if (busy && taken) a_busy: assert (!write_i && is_reg && !addr_i[5]);
    // 2. while it is not, everything is taken at once; reading a register other than 32..63 never waits
    if (!busy && valid) a_takes: assert (ready);
    if (valid && is_reg && !write_i && !addr_i[5]) a_register: assert (ready);
    // 3. every read is answered once, four cycles later, so in order; nothing else is
    a_answer: assert (rvalid == m_read4);
    if (m_id4) a_id: assert (rdata == 32'h5445524e);
    // 4. a start is followed by busy at once
    if (m_started) a_start: assert (busy);
  end

  reg f_ended = 1'b0, f_busy = 1'b0;
  always @(posedge clk_i) begin
    f_busy <= busy;
    if (f_busy && !busy) f_ended <= 1'b1;
  end
  always @* begin
    c_step: cover (f_ended && rvalid && m_id4);
    c_waits: cover (busy && valid && !ready && write_i);
  end
endmodule

`default_nettype wire
