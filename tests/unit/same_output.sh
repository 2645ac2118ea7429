#!/bin/sh
# Two programs succeed and print the same.
#     sh same_output.sh PROGRAM PROGRAM
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
a=$("$1")
b=$("$2")
printf '%s\n%s\n' "$a" "$b"
[ -n "$a" ] && [ "$a" = "$b" ]
