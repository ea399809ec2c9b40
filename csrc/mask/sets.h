/*
 * mask/sets.h - masks of the tokens all of whose bytes are in a set.
 *
 * Whether a token is made of letters and digits alone is a question to the vocabulary, not to a content: so the mask
 * is found once for each set that contents ask for (content.h: bases), and kept. There are few: the classes that
 * patterns are written with.
 *
 * Locking: the owner's (inner.c). Masks live in the owner's arena.
 */
#ifndef GM_MASK_SETS_H
#define GM_MASK_SETS_H

#include "mask/content.h"

enum { GM_KEPT_SETS = 64 };

typedef struct gm_set_masks {
    uint32_t count;
    struct {
        gm_below set;
        uint32_t longest; /* bytes of the longest of its tokens, or more */
        const uint32_t *words;
    } kept[GM_KEPT_SETS];
} gm_set_masks;

/* The mask of the tokens of a base's set among those in `within`, which is the same in all calls; NULL if it is not
 * kept and no more are, or when out of memory. Else base->longest is filled in. */
const uint32_t *gm_set_mask(gm_set_masks *masks, gm_content_walk *walk, const gm_segments *segments,
                            gm_content_base *base, const uint32_t *within, gm_arena *arena);

#endif
