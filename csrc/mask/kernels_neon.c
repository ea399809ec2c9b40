/* mask/kernels_neon.c - kernels for 64-bit ARM, where NEON is part of the base. */
#include "mask/kernels_private.h"

#if defined(GM_KERNELS_NEON)
#include <arm_neon.h>

#define GM_SUFFIX neon
#define GM_NAME "neon"
#define GM_TARGET

typedef uint8x16_t vector;

static inline vector spread32(uint32_t fill) { return vreinterpretq_u8_u32(vdupq_n_u32(fill)); }
static inline vector spread16(uint16_t fill) { return vreinterpretq_u8_u16(vdupq_n_u16(fill)); }

static inline void fill_parts(uint8_t *at, vector filling, int parts)
{
    for (int part = 0; part < parts; part++)
        vst1q_u8(at + 16 * part, filling);
}

static inline void fill32(uint32_t *at, vector filling) { fill_parts((uint8_t *)at, filling, 8); }
static inline void fill16(uint16_t *at, vector filling) { fill_parts((uint8_t *)at, filling, 4); }

static inline void choose32(uint32_t *at, uint32_t blocked, vector filling)
{
    static const uint32_t lanes[4] = {1, 2, 4, 8};
    uint8_t *to = (uint8_t *)at;
    for (int part = 0; part < 8; part++, to += 16) {
        const uint32x4_t chosen = vtstq_u32(vdupq_n_u32(blocked >> 4 * part), vld1q_u32(lanes));
        vst1q_u8(to, vbslq_u8(vreinterpretq_u8_u32(chosen), filling, vld1q_u8(to)));
    }
}

static inline void choose16(uint16_t *at, uint32_t blocked, vector filling)
{
    static const uint16_t lanes[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint8_t *to = (uint8_t *)at;
    for (int part = 0; part < 4; part++, to += 16) {
        const uint16x8_t chosen = vtstq_u16(vdupq_n_u16((uint16_t)(blocked >> 8 * part)), vld1q_u16(lanes));
        vst1q_u8(to, vbslq_u8(vreinterpretq_u8_u16(chosen), filling, vld1q_u8(to)));
    }
}

static inline void copy32(uint32_t *to, const uint32_t *from)
{
    for (int part = 0; part < 8; part++)
        vst1q_u32(to + 4 * part, vld1q_u32(from + 4 * part));
}

static inline size_t ones(uint64_t bits) { return (size_t)__builtin_popcountll(bits); }

#include "mask/kernels_template.h"
#endif
