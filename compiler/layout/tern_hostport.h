/* tern_hostport.h : the map of the host port and of the bridges: regions, registers, bits of registers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one definition. Made from it: the enumerations below; of `tern compile` the C header tern-host.h and NAME.rdl;
 * the tables of docs/33-host-port.md and docs/42-bridges.md. The Verilog has the same numbers; the test lint.hostport
 * compares pages and Verilog.
 * Texts are for people: plain ASCII without double quotes.
 */
#ifndef TERN_HOSTPORT_H
#define TERN_HOSTPORT_H

/* Regions: symbol, number, memory, word. */
/* clang-format off */
#define TERN_HOST_REGION_MAP(XX) \
    XX(REG, 0, "registers", "32 bits") \
    XX(WEIGHT, 1, "weights", "LANES x WEIGHT_W bits, lane 0 lowest; an absent synapse is register ABSENT") \
    XX(HIST, 2, "histories", "LANES x HIST_W bits; bit 0 of a lane is the newest spike. Words 0..: input " \
       "groups; SAMPLE_HIST0 + k SAMPLE_WORDS + g: group g of neurons, sample k") \
    XX(FRAME, 3, "frame", "LANES bits, same words as region 2: spikes of this step. The host writes the inputs " \
       "before the step") \
    XX(FRAME_LAST, 4, "last frame", "the same of the last step") \
    XX(TARGET, 5, "targets", "LANES bits: group g of neurons") \
    XX(ROW, 6, "rows", "128 bits, below") \
    XX(NEURON, 7, "neurons", "bits FILTER_W-1..0 filter of the self-memory, bit FILTER_W: has one (FILTER_W = " \
       "bits for FILTERS, at least 1)") \
    XX(PLACE, 8, "places", "31..16 group, 15..8 lane, 7..2 C - 1 at the last member of a WTA circuit, 1 member " \
       "of a WTA circuit, 0 visible; the neurons of a group follow each other") \
    XX(TAPS, 9, "filter taps", "word filter * TAPS_D + tau - 1, u1.XF") \
    XX(LOCAL, 10, "bias, self-memory", "2 neuron: bias, 2 neuron + 1: weight of the self-memory, s4.12") \
    XX(ERROR, 11, "errors", "(neuron K + sample) W + column, s0.15") \
    XX(SELF, 12, "own histories", "neuron K + sample, HIST_W bits") \
    XX(SPIKE, 13, "last spikes", "neuron K + sample, 1 bit") \
    XX(EK, 14, "ek", "lag, 15 bits") \
    XX(TABLE, 15, "tables", "31..16 SIG, 15..0 SP; 512 words") \
    XX(EXP, 16, "EXP", "355 words") \
    XX(V, 17, "v", "sample, s20.12") \
    XX(M, 18, "m", "sample, valid while an update is pending") \
    XX(LOSS, 19, "L", "sample, read only: cross-entropy of the last step, u.12, kept until the next step. A " \
       "clear leaves it as it is, although L of the state is 0 then") \
    XX(SIGNAL, 20, "learning signals", "sample: w, s20.12. The host may write it between a step that learns and " \
       "the next pass (rule REWARD)") \
    XX(BASELINE, 21, "baselines", "word i, neuron SIGNAL_FIRST + i: bits 31..0 b, 63..32 D (cores with " \
       "BASELINES > 0)") \
    XX(KAP, 22, "kap", "lag, 15 bits") \
    XX(LOG, 23, "LOG", "256 words of 12 bits") \
    XX(COUNT, 24, "class counters", "sample * CLASSES + class: 15..0 spikes, 31..16 step of the first one " \
       "(cores with CLASSES > 0; so are 25 and 26)") \
    XX(VOTES, 25, "votes", "2 class: samples that decided for it; 2 class + 1: spikes in all samples") \
    XX(DECISION,   26, "decisions",        "sample: class, of the last vote")
/* clang-format on */

