/*
 * cli/walk.c - see walk.h.
 */
#include "cli/walk.h"

#include "cli/input.h"

#include <stdlib.h>

void gm_cli_walker_init(gm_cli_walker *walker, const gm_vocab *vocab)
{
    *walker = (gm_cli_walker){.word_count = gm_vocab_mask_words(vocab)};
    walker->words = gm_cli_allocate(walker->word_count, sizeof *walker->words);
}

void gm_cli_walker_free(gm_cli_walker *walker)
{
    free(walker->words);
    gm_cli_times_free(&walker->masks);
    gm_cli_times_free(&walker->commits);
}

static bool is_set(const gm_cli_walker *walker, uint32_t token)
{
    return token / 32 < walker->word_count && (walker->words[token / 32] >> token % 32 & 1) != 0;
}

/* A stopped or stuck matcher has a mask too: nothing is allowed. */
static gm_status fill(gm_cli_walker *walker, gm_matcher *matcher, gm_cli_walk *walk)
{
    const uint64_t start = gm_cli_now_ns();
    const gm_status status = gm_matcher_fill(matcher, walker->words, walker->word_count);
    const uint64_t spent = gm_cli_now_ns() - start;
    if (status != GM_OK && status != GM_TERMINATED && status != GM_DEAD_END)
        return status;
    gm_cli_times_add(&walker->masks, spent);
    walk->masks++;
    return GM_OK;
}

static gm_status commit(gm_cli_walker *walker, gm_matcher *matcher, uint32_t token, gm_cli_walk *walk)
{
    const uint64_t start = gm_cli_now_ns();
    const gm_status status = gm_matcher_accept(matcher, token);
    const uint64_t spent = gm_cli_now_ns() - start;
    if (status != GM_OK)
        return status;
    gm_cli_times_add(&walker->commits, spent);
    walk->commits++;
    return GM_OK;
}

static gm_status walk_on(gm_cli_walker *walker, gm_matcher *matcher, const uint32_t *tokens, size_t count,
                         gm_cli_walk *walk)
{
    for (size_t i = 0; i < count; i++) {
        gm_status status = fill(walker, matcher, walk);
        if (status != GM_OK || !is_set(walker, tokens[i]))
            return status;
        status = commit(walker, matcher, tokens[i], walk);
        if (status != GM_OK)
            return status;
    }
    const gm_status status = fill(walker, matcher, walk);
    if (status != GM_OK)
        return status;
    size_t stop_count;
    const uint32_t *stop = gm_matcher_stop(matcher, &stop_count);
    for (size_t i = 0; i < stop_count; i++)
        walk->is_accepted = walk->is_accepted || is_set(walker, stop[i]);
    if (stop_count == 0) {
        const gm_matcher_state_kind state = gm_matcher_state(matcher);
        walk->is_accepted = state == GM_STOPPED || state == GM_MAY_STOP;
    }
    return GM_OK;
}

gm_cli_walk gm_cli_walk_tokens(gm_cli_walker *walker, gm_grammar *grammar, const gm_matcher_options *options,
                               const uint32_t *tokens, size_t count)
{
    gm_cli_walk walk = {0};
    gm_matcher *matcher;
    walk.status = gm_matcher_create(grammar, options, &matcher, NULL);
    if (walk.status != GM_OK)
        return walk;
    walk.status = walk_on(walker, matcher, tokens, count, &walk);
    gm_matcher_destroy(matcher);
    return walk;
}

gm_status gm_cli_first_mask(gm_cli_walker *walker, gm_grammar *grammar, const gm_matcher_options *options,
                            uint64_t *nanoseconds)
{
    gm_matcher *matcher;
    const uint64_t start = gm_cli_now_ns();
    gm_status status = gm_matcher_create(grammar, options, &matcher, NULL);
    if (status != GM_OK)
        return status;
    status = gm_matcher_fill(matcher, walker->words, walker->word_count);
    *nanoseconds = gm_cli_now_ns() - start;
    gm_matcher_destroy(matcher);
    return status;
}
