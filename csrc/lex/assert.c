/*
 * lex/assert.c - look-ahead, look-behind and word boundaries, as terms.
 *
 * A term with assertions is no language: whether a word may stand in it depends on what surrounds the
 * word. It becomes one when it reaches to the end of the text and it is known what came before. For
 * then everything follows from the text that is still to come:
 *
 *   - (?=a) k holds the texts of k that a text of a, continued in any way, is as well: an
 *     intersection; (?!a) k those of k without those, by complement;
 *   - (?<=a) k is k or nothing, according to what has been read. That is told by a second
 *     language which is read along from the start of the text, ANY a: what is left of it holds the
 *     empty text exactly where some a has just ended.
 *
 * TRACKED is such a language: a term with assertions and its past, that is whether anything was read, and
 * for each look-behind in the term what is left of the language it reads along. Its derivatives are TRACKED again,
 * unless no assertion is left: then they are the plain term, and so the states behind the last
 * assertion are those of an ordinary pattern.
 *
 * AND and NOT arise at the front of a TRACKED only, never inside of a repeat, since everything that
 * follows is there to be intersected. Such a language may be empty: patterns with these assertions
 * are settled like other combinations.
 */
#include "lex/term.h"

#include "base/utf8.h"

/* ---- making assertions ---- */

gm_term gm_term_start(gm_text *text)
{
    return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_START, .open = true});
}

gm_term gm_term_end(gm_text *text) { return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_END, .open = true}); }

static gm_term assertion(gm_text *text, gm_term_kind kind, gm_term texts, bool negated)
{
    if (texts == GM_TERM_FAILED)
        return GM_TERM_FAILED;
    if (texts == GM_TERM_NONE || texts == GM_TERM_ANY)
        return (texts == GM_TERM_ANY) != negated ? GM_TERM_EMPTY : GM_TERM_NONE;
    return gm_term_intern(text, (gm_term_node){.kind = (uint8_t)kind, .open = true, .a = texts, .b = negated});
}

gm_term gm_term_ahead(gm_text *text, gm_term texts, bool negated)
{
    return assertion(text, GM_KIND_AHEAD, texts, negated);
}

gm_term gm_term_behind(gm_text *text, gm_term texts, bool negated)
{
    return assertion(text, GM_KIND_BEHIND, texts, negated);
}

/* ---- walking ---- */

/* Puts a term on the list of visits if it has assertions and is not marked. */
static bool visit(gm_text *text, gm_term term, uint32_t epoch)
{
    if (!text->nodes.items[term].open || text->nodes.items[term].mark == epoch)
        return true;
    return GM_ARRAY_PUSH(&text->allocator, &text->visits, ((gm_pending){term, 0}));
}

/* Visits what is directly below a term and has assertions. */
static bool visit_parts(gm_text *text, gm_term_node node, uint32_t epoch)
{
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_CONCAT:
        return visit(text, node.a, epoch) && visit(text, node.b, epoch);
    case GM_KIND_UNION:
        for (uint32_t i = 0; i < node.a; i++)
            if (!visit(text, node.list[i], epoch))
                return false;
        return true;
    case GM_KIND_STAR:
    case GM_KIND_REPEAT:
    case GM_KIND_AHEAD:
        return visit(text, node.a, epoch);
    default:
        return true;
    }
}

/* Takes the next term off the list that was not marked yet, marks it, and puts its parts there. */
static bool next_visit(gm_text *text, uint32_t epoch, gm_term_node *node, bool *found)
{
    *found = false;
    while (text->visits.count > 0 && !*found) {
        const gm_term term = text->visits.items[--text->visits.count].term;
        *found = text->nodes.items[term].mark != epoch;
        text->nodes.items[term].mark = epoch;
        *node = gm_term_at(text, term);
    }
    return !*found || visit_parts(text, *node, epoch);
}

