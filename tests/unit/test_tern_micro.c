/* test_tern_micro.c : what the program of the small core keeps to, whatever the data (docs/41-proofs.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Control flow only: an instruction may go wherever its jumps lead, so what holds here holds for all data.
 *  1  Every jump ends inside, no path runs off the end, a routine calls no other one, and only routines return.
 *  2  Every loop ends: by a counter (at most 256 rounds), by a variable that only grows or only falls and that is
 *  compared on each way round, or by a wait for tern_stream or tern_kernel,
 *     which formal.stream and formal.kernel prove to come. Three jumps depend on the network, and two on what is still
 *     due, instead: `by_network`. While it waits for results the program may push rows (`asks`).
 *  3  The program keeps the word that formal_stream.v takes from it: it pushes rows and writes them only behind a wait
 *  for room, with the kernel done, takes results only where there are some,
 *     and neither ends nor changes mode while rows are passed over.
 *     Behind the rows of kind shift it pushes one only where one is left.
 *  4  The program in the ROM (micro_fill_slots) is the same but for delay slots, and what stands there is not too near
 *  to what follows.
 */
#include "micro/tern_micro.h"
#include "tern_check.h"

enum {
    MAX = MICRO_WORDS,
    NONE = MICRO_WORDS,
    F_ROOM = 1,
    F_KERNEL = 2,
    F_RESULT = 4,
    F_PUSHED = 8,
    F_BEGUN = 16,
    F_ROWS = 32 /* one of the neuron's is left */,
    FLAGS = 64
};

/* The first jump to `to` behind label `from`. */
static const struct {
    const char *from, *to, *why;
} by_network[] = {
    { "prologue", "prologue", "rows of kind SHIFT come to an end" },
    { "no_shift", "prologue", "rows of kind SHIFT come to an end" },
    { "fired", "fired", "each neuron has a last row" },
    { "part_done", "fire", "a part of the signal less is due each time: DUE falls from 3 to 0" },
    { "ring_end", "coefficient", "the ring of errors continues at its beginning once" },
    { "g_ring", "g_lag", "the same for baselines" },
    { "signal", "begin", "what only firing needs is set once" },
    { "finish", "fire", "only while a part of the signal is due" },
};

/* Where the program asks the hardware and continues either way, instead of waiting in a loop of one instruction: the
 * first jump to `to` behind label `from`. Results are waited for all the same: all rows of their neuron are in the row
 * buffer, and pushing those of the next one does not keep them from coming. */
static const struct {
    micro_if cond;
    const char *from, *to;
} asks[] = {
    { IF_NO_RESULT, "fire_wait", "fire_idle" },
    { IF_FULL, "idle_push", "fire_wait" },
    { IF_FULL, "sample_push", "sampled" },
};

static char problem[200];
static bool bad(const char *what, unsigned at) /* keeps the first */
{
    if (problem[0] == '\0') snprintf(problem, sizeof problem, "%s at %u", what, at);
    return false;
}

static unsigned op_of(const micro *m, unsigned a) { return micro_op_of(m->code[a]); }
static unsigned cond_of(const micro *m, unsigned a) { return m->code[a] >> 10 & 31u; }
static unsigned target_of(const micro *m, unsigned a) { return micro_target(m->code[a]); }
static uint32_t jump_word(micro_if cond, unsigned to)
{
    return (uint32_t)(to > 1023u ? M_FAR : M_JMP) << 15 | (uint32_t)cond << 10 | (to & 1023u);
}
static bool is_jump(const micro *m, unsigned a, unsigned cond) { return op_of(m, a) == M_JMP && cond_of(m, a) == cond; }
static bool ends(const micro *m, unsigned a) { return op_of(m, a) == M_CTL && (m->code[a] & CTL_DONE) != 0; }
static bool is_wait(const micro *m, unsigned a)
{
    return op_of(m, a) == M_JMP && (cond_of(m, a) == IF_FULL || cond_of(m, a) == IF_NO_RESULT ||
                                    cond_of(m, a) == IF_PASS_BUSY || cond_of(m, a) == IF_KERNEL_BUSY);
}
static unsigned label_at(const micro *m, const char *name)
{
    for (unsigned i = 0; i < m->n_labels; ++i)
        if (strcmp(m->label[i].name, name) == 0) return m->label[i].at;
    return NONE;
}
/* First jump to `to` behind label `from`: of this condition, or (IF_ALWAYS) any but calls, returns and those that look
 * at the hardware. NONE: there is none. */
