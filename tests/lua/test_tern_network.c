/* test_tern_network.c : neurons, rows, dither indices and initial values of small networks, against numbers worked out
 * by hand
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include "tern_compiler.h"
#include "tern/image.h"
#include "tern_check.h"
#include <stdlib.h>
#include <unistd.h>

static tern_model m;
static tern_diags diags;
static tern_arena arena;

static void show(void)
{
    char text[TERN_DIAG_BYTES];
    for (size_t i = 0; i < diags.n; ++i) {
        (void)tern_diag_format(&diags.list[i], text, sizeof text);
        printf("  %s\n", text);
    }
}

static bool build(const char *source)
{
    const char *what = "";
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    const tern_status s = tern_compile_string(source, strlen(source), "t.lua", NULL, &arena, &m, &diags);
    CHECK_EQ(s, TERN_OK);
    if (s != TERN_OK) {
        show();
        return false;
    }
    CHECK_EQ(tern_net_check(&m.net, &what), TERN_OK);
    CHECK_STR(what == NULL ? "" : what, "");
    return true;
}

static void check_row(uint32_t r, unsigned kind, unsigned filter, uint32_t first, uint32_t count, uint32_t dither)
{
    CHECK(r < m.net.n_rows);
    if (r >= m.net.n_rows) return;
    CHECK_EQ(m.net.rows[r].kind, kind);
    CHECK_EQ(m.net.rows[r].filter, filter);
    CHECK_EQ(m.net.rows[r].first, first);
    CHECK_EQ(m.net.rows[r].count, count);
    CHECK_EQ(m.net.rows[r].dither, dither);
}

/* Hidden declared first: visible neurons still come first; rows of samples before shared ones, by filter, then by
 * position. */
static void test_order(void)
{
    if (!build("local f, g = tern.taps{1}, tern.taps{0.5, 1}\n"
               "local h = tern.hidden{ name = 'h', size = 33, memory = g }\n"
               "local b = tern.input{ name = 'b', size = 40 }\n"
               "local v = tern.visible{ name = 'v', size = 3 }\n"
               "local a = tern.input{ name = 'a', size = 5 }\n"
               "tern.connect{ from = b, to = v, filters = { f, g } }\n"
               "tern.connect{ from = a, to = v, filters = f }\n"
               "tern.connect{ from = {v, h}, to = v, filters = g }\n"
               "tern.connect{ from = h, to = h, filters = f, self = true }\n"
               "tern.gem{ eta = 0.01, gamma = 0.5 }\n"))
        return;
    CHECK_EQ(m.net.n_inputs_pos, 96);
    CHECK_EQ(m.net.n_neurons_pos, 96);
    CHECK_EQ(m.net.n_neurons, 36);
    CHECK_EQ(m.net.n_visible, 3);
    CHECK_EQ(m.net.n_filters, 2);
    CHECK_EQ(m.populations[0].pos, 32); /* h */
    CHECK_EQ(m.populations[0].neuron0, 3);
    CHECK_EQ(m.populations[1].pos, 0);  /* b */
    CHECK_EQ(m.populations[2].pos, 0);  /* v */
    CHECK_EQ(m.populations[3].pos, 64); /* a */
    /* the filter that h's memory names was the first in use: g is 0, f is 1 */
    CHECK_EQ(m.filters[0].n_taps, 2);
    CHECK_EQ(m.net.neurons[0].self_filter, TERN_NO_FILTER);
    CHECK_EQ(m.net.neurons[3].self_filter, 0);
    CHECK_EQ(m.net.neurons[3].pos, 32);
    CHECK_EQ(m.net.neurons[35].pos, 64);
    /* neuron 0 = v[0]: v without itself (positions 1, 2) and h (32..64): a gap of 29 splits; then b through g, b
     * through f, a through f (gap of 24) */
    CHECK_EQ(m.net.neurons[0].n_rows, 5);
    check_row(0, TERN_ROW_SAMPLE, 0, 1, 2, 32);
    check_row(1, TERN_ROW_SAMPLE, 0, 32, 33, 64);
    check_row(2, TERN_ROW_SHARED, 0, 0, 40, 128);
    check_row(3, TERN_ROW_SHARED, 1, 0, 40, 192);
    check_row(4, TERN_ROW_SHARED, 1, 64, 5, 256);
    /* v[1]: v is 0 . 2 in one run with an absent word */
    check_row(5, TERN_ROW_SAMPLE, 0, 0, 3, 32);
    const uint32_t at = m.net.rows[5].weight;
    CHECK(!isnan(m.real_weights0[at]) && isnan(m.real_weights0[at + 1]) && !isnan(m.real_weights0[at + 2]));
    CHECK_EQ(m.net.weights0[at + 1], TERN_WEIGHT_ABSENT);
    CHECK_EQ(m.net.n_rows, 5 * 3 + 33);
    CHECK_EQ(m.net.n_weights, (2 + 33 + 85) + (3 + 33 + 85) + (2 + 33 + 85) + 33 * 33);
}

