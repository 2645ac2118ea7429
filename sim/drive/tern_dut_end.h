// tern_dut_end.h : how a simulated design ends: its wrapper reports that, the process continues
// SPDX-License-Identifier: Apache-2.0
//
// Left alone, Verilator ends the process with status 0 at the second $finish, and aborts it at $stop, $fatal and errors
// of its own. Here all of these only mark the context: from then on the design is not evaluated any more, and the
// wrapper says so to whoever asks. Included by every wrapper of a design; Verilator's run-time code has to be compiled
// with VL_USER_FINISH and VL_USER_FATAL.
//
// Without memory Verilator's code throws std::bad_alloc. The wrapper's callers are C, which no exception may pass.
#ifndef TERN_DUT_END_H
#define TERN_DUT_END_H
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
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

// Verilator 5.006 does not check strdup() for the name of a design, and crashes if an exception leaves the constructor
// of a design's scopes, or a destructor. So a library that holds one design (TERN_DUT_SHARED) lends memory of its own
// for small things. A design that was lent some while it was made is not used, and from then on none is freed. This is
// for a shortage that passes: larger things, and those that libstdc++ allocates itself, are not covered. Not with a
// sanitizer, whose operators must get all of their memory back.
struct tern_dut_loan {
    bool making;      // a design
    std::size_t lent; // bytes, for good
};
inline tern_dut_loan &tern_dut_lending()
{
    static tern_dut_loan loan = { false, 0 };
    return loan;
}
#ifdef TERN_DUT_SHARED
namespace
{
alignas(std::max_align_t) unsigned char reserve[16384];
void *lend(std::size_t size)
{
    std::size_t &lent = tern_dut_lending().lent;
    size = (size + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
    if (size > sizeof reserve - lent) return nullptr;
    lent += size;
    return reserve + lent - size;
}
void *get(std::size_t size)
{
    void *made = std::malloc(size == 0 ? 1 : size);
    return made != nullptr ? made : lend(size);
}
void give_back(void *made)
{
    const auto at = reinterpret_cast<std::uintptr_t>(made) - reinterpret_cast<std::uintptr_t>(reserve);
    if (at >= sizeof reserve) std::free(made);
}
} // namespace
// Others free what they copied: they get nothing that is lent.
extern "C" char *strdup(const char *text) noexcept
{
    const std::size_t size = std::strlen(text) + 1;
    void *copy = tern_dut_lending().making ? get(size) : std::malloc(size);
    return copy == nullptr ? nullptr : static_cast<char *>(std::memcpy(copy, text, size));
}
void *operator new(std::size_t size)
{
    void *made = get(size);
    if (made == nullptr) throw std::bad_alloc();
    return made;
}
void *operator new[](std::size_t size) { return operator new(size); }
void operator delete(void *made) noexcept { give_back(made); }
void operator delete[](void *made) noexcept { give_back(made); }
void operator delete(void *made, std::size_t) noexcept { give_back(made); }
void operator delete[](void *made, std::size_t) noexcept { give_back(made); }
#endif

// Before the design is made.
inline void tern_dut_end_prepare(VerilatedContext &context) { context.fatalOnError(false); }
// A check has failed, or a $finish was reached: none of Tern's designs ends by itself.
inline bool tern_dut_ended(const VerilatedContext &context) { return context.gotFinish() || context.gotError(); }
// Calls what may run out of memory; then the design has ended. Returns whether it did not.
template <typename Call> bool tern_dut_try(VerilatedContext &context, Call call)
{
    try {
        call();
        return true;
    } catch (const tern_dut_end &) {
    } catch (const std::exception &) { // std::bad_alloc, or no thread
        std::printf("%%Error: out of memory\n");
        context.gotError(true);
    }
    return false;
}
template <typename Top> void tern_dut_eval(VerilatedContext &context, Top &top)
{
    if (!tern_dut_ended(context)) tern_dut_try(context, [&top] { top.eval(); });
}
template <typename Wrapper> void tern_dut_free(Wrapper *made)
{
    if (tern_dut_lending().lent == 0) delete made;
}
// Makes a Wrapper with its members context and top; nullptr: no memory.
template <typename Wrapper> Wrapper *tern_dut_make(uint64_t random_seed)
{
    tern_dut_loan &loan = tern_dut_lending();
    const std::size_t lent = loan.lent;
    loan.making = true;
    Wrapper *made = nullptr;
    bool whole = false;
    try {
        made = new Wrapper;
        tern_dut_end_prepare(made->context);
        // what is not reset starts with random contents, so a missing reset or clear shows
        made->context.randReset(2);
        made->context.randSeed(static_cast<int>(random_seed & 0x7fffffff) | 1);
        made->make_top();
        whole = true;
    } catch (...) { // no memory, no thread, or an error that the design's constructor reports
    }
    loan.making = false;
    if (whole && loan.lent == lent) return made;
    tern_dut_free(made);
    return nullptr;
}
#endif // TERN_DUT_END_H
