/* tern_values.c : synaptic filters (docs/10-language.md, section 3)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A filter set is a userdata with its taps; the network's list of filters grows when a set is used, equal filters share
 * one entry.
 */
#include "tern_front.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static tern__filter_set *new_set(lua_State *L, uint32_t n)
{
    tern__filter_set *s = lua_newuserdatauv(L, sizeof *s + n * sizeof s->f[0], 0);
    memset(s, 0, sizeof *s + n * sizeof s->f[0]);
    s->n = n;
    s->line = tern__line(L);
    luaL_setmetatable(L, TERN__MT_FILTERS);
    return s;
}

static int fil_raised_cosine(lua_State *L)
{
    enum { COUNT, DURATION, OFFSET, PEAK, N };
    tern__value v[N];
    (void)tern__args(L, 1, "raised_cosine", NULL, "tern.raised_cosine", v);
    const uint32_t n = (uint32_t)(v[COUNT].bad ? 1 : v[COUNT].num),
                   taps = (uint32_t)(v[DURATION].bad ? 10 : v[DURATION].num);
    const double c = v[OFFSET].bad ? 1.0 : v[OFFSET].num, peak = v[PEAK].bad ? 1.0 : v[PEAK].num;
    tern__charge(L, 4u * n * taps);
    tern__filter_set *s = new_set(L, n);
    const double end = log(((double)taps + c) / c), a = pi * (n + 1.0) / (2.0 * end);
    for (uint32_t j = 0; j < n; ++j) {
        tern_filter *f = &s->f[j];
        double sum = 0;
        f->kind = TERN_FILTER_COSINE;
        f->n_taps = (uint8_t)taps;
        for (uint32_t t = 1; t <= taps; ++t) {
            double phase = a * log((t - 1.0 + c) / c) - j * pi / 2.0;
            phase = phase > pi ? pi : phase < -pi ? -pi : phase;
            f->taps[t - 1] = 0.5 * peak * (1.0 + cos(phase));
            sum += f->taps[t - 1];
        }
        if (sum < 1e-3)
            tern_diag_hint(tern__error(L, TERN__E_FILTER, "",
                                       "tern.raised_cosine: filter %u of %u has no tap inside its %u steps", j + 1, n,
                                       taps),
                           "use fewer filters, a longer duration or a larger offset");
    }
    return 1;
}

/* tau to taps; share(d): what is beyond d taps. */
static int endless(lua_State *L, const char *section, const char *what, uint8_t kind)
{
    enum { TAU, DURATION, N };
    tern__value v[N];
    tern__charge(L, 500u);
    (void)tern__args(L, 1, section, NULL, what, v);
    const double tau = v[TAU].bad ? 2.0 : v[TAU].num, r = exp(-1.0 / tau);
    double share[TERN_MAX_TAPS + 1];
    for (uint32_t d = 1; d <= TERN_MAX_TAPS; ++d) /* sums of r^t and of t r^t beyond d, over the whole sums */
        share[d] = kind == TERN_FILTER_EXP ? pow(r, d) : pow(r, d) * (d + 1.0 - d * r);
    uint32_t taps = 1;
    if (v[DURATION].given && !v[DURATION].bad) taps = (uint32_t)v[DURATION].num;
    else
        while (taps < TERN_MAX_TAPS && share[taps] > 0.01) ++taps;
    tern__filter_set *s = new_set(L, 1);
    tern_filter *f = &s->f[0];
    f->kind = kind;
    f->n_taps = (uint8_t)taps;
    f->cut_mass = share[taps];
    double sum = 0;
    for (uint32_t t = 1; t <= taps; ++t) {
        f->taps[t - 1] = kind == TERN_FILTER_EXP ? exp(-(t - 1.0) / tau) : t / tau * exp(1.0 - t / tau);
        sum += f->taps[t - 1];
    }
    if (sum < 1e-3) tern__error(L, TERN__E_FILTER, "", "%s: all taps are nearly 0", what);
    if (f->cut_mass > 0.05)
        tern_diag_hint(tern__warn(L, TERN__W_CUT, "",
                                  "%s: %.1f %% of the filter's sum is beyond its %u steps and is cut off", what,
                                  100 * f->cut_mass, taps),
                       "use a longer duration (at most %u) or a smaller tau", TERN_MAX_TAPS);
    return 1;
}

