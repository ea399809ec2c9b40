/*
 * lex/charset.h - interned sets of code points.
 *
 * A set is a sorted list of ranges that neither touch nor overlap and hold no surrogates, so equal
 * sets have equal lists, and equal lists have one id. Sets never change and never move.
 *
 * A gm_ranges is a set in the making: ranges in any order, overlapping, surrogates and all;
 * gm_ranges_normalize brings it into the form above.
 *
 * Owner: the store of texts. Locking: the owner's. Knows nothing of terms.
 */
#ifndef GM_LEX_CHARSET_H
#define GM_LEX_CHARSET_H

#include "base/arena.h"
#include "base/array.h"
#include "base/table.h"

typedef struct gm_range {
    uint32_t low, high;
} gm_range;

typedef GM_ARRAY(gm_range) gm_ranges;

/* Appends low..high; false when out of memory. */
bool gm_ranges_add(const gm_allocator *allocator, gm_ranges *ranges, uint32_t low, uint32_t high);
/* Sorts, joins, cuts surrogates out. May need room for one more range: false when out of memory. */
bool gm_ranges_normalize(const gm_allocator *allocator, gm_ranges *ranges);
/* Replaces a normalized list by its complement, normalized. */
bool gm_ranges_complement(const gm_allocator *allocator, gm_ranges *ranges);

typedef uint32_t gm_charset; /* an id */

enum { GM_CHARSET_NONE = 0, GM_CHARSET_ALL = 1 };

/* What the functions below return when out of memory. */
#define GM_CHARSET_FAILED ((gm_charset)UINT32_MAX)

typedef struct gm_charset_entry {
    const gm_range *ranges;
    uint32_t count;
} gm_charset_entry;

typedef struct gm_charsets {
    gm_allocator allocator;
    gm_arena *arena; /* of the ranges */
    GM_ARRAY(gm_charset_entry) entries;
    gm_table table;
    gm_ranges scratch;
} gm_charsets;

/* False when out of memory; then nothing is held. */
bool gm_charsets_init(gm_charsets *sets, const gm_allocator *allocator, gm_arena *arena);
void gm_charsets_destroy(gm_charsets *sets);
size_t gm_charsets_memory(const gm_charsets *sets);

/* The id of a normalized list, which is copied. */
gm_charset gm_charset_intern(gm_charsets *sets, const gm_range *ranges, size_t count);
gm_charset gm_charset_union(gm_charsets *sets, gm_charset a, gm_charset b);

static inline gm_charset_entry gm_charset_ranges(const gm_charsets *sets, gm_charset set)
{
    return sets->entries.items[set];
}

#endif
