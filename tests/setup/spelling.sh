#!/bin/sh
# codespell finds no misspelt word in the tree, and finds one that is planted.
#     sh spelling.sh ROOT CODESPELL
# Words that are right here, though codespell knows them as misspelt: tests/setup/spelling.txt.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$1 codespell=$2
command -v "$codespell" >/dev/null 2>&1 || { echo "codespell is missing: apt-get install codespell" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
cd "$root"
check() { tr '\n' '\0' | xargs -0 "$codespell" --disable-colors --ignore-words tests/setup/spelling.txt; }
list() {
    if [ -e .git ]; then git ls-files --cached --others --exclude-standard
    else find . \( -path './build*' -o -path ./out \) -prune -o -type f -print | sed 's|^\./||'; fi |
        grep -vE '/vectors/|\.(svg|tern|hex|json|inc|aedat|npz|gz|bin)$|^LICENSE$' |
        while IFS= read -r f; do if [ -f "$f" ]; then echo "$f"; fi; done
}
list >"$work/files"
[ "$(wc -l <"$work/files")" -gt 100 ] || { echo "only $(wc -l <"$work/files") files were found" >&2; exit 1; }
check <"$work/files" || { echo "lint.spelling: see above; words that are right go to tests/setup/spelling.txt" >&2; exit 1; }
# shellcheck disable=SC2059 # the mistake is not in this file
printf "The spikes are rec%sed.\n" iev >"$work/planted.md"
if echo "$work/planted.md" | check >"$work/out" 2>&1; then echo "a planted mistake was not found" >&2; exit 1; fi
grep -q 'planted.md:1: .* ==> received' "$work/out" || { cat "$work/out" >&2; exit 1; }
