// ecp5_cells.v : what the cells of an ECP5 netlist do, for `tern cosim --netlist`; read by Yosys with -icells
// SPDX-License-Identifier: Apache-2.0
//
// Other cells stop the build. LUT4, PFUMX, L6MUX21, CCU2C, TRELLIS_FF and TRELLIS_DPR16X4 have the functions of
// +/ecp5/cells_sim.v of Yosys (tests/netlist/cells.sh compares them), written so that the simulation builds fast. Yosys
// has no model of block RAMs and multipliers: tern_ecp5_ram and tern_ecp5_mult are ours, in the configurations that
// ecp5_map.v lets through.
// Facts: Lattice FPGA-TN-02204 (memory), FPGA-TN-02205 (sysDSP), FPGA-DS-02012 (slices).

module LUT4 (input A, B, C, D, output Z);
  parameter [15:0] INIT = 0;
  \$lut #(.WIDTH(32'd4), .LUT(INIT)) u_lut (.A({D, C, B, A}), .Y(Z));
endmodule

module PFUMX (input ALUT, BLUT, C0, output Z);
  assign Z = C0 ? ALUT : BLUT;
endmodule

module L6MUX21 (input D0, D1, SD, output Z);
  assign Z = SD ? D1 : D0;
endmodule

// Two look-up tables in a carry chain; INJECT1: no carry enters the sum or the generate term.
module CCU2C (input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
  parameter [15:0] INIT0 = 0;
  parameter [15:0] INIT1 = 0;
  parameter INJECT1_0 = "YES";
  parameter INJECT1_1 = "YES";
  wire p0, p1, g0, g1, carry;
  \$lut #(.WIDTH(32'd4), .LUT(INIT0)) u_p0 (.A({D0, C0, B0, A0}), .Y(p0));
  \$lut #(.WIDTH(32'd4), .LUT(INIT1)) u_p1 (.A({D1, C1, B1, A1}), .Y(p1));
  generate
    if (INJECT1_0 == "YES") begin : g_inject0
      assign S0 = p0;
      assign carry = p0 & CIN;
    end else begin : g_carry0
      \$lut #(.WIDTH(32'd2), .LUT(INIT0[3:0])) u_g0 (.A({B0, A0}), .Y(g0));
      assign S0 = p0 ^ CIN;
      assign carry = p0 ? CIN : g0;
    end
    if (INJECT1_1 == "YES") begin : g_inject1
      assign S1 = p1;
      assign COUT = p1 & carry;
    end else begin : g_carry1
      \$lut #(.WIDTH(32'd2), .LUT(INIT1[3:0])) u_g1 (.A({B1, A1}), .Y(g1));
      assign S1 = p1 ^ carry;
      assign COUT = p1 ? carry : g1;
    end
  endgenerate
endmodule

// Set and reset are synchronous and need no enable. Power-up value: that of set or reset.
module TRELLIS_FF (input CLK, LSR, CE, DI, M, output reg Q);
  parameter GSR = "ENABLED";
  parameter CEMUX = "1";
  parameter CLKMUX = "CLK";
  parameter LSRMUX = "LSR";
  parameter SRMODE = "LSR_OVER_CE";
  parameter REGSET = "RESET";
  parameter LSRMODE = "LSR";
  localparam USED = REGSET == "SET";
  wire ce;
  initial Q = USED;
  generate
    if (CLKMUX != "CLK" || LSRMUX != "LSR" || SRMODE != "LSR_OVER_CE" || LSRMODE != "LSR" ||
        (REGSET != "SET" && REGSET != "RESET")) begin : g_check
      tern_error_TRELLIS_FF_in_a_configuration_without_a_model u_error ();
    end
    if (CEMUX == "1") assign ce = 1'b1;
    else if (CEMUX == "INV") assign ce = !CE;
    else if (CEMUX == "CE") assign ce = CE;
    else tern_error_TRELLIS_FF_in_a_configuration_without_a_model u_error ();
  endgenerate
  always @(posedge CLK)
    if (LSR) Q <= USED;
    else if (ce) Q <= DI;
endmodule

module TRELLIS_DPR16X4 (input [3:0] DI, WAD, RAD, input WRE, WCK, output [3:0] DO);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter [63:0] INITVAL = 0;
  reg [3:0] mem [0:15];
  integer i;
  generate
    if (WCKMUX != "WCK" || WREMUX != "WRE") begin : g_check
      tern_error_TRELLIS_DPR16X4_in_a_configuration_without_a_model u_error ();
    end
    if (INITVAL !== 64'bx) begin : g_init
      initial for (i = 0; i < 16; i = i + 1) mem[i] = INITVAL[4*i +: 4];
    end
  endgenerate
  always @(posedge WCK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
endmodule

// The 18,432 bits of a DP16KD (16,384 below 9 bits a word) as WIDTH bits a word, one port that writes and one that
// reads. Bytes have 9 bits.
module tern_ecp5_ram (input wclk, we, input [3:0] be, input [13:0] waddr, input [35:0] wdata, input rclk, re,
    input [13:0] raddr, output [35:0] rdata);
  parameter WIDTH = 18;
  localparam SHIFT = WIDTH == 36 ? 5 : WIDTH == 18 ? 4 : WIDTH == 9 ? 3 : WIDTH == 4 ? 2 : WIDTH == 2 ? 1 : 0;
  reg [WIDTH-1:0] mem [0:(1 << (14 - SHIFT))-1];
  reg [WIDTH-1:0] rdata_q;
  wire [35:0] write = WIDTH == 36 ? {{9{be[3]}}, {9{be[2]}}, {9{be[1]}}, {9{be[0]}}} : WIDTH == 18 ?
      {18'd0, {9{be[1]}}, {9{be[0]}}} : 36'hfffffffff;
  wire [WIDTH-1:0] old = mem[waddr[13:SHIFT]];
  always @(posedge wclk) if (we) mem[waddr[13:SHIFT]] <= (old & ~write[WIDTH-1:0]) |
      (wdata[WIDTH-1:0] & write[WIDTH-1:0]);
  always @(posedge rclk) if (re) rdata_q <= mem[raddr[13:SHIFT]];
  assign rdata = rdata_q;
endmodule

// Both factors signed or unsigned by themselves; no registers.
module tern_ecp5_mult (input [17:0] a, b, input signed_a, signed_b, output [35:0] p);
  wire signed [18:0] wide_a = {signed_a & a[17], a};
  wire signed [18:0] wide_b = {signed_b & b[17], b};
  wire signed [37:0] product = wide_a * wide_b;
  assign p = product[35:0];
endmodule
