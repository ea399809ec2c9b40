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

static size_t size_of(const gm_shared_mask *mask) { return sizeof *mask + mask->word_count * sizeof *mask->words; }

/* L >= lock. Takes a mask out of the list of those that nobody uses. */
static void put_to_use(gm_memo_pool *pool, gm_shared_mask *mask)
{
    *(mask->older != NULL ? &mask->older->newer : &pool->oldest) = mask->newer;
    *(mask->newer != NULL ? &mask->newer->older : &pool->newest) = mask->older;
    mask->older = mask->newer = NULL;
    pool->idle_count--;
}

/* L >= lock. Frees the mask that was given up longest ago. */
static void free_oldest(gm_memo_pool *pool)
{
    gm_shared_mask *mask = pool->oldest;
    gm_shared_mask **at = &pool->buckets[mask->hash % GM_POOL_BUCKETS];
    while (*at != mask)
        at = &(*at)->next;
    *at = mask->next;
    put_to_use(pool, mask);
    pool->taken -= size_of(mask);
    gm_deallocate(&pool->allocator, mask, 1, size_of(mask));
}

void gm_memo_pool_destroy(gm_memo_pool *pool)
{
    while (pool->oldest != NULL)
        free_oldest(pool);
    GM_ASSERT(pool->taken == 0);
    free_blocks(pool, pool->kept);
    gm_lock_destroy(&pool->lock);
}

size_t gm_memo_pool_memory(gm_memo_pool *pool)
{
    gm_lock_acquire(&pool->lock);
    const size_t size = (size_t)pool->taken + (size_t)pool->kept_count * GM_POOL_BLOCK;
    gm_lock_release(&pool->lock);
    return size;
}

/* L >= lock. Whether the budget has so much left, or has once masks that nobody uses are gone. */
static bool make_room(gm_memo_pool *pool, size_t size)
{
    while (pool->taken + size > pool->budget && pool->oldest != NULL)
        free_oldest(pool);
    return pool->taken + size <= pool->budget;
}

/* ---- blocks ---- */

gm_pool_block *gm_memo_pool_take(gm_memo_pool *pool)
{
    gm_lock_acquire(&pool->lock);
    gm_pool_block *block = NULL;
    if (make_room(pool, GM_POOL_BLOCK)) {
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

/* ---- masks ---- */

/* L >= lock. The mask of these words, or NULL. */
static gm_shared_mask *find(gm_memo_pool *pool, uint64_t hash, const uint32_t *words, size_t word_count)
{
    gm_shared_mask *mask = pool->buckets[hash % GM_POOL_BUCKETS];
    while (mask != NULL && (mask->hash != hash || mask->word_count != word_count ||
                            memcmp(mask->words, words, word_count * sizeof *words) != 0))
        mask = mask->next;
    return mask;
}

/* L >= lock. A new one, which nobody uses yet and no list has; NULL when there is no memory. */
static gm_shared_mask *make(gm_memo_pool *pool, uint64_t hash, const uint32_t *words, size_t word_count)
{
    const size_t size = sizeof(gm_shared_mask) + word_count * sizeof *words;
    gm_shared_mask *mask = make_room(pool, size) ? gm_allocate(&pool->allocator, 1, size) : NULL;
    if (mask == NULL)
        return NULL;
    gm_shared_mask **bucket = &pool->buckets[hash % GM_POOL_BUCKETS];
    *mask = (gm_shared_mask){.next = *bucket, .hash = hash, .word_count = word_count};
    memcpy(mask->words, words, word_count * sizeof *words);
    *bucket = mask;
    pool->taken += size;
    return mask;
}

gm_shared_mask *gm_memo_pool_share(gm_memo_pool *pool, uint64_t hash, const uint32_t *words, size_t word_count)
{
    gm_lock_acquire(&pool->lock);
    gm_shared_mask *mask = find(pool, hash, words, word_count);
    if (mask == NULL)
        mask = make(pool, hash, words, word_count);
    else if (mask->users == 0)
        put_to_use(pool, mask);
    if (mask != NULL)
        mask->users++;
    gm_lock_release(&pool->lock);
    return mask;
}

void gm_memo_pool_release(gm_memo_pool *pool, gm_shared_mask *mask)
{
    gm_lock_acquire(&pool->lock);
    if (--mask->users == 0) {
        mask->older = pool->newest;
        *(pool->newest != NULL ? &pool->newest->newer : &pool->oldest) = mask;
        pool->newest = mask;
        pool->idle_count++;
    }
    while (pool->idle_count > GM_POOL_IDLE)
        free_oldest(pool);
    gm_lock_release(&pool->lock);
}
