#!/bin/sh
# test_cli_explain.sh TERN CHECK MODELS : the command `tern explain`
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 check=$2 models=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
# want STATUS PATTERN words...: PATTERN (grep's) in stdout or stderr
want() {
    status=$1 pattern=$2
    shift 2
    "$tern" explain "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || { fail "explain $*: exit status $got, wanted $status"; head -5 "$dir/err"; }
    grep -q -e "$pattern" "$dir/out" "$dir/err" || { fail "explain $*: no '$pattern'"; head -5 "$dir/out" "$dir/err"; }
}
# json EXPECTED PATH words...: the report is consistent JSON and has this member
json() {
    expected=$1 path=$2
    shift 2
    "$tern" explain "$@" --json >"$dir/out" 2>"$dir/err"
    value=$("$check" "$path" <"$dir/out") || { fail "explain $* --json: $value"; return; }
    [ "$value" = "$expected" ] || fail "explain $* --json: $path is $value, wanted $expected"
}
tiny=$models/tiny/tiny.lua

want 0 'usage: tern explain' --help
want 2 'E0106: NET.lua|IMAGE is missing'
want 2 'up5k|hx8k|ecp5-25k|ecp5-45k|ecp5-85k|sim' "$tiny" --target up6k
want 2 'E0103: --lanes 3' "$tiny" --lanes 3
want 2 '1..32' "$tiny" --lanes 64
want 2 '1..32' "$tiny" --samples 0
want 2 'E0110' "$tiny" --list-keys
want 2 'E0101' "$tiny" --targets up5k
want 1 'none.lua' "$dir/none.lua"
want 1 'none.tern' "$dir/none.tern"
echo 'tern.input{ name = "a", sizes = 5 }' >"$dir/bad.lua"
want 1 'bad.lua:1' "$dir/bad.lua"
[ -s "$dir/out" ] && fail "a bad script gave a report"

# pieces of the report of tiny: 4 inputs to 2 hidden and 1 visible neuron, 2 hidden to 1 visible
want 0 '^  x  *input  *2 x 2  *4  *0\.\.3$' "$tiny"
for line in '^  hid  *hidden  *2  *2  ' 'weights of the samples (softmax), for all neurons' '^  x  *hid  *0  *2  *8  ' '^  hid  *out  *0  *1  *2  ' '^   0 cosine  *6 taps: 1 ' '^  weight  *s4\.12  *-7\.99976  *7\.99976' '^  trace x  *u2\.8' \
    'W = 7 lags; neglected of the average: kappa^W = 0\.00781' '^  weight  *4  *64  *256 ' '^  error  *84  *16  *1344 ' '^ \*    4 ' 'K |X| = 4 x 1 = 4' '4 x (1 + 2) = 12' '^  ecp5-25k  *fits: block RAMs' \
    '^  sim  *fits' 'logic cells about [0-9]* of 24288'; do
    grep -q -e "$line" "$dir/out" || fail "tiny: no line '$line'"
done
[ -s "$dir/err" ] && fail "tiny: unexpected messages: $(cat "$dir/err")"

json 14 synapses "$tiny"
json true targets.2.fits "$tiny"
json null targets.5.cells "$tiny"
json 84 memories.10.words "$tiny"
json 7 memories.13.words "$tiny"
json 14 cycles.0.words "$tiny"
json 2 samples "$tiny" --samples 2
json 42 memories.10.words "$tiny" --samples 2
json 32 lanes "$tiny" --lanes=32
json 3 learning.lags_w "$tiny" --set formats.lags=3


