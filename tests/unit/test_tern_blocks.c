/* test_tern_blocks.c : the blocks of the golden model against their definitions
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/net.h"
#include "tern_check.h"
#include "tern_history.h"
#include "tern_kernel.h"
#include "tern_neuron.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_signal.h"
#include "tern_trace.h"
#include "tern_weight.h"
#include "tern_testnet.h"

/* Known answers published with Random123 for threefry2x32, 20 rounds. */
static void random_known_answers(void)
{
    static const uint32_t vector[3][6] = {
        { 0, 0, 0, 0, 0x6b200159u, 0x99ba4efeu },
        { 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0x1cb996fcu, 0xbb002be7u },
        { 0x13198a2eu, 0x03707344u, 0x243f6a88u, 0x85a308d3u, 0xc4923a9cu, 0x483df7a0u }
    };
    for (unsigned i = 0; i < 3; ++i) {
        uint32_t out[2];
        tern_threefry2x32(&vector[i][0], &vector[i][2], out);
        CHECK_EQ(out[0], vector[i][4]);
        CHECK_EQ(out[1], vector[i][5]);
    }
    /* the ledger's counter: step, purpose << 28 | group << 16 | neuron, key (seed low, seed high) */
    const uint32_t key[2] = { 0x89abcdefu, 0x01234567u }, ctr[2] = { 77, 1u << 28 | 3u << 16 | 0xfffeu };
    uint32_t want[2], found[2];
    tern_threefry2x32(key, ctr, want);
    tern_random_block(0x0123456789abcdefu, 77, TERN_DRAW_DITHER, 3, 0xfffe, found);
    CHECK_EQ(found[0], want[0]);
    CHECK_EQ(found[1], want[1]);
}

static void history(void)
{
    CHECK_EQ(tern_history_step(0, 1, 1), 1);
    CHECK_EQ(tern_history_step(1, 1, 1), 1);
    CHECK_EQ(tern_history_step(5, 0, 3), 2); /* 101 -> 1010, three bits kept */
    CHECK_EQ((long long)tern_history_step(~(uint64_t)0, 0, 64), (long long)(~(uint64_t)0 - 1));
    CHECK_EQ((long long)tern_history_step((uint64_t)1 << 62, 1, 64), (long long)((uint64_t)1 << 63 | 1));
    CHECK_EQ((long long)tern_history_step((uint64_t)1 << 62, 1, 63), 1);
}

/* N-1 written out: bit 0 of the history is s(t-1), so s(t-lag-tau) is bit lag+tau-1. */
static uint32_t trace_by_sum(uint64_t h, unsigned lag, const uint16_t *taps, unsigned d)
{
    uint32_t x = 0;
    for (unsigned tau = 1; tau <= d; ++tau)
        if (lag + tau - 1 < 64 && (h >> (lag + tau - 1) & 1u)) x += taps[tau - 1];
    return x;
}

static void trace(void)
{
    tern_testrand r = { 11 };
    for (unsigned i = 0; i < 20000; ++i) {
        uint16_t taps[TERN_MAX_TAPS];
        const unsigned d = (unsigned)tern_testrand_in(&r, 1, 32), lag = (unsigned)tern_testrand_in(&r, 0, 63);
        for (unsigned t = 0; t < d; ++t) taps[t] = (uint16_t)tern_testrand_in(&r, 0, 511);
        const uint64_t h = i % 7 == 0 ? ~(uint64_t)0 : tern_testrand_next(&r);
        const uint32_t found = tern_trace(h, lag, taps, d), want = trace_by_sum(h, lag, taps, d);
        if (found != want) CHECK_EQ(found, want);
    }
    ++tern_check_done;
}

/* N-13: both forms give the same bits, also at extreme coefficients and full histories. */
static void kernel_equals_trace(void)
{
    tern_testrand r = { 12 };
    for (unsigned i = 0; i < 20000; ++i) {
        const unsigned d_taps = (unsigned)tern_testrand_in(&r, 1, 32),
                       w = (unsigned)tern_testrand_in(&r, 1, 64 - d_taps), k = (unsigned)tern_testrand_in(&r, 1, 32);
        uint16_t taps[TERN_MAX_TAPS];
        int16_t c[TERN_MAX_SAMPLES][TERN_MAX_HISTORY];
        int32_t sum_c[TERN_MAX_HISTORY] = { 0 };
        int64_t f[TERN_MAX_HISTORY];
        for (unsigned t = 0; t < d_taps; ++t) taps[t] = (uint16_t)tern_testrand_in(&r, 0, i % 5 == 0 ? 511 : 256);
        for (unsigned s = 0; s < k; ++s)
            for (unsigned d = 0; d < w; ++d) {
                c[s][d] = (int16_t)(i % 11 == 0 ? 32767 - 65534 * (int)(i % 2) : tern_testrand_in(&r, -32767, 32767));
                sum_c[d] += c[s][d];
            }
        /* the pass of step t+1 sees bit 0 = s(t); only D + W bits are kept */
        const unsigned bits = d_taps + w;
        const uint64_t h = (i % 7 == 0 ? ~(uint64_t)0 : tern_testrand_next(&r) & tern_testrand_next(&r)) &
                           (~(uint64_t)0 >> (64 - bits));
        int64_t by_trace = 0;
        for (unsigned s = 0; s < k; ++s)
            for (unsigned d = 0; d < w; ++d) by_trace += (int64_t)c[s][d] * tern_trace(h, d + 1, taps, d_taps);
        tern_kernel_taps(sum_c, w, taps, d_taps, f);
        const int64_t by_kernel = tern_weight_kernel_sum(h, f, d_taps + w - 1);
        if (by_trace != by_kernel) CHECK_EQ(by_kernel, by_trace);
    }
    ++tern_check_done;
}

