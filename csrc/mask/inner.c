/*
 * mask/inner.c - see inner.h.
 *
 * Found masks are in chunks of pointers by term, which never move.
 */
#include "mask/inner.h"

#include "mask/sets.h"

enum { CHUNK = 256, CHUNKS = 1 << 14 };

typedef struct inner_mask {
    bool is_dense;
    uint32_t count;  /* of ids, where it is not */
    uint32_t data[]; /* words of a mask, or ids */
} inner_mask;

typedef struct inner_chunk {
    _Atomic(const inner_mask *) of[2][CHUNK];     /* by minimal */
    _Atomic(const inner_mask *) scarce[2][CHUNK]; /* likewise: lists */
    _Atomic(const gm_need *) need[2][CHUNK];      /* likewise */
} inner_chunk;

struct gm_inner {
    gm_allocator allocator;
    gm_vocab *vocab;
    gm_text *text;
    const gm_alphabet *alphabets; /* by minimal */
    size_t words;
    uint64_t budget;
    gm_lock grow;
    gm_arena arena;          /* L = grow */
    gm_content_walk content; /* L = grow */
    const uint32_t *any[2];  /* L = grow; by minimal: masks of GM_TERM_ANY */
    gm_segments segments;    /* L = grow */
    gm_set_masks sets[2];    /* L = grow; by minimal */
    uint32_t *scratch;       /* L = grow; a mask */
    _Atomic(inner_chunk *) *chunks;
    /* by minimal; prepared, immutable once `free` is there */
    gm_tails tails[2];
    gm_points points[2];
    gm_openings openings[2];
    _Atomic(const uint32_t *) free[2];
    gm_blanks blanks[2][GM_MAX_BLANK_ROOM + 1]; /* L = grow; by minimal and room, the last for any more */
    _Atomic(const gm_blanks *) blanked[2][GM_MAX_BLANK_ROOM + 1];
    gm_digits digits;
    _Atomic(const uint32_t *) prepared[2][GM_MAX_BLANK_ROOM + 2]
                                      [GM_DIGITS_ALL]; /* by minimal, room and kind of digits */
    gm_commas commas[GM_COMMAS_KINDS];                 /* L = grow */
    _Atomic(const gm_commas *) listed[GM_COMMAS_KINDS];
};

gm_status gm_inner_create(const gm_allocator *allocator, gm_vocab *vocab, gm_text *text, const gm_alphabet alphabets[2],
                          uint64_t budget, gm_inner **inner, gm_error *error)
{
    gm_inner *made = gm_allocate_zeroed(allocator, 1, sizeof *made);
    if (made == NULL)
        return gm_no_memory(error);
    made->chunks = gm_allocate_zeroed(allocator, CHUNKS, sizeof *made->chunks);
    const size_t words = gm_vocab_facts_of(vocab)->mask_words;
    made->scratch = gm_allocate(allocator, words, sizeof *made->scratch);
    if (made->chunks == NULL || made->scratch == NULL || !gm_segments_init(&made->segments, vocab, allocator) ||
        !gm_content_walk_init(&made->content, vocab, text, allocator) || !gm_lock_init(&made->grow)) {
        gm_content_walk_destroy(&made->content);
        gm_segments_destroy(&made->segments, allocator);
        gm_deallocate(allocator, made->scratch, words, sizeof *made->scratch);
        gm_deallocate(allocator, made->chunks, CHUNKS, sizeof *made->chunks);
        gm_deallocate(allocator, made, 1, sizeof *made);
        return gm_no_memory(error);
    }
    made->allocator = *allocator;
    made->vocab = vocab;
    made->text = text;
    made->alphabets = alphabets;
    made->words = words;
    made->budget = budget;
    gm_arena_init(&made->arena, allocator);
    atomic_init(&made->free[0], NULL);
    atomic_init(&made->free[1], NULL);
    for (int i = 0; i < GM_COMMAS_KINDS; i++)
        atomic_init(&made->listed[i], NULL);
    made->digits = gm_digits_of(&gm_vocab_tables_of(vocab)->all);
    for (int i = 0; i < 2 * (GM_MAX_BLANK_ROOM + 2) * GM_DIGITS_ALL; i++)
        atomic_init(&(&made->prepared[0][0][0])[i], NULL);
    for (int i = 0; i <= GM_MAX_BLANK_ROOM; i++) {
        atomic_init(&made->blanked[0][i], NULL);
        atomic_init(&made->blanked[1][i], NULL);
    }
    *inner = made;
    return GM_OK;
}

