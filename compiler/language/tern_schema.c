/* tern_schema.c : the keys of every declaration; checks, defaults and the list of keys come from this one table
 * SPDX-License-Identifier: Apache-2.0
 *
 * A declaration reads its table by schema: known keys in the schema's order, then what is left over, sorted, as
 * unknown. Nothing depends on the order in which Lua stores a table. The order of rows inside a section is that of the
 * enums in the files that read them.
 */
#include "tern_front.h"
#include "tern_args.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/locale.h"

#define R TERN__REQUIRED
#define S TERN__SETTABLE
#define O TERN__LO_OPEN
#define M 9007199254740992.0 /* 2^53 */

static const tern__key schema[] = {
    { "input", "name", TERN__TEXT, R, 0, 0, 1, TERN_NAME_MAX, "", NULL, "name of the population" },
    { "input", "size", TERN__INTEGER, S, 1, 65536, 0, 0, "", NULL, "number of units; size or shape" },
    { "input", "shape", TERN__INTEGERS, S, 1, 65536, 1, 3, "", NULL,
      "{n}, {rows, columns} or {planes, rows, columns}" },
    { "hidden", "name", TERN__TEXT, R, 0, 0, 1, TERN_NAME_MAX, "", NULL, "name of the population" },
    { "hidden", "size", TERN__INTEGER, S, 1, 65536, 0, 0, "", NULL, "number of neurons; size or shape" },
    { "hidden", "shape", TERN__INTEGERS, S, 1, 65536, 1, 3, "", NULL,
      "{n}, {rows, columns} or {planes, rows, columns}" },
    { "hidden", "memory", TERN__FILTER, 0, 0, 0, 0, 0, "", NULL, "filter of the self-memory; none without it" },
    { "hidden", "bias", TERN__INIT, S, 0, 0, 0, 0, "tern.zero()", NULL, "initial biases" },
    { "hidden", "memory_init", TERN__INIT, S, 0, 0, 0, 0, "tern.zero()", NULL, "initial weights of the self-memory" },
    { "hidden", "wta", TERN__INTEGER, S, 2, TERN_MAX_WTA, 0, 0, "", NULL,
      "number of neighbouring units that form a winner-take-all circuit" },
    { "visible", "name", TERN__TEXT, R, 0, 0, 1, TERN_NAME_MAX, "", NULL, "name of the population" },
    { "visible", "size", TERN__INTEGER, S, 1, 65536, 0, 0, "", NULL, "number of neurons; size or shape" },
    { "visible", "shape", TERN__INTEGERS, S, 1, 65536, 1, 3, "", NULL,
      "{n}, {rows, columns} or {planes, rows, columns}" },
    { "visible", "memory", TERN__FILTER, 0, 0, 0, 0, 0, "", NULL, "filter of the self-memory; none without it" },
    { "visible", "bias", TERN__INIT, S, 0, 0, 0, 0, "tern.zero()", NULL, "initial biases" },
    { "visible", "memory_init", TERN__INIT, S, 0, 0, 0, 0, "tern.zero()", NULL, "initial weights of the self-memory" },
    { "visible", "wta", TERN__INTEGER, S, 2, TERN_MAX_WTA, 0, 0, "", NULL,
      "number of neighbouring units that form a winner-take-all circuit" },
    { "connect", "from", TERN__POPULATIONS, R, 0, 0, 1, TERN_MAX_POPULATIONS, "", NULL,
      "where spikes come from: a population or a list" },
    { "connect", "to", TERN__POPULATIONS, R, 0, 0, 1, TERN_MAX_POPULATIONS, "", NULL,
      "where they go: a hidden or visible population or a list" },
    { "connect", "filters", TERN__FILTERS, R, 0, 0, 1, TERN_MAX_FILTERS, "", NULL,
      "one weight per synapse and filter" },
    { "connect", "pattern", TERN__PATTERN, 0, 0, 0, 0, 0, "tern.all()", NULL, "which unit reaches which" },
    { "connect", "self", TERN__BOOLEAN, 0, 0, 0, 0, 0, "false", NULL,
      "inside one population: also each unit to itself" },
    { "connect", "init", TERN__INIT, 0, 0, 0, 0, 0, "tern.uniform(-0.05, 0.05)", NULL, "initial weights" },
    { "random", "density", TERN__NUMBER, R | O, 0, 1, 0, 0, "", NULL, "probability of each pair" },
    { "random", "seed", TERN__INTEGER, 0, 0, M, 0, 0, "", NULL, "default: from tern.seed and the projection's number" },
    { "window", "size", TERN__INTEGERS, R | TERN__ONE_OK, 1, 65536, 2, 2, "", NULL,
      "rows and columns that a unit sees" },
    { "window", "stride", TERN__INTEGERS, TERN__ONE_OK, 1, 65536, 2, 2, "1", NULL,
      "distance of the windows of neighbouring units" },
    { "window", "offset", TERN__INTEGERS, TERN__ONE_OK, -65536, 65536, 2, 2, "0", NULL,
      "first row and column of the window of unit (0, 0)" },
    { "raised_cosine", "count", TERN__INTEGER, 0, 1, TERN_MAX_FILTERS, 0, 0, "1", NULL, "filters in the set" },
    { "raised_cosine", "duration", TERN__INTEGER, 0, 1, TERN_MAX_TAPS, 0, 0, "10", NULL, "steps" },
    { "raised_cosine", "offset", TERN__NUMBER, 0, 0.001, 1000, 0, 0, "1", NULL, "steps; larger: spacing more even" },
    { "raised_cosine", "peak", TERN__NUMBER, 0, 0.01, 1.99, 0, 0, "1", NULL,
      "height of every cosine; scales the traces" },
    { "exponential", "tau", TERN__NUMBER, R, 0.1, 1000, 0, 0, "", NULL, "time constant, steps" },
    { "exponential", "duration", TERN__INTEGER, 0, 1, TERN_MAX_TAPS, 0, 0, "", NULL,
      "steps; default: fewest that keep 99 %, at most 32" },
    { "alpha", "tau", TERN__NUMBER, R, 0.1, 1000, 0, 0, "", NULL, "time constant, steps" },
    { "alpha", "duration", TERN__INTEGER, 0, 1, TERN_MAX_TAPS, 0, 0, "", NULL,
      "steps; default: fewest that keep 99 %, at most 32" },
    { "rule", "kind", TERN__CHOICE, S | TERN__SET_ONLY, 0, 0, 0, 0, "", "gem|mb|iw|reward",
      "another rule than the script's; only with --set" },
    { "rule", "eta", TERN__NUMBER, R | S, 1e-9, 10, 0, 0, "", NULL, "learning rate" },
    { "rule", "schedule", TERN__TABLE, S, 0, 0, 0, 0, "", NULL,
      "{divide=, every=}: eta is divided by divide after every `every` presentations" },
    { "rule", "gamma", TERN__NUMBER, S, 0, 1, 0, 0, "0.9", NULL, "discount of the log-probability" },
    { "rule", "kappa", TERN__NUMBER, S, 0, 1, 0, 0, "", NULL, "factor of the temporal average; default: gamma" },
    { "rule", "samples", TERN__INTEGER, S, 1, TERN_MAX_SAMPLES, 0, 0, "5", NULL,
      "K, samples per neuron while training" },
    { "rule", "baseline", TERN__CHOICE, S, 0, 0, 0, 0, "neuron", "neuron|synapse|none",
      "mb, iw, reward: what is subtracted from the learning signal" },
    { "rule", "memory", TERN__INTEGER, S, 8, 128, 0, 0, "128", NULL,
      "mb, iw, reward: steps that a baseline reaches back: 8, 16, 32, 64 or 128" },
    { "rule", "tau", TERN__NUMBER, S, 0, 1000, 0, 0, "5", NULL,
      "reward: time constant of the van Rossum distance, steps; 0: the caller's signal" },
    { "schedule", "divide", TERN__NUMBER, R, 1, 1000, 0, 0, "", NULL, "eta is divided by this" },
    { "schedule", "every", TERN__INTEGER, R, 1, 1e9, 0, 0, "", NULL, "presentations" },
    { "formats", "weight", TERN__INTEGERS, S, 0, 16, 2, 2, "{16, 12}", NULL,
      "bits 4..16 and fraction bits 0..12 of a weight" },
    { "formats", "trace", TERN__INTEGER, S, 4, 8, 0, 0, "8", NULL, "fraction bits of taps and traces" },
    { "formats", "learn", TERN__INTEGER, S, 8, 16, 0, 0, "12", NULL, "bits of a learning coefficient" },
    { "formats", "lags", TERN__INTEGER, S, 0, 63, 0, 0, "0", NULL, "W; 0: chosen from kappa" },
    { "formats", "signal", TERN__INTEGER, S, -12, 12, 0, 0, "", NULL,
      "fraction bits of a learning signal's modulator; default: from the network" },
    { "data", "format", TERN__TEXT, S, 0, 0, 1, 15, "auto", NULL, "file format" },
    { "data", "sensor", TERN__INTEGERS, S, 1, 65536, 2, 2, "", NULL, "{width, height}; default: from the file" },
    { "data", "mirror", TERN__CHOICE, S, 0, 0, 0, 0, "none", "none|x|y|xy", "before the crop" },
    { "data", "crop", TERN__INTEGERS, S, 0, 65536, 4, 4, "", NULL, "{x, y, width, height}; default: whole sensor" },
    { "data", "scale", TERN__INTEGER, S, 1, 256, 0, 0, "1", NULL,
      "squares of scale x scale pixels of the crop become one" },
    { "data", "window_ms", TERN__NUMBER, R | S, 0.001, 1e6, 0, 0, "", NULL, "length of a step, ms" },
    { "data", "steps", TERN__INTEGER, R | S, 1, 1e6, 0, 0, "", NULL, "steps of a presentation" },
    { "data", "polarity", TERN__CHOICE, S, 0, 0, 0, 0, "merge", "merge|on|off|separate", "which events count" },
    { "data", "phases", TERN__INTEGERS, S, 1, 255, 2, 2, "", NULL,
      "{n, steps}: n pieces (1 to 16) of 1 to 255 steps, side by side" },
    { "data", "shift", TERN__INTEGER, S, 0, TERN_MAX_SHIFT, 0, 0, "0", NULL,
      "training moves recordings by up to so many pixels" },
    { "data", "input", TERN__POPULATION, 0, 0, 0, 0, 0, "", NULL, "input population driven by the whole crop" },
    { "data", "label", TERN__POPULATION, 0, 0, 0, 0, 0, "", NULL,
      "visible population whose unit 'label' is the target" },
    { "data", "parts", TERN__TABLE, 0, 0, 0, 0, 0, "", NULL, "list of {population=, rows=, columns=}" },
    { "data", "clear", TERN__BOOLEAN, S, 0, 0, 0, 0, "true", NULL,
      "clear histories and averages between presentations" },
    { "part", "population", TERN__POPULATION, R, 0, 0, 0, 0, "", NULL, "input or visible population" },
    { "part", "rows", TERN__INTEGERS, 0, 0, 65535, 2, 2, "", NULL, "{first, last} row of the scaled crop, inclusive" },
    { "part", "columns", TERN__INTEGERS, 0, 0, 65535, 2, 2, "", NULL,
      "{first, last} column of the scaled crop, inclusive" },
};
#undef R
#undef S
#undef O

