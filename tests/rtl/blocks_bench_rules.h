// blocks_bench_rules.h : part of blocks_bench.cpp: circuits, votes and what the rules have
// SPDX-License-Identifier: Apache-2.0
#ifndef TERN_BLOCKS_BENCH_RULES_H
#define TERN_BLOCKS_BENCH_RULES_H

// ---- circuits: potentials and tables live here; the small one runs beside the large one where the circuit fits
// --------
void run_wta(const tern_wta_in &in, const uint16_t *exp_table, const uint16_t *log_table)
{
    uint32_t p[TERN_MAX_WTA];
    int16_t e[TERN_MAX_WTA];
    const tern_wta_out want = tern_wta_step(&in, exp_table, log_table, p, e);
    const bool small = in.size <= 10;
    char inputs[160];
    std::snprintf(inputs, sizeof inputs, "size=%u draw=%u clamp=%d target=%u u[0]=%d u[1]=%d", in.size, in.draw,
                  in.clamp, in.target, in.u_f8[0], in.u_f8[1]);
    top->wta_last_i = static_cast<uint8_t>(in.size - 1);
    top->wta_clamp_i = in.clamp;
    top->wta_has_target_i = in.target < in.size;
    top->wta_target_i = static_cast<uint8_t>(in.target < in.size ? in.target : next() & 63);
    top->wta_draw_i = in.draw;
    int32_t largest = 0;
    for (uint32_t c = 0; c < in.size; ++c) largest = in.u_f8[c] > largest ? in.u_f8[c] : largest;
    top->wta_top_i = static_cast<uint16_t>(largest);
    top->wta_start_i = 1;
    top->wta10_start_i = small;
    uint32_t members = 0, members10 = 0, cycles = 1;
    for (bool done = false; !done && cycles < 10000; ++cycles) {
        top->clk_i = 0;
        tern_dut_eval(context, *top);
        if (small)
            compare("wta: both sizes at the same time", top->wta_busy_o * 64 + top->wta_valid_o * 16 + top->wta_done_o,
                    (top->wta_busy_o & 1) * 192 + (top->wta_valid_o & 1) * 48 + (top->wta_done_o & 1) * 3);
        if (top->wta_valid_o & 1) {
            const uint32_t c = top->wta_member_o;
            compare("wta: order of the members", c, members++);
            compare("wta: p", top->wta_p_o, p[c], inputs);
            compare("wta: spike", top->wta_spike_o & 1, c == want.winner, inputs);
            compare("wta: error", sign(top->wta_e_o, 16), e[c], inputs);
            compare("wta: potential beside it", sign(top->wta_u_rdata_i, 12), in.u_f8[c]);
        }
        if (top->wta_valid_o & 2) {
            const uint32_t c = top->wta10_member_o;
            compare("wta: order of the members, 10", c, members10++);
            compare("wta: p, 10", top->wta10_p_o, p[c], inputs);
            compare("wta: spike, 10", top->wta_spike_o >> 1 & 1, c == want.winner, inputs);
            compare("wta: error, 10", sign(top->wta10_e_o, 16), e[c], inputs);
        }
        if (top->wta_done_o & 1) {
            compare("wta: cross-entropy", top->wta_l_o, want.l_f12, inputs);
            if (small) compare("wta: cross-entropy, 10", top->wta10_l_o, want.l_f12, inputs);
            done = true;
        }
        const bool re = top->wta_u_re_o & 1, table_re = top->wta_table_re_o & 1;
        const uint32_t at = top->wta_u_raddr_o, exp_at = top->wta_exp_raddr_o, log_at = top->wta_log_raddr_o;
        top->clk_i = 1;
        tern_dut_eval(context, *top);
        top->wta_start_i = top->wta10_start_i = 0;
        if (re) top->wta_u_rdata_i = at < in.size ? static_cast<uint16_t>(in.u_f8[at] & 0xfff) : 0x7ff;
        if (table_re) {
            top->wta_exp_rdata_i = exp_at < TERN_EXP_ENTRIES ? exp_table[exp_at] : 0xdead;
            top->wta_log_rdata_i = log_table[log_at];
        }
    }
    compare("wta: cycles", cycles - 1, 4 * in.size + 25); // the cycle of start_i included
    compare("wta: members", members, in.size);
    compare("wta: members, 10", members10, small ? in.size : 0);
    compare("wta: idle", top->wta_busy_o, 0);
}
void test_wta()
{
    uint16_t odd_exp[TERN_EXP_ENTRIES], odd_log[TERN_LOG_ENTRIES]; // what an image may hold as well
    for (unsigned i = 0; i < 6000; ++i) {
        int32_t u[TERN_MAX_WTA];
        tern_wta_in in = { u, static_cast<uint32_t>(i % 3 == 0 ? in_range(2, 64) : in_range(2, 10)),
                           static_cast<uint16_t>(next()), i % 4 == 1, 0 };
        if (i % 50 == 0) in.size = i % 100 == 0 ? 64 : 2;
        const int64_t span = i % 5 == 0 ? 2047 : INT64_C(1) << in_range(0, 10),
                      middle = i % 7 == 0 ? in_range(-1000, 1000) : 0;
        for (uint32_t c = 0; c < in.size; ++c) {
            const int64_t value = i % 11 == 0 ? (next() & 1 ? 2047 : -2047) : middle + in_range(-span, span);
            u[c] = static_cast<int32_t>(value > 2047 ? 2047 : value < -2047 ? -2047 : value);
        }
        in.target = static_cast<uint32_t>(in_range(0, in.size)); // size: silence
        if (i % 13 == 12) {
            for (auto &x : odd_exp) x = static_cast<uint16_t>(next() >> in_range(48, 63));
            for (auto &x : odd_log) x = static_cast<uint16_t>(next() & 4095);
            odd_exp[0] = static_cast<uint16_t>(in_range(1, i % 26 == 12 ? 3 : 65535));
            run_wta(in, odd_exp, odd_log);
            continue;
        }
        if (!in.clamp && i % 2 == 0) { // a draw at the edge between two members
            uint32_t p[TERN_MAX_WTA], reached = 0;
            int16_t e[TERN_MAX_WTA];
            tern_wta_step(&in, exponential, logarithm, p, e);
            const uint32_t edge = static_cast<uint32_t>(in_range(0, in.size - 1));
            for (uint32_t c = 0; c <= edge; ++c) reached += p[c];
            const int64_t near = reached + in_range(-1, 1);
            if (near >= 0 && near <= 65535) in.draw = static_cast<uint16_t>(near);
        }
        run_wta(in, exponential, logarithm);
    }
}

