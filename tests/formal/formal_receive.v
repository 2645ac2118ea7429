// formal_receive.v : rules of tern_link_receive: what is committed is a whole frame, whatever comes
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_receive (
  input wire       clk_i,
  input wire       valid_i,
  input wire [7:0] data_i,
  input wire       broken_i,
  input wire       full_i
);
  reg  f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire wr_valid, commit, rollback, bad, reset;
  wire [7:0] wr_data;
  tern_link_receive dut (
    .clk_i(clk_i), .rst_i(f_reset), .valid_i(valid_i && !f_reset), .data_i(data_i), .broken_i(broken_i),
    .wr_valid_o(wr_valid), .wr_data_o(wr_data), .commit_o(commit), .rollback_o(rollback), .full_i(full_i), .bad_o(bad), .reset_o(reset)
  );
  wire       f_begun, f_bad, f_second, f_is_reset; // connected: begun_q, bad_q, second_q, reset_q
  wire [8:0] f_left;                               // connected: left_q

  // What the queue has been given since the last commit or rollback: number of words, and the first two. A write while full is not stored.
  reg [8:0] f_n = 9'd0;
  reg [7:0] f_first = 8'd0, f_command = 8'd0;
  reg       f_lost = 1'b0;   // a word was not stored
  reg       f_broken = 1'b0; // a byte without stop bit
  always @(posedge clk_i)
    if (f_reset || commit || rollback) begin
      f_n      <= 9'd0;
      f_lost   <= 1'b0;
      f_broken <= 1'b0;
    end else begin
      if (wr_valid && !full_i) begin
        f_n <= (f_n == 9'd511) ? 9'd511 : f_n + 9'd1;
        if (f_n == 9'd0) f_first <= wr_data;
        if (f_n == 9'd1) f_command <= wr_data;
      end
      if (wr_valid && full_i) f_lost <= 1'b1;
      if (valid_i && broken_i) f_broken <= 1'b1;
    end

  always @* if (!f_reset) begin
    // 1. a committed frame is its length byte and as many bytes as it says; nothing of it was lost or broken
    if (commit) assert (f_n == {1'b0, f_first} + 9'd1 && !f_lost && !f_broken);
    // 2. every flag commits or rolls back, nothing else does, and never both or together with a write
    assert ((commit || rollback) == (valid_i && !broken_i && data_i == 8'h7e));
    assert (!(commit && rollback) && !((commit || rollback) && wr_valid));
    // 3. RESET is told exactly for a committed frame with this command
    if (reset && f_first != 8'd0) assert (commit && f_command == 8'h04); // the CRC of length 0 does not begin with 04
    if (commit && f_first != 8'd0 && f_command == 8'h04) assert (reset);
    // 4. a frame is refused only if there was something of one
    if (bad) assert (rollback);
    // 5. state (which makes the others inductive)
    assert (!f_second || f_begun);
    if (f_lost || f_broken) assert (f_bad);
    if (!f_begun) assert (f_n == 9'd0 && !f_bad && !f_second && !f_is_reset && !f_lost && !f_broken);
    if (f_begun && !f_bad) begin
      assert (f_left <= {1'b0, f_first} || f_left >= 9'h1fc);
      assert (f_n == (f_left[8] ? {1'b0, f_first} + 9'd1 : {1'b0, f_first} + 9'd1 - f_left));
      assert (f_second == (f_left == {1'b0, f_first} && f_n == 9'd1));
      if (f_n >= 9'd2) assert (f_is_reset == (f_command == 8'h04));
    end
    if (f_begun && !f_bad && f_first == 8'd0 && f_left[8:0] != 9'd0) assert (!f_second);
  end

  // the CRC is free to be right: these are reached whatever it is
  reg [1:0] f_commits = 2'd0;
  always @(posedge clk_i) if (commit && f_commits != 2'd3) f_commits <= f_commits + 2'd1;
  always @* begin
    cover (f_n == 9'd4 && f_first == 8'd3 && f_left == 9'h1fc);
    cover (rollback && f_lost && f_n == 9'd3);
    cover (bad && f_broken && f_n == 9'd2);
  end
endmodule

`default_nettype wire
