/* test_tern_third_factor.c : the integers of rules, baselines, WTA circuits and votes against their definitions in real
 * numbers
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/engine.h"
#include "tern_baseline.h"
#include "tern_check.h"
#include "tern_netrules.h"
#include "tern_signal.h"
#include "tern_testnet.h"
#include "tern/vote.h"
#include "tern_wta.h"

static tern_net tables; /* only its tables are used */

/* N-18: within the width of a table entry everywhere; exact ln 2 per octave. */
static void logarithm(void)
{
    double worst = 0.0;
    for (uint32_t x = 1; x < 1u << 23; x = x < 100000 ? x + 1 : x + 37)
        worst = fmax(worst, fabs(tern_signal_log(x, tables.log_f12) / 4096.0 - log(x)));
    CHECK_NEAR(worst, 0.0, 0.0022); /* half an entry: 1/512, and the rounding of both terms */
    CHECK(worst > 0.0015);          /* the bound above is about the table, not about nothing */
    CHECK_EQ(tern_signal_log(1, tables.log_f12), tables.log_f12[0]);
    CHECK_EQ(tern_signal_log(2, tables.log_f12) - tables.log_f12[0], 2839);
    CHECK_EQ(tern_signal_log(65536, tables.log_f12) - tables.log_f12[0], 45426);
}

/* Learning signals of MB and IW (section 4) for every K. */
static void signals(void)
{
    tern_testrand r = { 5 };
    for (uint32_t k_n = 1; k_n <= TERN_MAX_SAMPLES; ++k_n)
        for (unsigned trial = 0; trial < 50; ++trial) {
            int32_t v[TERN_MAX_SAMPLES];
            int16_t m[TERN_MAX_SAMPLES];
            const int64_t reach = trial % 2 ? 4096 * 8 : 4096 * 3000;
            for (uint32_t k = 0; k < k_n; ++k) v[k] = (int32_t)tern_testrand_in(&r, -reach, 0);
            double top = -INFINITY, sum = 0.0;
            for (uint32_t k = 0; k < k_n; ++k) top = fmax(top, v[k] / 4096.0);
            for (uint32_t k = 0; k < k_n; ++k) sum += exp(v[k] / 4096.0 - top);
            uint64_t sat = 0;
            const uint32_t s = tern_signal_softmax(v, k_n, tables.exp_f16, m);
            CHECK_NEAR(tern_signal_log_mean(v, k_n, s, tables.log_f12, &sat) / 4096.0, top + log(sum / k_n), 0.006);
            CHECK_NEAR(tern_signal_share(v[0], k_n) / 4096.0, v[0] / 4096.0 / k_n, fabs(v[0] / 4096.0) * 8e-6 + 2e-4);
            CHECK_NEAR(tern_signal_mean(k_n) / 16384.0, 1.0 / k_n, 0.5 / 16384.0);
            CHECK_EQ(sat, 0);
        }
    /* N-19: rounding half up, 15 bits, counted */
    uint64_t sat = 0;
    CHECK_EQ(tern_signal_modulator(100, 90, 2, &sat), 3);  /* 2.5 */
    CHECK_EQ(tern_signal_modulator(90, 100, 2, &sat), -2); /* -2.5 */
    CHECK_EQ(sat, 0);
    CHECK_EQ(tern_signal_modulator(INT32_MAX, -INT32_MAX, 0, &sat), 16383);
    CHECK_EQ(tern_signal_modulator(-INT32_MAX, INT32_MAX, 12, &sat), -16383);
    CHECK_EQ(sat, 2);
}

