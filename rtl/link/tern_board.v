// tern_board.v : core and link behind four pins
// SPDX-License-Identifier: Apache-2.0
//
// Function  tern_core with tern_link at its host port; both are reset until the clock is ready and for 16 clocks more,
//           and the core when the host asks for it. LED: lit while a session is open, and dimmed by what the host
//           sends.
// C model   runtime/link/tern_link_device.c, runtime/engine/tern_golden.c
`default_nettype none

module tern_board #(
  // Clock in Hz; bits per second, at most CLK_HZ / 4; log2 of the bytes of each of the link's buffers, 9..12.
  parameter CLK_HZ     = 12000000,
  parameter BAUD       = 115200,
  parameter BUFFER_AW  = 9,
  // Capacities: see tern_core.
  parameter LANES      = 4,
  parameter WEIGHT_W   = 16,
  parameter SAMPLES    = 8,
  parameter NEURONS    = 64,
  parameter PAIRS      = 512,
  parameter ERRORS     = 2048,
  parameter TAPS_D     = 10,
  parameter LAGS_W     = 4,
  parameter HIST_W     = 14,
  parameter FILTERS    = 4,
  parameter ROWS       = 256,
  parameter WORDS      = 4096,
  parameter HIST_WORDS = 512,
  parameter TARGETS    = 32,
  parameter TAP_W      = 9,
  parameter X_W        = 14,
  parameter KERNEL_W   = 32,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  parameter INDEX_W    = 24,
  parameter SIGNALS    = 0,
  parameter BASELINES  = 0,
  parameter WTA        = 0,
  parameter CLASSES    = 0,
  parameter KERNELS    = 0,
  parameter WAYS       = 1,
  parameter WAY_WORDS  = 1,
  parameter PREP       = 1,
  parameter SKIP       = 0,
  // 0: tern_core; 1, 2, 3: tern_small.
  parameter SMALL      = 0
) (
  input  wire clk_i,
  input  wire ready_i, // the clock has its rate: a PLL has locked; 1 where there is none. May change at any time
  input  wire rx_i,    // wants a pull-up
  output wire tx_o,
  output wire led_o
);
  // FPGAs start registers with the value given here; the only ones that need it.
  reg [4:0] power_q;
  (* ASYNC_REG = "TRUE", SHREG_EXTRACT = "NO", syn_preserve = 1, syn_srlstyle = "registers",
     altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *) reg [1:0] ready_q; // see tern_uart_rx
  reg       core_rst_q;
  initial power_q = 5'd0;
  initial ready_q = 2'd0;
  initial core_rst_q = 1'b1;
  wire      rst = !power_q[4];
  wire      core_rst, open;
  always @(posedge clk_i) begin
    ready_q <= {ready_q[0], ready_i};
    if (!ready_q[1]) power_q <= 5'd0;
    else if (!power_q[4]) power_q <= power_q + 5'd1;
    core_rst_q <= rst || core_rst;
  end

  wire        host_valid, host_ready, host_write, host_rvalid, busy;
  wire [31:0] host_addr, host_wdata, host_rdata;
  tern_link #(.CLK_HZ(CLK_HZ), .BAUD(BAUD), .BUFFER_AW(BUFFER_AW)) u_link (
    .clk_i(clk_i), .rst_i(rst), .rx_i(rx_i), .tx_o(tx_o),
    .host_valid_o(host_valid), .host_ready_i(host_ready), .host_write_o(host_write), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata),
    .host_rvalid_i(host_rvalid), .host_rdata_i(host_rdata), .busy_i(busy), .core_rst_o(core_rst), .open_o(open)
  );
  generate // values that the core or the link does not have are refused there
    if (SMALL == 0) begin : g_core
      tern_core #(
        .LANES(LANES), .WEIGHT_W(WEIGHT_W), .SAMPLES(SAMPLES), .NEURONS(NEURONS), .PAIRS(PAIRS), .ERRORS(ERRORS),
        .TAPS_D(TAPS_D), .LAGS_W(LAGS_W), .HIST_W(HIST_W),
        .FILTERS(FILTERS), .ROWS(ROWS), .WORDS(WORDS), .HIST_WORDS(HIST_WORDS), .TARGETS(TARGETS), .TAP_W(TAP_W),
        .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W),
        .ACC_W(ACC_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS),
        .BASELINES(BASELINES), .WTA(WTA), .CLASSES(CLASSES), .KERNELS(KERNELS), .WAYS(WAYS),
        .WAY_WORDS(WAY_WORDS), .PREP(PREP), .SKIP(SKIP)
      ) u_core (
        .clk_i(clk_i), .rst_i(core_rst_q), .host_valid_i(host_valid), .host_ready_o(host_ready),
        .host_write_i(host_write), .host_addr_i(host_addr),
        .host_wdata_i(host_wdata), .host_rvalid_o(host_rvalid), .host_rdata_o(host_rdata), .busy_o(busy)
      );
    end else begin : g_small
      tern_small #(
        .LANES(LANES), .WEIGHT_W(WEIGHT_W), .SAMPLES(SAMPLES), .NEURONS(NEURONS), .PAIRS(PAIRS), .ERRORS(ERRORS),
        .TAPS_D(TAPS_D), .LAGS_W(LAGS_W), .HIST_W(HIST_W),
        .FILTERS(FILTERS), .ROWS(ROWS), .WORDS(WORDS), .HIST_WORDS(HIST_WORDS), .TARGETS(TARGETS), .TAP_W(TAP_W),
        .X_W(X_W), .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W),
        .ACC_W(ACC_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS),
        .BASELINES(BASELINES), .WTA(WTA), .CLASSES(CLASSES), .KERNELS(KERNELS), .WAYS(WAYS),
        .WAY_WORDS(WAY_WORDS), .PREP(PREP), .SKIP(SKIP), .SMALL(SMALL)
      ) u_core (
        .clk_i(clk_i), .rst_i(core_rst_q), .host_valid_i(host_valid), .host_ready_o(host_ready),
        .host_write_i(host_write), .host_addr_i(host_addr),
        .host_wdata_i(host_wdata), .host_rvalid_o(host_rvalid), .host_rdata_o(host_rdata), .busy_o(busy)
      );
    end
  endgenerate
  assign led_o = open && rx_i;
endmodule

`default_nettype wire