static unsigned jump_to(const micro *m, const char *from, const char *to, micro_if cond)
{
    const unsigned target = label_at(m, to);
    unsigned a = label_at(m, from);
    if (target == NONE) return NONE;
    for (; a < m->n; ++a) {
        if (op_of(m, a) != M_JMP || target_of(m, a) != target) continue;
        if (cond != IF_ALWAYS ? cond_of(m, a) == (unsigned)cond
                              : !is_wait(m, a) && cond_of(m, a) != IF_CALL && cond_of(m, a) != IF_RET)
            return a;
    }
    return NONE;
}
static bool is_ask(const micro *m, unsigned a)
{
    for (unsigned i = 0; i < sizeof asks / sizeof asks[0]; ++i)
        if (jump_to(m, asks[i].from, asks[i].to, asks[i].cond) == a) return true;
    return false;
}
static bool labelled_at(const micro *m, unsigned a)
{
    for (unsigned i = 0; i < m->n_labels; ++i)
        if (m->label[i].at == a) return true;
    return false;
}
/* The variable that is an instruction's operand (data memory, by number), or NONE. */
static unsigned variable(const micro *m, unsigned a)
{
    const unsigned op = op_of(m, a);
    const bool has = op <= M_RSUB || op == M_INC || op == M_ADDTO || op == M_ST || (op >= M_LDS && op <= M_C1);
    const unsigned space = m->code[a] >> 8 & 7u;
    return has && (m->code[a] >> 14 & 1u) == 0 &&
                   (space == SP_DATA || (op == M_ST && (space == SP_LOW || space == SP_HIGH)))
               ? m->code[a] & 255u
               : NONE;
}
/* Loops without a jump: the link is where their rounds begin (a call of what follows it), a round ends behind the
 * instruction that follows one with in_round(). */
static bool is_loop(const micro *m, unsigned a) { return is_jump(m, a, IF_CALL) && target_of(m, a) == a + 1u; }
static bool ends_round(const micro *m, unsigned a) { return a > 0 && micro_rounds(m->code[a - 1u]); }
static unsigned round_begins(const micro *m, unsigned a)
{
    while (a > 0 && !is_loop(m, a)) --a;
    return a + 1u;
}
static bool writes(const micro *m, unsigned a)
{
    return op_of(m, a) == M_ST || op_of(m, a) == M_INC || op_of(m, a) == M_ADDTO;
}

/* Ways on inside a routine: a call comes back. Two at most. */
static unsigned next_of(const micro *m, unsigned a, unsigned out[2])
{
    if (ends(m, a) || is_jump(m, a, IF_RET)) return 0;
    if (ends_round(m, a)) {
        out[0] = round_begins(m, a);
        out[1] = a + 1u;
        return 2;
    }
    if (op_of(m, a) != M_JMP || cond_of(m, a) == IF_CALL) {
        out[0] = a + 1u;
        return 1;
    }
    out[0] = target_of(m, a);
    if (cond_of(m, a) == IF_ALWAYS) return 1;
    out[1] = a + 1u;
    return 2;
}

