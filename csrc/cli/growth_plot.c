/* cli/growth_plot.c - curves as SVG: a panel each, both axes logarithmic, one colour a quantity. */
#include "cli/growth.h"

#include <math.h>

enum { COLUMNS = 3, WIDTH = 300, HEIGHT = 200, LEFT = 44, RIGHT = 10, TOP = 26, BOTTOM = 28 };

static const struct {
    const char *name, *colour;
} quantities[] = {{"compile, µs", "#4269d0"},
                  {"first mask, µs", "#efb118"},
                  {"slowest mask, µs", "#ff725c"},
                  {"median mask, µs", "#6cc5b0"},
                  {"grammar, KiB", "#9c6b4e"}};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static double value_of(const gm_cli_point *point, size_t quantity)
{
    const double values[QUANTITIES] = {point->compile_us, point->first_us, point->worst_us, point->median_us,
                                       point->memory_kib};
    return values[quantity] > 0.01 ? values[quantity] : 0.01;
}

typedef struct scale { /* decades to pixels */
    double low, high, from, to;
} scale;

static double place(const scale *s, double value)
{
    return s->from + (log10(value) - s->low) / (s->high - s->low) * (s->to - s->from);
}

static void draw_axes(FILE *out, const gm_cli_curve *curve, const scale *x, const scale *y)
{
    fprintf(out, "<text x=\"%d\" y=\"16\" class=\"t\">%s</text>\n", LEFT, curve->name);
    for (int decade = (int)y->low; decade <= (int)y->high; decade++) {
        const double at = place(y, pow(10, decade));
        fprintf(out, "<path d=\"M%d %.1fH%d\" class=\"g\"/><text x=\"%d\" y=\"%.1f\" class=\"e\">%g</text>\n", LEFT, at,
                WIDTH - RIGHT, LEFT - 4, at + 3, pow(10, decade));
    }
    for (size_t i = 0; i < curve->count; i++)
        if (i == 0 || i + 1 == curve->count || i == curve->count / 2)
            fprintf(out, "<text x=\"%.1f\" y=\"%d\" class=\"m\">%llu</text>\n", place(x, (double)curve->points[i].size),
                    HEIGHT - BOTTOM + 14, (unsigned long long)curve->points[i].size);
}

static void draw_panel(FILE *out, const gm_cli_curve *curve)
{
    scale x = {log10((double)curve->points[0].size), log10((double)curve->points[curve->count - 1].size), LEFT,
               WIDTH - RIGHT};
    scale y = {1e9, -1e9, HEIGHT - BOTTOM, TOP};
    for (size_t i = 0; i < curve->count; i++)
        for (size_t q = 0; q < QUANTITIES; q++) {
            const double decade = log10(value_of(&curve->points[i], q));
            y.low = fmin(y.low, floor(decade));
            y.high = fmax(y.high, ceil(decade));
        }
    x.high = x.high > x.low ? x.high : x.low + 1;
    y.high = y.high > y.low ? y.high : y.low + 1;
    draw_axes(out, curve, &x, &y);
    for (size_t q = 0; q < QUANTITIES; q++) {
        fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"", quantities[q].colour);
        for (size_t i = 0; i < curve->count; i++)
            fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', place(&x, (double)curve->points[i].size),
                    place(&y, value_of(&curve->points[i], q)));
        fputs("\"/>\n", out);
    }
}

void gm_cli_plot_curves(FILE *out, const gm_cli_curve *curves, size_t count)
{
    const size_t rows = (count + COLUMNS - 1) / COLUMNS;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" font-family=\"sans-serif\">\n"
            "<style>.t{font-size:12px;font-weight:600}.e{font-size:9px;text-anchor:end;fill:#666}"
            ".m{font-size:9px;text-anchor:middle;fill:#666}.g{stroke:#ddd;stroke-width:.6}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            COLUMNS * WIDTH, rows * HEIGHT + 24);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<g transform=\"translate(%zu %zu)\">\n", i % COLUMNS * WIDTH, i / COLUMNS * HEIGHT);
        draw_panel(out, &curves[i]);
        fputs("</g>\n", out);
    }
    for (size_t q = 0; q < QUANTITIES; q++)
        fprintf(out,
                "<g transform=\"translate(%zu %zu)\"><path d=\"M0 8H16\" stroke=\"%s\" stroke-width=\"3\"/>"
                "<text x=\"20\" y=\"12\" font-size=\"11\">%s</text></g>\n",
                LEFT + q * 160, rows * HEIGHT, quantities[q].colour, quantities[q].name);
    fputs("</svg>\n", out);
}
