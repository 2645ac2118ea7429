/* tern_sim_camera.c : a digit moves, the pixels of an event camera answer
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_sim.h"
#include "tern_formats.h"
#include "tern_random.h"
#include <math.h>
#include <string.h>

enum {
    SENSOR = 128, /* pixels each way */
    VIEW = 40,    /* the pixels around the digit that are simulated, each way */
    /* first of them: the middle is (64, 61), so that the crop 48..73 sees the digit, mirrored or not */
    VIEW_X = 44,
    VIEW_Y = 41,
    FINE = 8, /* samples per pixel of the still picture */
    PAD = 9,  /* pixels of margin of the picture: the path reaches 7.3 pixels */
    MAP = (VIEW + 2 * PAD) * FINE,
    STEP_US = 1000 /* of the simulation; events within a step are placed by linear interpolation */
};

/* ---- the scene ---- */

/* The still digit: log intensity above the background, FINE samples per pixel, the digit's middle in the middle. */
typedef struct picture {
    double map[MAP * MAP];
    int x0, y0, x1, y1; /* pixels from the middle that the digit covers, x0 <= x < x1 */
} picture;

/* Ratio of bright to dark, e^contrast: by squaring of its series at contrast / 1024. */
static double brightness(double contrast)
{
    double bright = 1.0 + contrast / 1024.0 * (1.0 + contrast / 2048.0);
    for (int i = 0; i < 10; ++i) bright = bright * bright;
    return bright;
}

static void limit_extent(picture *pic)
{
    const int limit = VIEW / 2; /* far beyond every digit of the font */
    if (pic->x0 < -limit) pic->x0 = -limit;
    if (pic->y0 < -limit) pic->y0 = -limit;
    if (pic->x1 > limit) pic->x1 = limit;
    if (pic->y1 > limit) pic->y1 = limit;
}

static void draw_picture(const tern__glyph *g, double contrast, picture *pic)
{
    const double soft = 0.9; /* pixels: half the width of an edge, lens and pixel together */
    const double reach = g->half_width + soft;
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    for (unsigned i = 0; i < g->n; ++i)
        for (int end = 0; end < 2; ++end) {
            const double x = g->seg[i].x0 + end * g->seg[i].dx, y = g->seg[i].y0 + end * g->seg[i].dy;
            if (x < x0) x0 = x;
            if (x > x1) x1 = x;
            if (y < y0) y0 = y;
            if (y > y1) y1 = y;
        }
    pic->x0 = (int)(x0 - reach) - 1, pic->y0 = (int)(y0 - reach) - 1, pic->x1 = (int)(x1 + reach) + 2,
    pic->y1 = (int)(y1 + reach) + 2;
    limit_extent(pic);
    const double bright = brightness(contrast);
    memset(pic->map, 0, sizeof pic->map);
    for (int j = MAP / 2 + pic->y0 * FINE; j < MAP / 2 + pic->y1 * FINE; ++j)
        for (int i = MAP / 2 + pic->x0 * FINE; i < MAP / 2 + pic->x1 * FINE; ++i) {
            const double d = tern__glyph_distance(g, (i - MAP / 2 + 0.5) / FINE, (j - MAP / 2 + 0.5) / FINE);
            double c = (reach - d) / (2.0 * soft); /* coverage */
            if (c <= 0.0) continue;
            if (c > 1.0) c = 1.0;
            c = c * c * (3.0 - 2.0 * c);
            pic->map[j * MAP + i] = tern__ln(1.0 + (bright - 1.0) * c);
        }
}

/* Value of an image at a place between its pixels, 0..255; 0 outside. */
static double image_at(const uint8_t *pixels, int rows, int columns, double x, double y)
{
    const int i = (int)(x + 1.0) - 1, j = (int)(y + 1.0) - 1; /* rounded down; x, y > -1 */
    const double fx = x - i, fy = y - j;
    double v[2][2];
    for (int b = 0; b < 2; ++b)
        for (int a = 0; a < 2; ++a)
            v[b][a] = i + a < 0 || j + b < 0 || i + a >= columns || j + b >= rows
                          ? 0.0
                          : (double)pixels[(j + b) * columns + i + a];
    const double top = v[0][0] + fx * (v[0][1] - v[0][0]), bottom = v[1][0] + fx * (v[1][1] - v[1][0]);
    return top + fy * (bottom - top);
}

