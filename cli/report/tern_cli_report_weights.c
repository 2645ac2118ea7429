/* tern_cli_report_weights.c : the part of a report about what was learnt: weights as images, their histogram, biases
 * and self-memories
 * SPDX-License-Identifier: Apache-2.0
 *
 * Images are made of tiles. A tile is one plane of an input population, seen through one filter by one neuron.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern_cli_report.h"

enum {
    ACROSS = 4,
    GAP_SHARE = 16,
    BINS = 60,
    FIGURES_MAX = 96,
    CELLS_MAX = 400000,
    ROWS_SHOWN = 32,
    LOCAL_POINTS = 65535
};

static int16_t weight_at(const tern_model *m, uint32_t i)
{
    return m->state != NULL ? m->state->weights[i] : m->net.weights0[i];
}
static double real_weight(const tern_model *m, int16_t w) { return ldexp(w, -(int)m->net.weight_frac); }
static bool is_input(const tern_population *p) { return p->kind == TERN_POP_INPUT; }

/* Weights of one neuron from a population: w[filter][unit], NAN where there is no synapse. Marks the filters it uses;
 * false: it has no such synapse. */
static bool collect(const tern_model *m, const tern_population *from, uint32_t neuron, double *w, bool *used)
{
    const tern_neuron *n = &m->net.neurons[neuron];
    bool any = false;
    for (size_t i = 0; i < (size_t)m->net.n_filters * from->size; ++i) w[i] = NAN;
    for (uint32_t k = 0; k < n->n_rows; ++k) {
        const tern_row *row = &m->net.rows[n->row0 + k];
        if ((row->kind == TERN_ROW_SHARED) != is_input(from)) continue;
        for (uint32_t i = 0; i < row->count; ++i) {
            const uint32_t pos = row->first + i;
            if (pos < from->pos || pos - from->pos >= from->size ||
                m->net.weights0[row->weight + i] == TERN_WEIGHT_ABSENT)
                continue;
            w[(size_t)row->filter * from->size + (pos - from->pos)] = real_weight(m, weight_at(m, row->weight + i));
            used[row->filter] = any = true;
        }
    }
    return any;
}

/* What a spike adds to the potential in all: over its filters, weight times the sum of the filter. */
static void total_effect(const tern_model *m, const tern_population *from, const double *w, double *out)
{
    for (uint32_t u = 0; u < from->size; ++u) out[u] = NAN;
    for (unsigned f = 0; f < m->net.n_filters; ++f) {
        double sum = 0;
        for (unsigned t = 0; t < m->net.taps_d; ++t)
            sum += ldexp(m->net.filter_taps[f * m->net.taps_d + t], -(int)m->net.trace_frac);
        for (uint32_t u = 0; u < from->size; ++u) {
            const double x = w[(size_t)f * from->size + u];
            if (!isnan(x)) out[u] = (isnan(out[u]) ? 0 : out[u]) + x * sum;
        }
    }
}

/* ---- sheets of tiles ---------------------------------------------------------------------------------- */

typedef struct sheet {
    tern_report *r;
    const char *title, *caption, *x_label;
    size_t rows, columns, across, n; /* of a tile; tiles beside each other; tiles so far */
    double *image;
    const char **names; /* [across] */
    size_t down, gap;   /* rows of tiles; cells between tiles */
} sheet;

static size_t sheet_width(const sheet *s) { return s->across * (s->columns + s->gap) - s->gap; }
static size_t sheet_height(const sheet *s) { return s->down * (s->rows + s->gap) - s->gap; }

static bool sheet_begin(sheet *s, size_t tiles)
{
    s->across = tiles < ACROSS ? tiles : ACROSS;
    s->down = (tiles + s->across - 1) / s->across;
    s->n = 0;
    s->gap = 1 + s->columns / GAP_SHARE;
    s->image = tern_report_numbers(s->r, sheet_width(s) * sheet_height(s));
    s->names = tern_arena_get(&s->r->arena, s->across, sizeof *s->names);
    if (s->image == NULL || s->names == NULL) {
        s->r->failed = true;
        return false;
    }
    for (size_t i = 0; i < sheet_width(s) * sheet_height(s); ++i) s->image[i] = NAN;
    return true;
}

