/* tern_cli_board.c : tern board: a board without hardware, on a pseudo-terminal
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tern_capacity.h"
#include "tern_cores.h"
#include "tern_errors.h"
#include "tern_resident.h"
#include "tern_board_model.h"
#include "tern_cli.h"
#include "tern_cli_files.h"
#include "tern_run_fit.h"
#include "tern_core_cache.h"
#include "tern_link_transport.h"
#include "tern_netlist.h"
#include "tern_target.h"
#include "tern_verbs.h"

enum { E_TERMINAL = 810, E_LINK = 811, E_FOREIGN_NET = 813, E_STOPPED = 814 };
enum {
    PATH_BYTES = 64,
    CLOCKS = 20000,
    NETLIST_CLOCKS = 1000 /* they take as long */,
    BYTE_CLOCKS = 40,
    AHEAD = 256,
    IN_MAX = 4096,
    OUT_MAX = 65536,
    IDLE_MS = 500
};

typedef struct options {
    const char *network, *resident, *link, *cache, *core, *engine, *netlist;
    uint64_t lanes, samples, baud;
    bool given_samples, given_lanes, json;
    tern_arg_list sets, capacities;
} options;

typedef struct job {
    options o;
    char samples[40];
    uint32_t samples_wanted;
    tern_arena arena;
    tern_model model;
    tern_resident resident;
    tern_capacity capacity;
    tern_core core;           /* of Verilator */
    void *board;              /* in it */
    tern_board_model *golden; /* with --engine golden */
    tern_link_line line;
    int other_end; /* keeps the terminal from hanging up while no host is there; -1: not open */
    char path[PATH_BYTES];
    bool linked;
    uint8_t out[OUT_MAX]; /* for the host */
    size_t out_at, out_n;
    uint64_t line_clocks; /* netlist: when the bytes that it was given are on the line */
    tern_diags diags;
} job;

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .lanes = 4, .core = "auto", .engine = "verilog" };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .out = &o->network,
          .help = "the network that the board is built for; with --resident: a network that must fit,\n"
                  "and may be omitted" },
        { .name = "--resident", .kind = TERN_ARG_CHOICE, .value = "BOARD", .choices = TERN_BOARD_CHOICES,
          .out = &o->resident,
          .help = "the core that `tern synth --resident --board BOARD` makes:\n" TERN_BOARD_CHOICES },
        { .name = "--lanes", .kind = TERN_ARG_UINT, .value = "P", .lo = 1, .hi = 32, .out = &o->lanes,
          .out_given = &o->given_lanes,
          .help = "weights per cycle of the hardware: 1, 2, 4, 8, 16 or 32; default 4" },
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = TERN_MAX_SAMPLES, .out = &o->samples,
          .out_given = &o->given_samples, .help = "samples (default: the script's)" },
        { .name = "--capacity", .kind = TERN_ARG_LIST, .value = "NAME=VALUE", .what = TERN_WHAT_TEXT,
          .out = &o->capacities,
          .help = "make the core larger than the network needs, e.g. WORDS=20000;\nnames: parameters of NAME.vh" },
        TERN_CLI_CORE_ARG(&o->core),
        { .name = "--engine", .kind = TERN_ARG_CHOICE, .value = "E", .choices = "verilog|golden", .out = &o->engine,
          .help = "verilog: core and link as Verilator simulates them (default);\n"
                  "golden: the C model in their place, fast, for this network only" },
        { .name = "--netlist", .kind = TERN_ARG_CHOICE, .value = "T", .choices = TERN_NETLIST_CHOICES,
          .out = &o->netlist,
          .help = "not the Verilog but the netlist of the whole chip that Yosys\nmakes of it for " TERN_NETLIST_CHOICES
                  ";\nslow: for a few steps" },
        { .name = "--link", .kind = TERN_ARG_STRING, .value = "PATH", .what = TERN_WHAT_OUT, .out = &o->link,
          .help = "symbolic link to make to the terminal" },
        { .name = "--baud", .kind = TERN_ARG_UINT, .value = "B", .lo = 300, .hi = 4000000, .out = &o->baud,
          .help = "no effect: a pseudo-terminal has no rate" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &o->sets,
          .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--cache", .kind = TERN_ARG_STRING, .value = "DIR", .what = TERN_WHAT_FOLDER, .out = &o->cache,
          .help = "folder for built boards; default ~/.cache/tern/cosim" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json,
          .help = "print the terminal and the core's sizes as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "board",
                             .verbose = true,
                             .purpose = "Emulates a board: core, link and UART on a pseudo-terminal, until Ctrl-C. Its "
                                        "first line of output names the terminal, which is what\n"
                                        "`tern run --device` needs.",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = "Any network that fits the core can be run on it (--engine verilog)." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    const int clash = tern_cli_outputs_clash(&args);
    if (clash >= 0) return clash;
    if (o->network == NULL && o->resident == NULL)
        return tern_args_wrong(&args, TERN_ERROR_MISSING_ARGUMENT, "NET.lua|IMAGE is missing; or --resident BOARD");
    if (o->resident != NULL && (o->given_lanes || strcmp(o->core, "auto") != 0))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--resident: lanes and core are the board's; --capacity NAME=VALUE changes them");
    if (o->network == NULL && (o->given_samples || o->sets.n != 0))
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--samples and --set have no effect without a network");
    if (o->network == NULL && strcmp(o->engine, "golden") == 0)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--engine golden runs one network only: which?");
    if ((o->lanes & (o->lanes - 1)) != 0)
        return tern_args_wrong(&args, TERN_ERROR_VALUE, "--lanes %u: allowed are 1, 2, 4, 8, 16 and 32",
                               (unsigned)o->lanes);
    if (o->netlist != NULL && strcmp(o->engine, "golden") == 0)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--netlist has no effect with --engine golden: the C model has no netlist");
    return -1;
}

