// tern_link_send.v : one reply frame at a time to the line
// SPDX-License-Identifier: Apache-2.0
//
// Function  flag, length, head (3 bytes), session, acknowledge, status, errors, data, CRC, flag: docs/36-link.md,
//           sections 3 and 5; adds escapes
// C model   runtime/link/tern_link_device.c, send()
// Latency   none of its own above 16 clocks a byte
`default_nettype none

module tern_link_send #(
  // Version of the protocol, size of the buffers.
  parameter [7:0] CAPS   = 8'h19,
  // Length of a reply without data.
  parameter [7:0] HEADER  = 8'd5
) (
  input  wire       clk_i,
  input  wire       rst_i,
  // control
  input  wire       start_i,      // while idle
  input  wire       progress_i,   // with start_i: a frame without data
  output wire       idle_o,
  output wire       progress_o,   // the frame being sent was started so
  // content
  input  wire [6:0] answer_i,
  input  wire [7:0] session_i,
  input  wire [7:0] number_i,
  input  wire [7:0] errors_i,
  input  wire [7:0] count_i,      // HEADER, and bytes of data still to be sent, at most 248
  input  wire [7:0] data_i,       // a byte of data; the next one, and the new count, two cycles behind data_next_o
  output wire       data_next_o,
  // to the line
  output wire       tx_valid_o,
  input  wire       tx_ready_i,
  output wire [7:0] tx_data_o
);
  localparam [7:0] FLAG = 8'h7e, ESCAPE = 8'h7d;
  localparam [3:0] IT_BEGIN = 4'd0, IT_LENGTH = 4'd1, IT_ANSWER = 4'd2, IT_SESSION = 4'd3, IT_NUMBER = 4'd4,
      IT_ERRORS = 4'd5, IT_CAPS = 4'd6,
                   IT_DATA = 4'd7, IT_END = 4'd8, IT_CRC = 4'd12; // four bytes of CRC
  localparam [1:0] ST_IDLE = 2'd0, ST_LOAD = 2'd1, ST_SEND = 2'd2, ST_CRC = 2'd3;

  reg [1:0] state_q;
  reg [3:0] item_q;       // CRC: 12..15
  reg [2:0] bit_q;
  reg [7:0] byte_q;       // stays while the line and the CRC take it
  reg       escaped_q;    // its escape is sent
  reg       progress_q;
  wire [31:0] crc;
  wire unused_crc = &{1'b0, crc[31:8]};

  wire raw    = (item_q == IT_BEGIN || item_q == IT_END);
  wire is_crc = (item_q[3:2] == IT_CRC[3:2]);
`ifdef TERN_TESTBUG_LINK_ESCAPE_FLAG_ONLY
  wire escape = !raw && !escaped_q && byte_q == FLAG;
`else
  wire escape = !raw && !escaped_q && (byte_q == FLAG || byte_q == ESCAPE);
`endif
  wire taken  = (state_q == ST_SEND) && tx_ready_i && !escape;
  wire none   = progress_q || (count_i == HEADER);

  assign idle_o      = (state_q == ST_IDLE);
  assign progress_o  = progress_q;
  assign data_next_o = taken && (item_q == IT_DATA);
  assign tx_valid_o  = (state_q == ST_SEND);
  assign tx_data_o   = escape ? ESCAPE : {byte_q[7:6], byte_q[5] ^ escaped_q, byte_q[4:0]};

  reg [7:0] item_byte;
  always @* begin
    case (item_q)
      IT_LENGTH:  item_byte = progress_q ? HEADER : count_i;
      IT_ANSWER:  item_byte = {1'b1, answer_i};
      IT_SESSION: item_byte = session_i;
      IT_NUMBER:  item_byte = number_i;
      IT_ERRORS:  item_byte = errors_i;
      IT_CAPS:    item_byte = CAPS;
      IT_DATA:    item_byte = data_i;
      IT_BEGIN, IT_END: item_byte = FLAG;
      default:    item_byte = ~crc[7:0];
    endcase
  end

  reg [3:0] item_d;
  always @* begin
    case (item_q)
      IT_CAPS, IT_DATA: item_d = none ? IT_CRC : IT_DATA;
      4'd15:   item_d = IT_END;
      default: item_d = item_q + 4'd1;
    endcase
  end

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: begin
        item_q     <= IT_BEGIN;
        progress_q <= progress_i;
        if (start_i) state_q <= ST_LOAD;
      end
      ST_LOAD: begin
        byte_q    <= item_byte;
        escaped_q <= 1'b0;
        state_q   <= ST_SEND;
      end
      ST_SEND: begin
        bit_q <= 3'd0;
        if (tx_ready_i) escaped_q <= 1'b1;
        if (taken) state_q <= ST_CRC;
      end
      default: begin
        bit_q <= bit_q + 3'd1;
        if (bit_q == 3'd7) begin
          state_q <= (item_q == IT_END) ? ST_IDLE : ST_LOAD;
          item_q  <= item_d;
        end
      end
    endcase
    if (rst_i) state_q <= ST_IDLE;
  end

  tern_crc u_crc (
    .clk_i(clk_i), .start_i(raw), .en_i(state_q == ST_CRC), .shift_i(is_crc), .bit_i(byte_q[bit_q]), .crc_o(crc)
  );
endmodule

`default_nettype wire
