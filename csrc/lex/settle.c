/*
 * lex/settle.c - which terms have no string at all.
 *
 * A plain term is never empty. An intersection or a complement may be, and whether it is can only be
 * told by looking for a string: all that a term leads to is explored, forward and once, and then
 * the terms from which an accepting one can be reached are found, backward from those. Every term met
 * on the way is decided as well, so the work is never repeated: a later exploration stops at it.
 *
 * A complement needs no exploration if the loops of what is negated do not cover the alphabet. A
 * derivative that holds every string would hold c c c ... c for any character c and any length, and
 * so would have to come by some loop that reads c. Patterns with both anchors are of that kind.
 */
#include "lex/term.h"

/* ---- loops ---- */

static bool push(gm_text *text, gm_terms *stack, gm_term term, uint32_t epoch)
{
    if (text->nodes.items[term].mark == epoch)
        return true;
    text->nodes.items[term].mark = epoch;
    return GM_ARRAY_PUSH(&text->allocator, stack, term);
}

static bool push_parts(gm_text *text, gm_terms *stack, gm_term_node node, uint32_t epoch)
{
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_CONCAT:
        return push(text, stack, node.a, epoch) && push(text, stack, node.b, epoch);
    case GM_KIND_STAR:
    case GM_KIND_REPEAT:
        return push(text, stack, node.a, epoch);
    case GM_KIND_UNION:
        for (uint32_t i = 0; i < node.a; i++)
            if (!push(text, stack, node.list[i], epoch))
                return false;
        return true;
    default:
        return true;
    }
}

static bool is_loop(gm_term_node node)
{
    return node.kind == GM_KIND_STAR || (node.kind == GM_KIND_REPEAT && node.high == GM_REPEAT_UNBOUNDED);
}

/* Walks what is below the terms on the stack. With `loops` NULL it joins the sets it meets into
 * *set; otherwise it lists the bodies of loops. Counts constants. *complete becomes false where it
 * cannot tell. */
static bool walk(gm_text *text, gm_terms *stack, gm_terms *loops, gm_charset *set, uint64_t *constants, bool *complete)
{
    const uint32_t epoch = gm_text_epoch(text);
    for (size_t i = 0; i < stack->count; i++)
        text->nodes.items[stack->items[i]].mark = epoch;
    while (stack->count > 0) {
        const gm_term_node node = gm_term_at(text, stack->items[--stack->count]);
        if (node.kind == GM_KIND_ANY || node.kind == GM_KIND_AND || node.kind == GM_KIND_NOT ||
            node.kind == GM_KIND_AUTOMATON || node.kind == GM_KIND_TRACKED)
            *complete = false;
        if (node.kind == GM_KIND_CONSTANTS)
            *constants += (uint64_t)(node.high - node.low) + 1;
        if (loops == NULL && node.kind == GM_KIND_SET)
            *set = gm_charset_union(&text->sets, *set, node.a);
        if (*set == GM_CHARSET_FAILED)
            return false;
        const bool done = loops != NULL && is_loop(node) ? GM_ARRAY_PUSH(&text->allocator, loops, node.a)
                                                         : push_parts(text, stack, node, epoch);
        if (!done)
            return false;
    }
    return true;
}

static uint64_t size_of_complement(const gm_text *text, gm_charset set)
{
    const gm_charset_entry entry = gm_charset_ranges(&text->sets, set);
    const gm_charset_entry all = gm_charset_ranges(&text->sets, GM_CHARSET_ALL);
    uint64_t size = 0;
    for (uint32_t i = 0; i < all.count; i++)
        size += (uint64_t)(all.ranges[i].high - all.ranges[i].low) + 1;
    for (uint32_t i = 0; i < entry.count; i++)
        size -= (uint64_t)(entry.ranges[i].high - entry.ranges[i].low) + 1;
    return size;
}

bool gm_term_unused(gm_text *text, gm_term term, bool in_loops, uint64_t *unused)
{
    gm_terms *stack = &text->agenda, *loops = &text->children;
    stack->count = loops->count = 0;
    gm_charset set = GM_CHARSET_NONE;
    uint64_t constants = 0;
    bool complete = true;
    if (!GM_ARRAY_PUSH(&text->allocator, stack, term) ||
        !walk(text, stack, in_loops ? loops : NULL, &set, &constants, &complete))
        return false;
    if (in_loops) {
        constants = 0; /* which loop nowhere */
        if (!walk(text, loops, NULL, &set, &constants, &complete))
            return false;
    }
    const uint64_t left = size_of_complement(text, set);
    *unused = !complete || left < constants ? 0 : left - constants;
    return true;
}

