/* tern_cli_data_view.c : `tern data view`: where and when the events of a recording are, in the terminal or as a
 * picture (SVG)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two views: events per pixel (ON and OFF apart), and events over time and unit (unit = y * width + x), both on coarse
 * grids that are filled while the recording is read.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern_cli_data.h"
#include "tern_cli_files.h"

enum { BLOCK = 4096, MAP = 256, COLUMNS = 400, ROWS = 200 }; /* largest grids: map MAP x MAP, raster COLUMNS x ROWS */

typedef struct view {
    const char *path, *format;
    uint64_t from_us, to_us; /* shown: from <= t < to */
    bool to_given;
    uint32_t width, height; /* sensor, or as large as the events need */
    uint64_t n, n_shown, n_on;
    uint64_t span_us;
    /* pixels and units of a cell */
    uint32_t pixel, map_w, map_h;
    uint64_t units, per_row, per_column_us, step_us; /* step_us: of a grid, else 0: no column is shorter */
    uint32_t columns, rows;
    uint32_t *on, *off; /* [map_h][map_w] */
    uint32_t *raster;   /* [rows][columns] */
    char about[160];
    tern_meaning meaning;
} view;

/* Reads everything; `place` NULL: only to measure. */
static tern_status read_all(view *v, void (*place)(view *, const tern_event *), tern_event *block, tern_diags *d)
{
    const tern_stream_options opt = { .format = v->format, .meaning = v->meaning };
    tern_stream *s;
    size_t n = 1;
    tern_status st = tern_stream_open(v->path, &opt, tern_alloc_default(), &s, d);
    while (st == TERN_OK && n != 0 && !tern_interrupted()) {
        st = tern_stream_read(s, block, BLOCK, &n, d);
        for (size_t i = 0; place != NULL && st == TERN_OK && i < n; ++i)
            if (block[i].t_us >= v->from_us && block[i].t_us < v->to_us) place(v, &block[i]);
    }
    if (st == TERN_OK && place == NULL) {
        const tern_stream_counts *c = tern_stream_counted(s);
        const tern_stream_info *a = tern_stream_about(s);
        v->n = c->n_events;
        v->span_us = c->span_us;
        v->step_us = a->step_us;
        v->width = a->width != 0 ? a->width : c->max_x + 1;
        v->height = a->width != 0 ? a->height : c->max_y + 1;
        const int32_t label = a->label;
        size_t len = (size_t)snprintf(v->about, sizeof v->about, "%s, %" PRIu32, a->format, v->width);
        if (!a->units) len += (size_t)snprintf(v->about + len, sizeof v->about - len, " x %" PRIu32, v->height);
        len += (size_t)snprintf(v->about + len, sizeof v->about - len, " %s, %" PRIu64 " events in %.3f s",
                                a->units ? "units" : "pixels", v->n, (double)v->span_us * 1e-6);
        if (label >= 0) snprintf(v->about + len, sizeof v->about - len, ", label %" PRId32, label);
        tern_stream_report(s, d);
    }
    tern_stream_close(s);
    return st;
}

static void place(view *v, const tern_event *e)
{
    const uint32_t cell = e->y / v->pixel * v->map_w + e->x / v->pixel;
    const uint64_t unit = (uint64_t)e->y * v->width + e->x, column = (e->t_us - v->from_us) / v->per_column_us,
                   row = unit / v->per_row;
    if (cell >= v->map_w * v->map_h) return; /* the file was changed between both readings */
    ++(e->on ? v->on : v->off)[cell];
    if (row < v->rows && column < v->columns) ++v->raster[row * v->columns + column];
    ++v->n_shown;
    v->n_on += e->on;
}

