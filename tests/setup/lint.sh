#!/bin/sh
# Rules about the tree itself; lint_self_test.sh shows that each of them can fail.
#     sh lint.sh RULE ROOT [TERN]
# Exit status 0: the rule holds; 1: it does not, every place is listed; 2: wrong usage.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -ge 2 ] || { echo "usage: lint.sh RULE ROOT [TERN]" >&2; exit 2; }
rule=$1 root=$2 tern=${3:-}
cd "$root"

# Every file that belongs to the tree, one a line: what git knows or would add; without git, all but what a build makes.
files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1 && [ -e .git ]; then
        git ls-files --cached --others --exclude-standard
    else
        find . \( -name .git -o -path './build*' -o -path ./out \) -prune -o -type f -print | sed 's|^\./||'
    fi | while IFS= read -r f; do if [ -f "$f" ]; then echo "$f"; fi; done | sort
}
code() { files | grep -E '\.(c|h|cpp|v|vh|lua|sh|cmake|ys|tcl)$|(^|/)(CMakeLists\.txt|demo|check|run|fresh)$' || true; }
shell() { files | grep -E '\.sh$|^(demo|check|\.ci/[a-z]+)$' || true; }
pages() { files | grep -E '\.md$' || true; }
# lines of these files that match
match() { tr '\n' '\0' | xargs -0 grep -nHIE -e "$1" -- /dev/null || true; }

