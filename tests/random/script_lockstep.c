/* script_lockstep.c : random scripts (tern_script_gen.h) on elaborated cores, in lockstep with the golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 *     script_large [--first SEED] [--count N] [--rule gem|mb|iw|reward|any] [--core NAME] [--steps N]
 *                  [--failing DIR] [--verbose]
 *     script_large --script FILE.lua --core NAME      one script, with the run that its comments name
 * script_small is the same with small cores, script_resident_large and script_resident_small with those of boards,
 * script_kernels with large cores that have a kernel for each sample, script_silent with large cores that leave silent
 * words of inputs out, and inputs that have such words.
 *
 * Every seed is one network: on one core by turns, or the next one if it does not fit (then another draw of the
 * seed). Of ten seeds five are loaded one after another into a core that stays powered (a resident core), the
 * others into cores fresh from power-up. Every record, cycle count and, at the end, before a reload and after the
 * last flush, every memory word is compared. A seed that differs is made smaller and written to DIR/script-SEED.lua
 * with the command that shows it again.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "script_cores.h"
#include "tern/image.h"
#include "tern_compiler.h"
#include "tern_lockstep.h"
#include "tern_script_build.h"
#include "tern_script_shrink.h"

enum { SHRINK_BUDGET = 1500, MOST_FAILING = 3, BLOCK = 5 };
typedef enum verdict { EQUAL, DIFFERS, DOES_NOT_FIT, BROKEN } verdict;

typedef struct totals {
    uint64_t steps, flushes, records, words, cycles, resident;
    uint64_t silent, taken, whole; /* words of inputs that were made silent; cycles of steps, and with all words */
} totals;

/* ---- a core that stays powered ---- */

static const tern_dut *kept_of;
static void *kept;
static tern_dut keeper;

static void *kept_create(uint64_t seed)
{
    if (kept == NULL) kept = kept_of->create(seed);
    return kept;
}
static void kept_destroy(void *dut) { (void)dut; }

/* The core's functions, but that it is never switched off: what an earlier network left is there. */
static const tern_dut *resident(const tern_dut *core)
{
    if (kept != NULL && kept_of != core) {
        kept_of->destroy(kept);
        kept = NULL;
    }
    kept_of = core;
    keeper = *core;
    keeper.create = kept_create;
    keeper.destroy = kept_destroy;
    return &keeper;
}

static void forget_resident(void)
{
    if (kept != NULL) kept_of->destroy(kept);
    kept = NULL;
}

/* ---- both engines ---- */

typedef struct pair {
    const tern_model *model;
    const tern_dut *dut;
    tern_plan plan;
    tern_state st;
    void *mem;
    size_t bytes;
    tern_lockstep *ls;
    tern_arena arena;
    tern_diags diags;
    FILE *report;
    totals *sum;
    uint64_t seed;    /* of the run */
    uint32_t *inputs; /* of silent words: the frame without them */
} pair;

static void add_counts(pair *p)
{
    const tern_lockstep_counts *c = tern_lockstep_get(p->ls);
    p->sum->steps += c->steps;
    p->sum->flushes += c->flushes;
    p->sum->records += c->records;
    p->sum->words += c->memory_words;
    p->sum->cycles += c->cycles;
}

static void close_pair(pair *p)
{
    if (p->ls == NULL) return;
    if (p->report != NULL) tern_lockstep_report_print(tern_lockstep_report_get(p->ls), p->report);
    tern_lockstep_close(p->ls);
    p->ls = NULL;
}

/* Ends a lockstep: every memory word and the digests. */
static tern_status finish(pair *p)
{
    tern_status s = tern_lockstep_memories(p->ls);
    const tern_lockstep_counts *c = tern_lockstep_get(p->ls);
    if (s == TERN_OK && (c->digest_c != c->digest_rtl || c->differences != 0)) s = TERN_ERR_DIFFERS;
    add_counts(p);
    close_pair(p);
    return s;
}

static tern_status open_pair(pair *p)
{
    return tern_lockstep_open(&p->plan, &p->st, p->dut, &p->arena, &p->ls, &p->diags);
}

