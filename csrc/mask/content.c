/* mask/content.c - see content.h. */
#include "mask/content.h"

#include "base/array.h"
#include "base/utf8.h"

enum {
    CHUNK = 256,
    CHUNKS = 1 << 14,
    MANY_WAYS = 12 /* fewer than 32 */,
    MOST_STATES = 32,
    MOST_DEPTH = 32,
    MOST_ROUNDS = 4,
    MANY_PARTS = 8
};

typedef struct content_way {
    gm_term to;
    gm_below on; /* lead: some code point that begins so leads there */
} content_way;

/* Whether there are more than GM_PLENTY. */
typedef enum plenty { UNASKED, PLENTY, SCARCE } plenty;

struct gm_content {
    const gm_text_row *row;
    bool explored;
    bool has_loops;     /* loops is known */
    bool has_many_ways; /* more than are listed: not followed */
    uint8_t reach;      /* of holds; UINT8_MAX = for ever */
    plenty own, held;   /* strings behind it, and behind all states that holds leads to */
    uint32_t way_count;
    content_way *ways;
    gm_below alive;            /* lead: every code point that begins so leads on */
    gm_below some;             /* lead: some does */
    gm_below loops;            /* of a part: see find_loops */
    gm_content *stays_part;    /* the part that stays is of; NULL = none */
    const gm_lengths *lengths; /* NULL until asked */
    gm_below stays, holds;
};

struct gm_content_level {
    gm_content *content;
    gm_spelling_state spelling;
    uint32_t next, end; /* children not yet seen */
    uint32_t points;    /* code points so far */
};

typedef enum content_mode { BY_SUBTREES, ALL_BYTES, SCARCE_ONLY, BOUNDED } content_mode;

bool gm_content_walk_init(gm_content_walk *walk, const gm_vocab *vocab, gm_text *text, const gm_allocator *allocator)
{
    *walk = (gm_content_walk){.vocab = vocab, .text = text};
    walk->level_count = (size_t)gm_vocab_tables_of(vocab)->max_token_length + 2;
    gm_arena_init(&walk->arena, allocator);
    walk->levels = gm_allocate(allocator, walk->level_count, sizeof *walk->levels);
    walk->chunks = gm_allocate_zeroed(allocator, CHUNKS, sizeof *walk->chunks);
    if (walk->levels != NULL && walk->chunks != NULL)
        return true;
    gm_content_walk_destroy(walk);
    return false;
}

void gm_content_walk_destroy(gm_content_walk *walk)
{
    const gm_allocator *allocator = &walk->arena.allocator;
    gm_deallocate(allocator, walk->levels, walk->level_count, sizeof *walk->levels);
    gm_deallocate(allocator, walk->chunks, CHUNKS, sizeof *walk->chunks);
    GM_ARRAY_FREE(allocator, &walk->runs);
    gm_arena_destroy(&walk->arena);
    walk->levels = NULL;
    walk->chunks = NULL;
}

/* ---- sets of bytes ---- */

static const gm_below no_bytes = {{0, 0}, 0};
/* What runs mean nothing about: control characters and the quote, and bytes that begin no character. */
static const gm_below ill_bytes = {{0xFFFFFFFFu | (uint64_t)1 << '"', 0}, 3 | (uint64_t)0x7FF << 53};
static const gm_below backslash = {{0, (uint64_t)1 << ('\\' - 64)}, 0};

static bool is_within(const gm_below *a, const gm_below *b)
{
    return ((a->ascii[0] & ~b->ascii[0]) | (a->ascii[1] & ~b->ascii[1]) | (a->lead & ~b->lead)) == 0;
}

static bool meets(const gm_below *a, const gm_below *b)
{
    return ((a->ascii[0] & b->ascii[0]) | (a->ascii[1] & b->ascii[1]) | (a->lead & b->lead)) != 0;
}

static gm_below both(const gm_below *a, const gm_below *b)
{
    return (gm_below){{a->ascii[0] & b->ascii[0], a->ascii[1] & b->ascii[1]}, a->lead & b->lead};
}

