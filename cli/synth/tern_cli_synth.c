/* tern_cli_synth.c : `tern synth`: from a network to a bitstream
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_cores.h"
#include "tern_resident.h"
#include "tern_errors.h"
#include "tern_synth.h"
#include "tern_cli.h"
#include "tern_verbs.h"

enum { WIDTHS = 6, E_CLOCK = 528, E_LANES = 514, N_NETLIST = 530, W_MEMORY = 531 };
static const double ROOM = 0.85; /* of the device, for --lanes auto: what is fuller is hard to route */

typedef struct options {
    const char *network, *target, *board, *lanes, *core, *dir, *until;
    uint64_t ways, prep;
    const char *form;
    double mhz;
    uint64_t seeds, baud;
    bool given_mhz, given_lanes, force, json, resident, skip;
    tern_arg_list sets, capacities;
} options;

typedef struct job {
    options o;
    tern_arena arena;
    tern_model model;
    tern_plan made[WIDTHS];
    const tern_plan *plans[WIDTHS]; /* NULL: beyond a limit of the core */
    tern_resident resident;
    tern_fit fit;
    tern_synth_request request;
    tern_synth_result result;
    char dir[TERN_SYNTH_PATH];
    tern_diags diags;
} job;

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .lanes = "4", .core = "auto", .seeds = 1, .mhz = 12, .until = "bitstream" };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .out = &o->network,
          .help = "a script, or an image; none with --resident" },
        { .name = "--target", .kind = TERN_ARG_CHOICE, .value = "T", .choices = TERN_DEVICE_CHOICES, .out = &o->target,
          .help = "device: " TERN_DEVICE_CHOICES "; default: the board's" },
        { .name = "--board", .kind = TERN_ARG_CHOICE, .value = "B", .choices = TERN_BOARD_CHOICES, .out = &o->board,
          .help = "board: " TERN_BOARD_CHOICES ";\nwithout one no bitstream is made, because the pins are unknown" },
        { .name = "--resident", .kind = TERN_ARG_FLAG, .out = &o->resident,
          .help = "no network: a core for every network that fits the board's\n"
                  "rtl/boards/B/resident.json (docs/44-resident.md)" },
        { .name = "--capacity", .kind = TERN_ARG_LIST, .value = "NAME=VALUE", .what = TERN_WHAT_TEXT,
          .out = &o->capacities,
          .help = "with --resident: another number than the file's, e.g. WORDS=20000" },
        { .name = "--lanes", .kind = TERN_ARG_STRING, .value = "P", .what = TERN_WHAT_TEXT, .out = &o->lanes,
          .out_given = &o->given_lanes,
          .help = "weights per cycle of the hardware: 1, 2, 4, 8, 16, 32 (default 4), or auto:\n"
                  "the most that leave 15 % of the device free" },
        TERN_CLI_WAYS_ARG(&o->ways),
        TERN_CLI_PREP_ARG(&o->prep),
        TERN_CLI_FORM_ARG(&o->form),
        TERN_CLI_SKIP_ARG(&o->skip),
        TERN_CLI_CORE_ARG(&o->core),
        { .name = "--baud", .kind = TERN_ARG_UINT, .value = "B", .lo = 115200, .hi = 3000000, .out = &o->baud,
          .help = "bits per second of the link; default: 115200, with --resident the file's" },
        { .name = "--freq", .kind = TERN_ARG_REAL, .value = "MHZ", .real_lo = 0.1, .real_hi = 1000, .out = &o->mhz,
          .out_given = &o->given_mhz,
          .help = "clock of the core; default: the board's, 12 without a board" },
        { .name = "--seeds", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_SYNTH_SEEDS, .out = &o->seeds,
          .help = "places and routes N times, keeps the fastest; default 1" },
        { .name = "--until", .kind = TERN_ARG_CHOICE, .value = "STAGE", .choices = "netlist|packed|bitstream",
          .out = &o->until,
          .help = "netlist: only Yosys; packed: and nextpnr's count of cells; bitstream (default): everything" },
        { .name = "--force", .kind = TERN_ARG_FLAG, .out = &o->force,
          .help = "continues although the planner says that it does not fit" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "DIR", .what = TERN_WHAT_FOLDER,
          .out = &o->dir,
          .help = "folder for the files; default out/synth/NAME-TARGET or out/synth/NAME-BOARD" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &o->sets,
          .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the report as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "synth",
        .verbose = true,
        .purpose =
            "Makes a bitstream for a network with Yosys, nextpnr and the packer, and a report of size and speed.",
        .list = list,
        .n = sizeof list / sizeof *list,
        .epilogue = "docs/37-synthesis.md describes the files and the tools."
    };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (o->resident) {
        if (o->board == NULL) return tern_args_wrong(&args, TERN_ERROR_USAGE, "--resident needs --board B");
        if (o->network != NULL)
            return tern_args_wrong(&args, TERN_ERROR_USAGE,
                                   "--resident: the core is for any network, '%s' has no effect", o->network);
        if (o->given_lanes || strcmp(o->core, "auto") != 0)
            return tern_args_wrong(
                &args, TERN_ERROR_USAGE,
                "--resident: lanes and core are those of the board's file; --capacity NAME=VALUE changes it");
        if (o->sets.n != 0) return tern_args_wrong(&args, TERN_ERROR_USAGE, "--set has no effect with --resident");
    } else {
        if (o->network == NULL) return tern_args_wrong(&args, TERN_ERROR_MISSING_ARGUMENT, "NET.lua|IMAGE is missing");
        if (o->capacities.n != 0)
            return tern_args_wrong(&args, TERN_ERROR_USAGE, "--capacity has no effect without --resident");
    }
    if (o->baud != 0 && o->board == NULL)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--baud has no effect without --board");
    if (o->target == NULL && o->board == NULL)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "give --target T or --board B");
    static const char *const allowed[] = { "1", "2", "4", "8", "16", "32", "auto" };
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; ++i)
        if (strcmp(o->lanes, allowed[i]) == 0) return -1;
    return tern_args_wrong(&args, TERN_ERROR_VALUE, "--lanes %s: allowed are 1, 2, 4, 8, 16, 32 and auto", o->lanes);
}

