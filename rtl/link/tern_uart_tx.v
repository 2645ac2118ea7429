// tern_uart_tx.v : transmitter of asynchronous bytes, 8 data bits, no parity, 1 stop bit
// SPDX-License-Identifier: Apache-2.0
//
// Function  The line changes at ticks of tern_uart_phase only.
// C model   none; docs/36-link.md, section 2
// Latency   a byte is taken at the end of the stop bit of the one before; bytes follow each other without a gap
`default_nettype none

module tern_uart_tx #(
  // Clock in Hz, bits per second: see tern_uart_phase.
  parameter CLK_HZ = 12000000,
  parameter BAUD   = 115200
) (
  input  wire       clk_i,
  input  wire       rst_i,
  // input: taken in a cycle with valid and ready
  input  wire       valid_i,
  output wire       ready_o,
  input  wire [7:0] data_i,
  // line, idle 1
  output wire       tx_o,
  // pulse: once per bit time
  output wire       tick_o
);
  reg       tx_q;
  reg [3:0] bits_q;   // bits still to be sent behind the present one, the stop bit included
  reg [7:0] shift_q;
  wire      tick;
  tern_uart_phase #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_phase (.clk_i(clk_i), .hold_i(rst_i), .tick_o(tick));

  assign ready_o = tick && (bits_q == 4'd0);
  assign tick_o  = tick;
  assign tx_o    = tx_q;

  always @(posedge clk_i) begin
    if (ready_o && valid_i) begin
      shift_q <= data_i;
`ifdef TERN_TESTBUG_LINK_NO_STOP_BIT
      bits_q  <= 4'd8;
`else
      bits_q  <= 4'd9;
`endif
      tx_q    <= 1'b0;
    end else if (tick) begin
      shift_q <= {1'b1, shift_q[7:1]};
      bits_q  <= (bits_q == 4'd0) ? 4'd0 : bits_q - 4'd1;
      tx_q    <= (bits_q == 4'd0) || shift_q[0];
    end
    if (rst_i) begin
      bits_q <= 4'd0;
      tx_q   <= 1'b1;
    end
  end
endmodule

`default_nettype wire
