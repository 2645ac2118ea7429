/* tern_sandbox.c : the Lua state of a script and the limits it runs under
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory is counted in the allocator, work in hooks at instructions and calls, in the allocator, before a source is
 * parsed, and in every library function whose cost grows with its arguments (tern__charge). No clock is read: whether a
 * script passes must not depend on the machine. What one instruction does to a long text (comparing it, reading it as a
 * number) no hook can see, so with the longest text that the script has made each instruction counts for more. Once a
 * limit was hit the front is "tripped": the hook then fires at every instruction and pcall raises again, so a script
 * cannot continue. There are no finalisers and no coroutines (tern_lib.c), so no code of the script runs outside the
 * hook.
 *
 * The allocator calls no Lua function: Lua calls it while a call record is half built. So that "not enough memory"
 * still has a place, the hook (at every new line) and the functions of tern (when entered) note where the script is.
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_front.h"
#include <stdio.h>
#include <string.h>

tern__front *tern__front_of(lua_State *L) { return *(tern__front **)lua_getextraspace(L); }

const char *tern__file_of_chunk(const tern__front *f, const char *chunk)
{
    for (uint32_t i = 0; i < f->n_sources; ++i)
        if (strcmp(f->sources[i].chunk, chunk) == 0) return f->sources[i].file;
    return chunk;
}

/* Keeps the place of `ar`; the texts of sources outlive the script's. */
static void note_place(tern__front *f, const lua_Debug *ar)
{
    for (uint32_t i = 0; i < f->n_sources; ++i)
        if (strcmp(f->sources[i].chunk, ar->short_src) == 0) {
            f->place_file = f->sources[i].file;
            f->place_line = ar->currentline > 0 ? ar->currentline : 1;
            return;
        }
}

bool tern__script_place(tern__front *f, char *out_file, size_t bytes, int *out_line)
{
    lua_Debug ar;
    for (int level = 0; lua_getstack(f->L, level, &ar); ++level) {
        if (!lua_getinfo(f->L, "Sl", &ar) || ar.what[0] == 'C') continue;
        snprintf(out_file, bytes, "%s", tern__file_of_chunk(f, ar.short_src));
        *out_line = ar.currentline > 0 ? ar.currentline : 1;
        return true;
    }
    snprintf(out_file, bytes, "%s", f->n_sources > 0 ? f->sources[0].file : "");
    *out_line = 0;
    return false;
}

void tern__keep_place(lua_State *L)
{
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); ++level) {
        if (!lua_getinfo(L, "Sl", &ar) || ar.what[0] == 'C') continue;
        note_place(tern__front_of(L), &ar);
        return;
    }
}

/* ---- large blocks: what tables are made of ---- */

enum { LARGE = 1024 /* bytes; going through fewer costs nothing to speak of */ };

/* Where a block is, or would be. */
static size_t slot_of(const tern__blocks *b, uintptr_t at)
{
    size_t i = (size_t)(((uint64_t)at >> 4) * 0x9E3779B97F4A7C15u >> 32) & (b->room - 1);
    while (b->slots[i].at != 0 && b->slots[i].at != at) i = (i + 1) & (b->room - 1);
    return i;
}

static size_t block_bytes(const tern__blocks *b, uintptr_t at)
{
    return b->room == 0 || at == 0 ? 0 : b->slots[slot_of(b, at)].bytes;
}

/* Without memory for it a block is not noted: a walk through it then counts for less. */
static void note_block(tern__front *f, const void *p, size_t bytes)
{
    tern__blocks *b = &f->blocks;
    const tern_alloc alloc = f->arena->alloc;
    if (bytes < LARGE || f->closing) return;
    if (b->n >= b->room / 2) {
        tern__blocks more = { .n = b->n, .room = b->room == 0 ? 256 : 2 * b->room };
        more.slots = alloc.fn(alloc.ud, NULL, more.room * sizeof *more.slots);
        if (more.slots == NULL) return;
        memset(more.slots, 0, more.room * sizeof *more.slots);
        for (size_t i = 0; i < b->room; ++i)
            if (b->slots[i].at != 0) more.slots[slot_of(&more, b->slots[i].at)] = b->slots[i];
        if (b->slots != NULL) (void)alloc.fn(alloc.ud, b->slots, 0);
        *b = more;
    }
    b->slots[slot_of(b, (uintptr_t)p)] = (struct tern__block){ (uintptr_t)p, bytes };
    ++b->n;
}

