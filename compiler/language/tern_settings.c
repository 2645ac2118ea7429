/* tern_settings.c : number formats, data section, seed, initial values (docs/10-language.md, sections 5 to 7)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_front.h"
#include "tern_draws.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool tern__only_once(lua_State *L, const char *what, uint32_t *line)
{
    const uint32_t here = tern__line(L);
    if (*line != 0) {
        tern__error(L, TERN__E_TWICE, "", "%s: there is one already, in line %u", what, *line);
        return false;
    }
    *line = here == 0 ? 1 : here;
    return true;
}

/* ---- formats ---- */
static void read_formats(lua_State *L, int arg)
{
    enum { WEIGHT, TRACE, LEARN, LAGS, SIGNAL, N };
    tern__value v[N];
    tern_format_desc *d = &tern__front_of(L)->desc->formats;
    if (!tern__args(L, arg, "formats", "formats", "tern.formats", v)) return;
    const int64_t bits = v[WEIGHT].ints[0], frac = v[WEIGHT].ints[1];
    if (!v[WEIGHT].bad && (bits < 4 || bits > 16 || frac > 12)) {
        tern_diag *g = tern__error(L, TERN__E_RANGE, "formats.weight",
                                   "tern.formats: 'weight' is {%" PRId64 ", %" PRId64
                                   "}, allowed: {bits 4..16, fraction bits 0..12}",
                                   bits, frac);
        tern_diag_hint(g, "{16, 12} holds -8..8 finely, {8, 7} holds -1..1 coarsely, {8, 10} holds -1/8..1/8");
    } else if (!v[WEIGHT].bad) {
        d->weight_bits = (uint32_t)bits;
        d->weight_frac = (uint32_t)frac;
    }
    if (!v[TRACE].bad) d->trace_frac = (uint32_t)v[TRACE].num;
    if (!v[LEARN].bad) d->learn_bits = (uint32_t)v[LEARN].num;
    if (!v[LAGS].bad) d->lags = (uint32_t)v[LAGS].num;
    if (v[SIGNAL].given && !v[SIGNAL].bad) d->signal_frac = (int32_t)v[SIGNAL].num;
}

static int set_formats(lua_State *L)
{
    lua_settop(L, 1);
    if (tern__only_once(L, "tern.formats", &tern__front_of(L)->formats_line)) read_formats(L, 1);
    return 0;
}

void tern__formats_default(lua_State *L)
{
    if (tern__front_of(L)->formats_line != 0) return;
    lua_createtable(L, 0, 0);
    read_formats(L, lua_gettop(L));
    lua_pop(L, 1);
}

/* ---- data ---- */
static void part_size_error(lua_State *L, const char *key, const tern_population *p, uint64_t width, uint64_t height,
                            unsigned planes)
{
    char shape[64], before[32] = "";
    if (p->n_dims == 1) snprintf(shape, sizeof shape, "%u units", p->size);
    else if (p->n_dims == 2) snprintf(shape, sizeof shape, "%u rows x %u columns", p->dims[0], p->dims[1]);
    else snprintf(shape, sizeof shape, "%u planes x %u rows x %u columns", p->dims[0], p->dims[1], p->dims[2]);
    if (planes > 1) snprintf(before, sizeof before, "%u planes x ", planes);
    tern_diag *g = tern__error(L, TERN__E_PART, key,
                               "tern.data: the part has %s%" PRIu64 " rows x %" PRIu64 " columns, but '%s' has %s",
                               before, height, width, p->name, shape);
    tern_diag_hint(g, "make the population's size %" PRIu64 ", or take other rows and columns",
                   width * height * planes);
}

/* Width and height of the area that parts are cut from, in scaled pixels: crop, sensor, or (0) unknown. */
static bool area(const tern_data_spec *d, uint64_t *w, uint64_t *h)
{
    *w = (d->crop_width != 0 ? d->crop_width : d->sensor_width) / d->scale;
    *h = (d->crop_width != 0 ? d->crop_height : d->sensor_height) / d->scale;
    return *w != 0;
}

