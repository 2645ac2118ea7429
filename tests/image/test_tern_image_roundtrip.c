/* test_tern_image_roundtrip.c : what is written is what is read; layout hash; files
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
#include "image_test.h"
#include "tern/file.h"

/* Every section's records, field by field, in their byte form. */
static void compare(const tern_model *a, const tern_model *b)
{
    tern__binding x[TERN__N_SECTIONS], y[TERN__N_SECTIONS];
    tern__image_bind(a, x);
    tern__image_bind(b, y);
    for (unsigned i = 0; i < TERN__N_SECTIONS; ++i) {
        const tern__section *s = &tern__sections[i];
        uint8_t p[TERN_IMAGE_MAX_RECORD], q[TERN_IMAGE_MAX_RECORD];
        CHECK_EQ(x[i].count, y[i].count);
        CHECK(x[i].count == 0 || x[i].at != y[i].at);
        for (size_t k = 0; k < x[i].count && x[i].count == y[i].count; ++k) {
            CHECK(tern__record_put(s, (const uint8_t *)x[i].at + k * s->struct_bytes, p, NULL));
            CHECK(tern__record_put(s, (const uint8_t *)y[i].at + k * s->struct_bytes, q, NULL));
            CHECK(memcmp(p, q, s->record_bytes) == 0);
        }
    }
}

/* Which kinds of networks were met; a test without them would prove nothing. */
static struct {
    unsigned states[4], baselines[3], circuits, bases;
} seen;

static void roundtrip(uint64_t seed)
{
    tern_arena arena;
    tern_model m, back;
    tern_diags diags;
    const uint8_t *bytes, *again;
    size_t size, size2;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_state *st = make(seed, &arena, &m);
    CHECK(st != NULL);
    for (uint32_t i = 0; i < m.n_populations; ++i) seen.circuits += m.populations[i].wta != 0;
    for (size_t i = 0; st != NULL && m.state != NULL && i < tern_net_baselines(&m.net); ++i)
        seen.bases += st->base_f12[i] != 0;
    CHECK_EQ(tern_image_encode(&m, &arena, &bytes, &size), TERN_OK);
    CHECK_EQ(size % 8, 0);
    CHECK_EQ(tern_image_decode(bytes, size, "x.tern", &arena, &back, &diags), TERN_OK);
    if (diags.n > 0) printf("  seed %llu: %s\n", (unsigned long long)seed, diags.list[0].message);
    CHECK_EQ(tern_image_encode(&back, &arena, &again, &size2), TERN_OK);
    CHECK(size == size2 && memcmp(bytes, again, size) == 0);
    compare(&m, &back);
    CHECK_STR(back.name, m.name);
    CHECK_STR(back.source_sha256, m.source_sha256);
    CHECK(memcmp(back.filters[0].taps, m.filters[0].taps, sizeof m.filters[0].taps) == 0);
    CHECK_EQ(back.rule.eta == m.rule.eta, 1);
    CHECK(back.rule.kind == m.rule.kind && back.rule.baseline == m.rule.baseline && back.rule.memory == m.rule.memory &&
          back.rule.tau == m.rule.tau);
    CHECK(memcmp(back.net.learn, m.net.learn, sizeof m.net.learn) == 0);
    CHECK(back.net.rule == m.net.rule && back.net.m_shift == m.net.m_shift &&
          back.net.baseline_shift == m.net.baseline_shift);
    for (uint32_t i = 0; i < m.net.n_neurons; ++i)
        CHECK(back.net.neurons[i].wta_size == m.net.neurons[i].wta_size &&
              back.net.neurons[i].wta_index == m.net.neurons[i].wta_index);
    CHECK_EQ(back.data.present, m.data.present);
    CHECK_EQ(back.data.n_parts, m.data.n_parts);
    if (m.net.n_rows > 0) CHECK_EQ(back.net.rows[m.net.n_rows - 1].dither, m.net.rows[m.net.n_rows - 1].dither);
    CHECK_EQ(back.state != NULL, m.state != NULL);
    /* continues exactly as the one that was never saved, also after the model was moved */
    if (back.state != NULL && m.state != NULL) {
        tern_model moved = back;
        memset(&back, 0x5a, sizeof back);
        tern_state resumed = *moved.state;
        CHECK_EQ(run(&resumed, &moved, seed, 100, 12), run(st, &m, seed, 100, 12));
        tern_flush(&resumed);
        tern_flush(st);
        CHECK(memcmp(resumed.weights, st->weights, m.net.n_weights * sizeof *st->weights) == 0);
        CHECK_EQ(resumed.sat.potential, st->sat.potential);
        CHECK_EQ(resumed.sat.modulator, st->sat.modulator);
        CHECK_EQ(resumed.comm.unicast, st->comm.unicast);
        CHECK_EQ(resumed.comm.broadcast, st->comm.broadcast);
        CHECK(memcmp(resumed.base_f12, st->base_f12, tern_net_baselines(&m.net) * sizeof *st->base_f12) == 0);
        CHECK(memcmp(resumed.base_weight, st->base_weight, tern_net_baselines(&m.net) * sizeof *st->base_weight) == 0);
        seen.states[m.net.rule] += 1;
        seen.baselines[m.net.baseline] += 1;
        CHECK_EQ(resumed.step, st->step);
    }
    tern_arena_free(&arena);
}

