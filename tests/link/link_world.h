/* link_world.h : a host, a faulty line and a board in simulated time, for the tests of the link
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time is counted in ticks: the time of one byte on the line. Whatever is behind the line (the C model, or simulated
 * Verilog) is a link_target; the host is a tern_link whose io functions let the time pass.
 */
#ifndef LINK_WORLD_H
#define LINK_WORLD_H
#include "tern_link.h"
#include "tern_link_device.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { LINK_WORDS = 512, LINK_LOG = 1 << 16, LINK_LINE = 1 << 15 };

/* The core as the link sees it: registers, 512 words in region 1, a step that takes time and changes a word. */
typedef struct link_write {
    uint32_t address, word;
} link_write;
typedef struct link_memory {
    uint32_t words[LINK_WORDS], layout, steps;
} link_memory;
typedef struct link_core {
    link_memory m;
    uint64_t busy_until, now; /* ticks */
    uint32_t random;
    link_write *log; /* every write since it was cleared */
    size_t n_log;
    bool overflow;
} link_core;
/* What a write does to the memory; true: it starts a step. */
bool link_memory_write(link_memory *m, link_write w);
void link_core_write(link_core *c, uint32_t address, uint32_t word);
uint32_t link_core_read(link_core *c, uint32_t address);
bool link_core_busy(const link_core *c);

/* Faults of one direction, each with its probability in units of 1 / 100,000 per byte or per frame. */
typedef struct link_faults {
    uint32_t flip, lose, twice, extra, swap, hold, frame_lose, frame_twice, frame_late;
} link_faults;

typedef struct link_target {
    void *ud;
    /* one byte time, in which this byte arrives: -1 none, 256 + b: without stop bit */
    void (*tick)(void *ud, int byte);
    int (*take)(void *ud);                    /* a byte that the board has sent, likewise */
    void (*power)(void *ud, uint32_t random); /* off and on again */
} link_target;

typedef struct link_way { /* one direction of the line */
    uint16_t bytes[LINK_LINE];
    uint64_t due[LINK_LINE];
    uint32_t at, n;
    uint8_t frame[1100], late[1100];
    uint32_t n_frame, n_late, late_in; /* late: comes in so many frames */
    uint16_t held;                     /* a byte that comes later */
    uint32_t held_in;
    uint64_t last_due;
} link_way;

typedef struct link_world {
    uint64_t now, limit; /* ticks; the host must not wait longer than until limit */
    uint32_t random;
    link_faults faults, faults_to_host;
    uint32_t latency;  /* ticks between adapter and host, at most */
    uint32_t stall_us; /* of the link; 20 s */
    link_target target;
    link_core core;
    link_way to_board, to_host;
    uint8_t out[4096]; /* the adapter's buffer */
    uint32_t out_at, n_out;
    uint64_t plugged_at; /* ticks; unplugged before */
    bool adapter_gone;   /* unplugged at the host's side: io functions fail until link_world_replug() */
    bool dead;           /* limit was passed */
    uint64_t n_unplugs, n_powers, n_restarts, n_faults;
} link_world;

uint32_t link_random(uint32_t *state, uint32_t n); /* 0..n-1 */
void link_world_init(link_world *w, uint32_t seed, const link_faults *both, uint32_t latency, link_write *log);
void link_world_tick(link_world *w);
/* The line is off for so many ticks; what is on it is lost. adapter: at the host's side. */
void link_world_unplug(link_world *w, uint32_t ticks, bool adapter);
/* Waits until it is on again. */
void link_world_replug(link_world *w);
void link_world_power(link_world *w);
tern_link_io link_world_io(link_world *w);

/* The C model as a target. */
typedef struct link_model {
    tern_link_device device;
    link_world *world;
    uint8_t out[8192];
    uint32_t at, n, stalled;
} link_model;
void link_model_init(link_model *m, link_world *w, unsigned buffer_log);

/* What a run does besides reading and writing, how often in 1000 steps. */
typedef struct link_events {
    uint32_t unplug, adapter, power, restart;
} link_events;
/* A host works at random until it has sent at least `frames` frames: writes, reads, steps, echoes, and events. Prints
 * the first difference in a line that begins with "LINK ".
 * 0: every write took effect exactly once and in order, every word read was the right one, the memory is the right one
 * at the end. */
int link_run(link_world *w, uint32_t seed, uint64_t frames, const link_events *events, tern_link_stats *total);

#ifdef __cplusplus
}
#endif
#endif /* LINK_WORLD_H */
