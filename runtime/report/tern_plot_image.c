/* tern_plot_image.c : a matrix as a picture: a small PNG in an SVG, with names at its sides and a scale of colours
 * SPDX-License-Identifier: Apache-2.0
 *
 * Gnuplot draws a rectangle for every value, some hundred bytes each; the PNG needs about one.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "tern_plot_internal.h"

enum {
    SIDE_MAX = 2000,
    ZERO = 128,
    LEVELS = 127,
    FONT_PX = 12,
    LETTER_PX = 7,
    LINE_PX = 13,
    SCALE_PX = 10,
    GAP_PX = 8
};
static const double LARGEST = 1e30;

/* ---- colours: 0 grey, 1..127 blue to pale, 128 white, 129..255 pale to red ---- */

static unsigned char blend(double share, unsigned end)
{
    return (unsigned char)lround(255 + share * ((double)end - 255));
}

static void palette(unsigned char rgb[256][3])
{
    static const unsigned negative[3] = { 0x21, 0x5f, 0xa6 }, positive[3] = { 0xb5, 0x1a, 0x2b };
    for (int c = 0; c < 3; ++c) rgb[0][c] = 0xd4;
    for (int i = 1; i < 256; ++i)
        for (int c = 0; c < 3; ++c)
            rgb[i][c] = blend(fabs((double)(i - ZERO)) / LEVELS, i < ZERO ? negative[c] : positive[c]);
}

static unsigned char colour_of(double v, double most)
{
    if (isnan(v)) return 0;
    const double share = most > 0 ? v / most : 0;
    return (unsigned char)(ZERO + lround(LEVELS * (share > 1 ? 1 : share < -1 ? -1 : share)));
}

/* ---- PNG ---- */

static void put_u32(unsigned char *to, uint32_t v)
{
    for (int i = 0; i < 4; ++i) to[i] = (unsigned char)(v >> (24 - 8 * i));
}

static void chunk(tern_text *png, const char type[4], const unsigned char *bytes, size_t n)
{
    unsigned char word[4];
    put_u32(word, (uint32_t)n);
    tern_text_bytes(png, (const char *)word, 4);
    tern_text_bytes(png, type, 4);
    tern_text_bytes(png, (const char *)bytes, n);
    uLong crc = crc32(0, (const Bytef *)type, 4);
    if (n != 0) crc = crc32(crc, bytes, (uInt)n);
    put_u32(word, (uint32_t)crc);
    tern_text_bytes(png, (const char *)word, 4);
}

/* `pixels`: [height][1 + width], each line after a byte 0 (no filter). */
static void encode_png(tern_text *png, unsigned char *pixels, size_t width, size_t height)
{
    unsigned char head[13] = { 0 }, rgb[256][3];
    put_u32(head, (uint32_t)width);
    put_u32(head + 4, (uint32_t)height);
    head[8] = 8; /* bits */
    head[9] = 3; /* palette */
    palette(rgb);
    uLongf size = compressBound((uLong)((width + 1) * height));
    unsigned char *packed = png->alloc.fn(png->alloc.ud, NULL, size);
    if (packed == NULL || compress2(packed, &size, pixels, (uLong)((width + 1) * height), 9) != Z_OK)
        png->failed = true;
    else {
        tern_text_bytes(png, "\x89PNG\r\n\x1a\n", 8);
        chunk(png, "IHDR", head, sizeof head);
        chunk(png, "PLTE", &rgb[0][0], sizeof rgb);
        chunk(png, "IDAT", packed, size);
        chunk(png, "IEND", NULL, 0);
    }
    if (packed != NULL) png->alloc.fn(png->alloc.ud, packed, 0);
}

/* The value that stands for a square of f x f: the largest magnitude. */
static double strongest(const tern_plot *p, size_t row, size_t column, size_t f)
{
    double best = NAN;
    for (size_t r = row * f; r < (row + 1) * f && r < p->rows; ++r)
        for (size_t c = column * f; c < (column + 1) * f && c < p->columns; ++c) {
            const double v = p->image[r * p->columns + c];
            if (fabs(v) <= LARGEST && !(fabs(v) <= fabs(best))) best = v;
        }
    return best;
}

