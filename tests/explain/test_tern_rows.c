/* test_tern_rows.c : what the proofs take from the planner (docs/41-proofs.md, "what the planner makes") holds for what it writes into a core
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random networks, 1, 4 and 32 lanes; then mistakes in the words that were written, each of which has to be found.
 */
#include "plan/tern_plan.h"
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
        if (word / 4 >= MAX_ROWS) { m->beyond = true; return; }
        m->row[word / 4][word % 4] = data;
        if (word / 4 >= m->rows) m->rows = word / 4 + 1u;
    }
    if (region == TERN_RG_NEURON || region == TERN_RG_PLACE) {
        if (word >= MAX_NEURONS) { m->beyond = true; return; }
        (region == TERN_RG_NEURON ? m->neuron : m->place)[word] = data;
        if (word >= m->neurons) m->neurons = word + 1u;
    }
}

/* The first thing that does not hold, or NULL. */
static const char *wrong(const image *m, const tern_capacity *c)
{
    const uint64_t samples = m->reg[TERN_REG_SAMPLE_LAST] + 1u, hist0 = m->reg[TERN_REG_SAMPLE_HIST0], words = m->reg[TERN_REG_SAMPLE_WORDS];
    const uint32_t neurons = m->reg[TERN_REG_NEURON_LAST] + 1u;
    unsigned filter_bits = 1;
    while ((1u << filter_bits) < c->filters) ++filter_bits;
    if (m->beyond) return "a word outside its memory";
    if (neurons != m->neurons || neurons > c->neurons || m->reg[TERN_REG_VISIBLE] > neurons) return "NEURON_LAST or VISIBLE";
    if (samples > c->samples || samples * neurons > c->pairs || samples * neurons * (m->reg[TERN_REG_LAG_LAST] + 1u) > c->errors) return "SAMPLE_LAST or LAG_LAST";
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
            if (hist + n > c->hist_words) return "a row of kind shift outside the histories";
            continue;
        }
        if ((flags >> 8 & 255u) >= c->filters) return "a filter of a row";
        if (kind == EMPTY && (!first || (flags & 8u) == 0 || n != 1)) return "a row of kind none that is not alone";
        if (kind == SHARED && hist + n > hist0) return "a shared row outside the inputs' histories";
        if (kind == SAMPLE && (hist < hist0 || hist + n > hist0 + words || (flags & 4u) != 0 || shared)) return "a sample row outside sample 0, or behind shared ones";
        if (kind == SHARED || kind == SAMPLE) {
            if (m->row[r][2] != weights) return "weights that do not follow each other";
            weights += n;
        }
        first = (flags & 8u) != 0;
        shared = !first && kind == SHARED;
        neuron += first;
    }
    if (neuron != neurons) return "a neuron without last row";
    uint32_t members = 0; /* of the circuit at hand */
    if (weights > c->words) return "more weights than WORDS";
    for (uint32_t i = 0; i < neurons; ++i) {
        if ((m->neuron[i] & ((1u << filter_bits) - 1u)) >= c->filters || m->neuron[i] >> filter_bits > 1u) return "a neuron's filter";
        if (m->place[i] >> 16 >= words || ((m->place[i] & 1u) != 0 && m->place[i] >> 16 >= c->targets)) return "a neuron's group";
        if (((m->place[i] & 1u) != 0) != (i < m->reg[TERN_REG_VISIBLE])) return "a visible neuron behind hidden ones";
        const uint32_t last = m->place[i] >> 2 & 63u;
        if ((m->place[i] & 2u) == 0 && (members != 0 || last != 0)) return "a circuit that is not complete";
        if ((m->place[i] & 2u) == 0) continue;
        if (last != 0 && (last != members || last >= c->wta)) return "the number of a circuit's members";
        members = last != 0 ? 0 : members + 1u;
    }
    if (members != 0) return "a circuit that is not complete";
    if ((m->reg[TERN_REG_RULE] & 4u) != 0 && m->reg[TERN_REG_SIGNAL_FIRST] < neurons && neurons - m->reg[TERN_REG_SIGNAL_FIRST] > c->baselines) return "more neurons with a baseline than BASELINES";
    return NULL;
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

