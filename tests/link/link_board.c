/* link_board.c : whole networks over four pins: the host's engine, a faulty line, tern_board with the real core; compared with the golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 *     link_board [--first SEED] [--count N]
 * Networks are loaded, run and read back over the link alone. Compared: after every step the losses and log-probabilities of all samples, at the end every word that a state has in the
 * core. Those too large for the design are passed over.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "link_dut.h"
#include "tern_netrun.h"

const link_dut *tern_dut_board(void);
link_target link_dut_target(const link_dut *dut, void *object) { return (link_target){ object, dut->tick, dut->take, dut->power }; }

enum { STEPS = 12 };
static link_world world;
static tern_link l;
static unsigned failures;
static tern_link_result worst;
static uint64_t words_compared, words_written;

#define EXPECT(cond, ...)                                      \
    do {                                                       \
        if (!(cond) && ++failures <= 10) {                     \
            printf("DIFFERS " __VA_ARGS__);                    \
            printf("\n");                                      \
        }                                                      \
    } while (0)

static void keep(tern_link_result r)
{
    if (worst == TERN_LINK_R_OK) worst = r;
}

static void over_link(tern_host_writer *self, uint32_t address, uint32_t data)
{
    (void)self;
    ++words_written;
    keep(tern_link_write(&l, address, &data, 1));
}

static void command(uint32_t control)
{
    tern_host_writer w = { over_link };
    over_link(&w, tern_host_address(TERN_RG_REG, TERN_REG_CONTROL, 32, 0), control);
}

static void capacities(tern_capacity *c)
{
    const uint32_t *r = l.registers;
    *c = (tern_capacity){ .lanes = r[16], .weight_w = r[17], .samples = r[18], .neurons = r[19], .pairs = r[20], .errors = r[21], .taps_d = r[22], .lags_w = r[23], .filters = r[24],
                          .rows = r[25], .words = r[26], .hist_words = r[27], .targets = r[28], .hist_w = r[31], .signals = r[11], .baselines = r[12], .wta = r[13], .classes = r[14],
                          .kernel_w = r[29] >> 24, .delta_w = r[29] >> 16 & 255u, .acc_w = r[29] >> 8 & 255u, .x_w = r[29] & 255u, .index_w = r[30] >> 16 & 255u,
                          .dither_min = r[30] >> 8 & 255u, .dither_max = r[30] & 255u };
}

/* The core keeps more history bits than a network with shorter filters uses: those are not part of the state. */
static uint32_t used_bits(const tern_plan *plan, const tern_capacity *have, uint32_t address)
{
    const unsigned region = address >> 24, word_bits = region == TERN_RG_HIST ? have->hist_w * plan->lanes : have->hist_w;
    unsigned slice_bits = 0;
    uint32_t mask = 0;
    if (region != TERN_RG_HIST && region != TERN_RG_SELF) return UINT32_MAX;
    while ((32u << slice_bits) < word_bits) ++slice_bits;
    for (unsigned b = 0; b < 32; ++b)
        if ((32u * (address & ((1u << slice_bits) - 1u)) + b) % have->hist_w < (unsigned)plan->net->taps_d + plan->net->lags_w) mask |= 1u << b;
    return mask;
}

/* Reads back what tern_plan_write_state() would write, and compares. */
typedef struct comparer { tern_host_writer base; uint32_t *address, *want, *got; size_t n, max; bool pending; } comparer;
static void collect(tern_host_writer *self, uint32_t address, uint32_t data)
{
    comparer *c = (comparer *)self;
    const unsigned region = address >> 24;
    if (region == TERN_RG_REG && address != TERN_REG_STEP && address != TERN_REG_LAG_HEAD && address != TERN_REG_PENDING) return; /* the plane is free */
    if ((region == TERN_RG_M || region == TERN_RG_SIGNAL) && !c->pending) return;                                               /* valid while an update is pending */
    if (c->n < c->max) {
        c->address[c->n] = address;
        c->want[c->n] = data;
        keep(tern_link_read(&l, address, c->got + c->n, 1));
        ++c->n;
    }
}

