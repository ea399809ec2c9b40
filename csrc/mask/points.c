/* mask/points.c - see points.h. */
#include "mask/points.h"

/* Sorts the free tokens by their counts: `next` has room for points->most + 2 and is zero. */
static void sort_by_points(gm_points *points, const uint32_t *counts, uint32_t tokens, const uint32_t *free,
                           uint32_t *next)
{
    for (uint32_t id = 0; id < tokens; id++)
        if (free[id / 32] >> id % 32 & 1)
            next[counts[id] + 1]++;
    for (uint32_t i = 1; i < points->most + 2; i++)
        next[i] += next[i - 1];
    memcpy(points->first, next, ((size_t)points->most + 2) * sizeof *next);
    for (uint32_t id = 0; id < tokens; id++)
        if (free[id / 32] >> id % 32 & 1)
            points->ids[next[counts[id]]++] = id;
}

gm_status gm_points_init(gm_points *points, const gm_vocab *vocab, const uint32_t *free, const uint32_t *counts,
                         const gm_allocator *allocator)
{
    const uint32_t tokens = gm_vocab_facts_of(vocab)->token_count;
    points->id_count = (size_t)tokens + 1;
    points->most = 0;
    for (uint32_t id = 0; id < tokens; id++)
        points->most = counts[id] > points->most ? counts[id] : points->most;
    const size_t slots = (size_t)points->most + 2;
    points->ids = gm_allocate(allocator, points->id_count, sizeof *points->ids);
    points->first = gm_allocate(allocator, slots, sizeof *points->first);
    uint32_t *next = gm_allocate_zeroed(allocator, slots, sizeof *next);
    const bool room = points->ids != NULL && points->first != NULL && next != NULL;
    if (room)
        sort_by_points(points, counts, tokens, free, next);
    gm_deallocate(allocator, next, slots, sizeof *next);
    for (int i = 0; i < GM_KEPT_POINTS; i++)
        atomic_init(&points->kept[i], NULL);
    if (room)
        return GM_OK;
    gm_points_destroy(points, allocator);
    return GM_OUT_OF_MEMORY;
}

void gm_points_destroy(gm_points *points, const gm_allocator *allocator)
{
    gm_deallocate(allocator, points->ids, points->id_count, sizeof *points->ids);
    gm_deallocate(allocator, points->first, (size_t)points->most + 2, sizeof *points->first);
    points->ids = points->first = NULL;
}

static uint32_t distance(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

void gm_points_write(const gm_points *points, uint64_t most, const uint32_t *free, size_t word_count, uint32_t *words)
{
    const uint32_t all = points->first[points->most + 1], end = most < points->most ? points->first[most + 1] : all;
    const uint32_t *nearest = end < all - end ? NULL : free;
    uint32_t from = nearest != NULL ? all : 0; /* of the ids, so many are in it */
    for (uint32_t i = 0; i < GM_KEPT_POINTS && i < points->most; i++) {
        const uint32_t *kept = atomic_load_explicit(&points->kept[i], memory_order_acquire);
        if (kept == NULL || distance(points->first[i + 1], end) >= distance(from, end))
            continue;
        nearest = kept;
        from = points->first[i + 1];
    }
    if (nearest != NULL)
        memcpy(words, nearest, word_count * sizeof *words);
    else
        memset(words, 0, word_count * sizeof *words);
    for (uint32_t i = from; i < end; i++)
        words[points->ids[i] / 32] |= 1u << points->ids[i] % 32;
    for (uint32_t i = end; i < from; i++)
        words[points->ids[i] / 32] &= ~(1u << points->ids[i] % 32);
}

uint32_t gm_points_at(const gm_points *points, uint64_t count, const uint32_t **ids)
{
    if (count > points->most)
        return 0;
    *ids = points->ids + points->first[count];
    return points->first[count + 1] - points->first[count];
}
