#!/bin/sh
# layers.sh NM LIST LIBRARY... : no layer uses a symbol of one that is not below it (cmake/layers.cmake)
# LIST: lines `NAME FOLDER USES...`, lowest first; LIBRARY: the archive of each line, in the same order.
# Exit status 0: all uses run downward; 1: not, each one is printed.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
nm=$1 list=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -v '^$' "$list" >"$work/list"
[ "$(wc -l <"$work/list")" -eq $# ] || { echo "layers: $# libraries for the $(wc -l <"$work/list") lines of $list"; exit 1; }

# lines `LAYER d|u SYMBOL OBJECT`
while read -r name _; do
    "$nm" -A "$1" 2>"$work/nm.err" >"$work/nm.out" || { cat "$work/nm.err"; exit 1; }
    sed 's/^.*:\([^: ]*[.]o\):/\1 /' "$work/nm.out" | awk -v layer="$name" '
        $(NF - 1) == "U" { print layer, "u", $NF, $1 }
        $(NF - 1) ~ /^[TDBRCV]$/ { print layer, "d", $NF, $1 }'
    shift
done <"$work/list" >"$work/symbols"

awk '
    FILENAME == ARGV[1] {
        known[$1] = 1
        for (i = 3; i <= NF; ++i) {
            if (!($i in known)) { print "layers: " $1 " uses " $i ", which is not listed before it"; bad = 1 }
            below[$1, $i] = 1
            for (k in known) if ((($i, k) in below)) below[$1, k] = 1
        }
        next
    }
    $2 == "d" { owner[$3] = $1; ++defined }
    $2 == "u" { ++n; layer[n] = $1; symbol[n] = $3; object[n] = $4 }
    END {
        for (i = 1; i <= n; ++i) {
            o = owner[symbol[i]]
            if (o == "" || o == layer[i]) continue
            ++uses
            if (!((layer[i], o) in below)) { print "layers: " layer[i] "/" object[i] " uses " symbol[i] " of " o ", which is not below it"; bad = 1 }
        }
        if (defined < 100 || uses < 100) { print "layers: only " defined + 0 " symbols and " uses + 0 " uses: the libraries are not those of Tern"; bad = 1 }
        if (!bad) print "layers: " uses " uses between layers, all of them downward"
        exit bad
    }' "$work/list" "$work/symbols"