// ---- vote: 100 classes in 32 samples; where they suffice, 3 classes in 2 samples as well
// -------------------------------
struct Vote {
    std::vector<uint64_t> memory = std::vector<uint64_t>(100000);
    tern_vote c;
    uint32_t n, k, first;
    bool small;

    static uint32_t host(unsigned which, uint32_t word, bool three)
    {
        top->vote_host_re_i = static_cast<uint8_t>(1u << which);
        top->vote_host_where_i = word;
        tick();
        top->vote_host_re_i = 0;
        const uint32_t large[] = { top->vote_host_count_o, top->vote_host_votes_o, top->vote_host_decision_o },
                       few[] = { top->vote3_host_count_o, top->vote3_host_votes_o, top->vote3_host_decision_o };
        return three ? few[which] : large[which];
    }
    void begin() const
    {
        top->vote_begin_i = 1;
        tick();
        top->vote_begin_i = 0;
    }
    void report(uint32_t neuron, uint32_t sample, bool spike) const
    {
        top->vote_fired_valid_i = 1;
        top->vote_fired_neuron_i = static_cast<uint16_t>(neuron);
        top->vote_fired_sample_i = static_cast<uint8_t>(sample);
        top->vote_fired_spike_i = spike;
        tick();
        top->vote_fired_valid_i = 0;
        top->vote_fired_spike_i = static_cast<uint8_t>(next() & 1);
    }
    void command(bool example) const
    {
        (example ? top->vote_example_i : top->vote_vote_i) = static_cast<uint8_t>(small ? 3 : 1);
        tick();
        top->vote_example_i = top->vote_vote_i = 0;
        uint32_t cycles = 0;
        for (; top->vote_busy_o != 0 && cycles < 100000; ++cycles) tick();
        compare("vote: cycles", cycles, k * (2 * n + 2) + 5 * n);
    }
    void counters() const
    {
        for (unsigned three = 0; three < (small ? 2u : 1u); ++three)
            for (uint32_t s = 0; s < k; ++s)
                for (uint32_t i = 0; i < n; ++i) {
                    const uint32_t word = host(0, s * (three != 0 ? 3 : 100) + i, three != 0);
                    compare("vote: spikes of a class", word & 0xffff, c.count[s * n + i]);
                    compare("vote: step of the first spike", word >> 16, c.first[s * n + i]);
                }
    }
    void results() const
    {
        for (unsigned three = 0; three < (small ? 2u : 1u); ++three) {
            for (uint32_t i = 0; i < n; ++i) {
                compare("vote: votes", host(1, 2 * i, three != 0), c.votes[i]);
                compare("vote: spikes of all samples", host(1, 2 * i + 1, three != 0), c.spikes[i]);
            }
            for (uint32_t s = 0; s < k; ++s) compare("vote: decision", host(2, s, three != 0), c.decision[s]);
            compare("vote: winner", three != 0 ? top->vote3_winner_o : top->vote_winner_o, c.winner);
        }
    }
};
void test_vote()
{
    compare("vote: no winner after reset", top->vote_winner_o | top->vote3_winner_o, 0);
    for (unsigned i = 0; i < 200; ++i) {
        Vote v;
        v.small = i % 3 != 0;
        v.n = static_cast<uint32_t>(v.small ? in_range(1, 3) : i % 30 == 0 ? 100 : in_range(1, 100));
        v.k = static_cast<uint32_t>(v.small ? in_range(1, 2) : i % 30 == 0 ? 32 : in_range(1, 32));
        v.first = static_cast<uint32_t>(v.small ? in_range(0, 20) : i % 30 == 3 ? 65535 - v.n : in_range(0, 300));
        const tern_vote_decode decode = next() & 1 ? TERN_DECODE_FIRST : TERN_DECODE_RATE;
        if (tern_vote_init(&v.c, v.n, v.k, decode, v.memory.data(), v.memory.size() * 8) != TERN_OK)
            compare("vote: the golden model starts", 0, 1);
        top->vote_sample_last_i = static_cast<uint8_t>(v.k - 1);
        top->vote_class_first_i = static_cast<uint16_t>(v.first);
        // more than the core has are as many as it has
        top->vote_class_count_i = static_cast<uint16_t>(v.n == 100 ? in_range(100, 32767) : v.n);
        top->vote_class_spike_i = decode == TERN_DECODE_FIRST;
        for (unsigned example = 0; example < 2; ++example) {
            tern_vote_begin(&v.c);
            v.command(true);
            // the host writes between two examples
            for (uint32_t value : { 0x12345678u, static_cast<uint32_t>(v.c.votes[0]) }) {
                top->vote_host_we_i = 2;
                top->vote_host_where_i = 0;
                top->vote_host_wdata_i = value;
                tick();
                top->vote_host_we_i = 0;
                compare("vote: votes that the host writes", v.host(1, 0, v.small), value);
            }
            v.counters();
            v.results();
            for (unsigned batch = 0; batch < 3; ++batch) {
                const unsigned steps = static_cast<unsigned>(in_range(0, 9)),
                               rate = static_cast<unsigned>(in_range(1, 12));
                const uint32_t from = v.first > 3 ? v.first - 3 : 0, end = v.first + v.n + 2, words = end / 32 + 1;
                if (i == 40) { // long before the first spike, and counters about to end
                    for (unsigned t = 0; t < 65534; ++t) v.begin();
                    v.c.step = 65534;
                    for (uint32_t at = 0; at < v.n; ++at) {
                        v.c.count[at] = static_cast<uint16_t>(65533 + at % 3);
                        top->vote_host_we_i = 1;
                        for (top->vote_host_where_i = at, top->vote_host_wdata_i = 0xffff0000u | v.c.count[at];
                             top->vote_host_we_i != 0; top->vote_host_we_i = 0)
                            tick();
                    }
                }
                for (unsigned t = 0; t < steps; ++t) {
                    std::vector<uint32_t> spikes(static_cast<std::size_t>(v.k) * words, 0);
                    for (uint32_t s = 0; s < v.k; ++s)
                        for (uint32_t neuron = from; neuron < end; ++neuron)
                            if (next() % rate == 0) spikes[s * words + neuron / 32] |= 1u << neuron % 32;
                    const auto fired = [&](uint32_t neuron, uint32_t s) {
                        v.report(neuron, s, (spikes[s * words + neuron / 32] >> neuron % 32 & 1) != 0);
                    };
                    v.begin();
                    for (uint32_t neuron = from; neuron < end && neuron <= 65535;) {
                        // neurons by themselves, and circuits sample by sample
                        const uint32_t members = next() & 1 ? 1 : static_cast<uint32_t>(in_range(1, end - neuron));
                        for (uint32_t s = 0; s < v.k; ++s)
                            for (uint32_t m = 0; m < members; ++m) {
                                fired(neuron + m, s);
                                for (unsigned wait = members > 1 ? static_cast<unsigned>(next() % 3) : 0; wait > 0;
                                     --wait)
                                    tick();
                            }
                        neuron += members;
                        for (unsigned wait = static_cast<unsigned>(next() % 3); wait > 0; --wait) tick();
                    }
                    tern_vote_step(&v.c, spikes.data(), words, v.first);
                }
                tick();
                v.counters();
                tern_vote_close(&v.c);
                v.command(false);
                v.counters();
                v.results();
            }
        }
    }
    // no classes: nothing happens
    top->vote_class_count_i = 0;
    const uint32_t winner = top->vote_winner_o;
    top->vote_vote_i = 3;
    tick();
    top->vote_vote_i = 0;
    compare("vote: idle without classes", top->vote_busy_o, 0);
    compare("vote: the winner stays", top->vote_winner_o, winner);
}

