/* test_tern_meaning.c : what files mean that do not say it: order of columns, units, axes; what is reported, what is
 * refused, what is mended SPDX-License-Identifier: Apache-2.0
 *
 * The sample recording of data_samples.h in every order and unit; the numbers that come out are always the same.
 */
#include "data_samples.h"
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4000 };
static struct {
    tern_status st;
    size_t n;
    tern_event e[MOST];
    tern_stream_info about;
    tern_stream_counts c;
    tern_diags diags;
} res;

static void read_all(const char *path, const tern_stream_options *o)
{
    tern_stream *s;
    size_t n = 1;
    res.n = 0;
    tern_diags_init(&res.diags);
    res.st = tern_stream_open(path, o, tern_alloc_default(), &s, &res.diags);
    if (res.st != TERN_OK) return;
    res.about = *tern_stream_about(s);
    while (res.st == TERN_OK && n != 0) {
        res.st =
            tern_stream_read(s, res.e + res.n, res.n + TERN_STREAM_LEAST <= MOST ? MOST - res.n : 0, &n, &res.diags);
        res.n += n;
    }
    res.c = *tern_stream_counted(s);
    tern_stream_report(s, &res.diags);
    tern_stream_close(s);
}

/* Reads it with the given meaning; the sample recording comes out, and `assumed` is said. */
static void comes_out(const char *what, const char *path, const tern_meaning *told, const char *assumed)
{
    const tern_event *e = sample_events();
    tern_stream_options o = { 0 };
    if (told != NULL) o.meaning = *told;
    read_all(path, &o);
    unsigned differ = res.n != SAMPLE_EVENTS;
    for (size_t i = 0; i < SAMPLE_EVENTS && differ == 0; ++i)
        differ += res.e[i].x != e[i].x || res.e[i].y != e[i].y || res.e[i].on != e[i].on ||
                  res.e[i].t_us + res.c.zero_us != e[i].t_us;
    if (differ != 0 || res.st != TERN_OK || strcmp(res.about.assumed, assumed) != 0)
        printf("%s: status %d, %zu events, '%s': %s\n", what, res.st, res.n, res.about.assumed,
               res.diags.n != 0 ? res.diags.list[0].message : "");
    CHECK_EQ(res.st, TERN_OK);
    CHECK_EQ(differ, 0);
    CHECK_STR(res.about.assumed, assumed);
}

static void refused(const char *what, const char *path, const tern_meaning *told, int code, const char *says)
{
    tern_stream_options o = { 0 };
    if (told != NULL) o.meaning = *told;
    read_all(path, &o);
    const bool right = res.st != TERN_OK && res.diags.n != 0 && res.diags.list[0].code == code &&
                       strstr(res.diags.list[0].message, says) != NULL;
    if (!right)
        printf("%s: status %d: %s\n", what, res.st, res.diags.n != 0 ? res.diags.list[0].message : "nothing said");
    CHECK(right);
}

static void write_text(const char *path, const char *text) { fixture_write(path, text, strlen(text)); }

/* What holds no polarities, or under a name that is not known, says so. */
static void no_polarities(const char *path, const char *assumed)
{
    read_all(path, NULL);
    CHECK_EQ(res.st, TERN_OK);
    CHECK_STR(res.about.assumed, assumed);
    CHECK_EQ(res.n, SAMPLE_EVENTS);
    for (size_t i = 0; i < res.n; ++i) CHECK_EQ(res.e[i].on, 1);
}

/* ---- text ---- */

/* The sample in this order of columns; times in units of 10^power microseconds with `digits` behind the point. */
static void write_csv(const char *path, const char *head, const char *order, char between, int power, int digits)
{
    bytes b = { 0 };
    put_text(&b, head);
    const tern_event *e = sample_events();
    for (unsigned i = 0; i < SAMPLE_EVENTS; ++i) {
        char line[200];
        size_t n = 0;
        for (const char *c = order; *c != 0; ++c) {
            if (c != order) line[n++] = between;
            double t = (double)e[i].t_us;
            for (int k = 0; k < power; ++k) t /= 10;
            for (int k = 0; k > power; --k) t *= 10;
            if (*c == 't') n += (size_t)snprintf(line + n, sizeof line - n, "%.*f", digits, t);
            else
                n += (size_t)snprintf(line + n, sizeof line - n, "%u",
                                      *c == 'x'   ? e[i].x
                                      : *c == 'y' ? e[i].y
                                      : *c == 'p' ? e[i].on
                                                  : 77u);
        }
        line[n++] = '\n';
        put(&b, line, n);
    }
    fixture_write(path, b.p, b.n);
    free(b.p);
}

