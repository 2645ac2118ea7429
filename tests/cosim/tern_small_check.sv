// tern_small_check.sv : in co-simulation, where the program of the small core may reach through its pointers
// SPDX-License-Identifier: Apache-2.0
//
// Bound to every tern_small of the tests. A word that the program loads from 96..113 (but for 109) is the
// first one, as are 123, 127, 239 and 240 of a core with every rule, of a region of the data memory
// (docs/43-small-core.md); what is computed from it, variables and pointers, belongs to that region, and each access
// through such a pointer has to stay inside what the loaded network uses of the region (of rows, taps and targets:
// inside what the core has). So a pointer that strays is found where it reads or writes, also where no record shows it.
// Where it does, the run ends with "tern_small_check: ..." and the address.
`default_nettype none

module tern_small_check #(
  parameter DM_AW = 11, SAMPLE_W = 3, SAMPLES = 8, ERRORS = 4096, ROWS = 512, TARGETS = 16, TAPS = 56,
      KERNEL_TAPS = 256, HIST_WORDS = 1024, DEEP = 1536,
  parameter B_TABLE = 0, B_EXP = 0, B_ROW = 0, B_NEURON = 0, B_PLACE = 0, B_TAPS = 0, B_LOCAL = 0, B_ERROR = 0,
      B_TARGET = 0, B_EK = 0, B_V = 0, B_M = 0, B_LOSS = 0, B_DRAW = 0, B_E = 0,
      SIGNALS = 0, B_W = 0, B_MI = 0, B_LOG = 0, B_KAP = 0, B_BASE = 0, B_G = 0
) (
  input wire             clk_i,
  input wire             rst_i,
  // registers that the host writes
  input wire             reg_we_i,
  input wire [6:0]       reg_i,
  input wire [31:0]      reg_wdata_i,
  // the instruction in S1: reads, but for those that a jump leaves out
  input wire [14:0]      arg1_i,
  input wire             re_i,
  input wire             result_re_i,
  input wire [DM_AW-1:0] raddr_i,
  // in S2: writes
  input wire             live2_i,
  input wire [4:0]       op2_i,
  input wire [14:0]      arg2_i,
  input wire             we_i,
  input wire [DM_AW-1:0] waddr_i
);
  localparam [4:0] OP_CSUB = 5'd0, OP_LD = 5'd1, OP_ADD = 5'd2, OP_SUB = 5'd3, OP_LDI = 5'd9, OP_RSUB = 5'd7,
      OP_DBL = 5'd11, OP_SHIFT = 5'd12, OP_INC = 5'd13, OP_ADDTO = 5'd14, OP_AX = 5'd16, OP_ROUND = 5'd17,
      OP_ST = 5'd18,
                   OP_PD = 5'd20, OP_PA = 5'd24; // compiler/micro/tern_micro.h
  localparam [2:0] SP_DATA = 3'd0, SP_ROW = 3'd1, SP_FRAME = 3'd2, SP_HIST = 3'd3, SP_TAPS = 3'd4, SP_HIGH = 3'd6,
      SP_LOW = 3'd7;
  // a region is the number of its first word's variable less 95, or from R_MI on as here; 0: none
  localparam [4:0] R_TABLE = 5'd1, R_EXP = 5'd2, R_ROW = 5'd3, R_NEURON = 5'd4, R_PLACE = 5'd5, R_TAPS = 5'd6,
      R_LOCAL = 5'd7, R_ERROR = 5'd8, R_TARGET = 5'd9, R_EK = 5'd10, R_V = 5'd11, R_M = 5'd12, R_LOSS = 5'd13,
      R_LOG = 5'd15, R_DRAW = 5'd16, R_W = 5'd17, R_MI = 5'd19, R_KAP = 5'd20, R_BASE = 5'd21, R_G = 5'd22;

  // ---- the network --------------------------------------------------------------------------------------------------
  reg [31:0] neurons = 32'd0, samples = 32'd0, lags = 32'd0, hist0 = 32'd0, sample_words = 32'd0,
      signal_first = 32'd0;
  reg        clears = 1'b0, reset_q = 1'b0; // before the first reset registers are undefined
  always @(posedge clk_i) reset_q <= reset_q || rst_i;
  wire       runs = reset_q && !rst_i;
  always @(posedge clk_i) if (reg_we_i) begin
    case (reg_i)
      7'd2:  clears       <= reg_wdata_i[4] && !reg_wdata_i[0];
      7'd32: neurons      <= reg_wdata_i + 32'd1;
      7'd34: samples      <= reg_wdata_i + 32'd1;
      7'd36: lags         <= reg_wdata_i + 32'd1;
      7'd37: hist0        <= reg_wdata_i;
      7'd38: sample_words <= reg_wdata_i;
      7'd52: signal_first <= reg_wdata_i;
      default: ;
    endcase
  end

  function [31:0] first_of(input [4:0] region);
    case (region)
      R_TABLE:  first_of = B_TABLE;
      R_EXP:    first_of = B_EXP;
      R_ROW:    first_of = B_ROW;
      R_NEURON: first_of = B_NEURON;
      R_PLACE:  first_of = B_PLACE;
      R_TAPS:   first_of = B_TAPS;
      R_LOCAL:  first_of = B_LOCAL;
      R_ERROR:  first_of = B_ERROR;
      R_TARGET: first_of = B_TARGET;
      R_EK:     first_of = B_EK;
      R_V:      first_of = B_V;
      R_M:      first_of = B_M;
      R_LOSS:   first_of = B_LOSS;
      R_DRAW:   first_of = B_DRAW;
      R_LOG:    first_of = B_LOG;
      R_W:      first_of = B_W;
      R_MI:     first_of = B_MI;
      R_KAP:    first_of = B_KAP;
      R_BASE:   first_of = B_BASE;
      R_G:      first_of = B_G;
      default:  first_of = B_E; // 18
    endcase
  endfunction
  // words of it that the network uses; clearing goes over all errors, and over v and m in one go
  function [31:0] words_of(input [4:0] region);
    case (region)
      R_TABLE:          words_of = 32'd512;
      R_EXP:            words_of = 32'd178;
      R_ROW:            words_of = 4 * ROWS;
      R_NEURON, R_PLACE: words_of = neurons;
      R_TAPS:           words_of = TAPS;
      R_LOCAL:          words_of = 32'd2 * neurons;
      R_ERROR:          words_of = clears ? ERRORS : neurons * samples * lags;
      R_TARGET:         words_of = TARGETS;
      R_EK:             words_of = lags;
      R_V:              words_of = clears ? ((SIGNALS != 0) ? 3 : 2) * SAMPLES : samples;
      R_DRAW:           words_of = (samples + 32'd3) & ~32'd3;
      R_LOG:            words_of = 32'd128;
      R_KAP:            words_of = lags;
      R_BASE:           words_of = 32'd2 * (neurons - signal_first);
      R_G:              words_of = 32'd2 * samples;
      default:          words_of = samples;
    endcase
  endfunction

  // ---- whose words A, the variables and the pointers are about ------------------------------------------------------
  reg [4:0] a_q = 5'd0, p_q [0:3], v_q [0:255], at2_q = 5'd0;
  integer   i;
  initial begin
    // 96 is 0 in five bits
    for (i = 0; i < 256; i = i + 1)
      v_q[i] = (i >= 96 && i <= 113 && i != 109 && (SIGNALS != 0 || (i != 110 && i != 112))) ? i[4:0] + 5'd1 : 5'd0;
    if (SIGNALS != 0) begin
      v_q[123] = R_MI;
      v_q[127] = R_KAP;
      v_q[239] = R_BASE;
      v_q[240] = R_G;
    end
    for (i = 0; i < 4; i = i + 1) p_q[i] = 5'd0;
  end
  wire       direct = !arg2_i[14] && arg2_i[10:8] == SP_DATA;
  wire [4:0] d      = direct ? v_q[arg2_i[7:0]] : 5'd0;
  wire [4:0] sum    = (a_q == 5'd0) ? d : (d == 5'd0) ? a_q : 5'd0;
  always @(posedge clk_i) if (runs && live2_i) begin
    case (op2_i)
      OP_LD, OP_INC:                                   a_q <= d;
      OP_ADD, OP_ADDTO:                                a_q <= sum;
      OP_SUB:                                          a_q <= (d == 5'd0) ? a_q : 5'd0;
      OP_CSUB, OP_RSUB, OP_LDI, OP_DBL, OP_AX, OP_ROUND: a_q <= 5'd0;
      OP_SHIFT: if (!arg2_i[9] && !arg2_i[10])         a_q <= 5'd0;
      default: ;
    endcase
    if (direct && op2_i == OP_ST) v_q[arg2_i[7:0]] <= a_q;
    if (direct && op2_i == OP_ADDTO) v_q[arg2_i[7:0]] <= sum;
    if (op2_i[4:2] == OP_PD[4:2]) p_q[op2_i[1:0]] <= d;
    if (op2_i[4:2] == OP_PA[4:2]) p_q[op2_i[1:0]] <= sum;
  end
  wire [4:0] at1 = p_q[arg1_i[13:12]];
  always @(posedge clk_i) at2_q <= at1;

  // ---- rules --------------------------------------------------------------------------------------------------------
  function lies_in(input [4:0] region, input [31:0] at);
    lies_in = at >= first_of(region) && at - first_of(region) < words_of(region);
  endfunction
  wire [31:0] from = {{(32-DM_AW){1'b0}}, raddr_i}, to = {{(32-DM_AW){1'b0}}, waddr_i};
  wire        data = arg2_i[10:8] == SP_DATA || arg2_i[10:8] == SP_LOW || arg2_i[10:8] == SP_HIGH;
  // what the program may write
  wire        changes = at2_q == R_LOCAL || at2_q == R_ERROR || (at2_q >= R_V && at2_q <= R_LOSS) ||
      (at2_q >= R_DRAW && at2_q != R_KAP);
  wire [31:0] pairs = neurons * samples;
  wire        framed = (to >= hist0 && to < hist0 + samples * sample_words) ||
      (to >= HIST_WORDS && to < HIST_WORDS + pairs);
  always @(posedge clk_i) if (runs) begin
    if (re_i && arg1_i[14] && at1 != 5'd0 && !lies_in(at1, from)) stop("a read outside the region", {27'd0, at1}, from);
    if (re_i && arg1_i[14] && at1 == 5'd0) stop("a read through a pointer to no region", 32'd0, from);
    if (we_i && data && arg2_i[14] && !(changes && lies_in(at2_q, to))) stop("a write outside the region",
        {27'd0, at2_q}, to);
    if (we_i && data && !arg2_i[14] && !((to >= 32'd64 && to < 32'd96) ||
        (to >= 32'd128 && to < 32'd231))) stop("a constant or setting is written", 32'd0, to);
    if (result_re_i && arg1_i[14] &&
        {{(32-SAMPLE_W){1'b0}}, raddr_i[SAMPLE_W:1]} >= samples) stop("results of a sample that there is not", 32'd0,
        from);
    if (we_i && arg2_i[10:8] == SP_ROW && to >= 32'd256) stop("a word outside the row buffer is written", 32'd0, to);
    if (we_i && arg2_i[10:8] == SP_TAPS && to >= KERNEL_TAPS) stop("a word outside the kernel's taps is written", 32'd0,
        to);
    if (we_i && arg2_i[10:8] == SP_HIST && to >= DEEP) stop("a word outside the histories is written", 32'd0, to);
    if (we_i && arg2_i[10:8] == SP_FRAME && (clears ? to >= DEEP : !framed)) stop("a word outside the frame is written",
        32'd0, to);
  end
  task stop(input [8*48-1:0] what, input [31:0] region, input [31:0] at);
    begin
      $display("tern_small_check: %0s: variable %0d, address %0d", what,
          region == 32'd0 ? 32'd0 : region == {27'd0, R_MI} ? 32'd123 : region == {27'd0, R_KAP} ? 32'd127
               : region > {27'd0, R_KAP} ? region + 32'd218 : region + 32'd95, at);
      $fatal;
    end
  endtask
  wire unused = &{1'b0, arg1_i[11:0], arg2_i[13:11]};
endmodule

bind tern_small tern_small_check #(
  .DM_AW(DM_AW), .SAMPLE_W(SAMPLE_W), .SAMPLES(SAMPLES), .ERRORS(ERRORS), .ROWS(ROWS), .TARGETS(TARGETS),
  .TAPS(FILTERS * TAPS_D), .KERNEL_TAPS(FILTERS << (STRIDE_W + 1)), .HIST_WORDS(HIST_WORDS), .DEEP(DEEP),
  .B_TABLE(B_TABLE), .B_EXP(B_EXP), .B_ROW(B_ROW), .B_NEURON(B_NEURON), .B_PLACE(B_PLACE), .B_TAPS(B_TAPS),
  .B_LOCAL(B_LOCAL), .B_ERROR(B_ERROR), .B_TARGET(B_TARGET), .B_EK(B_EK), .B_V(B_V), .B_M(B_M), .B_LOSS(B_LOSS),
  .B_DRAW(B_DRAW), .B_E(B_E), .SIGNALS(SIGNALS), .B_W(B_W), .B_MI(B_MI), .B_LOG(B_LOG), .B_KAP(B_KAP),
  .B_BASE(B_BASE), .B_G(B_G)
) u_check (
  .clk_i(clk_i), .rst_i(rst_i), .reg_we_i(hwrite && is_reg), .reg_i(where[6:0]), .reg_wdata_i(host_wdata_i),
  .arg1_i(u_micro.ir[14:0]), .re_i(u_micro.re_o && u_micro.live), .result_re_i(u_micro.result_re_o && u_micro.live),
  .raddr_i(m_raddr),
  .live2_i(u_micro.live2_q), .op2_i(u_micro.op_q), .arg2_i(u_micro.arg_q), .we_i(m_we), .waddr_i(m_waddr)
);

`default_nettype wire
