/* test_tern_reward.c : the streaming van Rossum distance against the double sum over pairs of spikes and against the
 * integral it stands for
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/reward.h"
#include <stdlib.h>
#include "tern_check.h"
#include "tern_testnet.h"

enum { K = 5, N = 7, WORDS = 3, STEPS = 60 };

static _Alignas(8) unsigned char memory[4096];

/* Spikes s - x of one neuron as amounts a(t). Over all time, the filtered difference squared is a double sum over pairs
 * of spikes:
 *     (1 - rho^2)/2 sum_t f(t)^2 = 1/2 sum_ab a(t_a) a(t_b) rho^|t_a - t_b|
 * and cut off after step `end` the tail (1 - rho^2)/2 sum_{t > end} f(t)^2 = f(end)^2 rho^2 / 2 is missing. No
 * recursion here. */
static double direct(const int *a, int end, double tau)
{
    double sum = 0, last = 0;
    for (int i = 0; i <= end; ++i) {
        for (int j = 0; j <= end; ++j) sum += a[i] * a[j] * exp(-abs(i - j) / tau);
        last += a[i] * exp(-(end - i) / tau);
    }
    return sum / 2 - last * last * exp(-2 / tau) / 2;
}

static void double_sum(void)
{
    static const double taus[] = { 0.3, 1, 4, 25, 1000 };
    tern_testrand r = { 3 };
    for (size_t trial = 0; trial < sizeof taus / sizeof *taus; ++trial) {
        const double tau = taus[trial], gamma = trial == 0 ? 0 : trial == 4 ? 1 : 0.8;
        uint32_t pos[N];
        static int amount[K][N][STEPS];
        for (uint32_t i = 0; i < N; ++i) pos[i] = 13 * i + (i > 3); /* over three words */
        tern_van_rossum d;
        CHECK_EQ(tern_van_rossum_init(&d, K, N, pos, tau, gamma, memory, sizeof memory), TERN_OK);
        for (int example = 0; example < 2; ++example) { /* the second one knows nothing of the first */
            double before[K] = { 0 }, steps[K][STEPS];
            tern_van_rossum_begin(&d);
            for (int t = 0; t < STEPS; ++t) {
                uint32_t spikes[K * WORDS], targets[WORDS];
                for (int w = 0; w < K * WORDS; ++w)
                    spikes[w] = (uint32_t)tern_testrand_next(&r) & (uint32_t)tern_testrand_next(&r);
                for (int w = 0; w < WORDS; ++w)
                    targets[w] = (uint32_t)tern_testrand_next(&r) & (uint32_t)tern_testrand_next(&r);
                if (t % 9 == 0) memcpy(spikes + 2 * WORDS, targets, sizeof targets); /* sample 2 is right at times */
                for (int k = 0; k < K; ++k)
                    for (uint32_t i = 0; i < N; ++i)
                        amount[k][i][t] = (int)(spikes[k * WORDS + (int)(pos[i] / 32)] >> pos[i] % 32 & 1) -
                                          (int)(targets[pos[i] / 32] >> pos[i] % 32 & 1);
                tern_van_rossum_step(&d, spikes, WORDS, targets);
                for (int k = 0; k < K; ++k) {
                    double distance = 0, reward = 0;
                    for (int i = 0; i < N; ++i) distance += direct(amount[k][i], t, tau);
                    CHECK_NEAR(d.distance[k], distance, 1e-11 * (1 + distance));
                    steps[k][t] = distance - before[k];
                    CHECK_NEAR(d.step[k], steps[k][t], 1e-10 * (1 + distance));
                    for (int u = 0; u <= t; ++u) reward -= pow(gamma, t - u) * steps[k][u];
                    CHECK_NEAR(d.reward[k], reward, 1e-9 * (1 + distance));
                    before[k] = distance;
                }
            }
        }
    }
}

