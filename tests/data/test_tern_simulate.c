/* test_tern_simulate.c : the generated recordings: the same bytes everywhere, and like real ones
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_fixture.h"
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define PINNED_ONE UINT64_C(0x7609eaa631aaeb7f) /* FNV-1a 64 of a file */
#define PINNED_ALL UINT64_C(0x6dc85d6628fb86e8) /* of 40 files */

enum { CROP = 48, SIDE = 26, WINDOWS = 80, WINDOW_US = 25000 };

static tern_diags diags;

static uint64_t fnv(const uint8_t *b, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; ++i) h = (h ^ b[i]) * 0x100000001b3u;
    return h;
}

static uint64_t digest_of(const tern_sim_settings *set, unsigned digit, uint32_t sample)
{
    tern_arena a;
    tern_recording r;
    const uint8_t *bytes;
    size_t size;
    tern_arena_init(&a, tern_alloc_default(), 0);
    if (tern_sim_digit(set, digit, sample, &a, &r, &diags) != TERN_OK ||
        tern_aedat2_encode(&r, NULL, &a, &bytes, &size, &diags) != TERN_OK)
        return 0;
    const uint64_t h = fnv(bytes, size);
    tern_arena_free(&a);
    return h;
}

/* Share of non-empty (pixel, window) cells of the crop; adds the events per pixel to `picture` (may be NULL). */
static double filled(const tern_recording *r, bool mirror, double *picture)
{
    static bool seen[WINDOWS][SIDE][SIDE];
    memset(seen, 0, sizeof seen);
    int n = 0;
    for (size_t i = 0; i < r->n_events; ++i) {
        const tern_event e = r->events[i];
        const int x = (mirror ? 127 - e.x : e.x) - CROP, y = e.y - CROP, w = (int)(e.t_us / WINDOW_US);
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || w >= WINDOWS) continue;
        if (picture != NULL) picture[y * SIDE + x] += 1;
        n += !seen[w][y][x];
        seen[w][y][x] = true;
    }
    return n / (double)(WINDOWS * SIDE * SIDE);
}

static void same_bytes(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.seed = 7;
    const uint64_t a = digest_of(&set, 3, 5);
    CHECK_EQ(a, digest_of(&set, 3, 5));
    CHECK(a != digest_of(&set, 3, 6));
    CHECK(a != digest_of(&set, 8, 5));
    set.seed = 7 + (UINT64_C(1) << 40); /* all 64 bits count */
    CHECK(a != digest_of(&set, 3, 5));
    set.seed = 7;
    /* pinned: changes only when the font or the camera is changed on purpose (then say so in docs/30-data.md) */
    CHECK_EQ(a, PINNED_ONE);
    uint64_t all = 0;
    set.duration_us = 300000;
    set.noise_hz = 1.0;
    for (unsigned d = 0; d < 10; ++d)
        for (uint32_t k = 0; k < 4; ++k) all = all * 31 + digest_of(&set, d, k);
    CHECK_EQ(all, PINNED_ALL);
}

/* Each event's time not before its predecessor's; the refractory time holds per pixel. */
static void order_and_refractory(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.noise_hz = 0;
    set.threshold = 0.06;
    set.refractory_us = 3000;
    for (unsigned digit = 0; digit < 10; ++digit) {
        tern_arena a;
        tern_recording r;
        static int64_t last[128][128];
        tern_arena_init(&a, tern_alloc_default(), 0);
        CHECK_EQ(tern_sim_digit(&set, digit, 1000 + digit, &a, &r, &diags), TERN_OK);
        for (int y = 0; y < 128; ++y)
            for (int x = 0; x < 128; ++x) last[y][x] = -1000000;
        uint64_t shortest = UINT64_MAX, t = 0;
        CHECK_EQ(r.events[0].t_us, 0);
        for (size_t i = 0; i < r.n_events; ++i) {
            const tern_event e = r.events[i];
            CHECK(e.t_us >= t);
            t = e.t_us;
            CHECK(e.t_us <= set.duration_us);
            const int64_t gap = (int64_t)e.t_us - last[e.y][e.x];
            if ((uint64_t)gap < shortest) shortest = (uint64_t)gap;
            last[e.y][e.x] = (int64_t)e.t_us;
        }
        CHECK(shortest >= 3000);
        CHECK(shortest < 4000); /* the limit is really met */
        CHECK_EQ(r.label, digit);
        tern_arena_free(&a);
    }
}

