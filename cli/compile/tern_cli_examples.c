/* tern_cli_examples.c : see tern_cli_examples.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_examples.h"
#include "tern_errors.h"
#include "tern/metrics.h"
#include "tern_cli.h"
#include "tern_emit.h"
#include "tern_frames_store.h"

enum { MOST_WORDS = 16u << 20 }; /* 64 MiB of frames */

typedef struct source {
    tern_frames_store store;
    uint64_t seed, words; /* words written so far */
    uint32_t epoch, *order;
} source;

/* Presentation i of a training: as tern_cli_train.c takes them. */
static tern_status get(void *context, uint32_t i, tern_frames *out, tern_diags *diags)
{
    source *s = context;
    const uint32_t n = (uint32_t)s->store.set.n;
    if (i / n != s->epoch) tern_order_epoch(s->seed, s->epoch = i / n, n, s->order);
    const tern_status status = tern_frames_store_present(&s->store, s->order[i % n], s->seed, i, out, diags);
    if (status != TERN_OK) return status;
    s->words += (uint64_t)out->n_steps * (out->words_in + out->words_neuron);
    if (s->words <= MOST_WORDS) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_EXAMPLE, s->store.set.paths[s->order[i % n]], 0,
                                  "--example-count", "example %u: the frames so far take more than 64 MiB", i + 1),
                   "write fewer examples, or give the firmware its frames in another way");
    return TERN_ERR_LIMIT;
}

tern_status tern_cli_emit_examples(const tern_model *model, const char *path, uint32_t n, const char *dir,
                                   tern_diags *diags)
{
    source s = { .seed = model->state != NULL ? model->state->seed : model->seed, .epoch = UINT32_MAX };
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status status = tern_frames_store_open(&s.store, model, path, true, diags);
    s.store.warn = tern_cli_print_line;
    if (status == TERN_OK && (s.order = tern_arena_get(&arena, s.store.set.n, sizeof *s.order)) == NULL)
        status = TERN_ERR_MEMORY;
    if (status == TERN_OK) status = tern_emit_examples(model, &(tern_emit_frames){ get, &s }, n, dir, &arena, diags);
    tern_frames_store_close(&s.store);
    tern_arena_free(&arena);
    return status;
}
