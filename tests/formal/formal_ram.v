// formal_ram.v : tern_ram gives back what was written last, whatever its depth
// SPDX-License-Identifier: Apache-2.0
//
// Depth 13 with parts of 8, 4 and 1 words. One word is watched; it and all reads and writes are free. A read and a write of the same word in one cycle do not happen in the core.
//! files   mem/tern_ram
//! bound   7
//! reach   6
//! script  memory_collect
//! script  memory_map
//! mutant  part a_read RAM_PART
//! mutant  first_slice a_read RAM_FIRST_SLICE
`default_nettype none

module formal_ram (
  input wire        clk_i,
  input wire [1:0]  we_i,
  input wire [3:0]  waddr_i,
  input wire [47:0] wdata_i,
  input wire        re_i,
  input wire [3:0]  raddr_i,
  input wire [3:0]  watched_i
);
  wire [47:0] rdata;
  tern_ram #(.WIDTH(48), .DEPTH(13), .ADDR_W(4), .PART_BITS(2)) dut (
    .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i), .re_i(re_i), .raddr_i(raddr_i), .rdata_o(rdata)
  );

  reg        f_past = 1'b0;
  reg [3:0]  f_watched;
  always @(posedge clk_i) begin
    f_past    <= 1'b1;
    f_watched <= watched_i;
  end
  always @* begin
    assume (waddr_i < 4'd13 && raddr_i < 4'd13 && watched_i < 4'd13);
    if (f_past) assume (watched_i == f_watched);
    assume (!(re_i && we_i != 2'b00 && raddr_i == waddr_i));
  end

  // what the watched word holds, and what was read last if it was that word
  reg [47:0] f_word, f_read;
  reg [1:0]  f_known = 2'b00, f_due = 2'b00;
  always @(posedge clk_i) begin
    if (we_i[0] && waddr_i == watched_i) f_word[31:0] <= wdata_i[31:0];
    if (we_i[1] && waddr_i == watched_i) f_word[47:32] <= wdata_i[47:32];
    if (waddr_i == watched_i) f_known <= f_known | we_i;
    if (re_i) begin
      f_read <= f_word;
      f_due  <= (raddr_i == watched_i) ? f_known : 2'b00;
    end
  end
  always @* begin
    a_read: assert ((!f_due[0] || rdata[31:0] == f_read[31:0]) && (!f_due[1] || rdata[47:32] == f_read[47:32]));
    c_last: cover (f_due == 2'b11 && watched_i == 4'd12 && rdata[32] != rdata[0]);
    c_middle: cover (f_due == 2'b11 && watched_i == 4'd9 && rdata[40] && rdata != 48'd0);
  end
endmodule

`default_nettype wire
