/*
 * mask/inner.c - see inner.h.
 *
 * Found masks are in chunks of pointers by term, which never move.
 */
#include "mask/inner.h"

enum { CHUNK = 256, CHUNKS = 1 << 14 };

typedef struct inner_chunk {
    _Atomic(const uint32_t *) of[2][CHUNK]; /* by minimal */
} inner_chunk;

struct gm_inner {
    gm_allocator allocator;
    gm_vocab *vocab;
    gm_text *text;
    const gm_alphabet *alphabets; /* by minimal */
    size_t words;
    uint64_t budget;
    gm_lock grow;
    gm_arena arena; /* L = grow */
    _Atomic(inner_chunk *) *chunks;
    gm_tails tails[2]; /* L = grow; by minimal; made with the mask below */
    _Atomic(const uint32_t *) free[2];
    gm_points points[2];                     /* L = grow; by minimal; made with free */
    gm_openings openings[2];                 /* L = grow; by minimal */
    _Atomic(const gm_openings *) opened[2];  /* the same, once made */
    gm_blanks blanks[GM_MAX_BLANK_ROOM + 1]; /* L = grow; by room, the last for any more */
    _Atomic(const gm_blanks *) blanked[GM_MAX_BLANK_ROOM + 1];
};

gm_status gm_inner_create(const gm_allocator *allocator, gm_vocab *vocab, gm_text *text, const gm_alphabet alphabets[2],
                          uint64_t budget, gm_inner **inner, gm_error *error)
{
    gm_inner *made = gm_allocate_zeroed(allocator, 1, sizeof *made);
    if (made == NULL)
        return gm_no_memory(error);
    made->chunks = gm_allocate_zeroed(allocator, CHUNKS, sizeof *made->chunks);
    if (made->chunks == NULL || !gm_lock_init(&made->grow)) {
        gm_deallocate(allocator, made->chunks, CHUNKS, sizeof *made->chunks);
        gm_deallocate(allocator, made, 1, sizeof *made);
        return gm_no_memory(error);
    }
    made->allocator = *allocator;
    made->vocab = vocab;
    made->text = text;
    made->alphabets = alphabets;
    made->words = gm_vocab_facts_of(vocab)->mask_words;
    made->budget = budget;
    gm_arena_init(&made->arena, allocator);
    atomic_init(&made->free[0], NULL);
    atomic_init(&made->free[1], NULL);
    atomic_init(&made->opened[0], NULL);
    atomic_init(&made->opened[1], NULL);
    for (int i = 0; i <= GM_MAX_BLANK_ROOM; i++)
        atomic_init(&made->blanked[i], NULL);
    *inner = made;
    return GM_OK;
}

void gm_inner_destroy(gm_inner *inner)
{
    if (inner == NULL)
        return;
    const gm_allocator allocator = inner->allocator;
    gm_arena_destroy(&inner->arena);
    gm_tails_destroy(&inner->tails[0], &allocator);
    gm_tails_destroy(&inner->tails[1], &allocator);
    gm_points_destroy(&inner->points[0], &allocator);
    gm_points_destroy(&inner->points[1], &allocator);
    gm_openings_destroy(&inner->openings[0], &allocator);
    gm_openings_destroy(&inner->openings[1], &allocator);
    for (int i = 0; i <= GM_MAX_BLANK_ROOM; i++)
        gm_blanks_destroy(&inner->blanks[i], &allocator);
    gm_lock_destroy(&inner->grow);
    gm_deallocate(&allocator, inner->chunks, CHUNKS, sizeof *inner->chunks);
    gm_deallocate(&allocator, inner, 1, sizeof *inner);
}

typedef struct inner_level {
    const gm_text_row *row;
    gm_spelling_state spelling;
    uint32_t end;
} inner_level;

static bool follow_point(gm_inner *inner, const inner_level *from, uint32_t point, inner_level *to, bool *failed)
{
    const gm_term term = gm_text_next(from->row, point);
    if (term == GM_TERM_NONE)
        return false;
    to->spelling = GM_SPELLING_BETWEEN;
    to->row = term == from->row->term ? from->row : gm_text_row_of(inner->text, term);
    *failed = to->row == NULL;
    return to->row != NULL;
}

