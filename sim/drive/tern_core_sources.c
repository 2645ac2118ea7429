/* tern_core_sources.c : what a core is made of: sources, options, and the key that they give
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "tern_core_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/utsname.h>
#include "tern_compiler.h"
#include "tern_capacity.h"
#include "tern_cores.h"
#include "tern_emit.h"
#include "tern_netlist.h"
#include "tern_synth.h"
#include "tern_trust.h"
#include "tern_share.h"

/* What the C++ side is, besides tern_dut.cpp. The library shows one function; nothing in it may be shared with another
 * core's library. */
#ifdef TERN_SANITIZED
#define SHARED ""
#else
#define SHARED "#define TERN_DUT_SHARED\n" /* see tern_dut_end.h */
#endif
/* file: without its suffix, also the type of its table; more: further definitions. */
#define WRAPPER(file, more) \
    "#define TERN_DUT_CLASS Vtern_dut\n#define TERN_DUT_HEADER \"Vtern_dut.h\"\n" \
    "#define TERN_DUT_SYMBOL tern_dut_get\n" SHARED more "#include \"" file ".h\"\n" \
    "extern \"C\" __attribute__((visibility(\"default\"))) const " file " *tern_dut_get(void);\n" \
    "#include \"" file ".cpp\"\n"
static const char wrapper[] = WRAPPER("tern_dut", "");
static const char board_wrapper[] = WRAPPER("tern_board_dut", "");
static const char chip_wrapper[] = WRAPPER("tern_board_dut", "#define TERN_BOARD_PINS_ONLY\n");
/* -Wno-fatal: a newer Verilator may warn of what none did before, which stops nobody's work; the tests of this tree are
 * strict. */
const char *const tern__core_options[] = { "--cc",
                                           "--exe",
                                           "-Wno-fatal",
                                           "--x-assign",
                                           "unique",
                                           "--x-initial",
                                           "unique",
                                           "-O3",
                                           "+define+TERN_COSIM",
                                           "+define+TERN_CHECK_RAM",
                                           "-I.",
                                           "--prefix",
                                           "Vtern_dut",
                                           "--Mdir",
                                           "obj",
                                           "-o",
                                           "core.so",
                                           "-LDFLAGS",
                                           "-shared -Wl,-Bsymbolic" };
const size_t tern__core_n_options = sizeof tern__core_options / sizeof tern__core_options[0];
enum { EVENTS = 8, CHECKS = 9 }; /* places some go without */
const char *tern__core_wrapper_of(const tern_core_request *q)
{
    return q->board == NULL ? wrapper : q->netlist == NULL ? board_wrapper : chip_wrapper;
}
/* A board has no ev_ ports; a netlist was written by Yosys, warnings say nothing, and what the two defines decide is
 * decided. */
bool tern__core_is_option(const tern_core_request *q, size_t i)
{
    return !(q->board != NULL && i == EVENTS) && !(q->netlist != NULL && (i == EVENTS || i == CHECKS));
}
const char tern__core_flags_plain[] = "-I.. -fPIC -fvisibility=hidden -fno-gnu-unique -DVL_USER_FINISH -DVL_USER_FATAL",
           tern__core_flags_trace[] =
               "-I.. -fPIC -fvisibility=hidden -fno-gnu-unique -DVL_USER_FINISH -DVL_USER_FATAL -DTERN_DUT_TRACE",
           /* tern__core_quick: a netlist runs for few steps, and compiling it better takes minutes */
    tern__core_fast[] = "OPT_FAST=-O2", tern__core_quick[] = "OPT_FAST=-O0", tern__core_quick_too[] = "OPT_GLOBAL=-O0";

/* ---- sources and key --------------------------------------------------------------------------------------------- */