void gm_inner_destroy(gm_inner *inner)
{
    if (inner == NULL)
        return;
    const gm_allocator allocator = inner->allocator;
    gm_arena_destroy(&inner->arena);
    gm_content_walk_destroy(&inner->content);
    gm_tails_destroy(&inner->tails[0], &allocator);
    gm_tails_destroy(&inner->tails[1], &allocator);
    gm_points_destroy(&inner->points[0], &allocator);
    gm_points_destroy(&inner->points[1], &allocator);
    gm_openings_destroy(&inner->openings[0], &allocator);
    gm_openings_destroy(&inner->openings[1], &allocator);
    for (int i = 0; i <= GM_MAX_BLANK_ROOM; i++) {
        gm_blanks_destroy(&inner->blanks[0][i], &allocator);
        gm_blanks_destroy(&inner->blanks[1][i], &allocator);
    }
    for (int i = 0; i < GM_COMMAS_KINDS; i++)
        gm_commas_destroy(&inner->commas[i], &allocator);
    gm_segments_destroy(&inner->segments, &allocator);
    gm_deallocate(&allocator, inner->scratch, inner->words, sizeof *inner->scratch);
    gm_lock_destroy(&inner->grow);
    gm_deallocate(&allocator, inner->chunks, CHUNKS, sizeof *inner->chunks);
    gm_deallocate(&allocator, inner, 1, sizeof *inner);
}

static bool has_room(const gm_inner *inner)
{
    return inner->arena.reserved + inner->content.arena.reserved < inner->budget;
}

/* ---- free text under a bound ---- */

/* L >= grow. The mask for a bound; NULL if it is too great to be kept, past the budget, or when out of memory. */
static const uint32_t *keep_cut(gm_inner *inner, bool minimal, uint64_t most)
{
    if (most >= GM_KEPT_POINTS)
        return NULL;
    _Atomic(const uint32_t *) *slot = &inner->points[minimal].kept[most];
    const uint32_t *kept = atomic_load_explicit(slot, memory_order_relaxed);
    if (kept != NULL || !has_room(inner))
        return kept;
    const uint32_t *free = atomic_load_explicit(&inner->free[minimal], memory_order_relaxed);
    uint32_t *words = gm_arena_take(&inner->arena, inner->words * sizeof *words);
    if (words == NULL)
        return NULL;
    gm_points_write(&inner->points[minimal], most, free, inner->words, words);
    atomic_store_explicit(slot, words, memory_order_release);
    return words;
}

/* The same. */
static const uint32_t *find_cut(gm_inner *inner, bool minimal, uint64_t most)
{
    if (most >= GM_KEPT_POINTS)
        return NULL;
    const uint32_t *kept = atomic_load_explicit(&inner->points[minimal].kept[most], memory_order_acquire);
    if (kept == NULL) {
        gm_lock_acquire(&inner->grow);
        kept = keep_cut(inner, minimal, most);
        gm_lock_release(&inner->grow);
    }
    return kept;
}

/* ---- masks by term ---- */

static void clear_bit(uint32_t *words, uint32_t token) { words[token / 32] &= ~(1u << token % 32); }

static void apply(const inner_mask *mask, bool over, gm_canvas *canvas)
{
    if (over)
        gm_canvas_begin(canvas, mask->is_dense ? mask->data : NULL);
    for (size_t i = 0; i < canvas->word_count && mask->is_dense && !over; i++)
        canvas->words[i] |= mask->data[i];
    if (mask->is_dense && !over)
        gm_canvas_forget(canvas);
    for (uint32_t i = 0; i < mask->count; i++)
        gm_canvas_set(canvas, mask->data[i]);
}

/* L >= grow. Of the last walk: the tokens that it left out, as a mask, which some walks need not look for; and, or
 * NULL, the one that cuts them. */
typedef struct base_mask {
    gm_content_base base;
    const uint32_t *words, *cut;
} base_mask;

