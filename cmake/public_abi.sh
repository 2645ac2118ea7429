#!/bin/sh
# public_abi.sh CC INCLUDE : what a compiled program knows of libtern.so: prototypes, sizes and places in
# structures, values of enums INCLUDE: folder with tern/*.h. Sizes are those of 64-bit systems (LP64). Every line is
# one promise; cmake/libtern.abi is the list of the last version, and the test lint.abi compares. Structures come
# from the compiler's debugging information, as readelf shows it.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cc=$1 include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for header in "$include"/tern/*.h; do printf '#include "tern/%s"\n' "${header##*/}"; done >"$work/all.c"

"$cc" -std=c11 -I"$include" -E -P "$work/all.c" | awk '
    function done(p) {
        sub(/.*extern "C"/, "", p)
        gsub(/__attribute__ *[(][(][^)]*[)][^)]*[)][)]|__attribute__ *[(][(][^)]*[)][)]/, "", p)
        gsub(/[ \t]+/, " ", p)
        gsub(/ *, */, ", ", p)
        sub(/^ /, "", p)
        sub(/ $/, "", p)
        if (p ~ /^typedef .*tern_/) print p
        else if (p !~ /static|[{]/ && p ~ /tern_[a-z0-9_]+ *[(]/) print p
    }
    { text = text " " $0 }
    END {
        n = length(text)
        for (i = 1; i <= n; ++i) {
            c = substr(text, i, 1)
            if (c == "{") ++depth
            else if (c == "}") --depth
            if (depth == 0 && c == ";") { done(part); part = ""; continue }
            part = part c
            if (depth == 0 && c == "}" && part !~ /typedef/) part = "" # the end of a function
        }
    }' | sort -u

"$cc" -std=c11 -g -fno-eliminate-unused-debug-types -I"$include" -c "$work/all.c" -o "$work/all.o"
readelf --debug-dump=info "$work/all.o" | awk '
    function value(s) { sub(/^[^:]*: */, "", s); sub(/^[(]indirect [^)]*[)]: */, "", s); sub(/ *$/, "", s); return s }
    function flush() {
        if (tag == "structure_type") {
            struct = name ~ /^tern_/ ? name : ""
            if (struct != "") print "struct " struct ": " size " bytes"
        }
        else if (tag == "member" && struct != "") print "struct " struct ": " name " at " place
        else if (tag == "enumerator" && name ~ /^TERN_/) print "enum " name " = " number
        else if (tag != "member") struct = ""
        tag = name = place = number = size = ""
    }
    /^ *<[0-9a-f]+><[0-9a-f]+>: Abbrev Number/ {
        flush()
        if (match($0, /DW_TAG_[a-z_]+/)) tag = substr($0, RSTART + 7, RLENGTH - 7)
        next
    }
    /DW_AT_name / { name = value($0) }
    /DW_AT_byte_size/ { size = value($0) }
    /DW_AT_data_member_location/ { place = value($0) }
    /DW_AT_const_value/ { number = value($0) }
    END { flush() }' | sed 's/ (data[0-9a-z]*)//; s/(string) //' | sort -u
