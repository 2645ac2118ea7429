/* tern_page.c : see tern_page.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_page.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "tern/file.h"
#include "tern_plot_internal.h"

typedef enum part_kind { PART_SECTION, PART_HTML, PART_TABLE, PART_FIGURE } part_kind;

typedef struct part {
    struct part *next;
    part_kind kind;
    const char *text; /* heading; HTML; HTML; caption */
    const tern_plot *plot;
} part;

struct tern_page {
    tern_arena *arena;
    const char *title, *subtitle;
    part *first, *last;
    size_t n_figures, n_sections;
    bool failed; /* memory was refused */
};

static const char STYLE[] =
    "body{margin:0 auto;max-width:1000px;padding:0 16px 48px;color:#1d1d1f;background:#fff;font:16px/1.5 "
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:32px 0 4px}\n"
    "h2{font-size:1.2rem;line-height:1.3;margin:40px 0 8px;padding-top:12px;border-top:1px solid #ddd}\n"
    "h1,h2,p,figcaption,caption,nav{overflow-wrap:anywhere}\n"
    ".subtitle{margin:0 0 16px;color:#555}\n"
    "nav{font-size:.92rem}nav a{display:inline-block;max-width:100%;margin-right:1.1em}a{color:#005a9c}\n"
    "p{margin:8px 0;max-width:72ch}\n"
    "pre{overflow-x:auto;margin:8px 0;padding:10px 12px;background:#f5f5f7;border-radius:6px;font:13px/1.45 "
    "ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr));gap:24px "
    "28px;margin:14px 0}\n"
    "figure{margin:0;min-width:0}figure.wide{grid-column:1/-1;overflow-x:auto}figure.wide img{min-width:600px}\n"
    "figure img{display:block;width:100%;height:auto}\n"
    "figcaption{margin-top:4px;font-size:.86rem;line-height:1.4;color:#555}\n"
    ".tables{display:flex;flex-wrap:wrap;align-items:flex-start;gap:20px 48px;margin:14px 0}\n"
    ".scroll{overflow-x:auto;min-width:0;max-width:100%}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "caption{caption-side:top;text-align:left;padding-bottom:4px;font-size:.86rem;color:#555}\n"
    "th,td{padding:3px 14px 3px 0;text-align:left;vertical-align:top;border-bottom:1px solid #e8e8e8}\n"
    "th{font-weight:600}thead th{border-bottom-color:#999;vertical-align:bottom}tbody th{font-weight:400;color:#555}\n"
    ".n{text-align:right;white-space:nowrap}\n"
    ".yes{color:#00694a;font-weight:600}.no{color:#a83a00;font-weight:600}\n"
    "@media "
    "print{body{max-width:none;padding:0;font-size:10pt}h2{break-after:avoid}figure,tr{break-inside:avoid}.figures{"
    "grid-template-columns:1fr 1fr}.scroll{overflow:visible}nav{display:none}}\n";

/* ---- collecting -------------------------------------------------------------------------------------------------- */

tern_page *tern_page_new(const char *title, const char *subtitle, tern_arena *arena)
{
    tern_page *p = tern_arena_get(arena, 1, sizeof *p);
    if (p == NULL) return NULL;
    *p = (tern_page){ .arena = arena,
                      .title = tern_arena_strdup(arena, title != NULL ? title : ""),
                      .subtitle = tern_arena_strdup(arena, subtitle != NULL ? subtitle : "") };
    return p->title != NULL && p->subtitle != NULL ? p : NULL;
}

static void add(tern_page *p, part_kind kind, const char *text, const tern_plot *plot)
{
    part *new = tern_arena_get(p->arena, 1, sizeof *new);
    const char *copy = tern_arena_strdup(p->arena, text != NULL ? text : "");
    if (new == NULL || copy == NULL) {
        p->failed = true;
        return;
    }
    *new = (part){ .kind = kind, .text = copy, .plot = plot };
    if (p->last != NULL) p->last->next = new;
    else p->first = new;
    p->last = new;
    p->n_figures += kind == PART_FIGURE;
    p->n_sections += kind == PART_SECTION;
}

static void add_html(tern_page *p, part_kind kind, tern_text *html)
{
    if (html->failed || html->data == NULL) p->failed = true;
    else add(p, kind, html->data, NULL);
    tern_text_free(html);
}

void tern_page_section(tern_page *p, const char *heading)
{
    if (p != NULL) add(p, PART_SECTION, heading, NULL);
}

void tern_page_text(tern_page *p, const char *format, ...)
{
    if (p == NULL) return;
    va_list ap;
    va_start(ap, format);
    const int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *plain = n < 0 ? NULL : tern_arena_get(p->arena, (size_t)n + 1, 1);
    if (plain == NULL) {
        p->failed = true;
        return;
    }
    va_start(ap, format);
    vsnprintf(plain, (size_t)n + 1, format, ap);
    va_end(ap);
    tern_text html;
    tern_text_init(&html, p->arena->alloc);
    tern_text_add(&html, "<p>");
    tern_text_xml(&html, plain);
    tern_text_add(&html, "</p>\n");
    add_html(p, PART_HTML, &html);
}

void tern_page_code(tern_page *p, const char *text)
{
    if (p == NULL) return;
    tern_text html;
    tern_text_init(&html, p->arena->alloc);
    tern_text_add(&html, "<pre>");
    for (const char *line = text; line != NULL;) { /* line by line: escaping makes blanks of what is not a text */
        const char *end = strchr(line, '\n');
        char *one = tern_arena_get(p->arena, (end != NULL ? (size_t)(end - line) : strlen(line)) + 1, 1);
        if (one == NULL) {
            html.failed = true;
            break;
        }
        memcpy(one, line, end != NULL ? (size_t)(end - line) : strlen(line));
        tern_text_xml(&html, one);
        if (end != NULL) tern_text_add(&html, "\n");
        line = end != NULL ? end + 1 : NULL;
    }
    tern_text_add(&html, "</pre>\n");
    add_html(p, PART_HTML, &html);
}

void tern_page_figure(tern_page *p, const tern_plot *plot, const char *caption)
{
    if (p != NULL) add(p, PART_FIGURE, caption, plot);
}

static const char *cell_class(const char *s)
{
    if (s == NULL) return "";
    if (strcmp(s, "yes") == 0) return " class=\"yes\"";
    if (strcmp(s, "no") == 0) return " class=\"no\"";
    const bool number = isdigit((unsigned char)s[0]) || s[0] == '+' || s[0] == '-' || s[0] == '[' ||
                        strncmp(s, "\xe2\x88\x92", 3) == 0 || strncmp(s, "\xc2\xb1", 2) == 0;
    return number ? " class=\"n\"" : "";
}

/* A heading stands as the cells below it do. */
static bool numbers_below(size_t rows, size_t columns, const char *const *cells, size_t column)
{
    for (size_t r = 1; r < rows; ++r)
        if (strcmp(cell_class(cells[r * columns + column]), " class=\"n\"") == 0) return true;
    return false;
}

static void begin_table(tern_text *html, const char *caption)
{
    tern_text_add(html, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
    if (caption == NULL || caption[0] == '\0') return;
    tern_text_add(html, "<caption>");
    tern_text_xml(html, caption);
    tern_text_add(html, "</caption>\n");
}

void tern_page_table(tern_page *p, size_t rows, size_t columns, const char *const *cells, const char *caption)
{
    if (p == NULL || rows == 0 || columns == 0) return;
    tern_text html;
    tern_text_init(&html, p->arena->alloc);
    begin_table(&html, caption);
    for (size_t r = 0; r < rows; ++r) {
        tern_text_add(&html, r == 0 ? "<thead><tr>" : "<tr>");
        for (size_t c = 0; c < columns; ++c) {
            const char *s = cells[r * columns + c] != NULL ? cells[r * columns + c] : "";
            tern_text_add(&html, r == 0 ? "<th scope=\"col\"" : "<td");
            tern_text_add(&html, r != 0 ? cell_class(s) : numbers_below(rows, columns, cells, c) ? " class=\"n\"" : "");
            tern_text_add(&html, ">");
            tern_text_xml(&html, s);
            tern_text_add(&html, r == 0 ? "</th>" : "</td>");
        }
        tern_text_add(&html, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    tern_text_add(&html, "</tbody></table></div>\n");
    add_html(p, PART_TABLE, &html);
}

void tern_page_facts(tern_page *p, size_t n, const char *const *pairs, const char *caption)
{
    if (p == NULL || n == 0) return;
    tern_text html;
    tern_text_init(&html, p->arena->alloc);
    begin_table(&html, caption);
    tern_text_add(&html, "<tbody>\n");
    for (size_t i = 0; i < n; ++i) {
        tern_text_add(&html, "<tr><th scope=\"row\">");
        tern_text_xml(&html, pairs[2 * i] != NULL ? pairs[2 * i] : "");
        tern_text_add(&html, "</th><td>");
        tern_text_xml(&html, pairs[2 * i + 1] != NULL ? pairs[2 * i + 1] : "");
        tern_text_add(&html, "</td></tr>\n");
    }
    tern_text_add(&html, "</tbody></table></div>\n");
    add_html(p, PART_TABLE, &html);
}

static const double WIDE_PX = 560; /* wider figures take all columns */

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_contents(const tern_page *p, tern_text *out)
{
    if (p->n_sections < 3) return;
    size_t n = 0;
    tern_text_add(out, "<nav>");
    for (const part *q = p->first; q != NULL; q = q->next) {
        if (q->kind != PART_SECTION) continue;
        tern_text_format(out, "<a href=\"#s%zu\">", ++n);
        tern_text_xml(out, q->text);
        tern_text_add(out, "</a> ");
    }
    tern_text_add(out, "</nav>\n");
}

static void put_figure(const part *q, const char *svg, tern_text *out)
{
    /* the size is repeated here so that the page does not move while the images are decoded */
    tern_text_add(out, tern_plot_width(q->plot) > WIDE_PX
                           ? "<figure class=\"wide\"><img src=\"data:image/svg+xml;base64,"
                           : "<figure><img src=\"data:image/svg+xml;base64,");
    tern_text_base64(out, (const unsigned char *)svg, strlen(svg));
    int width = 0, height = 0;
    const char *size = strstr(svg, "<svg");
    const char *w = size == NULL ? NULL : strstr(size, "width=\""),
               *h = size == NULL ? NULL : strstr(size, "height=\"");
    if (w != NULL && h != NULL && sscanf(w, "width=\"%d", &width) == 1 && sscanf(h, "height=\"%d", &height) == 1)
        tern_text_format(out, "\" width=\"%d\" height=\"%d", width, height);
    tern_text_add(out, "\" alt=\"");
    tern_text_xml(out, q->text);
    tern_text_add(out, "\">");
    if (q->text[0] != '\0') {
        tern_text_add(out, "<figcaption>");
        tern_text_xml(out, q->text);
        tern_text_add(out, "</figcaption>");
    }
    tern_text_add(out, "</figure>\n");
}

static bool is_shared(part_kind k) { return k == PART_FIGURE || k == PART_TABLE; }

static void put_page(const tern_page *p, const char *const *svg, tern_text *out)
{
    tern_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                       "content=\"width=device-width, initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                       "style-src 'unsafe-inline'\">\n<title>");
    tern_text_xml(out, p->title);
    tern_text_add(out, "</title>\n<style>\n");
    tern_text_add(out, STYLE);
    tern_text_add(out, "</style>\n</head>\n<body>\n<h1>");
    tern_text_xml(out, p->title);
    tern_text_add(out, "</h1>\n");
    if (p->subtitle[0] != '\0') {
        tern_text_add(out, "<p class=\"subtitle\">");
        tern_text_xml(out, p->subtitle);
        tern_text_add(out, "</p>\n");
    }
    put_contents(p, out);
    size_t section = 0, figure = 0;
    part_kind open = PART_SECTION; /* figures that follow each other share a grid, tables a row */
    for (const part *q = p->first; q != NULL; q = q->next) {
        if (q->kind != open && is_shared(open)) tern_text_add(out, "</div>\n");
        if (q->kind != open && is_shared(q->kind))
            tern_text_add(out, q->kind == PART_FIGURE ? "<div class=\"figures\">\n" : "<div class=\"tables\">\n");
        open = q->kind;
        if (q->kind == PART_FIGURE) put_figure(q, svg[figure++], out);
        else if (q->kind != PART_SECTION) tern_text_add(out, q->text);
        else {
            tern_text_format(out, "<h2 id=\"s%zu\">", ++section);
            tern_text_xml(out, q->text);
            tern_text_add(out, "</h2>\n");
        }
    }
    tern_text_add(out, is_shared(open) ? "</div>\n</body>\n</html>\n" : "</body>\n</html>\n");
}

/* The whole page in `out`, which is initialised here and freed by the caller in any case. */
static tern_status make_page(tern_page *p, tern_text *out, tern_diags *diags)
{
    tern_text_init(out, p->arena->alloc);
    tern_plot *plots = tern_arena_get(p->arena, p->n_figures, sizeof *plots);
    const char **svg = tern_arena_get(p->arena, p->n_figures, sizeof *svg);
    if (plots == NULL || svg == NULL) return TERN_ERR_MEMORY;
    size_t n = 0;
    for (const part *q = p->first; q != NULL; q = q->next)
        if (q->kind == PART_FIGURE) plots[n++] = *q->plot;
    const tern_status s = tern_plot_svg(plots, n, p->arena, svg, diags);
    if (s != TERN_OK) return s;
    put_page(p, svg, out);
    return out->failed ? TERN_ERR_MEMORY : TERN_OK;
}

tern_status tern_page_write(tern_page *p, const char *path, tern_diags *diags)
{
    if (p == NULL || p->failed) return TERN_ERR_MEMORY;
    tern_text out;
    tern_status s = make_page(p, &out, diags);
    if (s == TERN_OK) s = tern_file_write(path, out.data, out.n, diags);
    tern_text_free(&out);
    return s;
}

tern_status tern_page_bytes(tern_page *p, const char **out_bytes, size_t *out_size, tern_diags *diags)
{
    if (p == NULL || p->failed) return TERN_ERR_MEMORY;
    tern_text out;
    tern_status s = make_page(p, &out, diags);
    *out_bytes = s == TERN_OK ? tern_arena_strdup(p->arena, out.data) : NULL;
    *out_size = s == TERN_OK ? out.n : 0;
    if (s == TERN_OK && *out_bytes == NULL) s = TERN_ERR_MEMORY;
    tern_text_free(&out);
    return s;
}
