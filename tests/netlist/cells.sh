#!/bin/sh
# cells.sh SOURCE WORK : the cells of sim/netlist do what those of Yosys do; a changed one is found; configurations without a model stop the build
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
source=$1 work=$2
for tool in iverilog vvp yosys; do command -v $tool >/dev/null || { echo "FAILED: needs $tool"; exit 1; }; done
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
ln -s "$source/sim" sim # a name without blanks, wherever the tree lies
data=$(yosys -p 'read_verilog -lib +/ice40/arith_map.v' 2>/dev/null | sed -n "s,.*input from .\(.*\)/ice40/arith_map.v.*,\1,p")
[ -f "$data/simlib.v" ] || { echo "FAILED: where are the files of Yosys? '$data'"; exit 1; }
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
compare() { # family file [cell]: prints the result; of this cell, or of what has no row, only
    only=${3-}
    sed -E 's/^module /module own_/; s/(tern_error_[A-Za-z0-9_]*) u_error \(\);/initial \$display("\1");/' "$2" >own.v
    case $1 in
    ice40) set -- $(case $only in '' | SB_SPRAM*) echo -DSPRAM ;; esac) -DICE40 -DNO_ICE40_DEFAULT_ASSIGNMENTS "$data/ice40/cells_sim.v" ;;
    ecp5) set -- -I"$data/ecp5" -I"$data/lattice" "$data/ecp5/cells_sim.v" ;;
    esac
    # of Yosys's internal cells one is used, $lut, which newer versions make of another
    sed -n '/^module \\\$lut /,/^endmodule/p; /^module \\\$bmux /,/^endmodule/p' "$data/simlib.v" >lut.v
    awk -F ' *[|] *' -v only="$only" '
        /^ *\/\/!/ {
            sub(/^ *\/\/! */, "")
            row = row (row == "" ? "" : " ") $0
            if (row ~ /[,|]$/) next # goes on in the next line
            $0 = row
            row = ""
            if (only != "" && $1 != only) next
            ++n
            printf "wire [%d:0] yosys_%d, own_%d; %s #(%s) u_yosys_%d (%s, .%s(yosys_%d)); own_%s #(%s) u_own_%d (%s, .%s(own_%d));\n", $5 - 1, n, n, $1, $2, n, $3, $4, n, $1, $2, n, $3, $4, n
            printf "always @(compare) begin\n  compared = compared + 1;\n  if (yosys_%d !== own_%d) begin\n    differ = differ + 1;\n", n, n
            printf "    if (differ < 20) $display(\"DIFFERS %s.%s: Yosys %%h, own %%h\", yosys_%d, own_%d);\n  end\nend\n", $1, $4, n, n
            next
        }
        { print }' "$source/tests/netlist/cells_tb.v" >cells_tb.v
    iverilog -g2012 -o cells.vvp -s cells_tb "$@" lut.v own.v cells_tb.v >said.txt 2>&1 || { cat said.txt; return; }
    vvp cells.vvp
}
for family in ice40 ecp5; do
    compare $family "$source/sim/netlist/${family}_cells.v" >result.txt
    grep -q '^cells_tb: [0-9]*[0-9][0-9][0-9][0-9] comparisons, 0 differ$' result.txt || { fail "cells of $family"; cat result.txt; }
    grep -q '^tern_error' result.txt && fail "cells of $family refuse a configuration that is used"
done
# planted mistakes
plant() { # family expression what-differs
    sed -E "$2" "$source/sim/netlist/$1_cells.v" >planted.v
    cmp -s planted.v "$source/sim/netlist/$1_cells.v" && fail "'$2' plants nothing"
    compare "$1" planted.v "${3%%.*}" >result.txt
    grep -q "^DIFFERS .*$3" result.txt || { fail "'$2' is not found"; tail -3 result.txt; }
}
plant ice40 's/\{I3, I2, I1, I0\}/{I3, I2, I0, I1}/' 'SB_LUT4.O'
plant ice40 's/\(I0 \| I1\) & CI/(I0 ^ I1 ^ CI) \& CI/' 'SB_CARRY.CO'
plant ice40 's/b - b % 4 \+ 1/b - b % 4/' 'SB_RAM40_4K.RDATA'
plant ice40 's/if \(E\) Q <= S /Q <= S /' 'SB_DFFESS.Q'
plant ice40 's/\{4\{MASKWREN\[2\]\}\}/{4{MASKWREN[1]}}/' 'SB_SPRAM256KA.DATAOUT'
plant ice40 's/memory\[ADDRESS\];/memory[ADDRESS[12:0]];/' 'SB_SPRAM256KA.DATAOUT'
plant ice40 's/CHIPSELECT && !STANDBY && !off/CHIPSELECT \&\& !off/' 'SB_SPRAM256KA.DATAOUT'
plant ice40 's/out_q <= ~out_q/out_q <= out_q/' 'SB_SPRAM256KA.DATAOUT, undefined, is held'
plant ice40 's/lost_q <= lost_q \+/lost_q <= 16'"'"'d0 \&/' 'SB_SPRAM256KA.DATAOUT, lost, is there'
plant ecp5 's/p0 \? CIN : g0/p0 ? CIN : 1'"'"'b0/' 'CCU2C.COUT'
plant ecp5 's/ce = !CE/ce = CE/' 'TRELLIS_FF.Q'
plant ecp5 's/signed_b & b\[17\]/signed_a \& b[17]/' 'product'
plant ecp5 's/18.d0, \{9\{be\[1\]\}\}/18'"'"'d0, {9{be[0]}}/' 'block RAM of 18'