static void statistics(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    double sum = 0, sum_mirrored = 0, events = 0, on = 0, least = 1, most = 0;
    unsigned n = 0;
    for (unsigned digit = 0; digit < 10; ++digit)
        for (uint32_t k = 0; k < 6; ++k, ++n) {
            tern_arena a;
            tern_recording r;
            tern_arena_init(&a, tern_alloc_default(), 0);
            CHECK_EQ(tern_sim_digit(&set, digit, k, &a, &r, &diags), TERN_OK);
            const double share = filled(&r, false, NULL);
            sum += share;
            sum_mirrored += filled(&r, true, NULL);
            least = share < least ? share : least;
            most = share > most ? share : most;
            events += (double)r.n_events;
            for (size_t i = 0; i < r.n_events; ++i) on += r.events[i].on;
            CHECK(r.events[r.n_events - 1].t_us > 2000000 + 5000);
            tern_arena_free(&a);
        }
    printf("non-empty cells: mean %.2f %% (%.2f .. %.2f), mirrored %.2f %%; events per recording %.0f, ON %.3f\n",
           100 * sum / n, 100 * least, 100 * most, 100 * sum_mirrored / n, events / n, on / events);
    CHECK(sum / n > 0.07 && sum / n < 0.11); /* a real recording: 9.9 %, mirrored 11.7 % */
    CHECK(least > 0.05 && most < 0.13);
    /* the digits stand in the middle between the crop and the mirrored crop */
    CHECK_NEAR(sum_mirrored / sum, 1.0, 0.1);
    CHECK_NEAR(on / events, 0.5, 0.05);
}

/* Noise alone: far from the digit its rate is the one asked for, and it is spread over pixels and time. */
static void noise(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.noise_hz = 2.0;
    tern_arena a;
    tern_recording r;
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_sim_digit(&set, 1, 0, &a, &r, &diags), TERN_OK);
    double n = 0, on = 0, early = 0, left = 0;
    for (size_t i = 0; i < r.n_events; ++i) {
        const tern_event e = r.events[i];
        if (e.y >= 40) continue; /* the digit stays below: 128 x 40 pixels of noise */
        n += 1;
        on += e.on;
        early += e.t_us < 1100000;
        left += e.x < 64;
    }
    const double want = 2.0 * 2.2 * 128 * 40; /* 22528, standard deviation 150 */
    CHECK_NEAR(n, want, 4 * sqrt(want));
    CHECK_NEAR(on, n / 2, 2 * sqrt(n)); /* 4 standard deviations of a fair coin */
    CHECK_NEAR(early, n / 2, 2 * sqrt(n));
    CHECK_NEAR(left, n / 2, 2 * sqrt(n));
    tern_arena_free(&a);
    set.noise_hz = 0;
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_sim_digit(&set, 1, 0, &a, &r, &diags), TERN_OK);
    for (size_t i = 0; i < r.n_events; ++i)
        CHECK(r.events[i].y >= 41 && r.events[i].y < 81 && r.events[i].x >= 44 && r.events[i].x < 84);
    tern_arena_free(&a);
}

/* Share of 100 ms spans in which the ON events lie ahead of the OFF events along the motion: the digit is brighter than
 * the ground. */
