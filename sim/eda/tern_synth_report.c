/* tern_synth_report.c : reads what Yosys and nextpnr report, writes the report of `tern synth`
 * SPDX-License-Identifier: Apache-2.0
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tern_capacity.h"
#include "tern_cores.h"
#include "tern_costs.h"
#include "tern/file.h"
#include "tern/image.h"
#include "tern_synth.h"

/* ---- the netlist: Yosys ------------------------------------------------------------------------------------------ */

/* Cells by the beginning of their name; the first row that matches counts. `weight`: in units of the column (a RAMB36
 * is two blocks of 18 Kbit). */
typedef enum column { LUT, CARRY, FF, LUT_RAM, RAM, DSP, LATCH, SPRAM, NOTHING } column;
typedef struct cell {
    const char *prefix;
    column what;
    unsigned weight;
} cell;

static const cell ice40_cells[] = { { "SB_LUT4", LUT, 1 },  { "SB_CARRY", CARRY, 1 }, { "SB_DFF", FF, 1 },
                                    { "SB_RAM40", RAM, 1 }, { "SB_MAC16", DSP, 1 },   { "SB_SPRAM", SPRAM, 1 },
                                    { NULL, NOTHING, 0 } };
static const cell ecp5_cells[] = { { "LUT4", LUT, 1 },       { "CCU2C", CARRY, 1 },
                                   { "TRELLIS_FF", FF, 1 },  { "TRELLIS_DPR16X4", LUT_RAM, 1 },
                                   { "DP16KD", RAM, 1 },     { "PDPW16KD", RAM, 1 },
                                   { "MULT18X18D", DSP, 1 }, { NULL, NOTHING, 0 } };
static const cell gowin_cells[] = { { "LUT1", LUT, 1 },       { "LUT2", LUT, 1 },  { "LUT3", LUT, 1 },
                                    { "LUT4", LUT, 1 },       { "ALU", CARRY, 1 }, { "DFF", FF, 1 },
                                    { "RAM16S", LUT_RAM, 1 }, { "SDP", RAM, 1 },   { "DPB", RAM, 1 },
                                    { "DPX9", RAM, 1 },       { "SP", RAM, 1 },    { "pROM", RAM, 1 },
                                    { "MULT", DSP, 1 },       { "DL", LATCH, 1 },  { NULL, NOTHING, 0 } };
static const cell xilinx_cells[] = { { "LUT", LUT, 1 },       { "CARRY4", CARRY, 1 },  { "FD", FF, 1 },
                                     { "RAM32", LUT_RAM, 1 }, { "RAM64", LUT_RAM, 1 }, { "RAM128", LUT_RAM, 1 },
                                     { "RAMB36", RAM, 2 },    { "RAMB18", RAM, 1 },    { "DSP48", DSP, 1 },
                                     { "LD", LATCH, 1 },      { NULL, NOTHING, 0 } };

static const cell *cells_of(const tern_device *d)
{
    if (strncmp(d->yosys, "synth_ice40", 11) == 0) return ice40_cells;
    if (strncmp(d->yosys, "synth_ecp5", 10) == 0) return ecp5_cells;
    return strncmp(d->yosys, "synth_gowin", 11) == 0 ? gowin_cells : xilinx_cells;
}

bool tern_synth_read_stat(const char *path, const tern_device *device, tern_synth_netlist *out)
{
    uint64_t counts[NOTHING + 1] = { 0 };
    json_error_t error;
    json_t *root = tern_json_load_file(path, JSON_ALLOW_NUL, &error), *value;
    const json_t *types = json_object_get(json_object_get(root, "design"), "num_cells_by_type");
    const char *name;
    const bool good = json_is_object(types) && json_object_size(types) > 0;
    memset(out, 0, sizeof *out);
    json_object_foreach((json_t *)types, name, value)
    {
        const uint64_t n = (uint64_t)(json_is_integer(value) ? json_integer_value(value)
                                                             : json_integer_value(json_object_get(value, "count")));
        const cell *c = cells_of(device);
        while (c->prefix != NULL && strncmp(name, c->prefix, strlen(c->prefix)) != 0) ++c;
        counts[c->what] += n * c->weight;
        if (strstr(name, "latch") != NULL || strstr(name, "LATCH") != NULL) counts[LATCH] += n;
    }
    json_decref(root);
    *out = (tern_synth_netlist){ .luts = counts[LUT],
                                 .carries = counts[CARRY],
                                 .flip_flops = counts[FF],
                                 .lut_rams = counts[LUT_RAM],
                                 .block_rams = counts[RAM],
                                 .multipliers = counts[DSP],
                                 .latches = counts[LATCH],
                                 .single_port_rams = counts[SPRAM] };
    return good;
}

