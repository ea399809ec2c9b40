/*
 * base/slabs.h - an allocator that takes memory from the system in large pieces, which may lie on large pages.
 *
 * What an engine builds is spread over its memory, and looked at a few bytes at a time: on pages of the common size
 * each look may first have to find the page. So blocks of middling size are cut from slabs of two megabytes, one large
 * page each where the system has such pages. Smaller and larger blocks are malloc's.
 *
 * Within a slab blocks are buddies (Knuth, The Art of Computer Programming, volume 1, 2.5): sizes are powers of two, a
 * free block of twice the size is halved, and two halves that are free become one again. Who gives a block back knows
 * its size, so a block in use has no header. Of slabs without a block in use one is kept.
 *
 * Locking: its own lock, held for the moment of a call. Any thread may give back what another took.
 */
#ifndef GM_BASE_SLABS_H
#define GM_BASE_SLABS_H

#include "base/base.h"

typedef struct gm_slabs gm_slabs;

/* NULL when out of memory, and under AddressSanitizer, which is to see each block. */
gm_slabs *gm_slabs_create(void);
/* All blocks were given back. NULL does nothing. */
void gm_slabs_destroy(gm_slabs *slabs);
/* Whoever uses it must not outlive the slabs. */
gm_allocator gm_slabs_allocator(gm_slabs *slabs);
/* Sees to it that some room is at hand to whose pages the system has already given memory. NULL does nothing. */
void gm_slabs_make_ready(gm_slabs *slabs);

#endif
