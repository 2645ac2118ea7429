/* tern_plot_size.c : the size of a figure
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>
#include "tern_plot_internal.h"

static double within(double v, double other) { return !(v > 0) ? other : v < 120 ? 120 : v > 2000 ? 2000 : v; }

double tern_plot_width(const tern_plot *p) { return within(p->width, TERN_PLOT_WIDTH); }

double tern_plot_height(const tern_plot *p) { return within(p->height, TERN_PLOT_HEIGHT); }