const tern__key *tern__schema_all(size_t *out_n)
{
    *out_n = sizeof schema / sizeof *schema;
    return schema;
}

const tern__key *tern__schema(const char *section, size_t *out_n)
{
    size_t first = 0, n = 0;
    for (size_t i = 0; i < sizeof schema / sizeof *schema; ++i)
        if (strcmp(schema[i].section, section) == 0) {
            if (n++ == 0) first = i;
        }
    *out_n = n;
    return &schema[first];
}

/* ---- messages ---- */
static void at(tern__front *f, const char *key, char *file, size_t bytes, int *line, bool *from_set)
{
    (void)tern__script_place(f, file, bytes, line);
    *from_set = false;
    for (uint32_t i = 0; key != NULL && i < f->n_sets; ++i)
        if (f->sets[i].used && strcmp(f->sets[i].key, key) == 0) {
            *from_set = true;
            snprintf(file, bytes, "--set %s=%s", f->sets[i].key, f->sets[i].value);
            *line = 0;
        }
}

static tern_diag *vadd(lua_State *L, tern_severity sev, int code, const char *key, const char *fmt, va_list ap)
{
    tern__front *f = tern__front_of(L);
    char file[160], text[400];
    int line;
    bool from_set;
    at(f, key, file, sizeof file, &line, &from_set);
    vsnprintf(text, sizeof text, fmt, ap);
    if (sev == TERN_SEV_ERROR && f->n_errors >= TERN__MAX_ERRORS) tern__raise_trip(L, TERN__TRIP_ERRORS);
    if (sev == TERN_SEV_ERROR) ++f->n_errors;
    return tern_diags_add(f->diags, sev, code, file, line, key, "%s", text);
}

