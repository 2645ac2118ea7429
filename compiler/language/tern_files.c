/* tern_files.c : the only files a script can reach: itself, modules, images and arrays of its own folder
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include "tern_front.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tern__read_file(tern_arena *arena, const char *path, bool follow_links, const char **out_bytes, size_t *out_size,
                     const char **out_why, bool *out_no_memory)
{
    *out_no_memory = false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow_links ? 0 : O_NOFOLLOW));
    if (fd < 0) {
        *out_why = errno == ENOENT   ? "there is no such file"
                   : errno == ELOOP  ? "it is a symbolic link"
                   : errno == EACCES ? "no permission to read it"
                                     : "it cannot be opened";
        return false;
    }
    struct stat st;
    *out_why = NULL;
    if (fstat(fd, &st) != 0) *out_why = "it cannot be read";
    else if (S_ISDIR(st.st_mode)) *out_why = "it is a folder";
    else if (!S_ISREG(st.st_mode)) *out_why = "it is not a plain file";
    else if (st.st_size > (off_t)TERN__SCRIPT_BYTES) *out_why = "it is larger than 1 MiB";
    size_t used = 0;
    if (*out_why == NULL) {
        char *bytes = tern_arena_get(arena, (size_t)st.st_size + 1u, 1);
        if (bytes == NULL) {
            *out_no_memory = true;
            *out_why = "not enough memory";
        } else {
            while (used < (size_t)st.st_size) {
                const ssize_t n = read(fd, bytes + used, (size_t)st.st_size - used);
                if (n < 0 && errno == EINTR) continue;
                if (n < 0) *out_why = "it cannot be read";
                if (n <= 0) break;
                used += (size_t)n;
            }
            *out_bytes = bytes;
            *out_size = used;
        }
    }
    (void)close(fd);
    return *out_why == NULL;
}

bool tern__inside(const char *folder, const char *path)
{
    char a[PATH_MAX], b[PATH_MAX];
    /* no such file: reported by its reader */
    if (realpath(folder[0] != 0 ? folder : ".", a) == NULL || realpath(path, b) == NULL) return true;
    const size_t n = strlen(a);
    return strncmp(a, b, n) == 0 && (b[n] == '/' || (n > 0 && a[n - 1] == '/'));
}

/* require "name": upvalue 1 is the table of loaded modules, false while one is being run. */
int tern__lib_require(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    size_t n;
    const char *name = luaL_checklstring(L, 1, &n);
    bool good = n >= 1 && n <= 64 && strlen(name) == n;
    for (size_t i = 0; good && i < n; ++i) good = isalnum((unsigned char)name[i]) || name[i] == '_';
    if (!good)
        return luaL_error(L, "require: '%s' is not a module name (1 to 64 letters, digits and '_'; no path, no '.lua')",
                          n > 64 ? "..." : name);
    if (f->folder == NULL) return luaL_error(L, "require: this script has no folder, so there are no modules");
    lua_settop(L, 1);
    if (lua_getfield(L, LUA_REGISTRYINDEX, "tern.modules") != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 4);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, "tern.modules");
    }
    const int known = lua_getfield(L, 2, name);
    if (known == LUA_TLIGHTUSERDATA)
        return luaL_error(L, "require: module '%s' requires itself, directly or through others", name);
    if (known != LUA_TNIL) return 1;
    lua_pop(L, 1);

    const size_t bytes_path = strlen(f->folder) + n + 8u;
    char *path = tern__arena(L, bytes_path, 1);
    snprintf(path, bytes_path, "%s%s%s.lua", f->folder, f->folder[0] != 0 ? "/" : "", name);
    const char *text, *why;
    size_t size;
    bool no_memory;
    if (!tern__read_file(f->arena, path, false, &text, &size, &why, &no_memory)) {
        if (no_memory) return tern__raise_trip(L, TERN__TRIP_HOST);
        return luaL_error(L, "require: module '%s' (%s.lua in the script's folder) cannot be used: %s", name, name,
                          why);
    }
    sha256_update(&f->sha, n + 1u, (const uint8_t *)name);
    sha256_update(&f->sha, size, (const uint8_t *)text);
    lua_pushlightuserdata(L, f); /* mark: being run */
    lua_setfield(L, 2, name);
    (void)tern__load_source(L, text, size, path);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}
