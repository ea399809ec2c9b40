/* base/lock.c - see lock.h. */
#include "base/lock.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

bool gm_lock_init(gm_lock *lock)
{
    InitializeSRWLock((PSRWLOCK)&lock->handle);
    return true;
}
void gm_lock_destroy(gm_lock *lock) { (void)lock; }
void gm_lock_acquire(gm_lock *lock) { AcquireSRWLockExclusive((PSRWLOCK)&lock->handle); }
void gm_lock_release(gm_lock *lock) { ReleaseSRWLockExclusive((PSRWLOCK)&lock->handle); }
#else
bool gm_lock_init(gm_lock *lock) { return pthread_mutex_init(&lock->mutex, NULL) == 0; }
void gm_lock_destroy(gm_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
void gm_lock_acquire(gm_lock *lock) { pthread_mutex_lock(&lock->mutex); }
void gm_lock_release(gm_lock *lock) { pthread_mutex_unlock(&lock->mutex); }
#endif