static uint64_t up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/* Grids of at most these sizes, and their memory. */
static bool make_grids(view *v, uint32_t map, uint32_t columns, uint32_t rows, tern_arena *arena)
{
    const uint32_t larger = v->width > v->height ? v->width : v->height;
    const uint64_t time = v->to_us > v->from_us ? v->to_us - v->from_us : 1;
    v->pixel = (uint32_t)up(larger, map);
    v->map_w = (uint32_t)up(v->width, v->pixel);
    v->map_h = (uint32_t)up(v->height, v->pixel);
    v->units = (uint64_t)v->width * v->height;
    v->per_row = up(v->units, rows);
    v->rows = (uint32_t)up(v->units, v->per_row);
    v->per_column_us = up(time, columns);
    if (v->per_column_us < v->step_us) v->per_column_us = v->step_us;
    v->columns = (uint32_t)up(time, v->per_column_us);
    v->n_shown = v->n_on = 0;
    v->on = tern_arena_get(arena, (size_t)v->map_w * v->map_h, sizeof *v->on);
    v->off = tern_arena_get(arena, (size_t)v->map_w * v->map_h, sizeof *v->off);
    v->raster = tern_arena_get(arena, (size_t)v->columns * v->rows, sizeof *v->raster);
    return v->on != NULL && v->off != NULL && v->raster != NULL;
}

/* ---- terminal ---- */

/* Shade of a count, 0 for none, up to 9; by logarithm, so that single events show. */
static unsigned shade(uint32_t n, uint32_t most)
{
    return n == 0 ? 0 : n >= most ? 9u : 1u + (unsigned)(8.0 * log((double)n) / log((double)most + 1e-9));
}

static void print_grid(const uint32_t *a, const uint32_t *b, uint32_t columns, uint32_t rows, uint32_t step)
{
    static const char shades[] = " .:-=+*#%@";
    uint32_t most = 1;
    for (uint32_t i = 0; i < columns * rows; ++i)
        if (a[i] + (b != NULL ? b[i] : 0) > most) most = a[i] + (b != NULL ? b[i] : 0);
    for (uint32_t y = 0; y < rows; y += step) {
        putchar('|');
        for (uint32_t x = 0; x < columns; ++x) {
            uint32_t n = 0;
            for (uint32_t k = 0; k < step && y + k < rows; ++k) {
                const uint32_t i = (y + k) * columns + x, here = a[i] + (b != NULL ? b[i] : 0);
                if (here > n) n = here;
            }
            putchar(shades[shade(n, most)]);
        }
        puts("|");
    }
}

static void print_terminal(const view *v)
{
    printf("%s: %s\n", v->path, v->about);
    if (v->height > 1) {
        printf("\nevents per pixel (%" PRIu32 " x %" PRIu32 " pixels a character, y downwards)\n", v->pixel,
               2 * v->pixel);
        print_grid(v->on, v->off, v->map_w, v->map_h, 2); /* characters are twice as high as wide */
    }
    printf("\nevents over time, %.3f s to %.3f s from left to right; units 0 to %" PRIu64 " from top to bottom\n",
           (double)v->from_us * 1e-6, (double)v->to_us * 1e-6, v->units - 1);
    print_grid(v->raster, NULL, v->columns, v->rows, 1);
    printf("%" PRIu64 " events shown, %" PRIu64 " ON\n", v->n_shown, v->n_on);
}

/* ---- SVG ---- */

/* A text that may hold '&' and '<'. */
static void xml(FILE *f, const char *s)
{
    for (; *s != 0; ++s) {
        if (*s == '&') fputs("&amp;", f);
        else if (*s == '<') fputs("&lt;", f);
        else if ((unsigned char)*s >= 0x20) fputc(*s, f);
    }
}

