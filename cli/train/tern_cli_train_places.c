/* tern_cli_train_places.c : where the values of a training were limited: populations, and projections for weights
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include "tern_cli_train.h"
#include "tern_engines.h"

enum { WORDS = 1024 };

tern_status tern_train_places_init(const tern_model *m, tern_runner_engine *engine, tern_arena *arena,
                                   tern_fast_places *out)
{
    if (engine->kind != tern_engine_default() || engine->peers != NULL) return TERN_OK;
    uint8_t *begins = tern_arena_get(arena, m->net.n_neurons, 1);
    *out = (tern_fast_places){ .begins = begins,
                               .neurons = tern_arena_get(arena, m->net.n_neurons, sizeof *out->neurons),
                               .rows = tern_arena_get(arena, m->net.n_rows, sizeof *out->rows) };
    if (begins == NULL || out->neurons == NULL || out->rows == NULL) return TERN_ERR_MEMORY;
    for (uint32_t p = 0; p < m->n_populations; ++p)
        if (m->populations[p].kind != TERN_POP_INPUT) begins[m->populations[p].neuron0] = 1;
    engine->places = out;
    return TERN_OK;
}

/* ---- populations ---- */

static void add(json_t *list, const char *kind, const char *place, uint64_t count)
{
    if (count != 0)
        tern_json_add(list,
                      tern_json_pack("{s:s, s:s, s:I}", "kind", kind, "place", place, "count", (json_int_t)count));
}

static void add_population(json_t *list, const tern_population *p, const tern_fast_places *places)
{
    tern_sat_counts sum = { 0 };
    for (uint32_t u = 0; u < p->size; ++u) {
        const tern_sat_counts *c = &places->neurons[p->neuron0 + u];
        sum.local += c->local;
        sum.potential += c->potential;
        sum.coefficient += c->coefficient;
        sum.modulator += c->modulator;
    }
    add(list, "local", p->name, sum.local);
    add(list, "potential", p->name, sum.potential);
    add(list, "coefficient", p->name, sum.coefficient);
    add(list, "modulator", p->name, sum.modulator);
}

/* ---- projections ---- */

/* Populations that a row reads, a bit each: neighbours in a pool may share one. */
static uint64_t sources(const tern_model *m, const tern_row *row)
{
    uint64_t set = 0;
    for (uint32_t p = 0; p < m->n_populations; ++p) {
        const tern_population *q = &m->populations[p];
        if ((q->kind == TERN_POP_INPUT) != (row->kind == TERN_ROW_SHARED)) continue;
        const uint32_t from = q->pos > row->first ? q->pos : row->first,
                       end = q->pos + q->size < row->first + row->count ? q->pos + q->size : row->first + row->count;
        for (uint32_t at = from; at < end; ++at)
            if (m->net.weights0[row->weight + at - row->first] != TERN_WEIGHT_ABSENT) {
                set |= (uint64_t)1 << p;
                break;
            }
    }
    return set;
}

/* "pixels -> hid", or with several sources "on + off -> hid". */
static void name_of(const tern_model *m, uint64_t set, const tern_population *to, char out[WORDS])
{
    size_t n = 0;
    out[0] = 0;
    for (uint32_t p = 0; p < m->n_populations && n < WORDS; ++p)
        if ((set >> p & 1u) != 0)
            n += (size_t)snprintf(out + n, WORDS - n, "%s%s", n == 0 ? "" : " + ", m->populations[p].name);
    if (n < WORDS) snprintf(out + n, WORDS - n, " -> %s", to->name);
}

/* Weights onto one population, by the sources of their rows. */
static void add_projections(json_t *list, const tern_model *m, const tern_population *to,
                            const tern_fast_places *places)
{
    struct {
        uint64_t sources, count;
    } found[TERN_MAX_POPULATIONS];
    size_t n = 0;
    for (uint32_t u = 0; u < to->size; ++u) {
        const tern_neuron *neuron = &m->net.neurons[to->neuron0 + u];
        for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r) {
            if (places->rows[r] == 0) continue;
            const uint64_t set = sources(m, &m->net.rows[r]);
            size_t i = 0;
            while (i < n && found[i].sources != set) ++i;
            if (i == TERN_MAX_POPULATIONS) { /* more shapes of rows than names help: the last one takes them all */
                found[--i].sources |= set;
            } else if (i == n) {
                found[n].sources = set;
                found[n++].count = 0;
            }
            found[i].count += places->rows[r];
        }
    }
    for (size_t i = 0; i < n; ++i) {
        char name[WORDS];
        name_of(m, found[i].sources, to, name);
        add(list, "weight", name, found[i].count);
    }
}

json_t *tern_train_places_json(const tern_model *m, const tern_fast_places *places)
{
    if (places->neurons == NULL) return json_null();
    json_t *list = tern_json_list();
    for (uint32_t p = 0; p < m->n_populations; ++p) {
        if (m->populations[p].kind == TERN_POP_INPUT) continue;
        add_projections(list, m, &m->populations[p], places);
        add_population(list, &m->populations[p], places);
    }
    return list;
}
