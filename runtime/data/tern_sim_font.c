/* tern_sim_font.c : Tern's stroke font: digits as lines and arcs, never twice the same
 * SPDX-License-Identifier: Apache-2.0
 *
 * A digit is drawn in a box of 60 x 100 units, y downwards, middle (30, 50). Arcs are parts of upright ellipses; angles
 * in degrees, 0 to the right, growing clockwise on the screen (90: bottom). Every digit has two styles. A sample gets:
 * a style, a shift of every control point, width, height, slant, turn and bend of the whole, place, and stroke width.
 */
#include "tern_sim.h"
#include <math.h>
#include <stddef.h>

typedef enum op_kind { OP_END, OP_MOVE, OP_LINE, OP_ARC } op_kind;
/* ARC: centre, radii, from a0 to a1 (multiples of 5) */
typedef struct op {
    op_kind kind;
    int16_t x, y, rx, ry, a0, a1;
} op;

#define M(x, y) \
    { \
        OP_MOVE, x, y, 0, 0, 0, 0 \
    }
#define L(x, y) \
    { \
        OP_LINE, x, y, 0, 0, 0, 0 \
    }
#define A(x, y, rx, ry, a0, a1) \
    { \
        OP_ARC, x, y, rx, ry, a0, a1 \
    }
#define E \
    { \
        OP_END, 0, 0, 0, 0, 0, 0 \
    }
enum { MAX_OPS = 8 };

static const op font[10][2][MAX_OPS] = {
    { { A(30, 50, 26, 46, 270, 630), E }, { A(30, 50, 21, 47, 240, 600), E } },
    { { M(32, 4), L(30, 96), E }, { M(16, 22), L(33, 5), L(31, 96), E } },
    { { A(29, 29, 24, 25, 185, 400), L(6, 95), L(56, 95), E },
      { A(30, 28, 23, 24, 200, 415), L(8, 92), L(24, 85), L(40, 95), L(56, 88), E } },
    { { A(28, 27, 22, 23, 205, 450), A(28, 73, 26, 23, 270, 520), E },
      { M(8, 5), L(52, 5), L(27, 42), A(26, 69, 27, 27, 275, 515), E } },
    { { M(41, 96), L(41, 4), L(4, 66), L(58, 66), E }, { M(14, 6), L(8, 56), L(55, 56), M(46, 6), L(43, 96), E } },
    { { M(52, 5), L(14, 5), L(10, 47), A(28, 67, 27, 28, 225, 500), E },
      { M(50, 7), L(18, 5), L(12, 44), A(27, 68, 24, 27, 230, 490), E } },
    { { A(56, 62, 50, 58, 260, 180), A(30, 70, 24, 26, 180, 540), E },
      { M(42, 4), L(12, 56), A(30, 71, 22, 24, 200, 560), E } },
    { { M(6, 6), L(54, 6), L(24, 96), E }, { M(6, 8), L(53, 5), L(28, 96), M(16, 52), L(50, 48), E } },
    { { A(30, 27, 20, 23, 90, 450), A(30, 73, 25, 23, 270, 630), E },
      { A(31, 25, 18, 21, 90, 450), A(29, 72, 26, 26, 270, 630), E } },
    { { A(30, 30, 23, 25, 0, 360), L(48, 96), E }, { A(29, 29, 22, 24, 0, 360), L(49, 64), L(38, 86), L(14, 95), E } },
};

/* sin of 0, 5, ..., 90 degrees */
static const double sin5[19] = {
    0.0,
    0.08715574274765817,
    0.17364817766693035,
    0.25881904510252074,
    0.3420201433256687,
    0.42261826174069944,
    0.5,
    0.573576436351046,
    0.6427876096865393,
    0.7071067811865476,
    0.766044443118978,
    0.8191520442889918,
    0.8660254037844386,
    0.9063077870366499,
    0.9396926207859083,
    0.9659258262890683,
    0.984807753012208,
    0.9961946980917455,
    1.0,
};

