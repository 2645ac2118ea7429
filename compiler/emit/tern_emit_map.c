/* tern_emit_map.c : NAME.map, the compiled network for people
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_emit.h"
#include "tern_emit_common.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/image.h"

typedef struct writer {
    FILE *f;
    const tern_model *m;
    tern_net net;
} writer;

static void heading(const writer *w, const char *text) { fprintf(w->f, "\n%s\n", text); }

static void write_populations(const writer *w)
{
    const tern_net *n = &w->net;
    heading(w, "POPULATIONS");
    fprintf(w->f, "  %-24s %-8s %-14s %7s %15s %15s %6s%s\n", "name", "kind", "shape", "units", "positions", "neurons",
            "line", tern__emit_circuits(w->m) ? "  circuits" : "");
    for (uint32_t i = 0; i < w->m->n_populations; ++i) {
        const tern_population *p = &w->m->populations[i];
        char shape[40] = "", pos[24], neurons[24] = "-", circuits[32] = "";
        for (unsigned d = 0; d < p->n_dims; ++d)
            snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%u", d ? " x " : "", p->dims[d]);
        snprintf(pos, sizeof pos, "%u..%u", p->pos, p->pos + p->size - 1);
        if (p->kind != TERN_POP_INPUT)
            snprintf(neurons, sizeof neurons, "%u..%u", p->neuron0, p->neuron0 + p->size - 1);
        if (p->wta != 0) snprintf(circuits, sizeof circuits, "  %u of %u", p->size / p->wta, p->wta);
        fprintf(w->f, "  %-24s %-8s %-14s %7u %15s %15s %6u%s\n", p->name, tern__emit_pop_kinds[p->kind], shape,
                p->size, pos, neurons, p->line, circuits);
    }
    fprintf(w->f, "  pools: %u input positions, %u neuron positions; %u neurons, %u of them visible\n", n->n_inputs_pos,
            n->n_neurons_pos, n->n_neurons, n->n_visible);
}

typedef struct bundle {
    uint64_t rows, weights, synapses;
    uint32_t first_row, first_weight;
} bundle;

/* All rows between two populations through one filter: one line. Rows that read no population (there are none from the
 * compiler) count as '?'. */
static void write_rows(const writer *w)
{
    const tern_net *n = &w->net;
    heading(w, "ROWS (runs of synapses; weight words follow each other in the order of rows)");
    fprintf(w->f, "  %-24s %-24s %6s %8s %10s %10s %10s %12s\n", "from", "to", "filter", "rows", "words", "synapses",
            "first row", "first word");
    uint64_t synapses = 0;
    for (uint32_t to = 0; to < w->m->n_populations; ++to) {
        const tern_population *q = &w->m->populations[to];
        if (q->kind == TERN_POP_INPUT) continue;
        bundle sum[TERN_MAX_POPULATIONS + 1][TERN_MAX_FILTERS];
        memset(sum, 0, sizeof sum);
        for (uint32_t i = q->neuron0; i < q->neuron0 + q->size; ++i)
            for (uint32_t r = n->neurons[i].row0; r < n->neurons[i].row0 + n->neurons[i].n_rows; ++r) {
                const tern_row *row = &n->rows[r];
                const tern_population *p = tern__emit_population_at(w->m, row->kind == TERN_ROW_SHARED, row->first);
                bundle *b = &sum[p == NULL ? TERN_MAX_POPULATIONS : (size_t)(p - w->m->populations)][row->filter];
                if (b->rows++ == 0) {
                    b->first_row = r;
                    b->first_weight = row->weight;
                }
                b->weights += row->count;
                for (uint32_t k = 0; k < row->count; ++k)
                    b->synapses += n->weights0[row->weight + k] != TERN_WEIGHT_ABSENT;
            }
        for (uint32_t from = 0; from <= TERN_MAX_POPULATIONS; ++from)
            for (unsigned f = 0; f < n->n_filters; ++f) {
                const bundle *b = &sum[from][f];
                if (b->rows == 0) continue;
                synapses += b->synapses;
                fprintf(w->f, "  %-24s %-24s %6u %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10u %12u\n",
                        from < TERN_MAX_POPULATIONS ? w->m->populations[from].name : "?", q->name, f, b->rows,
                        b->weights, b->synapses, b->first_row, b->first_weight);
            }
    }
    fprintf(w->f, "  total: %u rows, %u weight words, %" PRIu64 " synapses\n", n->n_rows, n->n_weights, synapses);
}

