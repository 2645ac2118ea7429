/* tern_front.c : from a script to a description
 * SPDX-License-Identifier: Apache-2.0
 *
 * The script runs in its sandbox; what it declares is collected in a tern_desc and checked.
 */
#include "tern_front.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/locale.h"

typedef struct script {
    const char *bytes;
    size_t size;
    const char *file;
    const tern_compile_options *options;
} script;

/* Everything that uses Lua, protected as a whole. */
static int run_script(lua_State *L)
{
    const script *s = lua_touserdata(L, 1);
    lua_settop(L, 0);
    tern__lib_open(L);
    tern__sandbox_watch(L);
    tern__sets_parse(L, s->options);
    lua_createtable(L, 0, 32);
    const int table = lua_gettop(L);
    tern__values_open(L, table);
    tern__inits_open(L, table);
    tern__net_open(L, table);
    tern__rule_open(L, table);
    tern__settings_open(L, table);
    lua_settop(L, 0);
    (void)tern__load_source(L, s->bytes, s->size, s->file);
    lua_call(L, 0, 0);
    tern__formats_default(L);
    return 0;
}

/* "nets/2 digits.lua" -> "n2_digits". */
static void model_name(const char *file, char *out, size_t bytes)
{
    const char *slash = strrchr(file, '/'), *base = slash == NULL ? file : slash + 1;
    size_t n = strlen(base), used = 0;
    if (n > 4 && strcmp(base + n - 4, ".lua") == 0) n -= 4;
    if (n == 0 || !isalpha((unsigned char)base[0])) out[used++] = 'n';
    for (size_t i = 0; i < n && used + 1 < bytes; ++i)
        out[used++] = (char)(isalnum((unsigned char)base[i]) ? base[i] : '_');
    out[used] = 0;
}

static void hex(const uint8_t *bytes, size_t n, char *out)
{
    for (size_t i = 0; i < n; ++i) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static tern_status out_of_memory(tern_diags *diags, const char *file)
{
    tern_diags_add(diags, TERN_SEV_ERROR, TERN__E_HOST_MEMORY, file, 0, "", "not enough memory on this machine");
    return TERN_ERR_MEMORY;
}

static uint64_t work_units(double seconds)
{
    const double units = seconds * TERN__WORK_PER_SECOND;
    return units > 1e18 ? (uint64_t)1000000000000000000u : units < 1.0 ? 1u : (uint64_t)units;
}

/* Runs the script; the description is complete when it returns TERN_OK. */
static tern_status describe(tern__front *f, script *s)
{
    const tern_compile_options *o = s->options;
    const double seconds =
        o != NULL && o->script_seconds > 0 && isfinite(o->script_seconds) ? o->script_seconds : TERN__SECONDS;
    f->memory_limit = o != NULL && o->script_memory_bytes > 0 ? o->script_memory_bytes : TERN__MEMORY_BYTES;
    f->work_limit = work_units(seconds);
    tern_desc *d = f->desc;
    d->seed = 1;
    d->formats = (tern_format_desc){ .weight_bits = 16,
                                     .weight_frac = 12,
                                     .trace_frac = 8,
                                     .learn_bits = 12,
                                     .lags = 0,
                                     .signal_frac = TERN_SIGNAL_AUTO };
    d->data.label_population = -1;
    model_name(s->file, d->name, sizeof d->name);
    snprintf(d->file, sizeof d->file, "%s", s->file);
    sha256_init(&f->sha);
    sha256_update(&f->sha, s->size, (const uint8_t *)s->bytes);

    f->place_file = s->file;
    lua_State *L = tern__sandbox_new(f);
    if (L == NULL) {
        if (f->host_refused) return out_of_memory(f->diags, s->file);
        f->sources[0] = (tern__source){ "", s->file };
        tern__sandbox_failed(f, LUA_ERRMEM);
        return TERN_ERR_SCRIPT;
    }
    lua_pushcfunction(L, tern__sandbox_handler);
    lua_pushcfunction(L, run_script);
    lua_pushlightuserdata(L, s);
    const int status = lua_pcall(L, 1, 0, 1);
    if (f->n_sources == 0) f->sources[0] = (tern__source){ "", s->file }; /* failed before the source was read */
    if (status != LUA_OK) tern__sandbox_failed(f, status);
    else if (f->n_unset != 0) {
        lua_pushcfunction(L, tern__report_unset);
        (void)lua_pcall(L, 0, 0, 0); /* no memory: without the warning */
    }
    tern__sandbox_end(f);
    if (status != LUA_OK && f->trip == TERN__TRIP_HOST) return TERN_ERR_MEMORY;
    if (status == LUA_OK) tern__sets_finish(f);
    if (f->n_errors == 0) tern__settings_finish(f);
    if (f->n_errors == 0) tern__rule_finish(f);
    if (f->n_errors == 0) tern__initial_finish(f);
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&f->sha, sizeof digest, digest);
    hex(digest, sizeof digest, d->source_sha256);
    return f->n_errors == 0 ? TERN_OK : TERN_ERR_SCRIPT;
}