static void forget_block(tern__front *f, uintptr_t at)
{
    tern__blocks *b = &f->blocks;
    if (b->room == 0 || f->closing) return;
    size_t hole = slot_of(b, at);
    if (b->slots[hole].at == 0) return;
    --b->n;
    b->slots[hole] = (struct tern__block){ 0, 0 };
    for (size_t i = (hole + 1) & (b->room - 1); b->slots[i].at != 0; i = (i + 1) & (b->room - 1)) {
        const struct tern__block moved = b->slots[i]; /* it may have stood here because of the hole */
        b->slots[i] = (struct tern__block){ 0, 0 };
        b->slots[slot_of(b, moved.at)] = moved;
    }
}

/* Lua does not tell how many places a table has. But its allocator knows every block, and a table's first bytes point
 * to those that it is made of. */
void tern__charge_walk(lua_State *L, int table, uint64_t charged)
{
    enum { BYTES = 256 /* of empty places, for a unit */ };
    const tern__front *f = tern__front_of(L);
    const char *head = lua_topointer(L, table);
    uint64_t bytes = 0;
    for (size_t at = 0; at + sizeof(uintptr_t) <= f->table_bytes; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, head + at, sizeof word);
        bytes += block_bytes(&f->blocks, word);
    }
    if (bytes / BYTES > charged) tern__charge(L, bytes / BYTES - charged);
}

/* Lua's allocator. It must not call Lua, not even for the place. `old_bytes` is the kind of object when ptr is NULL.
 * Shrinking must not fail for Lua. */
static void *script_alloc(void *ud, void *ptr, size_t old_bytes, size_t bytes)
{
    tern__front *f = ud;
    const tern_alloc alloc = f->arena->alloc;
    const size_t had = ptr == NULL ? 0 : old_bytes;
    if (bytes == 0) {
        if (ptr != NULL) (void)alloc.fn(alloc.ud, ptr, 0);
        if (had >= LARGE) forget_block(f, (uintptr_t)ptr);
        f->memory_used -= had;
        return NULL;
    }
    if (bytes > had && !f->closing) {
        const bool text = ptr == NULL && old_bytes == LUA_TSTRING && bytes > TERN__TEXT_BYTES + 64u;
        if (text || bytes - had > f->memory_limit - f->memory_used) {
            f->text_too_long = text;
            f->host_refused = false;
            /* Lua answers a refusal with a full collection: that is work */
            f->work += f->memory_used / 8u;
            return NULL;
        }
        f->work += 4u + bytes / 64u;
        if (ptr == NULL && old_bytes == LUA_TSTRING && bytes > f->longest_text) f->longest_text = bytes;
    }
    /* a table whose keys are counted again keeps its array */
    if (ptr != NULL && bytes == had) f->work += bytes / 256u;
    if (ptr == NULL && old_bytes == LUA_TTABLE) f->table_bytes = bytes;
    const uintptr_t was = (uintptr_t)ptr;
    void *p = alloc.fn(alloc.ud, ptr, bytes);
    if (p == NULL && bytes <= had) p = ptr;
    if (p == NULL) {
        f->host_refused = true;
        f->text_too_long = false;
        return NULL;
    }
    if (had >= LARGE) forget_block(f, was);
    note_block(f, p, bytes);
    f->memory_used = f->memory_used - had + bytes;
    return p;
}

/* Units of one instruction. */
static uint64_t instruction_units(const tern__front *f)
{
    enum { FREE = 160, BYTES = 64 };
    return f->longest_text <= FREE ? 1u : 1u + f->longest_text / BYTES;
}

