/* script_arrays.c : random scripts whose initial values come from files of random arrays (tern.array, tern.initial)
 * SPDX-License-Identifier: Apache-2.0
 *
 *     script_arrays WORK HDF5 [--first SEED] [--count N]      HDF5 1: the build has it
 *
 * A script of the generator is compiled as it is. Then initial values of its connections and populations become arrays:
 * by the names of docs/13-weights.md, one array for all filters, a list of arrays, or tern.initial for all that has
 * none of its own; real numbers and integers of every width, limits among them. The network of the changed script must
 * have the same structure, and in each synapse, bias and self-memory the number that the array holds there, found here
 * from the script's own declarations. Exit status 0: so it is, and no class was missed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tern/compile.h"
#include "tern/file.h"
#include "tern/save.h"
#include "tern_script_build.h"
#include "tern_script_draw.h"
#include "tern_store.h"

enum { MOST = 512, CONNECT_FILTERS = TERN_MAX_FILTERS };

enum {
    BY_NAME,
    ONE_ARRAY,
    PLANES, /* one array for several filters */
    LIST,
    INITIAL,
    BIASES,
    MEMORIES,
    REAL64,
    REAL32,
    SIGNED,
    UNSIGNED,
    AT_LIMIT,
    ARCHIVE,
    HDF5,
    CLASSES
};
static const char *const class_names[CLASSES] = { "names",    "one-array", "planes",  "lists",   "initial",
                                                  "biases",   "memories",  "float64", "float32", "signed",
                                                  "unsigned", "limits",    "npz",     "hdf5" };

typedef struct series {
    const char *work;
    bool hdf5;
    uint64_t counts[CLASSES], values, networks;
} series;

/* One network and its arrays. */
typedef struct world {
    series *sum;
    tern_arena arena;
    tern_draws draws;
    tern_script script;
    tern_model plain, given; /* of the script as it was drawn, and with arrays */
    tern_store_array list[MOST];
    double *as_code[MOST]; /* what each item has to become, in units of the last bit */
    size_t n;
    uint32_t n_of[TERN_SCRIPT_CONNECTS];                    /* filters of each connection */
    uint8_t filters[TERN_SCRIPT_CONNECTS][CONNECT_FILTERS]; /* their numbers in the network */
    char why[200];
} world;

static uint32_t size_of(const tern_script_population *p)
{
    uint32_t n = p->dims[0];
    for (unsigned d = 1; d < p->n_dims; ++d) n *= p->dims[d];
    return n;
}

/* ---- arrays ---- */

static void put_number(tern_store_array *a, void *data, uint64_t i, double x, double *code, int frac)
{
    switch (a->kind) {
    case 'f':
        if (a->bytes == 8) ((double *)data)[i] = x;
        else x = ((float *)data)[i] = (float)x;
        *code = floor(ldexp(x, frac) + 0.5);
        return;
    default:
        *code = ldexp(x, frac) < 0 ? ceil(ldexp(x, frac)) : floor(ldexp(x, frac));
        if (a->kind == 'u') *code = fabs(*code);
        if (a->bytes == 1) *code = fmin(fmax(*code, -127), 127);
        if (a->kind == 'i' && a->bytes == 1) ((int8_t *)data)[i] = (int8_t)*code;
        else if (a->kind == 'i' && a->bytes == 2) ((int16_t *)data)[i] = (int16_t)*code;
        else if (a->kind == 'i' && a->bytes == 4) ((int32_t *)data)[i] = (int32_t)*code;
        else if (a->kind == 'i') ((int64_t *)data)[i] = (int64_t)*code;
        else if (a->bytes == 1) ((uint8_t *)data)[i] = (uint8_t)*code;
        else if (a->bytes == 2) ((uint16_t *)data)[i] = (uint16_t)*code;
        else if (a->bytes == 4) ((uint32_t *)data)[i] = (uint32_t)*code;
        else ((uint64_t *)data)[i] = (uint64_t)*code;
    }
}

