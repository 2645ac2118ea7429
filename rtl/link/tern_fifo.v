// tern_fifo.v : queue whose writer can take back what it has not yet committed
// SPDX-License-Identifier: Apache-2.0
//
// Function  Words that are written can be read only after commit_i; rollback_i forgets those that were written since
//           the last commit. A word written while full_o is 1 is lost. Neither commit nor rollback comes together with
//           a write.
// C model   runtime/link/tern_link_device.c, the receive buffer
// Latency   a word can be taken two cycles after the commit; one word per cycle
`default_nettype none

module tern_fifo #(
  // Width of a word in bits, 1..32.
  parameter WIDTH  = 8,
  // Address bits, 2..16; holds 2^ADDR_W - 1 words.
  parameter ADDR_W = 9
) (
  input  wire             clk_i,
  input  wire             rst_i,
  // write
  input  wire             wr_valid_i,
  input  wire [WIDTH-1:0] wr_data_i,
  input  wire             commit_i,
  input  wire             rollback_i,
  output wire             full_o,
  // read: the word is taken in a cycle with valid and take
  output wire             rd_valid_o,
  output wire [WIDTH-1:0] rd_data_o,
  input  wire             rd_take_i
);
  generate
    if (WIDTH < 1 || WIDTH > 32 || ADDR_W < 2 || ADDR_W > 16) begin : g_check_size
      tern_fifo_error_WIDTH_or_ADDR_W_out_of_range u_error ();
    end
  endgenerate

  reg [ADDR_W-1:0] wr_q;      // next to write
  reg [ADDR_W-1:0] commit_q;  // end of what may be read
  reg [ADDR_W-1:0] rd_q;      // next to read from the memory
  reg              have_q;    // the memory's output register holds a word
  wire [ADDR_W-1:0] wr_next = wr_q + 1'b1;
  wire write = wr_valid_i && !full_o;
  wire read  = (rd_q != commit_q) && (!have_q || rd_take_i);
`ifdef TERN_TESTBUG_LINK_FIFO_OVERRUN
  assign full_o     = 1'b0;
`else
  assign full_o     = (wr_next == rd_q);
`endif
  assign rd_valid_o = have_q;

  tern_ram #(.WIDTH(WIDTH), .DEPTH(1 << ADDR_W), .ADDR_W(ADDR_W)) u_ram (
    .clk_i(clk_i), .we_i(write), .waddr_i(wr_q), .wdata_i(wr_data_i), .re_i(read), .raddr_i(rd_q), .rdata_o(rd_data_o)
  );

  always @(posedge clk_i) begin
`ifdef TERN_TESTBUG_LINK_FIFO_KEEPS
    if (write) wr_q <= wr_next;
`else
    if (rollback_i) wr_q <= commit_q;
    else if (write) wr_q <= wr_next;
`endif
    if (commit_i) commit_q <= wr_q;
    if (read) rd_q <= rd_q + 1'b1;
    have_q <= read || (have_q && !rd_take_i);
    if (rst_i) begin
      wr_q     <= {ADDR_W{1'b0}};
      commit_q <= {ADDR_W{1'b0}};
      rd_q     <= {ADDR_W{1'b0}};
      have_q   <= 1'b0;
    end
  end
`ifdef TERN_TESTBUG_LINK_FIFO_KEEPS
  wire unused_bug = &{1'b0, rollback_i};
`endif
endmodule

`default_nettype wire
