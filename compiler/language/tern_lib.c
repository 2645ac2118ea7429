/* tern_lib.c : what a script can call beside tern.* (docs/10-language.md, section 9)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Built by an allow list from the system's libraries; functions whose order, text or cost is not bounded or not
 * reproducible are replaced: pairs and next go by sorted keys (hash order differs between runs), tostring shows no
 * addresses, sort is a stable merge sort (Lua's picks pivots by the clock), table functions are raw and charge their
 * work, string patterns are in tern_pattern.c.
 */
#include "tern_front.h"
#include <lualib.h>
#include <stdio.h>
#include <string.h>

/* ---- sorting and keys in a fixed order ---- */
typedef bool (*less_fn)(lua_State *L, int a, int b);

/* Stable bottom-up merge sort of t[1..n], raw. Absolute index. */
static void merge_sort(lua_State *L, int t, lua_Integer n, less_fn less)
{
    uint64_t levels = 1;
    for (lua_Integer w = 1; w < n; w *= 2) ++levels;
    tern__charge(L, (uint64_t)n * levels * 4u);
    luaL_checkstack(L, 8, "sort");
    lua_createtable(L, 0, 0);
    int from = t, to = lua_gettop(L);
    const int scratch = to;
    for (lua_Integer w = 1; w < n; w *= 2) {
        for (lua_Integer lo = 1; lo <= n; lo += 2 * w) {
            const lua_Integer mid = lo + w < n + 1 ? lo + w : n + 1, end = lo + 2 * w < n + 1 ? lo + 2 * w : n + 1;
            lua_Integer a = lo, b = mid;
            for (lua_Integer k = lo; k < end; ++k) {
                bool take_b = a >= mid;
                if (!take_b && b < end) {
                    lua_rawgeti(L, from, a);
                    lua_rawgeti(L, from, b);
                    const int top = lua_gettop(L);
                    take_b = less(L, top, top - 1);
                    lua_settop(L, top - 2);
                }
                lua_rawgeti(L, from, take_b ? b++ : a++);
                lua_rawseti(L, to, k);
            }
        }
        const int other = from;
        from = to;
        to = other;
    }
    if (from == scratch)
        for (lua_Integer k = 1; k <= n; ++k) {
            lua_rawgeti(L, scratch, k);
            lua_rawseti(L, t, k);
        }
    lua_settop(L, scratch - 1);
}

static int key_rank(lua_State *L, int i)
{
    switch (lua_type(L, i)) {
    case LUA_TNUMBER: return 0;
    case LUA_TSTRING: return 1;
    case LUA_TBOOLEAN: return 2;
    default:
        return luaL_error(
            L, "a %s as a table key has no order that is the same in every run; go through such tables by a list",
            luaL_typename(L, i));
    }
}

static bool key_less(lua_State *L, int a, int b)
{
    const int ra = key_rank(L, a), rb = key_rank(L, b);
    if (ra != rb) return ra < rb;
    if (ra == 0) return lua_compare(L, a, b, LUA_OPLT) != 0;
    if (ra == 2) return lua_toboolean(L, a) < lua_toboolean(L, b);
    size_t na, nb;
    const char *sa = lua_tolstring(L, a, &na), *sb = lua_tolstring(L, b, &nb);
    tern__charge(L, (na < nb ? na : nb) / 64u);
    const int c = memcmp(sa, sb, na < nb ? na : nb);
    return c != 0 ? c < 0 : na < nb;
}

static int pairs_step(lua_State *L) /* upvalues: table, sorted keys, number of keys, position */
{
    const lua_Integer n = lua_tointeger(L, lua_upvalueindex(3));
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(4));
    while (i < n) {
        lua_rawgeti(L, lua_upvalueindex(2), ++i);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
            lua_pushinteger(L, i);
            lua_replace(L, lua_upvalueindex(4));
            return 2;
        }
        lua_pop(L, 2);
    }
    lua_pushinteger(L, n);
    lua_replace(L, lua_upvalueindex(4));
    lua_pushnil(L);
    return 1;
}