/* 16 absent positions are bridged, 17 are not; weights of a list; dither counts from the aligned position. */
static void test_gaps(void)
{
    if (!build("local a = tern.input{ name = 'a', size = 200 }\n"
               "local v = tern.visible{ name = 'v', size = 2, bias = 0.5 }\n"
               "tern.connect{ from = a, to = v, filters = tern.taps{1}, init = 0.25, pattern = tern.list{ {70, 1, -2}, "
               "{5, 1}, {22, 1, 1.5}, {40, 1}, {110, 1} } }\n"
               "tern.gem{ eta = 0.01, gamma = 0.5 }\n"))
        return;
    CHECK_EQ(m.net.neurons[0].n_rows, 0);
    CHECK_EQ(m.net.neurons[1].n_rows, 4);
    check_row(0, TERN_ROW_SHARED, 0, 5, 18, 32); /* 5, 22 */
    check_row(1, TERN_ROW_SHARED, 0, 40, 1, 64);
    check_row(2, TERN_ROW_SHARED, 0, 70, 1, 96);
    check_row(3, TERN_ROW_SHARED, 0, 110, 1, 128);
    CHECK_EQ(m.net.n_weights, 21);
    CHECK_NEAR(m.real_weights0[0], 0.25, 0);
    CHECK_NEAR(m.real_weights0[17], 1.5, 0);
    CHECK_NEAR(m.real_weights0[18], 0.25, 0);
    CHECK_NEAR(m.real_weights0[19], -2.0, 0);
    for (int i = 1; i < 17; ++i) CHECK(isnan(m.real_weights0[i]));
    CHECK_NEAR(m.real_bias0[1], 0.5, 0);
    CHECK_EQ(diags.n, 1); /* one neuron without synapses: a warning */
    CHECK_EQ(diags.list[0].code, 266);
    CHECK_EQ(diags.list[0].line, 2);
    /* a row that crosses words of 32 takes two of them */
    if (!build("local a = tern.input{ name = 'a', size = 200 }\n"
               "local v = tern.visible{ name = 'v', size = 1 }\n"
               "tern.connect{ from = a, to = v, filters = { tern.taps{1}, tern.taps{0.5} }, pattern = tern.list{ {30, "
               "0}, {33, 0}, {100, 0} } }\n"
               "tern.gem{ eta = 0.01, gamma = 0.5 }\n"))
        return;
    check_row(0, TERN_ROW_SHARED, 0, 30, 4, 32);
    check_row(1, TERN_ROW_SHARED, 0, 100, 1, 96);
    check_row(2, TERN_ROW_SHARED, 1, 30, 4, 128);
    check_row(3, TERN_ROW_SHARED, 1, 100, 1, 192);
}

/* Is there a synapse from position `pos` onto neuron i? */
static bool synapse(uint32_t i, unsigned kind, uint32_t pos)
{
    for (uint32_t r = m.net.neurons[i].row0; r < m.net.neurons[i].row0 + m.net.neurons[i].n_rows; ++r) {
        const tern_row *row = &m.net.rows[r];
        if (row->kind == kind && pos >= row->first && pos < row->first + row->count &&
            m.net.weights0[row->weight + pos - row->first] != TERN_WEIGHT_ABSENT)
            return true;
    }
    return false;
}

/* 5 x 7 inputs, 3 x 3 neurons, windows of 3 x 3 with stride 2 x 3, one off the corner. */
static void test_windows(void)
{
    if (!build("local a = tern.input{ name = 'a', shape = {2, 5, 7} }\n"
               "local v = tern.visible{ name = 'v', shape = {3, 3} }\n"
               "tern.connect{ from = a, to = v, filters = tern.taps{1}, pattern = tern.window{ size = 3, stride = {2, "
               "3}, offset = -1 } }\n"
               "tern.gem{ eta = 0.01, gamma = 0.5 }\n"))
        return;
    for (int i = 0; i < 9; ++i)
        for (int plane = 0; plane < 2; ++plane)
            for (int r = 0; r < 5; ++r)
                for (int c = 0; c < 7; ++c) {
                    const int r0 = -1 + 2 * (i / 3), c0 = -1 + 3 * (i % 3);
                    CHECK_EQ(synapse((uint32_t)i, TERN_ROW_SHARED, (uint32_t)((plane * 5 + r) * 7 + c)),
                             r >= r0 && r < r0 + 3 && c >= c0 && c < c0 + 3);
                }
    /* one dimension */
    if (!build(
            "local a = tern.input{ name = 'a', size = 10 }\n"
            "local v = tern.visible{ name = 'v', size = 4 }\n"
            "tern.connect{ from = a, to = v, filters = tern.taps{1}, pattern = tern.window{ size = 4, stride = 2 } }\n"
            "tern.gem{ eta = 0.01, gamma = 0.5 }\n"))
        return;
    for (uint32_t i = 0; i < 4; ++i)
        for (uint32_t j = 0; j < 10; ++j) CHECK_EQ(synapse(i, TERN_ROW_SHARED, j), j >= 2 * i && j < 2 * i + 4);
}

