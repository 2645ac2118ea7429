// tern_bank.v : one memory of the core: the engine's ports while a step runs, 32-bit slices for the host while it is
// idle, clearing
// SPDX-License-Identifier: Apache-2.0
//
// Function  engine read and write ports; host_*: address = word * 2^SLICE_W + slice, inside the memory (tern_host sees
//           to it); clear_i writes the host's data, then 0, to the whole word of the host's address, so that there is
//           one address and one data multiplexer
// Latency   read data one cycle after the address, for both
`default_nettype none

module tern_bank #(
  // Width of a word in bits.
  parameter WIDTH  = 32,
  // Words.
  parameter DEPTH  = 256,
  // Address bits.
  parameter ADDR_W = 8,
  // 1: only the host writes.
  parameter TABLE  = 0
) (
  input  wire              clk_i,
  // engine
  input  wire              own_i,        // the write port is the engine's; together with we_i at the latest
  input  wire              we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o,
  // host; never together with the engine
  input  wire              clear_i,
  input  wire              host_we_i,
  input  wire              host_re_i,
  input  wire [23:0]       host_where_i,
  input  wire [31:0]       host_wdata_i,
  input  wire [5:0]        host_slice_i, // of the data read
  output wire [31:0]       host_rdata_o
);
  localparam SLICES  = (WIDTH + 31) / 32;
  localparam SLICE_W = $clog2(SLICES); // 0 for one slice

  wire [23+ADDR_W:0] host_word = {{ADDR_W{1'b0}}, host_where_i} >> SLICE_W;
  wire [ADDR_W-1:0]  host_addr = host_word[ADDR_W-1:0];
  wire [SLICES-1:0]  host_slice;
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

`ifdef TERN_TESTBUG_BANK_CLEAR_SKIPS_WORD
  wire              clear = clear_i && host_addr != {ADDR_W{1'b0}};
`else
  wire              clear = clear_i;
`endif
  wire [SLICES-1:0] host_we = {SLICES{clear}} | (host_slice & {SLICES{host_we_i}});
  wire              own   = (TABLE == 0) && own_i;
  wire [SLICES-1:0] we    = (TABLE != 0) ? host_we : {SLICES{we_i}} | host_we;
  wire unused_engine = &{1'b0, we_i, waddr_i, wdata_i, own_i};

  tern_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(ADDR_W)) u_ram (
    .clk_i(clk_i), .we_i(we), .waddr_i(own ? waddr_i : host_addr), .wdata_i(own ? wdata_i : wide[WIDTH-1:0]),
    .re_i(re_i || host_re_i), .raddr_i(host_re_i ? host_addr : raddr_i), .rdata_o(rdata_o)
  );

  generate
    if (SLICES == 1) begin : g_read_one
      assign host_rdata_o = rwide;
      wire unused_slice = &{1'b0, host_slice_i};
    end else begin : g_read_many
      assign host_rdata_o = rwide[32*host_slice_i[SLICE_W-1:0] +: 32];
      wire unused_slice = &{1'b0, host_slice_i};
    end
  endgenerate
endmodule

`default_nettype wire
