/* engine_digest.c : digest over the records of the golden model on random networks, to compare builds of it
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include "tern_listener.h"
#include "tern_testnet.h"

int main(void)
{
    tern_listener sink = TERN_LISTENER;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        tern_arena arena;
        tern_model m;
        tern_state st;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        if (tern_testnet_make(seed, &arena, &m) != TERN_OK || tern_net_check(&m.net, NULL) != TERN_OK) return 1;
        const size_t bytes = tern_state_bytes(&m.net, m.net.n_samples);
        void *mem = tern_arena_get(&arena, bytes, 1);
        uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32, 4),
                 *target = tern_arena_get(&arena, m.net.n_neurons_pos / 32, 4);
        if (mem == NULL || in == NULL || target == NULL ||
            tern_state_init(&st, &m.net, mem, bytes, m.net.n_samples, seed) != TERN_OK)
            return 1;
        st.sink = &sink.base;
        for (uint32_t t = 0; t < 15; ++t) {
            tern_testnet_frame(seed, t, &m, in, target);
            tern_step(&st, in, target,
                      t % 5 == 4   ? TERN_STEP_CLAMP
                      : t % 7 == 6 ? 0
                                   : TERN_STEP_LEARN | TERN_STEP_CLAMP);
            if (t % 6 == 5) tern_flush(&st);
            if (t == 10) tern_state_clear(&st);
        }
        tern_arena_free(&arena);
    }
    printf("%" PRIu64 " records, digest %016" PRIx64 "\n", sink.n, sink.digest);
    return sink.n < 10000;
}
