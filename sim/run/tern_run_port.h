/* tern_run_port.h : a board by the name of its port: opening the line, finding the rate, telling what is wrong
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_RUN_PORT_H
#define TERN_RUN_PORT_H
#include "tern/diag.h"
#include "tern_args.h"
#include "tern_link_transport.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Options of every verb that uses a board; o has the members `const char *device` and `uint64_t baud`. */
#define TERN_CLI_DEVICE_ARGS(o) \
    { .name = "--device", \
      .kind = TERN_ARG_STRING, \
      .value = "PORT", \
      .what = TERN_WHAT_PORT, \
      .out = &(o)->device, \
      .help = "the board's serial port, or the terminal of `tern board`" }, \
    { \
        .name = "--baud", .kind = TERN_ARG_UINT, .value = "B", .lo = 300, .hi = 4000000, .out = &(o)->baud, \
        .help = "bits per second of the board (default: tries all)" \
    }
/* Do --engine and --device go together? -1: yes; else wrong usage is reported, code 110. */
int tern_device_usage(const tern_args *args, const char *engine, const char *device, uint64_t baud);

/* Codes of docs/60-errors.md, section 8xx. */
enum {
    TERN_E_PORT = 801,
    TERN_E_SILENT = 802,
    TERN_E_LOOPED = 803,
    TERN_E_FOREIGN = 804,
    TERN_E_BROKEN = 806,
    TERN_E_ASTRAY = 807,
    TERN_E_BATCH = 808,
    TERN_E_DAMAGED = 809,
    TERN_E_TAKEN = 815
};

typedef struct tern_port {
    const char *name; /* as it was given */
    tern_link_line line;
    tern_link link;
    uint32_t baud; /* at which the board answered; 0: the line has no rate (an emulated board) */
} tern_port;

/* Opens a serial port, or the terminal of an emulated board (`tern board`). Nothing is sent. Code 801. Must not be
 * moved or copied while it is open. */
tern_status tern_port_open(tern_port *p, const char *name, tern_diags *diags);
/* Finds the board: at `baud`, or (0) at the rates of tern_link_bauds. Begins a session; a core that is still busy, from
 * a host that was cut off, is reset. Codes 802..804, 806. */
tern_status tern_port_connect(tern_port *p, uint32_t baud, tern_diags *diags);
/* What a failed call of the link means, as code 802..804, 806, 809 or 815. Always TERN_ERR_IO. */
tern_status tern_port_fault(const tern_port *p, tern_link_result r, tern_diags *diags);
void tern_port_close(tern_port *p);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RUN_PORT_H */
