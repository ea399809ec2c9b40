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
    uint64_t bytes[4];
} gm_first;

gm_first gm_first_bytes(const gm_config *config);

static inline bool gm_first_has(const gm_first *first, uint8_t byte)
{
    return first->bytes[byte / 64] >> byte % 64 & 1;
}

#endif
