#!/bin/sh
# A program of the small core with one word changed: for tests that have to see a mistake in it.
#     sh plant_rom.sh ROM.v LABEL FROM TO OUT.v     of the three words behind the label, the one that is FROM becomes TO (five hex digits)
# Exit status 0: written; 1: there is no such word; 2: wrong usage.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 5 ] || { echo "usage: plant_rom.sh ROM.v LABEL FROM TO OUT.v" >&2; exit 2; }
trap 'rm -f "$5.part"' EXIT
awk -v label="    // $2" -v from="20'h$3;" -v to="20'h$4;" '
    $0 == label { left = 3 }
    left > 0 && /^ *mem\[/ { left--; if ($NF == from && !done) { sub(/[^ ]*$/, to); done = 1 } }
    { print }
    END { exit done ? 0 : 1 }' "$1" >"$5.part" || { echo "plant_rom.sh: no word $3 behind $2 in $1" >&2; exit 1; }
mv "$5.part" "$5"
