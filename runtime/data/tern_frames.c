/* tern_frames.c : a recording becomes frames as the model's data section says (docs/30-data.md, section 2)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cut.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 1000000, MAX_SCALE = 256 };
#define MAX_WORDS ((uint64_t)1 << 26) /* of inputs or targets of one presentation: 256 MiB */

/* What the checks need to know of a recording. */
typedef struct facts {
    const char *file;
    int32_t label;
    uint32_t width, height; /* sensor */
    bool guessed;           /* the file does not say: the sensor is large enough for what it must hold */
} facts;

static tern_diag *fail(tern_diags *d, int code, const facts *rec, const char *key, const char *fmt, ...)
    TERN_PRINTF(5, 6);
static tern_diag *fail(tern_diags *d, int code, const facts *rec, const char *key, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(d, TERN_SEV_ERROR, code, rec->file, 0, key, "%s", text);
}

/* The sensor of a file that does not say. */
static tern_status guess_sensor(const tern_data_spec *d, facts *rec, tern_diags *diags)
{
    if (d->sensor_width != 0 && d->sensor_height != 0) {
        rec->width = d->sensor_width;
        rec->height = d->sensor_height;
        return TERN_OK;
    }
    if (d->mirror_x || d->mirror_y) {
        tern_diag_hint(fail(diags, TERN_FRAMES_NO_SENSOR, rec, "data.sensor",
                            "the file does not say how large the sensor is, which mirroring needs to know"),
                       "give `sensor`");
        return TERN_ERR_DATA;
    }
    if (d->crop_width != 0 && d->crop_x + d->crop_width > rec->width) rec->width = d->crop_x + d->crop_width;
    if (d->crop_height != 0 && d->crop_y + d->crop_height > rec->height) rec->height = d->crop_y + d->crop_height;
    return TERN_OK;
}

tern_status tern__cut_make(const tern_data_spec *d, const char *file, uint32_t width, uint32_t height, bool guessed,
                           tern__cut *out, tern_diags *diags)
{
    facts f = { file, -1, width, height, guessed }, *rec = &f;
    if (d->window_us < 1 || d->steps < 1 || d->steps > MAX_STEPS || d->phases > TERN_MAX_PHASES ||
        (d->phases != 0) != (d->phase_steps != 0) || d->phase_steps > d->steps) {
        fail(diags, TERN_FRAMES_SETTING, rec, "data",
             "%" PRIu32 " steps of %" PRIu32
             " us, %u phases of %u; allowed: 1 to %d steps of at least 1 us, no phases or 1 to %u of at most so many "
             "steps",
             d->steps, d->window_us, d->phases, d->phase_steps, MAX_STEPS, TERN_MAX_PHASES);
        return TERN_ERR_DATA;
    }
    if (guessed) {
        const tern_status s = guess_sensor(d, rec, diags);
        if (s != TERN_OK) return s;
    } else if ((d->sensor_width != 0 && d->sensor_width != rec->width) ||
               (d->sensor_height != 0 && d->sensor_height != rec->height)) {
        tern_diag_hint(fail(diags, TERN_FRAMES_SENSOR, rec, "data.sensor",
                            "the recording's sensor has %" PRIu32 " x %" PRIu32 " pixels, expected are %" PRIu32
                            " x %" PRIu32,
                            rec->width, rec->height, d->sensor_width, d->sensor_height),
                       "leave `sensor` out to take it from the file, and check the crop");
        return TERN_ERR_DATA;
    }
    if (rec->width == 0 || rec->height == 0) {
        tern_diag_hint(fail(diags, TERN_FRAMES_NO_SENSOR, rec, "data.sensor",
                            "neither the file nor its events say how large the sensor is"),
                       "give `sensor`; `tern data convert` has --sensor W,H");
        return TERN_ERR_DATA;
    }
    const bool whole = d->crop_width == 0 && d->crop_height == 0 && d->crop_x == 0 && d->crop_y == 0;
    tern__cut c = { .width = rec->width,
                    .height = rec->height,
                    .crop_x = d->crop_x,
                    .crop_y = d->crop_y,
                    .crop_width = whole ? rec->width : d->crop_width,
                    .crop_height = whole ? rec->height : d->crop_height,
                    .scale = d->scale == 0 ? 1 : d->scale,
                    .window_us = d->window_us,
                    .steps = tern_data_steps(d),
                    .polarity = d->polarity,
                    .mirror_x = d->mirror_x,
                    .mirror_y = d->mirror_y };
    if (c.crop_width == 0 || c.crop_height == 0 || (uint64_t)c.crop_x + c.crop_width > rec->width ||
        (uint64_t)c.crop_y + c.crop_height > rec->height) {
        fail(diags, TERN_FRAMES_CROP, rec, "data.crop",
             "x %" PRIu32 "..%" PRIu64 ", y %" PRIu32 "..%" PRIu64 " does not lie within the sensor, x 0..%" PRIu32
             ", y 0..%" PRIu32,
             c.crop_x, (uint64_t)c.crop_x + c.crop_width - (c.crop_width != 0), c.crop_y,
             (uint64_t)c.crop_y + c.crop_height - (c.crop_height != 0), rec->width - 1, rec->height - 1);
        return TERN_ERR_DATA;
    }
    if (c.scale > MAX_SCALE || c.crop_width % c.scale != 0 || c.crop_height % c.scale != 0) {
        tern_diag *g = fail(diags, TERN_FRAMES_SCALE, rec, "data.scale",
                            "%" PRIu32 " does not divide the crop of %" PRIu32 " x %" PRIu32
                            " pixels; allowed: 1 to %d, without remainder",
                            c.scale, c.crop_width, c.crop_height, MAX_SCALE);
        if (c.scale <= MAX_SCALE && c.scale <= c.crop_width && c.scale <= c.crop_height)
            tern_diag_hint(g, "a crop of %" PRIu32 " x %" PRIu32 " pixels can be scaled",
                           c.crop_width / c.scale * c.scale, c.crop_height / c.scale * c.scale);
        return TERN_ERR_DATA;
    }
    c.out_width = c.crop_width / c.scale;
    c.out_height = c.crop_height / c.scale;
    *out = c;
    return TERN_OK;
}

