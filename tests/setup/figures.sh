#!/bin/sh
# Figures of syntheses, boards and cycles in the pages are those of docs/figures/figures.txt.
#     sh figures.sh check ROOT     every marked place has its figure, every name is known and used, and no figure
#                                  stands unmarked in a page
#     sh figures.sh fill ROOT      writes the figures into the marked places
# A marked place: <!-- figure:NAME -->value<!-- / -->, which nobody sees.
# Exit status 0: so it is, or done; 1: not, every place is listed; 2: wrong usage.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
usage() { echo "usage: figures.sh check|fill ROOT" >&2; exit 2; }
[ $# -eq 2 ] || usage
case $1 in check|fill) ;; *) usage ;; esac
what=$1
cd "$2"
pages='README.md docs/02-results.md docs/34-cosim.md tests/bench/README.md docs/31-blocks.md docs/37-synthesis.md docs/43-small-core.md docs/44-resident.md'
pages="$pages $(echo docs/boards/*.md)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# walk PAGE OUT: prints what is wrong; OUT gets the page with its figures
walk() {
    awk -v out="$2" -v page="$1" -v used="$work/used" -v open_mark='<!-- figure:' -v close_mark='<!-- / -->' '
        NR == FNR {
            if ($0 ~ /^#/ || $0 == "") next
            n = split($0, cell, / *\| */)
            if (n != 5) print "docs/figures/figures.txt:" FNR ": not five columns"
            if (cell[1] in value) print "docs/figures/figures.txt:" FNR ": a second " cell[1]
            value[cell[1]] = cell[2]
            next
        }
        {
            rest = $0; done = ""; bare = ""
            while ((at = index(rest, open_mark)) > 0) {
                bare = bare substr(rest, 1, at - 1) " "
                done = done substr(rest, 1, at - 1)
                rest = substr(rest, at + length(open_mark))
                to = index(rest, " -->"); name = substr(rest, 1, to - 1); rest = substr(rest, to + 4)
                end = index(rest, close_mark)
                if (to == 0 || end == 0) { print page ":" FNR ": a mark is not closed"; end = 1 }
                found = substr(rest, 1, end - 1); rest = substr(rest, end + length(close_mark))
                if (!(name in value)) print page ":" FNR ": no figure is called " name
                else if (found != value[name]) print page ":" FNR ": " name " is " value[name] ", not " found
                print name >used
                done = done open_mark name " -->" (name in value ? value[name] : found) close_mark
            }
            bare = bare rest
            # numbers of four digits and more are known by themselves; shorter ones may mean something else
            for (name in value)
                if (value[name] ~ /^[0-9]+,[0-9][0-9][0-9]$/ && (" " bare " ") ~ ("[^0-9,]" value[name] "[^0-9,]"))
                    print page ":" FNR ": " value[name] " (" name ") is not marked"
            print done rest >out
        }' docs/figures/figures.txt "$1"
}
: >"$work/used"
found=$(
    for page in $pages; do
        : >"$work/used"
        walk "$page" "$work/page"
        cat "$work/used" >>"$work/all"
        [ "$what" = check ] || cmp -s "$work/page" "$page" || cat "$work/page" >"$page"
    done
    sed -n '/^#/d; s/^\([^ |]*\) *|.*/\1/p' docs/figures/figures.txt | sort >"$work/names"
    sort -u "$work/all" | comm -23 "$work/names" - | sed 's/^/docs\/figures\/figures.txt: no page has /'
)
[ "$what" = check ] || { echo "figures are filled in"; exit 0; }
if [ -n "$found" ]; then
    printf 'lint.figures:\n%s\n' "$found"
    exit 1
fi
echo "$(wc -l <"$work/all") marked places, $(wc -l <"$work/names") figures"
