/* tern_emit_host.c : tern-host.h, NAME_host.h, NAME.rdl: the host port for those who write drivers
 * SPDX-License-Identifier: Apache-2.0
 *
 * No network can be called tern-host, so the first file is nobody else's. All names and numbers come from
 * tern_hostport.h. tern-host.h is the same for every network; NAME_host.h and NAME.rdl have the sizes of this one.
 */
#include "tern_emit.h"
#include "tern_emit_common.h"
#include <inttypes.h>
#include <string.h>
#include "tern/image.h"
#include "tern_capacity.h"
#include "tern_cores.h"
#include "tern_plan.h"

typedef struct entry {
    const char *name;
    uint32_t number;
    const char *access, *text;
} entry;
typedef struct bits {
    const char *reg, *name;
    unsigned low, n;
    const char *text;
} bits;

#define XX(name, number, memory, word) { #name, number, "", memory },
static const entry regions[] = { TERN_HOST_REGION_MAP(XX) };
#undef XX
#define XX(name, number, access, rtl, text) { #name, number, access, text },
static const entry registers[] = { TERN_HOST_REGISTER_MAP(XX) };
#undef XX
#define XX(name, number, access, text) { #name, number, access, text },
static const entry bus[] = { TERN_BUS_REGISTER_MAP(XX) }, stream[] = { TERN_STREAM_REGISTER_MAP(XX) };
#undef XX
#define XX(reg, name, low, n, text) { #reg, #name, low, n, text },
static const bits register_bits[] = { TERN_HOST_FIELD_MAP(XX) }, bus_bits[] = { TERN_BUS_FIELD_MAP(XX) },
                  stream_bits[] = { TERN_STREAM_FIELD_MAP(XX) };
#undef XX
#define N(list) (sizeof(list) / sizeof((list)[0]))

/* ---- tern-host.h
 * -------------------------------------------------------------------------------------------------------- */

static void entries(FILE *f, const char *prefix, const entry *list, size_t n, const bits *fields, size_t n_fields)
{
    for (size_t i = 0; i < n; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", prefix, list[i].name);
        fprintf(f, "#define %-26s UINT32_C(%" PRIu32 ") /* %.60s */\n", name, list[i].number,
                list[i].access[0] != 0 ? list[i].access : list[i].text);
        for (size_t k = 0; k < n_fields; ++k) {
            if (strcmp(fields[k].reg, list[i].name) != 0) continue;
            const uint32_t mask = (fields[k].n < 32 ? (1u << fields[k].n) - 1u : UINT32_MAX) << fields[k].low;
            snprintf(name, sizeof name, "%s_%s_%s", prefix, fields[k].reg, fields[k].name);
            fprintf(f, "#define   %-28s UINT32_C(0x%08" PRIx32 ") /* %.60s */\n", name, mask, fields[k].text);
        }
    }
}

