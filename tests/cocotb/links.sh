#!/bin/sh
# links.sh : sourced by tests whose tools take no blanks, neither in names nor in TMPDIR
# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C

# enter_links TREE VENV WORK: empties WORK and goes to it; $links/tree, $links/venv and $links/work are names without
# blanks, wherever the three lie, until the script ends. The programs of VENV come first on the PATH.
enter_links() {
    rm -rf "$3"
    mkdir -p "$3"
    unset TMPDIR
    links=$(mktemp -d /tmp/tern-links.XXXXXX) || exit 1
    trap 'rm -rf "$links"' EXIT
    ln -s "$(cd "$1" && pwd)" "$links/tree" && ln -s "$2" "$links/venv" && ln -s "$3" "$links/work" &&
        cd "$links/work" || exit 1
    PATH=$links/venv/bin:$PATH
    export PATH
}
