/* test_tern_frames.c : recordings to frames; with an argument "real", the facts of a real recording
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_fixture.h"

static tern_model model;

/* in: input pool 0.. ; hid: neurons 64..; out: rows x columns visible at 0; answer: 3 visible units at 32 */
static void base_model(uint32_t in_size, uint32_t out_size)
{
    memset(&model, 0, sizeof model);
    strcpy(model.name, "m");
    const uint32_t out_pos = (out_size + 31) / 32 * 32;
    model.n_populations = 4;
    model.populations[0] = (tern_population){ .name = "in", .kind = TERN_POP_INPUT, .size = in_size, .pos = 32 };
    model.populations[1] = (tern_population){ .name = "out", .kind = TERN_POP_VISIBLE, .size = out_size, .pos = 0 };
    model.populations[2] = (tern_population){ .name = "answer", .kind = TERN_POP_VISIBLE, .size = 3, .pos = out_pos };
    model.populations[3] = (tern_population){ .name = "hid", .kind = TERN_POP_HIDDEN, .size = 4, .pos = out_pos + 32 };
    model.net.n_inputs_pos = 32 + (in_size + 31) / 32 * 32;
    model.net.n_neurons_pos = out_pos + 64;
    model.data = (tern_data_spec){ .present = true,
                                   .format = "auto",
                                   .window_us = 100,
                                   .steps = 4,
                                   .polarity = TERN_POL_MERGE,
                                   .label_population = -1 };
}

static bool bit(const uint32_t *words, uint32_t row_words, uint32_t step, uint32_t p)
{
    return words[step * row_words + p / 32] >> (p % 32) & 1u;
}

static uint32_t count_bits(const uint32_t *words, size_t n)
{
    uint32_t c = 0;
    for (size_t i = 0; i < n; ++i)
        for (uint32_t w = words[i]; w != 0; w &= w - 1) ++c;
    return c;
}

static tern_event events[] = {
    /* sensor 10 x 8 */
    { 0, 2, 1, 1 },   { 99, 2, 1, 0 },  { 100, 5, 3, 0 },           { 250, 4, 2, 1 },
    { 399, 3, 3, 1 }, { 400, 2, 1, 1 }, { 1000000000000, 2, 1, 1 },
};
static tern_recording rec = { .width = 10,
                              .height = 8,
                              .n_events = sizeof events / sizeof *events,
                              .events = events,
                              .label = 2,
                              .file = "r.aedat" };
static tern_arena arena;
static tern_frames f;
static tern_diags diags;

static tern_status frames(void)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    return tern_frames_from_recording(&model, &rec, &arena, &f, &diags);
}

