/*
 * lex/text.h - content languages: sets of strings over code points, as terms and their derivatives.
 *
 * A term is an interned regular expression with intersection and complement. The language of what
 * may follow after reading a code point is again a term, its derivative; so a term is also the
 * state of a lazily built deterministic automaton, and its row lists where each code point leads.
 *
 * GM_TERM_NONE is the empty language and the only term of a row that is dead: every other term
 * that a row leads to has at least one string. Terms without intersection and complement have this
 * by construction; for the others gm_text_settle explores the whole automaton first.
 *
 * A store is shared by all grammars of a compiler. Terms and rows are immutable once published;
 * rows are built by whoever asks first, under the store's lock, and published with release, so a
 * reader needs one acquire load and no lock. Nothing recurses on the size of a term.
 *
 * Knows nothing of JSON spelling (escapes, quotes), schemas or tokens. Strings hold no surrogates.
 */
#ifndef GM_LEX_TEXT_H
#define GM_LEX_TEXT_H

#include "base/arena.h"

typedef struct gm_text gm_text; /* a store of terms */
typedef uint32_t gm_term;

enum {
    GM_TERM_NONE = 0,  /* no string */
    GM_TERM_EMPTY = 1, /* the empty string alone */
    GM_TERM_ANY = 2    /* every string */
};

typedef struct gm_text_limits {
    uint64_t max_positions; /* terms made for one pattern */
    uint64_t max_nesting;   /* groups of a pattern */
    uint64_t max_states;    /* states that one settling may explore */
} gm_text_limits;

gm_status gm_text_create(const gm_allocator *allocator, const gm_text_limits *limits, gm_text **text, gm_error *error);
void gm_text_destroy(gm_text *text);
size_t gm_text_memory(const gm_text *text);

/* ---- making terms: each result is settled, or the call fails ---- */

/* The strings in which an ECMA-262 pattern finds a match (search semantics; Unicode mode first,
 * Annex B where that is a syntax error). GM_INVALID_SCHEMA with the offset for a syntax error in both modes,
 * GM_UNSUPPORTED for what is not regular, GM_LIMIT. error->pointer and keyword are left "". */
gm_status gm_text_pattern(gm_text *text, gm_bytes pattern, gm_term *term, gm_error *error);
/* A finite set of strings (valid UTF-8; any order, duplicates allowed). Cost linear in their bytes. */
gm_status gm_text_constants(gm_text *text, const gm_bytes *strings, size_t count, gm_term *term, gm_error *error);
/* The strings of a term made so, sorted; false if it is another kind of term. They live as long as the store. */
bool gm_text_list_constants(gm_text *text, gm_term term, const gm_bytes **strings, size_t *count);
gm_status gm_text_and(gm_text *text, gm_term a, gm_term b, gm_term *term, gm_error *error);
gm_status gm_text_or(gm_text *text, gm_term a, gm_term b, gm_term *term, gm_error *error);
gm_status gm_text_not(gm_text *text, gm_term a, gm_term *term, gm_error *error);

/* ---- asking ---- */

/* Whether a string belongs to a term's language. */
gm_status gm_text_matches(gm_text *text, gm_term term, gm_bytes string, bool *matches);

/* Lengths, in code points, of the strings of a term: an ultimately periodic set. An interval is told
 * by least and greatest alone (the first three fields are 0 then); otherwise
 * n < explicit_count: bit n of bits. n >= explicit_count: bit (explicit_count - period + (n -
 * explicit_count) % period), when period > 0; else not a member. */
typedef struct gm_lengths {
    uint64_t explicit_count;
    uint64_t period;
    const uint64_t *bits;
    uint64_t least;    /* UINT64_MAX when the set is empty */
    uint64_t greatest; /* UINT64_MAX when unbounded */
    bool interval;     /* every length from least to greatest is a member */
} gm_lengths;

/* Borrowed for the life of the store; computed once per term. GM_LIMIT when too large. */
gm_status gm_text_lengths(gm_text *text, gm_term term, const gm_lengths **lengths, gm_error *error);
/* Whether some member n has low <= n <= high. */
bool gm_lengths_meet(const gm_lengths *lengths, uint64_t low, uint64_t high);

/* ---- running ---- */

typedef struct gm_text_range {
    uint32_t low; /* code points low..high, ascending and apart; >= 0x80 only */
    uint32_t high;
    gm_term to; /* never GM_TERM_NONE */
} gm_text_range;

typedef struct gm_text_row {
    gm_term term;
    bool accepts; /* the empty string: the text may end here */
    uint32_t range_count;
    const gm_text_range *ranges;
    uint64_t alive[2];  /* bit c % 64 of alive[c / 64]: ascii[c] is not dead */
    uint64_t stays[2];  /* likewise: ascii[c] is the term itself */
    gm_term ascii[128]; /* GM_TERM_NONE = dead */
} gm_text_row;

/* The row of a settled term, borrowed for the life of the store; NULL when out of memory. */
const gm_text_row *gm_text_row_of(gm_text *text, gm_term term);

/* Where a code point leads from a row. */
static inline gm_term gm_text_next(const gm_text_row *row, uint32_t code_point)
{
    if (code_point < 0x80)
        return row->ascii[code_point];
    uint32_t low = 0, high = row->range_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (row->ranges[middle].high < code_point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row->range_count && row->ranges[low].low <= code_point ? row->ranges[low].to : (gm_term)GM_TERM_NONE;
}

/* Terms whose strings are all among a term's, and that have some: members of a union, as many as there is room
 * for; of any other settled term itself. Returns how many; room is at least 1. */
size_t gm_text_parts(gm_text *text, gm_term term, gm_term *parts, size_t room);
/* Whether a term is, or is a union with, a part. */
bool gm_text_has_part(gm_text *text, gm_term term, gm_term part);

/* The first code point from `point` on that leads anywhere; UINT32_MAX if none does. */
uint32_t gm_text_row_point(const gm_text_row *row, uint32_t point);
/* Whether some code point in low..high leads anywhere. */
bool gm_text_row_meets(const gm_text_row *row, uint32_t low, uint32_t high);

#endif
