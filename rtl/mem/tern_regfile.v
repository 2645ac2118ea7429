// tern_regfile.v : small register file, one write port, two read ports without latency
// SPDX-License-Identifier: Apache-2.0
//
// Maps to   flip-flops or distributed RAM. Only for a few words; larger memories are tern_ram.
`default_nettype none

module tern_regfile #(
  // Width in bits.
  parameter WIDTH  = 32,
  // Words.
  parameter DEPTH  = 8,
  // Address bits.
  parameter ADDR_W = 3
) (
  input  wire              clk_i,
  // write
  input  wire              we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  // read
  input  wire [ADDR_W-1:0] raddr_a_i,
  output wire [WIDTH-1:0]  rdata_a_o,
  input  wire [ADDR_W-1:0] raddr_b_i,
  output wire [WIDTH-1:0]  rdata_b_o
);
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  always @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;
  assign rdata_a_o = mem[raddr_a_i];
`ifdef TERN_TESTBUG_REGFILE_PORT_B_ADDRESS
  assign rdata_b_o = mem[raddr_a_i];
  wire unused_bug = &{1'b0, raddr_b_i};
`else
  assign rdata_b_o = mem[raddr_b_i];
`endif
endmodule

`default_nettype wire
