// tern_ram.v : simple dual-port memory, one write and one read port, in slices of at most 32 bits
// SPDX-License-Identifier: Apache-2.0
//
// Function  rdata = mem[raddr] one cycle later; write when we_i of a slice is set. Reading and writing the same address
//           in the same cycle is undefined in hardware (no_rw_check) and never happens in this design; simulation
//           checks it.
// Maps to   block RAM on every target; slices let the 32-bit host port write part of a wide word.
`default_nettype none

module tern_ram #(
  // Width of a word in bits, 1..2048.
  parameter WIDTH  = 32,
  // Words, 1..2^ADDR_W.
  parameter DEPTH  = 256,
  // Address bits.
  parameter ADDR_W = 8,
  // Slices of 32 bits (the last may be narrower): derived, (WIDTH + 31) / 32, do not set.
  parameter SLICES = (WIDTH + 31) / 32,
  // log2 of the words of the smallest full part (see below); another value for proofs only.
  parameter PART_BITS = 11
) (
  input  wire              clk_i,
  // write
  input  wire [SLICES-1:0] we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  // read
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o
);
  // ADDR_W may be wider than DEPTH needs; addresses are always below DEPTH
  localparam A = (DEPTH > 2) ? $clog2(DEPTH) : 1;
  generate
    if (A < ADDR_W) begin : g_unused
      wire unused_addr = &{1'b0, waddr_i[ADDR_W-1:A], raddr_i[ADDR_W-1:A]};
    end
  endgenerate

  // A deep memory is made in parts, the largest power of two of words first, down to 2^PART_BITS, then the rest: a
  // depth between two powers of two would fill its last blocks badly. Thin slices have blocks of so many words that one
  // part is best.
  function integer part_words(input integer rest); // words of the next part
    begin
      part_words = 1 << PART_BITS;
      while (part_words <= rest / 2) part_words = part_words * 2;
      if (rest <= part_words) part_words = rest;
    end
  endfunction
  function integer part_first(input integer part); // first word of a part
    integer i;
    begin
      part_first = 0;
      for (i = 0; i < part; i = i + 1) part_first = part_first + part_words(DEPTH - part_first);
    end
  endfunction
  function integer part_count(input integer unused);
    begin
      part_count = 1;
      while (part_first(part_count) < DEPTH) part_count = part_count + 1;
    end
  endfunction
  localparam ALL_PARTS = part_count(0);

  genvar s, p;
  generate
    for (s = 0; s < SLICES; s = s + 1) begin : g_slice
      localparam W     = (s == SLICES - 1) ? WIDTH - 32 * s : 32;
      localparam PARTS = (W >= 16) ? ALL_PARTS : 1;
      wire [W*PARTS-1:0] words;
      wire [PARTS-1:0]   here; // read last from this part
      for (p = 0; p < PARTS; p = p + 1) begin : g_part
        localparam FIRST = part_first(p);
        localparam N     = (PARTS > 1) ? part_words(DEPTH - FIRST) : DEPTH;
        localparam PA    = (N > 2) ? $clog2(N) : 1;
        localparam ABOVE = (PA > PART_BITS) ? PA : PART_BITS; // address bits that select the part
        localparam [A-1:0] UPPER = FIRST[A-1:0] >> ABOVE;
        wire [A-1:0] upper_w  = waddr_i[A-1:0] >> ABOVE;
        wire [A-1:0] upper_r  = raddr_i[A-1:0] >> ABOVE;
        wire         select_w = (PARTS == 1) || upper_w == UPPER;
        wire         select_r = (PARTS == 1) || upper_r == UPPER;
        (* no_rw_check *) reg [W-1:0] mem [0:N-1];
        reg [W-1:0] rdata_q;
        reg         here_q;
        always @(posedge clk_i) begin
`ifdef TERN_TESTBUG_RAM_FIRST_SLICE
          if (we_i[s] && select_w) mem[waddr_i[PA-1:0]] <= wdata_i[W-1:0];
`else
          if (we_i[s] && select_w) mem[waddr_i[PA-1:0]] <= wdata_i[32*s +: W];
`endif
          if (re_i) begin
            rdata_q <= mem[raddr_i[PA-1:0]];
`ifdef TERN_TESTBUG_RAM_PART
            here_q <= (p == 0);
`else
            here_q <= select_r;
`endif
`ifdef TERN_CHECK_RAM
            // Once for the memory, and here, since a simulator then asks for it only while the memory is read. Not
            // before the first reset; the time is asked for last, for that takes a simulator long.
            if (s == 0 && p == 0 && |we_i && waddr_i == raddr_i) if ($time > 16) begin
              $display("tern_ram: %m: read and write of address %0d in one cycle", raddr_i);
              $fatal;
            end
`endif
          end
        end
        assign words[W*p +: W] = rdata_q;
        assign here[p]         = here_q;
      end
      reg [W-1:0] rdata;
      integer     i;
      always @* begin
        rdata = (PARTS == 1) ? words[W-1:0] : {W{1'b0}};
        if (PARTS > 1) for (i = 0; i < PARTS; i = i + 1) rdata = rdata | (words[W*i +: W] & {W{here[i]}});
      end
      wire unused_here = &{1'b0, here};
      assign rdata_o[32*s +: W] = rdata;
    end
  endgenerate
endmodule

`default_nettype wire
