/* link_network.c : see link_network.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link_network.h"
#include <inttypes.h>

#define EXPECT(cond, ...) \
    do { \
        if (!(cond) && ++s->failures <= 10) { \
            printf("DIFFERS " __VA_ARGS__); \
            printf("\n"); \
        } \
    } while (0)

/* ---- operations over a line that is unplugged and plugged in again ----------------------------------------------- */

/* The line may go before any operation. */
static void before(link_networks *s)
{
    s->world->limit = s->world->now + s->world->stall_us; /* 3.3 times as long an operation may take */
    const uint32_t chance = link_random(&s->random, 10000);
    if (chance < s->unplug) link_world_unplug(s->world, link_random(&s->random, 30000), false);
    else if (chance < s->unplug + s->adapter) link_world_unplug(s->world, link_random(&s->random, 30000), true);
}

/* True: do it again, from what was taken. */
static bool again(link_networks *s, tern_link_result r)
{
    if (r == TERN_LINK_R_GONE && !s->world->dead) {
        link_world_replug(s->world);
        tern_link_resume(s->link);
        return true;
    }
    if (r == TERN_LINK_R_SILENT && !s->world->dead) return true;
    if (s->worst == TERN_LINK_R_OK) s->worst = r;
    return false;
}

static void put(link_networks *s, uint32_t address, const uint32_t *words, size_t n)
{
    size_t done = 0;
    tern_link_result r;
    if (s->worst != TERN_LINK_R_OK) return; /* it is over */
    before(s);
    do {
        r = tern_link_write(s->link, address + (uint32_t)done, words + done, n - done);
        done += s->link->taken;
    } while (again(s, r));
}
static void get(link_networks *s, uint32_t address, uint32_t *out, size_t n)
{
    size_t done = 0;
    tern_link_result r;
    if (s->worst != TERN_LINK_R_OK) return; /* it is over */
    before(s);
    do {
        r = tern_link_read(s->link, address + (uint32_t)done, out + done, n - done);
        done += s->link->taken;
    } while (again(s, r));
}
void link_networks_sync(link_networks *s)
{
    if (s->worst != TERN_LINK_R_OK) return;
    before(s);
    while (again(s, tern_link_sync(s->link))) continue;
}

typedef struct writer {
    tern_host_writer base;
    link_networks *s;
} writer;
static void over_link(tern_host_writer *self, uint32_t address, uint32_t data)
{
    link_networks *s = ((writer *)self)->s;
    ++s->written;
    put(s, address, &data, 1);
}

static void command(link_networks *s, uint32_t control)
{
    writer w = { { over_link }, s };
    over_link(&w.base, tern_host_address(TERN_RG_REG, TERN_REG_CONTROL, 32, 0), control);
}

/* The core keeps more history bits than a network with shorter filters uses: those are not part of the state. */
static uint32_t used_bits(const tern_plan *plan, const tern_capacity *have, uint32_t address)
{
    const unsigned region = address >> 24,
                   word_bits = region == TERN_RG_HIST ? have->hist_w * plan->lanes : have->hist_w;
    unsigned slice_bits = 0;
    uint32_t mask = 0;
    if (region != TERN_RG_HIST && region != TERN_RG_SELF) return UINT32_MAX;
    while ((32u << slice_bits) < word_bits) ++slice_bits;
    for (unsigned b = 0; b < 32; ++b)
        if ((32u * (address & ((1u << slice_bits) - 1u)) + b) % have->hist_w <
            (unsigned)plan->net->taps_d + plan->net->lags_w)
            mask |= 1u << b;
    return mask;
}

/* Reads back what tern_plan_write_state() would write, and compares. */
typedef struct comparer {
    tern_host_writer base;
    link_networks *s;
    uint32_t *address, *want, *got;
    size_t n, max;
    bool pending;
} comparer;
static void collect(tern_host_writer *self, uint32_t address, uint32_t data)
{
    comparer *c = (comparer *)self;
    const unsigned region = address >> 24;
    /* the plane is free */
    if (region == TERN_RG_REG && address != TERN_REG_STEP && address != TERN_REG_LAG_HEAD &&
        address != TERN_REG_PENDING)
        return;
    /* valid while an update is pending */
    if ((region == TERN_RG_M || region == TERN_RG_SIGNAL) && !c->pending) return;
    if (c->n < c->max) {
        c->address[c->n] = address;
        c->want[c->n] = data;
        get(c->s, address, c->got + c->n, 1);
        ++c->n;
    }
}

/* How many words that are: counted from the host port's list of what belongs to a checkpoint (docs/33-host-port.md).
 * Networks of two neurons with one sample have some 20. */
