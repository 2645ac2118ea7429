/* test_tern_decode.c : spikes back to values, code by code and for populations; classes that several neurons stand for
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include "tern/encode.h"
#include "tern_check.h"

enum { ROOM = 1 << 20 };
static tern_diags diags;
static tern_encode_spec spec;
static uint8_t spikes[ROOM];

static void begin(tern_code code, uint32_t steps)
{
    tern_diags_init(&diags);
    tern_encode_defaults(&spec);
    spec.code = (uint8_t)code;
    spec.steps = steps;
}

/* Encodes and decodes n values; largest distance of a value from what comes back. */
static double there_and_back(const double *v, uint32_t n, double *back)
{
    tern_encode_counts c = { 0 };
    double worst = 0.0;
    CHECK((size_t)spec.steps * tern_encode_units(&spec, n) <= ROOM);
    CHECK_EQ(tern_encode(&spec, v, 1, n, 3, spikes, &c, &diags), TERN_OK);
    CHECK_EQ(tern_decode(&spec, spikes, 1, n, back, &diags), TERN_OK);
    for (uint32_t i = 0; i < n; ++i) {
        const double d = fabs(back[i] - v[i]);
        if (!(d <= worst)) worst = d; /* NaN is the worst */
    }
    return worst;
}

static void single_units(void)
{
    double v[101], back[101];
    for (int i = 0; i <= 100; ++i) v[i] = -20.0 + 0.5 * i; /* lo .. hi */
    begin(TERN_CODE_EVEN, 200);
    spec.lo = -20.0, spec.hi = 30.0;
    CHECK(there_and_back(v, 101, back) <= 0.5 / 200 * 50 + 1e-9); /* half a spike of 200 */
    spec.rate = 0.5;
    CHECK(there_and_back(v, 101, back) <= 0.5 / 100 * 50 + 1e-9);
    begin(TERN_CODE_TIME, 201);
    spec.lo = -20.0, spec.hi = 30.0, spec.threshold = 0.0;
    CHECK(there_and_back(v, 101, back) <= 0.5 / 200 * 50 + 1e-9); /* half a step */
    spec.threshold = 0.3;                                         /* no spike: lo */
    CHECK_EQ(tern_decode(&spec, spikes, 1, 101, back, &diags), TERN_OK);
    (void)there_and_back(v, 101, back);
    CHECK_NEAR(back[29], -20.0, 1e-12);
    CHECK_NEAR(back[31], v[31], 0.126);
    begin(TERN_CODE_RATE, 2000);
    spec.lo = -20.0, spec.hi = 30.0, spec.rate = 0.8;
    CHECK(there_and_back(v, 101, back) < 5 * 50 * sqrt(0.25 / 2000) / 0.8); /* five standard deviations */
    CHECK_NEAR(back[0], -20.0, 1e-12);
    begin(TERN_CODE_RATE, 4);
    spec.rate = 0.5, spec.hi = 10.0;
    memset(spikes, 1, 4); /* more than rate 0.5 expects: not above hi */
    CHECK_EQ(tern_decode(&spec, spikes, 1, 1, back, &diags), TERN_OK);
    CHECK(back[0] == 10.0);
    begin(TERN_CODE_TIME, 1);
    spikes[0] = 1, spikes[1] = 0;
    CHECK_EQ(tern_decode(&spec, spikes, 1, 2, back, &diags), TERN_OK);
    CHECK(back[0] == 1.0 && back[1] == 0.0);
    begin(TERN_CODE_RATE, 1);
    spec.rate = 0.0; /* says nothing of the value */
    spikes[0] = 0;
    CHECK_EQ(tern_decode(&spec, spikes, 1, 1, back, &diags), TERN_OK);
    CHECK(isnan(back[0]));
    CHECK_EQ(diags.n, 0);
}

/* Values that move: every row within a threshold of what was encoded. */
static void changes(void)
{
    double v[40 * 2], back[40 * 2];
    tern_encode_counts c = { 0 };
    begin(TERN_CODE_CHANGE, 16);
    spec.threshold = 0.05;
    spec.hi = 2.0;
    for (int k = 0; k < 40; ++k) {
        v[2 * k] = 1.0 + sin(0.3 * k);
        v[2 * k + 1] = (k % 10) * 0.2;
    }
    CHECK_EQ(tern_encode(&spec, v, 40, 2, 0, spikes, &c, &diags), TERN_OK);
    CHECK(c.n_lost == 2 * 3); /* three falls from 1.8 to 0 are 18 thresholds in 16 steps */
    back[0] = v[0], back[1] = v[1];
    CHECK_EQ(tern_decode(&spec, spikes, 40, 2, back, &diags), TERN_OK);
    CHECK(back[0] == v[0] && back[1] == v[1]);
    for (int k = 1; k < 40; ++k) CHECK(fabs(back[2 * k] - v[2 * k]) < 2.0 * 0.05 + 1e-9);
    /* before the first fall */
    for (int k = 1; k < 10; ++k) CHECK(fabs(back[2 * k + 1] - v[2 * k + 1]) < 2.0 * 0.05 + 1e-9);
}

