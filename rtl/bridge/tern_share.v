// tern_share.v : two masters at one host port
// SPDX-License-Identifier: Apache-2.0
//
// Function  A request of a goes first; b's is taken in a cycle without one. What a waits for, b waits for too. A read
//           is answered before the next request is passed on, whenever that may be, so it is known whose the answer is.
// Latency   none
`default_nettype none

module tern_share (
  input  wire        clk_i,
  input  wire        rst_i,
  // first master
  input  wire        a_valid_i,
  output wire        a_ready_o,
  input  wire        a_write_i,
  input  wire [31:0] a_addr_i,
  input  wire [31:0] a_wdata_i,
  output wire        a_rvalid_o,
  // second master
  input  wire        b_valid_i,
  output wire        b_ready_o,
  input  wire        b_write_i,
  input  wire [31:0] b_addr_i,
  input  wire [31:0] b_wdata_i,
  output wire        b_rvalid_o,
  // host port; read data are for both
  output wire        host_valid_o,
  input  wire        host_ready_i,
  output wire        host_write_o,
  output wire [31:0] host_addr_o,
  output wire [31:0] host_wdata_o,
  input  wire        host_rvalid_i
);
  reg wait_q, own_q;  // a read is not answered yet; it is b's
  always @(posedge clk_i) begin
    if (host_valid_o && host_ready_i && !host_write_o) begin
      wait_q <= 1'b1;
      own_q  <= !a_valid_i;
    end else if (host_rvalid_i) wait_q <= 1'b0;
    if (rst_i) wait_q <= 1'b0;
  end

  assign host_valid_o = (a_valid_i || b_valid_i) && !wait_q;
  assign host_write_o = a_valid_i ? a_write_i : b_write_i;
  assign host_addr_o  = a_valid_i ? a_addr_i : b_addr_i;
  assign host_wdata_o = a_valid_i ? a_wdata_i : b_wdata_i;
  assign a_ready_o    = host_ready_i && !wait_q;
`ifdef TERN_TESTBUG_BUS_SHARE_BOTH_TAKEN
  assign b_ready_o    = host_ready_i;
`else
  assign b_ready_o    = host_ready_i && !a_valid_i && !wait_q;
`endif
  assign a_rvalid_o   = host_rvalid_i && !own_q;
  assign b_rvalid_o   = host_rvalid_i && own_q;
endmodule

`default_nettype wire
