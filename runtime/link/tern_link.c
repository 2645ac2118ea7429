/* tern_link.c : the host's end of the link
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frames are kept in `store` from the time they are put together until they are finished: a ring of bytes, and a ring
 * of what is known about each. base, next and cursor count frames since the session began; their lowest 8 bits are the
 * numbers on the line.
 *
 *     finished | taken by the board, words missing | on the way | not yet sent | (being put together: build)
 *           base                                          cursor            next
 */
#include <string.h>
#include "tern_link.h"

_Static_assert((TERN_LINK_FRAMES & (TERN_LINK_FRAMES - 1)) == 0 && TERN_LINK_FRAMES >= 2 &&
                   TERN_LINK_FRAMES <= TERN_LINK_IN_FLIGHT,
               "TERN_LINK_FRAMES");
_Static_assert((TERN_LINK_STORE & (TERN_LINK_STORE - 1)) == 0 && TERN_LINK_STORE >= 512 && TERN_LINK_STORE <= 32768,
               "TERN_LINK_STORE");
_Static_assert((TERN_LINK_READS & (TERN_LINK_READS - 1)) == 0 && TERN_LINK_READS >= TERN_LINK_REPLY_WORDS &&
                   TERN_LINK_READS <= 1024,
               "TERN_LINK_READS");
enum { HEAD = 4, PLACE = 16 /* bytes of a unit of the reply buffer */, TRIES = 6, OP_WORDS = 64, CORE_ID = 0x5445524e };
#define RETURN_IF_NOT_OK(expression) \
    do { \
        const tern_link_result result_ = (expression); \
        if (result_ != TERN_LINK_R_OK) return result_; \
    } while (0)

const char *tern_link_result_text(tern_link_result r)
{
    switch (r) {
#define XX(name, value, text) \
    case TERN_LINK_R_##name: return text;
        TERN_LINK_RESULT_MAP(XX)
#undef XX
    }
    return "unknown result";
}

uint32_t tern_link_timeout_us(uint32_t baud, uint32_t buffer_bytes)
{
    if (baud < 300) baud = 300;
    /* both directions, 10 bits a byte */
    return 50000u + (uint32_t)((uint64_t)buffer_bytes * 2 * 2 * 10 * 1000000 / baud);
}

void tern_link_config_default(tern_link_config *config, uint32_t baud)
{
    *config = (tern_link_config){ tern_link_timeout_us(baud, 512), 5000000u, 30000000u, 0 };
}

static tern_link_sent *frame(tern_link *l, uint32_t index) { return &l->frames[index & (TERN_LINK_FRAMES - 1)]; }
static uint32_t now(tern_link *l) { return l->io.clock_us(l->io.ud); }

/* Nothing is being sent, nothing half received. */
static void restart(tern_link *l)
{
    l->wire_at = l->wire_n = 0;
    memset(&l->in, 0, sizeof l->in);
    l->control[0] = 0;
    l->gap = l->suspicious = l->looped = false;
    l->timer = l->heard = l->moved = now(l);
    l->wait_us = l->config.timeout_us;
}

/* Forgets everything that is on its way. */
static void clear(tern_link *l)
{
    l->open = l->lost = l->usurped = l->errors_known = false;
    l->base = l->next = l->cursor = 0;
    l->store_at = l->store_used = l->board_used = 0;
    l->dest_base = l->dest_next = 0;
    l->place_at = l->place_used = 0;
    l->build_at = HEAD;
    l->build_words = l->build_reads = l->merge_at = 0;
    restart(l);
}

tern_link_result tern_link_init(tern_link *l, const tern_link_io *io, const tern_link_config *config)
{
    if (io->read == NULL || io->write == NULL || io->clock_us == NULL || config->timeout_us < 100 ||
        config->timeout_us > 10000000u || config->give_up_us < config->timeout_us || config->give_up_us > 2000000000u ||
        config->stall_us > 2000000000u)
        return TERN_LINK_R_ARGUMENT;
    memset(l, 0, sizeof *l);
    l->io = *io;
    l->config = *config;
    l->nonce = config->nonce;
    l->buffer_bytes = 1u << 9;
    clear(l);
    return TERN_LINK_R_OK;
}

/* ---- what comes -------------------------------------------------------------------------------------------------- */

