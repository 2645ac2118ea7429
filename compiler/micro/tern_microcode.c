/* tern_microcode.c : the program of the small core (docs/43-small-core.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * One step or flush of docs/21-numerics.md under rule GEM; what the other rules need beyond it
 * is in tern_microcode_rules.c. Rows, one after another, go into the row buffer that
 * tern_stream empties; while it passes over the weights of neuron i the program fires neuron i - 1 and prepares neuron
 * i + 1. Names of variables follow the numerics page.
 */
#include "tern_microcode.h"

micro *tern_microcode;
static bool rules; /* every rule, with baselines */

/* clang-format off */
static void start_step(void)
{
    ld(V_CONTROL); jump(IF_EVEN, "clear"); /* started by bit 4 without bit 0 */
    copy(UPDATE, V_PENDING); copy(POTENTIAL, ONE); ld(V_CONTROL); lsr(3); jump(IF_EVEN, "mode"); ldi(0); st(POTENTIAL);
    label("mode");
    ld(POTENTIAL); dbl(); add(UPDATE); ctl(CTL_BEGIN);
    jump(IF_DIRTY, "tables");
    label("step"); /* rows of kind SHIFT at once: the pass over the first neuron is waited for */
    ld(B_ROW); addi(2); st(ROW);
    label("prologue");
    ld(ROW); addi(-2); point_a(0, ZERO); nop(); op(M_LD, at_ptr(0)); jump(IF_ODD, "variables"); lsr(1);
    jump(IF_EVEN, "variables");
    ld(POTENTIAL); jump(IF_ZERO, "no_shift"); call("push"); go("prologue");
    label("no_shift");
    ldi(4); addto(ROW); go("prologue");
    label("variables"); /* what the first neuron's coefficients and rows need; then (DUE 4, FI -1) the rest */
    ldi(4); st(DUE); ldi(-1); st(FI); ldi(0); st(NI); st(PAR32); st(PAIR0); copy(E_AT, B_ERROR);
    /* the ring of errors runs backwards, so that lag after lag follows the last step's: column c lies at W - 1 - c */
    ld(V_LAG_HEAD); jump(IF_NONZERO, "head"); ld(WN);
    label("head");
    st(COLUMNS); rsub(WN); st(COLUMN0); ldx(KN); mul(COLUMN0); ldpr(); st(COLUMN0_K); go("prepare");

    label("begin");
    ldi(-1); st(LAST_GROUP); st(DRAWN); ldi(0); st(LEARN); st(CLAMP); st(FI); st(F_PAR); st(DUE); copy(F_OWN, V_SELF0);
    ldx(KN); ld(V_LAG_LAST); sub(V_LAG_HEAD); st(T0); mul(T0); ld(B_ERROR); num(M_SHIFT, SHIFT_P | SHIFT_ADD);
    st(F_ERROR);
    ld(POTENTIAL); jump(IF_ZERO, "fired");
    ld(V_CONTROL); lsr(1); jump(IF_EVEN, "no_learn"); copy(LEARN, ONE);
    label("no_learn");
    ld(V_CONTROL); lsr(2); jump(IF_EVEN, "no_clamp"); copy(CLAMP, ONE);
    label("no_clamp");
    point(0, B_LOSS); count0(KN); ldi(0);
    label("zero_loss");
    op(M_ST, at_inc(0)); jump(IF_LOOP0, "zero_loss");
    ld(V_VISIBLE); jump(IF_NONZERO, "fired"); copy(DUE, THREE); go("fired"); /* no neuron closes it */
}

