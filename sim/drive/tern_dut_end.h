// tern_dut_end.h : how a simulated design ends: its wrapper reports that, the process continues
// SPDX-License-Identifier: Apache-2.0
//
// Left alone, Verilator ends the process with status 0 at the second $finish, and aborts it at $stop, $fatal and errors
// of its own. Here all of these only mark the context: from then on the design is not evaluated any more, and the
// wrapper says so to whoever asks. Included by every wrapper of a design; Verilator's run-time code has to be compiled
// with VL_USER_FINISH and VL_USER_FATAL.
#ifndef TERN_DUT_END_H
#define TERN_DUT_END_H
#include <cstdio>
#include "verilated.h"

struct tern_dut_end {
}; // thrown by vl_fatal, which must not return

// Weak: the designs of one program share one definition.
__attribute__((weak)) void vl_finish(const char *file, int line, const char *)
{
    std::printf("- %s:%d: Verilog $finish\n", file, line);
    Verilated::threadContextp()->gotFinish(true);
}
__attribute__((weak)) void vl_fatal(const char *file, int line, const char *, const char *message)
{
    std::printf("%%Error: %s:%d: %s\n", file != nullptr ? file : "", line, message);
    Verilated::threadContextp()->gotError(true);
    Verilated::threadContextp()->gotFinish(true);
    throw tern_dut_end();
}

// Before the design is made.
inline void tern_dut_end_prepare(VerilatedContext &context) { context.fatalOnError(false); }
// A check has failed, or a $finish was reached: none of Tern's designs ends by itself.
inline bool tern_dut_ended(const VerilatedContext &context) { return context.gotFinish() || context.gotError(); }
template <typename Top> void tern_dut_eval(const VerilatedContext &context, Top &top)
{
    if (tern_dut_ended(context)) return;
    try {
        top.eval();
    } catch (const tern_dut_end &) {
    }
}
#endif // TERN_DUT_END_H
