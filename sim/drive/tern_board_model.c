/* tern_board_model.c : see tern_board_model.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_board_model.h"
#include <string.h>
#include "tern_cores.h"
#include "tern_link.h"
#include "tern_link_device.h"

enum { REGIONS = 27, REGISTERS = 96, BUFFER_LOG = 12, REPLIES = 1 << 14 };

typedef struct memory {
    uint32_t *words, n;
} memory;

struct tern_board_model {
    const tern_model *model;
    tern_capacity core;
    tern_link_device link;
    memory mem[REGIONS];
    tern_plan plans[TERN_MAX_SAMPLES]; /* per number of samples, once it is used: net != NULL */
    tern_state states[TERN_MAX_SAMPLES];
    tern_arena *arena;
    bool foreign, loaded;     /* the host has loaded something else; what is loaded was compared */
    uint8_t replies[REPLIES]; /* bytes for the host */
    size_t n_replies;
};

/* ---- memories ---------------------------------------------------------------------------------------------------- */

static uint32_t *word_at(tern_board_model *b, uint32_t address)
{
    const uint32_t region = address >> 24, word = address & 0xffffffu;
    return region < REGIONS && word < b->mem[region].n ? &b->mem[region].words[word] : NULL;
}

static uint32_t board_read(void *ud, uint32_t address)
{
    tern_board_model *b = ud;
    const uint32_t region = address >> 24, *word = word_at(b, address);
    /* outside: word 0 */
    return word != NULL ? *word : region < REGIONS && b->mem[region].n != 0 ? b->mem[region].words[0] : 0;
}

/* Largest address of each region that loading the network touches. */
typedef struct measurer {
    tern_host_writer base;
    tern_board_model *b;
} measurer;

static void measure(tern_host_writer *self, uint32_t address, uint32_t data)
{
    tern_board_model *b = ((measurer *)self)->b;
    memory *m = &b->mem[address >> 24];
    (void)data;
    if ((address & 0xffffffu) >= m->n) m->n = (address & 0xffffffu) + 1;
}

/* ---- the core ---------------------------------------------------------------------------------------------------- */

static uint32_t *reg(tern_board_model *b, unsigned word) { return &b->mem[TERN_RG_REG].words[word]; }

typedef struct mem_writer {
    tern_host_writer base;
    tern_board_model *b;
} mem_writer;

static void to_memory(tern_host_writer *self, uint32_t address, uint32_t data)
{
    tern_board_model *b = ((mem_writer *)self)->b;
    /* written by the steps themselves */
    const bool counts = address >= TERN_REG_SAT_WEIGHT && address <= TERN_REG_SAT_MODULATOR,
               plane = address == TERN_REG_PLANE;
    uint32_t *word = word_at(b, address);
    if (word != NULL && !counts && !plane) *word = data;
}

typedef struct mem_reader {
    tern_host_reader base;
    tern_board_model *b;
} mem_reader;

static uint32_t from_memory(tern_host_reader *self, uint32_t address)
{
    return board_read(((mem_reader *)self)->b, address);
}

/* Plan and state for the number of samples that is loaded; NULL: it is none. */
static tern_state *state_of(tern_board_model *b, tern_plan **out_plan)
{
    const uint32_t K = *reg(b, TERN_REG_SAMPLE_LAST) + 1;
    if (K < 1 || K > b->core.samples || K > TERN_MAX_SAMPLES) return NULL;
    tern_plan *p = *out_plan = &b->plans[K - 1];
    tern_state *st = &b->states[K - 1];
    if (p->net != NULL) return st;
    const tern_net *net = &b->model->net;
    const size_t bytes = tern_state_bytes(net, K);
    void *mem = tern_arena_get(b->arena, bytes, 1);
    if (mem == NULL || tern_state_init(st, net, mem, bytes, K, 0) != TERN_OK ||
        tern_plan_make(net, b->core.lanes, K, b->arena, p, NULL) != TERN_OK) {
        p->net = NULL;
        return NULL;
    }
    tern_plan_use_order(p, &b->core); /* as tern_run_device.c */
    return st;
}

/* Bits of the host's frames, as tern_step() wants them. */
static void gather(const tern_board_model *b, const tern_plan *p, unsigned region, const uint32_t *group,
                   uint32_t n_pos, uint32_t *bits)
{
    const memory *m = &b->mem[region];
    const uint32_t mask = p->lanes == 32 ? UINT32_MAX : (1u << p->lanes) - 1u;
    memset(bits, 0, n_pos / 8u);
    for (uint32_t g = 0; g < n_pos >> p->lane_shift; ++g) {
        const uint32_t pos = g << p->lane_shift;
        if (group[g] < m->n) bits[pos >> 5] |= (m->words[group[g]] & mask) << (pos & 31u);
    }
}

