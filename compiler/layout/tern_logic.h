/* tern_logic.h : how many logic cells a core and its link take: a sum of parts, with coefficients fitted to syntheses
 * (docs/35-targets.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * The coefficients are in tern_logic_table.inc and tern_logic_small.inc (of the small core), which tests/bench/logic.sh
 * makes from reports of `tern synth`. Cells are those that nextpnr counts after packing: ICESTORM_LC on iCE40,
 * TRELLIS_COMB (LUT4) on ECP5.
 */
#ifndef TERN_LOGIC_H
#define TERN_LOGIC_H
#include "tern_target.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Parts: what grows with what. One column of the table each. */
/* clang-format off */
#define TERN_LOGIC_MAP(XX) \
    XX(FIXED,       "independent of the network: control, draws, central processor, host port, link") \
    XX(KERNEL,      "bits of taps and learning kernel that are built and held: 2 (D 9 + (D + W - 1) KERNEL_W), " \
                    "small core half") \
    XX(LANE_SUM,    "adders over the learning kernel in the lanes: LANES (D + W - 1) DELTA_W") \
    XX(LANE_TRACE,  "adders over the filter's taps in the lanes: LANES WAYS D X_W") \
    XX(LANE,        "words in the lanes: LANES (DELTA_W + ACC_W + HIST_W + 2 WEIGHT_W + 32 + " \
                    "(WAYS - 1) (X_W + 17 + HIST_W + 32))") \
    XX(MULTIPLIERS, "partial products of multipliers that find no block") \
    XX(REGISTERS,   "bits of memories in registers") \
    XX(SMALL_RAMS,  "RAMs of 16 x 4 bits") \
    XX(SIGNALS,     "rules other than GEM") \
    XX(BASELINES,   "baselines") \
    XX(WTA,         "winner-take-all circuits") \
    XX(CLASSES,     "votes")
/* clang-format on */

#define XX(name, help) TERN_LOGIC_##name,
typedef enum tern_logic_part { TERN_LOGIC_MAP(XX) TERN_LOGIC_PARTS } tern_logic_part;
#undef XX

/* The size of each part of a core with these capacities on a device. */
void tern_logic_sizes(const tern_target *target, const tern_capacity *core, double out[TERN_LOGIC_PARTS]);
/* Logic cells, rounded; 0 for a simulation. */
uint64_t tern_logic_cells(const tern_target *target, const tern_capacity *core);
/* Logic cells of so many RAMs of 16 x 4 bits and what selects them. */
uint64_t tern_logic_small_rams(const tern_target *target, uint64_t n);
/* How well the table for this kind of core fits what it was made from: largest relative difference, 0.08 for 8 %. */
double tern_logic_error(tern_family family, const tern_capacity *core);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LOGIC_H */
