/* tern_sets.c : --set KEY=VALUE
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sets are parsed before the script runs and kept as Lua values by key; a declaration that reads a settable key finds
 * them first (tern__push_key), so they are checked exactly like values of the script. What nobody asked for is reported
 * at the end.
 */
#include "tern_args.h"
#include "tern_front.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_error(tern__front *f, const char *what, const char *set, const char *hint)
{
    char place[160];
    snprintf(place, sizeof place, "--set %.140s", set);
    ++f->n_errors;
    tern_diag_hint(tern_diags_add(f->diags, TERN_SEV_ERROR, TERN__E_SET, place, 0, "", "%s", what), "%s", hint);
}

static const char *skip_space(const char *s)
{
    while (*s == ' ' || *s == '\t') ++s;
    return s;
}

/* A scalar: number, boolean, quoted text or bare word. Pushes it; NULL: malformed. */
static const char *parse_scalar(lua_State *L, const char *s)
{
    if (*s == '"' || *s == '\'') {
        const char *end = strchr(s + 1, *s);
        if (end == NULL) return NULL;
        lua_pushlstring(L, s + 1, (size_t)(end - s - 1));
        return end + 1;
    }
    const size_t n = strcspn(s, ",{}=\"'");
    size_t len = n;
    while (len > 0 && isspace((unsigned char)s[len - 1])) --len;
    if (len == 0) return NULL;
    lua_pushlstring(L, s, len);
    const char *word = lua_tostring(L, -1);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
        lua_pushboolean(L, word[0] == 't');
        lua_remove(L, -2);
    } else if (lua_stringtonumber(L, word) == len + 1u) {
        lua_remove(L, -2);
    }
    return s + n;
}

/* { 8, 7 } or { divide = 1.2, every = 40 }; one level. */
static const char *parse_list(lua_State *L, const char *s)
{
    lua_createtable(L, 4, 0);
    lua_Integer i = 0;
    for (s = skip_space(s + 1); *s != '}';) {
        const size_t word = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        const char *eq = skip_space(s + word);
        const bool named = word > 0 && word < 48 && *eq == '=';
        char key[48];
        if (named) {
            memcpy(key, s, word);
            key[word] = 0;
            s = skip_space(eq + 1);
        }
        s = parse_scalar(L, s);
        if (s == NULL) return NULL;
        if (named) lua_setfield(L, -2, key);
        else lua_rawseti(L, -2, ++i);
        s = skip_space(s);
        if (*s == ',') s = skip_space(s + 1);
        else if (*s != '}') return NULL;
    }
    return s + 1;
}

