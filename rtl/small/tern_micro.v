// tern_micro.v : the sequencer of the small core: everything but the pass over the weights
// SPDX-License-Identifier: Apache-2.0
//
// Function  runs the program of tern_micro_rom (compiler/micro/tern_microcode.c): an accumulator machine of 32 bits
//           with one data memory, four pointers and two counters. Instructions and what they do:
//           compiler/micro/tern_micro.h.
// Latency   one instruction per cycle; a jump that is taken costs one more, unless it lets the instruction behind it
//           act (conditions 24..28). A round of a loop costs none: bit 11 of its last instruction but one
// Stages    0 program memory; 1 (S1) address of the operand; 2 (S2) operand, arithmetic, writes, jumps
`default_nettype none

module tern_micro #(
  // 10: the program of rule GEM; 11: that of all the core has.
  parameter PC_W = 10,
  // Address bits of the data memory, 8..13.
  parameter DM_AW = 11
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             go_i,          // pulse: the program runs from its beginning
  output wire             busy_o,
  // memory: data and results, read
  output wire             re_o,          // of the data memory
  output wire             result_re_o,
  output wire [DM_AW-1:0] raddr_o,
  input  wire [31:0]      data_rdata_i,
  input  wire [31:0]      result_rdata_i,
  // writes: which memory, address, data
  output wire             we_o,
  output wire [2:0]       space_o,
  output wire [DM_AW-1:0] waddr_o,
  output wire [31:0]      wdata_o,       // while nothing runs: host_wdata_i
  input  wire [31:0]      host_wdata_i,
  input  wire [17:0]      sat_count_i,
  // commands: bits of a CTL instruction
  output wire             ctl_o,
  output wire [14:0]      ctl_code_o,
  output wire [31:0]      a_o,           // register A
  // conditions from outside: 0 row buffer full, 1 no results of a neuron yet, 2 the pass is not idle, 3 taps were
  // written, 4 tern_kernel is busy, 5 rows of a neuron are left, 6, 7 flags
  input  wire [7:0]       wait_i
);
  localparam [4:0] OP_CSUB = 5'd0, OP_LD = 5'd1, OP_ADD = 5'd2, OP_SUB = 5'd3, OP_LDX = 5'd4, OP_XADD = 5'd5,
      OP_MUL = 5'd6, OP_RSUB = 5'd7, OP_LDI = 5'd9,
                   OP_ADDI = 5'd10, OP_DBL = 5'd11, OP_SHIFT = 5'd12, OP_INC = 5'd13, OP_ADDTO = 5'd14,
                   OP_FAR = 5'd15 /* JMP to 1024 and up, with PC_W 11 */, OP_AX = 5'd16, OP_ROUND = 5'd17,
                   OP_ST = 5'd18,
                   OP_LDS = 5'd19, OP_PD = 5'd20 /* ..23 */, OP_PA0 = 5'd24, OP_PA1 = 5'd25, OP_PA2 = 5'd26,
                   OP_PA3 = 5'd27, OP_C0 = 5'd28, OP_C1 = 5'd29, OP_JMP = 5'd30, OP_CTL = 5'd31;

  // ---- program ------------------------------------------------------------------------------------------------
  reg              run_q;
  reg  [PC_W-1:0]  pc_q, link_q;
  wire [19:0]      ir;
  wire             jump;                   // S2
  wire [PC_W-1:0]  target;
  wire [PC_W-1:0]  pc_behind = pc_q + 1'b1;
  wire [PC_W-1:0]  pc_next = !run_q ? {PC_W{1'b0}} : jump ? target : pc_behind;
  generate
    if (PC_W == 10) begin : g_gem
      tern_micro_rom #(.PC_W(PC_W)) u_rom (.clk_i(clk_i), .addr_i(pc_next), .ir_o(ir));
    end else begin : g_rules
      tern_micro_rules #(.PC_W(PC_W)) u_rom (.clk_i(clk_i), .addr_i(pc_next), .ir_o(ir));
    end
  endgenerate
  wire             stop;
  always @(posedge clk_i) begin
    pc_q <= pc_next;
    if (go_i) run_q <= 1'b1;
    if (stop) run_q <= 1'b0;
    if (rst_i) run_q <= 1'b0;
  end
  wire             slot;                   // S2: the jump lets the instruction in S1 act
  wire             live = run_q && (!jump || slot) && !stop;  // S1

  // ---- S1: operand ----------------------------------------------------------------------------------------------
  wire [4:0]       op1 = ir[19:15];
  wire             jump1 = (op1 == OP_JMP) || (PC_W > 10 && op1 == OP_FAR);
  wire             indirect = ir[14];
  reg  [DM_AW-1:0] p0_q, p1_q, p2_q, p3_q;
  wire [DM_AW-1:0] p1 = ir[13] ? (ir[12] ? p3_q : p2_q) : (ir[12] ? p1_q : p0_q);
  wire [DM_AW-1:0] at = indirect ? p1 : {{(DM_AW-8){1'b0}}, ir[7:0]};
  wire             steps = live && indirect && ir[0] && (op1 != OP_LDI) && (op1 != OP_ADDI) && !jump1 &&
      (op1 != OP_CTL) && (op1 != OP_ROUND)
                           && (op1 != OP_SHIFT);
  // bit 11 of what has an operand: a round of the loop that begins at the link ends behind the next instruction
  wire             loops   = live && ir[11] && (op1 != OP_LDI) && (op1 != OP_ADDI) && !jump1 && (op1 != OP_CTL);
  wire [DM_AW-1:0] p_next = p1 + {{(DM_AW-1){ir[1]}}, 1'b1};  // +1 or -1
  // also what a jump leaves out: it writes nothing meanwhile
  wire             reads   = run_q && ((op1 <= OP_RSUB) || (op1 == OP_INC) || (op1 == OP_ADDTO) || (op1 == OP_LDS) ||
      (op1[4:2] == OP_PD[4:2]) || (op1[4:2] == OP_PA0[4:2]) || (op1 == OP_C0) || (op1 == OP_C1));
  assign re_o        = reads && (ir[10:8] == 3'd0);
  assign result_re_o = reads && (ir[10:8] == 3'd1);
  assign raddr_o = at;

  // what S2 selects, found here
  reg  [4:0]       shift_q;
  reg  [1:0]       x_select;
  always @* begin
    case (op1)
      OP_CSUB, OP_ADD, OP_SUB, OP_ADDI, OP_DBL, OP_ST, OP_CTL, OP_ADDTO:         x_select = 2'd1;
      OP_PA0, OP_PA1, OP_PA2, OP_PA3:                                                     x_select = 2'd1;
      OP_XADD, OP_AX, OP_ROUND:                                                           x_select = 2'd2;
      OP_RSUB:                                                                            x_select = 2'd3;
      OP_SHIFT:                                                                           x_select = {1'b0, ir[10]};
      default:                                                                            x_select = 2'd0;
    endcase
  end
  wire             idle    = !run_q || stop || rst_i; // S2 then adds nothing to the host's data
  wire             alone   = (op1 == OP_AX) || (op1 == OP_ST) || (op1 == OP_CTL);  // A or X as they are
  wire             shifts  = (op1 == OP_DBL) || (op1 == OP_SHIFT) || (op1 == OP_ROUND);
  wire             minus   = (op1 == OP_SUB) || (op1 == OP_CSUB);
  wire             inc     = minus || (op1 == OP_RSUB) || (op1 == OP_INC);
  wire [4:0]       n       = (op1 == OP_SHIFT) ? (ir[5] ? shift_q : ir[4:0]) : 5'd0;

  // ---- S2 ---------------------------------------------------------------------------------------------------------
  reg              live2_q;
  reg  [4:0]       op_q;
  reg  [14:0]      arg_q;
  reg  [DM_AW-1:0] at2_q;
  reg  [31:0]      a_q, x_q, p_q;
  reg  [7:0]       c0_q;
  reg  [5:0]       c1_q;
  reg              loop_q;
  reg              from_result_q, from_sat_q;
  wire [31:0]      operand = from_result_q ? result_rdata_i : from_sat_q ? {14'd0, sat_count_i} : data_rdata_i;
  // second addend: what comes from the shifter, or d, -d - 1, a number: one of the two is 0
  reg  [1:0]       other_q, x_select_q;
  reg              inc_q, cin_q, fill_q, from_a_q, from_p_q;
  reg  [4:0]       n_q;
  wire [31:0]      number  = busy_o ? {{17{arg_q[14]}}, arg_q} : host_wdata_i;
  wire [31:0]      other   = other_q[1] ? (other_q[0] ? 32'd0 : number) : operand ^ {32{other_q[0]}};
  // shifts: of A or P, into A or X
  wire [31:0]      shifted = (a_q & {32{from_a_q}}) | (p_q & {32{from_p_q}});
  wire             fill    = fill_q && shifted[31];
  // One bit more below, which rounds; without a shift it is 1 for what adds 1. First by multiples of 4, then by 0..3.
  // The lowest bits, where the carries of the sum begin, have a choice of eight in two look-up tables one after
  // another, not three: pairs and their sum. by_q: one of n / 8.
  wire [32:0]      b0 = {shifted, inc_q};
  reg  [3:0]       by_q;
  wire [43:0]      all = {{11{fill}}, b0};
  wire [32:16]     b1 = n_q[4] ? {{16{fill}}, b0[32]} : b0[32:16];
  wire [32:16]     b2 = n_q[3] ? {{8{fill}}, b1[32:24]} : b1;
  wire [32:16]     b3 = n_q[2] ? {{4{fill}}, b2[32:20]} : b2;
  wire [32:0]      b4;
  genvar           i;
  generate
    for (i = 0; i < 33; i = i + 1) begin : g_shift
      if (i < 16) begin : g_fast
        assign b4[i] = (((n_q[2] ? all[i+4] : all[i]) && by_q[0]) || ((n_q[2] ? all[i+12] : all[i+8]) && by_q[1]))
                       || (((n_q[2] ? all[i+20] : all[i+16]) && by_q[2]) ||
                           ((n_q[2] ? all[i+28] : all[i+24]) && by_q[3]));
      end else begin : g_slow
        assign b4[i] = b3[i];
      end
    end
  endgenerate
  wire [32:0]      b5 = n_q[0] ? {fill, b4[32:1]} : b4;
  wire [32:0]      b6 = n_q[1] ? {{2{fill}}, b5[32:2]} : b5;
  wire [31:0]      y   = b6[32:1] | other;
  // first addend: 0, A, X or -A - 1
  wire [31:0]      x   = x_select_q[1] ? (x_select_q[0] ? ~a_q : x_q) : a_q & {32{x_select_q[0]}};
`ifdef TERN_TESTBUG_MICRO_SHIFT_FLOOR
  wire             cin = b6[0] && inc_q;
