/* tern_schedule.c : see tern/schedule.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/schedule.h"

tern_status tern_schedule_apply(tern_state *st, const tern_schedule *schedule, uint32_t presentations)
{
    if (schedule->lags_w != st->net->lags_w || schedule->n_rates == 0) return TERN_ERR_ARGUMENT;
    uint32_t row = schedule->every == 0 ? 0 : presentations / schedule->every;
    if (row >= schedule->n_rates) {
        if (!schedule->complete) return TERN_ERR_LIMIT;
        row = schedule->n_rates - 1u;
    }
    memcpy(st->ek, schedule->ek + (size_t)row * schedule->lags_w, schedule->lags_w * sizeof *st->ek);
    return TERN_OK;
}