static tern_status add_source(builder *b, const char *folder, const char *file, const char *name, bool rtl)
{
    char path[2 * PATH_BYTES];
    if (b->n_sources == SOURCES_MAX) return TERN_ERR_LIMIT;
    source *s = &b->sources[b->n_sources];
    s->rtl = rtl;
    s->emitted = false;
    s->name = tern_arena_strdup(b->arena, name);
    if (s->name == NULL) return TERN_ERR_MEMORY;
    if (!tern__core_join(path, sizeof path, folder, "/", file)) return TERN_ERR_LIMIT;
    tern_status status = TERN_OK; /* the tree that the program was built from is as good as the program */
    if (folder == b->share && b->share_named && access(path, F_OK) == 0)
        status = tern_trust_check(path, "a source file of the hardware", b->diags);
    if (status != TERN_OK) return status;
    status = tern__core_read_all(path, b->arena, &s->bytes, &s->size);
    if (status == TERN_OK) ++b->n_sources;
    else if (status != TERN_ERR_MEMORY)
        tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_SHARE, path, 0, NULL,
                                      "a source file of the hardware is missing: %s", tern_status_text(status)),
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
    for (char *line = strtok_r((char *)b->sources[at].bytes, "\r\n", &rest); line != NULL && s == TERN_OK;
         line = strtok_r(NULL, "\r\n", &rest)) {
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

static tern_status add_core_list(builder *b, const tern_core_ops *ops)
{
    return add_list(b, ops->list, strrchr(ops->list, '/') + 1);
}

/* The core's files, or the board's, and the wrapper. */
tern_status tern__core_add_share(builder *b)
{
    b->share = tern_share_folder(&b->share_named);
    const bool board = b->request->board != NULL;
    const tern_core_ops *const either[] = { &tern_core_large_ops,
                                            &tern_core_small_ram_ops }; /* that a board may have */
    tern_status s = board ? TERN_OK : add_core_list(b, tern_core_of(&b->request->plan->need));
    for (size_t i = 0; s == TERN_OK && board && i < sizeof either / sizeof *either; ++i)
        s = add_core_list(b, either[i]);
    if (s == TERN_OK) s = add_source(b, b->share, "sim/drive/tern_dut_end.h", "tern_dut_end.h", false);
    if (s == TERN_OK && board) {
        s = add_list(b, "rtl/tern_link.f", "tern_link.f");
        if (s == TERN_OK && b->request->netlist != NULL)
            s = add_source(b, b->share, "rtl/boards/tern_chip.v", "rtl/boards/tern_chip.v", true);
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
    int n = snprintf(text, BOARD_BYTES,
                     "`default_nettype none\nmodule tern_board_sim (input wire clk_i, input wire rx_i, output wire "
                     "tx_o, output wire led_o, output wire busy_o);\n"
                     "  tern_board #(.CLK_HZ(12000000), .BAUD(3000000), .BUFFER_AW(12)");
#define XX(name, field, help) \
    n += snprintf(text + n, (size_t)(BOARD_BYTES - n), ", ." #name "(%u)", (unsigned)b->request->board->field);
    TERN_CAPACITY_MAP(XX)
#undef XX
    snprintf(text + n, (size_t)(BOARD_BYTES - n),
             ") u_board (.clk_i(clk_i), .ready_i(1'b1), .rx_i(rx_i), .tx_o(tx_o), .led_o(led_o));\n  assign busy_o = "
             "u_board.busy;\nendmodule\n`default_nettype wire\n");
    snprintf(b->top, sizeof b->top, "tern_board_sim");
    return add_text(b, "tern_board_sim.v", text, true);
}

/* The chip that `tern synth` makes, for its netlist: four pins and nothing to look into; only its line is faster. */
static tern_status add_chip(builder *b)
{
    char *text = tern_arena_get(b->arena, BOARD_BYTES, 1), *network = tern_arena_get(b->arena, BOARD_BYTES, 1);
    if (text == NULL || network == NULL) return TERN_ERR_MEMORY;
    snprintf(text, BOARD_BYTES,
             "`default_nettype none\nmodule tern_chip_sim (input wire clk_i, input wire rx_i, output wire tx_o, output "
             "wire led_o);\n"
             "  tern_chip #(.CLK_HZ(12000000), .BAUD(3000000)) u_chip (.clk_i(clk_i), .ready_i(1'b1), .rx_i(rx_i), "
             ".tx_o(tx_o), .led_o(led_o));\nendmodule\n`default_nettype wire\n");
    int n = snprintf(network, BOARD_BYTES, "localparam [31:0] LOAD_WRITES = 0, LAYOUT_HASH = 0;\n");
#define XX(name, field, help) \
    n += snprintf(network + n, (size_t)(BOARD_BYTES - n), "localparam " #name " = %u;\n", \
                  (unsigned)b->request->board->field);
    TERN_CAPACITY_MAP(XX)
#undef XX
    snprintf(b->top, sizeof b->top, "tern_chip_sim");
    const tern_status s = add_text(b, "tern_network.vh", network, false);
    return s == TERN_OK ? add_text(b, "tern_chip_sim.v", text, true) : s;
}

/* The emitted design: the top that `tern compile` writes. */
tern_status tern__core_add_design(builder *b)
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
tern_status tern__core_add_netlist(builder *b)
{
    const tern_core_request *q = b->request;
    if (q->netlist == NULL) return TERN_OK;
    const char *rtl[SOURCES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < b->n_sources; ++i)
        if (b->sources[i].rtl) rtl[n++] = b->sources[i].name;
    tern_status s = TERN_OK;
    for (const char *const *file = tern_netlist_files(q->netlist); *file != NULL && s == TERN_OK; ++file)
        s = add_source(b, b->share, *file, *file, false);
    for (unsigned i = 0; i < TERN_NETLIST_SCRIPTS && s == TERN_OK; ++i) {
        s = add_text(b, tern_netlist_script_name[i],
                     tern_netlist_script(i, q->netlist, q->board != NULL ? q->board : &q->plan->need, b->top,
                                         q->board == NULL, rtl, n, b->arena),
                     false);
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

static void hash_text(struct sha256_ctx *hash, const char *text)
{
    sha256_update(hash, strlen(text) + 1, (const uint8_t *)text);
}

void tern__core_make_key(builder *b)
{
    struct sha256_ctx hash;
    struct utsname machine;
    sha256_init(&hash);
    hash_text(&hash, "tern core 2");
    hash_text(&hash, uname(&machine) == 0 ? machine.machine : "");
    hash_text(&hash, b->out->verilator);
    hash_text(&hash, b->out->yosys);
    for (size_t i = 0; i < tern__core_n_options; ++i)
        if (tern__core_is_option(b->request, i)) hash_text(&hash, tern__core_options[i]);
    hash_text(&hash, b->request->trace ? tern__core_flags_trace : tern__core_flags_plain);
    hash_text(&hash, b->request->netlist != NULL ? tern__core_quick : tern__core_fast);
    if (b->request->netlist != NULL) hash_text(&hash, tern__core_quick_too);
    hash_text(&hash, tern__core_wrapper_of(b->request));
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
    tern__core_to_hex(&hash, b->key, KEY_DIGITS);
    /* the cache has a name of less than PATH_BYTES - 200 */
    snprintf(b->out->entry, sizeof b->out->entry, "%.900s/%s", b->cache, b->key);
}