static tern_status check_parts(const tern_model *m, const facts *rec, const tern__cut *cut, tern_diags *diags)
{
    const tern_data_spec *d = &m->data;
    const uint32_t planes = tern_data_planes(d);
    bool taken[TERN_MAX_POPULATIONS] = { false };
    tern_status s = TERN_OK;
    if (d->n_parts > TERN_MAX_PARTS || d->polarity > TERN_POL_SEPARATE || m->n_populations > TERN_MAX_POPULATIONS)
        return TERN_ERR_ARGUMENT;
    if (d->label_population >= 0) {
        const uint32_t lp = (uint32_t)d->label_population;
        if (lp >= m->n_populations || m->populations[lp].kind != TERN_POP_VISIBLE) {
            fail(diags, TERN_FRAMES_PART_POPULATION, rec, "data.label",
                 "population %" PRIu32 " is not a visible population", lp);
            return TERN_ERR_DATA;
        }
        taken[lp] = true;
    }
    for (uint32_t i = 0; i < d->n_parts; ++i) {
        const tern_part *p = &d->parts[i];
        char key[48];
        snprintf(key, sizeof key, "data.parts[%" PRIu32 "]", i);
        if (p->population >= m->n_populations || m->populations[p->population].kind == TERN_POP_HIDDEN) {
            fail(diags, TERN_FRAMES_PART_POPULATION, rec, key,
                 "population %" PRIu32 " is neither an input nor a visible population", p->population);
            s = TERN_ERR_DATA;
            continue;
        }
        const tern_population *pop = &m->populations[p->population];
        if (taken[p->population]) {
            fail(diags, TERN_FRAMES_PART_POPULATION, rec, key, "population '%s' already gets a part or the label",
                 pop->name);
            s = TERN_ERR_DATA;
        }
        taken[p->population] = true;
        if (p->width == 0 || p->height == 0 || (uint64_t)p->x + p->width > cut->out_width ||
            (uint64_t)p->y + p->height > cut->out_height) {
            tern_diag_hint(fail(diags, TERN_FRAMES_PART_PLACE, rec, key,
                                "%" PRIu32 " x %" PRIu32 " pixels at x %" PRIu32 ", y %" PRIu32
                                " do not lie within the crop of %" PRIu32 " x %" PRIu32 "%s",
                                p->width, p->height, p->x, p->y, cut->out_width, cut->out_height,
                                cut->scale > 1 ? " (after scaling)" : ""),
                           "shape = {%" PRIu32 ", %" PRIu32
                           "} of the population '%s' takes all of it (rows, columns); else change the crop or the part",
                           cut->out_height, cut->out_width, pop->name);
            s = TERN_ERR_DATA;
        } else if ((uint64_t)p->width * p->height * planes != pop->size) {
            char times[64] = "";
            if (d->phases > 1) snprintf(times, sizeof times, " x %u phases", d->phases);
            tern_diag_hint(fail(diags, TERN_FRAMES_PART_SIZE, rec, key,
                                "%" PRIu32 " x %" PRIu32 " pixels%s%s are %" PRIu64
                                " units, population '%s' has %" PRIu32,
                                p->width, p->height, d->polarity == TERN_POL_SEPARATE ? " x 2 polarities" : "", times,
                                (uint64_t)p->width * p->height * planes, pop->name, pop->size),
                           "change the population's size, the crop or the part");
            s = TERN_ERR_DATA;
        }
        if (d->n_parts == 1 && !rec->guessed && d->crop_width == 0 && p->x == 0 && p->y == 0 && s == TERN_OK &&
            (p->width < cut->out_width || p->height < cut->out_height))
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_FRAMES_PART_PLACE, rec->file, 0, key,
                                          "the population '%s' reads %" PRIu32 " x %" PRIu32
                                          " pixels, the recording has %" PRIu32 " x %" PRIu32,
                                          pop->name, p->width, p->height, cut->out_width, cut->out_height),
                           "shape = {%" PRIu32 ", %" PRIu32
                           "} takes all of them (rows, columns); data.crop says which ones are meant",
                           cut->out_height, cut->out_width);
        if ((uint64_t)pop->pos + pop->size > (pop->kind == TERN_POP_INPUT ? m->net.n_inputs_pos : m->net.n_neurons_pos))
            return TERN_ERR_ARGUMENT;
    }
    return s;
}

