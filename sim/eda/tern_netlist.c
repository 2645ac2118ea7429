/* tern_netlist.c : see tern_netlist.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "tern_netlist.h"
#include <stdlib.h>
#include <string.h>
#include "tern_synth.h"

const char *const tern_netlist_script_name[TERN_NETLIST_SCRIPTS] = { "netlist.ys", "model.ys" };

static bool is_ecp5(const char *device) { return strncmp(device, "ecp5", 4) == 0; }

const char *const *tern_netlist_files(const char *device)
{
    static const char *const ice40[] = { "sim/netlist/ice40.ys", "sim/netlist/ice40_cells.v", NULL };
    static const char *const ecp5[] = { "sim/netlist/ecp5.ys", "sim/netlist/ecp5_map.v", "sim/netlist/ecp5_cells.v",
                                        NULL };
    return is_ecp5(device) ? ecp5 : ice40;
}

static void write_netlist(FILE *f, const char *device, const tern_capacity *core, const char *top, bool events,
                          const char *const *rtl, size_t n)
{
    for (size_t i = 0; i < n; ++i) fprintf(f, "read_verilog %s-I. %s\n", events ? "-DTERN_COSIM " : "", rtl[i]);
    tern_synth_commands(tern_device_find(device), core, top, false, false, f);
    fprintf(f, "write_json netlist.json\n");
}

/* Of the netlist only the top is taken: the cells that Yosys knew have no contents there. The cells are simplified one
 * by one, the netlist itself is not: what is simulated must be what was made. Inputs of cells that Yosys left
 * undefined, such as the write address of a block RAM that is only read, may be anything in the device: they get bits
 * by chance. At the end every cell is one of Yosys's own: one that is left has no model. */
static void write_model(FILE *f, const char *device, const char *top)
{
    fprintf(f, "read_json netlist.json\ndelete =* %s %%d\nsetundef -random 1\nscript %s\n", top,
            tern_netlist_files(device)[0]);
    fprintf(f,
            "hierarchy -check -top %s\nproc\nselect -set cells =* %s %%d\nopt_expr -full @cells\nopt_clean -purge "
            "@cells\nflatten\n",
            top, top);
    fprintf(f,
            "select -assert-none t:* t:$* %%d\nsplitnets\nopt_clean -purge\nwrite_verilog -noattr " TERN_NETLIST_MODEL
            "\n");
}

char *tern_netlist_script(unsigned i, const char *device, const tern_capacity *core, const char *top, bool events,
                          const char *const *rtl, size_t n, tern_arena *arena)
{
    char *text = NULL, *kept = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) return NULL;
    fprintf(f, "# %s : GENERATED FILE - do not edit. Generator: tern %s --netlist %s.\n", tern_netlist_script_name[i],
            events ? "cosim" : "board", device);
    if (i == 0) write_netlist(f, device, core, top, events, rtl, n);
    else write_model(f, device, top);
    if (fclose(f) == 0) kept = tern_arena_strdup(arena, text);
    free(text);
    return kept;
}
