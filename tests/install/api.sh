#!/bin/sh
# api.sh SOURCE INCLUDE CC MAP [LIBTERN.SO NM CXX] : the public headers, what they promise and what libtern.so exports
# INCLUDE: folder with tern/*.h, all public headers. Checked: every function declared is in MAP, and nothing else;
# every one is exported, and nothing else, and C++ can call it; every one has a comment; every header says what
# threads may do.
# Exit status 0: all is so; 1: not, each place is listed.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
source=$1 include=$2 cc=$3 map=$4 library=${5:-} nm=${6:-nm} cxx=${7:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
headers=$(cd "$include" && printf '%s ' tern/*.h)
# shellcheck disable=SC2086
sh "$source/cmake/public_functions.sh" "$cc" "$include" $headers >"$work/declared"
count=$(wc -l <"$work/declared")
[ "$count" -ge 100 ] || { echo "api: only $count public functions: the headers are not those of Tern"; exit 1; }

differ() { # LEFT TEXT: lines of LEFT that are not in RIGHT
    comm -23 "$1" "$2" >"$work/odd"
    while read -r name; do echo "api: $name $3"; bad=1; done <"$work/odd"
}
sed -n 's/^    \([a-z0-9_]*\);$/\1/p' "$map" | sort >"$work/listed"
differ "$work/declared" "$work/listed" "is declared in a public header, but not listed in cmake/libtern.map"
differ "$work/listed" "$work/declared" "is listed in cmake/libtern.map, but no public header declares it"
if [ -n "$library" ]; then
    "$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
    differ "$work/declared" "$work/exported" "is declared in a public header, but libtern.so does not export it"
    differ "$work/exported" "$work/declared" "is exported by libtern.so, but no public header declares it"
fi

if [ -n "$cxx" ]; then # without extern "C" a header compiles as C++, and nothing links
    {
        for header in $headers; do printf '#include "%s"\n' "$header"; done
        echo 'typedef void (*any)();'
        sed 's/.*/extern const any all_&; const any all_& = (any)&;/' "$work/declared"
        echo 'int main() { return 0; }'
    } >"$work/all.cpp"
    if ! "$cxx" -std=c++17 -I"$include" -Wno-cast-function-type "$work/all.cpp" "$library" \
        -o "$work/all" 2>"$work/err"; then
        echo "api: C++ cannot call what the headers declare: is there an extern \"C\"?"
        grep -m 5 -E 'undefined|error' "$work/err"
        bad=1
    fi
fi

# A comment stands above a declaration, or above the first of some that have no blank line between them, or behind it.
for header in "$include"/tern/*.h; do
    awk -v file="tern/${header##*/}" -v names="$work/declared" '
        BEGIN { while ((getline name < names) > 0) public[name] = 1 }
        /^ *$/ { said = 0 }
        /^#/ { said = 0 }
        /Threads: / && FNR <= 40 { threads = 1 }
        /^ *\/\*/ { said = 1 }
        {
            line = $0
            sub(/\/\*.*/, "", line)
            behind = $0 ~ /[;,)] *\/\*/
            if (line !~ /^(static|typedef|#| )/ && match(line, /tern_[a-z0-9_]+ *[(]/)) {
                name = substr(line, RSTART, RLENGTH)
                sub(/ *[(]/, "", name)
                if ((name in public) && !said &&
                    !behind) {
                    print "api: " file ":" FNR ": " name " has no comment"
                    bad = 1
                }
            }
        }
        END {
            if (!threads) { print "api: " file ": no line \"Threads: ...\" in its first comment"; bad = 1 }
            exit bad
        }' "$header" || bad=1
done
[ $bad -eq 0 ] || {
    echo "api: lists: sh cmake/public_refresh.sh, see \"Stability\" in docs/47-library.md; layers: cmake/library.cmake"
}
[ $bad -ne 0 ] ||
    echo "$count public functions: listed, ${library:+exported, }commented; every header speaks of threads"
exit $bad
