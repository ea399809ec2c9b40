/*
 * allocation_counter.h - how often this thread asked malloc for memory: for tests that say "none".
 */
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* False where malloc cannot be watched: other systems than glibc, and under sanitizers. */
bool allocation_counter_works(void);

/* Calls of malloc, calloc, realloc and their kin by this thread so far. */
uint64_t allocation_count(void);

#endif
