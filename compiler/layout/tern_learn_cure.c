/* tern_learn_cure.c : what would make the learning rule's numbers fit a core
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_layout_internal.h"
#include <math.h>
#include <stdio.h>

enum {
    LEARN_BITS_LEAST = 8,
    LEARN_BITS_MOST = 16,
    LEARN_BITS_USUAL = 12,
    ETA_MOST = 30 /* times two */
};

/* Do kernels and weight changes fit, with learning set 0 as tern_quantise makes it of ef (ek is eta 2^ef) and of
 * formats.learn = bits? */
static bool learn_fits(const tern_plan *plan, int ef, int bits, uint32_t kernel_most, uint32_t delta_most,
                       double sum_most)
{
    tern_net net = *plan->net;
    tern_plan p = *plan;
    tern_capacity c = plan->need;
    const int least = 1 + (int)TERN_BIAS_FRAC - net.trace_frac, most = 31 + net.weight_frac - net.trace_frac;
    int c_shift = 31 - bits, fc = ef + 15 - c_shift;
    if (fc > most) {
        c_shift += fc - most;
        fc = most;
    }
    if (c_shift > 30 || fc < least) return false;
    net.learn[0] = (tern_learn){ .c_shift = (uint8_t)c_shift,
                                 .c_frac = (uint8_t)fc,
                                 .dither_bits = (uint8_t)(fc + net.trace_frac - net.weight_frac),
                                 .local_bits = (uint8_t)(fc + net.trace_frac - (int)TERN_BIAS_FRAC) };
    p.net = &net;
    tern__prove_widths(&p, &c);
    double sum = 0.0;
    for (unsigned d = 0; d < net.lags_w; ++d) sum += tern__coefficient_sum(&p, 0, d);
    return c.kernel_w <= kernel_most && c.delta_w <= delta_most && sum <= sum_most;
}

/* Only what has been tried: formats.learn with the most bits that fit, the least eta (times a power of two) that fits
 * with its default; `other` if neither does. */
void tern__learn_cure(const tern_plan *plan, uint32_t kernel_most, uint32_t delta_most, double sum_most,
                      const char *other, char *out, size_t bytes)
{
    const tern_net *n = plan->net;
    const int ef = n->learn[0].c_frac - 15 + n->learn[0].c_shift;
    char learn[48] = "", eta[64] = "";
    if (plan->signal_first == 0) { /* no neuron uses set 0 */
        snprintf(out, bytes, "%s", other);
        return;
    }
    for (int b = LEARN_BITS_MOST; b >= LEARN_BITS_LEAST && learn[0] == 0; --b)
        if (learn_fits(plan, ef, b, kernel_most, delta_most, sum_most))
            snprintf(learn, sizeof learn, "formats.learn = %d", b);
    for (int k = 1; k <= ETA_MOST && eta[0] == 0; ++k)
        if (learn_fits(plan, ef - k, LEARN_BITS_USUAL, kernel_most, delta_most, sum_most))
            snprintf(eta, sizeof eta, "rule.eta = %.6g and formats.learn = %d", ldexp(n->ek0[0], k - ef),
                     LEARN_BITS_USUAL);
    snprintf(out, bytes, "%s%s%s%s%s", learn[0] != 0 || eta[0] != 0 ? "it fits with " : "", learn,
             learn[0] != 0 && eta[0] != 0 ? ", or with " : "", eta, learn[0] == 0 && eta[0] == 0 ? other : "");
}
