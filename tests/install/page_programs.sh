#!/bin/sh
# page_programs.sh PAGE DIR : writes the programs of a page (```c NAME.c ... ```) into DIR, prints their names
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
awk -v dir="$2" '
    /^```c [a-z]+[.]c$/ { name = $2; file = dir "/" name; printf "" > file; print name; next }
    /^```/ { name = "" }
    name != "" { print > file }' "$1"