static void set_bit(uint32_t *words, uint32_t p) { words[p / 32] |= 1u << (p % 32); }

/* Sets the bits of one event, which lies at (x, y) of the crop in this step of the recording. */
static void place(const tern_model *m, tern_frames *f, uint32_t step, uint32_t x, uint32_t y, bool on)
{
    const tern_data_spec *d = &m->data;
    const uint32_t phase = d->phases == 0 ? 0 : step / d->phase_steps,
                   planes = d->polarity == TERN_POL_SEPARATE ? 2 : 1;
    if (d->phases != 0) step %= d->phase_steps;
    for (uint32_t i = 0; i < d->n_parts; ++i) {
        const tern_part *p = &d->parts[i];
        if (x < p->x || y < p->y || x - p->x >= p->width || y - p->y >= p->height) continue;
        const tern_population *pop = &m->populations[p->population];
        uint32_t unit = (y - p->y) * p->width + (x - p->x);
        unit += (phase * planes + (planes == 2 && on ? 1 : 0)) * p->width * p->height;
        if (pop->kind == TERN_POP_INPUT) set_bit(f->inputs + (size_t)step * f->words_in, pop->pos + unit);
        else set_bit(f->targets + (size_t)step * f->words_neuron, pop->pos + unit);
    }
}

/* The label's target, the same in every step. */
static tern_status place_label(const tern_model *m, const facts *rec, tern_frames *f, tern_diags *diags)
{
    if (m->data.label_population < 0) return TERN_OK;
    const tern_population *pop = &m->populations[m->data.label_population];
    if ((uint64_t)pop->pos + pop->size > m->net.n_neurons_pos) return TERN_ERR_ARGUMENT;
    if (rec->label < 0) { /* fine for inference; who trains must look at frames->label */
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_FRAMES_NO_LABEL, rec->file, 0, NULL,
                       "has no label: population '%s' gets no target", pop->name);
        return TERN_OK;
    }
    if ((uint32_t)rec->label >= pop->size) {
        tern_diag_hint(fail(diags, TERN_FRAMES_LABEL, rec, "data.label",
                            "label %" PRId32 " has no unit: population '%s' has the units 0..%" PRIu32, rec->label,
                            pop->name, pop->size - 1),
                       "labels count from 0");
        return TERN_ERR_DATA;
    }
    for (uint32_t t = 0; t < f->n_steps; ++t)
        set_bit(f->targets + (size_t)t * f->words_neuron, pop->pos + (uint32_t)rec->label);
    return TERN_OK;
}