/* ---- the core ---------------------------------------------------------------------------------------------------- */

static tern_status set_capacity(job *j, size_t i)
{
    char text[120];
    const char *const item = j->o.capacities.items[i];
    if (tern_resident_once(j->o.capacities.items, i, &j->diags) != TERN_OK) return TERN_ERR_ARGUMENT;
    uint32_t value = 0, *field = tern_resident_parameter(&j->capacity, item, &value, &j->diags);
    if (field == NULL) return TERN_ERR_ARGUMENT;
    const bool least = field == &j->capacity.dither_min;
    if (j->o.resident == NULL) {
        if (field == &j->capacity.lanes) return tern_resident_wrong(item, "the number of lanes is --lanes", &j->diags);
        if (field == &j->capacity.small) return tern_resident_wrong(item, "the core is chosen with --core", &j->diags);
        snprintf(text, sizeof text, "the network needs %s %" PRIu32, least ? "at most" : "at least", *field);
        if (least ? value > *field : value < *field) return tern_resident_wrong(item, text, &j->diags);
    }
    *field = value;
    return TERN_OK;
}

/* The board's own capacities; a network must fit them. */
static tern_status make_resident(job *j)
{
    tern_plan plan;
    const tern_board *board = tern_board_find(j->o.resident);
    if (j->o.netlist != NULL && strcmp(j->o.netlist, board->device) != 0) {
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_OTHER_DEVICE, NULL, 0, "--netlist",
                                      "%s has a %s, not a %s", board->text, board->device, j->o.netlist),
                       "--netlist %s", board->device);
        return TERN_ERR_ARGUMENT;
    }
    tern_status s = tern_resident_open(board, &j->resident, &j->diags);
    j->capacity = j->resident.capacity;
    for (size_t i = 0; i < j->o.capacities.n && s == TERN_OK; ++i) s = set_capacity(j, i);
    if (s == TERN_OK && j->o.capacities.n > 0) s = tern_resident_check(&j->capacity, "--capacity", &j->diags);
    if (s != TERN_OK || j->o.network == NULL) return s;
    s = tern_plan_make(&j->model.net, j->capacity.lanes, j->samples_wanted, &j->arena, &plan, &j->diags);
    if (s == TERN_OK) s = tern_plan_fits(&plan, &j->capacity, &j->diags);
    if (s != TERN_ERR_FIT) return s;
    char changes[220];
    const tern_fit_source source = { .limits = tern_cli_compile_options(NULL),
                                     .script = tern_is_script(j->o.network) ? j->o.network : NULL,
                                     .sets = &j->o.sets };
    tern_fit_changes(&source, &j->model, j->samples_wanted, &j->capacity, changes, sizeof changes);
    tern_diag *g = tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_CORE_UNFIT, NULL, 0, "--resident",
                                  "the network '%s' does not fit the resident core of %s; above: what is too small",
                                  j->model.name, j->o.resident);
    if (changes[0] != 0) tern_diag_hint(g, "it fits with %s", changes);
    else
        tern_diag_hint(
            g,
            "no setting was found with which it fits: use a smaller network, or a dedicated bitstream (`tern synth`)");
    return s;
}

/* As much as the network needs, and what was asked for beyond. */
static tern_status make_for_network(job *j)
{
    tern_plan plan;
    tern_status s = tern_plan_make(&j->model.net, (uint32_t)j->o.lanes, j->samples_wanted, &j->arena, &plan, &j->diags);
    if (s == TERN_OK)
        s = tern_target_core(j->o.netlist != NULL ? tern_target_find(j->o.netlist) : NULL,
                             tern_core_choice_find(j->o.core, TERN_FORM_AUTO), &plan, &j->diags);
    if (s != TERN_OK) return s;
    j->capacity = plan.need;
    for (size_t i = 0; i < j->o.capacities.n && s == TERN_OK; ++i) s = set_capacity(j, i);
    if (s == TERN_OK && j->o.capacities.n > 0) s = tern_core_check(&j->capacity, "--capacity", &j->diags);
    return s;
}