/* ---- place and route: nextpnr ------------------------------------------------------------------------------------ */

/* "Info: 	         ICESTORM_LC:  3127/ 7680    40%": the first number. */
static bool use_of(const char *text, const char *kind, uint64_t *out)
{
    const size_t n = strlen(kind);
    for (const char *p = text; (p = strstr(p, kind)) != NULL; p += n) {
        if (p[n] != ':' || p == text || !(p[-1] == ' ' || p[-1] == '\t')) continue;
        char *end;
        const uint64_t x = strtoull(p + n + 1, &end, 10);
        while (*end == ' ') ++end;
        if (*end != '/') continue;
        *out = x;
        return true;
    }
    return false;
}

bool tern_synth_read_use(const char *log, const tern_device *device, tern_synth_result *out)
{
    uint8_t *bytes = NULL;
    size_t size;
    const tern_alloc alloc = tern_alloc_default();
    (void)device;
    if (tern_file_read(log, 64u << 20, alloc, &bytes, &size, NULL) != TERN_OK) return false;
    char *text = malloc(size + 1);
    bool good = text != NULL;
    if (good) {
        memcpy(text, bytes, size);
        text[size] = 0;
        uint64_t slices = 0;
        out->rams = out->dsps = 0;
        /* ECP5: nextpnr before 0.5 counts slices of two LUTs */
        good = use_of(text, "ICESTORM_LC", &out->cells) || use_of(text, "TRELLIS_COMB", &out->cells);
        if (!good && use_of(text, "TRELLIS_SLICE", &slices)) {
            out->cells = 2 * slices;
            good = true;
        }
        if (!use_of(text, "ICESTORM_RAM", &out->rams)) (void)use_of(text, "DP16KD", &out->rams);
        if (!use_of(text, "ICESTORM_DSP", &out->dsps)) (void)use_of(text, "MULT18X18D", &out->dsps);
    }
    free(text);
    alloc.fn(alloc.ud, bytes, 0);
    return good;
}

double tern_synth_read_fmax(const char *report)
{
    json_error_t error;
    json_t *root = tern_json_load_file(report, JSON_ALLOW_NUL, &error), *value;
    const char *name;
    double least = 0;
    json_object_foreach(json_object_get(root, "fmax"), name, value)
    {
        (void)name;
        const double mhz = json_number_value(json_object_get(value, "achieved"));
        if (mhz > 0 && (least <= 0 || mhz < least)) least = mhz;
    }
    json_decref(root);
    return least;
}

/* "Total path delay: 39.73 ns (25.17 MHz)" */
double tern_synth_read_icetime(const char *log)
{
    static const char words[] = "Total path delay:";
    uint8_t *bytes = NULL;
    size_t size;
    double mhz = 0;
    const tern_alloc alloc = tern_alloc_default();
    if (tern_file_read(log, 64u << 20, alloc, &bytes, &size, NULL) != TERN_OK) return 0;
    for (size_t i = 0; mhz <= 0 && i + sizeof words + 1 < size; ++i) {
        if (memcmp(bytes + i, words, sizeof words - 1) != 0) continue;
        char line[80];
        unsigned whole_mhz, hundredths; /* not strtod: a locale may have another decimal point */
        const size_t left = size - i - (sizeof words - 1);
        snprintf(line, sizeof line, "%.*s", (int)(left < sizeof line ? left : sizeof line - 1),
                 (const char *)bytes + i + sizeof words - 1);
        const char *at = strchr(line, '(');
        if (at != NULL && sscanf(at, "(%5u.%2u MHz)", &whole_mhz, &hundredths) == 2 && strstr(at, "MHz)") != NULL)
            mhz = whole_mhz + hundredths / 100.0;
    }
    alloc.fn(alloc.ud, bytes, 0);
    return mhz > 0 ? mhz : 0;
}

