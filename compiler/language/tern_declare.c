/* tern_declare.c : populations and connections (docs/10-language.md, sections 1 and 2)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A population's value in the script is a userdata with its index. After an error the declaration is still made, with a
 * size of 1 where none is known, so that later lines are checked too; a script with errors never gets past the front
 * end.
 */
#include "tern_front.h"
#include "tern_draws.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool good_name(const char *s)
{
    if (!isalpha((unsigned char)s[0])) return false;
    for (; *s != 0; ++s)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

static void check_name(lua_State *L, const char *what, const tern__value *v, tern_pop_desc *p)
{
    static const char *const reserved[] = { "rule", "formats", "data", "seed" };
    tern_desc *d = tern__front_of(L)->desc;
    if (v->bad) return;
    if (!good_name(v->text)) {
        tern__error(L, TERN__E_NAME, "name",
                    "%s: the name \"%.47s\" is not letters, digits and '_' beginning with a letter", what, v->text);
        return;
    }
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; ++i)
        if (strcmp(v->text, reserved[i]) == 0) {
            tern__error(L, TERN__E_NAME, "name", "%s: the name \"%s\" is reserved for --set", what, v->text);
            return;
        }
    for (uint32_t i = 0; i < d->n_populations; ++i)
        if (strcmp(d->populations[i].pop.name, v->text) == 0) {
            tern__error(L, TERN__E_NAME, "name", "%s: the name \"%s\" is already taken by the population of line %u",
                        what, v->text, d->populations[i].pop.line);
            return;
        }
    memcpy(p->pop.name, v->text, v->n + 1u);
}

/* Size from size= or shape=; a set of one replaces the other of the script. */
static void read_size(lua_State *L, const char *what, const char *name, const tern__value *size,
                      const tern__value *shape, tern_population *p)
{
    bool use_size = size->given, use_shape = shape->given;
    if (use_size && use_shape) {
        const bool set_size = tern__set_is(L, name, "size"), set_shape = tern__set_is(L, name, "shape");
        if (set_size != set_shape) {
            use_size = set_size;
            use_shape = set_shape;
        } else {
            tern__error(L, TERN__E_CONFLICT, "size", "%s: both 'size' and 'shape' are given; give one", what);
            return;
        }
    }
    if (!use_size && !use_shape) {
        tern__error(L, TERN__E_MISSING_KEY, "size", "%s: 'size' or 'shape' is missing", what);
        return;
    }
    if (use_size) {
        if (!size->bad) p->dims[0] = p->size = (uint32_t)size->num;
        return;
    }
    if (shape->bad) return;
    uint64_t product = 1;
    for (uint32_t i = 0; i < shape->n; ++i) product *= (uint64_t)shape->ints[i]; /* at most 2^48 */
    if (product > TERN_MAX_POSITIONS) {
        tern__error(L, TERN__E_RANGE, "shape", "%s: 'shape' has %llu units, allowed: at most %u", what,
                    (unsigned long long)product, TERN_MAX_POSITIONS);
        return;
    }
    p->n_dims = (uint8_t)shape->n;
    for (uint32_t i = 0; i < shape->n; ++i) p->dims[i] = (uint32_t)shape->ints[i];
    p->size = (uint32_t)product;
}

/* Circuits run along the last dimension, so that each of them is a run of neighbouring units. */
static void read_wta(lua_State *L, const char *what, const char *key, const tern__value *v, tern_population *p)
{
    if (!v->given || v->bad) return;
    const uint32_t c = (uint32_t)v->num, last = p->dims[p->n_dims - 1];
    if (last % c == 0) {
        p->wta = c;
        return;
    }
    tern_diag *g =
        p->n_dims == 1
            ? tern__error(L, TERN__E_CONFLICT, key, "%s: %u units cannot be put into circuits of wta = %u", what, last,
                          c)
            : tern__error(L, TERN__E_CONFLICT, key,
                          "%s: %u units of the last dimension cannot be put into circuits of wta = %u", what, last, c);
    tern_diag_hint(g, "the %s must be a multiple of 'wta', for example %u",
                   p->n_dims == 1 ? "size" : "last entry of 'shape'", (last / c + 1u) * c);
}

/* Pushes the value of a key that the declaration reads itself; false when it was not given. */
static bool given(lua_State *L, const char *section, const char *set_section, const char *key)
{
    if (tern__push_key(L, 1, section, set_section, key) != LUA_TNIL) return true;
    lua_pop(L, 1);
    return false;
}

