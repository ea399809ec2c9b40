/* mask/content_state.c - see content_state.h. */
#include "mask/content_state.h"

#include "base/utf8.h"

enum {
    MANY_WAYS = 12, /* fewer than 31 */
    MOST_STATES = 128,
    MOST_DEPTH = 32,
    MOST_WHOLE_DEPTH = 254, /* where every character leads on */
    MOST_ROUNDS = 4,
    MANY_PARTS = 8
};

/* ---- first bytes ---- */

static void add_ascii(gm_below *set, uint32_t byte) { set->ascii[byte / 64] |= (uint64_t)1 << byte % 64; }

/* The place of a code point's first byte in gm_below.lead; points from 0x80 on. */
static uint32_t lead_of(uint32_t point)
{
    return point < 0x800 ? point >> 6 : point < 0x10000 ? 0x20 + (point >> 12) : 0x30 + (point >> 18);
}

/* The code points that begin with a first byte, surrogates aside. */
static gm_point_range points_of(uint32_t lead)
{
    if (lead < 0x20)
        return (gm_point_range){lead << 6, (lead << 6) + 0x3F};
    if (lead < 0x30) {
        const uint32_t low = (lead - 0x20) << 12;
        return (gm_point_range){lead == 0x20 ? 0x800 : low, lead == 0x2D ? 0xD7FF : low + 0xFFF};
    }
    const uint32_t low = (lead - 0x30) << 18;
    return (gm_point_range){lead == 0x30 ? 0x10000 : low, lead == 0x34 ? GM_MAX_CODE_POINT : low + 0x3FFFF};
}

static uint64_t leads_between(uint32_t low, uint32_t high)
{
    const uint32_t first = lead_of(low), last = lead_of(high);
    return (~(uint64_t)0 >> (63 - (last - first))) << first;
}

/* ---- states ---- */

/* The place of a term among the ways; way_count if it is not listed. */
static uint32_t way_of(const gm_content *content, gm_term to)
{
    uint32_t i = 0;
    while (i < content->way_count && content->ways[i].to != to)
        i++;
    return i;
}

static void add_way(gm_content *content, gm_term to, const gm_below *on)
{
    const uint32_t i = way_of(content, to);
    if (i < content->way_count)
        content->ways[i].on = gm_below_either(&content->ways[i].on, on);
    else if (i < MANY_WAYS)
        content->ways[content->way_count++] = (gm_content_way){to, *on};
    else
        content->has_many_ways = true;
}

/* ASCII characters that stand for themselves in a string, the control characters aside. */
static const uint64_t plain[2] = {~(uint64_t)0xFFFFFFFFu & ~((uint64_t)1 << '"'), ~((uint64_t)1 << ('\\' - 64))};

/* A backslash leads wherever a character does. */
static void find_ways(gm_content *content)
{
    const gm_text_row *row = content->row;
    for (uint32_t half = 0; half < 2; half++)
        for (uint64_t left = row->alive[half]; left != 0; left &= left - 1) {
            const uint32_t bit = gm_lowest_bit(left), byte = half * 64 + bit;
            gm_below on = gm_backslash;
            if (plain[half] >> bit & 1)
                add_ascii(&on, byte);
            add_way(content, row->ascii[byte], &on);
        }
    content->some.ascii[0] = row->alive[0] & plain[0];
    content->some.ascii[1] = row->alive[1] & plain[1];
    for (uint32_t i = 0; i < row->range_count; i++) {
        gm_below on = gm_backslash;
        on.lead = leads_between(row->ranges[i].low, row->ranges[i].high);
        content->some.lead |= on.lead;
        add_way(content, row->ranges[i].to, &on);
    }
}

enum { EVERY_WAY = 1 << MANY_WAYS };

/* Of first bytes past ASCII those of which all code points lead along chosen ways. */
static uint64_t leads_along(const gm_content *content, uint32_t chosen)
{
    const gm_text_row *row = content->row;
    uint32_t points[64]; /* code points that lead along them, by first byte, where a range begins or ends */
    uint64_t leads = 0, ends = 0;
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_text_range range = row->ranges[i];
        if (chosen != EVERY_WAY && !(chosen >> way_of(content, range.to) & 1))
            continue;
        const uint32_t first = lead_of(range.low), last = lead_of(range.high);
        leads |= leads_between(range.low, range.high) & ~((uint64_t)1 << first | (uint64_t)1 << last);
        for (uint32_t lead = first;; lead = last) {
            const gm_point_range here = gm_point_range_meet(points_of(lead), (gm_point_range){range.low, range.high});
            if (!(ends >> lead & 1))
                points[lead] = 0;
            ends |= (uint64_t)1 << lead;
            points[lead] += here.low <= here.high ? here.high - here.low + 1 : 0;
            if (lead == last)
                break;
        }
    }
    for (; ends != 0; ends &= ends - 1) {
        const uint32_t lead = gm_lowest_bit(ends);
        if (points[lead] == points_of(lead).high - points_of(lead).low + 1)
            leads |= (uint64_t)1 << lead;
    }
    return leads;
}

