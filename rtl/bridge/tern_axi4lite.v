// tern_axi4lite.v : AXI4-Lite slave, 32 bits, in front of the host port
// SPDX-License-Identifier: Apache-2.0
//
// Function  One access at a time; addresses, registers and errors: docs/42-bridges.md. Address and data of a write are
//           taken together, in the cycle before its answer, so nothing is stored here but the answers. Reads and writes
//           that wait take turns.
// Latency   of tern_bus, and one cycle for the answer
`default_nettype none

module tern_axi4lite (
  input  wire        clk_i,           // ACLK
  input  wire        rst_i,           // synchronous, active high: !ARESETn
  // write address, write data, write response
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
  // read address, read data
  input  wire [15:0] s_axi_araddr,
  input  wire [2:0]  s_axi_arprot,
  input  wire        s_axi_arvalid,
  output wire        s_axi_arready,
  output wire [31:0] s_axi_rdata,
  output wire [1:0]  s_axi_rresp,
  output wire        s_axi_rvalid,
  input  wire        s_axi_rready,
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
  localparam [1:0] RESP_OKAY = 2'b00, RESP_SLVERR = 2'b10;
  wire unused_prot = &{1'b0, s_axi_awprot, s_axi_arprot, s_axi_awaddr[1:0], s_axi_araddr[1:0]};

  reg  run_q, write_q;                // a request is at tern_bus, and is a write
  reg  bvalid_q, rvalid_q, bresp_q, rresp_q;
  wire done, error;
  wire may_write = s_axi_awvalid && s_axi_wvalid && !bvalid_q;
  wire may_read  = s_axi_arvalid && !rvalid_q;
  wire ends      = run_q && done;
`ifdef TERN_TESTBUG_BUS_AXI_WRITE_TAKEN_TWICE
  wire write_end = ends && (write_q || may_write); // a write that waits behind a read is taken with it
`else
  wire write_end = ends && write_q;
`endif
  wire read_end  = ends && !write_q;

  tern_bus u_bus (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(run_q), .write_i(write_q), .whole_i(s_axi_wstrb == 4'b1111),
    .none_i(s_axi_wstrb == 4'b0000),
    .addr_i(write_q ? s_axi_awaddr[15:2] : s_axi_araddr[15:2]), .wdata_i(s_axi_wdata), .done_o(done), .error_o(error),
    .rdata_o(s_axi_rdata),
    .host_valid_o(host_valid_o), .host_ready_i(host_ready_i), .host_write_o(host_write_o), .host_addr_o(host_addr_o),
    .host_wdata_o(host_wdata_o),
    .host_rvalid_i(host_rvalid_i), .host_rdata_i(host_rdata_i), .busy_i(busy_i), .event_i(event_i), .irq_o(irq_o)
  );

  always @(posedge clk_i) begin
    if (!run_q) begin
      run_q   <= may_write || may_read;
      write_q <= may_write && !(may_read && write_q); // the other one than last time, if both wait
    end else if (done) begin
      run_q   <= 1'b0;
    end
    if (write_end) begin
      bvalid_q <= 1'b1;
      bresp_q  <= error;
`ifdef TERN_TESTBUG_BUS_AXI_ANSWER_DROPPED
    end else begin
`else
    end else if (s_axi_bready) begin
`endif
      bvalid_q <= 1'b0;
    end
    if (read_end) begin
      rvalid_q <= 1'b1;
      rresp_q  <= error;
    end else if (s_axi_rready) begin
      rvalid_q <= 1'b0;
    end
    if (rst_i) begin
      run_q    <= 1'b0;
      write_q  <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end
  end
`ifdef TERN_TESTBUG_BUS_AXI_ANSWER_DROPPED
  wire unused_bug = &{1'b0, s_axi_bready};
`endif

  assign s_axi_awready = write_end;
  assign s_axi_wready  = write_end;
  assign s_axi_arready = read_end;
  assign s_axi_bvalid  = bvalid_q;
  assign s_axi_bresp   = bresp_q ? RESP_SLVERR : RESP_OKAY;
  assign s_axi_rvalid  = rvalid_q;
  assign s_axi_rresp   = rresp_q ? RESP_SLVERR : RESP_OKAY;
endmodule

`default_nettype wire