/* Frames while they are being made. */
typedef struct framer {
    const tern_model *model;
    facts rec;
    tern__cut cut;
    tern_frames f;
    uint64_t used, n_events, t_end; /* events within the frames; all; where the recording ends, microseconds */
} framer;

static tern_status framer_begin(framer *r, const tern_model *model, const facts *rec, tern__shift by, tern_arena *arena,
                                tern_diags *diags)
{
    *r = (framer){ .model = model, .rec = *rec };
    const tern_data_spec *d = &model->data;
    tern_status s = tern__cut_make(d, rec->file, rec->width, rec->height, rec->guessed, &r->cut, diags);
    if (s == TERN_OK) s = check_parts(model, rec, &r->cut, diags);
    if (s == TERN_OK && by.moves && (r->cut.width == 1 || r->cut.height == 1)) {
        tern_diag_hint(fail(diags, TERN_FRAMES_SHIFT, rec, "data.shift",
                            "%" PRIu32 " x %" PRIu32 " pixels cannot be shifted: numbered units have no neighbours",
                            r->cut.width, r->cut.height),
                       "leave `shift` out; only the pictures of a camera can be moved");
        s = TERN_ERR_DATA;
    }
    if (s != TERN_OK) return s;
    r->cut.shift_x = by.x;
    r->cut.shift_y = by.y;
    tern_frames f = { .n_steps = d->steps,
                      .words_in = model->net.n_inputs_pos / 32,
                      .words_neuron = model->net.n_neurons_pos / 32,
                      .label = rec->label };
    const uint32_t widest = f.words_in > f.words_neuron ? f.words_in : f.words_neuron;
    if ((uint64_t)f.n_steps * widest > MAX_WORDS) {
        fail(diags, TERN_FRAMES_TOO_LARGE, rec, "data.steps",
             "%" PRIu32 " steps of %" PRIu32 " words are more than %" PRIu64 " words", f.n_steps, widest, MAX_WORDS);
        return TERN_ERR_LIMIT;
    }
    f.inputs = tern_arena_get(arena, (size_t)f.n_steps * f.words_in, sizeof *f.inputs);
    f.targets = tern_arena_get(arena, (size_t)f.n_steps * f.words_neuron, sizeof *f.targets);
    if (f.inputs == NULL || f.targets == NULL) return TERN_ERR_MEMORY;
    r->f = f;
    return TERN_OK;
}

static void framer_add(framer *r, const tern_event *e, size_t n)
{
    r->n_events += n;
    for (size_t i = 0; i < n; ++i) {
        uint32_t step, x, y;
        if (e[i].t_us >= r->t_end && e[i].t_us >> 63 == 0) r->t_end = e[i].t_us + 1;
        if (!tern__cut_place(&r->cut, &e[i], &step, &x, &y)) continue;
        ++r->used;
        place(r->model, &r->f, step, x, y, e[i].on != 0);
    }
}

static tern_status framer_end(framer *r, tern_frames *out, tern_diags *diags)
{
    const tern_status s = place_label(r->model, &r->rec, &r->f, diags);
    if (s != TERN_OK) return s;
    /* whole windows behind the end, not the rest of the last one */
    const uint64_t reached = (r->t_end + r->cut.window_us - 1) / r->cut.window_us;
    if (reached < r->cut.steps)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_FRAMES_SHORT, r->rec.file, 0, "data.steps",
                                      "the recording ends after %" PRIu64 " of %" PRIu32 " steps; the others are empty",
                                      reached, r->cut.steps),
                       "use fewer steps, or shorter ones");
    if (r->used == 0)
        tern_diag_hint(
            tern_diags_add(
                diags, TERN_SEV_WARNING, TERN_FRAMES_SILENT, r->rec.file, 0, "data.crop",
                "no event of the recording lies within the crop, the steps and the polarity: all frames are empty"),
            "`tern data info FILE` shows where and when the events are");
    *out = r->f;
    return TERN_OK;
}

static tern_status check_present(const tern_model *model, const char *file, tern_diags *diags)
{
    if (model->data.present) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_FRAMES_NO_SECTION, file, 0, "data",
                                  "model '%s' does not say how a recording becomes frames", model->name),
                   "add tern.data{ ... } to the script");
    return TERN_ERR_DATA;
}

