/*
 * mask/kernels_private.h - the tables of kernels that this build has, for kernels.c alone.
 */
#ifndef GM_MASK_KERNELS_PRIVATE_H
#define GM_MASK_KERNELS_PRIVATE_H

#include "mask/kernels.h"

/* Function attributes of gcc and clang let one file hold code for another machine. */
#if defined(__GNUC__) && defined(__x86_64__)
#define GM_KERNELS_X86 1
#endif
#if defined(__GNUC__) && defined(__aarch64__)
#define GM_KERNELS_NEON 1
#endif

extern const gm_kernels gm_kernels_portable;
#if defined(GM_KERNELS_X86)
extern const gm_kernels gm_kernels_avx2;
extern const gm_kernels gm_kernels_avx512;
#endif
#if defined(GM_KERNELS_NEON)
extern const gm_kernels gm_kernels_neon;
#endif

#endif