int main(void)
{
    static image m;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        static const uint32_t lanes[3] = { 1, 4, 32 };
        for (unsigned l = 0; l < 3; ++l) {
            tern_arena arena;
            tern_model model;
            tern_plan plan;
            tern_arena_init(&arena, tern_alloc_default(), 0);
            memset(&m, 0, sizeof m);
            m.writer.write = keep;
            CHECK_EQ(tern_testnet_make_sized(seed, (tern_rule_kind)(seed % 4), seed % 3 == 0, &arena, &model), TERN_OK);
            CHECK_EQ(tern_plan_make(&model.net, lanes[l], model.net.n_samples, &arena, &plan, NULL), TERN_OK);
            tern_plan_write_network(&plan, &plan.need, &m.writer);
            const char *what = wrong(&m, &plan.need);
            if (what != NULL) printf("seed %llu, %u lanes: %s\n", (unsigned long long)seed, lanes[l], what);
            CHECK(what == NULL);
            for (uint32_t r = 0; r < m.rows; ++r) {
                uint32_t *flags = &m.row[r][0];
                ++kinds[*flags & 3u];
                if (seed > 40 || what != NULL) continue;
                if (r + 1u == m.rows) mistake(&m, &plan.need, flags, *flags & ~8u);               /* no last row */
                if ((*flags & 11u) == 0) mistake(&m, &plan.need, flags, *flags | 8u);             /* a last row too many */
                if ((*flags & 3u) == SAMPLE) mistake(&m, &plan.need, &m.row[r][1], m.row[r][1] + m.reg[TERN_REG_SAMPLE_WORDS]);
                if ((*flags & 3u) == SHARED) mistake(&m, &plan.need, flags, *flags + ((uint32_t)plan.need.hist_words << 16));
                if ((*flags & 2u) == 0) mistake(&m, &plan.need, &m.row[r][2], m.row[r][2] + 1u);
                if ((*flags & 2u) == 0) mistake(&m, &plan.need, flags, *flags + (plan.need.filters << 8));
            }
            for (uint32_t i = 0; i < m.neurons; ++i) {
                const bool member = (m.place[i] & 2u) != 0, last = (m.place[i] & 252u) != 0;
                circuits += last;
                if (seed > 40 || what != NULL || !member) continue;
                mistake(&m, &plan.need, &m.place[i], last ? m.place[i] & ~252u : m.place[i] | 4u << (i % 6u)); /* no last member, or one too many */
                mistake(&m, &plan.need, &m.place[i], m.place[i] & ~2u);
            }
            const bool has_baselines = (m.reg[TERN_REG_RULE] & 4u) != 0 && plan.need.baselines != 0;
            baselines += has_baselines;
            if (has_baselines && what == NULL && seed <= 40 && m.reg[TERN_REG_SIGNAL_FIRST] != 0) mistake(&m, &plan.need, &m.reg[TERN_REG_SIGNAL_FIRST], m.reg[TERN_REG_SIGNAL_FIRST] - 1u);
            if (seed <= 40 && what == NULL) {
                mistake(&m, &plan.need, &m.place[0], m.place[0] + (m.reg[TERN_REG_SAMPLE_WORDS] << 16));
                mistake(&m, &plan.need, &m.reg[TERN_REG_SAMPLE_HIST0], (uint32_t)plan.need.hist_words);
                mistake(&m, &plan.need, &m.reg[TERN_REG_NEURON_LAST], m.reg[TERN_REG_NEURON_LAST] + 1u);
            }
            tern_arena_free(&arena);
        }
    }
    CHECK_EQ(found, mistakes);
    CHECK(mistakes > 1000u && kinds[SHARED] > 100u && kinds[SAMPLE] > 100u && kinds[SHIFT] > 100u && kinds[EMPTY] > 10u && circuits > 100u && baselines > 100u);
    printf("rows: %u shared, %u sample, %u shift, %u none; %u circuits, %u networks with baselines; %u of %u mistakes found\n", kinds[SHARED], kinds[SAMPLE], kinds[SHIFT], kinds[EMPTY], circuits, baselines,
           found, mistakes);
    return tern_check_report("rows");
}
