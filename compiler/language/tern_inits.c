/* tern_inits.c : initial values, connection patterns, and the script's own random generator
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_front.h"
#include "tern_draws.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define INIT_LIMIT 1000.0 /* initial values; the number formats end far below */

/* ---- inits ---- */
static int push_init(lua_State *L, tern_init value)
{
    tern__keep_place(L);
    tern_init *i = lua_newuserdatauv(L, sizeof *i, 0);
    *i = value;
    luaL_setmetatable(L, TERN__MT_INIT);
    return 1;
}

static bool init_number(lua_State *L, int idx, const char *what, double *out)
{
    char shown[64];
    tern__show(L, idx, shown, sizeof shown);
    *out = 0.0;
    if (lua_type(L, idx) != LUA_TNUMBER) {
        tern__error(L, TERN__E_TYPE, "", "%s takes numbers, found %s", what, lua_isnone(L, idx) ? "nothing" : shown);
        return false;
    }
    const double x = lua_tonumber(L, idx);
    if (!(fabs(x) <= INIT_LIMIT)) {
        tern__error(L, TERN__E_INIT, "", "%s: %s is not within -1000..1000", what, shown);
        return false;
    }
    *out = x;
    return true;
}

static int ini_zero(lua_State *L) { return push_init(L, (tern_init){ .kind = TERN_INIT_ZERO }); }

static int ini_constant(lua_State *L)
{
    double x = 0.0;
    (void)init_number(L, 1, "tern.constant", &x);
    return push_init(L, (tern_init){ .kind = TERN_INIT_CONSTANT, .lo = x, .hi = x });
}

static int ini_uniform(lua_State *L)
{
    double lo = 0.0, hi = 0.0;
    if (init_number(L, 1, "tern.uniform", &lo) && init_number(L, 2, "tern.uniform", &hi) && lo > hi) {
        tern__error(L, TERN__E_INIT, "", "tern.uniform: the lower end %.9g is above the upper end %.9g", lo, hi);
        hi = lo;
    }
    return push_init(L, (tern_init){ .kind = TERN_INIT_UNIFORM, .lo = lo, .hi = hi });
}

/* The path of a file that a script names: only below the script's folder; letters, digits, _ - . without a leading dot,
 * joined by '/'. NULL: reported. `what`: the call, for messages. */
static const char *file_below(lua_State *L, const char *what)
{
    tern__front *f = tern__front_of(L);
    size_t n = 0;
    const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &n) : "";
    bool good = n >= 1 && n <= 200 && strlen(name) == n, start = true;
    for (size_t i = 0; good && i < n; ++i) {
        const unsigned char c = (unsigned char)name[i];
        good = c == '/' ? !start : isalnum(c) || c == '_' || c == '-' || (c == '.' && !start);
        start = c == '/';
    }
    if (!good || start || f->folder == NULL) {
        char shown[64];
        if (lua_type(L, 1) <= LUA_TNIL) snprintf(shown, sizeof shown, "nothing");
        else tern__show(L, 1, shown, sizeof shown);
        tern_diag_hint(tern__error(L, TERN__E_INIT, "",
                                   "%s: %s is not the name of a file in the script's folder or below it", what, shown),
                       f->folder == NULL ? "a script that is no file, as from standard input, has no folder"
                                           " and no files; save it"
                       : name[0] == 0    ? "a text in quotes, such as tern.array(\"weights.npz\")"
                                         : "no absolute path, no '..', only letters, digits and _ - . /");
        return NULL;
    }
    const size_t bytes = strlen(f->folder) + n + 2u;
    char *path = tern__arena(L, bytes, 1);
    snprintf(path, bytes, "%s%s%s", f->folder, f->folder[0] != 0 ? "/" : "", name);
    if (tern__inside(f->folder, path)) return path;
    tern__error(L, TERN__E_INIT, "", "%s: \"%s\" is a link out of the script's folder", what, name);
    return NULL;
}

/* Values that a call would ignore. */
static bool too_many(lua_State *L, int most, const char *what, const char *form)
{
    const int n = lua_gettop(L);
    if (n <= most) return false;
    tern_diag_hint(tern__error(L, TERN__E_COUNT, "", "%s takes at most %d %s, found %d", what, most,
                               most == 1 ? "value" : "values", n),
                   "%s", form);
    return true;
}

static int ini_image(lua_State *L)
{
    if (too_many(L, 1, "tern.image", "tern.image(\"name.tern\")"))
        return push_init(L, (tern_init){ .kind = TERN_INIT_ZERO });
    const char *path = file_below(L, "tern.image");
    return push_init(L, (tern_init){ .kind = path == NULL ? TERN_INIT_ZERO : TERN_INIT_IMAGE, .path = path });
}

