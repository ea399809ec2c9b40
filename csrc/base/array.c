/* base/array.c - see array.h. */
#include "base/array.h"

bool gm_array_reserve_(const gm_allocator *allocator, void **items, size_t *capacity, size_t count, size_t more,
                       size_t size)
{
    if (*capacity - count >= more)
        return true;
    if (more > SIZE_MAX / 4 - count)
        return false;
    size_t wanted = *capacity < 8 ? 8 : *capacity * 2;
    if (wanted < count + more)
        wanted = count + more;
    void *grown = gm_reallocate(allocator, *items, *capacity, wanted, size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}