static double unmatched(double tau, int steps, int wanted_after)
{
    const uint32_t pos[1] = { 5 }, spike[1] = { 1u << 5 }, none[1] = { ~(1u << 5) }, wrong_place[1] = { 1u << 6 };
    tern_van_rossum d;
    if (tern_van_rossum_init(&d, 1, 1, pos, tau, 0.5, memory, sizeof memory) != TERN_OK) return -1;
    for (int t = 0; t < steps; ++t)
        tern_van_rossum_step(&d, t == 0 ? spike : wrong_place, 1, t == wanted_after ? spike : none);
    return d.distance[0];
}

/* What van Rossum's definition says: a spike too many 1/2; two spikes dt apart 1 - exp(-dt/tau); equal spikes 0. */
static void known_values(void)
{
    static const double taus[] = { 0.2, 1, 3, 50 };
    for (size_t i = 0; i < sizeof taus / sizeof *taus; ++i) {
        const int long_enough = 4 + (int)(20 * taus[i]);
        CHECK_NEAR(unmatched(taus[i], long_enough, -1), 0.5, 1e-14);
        CHECK_NEAR(unmatched(taus[i], long_enough, 2), 1 - exp(-2 / taus[i]), 1e-14);
        CHECK_NEAR(unmatched(taus[i], long_enough, 0), 0, 0);
    }
    CHECK_NEAR(unmatched(1e6, 2, -1), 2e-6, 1e-11); /* (1 - rho^2)/2 is 1/tau where tau is long, without cancellation */
    CHECK_NEAR(unmatched(1, 3000, -1), 0.5, 1e-14); /* a trace that dies out does no harm */
}

static void arguments(void)
{
    const uint32_t pos[1] = { 0 };
    tern_van_rossum d;
    CHECK_EQ(tern_van_rossum_bytes(0, 1), 0);
    CHECK_EQ(tern_van_rossum_bytes(33, 1), 0);
    CHECK_EQ(tern_van_rossum_bytes(1, 0), 0);
    CHECK_EQ(tern_van_rossum_bytes(1, 65536), 0);
    const size_t need = tern_van_rossum_bytes(2, 1);
    CHECK(need != 0 && need <= sizeof memory);
    CHECK_EQ(tern_van_rossum_init(&d, 2, 1, pos, 1, 1, memory, need), TERN_OK);
    CHECK_EQ(tern_van_rossum_init(&d, 2, 1, pos, 1, 1, memory, need - 1), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_van_rossum_init(&d, 2, 1, pos, 1, 1, memory + 1, need), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_van_rossum_init(&d, 2, 1, NULL, 1, 1, memory, need), TERN_ERR_ARGUMENT);
    static const double bad_tau[] = { 0, -1, NAN, INFINITY }, bad_gamma[] = { -0.1, 1.1, NAN };
    for (int i = 0; i < 4; ++i)
        CHECK_EQ(tern_van_rossum_init(&d, 2, 1, pos, bad_tau[i], 1, memory, need), TERN_ERR_ARGUMENT);
    for (int i = 0; i < 3; ++i)
        CHECK_EQ(tern_van_rossum_init(&d, 2, 1, pos, 1, bad_gamma[i], memory, need), TERN_ERR_ARGUMENT);
}

static void to_integers(void)
{
    static const struct {
        double r;
        int32_t f12;
    } known[] = {
        { 0, 0 },
        { 1, 4096 },
        { -1.5, -6144 },
        { 0.5 / 4096, 1 },
        { -0.5 / 4096, 0 },
        { 0.499 / 4096, 0 },
        { -0.501 / 4096, -1 },
        { 524287.999, 2147483644 },
        { 1e9, INT32_MAX },
        { -1e9, -INT32_MAX },
        { -524288, -INT32_MAX },
        { INFINITY, INT32_MAX },
        { -INFINITY, -INT32_MAX },
        { NAN, 0 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) CHECK_EQ(tern_reward_f12(known[i].r), known[i].f12);
}

int main(void)
{
    double_sum();
    known_values();
    arguments();
    to_integers();
    return tern_check_report("reward");
}
