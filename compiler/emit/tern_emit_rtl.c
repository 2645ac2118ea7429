/* tern_emit_rtl.c : NAME.vh, NAME_top.v, NAME_load.hex, NAME_stream.hex, NAME.f: the hardware of one network
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core (rtl/) is written by hand and programmable: what is generated are its capacities, a top that instantiates it
 * with exactly these, and the host writes that load the network and fit the stream bridge to it. No logic is generated.
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_emit.h"
#include "tern_errors.h"
#include "tern_emit_common.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tern_capacity.h"
#include "tern_cores.h"
#include "tern_target.h"
#include "tern/image.h"

#define PARAMETER_MAP TERN_CAPACITY_MAP

typedef enum width { ONE, LANE, LANE_WEIGHT, LANE_DRAW, B8, B12, B16, B17, B32 } width;

/* group: comment above, NULL: continues */
typedef struct port {
    const char *group, *name;
    bool output;
    width bits;
} port;

static const port ports[] = {
    { "clock, synchronous reset", "clk_i", false, ONE },
    { NULL, "rst_i", false, ONE },
    { "host port (docs/33-host-port.md)", "host_valid_i", false, ONE },
    { NULL, "host_ready_o", true, ONE },
    { NULL, "host_write_i", false, ONE },
    { NULL, "host_addr_i", false, B32 },
    { NULL, "host_wdata_i", false, B32 },
    { NULL, "host_rvalid_o", true, ONE },
    { NULL, "host_rdata_o", true, B32 },
    { "status", "busy_o", true, ONE },
};
static const port events[] = {
    { "weights", "ev_w_valid_o", true, ONE },  { NULL, "ev_w_addr_o", true, B32 },
    { NULL, "ev_w_old_o", true, LANE_WEIGHT }, { NULL, "ev_w_new_o", true, LANE_WEIGHT },
    { NULL, "ev_w_changed_o", true, LANE },    { NULL, "ev_w_sat_o", true, LANE },
    { NULL, "ev_w_draw_o", true, LANE_DRAW },  { "bias and self-memory", "ev_l_valid_o", true, ONE },
    { NULL, "ev_l_self_o", true, ONE },        { NULL, "ev_l_neuron_o", true, B32 },
    { NULL, "ev_l_old_o", true, B16 },         { NULL, "ev_l_new_o", true, B16 },
    { NULL, "ev_l_sat_o", true, ONE },         { NULL, "ev_l_draw_o", true, B32 },
    { "neurons", "ev_n_valid_o", true, ONE },  { NULL, "ev_n_neuron_o", true, B32 },
    { NULL, "ev_n_sample_o", true, B8 },       { NULL, "ev_n_u_o", true, B12 },
    { NULL, "ev_n_p_o", true, B17 },           { NULL, "ev_n_draw_o", true, B16 },
    { NULL, "ev_n_spike_o", true, ONE },       { NULL, "ev_n_clamp_o", true, ONE },
    { NULL, "ev_n_limited_o", true, ONE },     { "central processor", "ev_v_valid_o", true, ONE },
    { NULL, "ev_v_sample_o", true, B8 },       { NULL, "ev_v_before_o", true, B32 },
    { NULL, "ev_v_after_o", true, B32 },       { NULL, "ev_m_valid_o", true, ONE },
    { NULL, "ev_m_sample_o", true, B8 },       { NULL, "ev_m_value_o", true, B16 },
    { NULL, "ev_m_signal_o", true, B32 },      { "baselines", "ev_a_valid_o", true, ONE },
    { NULL, "ev_a_neuron_o", true, B32 },      { NULL, "ev_a_before_o", true, B32 },
    { NULL, "ev_a_after_o", true, B32 },       { NULL, "ev_a_weight_o", true, B32 },
};
enum { N_PORTS = sizeof ports / sizeof ports[0], N_EVENTS = sizeof events / sizeof events[0] };