/* What depends on registers and taps alone: made again when the host has written some. */
static void tables(void)
{
    label("tables");
    ld(V_LAG_LAST); addi(1); st(WN); ld(V_SAMPLE_LAST); addi(1); st(KN);
    ldx(WN); mul(KN); ldpr(); st(WK); sub(KN); st(NEXT_ERROR); ld(KN); addi(3); lsr(2); st(DRAWS); ld(V_LAGS); sub(WN);
    st(LAGS_LEFT);
    /* third key word: XOR is what ROUND leaves in X; rotating by 16 twice changes nothing */
    ldx(V_SEED0); ldi(0); sub(V_SEED0); turn(6);
    num(M_AX, 0); st(T0); ld(V_SEED1); sub(T0); turn(6);
    num(M_AX, 0); st(T0); ldi(0); sub(T0); turn(6);
    num(M_AX, 0); st(T0); ld(V_PARITY_WORD); sub(T0); turn(6);
    num(M_AX, 0); st(KEY2); addi(1); st(KEY2_1); addi(3); st(KEY2_4); copy(KEY0, V_SEED0); addi(2); st(KEY0_2); addi(3);
    st(KEY0_5); copy(KEY1, V_SEED1); addi(3); st(KEY1_3);
    /* potentials have 12 + XF fraction bits: V_SCALE is 20 - WF - XF, a sum of weights and traces has WF + XF */
    count0(V_TRACE_FRAC); ldi(1); call("left"); st(XF_ONE); dbl(); dbl(); dbl(); st(U_HALF);
    ld(V_TRACE_FRAC); addi(4); st(U_DOWN); ld(V_SCALE); add(V_TRACE_FRAC); addi(-7); st(SCALE1);
    ldi(32); sub(V_LOCAL_BITS); st(LOCAL_DOWN);
    if (rules) {
        ldi(32); sub(V_LOCAL_BITS1); st(LOCAL_DOWN1); ldi(0); st(HALF);
        ld(V_M_SHIFT); jump(IF_ZERO, "m_shift_least"); addi(-1);
        label("m_shift_least"); st(M_SHIFT_LESS);
    }
    count0(SIXTEEN); ld(V_GROUP0); call("left"); st(GROUP16);
    /* taps for tern_kernel, zeros around */
    count0(V_TAPS_ALL); point(0, ZERO); ldi(0);
    label("zero_taps"); st_to(SP_TAPS, at_inc(0)); jump(IF_LOOP0, "zero_taps");
    copy(T1, B_TAPS); ld(V_LAGS); addi(-1); st(T2); ldi(192); st(T3); count1(V_FILTERS);
    label("filter");
    /* D + 1 sums and differences of neighbours */
    point(0, T1); point(1, T2); ld(V_STRIDE); lsr(1); point_a(2, T2); ld(V_TAP_LAST); addi(2); st(T0); count0(T0);
    ldi(0); st(TA);
    label("tap");
    ldi(-1); addto(T0); jump(IF_ZERO, "tap_last"); op(M_LD, at_inc(0));
    label("tap_last"); st(TB); add(TA); st_to(SP_TAPS, at_inc(1)); ld(TA); sub(TB); st_to(SP_TAPS, at_inc(2));
    copy(TA, TB); jump(IF_LOOP0, "tap");
    /* pairs for tern_stream: S + D / 2 2^(TAP_W + 2) */
    ld(V_TAP_LAST); addi(1); st(T0); point(0, T1); point(1, T3); count0(V_N_TAPS);
    label("pair");
    ldi(0); st(TA); st(TB);
    ld(T0); jump(IF_ZERO, "pair_there"); addi(-1); st(T0); op(M_LD, at_inc(0)); st(TA);
    ld(T0); jump(IF_ZERO, "pair_there"); addi(-1); st(T0); op(M_LD, at_inc(0)); st(TB);
    label("pair_there");
    ld(TA); sub(TB); sra(1); xa(); mul(V_PACK); ldpr(); add(TA); add(TB); st_to(SP_ROW, at_inc(1));
    jump(IF_LOOP0, "pair");
    bump(T3, V_TAPS_STEP); bump(T1, V_TAPS_D); bump(T2, V_STRIDE); jump(IF_LOOP1, "filter");
    ctl(CTL_CLEAN); go("step");
}

/* Threefry-2x32 with 20 rounds of the counter (STEP, A): x0 in A, x1 in X. */
static void threefry(void)
{
    static const unsigned key0[5] = { KEY1, KEY2, KEY0, KEY1, KEY2 }, key1[5] = { KEY2_1, KEY0_2, KEY1_3, KEY2_4,
    KEY0_5 };
    label("random");
    xa(); xadd(KEY1); ld(V_STEP); add(KEY0);
    for (unsigned i = 0; i < 5; ++i) {
        for (unsigned r = 0; r < 4; ++r) turn(4u * (i & 1u) + r);
        add(key0[i]); xadd(key1[i]);
    }
    ret();
}

/* Puts the row at ROW (its third word) into the row buffer; its kernel is made meanwhile, if it needs one
 * (tern_small.v, kernel_start, which looks at A, as rows_q does). */
