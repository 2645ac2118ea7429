/* tern_weights_saved.c : what a device saved (tern/save.h) into a network, and a network's state as such a stream
 * SPDX-License-Identifier: Apache-2.0
 *
 * The stream is the device's: docs/49-firmware.md. Everything in it is checked by tern_restore(); this file adds the
 * names of what is wrong, and the image's own rules (tern_weights_import.c).
 */
#include "tern_weights_import.h"
#include <string.h>
#include "tern/file.h"
#include "tern/save.h"

/* A state with memory of the arena; NULL: none left. */
static tern_state *new_state(const tern_net *net, uint32_t n_samples, uint64_t seed, tern_arena *arena)
{
    const size_t bytes = tern_state_bytes(net, n_samples);
    tern_state *st = tern_arena_get(arena, 1, sizeof *st);
    void *memory = bytes == 0 ? NULL : tern_arena_get(arena, bytes, 1);
    if (st == NULL || memory == NULL) return NULL;
    return tern_state_init(st, net, memory, bytes, n_samples, seed) == TERN_OK ? st : NULL;
}

/* ---- out ---- */

typedef struct sink {
    uint8_t *bytes;
    size_t used, room;
} sink;

static tern_status put(void *context, const uint8_t *bytes, size_t n)
{
    sink *to = context;
    if (n > to->room - to->used) return TERN_ERR_LIMIT;
    memcpy(to->bytes + to->used, bytes, n);
    to->used += n;
    return TERN_OK;
}

tern_status tern_saved_export(const tern_model *model, const char *path, bool learnt, tern_arena *arena,
                              tern_diags *diags)
{
    const tern_save_kind kind = learnt ? TERN_SAVE_LEARNT : TERN_SAVE_EVERYTHING;
    const tern_state *st = model->state;
    /* of a network that is not trained: the state that its training begins with */
    if (st == NULL) st = new_state(&model->net, model->rule.samples, model->seed, arena);
    if (st == NULL) return TERN_ERR_MEMORY;
    sink to = { .room = tern_save_bytes(st, kind) };
    to.bytes = tern_arena_get(arena, to.room, 1);
    if (to.room == 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN__W_LARGE, path, 0, NULL,
                                      "the stream of this state would have more than 2^32 bytes"),
                       "fewer samples, or --learnt");
        return TERN_ERR_LIMIT;
    }
    if (to.bytes == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern_save(st, kind, model->presentations_done, put, &to);
    return s == TERN_OK ? tern_file_write(path, to.bytes, to.used, diags) : s;
}

/* ---- in ---- */

bool tern__saved_is(const uint8_t *bytes, size_t n) { return n >= 8 && memcmp(bytes, "TERNSAVE", 8) == 0; }

static tern_status refused(const tern__importer *m, tern_status s, const char *what)
{
    const bool other = s == TERN_ERR_ARGUMENT;
    tern_diag *d =
        tern__w_error(m, other ? TERN__W_NETWORK : TERN__W_READ, NULL, "the saved state is refused: %s", what);
    tern_diag_hint(d, "%s",
                   other                   ? "give the script or image that the device's program was compiled from, "
                                             "with the same --set"
                   : s == TERN_ERR_VERSION ? "use the version of tern whose core wrote it"
                   : s == TERN_ERR_FORMAT  ? "no engine writes this: was it changed by hand?"
                                           : "read it from the device again");
    return other ? TERN_ERR_NETWORK : s;
}

tern_status tern__saved_read(tern__importer *m, const uint8_t *bytes, size_t n, bool weights_only)
{
    tern_save_info info;
    const char *what = "";
    const tern_net *net = &m->model->net;
    tern_status s = tern_save_look(bytes, n, &info, &what);
    if (s == TERN_OK && (info.n_samples < 1 || info.n_samples > TERN_MAX_SAMPLES))
        s = TERN_ERR_FORMAT, what = "n_samples is 1..32";
    if (s != TERN_OK) return refused(m, s, what);
    tern_state *st = new_state(net, info.n_samples, info.seed, m->arena);
    if (st == NULL) return TERN_ERR_MEMORY;
    s = tern_restore(st, bytes, n, &info, &what);
    if (s != TERN_OK) return refused(m, s, what);
    m->weights = st->weights;
    m->bias = st->bias_f12;
    m->self = st->self_f12;
    if (weights_only) return TERN_OK;
    m->state = st;
    m->presentations = info.presentations;
    return TERN_OK;
}
