/* tern_manual_lua.c : annotations of the script language for the Lua language server (LuaLS)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_manual_internal.h"
#include "tern_script.h"

/* LuaLS' name of a type of the language. */
static const char *type_of(const tern_language_key *key)
{
    static const struct {
        const char *ours, *theirs;
    } types[] = {
        { "number", "number" },
        { "whole number", "integer" },
        { "boolean", "boolean" },
        { "text", "string" },
        { "list", "integer[]" },
        { "population", "tern.Population" },
        { "populations", "tern.Population|tern.Population[]" },
        { "filter", "tern.Filters" },
        { "filters", "tern.Filters|tern.Filters[]" },
        { "init", "tern.Init|number" },
        { "pattern", "tern.Pattern" },
        { "table", "table" },
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (strcmp(key->type, types[i].ours) == 0) return types[i].theirs;
    return "string";
}

typedef struct fields {
    FILE *to;
    const char *section, *until;
    bool over;
} fields;

static void field(void *ud, const tern_language_key *key)
{
    fields *f = ud;
    if (strcmp(key->section, f->section) != 0 || !key->in_scripts) return;
    f->over = f->over || (f->until != NULL && strcmp(key->key, f->until) == 0);
    if (f->over) return;
    fprintf(f->to, "---@field %s%s ", key->key, key->required ? "" : "?");
    if (strcmp(key->type, "word") == 0) {
        for (const char *p = key->range; *p != 0;) { /* "a"|"b" */
            const size_t n = strcspn(p, "|");
            fprintf(f->to, "%s\"%.*s\"", p == key->range ? "" : "|", (int)n, p);
            p += n + (p[n] == '|');
        }
    } else if (strcmp(key->section, "rule") == 0 && strcmp(key->key, "schedule") == 0) {
        fputs("tern.ScheduleKeys", f->to);
    } else if (strcmp(key->section, "data") == 0 && strcmp(key->key, "parts") == 0) {
        fputs("tern.PartKeys[]", f->to);
    } else if (strcmp(key->section, "window") == 0) {
        fputs("integer|integer[]", f->to);
    } else {
        fputs(type_of(key), f->to);
    }
    fprintf(f->to, " %s", key->help);
    if (key->range[0] != 0 && strcmp(key->type, "word") != 0) fprintf(f->to, " (%s)", key->range);
    if (key->def[0] != 0) fprintf(f->to, "; default %s", key->def);
    fputc('\n', f->to);
}

static void class_of(const char *name, const char *section, const char *until, FILE *to)
{
    fields f = { to, section, until, false };
    fprintf(to, "---@class tern.%sKeys\n", name);
    tern_language_keys(field, &f);
    fputc('\n', to);
}

/* "raised_cosine" -> "RaisedCosine" */
static void camel(const char *name, char out[32])
{
    size_t n = 0;
    bool up = true;
    for (; *name != 0 && n < 31; ++name) {
        if (*name == '_') {
            up = true;
            continue;
        }
        out[n++] = (char)(up && *name >= 'a' ? *name - 'a' + 'A' : *name);
        up = false;
    }
    out[n] = 0;
}

static void function(void *ud, const tern_language_function *f)
{
    FILE *to = ud;
    char name[32];
    if (f->section != NULL) {
        camel(f->name, name);
        class_of(name, f->section, f->until, to);
        fprintf(to, "---%s\n---@param keys tern.%sKeys\n", f->help, name);
        if (f->result != NULL) fprintf(to, "---@return %s\n", f->result);
        fprintf(to, "function tern.%s(keys) end\n\n", f->name);
        return;
    }
    fprintf(to, "---%s\n", f->help);
    for (const char *p = f->params; *p != 0;) { /* "lo: number, hi: number" */
        const size_t colon = strcspn(p, ":"), n = strcspn(p, ",");
        fprintf(to, "---@param %.*s %.*s\n", (int)colon, p, (int)(n - colon - 2), p + colon + 2);
        p += n + strspn(p + n, ", ");
    }
    if (f->result != NULL) fprintf(to, "---@return %s\n", f->result);
    fprintf(to, "function tern.%s(", f->name);
    for (const char *p = f->params; *p != 0;) {
        const size_t n = strcspn(p, ",");
        fprintf(to, "%.*s%s", (int)strcspn(p, "?:"), p, p[n] != 0 ? ", " : "");
        p += n + strspn(p + n, ", ");
    }
    fputs(") end\n\n", to);
}

void tern_manual_lua(FILE *to)
{
    fputs("---@meta\n-- Annotations of Tern's script language for the Lua language server. GENERATED FILE - do not "
          "edit. Made by `tern manual`.\n\n"
          "---@class tern\ntern = {}\n\n"
          "---@class tern.Population\n---@field name string\n---@field size integer\n---@field shape integer[]\n\n"
          "---@class tern.Filters\n---@field [integer] tern.Filters\n---@operator len: integer\n\n"
          "---@class tern.Init\n\n---@class tern.Pattern\n\n---@class tern.Rule\n---@field kind "
          "\"gem\"|\"mb\"|\"iw\"|\"reward\"\n\n"
          "---@class tern.Generator\nlocal generator = {}\n"
          "---@param lo? number\n---@param hi? number\n---@return number\nfunction generator:uniform(lo, hi) end\n"
          "---@param lo integer\n---@param hi integer\n---@return integer\nfunction generator:integer(lo, hi) end\n"
          "---@return number\nfunction generator:normal() end\n---@param list any[]\nfunction generator:shuffle(list) "
          "end\n\n",
          to);
    class_of("Schedule", "schedule", NULL, to);
    class_of("Part", "part", NULL, to);
    tern_language_functions(function, to);
}