/* ---- 1 and 3: every state that the control flow allows: place, what is known, where a routine returns to --------- */
static bool step(const micro *m, unsigned a, unsigned *flags)
{
    const unsigned op = op_of(m, a), code = m->code[a] & 0x7fffu, space = code >> 8 & 7u;
    unsigned f = *flags;
    if (op == M_ST && space != SP_DATA && space != SP_LOW && space != SP_HIGH) {
        const bool slot = space == SP_ROW && (code >> 14 & 1u) == 0 && (code & 255u) < 128u,
                   behind = space == SP_ROW && !slot;
        if (slot && (f & F_ROOM) == 0) return bad("a row is written without room for it", a);
        if (behind && (f & F_KERNEL) != 0) return bad("the row buffer is written while the kernel writes it", a);
        if ((space == SP_TAPS || space == SP_SUMC) && (f & F_KERNEL) != 0)
            return bad("the kernel's operands are written while it runs", a);
    }
    if (op == M_CTL) {
        if ((code & CTL_BEGIN) != 0) {
            if ((f & (F_PUSHED | F_KERNEL)) != 0) return bad("a pass begins in another one", a);
            f = F_BEGUN;
        }
        if ((code & (CTL_PUSH | CTL_KERNEL)) != 0 && (f & (F_ROOM | F_KERNEL | F_BEGUN)) != (F_ROOM | F_BEGUN))
            return bad("a row is pushed, or the kernel started, before there is room and the kernel done", a);
        if ((code & CTL_TAKEN) != 0 && (f & F_RESULT) == 0) return bad("results are taken that may not be there", a);
        if ((code & CTL_DONE) != 0 && (f & (F_PUSHED | F_KERNEL)) != 0)
            return bad("the end comes before the pass is idle", a);
        if ((code & CTL_TAKEN) != 0 && (code & (CTL_PUSH | CTL_KERNEL)) != 0) return bad("two things at once", a);
        if ((code & CTL_KERNEL) != 0 && (code & CTL_PUSH) == 0) return bad("a kernel without its row", a);
        if ((code & CTL_PUSH) != 0) f = (f & ~(unsigned)F_ROOM) | F_PUSHED;
        if ((code & CTL_KERNEL) != 0) f |= F_KERNEL;
        if ((code & CTL_TAKEN) != 0) f &= ~(unsigned)F_RESULT;
        if ((code & CTL_ROWS) != 0) f |= F_ROWS;
    }
    *flags = f;
    return true;
}

/* Must there be an instruction between these two? An operand's address, and the number of a shift, are taken a cycle
 * before an instruction acts. */
static bool needs_gap(const micro *m, unsigned a, unsigned b)
{
    const unsigned op = op_of(m, a), next = op_of(m, b), code = m->code[b];
    const bool operand =
        next <= M_RSUB || next == M_INC || next == M_ADDTO || next == M_ST || (next >= M_LDS && next <= M_C1);
    if (op >= M_PD && op < M_C0 && operand && (code >> 14 & 1u) != 0 && (code >> 12 & 3u) == (op & 3u)) return true;
    if (op == M_LDS && next == M_SHIFT && (code & SHIFT_SH) != 0) return true;
    return writes(m, a) && next != M_ST && variable(m, a) != NONE && variable(m, a) == variable(m, b);
}

