/*
 * base/array.h - an array that grows, for building; items are plain memory.
 *
 * Declare `struct { T *items; size_t count, capacity; }` (GM_ARRAY(T)) and zero it. Growth doubles,
 * and comes from the allocator passed to each call. A failed call leaves the array as it was.
 */
#ifndef GM_BASE_ARRAY_H
#define GM_BASE_ARRAY_H

#include "base/base.h"

#define GM_ARRAY(type)                                                                                                 \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count;                                                                                                  \
        size_t capacity;                                                                                               \
    }

/* Room for `more` further items; false when there is no memory. */
bool gm_array_reserve_(const gm_allocator *allocator, void **items, size_t *capacity, size_t count, size_t more,
                       size_t size);

#define GM_ARRAY_RESERVE(allocator, array, more)                                                                       \
    gm_array_reserve_((allocator), (void **)&(array)->items, &(array)->capacity, (array)->count, (more),               \
                      sizeof *(array)->items)
/* Appends a value, which may read the array; an expression that is false when there is no memory. */
#define GM_ARRAY_PUSH(allocator, array, value)                                                                         \
    (GM_ARRAY_RESERVE(allocator, array, 1) ? ((array)->items[(array)->count] = (value), (array)->count++, true) : false)
#define GM_ARRAY_FREE(allocator, array)                                                                                \
    (gm_deallocate((allocator), (array)->items, (array)->capacity, sizeof *(array)->items), (array)->items = NULL,     \
     (array)->count = (array)->capacity = 0)

#endif
