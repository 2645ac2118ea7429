// tern_tb.v : smallest core behind AXI4-Lite and AXI-Stream, self-checking; no files needed
// SPDX-License-Identifier: Apache-2.0
//
// Two neurons without synapses, one sample, one input group: what they do follows from their biases alone, at the ends
// of their range.
// Prints `tern_tb: passed` as its last line; otherwise what was found and what was expected. Target sim of
// rtl/tern.core (docs/42-bridges.md).
`default_nettype none

module tern_tb;
  reg         clk, rst;
  reg  [15:0] awaddr, araddr;
  reg  [31:0] wdata, s_data;
  reg         awvalid, wvalid, bready, arvalid, rready, s_valid, s_last, m_ready;
  initial begin
    clk = 1'b0;
    rst = 1'b1;
    {awaddr, araddr, wdata, s_data} = 96'd0;
    {awvalid, wvalid, bready, arvalid, rready, s_valid, s_last, m_ready} = 8'd0;
  end
  wire        awready, wready, bvalid, arready, rvalid, s_ready, m_valid, m_last, irq;
  wire [1:0]  bresp, rresp, events;
  wire [31:0] rdata, m_data;
  wire        up_valid, up_ready, up_write, up_rvalid, host_valid, host_ready, host_write, host_rvalid, busy;
  wire [31:0] up_addr, up_wdata, up_rdata, host_addr, host_wdata, host_rdata;

  tern_axi4lite u_bus (
    .clk_i(clk), .rst_i(rst), .s_axi_awaddr(awaddr), .s_axi_awprot(3'd0), .s_axi_awvalid(awvalid),
    .s_axi_awready(awready), .s_axi_wdata(wdata), .s_axi_wstrb(4'b1111),
    .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
    .s_axi_araddr(araddr), .s_axi_arprot(3'd0),
    .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready),
    .host_valid_o(up_valid), .host_ready_i(up_ready), .host_write_o(up_write), .host_addr_o(up_addr),
    .host_wdata_o(up_wdata), .host_rvalid_i(up_rvalid),
    .host_rdata_i(up_rdata), .busy_i(busy), .event_i(events), .irq_o(irq)
  );
  tern_axis #(.LANES(4), .GROUPS(2), .FRAME_WORDS(1)) u_stream (
    .clk_i(clk), .rst_i(rst), .up_valid_i(up_valid), .up_ready_o(up_ready), .up_write_i(up_write), .up_addr_i(up_addr),
    .up_wdata_i(up_wdata), .up_rvalid_o(up_rvalid),
    .up_rdata_o(up_rdata), .host_valid_o(host_valid), .host_ready_i(host_ready), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata),
    .host_rvalid_i(host_rvalid), .host_rdata_i(host_rdata), .busy_i(busy), .s_axis_tdata(s_data),
    .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tlast(s_last),
    .m_axis_tdata(m_data), .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tlast(m_last), .event_o(events)
  );
`ifdef TERN_TB_SMALL
  tern_small #(.LANES(4), .WEIGHT_W(8), .SAMPLES(1), .NEURONS(2), .PAIRS(2), .ERRORS(2), .TAPS_D(1), .LAGS_W(1),
      .HIST_W(2), .FILTERS(1), .ROWS(2), .WORDS(2), .HIST_WORDS(2), .TARGETS(1), .SMALL(1)) u_core (
`else
  tern_core #(.LANES(4), .SAMPLES(1), .NEURONS(2), .PAIRS(2), .ERRORS(2), .TAPS_D(1), .LAGS_W(1), .HIST_W(2),
      .FILTERS(1), .ROWS(2), .WORDS(2), .HIST_WORDS(2), .TARGETS(1)) u_core (
`endif
    .clk_i(clk), .rst_i(rst), .host_valid_i(host_valid), .host_ready_o(host_ready), .host_write_i(host_write),
    .host_addr_i(host_addr), .host_wdata_i(host_wdata),
    .host_rvalid_o(host_rvalid), .host_rdata_o(host_rdata), .busy_o(busy)
  );
  always #5 clk = !clk;

  integer     faults = 0, i;
  reg [31:0]  got;
  reg [1:0]   response;
  task expect_equal(input [31:0] found, input [31:0] wanted, input [31:0] place);
    if (found !== wanted) begin
      faults = faults + 1;
      $display("tern_tb: check %0d: %h instead of %h", place, found, wanted);
    end
  endtask
  // all signals change behind the falling edge
  task bus_write(input [15:0] address, input [31:0] data);
    begin
      @(negedge clk);
      awaddr = address; wdata = data; awvalid = 1'b1; wvalid = 1'b1; bready = 1'b1;
      @(negedge clk);
      while (!(awready && wready)) @(negedge clk);
      @(negedge clk);
      awvalid = 1'b0; wvalid = 1'b0;
      while (!bvalid) @(negedge clk);
      response = bresp;
    end
  endtask
  task bus_read(input [15:0] address);
    begin
      @(negedge clk);
      araddr = address; arvalid = 1'b1; rready = 1'b1;
      @(negedge clk);
      while (!arready) @(negedge clk);
      @(negedge clk);
      arvalid = 1'b0;
      while (!rvalid) @(negedge clk);
      got      = rdata;
      response = rresp;
    end
  endtask
  task core_write(input [31:0] address, input [31:0] data);
    if (address < 32'd128) bus_write(16'h0400 + {address[13:0], 2'b00}, data);
    else begin
      bus_write(16'h0010, address);
      bus_write(16'h8000 | {1'b0, address[12:0], 2'b00}, data);
    end
  endtask
  task core_read(input [31:0] address);
    if (address < 32'd128) bus_read(16'h0400 + {address[13:0], 2'b00});
    else begin
      bus_write(16'h0010, address);
      bus_read(16'h8000 | {1'b0, address[12:0], 2'b00});
    end
  endtask
  task beat_in(input [31:0] data, input last);
    begin
      @(negedge clk);
      s_data = data; s_last = last; s_valid = 1'b1;
      while (!s_ready) @(negedge clk);
      @(negedge clk);
      s_valid = 1'b0;
    end
  endtask
  task beat_out(input [31:0] data, input last, input [31:0] place);
    begin
      while (!m_valid) @(negedge clk);
      expect_equal(m_data, data, place);
      expect_equal({31'd0, m_last}, {31'd0, last}, place + 32'd1);
      m_ready = 1'b1;
      @(negedge clk);
      m_ready = 1'b0;
    end
  endtask
  task always_fires(input yes); // bias of both neurons, s4.12: the ends of its range
    for (i = 0; i < 2; i = i + 1) core_write(32'h0a000000 + 2 * i, yes ? 32'h00007fff : 32'hffff8001);
  endtask

  initial begin
    repeat (4) @(negedge clk);
    rst = 1'b0;
    // the bridge, the core and the stream are there; where there is nothing there is an error
    bus_read(16'h0000); expect_equal(got, 32'h54425553, 1);
    core_read(32'd0); expect_equal(got, 32'h5445524e, 2);
    core_read(32'h80000000); expect_equal(got, 32'h54535452, 3);
    for (i = 1; i < 8; i = i + 1) begin                          // its registers after reset: only SAMPLES is not 0
      core_read(32'h80000000 + i); expect_equal(got, (i == 5) ? 32'd1 : 32'd0, 40 + i);
    end
    bus_read(16'h0600); expect_equal({30'd0, response}, 32'd2, 4);
    core_write(32'd2, 32'd16);                                   // clear; the next access to a memory waits for it
    // two neurons, the first one visible; no row reads anything
    core_write(32'd32, 32'd1); core_write(32'd33, 32'd1); core_write(32'd34, 32'd0); core_write(32'd35, 32'd0);
    core_write(32'd36, 32'd0);
    core_write(32'd37, 32'd1); core_write(32'd38, 32'd1); core_write(32'd39, 32'd4); core_write(32'd40, 32'd1);
    core_write(32'd41, 32'd1);
    core_write(32'd42, 32'd1); core_write(32'd43, 32'd8); core_write(32'd44, 32'd32767); core_write(32'd45, 32'd32768);
    core_write(32'd46, 32'd32768);
    core_write(32'd47, 32'd1); core_write(32'd48, 32'd0); core_write(32'd49, 32'd0);
    for (i = 0; i < 2; i = i + 1) begin
      core_write(32'h06000000 + 4 * i, 32'h0000000b);            // row: none, last of its neuron
      core_write(32'h06000001 + 4 * i, 32'd0);
      core_write(32'h06000002 + 4 * i, 32'd0);
      core_write(32'h06000003 + 4 * i, 32'd0);
`ifdef TERN_TB_SMALL
      core_write(32'h07000000 + i, 32'd33);                      // first word of its own row
      core_write(32'h08000000 + i, (64 << i) + 2 * i + ((i == 0) ? 1 : 0)); // place: group 0, lane i, visible
`else
      core_write(32'h07000000 + i, 32'd0);
      core_write(32'h08000000 + i, 256 * i + ((i == 0) ? 1 : 0)); // place: group 0, lane i, visible
`endif
      core_write(32'h0a000000 + 2 * i, 32'd0);
      core_write(32'h0a000001 + 2 * i, 32'd0);
    end
    // SIG: 2/65536 below, 1 - 2/65536 above 0
    for (i = 0; i < 512; i = i + 1) core_write(32'h0f000000 + i, 32'h00020000);
    for (i = 0; i < 355; i = i + 1) core_write(32'h10000000 + i, 32'd1);
    core_write(32'h09000000, 32'd0); core_write(32'h0e000000, 32'd0);
    core_write(32'd64, 32'd0); core_write(32'd65, 32'd0); core_write(32'd66, 32'd0); core_write(32'd67, 32'd0);
    // a step over the bus: both fire; then nobody does
    bus_write(16'h0018, 32'd1);
    always_fires(1'b1);
    bus_write(16'h0014, 32'd7);
    core_write(32'h03000000, 32'd5);
    core_write(32'd2, 32'd1);
    while (!irq) @(negedge clk);
    core_read(32'h0d000000); expect_equal(got, 32'd1, 10);
    core_read(32'h0d000001); expect_equal(got, 32'd1, 11);
    core_read(32'h04000000); expect_equal(got, 32'd5, 12);       // the frame of the last step
    core_read(32'd64); expect_equal(got, 32'd1, 13);
    bus_write(16'h0014, 32'd1); expect_equal({31'd0, irq}, 32'd0, 14);
    always_fires(1'b0);
    core_write(32'd2, 32'd1);
    core_read(32'h0d000000); expect_equal(got, 32'd0, 15);       // waits for the step
    core_read(32'd64); expect_equal(got, 32'd2, 16);
    // two steps of a stream that end an example: units 1 and 3, one that does not exist; then nothing. Both neurons
    // fire
    always_fires(1'b1);
    core_write(32'h80000003, 32'd1); core_write(32'h80000004, 32'd2); core_write(32'h80000005, 32'd1);
    core_write(32'h80000006, 32'd16);
    core_write(32'h81000000, 32'h80000000); core_write(32'h81000001, 32'd0);
    bus_write(16'h0018, 32'd2);
    core_write(32'h80000001, 32'd1);
    beat_in(32'd1, 1'b0); beat_in(32'd9, 1'b0); beat_in(32'h80000003, 1'b0);
    beat_out(32'h00000000, 1'b0, 20); beat_out(32'h00000001, 1'b0, 22);
    core_read(32'h04000000); expect_equal(got, 32'd10, 24);
    beat_out(32'hc0000000, 1'b0, 25);
    expect_equal({31'd0, irq}, 32'd0, 27);
    beat_in(32'hc0000000, 1'b1);
    beat_out(32'h00000000, 1'b0, 30); beat_out(32'h00000001, 1'b0, 32); beat_out(32'hc0000000, 1'b1, 34);
    expect_equal({31'd0, irq}, 32'd1, 36);
    core_read(32'h80000007); expect_equal(got, 32'd1, 37);
    core_read(32'd64); expect_equal(got, 32'd4, 38);
    core_read(32'h0d000000); expect_equal(got, 32'd0, 39);       // the example ended with clear
    if (faults != 0) begin
      $display("tern_tb: %0d checks failed", faults);
      $fatal;
    end
    $display("tern_tb: passed");
    $finish;
  end
  initial begin
    #2000000 $display("tern_tb: it hangs"); // all of it takes 87,600, with the small core less than 125,000
    $fatal;
  end
endmodule

`default_nettype wire
