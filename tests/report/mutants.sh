#!/bin/sh
# mutants.sh CC INCLUDES LIBRARIES [NAME] : plants one mistake after the other into copies of runtime/report and of the report's sums, builds the tests with them and demands that one fails
# INCLUDES: folders of headers, joined by colons; LIBRARIES: Tern's archives, joined by semicolons; NAME: only this mistake.
# Exit status 0: every mistake was noticed; 1: not; 77: a tool is missing.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
cc=$1 only=${4:-}
for tool in gnuplot chromium; do command -v $tool >/dev/null || { echo "SKIP: needs $tool"; exit 77; }; done
root=$(cd "$(dirname "$0")/../.." && pwd)
unset TMPDIR # compilers get lists of names without blanks, wherever the folders lie
dir=$(mktemp -d) || exit 1
ln -s "$root" "$dir/tern"
plain() { printf %s "$1" | sed "s|$root|$dir/tern|g"; }
trap 'rm -rf "$dir"' EXIT
trap 'exit 143' TERM INT
failed=0 n=0
# a mistake is seen at the first thing that is wrong, and a wait that is too long after 4 s
export TERN_BROWSER_FIRST=1 TERN_TEST_LATE_S=4
flags="-std=gnu11 -O1 -I$dir/report -I$dir/cli -I$dir/tern/tests -I$(plain "$2" | sed 's/:/ -I/g')"
libraries="-Wl,--start-group $(plain "$3" | tr ';' ' ') -Wl,--end-group"
# An object is made once for each text of a source: a mistake changes one of them.
build_one() { # OUT SOURCES...
    out=$1 objects=''
    shift
    mkdir -p "$dir/objects"
    for source in "$@" "$dir"/report/*.c; do
        object=$dir/objects/$(cksum <"$source" | tr ' ' _)_$(basename "$source" .c).o
        # shellcheck disable=SC2086
        [ -f "$object" ] || $cc $flags ${TERN_MUTANT_CFLAGS:-} -c -o "$object" "$source" >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
        objects="$objects $object"
    done
    # shellcheck disable=SC2046,SC2086
    $cc ${TERN_MUTANT_CFLAGS:-} -o "$dir/$out" $objects $libraries $(pkg-config --libs lua5.4 nettle jansson zlib) -lm >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
}
tests() { # TEST: 0 when it passes
    case $1 in
    plot:*) build_one plot "$root/tests/report/test_tern_plot.c" && (cd "$dir" && timeout 600 ./plot "${1#plot:}") ;;
    page) build_one page "$root/tests/report/test_tern_page.c" && timeout 600 "$dir/page" ;;
    sums) build_one sums "$root/tests/report/test_tern_report.c" "$dir/cli/tern_cli_report_parts.c" && timeout 600 "$dir/sums" ;;
    browser) build_one make_page "$root/tests/report/make_page.c" && sh "$root/tests/report/page_browser.sh" "$dir/make_page" ;;
    esac
}
fresh() {
    rm -rf "$dir/report" "$dir/cli"
    cp -r "$root/runtime/report" "$dir/report" && mkdir "$dir/cli" && cp "$root"/cli/report/*.h "$root/cli/report/tern_cli_report_parts.c" "$dir/cli/"
}
# mutant NAME TEST FILE SED: the test must be built, run and fail with a message of its own
mutant() {
    [ -z "$only" ] || [ "$only" = "$1" ] || return 0
    n=$((n + 1))
    fresh
    sed "$4" "$dir/$3" >"$dir/changed"
    if cmp -s "$dir/changed" "$dir/$3"; then echo "FAILED: $1: the place to change is not there"; failed=1; return; fi
    mv "$dir/changed" "$dir/$3"
    tests "$2" >"$dir/said" 2>&1
    status=$?
    if [ "$status" -eq 0 ]; then echo "FAILED: $1: the tests of '$2' notice nothing"; failed=1
    elif [ "$status" -eq 141 ]; then echo "noticed: $1: ended by SIGPIPE"
    elif grep -qE 'FAILED:|[0-9]+ of [0-9]+ checks failed|pixels:|CONSOLE' "$dir/said"; then echo "noticed: $1: $(grep -m1 -E 'FAILED:|cut off|figure [0-9]|wide in|sticks|nowhere' "$dir/said" | cut -c1-150 | sed "s|$root/||; s|$dir/||")"
    else echo "FAILED: $1: ended without a message, status $status"; cat "$dir/said"; failed=1; fi
}

# without a mistake the tests pass: only then do failures tell something
if [ -z "$only" ]; then
    fresh
    for t in plot:left_out page sums browser; do tests $t >"$dir/said" 2>&1 || { echo "FAILED: the tests of '$t' fail without any mistake"; cat "$dir/said"; exit 1; }; done
fi
mutant unescaped_less_than page report/tern_text.c "s/case '<': .*/case '<': tern_text_add(t, \"<\"); break;/"
mutant unescaped_ampersand page report/tern_text.c "s/case '&': .*/case '\&': tern_text_add(t, \"\&\"); break;/"
mutant unescaped_quote page report/tern_text.c "s/case '\"': .*/case '\"': tern_text_add(t, \"\\\\\"\"); break;/"
mutant gnuplot_sees_quotes plot:hostile report/tern_plot_script.c "s/const bool plain = code == ' '/const bool plain = code == ' ' || code == 39/"
mutant drawing_not_cleaned plot:hostile report/tern_plot_script.c 's/if (moved(code)) {/if (0) {/'
mutant hidden_private_characters plot:hostile report/tern_plot_script.c 's/if (moved(code) ||/if (/'
mutant version_in_drawing plot:hostile report/tern_plot_script.c 's/{ "<desc>", "<\/desc>" }/{ "<other>", "<\/other>" }/'
mutant points_with_nan plot:left_out report/tern_plot_script.c 's/return fabs(v) <= LARGEST/return !(fabs(v) > LARGEST)/'
mutant extremes_thinned_away plot:many report/tern_plot_script.c 's/if (inner\[k\] != keep\[n - 1\])/if (0)/'
mutant unbounded_marks plot:many report/tern_plot_script.c 's/MARK_POINTS = 2000/MARK_POINTS = 200000/'
mutant level_at_another_height plot:places report/tern_plot_script.c 's/{ x->lo, s->y\[0\], x->hi, s->y\[0\] }/{ x->lo, s->y[0], x->hi, y->hi }/'
mutant start_up_file_read plot:same report/tern_plot_run.c 's/defaults\[\] = "-d"/defaults[] = "-p"/'
mutant no_time_limit plot:gnuplot report/tern_plot_run.c 's/begin(&patience, limit_s)/begin(\&patience, limit_s + 9)/'
mutant signal_on_closed_input plot:gnuplot report/tern_plot_run.c 's/, MSG_NOSIGNAL)/, 0)/'
mutant status_ignored plot:gnuplot report/tern_plot_run.c 's/} else if (status != 0 || out->n/} else if (out->n/'
mutant colours_swapped plot:images report/tern_plot_image.c 's/i < ZERO ? negative\[c\] : positive\[c\]/i < ZERO ? positive[c] : negative[c]/'
mutant image_upside_down plot:images report/tern_plot_image.c 's/strongest(p, r, c, f)/strongest(p, rows - 1 - r, c, f)/'
mutant one_pixel_lost plot:images report/tern_plot_image.c 's/if (fabs(v) <= LARGEST \&\& !(fabs(v) <= fabs(best))) best = v;/best = v;/'
mutant missing_figure page report/tern_page.c 's/if (q->kind == PART_FIGURE) put_figure(q, svg\[figure++\], out);/if (q->kind == PART_FIGURE) { if (figure++ != 3) put_figure(q, svg[figure - 1], out); }/'
mutant figures_mixed_up page report/tern_page.c 's/put_figure(q, svg\[figure++\], out)/put_figure(q, svg[p->n_figures - 1 - figure++], out)/'
mutant no_alternative_text page report/tern_page.c 's/tern_text_add(out, "\\" alt=\\"");/tern_text_add(out, "\\" title=\\"");/'
mutant verdict_not_coloured page report/tern_page.c 's/strcmp(s, "no") == 0/0/'
mutant memory_ignored page report/tern_text.c 's/if (data == NULL) {/if (0) {/; s/t->data = data;/if (data == NULL) return false; t->data = data;/'
mutant wrong_bin sums cli/tern_cli_report_parts.c 's/const tern_bin \*b = &c->bins\[m\];/const tern_bin *b = \&c->bins[m == 0 ? c->n_bins - 1 : m - 1];/'
mutant middle_of_the_bin sums cli/tern_cli_report_parts.c 's/x\[n\] = b->confidence \/ (double)b->n;/x[n] = (m + 0.5) \/ c->n_bins;/'
mutant interval_swapped sums cli/tern_cli_report_parts.c 's/lo\[n\] = w.lo;/lo[n] = w.hi;/'
mutant wrong_edge sums cli/tern_cli_report_parts.c 's/(size_t)ceil(v\[i\] \/ most \* (double)bins) - 1;/(size_t)(v[i] \/ most * (double)bins);/'
mutant mean_of_one_more sums cli/tern_cli_report_parts.c 's/i + 1 < window ? 0 : i + 1 - window/i < window ? 0 : i - window/'
mutant damaged_figure browser report/tern_page.c 's/tern_text_base64(out, (const unsigned char \*)svg, strlen(svg));/tern_text_base64(out, (const unsigned char *)svg + 60, strlen(svg) - 60);/'
mutant table_without_box browser report/tern_page.c 's/\.scroll{overflow-x:auto;/.scroll{/'
mutant figure_wider_than_phone browser report/tern_page.c 's/figure img{display:block;width:100%;/figure img{display:block;min-width:420px;/'
mutant title_cut_off browser report/tern_plot_script.c 's/put_text(out, p->title, across)/put_text(out, p->title, 200)/'
mutant names_on_each_other browser report/tern_plot_image.c 's/i < p->n_row_names; i += every/i < p->n_row_names; ++i/'
mutant names_on_the_axis_on_each_other browser report/tern_plot_script.c 's/for (size_t i = 0; i < n; i += every) {/for (size_t i = 0; i < n; i += every > 0) {/'
mutant style_refused browser report/tern_page.c "s/style-src 'unsafe-inline'/style-src 'self'/"
mutant link_to_nowhere browser report/tern_page.c 's/<h2 id=\\"s%zu\\">/<h2 id=\\"x%zu\\">/'
[ "$n" -gt 0 ] || { echo "FAILED: no mistake of this name"; exit 1; }
[ "$failed" -eq 0 ] && echo "$n mistakes, all noticed"
exit "$failed"