/* An array of random numbers of `bits` bits, `frac` of them behind the point. False: no room. */
static bool add(world *w, const char *name, uint32_t planes, uint32_t rows, uint32_t columns, uint32_t bits, int frac)
{
    static const uint8_t widths[] = { 1, 2, 4, 8 };
    for (size_t i = 0; i < w->n; ++i)
        if (strcmp(w->list[i].name, name) == 0) return true;
    if (w->n == MOST) return false;
    tern_store_array *a = &w->list[w->n];
    *a = (tern_store_array){ .n_items = 1 };
    snprintf(a->name, sizeof a->name, "%s", name);
    if (planes != 0) a->dims[a->n_dims++] = planes;
    a->dims[a->n_dims++] = rows;
    if (columns != 0) a->dims[a->n_dims++] = columns;
    for (uint32_t d = 0; d < a->n_dims; ++d) a->n_items *= a->dims[d];
    a->kind = "ffiu"[tern_draw_in(&w->draws, 0, 3)];
    a->bytes = a->kind == 'f' ? tern_draw_one_in(&w->draws, 2) ? 8 : 4 : widths[tern_draw_next(&w->draws) % 4];
    void *data = tern_arena_get(&w->arena, (size_t)a->n_items, 8);
    w->as_code[w->n] = tern_arena_get(&w->arena, (size_t)a->n_items, sizeof(double));
    if (data == NULL || w->as_code[w->n] == NULL) return false;
    a->data = data;
    const double top = ldexp(1, (int)bits - 1) - 1;
    for (uint64_t i = 0; i < a->n_items; ++i) {
        double x = tern_draw_real(&w->draws, -top, top);
        if (tern_draw_one_in(&w->draws, 8)) {
            x = tern_draw_one_in(&w->draws, 2) ? top : -top;
            ++w->sum->counts[AT_LIMIT];
        }
        if (tern_draw_one_in(&w->draws, 4)) x = floor(x) + (fabs(x) < top - 1 ? 0.5 : 0); /* ties */
        put_number(a, data, i, ldexp(x, -frac), &w->as_code[w->n][i], frac);
    }
    ++w->sum->counts[a->kind == 'i' ? SIGNED : a->kind == 'u' ? UNSIGNED : a->bytes == 8 ? REAL64 : REAL32];
    ++w->n;
    return true;
}

static const double *codes_of(const world *w, const char *name)
{
    for (size_t i = 0; i < w->n; ++i)
        if (strcmp(w->list[i].name, name) == 0) return w->as_code[i];
    return NULL;
}

/* ---- which filter has which number: in the order of their first use ---- */

static bool number_filters(world *w)
{
    const tern_script *s = &w->script;
    int first[TERN_SCRIPT_FILTERS];
    uint32_t n = 0;
    for (uint32_t f = 0; f < TERN_SCRIPT_FILTERS; ++f) first[f] = -1;
    for (uint32_t p = 0; p < s->n_populations; ++p) {
        const int32_t f = s->populations[p].memory;
        if (f < 0 || first[f] >= 0) continue;
        first[f] = (int)n;
        n += s->filters[f].count;
    }
    for (uint32_t c = 0; c < s->n_connects; ++c) {
        w->n_of[c] = 0;
        for (uint32_t i = 0; i < s->connects[c].n_filters; ++i) {
            const uint8_t f = s->connects[c].filters[i];
            if (first[f] < 0) {
                first[f] = (int)n;
                n += s->filters[f].count;
            }
            for (uint32_t k = 0; k < s->filters[f].count; ++k) {
                if (w->n_of[c] == CONNECT_FILTERS) return false;
                w->filters[c][w->n_of[c]++] = (uint8_t)(first[f] + (int)k);
            }
        }
    }
    return n == w->plain.net.n_filters; /* else two of them are equal */
}

/* ---- the script with arrays ---- */

static bool give_named(world *w, const tern_script_connect *c, uint32_t at)
{
    char name[TERN_STORE_NAME];
    for (uint32_t i = 0; i < c->n_from; ++i)
        for (uint32_t j = 0; j < c->n_to; ++j)
            for (uint32_t k = 0; k < w->n_of[at]; ++k) {
                snprintf(name, sizeof name, "weights/p%u/p%u/%u", c->from[i], c->to[j], w->filters[at][k]);
                if (!add(w, name, 0, size_of(&w->script.populations[c->to[j]]),
                         size_of(&w->script.populations[c->from[i]]), w->plain.net.weight_bits,
                         w->plain.net.weight_frac))
                    return false;
            }
    return true;
}