/* Words of inputs by their number and the seed: as they are, always silent, silent but for every eleventh step, or one
 * unit of each. Frames of the generator alone leave no word silent for as long as a history is. */
static const uint32_t *hush(pair *p, const uint32_t *inputs)
{
    const uint32_t words = p->model->net.n_inputs_pos / 32;
    for (uint32_t w = 0; w < words; ++w) {
        const uint64_t h = (p->seed * 0x9e3779b97f4a7c15ull + w) * 0xbf58476d1ce4e5b9ull;
        const uint32_t one = 1u << (h >> 40 & 31);
        switch (p->seed % 5 == 0 ? 0 : h >> 60 & 3) { /* every fifth network: all as they are */
        case 0: p->inputs[w] = inputs[w]; break;
        case 1: p->inputs[w] = 0; break;
        case 2: p->inputs[w] = (p->st.step + w) % 11 == 0 ? inputs[w] : 0; break;
        default: p->inputs[w] = inputs[w] & one;
        }
        p->sum->silent += p->inputs[w] == 0 && inputs[w] != 0;
    }
    return p->inputs;
}

static tern_status do_step(void *ud, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    pair *p = ud;
    const tern_status s = tern_lockstep_step(p->ls, SCRIPT_SKIP ? hush(p, inputs) : inputs, targets, flags);
    p->sum->taken += tern_lockstep_get(p->ls)->last_cycles;
    p->sum->whole += tern_lockstep_get(p->ls)->last_predicted;
    return s;
}
static tern_status do_reward(void *ud, const int32_t *reward_f12)
{
    tern_lockstep_reward(((pair *)ud)->ls, reward_f12);
    return TERN_OK;
}
static tern_status do_flush(void *ud) { return tern_lockstep_flush(((pair *)ud)->ls); }
static tern_status do_clear(void *ud) { return tern_lockstep_clear(((pair *)ud)->ls); }
static tern_status do_vote(void *ud) { return tern_lockstep_vote(((pair *)ud)->ls); }
static tern_status do_example(void *ud) { return tern_lockstep_example(((pair *)ud)->ls); }

static tern_status do_rate(void *ud, const uint16_t *ek)
{
    pair *p = ud;
    memcpy(p->st.ek, ek, p->model->net.lags_w * sizeof *ek);
    for (uint32_t d = 0; d < p->model->net.lags_w; ++d)
        p->dut->write(tern_lockstep_core(p->ls), tern_host_address(TERN_RG_EK, d, 32, 0), ek[d]);
    return TERN_OK;
}

/* The state as an image, read back: a fresh core continues with it. */
static tern_status do_reload(void *ud)
{
    pair *p = ud;
    tern_status s = finish(p);
    if (s != TERN_OK) return s;
    tern_model *saved = tern_arena_get(&p->arena, 1, sizeof *saved),
               *loaded = tern_arena_get(&p->arena, 1, sizeof *loaded);
    const uint8_t *bytes;
    size_t size;
    if (saved == NULL || loaded == NULL) return TERN_ERR_MEMORY;
    *saved = *p->model;
    saved->state = &p->st;
    s = tern_image_encode(saved, &p->arena, &bytes, &size);
    if (s == TERN_OK) s = tern_image_decode(bytes, size, "reload", &p->arena, loaded, &p->diags);
    if (s != TERN_OK) return s;
    memset(p->mem, 0x5a, p->bytes); /* nothing of before */
    s = tern_state_init(&p->st, &p->model->net, p->mem, p->bytes, loaded->state->n_samples, loaded->state->seed);
    if (s != TERN_OK) return s;
    tern_state_copy(&p->st, loaded->state);
    return open_pair(p);
}

