/* tern_rules.c : the learning rule: tern.gem, tern.mb, tern.iw, tern.reward (docs/10-language.md, section 4)
 * SPDX-License-Identifier: Apache-2.0
 *
 * The four calls read one section of the schema; a rule knows the first keys of it. --set rule.kind replaces the rule
 * that the script names.
 */
#include "tern_front.h"
#include <stdio.h>
#include <string.h>

enum { KIND, ETA, SCHEDULE, GAMMA, KAPPA, SAMPLES, BASELINE, MEMORY, TAU, N };

/* why: it has no more keys */
typedef struct rule_call {
    const char *name, *call;
    uint32_t n_keys;
    const char *why;
} rule_call;

/* by tern_rule_kind */
static const rule_call calls[] = {
    { "gem", "tern.gem", BASELINE,
      "GEM weighs the samples by a softmax, whose weights add up to 1: there is nothing to subtract a baseline from" },
    { "mb", "tern.mb", TAU, "only a reward has a time constant" },
    { "iw", "tern.iw", TAU, "only a reward has a time constant" },
    { "reward", "tern.reward", N, "" },
};

typedef struct rule_value {
    uint8_t kind;
} rule_value;

/* Keys beyond those that the rule in force knows: an error, or a note when --set has changed the rule. */
static void foreign_keys(lua_State *L, const char *what, uint8_t kind, bool switched, const tern__value *v)
{
    const rule_call *c = &calls[kind];
    size_t n;
    const tern__key *keys = tern__schema("rule", &n);
    for (uint32_t i = c->n_keys; i < N; ++i) {
        char path[64];
        if (!v[i].given) continue;
        snprintf(path, sizeof path, "rule.%s", keys[i].key);
        if (switched) {
            tern__note(L, TERN__N_NOT_OF_RULE, path, "%s: '%s' means nothing to the rule %s and is ignored", what,
                       keys[i].key, c->name);
            continue;
        }
        tern_diag *g =
            tern__error(L, TERN__E_CONFLICT, path, "%s: '%s' is not a key of this rule: %s", what, keys[i].key, c->why);
        tern_diag_hint(g, i == TAU ? "leave it out, or use tern.reward"
                                   : "leave it out, or use tern.mb, tern.iw or tern.reward");
    }
}

static void read_schedule(lua_State *L, tern_rule *r)
{
    enum { DIVIDE, EVERY, N_SCHEDULE };
    tern__value s[N_SCHEDULE];
    if (tern__push_key(L, 1, "rule", "rule", "schedule") == LUA_TNIL ||
        !tern__args(L, 2, "schedule", NULL, "schedule", s))
        return;
    if (!s[DIVIDE].bad) r->eta_divide = s[DIVIDE].num;
    if (!s[EVERY].bad) r->eta_every = (uint32_t)s[EVERY].num;
}

/* Baseline, its memory, the reward's time constant: those that the rule has. */
static void read_signal(lua_State *L, const char *what, const tern__value *v, tern_rule *r)
{
    /* by the schema's words */
    static const uint8_t baselines[] = { TERN_BASELINE_NEURON, TERN_BASELINE_SYNAPSE, TERN_BASELINE_NONE };
    if (r->kind == TERN_RULE_GEM) return;
    r->baseline = baselines[v[BASELINE].bad ? 0 : v[BASELINE].choice];
    if (!v[MEMORY].bad) {
        const uint32_t m = (uint32_t)v[MEMORY].num;
        if ((m & (m - 1u)) == 0) r->memory = m;
        else tern__error(L, TERN__E_RANGE, "rule.memory", "%s: 'memory' is %u, allowed: 8, 16, 32, 64 or 128", what, m);
    }
    if (r->kind == TERN_RULE_REWARD) r->tau = v[TAU].bad ? 5.0 : v[TAU].num;
}