tern_diag *tern__error(lua_State *L, int code, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tern_diag *g = vadd(L, TERN_SEV_ERROR, code, key, fmt, ap);
    va_end(ap);
    return g;
}

tern_diag *tern__warn(lua_State *L, int code, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tern_diag *g = vadd(L, TERN_SEV_WARNING, code, key, fmt, ap);
    va_end(ap);
    return g;
}

tern_diag *tern__note(lua_State *L, int code, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tern_diag *g = vadd(L, TERN_SEV_NOTE, code, key, fmt, ap);
    va_end(ap);
    return g;
}

tern_diag *tern__error_at(tern__front *f, int code, uint32_t line, const char *key, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    ++f->n_errors;
    return tern_diags_add(f->diags, TERN_SEV_ERROR, code, f->sources[0].file, (int)line, key, "%s", text);
}

uint32_t tern__line(lua_State *L)
{
    char file[160];
    int line;
    (void)tern__script_place(tern__front_of(L), file, sizeof file, &line);
    return (uint32_t)line;
}

void *tern__arena(lua_State *L, size_t count, size_t size)
{
    tern__front *f = tern__front_of(L);
    /* the description counts as the script's memory too: a loop of declarations must not fill the machine */
    const size_t used = f->arena->used_bytes - f->arena_start + f->memory_used;
    const bool refused = used > f->memory_limit || count * size > f->memory_limit - used;
    void *p = refused ? NULL : tern_arena_get(f->arena, count, size);
    f->work += count * size / 64u;
    if (p == NULL) {
        tern__keep_place(L);
        f->text_too_long = false;
        tern__raise_trip(L, refused ? TERN__TRIP_MEMORY : TERN__TRIP_HOST);
    }
    return p;
}