/* Differences go to `report`; NULL: nowhere. */
static verdict run_on(const tern_model *m, const tern_script_run *run, const script_core *core, bool keep, FILE *report,
                      totals *sum)
{
    static pair p;
    verdict v = BROKEN;
    memset(&p, 0, sizeof p);
    p.model = m;
    p.dut = keep ? resident(core->get()) : core->get();
    p.report = report;
    p.sum = sum;
    tern_arena_init(&p.arena, tern_alloc_default(), 0);
    tern_diags_init(&p.diags);
    p.seed = run->seed;
    const uint32_t k = m->net.n_samples;
    p.bytes = tern_state_bytes(&m->net, k);
    p.mem = tern_arena_get(&p.arena, p.bytes, 1);
    p.inputs = tern_arena_get(&p.arena, m->net.n_inputs_pos / 32 + 1, sizeof *p.inputs);
    tern_status s = p.mem == NULL || p.inputs == NULL ? TERN_ERR_MEMORY
                                                      : tern_state_init(&p.st, &m->net, p.mem, p.bytes, k, run->seed);
    if (s == TERN_OK) s = tern_plan_make(&m->net, core->lanes, k, &p.arena, &p.plan, &p.diags);
    if (s == TERN_OK && !SCRIPT_SMALL) tern_plan_use_large(&p.plan);
    if (s == TERN_OK) tern_plan_use_ways(&p.plan, core->ways);
    if (s == TERN_OK) tern_plan_use_skip(&p.plan, SCRIPT_SKIP);
    if (s == TERN_OK && !SCRIPT_SMALL) s = tern_plan_label_classes(&p.plan, m, run->seed & 1u, &p.diags);
    if (s == TERN_OK && SCRIPT_SMALL) s = tern_plan_small(&p.plan, &p.diags);
    if (s == TERN_OK) {
        tern_script_begin(run, m, &p.st);
        s = open_pair(&p);
    }
    if (s != TERN_OK) {
        v = s == TERN_ERR_FIT || s == TERN_ERR_LIMIT ? DOES_NOT_FIT : BROKEN;
        goto out;
    }
    const tern_script_engine both = { &p,      do_step,    do_reward, do_flush, do_clear,
                                      do_vote, do_example, do_reload, do_rate };
    s = tern_script_play(run, m, k, &p.arena, &both);
    if (s == TERN_OK && run->seed % 4 == 0)
        s = tern_lockstep_memories(p.ls); /* with an update pending; reading costs time */
    if (s == TERN_OK) s = tern_lockstep_flush(p.ls);
    if (s == TERN_OK) s = finish(&p);
    v = s == TERN_OK ? EQUAL : s == TERN_ERR_DIFFERS ? DIFFERS : BROKEN;
out:
    if (v == BROKEN && report != NULL)
        fprintf(report, "  broken: status %d, %s\n", (int)s, p.diags.n > 0 ? p.diags.list[0].message : "");
    close_pair(&p);
    if (v != EQUAL && keep) forget_resident(); /* it may hang, or its state is not known */
    tern_arena_free(&p.arena);
    return v;
}

/* ---- what differs is made smaller ---- */

typedef struct chase {
    const script_core *core;
    bool keep;
    unsigned asked;
} chase;

static bool still_differs(void *ud, const tern_script *s)
{
    chase *c = ud;
    static tern_model m;
    static tern_diags diags;
    tern_arena arena;
    totals sum = { 0 };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    ++c->asked;
    const bool differs = tern_script_compile(s, &arena, &m, &diags) == TERN_OK &&
                         run_on(&m, &s->run, c->core, c->keep, NULL, &sum) == DIFFERS;
    tern_arena_free(&arena);
    return differs;
}

static void write_failing(const char *folder, uint64_t seed, const tern_script *s, const script_core *core)
{
    static char text[TERN_SCRIPT_TEXT];
    char path[600];
    snprintf(path, sizeof path, "%s/script-%" PRIu64 ".lua", folder, seed);
    FILE *f = fopen(path, "w");
    if (f == NULL || tern_script_text(s, text, sizeof text) == 0) {
        printf("  the smaller script cannot be written to %s\n", path);
        if (f != NULL) fclose(f);
        return;
    }
    fprintf(f, "%s-- differs: %s --script %s --core %s\n", text, SCRIPT_PROGRAM, path, core->name);
    fclose(f);
    printf("  smaller script: %s\n%s  reproduce: %s --script %s --core %s\n", path, text, SCRIPT_PROGRAM, path,
           core->name);
}