static void restart_timer(tern_link *l)
{
    l->timer = now(l);
    l->wait_us = l->config.timeout_us;
}

/* The board has carried out all frames before `end`. Those without words are finished by it. */
static void taken(tern_link *l, uint32_t end)
{
    for (uint32_t i = l->base; i != end; ++i) {
        tern_link_sent *f = frame(l, i);
        if (!f->taken) {
            f->taken = true;
            l->board_used -= f->length + 1u;
            l->gap = false;
        }
        if (f->words == 0) f->finished = true;
    }
}

/* Frees the frames that are finished, in their order. */
static void advance(tern_link *l)
{
    while (l->base != l->next && frame(l, l->base)->finished) {
        const tern_link_sent *f = frame(l, l->base);
        l->store_used -= f->length;
        l->dest_base += f->reads;
        l->place_used -= f->places;
        ++l->base;
        l->moved = now(l);
        if ((int32_t)(l->cursor - l->base) < 0) l->cursor = l->base;
    }
}

static void reply_to_frame(tern_link *l, const uint8_t *body, unsigned length)
{
    const uint32_t index = l->base + (uint8_t)(body[2] - (uint8_t)l->base);
    tern_link_sent *f = frame(l, index);
    if (!l->open || (uint32_t)(index - l->base) >= l->next - l->base || !f->sent || f->finished) {
        ++l->stats.stale_replies;
        return;
    }
    if (body[1] != l->session || !(body[0] & TERN_LINK_IS_OPEN)) {
        ++l->stats.stale_replies; /* of an earlier session, or this one is lost: INFO will tell */
        l->suspicious = true;
        return;
    }
    if (body[0] & TERN_LINK_PROGRESS) {
        ++l->stats.progress;
        restart_timer(l);
        taken(l, index);
        advance(l);
        return;
    }
    if (!(body[0] & TERN_LINK_DONE)) {
        /* One before it is missing: all from there are sent again, but once for all that were on their way. Those have
         * rising numbers; when the numbers start over, the frame was lost again. */
        const bool same_round = l->gap && (int32_t)(index - l->refused) > 0;
        l->refused = index;
        if (same_round || f->taken) {
            ++l->stats.stale_replies;
            return;
        }
        ++l->stats.gaps;
        l->gap = true;
        l->cursor = l->base;
        while (frame(l, l->cursor)->taken) ++l->cursor; /* ends at index at the latest */
        return;
    }
    if (length != TERN_LINK_REPLY_BYTES + 4u * f->words) {
        ++l->stats.stale_replies;
        return;
    }
    ++l->stats.replies;
    const uint32_t waited = now(l) - l->timer;
    if (waited > l->stats.longest_us) l->stats.longest_us = waited;
    restart_timer(l);
    uint32_t dest = l->dest_base;
    for (uint32_t i = l->base; i != index; ++i) dest += frame(l, i)->reads;
    const uint8_t *b = body + TERN_LINK_REPLY_BYTES;
    for (unsigned i = 0; i < f->reads; ++i) {
        const tern_link_dest *d = &l->dests[(dest + i) & (TERN_LINK_READS - 1)];
        for (unsigned k = 0; k < d->words; ++k, b += 4) d->out[k] = tern_link_word(b);
    }
    taken(l, index + 1);
    f->finished = true;
    /* replies come in the order of frames: one that is missing before this one was lost */
    for (uint32_t i = l->base; i != index; ++i) {
        tern_link_sent *missing = frame(l, i);
        if (!missing->finished && !missing->asked) missing->again = missing->asked = true;
    }
    advance(l);
}

static void received(tern_link *l)
{
    const uint8_t *body = l->in.bytes + 1;
    const unsigned length = l->in.bytes[0];
    if (length > 0 && !(body[0] & TERN_LINK_IS_REPLY)) {
        l->looped = true;
        ++l->stats.looped;
        return;
    }
    if (length < TERN_LINK_REPLY_BYTES) {
        ++l->stats.stale_replies;
        return;
    }
    l->heard = now(l);
    const uint8_t more = (uint8_t)(body[3] - l->errors);
    if (!l->errors_known || more < 128) { /* else the reply is an old one */
        if (l->errors_known) l->stats.bad_requests += more;
        l->errors = body[3];
        l->errors_known = true;
    }
    const unsigned command = body[0] >> 5 & 3u;
    if (command == TERN_LINK_EXEC) {
        reply_to_frame(l, body, length);
    } else if (l->control[0] == command && body[2] == l->control[2]) {
        memcpy(l->answer, body, sizeof l->answer);
        l->answered = true;
        ++l->stats.replies;
    } else {
        ++l->stats.stale_replies;
    }
}