/* L >= grow. Walks a term: the runs, and what is not among them; unless NULL, *measured too. */
static bool walk_term(gm_inner *inner, gm_term term, bool minimal, gm_need *measured, base_mask *rest)
{
    bool found;
    *rest = (base_mask){.words = NULL};
    if (!gm_content_find_base(&inner->content, term, &rest->base, &found))
        return false;
    const uint64_t most = rest->base.most;
    const bool is_cut = found && most < inner->points[minimal].most;
    if (is_cut)
        rest->cut = keep_cut(inner, minimal, most);
    if (found && has_room(inner) && (!is_cut || rest->cut != NULL))
        rest->words = gm_set_mask(&inner->sets[minimal], &inner->content, &inner->segments, &rest->base,
                                  inner->any[minimal], &inner->arena);
    return gm_content_walk_beyond(&inner->content, term, &inner->alphabets[minimal],
                                  rest->words != NULL ? &rest->base : NULL, measured);
}

/* L >= grow. Writes the runs of the last walk, as far as they are in the mask of any text. */
static void write_runs(const gm_inner *inner, const uint32_t *any, uint32_t *words)
{
    gm_segments_write(&inner->segments, inner->content.runs.items, inner->content.runs.count, any, words);
}

/* L >= grow. The same, and what was left out. */
static void write_walk(const gm_inner *inner, const uint32_t *any, const base_mask *rest, uint32_t *words)
{
    write_runs(inner, any, words);
    for (size_t i = 0; i < inner->words && rest->words != NULL; i++)
        words[i] |= rest->words[i] & (rest->cut != NULL ? rest->cut[i] : UINT32_MAX);
}

/* L >= grow. Adds the words in scratch to a mask. */
static void add_scratch(const gm_inner *inner, gm_canvas *canvas)
{
    for (size_t i = 0; i < inner->words; i++)
        canvas->words[i] |= inner->scratch[i];
    gm_canvas_forget(canvas);
}

/* L >= grow */
static uint32_t count_runs(const gm_inner *inner)
{
    uint32_t count = 0;
    for (size_t i = 0; i < inner->content.runs.count; i++)
        count += inner->content.runs.items[i].end - inner->content.runs.items[i].first;
    return count;
}

static inner_mask *new_mask(gm_inner *inner, bool is_dense, uint32_t count)
{
    const size_t size = is_dense ? inner->words : count;
    inner_mask *mask = gm_arena_take(&inner->arena, offsetof(inner_mask, data) + size * sizeof *mask->data);
    if (mask != NULL)
        *mask = (inner_mask){.is_dense = is_dense};
    return mask;
}

/* L >= grow. The runs of the last walk, `count` tokens, as a list. */
static inner_mask *list_runs(gm_inner *inner, const uint32_t *any, uint32_t count)
{
    const uint32_t *tokens = gm_vocab_tables_of(inner->vocab)->all.tokens;
    inner_mask *mask = new_mask(inner, false, count);
    for (size_t i = 0; i < inner->content.runs.count && mask != NULL; i++)
        for (uint32_t at = inner->content.runs.items[i].first; at < inner->content.runs.items[i].end; at++)
            if (any[tokens[at] / 32] >> tokens[at] % 32 & 1)
                mask->data[mask->count++] = tokens[at];
    return mask;
}

/* L >= grow. How many tokens are in scratch; more than `most` if there are more. */
static uint32_t count_scratch(const gm_inner *inner, size_t most)
{
    uint32_t count = 0;
    for (size_t i = 0; i < inner->words && count <= most; i++)
        count += inner->scratch[i] != 0 ? gm_bit_count(inner->scratch[i]) : 0;
    return count;
}

/* L >= grow. The words in scratch, `count` tokens; NULL when out of memory. */
static inner_mask *list_scratch(gm_inner *inner, uint32_t count)
{
    inner_mask *mask = new_mask(inner, false, count);
    for (size_t i = 0; i < inner->words && mask != NULL; i++)
        for (uint32_t left = inner->scratch[i]; left != 0; left &= left - 1)
            mask->data[mask->count++] = (uint32_t)i * 32 + gm_lowest_bit(left);
    return mask;
}

/* L >= grow. From the last walk; NULL when out of memory. */
static const inner_mask *keep_walk(gm_inner *inner, const uint32_t *any, const base_mask *rest)
{
    const size_t few = inner->words / 2;
    uint32_t count = count_runs(inner);
    if (rest->words == NULL && count <= few)
        return list_runs(inner, any, count);
    write_walk(inner, any, rest, inner->scratch);
    count = rest->words != NULL ? count_scratch(inner, few) : count;
    if (count <= few)
        return list_scratch(inner, count);
    inner_mask *mask = new_mask(inner, true, 0);
    if (mask != NULL)
        memcpy(mask->data, inner->scratch, inner->words * sizeof *mask->data);
    return mask;
}

