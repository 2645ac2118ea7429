/* tern_fast_isa.c : which instruction sets there are, and which one is taken
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_fast_internal.h"

enum { E_UNKNOWN = 140, E_LACKS = 141 };

typedef struct isa {
    const char *name;
    const tern_lanes *(*get)(void);
} isa;

/* Quickest first; a build for another processor has no code for some. */
static const isa isas[] = {
#ifdef TERN_HAS_X86
    { "avx512", tern_lanes_avx512 },
    { "avx2", tern_lanes_avx2 },
#else
    { "avx512", NULL },
    { "avx2", NULL },
#endif
#ifdef TERN_HAS_NEON
    { "neon", tern_lanes_neon },
#else
    { "neon", NULL },
#endif
    { "plain", tern_lanes_plain },
};
enum { N_ISAS = sizeof isas / sizeof isas[0] };

static bool usable(const isa *i)
{
    if (i->get == NULL) return false;
#ifdef TERN_HAS_X86
    __builtin_cpu_init();
    if (strcmp(i->name, "avx2") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (strcmp(i->name, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("bmi2");
#endif
    return true;
}

static const isa *find(const char *name)
{
    for (unsigned i = 0; i < N_ISAS; ++i)
        if (strcmp(isas[i].name, name) == 0) return &isas[i];
    return NULL;
}

const char *const *tern_fast_isas(void)
{
    static const char *const names[] = { "avx512", "avx2", "neon", "plain", NULL };
    return names;
}

bool tern_fast_has(const char *name)
{
    const isa *i = find(name);
    return i != NULL && usable(i);
}

static void usable_names(char *text, size_t bytes)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned i = 0; i < N_ISAS; ++i)
        if (usable(&isas[i]) && at < bytes)
            at += (size_t)snprintf(text + at, bytes - at, "%s%s", at == 0 ? "" : ", ", isas[i].name);
}

tern_status tern_fast_isa(const char *name, const char **out, tern_diags *diags)
{
    const char *asked = name != NULL ? name : getenv("TERN_ISA"), *key = name != NULL ? "isa" : "TERN_ISA";
    char text[80];
    *out = NULL;
    if (asked == NULL || asked[0] == 0) {
        for (unsigned i = 0; i < N_ISAS && *out == NULL; ++i)
            if (usable(&isas[i])) *out = isas[i].name;
        return TERN_OK; /* plain C is always there */
    }
    const isa *i = find(PLANT(ISA) ? "plain" : asked);
    if (i != NULL && usable(i)) {
        *out = i->name;
        return TERN_OK;
    }
    usable_names(text, sizeof text);
    if (i == NULL)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_UNKNOWN, NULL, 0, key,
                                      "%.40s is not a known instruction set; known are avx512, avx2, neon and plain",
                                      asked),
                       "this processor has %s; without TERN_ISA the fastest is used", text);
    else
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_ERROR, E_LACKS, NULL, 0, key,
                           "this processor does not have the instruction set %s, or this program was built without it",
                           asked),
            "it has %s; without TERN_ISA the fastest is used", text);
    return TERN_ERR_ARGUMENT;
}

const tern_lanes *tern_lanes_find(const char *name)
{
    const isa *i = find(name);
    return i == NULL || i->get == NULL ? NULL : i->get();
}
