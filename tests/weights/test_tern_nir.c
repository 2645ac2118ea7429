/* test_tern_nir.c : networks go out as graphs of NIR and come back with the same weights; what Tern cannot run is
 * refused by name SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_nir WORK
 */
#include <stdlib.h>
#include "tern_check.h"
#include "tern_testnet.h"
#include "tern_weights.h"

static char path[600];
static tern_diags diags;

static bool has_circuits(const tern_model *m)
{
    bool any = false;
    for (uint32_t i = 0; i < m->n_populations; ++i) any = any || m->populations[i].wta != 0;
    return any;
}

static unsigned round_trips(void)
{
    unsigned same = 0, dependent = 0, circuits = 0;
    for (uint64_t seed = 0; seed < 80; ++seed) {
        tern_arena arena;
        tern_model m;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        CHECK_EQ(tern_testnet_make_as(seed, TERN_RULE_GEM, &arena, &m), TERN_OK);
        m.data = (tern_data_spec){ .label_population = -1, .scale = 1, .format = "auto" };
        if (seed % 2 == 0) m.data.present = true, m.data.window_us = 7000, m.data.steps = 10;
        const tern_status out = tern_weights_export(&m, path, false, &arena, &diags);
        if (has_circuits(&m)) {
            ++circuits;
            CHECK(out != TERN_OK && diags.n_errors == 1 && diags.list[0].code == 159);
        } else {
            tern_model to = m;
            const size_t weights = m.net.n_weights * sizeof *m.net.weights0,
                         local = m.net.n_neurons * sizeof *m.net.bias0_f12;
            CHECK_EQ(out, TERN_OK);
            const tern_status in = tern_weights_import(&to, path, false, &arena, &diags);
            const bool told = in != TERN_OK && diags.list[diags.n - 1].code == 159 &&
                              (strstr(diags.list[diags.n - 1].message, "not independent") != NULL ||
                               strstr(diags.list[diags.n - 1].message, "different filters") != NULL);
            if (in != TERN_OK && !told)
                printf("seed %llu: %s\n", (unsigned long long)seed, diags.list[diags.n - 1].message);
            CHECK(in == TERN_OK || told);
            dependent += told;
            if (in == TERN_OK) {
                ++same;
                CHECK(weights == 0 || memcmp(to.net.weights0, m.net.weights0, weights) == 0);
                CHECK(memcmp(to.net.bias0_f12, m.net.bias0_f12, local) == 0);
                CHECK(memcmp(to.net.self0_f12, m.net.self0_f12, local) == 0);
                CHECK(to.net.weights0 != m.net.weights0); /* read, not left */
            }
        }
        tern_arena_free(&arena);
    }
    printf("%u the same, %u with filters that depend on each other, %u with circuits\n", same, dependent, circuits);
    CHECK(circuits > 0);
    return same;
}

/* ---- graphs that are wrong, or differently right
 * ---------------------------------------------------------------------------- */

typedef struct file {
    tern_store_array list[3000];
    size_t n;
} file;

static void load(tern_arena *arena, file *f)
{
    tern_store *s = NULL;
    CHECK_EQ(tern_store_open(path, arena, &s, &diags), TERN_OK);
    f->n = s == NULL ? 0 : tern_store_count(s);
    if (f->n > 2990) exit(1);
    tern_store_want *wants = tern_arena_get(arena, f->n, sizeof *wants);
    for (size_t i = 0; i < f->n; ++i) {
        tern_store_array *a = &f->list[i];
        *a = *tern_store_at(s, i);
        void *to =
            tern_arena_get(arena, (size_t)a->n_items + 64, a->kind == 's' ? TERN_STORE_TEXT : 8); /* room to append */
        wants[i] = (tern_store_want){ i, a->kind, to };
        if (a->kind != 's') a->bytes = 8;
        a->data = to;
    }
    CHECK_EQ(tern_store_read(s, wants, f->n, &diags), TERN_OK);
    tern_store_close(s);
}

static tern_store_array *array(file *f, const char *part)
{
    for (size_t i = 0; i < f->n; ++i)
        if (strstr(f->list[i].name, part) != NULL) return &f->list[i];
    printf("no array %s\n", part);
    exit(1);
}

static char *words(file *f, const char *part) { return (char *)(uintptr_t)array(f, part)->data; }
static double *reals(file *f, const char *part) { return (double *)(uintptr_t)array(f, part)->data; }