bool gm_term_looks_ahead(gm_text *text, gm_term term, bool *answer)
{
    const uint32_t epoch = gm_text_epoch(text);
    *answer = false;
    text->visits.count = 0;
    if (!visit(text, term, epoch))
        return false;
    for (bool found = true; found;) {
        gm_term_node node;
        if (!next_visit(text, epoch, &node, &found))
            return false;
        *answer |= found && (node.kind == GM_KIND_AHEAD || node.kind == GM_KIND_END);
    }
    return true;
}

static gm_term left_of(const gm_past *past, gm_term texts)
{
    for (uint32_t i = 0; i < past->count; i++)
        if (past->pairs[2 * i] == texts)
            return past->pairs[2 * i + 1];
    return texts;
}

static bool add_pair(gm_text *text, gm_term texts, gm_term left)
{
    gm_terms *pairs = &text->pairs;
    if (!GM_ARRAY_RESERVE(&text->allocator, pairs, 2))
        return false;
    size_t at = pairs->count;
    for (; at > 0 && pairs->items[at - 2] > texts; at -= 2) {
        pairs->items[at] = pairs->items[at - 2];
        pairs->items[at + 1] = pairs->items[at - 1];
    }
    pairs->items[at] = texts;
    pairs->items[at + 1] = left;
    pairs->count += 2;
    return true;
}

/* What of a past a term asks for: sorted pairs into text->pairs, *at_start only if it matters. */
static bool narrow_past(gm_text *text, gm_term term, const gm_past *past, bool *at_start)
{
    const uint32_t epoch = gm_text_epoch(text);
    *at_start = false;
    text->visits.count = text->pairs.count = 0;
    if (!visit(text, term, epoch))
        return false;
    for (bool found = true; found;) {
        gm_term_node node;
        if (!next_visit(text, epoch, &node, &found))
            return false;
        if (found && node.kind == GM_KIND_START)
            *at_start = past->at_start;
        if (found && node.kind == GM_KIND_BEHIND && text->nodes.items[node.a].mark != epoch) {
            text->nodes.items[node.a].mark = epoch; /* a language, never visited itself */
            if (!add_pair(text, node.a, left_of(past, node.a)))
                return false;
        }
    }
    return true;
}

/* ---- whether the text may end here ---- */

static bool truth_of(const gm_text *text, gm_term term)
{
    const gm_term_node *node = &text->nodes.items[term];
    return node->open ? node->truth : node->nullable;
}

/* From its parts' truths, which are known. */
static bool decide(const gm_text *text, gm_term_node node, const gm_past *past)
{
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_CONCAT:
        return truth_of(text, node.a) && truth_of(text, node.b);
    case GM_KIND_UNION:
        for (uint32_t i = 0; i < node.a; i++)
            if (truth_of(text, node.list[i]))
                return true;
        return false;
    case GM_KIND_START:
        return past->at_start;
    case GM_KIND_END:
        return true;
    case GM_KIND_AHEAD:
        return truth_of(text, node.a) != (node.b != 0);
    case GM_KIND_BEHIND:
        return gm_term_nullable(text, left_of(past, node.a)) != (node.b != 0);
    default:
        return node.nullable; /* the bodies of repeats always read something */
    }
}

/* Whether a term with assertions holds the empty text at the end of a text. */
static bool may_end(gm_text *text, gm_term term, const gm_past *past, bool *answer)
{
    const uint32_t epoch = gm_text_epoch(text);
    text->visits.count = 0;
    if (!visit(text, term, epoch))
        return false;
    while (text->visits.count > 0) {
        gm_pending *top = &text->visits.items[text->visits.count - 1];
        gm_term_node *node = &text->nodes.items[top->term];
        if (top->rest == 0 && node->mark != epoch) { /* on the way down: parts first */
            top->rest = 1;
            if (!visit_parts(text, *node, epoch))
                return false;
            continue;
        }
        if (node->mark != epoch) {
            node->truth = decide(text, *node, past);
            node->mark = epoch;
        }
        text->visits.count--;
    }
    *answer = truth_of(text, term);
    return true;
}

/* ---- closing ---- */