static void small_crop(void)
{
    base_model(6, 6); /* crop 4 x 3 at (2, 1): left half in, right half out */
    tern_data_spec *d = &model.data;
    d->crop_x = 2, d->crop_y = 1, d->crop_width = 4, d->crop_height = 3;
    d->n_parts = 2;
    d->parts[0] = (tern_part){ 0, 0, 0, 2, 3 };
    d->parts[1] = (tern_part){ 1, 2, 0, 2, 3 };
    d->label_population = 2;
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(diags.n, 0);
    CHECK_EQ(f.n_steps, 4);
    CHECK_EQ(f.words_in, 2);
    CHECK_EQ(f.words_neuron, 3);
    CHECK_EQ(f.label, 2);
    CHECK(bit(f.inputs, 2, 0, 32 + 0));         /* (2,1) in step 0, both polarities in one bit */
    CHECK(bit(f.targets, 3, 1, 2 * 2 + 1));     /* (5,3): row 2, column 1 of out */
    CHECK(bit(f.targets, 3, 2, 1 * 2 + 0));     /* (4,2): row 1, column 0 */
    CHECK(bit(f.inputs, 2, 3, 32 + 2 * 2 + 1)); /* (3,3) at 399: last step; the event at 400 is behind it */
    CHECK_EQ(count_bits(f.inputs, 8), 2);
    CHECK_EQ(count_bits(f.targets, 12), 2 + 4); /* and unit 2 of answer in every step */
    for (uint32_t t = 0; t < 4; ++t) CHECK(bit(f.targets, 3, t, 32 + 2));

    d->mirror_x = true; /* x := 9 - x: (2,1) -> 7 outside, (5,3) -> 4, (4,2) -> 5, (3,3) -> 6 outside */
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(count_bits(f.inputs, 8), 0);
    CHECK(bit(f.targets, 3, 1, 2 * 2 + 0));
    CHECK(bit(f.targets, 3, 2, 1 * 2 + 1));
    d->mirror_y = true; /* y := 7 - y: rows 4, 5, 6 are outside 1..3 */
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(count_bits(f.targets, 12), 4);
    CHECK(fixture_has(&diags, 429, TERN_SEV_WARNING));
    d->crop_y = 4; /* 7-1=6, 7-3=4, 7-2=5 */
    CHECK_EQ(frames(), TERN_OK);
    CHECK(bit(f.targets, 3, 1, 0 * 2 + 0));
    CHECK(bit(f.targets, 3, 2, 1 * 2 + 1));
    d->mirror_x = d->mirror_y = false;
    d->crop_y = 1;

    d->polarity = TERN_POL_ON;
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(count_bits(f.inputs, 8), 2);
    CHECK_EQ(count_bits(f.targets, 12), 1 + 4);
    d->polarity = TERN_POL_OFF;
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(count_bits(f.inputs, 8), 1);
    CHECK_EQ(count_bits(f.targets, 12), 1 + 4);

    d->polarity = TERN_POL_SEPARATE; /* OFF plane first */
    model.populations[0].size = model.populations[1].size = 12;
    CHECK_EQ(frames(), TERN_OK);
    CHECK(bit(f.inputs, 2, 0, 32 + 0));
    CHECK(bit(f.inputs, 2, 0, 32 + 6 + 0));
    CHECK(bit(f.inputs, 2, 3, 32 + 6 + 5));
    CHECK(bit(f.targets, 3, 1, 5));
    CHECK(bit(f.targets, 3, 2, 6 + 2));
    CHECK_EQ(count_bits(f.inputs, 8), 3);
}

static void whole_sensor_and_short(void)
{
    base_model(80, 3);
    model.data.n_parts = 1;
    model.data.parts[0] = (tern_part){ 0, 0, 0, 10, 8 };
    model.data.sensor_width = 10;
    model.data.sensor_height = 8;
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(diags.n, 0);
    CHECK_EQ(count_bits(f.inputs, (size_t)f.n_steps * f.words_in), 4);
    CHECK(bit(f.inputs, f.words_in, 1, 32 + 3 * 10 + 5));
    rec.n_events = 5; /* last event at 399 us */
    CHECK_EQ(frames(), TERN_OK);
    CHECK_EQ(diags.n, 0); /* the last window is reached: not short */
    model.data.steps = 6;
    CHECK_EQ(frames(), TERN_OK);
    CHECK(fixture_has(&diags, 428, TERN_SEV_WARNING));
    CHECK_EQ(f.n_steps, 6);
    CHECK_EQ(count_bits(f.inputs + 4 * (size_t)f.words_in, 2 * (size_t)f.words_in), 0);
    rec.n_events = 0;
    CHECK_EQ(frames(), TERN_OK);
    CHECK(fixture_has(&diags, 428, TERN_SEV_WARNING));
    CHECK(fixture_has(&diags, 429, TERN_SEV_WARNING));
    CHECK_EQ(count_bits(f.inputs, (size_t)f.n_steps * f.words_in), 0);
    rec.n_events = sizeof events / sizeof *events;
}

