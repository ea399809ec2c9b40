/* mask/kernels_avx2.c - kernels for x86 with AVX2: a byte of the mask chooses among eight lanes. */
#include "mask/kernels_private.h"

#if defined(GM_KERNELS_X86)
#include <immintrin.h>

#define GM_SUFFIX avx2
#define GM_NAME "avx2"
#define GM_TARGET __attribute__((target("avx2,popcnt")))

typedef __m256i vector;

GM_TARGET static inline vector spread32(uint32_t fill) { return _mm256_set1_epi32((int)fill); }
GM_TARGET static inline vector spread16(uint16_t fill) { return _mm256_set1_epi16((short)fill); }

GM_TARGET static inline void fill32(uint32_t *at, vector filling)
{
    for (int part = 0; part < 4; part++)
        _mm256_storeu_si256((__m256i *)(void *)(at + 8 * part), filling);
}

GM_TARGET static inline void fill16(uint16_t *at, vector filling)
{
    for (int part = 0; part < 2; part++)
        _mm256_storeu_si256((__m256i *)(void *)(at + 16 * part), filling);
}

/* Load, blend, store: a masked store (vpmaskmov) takes four times as long on AMD's Zen. */
GM_TARGET static inline void choose32(uint32_t *at, uint32_t blocked, vector filling)
{
    const __m256i every = _mm256_set1_epi32((int)blocked);
    for (int part = 0; part < 4; part++) {
        const __m256i bits = _mm256_sllv_epi32(
            every, _mm256_sub_epi32(_mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24), _mm256_set1_epi32(8 * part)));
        __m256i *to = (__m256i *)(void *)(at + 8 * part);
        const __m256 kept = _mm256_castsi256_ps(_mm256_loadu_si256(to));
        _mm256_storeu_si256(
            to, _mm256_castps_si256(_mm256_blendv_ps(kept, _mm256_castsi256_ps(filling), _mm256_castsi256_ps(bits))));
    }
}

GM_TARGET static inline void choose16(uint16_t *at, uint32_t blocked, vector filling)
{
    const __m256i lanes =
        _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, (short)0x8000);
    for (int part = 0; part < 2; part++) {
        const __m256i every = _mm256_set1_epi16((short)(blocked >> 16 * part));
        const __m256i chosen = _mm256_cmpeq_epi16(_mm256_and_si256(every, lanes), lanes);
        __m256i *to = (__m256i *)(void *)(at + 16 * part);
        _mm256_storeu_si256(to, _mm256_blendv_epi8(_mm256_loadu_si256(to), filling, chosen));
    }
}

GM_TARGET static inline void copy32(uint32_t *to, const uint32_t *from)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(from + 8));
    const __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)(from + 16));
    const __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)(from + 24));
    _mm256_storeu_si256((__m256i *)(void *)to, a);
    _mm256_storeu_si256((__m256i *)(void *)(to + 8), b);
    _mm256_storeu_si256((__m256i *)(void *)(to + 16), c);
    _mm256_storeu_si256((__m256i *)(void *)(to + 24), d);
}

GM_TARGET static inline size_t ones(uint64_t bits) { return (size_t)__builtin_popcountll(bits); }

#include "mask/kernels_template.h"
#endif
