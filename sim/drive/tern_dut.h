/* tern_dut.h : a core in simulation, behind a C interface
 * SPDX-License-Identifier: Apache-2.0
 *
 * One Verilated core is wrapped by tern_dut.cpp, compiled once per set of capacities; everything that compares is C and
 * sees only this table.
 */
#ifndef TERN_DUT_H
#define TERN_DUT_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_DUT_ABI = 3 };

typedef enum tern_dut_kind {
    TERN_DUT_WEIGHT,
    TERN_DUT_BIAS,
    TERN_DUT_SELF,
    TERN_DUT_NEURON,
    TERN_DUT_LOGPROB,
    TERN_DUT_MODULATOR,
    TERN_DUT_BASELINE
} tern_dut_kind;

/* One event of the core's ev_ ports. WEIGHT: index = weight word, sub = lane; NEURON: index = neuron, sub = sample;
 * LOGPROB, MODULATOR:
 * sub = sample; BASELINE: index = neuron; a, b, draw, flags as in tern_record. */
typedef struct tern_dut_event {
    uint8_t kind, flags;
    uint16_t sub;
    uint32_t index;
    int32_t a, b;
    uint32_t draw;
} tern_dut_event;

typedef void tern_dut_listener(void *ud, const tern_dut_event *event);

typedef struct tern_dut {
    int abi; /* TERN_DUT_ABI */
    /* memories and registers start with random contents; NULL: no memory */
    void *(*create)(uint64_t random_seed);
    void (*destroy)(void *dut);
    void (*write)(void *dut, uint32_t address, uint32_t data); /* host port; the core must be idle */
    uint32_t (*read)(void *dut, uint32_t address);
    /* Runs until the core is idle; returns the cycles it took, or 0 if it was still busy after max_cycles or has
     * ended. */
    uint64_t (*run)(void *dut, uint64_t max_cycles, tern_dut_listener *listener, void *ud);
    /* 1: a check inside the design has failed, or the design ended by itself; it has printed why, stands still, and
     * reads return anything. */
    int (*ended)(void *dut);
    /* Opens a waveform (FST) if compiled in; 0: done. `close` ends it. */
    int (*wave_open)(void *dut, const char *path);
    void (*wave_close)(void *dut);
} tern_dut;

#ifdef __cplusplus
}
#endif
#endif /* TERN_DUT_H */
