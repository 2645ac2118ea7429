/* core.c : the C files of `tern compile tiny.lua` with the freestanding core alone: learns, votes, prints what came out
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include "tern/version.h"
#include "tern/vote.h"
#include "tiny.h"

int main(void)
{
    static uint64_t memory[64];
    tern_vote vote;
    if (tern_version_number() != TERN_VERSION_NUMBER) return 2;
    if (tiny_init(3) != TERN_OK) return 3;
    const size_t bytes = tern_vote_bytes(tiny_out_size, TINY_SAMPLES);
    if (bytes > sizeof memory) return 4;
    const tern_status status = tern_vote_init(&vote, tiny_out_size, TINY_SAMPLES, TERN_DECODE_RATE, memory, bytes);
    if (status != TERN_OK) return printf("%s\n", tern_status_text(status)), 5;
    tern_vote_begin(&vote);
    for (uint32_t t = 0; t < 400; ++t) {
        const uint32_t inputs[TINY_INPUT_WORDS] = { (t * 2654435761u >> 27) & 15u };
        const uint32_t targets[TINY_NEURON_WORDS] = { t % 3 == 0 };
        tiny_step(inputs, targets, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        tern_vote_step(&vote, tiny_state.spikes, TINY_NEURON_WORDS, tiny_out_pos);
    }
    tiny_flush();
    tern_vote_close(&vote);
    uint64_t digest = TERN_DIGEST_INIT;
    for (uint32_t i = 0; i < tiny_net.n_weights; ++i) {
        tern_record record = { 0 };
        record.index = i;
        record.a = tiny_state.weights[i];
        digest = tern_digest_add(digest, &record);
    }
    printf("core %s: weights %016llx, %u spikes\n", tern_version_text(), (unsigned long long)digest,
           (unsigned)vote.spikes[0]);
    return 0;
}