static bool explore(const micro *m)
{
    enum { WORDS = (MAX * FLAGS * (MAX + 1) + 31) / 32 };
    static uint32_t seen[WORDS], stack[1u << 20];
    memset(seen, 0, sizeof seen);
    unsigned n = 0;
    stack[n++] = NONE; /* place 0, nothing known, no routine: (a * FLAGS + flags) * (MAX + 1) + link */
    while (n > 0) {
        const uint32_t s = stack[--n];
        if ((seen[s / 32] >> s % 32 & 1u) != 0) continue;
        seen[s / 32] |= 1u << s % 32;
        const unsigned link = s % (MAX + 1), a = s / (MAX + 1) / FLAGS;
        unsigned flags = s / (MAX + 1) % FLAGS;
        if (a >= m->n) return bad("a path runs off the end", a);
        if (!step(m, a, &flags)) return false;
        const bool call = is_jump(m, a, IF_CALL);
        const unsigned last = m->n > 1024u ? IF_OVER : IF_LARGE;
        if (op_of(m, a) == M_JMP && cond_of(m, a) > last && cond_of(m, a) < IF_FULL)
            return bad("an unknown condition", a);
        if (op_of(m, a) == M_JMP && cond_of(m, a) != IF_RET && target_of(m, a) >= m->n)
            return bad("a jump leads out of the program", a);
        if (is_wait(m, a) && target_of(m, a) != a && !is_ask(m, a)) return bad("a wait that is no loop of its own", a);
        const bool looped = link != NONE && is_loop(m, link - 1u);
        if (call && link != NONE && !looped) return bad("a call in a routine", a);
        if (ends_round(m, a) && (!looped || link != round_begins(m, a) || op_of(m, a) == M_JMP || op_of(m, a) == M_CTL))
            return bad("a round of no loop", a);
        if (ends_round(m, a) && (needs_gap(m, a - 1u, a) || needs_gap(m, a, link) || labelled_at(m, a)))
            return bad("the end of a round is too near to something", a);
        if (is_jump(m, a, IF_RET) && (link == NONE || looped)) return bad("a return outside routines", a);
        unsigned to[2] = { 0, 0 }, ways = next_of(m, a, to);
        if (is_jump(m, a, IF_RET)) {
            to[0] = link;
            ways = 1;
        }
        if (call) to[0] = target_of(m, a);
        /* not a row of kind shift: there they are asked for one by one */
        if (call && to[0] == label_at(m, "push") && a >= label_at(m, "prepare")) {
            if ((flags & F_ROWS) == 0) return bad("a row is pushed where none may be left", a);
            flags &= ~(unsigned)F_ROWS; /* it may have been the last */
        }
        for (unsigned i = 0; i < ways; ++i) {
            unsigned f = flags;
            if (is_wait(m, a) && to[i] == a) continue;
            /* room there is only behind the row before, and that one waits for its kernel */
            if (is_wait(m, a) && i == 1)
                f = cond_of(m, a) == IF_FULL ? (f | F_ROOM) & ~(unsigned)F_KERNEL
                    : cond_of(m, a) == IF_NO_RESULT
                        ? f | F_RESULT
                        : f & ~(unsigned)(cond_of(m, a) == IF_PASS_BUSY ? F_PUSHED | F_KERNEL : F_KERNEL);
            if (n == sizeof stack / sizeof stack[0]) return bad("too many states", a);
            if (is_jump(m, a, IF_ROWS)) f = i == 0 ? f | F_ROWS : f & ~(unsigned)F_ROWS;
            stack[n++] = (to[i] * FLAGS + f) * (MAX + 1) + (call ? a + 1u : is_jump(m, a, IF_RET) ? NONE : link);
        }
    }
    return true;
}

/* ---- 2: loops ---------------------------------------------------------------------------------------------------- */
typedef struct flow {
    const micro *m;
    unsigned to[MAX][2]; /* ways on that may still be part of a loop, or NONE */
    bool gone[MAX];      /* instructions that no loop needs any more */
    unsigned part[MAX];  /* loops that hang together have one number; 0: in no loop */
    unsigned parts;
} flow;

/* by one step and more, inside part, not through `without` */
static bool reaches(const flow *f, unsigned from, unsigned to, unsigned part, unsigned without)
{
    static bool seen[MAX];
    static unsigned stack[MAX + 1];
    unsigned n = 0;
    memset(seen, 0, sizeof seen);
    stack[n++] = from;
    while (n > 0) {
        const unsigned a = stack[--n];
        for (unsigned i = 0; i < 2; ++i) {
            const unsigned b = f->to[a][i];
            if (b == NONE || f->gone[b] || b == without || (part != 0 && f->part[b] != part)) continue;
            if (b == to) return true;
            if (!seen[b]) {
                seen[b] = true;
                stack[n++] = b;
            }
        }
    }
    return false;
}

/* Loops that hang together (strongly connected components, by Tarjan's algorithm), numbered from the first instruction
 * on. */
