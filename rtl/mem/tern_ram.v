// tern_ram.v : simple dual-port memory, one write and one read port, in slices of at most 32 bits
// SPDX-License-Identifier: Apache-2.0
//
// Function  rdata = mem[raddr] one cycle later; write when we_i of a slice is set. Reading and writing the same address in the same cycle is
//           undefined in hardware (no_rw_check) and never happens in this design; simulation checks it (see the bottom).
// Maps to   block RAM on every target; slices let the 32-bit host port write part of a wide word.
`default_nettype none

module tern_ram #(
  // Width of a word in bits, 1..2048.
  parameter WIDTH  = 32,
  // Words, 1..2^ADDR_W.
  parameter DEPTH  = 256,
  // Address bits.
  parameter ADDR_W = 8,
  // Slices of 32 bits (the last may be narrower): derived, (WIDTH + 31) / 32, do not set.
  parameter SLICES = (WIDTH + 31) / 32
) (
  input  wire              clk_i,
  // write
  input  wire [SLICES-1:0] we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  // read
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o
);
  // ADDR_W may be wider than DEPTH needs; addresses are always below DEPTH
  localparam A = (DEPTH > 2) ? $clog2(DEPTH) : 1;
  generate
    if (A < ADDR_W) begin : g_unused
      wire unused_addr = &{1'b0, waddr_i[ADDR_W-1:A], raddr_i[ADDR_W-1:A]};
    end
  endgenerate

  genvar s;
  generate
    for (s = 0; s < SLICES; s = s + 1) begin : g_slice
      localparam W = (s == SLICES - 1) ? WIDTH - 32 * s : 32;
      (* no_rw_check *) reg [W-1:0] mem [0:DEPTH-1];
      reg [W-1:0] rdata_q;
      always @(posedge clk_i) begin
`ifdef TERN_TESTBUG_RAM_FIRST_SLICE
        if (we_i[s]) mem[waddr_i[A-1:0]] <= wdata_i[W-1:0];
`else
        if (we_i[s]) mem[waddr_i[A-1:0]] <= wdata_i[32*s +: W];
`endif
        if (re_i) rdata_q <= mem[raddr_i[A-1:0]];
      end
      assign rdata_o[32*s +: W] = rdata_q;
    end
  endgenerate

`ifdef TERN_CHECK_RAM
  always @(posedge clk_i)
    if ($time > 16 && |we_i && re_i && waddr_i == raddr_i) begin // not before the first reset
      $display("tern_ram: %m: read and write of address %0d in one cycle", raddr_i);
      $finish;
    end
`endif
endmodule

`default_nettype wire
