#!/bin/sh
# test_newcomer.sh TERN SOURCE_DIR PYTHON [plant] : the recipe for a NumPy array of one's own, as it stands on the page
# SPDX-License-Identifier: Apache-2.0
#
# plant: the page's script gives the input another size; the test has to notice.
export LC_ALL=C
set -u
tern=$1 src=$2 python=$3 plant=${4:-}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
"$python" -c 'import numpy' 2>/dev/null || fail "$python has no numpy (Debian: python3-numpy)"
mkdir "$dir/bin" "$dir/my work" && ln -s "$tern" "$dir/bin/tern" && ln -s "$(command -v "$python")" "$dir/bin/python3"
cd "$dir/my work" || exit 1
block() { # NAME: of the recipe, the block that begins with ``` and this
    sed -n '/^## Train on a NumPy array/,/^## Run one test/p' "$src/docs/90-recipes.md" | sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" | sed '1d;$d'
}
block 'python make.py' >make.py
block 'lua net.lua' >net.lua
block sh >"$dir/commands"
[ "$(wc -l <"$dir/commands")" -eq 13 ] && [ -s make.py ] && [ -s net.lua ] || fail "the page has other blocks"
[ -z "$plant" ] || sed -i 's/{1, 12}/{1, 13}/' net.lua
PATH=$dir/bin:$PATH sh -e "$dir/commands" >"$dir/out" 2>"$dir/err" || fail "a command of the recipe: $(tail -n 3 "$dir/err")"
grep -q 'error\|warning' "$dir/err" && fail "something is said: $(cat "$dir/err")"
grep -q '50 of 50 right' "$dir/out" || fail "not all 50 are right: $(grep 'of 50' "$dir/out")"
[ -s trained.html ] && [ -s moved/net.c ] && [ -s moved/rtl/core/tern_core.v ] || fail "files are missing: $(ls . moved)"