// ---- signal: the memories around it live here --------------------------------------------------------
struct Signal {
    uint32_t v[128]; // v, L, E
    int32_t m[32], w[32];
    uint64_t sat = 0;
    // one cycle with the memories' reads and writes
    void cycle()
    {
        top->clk_i = 0;
        tern_dut_eval(context, *top);
        const bool re = top->signal_v_re_o, v_we = top->signal_v_we_o, m_we = top->signal_m_we_o;
        const unsigned raddr = top->signal_v_raddr_o, waddr = top->signal_v_waddr_o, m_waddr = top->signal_m_waddr_o;
        const uint32_t wdata = top->signal_v_wdata_o, m_wdata = top->signal_m_wdata_o;
        const unsigned exp_addr = top->signal_exp_raddr_o, log_addr = top->signal_log_raddr_o;
        const bool w_we = top->signal_w_we_o;
        const uint32_t w_wdata = top->signal_w_wdata_o;
        sat += top->signal_sat_o;
        top->clk_i = 1;
        tern_dut_eval(context, *top);
        if (re) top->signal_v_rdata_i = v[raddr];
        if (v_we) v[waddr] = wdata;
        if (m_we) m[m_waddr] = static_cast<int32_t>(sign(m_wdata, 16));
        if (w_we) w[m_waddr] = static_cast<int32_t>(w_wdata);
        top->signal_log_rdata_i = logarithm[log_addr];
        top->signal_exp_rdata_i = exp_addr < TERN_EXP_ENTRIES ? exponential[exp_addr] : 0xdead;
        tern_dut_eval(context, *top);
    }
};
void test_signal()
{
    for (unsigned i = 0; i < 6000; ++i) {
        Signal s;
        const uint32_t k = 1 + i % 32;
        const bool learn = i % 5 != 4, no_visible = i % 41 == 40;
        const unsigned rule = i / 32 % 4;
        const uint32_t gamma = i % 6 == 0   ? 65536
                               : i % 6 == 1 ? 0
                                            : static_cast<uint32_t>(in_range(0, 65536)),
                       visible = no_visible ? 0 : static_cast<uint32_t>(in_range(1, 20));
        int32_t before[32], after[32];
        uint32_t loss[32] = { 0 };
        int16_t m[32];
        const int64_t spread = INT64_C(1) << in_range(0, 31);
        for (uint32_t j = 0; j < k; ++j) {
            before[j] = static_cast<int32_t>(-in_range(0, spread - 1));
            if (i % 7 == 0) before[j] = next() & 1 ? INT32_MAX : INT32_MIN + 1;
            if (i % 7 == 1) before[j] = static_cast<int32_t>(sign(next(), 32) | 1);
            s.v[j] = static_cast<uint32_t>(before[j]);
            s.m[j] = -1;
            s.w[j] = -1;
        }
        top->signal_rule_i = static_cast<uint8_t>(rule);
        top->signal_inverse_i = tern_signal_inverse(k);
        top->signal_mean_i = static_cast<uint16_t>(tern_signal_mean(k));
        top->signal_log_offset_i = tern_signal_log_offset(k, logarithm);
        top->signal_gamma_i = gamma;
        top->signal_sample_last_i = static_cast<uint8_t>(k - 1);
        top->signal_learn_i = learn;
        top->signal_no_visible_i = no_visible;
        for (uint32_t n = 0; n < visible; ++n)
            for (uint32_t j = 0; j < k; ++j) {
                const uint32_t l = static_cast<uint32_t>(next() & 0x1ffff); // 17 bits: a circuit's
                loss[j] += l;
                top->signal_loss_re_i = 1;
                top->signal_loss_sample_i = static_cast<uint8_t>(j);
                s.cycle();
                top->signal_loss_re_i = 0;
                top->signal_loss_valid_i = 1;
                top->signal_loss_first_i = n == 0;
                top->signal_loss_i = l;
                s.cycle();
                top->signal_loss_valid_i = 0;
                s.cycle(); // the sum is written before it is read again, for one sample as well
            }
        top->signal_start_i = 1;
        s.cycle();
        top->signal_start_i = 0;
        unsigned cycles = 0;
        for (; top->signal_busy_o && cycles < 10000; ++cycles) s.cycle();
        compare("signal: cycles", cycles,
                !learn || rule == TERN_RULE_REWARD ? 20 * k
                : rule == TERN_RULE_MB             ? 40 * k
                : rule == TERN_RULE_IW             ? 47 * k + 25
                                                   : 47 * k);
        uint64_t sat = 0;
        for (uint32_t j = 0; j < k; ++j) {
            after[j] = tern_signal_logprob(before[j], gamma, loss[j], &sat);
            compare("signal: log-probability", static_cast<int32_t>(s.v[j]), after[j]);
            if (visible > 0) compare("signal: cross-entropy for the host", s.v[32 + j], loss[j]);
        }
        int32_t w[32];
        for (uint32_t j = 0; j < k; ++j) m[j] = -1, w[j] = -1;
        if (learn && (rule == TERN_RULE_GEM || rule == TERN_RULE_IW)) {
            const uint32_t sum = tern_signal_softmax(after, k, exponential, m);
            const int32_t log_r = rule == TERN_RULE_IW ? tern_signal_log_mean(after, k, sum, logarithm, &sat) : 0;
            for (uint32_t j = 0; j < k; ++j) w[j] = log_r;
        }
        for (uint32_t j = 0; learn && rule == TERN_RULE_MB && j < k; ++j)
            m[j] = tern_signal_mean(k), w[j] = tern_signal_share(after[j], k);
        compare("signal: saturations", static_cast<int64_t>(s.sat), static_cast<int64_t>(sat));
        for (uint32_t j = 0; j < k; ++j) {
            compare("signal: modulator", s.m[j], m[j]);
            compare("signal: learning signal", s.w[j], w[j]);
        }
    }
}