static bool give_connect(world *w, uint32_t at)
{
    tern_script_connect *c = &w->script.connects[at];
    const tern_net *n = &w->plain.net;
    const bool single = c->n_from == 1 && c->n_to == 1;
    const uint32_t rows = size_of(&w->script.populations[c->to[0]]),
                   columns = size_of(&w->script.populations[c->from[0]]), filters = w->n_of[at];
    char name[TERN_STORE_NAME];
    if (c->init.kind == TERN_SCRIPT_INIT_NONE && w->script.initial) {
        ++w->sum->counts[INITIAL];
        return give_named(w, c, at);
    }
    const uint32_t form = (uint32_t)tern_draw_in(&w->draws, 0, single ? 3 : 1);
    if (form == 0) return true;
    c->init = (tern_script_init){ .kind = TERN_SCRIPT_INIT_ARRAY, .id = (uint8_t)at };
    if (form == 1) {
        ++w->sum->counts[BY_NAME];
        return give_named(w, c, at);
    }
    c->init.names = (uint8_t)(form == 2 ? 1 : filters + 1);
    ++w->sum->counts[form == 3 ? LIST : filters > 1 ? PLANES : ONE_ARRAY];
    if (form == 2) {
        snprintf(name, sizeof name, "a%u", at);
        return add(w, name, filters > 1 ? filters : 0, rows, columns, n->weight_bits, n->weight_frac);
    }
    for (uint32_t k = 0; k < filters; ++k) {
        snprintf(name, sizeof name, "a%u_%u", at, k);
        if (!add(w, name, 0, rows, columns, n->weight_bits, n->weight_frac)) return false;
    }
    return true;
}

static bool give_local(world *w, uint32_t p, bool self)
{
    tern_script_population *pop = &w->script.populations[p];
    tern_script_init *init = self ? &pop->memory_init : &pop->bias;
    char name[TERN_STORE_NAME];
    const uint8_t id = (uint8_t)(100 + 2 * p + self);
    if (init->kind == TERN_SCRIPT_INIT_NONE && w->script.initial) ++w->sum->counts[INITIAL];
    else if (tern_draw_one_in(&w->draws, 2)) return true;
    else *init = (tern_script_init){ TERN_SCRIPT_INIT_ARRAY, 0, 0, tern_draw_one_in(&w->draws, 2), id };
    ++w->sum->counts[self ? MEMORIES : BIASES];
    if (init->kind == TERN_SCRIPT_INIT_ARRAY && init->names == 1) snprintf(name, sizeof name, "a%u", id);
    else snprintf(name, sizeof name, "%s/p%u", self ? "memory" : "bias", p);
    return add(w, name, 0, size_of(pop), 0, 16, TERN_BIAS_FRAC);
}

/* ---- what the script says about a synapse ---- */

static bool has(const uint8_t *list, uint32_t n, uint32_t x)
{
    for (uint32_t i = 0; i < n; ++i)
        if (list[i] == x) return true;
    return false;
}

/* The connection that makes a synapse, and the place of the filter in it. A list of pairs goes before others, which
 * lack its pairs. */
static const tern_script_connect *maker_of(const world *w, uint32_t from, uint32_t u, uint32_t to, uint32_t v,
                                           uint8_t filter, uint32_t *at, uint32_t *place, const tern_script_pair **pair)
{
    const tern_script_connect *found = NULL;
    *pair = NULL;
    for (uint32_t i = 0; i < w->script.n_connects; ++i) {
        const tern_script_connect *c = &w->script.connects[i];
        uint32_t k = 0;
        while (k < w->n_of[i] && w->filters[i][k] != filter) ++k;
        if (k == w->n_of[i] || !has(c->from, c->n_from, from) || !has(c->to, c->n_to, to)) continue;
        const tern_script_pair *mine = NULL;
        for (uint32_t j = 0; j < c->n_pairs; ++j)
            if (c->pairs[j].from == u && c->pairs[j].to == v) mine = &c->pairs[j];
        if (c->pattern == TERN_SCRIPT_LIST_PATTERN ? mine == NULL : found != NULL) continue;
        found = c;
        *at = i;
        *place = k;
        if (c->pattern != TERN_SCRIPT_LIST_PATTERN) continue;
        *pair = mine;
        break;
    }
    return found;
}

