// free_random.v : tern_random with free words, for proofs that do not need them
// SPDX-License-Identifier: Apache-2.0
//
// Ports and time are those of rtl/blocks/tern_random.v, as docs/31-blocks.md tells: done_o in cycle 21 behind start_i.
`default_nettype none

module tern_random (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        start_i,
  input  wire [31:0] key0_i,
  input  wire [31:0] key1_i,
  input  wire [31:0] ctr0_i,
  input  wire [31:0] ctr1_i,
  output wire        done_o,
  output wire [31:0] x0_o,
  output wire [31:0] x1_o
);
  (* anyseq *) reg [31:0] x0, x1;
  reg [4:0] left_q;
  reg       done_q;
  always @(posedge clk_i) begin
    done_q <= (left_q == 5'd1) && !start_i && !rst_i;
    left_q <= rst_i ? 5'd0 : start_i ? 5'd20 : (left_q != 5'd0) ? left_q - 5'd1 : 5'd0;
  end
  assign done_o = done_q;
  assign x0_o   = x0;
  assign x1_o   = x1;
  wire unused = &{1'b0, key0_i, key1_i, ctr0_i, ctr1_i};
endmodule

`default_nettype wire