// ---- modulator: one result per cycle, two cycles later -------------------------------------------------
void test_modulator()
{
    struct Due {
        int64_t m, diff;
        uint64_t sat;
    };
    std::deque<Due> due;
    for (unsigned shift = 0; shift <= 25; ++shift) {
        due.clear();
        const bool set = shift < 25; // the last round: set 0
        top->modulator_set_i = set;
        top->modulator_shift_i = static_cast<uint8_t>(set ? shift : 3);
        for (unsigned i = 0; i < 20000; ++i) {
            int32_t w = static_cast<int32_t>(sign(next(), 32) | 1), b = static_cast<int32_t>(sign(next(), 32) | 1);
            if (i % 5 == 0) w = next() & 1 ? INT32_MAX : -INT32_MAX, b = next() & 1 ? INT32_MAX : -INT32_MAX;
            if (i % 5 > 1) { // near zero, near the limits of m
                const int64_t want = i % 5 == 2 ? in_range(-3, 3) : (next() & 1 ? 16383 : -16383) + in_range(-2, 2),
                              half = shift == 0 ? 0 : INT64_C(1) << (shift - 1);
                const int64_t diff = want * (INT64_C(1) << (set ? shift : 0)) +
                                     (i % 5 == 4 ? -half + in_range(-1, 1) : in_range(-half, half));
                b = static_cast<int32_t>(in_range(-1000, 1000));
                if (diff + b > -INT32_MAX && diff + b < INT32_MAX) w = static_cast<int32_t>(diff + b);
            }
            const int16_t m = static_cast<int16_t>(next());
            top->modulator_m_i = static_cast<uint16_t>(m);
            top->modulator_w_i = static_cast<uint32_t>(w);
            top->modulator_b_i = static_cast<uint32_t>(b);
            Due d = { m, static_cast<int64_t>(w) - b, 0 };
            if (set) d.m = tern_signal_modulator(w, b, shift, &d.sat);
            due.push_back(d);
            tick();
            compare("modulator: difference", sign(top->modulator_diff_o, 33), due.back().diff);
            if (due.size() < 2) continue;
            char inputs[80];
            std::snprintf(inputs, sizeof inputs, "w - b = %" PRId64 " shift=%u", due.front().diff, shift);
            compare("modulator", sign(top->modulator_o, 16), due.front().m, inputs);
            compare("modulator: saturated", top->modulator_sat_o, static_cast<int64_t>(due.front().sat), inputs);
            due.pop_front();
        }
    }
}