/* At the end of a term that reaches to the end of the text, END asks for nothing. */
static gm_term without_end(gm_text *text, gm_term term)
{
    gm_terms *heads = &text->closed;
    heads->count = 0;
    gm_term_node node = gm_term_at(text, term);
    gm_term last = term;
    for (; node.kind == GM_KIND_CONCAT; node = gm_term_at(text, last)) {
        if (!GM_ARRAY_PUSH(&text->allocator, heads, node.a))
            return GM_TERM_FAILED;
        last = node.b;
    }
    if (node.kind != GM_KIND_END)
        return term;
    gm_term rest = GM_TERM_EMPTY;
    while (heads->count > 0)
        rest = gm_term_concat(text, heads->items[--heads->count], rest);
    return rest;
}

static gm_term close_simple(gm_text *text, gm_term term, const gm_past *past)
{
    bool at_start, nullable;
    term = without_end(text, term);
    if (term == GM_TERM_FAILED || !text->nodes.items[term].open)
        return term;
    if (!may_end(text, term, past, &nullable) || !narrow_past(text, term, past, &at_start))
        return GM_TERM_FAILED;
    return gm_term_intern(text, (gm_term_node){.kind = GM_KIND_TRACKED,
                                               .a = (uint32_t)text->pairs.count,
                                               .b = term,
                                               .low = at_start,
                                               .list = text->pairs.count > 0 ? text->pairs.items : NULL,
                                               .nullable = nullable,
                                               .liveness = GM_UNKNOWN});
}

gm_term gm_term_close(gm_text *text, gm_term term, const gm_past *past)
{
    if (term == GM_TERM_FAILED)
        return GM_TERM_FAILED;
    const gm_term_node node = gm_term_at(text, term);
    if (!node.open)
        return term;
    if (node.kind != GM_KIND_UNION)
        return close_simple(text, term, past);
    gm_term all = GM_TERM_NONE;
    for (uint32_t i = 0; i < node.a; i++)
        all = gm_term_either(text, all, close_simple(text, node.list[i], past));
    return all;
}

/* ---- derivatives ---- */

static gm_past past_of(gm_term_node node)
{
    return (gm_past){.at_start = node.low != 0, .pairs = node.list, .count = node.a / 2};
}

/* The languages read along, then an intersection for each look-ahead at the front. */
bool gm_tracked_children(gm_text *text, gm_term_node node)
{
    const gm_past past = past_of(node);
    if (!gm_text_collect_moves(text, node.b, &past))
        return false;
    for (uint32_t i = 0; i < past.count; i++)
        if (!GM_ARRAY_PUSH(&text->allocator, &text->children, past.pairs[2 * i + 1]))
            return false;
    for (size_t i = 0; i < text->aheads.count; i++) {
        const gm_pending ahead = text->aheads.items[i];
        const gm_term_node looked_for = gm_term_at(text, ahead.term);
        const gm_term texts = gm_term_close(text, looked_for.a, &past);
        const gm_term both[2] = {looked_for.b != 0 ? gm_term_not(text, texts) : texts,
                                 gm_term_close(text, ahead.rest, &past)};
        const gm_term product = gm_term_and(text, both, 2);
        if (product == GM_TERM_FAILED || !GM_ARRAY_PUSH(&text->allocator, &text->children, product))
            return false;
    }
    return true;
}

/* Whether `at` is in the range low..high that holds it or comes next; narrows *end to where that changes. */
static bool is_inside(uint32_t low, uint32_t high, uint32_t at, uint32_t *end)
{
    const bool inside = low <= at;
    const uint32_t last = inside ? high : low - 1;
    if (last < *end)
        *end = last;
    return inside;
}

static bool seek_segment(const gm_segments *segments, uint32_t *cursor, uint32_t at, uint32_t *end)
{
    while (*cursor < segments->count && segments->items[*cursor].high < at)
        ++*cursor;
    return *cursor < segments->count && is_inside(segments->items[*cursor].low, segments->items[*cursor].high, at, end);
}

static bool seek_range(gm_charset_entry set, uint32_t *cursor, uint32_t at, uint32_t *end)
{
    while (*cursor < set.count && set.ranges[*cursor].high < at)
        ++*cursor;
    return *cursor < set.count && is_inside(set.ranges[*cursor].low, set.ranges[*cursor].high, at, end);
}

