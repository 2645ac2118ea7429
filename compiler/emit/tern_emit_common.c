/* tern_emit_common.c : see tern_emit_common.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_emit_common.h"
#include "tern_errors.h"
#include <ctype.h>
#include <stdio.h>

#ifndef TERN_VERSION
#error "the build passes TERN_VERSION"
#endif

const char *const tern__emit_version = TERN_VERSION;
const char *const tern__emit_pop_kinds[3] = { "input", "hidden", "visible" };
const char *const tern__emit_filter_kinds[4] = { "cosine", "exponential", "alpha", "user" };
const char *const tern__emit_polarities[4] = { "merge", "on", "off", "separate" };
const char *const tern__emit_rule_kinds[4] = { "GEM", "MB", "IW", "REWARD" };
const char *const tern__emit_baselines[3] = { "none", "neuron", "synapse" };

bool tern__emit_circuits(const tern_model *model)
{
    for (uint32_t i = 0; i < model->n_populations; ++i)
        if (model->populations[i].wta != 0) return true;
    return false;
}

bool tern__emit_set_used(const tern_net *net, unsigned set)
{
    const uint32_t first = tern_net_signal_first(net);
    return set == 0 ? first > 0 : first < net->n_neurons;
}

tern__emit_comm tern__emit_communication(const tern_net *net)
{
    const uint64_t k = net->n_samples, visible = net->n_visible, hidden = net->n_neurons - net->n_visible;
    tern__emit_comm c = { .unicast_formula = "K |X|" };
    /* the last member tells for its circuit */
    for (uint32_t i = 0; i < net->n_visible; ++i)
        c.tellers += net->neurons[i].wta_index + 1u >= net->neurons[i].wta_size;
    c.unicast = k * c.tellers;
    switch ((tern_rule_kind)net->rule) {
    case TERN_RULE_GEM:
        c.broadcast = k * (visible + hidden);
        c.broadcast_formula = "K (|X| + |H|)";
        break;
    case TERN_RULE_MB:
        c.broadcast = k * hidden;
        c.broadcast_formula = "K |H|";
        break;
    case TERN_RULE_IW:
        c.broadcast = k * visible + hidden;
        c.broadcast_formula = "K |X| + |H|";
        break;
    case TERN_RULE_REWARD: /* the reward is made of spikes, by whoever knows what they are worth */
        c.unicast = 0;
        c.unicast_formula = "0";
        c.broadcast = k * (visible + hidden);
        c.broadcast_formula = "K (|X| + |H|)";
        break;
    }
    return c;
}

tern_status tern__emit_begin(tern_file_writer *w, const tern_model *model, const char *dir, const char *extension,
                             tern_diags *diags)
{
    char path[1024];
    const int n = snprintf(path, sizeof path, "%s/%s%s", dir, model->name, extension);
    if (n < 0 || (size_t)n >= sizeof path) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER_NAME, dir, 0, NULL, "the folder's name is too long");
        return TERN_ERR_ARGUMENT;
    }
    return tern_file_begin(w, path, diags);
}

void tern__emit_header(FILE *f, const char *prefix, const tern_model *model, const char *layout_hash)
{
    fprintf(f, "%sGENERATED FILE - do not edit.\n", prefix);
    fprintf(f, "%s  Source:     network '%s', script sha256 %.12s\n", prefix, model->name,
            model->source_sha256[0] ? model->source_sha256 : "unknown");
    fprintf(f, "%s  Generator:  tern " TERN_VERSION ", layout %.16s\n", prefix, layout_hash);
    if (model->state != NULL)
        fprintf(f, "%s  Weights:    trained, %u presentations\n%s  Refresh:    tern compile %s.tern -o DIR\n", prefix,
                model->presentations_done, prefix, model->name);
    else fprintf(f, "%s  Refresh:    tern compile NET.lua -o DIR\n", prefix);
}

void tern__emit_prefix(const tern_model *model, char name[TERN__EMIT_PREFIX_BYTES], char upper[TERN__EMIT_PREFIX_BYTES])
{
    static const char own[] = "tern";
    size_t same = 0;
    while (same < 4 && tolower((unsigned char)model->name[same]) == own[same]) ++same;
    snprintf(name, TERN__EMIT_PREFIX_BYTES, "%s%s", same == 4 ? "net_" : "", model->name);
    size_t i = 0;
    for (; name[i] != 0; ++i) upper[i] = (char)toupper((unsigned char)name[i]);
    upper[i] = 0;
}

tern_net tern__emit_net(const tern_model *model)
{
    tern_net net = model->net;
    if (model->state != NULL) {
        net.weights0 = model->state->weights;
        net.bias0_f12 = model->state->bias_f12;
        net.self0_f12 = model->state->self_f12;
        net.ek0 = model->state->ek;
    }
    return net;
}

const tern_population *tern__emit_population_at(const tern_model *model, bool input_pool, uint32_t pos)
{
    for (uint32_t i = 0; i < model->n_populations; ++i) {
        const tern_population *p = &model->populations[i];
        if ((p->kind == TERN_POP_INPUT) == input_pool && pos >= p->pos && pos - p->pos < p->size) return p;
    }
    return NULL;
}

const tern_population *tern__emit_population_of(const tern_model *model, uint32_t neuron)
{
    return tern__emit_population_at(model, false, model->net.neurons[neuron].pos);
}