# the other rules, baselines, circuits
cat >"$dir/wta.lua" <<'LUA'
local taps = tern.raised_cosine{ duration = 8 }
local a = tern.input  { name = "a", shape = {5, 5} }
local h = tern.hidden { name = "h", size = 8, memory = taps, wta = 4 }
local v = tern.visible{ name = "v", size = 6, wta = 3 }
tern.connect{ from = {a, v}, to = h, filters = taps }
tern.connect{ from = {a, h}, to = v, filters = taps }
tern.mb{ eta = 1e-3, kappa = 0.2, gamma = 0.9, samples = 5, memory = 32 }
tern.data{ sensor = {5, 5}, window_ms = 5, steps = 40, input = a, label = v }
LUA
net=$dir/wta.lua
want 0 'rule MB, K = 5' "$net"
for line in '^  h  *hidden  *8  .* 2 of 4 neurons$' '^  name  .*positions  winner-take-all circuits$' 'baseline: one for each neuron, from averages over 32 steps (lambda = 1 - 2^-5)' 'MF = 10, formats.signal' \
    '^  signal w, baseline b  *s20\.12' '^  modulator from w  *s5\.10 ' '^  visible neurons: R = ' '^  hidden neurons: R = ' 'K |X| = 5 x 2 = 10 (cross-entropies, one for a circuit' 'K |H| = 5 x 8 = 40'; do
    grep -q -e "$line" "$dir/out" || fail "MB: no line '$line'"
done
want 0 'K |X| + |H| = 5 x 6 + 8 = 38' "$net" --set rule.kind=iw
want 0 'K (|X| + |H|) = 5 x (6 + 8) = 70 (modulators' "$net" --set rule.kind=gem
grep -q "note TERN-N0243: rule.memory: tern.mb: 'memory' means nothing to the rule gem" "$dir/err" || fail "no note on an ignored key"
want 0 'neurons to central processor: 0 (a reward' "$net" --set rule.kind=reward
want 0 'reward: minus the van Rossum distance to the targets, tau = 5 steps' "$net" --set rule.kind=reward
want 0 'reward: given by the caller' "$net" --set rule.kind=reward --set rule.tau=0
want 0 'baseline: none' "$net" --set rule.baseline=none
want 0 'learning signals reach +-4095\.75' "$net" --set rule.baseline=none --set formats.signal=2
want 0 'W = 1 lag; neglected of the average: kappa^W = 0;' "$net" --set rule.kappa=0
for rule in gem mb iw reward; do json 3 learning.lags_w "$net" --set rule.kind=$rule; done
json '"none"' learning.baseline "$net" --set rule.kind=gem
json '"MB"' learning.rule "$net"
json 32 learning.memory "$net"
json 10 learning.signal_frac "$net"
json null learning.signal_frac "$net" --set rule.kind=gem
json null learning.sets.1 "$net" --set rule.kind=gem
json null learning.sets.0 "$net" --set rule.kind=reward
json 4 populations.1.wta "$net"
json null populations.0.wta "$net"
json 1 capacity.signals "$net"
json 0 capacity.signals "$net" --set rule.kind=gem
json 8 capacity.baselines "$net"
json 14 capacity.baselines "$net" --set rule.kind=reward
json 0 capacity.baselines "$net" --set rule.baseline=none
json 4 capacity.wta "$net"
json 6 capacity.classes "$net"
json true hardware "$net"
# a baseline per synapse: everything is reported, no device fits
want 0 'no hardware runs a baseline per synapse' "$net" --set rule.baseline=synapse
grep -q '^  none: a baseline per synapse exists in the C engines only$' "$dir/out" || fail "TARGETS do not say that a baseline per synapse has no hardware"
grep -q '^  sim  *does not run it$' "$dir/out" || fail "sim runs a baseline per synapse"
grep -q 'fits with rule.baseline=neuron$' "$dir/out" || fail "no cure for a baseline per synapse"
json false hardware "$net" --set rule.baseline=synapse
json false targets.5.fits "$net" --set rule.baseline=synapse
json '"rule.baseline=neuron"' targets.4.fits_with.0 "$net" --set rule.baseline=synapse
want 1 'E0502: rule.baseline: a baseline per synapse' "$net" --set rule.baseline=synapse --target sim
"$tern" compile "$net" -o "$dir/w" --set rule.kind=iw >/dev/null 2>"$dir/err" || fail "compile of IW"
"$tern" explain "$net" --set rule.kind=iw >"$dir/script.txt" 2>/dev/null
"$tern" explain "$dir/w/wta.tern" >"$dir/image.txt" || fail "explain of an image of IW"
cmp "$dir/script.txt" "$dir/image.txt" || fail "script and image of IW differ"

