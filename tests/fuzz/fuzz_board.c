/* fuzz_board.c : commands of a host to the model of a board (`tern board --engine golden`)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Input: one operation after the other, the lower three bits of a byte say which. Frames get right checksums, so that
 * fuzzing reaches the host port; bytes as they are can be sent, too.
 */
#include "fuzz.h"
#include "tern_board_model.h"
#include "tern_compiler.h"
#include "tern_link_frame.h"
#include "tern_plan.h"

static const char script[] =
    "local f = tern.taps{1, 0.5}\n"
    "local x = tern.input{name='x', size=3}\nlocal h = tern.hidden{name='h', size=2, memory=f}\n"
    "local o = tern.visible{name='o', size=2, memory=f}\n"
    "tern.connect{from=x, to={h, o}, filters=f}\ntern.connect{from=h, to=o, filters=f}\n"
    "tern.gem{eta=0.01, samples=2}\n";
static tern_arena fixed;
static tern_model model;
static tern_plan plan;
static tern_state state;
static tern_diags diags;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    tern_arena_init(&fixed, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    FUZZ_CHECK(tern_compile_string(script, sizeof script - 1, "b.lua", NULL, &fixed, &model, &diags) == TERN_OK);
    FUZZ_CHECK(tern_plan_make(&model.net, 4, 2, &fixed, &plan, &diags) == TERN_OK);
    const size_t n = tern_state_bytes(&model.net, 2);
    FUZZ_CHECK(tern_state_init(&state, &model.net, tern_arena_get(&fixed, n, 1), n, 2, 7) == TERN_OK);
    return 0;
}

typedef struct host {
    tern_board_model *board;
    uint8_t session, number;
    tern_link_decoder replies;
} host;

/* Everything that comes back is a whole frame. */
static void listen(host *h)
{
    uint8_t bytes[512];
    size_t n;
    while ((n = tern_board_model_take(h->board, bytes, sizeof bytes)) != 0)
        for (size_t i = 0; i < n; ++i) {
            const tern_link_decoded got = tern_link_decode(&h->replies, bytes[i], false);
            FUZZ_CHECK(got != TERN_LINK_BAD);
            if (got != TERN_LINK_GOOD) continue;
            if (h->replies.bytes[0] < TERN_LINK_REPLY_BYTES)
                continue; /* more than 62 words were asked for: their number is modulo 256 */
            FUZZ_CHECK((h->replies.bytes[1] & TERN_LINK_IS_REPLY) != 0);
            h->session = h->replies.bytes[2];
        }
}

static void send(host *h, const uint8_t *body, unsigned n)
{
    uint8_t wire[TERN_LINK_WIRE_MAX];
    tern_board_model_put(h->board, wire, tern_link_encode(body, (uint8_t)n, wire));
    listen(h);
}

static void execute(host *h, unsigned op, uint32_t address, const uint32_t *words, unsigned n)
{
    uint8_t body[TERN_LINK_BODY_MAX] = { TERN_LINK_EXEC, h->session, h->number++, 0, (uint8_t)(op | (n - 1)) };
    unsigned at = 5;
    tern_link_put(body + at, address);
    at += 4;
    for (unsigned i = 0; op == TERN_LINK_OP_WRITE && i < n; ++i, at += 4) tern_link_put(body + at, words[i]);
    send(h, body, at);
}

typedef struct writer {
    tern_host_writer base;
    host *h;
    uint32_t address, words[48], n;
} writer;

static void flush(writer *w)
{
    if (w->n != 0) execute(w->h, TERN_LINK_OP_WRITE, w->address, w->words, w->n);
    w->n = 0;
}
static void put_word(tern_host_writer *self, uint32_t address, uint32_t data)
{
    writer *w = (writer *)self;
    if (w->n == 48 || (w->n != 0 && address != w->address + w->n)) flush(w);
    if (w->n == 0) w->address = address;
    w->words[w->n++] = data;
}

static void open_session(host *h)
{
    const uint8_t info[3] = { TERN_LINK_INFO, 0, 0 };
    send(h, info, 3);
    const uint8_t open[3] = { TERN_LINK_OPEN, h->session, 1 };
    send(h, open, 3);
    h->number = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static host h;
    fuzz_bytes in = { data, size };
    fuzz_heap heap = { .limit_bytes = (size_t)32 << 20 };
    tern_arena arena;
    unsigned loads = 0;
    memset(&h, 0, sizeof h);
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    if (tern_board_model_create(&model, &plan.need, 5, &arena, &h.board, &diags) != TERN_OK) abort();
    open_session(&h);
    while (in.n != 0) {
        const unsigned op = fuzz_u8(&in), arg = op >> 3;
        uint32_t words[8], address;
        switch (op & 7) {
        case 0: { /* bytes */
            uint8_t raw[32];
            for (unsigned i = 0; i < arg + 1; ++i) raw[i] = fuzz_u8(&in);
            tern_board_model_put(h.board, raw, arg + 1);
            listen(&h);
            break;
        }
        case 1: { /* a frame of any content */
            uint8_t body[64];
            for (unsigned i = 0; i < 2 * arg; ++i) body[i] = fuzz_u8(&in);
            if (arg > 1 && (arg & 1) != 0) body[0] = TERN_LINK_EXEC, body[1] = h.session, body[2] = h.number++;
            send(&h, body, 2 * arg);
            break;
        }
        case 2:
        case 3: /* words; small addresses in all regions */
            address = (uint32_t)arg << 24 | fuzz_u8(&in);
            address |= (uint32_t)(fuzz_u8(&in) % 4) << 8;
            for (unsigned i = 0; i < 8 && (op & 7) == 2; ++i) words[i] = i == 0 ? fuzz_u32(&in) : words[0] + i;
            execute(&h, (op & 7) == 2 ? TERN_LINK_OP_WRITE : TERN_LINK_OP_READ, address, words,
                    (op & 7) == 2 ? 1 + fuzz_u8(&in) % 8u : 1 + fuzz_u8(&in) % 62u);
            break;
        case 4: { /* the network, and its state */
            writer w = { .base = { put_word }, .h = &h };
            if (++loads > 2) break;
            tern_plan_write_network(&plan, &plan.need, &w.base);
            flush(&w);
            tern_plan_write_state(&plan, &plan.need, &state, &w.base);
            flush(&w);
            break;
        }
        case 5: /* a step, a flush, whatever the bits say */
            words[0] = fuzz_u8(&in);
            execute(&h, TERN_LINK_OP_WRITE, TERN_REG_CONTROL, words, 1);
            break;
        case 6: h.number = (uint8_t)(h.number + arg); break;
        default: open_session(&h); break;
        }
    }
    (void)tern_board_model_foreign(h.board);
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    return 0;
}
