/* tern_netsteps.h : what is done with a random network (tern_testnet.h): learning, scoring and free steps, rewards,
 * flushes, clears, votes
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same for every lockstep: golden model against core, golden model against the engine `fast`.
 */
#ifndef TERN_NETSTEPS_H
#define TERN_NETSTEPS_H
#include "tern_testnet.h"

/* What happens in a step and behind it. */
typedef struct tern_netrun_step {
    unsigned flags;
    bool reward, flush, clear, vote, example;
} tern_netrun_step;

static inline tern_netrun_step tern_netrun_next(tern_testrand *r, const tern_model *m)
{
    tern_netrun_step s = { .flags = TERN_STEP_CLAMP | TERN_STEP_LEARN };
    if (tern_testrand_one_in(r, 5)) s.flags = tern_testrand_one_in(r, 2) ? 0 : TERN_STEP_CLAMP;
    else if (m->net.rule == TERN_RULE_REWARD && !tern_testrand_one_in(r, 4)) s.flags = TERN_STEP_LEARN;
    s.reward = m->net.rule == TERN_RULE_REWARD && !tern_testrand_one_in(r, 5); /* at times the last one stays */
    s.flush = tern_testrand_one_in(r, 7);
    s.clear = tern_testrand_one_in(r, 12);
    s.vote = tern_testrand_one_in(r, 5);
    s.example = tern_testrand_one_in(r, 11);
    return s;
}

static inline void tern_netrun_rewards(tern_testrand *r, uint32_t n_samples, int32_t *reward_f12)
{
    const int64_t reach = tern_testrand_one_in(r, 8) ? INT32_MAX : 1 << 14;
    for (uint32_t k = 0; k < n_samples; ++k) reward_f12[k] = (int32_t)tern_testrand_in(r, -reach, reach);
}
#endif /* TERN_NETSTEPS_H */