tern_synth_seed tern_synth_judge(uint32_t seed, double placed_mhz, double analysed_mhz)
{
    const bool slower = analysed_mhz > 0 && analysed_mhz < placed_mhz;
    return (tern_synth_seed){ seed, slower ? analysed_mhz : placed_mhz, placed_mhz, analysed_mhz };
}

double tern_synth_reached(const tern_board *board, double mhz)
{
    tern_clock clock;
    for (double f = floor(mhz * 10.0); f > 0; --f)
        if (tern_clock_make(board->pll, board->crystal_hz, f * 1e5, &clock)) return f / 10.0;
    return 0;
}

/* ---- speed ------------------------------------------------------------------------------------------------------- */

/* Of the core alone: what comes over the link is not in it. */
typedef struct speed {
    tern_step_cycles cycles;
    double mhz;              /* 0: not known */
    uint32_t steps;          /* of an example; 0: the network has no data section */
    uint64_t example_cycles; /* learning: first step, the others, flush */
    double steps_per_second, inference_per_second, examples_per_second;
    double steps_least, steps_most, inference_least, inference_most; /* of a small core; else 0 */
} speed;

/* A clock that no seed has reached: what follows is for the rate that one has. */
static bool missed(const tern_synth_request *q, const tern_synth_result *r)
{
    return q->board != NULL && r->n_seeds > 0 && r->seeds[r->best].mhz < q->mhz;
}

static const char *clock_name(const tern_synth_request *q, const tern_synth_result *r)
{
    return q->board == NULL ? "worst fmax" : missed(q, r) ? "reached; the board's clock is not" : "the board's clock";
}

static speed speed_of(const tern_synth_request *q, const tern_synth_result *r)
{
    speed s = { .steps = q->model != NULL && q->model->data.present ? q->model->data.steps : 0 };
    if (q->plan != NULL) tern_costs_cycles(q->plan, &s.cycles); /* of a resident core cycles depend on what is loaded */
    if (missed(q, r)) s.mhz = tern_synth_reached(q->board, r->seeds[r->best].mhz);
    else if (q->board != NULL) s.mhz = q->clock.hz / 1e6;
    else if (r->n_seeds > 0) s.mhz = r->seeds[r->worst].mhz;
    if (s.steps > 0) s.example_cycles = s.cycles.first + (s.steps - 1u) * s.cycles.learning + s.cycles.flush;
    if (s.mhz > 0 && q->plan != NULL) {
        s.steps_per_second = s.mhz * 1e6 / (double)s.cycles.learning;
        s.inference_per_second = s.mhz * 1e6 / (double)s.cycles.inference;
        if (s.cycles.estimated || s.cycles.most) {
            s.steps_least = s.mhz * 1e6 / (double)s.cycles.learning_range.most;
            s.steps_most = s.mhz * 1e6 / (double)s.cycles.learning_range.least;
            s.inference_least = s.mhz * 1e6 / (double)s.cycles.inference_range.most;
            s.inference_most = s.mhz * 1e6 / (double)s.cycles.inference_range.least;
        }
        if (s.example_cycles > 0) s.examples_per_second = s.mhz * 1e6 / (double)s.example_cycles;
    }
    return s;
}

static double percent(uint64_t estimate, uint64_t made)
{
    return made == 0 ? NAN : 100.0 * ((double)estimate - (double)made) / (double)made;
}

/* Blocks and logic as far as they are known: packed, else of the netlist. */
static uint64_t rams_of(const tern_synth_result *r) { return r->packed ? r->rams : r->netlist.block_rams; }
static uint64_t dsps_of(const tern_synth_result *r) { return r->packed ? r->dsps : r->netlist.multipliers; }
static uint64_t cells_of_result(const tern_synth_result *r) { return r->packed ? r->cells : r->netlist.luts; }

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *whole(uint64_t x) { return json_integer((json_int_t)x); }
static json_t *rounded(double x, double unit) { return x > 0 ? tern_json_real(round(x / unit) * unit) : json_null(); }

