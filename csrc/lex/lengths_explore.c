/*
 * lex/lengths_explore.c - lengths of intersections and complements.
 *
 * These have no parts to add up: the states that a term leads to are listed, and for n = 0, 1, 2 ... it is
 * found which of them have a string of length n: those that lead to one with a string of length n - 1.
 * What holds for n follows from what holds for n - 1 alone, so once the same answer has come
 * up twice all that follows repeats. One such run gives the lengths of all the states in it. Terms of
 * other kinds on the rim of the exploration contribute the lengths they are known to have.
 */
#include "lex/lengths.h"

typedef struct arrow {
    uint32_t from, to; /* places */
} arrow;

typedef struct rim_arrow {
    uint32_t from;
    const gm_lengths *lengths;
} rim_arrow;

typedef struct exploration {
    gm_text *text;
    gm_lengths_calculator *calculator;
    gm_terms states;
    gm_table places; /* of terms in states */
    GM_ARRAY(arrow) arrows;
    GM_ARRAY(rim_arrow) rim;
    GM_ARRAY(uint64_t) history; /* for each length, a bit for each state */
    gm_table seen;              /* of lengths, by their bits and phase */
    size_t words;               /* of one length */
    uint64_t settled;           /* the rim repeats from this length on, with `period` */
    uint64_t period;
} exploration;

static void exploration_end(exploration *all)
{
    const gm_allocator *allocator = &all->text->allocator;
    GM_ARRAY_FREE(allocator, &all->states);
    GM_ARRAY_FREE(allocator, &all->arrows);
    GM_ARRAY_FREE(allocator, &all->rim);
    GM_ARRAY_FREE(allocator, &all->history);
    gm_table_destroy(&all->places);
    gm_table_destroy(&all->seen);
}

static bool no_memory(exploration *all)
{
    all->calculator->status = GM_OUT_OF_MEMORY;
    return false;
}

/* ---- states ---- */

static bool place_of(exploration *all, gm_term term, uint32_t *place)
{
    const uint64_t hash = gm_mix(term);
    for (gm_probe probe = gm_table_find(&all->places, hash); gm_probe_next(&all->places, &probe);)
        if (all->states.items[probe.id] == term) {
            *place = probe.id;
            return true;
        }
    *place = (uint32_t)all->states.count;
    return (GM_ARRAY_PUSH(&all->text->allocator, &all->states, term) && gm_table_add(&all->places, hash, *place)) ||
           no_memory(all);
}

/* An arrow to a term that is no UNION of other things than plain ones. */
static bool add_arrow(exploration *all, uint32_t from, gm_term to, gm_terms *needed)
{
    gm_text *text = all->text;
    const gm_term_node node = gm_term_at(text, to);
    if (node.liveness == GM_BARREN)
        return true;
    const gm_lengths *known = gm_lengths_known(text, to);
    if (known != NULL)
        return GM_ARRAY_PUSH(&text->allocator, &all->rim, ((rim_arrow){from, known})) || no_memory(all);
    if (!gm_lengths_need_exploring(node))
        return GM_ARRAY_PUSH(&text->allocator, needed, to) || no_memory(all);
    uint32_t place;
    return place_of(all, to, &place) &&
           (GM_ARRAY_PUSH(&text->allocator, &all->arrows, ((arrow){from, place})) || no_memory(all));
}

static bool add_arrows(exploration *all, uint32_t from, gm_terms *needed)
{
    const gm_segments *segments = gm_term_segments(all->text, all->states.items[from]);
    if (segments == NULL)
        return no_memory(all);
    for (uint32_t i = 0; i < segments->count; i++) {
        const gm_term to = segments->items[i].to;
        const gm_term_node node = gm_term_at(all->text, to);
        const bool is_mixed = node.kind == GM_KIND_UNION && !node.plain;
        for (uint32_t j = 0; j < (is_mixed ? node.a : 1); j++)
            if (!add_arrow(all, from, is_mixed ? node.list[j] : to, needed))
                return false;
    }
    return gm_lengths_spend(all->calculator, segments->count);
}

/* Lists all states and arrows; what is not known on the rim is added to `needed`. */
static bool list_states(exploration *all, gm_term term, gm_terms *needed)
{
    uint32_t place;
    if (!place_of(all, term, &place))
        return false;
    for (uint32_t i = 0; i < all->states.count; i++)
        if (!add_arrows(all, i, needed))
            return false;
    return true;
}

