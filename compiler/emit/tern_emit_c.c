/* tern_emit_c.c : NAME.h and NAME.c, the network as constant arrays for the freestanding runtime
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_emit.h"
#include "tern_emit_common.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tern/image.h"
#include "tern/schedule.h"

typedef struct writer {
    FILE *f;
    const tern_model *m;
    tern_net net;
    /* prefix of functions and of macros */
    char name[TERN__EMIT_PREFIX_BYTES], upper[TERN__EMIT_PREFIX_BYTES];
    char hash[65];
} writer;

/* ---- NAME.h ------------------------------------------------------------------------------------------------------ */
static void write_header_file(const writer *w)
{
    FILE *f = w->f;
    const tern_net *n = &w->net;
    const char *u = w->upper, *l = w->name;
    fprintf(f, "/* %s.h : the network '%s' for the C runtime\n *\n", w->m->name, w->m->name);
    tern__emit_header(f, " * ", w->m, w->hash);
    fprintf(f,
            " *\n * Freestanding: needs libtern_core only. Everything is static, there is no heap:\n"
            " *     %s_init(seed);\n"
            " *     for each step: %s_step(inputs, targets, %s);\n",
            l, l, n->rule == TERN_RULE_REWARD ? "TERN_STEP_LEARN" : "TERN_STEP_LEARN | TERN_STEP_CLAMP");
    if (n->rule == TERN_RULE_REWARD) fprintf(f, " *                    %s_reward(reward);\n", l);
    fprintf(f,
            " *     %s_flush(); %s_clear();      between examples\n"
            " * Spikes, losses and weights are in %s_state (tern/engine.h).\n */\n",
            l, l, l);
    fprintf(f,
            "#ifndef %s_H\n#define %s_H\n#include \"tern/engine.h\"\n#include \"tern/schedule.h\"\n#ifdef "
            "__cplusplus\nextern \"C\" {\n#endif\n\n",
            u, u);
    fprintf(f, "#define %s_LAYOUT_HASH \\\n    \"%s\"\n", u, w->hash);
    fprintf(f, "#define %s_INPUT_WORDS  %uu /* 32 inputs each */\n", u, n->n_inputs_pos / 32);
    fprintf(f, "#define %s_NEURON_WORDS %uu /* 32 neurons each */\n", u, n->n_neurons_pos / 32);
    fprintf(f, "#define %s_SAMPLES      %uu /* K */\n", u, n->n_samples);
    fprintf(f, "#define %s_STATE_BYTES  %zuu\n", u, tern_state_bytes(n, n->n_samples));
    fprintf(f, "#define %s_FIRST_STEP   %uu /* steps done in training so far */\n", u,
            w->m->state != NULL ? w->m->state->step : 0u);
    fprintf(f, "#define %s_PRESENTATIONS %uu /* examples learnt so far */\n", u,
            w->m->state != NULL ? w->m->presentations_done : 0u);
    fprintf(f, "#define %s_TRAIN_SEED   %" PRIu64 "u /* of the script, or of the training */\n", u,
            w->m->state != NULL ? w->m->state->seed : w->m->seed);
    fprintf(f, "#define %s_CLEAR        %uu /* 1: clear between examples, as the script's data section says */\n\n", u,
            w->m->data.clear ? 1u : 0u);
    fprintf(
        f,
        "/* Populations: unit i is bit (pos + i) %% 32 of word (pos + i) / 32, and neuron neuron0 + i. */\nenum {\n");
    for (uint32_t i = 0; i < w->m->n_populations; ++i) {
        const tern_population *p = &w->m->populations[i];
        fprintf(f, "    %s_%s_pos = %u, /* %s */\n    %s_%s_size = %u", l, p->name, p->pos,
                tern__emit_pop_kinds[p->kind], l, p->name, p->size);
        if (p->kind != TERN_POP_INPUT) fprintf(f, ",\n    %s_%s_neuron0 = %u", l, p->name, p->neuron0);
        fprintf(f, "%s\n", i + 1 < w->m->n_populations ? "," : "");
    }
    fprintf(
        f,
        "};\n\nextern const tern_net %s_net;\nextern const tern_schedule %s_schedule;\nextern tern_state %s_state;\n\n",
        l, l, l);
    fprintf(f, "/* Initial weights, everything else cleared. TERN_OK unless the runtime is of another version than "
               "this file. */\n");
    fprintf(f, "tern_status %s_init(uint64_t seed);\n", l);
    fprintf(f, "/* inputs[%u], targets[%u] words; targets may be NULL without TERN_STEP_CLAMP. */\n",
            n->n_inputs_pos / 32, n->n_neurons_pos / 32);
    fprintf(f, "void %s_step(const uint32_t *inputs, const uint32_t *targets, unsigned flags);\n", l);
    if (n->rule == TERN_RULE_REWARD)
        fprintf(f,
                "/* Reward of the step just made, s20.12, for each sample; before the next step (tern_reward). "
                "*/\nvoid %s_reward(const int32_t reward_f12[%u]);\n",
                l, n->n_samples);
    fprintf(
        f,
        "/* Applies a pending update: after the last step of an example that was learned. */\nvoid %s_flush(void);\n",
        l);
    fprintf(f, "/* Clears histories and averages, keeps the weights. */\nvoid %s_clear(void);\n", l);
    fprintf(
        f,
        "/* Learning rate of the script's schedule for the example after `presentations` others (tern/schedule.h). */\n"
        "tern_status %s_rate(uint32_t presentations);\n\n",
        l);
    fprintf(f, "#ifdef __cplusplus\n}\n#endif\n#endif /* %s_H */\n", u);
}

