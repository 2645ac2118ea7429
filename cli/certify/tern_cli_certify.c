/* tern_cli_certify.c : `tern certify`: one folder and one page that prove a bitstream
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_certify.h"
#include "tern_errors.h"
#include "tern_cli.h"
#include "tern_device.h"
#include "tern_verbs.h"

typedef struct options {
    const char *network, *board, *dir, *lanes, *core, *until, *data, *proofs, *key, *check, *signers;
    uint64_t seeds, steps, netlist_steps, samples;
    double mhz;
    bool json, making; /* an option was given of how one is made */
    tern_arg_list sets;
} options;

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .lanes = "4",
                    .core = "auto",
                    .until = "bitstream",
                    .seeds = 1,
                    .steps = 1000,
                    .netlist_steps = 20,
                    .samples = 20 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_FILE,
          .ext = "lua|tern",
          .out = &o->network,
          .help = "a script, or an image; none with --check" },
        { .name = "--board",
          .kind = TERN_ARG_CHOICE,
          .value = "B",
          .choices = TERN_BOARD_CHOICES,
          .out = &o->board,
          .help = "board: " TERN_BOARD_CHOICES },
        { .name = "--output",
          .letter = 'o',
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_FOLDER,
          .value = "DIR",
          .out = &o->dir,
          .help = "folder of the certificate; an older certificate is replaced" },
        { .name = "--lanes",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_TEXT,
          .value = "P",
          .out = &o->lanes,
          .out_given = &o->making,
          .help = "as of tern synth: 1, 2, 4, 8, 16, 32 (default 4), or auto" },
        TERN_CLI_CORE_ARG(&o->core),
        { .name = "--freq",
          .kind = TERN_ARG_REAL,
          .value = "MHZ",
          .real_lo = 0.1,
          .real_hi = 1000,
          .out = &o->mhz,
          .out_given = &o->making,
          .help = "clock of the core; default: the board's" },
        { .name = "--seeds",
          .kind = TERN_ARG_UINT,
          .value = "N",
          .lo = 1,
          .hi = 64,
          .out = &o->seeds,
          .out_given = &o->making,
          .help = "places and routes N times, keeps the fastest; default 1" },
        { .name = "--until",
          .kind = TERN_ARG_CHOICE,
          .value = "STAGE",
          .choices = "netlist|packed|bitstream",
          .out = &o->until,
          .out_given = &o->making,
          .help = "where synthesis ends; default bitstream" },
        { .name = "--steps",
          .kind = TERN_ARG_UINT,
          .value = "N",
          .lo = 0,
          .hi = 1000000000,
          .out = &o->steps,
          .out_given = &o->making,
          .help = "steps of the Verilog in lockstep; 0: none; default 1000" },
        { .name = "--netlist-steps",
          .kind = TERN_ARG_UINT,
          .value = "N",
          .lo = 0,
          .hi = 1000000,
          .out = &o->netlist_steps,
          .out_given = &o->making,
          .help = "steps of a netlist in lockstep; 0: none; default 20" },
        { .name = "--data",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_DATA,
          .value = "PATH",
          .out = &o->data,
          .help = "recordings: for the lockstep, and for the accuracy of integers and reference" },
        { .name = "--samples",
          .kind = TERN_ARG_UINT,
          .value = "K_I",
          .lo = 1,
          .hi = 256,
          .out = &o->samples,
          .out_given = &o->making,
          .help = "samples that vote, with --data; default 20" },
        { .name = "--proofs",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_FOLDER,
          .value = "BUILD",
          .out = &o->proofs,
          .help = "runs the proofs of a build of Tern with its tests" },
        { .name = "--key",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_FILE,
          .value = "FILE",
          .out = &o->key,
          .help = "signs with this SSH key (ssh-keygen)" },
        { .name = "--check",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_FOLDER,
          .value = "DIR",
          .out = &o->check,
          .help = "compares every byte of a certificate" },
        { .name = "--signers",
          .kind = TERN_ARG_STRING,
          .what = TERN_WHAT_FILE,
          .value = "FILE",
          .out = &o->signers,
          .help = "with --check: must be signed by one of these (ALLOWED SIGNERS of ssh-keygen)" },
        { .name = "--set",
          .kind = TERN_ARG_LIST,
          .what = TERN_WHAT_SETTING,
          .value = "KEY=VALUE",
          .out = &o->sets,
          .help = "change a setting of the script" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the result as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "certify",
                             .purpose = "Makes a folder that proves a bitstream: files, digests, lockstep, timing, "
                                        "accuracy, commands, and one HTML page. Or checks one.",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue =
                                 "docs/56-certificates.md says what a certificate proves, and what it does not." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (o->check != NULL) {
        if (o->making || strcmp(o->core, "auto") != 0)
            return tern_args_wrong(&args, TERN_ERROR_USAGE,
                                   "--check compares a folder: options of how one is made have no effect");
        if (o->network != NULL || o->board != NULL || o->dir != NULL || o->data != NULL || o->key != NULL ||
            o->proofs != NULL || o->sets.n != 0)
            return tern_args_wrong(&args, TERN_ERROR_USAGE,
                                   "--check compares a folder: network, --board, --output, --data, --key, --proofs and "
                                   "--set have no effect");
        return -1;
    }
    if (o->network == NULL) return tern_args_wrong(&args, TERN_ERROR_MISSING_ARGUMENT, "NET.lua|IMAGE is missing");
    if (o->board == NULL) return tern_args_wrong(&args, TERN_ERROR_MISSING_ARGUMENT, "--board B is missing");
    if (o->dir == NULL) return tern_args_wrong(&args, TERN_ERROR_MISSING_ARGUMENT, "--output DIR is missing");
    if (o->signers != NULL) return tern_args_wrong(&args, TERN_ERROR_USAGE, "--signers has no effect without --check");
    return -1;
}

