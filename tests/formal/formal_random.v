// formal_random.v : tern_random is Threefry-2x32-20 as docs/21-numerics.md, section 7, has it, for every key and
// counter
// SPDX-License-Identifier: Apache-2.0
//
// The specification goes along, a round in each cycle, written as the page is: key words by number, injections behind
// every fourth round, the rotation by a table of amounts. Its state is tied to the generator's before the injection
// that the generator still has to do, so what the induction compares is one round, from any state.
//! files   blocks/tern_random
//! solver  bits
//! bound   2
//! induct  1
//! reach   24
//! connect f_busy=dut.busy_q f_round=dut.round_q f_x0=dut.x0_q f_x1=dut.x1_q
//! connect f_key0=dut.key0_q f_key1=dut.key1_q
//! mutant  random_injection a_words RANDOM_INJECTION 24
`default_nettype none

module formal_random (
  input wire        clk_i,
  input wire        start_i,
  input wire [31:0] ctr0_i,
  input wire [31:0] ctr1_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg [31:0] key0, key1;
  wire        start = start_i && !f_reset;
  wire        done;
  wire [31:0] x0, x1;
  tern_random dut (
    .clk_i(clk_i), .rst_i(f_reset), .start_i(start), .key0_i(key0), .key1_i(key1), .ctr0_i(ctr0_i), .ctr1_i(ctr1_i),
    .done_o(done), .x0_o(x0), .x1_o(x1)
  );
  wire        f_busy;
  wire [4:0]  f_round;
  wire [31:0] f_x0, f_x1, f_key0, f_key1;

  // ---- specification: x0 += k0, x1 += k1; then 20 rounds, behind every fourth of them x0 += k[s mod 3], x1 += k[(s+1)
  // mod 3] + s with s = round / 4
  wire [31:0] key2 = 32'h1bd11bda ^ key0 ^ key1;
  function [4:0] amount(input [2:0] r);
    case (r)
      3'd0: amount = 5'd13;
      3'd1: amount = 5'd15;
      3'd2: amount = 5'd26;
      3'd3: amount = 5'd6;
      3'd4: amount = 5'd17;
      3'd5: amount = 5'd29;
      3'd6: amount = 5'd16;
      default: amount = 5'd24;
    endcase
  endfunction
  function [31:0] word(input [3:0] n, input [31:0] k0, input [31:0] k1, input [31:0] k2);
    word = (n == 4'd0 || n == 4'd3 || n == 4'd6) ? k0 : (n == 4'd1 || n == 4'd4) ? k1 : k2; // n mod 3, n at most 6
  endfunction
  reg         m_known = 1'b0;          // a start was seen
  reg  [4:0]  m_round = 5'd0;          // rounds done
  reg  [31:0] m_v0, m_v1;              // behind the injection, if there is one
  wire [4:0]  m_next = m_round + 5'd1;
  wire [31:0] m_sum  = m_v0 + m_v1;
  wire [31:0] m_turn = ((m_v1 << amount(m_round[2:0])) | (m_v1 >> (6'd32 - {1'b0, amount(m_round[2:0])}))) ^ m_sum;
  wire [3:0]  m_s    = {1'b0, m_next[4:2]};
  // the same before the injection
  reg  [31:0] f_v0, f_v1;
  always @(posedge clk_i)
    if (f_reset) begin
      m_known <= 1'b0;
    end else if (start) begin
      m_known <= 1'b1;
      m_round <= 5'd0;
      m_v0    <= ctr0_i + key0;
      m_v1    <= ctr1_i + key1;
      f_v0    <= ctr0_i;
      f_v1    <= ctr1_i;
    end else if (m_known && m_round != 5'd20) begin
      m_round <= m_next;
      m_v0    <= (m_next[1:0] == 2'd0) ? m_sum + word(m_s, key0, key1, key2) : m_sum;
      m_v1    <= (m_next[1:0] == 2'd0) ? m_turn + word(m_s + 4'd1, key0, key1, key2) + {28'd0, m_s} : m_turn;
      f_v0    <= m_sum;
      f_v1    <= m_turn;
    end

  reg m_zero = 1'b0; // started with counter 0
  always @(posedge clk_i) if (start) m_zero <= ctr0_i == 32'd0 && ctr1_i == 32'd0;
  reg m_was_last = 1'b0;
  always @(posedge clk_i) m_was_last <= m_known && m_round == 5'd19 && !start && !f_reset;
  always @* if (!f_reset) begin
    // 1. 21 cycles behind a start there are the words of the specification, and they stay
    if (m_known && m_round == 5'd20) a_words: assert (x0 == m_v0 && x1 == m_v1);
    // 2. done once, then
    a_done: assert (done == m_was_last);
    // state
    if (m_known) i_round: assert (f_round == m_round && m_round <= 5'd20 && f_busy == (m_round != 5'd20));
    if (!m_known) i_idle: assert (!f_busy && !done);
    if (m_known) i_state: assert (f_x0 == f_v0 && f_x1 == f_v1);
    if (m_known && m_round[1:0] != 2'd0) i_plain: assert (m_v0 == f_v0 && m_v1 == f_v1);
    if (m_known && m_round[1:0] != 2'd0) i_no_key: assert (f_key0 == 32'd0 && f_key1 == 32'd0);
    if (m_known && m_round[1:0] == 2'd0) i_key: assert (
        f_key0 == word({1'b0, m_round[4:2]}, key0, key1, key2) &&
        f_key1 == word({1'b0, m_round[4:2]} + 4'd1, key0, key1, key2) + {29'd0, m_round[4:2]});
    if (m_known && m_round[1:0] == 2'd0) i_injected: assert (m_v0 == f_v0 + word({1'b0, m_round[4:2]}, key0, key1, key2)
                                                             && m_v1 == f_v1 + word({1'b0, m_round[4:2]} + 4'd1, key0,
                                                                 key1, key2) + {29'd0, m_round[4:2]});
  end
  // the published answer
  always @* begin
    c_done: cover (done && m_zero && key0 == 32'd0 && key1 == 32'd0 && x0 == 32'h6b200159 && x1 == 32'h99ba4efe);
  end
endmodule

`default_nettype wire