static double weight_of(uint32_t i, unsigned kind, unsigned filter, uint32_t pos)
{
    for (uint32_t r = m.net.neurons[i].row0; r < m.net.neurons[i].row0 + m.net.neurons[i].n_rows; ++r) {
        const tern_row *row = &m.net.rows[r];
        if (row->kind == kind && row->filter == filter && pos >= row->first && pos < row->first + row->count)
            return m.real_weights0[row->weight + pos - row->first];
    }
    return NAN;
}

/* Draws: density and moments, the same whatever else the script declares, different for another seed. */
static void test_draws(void)
{
    static const char *const net = "local v = tern.visible{ name = 'v', size = 100 }\n"
                                   "tern.connect{ from = a, to = v, filters = tern.raised_cosine{ count = 2 }, pattern "
                                   "= tern.random{ density = 0.2 }, init = tern.uniform(-0.5, 0.25) }\n"
                                   "tern.gem{ eta = 0.001, gamma = 0.5 }\n";
    static bool made[100][500];
    static double w0[100][500];
    char source[1000];
    snprintf(source, sizeof source, "local a = tern.input{ name = 'a', size = 500 }\n%s", net);
    if (!build(source)) return;
    double n = 0, sum = 0, square = 0, lo = 1, hi = -1, product = 0;
    for (uint32_t i = 0; i < 100; ++i)
        for (uint32_t j = 0; j < 500; ++j) {
            made[i][j] = synapse(i, TERN_ROW_SHARED, j);
            if (!made[i][j]) continue;
            const double w = w0[i][j] = weight_of(i, TERN_ROW_SHARED, 0, j), u = weight_of(i, TERN_ROW_SHARED, 1, j);
            n += 1;
            sum += w;
            square += w * w;
            product += (w + 0.125) * (u + 0.125);
            lo = w < lo ? w : lo;
            hi = w > hi ? w : hi;
        }
    CHECK_NEAR(n / 50000, 0.2, 5 * sqrt(0.2 * 0.8 / 50000));
    CHECK_NEAR(sum / n, -0.125, 5 * 0.2165 / sqrt(n));
    CHECK_NEAR(square / n - sum / n * (sum / n), 0.75 * 0.75 / 12, 0.002);
    CHECK_NEAR(product / n, 0, 5 * 0.0469 / sqrt(n)); /* filters are drawn independently */
    CHECK(lo >= -0.5 && hi < 0.25 && hi - lo > 0.7);
    /* another population before, another position: same draws */
    snprintf(source, sizeof source,
             "local z = tern.input{ name = 'z', size = 50 } local a = tern.input{ name = 'a', size = 500 } "
             "tern.hidden{ name = 'h', size = 9 }\n%s",
             net);
    if (!build(source)) return;
    for (uint32_t i = 0; i < 100; ++i)
        for (uint32_t j = 0; j < 500; ++j) {
            CHECK_EQ(synapse(i, TERN_ROW_SHARED, 64 + j), made[i][j]);
            if (made[i][j]) CHECK_NEAR(weight_of(i, TERN_ROW_SHARED, 0, 64 + j), w0[i][j], 0);
        }
    snprintf(source, sizeof source, "tern.seed(2) local a = tern.input{ name = 'a', size = 500 }\n%s", net);
    if (!build(source)) return;
    double both = 0;
    for (uint32_t i = 0; i < 100; ++i)
        for (uint32_t j = 0; j < 500; ++j) both += made[i][j] && synapse(i, TERN_ROW_SHARED, j);
    CHECK_NEAR(both / 50000, 0.04, 0.01); /* independent of the first */
}

