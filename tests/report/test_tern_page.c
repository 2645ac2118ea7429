/* test_tern_page.c : pages: escaping, tables, figures inside, refused memory
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* mkstemps */
#include <math.h>
#include <unistd.h>
#include "markup.h"
#include "tern/file.h"
#include "tern_check.h"
#include "tern_page.h"

static tern_arena arena;
static tern_diags diags;
static char path[] = "/tmp/tern-page-XXXXXX.html";

static bool has(const char *text, const char *what)
{
    if (strstr(text, what) != NULL) return true;
    printf("  lacks '%s'\n", what);
    return false;
}

/* Writes the page and reads it again. */
static const char *written(tern_page *p)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const tern_alloc alloc = tern_alloc_default();
    tern_diags_init(&diags);
    CHECK_EQ(tern_page_write(p, path, &diags), TERN_OK);
    CHECK_EQ(tern_file_read(path, 1 << 26, alloc, &bytes, &size, &diags), TERN_OK);
    char *text = tern_arena_get(&arena, size + 1, 1);
    if (text == NULL || bytes == NULL) return "";
    memcpy(text, bytes, size);
    alloc.fn(alloc.ud, bytes, 0);
    CHECK_EQ(strlen(text), size);
    const char *fault = markup_fault(text);
    if (fault != NULL) printf("  not well-formed: %s\n", fault);
    CHECK(fault == NULL);
    return text;
}

static const char hostile[] = "<b>x</b> & \"q\" 'a' </p><script>alert(1)</script> \xff \x01 caf\xc3\xa9";
static const char tamed[] = "&lt;b&gt;x&lt;/b&gt; &amp; &quot;q&quot; &#39;a&#39; "
                            "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt; \xef\xbf\xbd   caf\xc3\xa9";

static void test_escaping(void)
{
    tern_page *p = tern_page_new(hostile, hostile, &arena);
    const char *const cells[8] = { hostile, hostile, hostile, hostile, hostile, hostile, hostile, NULL };
    const tern_plot plot = { .title = hostile, .x_min = NAN, .x_max = NAN, .y_min = NAN, .y_max = NAN };
    tern_page_section(p, hostile);
    tern_page_section(p, hostile);
    tern_page_section(p, hostile); /* three of them: a table of contents */
    tern_page_text(p, "%s", hostile);
    tern_page_code(p, hostile);
    tern_page_table(p, 4, 2, cells, hostile);
    tern_page_facts(p, 4, cells, hostile);
    tern_page_figure(p, &plot, hostile);
    const char *text = written(p);
    /* title twice, subtitle, headings and contents, text, code, caption and 7 cells twice each, alternative text and
     * caption */
    CHECK_EQ(markup_count(text, tamed), 3 + 6 + 2 + 16 + 2);
    CHECK_EQ(markup_count(text, "<script"), 0);
    CHECK_EQ(markup_count(text, "<b>"), 0);
}

static void test_table(void)
{
    static const char *const cells[] = { "name",
                                         "value",
                                         "holds",
                                         "a",
                                         "12",
                                         "yes",
                                         "b",
                                         "-1.5",
                                         "no",
                                         "c",
                                         "[0.1, 0.2]",
                                         "no way",
                                         "d",
                                         "+3",
                                         "",
                                         "e",
                                         ("\xe2\x88\x92"
                                          "4"),
                                         "yes" };
    tern_page *p = tern_page_new("T", NULL, &arena);
    tern_page_table(p, 6, 3, cells, NULL);
    const char *text = written(p);
    CHECK(has(text, "<th scope=\"col\">name</th><th scope=\"col\" class=\"n\">value</th><th scope=\"col\">holds</th>"));
    CHECK(has(text, "<td>a</td><td class=\"n\">12</td><td class=\"yes\">yes</td>"));
    CHECK(has(text, "<td class=\"n\">-1.5</td><td class=\"no\">no</td>"));
    CHECK(has(text, "<td class=\"n\">[0.1, 0.2]</td><td>no way</td>"));
    CHECK(has(text, "<td class=\"n\">+3</td><td></td>"));
    CHECK(has(text, "<td class=\"n\">\xe2\x88\x92"
                    "4</td>"));
    CHECK_EQ(markup_count(text, "<tr>"), 6);
    CHECK_EQ(markup_count(text, "class=\"scroll\""), 1);
    CHECK_EQ(markup_count(text, "<caption>"), 0);
    CHECK_EQ(markup_count(text, "<nav>"), 0);
}