static gm_below either(const gm_below *a, const gm_below *b)
{
    return (gm_below){{a->ascii[0] | b->ascii[0], a->ascii[1] | b->ascii[1]}, a->lead | b->lead};
}

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
        content->ways[i].on = either(&content->ways[i].on, on);
    else if (i < MANY_WAYS)
        content->ways[content->way_count++] = (content_way){to, *on};
    else
        content->has_many_ways = true;
}

static bool spells_itself(uint32_t byte) { return byte >= 0x20 && byte != '"' && byte != '\\'; }

static void find_ways(gm_content *content)
{
    const gm_text_row *row = content->row;
    for (uint32_t byte = 0; byte < 0x80; byte++) {
        gm_below on = no_bytes;
        if (row->ascii[byte] == GM_TERM_NONE || !spells_itself(byte))
            continue;
        add_ascii(&on, byte);
        content->some = either(&content->some, &on);
        add_way(content, row->ascii[byte], &on);
    }
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_below on = {{0, 0}, leads_between(row->ranges[i].low, row->ranges[i].high)};
        content->some = either(&content->some, &on);
        add_way(content, row->ranges[i].to, &on);
    }
}

/* Bytes that lead along chosen ways only: bit i of `chosen` is way i, bit MANY_WAYS all that are not listed. */
static gm_below bytes_along(const gm_content *content, uint32_t chosen)
{
    const gm_text_row *row = content->row;
    uint32_t points[64] = {0}; /* code points that lead along them, by first byte */
    gm_below set = no_bytes;
    for (uint32_t byte = 0; byte < 0x80; byte++) {
        const uint32_t way = way_of(content, row->ascii[byte]);
        if (row->ascii[byte] != GM_TERM_NONE && spells_itself(byte) &&
            (chosen >> (way < content->way_count ? way : MANY_WAYS) & 1))
            add_ascii(&set, byte);
    }
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_text_range range = row->ranges[i];
        const uint32_t way = way_of(content, range.to);
        if (!(chosen >> (way < content->way_count ? way : MANY_WAYS) & 1))
            continue;
        for (uint32_t lead = lead_of(range.low); lead <= lead_of(range.high); lead++) {
            const gm_point_range here = gm_point_range_meet(points_of(lead), (gm_point_range){range.low, range.high});
            points[lead] += here.low <= here.high ? here.high - here.low + 1 : 0;
        }
    }
    for (uint32_t lead = 2; lead <= 0x34; lead++)
        if (points[lead] == points_of(lead).high - points_of(lead).low + 1)
            set.lead |= (uint64_t)1 << lead;
    return set;
}

/* The state of a term; NULL when out of memory. */
static gm_content *content_of(gm_content_walk *walk, gm_term term)
{
    if (term / CHUNK >= CHUNKS)
        return NULL;
    gm_content **chunk = walk->chunks[term / CHUNK];
    if (chunk == NULL && (chunk = walk->chunks[term / CHUNK] = GM_ARENA_NEW(&walk->arena, gm_content *, CHUNK)) == NULL)
        return NULL;
    if (chunk[term % CHUNK] != NULL)
        return chunk[term % CHUNK];
    content_way ways[MANY_WAYS];
    gm_content *content = gm_arena_take_zeroed(&walk->arena, sizeof *content);
    if (content == NULL || (content->row = gm_text_row_of(walk->text, term)) == NULL)
        return NULL;
    content->ways = ways;
    find_ways(content);
    content->alive = bytes_along(content, UINT32_MAX);
    content->ways = gm_arena_copy(&walk->arena, ways, content->way_count * sizeof *ways);
    if (content->ways == NULL)
        return NULL;
    return chunk[term % CHUNK] = content;
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
    unsigned count = 0;
    for (uint64_t i = 0; i < 64; i++)
        count += (set->ascii[0] >> i & 1) + (set->ascii[1] >> i & 1) + (set->lead >> i & 1);
    return count;
}

