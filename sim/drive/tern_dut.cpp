// tern_dut.cpp : wraps one Verilated core (docs/33-host-port.md is what it speaks)
// SPDX-License-Identifier: Apache-2.0
//
// Compiled with -DTERN_DUT_CLASS=V..., -DTERN_DUT_HEADER="V....h", -DTERN_DUT_SYMBOL=name of the exported function;
// -DTERN_DUT_TRACE with waveforms.
#include <memory>
#include "verilated.h"
#ifdef TERN_DUT_TRACE
#include "verilated_fst_c.h"
#endif
#include TERN_DUT_HEADER
#include "tern_dut.h"
#include "tern_dut_end.h"

namespace
{

// Bits [lsb, lsb + n) of a port of any width, n <= 32.
template <typename T> uint32_t bits(const T &port, unsigned lsb, unsigned n)
{
    const uint64_t mask = n == 32 ? 0xffffffffu : (1u << n) - 1u;
    return static_cast<uint32_t>((static_cast<uint64_t>(port) >> lsb) & mask);
}
template <std::size_t N> uint32_t bits(const VlWide<N> &port, unsigned lsb, unsigned n)
{
    const uint64_t low = port[lsb / 32];
    const uint64_t high = lsb / 32 + 1 < N ? port[lsb / 32 + 1] : 0;
    const uint64_t mask = n == 32 ? 0xffffffffu : (1u << n) - 1u;
    return static_cast<uint32_t>(((high << 32 | low) >> (lsb % 32)) & mask);
}
int32_t sign(uint32_t value, unsigned n) { return static_cast<int32_t>(value << (32 - n)) >> (32 - n); }

struct Core {
    VerilatedContext context;
    std::unique_ptr<TERN_DUT_CLASS> top;
#ifdef TERN_DUT_TRACE
    std::unique_ptr<VerilatedFstC> wave;
#endif
    unsigned lanes = 0, weight_w = 0;