/* N-20 is A[w g^2] / A[g^2] with averages of factor 1 - 2^-bs, whatever the signal does. */
static void baseline(void)
{
    tern_testrand r = { 77 };
    for (unsigned trial = 0; trial < 60; ++trial) {
        const unsigned shift = (unsigned)tern_testrand_in(&r, 3, 7);
        const uint32_t n = (uint32_t)tern_testrand_in(&r, 1, 32);
        const double lambda = 1.0 - ldexp(1.0, -(int)shift), level = (double)tern_testrand_in(&r, -2000, 0);
        double num = 0.0, den = 0.0;
        tern_baseline b = { 0, 0 };
        for (unsigned t = 0; t < 400; ++t) {
            int16_t g[TERN_MAX_SAMPLES];
            int32_t w[TERN_MAX_SAMPLES];
            num *= lambda;
            den *= lambda;
            for (uint32_t k = 0; k < n; ++k) {
                g[k] = (int16_t)tern_testrand_in(&r, -4095, 4095);
                w[k] =
                    (int32_t)(level * 4096.0) + (int32_t)tern_testrand_in(&r, -40960, 40960) + (t > 200 ? 100000 : 0);
                const double q = g[k] / 512.0 * (g[k] / 512.0);
                num += w[k] / 4096.0 * q;
                den += q;
            }
            b = tern_baseline_step(b, g, w, n, shift);
            /* q keeps 14 fraction bits, D rounds down by less than 1 a step */
            CHECK_NEAR(b.b_f12 / 4096.0, num / den, 0.02);
        }
    }
    /* the corners: nothing seen, zero weight, the largest weights for ever, the largest signals */
    int16_t g[TERN_MAX_SAMPLES] = { 0 };
    int32_t w[TERN_MAX_SAMPLES];
    tern_baseline b = tern_baseline_step((tern_baseline){ 123, 0 }, g, w, 0, 3);
    CHECK(b.b_f12 == 123 && b.weight == 0);
    for (unsigned k = 0; k < TERN_MAX_SAMPLES; ++k) {
        g[k] = k % 2 ? 4095 : -4095;
        w[k] = -2147483647;
    }
    b = (tern_baseline){ 2147483647, 0 };
    uint32_t last = 0;
    for (unsigned t = 0; t < 5000; ++t) {
        b = tern_baseline_step(b, g, w, TERN_MAX_SAMPLES, 7);
        CHECK(b.weight >= last); /* grows to its limit and never wraps */
        last = b.weight;
        CHECK_EQ(b.b_f12, -2147483647);
    }
    CHECK_EQ(tern_baseline_error(INT64_MAX / 2, 21), 4095);
    CHECK_EQ(tern_baseline_error(-(1 << 20), 21), 0); /* -0.5 rounds up */
    CHECK_EQ(tern_baseline_error((1 << 20), 21), 1);
}

/* Probabilities, draws, errors and cross-entropy of circuits, N-22..N-26. */
static void wta(void)
{
    tern_testrand r = { 9 };
    for (unsigned trial = 0; trial < 3000; ++trial) {
        const uint32_t size = (uint32_t)tern_testrand_in(&r, 2, trial % 3 == 0 ? 64 : 6);
        int32_t u[TERN_MAX_WTA];
        uint32_t p[TERN_MAX_WTA], p2[TERN_MAX_WTA];
        int16_t e[TERN_MAX_WTA], e2[TERN_MAX_WTA];
        const int64_t reach = trial % 4 == 0 ? 2047 : 600;
        for (uint32_t c = 0; c < size; ++c) u[c] = (int32_t)tern_testrand_in(&r, -reach, reach);
        if (trial % 7 == 0) u[size - 1] = 2047;
        double sum = 1.0;
        for (uint32_t c = 0; c < size; ++c) sum += exp(u[c] / 256.0);
        const tern_wta_in in = { u, size, (uint16_t)tern_testrand_in(&r, 0, 65535), false, 0 };
        const tern_wta_out out = tern_wta_step(&in, tables.exp_f16, tables.log_f12, p, e);
        uint32_t reached = 0, winner = size;
        for (uint32_t c = 0; c < size; ++c) {
            CHECK_NEAR(p[c] / 65536.0, exp(u[c] / 256.0) / sum, 0.0025 * exp(u[c] / 256.0) / sum + 5e-4);
            CHECK(p[c] < 65536u);
            reached += p[c];
            if (winner == size && in.draw < reached) winner = c;
        }
        CHECK(reached <= 65536u + size);
        CHECK_EQ(out.winner, winner);
        for (uint32_t c = 0; c < size; ++c) CHECK_NEAR(e[c] / 32768.0, (c == winner) - p[c] / 65536.0, 0.51 / 32768.0);
        CHECK_NEAR(out.l_f12 / 4096.0, log(sum) - (winner < size ? u[winner] / 256.0 : 0.0), 0.006);
        /* clamped: target and silence */
        const tern_wta_in forced = { u, size, 0, true, trial % 2 ? (uint32_t)tern_testrand_in(&r, 0, size - 1) : size };
        const tern_wta_out f = tern_wta_step(&forced, tables.exp_f16, tables.log_f12, p2, e2);
        CHECK_EQ(f.winner, forced.target);
        CHECK(memcmp(p, p2, size * sizeof *p) == 0);
        /* an improbable target: limited, not wrapped */
        for (uint32_t c = 0; c < size; ++c)
            CHECK_NEAR(e2[c] / 32768.0, (c == f.winner) - p[c] / 65536.0, 1.01 / 32768.0);
        CHECK_NEAR(f.l_f12 / 4096.0, log(sum) - (f.winner < size ? u[f.winner] / 256.0 : 0.0), 0.006);
    }
}