/* An image instead of a digit: its longer side covers `size` pixels. */
static void draw_image(const uint8_t *pixels, int rows, int columns, double size, double contrast, picture *pic)
{
    const double scale = size / (rows > columns ? rows : columns); /* pixels of the camera for one of the image */
    const double half_x = columns * scale / 2.0, half_y = rows * scale / 2.0, bright = brightness(contrast);
    pic->x1 = (int)half_x + 2, pic->y1 = (int)half_y + 2;
    pic->x0 = -pic->x1, pic->y0 = -pic->y1;
    limit_extent(pic);
    memset(pic->map, 0, sizeof pic->map);
    for (int j = MAP / 2 + pic->y0 * FINE; j < MAP / 2 + pic->y1 * FINE; ++j)
        for (int i = MAP / 2 + pic->x0 * FINE; i < MAP / 2 + pic->x1 * FINE; ++i) {
            const double x = ((i - MAP / 2 + 0.5) / FINE + half_x) / scale - 0.5,
                         y = ((j - MAP / 2 + 0.5) / FINE + half_y) / scale - 0.5;
            if (x <= -1.0 || y <= -1.0 || x >= columns || y >= rows) continue;
            const double c = image_at(pixels, rows, columns, x, y) / 255.0;
            if (c > 0.0) pic->map[j * MAP + i] = tern__ln(1.0 + (bright - 1.0) * c);
        }
}

/* How the view lies over the picture: sample (0, 0) of the first pixel, and the bilinear weights, which all pixels
 * share. */
typedef struct view {
    int i, j;
    double fu, fv;
} view;

static double look(const picture *pic, const view *w, int x, int y)
{
    const double *p = pic->map + (w->j + y * FINE) * MAP + w->i + x * FINE;
    const double a = p[0] + w->fu * (p[1] - p[0]), b = p[MAP] + w->fu * (p[MAP + 1] - p[MAP]);
    return a + w->fv * (b - a);
}

/* The closed path: a triangle, or there and back. */
/* corners; share of the way, at[3] = 1; stops at each corner */
typedef struct path {
    double x[4], y[4], at[4];
    bool rests;
} path;

static void path_make(const tern_sim_settings *set, tern__draws *d, path *p)
{
    static const double cx[4] = { -3.4, 3.4, 0.4, -3.4 }, cy[4] = { 1.3, 1.9, -2.3, 1.3 };
    const double size = set->path_px;
    double sum = 0.0;
    p->rests = set->motion == TERN_SIM_SACCADES;
    for (int i = 0; i < 3; ++i) {
        p->x[i] = size * cx[i] * tern__draw_range(d, 0.93, 1.07);
        p->y[i] = size * cy[i] * tern__draw_range(d, 0.93, 1.07);
    }
    if (set->motion == TERN_SIM_LINE) { /* the third side has no length */
        p->x[2] = p->x[0];
        p->y[2] = p->y[0];
    }
    p->x[3] = p->x[0];
    p->y[3] = p->y[0];
    p->at[0] = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double dx = p->x[i + 1] - p->x[i], dy = p->y[i + 1] - p->y[i];
        sum += sqrt(dx * dx + dy * dy);
        p->at[i + 1] = sum;
    }
    for (int i = 0; i < 3; ++i) p->at[i + 1] = sum > 0.0 ? p->at[i + 1] / sum : (i + 1) / 3.0;
    p->at[3] = 1.0;
}

