#!/bin/sh
# circles.sh NM KNOWN LIBRARY... : within a layer, no files need each other in a circle
# A file needs another one that defines a symbol which it uses. KNOWN: circles that are still there, one line
# `LIBRARY FILE FILE...` each; a line that no longer holds is reported, too.
# Exit status 0: all is so; 1: not, every use in a circle is printed.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
nm=$1 known=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for library; do
    "$nm" -A -g "$library" 2>"$work/nm.err" >"$work/nm.out" || { cat "$work/nm.err"; exit 1; }
    name=$(basename "$library" .a)
    sed 's/^.*:\([^: ]*\.o\):/\1 /' "$work/nm.out" | awk -v layer="${name#libtern_}" '
        { sub(/\.c\.o$/, "", $1) }
        $(NF - 1) == "U" { print layer, "u", $NF, $1 }
        $(NF - 1) ~ /^[TDBRCV]$/ { print layer, "d", $NF, $1 }'
done >"$work/symbols"
grep -v '^#' "$known" >"$work/known" || true

# Files that need nothing in their layer, or that nothing needs, are in no circle: they are taken away, and again, until
# none is left to take. What remains are circles, and ways from one to another.
awk '
    FILENAME == ARGV[1] { for (i = 2; i <= NF; ++i) old[$1 "/" $i] = 1; next }
    $2 == "d" { owner[$1, $3] = $4; ++defined }
    $2 == "u" { ++n; layer[n] = $1; symbol[n] = $3; file[n] = $4 }
    END {
        for (i = 1; i <= n; ++i) {
            o = owner[layer[i], symbol[i]]
            if (o == "" || o == file[i]) continue
            from[i] = layer[i] "/" file[i]; to[i] = layer[i] "/" o
            there[from[i]] = there[to[i]] = 1
            ++uses
        }
        do {
            taken = 0
            for (f in there) needs[f] = needed[f] = 0
            for (i in from) if ((from[i] in there) && (to[i] in there)) { ++needs[from[i]]; ++needed[to[i]] }
            for (f in there) if (needs[f] == 0 || needed[f] == 0) { gone[f] = 1; taken = 1 }
            for (f in gone) delete there[f]
        } while (taken)
        for (i = 1; i <= n; ++i)
            if ((i in from) && (from[i] in there) && (to[i] in there) && !((from[i] in old) && (to[i] in old))) {
                print "circles: " from[i] " uses " symbol[i] " of " to[i] ", which needs it in turn"
                bad = 1
            }
        for (f in old) if (!(f in there)) { print "circles: " f " is in no circle any more: take it out of the list"; bad = 1 }
        if (defined < 100 || uses < 100) { print "circles: only " defined + 0 " symbols and " uses + 0 " uses: the libraries are not those of Tern"; bad = 1 }
        left = 0
        for (f in there) ++left
        if (!bad) print "circles: " uses " uses between files of a layer, " left " files still in a circle"
        exit bad
    }' "$work/known" "$work/symbols"
