/* test_tern_taxels.c : generated readings of a fingertip: the same bytes everywhere, the shape of the letters in them,
 * a file that says what the calls say
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/taxels.h"
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "data_fixture.h"
#include "tern/encode.h"

#define PINNED UINT64_C(0xea128b985b75f85a) /* FNV-1a 64 of all letters' first three samples, seed 7 */

typedef uint8_t frames[TERN_TAXEL_FRAMES][TERN_TAXELS];

static tern_diags diags;

static uint64_t fnv(uint64_t h, const void *bytes, size_t n)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < n; ++i) h = (h ^ b[i]) * 0x100000001b3u;
    return h;
}

static void same_bytes(void)
{
    tern_taxel_settings set;
    frames f, g;
    uint64_t h = 0xcbf29ce484222325u;
    tern_taxels_defaults(&set);
    set.seed = 7;
    for (unsigned label = 0; label < TERN_TAXEL_LETTERS; ++label)
        for (uint32_t k = 0; k < 3; ++k) {
            CHECK_EQ(tern_taxels_sample(&set, label, k, f, &diags), TERN_OK);
            h = fnv(h, f, sizeof f);
        }
    CHECK_EQ(h, PINNED); /* changes only when the formula is changed on purpose (then say so in docs/39-encoding.md) */
    CHECK_EQ(tern_taxels_sample(&set, 3, 5, f, &diags), TERN_OK);
    CHECK_EQ(tern_taxels_sample(&set, 3, 6, g, &diags), TERN_OK);
    CHECK(memcmp(f, g, sizeof f) != 0);
    set.seed = 7 + (UINT64_C(1) << 40); /* all 64 bits count */
    CHECK_EQ(tern_taxels_sample(&set, 3, 5, g, &diags), TERN_OK);
    CHECK(memcmp(f, g, sizeof f) != 0);
    CHECK_EQ(tern_taxels_sample(&set, TERN_TAXEL_LETTERS, 0, g, &diags), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_taxels_sample(&set, 0, TERN_TAXEL_MAX_SAMPLES, g, &diags), TERN_ERR_ARGUMENT);
    set.noise = NAN;
    tern_diags_init(&diags);
    CHECK_EQ(tern_taxels_sample(&set, 0, 0, g, &diags), TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&diags, 462, TERN_SEV_ERROR));
}

/* Without noise and spread every reading is the formula of the page; written here again, dot by dot. Rest and gain of a
 * taxel are taken from the readings themselves. */
static double felt(const char *dots, int t, int i)
{
    double sum = 0;
    for (; *dots != 0; ++dots) {
        const int k = *dots - '1';
        const double x = -7.0 + 0.21 * t + (i % 4 * 2.0 - 3.0) - (k >= 3 ? 2.5 : 0.0),
                     y = i / 4 * 2.0 - 2.0 - (k % 3 * 2.5 - 2.5), r = (x * x + y * y) / 4.84;
        if (r < 1) sum += (1 - r) * (1 - r);
    }
    return sum;
}

