/* test_tern_given.c : initial values from files of arrays: every number where it belongs, what is wrong named with its
 * line
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_given WORK HDF5      HDF5 1: the build has it
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "tern/compile.h"
#include "tern/file.h"
#include "tern_check.h"
#include "tern_store.h"

enum { MOST = 24 };

static const char *work;
static bool hdf5;
static tern_arena arena;
static tern_model m;
static tern_diags diags;
static uint64_t seed;

static uint32_t draw(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static tern_status compile(const char *script)
{
    char path[600];
    snprintf(path, sizeof path, "%s/net.lua", work);
    CHECK_EQ(tern_file_write(path, script, strlen(script), &diags), TERN_OK);
    tern_diags_init(&diags);
    return tern_compile_file(path, NULL, &arena, &m, &diags);
}

/* ---- arrays of any type ---- */

typedef struct file {
    tern_store_array list[MOST];
    double given[MOST][4096]; /* what the file says, in real numbers */
    size_t n;
} file;

static file f;

static void add(const char *name, uint32_t planes, uint32_t rows, uint32_t columns, int frac)
{
    static double doubles[MOST][4096];
    static float floats[MOST][4096];
    static int16_t whole[MOST][4096];
    static uint8_t small[MOST][4096];
    tern_store_array *a = &f.list[f.n];
    *a = (tern_store_array){ .kind = 'f', .bytes = 8, .n_items = 1 };
    snprintf(a->name, sizeof a->name, "%s", name);
    if (planes != 0) a->dims[a->n_dims++] = planes;
    a->dims[a->n_dims++] = rows;
    if (columns != 0) a->dims[a->n_dims++] = columns;
    for (uint32_t i = 0; i < a->n_dims; ++i) a->n_items *= a->dims[i];
    CHECK(a->n_items <= 4096);
    const uint32_t type = draw(4);
    for (uint64_t k = 0; k < a->n_items; ++k) {
        const int16_t w = (int16_t)((int)draw(200) - 100);
        const double real = (w + draw(1000) / 1000.0 - 0.5) / 64.0;
        doubles[f.n][k] = real, floats[f.n][k] = (float)real, whole[f.n][k] = w, small[f.n][k] = (uint8_t)(w & 63);
        f.given[f.n][k] = type == 0 ? real : type == 1 ? floats[f.n][k] : ldexp(type == 2 ? w : w & 63, -frac);
    }
    a->kind = type < 2 ? 'f' : type == 2 ? 'i' : 'u';
    a->bytes = type == 0 ? 8 : type == 1 ? 4 : type == 2 ? 2 : 1;
    a->data = type == 0   ? (const void *)doubles[f.n]
              : type == 1 ? (const void *)floats[f.n]
              : type == 2 ? (const void *)whole[f.n]
                          : (const void *)small[f.n];
    ++f.n;
}

static const double *values(const char *name)
{
    for (size_t i = 0; i < f.n; ++i)
        if (strcmp(f.list[i].name, name) == 0) return f.given[i];
    printf("no array %s\n", name);
    exit(1);
}

static void write_file(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", work, name);
    CHECK_EQ(tern_store_write(path, tern_store_form_of(path), f.list, f.n, &arena, &diags), TERN_OK);
}

/* ---- random networks ---- */

typedef struct shape {
    uint32_t x, h, v, filters, frac;
    int names; /* 0: by the names of weights; 1: all filters in one array; 2: a list */
} shape;

static const char *own_name(const shape *s, const char *from, const char *to, uint32_t filter, char text[128])
{
    if (s->names == 0) snprintf(text, 128, "weights/%s/%s/%" PRIu32, from, to, filter);
    else if (s->names == 1) snprintf(text, 128, "%s.%s", from, to);
    else snprintf(text, 128, "%s.%s.%" PRIu32, from, to, filter);
    return text;
}

