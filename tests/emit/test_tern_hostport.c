/* test_tern_hostport.c : pages, Verilog and link have the map of the host port that tern_hostport.h defines
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_hostport ROOT                  compares docs/33-host-port.md, docs/42-bridges.md, rtl/
 *     test_tern_hostport --print TABLE         regions, registers, slave or stream: to be put between the two marks
 * of the page
 */
#include <stdarg.h>
#include <stdlib.h>
#include "tern_check.h"
#include "tern_hostport.h"
#include "tern_link.h"

typedef struct entry {
    const char *name;
    unsigned number;
    const char *access, *rtl, *text;
} entry;
typedef struct bits {
    const char *reg, *name;
    unsigned low, n;
    const char *text;
} bits;
#define XX(name, number, memory, word) { #name, number, memory, NULL, word },
static const entry regions[] = { TERN_HOST_REGION_MAP(XX) };
#undef XX
#define XX(name, number, access, rtl, text) { #name, number, access, rtl, text },
static const entry registers[] = { TERN_HOST_REGISTER_MAP(XX) };
#undef XX
#define XX(name, number, access, text) { #name, number, access, NULL, text },
static const entry bus[] = { TERN_BUS_REGISTER_MAP(XX) }, stream[] = { TERN_STREAM_REGISTER_MAP(XX) };
#undef XX
#define XX(reg, name, low, n, text) { #reg, #name, low, n, text },
static const bits register_bits[] = { TERN_HOST_FIELD_MAP(XX) }, bus_bits[] = { TERN_BUS_FIELD_MAP(XX) },
                  stream_bits[] = { TERN_STREAM_FIELD_MAP(XX) };
#undef XX
#define N(list) (sizeof(list) / sizeof((list)[0]))

/* ---- tables of the pages
 * --------------------------------------------------------------------------------------------------- */

static char text[65536];
static size_t used;

static void put(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(text + used, sizeof text - used, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof text - used) exit(1);
    used += (size_t)n;
}

static void put_bits(const entry *r, const bits *list, size_t n)
{
    const char *separator = ". ";
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(list[i].reg, r->name) != 0) continue;
        if (list[i].n == 1) put("%s%u `%s`: %s", separator, list[i].low, list[i].name, list[i].text);
        else put("%s%u..%u `%s`: %s", separator, list[i].low + list[i].n - 1, list[i].low, list[i].name, list[i].text);
        separator = "; ";
    }
}

static void make_table(const char *which)
{
    used = 0;
    if (strcmp(which, "regions") == 0) {
        put("\n| region | name | memory | word |\n|---|---|---|---|\n");
        for (size_t i = 0; i < N(regions); ++i)
            put("| %u | `%s` | %s | %s |\n", regions[i].number, regions[i].name, regions[i].access, regions[i].text);
    } else if (strcmp(which, "registers") == 0) {
        put("\n| word | name | access | |\n|---|---|---|---|\n");
        for (size_t i = 0; i < N(registers); ++i) {
            put("| %u | `%s` | %s | %s", registers[i].number, registers[i].name, registers[i].access,
                registers[i].text);
            put_bits(&registers[i], register_bits, N(register_bits));
            put(" |\n");
        }
    } else if (strcmp(which, "slave") == 0) {
        put("\n| offset | name | access | |\n|---|---|---|---|\n");
        for (size_t i = 0; i < N(bus); ++i) {
            put("| 0x%04x | `%s` | %s | %s", 4 * bus[i].number, bus[i].name, bus[i].access, bus[i].text);
            put_bits(&bus[i], bus_bits, N(bus_bits));
            put(" |\n");
        }
        put("| 0x%04x + 4 r | | | register r of the core, 0..127, whatever WINDOW holds |\n", TERN_BUS_CORE);
        put("| 0x%04x + 4 w | | | window: word WINDOW + w of the host port, w = 0..%u |\n", TERN_BUS_MEMORY,
            TERN_BUS_WORDS - 1);
    } else if (strcmp(which, "stream") == 0) {
        put("\n| address | name | access | |\n|---|---|---|---|\n");
        for (size_t i = 0; i < N(stream); ++i) {
            put("| 0x%08x | `%s` | %s | %s", (unsigned)TERN_RG_STREAM << 24 | stream[i].number, stream[i].name,
                stream[i].access, stream[i].text);
            put_bits(&stream[i], stream_bits, N(stream_bits));
            put(" |\n");
        }
        put("| 0x%08x + g | | w | map: bit 31: group g (units g LANES .. g LANES + LANES - 1) has a word in the "
            "frame, bits 15..0: which; reads 0 |\n",
            (unsigned)TERN_RG_STREAM_MAP << 24);
    } else exit(2);
    put("\n");
}

