/* tern_pattern.c : string.find, match, gmatch, gsub with counted work
 * SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of Lua 5.4 (reference manual, 6.4.1), matched by backtracking as the original does, but each step is
 * counted as work of the script, so a pattern like ("a?"):rep(30)..("a"):rep(30) runs into the work limit instead of
 * running for years.
 */
#include "tern_front.h"
#include <ctype.h>
#include <string.h>

#define MAX_DEPTH 200
#define MAX_CAPTURES 32
#define CAP_OPEN ((size_t)-1)
#define CAP_POSITION ((size_t)-2)

typedef struct matcher {
    lua_State *L;
    const char *src, *src_end, *pat_end;
    int depth, n_captures;
    uint64_t steps;
    struct {
        const char *start;
        size_t len;
    } cap[MAX_CAPTURES];
} matcher;

static const char *match_here(matcher *m, const char *s, const char *p);

static void count(matcher *m)
{
    if ((++m->steps & 255u) == 0) tern__charge(m->L, 256u);
}

/* End of the single item that begins at p (class, set or character). */
static const char *item_end(matcher *m, const char *p)
{
    if (*p++ == '%') {
        if (p == m->pat_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (p[-1] != '[') return p;
    if (p < m->pat_end && *p == '^') ++p;
    do { /* a ']' in first place is a member */
        if (p == m->pat_end) luaL_error(m->L, "malformed pattern (missing ']')");
        count(m);
        const char c = *p++;
        if (c == '%') {
            if (p == m->pat_end) luaL_error(m->L, "malformed pattern (missing ']')");
            ++p;
        }
    } while (p == m->pat_end || *p != ']');
    return p + 1;
}

static bool in_class(int c, int class)
{
    bool yes;
    switch (tolower(class)) {
    case 'a': yes = isalpha(c); break;
    case 'c': yes = iscntrl(c); break;
    case 'd': yes = isdigit(c); break;
    case 'g': yes = isgraph(c); break;
    case 'l': yes = islower(c); break;
    case 'p': yes = ispunct(c); break;
    case 's': yes = isspace(c); break;
    case 'u': yes = isupper(c); break;
    case 'w': yes = isalnum(c); break;
    case 'x': yes = isxdigit(c); break;
    default: return class == c;
    }
    return isupper(class) ? !yes : yes;
}

/* p at '[', last at its ']'. */
static bool in_set(matcher *m, int c, const char *p, const char *last)
{
    bool yes = true;
    if (p[1] == '^') {
        yes = false;
        ++p;
    }
    while (++p < last) {
        count(m);
        if (*p == '%') {
            ++p;
            if (in_class(c, (unsigned char)*p)) return yes;
        } else if (p[1] == '-' && p + 2 < last) {
            p += 2;
            if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p) return yes;
        } else if ((unsigned char)*p == c) {
            return yes;
        }
    }
    return !yes;
}

static bool match_one(matcher *m, const char *s, const char *p, const char *ep)
{
    count(m);
    if (s >= m->src_end) return false;
    const int c = (unsigned char)*s;
    switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[': return in_set(m, c, p, ep - 1);
    default: return (unsigned char)*p == c;
    }
}

static const char *match_balance(matcher *m, const char *s, const char *p)
{
    if (p + 1 >= m->pat_end) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->src_end || *s != *p) return NULL;
    int open = 1;
    for (const char open_c = *p, close_c = p[1]; ++s < m->src_end;) {
        count(m);
        if (*s == close_c) {
            if (--open == 0) return s + 1;
        } else if (*s == open_c) {
            ++open;
        }
    }
    return NULL;
}

static const char *start_capture(matcher *m, const char *s, const char *p, size_t what)
{
    if (m->n_captures >= MAX_CAPTURES) luaL_error(m->L, "too many captures");
    m->cap[m->n_captures].start = s;
    m->cap[m->n_captures].len = what;
    ++m->n_captures;
    const char *r = match_here(m, s, p);
    if (r == NULL) --m->n_captures;
    return r;
}

static const char *end_capture(matcher *m, const char *s, const char *p)
{
    int i = m->n_captures - 1;
    while (i >= 0 && m->cap[i].len != CAP_OPEN) --i;
    if (i < 0) luaL_error(m->L, "invalid pattern capture");
    m->cap[i].len = (size_t)(s - m->cap[i].start);
    const char *r = match_here(m, s, p);
    if (r == NULL) m->cap[i].len = CAP_OPEN;
    return r;
}

static const char *match_back(matcher *m, const char *s, int digit)
{
    const int i = digit - '1';
    if (i < 0 || i >= m->n_captures || m->cap[i].len == CAP_OPEN) luaL_error(m->L, "invalid capture index %%%d", i + 1);
    if (m->cap[i].len == CAP_POSITION) return NULL; /* as the original does */
    const size_t n = m->cap[i].len;
    m->steps += n / 16u;
    if ((size_t)(m->src_end - s) < n || memcmp(m->cap[i].start, s, n) != 0) return NULL;
    return s + n;
}

