/* tern_micro.c : writes a program of the sequencer down, keeping its pipeline's rules
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operand's address is taken one cycle before an instruction acts. So behind an instruction that sets a pointer, or stores a variable, the next one cannot
 * use it: a NOP is put between them. (Through pointers the programmer sees to it.)
 */
#include "tern_micro.h"
#include <string.h>

static bool has_operand(unsigned op)
{
    return op == M_CSUB || op == M_LD || op == M_ADD || op == M_SUB || op == M_LDX || op == M_XADD || op == M_MUL || op == M_ST || op == M_INC || op == M_ADDTO || (op >= M_LDS && op < M_PA) || op == M_C0 || op == M_C1;
}

static bool reads(unsigned op) { return has_operand(op) && op != M_ST; }

static void put(micro *m, uint32_t word)
{
    if (m->n == MICRO_WORDS) m->error = "the program is too long";
    else m->code[m->n++] = word;
}

static void spaced(micro *m, uint32_t word)
{
    if (m->n > 0) {
        const uint32_t before = m->code[m->n - 1], op = word >> 15, op0 = before >> 15;
        const bool pointer = op0 >= M_PD && op0 < M_C0 && has_operand(op) && (word >> 14 & 1u) != 0 && (word >> 12 & 3u) == (op0 & 3u);
        const unsigned space0 = before >> 8 & 7u, space = word >> 8 & 7u;
        const bool variable = (op0 == M_ST || op0 == M_INC || op0 == M_ADDTO) && reads(op) && ((before | word) >> 14 & 1u) == 0 && (before & 255u) == (word & 255u) && (space0 == SP_DATA || space0 == SP_LOW) && space == SP_DATA;
        const bool shift = op0 == M_LDS && op == M_SHIFT && (word & SHIFT_SH) != 0; /* the number of a shift is taken early as well */
        if (pointer || variable || shift) {
            for (unsigned i = 0; i < m->n_labels; ++i) m->label[i].at += m->label[i].at == m->n; /* whoever jumps here does not need it */
            put(m, (uint32_t)M_ADDI << 15); /* A += 0 */
        }
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

bool micro_link(micro *m)
{
    for (unsigned i = 0; i < m->n_uses && m->error == NULL; ++i) {
        unsigned n = 0;
        while (n < m->n_labels && strcmp(m->label[n].name, m->use[i].name) != 0) ++n;
        if (n == m->n_labels) m->error = m->use[i].name;
        else m->code[m->use[i].at] |= m->label[n].at;
    }
    return m->error == NULL;
}
