// tern_spram.v : single-port memory, a write or a read per cycle
// SPDX-License-Identifier: Apache-2.0
//
// Function  we: mem[addr] = wdata, rdata_o holds; else, with re, rdata = mem[addr] one cycle later
// Maps to   SB_SPRAM256KA of iCE40 UP (synth_ice40 -spram), 16384 words of 16 bits each; contents are undefined after
//           configuration
`default_nettype none

module tern_spram #(
  // Width of a word in bits.
  parameter WIDTH  = 32,
  // Words.
  parameter DEPTH  = 4096,
  // Address bits.
  parameter ADDR_W = 12
) (
  input  wire              clk_i,
  input  wire              we_i,
  input  wire              re_i,
  input  wire [ADDR_W-1:0] addr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  output wire [WIDTH-1:0]  rdata_o
);
  (* ram_style = "huge" *) reg [WIDTH-1:0] mem [0:DEPTH-1];
  reg [WIDTH-1:0] rdata_q;
  always @(posedge clk_i) begin
    if (we_i) mem[addr_i] <= wdata_i;
    else if (re_i) rdata_q <= mem[addr_i];
  end
  assign rdata_o = rdata_q;

`ifdef TERN_CHECK_RAM
  always @(posedge clk_i)
    if (we_i && re_i) if ($time > 16) begin
      $display("tern_spram: %m: a read and a write in one cycle");
      $fatal;
    end
`endif
endmodule

`default_nettype wire