static void coefficient(void)
{
    uint64_t sat = 0;
    CHECK_EQ(tern_kernel_coefficient(16384, 32767, 32767, 15, &sat), 32766); /* g = 32767 */
    CHECK_EQ(sat, 0);
    CHECK_EQ(tern_kernel_coefficient(32767, 32767, 32767, 15, &sat), 32766); /* g saturates: 65532 -> 32767 */
    CHECK_EQ(sat, 1);
    CHECK_EQ(tern_kernel_coefficient(32767, -32767, 32767, 15, &sat), -32766);
    CHECK_EQ(sat, 2);
    CHECK_EQ(tern_kernel_coefficient(16384, 1, 16384, 15, &sat), 1);  /* 0.5 rounds up */
    CHECK_EQ(tern_kernel_coefficient(16384, -1, 16384, 15, &sat), 0); /* -0.5 too */
    CHECK_EQ(tern_kernel_coefficient(8192, 1, 32767, 15, &sat), 1);   /* both roundings: 0.5 -> 1, 0.99997 -> 1 */
    CHECK_EQ(tern_kernel_coefficient(8192, -1, 32767, 15, &sat), 0);
    CHECK_EQ(tern_kernel_coefficient(16384, 32767, 32767, 30, &sat), 1);
    CHECK_EQ(sat, 2);
}

static void neuron(const tern_net *n)
{
    static const uint16_t draws[] = { 0, 1, 2, 32767, 32768, 65534, 65535 };
    for (int32_t u = -2047; u <= 2047; ++u)
        for (unsigned i = 0; i < sizeof draws / sizeof draws[0] + 2; ++i)
            for (unsigned mode = 0; mode < 4; ++mode) {
                const uint32_t index = (uint32_t)(u < 0 ? -u : u) >> 2,
                               p = u < 0 ? n->sig_f16[index] : 65536u - n->sig_f16[index];
                const uint16_t draw = i < 7 ? draws[i] : (uint16_t)(p - (i == 7)); /* also just below and at p */
                const tern_neuron_in in = { u, draw, (mode & 1) != 0, (mode & 2) != 0 };
                const tern_neuron_out out = tern_neuron_step(in, n->sig_f16, n->softplus_f12);
                const bool spike = in.clamp ? in.target : draw < p;
                const int32_t z = spike ? -u : u, twice_e = 2 * (int32_t)out.e_f15,
                              exact = (spike ? 65536 : 0) - (int32_t)p;
                const int32_t l = (z > 0 ? 16 * z : 0) + n->softplus_f12[index];
                if (out.p_f16 != p || out.spike != spike || out.l_f12 != l) CHECK(false /* N-4, N-5 or N-7 */);
                if (twice_e - exact < 0 || twice_e - exact > 1) CHECK_EQ(twice_e, exact); /* N-6: half up */
            }
    ++tern_check_done;
}

static void potential(void)
{
    bool limited;
    CHECK_EQ(tern_potential_round(0, &limited), 0);
    CHECK(!limited);
    CHECK_EQ(tern_potential_round(2048, &limited), 1);
    CHECK_EQ(tern_potential_round(2047, &limited), 0);
    CHECK_EQ(tern_potential_round(-2048, &limited), 0);
    CHECK_EQ(tern_potential_round(-2049, &limited), -1);
    CHECK_EQ(tern_potential_round((int64_t)2047 * 4096 + 2047, &limited), 2047);
    CHECK(!limited);
    CHECK_EQ(tern_potential_round((int64_t)2047 * 4096 + 2048, &limited), 2047);
    CHECK(limited);
    CHECK_EQ(tern_potential_round(-(int64_t)2047 * 4096 - 2048, &limited), -2047);
    CHECK(!limited);
    CHECK_EQ(tern_potential_round(-(int64_t)2047 * 4096 - 2049, &limited), -2047);
    CHECK(limited);
    CHECK_EQ(tern_potential_local(-32767, 0, 0, 8), -(int64_t)32767 * 256);
    CHECK_EQ(tern_potential_local(1, -3, 5, 4), 256 - 15 * 16);
    CHECK_EQ(tern_potential_local(1, -3, 5, 8), 256 - 15);
    CHECK_EQ(tern_potential_scale(-7, 12, 8), -7);
    CHECK_EQ(tern_potential_scale(-7, 0, 4), -7 * 65536);
}

