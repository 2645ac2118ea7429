/* script_cores.h : the elaborated cores that script_lockstep.c is linked with
 * SPDX-License-Identifier: Apache-2.0
 *
 * TERN_SMALL: small cores; TERN_SMALL_RULES: those with every rule. TERN_RESIDENT: the one of a board, which is never
 * switched off. TERN_KERNELS: large cores with a kernel for each sample. TERN_SILENT: large cores that leave silent
 * words of inputs out; TERN_PLANTED_SILENT: one with mistakes. Else the large ones.
 */
#ifndef SCRIPT_CORES_H
#define SCRIPT_CORES_H
#include "tern_dut.h"
#include "tern_script_gen.h"

typedef struct script_core {
    const char *name;
    uint32_t lanes, ways;
    const tern_dut *(*get)(void);
} script_core;

#if defined TERN_RESIDENT && defined TERN_SMALL
enum { SCRIPT_SMALL = 1, SCRIPT_RESIDENT = 1 };
#define SCRIPT_PROGRAM "script_resident_small"
const tern_dut *tern_dut_r1(void);
static const script_core script_cores[] = { { "r1", 1, 1, tern_dut_r1 } };
static const tern_script_limits *const script_limits = &tern_script_resident_small;
#elif defined TERN_RESIDENT
enum { SCRIPT_SMALL = 0, SCRIPT_RESIDENT = 1 };
#define SCRIPT_PROGRAM "script_resident_large"
const tern_dut *tern_dut_r4(void);
static const script_core script_cores[] = { { "r4", 4, 1, tern_dut_r4 } };
static const tern_script_limits *const script_limits = &tern_script_resident_large;
#elif defined TERN_PLANTED_RULES
enum { SCRIPT_SMALL = 1, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_planted_rules"
const tern_dut *tern_dut_planted_rules(void);
static const script_core script_cores[] = { { "planted_rules", 2, 1, tern_dut_planted_rules } };
static const tern_script_limits *const script_limits = &tern_script_small_rules;
#elif defined TERN_SMALL_RULES
enum { SCRIPT_SMALL = 1, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_small_rules"
const tern_dut *tern_dut_t1(void);
const tern_dut *tern_dut_t2(void);
const tern_dut *tern_dut_t4(void);
static const script_core script_cores[] = { { "t1", 1, 1, tern_dut_t1 },
                                            { "t2", 2, 1, tern_dut_t2 },
                                            { "t4", 4, 1, tern_dut_t4 } };
static const tern_script_limits *const script_limits = &tern_script_small_rules;
#elif defined TERN_SMALL
enum { SCRIPT_SMALL = 1, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_small"
const tern_dut *tern_dut_s1(void);
const tern_dut *tern_dut_s2(void);
const tern_dut *tern_dut_s4(void);
static const script_core script_cores[] = { { "s1", 1, 1, tern_dut_s1 },
                                            { "s2", 2, 1, tern_dut_s2 },
                                            { "s4", 4, 1, tern_dut_s4 } };
static const tern_script_limits *const script_limits = &tern_script_small;
#elif defined TERN_PLANTED_SILENT
enum { SCRIPT_SMALL = 0, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_planted_silent"
#define SCRIPT_SKIP 1
const tern_dut *tern_dut_silent(void);
static const script_core script_cores[] = { { "silent", 2, 2, tern_dut_silent } };
static const tern_script_limits *const script_limits = &tern_script_large;
#elif defined TERN_KERNELS
enum { SCRIPT_SMALL = 0, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_kernels"
const tern_dut *tern_dut_e1(void);
const tern_dut *tern_dut_e2(void);
const tern_dut *tern_dut_e8(void);
static const script_core script_cores[] = { { "e1", 1, 1, tern_dut_e1 },
                                            { "e2", 2, 1, tern_dut_e2 },
                                            { "e8", 8, 1, tern_dut_e8 } };
static const tern_script_limits *const script_limits = &tern_script_large;
#elif defined TERN_SILENT
enum { SCRIPT_SMALL = 0, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_silent"
#define SCRIPT_SKIP 1
const tern_dut *tern_dut_k1(void);
const tern_dut *tern_dut_k2(void);
const tern_dut *tern_dut_k8(void);
static const script_core script_cores[] = { { "k1", 1, 1, tern_dut_k1 },
                                            { "k2", 2, 4, tern_dut_k2 },
                                            { "k8", 8, 2, tern_dut_k8 } };
static const tern_script_limits *const script_limits = &tern_script_large;
#else
enum { SCRIPT_SMALL = 0, SCRIPT_RESIDENT = 0 };
#define SCRIPT_PROGRAM "script_large"
const tern_dut *tern_dut_p1(void);
const tern_dut *tern_dut_p2(void);
const tern_dut *tern_dut_p4(void);
const tern_dut *tern_dut_p8(void);
const tern_dut *tern_dut_p16(void);
const tern_dut *tern_dut_p32(void);
/* The first ROTATE ones by turns, those more often that are fast; the others are for what these cannot hold. */
#define CORE_1 \
    { \
        "p1", 1, 16, tern_dut_p1 \
    }
#define CORE_2 \
    { \
        "p2", 2, 5, tern_dut_p2 \
    }
#define CORE_4 \
    { \
        "p4", 4, 1, tern_dut_p4 \
    }
#define FOUR_CORES CORE_1, CORE_4, CORE_1, CORE_4
/* clang-format off */
static const script_core script_cores[] = {
    FOUR_CORES, CORE_2, FOUR_CORES, { "p8", 8, 3, tern_dut_p8 },
    FOUR_CORES, CORE_2, FOUR_CORES, { "p16", 16, 2, tern_dut_p16 },
    CORE_2, { "p8", 8, 3, tern_dut_p8 }, { "p32", 32, 1, tern_dut_p32 }
};
/* clang-format on */
static const tern_script_limits *const script_limits = &tern_script_large;
#endif
#ifndef SCRIPT_SKIP
#define SCRIPT_SKIP 0
#endif
enum {
    script_n_cores = sizeof script_cores / sizeof script_cores[0],
    SCRIPT_ROTATE = script_n_cores > 20 ? 20 : script_n_cores
};

#endif /* SCRIPT_CORES_H */
