// tern_link.v : the device's end of the link: serial line to host port
// SPDX-License-Identifier: Apache-2.0
//
// Function  Carries out the frames that the receiver has found good, in their order: docs/36-link.md, section 6. A
//           frame whose number is the expected one is carried out; one that was already carried out is answered from
//           the reply buffer; any other is refused. So each takes effect exactly once.
// C model   runtime/link/tern_link_device.c
// Structure tern_uart_rx, tern_link_receive, tern_fifo (receive buffer) ahead of this state machine; tern_ram (reply
// buffer), tern_link_send, tern_uart_tx behind it
`default_nettype none

module tern_link #(
  // Clock in Hz; bits per second, at most CLK_HZ / 4.
  parameter CLK_HZ   = 12000000,
  parameter BAUD     = 115200,
  // The receive buffer holds 2^BUFFER_AW - 1 bytes of frames, the reply buffer 2^BUFFER_AW bytes of words read; 9..12.
  parameter BUFFER_AW = 9
) (
  input  wire        clk_i,
  input  wire        rst_i,
  // line
  input  wire        rx_i,
  output wire        tx_o,
  // host port of the core: docs/33-host-port.md
  output wire        host_valid_o,
  input  wire        host_ready_i,
  output wire        host_write_o,
  output wire [31:0] host_addr_o,
  output wire [31:0] host_wdata_o,
  input  wire        host_rvalid_i,
  input  wire [31:0] host_rdata_i,
  input  wire        busy_i,
  // status
  output wire        core_rst_o,  // pulse: the host asks for a reset of the core
  output wire        open_o       // a session is open
);
  generate
    if (BUFFER_AW < 9 || BUFFER_AW > 12) begin : g_check_buffers
      tern_link_error_BUFFER_AW_out_of_range u_error ();
    end
  endgenerate

  // ---- protocol --------------------------------------------------------------------------------------
  localparam [3:0] VERSION = 4'd1;
  localparam [7:0] CM_INFO = 8'h01, CM_OPEN = 8'h02, CM_EXEC = 8'h03, CM_RESET = 8'h04;
  localparam [1:0] OP_WRITE = 2'd0, OP_READ = 2'd1, OP_ECHO = 2'd2;
  localparam [7:0] CAPS = {VERSION, BUFFER_AW[3:0]}; // told in every reply
  localparam [7:0] HEADER = 8'd5;                // bytes of a reply without data

  // ---- receive -----------------------------------------------------------------------------------------
  wire       rx_valid, rx_broken, wr_valid, commit, rollback, full, bad, reset, q_valid, take, tx_valid, tx_ready, tick;
  wire [7:0] rx_data, wr_data, q_data, tx_data;
  reg        reset_q;
  wire       rst = rst_i || reset_q;
  tern_uart_rx #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_uart_rx (
    .clk_i(clk_i), .rst_i(rst_i), .rx_i(rx_i), .valid_o(rx_valid), .data_o(rx_data), .broken_o(rx_broken)
  );
  tern_link_receive #(.RESET(CM_RESET)) u_receive (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(rx_valid), .data_i(rx_data), .broken_i(rx_broken),
    .wr_valid_o(wr_valid), .wr_data_o(wr_data), .commit_o(commit), .rollback_o(rollback), .full_i(full), .bad_o(bad),
    .reset_o(reset)
  );
  tern_fifo #(.WIDTH(8), .ADDR_W(BUFFER_AW)) u_queue (
    .clk_i(clk_i), .rst_i(rst), .wr_valid_i(wr_valid), .wr_data_i(wr_data), .commit_i(commit), .rollback_i(rollback),
    .full_o(full),
    .rd_valid_o(q_valid), .rd_data_o(q_data), .rd_take_i(take)
  );

  // ---- state machine: takes bytes of the frame -------------------------------------------------
  localparam [3:0] ST_LENGTH = 4'd0, ST_HEAD = 4'd1, ST_OP = 4'd2, ST_ADDR = 4'd3, ST_DATA = 4'd4, ST_SKIP = 4'd5,
                   ST_REQUEST = 4'd8, ST_READ = 4'd9, ST_STORE = 4'd10, ST_WAIT = 4'd11, ST_END = 4'd12,
                       ST_SENT = 4'd13;
  reg [3:0]  state_q;
  reg [1:0]  i_q;          // byte of head, address or word
  reg [7:0]  left_q;       // bytes of the frame not yet taken
  reg [1:0]  op_q;
  reg [5:0]  words_q;      // words of the operation behind the present one
  reg [1:0]  command_q;    // its lowest bits
  reg [7:0]  number_q;     // of the frame
  reg        silent_q, info_q, opening_q, exec_q;
  reg        match_q;       // the frame has the session number
  reg        run_q, old_q, done_q;
  reg [31:0] addr_q, data_q;
  reg        carry_q;
  reg [BUFFER_AW-5:0] place_q;    // where this frame's replies begin, in 16 bytes
  reg [BUFFER_AW-1:0] reply_q;    // next byte of the reply buffer
  reg [7:0]  count_q;            // length of the reply: bytes of data, and HEADER
  reg        open_q, frozen_q;
  reg [7:0]  session_q, expected_q, errors_q;
  // counts bit times that the core keeps this frame waiting: a shift register with a period of 2047 states
  reg [10:0] alive_q;

  wire       takes  = !state_q[3];
  wire       end_v  = (left_q == 8'd0) && state_q != ST_LENGTH;
  assign     take   = takes && q_valid && !end_v;
  wire       fourth = (i_q == 2'd3);
  wire       head   = take && state_q == ST_HEAD;
  wire       head2  = head && i_q == 2'd2;
  wire [7:0] beyond = q_data - expected_q;
`ifdef TERN_TESTBUG_LINK_SESSION_IGNORED
  wire       mine   = exec_q && open_q;
