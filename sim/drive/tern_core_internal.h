/* tern_core_internal.h : internals of the core cache: its folder and entries, sources and key, building
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CORE_INTERNAL_H
#define TERN_CORE_INTERNAL_H
#include "tern_core_cache.h"
#include <nettle/sha2.h>
#include <stddef.h>
#include "tern/file.h"
#include "tern_progress.h"

enum { PATH_BYTES = 1024, SOURCES_MAX = 64, KEY_DIGITS = 32, ATTEMPTS = 5 };
enum {
    E_NO_TOOL = 601,
    E_VERILATOR = 602,
    E_COMPILE = 603,
    E_CACHE = 604,
    E_SHARE = 605,
    E_LOAD = 606,
    W_DAMAGED = 608,
    E_INTERRUPTED = 609,
    E_YOSYS = 610,
    E_MODEL = 611
};
#define FILE_MAX (64u << 20)

typedef struct source {
    const char *name; /* path in the build folder */
    uint8_t *bytes;
    size_t size;
    bool rtl;     /* given to the tool that reads the design */
    bool emitted; /* the design itself: its comments decide nothing */
} source;

typedef struct builder {
    const tern_core_request *request;
    tern_arena *arena;
    tern_core *out;
    tern_diags *diags;
    const char *share; /* folder that holds rtl/ and sim/ */
    bool share_named;  /* by TERN_SHARE */
    char cache[PATH_BYTES], work[PATH_BYTES + 64], log[PATH_BYTES + 128];
    char key[KEY_DIGITS + 1], top[TERN_NAME_MAX + 8], include[TERN_NAME_MAX + 8];
    size_t n_sources;
    source sources[SOURCES_MAX];
    const char *yosys; /* as it is found on the PATH */
    tern_progress bar;
} builder;

/* Verilator's options; those that some designs go without are left out by tern__core_is_option(). Flags of the
 * compiler. */
extern const char *const tern__core_options[];
extern const size_t tern__core_n_options;
extern const char tern__core_flags_plain[], tern__core_flags_trace[], tern__core_fast[], tern__core_quick[],
    tern__core_quick_too[];

tern_status tern__core_add_design(builder *b);
tern_status tern__core_add_netlist(builder *b);
tern_status tern__core_add_share(builder *b);
tern_status tern__core_ask_version(builder *b);
tern_status tern__core_ask_yosys(builder *b);
tern_status tern__core_build(builder *b);
tern_status tern__core_check(builder *b);
tern_status tern__core_fault(builder *b, int code, const char *what, const char *hint);
tern_status tern__core_install(builder *b);
bool tern__core_is_option(const tern_core_request *q, size_t i);
bool tern__core_join(char *out, size_t bytes, const char *a, const char *b, const char *c);
bool tern__core_load(builder *b, char *why, size_t bytes);
bool tern__core_library_hash(builder *b, const char *folder, char out_hex[65]);
void tern__core_make_key(builder *b);
tern_status tern__core_read_all(const char *path, tern_arena *arena, uint8_t **out, size_t *out_size);
void tern__core_remove_old_work(const builder *b);
void tern__core_to_hex(struct sha256_ctx *hash, char *out, size_t digits);
const char *tern__core_wrapper_of(const tern_core_request *q);

#endif /* TERN_CORE_INTERNAL_H */
