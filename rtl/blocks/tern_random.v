// tern_random.v : counter-based random generator Threefry-2x32, 20 rounds, one round per cycle
// SPDX-License-Identifier: Apache-2.0
//
// Function  (x0, x1) = threefry2x32_20(key, counter)                                       [docs/21, section 7]
// C model   runtime/blocks/tern_random.c, tern_threefry2x32()
// Latency   start_i in cycle 0, done_o in cycle 21 with x0_o, x1_o (held until the next start)
`default_nettype none

module tern_random (
  input  wire        clk_i,
  input  wire        rst_i,
  // input
  input  wire        start_i,
  input  wire [31:0] key0_i,
  input  wire [31:0] key1_i,
  input  wire [31:0] ctr0_i,
  input  wire [31:0] ctr1_i,
  // output
  output wire        done_o,
  output wire [31:0] x0_o,
  output wire [31:0] x1_o
);
  reg         busy_q, done_q;
  reg  [4:0]  round_q;
  reg  [31:0] x0_q, x1_q;

  // key injection n = 0..5 before rounds 0, 4, 8, 12, 16 and behind round 19: x0 += k[n mod 3], x1 += k[(n+1) mod 3] +
  // n. What is added before a round, 0 before the others, is made in the cycle before it, so that only two adders lie
  // behind one another. Of the key words only two are there: k2 = 0x1BD11BDA ^ k0 ^ k1.
  // select: 0 nothing, 1 k0, 2 k1, 3 k2
  reg  [31:0] key0_q, key1_q;
  wire [4:0]  round_next = start_i ? 5'd0 : round_q + 5'd1;
  wire        inject     = (round_next[1:0] == 2'd0);
  wire [2:0]  injection  = round_next[4:2];
  reg  [1:0]  select0, select1;
  always @* begin
    case (injection)
      3'd0, 3'd3: begin select0 = 2'd1; select1 = 2'd2; end
      3'd1, 3'd4: begin select0 = 2'd2; select1 = 2'd3; end
      default:    begin select0 = 2'd3; select1 = 2'd1; end
    endcase
    if (!inject) begin
      select0 = 2'd0;
      select1 = 2'd0;
    end
  end
  function [31:0] key_word(input [1:0] select, input [31:0] k0, input [31:0] k1);
    key_word = ({32{select[0]}} & k0) ^ ({32{select[1]}} & k1) ^ ({32{&select}} & 32'h1BD11BDA);
  endfunction
`ifdef TERN_TESTBUG_RANDOM_INJECTION
  wire [2:0]  number = 3'd0;
`else
  wire [2:0]  number = inject ? injection : 3'd0;
`endif
  always @(posedge clk_i)
    if (start_i || busy_q) begin
      key0_q <= key_word(select0, key0_i, key1_i);
      key1_q <= key_word(select1, key0_i, key1_i) + {29'd0, number};
    end
  wire [31:0] x0_in = x0_q + key0_q;
  wire [31:0] x1_in = x1_q + key1_q;

  // one round: x0 += x1; x1 = rotl(x1, R) ^ x0
  wire [31:0] sum = x0_in + x1_in;
  reg  [31:0] rotated;
  always @* begin
    case (round_q[2:0])
      3'd0:    rotated = {x1_in[18:0], x1_in[31:19]}; // 13
      3'd1:    rotated = {x1_in[16:0], x1_in[31:17]}; // 15
      3'd2:    rotated = {x1_in[5:0],  x1_in[31:6]};  // 26
      3'd3:    rotated = {x1_in[25:0], x1_in[31:26]}; // 6
      3'd4:    rotated = {x1_in[14:0], x1_in[31:15]}; // 17
      3'd5:    rotated = {x1_in[2:0],  x1_in[31:3]};  // 29
      3'd6:    rotated = {x1_in[15:0], x1_in[31:16]}; // 16
      default: rotated = {x1_in[7:0],  x1_in[31:8]};  // 24
    endcase
  end

  always @(posedge clk_i) begin
    done_q <= 1'b0;
    if (start_i) begin
      busy_q  <= 1'b1;
      round_q <= 5'd0;
      x0_q    <= ctr0_i;
      x1_q    <= ctr1_i;
    end else if (busy_q) begin
      round_q <= round_q + 5'd1;
      x0_q    <= sum;
      x1_q    <= rotated ^ sum;
      if (round_q == 5'd19) begin
        busy_q <= 1'b0;
        done_q <= 1'b1;
      end
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end
  end

  assign done_o = done_q;
  assign x0_o   = x0_in; // round_q is 20: the last injection
  assign x1_o   = x1_in;
endmodule

`default_nettype wire