/* ---- exploration ---- */

/* Of a state, on average: a large alphabet makes states expensive, and is paid for like many states. */
enum { MOST_EDGES = 16 };

typedef struct edge {
    uint32_t from, to; /* positions in the list of states */
} edge;

typedef struct exploration {
    gm_text *text;
    gm_terms states; /* all undecided */
    GM_ARRAY(edge) edges;
    GM_ARRAY(uint32_t) queue; /* positions known to be live, not yet looked at */
    GM_ARRAY(bool) live;
    GM_ARRAY(uint32_t) first; /* edges into state i: order[first[i] .. first[i + 1]) */
    GM_ARRAY(uint32_t) order;
    gm_table places; /* of terms in states */
} exploration;

static void exploration_end(exploration *all)
{
    const gm_allocator *allocator = &all->text->allocator;
    GM_ARRAY_FREE(allocator, &all->states);
    GM_ARRAY_FREE(allocator, &all->edges);
    GM_ARRAY_FREE(allocator, &all->queue);
    GM_ARRAY_FREE(allocator, &all->live);
    GM_ARRAY_FREE(allocator, &all->first);
    GM_ARRAY_FREE(allocator, &all->order);
    gm_table_destroy(&all->places);
}

static uint32_t place_of(exploration *all, gm_term term)
{
    const uint64_t hash = gm_mix(term);
    for (gm_probe probe = gm_table_find(&all->places, hash); gm_probe_next(&all->places, &probe);)
        if (all->states.items[probe.id] == term)
            return probe.id;
    const size_t place = all->states.count;
    const gm_allocator *allocator = &all->text->allocator;
    if (!GM_ARRAY_RESERVE(allocator, &all->states, 1) || !GM_ARRAY_RESERVE(allocator, &all->live, 1) ||
        !gm_table_add(&all->places, hash, (uint32_t)place))
        return UINT32_MAX;
    all->states.items[all->states.count++] = term;
    all->live.items[all->live.count++] = false;
    return (uint32_t)place;
}

static bool mark_live(exploration *all, uint32_t place)
{
    if (all->live.items[place])
        return true;
    all->live.items[place] = true;
    return GM_ARRAY_PUSH(&all->text->allocator, &all->queue, place);
}

static bool add_simple_edge(exploration *all, uint32_t from, gm_term to)
{
    const gm_liveness liveness = (gm_liveness)all->text->nodes.items[to].liveness;
    if (liveness != GM_UNKNOWN)
        return liveness == GM_BARREN || mark_live(all, from);
    const uint32_t place = place_of(all, to);
    return place != UINT32_MAX && GM_ARRAY_PUSH(&all->text->allocator, &all->edges, ((edge){from, place}));
}

/* Notes that state `from` leads to a term. A UNION lives by its members, and is none itself. */
static bool add_edge(exploration *all, uint32_t from, gm_term to)
{
    const gm_term_node node = gm_term_at(all->text, to);
    if (node.kind != GM_KIND_UNION || node.plain)
        return add_simple_edge(all, from, to);
    for (uint32_t i = 0; i < node.a; i++)
        if (!add_simple_edge(all, from, node.list[i]))
            return false;
    return true;
}

static bool explore_state(exploration *all, uint32_t place)
{
    gm_text *text = all->text;
    const gm_term term = all->states.items[place];
    const gm_term_node node = gm_term_at(text, term);
    const gm_segments *segments = gm_term_segments(text, term);
    if (segments == NULL || (node.nullable && !mark_live(all, place)))
        return false;
    for (uint32_t i = 0; i < segments->count; i++)
        if (!add_edge(all, place, segments->items[i].to))
            return false;
    return true;
}

