// formal_step.v : a step of the whole core never stands still: until it ends, some engine has something to do
// SPDX-License-Identifier: Apache-2.0
//
// tern_core with all its engines' control; what they compute, and what memories and the generator give, is free. The host writes anything while the core is idle. Row words and neurons are any that the planner makes.
// With the times of formal.pass, formal.prepare, formal.fire, formal.draw and formal.signal, each engine with something to do continues, and there are only so many rows and neurons: so every step that is
// started ends (docs/41-proofs.md).
//! files   mem/tern_ram mem/tern_bank mem/tern_regfile blocks/tern_history blocks/tern_random blocks/tern_tapsum blocks/tern_trace blocks/tern_dither blocks/tern_weight blocks/tern_potential
//! files   blocks/tern_neuron blocks/tern_coefficient blocks/tern_modulator blocks/tern_baseline blocks/tern_signal blocks/tern_vote blocks/tern_wta
//! files   core/tern_host core/tern_control core/tern_draw core/tern_fire core/tern_lane core/tern_way core/tern_lanesum core/tern_ways core/tern_local core/tern_pass core/tern_taps core/tern_learn core/tern_prepare core/tern_ahead core/tern_core
//! cut     tern_ram tern_regfile tern_random tern_lane tern_taps tern_history tern_trace tern_dither tern_weight tern_potential tern_neuron tern_coefficient tern_modulator
//! solver  bits
//! bound   4
//! induct  1
//! reach   90
//! connect f_busy=dut.u_control.busy_q f_begin=dut.u_control.begin_q f_clearing=dut.u_control.clearing_q f_potential=dut.u_control.potential_q f_update=dut.u_control.update_q f_all=dut.u_control.fire_all_q
//! connect f_count=dut.u_control.fire_count_q f_signal_wait=dut.u_control.signal_wait_q f_done=dut.u_control.step_done f_neuron_last=dut.u_control.cfg_neuron_last_q f_visible=dut.u_control.cfg_visible_q
//! connect p_state=dut.u_prepare.state_q p_neuron=dut.u_prepare.neuron_q p_fired=dut.u_prepare.fired_q p_valid=dut.u_prepare.valid_q p_row_last=dut.u_prepare.last_q p_row_kind=dut.u_prepare.kind_q
//! connect p_last_first=dut.u_prepare.last_first_q p_first=dut.u_prepare.first_q p_prologue=dut.u_prepare.prologue_q p_start=dut.u_prepare.start p_publish=dut.u_prepare.publish p_wait=dut.u_prepare.wait_q
//! connect p_row=dut.u_prepare.rows_rdata_i p_row_at=dut.u_prepare.row_q a_act=dut.u_pass.act_q a_last=dut.u_pass.last_q a_kind=dut.u_pass.kind_q a_stall=dut.u_pass.stall a_pending=dut.u_pass.sums_pending_q
//! connect a_take=dut.u_pass.take a_took=dut.u_pass.take_q a_drain=dut.u_pass.drain_q a_close=dut.u_pass.close_q a_sums=dut.u_pass.sums_valid_q a_idle=dut.u_pass.idle_o
//! connect r_state=dut.u_fire.state_q r_neuron=dut.u_fire.neuron_q r_locals=dut.u_fire.locals_q r_draws=dut.u_fire.draws_q r_sums=dut.u_fire.sums_q r_start=dut.u_fire.start r_drain=dut.u_fire.drain_q
//! connect d_state=dut.u_draws.state_q d_ready=dut.u_draws.ready_q s_busy=dut.u_signal.busy_o f_base_busy=dut.baseline_busy f_vote_busy=dut.vote_busy
//! mutant  ready_late a_goes_on PREPARE_READY_LATE 24
`default_nettype none

module formal_step (
  input wire        clk_i,
  input wire        valid_i,
  input wire        write_i,
  input wire [31:0] addr_i,
  input wire [31:0] wdata_i
);
  localparam NEURONS = 3;
  localparam [4:0] ST_IDLE = 5'd0, ST_PROLOGUE = 5'd1, ST_START = 5'd2, ST_SELF = 5'd3, ST_COEF = 5'd4, ST_COEF_WAIT = 5'd5, ST_ROW = 5'd6,
                   ST_TAPS = 5'd7, ST_TAPS_WAIT = 5'd8, ST_PUBLISH = 5'd9, ST_BIAS = 5'd10, ST_LOCAL = 5'd11, ST_START_ACC = 5'd12, ST_ACC = 5'd13,
                   ST_ACC_WAIT = 5'd14, ST_FETCH = 5'd15, ST_BASE = 5'd16, ST_KAP = 5'd17;
  localparam [2:0] FI_IDLE = 3'd0, FI_WAIT = 3'd1, FI_RUN = 3'd2, FI_DRAIN = 3'd3;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        ready, rvalid, busy;
  wire [31:0] rdata;
  tern_core #(
    .LANES(1), .WEIGHT_W(4), .SAMPLES(2), .NEURONS(NEURONS), .PAIRS(6), .ERRORS(18), .TAPS_D(1), .LAGS_W(3), .HIST_W(4), .FILTERS(1), .ROWS(5), .WORDS(5), .HIST_WORDS(7), .TARGETS(3)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .host_valid_i(valid_i && !f_reset), .host_ready_o(ready), .host_write_i(write_i), .host_addr_i(addr_i), .host_wdata_i(wdata_i), .host_rvalid_o(rvalid), .host_rdata_o(rdata), .busy_o(busy)
  );
  wire        f_busy, f_begin, f_clearing, f_potential, f_update, f_all, f_signal_wait, f_done, p_valid, p_row_last, p_last_first, p_first, p_prologue, p_start, p_publish;
  wire        a_act, a_last, a_stall, a_pending, a_take, a_took, a_sums, a_idle, r_sums, r_start, d_ready, s_busy, f_base_busy, f_vote_busy;
  wire [1:0]  f_count, f_neuron_last, p_neuron, p_row_kind, a_kind, a_drain, r_neuron, r_locals, r_draws, d_state;
  wire [2:0]  f_visible, p_fired, p_row_at, r_state, r_drain;
  wire [3:0]  p_wait;
  wire [4:0]  p_state;
  wire [9:0]  a_close;
  wire [31:0] p_row;

  // ---- what the planner makes: a word stays as long as its address does; rows of kind shift before the first neuron only
  reg  [2:0]  m_row_at = 3'd0, m_row_was = 3'd0;
  reg  [31:0] m_row = 32'd0;
  reg         m_held = 1'b0;
  wire        looks  = p_state == ST_ROW || p_state == ST_TAPS || p_state == ST_TAPS_WAIT || p_state == ST_PUBLISH;
  always @(posedge clk_i) begin
    m_row_at  <= p_row_at;
    m_row_was <= m_row_at;
    m_row     <= p_row;
    m_held    <= 1'b1;
  end
  wire [2:0] count = {1'b0, f_neuron_last} + 3'd1;
  always @* begin
    assume (f_neuron_last < NEURONS && f_visible <= count);
    if (m_held && m_row_at == m_row_was) assume (p_row == m_row);
    if (looks) assume (p_row[1:0] != 2'd2);
    if (p_state == ST_PROLOGUE && p_row[1:0] == 2'd2) assume (!p_row[3]);
  end

  // ---- the rule: something moves
  wire run   = f_busy && !f_begin && !f_clearing;
  wire moves_prepare = p_state != ST_IDLE && !(p_state == ST_PROLOGUE && p_row[1:0] == 2'd2 && p_valid) && !(p_state == ST_START && p_wait == 4'd0 && !p_start) && !(p_state == ST_ROW && p_valid)
                       && !(p_state == ST_PUBLISH && !p_publish);
  wire moves_pass    = a_take || a_took || a_drain != 2'd0 || (a_act ? !a_stall : !a_idle) || a_close != 10'd0 || a_sums;
  wire moves_fire    = r_state == FI_RUN || r_state == FI_DRAIN || r_start;
  always @* if (!f_reset) begin
    if (run) a_goes_on: assert (moves_prepare || moves_pass || moves_fire || d_state != 2'd0 || s_busy || f_done);
    // and no engine is at work between steps
    if (!f_busy && !f_begin) a_rests: assert (p_state == ST_IDLE && !p_valid && !a_act && d_state == 2'd0 && !s_busy && r_state != FI_RUN && r_state != FI_DRAIN);
  end

  // ---- registers: neurons started, prepared, drawn, handed over, fired
  wire       fires     = r_state == FI_RUN || r_state == FI_DRAIN;
  wire       at_local  = p_state == ST_BIAS || p_state == ST_LOCAL || p_state == ST_START_ACC || p_state == ST_ACC || p_state == ST_ACC_WAIT;
  wire       before    = p_state == ST_IDLE || p_state == ST_PROLOGUE || p_state == ST_START || (p_state == ST_FETCH && p_prologue);
  wire       has_local = !p_first && (looks || p_state == ST_FETCH) && !before;
  wire [2:0] started   = {1'b0, p_neuron} + {2'd0, !before};
  wire [2:0] locals    = {1'b0, p_neuron} + {2'd0, has_local};
  wire [2:0] lasts     = {1'b0, p_neuron} + {2'd0, p_last_first && at_local};
  wire [3:0] closing   = {3'd0, a_close[0]} + {3'd0, a_close[1]} + {3'd0, a_close[2]} + {3'd0, a_close[3]} + {3'd0, a_close[4]} + {3'd0, a_close[5]} + {3'd0, a_close[6]} + {3'd0, a_close[7]} + {3'd0, a_close[8]}
                         + {3'd0, a_close[9]} + {3'd0, a_sums} + {3'd0, r_sums} + {3'd0, fires};
  always @* if (!f_reset) begin
    i_states: assert (p_state <= ST_COEF_WAIT + 5'd12 && p_state != ST_BASE && p_state != ST_KAP && r_state <= FI_DRAIN && !f_base_busy && (!f_begin || f_busy) && (!f_clearing || f_busy) && !(f_clearing && f_begin));
    if (!f_busy || f_begin || f_clearing) i_rests: assert (p_state == ST_IDLE && !p_valid && a_idle && a_close == 10'd0 && !a_sums && d_state == 2'd0 && !s_busy && !fires && (r_state == FI_IDLE || !r_sums));
    if (p_state != ST_IDLE || p_valid || a_act || d_state != 2'd0 || fires) i_runs: assert (run);
    if (f_begin) i_begin: assert (f_signal_wait == f_potential && !f_all && f_count == 2'd0);
    if (run) begin
      i_prepare: assert (p_neuron <= f_neuron_last || (p_state == ST_IDLE && {1'b0, p_neuron} == count));
      i_prologue: assert ((!p_prologue && p_state != ST_PROLOGUE) || (p_prologue && p_neuron == 2'd0 && (p_state == ST_FETCH || p_state == ST_PROLOGUE) && d_state == 2'd0 && p_fired == 3'd0));
      i_began: assert ((r_state != FI_IDLE || !f_potential) && (p_state != ST_IDLE || {1'b0, p_neuron} == count));
      i_drawn: assert (!f_update || before || d_ready || d_state == 2'd1);
      if (p_state == ST_TAPS || p_state == ST_TAPS_WAIT || p_state == ST_PUBLISH) i_room: assert (!p_valid);
      if (at_local || (p_state == ST_FETCH && !p_prologue)) i_later: assert (!p_first);
      if (p_state == ST_SELF || p_state == ST_COEF || p_state == ST_COEF_WAIT) i_first: assert (p_first);
    end
    if (run && f_potential) begin
      i_fired: assert ({1'b0, r_neuron} == p_fired && f_count == p_fired[1:0] && f_all == (p_fired == count) && p_fired <= count);
      i_locals: assert ({1'b0, r_locals} + p_fired + {2'd0, fires} == locals);
      i_draws: assert ({1'b0, r_draws} + p_fired + {2'd0, fires} + {2'd0, d_state != 2'd0} == started);
      i_sums: assert (closing == {3'd0, a_pending});
      i_lasts: assert (p_fired + {2'd0, a_pending} + {2'd0, a_act && a_last} + {2'd0, p_valid && p_row_last} == lasts);
      i_signal: assert (f_signal_wait == (p_fired < f_visible));
      if (!before) i_ahead: assert ({1'b0, p_neuron} <= p_fired + 3'd1);
    end
    if (run && !f_potential) i_flush: assert (!f_signal_wait && !fires && (r_state == FI_IDLE || !r_sums) && !a_pending && !a_sums && a_close == 10'd0 && !s_busy);
  end

  // ---- these happen: a step of two neurons that learns ends; so does a flush
  reg f_two = 1'b0;
  always @(posedge clk_i) if (p_state == ST_ROW && p_neuron == 2'd1) f_two <= 1'b1;
  always @* if (!f_reset) begin
    c_flush: cover (f_done && f_two && !f_potential && f_update);
    c_waits: cover (a_stall && p_neuron == 2'd1);
  end
  wire unused = &{1'b0, ready, rvalid, rdata, busy, p_row_kind, a_kind, r_drain, f_vote_busy};
endmodule

`default_nettype wire