static tern_status fault(job *j, int code, const char *at, tern_status s, const char *message, const char *hint)
{
    tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, code, NULL, 0, at, "%s", message), "%s", hint);
    return s;
}

static tern_status choose_device(job *j)
{
    tern_synth_request *q = &j->request;
    char text[256], hint[128];
    q->board = j->o.board == NULL ? NULL : tern_board_find(j->o.board);
    q->device = tern_device_find(q->board != NULL ? q->board->device : j->o.target);
    if (q->board != NULL && j->o.target != NULL && strcmp(j->o.target, q->device->name) != 0) {
        snprintf(text, sizeof text, "%s has a %s, not a %s", q->board->text, q->device->name, j->o.target);
        return fault(j, TERN_ERROR_OTHER_DEVICE, "--target", TERN_ERR_ARGUMENT, text,
                     "omit --target, or name another board");
    }
    q->mhz = j->o.mhz;
    if (j->o.resident) {
        const tern_status s = tern_resident_open(q->board, &j->resident, &j->diags);
        if (s != TERN_OK) return s;
    }
    if (q->board != NULL) {
        const double hz = j->o.given_mhz  ? j->o.mhz * 1e6
                          : j->o.resident ? j->resident.clock_mhz * 1e6
                                          : q->board->clock_hz;
        if (!tern_clock_make(q->board->pll, q->board->crystal_hz, hz, &q->clock)) {
            snprintf(text, sizeof text, "the PLL of %s makes no clock of %.6g MHz from %.6g MHz", q->board->text,
                     hz / 1e6, q->board->crystal_hz / 1e6);
            snprintf(hint, sizeof hint, "%.6g needs no PLL; it makes %s MHz", q->board->crystal_hz / 1e6,
                     q->board->pll == TERN_PLL_ICE40 ? "16 to 275" : "3.2 to 400");
            return fault(j, E_CLOCK, "--freq", TERN_ERR_ARGUMENT, text, hint);
        }
        q->mhz = q->clock.hz / 1e6;
        q->baud = j->o.baud != 0 ? (uint32_t)j->o.baud : j->o.resident ? j->resident.baud : q->board->baud;
        if (4.0 * q->baud > q->clock.hz) {
            snprintf(text, sizeof text, "%u bits per second are more than a quarter of the clock, %.6g MHz",
                     (unsigned)q->baud, q->mhz);
            return fault(j, E_CLOCK, "--baud", TERN_ERR_ARGUMENT, text, "a lower --baud, or a higher --freq");
        }
    }
    return TERN_OK;
}

