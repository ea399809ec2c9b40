/*
 * lex/constants.c - finite sets of strings as one term.
 *
 * The strings lie sorted in a pool. Those that agree in their first `depth` bytes are neighbours, so
 * a state is a range of the pool and a depth, and reading a code point narrows the range: a trie
 * that takes no memory of its own. Ten thousand strings make one term, and a walk down one of them
 * makes as many more as it has code points.
 */
#include "lex/term.h"

#include "base/utf8.h"

#include <stdlib.h>

static int by_bytes(const void *a, const void *b)
{
    return gm_bytes_compare(*(const gm_bytes *)a, *(const gm_bytes *)b);
}

static bool is_sorted(const gm_bytes *strings, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (gm_bytes_compare(strings[i - 1], strings[i]) >= 0)
            return false;
    return true;
}

static size_t sort_strings(gm_bytes *strings, size_t count)
{
    if (is_sorted(strings, count))
        return count;
    qsort(strings, count, sizeof *strings, by_bytes);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (!gm_bytes_equal(strings[kept - 1], strings[i]))
            strings[kept++] = strings[i];
    return kept;
}

/* All bytes in one block: one allocation, and neighbours share cache lines. */
static bool copy_bytes(gm_arena *arena, gm_bytes *strings, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += strings[i].length;
    char *to = gm_arena_take(arena, total);
    if (to == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (strings[i].length != 0)
            memcpy(to, strings[i].data, strings[i].length);
        strings[i].data = to;
        to += strings[i].length;
    }
    return true;
}

gm_term gm_term_of_strings(gm_text *text, gm_bytes *strings, size_t count, bool copy)
{
    if (count == 0)
        return GM_TERM_NONE;
    if (count > UINT32_MAX / 2 || text->pools.count >= UINT32_MAX)
        return GM_TERM_FAILED;
    if (!GM_ARRAY_RESERVE(&text->allocator, &text->pools, 1))
        return GM_TERM_FAILED;
    count = sort_strings(strings, count);
    const gm_arena_mark mark = gm_arena_save(&text->arena);
    gm_bytes *kept = gm_arena_copy(&text->arena, strings, count * sizeof *strings);
    if (kept == NULL || (copy && !copy_bytes(&text->arena, kept, count))) {
        gm_arena_rewind(&text->arena, mark);
        return GM_TERM_FAILED;
    }
    text->pools.items[text->pools.count++] = (gm_pool){kept, (uint32_t)count};
    return gm_term_constants(text, (uint32_t)(text->pools.count - 1), 0, (uint32_t)count - 1, 0);
}

static bool agrees(gm_bytes string, const char *bytes, size_t from, size_t to)
{
    return string.length >= to && memcmp(string.data + from, bytes + from, to - from) == 0;
}

/* The last of strings[first..high] that agrees with the first one in bytes from..to. Steps that
 * double, then halve: a row costs the logarithm of what it does not look at. */