static int fil_exponential(lua_State *L) { return endless(L, "exponential", "tern.exponential", TERN_FILTER_EXP); }
static int fil_alpha(lua_State *L) { return endless(L, "alpha", "tern.alpha", TERN_FILTER_ALPHA); }

static int fil_taps(lua_State *L)
{
    tern__filter_set *s = new_set(L, 1);
    tern_filter *f = &s->f[0];
    f->kind = TERN_FILTER_USER;
    f->n_taps = 1;
    f->taps[0] = 1.0;
    char shown[64];
    if (!lua_istable(L, 1)) {
        tern__show(L, 1, shown, sizeof shown);
        tern_diag_hint(tern__error(L, TERN__E_TYPE, "", "tern.taps takes a list of numbers, found %s",
                                   lua_isnone(L, 1) ? "nothing" : shown),
                       "tern.taps{ 0.2, 1, 0.5 }");
        return 1;
    }
    const size_t n = lua_rawlen(L, 1);
    if (n < 1 || n > TERN_MAX_TAPS) {
        tern__error(L, TERN__E_COUNT, "", "tern.taps: %zu taps, allowed: 1 to %u", n, TERN_MAX_TAPS);
        return 1;
    }
    double sum = 0, taps[TERN_MAX_TAPS];
    for (size_t i = 0; i < n; ++i) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        tern__show(L, -1, shown, sizeof shown);
        const bool number = lua_type(L, -1) == LUA_TNUMBER;
        taps[i] = number ? lua_tonumber(L, -1) : 0.0;
        lua_pop(L, 1);
        if (!number) {
            tern__error(L, TERN__E_TYPE, "", "tern.taps: tap %zu must be a number, found %s", i + 1, shown);
            return 1;
        }
        if (!(taps[i] >= 0.0 && taps[i] < 2.0)) {
            tern_diag_hint(
                tern__error(L, TERN__E_FILTER, "", "tern.taps: tap %zu is %s, allowed: 0 <= tap < 2", i + 1, shown),
                "signs and sizes belong to the weights");
            return 1;
        }
        sum += taps[i];
    }
    if (sum < 1e-3) {
        tern__error(L, TERN__E_FILTER, "", "tern.taps: all taps are nearly 0");
        return 1;
    }
    f->n_taps = (uint8_t)n;
    memcpy(f->taps, taps, n * sizeof taps[0]);
    return 1;
}

/* ---- sets as values ---- */
static int set_index(lua_State *L)
{
    tern__filter_set *s = luaL_checkudata(L, 1, TERN__MT_FILTERS);
    int64_t i;
    if (!tern__to_integer(L, 2, &i) || i < 1 || i > s->n)
        return luaL_error(L, "this filter set has %d filter(s), index 1..%d", (int)s->n, (int)s->n);
    const tern_filter one = s->f[i - 1];
    tern__filter_set *o = new_set(L, 1);
    o->f[0] = one;
    return 1;
}

static int set_len(lua_State *L)
{
    const tern__filter_set *s = luaL_checkudata(L, 1, TERN__MT_FILTERS);
    lua_pushinteger(L, s->n);
    return 1;
}

static int set_text(lua_State *L)
{
    const tern__filter_set *s = luaL_checkudata(L, 1, TERN__MT_FILTERS);
    lua_pushfstring(L, "%d filter(s) of %d steps", (int)s->n, (int)s->f[0].n_taps);
    return 1;
}