/* The value that the file has for a synapse. */
static double expected(const shape *s, const char *from, const char *to, uint32_t n_to, uint32_t n_from,
                       uint32_t filter, uint32_t u, uint32_t v)
{
    char name[128];
    const double *all = values(own_name(s, from, to, filter, name));
    return all[((s->names == 1 && s->filters > 1 ? filter : 0) * n_to + u) * n_from + v];
}

/* Every synapse of a neuron, and how many numbers of the file no synapse has. */
static void check_rows(const shape *s, const tern_population *p)
{
    for (uint32_t u = 0; u < p->size; ++u) {
        const tern_neuron *neuron = &m.net.neurons[p->neuron0 + u];
        for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r) {
            const tern_row *row = &m.net.rows[r];
            for (uint32_t i = 0; i < row->count; ++i) {
                const double w = m.real_weights0[row->weight + i];
                if (isnan(w)) continue;
                const tern_population *from = NULL;
                for (uint32_t k = 0; k < m.n_populations; ++k) {
                    const tern_population *q = &m.populations[k];
                    const bool pool = (q->kind == TERN_POP_INPUT) == (row->kind == TERN_ROW_SHARED);
                    if (pool && row->first + i >= q->pos && row->first + i < q->pos + q->size) from = q;
                }
                CHECK(from != NULL);
                const double must =
                    expected(s, from->name, p->name, p->size, from->size, row->filter, u, row->first + i - from->pos);
                if (fabs(w - must) > 1e-12) {
                    printf("%s[%u] -> %s[%u], filter %u: %g, wanted is %g\n", from->name, row->first + i - from->pos,
                           p->name, u, row->filter, w, must);
                    CHECK(false);
                    return;
                }
            }
        }
    }
}

static void check_locals(const tern_population *p, const double *bias, const double *self)
{
    for (uint32_t u = 0; u < p->size; ++u) {
        CHECK_NEAR(m.real_bias0[p->neuron0 + u], bias[u], 1e-12);
        if (self != NULL) CHECK_NEAR(m.real_self0[p->neuron0 + u], self[u], 1e-12);
    }
}

