#!/bin/sh
# data.sh : how fast recordings are read and made into frames, one core
# SPDX-License-Identifier: Apache-2.0
#
#     tests/bench/data.sh TERN INDEX.csv WORKDIR [REPEATS]
# INDEX.csv: a list of recordings, e.g. the 1000 training samples of N-MNIST in one file. Each command runs REPEATS times (default 10); the least processor
# time (user and system, all that the command needs from its start to its end) counts, since other work on the machine can only add to it.
export LC_ALL=C
set -eu
tern=$1 data=$2 work=$3 repeats=${4:-10}
mkdir -p "$work"
least() { # command: prints the least seconds of its runs, from the second line of `times`, "0m0.10s 0m0.05s"
    i=0
    while [ "$i" -lt "$repeats" ]; do
        sh -c '"$@" >/dev/null 2>&1 || exit 1; times' sh "$@" | sed -n 2p
        i=$((i + 1))
    done | awk '{ split($1, u, "[ms]"); split($2, s, "[ms]"); t = 60 * (u[1] + s[1]) + u[2] + s[2]; if (n++ == 0 || t < best) best = t }
        END { if (n == 0) exit 1; printf "%.3f\n", best }'
}
events=$("$tern" data info "$data" --json 2>/dev/null | sed -n 's/.*"events": *\([0-9]*\).*/\1/p' | head -n 1)
[ -n "$events" ] || { echo "data.sh: $tern data info $data gives no number of events" >&2; exit 1; }
show() { awk -v what="$1" -v s="$2" -v n="$events" 'BEGIN { printf "%-44s %6.3f s  %5.1f million events/s\n", what, s, n / (s > 0 ? s : 0.001) / 1e6 }'; }
echo "$events events, least of $repeats runs"
show "frames, 32 steps of 10 ms, two polarities" "$(least "$tern" data convert "$data" "$work/f.npz" --window-ms 10 --steps 32 --polarity separate)"
show "frames, number of steps found (read twice)" "$(least "$tern" data convert "$data" "$work/f.npz" --window-ms 10 --polarity separate)"
show "events as NumPy" "$(least "$tern" data convert "$data" "$work/e.npz")"
show "read and counted (info)" "$(least "$tern" data info "$data")"
rm -f "$work/f.npz" "$work/e.npz"