static uint32_t bits(width w, const tern_capacity *c)
{
    switch (w) {
    case LANE: return c->lanes;
    case LANE_WEIGHT: return c->lanes * c->weight_w;
    case LANE_DRAW: return c->lanes * 32u;
    case B8: return 8;
    case B12: return 12;
    case B16: return 16;
    case B17: return 17;
    case B32: return 32;
    default: return 1;
    }
}

static void port_line(FILE *f, const port *p, const tern_capacity *c, bool last)
{
    char range[24] = "";
    const uint32_t n = bits(p->bits, c);
    /* a vector of one lane is a vector in tern_core too */
    if (p->bits != ONE) snprintf(range, sizeof range, "[%" PRIu32 ":0]", n - 1u);
    if (p->group != NULL) fprintf(f, "  // %s\n", p->group);
    fprintf(f, "  %s wire %-9s %s%s\n", p->output ? "output" : "input ", range, p->name, last ? "" : ",");
}

static void port_map(FILE *f, const port *list, size_t n, bool ends)
{
    for (size_t i = 0; i < n; ++i)
        fprintf(f, "    .%s(%s)%s\n", list[i].name, list[i].name, ends && i + 1 == n ? "" : ",");
}

/* Every memory of the core, for people who look for a device. */
static void memory_table(FILE *f, const tern_capacity *c)
{
    tern_memory list[TERN_CORE_MEMORIES];
    const size_t n = tern_core_memories(c, list);
    fprintf(f, "// memory          words   bits  holds\n");
    for (size_t i = 0; i < n; ++i) {
        fprintf(f, "// %-12s %8" PRIu32 " %6" PRIu32 "  %s", list[i].name, list[i].depth, list[i].width, list[i].use);
        if (list[i].copies > 1) fprintf(f, " (%" PRIu32 " of them)", list[i].copies);
        fputs("\n", f);
    }
}

typedef struct text {
    FILE *f;
    const tern_model *m;
    const tern_plan *plan;
    const char *target;
    char hash[65];
    uint64_t writes;
} text;

static void parameter_list(FILE *f, const tern_capacity *c)
{
#define XX(name, field, help) fprintf(f, "localparam %-10s = %8" PRIu32 "; // %s\n", #name, c->field, help);
    PARAMETER_MAP(XX)
#undef XX
}

static void write_vh(text *t)
{
    FILE *f = t->f;
    const tern_capacity *c = &t->plan->need;
    fprintf(f, "// %s.vh : capacities of the core for the network '%s'\n//\n", t->m->name, t->m->name);
    tern__emit_header(f, "// ", t->m, t->hash);
    fprintf(f, "//\n// Included inside a module (%s_top.v does it). Target: %s.\n//\n", t->m->name,
            t->target != NULL ? t->target : "none named");
    memory_table(f, c);
    fprintf(f, "\n");
    parameter_list(f, c);
    fprintf(f,
            "\n// A stream in front of the core (tern_axis): its parameters besides LANES.\nlocalparam STREAM_GROUPS = "
            "%" PRIu32 "; // groups of LANES input positions\n"
            "localparam STREAM_WORDS  = %" PRIu32 "; // words of the input frame\n",
            tern_plan_stream_groups(t->plan), tern_plan_stream_words(t->plan));
    fprintf(f,
            "\n// Lines of %s_load.hex, and the layout of network and image; the register LAYOUT of the loaded\n// "
            "core holds the first 32 bits of the latter.\n",
            t->m->name);
    fprintf(f, "localparam [31:0] LOAD_WRITES = 32'd%" PRIu64 ";\nlocalparam [255:0] LAYOUT_HASH =\n  256'h%s;\n",
            t->writes, t->hash);
}

