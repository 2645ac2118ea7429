#!/bin/sh
# cli_certify.sh TERN CHECKER SOURCE WORK CHANGES [bytes | lockstep CACHE] : tern certify, and every way of damaging its folder
# SPDX-License-Identifier: Apache-2.0
#
# Synthesis is done by the stand-ins of tests/synth. CHECKER changes single bytes. `bytes`:
# nothing else. `lockstep`: with the real simulation of the Verilog.
export LC_ALL=C
set -u
tern=$1 checker=$2 source=$3 work=$4 changes=$5 lockstep=${6:-}
. "$source/tests/synth/fake_synth.sh"
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
command -v ssh-keygen >/dev/null || { echo "FAILED: needs ssh-keygen (package openssh-client)"; exit 1; }
bin=$work/bin
fake_synth
PATH=$bin:$PATH
export FAKE_RAMS=23
net=$source/models/tiny/tiny.lua
steps="--steps 0 --netlist-steps 0"
[ "$lockstep" = lockstep ] && steps="--steps 40 --netlist-steps 0" && export XDG_CACHE_HOME="$7"
for k in mine other; do ssh-keygen -q -t ed25519 -N '' -C $k -f $k </dev/null || fail "no key"; done
echo "maker@example.org $(cut -d' ' -f1-2 mine.pub)" >signers
echo "maker@example.org $(cut -d' ' -f1-2 other.pub)" >others

# want STATUS TEXT ARGUMENTS... : exit status, and what is in both outputs
want() {
    status=$1 text=$2
    shift 2
    "$tern" certify "$@" >out.txt 2>&1
    got=$?
    [ $got = "$status" ] || { fail "status $got, wanted $status: $*"; cat out.txt; }
    grep -q -e "$text" out.txt || { fail "no '$text': $*"; cat out.txt; }
}
again() { rm -rf c && cp -r cert c; }

want 0 'all as listed' "$net" --board icebreaker --lanes 1 $steps --key mine -o cert
# before the work begins: a key that is none, and options that have no effect
for key in /nope "$net"; do
    want 1 'E0663.*--key: ssh-keygen reads no key' "$net" --board icebreaker --lanes 1 $steps --key "$key" -o early
    grep -q 'tern synth\|tern explain' out.txt && fail "the work began before the key was looked at"
done
want 1 'hint: make the folder above it first' "$net" --board icebreaker --lanes 1 $steps -o nodir/x
for option in '--steps 3' '--seeds 2' '--lanes 1' '--core small' '--samples 4' '--until netlist'; do
    # shellcheck disable=SC2086
    "$tern" certify --check cert $option >out.txt 2>&1
    [ $? -eq 2 ] || fail "--check $option: $(cat out.txt)"
done
[ ! -e cert.tmp-* ] || fail "a folder to work in was left"
want 0 'intact, but nobody' --check cert
want 0 'maker@example.org' --check cert --signers signers
want 0 '"signed":true' --check cert --json
grep -q "SHA-256 of manifest.json: $(sha256sum <cert/manifest.json | cut -d' ' -f1)" cert/certificate.html || fail "the page has not the manifest's digest"
grep -q "\"bitstream\": \"$(sha256sum <cert/synth/tiny.bin | cut -d' ' -f1)\"" cert/manifest.json || fail "the manifest has not the bitstream's digest"
(cd cert && find synth -name '*.v' -o -name '*.vh' | sort | xargs sha256sum) >sums
grep -q "\"verilog\": \"$(sha256sum <sums | cut -d' ' -f1)\"" cert/manifest.json || fail "the digest of the Verilog cannot be repeated"
if [ "$lockstep" = bytes ]; then
    "$checker" "$work/cert" "$changes"
    exit
fi
if [ "$lockstep" = lockstep ]; then
    grep -q '"differences": 0' cert/manifest.json || fail "no lockstep in the manifest"
    sed -i 's/"differences":0/"differences":7/' cert/answers/rtl.json
    want 1 'E0665.*' --check cert
    exit $failed
