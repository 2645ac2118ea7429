#!/bin/sh
# cli_certify_real.sh TERN SOURCE WORK data|proofs : tern certify with recordings, and with proofs that a solver makes
# SPDX-License-Identifier: Apache-2.0
#
# Only synthesis is done by stand-ins (tests/synth). proofs: ctest, Yosys, yosys-smtbmc and z3 are the real ones; the
# build that they belong to has three of the proofs, so that the test takes seconds.
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3 part=$4
. "$source/tests/synth/fake_synth.sh"
yosys=$(command -v yosys) smtbmc=$(command -v yosys-smtbmc) z3=$(command -v z3)
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
bin=$work/bin
fake_synth
PATH=$bin:$PATH
export FAKE_RAMS=23

# want STATUS TEXT ARGUMENTS... : exit status, and what is in both outputs
want() {
    status=$1 text=$2
    shift 2
    "$tern" certify "$@" >out.txt 2>&1
    got=$?
    [ $got = "$status" ] || { fail "status $got, wanted $status: $*"; cat out.txt; }
    grep -q -e "$text" out.txt || { fail "no '$text': $*"; cat out.txt; }
}

if [ "$part" = data ]; then
    net=digits2.lua # a name that stays one word in $common, wherever this tree lies
    cp "$source/models/digits2/digits2.lua" $net
    common="$net --board icebreaker --lanes 2 --core small --steps 0 --netlist-steps 0 --samples 2"
    "$tern" data digits digits --classes 0,1 --count 4 --seed 1 >out.txt || fail "no recordings: $(cat out.txt)"
    want 0 'all as listed' $common --data digits -o cert
    want 0 'all as listed' --check cert
    (cd digits && find . -type f | sed 's|^\./||' | sort | xargs sha256sum) >sums
    for engine in fast reference; do
        "$tern" eval "$net" --data digits --samples 2 --engine $engine --json >$engine.json || fail "eval: $engine"
    done
    python3 - "$(sha256sum <sums | cut -d' ' -f1)" <<'EOF' || failed=1
import glob, json, os, sys
m = json.load(open("cert/manifest.json"))
bad = []
def check(what, got, wanted):
    if got != wanted: bad.append(f"{what}: {got}, wanted {wanted}")
files = glob.glob("digits/*")
check("name", m["data"]["name"], "digits")
check("files", m["data"]["files"], len(files))
check("bytes", m["data"]["bytes"], sum(os.path.getsize(f) for f in files))
check("digest of the recordings", m["data"]["sha256"], sys.argv[1])
for step, engine in (("integers", "fast"), ("reference", "reference")):
    hand, made = json.load(open(engine + ".json")), m["results"].get(step)
    if made is None:
        bad.append(f"no result {step}")
        continue
    for member in ("recordings", "samples", "labelled", "right", "accuracy", "accuracy_interval", "log_loss",
                   "log_loss_interval"):
        check(f"{step}.{member}", json.dumps(made.get(member)), json.dumps(hand.get(member)))
    ends = made["accuracy_interval"]
    if ends is None or not ends[0] <= made["accuracy"] <= ends[1]:
        bad.append(f"{step}: accuracy {made['accuracy']} outside its interval")
    if not any("--data DATA" in s["command"] and s["step"] == step for s in m["steps"]):
        bad.append(f"{step}: the command does not say DATA")