/* L >= grow */
static inner_chunk *chunk_of(gm_inner *inner, gm_term term)
{
    if (term / CHUNK >= CHUNKS)
        return NULL;
    _Atomic(inner_chunk *) *slot = &inner->chunks[term / CHUNK];
    inner_chunk *chunk = atomic_load_explicit(slot, memory_order_relaxed);
    if (chunk != NULL || (chunk = gm_arena_take(&inner->arena, sizeof *chunk)) == NULL)
        return chunk;
    for (int i = 0; i < 2 * CHUNK; i++) {
        atomic_init(&chunk->of[i / CHUNK][i % CHUNK], NULL);
        atomic_init(&chunk->scarce[i / CHUNK][i % CHUNK], NULL);
        atomic_init(&chunk->need[i / CHUNK][i % CHUNK], NULL);
    }
    atomic_store_explicit(slot, chunk, memory_order_release);
    return chunk;
}

/* L >= grow. The mask of any text, made before any other: false when out of memory. Also the code
 * points of its tokens. */
static bool make_any(gm_inner *inner, bool minimal, uint32_t *points)
{
    const gm_trie *quotes = &gm_vocab_tables_of(inner->vocab)->quotes;
    inner_chunk *chunk = chunk_of(inner, GM_TERM_ANY);
    inner_mask *mask = chunk != NULL ? new_mask(inner, true, 0) : NULL;
    inner->content.points = points;
    const bool done =
        mask != NULL && gm_content_walk_run(&inner->content, GM_TERM_ANY, &inner->alphabets[minimal], false);
    inner->content.points = NULL;
    if (!done)
        return false;
    write_runs(inner, gm_vocab_tables_of(inner->vocab)->maskable, mask->data);
    for (uint32_t i = 0; i < quotes->token_count; i++)
        clear_bit(mask->data, quotes->tokens[i]); /* not inner, even where it is an escaped one */
    inner->any[minimal] = mask->data;
    atomic_store_explicit(&chunk->of[minimal][GM_TERM_ANY], mask, memory_order_release);
    return true;
}

static const inner_mask *find_mask(const gm_inner *inner, gm_term term, bool minimal)
{
    if (term / CHUNK >= CHUNKS)
        return NULL;
    inner_chunk *chunk = atomic_load_explicit(&inner->chunks[term / CHUNK], memory_order_acquire);
    return chunk != NULL ? atomic_load_explicit(&chunk->of[minimal][term % CHUNK], memory_order_acquire) : NULL;
}

/* L >= grow. *mask is what is kept, or NULL past the budget: then it is written to the canvas. */
static bool build(gm_inner *inner, gm_term term, bool minimal, bool over, gm_canvas *canvas, const inner_mask **mask)
{
    const uint32_t *any = inner->any[minimal];
    base_mask rest;
    if (!walk_term(inner, term, minimal, NULL, &rest))
        return false;
    inner_chunk *chunk = has_room(inner) ? chunk_of(inner, term) : NULL;
    *mask = chunk != NULL ? keep_walk(inner, any, &rest) : NULL;
    if (*mask != NULL) {
        atomic_store_explicit(&chunk->of[minimal][term % CHUNK], *mask, memory_order_release);
        return true;
    }
    if (over)
        gm_canvas_begin(canvas, NULL);
    write_walk(inner, any, &rest, inner->scratch);
    add_scratch(inner, canvas);
    return true;
}

bool gm_inner_put(gm_inner *inner, gm_term term, bool minimal, bool over, gm_canvas *canvas, uint64_t *visited)
{
    const inner_mask *mask = find_mask(inner, term, minimal);
    bool done = true;
    if (mask == NULL) {
        gm_lock_acquire(&inner->grow);
        const uint64_t before = inner->content.visited;
        mask = find_mask(inner, term, minimal);
        done = mask != NULL || build(inner, term, minimal, over, canvas, &mask);
        *visited += inner->content.visited - before;
        gm_lock_release(&inner->grow);
    }
    if (mask != NULL)
        apply(mask, over, canvas);
    return done;
}