static void network(const shape *s, const char *extension, bool whole)
{
    char script[3000], arrays[2][400], file_name[40], name[128];
    snprintf(file_name, sizeof file_name, "w.%s", extension);
    f.n = 0;
    for (uint32_t k = 0; k < (s->names == 1 ? 1 : s->filters); ++k) {
        const uint32_t planes = s->names == 1 && s->filters > 1 ? s->filters : 0;
        add(own_name(s, "x", "h", k, name), planes, s->h, s->x, (int)s->frac);
        add(own_name(s, "h", "v", k, name), planes, s->v, s->h, (int)s->frac);
    }
    add("bias/h", 0, s->h, 0, 12), add("bias/v", 0, s->v, 0, 12), add("memory/v", 0, s->v, 0, 12);
    add("not/asked/for", 0, 3, 5, 0);
    write_file(file_name);
    for (int i = 0; i < 2; ++i) {
        const char *from = i == 0 ? "x" : "h", *to = i == 0 ? "h" : "v";
        char *at = arrays[i];
        if (s->names == 0) snprintf(at, 400, "tern.array('%s')", file_name);
        else if (s->names == 1) snprintf(at, 400, "tern.array('%s', '%s.%s')", file_name, from, to);
        else {
            int n = snprintf(at, 400, "tern.array('%s', {", file_name);
            for (uint32_t k = 0; k < s->filters; ++k)
                n += snprintf(at + n, 400 - (size_t)n, "'%s.%s.%" PRIu32 "', ", from, to, k);
            snprintf(at + n, 400 - (size_t)n, "})");
        }
    }
    const bool by_call = whole && s->names == 0;
    snprintf(script, sizeof script,
             "local f = tern.raised_cosine{ count = %u, duration = 6 }\n"
             "tern.formats{ weight = { 12, %u } }\n"
             "local x = tern.input{ name = 'x', size = %u }\n"
             "local h = tern.hidden{ name = 'h', size = %u%s }\n"
             "local v = tern.visible{ name = 'v', size = %u, memory = f[1]%s }\n"
             "tern.connect{ from = x, to = h, filters = f%s%s, pattern = tern.random{ density = 0.6, seed = %u } }\n"
             "tern.connect{ from = h, to = v, filters = f%s%s }\n"
             "tern.gem{ eta = 0.001, gamma = 0.5 }\n%s",
             s->filters, s->frac, s->x, s->h, by_call ? "" : ", bias = tern.array('w.FILE', 'bias/h')", s->v,
             by_call ? "" : ", bias = tern.array('w.FILE'), memory_init = tern.array('w.FILE')",
             by_call ? "" : ", init = ", by_call ? "" : arrays[0], 1 + draw(1000),
             by_call ? "" : ", init = ", by_call ? "" : arrays[1],
             by_call ? "tern.initial(tern.array('w.FILE'))\n" : "");
    for (char *at; (at = strstr(script, "w.FILE")) != NULL;) { /* the same or a shorter name */
        const size_t n = strlen(file_name);
        memcpy(at, file_name, n);
        memmove(at + n, at + 6, strlen(at + 6) + 1);
    }
    const tern_status status = compile(script);
    if (status != TERN_OK && diags.n > 0) printf("%s\n%d %s\n", script, diags.list[0].code, diags.list[0].message);
    CHECK_EQ(status, TERN_OK);
    if (status != TERN_OK) return;
    check_rows(s, &m.populations[1]);
    check_rows(s, &m.populations[2]);
    check_locals(&m.populations[1], values("bias/h"), NULL);
    check_locals(&m.populations[2], values("bias/v"), values("memory/v"));
    /* numbers between units that are not connected: one warning for each array that has some */
    uint64_t told = 0;
    for (size_t i = 0; i < diags.n; ++i) {
        if (diags.list[i].code != 269) continue;
        const char *colon = strchr(diags.list[i].message, ':');
        CHECK_EQ(diags.list[i].line, 6);
        if (colon != NULL) told += strtoull(colon + 1, NULL, 10);
    }
    uint64_t others = 0, synapses = 0, used = 0;
    for (uint32_t k = 0; k < s->filters; ++k) {
        const double *all = values(own_name(s, "x", "h", k, name));
        for (uint32_t i = 0; i < s->h * s->x; ++i)
            others += all[(s->names == 1 && s->filters > 1 ? k * s->h * s->x : 0) + i] != 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < m.net.n_rows; ++i)
        for (uint32_t k = 0; m.net.rows[i].kind == TERN_ROW_SHARED && k < m.net.rows[i].count; ++k) {
            const double w = m.real_weights0[m.net.rows[i].weight + k];
            synapses += isnan(w) ? 0 : 1, used += isnan(w) || w == 0 ? 0 : 1;
        }
    CHECK_EQ(told, others - used);
    CHECK(synapses <= (uint64_t)s->filters * s->h * s->x);
}

/* ---- what is wrong ---- */

typedef struct fault {
    const char *hidden, *init, *last; /* a key of the hidden population; init of line 5; the last line */
    int code, line;
    const char *words;
} fault;