/* What the languages read along have left behind `at`, into text->followers; what the intersections lead
 * to, into text->parts. */
static bool follow_children(gm_text *text, gm_term_node node, uint32_t at, gm_term *cursors, uint32_t *high)
{
    const uint32_t tracker_count = node.a / 2;
    text->followers.count = text->parts.count = 0;
    for (size_t i = 0; i < text->children.count; i++) {
        const gm_segments *segments = text->nodes.items[text->children.items[i]].segments;
        const bool inside = seek_segment(segments, &cursors[i], at, high);
        const gm_term to = inside ? segments->items[cursors[i]].to : (gm_term)GM_TERM_NONE;
        if (i < tracker_count) {
            if (!GM_ARRAY_PUSH(&text->allocator, &text->followers, node.list[2 * i]) ||
                !GM_ARRAY_PUSH(&text->allocator, &text->followers, to))
                return false;
        } else if (inside && !GM_ARRAY_PUSH(&text->allocator, &text->parts, to)) {
            return false;
        }
    }
    return true;
}

/* Adds to text->parts what the moves with `at` in their set lead to. */
static bool follow_moves(gm_text *text, uint32_t at, gm_term *cursors, uint32_t *high)
{
    for (size_t i = 0; i < text->moves.count; i++) {
        const gm_charset_entry set = gm_charset_ranges(&text->sets, text->moves.items[i].set);
        if (seek_range(set, &cursors[i], at, high) &&
            !GM_ARRAY_PUSH(&text->allocator, &text->parts, text->moves.items[i].rest))
            return false;
    }
    return true;
}

bool gm_tracked_segments(gm_text *text, gm_term_node node)
{
    gm_terms *cursors = &text->memo;
    const size_t count = text->children.count + text->moves.count;
    cursors->count = 0;
    if (!GM_ARRAY_RESERVE(&text->allocator, cursors, count + 1))
        return false;
    memset(cursors->items, 0, count * sizeof(gm_term));
    for (uint32_t at = 0, high; at <= GM_MAX_CODE_POINT; at = high + 1) {
        high = GM_MAX_CODE_POINT;
        if (!follow_children(text, node, at, cursors->items, &high))
            return false;
        const size_t first = text->parts.count; /* from here on parts are still to be closed */
        if (!follow_moves(text, at, cursors->items + text->children.count, &high))
            return false;
        const gm_past past = {.pairs = text->followers.items, .count = node.a / 2};
        for (size_t i = first; i < text->parts.count; i++) {
            const gm_term closed = gm_term_close(text, text->parts.items[i], &past);
            if (closed == GM_TERM_FAILED)
                return false;
            text->parts.items[i] = closed;
        }
        if (!gm_text_add_segment(text, at, high, gm_term_union(text, text->parts.items, text->parts.count)))
            return false;
    }
    return true;
}

/* ---- splitting ---- */

/* text->pending holds terms to be split and what follows them, text->aheads beside it what comes before
 * them and reads nothing. */
static bool push_split(gm_text *text, gm_term idle, gm_term term, gm_term rest)
{
    return idle != GM_TERM_FAILED && rest != GM_TERM_FAILED &&
           GM_ARRAY_PUSH(&text->allocator, &text->pending, ((gm_pending){term, rest})) &&
           GM_ARRAY_PUSH(&text->allocator, &text->aheads, ((gm_pending){idle, 0}));
}

/* Behind something that read nothing: on with what follows, or it was all. */
static bool pass_split(gm_text *text, gm_term before, gm_term rest, gm_term *idle)
{
    if (before == GM_TERM_FAILED)
        return false;
    if (rest != GM_TERM_EMPTY)
        return push_split(text, before, rest, GM_TERM_EMPTY);
    *idle = gm_term_either(text, *idle, before);
    return *idle != GM_TERM_FAILED;
}