bool gm_inner_put_bounded(gm_inner *inner, gm_term term, bool minimal, uint64_t least, uint64_t most, gm_canvas *canvas,
                          uint64_t *visited)
{
    gm_lock_acquire(&inner->grow);
    const uint64_t before = inner->content.visited;
    const bool done = gm_content_walk_bounded(&inner->content, term, &inner->alphabets[minimal], least, most);
    if (done) {
        write_runs(inner, inner->any[minimal], inner->scratch);
        add_scratch(inner, canvas);
    }
    *visited += inner->content.visited - before;
    gm_lock_release(&inner->grow);
    return done;
}

/* L >= grow. Keeps the mask of the walk too, if it is not there; NULL when out of memory. */
static const gm_need *measure(gm_inner *inner, gm_term term, bool minimal)
{
    inner_chunk *chunk = has_room(inner) ? chunk_of(inner, term) : NULL;
    gm_need *need = chunk != NULL ? gm_arena_take(&inner->arena, sizeof *need) : NULL;
    base_mask rest;
    if (need == NULL || !walk_term(inner, term, minimal, need, &rest))
        return NULL;
    const inner_mask *mask = atomic_load_explicit(&chunk->of[minimal][term % CHUNK], memory_order_relaxed);
    if (mask == NULL && (mask = keep_walk(inner, inner->any[minimal], &rest)) != NULL)
        atomic_store_explicit(&chunk->of[minimal][term % CHUNK], mask, memory_order_release);
    atomic_store_explicit(&chunk->need[minimal][term % CHUNK], need, memory_order_release);
    return need;
}

static const gm_need *find_need(const gm_inner *inner, gm_term term, bool minimal)
{
    if (term / CHUNK >= CHUNKS)
        return NULL;
    inner_chunk *chunk = atomic_load_explicit(&inner->chunks[term / CHUNK], memory_order_acquire);
    return chunk != NULL ? atomic_load_explicit(&chunk->need[minimal][term % CHUNK], memory_order_acquire) : NULL;
}

bool gm_inner_has_need(const gm_inner *inner, gm_term term, bool minimal, gm_need *need)
{
    const gm_need *known = find_need(inner, term, minimal);
    if (known != NULL)
        *need = *known;
    return known != NULL;
}

gm_need gm_inner_need(gm_inner *inner, gm_term term, bool minimal, uint64_t *visited)
{
    const gm_need *need = find_need(inner, term, minimal);
    if (need == NULL) {
        gm_lock_acquire(&inner->grow);
        const uint64_t before = inner->content.visited;
        need = find_need(inner, term, minimal);
        if (need == NULL)
            need = measure(inner, term, minimal);
        *visited += inner->content.visited - before;
        gm_lock_release(&inner->grow);
    }
    return need != NULL ? *need : (gm_need){UINT64_MAX, UINT64_MAX, true, 0};
}

/* L >= grow. The runs of the tokens behind which strings may be scarce: none, where they never are. */
static bool list_scarce(gm_inner *inner, gm_term term, bool minimal, uint64_t *visited)
{
    inner->content.runs.count = 0;
    if (gm_content_is_perpetual(inner->text, term))
        return true;
    const uint64_t before = inner->content.visited;
    const bool done = gm_content_walk_run(&inner->content, term, &inner->alphabets[minimal], true);
    *visited += inner->content.visited - before;
    return done;
}

bool gm_inner_scarce(gm_inner *inner, gm_term term, bool minimal, const uint32_t **ids, uint32_t *count,
                     uint64_t *visited)
{
    if (term / CHUNK >= CHUNKS)
        return false;
    inner_chunk *chunk = atomic_load_explicit(&inner->chunks[term / CHUNK], memory_order_acquire);
    const inner_mask *mask =
        chunk != NULL ? atomic_load_explicit(&chunk->scarce[minimal][term % CHUNK], memory_order_acquire) : NULL;
    if (mask == NULL) {
        gm_lock_acquire(&inner->grow);
        const uint32_t *any = inner->any[minimal];
        chunk = chunk_of(inner, term);
        if (chunk != NULL)
            mask = atomic_load_explicit(&chunk->scarce[minimal][term % CHUNK], memory_order_relaxed);
        if (chunk != NULL && mask == NULL && list_scarce(inner, term, minimal, visited)) {
            mask = list_runs(inner, any, count_runs(inner));
            atomic_store_explicit(&chunk->scarce[minimal][term % CHUNK], mask, memory_order_release);
        }
        gm_lock_release(&inner->grow);
    }
    if (mask == NULL)
        return false;
    *ids = mask->data;
    *count = mask->count;
    return true;
}

