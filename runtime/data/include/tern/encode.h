/* encode.h : analog values (pixels, sensor readings) to spikes and back (docs/39-encoding.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values are scaled to 0..1, each row of them lasts a number of steps, and a code says in which of these a unit spikes.
 * Only + - * / in doubles and Threefry: the same spikes on every machine. Use:
 *     tern_encode_defaults(&spec); spec.code = TERN_CODE_RATE; spec.hi = 255; spec.steps = 30;
 *     uint32_t units = tern_encode_units(&spec, 784);               // 784 pixels
 *     uint8_t *out = malloc((size_t)30 * units);
 *     tern_encode(&spec, pixels, 1, 784, sample, out, &counts, &diags);
 *     tern_decode(&spec, out, 1, 784, values, &diags);              // what the spikes say, as numbers between lo and
 * hi
 *
 * Threads: calls with different outputs and lists may run side by side. Progress is called by the thread that called.
 */
#ifndef TERN_ENCODE_H
#define TERN_ENCODE_H
#include <stdbool.h>
#include <stdint.h>
#include "tern/arena.h"
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_code {
    TERN_CODE_RATE,  /* a spike with probability rate * v in every step, independent draws         */
    TERN_CODE_EVEN,  /* the same number of spikes without chance, evenly spaced                    */
    TERN_CODE_TIME,  /* one spike in the row's steps: the larger the value, the earlier            */
    TERN_CODE_CHANGE /* spikes where a value has risen or fallen by `threshold` since the last one */
} tern_code;

typedef struct tern_encode_spec {
    /* tern_code                                                                                   default RATE */
    uint8_t code;
    /* 1: one unit per value. 2 .. 64: units that share lo..hi, each with a bell-shaped range     default 1    */
    uint32_t population;
    /* lo becomes 0, hi becomes 1; what is outside is clamped and counted. Finite, lo < hi         default 0, 1 */
    double lo, hi;
    /* a row of values lasts this many steps, 1 .. 1,000,000                                       default 1 */
    uint32_t steps;
    /* RATE, EVEN: spikes a step at v = 1, 0 .. 1                                                  default 1 */
    double rate;
    /* TIME: values below give no spike, 0 .. 1 (0 itself never spikes). CHANGE: 0.001 .. 1        default 0.1 */
    double threshold;
    /* population: half width of a bell in distances between neighbours, 0.5 .. 4                  default 1.5 */
    double width;
    /* RATE                                                                                        default 1 */
    uint64_t seed;
} tern_encode_spec;

typedef struct tern_encode_counts {
    uint64_t n_spikes;
    uint64_t n_clamped; /* values outside lo..hi              */
    uint64_t n_wrong;   /* values that are not numbers: treated as lo */
    uint64_t n_lost;    /* CHANGE: spikes for which a row had too few steps */
} tern_encode_counts;

#define TERN_ENCODE_MAX_UNITS 65536u

/* The settings that docs/39-encoding.md names as usual. */
void tern_encode_defaults(tern_encode_spec *spec);
/* TERN_ERR_ARGUMENT and a diagnostic (462) per setting out of its range. */
tern_status tern_encode_check(const tern_encode_spec *spec, tern_diags *diags);
/* Units for n values: n * population; with CHANGE twice as many, first those of falling, then those of rising values.
 * 0: more than TERN_ENCODE_MAX_UNITS. */
uint32_t tern_encode_units(const tern_encode_spec *spec, uint32_t n);
/* values[rows][n] to out[rows * steps][units] of 0 and 1. `sample` (below 2^28) keeps the draws of several samples
 * apart. `counts` is added to. */
tern_status tern_encode(const tern_encode_spec *spec, const double *values, uint32_t rows, uint32_t n, uint32_t sample,
                        uint8_t *out, tern_encode_counts *counts, tern_diags *diags);

/* ---- spikes to values ---- */

/* Decodes spikes to values: spikes[rows * steps][units] of 0 and others, from tern_encode() or from visible neurons
 * that represent them, to values[rows][n]. rate, lo, hi, steps, population, threshold (CHANGE) and width (CHANGE with a
 * population) of `spec` count. RATE, EVEN: number of spikes; TIME: step of the first one; CHANGE: the first row of
 * `values` must hold where the values begin and is left as it is. A population's value is the centre of mass of its
 * answers. NAN: nothing is known (a silent population; rate 0). TERN_ERR_ARGUMENT, TERN_ERR_LIMIT with a diagnostic
 * (462). */
tern_status tern_decode(const tern_encode_spec *spec, const uint8_t *spikes, uint32_t rows, uint32_t n, double *values,
                        tern_diags *diags);
/* The class that a population of `per_class` neurons for each of n_classes >= 1 classes says: counts[n_classes *
 * per_class] are spikes of the neurons, those of class c from c * per_class on. The class with the largest sum; of
 * equal ones the first, so 0 if all are silent. */
uint32_t tern_decode_class(const uint32_t *counts, uint32_t n_classes, uint32_t per_class);

/* ---- files of analog values ---- */

typedef struct tern_encode_input {
    /* IDX images; NumPy array values, samples x values or samples x rows x values (in .npz: `values` or `data`, with
     * `labels`); or bytes */
    const char *values;
    uint32_t columns; /* bytes: values of a row; otherwise 0 */
    /* bytes: CSV with first_frame, n_frames and, if there are labels, label, class or letter; NULL: one sample */
    const char *index;
    const char *labels; /* IDX: file of labels; NULL: the one next to the images */
    uint32_t window_us; /* length of a step, recorded in the output */
    bool hi_by_kind;    /* spec.hi is ignored: 255 for bytes, otherwise 1 */
} tern_encode_input;

typedef struct tern_encode_totals {
    uint64_t n_samples, n_bytes;
    uint32_t steps, units, n_values; /* of one sample; shorter ones end in empty steps */
    /* labels that were words, numbered in the order of their bytes; 0: none were */
    uint32_t n_classes;
    char classes[256][16];
    tern_encode_counts counts;
} tern_encode_totals;

#define TERN_ENCODE_MAX_BYTES ((uint64_t)1 << 36) /* of all samples: 64 GiB */

/* Encodes a file into one .npz: frames [samples][steps][units], labels, window_us. `progress` (may be NULL) is called
 * after every sample; false: stop, TERN_ERR_IO, nothing is left. */
tern_status tern_encode_file(const tern_encode_spec *spec, const tern_encode_input *in, const char *out,
                             tern_alloc alloc, bool (*progress)(void *ud, uint64_t done, uint64_t total), void *ud,
                             tern_encode_totals *totals, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_ENCODE_H */