/* Registers of the core, region 0: symbol, word, access (r, w, rw), where tern_control.v keeps or reads it, text. */
/* clang-format off */
#define TERN_HOST_REGISTER_MAP(XX) \
    XX(ID, 0, "r", "32'h5445524e", "0x5445524e") \
    XX(VERSION, 1, "r", "32'd1", "of this port: 1; of a small core 3, because its rows, places, neurons " \
       "and errors have another layout") \
    XX(CONTROL, 2, "w", "control", "commands, one bit each") \
    XX(STATUS, 3, "r", "busy_o", "what the core is doing") \
    XX(CYCLES, 4, "r", "cycles_q", "of the last step or flush; while one runs, so far; small core: 0") \
    XX(CAP_KERNELS, 6, "r", "KERNELS", "1: rows from neurons have a kernel for each sample") \
    XX(CAP_SKIP, 7, "r", "SKIP", "1: silent words of inputs are skipped") \
    XX(CAP_WAYS, 8, "r", "WAYS", "samples per cycle in rows from neurons; 0: one") \
    XX(CAP_WAY_WORDS, 9, "r", "WAY_WORDS", "history words of each way but the first") \
    XX(CAP_PREP, 10, "r", "PREP", "products of a learning kernel per cycle; 0: one") \
    XX(CAP_SIGNALS, 11, "r", "SIGNALS", "0: rule GEM only, 1: every rule") \
    XX(CAP_BASELINES, 12, "r", "BASELINES", "neurons with a baseline") \
    XX(CAP_WTA, 13, "r", "WTA", "members of the largest WTA circuit") \
    XX(CAP_CLASSES, 14, "r", "CLASSES", "classes that vote") \
    XX(CAP_SMALL, 15, "r", "", "0: large core; 1: small core, weights in block RAM; 2: small core, weights in " \
       "single-port RAM; 3: as 2, and weights of exactly WEIGHT_W bits") \
    XX(CAP_LANES, 16, "r", "LANES", "weights per word and cycle") \
    XX(CAP_WEIGHT_W, 17, "r", "WEIGHT_W", "bits of a stored weight") \
    XX(CAP_SAMPLES, 18, "r", "SAMPLES", "samples K") \
    XX(CAP_NEURONS, 19, "r", "NEURONS", "neurons") \
    XX(CAP_PAIRS, 20, "r", "PAIRS", "(neuron, sample) pairs") \
    XX(CAP_ERRORS, 21, "r", "ERRORS", "error words: pairs times lags W") \
    XX(CAP_TAPS_D, 22, "r", "TAPS_D", "filter taps D, steps") \
    XX(CAP_LAGS_W, 23, "r", "LAGS_W", "learning lags W, steps") \
    XX(CAP_FILTERS, 24, "r", "FILTERS", "filters") \
    XX(CAP_ROWS, 25, "r", "ROWS", "row descriptors") \
    XX(CAP_WORDS, 26, "r", "WORDS", "weight words of LANES weights") \
    XX(CAP_HIST_WORDS, 27, "r", "HIST_WORDS", "history words") \
    XX(CAP_TARGETS, 28, "r", "TARGETS", "words of target bits") \
    XX(CAP_WIDTHS, 29, "r", "{KERNEL_W[7:0], DELTA_W[7:0], ACC_W[7:0], X_W[7:0]}", "widths of sums, bits") \
    XX(CAP_DITHER, 30, "r", "{8'd0, INDEX_W[7:0], DITHER_MIN[7:0], DITHER_MAX[7:0]}", \
        "range of R, bits of a dither index") \
    XX(CAP_HIST_W, 31, "r", "HIST_W", "bits of a history: D + W") \
    XX(NEURON_LAST, 32, "rw", "cfg_neuron_last_q", "neurons - 1") \
    XX(VISIBLE, 33, "rw", "cfg_visible_q", "visible neurons") \
    XX(SAMPLE_LAST, 34, "rw", "cfg_sample_last_q", "K - 1") \
    XX(TAP_LAST, 35, "rw", "cfg_tap_last_q", "D - 1") \
    XX(LAG_LAST, 36, "rw", "cfg_lag_last_q", "W - 1") \
    XX(SAMPLE_HIST0, 37, "rw", "cfg_sample_hist0_q", "first history word of neurons") \
    XX(SAMPLE_WORDS, 38, "rw", "cfg_sample_words_q", "history words of a sample") \
    XX(SCALE, 39, "rw", "cfg_scale_q", "20 - WF - XF") \
    XX(DITHER_BITS, 40, "rw", "cfg_dither_bits_q", "R") \
    XX(LOCAL_BITS, 41, "rw", "cfg_local_bits_q", "RL") \
    XX(C_SHIFT, 42, "rw", "cfg_c_shift_q", "c_shift") \
    XX(TRACE_FRAC, 43, "rw", "cfg_trace_frac_q", "XF") \
    XX(TOP, 44, "rw", "cfg_top_q", "largest weight, above 0") \
    XX(ABSENT, 45, "rw", "cfg_absent_q", "code of an absent synapse") \
    XX(GAMMA, 46, "rw", "cfg_gamma_q", "gamma, u1.16") \
    XX(SEED0, 47, "rw", "cfg_seed_q[31:0]", "seed, bits 31..0") \
    XX(SEED1, 48, "rw", "cfg_seed_q[63:32]", "seed, bits 63..32") \
    XX(GROUP0, 49, "rw", "cfg_group0_q", "k0 / 4") \
    XX(LAYOUT, 50, "rw", "", "not used by the core; hosts keep the first 32 bits of the layout hash in it") \
    XX(RULE, 51, "rw", "rule_q", "the learning rule") \
    XX(SIGNAL_FIRST, 52, "rw", "signal_first_q", "first neuron that learns from w") \
    XX(M_SHIFT, 53, "rw", "m_shift_q", "12 - MF") \
    XX(BASELINE_SHIFT, 54, "rw", "baseline_shift_q", "bs") \
    XX(DITHER_BITS1, 55, "rw", "dither_bits1_q", "R of set 1") \
    XX(LOCAL_BITS1, 56, "rw", "local_bits1_q", "RL of set 1") \
    XX(C_SHIFT1, 57, "rw", "c_shift1_q", "c_shift of set 1") \
    XX(INV_K, 58, "rw", "inverse_q", "rK") \
    XX(M_CONST, 59, "rw", "mean_q", "modulator of set 0 under rule MB") \
    XX(LOG_OFFSET, 60, "rw", "log_offset_q", "45426 + LN(K) - LOG[0]") \
    XX(CLASSES, 61, "rw", "classes_q", "the neurons that vote") \
    XX(STEP, 64, "rw", "step_q", "number of the next step") \
    XX(LAG_HEAD, 65, "rw", "lag_head_q", "column of errors that the next step writes") \
    XX(PENDING, 66, "rw", "pending_q", "1: an update waits") \
    XX(PLANE, 67, "rw", "plane_q", "plane of the frame; small core: write-only") \
    XX(WINNER, 68, "r", "winner_i", "class of the last vote (N-28)") \
    XX(SAT_WEIGHT, 80, "rw", "sat_weight_q", "saturations of weights; a write sets the count, here and in the " \
       "next five") \
    XX(SAT_LOCAL, 81, "rw", "sat_local_q", "of biases and self-memory weights") \
    XX(SAT_POTENTIAL, 82, "rw", "sat_potential_q", "of potentials") \
    XX(SAT_COEFFICIENT, 83, "rw", "sat_coefficient_q", "of coefficients") \
    XX(SAT_LOGPROB, 84, "rw", "sat_logprob_q", "of log-probabilities and signals") \
    XX(SAT_MODULATOR,  85, "rw", "sat_modulator_q",     "of modulators")