/* A call copies its arguments, and a script can have a hundred thousand of them (table.unpack, ...). */
static void count_call(lua_State *L, lua_Debug *ar)
{
    enum { FEW = 16, MOST = 1 << 24 };
    int n = 0;
    if (!lua_getinfo(L, "u", ar)) return;
    if (ar->isvararg && ar->nparams == 0) n = lua_gettop(L); /* of the library; else the frame's size, at most 250 */
    if (ar->isvararg && lua_getlocal(L, ar, -FEW) != NULL) {
        int low = FEW, high = FEW;
        lua_pop(L, 1);
        while (high < MOST && lua_getlocal(L, ar, -(high *= 2)) != NULL) {
            lua_pop(L, 1);
            low = high;
        }
        while (high - low > 1) { /* low is there, high is not */
            const int mid = low + (high - low) / 2;
            const bool there = lua_getlocal(L, ar, -mid) != NULL;
            if (there) lua_pop(L, 1);
            *(there ? &low : &high) = mid;
        }
        n += low;
    }
    tern__charge(L, 1u + (uint64_t)n / 2u);
}

static void hook(lua_State *L, lua_Debug *ar)
{
    tern__front *f = tern__front_of(L);
    if (f->trip != TERN__TRIP_NONE) {
        lua_pushliteral(L, "stopped");
        lua_error(L);
    }
    if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL) {
        count_call(L, ar);
        return;
    }
    /* the usual case, made cheap: Lua tells the line, and there is but one file */
    if (ar->event == LUA_HOOKLINE && f->n_sources == 1) {
        f->place_file = f->sources[0].file;
        f->place_line = ar->currentline;
        return;
    }
    if (lua_getinfo(L, "Sl", ar)) note_place(f, ar);
    if (ar->event != LUA_HOOKCOUNT) return;
    tern__charge(L, TERN__HOOK_EVERY * instruction_units(f));
}

int tern__raise_trip(lua_State *L, tern__trip why)
{
    tern__front *f = tern__front_of(L);
    if (f->trip == TERN__TRIP_NONE) {
        f->trip = why;
        /* of memory: the last place before it was refused */
        if (why != TERN__TRIP_MEMORY && why != TERN__TRIP_HOST) tern__keep_place(L);
    }
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "stopped");
    return lua_error(L);
}

void tern__charge(lua_State *L, uint64_t units)
{
    tern__front *f = tern__front_of(L);
    f->work = units > UINT64_MAX / 2 ? UINT64_MAX / 2 : f->work + units;
    if (f->work > f->work_limit || f->trip != TERN__TRIP_NONE) tern__raise_trip(L, TERN__TRIP_WORK);
}

void tern__sandbox_end(tern__front *f)
{
    const tern_alloc alloc = f->arena->alloc;
    lua_State *L = f->L;
    f->closing = true;
    f->L = NULL;
    if (L != NULL) lua_close(L);
    if (f->blocks.slots != NULL) (void)alloc.fn(alloc.ud, f->blocks.slots, 0);
    f->blocks = (tern__blocks){ 0 };
}

lua_State *tern__sandbox_new(tern__front *f)
{
    lua_State *L = lua_newstate(script_alloc, f);
    if (L == NULL) {
        tern__sandbox_end(f);
        return NULL;
    }
    *(tern__front **)lua_getextraspace(L) = f;
    f->L = L;
    return L;
}

void tern__sandbox_watch(lua_State *L)
{
    lua_sethook(L, hook, LUA_MASKCOUNT | LUA_MASKLINE | LUA_MASKCALL, TERN__HOOK_EVERY);
}

/* ---- errors of a run ---- */

/* "net.lua:12: text" -> file, line, text. Returns the text without its prefix. */
static const char *split_place(tern__front *f, const char *msg, char *file, size_t bytes, int *line)
{
    for (uint32_t i = 0; i < f->n_sources; ++i) {
        const size_t n = strlen(f->sources[i].chunk);
        if (strncmp(msg, f->sources[i].chunk, n) != 0 || msg[n] != ':') continue;
        int value = 0, used = 0;
        if (sscanf(msg + n, ":%9d: %n", &value, &used) != 1 || used == 0) continue;
        snprintf(file, bytes, "%s", f->sources[i].file);
        *line = value;
        return msg + n + (size_t)used;
    }
    return msg;
}