# what has no model: the netlist as `tern cosim` reads it, with one cell
refuse() { # family cell what
    printf 'module top (input c, d, input [13:0] a, output q, input e);\n  %s\nendmodule\n' "$2" >cell.v
    (yosys -q -p "read_verilog cell.v; script sim/netlist/$1.ys; hierarchy -check -top top; proc; flatten; select -assert-none t:* t:\$* %d; write_verilog -noattr model.v") >said.txt 2>&1
    got=$?
    if [ -z "$3" ]; then
        [ $got -eq 0 ] || { fail "refused: $2"; cat said.txt; }
    else
        [ $got -ne 0 ] && grep -q "ERROR: .*$3" said.txt || { fail "accepted, or another message than '$3': $2"; cat said.txt; }
    fi
}
low='.WEB(1'"'"'b0), .RSTA(1'"'"'b0), .RSTB(1'"'"'b0), .CSA0(1'"'"'b0), .CSA1(1'"'"'b0), .CSA2(1'"'"'b0), .CSB0(1'"'"'b0), .CSB1(1'"'"'b0), .CSB2(1'"'"'b0)'
ports=".CLKA(c), .CLKB(c), .CEA(1'b1), .CEB(e), .WEA(e), .ADA0(a[0]), .ADA4(a[1]), .ADB4(a[2]), .DIA0(d), .DOB0(q)"
ram='DP16KD.* referenced in module .*top.* is not part of the design' product='MULT18X18D.* referenced in module .*top.* is not part of the design'
left='Assertion failed: selection is not empty'
refuse ecp5 "DP16KD #(.DATA_WIDTH_A(18), .DATA_WIDTH_B(18)) u ($ports, $low);" ''
for configuration in '.DATA_WIDTH_A(18), .DATA_WIDTH_B(9)' '.REGMODE_B("OUTREG")' '.CLKBMUX("INV")' '.CSDECODE_A("0b001")' ".INITVAL_3F(320'd1)" '.DATA_WIDTH_A(3), .DATA_WIDTH_B(3)'; do
    refuse ecp5 "DP16KD #($configuration) u ($ports, $low);" "$ram"
done
refuse ecp5 "DP16KD u ($ports, $(echo "$low" | sed "s/WEB(1'b0)/WEB(e)/"));" "$ram"
refuse ecp5 "DP16KD u ($ports, $(echo "$low" | sed "s/RSTB(1'b0)/RSTB(1'b1)/"));" "$ram"
mult=".A0(d), .B0(e), .SIGNEDA(1'b0), .SIGNEDB(1'b1), .P0(q)"
refuse ecp5 "MULT18X18D u ($mult, .SOURCEA(1'b0), .SOURCEB(1'b0));" ''
refuse ecp5 "MULT18X18D #(.REG_OUTPUT_CLK(\"CLK0\")) u ($mult, .SOURCEA(1'b0), .SOURCEB(1'b0));" "$product"
refuse ecp5 "MULT18X18D u ($mult, .SOURCEA(1'b1), .SOURCEB(1'b0));" "$product"
refuse ecp5 'TRELLIS_FF #(.SRMODE("ASYNC")) u (.CLK(c), .LSR(e), .DI(d), .Q(q));' 'tern_error_TRELLIS_FF_in_a_configuration_without_a_model'
refuse ecp5 'TRELLIS_FF #(.SRMODE("LSR_OVER_CE")) u (.CLK(c), .LSR(e), .DI(d), .Q(q));' ''
refuse ecp5 'EHXPLLL u (.CLKI(c), .CLKOP(q));' 'EHXPLLL'
refuse ice40 "SB_DFFR u (.C(c), .D(d), .R(e), .Q(q));" "$left"
refuse ice40 "SB_DFFSR u (.C(c), .D(d), .R(e), .Q(q));" ''
refuse ice40 "SB_RAM40_4K #(.READ_MODE(4)) u (.RCLK(c), .RE(e), .WDATA(a), .RDATA(q));" 'tern_error_SB_RAM40_4K_has_no_such_READ_MODE'
refuse ice40 "SB_SPRAM256KA u (.ADDRESS(a), .DATAIN({2'd0, a}), .MASKWREN(4'hf), .WREN(e), .CHIPSELECT(d), .CLOCK(c), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1), .DATAOUT(q));" ''
refuse ice40 'SB_PLL40_CORE u (.REFERENCECLK(c), .PLLOUTCORE(q));' "$left"
[ $failed -eq 0 ] && cd / && rm -rf "$work" && echo "cells of sim/netlist: equal to those of Yosys, 13 planted mistakes found, what has no model is refused"
exit $failed
