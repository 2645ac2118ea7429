/* test_tern_weights.c : weights and state go out and in again to the same image; what is wrong with a file is found
 * and named SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_weights WORK HDF5      HDF5 1: the build has it
 */
#include <stdlib.h>
#include <unistd.h>
#include "tern/image.h"
#include "tern_check.h"
#include "tern_testnet.h"
#include "tern_weights.h"

static const char *work;
static bool hdf5;
static tern_diags diags;

/* A network of a seed; odd ones are trained, some in the middle of an example, with an update pending. */
static bool make(uint64_t seed, tern_arena *arena, tern_model *m)
{
    if (tern_testnet_make_as(seed, (tern_rule_kind)(seed / 2 % 4), arena, m) != TERN_OK) return false;
    if (seed % 16 == 5) m->net.baseline = m->rule.baseline = TERN_BASELINE_SYNAPSE;
    if (seed % 2 == 0) return m->presentations_done = 0, true;
    const size_t bytes = tern_state_bytes(&m->net, m->net.n_samples), n_in = m->net.n_inputs_pos / 32,
                 n_out = m->net.n_neurons_pos / 32;
    tern_state *st = tern_arena_get(arena, 1, sizeof *st);
    void *memory = tern_arena_get(arena, bytes, 1);
    uint32_t *in = tern_arena_get(arena, n_in, 4), *target = tern_arena_get(arena, n_out, 4);
    if (st == NULL || memory == NULL || in == NULL || target == NULL) return false;
    if (tern_state_init(st, &m->net, memory, bytes, m->net.n_samples, seed << 40 | 7) != TERN_OK) return false;
    for (uint32_t t = 0; t < 12; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        tern_step(st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        int32_t reward[TERN_MAX_SAMPLES];
        for (uint32_t k = 0; k < TERN_MAX_SAMPLES; ++k) reward[k] = (int32_t)(1000 * k + t);
        tern_reward(st, reward);
    }
    if (seed % 16 == 1) tern_flush(st), tern_state_clear(st);
    m->state = st;
    m->presentations_done = (uint32_t)seed;
    return true;
}

static void image_of(const tern_model *m, tern_arena *arena, const uint8_t **bytes, size_t *size)
{
    *size = 0;
    CHECK_EQ(tern_image_encode(m, arena, bytes, size), TERN_OK);
}

/* The same network as a script would give it, with other weights. */
static tern_model other(const tern_model *m, tern_arena *arena)
{
    tern_model o = *m;
    int16_t *w = tern_arena_get(arena, m->net.n_weights, sizeof *w),
            *b = tern_arena_get(arena, m->net.n_neurons, sizeof *b);
    for (uint32_t i = 0; i < m->net.n_weights; ++i)
        w[i] = m->net.weights0[i] == TERN_WEIGHT_ABSENT ? TERN_WEIGHT_ABSENT : 1;
    if (m->state == NULL)
        o.net.weights0 = w, o.net.bias0_f12 = b; /* of a trained one the initial weights are the script's */
    o.state = NULL;
    o.presentations_done = 0;
    return o;
}

/* Arrays of a state that held anything but zeros in some file: a part that is never there would not be missed. */
static struct {
    char name[TERN_STORE_NAME];
    bool alive;
} seen[64];
static size_t n_seen;

static void look(const char *path, tern_arena *arena)
{
    tern_store *s = NULL;
    CHECK_EQ(tern_store_open(path, arena, &s, &diags), TERN_OK);
    for (size_t i = 0; s != NULL && i < tern_store_count(s); ++i) {
        const tern_store_array *a = tern_store_at(s, i);
        size_t k = 0;
        if (strncmp(a->name, "state/", 6) != 0) continue;
        uint64_t *values = tern_arena_get(arena, (size_t)a->n_items, 8);
        const tern_store_want want = { i, a->kind, values };
        CHECK_EQ(tern_store_read(s, &want, 1, &diags), TERN_OK);
        while (k < n_seen && strcmp(seen[k].name, a->name) != 0) ++k;
        if (k == n_seen && n_seen < 63) memcpy(seen[n_seen++].name, a->name, sizeof a->name);
        for (uint64_t v = 0; v < a->n_items; ++v) seen[k].alive = seen[k].alive || values[v] != 0;
    }
    tern_store_close(s);
}

static void round_trip(uint64_t seed, const char *extension, bool integers)
{
    tern_arena arena;
    tern_model m;
    const uint8_t *before = NULL, *after = NULL;
    size_t n_before, n_after;
    char path[600];
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK(make(seed, &arena, &m));
    image_of(&m, &arena, &before, &n_before);
    snprintf(path, sizeof path, "%s/round.%s", work, extension);
    CHECK_EQ(tern_weights_export(&m, path, integers, &arena, &diags), TERN_OK);
    if (m.state != NULL && strcmp(extension, "npz") == 0) look(path, &arena);
    tern_model again = other(&m, &arena);
    CHECK_EQ(tern_weights_import(&again, path, false, &arena, &diags), TERN_OK);
    if (diags.n != 0) printf("seed %llu: %s\n", (unsigned long long)seed, diags.list[0].message);
    image_of(&again, &arena, &after, &n_after);
    CHECK_EQ(n_after, n_before);
    if (n_after == n_before && memcmp(before, after, n_before) != 0) {
        printf("seed %llu, .%s: the image is another\n", (unsigned long long)seed, extension);
        CHECK(false);
    }
    tern_arena_free(&arena);
}

/* ---- a device's stream ---- */

/* Everything goes out and in to the same image; what was learnt to the image after a clear. */
static void stream(uint64_t seed)
{
    tern_arena arena;
    tern_model m;
    const uint8_t *before = NULL, *after = NULL;
    size_t n_before, n_after;
    char path[600];
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK(make(seed, &arena, &m));
    snprintf(path, sizeof path, "%s/round.save", work);
    CHECK_EQ(tern_saved_export(&m, path, false, &arena, &diags), TERN_OK);
    tern_model again = other(&m, &arena), plain = other(&m, &arena);
    if (m.state == NULL)
        again.net = plain.net = m.net; /* the stream is of these weights, the image of them as initial ones */
    CHECK_EQ(tern_weights_import(&again, path, false, &arena, &diags), TERN_OK);
    CHECK(again.state != NULL);
    image_of(&again, &arena, &after, &n_after);
    if (m.state != NULL) {
        image_of(&m, &arena, &before, &n_before);
        CHECK(n_after == n_before && memcmp(before, after, n_before) == 0);
    } else { /* the state that a training begins with */
        CHECK(again.state->seed == m.seed && again.state->n_samples == m.rule.samples && again.state->step == 0);
        CHECK(memcmp(again.state->weights, m.net.weights0, m.net.n_weights * sizeof *m.net.weights0) == 0);
    }
    CHECK_EQ(tern_saved_export(&m, path, true, &arena, &diags), TERN_OK);
    CHECK_EQ(tern_weights_import(&again, path, false, &arena, &diags), TERN_OK);
    if (m.state != NULL) {
        tern_state_clear((tern_state *)(uintptr_t)m.state);
        image_of(&m, &arena, &before, &n_before);
        image_of(&again, &arena, &after, &n_after);
        CHECK(n_after == n_before && memcmp(before, after, n_before) == 0);
    }
    CHECK_EQ(tern_weights_import(&plain, path, true, &arena, &diags), TERN_OK);
    const int16_t *w = m.state != NULL ? m.state->weights : m.net.weights0,
                  *b = m.state != NULL ? m.state->bias_f12 : m.net.bias0_f12;
    CHECK(plain.state == NULL && plain.presentations_done == 0);
    CHECK(memcmp(plain.net.weights0, w, m.net.n_weights * sizeof *w) == 0);
    CHECK(memcmp(plain.net.bias0_f12, b, m.net.n_neurons * sizeof *b) == 0);
    CHECK_EQ(diags.n, 0);
    tern_arena_free(&arena);
}

/* Damaged, cut, of another network: refused, the model is as it was. */
static void wrong_stream(void)
{
    static const struct {
        const char *what;
        int code;
        const char *words;
    } cases[] = {
        { "sum", 150, "the check sum differs" },       { "cut", 150, "not as long as its head says" },
        { "head", 150, "shorter than its head" },      { "version", 150, "of another version" },
        { "network", 153, "of another network" },      { "samples", 150, "n_samples is 1..32" },
        { "long", 319, "the most that is read here" },
    };
    char path[600];
    static uint8_t bytes[1 << 20];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tern_arena arena;
        tern_model m, o;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        CHECK(make(11, &arena, &m));
        CHECK(make(13, &arena, &o));
        snprintf(path, sizeof path, "%s/wrong.save", work);
        CHECK_EQ(tern_saved_export(strcmp(cases[i].what, "network") == 0 ? &o : &m, path, true, &arena, &diags),
                 TERN_OK);
        FILE *in = fopen(path, "rb");
        size_t n = in == NULL ? 0 : fread(bytes, 1, sizeof bytes, in);
        if (in != NULL) fclose(in);
        CHECK(n > 200 && n < sizeof bytes);
        if (strcmp(cases[i].what, "sum") == 0) bytes[150] ^= 4;
        if (strcmp(cases[i].what, "cut") == 0) --n;
        if (strcmp(cases[i].what, "head") == 0) n = 100;
        if (strcmp(cases[i].what, "version") == 0) bytes[8] = 2;
        if (strcmp(cases[i].what, "samples") == 0) { /* with a check sum that is right */
            bytes[32] = 33;
            uint32_t crc = ~UINT32_C(0);
            for (size_t k = 0; k < n - 4; ++k) {
                crc ^= bytes[k];
                for (int b = 0; b < 8; ++b) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
            }
            for (int b = 0; b < 4; ++b) bytes[n - 4 + (size_t)b] = (uint8_t)(~crc >> 8 * b);
        }
        FILE *out = fopen(path, "wb");
        CHECK(out != NULL && fwrite(bytes, 1, n, out) == n);
        if (out == NULL) continue;
        if (strcmp(cases[i].what, "long") == 0) {
            CHECK_EQ(fseek(out, 64 << 20, SEEK_SET), 0);
            CHECK_EQ(fputc(0, out), 0);
        }
        fclose(out);
        tern_model to = m;
        const tern_status s = tern_weights_import(&to, path, false, &arena, &diags);
        const bool right = s != TERN_OK && diags.n == 1 && diags.list[0].code == cases[i].code &&
                           strstr(diags.list[0].message, cases[i].words) != NULL;
        if (!right)
            printf("%s: status %d, %d '%s', wanted %d '%s'\n", cases[i].what, (int)s,
                   diags.n > 0 ? diags.list[0].code : 0, diags.n > 0 ? diags.list[0].message : "", cases[i].code,
                   cases[i].words);
        CHECK(right && memcmp(&to, &m, sizeof m) == 0);
        tern_arena_free(&arena);
    }
    (void)remove(path);
}

