/* tern_script_text.c : a script as Lua text; its run as comments, and back
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include "tern_compiler.h"
#include "tern_script_gen.h"

typedef struct text {
    char *out;
    size_t used, bytes;
    bool full;
} text;

static void add(text *t, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const int n = t->full ? -1 : vsnprintf(t->out + t->used, t->bytes - t->used, format, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= t->bytes - t->used) t->full = true;
    else t->used += (size_t)n;
}

/* tern.array(file), with a name, or with a list of names. */
static void add_array(text *t, const char *key, const tern_script_init *init, const char *file)
{
    add(t, ", %s = tern.array(\"%s\"", key, file);
    if (init->names == 1) add(t, ", \"a%u\"", init->id);
    for (unsigned k = 0; init->names > 1 && k < init->names - 1u; ++k)
        add(t, "%s\"a%u_%u\"", k == 0 ? ", { " : ", ", init->id, k);
    add(t, init->names > 1 ? " })" : ")");
}

static void add_init(text *t, const char *key, const tern_script_init *init, const char *file)
{
    switch (init->kind) {
    case TERN_SCRIPT_INIT_ZERO: add(t, ", %s = tern.zero()", key); break;
    case TERN_SCRIPT_INIT_CONSTANT: add(t, ", %s = %.9g", key, init->lo); break;
    case TERN_SCRIPT_INIT_ARRAY: add_array(t, key, init, file); break;
    case TERN_SCRIPT_INIT_UNIFORM: add(t, ", %s = tern.uniform(%.9g, %.9g)", key, init->lo, init->hi); break;
    default: break;
    }
}

static void add_filter(text *t, unsigned i, const tern_script_filter *f)
{
    add(t, "local f%u = ", i);
    switch (f->kind) {
    case TERN_FILTER_COSINE:
        add(t, "tern.raised_cosine{ count = %" PRIu32 ", duration = %" PRIu32 ", offset = %.9g, peak = %.9g }\n",
            f->count, f->duration, f->offset, f->peak);
        break;
    case TERN_FILTER_EXP:
        add(t, "tern.exponential{ tau = %.9g, duration = %" PRIu32 " }\n", f->tau, f->duration);
        break;
    case TERN_FILTER_ALPHA: add(t, "tern.alpha{ tau = %.9g, duration = %" PRIu32 " }\n", f->tau, f->duration); break;
    default:
        add(t, "tern.taps{");
        for (uint32_t k = 0; k < f->duration; ++k) add(t, "%s%.9g", k == 0 ? " " : ", ", f->taps[k]);
        add(t, " }\n");
    }
}

static void add_population(text *t, unsigned i, const tern_script_population *p, const char *file)
{
    static const char *const calls[] = { "input", "hidden", "visible" };
    add(t, "local p%u = tern.%s{ name = \"p%u\"", i, calls[p->kind], i);
    if (p->n_dims == 0) add(t, ", size = %" PRIu32, p->dims[0]);
    else add(t, ", shape = {");
    for (unsigned d = 0; d < p->n_dims; ++d) add(t, "%s%" PRIu32, d == 0 ? "" : ", ", p->dims[d]);
    if (p->n_dims != 0) add(t, "}");
    if (p->wta != 0) add(t, ", wta = %" PRIu32, p->wta);
    if (p->memory >= 0) add(t, ", memory = f%" PRId32, p->memory);
    add_init(t, "bias", &p->bias, file);
    if (p->memory >= 0) add_init(t, "memory_init", &p->memory_init, file);
    add(t, " }\n");
}

static void add_names(text *t, const char *key, char letter, const uint8_t *list, uint32_t n)
{
    add(t, "%s%s = ", strcmp(key, "from") == 0 ? " " : ", ", key);
    if (n != 1) add(t, "{");
    for (uint32_t i = 0; i < n; ++i) add(t, "%s%c%u", i == 0 ? "" : ", ", letter, list[i]);
    if (n != 1) add(t, "}");
}

static void add_connect(text *t, const tern_script_connect *c, const char *file)
{
    add(t, "tern.connect{");
    add_names(t, "from", 'p', c->from, c->n_from);
    add_names(t, "to", 'p', c->to, c->n_to);
    add_names(t, "filters", 'f', c->filters, c->n_filters);
    if (c->pattern == TERN_SCRIPT_RANDOM_PATTERN) {
        add(t, ", pattern = tern.random{ density = %.9g", c->density);
        if (c->own_seed) add(t, ", seed = %" PRIu64, c->seed);
        add(t, " }");
    }
    if (c->pattern == TERN_SCRIPT_WINDOW_PATTERN)
        add(t,
            ", pattern = tern.window{ size = {%" PRIu32 ", %" PRIu32 "}, stride = {%" PRIu32 ", %" PRIu32
            "}, offset = {%" PRId32 ", %" PRId32 "} }",
            c->size[0], c->size[1], c->stride[0], c->stride[1], c->offset[0], c->offset[1]);
    if (c->pattern == TERN_SCRIPT_LIST_PATTERN) {
        add(t, ", pattern = tern.list{");
        for (uint32_t i = 0; i < c->n_pairs; ++i) {
            add(t, "%s{%" PRIu32 ", %" PRIu32, i == 0 ? " " : ", ", c->pairs[i].from, c->pairs[i].to);
            if (c->pairs[i].weighted) add(t, ", %.9g", c->pairs[i].weight);
            add(t, "}");
        }
        add(t, " }");
    }
    if (c->self) add(t, ", self = true");
    add_init(t, "init", &c->init, file);
    add(t, " }\n");
}