static void run_hint(tern_diag *g, const char *msg)
{
    const char *instead = tern__removed_hint(msg);
    if (instead != NULL) tern_diag_hint(g, "%s", instead);
    else if (strstr(msg, "stack overflow") != NULL)
        tern_diag_hint(g, "a function calls itself without end, or some 200 library calls deep; use a loop");
    else if (strstr(msg, "attempt to call a nil value") != NULL)
        tern_diag_hint(
            g, "is the name spelt as in docs/10-language.md? Scripts have only the functions listed in its section 9");
    else if (strstr(msg, "attempt to index a nil value") != NULL)
        tern_diag_hint(g, "a population or table must be assigned before it is used");
}

/* The calls that led to the place of the error: a note for each function of the script that called the one above it,
 * the nearest first. */
static void tell_calls(lua_State *L)
{
    enum { CALLS_TOLD = 10, LEVELS_MOST = 100 /* finding a level takes a step for each one above it */ };
    tern__front *f = tern__front_of(L);
    lua_Debug ar;
    unsigned told = 0, left = 0;
    bool inner = false; /* the frame of the error itself is passed */
    const char *file = "";
    int line = 0;
    char callee[80] = "";
    int level = 0;
    for (; level < LEVELS_MOST && lua_getstack(L, level, &ar); ++level) {
        if (!lua_getinfo(L, "Sln", &ar) || ar.what[0] == 'C') continue;
        file = tern__file_of_chunk(f, ar.short_src);
        line = ar.currentline > 0 ? ar.currentline : 1;
        if (inner && told < CALLS_TOLD) {
            tern_diags_add(f->diags, TERN_SEV_NOTE, TERN__E_RUN, file, line, "", "%s was called here",
                           callee[0] != 0 ? callee : "a function");
            ++told;
        } else if (inner) ++left;
        inner = true;
        if (ar.name != NULL) snprintf(callee, sizeof callee, "'%.70s'", ar.name);
        else callee[0] = 0;
    }
    if (left > 0)
        tern_diags_add(
            f->diags, TERN_SEV_NOTE, TERN__E_RUN, file, line, "",
            level < LEVELS_MOST ? "and %u calls more, the last one from here" : "and more than %u calls more", left);
}

/* Message handler: turns the error into a diagnostic while the stack still shows where it happened. */
int tern__sandbox_handler(lua_State *L)
{
    static const char write_text[] = "write error(\"what is wrong\")";
    tern__front *f = tern__front_of(L);
    if (f->trip != TERN__TRIP_NONE || f->loading) return 1; /* told already, or will be by who loads */
    char file[160] = "";
    int line = 0;
    (void)tern__script_place(f, file, sizeof file, &line);
    ++f->n_errors;
    if (lua_type(L, 1) == LUA_TSTRING) {
        const char *msg = split_place(f, lua_tostring(L, 1), file, sizeof file, &line);
        if (tern__text_is_empty(msg))
            tern_diag_hint(tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_RUN, file, line, "",
                                          "the script raised an error whose text is empty"),
                           "%s", write_text);
        else run_hint(tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_RUN, file, line, "", "%s", msg), msg);
    } else {
        tern_diag *g = tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_RUN, file, line, "",
                                      "the script raised an error whose value is %s%s, not a text",
                                      lua_isnil(L, 1) ? "" : "a ", luaL_typename(L, 1));
        tern_diag_hint(g, "%s", write_text);
    }
    tell_calls(L);
    f->trip = TERN__TRIP_ERRORS; /* reported */
    return 1;
}

