/* tern_sim.h : parts of the simulated camera (inside runtime/data only); docs/30-data.md, section 4
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results must be the same on every machine: doubles with + - * / and sqrt only, no contraction (-ffp-contract=off), no
 * libm besides sqrt.
 */
#ifndef TERN_SIM_H
#define TERN_SIM_H
#include <float.h>
#include "tern/simulate.h"

#ifdef __FAST_MATH__
#error "the simulated camera needs IEEE arithmetic: build without -ffast-math"
#endif
#if FLT_EVAL_METHOD != 0
#error "the simulated camera needs doubles that are rounded to double after every operation (on x86: SSE2)"
#endif

/* Purposes of draws, bits 31..28 of the counter's second word; the whole ledger is in docs/21-numerics.md, section
 * 7. */
enum { TERN__DRAW_SHAPE = 8, TERN__DRAW_CAMERA = 9, TERN__DRAW_START = 10, TERN__DRAW_NOISE = 11 };
/* Loss and jitter: this instead of the digit in the counter of TERN__DRAW_NOISE,
 * and digit << 20 | sample for the sample. */
enum { TERN__READOUT = 13 };

/* A sequence of draws: counter (number of the draw / 2, purpose << 28 | digit << 24 | sample). */
typedef struct tern__draws {
    uint32_t key[2], ctr[2], words[2];
    unsigned left;
} tern__draws;

void tern__draws_init(tern__draws *d, uint64_t seed, unsigned purpose, unsigned digit, uint32_t sample);
uint32_t tern__draw(tern__draws *d);
/* Uniform within (lo, hi), 32 bits of resolution. */
double tern__draw_range(tern__draws *d, double lo, double hi);
/* About normal, mean 0, standard deviation 1, at most 3.5 in size: sum of four 16-bit uniforms; two draws. */
double tern__draw_normal(tern__draws *d);
/* Natural logarithm of a normal, positive number, error below 1e-13. */
double tern__ln(double x);

enum { TERN__MAX_SEGMENTS = 160 };

typedef struct tern__segment {
    double x0, y0, dx, dy, inv_len2;
} tern__segment;

/* A digit as line segments in pixels, centred at (0, 0), y downwards. */
typedef struct tern__glyph {
    unsigned n;
    tern__segment seg[TERN__MAX_SEGMENTS];
    double half_width; /* of the stroke, pixels */
} tern__glyph;

void tern__glyph_make(unsigned digit, tern__draws *d, tern__glyph *out);
/* Distance of a point from the middle of the stroke, pixels. */
double tern__glyph_distance(const tern__glyph *g, double x, double y);

#endif /* TERN_SIM_H */
