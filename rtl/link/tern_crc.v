// tern_crc.v : CRC-32 of a stream of bits
// SPDX-License-Identifier: Apache-2.0
//
// Function  CRC-32/ISO-HDLC (polynomial 0x04c11db7, reflected, starts with ones, result inverted; 0xcbf43926 for
//           "123456789"), bytes lowest bit first.
//           After a message and its CRC the register is 0xdebb20e3. With shift_i it only shifts, to give the CRC out
//           lowest bit first.
// C model   runtime/link/tern_link_frame.c, tern_link_crc()
// Latency   one bit per cycle
`default_nettype none

module tern_crc (
  input  wire        clk_i,
  // control
  input  wire        start_i,  // before the first bit
  input  wire        en_i,     // a bit comes
  input  wire        shift_i,  // with en_i: shift only
  // input
  input  wire        bit_i,
  // output
  output wire [31:0] crc_o     // not inverted
);
  reg [31:0] crc_q;
  wire feedback = (crc_q[0] ^ bit_i) && !shift_i;
`ifdef TERN_TESTBUG_LINK_CRC_POLYNOMIAL
  localparam [31:0] POLYNOMIAL = 32'hedb88321;
`else
  localparam [31:0] POLYNOMIAL = 32'hedb88320;
`endif
  always @(posedge clk_i)
    if (start_i) crc_q <= 32'hffffffff;
    else if (en_i) crc_q <= {1'b0, crc_q[31:1]} ^ (feedback ? POLYNOMIAL : 32'd0);
  assign crc_o = crc_q;
endmodule

`default_nettype wire