/* Follows one byte; false when the content cannot go on. *failed: out of memory. */
static bool follow(gm_inner *inner, const inner_level *from, uint8_t byte, bool minimal, inner_level *to, bool *failed)
{
    uint32_t point;
    gm_spelling_state next;
    /* most bytes are letters that spell themselves */
    if (from->spelling == GM_SPELLING_BETWEEN && byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\')
        return follow_point(inner, from, byte, to, failed);
    switch (gm_spelling_step(from->spelling, byte, minimal, &next, &point)) {
    case GM_SPELLED_POINT:
        return follow_point(inner, from, point, to, failed);
    case GM_SPELLED_PART: {
        gm_point_range ranges[4];
        const size_t count = gm_spelling_ranges(next, minimal, ranges);
        to->spelling = next;
        to->row = from->row;
        for (size_t i = 0; i < count; i++)
            if (gm_spelling_meets(next, ranges[i], &inner->alphabets[minimal], from->row))
                return true;
        return false;
    }
    default:
        return false;
    }
}

static bool fill(gm_inner *inner, gm_term term, bool minimal, inner_level *levels, uint32_t *words, uint64_t *visited)
{
    const gm_trie *trie = &gm_vocab_tables_of(inner->vocab)->all;
    inner_level *level = levels;
    *level = (inner_level){gm_text_row_of(inner->text, term), GM_SPELLING_BETWEEN, trie->node_count};
    if (level->row == NULL)
        return false;
    for (uint32_t node = 1; node < trie->node_count; ++*visited) {
        bool failed = false;
        while (node >= level->end)
            level--;
        if (!follow(inner, level, trie->byte[node], minimal, &level[1], &failed)) {
            if (failed)
                return false;
            node = trie->end[node];
            continue;
        }
        for (uint32_t i = trie->first_token[node]; i < trie->first_token[node + 1]; i++)
            words[trie->tokens[i] / 32] |= 1u << trie->tokens[i] % 32;
        level++;
        level->end = trie->end[node];
        node++;
    }
    return true;
}

/* Clears the tokens that hold a quote: they are not inner, even where it is an escaped one. */
static void clear_quotes(const gm_inner *inner, uint32_t *words)
{
    const gm_trie *quotes = &gm_vocab_tables_of(inner->vocab)->quotes;
    for (uint32_t i = 0; i < quotes->token_count; i++)
        words[quotes->tokens[i] / 32] &= ~(1u << quotes->tokens[i] % 32);
}

static uint32_t *build(gm_inner *inner, gm_term term, bool minimal, uint64_t *visited)
{
    const size_t depth = gm_vocab_tables_of(inner->vocab)->max_token_length + 2;
    inner_level *levels = gm_allocate(&inner->allocator, depth, sizeof *levels);
    uint32_t *words = NULL;
    if (levels != NULL && inner->arena.reserved < inner->budget)
        words = GM_ARENA_NEW(&inner->arena, uint32_t, inner->words);
    if (words != NULL && !fill(inner, term, minimal, levels, words, visited))
        words = NULL;
    if (words != NULL)
        clear_quotes(inner, words);
    gm_deallocate(&inner->allocator, levels, depth, sizeof *levels);
    return words;
}

/* L >= grow */
static inner_chunk *chunk_of(gm_inner *inner, gm_term term)
{
    _Atomic(inner_chunk *) *slot = &inner->chunks[term / CHUNK];
    inner_chunk *chunk = atomic_load_explicit(slot, memory_order_relaxed);
    if (chunk != NULL || (chunk = gm_arena_take(&inner->arena, sizeof *chunk)) == NULL)
        return chunk;
    for (int i = 0; i < 2 * CHUNK; i++)
        atomic_init(&chunk->of[i / CHUNK][i % CHUNK], NULL);
    atomic_store_explicit(slot, chunk, memory_order_release);
    return chunk;
}

const uint32_t *gm_inner_mask(gm_inner *inner, gm_term term, bool minimal, uint64_t *visited)
{
    if (term / CHUNK >= CHUNKS)
        return NULL;
    inner_chunk *chunk = atomic_load_explicit(&inner->chunks[term / CHUNK], memory_order_acquire);
    const uint32_t *words =
        chunk != NULL ? atomic_load_explicit(&chunk->of[minimal][term % CHUNK], memory_order_acquire) : NULL;
    if (words != NULL)
        return words;
    gm_lock_acquire(&inner->grow);
    chunk = chunk_of(inner, term);
    words = chunk != NULL ? atomic_load_explicit(&chunk->of[minimal][term % CHUNK], memory_order_relaxed) : NULL;
    if (chunk != NULL && words == NULL && (words = build(inner, term, minimal, visited)) != NULL)
        atomic_store_explicit(&chunk->of[minimal][term % CHUNK], words, memory_order_release);
    gm_lock_release(&inner->grow);
    return words;
}

/* L >= grow */
static const uint32_t *build_free(gm_inner *inner, const uint32_t *any, bool minimal)
{
    uint32_t *words = gm_arena_copy(&inner->arena, any, inner->words * sizeof *any);
    if (words == NULL ||
        gm_tails_init(&inner->tails[minimal], inner->vocab, &inner->alphabets[minimal], &inner->allocator) != GM_OK)
        return NULL;
    for (size_t i = 0; i < inner->words; i++)
        words[i] |= inner->tails[minimal].open[i];
    if (gm_points_init(&inner->points[minimal], inner->vocab, words, minimal, &inner->allocator) == GM_OK)
        return words;
    gm_tails_destroy(&inner->tails[minimal], &inner->allocator);
    return NULL;
}

const uint32_t *gm_inner_free(gm_inner *inner, bool minimal, const gm_tails **tails, uint64_t *visited)
{
    const uint32_t *words = atomic_load_explicit(&inner->free[minimal], memory_order_acquire);
    if (words == NULL) {
        const uint32_t *any = gm_inner_mask(inner, GM_TERM_ANY, minimal, visited);
        if (any == NULL)
            return NULL;
        gm_lock_acquire(&inner->grow);
        words = atomic_load_explicit(&inner->free[minimal], memory_order_relaxed);
        if (words == NULL && (words = build_free(inner, any, minimal)) != NULL)
            atomic_store_explicit(&inner->free[minimal], words, memory_order_release);
        gm_lock_release(&inner->grow);
    }
    if (words != NULL)
        *tails = &inner->tails[minimal];
    return words;
}

const gm_openings *gm_inner_openings(gm_inner *inner, bool minimal)
{
    const gm_openings *openings = atomic_load_explicit(&inner->opened[minimal], memory_order_acquire);
    if (openings != NULL)
        return openings;
    gm_lock_acquire(&inner->grow);
    openings = atomic_load_explicit(&inner->opened[minimal], memory_order_relaxed);
    if (openings == NULL && gm_openings_init(&inner->openings[minimal], inner->vocab, &inner->alphabets[minimal],
                                             &inner->allocator) == GM_OK) {
        openings = &inner->openings[minimal];
        atomic_store_explicit(&inner->opened[minimal], openings, memory_order_release);
    }
    gm_lock_release(&inner->grow);
    return openings;
}

const gm_blanks *gm_inner_blanks(gm_inner *inner, uint32_t room)
{
    if (room >= GM_MAX_BLANK_ROOM && room != GM_WHITESPACE_UNLIMITED)
        return NULL; /* a token may have a longer run than the bound allows: walked */
    const uint32_t at = room < GM_MAX_BLANK_ROOM ? room : GM_MAX_BLANK_ROOM;
    const gm_blanks *blanks = atomic_load_explicit(&inner->blanked[at], memory_order_acquire);
    if (blanks != NULL)
        return blanks;
    gm_lock_acquire(&inner->grow);
    blanks = atomic_load_explicit(&inner->blanked[at], memory_order_relaxed);
    if (blanks == NULL && gm_blanks_init(&inner->blanks[at], inner->vocab, room, &inner->allocator) == GM_OK) {
        blanks = &inner->blanks[at];
        atomic_store_explicit(&inner->blanked[at], blanks, memory_order_release);
    }
    gm_lock_release(&inner->grow);
    return blanks;
}

/* L >= grow. The mask for a small bound, kept. */
static const uint32_t *build_cut(gm_inner *inner, bool minimal, uint64_t most)
{
    const uint32_t *free = atomic_load_explicit(&inner->free[minimal], memory_order_relaxed);
    uint32_t *words = NULL;
    if (inner->arena.reserved < inner->budget)
        words = gm_arena_copy(&inner->arena, free, inner->words * sizeof *free);
    if (words != NULL)
        gm_points_cut(&inner->points[minimal], most, words);
    return words;
}

bool gm_inner_cut(gm_inner *inner, bool minimal, uint64_t most, uint32_t *words, uint64_t *visited)
{
    const gm_tails *tails;
    const uint32_t *free = gm_inner_free(inner, minimal, &tails, visited);
    const uint32_t *kept = NULL;
    if (free == NULL)
        return false;
    if (most < GM_KEPT_POINTS) {
        _Atomic(const uint32_t *) *slot = &inner->points[minimal].kept[most];
        kept = atomic_load_explicit(slot, memory_order_acquire);
        if (kept == NULL) {
            gm_lock_acquire(&inner->grow);
            kept = atomic_load_explicit(slot, memory_order_relaxed);
            if (kept == NULL && (kept = build_cut(inner, minimal, most)) != NULL)
                atomic_store_explicit(slot, kept, memory_order_release);
            gm_lock_release(&inner->grow);
        }
    }
    memcpy(words, kept != NULL ? kept : free, inner->words * sizeof *words);
    if (kept == NULL)
        gm_points_cut(&inner->points[minimal], most, words);
    return true;
}
