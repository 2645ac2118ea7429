/* tern_run_port.c : see tern_run_port.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include "tern_run_port.h"
#include "tern_errors.h"
#include "tern_hostport.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert((int)TERN_HOST_VERSION == TERN_LINK_CORE_VERSION &&
                   (int)TERN_HOST_VERSION_SMALL == TERN_LINK_SMALL_VERSION,
               "the map of the host port and the link have the same versions");

enum { PATH_BYTES = 256, FIRST_BAUD = 115200, STATUS = 3, BUSY = 1, TIMEOUT_MOST = 10000000 };

int tern_device_usage(const tern_args *args, const char *engine, const char *device, uint64_t baud)
{
    const bool wanted = strcmp(engine, "device") == 0;
    if (wanted && device == NULL)
        return tern_args_wrong(
            args, TERN_ERROR_USAGE,
            "--device PORT is missing: which board? `tern link` lists ports, `tern board NET.lua` emulates a board");
    if (!wanted && device != NULL)
        return tern_args_wrong(args, TERN_ERROR_USAGE,
                               "--device has no effect with --engine %s: use --engine device, or `tern run`", engine);
    if (!wanted && baud != 0)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--baud has no effect without --engine device");
    return -1;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

typedef struct names {
    char text[200];
} names;

static void add_name(void *ud, const char *name, const char *description)
{
    names *n = ud;
    const size_t at = strlen(n->text);
    (void)description;
    snprintf(n->text + at, sizeof n->text - at, "%s%s", at > 0 ? ", " : "", name);
}

static tern_status no_port(const char *name, tern_diags *diags)
{
    names n = { "" };
    tern_diag *d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_PORT, name, 0, "--device", "there is no such port");
    const int found = tern_link_serial_list(add_name, &n);
    if (found > 0) tern_diag_hint(d, "ports of this computer: %s", n.text);
    else if (found == 0)
        tern_diag_hint(d, "there is no serial port: is the board plugged in? `tern board NET.lua` emulates one");
    else
        tern_diag_hint(d, "is the board plugged in? `ls /dev/tty*` shows ports; `tern board NET.lua` emulates a board");
    return TERN_ERR_IO;
}

static tern_status refused(const char *name, tern_diags *diags)
{
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_PORT, name, 0, "--device", "no permission to open the port"),
        "serial ports belong to the group dialout: sudo usermod -aG dialout %s, then log in again",
        getenv("USER") != NULL ? getenv("USER") : "$USER");
    return TERN_ERR_IO;
}

/* The whole name of a port: ttyUSB1 is /dev/ttyUSB1, links are followed. False: not there. */
static bool resolve(const char *name, char path[PATH_BYTES])
{
    char with_dev[PATH_BYTES], *real = NULL;
    if (strchr(name, '/') == NULL && snprintf(with_dev, sizeof with_dev, "/dev/%s", name) < PATH_BYTES)
        real = realpath(with_dev, NULL);
    if (real == NULL) real = realpath(name, NULL);
    const bool fits = real != NULL && strlen(real) < PATH_BYTES;
    if (fits) memcpy(path, real, strlen(real) + 1);
    free(real);
    return fits;
}

tern_status tern_port_open(tern_port *p, const char *name, tern_diags *diags)
{
    char path[PATH_BYTES], why[200];
    struct stat info;
    memset(p, 0, sizeof *p);
    p->name = name;
    p->line.fd = -1;
    if (!resolve(name, path) || stat(path, &info) != 0)
        return errno == EACCES ? refused(name, diags) : no_port(name, diags);
    if (!S_ISCHR(info.st_mode)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_PORT, name, 0, "--device", "this is %s, no port",
                                      S_ISDIR(info.st_mode) ? "a folder" : "a file"),
                       "give a serial port, such as /dev/ttyUSB1");
        return TERN_ERR_IO;
    }
    if (access(path, R_OK | W_OK) != 0) return errno == EACCES ? refused(name, diags) : no_port(name, diags);
    const bool pty = strncmp(path, "/dev/pts/", 9) == 0; /* of an emulated board: it has no rate */
    const int r = pty ? tern_link_line_path(&p->line, path, why, sizeof why)
                      : tern_link_line_serial(&p->line, path, FIRST_BAUD, why, sizeof why);
    if (r == 0) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_PORT, name, 0, "--device", "%s", why), "%s",
                   r == TERN_LINK_IN_USE             ? "wait until it ends: a board is for one program at a time"
                   : !pty && !tern_link_has_serial() ? "install libserialport-dev and build Tern again"
                                                     : "is it a serial port, and does no other program use it?");
    return TERN_ERR_IO;
}

void tern_port_close(tern_port *p) { tern_link_line_close(&p->line); }

/* ---- connecting -------------------------------------------------------------------------------------------------- */

