// ice40_cells.v : what the cells of an iCE40 netlist do, for `tern cosim --netlist`; read by Yosys with -icells
// SPDX-License-Identifier: Apache-2.0
//
// The same functions as +/ice40/cells_sim.v of Yosys (tests/netlist/cells.sh compares them), written so that the
// simulation of thousands of cells builds fast: a look-up table is one $lut, a block RAM writes words. SB_MAC16 is
// Yosys's own. Other cells stop the build (ice40.ys). Flip-flops on the falling edge and with asynchronous reset do not
// occur: the design has one clock and synchronous resets. Facts: Lattice iCE40 Technology Library, SB_LUT4, SB_CARRY,
// SB_DFF*, SB_RAM40_4K.

module SB_LUT4 (output O, input I0, I1, I2, I3);
  parameter [15:0] LUT_INIT = 0;
  \$lut #(.WIDTH(32'd4), .LUT(LUT_INIT)) u_lut (.A({I3, I2, I1, I0}), .Y(O));
endmodule

module SB_CARRY (output CO, input I0, I1, CI);
  assign CO = (I0 & I1) | ((I0 | I1) & CI);
endmodule

// Power-up value 0.
module SB_DFF (output reg Q, input C, D);
  initial Q = 1'b0;
  always @(posedge C) Q <= D;
endmodule

module SB_DFFE (output reg Q, input C, E, D);
  initial Q = 1'b0;
  always @(posedge C) if (E) Q <= D;
endmodule

module SB_DFFSR (output reg Q, input C, R, D);
  initial Q = 1'b0;
  always @(posedge C) Q <= R ? 1'b0 : D;
endmodule

module SB_DFFSS (output reg Q, input C, S, D);
  initial Q = 1'b0;
  always @(posedge C) Q <= S ? 1'b1 : D;
endmodule

// E also enables the synchronous reset and set.
module SB_DFFESR (output reg Q, input C, E, R, D);
  initial Q = 1'b0;
  always @(posedge C) if (E) Q <= R ? 1'b0 : D;
endmodule

module SB_DFFESS (output reg Q, input C, E, S, D);
  initial Q = 1'b0;
  always @(posedge C) if (E) Q <= S ? 1'b1 : D;
endmodule

