// formal_bank.v : tern_bank holds what was last written to each word: by its engine, by the host in slices, by clear; and nothing else changes it
// SPDX-License-Identifier: Apache-2.0
//
// Three words of 40 bits, so two slices, one of them narrow, and addresses beyond the end. Engine, host and clear do not write in the same cycle, and nobody reads
// a word that is being written: docs/33-host-port.md, rtl/mem/tern_ram.v.
//! files   mem/tern_ram mem/tern_bank
//! script  memory_map
//! bound   4
//! reach   4
//! mutant  first_slice a_host RAM_FIRST_SLICE
//! mutant  clear_skips_word a_host BANK_CLEAR_SKIPS_WORD
`default_nettype none

module formal_bank (
  input wire        clk_i,
  input wire        we_i,
  input wire [1:0]  waddr_i,
  input wire [39:0] wdata_i,
  input wire        re_i,
  input wire [1:0]  raddr_i,
  input wire        clear_i,
  input wire [1:0]  clear_addr_i,
  input wire        host_we_i,
  input wire        host_re_i,
  input wire [23:0] where_i,
  input wire [31:0] host_wdata_i
);
  wire [39:0] rdata;
  wire [31:0] host_rdata;
  tern_bank #(.WIDTH(40), .DEPTH(3), .ADDR_W(2)) dut (
    .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i), .re_i(re_i), .raddr_i(raddr_i), .rdata_o(rdata), .clear_i(clear_i), .clear_addr_i(clear_addr_i),
    .host_we_i(host_we_i), .host_re_i(host_re_i), .host_where_i(where_i), .host_wdata_i(host_wdata_i), .host_rdata_o(host_rdata)
  );
  wire [22:0] word   = where_i[23:1];
  wire        inside = (word < 23'd3);
  wire        writes = we_i || (host_we_i && inside) || (clear_i && clear_addr_i < 2'd3);
  wire [1:0]  writes_at = we_i ? waddr_i : clear_i ? clear_addr_i : word[1:0];
  wire [1:0]  reads_at  = host_re_i ? (inside ? word[1:0] : 2'd0) : raddr_i;
  always @* begin
    assume (we_i + clear_i + host_we_i <= 2'd1 && re_i + host_re_i <= 2'd1 && host_we_i + host_re_i <= 2'd1);
    assume (waddr_i < 2'd3 && raddr_i < 2'd3);
    assume (!(writes && (re_i || host_re_i) && writes_at == reads_at));
  end

  // one word, any of them, as it should be; known from its first whole write or clear on
  (* anyconst *) reg [1:0] f_word;
  always @* assume (f_word < 2'd3);
  reg         m_low = 1'b0, m_high = 1'b0; // known
  reg  [39:0] m_data = 40'd0;
  always @(posedge clk_i) begin
    if (we_i && waddr_i == f_word) begin
      m_data <= wdata_i;
      m_low  <= 1'b1;
      m_high <= 1'b1;
    end
    if (clear_i && clear_addr_i == f_word) begin
      m_data <= 40'd0;
      m_low  <= 1'b1;
      m_high <= 1'b1;
    end
    if (host_we_i && word == {21'd0, f_word}) begin
      if (where_i[0]) begin
        m_data[39:32] <= host_wdata_i[7:0];
        m_high        <= 1'b1;
      end else begin
        m_data[31:0] <= host_wdata_i;
        m_low        <= 1'b1;
      end
    end
  end
  reg        m_read = 1'b0, m_host = 1'b0, m_slice = 1'b0, m_whole = 1'b0, m_there = 1'b0;
  reg [39:0] m_was = 40'd0;
  always @(posedge clk_i) begin
    m_read  <= re_i && raddr_i == f_word;
    m_host  <= host_re_i && reads_at == f_word;
    m_slice <= where_i[0];
    m_there <= where_i[0] ? m_high : m_low;
    m_whole <= m_low && m_high;
    m_was   <= m_data;
  end
  always @* begin
    if (m_read && m_whole) a_engine: assert (rdata == m_was);
    if (m_host && m_there) a_host: assert (host_rdata == (m_slice ? {24'd0, m_was[39:32]} : m_was[31:0]));
    c_slices: cover (m_read && m_whole && m_was == 40'h5a00000001);
    c_clear: cover (m_host && m_there && m_slice && f_word == 2'd2 && m_was == 40'd0);
  end
endmodule

`default_nettype wire
