#!/bin/sh
# Every file of C and C++ is as clang-format 14 leaves it with the tree's .clang-format, and a planted fault is found.
#     sh format.sh ROOT CLANG-FORMAT [KEPT]
# KEPT: a file that remembers what was right; the same text is not looked at twice by the same version with the same rules.
# Versions break some lines at other places. With another version than 14 only that .clang-format is read and the planted
# fault is found; the layout of the tree is then not compared, which the last line says.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$1 format=$2 kept=${3:-}
command -v "$format" >/dev/null 2>&1 || { echo "clang-format is missing: apt-get install clang-format" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
cd "$root"
version=$("$format" --version | sed -n 's/.*clang-format version \([0-9]*\).*/\1/p' | head -n 1)
[ -n "$version" ] || { echo "'$format --version' names no version" >&2; exit 1; }
list() {
    if [ -e .git ]; then git ls-files --cached --others --exclude-standard
    else find . \( -path './build*' -o -path ./out \) -prune -o -type f -print | sed 's|^\./||'; fi |
        grep -E '\.(c|h|cpp)$' | while IFS= read -r f; do if [ -f "$f" ]; then echo "$f"; fi; done
}
check() { tr '\n' '\0' | xargs -0 "$format" --style=file --dry-run -Werror >"$work/out" 2>&1; }

# the fault: the brace of a function in its line
cp .clang-format "$work/"
printf 'int f(void)\n{\n    if (g()) return 1;\n    return 0;\n}\n' >"$work/planted.c"
echo "$work/planted.c" | check || { cat "$work/out" >&2; echo "lint.format: a file in the tree's style is refused" >&2; exit 1; }
printf 'int f(void) {\n    if (g()) return 1;\n    return 0;\n}\n' >"$work/planted.c"
if echo "$work/planted.c" | check; then echo "lint.format: a planted fault was not found" >&2; exit 1; fi
grep -q 'planted.c:1:12: error: code should be clang-formatted' "$work/out" || { cat "$work/out" >&2; exit 1; }

list >"$work/files"
n=$(wc -l <"$work/files")
[ "$n" -gt 100 ] || { echo "only $n files were found" >&2; exit 1; }
if [ "$version" -ne 14 ]; then
    echo "clang-format $version breaks some lines at other places than 14; the layout of the tree was not compared"
    exit 0
fi
# a line for each file: checksum and name; at the top version and rules
{ "$format" --version && cksum <.clang-format; } >"$work/rules"
tr '\n' '\0' <"$work/files" | xargs -0 sha256sum >"$work/now"
: >"$work/right"
if [ -n "$kept" ] && [ -f "$kept" ] && head -n 2 "$kept" | cmp -s - "$work/rules"; then tail -n +3 "$kept" >"$work/right"; fi
awk 'NR == FNR { right[$0] = 1; next } !($0 in right) { sub(/^[0-9a-f]* ./, ""); print }' "$work/right" - <"$work/now" \
    >"$work/open"
# shellcheck disable=SC2094 # `right` may be empty: then awk would take the second file for the first one
[ -s "$work/right" ] || cp "$work/files" "$work/open"
if ! check <"$work/open"; then
    sed -n 's/: error: code should be clang-formatted.*//p' "$work/out" | sort -u | head -n 40 >&2
    echo "lint.format: not as clang-format 14 leaves it; run \`clang-format -i FILE\`" >&2
    exit 1
fi
[ -z "$kept" ] || { cat "$work/rules" "$work/now" >"$kept.$$" && mv "$kept.$$" "$kept"; }
echo "$n files are as clang-format $version leaves them"
