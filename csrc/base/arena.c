/* base/arena.c - see arena.h. */
#include "base/arena.h"

#include "base/pages.h"

#ifdef GM_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(at, size) __asan_poison_memory_region((at), (size))
#define UNPOISON(at, size) __asan_unpoison_memory_region((at), (size))
#define RED_ZONE 16
#else
#define POISON(at, size) ((void)0)
#define UNPOISON(at, size) ((void)0)
#define RED_ZONE 0
#endif

enum { FIRST_CHUNK = 1024, LARGEST_CHUNK = 1 << 18, ALIGNMENT = 16 };

static size_t round_up(size_t size) { return (size + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1); }

void gm_arena_init(gm_arena *arena, const gm_allocator *allocator)
{
    *arena = (gm_arena){.allocator = *allocator, .budget = SIZE_MAX};
}

static void free_chunk(gm_arena *arena, gm_arena_chunk *chunk)
{
    if (chunk == NULL)
        return;
    arena->reserved -= chunk->size;
    UNPOISON(chunk, chunk->size);
    gm_deallocate(&arena->allocator, chunk, chunk->size, 1);
}

/* Of the newest chunk and the spare one the larger is kept, unless a single large block asked for it. */
static void drop_newest(gm_arena *arena)
{
    gm_arena_chunk *chunk = arena->chunk, *other = arena->spare;
    arena->chunk = chunk->older;
    if (chunk->size > LARGEST_CHUNK || (other != NULL && other->size >= chunk->size)) {
        free_chunk(arena, chunk);
        return;
    }
    free_chunk(arena, other);
    POISON((char *)chunk + round_up(sizeof *chunk), chunk->size - round_up(sizeof *chunk));
    arena->spare = chunk;
}

void gm_arena_destroy(gm_arena *arena)
{
    while (arena->chunk != NULL)
        drop_newest(arena);
    free_chunk(arena, arena->spare);
    arena->spare = NULL;
}

/* Takes the spare chunk into use if it has the room; frees it otherwise. */
static bool use_spare(gm_arena *arena, size_t needed, size_t header)
{
    gm_arena_chunk *chunk = arena->spare;
    arena->spare = NULL;
    if (chunk == NULL || chunk->size < needed + header) {
        free_chunk(arena, chunk);
        return false;
    }
    chunk->older = arena->chunk;
    chunk->used = header;
    arena->chunk = chunk;
    return true;
}

static bool add_chunk(gm_arena *arena, size_t needed)
{
    const size_t header = round_up(sizeof(gm_arena_chunk));
    if (use_spare(arena, needed, header))
        return true;
    const size_t left = arena->budget > arena->reserved ? arena->budget - arena->reserved : 0;
    size_t size = arena->chunk == NULL ? FIRST_CHUNK : arena->chunk->size * 2;
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    if (size < needed + header)
        size = needed + header;
    if (size > left)
        size = needed + header;
    if (size > left) {
        arena->is_spent = true;
        return false;
    }
    gm_arena_chunk *chunk = gm_allocate(&arena->allocator, size, 1);
    if (chunk == NULL)
        return false;
    if (size > LARGEST_CHUNK) /* for one block, all of which is asked for */
        gm_pages_give(chunk, size);
    *chunk = (gm_arena_chunk){.older = arena->chunk, .size = size, .used = header};
    POISON((char *)chunk + header, size - header);
    arena->chunk = chunk;
    arena->reserved += size;
    return true;
}

void *gm_arena_take(gm_arena *arena, size_t size)
{
    if (size > PTRDIFF_MAX / 2)
        return NULL;
    const size_t needed = round_up(size + RED_ZONE);
    gm_arena_chunk *chunk = arena->chunk;
    if (chunk == NULL || chunk->size - chunk->used < needed) {
        if (!add_chunk(arena, needed))
            return NULL;
        chunk = arena->chunk;
    }
    char *block = (char *)chunk + chunk->used;
    chunk->used += needed;
    UNPOISON(block, size);
    return block;
}

void gm_arena_keep_spare(gm_arena *arena, size_t size)
{
    const gm_arena_chunk *spare = arena->spare;
    if (spare != NULL && spare->size - round_up(sizeof *spare) >= size)
        return;
    const gm_arena_mark mark = gm_arena_save(arena);
    const bool was_spent = arena->is_spent;
    (void)gm_arena_take(arena, size);
    gm_arena_rewind(arena, mark);
    arena->is_spent = was_spent;
}

void *gm_arena_take_zeroed(gm_arena *arena, size_t size)
{
    void *block = gm_arena_take(arena, size);
    if (block != NULL)
        memset(block, 0, size);
    return block;
}

void *gm_arena_array(gm_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    return gm_multiply(count, size, &bytes) ? gm_arena_take_zeroed(arena, bytes) : NULL;
}

void *gm_arena_copy(gm_arena *arena, const void *data, size_t size)
{
    void *block = gm_arena_take(arena, size);
    if (block != NULL && size != 0)
        memcpy(block, data, size);
    return block;
}

char *gm_arena_text(gm_arena *arena, gm_bytes text)
{
    char *copy = gm_arena_take(arena, text.length + 1);
    if (copy != NULL) {
        if (text.length != 0)
            memcpy(copy, text.data, text.length);
        copy[text.length] = '\0';
    }
    return copy;
}

void gm_arena_cut(gm_arena *arena, gm_arena_mark mark)
{
    while (arena->chunk != mark.chunk)
        drop_newest(arena);
    if (mark.chunk != NULL) {
        GM_ASSERT(mark.used <= mark.chunk->used);
        POISON((char *)mark.chunk + mark.used, mark.chunk->used - mark.used);
        mark.chunk->used = mark.used;
    }
}

void gm_arena_append(gm_arena *arena, gm_arena *other)
{
    gm_arena_chunk *oldest = other->chunk;
    free_chunk(other, other->spare);
    other->spare = NULL;
    if (oldest == NULL)
        return;
    while (oldest->older != NULL)
        oldest = oldest->older;
    oldest->older = arena->chunk;
    arena->chunk = other->chunk;
    arena->reserved += other->reserved;
    other->chunk = NULL;
    other->reserved = 0;
}
