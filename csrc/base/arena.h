/*
 * base/arena.h - memory that lives as long as its owner, given out by bumping a pointer.
 *
 *   arena -> [chunk: header | used ........ | free ....] -> [older chunk] -> ... -> NULL
 *
 * Blocks never move and are never freed one by one: gm_arena_rewind gives back all that was taken
 * since gm_arena_save, gm_arena_destroy everything. Each chunk doubles the one before it up to a
 * bound; a block larger than that gets a chunk of its own. Under AddressSanitizer the free part is
 * poisoned.
 *
 * Owner: whoever embeds it. Locking: the owner's. A failed call leaves the arena as it was.
 */
#ifndef GM_BASE_ARENA_H
#define GM_BASE_ARENA_H

#include "base/base.h"

typedef struct gm_arena_chunk gm_arena_chunk;
struct gm_arena_chunk {
    gm_arena_chunk *older;
    size_t size; /* of the whole chunk */
    size_t used; /* header included, a multiple of the alignment */
};

typedef struct gm_arena {
    gm_allocator allocator;
    gm_arena_chunk *chunk; /* newest */
    gm_arena_chunk *spare; /* given back and kept, so that save, take and rewind in a loop allocate once */
    size_t reserved;       /* bytes of all chunks, headers included */
    size_t budget;         /* no block is taken past this; SIZE_MAX = no bound */
    bool is_spent;         /* the budget refused a block, not the allocator; the owner clears it */
} gm_arena;

typedef struct gm_arena_mark {
    gm_arena_chunk *chunk;
    size_t used;
} gm_arena_mark;

void gm_arena_init(gm_arena *arena, const gm_allocator *allocator);
void gm_arena_destroy(gm_arena *arena);
/* Aligned for any object; NULL when there is no memory or the budget is spent. Size 0 gives a
 * pointer that must not be read. */
void *gm_arena_take(gm_arena *arena, size_t size);
void *gm_arena_take_zeroed(gm_arena *arena, size_t size);
void *gm_arena_copy(gm_arena *arena, const void *data, size_t size);
/* NUL-terminated copy. */
char *gm_arena_text(gm_arena *arena, gm_bytes text);

static inline gm_arena_mark gm_arena_save(const gm_arena *arena)
{
    return (gm_arena_mark){arena->chunk, arena->chunk != NULL ? arena->chunk->used : 0};
}

/* What gm_arena_rewind does once something was taken. */
void gm_arena_cut(gm_arena *arena, gm_arena_mark mark);

static inline void gm_arena_rewind(gm_arena *arena, gm_arena_mark mark)
{
    if (arena->chunk != mark.chunk || (mark.chunk != NULL && mark.chunk->used != mark.used))
        gm_arena_cut(arena, mark);
}

/* What gm_arena_make_ready does where the newest chunk is too full. */
void gm_arena_keep_spare(gm_arena *arena, size_t size);

/* Sees to it, where memory and budget have it, that so many bytes more can be taken without the allocator. */
static inline void gm_arena_make_ready(gm_arena *arena, size_t size)
{
    if (arena->chunk == NULL || arena->chunk->size - arena->chunk->used < size)
        gm_arena_keep_spare(arena, size);
}

/* Moves all of the other arena's blocks to the end of this one, whatever its budget; the other is empty then. Both have
 * one allocator. Cannot fail. */
void gm_arena_append(gm_arena *arena, gm_arena *other);

/* An array of count objects, zeroed; NULL on failure or overflow. */
void *gm_arena_array(gm_arena *arena, size_t count, size_t size);
#define GM_ARENA_NEW(arena, type, count) ((type *)gm_arena_array((arena), (count), sizeof(type)))

#endif
