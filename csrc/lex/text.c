/*
 * lex/text.c - the store of content languages, and the automaton that it is.
 *
 * A term is a regular expression, and it is at the same time a state. What may follow after reading a
 * character is again described by a regular expression, the derivative (Brzozowski 1964); so, starting from
 * the term of a pattern and taking derivatives, one walks through a deterministic automaton that nobody
 * had to construct. Only finitely many different terms turn up, provided that sums are kept flat, sorted
 * and free of duplicates. We never construct the automaton either: a state's row comes into being
 * when a text first gets there, and most of the automaton of ^.{1,5000}$ is never seen by anyone.
 *
 * What makes this work is that equal terms are one object. Nodes are interned, and simplified on the
 * way; a term is a 32-bit id, comparing states is comparing ids, and grammars that share a pattern share
 * its rows. In reading order:
 *
 *   charset.c       sets of code points; a row tells apart only those that the pattern does
 *   term.c          making terms: sequences and repeats
 *   term_boolean.c  making terms: unions, intersections, complements
 *   derive.c        rows, by the partial derivatives of Antimirov (1996) and the character classes of
 *                   Owens, Reppy and Turon (2009)
 *   constants.c     sets of strings as one term
 *   settle.c        which terms have no string: the price of intersection and complement, which
 *                   otherwise come for free, a derivative of "both" being both derivatives
 *   assert.c        look-around and word boundaries, by intersection and complement
 *   pattern.c ...   from the text of an ECMA-262 pattern to a term
 *   lengths.c ...   the lengths of a term's strings
 *
 * This leaves out two things. Rows are never forgotten: a store grows with the states that its texts
 * reach, and its owner decides when to drop it. And states are not minimized: two terms may describe one
 * language without our knowing, which costs memory, never an answer.
 *
 * Locking: every public function takes text->lock, except the look-up of a row or of lengths that are
 * there already, which is one acquire load. Rows are published with release and never change.
 *
 *   slot.row:  NULL --(gm_text_build_row, lock held)--> row         no other move exists
 */
#include "lex/term.h"

#include "base/utf8.h"

enum { DEFAULT_POSITIONS = 50000, DEFAULT_NESTING = 1000, DEFAULT_STATES = 100000 };

/* ---- life ---- */

static void free_scratch(gm_text *text)
{
    const gm_allocator *allocator = &text->allocator;
    GM_ARRAY_FREE(allocator, &text->spine);
    GM_ARRAY_FREE(allocator, &text->keys);
    GM_ARRAY_FREE(allocator, &text->negated);
    GM_ARRAY_FREE(allocator, &text->parts);
    GM_ARRAY_FREE(allocator, &text->agenda);
    GM_ARRAY_FREE(allocator, &text->children);
    GM_ARRAY_FREE(allocator, &text->memo);
    GM_ARRAY_FREE(allocator, &text->words);
    GM_ARRAY_FREE(allocator, &text->moves);
    GM_ARRAY_FREE(allocator, &text->pending);
    GM_ARRAY_FREE(allocator, &text->boundaries);
    GM_ARRAY_FREE(allocator, &text->ranges);
    GM_ARRAY_FREE(allocator, &text->conjuncts);
    GM_ARRAY_FREE(allocator, &text->choice);
    GM_ARRAY_FREE(allocator, &text->products);
    GM_ARRAY_FREE(allocator, &text->closed);
    GM_ARRAY_FREE(allocator, &text->pairs);
    GM_ARRAY_FREE(allocator, &text->followers);
    GM_ARRAY_FREE(allocator, &text->aheads);
    GM_ARRAY_FREE(allocator, &text->visits);
}

/* Compiling asks the same of the same terms again and again; interning the result alone would make it anew
 * each time. */
struct gm_made {
    gm_term a, b, result;
    bool is_known, is_and;
};

enum { MADE = 2048 };

static void free_contents(gm_text *text)
{
    gm_deallocate(&text->allocator, text->made, MADE, sizeof *text->made);
    free_scratch(text);
    for (size_t i = 0; i < GM_SLOT_BLOCKS; i++) {
        gm_text_slot *block = atomic_load_explicit(&text->slots[i], memory_order_relaxed);
        gm_deallocate(&text->allocator, block, (size_t)GM_FIRST_SLOT_BLOCK << i, sizeof *block);
    }
    GM_ARRAY_FREE(&text->allocator, &text->pools);
    GM_ARRAY_FREE(&text->allocator, &text->nodes);
    gm_table_destroy(&text->table);
    gm_charsets_destroy(&text->sets);
    gm_arena_destroy(&text->arena);
}

