#!/bin/sh
# spoilt.sh SCRIPT TOOL ROOT WORK FILE SED MESSAGE : SCRIPT finds a mistake in the Verilog: with SED done to rtl/FILE it fails, and says MESSAGE
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
script=$1 tool=$2 root=$3 work=$4 file=$5 mistake=$6 message=$7
rm -rf "$work" && mkdir -p "$work" && cp -R "$root/rtl" "$work/rtl" || exit 1
sed "$mistake" "$root/rtl/$file" >"$work/rtl/$file"
! cmp -s "$root/rtl/$file" "$work/rtl/$file" || { echo "FAILED: nothing was planted in $file by $mistake"; exit 1; }
status=0
TERN_STOP_AT=$message sh "$script" "$tool" "$work/rtl" "$work" >"$work/said" 2>&1 || status=$?
[ $status -ne 77 ] || { cat "$work/said"; exit 77; }
[ $status -ne 0 ] && grep -q "$message" "$work/said" || { echo "FAILED: not seen: $mistake in $file"; head -n 5 "$work/said"; exit 1; }
echo "seen: $(grep -m 1 "$message" "$work/said")"
