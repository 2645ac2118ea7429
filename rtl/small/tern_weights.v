// tern_weights.v : weight memory of the small core: one read and one write per cycle, from block RAM or from the
// single-port RAM of iCE40 UP
// SPDX-License-Identifier: Apache-2.0
//
// Function  rdata = mem[raddr] one cycle later. BANKED: even and odd words lie in two single-port memories, so that a
//           read and a write in the same cycle must be of different banks (tern_stream sees to it); else one memory
//           with two ports.
// Maps to   BANKED: four SB_SPRAM256KA for words of 32 bits (synth_ice40 -spram); else block RAM.
`default_nettype none

module tern_weights #(
  // Width of a word in bits, 1..32.
  parameter WIDTH  = 32,
  // Words.
  parameter DEPTH  = 8192,
  // Address bits, at least 2.
  parameter ADDR_W = 13,
  // 1: two single-port banks.
  parameter BANKED = 1
) (
  input  wire              clk_i,
  input  wire              we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o
);
  generate
    if (BANKED != 0) begin : g_banks
      localparam HALF = (DEPTH + 1) / 2;
      wire [WIDTH-1:0] rdata0, rdata1;
      reg              odd_q;
      always @(posedge clk_i) if (re_i) odd_q <= raddr_i[0];
      tern_spram #(.WIDTH(WIDTH), .DEPTH(HALF), .ADDR_W(ADDR_W-1)) u_even (
        .clk_i(clk_i), .we_i(we_i && !waddr_i[0]), .re_i(re_i && !raddr_i[0]),
        .addr_i((we_i && !waddr_i[0]) ? waddr_i[ADDR_W-1:1] : raddr_i[ADDR_W-1:1]), .wdata_i(wdata_i), .rdata_o(rdata0)
      );
      tern_spram #(.WIDTH(WIDTH), .DEPTH(HALF), .ADDR_W(ADDR_W-1)) u_odd (
        .clk_i(clk_i), .we_i(we_i && waddr_i[0]), .re_i(re_i && raddr_i[0]),
        .addr_i((we_i && waddr_i[0]) ? waddr_i[ADDR_W-1:1] : raddr_i[ADDR_W-1:1]), .wdata_i(wdata_i), .rdata_o(rdata1)
      );
      assign rdata_o  = odd_q ? rdata1 : rdata0;
    end else begin : g_ports
      tern_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) u_ram (
        .clk_i(clk_i), .we_i({((WIDTH+31)/32){we_i}}), .waddr_i(waddr_i), .wdata_i(wdata_i), .re_i(re_i),
        .raddr_i(raddr_i), .rdata_o(rdata_o)
      );
    end
  endgenerate
endmodule

`default_nettype wire
