/* mask/pool.c - see pool.h. */
#include "mask/pool.h"

bool gm_memo_pool_init(gm_memo_pool *pool, const gm_allocator *allocator, uint64_t budget)
{
    *pool = (gm_memo_pool){.allocator = *allocator, .budget = budget};
    return gm_lock_init(&pool->lock);
}

static void free_blocks(const gm_memo_pool *pool, gm_pool_block *blocks)
{
    while (blocks != NULL) {
        gm_pool_block *next = blocks->next;
        gm_deallocate(&pool->allocator, blocks, GM_POOL_BLOCK, 1);
        blocks = next;
    }
}

void gm_memo_pool_destroy(gm_memo_pool *pool)
{
    free_blocks(pool, pool->kept);
    gm_lock_destroy(&pool->lock);
}

gm_pool_block *gm_memo_pool_take(gm_memo_pool *pool)
{
    gm_lock_acquire(&pool->lock);
    gm_pool_block *block = NULL;
    if (pool->budget >= GM_POOL_BLOCK && pool->taken <= pool->budget - GM_POOL_BLOCK) {
        block = pool->kept;
        if (block != NULL) {
            pool->kept = block->next;
            pool->kept_count--;
        } else {
            block = gm_allocate(&pool->allocator, GM_POOL_BLOCK, 1);
        }
    }
    if (block != NULL) {
        block->next = NULL;
        block->used = 0;
        pool->taken += GM_POOL_BLOCK;
    }
    gm_lock_release(&pool->lock);
    return block;
}

void gm_memo_pool_give(gm_memo_pool *pool, gm_pool_block *blocks)
{
    gm_lock_acquire(&pool->lock);
    while (blocks != NULL) {
        gm_pool_block *block = blocks;
        blocks = block->next;
        pool->taken -= GM_POOL_BLOCK;
        block->next = NULL;
        if (pool->kept_count == GM_POOL_KEPT) {
            free_blocks(pool, block);
            continue;
        }
        block->next = pool->kept;
        pool->kept = block;
        pool->kept_count++;
    }
    gm_lock_release(&pool->lock);
}