/* Every figure is in the page, in its order, as the very drawing. */
static void test_figures(void)
{
    enum { N = 5 };
    static const double image[4] = { 1, 2, 3, 4 };
    static const char *const titles[N] = { "first", "second", "third", "fourth", "fifth" };
    tern_plot plots[N];
    const char *svg[N];
    tern_page *p = tern_page_new("T", "S", &arena);
    for (int i = 0; i < N; ++i) {
        plots[i] = (tern_plot){
            .title = titles[i], .x_min = NAN, .x_max = NAN, .y_min = NAN, .y_max = NAN, .width = i == 4 ? 900 : 0
        };
        if (i == 2) {
            plots[i].rows = plots[i].columns = 2;
            plots[i].image = image;
        }
        if (i == 3) tern_page_text(p, "between %d", 3);
        tern_page_figure(p, &plots[i], titles[i]);
    }
    CHECK_EQ(tern_plot_svg(plots, N, &arena, svg, &diags), TERN_OK);
    const char *text = written(p), *at = text;
    CHECK_EQ(markup_count(text, "<img "), N);
    CHECK_EQ(markup_count(text, "<figure"), N);
    CHECK_EQ(markup_count(text, "class=\"wide\""), 1);
    CHECK_EQ(markup_count(text, "<div class=\"figures\">"), 2); /* a paragraph parts them */
    for (int i = 0; i < N; ++i) {
        static const char begin[] = "src=\"data:image/svg+xml;base64,";
        char alt[40];
        at = strstr(at, begin);
        CHECK(at != NULL);
        if (at == NULL) return;
        at += strlen(begin);
        size_t n;
        unsigned char *decoded = markup_base64(at, &n);
        CHECK_STR((const char *)decoded, svg[i]);
        free(decoded);
        snprintf(alt, sizeof alt, "alt=\"%s\"", titles[i]);
        const char *end = strchr(at, '>');
        CHECK(end != NULL && strstr(at, alt) != NULL && strstr(at, alt) < end);
    }
    tern_page *again = tern_page_new("T", "S", &arena);
    for (int i = 0; i < N; ++i) {
        if (i == 3) tern_page_text(again, "between %d", 3);
        tern_page_figure(again, &plots[i], titles[i]);
    }
    CHECK_STR(written(again), text);
}

static void test_refusals(void)
{
    tern_page_section(NULL, "x"); /* calls on NULL do nothing */
    tern_page_text(NULL, "x");
    tern_page_code(NULL, "x");
    tern_page_figure(NULL, NULL, "x");
    tern_page_table(NULL, 1, 1, NULL, NULL);
    tern_page_facts(NULL, 1, NULL, NULL);
    CHECK_EQ(tern_page_write(NULL, path, &diags), TERN_ERR_MEMORY);
    tern_page *p = tern_page_new("T", "S", &arena);
    tern_diags_init(&diags);
    CHECK_EQ(tern_page_write(p, "/no/such/folder/x.html", &diags), TERN_ERR_IO);
    CHECK_EQ(diags.list[0].code, 302);
    /* without gnuplot an older page stays as it is */
    const char *before = written(p);
    const tern_plot plot = { .x_min = NAN, .x_max = NAN, .y_min = NAN, .y_max = NAN };
    tern_page_figure(p, &plot, "x");
    char saved[4096];
    snprintf(saved, sizeof saved, "%s", getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    tern_diags_init(&diags);
    CHECK_EQ(tern_page_write(p, path, &diags), TERN_ERR_TOOL);
    CHECK_EQ(diags.list[0].code, 701);
    setenv("PATH", saved, 1);
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK_EQ(tern_file_read(path, 1 << 26, tern_alloc_default(), &bytes, &size, &diags), TERN_OK);
    CHECK(bytes != NULL && size == strlen(before) && memcmp(bytes, before, size) == 0);
    free(bytes);
}

static long allowed, held;

static void *refusing(void *ud, void *ptr, size_t bytes)
{
    (void)ud;
    if (bytes == 0) {
        held -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (allowed-- <= 0) return NULL;
    void *p = realloc(ptr, bytes);
    held += ptr == NULL && p != NULL;
    return p;
}

static tern_page *crowded(tern_arena *a)
{
    static char many[3000];
    static const double one = 1;
    static const tern_plot plot = { .rows = 1, .columns = 1, .image = &one };
    memset(many, '<', sizeof many - 1);
    const char *const cells[4] = { many, many, many, many };
    tern_page *p = tern_page_new(many, many, a);
    tern_page_section(p, many);
    tern_page_text(p, "%s", many);
    tern_page_code(p, many);
    tern_page_table(p, 2, 2, cells, many);
    tern_page_facts(p, 2, cells, many);
    tern_page_figure(p, &plot, many);
    return p;
}

static void test_refused_memory(void)
{
    tern_status status = TERN_ERR_MEMORY;
    long n = 0;
    const char *whole = written(crowded(&arena));
    for (; status == TERN_ERR_MEMORY && n < 2000; ++n) {
        tern_arena own;
        allowed = n;
        tern_arena_init(&own, (tern_alloc){ refusing, NULL }, 0);
        tern_page *p = crowded(&own);
        tern_diags_init(&diags);
        status = tern_page_write(p, path, &diags);
        tern_arena_free(&own);
        CHECK_EQ(held, 0);
    }
    CHECK_EQ(status, TERN_OK);
    CHECK(n > 10);
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK_EQ(tern_file_read(path, 1 << 26, tern_alloc_default(), &bytes, &size, &diags), TERN_OK);
    CHECK(bytes != NULL && size == strlen(whole) && memcmp(bytes, whole, size) == 0); /* all or nothing */
    free(bytes);
}

int main(void)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        puts("SKIP: needs gnuplot");
        return 77;
    }
    const int fd = mkstemps(path, 5);
    if (fd < 0) return 1;
    close(fd);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    test_escaping();
    test_table();
    test_figures();
    test_refusals();
    test_refused_memory();
    unlink(path);
    tern_arena_free(&arena);
    return tern_check_report("test_tern_page");
}
