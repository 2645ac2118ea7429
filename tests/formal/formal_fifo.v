// formal_fifo.v : rules of tern_fifo
// SPDX-License-Identifier: Apache-2.0
//
// The queue is small, its words are 2 bits; writes, commits, rollbacks and takes come in any order that the module
// allows.
// f_mem is the memory inside.
//! files   mem/tern_ram link/tern_fifo
//! bound   8
//! induct  2
//! reach   24
//! script  memory_collect
//! script  memory_map
//! connect f_wr=dut.wr_q f_commit=dut.commit_q f_rd=dut.rd_q f_have=dut.have_q
//! connect f_mem[1:0]=dut.u_ram.g_slice[0].g_part[0].mem[0] f_mem[3:2]=dut.u_ram.g_slice[0].g_part[0].mem[1]
//! connect f_mem[5:4]=dut.u_ram.g_slice[0].g_part[0].mem[2] f_mem[7:6]=dut.u_ram.g_slice[0].g_part[0].mem[3]
//! mutant  overrun a_room LINK_FIFO_OVERRUN
//! mutant  keeps a_order LINK_FIFO_KEEPS 10
`default_nettype none

module formal_fifo (
  input wire       clk_i,
  input wire       wr_valid_i,
  input wire [1:0] wr_data_i,
  input wire       commit_i,
  input wire       rollback_i,
  input wire       rd_take_i
);
  localparam A = 2, N = 3; // address bits, words it holds
  // after power-up there is a reset
  reg        f_reset = 1'b1;
  reg  [4:0] f_time = 5'd0;
  always @(posedge clk_i) begin
    f_reset <= 1'b0;
    if (f_time != 5'd31) f_time <= f_time + 5'd1;
  end

  wire       full, rd_valid;
  wire [1:0] rd_data;
  tern_fifo #(.WIDTH(2), .ADDR_W(A)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .wr_valid_i(wr_valid_i), .wr_data_i(wr_data_i), .commit_i(commit_i),
    .rollback_i(rollback_i), .full_o(full),
    .rd_valid_o(rd_valid), .rd_data_o(rd_data), .rd_take_i(rd_take_i)
  );
  // a commit or rollback does not come together with a write, nor both
  always @* assume (!((commit_i || rollback_i) && wr_valid_i) && !(commit_i && rollback_i));

  // ---- a queue that cannot be wrong: a shift register, oldest word in slot 0 ----------------------------------------
  // f_words: all words; f_good of them are committed. The word in the queue's output register is slot 0 when rd_valid.
  reg [7:0]         f_queue = 8'd0;
  reg [2:0]         f_words = 3'd0, f_good = 3'd0;
  wire              f_write = wr_valid_i && !full;
  wire              f_take  = rd_valid && rd_take_i;
  wire [2:0]        f_words_d = (rollback_i ? f_good : f_words + {2'd0, f_write}) - {2'd0, f_take};
  wire [7:0]        f_written = f_write ? (f_queue & ~(8'd3 << {f_words[1:0], 1'b0})) |
      ({6'd0, wr_data_i} << {f_words[1:0], 1'b0}) : f_queue;
  always @(posedge clk_i)
    if (f_reset) begin
      f_words <= 3'd0;
      f_good  <= 3'd0;
    end else begin
      f_words <= f_words_d;
      f_good  <= (commit_i ? f_words : f_good) - {2'd0, f_take};
      f_queue <= f_take ? f_written >> 2 : f_written;
    end

  // ---- rules --------------------------------------------------------------------------------------------------------
  wire [A-1:0] f_wr, f_commit, f_rd;     // connected: wr_q, commit_q, rd_q
  wire         f_have;                   // have_q
  wire [7:0]   f_mem;                    // memory, word 0 lowest
  wire [A-1:0] f_stored = f_wr - f_rd, f_ready = f_commit - f_rd;
  always @* if (!f_reset) begin
    // 1. what comes out is the oldest committed word: none is lost, doubled or changed, none before its commit
    if (rd_valid) begin
      a_committed: assert (f_good != 3'd0);
      a_order: assert (rd_data == f_queue[1:0]);
    end
    // 2. it never holds more than it can, and says so
    a_room: assert (f_words <= N + 1 && f_good <= f_words);
    if (full) a_full: assert (f_words >= N);
    // 3. pointers count what is stored (which makes 1 inductive)
    i_stored: assert ({1'b0, f_stored} + {2'd0, f_have} == f_words);
    i_ready: assert ({1'b0, f_ready} + {2'd0, f_have} == f_good);
  end
  wire [3:0] f_same;
  generate
    genvar a;
    for (a = 0; a < 4; a = a + 1) begin : g_word
      wire [A-1:0] f_offset = a - f_rd;                               // of address a, from the next to read
      wire [A-1:0] f_slot   = f_offset + {1'b0, f_have};
      wire [7:0]   f_moved  = f_queue >> {f_slot, 1'b0};
      assign f_same[a] = f_offset >= f_stored || f_mem[2*a +: 2] == f_moved[1:0];
    end
  endgenerate
  always @* if (!f_reset) i_memory: assert (&f_same);
  // 4. a committed word can be taken two cycles later
  reg [1:0] f_waits = 2'd0;
  always @(posedge clk_i) f_waits <= (f_reset || f_good == 3'd0 || rd_valid) ? 2'd0 : f_waits + 2'd1;
  always @* if (!f_reset) a_waits: assert (f_waits < 2'd2);

  // ---- these happen -------------------------------------------------------------------------------------------------
  reg f_rolled = 1'b0, f_filled = 1'b0, f_wrapped = 1'b0;
  always @(posedge clk_i) begin
    if (rollback_i && f_words > f_good + 3'd1) f_rolled <= 1'b1;
    if (full) f_filled <= 1'b1;
    if (f_rolled && f_wr == 2'd0 && f_write) f_wrapped <= 1'b1;
  end
  always @* begin
    c_emptied: cover (f_rolled && f_filled && f_words == 3'd0 && f_time > 5'd8); // words taken back, full, then empty
    c_wrapped: cover (f_wrapped && f_take && rd_data == 2'd3);
  end
endmodule

`default_nettype wire
