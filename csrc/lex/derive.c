/*
 * lex/derive.c - where each code point leads from a term: its derivatives, a whole row at a time.
 *
 * A plain term is taken apart into moves, pairs (set, rest): a string of the term that begins with a
 * code point of the set goes on with a string of the rest (the linear form of Antimirov 1996). The
 * sets may overlap. Sweeping over their boundaries gives the coarsest segments in which all code
 * points make the same moves; a segment leads to the union of the rests. So a row costs as much as
 * the classes that the pattern itself tells apart (Owens, Reppy, Turon 2009), whatever the size of
 * the alphabet.
 *
 * Taking apart carries the continuation along: instead of the moves of `head` it asks for those of
 * `head rest`, so every rest comes out leaning to the right and no term is ever walked recursively.
 * A repeat X{2,50} becomes X followed by X{1,49}: counting makes one term for each number that a
 * text has actually reached, and copies nothing.
 *
 * AND, NOT and unions with them are not taken apart. Their rows are merged from the rows of their
 * parts, code point by code point: the derivative of an intersection is that of each side.
 */
#include "lex/term.h"

#include "base/utf8.h"

#include <stdlib.h>

/* ---- moves of plain terms ---- */

static bool push(gm_text *text, gm_term term, gm_term rest)
{
    return rest != GM_TERM_FAILED && GM_ARRAY_PUSH(&text->allocator, &text->pending, ((gm_pending){term, rest}));
}

/* Asks for the moves of what follows a factor that may be empty; once is enough. */
static bool pass(gm_text *text, gm_term rest, uint32_t epoch)
{
    if (rest == GM_TERM_EMPTY || text->nodes.items[rest].mark == epoch)
        return true;
    text->nodes.items[rest].mark = epoch;
    return push(text, rest, GM_TERM_EMPTY);
}

static bool add_move(gm_text *text, gm_charset set, gm_term rest)
{
    return rest != GM_TERM_FAILED && GM_ARRAY_PUSH(&text->allocator, &text->moves, ((gm_move){set, rest}));
}

/* What was left of the texts that a BEHIND looks for. */
static gm_term left_of(const gm_past *past, gm_term texts)
{
    for (uint32_t i = 0; i < past->count; i++)
        if (past->pairs[2 * i] == texts)
            return past->pairs[2 * i + 1];
    return texts; /* nothing read yet */
}

static bool take_apart(gm_text *text, gm_pending item, uint32_t epoch, const gm_past *past)
{
    const gm_term_node node = gm_term_at(text, item.term);
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_NONE:
        return true;
    case GM_KIND_EMPTY:
        return pass(text, item.rest, epoch);
    case GM_KIND_SET:
        return add_move(text, node.a, item.rest);
    case GM_KIND_ANY:
        return add_move(text, GM_CHARSET_ALL, gm_term_concat(text, GM_TERM_ANY, item.rest)) &&
               pass(text, item.rest, epoch);
    case GM_KIND_CONCAT:
        return push(text, node.a, gm_term_concat(text, node.b, item.rest));
    case GM_KIND_UNION:
        for (uint32_t i = 0; i < node.a; i++)
            if (!push(text, node.list[i], item.rest))
                return false;
        return true;
    case GM_KIND_STAR:
        return push(text, node.a, gm_term_concat(text, item.term, item.rest)) && pass(text, item.rest, epoch);
    case GM_KIND_REPEAT: {
        const uint32_t low = node.low > 0 ? node.low - 1 : 0;
        const uint32_t high = node.high == GM_REPEAT_UNBOUNDED ? node.high : node.high - 1;
        const gm_term others = gm_term_repeat(text, node.a, low, high);
        return push(text, node.a, gm_term_concat(text, others, item.rest)) &&
               (node.low > 0 || pass(text, item.rest, epoch));
    }
    case GM_KIND_START:
        return !past->at_start || pass(text, item.rest, epoch);
    case GM_KIND_END:
        return true;
    case GM_KIND_BEHIND:
        return gm_term_nullable(text, left_of(past, node.a)) == (node.b != 0) || pass(text, item.rest, epoch);
    case GM_KIND_AHEAD:
        return GM_ARRAY_PUSH(&text->allocator, &text->aheads, item);
    case GM_KIND_AND:
    case GM_KIND_NOT:
    case GM_KIND_CONSTANTS:
    case GM_KIND_AUTOMATON:
    case GM_KIND_TRACKED:
        break;
    }
    GM_ASSERT(false); /* these stand on top */
    return false;
}

static int by_set(const void *a, const void *b)
{
    const gm_move *left = a, *right = b;
    return left->set != right->set ? (left->set < right->set ? -1 : 1)
                                   : (left->rest < right->rest ? -1 : left->rest > right->rest);
}

