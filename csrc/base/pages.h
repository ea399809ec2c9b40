/*
 * base/pages.h - memory that is there when it is written.
 *
 * What an allocator hands out in large pieces the system mostly backs with memory only when it is first written, a page
 * at a time, which takes longer than the writing. Who knows that all of a block will be used, or that its user must not
 * wait, asks for the memory of all its pages at once.
 */
#ifndef GM_BASE_PAGES_H
#define GM_BASE_PAGES_H

#include <stddef.h>

/* Asks for the memory of the pages that lie within a block. Nothing but time depends on it: where the system does not
 * know how, or refuses, each comes when it is written. NULL does nothing. */
void gm_pages_give(void *block, size_t size);
/* Asks for large pages, where a block is aligned to one and as long; for their memory only when it is written. */
void gm_pages_enlarge(void *block, size_t size);

#endif
