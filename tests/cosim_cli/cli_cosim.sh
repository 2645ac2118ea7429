#!/bin/sh
# cli_cosim.sh : the command `tern cosim`: equal designs are equal, a planted bug is found, and everything that can be missing is named
# SPDX-License-Identifier: Apache-2.0
#
#     cli_cosim.sh TERN SOURCE WORK CORES
export LC_ALL=C
needs="verilator"
. "$(dirname "$0")/begin.sh"
expect() { # status text command...
    wanted=$1 text=$2
    shift 2
    "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit status $got, wanted $wanted: $*"; cat out.txt err.txt; }
    [ -z "$text" ] || grep -q -e "$text" out.txt err.txt || { fail "no '$text' in the output of: $*"; cat out.txt err.txt; }
}
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" out.txt; }
tiny=$source/models/tiny/tiny.lua

# wrong usage: nothing is built
expect 0 "usage" "$tern" cosim --help
expect 2 "missing" "$tern" cosim
expect 2 "E0103" "$tern" cosim "$tiny" --lanes 3
expect 2 "E0103" "$tern" cosim "$tiny" --lanes 64
expect 2 "E0103" "$tern" cosim "$tiny" --samples 0
expect 2 "E0103" "$tern" cosim "$tiny" --samples 33
expect 2 "E0103" "$tern" cosim "$tiny" --steps 0
expect 2 "E0102" "$tern" cosim "$tiny" --wave
expect 2 "did you mean '--no-learn'" "$tern" cosim "$tiny" --nolearn
expect 1 "none.lua" "$tern" cosim none.lua --cache "$cores"
# a kernel for each sample, on a core that is no larger than the network
expect 0 "^differences  0$" "$tern" cosim "$tiny" --form kernel --prep 2 --samples 3 --lanes 2 --steps 20 --cache "$cores"
expect 1 "E0440" "$tern" cosim "$tiny" --data none.aedat --cache "$cores"

# equal, the same digest for every number of lanes, and predicted cycles
digest=
for lanes in 1 2 4 8 16; do
    expect 0 '"differences":0' "$tern" cosim "$tiny" --lanes $lanes --json --cache "$cores"
    [ "$(wc -l <out.txt)" -eq 1 ] || fail "--json is not one line"
    [ "$(value digest_c)" = "$(value digest_rtl)" ] || fail "digests differ with $lanes lanes"
    [ "$(value predicted)" = "$(value measured)" ] || fail "cycles differ with $lanes lanes"
    [ "$(value lanes)" = $lanes ] && [ "$(value steps)" = 160 ] || fail "not what was asked for"
    [ "$(value records)" -gt 1000 ] && [ "$(value memory_words)" -gt 1000 ] || fail "almost nothing was compared"
    [ "${digest:=$(value digest_c)}" = "$(value digest_c)" ] || fail "$lanes lanes give another digest"
done
expect 0 "from the cache" "$tern" cosim "$tiny" --cache "$cores"
grep -q "TERN-" err.txt && fail "messages of a good run: $(cat err.txt)"
for text in "predicted .* measured" "words per cycle" "digest       C $digest, RTL $digest"; do grep -q "$text" out.txt || fail "no '$text'"; done

# an image is the same network; other seeds, inference and settings are other runs
expect 0 "" "$tern" compile "$tiny" -o compiled
expect 0 "$digest" "$tern" cosim compiled/tiny.tern --cache "$cores"
expect 1 "E0108" "$tern" cosim compiled/tiny.tern --set rule.gamma=0.4 --cache "$cores"
expect 0 "differences  0" "$tern" cosim "$tiny" --seed 7 --cache "$cores"
grep -q "$digest" out.txt && fail "the seed changes nothing"
expect 0 "inference" "$tern" cosim "$tiny" --no-learn --steps 30 --cache "$cores"
expect 0 "from the cache" "$tern" cosim "$tiny" --set rule.gamma=0.4 --set rule.kappa=0.5 --steps 30 --cache "$cores"
grep -q "differences  0" out.txt || fail "another gamma differs"

