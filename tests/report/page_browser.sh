#!/bin/sh
# page_browser.sh MAKE_PAGE : a page made of everything that pages can hold
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
for tool in gnuplot chromium; do command -v $tool >/dev/null || { echo "SKIP: needs $tool"; exit 77; }; done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 143' TERM INT
figures=$("$1" "$dir/page.html") || exit 1
sh "$(dirname "$0")/browser.sh" "$dir/page.html" "$figures"