/* clang-format on */

/* Bits of registers of the core: register, symbol, lowest bit, bits, text. Others are one number. */
/* clang-format off */
#define TERN_HOST_FIELD_MAP(XX) \
    XX(CONTROL, START, 0, 1, "start a step or a flush") \
    XX(CONTROL, LEARN, 1, 1, "with start: the step learns") \
    XX(CONTROL, CLAMP, 2, 1, "with start: visible neurons take the targets") \
    XX(CONTROL, FLUSH, 3, 1, "with start: apply a pending update, no step") \
    XX(CONTROL, CLEAR, 4, 1, "without start: clear histories and averages") \
    XX(CONTROL, VOTE, 5, 1, "without start: decide and vote") \
    XX(CONTROL, EXAMPLE, 6, 1, "without start: clear counters and votes") \
    XX(STATUS, BUSY, 0, 1, "a step, flush, clear or vote is running") \
    XX(STATUS, PLANE, 1, 1, "plane of the frame") \
    XX(STATUS, PENDING, 2, 1, "an update waits (large core)") \
    XX(STATUS, CLEARING, 4, 1, "memories are being cleared (large core)") \
    XX(CAP_WIDTHS, KERNEL_W, 24, 8, "of a kernel tap") \
    XX(CAP_WIDTHS, DELTA_W, 16, 8, "of a weight change") \
    XX(CAP_WIDTHS, ACC_W, 8, 8, "of a potential's sum") \
    XX(CAP_WIDTHS, X_W, 0, 8, "of a trace") \
    XX(CAP_DITHER, INDEX_W, 16, 8, "bits of a dither index") \
    XX(CAP_DITHER, MIN, 8, 8, "least R") \
    XX(CAP_DITHER, MAX, 0, 8, "largest R") \
    XX(RULE, KIND, 0, 2, "0 GEM, 1 MB, 2 IW, 3 REWARD") \
    XX(RULE, BASELINES, 2, 1, "with baselines") \
    XX(CLASSES, FIRST, 0, 16, "first neuron that votes") \
    XX(CLASSES, COUNT, 16, 15, "number of classes; 0: none; a number above CAP_CLASSES counts as CAP_CLASSES") \
    XX(CLASSES, BY_FIRST, 31,  1, "decide by the first spike")
