/* test_tern_shift.c : phases side by side, and recordings that training moves, against a maker of frames of its own
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_fixture.h"
#include "tern_frames_store.h"

enum { N_RECORDINGS = 3, N_EVENTS = 60 };

static uint64_t draw_state = 20260129;
static uint32_t draw(uint32_t n) /* 0..n-1 */
{
    draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((draw_state >> 33) % n);
}

static tern_model model;
static tern_event events[N_RECORDINGS][N_EVENTS];
static uint32_t width, height, labels[N_RECORDINGS];

static bool on(const uint32_t *words, uint32_t row_words, uint32_t step, uint32_t p)
{
    return (words[(size_t)step * row_words + p / 32] >> p % 32 & 1u) != 0;
}

/* A sensor, a section of data that suits it, and recordings. */
static void draw_case(uint32_t k)
{
    static const uint32_t most[] = { 1, 2, 3, 16 }; /* phases and shifts about their limits */
    memset(&model, 0, sizeof model);
    strcpy(model.name, "m");
    tern_data_spec *d = &model.data;
    *d = (tern_data_spec){ .present = true, .format = "csv", .window_us = 1 + draw(200), .label_population = -1 };
    d->scale = 1 + draw(2);
    d->crop_width = d->scale * (1 + draw(3));
    d->crop_height = d->scale * (1 + draw(3));
    width = d->crop_width + draw(3) + 1; /* at least two: it can be moved */
    height = d->crop_height + draw(3) + 1;
    d->crop_x = draw(width - d->crop_width + 1);
    d->crop_y = draw(height - d->crop_height + 1);
    d->mirror_x = draw(2) != 0;
    d->mirror_y = draw(2) != 0;
    d->polarity = (uint8_t)draw(4);
    d->steps = 1 + draw(5);
    if (k % 4 != 0) {
        d->phases = (uint8_t)most[draw(4)];
        d->phase_steps = (uint8_t)(1 + draw(d->steps));
    }
    d->shift = (uint8_t)(k % 3 == 0 ? 0 : most[draw(4)]);
    const uint32_t w = d->crop_width / d->scale, h = d->crop_height / d->scale,
                   planes = (d->polarity == TERN_POL_SEPARATE ? 2u : 1u) * (d->phases == 0 ? 1u : d->phases);
    d->n_parts = 1;
    d->parts[0] = (tern_part){ 0, w > 1 ? 1 : 0, 0, w > 1 ? w - 1 : w, h };
    model.n_populations = 1;
    model.populations[0] =
        (tern_population){ .name = "in", .kind = TERN_POP_INPUT, .size = d->parts[0].width * h * planes, .pos = 32 };
    model.net.n_inputs_pos = 32 + (model.populations[0].size + 31) / 32 * 32;
    model.net.n_neurons_pos = 32;
    for (uint32_t r = 0; r < N_RECORDINGS; ++r) {
        uint64_t t = 0;
        labels[r] = draw(10);
        for (uint32_t i = 0; i < N_EVENTS; ++i) {
            events[r][i] = (tern_event){ t, (uint16_t)draw(width), (uint16_t)draw(height), (uint8_t)draw(2) };
            t += draw(d->window_us * 2 * d->steps * (d->phases == 0 ? 1u : d->phases) / 40 + 2);
        }
    }
}

/* What docs/30-data.md says, pixel by pixel: is unit (plane, row, column) of the part on in this step? */
static bool wanted(const tern_event *e, uint32_t plane, uint32_t row, uint32_t column, uint32_t step, int dx, int dy)
{
    const tern_data_spec *d = &model.data;
    const uint32_t polarities = d->polarity == TERN_POL_SEPARATE ? 2 : 1, phase = plane / polarities;
    uint32_t first = step; /* step of the recording */
    if (d->phases != 0) {
        if (step >= d->phase_steps) return false;
        first = phase * d->phase_steps + step;
    }
    for (uint32_t i = 0; i < N_EVENTS; ++i) {
        int x = e[i].x + dx, y = e[i].y + dy;
        if (x < 0 || y < 0 || x >= (int)width || y >= (int)height) continue;
        if (d->polarity == TERN_POL_ON && !e[i].on) continue;
        if (d->polarity == TERN_POL_OFF && e[i].on) continue;
        if (polarities == 2 && e[i].on != plane % 2) continue;
        if (d->mirror_x) x = (int)width - 1 - x;
        if (d->mirror_y) y = (int)height - 1 - y;
        x -= (int)d->crop_x;
        y -= (int)d->crop_y;
        if (x < 0 || y < 0 || x >= (int)d->crop_width || y >= (int)d->crop_height) continue;
        if (x / (int)d->scale != (int)(column + d->parts[0].x) || y / (int)d->scale != (int)row) continue;
        if (e[i].t_us / d->window_us == first) return true;
    }
    return false;
}