static gm_text_limits limits_or_defaults(const gm_text_limits *limits)
{
    gm_text_limits all = limits != NULL ? *limits : (gm_text_limits){0};
    if (all.max_positions == 0)
        all.max_positions = DEFAULT_POSITIONS;
    if (all.max_nesting == 0)
        all.max_nesting = DEFAULT_NESTING;
    if (all.max_states == 0)
        all.max_states = DEFAULT_STATES;
    return all;
}

gm_status gm_text_create(const gm_allocator *allocator, const gm_text_limits *limits, gm_text **text, gm_error *error)
{
    const gm_allocator from = gm_allocator_or_default(allocator);
    gm_text *made = gm_allocate_zeroed(&from, 1, sizeof *made);
    if (made == NULL)
        return gm_no_memory(error);
    made->allocator = from;
    made->limits = limits_or_defaults(limits);
    gm_arena_init(&made->arena, &from);
    gm_table_init(&made->table, &from);
    if (gm_charsets_init(&made->sets, &from, &made->arena) && gm_terms_begin(made) && gm_lock_init(&made->lock)) {
        *text = made;
        return GM_OK;
    }
    free_contents(made);
    gm_deallocate(&from, made, 1, sizeof *made);
    return gm_no_memory(error);
}

void gm_text_destroy(gm_text *text)
{
    if (text == NULL)
        return;
    const gm_allocator allocator = text->allocator;
    gm_lock_destroy(&text->lock);
    free_contents(text);
    gm_deallocate(&allocator, text, 1, sizeof *text);
}

static size_t scratch_memory(const gm_text *text)
{
    const size_t terms = text->spine.capacity + text->negated.capacity + text->parts.capacity + text->agenda.capacity +
                         text->children.capacity + text->memo.capacity + text->conjuncts.capacity +
                         text->choice.capacity + text->products.capacity + text->closed.capacity +
                         text->pairs.capacity + text->followers.capacity;
    const size_t pending = text->pending.capacity + text->aheads.capacity + text->visits.capacity;
    return terms * sizeof(gm_term) + pending * sizeof(gm_pending) +
           (text->keys.capacity + text->words.capacity) * sizeof(uint64_t) + text->moves.capacity * sizeof(gm_move) +
           text->boundaries.capacity * sizeof(gm_boundary) + text->ranges.capacity * sizeof(gm_text_range);
}

size_t gm_text_memory(const gm_text *text)
{
    gm_lock *lock = (gm_lock *)&text->lock; /* counting changes nothing, but must not race with those who do */
    gm_lock_acquire(lock);
    size_t total = sizeof *text + text->arena.reserved + gm_charsets_memory(&text->sets) + scratch_memory(text) +
                   text->table.capacity * sizeof(gm_table_slot) + text->nodes.capacity * sizeof(gm_term_node) +
                   text->pools.capacity * sizeof(gm_pool) + (text->made != NULL ? MADE * sizeof *text->made : 0);
    for (size_t i = 0; i < GM_SLOT_BLOCKS; i++)
        if (atomic_load_explicit(&text->slots[i], memory_order_relaxed) != NULL)
            total += ((size_t)GM_FIRST_SLOT_BLOCK << i) * sizeof(gm_text_slot);
    gm_lock_release(lock);
    return total;
}

/* ---- rows ---- */

/* Slot i of the store lies in block b, at i - start, where blocks hold 64, 128, 256 ... slots. */
static size_t block_of(gm_term term, size_t *index)
{
    const uint64_t place = (uint64_t)term / GM_FIRST_SLOT_BLOCK + 1;
#if defined(__GNUC__)
    const size_t block = (size_t)(63 - __builtin_clzll(place));
#else
    size_t block = 0;
    while (place >> block > 1)
        block++;
#endif
    *index = (size_t)(term - GM_FIRST_SLOT_BLOCK * (((uint64_t)1 << block) - 1));
    return block;
}