/* Is what the host has loaded this network? */
static void compare(tern_host_writer *self, uint32_t address, uint32_t data)
{
    tern_board_model *b = ((mem_writer *)self)->b;
    const uint32_t *word = word_at(b, address);
    if (word == NULL || *word != data) b->foreign = true;
}

static void check_network(tern_board_model *b, const tern_plan *p)
{
    mem_writer w = { { compare }, b };
    if (!b->loaded) tern_plan_write_network(p, &b->core, &w.base);
    b->loaded = true;
}

static void add_saturations(tern_board_model *b, const tern_sat_counts *s)
{
    const uint64_t counts[6] = { s->weight, s->local, s->potential, s->coefficient, s->logprob, s->modulator };
    for (unsigned i = 0; i < 6; ++i) *reg(b, TERN_REG_SAT_WEIGHT + i) += (uint32_t)counts[i];
}

static void control(tern_board_model *b, uint32_t command)
{
    static uint32_t inputs[TERN_MAX_POSITIONS / 32], targets[TERN_MAX_POSITIONS / 32];
    tern_plan *p;
    tern_state *st = state_of(b, &p);
    mem_reader in = { { from_memory }, b };
    mem_writer out = { { to_memory }, b };
    if (st == NULL) return;
    if (command & TERN_CTL_START) check_network(b, p);
    if (b->foreign) return;
    st->seed = *reg(b, TERN_REG_SEED0) | (uint64_t)*reg(b, TERN_REG_SEED1) << 32;
    st->k0 = *reg(b, TERN_REG_GROUP0) * 4u;
    st->step = *reg(b, TERN_REG_STEP);
    st->lag_head = *reg(b, TERN_REG_LAG_HEAD) % st->net->lags_w;
    st->pending = *reg(b, TERN_REG_PENDING) != 0;
    memset(&st->sat, 0, sizeof st->sat);
    tern_plan_read_state(p, &b->core, true, &in.base, st);
    if (!(command & TERN_CTL_START)) {
        if (command & TERN_CTL_CLEAR) tern_state_clear(st);
    } else if (command & TERN_CTL_FLUSH) {
        tern_flush(st);
    } else {
        gather(b, p, TERN_RG_FRAME, p->input_group, st->net->n_inputs_pos, inputs);
        gather(b, p, TERN_RG_TARGET, p->neuron_group, st->net->n_neurons_pos, targets);
        tern_step(st, inputs, targets,
                  (command & TERN_CTL_LEARN ? TERN_STEP_LEARN : 0u) |
                      (command & TERN_CTL_CLAMP ? TERN_STEP_CLAMP : 0u));
        for (uint32_t k = 0; k < st->n_samples; ++k) b->mem[TERN_RG_LOSS].words[k] = st->loss_f12[k];
    }
    tern_plan_write_state(p, &b->core, st, &out.base);
    add_saturations(b, &st->sat);
}

static void board_write(void *ud, uint32_t address, uint32_t data)
{
    tern_board_model *b = ud;
    if (address == TERN_REG_CONTROL) {
        control(b, data);
        return;
    }
    if (address < TERN_REG_NEURON_LAST) return; /* identity and capacities */
    uint32_t *word = word_at(b, address);
    const uint32_t region = address >> 24;
    if (region == TERN_RG_ROW || region == TERN_RG_NEURON || region == TERN_RG_PLACE || region == TERN_RG_TAPS ||
        region == TERN_RG_TABLE || region == TERN_RG_EXP || region == TERN_RG_KAP || region == TERN_RG_LOG ||
        (region == TERN_RG_REG && address < TERN_REG_STEP))
        b->loaded = false;
    if (word != NULL) *word = data;
}

static bool board_busy(void *ud)
{
    (void)ud;
    return false;
}

/* Registers lose what the host wrote, memories keep it. */
static void board_reset(void *ud)
{
    tern_board_model *b = ud;
    memset(reg(b, TERN_REG_NEURON_LAST), 0, (REGISTERS - TERN_REG_NEURON_LAST) * sizeof(uint32_t));
}

static void board_send(void *ud, const uint8_t *bytes, size_t n)
{
    tern_board_model *b = ud;
    if (n > sizeof b->replies - b->n_replies) return; /* nobody takes them: as on a line without a host */
    memcpy(b->replies + b->n_replies, bytes, n);
    b->n_replies += n;
}

/* ---- the board --------------------------------------------------------------------------------------------------- */

