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

  // key schedule word n of {k0, k1, k2}
  wire [31:0] key2 = 32'h1BD11BDA ^ key0_i ^ key1_i;

  // one round: x0 += x1; x1 = rotl(x1, R) ^ x0
  wire [31:0] sum = x0_q + x1_q;
  reg  [31:0] rotated;
  always @* begin
    case (round_q[2:0])
      3'd0:    rotated = {x1_q[18:0], x1_q[31:19]}; // 13
      3'd1:    rotated = {x1_q[16:0], x1_q[31:17]}; // 15
      3'd2:    rotated = {x1_q[5:0],  x1_q[31:6]};  // 26
      3'd3:    rotated = {x1_q[25:0], x1_q[31:26]}; // 6
      3'd4:    rotated = {x1_q[14:0], x1_q[31:15]}; // 17
      3'd5:    rotated = {x1_q[2:0],  x1_q[31:3]};  // 29
      3'd6:    rotated = {x1_q[15:0], x1_q[31:16]}; // 16
      default: rotated = {x1_q[7:0],  x1_q[31:8]};  // 24
    endcase
  end
  wire [31:0] mixed = rotated ^ sum;

  // key injection n = 1..5 after rounds 3, 7, 11, 15, 19: x0 += k[n mod 3], x1 += k[(n+1) mod 3] + n
  wire [2:0] injection = round_q[4:2] + 3'd1;
  reg [31:0] inject0, inject1;
  always @* begin
    case (injection)
      3'd1, 3'd4: begin inject0 = key1_i; inject1 = key2;   end
      3'd2, 3'd5: begin inject0 = key2;   inject1 = key0_i; end
      default:    begin inject0 = key0_i; inject1 = key1_i; end
    endcase
  end
  wire last_of_four = &round_q[1:0];
  wire [31:0] x0_round = last_of_four ? sum + inject0 : sum;
`ifdef TERN_TESTBUG_RANDOM_INJECTION
  wire [31:0] x1_round = last_of_four ? mixed + inject1 : mixed;
`else
  wire [31:0] x1_round = last_of_four ? mixed + inject1 + {29'd0, injection} : mixed;
`endif

  always @(posedge clk_i) begin
    done_q <= 1'b0;
    if (start_i) begin
      busy_q  <= 1'b1;
      round_q <= 5'd0;
      x0_q    <= ctr0_i + key0_i;
      x1_q    <= ctr1_i + key1_i;
    end else if (busy_q) begin
      round_q <= round_q + 5'd1;
      x0_q    <= x0_round;
      x1_q    <= x1_round;
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
  assign x0_o   = x0_q;
  assign x1_o   = x1_q;
endmodule

`default_nettype wire