static void weight(void)
{
    uint64_t sat = 0;
    CHECK_EQ(tern_bitreverse32(1), 0x80000000u);
    CHECK_EQ(tern_bitreverse32(0x12345678u), 0x1e6a2c48u);
    for (unsigned b = 0; b < 32; ++b) CHECK_EQ(tern_bitreverse32((uint32_t)1 << b), (uint32_t)1 << (31 - b));
    CHECK_EQ(tern_weight_dither(1, 0, 31), 0x40000000u);
    CHECK_EQ(tern_weight_dither(1, 0x80000000u, 31), 0);
    CHECK_EQ(tern_weight_dither(3, 0, 1), 1);
    CHECK_EQ(tern_weight_dither(32, 0, 5), 0); /* bit 26 of the reversed index: below five bits */
    CHECK_EQ(tern_weight_step(5, 255, 0, 8, 8, &sat), 5);
    CHECK_EQ(tern_weight_step(5, 255, 1, 8, 8, &sat), 6);
    CHECK_EQ(tern_weight_step(5, -1, 0, 8, 8, &sat), 4); /* floor */
    CHECK_EQ(tern_weight_step(5, -1, 1, 8, 8, &sat), 5);
    CHECK_EQ(tern_weight_step(5, -256, 255, 8, 8, &sat), 4);
    CHECK_EQ(sat, 0);
    CHECK_EQ(tern_weight_step(7, 16, 0, 4, 4, &sat), 7);
    CHECK_EQ(tern_weight_step(-7, -16, 0, 4, 4, &sat), -7); /* never -8, the code of an absent synapse */
    CHECK_EQ(sat, 2);
}

/* N-9, N-10 with long division and the definitions, against the function. */
static void signal(const tern_net *n)
{
    uint64_t sat = 0;
    CHECK_EQ(tern_signal_logprob(-10, 32768, 0, &sat), -5);
    CHECK_EQ(tern_signal_logprob(-3, 32768, 0, &sat), -1); /* -1.5 -> -1 */
    CHECK_EQ(tern_signal_logprob(3, 32768, 0, &sat), 2);
    CHECK_EQ(tern_signal_logprob(INT32_MIN + 1, 65536, 0, &sat), INT32_MIN + 1);
    CHECK_EQ(sat, 0);
    CHECK_EQ(tern_signal_logprob(INT32_MIN + 1, 65536, 1, &sat), INT32_MIN + 1);
    CHECK_EQ(sat, 1);
    tern_testrand r = { 13 };
    for (unsigned i = 0; i < 20000; ++i) {
        const uint32_t k = (uint32_t)tern_testrand_in(&r, 1, 32);
        int32_t v[TERN_MAX_SAMPLES];
        int16_t m[TERN_MAX_SAMPLES];
        uint64_t e[TERN_MAX_SAMPLES], sum = 0;
        const int64_t spread = (int64_t)1 << tern_testrand_in(&r, 0, 31);
        int64_t top = INT32_MIN;
        for (uint32_t s = 0; s < k; ++s) {
            v[s] = (int32_t)(tern_testrand_in(&r, 0, spread - 1) - (spread > 1 << 30 ? 1 << 30 : spread));
            if (i % 9 == 0) v[s] = tern_testrand_one_in(&r, 2) ? INT32_MAX : INT32_MIN + 1;
            if (v[s] > top) top = v[s];
        }
        for (uint32_t s = 0; s < k; ++s) {
            int64_t a = top - v[s];
            unsigned q = 0;
            for (; a >= 2839 && q <= 17; ++q) a -= 2839;
            e[s] = q <= 16 ? (uint64_t)(n->exp_f16[a >> 3] >> q) : 0;
            sum += e[s];
        }
        tern_signal_softmax(v, k, n->exp_f16, m);
        int32_t total = 0;
        for (uint32_t s = 0; s < k; ++s) {
            const uint64_t want = (e[s] * 16384 + sum / 2) / sum;
            if ((uint64_t)m[s] != want) CHECK_EQ(m[s], want);
            total += m[s];
        }
        if (total < 16384 - (int32_t)k || total > 16384 + (int32_t)k) CHECK_EQ(total, 16384);
    }
    const int32_t same[4] = { -77, -77, -77, -77 };
    int16_t m[4];
    tern_signal_softmax(same, 4, n->exp_f16, m);
    for (unsigned s = 0; s < 4; ++s) CHECK_EQ(m[s], 4096);
    tern_signal_softmax(same, 1, n->exp_f16, m);
    CHECK_EQ(m[0], 16384);
}

int main(void)
{
    tern_arena arena;
    tern_net net = { 0 };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (tern_testnet_tables(&arena, &net) != TERN_OK) return 1;
    random_known_answers();
    history();
    trace();
    kernel_equals_trace();
    coefficient();
    neuron(&net);
    potential();
    weight();
    signal(&net);
    tern_arena_free(&arena);
    return tern_check_report("blocks");
}