static void sheet_add(sheet *s, const double *values, const char *name)
{
    const size_t top = s->n / s->across * (s->rows + s->gap), left = s->n % s->across * (s->columns + s->gap),
                 width = sheet_width(s);
    for (size_t y = 0; y < s->rows; ++y)
        memcpy(s->image + (top + y) * width + left, values + y * s->columns, s->columns * sizeof *values);
    if (s->n < s->across) s->names[s->n] = name;
    ++s->n;
}

static void sheet_end(sheet *s, double limit)
{
    if (s->n == 0) return;
    tern_plot *p = tern_report_figure(s->r, s->title, s->x_label, NULL, s->caption);
    if (p == NULL) return;
    p->rows = sheet_height(s);
    p->columns = sheet_width(s);
    p->image = s->image;
    p->image_limit = limit;
    if (s->down == 1) {
        p->n_column_names = s->across;
        p->column_names = s->names;
    }
}

/* ---- images of an input population with a shape --------------------------------------------------------- */

/* Hidden neurons first: they are what training invents. */
static uint32_t neurons_in_order(const tern_model *m, uint32_t *out)
{
    uint32_t n = 0;
    for (int hidden = 1; hidden >= 0; --hidden)
        for (uint32_t i = 0; i < m->net.n_neurons; ++i)
            if ((i >= m->net.n_visible) == (hidden == 1)) out[n++] = i;
    return n;
}

static const char *neuron_name(tern_report *r, uint32_t neuron)
{
    const tern_population *p = tern_report_population_of(&r->model, neuron);
    return p == NULL ? tern_report_print(r, "%u", neuron) : tern_report_unit(r, p, neuron - p->neuron0);
}

typedef struct seen {
    const tern_population *from;
    size_t planes, rows, columns, n_filters, n_shown, n_all; /* n_filters: used ones */
    bool used[TERN_MAX_FILTERS];
    uint32_t *neurons; /* [n_shown] */
    double *w;         /* [n_shown][net.n_filters][from->size] */
    double limit, limit_total;
} seen;

/* Weights of the first neurons that see the population. */
static bool look(tern_report *r, const tern_population *from, seen *s)
{
    const tern_model *m = &r->model;
    const size_t each = (size_t)m->net.n_filters * from->size;
    *s = (seen){ .from = from,
                 .planes = from->n_dims == 3 ? from->dims[0] : 1,
                 .rows = from->n_dims == 3 ? from->dims[1] : from->dims[0],
                 .columns = from->dims[from->n_dims - 1] };
    size_t most = CELLS_MAX / each;
    if (most < 1) most = 1;
    if (most > r->o.neurons) most = (size_t)r->o.neurons;
    uint32_t *order = tern_arena_get(&r->arena, m->net.n_neurons, sizeof *order);
    double *scratch = tern_report_numbers(r, each), *total = tern_report_numbers(r, from->size);
    s->neurons = tern_arena_get(&r->arena, most, sizeof *s->neurons);
    s->w = tern_report_numbers(r, most * each);
    if (r->failed || order == NULL || s->neurons == NULL) {
        r->failed = true;
        return false;
    }
    const uint32_t n = neurons_in_order(m, order);
    for (uint32_t i = 0; i < n; ++i) {
        bool used[TERN_MAX_FILTERS] = { false };
        if (!collect(m, from, order[i], scratch, used) || s->n_all++ >= most) continue;
        memcpy(s->w + s->n_shown * each, scratch, each * sizeof *scratch);
        s->neurons[s->n_shown++] = order[i];
        total_effect(m, from, scratch, total);
        for (size_t k = 0; k < each; ++k) s->limit = fmax(s->limit, fabs(scratch[k])); /* fmax leaves out NAN */
        for (size_t k = 0; k < from->size; ++k) s->limit_total = fmax(s->limit_total, fabs(total[k]));
        for (unsigned f = 0; f < m->net.n_filters; ++f) s->used[f] |= used[f];
    }
    for (unsigned f = 0; f < m->net.n_filters; ++f) s->n_filters += s->used[f];
    return s->n_shown != 0;
}

/* "hid 3" if a neuron has one tile; "hid 3 f0" filter 0 of one with few; "filter 0" of a neuron with a figure of its
 * own; ", 1": plane 1. */