typedef struct fault {
    const char *what;
    int code;
    const char *text;
} fault;
static const fault faults[] = {
    { "lif", 159, "is of the type LIF" },
    { "stranger", 159, "the network has no population of this name" },
    { "lost", 159, "an edge names it, but there is no such node" },
    { "half", 159, "steps of the network" },
    { "uneven", 159, "different delays" },
    { "sum", 159, "no sum of the network's filters" },
    { "shape", 152, "has the shape" },
    { "range", 154, "allowed are" },
    { "nan", 154, "NaN" },
    { "edges", 159, "no list of pairs" },
};

static void spoil(const char *what, file *f)
{
    if (strcmp(what, "lif") == 0) strcpy(words(f, "nodes/v/type"), "LIF");
    if (strcmp(what, "stranger") == 0) snprintf(array(f, "nodes/v/type")->name, 60, "node/nodes/w/type");
    if (strcmp(what, "lost") == 0) strcpy(words(f, "node/edges"), "nowhere");
    if (strcmp(what, "half") == 0)
        for (size_t i = 0; i < 4; ++i) reals(f, "a.v.1.delay/delay")[i] = 0.0035;
    if (strcmp(what, "uneven") == 0) reals(f, "a.v.2.delay/delay")[1] *= 2;
    if (strcmp(what, "sum") == 0) reals(f, "a.v.1/weight")[3] += 0.5;
    if (strcmp(what, "shape") == 0) array(f, "nodes/v/threshold")->dims[0] = array(f, "nodes/v/threshold")->n_items = 1;
    if (strcmp(what, "range") == 0) reals(f, "nodes/v/threshold")[0] = 9;
    if (strcmp(what, "nan") == 0) reals(f, "a.v.1/weight")[0] = NAN;
    if (strcmp(what, "edges") == 0) array(f, "node/edges")->dims[1] = 1, array(f, "node/edges")->n_items /= 2;
}

/* Four inputs, two neurons, one filter of two taps; made by hand so that the nodes' names are known. */
static void small_network(tern_arena *arena, tern_model *m)
{
    static tern_row rows[2];
    static tern_neuron neurons[2];
    static const uint16_t taps[2] = { 200, 100 };
    static int16_t weights[64], zero[2];
    CHECK_EQ(tern_testnet_make_as(1, TERN_RULE_GEM, arena, m), TERN_OK); /* tables and formats */
    for (unsigned i = 0; i < 64; ++i) weights[i] = i % 32 < 4 ? (int16_t)(3 * i + 1) : TERN_WEIGHT_ABSENT;
    for (uint32_t i = 0; i < 2; ++i) {
        rows[i] = (tern_row){ .weight = 32 * i, .count = 32, .dither = 32, .kind = TERN_ROW_SHARED };
        neurons[i] = (tern_neuron){ .pos = i, .row0 = i, .n_rows = 1, .self_filter = TERN_NO_FILTER };
    }
    m->n_populations = 2;
    m->populations[0] = (tern_population){ .name = "a", .kind = TERN_POP_INPUT, .n_dims = 1, .dims = { 4 }, .size = 4 };
    m->populations[1] =
        (tern_population){ .name = "v", .kind = TERN_POP_VISIBLE, .n_dims = 1, .dims = { 2 }, .size = 2 };
    m->data = (tern_data_spec){
        .label_population = -1, .window_us = 7000, .steps = 10, .present = true, .format = "auto", .scale = 1
    };
    m->net.n_inputs_pos = m->net.n_neurons_pos = 32;
    m->net.n_neurons = m->net.n_visible = m->net.n_rows = 2;
    m->net.n_weights = 64;
    m->net.n_filters = 1;
    m->n_filters = 1;
    m->net.taps_d = 2;
    m->net.rows = rows;
    m->net.neurons = neurons;
    m->net.filter_taps = taps;
    m->net.weights0 = weights;
    m->net.bias0_f12 = m->net.self0_f12 = zero;
    m->filters[0].n_taps = 2;
}

static void wrong(const fault *w)
{
    static file f;
    tern_arena arena;
    tern_model m;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    small_network(&arena, &m);
    CHECK_EQ(tern_weights_export(&m, path, false, &arena, &diags), TERN_OK);
    load(&arena, &f);
    spoil(w->what, &f);
    CHECK_EQ(tern_store_write(path, TERN_STORE_HDF5, f.list, f.n, &arena, &diags), TERN_OK);
    tern_diags_init(&diags);
    const tern_model before = m;
    const tern_status s = tern_weights_import(&m, path, false, &arena, &diags);
    const bool right =
        s != TERN_OK && diags.n == 1 && diags.list[0].code == w->code && strstr(diags.list[0].message, w->text) != NULL;
    if (!right)
        printf("%s: status %d, %zu messages: '%s'\n", w->what, (int)s, diags.n,
               diags.n > 0 ? diags.list[0].message : "");
    CHECK(right);
    CHECK(memcmp(&before, &m, sizeof m) == 0);
    tern_arena_free(&arena);
}