gm_text_slot *gm_text_slot_of(gm_text *text, gm_term term)
{
    size_t index;
    const size_t block = block_of(term, &index);
    gm_text_slot *slots = atomic_load_explicit(&text->slots[block], memory_order_relaxed);
    if (slots == NULL) {
        slots = gm_allocate_zeroed(&text->allocator, (size_t)GM_FIRST_SLOT_BLOCK << block, sizeof *slots);
        if (slots == NULL)
            return NULL;
        atomic_store_explicit(&text->slots[block], slots, memory_order_release);
    }
    return &slots[index];
}

gm_text_slot *gm_text_find_slot(gm_text *text, gm_term term)
{
    size_t index;
    const size_t block = block_of(term, &index);
    gm_text_slot *slots = atomic_load_explicit(&text->slots[block], memory_order_acquire);
    return slots != NULL ? &slots[index] : NULL;
}

/* Splits segments at U+0080 into a row's two halves. Barren terms are left out. */
static uint32_t fill_row(gm_text *text, gm_text_row *row, gm_text_range *ranges, const gm_segments *segments)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < segments->count; i++) {
        gm_text_range range = segments->items[i];
        const gm_liveness liveness = gm_term_liveness(text, range.to);
        GM_ASSERT(liveness != GM_UNKNOWN);
        if (liveness == GM_BARREN)
            continue;
        for (; range.low < 128 && range.low <= range.high; range.low++) {
            row->ascii[range.low] = range.to;
            row->alive[range.low / 64] |= (uint64_t)1 << range.low % 64;
            row->stays[range.low / 64] |= (uint64_t)(range.to == row->term) << range.low % 64;
        }
        if (range.low <= range.high)
            ranges[count++] = range;
    }
    return count;
}

const gm_text_row *gm_text_build_row(gm_text *text, gm_term term)
{
    gm_text_slot *slot = gm_text_slot_of(text, term);
    if (slot == NULL)
        return NULL;
    const gm_text_row *known = atomic_load_explicit(&slot->row, memory_order_relaxed);
    if (known != NULL)
        return known;
    const gm_segments *segments = gm_term_segments(text, term);
    if (segments == NULL)
        return NULL;
    uint32_t most = 0; /* segments that reach past ASCII */
    for (uint32_t i = 0; i < segments->count; i++)
        most += segments->items[i].high >= 128;
    gm_text_row *row = gm_arena_take(&text->arena, sizeof *row);
    gm_text_range *ranges = gm_arena_take(&text->arena, most * sizeof *ranges);
    if (row == NULL || ranges == NULL)
        return NULL;
    *row = (gm_text_row){.term = term, .accepts = gm_term_nullable(text, term), .ranges = ranges};
    row->range_count = fill_row(text, row, ranges, segments);
    atomic_store_explicit(&slot->row, row, memory_order_release);
    return row;
}

const gm_text_row *gm_text_row_of(gm_text *text, gm_term term)
{
    gm_text_slot *slot = gm_text_find_slot(text, term);
    const gm_text_row *row = slot != NULL ? atomic_load_explicit(&slot->row, memory_order_acquire) : NULL;
    if (row != NULL)
        return row;
    gm_lock_acquire(&text->lock);
    row = gm_text_build_row(text, term);
    gm_lock_release(&text->lock);
    return row;
}

bool gm_text_row_meets(const gm_text_row *row, uint32_t low, uint32_t high)
{
    for (; low <= high && low < 128; low++)
        if (row->ascii[low] != GM_TERM_NONE)
            return true;
    for (uint32_t i = 0; i < row->range_count && row->ranges[i].low <= high; i++)
        if (row->ranges[i].high >= low)
            return true;
    return false;
}

uint32_t gm_text_row_point(const gm_text_row *row, uint32_t point)
{
    for (; point < 128; point++)
        if (row->ascii[point] != GM_TERM_NONE)
            return point;
    for (uint32_t i = 0; i < row->range_count; i++)
        if (row->ranges[i].high >= point)
            return point > row->ranges[i].low ? point : row->ranges[i].low;
    return UINT32_MAX;
}