static const char *repeat_greedy(matcher *m, const char *s, const char *p, const char *ep, ptrdiff_t least)
{
    ptrdiff_t i = 0;
    while (match_one(m, s + i, p, ep)) ++i;
    for (; i >= least; --i) {
        const char *r = match_here(m, s + i, ep + 1);
        if (r != NULL) return r;
    }
    return NULL;
}

static const char *repeat_lazy(matcher *m, const char *s, const char *p, const char *ep)
{
    for (;;) {
        const char *r = match_here(m, s, ep + 1);
        if (r != NULL) return r;
        if (!match_one(m, s, p, ep)) return NULL;
        ++s;
    }
}

static bool frontier(matcher *m, const char *s, const char *p, const char *ep)
{
    const int before = s == m->src ? 0 : (unsigned char)s[-1], here = s < m->src_end ? (unsigned char)*s : 0;
    return !in_set(m, before, p, ep - 1) && in_set(m, here, p, ep - 1);
}

/* Matches p at s: end of the match, or NULL. Tail cases loop. */
static const char *match_here(matcher *m, const char *s, const char *p)
{
    if (++m->depth > MAX_DEPTH) luaL_error(m->L, "pattern too complex");
    const char *result = NULL;
    for (;;) {
        count(m);
        if (p == m->pat_end) {
            result = s;
            break;
        }
        if (*p == '(') {
            const bool position = p + 1 < m->pat_end && p[1] == ')';
            result = position ? start_capture(m, s, p + 2, CAP_POSITION) : start_capture(m, s, p + 1, CAP_OPEN);
            break;
        }
        if (*p == ')') {
            result = end_capture(m, s, p + 1);
            break;
        }
        if (*p == '$' && p + 1 == m->pat_end) {
            result = s == m->src_end ? s : NULL;
            break;
        }
        if (*p == '%' && p + 1 < m->pat_end) {
            if (p[1] == 'b') {
                s = match_balance(m, s, p + 2);
                if (s == NULL) break;
                p += 4;
                continue;
            }
            if (p[1] == 'f') {
                p += 2;
                if (p >= m->pat_end || *p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
                const char *ep = item_end(m, p);
                if (!frontier(m, s, p, ep)) break;
                p = ep;
                continue;
            }
            if (isdigit((unsigned char)p[1])) {
                s = match_back(m, s, (unsigned char)p[1]);
                if (s == NULL) break;
                p += 2;
                continue;
            }
        }
        const char *ep = item_end(m, p);
        const char suffix = ep < m->pat_end ? *ep : 0;
        if (suffix == '*') {
            result = repeat_greedy(m, s, p, ep, 0);
            break;
        }
        if (suffix == '+') {
            result = repeat_greedy(m, s, p, ep, 1);
            break;
        }
        if (suffix == '-') {
            result = repeat_lazy(m, s, p, ep);
            break;
        }
        const bool one = match_one(m, s, p, ep);
        if (suffix == '?') {
            if (one && (result = match_here(m, s + 1, ep + 1)) != NULL) break;
            p = ep + 1;
            continue;
        }
        if (!one) break;
        ++s;
        p = ep;
    }
    --m->depth;
    return result;
}

static void prepare(matcher *m, lua_State *L, const char *s, size_t n, const char *p, size_t np)
{
    m->L = L;
    m->src = s;
    m->src_end = s + n;
    m->pat_end = p + np;
    m->steps = 0;
    m->depth = m->n_captures = 0;
}

static void push_capture(matcher *m, int i, const char *s, const char *e)
{
    if (i >= m->n_captures) {
        if (i != 0) luaL_error(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, s, (size_t)(e - s));
    } else if (m->cap[i].len == CAP_POSITION) {
        lua_pushinteger(m->L, m->cap[i].start - m->src + 1);
    } else {
        if (m->cap[i].len == CAP_OPEN) luaL_error(m->L, "unfinished capture");
        lua_pushlstring(m->L, m->cap[i].start, m->cap[i].len);
    }
}

static int push_captures(matcher *m, const char *s, const char *e)
{
    const int n = m->n_captures == 0 && s != NULL ? 1 : m->n_captures;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; ++i) push_capture(m, i, s, e);
    return n;
}

static const char *plain_find(lua_State *L, const char *s, size_t n, const char *p, size_t np)
{
    if (np == 0) return s;
    uint64_t steps = 0;
    for (; n >= np; ++s, --n) {
        if (*s == *p) {
            steps += np / 16u;
            if (memcmp(s, p, np) == 0) return s;
        }
        if ((++steps & 255u) == 0 || steps > 4096u) {
            tern__charge(L, steps);
            steps = 0;
        }
    }
    return NULL;
}

static size_t start_index(lua_Integer init, size_t n)
{
    if (init > 0) return (size_t)init - 1u;
    if (init == 0 || init < -(lua_Integer)n) return 0;
    return n - (size_t)-init;
}

