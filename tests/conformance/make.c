/* make.c : makes the conformance vectors: of each script an image, and a text of operations and what has to come of it
 * SPDX-License-Identifier: Apache-2.0
 *
 *     conformance_make OUT NAME.lua...       writes OUT/NAME.tern and OUT/NAME.txt, OUT/threefry.txt
 *
 * A script says in comments "-- plan: TOKENS" what happens. Tokens, in order:
 *     K=N seed=N density=N (an input or target spikes in one step of N) silence=N (inputs: of N density)
 *     lcN lN cN -N    N steps that learn, clamp, both or neither; under rule reward a reward follows four of five
 *     votes votes=first (the label population votes)
 *     flush clear state example vote rate:P batch:STEP:K0 again (the frames since the last example, again)
 *     trace           every value of the next step goes to OUT/NAME.trace
 *     poke            v, m, baselines, weights and step number at their limits or close to them
 *     resume, start   what was done so far goes into the image; the vector begins here
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "player.h"
#include "trace.h"
#include "tern/image.h"
#include "tern_compiler.h"
#include "tern_draws.h"
#include "tern_weight.h"

typedef struct maker {
    tern_player play;
    uint32_t k, density, silence;
    uint64_t seed, random, example; /* frames: their generator, and what it was when the example began */
    bool begun, traced;             /* there is a state; the next step is written to NAME.trace */
    const char *name, *title;
} maker;

static bool failed(const char *name, const char *text)
{
    fprintf(stderr, "conformance_make: %s: %s\n", name, text);
    return false;
}