static json_t *timing_json(const tern_synth_request *q, const tern_synth_result *r)
{
    if (r->n_seeds == 0) return json_null();
    json_t *seeds = tern_json_list();
    for (uint32_t i = 0; i < r->n_seeds; ++i)
        tern_json_add(seeds, tern_json_pack("{s:o,s:o,s:o,s:o}", "seed", whole(r->seeds[i].seed), "mhz",
                                            rounded(r->seeds[i].mhz, 0.01), "place_and_route_mhz",
                                            rounded(r->seeds[i].placed_mhz, 0.01), "analysis_mhz",
                                            rounded(r->seeds[i].analysed_mhz, 0.01)));
    return tern_json_pack("{s:o,s:b,s:b,s:o,s:o,s:o}", "wanted_mhz", rounded(q->mhz, 1e-6), "met",
                          r->seeds[r->best].mhz >= q->mhz, "met_by_all", r->seeds[r->worst].mhz >= q->mhz, "best_mhz",
                          rounded(r->seeds[r->best].mhz, 0.01), "worst_mhz", rounded(r->seeds[r->worst].mhz, 0.01),
                          "seeds", seeds);
}

static json_t *speed_json(const tern_synth_request *q, const tern_synth_result *r)
{
    const speed s = speed_of(q, r);
    if (q->plan == NULL) return tern_json_pack("{s:o}", "mhz", rounded(s.mhz, 1e-6));
    json_t *o = tern_json_pack("{s:o,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "mhz", rounded(s.mhz, 1e-6), "exact",
                               s.cycles.exact, "cycles_learning", whole(s.cycles.learning), "cycles_inference",
                               whole(s.cycles.inference), "steps_per_second", rounded(s.steps_per_second, 0.01),
                               "inference_steps_per_second", rounded(s.inference_per_second, 0.01), "example_steps",
                               s.steps > 0 ? whole(s.steps) : json_null(), "example_cycles",
                               s.steps > 0 ? whole(s.example_cycles) : json_null(), "examples_per_second",
                               rounded(s.examples_per_second, 0.001));
    const tern_step_cycles *c = &s.cycles;
    json_t *ranges =
        !c->estimated && !c->most
            ? tern_json_object()
            : tern_json_pack("{s:[o,o],s:[o,o],s:[o,o],s:[o,o]}", "cycles_learning_range",
                             whole(c->learning_range.least), whole(c->learning_range.most), "cycles_inference_range",
                             whole(c->inference_range.least), whole(c->inference_range.most), "steps_per_second_range",
                             rounded(s.steps_least, 0.01), rounded(s.steps_most, 0.01),
                             "inference_steps_per_second_range", rounded(s.inference_least, 0.01),
                             rounded(s.inference_most, 0.01));
    tern_json_merge(o, ranges);
    return o;
}

json_t *tern_synth_json(const tern_synth_request *q, const tern_synth_result *r)
{
    char hash[65];
    if (q->model != NULL && tern_layout_hash(q->model, hash) != TERN_OK) return NULL;
    const tern_device *d = q->device;
    const tern_synth_netlist *n = &r->netlist;
    json_t *tools = tern_json_list(), *capacity = tern_json_object();
    for (unsigned i = 0; i < TERN_SYNTH_TOOLS; ++i)
        if (r->tools[i].program != NULL)
            tern_json_add(
                tools,
                tern_json_pack("{s:s,s:s,s:o}", "role", r->tools[i].role, "program", r->tools[i].program, "version",
                               r->tools[i].version[0] != 0 ? tern_json_text(r->tools[i].version) : json_null()));
    const tern_capacity *c = q->capacity;
#define XX(name, field, help) tern_json_put(capacity, #field, whole(c->field));
    TERN_CAPACITY_MAP(XX)
#undef XX
    json_t *board = q->board == NULL ? json_null()
                                     : tern_json_pack("{s:s,s:s,s:s,s:o,s:b}", "name", q->board->name, "text",
                                                      q->board->text, "package", q->board->package, "clock_hz",
                                                      whole(q->clock.hz), "pll", q->clock.pll);
    if (q->board != NULL) tern_json_put(board, "baud", whole(q->baud));
    json_t *estimate = q->fit == NULL ? json_null()
                                      : tern_json_pack("{s:o,s:o,s:o,s:o}", "cells", whole(q->fit->cells), "block_rams",
                                                       whole(q->fit->rams), "single_port_rams", whole(q->fit->sprams),
                                                       "multipliers", whole(q->fit->multipliers));
    json_t *used = tern_json_pack("{s:b,s:o,s:o,s:o}", "packed", r->packed, "cells", whole(cells_of_result(r)),
                                  "block_rams", whole(rams_of(r)), "multipliers", whole(dsps_of(r)));
    json_t *netlist = tern_json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "luts", whole(n->luts), "carries", whole(n->carries), "flip_flops",
        whole(n->flip_flops), "lut_rams", whole(n->lut_rams), "block_rams", whole(n->block_rams), "multipliers",
        whole(n->multipliers), "latches", whole(n->latches), "single_port_rams", whole(n->single_port_rams));
    return tern_json_pack("{s:s,s:i,s:s?,s:b,s:s?,s:{s:s,s:s,s:o,s:o,s:o},s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}",
                          "report", "tern synth", "version", 1, "network", q->model != NULL ? q->name : NULL,
                          "resident", (int)(q->model == NULL), "layout_hash", q->model != NULL ? hash : NULL, "target",
                          "name", d->name, "text", d->text, "cells", whole(d->cells), "block_rams", whole(d->rams),
                          "multipliers", whole(d->dsps), "board", board, "lanes", whole(c->lanes), "samples",
                          whole(c->samples), "tools", tools, "netlist", netlist, "used", used, "estimate", estimate,
                          "timing", timing_json(q, r), "speed", speed_json(q, r), "bitstream",
                          r->bitstream[0] != 0 ? tern_json_text(r->bitstream) : json_null(), "capacity", capacity);
}