/* ---- NAME.c ------------------------------------------------------------------------------------------------------ */
static void begin_array(const writer *w, const char *type, const char *name, size_t n, const char *comment)
{
    /* C has no empty arrays */
    fprintf(w->f, "\n/* %s */\nstatic const %s %s[%zu] = {\n", comment, type, name, n > 0 ? n : 1);
}

static void end_array(const writer *w, size_t n) { fputs(n > 0 ? "};\n" : "    0\n};\n", w->f); }

/* Numbers of an array, as many on a line as fit. is_signed: int16_t, else uint16_t. */
static void write_numbers(const writer *w, const void *values, size_t n, bool is_signed)
{
    const int16_t *s = values;
    const uint16_t *u = values;
    unsigned column = 0;
    for (size_t i = 0; i < n; ++i) {
        if (column == 0) fputs("   ", w->f);
        const int put = is_signed ? fprintf(w->f, " %d,", s[i]) : fprintf(w->f, " %u,", u[i]);
        column += put > 0 ? (unsigned)put : 0;
        if (column > 88 || i + 1 == n) {
            fputc('\n', w->f);
            column = 0;
        }
    }
}

static void write_u16(const writer *w, const char *name, const uint16_t *values, size_t n, const char *comment)
{
    begin_array(w, "uint16_t", name, n, comment);
    write_numbers(w, values, n, false);
    end_array(w, n);
}

static void write_s16(const writer *w, const char *name, const int16_t *values, size_t n, const char *comment)
{
    begin_array(w, "int16_t", name, n, comment);
    write_numbers(w, values, n, true);
    end_array(w, n);
}

/* Baselines of a trained network continue from where they were. */
static size_t trained_baselines(const writer *w) { return w->m->state == NULL ? 0 : tern_net_baselines(&w->net); }

static void write_baselines(const writer *w)
{
    const size_t n = trained_baselines(w);
    const tern_state *st = w->m->state;
    if (n == 0) return;
    begin_array(w, "int32_t", "base0_f12", n, "s20.12, baselines");
    for (size_t i = 0; i < n; ++i)
        fprintf(w->f, "%s%d,%s", i % 8 == 0 ? "    " : " ", (int)st->base_f12[i], i % 8 == 7 || i + 1 == n ? "\n" : "");
    fputs("};\n", w->f);
    begin_array(w, "uint32_t", "base_weight0", n, "their weights D");
    for (size_t i = 0; i < n; ++i)
        fprintf(w->f, "%s%uu,%s", i % 8 == 0 ? "    " : " ", (unsigned)st->base_weight[i],
                i % 8 == 7 || i + 1 == n ? "\n" : "");
    fputs("};\n", w->f);
}

static void write_structure(const writer *w)
{
    const tern_net *n = &w->net;
    FILE *f = w->f;
    begin_array(w, "tern_neuron", "neurons", n->n_neurons, "pos, row0, n_rows, self_filter, wta_size, wta_index");
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        const tern_population *p = tern__emit_population_of(w->m, i);
        if (p != NULL && p->neuron0 == i) fprintf(f, "    /* %s */\n", p->name);
        fprintf(f, "    { %u, %u, %u, %u, %u, %u },\n", u->pos, u->row0, u->n_rows, u->self_filter, u->wta_size,
                u->wta_index);
    }
    end_array(w, n->n_neurons);
    begin_array(w, "tern_row", "rows", n->n_rows, "weight, first, count, dither, filter, kind");
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        if (u->n_rows > 0) fprintf(f, "    /* neuron %u */\n", i);
        for (uint32_t r = u->row0; r < u->row0 + u->n_rows; ++r) {
            const tern_row *row = &n->rows[r];
            fprintf(f, "    { %u, %u, %u, %u, %u, %s },\n", row->weight, row->first, row->count, row->dither,
                    row->filter, row->kind == TERN_ROW_SHARED ? "TERN_ROW_SHARED" : "TERN_ROW_SAMPLE");
        }
    }
    if (n->n_rows == 0) fputs("    { 0, 0, 0, 0, 0, 0 }\n", f);
    fputs("};\n", f);
    begin_array(w, "int16_t", "weights0", n->n_weights, "by rows; -32768: no synapse");
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        fprintf(f, "    /* row %u */\n", r);
        write_numbers(w, n->weights0 + n->rows[r].weight, n->rows[r].count, true);
    }
    end_array(w, n->n_weights);
}