static void populations(void)
{
    double v[201], back[201];
    for (int i = 0; i <= 200; ++i) v[i] = i / 200.0;
    static const tern_code codes[] = { TERN_CODE_EVEN, TERN_CODE_RATE, TERN_CODE_TIME };
    for (int k = 0; k < 3; ++k) {
        begin(codes[k], 400);
        spec.population = 11;
        spec.threshold = 0.0;
        CHECK(there_and_back(v, 201, back) < 0.03); /* the ends are drawn inwards: 0.024 */
        double inner = 0.0;
        for (int i = 30; i <= 170; ++i) inner = fmax(inner, fabs(back[i] - v[i]));
        CHECK(inner < (codes[k] == TERN_CODE_RATE ? 0.025 : 0.006));
        /* rises with the value */
        for (int i = 1; i <= 200 && codes[k] != TERN_CODE_RATE; ++i) CHECK(back[i] >= back[i - 1] - 0.004);
    }
    /* rows of two values, by change: the first row is known, the others follow */
    begin(TERN_CODE_CHANGE, 40);
    spec.population = 5;
    spec.threshold = 0.02;
    double moving[30 * 2], seen[30 * 2];
    tern_encode_counts c = { 0 };
    for (int k = 0; k < 30; ++k) {
        moving[2 * k] = 0.2 + 0.02 * k;
        moving[2 * k + 1] = 0.5 + 0.3 * cos(0.2 * k);
    }
    CHECK_EQ(tern_encode(&spec, moving, 30, 2, 0, spikes, &c, &diags), TERN_OK);
    CHECK_EQ(c.n_lost, 0);
    seen[0] = moving[0], seen[1] = moving[1];
    CHECK_EQ(tern_decode(&spec, spikes, 30, 2, seen, &diags), TERN_OK);
    for (int i = 0; i < 60; ++i) CHECK_NEAR(seen[i], moving[i], 0.04);
    /* by hand: three units, counts 3, 1, 0 of 4 steps: (0 * 3 + 1 * 1 + 2 * 0) / 4 / 2 = 0.125 of lo..hi */
    static const uint8_t hand[12] = { 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0 };
    begin(TERN_CODE_RATE, 4);
    spec.population = 3;
    spec.lo = 100.0, spec.hi = 200.0;
    CHECK_EQ(tern_decode(&spec, hand, 1, 1, back, &diags), TERN_OK);
    CHECK_NEAR(back[0], 112.5, 1e-9);
    /* first spikes in steps 0 and 1 of 4: answers 1, 2/3, 0 */
    spec.code = TERN_CODE_TIME;
    static const uint8_t late[12] = { 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0 };
    CHECK_EQ(tern_decode(&spec, late, 1, 1, back, &diags), TERN_OK);
    CHECK_NEAR(back[0], 100.0 + 100.0 * (2.0 / 3.0) / (5.0 / 3.0) / 2.0, 1e-9);
    memset(spikes, 0, 12);
    CHECK_EQ(tern_decode(&spec, spikes, 1, 1, back, &diags), TERN_OK);
    CHECK(isnan(back[0])); /* silent */
    CHECK_EQ(diags.n, 0);
}

static void classes(void)
{
    static const uint32_t counts[6] = { 4, 0, 3, 3, 2, 2 };
    CHECK_EQ(tern_decode_class(counts, 3, 2), 1);
    CHECK_EQ(tern_decode_class(counts, 6, 1), 0);
    CHECK_EQ(tern_decode_class(counts, 2, 3), 0); /* 7, 7: the first */
    CHECK_EQ(tern_decode_class(counts + 1, 5, 1), 1);
    static const uint32_t silent[4] = { 0 };
    CHECK_EQ(tern_decode_class(silent, 2, 2), 0);
    static const uint32_t large[4] = { UINT32_MAX, 0, UINT32_MAX, 1 };
    CHECK_EQ(tern_decode_class(large, 2, 2), 1); /* sums do not wrap */
}

static void wrong(void)
{
    double v[2] = { 0.0, 0.0 };
    begin(TERN_CODE_RATE, 0);
    CHECK_EQ(tern_decode(&spec, spikes, 1, 1, v, &diags), TERN_ERR_ARGUMENT);
    CHECK(diags.n == 1 && diags.list[0].code == 462);
    begin(TERN_CODE_RATE, 1);
    CHECK_EQ(tern_decode(&spec, spikes, 1, 70000, v, &diags), TERN_ERR_LIMIT);
    CHECK(diags.n == 1 && diags.list[0].code == 462);
    CHECK_EQ(tern_decode(&spec, spikes, 1, 0, v, &diags), TERN_ERR_LIMIT);
    spec.steps = 1000000;
    CHECK_EQ(tern_decode(&spec, spikes, 5000, 1, v, &diags), TERN_ERR_LIMIT);
}

int main(void)
{
    single_units();
    changes();
    populations();
    classes();
    wrong();
    return tern_check_report("data.decode");
}
