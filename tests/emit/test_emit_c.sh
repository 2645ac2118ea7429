#!/bin/sh
# test_emit_c.sh : the emitted C, built freestanding, gets the digest of the library
# SPDX-License-Identifier: Apache-2.0
#
#     test_emit_c.sh CC EMIT_TESTNET LIBTERN_CORE INCLUDE SOURCE WORK [FLAGS]
# FLAGS: what libtern_core was built with (sanitizers). TERN_SEED=n runs one seed.
export LC_ALL=C
set -u
cc=$1 emit=$2 core=$3 include=$4 source=$5 work=$6 flags=${7:-}
if ! command -v nm >/dev/null; then
    echo "SKIP: needs nm (package binutils)"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work" || exit 1
failed=0 kinds=
fail() {
    echo "FAILED: $*"
    failed=1
}

one() { # seed name-or-nothing prefix macros rule
    seed=$1 dir=$work/$1$2
    mkdir -p "$dir" || return 1
    line=$("$emit" "$seed" "$dir" $2 ${5:-}) || { fail "seed $seed: emit_testnet"; return; }
    set -- "$1" "$2" "$3" "$4" $line
    name=$5 wanted=$6 rule=$7 baseline=$8 members=$9
    kinds="$kinds r$rule b$baseline"
    [ "$members" -eq 0 ] || kinds="$kinds wta"
    rewarded=
    if grep -q "_reward(const int32_t" "$dir/$name.h"; then rewarded=-DREWARDED; fi
    [ "$rule" -eq 3 ] && [ -z "$rewarded" ] && fail "seed $seed: a rule of rewards without a function for them"
    [ "$rule" -ne 3 ] && [ -n "$rewarded" ] && fail "seed $seed: a function for rewards, of a rule that has none"
    net=${3:-$name} macros=${4:-$(printf %s "$name" | tr a-z A-Z)}
    "$cc" -ffreestanding -std=c11 -O2 -Wall -Wextra -Wconversion -Wpedantic -Werror -I"$include" -c "$dir/$name.c" -o "$dir/net.o" || { fail "seed $seed: $name.c does not compile"; return; }
    wrong=$(nm -u "$dir/net.o" | awk '{ print $NF }' | grep -v -E '^(memcpy|memset|tern_[a-z0-9_]+|_GLOBAL_OFFSET_TABLE_)$')
    [ -z "$wrong" ] || fail "seed $seed: undefined symbols: $wrong"
    "$cc" $flags -std=c11 -Wall -Wextra -Werror -I"$include" -DNET="$net" -DMACROS="$macros" -D"${macros}_SEED=${seed}u" $rewarded -include "$dir/$name.h" \
        "$source" "$dir/net.o" "$core" -o "$dir/run" || { fail "seed $seed: does not link"; return; }
    got=$("$dir/run" <"$dir/frames") || { fail "seed $seed: the emitted program stopped"; return; }
    if [ "$got" = "$wanted" ]; then echo "seed $seed: $name $got, rule $rule, baseline $baseline, $members in circuits"; else fail "seed $seed: emitted $got, library $wanted"; fi
    for file in "$dir/$name.h" "$dir/$name.c" "$dir/$name.map" "$dir/$name.json"; do
        [ -s "$file" ] || fail "$file is empty"
        if grep -q "$work" "$file"; then fail "$file contains a path"; fi
        long=$(awk 'length > 140' "$file" | wc -l)
        case $file in *.json) ;; *) [ "$long" -eq 0 ] || fail "$file has $long lines over 140 characters" ;; esac
    done
}

if [ -n "${TERN_SEED:-}" ]; then
    one "$TERN_SEED" "" "" ""
else
    for seed in 0 1 2 3 4 5 6 7 8 9 10 11; do one $seed "" "" ""; done
    one 12 tern net_tern NET_TERN # the runtime's own names
    one 13 TernA net_TernA NET_TERNA
    one 14 int int INT # a keyword of C
    # each rule once more, untrained and trained; a baseline per synapse, which only C has
    one 16 mb mb MB 1
    one 17 iw iw IW 2
    one 18 reward reward REWARD 3
    one 19 gem gem GEM 0
    one 20 mbs mbs MBS 1+
    one 21 iws iws IWS 2+
    one 23 rewards rewards REWARDS 3+
    for kind in r0 r1 r2 r3 b0 b1 b2 wta; do
        case " $kinds " in *" $kind "*) ;; *) fail "no network of kind $kind was tried" ;; esac
    done
fi

# The whole program, but for memcpy and memset, is in the network's file and libtern_core (which a sanitizer would extend).
if [ -z "$flags" ]; then
    obj=$work/${TERN_SEED:-3}/net.o
    if ld -r -o "$work/all.o" "$obj" --whole-archive "$core"; then
        wrong=$(nm -u "$work/all.o" | awk '{ print $NF }' | grep -v -E '^(memcpy|memset|_GLOBAL_OFFSET_TABLE_)$')
        [ -z "$wrong" ] || fail "libtern_core needs: $wrong"
    else
        fail "ld -r"
    fi
fi
[ $failed -eq 0 ] && rm -rf "$work"
exit $failed