/* The hash changes with everything that decides structure, and with nothing else. */
static void layout_hash(void)
{
    tern_arena arena;
    tern_model m;
    char base[65], now[65];
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_state *st = make(7, &arena, &m);
    CHECK_EQ(tern_layout_hash(&m, base), TERN_OK);
    CHECK_EQ(strlen(base), 64);
    CHECK_EQ(strspn(base, "0123456789abcdef"), 64);
    int16_t *w = (int16_t *)m.net.weights0; /* the arena's memory, writable */
    uint32_t present = 0;
    while (w[present] == TERN_WEIGHT_ABSENT) ++present;
#define SAME(change, undo) \
    do { \
        change; \
        CHECK_EQ(tern_layout_hash(&m, now), TERN_OK); \
        CHECK_STR(now, base); \
        undo; \
    } while (0)
#define OTHER(change, undo) \
    do { \
        change; \
        CHECK_EQ(tern_layout_hash(&m, now), TERN_OK); \
        CHECK(strcmp(now, base) != 0); \
        undo; \
    } while (0)
    SAME(w[present] = (int16_t)(w[present] ^ 1), w[present] = (int16_t)(w[present] ^ 1));
    SAME(m.populations[0].line += 7, m.populations[0].line -= 7);
    SAME(m.rule.eta *= 2, m.rule.eta /= 2);
    SAME(m.net.gamma_f16 ^= 1, m.net.gamma_f16 ^= 1);
    SAME(m.state = NULL, m.state = st);
    SAME(m.name[0] = 'X', m.name[0] = 'n');
    int16_t was = w[present];
    OTHER(w[present] = TERN_WEIGHT_ABSENT, w[present] = was);
    OTHER(m.populations[0].name[0] = 'X', m.populations[0].name[0] = 'i');
    m.populations[0].name[0] = m.populations[0].kind == TERN_POP_INPUT    ? 'i'
                               : m.populations[0].kind == TERN_POP_HIDDEN ? 'H'
                                                                          : 'v';
    SAME((void)0, (void)0);
    tern_row *rows = (tern_row *)m.net.rows;
    OTHER(rows[0].dither += 32, rows[0].dither -= 32);
    OTHER(rows[0].filter ^= 1, rows[0].filter ^= 1);
    tern_neuron *neurons = (tern_neuron *)m.net.neurons;
    OTHER(neurons[0].self_filter ^= 1, neurons[0].self_filter ^= 1);
    uint16_t *taps = (uint16_t *)m.net.filter_taps;
    OTHER(taps[0] ^= 1, taps[0] ^= 1);
    OTHER(m.net.weight_frac ^= 1, m.net.weight_frac ^= 1);
    OTHER(m.net.lags_w ^= 1, m.net.lags_w ^= 1);
    OTHER(m.net.rule ^= 1, m.net.rule ^= 1);
    OTHER(m.net.baseline ^= 1, m.net.baseline ^= 1);
    OTHER(neurons[0].wta_size ^= 1, neurons[0].wta_size ^= 1);
    OTHER(m.populations[0].wta ^= 2, m.populations[0].wta ^= 2);
    uint16_t *log_table = (uint16_t *)m.net.log_f12;
    OTHER(log_table[9] ^= 1, log_table[9] ^= 1);
    SAME(m.net.m_shift ^= 1, m.net.m_shift ^= 1);
    SAME(m.net.baseline_shift ^= 1, m.net.baseline_shift ^= 1);
    SAME(m.rule.tau = 3, m.rule.tau = 0);
    SAME((void)0, (void)0);
    tern_arena_free(&arena);
}