/* Code that a weight must have; NAN: that of the script without arrays. */
static double wanted_weight(const world *w, uint32_t from, uint32_t u, uint32_t to, uint32_t v, uint8_t filter)
{
    uint32_t at = 0, k = 0;
    char name[TERN_STORE_NAME];
    const tern_script_pair *pair;
    const tern_script_connect *c = maker_of(w, from, u, to, v, filter, &at, &k, &pair);
    if (c == NULL) return INFINITY;
    const uint32_t columns = size_of(&w->script.populations[from]), rows = size_of(&w->script.populations[to]);
    const bool initial = c->init.kind == TERN_SCRIPT_INIT_NONE && w->script.initial;
    if ((pair != NULL && pair->weighted) || (c->init.kind != TERN_SCRIPT_INIT_ARRAY && !initial)) return NAN;
    uint64_t plane = 0;
    if (c->init.names == 0 || initial) snprintf(name, sizeof name, "weights/p%u/p%u/%u", from, to, filter);
    else if (c->init.names == 1) snprintf(name, sizeof name, "a%u", c->init.id);
    else snprintf(name, sizeof name, "a%u_%u", c->init.id, k);
    if (c->init.names == 1 && !initial) plane = k;
    const double *codes = codes_of(w, name);
    return codes == NULL ? INFINITY : codes[(plane * rows + v) * columns + u];
}

static double wanted_local(const world *w, uint32_t p, uint32_t u, bool self)
{
    const tern_script_population *pop = &w->script.populations[p];
    const tern_script_init *init = self ? &pop->memory_init : &pop->bias;
    char name[TERN_STORE_NAME];
    if (init->kind != TERN_SCRIPT_INIT_ARRAY && !(init->kind == TERN_SCRIPT_INIT_NONE && w->script.initial)) return NAN;
    if (init->kind == TERN_SCRIPT_INIT_ARRAY && init->names == 1) snprintf(name, sizeof name, "a%u", init->id);
    else snprintf(name, sizeof name, "%s/p%u", self ? "memory" : "bias", p);
    const double *codes = codes_of(w, name);
    return codes == NULL ? INFINITY : codes[u];
}

/* ---- comparing ---- */

static bool same(world *w, const char *what, uint32_t p, uint32_t u, uint32_t row, int is, int was, double wanted)
{
    ++w->sum->values;
    if (isnan(wanted)) wanted = was;
    if (is == wanted) return true;
    snprintf(w->why, sizeof w->why, "%s of p%u unit %u, row %u: %d, wanted is %g", what, p, u, row, is, wanted);
    return false;
}

static uint32_t population_at(const tern_model *m, bool inputs, uint32_t pos)
{
    for (uint32_t i = 0; i < m->n_populations; ++i)
        if ((m->populations[i].kind == TERN_POP_INPUT) == inputs && pos >= m->populations[i].pos &&
            pos - m->populations[i].pos < m->populations[i].size)
            return i;
    return UINT32_MAX;
}

static bool same_neuron(world *w, uint32_t p, uint32_t u)
{
    const tern_net *n = &w->given.net, *was = &w->plain.net;
    const uint32_t i = w->given.populations[p].neuron0 + u;
    const tern_neuron *neuron = &n->neurons[i];
    for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r)
        for (uint32_t k = 0; k < n->rows[r].count; ++k) {
            const tern_row *row = &n->rows[r];
            const uint32_t at = row->weight + k, pos = row->first + k;
            if (n->weights0[at] == TERN_WEIGHT_ABSENT) continue;
            const uint32_t from = population_at(&w->given, row->kind == TERN_ROW_SHARED, pos);
            if (from == UINT32_MAX) return false;
            const double wanted = wanted_weight(w, from, pos - w->given.populations[from].pos, p, u, row->filter);
            if (!same(w, "weight", p, u, r, n->weights0[at], was->weights0[at], wanted)) return false;
        }
    return same(w, "bias", p, u, 0, n->bias0_f12[i], was->bias0_f12[i], wanted_local(w, p, u, false)) &&
           (neuron->self_filter == TERN_NO_FILTER ||
            same(w, "memory", p, u, 0, n->self0_f12[i], was->self0_f12[i], wanted_local(w, p, u, true)));
}

/* ---- a seed ---- */