static void add_rule(text *t, const tern_script *s)
{
    static const char *const calls[] = { "gem", "mb", "iw", "reward" };
    static const char *const baselines[] = { "none", "neuron", "synapse" };
    add(t, "tern.%s{ eta = %.9g, samples = %" PRIu32, calls[s->rule], s->eta, s->samples);
    if (s->gamma_given) add(t, ", gamma = %.9g", s->gamma);
    if (s->kappa_given) add(t, ", kappa = %.9g", s->kappa);
    if (s->every != 0) add(t, ", schedule = { divide = %.9g, every = %" PRIu32 " }", s->divide, s->every);
    if (s->rule != TERN_RULE_GEM) add(t, ", baseline = \"%s\", memory = %" PRIu32, baselines[s->baseline], s->memory);
    if (s->rule == TERN_RULE_REWARD) add(t, ", tau = %.9g", s->tau);
    add(t, " }\n");
    if (s->formats) {
        add(t,
            "tern.formats{ weight = {%" PRIu32 ", %" PRIu32 "}, trace = %" PRIu32 ", learn = %" PRIu32
            ", lags = %" PRIu32,
            s->weight_bits, s->weight_frac, s->trace_frac, s->learn_bits, s->lags);
        if (s->signal_given) add(t, ", signal = %" PRId32, s->signal);
        add(t, " }\n");
    }
    if (!s->data) return;
    add(t, "tern.data{ window_ms = 1, steps = %" PRIu32 ", clear = %s", s->data_steps, s->clear ? "true" : "false");
    if (s->label >= 0) add(t, ", label = p%" PRId32, s->label);
    add(t, " }\n");
}

/* One letter for each kind of operation. */
static const char letters[] = "srfcvelp";

static void add_run(text *t, const tern_script_run *run)
{
    add(t, "-- run: seed=%" PRIu64 " step=%" PRIu32 " k0=%" PRIu32 " wild=%d\n", run->seed, run->step, run->k0,
        run->wild);
    for (uint32_t i = 0; i < run->n_ops; ++i) {
        const tern_script_op *o = &run->ops[i];
        if (i % 16 == 0) add(t, "%s-- ops:", i == 0 ? "" : "\n");
        add(t, " %c%u.%u.%" PRIu32, letters[o->kind], o->flags, o->frame, o->arg);
    }
    add(t, "\n-- end\n");
}

size_t tern_script_text(const tern_script *s, char *out, size_t bytes)
{
    text t = { out, 0, bytes, bytes == 0 };
    if (s->seed_given) add(&t, "tern.seed(%" PRIu64 ")\n", s->seed);
    for (uint32_t i = 0; i < s->n_filters; ++i) add_filter(&t, i, &s->filters[i]);
    for (uint32_t i = 0; i < s->n_populations; ++i) add_population(&t, i, &s->populations[i], s->arrays);
    for (uint32_t i = 0; i < s->n_connects; ++i) add_connect(&t, &s->connects[i], s->arrays);
    if (s->initial) add(&t, "tern.initial(tern.array(\"%s\"))\n", s->arrays);
    add_rule(&t, s);
    add_run(&t, &s->run);
    return t.full ? 0 : t.used;
}

static bool read_op(const char *at, tern_script_op *o, int *used)
{
    char letter;
    unsigned flags, frame;
    uint32_t arg;
    if (sscanf(at, " %c%u.%u.%" SCNu32 "%n", &letter, &flags, &frame, &arg, used) != 4) return false;
    const char *found = strchr(letters, letter);
    if (letter == 0 || found == NULL || flags > (TERN_STEP_LEARN | TERN_STEP_CLAMP) ||
        frame >= TERN_SCRIPT_FRAMES_KINDS)
        return false;
    *o = (tern_script_op){ (uint8_t)(found - letters), (uint8_t)flags, (uint8_t)frame, arg };
    return true;
}

bool tern_script_read_run(const char *source, tern_script_run *run)
{
    int wild = 0;
    memset(run, 0, sizeof *run);
    const char *at = strstr(source, "-- run: ");
    if (at == NULL || sscanf(at, "-- run: seed=%" SCNu64 " step=%" SCNu32 " k0=%" SCNu32 " wild=%d", &run->seed,
                             &run->step, &run->k0, &wild) != 4)
        return false;
    if (run->k0 % 4 != 0 || run->k0 > 16352) return false;
    run->wild = wild != 0;
    while ((at = strstr(at, "\n-- ops:")) != NULL) {
        at += strlen("\n-- ops:");
        while (*at != '\n' && *at != 0) {
            int used = 0;
            if (run->n_ops == TERN_SCRIPT_OPS || !read_op(at, &run->ops[run->n_ops], &used)) return false;
            ++run->n_ops;
            at += used;
        }
    }
    return true;
}

tern_status tern_script_compile(const tern_script *s, tern_arena *arena, tern_model *model, tern_diags *diags)
{
    static char source[TERN_SCRIPT_TEXT];
    const size_t size = tern_script_text(s, source, sizeof source);
    const tern_compile_options options = { 0 };
    return size == 0 ? TERN_ERR_LIMIT : tern_compile_string(source, size, "random.lua", &options, arena, model, diags);
}
