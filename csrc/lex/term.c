/* lex/term.c - interning terms, and the constructors of what stands in one sequence. See term.h. */
#include "lex/term.h"

/* ---- interning ---- */

static uint64_t hash_node(const gm_term_node *node)
{
    uint64_t hash = gm_hash_combine(node->kind, (uint64_t)node->a << 32 | node->b);
    hash = gm_hash_combine(hash, (uint64_t)node->low << 32 | node->high);
    return node->list != NULL ? gm_hash_combine(hash, gm_hash_bytes(node->list, node->a * sizeof(gm_term))) : hash;
}

static bool same_node(const gm_term_node *a, const gm_term_node *b)
{
    return a->kind == b->kind && a->a == b->a && a->b == b->b && a->low == b->low && a->high == b->high &&
           (a->list == NULL || memcmp(a->list, b->list, a->a * sizeof(gm_term)) == 0);
}

static uint32_t shape_of(const gm_text *text, const gm_term_node *node, gm_term term)
{
    uint64_t shape;
    if (node->kind == GM_KIND_CONCAT)
        shape = gm_hash_combine(text->nodes.items[node->a].shape, text->nodes.items[node->b].shape);
    else if (node->kind == GM_KIND_STAR || node->kind == GM_KIND_REPEAT)
        shape = gm_hash_combine(GM_KIND_REPEAT, node->a);
    else
        shape = gm_hash_combine(GM_KIND_SET, term);
    return (uint32_t)shape;
}

/* The id of a node with this content; its list, if any, is copied. */
gm_term gm_term_intern(gm_text *text, gm_term_node node)
{
    const uint64_t hash = hash_node(&node);
    for (gm_probe probe = gm_table_find(&text->table, hash); gm_probe_next(&text->table, &probe);)
        if (same_node(&node, &text->nodes.items[probe.id]))
            return probe.id;
    const size_t term = text->nodes.count;
    if (term >= GM_TERM_FAILED || !GM_ARRAY_RESERVE(&text->allocator, &text->nodes, 1))
        return GM_TERM_FAILED;
    if (node.list != NULL) {
        node.list = gm_arena_copy(&text->arena, node.list, node.a * sizeof(gm_term));
        if (node.list == NULL)
            return GM_TERM_FAILED;
    }
    if (!gm_table_add(&text->table, hash, (uint32_t)term))
        return GM_TERM_FAILED;
    node.shape = shape_of(text, &node, (gm_term)term);
    text->nodes.items[text->nodes.count++] = node;
    return (gm_term)term;
}

bool gm_terms_begin(gm_text *text)
{
    static const gm_term_node none = {.kind = GM_KIND_NONE, .plain = true, .liveness = GM_BARREN};
    static const gm_term_node empty = {.kind = GM_KIND_EMPTY, .plain = true, .nullable = true};
    static const gm_term_node any = {.kind = GM_KIND_ANY, .plain = true, .nullable = true};
    return gm_term_intern(text, none) == GM_TERM_NONE && gm_term_intern(text, empty) == GM_TERM_EMPTY &&
           gm_term_intern(text, any) == GM_TERM_ANY;
}

uint32_t gm_text_epoch(gm_text *text)
{
    if (++text->epoch == 0) {
        for (size_t i = 0; i < text->nodes.count; i++)
            text->nodes.items[i].mark = 0;
        text->epoch = 1;
    }
    return text->epoch;
}

static gm_term_kind kind_of(const gm_text *text, gm_term term) { return (gm_term_kind)text->nodes.items[term].kind; }

/* ---- sets ---- */

gm_term gm_term_set(gm_text *text, gm_charset set)
{
    if (set == GM_CHARSET_FAILED)
        return GM_TERM_FAILED;
    if (set == GM_CHARSET_NONE)
        return GM_TERM_NONE;
    return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_SET, .plain = true, .a = set});
}

gm_term gm_term_of_code_point(gm_text *text, uint32_t code_point)
{
    if (code_point < 128 && text->singles[code_point] != GM_TERM_NONE)
        return text->singles[code_point];
    if (code_point >= 0xD800 && code_point <= 0xDFFF)
        return GM_TERM_NONE;
    const gm_range range = {code_point, code_point};
    const gm_term term = gm_term_set(text, gm_charset_intern(&text->sets, &range, 1));
    if (code_point < 128 && term != GM_TERM_FAILED)
        text->singles[code_point] = term;
    return term;
}

/* ---- concatenation ---- */