tern_status tern_frames_from_recording(const tern_model *model, const tern_recording *rec, tern_arena *arena,
                                       tern_frames *out, tern_diags *diags)
{
    framer r;
    const facts f = { rec->file, rec->label, rec->width, rec->height, rec->sensor_guessed };
    *out = (tern_frames){ .label = -1 };
    tern_status s = check_present(model, rec->file, diags);
    if (s == TERN_OK) s = framer_begin(&r, model, &f, (tern__shift){ 0 }, arena, diags);
    if (s != TERN_OK) return s;
    framer_add(&r, rec->events, rec->n_events);
    return framer_end(&r, out, diags);
}

/* ---- straight from a file ---- */

enum { BLOCK = 4096 };

/* Reads a stream to its end; what `each` is for may be NULL. */
static tern_status read_all(tern_stream *s, framer *each, tern_event *block, tern_diags *diags)
{
    for (;;) {
        size_t n;
        const tern_status st = tern_stream_read(s, block, BLOCK, &n, diags);
        if (st != TERN_OK) return st;
        if (n == 0) return TERN_OK;
        if (each != NULL) framer_add(each, block, n);
    }
}

/* Opens the file; where nobody says how large the sensor is and no crop does, looks through it for the largest
 * coordinates first. */
static tern_status open_measured(const tern_model *model, const char *path, tern_stream_keep *keep, tern_alloc alloc,
                                 tern_event *block, tern_stream **s, facts *f, tern_diags *diags)
{
    const tern_data_spec *d = &model->data;
    tern_stream_options opt = {
        .format = d->format, .sensor_width = d->sensor_width, .sensor_height = d->sensor_height, .keep = keep
    };
    tern_status st = tern_stream_open(path, &opt, alloc, s, diags);
    if (st != TERN_OK) return st;
    f->guessed = !tern_stream_about(*s)->from_file;
    if (tern_stream_about(*s)->width == 0 && d->crop_width == 0) {
        st = read_all(*s, NULL, block, diags);
        const tern_stream_counts c = *tern_stream_counted(*s);
        tern_stream_close(*s);
        *s = NULL;
        if (st == TERN_OK) st = tern_stream_open(path, &opt, alloc, s, diags);
        f->width = c.n_events == 0 ? 1 : c.max_x + 1;
        f->height = c.n_events == 0 ? 1 : c.max_y + 1;
    } else {
        f->width = tern_stream_about(*s)->width;
        f->height = tern_stream_about(*s)->height;
    }
    return st;
}

tern_status tern_frames_load(const tern_model *model, const char *path, int32_t label, tern_arena *arena,
                             tern_frames *out, tern_diags *diags)
{
    return tern_frames_load_one(model, path, label, NULL, arena, out, diags);
}

tern_status tern_frames_load_one(const tern_model *model, const char *path, int32_t label, tern_stream_keep *keep,
                                 tern_arena *arena, tern_frames *out, tern_diags *diags)
{
    return tern__frames_load(model, path, label, (tern__shift){ 0 }, keep, arena, out, diags);
}

tern_status tern__frames_load(const tern_model *model, const char *path, int32_t label, tern__shift by,
                              tern_stream_keep *keep, tern_arena *arena, tern_frames *out, tern_diags *diags)
{
    tern_stream *s = NULL;
    facts f = { .file = path };
    framer r;
    *out = (tern_frames){ .label = -1 };
    if (check_present(model, path, diags) != TERN_OK) return TERN_ERR_DATA;
    tern_event *block = arena->alloc.fn(arena->alloc.ud, NULL, BLOCK * sizeof *block);
    if (block == NULL) return TERN_ERR_MEMORY;
    tern_status st = open_measured(model, path, keep, arena->alloc, block, &s, &f, diags);
    if (st == TERN_OK) {
        f.label = label >= 0 ? label : tern_stream_about(s)->label;
        st = framer_begin(&r, model, &f, by, arena, diags);
    }
    if (st == TERN_OK) {
        r.t_end = (uint64_t)tern_stream_about(s)->step_us * tern_stream_about(s)->n_steps;
        st = read_all(s, &r, block, diags);
    }
    if (st == TERN_OK) {
        tern_stream_report(s, diags);
        st = framer_end(&r, out, diags);
    }
    tern_stream_close(s);
    arena->alloc.fn(arena->alloc.ud, block, 0);
    return st;
}
