/*
 * mask/kernels_portable.c - the plain kernels: always built, and the specification of the others.
 *
 * Elements are written through memcpy, since the caller's are floats or halves.
 */
#include "mask/kernels_private.h"

#define GM_SUFFIX portable
#define GM_NAME "scalar"
#define GM_TARGET

typedef uint32_t vector;

static vector spread32(uint32_t fill) { return fill; }
static vector spread16(uint16_t fill) { return fill; }

static void put32(uint32_t *at, vector filling) { memcpy(at, &filling, sizeof *at); }

static void put16(uint16_t *at, vector filling)
{
    const uint16_t half = (uint16_t)filling;
    memcpy(at, &half, sizeof *at);
}

static void fill32(uint32_t *at, vector filling)
{
    for (int i = 0; i < 32; i++)
        put32(at + i, filling);
}

static void fill16(uint16_t *at, vector filling)
{
    for (int i = 0; i < 32; i++)
        put16(at + i, filling);
}

/* From blocked bit to blocked bit: a seventh of the time of looking at every bit. */
static void choose32(uint32_t *at, uint32_t blocked, vector filling)
{
    for (; blocked != 0; blocked &= blocked - 1)
        put32(at + gm_lowest_bit(blocked), filling);
}

static void choose16(uint16_t *at, uint32_t blocked, vector filling)
{
    for (; blocked != 0; blocked &= blocked - 1)
        put16(at + gm_lowest_bit(blocked), filling);
}

static void copy32(uint32_t *to, const uint32_t *from) { memcpy(to, from, 32 * sizeof *to); }

static size_t ones(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (size_t)(bits * 0x0101010101010101u >> 56);
}

#include "mask/kernels_template.h"
