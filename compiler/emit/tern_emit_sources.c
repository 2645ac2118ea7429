/* tern_emit_sources.c : the Verilog that a network's top needs, copied beside it, and the lists of it: NAME.f and
 * NAME.core SPDX-License-Identifier: Apache-2.0
 *
 * With these a folder needs nothing of Tern's own tree: it can be moved, sent, and built elsewhere.
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_emit.h"
#include "tern_errors.h"
#include "tern_emit_common.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_cores.h"
#include "tern_trust.h"
#include "tern/image.h"

enum { PATH_BYTES = 1024, FILE_MOST = 4 << 20 };

static const char *const large[] = {
#include "tern_rtl_files.inc" /* rtl/tern_core.f */
    NULL
};
static const char *const small[] = {
#include "tern_small_files.inc" /* rtl/tern_small.f */
    NULL
};
static const char *const bridge[] = {
#include "tern_bridge_files.inc" /* rtl/tern_bridge.f */
    NULL
};

const char *const *tern__emit_core_files(const tern_plan *plan)
{
    static const char *const *const lists[TERN_DESIGNS] = { [TERN_DESIGN_LARGE] = large, [TERN_DESIGN_SMALL] = small };
    return lists[tern_core_of(&plan->need)->design];
}
const char *const *tern__emit_bridge_files(void) { return bridge; }

bool tern__emit_listed(const char *const *list, const char *file)
{
    for (; *list != NULL; ++list)
        if (strcmp(*list, file) == 0) return true;
    return false;
}

/* ---- copies -------------------------------------------------------------------------------------------------------
 */

/* Makes the folders that a file lies in. */
static void make_parents(char *path, size_t from)
{
    for (char *slash = path + from; (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = 0;
        (void)mkdir(path, 0777); /* one that cannot be made is noticed by who writes the file */
        *slash = '/';
    }
}

static tern_status unread(const tern_emit_share *share, const char *path, tern_status why, tern_diags *diags)
{
    if (why == TERN_ERR_MEMORY) return why;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_HARDWARE_FILE, path, 0, NULL,
                                  "a file of the hardware cannot be read: %s", tern_status_text(why)),
                   "set TERN_SHARE to the folder that holds Tern's rtl/ (now: %s)", share->folder);
    return TERN_ERR_IO;
}

static tern_status copy(const tern_emit_share *share, const char *file, const char *dir, tern_diags *diags)
{
    char from[PATH_BYTES], to[PATH_BYTES];
    const int n = snprintf(from, sizeof from, "%s/%s", share->folder, file);
    const int m = snprintf(to, sizeof to, "%s/%s", dir, file);
    if (n < 0 || (size_t)n >= sizeof from || m < 0 || (size_t)m >= sizeof to) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER_NAME, dir, 0, NULL, "the folder's name is too long");
        return TERN_ERR_ARGUMENT;
    }
    if (share->named && access(from, F_OK) == 0) {
        const tern_status trusted = tern_trust_check(from, "a source file of the hardware", diags);
        if (trusted != TERN_OK) return trusted;
    }
    const tern_alloc alloc = tern_alloc_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    tern_status s = tern_file_read(from, FILE_MOST, alloc, &bytes, &size, NULL);
    if (s != TERN_OK) return unread(share, from, s, diags);
    make_parents(to, strlen(dir) + 1);
    s = tern_file_write_part(to, bytes, size, diags);
    alloc.fn(alloc.ud, bytes, 0);
    return s;
}

/* ---- NAME.f -------------------------------------------------------------------------------------------------------
 */