void tern__show(lua_State *L, int idx, char *out, size_t bytes)
{
    switch (lua_type(L, idx)) {
    case LUA_TNIL: snprintf(out, bytes, "nothing"); break;
    case LUA_TBOOLEAN: snprintf(out, bytes, lua_toboolean(L, idx) ? "true" : "false"); break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, idx)) snprintf(out, bytes, "%" PRId64, (int64_t)lua_tointeger(L, idx));
        else snprintf(out, bytes, "%.10g", lua_tonumber(L, idx));
        break;
    case LUA_TSTRING: {
        char word[41];
        size_t n = 0;
        for (const char *s = lua_tostring(L, idx); n < 40 && s[n] != 0; ++n)
            word[n] = (unsigned char)s[n] < 32 || (unsigned char)s[n] == 127 ? '?' : s[n];
        word[n] = 0;
        snprintf(out, bytes, "\"%s%s\"", word, strlen(lua_tostring(L, idx)) > 40 ? "..." : "");
        break;
    }
    case LUA_TUSERDATA:
        if (luaL_getmetafield(L, idx, "__name") == LUA_TSTRING) {
            const char *name = lua_tostring(L, -1);
            const char *said = strcmp(name, TERN__MT_FILTERS) == 0 ? "filter set"
                               : strcmp(name, TERN__MT_INIT) == 0  ? "initial value"
                                                                   : name + 5; /* behind "tern." */
            snprintf(out, bytes, "a%s %s", said[0] == 'i' ? "n" : "", said);
            lua_pop(L, 1);
            break;
        }
        snprintf(out, bytes, "a value");
        break;
    default: snprintf(out, bytes, "a %s", luaL_typename(L, idx)); break;
    }
}