/* Every rate of the schedule until it is 0 in integers, N-12; computed as the command does (tern_rule_eta_at). */
static void write_schedule(const writer *w)
{
    const tern_rule *rule = &w->m->rule;
    const bool constant = rule->eta_every == 0 || rule->eta_divide == 1.0;
    uint16_t ek[TERN_MAX_HISTORY];
    uint32_t rows = 0;
    bool complete = false;
    fprintf(
        w->f,
        "\n/* learning coefficients, one row for each rate of the schedule */\nstatic const uint16_t rates[] = {\n");
    while (!complete && rows < TERN_SCHEDULE_MAX_RATES) {
        const uint64_t at = (uint64_t)rows * (constant ? 0 : rule->eta_every);
        if (at > UINT32_MAX) break; /* nobody counts so far */
        if (rows == 0) memcpy(ek, w->m->net.ek0, w->net.lags_w * sizeof *ek);
        else if (tern_ek_from_eta(&w->m->net, tern_rule_eta_at(rule, (uint32_t)at), rule->kappa, ek) != TERN_OK) break;
        complete = constant;
        bool silent = true;
        fputs("   ", w->f);
        for (unsigned d = 0; d < w->net.lags_w; ++d) {
            fprintf(w->f, " %u,%s", ek[d], d % 16 == 15 && d + 1u < w->net.lags_w ? "\n   " : "");
            silent = silent && ek[d] == 0;
        }
        fputc('\n', w->f);
        complete = complete || silent;
        ++rows;
    }
    fprintf(w->f,
            "};\nconst tern_schedule %s_schedule = { .every = %uu, .n_rates = %uu, .lags_w = %u, .complete = %u, .ek = "
            "rates };\n",
            w->name, constant ? 0u : rule->eta_every, rows, w->net.lags_w, complete ? 1u : 0u);
}

static void write_net(const writer *w)
{
    const tern_net *n = &w->net;
    FILE *f = w->f;
    fprintf(f, "\nconst tern_net %s_net = {\n", w->name);
#define NUMBER(field, comment) fprintf(f, "    .%s = %u,%s\n", #field, (unsigned)n->field, comment)
    NUMBER(n_inputs_pos, "");
    NUMBER(n_neurons_pos, "");
    NUMBER(n_neurons, "");
    NUMBER(n_visible, "");
    NUMBER(n_rows, "");
    NUMBER(n_weights, "");
    NUMBER(n_filters, "");
    NUMBER(taps_d, " /* D */");
    NUMBER(lags_w, " /* W */");
    NUMBER(trace_frac, " /* XF */");
    NUMBER(weight_bits, " /* WB */");
    NUMBER(weight_frac, " /* WF */");
    static const char *const rules[] = { "TERN_RULE_GEM", "TERN_RULE_MB", "TERN_RULE_IW", "TERN_RULE_REWARD" };
    static const char *const baselines[] = { "TERN_BASELINE_NONE", "TERN_BASELINE_NEURON", "TERN_BASELINE_SYNAPSE" };
    fprintf(f, "    .rule = %s,\n    .baseline = %s,\n", rules[n->rule], baselines[n->baseline]);
    NUMBER(baseline_shift, " /* bs */");
    NUMBER(m_shift, " /* 12 - MF */");
    fputs("    .learn = { /* modulators that are weights of samples, modulators made from w */\n", f);
    for (unsigned set = 0; set < 2; ++set) {
        const tern_learn *a = &n->learn[set];
        fprintf(
            f,
            "        { .c_shift = %u, .c_frac = %u /* FC */, .dither_bits = %u /* R */, .local_bits = %u /* RL */ },\n",
            a->c_shift, a->c_frac, a->dither_bits, a->local_bits);
    }
    fputs("    },\n", f);
    NUMBER(n_samples, " /* K */");
    NUMBER(gamma_f16, "");
#undef NUMBER
    static const char *const arrays[] = {
        "filter_taps", "sig_f16", "softplus_f12", "exp_f16",  "log_f12",   "neurons",
        "rows",        "ek0",     "kap_f15",      "weights0", "bias0_f12", "self0_f12"
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) fprintf(f, "    .%s = %s,\n", arrays[i], arrays[i]);
    fputs("};\n", f);
}

