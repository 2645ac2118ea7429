#!/bin/sh
# test_spikes.sh : tern eval --spikes: every spike, in order, whatever makes the speed; as text and as an archive
# SPDX-License-Identifier: Apache-2.0
#
#     test_spikes.sh TERN MODELS WORK
export LC_ALL=C
set -u
tern=$1 models=$2 work=$3
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
run() { "$@" >said.txt 2>err.txt || { fail "status $?: $*"; cat err.txt; }; }

run "$tern" data digits data --classes 0,1 --count 2 --seed 1 --duration-ms 200
net=$models/digits2/digits2.lua
run "$tern" eval "$net" --data data --samples 9 --batch 4 --threads 2 --spikes a.csv --per-recording lines.jsonl
for how in "--batch 8 --threads 1" "--batch 32" "--engine golden"; do
    run "$tern" eval "$net" --data data --samples 9 $how --spikes b.csv
    cmp a.csv b.csv || fail "other spikes with $how"
done
[ "$(head -n 1 a.csv)" = recording,sample,step,neuron ] || fail "first line: $(head -n 1 a.csv)"
sed 1d a.csv >rows
sort -t , -k1,1n -k2,2n -k3,3n -k4,4n -u rows >sorted
cmp rows sorted || fail "rows are not in order, or one is there twice"
awk -F , '$1 > 3 || $2 > 8 || $3 > 79 || $4 > 5 { print "out of range: " $0; exit 1 }' rows ||
    fail "a row is out of range"
# as many as the lines of the evaluation count, recording by recording; neurons 0 and 1 are the visible ones
n=0
while IFS= read -r line; do
    hidden=$(printf '%s\n' "$line" | sed 's/.*"spikes":{"hidden":\([0-9]*\),.*/\1/')
    visible=$(printf '%s\n' "$line" | sed 's/.*"spikes":{[^}]*"visible":\([0-9]*\).*/\1/')
    found=$(awk -F , -v r=$n '$1 == r { if ($4 < 2) ++v; else ++h } END { print h + 0, v + 0 }' rows)
    [ "$found" = "$hidden $visible" ] || fail "recording $n: rows '$found', lines '$hidden $visible'"
    n=$((n + 1))
done <lines.jsonl
[ $n -eq 4 ] || fail "$n recordings"
[ "$(wc -l <rows)" -gt 1000 ] || fail "too few spikes"
# the archive: local header 30, name 10, extra field 20, array header 192 bytes; then records of 14 bytes
run "$tern" eval "$net" --data data --samples 9 --spikes a.npz
od -An -v -tu1 -w14 -j252 -N $((14 * $(wc -l <rows))) a.npz | awk '{
    recording = $1 + 256 * $2 + 65536 * $3; step = $7 + 256 * $8 + 65536 * $9; neuron = $11 + 256 * $12 + 65536 * $13
    print recording "," $5 + 256 * $6 "," step "," neuron }' >decoded
cmp rows decoded || fail "the archive holds other rows"
grep -q "'neuron', '<u4'" a.npz || fail "no field neuron in the archive"
run "$tern" eval "$net" --data data --samples 9 --spikes b.npz --threads 1
cmp a.npz b.npz || fail "the archive is not the same twice"
# nothing half-written, nothing overwritten
echo old >keep.csv
"$tern" eval "$net" --data none --spikes keep.csv >said.txt 2>&1 && fail "no data, but no error"
[ "$(cat keep.csv)" = old ] || fail "an evaluation that failed touched the older file"
"$tern" eval "$net" --data data --spikes s.txt >said.txt 2>&1
[ $? -eq 2 ] && grep -q "has to end in .npz or .csv" said.txt || fail "a name of another kind: $(cat said.txt)"
"$tern" eval "$net" --data data --spikes data/labels.csv >said.txt 2>&1 && fail "the list of labels was overwritten"
"$tern" eval "$net" --data data --spikes x.csv --per-recording x.csv >said.txt 2>&1 && fail "two outputs of one name"
[ -z "$(find . -name '*.tmp-*')" ] || fail "temporary files are left"

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