static void push(void)
{
    label("push"); jump(IF_FULL, "push");
    point(0, ROW); ldi(4); addto(ROW);
    op(M_LD, at_dec(0)); st_to(SP_ROW, at_var(2));
    op(M_LD, at_dec(0)); st_to(SP_ROW, at_var(1));
    op(M_LD, at_ptr(0)); st_to(SP_ROW, at_var(0)); ctl(CTL_KERNEL | CTL_PUSH); ret();
}

/* Dither word, learning coefficients (N-11, N-12) and their sums; rows. */
static void prepare(void)
{
    const unsigned modulators = rules ? M_AT : B_M;
    label("prepare");
    ld(UPDATE); jump(IF_ZERO, "rows");
    ld(C_BIG); add(NI) /* purpose 1 */; call("random"); st(S_WORD);
    if (rules) {
        copy(M_AT, B_M); copy(R_BITS, V_DITHER_BITS); op(M_LDS, at_var(V_C_SHIFT));
        ld(NI); sub(V_SIGNAL_FIRST); jump(IF_NONNEG, "set1");
        label("set_there");
    }
    /* it takes the row buffer's write port, and its c are still those of the neuron before */
    label("kernel_made"); jump(IF_KERNEL_BUSY, "kernel_made");
    if (!rules) op(M_LDS, at_var(V_C_SHIFT));
    ld(E_AT); point_a(0, COLUMN0_K); ldi(128); point_a(3, PAR32); point(1, B_EK);
    count1(COLUMNS); copy(T0, COLUMN0); ldi(0); st(C_ALL);
    point(2, modulators); count0(KN); ldi(0); st(C_SUM); loop("coefficient");
    /* |e| < 1, and |m| <= 1 or (set 1) m of 15 bits, so nothing is limited here */
    op(M_LDX, at_inc(2)); op(M_MUL, at_inc(0)); num(M_SHIFT, 14 | SHIFT_P | SHIFT_ROUND | SHIFT_X);
    op(M_MUL, at_ptr(1)); num(M_SHIFT, SHIFT_SH | SHIFT_P | SHIFT_ROUND);                           /* c_shift >= 15 */
    op(M_ST, in_round(in_space(SP_ROW, at_inc(3)))); addto(C_SUM);
    /* for tern_kernel; the next lag */
    st_to(SP_SUMC, at_var(0)); addto(C_ALL); op(M_LD, at_inc(1)); point(2, modulators); count0(KN); ldi(0);
    st(C_SUM);
    jump(IF_LOOP1, "coefficient");
    label("ring_end"); ld(T0); jump(IF_ZERO, "ring_done"); count1(T0); point(0, E_AT); ldi(0); st(T0);
        go("coefficient"); /* the ring continues at its beginning, once */
    label("ring_done"); bump(E_AT, WK);
    ld(LAGS_LEFT); jump(IF_ZERO, "lags_done"); count0(LAGS_LEFT); ldi(0);
    label("no_lag"); st_to(SP_SUMC, at_var(0)); jump(IF_LOOP0, "no_lag");
    label("lags_done"); /* change of the bias: 2^XF times their sum */
    if (rules) { /* more than 16 bits in set 1 */
        count0(V_TRACE_FRAC); ld(C_ALL); call("left"); st(DBIAS);
        ld(V_RULE); lsr(2); jump(IF_EVEN, "rows"); ld(NI); sub(V_SIGNAL_FIRST); jump(IF_NONNEG, "baseline");
    } else {
        ldx(C_ALL); mul(XF_ONE); ldpr(); st(DBIAS);
    }

    label("rows");
    /* a row of its own for the self-memory; without one it keeps the history */
    jump(IF_FULL, "rows");
    ld(B_NEURON); point_a(0, NI); ld(V_SELF0); add(PAIR0); st_to(SP_ROW, at_var(1)); ld(S_WORD);
    st_to(SP_ROW, at_var(3));
    if (rules) { ld(R_BITS); st_to(SP_ROW, at_var(2)); } /* where other rows have their dither index */
    op(M_LD, at_ptr(0)); st_to(SP_ROW, at_var(0)); lsr(15); st(SELF);
    ctl(CTL_PUSH | CTL_ROWS);
    /* the others while the neuron before fires, one after each sample, so that kernels are waited for less */
    call("push");
    ld(FI); sub(NI); jump(IF_NEG, "fire");

    label("fired"); jump(IF_ROWS, "fired_push");
    ld(V_NEURON_LAST); sub(FI); jump(IF_NEG, "finish");
    copy(S_OLD, S_WORD); copy(DBIAS_OLD, DBIAS); copy(SELF_OLD, SELF);
    ld(NI); sub(V_NEURON_LAST); jump(IF_ZERO, "fire");
    inc(NI); bump(PAIR0, KN); ldi(32); sub(PAR32); st(PAR32); go("prepare");
    label("fired_push"); call("push"); go("fired");
}