/* ---- reading ---- */
bool tern__to_integer(lua_State *L, int idx, int64_t *out)
{
    int ok = 0;
    if (lua_type(L, idx) != LUA_TNUMBER) return false; /* "3" is not a number here */
    const lua_Integer v = lua_tointegerx(L, idx, &ok);
    *out = v;
    return ok != 0;
}

int tern__push_key(lua_State *L, int arg, const char *section, const char *set_section, const char *key)
{
    size_t n;
    const tern__key *k = tern__schema(section, &n);
    for (size_t i = 0; i < n; ++i)
        if (strcmp(k[i].key, key) == 0) {
            if ((k[i].flags & TERN__SETTABLE) && set_section != NULL && tern__set_push(L, set_section, key))
                return lua_type(L, -1);
            if (k[i].flags & TERN__SET_ONLY) {
                lua_pushnil(L);
                return LUA_TNIL;
            }
        }
    lua_pushstring(L, key);
    return lua_rawget(L, arg < 0 ? arg - 1 : arg);
}

static void range_text(const tern__key *k, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%.10g..%.10g", (k->flags & TERN__LO_OPEN) ? "above " : "", k->lo, k->hi);
}

static bool in_range(const tern__key *k, double v)
{
    return (k->flags & TERN__LO_OPEN ? v > k->lo : v >= k->lo) && v <= k->hi;
}

static void read_integers(lua_State *L, int top, const tern__key *k, const char *path, const char *what, tern__value *v)
{
    char shown[64], range[64];
    int64_t one;
    range_text(k, range, sizeof range);
    if ((k->flags & TERN__ONE_OK) && lua_type(L, top) == LUA_TNUMBER) {
        lua_createtable(L, 2, 0);
        for (int i = 1; i <= k->n_min; ++i) {
            lua_pushvalue(L, top);
            lua_rawseti(L, -2, i);
        }
        lua_replace(L, top);
    }
    v->bad = true;
    if (!lua_istable(L, top)) {
        tern__show(L, top, shown, sizeof shown);
        tern__error(L, TERN__E_TYPE, path, "%s: '%s' must be a list of %d%s whole numbers, found %s", what, k->key,
                    k->n_min, k->n_max > k->n_min ? " to 3" : "", shown);
        return;
    }
    const size_t n = lua_rawlen(L, top);
    if (n < k->n_min || n > k->n_max) {
        tern__error(L, TERN__E_COUNT, path, "%s: '%s' has %zu entries, must have %d%s", what, k->key, n, k->n_min,
                    k->n_max > k->n_min ? " to 3" : "");
        return;
    }
    for (size_t i = 0; i < n; ++i) {
        lua_rawgeti(L, top, (lua_Integer)i + 1);
        const bool whole = tern__to_integer(L, -1, &one);
        tern__show(L, -1, shown, sizeof shown);
        const bool number = lua_type(L, -1) == LUA_TNUMBER;
        lua_pop(L, 1);
        if (!whole && !number) {
            tern__error(L, TERN__E_TYPE, path, "%s: entry %zu of '%s' must be a whole number, found %s", what, i + 1,
                        k->key, shown);
            return;
        }
        if (!whole || !in_range(k, (double)one)) {
            tern__error(L, TERN__E_RANGE, path, "%s: entry %zu of '%s' is %s, allowed: whole numbers %s", what, i + 1,
                        k->key, shown, range);
            return;
        }
        v->ints[i] = one;
    }
    v->n = (uint32_t)n;
    v->bad = false;
}

