/* test_tern_recordings.c : cut and damaged recordings; with an argument "real", real recordings and their known counts
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_fixture.h"

/* Where the records begin in an undamaged file. */
static size_t header_size(const uint8_t *b, size_t n)
{
    size_t p = 0;
    while (p < n && b[p] == '#') {
        while (b[p] != '\n') ++p;
        ++p;
    }
    return p;
}

/* Every result is an error with a diagnostic, or OK with every record counted. */
static void check_result(tern_status s, size_t n_records, const tern_recording *r, const tern_diags *d)
{
    if (s != TERN_OK) {
        CHECK(d->n_errors >= 1);
        CHECK(s == TERN_ERR_FORMAT || s == TERN_ERR_TRUNCATED || s == TERN_ERR_VERSION);
    } else {
        CHECK_EQ(r->n_events + r->n_other + r->n_off_sensor, n_records);
        CHECK_EQ(d->n_errors, 0);
    }
}

static void cut_and_damage(const uint8_t *bytes, size_t size)
{
    const size_t head = header_size(bytes, size);
    unsigned n_errors = 0;
    for (size_t n = 0; n <= size; n += 97) {
        tern_arena a;
        tern_recording r;
        tern_diags d;
        uint8_t *copy = malloc(n != 0 ? n : 1);
        if (copy == NULL) exit(1);
        memcpy(copy, bytes, n);
        tern_arena_init(&a, tern_alloc_default(), 0);
        tern_diags_init(&d);
        const tern_status s = tern_recording_decode(copy, n, "cut", "auto", &a, &r, &d);
        check_result(s, n < head ? 0 : (n - head) / 8, &r, &d);
        if (n >= head) CHECK_EQ(s, TERN_OK);
        if (s == TERN_OK && n > head && (n - head) % 8 != 0) CHECK(fixture_has(&d, 410, TERN_SEV_WARNING));
        tern_arena_free(&a);
        free(copy);
    }
    uint8_t *copy = malloc(size);
    if (copy == NULL) exit(1);
    memcpy(copy, bytes, size);
    static const uint8_t damage[] = { 0xff, 0x01, 0x80, 0x23 };
    for (size_t k = 0; k < size; k += 97)
        for (size_t v = 0; v < sizeof damage; ++v) {
            tern_arena a;
            tern_recording r;
            tern_diags d;
            copy[k] = (uint8_t)(bytes[k] ^ damage[v]);
            tern_arena_init(&a, tern_alloc_default(), 0);
            tern_diags_init(&d);
            const tern_status s = tern_recording_decode(copy, size, "damaged", "auto", &a, &r, &d);
            /* damage of the header may shift the records */
            if (s != TERN_OK || k >= head) check_result(s, (size - head) / 8, &r, &d);
            n_errors += s != TERN_OK;
            tern_arena_free(&a);
            copy[k] = bytes[k];
        }
    CHECK(n_errors >= 1);
    free(copy);
}

static void simulated(void)
{
    tern_arena a;
    tern_recording r;
    tern_diags d;
    tern_sim_settings set;
    const uint8_t *bytes;
    size_t size;
    tern_diags_init(&d);
    tern_sim_defaults(&set);
    set.duration_us = 500000;
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_sim_digit(&set, 5, 2, &a, &r, &d), TERN_OK);
    CHECK_EQ(tern_aedat2_encode(&r, NULL, &a, &bytes, &size, &d), TERN_OK);
    cut_and_damage(bytes, size);
    tern_arena_free(&a);
}

static void real(void)
{
    static const struct {
        const char *name;
        size_t bytes, events;
        uint64_t span_us;
        size_t bit0_clear, in_box;
    } known[] = {
        { "mnist-dvs/mnist_0_scale04_0001.aedat", 126168, 15744, 2210588, 7870, 11545 },
        { "mnist-dvs/mnist_0_scale04_0001_qt1.aedat", 14472, 1782, 196581, 943, 1290 },
        { "mnist-dvs/mnist_0_scale08_0001_qt1.aedat", 40840, 5078, 196557, 2734, 1724 },
        { "mnist-dvs/mnist_0_scale16_0001_qt1.aedat", 89888, 11209, 196604, 5858, 853 },
        { "mnist-poisson-aedat/test.aedat", 3205573, 400670, 99999906, 200335, 0 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        const char *path = fixture_real(known[k].name);
        size_t size = 0;
        uint8_t *bytes = fixture_read(path, &size);
        CHECK(bytes != NULL);
        if (bytes == NULL) {
            printf("missing: %s\n", path);
            continue;
        }
        tern_arena a;
        tern_recording r;
        tern_diags d;
        tern_arena_init(&a, tern_alloc_default(), 0);
        tern_diags_init(&d);
        CHECK_EQ(size, known[k].bytes);
        CHECK_EQ(tern_recording_load(path, "auto", &a, &r, &d), TERN_OK);
        CHECK_EQ(d.n, 0);
        CHECK_EQ(r.n_events, known[k].events);
        size_t on = 0, in_box = 0, in_mirrored = 0;
        for (size_t i = 0; i < r.n_events; ++i) {
            const tern_event e = r.events[i];
            on += e.on;
            in_box += e.x >= 48 && e.x <= 73 && e.y >= 48 && e.y <= 73;
            in_mirrored += 127 - e.x >= 48 && 127 - e.x <= 73 && e.y >= 48 && e.y <= 73;
        }
        CHECK_EQ(on, known[k].bit0_clear);
        CHECK_EQ(r.n_backwards + r.n_other + r.n_off_sensor + r.n_left_over, 0);
        CHECK_EQ(r.events[r.n_events - 1].t_us + r.t_first_us, known[k].span_us + (k == 4 ? r.t_first_us : 0));
        if (known[k].in_box != 0) CHECK_EQ(in_box, known[k].in_box);
        if (k == 0) CHECK_EQ(in_mirrored, 13576);
        tern_arena_free(&a);
        if (k < 4) cut_and_damage(bytes, size);
        free(bytes);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "real") == 0) {
        real();
        return tern_check_report("data.recordings_real");
    }
    simulated();
    return tern_check_report("data.recordings_damaged");
}