static int lib_pairs(lua_State *L)
{
    tern__keep_place(L);
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_createtable(L, (int)(lua_rawlen(L, 1) < 1000000u ? lua_rawlen(L, 1) : 0u), 0);
    lua_Integer n = 0;
    bool sorted = true;
    for (lua_pushnil(L); lua_next(L, 1) != 0;) { /* 3 key, 4 value */
        lua_pop(L, 1);
        (void)key_rank(L, 3);
        if (sorted && n > 0) {
            lua_rawgeti(L, 2, n);
            sorted = key_less(L, 4, 3);
            lua_pop(L, 1);
        }
        lua_pushvalue(L, 3);
        lua_rawseti(L, 2, ++n);
        if ((n & 1023) == 0) tern__charge(L, 8192u);
    }
    tern__charge(L, 8u * ((uint64_t)n & 1023u));
    tern__charge_walk(L, 1, 8u * (uint64_t)n);
    if (!sorted) merge_sort(L, 2, n, key_less);
    lua_pushinteger(L, n);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_step, 0 + 4 /* table, keys, n, position */);
    return 1;
}

static int lib_next(lua_State *L) /* the smallest key after the one given */
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    const bool first = lua_isnil(L, 2);
    if (!first) (void)key_rank(L, 2);
    lua_pushnil(L); /* 3: best so far */
    uint64_t n = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0;) { /* 4 key, 5 value */
        lua_pop(L, 1);
        (void)key_rank(L, 4);
        if ((first || key_less(L, 2, 4)) && (lua_isnil(L, 3) || key_less(L, 4, 3))) lua_copy(L, 4, 3);
        if ((++n & 1023u) == 0) tern__charge(L, 16384u);
    }
    tern__charge(L, 2u + 16u * (n & 1023u));
    tern__charge_walk(L, 1, 2u + 16u * n);
    lua_settop(L, 3);
    if (lua_isnil(L, 3)) return 1;
    lua_pushvalue(L, 3);
    lua_rawget(L, 1);
    return 2;
}

/* ---- texts without addresses ---- */
const char *tern__plain_text(lua_State *L, int i)
{
    if (luaL_callmeta(L, i, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a text");
        return lua_tostring(L, -1);
    }
    switch (lua_type(L, i)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING: return luaL_tolstring(L, i, NULL);
    default: return lua_pushstring(L, luaL_typename(L, i));
    }
}

enum {
    NUMBER_UNITS = 16 /* a number as text */,
    TEXT_BYTES = 16 /* of a text that is gone through byte by byte, for a unit */
};

static uint64_t text_units(lua_State *L, int i)
{
    return lua_type(L, i) == LUA_TSTRING   ? lua_rawlen(L, i) / TEXT_BYTES
           : lua_type(L, i) == LUA_TNUMBER ? NUMBER_UNITS
                                           : 1u;
}

static int lib_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    tern__charge(L, text_units(L, 1));
    (void)tern__plain_text(L, 1);
    return 1;
}

static int lib_print(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    const int n = lua_gettop(L);
    char text[301];
    size_t used = 0;
    for (int i = 1; i <= n; ++i) {
        tern__charge(L, text_units(L, i));
        const char *s = tern__plain_text(L, i);
        if (used < sizeof text - 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 1 ? "  " : "", s);
        if (used > sizeof text - 1) used = sizeof text - 1;
        lua_pop(L, 1);
    }
    text[used] = 0;
    char file[160];
    int line;
    (void)tern__script_place(f, file, sizeof file, &line);
    if (f->n_notes++ < TERN__MAX_NOTES)
        tern_diags_add(f->diags, TERN_SEV_NOTE, TERN__N_PRINT, file, line, "", "%s",
                       tern__text_is_empty(text) ? "(an empty text)" : text);
    return 0;
}

/* Upvalue: a function of the library whose work grows with its texts. */
static int lib_by_size(lua_State *L)
{
    const int n = lua_gettop(L);
    uint64_t units = 0;
    tern__keep_place(L);
    for (int i = 1; i <= n; ++i) units += text_units(L, i);
    tern__charge(L, units);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, LUA_MULTRET);
    return lua_gettop(L);
}

