// formal_turn.v : the shift register with which tern_link counts bit times: from 1 it comes to its last state in 2,046
// steps, not before, and then to 1 again
// SPDX-License-Identifier: Apache-2.0
//
// Nothing is free: the bound is the whole turn. That tern_link shifts like this is a rule of formal_progress.v.
//! solver  bits
//! bound   2050
//! reach   2050
//! mutant  skips a_turn LINK_ALIVE_SKIPS
`default_nettype none

module formal_turn (
  input wire clk_i
);
  reg [10:0] alive = 11'd1, n = 11'd0;
`ifdef TERN_TESTBUG_LINK_ALIVE_SKIPS
  wire       bit = alive[10] ^ alive[9];
`else
  wire       bit = alive[10] ^ alive[8];
`endif
  always @(posedge clk_i) begin
    alive <= {alive[9:0], bit};
    n     <= (n == 11'd2046) ? 11'd0 : n + 11'd1;
  end
  always @* begin
    a_turn: assert ((alive == 11'h400) == (n == 11'd2046));
    if (n == 11'd0) a_again: assert (alive == 11'd1);
    c_last: cover (n == 11'd2046);
  end
endmodule

`default_nettype wire