static void write_top(text *t)
{
    FILE *f = t->f;
    const tern_capacity *c = &t->plan->need;
    fprintf(f, "// %s_top.v : a core that holds the network '%s' and no more\n//\n", t->m->name, t->m->name);
    tern__emit_header(f, "// ", t->m, t->hash);
    fprintf(f,
            "//\n// Load it with the host writes of %s_load.hex. Any other network within the capacities of %s.vh\n// "
            "can be loaded too.\n`default_nettype none\n\n",
            t->m->name, t->m->name);
    fprintf(f, "module %s_top (\n", t->m->name);
    for (size_t i = 0; i < N_PORTS; ++i) port_line(f, &ports[i], c, i + 1 == N_PORTS);
    fprintf(f, "`ifdef TERN_COSIM\n  // events for the co-simulation (docs/32-records.md)\n  ,\n");
    for (size_t i = 0; i < N_EVENTS; ++i) port_line(f, &events[i], c, i + 1 == N_EVENTS);
    fprintf(f, "`endif\n);\n`include \"%s.vh\"\n\n  %s #(\n", t->m->name, tern_core_of(c)->module);
    const char *separator = "";
#define XX(name, field, help) \
    fprintf(f, "%s    .%s(%s)", separator, #name, #name); \
    separator = ",\n";
    PARAMETER_MAP(XX)
#undef XX
    fprintf(f, "\n  ) u_core (\n");
    port_map(f, ports, N_PORTS, true);
    fprintf(f, "`ifdef TERN_COSIM\n    ,\n");
    port_map(f, events, N_EVENTS, true);
    fprintf(f, "`endif\n  );\n\n  wire unused_layout = &{1'b0, LOAD_WRITES, LAYOUT_HASH, STREAM_GROUPS[0], "
               "STREAM_WORDS[0]};\nendmodule\n\n`default_nettype wire\n");
}

/* ---- NAME_load.hex ----------------------------------------------------------------------------------------------- */

typedef struct loader {
    tern_host_writer base;
    FILE *f;
    uint64_t n;
} loader; /* f NULL: only counts */

static void put_write(tern_host_writer *self, uint32_t address, uint32_t data)
{
    loader *l = (loader *)self;
    ++l->n;
    if (l->f != NULL) fprintf(l->f, "%08" PRIx32 "_%08" PRIx32 "\n", address, data);
}

static void load(loader *l, const tern_plan *plan, const tern_state *state, const char *hash)
{
    uint32_t layout = 0;
    sscanf(hash, "%8" SCNx32, &layout);
    tern_plan_write_network(plan, &plan->need, &l->base);
    put_write(&l->base, tern_host_address(TERN_RG_REG, TERN_REG_LAYOUT, 32, 0), layout);
    tern_plan_write_state(plan, &plan->need, state, &l->base);
}

static void write_load(text *t, const tern_state *state)
{
    fprintf(t->f, "// %s_load.hex : the host writes that load the network '%s' into its core\n//\n", t->m->name,
            t->m->name);
    tern__emit_header(t->f, "// ", t->m, t->hash);
    fprintf(
        t->f,
        "//\n// One write per line: 8 digits of address, '_', 8 digits of data (docs/33-host-port.md), to be made in\n"
        "// this order while the core is idle. $readmemh reads the file into `reg [63:0] load [0:%" PRIu64 "]`.\n",
        t->writes - 1u);
    loader l = { { put_write }, t->f, 0 };
    load(&l, t->plan, state, t->hash);
}

/* Numbers of input units for those who send events, and the writes. */
static void write_stream(text *t)
{
    FILE *f = t->f;
    fprintf(f, "// %s_stream.hex : the host writes that fit a stream (tern_axis) to the network '%s'\n//\n", t->m->name,
            t->m->name);
    tern__emit_header(f, "// ", t->m, t->hash);
    fprintf(f,
            "//\n// Form as in %s_load.hex. Then write %08x with bit 0 set: the stream is on.\n//\n// numbers in "
            "events   population\n",
            t->m->name, (unsigned)tern_host_address(TERN_RG_STREAM, TERN_STREAM_CONTROL, 32, 0));
    for (int out = 0; out < 2; ++out)
        for (uint32_t i = 0; i < t->m->n_populations; ++i) {
            const tern_population *p = &t->m->populations[i];
            const uint32_t first = p->kind == TERN_POP_INPUT ? p->pos : p->neuron0;
            if ((p->kind != TERN_POP_INPUT) != (out != 0)) continue;
            fprintf(f, "// %s %6" PRIu32 "..%-6" PRIu32 " %s\n", out != 0 ? "out" : "in ", first, first + p->size - 1u,
                    p->name);
        }
    loader l = { { put_write }, f, 0 };
    tern_plan_write_stream(t->plan, &l.base);
}

/* The state the core starts from: initial or trained weights, all else cleared. */
static tern_status start_state(const tern_model *m, const tern_plan *plan, tern_arena *arena, tern_state *out)
{
    const size_t bytes = tern_state_bytes(&m->net, plan->n_samples);
    void *mem = tern_arena_get(arena, bytes, 1);
    if (mem == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern_state_init(out, &m->net, mem, bytes, plan->n_samples, m->seed);
    if (s != TERN_OK || m->state == NULL) return s;
    tern_state_copy_weights(out, m->state);
    memcpy(out->ek, m->state->ek, m->net.lags_w * sizeof *out->ek);
    out->step = m->state->step; /* as NAME.c does: the draws of a step depend on its number */
    return TERN_OK;
}

static tern_status begin_text(text *t, const tern_model *model, const tern_plan *plan, const tern_state *state,
                              const char *target)
{
    *t = (text){ .m = model, .plan = plan, .target = target };
    const tern_status s = tern_layout_hash(model, t->hash);
    loader count = { { put_write }, NULL, 0 };
    if (s == TERN_OK) load(&count, plan, state, t->hash);
    t->writes = count.n;
    return s;
}

tern_status tern_emit_rtl(const tern_model *model, const tern_plan *plan, const char *target, const char *dir,
                          tern_arena *arena, tern_diags *diags)
{
    static const char *const extensions[] = { ".vh", "_top.v", "_load.hex", "_stream.hex" };
    tern_state state;
    text t;
    tern_status s = start_state(model, plan, arena, &state);
    if (s == TERN_OK) s = begin_text(&t, model, plan, &state, target);
    for (unsigned i = 0; i < 4 && s == TERN_OK; ++i) {
        tern_file_writer file;
        s = tern__emit_begin(&file, model, dir, extensions[i], diags);
        if (s != TERN_OK) break;
        t.f = file.f;
        switch (i) {
        case 0: write_vh(&t); break;
        case 1: write_top(&t); break;
        case 2: write_load(&t, &state); break;
        default: write_stream(&t); break;
        }
        s = tern_file_commit(&file, diags);
    }
    return s == TERN_OK ? tern__emit_list(model, plan, dir, diags) : s;
}

tern_status tern_emit_capacity(const char *name, const tern_capacity *core, const char *target, const char *dir,
                               tern_diags *diags)
{
    char path[1024];
    const int n = snprintf(path, sizeof path, "%s/%s.vh", dir, name);
    if (n < 0 || (size_t)n >= sizeof path) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER_NAME, dir, 0, NULL, "the folder's name is too long");
        return TERN_ERR_ARGUMENT;
    }
    tern_file_writer file;
    const tern_status s = tern_file_begin(&file, path, diags);
    if (s != TERN_OK) return s;
    FILE *f = file.f;
    fprintf(f,
            "// %s.vh : capacities of a core for any network that fits\n//\n// GENERATED FILE - do not edit.\n//   "
            "Generator:  tern %s\n//   Refresh:    tern synth --resident\n",
            name, tern__emit_version);
    fprintf(f, "//\n// Included inside a module. Target: %s.\n//\n", target != NULL ? target : "none named");
    memory_table(f, core);
    fprintf(f, "\n");
    parameter_list(f, core);
    fprintf(f, "\n// No network in particular.\nlocalparam [31:0] LOAD_WRITES = 32'd0;\nlocalparam [255:0] LAYOUT_HASH "
               "= 256'd0;\n");
    return tern_file_commit(&file, diags);
}
