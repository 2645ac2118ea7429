// formal_draw.v : tern_draw makes the words of each neuron in order, in its time, and only if there is room for them
// SPDX-License-Identifier: Apache-2.0
//
// One pass, found in the state behind a reset, with 1 to 8 neurons and 1 to 4 samples; tern_pass and tern_fire finish
// neurons that have begun, at any time. The generator is free but for its time, 21 cycles from its start:
// free_random.v.
//! files   free_random core/tern_draw
//! solver  bits
//! bound   30
//! induct  1
//! reach   60
//! connect f_x0=dut.x0 f_x1=dut.x1 f_state=dut.state_q f_neuron=dut.neuron_q f_k=dut.k_q f_go=dut.go_q
//! connect f_open=dut.open_q f_unfired=dut.unfired_q f_left=dut.u_random.left_q f_done=dut.u_random.done_q
//! mutant  halves_swapped a_draw DRAW_HALVES_SWAPPED 30
//! mutant  ahead a_room DRAW_AHEAD 30
`default_nettype none

module formal_draw (
  input wire clk_i,
  input wire end_i,
  input wire done_i
);
  (* anyconst *) reg        update, potential, clamp;
  (* anyconst *) reg [1:0]  sample_last;
  (* anyconst *) reg [2:0]  neuron_last;
  (* anyconst *) reg [3:0]  visible;
  (* anyconst *) reg [63:0] seed;
  (* anyconst *) reg [31:0] step;
  reg [5:0] f_time = 6'd0;
  always @(posedge clk_i) if (f_time != 6'd63) f_time <= f_time + 6'd1;
  reg  [3:0]   m_begun = 4'd0, m_dithers = 4'd0, m_drawn = 4'd0, m_ended = 4'd0, m_fired = 4'd0;
  reg  [2:0]   m_written = 3'd0;
  wire         idle, begun, dither, all, we;
  wire [127:0] words;
  wire [3:0]   at;
  wire [15:0]  draw;
  wire         ends = end_i && m_ended < m_begun && f_time >= 6'd2,
      fires = done_i && potential && m_fired < m_drawn && f_time >= 6'd2;
  tern_draw #(.SAMPLE_W(2), .NEURON_W(3)) dut (
    .clk_i(clk_i), .rst_i(f_time == 6'd0), .begin_i(f_time == 6'd1), .update_i(update), .potential_i(potential),
    .clamp_i(clamp),
    .idle_o(idle), .begun_o(begun), .dither_done_o(dither), .draws_done_o(all), .pass_end_i(ends), .fire_done_i(fires),
    .s_words_o(words), .draw_we_o(we), .draw_waddr_o(at), .draw_wdata_o(draw), .cfg_seed_i(seed), .cfg_step_i(step),
    .cfg_group0_i(12'd0),
    .cfg_neuron_last_i(neuron_last), .cfg_sample_last_i(sample_last), .cfg_visible_i(visible)
  );
  wire [31:0] f_x0, f_x1; // connected: words of the generator
  wire [63:0] m_words = {f_x1, f_x0};
  reg  [4:0]  m_since = 5'd0; // cycles since a dither word or a draw was last there, or a neuron began
  // nothing is asked for until the next neuron begins; in a flush there are no draws to wait for
  wire        rests   = !begun && (potential ? m_begun == m_drawn : !update || m_begun == m_dithers);
  wire [3:0]  current = m_begun - 4'd1; // neuron
  wire [3:0]  neurons = {1'b0, neuron_last} + 4'd1;
  wire        draws   = potential && !(clamp && current < visible);
  always @(posedge clk_i) if (f_time >= 6'd2) begin
    m_since <= (begun || dither || we || all || idle || rests) ? 5'd0 : m_since + 5'd1;
    if (begun) m_begun <= m_begun + 4'd1;
    if (begun) m_written <= 3'd0;
    else if (we) m_written <= m_written + 3'd1;
    if (dither) m_dithers <= m_dithers + 4'd1;
    if (all) m_drawn <= m_drawn + 4'd1;
    if (ends) m_ended <= m_ended + 4'd1;
    if (fires) m_fired <= m_fired + 4'd1;
  end
  always @* if (f_time >= 6'd2) begin
    // 1. a neuron begins if what the fourth one before it has is free, and not more neurons than there are
    if (begun) a_room: assert (m_begun - m_ended < 4'd4 && (!potential || m_begun - m_fired < 4'd4) &&
        m_begun <= {1'b0, neuron_last});
    // 2. draws are written in the order of the samples, each once, under the neuron's number
    if (we) a_order: assert (draws && at == {current[1:0], m_written[1:0]} && m_written <= {1'b0, sample_last});
    if (we) a_draw: assert (draw == m_words[16 * m_written[1:0] +: 16]);
    // 3. then everything that was asked for is there, in time
    if (all) a_written: assert (m_written + {2'd0, we} == (draws ? {1'b0, sample_last} + 3'd1 : 3'd0) &&
        m_drawn + 4'd1 == m_begun);
    if (all) a_dither: assert (m_dithers == (update ? m_begun : 4'd0));
    a_time: assert (m_since <= 5'd23);
    if (idle) a_ends: assert (m_begun == neurons && (!potential || m_drawn == m_begun));
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  localparam [2:0] ST_IDLE = 3'd0, ST_DITHER = 3'd1, ST_SPIKE = 3'd2, ST_WRITE = 3'd3, ST_NONE = 3'd4, ST_NEXT = 3'd5;
  wire [2:0]  f_state, f_neuron, f_open, f_unfired;
  wire [5:0]  f_k;
  wire [4:0]  f_left;
  wire        f_go, f_done;
  wire        i_makes = f_state == ST_DITHER || f_state == ST_SPIKE;                      // the generator works
  wire        i_busy  = i_makes || f_state == ST_WRITE || f_state == ST_NONE;
  wire [3:0]  i_ready = i_busy ? current : m_begun;                                       // neurons with all words
  always @* begin
    if (f_time == 6'd1) i_reset: assert (f_state == ST_IDLE);
    if (f_time == 6'd1) i_random: assert (!f_go && f_left == 5'd0 && !f_done);
    if (f_time < 6'd2) i_first: assert (m_begun == 4'd0 && m_dithers == 4'd0 && m_drawn == 4'd0 && m_ended == 4'd0 &&
        m_fired == 4'd0 && m_written == 3'd0 && m_since == 5'd0);
    if (f_time >= 6'd2) begin
      i_state: assert (f_state <= ST_NEXT && m_begun <= neurons);
      if (i_busy) i_current: assert (m_begun != 4'd0 && {1'b0, f_neuron} == current);
      if (f_state == ST_NEXT) i_next: assert (m_begun < neurons && {1'b0, f_neuron} == m_begun);
      if (f_state == ST_IDLE) i_idle: assert (m_begun == neurons);
      i_drawn: assert (m_drawn == (potential ? i_ready : 4'd0));
      i_dithers: assert (m_dithers == (!update ? 4'd0 : f_state == ST_DITHER ? current : m_begun));
      i_counts: assert ({1'b0, f_open} == m_begun - m_ended && m_ended <= m_begun && m_begun - m_ended <= 4'd4);
      i_fires: assert ({1'b0, f_unfired} == (potential ? m_begun - m_fired : 4'd0) && m_fired <= m_drawn &&
          (!potential || m_begun - m_fired <= 4'd4));
      i_wanted: assert ((f_state != ST_DITHER || update) && (f_state != ST_SPIKE || draws) &&
          (f_state != ST_WRITE || draws) && (f_state != ST_NONE || !draws));
      if (i_busy) i_k: assert (f_k <= {4'd0, sample_last} && {3'd0, m_written} == f_k && (!i_makes || f_k == 6'd0) &&
          (f_state != ST_NONE || f_k == 6'd0));
      // the generator is started, works or is done
      if (!i_makes) i_rests: assert (!f_go && f_left == 5'd0 && !f_done);
      if (i_makes) i_works: assert (f_left <= 5'd20 && (f_left != 5'd0 ? !f_go && !f_done : f_go != f_done));
      i_time: assert (m_since == (i_makes ? (f_go ? 5'd0 : 5'd21 - f_left) :
          f_state == ST_WRITE && f_k == 6'd0 ? 5'd22 : 5'd0));
    end
  end
  always @* if (f_time >= 6'd2) begin
    c_two: cover (m_drawn == 4'd2 && update && m_dithers == 4'd2);
    c_four: cover (m_begun == 4'd5);
  end
endmodule

`default_nettype wire