static void parse_one(lua_State *L, const char *set, size_t order, int table)
{
    tern__front *f = tern__front_of(L);
    const char *eq = strchr(set, '=');
    const size_t n = eq == NULL ? 0 : (size_t)(eq - set);
    if (n == 0 || n >= sizeof f->sets[0].key ||
        strspn(set, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.") != n) {
        set_error(f, "this is not KEY=VALUE", set, "for example --set rule.samples=1 or --set 'formats.weight={8,7}'");
        return;
    }
    if (strlen(eq) > 4096) {
        set_error(f, "the value is longer than 4096 characters", set, "");
        return;
    }
    const char *s = skip_space(eq + 1);
    const int top = lua_gettop(L);
    s = *s == '{' ? parse_list(L, s) : parse_scalar(L, s);
    if (s == NULL || *skip_space(s) != 0) {
        set_error(f, "the value cannot be read", set,
                  "a value is a number, true, false, a word, a quoted text or a list in braces");
        lua_settop(L, top);
        return;
    }
    tern__set *slot = NULL;
    for (uint32_t i = 0; i < f->n_sets; ++i)
        if (strlen(f->sets[i].key) == n && memcmp(f->sets[i].key, set, n) == 0) slot = &f->sets[i];
    if (slot == NULL) slot = &f->sets[f->n_sets++];
    memcpy(slot->key, set, n);
    slot->key[n] = 0;
    slot->order = order;
    slot->value = eq + 1;
    lua_setfield(L, table, slot->key);
}

void tern__sets_parse(lua_State *L, const tern_compile_options *options)
{
    tern__front *f = tern__front_of(L);
    lua_createtable(L, 0, 4);
    for (size_t i = 0; options != NULL && i < options->n_sets; ++i) {
        if (i >= TERN__MAX_SETS) {
            set_error(f, "more than 64 sets", options->sets[i], "write the values into a script");
            break;
        }
        parse_one(L, options->sets[i], i, lua_gettop(L));
    }
    lua_setfield(L, LUA_REGISTRYINDEX, TERN__SETS_TABLE);
}

/* The section that has this key; NULL: none, or several. */
static const char *section_of(const char *key)
{
    static const char *const sections[] = { "rule", "formats", "data" };
    const char *found = NULL;
    for (size_t s = 0; s < sizeof sections / sizeof *sections; ++s) {
        size_t n;
        const tern__key *k = tern__schema(sections[s], &n);
        for (size_t i = 0; i < n; ++i) {
            if (strcmp(k[i].key, key) != 0 || !(k[i].flags & TERN__SETTABLE)) continue;
            if (found != NULL) return NULL;
            found = sections[s];
        }
    }
    return found;
}

/* What could have been meant: keys of a section, or the sections. */
static void report_unused(tern__front *f, const tern__set *s)
{
    char list[260] = "", what[360], part[112];
    size_t used = 0, n_keys, n_names = 0;
    const char *names[TERN_MAX_POPULATIONS + 32];
    const char *dot = strchr(s->key, '.');
    const size_t n_part = dot == NULL ? strlen(s->key) : (size_t)(dot - s->key);
    memcpy(part, s->key, n_part);
    part[n_part] = 0;
    const char *rest = dot == NULL ? "" : dot + 1, *section = NULL;
    for (uint32_t i = 0; i < f->desc->n_populations; ++i)
        if (strcmp(f->desc->populations[i].pop.name, part) == 0)
            section = f->desc->populations[i].pop.kind == TERN_POP_INPUT ? "input" : "hidden";
    if (strcmp(part, "rule") == 0 || strcmp(part, "formats") == 0 || strcmp(part, "data") == 0) section = part;
    if (section != NULL && section == part) {
        const tern__key *k = tern__schema(section, &n_keys);
        for (size_t i = 0; i < n_keys; ++i)
            if (strcmp(k[i].key, rest) == 0 && (k[i].flags & TERN__SETTABLE)) {
                snprintf(what, sizeof what, "the script has no %s, so this set has no effect",
                         strcmp(part, "rule") == 0   ? "rule"
                         : strcmp(part, "data") == 0 ? "tern.data"
                                                     : "formats");
                set_error(f, what, s->key, "add the declaration to the script");
                return;
            }
    }
    if (section != NULL) {
        const tern__key *k = tern__schema(section, &n_keys);
        for (size_t i = 0; i < n_keys; ++i)
            if (k[i].flags & TERN__SETTABLE) names[n_names++] = k[i].key;
        snprintf(what, sizeof what, "unknown key '%.60s'; of '%.47s' can be set: ", rest, part);
    } else {
        rest = part;
        names[n_names++] = "rule";
        names[n_names++] = "formats";
        names[n_names++] = "data";
        names[n_names++] = "seed";
        for (uint32_t i = 0; i < f->desc->n_populations; ++i) names[n_names++] = f->desc->populations[i].pop.name;
        snprintf(what, sizeof what, "unknown key '%.60s'; keys begin with: ", s->key);
    }
    for (size_t i = 0; i < n_names && used < sizeof list - 60; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    snprintf(what + strlen(what), sizeof what - strlen(what), "%s", list);
    const char *near = dot != NULL ? NULL : section_of(rest);
    char hint[120];
    if (near != NULL) snprintf(hint, sizeof hint, "did you mean '%s.%.60s'?", near, rest);
    else if ((near = tern_nearest(rest, names, n_names)) != NULL)
        snprintf(hint, sizeof hint, "did you mean '%s'?", near);
    else snprintf(hint, sizeof hint, "see docs/10-language.md, section 8");
    set_error(f, what, s->key, hint);
}

void tern__sets_finish(tern__front *f)
{
    for (uint32_t i = 0; i < f->n_sets; ++i)
        if (!f->sets[i].used) report_unused(f, &f->sets[i]);
}