/* Every value becomes a square of `grow` pixels, so that no viewer needs to smooth it. */
static void put_matrix(const tern_plot *p, size_t f, size_t grow, double most, tern_text *out)
{
    const size_t rows = (p->rows + f - 1) / f, columns = (p->columns + f - 1) / f, width = columns * grow,
                 line = width + 1;
    tern_text png;
    tern_text_init(&png, out->alloc);
    unsigned char *pixels = out->alloc.fn(out->alloc.ud, NULL, line * rows * grow);
    if (pixels == NULL) {
        out->failed = true;
        return;
    }
    for (size_t r = 0; r < rows; ++r) {
        unsigned char *at = pixels + r * grow * line;
        at[0] = 0;
        for (size_t c = 0; c < columns; ++c) memset(at + 1 + c * grow, colour_of(strongest(p, r, c, f), most), grow);
        for (size_t g = 1; g < grow; ++g) memcpy(at + g * line, at, line);
    }
    encode_png(&png, pixels, width, rows * grow);
    out->alloc.fn(out->alloc.ud, pixels, 0);
    if (png.failed) out->failed = true;
    else {
        tern_text_add(out, "data:image/png;base64,");
        tern_text_base64(out, (const unsigned char *)png.data, png.n);
    }
    tern_text_free(&png);
}

/* ---- the drawing ---- */

typedef struct box {
    double x, y, width, height;
} box;

static size_t length_of(const char *s)
{
    size_t n = 0, bytes;
    for (; *s != '\0'; s += bytes, ++n) tern_text_next(s, &bytes);
    return n;
}

/* A text at a place; `most` characters are shown. */
static void put_text(tern_text *out, double x, double y, const char *anchor, const char *more, const char *s,
                     size_t most)
{
    tern_text shown;
    tern_text_init(&shown, out->alloc);
    size_t n = 0, bytes;
    const size_t length = length_of(s), keep = length > most ? most - 1 : length;
    const char *p = s;
    for (; n < keep; ++n, p += bytes) tern_text_next(p, &bytes);
    tern_text_bytes(&shown, s, (size_t)(p - s));
    if (length > most) tern_text_add(&shown, "\xe2\x80\xa6");
    tern_text_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    tern_text_xml(out, shown.data != NULL ? shown.data : "");
    tern_text_add(out, "</text>\n");
    out->failed |= shown.failed;
    tern_text_free(&shown);
}

static void put_names(const tern_plot *p, const box *b, tern_text *out)
{
    if (p->column_names != NULL && p->n_column_names != 0) {
        const double each = b->width / (double)p->n_column_names;
        const size_t most = each > 3 * LETTER_PX ? (size_t)(each / LETTER_PX) : 3;
        for (size_t i = 0; i < p->n_column_names; ++i)
            put_text(out, b->x + each * ((double)i + 0.5), b->y - 5, "middle", "", p->column_names[i], most);
    }
    if (p->row_names != NULL && p->n_row_names != 0) {
        const double each = b->height / (double)p->n_row_names;
        const size_t every = (size_t)ceil(LINE_PX / each); /* names that would lie on each other are left out */
        for (size_t i = 0; i < p->n_row_names; i += every)
            put_text(out, b->x - 6, b->y + each * ((double)i + 0.5) + 4, "end", "", p->row_names[i], 16);
    }
}