/* ---- files that are wrong
 * ------------------------------------------------------------------------------------------------- */

typedef struct file {
    tern_store_array list[200];
    size_t n;
} file;

/* All arrays of a file, as 64-bit numbers. */
static void load(const char *path, tern_arena *arena, file *f)
{
    tern_store *s = NULL;
    CHECK_EQ(tern_store_open(path, arena, &s, &diags), TERN_OK);
    f->n = s == NULL ? 0 : tern_store_count(s);
    CHECK(f->n < 190);
    for (size_t i = 0; i < f->n && i < 190; ++i) {
        tern_store_array *a = &f->list[i];
        *a = *tern_store_at(s, i);
        void *to = tern_arena_get(arena, (size_t)a->n_items, 8);
        const tern_store_want want = { i, a->kind, to };
        CHECK_EQ(tern_store_read(s, &want, 1, &diags), TERN_OK);
        a->bytes = 8;
        a->data = to;
    }
    tern_store_close(s);
}

static tern_store_array *array(file *f, const char *begins)
{
    for (size_t i = 0; i < f->n; ++i)
        if (strncmp(f->list[i].name, begins, strlen(begins)) == 0) return &f->list[i];
    printf("no array %s\n", begins);
    exit(1);
}

static double *reals(file *f, const char *begins) { return (double *)(uintptr_t)array(f, begins)->data; }
static uint64_t *naturals(file *f, const char *begins) { return (uint64_t *)(uintptr_t)array(f, begins)->data; }

