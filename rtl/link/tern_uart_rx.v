// tern_uart_rx.v : receiver of asynchronous bytes, 8 data bits, no parity, 1 stop bit
// SPDX-License-Identifier: Apache-2.0
//
// Function  Begins with the falling edge of a start bit, takes the line in the middle of each bit. A line that stays 0 is one broken byte.
// C model   none; docs/36-link.md, section 2
// Latency   valid_o in the middle of the stop bit
`default_nettype none

module tern_uart_rx #(
  // Clock in Hz, bits per second: see tern_uart_phase.
  parameter CLK_HZ = 12000000,
  parameter BAUD   = 115200
) (
  input  wire       clk_i,
  input  wire       rst_i,
  // line, idle 1; any phase to the clock
  input  wire       rx_i,
  // output
  output wire       valid_o,   // pulse: a byte has come
  output wire [7:0] data_o,    // stays until the next one
  output wire       broken_o   // with valid_o: there was no stop bit
);
  reg       sync_q, rx_q, rx_q2, active_q, valid_q, broken_q;
  reg [3:0] bits_q;    // bits still to come behind the present one, the stop bit included
  reg [7:0] shift_q, data_q;
  wire      middle;
  wire      last  = middle && (bits_q == 4'd0);
  wire      noise = middle && (bits_q == 4'd9) && rx_q; // a start bit that is over before its middle
  tern_uart_phase #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_phase (.clk_i(clk_i), .hold_i(!active_q), .tick_o(middle));

  always @(posedge clk_i) begin
    sync_q   <= rx_i;
    rx_q     <= sync_q;
    rx_q2    <= rx_q;
    bits_q   <= !active_q ? 4'd9 : middle ? bits_q - 4'd1 : bits_q;
    if (middle) shift_q <= {rx_q, shift_q[7:1]};
    if (last) data_q <= shift_q;
    if (last) broken_q <= !rx_q;
    valid_q  <= last;
    active_q <= active_q ? !last && !noise : rx_q2 && !rx_q;
    if (rst_i) begin
      active_q <= 1'b0;
      valid_q  <= 1'b0;
    end
  end

  assign valid_o  = valid_q;
  assign data_o   = data_q;
  assign broken_o = broken_q;
endmodule

`default_nettype wire
