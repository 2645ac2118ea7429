// tern_wishbone.v : Wishbone B4 slave, classic cycles, 32 bits, in front of the host port
// SPDX-License-Identifier: Apache-2.0
//
// Function  One access at a time; addresses, registers and errors: docs/42-bridges.md. ACK or ERR comes for one cycle;
//           there is no RTY and no STALL.
//           A master may end a cycle that waits (CYC falls): what the core has not taken yet is then not done.
// Latency   of tern_bus
`default_nettype none

module tern_wishbone (
  input  wire        clk_i,       // CLK_I
  input  wire        rst_i,       // RST_I
  // slave
  input  wire        wb_cyc_i,
  input  wire        wb_stb_i,
  input  wire        wb_we_i,
  input  wire [15:2] wb_adr_i,    // 32-bit words; granularity 8 bits
  input  wire [3:0]  wb_sel_i,
  input  wire [31:0] wb_dat_i,
  output wire [31:0] wb_dat_o,
  output wire        wb_ack_o,
  output wire        wb_err_o,
  // host port (docs/33-host-port.md)
  output wire        host_valid_o,
  input  wire        host_ready_i,
  output wire        host_write_o,
  output wire [31:0] host_addr_o,
  output wire [31:0] host_wdata_o,
  input  wire        host_rvalid_i,
  input  wire [31:0] host_rdata_i,
  input  wire        busy_i,
  // interrupt
  input  wire [1:0]  event_i,
  output wire        irq_o
);
  wire request = wb_cyc_i && wb_stb_i;
  wire done, error;
  tern_bus u_bus (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(request), .write_i(wb_we_i), .whole_i(wb_sel_i == 4'b1111),
    .none_i(wb_sel_i == 4'b0000),
    .addr_i(wb_adr_i), .wdata_i(wb_dat_i), .done_o(done), .error_o(error), .rdata_o(wb_dat_o),
    .host_valid_o(host_valid_o), .host_ready_i(host_ready_i), .host_write_o(host_write_o), .host_addr_o(host_addr_o),
    .host_wdata_o(host_wdata_o),
    .host_rvalid_i(host_rvalid_i), .host_rdata_i(host_rdata_i), .busy_i(busy_i), .event_i(event_i), .irq_o(irq_o)
  );
`ifdef TERN_TESTBUG_BUS_WISHBONE_ACK_LATE
  assign wb_ack_o = done && !error;
`else
  assign wb_ack_o = done && !error && request;
`endif
  assign wb_err_o = done && error && request;
endmodule

`default_nettype wire