static void write_filters(const writer *w)
{
    const tern_net *n = &w->net;
    char format[16];
    snprintf(format, sizeof format, "u1.%u", n->trace_frac);
    heading(w, "FILTERS");
    fprintf(w->f, "  %u filters of D = %u taps, %s (raw integers below, real numbers in NAME.json)\n", n->n_filters,
            n->taps_d, format);
    for (unsigned f = 0; f < n->n_filters; ++f) {
        fprintf(w->f, "  %2u %-12s", f, tern__emit_filter_kinds[w->m->filters[f].kind]);
        for (unsigned t = 0; t < n->taps_d; ++t)
            fprintf(w->f, "%s %u", t > 0 && t % 16 == 0 ? "\n                 " : "",
                    n->filter_taps[f * n->taps_d + t]);
        if (w->m->filters[f].cut_mass > 0)
            fprintf(w->f, "   (%.2f %% of its sum is beyond the last tap)", 100 * w->m->filters[f].cut_mass);
        fputc('\n', w->f);
    }
}

static void format_line(const writer *w, const char *name, const char *format, double lo, double hi, double step,
                        const char *note)
{
    fprintf(w->f, "  %-28s %-8s %14.8g %14.8g %14.8g%s%s\n", name, format, lo, hi, step, note[0] ? "  " : "", note);
}

/* A signed symmetric format of `bits` with `frac` fraction bits. */
static void signed_line(const writer *w, const char *name, int bits, int frac, const char *note)
{
    char format[40];
    const double step = ldexp(1, -frac), top = (ldexp(1, bits - 1) - 1) * step;
    if (frac >= 0 && bits >= frac) snprintf(format, sizeof format, "s%d.%d", bits - frac, frac);
    else if (frac > 0) snprintf(format, sizeof format, "%db/2^%d", bits, frac); /* more fraction bits than bits */
    else snprintf(format, sizeof format, "%db*2^%d", bits, -frac);
    format_line(w, name, format, -top, top, step, note);
}

static void write_formats(const writer *w)
{
    const tern_net *n = &w->net;
    char text[32];
    uint32_t most = 0;
    for (unsigned f = 0; f < n->n_filters; ++f) { /* every input spiking in every step */
        uint32_t sum = 0;
        for (unsigned t = 0; t < n->taps_d; ++t) sum += n->filter_taps[f * n->taps_d + t];
        if (sum > most) most = sum;
    }
    unsigned bits = 1;
    while (most >> bits) ++bits;
    const double unit = ldexp(1, -(int)n->trace_frac);
    heading(w, "FORMATS (docs/21-numerics.md; s4.12: signed, 4 integer bits with the sign, 12 fraction bits)");
    fprintf(w->f, "  %-28s %-8s %14s %14s %14s\n", "number", "format", "least", "most", "step");
    signed_line(w, "weight", n->weight_bits, n->weight_frac, "");
    signed_line(w, "bias, self-memory weight", 16, TERN_BIAS_FRAC, "");
    snprintf(text, sizeof text, "u1.%u", n->trace_frac);
    format_line(w, "filter tap", text, 0, 2 - unit, unit, "");
    snprintf(text, sizeof text, "u%d.%u", (int)bits - (int)n->trace_frac, n->trace_frac);
    format_line(w, "trace", text, 0, most * unit, unit, "most: a spike in every step");
    format_line(w, "membrane potential", "s4.8", -TERN_U_MAX / 256.0, TERN_U_MAX / 256.0, 1 / 256.0, "");
    format_line(w, "probability", "u0.16", 1 / 65536.0, 65535 / 65536.0, 1 / 65536.0, "");
    format_line(w, "error", "s0.15", -65535 / 65536.0, 65535 / 65536.0, 1 / 32768.0, "");
    signed_line(w, "discounted log-probability", 32, TERN_V_FRAC, "");
    if (tern__emit_set_used(n, 0)) {
        signed_line(w, "modulator", 16, TERN_M_FRAC, "weight of a sample");
        signed_line(w, "learning coefficient c", 16, n->learn[0].c_frac, "");
    }
    if (tern__emit_set_used(n, 1)) {
        signed_line(w, "learning signal, baseline", 32, TERN_V_FRAC, "");
        signed_line(w, "modulator from the signal", 15, tern__emit_signal_frac(n), "limited beyond, and counted");
        signed_line(w, "coefficient c from it", 16, n->learn[1].c_frac, "");
    }
    for (unsigned set = 0; set < 2; ++set)
        if (tern__emit_set_used(n, set))
            fprintf(w->f,
                    "  %s: a weight change is exact with %u fraction bits; the dither adds R = %u bits below a "
                    "weight's last bit\n",
                    set == 0 ? "weights of samples" : "learning signals", n->learn[set].c_frac + n->trace_frac,
                    n->learn[set].dither_bits);
}