static double on_ahead(const tern_recording *r)
{
    double px = 0, py = 0, ahead = 0, spans = 0;
    size_t i = 0;
    bool before = false;
    double dx0 = 0, dy0 = 0;
    for (int k = 0; k < 20; ++k) {
        double s[2][3] = { { 0 } };
        for (; i < r->n_events && r->events[i].t_us < (uint64_t)(k + 1) * 100000; ++i) {
            const tern_event e = r->events[i];
            if (e.x < 40 || e.x > 90 || e.y < 40 || e.y > 85) continue;
            s[e.on][0] += 1;
            s[e.on][1] += e.x;
            s[e.on][2] += e.y;
        }
        const double x = (s[0][1] + s[1][1]) / (s[0][0] + s[1][0]), y = (s[0][2] + s[1][2]) / (s[0][0] + s[1][0]);
        const double dx = s[1][1] / s[1][0] - s[0][1] / s[0][0], dy = s[1][2] / s[1][0] - s[0][2] / s[0][0];
        if (before) { /* motion between the middles of two spans against the mean offset in them */
            ahead += (x - px) * (dx + dx0) + (y - py) * (dy + dy0) > 0;
            spans += 1;
        }
        px = x, py = y, dx0 = dx, dy0 = dy;
        before = true;
    }
    return ahead / spans;
}

static void polarity(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    for (unsigned digit = 0; digit < 10; ++digit) {
        tern_arena a;
        tern_recording r;
        tern_arena_init(&a, tern_alloc_default(), 0);
        CHECK_EQ(tern_sim_digit(&set, digit, 3, &a, &r, &diags), TERN_OK);
        CHECK(on_ahead(&r) >= 0.7);
        tern_arena_free(&a);
    }
}

/* The class follows from the counts per pixel, but two samples of a class are far from equal. */
static void classes_differ(void)
{
    enum { TRAIN = 12, TEST = 12 };
    static double mean[10][SIDE * SIDE], one[SIDE * SIDE], first[SIDE * SIDE];
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.seed = 3;
    memset(mean, 0, sizeof mean);
    unsigned right = 0, right01 = 0;
    double alike = 0;
    for (uint32_t k = 0; k < TRAIN + TEST; ++k)
        for (unsigned digit = 0; digit < 10; ++digit) {
            tern_arena a;
            tern_recording r;
            tern_arena_init(&a, tern_alloc_default(), 0);
            CHECK_EQ(tern_sim_digit(&set, digit, k, &a, &r, &diags), TERN_OK);
            memset(one, 0, sizeof one);
            filled(&r, false, one);
            tern_arena_free(&a);
            double norm = 0;
            for (int i = 0; i < SIDE * SIDE; ++i) norm += one[i] * one[i];
            for (int i = 0; i < SIDE * SIDE; ++i) one[i] /= sqrt(norm);
            if (k < TRAIN) {
                for (int i = 0; i < SIDE * SIDE; ++i) mean[digit][i] += one[i] / TRAIN;
                if (digit == 0 && k == 0) memcpy(first, one, sizeof one);
                if (digit == 0 && k > 0)
                    for (int i = 0; i < SIDE * SIDE; ++i) alike += one[i] * first[i] / (TRAIN - 1);
                continue;
            }
            double score[10] = { 0 };
            unsigned best = 0;
            for (unsigned c = 0; c < 10; ++c) {
                for (int i = 0; i < SIDE * SIDE; ++i) score[c] += mean[c][i] * one[i] - 0.5 * mean[c][i] * mean[c][i];
                if (score[c] > score[best]) best = c;
            }
            right += best == digit;
            if (digit < 2) right01 += (score[1] > score[0]) == (digit == 1);
        }
    printf("nearest mean: %u of %u right, digits 0 and 1: %u of %u; cosine between samples of one class %.3f\n", right,
           TEST * 10, right01, TEST * 2, alike);
    CHECK(right >= 0.6 * TEST * 10);
    CHECK(right01 >= 0.9 * TEST * 2);
    CHECK(alike > 0.3 && alike < 0.95);
}

