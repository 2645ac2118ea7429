/* tern_frames.c : a recording becomes frames as the model's data section says (docs/30-data.md, section 2)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 1000000 };
#define MAX_WORDS ((uint64_t)1 << 26) /* of inputs or targets of one presentation: 256 MiB */

static tern_diag *fail(tern_diags *d, int code, const tern_recording *rec, const char *key, const char *fmt, ...) TERN_PRINTF(5, 6);
static tern_diag *fail(tern_diags *d, int code, const tern_recording *rec, const char *key, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(d, TERN_SEV_ERROR, code, rec->file, 0, key, "%s", text);
}

/* The crop that is in force; whole sensor when none is given. */
typedef struct window { uint32_t x, y, width, height; } window;

static tern_status check_geometry(const tern_data_spec *d, const tern_recording *rec, window *out_crop, tern_diags *diags)
{
    if (d->window_us < 1 || d->steps < 1 || d->steps > MAX_STEPS) {
        fail(diags, TERN_FRAMES_SETTING, rec, "data", "%" PRIu32 " steps of %" PRIu32 " us; allowed: 1 to %d steps of at least 1 us", d->steps, d->window_us,
             MAX_STEPS);
        return TERN_ERR_DATA;
    }
    if ((d->sensor_width != 0 && d->sensor_width != rec->width) || (d->sensor_height != 0 && d->sensor_height != rec->height)) {
        tern_diag_hint(fail(diags, TERN_FRAMES_SENSOR, rec, "data.sensor", "the recording's sensor has %" PRIu32 " x %" PRIu32 " pixels, the model expects %"
                            PRIu32 " x %" PRIu32, rec->width, rec->height, d->sensor_width, d->sensor_height),
                       "leave `sensor` out to take it from the file, and check the crop");
        return TERN_ERR_DATA;
    }
    *out_crop = (window){ d->crop_x, d->crop_y, d->crop_width, d->crop_height };
    if (d->crop_width == 0 && d->crop_height == 0 && d->crop_x == 0 && d->crop_y == 0) *out_crop = (window){ 0, 0, rec->width, rec->height };
    const window c = *out_crop;
    if (c.width == 0 || c.height == 0 || (uint64_t)c.x + c.width > rec->width || (uint64_t)c.y + c.height > rec->height) {
        fail(diags, TERN_FRAMES_CROP, rec, "data.crop", "x %" PRIu32 "..%" PRIu64 ", y %" PRIu32 "..%" PRIu64 " does not lie within the sensor, x 0..%" PRIu32
             ", y 0..%" PRIu32, c.x, (uint64_t)c.x + c.width - (c.width != 0), c.y, (uint64_t)c.y + c.height - (c.height != 0), rec->width - 1, rec->height - 1);
        return TERN_ERR_DATA;
    }
    return TERN_OK;
}

static tern_status check_parts(const tern_model *m, const tern_recording *rec, window crop, tern_diags *diags)
{
    const tern_data_spec *d = &m->data;
    const uint32_t planes = d->polarity == TERN_POL_SEPARATE ? 2 : 1;
    bool taken[TERN_MAX_POPULATIONS] = { false };
    tern_status s = TERN_OK;
    if (d->n_parts > TERN_MAX_PARTS || d->polarity > TERN_POL_SEPARATE || m->n_populations > TERN_MAX_POPULATIONS) return TERN_ERR_ARGUMENT;
    if (d->label_population >= 0) {
        const uint32_t lp = (uint32_t)d->label_population;
        if (lp >= m->n_populations || m->populations[lp].kind != TERN_POP_VISIBLE) {
            fail(diags, TERN_FRAMES_PART_POPULATION, rec, "data.label", "population %" PRIu32 " is not a visible population", lp);
            return TERN_ERR_DATA;
        }
        taken[lp] = true;
    }
    for (uint32_t i = 0; i < d->n_parts; ++i) {
        const tern_part *p = &d->parts[i];
        char key[48];
        snprintf(key, sizeof key, "data.parts[%" PRIu32 "]", i);
        if (p->population >= m->n_populations || m->populations[p->population].kind == TERN_POP_HIDDEN) {
            fail(diags, TERN_FRAMES_PART_POPULATION, rec, key, "population %" PRIu32 " is neither an input nor a visible population", p->population);
            s = TERN_ERR_DATA;
            continue;
        }
        const tern_population *pop = &m->populations[p->population];
        if (taken[p->population]) {
            fail(diags, TERN_FRAMES_PART_POPULATION, rec, key, "population '%s' already gets a part or the label", pop->name);
            s = TERN_ERR_DATA;
        }
        taken[p->population] = true;
        if (p->width == 0 || p->height == 0 || (uint64_t)p->x + p->width > crop.width || (uint64_t)p->y + p->height > crop.height) {
            fail(diags, TERN_FRAMES_PART_PLACE, rec, key, "%" PRIu32 " x %" PRIu32 " pixels at x %" PRIu32 ", y %" PRIu32 " do not lie within the crop of %" PRIu32
                 " x %" PRIu32, p->width, p->height, p->x, p->y, crop.width, crop.height);
            s = TERN_ERR_DATA;
        } else if ((uint64_t)p->width * p->height * planes != pop->size) {
            tern_diag_hint(fail(diags, TERN_FRAMES_PART_SIZE, rec, key, "%" PRIu32 " x %" PRIu32 " pixels%s are %" PRIu64 " units, population '%s' has %" PRIu32,
                                p->width, p->height, planes == 2 ? " x 2 polarities" : "", (uint64_t)p->width * p->height * planes, pop->name, pop->size),
                           "change the population's size, the crop or the part");
            s = TERN_ERR_DATA;
        }
        if ((uint64_t)pop->pos + pop->size > (pop->kind == TERN_POP_INPUT ? m->net.n_inputs_pos : m->net.n_neurons_pos)) return TERN_ERR_ARGUMENT;
    }
    return s;
}

