// tern_bus.v : one request at a time of a 32-bit bus, to the host port or to registers of its own
// SPDX-License-Identifier: Apache-2.0
//
// Function  What tern_axi4lite and tern_wishbone share: 64 KiB of addresses (docs/42-bridges.md), the window,
//           interrupts, errors instead of waiting.
//           A request stays until done_o, which comes at least one cycle later; if it is given up before, nothing is
//           answered. Answer and error are valid with done_o, and the answer until the next read.
// Latency   own register: done after 1 cycle; write to the core: after 2, read: after 2 and the core's own (large core:
//           4), and as long as the core makes it wait
`default_nettype none

module tern_bus (
  input  wire        clk_i,
  input  wire        rst_i,
  // request of the bus
  input  wire        valid_i,
  input  wire        write_i,
  input  wire        whole_i,   // all four bytes are written
  input  wire        none_i,    // no byte is written: done, without any effect
  input  wire [13:0] addr_i,    // word, bits 15..2 of the byte address
  input  wire [31:0] wdata_i,
  output wire        done_o,
  output wire        error_o,
  output wire [31:0] rdata_o,
  // host port (docs/33-host-port.md)
  output wire        host_valid_o,
  input  wire        host_ready_i,
  output wire        host_write_o,
  output wire [31:0] host_addr_o,
  output wire [31:0] host_wdata_o,
  input  wire        host_rvalid_i,
  input  wire [31:0] host_rdata_i,
  input  wire        busy_i,
  // interrupts: events are pulses (tern_axis; 0 without it), the interrupt is a level
  input  wire [1:0]  event_i,
  output wire        irq_o
);
  localparam [31:0] ID      = 32'h54425553; // "TBUS"
  localparam [31:0] VERSION = 32'd1;
  localparam [2:0]  R_ID = 3'd0, R_VERSION = 3'd1, R_CONTROL = 3'd2, R_STATUS = 3'd3, R_WINDOW = 3'd4,
      R_IRQ_STATUS = 3'd5, R_IRQ_ENABLE = 3'd6;
  localparam [1:0]  ST_IDLE = 2'd0, ST_ASK = 2'd1, ST_ANSWER = 2'd2, ST_DONE = 2'd3;

  reg [1:0]  state_q;
  reg        error_q;
  reg        gone_q;       // the request was given up, its answer is still to come
  reg [31:0] rdata_q;
  reg        no_wait_q;
  reg [18:0] window_q;     // bits 31..13 of the host port's address
  reg [2:0]  irq_status_q, irq_enable_q;
  reg        busy_q;

  // ---- addresses: window, registers of the core, own registers ----------------------------------------------
  wire window = addr_i[13];
  wire core   = (addr_i[13:7] == 7'b0000010);                        // 0x0400..0x05ff
  wire own    = (addr_i[13:3] == 11'd0) && (addr_i[2:0] != 3'd7);    // 0x0000..0x001b
  wire wrong  = !(window || core || own) || (write_i && !whole_i);
  wire idle   = write_i && none_i;

`ifdef TERN_TESTBUG_BUS_ASKS_TWICE
  assign host_valid_o = (state_q == ST_ASK || (state_q == ST_DONE && write_i && !own && !error_q)) && valid_i;
`else
  assign host_valid_o = (state_q == ST_ASK) && valid_i;
`endif
  assign host_write_o = write_i;
  assign host_addr_o  = window ? {window_q, addr_i[12:0]} : {25'd0, addr_i[6:0]};
  assign host_wdata_o = wdata_i;
  wire   taken        = host_valid_o && host_ready_i;

  wire       own_write = (state_q == ST_IDLE) && valid_i && write_i && own && !wrong && !idle;
  wire [2:0] happens   = {event_i, busy_q && !busy_i};
  reg [31:0] own_rdata;
  always @*
    case (addr_i[2:0])
      R_ID:         own_rdata = ID;
      R_VERSION:    own_rdata = VERSION;
      R_CONTROL:    own_rdata = {31'd0, no_wait_q};
      R_STATUS:     own_rdata = {31'd0, busy_i};
      R_WINDOW:     own_rdata = {window_q, 13'd0};
      R_IRQ_STATUS: own_rdata = {29'd0, irq_status_q};
      R_IRQ_ENABLE: own_rdata = {29'd0, irq_enable_q};
      default:      own_rdata = 32'd0;
    endcase

  always @(posedge clk_i) begin
    busy_q       <= busy_i;
    irq_status_q <= irq_status_q | happens;
    case (state_q)
      ST_IDLE: if (valid_i) begin
        state_q <= (wrong || idle || own) ? ST_DONE : ST_ASK;
        error_q <= wrong && !idle;
        gone_q  <= 1'b0;
        if (!write_i) rdata_q <= (own && !wrong) ? own_rdata : 32'd0;
      end
      ST_ASK:
        if (!valid_i) state_q <= ST_IDLE;
        else if (taken) state_q <= write_i ? ST_DONE : ST_ANSWER;
        else if (no_wait_q) begin
          state_q <= ST_DONE;
          error_q <= 1'b1;
        end
      ST_ANSWER: begin
        if (!valid_i) gone_q <= 1'b1;
        if (host_rvalid_i) begin
`ifdef TERN_TESTBUG_BUS_ANSWERS_GONE
          state_q <= ST_DONE;
`else
          state_q <= (gone_q || !valid_i) ? ST_IDLE : ST_DONE;
`endif
          rdata_q <= host_rdata_i;
        end
      end
      default: state_q <= ST_IDLE;
    endcase
    if (own_write)
      case (addr_i[2:0])
        R_CONTROL:    no_wait_q <= wdata_i[0];
        R_WINDOW:     window_q <= wdata_i[31:13];
        R_IRQ_STATUS: irq_status_q <= (irq_status_q & ~wdata_i[2:0]) | happens;
        R_IRQ_ENABLE: irq_enable_q <= wdata_i[2:0];
        default:      ;
      endcase
    if (rst_i) begin
      state_q      <= ST_IDLE;
      no_wait_q    <= 1'b0;
      window_q     <= 19'd0;
      irq_status_q <= 3'd0;
      irq_enable_q <= 3'd0;
      busy_q       <= 1'b0;
    end
  end

  assign done_o  = (state_q == ST_DONE);
  assign error_o = error_q;
  assign rdata_o = rdata_q;
  assign irq_o   = |(irq_status_q & irq_enable_q);
endmodule

`default_nettype wire
