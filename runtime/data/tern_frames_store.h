/* tern_frames_store.h : a data set as frames
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_FRAMES_STORE_H
#define TERN_FRAMES_STORE_H
#include "tern/data.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Recordings of a data set as frames. Read once and kept while all together stay under a limit, else read again each
 * time. */
typedef struct tern_frames_store {
    const tern_model *model;
    tern_dataset set;
    bool need_labels;   /* a recording without label is an error (training a label population) */
    tern_frames *kept;  /* [set.n], n_steps 0: not there */
    tern_frames *moved; /* the same of recordings that are moved, [set.n][side * side]; NULL: none are kept */
    bool *heard;        /* [set.n] the warnings of this recording were passed on */
    size_t kept_bytes;
    tern_arena arena, last;         /* list and kept frames; frames that are not kept */
    uint32_t n_warnings;            /* given to warn() so far */
    void (*warn)(const char *text); /* takes a line for people; NULL: nobody wants warnings */
    tern_diags *warnings;           /* takes them as data; NULL: not wanted */
    tern_stream_keep *places;       /* for samples of one file that are read in order; NULL: none */
} tern_frames_store;

/* `warn` may be set afterwards. */
tern_status tern_frames_store_open(tern_frames_store *f, const tern_model *model, const char *path, bool need_labels,
                                   tern_diags *diags);
/* Frames of recording i; they stay valid until the next call. Warnings of the recordings go to f->warn(), the first few
 * of them, and to f->warnings. */
tern_status tern_frames_store_get(tern_frames_store *f, uint32_t i, tern_frames *out, tern_diags *diags);
/* The frames that a training with this seed shows as presentation number `presentation` (from 0) if that is recording
 * i: tern_frames_store_get(), but moved by tern_frames_shift(). Code 434: the recording has no picture to move. */
tern_status tern_frames_store_present(tern_frames_store *f, uint32_t i, uint64_t seed, uint32_t presentation,
                                      tern_frames *out, tern_diags *diags);
/* Where a presentation (from 0) is moved: with N = shift, floor(w (2N+1) / 2^32) - N pixels of the sensor, w = x0 for x
 * and x1 for y of Threefry-2x32-20 with key (seed low, seed high) and counter (presentation + 1, 14 << 28). */
void tern_frames_shift(uint32_t shift, uint64_t seed, uint32_t presentation, int32_t *out_x, int32_t *out_y);
/* Tells data sets apart: FNV-1a over each recording's file name (without folders, with its NUL), its size in bytes and
 * its label (8 bytes each, little-endian), in order. */
uint64_t tern_frames_store_digest(const tern_frames_store *f);
void tern_frames_store_close(tern_frames_store *f);

#ifdef __cplusplus
}
#endif
#endif /* TERN_FRAMES_STORE_H */
