/*
 * cli/growth.h - what compile, masks and memory cost as one size grows.
 */
#ifndef GM_CLI_GROWTH_H
#define GM_CLI_GROWTH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { GM_CLI_MOST_POINTS = 8 };

typedef struct gm_cli_point { /* one size; each time is the least of three runs, states cold */
    uint64_t size;
    double compile_us, first_us, worst_us, median_us; /* of masks: first, slowest, median of a document */
    double memory_kib;                                /* of the grammar after the document */
} gm_cli_point;

typedef struct gm_cli_curve {
    const char *name;
    size_t count;
    gm_cli_point points[GM_CLI_MOST_POINTS];
} gm_cli_curve;

/* Writes the curves as one picture, a panel each, both axes logarithmic. */
void gm_cli_plot_curves(FILE *out, const gm_cli_curve *curves, size_t count);

#endif