static const char *tile_name(tern_report *r, const seen *s, uint32_t neuron, bool shared, unsigned filter, size_t plane)
{
    if (s->n_filters * s->planes == 1) return neuron_name(r, neuron);
    const char *of_plane = s->planes > 1 ? tern_report_print(r, ", %zu", plane) : "";
    return shared ? tern_report_print(r, "%s f%u%s", neuron_name(r, neuron), filter, of_plane)
                  : tern_report_print(r, "filter %u%s", filter, of_plane);
}

static void filter_images(tern_report *r, const seen *s)
{
    const tern_model *m = &r->model;
    const size_t tiles = s->n_filters * s->planes, plane = s->rows * s->columns,
                 each = (size_t)m->net.n_filters * s->from->size;
    const size_t together = tiles == 1 ? ACROSS : tiles == 2 ? 2 : 1; /* neurons in one figure */
    for (size_t i = 0; i < s->n_shown && r->n_figures < FIGURES_MAX; i += together) {
        const size_t here = s->n_shown - i < together ? s->n_shown - i : together;
        sheet g = { .r = r, .rows = s->rows, .columns = s->columns };
        g.title = together > 1
                      ? tern_report_print(r, "Weights from %s", s->from->name)
                      : tern_report_print(r, "%s, weights from %s", neuron_name(r, s->neurons[i]), s->from->name);
        g.caption =
            tern_report_print(r, "Weights from %s%s%s, %s.%s", s->from->name, together > 1 ? "" : " to ",
                              together > 1 ? "" : neuron_name(r, s->neurons[i]),
                              tiles == 1      ? "a neuron each"
                              : s->planes > 1 ? "a tile for each filter and plane"
                                              : "a tile for each filter",
                              tiles > ACROSS ? tern_report_print(r, " %zu tiles in rows of %d.", tiles, ACROSS) : "");
        if (!sheet_begin(&g, here * tiles)) return;
        for (size_t k = 0; k < here; ++k)
            for (unsigned f = 0; f < m->net.n_filters; ++f)
                for (size_t q = 0; s->used[f] && q < s->planes; ++q)
                    sheet_add(&g, s->w + (i + k) * each + (size_t)f * s->from->size + q * plane,
                              tile_name(r, s, s->neurons[i + k], together > 1, f, q));
        sheet_end(&g, s->limit);
    }
}

static void total_images(tern_report *r, const seen *s)
{
    const tern_model *m = &r->model;
    const size_t plane = s->rows * s->columns, each = (size_t)m->net.n_filters * s->from->size,
                 together = s->planes == 1   ? ACROSS
                            : s->planes == 2 ? 2
                                             : 1;
    for (size_t i = 0; i < s->n_shown && r->n_figures < FIGURES_MAX; i += together) {
        const size_t here = s->n_shown - i < together ? s->n_shown - i : together;
        sheet g = {
            .r = r,
            .rows = s->rows,
            .columns = s->columns,
            .title = tern_report_print(r, "Effect of a spike of %s", s->from->name),
            .caption = "What a spike adds to the potential over time: over the filters, weight times the filter's sum."
        };
        if (!sheet_begin(&g, here * s->planes)) return;
        for (size_t k = 0; k < here; ++k) {
            double *total = tern_report_numbers(r, s->from->size);
            if (total == NULL) return;
            total_effect(m, s->from, s->w + (i + k) * each, total);
            for (size_t q = 0; q < s->planes; ++q) sheet_add(&g, total + q * plane, neuron_name(r, s->neurons[i + k]));
        }
        sheet_end(&g, s->limit_total);
    }
}

static void shaped_input(tern_report *r, const tern_population *from)
{
    seen s;
    if (!look(r, from, &s)) return;
    tern_page_text(r->page,
                   "Weights from %s (%s%zu x %zu): the first %zu of %zu neurons that see it, hidden ones first; red "
                   "excites, blue inhibits, grey is no synapse. All share one scale.",
                   from->name, s.planes > 1 ? tern_report_print(r, "%zu planes of ", s.planes) : "", s.rows, s.columns,
                   s.n_shown, s.n_all);
    filter_images(r, &s);
    if (s.n_filters > 1) total_images(r, &s);
}

/* ---- other connections, as a matrix: a row for each neuron, a tile for each filter ------------------------- */

