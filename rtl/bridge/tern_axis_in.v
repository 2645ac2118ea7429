// tern_axis_in.v : AXI-Stream slave: events of a step, gathered into the words of the input frame
// SPDX-License-Identifier: Apache-2.0
//
// Function  Beats as in docs/42-bridges.md. A unit's group of LANES positions is looked up in the map, which tells its
//           word of the frame. When a step has ended the frame waits for go_i, is written to the core, word by word,
//           and is empty again. Off: nothing is taken, what was gathered is forgotten.
// Latency   an event every 3 cycles, a beat without one every cycle; the frame: 2 cycles a word
`default_nettype none

module tern_axis_in #(
  // Weights per word of the core, 1, 2, 4, 8, 16 or 32.
  parameter LANES       = 4,
  // Groups of LANES input positions that have a number, 1..65536.
  parameter GROUPS      = 256,
  // Words of the frame, 1..65536.
  parameter FRAME_WORDS = 256,
  // Address bits: derived, do not set.
  parameter GROUP_AW    = (GROUPS > 2) ? $clog2(GROUPS) : 1,
  parameter FRAME_AW    = (FRAME_WORDS > 2) ? $clog2(FRAME_WORDS) : 1
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // settings
  input  wire                enable_i,
  input  wire [FRAME_AW:0]   words_i,      // of the frame, at most FRAME_WORDS
  input  wire                map_we_i,     // not while enabled
  input  wire [GROUP_AW-1:0] map_waddr_i,
  input  wire [FRAME_AW:0]   map_wdata_i,  // highest bit: there is a word; the others: which
  // stream
  input  wire [31:0]         s_axis_tdata,
  input  wire                s_axis_tvalid,
  output wire                s_axis_tready,
  input  wire                s_axis_tlast,
  // frame
  input  wire                go_i,         // it may be written
  output wire                host_valid_o, // writes of its words
  input  wire                host_ready_i,
  output wire [15:0]         host_word_o,
  output wire [31:0]         host_wdata_o,
  output wire                done_o,       // pulse: all is written
  output wire                last_o,       // with done_o: the step is the last of an example
  output wire                off_o,        // nothing is under way
  output wire                ignored_o     // pulse: an event of no unit that counts
);
  localparam LANE_W = $clog2(LANES);
  localparam [2:0] ST_OFF = 3'd0, ST_CLEAR = 3'd1, ST_GATHER = 3'd2, ST_MAP = 3'd3, ST_SET = 3'd4, ST_FULL = 3'd5,
      ST_READ = 3'd6, ST_WRITE = 3'd7;
  localparam [31:0] N_GROUPS = GROUPS, WORD_LAST = FRAME_WORDS - 1, LANE_MASK = LANES - 1;

  reg [2:0]          state_q;
  reg                step_q, last_q, inside_q;
  reg [4:0]          lane_q;
  reg [FRAME_AW:0]   word_q;         // that is cleared or written
  wire [FRAME_AW:0]  map_rdata;
  wire [LANES-1:0]   frame_rdata;

  // ---- a beat --------------------------------------------------------------------------------------------------
  wire        take  = s_axis_tvalid && s_axis_tready;
  wire        event_here = !s_axis_tdata[30];
  wire        step  = s_axis_tdata[31] || s_axis_tlast;
  wire [23:0] unit  = s_axis_tdata[23:0];
  wire [23:0] group = unit >> LANE_W;
  wire        in_range = ({8'd0, group} < N_GROUPS);
  wire        unused_bits = &{1'b0, s_axis_tdata[29:24], N_GROUPS, WORD_LAST, LANE_MASK};
  wire        known = inside_q && map_rdata[FRAME_AW] && ({1'b0, map_rdata[FRAME_AW-1:0]} < words_i);
  wire [31:0] bits  = 32'd1 << lane_q;

  // ---- memories: words of the groups, and the frame ------------------------------------------------------------
  tern_ram #(.WIDTH(FRAME_AW + 1), .DEPTH(GROUPS), .ADDR_W(GROUP_AW)) u_map (
    .clk_i(clk_i), .we_i(map_we_i), .waddr_i(map_waddr_i), .wdata_i(map_wdata_i), .re_i(take),
    .raddr_i(in_range ? group[GROUP_AW-1:0] : {GROUP_AW{1'b0}}), .rdata_o(map_rdata)
  );
  wire                at_word   = (state_q == ST_CLEAR) || (state_q == ST_READ) || (state_q == ST_WRITE);
  wire [FRAME_AW-1:0] frame_addr = at_word ? word_q[FRAME_AW-1:0] : map_rdata[FRAME_AW-1:0];
  wire                taken     = (state_q == ST_WRITE) && host_ready_i;
`ifdef TERN_TESTBUG_BUS_AXIS_FRAME_KEPT
  wire                frame_we  = (state_q == ST_CLEAR) || (state_q == ST_SET);
