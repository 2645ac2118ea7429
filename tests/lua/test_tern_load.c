/* test_tern_load.c : the work of parsing is counted by what the parser will do, from the text alone
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_compiler.h"
#include "tern_front.h"
#include <stdlib.h>
#include "tern_check.h"

static uint64_t units(const char *text) { return tern__parse_units(text, strlen(text)); }

/* Work beyond that of the bytes. */
static uint64_t more(const char *text) { return units(text) - strlen(text); }

typedef struct text {
    char *p;
    size_t n;
} text;
static void add(text *t, const char *s, unsigned times)
{
    const size_t n = strlen(s);
    t->p = realloc(t->p, t->n + n * times + 1);
    if (t->p == NULL) exit(1);
    for (unsigned i = 0; i < times; ++i, t->n += n) memcpy(t->p + t->n, s, n);
    t->p[t->n] = 0;
}

static int compiled(const text *t, double seconds)
{
    static tern_model model;
    static tern_diags diags;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    const tern_compile_options o = { .script_seconds = seconds };
    (void)tern_compile_string(t->p, t->n, "bomb.lua", &o, &arena, &model, &diags);
    tern_arena_free(&arena);
    return diags.n > 0 ? diags.list[0].code : 0;
}

int main(void)
{
    const uint64_t name = more("x");
    CHECK(name > 0);
    CHECK_EQ(more(""), 0);
    CHECK_EQ(more("x y z"), 3 * name);
    CHECK_EQ(more("local return not nil true false in then else while for"), 0);
    CHECK_EQ(more("123 0xff 1e5 3.25e"), 0);
    CHECK_EQ(more("'x y' \"x \\\" y\" [[x\ny]] [==[x ]] y]==] -- x y\n--[[x\ny]] --[=[ x ]] ]=]"), 0);
    CHECK_EQ(more("'x\ny"), name); /* an open text ends with its line, as the parser has it */
    CHECK_EQ(more("function x() y end z"), 2 * 2 * name + name);
    CHECK_EQ(more("function x() do y end z end w"), 3 * 2 * name + name);
    CHECK_EQ(more("function x() if y then z end repeat until w end v"), 4 * 2 * name + name);
    CHECK_EQ(more("end end until x"), name); /* never fewer than one function */
    text t = { 0 };
    add(&t, "function() ", 1000);
    CHECK(units(t.p) >= 11000);
    add(&t, "x ", 1);
    CHECK_EQ(units(t.p), 11000 + 2 + 1001 * name);
    t.n = 0;
    add(&t, "x and ", 1);
    CHECK_EQ(units(t.p), 6 + name);
    add(&t, "and or elseif goto break ::", 400); /* 2,401 jumps: each walks a list of those before it */
    CHECK(units(t.p) > 2000u * 2000u / 2u / 8u);
    /* functions in functions, names inside: no statement of it ever runs */
    t.n = 0;
    for (int i = 0; i < 100; ++i) {
        add(&t, "local function f() local a", 1);
        for (int k = 0; k < 150; ++k) {
            char item[12];
            snprintf(item, sizeof item, ",b%d", k);
            add(&t, item, 1);
        }
        add(&t, ";", 1);
    }
    add(&t, "x=x ", 50000);
    add(&t, " end", 100);
    CHECK_EQ(compiled(&t, 1), TERN__E_WORK);
    t.n = 0;
    add(&t, "x=x ", 50000); /* as long, and cheap */
    CHECK(compiled(&t, 1) != TERN__E_WORK);
    free(t.p);
    return tern_check_report("lua.load");
}
