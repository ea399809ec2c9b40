/* lex/charset.c - see charset.h. */
#include "lex/charset.h"

#include "base/utf8.h"

#include <stdlib.h>

enum { FIRST_SURROGATE = 0xD800, LAST_SURROGATE = 0xDFFF };

/* ---- ranges ---- */

bool gm_ranges_add(const gm_allocator *allocator, gm_ranges *ranges, uint32_t low, uint32_t high)
{
    GM_ASSERT(low <= high && high <= GM_MAX_CODE_POINT);
    return GM_ARRAY_PUSH(allocator, ranges, ((gm_range){low, high}));
}

static int by_low(const void *a, const void *b)
{
    const gm_range *left = a, *right = b;
    return left->low < right->low ? -1 : left->low > right->low;
}

/* Few ranges are the rule: sorting them by insertion saves the calls of qsort. */
static void sort_ranges(gm_range *ranges, size_t count)
{
    if (count > 16) {
        qsort(ranges, count, sizeof *ranges, by_low);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const gm_range range = ranges[i];
        size_t at = i;
        for (; at > 0 && ranges[at - 1].low > range.low; at--)
            ranges[at] = ranges[at - 1];
        ranges[at] = range;
    }
}

static void join(gm_ranges *ranges)
{
    size_t kept = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        const gm_range range = ranges->items[i];
        if (kept > 0 && range.low <= ranges->items[kept - 1].high + 1) {
            if (range.high > ranges->items[kept - 1].high)
                ranges->items[kept - 1].high = range.high;
        } else {
            ranges->items[kept++] = range;
        }
    }
    ranges->count = kept;
}

/* Cuts surrogates out of a sorted, joined list; at most one range is split. */
static bool cut_surrogates(const gm_allocator *allocator, gm_ranges *ranges)
{
    if (!GM_ARRAY_RESERVE(allocator, ranges, 1))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        const gm_range range = ranges->items[i];
        if (range.low < FIRST_SURROGATE && range.high > LAST_SURROGATE) {
            memmove(&ranges->items[i + 1], &ranges->items[i], (ranges->count - i) * sizeof range);
            ranges->count++;
            ranges->items[kept++] = (gm_range){range.low, FIRST_SURROGATE - 1};
            ranges->items[i + 1].low = LAST_SURROGATE + 1;
        } else if (range.low < FIRST_SURROGATE) {
            ranges->items[kept++] =
                (gm_range){range.low, range.high < FIRST_SURROGATE ? range.high : FIRST_SURROGATE - 1};
        } else if (range.high > LAST_SURROGATE) {
            ranges->items[kept++] = (gm_range){range.low > LAST_SURROGATE ? range.low : LAST_SURROGATE + 1, range.high};
        }
    }
    ranges->count = kept;
    return true;
}

bool gm_ranges_normalize(const gm_allocator *allocator, gm_ranges *ranges)
{
    if (ranges->count == 0)
        return true;
    sort_ranges(ranges->items, ranges->count);
    join(ranges);
    return cut_surrogates(allocator, ranges);
}

bool gm_ranges_complement(const gm_allocator *allocator, gm_ranges *ranges)
{
    if (!GM_ARRAY_RESERVE(allocator, ranges, 1))
        return false;
    uint32_t next = 0; /* the first code point not yet decided */
    size_t kept = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        const gm_range range = ranges->items[i];
        if (range.low > next)
            ranges->items[kept++] = (gm_range){next, range.low - 1}; /* kept <= i: nothing unread is overwritten */
        next = range.high + 1;
    }
    if (next <= GM_MAX_CODE_POINT)
        ranges->items[kept++] = (gm_range){next, GM_MAX_CODE_POINT};
    ranges->count = kept;
    return cut_surrogates(allocator, ranges);
}

/* ---- interning ---- */

gm_charset gm_charset_intern(gm_charsets *sets, const gm_range *ranges, size_t count)
{
    const size_t bytes = count * sizeof *ranges;
    const uint64_t hash = gm_hash_bytes(ranges, bytes);
    for (gm_probe probe = gm_table_find(&sets->table, hash); gm_probe_next(&sets->table, &probe);) {
        const gm_charset_entry entry = sets->entries.items[probe.id];
        if (entry.count == count && (count == 0 || memcmp(entry.ranges, ranges, bytes) == 0))
            return probe.id;
    }
    const size_t id = sets->entries.count;
    if (id >= UINT32_MAX - 1 || !GM_ARRAY_RESERVE(&sets->allocator, &sets->entries, 1))
        return GM_CHARSET_FAILED;
    const gm_range *copy = gm_arena_copy(sets->arena, ranges, bytes);
    if (copy == NULL || !gm_table_add(&sets->table, hash, (uint32_t)id))
        return GM_CHARSET_FAILED;
    sets->entries.items[sets->entries.count++] = (gm_charset_entry){copy, (uint32_t)count};
    return (gm_charset)id;
}

bool gm_charsets_init(gm_charsets *sets, const gm_allocator *allocator, gm_arena *arena)
{
    static const gm_range all[] = {{0, FIRST_SURROGATE - 1}, {LAST_SURROGATE + 1, GM_MAX_CODE_POINT}};
    *sets = (gm_charsets){.allocator = *allocator, .arena = arena};
    gm_table_init(&sets->table, allocator);
    if (gm_charset_intern(sets, all, 0) == GM_CHARSET_NONE &&
        gm_charset_intern(sets, all, GM_COUNT_OF(all)) == GM_CHARSET_ALL)
        return true;
    gm_charsets_destroy(sets);
    return false;
}

void gm_charsets_destroy(gm_charsets *sets)
{
    gm_table_destroy(&sets->table);
    GM_ARRAY_FREE(&sets->allocator, &sets->entries);
    GM_ARRAY_FREE(&sets->allocator, &sets->scratch);
}

size_t gm_charsets_memory(const gm_charsets *sets)
{
    return sets->entries.capacity * sizeof *sets->entries.items + sets->scratch.capacity * sizeof(gm_range) +
           sets->table.capacity * sizeof(gm_table_slot);
}

static bool append(gm_charsets *sets, gm_charset set)
{
    const gm_charset_entry entry = gm_charset_ranges(sets, set);
    if (!GM_ARRAY_RESERVE(&sets->allocator, &sets->scratch, entry.count))
        return false;
    memcpy(&sets->scratch.items[sets->scratch.count], entry.ranges, entry.count * sizeof(gm_range));
    sets->scratch.count += entry.count;
    return true;
}

gm_charset gm_charset_union(gm_charsets *sets, gm_charset a, gm_charset b)
{
    if (a == b || b == GM_CHARSET_NONE)
        return a;
    if (a == GM_CHARSET_NONE)
        return b;
    sets->scratch.count = 0;
    if (!append(sets, a) || !append(sets, b) || !gm_ranges_normalize(&sets->allocator, &sets->scratch))
        return GM_CHARSET_FAILED;
    return gm_charset_intern(sets, sets->scratch.items, sets->scratch.count);
}
