#!/bin/sh
# Vectors with one thing changed: both engines must refuse them, each in its place.
#     sh changed.sh CONFORMANCE_RUN SOURCE-FOLDER WORK-FOLDER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 3 ] || { echo "usage: changed.sh CONFORMANCE_RUN SOURCE-FOLDER WORK-FOLDER" >&2; exit 2; }
run=$1 here=$2 work=$3 failed=0
rm -rf "$work"
mkdir -p "$work"

refused() { # what it says, command...
    says=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "not noticed: $what by $*"
        failed=1
    elif ! grep -q -e "$says" "$work/log"; then
        echo "$what: wanted a line with '$says', found:"
        head -n 5 "$work/log"
        failed=1
    fi
}

# file, sed expression, pattern of what the golden engine says; the second engine says less about images
changed() {
    what="$1 $2"
    rm -f "$work"/*.txt "$work"/*.tern "$work"/*.trace
    name=${1%.*}
    for f in "$here/vectors/$name".*; do cp "$f" "$work/"; done
    LC_ALL=C sed -e "$2" "$here/vectors/$1" >"$work/$1"
    if cmp -s "$here/vectors/$1" "$work/$1"; then
        echo "changed.sh: $1 has nothing for $2"
        failed=1
    fi
    [ "$3" = - ] || refused "$3" "$run" "$work/$name.txt"
    refused "differs" python3 -B "$here/play.py" "$work/$name.txt"
}

changed n01_gem.txt '6s/= digest ./= digest x/' 'n01_gem.txt:6: differs'
changed n02_mb.txt '/S_BASEW/s/[0-9]$/x/' 'S_BASEW'
changed n03_iw.txt '/^start/s/1$/2/' 'n03_iw.txt:6: differs' # another seed: the first step's draws
changed n03_iw.txt '/^= comm/s/ [0-9]*$/ 7/' '= comm'
changed n04_reward.txt '/^reward/s/ [0-9-]*$/ 5/' '= digest'
changed n05_mb_synapse.txt '/^clear/d' 'n05_mb_synapse.txt:[0-9]*: differs'
changed n06_iw_synapse.txt '$d' 'differs'
changed n15_schedule.txt 's/^rate 35/rate 40/' 'after  rate 40'
changed n16_votes.txt 's/^= winner .*/= winner 9/' '= winner 9'
changed n19_resume.tern '1s/TERN/TERM/' 'cannot be used'
changed n01_gem.tern 's/gem/gen/' 'cannot be used'
changed threefry.txt '/^dither/s/[0-9]$/x/' 'threefry.txt:[0-9]*: differs'
changed threefry.txt '/^uniform/s/[0-9]$/x/' 'threefry.txt:[0-9]*: differs'
changed n02_mb.trace '/^N-20 q/s/[0-9]$/x/' -
changed n04_reward.trace '/^N-12 c/d' -
exit "$failed"