static int make_population(lua_State *L, uint8_t kind, const char *section, const char *call)
{
    enum { NAME, SIZE, SHAPE, MEMORY, BIAS, MEMORY_INIT, WTA, N };
    tern__front *f = tern__front_of(L);
    tern_desc *d = f->desc;
    tern__value v[N];
    char what[96], name[TERN_NAME_MAX + 1] = "";
    snprintf(what, sizeof what, "%s", call);
    lua_settop(L, 1);
    if (lua_istable(L, 1)) { /* the name first: sets are found by it */
        lua_pushliteral(L, "name");
        if (lua_rawget(L, 1) == LUA_TSTRING && lua_rawlen(L, -1) <= TERN_NAME_MAX) {
            snprintf(name, sizeof name, "%s", lua_tostring(L, -1));
            if (good_name(name)) snprintf(what, sizeof what, "%s '%s'", call, name);
            else name[0] = 0;
        }
        lua_settop(L, 1);
    }
    if (d->n_populations == TERN_MAX_POPULATIONS) {
        tern__error(L, TERN__E_TOO_MANY, "", "%s: more than %u populations", what, TERN_MAX_POPULATIONS);
        return tern__raise_trip(L, TERN__TRIP_ERRORS);
    }
    const char *set_section = name[0] != 0 ? name : NULL;
    const bool is_table = tern__args(L, 1, section, set_section, what, v);
    tern_pop_desc *p = &d->populations[d->n_populations];
    *p = (tern_pop_desc){ .self_filter = -1 };
    p->pop = (tern_population){ .kind = kind, .n_dims = 1, .dims = { 1, 1, 1 }, .size = 1, .line = tern__line(L) };
    p->pop.dims[1] = p->pop.dims[2] = 1;
    if (is_table) {
        check_name(L, what, &v[NAME], p);
        const size_t errors = f->n_errors;
        read_size(L, what, name, &v[SIZE], &v[SHAPE], &p->pop);
        const bool sized = f->n_errors == errors && !v[SIZE].bad && !v[SHAPE].bad;
        if (kind != TERN_POP_INPUT) {
            char key[80];
            uint8_t filter[1], listed[1];
            snprintf(key, sizeof key, "%s.wta", name[0] != 0 ? name : section);
            if (sized) read_wta(L, what, key, &v[WTA], &p->pop);
            snprintf(key, sizeof key, "%s.memory", name[0] != 0 ? name : section);
            if (given(L, section, set_section, "memory") &&
                tern__read_filters(L, lua_gettop(L), key, 1, filter, listed) == 1)
                p->self_filter = filter[0];
            snprintf(key, sizeof key, "%s.bias", name[0] != 0 ? name : section);
            if (given(L, section, set_section, "bias")) (void)tern__read_init(L, lua_gettop(L), key, &p->bias_init);
            snprintf(key, sizeof key, "%s.memory_init", name[0] != 0 ? name : section);
            if (given(L, section, set_section, "memory_init")) {
                (void)tern__read_init(L, lua_gettop(L), key, &p->self_init);
                if (p->self_filter < 0)
                    tern_diag_hint(tern__error(L, TERN__E_CONFLICT, key, "%s: 'memory_init' without 'memory'", what),
                                   "add memory = tern.raised_cosine{ duration = 10 }");
            }
        }
    }
    lua_settop(L, 1);
    uint32_t *index = lua_newuserdatauv(L, sizeof *index, 0);
    *index = d->n_populations++;
    luaL_setmetatable(L, TERN__MT_POPULATION);
    return 1;
}

static int dec_input(lua_State *L) { return make_population(L, TERN_POP_INPUT, "input", "tern.input"); }
static int dec_hidden(lua_State *L) { return make_population(L, TERN_POP_HIDDEN, "hidden", "tern.hidden"); }
static int dec_visible(lua_State *L) { return make_population(L, TERN_POP_VISIBLE, "visible", "tern.visible"); }

int64_t tern__read_population(lua_State *L, int idx, const char *key)
{
    const uint32_t *index = luaL_testudata(L, idx, TERN__MT_POPULATION);
    if (index != NULL) return *index;
    char shown[64];
    tern__show(L, idx, shown, sizeof shown);
    const char *name = strrchr(key, '.') ? strrchr(key, '.') + 1 : key;
    tern_diag *g = tern__error(L, TERN__E_POPULATION, key, "'%s' must be a population, found %s", name, shown);
    tern_diag_hint(g, lua_type(L, idx) == LUA_TSTRING
                          ? "give the value that tern.input, tern.hidden or tern.visible returned, not its name"
                      : lua_isnil(L, idx) ? "is the variable's name spelt as in its declaration?"
                                          : "the value that tern.input, tern.hidden or tern.visible returned");
    return -1;
}