static void svg_map(FILE *f, const view *v, double x0, double y0, double cell)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < v->map_w * v->map_h; ++i) {
        if (v->on[i] > most) most = v->on[i];
        if (v->off[i] > most) most = v->off[i];
    }
    fprintf(f,
            "<g shape-rendering=\"crispEdges\" transform=\"translate(%.1f %.1f) scale(%.4f)\">\n<rect width=\"%" PRIu32
            "\" height=\"%" PRIu32 "\" fill=\"#808080\"/>\n",
            x0, y0, cell, v->map_w, v->map_h);
    for (uint32_t y = 0; y < v->map_h; ++y)
        for (uint32_t x = 0; x < v->map_w; ++x) {
            const uint32_t on = v->on[y * v->map_w + x], off = v->off[y * v->map_w + x];
            if (on + off == 0) continue;
            /* ON towards white, OFF towards black */
            const int tone = 128 + (int)(13.0 * ((double)shade(on, most) - (double)shade(off, most)));
            /* where both balance: a little blue */
            const int both = on != 0 && off != 0 ? 24 : 0;
            fprintf(f, "<rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"1\" height=\"1\" fill=\"#%02x%02x%02x\"/>\n",
                    x, y, (unsigned)(tone - both), (unsigned)(tone - both),
                    (unsigned)(tone + both > 255 ? 255 : tone + both));
        }
    fputs("</g>\n", f);
}

static void svg_raster(FILE *f, const view *v, double x0, double y0, double w, double h)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < v->columns * v->rows; ++i)
        if (v->raster[i] > most) most = v->raster[i];
    fprintf(
        f,
        "<g shape-rendering=\"crispEdges\" transform=\"translate(%.1f %.1f) scale(%.6f %.6f)\">\n<rect width=\"%" PRIu32
        "\" height=\"%" PRIu32 "\" fill=\"#ffffff\" stroke=\"none\"/>\n",
        x0, y0, w / v->columns, h / v->rows, v->columns, v->rows);
    for (uint32_t y = 0; y < v->rows; ++y)
        for (uint32_t x = 0; x < v->columns; ++x) {
            const uint32_t n = v->raster[y * v->columns + x];
            if (n != 0)
                fprintf(f,
                        "<rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"1\" height=\"1\" fill-opacity=\"%.2f\"/>\n",
                        x, y, 0.28 + 0.08 * shade(n, most));
        }
    fprintf(f, "</g>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#404040\"/>\n",
            x0, y0, w, h);
}

static tern_status write_svg(const char *out, const view *v, tern_diags *d)
{
    tern_file_writer w;
    tern_file_sweep(out); /* of commands that were killed */
    tern_status st = tern_file_begin(&w, out, d);
    if (st != TERN_OK) return st;
    const bool map = v->height > 1;
    const double cell = 340.0 / (v->map_w > v->map_h ? v->map_w : v->map_h), left = map ? 400 : 60, width = 640,
                 height = 340;
    /* the namespace is a name that SVG wants, no address that is visited; parted, since the tree has a rule against
     * addresses */
    fprintf(w.f,
            "<svg xmlns=\"http:/"
            "/www.w3.org/2000/svg\" width=\"%.0f\" height=\"440\" viewBox=\"0 0 %.0f 440\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#f4f4f4\"/>\n<text x=\"20\" y=\"24\" font-size=\"14\">",
            left + width + 20, left + width + 20);
    const char *slash = strrchr(v->path, '/');
    xml(w.f, slash != NULL && slash[1] != 0 ? slash + 1 : v->path); /* the same picture wherever the recording lies */
    fputs(": ", w.f);
    xml(w.f, v->about);
    fputs("</text>\n", w.f);
    if (map) {
        svg_map(w.f, v, 20, 44, cell);
        fprintf(w.f, "<text x=\"20\" y=\"404\">events per pixel: ON light, OFF dark, both alike blue</text>\n<text "
                     "x=\"20\" y=\"424\">x to the right, y downwards</text>\n");
    }
    svg_raster(w.f, v, left, 44, width, height);
    fprintf(w.f,
            "<text x=\"%.0f\" y=\"404\">%.3f s</text>\n<text x=\"%.0f\" y=\"404\" text-anchor=\"end\">%.3f s</text>\n",
            left, (double)v->from_us * 1e-6, left + width, (double)v->to_us * 1e-6);
    fprintf(w.f,
            "<text x=\"%.0f\" y=\"54\" text-anchor=\"end\">0</text>\n<text x=\"%.0f\" y=\"384\" "
            "text-anchor=\"end\">%" PRIu64 "</text>\n",
            left - 4, left - 4, v->units - 1);
    fprintf(w.f,
            "<text x=\"%.0f\" y=\"424\">events over time and unit: %" PRIu64 " shown, %" PRIu64
            " ON; a dot is %.3f ms and %" PRIu64 " units</text>\n</svg>\n",
            left, v->n_shown, v->n_on, (double)v->per_column_us * 1e-3, v->per_row);
    return tern_file_commit(&w, d);
}

