/* tern_cli_eval_spikes.c : eval --spikes: every spike of the free runs, one row each
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows are in the order of recording, sample, step, neuron, whatever --batch and --threads are: a recording's spikes
 * are kept as bits until all of its samples are made.
 */
#include <inttypes.h>
#include "tern_cli_eval.h"

enum { ROW_BYTES = 14 };

tern_status tern_eval_spikes_begin(tern_eval *j)
{
    const tern_cli_name written = { "--spikes", j->o.spikes, false };
    tern_spikes_out *o = &j->spikes;
    o->npz = tern_store_form_of(j->o.spikes) == TERN_STORE_NPZ;
    /* of an archive: lengths of name and extra field, and the name, as our writer makes them */
    static const tern_cli_kind text = { .what = "a table of spikes",
                                        .begin = "recording,sample,step,neuron\n",
                                        .n = 29 },
                               archive = { .what = "an archive of spikes",
                                           .begin = "\x0a\0\x14\0spikes.npy",
                                           .n = 14,
                                           .skip = 26 };
    tern_status s = tern_cli_not_a_recording(&written, 1, &j->frames.set, &j->diags);
    if (s == TERN_OK) s = tern_cli_replaceable(j->o.spikes, "--spikes", o->npz ? &archive : &text, &j->diags);
    if (s != TERN_OK) return s;
    for (uint32_t i = 0; i < j->model.n_populations; ++i) { /* in the order of their neurons */
        const tern_population *p = &j->model.populations[i];
        uint32_t at = o->n_populations;
        if (p->kind == TERN_POP_INPUT) continue;
        for (; at > 0 && o->populations[at - 1]->neuron0 > p->neuron0; --at)
            o->populations[at] = o->populations[at - 1];
        o->populations[at] = p;
        ++o->n_populations;
    }
    tern_file_sweep(j->o.spikes);
    s = tern_file_begin(&o->file, j->o.spikes, &j->diags);
    if (s != TERN_OK) return s;
    o->open = true;
    if (!o->npz) fputs("recording,sample,step,neuron\n", o->file.f);
    else {
        tern__npz_begin(&o->z, &o->file);
        tern__npz_array(&o->z, "spikes");
    }
    return TERN_OK;
}

/* Room for the bits of one recording: [samples][steps][words]. */
tern_status tern_eval_spikes_room(const tern_eval *j, tern_measure *m, const tern_frames *f, tern_arena *arena)
{
    if (!j->spikes.open) return TERN_OK;
    m->spikes = tern_arena_get(arena, (size_t)m->o.n_samples * f->n_steps * f->words_neuron, sizeof *m->spikes);
    return m->spikes == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

static uint8_t *little(uint8_t *p, uint32_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i) *p++ = (uint8_t)(v >> (8 * i));
    return p;
}

static void row(tern_spikes_out *o, uint32_t recording, uint32_t sample, uint32_t step, uint32_t neuron)
{
    uint8_t bytes[ROW_BYTES];
    ++o->n;
    if (!o->npz) {
        fprintf(o->file.f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", recording, sample, step, neuron);
        return;
    }
    (void)little(little(little(little(bytes, recording, 4), sample, 2), step, 4), neuron, 4);
    tern__npz_items(&o->z, bytes, sizeof bytes);
}

/* Spikes of a population, whose words are its own. */
static void add_population(tern_spikes_out *o, const tern_population *p, const uint32_t *bits, uint32_t recording,
                           uint32_t sample, uint32_t step)
{
    for (uint32_t w = 0; w < (p->size + 31) / 32; ++w)
        for (uint32_t rest = bits[p->pos / 32 + w]; rest != 0; rest &= rest - 1)
            row(o, recording, sample, step, p->neuron0 + w * 32 + (uint32_t)__builtin_ctz(rest));
}

void tern_eval_spikes_add(tern_eval *j, uint32_t recording, const tern_measure *m, const tern_frames *f,
                          uint32_t n_samples)
{
    tern_spikes_out *o = &j->spikes;
    for (uint32_t k = 0; o->open && k < n_samples; ++k)
        for (uint32_t t = 0; t < f->n_steps; ++t)
            for (uint32_t i = 0; i < o->n_populations; ++i)
                add_population(o, o->populations[i], m->spikes + ((size_t)k * f->n_steps + t) * f->words_neuron,
                               recording, k, t);
}

tern_status tern_eval_spikes_end(tern_eval *j, tern_status s)
{
    static const char descr[] = "[('recording', '<u4'), ('sample', '<u2'), ('step', '<u4'), ('neuron', '<u4')]";
    tern_spikes_out *o = &j->spikes;
    if (!o->open) return s;
    o->open = false;
    if (s != TERN_OK || tern_interrupted()) {
        tern_file_abort(&o->file);
        return s;
    }
    if (o->npz) {
        tern__npz_shape(&o->z, descr, 1, &o->n);
        (void)tern__npz_end(&o->z); /* what could not be written is seen by the commit */
    }
    return tern_file_commit(&o->file, &j->diags);
}
