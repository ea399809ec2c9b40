/*
 * machine/gaps.h - white space at structural places.
 *
 * A gap is a place between two structural characters where white space may stand. What stands in
 * it so far is one number, the bytes written; a run is counted across tokens because the number is
 * part of the matcher's configuration.
 */
#ifndef GM_MACHINE_GAPS_H
#define GM_MACHINE_GAPS_H

#include "base/arena.h"

typedef enum gm_gap {
    GM_GAP_OPEN,  /* after { or [ */
    GM_GAP_ITEM,  /* after a value, before a comma or the closing bracket */
    GM_GAP_COMMA, /* after a comma */
    GM_GAP_KEY,   /* after a key, before the colon */
    GM_GAP_COLON  /* after the colon */
} gm_gap;

typedef struct gm_gaps {
    gm_whitespace kind;
    uint32_t most;     /* flexible: bytes of a run */
    uint32_t indent;   /* indented: spaces a level */
    gm_bytes fixed[5]; /* spaced: what must stand in each gap; indented: KEY and COLON */
} gm_gaps;

/* Splits and checks the separators; texts are copied into the arena. */
gm_status gm_gaps_init(gm_gaps *gaps, const gm_schema_options *options, gm_arena *arena, gm_error *error);

enum { GM_DEFAULT_RUN = 20 }; /* bytes of white space in a gap where the options say nothing */

/* The two below where not any white space will do. */
bool gm_gaps_take_fixed(const gm_gaps *gaps, gm_gap gap, uint32_t done, uint64_t depth, uint8_t byte, bool can_more,
                        bool can_close, uint32_t *next);
bool gm_gaps_end_fixed(const gm_gaps *gaps, gm_gap gap, uint32_t done, uint64_t depth, bool closing);

/* Whether a white space byte may be written after `done` bytes of the gap; *next = bytes then.
 * `depth` is the number of open containers; can_more and can_close say what may follow the gap: asked unless flexible.
 */
static inline bool gm_gaps_take(const gm_gaps *gaps, gm_gap gap, uint32_t done, uint64_t depth, uint8_t byte,
                                bool can_more, bool can_close, uint32_t *next)
{
    if (gaps->kind != GM_WHITESPACE_FLEXIBLE)
        return gm_gaps_take_fixed(gaps, gap, done, depth, byte, can_more, can_close, next);
    *next = gaps->most == GM_WHITESPACE_UNLIMITED ? 0 : done + 1;
    return *next == 0 || done < gaps->most;
}
/* Whether the gap may end after `done` bytes, before a closing bracket or before anything else. */
static inline bool gm_gaps_end(const gm_gaps *gaps, gm_gap gap, uint32_t done, uint64_t depth, bool closing)
{
    return gaps->kind == GM_WHITESPACE_FLEXIBLE || gm_gaps_end_fixed(gaps, gap, done, depth, closing);
}

static inline bool gm_is_whitespace(uint8_t byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

#endif