`else
  wire             cin = b6[0] && cin_q;
`endif
  wire [33:0]      sum = {1'b0, x, 1'b1} + {1'b0, y, cin}; // bit 33: A >= d
  wire [31:0]      r   = sum[32:1];
  wire             unused_sum = sum[0];
  // Threefry-2x32 rotates by 13, 15, 6, 29 or by 13 + 11, 15 + 11, 6 + 11, 5 + 11: two steps take fewer cells than a
  // choice of eight
  reg  [31:0]      turned;
  always @* begin
    case (arg_q[1:0])
      2'd0:    turned = {x_q[18:0], x_q[31:19]};
      2'd1:    turned = {x_q[16:0], x_q[31:17]};
      2'd2:    turned = {x_q[25:0], x_q[31:26]};
      default: turned = arg_q[2] ? {x_q[26:0], x_q[31:27]} : {x_q[2:0], x_q[31:3]};
    endcase
  end
  wire [31:0]      rotated = arg_q[2] ? {turned[20:0], turned[31:21]} : turned;
  wire to_a = (op_q == OP_CSUB && sum[33]) || (op_q == OP_LD) || (op_q == OP_ADD) || (op_q == OP_SUB) ||
      (op_q == OP_RSUB) || (op_q == OP_LDI) || (op_q == OP_ADDI) || (op_q == OP_DBL)
              || (op_q == OP_SHIFT && !arg_q[9]) || (op_q == OP_INC) || (op_q == OP_ADDTO) || (op_q == OP_AX) ||
                  (op_q == OP_ROUND);
  wire to_x = (op_q == OP_LDX) || (op_q == OP_XADD) || (op_q == OP_ROUND) || (op_q == OP_SHIFT && arg_q[9]);

  // jumps
  wire       last0  = (c0_q == 8'd1);
  wire       fits29 = (a_q[31:28] == {4{a_q[31]}});
  wire       top    = (a_q[31:15] == {17{a_q[31]}});
  wire       some   = |a_q[10:0];
  wire       fits16 = top && (!a_q[31] || some || (|a_q[14:11]));
  wire       fits12 = top && (a_q[14:11] == {4{a_q[31]}}) && (!a_q[31] || some);
  // the last SUB went beyond 32 bits: both addends have one sign, the sum the other
  wire       over;
  reg        holds;
  always @* begin
    case (arg_q[14:10])
      5'd0, 5'd1, 5'd2, 5'd24, 5'd25, 5'd26: holds = 1'b1; // jump, call, return
      5'd3, 5'd27: holds = !last0;
      5'd4, 5'd28: holds = (c1_q != 6'd1);
      5'd5:    holds = a_q[31];
      5'd6:    holds = !a_q[31];
      5'd7:    holds = (a_q == 32'd0);
      5'd8:    holds = (a_q != 32'd0);
      5'd9:    holds = a_q[0];
      5'd10:   holds = !a_q[0];
      5'd11:   holds = !fits16;
      5'd12:   holds = !fits29;
      5'd13:   holds = !fits12;
      5'd14:   holds = over;
      5'd16:   holds = wait_i[0];
      5'd17:   holds = wait_i[1];
      5'd18:   holds = wait_i[2];
      5'd19:   holds = wait_i[3];
      5'd20:   holds = wait_i[4];
      5'd21:   holds = wait_i[5];
      5'd22:   holds = wait_i[6];
      default: holds = wait_i[7];
    endcase
  end
  wire   jumps = live2_q && ((op_q == OP_JMP) || (PC_W > 10 && op_q == OP_FAR));
  assign jump   = (jumps && holds) || (loop_q && !last0);
  assign slot   = loop_q || (arg_q[14] && arg_q[13]);
  wire [4:0] cond = arg_q[14:10];
  wire [PC_W-1:0] there;
  assign target = (loop_q || cond == 5'd2 || cond == 5'd26) ? link_q : there;
  generate
    if (PC_W == 10) begin : g_near
      assign there = arg_q[9:0];
      assign over  = wait_i[7]; // not asked
    end else begin : g_far
      reg over_q;
      always @(posedge clk_i) if (live2_q && op_q == OP_SUB) over_q <= (x[31] == y[31]) && (r[31] != x[31]);
`ifdef TERN_TESTBUG_MICRO_NO_OVER
      assign over  = 1'b0;
      wire unused_over = over_q;
`else
      assign over  = over_q;
`endif
      assign there = {!op_q[4], arg_q[9:0]};
    end
  endgenerate
  assign stop   = live2_q && (op_q == OP_CTL) && arg_q[0];
  // Nothing is under way from configuration on: the edge at which the first reset is seen would end it, but let it
  // write once more, perhaps over a constant of the data memory.
`ifdef TERN_TESTBUG_MICRO_POWER_UP
`else
  initial live2_q = 1'b0;
`endif

  always @(posedge clk_i) begin
    live2_q <= live;
    op_q    <= op1;
    loop_q  <= loops;
    arg_q   <= ir[14:0];
    at2_q   <= at;
    x_select_q <= idle ? 2'd0 : x_select;
    other_q    <= (idle || op1 == OP_LDI || op1 == OP_ADDI) ? 2'd2 : (alone || shifts) ? 2'd3 : {1'b0, minus};
    inc_q      <= !idle && inc;
    cin_q      <= (!idle && inc) || (op1 == OP_SHIFT && !ir[7] && ir[6]);
    fill_q     <= !ir[7];
    from_result_q <= (ir[10:8] == 3'd1);
    from_sat_q    <= (ir[10:8] == 3'd2);
    from_a_q   <= !idle && shifts && !(op1 == OP_SHIFT && ir[8]);
    from_p_q   <= !idle && (op1 == OP_SHIFT) && ir[8];
    n_q        <= n;
    by_q       <= {n[4] && n[3], n[4] && !n[3], !n[4] && n[3], !n[4] && !n[3]};
    if (live2_q && to_a) a_q <= {r[31:1], r[0] || op_q == OP_CSUB};
    if (live2_q && to_x) x_q <= (op_q == OP_ROUND) ? rotated ^ r : r;
    if (live2_q && op_q == OP_MUL) p_q <= $signed(x_q[15:0]) * $signed(operand[15:0]);
    if (live2_q && op_q == OP_LDS) shift_q <= r[4:0];
    if (live2_q && op_q == OP_C0) c0_q <= r[7:0];
    else if (loop_q || (jumps && (cond == 5'd3 || cond == 5'd27))) c0_q <= c0_q - 8'd1;
    if (live2_q && op_q == OP_C1) c1_q <= r[5:0];
    else if (jumps && (cond == 5'd4 || cond == 5'd28)) c1_q <= c1_q - 6'd1;
    // S1 holds the instruction behind the call
    if (jumps && (cond == 5'd1 || cond == 5'd25)) link_q <= slot ? pc_behind : pc_q;
    // pointers: a step in S1, a value in S2
    if (steps && ir[13:12] == 2'd0) p0_q <= p_next;
    if (steps && ir[13:12] == 2'd1) p1_q <= p_next;
    if (steps && ir[13:12] == 2'd2) p2_q <= p_next;
    if (steps && ir[13:12] == 2'd3) p3_q <= p_next;
    if (live2_q && (op_q[4:2] == OP_PD[4:2] || op_q[4:2] == OP_PA0[4:2])) begin
      if (op_q[1:0] == 2'd0) p0_q <= r[DM_AW-1:0];
      if (op_q[1:0] == 2'd1) p1_q <= r[DM_AW-1:0];
      if (op_q[1:0] == 2'd2) p2_q <= r[DM_AW-1:0];
      if (op_q[1:0] == 2'd3) p3_q <= r[DM_AW-1:0];
    end
    if (rst_i) begin
      live2_q <= 1'b0;
      loop_q  <= 1'b0;
    end
  end

  assign busy_o     = run_q || live2_q;
  assign we_o       = live2_q && (op_q == OP_ST || op_q == OP_INC || op_q == OP_ADDTO);
  assign space_o    = arg_q[10:8];
  assign waddr_o    = at2_q;
  assign wdata_o    = r;
  assign ctl_o      = live2_q && (op_q == OP_CTL);
  assign ctl_code_o = arg_q;
  assign a_o        = a_q;
endmodule

`default_nettype wire
