/* presented.h : what one presentation of a training was like
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads: data only, no functions.
 */
#ifndef TERN_PRESENTED_H
#define TERN_PRESENTED_H
#include "tern/engine.h"
#ifdef __cplusplus
extern "C" {
#endif

/* One line of the log of `tern train` (docs/11-commands.md, "The log"). */
typedef struct tern_presented {
    uint32_t presentation; /* counts from 1 */
    uint32_t recording;    /* index in the data set */
    int32_t label;         /* -1: none */
    uint32_t step;         /* steps made so far, all presentations */
    double eta;
    double log_loss;             /* nats per step, mean over samples; NAN: visible neurons ran free */
    double log_loss_iw;          /* nats per step, importance-weighted estimate; NAN as above */
    double distance;             /* squared van Rossum distance, mean over samples; NAN: none */
    double hidden_rate;          /* spikes per hidden neuron, sample and step; 0 without hidden neurons */
    double unicast, broadcast;   /* numbers sent per step; NAN: not counted (reference) */
    tern_sat_counts saturations; /* of this presentation */
} tern_presented;

#ifdef __cplusplus
}
#endif
#endif /* TERN_PRESENTED_H */
