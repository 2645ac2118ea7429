/* tern_microcode.h : words of the data memory and short names for instructions, for the small core's program
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of variables follow the numerics page.
 */
#ifndef TERN_MICROCODE_H
#define TERN_MICROCODE_H
#include "tern_micro.h"

/* Words of the data memory: registers of the host port, constants of the core (tern_small.v, INIT), variables. */
/* clang-format off */
enum {
    V_CONTROL = 2, V_NEURON_LAST = 32, V_VISIBLE = 33, V_SAMPLE_LAST = 34, V_TAP_LAST = 35, V_LAG_LAST = 36,
    V_SAMPLE_HIST0 = 37, V_SAMPLE_WORDS = 38, V_SCALE = 39,
    V_LOCAL_BITS = 41, V_C_SHIFT = 42, V_TRACE_FRAC = 43, V_GAMMA = 46, V_SEED0 = 47, V_SEED1 = 48, V_GROUP0 = 49,
    V_DITHER_BITS = 40, V_RULE = 51, V_SIGNAL_FIRST, V_M_SHIFT, V_BASELINE_SHIFT, V_DITHER_BITS1, V_LOCAL_BITS1,
    V_C_SHIFT1, V_INV_K, V_M_CONST, V_LOG_OFFSET,
    V_STEP = 64, V_LAG_HEAD = 65, V_PENDING = 66, V_SAT_WEIGHT = 80, V_SAT_LOCAL, V_SAT_POTENTIAL, V_SAT_COEFFICIENT,
    V_SAT_LOGPROB, V_SAT_MODULATOR,
    B_TABLE = 96, B_EXP, B_ROW, B_NEURON, B_PLACE, B_TAPS, B_LOCAL, B_ERROR, B_TARGET, B_EK, B_V, B_M, B_LOSS,
    V_TAPS_STEP /* words of a filter in the row buffer */, B_DRAW = 111, B_E = 113, V_SELF0, V_N_TAPS,
    V_STRIDE, V_LAGS /* LAGS_W */, V_TAPS_D, V_FILTERS, V_TAPS_ALL /* words of tern_kernel's taps */, V_DEEP, V_ERRORS,
    V_PACK = 124, V_65536, V_PARITY_WORD,
    /* reported with CTL_TELL and, for a neuron's sample, when its spike is written into its own frame (tern_small.v
     * reads them by number) */
    FI = 128 /* neuron that fires */, KI /* sample, of N-8 and N-10 */, U, P, OLD, NEW, DITHER,
    /* whole step */
    KEY0, KEY1, KEY2, KEY2_1 /* KEY2 + 1 */, KEY0_2, KEY1_3, KEY2_4, KEY0_5, UPDATE, POTENTIAL, LEARN, CLAMP, WN, KN,
    WK /* errors of a neuron: WN KN */, NEXT_ERROR /* from those of a neuron and a lag to the next neuron's */,
    COLUMN0 /* errors of the last step */, COLUMNS /* from there to the end of the ring */, COLUMN0_K,
    DRAWS /* of four samples */, LAGS_LEFT /* that the core has more than the network */, XF_ONE /* 2^XF */,
    U_DOWN /* XF + 4 */, U_HALF /* 2^(XF + 3) */, LOCAL_DOWN /* 32 - RL */, GROUP16, SCALE1,
    /* neuron that is prepared: NI; *_OLD: of the neuron that fires */
    NI, PAR32 /* its parity times 32 */, ROW, PAIR0 /* its first pair */, S_WORD, S_OLD, DBIAS, DBIAS_OLD, SELF,
    SELF_OLD, E_AT /* its errors */, C_SUM /* of a lag */, C_ALL,
    /* neuron that fires */
    F_PAR, PLACE, BIAS, W_SELF, DRAW_COUNTER, DRAWN /* neuron whose draws are there; -1: none */, GROUP, LAST_GROUP,
    LANE, LANE_BIT, TARGET, TABLE, F_ERROR, F_FRAME, F_OWN, F_LOSS,
    /* log-probabilities, scratch */
    MAX, SUM, SUM10, SUM_HIGH, SUM_MINUS, SUM_HALF, RECIPROCAL, RECIPROCAL16,
    DUE /* 3: log-probabilities, exponentials and modulators are still to be made; 2: the last two; 1: the last */, Q,
    R, T0, T1, T2, T3, TA, TB,
    /* rules other than GEM: of the neuron that is prepared, of the neuron that fires, of the step */
    M_AT /* its modulators */, BASE_AT /* its baseline */, B_OLD, R_BITS /* its R */, F_RL /* RL */,
    F_RL_DOWN /* 32 - RL */, LOCAL_DOWN1, M_SHIFT_LESS /* 11 - MF, at least 0 */, W_NEW /* log R */,
    /* a baseline's update: n in two words, columns of n, q in two parts, minus their sums; a word with upper half 0 */
    N_LOW, N_HIGH, N_SIGN, D_NEW, COL0, COL1, COL2, COL3, Q0, Q1, Q0_SUM, Q1_SUM, HALF, V_END,
    /* of a core with every rule */
    B_LOG = 110, B_W = 112, B_MI = 123 /* modulators of a neuron of set 1 */, B_KAP = 127, B_BASE = 239,
    B_G /* sums of N-20 */, C_LN2 /* 45426 */, C_LN15 = 250 /* 15 C_LN2 + 8 */, C_1024,
    /* more constants */
    V_M_ALL = 231 /* words of v and m */, ONE = 232, ZERO, THREE, C_HALF /* 2^15 */, FIVE = 236, TEN, SIXTEEN,
    C16384 = 242, C_MAX /* 32767 */, C_MIN, C_BIG /* 2^28 */, C_SMALL, C_TOP /* 2^31 */, C_1477, C_MINUS_2839,
    C_2839 = 252, C_48263, RESULT_PARITY, RESULT_CHANGE
};
/* clang-format on */
_Static_assert(V_END <= V_M_ALL && ONE == 232 && C_48263 == 253, "variables are words below 256");
_Static_assert(V_PARITY_WORD == 126 && V_SELF0 == 114 && B_E == 113 && C_HALF == 235 && ZERO == 233,
               "as in tern_small.v");

