/*
 * lex/number.c - the store of number languages: interning, rows, publication. See number.h.
 *
 * Four tables, each from content to a small id: sets of magnitudes, sets of exponents, states. A
 * language is the state before its first byte.
 *
 *   states: chunk 0 [64] | chunk 1 [128] | chunk 2 [256] ...     a state never moves
 *   state : key, row                                             row NULL --(build)--> row, once
 *
 * Whoever knows a state's id got it from a row or from define, after the state was written; so
 * states are read without the lock, and a row through one acquire load. Everything else is read
 * and written under the lock.
 */
#include "lex/number_private.h"

#include "base/array.h"
#include "base/lock.h"
#include "base/table.h"

#include <stdatomic.h>

enum {
    FIRST_CHUNK_BITS = 6,
    FIRST_CHUNK = 1 << FIRST_CHUNK_BITS,
    CHUNKS = 32 - FIRST_CHUNK_BITS,
    MOST_EXPONENT_DIGITS = 15
};

typedef struct state {
    gm_number_key key;
    _Atomic(const gm_number_row *) row;
} state;

struct gm_number {
    gm_allocator allocator;
    gm_number_limits limits;
    gm_lock lock;
    gm_arena arena; /* digits, entries, spans, rows */
    GM_ARRAY(gm_number_set) sets;
    GM_ARRAY(gm_number_exponents) exponents;
    gm_table set_ids, exponent_ids, state_ids;
    state *chunks[CHUNKS];
    uint32_t state_count;
    atomic_size_t memory;
};

/* ---- states ---- */

static inline unsigned chunk_of(uint32_t *id)
{
    const uint64_t shifted = (uint64_t)*id + FIRST_CHUNK;
    unsigned chunk = 0;
    while (shifted >> (chunk + FIRST_CHUNK_BITS + 1) != 0)
        chunk++;
    *id = (uint32_t)(shifted - ((uint64_t)FIRST_CHUNK << chunk));
    return chunk;
}

static inline state *state_at(const gm_number *number, uint32_t id)
{
    const unsigned chunk = chunk_of(&id);
    return &number->chunks[chunk][id];
}

static bool add_state(gm_number *number, const gm_number_key *key, uint64_t hash, gm_number_state *out)
{
    uint32_t at = number->state_count;
    if (at == UINT32_MAX - FIRST_CHUNK)
        return false;
    const unsigned chunk = chunk_of(&at);
    if (number->chunks[chunk] == NULL) {
        number->chunks[chunk] = gm_allocate_zeroed(&number->allocator, (size_t)FIRST_CHUNK << chunk, sizeof(state));
        if (number->chunks[chunk] == NULL)
            return false;
    }
    if (!gm_table_add(&number->state_ids, hash, number->state_count))
        return false;
    number->chunks[chunk][at].key = *key;
    *out = number->state_count++;
    return true;
}

static bool intern_state(gm_number *number, const gm_number_key *key, gm_number_state *out)
{
    const uint64_t hash = gm_hash_bytes(key, sizeof *key);
    for (gm_probe probe = gm_table_find(&number->state_ids, hash); gm_probe_next(&number->state_ids, &probe);)
        if (memcmp(&state_at(number, probe.id)->key, key, sizeof *key) == 0) {
            *out = probe.id;
            return true;
        }
    return add_state(number, key, hash, out);
}

/* ---- sets of magnitudes ---- */

static uint64_t hash_decimal(uint64_t hash, const gm_decimal *decimal)
{
    hash = gm_hash_combine(hash, decimal->count * 2 + decimal->negative);
    hash = gm_hash_combine(hash, (uint64_t)decimal->point);
    for (size_t i = 0; i < decimal->count; i++)
        hash = hash * 31 + gm_decimal_digit(decimal, i);
    return hash;
}

