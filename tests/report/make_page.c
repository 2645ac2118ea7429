/* make_page.c : for the browser's tests: a page with all that pages can hold, and with all that could make it too wide
 * SPDX-License-Identifier: Apache-2.0
 *
 *     make_page OUT.html       prints how many figures it has
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_page.h"

enum { N = 200, ROWS = 40, COLUMNS = 60, CELLS = 20, FIGURES = 10, NAMES = 40 };
static const char LONG[] = "a_name_without_any_blank_that_is_longer_than_a_telephone_is_wide_and_goes_on_for_a_while_/"
                           "and/has/a/path/in/it.aedat";

static tern_plot figure(const char *title, size_t n, const tern_plot_series *s)
{
    return (tern_plot){ .title = title,
                        .x_label = "processed steps",
                        .y_label = "log-loss, nats per step",
                        .n_series = n,
                        .series = s,
                        .x_min = NAN,
                        .x_max = NAN,
                        .y_min = NAN,
                        .y_max = NAN };
}

int main(int argc, char **argv)
{
    static double x[N], y[N], z[N], lo[N], hi[N], bar_x[15], bar_y[15], image[ROWS * COLUMNS];
    static const char *const columns[3] = { "filter 0", "1", "2" }, *rows[NAMES];
    static char row_names[NAMES][24];
    static double places[NAMES];
    if (argc != 2) return 2;
    for (int i = 0; i < N; ++i) {
        x[i] = 5000.0 * (i + 1);
        y[i] = 3 * exp(-i / 60.0) + 0.2 * sin(i);
        z[i] = 1e-6 * y[i];
        lo[i] = y[i] - 0.3;
        hi[i] = y[i] + 0.3;
    }
    for (int i = 0; i < 15; ++i) {
        bar_x[i] = (i + 0.5) / 15;
        bar_y[i] = i * i * 1000;
    }
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        image[i] = i % COLUMNS % 20 == 19 ? NAN : sin(i / COLUMNS * 0.2) * cos(i % COLUMNS * 0.3);
    const double level[1] = { 1 };
    const tern_plot_series line[3] = { { "mean of 20 <b>&", TERN_PLOT_LINE, 0, N, x, y, lo, hi },
                                       { LONG, TERN_PLOT_LINE, 1, N, x, y, NULL, NULL },
                                       { "chance", TERN_PLOT_LEVEL, -1, 1, NULL, level, NULL, NULL } };
    const tern_plot_series marked[2] = { { "observed", TERN_PLOT_MARKED, 0, 10, x, y, lo, hi },
                                         { "y = x", TERN_PLOT_DIAGONAL, -1, 0, NULL, NULL, NULL, NULL } };
    const tern_plot_series small[1] = { { "tiny numbers", TERN_PLOT_LINE, 2, N, x, z, NULL, NULL } };
    const tern_plot_series bars[2] = { { "right", TERN_PLOT_BARS, 0, 15, bar_x, bar_y, NULL, NULL },
                                       { "wrong", TERN_PLOT_BARS, 1, 15, bar_x, bar_x, NULL, NULL } };
    const tern_plot_series ticks[1] = { { NULL, TERN_PLOT_TICKS, 0, N, x, y, NULL, NULL } };
    tern_plot_series many[8];
    char names[8][16];
    for (int k = 0; k < 8; ++k) {
        snprintf(names[k], sizeof names[k], "K = %d", 1 << k);
        many[k] =
            (tern_plot_series){ names[k], k % 2 ? TERN_PLOT_MARKED : TERN_PLOT_LINE, k, 12, x, y + 10 * k, NULL, NULL };
    }
    tern_plot p[FIGURES] = { figure("Learning curve <x>", 3, line),
                             figure(LONG, 2, marked),
                             figure("Tiny", 1, small),
                             figure("Bars", 2, bars),
                             figure("Raster", 1, ticks),
                             figure("Eight", 8, many),
                             figure("Nothing", 0, NULL),
                             figure("Image", 0, NULL),
                             figure("Wide", 3, line),
                             figure("Logarithmic", 8, many) };
    p[7].rows = ROWS;
    p[7].columns = COLUMNS;
    p[7].image = image;
    for (int i = 0; i < NAMES; ++i) { /* more than have room */
        snprintf(row_names[i], sizeof row_names[i], i == 0 ? "a long name <1>" : "hid %d", i);
        rows[i] = row_names[i];
        places[i] = 0.1 * i;
    }
    p[4].n_y_names = NAMES;
    p[4].y_at = places;
    p[4].y_names = rows;
    p[7].n_row_names = NAMES;
    p[7].row_names = rows;
    p[7].n_column_names = 3;
    p[7].column_names = columns;
    p[8].width = 900;
    p[9].log_x = p[9].log_y = true;
    const char *cells[3 * CELLS];
    for (int i = 0; i < 3 * CELLS; ++i)
        cells[i] = i % CELLS == 0 ? LONG : i < CELLS ? "a heading" : i % 3 == 0 ? "yes" : "[0.123456, 0.234567]";
    tern_arena arena;
    tern_diags diags;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_page *page = tern_page_new(LONG, LONG, &arena);
    tern_page_section(page, "Text");
    tern_page_text(page, "%s", LONG);
    tern_page_code(page, LONG);
    tern_page_section(page, LONG);
    tern_page_table(page, 3, CELLS, cells, LONG);
    tern_page_facts(page, 3, cells, LONG);
    tern_page_section(page, "Figures");
    for (int i = 0; i < FIGURES; ++i)
        tern_page_figure(page, &p[i], i == 1 ? LONG : "What is to be seen, said <in> a sentence.");
    const tern_status s = tern_page_write(page, argv[1], &diags);
    for (size_t i = 0; i < diags.n; ++i) fprintf(stderr, "%d: %s\n", diags.list[i].code, diags.list[i].message);
    tern_arena_free(&arena);
    if (s == TERN_OK) printf("%d\n", FIGURES);
    return s == TERN_OK ? 0 : 1;
}