static uint32_t last_in_group(const gm_bytes *strings, uint32_t first, uint32_t high, size_t from, size_t to)
{
    const char *bytes = strings[first].data;
    uint32_t inside = first, step = 1;
    while (step <= high - inside && agrees(strings[inside + step], bytes, from, to)) {
        inside += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (step <= high - inside && agrees(strings[inside + step], bytes, from, to))
            inside += step;
    return inside;
}

bool gm_constants_segments(gm_text *text, gm_term_node node)
{
    const gm_bytes *strings = text->pools.items[node.a].strings;
    const size_t depth = node.b;
    uint32_t first = node.low;
    if (strings[first].length == depth)
        first++;
    while (first <= node.high) {
        size_t at = depth;
        const uint32_t code_point = gm_utf8_read(strings[first].data, strings[first].length, &at);
        GM_ASSERT(code_point != UINT32_MAX);
        const uint32_t last = last_in_group(strings, first, node.high, depth, at);
        const gm_term to = gm_term_constants(text, node.a, first, last, (uint32_t)at);
        if (!gm_text_add_segment(text, code_point, code_point, to))
            return false;
        first = last + 1;
    }
    return true;
}

/* ---- combining ---- */

/* Whether a settled term holds the part of a string behind `depth` bytes; -1 when out of memory. */
static int holds(gm_text *text, gm_term term, gm_bytes string, size_t depth)
{
    for (size_t at = depth; term != GM_TERM_NONE;) {
        const gm_text_row *row = gm_text_build_row(text, term);
        if (row == NULL)
            return -1;
        if (at == string.length)
            return row->accepts;
        term = gm_text_next(row, gm_utf8_read(string.data, string.length, &at));
    }
    return false;
}

/* The strings of a CONSTANTS node that a settled term holds too. */
static gm_term filter(gm_text *text, gm_term constants, gm_term other)
{
    const gm_term_node node = gm_term_at(text, constants);
    const gm_bytes *strings = text->pools.items[node.a].strings;
    const size_t count = (size_t)(node.high - node.low) + 1;
    gm_bytes *kept = gm_allocate(&text->allocator, count, sizeof *kept);
    if (kept == NULL)
        return GM_TERM_FAILED;
    size_t kept_count = 0;
    int found = 0;
    for (uint32_t i = node.low; i <= node.high && found >= 0; i++) {
        found = holds(text, other, strings[i], node.b);
        if (found > 0)
            kept[kept_count++] = (gm_bytes){strings[i].data + node.b, strings[i].length - node.b};
    }
    gm_term result = GM_TERM_FAILED;
    if (found >= 0)
        result = kept_count == count ? constants : gm_term_of_strings(text, kept, kept_count, false);
    gm_deallocate(&text->allocator, kept, count, sizeof *kept);
    return result;
}

/* Moves the CONSTANTS among a term's alternatives to `found`; returns the rest of the term. */
static gm_term split_constants(gm_text *text, gm_term term, gm_terms *found)
{
    const gm_term_node node = gm_term_at(text, term);
    const bool is_union = node.kind == GM_KIND_UNION && !node.plain;
    text->parts.count = 0;
    for (uint32_t i = 0; i < (is_union ? node.a : 1); i++) {
        const gm_term member = is_union ? node.list[i] : term;
        const bool is_constants = gm_term_at(text, member).kind == GM_KIND_CONSTANTS;
        if (!GM_ARRAY_PUSH(&text->allocator, is_constants ? found : &text->parts, member))
            return GM_TERM_FAILED;
    }
    return gm_term_union(text, text->parts.items, text->parts.count);
}

/* (constants | a) and b  =  constants filtered by b | a and b. */
static bool filter_side(gm_text *text, gm_term *side, gm_term other, gm_terms *results)
{
    gm_terms found = {0};
    *side = split_constants(text, *side, &found);
    bool done = *side != GM_TERM_FAILED;
    for (size_t i = 0; done && i < found.count; i++) {
        const gm_term kept = filter(text, found.items[i], other);
        done = kept != GM_TERM_FAILED && GM_ARRAY_PUSH(&text->allocator, results, kept);
    }
    GM_ARRAY_FREE(&text->allocator, &found);
    return done;
}

gm_term gm_term_both(gm_text *text, gm_term a, gm_term b)
{
    gm_terms results = {0};
    gm_term result = GM_TERM_FAILED;
    if (filter_side(text, &a, b, &results) && filter_side(text, &b, a, &results)) {
        const gm_term rest[2] = {a, b};
        result = gm_term_and(text, rest, 2);
        if (results.count > 0)
            result = GM_ARRAY_PUSH(&text->allocator, &results, result)
                         ? gm_term_union(text, results.items, results.count)
                         : GM_TERM_FAILED;
    }
    GM_ARRAY_FREE(&text->allocator, &results);
    return result;
}

static uint32_t size_of(const gm_text *text, gm_term constants)
{
    const gm_term_node node = gm_term_at(text, constants);
    return node.high - node.low + 1;
}

/* One CONSTANTS for two. */
static gm_term join(gm_text *text, gm_term a, gm_term b)
{
    const size_t count = (size_t)size_of(text, a) + size_of(text, b);
    gm_bytes *strings = gm_allocate(&text->allocator, count, sizeof *strings);
    if (strings == NULL)
        return GM_TERM_FAILED;
    size_t filled = 0;
    for (int side = 0; side < 2; side++) {
        const gm_term_node node = gm_term_at(text, side == 0 ? a : b);
        for (uint32_t i = node.low; i <= node.high; i++) {
            const gm_bytes string = text->pools.items[node.a].strings[i];
            strings[filled++] = (gm_bytes){string.data + node.b, string.length - node.b};
        }
    }
    const gm_term joined = gm_term_of_strings(text, strings, count, false);
    gm_deallocate(&text->allocator, strings, count, sizeof *strings);
    return joined;
}

/* Adds a CONSTANTS to a list of them in order of size, largest first. Two of like size are joined: a
 * set that grows by one string at a time is copied only each time it has doubled. */
static bool add_constants(gm_text *text, gm_terms *list, gm_term constants)
{
    while (list->count > 0 && size_of(text, list->items[list->count - 1]) / 2 <= size_of(text, constants)) {
        constants = join(text, constants, list->items[--list->count]);
        if (constants == GM_TERM_FAILED)
            return false;
    }
    return GM_ARRAY_PUSH(&text->allocator, list, constants);
}

static bool by_size(gm_text *text, const gm_terms *found, gm_terms *list)
{
    for (uint64_t below = UINT64_MAX;;) { /* takes the largest ones first; there are few */
        uint64_t largest = 0;
        for (size_t i = 0; i < found->count; i++)
            if (size_of(text, found->items[i]) < below && size_of(text, found->items[i]) > largest)
                largest = size_of(text, found->items[i]);
        if (largest == 0)
            return true;
        for (size_t i = 0; i < found->count; i++)
            if (size_of(text, found->items[i]) == largest && !add_constants(text, list, found->items[i]))
                return false;
        below = largest;
    }
}

gm_term gm_term_alternatives(gm_text *text, gm_term a, gm_term b)
{
    gm_terms found = {0}, list = {0};
    gm_term result = GM_TERM_FAILED;
    a = split_constants(text, a, &found);
    b = a == GM_TERM_FAILED ? a : split_constants(text, b, &found);
    if (b != GM_TERM_FAILED && by_size(text, &found, &list) && GM_ARRAY_PUSH(&text->allocator, &list, a) &&
        GM_ARRAY_PUSH(&text->allocator, &list, b))
        result = gm_term_union(text, list.items, list.count);
    GM_ARRAY_FREE(&text->allocator, &found);
    GM_ARRAY_FREE(&text->allocator, &list);
    return result;
}
