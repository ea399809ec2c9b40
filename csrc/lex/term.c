/* lex/term.c - interning terms, and the constructors that simplify them. See term.h. */
#include "lex/term.h"

#include <stdlib.h>

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
static gm_term intern(gm_text *text, gm_term_node node)
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
    const gm_term none = intern(text, (gm_term_node){.kind = GM_KIND_NONE, .plain = true, .liveness = GM_BARREN});
    const gm_term empty = intern(text, (gm_term_node){.kind = GM_KIND_EMPTY, .plain = true, .nullable = true});
    const gm_term any = intern(text, (gm_term_node){.kind = GM_KIND_ANY, .plain = true, .nullable = true});
    return none == GM_TERM_NONE && empty == GM_TERM_EMPTY && any == GM_TERM_ANY;
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
    return intern(text, (gm_term_node){.kind = GM_KIND_SET, .plain = true, .a = set});
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

/* One factor before a term. *rest is the result, unless more factors were put on text->spine.
 *
 * ANY swallows every neighbour that may be empty, and of a repeat all but the least number: search
 * patterns keep the states that tell matches apart, and no others. */
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
    *rest = intern(text, (gm_term_node){.kind = GM_KIND_CONCAT,
                                        .a = head,
                                        .b = *rest,
                                        .plain = true,
                                        .nullable = head_node.nullable && follower.nullable});
    return *rest != GM_TERM_FAILED;
}