/* Puts the factors of a term on text->spine, the first one lowest. */
static bool unwind(gm_text *text, gm_term term)
{
    while (kind_of(text, term) == GM_KIND_CONCAT) {
        const gm_term_node node = gm_term_at(text, term);
        if (!GM_ARRAY_PUSH(&text->allocator, &text->spine, node.a))
            return false;
        term = node.b;
    }
    return GM_ARRAY_PUSH(&text->allocator, &text->spine, term);
}

static bool is_flexible_repeat(gm_term_node node) { return node.kind == GM_KIND_REPEAT && node.high > node.low; }

/* What cannot match: whatever stands before it is dropped. */
static gm_term nothing(gm_text *text)
{
    text->spine.count = 0;
    return GM_TERM_NONE;
}

/* One factor before a term. *rest is the result, unless more factors were put on text->spine.
 *
 * ANY swallows every neighbour that may be empty, and of a repeat all but the least number: search
 * patterns keep the states that tell matches apart, and no others. The start of the text swallows what
 * may be empty before it, the end what may be empty behind it. */
static bool prepend(gm_text *text, gm_term head, gm_term *rest)
{
    if (head == GM_TERM_EMPTY)
        return true;
    const gm_term_node follower = gm_term_at(text, *rest);
    const bool is_concat = follower.kind == GM_KIND_CONCAT;
    const gm_term first = is_concat ? follower.a : *rest;
    const gm_term tail = is_concat ? follower.b : (gm_term)GM_TERM_EMPTY;
    const gm_term_node head_node = gm_term_at(text, head);
    const gm_term_node first_node = gm_term_at(text, first);

    if (first_node.kind == GM_KIND_START && (!head_node.open || head == first)) {
        if (!head_node.nullable && head != first) /* it has read something */
            *rest = nothing(text);
        return true;
    }
    if (head_node.kind == GM_KIND_END && first != GM_TERM_EMPTY && !first_node.open) {
        *rest = tail;
        if (first_node.nullable)
            return GM_ARRAY_PUSH(&text->allocator, &text->spine, head);
        *rest = nothing(text);
        return true;
    }
    if (first == GM_TERM_ANY) {
        if (head_node.nullable)
            return true;
        if (is_flexible_repeat(head_node)) {
            const gm_term least = gm_term_repeat(text, head_node.a, head_node.low, head_node.low);
            return least != GM_TERM_FAILED && unwind(text, least);
        }
    }
    if (head == GM_TERM_ANY && first != GM_TERM_EMPTY && (first_node.nullable || is_flexible_repeat(first_node))) {
        *rest = tail;
        if (!GM_ARRAY_PUSH(&text->allocator, &text->spine, head))
            return false;
        if (first_node.nullable)
            return true;
        const gm_term least = gm_term_repeat(text, first_node.a, first_node.low, first_node.low);
        return least != GM_TERM_FAILED && unwind(text, least);
    }
    if (head_node.kind == GM_KIND_STAR && first == head)
        return true;
    if (head_node.kind == GM_KIND_STAR && first_node.kind == GM_KIND_REPEAT && first_node.a == head_node.a) {
        *rest = tail;
        const gm_term joined = gm_term_repeat(text, head_node.a, first_node.low, GM_REPEAT_UNBOUNDED);
        return joined != GM_TERM_FAILED && GM_ARRAY_PUSH(&text->allocator, &text->spine, joined);
    }
    if (*rest == GM_TERM_EMPTY) {
        *rest = head;
        return true;
    }
    *rest = gm_term_intern(text, (gm_term_node){.kind = GM_KIND_CONCAT,
                                        .a = head,
                                        .b = *rest,
                                        .plain = !head_node.open && !follower.open,
                                        .open = head_node.open || follower.open,
                                        .nullable = head_node.nullable && follower.nullable});
    return *rest != GM_TERM_FAILED;
}

gm_term gm_term_wind(gm_text *text, gm_term rest)
{
    while (text->spine.count > 0)
        if (!prepend(text, text->spine.items[--text->spine.count], &rest))
            return GM_TERM_FAILED;
    return rest;
}

gm_term gm_term_concat(gm_text *text, gm_term head, gm_term rest)
{
    if (head == GM_TERM_FAILED || rest == GM_TERM_FAILED)
        return GM_TERM_FAILED;
    if (head == GM_TERM_NONE || rest == GM_TERM_NONE)
        return GM_TERM_NONE;
    if (head == GM_TERM_EMPTY || rest == GM_TERM_EMPTY)
        return head == GM_TERM_EMPTY ? rest : head;
    GM_ASSERT(gm_term_at(text, head).plain || gm_term_at(text, head).open);
    GM_ASSERT(gm_term_at(text, rest).plain || gm_term_at(text, rest).open);
    text->spine.count = 0;
    return unwind(text, head) ? gm_term_wind(text, rest) : GM_TERM_FAILED;
}

/* ---- repetition ---- */

