/* tiny_main.c : the emitted network `tiny` with random frames, on the host or on an AVR whose int has 16 bits
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints the digest of every record of STEPS steps, of a state that was saved and restored on the way, and a vote.
 */
#include <string.h>
#include "tiny.h"
#include "tern/save.h"
#include "tern/vote.h"

enum { STEPS = 24 };

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
static void put(char c)
{
    while ((UCSR0A & (1 << UDRE0)) == 0) {}
    UDR0 = (uint8_t)c;
}
static void begin(void) { UCSR0B = 1 << TXEN0; }
static void end(void) /* the simulator ends when a processor sleeps without interrupts */
{
    cli();
    sleep_mode();
}
#else
#include <stdio.h>
static void put(char c) { putchar(c); }
static void begin(void) {}
static void end(void) {}
#endif

static void line(const char *name, uint64_t value)
{
    while (*name != 0) put(*name++);
    for (int8_t i = 60; i >= 0; i = (int8_t)(i - 4)) put("0123456789abcdef"[value >> i & 15u]);
    put('\n');
}

typedef struct digest {
    tern_record_sink sink;
    uint64_t value;
} digest;

static void add(tern_record_sink *sink, const tern_record *r)
{
    digest *d = (digest *)sink;
    d->value = tern_digest_add(d->value, r);
}

static uint32_t next(uint32_t *x) /* xorshift32 */
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    return *x ^= *x << 5;
}

static uint8_t kept[1024];
static size_t n_kept;
static tern_status keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    if (n > sizeof kept - n_kept) return TERN_ERR_LIMIT;
    memcpy(kept + n_kept, bytes, n);
    n_kept += n;
    return TERN_OK;
}

static void steps(digest *d, uint32_t *x, unsigned n)
{
    uint32_t inputs[TINY_INPUT_WORDS], targets[TINY_NEURON_WORDS];
    tiny_state.sink = &d->sink;
    for (unsigned t = 0; t < n; ++t) {
        memset(targets, 0, sizeof targets);
        memset(inputs, 0, sizeof inputs);
        for (unsigned i = 0; i < tiny_x_size; ++i) inputs[0] |= (next(x) & UINT32_C(1)) << i;
        targets[0] = next(x) & UINT32_C(1);
        tiny_step(inputs, targets, TERN_STEP_LEARN | TERN_STEP_CLAMP);
#ifdef REWARDED
        int32_t reward[TINY_SAMPLES];
        for (unsigned k = 0; k < TINY_SAMPLES; ++k) reward[k] = (int32_t)(next(x) >> 16) - INT32_C(32768);
        tiny_reward(reward);
#endif
    }
    tiny_state.sink = NULL;
}

int main(void)
{
    static _Alignas(8) uint64_t memory[16];
    static const char *const failed = "failed ";
    digest d = { { add }, TERN_DIGEST_INIT };
    uint32_t x = 2463534242u;
    tern_vote vote;
    const char *what = "";
    begin();
    if (tiny_init(7) != TERN_OK) line(failed, 1);
#ifndef __AVR__ /* takes 8 KiB of stack */
    if (tern_net_check(&tiny_net, &what) != TERN_OK) line(what, 2);
#endif
    steps(&d, &x, STEPS / 2);
    tiny_flush();
    if (tern_save(&tiny_state, TERN_SAVE_LEARNT, 3, keep, NULL) != TERN_OK) line(failed, 3);
    if (tiny_init(1) != TERN_OK || tern_restore(&tiny_state, kept, n_kept, NULL, &what) != TERN_OK) line(what, 4);
    steps(&d, &x, STEPS / 2);
    if (tern_vote_init(&vote, 1, TINY_SAMPLES, TERN_DECODE_RATE, memory, sizeof memory) != TERN_OK) line(failed, 5);
    tern_vote_step(&vote, tiny_state.spikes, TINY_NEURON_WORDS, 0);
    tern_vote_close(&vote);
    line("records ", d.value);
    line("saved ", n_kept);
    line("spikes ", vote.spikes[0]);
    line("done ", STEPS);
    end();
    return 0;
}
