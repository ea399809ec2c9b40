/*
 * match/matcher.h - one document being generated: history, stop set, masks.
 *
 * The present position is the last step of the history. Every call either succeeds or leaves it as
 * it was, bit for bit: work is done on a copy of the configuration, and the journal is cut back.
 * One thread at a time. Knows nothing of schemas: it runs a machine over a vocabulary.
 */
#ifndef GM_MATCH_MATCHER_H
#define GM_MATCH_MATCHER_H

#include "mask/compute.h"
#include "match/history.h"

typedef struct gm_mask_tally {
    uint64_t built, found, visited, written;
} gm_mask_tally;

/* Matchers of two threads may lie side by side in memory: so what is at both ends, a line of the cache each, is not
 * written while generating. */
struct gm_matcher {
    gm_allocator allocator;
    gm_grammar *grammar; /* retained by api/; opaque here */
    gm_mask_source source;
    const gm_token_head *heads; /* of the vocabulary, and so is this: */
    const uint32_t *plain;
    uint32_t token_count;
    uint32_t first_stop, last_stop; /* no stop token lies outside */
    gm_history history;
    gm_config config;           /* now */
    bool stopped;               /* a stop token was accepted */
    const gm_memo_entry *found; /* what the mask here was found as; NULL: not known */
    gm_walk walk;
    uint64_t masks;        /* computed */
    uint64_t finds;        /* found instead */
    uint64_t written;      /* bytes of whole masks */
    gm_mask_tally tallied; /* of these, and of nodes walked: what api/ has added to the grammar's */
    enum { GM_ALIVE_UNASKED, GM_ALIVE_ALWAYS, GM_ALIVE_PERHAPS } alive; /* see gm_match_state */
    uint32_t *words;                                                    /* of the borrowed mask; made on first use */
    uint32_t *stop;                                                     /* ascending, distinct */
    size_t stop_count, stop_room;
    gm_config start;
};

gm_status gm_matcher_init(gm_matcher *matcher, const gm_mask_source *source, const gm_matcher_options *options,
                          const gm_limits *limits, gm_error *error);
void gm_matcher_finish(gm_matcher *matcher);

/* What the public functions of the same names do, arguments checked. */
gm_status gm_match_fork(gm_matcher *from, gm_matcher *to);
void gm_match_reset(gm_matcher *matcher);
gm_status gm_match_accept(gm_matcher *matcher, uint32_t token);
gm_status gm_match_would_accept(gm_matcher *matcher, uint32_t token);
gm_status gm_match_accept_bytes(gm_matcher *matcher, const uint8_t *bytes, size_t length, size_t *accepted);
gm_status gm_match_would_accept_many(gm_matcher *matcher, const uint32_t *tokens, size_t count, size_t *prefix);
gm_status gm_match_rollback(gm_matcher *matcher, size_t count);
gm_status gm_match_fill(gm_matcher *matcher, uint32_t *words);
gm_matcher_state_kind gm_match_state(gm_matcher *matcher);
gm_status gm_match_forced(gm_matcher *matcher, uint8_t *bytes, size_t capacity, size_t *length);
/* The bytes that may follow here. */
gm_status gm_match_bytes(gm_matcher *matcher, uint64_t bytes[4]);
/* The JSON Pointer of the place in the document, NUL-terminated, cut at its end if longer. */
gm_status gm_match_pointer(const gm_matcher *matcher, char *out, size_t size);
/* How many bytes of a text fit here. */
gm_status gm_match_prefix(gm_matcher *matcher, const uint8_t *bytes, size_t length, size_t *fits);
bool gm_match_is_stop(const gm_matcher *matcher, uint32_t token);
/* Whether nothing but a stop token may follow and there is none, or one was accepted. */
bool gm_match_is_stopped(const gm_matcher *matcher);

#endif
