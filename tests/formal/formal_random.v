// formal_random.v : tern_random is Threefry-2x32 with 20 rounds, for all keys and counters
// SPDX-License-Identifier: Apache-2.0
//
// A start, which finds any state, sets all of it; the rounds behind it are proved one by one. Key and counter are any, or, with KNOWN, those of a known answer
// (which shows that the reference is what it should be). The reference is a second generator beside it, written from the description: x1 is rotated by shifts, injections by their number.
//! files   blocks/tern_random
//! bound   3
//! induct  1
//! set     KNOWN=0
//! set     KNOWN=1 bound=24 induct=0
//! set     KNOWN=2 bound=24 induct=0
//! set     KNOWN=3 bound=24 induct=0
//! connect f_round=dut.round_q f_busy=dut.busy_q
//! reach   24
//! mutant  injection a_state RANDOM_INJECTION 8
`default_nettype none

module formal_random #(
  parameter KNOWN = 0
) (
  input wire clk_i
);
  (* anyconst *) reg [127:0] any;     // key0, key1, ctr0, ctr1
  wire [31:0] key0, key1, ctr0, ctr1;
  reg [4:0] f_time = 5'd0;
  always @(posedge clk_i) if (f_time != 5'd31) f_time <= f_time + 5'd1;
  wire start = (f_time == 5'd1);
  // key0, key1, ctr0, ctr1, x0, x1
  wire [191:0] answer = KNOWN == 1 ? {32'h00000000, 32'h00000000, 32'h00000000, 32'h00000000, 32'h6b200159, 32'h99ba4efe}
                      : KNOWN == 2 ? {32'hffffffff, 32'hffffffff, 32'hffffffff, 32'hffffffff, 32'h1cb996fc, 32'hbb002be7}
                                      : {32'h13198a2e, 32'h03707344, 32'h243f6a88, 32'h85a308d3, 32'hc4923a9c, 32'h483df7a0};
  assign {key0, key1, ctr0, ctr1} = (KNOWN == 0) ? any : answer[191:64];

  wire        done;
  wire        f_busy;   // connected: busy_q
  wire [4:0]  f_round;  // round_q
  wire [31:0] x0, x1;
  tern_random dut (.clk_i(clk_i), .rst_i(1'b0), .start_i(start), .key0_i(key0), .key1_i(key1), .ctr0_i(ctr0), .ctr1_i(ctr1), .done_o(done), .x0_o(x0), .x1_o(x1));

  // ---- reference: round r = 0..19 in the cycle f_time = r + 2 -----------------------------------------------------------------------------
  function [4:0] turn(input [2:0] r); // rotation of round r, modulo 8
    case (r)
      3'd0: turn = 5'd13; 3'd1: turn = 5'd15; 3'd2: turn = 5'd26; 3'd3: turn = 5'd6;
      3'd4: turn = 5'd17; 3'd5: turn = 5'd29; 3'd6: turn = 5'd16; default: turn = 5'd24;
    endcase
  endfunction
  wire [95:0] keys = {32'h1bd11bda ^ key0 ^ key1, key1, key0};                // k2, k1, k0
  function [31:0] key_word(input [95:0] k, input [3:0] n);                    // k[n mod 3]
    key_word = (n % 3 == 0) ? k[31:0] : (n % 3 == 1) ? k[63:32] : k[95:64];
  endfunction
  reg  [31:0] f_x0, f_x1;
  wire [4:0]  round = f_time - 5'd2;
  wire        running = (f_time >= 5'd2) && (f_time <= 5'd21);
  wire [31:0] y0 = f_x0 + f_x1;
  wire [31:0] y1 = ((f_x1 << turn(round[2:0])) | (f_x1 >> (6'd32 - turn(round[2:0])))) ^ y0;
  wire [3:0]  times = {1'b0, round[4:2]} + 4'd1;                              // number of the injection behind rounds 3, 7, ..
  wire        inject = (round % 4 == 3);
  always @(posedge clk_i)
    if (start) begin
      f_x0 <= ctr0 + key0;
      f_x1 <= ctr1 + key1;
    end else if (running) begin
      f_x0 <= inject ? y0 + key_word(keys, times) : y0;
      f_x1 <= inject ? y1 + key_word(keys, times + 4'd1) + {28'd0, times} : y1;
    end

  always @* begin
    // 1. after every round the words are those of the reference
    if (f_time >= 5'd2) a_state: assert (x0 == f_x0 && x1 == f_x1);
    // 2. it is done 21 cycles behind the start, and only then
    if (f_time >= 5'd2) a_done: assert (done == (f_time == 5'd22));
    // 3. the reference gives the known answers
    if (f_time == 5'd22 && KNOWN != 0) a_known: assert ({f_x0, f_x1} == answer[63:0]);
    // the cycle of a run
    i_time: assert (f_busy == running || f_time < 5'd2);
    if (running) i_round: assert (f_round == round);
    c_any: cover (done && key0 != ctr0 && key1 != ctr1);
  end
endmodule

`default_nettype wire
