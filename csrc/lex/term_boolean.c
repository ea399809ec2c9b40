/*
 * lex/term_boolean.c - the constructors of unions, intersections and complements. See term.h.
 *
 * States of an automaton are terms, and most of them unions. How many states there are depends on how
 * many unions of one meaning are recognized as one: members are sorted and flattened, those that
 * another one contains are dropped where that is cheap to see, and repeats that differ in their bounds
 * alone are merged.
 */
#include "lex/term.h"

#include <stdlib.h>

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

static bool begins_with_any(const gm_text *text, gm_term term)
{
    const gm_term_node node = gm_term_at(text, term);
    return term == GM_TERM_ANY || (node.kind == GM_KIND_CONCAT && node.a == GM_TERM_ANY);
}

/* p X{a,b} k | p X{c,d} k is p X{min,max} k if the bounds touch, and where k begins with ANY that of the two which asks
 * for fewer: so a search for a count has no more states than the count. GM_TERM_NONE if that is not how the two
 * differ. */
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
    if (begins_with_any(text, rest))
        return low <= other_low ? a : b;
    if ((uint64_t)low > (uint64_t)other_high + 1 || (uint64_t)other_low > (uint64_t)high + 1)
        return GM_TERM_NONE;
    const gm_term merged =
        gm_term_repeat(text, left.a, low < other_low ? low : other_low, high > other_high ? high : other_high);
    if (merged == GM_TERM_FAILED || !GM_ARRAY_PUSH(&text->allocator, &text->spine, merged))
        return GM_TERM_FAILED;
    return gm_term_wind(text, rest);
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

static bool is_sublist(gm_term_node some, gm_term_node all)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < all.a && at < some.a; i++)
        at += all.list[i] == some.list[at];
    return at == some.a;
}

enum { MOST_INTERSECTIONS = 32 };

/* Unmarks intersections with more conjuncts than another member asks for. */
static void drop_narrower(gm_text *text, uint32_t epoch)
{
    gm_term found[MOST_INTERSECTIONS];
    size_t count = 0;
    for (size_t i = 0; i < text->keys.count && count < MOST_INTERSECTIONS; i++)
        if (gm_term_at(text, term_of_key(text->keys.items[i])).kind == GM_KIND_AND)
            found[count++] = term_of_key(text->keys.items[i]);
    for (size_t i = 0; i < count; i++) {
        const gm_term_node node = gm_term_at(text, found[i]);
        bool dropped = false;
        for (uint32_t j = 0; j < node.a && !dropped; j++)
            dropped = text->nodes.items[node.list[j]].mark == epoch;
        for (size_t j = 0; j < count && !dropped; j++)
            dropped =
                j != i && text->nodes.items[found[j]].mark == epoch && is_sublist(gm_term_at(text, found[j]), node);
        if (dropped)
            text->nodes.items[found[i]].mark = 0;
    }
}

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
        for (size_t step = 0; step < MOST_SUFFIX_STEPS && node.kind == GM_KIND_CONCAT; step++) {
            if (!gm_term_nullable(text, node.a))
                break;
            if (text->nodes.items[node.b].mark == epoch) {
                text->nodes.items[node.b].mark = 0;
                break; /* its own turn, before or after, sees to what it contains */
            }
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
    bool any_nullable = false, all_nullable = true, plain = kind == GM_KIND_UNION, open = false;
    for (size_t i = 0; i < keys->count; i++) {
        const gm_term member = term_of_key(keys->items[i]);
        const gm_term_node node = gm_term_at(text, member);
        any_nullable |= node.nullable;
        all_nullable &= node.nullable;
        plain &= node.plain;
        open |= node.open;
        parts->items[parts->count++] = member;
    }
    return gm_term_intern(text, (gm_term_node){.kind = (uint8_t)kind,
                                               .a = (uint32_t)keys->count,
                                               .list = parts->items,
                                               .plain = plain,
                                               .open = open,
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
        drop_narrower(text, epoch);
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

/* The intersection, as one AND. */
static gm_term intersect(gm_text *text, const gm_term *members, size_t count)
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

/* Alternatives that hold intersections are multiplied out. Unions within intersections within unions ...
 * would otherwise grow deeper with each character read; so two levels are all there is, and states
 * are finitely many. */
enum { MOST_PRODUCTS = 64 };

static bool must_multiply(const gm_text *text, gm_term term)
{
    const gm_term_node node = gm_term_at(text, term);
    if (node.kind != GM_KIND_UNION || node.plain)
        return false;
    for (uint32_t i = 0; i < node.a; i++)
        if (gm_term_at(text, node.list[i]).kind == GM_KIND_AND)
            return true;
    return false;
}

/* Lists conjuncts in text->conjuncts; returns how many products they make, 0 when out of memory. */
static size_t list_conjuncts(gm_text *text, const gm_term *members, size_t count)
{
    size_t products = 1;
    text->conjuncts.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (members[i] == GM_TERM_FAILED)
            return 0;
        const gm_term_node node = gm_term_at(text, members[i]);
        const bool is_and = node.kind == GM_KIND_AND;
        for (uint32_t j = 0; j < (is_and ? node.a : 1); j++) {
            const gm_term conjunct = is_and ? node.list[j] : members[i];
            if (!GM_ARRAY_PUSH(&text->allocator, &text->conjuncts, conjunct))
                return 0;
            if (must_multiply(text, conjunct) && products <= MOST_PRODUCTS)
                products *= gm_term_at(text, conjunct).a;
        }
    }
    return products;
}

/* Product number `index` of text->conjuncts. */
static gm_term multiply(gm_text *text, size_t index)
{
    text->choice.count = 0;
    for (size_t i = 0; i < text->conjuncts.count; i++) {
        gm_term chosen = text->conjuncts.items[i];
        if (must_multiply(text, chosen)) {
            const gm_term_node node = gm_term_at(text, chosen);
            chosen = node.list[index % node.a];
            index /= node.a;
        }
        if (!GM_ARRAY_PUSH(&text->allocator, &text->choice, chosen))
            return GM_TERM_FAILED;
    }
    return intersect(text, text->choice.items, text->choice.count);
}

gm_term gm_term_and(gm_text *text, const gm_term *members, size_t count)
{
    const size_t products = list_conjuncts(text, members, count);
    if (products == 0)
        return GM_TERM_FAILED;
    if (products == 1 || products > MOST_PRODUCTS)
        return intersect(text, members, count);
    text->products.count = 0;
    for (size_t i = 0; i < products; i++) {
        const gm_term product = multiply(text, i);
        if (product == GM_TERM_FAILED || !GM_ARRAY_PUSH(&text->allocator, &text->products, product))
            return GM_TERM_FAILED;
    }
    return gm_term_union(text, text->products.items, text->products.count);
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
    return gm_term_intern(
        text, (gm_term_node){.kind = GM_KIND_NOT, .a = term, .nullable = !node.nullable, .liveness = GM_UNKNOWN});
}