static void read_rule(lua_State *L, uint8_t kind)
{
    tern__front *f = tern__front_of(L);
    const char *what = calls[kind].call;
    tern__value v[N];
    tern_rule *r = &f->desc->rule;
    char once[48];
    snprintf(once, sizeof once, "%s: a script has one rule", what);
    if (!tern__only_once(L, once, &f->rule_line)) return;
    *r = (tern_rule){
        .kind = kind, .eta = 1e-4, .eta_divide = 1.0, .gamma = 0.9, .kappa = 0.9, .samples = 5, .memory = 128
    };
    f->n_listed = calls[kind].n_keys;
    const bool is_table = tern__args(L, 1, "rule", "rule", what, v);
    f->n_listed = 0;
    if (!is_table) return;
    const bool switched = v[KIND].given && !v[KIND].bad;
    if (switched) r->kind = (uint8_t)v[KIND].choice;
    foreign_keys(L, what, r->kind, switched, v);
    if (!v[ETA].bad) r->eta = v[ETA].num;
    if (!v[GAMMA].bad) r->gamma = v[GAMMA].num;
    r->kappa = v[KAPPA].given && !v[KAPPA].bad ? v[KAPPA].num : r->gamma;
    if (!v[SAMPLES].bad) r->samples = (uint32_t)v[SAMPLES].num;
    read_signal(L, what, v, r);
    read_schedule(L, r);
}

static int set_rule(lua_State *L, uint8_t kind)
{
    lua_settop(L, 1);
    read_rule(L, kind);
    rule_value *value = lua_newuserdatauv(L, sizeof *value, 0);
    value->kind = tern__front_of(L)->desc->rule.kind;
    luaL_setmetatable(L, TERN__MT_RULE);
    return 1;
}

static int set_gem(lua_State *L) { return set_rule(L, TERN_RULE_GEM); }
static int set_mb(lua_State *L) { return set_rule(L, TERN_RULE_MB); }
static int set_iw(lua_State *L) { return set_rule(L, TERN_RULE_IW); }
static int set_reward(lua_State *L) { return set_rule(L, TERN_RULE_REWARD); }

/* ---- the rule as a value ---- */
static int rule_index(lua_State *L)
{
    const rule_value *value = luaL_checkudata(L, 1, TERN__MT_RULE);
    const char *key = luaL_checkstring(L, 2);
    if (strcmp(key, "kind") != 0) return luaL_error(L, "a rule has 'kind', not '%s'", key);
    lua_pushstring(L, calls[value->kind].name);
    return 1;
}

static int rule_text(lua_State *L)
{
    const rule_value *value = luaL_checkudata(L, 1, TERN__MT_RULE);
    lua_pushfstring(L, "rule '%s'", calls[value->kind].name);
    return 1;
}

void tern__rule_open(lua_State *L, int tern_table)
{
    static const luaL_Reg meta[] = {
        { "__index", rule_index }, { "__newindex", tern__closed }, { "__tostring", rule_text }, { NULL, NULL }
    };
    static const luaL_Reg functions[] = {
        { "gem", set_gem }, { "mb", set_mb }, { "iw", set_iw }, { "reward", set_reward }, { NULL, NULL }
    };
    tern__type_open(L, TERN__MT_RULE, meta, tern_table, functions);
}

void tern__rule_finish(tern__front *f)
{
    const tern_rule *r = &f->desc->rule;
    const tern_data_spec *d = &f->desc->data;
    if (r->gamma < 1.0 || !d->present || d->clear) return;
    tern_diag *g = tern_diags_add(f->diags, TERN_SEV_WARNING, TERN__W_NEVER_FORGETS, f->sources[0].file,
                                  (int)f->rule_line, "rule.gamma",
                                  "gamma = 1 with clear = false: the log-probability adds up all presentations and "
                                  "never forgets, until it reaches the end of its range");
    tern_diag_hint(g, "use gamma < 1, or clear = true in tern.data");
}
