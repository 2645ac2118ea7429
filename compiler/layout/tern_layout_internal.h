/* tern_layout_internal.h : what several files of this layer use
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_LAYOUT_INTERNAL_H
#define TERN_LAYOUT_INTERNAL_H
#include "tern_plan.h"

/* Smallest b with 2^b >= n; 0 for n <= 1. */
static inline uint32_t tern__clog2(uint64_t n)
{
    uint32_t bits = 0;
    while (((uint64_t)1 << bits) < n) ++bits;
    return bits;
}

/* Address bits of a memory, as tern_core.v and tern_small.v count them. */
static inline uint32_t tern__address_bits(uint32_t words) { return words > 2 ? tern__clog2(words) : 1u; }
static inline uint32_t tern__larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

enum { TAP_W = 9 /* parameter of both cores that no plan changes */ };

/* ---- tern_plan.c ---- */
/* order: room for the rows of a neuron; NULL: in the order of the network, sample rows before shared ones. */
void tern__make_rows(tern_plan *plan, uint32_t *order);
/* Largest sum over the samples of coefficients of lag d, in a learning set. */
double tern__coefficient_sum(const tern_plan *plan, unsigned set, unsigned d);
/* The widths of sums that the network's formats need, into *out. */
void tern__prove_widths(const tern_plan *plan, tern_capacity *out);

/* ---- tern_learn_cure.c ---- */
/* A change of the script with which kernels of `kernel_most` bits, weight changes of `delta_most` bits and sums of
 * coefficients up to `sum_most` are enough; `other` if none is found. */
void tern__learn_cure(const tern_plan *plan, uint32_t kernel_most, uint32_t delta_most, double sum_most,
                      const char *other, char *out, size_t bytes);

#endif /* TERN_LAYOUT_INTERNAL_H */
