// tern_host.v : requests of the host to the memories: region, range, and the answer
// SPDX-License-Identifier: Apache-2.0
//
// Function  A request that tern_control has taken is kept for one cycle and given to all memories at once: address (0
//           outside the region's memory, where nothing is written), data, and which region is written. All memories
//           read; select_o says whose data is the answer one cycle later.
//           While clearing the same address counts, and the data is 0.
// Latency   a read's data is there two cycles after the request
`default_nettype none

module tern_host #(
  // Regions.
  parameter N_REGIONS = 27,
  // Words times slices of each region's memory, 25 bits each, region 0 lowest (0: no such memory). Region 0 are the
  // registers, of which 32..63 have a memory.
  parameter [25*N_REGIONS-1:0] ENDS = 0,
  // Bits of the address that is cleared last.
  parameter CLEAR_W   = 12
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // request
  input  wire                 write_i,      // taken in this cycle
  input  wire                 read_i,
  input  wire [31:0]          addr_i,
  input  wire [31:0]          wdata_i,
  // clear; begins in the cycle after a write to a register
  input  wire                 clearing_i,
  output wire                 clear_last_o, // the last address
  // to the memories, one cycle later
  output wire [N_REGIONS-1:0] we_o,
  output wire                 re_o,
  output wire [4:0]           region_o,
  output wire [6:0]           register_o,
  output wire [23:0]          where_o,
  output wire [31:0]          wdata_o,
  // with the data read
  output wire                 valid_o,
  output wire [N_REGIONS-1:0] select_o,
  output wire [5:0]           slice_o
);
  generate
    if (N_REGIONS < 1 || N_REGIONS > 31) begin : g_check_regions
      tern_host_error_N_REGIONS_out_of_range u_error ();
    end
    if (CLEAR_W < 1 || CLEAR_W > 24) begin : g_check_clear
      tern_host_error_CLEAR_W_out_of_range u_error ();
    end
  endgenerate

  wire [7:0]  region = addr_i[31:24];
  wire [23:0] where  = addr_i[23:0];
  reg  [24:0] last;
  integer     n, m, r;
  always @* begin
    last = 25'd0;
    for (n = 0; n < N_REGIONS; n = n + 1)
      if (region == n[7:0]) last = ENDS[25*n +: 25];
  end
  wire in_range = (region == 8'd0) ? where[23:5] == 19'd1 : ({1'b0, where} < last);

  reg                 we_q, re_q, read_q, valid_q;
  reg [4:0]           region_q;
  reg [6:0]           register_q;
  reg [23:0]          where_q;
  reg [31:0]          wdata_q;
  reg [N_REGIONS-1:0] select_q;
  reg [5:0]           slice_q;
  reg [N_REGIONS-1:0] we;
  // Which region it is is only asked for when a word is written or read: simulation is faster so.
  always @* begin
    we = {N_REGIONS{1'b0}};
    if (we_q) for (m = 0; m < N_REGIONS; m = m + 1) we[m] = (region_q == m[4:0]);
  end
  always @(posedge clk_i) begin
    we_q       <= write_i && in_range;
    re_q       <= read_i && (region != 8'd0 || where[5]);
    read_q     <= read_i;
    valid_q    <= read_q;
    region_q   <= (region[7:5] == 3'd0) ? region[4:0] : 5'd31;
    register_q <= (where[23:7] == 17'd0) ? where[6:0] : 7'd127;
    if (clearing_i) where_q <= where_q + 24'd1;
    else where_q <= in_range ? where : 24'd0;
    wdata_q    <= (in_range && !clearing_i) ? wdata_i : 32'd0;
    if (read_q) for (r = 0; r < N_REGIONS; r = r + 1) select_q[r] <= (region_q == r[4:0]);
    slice_q    <= where_q[5:0];
    if (rst_i) begin
      we_q    <= 1'b0;
      re_q    <= 1'b0;
      read_q  <= 1'b0;
      valid_q <= 1'b0;
    end
  end

  assign clear_last_o = (where_q[CLEAR_W-1:0] == {CLEAR_W{1'b1}});
  assign we_o         = we;
  assign re_o         = re_q;
  assign region_o     = region_q;
  assign register_o   = register_q;
  assign where_o      = where_q;
  assign wdata_o      = wdata_q;
  assign valid_o      = valid_q;
  assign select_o     = select_q;
  assign slice_o      = slice_q;
endmodule

`default_nettype wire