static void read_number(lua_State *L, int top, const tern__key *k, const char *path, const char *what, tern__value *v)
{
    char shown[64], range[64];
    int64_t whole = 0;
    tern__show(L, top, shown, sizeof shown);
    range_text(k, range, sizeof range);
    const bool integer = k->type == TERN__INTEGER;
    v->bad = true;
    if (lua_type(L, top) != LUA_TNUMBER) {
        tern_diag *g = tern__error(L, TERN__E_TYPE, path, "%s: '%s' must be a %snumber, found %s", what, k->key,
                                   integer ? "whole " : "", shown);
        if (lua_isnumber(L, top)) tern_diag_hint(g, "write it without quotes");
        return;
    }
    const double x = lua_tonumber(L, top);
    if (!(integer ? tern__to_integer(L, top, &whole) && in_range(k, (double)whole) : isfinite(x) && in_range(k, x))) {
        tern__error(L, TERN__E_RANGE, path, "%s: '%s' is %s, allowed: %s%s", what, k->key, shown,
                    integer ? "whole numbers " : "", range);
        return;
    }
    v->num = x;
    v->bad = false;
}

static void read_text(lua_State *L, int top, const tern__key *k, const char *path, const char *what, tern__value *v)
{
    char shown[64];
    tern__show(L, top, shown, sizeof shown);
    v->bad = true;
    if (lua_type(L, top) != LUA_TSTRING) {
        tern__error(L, TERN__E_TYPE, path, "%s: '%s' must be a text, found %s", what, k->key, shown);
        return;
    }
    size_t n;
    const char *s = lua_tolstring(L, top, &n);
    if (k->type == TERN__CHOICE) {
        int choice = 0;
        for (const char *c = k->choices; *c != 0; ++choice) {
            const size_t len = strcspn(c, "|");
            if (len == n && memcmp(c, s, n) == 0) {
                v->choice = choice;
                v->bad = false;
                return;
            }
            c += len + (c[len] == '|');
        }
        tern__error(L, TERN__E_CHOICE, path, "%s: '%s' is %s, allowed: %s", what, k->key, shown, k->choices);
        return;
    }
    if (n < k->n_min || n > k->n_max || strlen(s) != n) {
        tern__error(L, TERN__E_RANGE, path, "%s: '%s' is %s, allowed: %d to %d characters", what, k->key, shown,
                    k->n_min, k->n_max);
        return;
    }
    v->text = s;
    v->n = (uint32_t)n;
    v->bad = false;
}

/* Values of the table's `def` texts. */
static void read_default(const tern__key *k, tern__value *v)
{
    *v = (tern__value){ .text = "" };
    switch (k->type) {
    case TERN__NUMBER:
    case TERN__INTEGER: v->num = k->def[0] != 0 ? tern_real_parse(k->def, NULL) : k->lo; break;
    case TERN__BOOLEAN: v->choice = strcmp(k->def, "true") == 0; break;
    case TERN__TEXT: v->text = k->def; break;
    case TERN__INTEGERS:
        v->n = k->n_min;
        for (uint32_t i = 0; i < 4; ++i)
            v->ints[i] = k->def[0] != 0 && k->def[0] != '{' ? strtol(k->def, NULL, 10) : k->lo > 0 ? (int64_t)k->lo : 0;
        if (k->def[0] == '{') (void)sscanf(k->def, "{%" SCNd64 ", %" SCNd64, &v->ints[0], &v->ints[1]);
        break;
    default: break;
    }
}