/* What a reader would refuse is not written. */
static void encode_refuses(void)
{
    tern_arena arena;
    tern_model m;
    const uint8_t *bytes;
    size_t size;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    CHECK(make(9, &arena, &m) != NULL);
#define REFUSED(change, undo) \
    do { \
        change; \
        CHECK(tern_image_encode(&m, &arena, &bytes, &size) != TERN_OK); \
        undo; \
    } while (0)
    REFUSED(m.name[0] = '1', m.name[0] = 'n');
    REFUSED(m.rule.eta = NAN, m.rule.eta = 1e-3);
    REFUSED(m.rule.eta = -1, m.rule.eta = 1e-3);
    REFUSED(m.net.n_weights += 1, m.net.n_weights -= 1);
    const uint8_t kind = m.rule.kind;
    REFUSED(m.rule.kind = (uint8_t)(kind ^ 1u), m.rule.kind = kind);
    REFUSED(m.rule.kind = 4, m.rule.kind = kind);
    REFUSED(m.rule.memory *= 2, m.rule.memory /= 2);
    REFUSED(m.rule.tau = -1, m.rule.tau = 0);
    REFUSED(m.rule.tau = NAN, m.rule.tau = 0);
    REFUSED(m.populations[0].wta ^= 2, m.populations[0].wta ^= 2);
    REFUSED(m.net.m_shift = 25, m.net.m_shift = 12);
    REFUSED(m.n_populations = 65, m.n_populations = 0);
    REFUSED((void)0, (void)0); /* no population left */
    CHECK(make(9, &arena, &m) != NULL);
    REFUSED(m.source_sha256[3] = 'X', m.source_sha256[3] = '0');
    REFUSED(m.populations[0].pos += 1, m.populations[0].pos -= 1);
    REFUSED(m.populations[0].dims[0] += 1, m.populations[0].dims[0] -= 1);
    REFUSED(m.filters[0].taps[0] = 2.0, m.filters[0].taps[0] = 1.0);
    REFUSED(m.filters[0].taps[0] = -0.001, m.filters[0].taps[0] = -0.0);
    CHECK_EQ(tern_image_encode(&m, &arena, &bytes, &size), TERN_OK);
    tern_state st = *m.state;
    m.state = &st;
    REFUSED(st.k0 = 3, st.k0 = 0);
    REFUSED(st.lag_head = m.net.lags_w, st.lag_head = 0);
    const uint16_t ek = st.ek[0];
    REFUSED(st.ek[0] = (uint16_t)(2u * m.net.ek0[0] + 2u), st.ek[0] = ek);
    if (m.net.rule == TERN_RULE_GEM) { /* modulators are shares of 1 */
        const int16_t m0 = st.m_f14[0];
        REFUSED(st.m_f14[0] = -1, st.m_f14[0] = m0);
        REFUSED(st.m_f14[0] = 16385, st.m_f14[0] = m0);
        for (uint32_t k = 1; k < st.n_samples; ++k)
            REFUSED((st.m_f14[0] = 16384, st.m_f14[k] = 17), (st.m_f14[0] = m0, st.m_f14[k] = 0));
    }
    const int16_t e = st.errors_f15[0];
    REFUSED(st.errors_f15[0] = INT16_MIN, st.errors_f15[0] = e);
    const int32_t v = st.v_f12[0];
    REFUSED(st.v_f12[0] = 1, st.v_f12[0] = v);
    REFUSED(st.n_samples = 33, st.n_samples = m.state->n_samples);
    tern_arena_free(&arena);
}

/* ... and saving says what it is. */
static void save_tells(void)
{
    static const struct {
        const char *word;
    } list[] = { { "eta" }, { "POPS" }, { "network" }, { "STATE" } };
    for (unsigned i = 0; i < 4; ++i) {
        tern_arena arena;
        tern_model m;
        tern_diags diags;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        tern_state *st = make(9, &arena, &m);
        if (i == 0) m.rule.eta = 0;
        else if (i == 1) m.populations[0].size += 1;
        else if (i == 2) m.net.learn[0].dither_bits ^= 1;
        else if (st != NULL) st->k0 = 2;
        CHECK(tern_image_save(&m, "/nowhere/a.tern", tern_alloc_default(), &diags) != TERN_OK);
        CHECK_EQ(diags.n, 1);
        CHECK_EQ(diags.list[0].code, 318);
        CHECK(strstr(diags.list[0].message, list[i].word) != NULL);
        tern_arena_free(&arena);
    }
}

