/* player.c : see player.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "player.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tern/image.h"

enum { LINE_MAX_BYTES = 8192, VALUES_PER_LINE = 12 };

/* ---- output ------------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void say(tern_player *p, const char *format, ...)
{
    va_list args;
    if (p->out == NULL) return;
    va_start(args, format);
    vfprintf(p->out, format, args);
    va_end(args);
}

__attribute__((format(printf, 2, 3))) static bool wrong(tern_player *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->error, sizeof p->error, format, args);
    va_end(args);
    return false;
}

/* What an array's elements are. */
typedef enum shape { I16, U16, I32, U32, H32, H64 } shape;

static void say_array(tern_player *p, const char *name, shape kind, const void *from, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (i % VALUES_PER_LINE == 0) say(p, "%s= %s[%zu]", i > 0 ? "\n" : "", name, i);
        switch (kind) {
        case I16: say(p, " %d", ((const int16_t *)from)[i]); break;
        case U16: say(p, " %u", ((const uint16_t *)from)[i]); break;
        case I32: say(p, " %" PRId32, ((const int32_t *)from)[i]); break;
        case U32: say(p, " %" PRIu32, ((const uint32_t *)from)[i]); break;
        case H32: say(p, " %08" PRIx32, ((const uint32_t *)from)[i]); break;
        default: say(p, " %" PRIx64, ((const uint64_t *)from)[i]); break;
        }
    }
    if (n > 0) say(p, "\n");
}

/* Every word of the state. */
static void say_state(tern_player *p)
{
    const tern_state *st = &p->st;
    const tern_net *n = st->net;
    const size_t k = st->n_samples, words = n->n_neurons_pos / 32u, baselines = tern_net_baselines(n);
    const tern_sat_counts *sat = &st->sat;
    say(p, "= STATE step %" PRIu32 " lag_head %" PRIu32 " pending %d k0 %" PRIu32 "\n", st->step, st->lag_head,
        st->pending, st->k0);
    say(p, "= sat weight %" PRIu64 " local %" PRIu64 " potential %" PRIu64, sat->weight, sat->local, sat->potential);
    say(p, " coefficient %" PRIu64 " logprob %" PRIu64 " modulator %" PRIu64 "\n", sat->coefficient, sat->logprob,
        sat->modulator);
    say(p, "= comm unicast %" PRIu64 " broadcast %" PRIu64 "\n", st->comm.unicast, st->comm.broadcast);
    say_array(p, "S_WEIGHT", I16, st->weights, n->n_weights);
    say_array(p, "S_BIAS", I16, st->bias_f12, n->n_neurons);
    say_array(p, "S_SELF", I16, st->self_f12, n->n_neurons);
    say_array(p, "S_EK", U16, st->ek, n->lags_w);
    say_array(p, "S_HISTI", H64, st->hist_in, n->n_inputs_pos);
    say_array(p, "S_HISTN", H64, st->hist_neuron, k * n->n_neurons_pos);
    say_array(p, "S_ERR", I16, st->errors_f15, k * n->n_neurons * n->lags_w);
    say_array(p, "S_V", I32, st->v_f12, k);
    say_array(p, "S_M", I16, st->m_f14, k);
    say_array(p, "S_W", I32, st->w_f12, k);
    say_array(p, "S_BASE", I32, st->base_f12, baselines);
    say_array(p, "S_BASEW", U32, st->base_weight, baselines);
    say_array(p, "S_LOSS", U32, st->loss_f12, k);
    say_array(p, "S_SPIKE", H32, st->spikes, k * words);
    say_array(p, "S_SPIKEI", H32, st->spikes_in, n->n_inputs_pos / 32u);
}

static void put(tern_record_sink *self, const tern_record *r)
{
    tern_player_sink *s = (tern_player_sink *)self;
    static const char letter[] = "WBSNVMA";
    s->digest = tern_digest_add(s->digest, r);
    ++s->records;
    if (s->list != NULL)
        fprintf(s->list,
                "  %c step %" PRIu32 " index %" PRIu32 " sample %u a %" PRId32 " b %" PRId32 " draw %" PRIu32
                " flags %u\n",
                letter[r->kind], r->step, r->index, r->sample, r->a, r->b, r->draw, r->flags);
}

static void say_digest(tern_player *p)
{
    say(p, "= digest %016" PRIx64 " records %" PRIu64 "\n", p->sink.digest, p->sink.records);
}

/* ---- words of a line --------------------------------------------------------------------------------------------- */

typedef struct words {
    char text[LINE_MAX_BYTES];
    char *next;
} words;

