// formal_draw.v : tern_draw ends in time and writes each sample's draw once, whatever it is asked for
// SPDX-License-Identifier: Apache-2.0
//
// One start, found in the state behind a reset, with 1 to 4 samples. It ends within 22 cycles for each block and one for each sample, so `bound` is all that there is.
// The generator is free but for its time, 21 cycles from its start: free_random.v.
//! files   free_random core/tern_draw
//! bound   54
//! reach   54
//! connect f_x0=dut.x0 f_x1=dut.x1
//! mutant  halves_swapped a_draw DRAW_HALVES_SWAPPED 28
`default_nettype none

module formal_draw (
  input wire clk_i
);
  (* anyconst *) reg        update, potential;
  (* anyconst *) reg [1:0]  sample_last;
  (* anyconst *) reg [2:0]  neuron;
  (* anyconst *) reg [63:0] seed;
  (* anyconst *) reg [31:0] step;
  reg [5:0] f_time = 6'd0;
  always @(posedge clk_i) if (f_time != 6'd63) f_time <= f_time + 6'd1;
  wire        start = (f_time == 6'd1);
  wire        idle, ready, all, we;
  wire [31:0] s0, s1;
  wire [2:0]  at;
  wire [15:0] draw;
  tern_draw #(.SAMPLE_W(2), .NEURON_W(3)) dut (
    .clk_i(clk_i), .rst_i(f_time == 6'd0), .start_i(start), .update_i(update), .potential_i(potential), .neuron_i(neuron), .idle_o(idle), .dither_ready_o(ready),
    .draws_done_o(all), .s_word0_o(s0), .s_word1_o(s1), .draw_we_o(we), .draw_waddr_o(at), .draw_wdata_o(draw), .cfg_seed_i(seed), .cfg_step_i(step),
    .cfg_group0_i(12'd0), .cfg_sample_last_i(sample_last)
  );
  wire [31:0] f_x0, f_x1; // connected: words of the generator
  wire [63:0] m_words = {f_x1, f_x0};
  reg [2:0] m_written = 3'd0;
  reg       m_all = 1'b0;
  always @(posedge clk_i) begin
    if (we && f_time != 6'd0) m_written <= m_written + 3'd1;
    if (all && f_time != 6'd0) m_all <= 1'b1;
  end
  wire [5:0] m_end = 6'd2 + (update ? 6'd22 : 6'd0) + (potential ? 6'd23 + {4'd0, sample_last} : 6'd0);
  always @* if (f_time >= 6'd2) begin
    // 1. draws are written in the order of the samples, each once, under the neuron's parity
    if (we) a_order: assert (potential && at == {neuron[0], m_written[1:0]} && m_written <= {1'b0, sample_last});
    if (we) a_draw: assert (draw == m_words[16 * m_written[1:0] +: 16]);
    // 2. it is idle again after exactly so many cycles; then everything that was asked for is there
    a_ends: assert (idle == (f_time >= m_end));
    if (idle) a_written: assert (m_written == (potential ? {1'b0, sample_last} + 3'd1 : 3'd0) && m_all == potential);
    if (idle) a_dither: assert (ready == update);
    c_all: cover (idle && update && m_written == 3'd4);
  end
  wire unused = &{1'b0, s0, s1, draw};
endmodule

`default_nettype wire