static void write_list(FILE *f, const tern_model *m, const tern_plan *plan, const char *hash)
{
    const char *n = m->name;
    fprintf(f, "// %s.f : source files of %s_top, in order\n//\n", n, n);
    tern__emit_header(f, "// ", m, hash);
    fprintf(f,
            "//\n// Run the tool in this folder; all files are in it:\n"
            "//     verilator --lint-only -Wno-fatal -f %s.f --top-module %s_top\n"
            "//     iverilog -g2005 -Wall -c %s.f -s %s_top -o %s.vvp\n",
            n, n, n, n, n);
    fprintf(f, "+incdir+.\n");
    for (const char *const *file = tern__emit_core_files(plan); *file != NULL; ++file) fprintf(f, "%s\n", *file);
    fprintf(f, "%s_top.v\n", n);
}

/* ---- NAME.core ----------------------------------------------------------------------------------------------------
 */

static void write_core(FILE *f, const tern_model *m, const tern_plan *plan, const char *hash)
{
    const char *n = m->name, *const *core = tern__emit_core_files(plan);
    fprintf(f, "CAPI=2:\n# %s.core : package description for FuseSoC: fusesoc --cores-root . run --target=lint %s\n#\n",
            n, n);
    tern__emit_header(f, "# ", m, hash);
    fprintf(f, "name: \"::%s:0\"\n", n);
    fprintf(f,
            "description: \"A core that holds the spiking network '%s', made by Tern\"\n\nfilesets:\n  core:\n    "
            "files:\n",
            n);
    for (const char *const *file = core; *file != NULL; ++file) fprintf(f, "      - %s\n", *file);
    fprintf(f, "      - %s.vh: {is_include_file: true}\n      - %s_top.v\n    file_type: verilogSource-2005\n", n, n);
    fprintf(f, "  bridge:\n    files:\n");
    for (const char *const *file = bridge; *file != NULL; ++file)
        if (!tern__emit_listed(core, *file)) fprintf(f, "      - %s\n", *file);
    fprintf(f, "    file_type: verilogSource-2005\n");
    fprintf(f,
            "  memory:\n    files:\n      - %s_load.hex: {file_type: user, copyto: %s_load.hex}\n"
            "      - %s_stream.hex: {file_type: user, copyto: %s_stream.hex}\n",
            n, n, n, n);
    fprintf(f, "\ntargets:\n  default: &default\n    filesets: [core, memory]\n    toplevel: %s_top\n", n);
    fprintf(f,
            "  bridge:\n    description: with the bridges to AXI4-Lite, AXI-Stream and Wishbone\n"
            "    filesets: [core, bridge, memory]\n    toplevel: %s_top\n",
            n);
    fprintf(f, "  lint:\n    <<: *default\n    description: Verilator's checks\n    default_tool: verilator\n"
               "    tools:\n      verilator:\n        mode: lint-only\n        verilator_options: [-Wall]\n");
}

typedef void writer(FILE *f, const tern_model *m, const tern_plan *plan, const char *hash);

static tern_status write_file(writer *write, const char *extension, const tern_model *model, const tern_plan *plan,
                              const char *dir, tern_diags *diags)
{
    char hash[65];
    tern_file_writer file;
    tern_status s = tern_layout_hash(model, hash);
    if (s == TERN_OK) s = tern__emit_begin(&file, model, dir, extension, diags);
    if (s != TERN_OK) return s;
    write(file.f, model, plan, hash);
    return tern_file_commit(&file, diags);
}

tern_status tern__emit_list(const tern_model *model, const tern_plan *plan, const char *dir, tern_diags *diags)
{
    return write_file(write_list, ".f", model, plan, dir, diags);
}

tern_status tern_emit_sources(const tern_model *model, const tern_plan *plan, const tern_emit_share *share,
                              const char *dir, tern_diags *diags)
{
    const char *const *core = tern__emit_core_files(plan);
    tern_status s = TERN_OK;
    for (const char *const *file = core; s == TERN_OK && *file != NULL; ++file) s = copy(share, *file, dir, diags);
    for (const char *const *file = bridge; s == TERN_OK && *file != NULL; ++file)
        if (!tern__emit_listed(core, *file)) s = copy(share, *file, dir, diags);
    return s == TERN_OK ? write_file(write_core, ".core", model, plan, dir, diags) : s;
}
