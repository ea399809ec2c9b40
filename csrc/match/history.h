/*
 * match/history.h - what a matcher went through, shared between forks.
 *
 * A history is a chain of segments, newest first. A segment holds steps (accepted tokens), the journal in which the
 * positions were made that they led to, and a few of these positions: one in GM_REPLAYED steps, so that from the
 * nearest one before any step the tokens in between lead there once more. Inside free text most tokens lead nowhere
 * else: such a step is a few bytes, and its position the one of the step before.
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

enum { GM_REPLAYED = 8 };

/* Where a step led. */
typedef struct gm_position {
    gm_config config;
    gm_arena_mark mark;   /* of the journal then */
    const uint8_t *bytes; /* of a step that was bytes: a copy in the journal; else NULL */
    uint32_t step;        /* of the segment's */
    bool stopped;         /* a stop token was accepted */
} gm_position;

typedef struct gm_step {
    uint32_t token; /* or the number of bytes */
    uint32_t has_bytes : 1;
    uint32_t is_kept : 1;   /* the position is where it led, else one before */
    uint32_t position : 30; /* of the segment's */
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
/* The same; where memory and budget have it, there is room for another step then, so that the accept behind a mask need
 * not ask for any: a mask may be made while a model computes, and who waits for an accept waits for nothing else. */
gm_arena *gm_history_make_ready(gm_history *history);
/* Why the journal had no room: GM_LIMIT if the budget is spent, else GM_OUT_OF_MEMORY. */
gm_status gm_history_no_room(const gm_history *history);
size_t gm_history_count(const gm_history *history);
/* Appends a step to a position that was made in the journal. `value` is the token, and `bytes` NULL, or the number of
 * bytes, which lie in the journal. GM_OK, GM_LIMIT or GM_OUT_OF_MEMORY. */
gm_status gm_history_push(gm_history *history, uint32_t value, const uint8_t *bytes, const gm_config *config,
                          bool stopped);
/* Appends a token that left the position as it is. */
gm_status gm_history_push_in_place(gm_history *history, uint32_t token, const gm_config *config);
/* The nearest kept position at or before step number `count` (the last of that many), or NULL for 0: the start.
 * *kept = the number of the step that led to it; those behind it are tokens. */
const gm_position *gm_history_before(const gm_history *history, size_t count, size_t *kept);
/* That step: what it was. */
typedef struct gm_step_text {
    const uint8_t *bytes; /* NULL: a token */
    uint32_t value;       /* the token, or the number of bytes */
} gm_step_text;
gm_step_text gm_history_text(const gm_history *history, size_t count);
/* Keeps the first `count` steps, if the last one's position is kept. Cannot fail. */
void gm_history_cut(gm_history *history, size_t count);
/* Whether that many steps end inside a segment that is shared. */
bool gm_history_is_shared(const gm_history *history, size_t count);
/* The same in the own segment, whatever the last position: `aside` is where the tokens behind the nearest kept one were
 * run again, and becomes empty. Cannot fail. */
void gm_history_cut_aside(gm_history *history, size_t count, gm_arena *aside);
/* A second history with the first `count` steps, which end inside a shared segment. Its journal is for running the
 * tokens behind the nearest kept position again. Cannot fail. */
gm_history gm_history_part(const gm_history *history, size_t count);
/* A second history with the same steps. Cannot fail. */
gm_history gm_history_fork(gm_history *history);

#endif