/* Adds a part after checking it against the area (if it is known) and the population. */
static void add_part(lua_State *L, const char *key, tern_data_spec *d, uint32_t population, uint64_t x, uint64_t y,
                     uint64_t width, uint64_t height)
{
    const tern_population *p = &tern__front_of(L)->desc->populations[population].pop;
    const unsigned planes = tern_data_planes(d);
    uint64_t area_w, area_h;
    if (p->kind == TERN_POP_HIDDEN) {
        tern__error(L, TERN__E_PART, key,
                    "tern.data: '%s' is hidden; a part drives an input population or is the target of a visible one",
                    p->name);
        return;
    }
    for (uint32_t i = 0; i < d->n_parts; ++i)
        if (d->parts[i].population == population) {
            tern__error(L, TERN__E_PART, key, "tern.data: '%s' has two parts", p->name);
            return;
        }
    if (d->n_parts == TERN_MAX_PARTS) {
        tern__error(L, TERN__E_TOO_MANY, key, "tern.data: more than %u parts", TERN_MAX_PARTS);
        return;
    }
    if (area(d, &area_w, &area_h) && (x + width > area_w || y + height > area_h)) {
        tern__error(L, TERN__E_PART, key,
                    "tern.data: the part of '%s' ends at row %" PRIu64 ", column %" PRIu64
                    "; the %s%s has rows 0..%" PRIu64 " and columns 0..%" PRIu64,
                    p->name, y + height - 1, x + width - 1, d->scale > 1 ? "scaled " : "",
                    d->crop_width != 0 ? "crop" : "sensor", area_h - 1, area_w - 1);
        return;
    }
    bool fits = width * height * planes == p->size;
    if (p->n_dims == 2) fits = fits && planes == 1 && p->dims[0] == height && p->dims[1] == width;
    if (p->n_dims == 3) fits = fits && p->dims[0] == planes && p->dims[1] == height && p->dims[2] == width;
    if (!fits) {
        part_size_error(L, key, p, width, height, planes);
        return;
    }
    d->parts[d->n_parts++] = (tern_part){ population, (uint32_t)x, (uint32_t)y, (uint32_t)width, (uint32_t)height };
}

static void read_part(lua_State *L, int entry, tern_data_spec *d)
{
    enum { POPULATION, ROWS, COLUMNS, N };
    tern__value v[N];
    if (!tern__args(L, entry, "part", NULL, "part", v)) return;
    if (v[POPULATION].bad || v[ROWS].bad || v[COLUMNS].bad) return;
    (void)tern__push_key(L, entry, "part", NULL, "population");
    const int64_t p = tern__read_population(L, lua_gettop(L), "part.population");
    lua_pop(L, 1);
    if (p < 0) return;
    uint64_t w, h;
    if (!area(d, &w, &h) && !(v[ROWS].given && v[COLUMNS].given)) {
        tern_diag_hint(tern__error(L, TERN__E_PART, "data.parts",
                                   "tern.data: a part without both 'rows' and 'columns' needs the size of the crop"),
                       "give crop = {x, y, width, height} or sensor = {width, height}");
        return;
    }
    int64_t r[2] = { 0, (int64_t)h - 1 }, c[2] = { 0, (int64_t)w - 1 };
    if (v[ROWS].given) memcpy(r, v[ROWS].ints, sizeof r);
    if (v[COLUMNS].given) memcpy(c, v[COLUMNS].ints, sizeof c);
    if (r[0] > r[1] || c[0] > c[1]) {
        tern__error(L, TERN__E_PART, "data.parts", "tern.data: a part's range {first, last} is empty");
        return;
    }
    add_part(L, "data.parts", d, (uint32_t)p, (uint64_t)c[0], (uint64_t)r[0], (uint64_t)(c[1] - c[0] + 1),
             (uint64_t)(r[1] - r[0] + 1));
}