/* Sorts the edges by where they lead. */
static bool index_edges(exploration *all)
{
    const gm_allocator *allocator = &all->text->allocator;
    const size_t states = all->states.count;
    if (!GM_ARRAY_RESERVE(allocator, &all->first, states + 1) ||
        !GM_ARRAY_RESERVE(allocator, &all->order, all->edges.count + 1))
        return false;
    memset(all->first.items, 0, (states + 1) * sizeof(uint32_t));
    for (size_t i = 0; i < all->edges.count; i++)
        all->first.items[all->edges.items[i].to + 1]++;
    for (size_t i = 0; i < states; i++)
        all->first.items[i + 1] += all->first.items[i];
    for (size_t i = 0; i < all->edges.count; i++) /* moves first[to] to the end of its run ... */
        all->order.items[all->first.items[all->edges.items[i].to]++] = all->edges.items[i].from;
    for (size_t i = states; i > 0; i--) /* ... which is where the next one begins */
        all->first.items[i] = all->first.items[i - 1];
    all->first.items[0] = 0;
    return true;
}

static bool spread_liveness(exploration *all)
{
    if (!index_edges(all))
        return false;
    while (all->queue.count > 0) {
        const uint32_t place = all->queue.items[--all->queue.count];
        for (uint32_t i = all->first.items[place]; i < all->first.items[place + 1]; i++)
            if (!mark_live(all, all->order.items[i]))
                return false;
    }
    return true;
}

static gm_status explore(exploration *all, gm_term term, gm_error *error)
{
    gm_text *text = all->text;
    const gm_term_node node = gm_term_at(text, term);
    const bool is_union = node.kind == GM_KIND_UNION;
    for (uint32_t i = 0; i < (is_union ? node.a : 1); i++) {
        const gm_term state = is_union ? node.list[i] : term;
        if (text->nodes.items[state].liveness == GM_UNKNOWN && place_of(all, state) == UINT32_MAX)
            return gm_no_memory(error);
    }
    for (size_t i = 0; i < all->states.count; i++) {
        if (all->states.count > text->limits.max_states || all->edges.count / MOST_EDGES > text->limits.max_states)
            return gm_fail(error, GM_LIMIT, "", "",
                           "deciding whether a combination of patterns has any string needs more than %llu states: "
                           "raise max_lexical_states",
                           (unsigned long long)text->limits.max_states);
        if (!explore_state(all, (uint32_t)i))
            return gm_no_memory(error);
    }
    if (!spread_liveness(all))
        return gm_no_memory(error);
    for (size_t i = 0; i < all->states.count; i++)
        text->nodes.items[all->states.items[i]].liveness = all->live.items[i] ? GM_LIVE : GM_BARREN;
    return GM_OK;
}

gm_liveness gm_term_liveness(const gm_text *text, gm_term term)
{
    const gm_term_node node = gm_term_at(text, term);
    if (node.kind != GM_KIND_UNION || node.plain)
        return (gm_liveness)node.liveness;
    gm_liveness result = GM_BARREN;
    for (uint32_t i = 0; i < node.a; i++) {
        const gm_liveness liveness = (gm_liveness)text->nodes.items[node.list[i]].liveness;
        if (liveness == GM_UNKNOWN)
            return GM_UNKNOWN;
        if (liveness == GM_LIVE)
            result = GM_LIVE;
    }
    return result;
}

void gm_term_trust(gm_text *text, gm_term term)
{
    gm_term_node *node = &text->nodes.items[term];
    if (node->kind != GM_KIND_NOT || node->liveness != GM_UNKNOWN)
        return;
    node->liveness = GM_LIVE;
    node->certain = true;
    node->segments = NULL; /* if an exploration that gave up has made them, where they lead is unknown */
}

gm_status gm_term_settle(gm_text *text, gm_term term, gm_error *error)
{
    if (gm_term_liveness(text, term) != GM_UNKNOWN)
        return GM_OK;
    const gm_term_node node = gm_term_at(text, term);
    if (node.kind == GM_KIND_NOT) {
        uint64_t unused;
        if (!gm_term_unused(text, node.a, true, &unused))
            return gm_no_memory(error);
        if (unused > 0) {
            gm_term_trust(text, term);
            return GM_OK;
        }
    }
    exploration all = {.text = text};
    gm_table_init(&all.places, &text->allocator);
    const gm_status status = explore(&all, term, error);
    exploration_end(&all);
    return status;
}