/* ---- for people -------------------------------------------------------------------------------------------------- */

static void print_cycles(const tern_step_cycles *c, FILE *f)
{
    fprintf(f, "cycles       %s%" PRIu64 " for a step that learns, %" PRIu64 " for inference",
            c->exact       ? ""
            : c->estimated ? "about "
            : c->most      ? "at most "
                           : "at least ",
            c->learning, c->inference);
    if (c->estimated || c->most)
        fprintf(f,
                ", if no input is silent: %" PRIu64 " to %" PRIu64 ", %" PRIu64 " to %" PRIu64
                " (tern cosim --data measures recordings)",
                c->learning_range.least, c->learning_range.most, c->inference_range.least, c->inference_range.most);
    fputc('\n', f);
}

static void print_analyses(const tern_synth_result *r, FILE *f)
{
    fprintf(f, "             nextpnr:");
    for (uint32_t i = 0; i < r->n_seeds; ++i) fprintf(f, "%s %.2f", i > 0 ? "," : "", r->seeds[i].placed_mhz);
    fprintf(f, "; icetime:");
    for (uint32_t i = 0; i < r->n_seeds; ++i) fprintf(f, "%s %.2f", i > 0 ? "," : "", r->seeds[i].analysed_mhz);
    fputc('\n', f);
}

static void use_line(FILE *f, const char *what, const char *unit, uint64_t used, uint32_t have, bool estimated,
                     uint64_t estimate)
{
    fprintf(f, "%-12s %" PRIu64 " of %" PRIu32 " %s", what, used, have, unit);
    if (have > 0) fprintf(f, " (%.0f %%)", 100.0 * (double)used / have);
    if (estimated) fprintf(f, "; the planner said %" PRIu64, estimate);
    if (estimated && used > 0 && estimate != used) fprintf(f, " (%+.1f %%)", percent(estimate, used));
    fputc('\n', f);
}