static uint64_t draw(maker *m) /* splitmix64 */
{
    uint64_t z = (m->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static bool line(maker *m, const char *text)
{
    return tern_player_line(&m->play, text) || failed(m->name, m->play.error);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static void random_words(maker *m, bool inputs, uint32_t *words, uint32_t n_words)
{
    const tern_model *net = &m->play.m;
    memset(words, 0, n_words * sizeof *words);
    for (uint32_t i = 0; i < net->n_populations; ++i) {
        const tern_population *p = &net->populations[i];
        if (p->kind != (inputs ? TERN_POP_INPUT : TERN_POP_VISIBLE)) continue;
        for (uint32_t u = p->pos; u < p->pos + p->size; ++u)
            if (draw(m) % (inputs ? m->density * m->silence : m->density) == 0) words[u / 32] |= (uint32_t)1 << u % 32;
    }
}

static size_t print_words(char *to, size_t room, const char *name, const uint32_t *words, uint32_t n)
{
    size_t at = (size_t)snprintf(to, room, " %s", name);
    for (uint32_t i = 0; i < n; ++i) at += (size_t)snprintf(to + at, room - at, " %08x", words[i]);
    return at;
}

static bool write_trace(maker *m, const uint32_t *in, const uint32_t *target, const char *flags, const char *operation)
{
    char path[1024];
    const unsigned learn = strchr(flags, 'l') != NULL ? TERN_STEP_LEARN : 0;
    const unsigned clamp = strchr(flags, 'c') != NULL ? TERN_STEP_CLAMP : 0;
    snprintf(path, sizeof path, "%s/%s.trace", m->play.folder, m->name);
    FILE *f = fopen(path, "w");
    if (f == NULL) return failed(path, "cannot be written");
    fprintf(f, "# %s# Every value of this step of %s.txt, with its rule; made by conformance_make.\n# step %u\n# %s\n",
            m->title, m->name, m->play.st.step, operation);
    const bool ok = tern_trace_write(&m->play.st, in, target, learn | clamp, f);
    m->traced = false;
    return (fclose(f) == 0 && ok) || failed(path, "cannot be traced");
}

static bool one_step(maker *m, const char *flags)
{
    char text[4096];
    uint32_t in[64], target[64];
    const tern_net *net = &m->play.m.net;
    const uint32_t n_in = net->n_inputs_pos / 32u, n_target = net->n_neurons_pos / 32u;
    if (n_in > 64 || n_target > 64) return failed(m->name, "too many positions for a vector");
    size_t at = (size_t)snprintf(text, sizeof text, "step %s", flags);
    random_words(m, true, in, n_in);
    at += print_words(text + at, sizeof text - at, "in", in, n_in);
    random_words(m, false, target, n_target);
    print_words(text + at, sizeof text - at, "target", target, n_target);
    if (m->traced && !write_trace(m, in, target, flags, text)) return false;
    if (!line(m, text)) return false;
    if (net->rule != TERN_RULE_REWARD || strchr(flags, 'l') == NULL) return true;
    if (draw(m) % 5 == 0) return true; /* the last one stays */
    const int64_t reach = draw(m) % 8 == 0 ? INT32_MAX : 1 << 14;
    at = (size_t)snprintf(text, sizeof text, "reward");
    for (uint32_t k = 0; k < m->play.st.n_samples; ++k)
        at += (size_t)snprintf(text + at, sizeof text - at, " %d",
                               (int)((int64_t)(draw(m) % (uint64_t)(2 * reach + 1)) - reach));
    return line(m, text);
}

static bool steps(maker *m, const char *token)
{
    char flags[4];
    const size_t n = strspn(token, "lc-");
    if (n == 0 || n >= sizeof flags || token[n] < '1' || token[n] > '9') return failed(m->name, token);
    snprintf(flags, sizeof flags, "%.*s", (int)n, token);
    for (unsigned long t = strtoul(token + n, NULL, 10); t > 0; --t)
        if (!one_step(m, flags)) return false;
    return true;
}

/* States that take long to reach. */
static void poke(tern_state *st)
{
    const tern_net *n = st->net;
    const int16_t top = (int16_t)((1 << (n->weight_bits - 1)) - 1);
    for (uint32_t k = 0; k < st->n_samples; ++k) st->v_f12[k] = -INT32_MAX + (int32_t)k * 3000;
    for (size_t i = 0; i < tern_net_baselines(n); ++i) {
        if (n->baseline == TERN_BASELINE_NEURON && i < tern_net_signal_first(n)) continue;
        st->base_f12[i] = i % 2 == 0 ? INT32_MAX : -INT32_MAX;
        st->base_weight[i] = i % 3 == 0 ? UINT32_MAX : (uint32_t)i;
    }
    for (uint32_t i = 0; i < n->n_weights; ++i)
        if (st->weights[i] != TERN_WEIGHT_ABSENT) st->weights[i] = i % 2 == 0 ? top : (int16_t)-top;
    for (uint32_t i = 0; i < n->n_neurons; ++i) st->bias_f12[i] = i % 2 == 0 ? -INT16_MAX : INT16_MAX;
    for (uint32_t k = 0; k < st->n_samples && n->rule == TERN_RULE_MB; ++k)
        st->m_f14[k] = k % 2 == 0 ? INT16_MAX : INT16_MIN;
    st->step = UINT32_MAX - 2u;
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static bool save_image(maker *m, const tern_state *st)
{
    char path[1024];
    tern_diags diags;
    tern_diags_init(&diags);
    tern_model model = m->play.m;
    model.state = st;
    snprintf(path, sizeof path, "%s/%s.tern", m->play.folder, m->name);
    return tern_image_save(&model, path, tern_alloc_default(), &diags) == TERN_OK || failed(path, "cannot be written");
}

/* The image is there: `start` or `resume` from it. */
static bool begin(maker *m, bool resume)
{
    char text[128];
    snprintf(text, sizeof text, "image %s.tern", m->name);
    if (!m->play.open && !line(m, text)) return false;
    if (resume) snprintf(text, sizeof text, "resume");
    else snprintf(text, sizeof text, "start %u %llu", m->k, (unsigned long long)m->seed);
    m->begun = true;
    return line(m, text);
}

static bool title_line(maker *m);

/* What was done so far becomes the state of the image; the vector starts over, with this image. */
static bool begin_from_state(maker *m, bool resume)
{
    FILE *out = m->play.out;
    const char *folder = m->play.folder;
    if (!save_image(m, &m->play.st)) return false;
    tern_player_free(&m->play);
    rewind(out);
    if (ftruncate(fileno(out), 0) != 0) return failed(m->name, "the vector cannot start over");
    tern_player_init(&m->play, folder, out);
    return title_line(m) && begin(m, resume);
}

/* ---- a plan ------------------------------------------------------------------------------------------------------ */

static bool token_operation(maker *m, const char *token)
{
    char text[128];
    unsigned step, k0;
    if (!m->begun && !begin(m, false)) return false;
    if (strcmp(token, "poke") == 0) {
        poke(&m->play.st);
        return true;
    }
    if (strcmp(token, "trace") == 0) return m->traced = true;
    if (strcmp(token, "again") == 0) {
        m->random = m->example;
        return true;
    }
    if (strcmp(token, "example") == 0) m->example = m->random;
    if (sscanf(token, "batch:%u:%u", &step, &k0) == 2) {
        snprintf(text, sizeof text, "batch %u %u", step, k0);
        return line(m, text);
    }
    if (sscanf(token, "rate:%u", &step) == 1) {
        snprintf(text, sizeof text, "rate %u", step);
        return line(m, text);
    }
    if (strcmp(token, "votes") == 0 || strcmp(token, "votes=first") == 0) {
        const tern_population *p = &m->play.m.populations[m->play.m.data.label_population];
        snprintf(text, sizeof text, "classes %u %u %s", p->neuron0, p->size, token[5] == '=' ? "first" : "rate");
        return line(m, text);
    }
    static const char *const plain[] = { "flush", "clear", "state", "example", "vote" };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
        if (strcmp(token, plain[i]) == 0) return line(m, token);
    return steps(m, token);
}

static bool token_setting(maker *m, const char *token, bool *out_ok)
{
    unsigned long long v;
    char key[32];
    *out_ok = true;
    if (sscanf(token, "%31[a-zK]=%llu", key, &v) != 2) return false;
    if (strcmp(key, "K") == 0) m->k = (uint32_t)v;
    else if (strcmp(key, "seed") == 0) m->seed = v;
    else if (strcmp(key, "density") == 0) m->density = (uint32_t)v;
    else if (strcmp(key, "silence") == 0) m->silence = (uint32_t)v;
    else *out_ok = failed(m->name, token);
    return true;
}

static bool follow(maker *m, char *plan)
{
    bool ok = true;
    char *next = plan;
    for (char *token; ok && (token = strtok_r(next, " \t\r\n", &next)) != NULL;) {
        if (token_setting(m, token, &ok)) continue;
        if (strcmp(token, "resume") == 0 || strcmp(token, "start") == 0) ok = begin_from_state(m, token[0] == 'r');
        else ok = token_operation(m, token);
    }
    if (ok && m->begun) ok = line(m, "state");
    return ok && m->begun;
}

/* All "-- plan: " lines of the script behind each other; the first line's comment is the title. */
static bool read_script(const char *path, char *plan, size_t room, char *title, size_t title_room)
{
    char text[512];
    FILE *f = fopen(path, "r");
    if (f == NULL) return failed(path, "cannot be read");
    plan[0] = title[0] = 0;
    while (fgets(text, sizeof text, f) != NULL) {
        if (title[0] == 0) snprintf(title, title_room, "%s", text + 3);
        if (strncmp(text, "-- plan: ", 9) == 0) strncat(plan, text + 9, room - strlen(plan) - 1);
    }
    fclose(f);
    return plan[0] != 0 || failed(path, "has no plan");
}

static bool title_line(maker *m)
{
    return fprintf(m->play.out, "# %s# docs/23-conformance.md explains the lines; made by conformance_make.\n",
                   m->title) > 0;
}

/* Compiles the script to an image without state. */
static bool compile(maker *m, const char *script)
{
    tern_arena arena;
    tern_diags diags;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    bool ok = tern_compile_file(script, NULL, &arena, &m->play.m, &diags) == TERN_OK;
    for (size_t i = 0; i < diags.n; ++i)
        if (diags.list[i].severity == TERN_SEV_ERROR) failed(script, diags.list[i].message);
    m->k = m->play.m.net.n_samples;
    ok = ok && save_image(m, NULL);
    tern_arena_free(&arena);
    return ok;
}

static bool make_vector(const char *script, const char *folder)
{
    char plan[2048], title[512], path[1024], name[64];
    const char *slash = strrchr(script, '/');
    snprintf(name, sizeof name, "%s", slash == NULL ? script : slash + 1);
    name[strcspn(name, ".")] = 0;
    if (!read_script(script, plan, sizeof plan, title, sizeof title)) return false;
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *out = fopen(path, "w+");
    if (out == NULL) return failed(path, "cannot be written");
    maker m = { .density = 4, .silence = 1, .seed = 1, .name = name, .title = title };
    for (const char *c = name; *c != 0; ++c) m.random = m.random * 31u + (unsigned char)*c;
    tern_player_init(&m.play, folder, out);
    const bool ok = compile(&m, script) && title_line(&m) && follow(&m, plan);
    tern_player_free(&m.play);
    return (fclose(out) == 0 || failed(path, "cannot be written")) && ok;
}

/* ---- Threefry ---------------------------------------------------------------------------------------------------- */

static void known(FILE *f, uint32_t k0, uint32_t k1, uint32_t c0, uint32_t c1)
{
    const uint32_t key[2] = { k0, k1 }, counter[2] = { c0, c1 };
    uint32_t x[2];
    tern_threefry2x32(key, counter, x);
    fprintf(f, "threefry key %08x %08x counter %08x %08x = %08x %08x\n", k0, k1, c0, c1, x[0], x[1]);
}

static void spike_draw(FILE *f, uint64_t seed, uint32_t step, uint32_t neuron, uint32_t sample)
{
    uint32_t x[2];
    tern_random_block(seed, step, TERN_DRAW_SPIKE, sample >> 2, neuron, x);
    fprintf(f, "spike seed %016llx step %u neuron %u sample %u = %u\n", (unsigned long long)seed, step, neuron, sample,
            x[sample >> 1 & 1u] >> 16 * (sample & 1u) & 0xffffu);
}

static void dither_draw(FILE *f, uint64_t seed, uint32_t step, uint32_t neuron, uint32_t idx, unsigned bits)
{
    uint32_t x[2];
    tern_random_block(seed, step, TERN_DRAW_DITHER, 0, neuron, x);
    fprintf(f, "dither seed %016llx step %u neuron %u idx %u bits %u = %u\n", (unsigned long long)seed, step, neuron,
            idx, bits, tern_weight_dither(idx, x[0], bits));
}

static void uniform_draw(FILE *f, uint64_t seed, uint32_t c0, uint32_t purpose, uint32_t c1)
{
    uint32_t w[2];
    tern__draw(seed, c0, purpose, c1, w);
    fprintf(f, "uniform seed %016llx counter %08x %08x = %.17g\n", (unsigned long long)seed, c0, purpose << 28 | c1,
            tern__unit(w));
}

static bool make_threefry(const char *folder)
{
    static const uint64_t seeds[] = { 0, 1, 0x0123456789abcdefu, UINT64_MAX };
    char path[1024];
    snprintf(path, sizeof path, "%s/threefry.txt", folder);
    FILE *f = fopen(path, "w");
    if (f == NULL) return failed(path, "cannot be written");
    fprintf(f, "# Threefry-2x32-20 and the draws made of it. docs/23-conformance.md explains the lines; made by "
               "conformance_make.\n# The first three are published with Random123.\n");
    known(f, 0, 0, 0, 0);
    known(f, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    known(f, 0x13198a2eu, 0x03707344u, 0x243f6a88u, 0x85a308d3u);
    known(f, 0x89abcdefu, 0x01234567u, 77, 1u << 28 | 0xfffeu);
    for (unsigned i = 0; i < 4; ++i) {
        for (uint32_t k = 0; k < 6; ++k) spike_draw(f, seeds[i], i * 1000003u, 65534u * (k & 1u), k == 5 ? 16383 : k);
        dither_draw(f, seeds[i], i == 3 ? UINT32_MAX : i, i * 21845u, i < 2 ? i : 32u + i * 99991u,
                    i == 0 ? 1 : i * 10u + 1u);
        for (uint32_t purpose = 5; purpose < 8; ++purpose) uniform_draw(f, seeds[i], i * 7u, purpose, i * 65537u);
    }
    return fclose(f) == 0 || failed(path, "cannot be written");
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: conformance_make OUT NAME.lua...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; ++i)
        if (!make_vector(argv[i], argv[1])) return 1;
    return make_threefry(argv[1]) ? 0 : 1;
}