/* ---- free text ---- */

/* L >= grow. False when out of memory: what was made is then made again another time, or destroyed. */
static bool prepare(gm_inner *inner, bool minimal)
{
    const gm_vocab *vocab = inner->vocab;
    const size_t tokens = (size_t)gm_vocab_facts_of(vocab)->token_count + 1;
    uint32_t *points = gm_allocate_zeroed(&inner->allocator, tokens, sizeof *points);
    bool done = points != NULL && make_any(inner, minimal, points);
    uint32_t *words = done ? gm_arena_copy(&inner->arena, inner->any[minimal], inner->words * sizeof *words) : NULL;
    gm_tails_destroy(&inner->tails[minimal], &inner->allocator);
    gm_points_destroy(&inner->points[minimal], &inner->allocator);
    gm_openings_destroy(&inner->openings[minimal], &inner->allocator);
    done = words != NULL &&
           gm_tails_init(&inner->tails[minimal], vocab, &inner->alphabets[minimal], &inner->allocator) == GM_OK;
    for (size_t i = 0; i < inner->words && done; i++)
        words[i] |= inner->tails[minimal].open[i];
    done = done && gm_points_init(&inner->points[minimal], vocab, words, points, &inner->allocator) == GM_OK &&
           gm_openings_init(&inner->openings[minimal], vocab, &inner->alphabets[minimal], &inner->allocator) == GM_OK;
    if (done)
        atomic_store_explicit(&inner->free[minimal], words, memory_order_release);
    gm_deallocate(&inner->allocator, points, tokens, sizeof *points);
    return done;
}

bool gm_inner_prepare(gm_inner *inner, bool minimal)
{
    if (atomic_load_explicit(&inner->free[minimal], memory_order_acquire) != NULL)
        return true;
    gm_lock_acquire(&inner->grow);
    const bool done =
        atomic_load_explicit(&inner->free[minimal], memory_order_relaxed) != NULL || prepare(inner, minimal);
    gm_lock_release(&inner->grow);
    if (done)
        gm_inner_blanks(inner, minimal, GM_DEFAULT_RUN); /* without memory for it, the first mask in a gap makes it */
    return done;
}

const uint32_t *gm_inner_free(const gm_inner *inner, bool minimal, const gm_tails **tails)
{
    *tails = &inner->tails[minimal];
    return atomic_load_explicit(&((gm_inner *)inner)->free[minimal], memory_order_acquire);
}

const gm_openings *gm_inner_openings(const gm_inner *inner, bool minimal) { return &inner->openings[minimal]; }

const gm_blanks *gm_inner_blanks(gm_inner *inner, bool minimal, uint32_t room)
{
    if (room >= GM_MAX_BLANK_ROOM && room != GM_WHITESPACE_UNLIMITED)
        return NULL; /* a token may have a longer run than the bound allows: walked */
    const uint32_t at = room < GM_MAX_BLANK_ROOM ? room : GM_MAX_BLANK_ROOM;
    const gm_blanks *blanks = atomic_load_explicit(&inner->blanked[minimal][at], memory_order_acquire);
    if (blanks != NULL)
        return blanks;
    gm_lock_acquire(&inner->grow);
    blanks = atomic_load_explicit(&inner->blanked[minimal][at], memory_order_relaxed);
    if (blanks == NULL && gm_blanks_init(&inner->blanks[minimal][at], inner->vocab, &inner->alphabets[minimal], room,
                                         &inner->allocator) == GM_OK) {
        blanks = &inner->blanks[minimal][at];
        atomic_store_explicit(&inner->blanked[minimal][at], blanks, memory_order_release);
    }
    gm_lock_release(&inner->grow);
    return blanks;
}

bool gm_inner_digits(const gm_inner *inner, const gm_digits **digits)
{
    *digits = &inner->digits;
    return inner->digits.bytes.bits[0] != 0;
}

