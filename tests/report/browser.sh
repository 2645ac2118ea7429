#!/bin/sh
# browser.sh PAGE.html FIGURES : opens a page in headless Chromium, 375 and 1200 pixels wide: every figure decoded and whole, nothing wider than the page, no complaints.
# $TERN_SCREENSHOTS, a folder: pictures of it are left there. $TERN_BROWSER_FIRST=1: it ends with the first fault.
# Exit status 0: so it is; 1: not, every fault is listed; 2: wrong usage; 77: no Chromium.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -eq 2 ] && [ -f "$1" ] || { echo "usage: browser.sh PAGE.html FIGURES" >&2; exit 2; }
command -v chromium >/dev/null || { echo "SKIP: needs chromium"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 143' TERM INT
cp "$1" "$dir/page.html" && cp "$here/reader.html" "$dir/" || exit 1
browser() { timeout 600 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-extensions --no-first-run --user-data-dir="$dir/profile" --enable-logging=stderr "$@"; }
failed=0
for width in 375 1200; do
    browser --allow-file-access-from-files --virtual-time-budget=60000 --window-size=1400,2200 --dump-dom "file://$dir/reader.html?page.html&$width&$2" >"$dir/dom" 2>"$dir/log"
    sed -n '/<pre id="answer">/,/<\/pre>/p' "$dir/dom" | sed 's/<[^>]*>//g' | grep -v '^$' >"$dir/answer"
    if [ "$(cat "$dir/answer")" != "checked $2 figures" ]; then
        failed=1
        echo "$1, $width pixels:"
        cat "$dir/answer"
        [ -s "$dir/answer" ] || cat "$dir/log"
    fi
    # what a page does wrong stands on the console
    if grep CONSOLE "$dir/log"; then failed=1; fi
    [ "$failed" -eq 0 ] || [ "${TERN_BROWSER_FIRST:-}" != 1 ] || exit 1
done
# by itself, as a reader opens it
browser --dump-dom "file://$dir/page.html" >"$dir/dom" 2>"$dir/log"
if grep CONSOLE "$dir/log"; then failed=1; fi
grep -q '</html>' "$dir/dom" || { echo "$1: cannot be opened"; cat "$dir/log"; failed=1; }
if [ -n "${TERN_SCREENSHOTS:-}" ]; then
    # a window has at least 500 pixels: the narrow page is shown in a frame
    printf '<!DOCTYPE html><body style="margin:0"><iframe style="border:0;width:375px;height:9000px" src="page.html"></iframe>' >"$dir/narrow.html"
    browser --hide-scrollbars --window-size=500,9000 --screenshot="$TERN_SCREENSHOTS/375.png" "file://$dir/narrow.html" 2>/dev/null
    browser --hide-scrollbars --window-size=1200,7000 --screenshot="$TERN_SCREENSHOTS/1200.png" "file://$dir/page.html" 2>/dev/null
fi
exit "$failed"