/* Loss takes events away and changes nothing else; jitter moves them back by at most its time, and keeps the order. */
static void loss_and_jitter(void)
{
    tern_arena a;
    tern_recording all, some, fewer, late;
    tern_sim_settings set;
    tern_arena_init(&a, tern_alloc_default(), 0);
    tern_sim_defaults(&set);
    CHECK_EQ(tern_sim_digit(&set, 3, 7, &a, &all, &diags), TERN_OK);
    set.loss_percent = 30;
    CHECK_EQ(tern_sim_digit(&set, 3, 7, &a, &some, &diags), TERN_OK);
    set.loss_percent = 60;
    CHECK_EQ(tern_sim_digit(&set, 3, 7, &a, &fewer, &diags), TERN_OK);
    CHECK(fabs((double)some.n_events / (double)all.n_events - 0.7) < 0.03); /* 7,000 events: 0.7 +- 0.006 */
    CHECK(fabs((double)fewer.n_events / (double)all.n_events - 0.4) < 0.03);
    const tern_recording *larger[2] = { &all, &some }, *smaller[2] = { &some, &fewer };
    for (int k = 0; k < 2; ++k) { /* a part of them, in their order; times count from the first that is left */
        size_t i = 0, found = 0;
        int64_t shift = -1;
        for (size_t j = 0; j < smaller[k]->n_events; ++j, ++i) {
            const tern_event e = smaller[k]->events[j];
            for (; i < larger[k]->n_events; ++i) {
                const tern_event f = larger[k]->events[i];
                const int64_t by = (int64_t)(f.t_us - e.t_us);
                if (f.x == e.x && f.y == e.y && f.on == e.on && by >= 0 && (shift < 0 || by == shift)) break;
            }
            if (i == larger[k]->n_events) break;
            if (shift < 0) shift = (int64_t)(larger[k]->events[i].t_us - e.t_us);
            ++found;
        }
        CHECK_EQ(found, smaller[k]->n_events);
    }
    set.loss_percent = 0;
    set.jitter_ms = 40;
    CHECK_EQ(tern_sim_digit(&set, 3, 7, &a, &late, &diags), TERN_OK);
    CHECK_EQ(late.n_events, all.n_events);
    static int64_t sum[128][128][2];
    memset(sum, 0, sizeof sum);
    double mean = 0, moved = 0;
    for (size_t i = 0; i < all.n_events; ++i) {
        const tern_event e = all.events[i], f = late.events[i];
        CHECK(i == 0 || f.t_us >= late.events[i - 1].t_us);
        ++sum[e.y][e.x][e.on];
        --sum[f.y][f.x][f.on];
        mean += ((double)f.t_us - (double)e.t_us) / (double)all.n_events;
        moved += e.x != f.x || e.y != f.y;
    }
    for (size_t i = 0; i < 128 * 128 * 2; ++i) CHECK_EQ((&sum[0][0][0])[i], 0); /* the same pixels */
    CHECK(moved > 0.5 * (double)all.n_events);
    CHECK(mean > 10000 && mean < 20500); /* half of the jitter, less what the first event is late */
    tern_arena_free(&a);
}

