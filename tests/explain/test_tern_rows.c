/* test_tern_rows.c : what the proofs take from the planner (docs/41-proofs.md, "what the planner makes") holds for what
 * it writes into a core
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random networks, 1, 4 and 32 lanes, for both cores; then mistakes in the words that were written, each of which has
 * to be found.
 */
#include "tern_plan.h"
#include "tern_check.h"
#include "tern_testnet.h"

enum { MAX_ROWS = 8192, MAX_NEURONS = 1024, SHARED = 0, SAMPLE = 1, SHIFT = 2, EMPTY = 3 };

typedef struct image {
    tern_host_writer writer;
    uint32_t reg[128], row[MAX_ROWS][4], neuron[MAX_NEURONS], place[MAX_NEURONS];
    uint32_t rows, neurons;
    bool beyond;
} image;

static void keep(tern_host_writer *self, uint32_t address, uint32_t data)
{
    image *m = (image *)(void *)self;
    const uint32_t region = address >> 24, word = address & 0xffffffu;
    if (region == TERN_RG_REG && word < 128) m->reg[word] = data;
    if (region == TERN_RG_ROW) {
        if (word / 4 >= MAX_ROWS) {
            m->beyond = true;
            return;
        }
        m->row[word / 4][word % 4] = data;
        if (word / 4 >= m->rows) m->rows = word / 4 + 1u;
    }
    if (region == TERN_RG_NEURON || region == TERN_RG_PLACE) {
        if (word >= MAX_NEURONS) {
            m->beyond = true;
            return;
        }
        (region == TERN_RG_NEURON ? m->neuron : m->place)[word] = data;
        if (word >= m->neurons) m->neurons = word + 1u;
    }
}

/* How often the histories are shifted in a step: each word of the inputs', and of the neurons' if any row reads them,
 * once. A small core does it in rows of kind shift alone, which begin at their last word, and the distances that such a
 * row leaves lead to its own end: one row has all inputs. */
static const char *wrong_shifts(const image *m, const tern_capacity *c, uint64_t hist0, uint64_t histories)
{
    static uint8_t times[1u << 16];
    bool samples = false;
    if (histories > sizeof times) return "too many histories for this test";
    memset(times, 0, (size_t)histories);
    for (uint32_t r = 0; r < m->rows; ++r) {
        const uint32_t flags = m->row[r][0], kind = flags & 3u, hist = m->row[r][1];
        const uint64_t n = (flags >> 16) + 1u, first = c->small != 0 && kind == SHIFT ? hist + 1u - n : hist;
        samples |= kind == SAMPLE;
        if ((flags & 4u) != 0 && (kind != SHARED || c->small != 0)) return "a row that shifts, and must not";
        if (kind != SHIFT && (flags & 4u) == 0) continue;
        if (first + n > histories) return "histories shifted that are none";
        if (first < hist0 && (first + n > hist0 || (c->small != 0 && n != hist0)))
            return "a row that shifts a part of the inputs' histories";
        for (uint64_t i = first; i < first + n; ++i) ++times[i];
    }
    for (uint64_t i = 0; i < histories; ++i)
        if (times[i] != (i < hist0 || samples)) return "a history that is not shifted once";
    return NULL;
}

