/* tern_keep.h : places in compressed arrays, kept between streams (inside runtime/data only); see tern_stream_keep in
 * tern/data.h
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_KEEP_H
#define TERN_KEEP_H
#include "tern_npy.h"

/* The source of these bytes of the file, wherever it stands, and the header of its array; false: there is none, or
 * `keep` is NULL. `out` must be closed. */
bool tern__keep_take(tern_stream_keep *keep, const tern__base *base, uint64_t begin, uint64_t packed, tern__source *out,
                     tern__npy *head);
/* Takes over an inflating source without errors, whose array's header was read; false: it stays with the caller, who
 * closes it. */
bool tern__keep_put(tern_stream_keep *keep, const tern__base *base, tern__source *src, const tern__npy *head);

#endif /* TERN_KEEP_H */