static void find_parts(flow *f)
{
    /* when an instruction was met, from 1; the earliest that it reaches of those still open; its component */
    static unsigned met[MAX], low[MAX], of[MAX];
    static unsigned path[MAX], open[MAX], ways[MAX]; /* ways: how many were followed */
    static unsigned number[MAX + 1], size[MAX + 1];  /* of a component */
    unsigned time = 0, components = 0, n_open = 0;
    memset(met, 0, sizeof met);
    memset(of, 0, sizeof of);
    memset(number, 0, sizeof number);
    for (unsigned first = 0; first < f->m->n; ++first) {
        if (f->gone[first] || met[first] != 0) continue;
        unsigned n = 0;
        path[n++] = open[n_open++] = first;
        met[first] = low[first] = ++time;
        ways[first] = 0;
        while (n > 0) {
            const unsigned a = path[n - 1u];
            if (ways[a] < 2u) {
                const unsigned b = f->to[a][ways[a]++];
                if (b == NONE || f->gone[b]) continue;
                if (met[b] == 0) {
                    path[n++] = open[n_open++] = b;
                    met[b] = low[b] = ++time;
                    ways[b] = 0;
                } else if (of[b] == 0 && met[b] < low[a]) {
                    low[a] = met[b];
                }
                continue;
            }
            --n;
            if (n > 0 && low[a] < low[path[n - 1u]]) low[path[n - 1u]] = low[a];
            if (low[a] != met[a]) continue;
            size[++components] = 0;
            do {
                of[open[--n_open]] = components;
                ++size[components];
            } while (open[n_open] != a);
        }
    }
    f->parts = 0;
    memset(f->part, 0, sizeof f->part);
    for (unsigned a = 0; a < f->m->n; ++a) {
        const unsigned c = of[a];
        if (c == 0 || (size[c] == 1u && f->to[a][0] != a && f->to[a][1] != a)) continue;
        if (number[c] == 0) number[c] = ++f->parts;
        f->part[a] = number[c];
    }
}

/* Is there an instruction in the part, or in a routine that is called in it, for which `is` holds? */
static bool any(const flow *f, unsigned part, bool (*is)(const micro *, unsigned, unsigned), unsigned arg)
{
    static bool seen[MAX];
    static unsigned stack[2 * MAX + 2];
    memset(seen, 0, sizeof seen);
    for (unsigned a = 0; a < f->m->n; ++a) {
        if (f->part[a] != part) continue;
        if (is(f->m, a, arg)) return true;
        if (!is_jump(f->m, a, IF_CALL) || is_loop(f->m, a)) continue;
        unsigned n = 0;
        stack[n++] = target_of(f->m, a);
        while (n > 0) {
            const unsigned b = stack[--n];
            if (b >= f->m->n || seen[b]) continue;
            seen[b] = true;
            if (is(f->m, b, arg)) return true;
            unsigned to[2];
            for (unsigned i = next_of(f->m, b, to); i > 0; --i) stack[n++] = to[i - 1u];
        }
    }
    return false;
}
static bool sets_counter(const micro *m, unsigned a, unsigned op) { return op_of(m, a) == op; }

/* By how much the instruction changes its variable: INC, or a number added; 0: unknown. */
static int change(const micro *m, unsigned a)
{
    if (op_of(m, a) == M_INC) return 1;
    if (op_of(m, a) != M_ADDTO || a == 0 || op_of(m, a - 1u) != M_LDI) return 0;
    for (unsigned i = 0; i < m->n; ++i)
        if (op_of(m, i) == M_JMP && cond_of(m, i) != IF_RET && target_of(m, i) == a) return 0;
    const unsigned n = m->code[a - 1u] & 0x7fffu;
    return n >= 16384u ? (int)n - 32768 : (int)n;
}
static bool writes_otherwise(const micro *m, unsigned a, unsigned v)
{
    return writes(m, a) && variable(m, a) == v && change(m, a) == 0;
}
static bool falls(const micro *m, unsigned a, unsigned v)
{
    return writes(m, a) && variable(m, a) == v && change(m, a) < 0;
}
static bool grows(const micro *m, unsigned a, unsigned v)
{
    return writes(m, a) && variable(m, a) == v && change(m, a) > 0;
}
static bool writes_it(const micro *m, unsigned a, unsigned v) { return writes(m, a) && variable(m, a) == v; }

/* Does the jump at a compare v, alone or with something that the part does not change, and can it leave the part? */
static bool compares(const flow *f, unsigned part, unsigned a, unsigned v)
{
    const micro *m = f->m;
    if (f->part[a] != part || op_of(m, a) != M_JMP || cond_of(m, a) < IF_NEG || cond_of(m, a) > IF_NONZERO)
        return false;
    unsigned to[2], leaves = 0;
    for (unsigned i = next_of(m, a, to); i > 0; --i) leaves += f->gone[to[i - 1u]] || f->part[to[i - 1u]] != part;
    bool there = false;
    for (unsigned b = a; leaves > 0 && b-- > 0 && a - b <= 3u;) {
        const unsigned op = op_of(m, b), w = variable(m, b);
        if (op == M_JMP || op == M_CTL) return there;
        if (w == v) there = true;
        else if (w != NONE && op != M_ST && any(f, part, writes_it, w)) return false;
        if (op == M_LD || op == M_INC || op == M_ADDTO) return there; /* A begins here */
    }
    return there;
}