static void read_parts(lua_State *L, int top, tern_data_spec *d)
{
    char shown[64];
    if (!lua_istable(L, top) || lua_rawlen(L, top) == 0) {
        tern__show(L, top, shown, sizeof shown);
        tern_diag_hint(
            tern__error(L, TERN__E_TYPE, "data.parts", "tern.data: 'parts' must be a list of parts, found %s", shown),
            "parts = { {population = pixels, rows = {0, 12}} }");
        return;
    }
    const size_t n = lua_rawlen(L, top);
    for (size_t i = 1; i <= n && i <= TERN_MAX_PARTS + 1u; ++i) {
        lua_rawgeti(L, top, (lua_Integer)i);
        read_part(L, lua_gettop(L), d);
        lua_settop(L, top);
    }
}

static void read_input(lua_State *L, tern_data_spec *d)
{
    const int64_t i = tern__read_population(L, lua_gettop(L), "data.input");
    if (i < 0) return;
    const tern_population *p = &tern__front_of(L)->desc->populations[i].pop;
    if (p->kind != TERN_POP_INPUT) {
        tern__error(L, TERN__E_POPULATION, "data.input", "tern.data: 'input' is '%s', which is not an input population",
                    p->name);
        return;
    }
    uint64_t w, h;
    if (!area(d, &w, &h)) {
        w = p->n_dims == 1 ? p->size : p->dims[p->n_dims - 1];
        h = p->n_dims == 1 ? 1 : p->dims[p->n_dims - 2];
        if (p->n_dims == 1) {
            tern_diag_hint(
                tern__error(L, TERN__E_PART, "data.input", "tern.data: 'input' needs to know the size of the picture"),
                "give crop or sensor, or give '%s' rows and columns: shape = {1, %u}, or other {rows, columns} of %u "
                "units. A shape with one entry only gives a size",
                p->name, p->size, p->size);
            return;
        }
    }
    add_part(L, "data.input", d, (uint32_t)i, 0, 0, w, h);
}

static void read_label(lua_State *L, tern_data_spec *d)
{
    const int64_t i = tern__read_population(L, lua_gettop(L), "data.label");
    if (i < 0) return;
    const tern_population *p = &tern__front_of(L)->desc->populations[i].pop;
    if (p->kind != TERN_POP_VISIBLE) {
        tern__error(L, TERN__E_POPULATION, "data.label",
                    "tern.data: 'label' is '%s', which is not a visible population", p->name);
        return;
    }
    for (uint32_t k = 0; k < d->n_parts; ++k)
        if (d->parts[k].population == (uint32_t)i) {
            tern__error(L, TERN__E_PART, "data.label", "tern.data: '%s' has two targets, a part and the label",
                        p->name);
            return;
        }
    d->label_population = (int32_t)i;
}

static void read_area(lua_State *L, const tern__value *sensor, const tern__value *crop, tern_data_spec *d)
{
    if (sensor->given && !sensor->bad) {
        d->sensor_width = (uint32_t)sensor->ints[0];
        d->sensor_height = (uint32_t)sensor->ints[1];
    }
    if (!crop->given || crop->bad) return;
    const int64_t *c = crop->ints;
    if (c[2] < 1 || c[3] < 1) {
        tern__error(L, TERN__E_RANGE, "data.crop", "tern.data: 'crop' is empty: width %" PRId64 ", height %" PRId64,
                    c[2], c[3]);
        return;
    }
    if (d->sensor_width != 0 && (c[0] + c[2] > d->sensor_width || c[1] + c[3] > d->sensor_height)) {
        tern__error(L, TERN__E_RANGE, "data.crop",
                    "tern.data: 'crop' reaches to x = %" PRId64 ", y = %" PRId64 "; the sensor has %u x %u pixels",
                    c[0] + c[2] - 1, c[1] + c[3] - 1, d->sensor_width, d->sensor_height);
        return;
    }
    d->crop_x = (uint32_t)c[0];
    d->crop_y = (uint32_t)c[1];
    d->crop_width = (uint32_t)c[2];
    d->crop_height = (uint32_t)c[3];
}

