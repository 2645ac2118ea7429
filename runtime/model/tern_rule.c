/* tern_rule.c : learning rate schedule and learning coefficients
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include "tern/model.h"

double tern_rule_eta_at(const tern_rule *rule, uint32_t presentations)
{
    double eta = rule->eta;
    if (rule->eta_every == 0 || rule->eta_divide == 1.0) return eta;
    /* repeated division, so that the value does not depend on a library's pow(); a rate of 0 stays 0 */
    for (uint32_t i = presentations / rule->eta_every; i > 0 && eta > 0.0; --i) eta /= rule->eta_divide;
    return eta;
}

tern_status tern_ek_from_eta(const tern_net *net, double eta, double kappa, uint16_t *out_ek)
{
    if (!(eta >= 0.0) || !(kappa >= 0.0 && kappa <= 1.0)) return TERN_ERR_ARGUMENT;
    /* EF = FC + c_shift - 15, N-12; set 1 shares ek, its FC is made from the same EF */
    double value = ldexp(eta, net->learn[0].c_frac + net->learn[0].c_shift - 15);
    if (!(floor(value + 0.5) <= 32767.0)) return TERN_ERR_ARGUMENT;
    for (unsigned d = 0; d < net->lags_w; ++d, value *= kappa) out_ek[d] = (uint16_t)floor(value + 0.5);
    return TERN_OK;
}