typedef struct fault {
    const char *what;
    int code;
    const char *words;
} fault;

static const fault faults[] = {
    { "missing", 151, "no array of this name" },
    { "shape", 152, "has the shape" },
    { "dimensions", 152, "has the shape" },
    { "text", 152, "holds real numbers, wanted are integers" },
    { "nan", 154, "[0] is NaN or infinite" },
    { "infinite", 154, "is NaN or infinite" },
    { "range", 154, "allowed are" },
    { "layout", 153, "of a network with the layout" },
    { "unknown", 153, "has nothing of this name" },
    { "no synapse", 153, "has no synapse there" },
    { "version", 153, "this Tern reads 1" },
    { "samples", 154, "allowed are 1 to 32" },
    { "narrow", 154, "does not fit 16 bits" },
    { "lag", 154, "is 63, allowed are 0 to" },
    { "step", 154, "is 4294967296, allowed are 0 to 4294967295" },
    { "pending", 154, "is 2, allowed are 0 to 1" },
    { "first_sample", 154, "is 4294967296, allowed are 0 to 4294967295" },
    { "presentations", 154, "is 4294967296, allowed are 0 to 4294967295" },
    { "unsound", 155, "no sound image: an argument" },
    { "cut", 150, "no directory at its end" },
    { "nothing", 150, "neither a NumPy archive" },
    { "negative", 154, "is negative" },
};

