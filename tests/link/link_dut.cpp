// link_dut.cpp : wraps one Verilated tern_link or tern_board: bytes to bits on the pins, and a memory at the host port
// SPDX-License-Identifier: Apache-2.0
//
// Compiled with -DTERN_DUT_CLASS=V..., -DTERN_DUT_HEADER="V....h", -DTERN_DUT_SYMBOL=name of the exported function;
// -DLINK_DUT_BOARD for tern_board.
#include <cmath>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include "verilated.h"
#include TERN_DUT_HEADER
#include "link_dut.h"
#include "tern_dut_end.h"

namespace
{

struct Dut {
    link_pins pins;
    link_core *core;
    uint32_t random;
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<TERN_DUT_CLASS> top;
    uint64_t clocks = 0;
    // time in 1/1000 of a bit
    double step = 0, now = 0;
    // rx: the byte being sent, and when it began; -1: none
    std::deque<int> to_send;
    int sending = -1;
    double began = 0;
    // tx: the byte being received
    std::deque<int> received;
    bool receiving = false;
    double start = 0;
    int bit = 0, byte = 0;
    unsigned glitch = 0;
    double pulse = -1;
    // host port: a read that was taken, in so many clocks
    unsigned due = 0;
    uint32_t data = 0;

    void begin(uint32_t seed)
    {
        random = seed | 1;
        top.reset();
        context = std::make_unique<VerilatedContext>();
        tern_dut_end_prepare(*context);
        context->randReset(2); // what is not reset starts with random contents
        context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
        top = std::make_unique<TERN_DUT_CLASS>(context.get());
        step = 1000.0 * pins.baud / pins.clk_hz;
        sending = -1;
        to_send.clear();
        received.clear();
        receiving = false;
        due = 0;
        pulse = -1;
        top->rx_i = 1;
#ifdef LINK_DUT_BOARD
        top->ready_i = 1;
        for (int i = 0; i < 40; ++i) clock();
#else
        top->host_ready_i = 0;
        top->host_rvalid_i = 0;
        top->busy_i = 0;
        top->rst_i = 1;
        for (int i = 0; i < 4; ++i) clock();
        top->rst_i = 0;
        for (uint32_t i = link_random(&random, 300); i > 0; --i) clock(); // the session number runs
#endif
    }
    void line()
    { // one clock later on the pins
        const double bit_time = 1000.0 + pins.offset;
        if (sending < 0 && !to_send.empty()) {
            sending = to_send.front();
            to_send.pop_front();
            began = now;
        }
        int rx = 1;
        if (sending >= 0) {
            // behind a missing stop bit the line is idle for a byte: the receiver could not find the next start bit
            const int at = static_cast<int>((now - began) / bit_time), end = sending < 256 ? 10 : 20;
            if (at >= end) {
                began += end * bit_time;
                sending = -1;
                if (!to_send.empty()) {
                    sending = to_send.front();
                    to_send.pop_front();
                    rx = 0;
                }
            } else {
                rx = at == 0 ? 0 : at == 9 ? sending < 256 : at > 9 ? 1 : sending >> (at - 1) & 1;
            }
        }
        if (glitch > 0) {
            --glitch;
            if (glitch == 0) rx = !rx;
        }
        if (pins.noise != 0) {
            if (pulse < 0) pulse = now + link_random(&random, 600);
            if (now >= pulse) {
                rx = !rx;
                pulse = (std::floor(pulse / 1000.0) + 1.0) * 1000.0 + link_random(&random, 600);
            }
        }
        top->rx_i = rx & 1;
        // tx, sampled in the middle of the bits of somebody with another clock
        const int tx = top->tx_o;
        if (!receiving) {
            if (!tx) {
                receiving = true;
                start = now;
                bit = byte = 0;
            }
        } else if (now - start >= (bit + 0.5) * bit_time) {
            if (bit == 0 && tx) receiving = false;
            else if (bit >= 1 && bit <= 8) byte |= tx << (bit - 1);
            else if (bit == 9) {
                received.push_back(tx ? byte : byte + 256);
                receiving = false;
            }
            ++bit;
        }
        now += step;
    }
    void clock()
    {
        line();
        top->clk_i = 0;
        tern_dut_eval(*context, *top);
#ifndef LINK_DUT_BOARD
        bool taken = false, write = false;
        uint32_t address = 0, word = 0;
        top->busy_i = link_core_busy(core);
        if (top->host_valid_o && !top->rst_i) {
            // 32..63 are a memory
            const bool register_read =
                !top->host_write_o && top->host_addr_o >> 24 == 0 && (top->host_addr_o & 32) == 0;
            top->host_ready_i = (!link_core_busy(core) || register_read) && link_random(&random, 16) >= pins.wait;
            taken = top->host_ready_i;
            write = top->host_write_o;
            address = top->host_addr_o;
            word = top->host_wdata_o;
        } else {
            top->host_ready_i = link_random(&random, 2) & 1; // means nothing now
        }
        top->host_rvalid_i = due == 1;
        top->host_rdata_i = due == 1 ? data : link_random(&random, 1u << 28) * 16u; // valid in this clock only
        if (due > 0) --due;
        tern_dut_eval(*context, *top);
        if (taken && write) link_core_write(core, address, word);
        if (taken && !write) {
            data = link_core_read(core, address);
            due = 2;
        }
        if (top->core_rst_o) core->busy_until = 0;
#endif
        top->clk_i = 1;
        tern_dut_eval(*context, *top);
        context->timeInc(1);
        ++clocks;
        if (tern_dut_ended(*context)) { // nothing that is compared later could be worth more than this
            std::printf("LINK a check inside the design has failed after %llu clocks\n",
                        static_cast<unsigned long long>(clocks));
            std::fflush(nullptr);
            std::_Exit(1);
        }
    }
};

void *create(const link_pins *pins, link_core *core, uint32_t random)
{
    auto *d = new (std::nothrow) Dut;
    if (d == nullptr) return nullptr;
    d->pins = *pins;
    d->core = core;
    d->begin(random);
    return d;
}
void destroy(void *dut)
{
    auto *d = static_cast<Dut *>(dut);
    if (d == nullptr) return;
    d->top->final();
    delete d;
}
void tick(void *dut, int byte)
{
    auto &d = *static_cast<Dut *>(dut);
    if (byte >= 0) d.to_send.push_back(byte);
    if (d.pins.glitches != 0 && link_random(&d.random, 1000000) < d.pins.glitches)
        d.glitch = 1 + link_random(&d.random, 40);
    for (const double end = d.now + 10000.0; d.now < end;) d.clock();
}
int take(void *dut)
{
    auto &d = *static_cast<Dut *>(dut);
    if (d.received.empty()) return -1;
    const int byte = d.received.front();
    d.received.pop_front();
    return byte;
}
void power(void *dut, uint32_t random) { static_cast<Dut *>(dut)->begin(random); }
int led(void *dut)
{
#ifdef LINK_DUT_BOARD
    return static_cast<Dut *>(dut)->top->led_o;
#else
    return static_cast<Dut *>(dut)->top->open_o;
#endif
}
uint64_t clocks(void *dut) { return static_cast<Dut *>(dut)->clocks; }

const link_dut table = { create, destroy, tick, take, power, led, clocks };

} // namespace

extern "C" const link_dut *TERN_DUT_SYMBOL(void);
extern "C" const link_dut *TERN_DUT_SYMBOL(void) { return &table; }
