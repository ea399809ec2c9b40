/* base/slabs.c - see slabs.h. */
#include "base/slabs.h"

#include "base/lock.h"
#include "base/pages.h"

#include <stdlib.h>

#ifdef GM_ASAN
enum { IS_IN_USE = 0 };
#else
enum { IS_IN_USE = 1 };
#endif

enum {
    SLAB = 2 << 20, /* bytes, and their alignment */
    UNIT = 512,     /* a block of order n is UNIT << n bytes */
    ORDERS = 11,
    LARGEST = UNIT << (ORDERS - 1),
    UNITS = SLAB / UNIT
};

typedef struct block { /* a free one */
    struct block *next, *before;
} block;

typedef struct slab {
    void *memory;        /* what malloc gave, the slab somewhere in it */
    size_t used;         /* units */
    uint8_t free[UNITS]; /* by unit: 1 + the order of the free block that begins there, or 0 */
} slab;

enum { HEADER = 16 * UNIT }; /* a whole block, so that the rest of a slab is blocks too */

struct gm_slabs {
    gm_lock lock;
    block *free[ORDERS]; /* L = lock; by order */
    size_t slab_count;   /* L = lock */
    size_t empty_count;  /* L = lock; slabs of which nothing is used */
};

static slab *slab_of(const void *at) { return (slab *)((uintptr_t)at & ~(uintptr_t)(SLAB - 1)); }
static size_t unit_of(const void *at) { return ((uintptr_t)at & (SLAB - 1)) / UNIT; }
static block *block_at(slab *in, size_t unit) { return (block *)((char *)in + unit * UNIT); }

static unsigned order_of(size_t size)
{
    unsigned order = 0;
    while ((size_t)UNIT << order < size)
        order++;
    return order;
}

static bool is_ours(size_t size) { return size >= UNIT && size <= LARGEST; }

/* ---- free blocks; L >= lock ---- */

static void put(gm_slabs *slabs, slab *in, size_t unit, unsigned order)
{
    block *added = block_at(in, unit);
    *added = (block){.next = slabs->free[order]};
    if (added->next != NULL)
        added->next->before = added;
    slabs->free[order] = added;
    in->free[unit] = (uint8_t)(order + 1);
}

static void take(gm_slabs *slabs, slab *in, size_t unit, unsigned order)
{
    block *taken = block_at(in, unit);
    *(taken->before != NULL ? &taken->before->next : &slabs->free[order]) = taken->next;
    if (taken->next != NULL)
        taken->next->before = taken->before;
    in->free[unit] = 0;
}

/* ---- slabs; L >= lock ---- */

static bool add_slab(gm_slabs *slabs)
{
    char *memory = malloc(2 * (size_t)SLAB); /* half of it is never touched */
    if (memory == NULL)
        return false;
    slab *made = slab_of(memory + SLAB - 1);
    gm_pages_enlarge(made, SLAB);
    memset(made, 0, sizeof *made);
    made->memory = memory;
    for (size_t unit = HEADER / UNIT; unit < UNITS;) {
        unsigned order = 0; /* of the greatest block that may begin there */
        while (order + 1 < ORDERS && unit % ((size_t)2 << order) == 0)
            order++;
        put(slabs, made, unit, order);
        unit += (size_t)1 << order;
    }
    slabs->slab_count++;
    slabs->empty_count++;
    return true;
}

static void drop_slab(gm_slabs *slabs, slab *dropped)
{
    for (size_t unit = HEADER / UNIT; unit < UNITS;) {
        const unsigned order = dropped->free[unit] - 1u;
        take(slabs, dropped, unit, order);
        unit += (size_t)1 << order;
    }
    slabs->slab_count--;
    slabs->empty_count--;
    free(dropped->memory);
}

/* ---- blocks; L >= lock ---- */

static void *take_block(gm_slabs *slabs, unsigned wanted)
{
    unsigned order = wanted;
    while (order < ORDERS && slabs->free[order] == NULL)
        order++;
    if (order == ORDERS) {
        if (!add_slab(slabs))
            return NULL;
        for (order = wanted; slabs->free[order] == NULL;)
            order++;
    }
    block *taken = slabs->free[order];
    slab *in = slab_of(taken);
    const size_t unit = unit_of(taken);
    take(slabs, in, unit, order);
    while (order > wanted) {
        order--;
        put(slabs, in, unit + ((size_t)1 << order), order);
    }
    slabs->empty_count -= in->used == 0;
    in->used += (size_t)1 << wanted;
    return taken;
}

static void give_block(gm_slabs *slabs, void *at, unsigned order)
{
    slab *in = slab_of(at);
    size_t unit = unit_of(at);
    in->used -= (size_t)1 << order;
    for (; order + 1 < ORDERS; order++) {
        const size_t buddy = unit ^ (size_t)1 << order;
        if (in->free[buddy] != order + 1)
            break;
        take(slabs, in, buddy, order);
        unit &= ~((size_t)1 << order);
    }
    put(slabs, in, unit, order);
    if (in->used != 0)
        return;
    slabs->empty_count++;
    if (slabs->empty_count > 1)
        drop_slab(slabs, in);
}

/* ---- as an allocator ---- */

static void *slabs_allocate(void *context, size_t size)
{
    gm_slabs *slabs = context;
    if (!is_ours(size))
        return malloc(size);
    gm_lock_acquire(&slabs->lock);
    void *taken = take_block(slabs, order_of(size));
    gm_lock_release(&slabs->lock);
    return taken;
}

static void slabs_deallocate(void *context, void *at, size_t size)
{
    gm_slabs *slabs = context;
    if (!is_ours(size)) {
        free(at);
        return;
    }
    gm_lock_acquire(&slabs->lock);
    give_block(slabs, at, order_of(size));
    gm_lock_release(&slabs->lock);
}

static void *slabs_reallocate(void *context, void *at, size_t old_size, size_t size)
{
    if (!is_ours(old_size) && !is_ours(size))
        return realloc(at, size);
    if (is_ours(old_size) && is_ours(size) && order_of(old_size) == order_of(size))
        return at;
    void *moved = slabs_allocate(context, size);
    if (moved == NULL)
        return NULL;
    memcpy(moved, at, old_size < size ? old_size : size);
    slabs_deallocate(context, at, old_size);
    return moved;
}

gm_slabs *gm_slabs_create(void)
{
    gm_slabs *made = IS_IN_USE ? calloc(1, sizeof *made) : NULL;
    if (made != NULL && !gm_lock_init(&made->lock)) {
        free(made);
        made = NULL;
    }
    return made;
}

void gm_slabs_destroy(gm_slabs *slabs)
{
    if (slabs == NULL)
        return;
    GM_ASSERT(slabs->slab_count == slabs->empty_count);
    while (slabs->slab_count != 0)
        drop_slab(slabs, slab_of(slabs->free[ORDERS - 1]));
    gm_lock_destroy(&slabs->lock);
    free(slabs);
}

gm_allocator gm_slabs_allocator(gm_slabs *slabs)
{
    return (gm_allocator){slabs, slabs_allocate, slabs_reallocate, slabs_deallocate};
}

void gm_slabs_make_ready(gm_slabs *slabs)
{
    if (slabs == NULL)
        return;
    gm_lock_acquire(&slabs->lock);
    if (slabs->free[ORDERS - 1] == NULL && add_slab(slabs))
        gm_pages_give(slab_of(slabs->free[ORDERS - 1]), SLAB);
    gm_lock_release(&slabs->lock);
}
