/* tern_cli_report_spikes.c : the part of a report about spikes: the first recordings, run with the golden model without
 * learning
 * SPDX-License-Identifier: Apache-2.0
 *
 * The run is the free run of `tern eval` (docs/12-inference.md, section 1): the same step and sample numbers, so with
 * the same seed the same spikes.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern_cli_report.h"

enum {
    RECORDINGS = 3,
    SAMPLES = 4,
    STEPS_SHOWN = 1000,
    STROKES_KEPT = 100000,
    STROKES_MAX = 4000,
    NAMES_MAX = 24,
    UNITS_NAMED = 12,
    IMAGE_PX = 300
};

typedef struct raster {
    double *x, *y;
    size_t n, room;
    uint64_t all; /* strokes, also those beyond the room */
} raster;

static bool raster_new(tern_report *r, raster *g, size_t room)
{
    *g = (raster){ .x = tern_report_numbers(r, room), .y = tern_report_numbers(r, room), .room = room };
    return !r->failed;
}

static void stroke(raster *g, double x, double y)
{
    if (g->n < g->room) {
        g->x[g->n] = x;
        g->y[g->n++] = y;
    }
    ++g->all;
}

/* Of a long presentation the beginning is shown. */
static uint32_t steps_shown(const tern_frames *f) { return f->n_steps < STEPS_SHOWN ? f->n_steps : STEPS_SHOWN; }

static bool bit(const uint32_t *words, uint32_t pos) { return words[pos / 32] >> pos % 32 & 1; }

static const char *thinned(tern_report *r, const raster *g, const tern_frames *f)
{
    if (steps_shown(f) < f->n_steps)
        return tern_report_print(r, " The first %u of %u steps: %" PRIu64 " spikes, of which at most %d are drawn.",
                                 steps_shown(f), f->n_steps, g->all, STROKES_MAX);
    if (g->all > STROKES_MAX) return tern_report_print(r, " Of %" PRIu64 " spikes %d are drawn.", g->all, STROKES_MAX);
    return tern_report_print(r, " %" PRIu64 " spike%s.", g->all, g->all == 1 ? "" : "s");
}

static void finish(tern_report *r, const raster *g, const char *title, const char *y_label, int colour,
                   const tern_frames *f, double rows, const char *caption, tern_plot **out)
{
    tern_plot *p =
        tern_report_figure(r, title, "step", y_label, tern_report_print(r, "%s%s", caption, thinned(r, g, f)));
    *out = p;
    if (p == NULL) return;
    p->x_min = -1;
    p->x_max = steps_shown(f);
    p->y_min = -1;
    p->y_max = rows;
    tern_report_series(p, NULL, TERN_PLOT_TICKS, colour, g->n, g->x, g->y);
}

/* Spikes of each unit of a population with a shape; planes stand beside each other. */
static void input_image(tern_report *r, const tern_frames *f, const tern_population *p)
{
    const size_t planes = p->n_dims == 3 ? p->dims[0] : 1, rows = p->dims[p->n_dims - 2],
                 columns = p->dims[p->n_dims - 1], width = planes * (columns + 1) - 1;
    double *image = tern_report_numbers(r, rows * width);
    tern_plot *plot = tern_report_figure(r, tern_report_print(r, "Input %s, spikes of each unit", p->name), NULL, NULL,
                                         tern_report_print(r, "How often each unit of %s spiked in the recording%s.",
                                                           p->name, planes > 1 ? ", planes side by side" : ""));
    if (image == NULL || plot == NULL) return;
    for (size_t i = 0; i < rows * width; ++i) image[i] = i % width % (columns + 1) == columns ? NAN : 0;
    for (uint32_t t = 0; t < f->n_steps; ++t)
        for (uint32_t u = 0; u < p->size; ++u)
            if (bit(f->inputs + (size_t)t * f->words_in, p->pos + u))
                image[u / columns % rows * width + u / (rows * columns) * (columns + 1) + u % columns] += 1;
    plot->rows = rows;
    plot->columns = width;
    plot->image = image;
    plot->height = IMAGE_PX;
}

