/* tern_json.c : see tern_json.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_json.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local unsigned long faults;
static _Thread_local const char *why = "";

static void count(const char *reason)
{
    ++faults;
    why = reason;
}

/* What fails for a value that could not be made fails for the reason of that one. */
static void again(void) { count(faults != 0 ? why : "not enough memory"); }

/* While it reads, jansson does not see that a byte of a text could not be kept, and then runs past the end of what it
 * has: reading is left at once. What was read so far stays allocated, in a program that has no memory left. */
static _Thread_local jmp_buf *reading;

static void *watched(size_t bytes)
{
    void *p = malloc(bytes);
    if (p != NULL || bytes == 0) return p;
    count("not enough memory");
    if (reading != NULL) longjmp(*reading, 1);
    return NULL;
}

void tern_json_watch(void) { json_set_alloc_funcs(watched, free); }

static json_t *made(json_t *value)
{
    if (value == NULL) count("not enough memory");
    return value;
}

unsigned long tern_json_faults(void) { return faults; }

const char *tern_json_why(void) { return why; }

json_t *tern_json_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

json_t *tern_json_object(void) { return made(json_object()); }

json_t *tern_json_list(void) { return made(json_array()); }

/* Such a text could not be a member either way; bytes are looked at only then. */
static bool is_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != 0;) {
        const unsigned more = *c < 0x80 ? 0 : *c < 0xc2 ? 4 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : *c < 0xf5 ? 3 : 4;
        if (more == 4) return false;
        for (unsigned i = 1; i <= more; ++i)
            if ((c[i] & 0xc0) != 0x80) return false;
        c += more + 1;
    }
    return true;
}

json_t *tern_json_text(const char *text)
{
    json_t *value = text == NULL ? NULL : json_string(text);
    if (value == NULL && text == NULL) count("a text is missing");
    else if (value == NULL) count(is_utf8(text) ? "not enough memory" : "a text is not UTF-8");
    return value;
}

json_t *tern_json_pack(const char *format, ...)
{
    json_error_t error = { .text = "" };
    va_list list;
    va_start(list, format);
    json_t *value = json_vpack_ex(&error, 0, format, list);
    va_end(list);
    if (value != NULL) return value;
    switch (json_error_code(&error)) {
    case json_error_invalid_utf8: count("a text is not UTF-8"); break;
    case json_error_numeric_overflow: count("a number is not finite"); break;
    default: again(); break; /* a NULL among the values, too: what made it has counted */
    }
    return NULL;
}

bool tern_json_put(json_t *object, const char *key, json_t *value)
{
    const bool done = json_object_set_new(object, key, value) == 0;
    if (!done) again();
    return done;
}

bool tern_json_add(json_t *list, json_t *value)
{
    const bool done = json_array_append_new(list, value) == 0;
    if (!done) again();
    return done;
}

bool tern_json_merge(json_t *object, json_t *more)
{
    const bool done = json_object_update(object, more) == 0;
    if (!done) again();
    json_decref(more);
    return done;
}

/* jansson does not look at whether the name of a member could be written, so what takes the text remembers. */
typedef struct text {
    char *bytes;
    size_t n, room;
    bool failed;
} text;

static int to_text(const char *bytes, size_t n, void *ud)
{
    text *t = ud;
    if (!t->failed && t->room - t->n < n + 1) {
        const size_t room = 2 * (t->n + n) + 256;
        char *more = realloc(t->bytes, room);
        t->failed = more == NULL;
        if (more != NULL) {
            t->bytes = more;
            t->room = room;
        }
    }
    if (t->failed) return -1;
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
    t->bytes[t->n] = 0;
    return 0;
}

char *tern_json_dump(const json_t *value, size_t flags)
{
    text t = { .bytes = NULL };
    if (json_dump_callback(value, to_text, &t, flags) == 0 && !t.failed && t.bytes != NULL) return t.bytes;
    free(t.bytes);
    again();
    return NULL;
}

static int to_file(const char *bytes, size_t n, void *ud) { return fwrite(bytes, 1, n, ud) == n ? 0 : -1; }

bool tern_json_write(const json_t *value, FILE *to, size_t flags)
{
    if (json_dump_callback(value, to_file, to, flags) == 0 && !ferror(to)) return true;
    if (!ferror(to)) again();
    return false;
}

/* ---- reading ---- */

static json_t *loaded(json_t *value, unsigned long before, json_error_t *error)
{
    if (value == NULL && errno == ENOMEM && faults == before) count("not enough memory");
    if (faults == before) return value;
    json_decref(value);
    snprintf(error->text, sizeof error->text, "%s", why);
    return NULL;
}

static json_t *load(const char *bytes, size_t n, const char *path, size_t flags, json_error_t *error)
{
    const unsigned long before = faults;
    jmp_buf here;
    snprintf(error->text, sizeof error->text, "%s", "");
    errno = 0;
    if (setjmp(here) == 0) {
        reading = &here;
        json_t *read = path != NULL ? json_load_file(path, flags, error) : json_loadb(bytes, n, flags, error);
        reading = NULL;
        return loaded(read, before, error);
    }
    reading = NULL;
    return loaded(NULL, before, error);
}

json_t *tern_json_load(const char *bytes, size_t n, size_t flags, json_error_t *error)
{
    return load(bytes, n, NULL, flags, error);
}

json_t *tern_json_load_file(const char *path, size_t flags, json_error_t *error)
{
    return load(NULL, 0, path, flags, error);
}