// ---- baseline: products two cycles behind their flags, w - b two cycles behind its read ---------------------
struct Baseline {
    int32_t w[32], b = 0;
    uint32_t product[2] = { 0, 0 }; // on its way
    bool read = false;
    unsigned sample = 0;
    void cycle(bool valid, bool first, bool end, bool last, unsigned k, uint32_t sent)
    {
        top->baseline_valid_i = valid;
        top->baseline_first_i = first;
        top->baseline_end_i = end;
        top->baseline_last_i = last;
        top->baseline_sample_i = static_cast<uint8_t>(k);
        top->baseline_product_i = product[1];
        product[1] = product[0];
        product[0] = sent;
        top->clk_i = 0;
        tern_dut_eval(context, *top);
        const bool asked = top->baseline_re_o;
        const unsigned asked_for = top->baseline_sample_o;
        top->clk_i = 1;
        tern_dut_eval(context, *top);
        if (read) top->baseline_diff_i = static_cast<uint64_t>(static_cast<int64_t>(w[sample]) - b) & 0x1ffffffffu;
        else if (asked) top->baseline_diff_i = next() & 0x1ffffffffu;
        read = asked;
        if (asked) sample = asked_for;
        tern_dut_eval(context, *top);
    }
};
void test_baseline()
{
    for (unsigned i = 0; i < 3000; ++i) {
        Baseline s;
        const uint32_t k = i % 7 == 0 ? 32 : static_cast<uint32_t>(in_range(1, 32)),
                       lags = i % 11 == 0 ? 63 : static_cast<uint32_t>(in_range(1, 12)), shift = 3 + i % 5;
        const bool common = i % 3 == 0;
        const uint32_t n = common ? 1 : k;
        int64_t sum[32] = { 0 };
        int16_t g[32];
        const int64_t size = INT64_C(1) << in_range(0, 31), error = i % 4 == 0 ? 32768 : INT64_C(1) << in_range(1, 15);
        const bool silent = i % 13 == 0; // no error at all
        tern_baseline old = { static_cast<int32_t>(in_range(-size + 1, size - 1)), 0 };
        old.weight =
            i % 5 == 0
                ? 0
                : static_cast<uint32_t>(in_range(0, i % 2 ? 5000 : (static_cast<int64_t>(n) * 1048064) << shift));
        s.b = old.b_f12;
        for (uint32_t j = 0; j < 32; ++j)
            s.w[j] = static_cast<int32_t>(i % 17 == 0 ? (next() & 1 ? INT32_MAX : -INT32_MAX)
                                                      : in_range(-size + 1, size - 1));
        top->baseline_common_i = common;
        top->baseline_shift_i = static_cast<uint8_t>(shift);
        top->baseline_sample_last_i = static_cast<uint8_t>(k - 1);
        top->baseline_rdata_i = static_cast<uint64_t>(old.weight) << 32 | static_cast<uint32_t>(old.b_f12);
        top->baseline_begin_i = i % 100 == 0;
        s.cycle(false, true, true, true, 0, static_cast<uint32_t>(next()));
        top->baseline_begin_i = 0;
        for (uint32_t j = 0; j < k; ++j)
            for (uint32_t d = 0; d < lags; ++d) {
                const int32_t p = silent
                                      ? 0
                                      : static_cast<int32_t>(in_range(i % 4 == 0 ? 32000 : 0, 32767) *
                                                             in_range(-error, i % 8 == 0 ? -error + 100 : error - 1));
                sum[common ? 0 : j] += p;
                s.cycle(true, d == 0 && (!common || j == 0), d + 1 == lags && (!common || j + 1 == k),
                        d + 1 == lags && j + 1 == k, common ? 0 : j, static_cast<uint32_t>(p));
            }
        for (uint32_t j = 0; j < n; ++j) g[j] = tern_baseline_error(sum[j], 21);
        const tern_baseline want = tern_baseline_step(old, g, s.w, n, shift);
        unsigned wait = 0, cycles = 0, writes = 0;
        for (; !top->baseline_busy_o && wait < 10; ++wait)
            s.cycle(false, true, true, true, 0, static_cast<uint32_t>(next()));
        compare("baseline: begins", wait, 3);
        char inputs[120];
        std::snprintf(inputs, sizeof inputs, "n=%u bs=%u b=%" PRId32 " D=%" PRIu32 " g[0]=%d w[0]=%" PRId32, n, shift,
                      old.b_f12, old.weight, g[0], s.w[0]);
        for (; top->baseline_busy_o && cycles < 10000; ++cycles) {
            if (top->baseline_we_o) {
                ++writes;
                compare("baseline", static_cast<int32_t>(top->baseline_wdata_o), want.b_f12, inputs);
                compare("baseline: D", static_cast<int64_t>(top->baseline_wdata_o >> 32), want.weight, inputs);
                compare("baseline: address", top->baseline_addr_o, (i % 100) & 63);
            }
            s.cycle(false, true, true, true, 0, static_cast<uint32_t>(next()));
        }
        compare("baseline: cycles", cycles, 40 + 33 * static_cast<int64_t>(n));
        compare("baseline: writes", writes, 1);
    }
}

const struct {
    const char *name;
    void (*run)();
} tests[] = { { "random", test_random },
              { "history", test_history },
              { "trace", test_trace },
              { "kernel", test_kernel },
              { "dither", test_dither },
              { "weight", test_weight },
              { "potential", test_potential },
              { "neuron", test_neuron },
              { "coefficient", test_coefficient },
              { "wta", test_wta },
              { "vote", test_vote },
              { "signal", test_signal },
              { "modulator", test_modulator },
              { "baseline", test_baseline } };
#endif // TERN_BLOCKS_BENCH_RULES_H