static tern_status make_board(job *j)
{
    const bool script = j->o.network != NULL && tern_is_script(j->o.network);
    tern_status s = TERN_OK;
    if (j->o.given_samples && script) {
        if (j->o.sets.n == TERN_ARG_LIST_MAX) return TERN_ERR_LIMIT;
        snprintf(j->samples, sizeof j->samples, "rule.samples=%u", (unsigned)j->o.samples);
        j->o.sets.items[j->o.sets.n++] = j->samples;
    }
    if (j->o.network != NULL) s = tern_cli_open_model(j->o.network, &j->o.sets, &j->arena, &j->model, &j->diags);
    if (s != TERN_OK) return s;
    if (j->o.network == NULL) snprintf(j->model.name, sizeof j->model.name, "resident"); /* what messages call it */
    j->samples_wanted = j->o.given_samples ? (uint32_t)j->o.samples : j->model.net.n_samples;
    s = j->o.resident != NULL ? make_resident(j) : make_for_network(j);
    if (s != TERN_OK) return s;
    const uint64_t random = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
    if (strcmp(j->o.engine, "golden") == 0)
        return tern_board_model_create(&j->model, &j->capacity, (uint8_t)(random % 251), &j->arena, &j->golden,
                                       &j->diags);
    const tern_core_request request = {
        .model = &j->model, .board = &j->capacity, .netlist = j->o.netlist, .cache = j->o.cache
    };
    s = tern_core_open(&request, &j->arena, &j->core, &j->diags);
    if (s == TERN_OK && (j->board = j->core.board->create(random)) == NULL) s = TERN_ERR_MEMORY;
    return s;
}

/* ---- the terminal ------------------------------------------------------------------------------------------------ */

static tern_status make_link(job *j)
{
    struct stat info;
    if (j->o.link == NULL) return TERN_OK;
    if (lstat(j->o.link, &info) == 0 && S_ISLNK(info.st_mode)) unlink(j->o.link); /* of an earlier board */
    if (symlink(j->path, j->o.link) == 0) {
        j->linked = true;
        return TERN_OK;
    }
    tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, E_LINK, j->o.link, 0, "--link",
                                  "the link cannot be created: %s", strerror(errno)),
                   "use another name, or remove the existing file; only symbolic links are replaced");
    return TERN_ERR_IO;
}

static void remove_link(const job *j)
{
    char now[PATH_BYTES + 1];
    if (!j->linked) return;
    const ssize_t n = readlink(j->o.link, now, sizeof now);
    /* not that of a later board */
    if (n == (ssize_t)strlen(j->path) && memcmp(now, j->path, (size_t)n) == 0) unlink(j->o.link);
}

static tern_status open_terminal(job *j)
{
    char why[200];
    if (tern_link_line_pty(&j->line, j->path, sizeof j->path, why, sizeof why) == 0)
        j->other_end = open(j->path, O_RDWR | O_NOCTTY);
    if (j->other_end >= 0) return make_link(j);
    tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, E_TERMINAL, NULL, 0, NULL, "%s",
                                  j->line.fd < 0 ? why : strerror(errno)),
                   "does /dev/pts exist, and are pseudo-terminals left?");
    return TERN_ERR_IO;
}