static void wrong_settings(void)
{
    tern_arena a;
    tern_recording r;
    tern_arena_init(&a, tern_alloc_default(), 0);
    for (int k = 0; k < 18; ++k) {
        tern_sim_settings set;
        tern_sim_defaults(&set);
        switch (k) {
        case 0: set.duration_us = 49999; break;
        case 1: set.duration_us = 60000001; break;
        case 2: set.refractory_us = 1000001; break;
        case 3: set.period_us = 0; break;
        case 4: set.path_px = -0.1; break;
        case 5: set.path_px = 2.1; break;
        case 6: set.contrast = 0; break;
        case 7: set.contrast = 1e300; break;
        case 8: set.threshold = 0; break;
        case 9: set.threshold = NAN; break;
        case 10: set.mismatch = -1; break;
        case 11: set.mismatch = 0.3; break;
        case 12: set.noise_hz = -1; break;
        case 13: set.noise_hz = INFINITY; break;
        case 14: set.noise_hz = NAN; break;
        case 15: set.threshold = INFINITY; break;
        case 16: set.loss_percent = 100; break;
        case 17: set.jitter_ms = 1001; break;
        }
        tern_diags_init(&diags);
        CHECK_EQ(tern_sim_digit(&set, 0, 0, &a, &r, &diags), TERN_ERR_ARGUMENT);
        CHECK(fixture_has(&diags, 450, TERN_SEV_ERROR));
    }
    tern_sim_settings set;
    tern_sim_defaults(&set);
    CHECK_EQ(tern_sim_digit(&set, 10, 0, &a, &r, &diags), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_sim_digit(&set, 0, TERN_SIM_MAX_SAMPLES, &a, &r, &diags), TERN_ERR_ARGUMENT);
    /* extremes that are allowed */
    set.path_px = 0;
    set.noise_hz = 0;
    set.duration_us = 50000;
    CHECK_EQ(tern_sim_digit(&set, 0, 0, &a, &r, &diags), TERN_OK); /* stands still: not one event */
    CHECK_EQ(r.n_events, 0);
    set.path_px = 2;
    set.period_us = 100000;
    set.contrast = 5;
    set.threshold = 0.05;
    set.mismatch = 0.25;
    set.refractory_us = 0;
    set.noise_hz = 20;
    CHECK_EQ(tern_sim_digit(&set, 8, 999999, &a, &r, &diags), TERN_OK);
    set.duration_us = 60000000; /* far more events than allowed */
    tern_diags_init(&diags);
    CHECK_EQ(tern_sim_digit(&set, 8, 999999, &a, &r, &diags), TERN_ERR_LIMIT);
    CHECK(fixture_has(&diags, 454, TERN_SEV_ERROR));
    tern_arena_free(&a);
}

static bool stop_after_three(void *ud, uint64_t done, uint64_t total)
{
    CHECK_EQ(total, 8);
    ++*(unsigned *)ud;
    return done < 3;
}