/* Whether every character leads on. */
static bool is_whole(const gm_text_row *row, uint64_t leads)
{
    return (row->alive[0] & row->alive[1]) == ~(uint64_t)0 && (leads | gm_ill_bytes.lead) == ~(uint64_t)0;
}

/* Bytes that lead along chosen ways only: bit i of `chosen` is way i, or EVERY_WAY, those that are not listed too. A
 * backslash does if every character does. */
static gm_below bytes_along(const gm_content *content, uint32_t chosen)
{
    const bool all =
        chosen == EVERY_WAY || (!content->has_many_ways && chosen == ((uint32_t)1 << content->way_count) - 1);
    gm_below set = all ? content->some : gm_no_bytes;
    for (uint32_t i = 0; i < content->way_count && !all; i++)
        if (chosen >> i & 1)
            set = gm_below_either(&set, &content->ways[i].on);
    set.lead = leads_along(content, all ? EVERY_WAY : chosen);
    set.ascii[1] &= ~gm_backslash.ascii[1];
    return all && is_whole(content->row, set.lead) ? gm_below_either(&set, &gm_backslash) : set;
}

static gm_byte_set by_byte(const gm_below *set) { return (gm_byte_set){{set->ascii[0], set->ascii[1], 0, set->lead}}; }

/* The state of a term; NULL when out of memory. */
gm_content *gm_content_of(gm_content_walk *walk, gm_term term)
{
    if (term / GM_CONTENT_CHUNK >= GM_CONTENT_CHUNKS)
        return NULL;
    gm_content **chunk = walk->chunks[term / GM_CONTENT_CHUNK];
    if (chunk == NULL && (chunk = walk->chunks[term / GM_CONTENT_CHUNK] =
                              GM_ARENA_NEW(&walk->arena, gm_content *, GM_CONTENT_CHUNK)) == NULL)
        return NULL;
    if (chunk[term % GM_CONTENT_CHUNK] != NULL)
        return chunk[term % GM_CONTENT_CHUNK];
    gm_content_way ways[MANY_WAYS];
    gm_content *content = gm_arena_take_zeroed(&walk->arena, sizeof *content);
    if (content == NULL || (content->row = gm_text_row_of(walk->text, term)) == NULL)
        return NULL;
    content->ways = ways;
    find_ways(content);
    content->alive = bytes_along(content, EVERY_WAY);
    content->worth = by_byte(&content->some);
    content->worth.bits['\\' / 64] |= (uint64_t)1 << '\\' % 64;
    content->sure = by_byte(&content->alive);
    content->ways = gm_arena_copy(&walk->arena, ways, content->way_count * sizeof *ways);
    if (content->ways == NULL)
        return NULL;
    return chunk[term % GM_CONTENT_CHUNK] = content;
}

/* The bytes that lead from a part back to itself, or to a union with it, or to any text: whatever holds it, holds it
 * after any number of them. */
static void find_loops(gm_content_walk *walk, gm_content *part)
{
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < part->way_count; i++)
        if (part->ways[i].to == GM_TERM_ANY || gm_text_has_part(walk->text, part->ways[i].to, part->row->term))
            chosen |= 1u << i;
    part->loops = bytes_along(part, chosen);
    part->has_loops = true;
}

static unsigned count_bytes(const gm_below *set)
{
    return gm_bit_count(set->ascii[0]) + gm_bit_count(set->ascii[1]) + gm_bit_count(set->lead);
}

/* The lengths of a state's strings; NULL when out of memory. */
const gm_lengths *gm_content_lengths(gm_content_walk *walk, gm_content *content)
{
    if (content->lengths == NULL && gm_text_lengths(walk->text, content->row->term, &content->lengths, NULL) != GM_OK)
        return NULL;
    return content->lengths;
}

/* From how many code points on a part can end after any number of them; UINT64_MAX if that is not known. */
uint64_t gm_content_least(gm_content_walk *walk, gm_content *part)
{
    if (part->row->term == GM_TERM_ANY)
        return 0;
    const gm_lengths *lengths = gm_content_lengths(walk, part);
    return lengths != NULL && lengths->interval && lengths->greatest == UINT64_MAX ? lengths->least : UINT64_MAX;
}

