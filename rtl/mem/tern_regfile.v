// tern_regfile.v : small register file, one write port, one read port without latency
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
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o
);
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  always @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;
`ifdef TERN_TESTBUG_REGFILE_READ_ADDRESS
  assign rdata_o = mem[{ADDR_W{1'b0}}];
  wire unused_bug = &{1'b0, raddr_i};
`else
  assign rdata_o = mem[raddr_i];
`endif
endmodule

`default_nettype wire