/* Every wrong setting: its code, and nothing else happens. */
static void wrong_inputs(void)
{
    for (int k = 0; k < 24; ++k) {
        int code = 0;
        tern_status want = TERN_ERR_DATA;
        base_model(6, 6);
        tern_data_spec *d = &model.data;
        d->crop_x = 2, d->crop_y = 1, d->crop_width = 4, d->crop_height = 3;
        d->n_parts = 2;
        d->parts[0] = (tern_part){ 0, 0, 0, 2, 3 };
        d->parts[1] = (tern_part){ 1, 2, 0, 2, 3 };
        d->label_population = 2;
        rec.label = 2;
        /* clang-format off */
        switch (k) {
        case 0: d->present = false; code = 420; break;
        case 1: d->sensor_width = 128; code = 421; break;
        case 2: d->sensor_height = 7; code = 421; break;
        case 3: d->crop_width = 9; code = 422; break;
        case 4: d->crop_height = UINT32_MAX; code = 422; break;
        case 5: d->crop_x = UINT32_MAX; code = 422; break;
        case 6: d->crop_width = 0; code = 422; break;
        case 7: d->parts[1].x = 3; code = 423; break;
        case 8: d->parts[1].height = UINT32_MAX; code = 423; break;
        case 9: d->parts[0].width = 0; code = 423; break;
        case 10: d->parts[0].height = 2; code = 424; break;
        case 11: d->polarity = TERN_POL_SEPARATE; code = 424; break;
        case 12: d->parts[0].population = 4; code = 425; break;
        case 13: d->parts[0].population = 3; code = 425; break; /* hidden */
        case 14: d->parts[0].population = 1; code = 425; break; /* twice */
        case 15: d->label_population = 0; code = 425; break;    /* an input */
        case 16: d->label_population = 9; code = 425; break;
        case 17: d->label_population = 1; code = 425; break;    /* has a part already */
        case 18: rec.label = 3; code = 426; break;
        case 19: rec.label = INT32_MAX; code = 426; break;
        case 20: d->window_us = 0; code = 430; break;
        case 21: d->steps = 0; code = 430; break;
        case 22: d->steps = 1000001; code = 430; break;
        case 23: d->steps = 1000000; model.net.n_neurons_pos = 65536; code = 431; want = TERN_ERR_LIMIT; break;
        }
        /* clang-format on */
        const tern_status s = frames();
        if (s != want || !fixture_has(&diags, code, TERN_SEV_ERROR)) printf("case %d\n", k);
        CHECK_EQ(s, want);
        CHECK(fixture_has(&diags, code, TERN_SEV_ERROR));
        CHECK(f.inputs == NULL);
    }
    base_model(6, 6);
    model.data.label_population = 2;
    rec.label = -1; /* allowed for inference, but told */
    CHECK_EQ(frames(), TERN_OK);
    CHECK(fixture_has(&diags, 427, TERN_SEV_WARNING));
    CHECK_EQ(f.label, -1);
    CHECK_EQ(count_bits(f.targets, (size_t)f.n_steps * f.words_neuron), 0);
    rec.label = 2;
}

/* Squares of the crop become one unit; parts count in the squares. */
static void scaling(void)
{
    base_model(4, 6); /* crop 8 x 4 at (1, 2), squares of 2 x 2: 4 x 2 units, left half in */
    tern_data_spec *d = &model.data;
    d->crop_x = 1, d->crop_y = 2, d->crop_width = 8, d->crop_height = 4;
    d->scale = 2;
    d->n_parts = 1;
    d->parts[0] = (tern_part){ 0, 0, 0, 2, 2 };
    static tern_event e[] = { { 0, 1, 2, 1 },   { 1, 2, 3, 1 },   { 100, 3, 4, 0 }, { 200, 4, 5, 1 },
                              { 300, 5, 2, 1 }, { 301, 1, 6, 1 }, { 302, 0, 2, 1 } };
    const tern_recording r = { .width = 10, .height = 8, .n_events = sizeof e / sizeof *e, .events = e, .label = -1 };
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_frames_from_recording(&model, &r, &arena, &f, &diags), TERN_OK);
    CHECK(bit(f.inputs, 2, 0, 32 + 0)); /* (1,2) and (2,3) are one square */
    CHECK(bit(f.inputs, 2, 1, 32 + 3)); /* (3,4): column 1, row 1 */
    CHECK(bit(f.inputs, 2, 2, 32 + 3));
    CHECK_EQ(count_bits(f.inputs, 8), 3); /* the others lie in the right half, or outside the crop */
    static const struct {
        uint32_t scale, width, part;
        int code;
    } wrong[] = { { 3, 8, 2, 432 }, { 257, 8, 2, 432 }, { 8, 8, 2, 432 },
                  { 2, 7, 2, 432 }, { 2, 8, 5, 423 },   { 4, 8, 2, 423 } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        d->scale = wrong[i].scale;
        d->crop_width = wrong[i].width;
        d->parts[0].width = wrong[i].part;
        tern_diags_init(&diags);
        CHECK_EQ(tern_frames_from_recording(&model, &r, &arena, &f, &diags), TERN_ERR_DATA);
        CHECK(fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR));
    }
    d->scale = 1;
    d->crop_width = 8;
    d->parts[0] = (tern_part){ 0, 0, 0, 2, 2 };
    CHECK_EQ(tern_frames_from_recording(&model, &r, &arena, &f, &diags), TERN_OK); /* 1 is none, as 0 is */
}