/* A text's bytes first..last as numbers; negative places count from the end. */
static int lib_byte(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    const lua_Integer len = (lua_Integer)n;
    lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, first);
    if (first < 0) first = first < -len ? 1 : len + first + 1;
    else if (first == 0) first = 1;
    if (last < 0) last = last < -len ? 0 : len + last + 1;
    if (last > len) last = len;
    if (first > last) return 0;
    const int count = (int)(last - first + 1); /* at most TERN__TEXT_BYTES */
    tern__charge(L, (uint64_t)count);
    luaL_checkstack(L, count, "string.byte");
    for (int i = 0; i < count; ++i) lua_pushinteger(L, (unsigned char)s[first - 1 + i]);
    return count;
}

static int lib_format(lua_State *L) /* upvalue: string.format */
{
    enum { ITEM_UNITS = 64 /* "%99.99f" */, QUOTED = 24 /* times what copying a byte takes */ };
    size_t length;
    tern__keep_place(L);
    const int n = lua_gettop(L);
    const char *s = luaL_checklstring(L, 1, &length);
    const char *const end = s + length; /* a text may hold bytes 0 */
    uint64_t units = length / TEXT_BYTES, texts = 0;
    bool quoted = false;
    while ((s = memchr(s, '%', (size_t)(end - s))) != NULL) {
        s += 1 + strspn(s + 1, "-+ #0123456789.");
        if (*s == 'p') return luaL_error(L, "string.format has no %%p here: addresses differ between runs");
        quoted = quoted || *s == 'q';
        units += ITEM_UNITS;
        if (s < end) ++s;
    }
    luaL_checkstack(L, 4, "format");
    for (int i = 2; i <= n; ++i) {
        if (lua_type(L, i) >= LUA_TTABLE || lua_type(L, i) == LUA_TLIGHTUSERDATA) {
            (void)tern__plain_text(L, i);
            lua_replace(L, i);
        }
        texts += text_units(L, i);
    }
    tern__charge(L, units + texts * (quoted ? QUOTED : 1));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

static int lib_rep(lua_State *L)
{
    size_t n, m;
    tern__keep_place(L);
    const char *s = luaL_checklstring(L, 1, &n);
    const lua_Integer count = luaL_checkinteger(L, 2);
    const char *sep = luaL_optlstring(L, 3, "", &m);
    if (count <= 0 || n + m == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((lua_Unsigned)count > TERN__TEXT_BYTES / (n + m) + 1u)
        return luaL_error(L, "string.rep: the text would be longer than %d bytes", (int)TERN__TEXT_BYTES);
    tern__charge(L, (uint64_t)count);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (lua_Integer i = 0; i < count; ++i) {
        luaL_addlstring(&b, s, n);
        if (i + 1 < count) luaL_addlstring(&b, sep, m);
    }
    luaL_pushresult(&b);
    return 1;
}

/* ---- protected calls and metatables ---- */
static int lib_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    tern__front *f = tern__front_of(L);
    if (status == LUA_ERRMEM && f->trip == TERN__TRIP_NONE)
        return tern__raise_trip(L, f->host_refused ? TERN__TRIP_HOST : TERN__TRIP_MEMORY);
    if (f->trip != TERN__TRIP_NONE) return tern__raise_trip(L, f->trip);
    /* unwinding a stack of a million slots costs about a second, and the script could do it again and again */
    if (status == LUA_ERRRUN && lua_type(L, -1) == LUA_TSTRING && strstr(lua_tostring(L, -1), "stack overflow") != NULL)
        tern__charge(L, 50000000u);
    luaL_checkstack(L, 1, "pcall");
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

static int lib_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "__gc is not allowed: scripts have no finalisers");
        lua_pop(L, 1);
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

/* ---- table: raw, charged ---- */
static lua_Integer list_length(lua_State *L, int i)
{
    luaL_checktype(L, i, LUA_TTABLE);
    return (lua_Integer)lua_rawlen(L, i);
}

/* Number of elements first..last, charged; raises when it is absurd. */
static lua_Integer range_length(lua_State *L, lua_Integer first, lua_Integer last)
{
    tern__keep_place(L);
    if (first > last) return 0;
    const lua_Unsigned n = (lua_Unsigned)last - (lua_Unsigned)first + 1u;
    if (n == 0 || n > 1u << 24) luaL_error(L, "a range of more than %d elements", 1 << 24);
    tern__charge(L, 6u * n);
    return (lua_Integer)n;
}

static int tab_insert(lua_State *L)
{
    const lua_Integer n = list_length(L, 1);
    lua_Integer pos = n + 1;
    switch (lua_gettop(L)) {
    case 2: break;
    case 3:
        pos = luaL_checkinteger(L, 2);
        luaL_argcheck(L, pos >= 1 && pos <= n + 1, 2, "position out of bounds");
        (void)range_length(L, pos, n);
        for (lua_Integer i = n; i >= pos; --i) {
            lua_rawgeti(L, 1, i);
            lua_rawseti(L, 1, i + 1);
        }
        break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    lua_rawseti(L, 1, pos);
    return 0;
}

static int tab_remove(lua_State *L)
{
    const lua_Integer n = list_length(L, 1), pos = luaL_optinteger(L, 2, n);
    if (lua_gettop(L) >= 2)
        luaL_argcheck(L, (pos >= 1 && pos <= n + 1) || (n == 0 && pos == 0), 2, "position out of bounds");
    lua_rawgeti(L, 1, pos);
    (void)range_length(L, pos, n);
    for (lua_Integer i = pos; i < n; ++i) {
        lua_rawgeti(L, 1, i + 1);
        lua_rawseti(L, 1, i);
    }
    lua_pushnil(L);
    lua_rawseti(L, 1, pos > n ? pos : n);
    return 1;
}

static int tab_concat(lua_State *L)
{
    size_t m;
    const lua_Integer n = list_length(L, 1);
    const char *sep = luaL_optlstring(L, 2, "", &m);
    const lua_Integer first = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, n),
                      count = range_length(L, first, last);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    size_t total = 0;
    for (lua_Integer k = 0; k < count; ++k) {
        size_t len;
        lua_rawgeti(L, 1, first + k);
        if (!lua_isstring(L, -1))
            return luaL_error(L, "table.concat: element %I is a %s, not a text or number", (LUAI_UACINT)(first + k),
                              luaL_typename(L, -1));
        if (lua_type(L, -1) == LUA_TNUMBER) tern__charge(L, NUMBER_UNITS);
        (void)lua_tolstring(L, -1, &len);
        total += len + m;
        if (total > TERN__TEXT_BYTES + m)
            return luaL_error(L, "table.concat: the text would be longer than %d bytes", (int)TERN__TEXT_BYTES);
        luaL_addvalue(&b);
        if (k + 1 < count) luaL_addlstring(&b, sep, m);
    }
    luaL_pushresult(&b);
    return 1;
}

static int tab_pack(lua_State *L)
{
    const int n = lua_gettop(L);
    lua_createtable(L, n, 1);
    lua_insert(L, 1);
    for (int i = n; i >= 1; --i) lua_rawseti(L, 1, i);
    lua_pushinteger(L, n);
    lua_setfield(L, 1, "n");
    return 1;
}

static int tab_unpack(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, (lua_Integer)lua_rawlen(L, 1)),
                      n = range_length(L, first, last);
    if (n >= 100000 || !lua_checkstack(L, (int)n)) return luaL_error(L, "table.unpack: too many results");
    for (lua_Integer k = 0; k < n; ++k) lua_rawgeti(L, 1, first + k);
    return (int)n;
}