static void make_smaller(const char *folder, uint64_t seed, tern_script *s, const script_core *core, bool keep)
{
    chase c = { core, false, 0 };
    if (keep && !still_differs(&c, s)) {
        printf("  only on a core that an earlier network has used: it is not made smaller\n");
        write_failing(folder, seed, s, core);
        return;
    }
    const unsigned taken = tern_script_shrink(s, still_differs, &c, SHRINK_BUDGET);
    printf("  made smaller: %u things taken away in %u runs\n", taken, c.asked);
    write_failing(folder, seed, s, core);
}

/* ---- arguments and the series ---- */

typedef struct options {
    uint64_t first, count;
    unsigned steps, rule;
    const char *core, *script, *failing;
    bool verbose;
} options;

static const char *const rule_names[] = { "gem", "mb", "iw", "reward", "any" };
enum { ANY_RULE = 4 };

static bool parse(options *o, int argc, char **argv)
{
    *o = (options){ .first = 1, .count = 100, .steps = 6, .rule = ANY_RULE, .failing = "." };
    for (int i = 1; i < argc; ++i) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(a, "--verbose") == 0) {
            o->verbose = true;
            continue;
        }
        if (v == NULL) return false;
        ++i;
        if (strcmp(a, "--first") == 0) o->first = strtoull(v, NULL, 10);
        else if (strcmp(a, "--count") == 0) o->count = strtoull(v, NULL, 10);
        else if (strcmp(a, "--steps") == 0) o->steps = (unsigned)strtoul(v, NULL, 10);
        else if (strcmp(a, "--core") == 0) o->core = v;
        else if (strcmp(a, "--script") == 0) o->script = v;
        else if (strcmp(a, "--failing") == 0) o->failing = v;
        else if (strcmp(a, "--rule") == 0) {
            for (o->rule = 0; o->rule <= ANY_RULE && strcmp(v, rule_names[o->rule]) != 0;) ++o->rule;
            if (o->rule > ANY_RULE) return false;
        } else return false;
    }
    return o->steps >= 1 && o->steps <= 60;
}

static const script_core *core_named(const char *name)
{
    for (size_t i = 0; name != NULL && i < script_n_cores; ++i)
        if (strcmp(script_cores[i].name, name) == 0) return &script_cores[i];
    return NULL;
}

/* One script from a file, on one core. */
static int run_file(const options *o)
{
    static char text[TERN_SCRIPT_TEXT + 4096];
    static tern_model m;
    static tern_diags diags;
    tern_script_run run;
    tern_arena arena;
    totals sum = { 0 };
    const script_core *core = core_named(o->core);
    FILE *f = core == NULL ? NULL : fopen(o->script, "r");
    if (f == NULL) {
        fprintf(stderr, "%s: no such %s\n", SCRIPT_PROGRAM, core == NULL ? "core" : "file");
        return 2;
    }
    const size_t size = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    const tern_compile_options plain = { 0 };
    verdict v = BROKEN;
    if (!tern_script_read_run(text, &run))
        fprintf(stderr, "%s: %s has no run in its comments\n", SCRIPT_PROGRAM, o->script);
    else if (tern_compile_string(text, size, o->script, &plain, &arena, &m, &diags) != TERN_OK)
        fprintf(stderr, "%s: %s\n", o->script, diags.n > 0 ? diags.list[0].message : "does not compile");
    else v = run_on(&m, &run, core, false, stdout, &sum);
    tern_arena_free(&arena);
    printf("%s: %s on %s: %s\n", SCRIPT_PROGRAM, o->script, core->name,
           v == EQUAL          ? "equal"
           : v == DIFFERS      ? "DIFFERS"
           : v == DOES_NOT_FIT ? "does not fit"
                               : "cannot be run");
    return v != EQUAL;
}

