/* tern_trace.h : pre-synaptic trace, golden model of rtl/blocks/tern_trace.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_TRACE_H
#define TERN_TRACE_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* N-1: x(t-lag) = sum of taps[tau-1] over tau = 1..D with s(t-lag-tau) = 1, exact, u.XF. Bit 0 of `history` is s(t-1);
 * lag 0 gives x(t).
 * taps: [D], u1.XF. */
uint32_t tern_trace(uint64_t history, unsigned lag, const uint16_t *taps, unsigned taps_d);

#ifdef __cplusplus
}
#endif
#endif /* TERN_TRACE_H */