/* Takes something out of the part that can happen only so often; false: there is nothing. */
static bool cut(flow *f, unsigned part)
{
    const micro *m = f->m;
    for (unsigned c = 0; c < 2; ++c) { /* a counter that is set outside only */
        const unsigned set = c == 0 ? M_C0 : M_C1, loop = c == 0 ? IF_LOOP0 : IF_LOOP1;
        if (any(f, part, sets_counter, set)) continue;
        for (unsigned a = 0; a < m->n; ++a) {
            if (f->part[a] != part || !(is_jump(m, a, loop) || (c == 0 && ends_round(m, a))) || f->to[a][0] == NONE ||
                f->part[f->to[a][0]] != part)
                continue;
            f->to[a][0] = NONE;
            return true;
        }
    }
    for (unsigned a = 0; a < m->n; ++a) { /* a variable that goes one way, compared on each way round */
        const unsigned v = variable(m, a);
        if (f->part[a] != part || v == NONE || !writes(m, a) || change(m, a) == 0) continue;
        if (any(f, part, writes_otherwise, v) || (any(f, part, falls, v) && any(f, part, grows, v))) continue;
        for (unsigned j = 0; j < m->n; ++j) {
            if (!compares(f, part, j, v) || reaches(f, a, a, part, j)) continue;
            f->gone[a] = true;
            return true;
        }
    }
    return false;
}

static bool loops_end(const micro *m)
{
    static flow f;
    memset(&f, 0, sizeof f);
    f.m = m;
    for (unsigned a = 0; a < m->n; ++a) {
        const unsigned ways = next_of(m, a, f.to[a]);
        for (unsigned i = ways; i < 2; ++i) f.to[a][i] = NONE;
        if (is_wait(m, a) && (target_of(m, a) == a || cond_of(m, a) == IF_NO_RESULT)) f.to[a][0] = NONE;
    }
    for (unsigned i = 0; i < sizeof by_network / sizeof by_network[0]; ++i) {
        const bool gem = m->n <= 1024u && strcmp(by_network[i].from, "g_ring") == 0;
        if (gem && label_at(m, by_network[i].from) == NONE) continue;
        const unsigned a = jump_to(m, by_network[i].from, by_network[i].to, IF_ALWAYS);
        if (a == NONE) return bad(by_network[i].from, a);
        f.to[a][0] = NONE;
    }
    for (find_parts(&f); f.parts > 0; find_parts(&f)) {
        unsigned a = 0;
        while (f.part[a] != 1u) ++a;
        if (!cut(&f, 1u)) return bad("a loop that nothing ends", a);
    }
    return true;
}

static bool keeps_to_it(const micro *m)
{
    problem[0] = '\0';
    return explore(m) && loops_end(m);
}

/* ---- delay slots: the program in the ROM is the one above, but for instructions that act behind the jump they stood
 * before ---- */
static bool slotted(const micro *m, unsigned a) { return op_of(m, a) == M_JMP && cond_of(m, a) >= IF_SLOT; }