/* The cores that may run a seed, the one whose turn it is first; the network is drawn again until one takes it. */
static verdict run_seed(const options *o, uint64_t seed, const tern_script_limits *lim, totals *sum,
                        tern_script_coverage *cover, uint64_t *refused)
{
    static tern_script s;
    static tern_model m;
    static tern_diags diags;
    tern_arena arena;
    unsigned attempt = 0;
    verdict v = DOES_NOT_FIT;
    const bool keep = SCRIPT_RESIDENT || seed / BLOCK % 2 == 1;
    if (!keep) forget_resident(); /* Verilator's models of two contexts do not live side by side in one thread */
    tern_arena_init(&arena, tern_alloc_default(), 0);
    while (v == DOES_NOT_FIT && tern_script_build(&s, seed, lim, o->steps, &arena, &m, &diags, &attempt) == TERN_OK)
        for (size_t i = 0; i < script_n_cores && v == DOES_NOT_FIT; ++i) {
            const uint64_t turn = (keep ? seed / BLOCK / 2 : seed) % SCRIPT_ROTATE;
            const script_core *c = &script_cores[i < SCRIPT_ROTATE ? (turn + i) % SCRIPT_ROTATE : i];
            if (o->core != NULL && strcmp(o->core, c->name) != 0) continue;
            v = run_on(&m, &s.run, c, keep, stdout, sum);
            if (v == DOES_NOT_FIT) continue;
            sum->resident += keep;
            if (o->verbose || v == DIFFERS || v == BROKEN)
                printf("seed %" PRIu64 " (attempt %u) on %s%s: %s\n", seed, attempt, c->name, keep ? ", resident" : "",
                       v == EQUAL     ? "equal"
                       : v == DIFFERS ? "DIFFERS"
                                      : "BROKEN");
            if (v == EQUAL) tern_script_cover(cover, &s, &m, lim);
            if (v == DIFFERS) make_smaller(o->failing, seed, &s, c, keep);
        }
    *refused += attempt - (v == DOES_NOT_FIT ? 0u : 1u);
    tern_arena_free(&arena);
    return v;
}

/* A check inside the simulated core may end the process with status 0: only a summary that was printed counts. */
static bool summary;
static void no_summary(void)
{
    if (!summary) _Exit(3);
}

int main(int argc, char **argv)
{
    options o;
    if (atexit(no_summary) != 0) return 3;
    if (!parse(&o, argc, argv) || (o.core != NULL && core_named(o.core) == NULL)) {
        fprintf(stderr, "usage: see script_lockstep.c\n");
        summary = true;
        return 2;
    }
    if (o.script != NULL) {
        const int status = run_file(&o);
        summary = true;
        return status;
    }
    tern_script_limits lim = *script_limits;
    if (o.rule != ANY_RULE) lim.rules &= 1u << o.rule;
    lim.fine = o.first >= TERN_SCRIPT_FINE;
    totals sum = { 0 };
    tern_script_coverage cover = { 0, { 0 } };
    uint64_t refused = 0, nowhere = 0, bad = 0;
    for (uint64_t seed = o.first; seed < o.first + o.count && bad < MOST_FAILING; ++seed) {
        const verdict v = run_seed(&o, seed, &lim, &sum, &cover, &refused);
        nowhere += v == DOES_NOT_FIT;
        bad += v == DIFFERS || v == BROKEN;
        fflush(stdout);
    }
    forget_resident();
    printf("%s: %s: %" PRIu64 " networks (%" PRIu64 " on a core in use), %" PRIu64 " steps, %" PRIu64
           " flushes, %" PRIu64 " records, %" PRIu64 " memory words, %" PRIu64 " cycles compared; %" PRIu64
           " networks differ; %" PRIu64 " draws refused by compiler or core, %" PRIu64 " seeds without network\n",
           SCRIPT_PROGRAM, rule_names[o.rule], cover.networks, sum.resident, sum.steps, sum.flushes, sum.records,
           sum.words, sum.cycles, bad, refused, nowhere);
    if (SCRIPT_SKIP)
        printf("%s: %" PRIu64 " words of inputs made silent, %" PRIu64 " cycles of steps, %" PRIu64 " with all words\n",
               SCRIPT_PROGRAM, sum.silent, sum.taken, sum.whole);
    const bool full = tern_script_print_coverage(&cover, &lim, stdout);
    summary = true;
    return bad != 0 || cover.networks == 0 || (SCRIPT_SKIP && sum.taken >= sum.whole) ||
           refused > o.count * (SCRIPT_RESIDENT ? 8u : 1u) / 2u + 3u || nowhere > o.count / 100 ||
           (!full && o.count >= 100);
}