static char *read_text(const char *root, const char *name)
{
    static char file[1 << 20];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        printf("%s cannot be read\n", path);
        exit(1);
    }
    const size_t n = fread(file, 1, sizeof file - 1, f);
    file[n] = 0;
    fclose(f);
    return file;
}

static void compare_page(const char *root, const char *page, const char *table)
{
    char begin[120], end[80];
    const char *file = read_text(root, page);
    snprintf(begin, sizeof begin, "<!-- %s: printed by test_tern_hostport --print %s -->\n", table, table);
    snprintf(end, sizeof end, "<!-- end of %s -->\n", table);
    const char *from = strstr(file, begin), *to = from != NULL ? strstr(from, end) : NULL;
    make_table(table);
    if (from != NULL) from += strlen(begin);
    const bool same = to != NULL && (size_t)(to - from) == used && memcmp(from, text, used) == 0;
    if (!same)
        printf("%s: the table of %s is not that of tern_hostport.h: test_tern_hostport --print %s\n", page, table,
               table);
    CHECK(same);
}

/* ---- the Verilog
 * ---------------------------------------------------------------------------------------------------------------- */

/* "PREFIXNAME = 8'd13" in a file: every name has to be in the list, with its number. Returns how many there are. */
static unsigned compare_constants(const char *root, const char *name, const char *prefix, const entry *list, size_t n)
{
    const char *file = read_text(root, name);
    unsigned seen = 0;
    for (const char *p = file; (p = strstr(p, prefix)) != NULL; ++p) {
        char word[64];
        unsigned width, number;
        if (p != file && strchr(" ,", p[-1]) == NULL) continue;
        if (sscanf(p + strlen(prefix), "%63[A-Z0-9_] = %u'd%u", word, &width, &number) != 3) continue;
        bool right = false;
        for (size_t i = 0; i < n; ++i) right = right || (strcmp(list[i].name, word) == 0 && list[i].number == number);
        if (!right) printf("%s: %s%s = %u is not in tern_hostport.h\n", name, prefix, word, number);
        CHECK(right);
        ++seen;
    }
    return seen;
}

/* The line of a register in a case of tern_control.v: "24'd32: " or "7'd16:". */
static bool case_line(const char *file, unsigned width, unsigned number, const char *signal)
{
    char label[32], line[300], base[80];
    snprintf(label, sizeof label, " %u'd%u:", width, number);
    const char *p = strstr(file, label);
    if (p == NULL) return false;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
    snprintf(base, sizeof base, "%s", signal);
    const size_t n = strlen(base);
    if (n > 2 && strcmp(base + n - 2, "_q") == 0)
        base[n - 2] = 0; /* what is read may be the wire behind the register */
    return strstr(line, base) != NULL;
}