/* L >= grow. Tokens of digits, with blanks if there are any; NULL when out of memory or past the budget. */
static const uint32_t *make_prepared(gm_inner *inner, const gm_blanks *blanks, gm_digits_kind kind)
{
    const gm_trie *trie = &gm_vocab_tables_of(inner->vocab)->all;
    const gm_byte_set bytes = gm_digits_bytes(&inner->digits, kind);
    const gm_branch *root = trie->branches;
    const uint32_t end = root->children + gm_child_count(root);
    uint32_t *words = has_room(inner) ? gm_arena_take_zeroed(&inner->arena, inner->words * sizeof *words) : NULL;
    if (words == NULL)
        return NULL;
    if (blanks != NULL)
        memcpy(words, blanks->words, inner->words * sizeof *words);
    for (uint32_t at = root->children; (at = gm_next_child(&bytes, trie->bytes, at, end)) < end; at++)
        for (uint32_t i = trie->branches[at].first; i < trie->branches[at].end; i++)
            words[trie->tokens[i] / 32] |= 1u << trie->tokens[i] % 32;
    return words;
}

const uint32_t *gm_inner_prepared(gm_inner *inner, bool minimal, uint32_t room, gm_digits_kind kind)
{
    if (kind == GM_DIGITS_NONE)
        return NULL;
    const gm_blanks *blanks = room != GM_NO_BLANKS ? gm_inner_blanks(inner, minimal, room) : NULL;
    const uint32_t at = blanks == NULL ? GM_MAX_BLANK_ROOM + 1 : room < GM_MAX_BLANK_ROOM ? room : GM_MAX_BLANK_ROOM;
    _Atomic(const uint32_t *) *slot = &inner->prepared[minimal][at][kind - 1];
    const uint32_t *words = atomic_load_explicit(slot, memory_order_acquire);
    if (words != NULL)
        return words;
    gm_lock_acquire(&inner->grow);
    words = atomic_load_explicit(slot, memory_order_relaxed);
    if (words == NULL && (words = make_prepared(inner, blanks, kind)) != NULL)
        atomic_store_explicit(slot, words, memory_order_release);
    gm_lock_release(&inner->grow);
    return words;
}

/* L >= grow */
static const gm_commas *make_commas(gm_inner *inner, unsigned kind)
{
    const gm_trie *trie = &gm_vocab_tables_of(inner->vocab)->all;
    const gm_commas *commas = atomic_load_explicit(&inner->listed[kind], memory_order_relaxed);
    if (commas != NULL)
        return commas;
    if (kind != GM_COMMAS_ALL && (commas = make_commas(inner, GM_COMMAS_ALL)) != NULL)
        trie = &commas->tokens.trie;
    if (gm_commas_init(&inner->commas[kind], inner->vocab, trie, kind, &inner->allocator) != GM_OK)
        return NULL;
    atomic_store_explicit(&inner->listed[kind], &inner->commas[kind], memory_order_release);
    return &inner->commas[kind];
}

const gm_commas *gm_inner_commas(gm_inner *inner, unsigned kind)
{
    const gm_commas *commas = atomic_load_explicit(&inner->listed[kind], memory_order_acquire);
    if (commas != NULL)
        return commas;
    gm_lock_acquire(&inner->grow);
    commas = make_commas(inner, kind);
    gm_lock_release(&inner->grow);
    return commas;
}

void gm_inner_trim(gm_inner *inner, bool minimal, uint64_t most, gm_canvas *canvas)
{
    const gm_points *points = &inner->points[minimal];
    const uint32_t *kept = find_cut(inner, minimal, most);
    for (size_t i = 0; i < canvas->word_count && kept != NULL; i++)
        canvas->words[i] &= kept[i];
    if (kept != NULL)
        gm_canvas_forget(canvas);
    const uint32_t *ids;
    for (uint64_t at = most + 1; kept == NULL && at <= points->most; at++)
        for (uint32_t i = 0, count = gm_points_at(points, at, &ids); i < count; i++)
            gm_canvas_clear(canvas, ids[i]);
}

uint32_t gm_inner_tokens_of(const gm_inner *inner, bool minimal, uint64_t points, const uint32_t **ids)
{
    return gm_points_at(&inner->points[minimal], points, ids);
}

void gm_inner_cut(gm_inner *inner, bool minimal, uint64_t most, gm_canvas *canvas)
{
    const gm_tails *tails;
    const uint32_t *free = gm_inner_free(inner, minimal, &tails);
    const uint32_t *kept = find_cut(inner, minimal, most);
    gm_canvas_begin(canvas, kept != NULL ? kept : free);
    if (kept == NULL && most < inner->points[minimal].most) {
        gm_points_write(&inner->points[minimal], most, free, inner->words, canvas->words);
        gm_canvas_forget(canvas);
    }
}
