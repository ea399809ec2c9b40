/*
 * lex/lengths.h - private to lex/: arithmetic on sets of lengths.
 *
 * A set is a gm_lengths in normal form: an interval where it is one, else as few bits as describe
 * it. Results are made in the arena that a calculator carries, which is thrown away in the end; each
 * operation counts the words it touches, and gives up past a bound: the set is then too irregular to
 * be worth having.
 */
#ifndef GM_LEX_LENGTHS_H
#define GM_LEX_LENGTHS_H

#include "lex/term.h"

typedef struct gm_lengths_calculator {
    gm_arena arena;
    uint64_t work, most_work; /* words touched */
    uint64_t most_bits;       /* of one set */
    gm_status status; /* GM_LIMIT or GM_OUT_OF_MEMORY once something failed; results then mean nothing */
} gm_lengths_calculator;

gm_lengths gm_lengths_interval(uint64_t least, uint64_t greatest);
bool gm_lengths_has(const gm_lengths *set, uint64_t length);
/* The normal form of bits[0 .. explicit_count), of which the last `period` repeat. May write to bits. */
gm_lengths gm_lengths_of_bits(uint64_t *bits, uint64_t explicit_count, uint64_t period);
/* Zeroed bits; NULL, and the status set, when too many or out of memory. */
uint64_t *gm_lengths_bits(gm_lengths_calculator *calculator, uint64_t count);

gm_lengths gm_lengths_union(gm_lengths_calculator *calculator, gm_lengths a, gm_lengths b);
gm_lengths gm_lengths_sum(gm_lengths_calculator *calculator, gm_lengths a, gm_lengths b);
/* Sums of low..high members; high may be GM_REPEAT_UNBOUNDED. `a` does not hold 0. */
gm_lengths gm_lengths_repeat(gm_lengths_calculator *calculator, gm_lengths a, uint32_t low, uint32_t high);

static inline void gm_lengths_set_bit(uint64_t *bits, uint64_t at) { bits[at / 64] |= (uint64_t)1 << at % 64; }
static inline bool gm_lengths_bit(const uint64_t *bits, uint64_t at) { return (bits[at / 64] >> at % 64 & 1) != 0; }

/* Counts work; false once there was too much of it. */
bool gm_lengths_spend(gm_lengths_calculator *calculator, uint64_t words);

/* Of a state of an automaton in C (format.c); some have too many states for that: GM_LIMIT. */
gm_lengths gm_automaton_lengths(gm_lengths_calculator *calculator, gm_term_node node);

/* The published lengths of a term, or NULL; the lock is held. */
const gm_lengths *gm_lengths_known(gm_text *text, gm_term term);
/* Copies a set to the store and makes it that of a term; false when out of memory. */
bool gm_lengths_publish(gm_text *text, gm_lengths_calculator *calculator, gm_term term, gm_lengths set);
/* An AND, a NOT, a TRACKED: what has no parts to compute its lengths from. */
static inline bool gm_lengths_need_exploring(gm_term_node node)
{
    return node.kind == GM_KIND_AND || node.kind == GM_KIND_NOT || node.kind == GM_KIND_TRACKED;
}

/* For such a term: appends to `needed` the terms it leads to whose lengths must be known first, or,
 * if there are none, publishes its lengths and those of every such term it leads to. */
bool gm_lengths_explore(gm_text *text, gm_lengths_calculator *calculator, gm_term term, gm_terms *needed);

#endif
