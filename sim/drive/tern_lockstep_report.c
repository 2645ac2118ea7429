/* tern_lockstep_report.c : see tern_lockstep_report.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_lockstep_report.h"
#include <inttypes.h>

static void print_record(FILE *to, const char *who, const tern_difference *d, const tern_record *r)
{
    static const char *const name[] = { "W weight",          "B bias",      "S self-memory", "N neuron",
                                        "V log-probability", "M modulator", "A baseline" };
    if (r == NULL) {
        fprintf(to, "  %-4s (no record)\n", who);
        return;
    }
    fprintf(to,
            "  %-4s %s step=%" PRIu32 " index=%" PRIu32 " sample=%u a=0x%" PRIx32 " b=0x%" PRIx32 " draw=0x%" PRIx32
            " flags=%u",
            who, name[r->kind], r->step, r->index, r->sample, (uint32_t)r->a, (uint32_t)r->b, r->draw, r->flags);
    switch (r->kind) {
    case TERN_REC_W:
        fprintf(to, "  (%.6g -> %.6g, %u bits, %u of fraction)\n", r->a / (double)(1 << d->weight_frac),
                r->b / (double)(1 << d->weight_frac), d->weight_bits, d->weight_frac);
        break;
    case TERN_REC_B:
    case TERN_REC_S: fprintf(to, "  (%.6g -> %.6g, s4.12)\n", r->a / 4096.0, r->b / 4096.0); break;
    case TERN_REC_N: fprintf(to, "  (u = %.4f, p = %.5f)\n", r->a / 256.0, r->b / 65536.0); break;
    case TERN_REC_V: fprintf(to, "  (%.4f -> %.4f)\n", r->a / 4096.0, r->b / 4096.0); break;
    case TERN_REC_A: fprintf(to, "  (%.4f -> %.4f)\n", r->a / 4096.0, r->b / 4096.0); break;
    default: fprintf(to, "  (m = %.5f, w = %.4f)\n", r->b / 16384.0, r->a / 4096.0); break;
    }
}

static void print_records(FILE *to, const tern_difference *d)
{
    static const char letter[] = "WBSNVMA";
    const tern_record *any = d->has_golden ? &d->golden : &d->rtl;
    fprintf(to, "DIVERGE record=%c step=%" PRIu32 " number=%" PRIu64 "\n", letter[any->kind], d->step, d->number);
    print_record(to, "C", d, d->has_golden ? &d->golden : NULL);
    print_record(to, "RTL", d, d->has_rtl ? &d->rtl : NULL);
    fprintf(to, "  verdict: %s\n", d->verdict);
    if (d->neuron != UINT32_MAX)
        fprintf(to, "  weight %" PRIu32 " belongs to neuron %" PRIu32 "\n", any->index, d->neuron);
    for (unsigned i = 0; i < d->n_before; ++i) print_record(to, "ok", d, &d->before[i]);
}

static void print_difference(FILE *to, const tern_difference *d)
{
    switch (d->kind) {
    case TERN_DIFFERENCE_NONE: break;
    case TERN_DIFFERENCE_RECORD: print_records(to, d); break;
    case TERN_DIFFERENCE_CYCLES:
        fprintf(to, "DIVERGE record=cycles step=%" PRIu32 ": measured %" PRIu64 ", predicted %" PRIu64 "\n", d->step,
                d->measured, d->predicted);
        break;
    case TERN_DIFFERENCE_RANGE:
        fprintf(to,
                "DIVERGE record=cycles step=%" PRIu32 ": measured %" PRIu64 ", with silent words left out %" PRIu64
                " to %" PRIu64 " are possible\n",
                d->step, d->measured, d->least, d->most);
        break;
    case TERN_DIFFERENCE_BUSY:
        fprintf(to,
                "DIVERGE record=none step=%" PRIu32 ": the core is still busy after %" PRIu64
                " cycles (predicted %" PRIu64 ")\n",
                d->step, d->measured, d->predicted);
        break;
    case TERN_DIFFERENCE_WORD:
        fprintf(to, "DIVERGE record=memory %s address=0x%06" PRIx32 " C=0x%08" PRIx64 " RTL=0x%08" PRIx64 "\n", d->name,
                d->at, d->expected, d->found);
        break;
    case TERN_DIFFERENCE_MEMORY:
        fprintf(to, "DIVERGE record=memory %s word=%" PRIu32 " C=0x%08" PRIx64 " RTL=0x%08" PRIx64 "\n", d->name, d->at,
                d->expected, d->found);
        break;
    case TERN_DIFFERENCE_LOSS:
        fprintf(to, "DIVERGE record=memory %s sample=%" PRIu32 " C=0x%08" PRIx64 " RTL=0x%08" PRIx64 "\n", d->name,
                d->at, d->expected, d->found);
        break;
    case TERN_DIFFERENCE_REGISTER:
        fprintf(to, "DIVERGE record=register %s C=%" PRIu64 " RTL=%" PRIu64 "\n", d->name, d->expected, d->found);
        break;
    }
}

void tern_lockstep_report_print(const tern_lockstep_report *report, FILE *to)
{
    print_difference(to, &report->first);
    if (report->ended)
        fprintf(to,
                "DIVERGE record=check step=%" PRIu32
                ": a check inside the simulated core failed; its message is above\n",
                report->ended_step);
}