static tern_status load(const char *path, int32_t label)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    return tern_frames_load(&model, path, label, &arena, &f, &diags);
}

/* Frames straight from files, with and without a sensor in the file. */
static void from_files(void)
{
    static const char text[] = "t,x,y,p\n1000,2,1,1\n1099,2,1,0\n1100,5,3,0\n1250,4,2,1\n1399,3,3,1\n";
    static const char with_sensor[] =
        "# sensor 10 x 8\nt,x,y,p\n1000,2,1,1\n1099,2,1,0\n1100,5,3,0\n1250,4,2,1\n1399,3,3,1\n";
    fixture_write("frames.csv", text, sizeof text - 1);
    fixture_write("sensor.csv", with_sensor, sizeof with_sensor - 1);
    base_model(80, 3);
    tern_data_spec *d = &model.data;
    d->n_parts = 1;
    d->parts[0] = (tern_part){ 0, 0, 0, 10, 8 };
    d->label_population = 2;
    CHECK_EQ(load("sensor.csv", 1), TERN_OK);
    CHECK_EQ(diags.n, 0);
    CHECK_EQ(f.label, 1);
    CHECK_EQ(count_bits(f.inputs, (size_t)f.n_steps * f.words_in), 4);
    CHECK(bit(f.inputs, f.words_in, 1, 32 + 3 * 10 + 5));
    CHECK_EQ(load("frames.csv", 1), TERN_ERR_DATA); /* without a sensor it is as large as the events need: 6 x 4 */
    CHECK(fixture_has(&diags, 423, TERN_SEV_ERROR));
    CHECK(strncmp(diags.list[0].hint, "shape = {4, 6} of the population '", 34) == 0); /* rows, columns */
    d->sensor_width = 10, d->sensor_height = 8;                                        /* the model's, then */
    CHECK_EQ(load("frames.csv", 1), TERN_OK);
    CHECK(bit(f.inputs, f.words_in, 1, 32 + 3 * 10 + 5));
    d->mirror_x = true;
    CHECK_EQ(load("frames.csv", 1), TERN_OK);
    CHECK(bit(f.inputs, f.words_in, 1, 32 + 3 * 10 + 4));
    d->sensor_width = d->sensor_height = 0; /* mirroring needs a sensor */
    CHECK_EQ(load("frames.csv", 1), TERN_ERR_DATA);
    CHECK(fixture_has(&diags, 433, TERN_SEV_ERROR));
    d->mirror_x = false;
    d->crop_width = 10, d->crop_height = 8; /* a crop is a sensor large enough */
    CHECK_EQ(load("frames.csv", 2), TERN_OK);
    CHECK(bit(f.inputs, f.words_in, 1, 32 + 3 * 10 + 5));
    d->crop_width = d->crop_height = 0;
    model.populations[0].size = 24;
    d->parts[0] = (tern_part){ 0, 0, 0, 6, 4 };
    CHECK_EQ(load("frames.csv", -1), TERN_OK); /* all of the events' rectangle */
    CHECK(fixture_has(&diags, 427, TERN_SEV_WARNING));
    CHECK(bit(f.inputs, f.words_in, 1, 32 + 3 * 6 + 5));
    /* a file that says how large it is, and a network that reads a corner of it without a crop */
    CHECK_EQ(load("sensor.csv", 1), TERN_OK);
    CHECK(fixture_has(&diags, 423, TERN_SEV_WARNING));
    CHECK(strstr(diags.list[0].message, "reads 6 x 4 pixels, the recording has 10 x 8") != NULL);
    CHECK(strncmp(diags.list[0].hint, "shape = {8, 10} ", 16) == 0);
    d->crop_width = 6, d->crop_height = 4; /* a crop says that it is meant */
    CHECK_EQ(load("sensor.csv", 1), TERN_OK);
    CHECK_EQ(diags.n, 0);
    d->crop_width = d->crop_height = 0;
    CHECK_EQ(load("frames.csv#1100..1300us", 0), TERN_OK); /* a part of it: time counts from its first event */
    CHECK(bit(f.inputs, f.words_in, 0, 32 + 3 * 6 + 5));
    CHECK_EQ(load("none.csv", 0), TERN_ERR_IO);
    d->present = false;
    CHECK_EQ(load("frames.csv", 0), TERN_ERR_DATA);
    CHECK(fixture_has(&diags, 420, TERN_SEV_ERROR));
    remove("frames.csv");
    remove("sensor.csv");
}

