/* script_cores.h : the elaborated cores that script_lockstep.c is linked with
 * SPDX-License-Identifier: Apache-2.0
 *
 * TERN_SMALL: small cores. Else the large ones.
 */
#ifndef SCRIPT_CORES_H
#define SCRIPT_CORES_H
#include "tern_dut.h"
#include "tern_script_gen.h"

typedef struct script_core {
    const char *name;
    uint32_t lanes;
    const tern_dut *(*get)(void);
} script_core;

#ifdef TERN_SMALL
enum { SCRIPT_SMALL = 1 };
#define SCRIPT_PROGRAM "script_small"
const tern_dut *tern_dut_s1(void);
const tern_dut *tern_dut_s2(void);
const tern_dut *tern_dut_s4(void);
static const script_core script_cores[] = { { "s1", 1, tern_dut_s1 },
                                            { "s2", 2, tern_dut_s2 },
                                            { "s4", 4, tern_dut_s4 } };
static const tern_script_limits *const script_limits = &tern_script_small;
#else
enum { SCRIPT_SMALL = 0 };
#define SCRIPT_PROGRAM "script_large"
const tern_dut *tern_dut_p1(void);
const tern_dut *tern_dut_p2(void);
const tern_dut *tern_dut_p4(void);
const tern_dut *tern_dut_p8(void);
const tern_dut *tern_dut_p16(void);
const tern_dut *tern_dut_p32(void);
/* The first ROTATE ones by turns; the others, whose memories take long to clear, for what those cannot hold. */
#define CORE_1                                                                                                       \
    {                                                                                                                \
        "p1", 1, tern_dut_p1                                                                                         \
    }
#define CORE_2                                                                                                       \
    {                                                                                                                \
        "p2", 2, tern_dut_p2                                                                                         \
    }
#define CORE_4                                                                                                       \
    {                                                                                                                \
        "p4", 4, tern_dut_p4                                                                                         \
    }
#define CORE_8                                                                                                       \
    {                                                                                                                \
        "p8", 8, tern_dut_p8                                                                                         \
    }
static const script_core script_cores[] = { CORE_4,
                                            CORE_1,
                                            CORE_4,
                                            CORE_1,
                                            CORE_8,
                                            CORE_4,
                                            CORE_1,
                                            CORE_2,
                                            { "p16", 16, tern_dut_p16 },
                                            { "p32", 32, tern_dut_p32 } };
static const tern_script_limits *const script_limits = &tern_script_large;
#endif
enum { SCRIPT_ROTATE = SCRIPT_SMALL ? 3 : 8, script_n_cores = sizeof script_cores / sizeof script_cores[0] };

#endif /* SCRIPT_CORES_H */