static bool tell(const job *j)
{
    const tern_capacity *c = &j->capacity;
    if (j->o.json) {
        json_t *core = tern_json_object();
#define XX(name, field, help) tern_json_put(core, #name, json_integer(c->field));
        TERN_CAPACITY_MAP(XX)
#undef XX
        if (!tern_cli_print_json(tern_json_pack("{s:s, s:s?, s:s?, s:b, s:s?, s:o}", "terminal", j->path, "network",
                                                j->o.network != NULL ? j->model.name : NULL, "resident", j->o.resident,
                                                "verilog", (int)(j->golden == NULL), "netlist", j->o.netlist, "core",
                                                core),
                                 stdout))
            return false;
    } else {
        printf("%s\n", j->path);
        if (j->o.resident != NULL) fprintf(stderr, "the resident core of %s: ", j->o.resident);
        else fprintf(stderr, "a board for the network '%s': ", j->model.name);
        fprintf(stderr,
                "%s%" PRIu32 " lanes, %" PRIu32 " neurons, %" PRIu32 " samples, %" PRIu32
                " weight words; %s. Ctrl-C ends it. Use it with\n  tern run ... --device %s\n",
                tern_core_of(c)->prefix, c->lanes, c->neurons, c->samples, c->words,
                j->golden != NULL      ? "the C model"
                : j->o.netlist != NULL ? "its netlist, simulated by Verilator"
                                       : "simulated by Verilator",
                j->o.link != NULL ? j->o.link : j->path);
    }
    return fflush(stdout) == 0;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* Lets the board work on what has come; false: nothing is left to do. */
static bool work(job *j, const uint8_t *bytes, int n)
{
    if (j->golden != NULL) {
        if (n > 0) tern_board_model_put(j->golden, bytes, (size_t)n);
        j->out_n += tern_board_model_take(j->golden, j->out + j->out_n, sizeof j->out - j->out_n);
        return false;
    }
    if (n > 0) {
        const uint64_t now = j->core.board->clocks(j->board);
        j->line_clocks = (j->line_clocks > now ? j->line_clocks : now) + (uint64_t)n * BYTE_CLOCKS;
        j->core.board->put(j->board, bytes, (size_t)n);
    }
    const int state = j->core.board->run(j->board, j->o.netlist != NULL ? NETLIST_CLOCKS : CLOCKS);
    j->out_n += j->core.board->take(j->board, j->out + j->out_n, sizeof j->out - j->out_n);
    if (state == 2)
        tern_diags_add(&j->diags, TERN_SEV_ERROR, E_STOPPED, NULL, 0, NULL,
                       "a check inside the simulated hardware has failed, see above");
    return state != 0;
}

static void send(job *j)
{
    const int n =
        j->out_at < j->out_n ? j->line.io.write(j->line.io.ud, j->out + j->out_at, (int)(j->out_n - j->out_at)) : 0;
    if (n > 0) j->out_at += (size_t)n;
    /* nobody reads: bytes get lost, as on a line */
    if (j->out_at == j->out_n || j->out_n > OUT_MAX / 2) j->out_at = j->out_n = 0;
}

static tern_status serve(job *j)
{
    uint8_t in[IN_MAX];
    bool active = true;
    while (!tern_interrupted() && j->diags.n_errors == 0) {
        /* a netlist may be slower than the host is patient: what it sends again waits in the terminal, where there is
         * little room, and not in a queue that grows */
        const bool slow = j->o.netlist != NULL,
                   full = slow && j->line_clocks > j->core.board->clocks(j->board) + AHEAD * BYTE_CLOCKS;
        const int n = full ? 0 : j->line.io.read(j->line.io.ud, in, slow ? AHEAD : (int)sizeof in);
        if (n < 0) {
            tern_diags_add(&j->diags, TERN_SEV_ERROR, E_TERMINAL, j->path, 0, NULL, "the terminal is gone: %s",
                           strerror(errno));
            return TERN_ERR_IO;
        }
        active = work(j, in, n);
        send(j);
        if (j->golden != NULL && tern_board_model_foreign(j->golden)) {
            tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, E_FOREIGN_NET, j->path, 0, "--engine",
                                          "the host has loaded another network than '%s', or other settings, and the C "
                                          "model of a board runs that one only",
                                          j->model.name),
                           "--engine verilog, or make the board for that network, with the same --set");
            return TERN_ERR_ARGUMENT;
        }
        if (active || n > 0) continue;
        struct pollfd p = { .fd = j->line.fd, .events = (short)(POLLIN | (j->out_at < j->out_n ? POLLOUT : 0)) };
        poll(&p, 1, IDLE_MS);
    }
    return j->diags.n_errors == 0 ? TERN_OK : TERN_ERR_TOOL;
}

/* What the simulated hardware prints must not get behind the terminal's name. */
static tern_status serve_quiet(job *j)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    if (kept >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
    const tern_status s = serve(j);
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
    return s;
}

int tern_verb_board(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    const tern_alloc alloc = tern_alloc_default();
    job *j = alloc.fn(alloc.ud, NULL, sizeof *j); /* too large for a stack */
    if (j == NULL) {
        fputs("tern board: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    memset(j, 0, sizeof *j);
    j->o = o;
    j->line.fd = j->other_end = -1;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, alloc, 0);
    tern_catch_interrupts();
    tern_status s = make_board(j);
    if (s == TERN_OK) s = open_terminal(j);
    if (s == TERN_OK && !tell(j)) s = TERN_ERR_IO;
    if (s == TERN_OK) s = serve_quiet(j);
    remove_link(j);
    if (j->other_end >= 0) close(j->other_end);
    tern_link_line_close(&j->line);
    if (j->board != NULL) j->core.board->destroy(j->board);
    tern_core_close(&j->core);
    const int status = s == TERN_OK ? TERN_EXIT_DONE : tern_cli_failed(s, &j->diags, "tern board");
    tern_arena_free(&j->arena);
    alloc.fn(alloc.ud, j, 0);
    return status;
}
