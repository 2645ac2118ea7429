#!/bin/sh
# test_cli_explain.sh TERN CHECK MODELS : the command `tern explain`
# SPDX-License-Identifier: Apache-2.0
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
for line in '^  hid  *hidden  *2  *2  ' '^  x  *hid  *0  *2  *8  ' '^  hid  *out  *0  *1  *2  ' '^   0 cosine  *6 taps: 1 ' '^  weight  *s4\.12  *-7\.99976  *7\.99976' '^  trace x  *u2\.8' \
    'W = 7 lags; neglected of the average: kappa^W = 0\.00781' '^  weight  *4  *64  *256 ' '^  error  *84  *16  *1344 ' '^ \*    4 ' 'K |X| = 4 x 1 = 4' '4 x (1 + 2) = 12' '^  up5k  *memories fit' \
    '^  sim  *fits' 'logic not estimated'; do
    grep -q -e "$line" "$dir/out" || fail "tiny: no line '$line'"
done
[ -s "$dir/err" ] && fail "tiny: unexpected messages: $(cat "$dir/err")"

json 14 synapses "$tiny"
json true targets.0.fits "$tiny"
json null targets.0.cells "$tiny"
json 84 memories.7.words "$tiny"
json 7 memories.10.words "$tiny"
json 14 cycles.0.words "$tiny"
json 2 samples "$tiny" --samples 2
json 42 memories.7.words "$tiny" --samples 2
json 32 lanes "$tiny" --lanes=32
json 3 learning.lags_w "$tiny" --set formats.lags=3


json '"input"' keys.0.section --list-keys
want 0 '^rule  *eta ' --list-keys

# fit
want 0 '' "$tiny" --target up5k
want 0 'does not fit' "$models/digits2/digits2.lua"
want 1 'E0510: up5k: the network needs [0-9]* block RAMs of 4096 bits' "$models/digits2/digits2.lua" --target up5k
grep -q 'hint: it fits with' "$dir/err" || fail "digits2 on up5k: no cure"
want 0 '' "$models/digits2/digits2.lua" --target ecp5-25k
want 0 '' "$models/memorise/memorise.lua" --target sim
json false targets.0.fits "$models/digits2/digits2.lua"
json '"ecp5-45k"' targets.3.name "$models/memorise/memorise.lua"

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
