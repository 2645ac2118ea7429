#!/bin/sh
# fusesoc_files.sh : rtl/tern.core lists the files of tern_core.f, tern_small.f, tern_bridge.f and tern_link.f, each in its order
#     sh fusesoc_files.sh RTL-FOLDER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
cd "$1" || exit 2
failed=0
listed() { awk -v s="  $1:" '$0 == s { on = 1; next } /^  [a-z_]+:$/ || /^[a-z]/ { on = 0 } on && $1 == "-" && $2 ~ /[.]v$/ { print "rtl/" $2 }' tern.core; }
same() { # fileset, list
    listed "$1" >"${TMPDIR:-/tmp}/tern-fusesoc.$$"
    [ -s "${TMPDIR:-/tmp}/tern-fusesoc.$$" ] && sed '/mem\/tern_ram/d' "$2" | diff "${TMPDIR:-/tmp}/tern-fusesoc.$$" - >&2 || { echo "FAILED: fileset $1 of tern.core (<) is not $2 (>)"; failed=1; }
    rm -f "${TMPDIR:-/tmp}/tern-fusesoc.$$"
}
listed memory | grep -qx rtl/mem/tern_ram.v || { echo "FAILED: fileset memory of tern.core is not rtl/mem/tern_ram.v"; failed=1; }
same core tern_core.f
same small tern_small.f
same bridge tern_bridge.f
same link tern_link.f
exit $failed