if any(os.getcwd() in s["command"] for s in m["steps"]): bad.append("a command names a folder of this machine")
if any("aedat" in f["path"] for f in m["files"]): bad.append("recordings lie in the folder")
page = open("cert/certificate.html").read()
if m["data"]["sha256"] not in page: bad.append("the page lacks the digest of the recordings")
print("".join(f"FAILED: {b}\n" for b in bad), end="")
sys.exit(bool(bad))
EOF
    # one byte of one recording: another digest
    first=$(ls digits/*.aedat | head -1)
    size=$(wc -c <"$first")
    printf 'X' | dd of="$first" bs=1 seek=$((size - 1)) conv=notrunc 2>/dev/null
    want 0 'all as listed' $common --data digits -o other
    [ "$(wc -c <"$first")" -eq "$size" ] || fail "this test has changed the length"
    was=$(grep -A4 '"data": {' cert/manifest.json | grep sha256)
    now=$(grep -A4 '"data": {' other/manifest.json | grep sha256)
    [ -n "$was" ] && [ "$was" != "$now" ] || fail "a changed recording has the same digest"
    # numbers of an answer: changed there, the manifest does not follow
    sed -i 's/"accuracy":/"accuracy": /' cert/answers/integers.json
    want 1 'integers.json: error TERN-E0665' --check cert
    exit $failed
fi

# ---- proofs ----
for t in ctest yosys yosys-smtbmc z3; do command -v $t >/dev/null || { echo "FAILED: needs $t"; exit 1; }; done
formal=$source/tests/formal
cp "$source/models/tiny/tiny.lua" tiny.lua # a name without blanks, wherever this tree lies
common="tiny.lua --board icebreaker --lanes 1 --steps 0 --netlist-steps 0"
mkdir build && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$source" >build/CMakeCache.txt
for unit in dither fifo history; do
    echo "add_test(formal.$unit.prove sh \"$formal/formal.sh\" \"$formal/formal_$unit.v\" prove"
    echo "  \"$yosys\" \"$smtbmc\" \"$z3\")"
done >build/CTestTestfile.cmake
echo "add_test(formal.fifo.cover false)" >>build/CTestTestfile.cmake # none of the proofs
want 0 'all as listed' $common --proofs build -o proved
want 0 'all as listed' --check proved
for unit in dither fifo history; do
    bound=$(sed -n 's|^//! bound  *\([0-9]*\).*|\1|p' "$formal/formal_$unit.v")
    wanted="{\"bound\":$bound,\"harness\":\"proofs/formal_$unit.v\",\"induction\":[0-9a-z]*,\"passed\":true,"
    tr -d ' \n' <proved/manifest.json | grep -q "$wanted\"unit\":\"$unit\"}" ||
        fail "the proof of $unit is not in the manifest with its depth $bound"
    cmp -s "$formal/formal_$unit.v" "proved/proofs/formal_$unit.v" || fail "the harness of $unit is another one"
done
[ "$(grep -c '"unit": ' proved/manifest.json)" -eq 3 ] || fail "not three proofs in the manifest"
# a proof that fails, because the Verilog has a bug: no certificate
cp -r "$source/rtl" rtl
bug=$(awk '$1 == "//!" && $2 == "mutant" { print $5; exit }' "$formal/formal_dither.v")
for f in $(sed -n 's|^//! files *||p' "$formal/formal_dither.v"); do
    sed -i "1i \`define TERN_TESTBUG_$bug" "rtl/$f.v"
done
echo "set_tests_properties(formal.dither.prove PROPERTIES ENVIRONMENT \"FORMAL_RTL=$work/rtl\")" \
    >>build/CTestTestfile.cmake
want 1 'unproved.failed.log: error TERN-E0668.*1 of 3 proofs failed, the first is dither' $common --proofs build \
    -o unproved
[ ! -e unproved ] || fail "a certificate in spite of a proof that failed"
grep -q 'formal.dither.prove.*Failed' unproved.failed.log || fail "the log of ctest was not kept"
# a build that was not configured with its tests
mkdir bare && cp build/CMakeCache.txt bare
want 1 'E0668.*no proof was run' $common --proofs bare -o unproved
[ ! -e unproved ] || fail "a certificate from a build without tests"
# no proofs at all are no proof
echo >build/CTestTestfile.cmake
want 1 'E0668.*no proof was run' $common --proofs build -o unproved
[ ! -e unproved ] || fail "a certificate without any of the proofs that were asked for"
exit $failed
