// tern_kernels.v : the taps that the lanes use: of the current row's filter, and of its learning kernel or a sample's
// SPDX-License-Identifier: Apache-2.0
//
// Function  taps_o and kernel_o in stage 2, their bases in stage 4, as tern_tapsum takes them: those of the row taken
//           last; KERNELS = 1: for a kernel sum of a sample the kernel that tern_taps has stored for it. There is room
//           for the kernels of two rows: while one is executed, tern_taps makes those of the next
// Latency   take2_i: two cycles after a row is taken, when the last operation of the row before has reached stage 2
`default_nettype none

module tern_kernels #(
  parameter TAPS_D   = 10,
  parameter HIST_W   = 14,  // history bits
  parameter TAP_W    = 9,
  parameter X_W      = 13,
  parameter KERNEL_W = 32,
  parameter DELTA_W  = 40,
  parameter SAMPLE_W = 3,   // bits of a sample number
  parameter KERNELS  = 0,   // 1: rows from neurons have a kernel for each sample
  // bits of a pair of taps: derived, do not set
  parameter T_PW     = 2 * TAP_W + 3,
  parameter K_PW     = 2 * KERNEL_W + 1
) (
  input  wire                     clk_i,
  // of the row
  input  wire                     take2_i,
  input  wire [(TAPS_D+1)/2*T_PW-1:0] row_taps_i,
  input  wire [X_W-1:0]           row_taps_base_i,
  input  wire [HIST_W/2*K_PW-1:0] row_kernel_i,
  input  wire [DELTA_W-1:0]       row_base_i,
  // of a sample: written pair by pair, the base with each of them
  input  wire [HIST_W/2-1:0]      we_i,
  input  wire [SAMPLE_W:0]        waddr_i,      // {row, sample}
  input  wire [HIST_W/2*K_PW-1:0] wdata_i,
  input  wire [DELTA_W-1:0]       base_i,
  // stage 1: the operation is one of a sample
  input  wire                     sample_i,
  input  wire [SAMPLE_W:0]        raddr_i,
  // output
  output wire [(TAPS_D+1)/2*T_PW-1:0] taps_o,
  output wire [X_W-1:0]           taps_base_o,
  output wire [HIST_W/2*K_PW-1:0] kernel_o,
  output wire [DELTA_W-1:0]       base_o
);
  reg               take3_q, take4_q, sample2_q, sample3_q;
  reg [X_W-1:0]     taps_next_q, taps_base_q;
  reg [DELTA_W-1:0] next_q, base_q, base2_q, base3_q;
  wire              sample = (KERNELS != 0) && sample_i;
`ifdef TERN_TESTBUG_KERNELS_ROW_SAME
  wire [SAMPLE_W:0] raddr = {1'b0, raddr_i[SAMPLE_W-1:0]};
`else
  wire [SAMPLE_W:0] raddr = raddr_i;
`endif
  wire [DELTA_W-1:0] base1;
  wire [HIST_W/2*K_PW-1:0] kernel1;
  always @(posedge clk_i) begin
    {take4_q, take3_q}     <= {take3_q, take2_i};
    {sample3_q, sample2_q} <= {sample2_q, sample};
    if (take2_i) {next_q, taps_next_q} <= {row_base_i, row_taps_base_i};
    if (take4_q) taps_base_q <= taps_next_q;
    base2_q <= base1;
    base3_q <= base2_q;
    if ((KERNELS != 0) && sample3_q) base_q <= base3_q;
    else if (take4_q) base_q <= next_q;
  end
  assign base_o      = base_q;
  assign taps_base_o = taps_base_q;

  // pair by pair {z, D / 2, S / 2}: as registers of their own, from which a simulator reads what every lane needs
  // without cutting it out of a long vector
  genvar pair;
  generate
    for (pair = 0; pair < HIST_W / 2; pair = pair + 1) begin : g_kernel
      reg [KERNEL_W-1:0] sum_q, less_q;
      reg                z_q;
      always @(posedge clk_i)
        if (sample) {z_q, less_q, sum_q} <= kernel1[pair*K_PW +: K_PW];
        else if (take2_i) {z_q, less_q, sum_q} <= row_kernel_i[pair*K_PW +: K_PW];
      assign kernel_o[pair*K_PW +: K_PW] = {z_q, less_q, sum_q};
    end
    for (pair = 0; pair < (TAPS_D + 1) / 2; pair = pair + 1) begin : g_taps
      reg [TAP_W:0]      sum_q, less_q;
      reg                z_q;
      always @(posedge clk_i) if (take2_i) {z_q, less_q, sum_q} <= row_taps_i[pair*T_PW +: T_PW];
      assign taps_o[pair*T_PW +: T_PW] = {z_q, less_q, sum_q};
    end
    if (KERNELS != 0) begin : g_samples
      for (pair = 0; pair < HIST_W / 2; pair = pair + 1) begin : g_pair
        tern_regfile #(.WIDTH(K_PW), .DEPTH(2 << SAMPLE_W), .ADDR_W(SAMPLE_W+1)) u_pair (
          .clk_i(clk_i), .we_i(we_i[pair]), .waddr_i(waddr_i), .wdata_i(wdata_i[pair*K_PW +: K_PW]), .raddr_i(raddr),
          .rdata_o(kernel1[pair*K_PW +: K_PW])
        );
      end
      tern_regfile #(.WIDTH(DELTA_W), .DEPTH(2 << SAMPLE_W), .ADDR_W(SAMPLE_W+1)) u_base (
        .clk_i(clk_i), .we_i(|we_i), .waddr_i(waddr_i), .wdata_i(base_i), .raddr_i(raddr), .rdata_o(base1)
      );
    end else begin : g_rows_only
      assign kernel1 = {(HIST_W/2*K_PW){1'b0}};
      assign base1   = {DELTA_W{1'b0}};
      wire unused_samples = &{1'b0, we_i, waddr_i, wdata_i, base_i, sample_i, raddr, kernel1, base3_q, sample3_q};
    end
  endgenerate
endmodule

`default_nettype wire