static const char *word(words *w)
{
    char *at = strtok_r(w->next, " \t\r\n", &w->next);
    return at == NULL ? "" : at;
}

static bool number(words *w, int base, int64_t lo, uint64_t hi, uint64_t *out)
{
    const char *text = word(w);
    char *end;
    const int64_t v = text[0] == '-' ? strtoll(text, &end, base) : (int64_t)strtoull(text, &end, base);
    *out = (uint64_t)v;
    return text[0] != 0 && *end == 0 && (text[0] == '-' ? v >= lo : (uint64_t)v <= hi);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static bool op_image(tern_player *p, words *w)
{
    char path[1024];
    const char *name = word(w);
    tern_diags diags;
    tern_diags_init(&diags);
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    if (p->open) return wrong(p, "a second image");
    if (tern_image_load(path, &p->arena, &p->m, &diags) != TERN_OK)
        return wrong(p, "image %s cannot be used: %s", path, diags.n > 0 ? diags.list[0].message : "");
    p->in = tern_arena_get(&p->arena, p->m.net.n_inputs_pos / 32u, sizeof *p->in);
    p->target = tern_arena_get(&p->arena, p->m.net.n_neurons_pos / 32u, sizeof *p->target);
    p->open = p->in != NULL && p->target != NULL;
    return p->open || wrong(p, "not enough memory");
}

static bool make_state(tern_player *p, uint32_t k, uint64_t seed)
{
    const size_t bytes = tern_state_bytes(&p->m.net, k);
    void *mem = bytes == 0 ? NULL : tern_arena_get(&p->arena, bytes, 1);
    if (mem == NULL || tern_state_init(&p->st, &p->m.net, mem, bytes, k, seed) != TERN_OK)
        return wrong(p, "no state with %u samples", k);
    p->sink = (tern_player_sink){ .base = { put }, .digest = TERN_DIGEST_INIT, .list = p->sink.list };
    p->st.sink = &p->sink.base;
    return p->started = true;
}

static bool op_start(tern_player *p, words *w)
{
    uint64_t k, seed;
    if (!number(w, 10, 1, TERN_MAX_SAMPLES, &k) || !number(w, 10, 0, UINT64_MAX, &seed))
        return wrong(p, "start K SEED");
    if (!make_state(p, (uint32_t)k, seed)) return false;
    if (p->m.state != NULL) tern_state_copy_weights(&p->st, p->m.state);
    return true;
}

static bool op_resume(tern_player *p)
{
    if (p->m.state == NULL) return wrong(p, "the image has no state to continue from");
    if (!make_state(p, p->m.state->n_samples, p->m.state->seed)) return false;
    tern_state_copy(&p->st, p->m.state);
    return true;
}

static bool op_classes(tern_player *p, words *w)
{
    uint64_t first, n;
    if (!number(w, 10, 0, p->m.net.n_visible, &first) || !number(w, 10, 1, p->m.net.n_visible - first, &n))
        return wrong(p, "classes FIRST N rate|first");
    const tern_vote_decode decode = strcmp(word(w), "first") == 0 ? TERN_DECODE_FIRST : TERN_DECODE_RATE;
    const size_t bytes = tern_vote_bytes((uint32_t)n, p->st.n_samples);
    void *mem = tern_arena_get(&p->arena, bytes, 1);
    p->class_first = (uint32_t)first;
    return (mem != NULL && tern_vote_init(&p->vote, (uint32_t)n, p->st.n_samples, decode, mem, bytes) == TERN_OK) ||
           wrong(p, "no votes of %u classes", (unsigned)n);
}

static bool frame(tern_player *p, words *w, const char *name, uint32_t *to, uint32_t n)
{
    if (strcmp(word(w), name) != 0) return wrong(p, "step FLAGS in WORDS target WORDS");
    for (uint32_t i = 0; i < n; ++i) {
        uint64_t v;
        if (!number(w, 16, 0, UINT32_MAX, &v)) return wrong(p, "%s has %u words", name, n);
        to[i] = (uint32_t)v;
    }
    return true;
}

static bool op_step(tern_player *p, words *w)
{
    const char *flags = word(w);
    const unsigned learn = strchr(flags, 'l') != NULL ? TERN_STEP_LEARN : 0u;
    const unsigned clamp = strchr(flags, 'c') != NULL ? TERN_STEP_CLAMP : 0u;
    const uint32_t words_neuron = p->m.net.n_neurons_pos / 32u;
    if (!frame(p, w, "in", p->in, p->m.net.n_inputs_pos / 32u)) return false;
    if (!frame(p, w, "target", p->target, words_neuron)) return false;
    tern_step(&p->st, p->in, p->target, learn | clamp);
    if (p->vote.n_classes > 0)
        tern_vote_step(&p->vote, p->st.spikes, words_neuron, p->m.net.neurons[p->class_first].pos);
    say_digest(p);
    return true;
}

static bool op_reward(tern_player *p, words *w)
{
    int32_t r[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < p->st.n_samples; ++k) {
        uint64_t v;
        if (!number(w, 10, -INT32_MAX, INT32_MAX, &v)) return wrong(p, "reward has %u numbers", p->st.n_samples);
        r[k] = (int32_t)(int64_t)v;
    }
    tern_reward(&p->st, r);
    return true;
}

/* The coefficients are worked out from the presentations; the file has them too, for engines that are given them. */
static bool op_rate(tern_player *p, words *w)
{
    uint64_t n;
    if (!number(w, 10, 0, UINT32_MAX, &n)) return wrong(p, "rate PRESENTATIONS");
    const double eta = tern_rule_eta_at(&p->m.rule, (uint32_t)n);
    if (tern_ek_from_eta(&p->m.net, eta, p->m.rule.kappa, p->st.ek) != TERN_OK)
        return wrong(p, "a rate that does not fit");
    say_array(p, "ek", U16, p->st.ek, p->m.net.lags_w);
    return true;
}

static bool op_batch(tern_player *p, words *w)
{
    uint64_t step, k0;
    if (!number(w, 10, 0, UINT32_MAX, &step) || !number(w, 10, 0, 16384u - p->st.n_samples, &k0) || k0 % 4u != 0)
        return wrong(p, "batch STEP K0");
    tern_state_clear(&p->st);
    p->st.step = (uint32_t)step;
    p->st.k0 = (uint32_t)k0;
    return true;
}

static bool op_vote(tern_player *p)
{
    tern_vote_close(&p->vote);
    say_array(p, "decisions", U32, p->vote.decision, p->vote.n_samples);
    say_array(p, "votes", U32, p->vote.votes, p->vote.n_classes);
    say_array(p, "spikes", U32, p->vote.spikes, p->vote.n_classes);
    say(p, "= winner %" PRIu32 "\n", p->vote.winner);
    return true;
}

static bool play(tern_player *p, words *w, const char *op)
{
    if (strcmp(op, "image") == 0) return op_image(p, w);
    if (!p->open) return wrong(p, "'%s' before the image", op);
    if (strcmp(op, "start") == 0) return op_start(p, w);
    if (strcmp(op, "resume") == 0) return op_resume(p);
    if (!p->started) return wrong(p, "'%s' before start or resume", op);
    if (strcmp(op, "classes") == 0) return op_classes(p, w);
    if (strcmp(op, "step") == 0) return op_step(p, w);
    if (strcmp(op, "reward") == 0) return op_reward(p, w);
    if (strcmp(op, "rate") == 0) return op_rate(p, w);
    if (strcmp(op, "batch") == 0) return op_batch(p, w);
    if (strcmp(op, "flush") == 0) tern_flush(&p->st);
    else if (strcmp(op, "clear") == 0) tern_state_clear(&p->st);
    else if (strcmp(op, "state") == 0) say_state(p);
    else if (strcmp(op, "example") == 0 && p->vote.n_classes > 0) tern_vote_begin(&p->vote);
    else if (strcmp(op, "vote") == 0 && p->vote.n_classes > 0) return op_vote(p);
    else return wrong(p, "an operation '%s' is not known here", op);
    if (strcmp(op, "flush") == 0) say_digest(p);
    return true;
}

void tern_player_init(tern_player *p, const char *folder, FILE *out)
{
    memset(p, 0, sizeof *p);
    tern_arena_init(&p->arena, tern_alloc_default(), 0);
    p->folder = folder;
    p->out = out;
}

bool tern_player_line(tern_player *p, const char *line)
{
    words w;
    const size_t n = strcspn(line, "\n");
    if (n >= sizeof w.text) return wrong(p, "a line of %zu bytes", n);
    memcpy(w.text, line, n);
    w.text[n] = 0;
    w.next = w.text;
    say(p, "%s\n", w.text);
    if (p->sink.list != NULL) fprintf(p->sink.list, "%s\n", w.text);
    const char *op = word(&w);
    if (op[0] == 0 || op[0] == '#') return true;
    return play(p, &w, op) && (word(&w)[0] == 0 || wrong(p, "something behind the end of the operation"));
}

void tern_player_free(tern_player *p) { tern_arena_free(&p->arena); }
