/*
 * lex/term.h - private to lex/: how terms are stored, made and differentiated.
 *
 * A term is a node in an array, and its id is its index. Nodes are interned by the constructors
 * below, which also simplify: they are the only way to make one. What they promise, and the rest of
 * the module relies on:
 *
 *   - GM_TERM_NONE stands for no string; no other term without AND, NOT and assertions is empty;
 *   - a CONCAT leans to the right: its head is no CONCAT;
 *   - the body of STAR and REPEAT is never nullable, the bounds of a REPEAT are never both 1;
 *   - a UNION has two members or more, none of them a UNION, sorted; likewise AND;
 *   - AND, NOT, CONSTANTS, AUTOMATON and TRACKED stand only on top: in UNION, AND, NOT, never in CONCAT,
 *     STAR, REPEAT; START, END, AHEAD and BEHIND stand only below a TRACKED.
 *
 * Every function here expects the store's lock to be held. Constructors return GM_TERM_FAILED when
 * out of memory, and take it as an argument too, so that only the end of a chain needs a check.
 * Growing the store moves nodes: take a copy of a node, not a pointer, across a constructor.
 */
#ifndef GM_LEX_TERM_H
#define GM_LEX_TERM_H

#include "lex/charset.h"
#include "lex/text.h"

#include "base/lock.h"

#include <stdatomic.h>

#define GM_TERM_FAILED ((gm_term)UINT32_MAX)
#define GM_REPEAT_UNBOUNDED UINT32_MAX

typedef enum gm_term_kind {
    GM_KIND_NONE,
    GM_KIND_EMPTY,
    GM_KIND_ANY,
    GM_KIND_SET,       /* a: charset, not empty */
    GM_KIND_CONCAT,    /* a: head, b: rest */
    GM_KIND_UNION,     /* list of a members */
    GM_KIND_STAR,      /* a: body */
    GM_KIND_REPEAT,    /* a: body, low..high times; high may be GM_REPEAT_UNBOUNDED */
    GM_KIND_AND,       /* list of a members */
    GM_KIND_NOT,       /* a: what it is not */
    GM_KIND_CONSTANTS, /* a: pool, b: bytes read so far, low..high: which strings of the pool */
    GM_KIND_AUTOMATON, /* a: which one; b, low, high: its state: see format_private.h */
    /* Assertions, and what makes a language of a term that has some: see assert.c. */
    GM_KIND_START,
    GM_KIND_END,
    GM_KIND_AHEAD,   /* a: the texts that may follow, b: 1 if they may not */
    GM_KIND_BEHIND,  /* a: the texts that may come before, b: 1 if they may not */
    GM_KIND_TRACKED, /* b: a term with assertions, low: 1 at the start, list of a terms: see assert.c */
} gm_term_kind;

typedef enum gm_liveness {
    GM_LIVE,    /* has a string, and all that it leads to is decided */
    GM_UNKNOWN, /* to be decided by gm_term_settle; of a UNION: as its members are */
    GM_BARREN,  /* has none: rows show it as GM_TERM_NONE */
} gm_liveness;

typedef struct gm_segments {
    uint32_t count;
    gm_text_range items[]; /* any code points, ascending and apart */
} gm_segments;

typedef struct gm_term_node {
    uint8_t kind;
    uint8_t liveness;
    bool nullable;
    bool plain;   /* no AND, NOT, CONSTANTS, AUTOMATON, TRACKED or assertion in it */
    bool open;    /* has an assertion: no language by itself */
    bool truth;   /* scratch of assert.c */
    bool certain; /* a NOT that is live without a look, as all it leads to: see settle.c */
    uint32_t a, b;
    uint32_t low, high;
    uint32_t shape; /* equal for terms that differ only in the bounds of repeats */
    uint32_t mark;  /* scratch: equals store->epoch while some pass has seen this node */
    const gm_term *list;
    const gm_segments *segments; /* NULL until somebody asks */
} gm_term_node;

/* A sorted set of strings, without duplicates. */
typedef struct gm_pool {
    const gm_bytes *strings;
    uint32_t count;
} gm_pool;

/* What readers reach without the lock. Slots never move: block i holds 64 << i of them. */
typedef struct gm_text_slot {
    _Atomic(const gm_text_row *) row;
    _Atomic(const gm_lengths *) lengths;
} gm_text_slot;

enum { GM_SLOT_BLOCKS = 26, GM_FIRST_SLOT_BLOCK = 64 };

