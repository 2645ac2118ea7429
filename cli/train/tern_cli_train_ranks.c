/* tern_cli_train_ranks.c : a training on several ranks: what they agree on, and what was sent (docs/25-mpi.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * All ranks make the same calls on the same data and hold the same signals; each learns its own neurons. Rank 0 alone
 * reads and writes files of the training.
 */
#include <inttypes.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern_cli_train.h"
#include "tern_ranks.h"

enum { E_TOO_MANY = 173 };

static bool exchange(void *ud, uint8_t *all, const size_t *offset)
{
    (void)ud;
    return tern_ranks_exchange(all, offset);
}

const tern_fast_peers *tern_train_peers(void)
{
    static tern_fast_peers peers;
    peers = (tern_fast_peers){ .index = tern_ranks_index(), .count = tern_ranks_count(), .exchange = exchange };
    return peers.count > 1 ? &peers : NULL;
}

bool tern_train_first(void) { return tern_ranks_index() == 0; }

tern_status tern_train_enough_neurons(const tern_net *net, const char *name, tern_diags *diags)
{
    const uint32_t most = tern_fast_most_peers(net);
    if (tern_ranks_count() <= most) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_TOO_MANY, name, 0, NULL,
                                  "%u ranks, but the network can be divided among %u at most", tern_ranks_count(),
                                  most),
                   "mpirun -n %u or fewer: a rank needs a neuron, and a circuit is not divided", most);
    return TERN_ERR_ARGUMENT;
}

/* ---- numbers that have to be the same -------------------------------------------------------- */

tern_status tern_train_network_hash(const tern_model *model, uint64_t *out)
{
    tern_arena scratch;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    *out = TERN_DIGEST_INIT;
    if (tern_ranks_count() == 1) return TERN_OK;
    tern_arena_init(&scratch, tern_alloc_default(), 0);
    const tern_status s = tern_image_encode(model, &scratch, &bytes, &size);
    if (s == TERN_OK) *out = tern_cli_hash(*out, bytes, size);
    tern_arena_free(&scratch);
    return s;
}

tern_status tern_train_compare_ranks(uint64_t network, uint64_t data, const uint64_t *settings, size_t bytes,
                                     tern_diags *diags)
{
    const struct {
        uint64_t number;
        const char *what, *hint;
    } same[] = { { network, "networks", "the same script, image and --set on each machine" },
                 { data, "recordings", "the same --data on each machine" },
                 { tern_cli_hash(TERN_DIGEST_INIT, settings, bytes), "settings", "the same options on each machine" } };
    tern_status s = TERN_OK;
    for (size_t i = 0; i < sizeof same / sizeof same[0] && s == TERN_OK; ++i)
        s = tern_ranks_agree(tern_ranks_same(same[i].number, same[i].what, same[i].hint, diags), NULL, diags);
    return s;
}

/* ---- files ----------------------------------------------------------------------------------- */

tern_status tern_train_shared_file(tern_status s, const char *path, uint8_t **out_bytes, size_t *out_size,
                                   tern_diags *diags)
{
    const tern_alloc alloc = tern_alloc_default();
    const bool first = tern_train_first();
    uint64_t size = 0;
    *out_bytes = NULL;
    *out_size = 0;
    if (s == TERN_OK && first) s = tern_file_read(path, UINT64_C(1) << 36, alloc, out_bytes, out_size, diags);
    s = tern_ranks_agree(s, NULL, diags);
    if (s != TERN_OK) return s;
    size = *out_size;
    tern_ranks_from_first(&size, sizeof size);
    if (!first) {
        *out_size = (size_t)size;
        *out_bytes = alloc.fn(alloc.ud, NULL, *out_size + 1u);
    }
    s = tern_ranks_agree(*out_bytes == NULL ? TERN_ERR_MEMORY : TERN_OK, NULL, diags);
    if (s == TERN_OK) tern_ranks_from_first(*out_bytes, *out_size);
    return s == TERN_OK ? tern_ranks_check(diags) : s;
}

void tern_train_print_lost(const char *file, uint32_t saved, uint32_t total)
{
    if (saved == 0) fputs("nothing was saved; --checkpoint N saves after every N presentations\n", stderr);
    else
        fprintf(stderr, "%s holds the training up to presentation %u of %u; --resume continues from there\n", file,
                saved, total);
}

/* ---- what was sent --------------------------------------------------------------------------- */

/* Numbers of 32 bits that one step takes, by what they say; beside them those of the paper's table. */
typedef struct per_step {
    double losses, spikes, bytes, unicast, broadcast;
} per_step;

static bool per_step_of(const tern_runner *run, uint32_t steps, per_step *out)
{
    tern_fast_divided info;
    if (tern_ranks_count() == 1 || run->fast == NULL || steps == 0) return false;
    tern_fast_divided_of(run->fast, &info);
    const tern_net *n = &run->model->net;
    const double K = run->n_samples;
    *out = (per_step){ .losses = (double)info.sent.losses / steps,
                       .spikes = (double)info.sent.spikes / steps,
                       .bytes = (4.0 * (double)(info.sent.losses + info.sent.spikes) + 8.0 * (double)info.sent.counts) /
                                steps,
                       .unicast = K * n->n_visible,
                       .broadcast = K * n->n_neurons };
    return true;
}

void tern_train_print_ranks(const tern_runner *run, uint32_t steps)
{
    per_step p;
    if (!per_step_of(run, steps, &p)) return;
    printf("ranks        %u; sent in a step, all receivers: %.6g losses and %.6g words of spikes, %.6g bytes "
           "(the paper's table: unicast %.6g, broadcast %.6g, and no spikes)\n",
           tern_ranks_count(), p.losses, p.spikes, p.bytes, p.unicast, p.broadcast);
}

json_t *tern_train_ranks_json(const tern_runner *run, uint32_t steps)
{
    per_step p;
    if (!per_step_of(run, steps, &p)) return json_null();
    return tern_json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "ranks", (json_int_t)tern_ranks_count(), "losses",
                          tern_json_real(p.losses), "spike_words", tern_json_real(p.spikes), "bytes",
                          tern_json_real(p.bytes), "paper_unicast", tern_json_real(p.unicast), "paper_broadcast",
                          tern_json_real(p.broadcast));
}
