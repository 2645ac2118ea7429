// tern_board_dut.cpp : wraps one Verilated board: bytes to bits on its pins
// SPDX-License-Identifier: Apache-2.0
//
// Compiled with -DTERN_DUT_CLASS=V..., -DTERN_DUT_HEADER="V....h", -DTERN_DUT_SYMBOL=name of the exported function. The
// top has the pins clk_i, rx_i, tx_o, led_o, and busy_o: the core is busy; with -DTERN_BOARD_PINS_ONLY (a netlist)
// there is no busy_o.
#include <deque>
#include <memory>
#include "verilated.h"
#include TERN_DUT_HEADER
#include "tern_board_dut.h"
#include "tern_dut_end.h"

namespace
{

constexpr unsigned bit_clocks = 4; // clocks per bit
// so long nothing moves on the pins and the core is idle: the link has nothing left to do
#ifdef TERN_BOARD_PINS_ONLY
// while a frame waits for the core the link says so every 2,047 bits; a core that computes with no frame waiting stands
// still until the next one comes
constexpr unsigned quiet_clocks = 12288;
#else
constexpr unsigned quiet_clocks = 4096;
#endif

struct Board {
    VerilatedContext context;
    std::unique_ptr<TERN_DUT_CLASS> top;
    uint64_t clocks = 0, quiet = 0;
    std::deque<uint8_t> to_send, received;
    int sending = -1, receiving = -1; // clocks since the start bit began, -1: none
    unsigned out = 0, in = 0;         // bits: start, data, stop; data

    void make_top() { top = std::make_unique<TERN_DUT_CLASS>(&context); }
    void clock()
    {
        if (sending < 0 && !to_send.empty()) {
            sending = 0;
            out = to_send.front() << 1 | 1u << 9;
            to_send.pop_front();
        }
        top->rx_i = sending < 0 ? 1 : out >> (static_cast<unsigned>(sending) / bit_clocks) & 1u;
        if (sending >= 0 && ++sending == static_cast<int>(10 * bit_clocks)) sending = -1;
        top->clk_i = 0;
        tern_dut_eval(context, *top);
        top->clk_i = 1;
        tern_dut_eval(context, *top);
        const unsigned tx = top->tx_o;
        if (receiving < 0 && !tx) {
            receiving = 0;
            in = 0;
        } else if (receiving >= 0) {
            ++receiving;
            const unsigned at = static_cast<unsigned>(receiving) / bit_clocks;
            if (static_cast<unsigned>(receiving) % bit_clocks == bit_clocks / 2) { // the middle of a bit
                if (at >= 1 && at <= 8) in |= tx << (at - 1);
                if (at == 9) {
                    tern_dut_try(context, [this] { received.push_back(static_cast<uint8_t>(in)); });
                    receiving = -1;
                }
            }
        }
#ifdef TERN_BOARD_PINS_ONLY
        const bool busy = false;
#else
        const bool busy = top->busy_o;
#endif
        quiet = sending >= 0 || receiving >= 0 || !to_send.empty() || busy ? 0 : quiet + 1;
        ++clocks;
    }
};

void *create(uint64_t random_seed)
{
    auto *b = tern_dut_make<Board>(random_seed);
    if (b == nullptr) return nullptr;
    // reset; and the session number runs until the first frame
    for (uint64_t i = 40 + random_seed % 251; i > 0; --i) b->clock();
    return b;
}

void destroy(void *board)
{
    auto *b = static_cast<Board *>(board);
    if (b == nullptr) return;
    tern_dut_try(b->context, [b] { b->top->final(); });
    tern_dut_free(b);
}

void put(void *board, const uint8_t *bytes, size_t n)
{
    auto &b = *static_cast<Board *>(board);
    tern_dut_try(b.context, [&b, bytes, n] { b.to_send.insert(b.to_send.end(), bytes, bytes + n); });
}

size_t take(void *board, uint8_t *bytes, size_t max)
{
    auto &b = *static_cast<Board *>(board);
    size_t n = 0;
    for (; n < max && !b.received.empty(); ++n) {
        bytes[n] = b.received.front();
        b.received.pop_front();
    }
    return n;
}

int run(void *board, uint64_t clocks)
{
    auto &b = *static_cast<Board *>(board);
    if (!b.to_send.empty()) b.quiet = 0;
    for (uint64_t i = 0; i < clocks && b.quiet < quiet_clocks && !tern_dut_ended(b.context); ++i) b.clock();
    if (tern_dut_ended(b.context)) return 2;
    return b.quiet < quiet_clocks;
}

uint64_t clocks(void *board) { return static_cast<Board *>(board)->clocks; }

const tern_board_dut table = { TERN_BOARD_ABI, create, destroy, put, take, run, clocks };

} // namespace

extern "C" const tern_board_dut *TERN_DUT_SYMBOL(void);
extern "C" const tern_board_dut *TERN_DUT_SYMBOL(void) { return &table; }