static const char host_functions[] =
    "\n/* One access at a time: not to be shared by an interrupt and a main program without care. */\n"
    "typedef struct tern_host {\n"
    "    volatile uint32_t *bus; /* where the slave (tern_axi4lite, tern_wishbone) stands */\n"
    "    uint32_t window;        /* what its register WINDOW holds */\n"
    "} tern_host;\n\n"
    "typedef struct tern_host_write_pair { uint32_t address, data; } tern_host_write_pair; /* a line of "
    "NAME_load.hex */\n\n"
    "static inline void tern_host_open(tern_host *h, volatile void *bus)\n{\n"
    "    h->bus = (volatile uint32_t *)bus;\n    h->bus[TERN_BUS_WINDOW] = 0;\n    h->window = 0;\n}\n\n"
    "/* Where a word of the host port stands on the bus, in words; the window is moved if it has to be. */\n"
    "static inline uint32_t tern_host_place(tern_host *h, uint32_t address)\n{\n"
    "    const uint32_t page = address & ~(TERN_BUS_WORDS - UINT32_C(1));\n"
    "    if (address < UINT32_C(128)) return TERN_BUS_CORE / UINT32_C(4) + address;\n"
    "    if (page != h->window) {\n        h->bus[TERN_BUS_WINDOW] = page;\n        h->window = page;\n    }\n"
    "    return TERN_BUS_MEMORY / UINT32_C(4) + (address - page);\n}\n\n"
    "static inline void tern_host_write(tern_host *h, uint32_t address, uint32_t data)\n{\n"
    "    const uint32_t at = tern_host_place(h, address);\n    h->bus[at] = data;\n}\n\n"
    "static inline uint32_t tern_host_read(tern_host *h, uint32_t address)\n{\n"
    "    const uint32_t at = tern_host_place(h, address);\n    return h->bus[at];\n}\n\n"
    "/* Address of a slice of 32 bits of a word of a memory whose words have so many bits. */\n"
    "static inline uint32_t tern_host_word(uint32_t region, uint32_t word, unsigned bits, uint32_t slice)\n{\n"
    "    unsigned shift = 0;\n    while ((32u << shift) < bits) ++shift;\n"
    "    return region << 24 | word << shift | slice;\n}\n\n"
    "static inline void tern_host_load(tern_host *h, const tern_host_write_pair *list, uint32_t n)\n{\n"
    "    for (uint32_t i = 0; i < n; ++i) tern_host_write(h, list[i].address, list[i].data);\n}\n\n"
    "/* Waits until the core is idle, without stalling the bus. */\n"
    "static inline void tern_host_wait(const tern_host *h)\n{\n"
    "    while ((h->bus[TERN_BUS_STATUS] & TERN_BUS_STATUS_BUSY) != 0) { }\n}\n\n"
    "/* Register CONTROL, and waits: TERN_REG_CONTROL_START | TERN_REG_CONTROL_LEARN | TERN_REG_CONTROL_CLAMP, ... "
    "*/\n"
    "static inline void tern_host_command(tern_host *h, uint32_t flags)\n{\n"
    "    tern_host_wait(h);\n    tern_host_write(h, TERN_REG_CONTROL, flags);\n    tern_host_wait(h);\n}\n";

static void write_common(FILE *f, const tern_model *m, const tern_plan *plan, const char *hash)
{
    (void)m, (void)plan, (void)hash;
    fprintf(f,
            "/* tern-host.h : host port and bridges of Tern's cores: names and numbers, and access over a bus\n *\n"
            " * GENERATED FILE - do not edit.\n *   Generator:  tern %s\n *   Refresh:    tern compile NET.lua -o "
            "DIR\n *\n"
            " * The same for every network. Freestanding. Numbers of TERN_RG_ are regions, of TERN_REG_ words of "
            "region 0,\n"
            " * of TERN_BUS_ words of the slave itself, of TERN_STREAM_ words of region 0x80; those with bits in "
            "hexadecimal are masks.\n */\n",
            tern__emit_version);
    fprintf(f, "#ifndef TERN_HOST_H\n#define TERN_HOST_H\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" "
               "{\n#endif\n\n/* regions */\n");
    entries(f, "TERN_RG", regions, N(regions), NULL, 0);
    fprintf(
        f,
        "#define TERN_RG_STREAM             UINT32_C(0x80) /* registers of tern_axis */\n"
        "#define TERN_RG_STREAM_MAP         UINT32_C(0x81) /* its map of groups */\n\n/* registers of the core */\n");
    entries(f, "TERN_REG", registers, N(registers), register_bits, N(register_bits));
    fprintf(f, "\n/* registers of the slaves */\n");
    entries(f, "TERN_BUS", bus, N(bus), bus_bits, N(bus_bits));
    fprintf(f, "#define TERN_BUS_CORE              UINT32_C(0x%04x) /* byte offset of the core's registers */\n",
            TERN_BUS_CORE);
    fprintf(f, "#define TERN_BUS_MEMORY            UINT32_C(0x%04x) /* byte offset of the window */\n",
            TERN_BUS_MEMORY);
    fprintf(f, "#define TERN_BUS_WORDS             UINT32_C(%u) /* of the window */\n", TERN_BUS_WORDS);
    fprintf(f, "\n/* registers of tern_axis */\n");
    entries(f, "TERN_STREAM", stream, N(stream), stream_bits, N(stream_bits));
    fputs(host_functions, f);
    fprintf(f, "\n#ifdef __cplusplus\n}\n#endif\n#endif /* TERN_HOST_H */\n");
}