static void text_columns(void)
{
    static const struct {
        const char *head, *order;
        char between;
        int power, digits;
        const char *assumed;
    } cases[] = {
        { "", "txyp", ',', 0, 0, "columns t, x, y, p; times in microseconds" },
        { "", "xypt", ',', 0, 0, "columns x, y, p, t; times in microseconds" },
        { "", "xytp", ' ', 0, 0, "columns x, y, t, p; times in microseconds" },
        { "", "ptxy", ';', 0, 0, "columns p, t, x, y; times in microseconds" },
        { "", "xypt", ' ', 6, 6, "columns x, y, p, t; times in seconds" },
        { "%geometry:34,34\n", "xypt", ',', 0, 0, "columns x, y, p, t; times in microseconds" },
        { "34 34\n", "txyp", ' ', 6, 9, "columns t, x, y, p; times in seconds" },
        { "34,34\r\n", "xypt", ',', 0, 0, "columns x, y, p, t; times in microseconds" },
        { "# x y t p\n", "xytp", ' ', 0, 0, "times in microseconds" },
        { "% t_ns, p, x, y\n", "tpxy", ',', -3, 0, "" },
        { "t_ms,x,y,p\n", "txyp", ',', 3, 3, "" },
        { "timestamp_ns;x;y;p\n", "txyp", ';', -3, 0, "" },
        { "Time [us],x [px],y [px],polarity [0/1]\n", "txyp", ',', 0, 0, "" },
        { "time (ms),x,y,p\n", "txyp", ',', 3, 3, "" },
        { "t/s\tx\ty\tpol\n", "txyp", '\t', 6, 6, "" },
        { "x,x_offset,y,p,timestamp_us\n", "x-ypt", ',', 0, 0, "" },
        { "Zeit,t,x,y,p\n", "-txyp", ',', 0, 0, "times in microseconds" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        write_csv("a.csv", cases[i].head, cases[i].order, cases[i].between, cases[i].power, cases[i].digits);
        comes_out(cases[i].order, "a.csv", NULL, cases[i].assumed);
        CHECK_EQ(res.diags.n, 0);
        if (strncmp(cases[i].head, "34", 2) == 0 || cases[i].head[0] == '%')
            CHECK(cases[i].head[1] == ' ' || (res.about.width == 34 && res.about.height == 34));
    }
    write_csv("a.csv", "t,x,y\n", "txy", ',', 0, 0);
    no_polarities("a.csv", "times in microseconds; no polarities: every event ON");
    write_csv("a.csv", "t_us,x,y,sign\n", "txyp", ',', 0, 0);
    no_polarities("a.csv", "no polarities: every event ON");
    write_text("a.csv", "t,unit\n5,1\n"); /* units have none */
    read_all("a.csv", NULL);
    CHECK_STR(res.about.assumed, "times in microseconds");
    /* what is given holds, with and without a heading */
    write_csv("a.csv", "", "y-xtp", ',', 3, 3);
    comes_out("told", "a.csv", &(tern_meaning){ .columns = "y,-,x,t,p", .time_unit = "ms" }, "");
    write_csv("a.csv", "a,b,c,d\n", "pytx", ',', 0, 0);
    comes_out("told", "a.csv", &(tern_meaning){ .columns = "p,y,t,x", .time_unit = "us" }, "");
    refused("another number of columns", "a.csv", &(tern_meaning){ .columns = "p,t,x,y,-" }, 463,
            "the first line has 4");
    refused("told wrongly", "a.csv", &(tern_meaning){ .columns = "t,x,p,y" }, 463, "none of its events can be used");
    refused("no columns", "a.csv", &(tern_meaning){ .columns = "t,x" }, 463, "columns are t, x, y");
    refused("no unit", "a.csv", &(tern_meaning){ .time_unit = "min" }, 463, "units of time are");
    /* a heading that does not hold; columns that could be several things, or nothing */
    write_csv("a.csv", "t,x,y,p\n", "xypt", ',', 0, 0);
    refused("a wrong heading", "a.csv", NULL, 463, "300 have polarities other than");
    write_csv("a.csv", "", "xypt", ',', 6, 6);
    comes_out("seconds last", "a.csv", NULL, "columns x, y, p, t; times in seconds");
    write_text("a.csv", "100000 200000 300000 400000\n");
    refused("no places", "a.csv", NULL, 463, "100000 to 100000");
    write_text("a.csv", "5 6 1 1\n4 5 2 0\n");
    read_all("a.csv", NULL);
    CHECK(res.st == TERN_OK && res.n == 2 && res.e[0].x == 6 &&
          res.c.n_backwards == 1); /* t, x, y, p with times that go back */
}

/* Nanoseconds since 1970 in whole numbers, which are taken for microseconds. */
static void since_1970(void)
{
    write_text("a.csv", "t,x,y,p\n1700000000000000000,1,1,1\n1700000000001000000,2,1,1\n");
    read_all("a.csv", NULL);
    CHECK(res.st == TERN_OK && fixture_has(&res.diags, 464, TERN_SEV_WARNING));
    read_all("a.csv", &(tern_stream_options){ .meaning.time_unit = "ns" });
    CHECK(res.n == 2 && res.e[1].t_us == 1000 && res.diags.n == 0);
    write_text("a.csv", "t,x,y,p\n1700000000000000,1,1,1\n1700000000001000,2,1,1\n");
    read_all("a.csv", NULL);
    CHECK(res.n == 2 && res.e[1].t_us == 1000 && res.diags.n == 0);
    write_text("a.csv", "t,x,y,p\n-1700000000000000000,1,1,1\n-1699999999999999000,2,1,1\n");
    read_all("a.csv", NULL);
    CHECK(fixture_has(&res.diags, 464, TERN_SEV_WARNING));
}

static void text_units(void)
{
    since_1970();
    /* whole microseconds, written as reals */
    write_csv("a.csv", "", "txyp", ' ', 0, 18);
    comes_out("whole reals", "a.csv", NULL, "columns t, x, y, p; times in microseconds");
    CHECK(fixture_has(&res.diags, 464, TERN_SEV_WARNING));
    CHECK(strstr(res.diags.list[0].message, "as seconds the first 300 events would take") != NULL);
    read_all("a.csv", &(tern_stream_options){ .meaning = { .time_unit = "s" } });
    CHECK(res.st == TERN_OK && res.c.zero_us == SAMPLE_FIRST_US * UINT64_C(1000000));
    CHECK(fixture_has(&res.diags, 464, TERN_SEV_WARNING)); /* almost no event */
    /* below zero; selected with a sign */
    write_text("a.csv", "t,x,y,p\n-300,1,2,1\n-100,3,4,0\n50,5,6,1\n");
    read_all("a.csv", NULL);
    CHECK(res.n == 3 && (int64_t)res.c.zero_us == -300 && res.e[2].t_us == 350);
    read_all("a.csv#-150..51us", NULL);
    CHECK(res.n == 2 && (int64_t)res.c.zero_us == -100 && res.e[1].x == 5);
    read_all("a.csv#-300..-100us", NULL);
    CHECK(res.n == 1 && res.e[0].x == 1);
    /* in no order */
    write_text("a.csv", "t,x,y,p\n500,1,2,1\n100,3,4,0\n400,5,6,1\n300,5,6,1\n");
    read_all("a.csv", NULL);
    CHECK(fixture_has(&res.diags, 412, TERN_SEV_WARNING) && res.c.n_early == 3);
    CHECK(strstr(res.diags.list[0].message, "3 events lie before the first one") != NULL &&
          strstr(res.diags.list[0].hint, "sort the file") != NULL);
}

/* ---- single wild times ---- */

/* Twenty events a millisecond apart, number `at` with another time; -1: none. */
static void write_wild(int at, int64_t t)
{
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text, "t,x,y,p\n");
    for (int i = 0; i < 20; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, "%lld,%d,1,1\n", i == at ? (long long)t : 1000000LL + 1000 * i,
                              i);
    fixture_write("w.csv", text, n);
}

