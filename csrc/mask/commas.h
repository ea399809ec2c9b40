/*
 * mask/commas.h - tokens that hold a comma: those that may begin an item behind another one.
 *
 * Inside a unique array an item that differs from those before it is like any other item. What is not is the next one,
 * and that stands behind a comma. So of all tokens these alone are looked at again there (compute.c).
 *
 * Four lists a vocabulary, by what must stand before a comma: a quote, where the cursor is inside a string or key; a
 * bracket, where its innermost container is not a unique array, since only a bracket leads into one or back to one; the
 * one before the other; nothing. Made when first asked for; immutable.
 */
#ifndef GM_MASK_COMMAS_H
#define GM_MASK_COMMAS_H

#include "mask/tails.h"

/* What must stand before a comma: bits. */
enum { GM_COMMAS_ALL = 0, GM_COMMAS_BEHIND_QUOTE = 1, GM_COMMAS_BEHIND_BRACKET = 2, GM_COMMAS_KINDS = 4 };

typedef struct gm_commas {
    gm_small_trie tokens; /* whole texts */
    uint32_t *words;      /* the same as a mask */
    size_t word_count;
} gm_commas;

/* From the tokens of a trie: of all tokens, or of the list of all that hold a comma. */
gm_status gm_commas_init(gm_commas *commas, const gm_vocab *vocab, const gm_trie *trie, unsigned kind,
                         const gm_allocator *allocator);
void gm_commas_destroy(gm_commas *commas, const gm_allocator *allocator);

#endif