static bool tell(const options *o, const tern_certify_report *r)
{
    const char *dir = o->check != NULL ? o->check : o->dir;
    if (o->json)
        return tern_cli_print_json(tern_json_pack("{s:s, s:I, s:I, s:s, s:b, s:s?}", "dir", dir, "files",
                                                  (json_int_t)r->files, "bytes", (json_int_t)r->bytes, "manifest",
                                                  r->manifest_sha256, "signed", r->is_signed, "signer",
                                                  r->signer[0] != 0 ? r->signer : NULL),
                                   stdout);
    printf("certificate  %s: %zu files, %" PRIu64 " bytes, all as listed\n", dir, r->files, r->bytes);
    printf("manifest     %s\n", r->manifest_sha256);
    printf("signature    %s\n", !r->is_signed       ? "none: a change of all files that fits together is not detected"
                                : r->signer[0] != 0 ? r->signer
                                                    : "intact, but nobody was asked for with --signers");
    return true;
}

int tern_verb_certify(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    tern_certify_report r = { .files = 0 };
    tern_arena arena;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_catch_interrupts();
    tern_status s;
    if (o.check != NULL) s = tern_certify_check(o.check, o.signers, &arena, &r, &diags);
    else {
        const tern_certify_request q = { .network = o.network,
                                         .board = o.board,
                                         .dir = o.dir,
                                         .lanes = o.lanes,
                                         .core = o.core,
                                         .until = o.until,
                                         .data = o.data,
                                         .proofs = o.proofs,
                                         .key = o.key,
                                         .sets = o.sets.items,
                                         .n_sets = o.sets.n,
                                         .seeds = o.seeds,
                                         .steps = o.steps,
                                         .netlist_steps = o.netlist_steps,
                                         .samples = o.samples,
                                         .mhz = o.mhz,
                                         .version = TERN_VERSION,
                                         .say = tern_cli_print_line };
        s = o.key != NULL ? tern_certify_key(o.key, &diags) : TERN_OK; /* before hours of work */
        if (s == TERN_OK) s = tern_certify_check_dir(o.dir, &diags);
        if (s == TERN_OK) s = tern_cli_lock(o.dir, "--output", &diags);
        if (s == TERN_OK) s = tern_certify_make(&q, &arena, &r, &diags);
    }
    int status = TERN_EXIT_DONE;
    if (s != TERN_OK) status = tern_cli_failed(s, &diags, "tern certify");
    else if (!tell(&o, &r)) status = TERN_EXIT_FOUND;
    tern_arena_free(&arena);
    return status;
}
