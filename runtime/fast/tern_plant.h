/* tern_plant.h : bugs planted on purpose, each of which tests/fast must find; there are none in the library that Tern is built from
 * SPDX-License-Identifier: Apache-2.0
 *
 * A use is PLANT(NAME), false in a normal build. tests/fast compiles the same sources with TERN_PLANTED, where tern_plant_now says which one bites.
 */
#ifndef TERN_PLANT_H
#define TERN_PLANT_H

/* name, the array or number of the state that the lockstep must find different first */
#define TERN_PLANTS(X)                                                                                                                                        \
    X(DRAW) X(ABSENT) X(SATURATIONS) X(AVERAGE) X(BIAS_DITHER) X(LAG) X(SPLIT)

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