/* Shifts, the change of a parameter (N-15, N-16). */
static void change_local(void)
{
    label("left"); dbl(); jump(IF_LOOP0, "left"); ret(); /* A times 2^C0 */
    label("split"); st(T0); lsr(10); count0(TEN); /* A: its ten lowest bits; T1: the others */
    label("split_left"); dbl(); jump(IF_LOOP0, "split_left"); st(T1); rsub(T0); ret();

    /* A: change, not 0; P0: the parameter; DITHER */
    label("change");
    op(M_LDS, at_var(rules ? F_RL : V_LOCAL_BITS)); add(DITHER); sra(SHIFT_SH); st(T0); op(M_LD, at_ptr(0)); st(OLD);
    add(T0);
    jump(IF_NOT16, "change_limit");
    label("change_store"); st(NEW); op(M_ST, at_ptr(0)); ret();
    label("change_limit"); jump(IF_NEG, "change_low"); inc(V_SAT_LOCAL); ld(C_MAX); go("change_store");
    label("change_low"); inc(V_SAT_LOCAL); ld(C_MIN); go("change_store");
}

static void fire_constants(void)
{
    /* in the shadow of the pass, one part a neuron */
    label("fire"); ld(DUE); jump(IF_ZERO, "fire_now"); addi(-2); jump(IF_ZERO, "exponentials");
    jump(IF_NONNEG, "signal");
    ld(V_NEURON_LAST); sub(FI); jump(IF_ZERO, "modulators"); jump(IF_NEG, "modulators");
    label("fire_now"); ld(POTENTIAL); jump(IF_ZERO, "fire_wait");
    /* 2^lane 2^6 + 2 lane + visible */
    ld(B_PLACE); point_a(0, FI); ldx(ONE); op(M_LD, at_ptr(0)); st(PLACE); lsr(16); st(GROUP); mul(PLACE);
    num(M_SHIFT, 6 | SHIFT_P); st(LANE_BIT);
    ctl(CTL_FLAGS); ld(PLACE); jump(IF_EVEN, "hidden"); ctl(CTL_FLAGS | CTL_VISIBLE); copy(F_LOSS, B_LOSS);
    ld(CLAMP); jump(IF_ZERO, "hidden"); ctl(CTL_FLAGS | CTL_VISIBLE | CTL_CLAMPED);
    num(M_SHIFT, 1 | SHIFT_P); st(LANE); ld(B_TARGET); point_a(0, GROUP); op(M_LDS, at_var(LANE)); ldi(0); st(TARGET);
    op(M_LD, at_ptr(0)); lsr(SHIFT_SH); jump(IF_EVEN, "hidden"); copy(TARGET, ONE);
    label("hidden");
    ld(GROUP); sub(LAST_GROUP); jump(IF_ZERO, "old_group");
    copy(LAST_GROUP, GROUP); point(0, B_DRAW); count0(KN); ldi(0); /* its words of the frame start empty */
    loop("zero_spikes"); op(M_ST, in_round(in_space(SP_LOW, at_inc(0)))); nop();
    label("old_group");
    ld(V_SAMPLE_HIST0); add(GROUP); st(F_FRAME);
    /* draws, four samples at a time, each in the upper half of its sample's word */
    jump(IF_CLAMPED, "fire_wait");
    ld(DRAWN); sub(FI); jump(IF_ZERO, "fire_wait"); ld(FI);
    label("draw"); st(DRAWN); add(GROUP16); st(DRAW_COUNTER); point(3, B_DRAW); count1(DRAWS);
    label("draws"); ld(DRAW_COUNTER); call("random"); st(T0); num(M_AX, 0); st(T1); ldx(C16384);
    mul(T0); ldpr(); dbl(); dbl(); st_to(SP_HIGH, at_inc(3)); ld(T0); st_to(SP_HIGH, at_inc(3));
    mul(T1); ldpr(); dbl(); dbl(); st_to(SP_HIGH, at_inc(3)); ld(T1); st_to(SP_HIGH, at_inc(3));
    bump(DRAW_COUNTER, V_65536); jump(IF_LOOP1, "draws");
}

