/*
 * immintrin.h - the few AVX-512 instructions of kernels_avx512.c, done in plain C.
 *
 * Found before the compiler's own header by Tests/avx512.sh, so that a machine without AVX-512 can
 * still test what the kernels ask of it.
 */
#include <stdint.h>
#include <string.h>

typedef struct __m512i {
    uint8_t bytes[64];
} __m512i;
typedef uint16_t __mmask16;
typedef uint32_t __mmask32;

static inline __m512i _mm512_set1_epi32(int value)
{
    __m512i result;
    for (int lane = 0; lane < 16; lane++)
        memcpy(result.bytes + 4 * lane, &value, 4);
    return result;
}

static inline __m512i _mm512_set1_epi16(short value)
{
    __m512i result;
    for (int lane = 0; lane < 32; lane++)
        memcpy(result.bytes + 2 * lane, &value, 2);
    return result;
}

static inline __m512i _mm512_loadu_si512(const void *from)
{
    __m512i result;
    memcpy(result.bytes, from, 64);
    return result;
}

static inline void _mm512_storeu_si512(void *to, __m512i from) { memcpy(to, from.bytes, 64); }

static inline void _mm512_mask_storeu_epi32(void *to, __mmask16 mask, __m512i from)
{
    for (int lane = 0; lane < 16; lane++)
        if (mask >> lane & 1)
            memcpy((uint8_t *)to + 4 * lane, from.bytes + 4 * lane, 4);
}

static inline void _mm512_mask_storeu_epi16(void *to, __mmask32 mask, __m512i from)
{
    for (int lane = 0; lane < 32; lane++)
        if (mask >> lane & 1)
            memcpy((uint8_t *)to + 2 * lane, from.bytes + 2 * lane, 2);
}