extern micro *tern_microcode; /* the program that is written down */

static inline void ld(unsigned v) { micro_emit(tern_microcode, M_LD, at_var(v)); }
static inline void add(unsigned v) { micro_emit(tern_microcode, M_ADD, at_var(v)); }
static inline void rsub(unsigned v) { micro_emit(tern_microcode, M_RSUB, at_var(v)); }
static inline void sub(unsigned v) { micro_emit(tern_microcode, M_SUB, at_var(v)); }
static inline void ldx(unsigned v) { micro_emit(tern_microcode, M_LDX, at_var(v)); }
static inline void xadd(unsigned v) { micro_emit(tern_microcode, M_XADD, at_var(v)); }
static inline void mul(unsigned v) { micro_emit(tern_microcode, M_MUL, at_var(v)); }
static inline void st(unsigned v) { micro_emit(tern_microcode, M_ST, at_var(v)); }
static inline void op(micro_op o, micro_at a) { micro_emit(tern_microcode, o, a); }
static inline void num(micro_op o, int n) { micro_number(tern_microcode, o, n); }
static inline void ldi(int n) { num(M_LDI, n); }
static inline void addi(int n) { num(M_ADDI, n); }
static inline void ldpr(void) { num(M_SHIFT, SHIFT_P); }
static inline void xa(void) { num(M_SHIFT, SHIFT_X); }
static inline void dbl(void) { num(M_DBL, 0); }
static inline void lsr(int n) { num(M_SHIFT, n | SHIFT_UNSIGNED); }
static inline void sra(int n) { num(M_SHIFT, n); }
static inline void inc(unsigned v) { micro_emit(tern_microcode, M_INC, at_var(v)); }
static inline void addto(unsigned v) { micro_emit(tern_microcode, M_ADDTO, at_var(v)); }
static inline void dec(unsigned v)
{
    ldi(-1);
    addto(v);
}
static inline void jump(micro_if c, const char *to) { micro_jump(tern_microcode, c, to); }
static inline void go(const char *to) { micro_jump(tern_microcode, IF_ALWAYS, to); }
static inline void loop(const char *n) { micro_loop(tern_microcode, n); }
static inline void call(const char *to) { micro_jump(tern_microcode, IF_CALL, to); }
static inline void ret(void) { micro_jump(tern_microcode, IF_RET, ""); }
static inline void label(const char *n) { micro_label(tern_microcode, n); }
static inline void ctl(int n) { num(M_CTL, n); }
static inline void nop(void) { addi(0); }
/* round n of Threefry-2x32, modulo 8 */
static inline void turn(unsigned n)
{
    num(M_ROUND, (int[8]){ ROTL_13, ROTL_15, ROTL_26, ROTL_6, ROTL_17, ROTL_29, ROTL_16, ROTL_24 }[n]);
}
static inline void point(unsigned p, unsigned v) { micro_emit(tern_microcode, (micro_op)(M_PD + p), at_var(v)); }
static inline void point_a(unsigned p, unsigned v) { micro_emit(tern_microcode, (micro_op)(M_PA + p), at_var(v)); }
static inline void count0(unsigned v) { micro_emit(tern_microcode, M_C0, at_var(v)); }
static inline void count1(unsigned v) { micro_emit(tern_microcode, M_C1, at_var(v)); }
static inline void st_to(micro_space s, micro_at a) { micro_emit(tern_microcode, M_ST, in_space(s, a)); }
static inline void copy(unsigned to, unsigned from)
{
    ld(from);
    st(to);
}
static inline void bump(unsigned v, unsigned by)
{
    ld(by);
    addto(v);
}

/* tern_microcode_rules.c: parts that only rules other than GEM need. Each begins at a label that is jumped to. */
void tern_microcode_set(void);      /* "set1" to "set_there": modulators (N-19) of the neuron that is prepared */
void tern_microcode_baseline(void); /* "baseline" to "rows": N-20 */
void tern_microcode_log_mean(void); /* "log_mean" to "log_there": N-17 into W_NEW */
void tern_microcode_mean(void);     /* "mean" to "kept": learning signals and modulators of rule MB */

#endif /* TERN_MICROCODE_H */
