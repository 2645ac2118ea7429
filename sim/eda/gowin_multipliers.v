// gowin_multipliers.v : multipliers of Gowin devices, which Yosys before 0.47 makes of logic; read and applied by
// tern_synth.ys
// SPDX-License-Identifier: Apache-2.0
//
// Without TERN_MAP: the cell as a black box. With it: what +/mul2dsp.v of Yosys calls $__TERN_MUL18X18 becomes that
// cell, without registers.
// Ports and parameters: Gowin UG287, MULT18X18.
`ifdef TERN_MAP
module \$__TERN_MUL18X18 (input [17:0] A, input [17:0] B, output [35:0] Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 18;
  parameter B_WIDTH = 18;
  parameter Y_WIDTH = 36;
  MULT18X18 #(
    .AREG(1'b0), .BREG(1'b0), .OUT_REG(1'b0), .PIPE_REG(1'b0), .ASIGN_REG(1'b0), .BSIGN_REG(1'b0), .SOA_REG(1'b0)
  ) _TECHMAP_REPLACE_ (
    .A(A), .B(B), .SIA(18'd0), .SIB(18'd0), .ASIGN(A_SIGNED ? 1'b1 : 1'b0), .BSIGN(B_SIGNED ? 1'b1 : 1'b0), .ASEL(1'b0),
    .BSEL(1'b0), .CE(1'b1), .CLK(1'b0), .RESET(1'b0),
    .DOUT(Y)
  );
endmodule
`else
(* blackbox *)
module MULT18X18 (
  input  [17:0] A, SIA, B, SIB,
  input         ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET,
  output [35:0] DOUT,
  output [17:0] SOA, SOB
);
  parameter AREG = 1'b0;
  parameter BREG = 1'b0;
  parameter OUT_REG = 1'b0;
  parameter PIPE_REG = 1'b0;
  parameter ASIGN_REG = 1'b0;
  parameter BSIGN_REG = 1'b0;
  parameter SOA_REG = 1'b0;
  parameter MULT_RESET_MODE = "SYNC";
endmodule
`endif