/* NAME=VALUE of --capacity, then the planner's word. */
static tern_status choose_resident(job *j)
{
    tern_synth_request *q = &j->request;
    tern_capacity *c = &j->resident.capacity;
    for (size_t i = 0; i < j->o.capacities.n; ++i) {
        tern_status s = tern_resident_once(j->o.capacities.items, i, &j->diags);
        if (s == TERN_OK) s = tern_resident_set(c, j->o.capacities.items[i], &j->diags);
        if (s != TERN_OK) return s;
    }
    tern_status s = j->o.capacities.n > 0 ? tern_resident_check(c, "--capacity", &j->diags) : TERN_OK;
    const tern_target *target = tern_target_find(q->device->name);
    q->capacity = c;
    if (s != TERN_OK || target == NULL) return s;
    if (tern_core_of(c)->banked && target->sprams == 0)
        return fault(j, TERN_ERROR_CAPACITY, "small", TERN_ERR_ARGUMENT, "the device has no single-port RAM",
                     "SMALL=1: weights in block RAM");
    tern_target_fit_core(target, c, &j->fit);
    q->fit = &j->fit;
    tern_diags planner;
    tern_diags_init(&planner);
    s = tern_target_report(&j->fit, j->o.force ? &planner : &j->diags);
    return j->o.force ? TERN_OK : s;
}

static tern_status make_plans(job *j, uint32_t shift, tern_diags *diags)
{
    tern_status s =
        tern_plan_make(&j->model.net, 1u << shift, j->model.net.n_samples, &j->arena, &j->made[shift], diags);
    if (s == TERN_OK) s = tern_plan_label_classes(&j->made[shift], &j->model, TERN_DECODE_RATE, diags);
    if (s == TERN_OK)
        s = tern_target_core(tern_target_find(j->request.device->name),
                             tern_core_choice_find(j->o.core, tern_form_find(j->o.form)), &j->made[shift], diags);
    if (s == TERN_OK) tern_plan_use_skip(&j->made[shift], j->o.skip);
    if (s == TERN_OK)
        s = tern_target_ways(tern_target_find(j->request.device->name),
                             &(tern_parallel){ (uint32_t)j->o.ways, (uint32_t)j->o.prep, tern_form_find(j->o.form) },
                             &j->made[shift], diags);
    j->plans[shift] = s == TERN_OK ? &j->made[shift] : NULL;
    return s;
}

/* The number of lanes, a plan, and the planner's word before anything is run. */
static tern_status choose_plan(job *j)
{
    tern_synth_request *q = &j->request;
    const tern_target *target = tern_target_find(q->device->name);
    const bool automatic = strcmp(j->o.lanes, "auto") == 0;
    uint32_t shift = 0;
    tern_status s = TERN_OK;
    if (j->model.net.baseline == TERN_BASELINE_SYNAPSE)
        return fault(j, TERN_ERROR_NO_HARDWARE, "rule.baseline", TERN_ERR_ARGUMENT,
                     "a baseline per synapse exists in the C engines only", "use baseline = \"neuron\" for hardware");
    for (uint32_t i = 0; i < WIDTHS && s != TERN_ERR_MEMORY; ++i) {
        const bool asked = !automatic && strtoul(j->o.lanes, NULL, 10) == 1u << i;
        s = make_plans(j, i, asked ? &j->diags : NULL);
        if (asked && s != TERN_OK) return s;
        if (asked) shift = i;
    }
    if (s == TERN_ERR_MEMORY) return s;
    if (automatic) {
        if (target == NULL)
            return fault(j, E_LANES, "--lanes", TERN_ERR_ARGUMENT, "the planner does not know this device's logic",
                         "give a number of lanes");
        for (shift = WIDTHS; shift-- > 0;) {
            if (j->plans[shift] == NULL) continue;
            tern_target_fit(target, j->plans, shift, &j->fit);
            if (j->fit.fits && (double)j->fit.cells <= ROOM * target->cells && (double)j->fit.rams <= target->rams)
                break;
        }
        if (shift > WIDTHS) { /* none: what one lane lacks is reported */
            for (shift = 0; shift < WIDTHS && j->plans[shift] == NULL;) ++shift;
            if (shift == WIDTHS) return make_plans(j, WIDTHS - 1, &j->diags);
        }
    }
    q->plan = j->plans[shift];
    q->capacity = &q->plan->need;
    if (target == NULL) return TERN_OK;
    tern_target_fit(target, j->plans, shift, &j->fit);
    q->fit = &j->fit;
    tern_diags planner;
    tern_diags_init(&planner);
    s = tern_target_report(&j->fit, j->o.force ? &planner : &j->diags);
    if (s == TERN_OK && automatic && (double)j->fit.cells > ROOM * target->cells)
        return fault(j, E_LANES, "--lanes", TERN_ERR_FIT, "no number of lanes leaves 15 % of the device free",
                     "--lanes 1 may still fit; or a larger device");
    return j->o.force ? TERN_OK : s;
}