found=$(
    case $rule in
    addresses) # nothing here downloads anything but through the system's package manager; places to get packages are the user's choice
        code | match 'https?://'
        files | grep -vx LICENSE | match '(^|[^a-z0-9.])(deb|security|snapshot|archive|packages|registry|files|proxy|pypi)\.[a-z0-9.-]*[a-z]\.?(org|com|net|io|dev)([^a-z]|$)'
        ;;
    paths) # folders of somebody's machine
        files | match '(^|[^A-Za-z0-9_.$}])/(home|root|work|Users|mnt|tmp/[a-z]+)/' ;;
    unfinished)
        code | grep -v '^tests/setup/lint' | match '(^|[^A-Za-z])(TODO|FIXME|XXX|HACK)([^A-Za-z]|$)' ;;
    json) # jansson reports a lack of memory by results that are easily left unlooked at; runtime/json counts them
        files | grep -E '\.(c|h|cpp)$' | grep -E '^(runtime|compiler|sim)/' | grep -v '^runtime/json/' |
            match '(^|[^A-Za-z0-9_])json_(object|array|string|stringn|string_nocheck|v?pack[a-z_]*|load[a-z_]*|unpack[a-z_]*|dump[a-z_]*|sprintf|copy|deep_copy)\('
        files | grep -E '\.(c|h|cpp)$' | grep -E '^(runtime|compiler|sim)/' | grep -v '^runtime/json/' |
            match '(^|[^A-Za-z0-9_])json_(object|array)_(set|append|insert|extend|update|del|remove|clear)[a-z_]*\(' ;;
    licence)
        code | grep -v CMakeLists | tr '\n' '\0' | xargs -0 awk '
            FNR == 1 { if (n++ && !there) print last ": no SPDX line"; last = FILENAME; there = 0 }
            FNR <= 12 && /SPDX-License-Identifier: Apache-2.0/ { there = 1 }
            END { if (n && !there) print last ": no SPDX line" }' ;;
    length) # but for the small core's programs, which are made
        code | grep -vxE "rtl/small/tern_micro_(rom|rules)\.v" | tr '\n' '\0' | xargs -0 awk '{ ++n[FILENAME] } END { for (f in n) if (n[f] > 700) print f ": " n[f] " lines, at most 700" }' ;;
    links) # [text](file#heading): the file is there, and so is the heading
        pages | while IFS= read -r page; do
            awk '/^ *```/ { fence = !fence } !fence { gsub(/`[^`]*`/, ""); while (match($0, /\]\([^)]*\)/)) {
                   print substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH) } }' "$page" | while IFS= read -r link; do
                case $link in http:*|https:*|mailto:*) continue ;; esac
                target=${link%%#*}
                heading=''
                case $link in *'#'*) heading=${link#*#} ;; esac
                if [ -z "$target" ]; then target=$page; else target=$(dirname "$page")/$target; fi
                if [ ! -e "$target" ]; then
                    echo "$page: broken link: $link"
                elif [ -n "$heading" ]; then
                    sed -n 's/^#\{1,6\} *//p' "$target" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qxF -e "$heading" ||
                        echo "$page: no such heading: $link"
                fi
            done
        done ;;
    packages) # docs/40-setup.md lists exactly the packages of cmake/packages.txt
        listed=$(sed -e '/^#/d' -e 's/ *|.*//' cmake/packages.txt | sort)
        told=$(sed -n 's/^| `\([a-z0-9.+-]*\)` |.*/\1/p' docs/40-setup.md | sort)
        [ "$listed" = "$told" ] || printf 'cmake/packages.txt has\n%s\ndocs/40-setup.md has\n%s\n' "$listed" "$told" ;;
    scripts)
        shell | while IFS= read -r f; do
            case $(head -n 1 "$f") in
            '#!/bin/sh') sh -n "$f" 2>&1 || true ;;
            '#!/usr/bin/env bash') bash -n "$f" 2>&1 || true ;;
            *) echo "$f: first line is neither #!/bin/sh nor #!/usr/bin/env bash" ;;
            esac
            # numbers, letters and the order of names must not depend on the user's locale: awk and printf write "0,5" in some
            grep -qx 'export LC_ALL=C' "$f" || echo "$f: no line \`export LC_ALL=C\`"
        done
        # Icarus makes what it writes executable: by root, nobody else can write to /dev/null after that
        { shell; pages; } | grep -v '^tests/setup/lint' | tr '\n' '\0' |
            xargs -0 grep -nE 'iverilog.* -o */dev/null' /dev/null || true
        for f in demo check .ci/run .ci/fresh; do [ -x "$f" ] || echo "$f: cannot be run (no execute permission)"; done ;;
    locale) # libraries read and print real numbers by tern/locale.h, whatever locale a host program has set
        code | grep -E '^(runtime|compiler|sim)/' | grep -vE '/(tern_)?locale[.][ch]$' |
            match '(^|[^a-z_])(strtod|strtof|strtold|atof|setlocale) *\('
        code | grep -E '^runtime/(blocks|core|data|engine|image|link|metrics|reference)/' | grep -vE '/(tern_)?locale[.][ch]$' |
            match '(^|[^a-z_])v?(sn|f)?(printf|scanf)\(.*%[-+ 0#]*[0-9*]*([.][0-9*]*)?l?[aefgAEFG]([^a-z]|$)' ;;
    timeouts) # a busy machine is no fault: at least 600 s for ctest and for what scripts run, and nothing asserts a duration
        { files | grep -E '^tests/.*(CMakeLists\.txt|\.cmake)$' || true; shell | grep '^tests/' | grep -v '^tests/setup/lint' || true; } | tr '\n' '\0' |
            xargs -0 awk '
            { sub(/^[ \t]*#.*/, ""); line = $0; ctest = FILENAME !~ /\.sh$/
              way = ctest ? "TIMEOUT[ )]+[0-9]+" : "(^|[^-a-z_])timeout( +-[a-z]+( +[A-Z0-9]+)?)* +[0-9]+"
              while (match(line, way)) {
                  n = substr(line, RSTART, RLENGTH)
                  sub(/.*[^0-9]/, "", n)
                  if (n + 0 < 600) print FILENAME ":" FNR ": a time-out of " n " s, at least 600"
                  line = substr(line, RSTART + RLENGTH)
              } }
            /date \+%s.*-(lt|le)|SECONDS *\)* *-(lt|le)/ { print FILENAME ":" FNR ": asserts a duration" }' /dev/null ;;
    commands) # commands in fenced blocks of the pages: scripts exist, and `tern` knows the verbs and options
        [ -x "$tern" ] || { echo "no tern command at '$tern'"; exit 0; }
        pages | while IFS= read -r page; do
            awk '/^ *```/ { fence = !fence; next } fence { sub(/^ *\$ /, ""); print }' "$page" | while IFS= read -r line; do
                case $line in
                ./*) script=${line%% *}; [ -x "$script" ] || echo "$page: $script cannot be run" ;;
                'tern '*|'build/tern '*)
                    rest=${line#* }
                    verb=${rest%% *}
                    case $verb in -*|VERB|'...') continue ;; esac
                    if ! help=$("$tern" "$verb" --help </dev/null 2>/dev/null); then
                        echo "$page: unknown verb: $line"
                        continue
                    fi
                    # options of this command, not of what it is piped into
                    printf '%s\n' "${rest%%[#|>]*}" | tr ' =[]' '\n\n\n\n' | grep -E '^--[a-z]' | while IFS= read -r option; do
                        # a verb with sub-commands explains its options there
                        printf '%s\n' "$help" | grep -qF -e "$option" || { word=${rest#* }; "$tern" "$verb" "${word%% *}" --help 2>/dev/null </dev/null | grep -qF -e "$option"; } ||
                            echo "$page: unknown option $option: $line"
                    done ;;
                esac
            done
        done ;;
    phrases) # pages, comments and messages have none of the phrases of the word list (docs/03-style.md); models are left alone,
        # since an image holds the digest of its script
        list=tests/setup/phrases.txt work=$(mktemp)
        [ -f "$list" ] || { echo "$list is missing"; rm -f "$work"; exit 0; }
        { pages; code; files | grep -E '^(cmake/packages|tests/mutants/explained)\.txt$|\.sv$|\.py$' || true; } |
            grep -vxE 'docs/03-style.md|tests/setup/(lint_self_test|lint).sh|models/.*\.lua' | sort -u >"$work"
        grep -v '^#' "$list" | while IFS= read -r row; do
            hits=$(tr '\n' '\0' <"$work" | xargs -0 grep -nHiIE -e "${row%% | *}" -- /dev/null || true)
            [ -z "$hits" ] || printf '%s\n' "$hits" | cut -c 1-200 | sed "s/\$/   <- write: ${row##* | }/"
        done
        rm -f "$work" ;;
    columns) # lines of C and Verilog have at most 120 columns; those of pages too, outside tables and code
        files | grep -E '\.(c|h|cpp|inc|v|vh|sv)$' | tr '\n' '\0' | xargs -0 awk '
            length($0) > 120 { print FILENAME ":" FNR ": " length($0) " columns" }' /dev/null
        pages | tr '\n' '\0' | xargs -0 awk '
            FNR == 1 { fence = 0 }
            /^ *```/ { fence = !fence }
            !fence && !/^ *\|/ && !/^    / && length($0) > 120 { print FILENAME ":" FNR ": " length($0) " columns" }' /dev/null ;;
    *) echo "lint.sh: unknown rule '$rule'" >&2; exit 2 ;;
    esac
)
if [ -n "$found" ]; then
    printf 'lint.%s:\n%s\n' "$rule" "$found"
    exit 1
fi