gm_status gm_text_matches(gm_text *text, gm_term term, gm_bytes string, bool *matches)
{
    for (size_t at = 0; at < string.length && term != GM_TERM_NONE && term != GM_TERM_ANY;) {
        const gm_text_row *row = gm_text_row_of(text, term);
        if (row == NULL)
            return GM_OUT_OF_MEMORY;
        const uint32_t code_point = gm_utf8_read(string.data, string.length, &at);
        if (code_point == UINT32_MAX)
            return GM_INVALID_ARGUMENT;
        term = gm_text_next(row, code_point);
    }
    const gm_text_row *row = gm_text_row_of(text, term);
    if (row == NULL)
        return GM_OUT_OF_MEMORY;
    *matches = row->accepts;
    return GM_OK;
}

/* ---- making terms ---- */

/* Hands out a term made with the lock held. */
static gm_status finish(gm_text *text, gm_term made, gm_term *term, gm_error *error)
{
    if (made == GM_TERM_FAILED)
        return gm_no_memory(error);
    GM_TRY(gm_term_settle(text, made, error));
    *term = gm_term_liveness(text, made) == GM_BARREN ? (gm_term)GM_TERM_NONE : made;
    return GM_OK;
}

gm_status gm_text_constants(gm_text *text, const gm_bytes *strings, size_t count, gm_term *term, gm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (gm_utf8_valid_prefix(strings[i]) != strings[i].length)
            return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "a constant is not well-formed UTF-8");
    gm_bytes *sorted = NULL;
    if (count > 0) {
        sorted = gm_allocate(&text->allocator, count, sizeof *sorted);
        if (sorted == NULL)
            return gm_no_memory(error);
        memcpy(sorted, strings, count * sizeof *sorted);
    }
    gm_lock_acquire(&text->lock);
    const gm_term made = gm_term_of_strings(text, sorted, count, true);
    gm_lock_release(&text->lock);
    gm_deallocate(&text->allocator, sorted, count, sizeof *sorted);
    if (made == GM_TERM_FAILED)
        return gm_no_memory(error);
    *term = made;
    return GM_OK;
}

bool gm_text_list_constants(gm_text *text, gm_term term, const gm_bytes **strings, size_t *count)
{
    gm_lock_acquire(&text->lock);
    const gm_term_node node = gm_term_at(text, term);
    const bool is_list = node.kind == GM_KIND_CONSTANTS && node.b == 0;
    if (is_list) {
        *strings = text->pools.items[node.a].strings + node.low;
        *count = (size_t)(node.high - node.low) + 1;
    }
    gm_lock_release(&text->lock);
    return is_list;
}

/* L >= lock. Where the result of two terms is kept, or NULL when out of memory, which costs only time. */
static struct gm_made *made_of(gm_text *text, gm_term a, gm_term b, bool is_and)
{
    if (text->made == NULL)
        text->made = gm_allocate_zeroed(&text->allocator, MADE, sizeof *text->made);
    return text->made != NULL ? &text->made[(gm_mix((uint64_t)a << 32 | b) ^ is_and) % MADE] : NULL;
}

static gm_status combine(gm_text *text, gm_term a, gm_term b, bool is_and, gm_term *term, gm_error *error)
{
    gm_lock_acquire(&text->lock);
    struct gm_made *made = made_of(text, a, b, is_and);
    gm_status status = GM_OK;
    if (made != NULL && made->is_known && made->a == a && made->b == b && made->is_and == is_and) {
        *term = made->result;
    } else {
        status = finish(text, is_and ? gm_term_both(text, a, b) : gm_term_alternatives(text, a, b), term, error);
        if (status == GM_OK && made != NULL)
            *made = (struct gm_made){a, b, *term, true, is_and};
    }
    gm_lock_release(&text->lock);
    return status;
}

gm_status gm_text_and(gm_text *text, gm_term a, gm_term b, gm_term *term, gm_error *error)
{
    return combine(text, a, b, true, term, error);
}

gm_status gm_text_or(gm_text *text, gm_term a, gm_term b, gm_term *term, gm_error *error)
{
    return combine(text, a, b, false, term, error);
}

gm_status gm_text_not(gm_text *text, gm_term a, gm_term *term, gm_error *error)
{
    gm_lock_acquire(&text->lock);
    const gm_status status = finish(text, gm_term_not(text, a), term, error);
    gm_lock_release(&text->lock);
    return status;
}
