#!/bin/sh
# MkDocs builds the pages without a warning, and not with a broken link; every page, picture and heading that is linked is there.
#     sh site.sh ROOT MKDOCS
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$(cd "$1" && pwd) mkdocs=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
fail() { echo "docs.site: $*" >&2; exit 1; }
mkdir "$work/tree"
cd "$root"
for part in mkdocs.yml README.md CONTRIBUTING.md LICENSE NOTICE docs models tests runtime cli cmake rtl compiler sim; do
    if [ -e "$part" ]; then cp -R "$part" "$work/tree/"; fi
done
cd "$work/tree"
for page in docs/*.md models/*/README.md; do
    grep -qF ": $page" mkdocs.yml || fail "mkdocs.yml: no line for $page in the navigation"
done
build() { LC_ALL=C.UTF-8 "$mkdocs" build --strict --site-dir "$work/site" >"$work/out" 2>&1; }
build || { cat "$work/out" >&2; fail "MkDocs reports the lines above"; }
for page in index docs/00-overview docs/21-numerics models/digits2/index; do
    [ -s "$work/site/$page.html" ] || fail "no page $page.html"
done
[ "$(find "$work/site" -name '*.html' | wc -l)" -gt "$(find docs models -name '*.md' | wc -l)" ] || fail "pages are missing"
[ -s "$work/site/search/search_index.json" ] || fail "no search index"
cmp -s docs/figures/digits2.svg "$work/site/docs/figures/digits2.svg" || fail "the picture of the README is missing"
grep -q '<table>\|<table ' "$work/site/docs/10-language.html" || fail "tables are not tables"
grep -q '<li>' "$work/site/docs/00-overview.html" || fail "lists are not lists"
# anchors: each #name of a link within the site is the id of an element there
cd "$work/site"
find . -name '*.html' | while read -r page; do
    { grep -o 'href="[^":]*#[^"]*"' "$page" || true; } | sed 's/^href="//; s/"$//' | sort -u | while read -r link; do
        file=${link%%#*} name=${link#*#}
        case $name in '') continue ;; esac
        if [ -z "$file" ]; then file=$page; else file=$(dirname "$page")/$file; fi
        grep -qF "id=\"$name\"" "$file" 2>/dev/null || echo "$page: $link"
    done
done >"$work/broken"
[ ! -s "$work/broken" ] || { cat "$work/broken" >&2; fail "links to headings that are not there"; }
cd "$work/tree"
echo '[nowhere](docs/nowhere.md)' >>README.md
build && fail "a broken link is not reported"
grep -q nowhere "$work/out" || fail "the broken link is not named"
echo "$(find "$work/site" -name '*.html' | wc -l) pages"
