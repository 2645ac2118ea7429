#!/bin/sh
# In a locale that writes 0,5 for 0.5: a host program of the libraries, the command, and the numbers that ./demo prints.
#     sh locale_test.sh TERN ROOT LOCALE_HOST
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
tern=$1 root=$2 host=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
sh "$root/tests/setup/comma_locale.sh" "$work/locale"
german() { env LOCPATH="$work/locale" LC_ALL=de_DE "$@"; }
[ "$(german sh -c 'env printf %.1f 0,5')" = 0,5 ] || fail "the locale has no effect"

german "$host" || fail "a host program"

# the command: numbers in and out, and tools that it starts
cd "$work"
"$tern" data digits here --classes 0,1 --count 1 --contrast 1.25 --duration-ms 300 >here.txt
german "$tern" data digits there --classes 0,1 --count 1 --contrast 1.25 --duration-ms 300 >there.txt
diff -r here there || fail "generated recordings differ"
"$tern" data info here --json >here.json
german "$tern" data info here --json >there.json
cmp here.json there.json || fail "answers differ"
printf '#!/bin/sh\necho "Verilator 9.9 $(env printf %%.1f 0.5)" >&2; echo "Verilator 9.9"; env printf %%.1f 0.5 >"%s/tool"\n' "$work" >verilator
chmod +x verilator
german env PATH="$work:$PATH" "$tern" doctor >doctor.txt 2>&1 || true
[ "$(cat tool)" = 0.5 ] || fail "a tool that is started prints $(cat tool)"

# ./demo with a command that only answers: its sums are shown as they are
mkdir -p t/cmake t/build t/bin
cp "$root/demo" t/
printf '#!/bin/sh\n' >t/cmake/packages.sh
printf '#!/bin/sh\n' >t/bin/cmake
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" = eval ] && echo "{\\"accuracy\\":0.955,\\"log_loss\\":0.255}"\nexit 0\n' >t/build/tern
chmod +x t/bin/cmake t/build/tern
german env PATH="$work/t/bin:$PATH" sh t/demo --yes >demo.txt 2>&1 || fail "./demo ended with $?"
grep -q 'right answers  *9[56] %  *9[56] %' demo.txt && grep -q 'log-loss per step  *0[.]2[56]  *0[.]2[56]' demo.txt || { fail "./demo"; cat demo.txt; }
[ "$failed" -eq 0 ] && echo "numbers are the same in a locale with a decimal comma"
exit "$failed"