static void matrix(tern_report *r, const tern_population *from, const tern_population *to)
{
    const tern_model *m = &r->model;
    const size_t each = (size_t)m->net.n_filters * from->size, room = CELLS_MAX / each;
    size_t shown = to->size < r->o.neurons ? to->size : (size_t)r->o.neurons, n_used = 0;
    if (shown > room) shown = room < 1 ? 1 : room;
    double *w = tern_report_numbers(r, shown * each);
    const char **rows = tern_arena_get(&r->arena, shown, sizeof *rows), *columns[TERN_MAX_FILTERS];
    if (w == NULL || rows == NULL) {
        r->failed = true;
        return;
    }
    bool used[TERN_MAX_FILTERS] = { false }, any = false;
    for (size_t i = 0; i < shown; ++i) {
        any |= collect(m, from, to->neuron0 + (uint32_t)i, w + i * each, used);
        rows[i] = tern_report_unit(r, to, (uint32_t)i);
    }
    if (!any || r->n_figures >= FIGURES_MAX) return;
    for (unsigned f = 0; f < m->net.n_filters; ++f)
        if (used[f]) columns[n_used++] = tern_report_print(r, "filter %u", f);
    const size_t width = n_used * (from->size + 1) - 1;
    double *image = tern_report_numbers(r, shown * width);
    const char **names = tern_arena_get(&r->arena, n_used, sizeof *names);
    tern_plot *p = tern_report_figure(
        r, tern_report_print(r, "Weights from %s to %s", from->name, to->name),
        tern_report_print(r, "units of %s", from->name), NULL,
        tern_report_print(
            r, "Weights from the %u unit%s of %s (columns, for each filter) to the %s%zu neuron%s of %s (rows).",
            from->size, from->size == 1 ? "" : "s", from->name, shown < to->size ? "first " : "", shown,
            shown == 1 ? "" : "s", to->name));
    if (image == NULL || names == NULL || p == NULL) {
        r->failed = true;
        return;
    }
    memcpy(names, columns, n_used * sizeof *names);
    for (size_t i = 0; i < shown; ++i)
        for (size_t f = 0, at = 0; f < m->net.n_filters; ++f) {
            if (!used[f]) continue;
            if (at != 0) image[i * width + at++] = NAN;
            memcpy(image + i * width + at, w + i * each + f * from->size, from->size * sizeof *image);
            at += from->size;
        }
    p->rows = shown;
    p->columns = width;
    p->image = image;
    p->n_column_names = n_used;
    p->column_names = names;
    p->n_row_names = shown <= ROWS_SHOWN ? shown : 0;
    p->row_names = rows;
}

/* ---- histogram, biases ---------------------------------------------------------------------------------------- */

static void histogram(tern_report *r)
{
    const tern_model *m = &r->model;
    const tern_net *net = &m->net;
    int least = INT16_MAX, most = INT16_MIN;
    uint64_t n = 0, limited = 0, zero = 0;
    const int top = (1 << (net->weight_bits - 1)) - 1;
    for (uint32_t i = 0; i < net->n_weights; ++i) {
        if (net->weights0[i] == TERN_WEIGHT_ABSENT) continue;
        const int w = weight_at(m, i);
        if (w < least) least = w;
        if (w > most) most = w;
        limited += w >= top || w <= -top;
        zero += w == 0;
        ++n;
    }
    if (n == 0) return;
    const int width = (most - least) / BINS + 1, first = (least >= 0 ? least : least - width + 1) / width,
              last = (most >= 0 ? most : most - width + 1) / width; /* rounded down: a bin begins at 0 */
    const size_t bins = (size_t)(last - first + 1) + 2;             /* and an empty one on either side */
    double *x = tern_report_numbers(r, bins),
           *count[2] = { tern_report_numbers(r, bins), tern_report_numbers(r, bins) };
    if (r->failed) return;
    for (size_t b = 0; b < bins; ++b)
        x[b] = ldexp(width * ((double)first - 1 + (double)b) + 0.5 * (width - 1), -(int)net->weight_frac);
    for (uint32_t k = 0; k < net->n_rows; ++k) {
        const tern_row *row = &net->rows[k];
        for (uint32_t i = 0; i < row->count; ++i) {
            if (net->weights0[row->weight + i] == TERN_WEIGHT_ABSENT) continue;
            const int w = weight_at(m, row->weight + i);
            count[row->kind == TERN_ROW_SHARED ? 0 : 1][(w >= 0 ? w : w - width + 1) / width - first + 1] += 1;
        }
    }
    tern_plot *p = tern_report_figure(
        r, "Weights", "weight", "synapses",
        tern_report_print(r,
                          "%" PRIu64 " weights in bins of %d step%s of 2^-%u; %" PRIu64 " are 0, %" PRIu64
                          " stand at the limit of the format. The count axis is logarithmic.",
                          n, width, width == 1 ? "" : "s", net->weight_frac, zero, limited));
    if (p == NULL) return;
    p->log_y = true;
    p->y_min = 0.5;
    static const char *const names[2] = { "from inputs", "from neurons" };
    for (int k = 0; k < 2; ++k) {
        bool any = false;
        for (size_t b = 0; b < bins; ++b) any |= count[k][b] > 0;
        if (any) tern_report_series(p, names[k], TERN_PLOT_BARS, k, bins, x, count[k]);
    }
    tern_report_put(r, "weights",
                    tern_json_pack("{s:I, s:I, s:I, s:o, s:o}", "synapses", (json_int_t)n, "zero", (json_int_t)zero,
                                   "at_limit", (json_int_t)limited, "least",
                                   tern_json_real(real_weight(m, (int16_t)least)), "most",
                                   tern_json_real(real_weight(m, (int16_t)most))));
}

