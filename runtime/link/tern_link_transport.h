/* tern_link_transport.h : lines for the link on a POSIX computer: file descriptors, pseudo-terminals, serial ports
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_link_line line;
 *     if (tern_link_line_serial(&line, "ttyUSB1", 3000000, text, sizeof text) == 0) { tern_link_init(&link, &line.io,
 *     &config); ... tern_link_line_close(&line); }
 *
 * Every function that opens gives 0, or -1 and tells in text (n bytes; may be NULL) what could not be done, on what,
 * and why. A line must not be moved or copied while it is used.
 * Terminals and serial ports that are opened by name are locked (flock) until they are closed: a second program that
 * opens one in this way gets TERN_LINK_IN_USE instead of -1.
 */
#ifndef TERN_LINK_TRANSPORT_H
#define TERN_LINK_TRANSPORT_H
#include "tern_link.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_LINK_IN_USE = -2 };

typedef struct tern_link_line {
    tern_link_io io; /* for tern_link_init(); set_baud is NULL unless it is a serial port */
    int fd;          /* -1: closed */
    bool owned, gone;
    void *port; /* of libserialport */
} tern_link_line;

/* An open file descriptor that reads and writes; it is set to non-blocking, and stays the caller's. */
int tern_link_line_fd(tern_link_line *line, int fd, char *text, size_t n);
/* A terminal or pseudo-terminal by its path, in raw mode; its rate stays as it is. */
int tern_link_line_path(tern_link_line *line, const char *path, char *text, size_t n);
/* A new pseudo-terminal, for an emulated board: this is the board's end, path (n_path bytes, 64 are enough) the name of
 * the host's. The host's end may be closed and opened again. */
int tern_link_line_pty(tern_link_line *line, char *path, size_t n_path, char *text, size_t n);
/* A serial port, 8N1 without flow control: a name as the system has it, ttyUSB1 or the whole path. Needs libserialport:
 * tern_link_has_serial(). On Linux the driver is asked to pass bytes on at once (low latency), where it can; without
 * that some USB adapters hold them for 16 ms. */
int tern_link_line_serial(tern_link_line *line, const char *port, uint32_t baud, char *text, size_t n);
/* Is there libserialport? */
bool tern_link_has_serial(void);
/* Calls found(ud, name, description) for each serial port of the system; their number, -1: no libserialport, or -2: the
 * system did not tell all of them. */
int tern_link_serial_list(void (*found)(void *ud, const char *name, const char *description), void *ud);
/* Closes what was opened; a descriptor that was given is not closed. */
void tern_link_line_close(tern_link_line *line);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LINK_TRANSPORT_H */
