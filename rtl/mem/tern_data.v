// tern_data.v : data memory of the small core: one write and one read port, words of 32 bits written in halves, the
// first words known from the start
// SPDX-License-Identifier: Apache-2.0
//
// Maps to   block RAM. Reading and writing the same address in one cycle is undefined (no_rw_check) and does not
//           happen; simulation checks it.
`default_nettype none

module tern_data #(
  // Words.
  parameter DEPTH  = 1024,
  // Address bits.
  parameter ADDR_W = 10,
  // What the first 256 words hold after configuration.
  parameter [8191:0] INIT = 8192'd0
) (
  input  wire              clk_i,
  input  wire [1:0]        we_i,     // bits 15..0, 31..16
  input  wire              wlow_i,   // waddr_i is below 256
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [31:0]       wdata_i,
  input  wire              re_i,
  input  wire              rlow_i,   // raddr_i is below 256
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [31:0]       rdata_o
);
  // the first 256 words and the others: as one memory of odd size they would need more look-up tables
  localparam REST = (DEPTH > 258) ? DEPTH - 256 : 2;
  (* no_rw_check *) reg [15:0] low [0:255];
  (* no_rw_check *) reg [15:0] high [0:255];
  (* no_rw_check *) reg [15:0] low2 [0:REST-1];
  (* no_rw_check *) reg [15:0] high2 [0:REST-1];
  wire [ADDR_W-1:0] waddr2 = waddr_i - 256;
  wire [ADDR_W-1:0] raddr2 = raddr_i - 256;
  reg               rlow_q;
  reg  [15:0]       low_q, high_q, low2_q, high2_q;
  integer i;
  initial
    for (i = 0; i < 256; i = i + 1) begin
      low[i]  = INIT[32*i +: 16];
      high[i] = INIT[32*i+16 +: 16];
    end
  always @(posedge clk_i) begin
    if (we_i[0] && wlow_i) low[waddr_i[7:0]] <= wdata_i[15:0];
    if (re_i) low_q <= low[raddr_i[7:0]];
  end
  always @(posedge clk_i) begin
    if (we_i[1] && wlow_i) high[waddr_i[7:0]] <= wdata_i[31:16];
    if (re_i) high_q <= high[raddr_i[7:0]];
  end
  always @(posedge clk_i) begin
    if (we_i[0] && !wlow_i) low2[waddr2[$clog2(REST)-1:0]] <= wdata_i[15:0];
    if (re_i) low2_q <= low2[raddr2[$clog2(REST)-1:0]];
  end
  always @(posedge clk_i) begin
    if (we_i[1] && !wlow_i) high2[waddr2[$clog2(REST)-1:0]] <= wdata_i[31:16];
    if (re_i) high2_q <= high2[raddr2[$clog2(REST)-1:0]];
  end
  always @(posedge clk_i) if (re_i) rlow_q <= rlow_i;
  wire unused_addr = &{1'b0, waddr2, raddr2};
  assign rdata_o = rlow_q ? {high_q, low_q} : {high2_q, low2_q};

`ifdef TERN_CHECK_RAM
  always @(posedge clk_i)
    if (|we_i && re_i && waddr_i == raddr_i) if ($time > 16) begin
      $display("tern_data: %m: read and write of address %0d in one cycle", raddr_i);
      $fatal;
    end
`endif
endmodule

`default_nettype wire
