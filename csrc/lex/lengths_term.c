/*
 * lex/lengths_term.c - the lengths of a term, from those of its parts.
 *
 * A plain term's lengths follow from its parts' by arithmetic; shared parts are computed once, and
 * the lengths of the states that a text runs through are made of sets that are there already. Parts
 * are worked off with an agenda, not by recursion. AND and NOT are left to lengths_explore.c.
 */
#include "lex/lengths.h"

#include "base/utf8.h"

const gm_lengths *gm_lengths_known(gm_text *text, gm_term term)
{
    const gm_text_slot *slot = gm_text_find_slot(text, term);
    return slot != NULL ? atomic_load_explicit(&slot->lengths, memory_order_acquire) : NULL;
}

bool gm_lengths_publish(gm_text *text, gm_lengths_calculator *calculator, gm_term term, gm_lengths set)
{
    if (calculator->status != GM_OK)
        return false;
    gm_text_slot *slot = gm_text_slot_of(text, term);
    gm_lengths *copy = slot != NULL ? gm_arena_copy(&text->arena, &set, sizeof set) : NULL;
    if (copy != NULL && set.bits != NULL)
        copy->bits = gm_arena_copy(&text->arena, set.bits, (size_t)(set.explicit_count / 64 + 1) * sizeof *set.bits);
    if (copy == NULL || (set.bits != NULL && copy->bits == NULL)) {
        calculator->status = GM_OUT_OF_MEMORY;
        return false;
    }
    atomic_store_explicit(&slot->lengths, copy, memory_order_release);
    return true;
}

static gm_lengths lengths_of_constants(gm_text *text, gm_lengths_calculator *calculator, gm_term_node node)
{
    const gm_bytes *strings = text->pools.items[node.a].strings;
    const gm_lengths none = gm_lengths_of_bits(NULL, 0, 0);
    uint64_t longest = 0;
    for (uint32_t i = node.low; i <= node.high; i++)
        if (strings[i].length - node.b > longest)
            longest = strings[i].length - node.b;
    uint64_t *bits = gm_lengths_bits(calculator, longest + 1);
    if (bits == NULL)
        return none;
    for (uint32_t i = node.low; i <= node.high; i++)
        gm_lengths_set_bit(bits, gm_utf8_count((gm_bytes){strings[i].data + node.b, strings[i].length - node.b}));
    return gm_lengths_of_bits(bits, longest + 1, 0);
}

static gm_lengths lengths_of_union(gm_text *text, gm_lengths_calculator *calculator, gm_term_node node)
{
    gm_lengths all = gm_lengths_of_bits(NULL, 0, 0);
    for (uint32_t i = 0; i < node.a && calculator->status == GM_OK; i++)
        all = gm_lengths_union(calculator, all, *gm_lengths_known(text, node.list[i]));
    return all;
}

/* From parts that are all known. */
static gm_lengths lengths_of_node(gm_text *text, gm_lengths_calculator *calculator, gm_term_node node)
{
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_EMPTY:
        return gm_lengths_interval(0, 0);
    case GM_KIND_ANY:
        return gm_lengths_interval(0, UINT64_MAX);
    case GM_KIND_SET:
        return gm_lengths_interval(1, 1);
    case GM_KIND_CONCAT:
        return gm_lengths_sum(calculator, *gm_lengths_known(text, node.a), *gm_lengths_known(text, node.b));
    case GM_KIND_UNION:
        return lengths_of_union(text, calculator, node);
    case GM_KIND_STAR:
        return gm_lengths_repeat(calculator, *gm_lengths_known(text, node.a), 0, GM_REPEAT_UNBOUNDED);
    case GM_KIND_REPEAT:
        return gm_lengths_repeat(calculator, *gm_lengths_known(text, node.a), node.low, node.high);
    case GM_KIND_CONSTANTS:
        return lengths_of_constants(text, calculator, node);
    case GM_KIND_AUTOMATON:
        return gm_automaton_lengths(calculator, node);
    default:
        break;
    }
    return gm_lengths_of_bits(NULL, 0, 0);
}

