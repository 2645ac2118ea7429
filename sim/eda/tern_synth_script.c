/* tern_synth_script.c : the commands of Yosys that make a netlist
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_synth.h"

static const char gowin_file[] = "sim/eda/gowin_multipliers.v";
static bool is_gowin(const tern_device *device) { return strncmp(device->yosys, "synth_gowin", 11) == 0; }

const char *tern_synth_file(const tern_device *device) { return is_gowin(device) ? gowin_file : NULL; }

/* What the lanes above the multipliers that the device has do by logic: Yosys would use more blocks than there are. */
static void soft_multipliers(const tern_device *device, const tern_capacity *core, const char *top, FILE *f)
{
    const tern_target *target = tern_target_find(device->name);
    const uint32_t all = tern_core_multipliers(target != NULL ? target->family : TERN_FAMILY_SIM, core),
                   have = device->dsps;
    if (have == 0 || all <= have) return;
    const uint32_t lanes = core->lanes, over = (all - have + core->ways - 1u) / core->ways,
                   soft = over < lanes ? over : lanes; /* all ways of a lane */
    /* cells of the family, the PLL, are not known yet */
    fprintf(f, "hierarchy -top %s\nproc\nflatten\nopt_clean\n", top);
    for (uint32_t i = lanes - soft; i < lanes; ++i)
        fprintf(f, "select -set soft c:*g_lane?%" PRIu32 "?* t:$mul %%i\nchtype -set $__soft_mul @soft\n", i);
}

/* The attribute for one memory, under all its instances. In a pattern of Yosys `?` stands for a bracket. */
static void small_memory(const tern_memory *m, FILE *f)
{
    const char *bracket = strchr(m->path, '[');
    fprintf(f, "select -set small");
    for (uint32_t i = 0; i < m->copies; ++i)
        if (bracket == NULL) fprintf(f, " m:*.%s.*", m->path);
        else
            fprintf(f, " m:*.%.*s?%" PRIu32 "?%s.*", (int)(bracket - m->path), m->path,
                    (uint32_t)strtoul(bracket + 1, NULL, 10) + i, strchr(bracket, ']') + 1);
    fprintf(f, "\n");
    fprintf(f, "select -assert-min %" PRIu32 " @small\nsetattr -set ram_style \"distributed\" @small\n", m->copies);
}

/* Memories that the planner wants without block RAM, since there is too little. */
static void small_memories(const tern_device *device, const tern_capacity *core, const char *top, bool link, FILE *f)
{
    const tern_target *target = tern_target_find(device->name);
    if (target == NULL) return;
    tern_fit fit;
    tern_target_fit_core(target, core, &fit);
    const bool buffers = fit.small_buffers && link;
    if (fit.small_memories == 0 && !buffers) return;
    fprintf(f, "hierarchy -top %s\nproc\nflatten\nopt_clean\n", top);
    tern_memory list[TERN_CORE_MEMORIES];
    const size_t n = tern_core_memories(core, list);
    for (size_t i = 0; i < n; ++i)
        if ((fit.small_memories >> i & 1u) != 0) small_memory(&list[i], f);
    if (buffers) fprintf(f, "select -assert-count 2 m:*u_link.*\nsetattr -set ram_style \"distributed\" m:*u_link.*\n");
    fprintf(f, "select -clear\n");
}

/* Yosys maps no multipliers for Gowin before 0.47. */
static void gowin_multipliers(const char *top, FILE *f)
{
    fprintf(f,
            "read_verilog -lib %s\nhierarchy -check -top %s\nproc\nflatten\nopt_expr\nopt_clean\nwreduce t:$mul\n"
            "techmap -map +/mul2dsp.v -map %s -D TERN_MAP -D DSP_A_MAXWIDTH=18 -D DSP_B_MAXWIDTH=18 -D "
            "DSP_A_MINWIDTH=2 -D DSP_B_MINWIDTH=2 -D DSP_NAME=$__TERN_MUL18X18\n"
            "chtype -set $mul t:$__soft_mul\n",
            gowin_file, top, gowin_file);
}

/* Yosys makes the deepest path of a design as shallow as it can, 5 levels of look-up tables here, and everything else
 * small as far as that depth leaves room: a register that cuts one path may cost hundreds of look-up tables elsewhere.
 * A core of few lanes is for a device where they are dear. Eight levels of at most five inputs are enough for it, and
 * the second pass begins with what the first one found. (A core of many lanes, tern_core's ROOM, is for speed.) */
static const char few_luts_script[] = "strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;strash;dch,-f;if,-D,8;mfs2;"
                                      "strash;dch,-f;if,-D,8;mfs2";
static bool few_luts(const tern_device *device, const tern_capacity *core)
{
    return strcmp(device->yosys, "synth_ecp5") == 0 && core->lanes * core->ways < 16u;
}

void tern_synth_commands(const tern_device *device, const tern_capacity *core, const char *top, bool names, bool link,
                         FILE *f)
{
    if (is_gowin(device)) gowin_multipliers(top, f);
    else {
        soft_multipliers(device, core, top, f);
        small_memories(device, core, top, link, f);
    }
    /* a wire of an UP5K takes 1.8 ns and more, Yosys reckons with 0.75; the longer script finds fewer levels in fewer
     * look-up tables */
    if (strstr(device->yosys, "-abc9") != NULL)
        fprintf(f, "scratchpad -set synth_ice40.abc9.W 2000\nscratchpad -copy abc9.script.flow3mfs abc9.script\n");
    const bool few = few_luts(device, core);
    if (few)
        fprintf(f, "%s -top %s -run begin:map_luts\nabc -dress -lut 4:5 -script +%s\nclean\n", device->yosys, top,
                few_luts_script);
    /* names that people can read cost a fifth of the time; only the paths of place and route show them */
    fprintf(f, "%s -top %s", device->yosys, top);
    if (names) fprintf(f, few ? " -run map_cells:\n" : "\n");
    else fprintf(f, " -run %s:check\nhierarchy -check\nblackbox =A:whitebox\n", few ? "map_cells" : "begin");
    fprintf(f, "check -assert\n");
}