// 4,096 bits, one write and one read port. Modes: 0: 256 x 16, 1: 512 x 8 (data at the even bits), 2: 1,024 x 4 (bits
// 1, 5, 9, 13), 3: 2,048 x 2 (bits 3, 11); above
// [7:0] the address tells the place within each group of 2, 4, 8 bits. Power-up contents: those of INIT, random where
// INIT is undefined.
module SB_RAM40_4K (
  output [15:0] RDATA,
  input         RCLK, RCLKE, RE,
  input  [10:0] RADDR,
  input         WCLK, WCLKE, WE,
  input  [10:0] WADDR,
  input  [15:0] MASK, WDATA
);
  parameter WRITE_MODE = 0;
  parameter READ_MODE = 0;
  parameter [255:0] INIT_0 = 0, INIT_1 = 0, INIT_2 = 0, INIT_3 = 0, INIT_4 = 0, INIT_5 = 0, INIT_6 = 0, INIT_7 = 0;
  parameter [255:0] INIT_8 = 0, INIT_9 = 0, INIT_A = 0, INIT_B = 0, INIT_C = 0, INIT_D = 0, INIT_E = 0, INIT_F = 0;
  localparam [4095:0] INIT = {INIT_F, INIT_E, INIT_D, INIT_C, INIT_B, INIT_A, INIT_9, INIT_8, INIT_7, INIT_6, INIT_5,
      INIT_4, INIT_3, INIT_2, INIT_1, INIT_0};
  reg  [15:0] memory [0:255];
  reg  [15:0] word_q;
  reg  [2:0]  place_q;
  wire [15:0] write, data;
  genvar b;
  integer i;
  generate
    if (INIT !== 4096'bx) begin : g_init
      initial for (i = 0; i < 256; i = i + 1) memory[i] = INIT[16*i +: 16];
    end
    case (WRITE_MODE)
      0: assign write = ~MASK;
      1: assign write = 16'h5555 << WADDR[8];
      2: assign write = 16'h1111 << WADDR[9:8];
      3: assign write = 16'h0101 << WADDR[10:8];
      default: tern_error_SB_RAM40_4K_has_no_such_WRITE_MODE u_error ();
    endcase
    for (b = 0; b < 16; b = b + 1) begin : g_bit
      case (WRITE_MODE)
        0: assign data[b] = WDATA[b];
        1: assign data[b] = WDATA[b - b % 2];
        2: assign data[b] = WDATA[b - b % 4 + 1];
        default: assign data[b] = WDATA[b - b % 8 + 3];
      endcase
      case (READ_MODE)
        0: assign RDATA[b] = word_q[b];
        1: if (b % 2 == 0) begin : g_data
             wire [1:0] group = word_q[b +: 2];
             assign RDATA[b] = group[place_q[0]];
           end else assign RDATA[b] = 1'b0;
        2: if (b % 4 == 1) begin : g_data
             wire [3:0] group = word_q[b-1 +: 4];
             assign RDATA[b] = group[place_q[1:0]];
           end else assign RDATA[b] = 1'b0;
        3: if (b % 8 == 3) begin : g_data
             wire [7:0] group = word_q[b-3 +: 8];
             assign RDATA[b] = group[place_q];
           end else assign RDATA[b] = 1'b0;
        default: tern_error_SB_RAM40_4K_has_no_such_READ_MODE u_error ();
      endcase
    end
  endgenerate
  wire [15:0] old = memory[WADDR[7:0]];
  always @(posedge WCLK) if (WE && WCLKE) memory[WADDR[7:0]] <= (old & ~write) | (data & write);
  always @(posedge RCLK) if (RE && RCLKE) begin
    word_q  <= memory[RADDR[7:0]];
    place_q <= RADDR[10:8];
  end
endmodule

// 16,384 words of 16 bits behind one port, written in nibbles; UltraPlus only. CHIPSELECT low: nothing is done, the
// output stays. What the device leaves undefined is made to be wrong, so that whoever relies on it shows: after a
// write, and in STANDBY, the output is the complement of what it was; POWEROFF (low: off) loses the contents, they read
// with `lost_q` changed since. SLEEP and POWEROFF pull the output low. Power-up contents are random. Facts: Lattice
// FPGA-TN-02022 (SPRAM usage guide).
module SB_SPRAM256KA (
  input  [13:0] ADDRESS,
  input  [15:0] DATAIN,
  input  [3:0]  MASKWREN,
  input         WREN, CHIPSELECT, CLOCK, STANDBY, SLEEP, POWEROFF,
  output [15:0] DATAOUT
);
  reg  [15:0] memory [0:16383];
  reg  [15:0] out_q;
  reg  [15:0] lost_q;
  reg         was_off_q;
  wire        off    = SLEEP || !POWEROFF;
  wire        access = CHIPSELECT && !STANDBY && !off;
  wire [15:0] write  = {{4{MASKWREN[3]}}, {4{MASKWREN[2]}}, {4{MASKWREN[1]}}, {4{MASKWREN[0]}}};
  wire [15:0] old    = memory[ADDRESS];
  initial begin
    lost_q    = 16'd0;
    was_off_q = 1'b0;
  end
  always @(posedge CLOCK) begin
    if (access && WREN) memory[ADDRESS] <= (old & ~write) | ((DATAIN ^ lost_q) & write);
    if (off) out_q <= 16'd0;
    else if (STANDBY || (CHIPSELECT && WREN)) out_q <= ~out_q;
    else if (CHIPSELECT) out_q <= old ^ lost_q;
    was_off_q <= !POWEROFF;
    if (!POWEROFF && !was_off_q) lost_q <= lost_q + 16'h6b35;
  end
  assign DATAOUT = off ? 16'd0 : out_q;
endmodule