/* From here on with the results of the pass. */
static void fire_locals(void)
{
    label("fire_wait"); jump(IF_NO_RESULT, "fire_idle");
    ld(UPDATE); jump(IF_ZERO, "fire_potential");
    const unsigned down = rules ? F_RL_DOWN : LOCAL_DOWN;
    if (rules) {
        copy(F_RL, V_LOCAL_BITS); copy(F_RL_DOWN, LOCAL_DOWN); ld(FI); sub(V_SIGNAL_FIRST); jump(IF_NEG, "local_set");
        copy(F_RL, V_LOCAL_BITS1); copy(F_RL_DOWN, LOCAL_DOWN1);
        label("local_set");
    }
    ld(FI); dbl(); point_a(0, B_LOCAL);
    ld(C_TOP); add(S_OLD); op(M_LDS, at_var(down)); lsr(SHIFT_SH); st(DITHER); ld(DBIAS_OLD);
    jump(IF_ZERO, "bias_same"); call("change"); ctl(2 * CTL_TELL);
    label("bias_same");
    ld(SELF_OLD); jump(IF_ZERO, "fire_potential");
    op(M_LDX, at_inc(0)) /* continues to its weight */; ld(F_PAR); point_a(1, RESULT_CHANGE);
    op(M_LDS, at_var(down)); ld(S_OLD); lsr(SHIFT_SH); st(DITHER);
    op(M_LD, in_space(SP_RESULT, at_ptr(1))); jump(IF_ZERO, "fire_potential"); call("change"); ctl(3 * CTL_TELL);
    label("fire_potential");
    ld(POTENTIAL); jump(IF_ZERO, "fire_next");
    ld(FI); dbl(); point_a(0, B_LOCAL); ldx(XF_ONE); op(M_MUL, at_inc(0)); ldpr(); add(U_HALF); st(BIAS);
    ldx(SELF_OLD); op(M_MUL, at_ptr(0)); ldpr(); st(W_SELF); /* 0 without self-memory */
    point(3, B_DRAW); point(1, F_PAR); point(2, F_OWN); bump(F_OWN, KN); op(M_LDS, at_var(U_DOWN)); count1(KN);
    count0(SCALE1);
}

