/* tern_micro.c : writes a program of the sequencer down, keeping its pipeline's rules
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operand's address is taken one cycle before an instruction acts. So behind an instruction that sets a pointer, or
 * stores a variable, the next one cannot use it: a NOP is put between them. (Through pointers the programmer sees to
 * it.)
 */
#include "tern_micro.h"
#include <string.h>

static bool has_operand(unsigned op)
{
    return op == M_CSUB || op == M_LD || op == M_ADD || op == M_SUB || op == M_LDX || op == M_XADD || op == M_MUL ||
           op == M_RSUB || op == M_ST || op == M_INC || op == M_ADDTO || (op >= M_LDS && op <= M_C1);
}

unsigned micro_op_of(uint32_t word) { return word >> 15 == M_FAR ? (unsigned)M_JMP : word >> 15; }

unsigned micro_target(uint32_t word) { return (word & 1023u) | (word >> 15 == M_FAR ? 1024u : 0u); }

static bool reads(unsigned op) { return has_operand(op) && op != M_ST; }

static void put(micro *m, uint32_t word)
{
    if (m->n == MICRO_WORDS) m->error = "the program is too long";
    else m->code[m->n++] = word;
}

/* May `word` not follow `before` at once? strict: nor if a pointer may lead to the same word. */
static bool too_near(uint32_t before, uint32_t word, bool strict)
{
    const uint32_t op = micro_op_of(word), op0 = micro_op_of(before);
    const bool pointer =
        op0 >= M_PD && op0 < M_C0 && has_operand(op) && (word >> 14 & 1u) != 0 && (word >> 12 & 3u) == (op0 & 3u);
    const unsigned space0 = before >> 8 & 7u, space = word >> 8 & 7u;
    const bool direct = ((before | word) >> 14 & 1u) == 0 && space == SP_DATA &&
                        (space0 == SP_DATA || space0 == SP_LOW || space0 == SP_HIGH);
    const bool store = (op0 == M_ST || op0 == M_INC || op0 == M_ADDTO) && reads(op) &&
                       (direct ? (before & 255u) == (word & 255u) : strict);
    /* the number of a shift is taken early as well */
    const bool shift = op0 == M_LDS && op == M_SHIFT && (word & SHIFT_SH) != 0;
    return pointer || store || shift;
}

bool micro_rounds(uint32_t word)
{
    const unsigned op = micro_op_of(word);
    return (word >> 11 & 1u) != 0 && op != M_LDI && op != M_ADDI && op != M_JMP && op != M_CTL;
}

static void spaced(micro *m, uint32_t word)
{
    const bool last = m->n > 0 && micro_rounds(m->code[m->n - 1]); /* of a round */
    if (last &&
        (too_near(m->code[m->n - 1], word, false) || too_near(word, m->code[m->loop], false) || micro_rounds(word)))
        m->error = "the last instruction of a round is too near to another one";
    if (m->n > 0 && too_near(m->code[m->n - 1], word, false)) {
        /* whoever jumps here does not need it */
        for (unsigned i = 0; i < m->n_labels; ++i) m->label[i].at += m->label[i].at == m->n;
        put(m, (uint32_t)M_ADDI << 15); /* A += 0 */
    }
    put(m, word);
}

void micro_emit(micro *m, micro_op op, micro_at at) { spaced(m, (uint32_t)op << 15 | at.bits); }

void micro_number(micro *m, micro_op op, int32_t n)
{
    if (n < -16384 || n > 16383) m->error = "a number beyond 15 bits";
    spaced(m, (uint32_t)op << 15 | ((uint32_t)n & 0x7fffu));
}

void micro_jump(micro *m, micro_if cond, const char *label)
{
    if (m->n > 0 && micro_rounds(m->code[m->n - 1])) m->error = "a jump as the last instruction of a round";
    if (cond != IF_RET) {
        m->use[m->n_uses].name = label;
        m->use[m->n_uses++].at = m->n;
    }
    put(m, (uint32_t)M_JMP << 15 | (uint32_t)cond << 10);
}

void micro_label(micro *m, const char *name)
{
    for (unsigned i = 0; i < m->n_labels; ++i)
        if (strcmp(m->label[i].name, name) == 0) m->error = name;
    if (m->n_labels == MICRO_LABELS) m->error = "too many labels";
    else {
        m->label[m->n_labels].name = name;
        m->label[m->n_labels++].at = m->n;
    }
}

void micro_loop(micro *m, const char *name)
{
    micro_jump(m, IF_CALL, name);
    micro_label(m, name);
    m->loop = m->n;
}

static unsigned cond_of(uint32_t word) { return micro_op_of(word) == M_JMP ? word >> 10 & 31u : IF_SLOT - 1u; }

static bool labelled(const micro *m, unsigned at)
{
    for (unsigned i = 0; i < m->n_labels; ++i)
        if (m->label[i].at == at) return true;
    return false;
}

/* Moves the instruction before the jump at `at` behind it, if it acts there as it did before. */
static void fill_slot(micro *m, unsigned at)
{
    const unsigned cond = cond_of(m->code[at]);
    const uint32_t moved = m->code[at - 1u], op = micro_op_of(moved);
    if (cond > IF_LOOP1 || labelled(m, at) || op == M_JMP || (op == M_CTL && (moved & CTL_DONE) != 0)) return;
    /* it is in a slot already */
    if (at >= 2u && (cond_of(m->code[at - 2u]) >= IF_SLOT || micro_rounds(m->code[at - 2u]))) return;
    if (micro_rounds(moved)) return;
    if ((cond == IF_LOOP0 && op == M_C0) || (cond == IF_LOOP1 && op == M_C1)) return;
    if ((cond == IF_LOOP0 || cond == IF_LOOP1) && at + 1u < m->n && too_near(moved, m->code[at + 1u], true)) return;
    for (unsigned i = 0; i < m->n_uses; ++i) {
        const unsigned from = m->use[i].at, to = micro_target(m->code[from]);
        if (from == at && too_near(moved, m->code[to], true)) return;
        if (cond == IF_RET && (cond_of(m->code[from]) & 7u) == IF_CALL) /* where it may return to */
            for (unsigned k = 1; k <= 2 && from + k < m->n; ++k)
                if (too_near(moved, m->code[from + k], true)) return;
    }
    m->code[at - 1u] = m->code[at] + ((uint32_t)IF_SLOT << 10);
    m->code[at] = moved;
    for (unsigned i = 0; i < m->n_uses; ++i) m->use[i].at -= m->use[i].at == at;
}

bool micro_link(micro *m)
{
    for (unsigned i = 0; i < m->n_uses && m->error == NULL; ++i) {
        unsigned n = 0;
        while (n < m->n_labels && strcmp(m->label[n].name, m->use[i].name) != 0) ++n;
        if (n == m->n_labels) m->error = m->use[i].name;
        else m->code[m->use[i].at] |= m->label[n].at & 1023u;
        if (n < m->n_labels && m->label[n].at > 1023u) m->code[m->use[i].at] ^= (uint32_t)(M_JMP ^ M_FAR) << 15;
    }
    return m->error == NULL;
}

void micro_fill_slots(micro *m)
{
    for (unsigned at = 1; at < m->n; ++at) fill_slot(m, at);
}
