// blocks_bench.cpp : each block of rtl/blocks/ against the C function of the same name
// SPDX-License-Identifier: Apache-2.0
//
//     blocks_bench BLOCK        random, history, trace, kernel, dither, weight, potential, neuron, coefficient, wta,
//     vote, signal, modulator or baseline
// Compiled like sim/drive/tern_dut.cpp: -DTERN_DUT_CLASS=V..., -DTERN_DUT_HEADER="V....h". Exhaustive where the inputs
// are few, otherwise corners and random values from a fixed seed. Exit status 0: no difference.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>
#include TERN_DUT_HEADER
#include "verilated.h"
#include "tern_dut_end.h"
extern "C" {
#include "tern_baseline.h"
#include "tern_history.h"
#include "tern_kernel.h"
#include "tern_neuron.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_signal.h"
#include "tern_trace.h"
#include "tern/vote.h"
#include "tern_weight.h"
#include "tern_wta.h"
}

namespace
{

using Top = TERN_DUT_CLASS;
VerilatedContext context;
std::unique_ptr<Top> top;
uint64_t n_compared, n_wrong, seed = 20240511;
const char *block = ""; // which is tested

uint64_t next()
{ // splitmix64
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
int64_t in_range(int64_t lo, int64_t hi)
{
    return lo + static_cast<int64_t>(next() % static_cast<uint64_t>(hi - lo + 1));
}

void compare(const char *what, int64_t rtl, int64_t c, const char *inputs = "")
{
    ++n_compared;
    if (rtl == c) return;
    if (++n_wrong <= 10)
        std::printf("DIFFERS %s: RTL 0x%" PRIx64 " (%" PRId64 "), C 0x%" PRIx64 " (%" PRId64 ") %s\n", what,
                    static_cast<uint64_t>(rtl), rtl, static_cast<uint64_t>(c), c, inputs);
    if (n_wrong < 100) return;
    std::printf("blocks_bench %s: %" PRIu64 " of %" PRIu64 " values differ, which is enough\n", block, n_wrong,
                n_compared);
    std::exit(1);
}
int64_t sign(uint64_t value, unsigned bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }

void tick()
{
    top->clk_i = 0;
    tern_dut_eval(context, *top);
    top->clk_i = 1;
    tern_dut_eval(context, *top);
}
// bits [lsb, lsb + n) of a wide port, n <= 64
template <std::size_t N> uint64_t get(const VlWide<N> &port, unsigned lsb, unsigned n)
{
    uint64_t value = 0;
    for (unsigned b = 0; b < n; ++b) value |= static_cast<uint64_t>(port[(lsb + b) / 32] >> ((lsb + b) % 32) & 1u) << b;
    return value;
}
template <std::size_t N> void set(VlWide<N> &port, unsigned lsb, unsigned n, uint64_t value)
{
    for (unsigned b = 0; b < n; ++b) {
        const uint32_t mask = 1u << ((lsb + b) % 32);
        port[(lsb + b) / 32] = value >> b & 1u ? port[(lsb + b) / 32] | mask : port[(lsb + b) / 32] & ~mask;
    }
}

uint16_t sig[TERN_SIG_ENTRIES], softplus[TERN_SIG_ENTRIES], exponential[TERN_EXP_ENTRIES], logarithm[TERN_LOG_ENTRIES];
void make_tables()
{
    for (unsigned n = 0; n < TERN_SIG_ENTRIES; ++n) {
        const double z = (4.0 * n + 1.5) / 256.0;
        sig[n] = static_cast<uint16_t>(std::floor(65536.0 / (1.0 + std::exp(z)) + 0.5));
        softplus[n] = static_cast<uint16_t>(std::floor(4096.0 * std::log1p(std::exp(-z)) + 0.5));
    }
    for (unsigned n = 0; n < TERN_EXP_ENTRIES; ++n)
        exponential[n] = static_cast<uint16_t>(std::floor(65535.0 * std::exp(-(8.0 * n + 3.5) / 4096.0) + 0.5));
    for (unsigned j = 0; j < TERN_LOG_ENTRIES; ++j)
        logarithm[j] = static_cast<uint16_t>(std::floor(4096.0 * std::log1p((j + 0.5) / 256.0) + 0.5));
}

// ---- random ------------------------------------------------------------------------------
void run_random(const uint32_t key[2], const uint32_t ctr[2], uint32_t out[2])
{
    top->random_key0_i = key[0];
    top->random_key1_i = key[1];
    top->random_ctr0_i = ctr[0];
    top->random_ctr1_i = ctr[1];
    top->random_start_i = 1;
    tick();
    top->random_start_i = 0;
    unsigned cycles = 1;
    while (!top->random_done_o && cycles < 100) {
        tick();
        ++cycles;
    }
    // done_o is seen in the 22nd cycle, counted from the one with start_i
    compare("random: cycles until done", cycles, 21);
    out[0] = top->random_x0_o;
    out[1] = top->random_x1_o;
    tick();
    compare("random: done is a pulse", top->random_done_o, 0);
    compare("random: the words stay", top->random_x0_o, out[0]);
}
void test_random()
{
    // published with Random123, threefry2x32 with 20 rounds: key, counter, result
    static const uint32_t known[3][6] = { { 0, 0, 0, 0, 0x6b200159u, 0x99ba4efeu },
                                          { ~0u, ~0u, ~0u, ~0u, 0x1cb996fcu, 0xbb002be7u },
                                          { 0x13198a2eu, 0x03707344u, 0x243f6a88u, 0x85a308d3u, 0xc4923a9cu,
                                            0x483df7a0u } };
    uint32_t rtl[2], c[2];
    for (const auto &k : known) {
        run_random(k, k + 2, rtl);
        compare("random: known answer x0", rtl[0], k[4]);
        compare("random: known answer x1", rtl[1], k[5]);
    }
    for (unsigned i = 0; i < 20000; ++i) {
        const uint64_t a = next(), b = next();
        const uint32_t key[2] = { static_cast<uint32_t>(a), static_cast<uint32_t>(a >> 32) },
                       ctr[2] = { static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32) };
        run_random(key, ctr, rtl);
        tern_threefry2x32(key, ctr, c);
        compare("random: x0", rtl[0], c[0]);
        compare("random: x1", rtl[1], c[1]);
    }
}

// ---- history ------------------------------------------------------------------------------
void test_history()
{
    for (unsigned i = 0; i < 200000; ++i) {
        const uint64_t h = i % 5 == 0 ? ~UINT64_C(0) : next();
        const unsigned spike = next() & 1, shift = next() & 1, lag = next() & 63;
        top->history_i = h;
        top->history_spike_i = spike;
        top->history_shift_i = shift;
        top->history_lag_i = lag;
        tern_dut_eval(context, *top);
        const uint64_t want = shift ? tern_history_step(h, spike, 64) : h, h14 = h & 0x3fff,
                       want14 = shift ? tern_history_step(h14, spike, 14) : h14;
        compare("history: 64 bits", static_cast<int64_t>(top->history_o), static_cast<int64_t>(want));
        compare("history: 64 bits, lagged", static_cast<int64_t>(top->history_lagged_o),
                static_cast<int64_t>(want >> lag));
        compare("history: 14 bits", top->history14_o, static_cast<int64_t>(want14));
        compare("history: 14 bits, lagged", top->history14_lagged_o, static_cast<int64_t>(want14 >> lag));
    }
}

// ---- trace and kernel sums: 3 cycles, one result per cycle ----------------------------------
void test_trace()
{
    std::deque<int64_t> due;
    for (unsigned i = 0; i < 50000; ++i) {
        uint16_t taps[32];
        const uint32_t bits = static_cast<uint32_t>(i % 7 == 0 ? ~0u : next());
        for (unsigned t = 0; t < 32; ++t) {
            taps[t] = static_cast<uint16_t>(i % 11 == 0 ? 511 : next() & 511);
            set(top->trace_taps_i, 9 * t, 9, taps[t]);
        }
        top->trace_bits_i = bits;
        due.push_back(tern_trace(bits, 0, taps, 32));
        tick();
        if (due.size() == 3) {
            compare("trace", top->trace_x_o, due.front());
            due.pop_front();
        }
    }
}
void test_kernel()
{
    std::deque<int64_t> due;
    for (unsigned i = 0; i < 30000; ++i) {
        int64_t taps[63];
        const uint64_t history = i % 7 == 0 ? ~UINT64_C(0) : next(); // bit q is s(t-q); tap q-1 belongs to it
        for (unsigned t = 0; t < 63; ++t) {
            taps[t] = i % 11 == 0 ? (i % 2 ? -(INT64_C(1) << 33) : (INT64_C(1) << 33) - 1) : sign(next(), 34);
            set(top->kernel_taps_i, 34 * t, 34, static_cast<uint64_t>(taps[t]));
        }
        top->kernel_bits_i = history >> 1;
        due.push_back(tern_weight_kernel_sum(history, taps, 63));
        tick();
        if (due.size() == 3) {
            compare("kernel sum", sign(top->kernel_sum_o, 44), due.front());
            due.pop_front();
        }
    }
}

// ---- dither ---------------------------------------------------------------------------------
void test_dither()
{
    for (unsigned i = 0; i < 60000; ++i) {
        const uint32_t index = static_cast<uint32_t>(next()) & (i % 3 == 0 ? 0xffffffu : 0x3ffu),
                       s = static_cast<uint32_t>(next());
        const unsigned bits = 1 + static_cast<unsigned>(next() % 31);
        top->dither_index_i = index;
        top->dither_word_i = s;
        top->dither_bits_i = static_cast<uint8_t>(bits);
        tern_dut_eval(context, *top);
        compare("dither: 1 lane", top->dither1_o, tern_weight_dither(index, s, bits));
        for (unsigned n = 0; n < 8; ++n)
            compare("dither: 8 lanes", static_cast<int64_t>(get(top->dither8_o, 31 * n, 31)),
                    tern_weight_dither(index * 8 + n, s, bits));
        for (unsigned n = 0; n < 32; n += 1 + i % 5)
            compare("dither: 32 lanes", static_cast<int64_t>(get(top->dither32_o, 31 * n, 31)),
                    tern_weight_dither(index * 32 + n, s, bits));
    }
}

// ---- weight ----------------------------------------------------------------------------------
void drive_weight(int64_t w, int64_t dw, uint32_t r, bool enable, unsigned bits, int64_t limit)
{
    top->weight_w_i = static_cast<uint16_t>(w);
    top->weight_dw_i = static_cast<uint64_t>(dw) & 0xfffffffffffu;
    top->weight_r_i = r;
    top->weight_enable_i = enable;
    top->weight_bits_i = static_cast<uint8_t>(bits);
    top->weight_top_i = static_cast<uint16_t>(limit);
    tick();
}
void check_weight(const char *what, unsigned unit, int64_t rtl, int64_t w, int64_t dw, uint32_t r, bool enable,
                  unsigned shift, unsigned weight_bits)
{
    char inputs[128];
    std::snprintf(inputs, sizeof inputs, "w=%" PRId64 " dw=%" PRId64 " r=%u R=%u bits=%u enable=%d", w, dw, r, shift,
                  weight_bits, enable);
    const bool changes = enable && dw != 0; // a change of 0 is not rounded: the engine leaves such a weight alone
    uint64_t sat = 0;
    const int64_t want = changes ? tern_weight_step(static_cast<int16_t>(w), dw, r, shift, weight_bits, &sat) : w;
    compare(what, rtl, want, inputs);
    compare("weight: changed", top->weight_changed_o >> unit & 1, changes, inputs);
    compare("weight: saturated", top->weight_sat_o >> unit & 1, static_cast<int64_t>(sat), inputs);
}
void test_weight()
{
    for (int64_t w = -7; w <= 7; ++w) // every input of the small ones
        for (int64_t dw = -64; dw < 64; ++dw)
            for (unsigned bits = 1; bits <= 5; ++bits)
                for (uint32_t r = 0; r < 1u << bits; ++r)
                    for (int enable = 0; enable < 2; ++enable) {
                        drive_weight(w, dw, r, enable != 0, bits, 7);
                        check_weight("weight: 4 bits", 1, sign(top->weight4_o, 4), w, dw, r, enable != 0, bits, 4);
                    }
    for (int64_t w = -15; w <= 15; ++w)
        for (int64_t dw = -128; dw < 128; ++dw)
            for (uint32_t r = 0; r < 8; ++r) {
                drive_weight(w, dw, r, true, 1, 15); // the fixed shift ignores the configured one
                check_weight("weight: 5 bits, shift 3", 2, sign(top->weight5_o, 5), w, dw, r, true, 3, 5);
            }
    const int64_t most = (INT64_C(1) << 43) - 1;
    for (unsigned i = 0; i < 400000; ++i) {
        const unsigned weight_bits = 4 + i % 13, bits = 1 + static_cast<unsigned>(next() % 31);
        const int64_t limit = (1 << (weight_bits - 1)) - 1,
                      w = i % 5 == 0 ? (i % 2 ? limit : -limit) : in_range(-limit, limit);
        const int64_t dw = i % 9 == 0   ? (i % 2 ? most : -most - 1)
                           : i % 9 == 1 ? in_range(-3, 3)
                                        : sign(next(), 2 + static_cast<unsigned>(next() % 43));
        const uint32_t r = static_cast<uint32_t>(i % 7 == 0 ? ~UINT64_C(0) : i % 7 == 1 ? 0 : next()) >> (32 - bits);
        drive_weight(w, dw, r, i % 10 != 0, bits, limit);
        check_weight("weight: 16 bits", 0, sign(top->weight16_o, 16), w, dw, r, i % 10 != 0, bits, weight_bits);
    }
}

// ---- potential, two cycles later ----------------------------------------------------------------
void test_potential()
{
    for (unsigned i = 0; i < 400000; ++i) {
        const unsigned scale = static_cast<unsigned>(next() % 17), span = 2 + static_cast<unsigned>(next() % 35);
        int64_t local = sign(next(), 32);
        const int64_t shared = sign(next(), span), sample = sign(next(), span), unit = INT64_C(1) << scale;
        if (i % 4 == 0) local = sign(next(), 20); // around zero
        // around the limits
        if (i % 4 == 1)
            local = (i % 8 < 4 ? 1 : -1) * (INT64_C(2047) * 4096 + in_range(-3000, 3000)) - (shared + sample) * unit;
        if (i % 16 == 2) local = in_range(-2048, 2047) * 4096 + 2048 - (shared + sample) * unit; // ties
        bool limited;
        int32_t u = tern_potential_round(local + (shared + sample) * unit, &limited);
        top->potential_local_i = static_cast<uint64_t>(local) & 0xffffffffffffffu;
        top->potential_shared_i = static_cast<uint64_t>(shared) & 0xffffffffffffffu;
        top->potential_sample_i = static_cast<uint64_t>(sample) & 0xffffffffffffffu;
        top->potential_scale_i = static_cast<uint8_t>(scale);
        tick();
        tick();
        if (std::llabs(local + (shared + sample) * unit) < INT64_C(1) << 54) {
            compare("potential: 56 bits", sign(top->potential56_o, 12), u);
            compare("potential: 56 bits, limited", top->potential_limited_o & 1, limited);
        }
        const int64_t small = local % (1 << 22), few = shared % 8;
        u = tern_potential_round(small + few * 16, &limited);
        top->potential_local_i = static_cast<uint64_t>(small) & 0xffffffffffffffu;
        top->potential_shared_i = static_cast<uint64_t>(few) & 0xffffffffffffffu;
        top->potential_sample_i = 0;
        top->potential_scale_i = 4;
        tick();
        tick();
        compare("potential: 24 bits", sign(top->potential24_o, 12), u);
        compare("potential: 24 bits, limited", top->potential_limited_o >> 1 & 1, limited);
    }
}

// ---- neuron: every potential, draws at and around the probability, clamped and not --------------
void test_neuron()
{
    for (int32_t u = -2047; u <= 2047; ++u) {
        const uint32_t n = static_cast<uint32_t>(u < 0 ? -u : u) >> 2, p = u < 0 ? sig[n] : 65536u - sig[n];
        const uint16_t draws[] = { 0,
                                   1,
                                   32767,
                                   32768,
                                   65534,
                                   65535,
                                   static_cast<uint16_t>(p - 1),
                                   static_cast<uint16_t>(p),
                                   static_cast<uint16_t>(p + 1),
                                   static_cast<uint16_t>(next()) };
        for (uint16_t draw : draws)
            for (unsigned mode = 0; mode < 4; ++mode) {
                const tern_neuron_in in = { u, draw, (mode & 1) != 0, (mode & 2) != 0 };
                const tern_neuron_out c = tern_neuron_step(in, sig, softplus);
                top->neuron_u_i = static_cast<uint16_t>(u & 0xfff);
                top->neuron_draw_i = draw;
                top->neuron_clamp_i = in.clamp;
                top->neuron_target_i = in.target;
                top->neuron_sig_i = sig[n];
                top->neuron_softplus_i = softplus[n];
                tern_dut_eval(context, *top);
                compare("neuron: p", top->neuron_p_o, c.p_f16);
                compare("neuron: spike", top->neuron_spike_o, c.spike);
                compare("neuron: error", sign(top->neuron_e_o, 16), c.e_f15);
                compare("neuron: cross-entropy", top->neuron_l_o, c.l_f12);
            }
    }
}

// ---- coefficient: 4 cycles, one result per cycle ---------------------------------------------------
void test_coefficient()
{
    struct Due {
        int64_t c;
        uint64_t sat;
    };
    std::deque<Due> due;
    for (unsigned shift = 15; shift <= 30; ++shift) {
        due.clear();
        for (unsigned i = 0; i < 20000; ++i) {
            // modulators of other rules than GEM may be negative or above 1
            const int16_t m = static_cast<int16_t>(i % 6 == 0   ? (i % 12 ? 32767 : -32767)
                                                   : i % 6 == 1 ? 16384
                                                                : in_range(-32767, 32767));
            const int16_t e = static_cast<int16_t>(i % 5 == 0   ? (i % 10 ? 32767 : -32767)
                                                   : i % 5 == 1 ? in_range(-3, 3)
                                                                : in_range(-32768, 32767));
            const uint16_t ek = static_cast<uint16_t>(i % 7 == 0 ? 32767 : in_range(0, 32767));
            top->coefficient_m_i = static_cast<uint16_t>(m);
            top->coefficient_e_i = static_cast<uint16_t>(e);
            top->coefficient_ek_i = ek;
            top->coefficient_shift_i = static_cast<uint8_t>(shift); // constant while anything is in the pipeline
            Due d = { 0, 0 };
            d.c = tern_kernel_coefficient(m, e, ek, shift, &d.sat);
            due.push_back(d);
            tick();
            if (due.size() < 4) continue;
            compare("coefficient", sign(top->coefficient_o, 16), due.front().c);
            compare("coefficient: saturations", top->coefficient_sat_o, static_cast<int64_t>(due.front().sat));
            due.pop_front();
        }
    }
}

#include "blocks_bench_rules.h" // circuits, vote, signal, modulator, baseline

} // namespace