static uint64_t hash_set(const gm_number_set *set)
{
    uint64_t hash = (uint64_t)set->spelling << 8 | (uint64_t)set->is_marked << 6 | (uint64_t)set->has_zero << 5 |
                    (uint64_t)set->is_list << 4 | (uint64_t)set->has_high << 3 | (uint64_t)set->low_closed << 2 |
                    (uint64_t)set->high_closed << 1;
    hash = gm_hash_combine(hash, set->in.modulus);
    for (uint32_t i = 0; i < set->out_count; i++)
        hash = gm_hash_combine(hash, set->out[i].modulus);
    hash = gm_hash_combine(hash, (uint64_t)set->scale);
    hash = hash_decimal(hash_decimal(hash, &set->low), &set->high);
    for (uint32_t i = 0; i < set->entry_count; i++)
        hash = hash_decimal(hash, &set->entries[i]);
    return gm_mix(hash);
}

static bool same_decimals(const gm_decimal *a, const gm_decimal *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (gm_decimal_compare(&a[i], &b[i]) != 0)
            return false;
    return true;
}

static bool same_sets(const gm_number_set *a, const gm_number_set *b)
{
    for (uint32_t i = 0; i < GM_NUMBER_MAX_LATTICES; i++)
        if (a->out[i].modulus != b->out[i].modulus)
            return false;
    return a->spelling == b->spelling && a->is_marked == b->is_marked && a->has_zero == b->has_zero &&
           a->is_list == b->is_list && a->has_high == b->has_high && a->low_closed == b->low_closed &&
           a->high_closed == b->high_closed && a->in.modulus == b->in.modulus && a->scale == b->scale &&
           a->entry_count == b->entry_count && same_decimals(&a->low, &b->low, 1) &&
           same_decimals(&a->high, &b->high, 1) && same_decimals(a->entries, b->entries, a->entry_count);
}

/* Gives a decimal digits of its own, without a point between. */
static bool keep_digits(gm_arena *arena, gm_decimal *decimal)
{
    char *digits = gm_arena_take(arena, decimal->count);
    if (digits == NULL)
        return false;
    for (size_t i = 0; i < decimal->count; i++)
        digits[i] = (char)('0' + gm_decimal_digit(decimal, i));
    decimal->digits = digits;
    decimal->split = decimal->count;
    return true;
}

static bool copy_set(gm_arena *arena, const gm_number_set *from, gm_number_set *to)
{
    gm_number_set set = *from;
    if (!keep_digits(arena, &set.low) || !keep_digits(arena, &set.high))
        return false;
    gm_decimal *entries = GM_ARENA_NEW(arena, gm_decimal, set.entry_count);
    if (entries == NULL)
        return false;
    for (uint32_t i = 0; i < set.entry_count; i++) {
        entries[i] = from->entries[i];
        if (!keep_digits(arena, &entries[i]))
            return false;
    }
    set.entries = entries;
    *to = set;
    return true;
}

static bool intern_set(gm_number *number, const gm_number_set *set, uint32_t *out)
{
    const uint64_t hash = hash_set(set);
    for (gm_probe probe = gm_table_find(&number->set_ids, hash); gm_probe_next(&number->set_ids, &probe);)
        if (same_sets(&number->sets.items[probe.id], set)) {
            *out = probe.id;
            return true;
        }
    const gm_arena_mark mark = gm_arena_save(&number->arena);
    gm_number_set copy;
    if (!copy_set(&number->arena, set, &copy) || !GM_ARRAY_RESERVE(&number->allocator, &number->sets, 1) ||
        !gm_table_add(&number->set_ids, hash, (uint32_t)number->sets.count)) {
        gm_arena_rewind(&number->arena, mark);
        return false;
    }
    *out = (uint32_t)number->sets.count;
    number->sets.items[number->sets.count++] = copy;
    return true;
}

/* ---- sets of exponents ---- */