/* Finds under which bytes a state stays alive for ever, by a part of it: false when out of memory. */
static bool find_stays(gm_content_walk *walk, gm_content *content)
{
    gm_term parts[MANY_PARTS];
    const size_t count = gm_text_parts(walk->text, content->row->term, parts, MANY_PARTS);
    for (size_t i = 0; i < count; i++) {
        gm_content *part = gm_content_of(walk, parts[i]);
        if (part == NULL)
            return false;
        if (!part->has_loops)
            find_loops(walk, part);
        if (count_bytes(&part->loops) <= count_bytes(&content->stays))
            continue;
        content->stays = part->loops;
        content->stays_part = part;
    }
    return true;
}

/* ---- sets under which a state holds ---- */

typedef struct exploration {
    gm_content_walk *walk;
    gm_content *states[MOST_STATES];
    uint32_t count;
    gm_below set;
    bool failed;
    bool is_cut;     /* there are more states than were followed */
    bool is_layered; /* all ways to a state are of one length */
    uint32_t last;   /* the first of the states that were met last */
} exploration;

/* Adds the states that the set leads to, `layer` being the first of those with its length of way; false if there are
 * too many. */
static bool add_next(exploration *e, const gm_content *from, uint32_t layer)
{
    if (from->has_many_ways)
        return false;
    for (uint32_t i = 0; i < from->way_count; i++) {
        if (!gm_below_meets(&from->ways[i].on, &e->set))
            continue;
        gm_content *to = gm_content_of(e->walk, from->ways[i].to);
        e->failed = to == NULL;
        if (e->failed || (to->mark != e->walk->search && e->count == MOST_STATES))
            return false;
        if (to->mark == e->walk->search) {
            e->is_layered = e->is_layered && to->place >= layer;
            continue;
        }
        to->mark = e->walk->search;
        to->place = e->count;
        e->states[e->count++] = to;
    }
    return true;
}

/* How many bytes of the set may follow the first state. Makes the set smaller, and answers 0, where a state on the
 * way does not hold it; where nothing would be left of it, that state is as far as it goes. */
static uint32_t reach_of(exploration *e, bool *smaller)
{
    *smaller = false;
    e->count = 1;
    e->is_layered = true;
    e->states[0]->mark = ++e->walk->search;
    e->states[0]->place = 0;
    const uint32_t most = gm_below_meets(&e->set, &gm_backslash) ? MOST_WHOLE_DEPTH : MOST_DEPTH;
    for (uint32_t depth = 0, begin = 0; depth < most; depth++) {
        const uint32_t end = e->count;
        e->last = begin;
        for (uint32_t i = begin; i < end; i++) {
            if (gm_below_is_within(&e->set, &e->states[i]->alive))
                continue;
            const gm_below left = gm_below_both(&e->set, &e->states[i]->alive);
            *smaller = !gm_below_is_within(&left, &gm_no_bytes);
            if (*smaller)
                e->set = left;
            return depth;
        }
        for (uint32_t i = begin; i < end; i++)
            if (!add_next(e, e->states[i], end)) {
                e->is_cut = true;
                return depth + 1;
            }
        if (e->count == end)
            return UINT8_MAX;
        begin = end;
    }
    return most;
}

/* Whether no byte of the set may follow the states that were met last, and they are all that so many bytes lead to. */
static bool ends(const exploration *e)
{
    for (uint32_t i = e->last; i < e->count; i++)
        if (gm_below_meets(&e->set, &e->states[i]->some))
            return false;
    return e->is_layered && !e->is_cut;
}

/* Finds what a state holds; false when out of memory. */
bool gm_content_explore(gm_content_walk *walk, gm_content *content)
{
    exploration e = {.walk = walk, .states = {content}, .set = content->alive};
    uint32_t reach = 0;
    if (!find_stays(walk, content))
        return false;
    bool smaller = !gm_below_is_within(&e.set, &gm_no_bytes) && !gm_below_is_within(&content->alive, &content->stays);
    for (int round = 0; round < MOST_ROUNDS && smaller; round++) {
        gm_below set = e.set;
        reach = reach_of(&e, &smaller);
        const gm_below lost = gm_below_without(&set, &e.set);
        if (round == 0 && smaller && gm_below_is_within(&lost, &gm_backslash)) { /* else all went well so far */
            set = e.set;
            reach = reach_of(&e, &smaller);
        }
        if (round == 0)
            content->holds[0] = (gm_hold){.bytes = gm_below_either(&set, &gm_ill_bytes),
                                          .reach = (uint8_t)reach,
                                          .ends = !smaller && reach < MOST_DEPTH && ends(&e)};
    }
    if (e.failed)
        return false;
    content->holds[1] =
        (gm_hold){.bytes = gm_below_either(&e.set, &gm_ill_bytes), .reach = (uint8_t)(smaller ? 0 : reach)};
    content->stays = gm_below_either(&content->stays, &gm_ill_bytes);
    content->explored = true;
    return true;
}

