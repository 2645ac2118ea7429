#!/bin/sh
# Draws the layers and what each uses, from the list that CMake writes.
#     sh docs/figures/layers.sh build/layers.txt docs/figures/layers.svg             writes the drawing
#     sh docs/figures/layers.sh build/layers.txt --check docs/figures/layers.svg     compares
# A layer stands above all that it uses; lines go to those that are not reached through another one.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 2 ] || { [ $# -eq 3 ] && [ "$2" = --check ]; } || { echo "usage: layers.sh LAYERS.TXT [--check] OUT.svg" >&2; exit 2; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
w3=http:/"/www.w3.org" # a name of XML, not an address
awk -v w3="$w3" '
    function reaches(a, b,  i, n, part) { # b is used by a, directly or not
        n = split(uses[a], part, " ")
        for (i = 1; i <= n; ++i) if (part[i] == b || reaches(part[i], b)) return 1
        return 0
    }
    function label(k) { return folder[k] ~ ("/" k "$") ? folder[k] : folder[k] ": " k }
    { name[++n] = $1; folder[$1] = $2; level[$1] = 0; uses[$1] = ""
      for (i = 3; i <= NF; ++i) if ($i in level) {
          uses[$1] = uses[$1] " " $i
          if (level[$i] >= level[$1]) level[$1] = level[$i] + 1
      }
      if (level[$1] > top) top = level[$1]
      at[$1] = count[level[$1]]++ }
    END {
        W = 142; H = 40; GX = 16; GY = 56; width = 900; height = (top + 1) * (H + GY) + 24
        for (i = 1; i <= n; ++i) {
            k = name[i]; c = count[level[k]]
            x[k] = width / 2 + (at[k] - (c - 1) / 2) * (W + GX) - W / 2
            y[k] = height - 12 - H - level[k] * (H + GY)
        }
        printf "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" ", width, height, width, height
        printf "xmlns=\"%s/2000/svg\">\n<title>The layers of Tern</title>\n", w3
        print "<desc>GENERATED FILE - do not edit. Command: sh docs/figures/layers.sh build/layers.txt docs/figures/layers.svg</desc>"
        print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<g stroke=\"#8899aa\" stroke-width=\"1\" fill=\"none\">"
        for (i = 1; i <= n; ++i) {
            m = split(uses[name[i]], part, " ")
            for (j = 1; j <= m; ++j) {
                direct = 1
                for (l = 1; l <= m; ++l) if (l != j && reaches(part[l], part[j])) direct = 0
                if (direct) printf "<path d=\"M%.0f,%.0f C%.0f,%.0f %.0f,%.0f %.0f,%.0f\"/>\n", x[name[i]] + W / 2, y[name[i]] + H, x[name[i]] + W / 2, y[name[i]] + H + 28, \
                    x[part[j]] + W / 2, y[part[j]] - 28, x[part[j]] + W / 2, y[part[j]]
            }
        }
        print "</g>\n<g font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">"
        colour["runtime"] = "#d7e8f7"; colour["compiler"] = "#dff0d8"; colour["sim"] = "#fcebcf"; colour["cli"] = "#f2dede"
        for (i = 1; i <= n; ++i) {
            k = name[i]; group = folder[k]; sub(/\/.*/, "", group)
            printf "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\" stroke=\"#556677\"/>", x[k], y[k], W, H, (group in colour) ? colour[group] : "#eeeeee"
            printf "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x[k] + W / 2, y[k] + H / 2 + 5, label(k)
        }
        print "</g>\n</svg>"
    }' "$1" >"$new"
if [ "$2" = --check ]; then
    cmp "$3" "$new" || { echo "draw it again: sh docs/figures/layers.sh build/layers.txt docs/figures/layers.svg" >&2; exit 1; }
else
    cat "$new" >"$2"
fi
