/*
 * cli/walk.h - walks a tokenized document through a grammar, each call timed.
 *
 *   mask -> is the token's bit set? -> commit -> ... -> last mask -> is a stop token's bit set?
 *
 * A document that is taken to its end has one mask more than tokens; another one ends with the mask
 * that lacks its next token.
 */
#ifndef GM_CLI_WALK_H
#define GM_CLI_WALK_H

#include "cli/output.h"

typedef struct gm_cli_walker {
    uint32_t *words; /* the mask is copied here, as an engine would */
    size_t word_count;
    gm_cli_times masks;   /* of all walks */
    gm_cli_times commits; /* of all walks */
} gm_cli_walker;

typedef struct gm_cli_walk {
    bool is_accepted;
    size_t masks;     /* of this walk, at the end of the lists */
    size_t commits;
    gm_status status; /* what went wrong, if not GM_OK */
} gm_cli_walk;

void gm_cli_walker_init(gm_cli_walker *walker, const gm_vocab *vocab);
void gm_cli_walker_free(gm_cli_walker *walker);
/* Walks on a fresh matcher, whose making is not timed. */
gm_cli_walk gm_cli_walk_tokens(gm_cli_walker *walker, gm_grammar *grammar, const gm_matcher_options *options,
                               const uint32_t *tokens, size_t count);
/* Nanoseconds of making a matcher and of its first mask; not listed among the masks. */
gm_status gm_cli_first_mask(gm_cli_walker *walker, gm_grammar *grammar, const gm_matcher_options *options,
                            uint64_t *nanoseconds);

#endif
