/* tern_cli_link.c : tern link: which ports there are, where a board answers, and how good the line is
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>
#include "tern_cli.h"
#include "tern_cores.h"
#include "tern_run_port.h"
#include "tern_verbs.h"
#include "tern_capacity.h"
#include "tern_plan.h"

typedef struct options {
    const char *port;
    uint64_t baud, words;
    bool json;
} options;

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .words = 20000 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "PORT", .kind = TERN_ARG_STRING, .what = TERN_WHAT_PORT, .out = &o->port,
          .help = "serial port, or the terminal of `tern board`;\n"
                  "without it: lists the serial ports of this computer" },
        { .name = "--baud", .kind = TERN_ARG_UINT, .value = "B", .lo = 300, .hi = 4000000, .out = &o->baud,
          .help = "bits per second (default: tries all rates)" },
        { .name = "--words", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000000, .out = &o->words,
          .help = "words to send there and back; default 20000" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the results as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "link",
                             .purpose = "Finds a board on a serial port, shows the capacities of its core, and tests "
                                        "the line: words go to the board's buffers and back.",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = "The core is not touched, but a session that another host has on the board "
                                         "ends. Without PORT, ports are listed and none is opened." };
    return tern_args_parse(&args, argc, argv);
}

/* ---- ports ------------------------------------------------------------------------------------------------------- */

static void print_port(void *ud, const char *name, const char *description)
{
    if (ud == NULL) printf("%-20s %s\n", name, description);
    else tern_json_add(ud, tern_json_pack("{s:s, s:s}", "port", name, "description", description));
}

static int list_ports(bool json)
{
    json_t *list = json ? tern_json_list() : NULL;
    const int n = tern_link_serial_list(print_port, list);
    if (n == -2) {
        fputs("error TERN-E0801: the serial ports cannot be listed\n", stderr);
        json_decref(list);
        return TERN_EXIT_FOUND;
    }
    if (n < 0) {
        fputs("error TERN-E0801: Tern was built without libserialport, so serial ports are not known\n  hint: install "
              "libserialport-dev and build Tern again; emulated boards work without\n",
              stderr);
        json_decref(list);
        return TERN_EXIT_FOUND;
    }
    if (json)
        return tern_cli_print_json(tern_json_pack("{s:o}", "ports", list), stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    if (n == 0) puts("no serial port; is the board plugged in? `tern board NET.lua` emulates one");
    return TERN_EXIT_DONE;
}

/* ---- a board ----------------------------------------------------------------------------------------------------- */

static json_t *capacities_json(const tern_capacity *c)
{
    json_t *o = tern_json_object();
#define XX(name, field, help) tern_json_put(o, #name, json_integer(c->field));
    TERN_CAPACITY_MAP(XX)
#undef XX
    return o;
}

static bool print_json(const options *o, const tern_port *p, const tern_capacity *core, const tern_link_test *t)
{
    char layout[9];
    snprintf(layout, sizeof layout, "%08" PRIx32, p->link.registers[TERN_LINK_REG_LAYOUT]);
    return tern_cli_print_json(
        tern_json_pack(
            "{s:s, s:o, s:I, s:I, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "port", o->port, "baud",
            p->baud != 0 ? json_integer(p->baud) : json_null(), "protocol", (json_int_t)TERN_LINK_PROTOCOL,
            "buffer_bytes", (json_int_t)p->link.buffer_bytes, "layout", layout, "core", capacities_json(core), "words",
            (json_int_t)t->words, "wrong", (json_int_t)t->wrong, "repeats", (json_int_t)t->repeats, "bad_requests",
            (json_int_t)t->bad_requests, "bad_replies", (json_int_t)t->bad_replies, "timeouts", (json_int_t)t->timeouts,
            "round_us", (json_int_t)t->round_us, "bytes_per_second", (json_int_t)t->bytes_per_s),
        stdout);
}

static void print_text(const options *o, const tern_port *p, const tern_capacity *c, const tern_link_test *t)
{
    printf("board        at %s", o->port);
    if (p->baud != 0) printf(", %" PRIu32 " bits per second", p->baud);
    printf("; protocol %u, buffers of %" PRIu32 " bytes\n", (unsigned)TERN_LINK_PROTOCOL, p->link.buffer_bytes);
    printf("core         %s%" PRIu32 " lanes, %" PRIu32 " neurons, %" PRIu32 " samples, %" PRIu32
           " weight words of %" PRIu32 " x %" PRIu32 " bits, %s; layout register %08" PRIx32 "\n",
           tern_core_of(c)->short_prefix, c->lanes, c->neurons, c->samples, c->words, c->lanes, c->weight_w,
           c->signals != 0 ? "every rule" : "rule GEM only", p->link.registers[TERN_LINK_REG_LAYOUT]);
    printf("line         %" PRIu32 " words there and back, %" PRIu32 " wrong; %" PRIu32 " frames sent again, %" PRIu32
           " came damaged to the board and %" PRIu32 " to the host\n",
           t->words, t->wrong, t->repeats, t->bad_requests, t->bad_replies);
    printf("speed        %" PRIu32 " bytes per second in each direction, %" PRIu32 " us for one word there and back\n",
           t->bytes_per_s, t->round_us);
    if (t->repeats + t->bad_requests + t->bad_replies > 0)
        puts("the line loses or damages bytes: everything is repaired, but it costs time. A shorter cable, a common "
             "ground or a lower rate helps.");
}

int tern_verb_link(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    if (o.port == NULL) return list_ports(o.json);
    tern_port p;
    tern_diags diags;
    tern_capacity core;
    tern_link_test test;
    tern_diags_init(&diags);
    tern_status s = tern_port_open(&p, o.port, &diags);
    if (s == TERN_OK) s = tern_port_connect(&p, (uint32_t)o.baud, &diags);
    tern_link_result r = TERN_LINK_R_OK;
    if (s == TERN_OK) r = tern_link_self_test(&p.link, (uint32_t)o.words, 1, &test);
    if (r != TERN_LINK_R_OK) s = tern_port_fault(&p, r, &diags);
    if (s == TERN_OK) {
        tern_plan_capacity(p.link.registers, &core);
        if (!o.json) print_text(&o, &p, &core, &test);
        else if (!print_json(&o, &p, &core, &test)) s = TERN_ERR_MEMORY;
    }
    tern_port_close(&p);
    return s == TERN_OK ? TERN_EXIT_DONE : tern_cli_failed(s, &diags, "tern link");
}