static void write_learning(const writer *w)
{
    const tern_net *n = &w->net;
    const tern_rule *r = &w->m->rule;
    heading(w, "LEARNING");
    fprintf(w->f, "  rule %s, K = %u samples, eta %.9g", tern__emit_rule_kinds[r->kind], n->n_samples, r->eta);
    if (r->eta_every != 0) fprintf(w->f, " divided by %.9g every %u presentations", r->eta_divide, r->eta_every);
    fprintf(w->f, ", gamma %.9g (%u/65536), kappa %.9g\n", r->gamma, n->gamma_f16, r->kappa);
    if (n->rule != TERN_RULE_GEM) {
        fprintf(w->f, "  baseline: %s", tern__emit_baselines[n->baseline]);
        if (n->baseline != TERN_BASELINE_NONE) fprintf(w->f, ", averages over %u steps", r->memory);
        if (n->rule == TERN_RULE_REWARD && r->tau > 0)
            fprintf(w->f, "; reward: van Rossum distance, tau %.9g steps", r->tau);
        if (n->rule == TERN_RULE_REWARD && !(r->tau > 0)) fputs("; reward: the caller's", w->f);
        fprintf(w->f, "; MF = %d\n", tern__emit_signal_frac(n));
    }
    fprintf(w->f, "  window: W = %u lags; D + W = %u bits of history\n", n->lags_w, n->taps_d + n->lags_w);
    for (unsigned set = 0; set < 2; ++set)
        if (tern__emit_set_used(n, set))
            fprintf(w->f, "  %s: R = %u, RL = %u, FC = %u, c_shift = %u\n",
                    set == 0 ? "neurons that learn from weights of samples"
                             : "neurons that learn from the learning signal",
                    n->learn[set].dither_bits, n->learn[set].local_bits, n->learn[set].c_frac, n->learn[set].c_shift);
    const tern__emit_comm comm = tern__emit_communication(n);
    fprintf(w->f,
            "  communication of a step that learns: %" PRIu64 " numbers to the central processor (%s), %" PRIu64
            " to the neurons (%s)\n  ek:",
            comm.unicast, comm.unicast_formula, comm.broadcast, comm.broadcast_formula);
    for (unsigned d = 0; d < n->lags_w; ++d) fprintf(w->f, "%s %u", d > 0 && d % 16 == 0 ? "\n     " : "", n->ek0[d]);
    fputc('\n', w->f);
}