static int find_or_match(lua_State *L, bool find)
{
    size_t n, np;
    const char *s = luaL_checklstring(L, 1, &n), *p = luaL_checklstring(L, 2, &np);
    const size_t init = start_index(luaL_optinteger(L, 3, 1), n);
    if (init > n) {
        lua_pushnil(L);
        return 1;
    }
    tern__charge(L, np / 64u);
    if (find && (lua_toboolean(L, 4) || strpbrk(p, "^$*+?.([%-") == NULL) && (lua_toboolean(L, 4) || strlen(p) == np)) {
        const char *at = plain_find(L, s + init, n - init, p, np);
        if (at == NULL) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, at - s + 1);
        lua_pushinteger(L, at - s + (lua_Integer)np);
        return 2;
    }
    matcher m;
    const bool anchor = np > 0 && *p == '^';
    prepare(&m, L, s, n, p, np);
    for (const char *at = s + init; at <= m.src_end; ++at) {
        m.n_captures = 0;
        const char *e = match_here(&m, at, p + (anchor ? 1 : 0));
        if (e != NULL) {
            if (!find) return push_captures(&m, at, e);
            lua_pushinteger(L, at - s + 1);
            lua_pushinteger(L, e - s);
            return push_captures(&m, NULL, NULL) + 2;
        }
        if (anchor) break;
    }
    lua_pushnil(L);
    return 1;
}

int tern__str_find(lua_State *L) { return find_or_match(L, true); }
int tern__str_match(lua_State *L) { return find_or_match(L, false); }

static int gmatch_step(lua_State *L) /* upvalues: text, pattern, next start, end of the last match (-1: none) */
{
    size_t n, np;
    const char *s = lua_tolstring(L, lua_upvalueindex(1), &n), *p = lua_tolstring(L, lua_upvalueindex(2), &np);
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    matcher m;
    prepare(&m, L, s, n, p, np);
    for (size_t at = (size_t)lua_tointeger(L, lua_upvalueindex(3)); at <= n; ++at) {
        m.n_captures = 0;
        const char *e = match_here(&m, s + at, p);
        if (e == NULL || e - s == last) continue;
        lua_pushinteger(L, e - s);
        lua_copy(L, -1, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return push_captures(&m, s + at, e);
    }
    return 0;
}

int tern__str_gmatch(lua_State *L)
{
    size_t n;
    (void)luaL_checklstring(L, 1, &n);
    (void)luaL_checkstring(L, 2);
    const size_t init = start_index(luaL_optinteger(L, 3, 1), n);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)(init > n ? n + 1u : init));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_step, 4);
    return 1;
}

static void add_text_replacement(matcher *m, luaL_Buffer *b, const char *s, const char *e)
{
    size_t n;
    const char *r = lua_tolstring(m->L, 3, &n);
    for (size_t i = 0; i < n; ++i) {
        count(m);
        if (r[i] != '%') {
            luaL_addchar(b, r[i]);
        } else if (++i < n && r[i] == '%') {
            luaL_addchar(b, '%');
        } else if (i < n && isdigit((unsigned char)r[i])) {
            if (r[i] == '0') {
                luaL_addlstring(b, s, (size_t)(e - s));
            } else {
                push_capture(m, r[i] - '1', s, e);
                (void)luaL_tolstring(m->L, -1, NULL); /* a position becomes text */
                lua_remove(m->L, -2);
                luaL_addvalue(b);
            }
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement text");
        }
    }
}

/* Adds what replaces s..e; the original when the replacement is false or nil. */
static bool add_replacement(matcher *m, luaL_Buffer *b, const char *s, const char *e, int type)
{
    lua_State *L = m->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        const int n = push_captures(m, s, e);
        lua_call(L, n, 1);
    } else if (type == LUA_TTABLE) {
        push_capture(m, 0, s, e);
        lua_gettable(L, 3);
    } else {
        add_text_replacement(m, b, s, e);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, s, (size_t)(e - s));
        return false;
    }
    if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(b);
    return true;
}

int tern__str_gsub(lua_State *L)
{
    size_t n, np;
    tern__keep_place(L);
    const char *s = luaL_checklstring(L, 1, &n), *p = luaL_checklstring(L, 2, &np), *last = NULL;
    const int type = lua_type(L, 3);
    luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                     "string/function/table");
    const lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)n + 1);
    const bool anchor = np > 0 && *p == '^';
    if (anchor) ++p, --np;
    lua_settop(L, 3);
    matcher m;
    prepare(&m, L, s, n, p, np);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    lua_Integer done = 0;
    const char *at = s;
    while (done < most) {
        m.n_captures = 0;
        const char *e = match_here(&m, at, p);
        if (e != NULL && e != last) {
            ++done;
            (void)add_replacement(&m, &b, at, e, type);
            at = last = e;
        } else if (at < m.src_end) {
            luaL_addchar(&b, *at++);
        } else {
            break;
        }
        if (anchor) break;
    }
    luaL_addlstring(&b, at, (size_t)(m.src_end - at));
    luaL_pushresult(&b);
    lua_pushinteger(L, done);
    return 2;
}