static void set_bit(uint32_t *words, uint32_t p) { words[p / 32] |= 1u << (p % 32); }

/* Sets the bits of one event, which lies at (x, y) of the crop. */
static void place(const tern_model *m, tern_frames *f, uint32_t step, uint32_t x, uint32_t y, bool on)
{
    for (uint32_t i = 0; i < m->data.n_parts; ++i) {
        const tern_part *p = &m->data.parts[i];
        if (x < p->x || y < p->y || x - p->x >= p->width || y - p->y >= p->height) continue;
        const tern_population *pop = &m->populations[p->population];
        uint32_t unit = (y - p->y) * p->width + (x - p->x);
        if (m->data.polarity == TERN_POL_SEPARATE && on) unit += p->width * p->height;
        if (pop->kind == TERN_POP_INPUT) set_bit(f->inputs + (size_t)step * f->words_in, pop->pos + unit);
        else set_bit(f->targets + (size_t)step * f->words_neuron, pop->pos + unit);
    }
}

/* The label's target, the same in every step. */
static tern_status place_label(const tern_model *m, const tern_recording *rec, tern_frames *f, tern_diags *diags)
{
    if (m->data.label_population < 0) return TERN_OK;
    const tern_population *pop = &m->populations[m->data.label_population];
    if ((uint64_t)pop->pos + pop->size > m->net.n_neurons_pos) return TERN_ERR_ARGUMENT;
    if (rec->label < 0) { /* fine for inference; who trains must look at frames->label */
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_FRAMES_NO_LABEL, rec->file, 0, NULL, "has no label: population '%s' gets no target", pop->name);
        return TERN_OK;
    }
    if ((uint32_t)rec->label >= pop->size) {
        tern_diag_hint(fail(diags, TERN_FRAMES_LABEL, rec, "data.label", "label %" PRId32 " has no unit: population '%s' has the units 0..%" PRIu32, rec->label,
                            pop->name, pop->size - 1), "labels count from 0");
        return TERN_ERR_DATA;
    }
    for (uint32_t t = 0; t < f->n_steps; ++t) set_bit(f->targets + (size_t)t * f->words_neuron, pop->pos + (uint32_t)rec->label);
    return TERN_OK;
}

tern_status tern_frames_from_recording(const tern_model *model, const tern_recording *rec, tern_arena *arena, tern_frames *out, tern_diags *diags)
{
    const tern_data_spec *d = &model->data;
    memset(out, 0, sizeof *out);
    out->label = -1;
    if (!d->present) {
        tern_diag_hint(fail(diags, TERN_FRAMES_NO_SECTION, rec, "data", "model '%s' does not say how a recording becomes frames", model->name),
                       "add tern.data{ ... } to the script");
        return TERN_ERR_DATA;
    }
    window crop;
    tern_status s = check_geometry(d, rec, &crop, diags);
    if (s == TERN_OK) s = check_parts(model, rec, crop, diags);
    if (s != TERN_OK) return s;
    tern_frames f = { .n_steps = d->steps, .words_in = model->net.n_inputs_pos / 32, .words_neuron = model->net.n_neurons_pos / 32, .label = rec->label };
    const uint32_t widest = f.words_in > f.words_neuron ? f.words_in : f.words_neuron;
    if ((uint64_t)f.n_steps * widest > MAX_WORDS) {
        fail(diags, TERN_FRAMES_TOO_LARGE, rec, "data.steps", "%" PRIu32 " steps of %" PRIu32 " words are more than %" PRIu64 " words", f.n_steps, widest, MAX_WORDS);
        return TERN_ERR_LIMIT;
    }
    f.inputs = tern_arena_get(arena, (size_t)f.n_steps * f.words_in, sizeof *f.inputs);
    f.targets = tern_arena_get(arena, (size_t)f.n_steps * f.words_neuron, sizeof *f.targets);
    if (f.inputs == NULL || f.targets == NULL) return TERN_ERR_MEMORY;

    uint64_t used = 0, t_max = 0;
    for (size_t i = 0; i < rec->n_events; ++i) {
        const tern_event e = rec->events[i];
        if (e.t_us > t_max) t_max = e.t_us;
        const uint64_t step = e.t_us / d->window_us;
        if (step >= f.n_steps || e.x >= rec->width || e.y >= rec->height) continue;
        if ((d->polarity == TERN_POL_ON && !e.on) || (d->polarity == TERN_POL_OFF && e.on)) continue;
        const uint32_t x = d->mirror_x ? rec->width - 1 - e.x : e.x, y = d->mirror_y ? rec->height - 1 - e.y : e.y;
        if (x < crop.x || y < crop.y || x - crop.x >= crop.width || y - crop.y >= crop.height) continue;
        ++used;
        place(model, &f, (uint32_t)step, x - crop.x, y - crop.y, e.on != 0);
    }
    s = place_label(model, rec, &f, diags);
    if (s != TERN_OK) return s;
    /* whole windows behind the last event, not the rest of the last one */
    const uint64_t reached = rec->n_events == 0 ? 0 : t_max / d->window_us + 1;
    if (reached < f.n_steps)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_FRAMES_SHORT, rec->file, 0, "data.steps",
                                      "the recording ends after %" PRIu64 " of %" PRIu32 " steps; the others are empty", reached, f.n_steps),
                       "use fewer steps, or shorter ones");
    if (used == 0)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_FRAMES_SILENT, rec->file, 0, "data.crop",
                                      "no event of the recording lies within the crop, the steps and the polarity: all frames are empty"),
                       "`tern data info FILE` shows where and when the events are");
    *out = f;
    return TERN_OK;
}