# recordings, two of them: learning rates of a schedule, histories cleared between
cat >seen.lua <<'LUA'
local taps = tern.raised_cosine{ count = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", shape = {8, 8} }
local hid = tern.hidden{ name = "hid", size = 3, memory = taps[1] }
local out = tern.visible{ name = "out", size = 2, memory = taps[1] }
tern.connect{ from = {pixels, out, hid}, to = hid, filters = taps, init = tern.uniform(-0.3, 0.3) }
tern.connect{ from = {pixels, hid}, to = out, filters = taps, init = tern.uniform(-0.3, 0.3) }
tern.gem{ eta = 0.02, gamma = 0.8, kappa = 0.5, samples = 3, schedule = { divide = 2, every = 1 } }
tern.data{ sensor = {128, 128}, crop = {56, 56, 8, 8}, window_ms = 25, steps = 40, input = pixels, label = out }
LUA
expect 0 "" "$tern" data digits recordings --count 1 --classes 0,1 --seed 3
expect 0 "2 presentations" "$tern" cosim seen.lua --data recordings --cache "$cores"
grep -q "compared     80 steps" out.txt || fail "not both recordings"
expect 0 "3 presentations" "$tern" cosim seen.lua --data recordings --steps 100 --cache "$cores"
expect 0 "differences  0" "$tern" cosim seen.lua --data recordings --no-learn --cache "$cores"

# an image continues with the schedule from where its training ended: after 20 halvings no coefficient is left, so that all
# records are those of neurons, log-probabilities and modulators
expect 0 "" "$tern" train seen.lua --data recordings --presentations 20 -o late.tern
expect 0 '"differences":0' "$tern" cosim late.tern --data recordings --steps 4 --json --cache "$cores"
[ "$(value records)" -eq $((4 * (5 * 3 + 3 + 3))) ] || fail "an image restarts the schedule"
expect 0 '"differences":0' "$tern" cosim seen.lua --data recordings --steps 4 --json --cache "$cores"
[ "$(value records)" -gt $((4 * (5 * 3 + 3 + 3))) ] || fail "a script does not begin with its first learning rate"

# no home folder: a folder of this user alone among the temporary files; one that others may write into is refused
mkdir scratch
cp -rl "$cores" "scratch/tern-cosim-$(id -u)"
chmod 700 "scratch/tern-cosim-$(id -u)"
expect 0 "from the cache" env -u XDG_CACHE_HOME HOME="$work/none" TMPDIR="$work/scratch" "$tern" cosim "$tiny"
expect 0 "from the cache" env -u XDG_CACHE_HOME -u HOME TMPDIR="$work/scratch" "$tern" cosim "$tiny"
chmod 777 "scratch/tern-cosim-$(id -u)"
expect 1 "E0604.*not of this user alone" env -u XDG_CACHE_HOME -u HOME TMPDIR="$work/scratch" "$tern" cosim "$tiny"
rm -r "scratch/tern-cosim-$(id -u)"
ln -s "$cores" "scratch/tern-cosim-$(id -u)"
expect 1 "E0604.*not of this user alone" env -u XDG_CACHE_HOME -u HOME TMPDIR="$work/scratch" "$tern" cosim "$tiny"

# what Verilator warns of stops nobody (a newer one warns of more), nor does a folder with blanks, of the sources or of the cache
blank="$work/a folder"
mkdir -p "$blank/it's"
cp "$tiny" "$blank/it's/tiny.lua"

# a planted bug: found, explained, shown again by the command that is printed, on the record that it corrupts
mkdir -p "$blank/share/sim/drive"
ln -s "$blank/share" share
cp -r "$source/rtl" share/
cp "$source/sim/drive/tern_dut.cpp" "$source/sim/drive/tern_dut.h" "$source/sim/drive/tern_dut_end.h" share/sim/drive/
sed -i 's/^endmodule/  wire unused_here;\nendmodule/' share/rtl/blocks/tern_signal.v
sed -i '1i `define TERN_TESTBUG_SIGNAL_GAMMA_FLOOR' share/rtl/blocks/tern_signal.v
expect 1 "^DIVERGE record=V step=[0-9]* number=" env TERN_SHARE="$blank/share" "$tern" cosim "$blank/it's/tiny.lua" --cache "$cores/with blanks" --wave diverge.fst
for text in "^  C    V log-probability .* b=0x" "^  RTL  V log-probability" "verdict: " "^reproduce: .*tern cosim .* --wave diverge.fst"; do
    grep -q "$text" err.txt || fail "no '$text' in: $(cat err.txt)"
done
grep -q "^differences  [1-9]" out.txt || fail "differences are not counted"
[ -s diverge.fst ] || fail "no waveform of the difference"
grep DIVERGE err.txt >first.txt
eval "env TERN_SHARE='$blank/share' '$tern' $(sed -n 's/^reproduce: .*tern cosim/cosim/p' err.txt) --cache '$cores/with blanks'" >out.txt 2>err.txt
[ $? -eq 1 ] || fail "the printed command does not reproduce the difference"
grep DIVERGE err.txt | cmp - first.txt || fail "the printed command finds another difference"
ls | grep -q tmp && fail "a temporary file of the waveform is left"
expect 1 "E0607" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --cache "$cores" --wave none/diverge.fst

# checks that fail inside the simulation: two in one clock, here of memories that are read and written at one address. The run ends with its summary
cp "$source/rtl/blocks/tern_signal.v" share/rtl/blocks/
sed -i 's/\(assign clearing_o  *= \)clearing_q;/\1potential_q;/' share/rtl/core/tern_control.v
cmp -s share/rtl/core/tern_control.v "$source/rtl/core/tern_control.v" && fail "no mistake was planted in tern_control.v"
expect 1 "^DIVERGE record=check step=0: a check inside the simulated core" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --lanes 1 --steps 20 --cache "$cores"
grep -q "tern_ram: .*u_self.*read and write of address" err.txt && grep -q "tern_ram: .*u_spike.*read and write of address" err.txt || fail "not both checks: $(cat err.txt)"
grep -q "^differences  1" out.txt || fail "no summary: $(cat out.txt)"
# a design that ends the simulation by itself, twice, is no success either
cp "$source/rtl/core/tern_control.v" share/rtl/core/
plain=$(cat share/rtl/core/tern_control.v)
finishing() { # CONDITION: the core has two $finish in one clock
    printf '%s\n' "$plain" | sed 's/^  assign clearing_o /  always @(posedge clk_i) if ('"$1"') begin $finish; $finish; end\n&/' >share/rtl/core/tern_control.v
}
finishing 'busy_o'
expect 1 "E0616" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --lanes 1 --steps 20 --cache "$cores"
finishing 'busy_o \&\& !rst_i'
expect 1 "^DIVERGE record=check" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --lanes 1 --steps 20 --cache "$cores"
grep -q "^differences  1" out.txt || fail "no summary: $(cat out.txt)"
cp "$source/rtl/core/tern_control.v" share/rtl/core/

# what can be missing
mkdir bin
for tool in make g++ c++ sh; do ln -s "$(command -v $tool)" bin/$tool; done
expect 1 "E0601.*verilator" env PATH="$work/bin" "$tern" cosim "$tiny" --cache "$cores"
grep -q "apt-get install verilator" err.txt || fail "the package is not named"
expect 1 "E0605" env TERN_SHARE="$work/none" "$tern" cosim "$tiny" --cache "$cores"
grep -q "$work/none" err.txt && grep -q "TERN_SHARE" err.txt || fail "what is missing is not named"
rm share/rtl/core/tern_fire.v
expect 1 "rtl/core/tern_fire.v: error TERN-E0605" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --cache "$cores"
echo "module tern_fire; syntax here" >share/rtl/core/tern_fire.v
expect 1 "E0602" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --cache own
log=$(sed -n 's/.*its whole output: //p' err.txt)
[ -n "$log" ] && grep -q "tern_fire.v" "$log" || fail "no log of verilator: '$log'"
[ "$(ls own | grep -c -v '^failed-.*log$')" -eq 0 ] || fail "left in the cache: $(ls own)"
cp "$source/rtl/core/tern_fire.v" share/rtl/core/
echo "#error broken wrapper" >>share/sim/drive/tern_dut.cpp
expect 1 "E0603.*broken wrapper" env TERN_SHARE="$work/share" "$tern" cosim "$tiny" --cache own
echo plain >file
expect 1 "E0604" "$tern" cosim "$tiny" --cache file
expect 1 "E0604" "$tern" cosim "$tiny" --cache file/below
[ "$(cat file)" = plain ] || fail "a file in the way was overwritten"

# damaged entries are built again: cut short, another library under a right checksum
expect 0 "" "$tern" cosim "$tiny" --json --cache "$cores"
entry=$(value entry)
key=${entry##*/}
mkdir damaged
cp -r "$entry" damaged/
truncate -s 50000 "damaged/$key/core.so"
expect 0 "W0608" "$tern" cosim "$tiny" --cache damaged
grep -q "differences  0" out.txt && grep -q "$digest" out.txt || fail "the rebuilt core differs"
expect 0 "from the cache" "$tern" cosim "$tiny" --cache damaged
grep -q "TERN-" err.txt && fail "the rebuilt core is not whole: $(cat err.txt)" # a slow machine tells its progress there
echo "int other;" | cc -x c -shared -fPIC -o "damaged/$key/core.so" - || fail "no other library"
sed -i "s/^sha256 .*/sha256 $(sha256sum <"damaged/$key/core.so" | cut -c 1-64)/" "damaged/$key/info"
# two at once, both find the damage
"$tern" cosim "$tiny" --cache damaged >a.txt 2>&1 &
first=$!
expect 0 "W0608.*another version" "$tern" cosim "$tiny" --cache damaged
grep -q "$digest" out.txt || fail "the rebuilt core differs"
wait $first || fail "the other one of two at once: $(cat a.txt)"
grep -q "$digest" a.txt || fail "the other one of two at once differs: $(cat a.txt)"
[ "$(ls -A damaged)" = "$key" ] || fail "left in the cache: $(ls -A damaged)"

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