`else
  wire       mine   = exec_q && open_q && match_q;
`endif
`ifdef TERN_TESTBUG_LINK_GAP_ACCEPTED
  wire       fresh  = mine && !beyond[7];
`else
  wire       fresh  = mine && beyond == 8'd0;
`endif
  wire       old    = mine && beyond[7];
`ifdef TERN_TESTBUG_LINK_REPEAT_RUNS
  wire       run    = fresh || old;
`else
  wire       run    = fresh;
`endif
`ifdef TERN_TESTBUG_LINK_OPEN_AGAIN
  wire       opens  = head2 && opening_q;
`else
  wire       opens  = head2 && opening_q && match_q;
`endif
  wire       store  = (state_q == ST_STORE);
  wire       data_v = (op_q == OP_READ || op_q == OP_ECHO);
`ifdef TERN_TESTBUG_LINK_REPLY_NOT_KEPT
  wire       keep   = store && data_v;
`else
  wire       keep   = store && run_q && data_v;
`endif
`ifdef TERN_TESTBUG_LINK_NO_CARRY
  wire [8:0] addr_d = {1'b0, addr_q[7:0]} + {8'd0, i_q == 2'd0};
  wire       unused_bug = &{1'b0, carry_q};
`else
  wire [8:0] addr_d = {1'b0, addr_q[7:0]} + {8'd0, (i_q == 2'd0) || carry_q};
`endif

  // ---- replies -------------------------------------------------------------------------------------------
  wire       idle, progress, data_next;
  wire       stalled = (state_q == ST_REQUEST && !host_ready_i) || state_q == ST_WAIT;
  wire       alive   = stalled && alive_q == 11'h400;
  wire       finish  = (state_q == ST_END) && idle && !silent_q;
  wire [7:0] reply_byte;
  tern_ram #(.WIDTH(8), .DEPTH(1 << BUFFER_AW), .ADDR_W(BUFFER_AW)) u_reply (
    .clk_i(clk_i), .we_i(keep), .waddr_i(reply_q), .wdata_i(data_q[7:0]), .re_i(state_q == ST_SENT), .raddr_i(reply_q),
    .rdata_o(reply_byte)
  );
  tern_link_send #(.CAPS(CAPS), .HEADER(HEADER)) u_send (
    .clk_i(clk_i), .rst_i(rst), .start_i(finish || (alive && idle)), .progress_i(!finish), .idle_o(idle),
    .progress_o(progress),
    .answer_i({command_q, progress, old_q, done_q && !progress, open_q, busy_i}), .session_i(session_q),
    .number_i(number_q), .errors_i(errors_q),
    .count_i(count_q), .data_i(reply_byte),
    .data_next_o(data_next), .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data)
  );
  tern_uart_tx #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_uart_tx (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx_data), .tx_o(tx_o), .tick_o(tick)
  );

  // ---- next state ----------------------------------------------------------------------------------------
  reg [3:0] state_d;
  // where a word of the operation begins
  wire [3:0] st_word = (op_q == OP_READ) ? (run_q ? ST_REQUEST : ST_STORE) : ST_DATA;
  always @* begin
    state_d = state_q;
    case (state_q)
      ST_LENGTH:  if (take) state_d = ST_HEAD;
      ST_HEAD:    if (end_v) state_d = fourth ? ST_END : ST_LENGTH; // too short for a head: no answer
                  else if (take && fourth) state_d = (exec_q && done_q) ? ST_OP : ST_SKIP;
      ST_OP:      if (end_v) state_d = ST_END;
                  else if (take) state_d = (q_data[7:6] == OP_ECHO) ? ST_DATA : (q_data[7]) ? ST_WAIT : ST_ADDR;
      ST_ADDR:    if (end_v) state_d = ST_END;
                  else if (take && fourth) state_d = st_word;
      ST_DATA:    if (end_v) state_d = ST_END;
                  else if (take && fourth) state_d = (run_q && op_q == OP_WRITE) ? ST_REQUEST : ST_STORE;
      ST_SKIP:    if (end_v) state_d = ST_END;
      ST_REQUEST: if (host_ready_i) state_d = (op_q == OP_WRITE) ? ST_STORE : ST_READ;
      ST_READ:    if (host_rvalid_i) state_d = ST_STORE;
      ST_STORE:   if (fourth) state_d = (words_q == 6'd0) ? ST_OP : st_word;
`ifdef TERN_TESTBUG_LINK_WAIT_IGNORED
      ST_WAIT:    state_d = ST_OP;
`else
      ST_WAIT:    if (!busy_i || !run_q) state_d = ST_OP;
`endif
      ST_END:     if (silent_q) state_d = ST_LENGTH;
                  else if (idle) state_d = ST_SENT;
      ST_SENT:    if (idle) state_d = ST_LENGTH;
      default:    state_d = ST_LENGTH;
    endcase
  end

  always @(posedge clk_i) begin
    state_q <= state_d;
    if (state_q == ST_LENGTH || state_q == ST_OP) i_q <= 2'd0;
    else if ((take || store) && state_q != ST_SKIP) i_q <= i_q + 2'd1;
    if (take) left_q <= (state_q == ST_LENGTH) ? q_data : left_q - 8'd1;

    if (head && i_q == 2'd0) begin
      command_q <= q_data[1:0];
      silent_q  <= q_data[7];
      info_q    <= (q_data == CM_INFO);
      opening_q <= (q_data == CM_OPEN);
      exec_q    <= (q_data == CM_EXEC);
    end
    if (head && i_q == 2'd1) begin
      match_q <= (q_data == session_q);
    end
    if (head2) begin
      number_q <= q_data;
      run_q  <= run;
      old_q  <= old;
      done_q <= fresh || old || info_q || (opening_q && match_q);
    end
    if (head && fourth) place_q <= q_data[BUFFER_AW-5:0];

    if (take && state_q == ST_OP) begin
      op_q    <= q_data[7:6];
      words_q <= q_data[5:0];
    end else if (store && fourth) words_q <= words_q - 6'd1;
    // the address is increased byte by byte while it turns
    carry_q <= addr_d[8];
    if (take && state_q == ST_ADDR) addr_q <= {q_data, addr_q[31:8]};
    else if (store) addr_q <= {addr_d[7:0], addr_q[31:8]};
    if (state_q == ST_READ) data_q <= host_rdata_i; // the last one counts, which comes with rvalid
    else if (store || (take && state_q == ST_DATA)) data_q <= {q_data, data_q[31:8]};

    // in the reply buffer: first while words are read, then while they are sent
    if (state_q == ST_END || (state_q == ST_OP && count_q == HEADER)) reply_q <= {place_q, 4'd0};
    else if ((store && data_v) || data_next) reply_q <= reply_q + 1'b1;
    if (state_q == ST_LENGTH) count_q <= HEADER;
    else if ((store && data_v) || data_next) count_q <= count_q + {{7{data_next}}, 1'b1};

    // session
    frozen_q <= frozen_q || q_valid;
    if (!frozen_q || opens) session_q <= session_q + 8'd1;
    if (opens) begin
      open_q     <= 1'b1;
      expected_q <= 8'd0;
    end else if (state_q == ST_SENT && idle && run_q) begin
      expected_q <= expected_q + 8'd1;
    end
    if (bad) errors_q <= errors_q + 8'd1;
    if (!stalled) alive_q <= 11'd1;
`ifdef TERN_TESTBUG_LINK_ALIVE_SKIPS
    else if (tick) alive_q <= {alive_q[9:0], alive_q[10] ^ alive_q[9]};
`else
    else if (tick) alive_q <= {alive_q[9:0], alive_q[10] ^ alive_q[8]};
`endif

    reset_q <= reset;
    if (rst_i || reset_q) begin
      state_q   <= ST_LENGTH;
      open_q    <= 1'b0;
      frozen_q  <= 1'b0;
      session_q <= 8'd0;
      reset_q   <= 1'b0;
    end
    if (rst_i) errors_q <= 8'd0;
  end

  assign host_valid_o = (state_q == ST_REQUEST);
  assign host_write_o = (op_q == OP_WRITE);
  assign host_addr_o  = addr_q;
  assign host_wdata_o = data_q;
  assign core_rst_o   = reset_q;
  assign open_o       = open_q;
endmodule

`default_nettype wire
