#!/bin/sh
# The engines fast, golden and both make the same images, logs and answers, with every instruction set and number of
# threads; what is refused.
#     sh test_engines.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL CLI_TEST
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
helper=$5
# shellcheck source=tests/cli/cli_test.sh
. "$helper"

train() { # OUT words...: a training of 10 presentations, with its log
    out=$1
    shift
    run 0 train net.lua --data data --presentations 10 --seed 5 -o "$out.tern" --log "$out.jsonl" "$@"
}

# without its tools: it would start every one of them
isas=$(PATH=/nowhere "$tern" doctor | sed -n 's/^Engine fast: .* has //p')
[ -n "$isas" ] || fail "tern doctor names no instruction set"
for rule in gem mb iw; do
    set_rule="--set rule.kind=$rule"
    train golden --engine golden $set_rule
    train both --engine both $set_rule
    same golden.tern both.tern "$rule, both"
    for isa in $isas; do
        TERN_ISA=$isa train fast $set_rule --threads 6 # visible neurons on several
        tells "^engine       $isa, 6 threads; synapses in 16 bits "
        same golden.tern fast.tern "$rule, $isa"
        same golden.jsonl fast.jsonl "$rule, $isa: log"
    done
    # a training continues with another engine
    mixed="train net.lua --data data --seed 5 -o mixed.tern --log mixed.jsonl $set_rule"
    run 0 $mixed --presentations 4 --engine golden
    run 0 $mixed --presentations 7 --resume
    run 0 $mixed --presentations 10 --resume --engine both
    same golden.tern mixed.tern "$rule, resumed with other engines"
    same golden.jsonl mixed.jsonl "$rule, log of a training resumed with other engines"
done

# validation: images and log, measured by an engine of its own
for engine in golden fast both; do
    run 0 train net.lua --data data --presentations 12 --validation 0.25 --validate-every 4 --engine $engine \
        -o "v_$engine.tern" --log "v_$engine.jsonl"
done
for engine in fast both; do
    same v_golden.tern v_$engine.tern "validation, $engine"
    same v_golden.jsonl v_$engine.jsonl "validation, $engine: log"
    same v_golden.tern.checkpoint v_$engine.tern.checkpoint "validation, $engine: checkpoint"
done

# evaluation: recordings side by side
run 0 eval golden.tern --data data --samples 7 --engine golden --per-recording golden.lines
sed 's/golden engine//' out >golden.out
for threads in 1 2 3 40; do
    run 0 eval golden.tern --data data --samples 7 --threads $threads --per-recording fast.lines
    sed 's/fast engine//' out >fast.out
    same golden.out fast.out "eval, $threads threads"
    same golden.lines fast.lines "eval, $threads threads: lines"
done
run 0 eval golden.tern --data data --samples 7 --engine both --per-recording fast.lines
same golden.lines fast.lines "eval, both"

# what is refused; nothing is written
for words in 'train net.lua --data data -o no.tern' 'eval golden.tern --data data'; do
    TERN_ISA=mmx run 1 $words
    says 'TERN-E0140: TERN_ISA: mmx is not a known instruction set; known are avx512, avx2, neon and plain'
    for isa in avx512 avx2 neon; do
        case " $isas " in *" $isa "*) continue ;; esac
        TERN_ISA=$isa run 1 $words
        says "TERN-E0141: TERN_ISA: this processor does not have the instruction set $isa"
    done
    run 2 $words --threads 0
    says "TERN-E0103: --threads: '0' is not a whole number in 1..256"
    run 2 $words --threads 257
    says 'TERN-E0103'
    run 2 $words --threads 2 --engine golden
    says 'TERN-E0110: --threads has no effect with --engine golden'
done
[ ! -e no.tern ] || fail "an image was written"
exit $failed
