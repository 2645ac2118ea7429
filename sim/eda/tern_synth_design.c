/* tern_synth_design.c : the files that the tools of tern_synth() read
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_synth_job.h"
#include "tern_errors.h"
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_emit.h"
#include "tern/file.h"
#include "tern_trust.h"
#include "tern_share.h"

typedef tern__synth_job job;

void tern__synth_make_parents(const char *path)
{
    char text[TERN_SYNTH_PATH + 512];
    snprintf(text, sizeof text, "%s", path);
    for (char *p = text + 1; *p != 0; ++p)
        if (*p == '/') {
            *p = 0;
            mkdir(text, 0777); /* if it fails, what comes next tells */
            *p = '/';
        }
}

/* A file of the folder that TERN_SHARE names; one that is missing is reported by its reader. */
static tern_status check_source(job *j, const char *path)
{
    return j->share_named && access(path, F_OK) == 0 ? tern_trust_check(path, "a source file of the hardware", j->diags)
                                                     : TERN_OK;
}

tern_status tern__synth_read(job *j, const char *path, char **out, size_t *out_size)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const tern_alloc alloc = tern_alloc_default();
    const tern_status s = tern_file_read(path, FILE_MAX, alloc, &bytes, &size, NULL);
    if (s != TERN_OK) return s;
    *out = tern_arena_get(j->arena, size + 1, 1); /* a 0 byte behind */
    if (*out != NULL) memcpy(*out, bytes, size);
    alloc.fn(alloc.ud, bytes, 0);
    if (out_size != NULL) *out_size = size;
    return *out == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

tern_status tern__synth_write_text(job *j, const char *name, const char *text)
{
    char path[sizeof j->work + 128];
    snprintf(path, sizeof path, "%s/%s", j->work, name);
    return tern_file_write(path, text, strlen(text), j->diags);
}

/* ---- the design -------------------------------------------------------------------------------------------------- */

static tern_status unread(job *j, const char *path, const char *what, tern_status s)
{
    tern_diag *g =
        tern_diags_add(j->diags, TERN_SEV_ERROR, TERN_ERROR_HARDWARE_FILE, path, 0, NULL, "%s cannot be read: %s", what,
                       s == TERN_ERR_LIMIT ? "it is too large" : tern_status_text(s));
    if (s == TERN_ERR_LIMIT)
        tern_diag_hint(g,
                       "none of Tern's has more than %d MiB: put it back as it was, or set TERN_SHARE to another "
                       "folder with Tern's rtl/ (now: %s)",
                       FILE_MAX >> 20, j->share);
    else tern_diag_hint(g, "set TERN_SHARE to the folder that holds Tern's rtl/ (now: %s)", j->share);
    return TERN_ERR_IO;
}

/* Copies share/name to DIR/name; `source`: Yosys reads it. */
static tern_status copy(job *j, const char *name, bool source)
{
    char from[TERN_SYNTH_PATH], to[sizeof j->work + 256], *text;
    size_t size;
    for (size_t i = 0; i < j->n_sources; ++i)
        if (strcmp(j->sources[i], name) == 0) return TERN_OK; /* both lists have the memories */
    snprintf(from, sizeof from, "%.700s/%.200s", j->share, name);
    tern_status s = check_source(j, from);
    if (s != TERN_OK) return s;
    s = tern__synth_read(j, from, &text, &size);
    if (s == TERN_ERR_MEMORY) return s;
    if (s != TERN_OK) return unread(j, from, "a file of the hardware", s);
    if (j->n_sources == SOURCES_MAX) {
        tern_diag_hint(tern_diags_add(j->diags, TERN_SEV_ERROR, TERN_ERROR_HARDWARE_FILE, from, 0, NULL,
                                      "the hardware's lists name more than %d files", SOURCES_MAX),
                       "TERN_SHARE names a folder with Tern's rtl/ (now: %s)", j->share);
        return TERN_ERR_IO;
    }
    snprintf(to, sizeof to, "%s/%s", j->work, name);
    tern__synth_make_parents(to);
    s = tern_file_write(to, text, size, j->diags);
    if (s == TERN_OK && source && (j->sources[j->n_sources++] = tern_arena_strdup(j->arena, name)) == NULL)
        s = TERN_ERR_MEMORY;
    return s;
}