/* ---- bases ---- */

enum { MANY_BYTES = 16, LONG_REACH = 16 };

/* What is known of tokens of a set by following a state's ways under it. Of tokens of the set no byte is read later
 * than behind as many code points as the states were followed for: those that were met are all in which another byte
 * can follow. */
static bool find_base(exploration *e, gm_content_base *base)
{
    bool smaller;
    *base = (gm_content_base){.set = e->set, .beyond = gm_backslash};
    if (count_bytes(&base->set) < MANY_BYTES)
        return false;
    const uint32_t reach = reach_of(e, &smaller);
    for (uint32_t i = 0; i < e->count; i++)
        base->beyond = gm_below_either(&base->beyond, &e->states[i]->some);
    base->beyond = gm_below_without(&base->beyond, &base->set);
    base->most = reach == UINT8_MAX ? UINT64_MAX : reach;
    /* behind a backslash an escaped character may follow where none of the set does */
    base->ends = !smaller && reach < MOST_DEPTH && !gm_below_meets(&base->set, &gm_backslash) && ends(e);
    return !e->failed && (base->ends || reach >= LONG_REACH);
}

bool gm_content_find_base(gm_content_walk *walk, gm_term term, gm_content_base *base, bool *found)
{
    gm_content *content = gm_content_of(walk, term);
    *found = false;
    if (content == NULL || (!content->explored && !gm_content_explore(walk, content)))
        return false;
    const bool for_ever = gm_below_is_within(&content->alive, &content->stays);
    exploration e = {.walk = walk, .states = {content}};
    for (int i = 0; i < (for_ever ? 1 : 2) && !*found && !e.failed; i++) {
        e.is_cut = false;
        e.set = for_ever ? content->alive : gm_below_both(&content->alive, &content->holds[i].bytes);
        *found = find_base(&e, base);
    }
    return !e.failed;
}

/* ---- plenty ---- */

typedef struct counting { /* a prefix, and the way to try next behind it */
    const gm_text_row *row;
    uint32_t way; /* below 128: an ASCII character; then the row's ranges */
} counting;

enum { MOST_PREFIX = 64, MOST_STEPS = 16 * GM_PLENTY };

/* Counts the strings of a term up to one more than GM_PLENTY, depth first; a prefix that is too long counts as a
 * string: some string begins so. False when out of memory. */
static bool count_strings(gm_content_walk *walk, const gm_text_row *row, uint64_t *count)
{
    counting path[MOST_PREFIX] = {{row, 0}};
    uint32_t depth = 1;
    *count = row->accepts;
    for (uint32_t step = 0; depth != 0 && *count <= GM_PLENTY && step < MOST_STEPS; step++) {
        counting *at = &path[depth - 1];
        while (at->way < 128 && at->row->ascii[at->way] == GM_TERM_NONE)
            at->way++;
        if (at->way == 128 + at->row->range_count) {
            depth--;
            continue;
        }
        const gm_text_range *range = at->way < 128 ? NULL : &at->row->ranges[at->way - 128];
        const gm_text_row *next = gm_text_row_of(walk->text, range == NULL ? at->row->ascii[at->way] : range->to);
        at->way++;
        if (next == NULL)
            return false;
        if (range != NULL || depth == MOST_PREFIX) { /* each code point of a range begins a string */
            *count += range != NULL ? range->high - range->low + 1 : 1;
            continue;
        }
        *count += next->accepts;
        path[depth++] = (counting){next, 0};
    }
    return true;
}

/* How many characters a string may go on with. */
static uint64_t count_points(const gm_text_row *row)
{
    uint64_t count = gm_bit_count(row->alive[0]) + gm_bit_count(row->alive[1]);
    for (uint32_t i = 0; i < row->range_count; i++)
        count += row->ranges[i].high - row->ranges[i].low + 1;
    return count;
}