static int tab_move(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
    const int dest = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, dest, LUA_TTABLE);
    const lua_Integer n = range_length(L, first, last);
    luaL_argcheck(L, to <= LUA_MAXINTEGER - n, 4, "destination wraps around");
    const bool up = to <= first || dest != 1;
    for (lua_Integer k = 0; k < n; ++k) {
        const lua_Integer i = up ? k : n - 1 - k;
        lua_rawgeti(L, 1, first + i);
        lua_rawseti(L, dest, to + i);
    }
    lua_pushvalue(L, dest);
    return 1;
}

static bool sort_less(lua_State *L, int a, int b)
{
    if (!lua_isnoneornil(L, 2)) {
        lua_pushvalue(L, 2);
        lua_pushvalue(L, a);
        lua_pushvalue(L, b);
        lua_call(L, 2, 1);
        return lua_toboolean(L, -1) != 0;
    }
    if (lua_type(L, a) == LUA_TSTRING) tern__charge(L, lua_rawlen(L, a) / 16u);
    return lua_compare(L, a, b, LUA_OPLT) != 0;
}

static int tab_sort(lua_State *L)
{
    const lua_Integer n = list_length(L, 1);
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    (void)range_length(L, 1, n);
    merge_sort(L, 1, n, sort_less);
    return 0;
}