static void write_source_file(const writer *w)
{
    const tern_net *n = &w->net;
    FILE *f = w->f;
    char comment[128];
    const char *l = w->name, *u = w->upper;
    fprintf(f, "/* %s.c : see %s.h\n *\n", w->m->name, w->m->name);
    tern__emit_header(f, " * ", w->m, w->hash);
    fprintf(f,
            " *\n * %u neurons (%u visible), %u rows, %u weights of %u bits, rule %s, state %zu bytes\n */\n#include "
            "\"%s.h\"\n",
            n->n_neurons, n->n_visible, n->n_rows, n->n_weights, n->weight_bits, tern__emit_rule_kinds[n->rule],
            tern_state_bytes(n, n->n_samples), w->m->name);
    snprintf(comment, sizeof comment, "u1.%u, [n_filters = %u][D = %u]", n->trace_frac, n->n_filters, n->taps_d);
    write_u16(w, "filter_taps", n->filter_taps, (size_t)n->n_filters * n->taps_d, comment);
    write_u16(w, "sig_f16", n->sig_f16, TERN_SIG_ENTRIES, "u0.16, sigmoid(-z), z = (4 n + 1.5) / 256");
    write_u16(w, "softplus_f12", n->softplus_f12, TERN_SIG_ENTRIES, "u4.12, softplus(-z), z = (4 n + 1.5) / 256");
    write_u16(w, "exp_f16", n->exp_f16, TERN_EXP_ENTRIES, "u0.16, exp(-(8 n + 3.5) / 4096)");
    write_u16(w, "log_f12", n->log_f12, TERN_LOG_ENTRIES, "u0.12, log(1 + (j + 0.5) / 256)");
    snprintf(comment, sizeof comment, "eta kappa^d 2^%d", n->learn[0].c_frac + n->learn[0].c_shift - 15);
    write_u16(w, "ek0", n->ek0, n->lags_w, comment);
    write_u16(w, "kap_f15", n->kap_f15, n->lags_w, "u0.15, kappa^d");
    write_s16(w, "bias0_f12", n->bias0_f12, n->n_neurons, "s4.12");
    write_s16(w, "self0_f12", n->self0_f12, n->n_neurons, "s4.12");
    write_baselines(w);
    write_structure(w);
    write_net(w);
    write_schedule(w);
    fprintf(f, "\nstatic _Alignas(8) uint64_t memory[(%s_STATE_BYTES + 7u) / 8u];\ntern_state %s_state;\n\n", u, l);
    fprintf(
        f,
        "tern_status %s_init(uint64_t seed)\n{\n"
        "    const tern_status status = tern_state_init(&%s_state, &%s_net, memory, sizeof memory, %s_SAMPLES, seed);\n"
        "    if (status != TERN_OK) return status;\n    %s_state.step = %s_FIRST_STEP;\n",
        l, l, l, u, l, u);
    if (trained_baselines(w) > 0)
        fprintf(f,
                "    for (size_t i = 0; i < sizeof base0_f12 / sizeof base0_f12[0]; ++i) {\n        "
                "%s_state.base_f12[i] = base0_f12[i];\n        %s_state.base_weight[i] = base_weight0[i];\n    }\n",
                l, l);
    fputs("    return TERN_OK;\n}\n\n", f);
    fprintf(f,
            "void %s_step(const uint32_t *inputs, const uint32_t *targets, unsigned flags)\n{\n    "
            "tern_step(&%s_state, inputs, targets, flags);\n}\n\n",
            l, l);
    if (n->rule == TERN_RULE_REWARD)
        fprintf(f, "void %s_reward(const int32_t reward_f12[%u]) { tern_reward(&%s_state, reward_f12); }\n\n", l,
                n->n_samples, l);
    fprintf(
        f, "void %s_flush(void) { tern_flush(&%s_state); }\n\nvoid %s_clear(void) { tern_state_clear(&%s_state); }\n\n",
        l, l, l, l);
    fprintf(f,
            "tern_status %s_rate(uint32_t presentations)\n{\n    return tern_schedule_apply(&%s_state, &%s_schedule, "
            "presentations);\n}\n",
            l, l, l);
}

tern_status tern_emit_c(const tern_model *model, const char *dir, tern_diags *diags)
{
    static void (*const parts[])(const writer *) = { write_header_file, write_source_file };
    static const char *const extensions[] = { ".h", ".c" };
    writer w = { .m = model, .net = tern__emit_net(model) };
    tern__emit_prefix(model, w.name, w.upper);
    tern_status status = tern_layout_hash(model, w.hash);
    for (unsigned i = 0; i < 2 && status == TERN_OK; ++i) {
        tern_file_writer file;
        status = tern__emit_begin(&file, model, dir, extensions[i], diags);
        if (status != TERN_OK) break;
        w.f = file.f;
        parts[i](&w);
        status = tern_file_commit(&file, diags);
    }
    return status;
}