/* The first thing that does not hold, or NULL. */
static const char *wrong(const image *m, const tern_capacity *c)
{
    const uint64_t samples = m->reg[TERN_REG_SAMPLE_LAST] + 1u, hist0 = m->reg[TERN_REG_SAMPLE_HIST0],
                   words = m->reg[TERN_REG_SAMPLE_WORDS];
    const uint32_t neurons = m->reg[TERN_REG_NEURON_LAST] + 1u;
    unsigned filter_bits = 1;
    while ((1u << filter_bits) < c->filters) ++filter_bits;
    if (m->beyond) return "a word outside its memory";
    if (neurons != m->neurons || neurons > c->neurons || m->reg[TERN_REG_VISIBLE] > neurons)
        return "NEURON_LAST or VISIBLE";
    if (samples > c->samples || samples * neurons > c->pairs ||
        samples * neurons * (m->reg[TERN_REG_LAG_LAST] + 1u) > c->errors)
        return "SAMPLE_LAST or LAG_LAST";
    if (m->reg[TERN_REG_LAG_LAST] >= c->lags_w || m->reg[TERN_REG_TAP_LAST] >= c->taps_d) return "LAG_LAST or TAP_LAST";
    if (words == 0 || hist0 + samples * words > c->hist_words) return "SAMPLE_HIST0 or SAMPLE_WORDS";
    if (m->rows > c->rows) return "more rows than ROWS";
    uint64_t weights = 0;
    uint32_t neuron = 0;
    bool first = true, shared = false;
    for (uint32_t r = 0; r < m->rows; ++r) {
        const uint32_t flags = m->row[r][0], kind = flags & 3u, hist = m->row[r][1];
        const uint64_t n = (flags >> 16) + 1u;
        if (neuron == neurons) return "a row behind the last one of the last neuron";
        if (kind == SHIFT) {
            if (neuron != 0 || !first || (flags & 8u) != 0) return "a row of kind shift behind other rows";
            if (c->small != 0 ? hist >= c->hist_words || hist + 1u < n : hist + n > c->hist_words)
                return "a row of kind shift outside the histories";
            continue;
        }
        if ((flags >> 8 & 255u) >= c->filters) return "a filter of a row";
        if (kind == EMPTY && (!first || (flags & 8u) == 0 || n != 1)) return "a row of kind none that is not alone";
        if (kind == SHARED && hist + n > hist0) return "a shared row outside the inputs' histories";
        if (kind == SAMPLE && (hist < hist0 || hist + n > hist0 + words || (flags & 4u) != 0 || shared))
            return "a sample row outside sample 0, or behind shared ones";
        if (kind == SHARED || kind == SAMPLE) {
            if (c->small == 0 && m->row[r][2] != weights) return "weights that do not follow each other";
            /* it counts words of weights itself */
            if (c->small != 0 && m->row[r][3] != 0) return "a fourth word that a small core does not have";
            weights += n;
        }
        first = (flags & 8u) != 0;
        shared = !first && kind == SHARED;
        neuron += first;
    }
    if (neuron != neurons) return "a neuron without last row";
    uint32_t members = 0; /* of the current circuit */
    if (weights > c->words) return "more weights than WORDS";
    for (uint32_t i = 0; i < neurons; ++i) {
        if (c->small == 0 &&
            ((m->neuron[i] & ((1u << filter_bits) - 1u)) >= c->filters || m->neuron[i] >> filter_bits > 1u))
            return "a neuron's filter";
        if (c->small != 0 && ((m->neuron[i] & 0x7fu) != 33u || (m->neuron[i] >> 8 & 127u) >= c->filters ||
                              m->neuron[i] >> 16 != 0 || ((m->neuron[i] >> 8 & 127u) != 0 && m->neuron[i] >> 15 == 0)))
            return "a neuron's own row";
        if (m->place[i] >> 16 >= words || ((m->place[i] & 1u) != 0 && m->place[i] >> 16 >= c->targets))
            return "a neuron's group";
        if (c->small != 0 &&
            ((m->place[i] >> 1 & 31u) >= 8u || (m->place[i] >> 6 & 1023u) != 1u << (m->place[i] >> 1 & 31u)))
            return "a neuron's lane";
        if (((m->place[i] & 1u) != 0) != (i < m->reg[TERN_REG_VISIBLE])) return "a visible neuron behind hidden ones";
        if (c->small != 0) continue; /* has no circuits */
        const uint32_t last = m->place[i] >> 2 & 63u;
        if ((m->place[i] & 2u) == 0 && (members != 0 || last != 0)) return "a circuit that is not complete";
        if ((m->place[i] & 2u) == 0) continue;
        if (last != 0 && (last != members || last >= c->wta)) return "the number of a circuit's members";
        members = last != 0 ? 0 : members + 1u;
    }
    if (members != 0) return "a circuit that is not complete";
    if ((m->reg[TERN_REG_RULE] & 4u) != 0 && m->reg[TERN_REG_SIGNAL_FIRST] < neurons &&
        neurons - m->reg[TERN_REG_SIGNAL_FIRST] > c->baselines)
        return "more neurons with a baseline than BASELINES";
    return wrong_shifts(m, c, hist0, hist0 + samples * words);
}

static unsigned kinds[4], circuits, baselines, mistakes, found;
static void mistake(image *m, const tern_capacity *c, uint32_t *word, uint32_t value)
{
    const uint32_t was = *word;
    *word = value;
    ++mistakes;
    found += wrong(m, c) != NULL;
    *word = was;
}