static void spoil(const char *what, file *f)
{
    const uint64_t huge = 40000;
    if (strcmp(what, "missing") == 0) array(f, "bias/")->name[0] = 'x';
    if (strcmp(what, "shape") == 0) array(f, "bias/")->dims[0] -= 1, array(f, "bias/")->n_items -= 1;
    if (strcmp(what, "dimensions") == 0) array(f, "weights/")->n_dims = 3, array(f, "weights/")->dims[2] = 1;
    if (strcmp(what, "text") == 0) array(f, "state/coefficients")->kind = 'f';
    if (strcmp(what, "nan") == 0) reals(f, "bias/")[0] = NAN;
    if (strcmp(what, "infinite") == 0) reals(f, "weights/")[0] = INFINITY;
    if (strcmp(what, "range") == 0) reals(f, "bias/")[0] = 8.0;
    if (strcmp(what, "layout") == 0) naturals(f, "tern/layout")[3] ^= 1;
    if (strcmp(what, "unknown") == 0) snprintf(array(f, "mask/")->name, 40, "weights/a/b/0");
    if (strcmp(what, "version") == 0) naturals(f, "tern/version")[0] = 2;
    if (strcmp(what, "samples") == 0) naturals(f, "state/samples")[0] = 33;
    if (strcmp(what, "narrow") == 0) naturals(f, "state/errors")[0] = huge;
    if (strcmp(what, "lag") == 0) naturals(f, "state/lag_head")[0] = 63;
    if (strcmp(what, "step") == 0) naturals(f, "state/step")[0] = UINT64_C(1) << 32;
    if (strcmp(what, "pending") == 0) naturals(f, "state/pending")[0] = 2;
    if (strcmp(what, "first_sample") == 0) naturals(f, "state/first_sample")[0] = UINT64_C(1) << 32;
    if (strcmp(what, "presentations") == 0) naturals(f, "state/presentations")[0] = UINT64_C(1) << 32;
    if (strcmp(what, "unsound") == 0) naturals(f, "state/coefficients")[0] = 32768 + 5;
    if (strcmp(what, "negative") == 0) array(f, "state/seed")->kind = 'i', naturals(f, "state/seed")[0] = UINT64_MAX;
    if (strcmp(what, "no synapse") != 0) return;
    for (size_t i = 0; i < f->n; ++i) {
        if (strncmp(f->list[i].name, "mask/", 5) != 0) continue;
        const uint64_t *mask = f->list[i].data;
        for (uint64_t k = 0; k < f->list[i].n_items; ++k) {
            if (mask[k] != 0) continue;
            char name[TERN_STORE_NAME];
            snprintf(name, sizeof name, "weights%s", f->list[i].name + 4);
            reals(f, name)[k] = 0.25;
            return;
        }
    }
    printf("no synapse is absent\n");
    CHECK(false);
}