static void sort_moves(gm_moves *moves)
{
    if (moves->count > 16) {
        qsort(moves->items, moves->count, sizeof *moves->items, by_set);
        return;
    }
    for (size_t i = 1; i < moves->count; i++) {
        const gm_move move = moves->items[i];
        size_t at = i;
        for (; at > 0 && by_set(&moves->items[at - 1], &move) > 0; at--)
            moves->items[at] = moves->items[at - 1];
        moves->items[at] = move;
    }
}

bool gm_text_collect_moves(gm_text *text, gm_term term, const gm_past *past)
{
    const uint32_t epoch = gm_text_epoch(text);
    text->pending.count = text->moves.count = text->aheads.count = 0;
    if (!push(text, term, GM_TERM_EMPTY))
        return false;
    while (text->pending.count > 0)
        if (!take_apart(text, text->pending.items[--text->pending.count], epoch, past))
            return false;
    sort_moves(&text->moves);
    return true;
}

/* ---- sweeping ---- */

bool gm_text_add_segment(gm_text *text, uint32_t low, uint32_t high, gm_term to)
{
    if (to == GM_TERM_FAILED)
        return false;
    if (to == GM_TERM_NONE)
        return true;
    if (text->ranges.count > 0) {
        gm_text_range *last = &text->ranges.items[text->ranges.count - 1];
        if (last->to == to && last->high + 1 == low) {
            last->high = high;
            return true;
        }
    }
    return GM_ARRAY_PUSH(&text->allocator, &text->ranges, ((gm_text_range){low, high, to}));
}

/* Moves of one set form a group. Writes the first move of each group to text->memo (free then). */
static bool find_groups(gm_text *text)
{
    text->memo.count = 0;
    for (size_t i = 0; i < text->moves.count; i++)
        if (i == 0 || text->moves.items[i].set != text->moves.items[i - 1].set)
            if (!GM_ARRAY_PUSH(&text->allocator, &text->memo, (gm_term)i))
                return false;
    return true;
}

/* Appends the rests of the group that begins at move `first` to text->parts. */
static bool add_rests(gm_text *text, size_t first)
{
    const gm_moves *moves = &text->moves;
    for (size_t i = first; i < moves->count && moves->items[i].set == moves->items[first].set; i++)
        if (!GM_ARRAY_PUSH(&text->allocator, &text->parts, moves->items[i].rest))
            return false;
    return true;
}

static bool sweep_one_group(gm_text *text)
{
    text->parts.count = 0;
    if (!add_rests(text, 0))
        return false;
    const gm_term to = gm_term_union(text, text->parts.items, text->parts.count);
    const gm_charset_entry set = gm_charset_ranges(&text->sets, text->moves.items[0].set);
    for (uint32_t i = 0; i < set.count; i++)
        if (!gm_text_add_segment(text, set.ranges[i].low, set.ranges[i].high, to))
            return false;
    return true;
}

/* Merges sorted runs `from` ... into `to` pairwise until one is left: the boundaries of each group
 * arrive sorted, so two groups take one pass. Returns where the result is. */
static gm_boundary *merge_runs(gm_boundary *from, gm_boundary *to, size_t count)
{
    for (;;) {
        size_t at = 0, runs = 0;
        while (at < count) {
            size_t left = at, middle = at + 1;
            while (middle < count && from[middle - 1].at <= from[middle].at)
                middle++;
            size_t right = middle, end = middle < count ? middle + 1 : middle;
            while (end < count && end > middle && from[end - 1].at <= from[end].at)
                end++;
            for (size_t i = at; i < end; i++)
                to[i] = right == end || (left < middle && from[left].at <= from[right].at) ? from[left++]
                                                                                            : from[right++];
            at = end;
            runs++;
        }
        if (runs <= 1)
            return to;
        gm_boundary *swap = from;
        from = to;
        to = swap;
    }
}

/* The boundaries of all groups in order; NULL when out of memory. */
static const gm_boundary *sorted_boundaries(gm_text *text, size_t *count)
{
    text->boundaries.count = 0;
    for (size_t group = 0; group < text->memo.count; group++) {
        const gm_charset_entry set = gm_charset_ranges(&text->sets, text->moves.items[text->memo.items[group]].set);
        if (!GM_ARRAY_RESERVE(&text->allocator, &text->boundaries, 2 * (size_t)set.count))
            return NULL;
        for (uint32_t i = 0; i < set.count; i++) {
            text->boundaries.items[text->boundaries.count++] = (gm_boundary){set.ranges[i].low, (uint32_t)group};
            text->boundaries.items[text->boundaries.count++] = (gm_boundary){set.ranges[i].high + 1, (uint32_t)group};
        }
    }
    *count = text->boundaries.count;
    if (!GM_ARRAY_RESERVE(&text->allocator, &text->boundaries, *count))
        return NULL;
    return merge_runs(text->boundaries.items, text->boundaries.items + *count, *count);
}

