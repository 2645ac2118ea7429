#!/bin/sh
# The text of every rule of tern_net_check stands in its test, which breaks it.
#     sh net_rules.sh tern_net.c test_tern_net_check.c
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
n=0
# a rule may stand on several lines; its text may be split
awk '/^ *RULE\(/ { inside = 1; rule = "" }
     inside { sub(/^ */, ""); rule = rule " " $0 }
     inside && /\);$/ { gsub(/" +"/, "", rule); print rule; inside = 0 }' "$1" |
    sed -n 's/.*TERN_ERR_[A-Z]*, *\(".*"\));$/\1/p' | sort -u >"${TMPDIR:-/tmp}/net_rules.$$"
trap 'rm -f "${TMPDIR:-/tmp}/net_rules.$$"' EXIT
missing=0
while IFS= read -r text; do
    n=$((n + 1))
    grep -qF -e "$text" "$2" || { echo "no test breaks the rule $text" >&2; missing=1; }
done <"${TMPDIR:-/tmp}/net_rules.$$"
calls=$(grep -c '^ *RULE(' "$1")
echo "$n texts of $calls rules"
[ "$n" -ge 44 ] && [ "$missing" -eq 0 ]
