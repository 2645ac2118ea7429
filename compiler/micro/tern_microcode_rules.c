/* tern_microcode_rules.c : what rules other than GEM and baselines add to the program of the small core
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/43-small-core.md, "Rules". Neurons of set 1 learn from w: their modulators are made when their coefficients are,
 * and their baselines follow. w itself is made at the end of a step.
 */
#include "tern_microcode.h"

/* clang-format off */

/* N-19. A core without baselines takes 0 for b. */
void tern_microcode_set(void)
{
    label("set1"); /* A: number among the neurons that learn from w */
    dbl(); add(B_BASE); st(BASE_AT); copy(M_AT, B_MI); copy(R_BITS, V_DITHER_BITS1);
    ldi(0); st(B_OLD); ld(V_RULE); lsr(2); jump(IF_EVEN, "no_base");
    point(0, BASE_AT); nop(); op(M_LD, at_ptr(0)); st(B_OLD);
    label("no_base");
    op(M_LDS, at_var(V_M_SHIFT)); point(1, B_W); point(2, B_MI); count1(KN);
    label("mi");
    op(M_LD, at_inc(1)); sub(B_OLD); jump(IF_OVER, "mi_over"); num(M_SHIFT, SHIFT_SH | SHIFT_ROUND);
    label("mi_shifted"); st(T0); jump(IF_NOT16, "mi_limit"); dbl(); jump(IF_NOT16, "mi_limit"); ld(T0); /* 15 bits */
    label("mi_there"); op(M_ST, at_inc(2)); jump(IF_LOOP1, "mi");
    op(M_LDS, at_var(V_C_SHIFT1)); go("set_there");
    label("mi_limit"); jump(IF_NEG, "mi_low"); inc(V_SAT_MODULATOR); ldi(16383); go("mi_there");
    label("mi_low"); inc(V_SAT_MODULATOR); ldi(-16383); go("mi_there");
    /* 33 bits: half of it, rounded down, has 32 and the other sign than A; less than 2 to be shifted makes no
     * difference, it is limited */
    label("mi_over");
    sra(1); add(C_TOP); op(M_LDS, at_var(M_SHIFT_LESS)); nop(); num(M_SHIFT, SHIFT_SH | SHIFT_ROUND);
    op(M_LDS, at_var(V_M_SHIFT)); go("mi_shifted");
}

/* Adds Q0 and Q1 times the word at P1 to the columns of n, of weights 0, 10, 16 and 26 bits: the word is 2^16 (upper
 * half) + (lower half, signed), and 2^16 more if that is negative. P1 steps. */
static void columns(void)
{
    label("columns");
    ldx(Q0); op(M_MUL, at_ptr(1)); ldpr(); addto(COL0); ldx(Q1); op(M_MUL, at_ptr(1)); ldpr(); addto(COL1);
    ldx(ONE); op(M_MUL, at_ptr(1)); ldpr(); jump(IF_NONNEG, "columns_plus"); ld(Q0); addto(COL2); ld(Q1); addto(COL3);
    label("columns_plus"); op(M_LD, at_inc(1)); sra(16); st(T3);
    ldx(Q0); mul(T3); ldpr(); addto(COL2); ldx(Q1); mul(T3); ldpr(); addto(COL3); ret();
}