fi

# damage of every kind
again && rm c/synth/tiny.bin && want 1 'tiny.bin: error TERN-E0666' --check c
again && rm c/certificate.html && want 1 'certificate.html: error TERN-E0666' --check c
again && rm c/manifest.json && want 1 'E0664' --check c
again && sed -i 's/"step": *"synthesis"/"step":"other"/' c/manifest.json && want 1 "manifest.json: error TERN-E0662: step [0-9]*, 'other', is unknown" --check c
again && rm c/manifest.json.sig && want 1 'E0669.*not signed' --check c --signers signers
again && echo x >c/synth/more.v && want 1 'synth/more.v: error TERN-E0667' --check c
again && mkdir c/empty && want 1 'empty: error TERN-E0667' --check c
again && mkdir c/a c/a/b && echo x >c/a/b/f && want 1 'a/b/f: error TERN-E0667' --check c
again && ln -s ../cert/certificate.html c/link && want 1 'link: error TERN-E0667.*neither' --check c
again && mv c/synth/tiny.bin t && ln -s "$work/t" c/synth/tiny.bin && want 1 'tiny.bin: error TERN-E0667' --check c
again && mv c/synth s && ln -s "$work/s" c/synth && want 1 'E066[67]' --check c; rm -rf s
again && rm c/certificate.html && ln -s "$work/cert/certificate.html" c/certificate.html && want 1 'E0667' --check c
again && rm c/synth/tiny.bin && mkfifo c/synth/tiny.bin && want 1 'E0667' --check c
again && rm c/synth/tiny.bin && mkdir c/synth/tiny.bin && want 1 'E0667' --check c
again && truncate -s -1 c/synth/report.json && want 1 'report.json: error TERN-E0665.*length' --check c
again && truncate -s 8E c/synth/netlist.json 2>/dev/null || truncate -s 1T c/synth/netlist.json && want 1 'netlist.json: error TERN-E0665.*length' --check c
again && truncate -s 200M c/manifest.json && want 1 'error' --check c
again && mv c/synth/tiny.vh t && mv c/synth/tiny_top.v c/synth/tiny.vh && mv t c/synth/tiny_top.v && want 1 'E0665' --check c
again && chmod 644 c/manifest.json && echo >>c/manifest.json && want 1 'E0668' --check c
again && echo >>c/manifest.json.sig && want 1 'E0669' --check c
again && tr '\n' ' ' <cert/manifest.json >c/manifest.json && want 1 'E066[48]' --check c
# numbers: changed in the manifest, with a page that fits nothing
again && sed -i 's/"best_mhz": 20.25/"best_mhz": 90.25/' c/manifest.json && want 1 'manifest.json: error TERN-E0668' --check c
again && sed -i 's/20.25/90.25/' c/certificate.html && want 1 'certificate.html: error TERN-E0668' --check c
# what never was a certificate
mkdir d && want 1 'E0664' --check d
want 1 'E0660' --check nothing
for text in '' '{' '[]' '{"certificate":"tern certify","version":1,"files":{}}' '{"certificate":"tern certify","version":1,"files":[1]}' '{"certificate":"tern certify","version":1,"files":[],"steps":[{"step":"rtl","answer":"../out.txt"}]}'; do
    echo "$text" >d/manifest.json
    want 1 'error TERN-E06' --check d
