// tern_ram_bench.v : tern_ram of many shapes against plain arrays, with random reads and writes
// SPDX-License-Identifier: Apache-2.0
//
// Prints "memories: N reads, as written" or the first differences. Shapes: one part, several, a last part of one word,
// thin slices, parts smaller than in the core.
//! files   mem/tern_ram
//! mutant  part bench RAM_PART differ
`default_nettype none
`timescale 1ns/1ns

module shape #(
  parameter WIDTH     = 32,
  parameter DEPTH     = 256,
  parameter PART_BITS = 11,
  parameter SEED      = 1
) (
  input wire        clk_i,
  output reg [31:0] reads_o,
  output reg [31:0] wrong_o
);
  localparam SLICES = (WIDTH + 31) / 32;
  localparam A      = (DEPTH > 2) ? $clog2(DEPTH) : 1;
  reg  [SLICES-1:0] we;
  reg  [A-1:0]      waddr, raddr, last;
  reg  [WIDTH-1:0]  wdata;
  reg               re, due;
  wire [WIDTH-1:0]  rdata;
  tern_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(A), .PART_BITS(PART_BITS)) dut (.clk_i(clk_i), .we_i(we),
      .waddr_i(waddr), .wdata_i(wdata), .re_i(re), .raddr_i(raddr), .rdata_o(rdata));

  reg [WIDTH-1:0] words [0:DEPTH-1]; // x until written, as in the memory
  reg [WIDTH-1:0] want;
  integer         seed, i, at;
  // one address in three is a border: of the memory, of a part
  function integer place(input integer r, input integer r2);
    place = (r % 3 != 0) ? (r / 3) % DEPTH : (r % 2 == 0) ? (DEPTH - 1 - r2 % ((DEPTH < 3) ? DEPTH : 3)) :
        (((r2 / 2) % (1 + (DEPTH >> PART_BITS)) << PART_BITS) + DEPTH - r2 % 2) % DEPTH;
  endfunction
  initial begin
    seed = SEED;
    reads_o = 0;
    wrong_o = 0;
    due = 1'b0;
    re = 1'b0;
    we = {SLICES{1'b0}};
  end
  // between the edges: what the last one read is compared, what the next one reads and writes is chosen and noted
  always @(negedge clk_i) begin
    if (due) begin // the output register keeps its word
      reads_o = reads_o + 1;
      if (rdata !== want) begin
        wrong_o = wrong_o + 1;
        if (wrong_o < 3) $display("memory of %0d words of %0d bits: word %0d is %h, written was %h", DEPTH, WIDTH, last,
            rdata, want);
      end
    end
    we    = {SLICES{1'b0}};
    for (i = 0; i < SLICES; i = i + 1) we[i] = ($random(seed) & 1) != 0;
    for (i = 0; i < WIDTH; i = i + 1) wdata[i] = ($random(seed) >> 8) & 1;
    at    = place($random(seed) & 32'h3fffffff, $random(seed) & 32'h3fffffff);
    waddr = at[A-1:0];
    at    = place($random(seed) & 32'h3fffffff, $random(seed) & 32'h3fffffff);
    raddr = at[A-1:0];
    re    = (raddr != waddr || we == {SLICES{1'b0}}) && ($random(seed) & 3) != 0;
    if (re) begin
      want = words[raddr];
      last = raddr;
      due  = 1'b1;
    end
    for (i = 0; i < WIDTH; i = i + 1) if (we[i / 32]) words[waddr][i] = wdata[i];
  end
endmodule

module tern_ram_bench;
  reg clk = 1'b0;
  always #5 clk = !clk;
  localparam N = 10;
  wire [32*N-1:0] reads, wrong;
  shape #(.WIDTH(128), .DEPTH(22736), .SEED(1))                u0 (.clk_i(clk), .reads_o(reads[0 +: 32]),
      .wrong_o(wrong[0 +: 32]));
  shape #(.WIDTH(16), .DEPTH(6090), .SEED(2))                  u1 (.clk_i(clk), .reads_o(reads[32 +: 32]),
      .wrong_o(wrong[32 +: 32]));
  shape #(.WIDTH(40), .DEPTH(2049), .SEED(3))                  u2 (.clk_i(clk), .reads_o(reads[64 +: 32]),
      .wrong_o(wrong[64 +: 32]));
  shape #(.WIDTH(32), .DEPTH(4096), .SEED(4))                  u3 (.clk_i(clk), .reads_o(reads[96 +: 32]),
      .wrong_o(wrong[96 +: 32]));
  shape #(.WIDTH(1), .DEPTH(3000), .SEED(5))                   u4 (.clk_i(clk), .reads_o(reads[128 +: 32]),
      .wrong_o(wrong[128 +: 32]));
  shape #(.WIDTH(33), .DEPTH(7), .PART_BITS(1), .SEED(6))      u5 (.clk_i(clk), .reads_o(reads[160 +: 32]),
      .wrong_o(wrong[160 +: 32]));
  shape #(.WIDTH(80), .DEPTH(13), .PART_BITS(2), .SEED(7))     u6 (.clk_i(clk), .reads_o(reads[192 +: 32]),
      .wrong_o(wrong[192 +: 32]));
  shape #(.WIDTH(17), .DEPTH(63), .PART_BITS(3), .SEED(8))     u7 (.clk_i(clk), .reads_o(reads[224 +: 32]),
      .wrong_o(wrong[224 +: 32]));
  shape #(.WIDTH(64), .DEPTH(1), .SEED(9))                     u8 (.clk_i(clk), .reads_o(reads[256 +: 32]),
      .wrong_o(wrong[256 +: 32]));
  shape #(.WIDTH(20), .DEPTH(65535), .PART_BITS(4), .SEED(10)) u9 (.clk_i(clk), .reads_o(reads[288 +: 32]),
      .wrong_o(wrong[288 +: 32]));
  integer i, n_reads, n_wrong;
  initial begin
    #30000;
    n_reads = 0;
    n_wrong = 0;
    for (i = 0; i < N; i = i + 1) begin
      n_reads = n_reads + reads[32*i +: 32];
      n_wrong = n_wrong + wrong[32*i +: 32];
    end
    if (n_wrong != 0 || n_reads <= 25000) begin
      $display("FAILED: %0d of %0d reads differ", n_wrong, n_reads);
      $fatal;
    end
    $display("memories: %0d reads, as written", n_reads);
    $finish;
  end
endmodule

`default_nettype wire
