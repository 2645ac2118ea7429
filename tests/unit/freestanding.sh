#!/bin/sh
# Objects (of the golden model, of the link) need nothing but each other and the four functions that gcc expects even of a freestanding environment.
#     sh freestanding.sh NM OBJECT...
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
nm=$1
shift
[ $# -ge 4 ] || { echo "only $# objects" >&2; exit 2; }
"$nm" -g "$@" >/dev/null # a missing tool or file ends the test here
defined=$("$nm" -g --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u)
wanted=$("$nm" -gu "$@" | awk 'NF == 2 { print $2 }' | sort -u)
strange=$(printf '%s\n' "$wanted" | grep -vxF -e "$defined" | grep -vxE 'memcpy|memset|memmove|memcmp|__(asan|ubsan|sanitizer|stack_chk)_.*|_GLOBAL_OFFSET_TABLE_' || true)
[ -n "$defined" ] || { echo "no symbols found" >&2; exit 2; }
if [ -n "$strange" ]; then
    printf 'these objects need\n%s\n' "$strange" >&2
    exit 1
fi
echo "they need $(printf '%s\n' "$wanted" | grep -vxF -e "$defined" | tr '\n' ' ')"