/* g and q of N-20; D without the old part. IW: once, for the sums of all samples. */
static void weigh(void)
{
    /* sums of kap e, for each sample: modulo 2^32, and of the products without their lower halves */
    label("baseline");
    point(2, B_G); ld(KN); dbl(); st(T0); count0(T0); ldi(0);
    label("g_zero"); op(M_ST, at_inc(2)); jump(IF_LOOP0, "g_zero");
    ld(E_AT); sub(WK); st(T2); point_a(0, COLUMN0_K); point(1, B_KAP); count1(COLUMNS); copy(T0, COLUMN0);
    label("g_lag");
    point(2, B_G); count0(KN); loop("g_sum");
    op(M_LDX, at_inc(0)); op(M_MUL, at_ptr(1)); ldpr(); op(M_ADDTO, at_inc(2));
    num(M_SHIFT, 16 | SHIFT_P | SHIFT_LAST); op(M_ADDTO, at_inc(2));
    op(M_LD, at_inc(1)); jump(IF_LOOP1, "g_lag");
    /* as for the coefficients */
    label("g_ring"); ld(T0); jump(IF_ZERO, "g_done"); count1(T0); point(0, T2); ldi(0); st(T0); go("g_lag");
    label("g_done");
    for (unsigned v = COL0; v <= COL3; ++v) st(v); /* A is 0 */
    st(Q0_SUM); st(Q1_SUM);
    point(0, BASE_AT); op(M_LDS, at_var(V_BASELINE_SHIFT)); op(M_LD, at_inc(0)); st(OLD); op(M_LD, at_ptr(0));
    lsr(SHIFT_SH); op(M_RSUB, at_ptr(0)); st(D_NEW);
    point(1, B_W); point(2, B_G); count1(KN);
    label("g_next"); ldi(0); st(TA); st(TB);
    label("g_more"); op(M_LD, at_inc(2)); addto(TA); op(M_LD, at_inc(2)); addto(TB);
    ld(V_RULE); jump(IF_ODD, "g_one"); jump(IF_LOOP1, "g_more");
    /* the sum is 2^16 TB + what the lower halves add, up to 32 times 2^16, of which TA has the lowest 32 bits */
    label("g_one");
    ld(TA); lsr(16); sub(TB); st_to(SP_LOW, at_var(HALF)); ld(TB); add(HALF); num(M_SHIFT, 5 | SHIFT_ROUND);
    st(T1); dbl(); dbl(); dbl(); jump(IF_NOT16, "g_limit"); /* 13 bits */
    label("g_there"); ldx(T1); mul(T1); num(M_SHIFT, 4 | SHIFT_P | SHIFT_ROUND); st(T2); addto(D_NEW);
    ld(T2); lsr(10); st(Q1); xa(); mul(C_1024); ldpr(); rsub(T2); st(Q0);
    rsub(Q0_SUM); st(Q0_SUM); ld(Q1); rsub(Q1_SUM); st(Q1_SUM); call("columns");
    ld(V_RULE); jump(IF_EVEN, "n_sum"); jump(IF_LOOP1, "g_next"); go("n_sum");
    label("g_limit"); ldi(4095); st(T1); go("g_there"); /* only its square counts */
}

/* n = sum of q w less b times the sum of q, in 64 bits; b' of N-20. */
static void divide(void)
{
    label("n_sum");
    ld(D_NEW); jump(IF_ZERO, "b_same");
    copy(Q0, Q0_SUM); copy(Q1, Q1_SUM); point(1, BASE_AT); call("columns");
    ldx(COL1); mul(C_1024); ldpr(); st_to(SP_LOW, at_var(HALF)); nop(); ld(HALF); add(COL0);
    st_to(SP_LOW, at_var(N_LOW)); sra(16); st(T0);
    ld(COL1); sra(6); add(COL2); addto(T0);
    ldx(COL3); mul(C_1024); ldpr(); st_to(SP_LOW, at_var(HALF)); nop(); ld(HALF); addto(T0); sra(16); st(N_HIGH);
    ld(COL3); sra(6); addto(N_HIGH); st(N_SIGN);
    ldx(T0); mul(C16384); ldpr(); dbl(); dbl(); st_to(SP_HIGH, at_var(N_LOW));
    ld(N_HIGH); jump(IF_NONNEG, "n_plus");
    /* -n: the upper word is -N_HIGH, less 1 unless the lower one is 0 */
    ld(N_LOW); rsub(ZERO); st(N_LOW); jump(IF_ZERO, "n_high"); ldi(-1);
    label("n_high"); sub(N_HIGH); st(N_HIGH);
    label("n_plus"); /* the quotient is below 2^32, so the upper word is below D; that is below 2^31 */
    /* sixteen rounds less if the quotient has no more bits: |w - b| is below 16 nats */
    ldi(32); st(T1); ld(N_HIGH); lsr(15); jump(IF_NONZERO, "divide_all");
    ldx(N_HIGH); mul(C16384); ldpr(); dbl(); dbl(); st(T0); ld(N_LOW); lsr(16); addto(T0); sub(D_NEW);
    jump(IF_NONNEG, "divide_all");
    copy(N_HIGH, T0); ldx(N_LOW); mul(C16384); ldpr(); dbl(); dbl(); st(N_LOW); copy(T1, SIXTEEN);
    label("divide_all"); count1(T1);
    label("divide"); ld(N_LOW); lsr(31); st(T0); ld(N_LOW); addto(N_LOW); ld(N_HIGH); dbl(); add(T0); sub(D_NEW);
    jump(IF_NEG, "divide_less");
    st(N_HIGH); inc(N_LOW); jump(IF_LOOP1, "divide"); go("divided");
    label("divide_less"); add(D_NEW); st(N_HIGH); jump(IF_LOOP1, "divide");
    label("divided"); /* round half up: one more if the rest and D >> 1 make D */
    ld(D_NEW); lsr(1); add(N_HIGH); sub(D_NEW); jump(IF_NEG, "b_move"); inc(N_LOW);
    label("b_move"); ld(N_SIGN); jump(IF_NEG, "b_down"); ld(N_LOW); add(OLD);
    label("b_there"); st(NEW); point(0, BASE_AT); nop(); op(M_ST, at_inc(0)); ld(D_NEW); op(M_ST, at_ptr(0)); st(P);
    ld(NI); ctl(6 * CTL_TELL); go("rows");
    label("b_down"); ld(OLD); sub(N_LOW); go("b_there");
    label("b_same"); ld(OLD); go("b_there");
}

