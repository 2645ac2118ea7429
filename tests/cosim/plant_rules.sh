#!/bin/sh
# A program of the small core that makes one of several mistakes: tern_rom_plant() says at the start which one, 0 none.
#     sh plant_rules.sh ROM.v PLANTS.txt OUT.v
# Exit status 0: written; 1: a word of a line is not in the program; 2: wrong usage.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 3 ] || { echo "usage: plant_rules.sh ROM.v PLANTS.txt OUT.v" >&2; exit 2; }
trap 'rm -f "$3.part"' EXIT
awk -v plants="$2" '
    BEGIN {
        while ((getline line <plants) > 0) {
            if (line ~ /^#/ || line == "") continue
            if (split(line, f, " ") < 7) { print "plant_rules.sh: too few words: " line >"/dev/stderr"; bad = 1; continue }
            ++n; name[n] = f[1]; label[n] = "    // " f[2]; from[n] = "20'\''h" f[3] ";"; to[n] = f[4]
        }
    }
    { for (i = 1; i <= n; ++i) if ($0 == label[i]) left[i] = 32 }
    /^    (mem|far)\[/ {
        for (i = 1; i <= n; ++i)
            if (left[i]-- > 0 && !(i in at) && $NF == from[i]) at[i] = $1
    }
    /^module / { inside = 1 }
    inside && /^\);/ { print; print "  import \"DPI-C\" function int tern_rom_plant();\n  int plant;"; inside = 0; next }
    /^  end$/ && !done {
        done = 1
        print "    plant = tern_rom_plant();\n    case (plant)"
        for (i = 1; i <= n; ++i)
            if (i in at) print "      " i ": " at[i] " = 20'\''h" to[i] "; // " name[i]
            else { print "plant_rules.sh: " name[i] ": no such word behind its label" >"/dev/stderr"; bad = 1 }
        print "      default: ;"
        print "    endcase"
    }
    { print }
    END { exit bad || n == 0 }' "$1" >"$3.part"
mv "$3.part" "$3"