/* Keys of the table at arg that the section does not have: sorted texts first come, others counted. */
static void report_unknown(lua_State *L, int arg, const tern__key *k, size_t n_keys, const char *what)
{
    size_t n_other = 0, n_seen = 0;
    char shown[64];
    const char *last = NULL; /* selection by repeated minimum: no dependence on table order */
    for (;;) {
        const char *least = NULL;
        uint64_t n_visited = 0;
        n_other = 0;
        for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1)) {
            ++n_visited;
            if (lua_type(L, -2) != LUA_TSTRING) {
                if (n_other++ == 0) tern__show(L, -2, shown, sizeof shown);
                continue;
            }
            const char *key = lua_tostring(L, -2);
            bool known = false;
            for (size_t i = 0; i < n_keys && !known; ++i)
                known = strcmp(k[i].key, key) == 0 && !(k[i].flags & TERN__SET_ONLY);
            if (!known && (last == NULL || strcmp(key, last) > 0) && (least == NULL || strcmp(key, least) < 0))
                least = key;
        }
        tern__charge(L, 40u * n_visited);
        tern__charge_walk(L, arg, 40u * n_visited);
        if (least == NULL || ++n_seen > 5) break;
        last = least; /* stays alive: it is a key of the argument */
        char list[300] = "";
        const char *names[24];
        size_t used = 0, n = 0;
        const size_t n_listed = tern__front_of(L)->n_listed;
        for (size_t i = 0; i < (n_listed != 0 ? n_listed : n_keys) && i < 24; ++i) {
            if (k[i].flags & TERN__SET_ONLY) continue;
            names[n++] = k[i].key;
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", k[i].key);
            if (used >= sizeof list) used = sizeof list - 1;
        }
        const char *near = tern_nearest(least, names, n);
        tern_diag *g =
            tern__error(L, TERN__E_UNKNOWN_KEY, "", "%s: unknown key '%.60s'; allowed: %s", what, least, list);
        if (near != NULL) tern_diag_hint(g, "did you mean '%s'?", near);
    }
    if (n_other > 0)
        tern__error(L, TERN__E_UNKNOWN_KEY, "",
                    "%s: %zu entr%s without a name, the first one is %s; every value needs its key, as in size = 4",
                    what, n_other, n_other == 1 ? "y" : "ies", n_other == 1 ? shown : "one of them");
}

bool tern__args(lua_State *L, int arg, const char *section, const char *set_section, const char *what,
                tern__value *values)
{
    size_t n;
    const tern__key *k = tern__schema(section, &n);
    tern__keep_place(L);
    tern__charge(L, 100u * n);
    for (size_t i = 0; i < n; ++i) read_default(&k[i], &values[i]);
    if (!lua_istable(L, arg)) {
        char shown[64];
        tern__show(L, arg, shown, sizeof shown);
        tern_diag *g = tern__error(L, TERN__E_TYPE, "", "%s takes one table of named values, found %s", what,
                                   lua_isnone(L, arg) ? "nothing" : shown);
        tern_diag_hint(g, "write it with braces: %s{ %s = ... }", what, k[0].key);
        for (size_t i = 0; i < n; ++i) values[i].bad = true;
        return false;
    }
    luaL_checkstack(L, 8, "arguments");
    report_unknown(L, arg, k, n, what);
    for (size_t i = 0; i < n; ++i) {
        tern__value *v = &values[i];
        char path[160];
        snprintf(path, sizeof path, "%s.%s", set_section != NULL ? set_section : section, k[i].key);
        const int type = tern__push_key(L, arg, section, set_section, k[i].key), top = lua_gettop(L);
        v->given = type != LUA_TNIL;
        if (!v->given) {
            v->bad = (k[i].flags & TERN__REQUIRED) != 0;
            if (v->bad) {
                tern_diag *g = tern__error(L, TERN__E_MISSING_KEY, path, "%s: '%s' is missing", what, k[i].key);
                tern_diag_hint(g, "%s: %s", k[i].key, k[i].help);
            }
        } else {
            switch ((tern__type)k[i].type) {
            case TERN__NUMBER:
            case TERN__INTEGER: read_number(L, top, &k[i], path, what, v); break;
            case TERN__INTEGERS: read_integers(L, top, &k[i], path, what, v); break;
            case TERN__TEXT:
            case TERN__CHOICE: read_text(L, top, &k[i], path, what, v); break;
            case TERN__BOOLEAN:
                v->choice = lua_toboolean(L, top);
                v->bad = !lua_isboolean(L, top);
                if (v->bad) {
                    char shown[64];
                    tern__show(L, top, shown, sizeof shown);
                    tern__error(L, TERN__E_TYPE, path, "%s: '%s' must be true or false, found %s", what, k[i].key,
                                shown);
                }
                break;
            default: break; /* read by the declaration */
            }
        }
        lua_settop(L, top - 1);
    }
    return true;
}