static bool intern_exponents(gm_number *number, const gm_number_span *spans, size_t count, uint32_t *out)
{
    const uint64_t hash = gm_hash_bytes(spans, count * sizeof *spans);
    for (gm_probe probe = gm_table_find(&number->exponent_ids, hash); gm_probe_next(&number->exponent_ids, &probe);) {
        const gm_number_exponents *known = &number->exponents.items[probe.id];
        if (known->count == count && memcmp(known->spans, spans, count * sizeof *spans) == 0) {
            *out = probe.id;
            return true;
        }
    }
    const gm_arena_mark mark = gm_arena_save(&number->arena);
    const gm_number_span *copy = gm_arena_copy(&number->arena, spans, count * sizeof *spans);
    if (copy == NULL || !GM_ARRAY_RESERVE(&number->allocator, &number->exponents, 1) ||
        !gm_table_add(&number->exponent_ids, hash, (uint32_t)number->exponents.count)) {
        gm_arena_rewind(&number->arena, mark);
        return false;
    }
    *out = (uint32_t)number->exponents.count;
    number->exponents.items[number->exponents.count++] = (gm_number_exponents){copy, count};
    return true;
}

/* ---- rows ---- */

/* A row being built; neighbours often lead to one state, so the last one is remembered. */
typedef struct builder {
    gm_number *number;
    gm_number_row row;
    gm_number_key last;
    gm_number_state last_state; /* GM_NUMBER_DEAD: none yet */
} builder;

static bool lead(builder *b, int class, const gm_number_key *to)
{
    if (b->last_state == GM_NUMBER_DEAD || memcmp(&b->last, to, sizeof *to) != 0) {
        if (!intern_state(b->number, to, &b->last_state))
            return false;
        b->last = *to;
    }
    b->row.to[class] = b->last_state;
    return true;
}

static bool lead_first_digits(builder *b, uint32_t id)
{
    const gm_number_set *set = &b->number->sets.items[id];
    gm_number_key to;
    for (unsigned digit = 0; id != 0 && digit <= 9; digit++)
        if (gm_number_first_digit(set, id, digit, &to) && !lead(b, (int)digit, &to))
            return false;
    return true;
}

static bool build_start(builder *b, const gm_number_key *key)
{
    const gm_number_key minus = {.set = key->first, .phase = GM_NUMBER_AT_MINUS};
    return lead_first_digits(b, key->set) && (key->first == 0 || lead(b, GM_NUMBER_MINUS, &minus));
}

/* The state after 'e'. */
static bool lead_exponent(builder *b, const gm_number_set *set, const gm_number_key *key)
{
    gm_number *number = b->number;
    const bool any = set->spelling == GM_NUMBER_AS_JSON;
    if (key->phase == GM_NUMBER_AT_POINT || (!any && set->spelling != GM_NUMBER_AS_EXPONENT))
        return true;
    gm_number_key to = {.phase = GM_NUMBER_AT_EXPONENT,
                        .fraction = any ? GM_NUMBER_UNLIMITED : (int64_t)number->limits.max_exponent_digits};
    gm_number_span few[8], *spans = few;
    const size_t bound = gm_number_span_bound(key);
    if (bound > GM_COUNT_OF(few) && (spans = gm_allocate(&number->allocator, bound, sizeof *spans)) == NULL)
        return false;
    const size_t count = gm_number_spans_of(set, key, spans);
    const bool all = count == 1 && spans[0].low == -set->reach && spans[0].high == set->reach;
    bool fine = count == 0 || all || intern_exponents(number, spans, count, &to.set);
    fine = fine && (count == 0 || lead(b, GM_NUMBER_EXPONENT, &to));
    if (spans != few)
        gm_deallocate(&number->allocator, spans, bound, sizeof *spans);
    return fine;
}

