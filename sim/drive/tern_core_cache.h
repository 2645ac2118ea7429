/* tern_core_cache.h : the simulated core of a network, built with Verilator, kept for the next time (docs/34-cosim.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CORE_CACHE_H
#define TERN_CORE_CACHE_H
#include "tern/model.h"
#include "tern_board_dut.h"
#include "tern_dut.h"
#include "tern_plan.h"

/* A core with the capacities that the plan needs, for the co-simulation; or (board) core and link of a board with given
 * capacities, for `tern board`: with a netlist tern_chip, the chip of `tern synth`. */
typedef struct tern_core_request {
    const tern_model *model;
    const tern_plan *plan;      /* NULL for a board */
    const tern_capacity *board; /* NULL: a core */
    /* NULL: the Verilog of the core; else what Yosys makes of it for that device, one of TERN_NETLIST_CHOICES */
    const char *netlist;
    const char *cache; /* folder; NULL: $XDG_CACHE_HOME/tern/cosim or ~/.cache/tern/cosim */
    bool trace;        /* able to write waveforms: slower */
} tern_core_request;

typedef struct tern_core {
    const tern_dut *dut;         /* of a core */
    const tern_board_dut *board; /* of a board */
    void *library;               /* of dlopen */
    bool built;                  /* now; false: it was in the cache */
    double build_s;
    char entry[1024];   /* folder of the cache that holds it */
    char verilator[64]; /* version as it tells it */
    char yosys[96];     /* likewise; "": not used */
} tern_core;

/* Finds the core in the cache or builds it. TERN_ERR_TOOL, TERN_ERR_IO or TERN_ERR_MEMORY with a diagnostic (codes
 * 601..611). */
tern_status tern_core_open(const tern_core_request *request, tern_arena *arena, tern_core *out, tern_diags *diags);
void tern_core_close(tern_core *core);

#endif /* TERN_CORE_CACHE_H */