static double sine(int degrees) /* >= 0, multiple of 5 */
{
    const int i = degrees / 5 % 72;
    const int q = i % 36;
    const double v = sin5[q <= 18 ? q : 36 - q];
    return i < 36 ? v : -v;
}

/* What makes a sample differ from the font. */
typedef struct shape {
    double xx, xy, yx, yy, bend, x0, y0;
} shape;

static void to_pixels(const shape *s, double x, double y, double *px, double *py)
{
    const double u = (x - 30.0) / 100.0, v = (y - 50.0) / 100.0;
    const double w = u + s->bend * (v * v - 0.08); /* curves upright strokes to one side */
    *px = s->xx * w + s->xy * v + s->x0;
    *py = s->yx * w + s->yy * v + s->y0;
}

static void add_segment(tern__glyph *g, double x0, double y0, double x1, double y1)
{
    if (g->n == TERN__MAX_SEGMENTS) return; /* the font stays far below */
    const double dx = x1 - x0, dy = y1 - y0, len2 = dx * dx + dy * dy;
    g->seg[g->n++] = (tern__segment){ x0, y0, dx, dy, len2 > 1e-12 ? 1.0 / len2 : 0.0 };
}

void tern__glyph_make(unsigned digit, tern__draws *d, tern__glyph *g)
{
    const unsigned style = tern__draw(d) >> 31;
    const double height = 17.0 * tern__draw_range(d, 0.84, 1.08), width = height * tern__draw_range(d, 0.74, 1.18);
    const double slant = tern__draw_range(d, -0.30, 0.30), turn = tern__draw_range(d, -0.16, 0.16);
    const double c = 1.0 / sqrt(1.0 + turn * turn), s = turn * c; /* a turn by atan(turn), 9 degrees at most */
    shape sh = { .bend = tern__draw_range(d, -0.30, 0.30) };
    sh.xx = width * c;
    sh.xy = -width * slant * c - height * s;
    sh.yx = width * s;
    sh.yy = -width * slant * s + height * c;
    sh.x0 = tern__draw_range(d, -1.2, 1.2);
    sh.y0 = tern__draw_range(d, -0.8, 0.8);
    g->half_width = tern__draw_range(d, 0.7, 1.45);
    g->n = 0;
    double x = 0, y = 0, lx = 0, ly = 0; /* pen, in pixels */
    bool down = false;
    for (const op *o = font[digit][style]; o->kind != OP_END; ++o) {
        const double jx = o->x + tern__draw_range(d, -3.5, 3.5), jy = o->y + tern__draw_range(d, -3.5, 3.5);
        if (o->kind == OP_ARC) {
            const double rx = o->rx * tern__draw_range(d, 0.9, 1.1), ry = o->ry * tern__draw_range(d, 0.94, 1.04);
            const int n = (o->a1 > o->a0 ? o->a1 - o->a0 : o->a0 - o->a1) / 5, dir = o->a1 > o->a0 ? 5 : -5;
            for (int i = 0; i <= n; i = i < n && i + 3 > n ? n : i + 3) { /* a line every 15 degrees, and the rest */
                const int a = o->a0 + i * dir;
                to_pixels(&sh, jx + rx * sine(a + 90), jy + ry * sine(a), &x, &y);
                if (down) add_segment(g, lx, ly, x, y);
                down = true;
                lx = x;
                ly = y;
                if (i == n) break;
            }
        } else {
            to_pixels(&sh, jx, jy, &x, &y);
            if (o->kind == OP_LINE) add_segment(g, lx, ly, x, y);
            down = true;
            lx = x;
            ly = y;
        }
    }
}

double tern__glyph_distance(const tern__glyph *g, double x, double y)
{
    double best = 1e30;
    for (unsigned i = 0; i < g->n; ++i) {
        const tern__segment *s = &g->seg[i];
        const double px = x - s->x0, py = y - s->y0;
        double t = (px * s->dx + py * s->dy) * s->inv_len2;
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        const double ex = px - t * s->dx, ey = py - t * s->dy, d2 = ex * ex + ey * ey;
        if (d2 < best) best = d2;
    }
    return sqrt(best);
}