/* No more strings than a term has: each two characters that may follow begin at least one. False when out of memory. */
static bool count_pairs(gm_content_walk *walk, const gm_content *content, uint64_t *count)
{
    *count = count_points(content->row);
    for (uint32_t i = 0; i < content->way_count && *count <= GM_PLENTY; i++) {
        const gm_content_way *way = &content->ways[i];
        const gm_text_row *next = gm_text_row_of(walk->text, way->to);
        if (next == NULL)
            return false;
        const uint64_t first = gm_bit_count(way->on.ascii[0]) + gm_bit_count(way->on.ascii[1] & ~gm_backslash.ascii[1]);
        const uint64_t second = count_points(next);
        *count += second > 1 ? first * (second - 1) : 0; /* one is counted */
    }
    return true;
}

bool gm_content_find_own(gm_content_walk *walk, gm_content *content)
{
    uint64_t count = GM_PLENTY + 1;
    const bool loops = content->row->term == GM_TERM_ANY || !gm_below_is_within(&content->stays, &gm_ill_bytes);
    if (content->own == GM_UNASKED && !loops &&
        (!count_pairs(walk, content, &count) || (count <= GM_PLENTY && !count_strings(walk, content->row, &count))))
        return false;
    if (content->own == GM_UNASKED)
        content->own = count > GM_PLENTY ? GM_IS_PLENTY : GM_IS_SCARCE;
    return true;
}

bool gm_content_find_held(gm_content_walk *walk, gm_content *content)
{
    exploration e = {
        .walk = walk, .states = {content}, .set = gm_below_both(&content->holds[1].bytes, &content->alive)};
    bool smaller;
    if (content->held != GM_UNASKED)
        return true;
    reach_of(&e, &smaller);
    content->held = e.is_cut ? GM_IS_SCARCE : GM_IS_PLENTY;
    for (uint32_t i = 0; i < e.count && content->held == GM_IS_PLENTY; i++) {
        if (e.failed || !gm_content_find_own(walk, e.states[i])) {
            content->held = GM_UNASKED;
            return false;
        }
        content->held = e.states[i]->own;
    }
    return true;
}

/* ---- needs ---- */

gm_need gm_need_either(gm_need a, gm_need b)
{
    return (gm_need){a.behind > b.behind ? a.behind : b.behind, a.points > b.points ? a.points : b.points,
                     a.is_finite || b.is_finite, a.closing > b.closing ? a.closing : b.closing};
}

static const gm_need nothing = {0, 0, false, 0};

static gm_need exactly(uint64_t points, bool is_finite) { return (gm_need){points, points, is_finite, 0}; }

/* What is needed behind a state: where any greater number is fine too, the least; where the strings have an end, it. */
static gm_need need_of(gm_content_walk *walk, gm_content *content)
{
    if (content == NULL)
        return gm_need_never;
    if (content->row->term == GM_TERM_ANY)
        return nothing;
    const gm_lengths *lengths = gm_content_lengths(walk, content);
    if (lengths == NULL)
        return gm_need_never;
    if (lengths->greatest != UINT64_MAX)
        return exactly(lengths->greatest, true);
    return lengths->interval ? exactly(lengths->least, false) : gm_need_never;
}

/* What is needed behind all states that a hold leads to. */
static gm_need need_of_hold(gm_content_walk *walk, gm_content *content, const gm_hold *hold)
{
    exploration e = {.walk = walk, .states = {content}, .set = gm_below_both(&hold->bytes, &content->alive)};
    bool smaller;
    gm_need need = nothing;
    reach_of(&e, &smaller);
    if (e.failed || e.is_cut)
        return gm_need_never;
    for (uint32_t i = 0; i < e.count && need.behind != UINT64_MAX; i++)
        need = gm_need_either(need, need_of(walk, e.states[i]));
    return need;
}

void gm_content_find_needs(gm_content_walk *walk, gm_content *content)
{
    if (!content->has_needs) {
        content->own_need = need_of(walk, content);
        content->ways_need = content->has_many_ways ? gm_need_never : nothing;
        for (uint32_t i = 0; i < content->way_count && content->ways_need.behind != UINT64_MAX; i++)
            content->ways_need =
                gm_need_either(content->ways_need, need_of(walk, gm_content_of(walk, content->ways[i].to)));
        content->has_needs = true;
    }
    if (!content->explored || content->has_hold_needs) /* before that it has no holds */
        return;
    for (int i = 0; i < 2; i++)
        content->holds[i].need = need_of_hold(walk, content, &content->holds[i]);
    content->has_hold_needs = true;
}
