/*
 * vocab/sort.c - sorting token texts.
 *
 * A key is seven bytes of a text, most significant first, zeros past its end, and in the lowest byte
 * how many there were, 8 standing for "and more": so the order of keys is the order of texts, a text
 * before its continuations even where those go on with NUL bytes. Items are sorted by key with a
 * radix sort from the least significant byte (stable; passes in which all items agree are left out);
 * runs of equal keys that go on are sorted again by the next seven bytes, short ones by insertion.
 * Work is linear in the bytes of the texts.
 */
#include "base/array.h"
#include "base/pages.h"
#include "vocab/block.h"

enum { STEP = 7, MORE = STEP + 1, SHORT_RUN = 32 };

typedef struct run {
    size_t first;
    size_t count;
    uint32_t depth; /* bytes that all its texts share */
} run;

typedef struct sorter {
    const gm_allocator *allocator;
    gm_texts texts;
    gm_sorted *items;
    gm_sorted *spare; /* as many */
    GM_ARRAY(run) runs;
} sorter;

static uint64_t key_at(gm_texts texts, uint32_t id, uint32_t depth)
{
    const size_t left = gm_text_length(texts, id) - depth;
    const uint8_t *at = texts.text + texts.starts[id] + depth;
    const size_t count = left < STEP ? left : STEP;
    uint64_t key = 0;
    for (size_t i = 0; i < count; i++)
        key |= (uint64_t)at[i] << (56 - 8 * i);
    return key | (left < MORE ? left : MORE);
}

static int compare_from(gm_texts texts, uint32_t a, uint32_t b, uint32_t depth)
{
    const char *text = (const char *)texts.text + depth;
    return gm_bytes_compare((gm_bytes){text + texts.starts[a], gm_text_length(texts, a) - depth},
                            (gm_bytes){text + texts.starts[b], gm_text_length(texts, b) - depth});
}

static void sort_short(sorter *s, run r)
{
    gm_sorted *items = s->items + r.first;
    for (size_t i = 1; i < r.count; i++) {
        const gm_sorted item = items[i];
        size_t at = i;
        for (; at > 0 && compare_from(s->texts, item.id, items[at - 1].id, r.depth) < 0; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Sorts by one byte of the key, from `from` to `to`; counts become places. */
static void distribute(const gm_sorted *from, gm_sorted *to, size_t count, int shift, uint32_t counts[256])
{
    uint32_t place = 0;
    for (int value = 0; value < 256; value++) {
        const uint32_t here = counts[value];
        counts[value] = place;
        place += here;
    }
    for (size_t i = 0; i < count; i++)
        to[counts[from[i].key >> shift & 0xFF]++] = from[i];
}

static void sort_by_key(sorter *s, run r)
{
    gm_sorted *from = s->items + r.first, *to = s->spare + r.first;
    uint32_t counts[8][256] = {{0}};
    for (size_t i = 0; i < r.count; i++) {
        from[i].key = key_at(s->texts, from[i].id, r.depth);
        for (int byte = 0; byte < 8; byte++)
            counts[byte][from[i].key >> (8 * byte) & 0xFF]++;
    }
    for (int byte = 0; byte < 8; byte++) {
        if (counts[byte][from[0].key >> (8 * byte) & 0xFF] == r.count)
            continue;
        distribute(from, to, r.count, 8 * byte, counts[byte]);
        gm_sorted *const swapped = from;
        from = to;
        to = swapped;
    }
    if (from != s->items + r.first)
        memcpy(s->items + r.first, from, r.count * sizeof *from);
}

/* Sorts or puts off each run of equal keys that go on. */
static bool split(sorter *s, run r)
{
    const gm_sorted *items = s->items;
    const size_t end = r.first + r.count;
    for (size_t first = r.first, next; first < end; first = next) {
        for (next = first + 1; next < end && items[next].key == items[first].key; next++)
            continue;
        const run equal = {first, next - first, r.depth + STEP};
        if (equal.count == 1 || (items[first].key & 0xFF) != MORE)
            continue;
        if (equal.count <= SHORT_RUN)
            sort_short(s, equal);
        else if (!GM_ARRAY_PUSH(s->allocator, &s->runs, equal))
            return false;
    }
    return true;
}

static bool sort_runs(sorter *s, size_t count)
{
    if (!GM_ARRAY_PUSH(s->allocator, &s->runs, ((run){0, count, 0})))
        return false;
    while (s->runs.count > 0) {
        const run r = s->runs.items[--s->runs.count];
        sort_by_key(s, r);
        if (!split(s, r))
            return false;
    }
    return true;
}

bool gm_sort_texts(const gm_allocator *allocator, gm_texts texts, gm_sorted *items, size_t count)
{
    if (count < 2)
        return true;
    sorter s = {.allocator = allocator, .texts = texts, .items = items};
    s.spare = gm_allocate(allocator, count, sizeof *s.spare);
    gm_pages_give(s.spare, s.spare != NULL ? count * sizeof *s.spare : 0);
    const bool sorted = s.spare != NULL && sort_runs(&s, count);
    GM_ARRAY_FREE(allocator, &s.runs);
    gm_deallocate(allocator, s.spare, count, sizeof *s.spare);
    return sorted;
}
