/* locale_host.c : a host program that has set a locale with a decimal comma: the libraries read and print numbers as
 * ever SPDX-License-Identifier: Apache-2.0
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/data.h"
#include "tern/image.h"
#include "tern/simulate.h"
#include "tern_check.h"
#include "tern_compiler.h"

static tern_diags diags;

static bool said(const char *text)
{
    for (size_t i = 0; i < diags.n; ++i)
        if (strstr(diags.list[i].message, text) != NULL) return true;
    return false;
}

/* Times with a point and with an exponent, in seconds. */
static void readers(void)
{
    static const char text[] = "t,x,y,p\n0.125,1,2,1\n2.5e-1,3,4,0\n";
    tern_recording r;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_recording_decode((const uint8_t *)text, sizeof text - 1, "a.csv", "auto", &arena, &r, &diags),
             TERN_OK);
    CHECK(r.n_events == 2 && r.t_first_us == 125000 && r.events[1].t_us == 125000);
    tern_arena_free(&arena);
}

/* Numbers in scripts, numbers that scripts make text of, settings, what is a letter, numbers in messages. */
static void scripts(void)
{
    static const char script[] = "assert(tostring(0.5) == '0.5' and string.format('%.2f', 0.25) == '0.25')\n"
                                 "assert(tonumber('0.5') == 0.5 and tonumber('0,5') == nil)\n"
                                 "assert(('\\xe4'):find('%a') == nil)\n"
                                 "local f = tern.exponential{ tau = 1.5, duration = 4 }\n"
                                 "local i = tern.input{ name = 'i', size = 2 }\n"
                                 "local o = tern.visible{ name = 'o', size = 1, memory = f }\n"
                                 "tern.connect{ from = i, to = o, filters = f }\n"
                                 "tern.gem{ eta = 0.0625, kappa = 0, samples = 1 }\n";
    const char *sets[] = { "rule.eta=0.03125" };
    const tern_compile_options plain = { 0 }, set = { .n_sets = 1, .sets = sets };
    tern_model m;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_compile_string(script, sizeof script - 1, "a.lua", &plain, &arena, &m, &diags), TERN_OK);
    CHECK(m.rule.eta == 0.0625);
    CHECK_EQ(tern_compile_string(script, sizeof script - 1, "a.lua", &set, &arena, &m, &diags), TERN_OK);
    CHECK(m.rule.eta == 0.03125);
    const char *wrong[] = { "rule.eta=-0.5" };
    const tern_compile_options bad = { .n_sets = 1, .sets = wrong };
    tern_diags_init(&diags);
    CHECK(tern_compile_string(script, sizeof script - 1, "a.lua", &bad, &arena, &m, &diags) != TERN_OK);
    CHECK(said("-0.5"));
    tern_arena_free(&arena);
}

/* A message of a library that only the data functions print. */
static void messages(void)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.threshold = 0.0125;
    tern_diags_init(&diags);
    CHECK(tern_sim_check(&set, &diags) != TERN_OK);
    CHECK(said("0.0125"));
}

int main(void)
{
    char half[16];
    CHECK(setlocale(LC_ALL, "") != NULL && strcmp(localeconv()->decimal_point, ",") == 0); /* else nothing is tested */
    readers();
    scripts();
    messages();
    snprintf(half, sizeof half, "%.1f", 0.5);
    CHECK(strcmp(half, "0,5") == 0); /* the host's own locale is what it was */
    return tern_check_report("locale_host");
}
