// tern_block.v : dual-port memory in one piece, one write and one read port
// SPDX-License-Identifier: Apache-2.0
//
// Function  as tern_ram, but not in slices of 32 bits, so that a few wide words become block RAM and not registers
`default_nettype none

module tern_block #(
  // Width of a word in bits.
  parameter WIDTH  = 32,
  // Words.
  parameter DEPTH  = 8,
  // Address bits.
  parameter ADDR_W = 3
) (
  input  wire              clk_i,
  input  wire              we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o
);
  (* no_rw_check *) reg [WIDTH-1:0] mem [0:DEPTH-1];
  reg [WIDTH-1:0] rdata_q;
  always @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_q <= mem[raddr_i];
  end
  assign rdata_o = rdata_q;

`ifdef TERN_CHECK_RAM
  always @(posedge clk_i)
    if (we_i && re_i && waddr_i == raddr_i) if ($time > 16) begin
      $display("tern_block: %m: read and write of address %0d in one cycle", raddr_i);
      $fatal;
    end
`endif
endmodule

`default_nettype wire
