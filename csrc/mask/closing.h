/*
 * mask/closing.h - the tokens that close a string or key, by what stands before the quote and what behind it.
 *
 * A token that closes is an inner part, the quote and what follows (tails.h). The content decides about the part: its
 * strands read it, and some of them may end there. Which ones is all that matters behind the quote, so one walk of
 * the few distinct tails answers for all parts that leave the same strands, and is kept for the position behind the
 * quote. Equal to walking the tokens one by one.
 */
#ifndef GM_MASK_CLOSING_H
#define GM_MASK_CLOSING_H

#include "mask/compute.h"

/* Whether this is a way to find them: in a string, or in a key that some family may hold; not inside unique arrays,
 * where contents matter behind the quote too. */
bool gm_closing_applies(const gm_mask_source *source, const gm_config *from);
/* Adds to a canvas the tokens that hold a quote and are allowed between two characters of a string; of a key, those
 * that do not make it one of the names of its shape. */
gm_status gm_closing_put(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                         gm_canvas *canvas);

#endif
