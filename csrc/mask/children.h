/*
 * mask/children.h - the children of a trie's node whose bytes are in a set.
 *
 * Children lie side by side, ascending by byte, and a set is a bit a byte: so both are gone through at once, each
 * leaping to where the other stands, and nothing is spent on the children that are not wanted.
 */
#ifndef GM_MASK_CHILDREN_H
#define GM_MASK_CHILDREN_H

#include "base/base.h"

typedef struct gm_byte_set {
    uint64_t bits[4]; /* bit b % 64 of bits[b / 64] */
} gm_byte_set;

static inline bool gm_byte_set_has(const gm_byte_set *set, uint8_t byte)
{
    return set->bits[byte / 64] >> byte % 64 & 1;
}

/* The least byte of the set from `from` on; 256 if there is none. */
static inline unsigned gm_byte_set_next(const gm_byte_set *set, unsigned from)
{
    unsigned word = from / 64;
    uint64_t bits = set->bits[word] & ~(uint64_t)0 << from % 64;
    while (bits == 0) {
        if (++word == 4)
            return 256;
        bits = set->bits[word];
    }
    return word * 64 + gm_lowest_bit(bits);
}

/* The first of ascending bytes from `at` on that is at least `wanted`: looks ever further, then between. */
static inline uint32_t gm_leap(const uint8_t *bytes, uint32_t at, uint32_t end, unsigned wanted)
{
    uint32_t stride = 1, low = at;
    while (low + stride < end && bytes[low + stride] < wanted) {
        low += stride;
        stride *= 2;
    }
    uint32_t high = low + stride < end ? low + stride : end;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (bytes[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first child from `at` on whose byte is in the set; `end` if there is none. `bytes` are those of the nodes. */
static inline uint32_t gm_next_child(const gm_byte_set *set, const uint8_t *bytes, uint32_t at, uint32_t end)
{
    while (at < end) {
        const unsigned wanted = gm_byte_set_next(set, bytes[at]);
        if (wanted == bytes[at])
            return at;
        at = wanted < 256 ? gm_leap(bytes, at, end, wanted) : end;
    }
    return end;
}

#endif