static void write_memory(const writer *w)
{
    const tern_net *n = &w->net;
    const uint64_t k = n->n_samples;
    const struct {
        const char *name;
        uint64_t words, bits;
        const char *note;
    } list[] = { { "weights", n->n_weights, n->weight_bits, "" },
                 { "bias", n->n_neurons, 16, "" },
                 { "self-memory weights", n->n_neurons, 16, "" },
                 { "histories of inputs", n->n_inputs_pos, (uint64_t)n->taps_d + n->lags_w, "the same in all samples" },
                 { "histories of neurons", k * n->n_neurons_pos, (uint64_t)n->taps_d + n->lags_w, "[K][positions]" },
                 { "errors", n->n_neurons * k * n->lags_w, 16, "[neurons][K][W]" },
                 { "log-probabilities", k, 32, "" },
                 { "modulators", k, 16, "" },
                 { "learning signals", n->rule == TERN_RULE_GEM ? 0 : k, 32, "" },
                 { "baselines", tern_net_baselines(n), 64,
                   n->baseline == TERN_BASELINE_SYNAPSE ? "C runtime and reference only" : "" },
                 { "learning coefficients ek", n->lags_w, 15, "" },
                 { "powers of kappa", n->baseline == TERN_BASELINE_NONE ? 0 : n->lags_w, 15, "" },
                 { "filter taps", (uint64_t)n->n_filters * n->taps_d, (uint64_t)n->trace_frac + 1, "" },
                 { "rows", n->n_rows, 24 * 8, "as in the image" },
                 { "neurons", n->n_neurons, 16 * 8, "as in the image" },
                 { "table SIG", TERN_SIG_ENTRIES, 16, "" },
                 { "table SP", TERN_SIG_ENTRIES, 16, "" },
                 { "table EXP", TERN_EXP_ENTRIES, 16, "" },
                 { "table LOG", TERN_LOG_ENTRIES, 12, "" } };
    uint64_t total = 0;
    heading(w, "MEMORY (numbers to be held, whatever holds them)");
    fprintf(w->f, "  %-28s %12s %6s %14s\n", "array", "words", "bits", "total bits");
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        fprintf(w->f, "  %-28s %12" PRIu64 " %6" PRIu64 " %14" PRIu64 "%s%s\n", list[i].name, list[i].words,
                list[i].bits, list[i].words * list[i].bits, list[i].note[0] ? "  " : "", list[i].note);
        total += list[i].words * list[i].bits;
    }
    fprintf(w->f, "  %-28s %12s %6s %14" PRIu64 "\n", "sum", "", "", total);
    fprintf(w->f, "  state of the C runtime: %zu bytes\n", tern_state_bytes(n, n->n_samples));
}

static void write_data(const writer *w)
{
    const tern_data_spec *d = &w->m->data;
    heading(w, "DATA");
    if (!d->present) {
        fputs("  the script does not say how recordings become frames\n", w->f);
        return;
    }
    fprintf(w->f, "  format %s, %u steps of %u us, polarity %s%s%s", d->format, d->steps, d->window_us,
            tern__emit_polarities[d->polarity], d->mirror_x ? ", x mirrored" : "", d->mirror_y ? ", y mirrored" : "");
    if (d->crop_width != 0)
        fprintf(w->f, ", crop %u x %u at (%u, %u)", d->crop_width, d->crop_height, d->crop_x, d->crop_y);
    if (d->scale > 1) fprintf(w->f, ", squares of %u x %u pixels as one", d->scale, d->scale);
    if (d->phases != 0) fprintf(w->f, ", %u phases of %u steps side by side", d->phases, d->phase_steps);
    if (d->shift != 0) fprintf(w->f, ", moved by up to %u pixels in training", d->shift);
    fprintf(w->f, "\n  histories and averages are %s between presentations\n", d->clear ? "cleared" : "kept");
    for (uint32_t i = 0; i < d->n_parts; ++i)
        fprintf(w->f, "  %s: %u x %u pixels at (%u, %u) of the window\n",
                w->m->populations[d->parts[i].population].name, d->parts[i].width, d->parts[i].height, d->parts[i].x,
                d->parts[i].y);
    if (d->label_population >= 0)
        fprintf(w->f, "  %s: the unit of the label spikes in every step\n",
                w->m->populations[d->label_population].name);
}

tern_status tern_emit_map(const tern_model *model, const char *dir, tern_diags *diags)
{
    char hash[65];
    tern_file_writer file;
    tern_status status = tern_layout_hash(model, hash);
    if (status == TERN_OK) status = tern__emit_begin(&file, model, dir, ".map", diags);
    if (status != TERN_OK) return status;
    const writer w = { file.f, model, tern__emit_net(model) };
    tern__emit_header(w.f, "# ", model, hash);
    fprintf(w.f, "\nNETWORK %s\n  layout hash %s\n  script      %s\n  seed %" PRIu64 ", %s", model->name, hash,
            model->source_sha256[0] ? model->source_sha256 : "unknown", model->seed,
            model->state != NULL ? "trained" : "not trained");
    if (model->presentations_done != 0) fprintf(w.f, " (%u presentations)", model->presentations_done);
    fputc('\n', w.f);
    write_populations(&w);
    write_rows(&w);
    write_filters(&w);
    write_formats(&w);
    write_learning(&w);
    write_memory(&w);
    write_data(&w);
    return tern_file_commit(&file, diags);
}