/* Frames of recording r against the page. */
static bool as_wanted(const tern_frames *f, uint32_t r, int dx, int dy)
{
    const tern_data_spec *d = &model.data;
    const tern_part *p = &d->parts[0];
    const uint32_t planes = model.populations[0].size / (p->width * p->height);
    if (f->n_steps != d->steps || f->words_in != model.net.n_inputs_pos / 32) return false;
    for (uint32_t t = 0; t < d->steps; ++t)
        for (uint32_t plane = 0; plane < planes; ++plane)
            for (uint32_t y = 0; y < p->height; ++y)
                for (uint32_t x = 0; x < p->width; ++x)
                    if (on(f->inputs, f->words_in, t, 32 + (plane * p->height + y) * p->width + x) !=
                        wanted(events[r], plane, y, x, t, dx, dy))
                        return false;
    return true;
}

static void write_recordings(void)
{
    char text[N_EVENTS * 40 + 100], list[200] = "file,label\n";
    for (uint32_t r = 0; r < N_RECORDINGS; ++r) {
        char name[40];
        int n = snprintf(text, sizeof text, "# sensor %u x %u\nt_us,x,y,p\n", width, height);
        for (uint32_t i = 0; i < N_EVENTS; ++i)
            n += snprintf(text + n, sizeof text - (size_t)n, "%llu,%u,%u,%u\n", (unsigned long long)events[r][i].t_us,
                          events[r][i].x, events[r][i].y, events[r][i].on);
        snprintf(name, sizeof name, "shift%u.csv", r);
        fixture_write(name, text, (size_t)n);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s,%u\n", name, labels[r]);
    }
    fixture_write("shift_list.csv", list, strlen(list));
}

/* Random sections of data: recordings as they are, and as presentations of a training show them. */
static void random_cases(void)
{
    uint32_t moved = 0, phased = 0, lit = 0;
    for (uint32_t k = 0; k < 120; ++k) {
        draw_case(k);
        write_recordings();
        tern_diags diags;
        tern_diags_init(&diags);
        tern_frames_store store;
        CHECK_EQ(tern_frames_store_open(&store, &model, "shift_list.csv", false, &diags), TERN_OK);
        for (uint32_t p = 0; p < 24; ++p) {
            tern_frames f = { 0 };
            int32_t dx = 0, dy = 0;
            const uint32_t r = p % N_RECORDINGS;
            if (model.data.shift != 0) tern_frames_shift(model.data.shift, 7 + k, p, &dx, &dy);
            CHECK_EQ(tern_frames_store_present(&store, r, 7 + k, p, &f, &diags), TERN_OK);
            const bool same = f.inputs != NULL && as_wanted(&f, r, dx, dy);
            CHECK(same && "a presentation is the recording, moved and in phases");
            if (f.inputs == NULL) continue;
            moved += dx != 0 || dy != 0;
            phased += model.data.phases > 1;
            for (uint32_t i = 0; i < f.n_steps * f.words_in; ++i) lit += f.inputs[i] != 0;
            CHECK_EQ(tern_frames_store_get(&store, r, &f, &diags), TERN_OK);
            const bool still = f.inputs != NULL && as_wanted(&f, r, 0, 0);
            CHECK(still && "measuring moves nothing");
        }
        CHECK(!fixture_has(&diags, 434, TERN_SEV_ERROR));
        tern_frames_store_close(&store);
    }
    CHECK(moved > 500 && phased > 500 && lit > 2000);
}

