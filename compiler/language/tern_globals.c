/* tern_globals.c : names that a script reads though nothing has set them: what Lua has and scripts have not, and typing
 * errors
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_front.h"

/* A global that nothing has set is nil, which counts as a key that is not given: so a misspelt name would be lost. */
static void note_unset(lua_State *L, const char *key)
{
    tern__front *f = tern__front_of(L);
    if (key[0] == 0 || f->n_unset == TERN__MAX_UNSET || strlen(key) >= sizeof f->unset[0].name) return;
    for (uint32_t i = 0; i < f->n_unset; ++i)
        if (strcmp(f->unset[i].name, key) == 0) return;
    tern__unset *u = &f->unset[f->n_unset];
    if (!tern__script_place(f, u->file, sizeof u->file, &u->line)) return;
    strcpy(u->name, key);
    ++f->n_unset;
}

int tern__report_unset(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    lua_pushglobaltable(L);
    int said = 0;
    for (uint32_t i = 0; i < f->n_unset && said < TERN__SAID_UNSET; ++i) {
        const tern__unset *u = &f->unset[i];
        lua_pushstring(L, u->name);
        const bool set = lua_rawget(L, -2) != LUA_TNIL;
        lua_pop(L, 1);
        said += !set;
        if (!set)
            tern_diag_hint(
                tern_diags_add(f->diags, TERN_SEV_WARNING, TERN__W_UNSET, u->file, u->line, u->name,
                               "'%s' is nil here and at the script's end: what is given nil counts as not given",
                               u->name),
                "a misspelt name? A text is written in quotes: \"%s\"", u->name);
    }
    return 0;
}

/* __index. Upvalue: the table's name, nil for the globals. */
static int index_removed(lua_State *L)
{
    const char *table = lua_tostring(L, lua_upvalueindex(1));
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (tern__is_removed(table, key) && table == NULL) return luaL_error(L, "scripts have no '%s'", key);
    if (tern__is_removed(table, key)) return luaL_error(L, "scripts have no '%s.%s'", table, key);
    if (table == NULL) note_unset(L, key);
    lua_pushnil(L);
    return 1;
}

void tern__removed_watch(lua_State *L, int i, const char *table)
{
    i = lua_absindex(L, i);
    lua_createtable(L, 0, 2);
    if (table != NULL) lua_pushstring(L, table);
    else lua_pushnil(L);
    lua_pushcclosure(L, index_removed, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, i);
}