/* A name of an array at the stack's index; NULL: reported. */
static const char *array_name(lua_State *L, int idx)
{
    size_t n = 0;
    const char *name = lua_type(L, idx) == LUA_TSTRING ? lua_tolstring(L, idx, &n) : NULL;
    char shown[64];
    if (name != NULL && n >= 1 && n < 150 && strlen(name) == n) {
        char *kept = tern__arena(L, n + 1u, 1);
        memcpy(kept, name, n + 1u);
        return kept;
    }
    tern__show(L, idx, shown, sizeof shown);
    tern_diag_hint(tern__error(L, TERN__E_INIT, "", "tern.array: %s is not the name of an array", shown),
                   "a text of 1 to 149 bytes, or a list of such texts, one for each filter");
    return NULL;
}

/* tern.array(file), tern.array(file, name), tern.array(file, { name, ... }) */
static int ini_array(lua_State *L)
{
    if (too_many(L, 2, "tern.array", "tern.array(\"name.npz\", \"array\"), or a list of arrays, one for each filter"))
        return push_init(L, (tern_init){ .kind = TERN_INIT_ZERO });
    lua_settop(L, 2);
    const char *path = file_below(L, "tern.array");
    tern_init made = { .kind = path == NULL ? TERN_INIT_ZERO : TERN_INIT_ARRAY, .path = path };
    if (path != NULL && !lua_isnil(L, 2)) {
        const bool list = lua_istable(L, 2);
        const size_t n = list ? lua_rawlen(L, 2) : 1;
        if (n < 1 || n > TERN_MAX_FILTERS) {
            tern__error(L, TERN__E_COUNT, "", "tern.array: a list of %zu names, allowed are 1 to %u", n,
                        TERN_MAX_FILTERS);
            return push_init(L, (tern_init){ .kind = TERN_INIT_ZERO });
        }
        const char **names = tern__arena(L, n, sizeof *names);
        made.names = names;
        made.n_names = (uint32_t)n;
        for (size_t i = 0; i < n && made.kind == TERN_INIT_ARRAY; ++i) {
            if (list) lua_rawgeti(L, 2, (lua_Integer)i + 1);
            names[i] = array_name(L, list ? lua_gettop(L) : 2);
            if (names[i] == NULL) made = (tern_init){ .kind = TERN_INIT_ZERO };
        }
    }
    return push_init(L, made);
}

bool tern__read_init(lua_State *L, int idx, const char *key, tern_init *out)
{
    const tern_init *i = luaL_testudata(L, idx, TERN__MT_INIT);
    if (i != NULL) {
        *out = *i;
        out->own = true;
        return true;
    }
    char shown[64];
    tern__show(L, idx, shown, sizeof shown);
    const char *name = strrchr(key, '.') ? strrchr(key, '.') + 1 : key;
    if (lua_type(L, idx) != LUA_TNUMBER) {
        tern_diag_hint(
            tern__error(L, TERN__E_TYPE, key, "'%s' must be a number or an initial value, found %s", name, shown),
            "tern.uniform(lo, hi), tern.zero(), tern.constant(x), tern.image(\"name.tern\") or "
            "tern.array(\"name.npz\")");
        return false;
    }
    const double x = lua_tonumber(L, idx);
    if (!(fabs(x) <= INIT_LIMIT)) {
        tern__error(L, TERN__E_INIT, key, "'%s' is %s, allowed: -1000..1000", name, shown);
        return false;
    }
    *out = (tern_init){ .kind = TERN_INIT_CONSTANT, .own = true, .lo = x, .hi = x };
    return true;
}

/* ---- patterns ---- */
static tern__pattern *new_pattern(lua_State *L, uint8_t kind, size_t n_pairs)
{
    const size_t bytes = sizeof(tern__pattern) + n_pairs * sizeof(tern_pair);
    tern__pattern *p = lua_newuserdatauv(L, bytes, 0);
    memset(p, 0, bytes);
    p->kind = kind;
    p->density = 1.0;
    p->window[0] = p->window[1] = p->stride[0] = p->stride[1] = 1;
    p->n_pairs = n_pairs;
    luaL_setmetatable(L, TERN__MT_PATTERN);
    return p;
}

static int pat_all(lua_State *L)
{
    (void)new_pattern(L, TERN_PATTERN_ALL, 0);
    return 1;
}

