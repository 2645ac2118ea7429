/* tern_cut.h : where an event lies in the frames: step, and pixel of the scaled crop (inside runtime/data only);
 * docs/30-data.md, section 2
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CUT_H
#define TERN_CUT_H
#include "tern_formats.h"

typedef struct tern__cut {
    uint32_t width, height;                           /* sensor */
    uint32_t crop_x, crop_y, crop_width, crop_height; /* in force: within the sensor, not empty */
    uint32_t scale, out_width, out_height;            /* pixels after scaling */
    uint32_t window_us, steps;                        /* steps of the recording, those of all phases */
    int32_t shift_x, shift_y;                         /* pixels of the sensor by which every event is moved first */
    uint8_t polarity;                                 /* tern_polarity */
    bool mirror_x, mirror_y;
    uint64_t step, step_begin; /* of the last event */
} tern__cut;

/* Checks a data section (all but its parts and label) against a sensor. `guessed`: the file does not say how large it
 * is; width and height hold its events then (or 0: a crop is given). TERN_ERR_DATA with a diagnostic (421, 422, 430,
 * 432, 433). */
tern_status tern__cut_make(const tern_data_spec *d, const char *file, uint32_t width, uint32_t height, bool guessed,
                           tern__cut *out, tern_diags *diags);

/* Pixels of the sensor by which a recording is moved. */
typedef struct tern__shift {
    int32_t x, y;
    bool moves; /* shown by a training that moves recordings, this time perhaps by 0 */
} tern__shift;

/* tern_frames_load_one() of a recording that is moved; what leaves the sensor is lost. TERN_ERR_DATA also for code
 * 434. */
tern_status tern__frames_load(const tern_model *model, const char *path, int32_t label, tern__shift by,
                              tern_stream_keep *keep, tern_arena *arena, tern_frames *out, tern_diags *diags);

/* Place of an event; false: it is in no frame. */
static inline bool tern__cut_place(tern__cut *c, const tern_event *e, uint32_t *step, uint32_t *x, uint32_t *y)
{
    /* another step than that of the event before; events come mostly in order, divisions are slow */
    if (e->t_us - c->step_begin >= c->window_us) {
        c->step = e->t_us / c->window_us;
        c->step_begin = c->step * c->window_us;
    }
    const uint64_t t = c->step;
    if (t >= c->steps || e->x >= c->width || e->y >= c->height) return false;
    const uint32_t sx = e->x + (uint32_t)c->shift_x, sy = e->y + (uint32_t)c->shift_y; /* below 0: wraps */
    if (sx >= c->width || sy >= c->height) return false;
    if ((c->polarity == TERN_POL_ON && !e->on) || (c->polarity == TERN_POL_OFF && e->on)) return false;
    /* left of the crop: wraps */
    const uint32_t px = (c->mirror_x ? c->width - 1 - sx : sx) - c->crop_x,
                   py = (c->mirror_y ? c->height - 1 - sy : sy) - c->crop_y;
    if (px >= c->crop_width || py >= c->crop_height) return false;
    *step = (uint32_t)t;
    *x = c->scale == 1 ? px : px / c->scale;
    *y = c->scale == 1 ? py : py / c->scale;
    return true;
}

#endif /* TERN_CUT_H */