void tern__sandbox_failed(tern__front *f, int lua_status)
{
    if (f->trip == TERN__TRIP_NONE && lua_status == LUA_ERRMEM)
        f->trip = f->host_refused ? TERN__TRIP_HOST : TERN__TRIP_MEMORY;
    if (f->trip == TERN__TRIP_NONE) { /* an error while an error was handled */
        f->trip = TERN__TRIP_ERRORS;
        ++f->n_errors;
        tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_RUN, f->place_file, f->place_line, "",
                       "an error happened while an error was handled");
    }
    if (f->trip == TERN__TRIP_ERRORS) return; /* told already */
    ++f->n_errors;
    tern_diag *g;
    const double seconds = (double)f->work_limit / TERN__WORK_PER_SECOND;
    switch (f->trip) {
    case TERN__TRIP_WORK:
        g = tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_WORK, f->place_file, f->place_line, "",
                           "the script was stopped: it used up its work limit of about %.3g s (%llu units)", seconds,
                           (unsigned long long)f->work_limit);
        tern_diag_hint(g,
                       "is there an endless loop? If the script needs more, raise the limit with --script-seconds S");
        break;
    case TERN__TRIP_MEMORY:
        if (f->text_too_long) {
            g = tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_MEMORY, f->place_file, f->place_line, "",
                               "the script was stopped: a text longer than %u bytes (not enough memory)",
                               TERN__TEXT_BYTES);
            tern_diag_hint(g, "a network description needs no long texts; is something appended in a loop?");
            break;
        }
        g = tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_MEMORY, f->place_file, f->place_line, "",
                           "the script was stopped: not enough memory, it may use %zu bytes and has %zu in use",
                           f->memory_limit, f->memory_used);
        tern_diag_hint(g, "is something appended in a loop without end? If the script needs more, raise the limit with "
                          "--script-memory MIB");
        break;
    default:
        tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_HOST_MEMORY, f->place_file, f->place_line, "",
                       "not enough memory on this machine");
        break;
    }
}

int tern__load_source(lua_State *L, const char *bytes, size_t size, const char *file)
{
    tern__front *f = tern__front_of(L);
    if (f->n_sources == TERN__MAX_SOURCES) return luaL_error(L, "more than %d modules", (int)TERN__MAX_SOURCES - 1);
    tern__source *s = &f->sources[f->n_sources];
    const char *slash = strrchr(file, '/');
    const char *base = slash == NULL ? file : slash + 1;
    const size_t n = strlen(base);
    snprintf(s->chunk, sizeof s->chunk, "%s", n < sizeof s->chunk ? base : base + (n - (sizeof s->chunk - 1)));
    s->file = file;
    ++f->n_sources;
    tern__charge(L, tern__parse_units(bytes, size));
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) bytes += 3, size -= 3; /* byte order mark */
    if (size > 0 && bytes[0] == '#') /* "#!": the line's end stays, so line numbers hold */
        while (size > 0 && *bytes != '\n') ++bytes, --size;
    char name[sizeof s->chunk + 1];
    snprintf(name, sizeof name, "=%s", s->chunk);
    int status = LUA_ERRSYNTAX;
    if (size > 0 && bytes[0] == LUA_SIGNATURE[0])
        lua_pushfstring(L, "%s:1: this is Lua bytecode; only source text is accepted", s->chunk);
    else {
        f->loading = true;
        status = luaL_loadbufferx(L, bytes, size, name, "t");
        f->loading = false;
    }
    if (status == LUA_OK) return 1;
    if (status == LUA_ERRMEM) return tern__raise_trip(L, f->host_refused ? TERN__TRIP_HOST : TERN__TRIP_MEMORY);
    char place[160];
    int line = 0;
    snprintf(place, sizeof place, "%s", file);
    const char *msg = lua_tostring(L, -1);
    msg = msg == NULL ? "syntax error" : split_place(f, msg, place, sizeof place, &line);
    ++f->n_errors;
    tern_diag *g = tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_SYNTAX, place, line, "", "%s", msg);
    tern_diag_hint(g, strstr(msg, "bytecode") != NULL
                          ? "give the .lua file itself"
                          : "the mistake may be just before this place: a missing comma, brace or end");
    return tern__raise_trip(L, TERN__TRIP_ERRORS);
}
