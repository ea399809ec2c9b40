/*
 * mask/strings.h - the mask between two characters of a string.
 *
 * Most tokens stay inside, and whether they may is a question to the content alone, answered for all grammars by its
 * inner mask (inner.h). Bounds on length take out the tokens of too many code points: which those are is known from
 * how much the content needs behind any token of the mask, so that only the few in doubt are tried. The tokens that
 * close are found by what stands before the quote and what behind it (closing.h).
 */
#ifndef GM_MASK_STRINGS_H
#define GM_MASK_STRINGS_H

#include "mask/compute.h"

/* Whether a mask in a string may depend on how long that is so far: not where its bounds are out of reach of any
 * token. */
bool gm_string_counts(const gm_mask_source *source, const gm_config *from);
/* Makes the mask; *told is false if this is no such position, or one where the content does not tell. */
gm_status gm_string_mask(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                         gm_canvas *canvas, bool *told);

#endif
