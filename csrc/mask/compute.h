/*
 * mask/compute.h - the mask of a configuration, the fast way.
 *
 * Inside free text most tokens neither close the string nor meet a bound: they come from the inner
 * mask of the content term, and only the tokens that hold a quote are walked. Everything else is a
 * walk of the trie, short because few bytes are allowed. Equal, token for token, to gm_walk_mask.
 */
#ifndef GM_MASK_COMPUTE_H
#define GM_MASK_COMPUTE_H

#include "mask/inner.h"
#include "mask/walk.h"

typedef struct gm_mask_source {
    gm_vocab *vocab;
    gm_machine *machine;
    gm_inner *inner; /* NULL: always walk */
} gm_mask_source;

/* Writes mask_words words: the tokens that may come next, stop tokens aside. */
gm_status gm_mask_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                          uint32_t *words);

#endif
