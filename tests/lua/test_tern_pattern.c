/* test_tern_pattern.c : the script's find, match, gmatch and gsub agree with those of the system's Lua
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random patterns and texts, results and error texts compared in plain Lua, where "sys" is the system's string library
 * and "own" ours.
 */
#include "tern_front.h"
#include <lualib.h>
#include <stdlib.h>
#include "tern_check.h"

static const char *const program =
    "local seed = ...\n"
    "local function rnd(n) seed = (seed * 6364136223846793005 + 1442695040888963407) return (seed >> 33) % n + 1 end\n"
    "local items = { 'a', 'b', '.', '%a', '%d', '%s', '%w', '%A', '[ab]', '[^a]', '[a-c]', '[%d_]', '[]]', '[^]]', "
    "'%%', '%.', '(', ')', '()', '%1', '%2', '%bab', '%f[a]', '%f[%W]', '^', '$', 'x', '[a-]', '[', '%', '%f', '%b' }\n"
    "local suffix = { '', '', '', '*', '+', '-', '?' }\n"
    "local letters = { 'a', 'b', 'a', 'b', 'c', '1', ' ', '_', '.', 'x', ']', '-', '\\0', '\\xff' }\n"
    "local function text(n) local t = {} for i = 1, n do t[i] = letters[rnd(#letters)] end return table.concat(t) end\n"
    "local function pattern() local t = {} for i = 1, rnd(6) do t[i] = items[rnd(#items)] .. suffix[rnd(#suffix)] end\n"
    "  local p = table.concat(t) if rnd(3) == 1 then p = '(' .. p .. ')' end if rnd(6) == 1 then p = '^' .. p end "
    "return p end\n"
    "local function show(...) local t = table.pack(...) for i = 1, t.n do t[i] = tostring(t[i]) end return "
    "table.concat(t, '|') end\n"
    "local function strip(s) s = sys.gsub(s, 'in replacement string', 'R') s = sys.gsub(s, 'in replacement text', 'R') "
    "s = sys.gsub(s, ' in pattern %%[%a%d]*', '') return s end\n"
    "local function compare(what, f, s, p, ...)\n"
    "  local a, b = show(pcall(sys[f], s, p, ...)), show(pcall(own[f], s, p, ...))\n"
    "  if sys.find(a, 'invalid replacement value', 1, true) then a = 'false|invalid replacement value' b = sys.sub(b, "
    "1, #a) end\n"
    "  if sys.find(a, 'invalid capture index', 1, true) then a = 'false|invalid capture index' b = sys.sub(b, 1, #a) "
    "end\n"
    "  if a ~= b then error(sys.format('%s of %q in %q: %q against %q', what, p, s, a, b)) end\n"
    "end\n"
    "local n = 0\n"
    "for i = 1, 20000 do\n"
    "  local s, p = text(rnd(12) - 1), pattern()\n"
    "  compare('find', 'find', s, p) compare('find at', 'find', s, p, rnd(20) - 10) compare('plain', 'find', s, p, 1, "
    "true)\n"
    "  compare('match', 'match', s, p) compare('match at', 'match', s, p, rnd(16) - 8)\n"
    "  compare('gsub', 'gsub', s, p, '<%0%1>') compare('gsub n', 'gsub', s, p, '%%', rnd(3) - 1) compare('gsub two', "
    "'gsub', s, p, '%2')\n"
    "  compare('gsub table', 'gsub', s, p, { a = 'A', b = false, ab = 1 }) compare('gsub function', 'gsub', s, p, "
    "function(x, y) if x == 'a' then return y end return x end)\n"
    "  local function all(lib) local t = {} for x, y in lib.gmatch(s, p) do t[#t + 1] = tostring(x) .. '/' .. "
    "tostring(y) if #t > 40 then break end end return table.concat(t, ' ') end\n"
    "  local oka, a = pcall(all, sys) local okb, b = pcall(all, own)\n"
    "  if oka ~= okb or (oka and a ~= b) then error(sys.format('gmatch of %q in %q: %q against %q', p, s, a, b)) end\n"
    "  if oka then n = n + 1 end\n"
    "end\n"
    "return n\n";

int main(void)
{
    static const luaL_Reg own[] = { { "find", tern__str_find },
                                    { "match", tern__str_match },
                                    { "gmatch", tern__str_gmatch },
                                    { "gsub", tern__str_gsub },
                                    { NULL, NULL } };
    static tern__front front; /* a front without limits */
    front.work_limit = UINT64_MAX / 4;
    const char *given = getenv("TERN_SEED");
    const long long seed = given != NULL ? strtoll(given, NULL, 10) : 1;
    printf("TERN_SEED=%lld\n", seed);
    lua_State *L = luaL_newstate();
    CHECK(L != NULL);
    if (L == NULL) return tern_check_report("lua.patterns");
    *(tern__front **)lua_getextraspace(L) = &front;
    luaL_openlibs(L);
    lua_getglobal(L, "string");
    lua_setglobal(L, "sys");
    luaL_newlib(L, own);
    lua_setglobal(L, "own");
    CHECK_EQ(luaL_loadstring(L, program), LUA_OK);
    lua_pushinteger(L, (lua_Integer)seed);
    const int status = lua_pcall(L, 1, 1, 0);
    CHECK_EQ(status, LUA_OK);
    if (status != LUA_OK) printf("  %s\n", lua_tostring(L, -1));
    else CHECK(lua_tointeger(L, -1) > 8000); /* most patterns are well formed */
    if (status == LUA_OK) printf("  %lld well-formed patterns of 20000\n", (long long)lua_tointeger(L, -1));
    CHECK(front.work > 100000);
    lua_close(L);
    return tern_check_report("lua.patterns");
}
