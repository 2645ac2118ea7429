/* tern_micro_rom.c : makes rtl/small/tern_micro_rom.v of the program
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_micro_rom > rtl/small/tern_micro_rom.v
 */
#include <stdio.h>
#include "tern_micro.h"

int main(void)
{
    static micro m;
    micro_program(&m);
    if (!micro_link(&m)) {
        fprintf(stderr, "tern_micro_rom: %s\n", m.error);
        return 1;
    }
    micro_fill_slots(&m);
    unsigned words = 512;
    while (words < m.n) words *= 2;
    printf("// tern_micro_rom.v : program of tern_micro, %u words; made by compiler/micro/tern_micro_rom.c from "
           "tern_microcode.c: do not edit\n",
           m.n);
    printf("// SPDX-License-Identifier: Apache-2.0\n`default_nettype none\n\nmodule tern_micro_rom #(\n  parameter "
           "PC_W = 10\n) (\n  input  wire            clk_i,\n  input  wire [PC_W-1:0] addr_i,\n"
           "  output wire [19:0]     ir_o\n);\n  reg [19:0] mem [0:%u];\n  reg [19:0] ir_q;\n  initial begin\n",
           words - 1u);
    for (unsigned i = 0; i < words; ++i) {
        for (unsigned l = 0; l < m.n_labels; ++l)
            if (m.label[l].at == i && i < m.n) printf("    // %s\n", m.label[l].name);
        printf("    mem[%u] = 20'h%05x;\n", i, i < m.n ? m.code[i] : (unsigned)M_ADDI << 15);
    }
    printf("  end\n  always @(posedge clk_i) ir_q <= mem[addr_i];\n  assign ir_o = "
           "ir_q;\nendmodule\n\n`default_nettype wire\n");
    fprintf(stderr, "tern_micro_rom: %u of %u words\n", m.n, words);
    return 0;
}