static tern_status prepare(job *j)
{
    tern_status s = choose_device(j);
    if (s == TERN_OK && j->o.resident) s = choose_resident(j);
    if (s == TERN_OK && !j->o.resident)
        s = tern_cli_open_model(j->o.network, &j->o.sets, &j->arena, &j->model, &j->diags);
    if (s == TERN_OK && !j->o.resident) s = choose_plan(j);
    if (s != TERN_OK) return s;
    tern_synth_request *q = &j->request;
    q->name = j->o.resident ? "resident" : j->model.name;
    if (j->o.dir != NULL && strlen(j->o.dir) >= sizeof j->dir)
        return fault(j, TERN_ERROR_SYNTH_FOLDER, "--output", TERN_ERR_ARGUMENT, "the folder's name is too long",
                     "use a shorter one");
    if (j->o.dir != NULL) snprintf(j->dir, sizeof j->dir, "%s", j->o.dir);
    else
        snprintf(j->dir, sizeof j->dir, "out/synth/%s-%s", q->name,
                 q->board != NULL ? q->board->name : q->device->name);
    q->dir = j->dir;
    q->model = j->o.resident ? NULL : &j->model;
    q->seeds = (uint32_t)j->o.seeds;
    q->until = strcmp(j->o.until, "netlist") == 0  ? TERN_UNTIL_NETLIST
               : strcmp(j->o.until, "packed") == 0 ? TERN_UNTIL_PACKED
                                                   : TERN_UNTIL_ALL;
    s = tern_synth_check_dir(j->dir, &j->diags);
    return s == TERN_OK ? tern_cli_lock(j->dir, "--output", &j->diags) : s;
}

/* What the planner counts and the tools made must agree; where not, one of them has a mistake. */
static void compare(job *j)
{
    const tern_synth_result *r = &j->result;
    const tern_device *d = j->request.device;
    if (j->request.fit != NULL && r->netlist.single_port_rams != j->fit.sprams)
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_WARNING, W_MEMORY, NULL, 0, d->name,
                                      "the planner counts %" PRIu64 " single-port RAMs, Yosys made %" PRIu64,
                                      j->fit.sprams, r->netlist.single_port_rams),
                       "another version of Yosys may map memories differently; the report has what was made");
    if (j->request.fit != NULL && r->netlist.block_rams != j->fit.rams)
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_WARNING, W_MEMORY, NULL, 0, d->name,
                                      "the planner counts %" PRIu64 " block RAMs, Yosys made %" PRIu64, j->fit.rams,
                                      r->netlist.block_rams),
                       "another version of Yosys may map memories differently; the report has what was made");
    if (d->pnr == NULL)
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_NOTE, N_NETLIST, NULL, 0, d->name,
                                      "for this device only a netlist is made"),
                       "netlist.json is for your own tools");
}

static bool print_json(const job *j)
{
    const tern_synth_result *r = &j->result;
    json_t *o = tern_synth_json(&j->request, r), *seconds = tern_json_object();
    for (unsigned i = 0; i < TERN_SYNTH_TOOLS; ++i)
        if (r->tools[i].program != NULL) tern_json_put(seconds, r->tools[i].role, tern_json_real(r->tools[i].seconds));
    tern_json_put(o, "dir", tern_json_text(j->dir));
    tern_json_put(o, "seconds", seconds);
    return tern_cli_print_json(o, stdout);
}

static void print_text(const job *j)
{
    const tern_board *b = j->request.board;
    tern_synth_print(&j->request, &j->result, stdout);
    printf("folder       %s\n", j->dir);
    if (j->result.bitstream[0] != 0) {
        char path[TERN_SYNTH_PATH + 100];
        snprintf(path, sizeof path, "%s/%s", j->dir, j->result.bitstream);
        const char *at = strstr(b->flash, "%s");
        printf("load it with %.*s%s%s\n", (int)(at - b->flash), b->flash, path, at + 2);
    }
}

static int finish(job *j, tern_status s)
{
    if (s == TERN_OK) compare(j);
    if (s != TERN_OK) return tern_cli_failed(s, &j->diags, "tern synth");
    tern_cli_print_diags(&j->diags);
    bool written = true;
    if (j->o.json) written = print_json(j);
    else print_text(j);
    return written && j->diags.n_errors == 0 ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_synth(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    job *j = calloc(1, sizeof *j);
    if (j == NULL) {
        fputs("tern synth: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    j->o = o;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, tern_alloc_default(), 0);
    tern_catch_interrupts();
    tern_status s = prepare(j);
    if (s == TERN_OK) s = tern_synth_run(&j->request, &j->arena, &j->result, &j->diags);
    const int status = finish(j, s);
    tern_arena_free(&j->arena);
    free(j);
    return status;
}