typedef GM_ARRAY(gm_term) gm_terms;
typedef GM_ARRAY(uint64_t) gm_keys;

/* One way on: after a code point of `set`, `rest`. */
typedef struct gm_move {
    gm_charset set;
    gm_term rest;
} gm_move;

typedef GM_ARRAY(gm_move) gm_moves;

/* A term still to be taken apart, and what follows it. */
typedef struct gm_pending {
    gm_term term, rest;
} gm_pending;

typedef struct gm_boundary {
    uint32_t at;    /* a code point, or one past the last */
    uint32_t group; /* which group of moves begins here, or ends if it has begun */
} gm_boundary;

struct gm_text {
    gm_allocator allocator;
    gm_text_limits limits;
    gm_lock lock;
    gm_arena arena; /* lists, strings, segments, rows, lengths */
    gm_charsets sets;
    gm_table table; /* of nodes */
    GM_ARRAY(gm_term_node) nodes;
    GM_ARRAY(gm_pool) pools;
    _Atomic(gm_text_slot *) slots[GM_SLOT_BLOCKS];
    uint32_t epoch;
    gm_term singles[128]; /* the SET of one ASCII character, or GM_TERM_NONE until made */
    gm_term formats[24];  /* by number, or GM_TERM_NONE until made: see format.c */
    struct gm_made *made; /* gm_text_and, gm_text_or: the latest results, by a hash of the operands; NULL = none yet */

    /* Scratch, each with one user at a time. */
    gm_terms spine;               /* gm_term_concat: heads still to be put before the rest */
    gm_keys keys;                 /* gm_term_union, gm_term_and: members in the making */
    gm_terms negated;             /* gm_term_and */
    gm_terms parts;               /* lists on their way into gm_term_union or gm_term_and */
    gm_terms conjuncts;           /* gm_term_and */
    gm_terms choice;              /* gm_term_and: one alternative of each conjunct */
    gm_terms products;            /* gm_term_and: alternatives multiplied out */
    gm_terms closed;              /* gm_term_close: its alternatives */
    gm_terms pairs;               /* gm_term_close: what the trackers of the result have read */
    gm_terms followers;           /* assert.c: what the trackers will have read */
    gm_terms agenda;              /* gm_term_segments: whose turn it is */
    gm_terms children;            /* gm_term_segments: what a row is made of */
    gm_terms memo;                /* gm_term_segments: the term of each combination of groups */
    gm_keys words;                /* gm_term_segments: combinations of groups, as bits */
    gm_moves moves;               /* gm_term_segments */
    GM_ARRAY(gm_pending) pending; /* gm_term_segments, gm_term_nonempty, splitting */
    GM_ARRAY(gm_pending) aheads;  /* gm_text_collect_moves: an AHEAD, and what follows it; splitting */
    GM_ARRAY(gm_pending) visits;  /* assert.c: terms on the way down or up */
    GM_ARRAY(gm_boundary) boundaries;
    GM_ARRAY(gm_text_range) ranges;
};

static inline gm_term_node gm_term_at(const gm_text *text, gm_term term) { return text->nodes.items[term]; }
static inline bool gm_term_nullable(const gm_text *text, gm_term term) { return text->nodes.items[term].nullable; }

/* A fresh mark for one pass over nodes. */
uint32_t gm_text_epoch(gm_text *text);

/* ---- constructors (term.c) ---- */

/* The id of a node with this content; its list is copied. For constructors only. */
gm_term gm_term_intern(gm_text *text, gm_term_node node);
/* The three fixed terms of a new store. */
bool gm_terms_begin(gm_text *text);
gm_term gm_term_set(gm_text *text, gm_charset set);
gm_term gm_term_of_code_point(gm_text *text, uint32_t code_point);
gm_term gm_term_concat(gm_text *text, gm_term head, gm_term rest);
/* All factors on text->spine, the topmost last, before `rest`. */
gm_term gm_term_wind(gm_text *text, gm_term rest);
gm_term gm_term_repeat(gm_text *text, gm_term body, uint32_t low, uint32_t high);
/* The strings of a plain term but the empty one. */
gm_term gm_term_nonempty(gm_text *text, gm_term term);
/* low..high of a pool, of which `depth` bytes were read. */
gm_term gm_term_constants(gm_text *text, uint32_t pool, uint32_t low, uint32_t high, uint32_t depth);

/* ---- constructors (term_boolean.c) ---- */