/* Numbers that another program made of the same rule (Threefry-2x32-20, docs/21-numerics.md, section 7). */
static void draws(void)
{
    uint32_t seen[5][5] = { 0 };
    int32_t x, y;
    static const struct {
        uint32_t shift;
        uint64_t seed;
        uint32_t presentation;
        int32_t x, y;
    } known[] = { { 1, 1u, 0u, 0, 0 },           { 1, 1u, 1u, 1, 0 },
                  { 2, 7u, 100u, 1, -1 },        { 16, 1099511627781u, 0u, -10, -14 },
                  { 16, 3u, 4294967294u, 1, 1 }, { 3, 2u, 12345u, -3, -1 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        tern_frames_shift(known[i].shift, known[i].seed, known[i].presentation, &x, &y);
        CHECK_EQ(x, known[i].x);
        CHECK_EQ(y, known[i].y);
    }
    for (uint32_t p = 0; p < 25000; ++p) {
        tern_frames_shift(2, 3, p, &x, &y);
        CHECK(x >= -2 && x <= 2 && y >= -2 && y <= 2);
        ++seen[y + 2][x + 2];
    }
    for (uint32_t i = 0; i < 25; ++i)
        CHECK(seen[i / 5][i % 5] > 850 && seen[i / 5][i % 5] < 1150); /* 1000 +- 5 sigma */
    tern_frames_shift(0, 3, 9, &x, &y);
    CHECK(x == 0 && y == 0);
}

static int error_of(tern_status *s)
{
    tern_diags diags;
    tern_arena arena;
    tern_frames f;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    const tern_recording r = {
        .width = width, .height = height, .n_events = N_EVENTS, .events = events[0], .label = -1
    };
    *s = tern_frames_from_recording(&model, &r, &arena, &f, &diags);
    tern_arena_free(&arena);
    for (size_t i = 0; i < diags.n; ++i)
        if (diags.list[i].severity == TERN_SEV_ERROR) return diags.list[i].code;
    return 0;
}

static void refused(void)
{
    tern_status s;
    do draw_case(1);
    while (model.data.phases != 3);
    const tern_model good = model;
    CHECK_EQ(error_of(&s), 0);
    CHECK_EQ(s, TERN_OK);
    static const struct {
        uint8_t phases, phase_steps;
        int code;
    } wrong[] = { { 0, 1, 430 }, { 1, 0, 430 }, { 17, 1, 430 }, { 3, 255, 430 }, { 2, 1, 424 }, { 4, 1, 424 } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        model = good;
        model.data.phases = wrong[i].phases;
        model.data.phase_steps = wrong[i].phase_steps;
        CHECK_EQ(error_of(&s), wrong[i].code);
        CHECK_EQ(s, TERN_ERR_DATA);
    }
    /* numbered units: a row that cannot be moved */
    draw_case(3);
    height = 1;
    for (uint32_t r = 0; r < N_RECORDINGS; ++r)
        for (uint32_t i = 0; i < N_EVENTS; ++i) events[r][i].y = 0;
    tern_data_spec *d = &model.data;
    d->crop_y = 0, d->crop_height = 1, d->scale = 1, d->phases = d->phase_steps = 0, d->polarity = TERN_POL_MERGE,
    d->mirror_y = false;
    d->parts[0] = (tern_part){ 0, 0, 0, d->crop_width, 1 };
    model.populations[0].size = d->crop_width;
    d->shift = 1;
    write_recordings();
    tern_diags diags;
    tern_frames_store store;
    tern_frames f;
    tern_diags_init(&diags);
    CHECK_EQ(tern_frames_store_open(&store, &model, "shift_list.csv", false, &diags), TERN_OK);
    CHECK_EQ(tern_frames_store_get(&store, 0, &f, &diags), TERN_OK); /* only training moves */
    uint32_t p = 0;
    for (int32_t x = 1, y = 1; x != 0 || y != 0; ++p) tern_frames_shift(1, 5, p, &x, &y);
    CHECK_EQ(tern_frames_store_present(&store, 0, 5, p - 1, &f, &diags), TERN_ERR_DATA); /* at once, even if by 0 */
    CHECK(fixture_has(&diags, 434, TERN_SEV_ERROR));
    tern_frames_store_close(&store);
}

int main(void)
{
    random_cases();
    draws();
    refused();
    remove("shift_list.csv");
    for (uint32_t r = 0; r < N_RECORDINGS; ++r) {
        char name[40];
        snprintf(name, sizeof name, "shift%u.csv", r);
        remove(name);
    }
    return tern_check_report("data.shift");
}
