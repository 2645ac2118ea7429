/* tern_plot.c : see tern_plot.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>
#include "tern_plot_internal.h"
#include "tern_errors.h"

static bool is_image(const tern_plot *p) { return p->rows != 0 && p->columns != 0; }

static const char *keep(tern_text *t, tern_arena *arena)
{
    return t->failed || t->data == NULL ? NULL : tern_arena_strdup(arena, t->data);
}

/* Gnuplot's output is one document after the other; each belongs to the next figure that is not an image. */
static tern_status deal_out(const tern_text *drawn, const tern_plot *plots, size_t n, tern_arena *arena,
                            const char **out_svg, tern_diags *diags)
{
    static const char head[] = "<?xml", tail[] = "</svg>";
    const char *p = drawn->data != NULL ? drawn->data : "";
    size_t found = 0, wanted = 0;
    for (size_t i = 0; i < n; ++i) {
        if (is_image(&plots[i])) continue;
        ++wanted;
        const char *begin = strstr(p, head), *end = begin == NULL ? NULL : strstr(begin, tail);
        if (end == NULL) continue;
        p = end + strlen(tail);
        tern_text clean;
        tern_text_init(&clean, drawn->alloc);
        tern_plot_clean(begin, (size_t)(p - begin), &clean);
        out_svg[i] = keep(&clean, arena);
        tern_text_free(&clean);
        if (out_svg[i] == NULL) return TERN_ERR_MEMORY;
        ++found;
    }
    if (found == wanted && strstr(p, tail) == NULL) return TERN_OK;
    tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_GNUPLOT_FAILED, NULL, 0, NULL,
                   "gnuplot drew %s figures than the %zu it was given", found < wanted ? "fewer" : "more", wanted);
    return TERN_ERR_TOOL;
}

tern_status tern_plot_svg(const tern_plot *plots, size_t n, tern_arena *arena, const char **out_svg, tern_diags *diags)
{
    tern_text script, drawn;
    tern_text_init(&script, arena->alloc);
    tern_text_init(&drawn, arena->alloc);
    tern_status s = TERN_OK;
    bool any = false;
    for (size_t i = 0; i < n && s == TERN_OK; ++i) {
        out_svg[i] = NULL;
        if (!is_image(&plots[i])) {
            any = true;
            tern_plot_script(&plots[i], &script);
            continue;
        }
        tern_text image;
        tern_text_init(&image, arena->alloc);
        tern_plot_image(&plots[i], &image);
        out_svg[i] = keep(&image, arena);
        tern_text_free(&image);
        if (out_svg[i] == NULL) s = TERN_ERR_MEMORY;
    }
    if (s == TERN_OK && script.failed) s = TERN_ERR_MEMORY;
    if (s == TERN_OK && any) s = tern_plot_run(&script, TERN_PLOT_LIMIT_S, &drawn, diags);
    if (s == TERN_OK && any) s = deal_out(&drawn, plots, n, arena, out_svg, diags);
    tern_text_free(&script);
    tern_text_free(&drawn);
    return s;
}