/* ---- NAME_host.h
 * ---------------------------------------------------------------------------------------------------------- */

/* Groups of positions that have a word, in the order of their words, which is their own. */
static void groups(FILE *f, const char *prefix, const char *what, const uint32_t *word_of, uint32_t n_groups,
                   uint32_t n_words)
{
    uint32_t n = 0;
    fprintf(f,
            "/* Word w of region %s holds positions LANES g .., g = list[w]. */\nstatic const uint16_t %s_%s[%" PRIu32
            "] = {",
            what, prefix, what, n_words != 0 ? n_words : 1);
    for (uint32_t g = 0; g < n_groups; ++g)
        if (word_of[g] < n_words) fprintf(f, "%s%" PRIu32 ",", n++ % 16 == 0 ? "\n    " : " ", g);
    fprintf(f, "%s\n};\n", n == 0 ? "\n    0" : "");
}

static void write_network(FILE *f, const tern_model *m, const tern_plan *plan, const char *hash)
{
    char n[TERN__EMIT_PREFIX_BYTES], up[TERN__EMIT_PREFIX_BYTES];
    tern__emit_prefix(m, n, up);
    fprintf(f, "/* %s_host.h : the network '%s' in its core, for a driver\n *\n", m->name, m->name);
    tern__emit_header(f, " * ", m, hash);
    fprintf(f,
            " *\n *     tern_host h;\n *     tern_host_open(&h, (void *)BASE);        a tern_axi4lite or "
            "tern_wishbone stands there\n"
            " *     tern_host_load(&h, writes, n);           the lines of %s_load.hex\n"
            " *     tern_host_command(&h, TERN_REG_CONTROL_CLEAR);\n"
            " *     for each step: %s_inputs(&h, bits); tern_host_command(&h, TERN_REG_CONTROL_START);\n"
            " *                    ... %s_spike(&h, neuron, sample)\n */\n",
            m->name, n, n);
    fprintf(f,
            "#ifndef %s_HOST_H\n#define %s_HOST_H\n#include \"tern-host.h\"\n#ifdef __cplusplus\nextern \"C\" "
            "{\n#endif\n\n/* the core's capacities */\n",
            up, up);
#define XX(name, field, help) \
    fprintf(f, "#define %s_HOST_%-10s UINT32_C(%" PRIu32 ") /* %s */\n", up, #name, plan->need.field, help);
    TERN_CAPACITY_MAP(XX)
#undef XX
    fprintf(f, "#define %s_HOST_LAYOUT     UINT32_C(0x%.8s) /* register LAYOUT of the loaded core */\n", up, hash);
    fprintf(f, "#define %s_HOST_K          UINT32_C(%" PRIu32 ") /* samples of the loaded network */\n", up,
            plan->n_samples);
    fprintf(f, "\n/* populations: first position of inputs, first neuron of others, units */\n");
    for (uint32_t p = 0; p < m->n_populations; ++p) {
        const tern_population *q = &m->populations[p];
        const bool in = q->kind == TERN_POP_INPUT;
        fprintf(f, "#define %s_HOST_%s_%s UINT32_C(%" PRIu32 ")\n#define %s_HOST_%s_size UINT32_C(%" PRIu32 ")\n", up,
                q->name, in ? "pos" : "neuron0", in ? q->pos : q->neuron0, up, q->name, q->size);
    }
    fprintf(f, "\n");
    groups(f, n, "FRAME", plan->input_group, plan->net->n_inputs_pos >> plan->lane_shift, plan->input_groups);
    groups(f, n, "TARGET", plan->neuron_group, plan->net->n_neurons_pos >> plan->lane_shift, plan->need.targets);
    fprintf(f,
            "\nstatic inline void %s_bits(tern_host *h, uint32_t region, const uint16_t *list, uint32_t n, const "
            "uint32_t *bits)\n{\n"
            "    const uint32_t lanes = %s_HOST_LANES, mask = lanes < 32 ? (UINT32_C(1) << lanes) - 1 : UINT32_MAX;\n"
            "    for (uint32_t w = 0; w < n; ++w) {\n        const uint32_t at = list[w] * lanes;\n"
            "        tern_host_write(h, tern_host_word(region, w, %s_HOST_LANES, 0), bits[at / 32] >> (at %% 32) & "
            "mask);\n    }\n}\n\n",
            n, up, up);
    fprintf(f,
            "/* Input spikes of the next step: bit pos %% 32 of word pos / 32, %" PRIu32 " words. */\n"
            "static inline void %s_inputs(tern_host *h, const uint32_t *bits)\n{\n    %s_bits(h, TERN_RG_FRAME, "
            "%s_FRAME, UINT32_C(%" PRIu32 "), bits);\n}\n",
            plan->net->n_inputs_pos / 32, n, n, n, plan->input_groups);
    fprintf(f,
            "/* Targets of visible neurons, kept until written again: positions of neurons, %" PRIu32 " words. */\n"
            "static inline void %s_targets(tern_host *h, const uint32_t *bits)\n{\n    %s_bits(h, TERN_RG_TARGET, "
            "%s_TARGET, UINT32_C(%" PRIu32 "), bits);\n}\n",
            plan->net->n_neurons_pos / 32, n, n, n, plan->need.targets);
    fprintf(f,
            "/* Did a neuron fire in the last step? */\n"
            "static inline uint32_t %s_spike(tern_host *h, uint32_t neuron, uint32_t sample)\n{\n"
            "    return tern_host_read(h, tern_host_word(TERN_RG_SPIKE, neuron * %s_HOST_K + sample, 1, 0)) & 1;\n}\n",
            n, up);
    fprintf(f, "\n#ifdef __cplusplus\n}\n#endif\n#endif /* %s_HOST_H */\n", up);
}

/* ---- NAME.rdl
 * --------------------------------------------------------------------------------------------------------------- */

/* What a register of capacities reads, as tern_plan_capacity() takes it apart. */
static bool constant(const char *name, const tern_capacity *c, uint32_t *out)
{
    uint32_t value = UINT32_MAX;
    if (strcmp(name, "ID") == 0) value = 0x5445524e;
    if (strcmp(name, "VERSION") == 0) value = tern_core_of(c)->port_version;
    if (strcmp(name, "CAP_WIDTHS") == 0) value = c->kernel_w << 24 | c->delta_w << 16 | c->acc_w << 8 | c->x_w;
    if (strcmp(name, "CAP_DITHER") == 0) value = c->index_w << 16 | c->dither_min << 8 | c->dither_max;
#define XX(upper, field, help) \
    if (strcmp(name, "CAP_" #upper) == 0) value = c->field;
    TERN_CAPACITY_MAP(XX)
#undef XX
    *out = value;
    return value != UINT32_MAX;
}

static void rdl_fields(FILE *f, const entry *r, const bits *fields, size_t n_fields, bool once, const char *reset)
{
    const char *hw = strcmp(r->access, "r") == 0 ? "w" : strcmp(r->access, "w") == 0 ? "r" : "rw";
    size_t n = 0;
    for (size_t k = 0; k < n_fields; ++k) {
        if (strcmp(fields[k].reg, r->name) != 0) continue;
        ++n;
        fprintf(f, "      field { desc = \"%s\"; sw = %s; hw = %s;%s } %s[%u:%u]%s;\n", fields[k].text, r->access, hw,
                once ? " woclr;" : "", fields[k].name, fields[k].low + fields[k].n - 1, fields[k].low,
                reset[0] != 0 && fields[k].n == 1 ? reset : "");
    }
    if (n == 0) fprintf(f, "      field { sw = %s; hw = %s; } DATA[31:0]%s;\n", r->access, hw, reset);
}

static void rdl_register(FILE *f, const entry *r, uint32_t at, const bits *fields, size_t n_fields, const char *prefix,
                         const char *reset)
{
    fprintf(f, "    reg {\n      desc = \"%s\";\n", r->text);
    rdl_fields(f, r, fields, n_fields, strcmp(r->name, "IRQ_STATUS") == 0, reset);
    fprintf(f, "    } %s%s @0x%04" PRIx32 ";\n", prefix, r->name, at);
}

static void write_rdl(FILE *f, const tern_model *m, const tern_plan *plan, const char *hash)
{
    const char *n = m->name;
    fprintf(f,
            "// %s.rdl : SystemRDL 2.0 of the 64 KiB of a slave (tern_axi4lite, tern_wishbone) before the core of "
            "the network '%s'\n//\n",
            n, n);
    tern__emit_header(f, "// ", m, hash);
    fprintf(f,
            "addrmap %s_bus {\n    name = \"core of the network %s\";\n    default regwidth = 32;\n    default "
            "accesswidth = 32;\n\n    // of the slave\n",
            n, n);
    for (size_t i = 0; i < N(bus); ++i)
        rdl_register(f, &bus[i], 4 * bus[i].number, bus_bits, N(bus_bits), "BUS_",
                     strcmp(bus[i].access, "rw") == 0 ? " = 0" : "");
    fprintf(f, "\n    // of the core\n");
    for (size_t i = 0; i < N(registers); ++i) {
        uint32_t value;
        char reset[24] = "";
        bool parts = false;
        for (size_t k = 0; k < N(register_bits); ++k)
            parts = parts || strcmp(register_bits[k].reg, registers[i].name) == 0;
        if (constant(registers[i].name, &plan->need, &value) && !parts)
            snprintf(reset, sizeof reset, " = 0x%08" PRIx32, value);
        rdl_register(f, &registers[i], TERN_BUS_CORE + 4 * registers[i].number, register_bits, N(register_bits), "",
                     reset);
    }
    fprintf(f,
            "\n    external mem {\n      desc = \"words of the host port's address in WINDOW and the %u behind "
            "it\";\n      mementries = %u;\n      memwidth = 32;\n      sw = rw;\n"
            "    } MEMORY @0x%04x;\n};\n",
            TERN_BUS_WORDS - 1, TERN_BUS_WORDS, TERN_BUS_MEMORY);
}

/* ---- all of them
 * --------------------------------------------------------------------------------------------------------------- */

tern_status tern_emit_host(const tern_model *model, const tern_plan *plan, const char *dir, tern_diags *diags)
{
    static void (*const parts[])(FILE *, const tern_model *, const tern_plan *,
                                 const char *) = { write_common, write_network, write_rdl, tern__emit_litex };
    static const char *const extensions[] = { NULL, "_host.h", ".rdl", "_litex.py" };
    char hash[65], path[1024];
    tern_status s = tern_layout_hash(model, hash);
    for (size_t i = 0; i < 4 && s == TERN_OK; ++i) {
        tern_file_writer file;
        if (extensions[i] != NULL) s = tern__emit_begin(&file, model, dir, extensions[i], diags);
        else {
            const int n = snprintf(path, sizeof path, "%s/tern-host.h", dir);
            s = n < 0 || (size_t)n >= sizeof path ? TERN_ERR_ARGUMENT : tern_file_begin(&file, path, diags);
        }
        if (s != TERN_OK) break;
        parts[i](file.f, model, plan, hash);
        s = tern_file_commit(&file, diags);
    }
    return s;
}
