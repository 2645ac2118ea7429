#!/bin/sh
# comma_locale.sh DIR : makes DIR/de_DE, a locale that writes 0,5 for 0.5 as German, French and many others do. To be
# used with LOCPATH=DIR LC_ALL=de_DE.
# Needs only localedef of the C library; a system's own locales may not be installed.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
dir=$1
mkdir -p "$dir"
{
    printf '<code_set_name> ASCII\n<mb_cur_min> 1\n<mb_cur_max> 1\n<comment_char> %%\n<escape_char> /\nCHARMAP\n'
    awk 'BEGIN { for (i = 0; i < 128; ++i) printf "<U%04X> /x%02x c\n", i, i }'
    echo 'END CHARMAP'
} >"$dir/charmap"
printf 'comment_char %%\nescape_char /\nLC_NUMERIC\ndecimal_point "<U002C>"\nthousands_sep "<U002E>"\n' >"$dir/source"
printf 'grouping 3;3\nEND LC_NUMERIC\n' >>"$dir/source"
localedef -c -i "$dir/source" -f "$dir/charmap" "$dir/de_DE" >"$dir/log" 2>&1 || true # it warns of what is not defined
point=$(LOCPATH=$dir LC_ALL=de_DE locale -k decimal_point)
[ "$point" = 'decimal_point=","' ] || { echo "FAILED: no locale with a decimal comma: $point"; cat "$dir/log"; exit 1; }