static int pat_random(lua_State *L)
{
    enum { DENSITY, SEED, N };
    tern__value v[N];
    (void)tern__args(L, 1, "random", NULL, "tern.random", v);
    tern__pattern *p = new_pattern(L, TERN_PATTERN_RANDOM, 0);
    if (!v[DENSITY].bad) p->density = v[DENSITY].num;
    p->own_seed = v[SEED].given && !v[SEED].bad;
    if (p->own_seed) p->seed = (uint64_t)v[SEED].num;
    return 1;
}

static int pat_window(lua_State *L)
{
    enum { SIZE, STRIDE, OFFSET, N };
    tern__value v[N];
    (void)tern__args(L, 1, "window", NULL, "tern.window", v);
    tern__pattern *p = new_pattern(L, TERN_PATTERN_WINDOW, 0);
    for (int i = 0; i < 2; ++i) {
        if (!v[SIZE].bad) p->window[i] = (uint32_t)v[SIZE].ints[i];
        if (!v[STRIDE].bad) p->stride[i] = (uint32_t)v[STRIDE].ints[i];
        if (!v[OFFSET].bad) p->offset[i] = (int32_t)v[OFFSET].ints[i];
    }
    return 1;
}

static bool read_pair(lua_State *L, int entry, size_t number, tern_pair *out)
{
    int64_t unit[2];
    char shown[64];
    if (!lua_istable(L, entry) || lua_rawlen(L, entry) < 2 || lua_rawlen(L, entry) > 3) {
        tern__error(L, TERN__E_PATTERN, "", "tern.list: entry %zu must be {from, to} or {from, to, weight}", number);
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        lua_rawgeti(L, entry, i + 1);
        const bool ok = tern__to_integer(L, -1, &unit[i]) && unit[i] >= 0 && unit[i] < 65536;
        if (!ok) tern__show(L, -1, shown, sizeof shown);
        lua_pop(L, 1);
        if (!ok) {
            tern__error(L, TERN__E_PATTERN, "", "tern.list: entry %zu: '%s' is %s, allowed: unit numbers 0..65535",
                        number, i == 0 ? "from" : "to", shown);
            return false;
        }
    }
    *out = (tern_pair){ (uint32_t)unit[0], (uint32_t)unit[1], NAN };
    if (lua_rawlen(L, entry) == 3) {
        lua_rawgeti(L, entry, 3);
        tern__show(L, -1, shown, sizeof shown); /* cheap beside the table itself */
        out->weight = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        lua_pop(L, 1);
        if (!(fabs(out->weight) <= INIT_LIMIT)) {
            tern__error(L, TERN__E_PATTERN, "", "tern.list: entry %zu: the weight is %s, allowed: numbers -1000..1000",
                        number, shown);
            return false;
        }
    }
    return true;
}

static int pat_list(lua_State *L)
{
    const size_t n = lua_istable(L, 1) ? lua_rawlen(L, 1) : 0;
    if (n == 0 || n > TERN_MAX_SYNAPSES) {
        tern_diag_hint(tern__error(L, TERN__E_PATTERN, "", "tern.list takes a list of 1 to %u pairs, found %zu",
                                   TERN_MAX_SYNAPSES, n),
                       "tern.list{ {0, 0}, {1, 0, 0.5} }");
        (void)new_pattern(L, TERN_PATTERN_ALL, 0);
        return 1;
    }
    tern__charge(L, 16u * n);
    tern__pattern *p = new_pattern(L, TERN_PATTERN_LIST, n);
    for (size_t i = 0; i < n; ++i) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        const bool ok = read_pair(L, lua_gettop(L), i + 1, &p->pairs[i]);
        lua_pop(L, 1);
        if (!ok) {
            p->n_pairs = 0;
            break;
        }
    }
    return 1;
}

const tern__pattern *tern__read_pattern(lua_State *L, int idx, const char *key)
{
    const tern__pattern *p = luaL_testudata(L, idx, TERN__MT_PATTERN);
    if (p == NULL) {
        char shown[64];
        tern__show(L, idx, shown, sizeof shown);
        tern_diag_hint(tern__error(L, TERN__E_TYPE, key, "'pattern' must be a pattern, found %s", shown),
                       "tern.all(), tern.random{}, tern.window{} or tern.list{}");
    }
    return p;
}

/* ---- generator: the n-th draw depends on seed and n alone ---- */
typedef struct generator {
    uint64_t seed, n;
} generator;

static uint64_t draw64(generator *g)
{
    const uint32_t key[2] = { (uint32_t)g->seed, (uint32_t)(g->seed >> 32) };
    const uint32_t ctr[2] = { (uint32_t)g->n, TERN__DRAW_SCRIPT << 28 | (uint32_t)(g->n >> 32 & 0x0fffffffu) };
    uint32_t out[2];
    tern_threefry2x32(key, ctr, out);
    ++g->n;
    return (uint64_t)out[1] << 32 | out[0];
}