/* TERN_OK, TERN_ERR_DIFFERS, TERN_ERR_LIMIT: no such network here, or what failed. */
static tern_status run_seed(world *w, uint64_t seed)
{
    static tern_diags diags;
    static char text[TERN_SCRIPT_TEXT];
    char path[600];
    unsigned attempt = 0;
    tern_arena_init(&w->arena, tern_alloc_default(), 0);
    tern_status s = tern_script_build(&w->script, seed, &tern_script_any, 1, &w->arena, &w->plain, &diags, &attempt);
    if (s != TERN_OK) return s;
    if (!number_filters(w)) return TERN_ERR_LIMIT;
    const bool hdf5 = w->sum->hdf5 && tern_draw_one_in(&w->draws, 4);
    w->script.arrays = hdf5 ? "arrays.h5" : "arrays.npz";
    w->script.initial = tern_draw_one_in(&w->draws, 3);
    for (uint32_t c = 0; c < w->script.n_connects; ++c)
        if (!give_connect(w, c)) return TERN_ERR_LIMIT;
    for (uint32_t p = 0; p < w->script.n_populations; ++p) {
        if (w->script.populations[p].kind == TERN_POP_INPUT) continue;
        if (!give_local(w, p, false)) return TERN_ERR_LIMIT;
        if (w->script.populations[p].memory >= 0 && !give_local(w, p, true)) return TERN_ERR_LIMIT;
    }
    if (w->n == 0) return TERN_ERR_LIMIT;
    ++w->sum->counts[hdf5 ? HDF5 : ARCHIVE];
    tern_diags_init(&diags);
    snprintf(path, sizeof path, "%s/%s", w->sum->work, w->script.arrays);
    s = tern_store_write(path, tern_store_form_of(path), w->list, w->n, &w->arena, &diags);
    const size_t size = tern_script_text(&w->script, text, sizeof text);
    snprintf(path, sizeof path, "%s/arrays.lua", w->sum->work);
    if (s == TERN_OK && size != 0) s = tern_file_write(path, text, size, &diags);
    if (s == TERN_OK) s = tern_compile_file(path, NULL, &w->arena, &w->given, &diags);
    if (s != TERN_OK) {
        snprintf(w->why, sizeof w->why, "%.150s", diags.n_errors != 0 ? diags.list[0].message : tern_status_text(s));
        return s;
    }
    snprintf(w->why, sizeof w->why, "another structure");
    if (tern_net_fingerprint(&w->plain.net) != tern_net_fingerprint(&w->given.net)) return TERN_ERR_DIFFERS;
    for (uint32_t p = 0; p < w->given.n_populations; ++p)
        for (uint32_t u = 0; w->given.populations[p].kind != TERN_POP_INPUT && u < w->given.populations[p].size; ++u)
            if (!same_neuron(w, p, u)) return TERN_ERR_DIFFERS;
    return TERN_OK;
}

int main(int argc, char **argv)
{
    static world w;
    series sum = { 0 };
    uint64_t first = 1, count = 100, elsewhere = 0;
    if (argc < 3) return 2;
    sum.work = argv[1];
    sum.hdf5 = strcmp(argv[2], "1") == 0;
    for (int i = 3; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
    }
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count && bad < 5; ++seed) {
        memset(&w, 0, sizeof w);
        w.sum = &sum;
        w.draws.s = seed ^ 0xa55a;
        const tern_status s = run_seed(&w, seed);
        if (s == TERN_ERR_LIMIT && w.why[0] == 0) ++elsewhere;
        else if (s == TERN_OK) ++sum.networks;
        else {
            ++bad;
            printf("seed %" PRIu64 " DIFFERS: %s; script and arrays: %s; repeat: script_arrays %s %s --first %" PRIu64
                   " --count 1\n",
                   seed, w.why, sum.work, argv[1], argv[2], seed);
        }
        tern_arena_free(&w.arena);
    }
    printf("script_arrays: %" PRIu64 " networks, %" PRIu64 " numbers compared, %" PRIu64
           " seeds without arrays; %u differ\ncoverage:",
           sum.networks, sum.values, elsewhere, bad);
    bool full = true;
    for (unsigned c = 0; c < CLASSES; ++c) printf(" %s %" PRIu64, class_names[c], sum.counts[c]);
    putchar('\n');
    for (unsigned c = 0; c < CLASSES; ++c)
        if (sum.counts[c] == 0 && (c != HDF5 || sum.hdf5)) {
            printf("coverage: no array of the class '%s'\n", class_names[c]);
            full = false;
        }
    return bad != 0 || sum.networks == 0 || (count >= 100 && (!full || elsewhere * 4 > count));
}
