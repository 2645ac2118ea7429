// formal_link.v : rules of tern_link's state machine: numbers, sessions, host port; whatever comes over the line
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_link (
  input wire        clk_i,
  input wire        rx_i,
  input wire        host_ready_i,
  input wire        host_rvalid_i,
  input wire [31:0] host_rdata_i,
  input wire        busy_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        tx, host_valid, host_write, core_rst, open;
  wire [31:0] host_addr, host_wdata;
  tern_link #(.CLK_HZ(12000000), .BAUD(3000000), .BUFFER_AW(9)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .rx_i(rx_i), .tx_o(tx), .host_valid_o(host_valid), .host_ready_i(host_ready_i), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rvalid_i(host_rvalid_i), .host_rdata_i(host_rdata_i), .busy_i(busy_i), .core_rst_o(core_rst), .open_o(open)
  );
  // connected: inside of the state machine
  wire       f_take, f_run_q, f_kill; // take, run_q, reset_q
  wire [3:0] f_state;                          // state_q
  wire [1:0] f_i;                              // i_q
  wire [7:0] f_byte, f_expected, f_session;    // q_data, expected_q, session_q
  wire       f_idle;                           // the sender is idle
  localparam [3:0] ST_LENGTH = 4'd0, ST_HEAD = 4'd1, ST_OP = 4'd2, ST_ADDR = 4'd3, ST_DATA = 4'd4, ST_SKIP = 4'd5, ST_REQUEST = 4'd8, ST_READ = 4'd9, ST_STORE = 4'd10,
                   ST_WAIT = 4'd11, ST_END = 4'd12, ST_SENT = 4'd13;

  // ---- what the head of the frame says, read from the bytes as they are taken ------------------------------------------------------------------
  reg [7:0] f_command = 8'd0, f_frame_session = 8'd0, f_number = 8'd0;
  wire      f_head = f_take && f_state == ST_HEAD;
  reg       f_known = 1'b0;      // the three bytes are there
  always @(posedge clk_i)
    if (f_reset || f_kill || f_state == ST_LENGTH) begin
      f_known <= 1'b0;
    end else if (f_head) begin
      if (f_i == 2'd0) f_command <= f_byte;
      if (f_i == 2'd1) f_frame_session <= f_byte;
      if (f_i == 2'd2) begin
        f_number <= f_byte;
        f_known  <= 1'b1;
      end
    end
  // ---- frames carried out in this session, modulo 256 -------------------------------------------------------------------------------------------
  reg [7:0] f_done = 8'd0;
  reg       f_open = 1'b0;
  reg [7:0] f_in_session = 8'd0;
  wire      f_opens = f_head && f_i == 2'd2 && f_command == 8'h02 && f_frame_session == f_session;
  wire      f_fresh = f_open && f_command == 8'h03 && f_frame_session == f_in_session && f_number == f_done; // for the frame at hand, from its third byte to its end
  wire      f_ends  = f_state == ST_SENT && f_idle;
  always @(posedge clk_i)
    if (f_reset || f_kill) begin
      f_open <= 1'b0;
    end else if (f_opens) begin
      f_open       <= 1'b1;
      f_done       <= 8'd0;
      f_in_session <= f_session + 8'd1;
    end else if (f_ends && f_known && f_fresh) begin
      f_done <= f_done + 8'd1;
    end

  // the request of the clock before
  reg        f_waits = 1'b0, f_write = 1'b0;
  reg [31:0] f_addr = 32'd0, f_wdata = 32'd0;
  always @(posedge clk_i) begin
    f_waits <= host_valid && !host_ready_i && !f_reset && !f_kill;
    f_write <= host_write;
    f_addr  <= host_addr;
    f_wdata <= host_wdata;
  end

  wire f_executes = f_state == ST_REQUEST || f_state == ST_READ;
  always @* if (!f_reset && !f_kill) begin
    // 1. the host port is used only by a frame of the open session with the number that is due: each number once, in order, from 0
    if (host_valid) assert (f_known && f_fresh);
    // 2. a request stays as it is until it is taken
    if (f_waits) assert (host_valid && host_write == f_write && host_addr == f_addr && (!host_write || host_wdata == f_wdata));
    // 3. a session is open exactly if one was opened, and has its number
    assert (open == f_open);
    if (f_open) assert (f_session == f_in_session);
    // 4. state (which makes 1 inductive)
    if (f_open) assert (f_expected == f_done);
    if (f_known && f_state != ST_LENGTH) assert (f_run_q == (f_fresh && f_command == 8'h03));
    if (f_known && f_state != ST_LENGTH && f_command == 8'h02) assert (!f_run_q);
    if (f_state == ST_HEAD) assert (f_known == (f_i == 2'd3));
    if (f_state != ST_HEAD && f_state != ST_LENGTH) assert (f_known);
    if (f_executes) assert (f_run_q);
    assert (f_state != 4'd6 && f_state != 4'd7 && f_state <= 4'd13);
  end
  wire unused = &{1'b0, tx, core_rst};
endmodule

`default_nettype wire
