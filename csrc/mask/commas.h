/*
 * mask/commas.h - tokens that hold a comma: those that may begin an item behind another one.
 *
 * Inside a unique array an item that differs from those before it is like any other item. What is not is the next one,
 * and that stands behind a comma. So of all tokens these alone are looked at again there (compute.c).
 *
 * Two lists a vocabulary: all of them, and, for cursors inside a string or key, those with a quote before a comma. Made
 * when first asked for; immutable.
 */
#ifndef GM_MASK_COMMAS_H
#define GM_MASK_COMMAS_H

#include "mask/tails.h"

typedef struct gm_commas {
    gm_small_trie tokens; /* whole texts */
    uint32_t *words;      /* the same as a mask */
    size_t word_count;
} gm_commas;

gm_status gm_commas_init(gm_commas *commas, const gm_vocab *vocab, bool behind_quote, const gm_allocator *allocator);
void gm_commas_destroy(gm_commas *commas, const gm_allocator *allocator);

#endif