/* One population or a list of them; 0: reported. */
static uint32_t read_populations(lua_State *L, const char *key, bool as_target, uint32_t *out)
{
    const int top = lua_gettop(L);
    uint32_t n = 0;
    const bool list = lua_istable(L, top);
    const size_t len = list ? lua_rawlen(L, top) : 1;
    const char *name = strrchr(key, '.') + 1;
    if (len == 0 || len > TERN_MAX_POPULATIONS) {
        tern__error(L, TERN__E_COUNT, key, "'%s' lists %zu populations, allowed: 1 to %u", name, len,
                    TERN_MAX_POPULATIONS);
        return 0;
    }
    for (size_t i = 1; i <= len; ++i) {
        if (list) lua_rawgeti(L, top, (lua_Integer)i);
        const int64_t p = tern__read_population(L, lua_gettop(L), key);
        lua_settop(L, top);
        if (p < 0) return 0;
        const tern_population *pop = &tern__front_of(L)->desc->populations[p].pop;
        if (as_target && pop->kind == TERN_POP_INPUT) {
            tern_diag_hint(tern__error(L, TERN__E_POPULATION, key,
                                       "'%s' is an input; inputs have no synapses onto them", pop->name),
                           "the target must be hidden or visible");
            return 0;
        }
        for (uint32_t j = 0; j < n; ++j)
            if (out[j] == (uint32_t)p) {
                tern__error(L, TERN__E_POPULATION, key, "'%s' lists the population '%s' twice", name, pop->name);
                return 0;
            }
        out[n++] = (uint32_t)p;
    }
    return n;
}

static tern_projection *new_projection(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    tern_desc *d = f->desc;
    if (d->n_projections == f->cap_projections) {
        const size_t cap = f->cap_projections == 0 ? 16 : f->cap_projections * 2;
        tern_projection *grown = tern__arena(L, cap, sizeof *grown);
        if (d->n_projections > 0) memcpy(grown, d->projections, d->n_projections * sizeof *grown);
        d->projections = grown;
        f->cap_projections = cap;
    }
    return &d->projections[d->n_projections];
}

/* The window pattern needs shapes that can be laid over each other. */
static void check_window(lua_State *L, const tern_population *from, const tern_population *to)
{
    if ((from->n_dims == 1) == (to->n_dims == 1)) return;
    tern_diag_hint(tern__error(L, TERN__E_PATTERN, "connect.pattern",
                               "tern.window: '%s' has %u dimension(s) and '%s' has %u", from->name, from->n_dims,
                               to->name, to->n_dims),
                   "give both a shape = {rows, columns}, or both only a size (which a shape of one entry is, too)");
}

static void check_list(lua_State *L, const tern__pattern *p, const tern_population *from, const tern_population *to,
                       bool allow_self)
{
    tern__charge(L, p->n_pairs);
    for (size_t i = 0; i < p->n_pairs; ++i) {
        const tern_pair *q = &p->pairs[i];
        if (q->from < from->size && q->to < to->size) {
            if (from != to || q->from != q->to || allow_self) continue;
            tern_diag_hint(tern__error(L, TERN__E_PATTERN, "connect.pattern",
                                       "tern.list: entry %zu connects unit %u with itself", i + 1, q->from),
                           "add self = true");
            return;
        }
        tern__error(L, TERN__E_PATTERN, "connect.pattern",
                    "tern.list: entry %zu {%u, %u}: '%s' has the units 0..%u and '%s' has 0..%u", i + 1, q->from, q->to,
                    from->name, from->size - 1, to->name, to->size - 1);
        return;
    }
}

