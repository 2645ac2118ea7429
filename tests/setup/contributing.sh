#!/bin/sh
# The worked example of CONTRIBUTING.md in a copy of the tree: its unit test passes, and fails with its planted bug; the
# rules about blocks hold, and do not when its row is missing; Icarus accepts its Verilog.
#     sh contributing.sh ROOT CC IVERILOG
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$(cd "$1" && pwd) cc=$2 iverilog=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
fail() { echo "CONTRIBUTING.md: $*" >&2; exit 1; }
page=$root/CONTRIBUTING.md
mkdir "$work/t" "$work/t/tests"
cp -R "$root/rtl" "$root/docs" "$work/t/"
mkdir "$work/t/runtime"
cp -R "$root/runtime/blocks" "$root/runtime/net" "$work/t/runtime/"

# block LANGUAGE TEXT: the fenced block of this language that holds TEXT
block() {
    awk -v open="\`\`\`$1" -v text="$2" '
        $0 == open { inside = 1; block = ""; next }
        inside && /^```$/ { if (index(block, text)) { printf "%s", block; found = 1; exit } inside = 0 }
        inside { block = block $0 "\n" }
        END { exit !found }' "$page" || fail "no block of '$1' with '$2'"
}
block c 'tern_leak.h :' >"$work/t/runtime/blocks/tern_leak.h"
block c 'test_tern_leak.c :' >"$work/test_tern_leak.c"
block verilog 'tern_leak.v :' >"$work/t/rtl/blocks/tern_leak.v"
row=$(block text '| leak |')
test_runs() { # FOLDER: of the block
    "$cc" -std=c11 -Wall -Wextra -Wconversion -Werror -I "$1" -I "$root/tests" "$work/test_tern_leak.c" -o "$work/test" -lm &&
        "$work/test" >"$work/out"
}
test_runs "$work/t/runtime/blocks" || { cat "$work/out" >&2; fail "the unit test fails"; }
grep -q '^leak: 0 of 458752 checks failed' "$work/out" || { cat "$work/out" >&2; fail "not every value was checked"; }
mkdir "$work/bug"
sed 's/>> shift)/>> (shift + 1))/' "$work/t/runtime/blocks/tern_leak.h" >"$work/bug/tern_leak.h"
test_runs "$work/bug" && fail "the unit test does not detect the bug"
grep -q 'FAILED' "$work/out" || fail "the unit test does not run with the bug"

cd "$work/t"
lint() { sh "$root/tests/rtl/lint_rtl.sh" "$1" . "$iverilog" >"$work/out" 2>&1; }
lint pairs && fail "lint.pairs accepts a block without its row"
grep -q 'no row for leak' "$work/out" || { cat "$work/out" >&2; fail "lint.pairs does not miss the row"; }
awk -v row="$row" '{ print } /^\| history \|/ { print row }' docs/31-blocks.md >page && mv page docs/31-blocks.md
lint pairs || { cat "$work/out" >&2; fail "lint.pairs"; }
lint files && fail "lint.files accepts a file that no list has"
sed -i 's|^rtl/blocks/tern_history.v$|&\nrtl/blocks/tern_leak.v|' rtl/tern_core.f
lint files || { cat "$work/out" >&2; fail "lint.files"; }
for bug in '' -DTERN_TESTBUG_LEAK_SHIFT; do
    # shellcheck disable=SC2086 # an option or none
    "$iverilog" -g2005 -Wall -t null $bug rtl/blocks/tern_leak.v >"$work/out" 2>&1 && [ ! -s "$work/out" ] ||
        { cat "$work/out" >&2; fail "Icarus Verilog"; }
done
echo "the example of CONTRIBUTING.md works"
