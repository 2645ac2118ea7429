/* tern_link_transport.c : lines for the link on a POSIX computer
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/serial.h>
#include <sys/ioctl.h>
#endif
#ifdef TERN_LINK_LIBSERIALPORT
#include <libserialport.h>
#endif
#include "tern_link_transport.h"

/* ---- a file descriptor ------------------------------------------------------------------------------------------- */

/* Nothing there now, or never again? A terminal that was unplugged gives EIO, ENXIO or its end. */
static int failed(tern_link_line *line, ssize_t n)
{
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    line->gone = true;
    return -1;
}

static int line_read(void *ud, uint8_t *bytes, int max)
{
    tern_link_line *line = ud;
    if (line->gone) return -1;
    const ssize_t n = read(line->fd, bytes, (size_t)max);
    return n > 0 ? (int)n : failed(line, n);
}

static int line_write(void *ud, const uint8_t *bytes, int count)
{
    tern_link_line *line = ud;
    if (line->gone) return -1;
    const ssize_t n = write(line->fd, bytes, (size_t)count);
    return n >= 0 ? (int)n : failed(line, n);
}

/* The board's end of a pseudo-terminal: without a host at the other end there is nothing to read, but that is no
 * end. */
static int pty_read(void *ud, uint8_t *bytes, int max)
{
    tern_link_line *line = ud;
    const ssize_t n = read(line->fd, bytes, (size_t)max);
    return n > 0 ? (int)n : n < 0 && errno == EIO ? 0 : failed(line, n);
}

static uint32_t line_clock_us(void *ud)
{
    struct timespec t;
    (void)ud;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)((uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u);
}

static void line_wait(void *ud, uint32_t us)
{
    tern_link_line *line = ud;
    struct pollfd p = { line->fd, POLLIN, 0 };
    if (poll(&p, 1, (int)((us + 999) / 1000)) > 0 && !(p.revents & POLLIN)) { /* hung up: poll does not wait any more */
        const struct timespec pause = { 0, 1000000 };
        nanosleep(&pause, NULL);
    }
}

static void set(tern_link_line *line, int fd, bool owned)
{
    *line = (tern_link_line){ { line, line_read, line_write, line_clock_us, line_wait, NULL }, fd, owned, false, NULL };
}

static int tell(char *text, size_t n, const char *what, const char *name)
{
    if (text != NULL && n > 0) snprintf(text, n, "%s %s: %s", what, name, strerror(errno));
    return -1;
}

/* For one program at a time; two would each get a part of what comes. The lock goes with the descriptor. False, and
 * told: another one has it. Files that cannot be locked are anybody's. */
static bool locked(int fd, const char *name, char *text, size_t n)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    if (text != NULL && n > 0) snprintf(text, n, "another program uses %s", name);
    return false;
}

static int non_blocking(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -1 : 0;
}

int tern_link_line_fd(tern_link_line *line, int fd, char *text, size_t n)
{
    char name[16];
    set(line, -1, false);
    snprintf(name, sizeof name, "%d", fd);
    if (non_blocking(fd) != 0) return tell(text, n, "cannot use file descriptor", name);
    set(line, fd, false);
    return 0;
}

static int raw(int fd)
{
    struct termios t;
    if (tcgetattr(fd, &t) != 0) return -1;
    t.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF);
    t.c_oflag &= ~(tcflag_t)OPOST;
    t.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    t.c_cflag = (t.c_cflag & ~(tcflag_t)(CSIZE | PARENB | CSTOPB)) | CS8 | CREAD | CLOCAL;
    t.c_cc[VMIN] = 1;
    t.c_cc[VTIME] = 0;
    return tcsetattr(fd, TCSANOW, &t);
}

int tern_link_line_path(tern_link_line *line, const char *path, char *text, size_t n)
{
    set(line, -1, false);
    const int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return tell(text, n, "cannot open", path);
    if (!locked(fd, path, text, n)) {
        close(fd);
        return TERN_LINK_IN_USE;
    }
    if (raw(fd) != 0) {
        tell(text, n, "cannot set the terminal to raw mode:", path);
        close(fd);
        return -1;
    }
    set(line, fd, true);
    return 0;
}

int tern_link_line_pty(tern_link_line *line, char *path, size_t n_path, char *text, size_t n)
{
    set(line, -1, false);
    const int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (fd < 0) return tell(text, n, "cannot make", "a pseudo-terminal");
    const char *name = grantpt(fd) == 0 && unlockpt(fd) == 0 ? ptsname(fd) : NULL;
    if (name == NULL || strlen(name) >= n_path || raw(fd) != 0 || non_blocking(fd) != 0) {
        if (name != NULL && strlen(name) >= n_path) errno = ENAMETOOLONG;
        tell(text, n, "cannot set up", "a pseudo-terminal");
        close(fd);
        return -1;
    }
    memcpy(path, name, strlen(name) + 1);
    set(line, fd, true);
    line->io.read = pty_read;
    return 0;
}

/* ---- a serial port ----------------------------------------------------------------------------------------------- */

#ifdef TERN_LINK_LIBSERIALPORT
bool tern_link_has_serial(void) { return true; }

static int tell_port(char *text, size_t n, const char *what, const char *name, enum sp_return r)
{
    char *why = r == SP_ERR_FAIL ? sp_last_error_message() : NULL;
    if (text != NULL && n > 0)
        snprintf(text, n, "%s %s: %s", what, name,
                 why != NULL        ? why
                 : r == SP_ERR_ARG  ? "there is no such port"
                 : r == SP_ERR_SUPP ? "the port cannot do it"
                                    : "no memory");
    if (why != NULL) sp_free_error_message(why);
    return -1;
}

