/*
 * machine/spelling.h - the JSON spelling of string content, as a small automaton of its own.
 *
 * It turns bytes into code points: raw UTF-8, short escapes, \uXXXX and surrogate pairs. Between
 * code points its state says which code points the bytes read so far can still become, as ranges;
 * so whoever runs a content automaton behind it can tell whether a half-read character is alive.
 *
 * A state is a packed word: kind in the low 4 bits, then digits or bytes still missing, then the
 * value so far. 0 is the state between characters. Ill-formed UTF-8, raw control characters and
 * lone surrogates have no path.
 */
#ifndef GM_MACHINE_SPELLING_H
#define GM_MACHINE_SPELLING_H

#include "base/utf8.h"
#include "form/alphabet.h"

typedef uint32_t gm_spelling_state;

enum { GM_SPELLING_BETWEEN = 0 };

typedef enum gm_spelling_result {
    GM_SPELLED_NOTHING, /* the byte cannot stand here */
    GM_SPELLED_PART,    /* *next is inside a character */
    GM_SPELLED_POINT,   /* *point is complete, *next is GM_SPELLING_BETWEEN */
    GM_SPELLED_QUOTE    /* the closing quote */
} gm_spelling_result;

typedef struct gm_point_range {
    uint32_t low, high;
} gm_point_range;

/* How many such characters a text begins with. */
static inline size_t gm_count_letters(const uint8_t *bytes, size_t length)
{
    size_t count = 0;
    while (count < length && gm_spells_itself(bytes[count]))
        count++;
    return count;
}

/* Where most bytes do not lead: gm_spelling_step. */
gm_spelling_result gm_spelling_step_rare(gm_spelling_state state, uint8_t byte, bool minimal, gm_spelling_state *next,
                                         uint32_t *point);

static inline gm_spelling_result gm_spelling_step(gm_spelling_state state, uint8_t byte, bool minimal,
                                                  gm_spelling_state *next, uint32_t *point)
{
    if (state != GM_SPELLING_BETWEEN || !gm_spells_itself(byte))
        return gm_spelling_step_rare(state, byte, minimal, next, point);
    *next = GM_SPELLING_BETWEEN;
    *point = byte;
    return GM_SPELLED_POINT;
}
/* The code points that a state inside a character can become; returns how many ranges, at most 4. */
size_t gm_spelling_ranges(gm_spelling_state state, bool minimal, gm_point_range ranges[4]);

/* A superset of the bytes that may come next inside a character: bit b of bytes[b / 64]. */
void gm_spelling_bytes(gm_spelling_state state, uint64_t bytes[4]);

/* Adds the bytes that may come next on the way to one code point that the state can become, or more. */
void gm_spelling_bytes_to(gm_spelling_state state, uint32_t point, uint64_t bytes[4]);

/* Of a range that a state inside a character can become: */

/* Whether some point of it has the rest of its bytes in the alphabet. */
bool gm_spelling_can_finish(gm_spelling_state state, gm_point_range range, const gm_alphabet *alphabet);
/* Whether such a point leads on from a row. */
bool gm_spelling_meets(gm_spelling_state state, gm_point_range range, const gm_alphabet *alphabet,
                       const gm_text_row *row);

static inline gm_point_range gm_point_range_meet(gm_point_range a, gm_point_range b)
{
    return (gm_point_range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high}; /* low > high: empty */
}

#endif
