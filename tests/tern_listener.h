/* tern_listener.h : a sink that digests all records of a state
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_listener l = TERN_LISTENER;
 *     st->sink = &l.base;
 */
#ifndef TERN_LISTENER_H
#define TERN_LISTENER_H
#include "tern/record.h"

typedef struct tern_listener {
    tern_record_sink base;
    uint64_t digest, n; /* of the records, and their number */
} tern_listener;

static inline void tern_listener_put(tern_record_sink *self, const tern_record *r)
{
    tern_listener *l = (tern_listener *)self;
    l->digest = tern_digest_add(l->digest, r);
    ++l->n;
}

#define TERN_LISTENER \
    { \
        { tern_listener_put }, TERN_DIGEST_INIT, 0 \
    }

#endif /* TERN_LISTENER_H */
