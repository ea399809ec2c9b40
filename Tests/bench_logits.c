/*
 * bench_logits.c - microseconds to apply a mask, per kernel: hot in cache: the time
 * that a tenth of many calls do not exceed, since other work on the machine only adds.
 *
 *   bench_logits [elements, default 128256]
 */
#define _POSIX_C_SOURCE 200809L
#include "mask/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 1001 };

static const double densities[] = {1.0, 0.995, 0.5, 0.001, 0.0};

typedef struct bench {
    size_t count, word_count;
    uint32_t *words;
    uint32_t *elements; /* used as halves too */
} bench;

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void set_density(bench *b, double density)
{
    uint64_t state = 88172645463325252u;
    memset(b->words, 0, b->word_count * sizeof *b->words);
    for (size_t i = 0; i < b->count; i++)
        if ((double)(next_random(&state) >> 11) < density * 9007199254740992.0)
            b->words[i / 32] |= 1u << i % 32;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef enum work { MASK32, MASK16, COUNT_BITS } work;

static size_t run(const gm_kernels *kernels, const bench *b, work what)
{
    if (what == COUNT_BITS)
        return kernels->count_bits(b->words, b->word_count);
    if (what == MASK32)
        kernels->mask32(b->words, b->word_count, b->elements, b->count, 0xFF800000u);
    else
        kernels->mask16(b->words, b->word_count, (uint16_t *)b->elements, b->count, 0xFF80);
    return 0;
}

static double quick_us(const gm_kernels *kernels, const bench *b, work what)
{
    static double taken[CALLS];
    for (int call = 0; call < CALLS; call++) {
        const double start = now_us();
        run(kernels, b, what);
        taken[call] = now_us() - start;
    }
    qsort(taken, CALLS, sizeof *taken, ascending);
    return taken[CALLS / 10];
}

static void print_rows(bench *b, work what, const char *title)
{
    size_t kernel_count;
    const gm_kernels *const *kernels = gm_kernels_all(&kernel_count);
    printf("%-20s", title);
    for (size_t d = 0; d < GM_COUNT_OF(densities); d++)
        printf("%10.1f %%", densities[d] * 100);
    printf("\n");
    for (size_t k = 0; k < kernel_count; k++) {
        printf("  %-18s", kernels[k]->name);
        for (size_t d = 0; d < GM_COUNT_OF(densities); d++) {
            set_density(b, densities[d]);
            printf("%12.2f", quick_us(kernels[k], b, what));
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    bench b = {.count = argc > 1 ? strtoul(argv[1], NULL, 10) : 128256};
    b.word_count = (b.count + 31) / 32;
    b.words = calloc(b.word_count + 1, sizeof *b.words);
    b.elements = calloc(b.count + 1, sizeof *b.elements);
    if (b.words == NULL || b.elements == NULL)
        return 1;
    printf("%zu elements, us a call, hot; columns: share of allowed ids\n", b.count);
    print_rows(&b, MASK32, "32-bit elements");
    print_rows(&b, MASK16, "16-bit elements");
    print_rows(&b, COUNT_BITS, "count bits");
    free(b.words);
    free(b.elements);
    return 0;
}
