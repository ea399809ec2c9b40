/*
 * mask/content_state.h - the states that a walk of the trie along a content meets; private to content.c,
 * content_state.c and content_set.c.
 *
 * A state is a term with its row, and what follows from it about bytes: see content.h. All is found
 * when it is first asked for and kept in the walk's arena.
 */
#ifndef GM_MASK_CONTENT_STATE_H
#define GM_MASK_CONTENT_STATE_H

#include "mask/children.h"
#include "mask/content.h"

enum { GM_CONTENT_CHUNK = 256, GM_CONTENT_CHUNKS = 1 << 14 };

typedef struct gm_content_way {
    gm_term to;
    gm_below on; /* lead: some code point that begins so leads there */
} gm_content_way;

/* Whether there are more than GM_PLENTY. */
typedef enum gm_plenty { GM_UNASKED, GM_IS_PLENTY, GM_IS_SCARCE } gm_plenty;

typedef struct gm_hold {
    gm_below bytes;
    uint8_t reach; /* bytes of them that may follow; UINT8_MAX = any number */
    bool ends;     /* and not one more, where they are ASCII */
    gm_need need;  /* see gm_content_find_needs */
} gm_hold;

struct gm_content {
    const gm_text_row *row;
    bool explored;       /* stays and holds are known */
    bool has_loops;      /* loops is known */
    bool has_many_ways;  /* more than are listed: not followed */
    gm_plenty own, held; /* strings behind it, and behind all states that the longer hold leads to */
    uint32_t way_count;
    gm_content_way *ways;
    gm_below alive;    /* lead: every code point that begins so leads on */
    gm_below some;     /* lead: some does */
    gm_byte_set worth; /* between two characters: some, and the backslash */
    gm_byte_set sure;  /* likewise: alive */
    gm_below loops;    /* as a part of others: bytes that lead back to it, or to a union with it */
    gm_below stays;
    gm_hold holds[2];               /* the second is the longer */
    gm_content *stays_part;         /* the part that stays is of; NULL = none */
    const gm_lengths *lengths;      /* NULL until asked */
    uint32_t mark, place;           /* scratch of a search: walk->search if it has met this state, and as which one */
    bool has_needs, has_hold_needs; /* the latter of explored states only: holds come with that */
    gm_need own_need, ways_need;    /* see gm_content_find_needs */
};

struct gm_content_level { /* of a walk: a node, and what led to it */
    gm_content *content;
    gm_spelling_state spelling;
    uint32_t next, end; /* children not yet seen */
    uint32_t token_end; /* of the tokens below the node */
    uint32_t points;    /* code points so far */
    uint32_t depth;     /* bytes so far */
    bool is_within;     /* all of them are in the set of the walk's base */
};

/* Adds a run behind those of a walk; false when out of memory. */
bool gm_content_add_run(gm_content_walk *walk, uint32_t first, uint32_t end);

/* The state of a term; NULL when out of memory. */
gm_content *gm_content_of(gm_content_walk *walk, gm_term term);
/* Finds under what a state stays and holds; false when out of memory. */
bool gm_content_explore(gm_content_walk *walk, gm_content *content);
/* Finds `own` or `held`; false when out of memory. */
bool gm_content_find_own(gm_content_walk *walk, gm_content *content);
bool gm_content_find_held(gm_content_walk *walk, gm_content *content);
/* The lengths of a state's strings; NULL when out of memory. */
const gm_lengths *gm_content_lengths(gm_content_walk *walk, gm_content *content);
/* From how many code points on a part can end after any number of them; UINT64_MAX if that is not known. */
uint64_t gm_content_least(gm_content_walk *walk, gm_content *part);
/* Finds what is needed behind the state, behind all that its ways lead to, and, if it is explored, behind all that its
 * holds lead to. */
void gm_content_find_needs(gm_content_walk *walk, gm_content *content);
static const gm_need gm_need_never = {UINT64_MAX, UINT64_MAX, true, 0}; /* or not known */
/* What is needed if either may be. */
gm_need gm_need_either(gm_need a, gm_need b);

/* ---- sets of bytes ---- */

static inline bool gm_below_has(const gm_below *set, uint8_t byte)
{
    return byte < 0x80 ? set->ascii[byte / 64] >> byte % 64 & 1 : byte >= 0xC0 && (set->lead >> (byte - 0xC0) & 1);
}

static const gm_below gm_no_bytes = {{0, 0}, 0};
static const gm_below gm_backslash = {{0, (uint64_t)1 << ('\\' - 64)}, 0};
/* What runs mean nothing about: control characters and the quote, and bytes that begin no character. */
static const gm_below gm_ill_bytes = {{0xFFFFFFFFu | (uint64_t)1 << '"', 0}, 3 | (uint64_t)0x7FF << 53};

static inline bool gm_below_is_within(const gm_below *a, const gm_below *b)
{
    return ((a->ascii[0] & ~b->ascii[0]) | (a->ascii[1] & ~b->ascii[1]) | (a->lead & ~b->lead)) == 0;
}

static inline bool gm_below_meets(const gm_below *a, const gm_below *b)
{
    return ((a->ascii[0] & b->ascii[0]) | (a->ascii[1] & b->ascii[1]) | (a->lead & b->lead)) != 0;
}

/* Whether bytes of that many at most are held. */
static inline bool gm_hold_has(const gm_hold *hold, const gm_below *bytes, uint32_t height)
{
    return height <= hold->reach && gm_below_is_within(bytes, &hold->bytes);
}

static inline gm_below gm_below_both(const gm_below *a, const gm_below *b)
{
    return (gm_below){{a->ascii[0] & b->ascii[0], a->ascii[1] & b->ascii[1]}, a->lead & b->lead};
}

static inline gm_below gm_below_without(const gm_below *a, const gm_below *b)
{
    return (gm_below){{a->ascii[0] & ~b->ascii[0], a->ascii[1] & ~b->ascii[1]}, a->lead & ~b->lead};
}

static inline gm_below gm_below_either(const gm_below *a, const gm_below *b)
{
    return (gm_below){{a->ascii[0] | b->ascii[0], a->ascii[1] | b->ascii[1]}, a->lead | b->lead};
}

#endif
