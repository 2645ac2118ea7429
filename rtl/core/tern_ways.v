// tern_ways.v : memories of the samples, a set for each way: histories, spikes, learning coefficients
// SPDX-License-Identifier: Apache-2.0
//
// Function  way 0: input groups, then neuron groups of samples 0, WAYS, ..; way v: neuron groups of samples v, v +
//           WAYS, .. The pass reads a word of every way at once
// Latency   read data one cycle after the address
`default_nettype none

module tern_ways #(
  parameter LANES      = 4,
  parameter HIST_W     = 14,  // history bits
  parameter HIST_WORDS = 512, // words of way 0
  parameter HIST_AW    = 9,   // their address bits
  parameter WAYS       = 1,
  parameter WAY_WORDS  = 1,   // words of each other way
  parameter COEF_AW    = 5    // address bits: coefficients of a neuron
) (
  input  wire                         clk_i,
  input  wire                         own_i,        // the engines write
  input  wire                         clearing_i,
  input  wire                         plane_i,      // of the spikes of this step
  // histories; the other ways
  input  wire                         hist_re_i,
  input  wire [HIST_AW-1:0]           hist_raddr_i,
  output wire [WAYS*LANES*HIST_W-1:0] hist_rdata_o,
  input  wire                         hist_we_i,
  input  wire [HIST_AW-1:0]           hist_waddr_i,
  input  wire [WAYS*LANES*HIST_W-1:0] hist_wdata_i,
  input  wire                         ways_re_i,
  input  wire [HIST_AW-1:0]           ways_raddr_i,
  input  wire                         ways_we_i,
  input  wire [HIST_AW-1:0]           ways_waddr_i,
  // spikes: of this step are written, of the last one read
  input  wire [WAYS-1:0]              frame_we_i,
  input  wire [HIST_AW-1:0]           frame_waddr_i,
  input  wire [HIST_AW-1:0]           ways_frame_i,
  input  wire [LANES-1:0]             frame_wdata_i,
  input  wire [HIST_AW-1:0]           frame_raddr_i,
  output wire [WAYS*LANES-1:0]        frame_rdata_o,
  // learning coefficients
  input  wire [WAYS-1:0]              coef_we_i,
  input  wire [COEF_AW+1:0]           coef_waddr_i,
  input  wire [15:0]                  coef_wdata_i,
  input  wire                         coef_re_i,
  input  wire [COEF_AW+1:0]           coef_raddr_i,
  output wire [WAYS*16-1:0]           coef_rdata_o,
  // host
  input  wire                         host_hist_we_i,
  input  wire                         host_frame_we_i,
  input  wire                         host_re_i,
  input  wire                         host_hist_i,  // its word is one of the histories, else of spikes ...
  input  wire                         host_now_i,   // ... of this step
  input  wire [23:0]                  host_where_i,
  input  wire [31:0]                  host_wdata_i,
  input  wire [5:0]                   host_slice_i,
  output wire [31:0]                  hist_host_o,
  output wire [31:0]                  frame_host_o
);
  localparam HIST_SW = $clog2((LANES*HIST_W + 31) / 32); // slices of a word: bits of their number
  localparam WAY_AW  = (WAY_WORDS > 2) ? $clog2(WAY_WORDS) : 1;
  // For the host the way stands above the address of a word.
  localparam WAY_W = (WAYS > 1) ? $clog2(WAYS) : 1;
  wire [32*WAYS-1:0] hist_hosts, frame_hosts;
  wire [23:0]        hist_at   = host_where_i >> HIST_SW;
  wire [23:0]        way_at    = (host_hist_i ? hist_at : host_where_i) >> HIST_AW;
  wire [WAYS-1:0]    hist_here, frame_here;                   // the host's word would lie in this way
  reg  [WAY_W-1:0]   host_way_q;                              // of the data read
  always @(posedge clk_i) host_way_q <= way_at[WAY_W-1:0];
  wire unused_way = &{1'b0, way_at, host_way_q, hist_at};
  assign hist_host_o = (WAYS > 1) ? hist_hosts[32*host_way_q +: 32] : hist_hosts[31:0];
  assign frame_host_o = (WAYS > 1) ? frame_hosts[32*host_way_q +: 32] : frame_hosts[31:0];
  // spikes, two planes: the host and tern_fire write the plane_i of this step, tern_pass shifts in the plane_i of the
  // last one
  wire               frame_plane = host_now_i ? plane_i : !plane_i;
`ifdef TERN_TESTBUG_CORE_FRAME_PLANE
  wire               plane_read  = plane_i;
