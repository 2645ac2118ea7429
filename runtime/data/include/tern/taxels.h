/* taxels.h : readings of a fingertip that slides over Braille letters, without a fingertip (docs/39-encoding.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Twelve analog sensors, 77 readings of a byte each a letter: the shape of a real recording, made by formula. The same
 * settings give the same bytes on every machine with IEEE double arithmetic (+ - * / only, all random numbers are
 * Threefry). Use:
 *     tern_taxels_defaults(&set); set.seed = 7;
 *     tern_taxels_sample(&set, tern_taxels_letter('Q'), 0, out, &diags);   // one letter in memory
 *     tern_taxels_write(&set, &what, "letters.npz", ...);                  // many in a file that `tern data encode`
 * reads
 *
 * Threads: calls with different outputs and lists may run side by side. Progress is called by the thread that called.
 */
#ifndef TERN_TAXELS_H
#define TERN_TAXELS_H
#include <stdbool.h>
#include <stdint.h>
#include "tern/arena.h"
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_TAXELS = 12, TERN_TAXEL_FRAMES = 77, TERN_TAXEL_LETTERS = 27 };
#define TERN_TAXEL_MAX_SAMPLES 100000u /* sample numbers of a letter: 0 .. 99,999 */

typedef struct tern_taxel_settings {
    uint64_t seed;
    double noise;  /* standard deviation of a reading, 0 .. 50 (of 255)                                 default 2 */
    double spread; /* how much place, speed and pressure vary between samples, 0 .. 3, 1: see the page  default 1 */
} tern_taxel_settings;

typedef struct tern_taxel_set {
    uint8_t letters[TERN_TAXEL_LETTERS]; /* labels, in the order in which they alternate */
    uint32_t n_letters;                  /* 1 .. 27, all different */
    uint32_t first, count;               /* samples first .. first + count - 1 of every letter */
} tern_taxel_set;

typedef struct tern_taxel_totals {
    uint64_t n_samples, n_bytes;
} tern_taxel_totals;

/* Called after every sample; return false to stop (TERN_ERR_IO, no file is left). */
typedef bool (*tern_taxel_progress)(void *ud, uint64_t done, uint64_t total);

/* Every setting at the default that its comment names. */
void tern_taxels_defaults(tern_taxel_settings *set);
/* TERN_ERR_ARGUMENT and a diagnostic (462) per setting out of its range. */
tern_status tern_taxels_check(const tern_taxel_settings *set, tern_diags *diags);
/* Label of 'A' .. 'Z' or '_' (the space): the order of the words A .. S, Space, T .. Z, as `tern data encode` numbers
 * them. -1: no letter. */
int tern_taxels_letter(char c);
/* One sample: out[frame][taxel]. */
tern_status tern_taxels_sample(const tern_taxel_settings *set, unsigned label, uint32_t sample,
                               uint8_t out[TERN_TAXEL_FRAMES][TERN_TAXELS], tern_diags *diags);
/* One .npz: values [samples][77][12] of bytes, labels; samples of the letters alternate. */
tern_status tern_taxels_write(const tern_taxel_settings *set, const tern_taxel_set *what, const char *path,
                              tern_taxel_progress progress, void *ud, tern_taxel_totals *out, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_TAXELS_H */
