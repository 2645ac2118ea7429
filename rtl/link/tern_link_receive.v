// tern_link_receive.v : bytes of the line to checked frames in the receive buffer
// SPDX-License-Identifier: Apache-2.0
//
// Function  Frames of docs/36-link.md, section 3: ends at flags, undoes escapes, checks length and CRC. A frame is
//           written to the queue as it comes, its length byte first, and committed at its flag if it is good. A RESET
//           frame is good or bad like any other, and gives a pulse.
// C model   runtime/link/tern_link_device.c, receive()
// Latency   commit two cycles behind the flag
`default_nettype none

module tern_link_receive #(
  // The command RESET.
  parameter [7:0] RESET = 8'h04
) (
  input  wire       clk_i,
  input  wire       rst_i,
  // from the line; at least 10 cycles from byte to byte
  input  wire       valid_i,
  input  wire [7:0] data_i,
  input  wire       broken_i,
  // queue
  output wire       wr_valid_o,
  output wire [7:0] wr_data_o,
  output wire       commit_o,
  output wire       rollback_o,
  input  wire       full_i,
  // status
  output wire       bad_o,      // pulse: a frame was refused
  output wire       reset_o     // pulse: a RESET frame was committed
);
  localparam [7:0] FLAG = 8'h7e, ESCAPE = 8'h7d;
  localparam [31:0] RESIDUE = 32'hdebb20e3;

  reg       escape_q;   // the byte before was an escape
  reg       begun_q;    // there was something since the last flag
  reg       bad_q;
  reg       second_q;   // the next byte is the command
  reg       reset_q;    // the command was RESET
  // bytes to come: the length byte tells how many are between it and the CRC; they end at -4
  reg [8:0] left_q;
  // The CRC takes the bits of a byte in the 8 cycles behind it.
  reg [3:0] bit_q;
  wire      bit_active = (bit_q != 4'd8);
  wire [31:0] crc;

  wire flag   = valid_i && !broken_i && data_i == FLAG;
  wire marker = valid_i && !broken_i && data_i == ESCAPE && !escape_q;
  wire byte_v = valid_i && !flag && !marker;
  wire end_v  = (left_q == 9'h1fc);
  wire [7:0] data = {data_i[7:6], data_i[5] ^ escape_q, data_i[4:0]};
  wire store  = byte_v && (!begun_q || (!left_q[8] && left_q != 9'd0));
`ifdef TERN_TESTBUG_LINK_CRC_IGNORED
  wire good   = begun_q && !bad_q && !escape_q && end_v;
  wire unused_bug = &{1'b0, crc};
`else
  wire good   = begun_q && !bad_q && !escape_q && end_v && crc == RESIDUE;
`endif

  // the byte without its escape, for the CRC
  reg [7:0] byte_q;

  always @(posedge clk_i) begin
    if (marker) escape_q <= 1'b1;
    if (byte_v) begin
      byte_q   <= data;
      escape_q <= 1'b0;
      begun_q  <= 1'b1;
      second_q <= !begun_q;
      left_q   <= begun_q ? left_q - 9'd1 : {1'b0, data};
      if (second_q) reset_q <= (data == RESET);
`ifdef TERN_TESTBUG_LINK_FULL_IGNORED
      if (broken_i || (begun_q && end_v)) bad_q <= 1'b1;
`else
      if (broken_i || (begun_q && end_v) || (store && full_i)) bad_q <= 1'b1;
`endif
    end
    if (flag || rst_i) begin
`ifdef TERN_TESTBUG_LINK_ESCAPE_KEPT
      if (rst_i) escape_q <= 1'b0;
`else
      escape_q <= 1'b0;
`endif
      begun_q  <= 1'b0;
      bad_q    <= 1'b0;
      second_q <= 1'b0;
      reset_q  <= 1'b0;
    end
    bit_q <= byte_v ? 4'd0 : bit_active ? bit_q + 4'd1 : 4'd8;
    if (rst_i) bit_q <= 4'd8;
  end

  tern_crc u_crc (
    .clk_i(clk_i), .start_i(flag || rst_i), .en_i(bit_active), .shift_i(1'b0), .bit_i(byte_q[bit_q[2:0]]), .crc_o(crc)
  );

  assign wr_valid_o = store;
  assign wr_data_o  = data;
  assign commit_o   = flag && good;
  assign rollback_o = flag && !good;
  assign bad_o      = flag && !good && (begun_q || escape_q);
  assign reset_o    = flag && good && reset_q;
`ifdef TERN_TESTBUG_LINK_FULL_IGNORED
  wire unused_full = &{1'b0, full_i};
`endif
endmodule

`default_nettype wire