/* Values of one sign get the half of the scale that they use. */
static void put_scale(const box *b, double most, bool negative, bool positive, tern_text *out)
{
    const double x = b->x + b->width + GAP_PX, height = b->height < 120 ? b->height : 120;
    const double value[3] = { positive ? most : 0, positive && negative ? 0 : NAN, negative ? -most : 0 },
                 at[3] = { b->y + 9, b->y + height / 2 + 4, b->y + height };
    tern_text_format(out,
                     "<defs><linearGradient id=\"scale\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" "
                     "stop-color=\"%s\"/>%s<stop offset=\"1\" stop-color=\"%s\"/></linearGradient></defs>\n",
                     positive ? "#b51a2b" : "#ffffff",
                     positive && negative ? "<stop offset=\"0.5\" stop-color=\"#ffffff\"/>" : "",
                     negative ? "#215fa6" : "#ffffff");
    tern_text_format(out,
                     "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"url(#scale)\" stroke=\"#9a9a9a\" "
                     "stroke-width=\"0.7\"/>\n",
                     x, b->y, SCALE_PX, height);
    for (int i = 0; i < 3; ++i) {
        if (isnan(value[i]) || (i == 1 && height < 40) || (i == 2 && height < 24)) continue;
        char text[32];
        snprintf(text, sizeof text, "%.3g", value[i]);
        put_text(out, x + SCALE_PX + 4, at[i], "start", "", text, 10);
    }
}

/* The image as large as the figure allows, its cells square. */
static box lay_out(const tern_plot *p, double *out_width, double *out_height)
{
    size_t longest = 0;
    for (size_t i = 0; p->row_names != NULL && i < p->n_row_names; ++i) {
        const size_t n = length_of(p->row_names[i]);
        if (n > longest) longest = n;
    }
    if (longest > 16) longest = 16;
    const double left = 6 + (p->y_label != NULL ? 18 : 0) + (longest != 0 ? 8 + LETTER_PX * (double)longest : 0),
                 right = GAP_PX + SCALE_PX + 4 + 7 * LETTER_PX;
    const double top = 6 + (p->title != NULL ? 18 : 0) + (p->n_column_names != 0 && p->column_names != NULL ? 17 : 0),
                 bottom = 6 + (p->x_label != NULL ? 20 : 0);
    *out_width = tern_plot_width(p);
    const double room = *out_width - left - right > 20 ? *out_width - left - right : 20,
                 shape = (double)p->rows / (double)p->columns;
    double width = room, height = width * shape;
    const double most =
        p->height > 0 ? (tern_plot_height(p) - top - bottom > 20 ? tern_plot_height(p) - top - bottom : 20) : 900;
    if (height > most) {
        height = most;
        width = height / shape;
    }
    if (height < 8) height = 8; /* a single row of many columns is stretched */
    if (width < 8) width = 8;
    *out_height = p->height > 0 ? tern_plot_height(p) : top + height + bottom;
    return (box){ left + (room > width ? (room - width) / 2 : 0), top, width, height };
}

void tern_plot_image(const tern_plot *p, tern_text *out)
{
    double width, height, most = 0;
    const box b = lay_out(p, &width, &height);
    bool negative = false, positive = false;
    for (size_t i = 0; i < p->rows * p->columns; ++i) {
        if (!(fabs(p->image[i]) <= LARGEST)) continue;
        negative |= p->image[i] < 0;
        positive |= p->image[i] > 0;
        if (fabs(p->image[i]) > most) most = fabs(p->image[i]);
    }
    if (!negative) positive = true; /* an image of zeros has a scale too */
    if (p->image_limit > 0 && p->image_limit <= LARGEST) most = p->image_limit;
    const size_t longest = p->rows > p->columns ? p->rows : p->columns, f = (longest + SIDE_MAX - 1) / SIDE_MAX;
    const double wanted = 2 * (b.width > b.height ? b.width : b.height) / (double)((longest + f - 1) / f);
    const size_t grow = wanted < 1 ? 1 : wanted > 64 ? 64 : (size_t)wanted, across = (size_t)((width - 12) / LETTER_PX);
    tern_text_format(out,
                     "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 "
                     "%.0f %.0f\" xmlns=\"http:/"
                     "/www.w3.org/2000/svg\" "
                     "xmlns:xlink=\"http:/"
                     "/www.w3.org/1999/xlink\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<g "
                     "font-family=\"sans-serif\" font-size=\"%d\" fill=\"#444444\">\n",
                     width, height, width, height, FONT_PX);
    if (p->title != NULL)
        put_text(out, width / 2, 16, "middle", " font-size=\"13\" fill=\"#222222\"", p->title, across);
    if (p->x_label != NULL) put_text(out, b.x + b.width / 2, b.y + b.height + 17, "middle", "", p->x_label, across);
    if (p->y_label != NULL) {
        char turned[80];
        snprintf(turned, sizeof turned, " transform=\"rotate(-90 15 %.1f)\"", b.y + b.height / 2);
        put_text(out, 15, b.y + b.height / 2, "middle", turned, p->y_label,
                 (size_t)(b.height / LETTER_PX) > 3 ? (size_t)(b.height / LETTER_PX) : 3);
    }
    put_names(p, &b, out);
    tern_text_format(out,
                     "<image x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" preserveAspectRatio=\"none\" "
                     "style=\"image-rendering:pixelated\" xlink:href=\"",
                     b.x, b.y, b.width, b.height);
    put_matrix(p, f, grow, most, out);
    tern_text_format(out,
                     "\"/>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                     "stroke=\"#9a9a9a\" stroke-width=\"0.7\"/>\n",
                     b.x, b.y, b.width, b.height);
    put_scale(&b, most, negative, positive, out);
    tern_text_add(out, "</g>\n</svg>");
}
