/* tern_plant.h : bugs planted on purpose, each of which tests/fast must find; there are none in the library that
 * Tern is built from
 * SPDX-License-Identifier: Apache-2.0
 *
 * A use is PLANT(NAME), false in a normal build. tests/fast compiles the same sources with TERN_PLANTED, where
 * tern_plant_now says which one bites.
 */
#ifndef TERN_PLANT_H
#define TERN_PLANT_H

/* clang-format off */
#define TERN_PLANTS(X)                                                                                                \
    X(ABSENT) X(ACTIVE) X(AVERAGE) X(BIAS_DITHER) X(BLOCKS) X(BROADCAST) X(CHUNK) X(CIRCUIT) X(CLEARED) X(COLLECT)    \
    X(COMMON) X(COPY) X(DENSE) X(DRAW) X(EDGE) X(ERROR) X(FLUSH) X(GAPS) X(GATHER) X(GROUP) X(HISTORY) X(ISA)         \
    X(KERNEL) X(LAG) X(LIST) X(LIVE) X(LOSS) X(LOW_PART) X(MODULATORS) X(NARROW) X(PARTS) X(PEER_BASELINE)            \
    X(PEER_COUNTS) X(PEER_GOLDEN) X(PEER_LOSS) X(PEER_SENT) X(PEER_WORD) X(PLACE) X(PLACES) X(POTENTIAL) X(RANDOM)    \
    X(RATE) X(RECORD) X(REMEMBER) X(RING) X(ROUNDING) X(SATURATIONS) X(SELF) X(SILENT) X(SPIKES) X(SPLIT) X(STEAL)    \
    X(STRANGE) X(UNICAST) X(UNION) X(WIDE) X(WIDTHS)
/* clang-format on */

#ifdef TERN_PLANTED
enum {
    TERN_PLANT_NONE,
#define TERN_PLANT_ENUM(name) TERN_PLANT_##name,
    TERN_PLANTS(TERN_PLANT_ENUM)
#undef TERN_PLANT_ENUM
};
extern int tern_plant_now;
#define PLANT(name) (tern_plant_now == TERN_PLANT_##name)
#else
#define PLANT(name) 0
#endif
#endif /* TERN_PLANT_H */
