/*
 * mask/pool.h - blocks of memory for memos, of one size, handed on from a grammar that ends to the next.
 *
 * Masks are large, and most grammars of a compiler live for one document: memory that was touched
 * before costs a mask half of what fresh memory costs. A few blocks are kept when nobody needs them.
 *
 * Locking: its own lock, held for the moment of taking or giving.
 */
#ifndef GM_MASK_POOL_H
#define GM_MASK_POOL_H

#include "base/base.h"
#include "base/lock.h"

enum { GM_POOL_BLOCK = 96 << 10, GM_POOL_KEPT = 32 };

typedef struct gm_pool_block {
    struct gm_pool_block *next;
    size_t used; /* bytes of data */
    char data[];
} gm_pool_block;

enum { GM_POOL_ROOM = GM_POOL_BLOCK - sizeof(gm_pool_block) };

typedef struct gm_memo_pool {
    gm_allocator allocator;
    uint64_t budget; /* bytes */
    gm_lock lock;
    uint64_t taken;      /* L = lock; bytes of blocks in use */
    gm_pool_block *kept; /* L = lock */
    uint32_t kept_count; /* L = lock */
} gm_memo_pool;

bool gm_memo_pool_init(gm_memo_pool *pool, const gm_allocator *allocator, uint64_t budget);
void gm_memo_pool_destroy(gm_memo_pool *pool);
/* An empty block; NULL when the budget is spent or out of memory. */
gm_pool_block *gm_memo_pool_take(gm_memo_pool *pool);
/* Gives back a list of blocks. */
void gm_memo_pool_give(gm_memo_pool *pool, gm_pool_block *blocks);

#endif