/* ---- lengths ---- */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* From which length on, and with which period, the rim's sets repeat. */
static bool measure_rim(exploration *all)
{
    all->settled = 0;
    all->period = 1;
    for (size_t i = 0; i < all->rim.count; i++) {
        const gm_lengths *set = all->rim.items[i].lengths;
        uint64_t settled = set->explicit_count;
        if (set->interval)
            settled = set->greatest == UINT64_MAX ? set->least : set->greatest + 1;
        if (settled > all->settled)
            all->settled = settled;
        if (set->period > 1)
            all->period *= set->period / greatest_common_divisor(all->period, set->period);
        if (!gm_lengths_spend(all->calculator, all->period > UINT32_MAX ? UINT64_MAX / 2 : 0))
            return false;
    }
    return true;
}

static uint64_t *bits_of_length(exploration *all, uint64_t length) { return &all->history.items[length * all->words]; }

/* Appends the bits of the next length, all zero. */
static bool add_length(exploration *all)
{
    if (!GM_ARRAY_RESERVE(&all->text->allocator, &all->history, all->words))
        return no_memory(all);
    memset(&all->history.items[all->history.count], 0, all->words * sizeof(uint64_t));
    all->history.count += all->words;
    return gm_lengths_spend(all->calculator, all->words + all->arrows.count + all->rim.count);
}

static bool begin_lengths(exploration *all)
{
    if (!add_length(all))
        return false;
    for (size_t i = 0; i < all->states.count; i++)
        if (gm_term_nullable(all->text, all->states.items[i]))
            gm_lengths_set_bit(bits_of_length(all, 0), i);
    return true;
}

/* From the bits of a length those of the next. */
static bool step(exploration *all, uint64_t length)
{
    if (!add_length(all))
        return false;
    const uint64_t *before = bits_of_length(all, length);
    uint64_t *after = bits_of_length(all, length + 1);
    for (size_t i = 0; i < all->arrows.count; i++)
        if (gm_lengths_bit(before, all->arrows.items[i].to))
            gm_lengths_set_bit(after, all->arrows.items[i].from);
    for (size_t i = 0; i < all->rim.count; i++)
        if (gm_lengths_has(all->rim.items[i].lengths, length))
            gm_lengths_set_bit(after, all->rim.items[i].from);
    return true;
}

/* Whether an earlier length has the same bits and phase, so that all repeats since. Notes this one. */
static bool look_back(exploration *all, uint64_t length, uint64_t *earlier, bool *found)
{
    *found = false;
    if (length < all->settled)
        return true;
    const uint64_t *bits = bits_of_length(all, length);
    const uint64_t hash = gm_hash_combine(gm_hash_bytes(bits, all->words * sizeof *bits), length % all->period);
    for (gm_probe probe = gm_table_find(&all->seen, hash); gm_probe_next(&all->seen, &probe);) {
        if (probe.id % all->period != length % all->period ||
            memcmp(bits_of_length(all, probe.id), bits, all->words * sizeof *bits) != 0)
            continue;
        *found = true;
        *earlier = probe.id;
        return true;
    }
    return gm_table_add(&all->seen, hash, (uint32_t)length) || no_memory(all);
}

/* Publishes the lengths of a state: bits 0..count - 1, of which the last `period` repeat. */
static bool publish_state(exploration *all, size_t place, uint64_t count, uint64_t period)
{
    uint64_t *bits = gm_lengths_bits(all->calculator, count);
    if (bits == NULL)
        return false;
    for (uint64_t length = 0; length < count; length++)
        if (gm_lengths_bit(bits_of_length(all, length), place))
            gm_lengths_set_bit(bits, length);
    const gm_lengths set = gm_lengths_of_bits(bits, count, period);
    return gm_lengths_publish(all->text, all->calculator, all->states.items[place], set);
}

enum { MOST_PUBLISHED_BITS = 1 << 23 };

static bool find_lengths(exploration *all)
{
    all->words = all->states.count / 64 + 1;
    uint64_t length = 0, earlier = 0;
    bool found = false;
    if (!measure_rim(all) || !begin_lengths(all))
        return false;
    for (;; length++) {
        if (!look_back(all, length, &earlier, &found))
            return false;
        if (found)
            break;
        if (!step(all, length))
            return false;
    }
    /* The term that was asked for comes first; the others are a gift, unless it would be too large. */
    const size_t published = all->states.count * (length + 1) <= MOST_PUBLISHED_BITS ? all->states.count : 1;
    for (size_t place = 0; place < published; place++)
        if (!publish_state(all, place, length, length - earlier))
            return false;
    return true;
}

bool gm_lengths_explore(gm_text *text, gm_lengths_calculator *calculator, gm_term term, gm_terms *needed)
{
    exploration all = {.text = text, .calculator = calculator};
    const size_t before = needed->count;
    gm_table_init(&all.places, &text->allocator);
    gm_table_init(&all.seen, &text->allocator);
    const bool done = list_states(&all, term, needed) && (needed->count > before || find_lengths(&all));
    exploration_end(&all);
    return done;
}