static int serial_set_baud(void *ud, uint32_t baud)
{
    tern_link_line *line = ud;
    struct sp_port *port = line->port;
    if (line->gone || sp_set_baudrate(port, (int)baud) != SP_OK) return -1;
    sp_flush(port, SP_BUF_BOTH);
    return 0;
}

static void low_latency(int fd)
{
#if defined(__linux__) && defined(ASYNC_LOW_LATENCY)
    struct serial_struct s;
    if (ioctl(fd, TIOCGSERIAL, &s) != 0) return;
    s.flags = (int)((unsigned)s.flags | ASYNC_LOW_LATENCY);
    (void)ioctl(fd, TIOCSSERIAL, &s); /* where it is not allowed the link is slower, that is all */
#else
    (void)fd;
#endif
}

int tern_link_line_serial(tern_link_line *line, const char *name, uint32_t baud, char *text, size_t n)
{
    struct sp_port *port = NULL;
    int fd = -1;
    set(line, -1, false);
    enum sp_return r = sp_get_port_by_name(name, &port);
    if (r != SP_OK) return tell_port(text, n, "cannot find serial port", name, r);
    r = sp_open(port, SP_MODE_READ_WRITE);
    if (r != SP_OK) {
        tell_port(text, n, "cannot open serial port", name, r);
        sp_free_port(port);
        return -1;
    }
    r = sp_get_port_handle(port, &fd);
    if (r == SP_OK && !locked(fd, name, text, n)) {
        sp_close(port);
        sp_free_port(port);
        return TERN_LINK_IN_USE;
    }
    if (r == SP_OK) r = sp_set_baudrate(port, (int)baud);
    if (r == SP_OK) r = sp_set_bits(port, 8);
    if (r == SP_OK) r = sp_set_parity(port, SP_PARITY_NONE);
    if (r == SP_OK) r = sp_set_stopbits(port, 1);
    if (r == SP_OK) r = sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE);
    if (r == SP_OK && non_blocking(fd) != 0) r = SP_ERR_FAIL;
    if (r != SP_OK) {
        char what[64];
        snprintf(what, sizeof what, "cannot set 8N1 and %lu bits per second of serial port", (unsigned long)baud);
        tell_port(text, n, what, name, r);
        sp_close(port);
        sp_free_port(port);
        return -1;
    }
    low_latency(fd);
    sp_flush(port, SP_BUF_BOTH);
    set(line, fd, true);
    line->port = port;
    line->io.set_baud = serial_set_baud;
    return 0;
}

/* What the library found, written by list_to() for serial_list(): name and description of each port, each ended by a
 * 0; one byte more at the end says that nothing was left out. */
static void list_to(FILE *f)
{
    struct sp_port **ports;
    errno = 0;
    if (sp_list_ports(&ports) != SP_OK || errno == ENOMEM) return; /* it leaves out what it has no memory for */
    for (int n = 0; ports[n] != NULL; ++n) {
        const char *name = sp_get_port_name(ports[n]), *about = sp_get_port_description(ports[n]);
        fprintf(f, "%s%c%s%c", name, 0, about != NULL ? about : "", 0);
    }
    fputc(1, f);
}

/* libserialport (0.1.1) does not check its own allocations while it lists ports. It does so in a process of its own,
 * which may crash. */
int tern_link_serial_list(void (*found)(void *ud, const char *name, const char *description), void *ud)
{
    int pipe_fd[2], status = 0, n = 0;
    char *text = NULL;
    size_t used = 0, room = 0;
    if (pipe(pipe_fd) != 0) return -2;
    const pid_t child = fork();
    if (child == 0) {
        close(pipe_fd[0]);
        FILE *f = fdopen(pipe_fd[1], "w");
        if (f != NULL) list_to(f);
        _exit(f == NULL || fclose(f) != 0);
    }
    close(pipe_fd[1]);
    for (ssize_t got = child < 0 ? 0 : 1; got > 0 || (got < 0 && errno == EINTR);) {
        if (room - used < 256) {
            char *more = realloc(text, room + 4096);
            if (more == NULL) break;
            text = more, room += 4096;
        }
        got = read(pipe_fd[0], text + used, room - used);
        if (got > 0) used += (size_t)got;
    }
    close(pipe_fd[0]); /* a child that still writes ends by SIGPIPE */
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (used == 0 || text[used - 1] != 1 || status != 0) n = -2;
    for (size_t at = 0; n >= 0 && at < used - 1; ++n) {
        const char *name = text + at, *about = name + strlen(name) + 1;
        found(ud, name, about);
        at = (size_t)(about - text) + strlen(about) + 1;
    }
    free(text);
    return n;
}

static void close_port(void *port)
{
    sp_close(port);
    sp_free_port(port);
}
#else
bool tern_link_has_serial(void) { return false; }

int tern_link_line_serial(tern_link_line *line, const char *name, uint32_t baud, char *text, size_t n)
{
    (void)baud;
    set(line, -1, false);
    if (text != NULL && n > 0)
        snprintf(text, n,
                 "cannot open serial port %s: Tern was built without libserialport (Debian: libserialport-dev)", name);
    return -1;
}

int tern_link_serial_list(void (*found)(void *ud, const char *name, const char *description), void *ud)
{
    (void)found;
    (void)ud;
    return -1;
}

static void close_port(void *port) { (void)port; }
#endif

void tern_link_line_close(tern_link_line *line)
{
    if (line->port != NULL) close_port(line->port);
    else if (line->owned && line->fd >= 0) close(line->fd);
    line->port = NULL;
    line->fd = -1;
    line->gone = true;
}