static void files(const char *folder)
{
    tern_arena arena;
    tern_model m, back;
    tern_diags diags;
    char path[512], inside[560];
    struct stat info;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK(make(11, &arena, &m) != NULL);
    snprintf(path, sizeof path, "%s/image_%ld", folder, (long)getpid());
    CHECK_EQ(mkdir(path, 0777), 0);
    snprintf(inside, sizeof inside, "%s/a.tern", path);
    CHECK_EQ(tern_image_load(inside, &arena, &back, &diags), TERN_ERR_IO);
    CHECK_EQ(diags.list[0].code, 301);
    tern_diags_init(&diags);
    for (int i = 0; i < 2; ++i) /* new, and over an old one */
        CHECK_EQ(tern_image_save(&m, inside, tern_alloc_default(), &diags), TERN_OK);
    CHECK_EQ(tern_image_load(inside, &arena, &back, &diags), TERN_OK);
    compare(&m, &back);
    CHECK_EQ(diags.n, 0);
    CHECK_EQ(stat(inside, &info), 0);
    CHECK_EQ(info.st_mode & 0444, 0444);
    CHECK_EQ(tern_image_load(path, &arena, &back, &diags), TERN_ERR_IO); /* a folder */
    CHECK_EQ(diags.list[0].code, 301);
    tern_diags_init(&diags);
    CHECK_EQ(tern_image_load("/dev/zero", &arena, &back, &diags), TERN_ERR_IO); /* without end */
    CHECK_EQ(diags.list[0].code, 301);
    tern_diags_init(&diags);
    CHECK_EQ(tern_image_load("/dev/null", &arena, &back, &diags), TERN_ERR_IO);
    CHECK_EQ(diags.list[0].code, 301);
    tern_diags_init(&diags);
    uint8_t *raw = NULL;
    size_t raw_size = 0;
    CHECK_EQ(tern_file_read(inside, 100, tern_alloc_default(), &raw, &raw_size, &diags), TERN_ERR_LIMIT);
    CHECK_EQ(diags.list[0].code, 319);
    tern_diags_init(&diags);
    char missing[600];
    snprintf(missing, sizeof missing, "%s/none/a.tern", path);
    CHECK_EQ(tern_image_save(&m, missing, tern_alloc_default(), &diags), TERN_ERR_IO);
    CHECK_EQ(diags.list[0].code, 302);
    /* a write that fails at the end leaves the old file and no temporary one */
    tern_file_writer w;
    tern_diags_init(&diags);
    CHECK_EQ(tern_file_begin(&w, inside, &diags), TERN_OK);
    w.f = freopen("/dev/full", "wb", w.f);
    CHECK(w.f != NULL);
    fputs("half", w.f);
    CHECK_EQ(tern_file_commit(&w, &diags), TERN_ERR_IO);
    CHECK_EQ(diags.list[0].code, 302);
    CHECK_EQ(tern_file_begin(&w, inside, &diags), TERN_OK);
    tern_file_abort(&w);
    tern_file_abort(&w);
    CHECK_EQ(tern_image_load(inside, &arena, &back, &diags), TERN_OK);
    unsigned n = 0;
    DIR *dir = opendir(path);
    CHECK(dir != NULL);
    while (dir != NULL && readdir(dir) != NULL) ++n;
    if (dir != NULL) closedir(dir);
    CHECK_EQ(n, 3); /* ".", "..", a.tern */
    CHECK_EQ(unlink(inside), 0);
    CHECK_EQ(rmdir(path), 0);
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    for (uint64_t seed = 0; seed < 300; ++seed) roundtrip(seed);
    for (unsigned i = 0; i < 4; ++i) CHECK(seen.states[i] >= 20);
    for (unsigned i = 0; i < 3; ++i) CHECK(seen.baselines[i] >= 15);
    CHECK(seen.circuits >= 50 && seen.bases >= 200);
    layout_hash();
    encode_refuses();
    save_tells();
    files(argc > 1 ? argv[1] : ".");
    return tern_check_report("image.roundtrip");
}
