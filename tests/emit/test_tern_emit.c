/* test_tern_emit.c : map, JSON and C files of random networks: complete, the same each time, clean when something fails
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern_check.h"
#include "tern_emit.h"
#include "tern_testnet.h"

static char folder[2][512];
static tern_diags diags;

static void remove_files(const char *dir, unsigned *out_n)
{
    DIR *d = opendir(dir);
    unsigned n = 0;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char path[1024];
        if (e->d_name[0] == '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= (int)sizeof path) abort();
        unlink(path);
        ++n;
    }
    if (d != NULL) closedir(d);
    if (out_n != NULL) *out_n = n;
}

static char *read_text(const char *dir, const char *name, const char *extension)
{
    char path[1024];
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (snprintf(path, sizeof path, "%s/%s%s", dir, name, extension) >= (int)sizeof path) abort();
    CHECK_EQ(tern_file_read(path, 1 << 24, tern_alloc_default(), &bytes, &size, &diags), TERN_OK);
    char *text = malloc(size + 1);
    if (text == NULL || bytes == NULL) abort();
    memcpy(text, bytes, size);
    text[size] = 0;
    free(bytes);
    return text;
}

static void check_json(const char *text, const tern_model *m)
{
    json_error_t error;
    json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    CHECK(j != NULL);
    if (j == NULL) {
        printf("  line %d: %s\n", error.line, error.text);
        return;
    }
    const tern_net *n = &m->net;
    CHECK_STR(json_string_value(json_object_get(j, "name")), m->name);
    CHECK_EQ(strtoull(json_string_value(json_object_get(j, "seed")), NULL, 10), m->seed);
    const json_t *net = json_object_get(j, "net");
    CHECK_EQ(json_integer_value(json_object_get(net, "n_rows")), n->n_rows);
    CHECK_EQ(json_integer_value(json_object_get(net, "weight_bits")), n->weight_bits);
    CHECK_EQ(json_integer_value(json_object_get(net, "gamma_f16")), n->gamma_f16);
    const json_t *weights = json_object_get(j, "weights"), *rows = json_object_get(j, "rows"),
                 *neurons = json_object_get(j, "neurons");
    CHECK_EQ(json_array_size(weights), n->n_weights);
    for (uint32_t i = 0; i < n->n_weights; ++i) {
        const json_t *v = json_array_get(weights, i);
        CHECK(json_is_null(v) ? n->weights0[i] == TERN_WEIGHT_ABSENT : json_integer_value(v) == n->weights0[i]);
    }
    CHECK_EQ(json_array_size(rows), n->n_rows);
    for (uint32_t i = 0; i < n->n_rows; ++i) {
        CHECK_EQ(json_integer_value(json_object_get(json_array_get(rows, i), "dither")), n->rows[i].dither);
        CHECK_EQ(json_integer_value(json_object_get(json_array_get(rows, i), "count")), n->rows[i].count);
    }
    CHECK_EQ(json_array_size(neurons), n->n_neurons);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        CHECK_EQ(json_integer_value(json_object_get(json_array_get(neurons, i), "wta_size")), n->neurons[i].wta_size);
        CHECK_EQ(json_integer_value(json_object_get(json_array_get(neurons, i), "wta_index")), n->neurons[i].wta_index);
    }
    for (uint32_t i = 0; i < m->n_populations; ++i)
        CHECK_EQ(json_integer_value(json_object_get(json_array_get(json_object_get(j, "populations"), i), "wta")),
                 m->populations[i].wta);
    static const char *const rules[] = { "GEM", "MB", "IW", "REWARD" }, *const baselines[] = { "none", "neuron",
                                                                                               "synapse" };
    CHECK_STR(json_string_value(json_object_get(net, "rule")), rules[n->rule]);
    CHECK_STR(json_string_value(json_object_get(net, "baseline")), baselines[n->baseline]);
    CHECK_EQ(json_integer_value(json_object_get(net, "m_shift")), n->m_shift);
    CHECK_EQ(json_integer_value(json_object_get(net, "baseline_shift")), n->baseline_shift);
    for (unsigned set = 0; set < 2; ++set) {
        const json_t *l = json_array_get(json_object_get(net, "learn"), set);
        CHECK_EQ(json_integer_value(json_object_get(l, "c_shift")), n->learn[set].c_shift);
        CHECK_EQ(json_integer_value(json_object_get(l, "c_frac")), n->learn[set].c_frac);
        CHECK_EQ(json_integer_value(json_object_get(l, "dither_bits")), n->learn[set].dither_bits);
        CHECK_EQ(json_integer_value(json_object_get(l, "local_bits")), n->learn[set].local_bits);
    }
    const json_t *rule = json_object_get(j, "rule");
    CHECK_STR(json_string_value(json_object_get(rule, "kind")), rules[m->rule.kind]);
    CHECK_EQ(json_integer_value(json_object_get(rule, "memory")), m->rule.memory);
    CHECK_NEAR(json_real_value(json_object_get(rule, "tau")), m->rule.tau, 0);
    CHECK_EQ(json_array_size(json_object_get(j, "log_f12")), TERN_LOG_ENTRIES);
    const json_t *kap = json_object_get(j, "kap_f15");
    CHECK_EQ(json_array_size(kap), n->lags_w);
    for (uint32_t d = 0; d < n->lags_w; ++d) CHECK_EQ(json_integer_value(json_array_get(kap, d)), n->kap_f15[d]);
    CHECK_EQ(json_array_size(json_object_get(j, "populations")), m->n_populations);
    CHECK_EQ(json_array_size(json_object_get(j, "filters")), m->n_filters);
    CHECK_EQ(json_array_size(json_object_get(j, "filter_taps")), (size_t)n->n_filters * n->taps_d);
    CHECK_EQ(json_array_size(json_object_get(j, "exp_f16")), TERN_EXP_ENTRIES);
    CHECK_EQ(json_real_value(json_object_get(json_object_get(j, "rule"), "eta")) == m->rule.eta, 1);
    CHECK_EQ(json_is_null(json_object_get(j, "data")), !m->data.present);
    if (m->data.present)
        CHECK_EQ(json_array_size(json_object_get(json_object_get(j, "data"), "parts")), m->data.n_parts);
    json_decref(j);
}

/* Numbers between neurons and central processor: those that the golden model counts in one step with an update
 * pending. */
