/* tern_netlist.h : from the Verilog of a core to the simulation of its netlist, with Yosys (docs/34-cosim.md,
 * "Netlists")
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_NETLIST_H
#define TERN_NETLIST_H
#include "tern/arena.h"
#include "tern_plan.h"

/* Two scripts, run one after the other: Verilog -> netlist.json, by the commands of `tern synth`; netlist.json ->
 * TERN_NETLIST_MODEL, its cells replaced by what they do. */
enum { TERN_NETLIST_SCRIPTS = 2 };
extern const char *const tern_netlist_script_name[TERN_NETLIST_SCRIPTS];
#define TERN_NETLIST_MODEL "model.v"

/* Names of the devices whose cells have models, as `tern synth --target` calls them. */
#define TERN_NETLIST_CHOICES "up5k|hx8k|ecp5-25k|ecp5-45k|ecp5-85k"

/* The models of the device's cells: files of the share folder (tern_share.h), NULL behind the last. */
const char *const *tern_netlist_files(const char *device);
/* The text of script i for module `top` in the n files `rtl`, which has ev_ ports (events) or is what goes into a
 * device; NULL: no memory. */
char *tern_netlist_script(unsigned i, const char *device, const tern_capacity *core, const char *top, bool events,
                          const char *const *rtl, size_t n, tern_arena *arena);

#endif /* TERN_NETLIST_H */