/* The memorise setting on the real recording: x := 127 - x, crop 48..73, 80 windows of 25 ms, rows 0..12 in, 13..25
 * out. The counts were made by a separate program from the bytes of the file. */
static void real(void)
{
    tern_recording full;
    tern_diags d;
    tern_arena a;
    tern_diags_init(&d);
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_recording_load(fixture_real("mnist-dvs/mnist_0_scale04_0001.aedat"), "auto", &a, &full, &d), TERN_OK);
    static const struct {
        bool mirror;
        tern_polarity polarity;
        uint32_t in, out;
    } facts[] = {
        { false, TERN_POL_MERGE, 1995, 3349 }, /* 5344 together */
        { false, TERN_POL_ON, 0, 2671 },       /* both halves: `in` 0 means only the sum is known */
        { false, TERN_POL_OFF, 0, 2703 },      { true, TERN_POL_MERGE, 2449, 3889 },
        { true, TERN_POL_ON, 0, 3093 },        { true, TERN_POL_OFF, 0, 3274 },
    };
    for (size_t k = 0; k < sizeof facts / sizeof *facts; ++k) {
        base_model(338, 338);
        tern_data_spec *s = &model.data;
        s->sensor_width = s->sensor_height = 128;
        s->mirror_x = facts[k].mirror;
        s->crop_x = s->crop_y = 48, s->crop_width = s->crop_height = 26;
        s->window_us = 25000, s->steps = 80;
        s->polarity = (uint8_t)facts[k].polarity;
        s->n_parts = 2;
        s->parts[0] = (tern_part){ 0, 0, 0, 26, 13 };
        s->parts[1] = (tern_part){ 1, 0, 13, 26, 13 };
        CHECK_EQ(tern_frames_from_recording(&model, &full, &a, &f, &d), TERN_OK);
        const uint32_t in = count_bits(f.inputs, (size_t)80 * f.words_in),
                       out = count_bits(f.targets, (size_t)80 * f.words_neuron);
        if (facts[k].in != 0) {
            CHECK_EQ(in, facts[k].in);
            CHECK_EQ(out, facts[k].out);
        } else {
            CHECK_EQ(in + out, facts[k].out);
        }
    }
    CHECK_EQ(d.n, 0);
    tern_arena_free(&a);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "real") == 0) {
        real();
        return tern_check_report("data.frames_real");
    }
    small_crop();
    whole_sensor_and_short();
    wrong_inputs();
    scaling();
    from_files();
    tern_arena_free(&arena);
    return tern_check_report("data.frames");
}