static bool build_mantissa(builder *b, const gm_number_key *key)
{
    const gm_number_set *set = &b->number->sets.items[key->set];
    gm_number_key to;
    for (int digit = 0; digit <= 9; digit++)
        if (gm_number_next(set, key, digit, &to) && !lead(b, digit, &to))
            return false;
    if (gm_number_next(set, key, GM_NUMBER_POINT, &to) && !lead(b, GM_NUMBER_POINT, &to))
        return false;
    b->row.accepts = gm_number_may_end(set, key);
    return lead_exponent(b, set, key);
}

static bool build_exponent(builder *b, const gm_number_key *key)
{
    const gm_number_exponents exponents = b->number->exponents.items[key->set];
    gm_number_key to;
    for (int class = 0; class < GM_NUMBER_CLASSES; class ++)
        if (gm_number_next_exponent(&exponents, key, class, &to) && !lead(b, class, &to))
            return false;
    b->row.accepts = gm_number_exponent_may_end(&exponents, key);
    return true;
}

static const gm_number_row *build_row(gm_number *number, const gm_number_key *key)
{
    builder b = {.number = number};
    bool built = false;
    switch ((gm_number_phase)key->phase) {
    case GM_NUMBER_AT_START:
        built = build_start(&b, key);
        break;
    case GM_NUMBER_AT_MINUS:
        built = lead_first_digits(&b, key->set);
        break;
    case GM_NUMBER_AT_ZERO:
    case GM_NUMBER_IN_INTEGER:
    case GM_NUMBER_AT_POINT:
    case GM_NUMBER_IN_FRACTION:
        built = build_mantissa(&b, key);
        break;
    case GM_NUMBER_AT_EXPONENT:
    case GM_NUMBER_AT_SIGN:
    case GM_NUMBER_IN_EXPONENT:
        built = build_exponent(&b, key);
        break;
    }
    return built ? gm_arena_copy(&number->arena, &b.row, sizeof b.row) : NULL;
}

/* ---- the store ---- */

/* Under the lock: makes what was allocated visible to gm_number_memory. */
static void count_memory(gm_number *number)
{
    size_t states = 0;
    for (unsigned i = 0; i < CHUNKS && number->chunks[i] != NULL; i++)
        states += (size_t)FIRST_CHUNK << i;
    const size_t slots = number->set_ids.capacity + number->exponent_ids.capacity + number->state_ids.capacity;
    atomic_store_explicit(&number->memory,
                          sizeof *number + number->arena.reserved + states * sizeof(state) +
                              number->sets.capacity * sizeof *number->sets.items +
                              number->exponents.capacity * sizeof *number->exponents.items +
                              slots * sizeof(gm_table_slot),
                          memory_order_relaxed);
}

const gm_number_row *gm_number_row_of(gm_number *number, gm_number_state id)
{
    GM_ASSERT(id != GM_NUMBER_DEAD);
    state *at = state_at(number, id);
    const gm_number_row *row = atomic_load_explicit(&at->row, memory_order_acquire);
    if (GM_LIKELY(row != NULL))
        return row;
    gm_lock_acquire(&number->lock);
    row = atomic_load_explicit(&at->row, memory_order_relaxed);
    if (row == NULL) {
        row = build_row(number, &at->key);
        count_memory(number);
        if (row != NULL)
            atomic_store_explicit(&at->row, row, memory_order_release);
    }
    gm_lock_release(&number->lock);
    return row;
}

static bool intern_language(gm_number *number, const gm_number_set sets[2], gm_number_state *out)
{
    gm_number_key key = {.phase = GM_NUMBER_AT_START};
    if (!gm_number_set_is_empty(&sets[0]) && !intern_set(number, &sets[0], &key.set))
        return false;
    if (!gm_number_set_is_empty(&sets[1]) && !intern_set(number, &sets[1], &key.first))
        return false;
    *out = GM_NUMBER_DEAD;
    return (key.set == 0 && key.first == 0) || intern_state(number, &key, out);
}