static bool network(uint64_t seed, const tern_capacity *have)
{
    tern_netrun n;
    bool ran = false;
    int32_t reward[TERN_MAX_SAMPLES];
    tern_host_writer w = { over_link };
    if (!tern_netrun_make(&n, seed, (tern_rule_kind)(seed % 4), 4, false) || tern_plan_fits(&n.plan, have, &n.diags) != TERN_OK) goto out;
    ran = true;
    const uint32_t k_n = n.st.n_samples;
    n.st.sink = NULL;
    tern_plan_write_network(&n.plan, have, &w);
    tern_plan_write_state(&n.plan, have, &n.st, &w);
    const uint32_t layout = (uint32_t)seed * 2654435761u;
    over_link(&w, TERN_REG_LAYOUT, layout);
    tern_testrand r = { seed * 13 + 7 };
    for (unsigned t = 0; t < STEPS; ++t) {
        uint32_t loss[TERN_MAX_SAMPLES], v[TERN_MAX_SAMPLES];
        tern_testnet_frame(seed, t, &n.m, n.in, n.target);
        const tern_netrun_step now = tern_netrun_next(&r, &n.m);
        tern_step(&n.st, n.in, n.target, now.flags);
        tern_plan_write_frames(&n.plan, n.in, n.target, &w);
        command((uint32_t)(TERN_CTL_START | (now.flags & TERN_STEP_LEARN ? TERN_CTL_LEARN : 0) | (now.flags & TERN_STEP_CLAMP ? TERN_CTL_CLAMP : 0)));
        keep(tern_link_read(&l, tern_host_address(TERN_RG_LOSS, 0, 32, 0), loss, k_n));
        keep(tern_link_read(&l, tern_host_address(TERN_RG_V, 0, 32, 0), v, k_n));
        if (now.reward) {
            tern_netrun_rewards(&r, k_n, reward);
            tern_reward(&n.st, reward);
            for (uint32_t k = 0; k < k_n; ++k) over_link(&w, tern_host_address(TERN_RG_SIGNAL, k, 32, 0), (uint32_t)n.st.w_f12[k]);
        }
        if (now.flush) {
            tern_flush(&n.st);
            command(TERN_CTL_START | TERN_CTL_FLUSH);
        }
        if (now.clear) {
            tern_state_clear(&n.st);
            command(TERN_CTL_CLEAR);
        }
        keep(tern_link_sync(&l));
        if (worst != TERN_LINK_R_OK) break;
        /* a clear comes behind the reads */
        for (uint32_t k = 0; k < k_n && !now.clear; ++k) {
            EXPECT(loss[k] == n.st.loss_f12[k], "loss: seed %" PRIu64 ", step %u, sample %" PRIu32 ": 0x%" PRIx32 " instead of 0x%" PRIx32, seed, t, k, loss[k], n.st.loss_f12[k]);
            EXPECT(v[k] == (uint32_t)n.st.v_f12[k], "log-probability: seed %" PRIu64 ", step %u, sample %" PRIu32 ": 0x%" PRIx32 " instead of 0x%" PRIx32, seed, t, k, v[k], (uint32_t)n.st.v_f12[k]);
            words_compared += 2;
        }
    }
    const size_t max = 200000;
    comparer c = { .base = { collect }, .max = max, .pending = n.st.pending };
    c.address = tern_arena_get(&n.arena, max, 4);
    c.want = tern_arena_get(&n.arena, max, 4);
    c.got = tern_arena_get(&n.arena, max, 4);
    if (c.address != NULL && c.want != NULL && c.got != NULL) tern_plan_write_state(&n.plan, have, &n.st, &c.base);
    keep(tern_link_wait_idle(&l));
    uint32_t found = 0;
    keep(tern_link_read(&l, TERN_REG_LAYOUT, &found, 1));
    keep(tern_link_sync(&l));
    EXPECT(found == layout, "layout: 0x%" PRIx32 " instead of 0x%" PRIx32, found, layout);
    EXPECT(c.n > 100 && c.n < max, "only %zu words", c.n);
    for (size_t i = 0; i < c.n; ++i)
        EXPECT(((c.got[i] ^ c.want[i]) & used_bits(&n.plan, have, c.address[i])) == 0, "memory: seed %" PRIu64 ", address 0x%08" PRIx32 ": 0x%" PRIx32 " instead of 0x%" PRIx32, seed, c.address[i], c.got[i], c.want[i]);
    words_compared += c.n;
out:
    tern_netrun_free(&n);
    return ran;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 3, ran = 0;
    static link_write log[LINK_LOG];
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        else return 2;
    }
    const link_pins pins = { 12000000, 3000000, -15, 100, 0 };
    const link_faults faults = { 3, 3, 3, 3, 3, 3, 1000, 1000, 500 };
    link_world_init(&world, (uint32_t)first, &faults, 50, log);
    const link_dut *dut = tern_dut_board();
    void *object = dut->create(&pins, NULL, (uint32_t)first);
    if (object == NULL) return 1;
    world.target = link_dut_target(dut, object);
    const tern_link_io io = link_world_io(&world);
    tern_link_config config;
    tern_link_config_default(&config, 3000000);
    config.timeout_us = 6000;
    EXPECT(tern_link_init(&l, &io, &config) == TERN_LINK_R_OK, "init");
    EXPECT(dut->led(object) == 0, "LED: lit without a session");
    keep(tern_link_open(&l));
    tern_capacity have;
    capacities(&have);
    EXPECT(have.lanes == 4 && have.weight_w == 16 && have.neurons == 64 && have.signals == 1, "capacities: %" PRIu32 " lanes", have.lanes);
    for (uint64_t seed = first; ran < count && seed < first + 1000 && failures == 0 && worst == TERN_LINK_R_OK; ++seed) ran += network(seed, &have);
    for (int i = 0; i < 100; ++i) link_world_tick(&world);
    EXPECT(dut->led(object) == 1, "LED: dark in a session");
    keep(tern_link_reset(&l));
    for (int i = 0; i < 100; ++i) link_world_tick(&world);
    EXPECT(dut->led(object) == 0, "LED: lit after a reset");
    world.faults = world.faults_to_host = (link_faults){ 0 };
    keep(tern_link_open(&l));
    EXPECT(worst == TERN_LINK_R_OK, "result: %s", tern_link_result_text(worst));
    EXPECT(ran == count, "networks: only %" PRIu64 " ran", ran);
    EXPECT(l.stats.repeats > 0, "line: no fault");
    printf("link_board: %u differences; %" PRIu64 " networks of %u steps, %" PRIu64 " words written, %" PRIu64 " compared, %" PRIu64 " frames, %" PRIu64 " again, %" PRIu64 " clocks\n", failures, ran,
           (unsigned)STEPS, words_written, words_compared, l.stats.frames, l.stats.repeats, dut->clocks(object));
    dut->destroy(object);
    return failures != 0;
}
