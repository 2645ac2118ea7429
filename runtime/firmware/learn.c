/* learn.c : a network that learns on a microcontroller, says what it decided and keeps what it learnt
 * SPDX-License-Identifier: Apache-2.0
 *
 * Takes what `tern compile models/digits2/digits2.lua -o DIR --examples RECORDINGS` writes. No heap, no floating point,
 * no operating system: the board gives text out, a clock and a place to keep bytes (board.h). docs/49-firmware.md
 */
#include "board.h"
#include "digits2.h"
#include "digits2_examples.h"
#include "tern/save.h"
#include "tern/vote.h"

enum { CLASSES = digits2_out_size };

/* ---- text without a C library ---------------------------------------------------------------------------------- */
static void say_number(uint64_t value, unsigned base, unsigned digits)
{
    char text[24];
    unsigned at = sizeof text - 1u;
    text[at] = 0;
    do {
        text[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0 || sizeof text - 1u - at < digits);
    board_put(text + at);
}

static void say(const char *text, uint64_t value, const char *after)
{
    board_put(text);
    say_number(value, 10, 1);
    board_put(after);
}

static void say_hex(const char *text, uint64_t value, unsigned digits)
{
    board_put(text);
    say_number(value, 16, digits);
    board_put("\n");
}

static void must(tern_status status, const char *what)
{
    if (status == TERN_OK) return;
    say("failed: ", (uint64_t)status, " ");
    board_put(what);
    board_put("\n");
    board_exit(1);
}

/* ---- learning -------------------------------------------------------------------------------------------------- */
typedef struct digest {
    tern_record_sink sink;
    uint64_t value;
} digest;

static void add_record(tern_record_sink *sink, const tern_record *r)
{
    digest *d = (digest *)sink;
    d->value = tern_digest_add(d->value, r);
}

/* One example as `tern train` presents it; returns the cross-entropy of the visible neurons, nats with 12 fraction
 * bits, summed over steps and samples. */
static uint64_t learn(const digits2_example *e)
{
    uint64_t loss = 0;
    for (uint32_t t = 0; t < e->n_steps; ++t) {
        digits2_step(e->inputs + t * DIGITS2_INPUT_WORDS, e->targets + t * DIGITS2_NEURON_WORDS,
                     TERN_STEP_LEARN | TERN_STEP_CLAMP);
        for (uint32_t k = 0; k < DIGITS2_SAMPLES; ++k) loss += digits2_state.loss_f12[k];
    }
    digits2_flush();
    if (DIGITS2_CLEAR) digits2_clear();
    return loss;
}

static void learn_all(void)
{
    digest d = { { add_record }, TERN_DIGEST_INIT };
    uint32_t steps = 0;
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < DIGITS2_EXAMPLES; ++i) {
        must(digits2_rate(i), "the schedule has no such rate");
        digits2_state.sink = i == 0 ? &d.sink : NULL; /* records of the first example: every number that it made */
        const uint64_t before = board_ticks();
        say("example ", i + 1u, ": loss ");
        say("", learn(&digits2_examples[i]), "\n");
        if (i == 0) continue;
        ticks += board_ticks() - before;
        steps += digits2_examples[i].n_steps;
    }
    digits2_state.sink = NULL;
    say_hex("records of the first example: ", d.value, 16);
    if (ticks != 0) say("per step: ", ticks / steps, " " BOARD_TICKS "\n");
}

/* ---- keeping --------------------------------------------------------------------------------------------------- */
static uint64_t fnv(const uint8_t *bytes, size_t n)
{
    uint64_t h = TERN_DIGEST_INIT;
    for (size_t i = 0; i < n; ++i) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

static tern_status keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    return board_keep(bytes, n) ? TERN_OK : TERN_ERR_LIMIT;
}

/* Saves, forgets and restores: what a device does across a loss of power. */
static void sleep_and_wake(void)
{
    size_t n = 0;
    must(tern_save(&digits2_state, TERN_SAVE_LEARNT, DIGITS2_EXAMPLES, keep, NULL), "no room to save");
    const uint8_t *kept = board_kept(&n);
    say("saved ", n, " bytes, ");
    say_hex("digest ", fnv(kept, n), 16);
#ifdef TERN_DUMP /* the stream in hexadecimal, for a computer: docs/49-firmware.md */
    for (size_t i = 0; i < n; ++i) {
        if (i % 32u == 0) board_put(i == 0 ? "stream " : "\nstream ");
        say_number(kept[i], 16, 2);
    }
    board_put("\n");
#endif
    tern_save_info info;
    const char *what = "";
    must(digits2_init(DIGITS2_TRAIN_SEED), "start");
    must(tern_restore(&digits2_state, kept, n, &info, &what), what);
    say("restored after ", info.presentations, " examples\n");
}

/* ---- deciding -------------------------------------------------------------------------------------------------- */
/* K samples run freely on one input; each votes for a class (rules N-27, N-28). */
static void decide(uint32_t i)
{
    static _Alignas(8) uint64_t memory[64];
    tern_vote vote;
    const digits2_example *e = &digits2_examples[i];
    must(tern_vote_init(&vote, CLASSES, DIGITS2_SAMPLES, TERN_DECODE_RATE, memory, sizeof memory), "memory of votes");
    digits2_clear();
    for (uint32_t t = 0; t < e->n_steps; ++t) {
        digits2_step(e->inputs + t * DIGITS2_INPUT_WORDS, NULL, 0);
        tern_vote_step(&vote, digits2_state.spikes, DIGITS2_NEURON_WORDS, digits2_out_pos);
    }
    tern_vote_close(&vote);
    say("example ", i + 1u, ": ");
    say("class ", vote.winner, ", ");
    say("", vote.votes[vote.winner], " of ");
    say("", vote.decided, " samples, ");
    say("label ", (uint64_t)e->label, "\n");
}

int main(void)
{
    board_start();
    must(digits2_init(DIGITS2_TRAIN_SEED), "start");
    learn_all();
    sleep_and_wake();
    for (uint32_t i = 0; i < DIGITS2_EXAMPLES && i < 4; ++i) decide(i);
    board_put("done\n");
    board_exit(0);
    return 0;
}