static void wild_times(void)
{
    static const struct {
        int at;
        int64_t t;
        unsigned left_out;
    } cases[] = {
        { 7, 3600000000, 1 },  { 7, 0, 1 },           { 7, -5000000, 1 }, { 0, 3600000000, 1 },
        { 19, 3600000000, 1 }, { 18, 3600000000, 1 }, { 1, 90000000, 1 }, { -1, 0, 0 },
        { 7, 1006500, 0 },     { 7, 1003000, 0 },     { 19, 1100000, 0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        write_wild(cases[k].at, cases[k].t);
        read_all("w.csv", NULL);
        CHECK(res.st == TERN_OK && res.n == 20);
        CHECK_EQ(fixture_has(&res.diags, 465, TERN_SEV_WARNING) || res.c.n_early > 1,
                 cases[k].left_out == 1); /* the first one wild: all others lie before it */
        read_all("w.csv", &(tern_stream_options){ .repair = true });
        if (res.c.n_wild != cases[k].left_out || res.c.span_us > 100000)
            printf("case %zu: %llu left out, span %llu\n", k, (unsigned long long)res.c.n_wild,
                   (unsigned long long)res.c.span_us);
        CHECK(res.st == TERN_OK && res.n == 20 - cases[k].left_out && res.c.n_wild == cases[k].left_out &&
              res.c.span_us <= 100000);
        CHECK(!fixture_has(&res.diags, 465, TERN_SEV_WARNING));
        for (size_t i = 1; i < res.n; ++i) CHECK(res.e[i].t_us >= res.e[i - 1].t_us);
    }
    /* a clock that was started again is no single event */
    write_text("w.csv", "t,x,y,p\n1000000,1,1,1\n1001000,2,1,1\n0,3,1,1\n1000,4,1,1\n2000,5,1,1\n");
    read_all("w.csv", &(tern_stream_options){ .repair = true });
    CHECK(res.n == 5 && res.c.n_wild == 0 && res.c.span_us == 3000 && res.e[2].t_us == 1000);
}

/* ---- NumPy ---- */

static uint64_t real_bits(double x)
{
    uint64_t v;
    memcpy(&v, &x, sizeof v);
    return v;
}

/* Half a precision of small whole numbers and of powers of two: enough for places. */
static uint16_t half_bits(unsigned v)
{
    unsigned e = 0;
    if (v == 0) return 0;
    while (v >> (e + 1) != 0) ++e;
    return (uint16_t)((e + 15) << 10 | (((v << 10) >> e) & 1023u));
}

/* The sample as a table; columns in this order, reals or whole numbers. On its side: one row a column. */
static void write_table(const char *path, const char *order, bool real, bool side, double scale)
{
    bytes b = { 0 };
    char shape[40];
    snprintf(shape, sizeof shape, side ? "4, %d" : "%d, 4", SAMPLE_EVENTS);
    put_npy_header(&b, real ? "'<f8'" : "'<i8'", shape);
    const tern_event *e = sample_events();
    for (unsigned k = 0; k < 4 * SAMPLE_EVENTS; ++k) {
        const tern_event *g = &e[side ? k % SAMPLE_EVENTS : k / 4];
        const char c = order[side ? k / SAMPLE_EVENTS : k % 4];
        const double v = c == 't' ? (double)g->t_us * scale : c == 'x' ? g->x : c == 'y' ? g->y : g->on;
        put_le(&b, real ? real_bits(v) : (uint64_t)v, 8);
    }
    fixture_write(path, b.p, b.n);
    free(b.p);
}

static void tables(void)
{
    static const char *const orders[] = { "txyp", "xypt", "xytp" };
    char says[80];
    for (size_t k = 0; k < 3; ++k) {
        const char *o = orders[k];
        write_table("a.npy", o, false, false, 1);
        snprintf(says, sizeof says, "columns %c, %c, %c, %c; times in microseconds", o[0], o[1], o[2], o[3]);
        comes_out(o, "a.npy", NULL, says);
        CHECK_EQ(res.diags.n, 0);
        write_table("a.npy", o, true, false, 1e-6);
        snprintf(says, sizeof says, "columns %c, %c, %c, %c; times in seconds", o[0], o[1], o[2], o[3]);
        comes_out(o, "a.npy", NULL, says);
        write_table("a.npy", o, false, true, 1);
        refused(o, "a.npy", NULL, 463, "events on their side");
    }
    write_table("a.npy", "txyp", true, false, 1);
    comes_out("whole reals", "a.npy", NULL, "columns t, x, y, p; times in microseconds");
    CHECK(fixture_has(&res.diags, 464, TERN_SEV_WARNING));
    write_table("a.npy", "pxty", true, false, 1e-3);
    comes_out("told", "a.npy", &(tern_meaning){ .columns = "p,x,t,y", .time_unit = "ms" }, "");
    write_table("a.npy", "txyp", false, true, 1);
    read_all("a.npy", &(tern_stream_options){ .meaning = { .axes = "tx" } }); /* a grid, if it is said */
    CHECK(res.st == TERN_OK && res.about.n_steps == 4 && res.about.units);
    /* units in half a precision */
    zip z = { 0 };
    bytes t = { 0 }, u = { 0 };
    put_npy_header(&t, "'<f2'", "3,");
    put_npy_header(&u, "'>f2'", "3,");
    for (unsigned i = 0; i < 3; ++i) put_le(&t, i == 0 ? 0x0001 : half_bits(i), 2), put_be(&u, half_bits(100 + i), 2);
    zip_add(&z, "t.npy", &t, false);
    zip_add(&z, "unit.npy", &u, true);
    zip_end(&z);
    fixture_write("h.npz", z.b.p, z.b.n);
    read_all("h.npz", &(tern_stream_options){ .meaning = { .time_unit = "s" } });
    CHECK(res.st == TERN_OK && res.n == 3 && res.e[1].x == 101 && res.e[1].t_us == 1000000 && res.e[2].t_us == 2000000);
    free(t.p);
    free(u.p);
    free(z.b.p);
}

/* ---- grids ---- */

/* A grid with one spike a step: at step t of sample n in plane p, row y, column x, numbered by what they are. Returns
 * the file. */
static int64_t grid_value = 1; /* of its spike */

static void write_grid(const char *shape, size_t cells, size_t spike, const char *labels)
{
    zip z = { 0 };
    int64_t *v = calloc(cells, sizeof *v), some[64] = { 0 };
    if (v == NULL) exit(1);
    v[spike] = grid_value;
    zip_numbers(&z, "frames.npy", "'|u1'", 1, shape, v, cells, false);
    if (labels != NULL) zip_numbers(&z, "labels.npy", "'<i8'", 8, labels, some, (size_t)atoi(labels), false);
    zip_end(&z);
    fixture_write("g.npz", z.b.p, z.b.n);
    free(z.b.p);
    free(v);
}

static void one_spike(const char *path, const char *axes, uint64_t step, unsigned x, unsigned y, unsigned on,
                      const char *assumed)
{
    read_all(path, &(tern_stream_options){ .meaning = { .axes = axes } });
    const bool right = res.st == TERN_OK && res.n == 1 && res.e[0].t_us == step * 1000 && res.e[0].x == x &&
                       res.e[0].y == y && res.e[0].on == on && strcmp(res.about.assumed, assumed) == 0;
    if (!right)
        printf("%s, %s: status %d, %zu events at %llu, '%s' %s\n", path, axes == NULL ? "-" : axes, res.st, res.n,
               (unsigned long long)res.e[0].t_us, res.about.assumed, res.diags.n != 0 ? res.diags.list[0].message : "");
    CHECK(right);
}

static void grids(void)
{
    /* 5 steps, 3 samples, 2 planes, 4 rows, 6 columns: step 3, sample 1, plane 1, row 2, column 5 */
    write_grid("5, 3, 2, 4, 6", 720, ((((3 * 3 + 1) * 2 + 1) * 4 + 2) * 6) + 5, "3,");
    one_spike("g.npz#1", NULL, 3, 5, 2, 1,
              "axes steps, samples, planes, rows, columns"); /* as many labels as the second axis is long */
    one_spike("g.npz#1", "tnpyx", 3, 5, 2, 1, "");
    read_all("g.npz#3", NULL);
    CHECK(res.st == TERN_ERR_ARGUMENT && fixture_has(&res.diags, 416, TERN_SEV_ERROR));
    write_grid("5, 3, 2, 4, 6", 720, ((((3 * 3 + 1) * 2 + 1) * 4 + 2) * 6) + 5, "5,");
    one_spike("g.npz#3", NULL, 1, 5, 2, 1, "axes samples, steps, planes, rows, columns");
    write_grid("5, 3, 6", 90, (3 * 3 + 1) * 6 + 4, "3,");
    one_spike("g.npz#1", NULL, 3, 4, 0, 1, "axes steps, samples, units");
    one_spike("g.npz#3", "ntx", 1, 4, 0, 1, "");
    one_spike("g.npz", "tyx", 3, 4, 1, 1, ""); /* one recording */
    /* one recording of planes */
    write_grid("5, 2, 4, 6", 240, ((3 * 2 + 0) * 4 + 2) * 6 + 5, NULL);
    one_spike("g.npz", NULL, 3, 5, 2, 0, "axes steps, planes, rows, columns");
    one_spike("g.npz#3", "ntyx", 0, 5, 2, 1, "");
    write_grid("5, 2, 4, 6", 240, ((3 * 2 + 0) * 4 + 2) * 6 + 5, "5,");
    one_spike("g.npz#3", NULL, 0, 5, 2, 1, "axes samples, steps, rows, columns");
    CHECK(fixture_has(&res.diags, 466, TERN_SEV_WARNING)); /* samples of two steps */
    CHECK(!fixture_has(&res.diags, 467, TERN_SEV_WARNING));
    /* an image is no spikes; a count may be */
    grid_value = 33;
    write_grid("5, 2, 4, 6", 240, 17, "5,");
    read_all("g.npz#0", NULL);
    CHECK(res.st == TERN_OK && res.n == 1 && fixture_has(&res.diags, 467, TERN_SEV_WARNING));
    grid_value = 32;
    write_grid("5, 2, 4, 6", 240, 17, "5,");
    read_all("g.npz#0", NULL);
    CHECK(res.st == TERN_OK && res.n == 1 && !fixture_has(&res.diags, 467, TERN_SEV_WARNING));
    grid_value = 1;
    /* planes before steps: named, with what to do */
    write_grid("5, 2, 3, 4, 6", 720, 0, NULL);
    refused("planes before steps", "g.npz#0", NULL, 417, "save a.transpose(0, 2, 1, 3, 4)");
    refused("axes of another number", "g.npz#0", &(tern_meaning){ .axes = "tx" }, 417, "not those of --axes tx");
    refused("unknown axes", "g.npz#0", &(tern_meaning){ .axes = "nptyx" }, 463, "to be transposed first");
    /* a data set in the same sense */
    tern_arena a;
    tern_dataset set;
    tern_diags d;
    tern_arena_init(&a, tern_alloc_default(), 0);
    tern_diags_init(&d);
    write_grid("5, 3, 6", 90, 0, "3,");
    CHECK(tern_dataset_open("g.npz", &a, &set, &d) == TERN_OK && set.n == 3);
    CHECK(tern_dataset_open_as("g.npz", &(tern_meaning){ .axes = "ntx" }, &a, &set, &d) == TERN_OK && set.n == 5);
    tern_arena_free(&a);
}

/* ---- HDF5 as it is published ---- */

#if TERN_HAVE_HDF5
static hid_t record_type(bool packed)
{
    const hid_t t = H5Tcreate(H5T_COMPOUND, packed ? 14 : 16);
    H5Tinsert(t, "x", 0, H5T_STD_U16LE);
    H5Tinsert(t, "y", 2, H5T_STD_U16LE);
    H5Tinsert(t, "p", 4, H5T_STD_I16LE);
    H5Tinsert(t, "t", packed ? 6 : 8, H5T_STD_I64LE);
    return t;
}

/* kind 0: columns with t_offset, 1: tables of two cameras, 2: records with a geometry. */
static void make_published(const char *path, int kind, hid_t how)
{
    const tern_event *e = sample_events();
    static double table[SAMPLE_EVENTS][4];
    static int64_t column[4][SAMPLE_EVENTS];
    static struct {
        uint16_t x, y;
        int16_t p;
        uint16_t pad;
        int64_t t;
    } record[SAMPLE_EVENTS];
    for (unsigned i = 0; i < SAMPLE_EVENTS; ++i) {
        const double row[4] = { e[i].x, e[i].y, (double)e[i].t_us * 1e-6, e[i].on ? 1 : -1 };
        memcpy(table[i], row, sizeof row);
        column[0][i] = (int64_t)e[i].t_us - 600;
        column[1][i] = e[i].x, column[2][i] = e[i].y, column[3][i] = e[i].on;
        record[i].x = e[i].x, record[i].y = e[i].y, record[i].p = e[i].on, record[i].t = (int64_t)e[i].t_us;
    }
    const hsize_t n = SAMPLE_EVENTS, n4[2] = { SAMPLE_EVENTS, 4 }, one = 1;
    const int64_t offset = 600;
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (kind == 0) {
        static const char *const names[] = { "t", "x", "y", "p" };
        const hid_t group = H5Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int c = 0; c < 4; ++c)
            h5_write(group, names[c],
                     c == 0   ? H5T_STD_U32LE
                     : c == 3 ? H5T_STD_U8LE
                              : H5T_STD_U16LE,
                     H5T_NATIVE_INT64, 1, &n, true, column[c]);
        h5_write(file, "t_offset", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, false, &offset);
        H5Gclose(group);
    } else if (kind == 1) {
        const hid_t davis = H5Gcreate2(file, "davis", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int c = 0; c < 2; ++c) {
            const hid_t camera = H5Gcreate2(davis, c == 0 ? "left" : "right", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            h5_write(camera, "events", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, n4, true, table);
            H5Gclose(camera);
        }
        H5Gclose(davis);
    } else {
        const hid_t group = H5Gcreate2(file, "CD", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), type = record_type(true),
                    memory = record_type(false), space = H5Screate_simple(1, &n, NULL);
        const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
        H5Tset_size(text, 6);
        const hid_t attribute = H5Acreate2(file, "geometry", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t set = H5Dcreate2(group, "events", type, space, H5P_DEFAULT, how, H5P_DEFAULT);
        CHECK(H5Awrite(attribute, text, "34x34") >= 0 && set >= 0);
        if (how == H5P_DEFAULT) CHECK(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, record) >= 0);
        H5Dclose(set), H5Aclose(attribute), H5Sclose(scalar), H5Tclose(text), H5Sclose(space), H5Tclose(memory),
            H5Tclose(type), H5Gclose(group);
    }
    H5Fclose(file);
}

/* A filter of this number that passes everything on: files are made with it, and read where it is not there. */
static size_t pass_on(unsigned flags, size_t n_values, const unsigned values[], size_t size, size_t *room,
                      void **buffer)
{
    (void)flags, (void)n_values, (void)values, (void)room, (void)buffer;
    return size;
}

static void published(void)
{
    make_published("dsec.h5", 0, H5P_DEFAULT);
    comes_out("columns", "dsec.h5", NULL, "times in microseconds");
    CHECK_EQ(res.diags.n, 0);
    read_all("dsec.h5", &(tern_stream_options){ .meaning = { .time_unit = "ms" } });
    CHECK(res.st == TERN_OK && res.c.zero_us == (SAMPLE_FIRST_US - 600) * 1000 + 600);
    make_published("mvsec.h5", 1, H5P_DEFAULT);
    refused("two cameras", "mvsec.h5", NULL, 416, "left and right");
    comes_out("tables", "mvsec.h5#left/0", NULL, "");
    comes_out("tables", "mvsec.h5#right/0", NULL, "");
    refused("no such camera", "mvsec.h5#top/0", NULL, 416, "no camera 'top'");
    make_published("records.hdf5", 2, H5P_DEFAULT);
    comes_out("records", "records.hdf5", NULL, "");
    CHECK(res.about.width == 34 && res.about.height == 34 && res.about.from_file);
    tern_arena a;
    tern_dataset set;
    tern_diags d;
    tern_arena_init(&a, tern_alloc_default(), 0);
    tern_diags_init(&d);
    CHECK(tern_dataset_open("dsec.h5", &a, &set, &d) == TERN_OK && set.n == 1);
    CHECK(tern_dataset_open("mvsec.h5#right", &a, &set, &d) == TERN_OK && set.n == 1);
    tern_arena_free(&a);
    /* a filter that is not there is named, with what to do */
    static const struct {
        int id;
        const char *name;
    } filters[] = { { 36559, "ECF of Prophesee" }, { 32001, "Blosc" }, { 300, "unknown" } };
    for (size_t k = 0; k < 3; ++k) {
        const H5Z_class2_t filter = { H5Z_CLASS_T_VERS, filters[k].id, 1, 1, NULL, NULL, NULL, pass_on };
        const hsize_t chunk = 100;
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
        CHECK(H5Zregister(&filter) >= 0 && H5Pset_chunk(how, 1, &chunk) >= 0 &&
              H5Pset_filter(how, filters[k].id, H5Z_FLAG_MANDATORY, 0, NULL) >= 0);
        make_published("filter.hdf5", 2, how);
        H5Pclose(how);
        CHECK(H5Zunregister(filters[k].id) >= 0);
        refused(filters[k].name, "filter.hdf5", NULL, 415, filters[k].name);
        CHECK(strstr(res.diags.list[0].hint, "HDF5_PLUGIN_PATH") != NULL);
    }
}
#endif

/* ---- AEDAT 1.0, 2.1; pickles ---- */

static void old_formats(void)
{
    const tern_event *e = sample_events();
    for (int one = 0; one < 2; ++one) {
        bytes b = { 0 };
        put_text(&b, one ? "#!AER-DAT1.0\r\n# made by a test\r\n" : "#!AER-DAT2.1\r\n");
        for (unsigned i = 0; i < SAMPLE_EVENTS; ++i) {
            put_be(&b, (uint64_t)e[i].y << 8 | (uint64_t)e[i].x << 1 | (e[i].on ? 0u : 1u), one ? 2 : 4);
            put_be(&b, e[i].t_us, 4);
        }
        fixture_write("old.aedat", b.p, b.n);
        comes_out(one ? "AEDAT 1.0" : "AEDAT 2.1", "old.aedat", NULL, one ? "" : "AEDAT 2.1 with the records of 2.0");
        CHECK(res.about.width == 128);
        read_all("old.aedat#@10+2", NULL);
        CHECK(res.n == 2 && res.e[0].x == e[10].x);
        free(b.p);
    }
    bytes b = { 0 };
    put_npy_header(&b, "'|O'", "20, 4");
    fixture_write("o.npy", b.p, b.n);
    refused("pickled objects", "o.npy", NULL, 418, "holds pickled Python objects");
    free(b.p);
    fixture_write("o.pkl", "\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}\x94.", 14);
    refused("a pickle", "o.pkl", NULL, 405, "a Python pickle");
    fixture_write("o.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64", 38);
    refused("a MATLAB file", "o.mat", NULL, 405, "a MATLAB file");
    fixture_write("o.bag", "#ROSBAG V2.0\n\x45\0\0\0", 17);
    refused("a ROS bag", "o.bag", NULL, 405, "a ROS bag");
}

int main(int argc, char **argv)
{
#if TERN_HAVE_HDF5
    if (argc == 2) return make_published(argv[1], 0, H5P_DEFAULT), 0; /* for strange_files.sh */
#endif
    (void)argc, (void)argv;
    char dir[] = "/tmp/tern-meaning-XXXXXX";
    if (mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    text_columns();
    text_units();
    wild_times();
    tables();
    grids();
#if TERN_HAVE_HDF5
    published();
#endif
    old_formats();
    static const char *const made[] = { "a.csv",   "w.csv",    "a.npy",        "h.npz",       "g.npz",
                                        "dsec.h5", "mvsec.h5", "records.hdf5", "filter.hdf5", "old.aedat",
                                        "o.npy",   "o.pkl",    "o.mat",        "o.bag" };
    for (size_t i = 0; i < sizeof made / sizeof *made; ++i) (void)unlink(made[i]);
    CHECK_EQ(rmdir(dir), 0);
    return tern_check_report("data.meaning");
}