static void path_at(const path *p, double share, double *x, double *y) /* 0 <= share < 1 */
{
    const int i = share < p->at[1] ? 0 : share < p->at[2] ? 1 : 2;
    double f = (share - p->at[i]) / (p->at[i + 1] - p->at[i]);
    if (p->rests) { /* a third of the time at rest, then quick in the middle */
        f = f < 1.0 / 3.0 ? 0.0 : (f - 1.0 / 3.0) * 1.5;
        f = f * f * (3.0 - 2.0 * f);
    }
    *x = p->x[i] + f * (p->x[i + 1] - p->x[i]);
    *y = p->y[i] + f * (p->y[i + 1] - p->y[i]);
}

/* ---- the camera ---- */

/* no event before ready_us */
typedef struct pixel {
    double now, reference, theta_on, theta_off;
    int64_t ready_us;
} pixel;

typedef struct events {
    tern_event *list;
    size_t n, room;
    tern_arena *arena;
    bool refused;
} events;

static void emit(events *e, uint64_t t, uint32_t x, uint32_t y, bool on)
{
    if (e->refused) return;
    if (e->n == e->room) { /* straight from the allocator, so that growing leaves nothing behind in the arena */
        const size_t room = e->room == 0 ? 32768 : e->room * 2;
        tern_event *list =
            e->n >= TERN_SIM_MAX_EVENTS ? NULL : e->arena->alloc.fn(e->arena->alloc.ud, e->list, room * sizeof *list);
        if (list == NULL) {
            e->refused = true;
            return;
        }
        e->list = list;
        e->room = room;
    }
    e->list[e->n++] = (tern_event){ t, (uint16_t)x, (uint16_t)y, on };
}

static bool later(const tern_event *a, const tern_event *b)
{
    if (a->t_us != b->t_us) return a->t_us > b->t_us;
    if (a->y != b->y) return a->y > b->y;
    if (a->x != b->x) return a->x > b->x;
    return a->on > b->on;
}

/* Shell sort by a total order: the result does not depend on the method. */
static void sort_events(tern_event *e, size_t n)
{
    size_t gap = 1;
    while (gap < n / 3) gap = gap * 3 + 1;
    for (; gap >= 1; gap /= 3)
        for (size_t i = gap; i < n; ++i) {
            const tern_event v = e[i];
            size_t k = i;
            for (; k >= gap && later(&e[k - gap], &v); k -= gap) e[k] = e[k - gap];
            e[k] = v;
        }
}

/* The pixel's log intensity went linearly from `now` to `next` within the step beginning at t0: events at every
 * crossing of a threshold. */
static void pixel_step(pixel *p, double next, int64_t t0, uint32_t refractory_us, uint32_t x, uint32_t y, events *out)
{
    const double from = p->now, slope = next - from;
    p->now = next;
    for (;;) {
        const bool on = next - p->reference >= p->theta_on;
        if (!on && p->reference - next < p->theta_off) return;
        p->reference += on ? p->theta_on : -p->theta_off;
        double f = slope != 0.0 ? (p->reference - from) / slope : 1.0;
        f = f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f;
        const int64_t t = t0 + (int64_t)(f * STEP_US);
        if (t < p->ready_us) continue; /* lost: the reference has moved on, as in a pixel that is reset all the same */
        p->ready_us = t + refractory_us;
        emit(out, (uint64_t)t, x, y, on);
    }
}

/* Work memory of one recording. */
typedef struct scene {
    picture pic;
    pixel pixels[VIEW * VIEW];
} scene;

/* Where the digit is at time t: the view, and the pixels x0 <= x < x1, y0 <= y < y1 that can see it or saw it a step
 * ago. */
typedef struct place {
    view at;
    int x0, y0, x1, y1;
} place;