static bool slots_keep_it(const micro *before, const micro *filled)
{
    problem[0] = '\0';
    if (before->n != filled->n) return bad("slots change the length", filled->n);
    for (unsigned a = 0; a < filled->n; ++a) {
        if (!slotted(filled, a)) {
            if (filled->code[a] != before->code[a]) return bad("another instruction", a);
            continue;
        }
        const unsigned slot = a + 1u, cond = cond_of(filled, a) - IF_SLOT, moved = op_of(filled, slot);
        if (slot >= filled->n || before->code[a] != filled->code[slot] ||
            before->code[slot] != filled->code[a] - ((uint32_t)IF_SLOT << 10))
            return bad("a slot that holds something else", a);
        for (unsigned i = 0; i < before->n_labels; ++i)
            if (before->label[i].at == slot) return bad("a jump that is also jumped to has a slot", a);
        if (moved == M_JMP || ends(filled, slot) || (cond == IF_LOOP0 && moved == M_C0) ||
            (cond == IF_LOOP1 && moved == M_C1) || cond > IF_LOOP1)
            return bad("this cannot stand in the slot", slot);
        if (cond != IF_RET && needs_gap(filled, slot, target_of(filled, a)))
            return bad("too near to where the jump leads", slot);
        if ((cond == IF_LOOP0 || cond == IF_LOOP1) && slot + 1u < filled->n && needs_gap(filled, slot, slot + 1u))
            return bad("too near to what follows", slot);
        /* behind every call: what comes back continues there */
        for (unsigned c = 0; cond == IF_RET && c < filled->n; ++c)
            if (op_of(filled, c) == M_JMP && cond_of(filled, c) % IF_SLOT == IF_CALL &&
                needs_gap(filled, slot, slotted(filled, c) ? c + 2u : c + 1u))
                return bad("too near to where a call continues", slot);
        a = slot;
    }
    return true;
}

static unsigned check_slots(const micro *before)
{
    static micro filled, w;
    unsigned slots = 0;
    filled = *before;
    micro_fill_slots(&filled);
    if (!slots_keep_it(before, &filled)) printf("the filled program: %s\n", problem);
    CHECK_STR(problem, "");
    for (unsigned a = 0; a + 1u < filled.n; ++a) {
        if (!slotted(&filled, a)) continue;
        ++slots;
        w = filled; /* the slot is forgotten; it holds something else; it sets a pointer that is used at once */
        w.code[a] -= (uint32_t)IF_SLOT << 10;
        CHECK(!slots_keep_it(before, &w));
        w = filled;
        w.code[a + 1u] ^= 1u;
        CHECK(!slots_keep_it(before, &w));
        ++a;
    }
    /* a slot filled that must not be: an instruction that sets the pointer which the target uses */
    for (unsigned a = 1; a < before->n; ++a) {
        if (op_of(before, a) != M_JMP || cond_of(before, a) != IF_ALWAYS || labelled_at(before, a)) continue;
        const uint32_t use = before->code[target_of(before, a)];
        if (use >> 15 != M_LD || (use >> 14 & 1u) == 0) continue;
        static micro b;
        b = *before;
        b.code[a - 1u] = (uint32_t)(M_PD + (use >> 12 & 3u)) << 15;
        w = b;
        w.code[a - 1u] = b.code[a] + ((uint32_t)IF_SLOT << 10);
        w.code[a] = b.code[a - 1u];
        CHECK(!slots_keep_it(&b, &w));
        micro_fill_slots(&b);
        CHECK(!slotted(&b, a - 1u));
    }
    return slots;
}

/* ---- mistakes that have to be found ------------------------------------------------------------------------------ */
static unsigned found, planted;
static bool mistake(const micro *m, unsigned at, uint32_t code, bool must)
{
    static micro w;
    w = *m;
    w.code[at] = code;
    const bool seen = !keeps_to_it(&w);
    planted += must;
    found += must && seen;
    if (must && !seen) printf("not found: %05x at %u instead of %05x\n", (unsigned)code, at, (unsigned)m->code[at]);
    if (must) CHECK(seen);
    return seen;
}

/* What the assembler refuses behind the last instruction but one of a round. */
static const char *round_ends_with(unsigned how)
{
    static micro w;
    memset(&w, 0, sizeof w);
    micro_loop(&w, "loop");
    micro_emit(&w, how == 3 ? M_LDX : M_LD, at_var(how == 3 ? 7 : 5));
    micro_emit(&w, M_ST, in_round(at_var(6)));
    if (how == 1) micro_jump(&w, IF_ALWAYS, "loop");
    else if (how == 2) micro_emit(&w, M_ADD, in_round(at_var(5)));
    else if (how == 3) micro_emit(&w, M_ST, at_var(7));  /* the loop begins with it */
    else if (how == 4) micro_emit(&w, M_ADD, at_var(6)); /* it is being stored */
    else micro_emit(&w, M_ADD, at_var(8));
    return w.error;
}