static void fire_sample(void)
{
    label("sample"); /* P: what the neuron's own trace gives */
    op(M_LDX, in_space(SP_RESULT, at_inc(1))); mul(W_SELF); op(M_LD, in_space(SP_RESULT, at_inc(1)));
    label("scale"); jump(IF_LOOP0, "scale_up"); /* 29 bits: by far more than a potential can be */
    add(BIAS); num(M_SHIFT, SHIFT_P | SHIFT_ADD); sra(SHIFT_SH); st(U); jump(IF_LARGE, "u_limit");
    label("u_there"); /* N-4 */
    jump(IF_NEG, "u_minus");
    lsr(2); point_a(0, B_TABLE); count0(SCALE1); op(M_LD, at_ptr(0)); st(TABLE); lsr(16); rsub(V_65536);
    label("p_there"); st(P); /* N-5 */
    jump(IF_CLAMPED, "clamped");
    op(M_LD, at_ptr(3)); lsr(16); sub(P); lsr(31);
    label("spike_there"); st_to(SP_FRAME, at_inc(2)); jump(IF_ZERO, "silent");
    /* the frame's word of the sample, under its draw */
    ld(LANE_BIT); point(0, F_FRAME); op(M_ADDTO, at_inc(3)); st_to(SP_FRAME, at_ptr(0)); ld(V_65536);
    label("error"); /* N-6 */
    sub(P); point(0, F_ERROR); num(M_SHIFT, 1 | SHIFT_ROUND); op(M_ST, at_ptr(0));
    jump(IF_VISIBLE, "loss");
    label("loss_done"); jump(IF_ROWS, "sample_push");
    label("sampled"); bump(F_FRAME, V_SAMPLE_WORDS); inc(F_ERROR); jump(IF_LOOP1, "sample");
    ld(LEARN); jump(IF_ZERO, "no_errors");
    label("fire_next");
    ctl(CTL_TAKEN); ld(F_PAR); rsub(RESULT_PARITY); st(F_PAR); bump(F_ERROR, NEXT_ERROR); inc(FI);
    ld(POTENTIAL); jump(IF_ZERO, "fired"); ld(FI); sub(V_VISIBLE); jump(IF_NONZERO, "fired"); copy(DUE, THREE);
    go("fired");

    label("no_errors"); /* nothing is learned of this step */
    ld(F_ERROR); sub(KN); point_a(0, ZERO); count0(KN); ldi(0);
    label("zero_errors"); op(M_ST, at_inc(0)); jump(IF_LOOP0, "zero_errors"); go("fire_next");

    label("fire_idle"); jump(IF_CLAMPED, "idle_draw");
    label("idle_rows"); jump(IF_ROWS, "idle_push"); go("fire_wait");
    label("idle_draw"); /* draws of the first neuron that is not clamped: those that are clamped have none */
    ld(DRAWN); jump(IF_NONNEG, "idle_rows"); ld(V_NEURON_LAST); sub(V_VISIBLE); jump(IF_NEG, "idle_rows");
    ld(V_VISIBLE); go("draw");
    label("idle_push"); jump(IF_FULL, "fire_wait"); call("push"); go("fire_wait");
    label("scale_up"); dbl(); jump(IF_NOT29, "scale_limit"); go("scale");
    label("scale_limit"); jump(IF_NEG, "scale_low"); ld(C_BIG); go("scale");
    label("scale_low"); ld(C_SMALL); go("scale");
    label("u_limit"); jump(IF_NEG, "u_low"); ldi(2047); go("u_limited");
    label("u_low"); ldi(-2047);
    label("u_limited"); st(U); inc(V_SAT_POTENTIAL); ld(U); go("u_there");
    label("u_minus"); rsub(ZERO); lsr(2); point_a(0, B_TABLE); count0(SCALE1); op(M_LD, at_ptr(0)); st(TABLE); lsr(16);
    go("p_there");
    label("clamped"); ld(TARGET); go("spike_there");
    label("silent"); point(0, F_FRAME); op(M_LD, at_inc(3)); st_to(SP_FRAME, at_ptr(0)); ldi(0); go("error");
    label("sample_push"); jump(IF_FULL, "sampled"); call("push"); go("sampled");
    label("loss"); /* N-7, N-8. A: the error, which is negative without a spike */
    point(0, F_LOSS); ldx(ONE); mul(TABLE); jump(IF_NEG, "z_silent"); ld(U); rsub(ZERO); go("z_there");
    label("z_silent"); ld(U);
    label("z_there"); jump(IF_NONNEG, "z_plus"); ldi(0);
    label("z_plus"); for (int i = 0; i < 4; ++i) dbl();
    num(M_SHIFT, SHIFT_P | SHIFT_ADD); op(M_ADDTO, at_ptr(0)); inc(F_LOSS); go("loss_done");
}