/* The lengths of a state's strings; NULL when out of memory. */
static const gm_lengths *lengths_of(gm_content_walk *walk, gm_content *content)
{
    if (content->lengths == NULL && gm_text_lengths(walk->text, content->row->term, &content->lengths, NULL) != GM_OK)
        return NULL;
    return content->lengths;
}

/* From how many code points on a part can end after any number of them; UINT64_MAX if that is not known. */
static uint64_t least_of(gm_content_walk *walk, gm_content *part)
{
    if (part->row->term == GM_TERM_ANY)
        return 0;
    const gm_lengths *lengths = lengths_of(walk, part);
    return lengths != NULL && lengths->interval && lengths->greatest == UINT64_MAX ? lengths->least : UINT64_MAX;
}

/* Finds under which bytes a state stays alive for ever, by a part of it: false when out of memory. */
static bool find_stays(gm_content_walk *walk, gm_content *content)
{
    gm_term parts[MANY_PARTS];
    const size_t count = gm_text_parts(walk->text, content->row->term, parts, MANY_PARTS);
    for (size_t i = 0; i < count; i++) {
        gm_content *part = content_of(walk, parts[i]);
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
} exploration;

/* Adds the states that the set leads to; false if there are too many. */
static bool add_next(exploration *e, const gm_content *from)
{
    if (from->has_many_ways)
        return false;
    for (uint32_t i = 0; i < from->way_count; i++) {
        bool known = !meets(&from->ways[i].on, &e->set);
        for (uint32_t j = 0; j < e->count && !known; j++)
            known = e->states[j]->row->term == from->ways[i].to;
        if (known)
            continue;
        if (e->count == MOST_STATES)
            return false;
        e->states[e->count] = content_of(e->walk, from->ways[i].to);
        e->failed = e->states[e->count] == NULL;
        if (e->failed)
            return false;
        e->count++;
    }
    return true;
}

/* How many bytes of the set may follow the first state. Makes the set smaller, and answers 0, where a state on the
 * way does not hold it; where nothing would be left of it, that state is as far as it goes. */
static uint32_t reach_of(exploration *e, bool *smaller)
{
    *smaller = false;
    e->count = 1;
    for (uint32_t depth = 0, begin = 0; depth < MOST_DEPTH; depth++) {
        const uint32_t end = e->count;
        for (uint32_t i = begin; i < end; i++) {
            if (is_within(&e->set, &e->states[i]->alive))
                continue;
            const gm_below left = both(&e->set, &e->states[i]->alive);
            *smaller = !is_within(&left, &no_bytes);
            if (*smaller)
                e->set = left;
            return depth;
        }
        for (uint32_t i = begin; i < end; i++)
            if (!add_next(e, e->states[i]))
                return depth + 1;
        if (e->count == end)
            return UINT8_MAX;
        begin = end;
    }
    return MOST_DEPTH;
}

/* Finds what a state holds; false when out of memory. */
static bool explore(gm_content_walk *walk, gm_content *content)
{
    exploration e = {.walk = walk, .states = {content}, .set = content->alive};
    uint32_t reach = 0;
    if (!find_stays(walk, content))
        return false;
    bool smaller = !is_within(&e.set, &no_bytes) && !is_within(&content->alive, &content->stays);
    for (int round = 0; round < MOST_ROUNDS && smaller; round++)
        reach = reach_of(&e, &smaller);
    if (e.failed)
        return false;
    content->reach = (uint8_t)(smaller ? 0 : reach);
    content->holds = either(&e.set, &ill_bytes);
    content->stays = either(&content->stays, &ill_bytes);
    content->explored = true;
    return true;
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

static bool find_own(gm_content_walk *walk, gm_content *content)
{
    uint64_t count = GM_PLENTY + 1;
    const bool loops = content->row->term == GM_TERM_ANY || !is_within(&content->stays, &ill_bytes);
    if (content->own == UNASKED && !loops && !count_strings(walk, content->row, &count))
        return false;
    if (content->own == UNASKED)
        content->own = count > GM_PLENTY ? PLENTY : SCARCE;
    return true;
}

static bool find_held(gm_content_walk *walk, gm_content *content)
{
    exploration e = {.walk = walk, .states = {content}, .set = both(&content->holds, &content->alive)};
    bool smaller;
    if (content->held != UNASKED)
        return true;
    reach_of(&e, &smaller);
    content->held = PLENTY;
    for (uint32_t i = 0; i < e.count && content->held == PLENTY; i++) {
        if (e.failed || !find_own(walk, e.states[i])) {
            content->held = UNASKED;
            return false;
        }
        content->held = e.states[i]->own;
    }
    return true;
}

/* Whether plenty of strings begin with what led to a level: in the middle of a character, with each that it
 * can become. False when out of memory. */
static bool ask_own(gm_content_walk *walk, const struct gm_content_level *level, bool *is_plenty)
{
    gm_content *content = level->content;
    if (level->spelling == GM_SPELLING_BETWEEN) {
        if (!find_own(walk, content))
            return false;
        *is_plenty = content->own == PLENTY;
        return true;
    }
    *is_plenty = !content->has_many_ways;
    for (uint32_t i = 0; i < content->way_count && *is_plenty; i++) {
        gm_content *next = content_of(walk, content->ways[i].to);
        if (next == NULL || !find_own(walk, next))
            return false;
        *is_plenty = next->own == PLENTY;
    }
    return true;
}

/* ---- the walk ---- */

/* Whether a string of a term may still follow after so many code points, under the bounds of the walk. */
static bool fits(gm_content_walk *walk, gm_content *content, uint64_t points)
{
    if (points > walk->most)
        return false;
    if (content->row->term == GM_TERM_ANY)
        return true;
    const gm_lengths *lengths = lengths_of(walk, content);
    walk->failed = walk->failed || lengths == NULL;
    return lengths != NULL && gm_lengths_meet(lengths, walk->least > points ? walk->least - points : 0,
                                              walk->most == GM_UNBOUNDED ? GM_UNBOUNDED : walk->most - points);
}

static bool fits_term(gm_content_walk *walk, gm_term term, uint64_t points)
{
    if (term == GM_TERM_NONE)
        return false;
    gm_content *content = content_of(walk, term);
    walk->failed = walk->failed || content == NULL;
    return content != NULL && fits(walk, content, points);
}

static bool follow_point(gm_content_walk *walk, const struct gm_content_level *from, uint32_t point, content_mode mode,
                         struct gm_content_level *to)
{
    const gm_term term = gm_text_next(from->content->row, point);
    if (term == GM_TERM_NONE)
        return false;
    to->spelling = GM_SPELLING_BETWEEN;
    to->points = from->points + 1;
    to->content = term == from->content->row->term ? from->content : content_of(walk, term);
    walk->failed = walk->failed || to->content == NULL;
    return to->content != NULL && (mode != BOUNDED || fits(walk, to->content, to->points));
}

/* Whether a code point that a half-read one can become leads on within the bounds. */
static bool meets_bounded(gm_content_walk *walk, const struct gm_content_level *level, gm_point_range range,
                          const gm_alphabet *alphabet)
{
    const gm_text_row *row = level->content->row;
    for (uint32_t point = range.low; point <= range.high && point < 128; point++)
        if (fits_term(walk, row->ascii[point], level->points + 1) &&
            gm_spelling_can_finish(level->spelling, (gm_point_range){point, point}, alphabet))
            return true;
    for (uint32_t i = 0; i < row->range_count; i++) {
        const gm_point_range here =
            gm_point_range_meet(range, (gm_point_range){row->ranges[i].low, row->ranges[i].high});
        if (here.low <= here.high && fits_term(walk, row->ranges[i].to, level->points + 1) &&
            gm_spelling_can_finish(level->spelling, here, alphabet))
            return true;
    }
    return false;
}

/* Follows one byte; false when the content cannot go on, or, with walk->failed, when out of memory. */
static bool follow(gm_content_walk *walk, const struct gm_content_level *from, uint8_t byte,
                   const gm_alphabet *alphabet, content_mode mode, struct gm_content_level *to)
{
    uint32_t point;
    gm_spelling_state next;
    /* most bytes are letters that spell themselves */
    if (from->spelling == GM_SPELLING_BETWEEN && byte < 0x7F && spells_itself(byte))
        return follow_point(walk, from, byte, mode, to);
    switch (gm_spelling_step(from->spelling, byte, alphabet->minimal, &next, &point)) {
    case GM_SPELLED_POINT:
        return follow_point(walk, from, point, mode, to);
    case GM_SPELLED_PART: {
        gm_point_range ranges[4];
        const size_t count = gm_spelling_ranges(next, alphabet->minimal, ranges);
        to->spelling = next;
        to->points = from->points;
        to->content = from->content;
        for (size_t i = 0; i < count; i++)
            if (mode == BOUNDED ? meets_bounded(walk, to, ranges[i], alphabet)
                                : gm_spelling_meets(next, ranges[i], alphabet, from->content->row))
                return true;
        return false;
    }
    default:
        return false;
    }
}

static bool add_run(gm_content_walk *walk, uint32_t first, uint32_t end)
{
    gm_token_run *last = walk->runs.count != 0 ? &walk->runs.items[walk->runs.count - 1] : NULL;
    if (first == end)
        return true;
    if (last != NULL && last->end == first) {
        last->end = end;
        return true;
    }
    return GM_ARRAY_PUSH(&walk->arena.allocator, &walk->runs, ((gm_token_run){first, end}));
}

typedef enum verdict { TAKEN, LEFT, STEPPED_ON } verdict;

/* Whether what is below a node stays alive for ever; under bounds, whether it also stays within them. */
static bool stays(gm_content_walk *walk, const struct gm_content_level *level, const gm_below *bytes, uint32_t height,
                  content_mode mode)
{
    gm_content *content = level->content;
    if (content->row->term != GM_TERM_ANY && !is_within(bytes, &content->stays))
        return false;
    if (mode != BOUNDED || walk->most == GM_UNBOUNDED)
        return mode != BOUNDED || content->row->term == GM_TERM_ANY ||
               (content->stays_part != NULL && least_of(walk, content->stays_part) != UINT64_MAX);
    gm_content *part = content->row->term == GM_TERM_ANY ? content : content->stays_part;
    const uint64_t least = part != NULL ? least_of(walk, part) : UINT64_MAX;
    const uint64_t used = (uint64_t)level->points + height;
    return height < UINT8_MAX && used <= walk->most && walk->most - used >= least;
}

/* What becomes of the nodes below one, from their bytes. What is asked for scarce tokens is taken only if there
 * are none. False when out of memory. */
static bool judge(gm_content_walk *walk, const struct gm_content_level *level, const gm_branch *branch,
                  content_mode mode, verdict *below)
{
    gm_content *content = level->content;
    if (!content->explored && !explore(walk, content))
        return false;
    bool holds = mode != BOUNDED && branch->height <= content->reach && is_within(&branch->below, &content->holds);
    if (holds && mode == SCARCE_ONLY) {
        if (!find_held(walk, content))
            return false;
        holds = content->held == PLENTY;
    }
    const gm_below leads_on = either(&content->some, &backslash);
    if (holds || stays(walk, level, &branch->below, branch->height, mode))
        *below = TAKEN;
    else
        *below = meets(&branch->below, &leads_on) ? STEPPED_ON : LEFT;
    return true;
}

/* The node behind a byte that was followed to a level: adds its tokens, and those below if they are taken; *below
 * says whether they are to be stepped on. False when out of memory. */
static bool see(gm_content_walk *walk, const struct gm_content_level *level, const gm_branch *branch, content_mode mode,
                verdict *below)
{
    bool is_plenty = false;
    *below = branch->child_count == 0 ? LEFT : STEPPED_ON;
    if (*below == STEPPED_ON && level->spelling == GM_SPELLING_BETWEEN && mode != ALL_BYTES &&
        !judge(walk, level, branch, mode, below))
        return false;
    if (mode == SCARCE_ONLY && branch->first != branch->own_end && !ask_own(walk, level, &is_plenty))
        return false;
    for (uint32_t i = branch->first; i < branch->own_end && mode == ALL_BYTES; i++) {
        const uint32_t token = gm_vocab_tables_of(walk->vocab)->all.tokens[i];
        walk->points[token] = level->points + (level->spelling != GM_SPELLING_BETWEEN);
        walk->whole[token / 32] |= (uint32_t)(level->spelling == GM_SPELLING_BETWEEN) << token % 32;
    }
    /* what is taken has plenty behind it */
    const bool whole = *below == TAKEN && mode != SCARCE_ONLY;
    return is_plenty || add_run(walk, branch->first, whole ? branch->end : branch->own_end);
}

static bool has_byte(const gm_below *set, uint8_t byte)
{
    return byte < 0x80 ? set->ascii[byte / 64] >> byte % 64 & 1 : byte >= 0xC0 && (set->lead >> (byte - 0xC0) & 1);
}

/* Whether a node and all below it are taken from between two characters, before its byte is followed: so the many
 * that begin with long characters are. Explored states only. */
static bool is_taken(const struct gm_content_level *level, uint8_t byte, const gm_branch *branch)
{
    const gm_content *content = level->content;
    if (level->spelling != GM_SPELLING_BETWEEN)
        return false;
    return (has_byte(&content->stays, byte) && is_within(&branch->below, &content->stays)) ||
           (branch->height < content->reach && has_byte(&content->holds, byte) &&
            is_within(&branch->below, &content->holds));
}

static bool run(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, content_mode mode)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(walk->vocab);
    struct gm_content_level *level = walk->levels;
    walk->runs.count = 0;
    walk->visited = 0;
    walk->failed = false;
    *level = (struct gm_content_level){.content = content_of(walk, term),
                                       .next = tables->all.branches->children,
                                       .end = tables->all.branches->children + tables->all.branches->child_count};
    if (level->content == NULL || (!level->content->explored && !explore(walk, level->content)))
        return false;
    for (;;) {
        if (level->next == level->end) {
            if (level == walk->levels)
                return true;
            level--;
            continue;
        }
        const uint32_t at = level->next++;
        const gm_branch *branch = &tables->all.branches[at];
        verdict below;
        if (level->spelling == GM_SPELLING_BETWEEN && tables->all.bytes[at] != '\\' &&
            !has_byte(&level->content->some, tables->all.bytes[at]))
            continue; /* most children: not even the branch is looked at */
        walk->visited++;
        if (mode == BY_SUBTREES && is_taken(level, tables->all.bytes[at], branch)) {
            if (!add_run(walk, branch->first, branch->end))
                return false;
            continue;
        }
        if (!follow(walk, level, tables->all.bytes[at], alphabet, mode, &level[1])) {
            if (walk->failed)
                return false;
            continue;
        }
        if (!see(walk, &level[1], branch, mode, &below))
            return false;
        if (below == STEPPED_ON) {
            level++;
            level->next = branch->children;
            level->end = branch->children + branch->child_count;
        }
    }
}

bool gm_content_walk_run(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, bool scarce)
{
    return run(walk, term, alphabet, scarce ? SCARCE_ONLY : term == GM_TERM_ANY ? ALL_BYTES : BY_SUBTREES);
}

bool gm_content_walk_bounded(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, uint64_t least,
                             uint64_t most)
{
    walk->least = least;
    walk->most = most;
    return run(walk, term, alphabet, BOUNDED);
}
