/* tern_micro_rom.c : makes rtl/small/tern_micro_rom.v or rtl/small/tern_micro_rules.v of a program
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_micro_rom > rtl/small/tern_micro_rom.v            rule GEM
 *     tern_micro_rom rules > rtl/small/tern_micro_rules.v    every rule, baselines
 */
#include <stdio.h>
#include <string.h>
#include "tern_micro.h"

enum { BLOCK = 1024 /* words of the first memory; what is beyond lies in a second one */ };

static void memory(const micro *m, const char *name, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; ++i) {
        for (unsigned l = 0; l < m->n_labels; ++l)
            if (m->label[l].at == i && i < m->n) printf("    // %s\n", m->label[l].name);
        printf("    %s[%u] = 20'h%05x;\n", name, i - from, i < m->n ? m->code[i] : (unsigned)M_ADDI << 15);
    }
}

int main(int argc, char **argv)
{
    static micro m;
    const bool rules = argc > 1 && strcmp(argv[1], "rules") == 0;
    const char *name = rules ? "tern_micro_rules" : "tern_micro_rom";
    const unsigned words = rules ? MICRO_WORDS : BLOCK;
    micro_program(&m, rules);
    if (micro_link(&m) && m.n > words) m.error = "the program is too long";
    if (m.error != NULL) {
        fprintf(stderr, "tern_micro_rom: %s\n", m.error);
        return 1;
    }
    micro_fill_slots(&m);
    printf("// %s.v : program of tern_micro, %u words. GENERATED FILE - do not edit. Made by\n"
           "// compiler/micro/tern_micro_rom.c from tern_microcode.c\n",
           name, m.n);
    printf("// SPDX-License-Identifier: Apache-2.0\n`default_nettype none\n\nmodule %s #(\n  parameter PC_W = %u\n) "
           "(\n  input  wire            clk_i,\n  input  wire [PC_W-1:0] addr_i,\n"
           "  output wire [19:0]     ir_o\n);\n  reg [19:0] mem [0:%u];\n  reg [19:0] ir_q;\n",
           name, rules ? 11u : 10u, BLOCK - 1u);
    if (rules)
        printf("  reg [19:0] far [0:%u]; // words 1024 and up\n  reg [19:0] far_q;\n  reg        is_far_q;\n",
               words - BLOCK - 1u);
    printf("  initial begin\n");
    memory(&m, "mem", 0, BLOCK);
    if (rules) memory(&m, "far", BLOCK, words);
    if (rules)
        printf("  end\n  always @(posedge clk_i) ir_q <= mem[addr_i[9:0]];\n  always @(posedge clk_i) far_q <= "
               "far[addr_i[8:0]];\n"
               "  always @(posedge clk_i) is_far_q <= addr_i[PC_W-1];\n  assign ir_o = is_far_q ? far_q : "
               "ir_q;\nendmodule\n");
    else printf("  end\n  always @(posedge clk_i) ir_q <= mem[addr_i];\n  assign ir_o = ir_q;\nendmodule\n");
    printf("\n`default_nettype wire\n");
    fprintf(stderr, "tern_micro_rom: %u of %u words\n", m.n, words);
    return 0;
}
