/* tern_sets_find.c : finding what --set gave
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_front.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tern__set *find(tern__front *f, const char *section, const char *key)
{
    char path[160];
    snprintf(path, sizeof path, "%s%s%s", section, key[0] != 0 ? "." : "", key);
    for (uint32_t i = 0; i < f->n_sets; ++i)
        if (strcmp(f->sets[i].key, path) == 0) return &f->sets[i];
    return NULL;
}

bool tern__set_is(lua_State *L, const char *section, const char *key)
{
    return find(tern__front_of(L), section, key) != NULL;
}

bool tern__set_push(lua_State *L, const char *section, const char *key)
{
    tern__set *s = find(tern__front_of(L), section, key);
    if (s == NULL) return false;
    s->used = true;
    lua_getfield(L, LUA_REGISTRYINDEX, TERN__SETS_TABLE);
    lua_getfield(L, -1, s->key);
    lua_remove(L, -2);
    return true;
}
