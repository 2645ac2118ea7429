// formal_signal.v : rules of tern_signal: its addresses, and that it ends
// SPDX-License-Identifier: Apache-2.0
//
// Memories and settings are free. A sample's signal takes 20 cycles (MB: twice), its exponential 10, its modulator 17,
// the logarithm 25 once.
//! files   blocks/tern_signal
//! solver  bits
//! bound   24
//! induct  1
//! reach   150
//! connect f_state=dut.state_q f_k=dut.k_q f_n=dut.n_q f_share=dut.share_q
//! mutant  division_on a_ends SIGNAL_DIVIDES_ON 60
`default_nettype none

module formal_signal (
  input wire        clk_i,
  input wire        start_i,
  input wire        no_visible_i,
  input wire        loss_re_i,
  input wire        loss_valid_i,
  input wire [1:0]  loss_at_i,
  input wire [31:0] v_i,
  input wire [15:0] exp_i,
  input wire [11:0] log_i
);
  localparam SAMPLES = 3;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg       learn;
  (* anyconst *) reg [1:0] rule, sample_last;
  wire        busy, v_re, v_we, m_we;
  wire [3:0]  v_at, v_to;
  wire [1:0]  m_to;
  wire        start = start_i && !busy && !f_reset;
  reg  [8:0]  m_time = 9'd0;
  wire [8:0]  samples = {7'd0, sample_last} + 9'd1;
  wire [8:0]  v_time = samples * 9'd20;                         // of one pass over the v
  wire [8:0]  all    = v_time + (!learn ? 9'd0 : rule == 2'd1 ? v_time : rule == 2'd3 ? 9'd0 :
      samples * 9'd27 + (rule == 2'd2 ? 9'd25 : 9'd0));
  tern_signal #(.SAMPLE_W(2), .SIGNALS(1)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .start_i(start), .learn_i(learn), .no_visible_i(no_visible_i), .busy_o(busy),
    .loss_re_i(loss_re_i), .loss_raddr_i(loss_at_i), .loss_valid_i(loss_valid_i), .loss_first_i(1'b0),
    .loss_sample_i(loss_at_i), .loss_f12_i(17'd0), .v_re_o(v_re), .v_raddr_o(v_at), .v_rdata_i(v_i), .v_we_o(v_we),
    .v_waddr_o(v_to), .v_wdata_o(), .m_we_o(m_we), .m_waddr_o(m_to), .m_wdata_o(), .w_we_o(), .w_wdata_o(),
    .exp_raddr_o(), .exp_rdata_i(exp_i), .log_raddr_o(), .log_rdata_i(log_i), .cfg_gamma_f16_i(17'd0),
    .cfg_sample_last_i(sample_last), .cfg_rule_i(rule), .cfg_inverse_f16_i(17'd0), .cfg_mean_f14_i(15'd0),
    .cfg_log_offset_f12_i(18'd0), .sat_logprob_o()
  );
  wire [4:0]  f_state, f_n;
  wire [1:0]  f_k;
  wire        f_share;
  always @* begin
    assume (sample_last < SAMPLES && loss_at_i <= sample_last);
    if (busy || start) assume (!loss_re_i && !loss_valid_i); // tern_control starts it when the last one is in
  end
  always @(posedge clk_i) m_time <= (f_reset || (m_time == all && m_time != 9'd0)) ? 9'd0 : (start || m_time != 9'd0) ?
      m_time + 9'd1 : 9'd0;
  always @* if (!f_reset) begin
    // 1. v, L and E of samples that there are; modulators of these
    if (v_re) a_read: assert (v_at[3:2] != 2'd3 && v_at[1:0] <= sample_last);
    if (v_we) a_written: assert (v_to[3:2] != 2'd3 && v_to[1:0] <= sample_last);
    if (m_we) a_modulator: assert (m_to <= sample_last);
    // 2. it takes 20 K cycles, and those of the rule if the step learns
    a_ends: assert (busy == (m_time != 9'd0) && m_time <= all);
  end

  // ---- registers: what was done before the state
  localparam [4:0] ST_V_READ = 5'd1, ST_V_MUL = 5'd2, ST_V_WRITE = 5'd3, ST_E_READ = 5'd4, ST_E_SUB = 5'd5,
      ST_E_RED = 5'd6, ST_E_TABLE = 5'd7, ST_E_STORE = 5'd8, ST_M_LOAD = 5'd9, ST_M_DIV = 5'd10,
                   ST_M_WRITE = 5'd11, ST_E_TABLE2 = 5'd12, ST_L_LOAD = 5'd13, ST_L_NORM = 5'd14, ST_L_TABLE = 5'd15,
                       ST_L_TABLE2 = 5'd16, ST_L_WRITE = 5'd17, ST_V_LESS = 5'd18,
                       ST_L_LESS = 5'd19;
  wire [8:0] n = {4'd0, f_n}, k = {7'd0, f_k};
  wire [8:0] v_at_k = (f_share ? v_time : 9'd0) + k * 9'd20, e_at_k = v_time + k * 9'd10,
      l_at = v_time + samples * 9'd10, m_at_k = l_at + (rule == 2'd2 ? 9'd25 : 9'd0) + k * 9'd17;
  reg  [8:0] done;
  always @* begin
    case (f_state)
      ST_V_READ:   done = v_at_k;
      ST_V_MUL:    done = v_at_k + 9'd1 + n;
      ST_V_LESS:   done = v_at_k + 9'd18;
      ST_V_WRITE:  done = v_at_k + 9'd19;
      ST_E_READ:   done = e_at_k;
      ST_E_SUB:    done = e_at_k + 9'd1;
      ST_E_RED:    done = e_at_k + 9'd6 - n;
      ST_E_TABLE:  done = e_at_k + 9'd7;
      ST_E_TABLE2: done = e_at_k + 9'd8;
      ST_E_STORE:  done = e_at_k + 9'd9;
      ST_L_LOAD:   done = l_at;
      ST_L_NORM:   done = l_at + 9'd20 - n;
      ST_L_TABLE:  done = l_at + 9'd21;
      ST_L_TABLE2: done = l_at + 9'd22;
      ST_L_LESS:   done = l_at + 9'd23;
      ST_L_WRITE:  done = l_at + 9'd24;
      ST_M_LOAD:   done = m_at_k;
      ST_M_DIV:    done = m_at_k + 9'd15 - n;
      default:     done = m_at_k + 9'd16;
    endcase
  end
  wire in_v = (f_state >= ST_V_READ && f_state <= ST_V_WRITE) || f_state == ST_V_LESS,
      in_l = f_state >= ST_L_LOAD && f_state != ST_V_LESS;
  always @* if (!f_reset && busy) begin
    i_state: assert (f_state <= ST_L_LESS && f_k <= sample_last && m_time == done + 9'd1);
    i_parts: assert (in_v ? (!f_share || (learn && rule == 2'd1)) :
        (learn && rule != 2'd1 && rule != 2'd3 && (!in_l || (rule == 2'd2 && f_k == 2'd0))));
    if (f_state == ST_V_MUL) i_mul: assert (f_n <= 5'd16);
    if (f_state == ST_E_RED) i_red: assert (f_n <= 5'd4);
    if (f_state == ST_L_NORM) i_norm: assert (f_n <= 5'd19);
    if (f_state == ST_M_DIV) i_div: assert (f_n <= 5'd14);
  end
  always @* if (!f_reset) begin
    c_gem: cover (m_time == all && learn && rule == 2'd0 && sample_last == 2'd1);
    c_mb: cover (m_time == all && learn && rule == 2'd1 && sample_last == 2'd1);
    c_iw: cover (m_time == all && learn && rule == 2'd2 && sample_last == 2'd1);
  end
endmodule

`default_nettype wire
