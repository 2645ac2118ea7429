// free_link.v : the parts around the state machine of tern_link, for its proof: they do anything that their own proofs
// allow
// SPDX-License-Identifier: Apache-2.0
//
// tern_fifo        bytes of any value come at any time, and stay until they are taken
// tern_link_send   a reply takes any time from 3 cycles up; data_next_o as long as there is data, at least 3 cycles
//                  from one to the next
// tern_ram         (reply buffer) gives anything
// The others (receiver, serial line) are cut: their outputs are free.
`default_nettype none

module tern_fifo #(
  parameter WIDTH  = 8,
  parameter ADDR_W = 9
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             wr_valid_i,
  input  wire [WIDTH-1:0] wr_data_i,
  input  wire             commit_i,
  input  wire             rollback_i,
  output wire             full_o,
  output wire             rd_valid_o,
  output wire [WIDTH-1:0] rd_data_o,
  input  wire             rd_take_i
);
  (* anyseq *) reg             comes, full;
  (* anyseq *) reg [WIDTH-1:0] value;
  reg             have_q;
  reg [WIDTH-1:0] data_q;
  always @(posedge clk_i) begin
    if (!have_q || rd_take_i) begin
      have_q <= comes;
      data_q <= value;
    end
    if (rst_i) have_q <= 1'b0;
  end
  assign full_o     = full;
  assign rd_valid_o = have_q;
  assign rd_data_o  = data_q;
  wire unused = &{1'b0, wr_valid_i, wr_data_i, commit_i, rollback_i};
endmodule

module tern_link_send #(
  parameter [7:0] CAPS   = 8'h19,
  parameter [7:0] HEADER = 8'd5
) (
  input  wire       clk_i,
  input  wire       rst_i,
  input  wire       start_i,
  input  wire       progress_i,
  output wire       idle_o,
  output wire       progress_o,
  input  wire [6:0] answer_i,
  input  wire [7:0] session_i,
  input  wire [7:0] number_i,
  input  wire [7:0] errors_i,
  input  wire [7:0] count_i,
  input  wire [7:0] data_i,
  output wire       data_next_o,
  output wire       tx_valid_o,
  input  wire       tx_ready_i,
  output wire [7:0] tx_data_o
);
  (* anyseq *) reg       next, ends, valid;
  (* anyseq *) reg [7:0] value;
  reg       busy_q, progress_q;
  reg [1:0] pause_q;
  wire      none = progress_q || count_i == HEADER;
  assign idle_o      = !busy_q;
  assign progress_o  = progress_q;
  assign data_next_o = busy_q && next && !none && pause_q == 2'd0;
  assign tx_valid_o  = valid;
  assign tx_data_o   = value;
  always @(posedge clk_i) begin
    if (!busy_q) progress_q <= progress_i;
    pause_q <= (!busy_q || data_next_o) ? 2'd2 : (pause_q != 2'd0) ? pause_q - 2'd1 : 2'd0;
    if (!busy_q) busy_q <= start_i;
    else if (none && pause_q == 2'd0 && ends) busy_q <= 1'b0;
    if (rst_i) busy_q <= 1'b0;
  end
  wire unused = &{1'b0, answer_i, session_i, number_i, errors_i, data_i, tx_ready_i, CAPS};
endmodule

module tern_ram #(
  parameter WIDTH  = 8,
  parameter DEPTH  = 512,
  parameter ADDR_W = 9
) (
  input  wire              clk_i,
  input  wire              we_i,
  input  wire [ADDR_W-1:0] waddr_i,
  input  wire [WIDTH-1:0]  wdata_i,
  input  wire              re_i,
  input  wire [ADDR_W-1:0] raddr_i,
  output wire [WIDTH-1:0]  rdata_o
);
  (* anyseq *) reg [WIDTH-1:0] value;
  assign rdata_o = value;
  wire unused = &{1'b0, clk_i, we_i, waddr_i, wdata_i, re_i, raddr_i, DEPTH[0]};
endmodule

`default_nettype wire
