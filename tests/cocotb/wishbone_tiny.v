// wishbone_tiny.v : the network 'tiny' behind Wishbone
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module wishbone_tiny (
  input  wire        clk,
  input  wire        rst,
  input  wire        wb_cyc,
  input  wire        wb_stb,
  input  wire        wb_we,
  input  wire [13:0] wb_adr,   // 32-bit words
  input  wire [3:0]  wb_sel,
  input  wire [31:0] wb_datwr,
  output wire [31:0] wb_datrd,
  output wire        wb_ack,
  output wire        wb_err,
  output wire        irq
);
  wire        host_valid, host_ready, host_write, host_rvalid, busy;
  wire [31:0] host_addr, host_wdata, host_rdata;

  tern_wishbone u_bus (
    .clk_i(clk), .rst_i(rst), .wb_cyc_i(wb_cyc), .wb_stb_i(wb_stb), .wb_we_i(wb_we), .wb_adr_i(wb_adr),
    .wb_sel_i(wb_sel), .wb_dat_i(wb_datwr), .wb_dat_o(wb_datrd),
    .wb_ack_o(wb_ack), .wb_err_o(wb_err), .host_valid_o(host_valid), .host_ready_i(host_ready),
    .host_write_o(host_write), .host_addr_o(host_addr), .host_wdata_o(host_wdata),
    .host_rvalid_i(host_rvalid), .host_rdata_i(host_rdata), .busy_i(busy), .event_i(2'b00), .irq_o(irq)
  );
  tiny_top u_core (
    .clk_i(clk), .rst_i(rst), .host_valid_i(host_valid), .host_ready_o(host_ready), .host_write_i(host_write),
    .host_addr_i(host_addr), .host_wdata_i(host_wdata),
    .host_rvalid_o(host_rvalid), .host_rdata_o(host_rdata), .busy_o(busy)
  );
endmodule

`default_nettype wire