void tern_synth_print(const tern_synth_request *q, const tern_synth_result *r, FILE *f)
{
    const tern_device *d = q->device;
    const tern_synth_netlist *n = &r->netlist;
    const speed s = speed_of(q, r);
    const tern_capacity *c = q->capacity;
    const tern_core_ops *ops = tern_core_of(c);
    if (q->model != NULL)
        fprintf(f, "network      %s: %s%" PRIu32 " lanes, K = %" PRIu32 "\n", q->name, ops->prefix, c->lanes,
                c->samples);
    else {
        fprintf(f,
                "core         %s, any network that fits: %" PRIu32 " lanes, weights of %s%" PRIu32 " bits, %" PRIu32
                " samples, %" PRIu32 " neurons, %" PRIu32 " filters, D = %" PRIu32 ", W = %" PRIu32 "\n",
                ops->name, c->lanes, ops->exact_weights ? "exactly " : "up to ", c->weight_w, c->samples, c->neurons,
                c->filters, c->taps_d, c->lags_w);
        fprintf(f, "holds        %" PRIu64 " weights, %" PRIu32 " rows, %" PRIu32 " history words; %s\n",
                (uint64_t)c->words * c->lanes, c->rows, c->hist_words, c->signals == 0 ? "rule GEM" : "every rule");
    }
    fprintf(f, "device       %s%s%s\n", d->text, q->board != NULL ? ", on " : "",
            q->board != NULL ? q->board->text : "");
    for (unsigned i = 0; i < TERN_SYNTH_TOOLS; ++i)
        if (r->tools[i].program != NULL)
            fprintf(f, "%-12s %s%s%s\n", i == 0 ? "tools" : "", r->tools[i].program,
                    r->tools[i].version[0] != 0 ? ": " : "", r->tools[i].version);
    fprintf(f,
            "netlist      %" PRIu64 " LUTs, %" PRIu64 " carries, %" PRIu64 " flip-flops, %" PRIu64
            " small RAMs, %" PRIu64 " latches\n",
            n->luts, n->carries, n->flip_flops, n->lut_rams, n->latches);
    if (r->packed || d->pnr == NULL)
        use_line(f, "logic", d->cells_text, cells_of_result(r), d->cells, q->fit != NULL,
                 q->fit != NULL ? q->fit->cells : 0);
    /* a cell holds a look-up table, a carry and a flip-flop, of which the netlist has each for itself: there is nothing
     * to compare yet */
    else {
        fprintf(f, "logic        %" PRIu64 " look-up tables, not packed into %s yet", n->luts, d->cells_text);
        if (q->fit != NULL)
            fprintf(f, "; the planner says %" PRIu64 " of %" PRIu32 " (--until packed compares)", q->fit->cells,
                    d->cells);
        fputc('\n', f);
    }
    use_line(f, "memories", d->rams_text, rams_of(r), d->rams, q->fit != NULL, q->fit != NULL ? q->fit->rams : 0);
    if (q->fit != NULL && (q->fit->target->sprams != 0 || n->single_port_rams != 0))
        use_line(f, "weights", "single-port RAMs", n->single_port_rams, q->fit->target->sprams, true, q->fit->sprams);
    use_line(f, "multipliers", d->dsps_text, dsps_of(r), d->dsps, q->fit != NULL,
             q->fit != NULL ? q->fit->multipliers : 0);
    if (r->n_seeds > 0) {
        const bool both = r->seeds[0].analysed_mhz > 0;
        fprintf(f, "fmax         ");
        for (uint32_t i = 0; i < r->n_seeds; ++i) fprintf(f, "%s%.2f", i > 0 ? ", " : "", r->seeds[i].mhz);
        fprintf(f, " MHz with %s %" PRIu32 "%s: worst %.2f, best %.2f; asked for %.6g\n",
                r->n_seeds > 1 ? "seeds 1 to" : "seed", r->n_seeds, both ? ", the slower of two analyses" : "",
                r->seeds[r->worst].mhz, r->seeds[r->best].mhz, q->mhz);
        if (both) print_analyses(r, f);
    }
    if (q->plan != NULL) print_cycles(&s.cycles, f);
    if (q->plan == NULL && s.mhz > 0) fprintf(f, "clock        %.6g MHz (%s)\n", s.mhz, clock_name(q, r));
    if (q->plan != NULL && s.mhz > 0) {
        fprintf(f, "speed        at %.6g MHz (%s): %.1f steps/s learning, %.1f inference", s.mhz, clock_name(q, r),
                s.steps_per_second, s.inference_per_second);
        if (s.steps > 0) fprintf(f, "; %.3g examples of %" PRIu32 " steps a second", s.examples_per_second, s.steps);
        fputs("; the core alone, without the link\n", f);
        if (s.cycles.estimated || s.cycles.most)
            fprintf(f, "             %s: %.0f to %.0f steps/s learning, %.0f to %.0f inference\n",
                    s.cycles.most ? "depending on silent inputs" : "estimates", s.steps_least, s.steps_most,
                    s.inference_least, s.inference_most);
    }
    if (r->bitstream[0] != 0) fprintf(f, "bitstream    %s\n", r->bitstream);
}