gm_term gm_term_repeat(gm_text *text, gm_term body, uint32_t low, uint32_t high)
{
    GM_ASSERT(low <= high);
    if (body == GM_TERM_FAILED)
        return GM_TERM_FAILED;
    if (high == 0 || body == GM_TERM_EMPTY)
        return GM_TERM_EMPTY;
    if (body == GM_TERM_NONE)
        return low == 0 ? GM_TERM_EMPTY : GM_TERM_NONE;
    gm_term_node node = gm_term_at(text, body);
    if ((low == 1 && high == 1) || node.kind == GM_KIND_STAR || node.kind == GM_KIND_ANY)
        return body;
    if (node.nullable) {
        if (high == 1)
            return body;
        low = 0; /* turns that read nothing can make up any number */
        body = gm_term_nonempty(text, body);
        if (body == GM_TERM_FAILED)
            return GM_TERM_FAILED;
        node = gm_term_at(text, body);
    }
    const bool unbounded = high == GM_REPEAT_UNBOUNDED || node.high == GM_REPEAT_UNBOUNDED;
    if (node.kind == GM_KIND_REPEAT && node.low == 1 && unbounded)
        return gm_term_repeat(text, node.a, low, GM_REPEAT_UNBOUNDED); /* once deep: node.a is no such repeat */
    if (low == 0 && high == GM_REPEAT_UNBOUNDED) {
        if (node.kind == GM_KIND_SET && node.a == GM_CHARSET_ALL)
            return GM_TERM_ANY;
        return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_STAR,
                                                   .plain = node.plain,
                                                   .open = node.open,
                                                   .nullable = true,
                                                   .a = body});
    }
    return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_REPEAT,
                                       .plain = node.plain,
                                       .open = node.open,
                                       .nullable = low == 0,
                                       .a = body,
                                       .low = low,
                                       .high = high});
}

static bool push_pending(gm_text *text, gm_term term, gm_term rest)
{
    return rest != GM_TERM_FAILED && GM_ARRAY_PUSH(&text->allocator, &text->pending, ((gm_pending){term, rest}));
}

/* Adds to text->parts terms that together are the nonempty strings of item.term item.rest, or puts
 * smaller questions on text->pending. */
static bool nonempty_step(gm_text *text, gm_pending item, uint32_t epoch)
{
    const gm_term_node node = gm_term_at(text, item.term);
    gm_term first; /* what begins with a nonempty factor */
    if (!node.nullable) {
        first = item.term;
    } else if (node.kind == GM_KIND_CONCAT) {
        return push_pending(text, node.a, gm_term_concat(text, node.b, item.rest));
    } else if (node.kind == GM_KIND_UNION) {
        for (uint32_t i = 0; i < node.a; i++)
            if (!push_pending(text, node.list[i], item.rest))
                return false;
        return true;
    } else if (node.kind == GM_KIND_EMPTY) {
        first = GM_TERM_NONE;
    } else {
        const gm_term body = node.kind == GM_KIND_ANY ? gm_term_set(text, GM_CHARSET_ALL) : node.a;
        first = gm_term_repeat(text, body, 1, node.kind == GM_KIND_REPEAT ? node.high : GM_REPEAT_UNBOUNDED);
    }
    const gm_term whole = gm_term_concat(text, first, item.rest);
    if (whole == GM_TERM_FAILED || !GM_ARRAY_PUSH(&text->allocator, &text->parts, whole))
        return false;
    if (!node.nullable || item.rest == GM_TERM_EMPTY || text->nodes.items[item.rest].mark == epoch)
        return true;
    text->nodes.items[item.rest].mark = epoch;
    return push_pending(text, item.rest, GM_TERM_EMPTY);
}

gm_term gm_term_nonempty(gm_text *text, gm_term term)
{
    const uint32_t epoch = gm_text_epoch(text);
    text->pending.count = text->parts.count = 0;
    if (!push_pending(text, term, GM_TERM_EMPTY))
        return GM_TERM_FAILED;
    while (text->pending.count > 0)
        if (!nonempty_step(text, text->pending.items[--text->pending.count], epoch))
            return GM_TERM_FAILED;
    return gm_term_union(text, text->parts.items, text->parts.count);
}

/* ---- sets of strings ---- */

gm_term gm_term_constants(gm_text *text, uint32_t pool, uint32_t low, uint32_t high, uint32_t depth)
{
    const bool ends = text->pools.items[pool].strings[low].length == depth;
    if (ends && low == high)
        return GM_TERM_EMPTY;
    return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_CONSTANTS,
                                               .a = pool,
                                               .b = depth,
                                               .low = low,
                                               .high = high,
                                               .nullable = ends});
}