`else
  wire                frame_we  = (state_q == ST_CLEAR) || (state_q == ST_SET) || taken;
`endif
  wire                ended     = (word_q >= words_i);
  tern_ram #(.WIDTH(LANES), .DEPTH(FRAME_WORDS), .ADDR_W(FRAME_AW)) u_frame (
    .clk_i(clk_i), .we_i(frame_we), .waddr_i(frame_addr),
    .wdata_i((state_q == ST_SET) ? (frame_rdata | bits[LANES-1:0]) : {LANES{1'b0}}),
    .re_i((state_q == ST_MAP && known) || (state_q == ST_READ && !ended)), .raddr_i(frame_addr), .rdata_o(frame_rdata)
  );
  generate
    if (LANES < 32) begin : g_lanes
      wire unused_lanes = &{1'b0, bits[31:LANES]};
    end
  endgenerate

  // ---- order ---------------------------------------------------------------------------------------------------
  wire [2:0] after = step_q ? ST_FULL : ST_GATHER;
  always @(posedge clk_i) begin
    case (state_q)
      ST_OFF: begin
        word_q <= {(FRAME_AW+1){1'b0}};
        if (enable_i) state_q <= ST_CLEAR;
      end
      ST_CLEAR: begin
        word_q <= word_q + 1'b1;
        if (word_q == WORD_LAST[FRAME_AW:0]) state_q <= ST_GATHER;
      end
      ST_GATHER: begin
        step_q   <= step;
        last_q   <= s_axis_tlast;
        lane_q   <= unit[4:0] & LANE_MASK[4:0];
        inside_q <= in_range;
        word_q   <= {(FRAME_AW+1){1'b0}};
        if (!enable_i) state_q <= ST_OFF;
        else if (take) state_q <= event_here ? ST_MAP : (step ? ST_FULL : ST_GATHER);
      end
      ST_MAP: state_q <= known ? ST_SET : after;
      ST_SET: state_q <= after;
      ST_FULL:
        if (go_i) state_q <= ST_READ;
        else if (!enable_i) state_q <= ST_OFF;
      ST_READ: state_q <= ended ? ST_GATHER : ST_WRITE;
      default: if (host_ready_i) begin
        word_q  <= word_q + 1'b1;
        state_q <= ST_READ;
      end
    endcase
    if (rst_i) state_q <= ST_OFF;
  end

`ifdef TERN_TESTBUG_BUS_AXIS_READY_WHILE_FULL
  assign s_axis_tready = enable_i && (state_q == ST_GATHER || state_q == ST_FULL);
`else
  assign s_axis_tready = enable_i && (state_q == ST_GATHER);
`endif
  assign host_valid_o  = (state_q == ST_WRITE);
  assign host_word_o   = {{(16-FRAME_AW){1'b0}}, word_q[FRAME_AW-1:0]};
  assign host_wdata_o  = {{(32-LANES){1'b0}}, frame_rdata};
  assign done_o        = (state_q == ST_READ) && ended;
  assign last_o        = last_q;
  assign off_o         = (state_q == ST_OFF);
  assign ignored_o     = (state_q == ST_MAP) && !known;
endmodule

`default_nettype wire