static const fault faults[] = {
    { "", "tern.array('no.npz')", "", 268, 5, "'WORK/no.npz': cannot be read" },
    { "", "tern.array('net.lua')", "", 268, 5, "neither a NumPy archive" },
    { "", "tern.array('w.npz')", "", 268, 5, "has no array 'weights/x/h/0'" },
    { "", "tern.array('w.npz', 'two')", "", 268, 5, "the array 'two' has the shape [2, 2], wanted is [3, 4]" },
    { "", "tern.array('w.npz', 'turned')", "", 268, 5, "has the shape [4, 3], wanted is [3, 4]" },
    { "", "tern.array('w.npz', 'flat')", "", 268, 5, "has the shape [12], wanted is [3, 4]" },
    { "", "tern.array('w.npz', 'nan')", "", 268, 5, "nan: [1, 3] is NaN or infinite" },
    { "", "tern.array('w.npz', 'large')", "", 268, 5, "large[2, 1] is 8, allowed are -7.9997" },
    { "", "tern.array('w.npz', 'many')", "", 268, 5, "many[0, 3] is 32768, allowed are -32767 to 32767" },
    { "", "tern.array('w.npz', { 'good', 'good' })", "", 268, 5, "2 arrays are named for the 1 filters" },
    { "", "tern.array('w.npz', {})", "", 216, 5, "a list of 0 names" },
    { "", "tern.array('w.npz', 7)", "", 225, 5, "7 is not the name of an array" },
    { "", "tern.array('w.npz', { 'good', true })", "", 225, 5, "true is not the name of an array" },
    { "", "tern.array('../w.npz')", "", 225, 5, "is not the name of a file in the script's folder" },
    { "", "tern.array('/etc/passwd')", "", 225, 5, "is not the name of a file in the script's folder" },
    { "", "tern.array('out.npz')", "", 225, 5, "is a link out of the script's folder" },
    { ", bias = tern.array('w.npz', 'good')", "0", "", 268, 2, "has the shape [3, 4], wanted is [3]" },
    { ", bias = tern.array('w.npz', { 'b', 'b' })", "0", "", 268, 2, "2 arrays are named for the biases of 'h'" },
    { ", bias = tern.array('w.npz')", "0", "", 268, 2, "has no array 'bias/h'" },
    { "", "0", "tern.initial(tern.array('w.npz'))", 268, 2, "has no array 'bias/h'" },
    { "", "0", "tern.initial(tern.array('w.npz', 'good'))", 217, 7, "named arrays are of one connection" },
    { "", "0", "tern.initial(tern.uniform(0, 1))", 212, 7,
      "takes an image or a file of arrays, found an initial value" },
    { "", "0", "tern.initial()", 212, 7, "found nothing" },
    { "", "0", "tern.initial(tern.image('a')) tern.initial(tern.image('b'))", 218, 7, "tern.initial" },
};

static void wrong(const fault *w)
{
    char script[1500], words[1200];
    snprintf(script, sizeof script,
             "local x = tern.input{ name = 'x', size = 4 }\n"
             "local h = tern.hidden{ name = 'h', size = 3%s }\n"
             "local v = tern.visible{ name = 'v', size = 2 }\n"
             "tern.connect{ from = h, to = v, filters = tern.taps{ 1 }, init = 0 }\n"
             "tern.connect{ from = x, to = h, filters = tern.taps{ 1 }, init = %s }\n"
             "tern.gem{ eta = 0.001, gamma = 0.5 }\n%s\n",
             w->hidden, w->init, w->last);
    snprintf(words, sizeof words, "%s", w->words);
    if (strncmp(words, "'WORK", 5) == 0) snprintf(words, sizeof words, "'%s%s", work, w->words + 5);
    const tern_status s = compile(script);
    const bool right = s != TERN_OK && diags.n >= 1 && diags.list[0].code == w->code && diags.list[0].line == w->line &&
                       strstr(diags.list[0].message, words) != NULL;
    if (!right)
        printf("%s%s%s: status %d: %d, line %d '%s', wanted %d, line %d '%s'\n", w->hidden, w->init, w->last, (int)s,
               diags.n > 0 ? diags.list[0].code : 0, diags.n > 0 ? diags.list[0].line : 0,
               diags.n > 0 ? diags.list[0].message : "", w->code, w->line, words);
    CHECK(right);
}