/* clang-format on */

/* Registers of the slaves' own (tern_bus): symbol, word, access, text; and their bits. */
/* clang-format off */
#define TERN_BUS_REGISTER_MAP(XX) \
    XX(ID, 0, "r", "0x54425553") \
    XX(VERSION, 1, "r", "1") \
    XX(CONTROL, 2, "rw", "how accesses wait") \
    XX(STATUS, 3, "r", "never waits") \
    XX(WINDOW, 4, "rw", "bits 31..13 of the host port's address that the window shows; bits 12..0 read 0") \
    XX(IRQ_STATUS, 5, "rw", "what has happened. Writing 1 to a bit clears it, unless it happens again in the " \
       "same cycle") \
    XX(IRQ_ENABLE, 6, "rw", "same bits; irq_o is 1 while an enabled bit is 1")
/* clang-format on */
/* clang-format off */
#define TERN_BUS_FIELD_MAP(XX) \
    XX(CONTROL, NO_WAIT, 0, 1, "an access that the core cannot accept immediately is answered with an error and " \
       "not done, instead of waiting") \
    XX(STATUS, BUSY, 0, 1, "the core is busy (busy_o)") \
    XX(IRQ_STATUS, IDLE, 0, 1, "the core became idle (a step, flush, clear or vote has ended)") \
    XX(IRQ_STATUS, EXAMPLE, 1, 1, "an example of the stream has ended") \
    XX(IRQ_STATUS, IGNORED, 2, 1, "an event of the stream was ignored") \
    XX(IRQ_ENABLE, IDLE, 0, 1, "the core became idle") \
    XX(IRQ_ENABLE, EXAMPLE, 1, 1, "an example of the stream has ended") \
    XX(IRQ_ENABLE, IGNORED, 2, 1, "an event of the stream was ignored")