static size_t state_words(const tern_plan *p, const tern_capacity *have, bool pending)
{
    const tern_net *n = p->net;
    const size_t k = p->n_samples, weight = (p->lanes * have->weight_w + 31u) / 32u,
                 history = (p->lanes * have->hist_w + 31u) / 32u, own = (have->hist_w + 31u) / 32u;
    const size_t registers = 3 /* STEP, LAG_HEAD, PENDING */,
                 groups =
                     p->input_groups * (history + 1u) + k * p->neuron_groups * ((p->reads_neurons ? history : 0u) + 1u);
    const size_t samples = k * (1u + (pending ? 1u : 0u) + (pending && have->signals != 0 ? 1u : 0u)),
                 neurons = n->n_neurons * (2u + k * (own + 1u + n->lags_w));
    const size_t baselines =
        have->baselines != 0 && n->baseline == TERN_BASELINE_NEURON ? 2u * (n->n_neurons - p->signal_first) : 0u;
    return registers + p->n_words * weight + n->lags_w + groups + samples + neurons + baselines;
}

void link_network(link_networks *s, tern_netrun *net, const tern_capacity *have, unsigned steps)
{
    const uint64_t seed = net->seed;
    int32_t reward[TERN_MAX_SAMPLES];
    writer w = { { over_link }, s };
    const uint32_t k_n = net->st.n_samples;
    net->st.sink = NULL;
    tern_plan_write_network(&net->plan, have, &w.base);
    tern_plan_write_state(&net->plan, have, &net->st, &w.base);
    const uint32_t layout = (uint32_t)seed * 2654435761u;
    over_link(&w.base, TERN_REG_LAYOUT, layout);
    tern_testrand r = { seed * 13 + 7 };
    for (unsigned t = 0; t < steps; ++t) {
        uint32_t loss[TERN_MAX_SAMPLES], v[TERN_MAX_SAMPLES];
        tern_testnet_frame(seed, t, &net->m, net->in, net->target);
        const tern_netrun_step now = tern_netrun_next(&r, &net->m);
        tern_step(&net->st, net->in, net->target, now.flags);
        tern_plan_write_frames(&net->plan, net->in, net->target, &w.base);
        command(s, (uint32_t)(TERN_CTL_START | (now.flags & TERN_STEP_LEARN ? TERN_CTL_LEARN : 0) |
                              (now.flags & TERN_STEP_CLAMP ? TERN_CTL_CLAMP : 0)));
        get(s, tern_host_address(TERN_RG_LOSS, 0, 32, 0), loss, k_n);
        get(s, tern_host_address(TERN_RG_V, 0, 32, 0), v, k_n);
        if (now.reward) {
            tern_netrun_rewards(&r, k_n, reward);
            tern_reward(&net->st, reward);
            for (uint32_t k = 0; k < k_n; ++k)
                over_link(&w.base, tern_host_address(TERN_RG_SIGNAL, k, 32, 0), (uint32_t)net->st.w_f12[k]);
        }
        if (now.flush) {
            tern_flush(&net->st);
            command(s, TERN_CTL_START | TERN_CTL_FLUSH);
        }
        if (now.clear) {
            tern_state_clear(&net->st);
            command(s, TERN_CTL_CLEAR);
        }
        link_networks_sync(s);
        if (s->worst != TERN_LINK_R_OK) break;
        /* a clear comes behind the reads */
        for (uint32_t k = 0; k < k_n && !now.clear; ++k) {
            EXPECT(loss[k] == net->st.loss_f12[k],
                   "loss: seed %" PRIu64 ", step %u, sample %" PRIu32 ": 0x%" PRIx32 " instead of 0x%" PRIx32, seed, t,
                   k, loss[k], net->st.loss_f12[k]);
            EXPECT(v[k] == (uint32_t)net->st.v_f12[k],
                   "log-probability: seed %" PRIu64 ", step %u, sample %" PRIu32 ": 0x%" PRIx32
                   " instead of 0x%" PRIx32,
                   seed, t, k, v[k], (uint32_t)net->st.v_f12[k]);
            s->compared += 2;
        }
    }
    const size_t max = 200000;
    comparer c = { .base = { collect }, .s = s, .max = max, .pending = net->st.pending };
    c.address = tern_arena_get(&net->arena, max, 4);
    c.want = tern_arena_get(&net->arena, max, 4);
    c.got = tern_arena_get(&net->arena, max, 4);
    if (c.address != NULL && c.want != NULL && c.got != NULL)
        tern_plan_write_state(&net->plan, have, &net->st, &c.base);
    before(s);
    while (s->worst == TERN_LINK_R_OK && again(s, tern_link_wait_idle(s->link))) continue;
    uint32_t found = 0;
    get(s, TERN_REG_LAYOUT, &found, 1);
    link_networks_sync(s);
    EXPECT(found == layout, "layout: 0x%" PRIx32 " instead of 0x%" PRIx32, found, layout);
    EXPECT(c.n < max && c.n == state_words(&net->plan, have, net->st.pending),
           "%zu words instead of %zu: seed %" PRIu64, c.n, state_words(&net->plan, have, net->st.pending), seed);
    for (size_t i = 0; i < c.n; ++i)
        EXPECT(((c.got[i] ^ c.want[i]) & used_bits(&net->plan, have, c.address[i])) == 0,
               "memory: seed %" PRIu64 ", address 0x%08" PRIx32 ": 0x%" PRIx32 " instead of 0x%" PRIx32, seed,
               c.address[i], c.got[i], c.want[i]);
    s->compared += c.n;
}
