/* tern_removed.c : what Lua has and scripts have not: each name answers with what to use instead
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_front.h"

typedef struct removed {
    const char *table, *name, *instead;
} removed; /* table: NULL for a global */

static const char files[] = "a script cannot read files; `require \"name\"` runs name.lua from its own folder, "
                            "recordings are named with --data";
static const char text[] =
    "a script cannot run text as a program; write a function, or `require \"name\"` for a file of its own folder";
static const char random_words[] = "use `local g = tern.generator(n)`, then g:uniform(), g:uniform(lo, hi) or "
                                   "g:integer(lo, hi): the same numbers in every run";

static const removed list[] = {
    { NULL, "io", files },
    { NULL, "dofile", files },
    { NULL, "loadfile", files },
    { NULL, "package", "`require \"name\"` runs name.lua from the script's own folder; there is no search path" },
    { NULL, "module", "a module is a file that returns a table, for `require \"name\"`" },
    { NULL, "load", text },
    { NULL, "loadstring", text },
    { NULL, "os",
      "a script has no clock, environment or processes: what changes from run to run is given with --set "
      "NAME=VALUE, or with --seed" },
    { NULL, "debug", "errors show the file, the line and the calls that led there; `print` shows values" },
    { NULL, "coroutine", "use a function that returns a function" },
    { NULL, "utf8", "texts are bytes: string.byte, string.char, string.sub" },
    { NULL, "collectgarbage", "memory is freed automatically; the limit is an option, --script-memory MIB" },
    { NULL, "xpcall", "use pcall(f, ...)" },
    { NULL, "warn", "use print(text), which the compiler shows as a note" },
    { NULL, "unpack", "use table.unpack(list)" },
    { NULL, "setfenv", "use a local variable or a table" },
    { NULL, "getfenv", "use a local variable or a table" },
    { "math", "random", random_words },
    { "math", "randomseed", random_words },
    { "math", "pow", "use x ^ y" },
    { "math", "log10", "use math.log(x, 10)" },
    { "math", "ldexp", "use x * 2.0 ^ n" },
    { "math", "mod", "use x % y, or math.fmod(x, y)" },
    { "string", "dump", text },
    { "string", "pack", "use a table of numbers" },
    { "string", "unpack", "use a table of numbers" },
    { "string", "packsize", "use a table of numbers" },
    { "table", "getn", "use #list" },
    { "table", "maxn", "use #list" },
    { "table", "foreach", "use for key, value in pairs(t) do ... end" },
    { "table", "foreachi", "use for i, value in ipairs(list) do ... end" },
};

static const removed *find(const char *table, const char *name)
{
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        const removed *r = &list[i];
        if (strcmp(r->name, name) != 0) continue;
        if (table == NULL ? r->table == NULL : r->table != NULL && strcmp(r->table, table) == 0) return r;
    }
    return NULL;
}

/* "scripts have no 'math.random'" -> what to use instead; NULL: another message. */
const char *tern__removed_hint(const char *msg)
{
    static const char words[] = "scripts have no '";
    const char *at = strstr(msg, words);
    if (at == NULL) return NULL;
    char name[64], *dot;
    at += sizeof words - 1;
    const size_t n = strcspn(at, "'");
    if (n >= sizeof name) return NULL;
    memcpy(name, at, n);
    name[n] = 0;
    dot = strchr(name, '.');
    if (dot != NULL) *dot = 0;
    const removed *r = dot != NULL ? find(name, dot + 1) : find(NULL, name);
    return r != NULL ? r->instead : NULL;
}

bool tern__is_removed(const char *table, const char *name) { return find(table, name) != NULL; }