/* clang-format on */
#define TERN_BUS_CORE 0x0400u   /* byte offsets: registers of the core, 4 bytes each ... */
#define TERN_BUS_MEMORY 0x8000u /* ... the window of TERN_BUS_WORDS words */
#define TERN_BUS_WORDS 8192u
#define TERN_BUS_BYTES 0x10000u

/* Registers of tern_axis, region 0x80: symbol, word, access, text; and their bits. */
/* clang-format off */
#define TERN_STREAM_REGISTER_MAP(XX) \
    XX(ID, 0, "r", "0x54535452") \
    XX(CONTROL, 1, "rw", "When it is switched off, a frame that has not started is dropped, and a running " \
       "step is completed") \
    XX(STATUS, 2, "r", "whether the stream is off") \
    XX(WORDS, 3, "rw", "words of the frame; reads back at most FRAME_WORDS") \
    XX(NEURONS, 4, "rw", "spikes of neurons 0..NEURONS-1 are sent; the visible ones come first") \
    XX(SAMPLES, 5, "rw", "K of the network, 1..32; required, because addresses of region 13 depend on it") \
    XX(END, 6, "rw", "three bytes: commands at the end of an example") \
    XX(IGNORED, 7, "rw", "ignored events, stops at 65535; a write sets the count")
/* clang-format on */
/* clang-format off */
#define TERN_STREAM_FIELD_MAP(XX) \
    XX(CONTROL, ON, 0, 1, "on") \
    XX(CONTROL, LEARN, 1, 1, "learn") \
    XX(CONTROL, CLAMP, 2, 1, "clamp") \
    XX(CONTROL, WINNER, 3, 1, "the last marker of an example holds register WINNER of the core") \
    XX(STATUS,  NOT_OFF,  0, 1, "not off yet")
/* clang-format on */

#define XX(name, number, memory, word) TERN_RG_##name = number,
enum tern_region { TERN_HOST_REGION_MAP(XX) TERN_RG_STREAM = 0x80, TERN_RG_STREAM_MAP = 0x81 };
#undef XX
#define XX(name, number, access, rtl, text) TERN_REG_##name = number,
enum tern_register { TERN_HOST_REGISTER_MAP(XX) };
#undef XX
/* TERN_BIT_register_symbol: a mask. */
#define XX(reg, name, low, bits, text) TERN_BIT_##reg##_##name = (int)(((1u << (bits)) - 1u) << (low)),
enum tern_register_bits { TERN_HOST_FIELD_MAP(XX) };
#undef XX
#define XX(name, number, access, text) TERN_STREAM_##name = number,
enum tern_stream_register { TERN_STREAM_REGISTER_MAP(XX) };
#undef XX
enum tern_control {
    TERN_CTL_START = TERN_BIT_CONTROL_START,
    TERN_CTL_LEARN = TERN_BIT_CONTROL_LEARN,
    TERN_CTL_CLAMP = TERN_BIT_CONTROL_CLAMP,
    TERN_CTL_FLUSH = TERN_BIT_CONTROL_FLUSH,
    TERN_CTL_CLEAR = TERN_BIT_CONTROL_CLEAR,
    TERN_CTL_VOTE = TERN_BIT_CONTROL_VOTE,
    TERN_CTL_EXAMPLE = TERN_BIT_CONTROL_EXAMPLE
};
/* Register VERSION. The small core has another one because its rows, places, neurons and errors have another layout. */
enum { TERN_HOST_VERSION = 1, TERN_HOST_VERSION_SMALL = 3 };
#define TERN_STREAM_MAPPED 0x80000000u /* of an entry of the map: the group has a word */

#endif /* TERN_HOSTPORT_H */
