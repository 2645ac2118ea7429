// formal_axi4lite.v : rules of tern_axi4lite, with tern_bus inside
// SPDX-License-Identifier: Apache-2.0
//
// The master keeps to AXI4-Lite and is free otherwise. The host port takes requests when it likes and answers reads two
// cycles later.
//! files   bridge/tern_bus bridge/tern_axi4lite
//! solver  bits
//! bound   8
//! induct  2
//! reach   16
//! connect f_run=dut.run_q f_write=dut.write_q f_state=dut.u_bus.state_q f_error=dut.u_bus.error_q
//! connect f_window=dut.u_bus.window_q f_no_wait=dut.u_bus.no_wait_q
//! connect f_rdata=dut.u_bus.rdata_q f_gone=dut.u_bus.gone_q
//! mutant  asks_twice a_one_write BUS_ASKS_TWICE 6
//! mutant  write_taken_twice a_one_write BUS_AXI_WRITE_TAKEN_TWICE 6
//! mutant  answer_dropped a_b_stays BUS_AXI_ANSWER_DROPPED 6
`default_nettype none

module formal_axi4lite (
  input wire        clk_i,
  input wire [15:0] awaddr_i,
  input wire        awvalid_i,
  input wire [31:0] wdata_i,
  input wire [3:0]  wstrb_i,
  input wire        wvalid_i,
  input wire        bready_i,
  input wire [15:0] araddr_i,
  input wire        arvalid_i,
  input wire        rready_i,
  input wire        host_ready_i,
  input wire [31:0] host_rdata_i,
  input wire        busy_i,
  input wire [1:0]  event_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;

  wire        awready, wready, bvalid, arready, rvalid, host_valid, host_write, irq;
  wire [1:0]  bresp, rresp;
  wire [31:0] rdata, host_addr, host_wdata;
  reg         m_read1 = 1'b0, m_read2 = 1'b0;     // reads taken by the host port one, two cycles ago
  tern_axi4lite dut (
    .clk_i(clk_i), .rst_i(f_reset), .s_axi_awaddr(awaddr_i), .s_axi_awprot(3'd0), .s_axi_awvalid(awvalid_i),
    .s_axi_awready(awready), .s_axi_wdata(wdata_i), .s_axi_wstrb(wstrb_i),
    .s_axi_wvalid(wvalid_i), .s_axi_wready(wready), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready_i),
    .s_axi_araddr(araddr_i), .s_axi_arprot(3'd0),
    .s_axi_arvalid(arvalid_i), .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready_i),
    .host_valid_o(host_valid), .host_ready_i(host_ready_i), .host_write_o(host_write), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata), .host_rvalid_i(m_read2),
    .host_rdata_i(host_rdata_i), .busy_i(busy_i), .event_i(event_i), .irq_o(irq)
  );
  wire host_wrote = host_valid && host_ready_i && host_write && !f_reset;
  wire host_read  = host_valid && host_ready_i && !host_write && !f_reset;

  // ---- the master: what is valid stays, unchanged, until it is taken ------------------------------------------------
  reg        m_aw = 1'b0, m_w = 1'b0, m_ar = 1'b0, m_b = 1'b0, m_r = 1'b0;   // waited in the last cycle
  reg [15:0] m_awaddr, m_araddr;
  reg [35:0] m_wbits;
  reg [1:0]  m_bresp, m_rresp;
  reg [31:0] m_rdata;
  always @(posedge clk_i) begin
    m_aw     <= awvalid_i && !awready && !f_reset;
    m_w      <= wvalid_i && !wready && !f_reset;
    m_ar     <= arvalid_i && !arready && !f_reset;
    m_b      <= bvalid && !bready_i && !f_reset;
    m_r      <= rvalid && !rready_i && !f_reset;
    m_awaddr <= awaddr_i;
    m_araddr <= araddr_i;
    m_wbits  <= {wstrb_i, wdata_i};
    m_bresp  <= bresp;
    m_rresp  <= rresp;
    m_rdata  <= rdata;
  end
  always @* begin
    if (f_reset) assume (!awvalid_i && !wvalid_i && !arvalid_i);
    if (m_aw) assume (awvalid_i && awaddr_i == m_awaddr);
    if (m_w) assume (wvalid_i && {wstrb_i, wdata_i} == m_wbits);
    if (m_ar) assume (arvalid_i && araddr_i == m_araddr);
  end

  // ---- what the slave should do -------------------------------------------------------------------------------------
  wire f_wr_goes = awaddr_i[15] || awaddr_i[15:9] == 7'd2;       // to the host port
  wire f_rd_goes = araddr_i[15] || araddr_i[15:9] == 7'd2;
  wire f_wr_own  = awaddr_i[15:5] == 11'd0 && awaddr_i[4:2] != 3'd7;
  wire f_rd_own  = araddr_i[15:5] == 11'd0 && araddr_i[4:2] != 3'd7;
  wire f_aw = !f_reset && awvalid_i && awready && wvalid_i && wready;
  wire f_ar = !f_reset && arvalid_i && arready;
  reg        m_w_open = 1'b0, m_r_open = 1'b0;     // taken, answer not taken
  reg [1:0]  m_wrote = 2'd0, m_asked = 2'd0;       // requests that the host port took for the write, the current read
  // of the last that was taken
  reg        m_wr_goes, m_wr_own, m_wr_none, m_wr_whole, m_wr_once, m_rd_goes, m_rd_own, m_rd_id, m_rd_once, m_wr_never,
      m_rd_never;
  reg [31:0] m_answer;                              // the host port's last answer
  reg [18:0] m_window = 19'd0;
  reg        m_no_wait = 1'b0;
  reg [3:0]  m_patience = 4'd0;
  always @(posedge clk_i) begin
    m_read1 <= host_read;
    m_read2 <= m_read1;
    if (m_read2) m_answer <= host_rdata_i;
    m_w_open <= f_aw || (m_w_open && !bready_i);
    m_r_open <= f_ar || (m_r_open && !rready_i);
    m_wrote  <= f_aw ? 2'd0 : (host_wrote && m_wrote != 2'd3) ? m_wrote + 2'd1 : m_wrote;
    m_asked  <= f_ar ? 2'd0 : (host_read && m_asked != 2'd3) ? m_asked + 2'd1 : m_asked;
    if (f_aw) begin
      m_wr_goes  <= f_wr_goes;
      m_wr_own   <= f_wr_own;
      m_wr_none  <= wstrb_i == 4'd0;
      m_wr_whole <= wstrb_i == 4'hf;
      m_wr_once  <= m_wrote == 2'd1 && !host_wrote;
      m_wr_never <= m_wrote == 2'd0 && !host_wrote;
      if (wstrb_i == 4'hf && awaddr_i[15:2] == 14'd4) m_window <= wdata_i[31:13];
      if (wstrb_i == 4'hf && awaddr_i[15:2] == 14'd2) m_no_wait <= wdata_i[0];
    end
    if (f_ar) begin
      m_rd_goes  <= f_rd_goes;
      m_rd_own   <= f_rd_own;
      m_rd_id    <= araddr_i[15:2] == 14'd0;
      m_rd_once  <= m_asked == 2'd1 && !host_read;
      m_rd_never <= m_asked == 2'd0 && !host_read;
    end
    m_patience <= (f_reset || f_aw || f_ar || bvalid || rvalid || !host_ready_i ||
        !((awvalid_i && wvalid_i) || arvalid_i)) ? 4'd0 : m_patience + 4'd1;
  end

  wire [31:0] f_wr_to = awaddr_i[15] ? {m_window, awaddr_i[14:2]} : {25'd0, awaddr_i[8:2]};
  wire [31:0] f_rd_to = araddr_i[15] ? {m_window, araddr_i[14:2]} : {25'd0, araddr_i[8:2]};
  always @* if (!f_reset) begin
    // 1. an answer stays, unchanged, until it is taken
    if (m_b) a_b_stays: assert (bvalid && bresp == m_bresp);
    if (m_r) a_r_stays: assert (rvalid && rresp == m_rresp && rdata == m_rdata);
    // 2. address and data of a write are taken together; every access that is taken is answered, once, and nothing else
    // is
    a_together: assert ((awvalid_i && awready) == (wvalid_i && wready));
    a_write_answer: assert (bvalid == m_w_open && !(f_aw && m_w_open));
    a_read_answer: assert (rvalid == m_r_open && !(f_ar && m_r_open));
    // 3. an access that goes to the host port does so exactly once, unless its answer is an error; all others never do
    if (bvalid) a_one_write: assert ((m_wr_goes && bresp == 2'b00 && !m_wr_none) ? m_wr_once : m_wr_never);
    if (rvalid) a_one_read: assert ((m_rd_goes && rresp == 2'b00) ? m_rd_once : m_rd_never);
    // 4. what goes there is what the master wants
    if (host_valid && host_write) a_write: assert (awvalid_i && wvalid_i && f_wr_goes && wstrb_i == 4'hf &&
        host_addr == f_wr_to && host_wdata == wdata_i);
    if (host_valid && !host_write) a_read: assert (arvalid_i && f_rd_goes && host_addr == f_rd_to);
    if (rvalid && m_rd_goes && rresp == 2'b00) a_data: assert (rdata == m_answer);
    if (rvalid && m_rd_id) a_id: assert (rdata == 32'h54425553);
    // 5. errors: no such address, part of a word, or, if wanted, instead of waiting; and only then
    if (bvalid) a_write_error: assert (bresp == 2'b00 || (bresp == 2'b10 && !m_wr_none));
    if (bvalid && !m_wr_none && (!m_wr_whole || !(m_wr_goes || m_wr_own))) a_write_wrong: assert (bresp == 2'b10);
    if (rvalid) a_read_wrong: assert ((m_rd_goes || m_rd_own) ? (rresp == 2'b00 || rresp == 2'b10) : rresp == 2'b10);
    if (rvalid && m_rd_own) a_read_own: assert (rresp == 2'b00);
    // 6. while the host port is ready an access is taken within 6 cycles
    a_soon: assert (m_patience < 4'd7);
  end

  // ---- inside -------------------------------------------------------------------------------------------------------
  wire        f_run, f_write, f_error, f_no_wait, f_gone;
  wire [1:0]  f_state;   // 0 idle, 1 ask, 2 answer, 3 done
  wire [18:0] f_window;
  wire [31:0] f_rdata;
  wire        f_at_write = f_run && f_write, f_at_read = f_run && !f_write;
  always @* if (!f_reset) begin
    i_idle: assert (f_run || f_state == 2'd0);
    i_write: assert (!f_at_write || (awvalid_i && wvalid_i && !bvalid));
    i_read: assert (!f_at_read || (arvalid_i && !rvalid));
    i_ask: assert (f_state != 2'd1 || (f_write ? (f_wr_goes && wstrb_i == 4'hf) : f_rd_goes));
    i_answer: assert ((f_state == 2'd2) == (m_read1 || m_read2) && !(m_read1 && m_read2) &&
        (f_state != 2'd2 || (!f_write && f_rd_goes)));
    i_error: assert (!(f_state == 2'd1 || f_state == 2'd2) || !f_error);
    i_gone: assert (!f_run || f_state == 2'd0 || !f_gone);
    i_wrote: assert (m_wrote == ((f_at_write && f_state == 2'd3 && f_wr_goes && wstrb_i == 4'hf && !f_error) ? 2'd1 :
        2'd0));
    i_asked: assert (m_asked == ((f_at_read && (f_state == 2'd2 || (f_state == 2'd3 && f_rd_goes && !f_error))) ? 2'd1 :
        2'd0));
    i_done_write: assert (!(f_at_write && f_state == 2'd3) ||
        (wstrb_i == 4'd0 ? !f_error : (wstrb_i != 4'hf || !(f_wr_goes || f_wr_own)) ? f_error :
        (f_wr_goes || !f_error)));
    i_done_read: assert (!(f_at_read && f_state == 2'd3) || (f_rd_goes || f_error == !f_rd_own));
    i_id: assert (!(f_at_read && f_state == 2'd3 && araddr_i[15:2] == 14'd0) || f_rdata == 32'h54425553);
    i_data: assert (!(f_at_read && f_state == 2'd3 && f_rd_goes && !f_error) || f_rdata == m_answer);
    // a write to an own register is done one cycle before the master sees it
    i_window: assert (f_window == ((f_at_write && f_state == 2'd3 && wstrb_i == 4'hf && awaddr_i[15:2] == 14'd4) ?
        wdata_i[31:13] : m_window));
    i_no_wait: assert (f_no_wait == ((f_at_write && f_state == 2'd3 && wstrb_i == 4'hf && awaddr_i[15:2] == 14'd2) ?
        wdata_i[0] : m_no_wait));
    i_patience: assert (m_patience == 4'd0 ||
        m_patience <= (!f_run ? 4'd1 : f_state == 2'd0 ? 4'd2 : f_state == 2'd1 ? 4'd3 : f_state == 2'd2 ?
        (m_read1 ? 4'd4 : 4'd5) : 4'd6));
  end

  // ---- these happen -------------------------------------------------------------------------------------------------
  reg f_stalled = 1'b0, f_refused = 1'b0;
  always @(posedge clk_i) begin
    if (host_valid && !host_ready_i && host_write) f_stalled <= 1'b1;
    if (bvalid && bready_i && bresp == 2'b10 && m_wr_goes && m_wr_whole) f_refused <= 1'b1;
  end
  always @* begin
    // a window is set, a write waits, a read is answered
    c_read: cover (f_stalled && rvalid && m_rd_goes && rdata == 32'h12345678 && m_window != 19'd0);
    // an error instead of waiting
    c_refused: cover (f_refused);
    c_irq: cover (irq && rvalid && rready_i);
  end
endmodule

`default_nettype wire
