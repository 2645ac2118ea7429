#!/bin/sh
# public_functions.sh CC INCLUDE HEADER... : names of the functions that headers declare, a line each, sorted
# INCLUDE: the folder that HEADER (tern/data.h) lies in. Inline functions are not listed: a library does not hold them.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cc=$1 include=$2
shift 2
for header in "$@"; do printf '#include "%s"\n' "$header"; done | "$cc" -std=c11 -I"$include" -E -P -x c - | awk '
    { text = text " " $0 }
    END {
        n = length(text)
        for (i = 1; i <= n; ++i) { # what is between braces says nothing about names outside
            c = substr(text, i, 1)
            if (c == "{") ++depth
            if (depth == 0) flat = flat c
            if (c == "}" && --depth == 0) flat = flat "{};"
        }
        count = split(flat, part, ";")
        for (i = 1; i <= count; ++i) {
            if (part[i] ~ /typedef|static/ || part[i] ~ /[{]/) continue
            if (match(part[i], /tern_[a-z0-9_]+ *[(]/)) {
                name = substr(part[i], RSTART, RLENGTH)
                sub(/ *[(]/, "", name)
                print name
            }
        }
    }' | sort -u
