// cells_tb.v : the cells of sim/netlist beside those of Yosys, with the same inputs; prints `cells_tb: N comparisons, M
// differ`
// SPDX-License-Identifier: Apache-2.0
//
// cells.sh gives the modules of sim/netlist the prefix own_, and makes of a line `//! CELL | parameters | inputs |
// output | width` (which goes on in the next line after a comma or bar) the two cells and their comparison. Inputs
// change at the falling edge; outputs are compared before each edge of the clock.
`timescale 1ns / 1ps
module cells_tb;
  reg         clk = 0;
  reg  [63:0] r = 0;      // random bits
  reg  [10:0] waddr, raddr;
  event       compare;
  integer     compared = 0, differ = 0, n;

`ifdef ICE40
  genvar i;
  generate
    for (i = 0; i < 64; i = i + 1) begin : g_lut // one bit of 16, and its complement; then others
      localparam [15:0] INIT = i < 16 ? 16'h1 << i : i < 32 ? ~(16'h1 << (i - 16)) : 16'h1357 * i;
      //! SB_LUT4 | .LUT_INIT(INIT) | .I0(r[0]), .I1(r[1]), .I2(r[2]), .I3(r[3]) | O | 1
    end
    for (i = 0; i < 16; i = i + 1) begin : g_ram
      localparam [255:0] INIT = 256'h0123456789abcdef_5a5a5a5a3c3c3c3c_deadbeefcafebabe_0f1e2d3c4b5a6978 * (i + 1);
      //! SB_RAM40_4K | .WRITE_MODE(i / 4), .READ_MODE(i % 4), .INIT_0(INIT), .INIT_1(~INIT), .INIT_7(INIT << 3),
      //!     .INIT_8(INIT), .INIT_F(INIT << 8) | .RCLK(clk), .RCLKE(r[0]), .RE(r[1] ^ r[2]), .RADDR(raddr), .WCLK(clk),
      //!     .WCLKE(r[3] ^ r[4]), .WE(r[5] ^ r[6]), .WADDR(waddr), .MASK(r[31:16]), .WDATA(r[47:32]) | RDATA | 16
    end
  endgenerate
  //! SB_CARRY |  | .I0(r[0]), .I1(r[1]), .CI(r[2]) | CO | 1
  //! SB_DFF |  | .C(clk), .D(r[0]) | Q | 1
  //! SB_DFFE |  | .C(clk), .D(r[0]), .E(r[1]) | Q | 1
  //! SB_DFFSR |  | .C(clk), .D(r[0]), .R(r[2]) | Q | 1
  //! SB_DFFSS |  | .C(clk), .D(r[0]), .S(r[2]) | Q | 1
  //! SB_DFFESR |  | .C(clk), .D(r[0]), .E(r[1]), .R(r[2]) | Q | 1
  //! SB_DFFESS |  | .C(clk), .D(r[0]), .E(r[1]), .S(r[2]) | Q | 1

