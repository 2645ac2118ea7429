/* tern_keep.c : see tern_keep.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_keep.h"
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { SLOTS = 8 };

/* Which bytes of which file: a file that was written again is another one. */
typedef struct key {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
    uint64_t begin, packed;
} key;

typedef struct slot {
    bool used;
    key k;
    tern__source src;
    tern__npy head;
} slot;

struct tern_stream_keep {
    tern_alloc alloc;
    size_t next;
    slot at[SLOTS];
};

tern_stream_keep *tern_stream_keep_make(tern_alloc alloc)
{
    tern_stream_keep *keep = alloc.fn(alloc.ud, NULL, sizeof *keep);
    if (keep == NULL) return NULL;
    memset(keep, 0, sizeof *keep);
    keep->alloc = alloc;
    return keep;
}

void tern_stream_keep_free(tern_stream_keep *keep)
{
    if (keep == NULL) return;
    for (size_t i = 0; i < SLOTS; ++i)
        if (keep->at[i].used) tern__source_close(&keep->at[i].src);
    keep->alloc.fn(keep->alloc.ud, keep, 0);
}

static bool key_of(const tern__base *base, uint64_t begin, uint64_t packed, key *out)
{
    struct stat st;
    if (base->fd < 0 || fstat(base->fd, &st) != 0) return false;
    *out = (key){ .device = st.st_dev,
                  .inode = st.st_ino,
                  .size = st.st_size,
                  .changed = st.st_mtim,
                  .begin = begin,
                  .packed = packed };
    return true;
}

static bool same(const key *a, const key *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec && a->begin == b->begin &&
           a->packed == b->packed;
}

/* A source at another place in memory: zlib's memory comes through a pointer into it. */
static void move(tern__source *to, tern__source *from)
{
    *to = *from;
    to->z->opaque = &to->alloc;
    memset(from, 0, sizeof *from);
}

bool tern__keep_take(tern_stream_keep *keep, const tern__base *base, uint64_t begin, uint64_t packed, tern__source *out,
                     tern__npy *head)
{
    key k;
    if (keep == NULL || !key_of(base, begin, packed, &k)) return false;
    for (size_t i = 0; i < SLOTS; ++i) {
        slot *s = &keep->at[i];
        if (!s->used || !same(&s->k, &k)) continue;
        move(out, &s->src);
        out->base = base;
        *head = s->head;
        s->used = false;
        return true;
    }
    return false;
}

bool tern__keep_put(tern_stream_keep *keep, const tern__base *base, tern__source *src, const tern__npy *head)
{
    key k;
    if (keep == NULL || src->codec != TERN__DEFLATE || src->status != TERN_OK || src->z == NULL ||
        !key_of(base, src->raw_begin, src->raw_end - src->raw_begin, &k))
        return false;
    slot *s = NULL;
    for (size_t i = 0; i < SLOTS && s == NULL; ++i)
        if (!keep->at[i].used) s = &keep->at[i];
    if (s == NULL) { /* all are taken: one after the other gives way */
        s = &keep->at[keep->next];
        keep->next = (keep->next + 1) % SLOTS;
        tern__source_close(&s->src);
    }
    *s = (slot){ .used = true, .k = k, .head = *head };
    move(&s->src, src);
    s->src.base = NULL; /* the file is closed with its stream */
    return true;
}