static void tell_capacities(tern_board_model *b)
{
    const tern_capacity *c = &b->core;
    const uint32_t list[][2] = { { TERN_REG_ID, 0x5445524e },
                                 { TERN_REG_VERSION, tern_core_of(c)->port_version },
                                 { TERN_REG_CAP_SIGNALS, c->signals },
                                 { TERN_REG_CAP_BASELINES, c->baselines },
                                 { TERN_REG_CAP_WTA, c->wta },
                                 { TERN_REG_CAP_CLASSES, c->classes },
                                 { TERN_REG_CAP_WAYS, 1 },
                                 { TERN_REG_CAP_WAY_WORDS, 1 },
                                 { TERN_REG_CAP_PREP, 1 },
                                 { TERN_REG_CAP_SMALL, c->small },
                                 { TERN_REG_CAP_LANES, c->lanes },
                                 { TERN_REG_CAP_WEIGHT_W, c->weight_w },
                                 { TERN_REG_CAP_SAMPLES, c->samples },
                                 { TERN_REG_CAP_NEURONS, c->neurons },
                                 { TERN_REG_CAP_PAIRS, c->pairs },
                                 { TERN_REG_CAP_ERRORS, c->errors },
                                 { TERN_REG_CAP_TAPS_D, c->taps_d },
                                 { TERN_REG_CAP_LAGS_W, c->lags_w },
                                 { TERN_REG_CAP_FILTERS, c->filters },
                                 { TERN_REG_CAP_ROWS, c->rows },
                                 { TERN_REG_CAP_WORDS, c->words },
                                 { TERN_REG_CAP_HIST_WORDS, c->hist_words },
                                 { TERN_REG_CAP_TARGETS, c->targets },
                                 { TERN_REG_CAP_WIDTHS, c->kernel_w << 24 | c->delta_w << 16 | c->acc_w << 8 | c->x_w },
                                 { TERN_REG_CAP_DITHER, c->index_w << 16 | c->dither_min << 8 | c->dither_max },
                                 { TERN_REG_CAP_HIST_W, c->hist_w } };
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) *reg(b, list[i][0]) = list[i][1];
}

static tern_status make_memories(tern_board_model *b, tern_diags *diags)
{
    tern_plan plan;
    tern_state st;
    measurer m = { { measure }, b };
    const tern_net *net = &b->model->net;
    const uint32_t K = b->core.samples < TERN_MAX_SAMPLES ? b->core.samples : TERN_MAX_SAMPLES;
    const size_t bytes = tern_state_bytes(net, K);
    void *mem = tern_arena_get(b->arena, bytes, 1);
    if (mem == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_state_init(&st, net, mem, bytes, K, 0);
    if (s == TERN_OK) s = tern_plan_make(net, b->core.lanes, K, b->arena, &plan, diags);
    if (s != TERN_OK) return s;
    tern_plan_use_order(&plan, &b->core);
    tern_plan_write_network(&plan, &b->core, &m.base);
    tern_plan_write_state(&plan, &b->core, &st, &m.base);
    b->mem[TERN_RG_REG].n = REGISTERS;
    b->mem[TERN_RG_FRAME].n = plan.need.hist_words;
    b->mem[TERN_RG_TARGET].n = plan.need.targets;
    b->mem[TERN_RG_LOSS].n = K;
    for (unsigned r = 0; r < REGIONS; ++r) {
        b->mem[r].words = tern_arena_get(b->arena, b->mem[r].n + 1, sizeof *b->mem[r].words);
        if (b->mem[r].words == NULL) return TERN_ERR_MEMORY;
    }
    return TERN_OK;
}

tern_status tern_board_model_create(const tern_model *model, const tern_capacity *capacity, uint8_t session,
                                    tern_arena *arena, tern_board_model **out, tern_diags *diags)
{
    tern_board_model *b = *out = tern_arena_get(arena, 1, sizeof *b);
    if (b == NULL) return TERN_ERR_MEMORY;
    *b = (tern_board_model){ .model = model, .core = *capacity, .arena = arena };
    const tern_status s = make_memories(b, diags);
    if (s != TERN_OK) return s;
    tell_capacities(b);
    const tern_link_board board = { b, board_busy, board_write, board_read, board_reset, board_send };
    tern_link_device_init(&b->link, &board, BUFFER_LOG, session);
    return TERN_OK;
}

void tern_board_model_put(tern_board_model *b, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        tern_link_device_receive(&b->link, bytes[i], false);
        tern_link_device_run(&b->link);
    }
}

size_t tern_board_model_take(tern_board_model *b, uint8_t *bytes, size_t max)
{
    const size_t n = b->n_replies < max ? b->n_replies : max;
    memcpy(bytes, b->replies, n);
    memmove(b->replies, b->replies + n, b->n_replies - n);
    b->n_replies -= n;
    return n;
}

bool tern_board_model_foreign(const tern_board_model *b) { return b->foreign; }