static void check_program(bool rules)
{
    static micro m;
    m = (micro){ 0 };
    found = planted = 0;
    micro_program(&m, rules);
    CHECK(micro_link(&m));
    CHECK(m.n > 100u);
    if (!keeps_to_it(&m)) printf("the program: %s\n", problem);
    CHECK_STR(problem, "");
    const unsigned slots = check_slots(&m);
    CHECK(slots >= 30u);
    const uint32_t nop = (uint32_t)M_ADDI << 15;
    unsigned waits = 0, loops = 0, pushes = 0, counters = 0, variables = 0;
    for (unsigned a = 0; a < m.n; ++a) {
        /* a counted loop that depends on data */
        if (op_of(&m, a) == M_JMP && (cond_of(&m, a) == IF_LOOP0 || cond_of(&m, a) == IF_LOOP1) &&
            target_of(&m, a) <= a) {
            ++counters;
            mistake(&m, a, jump_word(IF_ODD, target_of(&m, a)), true);
        }
        if (is_loop(&m, a)) { /* a loop that begins nowhere, a counter set in each round */
            ++loops;
            mistake(&m, a, nop, true);
            mistake(&m, ends_round(&m, a + 2u) ? a + 2u : a + 1u, (uint32_t)M_C0 << 15 | 1u, true);
        }
        if (is_wait(&m, a)) { /* a wait left out; one that waits somewhere else */
            ++waits;
            /* asked for room or not: the routine waits for it */
            mistake(&m, a, nop, target_of(&m, a) == a || cond_of(&m, a) != IF_FULL);
            mistake(&m, a, m.code[a] - 1u, true);
        }
        /* a variable that stays; not every one ends a loop */
        if (writes(&m, a) && change(&m, a) != 0)
            variables += mistake(&m, a, (uint32_t)M_LD << 15 | (m.code[a] & 0x7fffu), false);
    }
    for (unsigned a = 0; a < m.n; ++a) { /* a row is pushed, whether one is left or not */
        const bool tells = op_of(&m, a) == M_CTL && (m.code[a] & CTL_ROWS) != 0;
        if (!tells && !is_jump(&m, a, IF_ROWS)) continue;
        ++pushes;
        mistake(&m, a, tells ? m.code[a] - CTL_ROWS : m.code[a] + ((uint32_t)(IF_VISIBLE - IF_ROWS) << 10), true);
    }
    CHECK(pushes >= 4u);
    CHECK(loops >= 3u);
    mistake(&m, label_at(&m, "fire"), m.code[label_at(&m, "fire")] | 1u << 11, true); /* a round without a loop */
    CHECK(waits >= 5u && counters >= 10u && variables >= 5u);
    /* a call in a routine */
    mistake(&m, label_at(&m, "push"), jump_word(IF_CALL, label_at(&m, "random")), true);
    /* a return outside */
    mistake(&m, label_at(&m, "fire"), jump_word(IF_RET, 0), true);
    /* a jump out */
    mistake(&m, label_at(&m, "fire") + 1u, jump_word(IF_ALWAYS, m.n + 1u), true);
    /* a loop of its own */
    mistake(&m, label_at(&m, "fire") + 1u, jump_word(IF_NEG, label_at(&m, "fire")), true);
    /* an end in the middle */
    mistake(&m, label_at(&m, "fire") + 1u, (uint32_t)M_CTL << 15 | CTL_DONE, true);
    /* a row without room */
    mistake(&m, label_at(&m, "fire") + 1u, (uint32_t)M_CTL << 15 | CTL_PUSH, true);
    /* a counter set in its loop */
    mistake(&m, label_at(&m, "max"), (uint32_t)M_C0 << 15 | 1u, true);
    printf("%u slots filled\n", slots);
    printf("%u instructions, %u counted loops, %u that a variable ends, %u waits; %u of %u mistakes found\n", m.n,
           counters, variables, waits, found, planted);
}

int main(void)
{
    CHECK(round_ends_with(0) == NULL);
    for (unsigned how = 1; how <= 4; ++how) CHECK(round_ends_with(how) != NULL);
    check_program(false);
    check_program(true);
    return tern_check_report("micro");
}