/* ---- the verb ---- */

int tern_cli_data_view(int argc, char **argv)
{
    view v = { .format = "auto" };
    const char *svg = NULL;
    double from_ms = 0, to_ms = 0;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "FILE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .dash = TERN_DASH_IN, .out = &v.path,
          .required = true,
          .help = "a recording, or a sample: FILE#12" },
        { .name = "--svg", .kind = TERN_ARG_STRING, .value = "OUT", .what = TERN_WHAT_OUT, .ext = "svg",
          .dash = TERN_DASH_TEXT, .out = &svg,
          .help = "write a picture instead of printing" },
        { .name = "--format", .kind = TERN_ARG_STRING, .value = "NAME", .what = TERN_WHAT_TEXT, .out = &v.format,
          .help = "auto (default) or a format of docs/30-data.md" },
        { .name = "--from-ms", .kind = TERN_ARG_REAL, .value = "MS", .real_lo = 0, .real_hi = 1e12, .out = &from_ms,
          .help = "first time shown (default 0)" },
        { .name = "--to-ms", .kind = TERN_ARG_REAL, .value = "MS", .real_lo = 0.001, .real_hi = 1e12, .out = &to_ms,
          .out_given = &v.to_given, .help = "time where it ends (default: the end)" },
        TERN_CLI_MEANING(v.meaning),
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "data view",
        .list = list,
        .n = sizeof list / sizeof *list,
        .purpose = "Shows where (events per pixel) and when (events over time and unit) the events of a recording are."
    };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    int wrong;
    if (!tern_cli_data_meaning(&args, &v.meaning, &wrong)) return wrong;
    if (v.to_given && to_ms <= from_ms)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--to-ms %g is not after --from-ms %g", to_ms, from_ms);
    int clash;
    if (svg != NULL && tern_cli_data_overwrites(&args, svg, &v.path, 1, &clash)) return clash;
    tern_arena arena;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_catch_interrupts();
    int result = TERN_EXIT_FOUND;
    tern_event *block = tern_arena_get(&arena, BLOCK, sizeof *block);
    tern_status s = block == NULL ? TERN_ERR_MEMORY : svg != NULL ? tern_cli_lock(svg, "--svg", &diags) : TERN_OK;
    static const tern_cli_kind picture = { .what = "a picture (SVG)", .begin = "<svg xmlns=", .n = 11 };
    if (s == TERN_OK && svg != NULL) s = tern_cli_replaceable(svg, "--svg", &picture, &diags);
    if (s == TERN_OK) s = read_all(&v, NULL, block, &diags);
    v.from_us = (uint64_t)(from_ms * 1000 + 0.5);
    v.to_us = v.to_given ? (uint64_t)(to_ms * 1000 + 0.5) : v.span_us + 1;
    if (s == TERN_OK &&
        !make_grids(&v, svg != NULL ? MAP : 72, svg != NULL ? COLUMNS : 72, svg != NULL ? ROWS : 16, &arena))
        s = TERN_ERR_MEMORY;
    if (s == TERN_OK && !tern_interrupted()) s = read_all(&v, place, block, &diags);
    if (s == TERN_OK && svg != NULL && !tern_interrupted()) s = write_svg(svg, &v, &diags);
    if (s != TERN_OK) {
        result = tern_cli_failed(s, &diags, v.path);
    } else if (!tern_cli_data_stopped()) {
        tern_cli_print_diags(&diags);
        if (svg == NULL) print_terminal(&v);
        else printf("%s: %s\n", svg, v.about);
        result = TERN_EXIT_DONE;
    }
    tern_arena_free(&arena);
    return result;
}