    void make_top()
    {
#ifdef TERN_DUT_TRACE
        context.traceEverOn(true);
#endif
        top = std::make_unique<TERN_DUT_CLASS>(&context);
    }
    void clock(unsigned level)
    {
        top->clk_i = level & 1;
        tern_dut_eval(context, *top);
        context.timeInc(1);
#ifdef TERN_DUT_TRACE
        if (wave) tern_dut_try(context, [this] { wave->dump(context.time()); });
#endif
    }
    void tick()
    {
        clock(0);
        clock(1);
    }
    // Outputs of this cycle, before the clock edge.
    void settle()
    {
        top->clk_i = 0;
        tern_dut_eval(context, *top);
    }
    void request(bool write, uint32_t address, uint32_t data)
    {
        top->host_valid_i = 1;
        top->host_write_i = write;
        top->host_addr_i = address;
        top->host_wdata_i = data;
        settle();
        for (int i = 0; !top->host_ready_o && i < 1000; ++i) tick();
        tick();
        top->host_valid_i = 0;
    }
};

void listen(Core &c, tern_dut_listener *listener, void *ud)
{
    auto &t = *c.top;
    if (t.ev_w_valid_o)
        for (unsigned lane = 0; lane < c.lanes; ++lane) {
            if (!bits(t.ev_w_changed_o, lane, 1)) continue;
            const tern_dut_event e = { TERN_DUT_WEIGHT,
                                       static_cast<uint8_t>(bits(t.ev_w_sat_o, lane, 1)),
                                       static_cast<uint16_t>(lane),
                                       t.ev_w_addr_o,
                                       sign(bits(t.ev_w_old_o, lane * c.weight_w, c.weight_w), c.weight_w),
                                       sign(bits(t.ev_w_new_o, lane * c.weight_w, c.weight_w), c.weight_w),
                                       bits(t.ev_w_draw_o, lane * 32, 32) };
            listener(ud, &e);
        }
    if (t.ev_l_valid_o) {
        const tern_dut_event e = { static_cast<uint8_t>(t.ev_l_self_o ? TERN_DUT_SELF : TERN_DUT_BIAS),
                                   t.ev_l_sat_o,
                                   0,
                                   t.ev_l_neuron_o,
                                   sign(t.ev_l_old_o, 16),
                                   sign(t.ev_l_new_o, 16),
                                   t.ev_l_draw_o };
        listener(ud, &e);
    }
    if (t.ev_n_valid_o) {
        const uint8_t flags =
            static_cast<uint8_t>((t.ev_n_limited_o ? 1 : 0) | (t.ev_n_spike_o ? 2 : 0) | (t.ev_n_clamp_o ? 4 : 0));
        const tern_dut_event e = { TERN_DUT_NEURON,      flags,
                                   t.ev_n_sample_o,      t.ev_n_neuron_o,
                                   sign(t.ev_n_u_o, 12), static_cast<int32_t>(t.ev_n_p_o),
                                   t.ev_n_draw_o };
        listener(ud, &e);
    }
    if (t.ev_v_valid_o) {
        const tern_dut_event e = { TERN_DUT_LOGPROB,
                                   0,
                                   t.ev_v_sample_o,
                                   0,
                                   static_cast<int32_t>(t.ev_v_before_o),
                                   static_cast<int32_t>(t.ev_v_after_o),
                                   0 };
        listener(ud, &e);
    }
    if (t.ev_m_valid_o) {
        const tern_dut_event e = {
            TERN_DUT_MODULATOR,       0, t.ev_m_sample_o, 0, static_cast<int32_t>(t.ev_m_signal_o),
            sign(t.ev_m_value_o, 16), 0
        };
        listener(ud, &e);
    }
    if (t.ev_a_valid_o) {
        const tern_dut_event e = { TERN_DUT_BASELINE,
                                   0,
                                   0,
                                   t.ev_a_neuron_o,
                                   static_cast<int32_t>(t.ev_a_before_o),
                                   static_cast<int32_t>(t.ev_a_after_o),
                                   t.ev_a_weight_o };
        listener(ud, &e);
    }
}

void destroy(void *dut)
{
    auto *c = static_cast<Core *>(dut);
    if (c == nullptr) return;
    tern_dut_try(c->context, [c] { c->top->final(); });
    tern_dut_free(c);
}

uint32_t read(void *dut, uint32_t address)
{
    auto &c = *static_cast<Core *>(dut);
    c.request(false, address, 0);
    for (int i = 0; i < 10 && !tern_dut_ended(c.context); ++i) {
        c.settle();
        if (c.top->host_rvalid_o) return c.top->host_rdata_o;
        c.tick();
    }
    return 0xdeadbeefu;
}

void *create(uint64_t random_seed)
{
    auto *c = tern_dut_make<Core>(random_seed);
    if (c == nullptr) return nullptr;
    c->top->host_valid_i = 0;
    c->top->rst_i = 1;
    for (int i = 0; i < 4; ++i) c->tick();
    c->top->rst_i = 0;
    c->tick();
    c->lanes = read(c, 16);
    c->weight_w = read(c, 17);
    return c;
}

void write(void *dut, uint32_t address, uint32_t data) { static_cast<Core *>(dut)->request(true, address, data); }

uint64_t run(void *dut, uint64_t max_cycles, tern_dut_listener *listener, void *ud)
{
    auto &c = *static_cast<Core *>(dut);
    for (uint64_t n = 0; n < max_cycles; ++n) {
        c.clock(0);
        if (tern_dut_ended(c.context)) return 0;
        if (!c.top->busy_o) return n == 0 ? 1 : n;
        listen(c, listener, ud);
        c.clock(1);
    }
    return 0;
}

int ended(void *dut) { return tern_dut_ended(static_cast<Core *>(dut)->context) ? 1 : 0; }

int wave_open(void *dut, const char *path)
{
#ifdef TERN_DUT_TRACE
    auto &c = *static_cast<Core *>(dut);
    const bool done = tern_dut_try(c.context, [&c, path] {
        c.wave = std::make_unique<VerilatedFstC>();
        c.top->trace(c.wave.get(), 99);
        c.wave->open(path);
    });
    return done && c.wave->isOpen() ? 0 : 1;
#else
    (void)dut;
    (void)path;
    return 1;
#endif
}

void wave_close(void *dut)
{
#ifdef TERN_DUT_TRACE
    auto &c = *static_cast<Core *>(dut);
    if (c.wave) tern_dut_try(c.context, [&c] { c.wave->close(); });
    c.wave.reset();
#else
    (void)dut;
#endif
}

const tern_dut table = { TERN_DUT_ABI, create, destroy, write, read, run, ended, wave_open, wave_close };

} // namespace

extern "C" const tern_dut *TERN_DUT_SYMBOL(void);
extern "C" const tern_dut *TERN_DUT_SYMBOL(void) { return &table; }
