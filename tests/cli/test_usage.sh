#!/bin/sh
# test_usage.sh TERN : help, version, wrong usage and exit statuses of the command
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# want STATUS PATTERN(stdout) PATTERN(stderr) words...: patterns are grep's, '' = nothing may be printed
want() {
    status=$1 out=$2 err=$3
    shift 3
    "$tern" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || { echo "FAILED: tern $*: exit status $got, wanted $status"; failed=1; cat "$dir/err"; }
    for pair in out err; do
        eval pattern=\$$pair
        if [ -z "$pattern" ]; then
            [ ! -s "$dir/$pair" ] || { echo "FAILED: tern $*: unexpected text on std$pair:"; head -5 "$dir/$pair"; failed=1; }
        else
            grep -q -e "$pattern" "$dir/$pair" || { echo "FAILED: tern $*: std$pair lacks '$pattern':"; head -5 "$dir/$pair"; failed=1; }
        fi
    done
}

want 2 '' 'usage: tern VERB'
want 0 'usage: tern VERB' '' --help
want 0 'usage: tern VERB' '' -h
want 0 '^tern [0-9][0-9]*\.[0-9]' '' --version
want 2 '' "E0107: unknown verb 'trian'" trian
want 2 '' "did you mean 'train'" trian
want 2 '' "unknown verb 'frobnicate'" frobnicate
for verb in $("$tern" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | grep -v '^tern$'); do
    want 0 "usage: tern $verb" '' "$verb" --help
    want 2 '' 'E010[17]: unknown' "$verb" --no-such-option-zzz # 107: verbs with a second word, as tern data
done
want 2 '' 'E0106: NET.lua|IMAGE is missing' train
want 2 '' 'E0106: --data is missing' train x.tern
want 2 '' 'E0106: --output is missing' train x.tern --data y
want 2 '' "did you mean '--presentations'" train x.tern --presentatoins 3
want 2 '' 'not a whole number in 1..32' train x.tern --samples 33
want 2 '' 'not a whole number in 1..4294967295' train x.tern --presentations 0
want 2 '' 'is not one of fast|golden|both|reference|device' train x.tern --engine quick
want 2 '' 'not a whole number in 1..256' eval x.tern --data y --samples 257
want 1 '' 'no-such-file.tern' train "$dir/no-such-file.tern" --data y -o "$dir/z.tern"
want 1 '' 'no-such-file.lua' train "$dir/no-such-file.lua" --data y -o "$dir/z.tern"
want 1 '' 'no-such-file.tern' eval "$dir/no-such-file.tern" --data y
# output that cannot be written is a failure
if [ -w /dev/full ]; then
    "$tern" --help >/dev/full 2>"$dir/err" && { echo "FAILED: a full disk was not noticed"; failed=1; }
fi
[ "$failed" -eq 0 ] && echo "usage: all as wanted"
exit "$failed"