static void wrong(const fault *w, const char *extension)
{
    tern_arena arena;
    tern_model m;
    char path[600];
    static file f;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK(make(11, &arena, &m));
    snprintf(path, sizeof path, "%s/wrong.%s", work, extension);
    CHECK_EQ(tern_weights_export(&m, path, false, &arena, &diags), TERN_OK);
    const bool npz = strcmp(extension, "npz") == 0;
    if (strcmp(w->what, "cut") == 0 || strcmp(w->what, "nothing") == 0) {
        if (!npz && strcmp(w->what, "cut") == 0) goto end; /* what libhdf5 says then is its own */
        FILE *raw = fopen(path, "r+b");
        if (strcmp(w->what, "nothing") == 0) CHECK(fwrite("x", 1, 1, raw) == 1);
        fclose(raw);
        if (strcmp(w->what, "cut") == 0) CHECK_EQ(truncate(path, 700), 0);
    } else {
        load(path, &arena, &f);
        spoil(w->what, &f);
        CHECK_EQ(tern_store_write(path, tern_store_form_of(path), f.list, f.n, &arena, &diags), TERN_OK);
    }
    tern_model to = m;
    const tern_status s = tern_weights_import(&to, path, false, &arena, &diags);
    const bool right = s != TERN_OK && diags.n == 1 && diags.list[0].code == w->code &&
                       strstr(diags.list[0].message, w->words) != NULL;
    if (!right)
        printf("%s, .%s: status %d, %zu messages: %d '%s', wanted %d '%s'\n", w->what, extension, (int)s, diags.n,
               diags.n > 0 ? diags.list[0].code : 0, diags.n > 0 ? diags.list[0].message : "", w->code, w->words);
    CHECK(right);
    CHECK(memcmp(&to, &m, sizeof m) == 0); /* the model is as it was */
end:
    tern_arena_free(&arena);
}

/* An array that fits, but a reader that went by what the file says would take gigabytes. */
static void enormous(void)
{
    tern_arena arena, limited;
    tern_model m;
    char path[600];
    static file f;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_arena_init(&limited, tern_alloc_default(), (size_t)16 << 20);
    tern_diags_init(&diags);
    CHECK(make(11, &arena, &m));
    snprintf(path, sizeof path, "%s/large.npz", work);
    CHECK_EQ(tern_weights_export(&m, path, false, &arena, &diags), TERN_OK);
    load(path, &arena, &f);
    f.list[f.n] = (tern_store_array){
        .name = "mine", .kind = 'u', .bytes = 1, .n_dims = 1, .dims = { 64 << 20 }, .n_items = 64 << 20
    };
    f.list[f.n++].data = tern_arena_get(&arena, 64 << 20, 1);
    CHECK_EQ(tern_store_write(path, TERN_STORE_NPZ, f.list, f.n, &arena, &diags), TERN_OK);
    CHECK_EQ(tern_weights_import(&m, path, false, &limited, &diags), TERN_OK);
    (void)remove(path);
    tern_arena_free(&limited);
    tern_arena_free(&arena);
}

/* ---- checkpoints of the authors
 * ---------------------------------------------------------------------------------------------- */