static void compare_registers(const char *root)
{
    static const char name[] = "rtl/core/tern_control.v";
    const char *file = read_text(root, name);
    unsigned wanted = 0, there = 0;
    for (size_t i = 0; i < N(registers); ++i) {
        const entry *r = &registers[i];
        if (r->rtl[0] == 0 || strcmp(r->access, "w") == 0) continue;
        const bool writes = strchr(r->access, 'w') != NULL,
                   reads = r->number < 32 || r->number >= 64; /* the others are read from a memory */
        bool right = !writes || case_line(file, 24, r->number, r->rtl);
        right = right && (!reads || case_line(file, 7, r->number, r->rtl));
        if (!right) printf("%s: register %u is not %s (%s)\n", name, r->number, r->name, r->rtl);
        CHECK(right);
        wanted += writes + reads;
    }
    for (const char *p = file; (p = strstr(p, "'d")) != NULL; ++p) {
        unsigned number;
        char colon;
        there += ((p[-1] == '4' && p[-2] == '2') || (p[-1] == '7' && p[-2] == ' ')) &&
                 sscanf(p, "'d%u%c", &number, &colon) == 2 && colon == ':';
    }
    if (there != wanted) printf("%s: %u registers, tern_hostport.h has %u\n", name, there, wanted);
    CHECK_EQ(there, wanted);
    static const struct {
        const char *form;
        int bit;
    } control[] = {
        { "start     = control && host_wdata_i[%d]", TERN_CTL_START },
        { "flush     = start && host_wdata_i[%d]", TERN_CTL_FLUSH },
        { "learn_q       <= host_wdata_i[%d]", TERN_CTL_LEARN },
        { "clamp_q       <= host_wdata_i[%d]", TERN_CTL_CLAMP },
        { "clear     = control && !host_wdata_i[0] && host_wdata_i[%d]", TERN_CTL_CLEAR },
        { "vote_o    = control && !host_wdata_i[0] && host_wdata_i[%d]", TERN_CTL_VOTE },
        { "example_o = control && !host_wdata_i[0] && host_wdata_i[%d]", TERN_CTL_EXAMPLE },
    };
    for (size_t i = 0; i < N(control); ++i) {
        char line[120];
        int bit = 0;
        while (1 << bit != control[i].bit) ++bit;
        for (size_t k = 0, at = 0; k <= strlen(control[i].form); ++k) { /* the bit's number in its place */
            if (control[i].form[k] != '%') line[at++] = control[i].form[k];
            else line[at++] = (char)('0' + bit), ++k;
        }
        if (strstr(file, line) == NULL) printf("%s: no '%s'\n", name, line);
        CHECK(strstr(file, line) != NULL);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        make_table(argv[2]);
        fputs(text, stdout);
        return 0;
    }
    if (argc != 2) return 2;
    compare_page(argv[1], "docs/33-host-port.md", "regions");
    compare_page(argv[1], "docs/33-host-port.md", "registers");
    compare_page(argv[1], "docs/42-bridges.md", "slave");
    compare_page(argv[1], "docs/42-bridges.md", "stream");
    CHECK_EQ(compare_constants(argv[1], "rtl/core/tern_memories.v", "RG_", regions, N(regions)),
             N(regions) - 1); /* but the registers */
    CHECK_EQ(compare_constants(argv[1], "rtl/small/tern_small.v", "RG_", regions, N(regions)), 24); /* no votes */
    CHECK_EQ(compare_constants(argv[1], "rtl/core/tern_control.v", "RG_", regions, N(regions)), 1);
    CHECK_EQ(compare_constants(argv[1], "rtl/bridge/tern_axis.v", "RG_", regions, N(regions)), 3);
    CHECK_EQ(compare_constants(argv[1], "rtl/bridge/tern_axis.v", "R_", stream, N(stream)), N(stream));
    CHECK_EQ(compare_constants(argv[1], "rtl/bridge/tern_bus.v", "R_", bus, N(bus)), N(bus));
    compare_registers(argv[1]);
    CHECK_EQ(TERN_LINK_REG_ID, TERN_REG_ID);
    CHECK_EQ(TERN_LINK_REG_VERSION, TERN_REG_VERSION);
    CHECK_EQ(TERN_LINK_REG_SMALL, TERN_REG_CAP_SMALL);
    CHECK_EQ(TERN_LINK_REG_LAYOUT, TERN_REG_LAYOUT);
    return tern_check_report("lint.hostport");
}