static void the_formula(void)
{
    static const struct {
        char letter;
        const char *dots;
    } letters[] = { { 'A', "1" },     { 'B', "12" },    { 'C', "14" },   { 'D', "145" },  { 'E', "15" },
                    { 'F', "124" },   { 'G', "1245" },  { 'H', "125" },  { 'I', "24" },   { 'J', "245" },
                    { 'K', "13" },    { 'L', "123" },   { 'M', "134" },  { 'N', "1345" }, { 'O', "135" },
                    { 'P', "1234" },  { 'Q', "12345" }, { 'R', "1235" }, { 'S', "234" },  { '_', "" },
                    { 'T', "2345" },  { 'U', "136" },   { 'V', "1236" }, { 'W', "2456" }, { 'X', "1346" },
                    { 'Y', "13456" }, { 'Z', "1356" } };
    tern_taxel_settings set;
    frames rest, q, f;
    double gain[TERN_TAXELS] = { 0 };
    tern_taxels_defaults(&set);
    set.noise = set.spread = 0;
    CHECK_EQ(tern_taxels_sample(&set, 19, 0, rest, &diags), TERN_OK); /* the space: nothing is felt */
    for (int i = 0; i < TERN_TAXELS; ++i) {
        CHECK(rest[0][i] >= 220 && rest[0][i] <= 245);
        for (int t = 1; t < TERN_TAXEL_FRAMES; ++t) CHECK_EQ(rest[t][i], rest[0][i]);
    }
    CHECK_EQ(tern_taxels_sample(&set, (unsigned)tern_taxels_letter('Q'), 0, q, &diags), TERN_OK);
    for (int i = 0; i < TERN_TAXELS; ++i) { /* the gain, where most is felt */
        double most = 0;
        for (int t = 0; t < TERN_TAXEL_FRAMES; ++t)
            if (felt("12345", t, i) > most) most = felt("12345", t, i), gain[i] = (rest[0][i] - q[t][i]) / most;
        CHECK(gain[i] > 58 && gain[i] < 102);
    }
    unsigned wrong = 0;
    for (unsigned n = 0; n < sizeof letters / sizeof *letters; ++n) {
        CHECK_EQ(tern_taxels_letter(letters[n].letter), n);
        CHECK_EQ(tern_taxels_sample(&set, n, 0, f, &diags), TERN_OK);
        for (int t = 0; t < TERN_TAXEL_FRAMES; ++t) /* the gain is known to about 2 */
            for (int i = 0; i < TERN_TAXELS; ++i)
                wrong += fabs(rest[0][i] - gain[i] * felt(letters[n].dots, t, i) - f[t][i]) > 3;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(tern_taxels_letter('a'), -1);
    CHECK_EQ(tern_taxels_letter(0), -1);
}

static void noise(void)
{
    tern_taxel_settings set;
    frames a, b;
    double sum = 0, squares = 0;
    int n = 0;
    tern_taxels_defaults(&set);
    set.spread = 0;
    set.noise = 0;
    CHECK_EQ(tern_taxels_sample(&set, 19, 0, a, &diags), TERN_OK);
    set.noise = 3;
    for (uint32_t k = 0; k < 8; ++k) {
        CHECK_EQ(tern_taxels_sample(&set, 19, k, b, &diags), TERN_OK);
        for (int t = 0; t < TERN_TAXEL_FRAMES; ++t)
            for (int i = 0; i < TERN_TAXELS; ++i, ++n) {
                const double d = (double)b[t][i] - a[t][i];
                sum += d;
                squares += d * d;
            }
    }
    /* 7392 readings; rounding adds 1/12 to the variance */
    const double mean = sum / n, sd = sqrt(squares / n - mean * mean);
    CHECK(fabs(mean) < 0.4);
    CHECK(sd > 2.9 && sd < 3.15);
}

static bool stop_at_three(void *ud, uint64_t done, uint64_t total)
{
    *(uint64_t *)ud = total;
    return done < 3;
}

/* What lies in the file is what the calls give, in the order that is promised; `encode` reads it with its labels. */
static void the_file(void)
{
    tern_taxel_settings set;
    tern_taxel_totals totals;
    const tern_taxel_set what = { .letters = { 19, 0 }, .n_letters = 2, .first = 4, .count = 3 };
    frames f;
    uint64_t total = 0;
    size_t size;
    tern_taxels_defaults(&set);
    tern_diags_init(&diags);
    CHECK_EQ(tern_taxels_write(&set, &what, "t.npz", stop_at_three, &total, &totals, &diags), TERN_ERR_IO);
    CHECK(total == 6 && access("t.npz", F_OK) != 0);
    CHECK_EQ(tern_taxels_write(&set, &what, "t.npz", NULL, NULL, &totals, &diags), TERN_OK);
    uint8_t *b = fixture_read("t.npz", &size);
    CHECK(b != NULL && totals.n_samples == 6 && totals.n_bytes == size);
    const uint8_t *at = NULL;
    CHECK_EQ(tern_taxels_sample(&set, 19, 4, f, &diags), TERN_OK);
    for (size_t i = 0; b != NULL && at == NULL && i + 6 * sizeof f <= size; ++i)
        if (memcmp(b + i, f, sizeof f) == 0) at = b + i;
    CHECK(at != NULL);
    for (unsigned k = 0; at != NULL && k < 6; ++k) {
        CHECK_EQ(tern_taxels_sample(&set, what.letters[k % 2], 4 + k / 2, f, &diags), TERN_OK);
        CHECK(memcmp(at + k * sizeof f, f, sizeof f) == 0);
    }
    free(b);
    static const tern_taxel_set bad[] = {
        { .letters = { 1, 1 }, .n_letters = 2, .count = 1 },
        { .letters = { 27 }, .n_letters = 1, .count = 1 },
        { .n_letters = 0, .count = 1 },
        { .letters = { 1 }, .n_letters = 1, .count = 0 },
        { .letters = { 1 }, .n_letters = 1, .first = TERN_TAXEL_MAX_SAMPLES, .count = 1 }
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        tern_diags_init(&diags);
        CHECK_EQ(tern_taxels_write(&set, &bad[i], "never.npz", NULL, NULL, &totals, &diags), TERN_ERR_ARGUMENT);
        CHECK(fixture_has(&diags, 462, TERN_SEV_ERROR) && access("never.npz", F_OK) != 0);
    }
}

int main(void)
{
    char dir[] = "/tmp/tern-taxels-XXXXXX", back[4096];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    tern_diags_init(&diags);
    same_bytes();
    the_formula();
    noise();
    the_file();
    (void)remove("t.npz");
    if (chdir(back) != 0 || rmdir(dir) != 0) return 1;
    return tern_check_report("data.taxels");
}