/* After read_area. False: the scale does not divide the area, and parts would be misjudged. */
static bool read_scale(lua_State *L, const tern__value *scale, tern_data_spec *d)
{
    const uint32_t w = d->crop_width != 0 ? d->crop_width : d->sensor_width,
                   h = d->crop_width != 0 ? d->crop_height : d->sensor_height;
    d->scale = 1;
    if (scale->bad) return false;
    const uint32_t s = (uint32_t)scale->num;
    if (w % s == 0 && h % s == 0) {
        d->scale = s;
        return true;
    }
    tern_diag *g = tern__error(L, TERN__E_RANGE, "data.scale",
                               "tern.data: 'scale' is %u, which does not divide the %s of %u x %u pixels", s,
                               d->crop_width != 0 ? "crop" : "sensor", w, h);
    if (w >= s && h >= s) tern_diag_hint(g, "a crop of %u x %u pixels can be scaled", w / s * s, h / s * s);
    return false;
}

/* After steps. False: parts would be misjudged. */
static bool read_phases(lua_State *L, const tern__value *phases, tern_data_spec *d)
{
    if (phases->bad) return false;
    if (!phases->given) return true;
    const int64_t n = phases->ints[0], steps = phases->ints[1];
    if (n > TERN_MAX_PHASES) {
        tern__error(L, TERN__E_RANGE, "data.phases",
                    "tern.data: 'phases' has %" PRId64 " pieces of %" PRId64
                    " steps, allowed: 1 to %u pieces, and 1 to %u steps each",
                    n, steps, TERN_MAX_PHASES, UINT8_MAX);
        return false;
    }
    if (d->steps != 0 && steps > d->steps) {
        tern_diag_hint(tern__error(L, TERN__E_RANGE, "data.phases",
                                   "tern.data: 'phases' has pieces of %" PRId64 " steps, a presentation has %u", steps,
                                   d->steps),
                       "steps are those of the presentation, in which all pieces are shown at the same time");
        return false;
    }
    d->phases = (uint8_t)n;
    d->phase_steps = (uint8_t)steps;
    return true;
}

static int set_data(lua_State *L)
{
    enum { FORMAT, SENSOR, MIRROR, CROP, SCALE, WINDOW, STEPS, POLARITY, PHASES, SHIFT, INPUT, LABEL, PARTS, CLEAR, N };
    tern__front *f = tern__front_of(L);
    tern__value v[N];
    lua_settop(L, 1);
    if (!tern__only_once(L, "tern.data", &f->data_line)) return 0;
    if (!tern__args(L, 1, "data", "data", "tern.data", v)) return 0;
    tern_data_spec *d = &f->desc->data;
    d->present = true;
    if (!v[FORMAT].bad) {
        bool good = true;
        for (const char *c = v[FORMAT].text; *c != 0; ++c)
            good = good && (isalnum((unsigned char)*c) || *c == '_' || *c == '-' || *c == '.');
        if (good) snprintf(d->format, sizeof d->format, "%s", v[FORMAT].text);
        else
            tern__error(L, TERN__E_CHOICE, "data.format",
                        "tern.data: 'format' is the name of a file format: letters, digits and _ - .");
    }
    d->mirror_x = (v[MIRROR].choice & 1) != 0;
    d->mirror_y = (v[MIRROR].choice & 2) != 0;
    read_area(L, &v[SENSOR], &v[CROP], d);
    if (!v[WINDOW].bad) {
        d->window_us = (uint32_t)llround(v[WINDOW].num * 1000.0);
        if (fabs(d->window_us - v[WINDOW].num * 1000.0) > 1e-6)
            tern__error(L, TERN__E_RANGE, "data.window_ms",
                        "tern.data: 'window_ms' is %.10g, allowed: whole microseconds", v[WINDOW].num);
    }
    if (!v[STEPS].bad) d->steps = (uint32_t)v[STEPS].num;
    d->polarity = (uint8_t)v[POLARITY].choice;
    d->clear = v[CLEAR].bad || v[CLEAR].choice != 0;
    if (!v[SHIFT].bad) d->shift = (uint8_t)v[SHIFT].num;
    const bool scaled = read_scale(L, &v[SCALE], d), phased = read_phases(L, &v[PHASES], d);
    if (v[SENSOR].bad || v[CROP].bad || !scaled || !phased) return 0; /* what follows would be misjudged */
    if (tern__push_key(L, 1, "data", NULL, "parts") != LUA_TNIL) read_parts(L, 2, d);
    lua_settop(L, 1);
    if (tern__push_key(L, 1, "data", NULL, "input") != LUA_TNIL) read_input(L, d);
    lua_settop(L, 1);
    if (tern__push_key(L, 1, "data", NULL, "label") != LUA_TNIL) read_label(L, d);
    return 0;
}