static void local_parts(tern_report *r)
{
    const tern_model *m = &r->model;
    const tern_net *net = &m->net;
    const int16_t *bias = m->state != NULL ? m->state->bias_f12 : net->bias0_f12,
                  *self = m->state != NULL ? m->state->self_f12 : net->self0_f12;
    double *x = tern_report_numbers(r, net->n_neurons), *b = tern_report_numbers(r, net->n_neurons),
           *s = tern_report_numbers(r, net->n_neurons);
    uint32_t *order = tern_arena_get(&r->arena, net->n_neurons, sizeof *order);
    if (r->failed || order == NULL) {
        r->failed = true;
        return;
    }
    bool any_self = false;
    const uint32_t n = neurons_in_order(m, order), shown = n < r->o.neurons ? n : (uint32_t)r->o.neurons;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t k = order[i];
        x[i] = i;
        b[i] = ldexp(bias[k], -12);
        s[i] = net->neurons[k].self_filter != TERN_NO_FILTER ? ldexp(self[k], -12) : NAN;
        any_self |= !isnan(s[i]);
    }
    if (n > shown) {
        tern_plot *p = tern_report_figure(r, "Biases and self-memories", "neuron, hidden ones first", "value",
                                          "Bias and weight of the self-memory of every neuron.");
        tern_report_series(p, "bias", TERN_PLOT_POINTS, 0, n, x, b);
        if (any_self) tern_report_series(p, "self-memory", TERN_PLOT_POINTS, 1, n, x, s);
    }
    tern_report_table t = tern_report_table_new(r, 3);
    tern_report_cell(&t, "neuron");
    tern_report_cell(&t, "bias");
    tern_report_cell(&t, "self-memory");
    for (uint32_t i = 0; i < shown; ++i) {
        tern_report_cell(&t, "%s", neuron_name(r, order[i]));
        tern_report_cell(&t, "%.4f", b[i]);
        if (isnan(s[i])) tern_report_cell(&t, "%s", "");
        else tern_report_cell(&t, "%.4f", s[i]);
    }
    tern_report_table_end(&t, n > shown
                                  ? tern_report_print(r, "Bias and self-memory, the first %u of %u neurons.", shown, n)
                                  : "Bias and self-memory.");
}

void tern_report_weights(tern_report *r)
{
    const tern_model *m = &r->model;
    tern_page_section(r->page, m->state != NULL ? "Weights" : "Weights (initial: the image is not trained)");
    for (uint32_t i = 0; i < m->n_populations && !r->failed; ++i)
        if (is_input(&m->populations[i]) && m->populations[i].n_dims > 1) shaped_input(r, &m->populations[i]);
    for (uint32_t i = 0; i < m->n_populations; ++i)
        for (uint32_t k = 0; k < m->n_populations && !r->failed; ++k)
            if (!is_input(&m->populations[k]) && !(is_input(&m->populations[i]) && m->populations[i].n_dims > 1))
                matrix(r, &m->populations[i], &m->populations[k]);
    if (r->n_figures >= FIGURES_MAX)
        tern_page_text(r->page, "Further images are omitted: a page has at most %d figures up to here.", FIGURES_MAX);
    histogram(r);
    local_parts(r);
}
