/* tern_micro.h : the sequencer of the small core: instructions, and how its program is written down
 * SPDX-License-Identifier: Apache-2.0
 *
 * rtl/small/tern_micro.v executes this. A program is a C function that calls the functions below; tern_micro_rom.c
 * makes Verilog of it.
 *
 * Registers: A (32 bits, arithmetic), X (32 bits, second operand and Threefry's second word), P (product), SH (shift),
 * C0 and C1 (loop counters, 8 and 6 bits), pointers P0..P3, a link for one level of calls. Operands are words of the
 * data memory: a variable (number below 256), or through a pointer, which may step.
 */
#ifndef TERN_MICRO_H
#define TERN_MICRO_H
#include <stdbool.h>
#include <stdint.h>

enum { MICRO_WORDS = 1536 /* of a core with every rule; with GEM alone 1024 */, MICRO_LABELS = 256 };

/* clang-format off */
typedef enum micro_op {
    M_CSUB /* A >= d, unsigned: A = (A - d) | 1 */, M_LD /* A = d */, M_ADD /* A += d */, M_SUB /* A -= d */,
    M_LDX /* X = d */, M_XADD /* X += d */, M_MUL /* P = X[15:0] d[15:0], signed */, M_RSUB /* A = d - A */,
    M_LDI = 9 /* A = n */, M_ADDI /* A += n */, M_DBL /* A += A */, M_SHIFT /* A >>= n: micro_number with SHIFT_ */,
    M_INC /* A = d = d + 1 */,
    M_ADDTO /* A = d = d + A */, M_FAR /* JMP to 1024 and up */,
    M_AX = 16 /* A = X */, M_ROUND /* A += X; X = rotl(X, n: ROTL_) ^ A */, M_ST /* d = A */, M_LDS /* SH = d */,
    M_PD /* ..+3: pointer = d */, M_PA = M_PD + 4 /* ..+3: pointer = A + d */, M_C0 = M_PA + 4 /* counter = d */, M_C1,
    M_JMP, M_CTL
} micro_op;
/* clang-format on */

/* Jumps. A jump that is taken costs a cycle, unless the instruction behind it acts before it (IF_SLOT more than one of
 * the first five): micro_fill_slots() moves the one before the jump there where it can. CALL leaves the address behind
 * it in the link, RET goes there. LOOP0, LOOP1: the counter is decremented, and jumped until it is 0. From FULL on:
 * rtl/small/tern_small.v, waits. */
/* clang-format off */
typedef enum micro_if {
    IF_ALWAYS, IF_CALL, IF_RET, IF_LOOP0, IF_LOOP1, IF_NEG, IF_NONNEG, IF_ZERO, IF_NONZERO, IF_ODD, IF_EVEN,
    IF_NOT16 = 11 /* A below -32767 or above 32767 */, IF_NOT29 /* A beyond 29 bits, signed */,
    IF_LARGE /* A below -2047 or above 2047 */,
    IF_OVER /* the last SUB, signed, went beyond 32 bits; only in a core with every rule */,
    IF_FULL = 16, IF_NO_RESULT, IF_PASS_BUSY, IF_DIRTY, IF_KERNEL_BUSY,
    IF_ROWS /* rows of the neuron that is prepared are left */, IF_CLAMPED, IF_VISIBLE /* the neuron that fires */,
    IF_SLOT = 24
} micro_if;
/* clang-format on */

/* What ST writes to, what the others read from (DATA, RESULT, SATURATIONS). */
/* clang-format off */
typedef enum micro_space { SP_DATA = 0, SP_ROW = 1, SP_FRAME = 2, SP_HIST = 3, SP_TAPS = 4, SP_SUMC = 5,
    SP_HIGH = 6 /* upper half of a data word */, SP_LOW = 7 /* lower half */, SP_RESULT = 1,
    SP_SATURATIONS = 2 } micro_space;

enum { CTL_DONE = 1, CTL_PUSH = 2, CTL_TAKEN = 4, CTL_KERNEL = 8, CTL_FLIP = 16, CTL_CLEAN = 32,
    CTL_BEGIN = 64 /* A: bit 0 update, bit 1 potentials */, CTL_FLAGS = 128 /* CLAMPED and VISIBLE are as here */,
    CTL_TELL = 256 /* times what: 2 bias, 3 self-memory, 4 v, 5 m, 6 baseline of neuron A */,
    CTL_ROWS = 2048 /* rows are left, until the last one is pushed */, CTL_CLAMPED = 4096, CTL_VISIBLE = 8192 };
enum { ROTL_13 = 0, ROTL_15, ROTL_6, ROTL_29, ROTL_24, ROTL_26, ROTL_17, ROTL_16 };
enum { SHIFT_SH = 32 /* instead of a number: register SH */, SHIFT_ROUND = 64, SHIFT_UNSIGNED = 128,
    SHIFT_P = 256 /* of P instead of A */, SHIFT_X = 512 /* into X instead of A */, SHIFT_ADD = 1024 /* added to A */,
    SHIFT_LAST = 2048 /* as in_round() */ };
/* clang-format on */

typedef struct micro {
    uint32_t code[MICRO_WORDS];
    unsigned n;
    struct {
        const char *name;
        unsigned at;
    } label[MICRO_LABELS];
    struct {
        const char *name;
        unsigned at;
    } use[MICRO_WORDS];
    unsigned n_labels, n_uses, loop /* where the current loop begins (micro_loop) */;
    const char *error; /* first mistake, or NULL */
} micro;

/* An operand. */
typedef struct micro_at {
    uint32_t bits;
} micro_at;
static inline micro_at at_var(unsigned v) { return (micro_at){ v & 255u }; }
static inline micro_at at_ptr(unsigned p) { return (micro_at){ 1u << 14 | p << 12 }; }
static inline micro_at at_inc(unsigned p) { return (micro_at){ 1u << 14 | p << 12 | 1u }; }
static inline micro_at at_dec(unsigned p) { return (micro_at){ 1u << 14 | p << 12 | 3u }; }
/* The instruction behind this one is the last of a round of the loop that begins at the link (micro_loop): counter C0
 * is decremented, and round again until it is 0. */
static inline micro_at in_round(micro_at a) { return (micro_at){ a.bits | 1u << 11 }; }
static inline micro_at in_space(micro_space s, micro_at a) { return (micro_at){ a.bits | (uint32_t)s << 8 }; }

void micro_emit(micro *m, micro_op op, micro_at at); /* an operation with an operand */
/* LDI, ADDI: -16384..16383; SHIFT 0..31 or SHIFT_SH, and how; ROUND 0..7; CTL: bits; others: 0 */
void micro_number(micro *m, micro_op op, int32_t n);
void micro_jump(micro *m, micro_if cond, const char *label);
void micro_label(micro *m, const char *name);
/* the link is set to what follows, a label: there begins a loop that in_round() ends. No call may lie between them */
void micro_loop(micro *m, const char *name);
bool micro_link(micro *m); /* fills in the jumps; false: error */

bool micro_rounds(uint32_t word);     /* an instruction with in_round() */
unsigned micro_op_of(uint32_t word);  /* JMP for FAR, too */
unsigned micro_target(uint32_t word); /* of a jump */
/* at the end; what the program does stays the same, in fewer cycles */
void micro_fill_slots(micro *m);
void micro_program(micro *m, bool rules); /* tern_microcode.c; rules: every rule, with baselines */

#endif /* TERN_MICRO_H */
