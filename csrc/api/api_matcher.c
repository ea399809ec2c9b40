/* api/api_matcher.c - matchers: argument checks, then one call down; see gmask.h. */
#include "api/objects.h"

gm_status gm_matcher_create(gm_grammar *grammar, const gm_matcher_options *options, gm_matcher **matcher,
                            gm_error *error)
{
    gm_matcher_options known = {0};
    if (grammar == NULL || matcher == NULL)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "grammar and matcher must not be NULL");
    if (options != NULL)
        memcpy(&known, options, options->struct_size < sizeof known ? options->struct_size : sizeof known);
    if (known.own_stop_set && known.stop == NULL && known.stop_count != 0)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "stop", "stop is NULL, stop_count is not 0");
    if (known.token_budget != 0)
        return gm_fail(error, GM_UNSUPPORTED, "", "token_budget", "token budgets are not supported by this version");
    const gm_mask_source source = {grammar->compiler->vocab, &grammar->machine, grammar->compiler->inner,
                                   grammar->memo};
    if (known.allocator == NULL && grammar->compiler->slabs != NULL)
        known.allocator = &grammar->compiler->allocator;
    const gm_allocator memory = gm_allocator_or_default(known.allocator);
    gm_matcher *made = gm_allocate(&memory, 1, sizeof *made);
    if (made == NULL)
        return gm_no_memory(error);
    const gm_status status = gm_matcher_init(made, &source, &known, &grammar->compiler->limits, error);
    if (status != GM_OK) {
        gm_deallocate(&memory, made, 1, sizeof *made);
        return status;
    }
    made->grammar = gm_grammar_retain(grammar);
    *matcher = made;
    return GM_OK;
}

/* Adds what masks cost to the grammar's tally. */
static void tally(gm_matcher *matcher)
{
    gm_grammar *grammar = matcher->grammar;
    const gm_mask_tally now = {matcher->masks, matcher->finds, matcher->walk.visited, matcher->written};
    atomic_fetch_add_explicit(&grammar->masks_built, now.built - matcher->tallied.built, memory_order_relaxed);
    atomic_fetch_add_explicit(&grammar->masks_found, now.found - matcher->tallied.found, memory_order_relaxed);
    atomic_fetch_add_explicit(&grammar->trie_nodes, now.visited - matcher->tallied.visited, memory_order_relaxed);
    atomic_fetch_add_explicit(&grammar->mask_bytes, now.written - matcher->tallied.written, memory_order_relaxed);
    matcher->tallied = now;
}

enum { MANY_FOUND = 64 };

/* Masks found come too fast, and on too many threads, to count each where all see it. */
static void tally_sometimes(gm_matcher *matcher)
{
    if (matcher->masks != matcher->tallied.built || matcher->finds - matcher->tallied.found >= MANY_FOUND)
        tally(matcher);
}

void gm_matcher_destroy(gm_matcher *matcher)
{
    if (matcher == NULL)
        return;
    tally(matcher);
    const gm_allocator memory = matcher->allocator;
    gm_grammar *grammar = matcher->grammar;
    gm_matcher_finish(matcher);
    gm_deallocate(&memory, matcher, 1, sizeof *matcher);
    gm_grammar_release(grammar);
}

gm_status gm_matcher_reset(gm_matcher *matcher)
{
    if (matcher == NULL)
        return GM_INVALID_ARGUMENT;
    gm_match_reset(matcher);
    return GM_OK;
}