tern_status tern_script_no_memory(tern_diags *diags, const char *file) { return out_of_memory(diags, file); }

static tern_status read_script(script *s, const char *folder, tern_arena *arena, tern_desc **out_desc,
                               tern_diags *diags)
{
    tern__front *f = tern_arena_get(arena, 1, sizeof *f);
    tern_desc *d = tern_arena_get(arena, 1, sizeof *d);
    if (f == NULL || d == NULL) return out_of_memory(diags, s->file);
    f->arena = arena;
    f->diags = diags;
    f->desc = d;
    f->folder = folder;
    f->arena_start = arena->used_bytes;
    *out_desc = d;
    /* Lua's numbers and letters: a script means the same in every program */
    const tern_locale before = tern_locale_begin();
    const tern_status status = describe(f, s);
    tern_locale_end(before);
    return status;
}

tern_status tern_script_file(const char *path, const tern_compile_options *options, tern_arena *arena,
                             tern_desc **out_desc, tern_diags *diags)
{
    const char *bytes, *why;
    size_t size;
    bool no_memory;
    if (!tern__read_file(arena, path, true, &bytes, &size, &why, &no_memory)) {
        if (no_memory) return out_of_memory(diags, path);
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_ERROR, TERN__E_FILE, path, 0, "", "the script cannot be used: %s", why),
            "give the path of a .lua file");
        return TERN_ERR_IO;
    }
    /* "net.lua" lies in "", "a/net.lua" in "a", "/net.lua" in "/." */
    char *folder = tern_arena_strdup(arena, path);
    char *file = tern_arena_strdup(arena, path);
    if (folder == NULL || file == NULL) return out_of_memory(diags, path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) folder[0] = 0;
    else if (slash == folder) folder = "/.";
    else *slash = 0;
    script s = { bytes, size, file, options };
    return read_script(&s, folder, arena, out_desc, diags);
}

tern_status tern_script_string(const char *source, size_t size, const char *name, const tern_compile_options *options,
                               tern_arena *arena, tern_desc **out_desc, tern_diags *diags)
{
    if (size > TERN__SCRIPT_BYTES) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN__E_FILE, name, 0, "",
                       "the script cannot be used: it is larger than 1 MiB");
        return TERN_ERR_IO;
    }
    script s = { source, size, name, options };
    return read_script(&s, NULL, arena, out_desc, diags);
}

/* ---- the list of keys ---- */
void tern_language_keys(void (*row)(void *ud, const tern_language_key *key), void *ud)
{
    static const char *const types[] = { "number", "whole number", "boolean",     "text",   "word",
                                         "list",   "population",   "populations", "filter", "filters",
                                         "init",   "pattern",      "table" };
    size_t n;
    const tern__key *k = tern__schema_all(&n);
    for (size_t i = 0; i < n; ++i) {
        char range[80] = "";
        const bool numeric = k[i].type == TERN__NUMBER || k[i].type == TERN__INTEGER || k[i].type == TERN__INTEGERS;
        if (numeric)
            tern_format(range, sizeof range, "%s%.10g..%.10g", (k[i].flags & TERN__LO_OPEN) ? "above " : "", k[i].lo,
                        k[i].hi);
        if (k[i].choices != NULL) snprintf(range, sizeof range, "%s", k[i].choices);
        const tern_language_key out = { k[i].section,
                                        k[i].key,
                                        types[k[i].type],
                                        k[i].def,
                                        range,
                                        k[i].help,
                                        (k[i].flags & TERN__REQUIRED) != 0,
                                        (k[i].flags & TERN__SETTABLE) != 0,
                                        (k[i].flags & TERN__SET_ONLY) == 0 };
        row(ud, &out);
    }
}