/* ---- what goes --------------------------------------------------------------------------------------------------- */

static void control(tern_link *l, uint8_t command, uint8_t session)
{
    l->control[0] = command;
    l->control[1] = session;
    l->control[2] = ++l->nonce;
    l->control_sent = l->answered = false;
}

static void encode(tern_link *l, uint32_t index)
{
    tern_link_sent *f = frame(l, index);
    uint8_t body[TERN_LINK_BODY_MAX];
    for (unsigned i = 0; i < f->length; ++i) body[i] = l->store[(f->at + i) & (TERN_LINK_STORE - 1)];
    l->wire_n = (uint16_t)tern_link_encode(body, f->length, l->wire);
    if (f->sent) ++l->stats.repeats;
    else ++l->stats.frames;
    f->sent = true;
    f->again = false;
}

/* Puts into `wire` what is to be sent next; false: nothing. */
static bool choose(tern_link *l)
{
    l->wire_at = l->wire_n = 0;
    if (l->control[0] != 0 && !l->control_sent) {
        l->wire_n = (uint16_t)tern_link_encode(l->control, sizeof l->control, l->wire);
        l->control_sent = true;
        l->control_timer = now(l);
        return true;
    }
    if (!l->open) return false;
    for (uint32_t i = l->base; i != l->cursor; ++i)
        if (frame(l, i)->again) {
            encode(l, i);
            return true;
        }
    while (l->cursor != l->next && frame(l, l->cursor)->finished) ++l->cursor; /* after going back */
    if (l->cursor == l->next) return false;
    if (l->cursor == l->base && !frame(l, l->base)->sent) { /* nothing was on its way */
        restart_timer(l);
        l->heard = l->moved = l->timer;
    }
    encode(l, l->cursor++);
    return true;
}

static bool frame_room(const tern_link *l)
{
    const uint32_t places = (l->build_words * 4u + PLACE - 1) / PLACE;
    return l->next - l->base < TERN_LINK_FRAMES && l->store_used + l->build_at <= TERN_LINK_STORE &&
           l->board_used + l->build_at + 1u <= l->buffer_bytes - 1 && l->place_used + places <= l->buffer_bytes / PLACE;
}

