/*
 * check.h - what a test program needs: CHECK, a tally, and an allocator that fails on command.
 *
 * A test file has static void functions whose names are sentences, and a main that runs them with
 * RUN and ends with `return REPORT("test_name");`.
 */
#ifndef CHECK_H
#define CHECK_H

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

static int check_failed;
static int check_run;

#define CHECK(claim)                                                                                                   \
    do {                                                                                                               \
        if (!(claim)) {                                                                                                \
            fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, __LINE__, __func__, #claim);                        \
            check_failed++;                                                                                            \
            if (check_failed > 20)                                                                                     \
                exit(1);                                                                                               \
        }                                                                                                              \
    } while (0)

#define RUN(test) (check_run++, test())
#define REPORT(name) (printf("%s: %d passed, %d failed\n", name, check_run - (check_failed > 0), check_failed), check_failed != 0)

/* An allocator that counts, and fails once `budget` calls were served (budget < 0: never). */
typedef struct failing_allocator {
    long budget;
    long live; /* blocks not yet freed */
    long calls;
} failing_allocator;

static inline bool failing_spend(failing_allocator *state)
{
    state->calls++;
    if (state->budget == 0)
        return false;
    if (state->budget > 0)
        state->budget--;
    return true;
}

static inline void *failing_allocate(void *context, size_t size)
{
    failing_allocator *state = context;
    if (!failing_spend(state))
        return NULL;
    state->live++;
    return malloc(size);
}

static inline void *failing_reallocate(void *context, void *block, size_t old_size, size_t size)
{
    (void)old_size;
    return failing_spend(context) ? realloc(block, size) : NULL;
}

static inline void failing_deallocate(void *context, void *block, size_t size)
{
    (void)size;
    ((failing_allocator *)context)->live--;
    free(block);
}

static inline gm_allocator failing_allocator_of(failing_allocator *state)
{
    return (gm_allocator){state, failing_allocate, failing_reallocate, failing_deallocate};
}

#endif
