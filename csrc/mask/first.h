/*
 * mask/first.h - which bytes may come next, roughly: what a walk need not try.
 *
 * A superset of the bytes that the machine accepts, found without stepping. So a walk that leaves out
 * the others finds the same tokens. Where nothing is known the set is full.
 */
#ifndef GM_MASK_FIRST_H
#define GM_MASK_FIRST_H

#include "machine/machine.h"

typedef struct gm_first {
    uint64_t bytes[4]; /* bit b % 64 of bytes[b / 64] */
} gm_first;

gm_first gm_first_bytes(const gm_config *config);

/* The least byte of the set from `from` on; 256 if there is none. */
static inline unsigned gm_first_next(const gm_first *first, unsigned from)
{
    unsigned word = from / 64;
    uint64_t bits = first->bytes[word] & ~(uint64_t)0 << from % 64;
    while (bits == 0) {
        if (++word == 4)
            return 256;
        bits = first->bytes[word];
    }
    return word * 64 + gm_lowest_bit(bits);
}

#endif
