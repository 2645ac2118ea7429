/* tern_capacity.h : the capacities of a core by name
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CAPACITY_H
#define TERN_CAPACITY_H

/* Parameters of tern_core and tern_small, in their order: name, field of tern_capacity, meaning. */
/* clang-format off */
#define TERN_CAPACITY_MAP(XX) \
    XX(LANES,      lanes,      "weights per word and cycle") \
    XX(WEIGHT_W,   weight_w,   "bits of a stored weight") \
    XX(SAMPLES,    samples,    "samples K") \
    XX(NEURONS,    neurons,    "neurons") \
    XX(PAIRS,      pairs,      "(neuron, sample) pairs") \
    XX(ERRORS,     errors,     "error words: pairs times lags W") \
    XX(TAPS_D,     taps_d,     "filter taps D, steps") \
    XX(LAGS_W,     lags_w,     "learning lags W, steps") \
    XX(HIST_W,     hist_w,     "bits of a history: D + W") \
    XX(FILTERS,    filters,    "filters") \
    XX(ROWS,       rows,       "row descriptors") \
    XX(WORDS,      words,      "weight words of LANES weights") \
    XX(HIST_WORDS, hist_words, "history words: input groups, neuron groups x samples") \
    XX(TARGETS,    targets,    "words of target bits") \
    XX(X_W,        x_w,        "bits of a trace") \
    XX(KERNEL_W,   kernel_w,   "bits of a kernel tap") \
    XX(DELTA_W,    delta_w,    "bits of a weight change") \
    XX(ACC_W,      acc_w,      "bits of a membrane potential's sum") \
    XX(DITHER_MIN, dither_min, "least R, bits") \
    XX(DITHER_MAX, dither_max, "largest R, bits") \
    XX(INDEX_W,    index_w,    "bits of a dither word's index") \
    XX(SIGNALS,    signals,    "rules other than GEM: 0 or 1") \
    XX(BASELINES,  baselines,  "neurons with a baseline") \
    XX(WTA,        wta,        "members of the largest WTA circuit") \
    XX(CLASSES,    classes,    "classes that vote: units of the label population") \
    XX(KERNELS,    kernels,    "1: rows from neurons have a kernel for each sample, 0: a trace for each lag") \
    XX(WAYS,       ways,       "samples per cycle in rows from neurons") \
    XX(WAY_WORDS,  way_words,  "history words of each way but the first") \
    XX(PREP,       prep,       "products of a learning kernel per cycle") \
    XX(SKIP,       skip,       "1: silent words of inputs are left out")               \
    XX(SMALL,      small,      "0: large core; small core, weights in 1: block RAM, 2: single-port RAM, 3: so, " \
                               "of exactly WEIGHT_W bits")
/* clang-format on */

#endif /* TERN_CAPACITY_H */