/* N-8, N-9, N-10. */
static void signal(void)
{
    label("signal"); addi(-1); jump(IF_NONZERO, "begin");
    /* gamma, 17 bits, is its lower half, signed, and 2^16 if that is negative or gamma 1: then (flag CLAMPED) v itself
     * is added */
    ctl(CTL_FLAGS); ld(V_GAMMA); lsr(15); jump(IF_ZERO, "v_first"); ctl(CTL_FLAGS | CTL_CLAMPED);
    label("v_first"); ldi(0); st(KI); point(1, B_V); point(2, B_LOSS); count1(KN);
    label("v"); /* v = 2^16 X + (lower half, signed) <= 0 */
    op(M_LD, at_ptr(1)); st(OLD); num(M_SHIFT, 16 | SHIFT_ROUND | SHIFT_X); mul(V_GAMMA); jump(IF_CLAMPED, "v_most");
    ldi(0);
    label("v_most"); num(M_SHIFT, SHIFT_P | SHIFT_ADD); ldx(OLD); mul(V_GAMMA);
    num(M_SHIFT, 16 | SHIFT_P | SHIFT_ADD | SHIFT_ROUND);
    op(M_SUB, at_inc(2)); jump(IF_NEG, "v_minus"); jump(IF_NONZERO, "v_limit"); go("v_there");
    label("v_minus"); addi(-1); jump(IF_NONNEG, "v_limit"); addi(1); /* -2^31 is beyond */
    label("v_there"); st(NEW); op(M_ST, at_inc(1)); ctl(4 * CTL_TELL);
    inc(KI); jump(IF_LOOP1, "v");
    ld(LEARN); jump(IF_ZERO, "signalled");
    if (rules) { /* MB and REWARD have no softmax */
        ld(V_RULE); jump(IF_EVEN, "softmax"); ldi(0); go("signalled");
        label("softmax");
    }
    ldi(2);
    label("signalled"); st(DUE);
    label("part_done"); ld(V_NEURON_LAST); sub(FI); jump(IF_ZERO, "fire"); jump(IF_NONNEG, "fire_now"); go("finish");
    label("v_limit"); inc(V_SAT_LOGPROB); ld(C_TOP); addi(1); go("v_there");

    label("exponentials"); /* largest v */
    point(0, B_V); count0(KN); op(M_LD, at_ptr(0)); st(MAX); /* no v is above 0, so their differences have 32 bits */
    label("max"); ld(MAX); op(M_SUB, at_inc(0)); jump(IF_NONNEG, "not_larger"); rsub(MAX); st(MAX);
    label("not_larger"); jump(IF_LOOP0, "max");
    /* exponentials and their sum */
    ldi(0); st(SUM); point(1, B_V); point(2, B_E); count1(KN);
    label("e");
    ld(MAX); op(M_SUB, at_inc(1)); st(R); sub(C_48263); jump(IF_NONNEG, "e_none");
    /* N-9: R = 2839 q + rest. 1477 / 2^18 is a little less than 16 / 2839, so that q is right or one too small */
    ld(R); num(M_SHIFT, 4 | SHIFT_UNSIGNED | SHIFT_X); mul(C_1477); num(M_SHIFT, 18 | SHIFT_P); st(Q);
    xa(); mul(C_MINUS_2839); ld(R); num(M_SHIFT, SHIFT_P | SHIFT_ADD); st(R); sub(C_2839); jump(IF_NEG, "e_rest");
    st(R); inc(Q);
    label("e_rest"); op(M_LDS, at_var(Q)); ld(R); lsr(3); st(T0); lsr(1); point_a(0, B_EXP); ld(T0);
    jump(IF_ODD, "e_high");
    ldx(ONE); op(M_MUL, at_ptr(0)); ldpr(); jump(IF_NONNEG, "e_word"); add(V_65536); go("e_word");
    label("e_high"); op(M_LD, at_ptr(0)); lsr(16);
    label("e_word"); lsr(SHIFT_SH); go("e_store");
    label("e_none"); ldi(0);
    label("e_store"); op(M_ST, at_inc(2)); addto(SUM); jump(IF_LOOP1, "e");
    copy(DUE, ONE); go("part_done");

    label("modulators");
    if (rules) { /* N-17 of IW; the records of the modulators have it */
        ld(V_RULE); lsr(1); jump(IF_ODD, "log_mean"); ldi(0); st(W_NEW);
        label("log_there"); copy(U, W_NEW);
    }
    /* R = 2^30 div S, S above 2^15: fifteen bits, ten and five; the rest lies ten bits up, the bits of the quotient
     * follow it */
    count0(TEN); ld(SUM); call("left"); st(SUM10); ld(C_BIG); lsr(3); count0(TEN);
    loop("r_bit"); op(M_DBL, in_round(at_var(0))); op(M_CSUB, at_var(SUM10));
    call("split"); st(Q); count0(FIVE); ld(T1);
    loop("r_bit2"); op(M_DBL, in_round(at_var(0))); op(M_CSUB, at_var(SUM10));
    call("split"); st(R); ld(Q); for (int i = 0; i < 5; ++i) dbl();
    add(R); st(RECIPROCAL); ldx(C16384); mul(RECIPROCAL); ldpr(); dbl(); dbl(); st(RECIPROCAL16);
    /* S = 2^16 SUM_HIGH - (lower half of SUM_MINUS, signed) */
    ld(SUM); add(C_MAX); lsr(16); st(SUM_HIGH); ld(SUM); rsub(ZERO); st(SUM_MINUS); ld(SUM); lsr(1); rsub(SUM);
    st(SUM_HALF);
    /* m = (2^14 E + S / 2) div S: (E R + 2^15) / 2^16 is less than one below it, so right or one too small; too small
     * if 2^14 E + S / 2 - m S is at least S */
    ldi(0); st(KI); point(2, B_E); count1(KN);
    label("m");
    /* the product takes E as signed */
    ldx(RECIPROCAL); op(M_MUL, at_ptr(2)); op(M_LD, at_ptr(2)); lsr(15); jump(IF_ZERO, "m_low"); ld(RECIPROCAL16);
    label("m_low"); num(M_SHIFT, SHIFT_P | SHIFT_ADD); add(C_HALF); lsr(16); st(NEW);
    /* E - 4 m SUM_HIGH has 16 bits, since S is above 2^15 and SUM_HIGH rounded so */
    xa(); mul(SUM_HIGH); ldpr(); dbl(); dbl(); op(M_RSUB, at_ptr(2)); xa();
    mul(C16384); ldpr(); ldx(NEW); mul(SUM_MINUS); num(M_SHIFT, SHIFT_P | SHIFT_ADD); sub(SUM_HALF);
    jump(IF_NEG, "m_there"); inc(NEW);
    /* kept here: the current update still needs the last ones */
    label("m_there"); ld(NEW); op(M_ST, at_inc(2)); ctl(5 * CTL_TELL);
    inc(KI); jump(IF_LOOP1, "m");
    ldi(0); st(DUE); go("part_done");
}

