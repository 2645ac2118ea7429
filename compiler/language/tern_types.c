/* tern_types.c : types of values that a script gets from functions of `tern`
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_front.h"

int tern__closed(lua_State *L)
{
    return luaL_error(L, "this value cannot be changed; its declaration says everything");
}

void tern__type_open(lua_State *L, const char *name, const luaL_Reg *meta, int tern_table, const luaL_Reg *functions)
{
    luaL_newmetatable(L, name);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushvalue(L, tern_table);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
