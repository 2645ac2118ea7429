#!/bin/sh
# parts.sh : `tern cosim --jobs`: a run in parts finds what a run in one piece finds, record by record
# SPDX-License-Identifier: Apache-2.0
#
#     parts.sh TERN SOURCE WORK CORES
export LC_ALL=C
needs="verilator"
. "$(dirname "$0")/begin.sh"
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$2"; }
# What may depend on the number of parts: the time, and how often memories are compared.
plain() { sed 's/"\(seconds\|cycles_per_second\|memory_words\|jobs\|built\|build_seconds\)":[^,}]*//g' "$1"; }
# Waits until the command line is true; a mistake that is known to be there need not be waited for so long.
soon() {
    left=${TERN_PATIENCE_TENTHS-300}
    while ! "$@"; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.1
    done
}

cat >reward.lua <<'LUA'
local taps = tern.raised_cosine{ count = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", shape = {8, 8} }
local hid = tern.hidden{ name = "hid", size = 3, memory = taps[1] }
local out = tern.visible{ name = "out", size = 2, memory = taps[1] }
tern.connect{ from = {pixels, out, hid}, to = hid, filters = taps, init = tern.uniform(-0.3, 0.3) }
tern.connect{ from = {pixels, hid}, to = out, filters = taps, init = tern.uniform(-0.3, 0.3) }
tern.reward{ eta = 0.02, gamma = 0.8, kappa = 0.5, samples = 4, tau = 2, schedule = { divide = 2, every = 1 } }
tern.data{ sensor = {128, 128}, crop = {56, 56, 8, 8}, window_ms = 25, steps = 10, input = pixels, label = out }
LUA
net=$work/reward.lua

# NAME JOBS.. -- WORDS..: the same result in so many parts, which compare more memories
same() {
    name=$1 list=
    shift
    while [ "$1" != -- ]; do
        list="$list $1"
        shift
    done
    shift
    "$tern" cosim "$@" -q --json --cache "$cores" >one.json 2>err.txt || { fail "$name: one piece"; cat err.txt; return; }
    for jobs in $list; do
        "$tern" cosim "$@" -q --json --cache "$cores" --jobs "$jobs" >parts.json 2>err.txt ||
            { fail "$name: --jobs $jobs"; cat err.txt; continue; }
        plain one.json >a
        plain parts.json >b
        cmp -s a b || { fail "$name: --jobs $jobs finds something else"; diff a b; }
        [ "$(value memory_words parts.json)" -gt "$(value memory_words one.json)" ] ||
            fail "$name: --jobs $jobs compares no memories where a part ends"
        [ ! -s err.txt ] || fail "$name: --jobs $jobs says: $(cat err.txt)"
    done
}
"$tern" data digits recordings --count 3 --classes 0,1 --seed 3 -q >out.txt || fail "no recordings"
# more parts than steps, parts of one step
same "rewards" 2 3 64 -- "$net" --steps 40

# the process of a part that ends by itself, and a run that is interrupted: nothing is left behind
# shellcheck disable=SC2317 # run by soon
has_children() {
    children=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$pid" '$2 ~ /^\(tern/ && $4 == parent { print $1 }')
    [ -n "$children" ]
}
# shellcheck disable=SC2317
has_ended() { ! kill -0 "$pid" 2>/dev/null; }
# shellcheck disable=SC2317
is_clean() { # the processes of parts, which were seen by start, are no more
    for child in $children; do
        state=$(cut -d' ' -f3 "/proc/$child/stat" 2>/dev/null)
        [ -z "$state" ] || [ "$state" = Z ] || return 1
    done
}
start() { # a long run in the background, once a part has a process
    "$tern" cosim "$net" --steps 1000000 --jobs 3 --cache "$cores" >out.txt 2>err.txt &
    pid=$!
    soon has_children || fail "no process of a part"
}
# WHAT STATUS TEXT: how it has to end
ends() {
    soon has_ended || { kill -KILL "$pid"; fail "$1: the run goes on"; }
    wait "$pid" 2>/dev/null
    got=$?
    [ $got -eq "$2" ] && { [ -z "$3" ] || grep -q -e "$3" err.txt; } || { fail "$1: status $got"; cat err.txt; }
}
start
# shellcheck disable=SC2086 # one word each
kill -KILL $children
ends "a part that was killed" 1 "error TERN-E0617: --jobs: the process of part 1 of 3 ended by itself, by signal 9"
start
kill -TERM "$pid"
ends "an interrupt" 1 "^interrupted: not all steps"
grep -q "^differences  0" out.txt || fail "an interrupted run has no summary: $(cat out.txt)"
start
kill -KILL "$pid"
ends "the first process was killed" 137 ""
# shellcheck disable=SC2086
soon is_clean || { kill -KILL $children; fail "processes are left"; }

# Two mistakes: draws are wrong from step 25 on, and an update is not pending after step 14, where the first one of
# three parts ends. The first difference is that of one piece, though other parts find their own earlier.
mkdir -p share/sim
cp -r "$source/rtl" share/
cp -r "$source/sim/drive" share/sim/
sed -i 's/\.ctr0_i(cfg_step_i)/.ctr0_i(cfg_step_i ^ {31'"'"'d0, cfg_step_i >= 32'"'"'d25})/' share/rtl/core/tern_draw.v
sed -i "s/^\( *7'd66: reg_rdata = \)\(.*\);/\1(step_q == 32'd14) ? 32'd0 : (\2);/" share/rtl/core/tern_control.v
for v in draw control; do
    cmp -s share/rtl/core/tern_$v.v "$source/rtl/core/tern_$v.v" && fail "no mistake was planted in tern_$v.v"
done
TERN_SHARE=$work/share
export TERN_SHARE
differs() { # WHAT WORDS...: the difference of what.err and what.txt
    what=$1
    shift
    "$tern" cosim "$net" --cache "$cores" -q "$@" >"$what.txt" 2>"$what.err"
    [ $? -eq 1 ] || fail "$*: the mistake is not seen"
    grep -v "^reproduce" "$what.err" >"$what.said"
}
repeats() { # WHAT: the command that was printed shows the difference again, and a waveform of it
    rm -f diverge.fst
    eval "'$tern' $(sed -n 's/^reproduce: .*tern[a-z_]* cosim/cosim/p' "$1.err") --cache '$cores'" >again.txt 2>again.err
    [ $? -eq 1 ] && [ "$(grep DIVERGE again.err)" = "$(grep DIVERGE "$1.err")" ] ||
        { fail "the printed command of $1"; cat again.err; }
    [ -s diverge.fst ] && grep -q "^waveform" again.txt || fail "no waveform of $1"
}
differs one --steps 40
grep -q "^DIVERGE record=. step=25 " one.err || { fail "the mistake is not seen"; cat one.err; }
for jobs in 2 5; do
    differs parts --steps 40 --jobs $jobs
    cmp -s one.said parts.said || { fail "--jobs $jobs reports another difference"; diff one.said parts.said; }
    [ "$(sed -n 's/^digest//p' one.txt)" = "$(sed -n 's/^digest//p' parts.txt)" ] || fail "--jobs $jobs: other digests"
done
grep -q "^reproduce: .*--steps 40 .*--jobs 5 " parts.err || fail "no command for parts: $(cat parts.err)"
repeats parts
differs end --steps 40 --jobs 3
grep -q "^DIVERGE record=register pending " end.err || { fail "nothing at the end of a part"; cat end.err; }
repeats end
# what is found behind the difference is nobody's business: the golden model reads the fourth recording before its part
cp -r recordings bad
for f in bad/d1_000000.*; do echo hello >"$f"; done
"$tern" cosim "$net" --data bad --cache "$cores" --no-learn --samples 8 --batch 4 >one.txt 2>one.err && fail "no bad recording"
differs one --data bad
differs parts --data bad --jobs 2
cmp -s one.said parts.said || { fail "an error behind the difference is reported"; diff one.said parts.said; }
# the core ends the simulation: what it prints is that of the part that counts
cp "$source/rtl/core/tern_draw.v" share/rtl/core/
sed -i 's/^endmodule/  always @(posedge clk_i) if (cfg_step_i >= 32'"'"'d25 \&\& cfg_step_i < 32'"'"'d99) begin $display("planted at %0d", cfg_step_i); $finish; end\n&/' \
    share/rtl/core/tern_draw.v
differs one --steps 40
differs parts --steps 40 --jobs 5
grep -q "^planted at 25" one.err || { fail "the core says nothing"; cat one.err; }
cmp -s one.said parts.said || { fail "the core of another part is heard"; diff one.said parts.said; }
unset TERN_SHARE
rm -f diverge.fst
# a waveform of the last steps
"$tern" cosim "$net" --steps 12 --jobs 3 --cache "$cores" --wave last.fst >out.txt 2>err.txt
[ $? -eq 0 ] && [ -s last.fst ] && grep -q "^waveform" out.txt || fail "no waveform without a difference: $(cat err.txt)"

same "recordings" 2 5 -- "$net" --data recordings
same "recordings again" 3 -- "$net" --data recordings --steps 85
same "votes" 2 4 -- "$net" --data recordings --no-learn --samples 8 --batch 4
# one archive, whose samples are read in turns by several processes
"$tern" data convert recordings set.npz --window-ms 25 --steps 10 --crop 56,56,8,8 -q >out.txt || fail "no archive"
sed 's/tern.data{.*/tern.data{ window_ms = 25, steps = 10, input = pixels, label = out }/' reward.lua >frames.lua
same "archive" 3 -- frames.lua --data set.npz --steps 100
# there is nothing to divide: one presentation whose samples vote
"$tern" cosim "$net" --no-learn --steps 20 --jobs 3 --json --cache "$cores" >parts.json 2>err.txt || fail "one vote"
[ "$(value decided parts.json)" = 1 ] && [ "$(value steps parts.json)" = 20 ] || fail "one vote: $(cat parts.json)"

for wrong in 0 65 two; do
    "$tern" cosim "$net" --jobs $wrong >out.txt 2>err.txt
    [ $? -eq 2 ] && grep -q "E0103.*--jobs" err.txt || fail "--jobs $wrong: $(cat err.txt)"
done

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