json '"input"' keys.0.section --list-keys
want 0 '^rule  *kind  *word  *allowed gem|mb|iw|reward (--set)$' --list-keys
want 0 '^visible  *wta  *whole number  *allowed 2\.\.64 (--set)$' --list-keys
want 0 '^formats  *signal  *whole number  *allowed -12\.\.12 (--set)$' --list-keys
want 0 '^rule  *eta ' --list-keys

# fit
want 0 '' "$tiny" --target ecp5-25k
want 0 'does not fit' "$models/digits2/digits2.lua"
want 1 'E0510: up5k: the network needs [0-9]* block RAMs of 4096 bits' "$models/digits2/digits2.lua" --target up5k
grep -q 'hint: it fits with' "$dir/err" || fail "digits2 on up5k: no cure"
want 0 '' "$models/digits2/digits2.lua" --target ecp5-25k
want 0 '' "$models/memorise/memorise.lua" --target sim
json false targets.0.fits "$models/digits2/digits2.lua"
json '"ecp5-45k"' targets.3.name "$models/memorise/memorise.lua"

# what the small core does not have
for option in --ways --prep; do
    want 1 "E050[56]: $option: 2 .*small core makes one, so this has no effect" "$tiny" --core small --lanes 1 $option 2
    want 0 '' "$tiny" --core small --lanes 1 $option 1
done

want 1 'E0505: --form: .*small core has none, so this has no effect' "$tiny" --core small --lanes 1 --form kernel
want 0 '' "$tiny" --core small --lanes 1 --form trace
want 1 'E0505: --form: .*one sample per cycle, 2 are asked for' "$tiny" --form kernel --ways 2
want 1 'E0505: --form: .*no row of the network reads neurons' "$models/nmnist/nmnist.lua" --form kernel
want 0 'large' "$tiny" --form kernel --target ecp5-25k
want 2 "E0103: --form: 'nothing' is not one of auto|trace|kernel" "$tiny" --form nothing
# weight changes by a kernel for each sample: chosen where that is shorter
json 1 capacity.kernels "$tiny" --form kernel
json 0 capacity.kernels "$tiny"
json 1 capacity.kernels "$models/digits3/digits3.lua" --set 'formats.weight={8,7}' --lanes 16 --target ecp5-85k
json 0 capacity.kernels "$models/digits2/digits2.lua" --target ecp5-85k
json 3 capacity.prep "$models/digits3/digits3.lua" --set hid.size=40 --lanes 16 --target ecp5-85k --form kernel
# inference would lose more than learning gains
json 0 capacity.kernels "$models/digits3/digits3.lua" --set 'formats.weight={8,7}' --lanes 8 --target ecp5-85k
json 28380 operations.kernel."learning kernels".additions "$models/digits3/digits3.lua" --set hid.size=40 --lanes 16 --form kernel

# an image tells the same as its script
"$tern" compile "$tiny" -o "$dir/d" >/dev/null || fail "compile"
"$tern" explain "$tiny" >"$dir/script.txt"
"$tern" explain "$dir/d/tiny.tern" >"$dir/image.txt" || fail "explain of an image"
cmp "$dir/script.txt" "$dir/image.txt" || fail "script and image differ"
want 1 'E0108' "$dir/d/tiny.tern" --set formats.lags=3
"$tern" explain "$tiny" --json >"$dir/a" && "$tern" explain "$tiny" --json | cmp - "$dir/a" || fail "two runs differ"
[ "$(wc -l <"$dir/a")" -eq 1 ] || fail "--json is not one line"
if [ -w /dev/full ]; then
    "$tern" explain "$tiny" >/dev/full 2>/dev/null && fail "a full disk was not noticed"
fi
[ "$failed" -eq 0 ] && echo "explain: all as wanted"
exit "$failed"
