/* test_tern_plot.c : figures: hostile texts, odd data, bounded size, images, and what happens without gnuplot
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "markup.h"
#include "tern_check.h"
#include "tern_plot_internal.h"

static tern_diags diags;
static tern_arena arena;

static tern_plot plain(const tern_plot_series *s, size_t n)
{
    return (tern_plot){ .title = "Title",
                        .x_label = "x",
                        .y_label = "y",
                        .x_min = NAN,
                        .x_max = NAN,
                        .y_min = NAN,
                        .y_max = NAN,
                        .n_series = n,
                        .series = s };
}

static void well_formed(const char *svg)
{
    const char *fault = markup_fault(svg);
    CHECK(fault == NULL);
    if (fault != NULL) printf("  not well-formed: %s\n", fault);
}

/* Draws one figure; "" if that failed. */
static const char *draw(const tern_plot *p)
{
    const char *svg = NULL;
    tern_diags_init(&diags);
    const tern_status s = tern_plot_svg(p, 1, &arena, &svg, &diags);
    CHECK_EQ(s, TERN_OK);
    for (size_t i = 0; i < diags.n; ++i) printf("  %d: %s\n", diags.list[i].code, diags.list[i].message);
    if (svg == NULL) return "";
    well_formed(svg);
    return svg;
}

