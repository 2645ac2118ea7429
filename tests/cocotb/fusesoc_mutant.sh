#!/bin/sh
# fusesoc_mutant.sh : a planted mistake that fusesoc.sh has to see
#     sh fusesoc_mutant.sh TARGET VENV WORK FILE EDIT SAYS [--PARAMETER=VALUE...]
# FILE: below rtl/; EDIT: of sed; SAYS: a line of the log, or of what fusesoc.sh prints. Exit status as of python.sh.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -ge 6 ] || { echo "usage: fusesoc_mutant.sh TARGET VENV WORK FILE EDIT SAYS [PARAMETERS]" >&2; exit 2; }
target=$1 venv=$2 work=$3 file=$4 edit=$5 says=$6
shift 6
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work.rtl"
mkdir -p "$work.rtl" && cp -r "$here/../../rtl/." "$work.rtl/" || exit 1
sed -i "$edit" "$work.rtl/$file"
cmp -s "$here/../../rtl/$file" "$work.rtl/$file" && { echo "FAILED: nothing to plant in $file"; exit 1; }
FUSESOC_RTL=$work.rtl sh "$here/fusesoc.sh" "$target" "$venv" "$work" "$@" >"$work.txt" 2>&1
status=$?
[ $status -eq 77 ] && { cat "$work.txt"; exit 77; }
[ $status -eq 1 ] && grep -q "^FAILED: fusesoc run --target=$target" "$work.txt" && grep -q -e "$says" "$work/log.txt" "$work.txt" ||
    { cat "$work.txt"; echo "FAILED: $target does not see a mistake in $file (exit status $status)"; exit 1; }
echo "$target sees the mistake in $file: $(grep -h -m 1 -e "$says" "$work/log.txt")"