static void check_communication(const char *map, const tern_model *m)
{
    char line[200];
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_state st;
    const size_t bytes = tern_state_bytes(&m->net, m->net.n_samples);
    void *mem = tern_arena_get(&arena, bytes, 1);
    uint32_t *in = tern_arena_get(&arena, m->net.n_inputs_pos / 32 + 1, 4),
             *target = tern_arena_get(&arena, m->net.n_neurons_pos / 32, 4);
    CHECK(mem != NULL && in != NULL && target != NULL &&
          tern_state_init(&st, &m->net, mem, bytes, m->net.n_samples, 1) == TERN_OK);
    tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
    const tern_comm_counts first = st.comm;
    tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
    snprintf(line, sizeof line, "learns: %llu numbers to the central processor (",
             (unsigned long long)(st.comm.unicast - first.unicast));
    CHECK(strstr(map, line) != NULL);
    snprintf(line, sizeof line, "), %llu to the neurons (", (unsigned long long)(st.comm.broadcast - first.broadcast));
    CHECK(strstr(map, line) != NULL);
    if (strstr(map, line) == NULL) printf("  rule %u: no '%s'\n", m->net.rule, line);
    tern_arena_free(&arena);
}

static void check_map(const char *map, const tern_model *m)
{
    char hash[65], line[200];
    check_communication(map, m);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        snprintf(line, sizeof line, "%6u  %u of %u\n", p->line, p->wta == 0 ? 0 : p->size / p->wta, p->wta);
        CHECK_EQ(strstr(map, line) != NULL, p->wta != 0);
    }
    static const char *const baselines[] = { "baseline: none", "baseline: neuron", "baseline: synapse" };
    CHECK_EQ(strstr(map, baselines[m->net.baseline]) != NULL, m->net.rule != TERN_RULE_GEM);
    CHECK_EQ(tern_layout_hash(m, hash), TERN_OK);
    CHECK(strstr(map, hash) != NULL);
    CHECK(strstr(map, "inf") == NULL && strstr(map, "nan") == NULL);
    for (uint32_t i = 0; i < m->n_populations; ++i) CHECK(strstr(map, m->populations[i].name) != NULL);
    uint32_t synapses = 0;
    for (uint32_t i = 0; i < m->net.n_weights; ++i) synapses += m->net.weights0[i] != TERN_WEIGHT_ABSENT;
    snprintf(line, sizeof line, "total: %u rows, %u weight words, %u synapses\n", m->net.n_rows, m->net.n_weights,
             synapses);
    CHECK(strstr(map, line) != NULL);
    snprintf(line, sizeof line, "s%d.%u", m->net.weight_bits - m->net.weight_frac, m->net.weight_frac);
    CHECK(strstr(map, line) != NULL);
}