/* Do all populations of neurons have a self-memory, and each neuron one? A checkpoint has no other networks. */
static bool has_memories(const tern_model *m)
{
    for (uint32_t i = 0; i < m->net.n_neurons; ++i)
        if (m->net.neurons[i].self_filter == TERN_NO_FILTER) return false;
    return true;
}

/* One more filter in front of the others, which no synapse has; and no circuits. */
static void add_filter(tern_model *m, tern_arena *arena)
{
    const size_t taps = (size_t)m->net.n_filters * m->net.taps_d;
    uint16_t *all = tern_arena_get(arena, taps + m->net.taps_d, sizeof *all);
    tern_row *rows = tern_arena_get(arena, m->net.n_rows, sizeof *rows);
    tern_neuron *neurons = tern_arena_get(arena, m->net.n_neurons, sizeof *neurons);
    memcpy(all + m->net.taps_d, m->net.filter_taps, taps * sizeof *all);
    all[0] = 1;
    for (uint32_t i = 0; i < m->net.n_rows; ++i) rows[i] = m->net.rows[i], ++rows[i].filter;
    for (uint32_t i = 0; i < m->net.n_neurons; ++i) {
        neurons[i] = m->net.neurons[i];
        if (neurons[i].self_filter != TERN_NO_FILTER) ++neurons[i].self_filter;
        neurons[i].wta_size = neurons[i].wta_index = 0;
    }
    for (uint32_t i = 0; i < m->n_populations; ++i) m->populations[i].wta = 0;
    CHECK(m->net.n_filters < TERN_MAX_FILTERS);
    memmove(m->filters + 1, m->filters, (TERN_MAX_FILTERS - 1) * sizeof m->filters[0]);
    m->net.n_filters = (uint8_t)++m->n_filters;
    m->net.filter_taps = all;
    m->net.rows = rows;
    m->net.neurons = neurons;
}

/* A checkpoint of a network, made from its own arrays: units in the order inputs, hidden, visible. In the long form
 * every unit has one letter. */
