// load_tb.v : loads NAME_load.hex over the host port, reads everything back, makes one learning step
// SPDX-License-Identifier: Apache-2.0
//
// iverilog -DTOP=NAME_top -DFILE="NAME_load.hex" -DWRITES=LOAD_WRITES -s load_tb ...; prints `loaded N, M differ,
// cycles C`.
`default_nettype none

module load_tb;
  reg         clk, rst, valid, write;
  reg  [31:0] addr, wdata, got;
  wire        ready, rvalid, busy;
  wire [31:0] rdata;
  reg  [63:0] load [0:`WRITES-1];
  integer     i, differ;

  `TOP u_top (
    .clk_i(clk), .rst_i(rst), .host_valid_i(valid), .host_ready_o(ready), .host_write_i(write), .host_addr_i(addr),
    .host_wdata_i(wdata),
    .host_rvalid_o(rvalid), .host_rdata_o(rdata), .busy_o(busy)
  );

  always #5 clk = !clk;

  // inputs change between clock edges
  task request(input is_write, input [31:0] where, input [31:0] data);
    begin
      @(negedge clk);
      valid = 1'b1;
      write = is_write;
      addr  = where;
      wdata = data;
      @(negedge clk);
      while (!ready) @(negedge clk);
      valid = 1'b0;
      while (!is_write && !rvalid) @(negedge clk);
      got = rdata;
    end
  endtask

  initial begin
    clk    = 1'b0;
    rst    = 1'b1;
    valid  = 1'b0;
    differ = 0;
    $readmemh(`FILE, load);
    repeat (4) @(negedge clk);
    rst = 1'b0;
    for (i = 0; i < `WRITES; i = i + 1) request(1'b1, load[i][63:32], load[i][31:0]);
    for (i = 0; i < `WRITES; i = i + 1) begin
      request(1'b0, load[i][63:32], 32'd0);
      if (got !== load[i][31:0]) begin
        differ = differ + 1;
        $display("address %08x: wrote %08x, read %08x", load[i][63:32], load[i][31:0], got);
      end
    end
    request(1'b1, 32'h00000002, 32'd7); // start, learn, clamp
    @(negedge clk);
    while (busy) @(negedge clk);
    request(1'b0, 32'h00000004, 32'd0); // cycles of the step
    $display("loaded %0d, %0d differ, cycles %0d", `WRITES, differ, got);
    if (differ != 0) $fatal;
    $finish;
  end

  initial begin
    #1000000 $display("no end");
    $fatal;
  end
endmodule

`default_nettype wire
