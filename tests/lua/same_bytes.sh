#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same script gives the same bytes in several processes: each has another hash seed (Lua takes it from the clock and from addresses).
# use: same_bytes.sh PROGRAM SCRIPT...
export LC_ALL=C
set -eu
program=$1
shift
for script; do
  first=$("$program" --digest "$script")
  for i in 1 2 3 4 5 6; do
    again=$("$program" --digest "$script")
    if [ "$again" != "$first" ]; then
      echo "$script: $again is not $first" >&2
      exit 1
    fi
  done
  echo "$script: $first"
done