/* Filters: the formulas of docs/10-language.md. */
static void test_filters(void)
{
    if (!build("local v = tern.visible{ name = 'v', size = 2 }\n"
               "tern.connect{ from = v, to = v, filters = { tern.raised_cosine{ count = 2, duration = 10 }, "
               "tern.exponential{ tau = 3 }, tern.alpha{ tau = 2, duration = 6 }, tern.taps{ 0, 1.5 } } }\n"
               "tern.gem{ eta = 0.001, gamma = 0.5 }\n"))
        return;
    CHECK_EQ(m.net.n_filters, 5);
    for (int j = 0; j < 2; ++j)
        for (int t = 1; t <= 10; ++t) {
            double phase = M_PI * 3 / (2 * log(11.0)) * log(t) - j * M_PI / 2;
            phase = fmin(fmax(phase, -M_PI), M_PI);
            CHECK_NEAR(m.filters[j].taps[t - 1], (1 + cos(phase)) / 2, 1e-12);
        }
    CHECK_EQ(m.filters[2].n_taps, 14); /* exp(-14/3) < 1 % <= exp(-13/3) */
    CHECK_NEAR(m.filters[2].taps[4], exp(-4.0 / 3), 1e-12);
    CHECK_NEAR(m.filters[2].cut_mass, exp(-14.0 / 3), 1e-12);
    double sum = 0, all = 0;
    for (int t = 1; t <= 6; ++t) {
        CHECK_NEAR(m.filters[3].taps[t - 1], t / 2.0 * exp(1 - t / 2.0), 1e-12);
        sum += m.filters[3].taps[t - 1];
    }
    for (int t = 1; t <= 200; ++t) all += t / 2.0 * exp(1 - t / 2.0);
    CHECK_NEAR(m.filters[3].cut_mass, 1 - sum / all, 1e-9);
    CHECK_NEAR(m.filters[4].taps[1], 1.5, 0);
    CHECK_EQ(m.filters[4].n_taps, 2);
    bool warned = false;
    for (size_t i = 0; i < diags.n; ++i) warned = warned || (diags.list[i].code == 240 && diags.list[i].line == 2);
    CHECK(warned); /* alpha is cut by more than 5 % */
}

/* Weights from an image: the same network takes them over, in other formats too; another one is refused. */
static void test_image(void)
{
    char folder[] = "/tmp/tern-network-XXXXXX", path[200], script[200];
    static const char *const head =
        "local a = tern.input{ name = 'a', size = 20 } local v = tern.visible{ name = 'v', size = %d, memory = "
        "tern.taps{1}, bias = %s, memory_init = %s }\n"
        "tern.gem{ eta = 0.001, gamma = 0.5 } tern.formats{ weight = {%s} }\n"
        "tern.connect{ from = a, to = v, filters = tern.taps{1}, pattern = tern.random{ density = 0.4 }, init = %s }\n";
    static const char *const from = "tern.image('w.tern')";
    char source[1000];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/w.tern", folder);
    snprintf(script, sizeof script, "%s/n.lua", folder);
    snprintf(source, sizeof source, head, 30, "tern.uniform(-1, 1)", "0.5", "16, 12", "tern.uniform(-1, 1)");
    if (!build(source)) return;
    CHECK_EQ(tern_image_save(&m, path, tern_alloc_default(), &diags), TERN_OK);
    static int16_t weights[600], bias[30];
    const uint32_t n = m.net.n_weights;
    CHECK(n <= 600);
    memcpy(weights, m.net.weights0, n * sizeof *weights);
    memcpy(bias, m.net.bias0_f12, sizeof bias);
    for (int size = 30; size <= 31; ++size) {
        snprintf(source, sizeof source, head, size, from, from, "12, 10", from);
        FILE *f = fopen(script, "wb");
        CHECK(f != NULL);
        if (f == NULL) break;
        fputs(source, f);
        fclose(f);
        tern_arena_free(&arena);
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        const tern_status s = tern_compile_file(script, NULL, &arena, &m, &diags);
        CHECK_EQ(s, size == 30 ? TERN_OK : TERN_ERR_NETWORK);
        if (s != TERN_OK) {
            CHECK_EQ(diags.list[0].code, 265);
            CHECK(strstr(diags.list[0].message, "has other neurons") != NULL);
            if (size == 30) show();
            continue;
        }
        CHECK_EQ(m.net.n_weights, n);
        for (uint32_t i = 0; i < n; ++i) {
            CHECK_EQ(isnan(m.real_weights0[i]), weights[i] == TERN_WEIGHT_ABSENT);
            if (weights[i] != TERN_WEIGHT_ABSENT) CHECK_NEAR(m.real_weights0[i], weights[i] / 4096.0, 0);
        }
        for (uint32_t i = 0; i < 30; ++i) CHECK_EQ(m.net.bias0_f12[i], bias[i]);
        CHECK_EQ(m.net.self0_f12[3], 2048);
    }
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(unlink(script), 0);
    CHECK_EQ(rmdir(folder), 0);
}

int main(void)
{
    tern_arena_init(&arena, tern_alloc_default(), 0);
    test_order();
    test_gaps();
    test_windows();
    test_draws();
    test_filters();
    test_image();
    tern_arena_free(&arena);
    return tern_check_report("lua.network");
}