/* A combination of groups, and the term it leads to, are remembered for the rest of a row: text->words
 * holds the current combination and after it the known ones, text->memo the starts of the groups and
 * after them the terms. */
enum { MOST_KNOWN = 64 };

static gm_term term_of_combination(gm_text *text, size_t groups, size_t size)
{
    const uint64_t *current = text->words.items;
    const size_t known = text->words.count / size - 1;
    for (size_t i = 0; i < known; i++)
        if (memcmp(&current[(i + 1) * size], current, size * sizeof *current) == 0)
            return text->memo.items[groups + i];
    text->parts.count = 0;
    for (size_t group = 0; group < groups; group++)
        if ((current[group / 64] >> group % 64 & 1) != 0 && !add_rests(text, text->memo.items[group]))
            return GM_TERM_FAILED;
    const gm_term to = gm_term_union(text, text->parts.items, text->parts.count);
    if (to == GM_TERM_FAILED || known == MOST_KNOWN)
        return to;
    if (!GM_ARRAY_PUSH(&text->allocator, &text->memo, to) || !GM_ARRAY_RESERVE(&text->allocator, &text->words, size))
        return GM_TERM_FAILED;
    memcpy(&text->words.items[text->words.count], text->words.items, size * sizeof(uint64_t));
    text->words.count += size;
    return to;
}

static bool sweep_groups(gm_text *text)
{
    size_t count;
    const gm_boundary *boundaries = sorted_boundaries(text, &count);
    const size_t groups = text->memo.count, size = (groups + 63) / 64;
    text->words.count = 0;
    if (boundaries == NULL || !GM_ARRAY_RESERVE(&text->allocator, &text->words, size))
        return false;
    memset(text->words.items, 0, size * sizeof(uint64_t));
    text->words.count = size;
    size_t active = 0;
    uint32_t from = 0;
    for (size_t i = 0; i < count; i++) {
        const gm_boundary boundary = boundaries[i];
        if (active > 0 && boundary.at > from &&
            !gm_text_add_segment(text, from, boundary.at - 1, term_of_combination(text, groups, size)))
            return false;
        from = boundary.at;
        uint64_t *word = &text->words.items[boundary.group / 64];
        const uint64_t bit = (uint64_t)1 << boundary.group % 64;
        active = (*word & bit) != 0 ? active - 1 : active + 1;
        *word ^= bit;
    }
    return true;
}

static bool plain_segments(gm_text *text, gm_term term)
{
    static const gm_past any_past = {0}; /* a plain term does not ask */
    if (!gm_text_collect_moves(text, term, &any_past) || !find_groups(text))
        return false;
    if (text->memo.count == 0)
        return true;
    return text->memo.count == 1 ? sweep_one_group(text) : sweep_groups(text);
}

/* ---- merging the rows of parts ---- */

/* The terms whose segments make up those of a term that is not plain, into text->children. */
static bool find_children(gm_text *text, gm_term_node node)
{
    text->children.count = text->parts.count = 0;
    if (node.kind == GM_KIND_NOT)
        return GM_ARRAY_PUSH(&text->allocator, &text->children, node.a);
    if (node.kind == GM_KIND_CONSTANTS || node.kind == GM_KIND_AUTOMATON)
        return true;
    if (node.kind == GM_KIND_TRACKED)
        return gm_tracked_children(text, node);
    for (uint32_t i = 0; i < node.a; i++) {
        gm_terms *list = node.kind == GM_KIND_UNION && gm_term_at(text, node.list[i]).plain ? &text->parts
                                                                                            : &text->children;
        if (!GM_ARRAY_PUSH(&text->allocator, list, node.list[i]))
            return false;
    }
    if (text->parts.count == 0)
        return true;
    const gm_term plain = gm_term_union(text, text->parts.items, text->parts.count);
    return plain != GM_TERM_FAILED && GM_ARRAY_PUSH(&text->allocator, &text->children, plain);
}

/* Segments to everything in low..high, surrogates left out. */
static bool add_gap(gm_text *text, uint32_t low, uint32_t high)
{
    const uint32_t before = high < 0xD800 ? high : 0xD7FF, after = low > 0xDFFF ? low : 0xE000;
    return (low > before || gm_text_add_segment(text, low, before, GM_TERM_ANY)) &&
           (after > high || gm_text_add_segment(text, after, high, GM_TERM_ANY));
}