static void input_raster(tern_report *r, const tern_frames *f, const tern_population *p)
{
    raster g;
    tern_plot *plot;
    uint64_t n = 0, found = 0;
    for (uint32_t t = 0; t < steps_shown(f); ++t)
        for (uint32_t u = 0; u < p->size; ++u) n += bit(f->inputs + (size_t)t * f->words_in, p->pos + u);
    const uint64_t every = n / STROKES_KEPT + 1;
    if (!raster_new(r, &g, (size_t)(n / every) + 1)) return;
    for (uint32_t t = 0; t < steps_shown(f); ++t)
        for (uint32_t u = 0; u < p->size; ++u)
            if (bit(f->inputs + (size_t)t * f->words_in, p->pos + u) && found++ % every == 0) stroke(&g, t, u);
    g.all = n;
    if (p->n_dims > 1) input_image(r, f, p);
    finish(r, &g, tern_report_print(r, "Input %s", p->name), "unit", -1, f, p->size,
           tern_report_print(r, "Input spikes of %s.", p->name), &plot);
}

/* Strokes of one population, kept while the run continues: each neuron has SAMPLES rows and an empty one. */
typedef struct pop_raster {
    const tern_population *p;
    uint32_t shown;
    raster g;
} pop_raster;

static void pop_figure(tern_report *r, pop_raster *q, const tern_frames *f)
{
    tern_plot *plot;
    const bool hidden = q->p->kind == TERN_POP_HIDDEN,
               labels = r->model.data.label_population == (int32_t)(q->p - r->model.populations);
    const char *label = labels && f->label >= 0 ? tern_report_print(r, " The right one is %d.", f->label) : "";
    finish(r, &q->g, tern_report_print(r, "%s %s", hidden ? "Hidden" : "Visible", q->p->name), NULL, hidden ? 0 : 1, f,
           (double)q->shown * (SAMPLES + 1) - 1,
           tern_report_print(r,
                             "Spikes of %s%s, %d samples one above the other for each neuron, visible neurons free.%s",
                             q->shown < q->p->size ? tern_report_print(r, "the first %u neurons of ", q->shown) : "",
                             q->p->name, SAMPLES, label),
           &plot);
    if (plot == NULL) return;
    const uint32_t every = (q->shown + NAMES_MAX - 1) / NAMES_MAX, n = (q->shown + every - 1) / every;
    double *at = tern_report_numbers(r, n);
    const char **names = tern_arena_get(&r->arena, n, sizeof *names);
    if (at == NULL || names == NULL) {
        r->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        at[i] = (double)i * every * (SAMPLES + 1) + (SAMPLES - 1) / 2.0;
        names[i] =
            q->p->size <= UNITS_NAMED ? tern_report_unit(r, q->p, i * every) : tern_report_print(r, "%u", i * every);
    }
    plot->n_y_names = n;
    plot->y_at = at;
    plot->y_names = names;
}

typedef struct spike_run {
    tern_runner *run;
    pop_raster *list;
    size_t n, words;
    uint64_t hidden, visible;
} spike_run;

static void take_spikes(void *ud, uint32_t t)
{
    spike_run *s = ud;
    const uint32_t *spikes = tern_runner_spike_words(s->run);
    s->hidden += tern_runner_spikes(s->run, s->run->hidden);
    s->visible += tern_runner_spikes(s->run, s->run->visible);
    for (size_t i = 0; i < s->n && t < STEPS_SHOWN; ++i)
        for (uint32_t u = 0; u < s->list[i].shown; ++u)
            for (uint32_t k = 0; k < SAMPLES; ++k)
                if (bit(spikes + k * s->words, s->list[i].p->pos + u))
                    stroke(&s->list[i].g, t, (double)u * (SAMPLES + 1) + k);
}