/* N-27, N-28 against a brute-force reading of the rules. */
static void votes(void)
{
    enum { CLASSES = 5, SAMPLES = 8, STEPS = 12, BATCHES = 3 };
    static uint64_t memory[4096];
    tern_testrand r = { 31 };
    CHECK_EQ(tern_vote_bytes(0, 1), 0);
    CHECK_EQ(tern_vote_bytes(1, 33), 0);
    CHECK_EQ(tern_vote_bytes(1025, 1), 0);
    for (unsigned trial = 0; trial < 400; ++trial) {
        const tern_vote_decode decode = (tern_vote_decode)(trial & 1u);
        tern_vote v;
        CHECK_EQ(tern_vote_init(&v, CLASSES, SAMPLES, decode, memory, sizeof memory), TERN_OK);
        uint32_t votes[CLASSES] = { 0 }, spikes[CLASSES] = { 0 };
        const unsigned rate = (unsigned)tern_testrand_in(&r, 2, 14); /* few spikes: many ties */
        for (unsigned batch = 0; batch < BATCHES; ++batch) {
            unsigned n[SAMPLES][CLASSES] = { { 0 } }, first[SAMPLES][CLASSES];
            memset(first, 0xff, sizeof first);
            for (unsigned t = 0; t < STEPS; ++t) {
                uint32_t frame[SAMPLES][2] = { { 0 } };
                for (unsigned k = 0; k < SAMPLES; ++k)
                    for (unsigned c = 0; c < CLASSES; ++c)
                        if (tern_testrand_one_in(&r, rate)) {
                            frame[k][(30 + c) / 32] |= 1u << (30 + c) % 32; /* the classes span two words */
                            ++n[k][c];
                            if (first[k][c] > t) first[k][c] = t;
                        }
                tern_vote_step(&v, &frame[0][0], 2, 30);
            }
            unsigned decided[SAMPLES];
            for (unsigned k = 0; k < SAMPLES; ++k) {
                /* a class wins if no other one beats it; of several the lowest */
                for (unsigned c = CLASSES; c-- > 0;) {
                    bool beaten = false;
                    for (unsigned o = 0; o < CLASSES; ++o) {
                        const bool more = n[k][o] > n[k][c], as_many = n[k][o] == n[k][c],
                                   sooner = first[k][o] < first[k][c], as_soon = first[k][o] == first[k][c];
                        if (decode == TERN_DECODE_RATE ? more || (as_many && sooner) : sooner || (as_soon && more))
                            beaten = true;
                    }
                    if (!beaten) decided[k] = c;
                    spikes[c] += n[k][c];
                }
                ++votes[decided[k]];
            }
            tern_vote_close(&v);
            for (unsigned k = 0; k < SAMPLES; ++k) CHECK_EQ(v.decision[k], decided[k]);
            unsigned winner = 0;
            for (unsigned c = 0; c < CLASSES; ++c) {
                CHECK_EQ(v.votes[c], votes[c]);
                CHECK_EQ(v.spikes[c], spikes[c]);
                if (votes[c] > votes[winner] || (votes[c] == votes[winner] && spikes[c] > spikes[winner])) winner = c;
            }
            CHECK_EQ(v.winner, winner);
            CHECK_EQ(v.decided, SAMPLES * (batch + 1));
            /* settled: no way to share `more` votes changes the winner */
            for (uint32_t more = 0; more <= 16; more += 4) {
                bool settled = true;
                for (unsigned c = 0; c < CLASSES; ++c)
                    if (c != winner && votes[c] + more >= votes[winner]) settled = false;
                CHECK_EQ(tern_vote_settled(&v, more), settled);
            }
        }
        tern_vote_begin(&v);
        CHECK(v.decided == 0 && v.votes[0] == 0 && v.spikes[1] == 0);
    }
}

int main(void)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (tern_testnet_tables(&arena, &tables) != TERN_OK) return 2;
    logarithm();
    signals();
    baseline();
    wta();
    votes();
    rules();
    tern_arena_free(&arena);
    return tern_check_report("test_tern_third_factor");
}
