// tern_bank.v : one memory of the core: the engine's ports while a step runs, 32-bit slices for the host while it is idle, clearing
// SPDX-License-Identifier: Apache-2.0
//
// Function  engine read and write ports; host_*: address = word * 2^SLICE_W + slice; clear_*: writes zeros, one word per cycle
// Latency   read data one cycle after the address, for both
`default_nettype none

module tern_bank #(
  // Width of a word in bits.
  parameter WIDTH  = 32,
  // Words.
  parameter DEPTH  = 256,
  // Address bits.
  parameter ADDR_W = 8
) (
  input  wire              clk_i,
  // engine
  input  wire              we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o,
  // clear
  input  wire              clear_i,
  input  wire [ADDR_W-1:0] clear_addr_i,
  // host; never together with the engine or a clear
  input  wire              host_we_i,
  input  wire              host_re_i,
  input  wire [23:0]       host_where_i,
  input  wire [31:0]       host_wdata_i,
  output wire [31:0]       host_rdata_o
);
  localparam SLICES  = (WIDTH + 31) / 32;
  localparam SLICE_W = $clog2(SLICES); // 0 for one slice

  wire [23:0]       host_word = host_where_i >> SLICE_W;
  wire [ADDR_W-1:0] host_addr = host_word[ADDR_W-1:0];
  localparam [24:0] HOST_END  = DEPTH[24:0];
  wire              host_in   = ({1'b0, host_word} < HOST_END); // requests outside are ignored
  wire              clear_in  = clear_i && ({{(25-ADDR_W){1'b0}}, clear_addr_i} < HOST_END);
  wire [SLICES-1:0] host_slice;
  wire [32*SLICES-1:0] wide, rwide;
  genvar s;
  generate
    for (s = 0; s < SLICES; s = s + 1) begin : g_slice
      if (SLICES == 1) begin : g_one
        assign host_slice[s] = 1'b1;
      end else begin : g_many
        assign host_slice[s] = (host_where_i[SLICE_W-1:0] == s);
      end
      assign wide[32*s +: 32] = host_wdata_i;
    end
    if (SLICES * 32 > WIDTH) begin : g_pad
      assign rwide = {{(32*SLICES-WIDTH){1'b0}}, rdata_o};
      wire unused_wide = &{1'b0, wide[32*SLICES-1:WIDTH]};
    end else begin : g_full
      assign rwide = rdata_o;
    end
  endgenerate
  wire unused_word = &{1'b0, host_word};

  tern_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) u_ram (
    .clk_i(clk_i),
`ifdef TERN_TESTBUG_BANK_CLEAR_SKIPS_WORD
    .we_i((we_i || (clear_i && clear_addr_i != {ADDR_W{1'b0}})) ? {SLICES{1'b1}} : host_slice & {SLICES{host_we_i && host_in}}),
`else
    .we_i((we_i || clear_in) ? {SLICES{1'b1}} : host_slice & {SLICES{host_we_i && host_in}}),
`endif
    .waddr_i(we_i ? waddr_i : clear_i ? clear_addr_i : host_addr),
    .wdata_i(we_i ? wdata_i : clear_i ? {WIDTH{1'b0}} : wide[WIDTH-1:0]),
    .re_i(re_i || host_re_i),
    .raddr_i(host_re_i ? (host_in ? host_addr : {ADDR_W{1'b0}}) : raddr_i),
    .rdata_o(rdata_o)
  );

  generate
    if (SLICES == 1) begin : g_read_one
      assign host_rdata_o = rwide;
    end else begin : g_read_many
      reg [SLICE_W-1:0] slice_q;
      always @(posedge clk_i) if (host_re_i) slice_q <= host_where_i[SLICE_W-1:0];
      assign host_rdata_o = rwide[32*slice_q +: 32];
    end
  endgenerate
endmodule

`default_nettype wire