`ifdef SPRAM
  // The single-port RAM, where Yosys's output is defined. Where a write or STANDBY leaves it undefined, own's is not
  // what it was; contents that were lost do not read as they were.
  // Addresses: each bit alone, and 0.
  reg         sp_clk = 0;
  reg  [63:0] s = 0;
  event       sp_compare, sp_done;
  integer     m;
  wire [3:0]  sp_at = s[3:0], sp_mask = s[7:4] | {4{s[8]}};
  wire        sp_cs = s[10:9] != 2'd0, sp_we = s[11], sp_standby = s[16:12] == 5'd0, sp_sleep = s[21:17] == 5'd0,
      sp_on = s[28:22] != 7'd0;
  wire        sp_active = sp_on && !sp_sleep && (sp_standby || sp_cs),
      sp_reads = sp_on && !sp_sleep && !sp_standby && sp_cs && !sp_we;
  wire [15:0] sp_yosys, sp_own;
  reg  [15:0] sp_before, sp_kept [0:15];
  integer     sp_defined = 0, sp_undefined = 0, sp_lost = 0;
  SB_SPRAM256KA u_sp_yosys (.ADDRESS(14'd1 << sp_at), .DATAIN(s[47:32]), .MASKWREN(sp_mask), .WREN(sp_we),
      .CHIPSELECT(sp_cs), .CLOCK(sp_clk), .STANDBY(sp_standby), .SLEEP(sp_sleep), .POWEROFF(sp_on), .DATAOUT(sp_yosys));
  own_SB_SPRAM256KA u_sp_own (.ADDRESS(14'd1 << sp_at), .DATAIN(s[47:32]), .MASKWREN(sp_mask), .WREN(sp_we),
      .CHIPSELECT(sp_cs), .CLOCK(sp_clk), .STANDBY(sp_standby), .SLEEP(sp_sleep), .POWEROFF(sp_on), .DATAOUT(sp_own));
  always @(sp_compare) begin
    compared = compared + 1;
    if (^sp_yosys !== 1'bx && sp_yosys !== 16'd0) sp_defined = sp_defined + 1;
    if ((|(sp_yosys ^ sp_own)) === 1'b1) begin
      differ = differ + 1;
      if (differ < 20) $display("DIFFERS SB_SPRAM256KA.DATAOUT: Yosys %h, own %h", sp_yosys, sp_own);
    end
    if (sp_clk && sp_active && !sp_reads && sp_yosys === 16'hxxxx && ^sp_before !== 1'bx) begin
      sp_undefined = sp_undefined + 1;
      if (sp_own === sp_before) begin
        differ = differ + 1;
        if (differ < 20) $display("DIFFERS SB_SPRAM256KA.DATAOUT, undefined, is held: %h", sp_own);
      end
    end
    if (sp_clk && sp_reads) begin
      if (sp_yosys === 16'hxxxx && ^sp_kept[sp_at] !== 1'bx) begin
        sp_lost = sp_lost + 1;
        if (sp_own === sp_kept[sp_at]) begin
          differ = differ + 1;
          if (differ < 20) $display("DIFFERS SB_SPRAM256KA.DATAOUT, lost, is there: %h", sp_own);
        end
      end
      sp_kept[sp_at] = sp_yosys;
    end
    sp_before = sp_own;
  end
  initial begin
    for (m = 0; m < 6000; m = m + 1) begin
      s = {$random, $random};
      #1 -> sp_compare;
      #1 sp_clk = 1;
      #1 -> sp_compare;
      #1 sp_clk = 0;
    end
    if (sp_defined < 1000 || sp_undefined < 1000 || sp_lost < 50) begin
      differ = differ + 1;
      $display("DIFFERS single-port RAM: only %0d outputs were defined, %0d undefined, %0d lost", sp_defined,
          sp_undefined, sp_lost);
    end
    -> sp_done;
  end
`endif
`else
  genvar i;
  generate
    for (i = 0; i < 64; i = i + 1) begin : g_lut
      localparam [15:0] INIT = i < 16 ? 16'h1 << i : i < 32 ? ~(16'h1 << (i - 16)) : 16'h1357 * i;
      //! LUT4 | .INIT(INIT) | .A(r[0]), .B(r[1]), .C(r[2]), .D(r[3]) | Z | 1
    end
    for (i = 0; i < 64; i = i + 1) begin : g_ccu
      localparam [15:0] INIT = 16'h96aa + 16'h2b67 * i;
      wire c_a, c_b, s_a, s_b;
      //! CCU2C | .INIT0(INIT), .INIT1(16'h7531 ^ INIT), .INJECT1_0(i[0] ? "YES" : "NO"),
      //!     .INJECT1_1(i[1] ? "YES" : "NO") | .CIN(r[0]), .A0(r[1]), .B0(r[2]), .C0(r[3]), .D0(r[4]), .A1(r[5]),
      //!     .B1(r[6]), .C1(r[7]), .D1(r[8]) | S0 | 1
      //! CCU2C | .INIT0(INIT), .INIT1(16'h7531 ^ INIT), .INJECT1_0(i[0] ? "YES" : "NO"),
      //!     .INJECT1_1(i[1] ? "YES" : "NO") | .CIN(r[0]), .A0(r[1]), .B0(r[2]), .C0(r[3]), .D0(r[4]), .A1(r[5]),
      //!     .B1(r[6]), .C1(r[7]), .D1(r[8]) | S1 | 1
      //! CCU2C | .INIT0(INIT), .INIT1(16'h7531 ^ INIT), .INJECT1_0(i[0] ? "YES" : "NO"),
      //!     .INJECT1_1(i[1] ? "YES" : "NO") | .CIN(r[0]), .A0(r[1]), .B0(r[2]), .C0(r[3]), .D0(r[4]), .A1(r[5]),
      //!     .B1(r[6]), .C1(r[7]), .D1(r[8]) | COUT | 1
    end
    for (i = 0; i < 6; i = i + 1) begin : g_ff
      //! TRELLIS_FF | .CEMUX(i % 3 == 0 ? "1" : i % 3 == 1 ? "CE" : "INV"), .REGSET(i / 3 == 0 ? "SET" : "RESET"),
      //!     .SRMODE("LSR_OVER_CE"), .LSRMUX("LSR"), .CLKMUX("CLK") | .CLK(clk), .LSR(r[0] & r[9]), .CE(r[1]),
      //!     .DI(r[2]), .M(1'b0) | Q | 1
    end
  endgenerate
  //! PFUMX |  | .ALUT(r[0]), .BLUT(r[1]), .C0(r[2]) | Z | 1
  //! L6MUX21 |  | .D0(r[0]), .D1(r[1]), .SD(r[2]) | Z | 1
  //! TRELLIS_DPR16X4 | .WCKMUX("WCK"), .WREMUX("WRE"), .INITVAL(64'h0123456789abcdef) | .DI(r[3:0]), .WAD(r[7:4]),
  //!     .RAD(r[11:8]), .WRE(r[12]), .WCK(clk) | DO | 4

  // Yosys has no model of a multiplier or a block RAM: against the arithmetic and the array of Verilog
  wire [35:0] product;
  own_tern_ecp5_mult u_mult (.a(r[17:0]), .b(r[35:18]), .signed_a(r[36]), .signed_b(r[37]), .p(product));
  reg signed [40:0] factor_a, factor_b, wanted;
  always @(compare) begin
    factor_a = r[36] ? {{23{r[17]}}, r[17:0]} : {23'd0, r[17:0]};
    factor_b = r[37] ? {{23{r[35]}}, r[35:18]} : {23'd0, r[35:18]};
    wanted   = factor_a * factor_b;
    compared = compared + 1;
    if (product !== wanted[35:0]) begin
      differ = differ + 1;
      if (differ < 20) $display("DIFFERS product: %h, wanted %h", product, wanted[35:0]);
    end
  end
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_block
      localparam W = i == 5 ? 36 : i == 4 ? 18 : i == 3 ? 9 : 1 << i, SHIFT = i;
      wire [35:0]  rdata;
      reg  [W-1:0] mem [0:(16384 >> SHIFT)-1], rdata_q;
      integer      b;
      own_tern_ecp5_ram #(.WIDTH(W)) u_ram (.wclk(clk), .we(r[0]), .be(r[4:1]), .waddr({3'd0, waddr}), .wdata(r[63:28]),
          .rclk(clk), .re(r[5]), .raddr({3'd0, raddr}), .rdata(rdata));
      always @(posedge clk) begin
        for (b = 0; b < W; b = b + 1) if (r[0] && (W < 18 || r[1 + b / 9])) mem[waddr >> SHIFT][b] <= r[28+b];
        if (r[5]) rdata_q <= mem[raddr >> SHIFT];
      end
      always @(compare) begin
        compared = compared + 1;
        if (rdata[W-1:0] !== rdata_q) begin
          differ = differ + 1;
          if (differ < 20) $display("DIFFERS block RAM of %0d bits: %h, wanted %h", W, rdata, rdata_q);
        end
      end
    end
  endgenerate
`endif

  initial begin
    for (n = 0; n < 200; n = n + 1) begin
      r     = {$random, $random};
      waddr = $random;
      raddr = n % 3 == 0 ? $random : waddr ^ (11'h100 << ($random & 3)); // often where was written
      #1 -> compare;
      #1 clk = 1;
      #1 -> compare;
      #1 clk = 0;
    end
`ifdef SPRAM
    @(sp_done);
`endif
    $display("cells_tb: %0d comparisons, %0d differ", compared, differ);
    if (differ != 0) $fatal;
    $finish;
  end
endmodule
