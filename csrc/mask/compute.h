/*
 * mask/compute.h - the mask of a configuration, the fast way.
 *
 * Inside free text most tokens neither close the string nor meet a bound: they come from the inner
 * mask of the content term, and only the tokens that hold a quote are walked. Everything else is a
 * walk of the trie, short because few bytes are allowed. Masks are kept by what they depend on, and found
 * again (memo.h). All ways are equal, token for token, to gm_walk_mask.
 */
#ifndef GM_MASK_COMPUTE_H
#define GM_MASK_COMPUTE_H

#include "mask/inner.h"
#include "mask/memo.h"
#include "mask/walk.h"

typedef struct gm_mask_source {
    gm_vocab *vocab;
    gm_machine *machine;
    gm_inner *inner; /* NULL: always walk */
    gm_memo *memo;   /* NULL: always compute */
} gm_mask_source;

typedef enum gm_mask_origin { GM_MASK_COMPUTED, GM_MASK_FOUND, GM_MASK_FOUND_EMPTY } gm_mask_origin;

/* Makes the mask: the tokens that may come next, stop tokens aside. *found, if not NULL, becomes what the mask was
 * found as, or NULL: it is the mask of this position until a mask is made again. */
gm_status gm_mask_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                          gm_canvas *canvas, gm_mask_origin *origin, const gm_memo_entry **found);

#endif