static bool split_step(gm_text *text, gm_term before, gm_pending item, gm_term *reading, gm_term *idle)
{
    const gm_term_node node = gm_term_at(text, item.term);
    gm_term first; /* a nonempty beginning */
    switch ((gm_term_kind)node.kind) {
    case GM_KIND_CONCAT:
        return push_split(text, before, node.a, gm_term_concat(text, node.b, item.rest));
    case GM_KIND_UNION:
        for (uint32_t i = 0; i < node.a; i++)
            if (!push_split(text, before, node.list[i], item.rest))
                return false;
        return true;
    case GM_KIND_START:
    case GM_KIND_END:
    case GM_KIND_AHEAD:
    case GM_KIND_BEHIND:
        return pass_split(text, gm_term_concat(text, before, item.term), item.rest, idle);
    case GM_KIND_ANY:
        first = gm_term_repeat(text, gm_term_set(text, GM_CHARSET_ALL), 1, GM_REPEAT_UNBOUNDED);
        break;
    case GM_KIND_STAR:
        first = gm_term_repeat(text, node.a, 1, GM_REPEAT_UNBOUNDED);
        break;
    case GM_KIND_REPEAT:
        first = gm_term_repeat(text, node.a, node.low > 0 ? node.low : 1, node.high);
        break;
    default:
        first = node.kind == GM_KIND_SET ? item.term : (gm_term)GM_TERM_NONE;
        break;
    }
    const gm_term whole = gm_term_concat(text, before, gm_term_concat(text, first, item.rest));
    *reading = gm_term_either(text, *reading, whole);
    return *reading != GM_TERM_FAILED && (!node.nullable || pass_split(text, before, item.rest, idle));
}

static gm_status split(gm_text *text, gm_term term, gm_term *reading, gm_term *idle)
{
    *reading = *idle = GM_TERM_NONE;
    text->pending.count = text->aheads.count = 0;
    if (!push_split(text, GM_TERM_EMPTY, term, GM_TERM_EMPTY))
        return GM_OUT_OF_MEMORY;
    for (uint64_t steps = 0; text->pending.count > 0; steps++) {
        if (steps > text->limits.max_positions)
            return GM_LIMIT;
        const gm_term before = text->aheads.items[--text->aheads.count].term;
        if (!split_step(text, before, text->pending.items[--text->pending.count], reading, idle))
            return GM_OUT_OF_MEMORY;
    }
    return GM_OK;
}

enum { MOST_IDLE_TURNS = 64 };

/* A turn that reads nothing leaves all as it was, so one of them, wherever it is possible, can stand for
 * any number. If few enough turns read something, there must be such a place: before, between or behind them. */
gm_status gm_term_repeat_open(gm_text *text, gm_term body, uint32_t low, uint32_t high, gm_term *result)
{
    gm_term reading, idle;
    if (!text->nodes.items[body].open || high == 0) {
        *result = gm_term_repeat(text, body, low, high);
        return *result != GM_TERM_FAILED ? GM_OK : GM_OUT_OF_MEMORY;
    }
    GM_TRY(split(text, body, &reading, &idle));
    if (idle == GM_TERM_NONE)
        *result = gm_term_repeat(text, body, low, high);
    else if (low == 0 || gm_term_nullable(text, idle))
        *result = gm_term_repeat(text, reading, 0, high);
    else
        *result = gm_term_repeat(text, reading, low, high);
    if (idle == GM_TERM_NONE || low == 0 || gm_term_nullable(text, idle))
        return *result != GM_TERM_FAILED ? GM_OK : GM_OUT_OF_MEMORY;
    if (low > MOST_IDLE_TURNS)
        return GM_UNSUPPORTED;
    for (uint32_t turns = 0; turns < low && *result != GM_TERM_FAILED; turns++) {
        const uint32_t others = high == GM_REPEAT_UNBOUNDED ? high : high - 1 - turns;
        const gm_term rest = gm_term_concat(text, idle, gm_term_repeat(text, reading, 0, others));
        const gm_term before = gm_term_repeat(text, reading, turns, turns);
        *result = gm_term_either(text, *result, gm_term_concat(text, before, rest));
    }
    return *result != GM_TERM_FAILED ? GM_OK : GM_OUT_OF_MEMORY;
}