/* Index of the filter in the network's list, -1: the list is full (reported). */
static int intern(lua_State *L, const tern_filter *f, uint32_t line, const char *key)
{
    tern__front *front = tern__front_of(L);
    tern_desc *d = front->desc;
    for (uint32_t i = 0; i < d->n_filters; ++i)
        if (d->filters[i].n_taps == f->n_taps &&
            memcmp(d->filters[i].taps, f->taps, f->n_taps * sizeof f->taps[0]) == 0)
            return (int)i;
    if (d->n_filters == TERN_MAX_FILTERS) {
        tern_diag_hint(
            tern__error(L, TERN__E_TOO_MANY, key, "more than %u different filters in one network", TERN_MAX_FILTERS),
            "use the same filters in several connections");
        return -1;
    }
    d->filters[d->n_filters] = *f;
    front->filter_line[d->n_filters] = line;
    return (int)d->n_filters++;
}

static bool add_set(lua_State *L, int idx, const char *key, uint32_t n_max, uint8_t *out, uint32_t *n)
{
    const tern__filter_set *s = luaL_testudata(L, idx, TERN__MT_FILTERS);
    if (s == NULL) {
        char shown[64];
        tern__show(L, idx, shown, sizeof shown);
        tern_diag_hint(tern__error(L, TERN__E_TYPE, key, "'%s' must be filters, found %s",
                                   strrchr(key, '.') ? strrchr(key, '.') + 1 : key, shown),
                       "for example tern.raised_cosine{ count = 2, duration = 10 }");
        return false;
    }
    if (*n + s->n > n_max) {
        tern_diag_hint(tern__error(L, TERN__E_COUNT, key, "%u filters where %s %u %s allowed", *n + s->n,
                                   n_max == 1 ? "only" : "at most", n_max, n_max == 1 ? "is" : "are"),
                       n_max == 1 ? "take one of a set: cosines[1]" : "use fewer filters");
        return false;
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        const int at = intern(L, &s->f[i], s->line, key);
        if (at < 0) return false;
        for (uint32_t j = 0; j < *n; ++j)
            if (out[j] == at) {
                tern__error(L, TERN__E_FILTER, key, "the same filter is listed twice");
                return false;
            }
        out[(*n)++] = (uint8_t)at;
    }
    return true;
}

uint32_t tern__read_filters(lua_State *L, int idx, const char *key, uint32_t n_max, uint8_t *out, uint8_t *listed)
{
    uint32_t n = 0;
    if (lua_type(L, idx) == LUA_TTABLE) {
        const size_t len = lua_rawlen(L, idx);
        if (len == 0) {
            tern__error(L, TERN__E_COUNT, key, "an empty list of filters");
            return 0;
        }
        for (size_t i = 1; i <= len && i <= TERN_MAX_FILTERS + 1u; ++i) {
            lua_rawgeti(L, idx, (lua_Integer)i);
            const bool ok = add_set(L, lua_gettop(L), key, n_max, out, &n);
            lua_pop(L, 1);
            if (!ok) return 0;
        }
    } else if (!add_set(L, idx, key, n_max, out, &n)) {
        return 0;
    }
    for (uint32_t i = 0; i < n; ++i) listed[i] = (uint8_t)i;
    for (uint32_t i = 1; i < n; ++i) /* ascending */
        for (uint32_t j = i; j > 0 && out[j - 1] > out[j]; --j) {
            const uint8_t t = out[j], place = listed[j];
            out[j] = out[j - 1];
            out[j - 1] = t;
            listed[j] = listed[j - 1];
            listed[j - 1] = place;
        }
    return n;
}

void tern__values_open(lua_State *L, int tern_table)
{
    static const luaL_Reg meta[] = {
        { "__index", set_index }, { "__len", set_len }, { "__tostring", set_text }, { NULL, NULL }
    };
    static const luaL_Reg functions[] = { { "raised_cosine", fil_raised_cosine },
                                          { "exponential", fil_exponential },
                                          { "alpha", fil_alpha },
                                          { "taps", fil_taps },
                                          { NULL, NULL } };
    tern__type_open(L, TERN__MT_FILTERS, meta, tern_table, functions);
}