static tern_status one_recording(tern_report *r, tern_runner *run, const tern_frames *f, uint32_t recording,
                                 json_t *summary)
{
    const tern_model *m = &r->model;
    pop_raster list[TERN_MAX_POPULATIONS];
    size_t n = 0;
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if (p->kind == TERN_POP_INPUT) {
            input_raster(r, f, p);
            continue;
        }
        pop_raster *q = &list[n++];
        *q = (pop_raster){ .p = p, .shown = p->size < r->o.neurons ? p->size : (uint32_t)r->o.neurons };
        if (!raster_new(r, &q->g, (size_t)q->shown * SAMPLES * steps_shown(f))) return TERN_ERR_MEMORY;
    }
    if (r->failed) return TERN_ERR_MEMORY;
    spike_run s = { .run = run, .list = list, .n = n, .words = m->net.n_neurons_pos / 32 };
    tern_runner_end(run, true);
    tern_runner_seek(run, 0, (2 * recording + 1) * f->n_steps);
    tern_runner_run(run, f, 0, take_spikes, &s);
    for (size_t i = 0; i < n; ++i) pop_figure(r, &list[i], f);
    json_t *counts = tern_json_pack("{s:I, s:i, s:I, s:I}", "recording", (json_int_t)recording, "label", (int)f->label,
                                    "hidden", (json_int_t)s.hidden, "visible", (json_int_t)s.visible);
    return tern_json_add(summary, counts) && !r->failed ? TERN_OK : TERN_ERR_MEMORY;
}

tern_status tern_report_spikes(tern_report *r)
{
    tern_page_section(r->page, "Spikes");
    if (r->o.data == NULL) {
        tern_page_text(
            r->page, "No recordings were given, so no spikes are shown. This shows those of the first %d:", RECORDINGS);
        tern_page_code(r->page, tern_report_print(r, "tern report %s --data PATH", tern_report_word(r, r->o.image)));
        return TERN_OK;
    }
    tern_frames_store frames;
    tern_runner run = { .model = NULL };
    json_t *summary = tern_json_list();
    tern_status s = tern_frames_store_open(&frames, &r->model, r->o.data, false, &r->diags);
    frames.warn = tern_cli_print_line;
    if (s == TERN_OK)
        s = tern_runner_init(&run, &r->model, (tern_runner_engine){ 0 }, SAMPLES, r->model.seed, &r->arena, &r->diags);
    const uint32_t n = s != TERN_OK ? 0 : frames.set.n < RECORDINGS ? (uint32_t)frames.set.n : RECORDINGS;
    if (s == TERN_OK)
        tern_page_text(r->page,
                       "%s recording%s, %d samples, golden model without learning, seed %" PRIu64
                       ": what tern eval --samples %d runs.",
                       n < frames.set.n ? tern_report_print(r, "The first %u of %zu", n, frames.set.n)
                       : n == 1         ? "The"
                                        : "All",
                       n == 1 && frames.set.n == 1 ? "" : "s", SAMPLES, r->model.seed, SAMPLES);
    for (uint32_t i = 0; i < n && s == TERN_OK; ++i) {
        tern_frames f;
        const char *slash = strrchr(frames.set.paths[i], '/'), *name = slash != NULL ? slash + 1 : frames.set.paths[i];
        s = tern_frames_store_get(&frames, i, &f, &r->diags);
        if (s == TERN_OK) {
            tern_page_text(r->page, "Recording %s%s:", name,
                           f.label >= 0 ? tern_report_print(r, ", label %d", f.label) : "");
            s = one_recording(r, &run, &f, i, summary);
        }
    }
    tern_runner_close(&run);
    tern_frames_store_close(&frames);
    if (s == TERN_OK) tern_report_put(r, "spikes", summary);
    else json_decref(summary);
    return s;
}