static void all_faults(void)
{
    static const double good[12] = { 1, 2 }, nan[12] = { [7] = NAN }, large[12] = { [9] = 8.0 };
    static const int32_t many[12] = { [3] = 32768 };
    const tern_store_array list[] = {
        { .name = "two", .kind = 'f', .bytes = 8, .n_dims = 2, .dims = { 2, 2 }, .n_items = 4, .data = good },
        { .name = "turned", .kind = 'f', .bytes = 8, .n_dims = 2, .dims = { 4, 3 }, .n_items = 12, .data = good },
        { .name = "flat", .kind = 'f', .bytes = 8, .n_dims = 1, .dims = { 12 }, .n_items = 12, .data = good },
        { .name = "good", .kind = 'f', .bytes = 8, .n_dims = 2, .dims = { 3, 4 }, .n_items = 12, .data = good },
        { .name = "nan", .kind = 'f', .bytes = 8, .n_dims = 2, .dims = { 3, 4 }, .n_items = 12, .data = nan },
        { .name = "large", .kind = 'f', .bytes = 8, .n_dims = 2, .dims = { 3, 4 }, .n_items = 12, .data = large },
        { .name = "many", .kind = 'i', .bytes = 4, .n_dims = 2, .dims = { 3, 4 }, .n_items = 12, .data = many },
        { .name = "b", .kind = 'f', .bytes = 8, .n_dims = 1, .dims = { 3 }, .n_items = 3, .data = good },
    };
    char path[600];
    snprintf(path, sizeof path, "%s/out.npz", work);
    (void)unlink(path);
    CHECK_EQ(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/w.npz", work);
    CHECK_EQ(tern_store_write(path, TERN_STORE_NPZ, list, sizeof list / sizeof *list, &arena, &diags), TERN_OK);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) wrong(&faults[i]);
}

/* A single array in a file of its own, of more than the megabyte that a script may have. */
static void large_file(void)
{
    enum { X = 700, V = 300 };
    static double w[V * X];
    static const char head[] = "\x93NUMPY\1\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (300, 700), }";
    char path[600];
    tern_file_writer to;
    for (uint32_t i = 0; i < V * X; ++i) w[i] = (i % 4001) / 4096.0;
    snprintf(path, sizeof path, "%s/w.npy", work);
    CHECK_EQ(tern_file_begin(&to, path, &diags), TERN_OK);
    CHECK_EQ(fwrite(head, 1, 10, to.f), 10);
    fprintf(to.f, "%-117s\n", head + 10);
    CHECK_EQ(fwrite(w, 8, V * X, to.f), (size_t)V * X);
    CHECK_EQ(tern_file_commit(&to, &diags), TERN_OK);
    const tern_status s =
        compile("local x = tern.input{ name = 'x', size = 700 } local v = tern.visible{ name = 'v', size = 300 }\n"
                "tern.connect{ from = x, to = v, filters = tern.taps{ 1 }, init = tern.array('w.npy') }\n"
                "tern.gem{ eta = 0.001, gamma = 0.5 }\n");
    if (diags.n > 0) printf("%s\n", diags.list[0].message);
    CHECK_EQ(s, TERN_OK);
    for (uint32_t i = 0; i < V * X && s == TERN_OK; ++i) CHECK_NEAR(m.real_weights0[i], w[i], 0);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    work = argv[1];
    hdf5 = strcmp(argv[2], "1") == 0;
    static const uint32_t sizes[] = { 1, 2, 15, 16, 31, 32, 33, 40 };
    for (seed = 1; seed < 120;) {
        const uint64_t round = seed;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        seed = round * 7919;
        const shape s = { sizes[draw(8)], sizes[draw(8)], 1 + draw(5), 1 + draw(3), draw(11), (int)draw(3) };
        network(&s, hdf5 && round % 4 == 0 ? "h5" : "npz", draw(2) != 0);
        tern_arena_free(&arena);
        seed = round + 1;
    }
    tern_arena_init(&arena, tern_alloc_default(), 0);
    all_faults();
    large_file();
    tern_arena_free(&arena);
    return tern_check_report("lua.given");
}