`else
  wire               plane_read  = !plane_i;
`endif
  genvar v;
  generate
    for (v = 0; v < WAYS; v = v + 1) begin : g_way
      localparam W_AW  = (v == 0) ? HIST_AW : WAY_AW;
      localparam DEPTH = (v == 0) ? HIST_WORDS : WAY_WORDS;
      wire [HIST_AW-1:0] raddr   = (v == 0) ? hist_raddr_i : ways_raddr_i;
      wire [HIST_AW-1:0] waddr   = (v == 0) ? hist_waddr_i : ways_waddr_i;
      wire [HIST_AW-1:0] f_raddr = (v == 0) ? frame_raddr_i : ways_raddr_i;
      wire [HIST_AW-1:0] f_waddr = (v == 0) ? frame_waddr_i : ways_frame_i;
      wire               re      = (v == 0) ? hist_re_i : ways_re_i;
      wire [23:0]        f_where = {{(23-W_AW){1'b0}}, clearing_i ? host_where_i[W_AW] : frame_plane,
          host_where_i[W_AW-1:0]};
      // as a history and as spikes at once: which of them it is becomes known late
      assign hist_here[v]  = (WAYS == 1) || (hist_at >> HIST_AW == v &&
                                             {{(32-HIST_AW){1'b0}}, hist_at[HIST_AW-1:0]} < DEPTH);
      assign frame_here[v] = (WAYS == 1) || (host_where_i >> HIST_AW == v &&
                                             {{(32-HIST_AW){1'b0}}, host_where_i[HIST_AW-1:0]} < DEPTH);
      wire unused_above = &{1'b0, raddr, waddr, f_raddr, f_waddr};
      tern_bank #(.WIDTH(LANES*HIST_W), .DEPTH(DEPTH), .ADDR_W(W_AW)) u_hist (
        .clk_i(clk_i), .own_i(own_i), .we_i((v == 0) ? hist_we_i : ways_we_i), .waddr_i(waddr[W_AW-1:0]),
        .wdata_i(hist_wdata_i[v*LANES*HIST_W +: LANES*HIST_W]),
        .re_i(re), .raddr_i(raddr[W_AW-1:0]), .rdata_o(hist_rdata_o[v*LANES*HIST_W +: LANES*HIST_W]),
        .clear_i(clearing_i), .host_we_i(host_hist_we_i && hist_here[v]), .host_re_i(host_re_i),
        .host_where_i(host_where_i), .host_wdata_i(host_wdata_i), .host_slice_i(host_slice_i),
        .host_rdata_o(hist_hosts[32*v +: 32])
      );
      tern_bank #(.WIDTH(LANES), .DEPTH(2 << W_AW), .ADDR_W(W_AW+1)) u_frame (
        .clk_i(clk_i), .own_i(own_i), .we_i(frame_we_i[v]), .waddr_i({plane_i, f_waddr[W_AW-1:0]}),
        .wdata_i(frame_wdata_i), .re_i(re), .raddr_i({plane_read, f_raddr[W_AW-1:0]}),
        .rdata_o(frame_rdata_o[v*LANES +: LANES]), .clear_i(clearing_i), .host_we_i(host_frame_we_i && frame_here[v]),
        .host_re_i(host_re_i),
        .host_where_i(f_where), .host_wdata_i(host_wdata_i), .host_slice_i(host_slice_i),
        .host_rdata_o(frame_hosts[32*v +: 32])
      );
      // learning coefficients of four neurons
      localparam C_AW = COEF_AW + 2;
      tern_ram #(.WIDTH(16), .DEPTH(1 << C_AW), .ADDR_W(C_AW)) u_coef (
        .clk_i(clk_i), .we_i(coef_we_i[v]), .waddr_i(coef_waddr_i), .wdata_i(coef_wdata_i), .re_i(coef_re_i),
        .raddr_i(coef_raddr_i), .rdata_o(coef_rdata_o[16*v +: 16])
      );
    end
    if (WAYS == 1) begin : g_one_way
      wire unused_ways = &{1'b0, ways_re_i, ways_we_i, ways_raddr_i, ways_waddr_i, ways_frame_i};
    end
  endgenerate
endmodule

`default_nettype wire
