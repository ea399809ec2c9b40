/*
 * mask/runs.h - masks from runs of a trie's tokens.
 *
 * A trie lists tokens by their texts, a mask by their ids: each bit of a run is somewhere else. So the trie's tokens
 * are cut by their first bytes into a few segments, each with its mask. Where most of a segment is taken its mask is
 * written as a whole and the gaps are cleared, else the runs are set: at most half the tokens are gone to.
 *
 * Immutable once made.
 */
#ifndef GM_MASK_RUNS_H
#define GM_MASK_RUNS_H

#include "vocab/vocab.h"

typedef struct gm_token_run { /* tokens[first .. end) of the trie */
    uint32_t first, end;
} gm_token_run;

enum { GM_MOST_SEGMENTS = 24 };

typedef struct gm_segments {
    const gm_trie *trie;
    uint32_t count;
    uint32_t bounds[GM_MOST_SEGMENTS + 1]; /* segment i is tokens[bounds[i] .. bounds[i + 1]) */
    size_t word_count;
    uint32_t *masks; /* one after another */
} gm_segments;

/* Of the trie of all tokens; false when out of memory. */
bool gm_segments_init(gm_segments *segments, const gm_vocab *vocab, const gm_allocator *allocator);
void gm_segments_destroy(gm_segments *segments, const gm_allocator *allocator);
/* Writes the mask of those tokens of ascending runs that are in `within`. */
void gm_segments_write(const gm_segments *segments, const gm_token_run *runs, size_t run_count, const uint32_t *within,
                       uint32_t *words);

#endif