static void finish(void)
{
    label("finish"); ld(DUE); jump(IF_NONZERO, "fire");
    label("pass_ends"); jump(IF_PASS_BUSY, "pass_ends");
    op(M_LD, in_space(SP_SATURATIONS, at_var(0))); addto(V_SAT_WEIGHT);
    copy(V_PENDING, LEARN); jump(IF_ZERO, "kept");
    if (rules) {
        ld(V_RULE); jump(IF_ODD, "mean");
        point(1, B_W); count0(KN); ld(W_NEW);
        label("new_w"); op(M_ST, at_inc(1)); jump(IF_LOOP0, "new_w");
    }
    point(1, B_E); point(2, B_M); count0(KN);
    loop("new_m"); op(M_LD, in_round(at_inc(1))); op(M_ST, at_inc(2));
    label("kept");
    ld(POTENTIAL); jump(IF_ZERO, "done");
    ctl(CTL_FLIP); inc(V_STEP);
    ld(V_LAG_HEAD); sub(V_LAG_LAST); jump(IF_ZERO, "head_again"); inc(V_LAG_HEAD); go("done");
    label("head_again"); ldi(0); st(V_LAG_HEAD);
    label("done"); ctl(CTL_DONE); go("done");
    /* clear: histories, frames, errors, last spikes, v, m, the pending update */
    label("clear");
    ldi(0); st(V_PENDING); st(V_LAG_HEAD); point(0, B_ERROR); copy(T0, V_ERRORS);
    label("clear_errors"); ldi(0); op(M_ST, at_inc(0)); dec(T0); jump(IF_NONZERO, "clear_errors");
    point(0, B_V); count0(V_M_ALL); ldi(0);
    label("clear_v"); op(M_ST, at_inc(0)); jump(IF_LOOP0, "clear_v");
    ldi(2); st(T1);
    label("clear_plane"); copy(T0, V_DEEP); point(0, ZERO);
    label("clear_words"); ldi(0); st_to(SP_HIST, at_ptr(0)); st_to(SP_FRAME, at_inc(0)); dec(T0);
    jump(IF_NONZERO, "clear_words");
    ctl(CTL_FLIP); dec(T1); jump(IF_NONZERO, "clear_plane"); go("done");
}

void micro_program(micro *to, bool with_rules)
{
    tern_microcode = to;
    rules = with_rules;
    start_step();
    prepare();
    push();
    threefry();
    fire_constants();
    fire_locals();
    fire_sample();
    signal();
    change_local();
    finish();
    tables();
    if (!rules) return;
    tern_microcode_set();
    tern_microcode_baseline();
    tern_microcode_log_mean();
    tern_microcode_mean();
}
/* clang-format on */