static tern_status copy_list(job *j, const char *list)
{
    char path[TERN_SYNTH_PATH], *text, *rest = NULL;
    snprintf(path, sizeof path, "%.700s/%.200s", j->share, list);
    tern_status s = check_source(j, path);
    if (s != TERN_OK) return s;
    s = tern__synth_read(j, path, &text, NULL);
    if (s == TERN_ERR_MEMORY) return s;
    if (s != TERN_OK) return unread(j, path, "the list of the hardware's files", s);
    for (char *line = strtok_r(text, "\r\n", &rest); line != NULL && s == TERN_OK;
         line = strtok_r(NULL, "\r\n", &rest)) {
        if (line[0] == 0 || strncmp(line, "//", 2) == 0) continue;
        if (strncmp(line, "rtl/", 4) != 0 || strstr(line, "..") != NULL || strlen(line) > 150) {
            tern_diags_add(j->diags, TERN_SEV_ERROR, TERN_ERROR_HARDWARE_FILE, path, 0, NULL,
                           "'%.80s' is not a file below rtl/", line);
            return TERN_ERR_IO;
        }
        s = copy(j, line, true);
    }
    return s;
}

static tern_status write_parameters(job *j)
{
    const tern_clock *c = &j->q->clock;
    char text[1024];
    snprintf(text, sizeof text,
             "// tern_network.vh : which network tern_chip holds\n// GENERATED FILE - do not edit. Generator: tern "
             "synth.\n`include \"%s.vh\"\n",
             j->q->name);
    tern_status s = tern__synth_write_text(j, "tern_network.vh", text);
    if (s != TERN_OK || j->q->board == NULL) return s;
    snprintf(text, sizeof text,
             "// tern_clock.vh : clock and baud rate of %s\n// GENERATED FILE - do not edit. Generator: tern synth.\n"
             "localparam CLK_HZ = %" PRIu32 ", BAUD = %" PRIu32 ", PLL = %d;\n"
             "localparam [3:0] PLL_DIVR = 4'd%" PRIu32 ";\nlocalparam [6:0] PLL_DIVF = 7'd%" PRIu32
             ";\nlocalparam [2:0] PLL_DIVQ = 3'd%" PRIu32 ";\nlocalparam [2:0] PLL_FILTER = 3'd%" PRIu32 ";\n"
             "localparam PLL_CLKOP = %" PRIu32 ", PLL_CLKOS = %" PRIu32 ";\n",
             j->q->board->text, c->hz, j->q->baud, c->pll, c->divr, c->divf, c->divq, c->filter,
             c->clkop > 0 ? c->clkop : 1, c->clkos > 0 ? c->clkos : 1);
    return tern__synth_write_text(j, "tern_clock.vh", text);
}

static tern_status write_script(job *j)
{
    char path[sizeof j->work + 64], name[64];
    tern_file_writer file;
    snprintf(name, sizeof name, "%s", TERN__SYNTH_SCRIPT);
    snprintf(path, sizeof path, "%s/%s", j->work, TERN__SYNTH_SCRIPT);
    const tern_status s = tern_file_begin(&file, path, j->diags);
    if (s != TERN_OK) return s;
    FILE *f = file.f;
    fprintf(f,
            "# %s : synthesis of %s for %s\n# GENERATED FILE - do not edit. Generator: tern synth. To be run in this "
            "folder: yosys %s\n",
            name, j->q->name, j->q->device->text, name);
    for (size_t i = 0; i < j->n_sources; ++i) fprintf(f, "read_verilog -I. %s\n", j->sources[i]);
    tern_synth_commands(j->q->device, j->q->capacity, j->top, j->q->until == TERN_UNTIL_ALL, true, f);
    fprintf(f, "tee -q -o stat.json stat -json\nwrite_json netlist.json\n");
    return tern_file_commit(&file, j->diags);
}

tern_status tern__synth_write_design(job *j)
{
    const tern_board *board = j->q->board;
    char name[128];
    j->share = tern_share_folder(&j->share_named);
    tern_status s = j->q->model != NULL
                        ? tern_emit_rtl(j->q->model, j->q->plan, j->q->device->name, j->work, j->arena, j->diags)
                        : tern_emit_capacity(j->q->name, j->q->capacity, j->q->device->name, j->work, j->diags);
    if (s == TERN_OK) s = copy_list(j, "rtl/tern_core.f");
    if (s == TERN_OK) s = copy_list(j, "rtl/tern_small.f");
    if (s == TERN_OK) s = copy_list(j, "rtl/tern_link.f");
    if (s == TERN_OK) s = copy_list(j, "rtl/tern_boards.f");
    j->top = "tern_chip";
    if (s == TERN_OK && board != NULL) {
        snprintf(name, sizeof name, "rtl/boards/%s/tern_top.v", board->name);
        s = copy(j, name, true);
        j->top = "tern_top";
        snprintf(name, sizeof name, "rtl/boards/%s/%s.%s", board->name, board->name, j->q->device->constraints);
        if (s == TERN_OK) s = copy(j, name, false);
    }
    if (s == TERN_OK && tern_synth_file(j->q->device) != NULL) s = copy(j, tern_synth_file(j->q->device), false);
    if (s == TERN_OK) s = write_parameters(j);
    return s == TERN_OK ? write_script(j) : s;
}