/* An Affine instead of a Linear gives its bias to the neurons; a way without a delay takes one step. */
static void other_ways(void)
{
    static file f;
    static const char edges[4][TERN_STORE_TEXT] = { "a", "w", "w", "v" };
    static const double weight[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, bias[2] = { 0.5, -0.25 }, threshold[2] = { 0.125, 0 };
    static const char type[4][TERN_STORE_TEXT] = { "NIRGraph", "Input", "Affine", "Threshold" };
    static const int64_t four = 4;
    tern_arena arena;
    tern_model m;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    small_network(&arena, &m);
    static const uint16_t one_tap[1] = { 64 };
    m.net.taps_d = 1;
    m.net.trace_frac = 6; /* tap 1: 1 */
    m.net.learn[0].dither_bits = (uint8_t)(m.net.learn[0].c_frac + 6 - m.net.weight_frac);
    m.net.learn[0].local_bits = (uint8_t)(m.net.learn[0].c_frac + 6 - 12);
    m.net.learn[1] = m.net.learn[0];
    m.net.weight_bits = 16;
    m.net.filter_taps = one_tap;
    m.filters[0].n_taps = 1;
    f.n = 0;
    f.list[f.n++] =
        (tern_store_array){ .name = "node/type", .kind = 's', .bytes = TERN_STORE_TEXT, .n_items = 1, .data = type[0] };
    f.list[f.n++] = (tern_store_array){ .name = "node/edges",
                                        .kind = 's',
                                        .bytes = TERN_STORE_TEXT,
                                        .n_dims = 2,
                                        .dims = { 2, 2 },
                                        .n_items = 4,
                                        .data = edges };
    f.list[f.n++] = (tern_store_array){
        .name = "node/nodes/a/type", .kind = 's', .bytes = TERN_STORE_TEXT, .n_items = 1, .data = type[1]
    };
    f.list[f.n++] = (tern_store_array){
        .name = "node/nodes/a/shape", .kind = 'i', .bytes = 8, .n_dims = 1, .dims = { 1 }, .n_items = 1, .data = &four
    };
    f.list[f.n++] = (tern_store_array){
        .name = "node/nodes/w/type", .kind = 's', .bytes = TERN_STORE_TEXT, .n_items = 1, .data = type[2]
    };
    f.list[f.n++] = (tern_store_array){ .name = "node/nodes/w/weight",
                                        .kind = 'f',
                                        .bytes = 8,
                                        .n_dims = 2,
                                        .dims = { 2, 4 },
                                        .n_items = 8,
                                        .data = weight };
    f.list[f.n++] = (tern_store_array){
        .name = "node/nodes/w/bias", .kind = 'f', .bytes = 8, .n_dims = 1, .dims = { 2 }, .n_items = 2, .data = bias
    };
    f.list[f.n++] = (tern_store_array){
        .name = "node/nodes/v/type", .kind = 's', .bytes = TERN_STORE_TEXT, .n_items = 1, .data = type[3]
    };
    f.list[f.n++] = (tern_store_array){ .name = "node/nodes/v/threshold",
                                        .kind = 'f',
                                        .bytes = 8,
                                        .n_dims = 1,
                                        .dims = { 2 },
                                        .n_items = 2,
                                        .data = threshold };
    CHECK_EQ(tern_store_write(path, TERN_STORE_HDF5, f.list, f.n, &arena, &diags), TERN_OK);
    const double scale = ldexp(1, m.net.weight_frac);
    const bool fits = 8 * scale < 32768; /* the formats are the random network's */
    CHECK(fits);
    const tern_status s = tern_weights_import(&m, path, false, &arena, &diags);
    if (s != TERN_OK) printf("other ways: %s\n", diags.list[0].message);
    CHECK_EQ(s, TERN_OK);
    CHECK(diags.n == 1 && diags.list[0].code == 158 && strstr(diags.list[0].message, "without a Delay") != NULL);
    for (uint32_t i = 0; i < 8; ++i) CHECK_EQ(m.net.weights0[i / 4 * 32 + i % 4], (int)(weight[i] * scale));
    CHECK_EQ(m.net.bias0_f12[0], (int)((0.5 - 0.125) * 4096));
    CHECK_EQ(m.net.bias0_f12[1], (int)(-0.25 * 4096));
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    snprintf(path, sizeof path, "%s/graph.nir", argv[1]);
    CHECK(round_trips() >= 8);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) wrong(&faults[i]);
    other_ways();
    return tern_check_report("weights.nir");
}