static double draw_unit(generator *g) { return (double)(draw64(g) >> 11) * 0x1p-53; }

static int gen_new(lua_State *L)
{
    uint64_t seed;
    int64_t given = 0;
    if (lua_isnoneornil(L, 1)) {
        seed = tern__seed_use(L);
    } else {
        if (!tern__to_integer(L, 1, &given) || given < 0 || given > (int64_t)1 << 53) {
            char shown[64];
            tern__show(L, 1, shown, sizeof shown);
            tern__error(L, TERN__E_RANGE, "", "tern.generator: the seed is %s, allowed: whole numbers 0..2^53", shown);
            given = 0;
        }
        seed = (uint64_t)given;
    }
    generator *g = lua_newuserdatauv(L, sizeof *g, 0);
    *g = (generator){ seed, 0 };
    luaL_setmetatable(L, TERN__MT_GENERATOR);
    return 1;
}

static int gen_uniform(lua_State *L)
{
    generator *g = luaL_checkudata(L, 1, TERN__MT_GENERATOR);
    const double lo = luaL_optnumber(L, 2, 0.0), hi = luaL_optnumber(L, 3, 1.0);
    lua_pushnumber(L, lo + (hi - lo) * draw_unit(g));
    return 1;
}

static int gen_integer(lua_State *L)
{
    generator *g = luaL_checkudata(L, 1, TERN__MT_GENERATOR);
    const lua_Integer lo = luaL_checkinteger(L, 2), hi = luaL_checkinteger(L, 3);
    luaL_argcheck(L, lo <= hi, 3, "the range is empty");
    const uint64_t span = (uint64_t)hi - (uint64_t)lo + 1u; /* 0: all */
    uint64_t x = draw64(g);
    if (span != 0) {
        const uint64_t unfair = UINT64_MAX - UINT64_MAX % span; /* draws from here on would favour small results */
        while (x >= unfair) x = draw64(g);
        x %= span;
    }
    lua_pushinteger(L, (lua_Integer)((uint64_t)lo + x));
    return 1;
}

static int gen_normal(lua_State *L) /* Box and Muller; two draws each */
{
    generator *g = luaL_checkudata(L, 1, TERN__MT_GENERATOR);
    const double r = sqrt(-2.0 * log(1.0 - draw_unit(g)));
    lua_pushnumber(L, r * cos(2.0 * 3.14159265358979323846 * draw_unit(g)));
    return 1;
}

static int gen_shuffle(lua_State *L)
{
    generator *g = luaL_checkudata(L, 1, TERN__MT_GENERATOR);
    luaL_checktype(L, 2, LUA_TTABLE);
    const uint64_t n = lua_rawlen(L, 2);
    tern__charge(L, 16u * n);
    for (uint64_t i = n; i > 1; --i) {
        const lua_Integer j = (lua_Integer)(draw_unit(g) * (double)i) + 1;
        lua_rawgeti(L, 2, (lua_Integer)i);
        lua_rawgeti(L, 2, j);
        lua_rawseti(L, 2, (lua_Integer)i);
        lua_rawseti(L, 2, j);
    }
    lua_settop(L, 2);
    return 1;
}

static int opaque_text(lua_State *L) /* upvalue: what it is */
{
    lua_pushvalue(L, lua_upvalueindex(1));
    return 1;
}

static void new_meta(lua_State *L, const char *name, const char *text)
{
    luaL_newmetatable(L, name);
    lua_pushstring(L, text);
    lua_pushcclosure(L, opaque_text, 1);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
}

void tern__inits_open(lua_State *L, int tern_table)
{
    static const luaL_Reg functions[] = { { "zero", ini_zero },
                                          { "constant", ini_constant },
                                          { "uniform", ini_uniform },
                                          { "image", ini_image },
                                          { "array", ini_array },
                                          { "all", pat_all },
                                          { "random", pat_random },
                                          { "window", pat_window },
                                          { "list", pat_list },
                                          { "generator", gen_new },
                                          { NULL, NULL } };
    static const luaL_Reg methods[] = { { "uniform", gen_uniform },
                                        { "integer", gen_integer },
                                        { "normal", gen_normal },
                                        { "shuffle", gen_shuffle },
                                        { NULL, NULL } };
    new_meta(L, TERN__MT_INIT, "initial value");
    new_meta(L, TERN__MT_PATTERN, "pattern");
    new_meta(L, TERN__MT_GENERATOR, "generator");
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 3);
    lua_pushvalue(L, tern_table);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
