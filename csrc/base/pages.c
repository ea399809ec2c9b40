/* base/pages.c - see pages.h. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "base/pages.h"

#include <stdint.h>

void gm_pages_give(void *block, size_t size)
{
#if defined(MADV_POPULATE_WRITE)
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)block;
    const uintptr_t first = (begin + page - 1) / page * page, end = (begin + size) / page * page;
    if (block != NULL && first < end)
        (void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#else
    (void)block, (void)size;
#endif
}

void gm_pages_enlarge(void *block, size_t size)
{
#if defined(MADV_HUGEPAGE)
    (void)madvise(block, size, MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}