static bool need(gm_text *text, gm_terms *agenda, gm_term part)
{
    return gm_lengths_known(text, part) != NULL || GM_ARRAY_PUSH(&text->allocator, agenda, part);
}

/* Puts the parts on the agenda that are not known yet. */
static bool need_parts(gm_text *text, gm_terms *agenda, gm_term_node node)
{
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_CONCAT:
        return need(text, agenda, node.a) && need(text, agenda, node.b);
    case GM_KIND_STAR:
    case GM_KIND_REPEAT:
        return need(text, agenda, node.a);
    case GM_KIND_UNION:
        for (uint32_t i = 0; i < node.a; i++)
            if (!need(text, agenda, node.list[i]))
                return false;
        return true;
    default:
        return true;
    }
}

/* A complement of a term that does not use some character holds all strings of it. */
static bool is_quick_complement(gm_text *text, gm_term_node node, bool *quick)
{
    uint64_t unused = 0;
    if (node.kind == GM_KIND_NOT && !gm_term_unused(text, node.a, false, &unused))
        return false;
    *quick = unused > 0;
    return true;
}

static bool work_off(gm_text *text, gm_lengths_calculator *calculator, gm_terms *agenda)
{
    while (agenda->count > 0) {
        const gm_term term = agenda->items[agenda->count - 1];
        const gm_term_node node = gm_term_at(text, term);
        const size_t before = agenda->count;
        bool quick = false;
        if (gm_lengths_known(text, term) != NULL || node.liveness == GM_BARREN) {
            if (node.liveness == GM_BARREN &&
                !gm_lengths_publish(text, calculator, term, gm_lengths_of_bits(NULL, 0, 0)))
                return false;
            agenda->count--;
            continue;
        }
        if (!need_parts(text, agenda, node) || !is_quick_complement(text, node, &quick)) {
            calculator->status = GM_OUT_OF_MEMORY;
            return false;
        }
        if (agenda->count > before)
            continue;
        if (gm_lengths_need_exploring(node) && !quick) {
            if (!gm_lengths_explore(text, calculator, term, agenda))
                return false;
            continue;
        }
        const gm_lengths set = quick ? gm_lengths_interval(node.nullable ? 0 : 1, UINT64_MAX)
                                     : lengths_of_node(text, calculator, node);
        if (!gm_lengths_publish(text, calculator, term, set))
            return false;
        agenda->count--;
    }
    return true;
}

/* With the lock held. */
static gm_status compute(gm_text *text, gm_term term, gm_error *error)
{
    gm_terms agenda = {0};
    gm_lengths_calculator calculator = {
        .status = GM_OK, .most_work = text->limits.max_states * 256, .most_bits = text->limits.max_states * 32};
    gm_arena_init(&calculator.arena, &text->allocator);
    if (!GM_ARRAY_PUSH(&text->allocator, &agenda, term))
        calculator.status = GM_OUT_OF_MEMORY;
    else
        work_off(text, &calculator, &agenda);
    gm_arena_destroy(&calculator.arena);
    GM_ARRAY_FREE(&text->allocator, &agenda);
    if (calculator.status == GM_OUT_OF_MEMORY)
        return gm_no_memory(error);
    if (calculator.status == GM_LIMIT)
        return gm_fail(error, GM_LIMIT, "", "",
                       "the lengths of the strings of a pattern are too irregular to be listed: "
                       "raise max_lexical_states");
    return GM_OK;
}

gm_status gm_text_lengths(gm_text *text, gm_term term, const gm_lengths **lengths, gm_error *error)
{
    const gm_lengths *known = gm_lengths_known(text, term);
    if (known == NULL) {
        gm_lock_acquire(&text->lock);
        const gm_status status = compute(text, term, error);
        gm_lock_release(&text->lock);
        GM_TRY(status);
        known = gm_lengths_known(text, term);
    }
    *lengths = known;
    return GM_OK;
}