static tern_status silent(const tern_port *p, uint32_t baud, tern_diags *diags)
{
    tern_diag *d;
    if (p->line.io.set_baud == NULL) {
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_SILENT, p->name, 0, "--device", "the board does not answer");
        tern_diag_hint(d, "is this the terminal of a `tern board` that still runs?");
    } else if (baud != 0) {
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_SILENT, p->name, 0, "--baud",
                           "the board does not answer at %u bits per second", (unsigned)baud);
        tern_diag_hint(d, "omit --baud to try all rates; docs/90-recipes.md, \"The board does not answer\"");
    } else {
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_SILENT, p->name, 0, "--device",
                           "the board does not answer, at none of the rates from 115200 to 3000000 bits per second");
        tern_diag_hint(d, "is it configured, are rx and tx crossed, is this the right one of its ports? "
                          "docs/90-recipes.md, \"The board does not answer\"");
    }
    return TERN_ERR_IO;
}

tern_status tern_port_fault(const tern_port *p, tern_link_result r, tern_diags *diags)
{
    const char *text = tern_link_result_text(r);
    tern_diag *d;
    switch (r) {
    case TERN_LINK_R_LOOPED:
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_LOOPED, p->name, 0, "--device", "%s", text);
        tern_diag_hint(d, "connect tx of the adapter to rx of the board, and rx to tx");
        break;
    case TERN_LINK_R_VERSION:
    case TERN_LINK_R_FOREIGN:
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_FOREIGN, p->name, 0, "--device", "%s", text);
        if (r == TERN_LINK_R_FOREIGN)
            tern_diag_hint(d,
                           "found: ID 0x%08x, version %u; wanted: 0x5445524e, %u; configure the board again, with a "
                           "bitstream of this Tern",
                           (unsigned)p->link.registers[0], (unsigned)p->link.registers[1],
                           (unsigned)tern_link_version(p->link.registers[TERN_LINK_REG_SMALL]));
        else
            tern_diag_hint(
                d, "this Tern speaks version %u (docs/36-link.md): configure the board with a core of this version",
                (unsigned)TERN_LINK_PROTOCOL);
        break;
    case TERN_LINK_R_DAMAGED:
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_DAMAGED, p->name, 0, "--device", "%s", text);
        tern_diag_hint(d, "a fault of the board itself: what the line damages is found and sent again");
        break;
    case TERN_LINK_R_TAKEN:
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_TAKEN, p->name, 0, "--device", "%s", text);
        tern_diag_hint(
            d, "use the board from one program at a time; with --resume a training continues from what was saved");
        break;
    default:
        d = tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_BROKEN, p->name, 0, "--device", "%s", text);
        tern_diag_hint(
            d, "check plug and power, then start again; with --resume a training continues from what was saved");
    }
    return TERN_ERR_IO;
}

/* An emulated board is as slow as its simulation and its computer: the time of one short frame and its answer (32
 * bytes) tells how long full buffers take. Half a second at least, for a computer that becomes busy. */
static void measure(tern_port *p, uint32_t round_us)
{
    tern_link_config *c = &p->link.config;
    const uint64_t timeout = (uint64_t)round_us * p->link.buffer_bytes * 4 / 32;
    c->timeout_us = timeout < c->timeout_us ? c->timeout_us : timeout > TIMEOUT_MOST ? TIMEOUT_MOST : (uint32_t)timeout;
    if (c->give_up_us < 8 * c->timeout_us) c->give_up_us = 8 * c->timeout_us;
}

tern_status tern_port_connect(tern_port *p, uint32_t baud, tern_diags *diags)
{
    tern_link_config config;
    const bool serial = p->line.io.set_baud != NULL;
    const uint32_t one[2] = { baud, 0 };
    tern_link_config_default(&config, serial ? FIRST_BAUD : 3000000);
    config.nonce = (uint8_t)((unsigned)time(NULL) ^ (unsigned)getpid() * 29u);
    if (!serial) { /* until it is measured */
        config.timeout_us = 500000;
        config.give_up_us = 10000000;
        config.stall_us = 300000000;
    }
    tern_link_result r = tern_link_init(&p->link, &p->line.io, &config);
    if (r == TERN_LINK_R_OK && serial) r = tern_link_scan(&p->link, baud != 0 ? one : NULL, &p->baud);
    if (r == TERN_LINK_R_OK) r = tern_link_open(&p->link);
    uint32_t status = 0;
    const uint32_t before = p->line.io.clock_us(p->line.io.ud);
    if (r == TERN_LINK_R_OK) r = tern_link_get(&p->link, STATUS, &status, 1);
    if (r == TERN_LINK_R_OK && !serial) measure(p, p->line.io.clock_us(p->line.io.ud) - before);
    if (r == TERN_LINK_R_OK && (status & BUSY)) r = tern_link_reset(&p->link);
    if (r == TERN_LINK_R_OK && (status & BUSY)) r = tern_link_open(&p->link);
    if (r == TERN_LINK_R_OK) return TERN_OK;
    return r == TERN_LINK_R_SILENT ? silent(p, baud, diags) : tern_port_fault(p, r, diags);
}