gm_status gm_matcher_fork(gm_matcher *matcher, gm_matcher **fork)
{
    if (matcher == NULL || fork == NULL)
        return GM_INVALID_ARGUMENT;
    gm_matcher *made = gm_allocate(&matcher->allocator, 1, sizeof *made);
    if (made == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_status status = gm_match_fork(matcher, made);
    if (status != GM_OK) {
        gm_deallocate(&matcher->allocator, made, 1, sizeof *made);
        return status;
    }
    gm_grammar_retain(made->grammar);
    *fork = made;
    return GM_OK;
}

gm_status gm_matcher_fill(gm_matcher *matcher, uint32_t *words, size_t word_count)
{
    if (matcher == NULL || words == NULL)
        return GM_INVALID_ARGUMENT;
    const size_t needed = gm_vocab_mask_words(matcher->source.vocab);
    if (word_count < needed)
        return GM_INVALID_ARGUMENT;
    const gm_status status = gm_match_fill(matcher, words);
    tally_sometimes(matcher);
    memset(words + needed, 0, (word_count - needed) * sizeof *words);
    return status;
}

gm_status gm_matcher_mask(gm_matcher *matcher, gm_mask *mask)
{
    if (matcher == NULL || mask == NULL)
        return GM_INVALID_ARGUMENT;
    const gm_vocab *vocab = matcher->source.vocab;
    const size_t count = gm_vocab_mask_words(vocab);
    if (matcher->words == NULL &&
        (matcher->words = gm_allocate(&matcher->allocator, count, sizeof *matcher->words)) == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_status status = gm_matcher_fill(matcher, matcher->words, count);
    if (status != GM_OK && status != GM_TERMINATED && status != GM_DEAD_END)
        return status;
    *mask = (gm_mask){.kind = status == GM_OK ? GM_MASK_DENSE : GM_MASK_NONE,
                      .words = status == GM_OK ? matcher->words : NULL,
                      .word_count = status == GM_OK ? count : 0,
                      .allowed_count = status == GM_OK ? gm_kernels_get()->count_bits(matcher->words, count) : 0,
                      .token_count = gm_vocab_token_count(vocab),
                      .logit_width = gm_vocab_logit_width(vocab)};
    return status;
}

gm_status gm_matcher_accept(gm_matcher *matcher, uint32_t token)
{
    return matcher != NULL ? gm_match_accept(matcher, token) : GM_INVALID_ARGUMENT;
}

gm_status gm_matcher_would_accept(gm_matcher *matcher, uint32_t token)
{
    return matcher != NULL ? gm_match_would_accept(matcher, token) : GM_INVALID_ARGUMENT;
}

gm_status gm_matcher_accept_bytes(gm_matcher *matcher, const uint8_t *bytes, size_t length, size_t *accepted)
{
    size_t count;
    if (matcher == NULL || (bytes == NULL && length != 0))
        return GM_INVALID_ARGUMENT;
    return gm_match_accept_bytes(matcher, bytes, length, accepted != NULL ? accepted : &count);
}

gm_status gm_matcher_would_accept_many(gm_matcher *matcher, const uint32_t *tokens, size_t count, size_t *prefix)
{
    if (matcher == NULL || prefix == NULL || (tokens == NULL && count != 0))
        return GM_INVALID_ARGUMENT;
    return gm_match_would_accept_many(matcher, tokens, count, prefix);
}

gm_status gm_matcher_fill_tree(gm_matcher *matcher, const uint32_t *tokens, const uint32_t *parents, size_t count,
                               uint32_t *words, size_t stride, const uint32_t *rows)
{
    (void)tokens;
    (void)parents;
    (void)count;
    (void)words;
    (void)stride;
    (void)rows;
    return matcher != NULL ? GM_UNSUPPORTED : GM_INVALID_ARGUMENT;
}

gm_status gm_matcher_shortest(gm_matcher *matcher, size_t *bytes)
{
    (void)bytes;
    return matcher != NULL ? GM_UNSUPPORTED : GM_INVALID_ARGUMENT;
}

gm_status gm_matcher_rollback(gm_matcher *matcher, size_t token_count)
{
    return matcher != NULL ? gm_match_rollback(matcher, token_count) : GM_INVALID_ARGUMENT;
}

gm_matcher_state_kind gm_matcher_state(gm_matcher *matcher)
{
    return matcher != NULL ? gm_match_state(matcher) : GM_STUCK;
}

gm_status gm_matcher_forced(gm_matcher *matcher, uint8_t *bytes, size_t capacity, size_t *length)
{
    if (matcher == NULL || length == NULL || (bytes == NULL && capacity != 0))
        return GM_INVALID_ARGUMENT;
    return gm_match_forced(matcher, bytes, capacity, length);
}

size_t gm_matcher_token_count(const gm_matcher *matcher)
{
    return matcher != NULL ? gm_history_count(&matcher->history) : 0;
}

size_t gm_matcher_memory(const gm_matcher *matcher)
{
    if (matcher == NULL)
        return 0;
    const size_t words = matcher->words != NULL ? gm_vocab_mask_words(matcher->source.vocab) : 0;
    return sizeof *matcher + gm_history_memory(&matcher->history) + gm_walk_memory(&matcher->walk) +
           matcher->stop_count * sizeof *matcher->stop + words * sizeof *matcher->words;
}

gm_grammar *gm_matcher_grammar(const gm_matcher *matcher) { return matcher != NULL ? matcher->grammar : NULL; }

const uint32_t *gm_matcher_stop(const gm_matcher *matcher, size_t *count)
{
    if (count != NULL)
        *count = matcher != NULL ? matcher->stop_count : 0;
    return matcher != NULL ? matcher->stop : NULL;
}

/* ---- batches ---- */

typedef struct batch {
    gm_matcher *const *matchers;
    uint32_t *words;
    size_t stride;
    const uint32_t *rows;
    gm_status *statuses;         /* NULL: only the first failure is kept */
    atomic_uint_least64_t first; /* index << 8 | status of the first failure; all ones = none */
} batch;

static void fill_row(void *context, size_t index)
{
    batch *b = context;
    gm_matcher *matcher = b->matchers[index];
    gm_status status = GM_OK;
    if (matcher != NULL)
        status = gm_matcher_fill(matcher, b->words + b->stride * (b->rows != NULL ? b->rows[index] : index), b->stride);
    if (b->statuses != NULL)
        b->statuses[index] = status;
    if (status == GM_OK || status == GM_TERMINATED || status == GM_DEAD_END)
        return;
    const uint64_t mine = (uint64_t)index << 8 | (uint64_t)status;
    uint64_t seen = atomic_load_explicit(&b->first, memory_order_relaxed);
    while (mine < seen && !atomic_compare_exchange_weak(&b->first, &seen, mine))
        continue;
}

gm_status gm_fill_batch(gm_matcher *const *matchers, size_t count, uint32_t *words, size_t stride, const uint32_t *rows,
                        gm_status *statuses, gm_parallel_for parallel_for, void *context)
{
    if (count != 0 && (matchers == NULL || words == NULL))
        return GM_INVALID_ARGUMENT;
    batch b = {.matchers = matchers, .words = words, .stride = stride, .rows = rows, .statuses = statuses};
    atomic_init(&b.first, UINT64_MAX);
    if (parallel_for != NULL)
        parallel_for(context, count, fill_row, &b);
    else
        for (size_t i = 0; i < count; i++)
            fill_row(&b, i);
    const uint64_t first = atomic_load(&b.first);
    return first != UINT64_MAX ? (gm_status)(first & 0xFF) : GM_OK;
}