done
# signatures
want 1 'E0669.*not one of the file' --check cert --signers others
again && rm c/manifest.json.sig && ssh-keygen -q -Y sign -f other -n tern-certificate c/manifest.json 2>/dev/null && want 1 'E0669' --check c --signers signers
again && rm c/manifest.json.sig && ssh-keygen -q -Y sign -f mine -n file c/manifest.json 2>/dev/null && want 1 'E0669' --check c --signers signers
want 1 'E0669' --check cert --signers nothing
cp -r cert bytes
# proofs: a stand-in of ctest, the harnesses of this tree
mkdir build && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$source" >build/CMakeCache.txt
put ctest <<'SH'
#!/bin/sh
echo '1/2 Test  #9: formal.fifo.prove ................   Passed    1.20 sec'
echo "2/2 Test #10: formal.dither.prove ..............${FAKE_PROOF:-   Passed }   0.30 sec"
SH
want 0 'all as listed' "$net" --board icebreaker --lanes 1 $steps --proofs build -o proved
tr -d ' \n' <proved/manifest.json >out.txt
grep -q '{"bound":8,"harness":"proofs/formal_fifo.v","induction":2,"passed":true,"unit":"fifo"}' out.txt || fail "the proof is not in the manifest with its depth"
FAKE_PROOF='***Failed ' want 1 'E0668.*1 of 2 proofs failed' "$net" --board icebreaker --lanes 1 $steps --proofs build -o unproved
want 1 'E0660' "$net" --board icebreaker --lanes 1 $steps --proofs nothing -o unproved
# making: what goes wrong leaves nothing, and an older certificate as it was
before=$(sha256sum cert/manifest.json)
FAKE_FAIL=yosys want 1 'cert.failed.log: error TERN-E0661' "$net" --board icebreaker --lanes 1 $steps -o cert
FAKE_MHZ=3 want 1 'E0661' "$net" --board icebreaker --lanes 1 $steps -o cert
want 1 'E0663' "$net" --board icebreaker --lanes 1 $steps -o cert --key nothing
want 1 'error' "$work/no.lua" --board icebreaker $steps -o cert
want 1 'E0660' "$net" --board icebreaker --lanes 1 $steps --data nothing -o cert
[ "$before" = "$(sha256sum cert/manifest.json)" ] || fail "the older certificate was changed"
mkdir full && echo x >full/f && want 1 'E0660.*would be lost' "$net" --board icebreaker $steps -o full
ln -s cert linked && want 1 'E0660' "$net" --board icebreaker $steps -o linked
want 2 'board' "$net" --board nothing -o x
want 2 'E0106' "$net" -o x
want 2 'E0110' --check cert --key mine
want 0 'none: ' "$net" --board icebreaker --lanes 1 $steps -o cert --until packed
[ ! -e cert/manifest.json.sig ] || fail "the older certificate's signature was kept"
want 0 'none: ' "$work/cert/network/tiny.tern" --board icebreaker --lanes 1 $steps -o image
for left in *.tmp-*; do [ ! -e "$left" ] || fail "left: $left"; done
PATH=$work/none "$tern" certify "$net" --board icebreaker --lanes 1 $steps -o x >out.txt 2>&1 && fail "made without tools"
grep -q 'E0661.*E0521' out.txt || { fail "not the message of a missing tool"; cat out.txt; }
PATH=$work/none "$tern" certify --check bytes --signers signers >out.txt 2>&1 && fail "verified without ssh-keygen"
grep -q 'E0669.*ssh-keygen is not on the PATH' out.txt || { fail "not the message of a missing ssh-keygen"; cat out.txt; }
# an interrupt ends the tools and leaves nothing
export FAKE_SLOW=yosys FAKE_PID=$work/pid
"$tern" certify "$net" --board icebreaker --lanes 1 $steps -o slow >out.txt 2>&1 &
pid=$!
tries=0
while [ ! -s pid ] && [ "$tries" -lt 1200 ]; do sleep 0.5; tries=$((tries + 1)); done
kill -TERM $pid
wait $pid && fail "interrupted, but status 0"
grep -q interrupted out.txt || { fail "not reported as interrupted"; cat out.txt; }
[ ! -e slow ] && [ -z "$(ls -d slow.tmp-* 2>/dev/null)" ] || fail "an interrupt left a folder"
ps -o stat= -p "$(cat pid)" 2>/dev/null | grep -qv Z && fail "an interrupt left a tool"
unset FAKE_SLOW

# single bytes, of a signed one
"$checker" "$work/bytes" "$changes" || failed=1
exit $failed
