/*
 * match/history.h - what a matcher went through, shared between forks.
 *
 * A history is a chain of segments, newest first. A segment holds steps (the configuration after
 * each accepted token) and the journal they were made in. Only the newest segment of a matcher
 * grows; a fork seals it, and both matchers go on in segments of their own behind it. A sealed
 * segment never changes and is counted by reference.
 *
 *   start <- [segment: steps 1..40] <- [segment of A: steps 41..]
 *                                   <- [segment of B: from step 38: 39..]
 *
 * Taking back steps drops segments or cuts the newest one; no work per step. Each segment has a
 * second pointer further back (skew-binary jumps), so a step is found in logarithmic time even when
 * every step forks. Teardown is a loop.
 */
#ifndef GM_MATCH_HISTORY_H
#define GM_MATCH_HISTORY_H

#include "machine/machine.h"

typedef struct gm_step {
    gm_config config;    /* after the token */
    gm_arena_mark mark;  /* of the journal before it */
    const uint8_t *text; /* of the token: the vocabulary's, or a copy in the journal */
    uint32_t length;
    bool stopped; /* the token was a stop token */
} gm_step;

typedef struct gm_segment gm_segment;

typedef struct gm_history {
    gm_allocator allocator;
    size_t budget;      /* bytes of the newest segment, journal and steps */
    gm_segment *sealed; /* counted; steps up to `base` are in its chain */
    size_t base;        /* steps before the own segment's first */
    gm_segment *own;    /* NULL until it has something */
} gm_history;

void gm_history_init(gm_history *history, const gm_allocator *allocator, uint64_t budget);
void gm_history_destroy(gm_history *history);
size_t gm_history_memory(const gm_history *history);

/* The journal to step in, its is_spent cleared; NULL when out of memory. */
gm_arena *gm_history_journal(gm_history *history);
/* Why the journal had no room: GM_LIMIT if the budget is spent, else GM_OUT_OF_MEMORY. */
gm_status gm_history_no_room(const gm_history *history);
size_t gm_history_count(const gm_history *history);
/* Appends a step made in the journal since its mark: GM_OK, GM_LIMIT or GM_OUT_OF_MEMORY. */
gm_status gm_history_push(gm_history *history, const gm_step *step);
/* The step number `count` (the last of that many), or NULL for 0: the start. */
const gm_step *gm_history_at(const gm_history *history, size_t count);
/* Keeps the first `count` steps. Cannot fail. */
void gm_history_cut(gm_history *history, size_t count);
/* A second history with the same steps. Cannot fail. */
gm_history gm_history_fork(gm_history *history);

#endif