int main(int argc, char **argv)
{
    tern_dut_end_prepare(context);
    context.randReset(2);
    context.randSeed(7);
    top = std::make_unique<Top>(&context, "bench");
    make_tables();
    top->random_start_i = top->signal_start_i = top->signal_loss_re_i = top->signal_loss_valid_i = top->wta_start_i =
        top->wta10_start_i = 0;
    top->vote_begin_i = top->vote_vote_i = top->vote_example_i = top->vote_fired_valid_i = top->vote_host_we_i =
        top->vote_host_re_i = 0;
    top->baseline_begin_i = top->baseline_valid_i = 0;
    top->rst_i = 1;
    for (int i = 0; i < 4; ++i) tick();
    top->rst_i = 0;
    for (const auto &t : tests)
        if (argc == 2 && std::strcmp(argv[1], t.name) == 0) {
            block = t.name;
            t.run();
            top->final();
            std::printf("blocks_bench %s: %" PRIu64 " of %" PRIu64 " values differ\n", t.name, n_wrong, n_compared);
            if (tern_dut_ended(context)) std::printf("DIFFERS %s: a check inside the design has failed\n", t.name);
            return n_wrong != 0 || n_compared == 0 || tern_dut_ended(context);
        }
    std::fprintf(stderr, "usage: blocks_bench BLOCK, one of");
    for (const auto &t : tests) std::fprintf(stderr, " %s", t.name);
    std::fprintf(stderr, "\n");
    return 2;
}
