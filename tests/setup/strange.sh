#!/bin/sh
# strange.sh : ./demo, a part of ./check or all of it, of a fresh clone where the world is different: a folder with
# blanks, core.autocrlf, a locale with a decimal comma, a user without home folder (root becomes nobody), temporary
# files in a folder with blanks
#     sh strange.sh demo|check|all ROOT
# Needs a git checkout; takes what a first build takes.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 2 ] || { echo "usage: strange.sh demo|check|all ROOT" >&2; exit 2; }
what=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
place="$work/a folder/tern tree"
mkdir -p "$work/a folder"
git clone -q -c core.autocrlf=true "file://$root" "$place"
sh "$root/tests/setup/comma_locale.sh" "$work/locale"
become=
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$work"
    chown -R nobody "$work/a folder"
    become="setpriv --reuid nobody --regid nogroup --clear-groups"
fi
strange() {
    # shellcheck disable=SC2086 # several words
    (cd "$place" && $become env -i PATH="$PATH" HOME=/nonexistent LOCPATH="$work/locale" LC_ALL=de_DE \
        TMPDIR="$work/a folder" "$@" </dev/null)
}
case $what in
demo)
    strange ./demo --yes >"$work/log" 2>&1 || { tail -n 40 "$work/log"; echo "FAILED: ./demo"; exit 1; }
    grep -E 'right answers|log-loss per step' "$work/log"
    grep -qE 'right answers +[0-9]+ % +9[0-9] %' "$work/log" &&
        grep -qE 'log-loss per step +[0-9]+[.][0-9]+ +0[.][0-9]+' "$work/log" ||
        { echo "FAILED: what ./demo shows"; exit 1; } ;;
check)
    strange env TERN_CMAKE_OPTIONS=-DTERN_TEST_COSIM=OFF ./check --yes -- -LE slow \
        -R '^(lint|unit|data|cli|setup|lua|emit)[.]' >"$work/log" 2>&1 ||
        { tail -n 80 "$work/log"; echo "FAILED: ./check"; exit 1; }
    grep 'tests passed' "$work/log" ;;
all)
    strange ./check --yes >"$work/log" 2>&1 || { tail -n 80 "$work/log"; echo "FAILED: ./check"; exit 1; }
    grep 'tests passed' "$work/log" ;;
*) echo "strange.sh: demo, check or all" >&2; exit 2 ;;
esac
