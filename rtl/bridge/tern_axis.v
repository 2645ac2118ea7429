// tern_axis.v : AXI-Stream spikes in and out, between whoever is at the host port and the core
// SPDX-License-Identifier: Apache-2.0
//
// Function  Requests of the host (up_*) go through to the core, those of region 0x80 and 0x81 are answered here. Each
//           step of the input stream is written to the frame, started, and its spikes are sent; at the end of an
//           example up to three more commands follow. docs/42-bridges.md.
// Latency   none for the host's requests; answers of its own registers come two cycles later, those of the core when
//           the core has them. A host waits for each
`default_nettype none

module tern_axis #(
  // Weights per word of the core, 1, 2, 4, 8, 16 or 32: its LANES.
  parameter LANES       = 4,
  // Groups of LANES input positions, 1..65536.
  parameter GROUPS      = 256,
  // Words of the input frame, 1..65536; at most HIST_WORDS of the core.
  parameter FRAME_WORDS = 256
) (
  input  wire        clk_i,
  input  wire        rst_i,
  // host port of the host (docs/33-host-port.md)
  input  wire        up_valid_i,
  output wire        up_ready_o,
  input  wire        up_write_i,
  input  wire [31:0] up_addr_i,
  input  wire [31:0] up_wdata_i,
  output wire        up_rvalid_o,
  output wire [31:0] up_rdata_o,
  // host port of the core
  output wire        host_valid_o,
  input  wire        host_ready_i,
  output wire        host_write_o,
  output wire [31:0] host_addr_o,
  output wire [31:0] host_wdata_o,
  input  wire        host_rvalid_i,
  input  wire [31:0] host_rdata_i,
  input  wire        busy_i,
  // spikes in
  input  wire [31:0] s_axis_tdata,
  input  wire        s_axis_tvalid,
  output wire        s_axis_tready,
  input  wire        s_axis_tlast,
  // spikes out
  output wire [31:0] m_axis_tdata,
  output wire        m_axis_tvalid,
  input  wire        m_axis_tready,
  output wire        m_axis_tlast,
  // pulses: an example has ended, an event was ignored
  output wire [1:0]  event_o
);
  localparam GROUP_AW = (GROUPS > 2) ? $clog2(GROUPS) : 1;
  localparam FRAME_AW = (FRAME_WORDS > 2) ? $clog2(FRAME_WORDS) : 1;
  generate
    if (LANES != 1 && LANES != 2 && LANES != 4 && LANES != 8 && LANES != 16 && LANES != 32) begin : g_check_lanes
      tern_axis_error_LANES_is_not_1_2_4_8_16_32 u_error ();
    end
    if (GROUPS < 1 || GROUPS > 65536) begin : g_check_groups
      tern_axis_error_GROUPS_is_not_1_to_65536 u_error ();
    end
    if (FRAME_WORDS < 1 || FRAME_WORDS > 65536) begin : g_check_frame
      tern_axis_error_FRAME_WORDS_is_not_1_to_65536 u_error ();
    end
  endgenerate
  localparam [31:0] ID = 32'h54535452; // "TSTR"
  localparam [2:0]  R_ID = 3'd0, R_CONTROL = 3'd1, R_STATUS = 3'd2, R_WORDS = 3'd3, R_NEURONS = 3'd4, R_SAMPLES = 3'd5,
      R_END = 3'd6, R_IGNORED = 3'd7;
  localparam [7:0]  RG_OWN = 8'h80; // and 8'h81, the map
  localparam [7:0]  RG_REG = 8'd0, RG_FRAME = 8'd3, RG_SPIKE = 8'd13;
  localparam [31:0] A_CONTROL = {RG_REG, 24'd2}, A_WINNER = {RG_REG, 24'd68};
  localparam [31:0] N_WORDS = FRAME_WORDS, N_GROUPS = GROUPS;

  // ---- requests of the host: through, or for here ----------------------------------------------------------------
  wire own     = (up_addr_i[31:25] == RG_OWN[7:1]);
  wire a_ready, a_rvalid;
  wire own_write = up_valid_i && own && up_write_i;
  wire write_reg = own_write && up_addr_i[24:3] == 22'd0;
  wire [23:0] where = up_addr_i[23:0];
  wire in_map  = up_addr_i[24] && ({8'd0, where} < N_GROUPS);
  assign up_ready_o = own || a_ready;

  reg                enable_q, learn_q, clamp_q, winner_on_q;
  reg [FRAME_AW:0]   words_q;
  reg [15:0]         neurons_q, ignored_q;
  reg [5:0]          samples_q;
  reg [23:0]         end_q;
  reg [3:0]          reg_q;      // register that is read: none, number
  reg                own_q, own2_q;
  reg [31:0]         own_rdata, own_rdata_q;
  wire               off, ignored, idle;
  always @* begin
    case (reg_q[2:0])
      R_ID:      own_rdata = ID;
      R_CONTROL: own_rdata = {28'd0, winner_on_q, clamp_q, learn_q, enable_q};
      R_STATUS:  own_rdata = {31'd0, !(off && idle)};
      R_WORDS:   own_rdata = {{(31-FRAME_AW){1'b0}}, words_q};
      R_NEURONS: own_rdata = {16'd0, neurons_q};
      R_SAMPLES: own_rdata = {26'd0, samples_q};
      R_END:     own_rdata = {8'd0, end_q};
      default:   own_rdata = {16'd0, ignored_q};
    endcase
    if (reg_q[3]) own_rdata = 32'd0;
  end

  always @(posedge clk_i) begin
    own_q       <= up_valid_i && own && !up_write_i;
    reg_q       <= {up_addr_i[24:3] != 22'd0, up_addr_i[2:0]};
    own2_q      <= own_q;
    own_rdata_q <= own_rdata;
    if (write_reg)
      case (up_addr_i[2:0])
        R_CONTROL: {winner_on_q, clamp_q, learn_q, enable_q} <= up_wdata_i[3:0];
        R_WORDS:   words_q   <= (up_wdata_i > N_WORDS) ? N_WORDS[FRAME_AW:0] : up_wdata_i[FRAME_AW:0];
        R_NEURONS: neurons_q <= up_wdata_i[15:0];
        R_SAMPLES: samples_q <= up_wdata_i[5:0];
        R_END:     end_q     <= up_wdata_i[23:0];
        default: ;
      endcase
    if (write_reg && up_addr_i[2:0] == R_IGNORED) ignored_q <= up_wdata_i[15:0];
    else if (ignored && ignored_q != 16'hffff) ignored_q <= ignored_q + 16'd1;
    if (rst_i) begin
      own_q    <= 1'b0;
      own2_q   <= 1'b0;
      enable_q <= 1'b0;
      learn_q  <= 1'b0;
      clamp_q  <= 1'b0;
      winner_on_q <= 1'b0;
      ignored_q   <= 16'd0;
      words_q     <= {(FRAME_AW+1){1'b0}};
      neurons_q   <= 16'd0;
      samples_q   <= 6'd1;
      end_q       <= 24'd0;
    end
  end
  assign up_rvalid_o = a_rvalid || own2_q;
  assign up_rdata_o  = own2_q ? own_rdata_q : host_rdata_i;

  // ---- order of a step ----------------------------------------------------------------------------------------------
  localparam [2:0] ST_IDLE = 3'd0, ST_COMMAND = 3'd1, ST_WAIT = 3'd2, ST_OUT = 3'd3, ST_WINNER = 3'd4, ST_ANSWER = 3'd5,
      ST_MARK = 3'd6;
  reg [2:0]  state_q;
  reg [1:0]  phase_q;        // 0: the step; 1..3: commands at the end of an example
  reg        last_q;
  reg [15:0] winner_q;
  wire       in_done, in_last, out_done, mark_done, b_ready, b_rvalid;
  assign     idle = (state_q == ST_IDLE);
  wire [7:0] command = (phase_q == 2'd0) ? {5'd0, clamp_q, learn_q, 1'b1} : (phase_q == 2'd1) ? end_q[7:0] :
      (phase_q == 2'd2) ? end_q[15:8] : end_q[23:16];
  wire       ask     = (state_q == ST_COMMAND) && (command != 8'd0);
  wire [2:0] finish  = winner_on_q ? ST_WINNER : ST_MARK;

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: begin
        phase_q  <= 2'd0;
        last_q   <= in_last;
        winner_q <= 16'd0;
        if (in_done) state_q <= ST_COMMAND;
      end
      ST_COMMAND:
        if (!ask || b_ready) state_q <= ST_WAIT;
      ST_WAIT: if (!busy_i) begin
        if (phase_q == 2'd0) state_q <= ST_OUT;
        else begin
          phase_q <= phase_q + 2'd1;
          state_q <= (phase_q == 2'd3) ? finish : ST_COMMAND;
        end
      end
      ST_OUT: if (out_done) begin
        phase_q <= 2'd1;
        state_q <= last_q ? ST_COMMAND : ST_MARK;
      end
      ST_WINNER: if (b_ready) state_q <= ST_ANSWER;
      ST_ANSWER: if (b_rvalid) begin
        winner_q <= host_rdata_i[15:0];
        state_q  <= ST_MARK;
      end
      default: if (mark_done) state_q <= ST_IDLE;
    endcase
    if (rst_i) state_q <= ST_IDLE;
  end
  assign event_o = {ignored, state_q == ST_MARK && mark_done && last_q};

  // ---- streams: one of them, or the order above, has a request at a time --------------------------------------------
  wire        in_valid, out_valid;
  wire [15:0] in_word;
  wire [31:0] in_wdata;
  wire [23:0] out_word;
  wire        ask_winner = (state_q == ST_WINNER);
  wire        b_valid = in_valid || out_valid || ask || ask_winner;
  wire        b_write = in_valid || ask;
  wire [31:0] b_addr  = in_valid ? {RG_FRAME, 8'd0, in_word} : out_valid ? {RG_SPIKE, out_word} : ask_winner ?
      A_WINNER : A_CONTROL;
  tern_axis_in #(.LANES(LANES), .GROUPS(GROUPS), .FRAME_WORDS(FRAME_WORDS)) u_in (
    .clk_i(clk_i), .rst_i(rst_i), .enable_i(enable_q), .words_i(words_q), .map_we_i(own_write && in_map && !enable_q),
    .map_waddr_i(up_addr_i[GROUP_AW-1:0]),
    .map_wdata_i({up_wdata_i[31], up_wdata_i[FRAME_AW-1:0]}), .s_axis_tdata(s_axis_tdata),
    .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tlast(s_axis_tlast),
    .go_i(idle), .host_valid_o(in_valid), .host_ready_i(b_ready), .host_word_o(in_word), .host_wdata_o(in_wdata),
    .done_o(in_done), .last_o(in_last), .off_o(off),
    .ignored_o(ignored)
  );
  tern_axis_out u_out (
    .clk_i(clk_i), .rst_i(rst_i), .neurons_i(neurons_q), .samples_i(samples_q), .run_i(state_q == ST_OUT),
    .done_o(out_done), .mark_i(state_q == ST_MARK),
    .mark_last_i(last_q), .mark_class_i(winner_q), .mark_done_o(mark_done), .host_valid_o(out_valid),
    .host_ready_i(b_ready), .host_word_o(out_word),
    .host_rvalid_i(b_rvalid), .host_spike_i(host_rdata_i[0]), .m_axis_tdata(m_axis_tdata),
    .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
    .m_axis_tlast(m_axis_tlast)
  );
  tern_share u_share (
    .clk_i(clk_i), .rst_i(rst_i), .a_valid_i(up_valid_i && !own), .a_ready_o(a_ready), .a_write_i(up_write_i),
    .a_addr_i(up_addr_i), .a_wdata_i(up_wdata_i),
    .a_rvalid_o(a_rvalid), .b_valid_i(b_valid), .b_ready_o(b_ready), .b_write_i(b_write), .b_addr_i(b_addr),
    .b_wdata_i(in_valid ? in_wdata : {24'd0, command}),
    .b_rvalid_o(b_rvalid), .host_valid_o(host_valid_o), .host_ready_i(host_ready_i), .host_write_o(host_write_o),
    .host_addr_o(host_addr_o), .host_wdata_o(host_wdata_o),
    .host_rvalid_i(host_rvalid_i)
  );
endmodule

`default_nettype wire
