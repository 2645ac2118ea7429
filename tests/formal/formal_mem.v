// formal_mem.v : tern_bank and tern_ram: what is read is what was last written there, by the engine or the host, and
// nothing else changes it
// SPDX-License-Identifier: Apache-2.0
//
// One bit of the memory is watched, any one: f_word, f_bit. The rules hold for every choice, so for all of it. Three
// words of two slices, the second of 4 bits; more address bits than are needed.
// Reads and writes come in any order, but no address is read while it is written, as tern_ram asks for; the host does
// not come together with the engine, and all addresses are inside.
// A memory begins with anything.
//! files   mem/tern_ram mem/tern_bank
//! solver  bits
//! bound   3
//! induct  1
//! reach   8
//! script  memory_collect
//! script  memory_map
//! connect f_mem[31:0]=dut.u_ram.g_slice[0].g_part[0].mem[0] f_mem[35:32]=dut.u_ram.g_slice[1].g_part[0].mem[0]
//! connect f_mem[67:36]=dut.u_ram.g_slice[0].g_part[0].mem[1] f_mem[71:68]=dut.u_ram.g_slice[1].g_part[0].mem[1]
//! connect f_mem[103:72]=dut.u_ram.g_slice[0].g_part[0].mem[2] f_mem[107:104]=dut.u_ram.g_slice[1].g_part[0].mem[2]
//! set     TABLE=0
//! set     TABLE=1
//! mutant  clear_skips_word a_reads BANK_CLEAR_SKIPS_WORD 8
//! mutant  first_slice a_reads RAM_FIRST_SLICE 8
`default_nettype none

module formal_mem #(
  parameter TABLE = 0
) (
  input wire        clk_i,
  input wire        own_i,
  input wire        we_i,
  input wire [2:0]  waddr_i,
  input wire [35:0] wdata_i,
  input wire        re_i,
  input wire [2:0]  raddr_i,
  input wire        clear_i,
  input wire        host_we_i,
  input wire        host_re_i,
  input wire [23:0] host_where_i,
  input wire [31:0] host_wdata_i
);
  localparam WORDS = 3, BITS = 36;
  (* anyconst *) reg [1:0] f_word;
  (* anyconst *) reg [5:0] f_bit;
  reg [5:0] f_slice = 6'd0; // the slice of the address read, one cycle later, as tern_host gives it
  always @(posedge clk_i) f_slice <= host_where_i[5:0];
  wire [35:0] rdata;
  wire [31:0] host_rdata;
  tern_bank #(.WIDTH(BITS), .DEPTH(WORDS), .ADDR_W(3), .TABLE(TABLE)) dut (
    .clk_i(clk_i), .own_i(own_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i), .re_i(re_i), .raddr_i(raddr_i),
    .rdata_o(rdata),
    .clear_i(clear_i), .host_we_i(host_we_i), .host_re_i(host_re_i), .host_where_i(host_where_i),
    .host_wdata_i(host_wdata_i), .host_slice_i(f_slice), .host_rdata_o(host_rdata)
  );
  wire [22:0] host_word = host_where_i[23:1];
  wire        host      = clear_i || host_we_i || host_re_i;
  wire        write     = TABLE == 0 && we_i;
  always @* begin
    assume (f_word < WORDS && f_bit < BITS);
    assume (waddr_i < WORDS && raddr_i < WORDS && (!host || host_word < WORDS));
    assume (!(host && (own_i || we_i || re_i)) && !(we_i && !own_i && TABLE == 0));
    assume (clear_i + host_we_i + host_re_i <= 1);
    assume (!(write && re_i && waddr_i == raddr_i));
  end

  // ---- the bit, and what was last read of it ------------------------------------------------------------------------
  reg  m_known = 1'b0, m_bit = 1'b0;      // it was written
  reg  m_read = 1'b0, m_got = 1'b0;       // the last read was one of its word, when it was known
  reg  m_host = 1'b0;                     // by the host, of its slice, one cycle ago
  wire here  = host_word == {21'd0, f_word};
  wire slice = f_bit[5];
  always @(posedge clk_i) begin
    if (write && waddr_i == {1'b0, f_word}) begin
      m_known <= 1'b1;
      m_bit   <= wdata_i[f_bit];
    end else if (here && (clear_i || (host_we_i && host_where_i[0] == slice))) begin
      m_known <= 1'b1;
      m_bit   <= host_wdata_i[f_bit[4:0]];
    end
    if (re_i || host_re_i) begin
      m_read <= m_known && (host_re_i ? here : raddr_i == {1'b0, f_word});
      m_got  <= m_bit;
    end
    m_host <= host_re_i && here && host_where_i[0] == slice;
  end
  wire [107:0] f_mem; // connected: the memory
  wire [6:0]   f_at = f_word * 7'd36 + {1'b0, f_bit};
  always @* begin
    // 1. a word read is as it was last written, until the next one is read
    if (m_read) a_reads: assert (rdata[f_bit] == m_got);
    if (m_read && m_host) a_host_reads: assert (host_rdata[f_bit[4:0]] == m_got);
    // state
    if (m_known) i_kept: assert (f_mem[f_at] == m_bit);
  end

  reg f_both = 1'b0, f_cleared = 1'b0;
  always @(posedge clk_i) begin
    if (m_known && m_bit && clear_i && host_wdata_i == 32'd0 && here) f_cleared <= 1'b1;
    if (f_cleared && host_we_i && here && host_where_i[0] == slice) f_both <= 1'b1;
  end
  always @* begin
    c_slice: cover (f_both && m_read && m_host && m_got && f_bit == 6'd35);
    c_cleared: cover (f_cleared && m_read && !m_got && f_word == 2'd2);
  end
endmodule

`default_nettype wire