gm_status gm_number_define(gm_number *number, const gm_number_constraints *constraints, gm_number_language *language,
                           bool *is_empty, gm_error *error)
{
    gm_arena scratch;
    gm_arena_init(&scratch, &number->allocator);
    gm_number_set sets[2];
    gm_number_state start = GM_NUMBER_DEAD;
    gm_status status = gm_number_sets_of(&scratch, &number->limits, constraints, sets, error);
    if (status == GM_OK) {
        gm_lock_acquire(&number->lock);
        if (!intern_language(number, sets, &start))
            status = gm_no_memory(error);
        count_memory(number);
        gm_lock_release(&number->lock);
    }
    gm_arena_destroy(&scratch);
    if (status != GM_OK)
        return status;
    *language = start;
    *is_empty = start == GM_NUMBER_DEAD;
    return GM_OK;
}

gm_number_state gm_number_start(const gm_number *number, gm_number_language language)
{
    (void)number;
    return language;
}

gm_number_key gm_number_key_of(const gm_number *number, gm_number_state id) { return state_at(number, id)->key; }

gm_number_set gm_number_set_of(gm_number *number, uint32_t id)
{
    gm_lock_acquire(&number->lock);
    const gm_number_set set = number->sets.items[id];
    gm_lock_release(&number->lock);
    return set;
}

uint64_t gm_number_exponent_digits(const gm_number *number) { return number->limits.max_exponent_digits; }

size_t gm_number_memory(const gm_number *number) { return atomic_load_explicit(&number->memory, memory_order_relaxed); }

/* Takes the ids that mean something by themselves. */
static bool fill_zeroth(gm_number *number)
{
    const gm_number_key nothing = {0};
    const gm_number_set empty = {.is_list = true};
    gm_number_state dead;
    return GM_ARRAY_PUSH(&number->allocator, &number->sets, empty) &&
           GM_ARRAY_PUSH(&number->allocator, &number->exponents, (gm_number_exponents){0}) &&
           intern_state(number, &nothing, &dead);
}

gm_status gm_number_create(const gm_allocator *allocator, const gm_number_limits *limits, gm_number **out,
                           gm_error *error)
{
    if (limits->max_exponent_digits > MOST_EXPONENT_DIGITS)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "max_exponent_digits is %llu, at most %d is possible",
                       (unsigned long long)limits->max_exponent_digits, MOST_EXPONENT_DIGITS);
    const gm_allocator in_force = gm_allocator_or_default(allocator);
    gm_number *number = gm_allocate_zeroed(&in_force, 1, sizeof *number);
    if (number == NULL)
        return gm_no_memory(error);
    number->allocator = in_force;
    number->limits = *limits;
    gm_arena_init(&number->arena, &in_force);
    gm_table_init(&number->set_ids, &in_force);
    gm_table_init(&number->exponent_ids, &in_force);
    gm_table_init(&number->state_ids, &in_force);
    atomic_init(&number->memory, 0);
    if (!gm_lock_init(&number->lock)) {
        gm_deallocate(&in_force, number, 1, sizeof *number);
        return gm_no_memory(error);
    }
    if (!fill_zeroth(number)) {
        gm_number_destroy(number);
        return gm_no_memory(error);
    }
    count_memory(number);
    *out = number;
    return GM_OK;
}

void gm_number_destroy(gm_number *number)
{
    if (number == NULL)
        return;
    const gm_allocator allocator = number->allocator;
    for (unsigned i = 0; i < CHUNKS; i++)
        gm_deallocate(&allocator, number->chunks[i], (size_t)FIRST_CHUNK << i, sizeof(state));
    gm_table_destroy(&number->state_ids);
    gm_table_destroy(&number->exponent_ids);
    gm_table_destroy(&number->set_ids);
    GM_ARRAY_FREE(&allocator, &number->exponents);
    GM_ARRAY_FREE(&allocator, &number->sets);
    gm_arena_destroy(&number->arena);
    gm_lock_destroy(&number->lock);
    gm_deallocate(&allocator, number, 1, sizeof *number);
}
