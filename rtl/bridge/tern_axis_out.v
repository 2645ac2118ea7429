// tern_axis_out.v : AXI-Stream master: an event for every spike of the last step, then a marker
// SPDX-License-Identifier: Apache-2.0
//
// Function  While run_i: reads the last spike of each neuron 0..neurons_i-1 and sample 0..samples_i-1 (neuron by
//           neuron) and sends a beat for each that is 1; done_o when all are sent or waiting in the output register.
//           mark_i: sends a marker. Beats: docs/42-bridges.md.
// Latency   3 cycles a neuron and sample, 1 more for an event
`default_nettype none

module tern_axis_out (
  input  wire        clk_i,
  input  wire        rst_i,
  // settings
  input  wire [15:0] neurons_i,
  input  wire [5:0]  samples_i,
  // order
  input  wire        run_i,         // until done_o
  output wire        done_o,
  input  wire        mark_i,        // until mark_done_o; not together with run_i
  input  wire        mark_last_i,   // it ends an example
  input  wire [15:0] mark_class_i,
  output wire        mark_done_o,
  // reads of the core
  output wire        host_valid_o,
  input  wire        host_ready_i,
  output wire [23:0] host_word_o,
  input  wire        host_rvalid_i,
  input  wire        host_spike_i,
  // stream
  output wire [31:0] m_axis_tdata,
  output wire        m_axis_tvalid,
  input  wire        m_axis_tready,
  output wire        m_axis_tlast
);
  localparam [1:0] ST_IDLE = 2'd0, ST_ASK = 2'd1, ST_ANSWER = 2'd2, ST_SEND = 2'd3;
  reg [1:0]  state_q;
  reg [23:0] word_q;          // neuron * samples + sample
  reg [15:0] neuron_q;
  reg [5:0]  sample_q;
  reg        valid_q, last_q, marker_q;
  reg [4:0]  out_sample_q;
  reg [15:0] out_neuron_q;

  wire free    = !valid_q || m_axis_tready;
  wire send    = (state_q == ST_SEND) && free;
  wire mark    = mark_i && free;
  wire ended   = (neuron_q >= neurons_i);
  wire next    = send || (state_q == ST_ANSWER && host_rvalid_i && !host_spike_i);
  wire row_end = (sample_q + 6'd1 >= samples_i);

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: begin
        word_q   <= 24'd0;
        neuron_q <= 16'd0;
        sample_q <= 6'd0;
        if (run_i) state_q <= ST_ASK;
      end
      ST_ASK:
        if (ended) state_q <= ST_IDLE;
        else if (host_ready_i) state_q <= ST_ANSWER;
      ST_ANSWER: if (host_rvalid_i) state_q <= host_spike_i ? ST_SEND : ST_ASK;
      default: if (free) state_q <= ST_ASK;
    endcase
    if (next) begin
      word_q   <= word_q + 24'd1;
      sample_q <= row_end ? 6'd0 : sample_q + 6'd1;
      if (row_end) neuron_q <= neuron_q + 16'd1;
    end
`ifdef TERN_TESTBUG_BUS_AXIS_OUT_OVERWRITES
    if (mark_i || send) begin
`else
    if (mark || send) begin
`endif
      valid_q      <= 1'b1;
      marker_q     <= mark;
      last_q       <= mark && mark_last_i;
      out_sample_q <= mark ? 5'd0 : sample_q[4:0];
      out_neuron_q <= mark ? mark_class_i : neuron_q;
    end else if (m_axis_tready) begin
      valid_q      <= 1'b0;
    end
    if (rst_i) begin
      state_q <= ST_IDLE;
      valid_q <= 1'b0;
    end
  end

  assign done_o        = (state_q == ST_ASK) && ended;
  assign mark_done_o   = mark;
  assign host_valid_o  = (state_q == ST_ASK) && !ended;
  assign host_word_o   = word_q;
  assign m_axis_tdata  = {marker_q, marker_q, 1'b0, out_sample_q, 8'd0, out_neuron_q};
  assign m_axis_tvalid = valid_q;
  assign m_axis_tlast  = last_q;
endmodule

`default_nettype wire