gm_term gm_term_union(gm_text *text, const gm_term *members, size_t count);
gm_term gm_term_either(gm_text *text, gm_term a, gm_term b);
gm_term gm_term_and(gm_text *text, const gm_term *members, size_t count);
gm_term gm_term_not(gm_text *text, gm_term term);

/* ---- derivatives (derive.c) ---- */

/* Where each code point leads from a term; cached in its node. Liveness is not looked at. NULL when
 * out of memory. */
const gm_segments *gm_term_segments(gm_text *text, gm_term term);
/* Appends low..high -> to to text->ranges, joined to the last segment where possible. False when
 * out of memory, which includes to == GM_TERM_FAILED. */
bool gm_text_add_segment(gm_text *text, uint32_t low, uint32_t high, gm_term to);

/* What a TRACKED knows of the text so far. */
typedef struct gm_past {
    bool at_start;
    const gm_term *pairs; /* what a BEHIND looks for, and what is left of that; 2 * count of them */
    uint32_t count;
} gm_past;

/* All moves of a term, sorted by set, into text->moves. Of a term with assertions, given its past;
 * moves past an AHEAD are not among them: those AHEADs go to text->aheads. */
bool gm_text_collect_moves(gm_text *text, gm_term term, const gm_past *past);

/* ---- assertions (assert.c) ---- */

gm_term gm_term_start(gm_text *text);
gm_term gm_term_end(gm_text *text);
/* `texts`: all texts that may follow, up to the end. It may have assertions itself. */
gm_term gm_term_ahead(gm_text *text, gm_term texts, bool negated);
/* `texts`: all texts that may come before, from the start; a language. */
gm_term gm_term_behind(gm_text *text, gm_term texts, bool negated);
/* Whether a term looks ahead anywhere, END included. False when out of memory. */
bool gm_term_looks_ahead(gm_text *text, gm_term term, bool *answer);
/* gm_term_repeat for a body that may have assertions, and so turns that read nothing. GM_UNSUPPORTED,
 * GM_LIMIT (max_positions) or GM_OUT_OF_MEMORY. */
gm_status gm_term_repeat_open(gm_text *text, gm_term body, uint32_t low, uint32_t high, gm_term *result);
/* The language of a term with assertions, that reaches to the end of the text, after this past. */
gm_term gm_term_close(gm_text *text, gm_term term, const gm_past *past);
/* For gm_term_segments: the terms whose segments are needed first, into text->children, then the
 * segments themselves into text->ranges. */
bool gm_tracked_children(gm_text *text, gm_term_node node);
bool gm_tracked_segments(gm_text *text, gm_term_node node);

/* ---- sets of strings (constants.c) ---- */

/* The term of the strings, which are sorted in place. Copies the list, and the bytes if `copy`. */
gm_term gm_term_of_strings(gm_text *text, gm_bytes *strings, size_t count, bool copy);
/* Fills text->ranges for a CONSTANTS node. */
bool gm_constants_segments(gm_text *text, gm_term_node node);
/* What two settled terms have in common; sets of strings are filtered, not left as conditions. */
gm_term gm_term_both(gm_text *text, gm_term a, gm_term b);
/* What two settled terms have together; sets of strings are joined. */
gm_term gm_term_alternatives(gm_text *text, gm_term a, gm_term b);

/* ---- automata in C (format.c) ---- */

/* Fills text->ranges for an AUTOMATON node. */
bool gm_automaton_segments(gm_text *text, gm_term_node node);

/* ---- liveness (settle.c) ---- */

gm_liveness gm_term_liveness(const gm_text *text, gm_term term);
/* How many code points no set in a term (in_loops: in its loops) holds, less the number of its
 * constants; 0 if it cannot tell. False when out of memory. */
bool gm_term_unused(gm_text *text, gm_term term, bool in_loops, uint64_t *unused);
/* A NOT that leads to live terms only, for a reason that its derivatives inherit. */
void gm_term_trust(gm_text *text, gm_term term);
/* Decides for a term and all it leads to whether they have a string. GM_LIMIT past max_states. */
gm_status gm_term_settle(gm_text *text, gm_term term, gm_error *error);

/* ---- rows (text.c) ---- */

/* The row of a settled term with the lock held. */
const gm_text_row *gm_text_build_row(gm_text *text, gm_term term);
/* The slot of a term if it exists, else NULL. The one function that needs no lock. */
gm_text_slot *gm_text_find_slot(gm_text *text, gm_term term);
/* Made if need be; NULL when out of memory. */
gm_text_slot *gm_text_slot_of(gm_text *text, gm_term term);

#endif
