// formal_step.v : a step of the whole core never stands still: until it ends, some engine has something to do
// SPDX-License-Identifier: Apache-2.0
//
// tern_core with all its engines' control; what they compute, and what memories and the generator give, is free. The
// host writes anything while the core is idle. Row words and neurons are any that the planner makes. With the times of
// formal.pass, formal.prepare, formal.learn, formal.fire, formal.draw and formal.signal, each engine with something to
// do continues, and there are only so many rows and neurons: so every step that is started ends (docs/41-proofs.md).
//! files   mem/tern_ram mem/tern_bank mem/tern_regfile blocks/tern_history blocks/tern_random blocks/tern_tapsum
//! files   blocks/tern_trace blocks/tern_dither blocks/tern_weight blocks/tern_potential
//! files   blocks/tern_neuron blocks/tern_coefficient blocks/tern_modulator blocks/tern_baseline blocks/tern_signal
//! files   blocks/tern_vote blocks/tern_wta
//! files   core/tern_host core/tern_control core/tern_draw core/tern_fire core/tern_lane
//! files   core/tern_kernels core/tern_way
//! files   core/tern_lanesum core/tern_sums core/tern_ways core/tern_local core/tern_pass core/tern_taps
//! files   core/tern_learn core/tern_memories
//! files   core/tern_prepare core/tern_ahead core/tern_silent core/tern_core
//! cut     tern_ram tern_regfile tern_random tern_lane tern_taps tern_history tern_trace tern_dither tern_weight
//! cut     tern_potential tern_neuron tern_coefficient tern_modulator
//! solver  bits
//! bound   4
//! induct  1
//! reach   90
//! connect f_busy=dut.u_control.busy_q f_begin=dut.u_control.begin_q f_clearing=dut.u_control.clearing_q
//! connect f_potential=dut.u_control.potential_q f_update=dut.u_control.update_q f_all=dut.u_control.fire_all_q
//! connect f_count=dut.u_control.fire_count_q f_signal_wait=dut.u_control.signal_wait_q f_done=dut.u_control.step_done
//! connect f_neuron_last=dut.u_control.cfg_neuron_last_q f_visible=dut.u_control.cfg_visible_q
//! connect l_state=dut.u_ahead.u_learn.state_q l_neuron=dut.u_ahead.u_learn.neuron_q l_wait=dut.u_ahead.u_learn.wait_q
//! connect l_begun=dut.u_ahead.u_learn.begun_q l_dithers=dut.u_ahead.u_learn.dithers_q
//! connect p_state=dut.u_ahead.u_prepare.state_q p_neuron=dut.u_ahead.u_prepare.neuron_q
//! connect p_learned=dut.u_ahead.u_prepare.learned_q p_valid=dut.u_ahead.u_prepare.valid_q
//! connect p_coming=dut.u_ahead.u_prepare.coming_q
//! connect p_last=dut.u_ahead.u_prepare.last_q p_made=dut.u_ahead.u_prepare.made_last_q
//! connect p_kind=dut.u_ahead.u_prepare.made_kind_q p_next=dut.u_ahead.u_prepare.next p_hand=dut.u_ahead.u_prepare.hand
//! connect p_bkind=dut.u_ahead.u_prepare.kind_q p_make=dut.u_ahead.u_prepare.make
//! connect p_pass_on=dut.u_ahead.u_prepare.pass_on p_fetch=dut.u_ahead.u_prepare.fetch_q
//! connect p_row=dut.u_ahead.u_prepare.rows_rdata_i p_row_at=dut.u_ahead.u_prepare.row_q
//! connect n_kind=dut.u_ahead.u_prepare.d_kind_q n_last=dut.u_ahead.u_prepare.d_last_q
//! connect n_kernel=dut.u_ahead.u_prepare.d_kernel_q n_each=dut.u_ahead.u_prepare.d_each_q
//! connect n_taps=dut.u_ahead.u_prepare.d_taps_q n_none=dut.u_ahead.u_prepare.d_none_q
//! connect d_state=dut.u_ahead.u_draws.state_q d_neuron=dut.u_ahead.u_draws.neuron_q d_open=dut.u_ahead.u_draws.open_q
//! connect d_unfired=dut.u_ahead.u_draws.unfired_q d_start=dut.u_ahead.u_draws.start
//! connect a_act=dut.u_pass.act_q a_last=dut.u_pass.last_q a_stall=dut.u_pass.stall a_pending=dut.u_pass.sums_pending_q
//! connect a_soon=dut.u_pass.soon_o
//! connect a_take=dut.u_pass.take a_took=dut.u_pass.take_q a_drain=dut.u_pass.drain_q a_close=dut.u_pass.close_q
//! connect a_sums=dut.u_pass.u_sums.valid_q a_idle=dut.u_pass.idle_o
//! connect r_visible_last=dut.u_fire.visible_last_q a_hold=dut.u_pass.hold_q
//! connect r_state=dut.u_fire.state_q r_neuron=dut.u_fire.neuron_q r_locals=dut.u_fire.locals_q
//! connect r_draws=dut.u_fire.draws_q r_sums=dut.u_fire.sums_q r_start=dut.u_fire.start s_busy=dut.u_signal.busy_o
//! connect f_base_busy=dut.baseline_busy
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
  localparam [3:0] L_IDLE = 4'd0, L_START = 4'd1, L_SELF = 4'd2, L_BASE = 4'd3, L_KAP = 4'd5, L_COEF_WAIT = 4'd6,
      L_BIAS = 4'd7, L_ACC_WAIT = 4'd11;
  localparam [2:0] P_IDLE = 3'd0, P_ROW = 3'd1, P_TAPS = 3'd2, P_HAND = 3'd3;
  localparam [2:0] D_IDLE = 3'd0, D_DITHER = 3'd1, D_NEXT = 3'd5;
  localparam [2:0] FI_IDLE = 3'd0, FI_WAIT = 3'd1, FI_RUN = 3'd2, FI_DRAIN = 3'd3, FI_WTA = 3'd4;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        ready, rvalid, busy;
  wire [31:0] rdata;
  tern_core #(
    .LANES(1), .WEIGHT_W(4), .SAMPLES(2), .NEURONS(NEURONS), .PAIRS(6), .ERRORS(18), .TAPS_D(1), .LAGS_W(3), .HIST_W(4),
    .FILTERS(1), .ROWS(5),
    .WORDS(5), .HIST_WORDS(7), .TARGETS(3)
  ) dut (
    .clk_i(clk_i), .rst_i(f_reset), .host_valid_i(valid_i && !f_reset), .host_ready_o(ready), .host_write_i(write_i),
    .host_addr_i(addr_i),
    .host_wdata_i(wdata_i), .host_rvalid_o(rvalid), .host_rdata_o(rdata), .busy_o(busy)
  );
  wire        f_busy, f_begin, f_clearing, f_potential, f_update, f_all, f_signal_wait, f_done, s_busy, f_base_busy;
  wire        p_valid, p_last, p_made, p_next, p_hand, p_make, p_pass_on, d_start;
  wire        a_act, a_last, a_stall, a_pending, a_take, a_took, a_sums, a_idle, a_soon, r_sums, r_start,
      r_visible_last, a_hold;
  wire [1:0]  f_count, f_neuron_last, p_neuron, p_coming, p_kind, p_bkind, l_neuron, d_neuron, a_drain,
      r_neuron;
  wire [2:0]  p_state;
  wire [2:0]  f_visible, p_row_at, p_learned, l_wait, l_begun, l_dithers, d_state, d_open, d_unfired, r_state, r_locals,
      r_draws;
  wire [3:0]  l_state;
  wire [9:0]  a_close;
  wire [31:0] p_row;
  wire [1:0]  p_fetch, n_kind;
  wire        n_last, n_kernel, n_each, n_taps, n_none;
  wire        way = 1'b0;

  // ---- what the planner makes: a word stays as long as its address does; rows of kind shift before the first neuron
  // only
  reg  [2:0]  m_row_at = 3'd0, m_row_was = 3'd0;
  reg  [31:0] m_row = 32'd0;
  reg         m_held = 1'b0;
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
    if (p_next && p_row[1:0] == 2'd2) assume (!p_row[3]);
  end

  // ---- the rule: something moves
  wire run   = f_busy && !f_begin && !f_clearing;
  wire moves_draw    = d_state != D_IDLE && !(d_state == D_NEXT && !d_start);
  wire moves_learn   = l_state != L_IDLE && !(l_state == L_START && l_wait == 3'd0 && l_begun == 3'd0) &&
      !(l_state == L_BASE && f_base_busy)
                       && !(l_state == L_SELF && p_state == P_TAPS) &&
                           !(l_state == L_COEF_WAIT && l_wait == 3'd0 && l_dithers == 3'd0);
  wire moves_prepare = p_fetch != 2'd0 || p_state == P_TAPS || p_hand || p_make || p_pass_on || p_coming != 2'd0;
  wire moves_pass    = a_take || a_took || a_drain != 2'd0 || (a_act ? !a_stall : !a_idle) || a_close != 10'd0 ||
      a_sums;
  wire moves_fire    = r_state == FI_RUN || r_state == FI_DRAIN || r_start;
  always @* if (!f_reset) begin
    if (run) a_goes_on: assert (moves_draw || moves_learn || moves_prepare || moves_pass || moves_fire || s_busy ||
        f_base_busy || f_done);
    // and no engine is at work between steps
    if (!f_busy && !f_begin) a_rests: assert (l_state == L_IDLE && p_state == P_IDLE && !p_valid && !a_act &&
        d_state == D_IDLE && !s_busy && !f_base_busy && r_state != FI_RUN && r_state != FI_DRAIN && r_state != FI_WTA);
  end

  // ---- registers: neurons begun, with dither words, learned, handed over, executed, fired
  wire       fires    = r_state == FI_RUN || r_state == FI_DRAIN || r_state == FI_WTA;
  wire [2:0] drawn    = (d_state == D_IDLE) ? count : {1'b0, d_neuron};
  wire [2:0] begun    = drawn + {2'd0, d_state != D_IDLE && d_state != D_NEXT};
  wire [2:0] dithered = drawn + {2'd0, d_state != D_IDLE && d_state != D_NEXT && d_state != D_DITHER};
  wire [2:0] located  = (l_state == L_IDLE) ? count : {1'b0, l_neuron};
  wire [2:0] started  = located + {2'd0, l_state > L_START};
  wire [2:0] learned  = located + {2'd0, l_state >= L_BIAS};
  wire [2:0] handed   = (p_state == P_IDLE) ? count : {1'b0, p_neuron};
  wire       buffer   = (p_valid || p_coming != 2'd0) && p_last;
  wire [2:0] ended    = handed - {2'd0, buffer} - {2'd0, a_act && a_last};
  wire [2:0] fired    = {1'b0, f_count} + {f_all && f_count == 2'd0, 2'b00};
  wire [3:0] closing  = {3'd0, a_close[0]} + {3'd0, a_close[1]} + {3'd0, a_close[2]} + {3'd0, a_close[3]} +
      {3'd0, a_close[4]} + {3'd0, a_close[5]} + {3'd0, a_close[6]} + {3'd0, a_close[7]} + {3'd0, a_close[8]}
                        + {3'd0, a_close[9]} + {3'd0, a_sums} + {3'd0, r_sums} + {3'd0, fires};
  always @* if (!f_reset) begin
    // what is decoded is the word of a cycle ago; with no fetch under way it is the present one, too
    i_decoded: assert (m_held && n_kind == m_row[1:0] && n_last == m_row[3] &&
        n_taps == (!m_row[1] && !m_row[4] && !m_row[5]) &&
        !(n_kernel && (m_row[1:0] != 2'd0 || m_row[4])) && !(n_each && (m_row[1:0] != 2'd1 || m_row[4])) &&
        n_none == !(n_kernel || n_taps || n_each));
    if (!p_fetch[0]) i_fetched: assert (m_row_at == p_row_at);
    if (p_state != P_IDLE && p_fetch == 2'd0) i_there: assert (m_row_at == m_row_was);
    i_states: assert (l_state <= L_ACC_WAIT && r_state <= FI_DRAIN && d_state <= D_NEXT && (!f_begin || f_busy) &&
        (!f_clearing || f_busy) && !(f_clearing && f_begin) && !(p_valid && p_coming != 2'd0));
    if (!f_busy || f_begin || f_clearing) i_rests:
        assert (l_state == L_IDLE && p_state == P_IDLE && !p_valid && p_coming == 2'd0 && a_idle && a_close == 10'd0 &&
        !a_sums && d_state == D_IDLE && !s_busy && !fires && !way && !f_base_busy && (r_state == FI_IDLE || !r_sums));
    if (l_state != L_IDLE || p_state != P_IDLE || p_valid || p_coming != 2'd0 || a_act || d_state != D_IDLE || fires ||
        way || f_base_busy) i_runs: assert (run);
    if (f_begin) i_begin: assert (f_signal_wait == f_potential && !f_all && f_count == 2'd0);
    i_no_base: assert (!f_base_busy);
    if (run) begin
      i_neurons: assert ((d_state == D_IDLE || d_neuron <= f_neuron_last) &&
          (l_state == L_IDLE || l_neuron <= f_neuron_last) && (p_state == P_IDLE || p_neuron <= f_neuron_last));
      i_begun: assert (l_begun == begun - started && started <= begun);
      if (f_update) i_dithers: assert (l_dithers == dithered - learned && learned <= dithered);
      i_updates: assert (f_update || (d_state != D_DITHER && (l_state <= L_SELF || l_state >= L_BIAS)));
      i_learned: assert (p_learned == (f_update ? learned : started) - handed &&
          handed <= (f_update ? learned : started));
      i_open: assert (d_open == begun - ended && ended <= begun &&
          {1'b0, handed} >= {3'd0, buffer} + {3'd0, a_act && a_last});
      i_state: assert (p_state <= P_HAND);
      if (p_state == P_HAND || p_state == P_TAPS) i_made: assert (!p_kind[1]);
      if (p_valid || p_coming != 2'd0) i_shift: assert (p_bkind != 2'd2 || !p_last);
    end
    if (run && f_potential) begin
      i_fired: assert (r_state != FI_IDLE && {1'b0, r_neuron} == fired && f_all == (fired == count) && fired <= count);
      i_unfired: assert (d_unfired == begun - fired && fired <= begun);
      i_locals: assert (r_locals + fired + {2'd0, fires} == located && fired + {2'd0, fires} <= located);
      i_draws: assert (r_draws + fired + {2'd0, fires} == drawn && fired + {2'd0, fires} <= drawn);
      i_hold: assert (a_hold == (a_last && f_potential && a_pending));
      i_sums: assert (closing == {3'd0, a_pending});
      i_lasts: assert (fired + {2'd0, a_pending} == ended);
      i_signal: assert (f_signal_wait == (fired < f_visible));
      if (fires) i_visible: assert (r_visible_last == ({1'b0, r_neuron} + 1'b1 == f_visible));
    end
    if (run && !f_potential) i_flush: assert (!f_signal_wait && !fires && (r_state == FI_IDLE || !r_sums) &&
        !a_pending && !a_sums && a_close == 10'd0 && !s_busy && d_unfired == 3'd0);
  end

  // ---- these happen
  reg f_two = 1'b0;
  always @(posedge clk_i) if (p_state == P_TAPS && p_neuron == 2'd1) f_two <= 1'b1;
  always @* if (!f_reset) begin
    c_flush: cover (f_done && f_two && !f_potential && f_update);
    c_waits: cover (a_stall && p_neuron == 2'd2);
  end
  wire unused = &{1'b0, ready, rvalid, rdata, busy, a_soon, p_made};
endmodule

`default_nettype wire