static void folders(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.duration_us = 60000;
    tern_sim_set what = { .classes = { 7, 2 }, .n_classes = 2, .first = 10, .count = 4 };
    tern_sim_totals one, two;
    tern_dataset ds;
    tern_arena a;
    struct stat st;
    tern_diags_init(&diags);
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_sim_write_set(&set, &what, "s", tern_alloc_default(), NULL, NULL, &one, &diags), TERN_OK);
    CHECK_EQ(tern_dataset_open("s", &a, &ds, &diags), TERN_OK);
    CHECK_EQ(ds.n, 8);
    CHECK_STR(ds.paths[0], "s/d7_000010.aedat");
    CHECK_STR(ds.paths[1], "s/d2_000010.aedat");
    CHECK_STR(ds.paths[7], "s/d2_000013.aedat");
    CHECK_EQ(ds.labels[6], 7);
    uint64_t n = 0;
    for (size_t i = 0; i < ds.n; ++i) {
        tern_recording r;
        CHECK_EQ(tern_recording_load(ds.paths[i], "auto", &a, &r, &diags), TERN_OK);
        n += r.n_events;
    }
    CHECK_EQ(n, one.n_events);
    CHECK_EQ(one.n_files, 8);
    CHECK_EQ(diags.n, 0);
    /* a folder that is not empty is left alone */
    CHECK_EQ(tern_sim_write_set(&set, &what, "s", tern_alloc_default(), NULL, NULL, &two, &diags), TERN_ERR_IO);
    CHECK(fixture_has(&diags, 451, TERN_SEV_ERROR));
    what.overwrite = true;
    CHECK_EQ(tern_sim_write_set(&set, &what, "s", tern_alloc_default(), NULL, NULL, &two, &diags), TERN_OK);
    CHECK_STR(one.sha256, two.sha256);
    /* the digest is that of the files: cat labels.csv and the recordings in its order */
    CHECK_EQ(
        system("cd s && cat labels.csv $(tail -n +2 labels.csv | cut -d, -f1) | sha256sum | cut -c1-64 > ../digest"),
        0);
    size_t size = 0;
    uint8_t *text = fixture_read("digest", &size);
    CHECK(text != NULL && size >= 64 && memcmp(text, one.sha256, 64) == 0);
    free(text);
    /* stopped: no list, so that nobody takes the folder for a whole set */
    unsigned calls = 0;
    CHECK_EQ(tern_sim_write_set(&set, &what, "s", tern_alloc_default(), stop_after_three, &calls, &two, &diags),
             TERN_ERR_IO);
    CHECK_EQ(calls, 3);
    CHECK(stat("s/labels.csv", &st) != 0);
    CHECK_EQ(system("ls s/*.tmp* 2>/dev/null"), 2 << 8);
    /* places that cannot be written */
    fixture_write("file", "x", 1);
    what.overwrite = false;
    CHECK_EQ(tern_sim_write_set(&set, &what, "file", tern_alloc_default(), NULL, NULL, &two, &diags), TERN_ERR_IO);
    CHECK_EQ(tern_sim_write_set(&set, &what, "no/such/parent", tern_alloc_default(), NULL, NULL, &two, &diags),
             TERN_ERR_IO);
    CHECK_EQ(mkdir("t", 0777), 0);
    CHECK_EQ(mkdir("t/d7_000010.aedat", 0777), 0); /* a folder where a file should come */
    what.overwrite = true;
    CHECK_EQ(tern_sim_write_set(&set, &what, "t", tern_alloc_default(), NULL, NULL, &two, &diags), TERN_ERR_IO);
    CHECK(fixture_has(&diags, 452, TERN_SEV_ERROR));
    /* what is asked for makes no sense */
    tern_sim_set bad[] = { what, what, what, what, what, what };
    bad[0].n_classes = 0;
    bad[1].n_classes = 11;
    bad[2].classes[1] = 7;
    bad[3].classes[0] = 10;
    bad[4].count = 0;
    bad[5].first = TERN_SIM_MAX_SAMPLES - 3;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        CHECK_EQ(tern_sim_write_set(&set, &bad[i], "never", tern_alloc_default(), NULL, NULL, &two, &diags),
                 TERN_ERR_ARGUMENT);
    CHECK(stat("never", &st) != 0);
    tern_arena_free(&a);
}

static void real(void)
{
    tern_arena a;
    tern_recording r;
    tern_diags_init(&diags);
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_recording_load(fixture_real("mnist-dvs/mnist_0_scale04_0001.aedat"), "auto", &a, &r, &diags),
             TERN_OK);
    CHECK(on_ahead(&r) >= 0.7);
    CHECK_NEAR(filled(&r, false, NULL), 5344.0 / 54080, 1e-12);
    tern_arena_free(&a);
}

/* Nothing to see and no noise: no events, and nothing is read or moved where there is no list (clang's sanitizer
 * looks). */
static void nothing_to_see(void)
{
    static const uint8_t black[4];
    tern_sim_settings set;
    tern_arena arena;
    tern_recording rec;
    tern_diags d;
    tern_sim_defaults(&set);
    set.seed = 1;
    set.noise_hz = 0;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&d);
    CHECK_EQ(tern_sim_image(&set, black, 2, 2, 0, &arena, &rec, &d), TERN_OK);
    CHECK_EQ(rec.n_events, 0);
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "real") == 0) {
        real();
        return tern_check_report("data.polarity_real");
    }
    char dir[] = "/tmp/tern-simulate-XXXXXX", back[4096], remove_all[100];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    tern_diags_init(&diags);
    same_bytes();
    order_and_refractory();
    loss_and_jitter();
    statistics();
    noise();
    polarity();
    classes_differ();
    nothing_to_see();
    wrong_settings();
    folders();
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.simulate");
}
