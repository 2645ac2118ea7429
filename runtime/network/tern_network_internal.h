/* tern_network_internal.h : what the files of this layer share
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_NETWORK_INTERNAL_H
#define TERN_NETWORK_INTERNAL_H
#include "tern/network.h"
#include "tern_bits.h"
#include "tern_frames_store.h"
#include "tern_runner.h"

/* docs/60-errors.md */
enum { TERN_E_CALL = 180, TERN_E_ARRAYS = 181, TERN_E_STATE = 182 };
#define TERN_NETWORK_MAX_STEPS 1000000u

struct tern_examples {
    const tern_model *model;
    tern_arena arena;
    tern_bits in, visible;
    uint32_t n;
    bool on_disk;
    /* arrays, packed */
    uint32_t steps;
    uint32_t *inputs, *targets; /* [n][steps][words] */
    int32_t *labels;            /* [n]; NULL: none */
    bool has_targets;
    /* recordings */
    tern_frames_store store;
};

struct tern_network {
    tern_arena arena;
    tern_model model; /* a copy, whose state is that of the runner when an image is made */
    tern_runner run;
    tern_runner_engine engine;
    tern_van_rossum distance;
    bool has_distance;
    tern_bits in, visible, neurons;
    uint32_t presentations;
    /* order of the current epoch, for this number of examples */
    tern_arena order_arena;
    uint32_t *order, n_order, epoch;
    /* some steps in bits */
    uint32_t *inputs, *targets; /* [TERN_NETWORK_CHUNK][words] */
};
enum { TERN_NETWORK_CHUNK = 64 };

/* Adds an error; TERN_ERR_ARGUMENT. */
tern_status tern_network_refuse(tern_diags *diags, int code, const char *name, const char *key, const char *hint,
                                const char *fmt, ...) TERN_PRINTF(6, 7);
/* tern_examples_get() as a training with this seed shows it as presentation number `presentation`, from 0. */
tern_status tern_examples_present(tern_examples *ex, uint32_t i, uint64_t seed, uint32_t presentation, tern_frames *out,
                                  tern_diags *diags);
/* Were the examples made for a network of the same pools? 181. */
tern_status tern_network_fits(const tern_model *model, const tern_examples *ex, tern_diags *diags);

#endif /* TERN_NETWORK_INTERNAL_H */