static void checkpoint(const char *extension, bool long_form)
{
    tern_arena arena;
    tern_model m;
    char path[600];
    static file f;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    uint64_t seed = 0;
    do CHECK(make(seed += 2, &arena, &m)); /* not trained */
    while (seed < 400 && (m.net.n_rows < 4 || m.net.n_filters < 3 || !has_memories(&m)));
    add_filter(&m, &arena);
    snprintf(path, sizeof path, "%s/own.npz", work);
    CHECK_EQ(tern_weights_export(&m, path, false, &arena, &diags), TERN_OK);
    load(path, &arena, &f);
    uint64_t first[TERN_MAX_POPULATIONS], all = 0, inputs = 0, filters = TERN_MAX_FILTERS,
                                          rank[TERN_MAX_FILTERS] = { 0 }, used = 0;
    for (int kind = 0; kind < 3; ++kind)
        for (uint32_t p = 0; p < m.n_populations; ++p)
            if (m.populations[p].kind == kind)
                first[p] = all, all += m.populations[p].size, inputs += kind == 0 ? m.populations[p].size : 0;
    for (uint32_t i = 0; i < m.net.n_rows; ++i) used |= (uint64_t)1 << m.net.rows[i].filter;
    for (uint32_t k = 0, n = 0; k < TERN_MAX_FILTERS; ++k) rank[k] = n, n += used >> k & 1;
    const uint64_t learning = all - inputs;
    double *ff = tern_arena_get(&arena, (size_t)(learning * all * filters), 8),
           *fb = tern_arena_get(&arena, learning, 8), *bias = tern_arena_get(&arena, learning, 8);
    for (size_t i = 0; i < f.n; ++i) {
        const tern_store_array *a = &f.list[i];
        const double *v = a->data;
        for (uint32_t to = 0; to < m.n_populations; ++to) {
            char name[200];
            for (int self = 0; self < 2; ++self) {
                snprintf(name, sizeof name, "%s/%s", self ? "memory" : "bias", m.populations[to].name);
                for (uint64_t u = 0; strcmp(name, a->name) == 0 && u < a->n_items; ++u)
                    (self ? fb : bias)[first[to] - inputs + u] = v[u];
            }
            for (uint32_t from = 0; from < m.n_populations; ++from)
                for (uint32_t k = 0; k < m.net.n_filters; ++k) {
                    snprintf(name, sizeof name, "weights/%s/%s/%u", m.populations[from].name, m.populations[to].name,
                             k);
                    for (uint64_t c = 0; strcmp(name, a->name) == 0 && c < a->n_items; ++c)
                        ff[((first[to] - inputs + c / a->dims[1]) * all + first[from] + c % a->dims[1]) * filters +
                           rank[k]] = v[c];
                }
        }
    }
    tern_store_array three[3] = {
        { .name = "ff_weights",
          .kind = 'f',
          .bytes = 8,
          .n_dims = 3,
          .dims = { learning, all, filters },
          .n_items = learning * all * filters,
          .data = ff },
        { .name = "fb_weights",
          .kind = 'f',
          .bytes = 8,
          .n_dims = 2,
          .dims = { learning, 1 },
          .n_items = learning,
          .data = fb },
        { .name = "bias",
          .kind = 'f',
          .bytes = 8,
          .n_dims = 1,
          .dims = { learning },
          .n_items = learning,
          .data = bias },
    };
    if (long_form) {
        const uint64_t dims[3][5] = { { learning, 1, all, 1, filters }, { learning, 1, 1 }, { learning, 1 } };
        for (uint8_t i = 0; i < 3; ++i)
            memcpy(three[i].dims, dims[i], sizeof dims[i]), three[i].n_dims = i == 0 ? 5 : 4 - i;
    }
    const uint8_t *before = NULL, *after = NULL;
    size_t n_before, n_after;
    tern_model to = other(&m, &arena);
    snprintf(path, sizeof path, "%s/checkpoint.%s", work, extension);
    CHECK_EQ(tern_store_write(path, tern_store_form_of(path), three, 3, &arena, &diags), TERN_OK);
    CHECK_EQ(tern_weights_import(&to, path, false, &arena, &diags), TERN_OK);
    if (diags.n > 0) printf("%s: %s: %s\n", path, diags.list[0].key, diags.list[0].message);
    image_of(&m, &arena, &before, &n_before);
    image_of(&to, &arena, &after, &n_after);
    CHECK(n_before == n_after && memcmp(before, after, n_before) == 0);
    for (uint64_t i = 0; i < learning * all * filters; ++i) ff[i] = 0.25; /* of pairs that are not connected, too */
    CHECK_EQ(tern_store_write(path, tern_store_form_of(path), three, 3, &arena, &diags), TERN_OK);
    CHECK(tern_weights_import(&to, path, false, &arena, &diags) != TERN_OK);
    CHECK(diags.n == 1 && diags.list[0].code == 153 &&
          strstr(diags.list[0].message, "that this network does not connect") != NULL);
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    work = argv[1];
    hdf5 = strcmp(argv[2], "1") == 0;
    for (uint64_t seed = 0; seed < 32; ++seed) {
        round_trip(seed, "npz", seed % 3 == 0);
        if (hdf5) round_trip(seed, "h5", seed % 3 == 1);
        stream(seed);
    }
    wrong_stream();
    CHECK_EQ(n_seen, 21);
    for (size_t i = 0; i < n_seen; ++i) {
        if (!seen[i].alive && strcmp(seen[i].name, "state/first_sample") != 0)
            printf("%s was always 0\n", seen[i].name);
        CHECK(seen[i].alive || strcmp(seen[i].name, "state/first_sample") == 0);
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        wrong(&faults[i], "npz");
        if (hdf5) wrong(&faults[i], "h5");
    }
    enormous();
    for (int form = 0; form < 2; ++form) {
        checkpoint("npz", form != 0);
        if (hdf5) checkpoint("h5", form != 0);
    }
    return tern_check_report("weights.arrays");
}