/* All factors on text->spine before `rest`. */
static gm_term wind(gm_text *text, gm_term rest)
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
    GM_ASSERT(gm_term_at(text, head).plain && gm_term_at(text, rest).plain);
    text->spine.count = 0;
    return unwind(text, head) ? wind(text, rest) : GM_TERM_FAILED;
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
    if (node.kind == GM_KIND_REPEAT && node.low == 1 && (node.high == GM_REPEAT_UNBOUNDED || high == GM_REPEAT_UNBOUNDED))
        return gm_term_repeat(text, node.a, low, GM_REPEAT_UNBOUNDED); /* once deep: node.a is no such repeat */
    if (low == 0 && high == GM_REPEAT_UNBOUNDED) {
        if (node.kind == GM_KIND_SET && node.a == GM_CHARSET_ALL)
            return GM_TERM_ANY;
        return intern(text, (gm_term_node){.kind = GM_KIND_STAR, .plain = true, .nullable = true, .a = body});
    }
    return intern(text, (gm_term_node){.kind = GM_KIND_REPEAT,
                                       .plain = true,
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

/* ---- union ---- */

static int by_value(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/* Sorts text->keys and drops duplicates. */
static void sort_keys(gm_keys *keys)
{
    if (keys->count > 24) {
        qsort(keys->items, keys->count, sizeof *keys->items, by_value);
    } else {
        for (size_t i = 1; i < keys->count; i++) {
            const uint64_t key = keys->items[i];
            size_t at = i;
            for (; at > 0 && keys->items[at - 1] > key; at--)
                keys->items[at] = keys->items[at - 1];
            keys->items[at] = key;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < keys->count; i++)
        if (kept == 0 || keys->items[kept - 1] != keys->items[i])
            keys->items[kept++] = keys->items[i];
    keys->count = kept;
}

/* Members of unions are sorted by shape first, so that those which may merge are neighbours. */
static uint64_t union_key(const gm_text *text, gm_term term)
{
    return (uint64_t)text->nodes.items[term].shape << 32 | term;
}

static gm_term term_of_key(uint64_t key) { return (gm_term)key; }

static bool bounds_of_repeat(gm_term_node node, uint32_t *low, uint32_t *high)
{
    *low = node.kind == GM_KIND_STAR ? 0 : node.low;
    *high = node.kind == GM_KIND_STAR ? GM_REPEAT_UNBOUNDED : node.high;
    return node.kind == GM_KIND_STAR || node.kind == GM_KIND_REPEAT;
}

/* p X{a,b} k | p X{c,d} k is p X{min,max} k if the bounds touch. GM_TERM_NONE if that is not how
 * the two differ. */
static gm_term merge_repeats(gm_text *text, gm_term a, gm_term b)
{
    text->spine.count = 0;
    gm_term_node left = gm_term_at(text, a), right = gm_term_at(text, b);
    while (left.kind == GM_KIND_CONCAT && right.kind == GM_KIND_CONCAT && left.a == right.a) {
        if (!GM_ARRAY_PUSH(&text->allocator, &text->spine, left.a))
            return GM_TERM_FAILED;
        left = gm_term_at(text, left.b);
        right = gm_term_at(text, right.b);
    }
    gm_term rest = GM_TERM_EMPTY;
    if (left.kind == GM_KIND_CONCAT && right.kind == GM_KIND_CONCAT) {
        if (left.b != right.b)
            return GM_TERM_NONE;
        rest = left.b;
        left = gm_term_at(text, left.a);
        right = gm_term_at(text, right.a);
    }
    uint32_t low, high, other_low, other_high;
    if (!bounds_of_repeat(left, &low, &high) || !bounds_of_repeat(right, &other_low, &other_high) || left.a != right.a)
        return GM_TERM_NONE;
    if ((uint64_t)low > (uint64_t)other_high + 1 || (uint64_t)other_low > (uint64_t)high + 1)
        return GM_TERM_NONE;
    const gm_term merged =
        gm_term_repeat(text, left.a, low < other_low ? low : other_low, high > other_high ? high : other_high);
    if (merged == GM_TERM_FAILED || !GM_ARRAY_PUSH(&text->allocator, &text->spine, merged))
        return GM_TERM_FAILED;
    return wind(text, rest);
}

/* Merges what can be merged among equal shapes; false when out of memory. */
static bool merge_members(gm_text *text)
{
    gm_keys *keys = &text->keys;
    bool changed = false;
    for (size_t i = 0; i < keys->count; i++) {
        for (size_t j = i + 1; j < keys->count && keys->items[j] >> 32 == keys->items[i] >> 32; j++) {
            const gm_term merged = merge_repeats(text, term_of_key(keys->items[i]), term_of_key(keys->items[j]));
            if (merged == GM_TERM_FAILED)
                return false;
            if (merged == GM_TERM_NONE)
                continue;
            changed = true;
            keys->items[i] = union_key(text, merged);
            memmove(&keys->items[j], &keys->items[j + 1], (keys->count - j - 1) * sizeof *keys->items);
            keys->count--;
            j = i; /* once more from the start: the wider one may touch what the narrower did not */
        }
    }
    if (changed)
        sort_keys(keys);
    return true;
}

enum { MOST_SUFFIX_STEPS = 256, MOST_SEARCHES = 8 };

/* Unmarks members that another one contains: k beside h k with h nullable, and p k beside ANY k. */
static void drop_contained(gm_text *text, uint32_t epoch)
{
    gm_term searches[MOST_SEARCHES]; /* the k of members ANY k */
    size_t search_count = 0;
    const gm_keys *keys = &text->keys;
    for (size_t i = 0; i < keys->count; i++) {
        gm_term_node node = gm_term_at(text, term_of_key(keys->items[i]));
        if (node.kind == GM_KIND_CONCAT && node.a == GM_TERM_ANY && search_count < MOST_SEARCHES)
            searches[search_count++] = node.b;
        while (node.kind == GM_KIND_CONCAT && gm_term_nullable(text, node.a)) {
            if (text->nodes.items[node.b].mark == epoch)
                text->nodes.items[node.b].mark = 0;
            node = gm_term_at(text, node.b);
        }
    }
    for (size_t i = 0; i < keys->count && search_count > 0; i++) {
        const gm_term member = term_of_key(keys->items[i]);
        gm_term_node node = gm_term_at(text, member);
        size_t skip = node.kind == GM_KIND_CONCAT && node.a == GM_TERM_ANY; /* do not find itself */
        for (size_t step = 0; step < MOST_SUFFIX_STEPS && node.kind == GM_KIND_CONCAT; step++) {
            for (size_t s = 0; s < search_count; s++)
                if (skip == 0 && searches[s] == node.b)
                    text->nodes.items[member].mark = 0;
            skip = 0;
            node = gm_term_at(text, node.b);
        }
    }
}

typedef enum outcome { GOES_ON, IS_EVERYTHING, RAN_OUT } outcome;

/* Marks and collects one member, not a UNION. Sets are joined in *set. */
static outcome collect_member(gm_text *text, gm_term member, uint32_t epoch, gm_charset *set)
{
    gm_term_node *node = &text->nodes.items[member];
    if (member == GM_TERM_ANY)
        return IS_EVERYTHING;
    if (node->liveness == GM_BARREN || node->mark == epoch)
        return GOES_ON;
    node->mark = epoch;
    if (node->kind == GM_KIND_SET) {
        *set = gm_charset_union(&text->sets, *set, node->a);
        return *set != GM_CHARSET_FAILED ? GOES_ON : RAN_OUT;
    }
    return GM_ARRAY_PUSH(&text->allocator, &text->keys, union_key(text, member)) ? GOES_ON : RAN_OUT;
}

static outcome collect_members(gm_text *text, const gm_term *members, size_t count, uint32_t epoch)
{
    gm_charset set = GM_CHARSET_NONE;
    text->keys.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (members[i] == GM_TERM_FAILED)
            return RAN_OUT;
        const gm_term_node node = gm_term_at(text, members[i]);
        const bool is_union = node.kind == GM_KIND_UNION;
        for (uint32_t j = 0; j < (is_union ? node.a : 1); j++) {
            const outcome result = collect_member(text, is_union ? node.list[j] : members[i], epoch, &set);
            if (result != GOES_ON)
                return result;
        }
    }
    const gm_term joined = gm_term_set(text, set);
    if (joined == GM_TERM_NONE)
        return GOES_ON;
    if (joined == GM_TERM_FAILED || !GM_ARRAY_PUSH(&text->allocator, &text->keys, union_key(text, joined)))
        return RAN_OUT;
    text->nodes.items[joined].mark = epoch;
    return GOES_ON;
}

/* Keeps the marked keys; EMPTY goes if another member is nullable too. Whether x and not x are
 * both there is told by *everything. */
static void sift_members(gm_text *text, uint32_t epoch, bool *everything)
{
    gm_keys *keys = &text->keys;
    size_t nullable = 0, kept = 0;
    for (size_t i = 0; i < keys->count; i++)
        nullable += gm_term_nullable(text, term_of_key(keys->items[i]));
    *everything = false;
    for (size_t i = 0; i < keys->count; i++) {
        const gm_term member = term_of_key(keys->items[i]);
        const gm_term_node node = gm_term_at(text, member);
        if (node.kind == GM_KIND_NOT && text->nodes.items[node.a].mark == epoch)
            *everything = true;
        if (node.mark == epoch && !(member == GM_TERM_EMPTY && nullable > 1))
            keys->items[kept++] = keys->items[i];
    }
    keys->count = kept;
}

static gm_term intern_list(gm_text *text, gm_term_kind kind, const gm_keys *keys)
{
    gm_terms *parts = &text->negated; /* free by now, whoever called */
    parts->count = 0;
    if (!GM_ARRAY_RESERVE(&text->allocator, parts, keys->count))
        return GM_TERM_FAILED;
    bool any_nullable = false, all_nullable = true, plain = kind == GM_KIND_UNION;
    for (size_t i = 0; i < keys->count; i++) {
        const gm_term member = term_of_key(keys->items[i]);
        const gm_term_node node = gm_term_at(text, member);
        any_nullable |= node.nullable;
        all_nullable &= node.nullable;
        plain &= node.plain;
        parts->items[parts->count++] = member;
    }
    return intern(text, (gm_term_node){.kind = (uint8_t)kind,
                                       .a = (uint32_t)keys->count,
                                       .list = parts->items,
                                       .plain = plain,
                                       .nullable = kind == GM_KIND_UNION ? any_nullable : all_nullable,
                                       .liveness = plain ? GM_LIVE : GM_UNKNOWN});
}

gm_term gm_term_union(gm_text *text, const gm_term *members, size_t count)
{
    if (count == 1)
        return members[0];
    const uint32_t epoch = gm_text_epoch(text);
    const outcome result = collect_members(text, members, count, epoch);
    if (result != GOES_ON)
        return result == IS_EVERYTHING ? (gm_term)GM_TERM_ANY : GM_TERM_FAILED;
    gm_keys *keys = &text->keys;
    if (keys->count > 1) {
        bool everything;
        drop_contained(text, epoch);
        sift_members(text, epoch, &everything);
        if (everything)
            return GM_TERM_ANY;
        sort_keys(keys);
        if (!merge_members(text))
            return GM_TERM_FAILED;
    }
    if (keys->count < 2)
        return keys->count == 0 ? (gm_term)GM_TERM_NONE : term_of_key(keys->items[0]);
    return intern_list(text, GM_KIND_UNION, keys);
}

gm_term gm_term_either(gm_text *text, gm_term a, gm_term b)
{
    const gm_term both[2] = {a, b};
    return gm_term_union(text, both, 2);
}

/* ---- and, not ---- */

/* Sorts one conjunct into text->keys or, if it is a NOT, text->negated. */
static bool collect_conjunct(gm_text *text, gm_term member)
{
    const gm_term_node node = gm_term_at(text, member);
    if (member == GM_TERM_ANY)
        return true;
    if (node.kind == GM_KIND_NOT)
        return GM_ARRAY_PUSH(&text->allocator, &text->negated, node.a);
    return GM_ARRAY_PUSH(&text->allocator, &text->keys, member);
}

/* The list of what is negated, as one term; text->keys must survive. */
static gm_term unite_negated(gm_text *text)
{
    if (text->negated.count == 1)
        return text->negated.items[0];
    gm_keys saved = text->keys;
    text->keys = (gm_keys){0};
    const gm_term all = gm_term_union(text, text->negated.items, text->negated.count);
    GM_ARRAY_FREE(&text->allocator, &text->keys);
    text->keys = saved;
    return all;
}

/* Whether the sorted text->keys holds a term that `negated` contains for sure. */
static bool contradicts(const gm_text *text, gm_term negated)
{
    const gm_term_node node = gm_term_at(text, negated);
    const bool is_union = node.kind == GM_KIND_UNION;
    for (size_t i = 0; i < text->keys.count; i++)
        for (uint32_t j = 0; j < (is_union ? node.a : 1); j++)
            if (term_of_key(text->keys.items[i]) == (is_union ? node.list[j] : negated) ||
                term_of_key(text->keys.items[i]) == negated)
                return true;
    return false;
}

gm_term gm_term_and(gm_text *text, const gm_term *members, size_t count)
{
    text->keys.count = text->negated.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (members[i] == GM_TERM_FAILED)
            return GM_TERM_FAILED;
        const gm_term_node node = gm_term_at(text, members[i]);
        if (node.liveness == GM_BARREN)
            return GM_TERM_NONE;
        const bool is_and = node.kind == GM_KIND_AND;
        for (uint32_t j = 0; j < (is_and ? node.a : 1); j++)
            if (!collect_conjunct(text, is_and ? node.list[j] : members[i]))
                return GM_TERM_FAILED;
    }
    if (text->negated.count > 0) {
        const gm_term negated = unite_negated(text);
        const gm_term complement = gm_term_not(text, negated);
        if (complement == GM_TERM_FAILED || complement == GM_TERM_NONE)
            return complement;
        if (contradicts(text, negated))
            return GM_TERM_NONE;
        if (complement != GM_TERM_ANY && !GM_ARRAY_PUSH(&text->allocator, &text->keys, complement))
            return GM_TERM_FAILED;
    }
    gm_keys *keys = &text->keys;
    sort_keys(keys);
    if (keys->count < 2)
        return keys->count == 0 ? (gm_term)GM_TERM_ANY : term_of_key(keys->items[0]);
    if (term_of_key(keys->items[0]) == GM_TERM_EMPTY) { /* the smallest id there can be here */
        for (size_t i = 1; i < keys->count; i++)
            if (!gm_term_nullable(text, term_of_key(keys->items[i])))
                return GM_TERM_NONE;
        return GM_TERM_EMPTY;
    }
    return intern_list(text, GM_KIND_AND, keys);
}

gm_term gm_term_not(gm_text *text, gm_term term)
{
    if (term == GM_TERM_FAILED)
        return GM_TERM_FAILED;
    const gm_term_node node = gm_term_at(text, term);
    if (node.liveness == GM_BARREN)
        return GM_TERM_ANY;
    if (node.kind == GM_KIND_ANY)
        return GM_TERM_NONE;
    if (node.kind == GM_KIND_NOT)
        return node.a;
    return intern(text, (gm_term_node){.kind = GM_KIND_NOT,
                                       .a = term,
                                       .nullable = !node.nullable,
                                       .liveness = GM_UNKNOWN});
}

/* ---- sets of strings ---- */

gm_term gm_term_constants(gm_text *text, uint32_t pool, uint32_t low, uint32_t high, uint32_t depth)
{
    const bool ends = text->pools.items[pool].strings[low].length == depth;
    if (ends && low == high)
        return GM_TERM_EMPTY;
    return intern(text, (gm_term_node){
                            .kind = GM_KIND_CONSTANTS, .a = pool, .b = depth, .low = low, .high = high, .nullable = ends});
}