static int between(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

static place place_at(const picture *pic, const path *way, double start, uint32_t period_us, uint64_t t)
{
    const double turns = start + (double)(t % period_us) / period_us;
    double x, y;
    path_at(way, turns >= 1.0 ? turns - 1.0 : turns, &x, &y);
    /* the middle of pixel 0 in samples, positive thanks to the margin */
    const double u = PAD * FINE + 0.5 * FINE - 0.5 - x * FINE, v = PAD * FINE + 0.5 * FINE - 0.5 - y * FINE;
    /* rounded down */
    const int i = (int)u, j = (int)v, cx = (int)(x + 100.0) - 100 + VIEW / 2, cy = (int)(y + 100.0) - 100 + VIEW / 2;
    return (place){ .at = { i, j, u - i, v - j },
                    /* a pixel more on every side: a step is below 0.5 pixel */
                    .x0 = between(cx + pic->x0 - 1, 0, VIEW),
                    .x1 = between(cx + pic->x1 + 2, 0, VIEW),
                    .y0 = between(cy + pic->y0 - 1, 0, VIEW),
                    .y1 = between(cy + pic->y1 + 2, 0, VIEW) };
}

/* The picture of `sc` moves before the camera. Draws are of (digit, sample). */
static void expose(const tern_sim_settings *set, unsigned digit, uint32_t sample, const path *way, double start,
                   scene *sc, events *out)
{
    place now = place_at(&sc->pic, way, start, set->period_us, 0);

    tern__draws camera, first;
    tern__draws_init(&camera, set->seed, TERN__DRAW_CAMERA, 0, 0); /* the same pixels in every recording of a seed */
    tern__draws_init(&first, set->seed, TERN__DRAW_START, digit, sample);
    for (int j = 0; j < VIEW; ++j)
        for (int i = 0; i < VIEW; ++i) {
            pixel *p = &sc->pixels[j * VIEW + i];
            p->theta_on = set->threshold * (1.0 + set->mismatch * tern__draw_normal(&camera));
            p->theta_off = set->threshold * (1.0 + set->mismatch * tern__draw_normal(&camera));
            p->now = look(&sc->pic, &now.at, i, j);
            const double r = tern__draw_range(&first, -0.5, 0.5); /* somewhere between two events */
            p->reference = p->now + r * (r > 0.0 ? p->theta_off : p->theta_on);
            p->ready_us = 0;
        }

    tern__draws noise;
    tern__draws_init(&noise, set->seed, TERN__DRAW_NOISE, digit, sample);
    const double noise_per_us = set->noise_hz * SENSOR * SENSOR * 1e-6;
    double next_noise = noise_per_us > 0.0 ? -tern__ln(tern__draw_range(&noise, 0.0, 1.0)) / noise_per_us : 1e18;
    for (uint64_t t = 0; t < set->duration_us && !out->refused; t += STEP_US) {
        const size_t begin = out->n;
        now = place_at(&sc->pic, way, start, set->period_us, t + STEP_US);
        for (int j = now.y0; j < now.y1; ++j)
            for (int i = now.x0; i < now.x1; ++i)
                pixel_step(&sc->pixels[j * VIEW + i], look(&sc->pic, &now.at, i, j), (int64_t)t, set->refractory_us,
                           (uint32_t)(VIEW_X + i), (uint32_t)(VIEW_Y + j), out);
        while (next_noise < (double)(t + STEP_US) && !out->refused) {
            const uint32_t w = tern__draw(&noise);
            emit(out, (uint64_t)next_noise, w & 127u, (w >> 7) & 127u, (w >> 14 & 1u) != 0);
            next_noise += -tern__ln(tern__draw_range(&noise, 0.0, 1.0)) / noise_per_us;
        }
        /* before the first event there is no list */
        if (out->n > begin) sort_events(out->list + begin, out->n - begin);
    }
}

/* Events that get lost between camera and recording, and that arrive late. Both draws are made for every event, so a
 * larger loss only takes more of the same events away. */
static void readout(const tern_sim_settings *set, unsigned digit, uint32_t sample, events *e)
{
    tern__draws d;
    size_t n = 0;
    if (set->loss_percent == 0 && set->jitter_ms == 0) return;
    tern__draws_init(&d, set->seed, TERN__DRAW_NOISE, TERN__READOUT, digit << 20 | sample);
    for (size_t i = 0; i < e->n; ++i) {
        const bool lost = (uint64_t)tern__draw(&d) * 100u >> 32 < set->loss_percent;
        const uint64_t late = (uint64_t)tern__draw(&d) * (set->jitter_ms * 1000u + 1u) >> 32;
        if (lost) continue;
        e->list[n] = e->list[i];
        e->list[n++].t_us += late;
    }
    e->n = n;
    if (n != 0) sort_events(e->list, n);
}

enum { IMAGE = 15 }; /* instead of the digit in the counters of an image's draws */

/* Events to a recording. */
static tern_status finish(events *e, int32_t label, tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    tern_event *list = e->refused ? NULL : tern_arena_get(arena, e->n, sizeof *list);
    const bool too_many = e->n >= TERN_SIM_MAX_EVENTS;
    if (list != NULL && e->n != 0) {
        memcpy(list, e->list, e->n * sizeof *list);
        const uint64_t t0 = list[0].t_us; /* times count from the first event, as in every recording */
        for (size_t i = 0; i < e->n; ++i) list[i].t_us -= t0;
    }
    if (e->list != NULL) arena->alloc.fn(arena->alloc.ud, e->list, 0);
    if (list == NULL) {
        if (!too_many) return TERN_ERR_MEMORY;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_EVENTS, NULL, 0, NULL,
                                      "the recording would hold more than %u events", TERN_SIM_MAX_EVENTS),
                       "a shorter duration, a higher threshold or less noise");
        return TERN_ERR_LIMIT;
    }
    *out = (tern_recording){
        .width = SENSOR, .height = SENSOR, .n_events = e->n, .events = list, .label = label, .format = "simulated"
    };
    return TERN_OK;
}