static int dec_connect(lua_State *L)
{
    enum { FROM, TO, FILTERS, PATTERN, SELF, INIT, N };
    tern_desc *d = tern__front_of(L)->desc;
    tern__value v[N];
    uint32_t from[TERN_MAX_POPULATIONS], to[TERN_MAX_POPULATIONS], n_from = 0, n_to = 0;
    tern_projection proto = { .line = tern__line(L),
                              .pattern = TERN_PATTERN_ALL,
                              .density = 1.0,
                              .init = { .kind = TERN_INIT_UNIFORM, .lo = -0.05, .hi = 0.05 } };
    lua_settop(L, 1);
    if (!tern__args(L, 1, "connect", NULL, "tern.connect", v)) return 0;
    if (given(L, "connect", NULL, "from")) n_from = read_populations(L, "connect.from", false, from);
    if (given(L, "connect", NULL, "to")) n_to = read_populations(L, "connect.to", true, to);
    if (given(L, "connect", NULL, "filters"))
        proto.n_filters =
            tern__read_filters(L, lua_gettop(L), "connect.filters", TERN_MAX_FILTERS, proto.filters, proto.listed);
    const tern__pattern *p = NULL;
    if (given(L, "connect", NULL, "pattern")) p = tern__read_pattern(L, lua_gettop(L), "connect.pattern");
    if (given(L, "connect", NULL, "init")) (void)tern__read_init(L, lua_gettop(L), "connect.init", &proto.init);
    proto.allow_self = !v[SELF].bad && v[SELF].choice != 0;
    if (p != NULL) {
        proto.pattern = p->kind;
        proto.density = p->density;
        memcpy(proto.window, p->window, sizeof proto.window);
        memcpy(proto.stride, p->stride, sizeof proto.stride);
        memcpy(proto.offset, p->offset, sizeof proto.offset);
        if (p->n_pairs > 0) {
            tern_pair *pairs = tern__arena(L, p->n_pairs, sizeof *pairs);
            memcpy(pairs, p->pairs, p->n_pairs * sizeof *pairs);
            proto.pairs = pairs;
            proto.n_pairs = p->n_pairs;
        }
    }
    for (uint32_t j = 0; j < n_to; ++j)
        for (uint32_t i = 0; i < n_from; ++i) {
            const tern_population *a = &d->populations[from[i]].pop, *b = &d->populations[to[j]].pop;
            if (p != NULL && p->kind == TERN_PATTERN_WINDOW) check_window(L, a, b);
            if (p != NULL && p->kind == TERN_PATTERN_LIST) check_list(L, p, a, b, proto.allow_self);
            if (d->n_projections >= 65536) {
                tern__error(L, TERN__E_TOO_MANY, "", "more than 65536 projections");
                return tern__raise_trip(L, TERN__TRIP_ERRORS);
            }
            tern_projection *q = new_projection(L);
            *q = proto;
            q->from = from[i];
            q->to = to[j];
            if (p != NULL && p->own_seed) q->seed = p->seed;
            /* filled when the script's seed is known */
            if (p != NULL && p->kind == TERN_PATTERN_RANDOM && !p->own_seed) q->seed = UINT64_MAX;
            ++d->n_projections;
        }
    return 0;
}

/* ---- populations as values ---- */
static int pop_index(lua_State *L)
{
    const uint32_t *index = luaL_checkudata(L, 1, TERN__MT_POPULATION);
    const tern_population *p = &tern__front_of(L)->desc->populations[*index].pop;
    const char *key = luaL_checkstring(L, 2);
    if (strcmp(key, "name") == 0) {
        lua_pushstring(L, p->name);
    } else if (strcmp(key, "size") == 0) {
        lua_pushinteger(L, p->size);
    } else if (strcmp(key, "shape") == 0) {
        lua_createtable(L, p->n_dims, 0);
        for (int i = 0; i < p->n_dims; ++i) {
            lua_pushinteger(L, p->dims[i]);
            lua_rawseti(L, -2, i + 1);
        }
    } else {
        return luaL_error(L, "a population has 'name', 'size' and 'shape', not '%s'", key);
    }
    return 1;
}

static int pop_text(lua_State *L)
{
    const uint32_t *index = luaL_checkudata(L, 1, TERN__MT_POPULATION);
    lua_pushfstring(L, "population '%s'", tern__front_of(L)->desc->populations[*index].pop.name);
    return 1;
}

void tern__net_open(lua_State *L, int tern_table)
{
    static const luaL_Reg meta[] = {
        { "__index", pop_index }, { "__newindex", tern__closed }, { "__tostring", pop_text }, { NULL, NULL }
    };
    static const luaL_Reg functions[] = { { "input", dec_input },
                                          { "hidden", dec_hidden },
                                          { "visible", dec_visible },
                                          { "connect", dec_connect },
                                          { NULL, NULL } };
    tern__type_open(L, TERN__MT_POPULATION, meta, tern_table, functions);
}
