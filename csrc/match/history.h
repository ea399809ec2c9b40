/*
 * match/history.h - what a matcher went through, shared between forks.
 *
 * A history is a chain of segments, newest first. A segment holds steps (accepted tokens), the positions that they led
 * to, and the journal those were made in. Inside free text most tokens lead nowhere else: such a step is a few bytes.
 * Only the newest segment of a matcher grows; a fork seals it, and both matchers go on in segments of their own behind
 * it. A sealed segment never changes and is counted by reference.
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

/* Where a step led. */
typedef struct gm_position {
    gm_config config;
    gm_arena_mark mark;   /* of the journal then */
    const uint8_t *bytes; /* of a step that was bytes: a copy in the journal; else NULL */
    bool stopped;         /* a stop token was accepted */
} gm_position;

typedef struct gm_step {
    uint32_t token; /* or the number of bytes */
    uint32_t has_bytes : 1;
    uint32_t position : 31; /* of the segment's */
} gm_step;

typedef struct gm_segment gm_segment;

typedef struct gm_history {
    gm_allocator allocator;
    size_t budget;      /* bytes of the newest segment: journal, steps and positions */
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
/* Appends a step to a position that was made in the journal; its mark is set here. `value` is the token, or the number
 * of the position's bytes. GM_OK, GM_LIMIT or GM_OUT_OF_MEMORY. */
gm_status gm_history_push(gm_history *history, uint32_t value, const gm_position *position);
/* Appends a token that left the position as it is. */
gm_status gm_history_push_in_place(gm_history *history, uint32_t token, const gm_position *position);
/* Where the step number `count` (the last of that many) led, or NULL for 0: the start. */
const gm_position *gm_history_at(const gm_history *history, size_t count);
/* That step: what it was. */
typedef struct gm_step_text {
    const uint8_t *bytes; /* NULL: a token */
    uint32_t value;       /* the token, or the number of bytes */
} gm_step_text;
gm_step_text gm_history_text(const gm_history *history, size_t count);
/* Keeps the first `count` steps. Cannot fail. */
void gm_history_cut(gm_history *history, size_t count);
/* A second history with the same steps. Cannot fail. */
gm_history gm_history_fork(gm_history *history);

#endif