static bool not_segments(gm_text *text, gm_term_node node)
{
    const gm_segments *inner = text->nodes.items[node.a].segments;
    uint32_t next = 0;
    for (uint32_t i = 0; i < inner->count; i++) {
        const gm_text_range range = inner->items[i];
        if (range.low > next && !add_gap(text, next, range.low - 1))
            return false;
        const gm_term to = gm_term_not(text, range.to);
        if (node.certain && to != GM_TERM_FAILED)
            gm_term_trust(text, to);
        if (!gm_text_add_segment(text, range.low, range.high, to))
            return false;
        next = range.high + 1;
    }
    return next > GM_MAX_CODE_POINT || add_gap(text, next, GM_MAX_CODE_POINT);
}

/* The stretch of code points from `at` on in which no child changes: ends at *high. Collects where
 * the children lead to in text->parts. False when out of memory. */
static bool next_stretch(gm_text *text, uint32_t at, gm_terms *cursors, uint32_t *high)
{
    *high = GM_MAX_CODE_POINT;
    text->parts.count = 0;
    for (size_t i = 0; i < text->children.count; i++) {
        const gm_segments *segments = text->nodes.items[text->children.items[i]].segments;
        uint32_t cursor = cursors->items[i];
        while (cursor < segments->count && segments->items[cursor].high < at)
            cursor++;
        cursors->items[i] = cursor;
        if (cursor == segments->count)
            continue;
        const gm_text_range range = segments->items[cursor];
        const bool inside = range.low <= at;
        const uint32_t end = inside ? range.high : range.low - 1;
        if (end < *high)
            *high = end;
        if (inside && !GM_ARRAY_PUSH(&text->allocator, &text->parts, range.to))
            return false;
    }
    return true;
}

static bool merged_segments(gm_text *text, gm_term_node node)
{
    gm_terms *cursors = &text->memo;
    cursors->count = 0;
    if (!GM_ARRAY_RESERVE(&text->allocator, cursors, text->children.count))
        return false;
    memset(cursors->items, 0, text->children.count * sizeof(gm_term));
    for (uint32_t at = 0, high; at <= GM_MAX_CODE_POINT; at = high + 1) {
        if (!next_stretch(text, at, cursors, &high))
            return false;
        gm_term to = GM_TERM_NONE;
        if (node.kind == GM_KIND_UNION)
            to = gm_term_union(text, text->parts.items, text->parts.count);
        else if (text->parts.count == text->children.count)
            to = gm_term_and(text, text->parts.items, text->parts.count);
        if (!gm_text_add_segment(text, at, high, to))
            return false;
    }
    return true;
}

/* ---- one term ---- */

static bool compute_segments(gm_text *text, gm_term term)
{
    const gm_term_node node = gm_term_at(text, term);
    text->ranges.count = 0;
    const bool done = node.plain                         ? plain_segments(text, term)
                      : node.kind == GM_KIND_CONSTANTS   ? gm_constants_segments(text, node)
                      : node.kind == GM_KIND_AUTOMATON   ? gm_automaton_segments(text, node)
                      : node.kind == GM_KIND_NOT         ? not_segments(text, node)
                      : node.kind == GM_KIND_TRACKED     ? gm_tracked_segments(text, node)
                                                         : merged_segments(text, node);
    if (!done)
        return false;
    const size_t bytes = text->ranges.count * sizeof(gm_text_range);
    gm_segments *segments = gm_arena_take(&text->arena, sizeof *segments + bytes);
    if (segments == NULL)
        return false;
    segments->count = (uint32_t)text->ranges.count;
    if (bytes != 0)
        memcpy(segments->items, text->ranges.items, bytes);
    text->nodes.items[term].segments = segments;
    return true;
}

const gm_segments *gm_term_segments(gm_text *text, gm_term term)
{
    if (text->nodes.items[term].segments != NULL)
        return text->nodes.items[term].segments;
    gm_terms *agenda = &text->agenda;
    agenda->count = 0;
    if (!GM_ARRAY_PUSH(&text->allocator, agenda, term))
        return NULL;
    while (agenda->count > 0) {
        const gm_term current = agenda->items[agenda->count - 1];
        const gm_term_node node = gm_term_at(text, current);
        const size_t before = agenda->count;
        if (node.segments == NULL && !node.plain) {
            if (!find_children(text, node))
                return NULL;
            for (size_t i = 0; i < text->children.count; i++)
                if (text->nodes.items[text->children.items[i]].segments == NULL &&
                    !GM_ARRAY_PUSH(&text->allocator, agenda, text->children.items[i]))
                    return NULL;
        }
        if (agenda->count > before)
            continue;
        if (node.segments == NULL && !compute_segments(text, current))
            return NULL;
        agenda->count--;
    }
    return text->nodes.items[term].segments;
}
