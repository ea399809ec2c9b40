/*
 * base/lock.h - a mutex, the only place that knows the system's threads.
 *
 * Held only while something is built; never on a path that finds what is already there.
 */
#ifndef GM_BASE_LOCK_H
#define GM_BASE_LOCK_H

#include <stdbool.h>

#if defined(_WIN32)
typedef struct gm_lock {
    void *handle; /* an SRWLOCK */
} gm_lock;
#else
#include <pthread.h>
typedef struct gm_lock {
    pthread_mutex_t mutex;
} gm_lock;
#endif

bool gm_lock_init(gm_lock *lock);
void gm_lock_destroy(gm_lock *lock);
void gm_lock_acquire(gm_lock *lock);
void gm_lock_release(gm_lock *lock);

#endif