static bool has(const char *text, const char *what)
{
    if (strstr(text, what) != NULL) return true;
    printf("  lacks '%s'\n", what);
    return false;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

static void test_hostile_texts(void)
{
    static const char *const texts[] = {
        "<script>alert(1)</script>",
        "a < b && c > d",
        "it's",
        "say \"hi\"",
        "'; system 'touch planted'; x = '",
        "`touch planted`",
        "\" . system(\"touch planted\") . \"",
        "@macro @d0 $d0 $1",
        "line\nset output 'planted'\nplot x",
        "back\\slash \\n \\' \\\"",
        "%s %d %n %%",
        "x^2 _i {/Symbol a} ~a{.8-}",
        "]]> <![CDATA[ &amp; &lt; &#60;",
        "\xee\x80\xbc hidden <",
        "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
        "bad \xff\xfe\xc0\xbc\xe0\x80\xbc \xed\xa0\x80 end",
        "\x01\x02\x1b[31m\x7f",
        "EOD",
        "$d0 << EOD",
        "# comment",
        "",
        " ",
        "!touch planted",
        "-->",
        "\xc2\x9b control",
    };
    enum { N = sizeof texts / sizeof *texts };
    const double x[3] = { 1, 2, 3 }, y[3] = { 1, 4, 2 };
    for (size_t i = 0; i < N; ++i) {
        const tern_plot_series s = { .name = texts[i], .kind = TERN_PLOT_LINE, .n = 3, .x = x, .y = y };
        tern_plot p = plain(&s, 1);
        p.title = p.x_label = p.y_label = texts[i];
        const double image[4] = { 1, -1, 0, NAN };
        tern_plot q = p;
        q.rows = q.columns = 2;
        q.image = image;
        q.n_row_names = q.n_column_names = 1;
        q.row_names = q.column_names = &texts[i];
        /* nothing of the range for private use stays */
        for (const char *c = draw(&p); *c != '\0'; ++c)
            CHECK(!((unsigned char)c[0] == 0xee && ((unsigned char)c[1] == 0x80 || (unsigned char)c[1] == 0x81)));
        draw(&q);
    }
    CHECK(access("planted", F_OK) != 0);
    tern_plot p = plain(NULL, 0);
    p.title = texts[0];
    p.x_label = texts[1];
    p.y_label = "'`$@\\%";
    const char *svg = draw(&p);
    CHECK(has(svg, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    CHECK(has(svg, "a &lt; b &amp;&amp; c &gt; d"));
    CHECK(has(svg, "&#39;`$@\\%"));
    p.title = texts[14];
    CHECK(has(draw(&p), texts[14]));
    p.title = texts[13];
    CHECK(has(draw(&p), "\xef\xbf\xbd hidden &lt;"));
    CHECK_EQ(markup_count(svg, "GNUPLOT"), 0);
    CHECK_EQ(markup_count(svg, "Gnuplot"), 0);
}

static void test_long_texts(void)
{
    static char text[100001];
    for (size_t i = 0; i + 1 < sizeof text; ++i) text[i] = "ab <"[i % 4];
    const double v[1] = { 1 };
    const tern_plot_series s = { .name = text, .kind = TERN_PLOT_LINE, .n = 1, .x = v, .y = v };
    tern_plot p = plain(&s, 1);
    p.title = p.x_label = p.y_label = text;
    const char *svg = draw(&p);
    CHECK(strlen(svg) < 30000);
    CHECK_EQ(markup_count(svg, "\xe2\x80\xa6"), 4);
}

/* ---- odd data ------------------------------------------------------------------------------------------ */

static const tern_plot_kind KINDS[] = { TERN_PLOT_LINE, TERN_PLOT_MARKED, TERN_PLOT_POINTS,  TERN_PLOT_TICKS,
                                        TERN_PLOT_BARS, TERN_PLOT_LEVEL,  TERN_PLOT_DIAGONAL };
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

static void test_odd_data(void)
{
    const double one[1] = { 5 }, same[3] = { 2, 2, 2 }, nothing[3] = { NAN, NAN, NAN },
                 odd[8] = { NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -1, 2 }, tiny[2] = { 1e-300, 2e-300 },
                 near[2] = { 1, 1 + 1e-15 }, large[2] = { 1e29, -1e29 };
    const struct {
        const double *v;
        size_t n;
    } data[] = {
        { one, 1 }, { same, 3 }, { nothing, 3 }, { odd, 8 }, { tiny, 2 }, { near, 2 }, { large, 2 }, { one, 0 }
    };
    const double limits[][4] = {
        { NAN, NAN, NAN, NAN }, { 3, 1, 3, 1 }, { 0, 0, 0, 0 }, { 1e300, NAN, NAN, -1e300 }, { NAN, -7, 100, NAN }
    };
    for (size_t d = 0; d < sizeof data / sizeof *data; ++d)
        for (size_t k = 0; k < N_KINDS; ++k)
            for (int log_axes = 0; log_axes < 2; ++log_axes) {
                const tern_plot_series s = { .name = "s",
                                             .kind = KINDS[k],
                                             .colour = (int)k - 1,
                                             .n = data[d].n,
                                             .x = data[d].v,
                                             .y = data[d].v,
                                             .lo = data[d].v,
                                             .hi = data[d].v };
                tern_plot p[sizeof limits / sizeof *limits];
                const char *svg[sizeof limits / sizeof *limits];
                for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
                    p[i] = plain(&s, 1);
                    p[i].log_x = p[i].log_y = log_axes == 1;
                    p[i].x_min = limits[i][0];
                    p[i].x_max = limits[i][1];
                    p[i].y_min = limits[i][2];
                    p[i].y_max = limits[i][3];
                }
                tern_diags_init(&diags);
                CHECK_EQ(tern_plot_svg(p, sizeof limits / sizeof *limits, &arena, svg, &diags), TERN_OK);
                if (diags.n != 0) printf("  data %zu, kind %zu, log %d: %s\n", d, k, log_axes, diags.list[0].message);
                for (size_t i = 0; i < sizeof limits / sizeof *limits && diags.n == 0; ++i) well_formed(svg[i]);
            }
    const tern_plot_series s = { .name = "s", .kind = TERN_PLOT_LINE, .n = 3, .x = nothing, .y = nothing };
    tern_plot p = plain(&s, 1);
    CHECK(has(draw(&p), "no data"));
    p = plain(NULL, 0);
    CHECK(has(draw(&p), "no data"));
    const tern_plot_series t = { .name = "s", .kind = TERN_PLOT_LINE, .n = 1, .x = one, .y = one };
    p = plain(&t, 1);
    CHECK(strstr(draw(&p), "no data") == NULL);
}

/* Pixels of the curve `name` of a drawing: gnuplot's group of the plot, its paths and marks. */
typedef struct extent {
    double x_lo, x_hi, y_lo, y_hi;
    size_t n;
} extent;

static void widen(extent *e, double x, double y)
{
    if (e->n++ == 0) *e = (extent){ x, x, y, y, 1 };
    e->x_lo = fmin(e->x_lo, x);
    e->x_hi = fmax(e->x_hi, x);
    e->y_lo = fmin(e->y_lo, y);
    e->y_hi = fmax(e->y_hi, y);
}

static extent extent_of(const char *svg, int plot)
{
    extent e = { 0 };
    char group[40];
    snprintf(group, sizeof group, "id=\"gnuplot_plot_%d\"", plot);
    const char *p = strstr(svg, group), *end = p == NULL ? NULL : strstr(p + 1, "id=\"gnuplot_plot_");
    if (p == NULL) return e;
    if (end == NULL) end = svg + strlen(svg);
    for (; p < end; ++p) {
        double x, y;
        if ((*p == 'M' || *p == 'L') && sscanf(p + 1, "%lf,%lf", &x, &y) == 2) widen(&e, x, y);
        else if (strncmp(p, "translate(", 10) == 0 && sscanf(p + 10, "%lf,%lf", &x, &y) == 2) widen(&e, x, y);
    }
    return e;
}

static void test_many_points(void)
{
    enum { N = 100000, OUTLIER = 77777, DIP = 31234 };
    static double x[N], y[N], lo[N], hi[N];
    for (int i = 0; i < N; ++i) {
        x[i] = i;
        y[i] = sin(i * 0.001);
        lo[i] = y[i] - 1;
        hi[i] = y[i] + 1;
    }
    y[OUTLIER] = 100;
    y[DIP] = -50;
    const double few_x[4] = { 0, DIP, OUTLIER, N - 1 }, few_y[4] = { y[0], -50, 100, y[N - 1] };
    for (size_t k = 0; k < 5; ++k) {
        /* behind the last one follows what is no curve */
        const tern_plot_series end = { .kind = TERN_PLOT_LEVEL, .n = 1, .y = few_y };
        const tern_plot_series all[2] = { { .kind = KINDS[k], .n = N, .x = x, .y = y, .lo = lo, .hi = hi }, end },
                               few[2] = { { .kind = KINDS[k], .n = 4, .x = few_x, .y = few_y }, end };
        tern_plot p = plain(all, 2), q = plain(few, 2);
        p.x_min = q.x_min = 0;
        p.x_max = q.x_max = N - 1;
        p.y_min = q.y_min = -60;
        p.y_max = q.y_max = 110;
        const char *svg = draw(&p);
        printf("100000 points, kind %zu: %zu bytes\n", k, strlen(svg));
        CHECK(strlen(svg) < 400000);
        if (KINDS[k] != TERN_PLOT_LINE) continue;
        const extent a = extent_of(svg, 2), b = extent_of(draw(&q), 1); /* 1 is the band */
        CHECK(a.n > 200 && a.n < 2000);
        CHECK_NEAR(a.y_lo, b.y_lo, 0.02); /* the outlier and the dip are still there */
        CHECK_NEAR(a.y_hi, b.y_hi, 0.02);
        CHECK_NEAR(a.x_lo, b.x_lo, 0.02);
        CHECK_NEAR(a.x_hi, b.x_hi, 0.02);
    }
}

static void test_left_out(void)
{
    const double x[5] = { 0, 1, 2, 3, 4 }, y[5] = { 1, NAN, 3, INFINITY, 2 };
    const tern_plot_series s = { .kind = TERN_PLOT_POINTS, .n = 5, .x = x, .y = y };
    tern_plot p = plain(&s, 1);
    const char *svg = draw(&p);
    const char *group = strstr(svg, "id=\"gnuplot_plot_1\"");
    CHECK(group != NULL && markup_count(group, "<use xlink:href='#gpPt") == 3);
    const double positive[3] = { 1, 0, 100 };
    const tern_plot_series t = { .kind = TERN_PLOT_POINTS, .n = 3, .x = x, .y = positive };
    p = plain(&t, 1);
    p.log_y = true;
    group = strstr(draw(&p), "id=\"gnuplot_plot_1\"");
    CHECK(group != NULL && markup_count(group, "<use xlink:href='#gpPt") == 2);
}

static void test_places(void)
{
    /* with given limits a point is where it belongs: halfway, at the ends; a level lies at its height; a diagonal goes
     * from corner to corner */
    const double x[3] = { 0, 5, 10 }, y[3] = { 0, 10, 20 }, level[1] = { 10 };
    const tern_plot_series s[4] = { { .kind = TERN_PLOT_LINE, .n = 3, .x = x, .y = y },
                                    { .kind = TERN_PLOT_LEVEL, .n = 1, .y = level },
                                    { .kind = TERN_PLOT_DIAGONAL },
                                    /* behind the last one follows what is no curve */
                                    { .kind = TERN_PLOT_LEVEL, .n = 1, .y = level } };
    tern_plot p = plain(s, 4);
    p.x_min = p.y_min = 0;
    p.x_max = 10;
    p.y_max = 20;
    const char *svg = draw(&p);
    const extent line = extent_of(svg, 1), at = extent_of(svg, 2), diagonal = extent_of(svg, 3);
    CHECK(line.n != 0 && at.n != 0 && diagonal.n != 0);
    CHECK_NEAR(at.y_lo, 0.5 * (line.y_lo + line.y_hi), 0.02);
    CHECK_NEAR(at.y_lo, at.y_hi, 0.001);
    CHECK_NEAR(at.x_lo, line.x_lo, 0.02);
    CHECK_NEAR(at.x_hi, line.x_hi, 0.02);
    CHECK_NEAR(diagonal.y_lo, 0.5 * (line.y_lo + line.y_hi), 0.02); /* y = x ends at (10, 10) */
    CHECK_NEAR(diagonal.x_hi, line.x_hi, 0.02);
    CHECK(has(svg, "stroke-dasharray"));
}

static void test_size(void)
{
    tern_plot p = plain(NULL, 0);
    CHECK(has(draw(&p), "width=\"420\" height=\"300\""));
    p.width = 860;
    p.height = 200;
    CHECK(has(draw(&p), "viewBox=\"0 0 860 200\""));
    p.width = 1e9;
    p.height = -3;
    CHECK(has(draw(&p), "width=\"2000\" height=\"300\""));
}

static void test_same_bytes(void)
{
    double x[50], y[50];
    for (int i = 0; i < 50; ++i) {
        x[i] = i;
        y[i] = i * i % 17;
    }
    const tern_plot_series s = { .name = "s", .kind = TERN_PLOT_MARKED, .n = 50, .x = x, .y = y };
    const tern_plot p = plain(&s, 1);
    const char *a = draw(&p);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("GNUTERM", "dumb", 1);
    CHECK_STR(draw(&p), a);
    unsetenv("LC_ALL");
    unsetenv("GNUTERM");
    /* a start-up file is not read */
    char home[] = "/tmp/tern-home-XXXXXX", file[60], saved[1024];
    if (mkdtemp(home) == NULL) abort();
    snprintf(file, sizeof file, "%s/.gnuplot", home);
    snprintf(saved, sizeof saved, "%s", getenv("HOME") != NULL ? getenv("HOME") : "/");
    FILE *f = fopen(file, "w");
    if (f == NULL) abort();
    fputs("exit status 3\n", f);
    fclose(f);
    setenv("HOME", home, 1);
    CHECK_STR(draw(&p), a);
    setenv("HOME", saved, 1);
    unlink(file);
    rmdir(home);
    const char *many[3];
    const tern_plot three[3] = { plain(NULL, 0), p, plain(NULL, 0) };
    CHECK_EQ(tern_plot_svg(three, 3, &arena, many, &diags), TERN_OK);
    CHECK_STR(many[1], a); /* neighbours change nothing */
}

static void test_names_on_axis(void)
{
    const double v[2] = { 0, 1 };
    static const char *const names[2] = { "hid <0>", "it's" };
    const tern_plot_series s = { .kind = TERN_PLOT_TICKS, .n = 2, .x = v, .y = v };
    tern_plot p = plain(&s, 1);
    p.n_y_names = 2;
    p.y_at = v;
    p.y_names = names;
    const char *svg = draw(&p);
    CHECK(has(svg, "hid &lt;0&gt;"));
    CHECK(has(svg, "it&#39;s"));
}

/* ---- images ------------------------------------------------------------------------------------------------ */

static uint32_t u32(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

typedef struct picture {
    unsigned char pixels[1 << 22], palette[768];
    uint32_t width, height;
} picture;

/* The PNG inside an image's SVG. */
static bool decode(const char *svg, picture *out)
{
    const char *p = strstr(svg, "data:image/png;base64,");
    if (p == NULL) return false;
    size_t n;
    unsigned char *png = markup_base64(p + strlen("data:image/png;base64,"), &n);
    bool ok = n > 50 && memcmp(png, "\x89PNG\r\n\x1a\n", 8) == 0, ended = false;
    for (size_t at = 8; ok && at + 12 <= n;) {
        const uint32_t length = u32(png + at);
        if (at + 12 + length > n) return false;
        ok = crc32(0, png + at + 4, length + 4) == u32(png + at + 8 + length);
        if (memcmp(png + at + 4, "IHDR", 4) == 0) {
            out->width = u32(png + at + 8);
            out->height = u32(png + at + 12);
        } else if (memcmp(png + at + 4, "PLTE", 4) == 0 && length == sizeof out->palette)
            memcpy(out->palette, png + at + 8, length);
        else if (memcmp(png + at + 4, "IDAT", 4) == 0) {
            uLongf size = sizeof out->pixels;
            ok = ok && uncompress(out->pixels, &size, png + at + 8, length) == Z_OK &&
                 size == (uLongf)(out->width + 1) * out->height;
        } else if (memcmp(png + at + 4, "IEND", 4) == 0) ended = true;
        at += 12 + length;
    }
    free(png);
    return ok && ended;
}

/* 'r' red, 'b' blue, 'w' white, 'g' grey, and pale ones as 'R', 'B'. */
static char colour_at(const picture *p, size_t rows, size_t columns, size_t row, size_t column)
{
    const size_t x = (2 * column + 1) * p->width / (2 * columns), y = (2 * row + 1) * p->height / (2 * rows);
    const unsigned char *c = p->palette + 3 * p->pixels[y * (p->width + 1) + 1 + x];
    if (c[0] == c[1] && c[1] == c[2]) return c[0] == 255 ? 'w' : 'g';
    const bool full = c[0] < 0xc0 || c[2] < 0xc0;
    if (c[0] > c[2]) return c[1] < 0x60 ? 'r' : 'R';
    return full && c[0] < 0x60 ? 'b' : 'B';
}

static void test_images(void)
{
    static picture pic;
    const double v[6] = { 2, -2, 0, 1, -1, NAN };
    tern_plot p = plain(NULL, 0);
    p.rows = 2;
    p.columns = 3;
    p.image = v;
    const char *svg = draw(&p);
    CHECK(decode(svg, &pic));
    const char wanted[7] = "rbwRBg";
    for (size_t i = 0; i < 6; ++i) CHECK_EQ(colour_at(&pic, 2, 3, i / 3, i % 3), wanted[i]);
    CHECK(has(svg, ">2</text>"));
    CHECK(has(svg, ">-2</text>"));
    p.image_limit = 8; /* now all are pale */
    CHECK(decode(draw(&p), &pic));
    CHECK_EQ(colour_at(&pic, 2, 3, 0, 0), 'R');
    CHECK_EQ(colour_at(&pic, 2, 3, 0, 1), 'B');
    const double odd[4] = { INFINITY, -INFINITY, 1e300, 0 };
    p = plain(NULL, 0);
    p.rows = p.columns = 2;
    p.image = odd;
    CHECK(decode(draw(&p), &pic));
    CHECK_EQ(colour_at(&pic, 2, 2, 0, 0), 'g');
    CHECK_EQ(colour_at(&pic, 2, 2, 1, 1), 'w');
}

static void test_large_images(void)
{
    enum { SIDE = 5000 };
    static picture pic;
    double *v = calloc((size_t)SIDE * SIDE, sizeof *v);
    if (v == NULL) abort();
    v[(size_t)4321 * SIDE + 1234] = -3;
    v[0] = 1;
    tern_plot p = plain(NULL, 0);
    p.rows = p.columns = SIDE;
    p.image = v;
    const char *svg = draw(&p);
    CHECK(strlen(svg) < 200000);
    CHECK(decode(svg, &pic));
    CHECK_EQ(pic.width, 1667);
    CHECK_EQ(colour_at(&pic, 1667, 1667, 4321 / 3, 1234 / 3), 'b'); /* a single value is not lost */
    CHECK_EQ(colour_at(&pic, 1667, 1667, 0, 0), 'R');
    p.rows = 1;
    p.columns = SIDE;
    CHECK(decode(draw(&p), &pic));
    p.rows = SIDE;
    p.columns = 1;
    CHECK(decode(draw(&p), &pic));
    free(v);
}

enum { FIGURES = 60 };

/* ---- without gnuplot ------------------------------------------------------------------------------------------- */

static char work[] = "/tmp/tern-plot-XXXXXX";

/* A gnuplot of our own, first on the PATH. */
static void pretend(const char *script)
{
    char path[100];
    snprintf(path, sizeof path, "%s/gnuplot", work);
    FILE *f = fopen(path, "w");
    if (f == NULL) abort();
    fprintf(f, "#!/bin/sh\n%s\n", script);
    fclose(f);
    chmod(path, 0755);
}

static void fails_with(int code, const char *message, const tern_plot *p, size_t n)
{
    const char *svg[FIGURES];
    tern_diags_init(&diags);
    CHECK_EQ(tern_plot_svg(p, n, &arena, svg, &diags), TERN_ERR_TOOL);
    CHECK_EQ(diags.n, 1);
    CHECK_EQ(diags.list[0].code, code);
    CHECK(has(diags.list[0].message, message));
}

static void test_gnuplot(void)
{
    const char *old = getenv("PATH");
    char saved[4096];
    snprintf(saved, sizeof saved, "%s", old);
    static double x[100000];
    const tern_plot_series s = { .kind = TERN_PLOT_POINTS, .n = 100000, .x = x, .y = x };
    tern_plot p[FIGURES];
    for (int i = 0; i < FIGURES; ++i) p[i] = plain(&s, 1);
    setenv("PATH", "/nowhere", 1);
    fails_with(701, "not on the PATH", p, 1);
    CHECK_STR(diags.list[0].hint, "apt-get install gnuplot-nox");
    const double v[1] = { 1 };
    tern_plot image = plain(NULL, 0);
    image.rows = image.columns = 1;
    image.image = v;
    draw(&image); /* needs none */
    if (mkdtemp(work) == NULL) abort();
    char path[4200];
    snprintf(path, sizeof path, "%s:%s", work, saved);
    setenv("PATH", path, 1);
    pretend("cat >/dev/null; echo 'plot what' >&2; echo '     ^' >&2; echo '         line 0: warning: nothing' >&2; "
            "echo '         line 7: undefined variable: what' >&2; exit 1");
    fails_with(702, "gnuplot failed: line 7: undefined variable: what", p, 1);
    pretend("exec <&-; sleep 0.2; exit 3"); /* reads nothing of a long script: no signal, an error */
    fails_with(702, "no output", p, FIGURES);
    pretend("cat >/dev/null");
    fails_with(702, "fewer figures than the 1", p, 1);
    pretend("cat >/dev/null; echo '<?xml?><svg></svg>'");
    fails_with(702, "fewer figures than the 2", p, 2);
    pretend("cat >/dev/null; echo '<?xml?><svg></svg><?xml?><svg></svg>'");
    fails_with(702, "more figures than the 1", p, 1);
    pretend("cat >/dev/null; kill -9 $$");
    fails_with(702, "gnuplot failed", p, 1);
    /* one that hangs, with a child that hangs, is ended: else the child leaves a mark after a minute; a planted mistake
     * that waits longer than the limit is seen sooner with $TERN_TEST_LATE_S */
    const char *late_s = getenv("TERN_TEST_LATE_S");
    char hangs[100];
    snprintf(hangs, sizeof hangs, "(sleep %d; touch late.mark; sleep 3000) & sleep 3000",
             late_s == NULL ? 60 : atoi(late_s));
    pretend(hangs);
    remove("late.mark");
    tern_text script, out;
    tern_text_init(&script, tern_alloc_default());
    tern_text_init(&out, tern_alloc_default());
    tern_text_add(&script, "plot x\n");
    tern_diags_init(&diags);
    CHECK_EQ(tern_plot_run(&script, 0.5, &out, &diags), TERN_ERR_TOOL);
    CHECK(has(diags.list[0].message, "within 0.5 s"));
    CHECK(access("late.mark", F_OK) != 0);
    tern_text_free(&script);
    tern_text_free(&out);
    snprintf(path, sizeof path, "%s/gnuplot", work);
    unlink(path);
    rmdir(work);
    setenv("PATH", saved, 1);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

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

static void test_refused_memory(void)
{
    static double x[3000];
    const tern_plot_series s = { .name = "s", .kind = TERN_PLOT_LINE, .n = 3000, .x = x, .y = x, .lo = x, .hi = x };
    tern_plot p[2] = { plain(&s, 1), plain(NULL, 0) };
    p[1].rows = p[1].columns = 50;
    p[1].image = x;
    tern_status status = TERN_ERR_MEMORY;
    long n = 0;
    const char *whole[2];
    CHECK_EQ(tern_plot_svg(p, 2, &arena, whole, &diags), TERN_OK);
    for (; status == TERN_ERR_MEMORY && n < 2000; ++n) {
        tern_arena own;
        const char *svg[2];
        allowed = n;
        tern_arena_init(&own, (tern_alloc){ refusing, NULL }, 0);
        tern_diags_init(&diags);
        status = tern_plot_svg(p, 2, &own, svg, &diags);
        for (int i = 0; i < 2 && status == TERN_OK; ++i) CHECK_STR(svg[i], whole[i]); /* all or nothing */
        tern_arena_free(&own);
        CHECK_EQ(held, 0);
    }
    CHECK_EQ(status, TERN_OK);
    CHECK(n > 10);
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    { "hostile", test_hostile_texts },
    { "long", test_long_texts },
    { "odd", test_odd_data },
    { "many", test_many_points },
    { "left_out", test_left_out },
    { "places", test_places },
    { "size", test_size },
    { "same", test_same_bytes },
    { "names", test_names_on_axis },
    { "images", test_images },
    { "large", test_large_images },
    { "gnuplot", test_gnuplot },
    { "memory", test_refused_memory },
};

/* test_tern_plot [NAME]: all, or one of them */
int main(int argc, char **argv)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        puts("SKIP: needs gnuplot");
        return 77;
    }
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i)
        if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) tests[i].run();
    tern_arena_free(&arena);
    return tern_check_report("test_tern_plot");
}