/* The frame being put together gets its number; there is room for it. */
static void post(tern_link *l)
{
    tern_link_sent *f = frame(l, l->next);
    *f = (tern_link_sent){
        .at = (uint16_t)l->store_at, .length = l->build_at, .words = l->build_words, .reads = l->build_reads
    };
    f->places = (uint8_t)((f->words * 4u + PLACE - 1) / PLACE);
    l->build[0] = TERN_LINK_EXEC;
    l->build[1] = l->session;
    l->build[2] = (uint8_t)l->next;
    l->build[3] = (uint8_t)l->place_at;
    for (unsigned i = 0; i < f->length; ++i) l->store[(f->at + i) & (TERN_LINK_STORE - 1)] = l->build[i];
    l->store_at = (l->store_at + f->length) & (TERN_LINK_STORE - 1);
    l->store_used += f->length;
    l->board_used += f->length + 1u;
    l->place_at = (l->place_at + f->places) % (l->buffer_bytes / PLACE);
    l->place_used += f->places;
    ++l->next;
    l->build_at = HEAD;
    l->build_words = l->build_reads = l->merge_at = 0;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static void go_back(tern_link *l)
{
    for (uint32_t i = l->base; i != l->next; ++i) frame(l, i)->again = frame(l, i)->asked = false;
    l->cursor = l->base;
    l->gap = false;
}

/* Line in, line out. *moved: something has happened. */
static tern_link_result pump(tern_link *l, bool *moved)
{
    uint8_t bytes[64];
    int n;
    *moved = false;
    while ((n = l->io.read(l->io.ud, bytes, (int)sizeof bytes)) > 0) {
        *moved = true;
        l->stats.bytes_in += (unsigned)n;
        for (int i = 0; i < n; ++i) {
            const tern_link_decoded got = tern_link_decode(&l->in, bytes[i], false);
            if (got == TERN_LINK_GOOD) received(l);
            else if (got == TERN_LINK_BAD) ++l->stats.bad_replies;
        }
    }
    if (n < 0) return TERN_LINK_R_GONE;
    while (l->wire_at < l->wire_n || choose(l)) {
        n = l->io.write(l->io.ud, l->wire + l->wire_at, l->wire_n - l->wire_at);
        if (n < 0) return TERN_LINK_R_GONE;
        if (n == 0) break;
        *moved = true;
        l->stats.bytes_out += (unsigned)n;
        l->wire_at = (uint16_t)(l->wire_at + n);
    }
    return TERN_LINK_R_OK;
}

static tern_link_result is_open(const tern_link *l)
{
    return l->usurped ? TERN_LINK_R_TAKEN : l->lost ? TERN_LINK_R_LOST : l->open ? TERN_LINK_R_OK : TERN_LINK_R_CLOSED;
}

/* Everything there is to do now. wait_us: how long nothing will be, if nothing comes. */
static tern_link_result work(tern_link *l, uint32_t *wait_us)
{
    bool moved;
    *wait_us = 0;
    if (!l->open) return is_open(l);
    RETURN_IF_NOT_OK(pump(l, &moved));
    if (l->answered) { /* INFO, because a reply was suspicious */
        l->control[0] = 0;
        l->answered = l->suspicious = false;
        if (l->answer[1] != l->session || !(l->answer[0] & TERN_LINK_IS_OPEN)) {
            l->lost = true;
            l->usurped = (l->answer[0] & TERN_LINK_IS_OPEN) != 0; /* after a reset no session is open */
            l->open = false;
            return is_open(l);
        }
    }
    const uint32_t t = now(l);
    if (l->suspicious && l->control[0] == 0) {
        control(l, TERN_LINK_INFO, l->session);
        moved = true;
    } else if (l->control[0] != 0 && l->control_sent && t - l->control_timer > l->config.timeout_us) {
        l->control_sent = false;
        moved = true;
    }
    if (l->base == l->next) return TERN_LINK_R_OK;
    if (t - l->heard > l->config.give_up_us) {
        l->heard = t;
        return TERN_LINK_R_SILENT;
    }
    if (l->config.stall_us != 0 && t - l->moved > l->config.stall_us) {
        l->moved = t;
        return TERN_LINK_R_STALLED;
    }
    if (t - l->timer > l->wait_us) {
        ++l->stats.timeouts;
        go_back(l);
        l->timer = t;
        if (l->wait_us < 8 * l->config.timeout_us) l->wait_us *= 2;
        moved = true;
    }
    *wait_us = moved ? 0 : l->wait_us - (t - l->timer) + 1;
    return TERN_LINK_R_OK;
}

static void rest(tern_link *l, uint32_t us)
{
    if (us > 0 && l->io.wait != NULL) l->io.wait(l->io.ud, us < 20000 ? us : 20000);
}

tern_link_result tern_link_poll(tern_link *l)
{
    uint32_t us;
    if (l->open && l->build_at > HEAD && frame_room(l)) post(l);
    return work(l, &us);
}

/* Waits until the frame being put together has been given a number, and starts another one. */
static tern_link_result push(tern_link *l)
{
    uint32_t us;
    while (l->build_at > HEAD) {
        if (frame_room(l)) {
            post(l);
            return work(l, &us);
        }
        RETURN_IF_NOT_OK(work(l, &us));
        if (!frame_room(l)) rest(l, us);
    }
    return TERN_LINK_R_OK;
}

tern_link_result tern_link_sync(tern_link *l)
{
    uint32_t us;
    RETURN_IF_NOT_OK(push(l));
    for (;;) {
        RETURN_IF_NOT_OK(work(l, &us));
        if (l->base == l->next) return TERN_LINK_R_OK;
        rest(l, us);
    }
}

void tern_link_resume(tern_link *l)
{
    restart(l);
    go_back(l);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static unsigned space(const tern_link *l) { return TERN_LINK_BODY_MAX - l->build_at; }
static unsigned least(size_t a, unsigned b) { return a < b ? (unsigned)a : b; }

static void append_words(tern_link *l, const uint32_t *words, unsigned n)
{
    for (unsigned i = 0; i < n; ++i, l->build_at = (uint8_t)(l->build_at + 4))
        tern_link_put(l->build + l->build_at, words[i]);
}

/* First byte of an operation of n words, and its address if it has one. */
static void append_op(tern_link *l, unsigned op, unsigned n, const uint32_t *address)
{
    l->build[l->build_at++] = (uint8_t)(op + n - 1);
    if (address == NULL) return;
    tern_link_put(l->build + l->build_at, *address);
    l->build_at = (uint8_t)(l->build_at + 4);
}

tern_link_result tern_link_write(tern_link *l, uint32_t address, const uint32_t *words, size_t n)
{
    l->taken = 0;
    RETURN_IF_NOT_OK(is_open(l));
    while (l->taken < n) {
        const uint32_t to = address + (uint32_t)l->taken;
        unsigned k;
        /* continues where the last one ended */
        if (l->merge_at != 0 && l->merge_address == to && l->build[l->merge_at] < OP_WORDS - 1 && space(l) >= 4) {
            k = least(n - l->taken, OP_WORDS - 1 - l->build[l->merge_at]);
            k = least(k, space(l) / 4);
            l->build[l->merge_at] = (uint8_t)(l->build[l->merge_at] + k);
        } else if (space(l) >= 9) {
            k = least(n - l->taken, OP_WORDS);
            k = least(k, (space(l) - 5) / 4);
            l->merge_at = l->build_at;
            append_op(l, TERN_LINK_OP_WRITE, k, &to);
        } else {
            RETURN_IF_NOT_OK(push(l));
            continue;
        }
        append_words(l, words + l->taken, k);
        l->merge_address = to + k;
        l->taken += k;
        l->stats.words_written += k;
    }
    return TERN_LINK_R_OK;
}

/* READ, or ECHO if words are given. */
static tern_link_result queue_read(tern_link *l, uint32_t address, const uint32_t *words, uint32_t *out, size_t n)
{
    uint32_t us;
    l->taken = 0;
    RETURN_IF_NOT_OK(is_open(l));
    while (l->taken < n) {
        if (space(l) < 5 || l->build_words == TERN_LINK_REPLY_WORDS) {
            RETURN_IF_NOT_OK(push(l));
            continue;
        }
        if (l->dest_next - l->dest_base == TERN_LINK_READS) {
            RETURN_IF_NOT_OK(push(l));
            RETURN_IF_NOT_OK(work(l, &us));
            if (l->dest_next - l->dest_base == TERN_LINK_READS) rest(l, us);
            continue;
        }
        unsigned k = least(n - l->taken, TERN_LINK_REPLY_WORDS - l->build_words);
        const uint32_t from = address + (uint32_t)l->taken;
        if (words != NULL) {
            k = least(k, (space(l) - 1) / 4);
            append_op(l, TERN_LINK_OP_ECHO, k, NULL);
            append_words(l, words + l->taken, k);
        } else {
            append_op(l, TERN_LINK_OP_READ, k, &from);
        }
        l->dests[l->dest_next++ & (TERN_LINK_READS - 1)] = (tern_link_dest){ out + l->taken, (uint8_t)k };
        l->build_words = (uint8_t)(l->build_words + k);
        ++l->build_reads;
        l->merge_at = 0;
        l->taken += k;
        l->stats.words_read += k;
    }
    return TERN_LINK_R_OK;
}

tern_link_result tern_link_read(tern_link *l, uint32_t address, uint32_t *out, size_t n)
{
    return queue_read(l, address, NULL, out, n);
}
tern_link_result tern_link_echo(tern_link *l, const uint32_t *words, uint32_t *out, size_t n)
{
    return queue_read(l, 0, words, out, n);
}

tern_link_result tern_link_get(tern_link *l, uint32_t address, uint32_t *out, size_t n)
{
    RETURN_IF_NOT_OK(tern_link_read(l, address, out, n));
    return tern_link_sync(l);
}

tern_link_result tern_link_wait_idle(tern_link *l)
{
    RETURN_IF_NOT_OK(is_open(l));
    if (space(l) == 0) RETURN_IF_NOT_OK(push(l));
    append_op(l, TERN_LINK_OP_WAIT, 1, NULL);
    l->merge_at = 0;
    return TERN_LINK_R_OK;
}

/* ---- connecting -------------------------------------------------------------------------------------------------- */

/* Sends INFO or OPEN until it is answered, for at most limit_us. */
static tern_link_result ask(tern_link *l, uint8_t command, uint8_t session, uint32_t limit_us)
{
    const uint32_t begin = now(l);
    bool moved;
    tern_link_result r;
    control(l, command, session);
    for (;;) {
        r = pump(l, &moved);
        if (r != TERN_LINK_R_OK || l->answered) break;
        const uint32_t t = now(l);
        if (t - begin > limit_us) {
            r = l->looped ? TERN_LINK_R_LOOPED : TERN_LINK_R_SILENT;
            break;
        }
        if (l->control_sent && t - l->control_timer > l->config.timeout_us) l->control_sent = false;
        else if (!moved) rest(l, l->config.timeout_us);
    }
    l->control[0] = 0;
    l->answered = false;
    return r;
}

static tern_link_result info(tern_link *l, uint32_t limit_us)
{
    RETURN_IF_NOT_OK(ask(l, TERN_LINK_INFO, 0, limit_us));
    const unsigned log = l->answer[4] & 15u;
    if (l->answer[4] >> 4 != TERN_LINK_PROTOCOL || log < 9 || log > 12) return TERN_LINK_R_VERSION;
    l->buffer_bytes = 1u << log;
    l->session = l->answer[1];
    return TERN_LINK_R_OK;
}

tern_link_result tern_link_probe(tern_link *l)
{
    clear(l);
    return info(l, l->config.timeout_us);
}

static tern_link_result identify(tern_link *l)
{
    static const struct {
        uint8_t word, n;
    } part[] = { { TERN_LINK_REG_ID, 2 }, { 11, 21 }, { TERN_LINK_REG_LAYOUT, 1 } };
    memset(l->registers, 0, sizeof l->registers);
    /* registers 32..63 would wait for the end of a step (of a small core all but STATUS), and a core that hangs has
     * none: LAYOUT is left 0 */
    const size_t n = sizeof part / sizeof part[0] - (l->answer[0] & TERN_LINK_BUSY ? 1 : 0);
    for (size_t i = 0; i < n; ++i)
        RETURN_IF_NOT_OK(tern_link_read(l, part[i].word, l->registers + part[i].word, part[i].n));
    RETURN_IF_NOT_OK(tern_link_sync(l));
    return l->registers[TERN_LINK_REG_ID] == CORE_ID &&
                   l->registers[TERN_LINK_REG_VERSION] == tern_link_version(l->registers[TERN_LINK_REG_SMALL])
               ? TERN_LINK_R_OK
               : TERN_LINK_R_FOREIGN;
}

tern_link_result tern_link_open(tern_link *l)
{
    for (unsigned i = 0; i < TRIES; ++i) {
        clear(l);
        RETURN_IF_NOT_OK(info(l, l->config.give_up_us));
        const uint8_t before = l->session;
        RETURN_IF_NOT_OK(ask(l, TERN_LINK_OPEN, before, l->config.give_up_us));
        l->session = (uint8_t)(before + 1);
        /* an older OPEN came in between */
        if (l->answer[1] != l->session || !(l->answer[0] & TERN_LINK_IS_OPEN)) continue;
        l->open = true;
        const tern_link_result r = identify(l);
        if (r == TERN_LINK_R_LOST || r == TERN_LINK_R_TAKEN) continue;
        if (r != TERN_LINK_R_OK) l->open = false;
        return r;
    }
    return TERN_LINK_R_LOST;
}

tern_link_result tern_link_reset(tern_link *l)
{
    static const uint8_t body[3] = { TERN_LINK_RESET, 0, 0 };
    const uint32_t begin = now(l);
    clear(l);
    l->wire_n = (uint16_t)tern_link_encode(body, sizeof body, l->wire);
    while (l->wire_at < l->wire_n) {
        bool moved;
        RETURN_IF_NOT_OK(pump(l, &moved));
        if (now(l) - begin > l->config.give_up_us) return TERN_LINK_R_SILENT;
        if (!moved) rest(l, 1000);
    }
    return TERN_LINK_R_OK;
}