void tern_microcode_baseline(void)
{
    weigh();
    divide();
    columns();
}

/* N-17: SUM is at least EXP[0], so above 2^15 */
void tern_microcode_log_mean(void)
{
    label("log_mean");
    copy(T1, C_LN15); count0(TEN); ld(SUM); lsr(7);
    label("ln"); st(T0); addi(-512); jump(IF_NEG, "ln_there"); bump(T1, C_LN2); ld(T0); lsr(1); jump(IF_LOOP0, "ln");
    label("ln_there"); ld(T1); lsr(4); st(T1); ld(T0); addi(-256); lsr(1); point_a(0, B_LOG); ld(T0);
    jump(IF_ODD, "ln_high");
    ldx(ONE); op(M_MUL, at_ptr(0)); ldpr(); go("ln_word");
    label("ln_high"); op(M_LD, at_ptr(0)); lsr(16);
    label("ln_word"); add(T1); sub(V_LOG_OFFSET); jump(IF_NONNEG, "log_plus"); add(MAX); jump(IF_NONNEG, "log_limit");
    addi(-1); jump(IF_NONNEG, "log_limit"); addi(1); go("log_store");
    label("log_plus"); add(MAX); /* which is not above 0 */
    label("log_store"); st(W_NEW); go("log_there");
    label("log_limit"); inc(V_SAT_LOGPROB); ld(C_TOP); addi(1); go("log_store");
}

/* w = rs(rK v, 16), as v is multiplied by gamma (signal); m = 1/K. REWARD keeps both. */
void tern_microcode_mean(void)
{
    label("mean"); lsr(1); jump(IF_ODD, "kept");
    ctl(CTL_FLAGS); ld(V_INV_K); lsr(15); jump(IF_ZERO, "mean_first"); ctl(CTL_FLAGS | CTL_CLAMPED);
    label("mean_first"); ldi(0); st(KI); point(1, B_V); point(2, B_W); point(3, B_M); count1(KN);
    label("mean_next");
    op(M_LD, at_inc(1)); st(OLD); num(M_SHIFT, 16 | SHIFT_ROUND | SHIFT_X); mul(V_INV_K);
    jump(IF_CLAMPED, "mean_most"); ldi(0);
    label("mean_most"); num(M_SHIFT, SHIFT_P | SHIFT_ADD); ldx(OLD); mul(V_INV_K);
    num(M_SHIFT, 16 | SHIFT_P | SHIFT_ADD | SHIFT_ROUND);
    op(M_ST, at_inc(2)); st(U); ld(V_M_CONST); op(M_ST, at_inc(3)); st(NEW); ctl(5 * CTL_TELL);
    inc(KI); jump(IF_LOOP1, "mean_next"); go("kept");
}
/* clang-format on */