/* A digit, or (pixels given) an image. */
static tern_status simulate(const tern_sim_settings *set, unsigned digit, uint32_t sample, const uint8_t *pixels,
                            int rows, int columns, tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    scene *sc = arena->alloc.fn(arena->alloc.ud, NULL, sizeof *sc);
    if (sc == NULL) return TERN_ERR_MEMORY;
    events e = { .arena = arena };
    tern__draws d;
    tern__glyph glyph;
    path way;
    tern__draws_init(&d, set->seed, TERN__DRAW_SHAPE, digit, sample);
    if (pixels == NULL) tern__glyph_make(digit, &d, &glyph);
    path_make(set, &d, &way);
    const double start = tern__draw_range(&d, 0.0, 0.1);
    if (pixels == NULL) draw_picture(&glyph, set->contrast, &sc->pic);
    else draw_image(pixels, rows, columns, set->size_px, set->contrast, &sc->pic);
    expose(set, digit, sample, &way, start, sc, &e);
    readout(set, digit, sample, &e);
    arena->alloc.fn(arena->alloc.ud, sc, 0);
    return finish(&e, pixels == NULL ? (int32_t)digit : -1, arena, out, diags);
}

tern_status tern_sim_digit(const tern_sim_settings *set, unsigned digit, uint32_t sample, tern_arena *arena,
                           tern_recording *out, tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    out->label = -1;
    const tern_status s = tern_sim_check(set, diags);
    if (s != TERN_OK) return s;
    if (digit > 9 || sample >= TERN_SIM_MAX_SAMPLES) return TERN_ERR_ARGUMENT;
    return simulate(set, digit, sample, NULL, 0, 0, arena, out, diags);
}

tern_status tern_sim_image(const tern_sim_settings *set, const uint8_t *pixels, uint32_t rows, uint32_t columns,
                           uint32_t sample, tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    out->label = -1;
    const tern_status s = tern_sim_check(set, diags);
    if (s != TERN_OK) return s;
    if (sample >= TERN_SIM_MAX_SAMPLES || rows < 1 || columns < 1 || rows > TERN_SIM_MAX_IMAGE ||
        columns > TERN_SIM_MAX_IMAGE)
        return TERN_ERR_ARGUMENT;
    return simulate(set, IMAGE, sample, pixels, (int)rows, (int)columns, arena, out, diags);
}
