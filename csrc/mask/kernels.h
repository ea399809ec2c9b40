/*
 * mask/kernels.h - copying masks and applying them to logits, with the instruction set chosen at run time.
 *
 * The portable loops are the specification; the AVX2, AVX-512 and NEON ones must agree with them
 * bit for bit. GM_CPU=scalar|avx2|avx512|neon in the environment overrules the choice, so that one machine
 * tests all. Chosen once per call site through an atomic pointer; nothing else is global.
 */
#ifndef GM_MASK_KERNELS_H
#define GM_MASK_KERNELS_H

#include "base/base.h"

typedef struct gm_kernels {
    const char *name;
    /* Where bit i of words is clear, element i becomes `fill`; elements from word_count * 32 on too. */
    void (*mask32)(const uint32_t *words, size_t word_count, uint32_t *elements, size_t count, uint32_t fill);
    void (*mask16)(const uint32_t *words, size_t word_count, uint16_t *elements, size_t count, uint16_t fill);
    size_t (*count_bits)(const uint32_t *words, size_t word_count);
    /* What memcpy does; that takes thirty times as long on AMD's Zen 3 and 4 where the destination lies just behind the
     * source, modulo a page. */
    void (*copy)(uint32_t *to, const uint32_t *from, size_t word_count);
} gm_kernels;

/* The kernels in force on this machine. */
const gm_kernels *gm_kernels_get(void);
/* All that this build and this machine can run, the portable one first; for tests. */
const gm_kernels *const *gm_kernels_all(size_t *count);

#endif