/* ---- initial values of all that has none ---- */
/* tern.initial(init): of everything that is given none of its own. */
static int set_initial(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    const tern_init *i = luaL_testudata(L, 1, TERN__MT_INIT);
    char shown[64];
    if (i == NULL || (i->kind != TERN_INIT_IMAGE && i->kind != TERN_INIT_ARRAY)) {
        tern__show(L, 1, shown, sizeof shown);
        tern_diag_hint(tern__error(L, TERN__E_TYPE, "", "tern.initial takes an image or a file of arrays, found %s",
                                   lua_isnone(L, 1) ? "nothing" : shown),
                       "tern.initial(tern.image(\"name.tern\")) or tern.initial(tern.array(\"name.npz\"))");
        return 0;
    }
    if (i->n_names != 0)
        tern_diag_hint(tern__error(L, TERN__E_CONFLICT, "", "tern.initial: named arrays are of one connection"),
                       "tern.array(file) without a name takes arrays by the names of docs/13-weights.md");
    else if (tern__only_once(L, "tern.initial", &f->initial_line)) f->initial = *i;
    return 0;
}

void tern__initial_finish(tern__front *f)
{
    tern_desc *d = f->desc;
    if (f->initial_line == 0) return;
    for (size_t i = 0; i < d->n_projections; ++i)
        if (!d->projections[i].init.own) d->projections[i].init = f->initial;
    for (uint32_t i = 0; i < d->n_populations; ++i) {
        tern_pop_desc *p = &d->populations[i];
        if (p->pop.kind == TERN_POP_INPUT) continue;
        if (!p->bias_init.own) p->bias_init = f->initial;
        if (!p->self_init.own) p->self_init = f->initial;
    }
}

/* ---- seed ---- */
static bool read_seed(lua_State *L, int idx, const char *key, uint64_t *out)
{
    int64_t n;
    char shown[64];
    tern__show(L, idx, shown, sizeof shown);
    if (tern__to_integer(L, idx, &n) && n >= 0 && n <= (int64_t)1 << 53) {
        *out = (uint64_t)n;
        return true;
    }
    tern__error(L, lua_type(L, idx) == LUA_TNUMBER ? TERN__E_RANGE : TERN__E_TYPE, key,
                "tern.seed: the seed is %s, allowed: whole numbers 0..2^53", shown);
    return false;
}

static int set_seed(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    uint64_t seed;
    if (lua_isnoneornil(L, 1)) {
        lua_pushinteger(L, (lua_Integer)tern__seed_use(L));
        return 1;
    }
    if (!read_seed(L, 1, "tern.seed", &seed)) return 0;
    if (f->seed_used) {
        tern_diag_hint(tern__error(L, TERN__E_ORDER, "", "tern.seed is called after the seed was used"),
                       "put it before the first tern.generator() or tern.seed()");
        return 0;
    }
    if (!tern__only_once(L, "tern.seed", &f->seed_line)) return 0;
    if (!f->seed_given) f->desc->seed = seed; /* --set seed wins */
    return 0;
}

