/*
 * mask/pool.h - what the memos of one compiler share: masks, and blocks of memory.
 *
 * Masks are large, and most positions, of one grammar and of all, have one of a few hundred. Each is kept once, by its
 * words, and counted by those who use it. Some that nobody uses are kept for the next grammar: most live for
 * one document. So are some blocks, of one size, which memos keep all else in.
 *
 * Budget: of both together; masks that nobody uses are given up before anything is refused.
 * Locking: its own lock, held for the moment of a call. A mask's words never change while it has a user.
 */
#ifndef GM_MASK_POOL_H
#define GM_MASK_POOL_H

#include "base/base.h"
#include "base/lock.h"

enum { GM_POOL_BLOCK = 16 << 10, GM_POOL_KEPT = 64, GM_POOL_IDLE = 256, GM_POOL_BUCKETS = 1024 };

typedef struct gm_pool_block {
    struct gm_pool_block *next;
    size_t used; /* bytes of data */
    char data[];
} gm_pool_block;

enum { GM_POOL_ROOM = GM_POOL_BLOCK - sizeof(gm_pool_block) };

typedef struct gm_shared_mask {
    struct gm_shared_mask *next;          /* of the bucket */
    struct gm_shared_mask *older, *newer; /* of those that nobody uses */
    uint64_t hash;
    size_t users;
    size_t word_count;
    uint32_t words[];
} gm_shared_mask;

typedef struct gm_memo_pool {
    gm_allocator allocator;
    uint64_t budget; /* bytes */
    gm_lock lock;
    uint64_t taken;                           /* L = lock; bytes of blocks in use and of all masks */
    gm_pool_block *kept;                      /* L = lock */
    uint32_t kept_count;                      /* L = lock */
    gm_shared_mask *buckets[GM_POOL_BUCKETS]; /* L = lock; by hash */
    gm_shared_mask *oldest, *newest;          /* L = lock; of those that nobody uses */
    uint32_t idle_count;                      /* L = lock; how many those are */
} gm_memo_pool;

bool gm_memo_pool_init(gm_memo_pool *pool, const gm_allocator *allocator, uint64_t budget);
/* Nobody uses anything of it any more. */
void gm_memo_pool_destroy(gm_memo_pool *pool);
/* Bytes of blocks and masks, used or not. */
size_t gm_memo_pool_memory(gm_memo_pool *pool);
/* An empty block; NULL when the budget is spent or out of memory. */
gm_pool_block *gm_memo_pool_take(gm_memo_pool *pool);
/* Gives back a list of blocks. */
void gm_memo_pool_give(gm_memo_pool *pool, gm_pool_block *blocks);
/* The mask of these words, with one user more; NULL when the budget is spent or out of memory. The hash is any
 * function of the words, and of what is the same each time they are shared. */
gm_shared_mask *gm_memo_pool_share(gm_memo_pool *pool, uint64_t hash, const uint32_t *words, size_t word_count);
/* Of one user less. */
void gm_memo_pool_release(gm_memo_pool *pool, gm_shared_mask *mask);

#endif
