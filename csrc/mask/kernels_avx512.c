/* mask/kernels_avx512.c - kernels for x86 with AVX-512 (F and BW): the mask is the store's mask. */
#include "mask/kernels_private.h"

#if defined(GM_KERNELS_X86)
#include <immintrin.h>

#define GM_SUFFIX avx512
#define GM_NAME "avx512"
#ifndef GM_TARGET /* a test that emulates the instructions says it without */
#define GM_TARGET __attribute__((target("avx512f,avx512bw,popcnt")))
#endif

typedef __m512i vector;

GM_TARGET static inline vector spread32(uint32_t fill) { return _mm512_set1_epi32((int)fill); }
GM_TARGET static inline vector spread16(uint16_t fill) { return _mm512_set1_epi16((short)fill); }

GM_TARGET static inline void fill32(uint32_t *at, vector filling)
{
    _mm512_storeu_si512(at, filling);
    _mm512_storeu_si512(at + 16, filling);
}

GM_TARGET static inline void fill16(uint16_t *at, vector filling) { _mm512_storeu_si512(at, filling); }

GM_TARGET static inline void choose32(uint32_t *at, uint32_t blocked, vector filling)
{
    _mm512_mask_storeu_epi32(at, (__mmask16)blocked, filling);
    _mm512_mask_storeu_epi32(at + 16, (__mmask16)(blocked >> 16), filling);
}

GM_TARGET static inline void choose16(uint16_t *at, uint32_t blocked, vector filling)
{
    _mm512_mask_storeu_epi16(at, blocked, filling);
}

GM_TARGET static inline void copy32(uint32_t *to, const uint32_t *from)
{
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 16);
    _mm512_storeu_si512(to, low);
    _mm512_storeu_si512(to + 16, high);
}

GM_TARGET static inline size_t ones(uint64_t bits) { return (size_t)__builtin_popcountll(bits); }

#include "mask/kernels_template.h"
#endif