/* ---- tern itself ---- */
/* __index of tern, which itself is empty so that nothing can be replaced; upvalue: the calls */
static int look_up(lua_State *L)
{
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    const char *near = tern__nearest_function(key);
    if (near != NULL) return luaL_error(L, "there is no tern.%s; did you mean tern.%s?", key, near);
    return luaL_error(L, "there is no tern.%s; see docs/10-language.md for the calls", key);
}

static int closed(lua_State *L) { return luaL_error(L, "tern cannot be changed"); }

void tern__settings_open(lua_State *L, int tern_table)
{
    static const luaL_Reg functions[] = { { "formats", set_formats },
                                          { "data", set_data },
                                          { "seed", set_seed },
                                          { "initial", set_initial },
                                          { NULL, NULL } };
    tern__front *f = tern__front_of(L);
    lua_pushvalue(L, tern_table);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, tern_table);
    lua_pushcclosure(L, look_up, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, closed);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_setglobal(L, "tern");
    if (tern__set_push(L, "seed", "")) {
        f->seed_given = read_seed(L, lua_gettop(L), "seed", &f->desc->seed);
        lua_pop(L, 1);
    }
}

void tern__settings_finish(tern__front *f)
{
    tern_desc *d = f->desc;
    bool visible = false;
    for (uint32_t i = 0; i < d->n_populations; ++i) visible = visible || d->populations[i].pop.kind == TERN_POP_VISIBLE;
    if (!visible)
        tern_diag_hint(tern__error_at(f, TERN__E_ABSENT, 0, "", "the script declares no visible population"),
                       "tern.visible{ name = \"out\", size = 2 }");
    if (f->rule_line == 0)
        tern_diag_hint(tern__error_at(f, TERN__E_ABSENT, 0, "", "the script names no rule"),
                       "tern.gem{ eta = 1e-4 }; tern.mb, tern.iw and tern.reward are the others");
    if (d->n_projections == 0 && d->n_populations > 0)
        tern_diag_hint(tern__error_at(f, TERN__E_ABSENT, 0, "", "the script connects nothing"),
                       "tern.connect{ from = a, to = b, filters = tern.raised_cosine{} }");
    for (size_t i = 0; i < d->n_projections; ++i)
        if (d->projections[i].seed == UINT64_MAX) {
            uint32_t w[2];
            tern__draw(d->seed, (uint32_t)i, TERN__DRAW_PATTERN, 0, w);
            d->projections[i].seed = (uint64_t)w[1] << 32 | w[0];
        }
    for (uint32_t i = 0; d->data.present && f->n_errors == 0 && i < d->n_populations; ++i) {
        const tern_population *p = &d->populations[i].pop;
        bool served = d->data.label_population == (int32_t)i;
        for (uint32_t k = 0; k < d->data.n_parts; ++k) served = served || d->data.parts[k].population == i;
        if (served || p->kind == TERN_POP_HIDDEN) continue;
        /* the caller knows what is wanted */
        if (p->kind == TERN_POP_VISIBLE && d->rule.kind == TERN_RULE_REWARD && !(d->rule.tau > 0.0)) continue;
        tern_diag *g = tern_diags_add(
            f->diags, TERN_SEV_WARNING, p->kind == TERN_POP_INPUT ? TERN__W_NOT_DRIVEN : TERN__W_NO_TARGET,
            f->sources[0].file, (int)p->line, p->name,
            p->kind == TERN_POP_INPUT ? "the input '%s' receives no part of the recording; it stays silent"
                                      : "'%s' has no target: neither a part nor the label",
            p->name);
        tern_diag_hint(g, "name it in tern.data: parts, input or label");
    }
}