/* jansson's memory fails at the n-th request */
static unsigned left;
static void *failing_malloc(size_t n) { return left == 0 ? NULL : (--left, malloc(n)); }

static void failures(const tern_model *m)
{
    tern_status (*const emit[])(const tern_model *, const char *, tern_diags *) = { tern_emit_map, tern_emit_json,
                                                                                    tern_emit_c };
    char missing[600], longer[2000];
    unsigned n;
    snprintf(missing, sizeof missing, "%s/none", folder[0]);
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    for (unsigned i = 0; i < 3; ++i) {
        tern_diags_init(&diags);
        CHECK_EQ(emit[i](m, missing, &diags), TERN_ERR_IO);
        CHECK_EQ(diags.list[0].code, 302);
        tern_diags_init(&diags);
        CHECK_EQ(emit[i](m, longer, &diags), TERN_ERR_ARGUMENT);
        CHECK_EQ(diags.list[0].code, 331);
    }
    tern_status status = TERN_ERR_MEMORY;
    unsigned tries = 0;
    for (; status == TERN_ERR_MEMORY && tries < 20000; ++tries) {
        left = tries;
        tern_diags_init(&diags);
        json_set_alloc_funcs(failing_malloc, free);
        status = tern_emit_json(m, folder[0], &diags);
        json_set_alloc_funcs(malloc, free);
        remove_files(folder[0], &n);
        CHECK_EQ(n, status == TERN_OK ? 1 : 0); /* the file complete, or nothing */
        CHECK(status == TERN_OK || diags.n == 1);
    }
    CHECK_EQ(status, TERN_OK);
    CHECK(tries > 10);
}

int main(int argc, char **argv)
{
    static const char *const extensions[] = { ".map", ".json", ".h", ".c" };
    for (unsigned i = 0; i < 2; ++i) {
        snprintf(folder[i], sizeof folder[i], "%s/emit_%ld_%u", argc > 1 ? argv[1] : ".", (long)getpid(), i);
        CHECK_EQ(mkdir(folder[i], 0777), 0);
    }
    for (uint64_t seed = 0; seed < 60; ++seed) {
        tern_arena arena;
        static tern_model m;
        char *text[2][4];
        tern_arena_init(&arena, tern_alloc_default(), 0);
        CHECK_EQ(tern_testnet_make(seed, &arena, &m), TERN_OK);
        if (m.net.rule != TERN_RULE_GEM && seed % 5 == 0) m.net.baseline = m.rule.baseline = TERN_BASELINE_SYNAPSE;
        tern_diags_init(&diags);
        for (unsigned i = 0; i < 2; ++i) {
            CHECK_EQ(tern_emit_map(&m, folder[i], &diags), TERN_OK);
            CHECK_EQ(tern_emit_json(&m, folder[i], &diags), TERN_OK);
            CHECK_EQ(tern_emit_c(&m, folder[i], &diags), TERN_OK);
            for (unsigned k = 0; k < 4; ++k) text[i][k] = read_text(folder[i], m.name, extensions[k]);
            unsigned n;
            remove_files(folder[i], &n);
            CHECK_EQ(n, 4); /* no temporary file is left */
        }
        CHECK_EQ(diags.n, 0);
        for (unsigned k = 0; k < 4; ++k) {
            CHECK_STR(text[0][k], text[1][k]);
            CHECK(strstr(text[0][k], "GENERATED FILE - do not edit") != NULL);
            CHECK(strstr(text[0][k], folder[0]) == NULL);
        }
        check_map(text[0][0], &m);
        check_json(text[0][1], &m);
        for (unsigned k = 0; k < 8; ++k) free(text[k / 4][k % 4]);
        if (seed == 7) failures(&m);
        tern_arena_free(&arena);
    }
    for (unsigned i = 0; i < 2; ++i) CHECK_EQ(rmdir(folder[i]), 0);
    return tern_check_report("emit.files");
}
