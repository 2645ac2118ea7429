#!/bin/sh
# Proofs of rules about small modules, without SymbiYosys.
#     sh formal.sh NAME prove|cover|mutant ROOT YOSYS SMTBMC SOLVER [DEFINE]
# prove: bounded from reset, then k-induction. cover: everything that should happen can. mutant: with the planted bug DEFINE a rule fails ("FORMAL rule fails").
# NAME: fifo, uart_tx, uart_rx, receive. Exit status 0: as told; 1: not; 2: wrong usage; 77: a tool is missing.
# SPDX-License-Identifier: Apache-2.0
set -eu
[ $# -ge 6 ] || { echo "usage: formal.sh NAME prove|cover|mutant ROOT YOSYS SMTBMC SOLVER [DEFINE]" >&2; exit 2; }
name=$1 task=$2 root=$3 yosys=$4 smtbmc=$5 solver=$6 define=${7:-}
for t in "$yosys" "$smtbmc" "$solver"; do command -v "$t" >/dev/null 2>&1 || { echo "SKIP: needs $t"; exit 77; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# depth of the bounded proof, k of the induction, depth of the covers; files; registers inside that the rules look at: f_NAME = path
case $name in
fifo)
    bound=8 k=2 reach=24 files='mem/tern_ram link/tern_fifo'
    connect='f_wr=dut.wr_q f_commit=dut.commit_q f_rd=dut.rd_q f_have=dut.have_q'
    memory=1 ;;
uart_tx)
    bound=12 k=2 reach=52 files='link/tern_uart_phase link/tern_uart_tx'
    connect='f_bits=dut.bits_q f_shift=dut.shift_q f_phase=dut.u_phase.phase_q'
    memory='' ;;
uart_rx)
    bound=12 k=3 reach=68 files='link/tern_uart_phase link/tern_uart_rx'
    connect='f_active=dut.active_q f_sync=dut.sync_q f_rx=dut.rx_q f_rx2=dut.rx_q2 f_bits=dut.bits_q f_shift=dut.shift_q f_phase=dut.u_phase.phase_q'
    memory='' ;;
receive)
    bound=16 k=2 reach=16 files='link/tern_crc link/tern_link_receive'
    connect='f_begun=dut.begun_q f_bad=dut.bad_q f_second=dut.second_q f_is_reset=dut.reset_q f_left=dut.left_q'
    memory='' ;;
link)
    bound=4 k=2 reach=0
    files='mem/tern_ram link/tern_uart_phase link/tern_uart_rx link/tern_uart_tx link/tern_fifo link/tern_crc link/tern_link_receive link/tern_link_send link/tern_link'
    connect='f_take=dut.take f_run_q=dut.run_q f_kill=dut.reset_q f_state=dut.state_q f_i=dut.i_q f_byte=dut.q_data f_expected=dut.expected_q f_session=dut.session_q f_idle=dut.idle'
    memory='' ;;
*) echo "formal.sh: unknown name '$name'" >&2; exit 2 ;;
esac

{
    printf 'read_verilog -formal %s%s/tests/formal/formal_%s.v\n' "${define:+-D$define }" "$root" "$name"
    for f in $files; do printf 'read_verilog -formal %s%s/rtl/%s.v\n' "${define:+-D$define }" "$root" "$f"; done
    printf 'hierarchy -check -top formal_%s\nproc\nflatten\nopt_clean\n' "$name"
    [ -z "$memory" ] || printf 'memory_collect\nmemory_map\n'
    for c in $connect; do printf 'connect -nounset -set %s \\%s\n' "${c%%=*}" "${c#*=}"; done
    if [ -n "$memory" ]; then
        i=0
        while [ $i -lt 4 ]; do
            printf 'connect -nounset -set f_mem[%d:%d] \\dut.u_ram.g_slice[0].mem[%d]\n' $((2 * i + 1)) $((2 * i)) $i
            i=$((i + 1))
        done
    fi
    printf 'opt\nasync2sync\ndffunmap\nwrite_smt2 -wires %s/model.smt2\n' "$work"
} >"$work/script"
"$yosys" -q -s "$work/script" >"$work/log" 2>&1 || { echo "yosys:"; head -n 20 "$work/log"; exit 1; }

run() { "$smtbmc" -s "$solver" --presat "$@" "$work/model.smt2" >"$work/out" 2>&1; }
case $task in
prove)
    run -t "$bound" || { echo "FORMAL rule fails within $bound cycles of the reset"; tail -n 12 "$work/out"; exit 1; }
    run -i -t "$k" || { echo "FORMAL induction over $k cycles does not close"; tail -n 12 "$work/out"; exit 1; }
    echo "$name: proved (bounded $bound, induction $k)" ;;
cover)
    run -c -t "$reach" || { echo "FORMAL not reached within $reach cycles"; grep -i cover "$work/out" | tail -n 12; exit 1; }
    echo "$name: $(grep -c 'Reached cover' "$work/out") covers reached" ;;
mutant)
    if run -t "$bound"; then echo "no rule fails with $define"; exit 1; fi
    grep -q 'Assert failed' "$work/out" || { tail -n 12 "$work/out"; exit 1; }
    echo "FORMAL rule fails: $name with $define: $(grep -m 1 'Assert failed' "$work/out" | sed 's/.*Assert failed in //')" ;;
*) echo "formal.sh: unknown task '$task'" >&2; exit 2 ;;
esac
