// tern_axis_out_bench.v : spikes of 1 to 32 samples, read and sent as events, with markers, through a stream that waits
// SPDX-License-Identifier: Apache-2.0
//! files bridge/tern_axis_out
//! mutant overwrites bench BUS_AXIS_OUT_OVERWRITES beats
`default_nettype none
`timescale 1ns / 1ns

module tern_axis_out_bench;
  localparam ROUNDS = 60, NEURONS = 8;
  reg         clk = 1'b0, rst = 1'b1, run = 1'b0, mark = 1'b0, mark_last = 1'b0;
  reg  [15:0] neurons = 16'd1, mark_class = 16'd0;
  reg  [5:0]  samples = 6'd1;
  reg         host_ready = 1'b0, host_rvalid = 1'b0, host_spike = 1'b0, ready = 1'b0;
  wire        done, mark_done, host_valid, valid, last;
  wire [23:0] host_word;
  wire [31:0] data;
  tern_axis_out dut (
    .clk_i(clk), .rst_i(rst), .neurons_i(neurons), .samples_i(samples), .run_i(run), .done_o(done), .mark_i(mark),
    .mark_last_i(mark_last), .mark_class_i(mark_class), .mark_done_o(mark_done), .host_valid_o(host_valid),
    .host_ready_i(host_ready), .host_word_o(host_word), .host_rvalid_i(host_rvalid), .host_spike_i(host_spike),
    .m_axis_tdata(data), .m_axis_tvalid(valid), .m_axis_tready(ready), .m_axis_tlast(last)
  );
  always #5 clk = !clk;

  // what must come, {TLAST, TDATA}, and what came
  reg  [32:0]              wanted [0:65535];
  reg  [NEURONS*32-1:0]    spikes;
  integer                  n_wanted = 0, n_got = 0, n_wrong = 0, seed = 7, round, n, k, due = 0;
  reg                      answer;
  always @(posedge clk) begin
    if (valid && ready) begin
      if (n_got >= n_wanted || wanted[n_got] != {last, data}) n_wrong = n_wrong + 1;
      n_got = n_got + 1;
    end
    // the core: an answer some cycles after a read
    host_rvalid <= (due == 1);
    host_spike  <= (due == 1) ? answer : $random(seed);
    if (due > 0) due = due - 1;
    if (host_valid && host_ready) begin
      due    = 1 + ($random(seed) & 3);
      answer = spikes[host_word];
      if (host_word >= neurons * samples) n_wrong = n_wrong + 1;
    end
    host_ready <= $random(seed);
    ready      <= (round % 3 == 0) || ($random(seed) & 3) == 0;
  end

  initial begin
    round = 0;
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    for (round = 0; round < ROUNDS; round = round + 1) begin
      // numbers of samples about the powers of two, and the largest
      case (round % 8)
        0: samples = 6'd32;
        1: samples = 6'd1;
        2: samples = 6'd17;
        3: samples = 6'd16;
        4: samples = 6'd31;
        default: samples = 6'd1 + ($random(seed) & 31);
      endcase
      neurons = 16'd1 + ($random(seed) & (NEURONS - 1));
      for (n = 0; n < NEURONS; n = n + 1) spikes[32*n +: 32] = (round % 5 == 4) ? 32'd0 : $random(seed) | $random(seed);
      for (n = 0; n < neurons; n = n + 1)
        for (k = 0; k < samples; k = k + 1)
          if (spikes[n*samples+k]) begin
            wanted[n_wanted] = {1'b0, 3'd0, k[4:0], 8'd0, n[15:0]};
            n_wanted = n_wanted + 1;
          end
      @(posedge clk) run <= 1'b1;
      @(posedge clk);
      while (!done) @(posedge clk);
      run        <= 1'b0;
      mark       <= 1'b1;
      mark_last  <= $random(seed);
      mark_class <= $random(seed);
      #1 wanted[n_wanted] = {mark_last, 3'd6, 5'd0, 8'd0, mark_class};
      n_wanted = n_wanted + 1;
      @(posedge clk);
      while (!mark_done) @(posedge clk);
      mark <= 1'b0;
    end
    round = 0; // nothing waits any more
    repeat (20) @(posedge clk);
    if (n_wrong != 0 || n_got != n_wanted) begin
      $display("FAILED: %0d beats differ, %0d beats instead of %0d", n_wrong, n_got, n_wanted);
      $fatal;
    end
    $display("axis: %0d beats of %0d steps as they should be", n_got, ROUNDS);
    $finish;
  end
endmodule
`default_nettype wire