/* ---- opening ---- */
static void copy_allowed(lua_State *L, int from, int to, const char *const *names)
{
    for (; *names != NULL; ++names) {
        lua_getfield(L, from, *names);
        lua_setfield(L, to, *names);
    }
}

static void copy_by_size(lua_State *L, int from, int to, const char *const *names)
{
    for (; *names != NULL; ++names) {
        lua_getfield(L, from, *names);
        lua_pushcclosure(L, lib_by_size, 1);
        lua_setfield(L, to, *names);
    }
}

void tern__lib_open(lua_State *L)
{
    static const char *const base[] = { "assert", "error",  "getmetatable", "ipairs", "rawequal", "rawget",
                                        "rawlen", "rawset", "select",       "type",   "_VERSION", NULL };
    static const char *const math[] = { "abs",  "acos", "asin", "atan", "ceil",       "cos",  "exp",        "floor",
                                        "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf",
                                        "pi",   "sin",  "sqrt", "tan",  "tointeger",  "type", "ult",        NULL };
    static const char *const string[] = { "char", "len", "sub", NULL }, *const by_size[] = { "lower", "reverse",
                                                                                             "upper", NULL };
    static const luaL_Reg own_base[] = { { "next", lib_next },
                                         { "pairs", lib_pairs },
                                         { "pcall", lib_pcall },
                                         { "print", lib_print },
                                         { "require", tern__lib_require },
                                         { "setmetatable", lib_setmetatable },
                                         { "tostring", lib_tostring },
                                         { NULL, NULL } };
    static const luaL_Reg own_string[] = { { "byte", lib_byte },
                                           { "find", tern__str_find },
                                           { "gmatch", tern__str_gmatch },
                                           { "gsub", tern__str_gsub },
                                           { "match", tern__str_match },
                                           { "rep", lib_rep },
                                           { NULL, NULL } };
    static const luaL_Reg own_table[] = { { "concat", tab_concat }, { "insert", tab_insert },
                                          { "move", tab_move },     { "pack", tab_pack },
                                          { "remove", tab_remove }, { "sort", tab_sort },
                                          { "unpack", tab_unpack }, { NULL, NULL } };
    luaL_requiref(L, "_G", luaopen_base, 0);
    const int old_globals = lua_gettop(L);
    luaL_requiref(L, "math", luaopen_math, 0);
    luaL_requiref(L, "string", luaopen_string, 0);
    const int old_string = lua_gettop(L), old_math = old_string - 1;
    lua_createtable(L, 0, 32);
    const int globals = lua_gettop(L);
    copy_allowed(L, old_globals, globals, base);
    static const char *const numbers[] = { "tonumber", NULL };
    copy_by_size(L, old_globals, globals, numbers);
    luaL_setfuncs(L, own_base, 0);
    lua_createtable(L, 0, 32);
    copy_allowed(L, old_math, globals + 1, math);
    lua_setfield(L, globals, "math");
    lua_createtable(L, 0, 16);
    copy_allowed(L, old_string, globals + 1, string);
    copy_by_size(L, old_string, globals + 1, by_size);
    luaL_setfuncs(L, own_string, 0);
    lua_getfield(L, old_string, "format");
    lua_pushcclosure(L, lib_format, 1);
    lua_setfield(L, globals + 1, "format");
    /* ("x"):rep(2): the metatable of strings must know our functions only */
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        lua_pushvalue(L, globals + 1);
        lua_setfield(L, -2, "__index");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_setfield(L, globals, "string");
    luaL_newlib(L, own_table);
    lua_setfield(L, globals, "table");
    lua_pushvalue(L, globals);
    lua_setfield(L, globals, "_G");
    static const char *const watched[] = { "math", "string", "table" };
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; ++i) {
        lua_getfield(L, globals, watched[i]);
        tern__removed_watch(L, -1, watched[i]);
        lua_pop(L, 1);
    }
    tern__removed_watch(L, globals, NULL);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    /* the old tables must not be found by anybody */
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_settop(L, old_globals - 1);
}