static image m;
static void check(const tern_plan *plan, const char *what, uint64_t seed, bool mistakes_too)
{
    const tern_capacity *c = &plan->need;
    memset(&m, 0, sizeof m);
    m.writer.write = keep;
    tern_plan_write_network(plan, c, &m.writer);
    const char *first = wrong(&m, c);
    if (first != NULL) printf("seed %llu, %u lanes, %s core: %s\n", (unsigned long long)seed, plan->lanes, what, first);
    CHECK(first == NULL);
    for (uint32_t r = 0; r < m.rows; ++r) {
        uint32_t *flags = &m.row[r][0];
        const uint32_t kind = *flags & 3u;
        ++kinds[kind];
        if (!mistakes_too || first != NULL) continue;
        if (r + 1u == m.rows) mistake(&m, c, flags, *flags & ~8u);   /* no last row */
        if ((*flags & 11u) == 0) mistake(&m, c, flags, *flags | 8u); /* a last row too many */
        if (kind == SAMPLE) mistake(&m, c, &m.row[r][1], m.row[r][1] + m.reg[TERN_REG_SAMPLE_WORDS]);
        if (kind == SHARED) mistake(&m, c, flags, *flags + ((uint32_t)c->hist_words << 16));
        if (kind <= SAMPLE) mistake(&m, c, &m.row[r][c->small != 0 ? 3 : 2], m.row[r][c->small != 0 ? 3 : 2] + 1u);
        if (kind <= SAMPLE) mistake(&m, c, flags, *flags + (c->filters << 8));
        if (kind <= SAMPLE || c->small != 0) mistake(&m, c, flags, *flags ^ 4u); /* shifts, or does not */
        if (kind == SHIFT && *flags >> 16 != 0) mistake(&m, c, flags, *flags - (1u << 16));
        /* begins at its other end */
        if (kind == SHIFT && *flags >> 16 != 0)
            mistake(&m, c, &m.row[r][1], c->small != 0 ? m.row[r][1] - (*flags >> 16) : m.row[r][1] + (*flags >> 16));
    }
    for (uint32_t i = 0; i < m.neurons && c->small == 0; ++i) {
        const bool member = (m.place[i] & 2u) != 0, last = (m.place[i] & 252u) != 0;
        circuits += last;
        if (!mistakes_too || first != NULL || !member) continue;
        /* no last member, or one too many */
        mistake(&m, c, &m.place[i], last ? m.place[i] & ~252u : m.place[i] | 4u << (i % 6u));
        mistake(&m, c, &m.place[i], m.place[i] & ~2u);
    }
    const bool has_baselines = (m.reg[TERN_REG_RULE] & 4u) != 0 && c->baselines != 0;
    baselines += has_baselines;
    if (has_baselines && first == NULL && mistakes_too && m.reg[TERN_REG_SIGNAL_FIRST] != 0)
        mistake(&m, c, &m.reg[TERN_REG_SIGNAL_FIRST], m.reg[TERN_REG_SIGNAL_FIRST] - 1u);
    if (mistakes_too && first == NULL) {
        if (c->small != 0) mistake(&m, c, &m.place[0], m.place[0] ^ 2u);
        for (unsigned bit = 0; c->small != 0 && bit < 6; ++bit) mistake(&m, c, &m.neuron[0], m.neuron[0] ^ 1u << bit);
        if (c->small != 0) mistake(&m, c, &m.neuron[0], m.neuron[0] | c->filters << 8);
        mistake(&m, c, &m.place[0], m.place[0] + (m.reg[TERN_REG_SAMPLE_WORDS] << 16));
        mistake(&m, c, &m.reg[TERN_REG_SAMPLE_HIST0], (uint32_t)c->hist_words);
        mistake(&m, c, &m.reg[TERN_REG_NEURON_LAST], m.reg[TERN_REG_NEURON_LAST] + 1u);
    }
}

int main(void)
{
    unsigned small = 0, extra = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        static const uint32_t lanes[3] = { 1, 4, 32 };
        for (unsigned l = 0; l < 3; ++l) {
            tern_arena arena;
            tern_model model;
            tern_plan plan;
            tern_arena_init(&arena, tern_alloc_default(), 0);
            CHECK_EQ(tern_testnet_make_sized(seed, (tern_rule_kind)(seed % 4), seed % 3 == 0, &arena, &model), TERN_OK);
            CHECK_EQ(tern_plan_make(&model.net, lanes[l], model.net.n_samples, &arena, &plan, NULL), TERN_OK);
            check(&plan, "large", seed, seed <= 40);
            /* a small core has no more; its other limits, which few of these networks keep, change nothing of what is
             * written */
            if (lanes[l] * plan.need.weight_w <= 32u) {
                ++small;
                extra += tern_small_extra_rows(&plan);
                tern_plan_use_small(&plan, l == 0);
                check(&plan, "small", seed, seed <= 40);
            }
            tern_arena_free(&arena);
        }
    }
    CHECK_EQ(found, mistakes);
    CHECK(extra >= 40u && extra < small);
    CHECK(mistakes > 1000u && kinds[SHARED] > 100u && kinds[SAMPLE] > 100u && kinds[SHIFT] > 100u &&
          kinds[EMPTY] > 10u && circuits > 100u && baselines > 100u);
    printf("rows: %u shared, %u sample, %u shift, %u none; %u circuits, %u networks with baselines, %u plans of small "
           "cores, %u with a row more; %u of %u mistakes found\n",
           kinds[SHARED], kinds[SAMPLE], kinds[SHIFT], kinds[EMPTY], circuits, baselines, small, extra, found,
           mistakes);
    return tern_check_report("rows");
}
