// tern_pll_ice40.v : clock of an iCE40 board: its crystal, or a PLL
// SPDX-License-Identifier: Apache-2.0
//
// Function  f = crystal (DIVF + 1) / ((DIVR + 1) 2^DIVQ); the numbers are those of tern_clock.vh, which `tern synth`
//           makes (docs/37-synthesis.md)
`default_nettype none

module tern_pll_ice40 #(
  // 0: the crystal as it is.
  parameter PLL = 0,
  // 1: clk_i is the pad that has the PLL behind it; 0: any pad.
  parameter PAD = 0,
  // Dividers (any, any, 1..6), range of the loop filter (1..6).
  parameter [3:0] DIVR   = 4'd0,
  parameter [6:0] DIVF   = 7'd0,
  parameter [2:0] DIVQ   = 3'd1,
  parameter [2:0] FILTER = 3'd1
) (
  input  wire clk_i,
  output wire clk_o,
  output wire locked_o // clk_o has its rate; not synchronous to it
);
  generate
    if ((PLL != 0 && PLL != 1) || (PAD != 0 && PAD != 1)) begin : g_check_kind
      tern_pll_ice40_error_PLL_or_PAD_is_not_0_or_1 u_error ();
    end
    if (PLL != 0 && (DIVQ < 1 || DIVQ > 6)) begin : g_check_divq
      tern_pll_ice40_error_DIVQ_is_not_1_to_6 u_error ();
    end
    if (PLL != 0 && (FILTER < 1 || FILTER > 6)) begin : g_check_filter
      tern_pll_ice40_error_FILTER_is_not_1_to_6 u_error ();
    end
    if (PLL != 0 && PAD != 0) begin : g_pad
      SB_PLL40_PAD #(
        .FEEDBACK_PATH("SIMPLE"), .PLLOUT_SELECT("GENCLK"), .DIVR(DIVR), .DIVF(DIVF), .DIVQ(DIVQ), .FILTER_RANGE(FILTER)
      ) u_pll (.PACKAGEPIN(clk_i), .PLLOUTGLOBAL(clk_o), .LOCK(locked_o), .RESETB(1'b1), .BYPASS(1'b0));
    end else if (PLL != 0) begin : g_core
      SB_PLL40_CORE #(
        .FEEDBACK_PATH("SIMPLE"), .PLLOUT_SELECT("GENCLK"), .DIVR(DIVR), .DIVF(DIVF), .DIVQ(DIVQ), .FILTER_RANGE(FILTER)
      ) u_pll (.REFERENCECLK(clk_i), .PLLOUTGLOBAL(clk_o), .LOCK(locked_o), .RESETB(1'b1), .BYPASS(1'b0));
    end else begin : g_crystal
      assign clk_o    = clk_i;
      assign locked_o = 1'b1;
    end
  endgenerate
endmodule

`default_nettype wire
