// axi_tiny.v : the network 'tiny' behind AXI4-Lite and AXI-Stream
// SPDX-License-Identifier: Apache-2.0
//
// What a system needs besides the files of `tern compile`: the bridge, the stream, and wires between them. Other
// networks: other names of top and .vh.
`default_nettype none

module axi_tiny (
  input  wire        clk,
  input  wire        rst,
  // AXI4-Lite
  input  wire [15:0] s_axi_awaddr,
  input  wire [2:0]  s_axi_awprot,
  input  wire        s_axi_awvalid,
  output wire        s_axi_awready,
  input  wire [31:0] s_axi_wdata,
  input  wire [3:0]  s_axi_wstrb,
  input  wire        s_axi_wvalid,
  output wire        s_axi_wready,
  output wire [1:0]  s_axi_bresp,
  output wire        s_axi_bvalid,
  input  wire        s_axi_bready,
  input  wire [15:0] s_axi_araddr,
  input  wire [2:0]  s_axi_arprot,
  input  wire        s_axi_arvalid,
  output wire        s_axi_arready,
  output wire [31:0] s_axi_rdata,
  output wire [1:0]  s_axi_rresp,
  output wire        s_axi_rvalid,
  input  wire        s_axi_rready,
  // spikes in, spikes out
  input  wire [31:0] s_axis_tdata,
  input  wire        s_axis_tvalid,
  output wire        s_axis_tready,
  input  wire        s_axis_tlast,
  output wire [31:0] m_axis_tdata,
  output wire        m_axis_tvalid,
  input  wire        m_axis_tready,
  output wire        m_axis_tlast,
  output wire        irq
);
`include "tiny.vh"
  wire        up_valid, up_ready, up_write, up_rvalid, host_valid, host_ready, host_write, host_rvalid, busy;
  wire [31:0] up_addr, up_wdata, up_rdata, host_addr, host_wdata, host_rdata;
  wire [1:0]  events;

  tern_axi4lite u_bus (
    .clk_i(clk), .rst_i(rst), .s_axi_awaddr(s_axi_awaddr), .s_axi_awprot(s_axi_awprot), .s_axi_awvalid(s_axi_awvalid),
    .s_axi_awready(s_axi_awready), .s_axi_wdata(s_axi_wdata),
    .s_axi_wstrb(s_axi_wstrb), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_bresp(s_axi_bresp),
    .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready),
    .s_axi_araddr(s_axi_araddr), .s_axi_arprot(s_axi_arprot), .s_axi_arvalid(s_axi_arvalid),
    .s_axi_arready(s_axi_arready), .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp),
    .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .host_valid_o(up_valid), .host_ready_i(up_ready),
    .host_write_o(up_write), .host_addr_o(up_addr),
    .host_wdata_o(up_wdata), .host_rvalid_i(up_rvalid), .host_rdata_i(up_rdata), .busy_i(busy), .event_i(events),
    .irq_o(irq)
  );
  tern_axis #(.LANES(LANES), .GROUPS(STREAM_GROUPS), .FRAME_WORDS(STREAM_WORDS)) u_stream (
    .clk_i(clk), .rst_i(rst), .up_valid_i(up_valid), .up_ready_o(up_ready), .up_write_i(up_write), .up_addr_i(up_addr),
    .up_wdata_i(up_wdata), .up_rvalid_o(up_rvalid),
    .up_rdata_o(up_rdata), .host_valid_o(host_valid), .host_ready_i(host_ready), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata),
    .host_rvalid_i(host_rvalid), .host_rdata_i(host_rdata), .busy_i(busy), .s_axis_tdata(s_axis_tdata),
    .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready),
    .s_axis_tlast(s_axis_tlast), .m_axis_tdata(m_axis_tdata), .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready), .m_axis_tlast(m_axis_tlast), .event_o(events)
  );
  tiny_top u_core (
    .clk_i(clk), .rst_i(rst), .host_valid_i(host_valid), .host_ready_o(host_ready), .host_write_i(host_write),
    .host_addr_i(host_addr), .host_wdata_i(host_wdata),
    .host_rvalid_o(host_rvalid), .host_rdata_o(host_rdata), .busy_o(busy)
  );
endmodule

`default_nettype wire
