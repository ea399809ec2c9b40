/* mask/content.c - see content.h. */
#include "mask/content.h"

#include "base/array.h"
#include "mask/content_state.h"

typedef enum content_mode { BY_SUBTREES, MEASURED, ALL_BYTES, SCARCE_ONLY, BOUNDED } content_mode;

bool gm_content_walk_init(gm_content_walk *walk, const gm_vocab *vocab, gm_text *text, const gm_allocator *allocator)
{
    *walk = (gm_content_walk){.vocab = vocab, .text = text};
    walk->level_count = (size_t)gm_vocab_tables_of(vocab)->max_token_length + 2;
    gm_arena_init(&walk->arena, allocator);
    walk->levels = gm_allocate(allocator, walk->level_count, sizeof *walk->levels);
    walk->chunks = gm_allocate_zeroed(allocator, GM_CONTENT_CHUNKS, sizeof *walk->chunks);
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    walk->lengths = gm_allocate(allocator, (size_t)trie->token_count + 1, sizeof *walk->lengths);
    if (walk->levels == NULL || walk->chunks == NULL || walk->lengths == NULL) {
        gm_content_walk_destroy(walk);
        return false;
    }
    for (uint32_t i = 0; i < trie->token_count; i++) {
        size_t length;
        gm_vocab_text(vocab, trie->tokens[i], &length);
        walk->lengths[i] = length < UINT8_MAX ? (uint8_t)length : UINT8_MAX;
    }
    return true;
}

void gm_content_walk_destroy(gm_content_walk *walk)
{
    const gm_allocator *allocator = &walk->arena.allocator;
    gm_deallocate(allocator, walk->levels, walk->level_count, sizeof *walk->levels);
    gm_deallocate(allocator, walk->chunks, GM_CONTENT_CHUNKS, sizeof *walk->chunks);
    if (walk->lengths != NULL)
        gm_deallocate(allocator, walk->lengths, (size_t)gm_vocab_tables_of(walk->vocab)->all.token_count + 1,
                      sizeof *walk->lengths);
    GM_ARRAY_FREE(allocator, &walk->runs);
    gm_arena_destroy(&walk->arena);
    walk->levels = NULL;
    walk->chunks = NULL;
    walk->lengths = NULL;
}

/* ---- following bytes ---- */

/* Whether a string of a term may still follow after so many code points, under the bounds of the walk. */
static bool fits(gm_content_walk *walk, gm_content *content, uint64_t points)
{
    if (points > walk->most)
        return false;
    if (content->row->term == GM_TERM_ANY)
        return true;
    const gm_lengths *lengths = gm_content_lengths(walk, content);
    walk->failed = walk->failed || lengths == NULL;
    return lengths != NULL && gm_lengths_meet(lengths, walk->least > points ? walk->least - points : 0,
                                              walk->most == GM_UNBOUNDED ? GM_UNBOUNDED : walk->most - points);
}

static bool fits_term(gm_content_walk *walk, gm_term term, uint64_t points)
{
    if (term == GM_TERM_NONE)
        return false;
    gm_content *content = gm_content_of(walk, term);
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
    to->content = term == from->content->row->term ? from->content : gm_content_of(walk, term);
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

/* ---- the walk ---- */

/* Whether plenty of strings begin with what led to a level: in the middle of a character, with each that it
 * can become. False when out of memory. */
static bool ask_own(gm_content_walk *walk, const struct gm_content_level *level, bool *is_plenty)
{
    gm_content *content = level->content;
    if (level->spelling == GM_SPELLING_BETWEEN) {
        if (!gm_content_find_own(walk, content))
            return false;
        *is_plenty = content->own == GM_IS_PLENTY;
        return true;
    }
    *is_plenty = !content->has_many_ways;
    for (uint32_t i = 0; i < content->way_count && *is_plenty; i++) {
        gm_content *next = gm_content_of(walk, content->ways[i].to);
        if (next == NULL || !gm_content_find_own(walk, next))
            return false;
        *is_plenty = next->own == GM_IS_PLENTY;
    }
    return true;
}

bool gm_content_add_run(gm_content_walk *walk, uint32_t first, uint32_t end)
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

typedef enum verdict { TAKEN, LEFT, STEPPED_ON, BY_LENGTH } verdict;

/* Whether what is below a node stays alive for ever; under bounds, whether it also stays within them. */
static bool stays(gm_content_walk *walk, const struct gm_content_level *level, const gm_below *bytes, uint32_t height,
                  content_mode mode)
{
    gm_content *content = level->content;
    if (content->row->term != GM_TERM_ANY && !gm_below_is_within(bytes, &content->stays))
        return false;
    if (mode != BOUNDED || walk->most == GM_UNBOUNDED)
        return mode != BOUNDED || content->row->term == GM_TERM_ANY ||
               (content->stays_part != NULL && gm_content_least(walk, content->stays_part) != UINT64_MAX);
    gm_content *part = content->row->term == GM_TERM_ANY ? content : content->stays_part;
    const uint64_t least = part != NULL ? gm_content_least(walk, part) : UINT64_MAX;
    const uint64_t used = (uint64_t)level->points + height;
    return height < UINT8_MAX && used <= walk->most && walk->most - used >= least;
}

/* Whether the bytes below a node are ASCII ones of a set that ends, and characters each: then what is longer than it
 * reaches is dead. */
static bool ends_below(const struct gm_content_level *level, const gm_branch *branch)
{
    const gm_hold *hold = &level->content->holds[0];
    return hold->ends && branch->below.lead == 0 && !branch->has_rests &&
           !gm_below_meets(&branch->below, &gm_backslash) && gm_below_is_within(&branch->below, &hold->bytes) &&
           (size_t)level->depth + hold->reach < UINT8_MAX;
}

/* What becomes of the nodes below one, from their bytes. What is asked for scarce tokens is taken only if there
 * are none. False when out of memory. */
static bool judge(gm_content_walk *walk, const struct gm_content_level *level, const gm_branch *branch,
                  content_mode mode, verdict *below)
{
    gm_content *content = level->content;
    if (!content->explored && !gm_content_explore(walk, content))
        return false;
    bool holds = mode != BOUNDED && gm_hold_has(&content->holds[1], &branch->below, branch->height);
    if (holds && mode == SCARCE_ONLY) {
        if (!gm_content_find_held(walk, content))
            return false;
        holds = content->held == GM_IS_PLENTY;
    }
    if (mode == BY_SUBTREES || mode == MEASURED)
        holds = holds || gm_hold_has(&content->holds[0], &branch->below, branch->height);
    const gm_below leads_on = gm_below_either(&content->some, &gm_backslash);
    if (holds || stays(walk, level, &branch->below, branch->height, mode))
        *below = TAKEN;
    else if ((mode == BY_SUBTREES || mode == MEASURED) && ends_below(level, branch))
        *below = BY_LENGTH;
    else
        *below = gm_below_meets(&branch->below, &leads_on) ? STEPPED_ON : LEFT;
    return true;
}

/* ---- needs ---- */

/* Adds what is needed behind some code points. */
static void need(gm_content_walk *walk, uint64_t points, gm_need behind)
{
    behind.points = behind.behind < UINT64_MAX - points ? behind.behind + points : UINT64_MAX;
    walk->need = gm_need_either(walk->need, behind);
}

/* Adds what is needed behind all that is below a node, whose bytes hold or stay. */
static void need_below(gm_content_walk *walk, const struct gm_content_level *level, const gm_below *bytes,
                       uint32_t height)
{
    gm_content *content = level->content;
    gm_content_find_needs(walk, content);
    gm_need behind = gm_need_never;
    for (int i = 0; i < 2; i++)
        if (content->holds[i].need.behind < behind.behind && gm_hold_has(&content->holds[i], bytes, height))
            behind = content->holds[i].need;
    if (content->row->term == GM_TERM_ANY)
        behind = content->own_need;
    if (content->stays_part != NULL && gm_below_is_within(bytes, &content->stays)) {
        gm_content_find_needs(walk, content->stays_part);
        const gm_need own = content->stays_part->own_need;
        if (!own.is_finite && own.behind < behind.behind)
            behind = own;
    }
    need(walk, (uint64_t)level->points + height, height < UINT8_MAX ? behind : gm_need_never);
}

/* Adds what is needed behind the tokens of a node itself. */
static void need_own(gm_content_walk *walk, const struct gm_content_level *level)
{
    const bool between = level->spelling == GM_SPELLING_BETWEEN;
    gm_content_find_needs(walk, level->content);
    need(walk, (uint64_t)level->points + !between, between ? level->content->own_need : level->content->ways_need);
}

/* Adds the tokens below a node that are not longer than its set reaches. False when out of memory. */
static bool add_by_length(gm_content_walk *walk, const struct gm_content_level *level, const gm_branch *branch)
{
    const size_t most = (size_t)level->depth + level->content->holds[0].reach;
    for (uint32_t at = branch->own_end, end; at < branch->end; at = end) {
        while (at < branch->end && walk->lengths[at] > most)
            at++;
        for (end = at; end < branch->end && walk->lengths[end] <= most;)
            end++;
        if (!gm_content_add_run(walk, at, end))
            return false;
    }
    return true;
}

/* The node behind a byte that was followed to a level: adds its tokens, and those below if they are taken; *below
 * says whether they are to be stepped on. False when out of memory. */
static bool see(gm_content_walk *walk, const struct gm_content_level *level, const gm_branch *branch, content_mode mode,
                verdict *below)
{
    bool is_plenty = false;
    *below = branch->children == 0 ? LEFT : STEPPED_ON;
    if (*below == STEPPED_ON && level->spelling == GM_SPELLING_BETWEEN && mode != ALL_BYTES &&
        !judge(walk, level, branch, mode, below))
        return false;
    if (mode == SCARCE_ONLY && branch->first != branch->own_end && !ask_own(walk, level, &is_plenty))
        return false;
    for (uint32_t i = branch->first; i < branch->own_end && mode == ALL_BYTES; i++) {
        const uint32_t token = gm_vocab_tables_of(walk->vocab)->all.tokens[i];
        walk->points[token] = level->points + (level->spelling != GM_SPELLING_BETWEEN);
    }
    if (mode == MEASURED && branch->children != 0 && gm_below_has(&branch->below, '"') &&
        level->points > walk->need.closing)
        walk->need.closing = level->points;
    if (mode == MEASURED && branch->first != branch->own_end)
        need_own(walk, level);
    if (mode == MEASURED && *below == TAKEN)
        need_below(walk, level, &branch->below, branch->height);
    if (mode == MEASURED && *below == BY_LENGTH)
        need_below(walk, level, &branch->below, level->content->holds[0].reach);
    /* what is taken has plenty behind it */
    const bool whole = *below == TAKEN && mode != SCARCE_ONLY;
    if (!is_plenty && !gm_content_add_run(walk, branch->first, whole ? branch->end : branch->own_end))
        return false;
    return *below != BY_LENGTH || add_by_length(walk, level, branch);
}

/* Whether a node and all below it are taken from between two characters, before its byte is followed: so the many
 * that begin with long characters are. Explored states only. */
static bool is_taken(const struct gm_content_level *level, uint8_t byte, const gm_branch *branch)
{
    const gm_content *content = level->content;
    if (level->spelling != GM_SPELLING_BETWEEN)
        return false;
    bool taken = gm_below_has(&content->stays, byte) && gm_below_is_within(&branch->below, &content->stays);
    for (int i = 0; i < 2 && !taken; i++)
        taken = branch->height < content->holds[i].reach && gm_below_has(&content->holds[i].bytes, byte) &&
                gm_below_is_within(&branch->below, &content->holds[i].bytes);
    return taken;
}

/* Adds what is needed behind such a node and all below it. */
static void need_taken(gm_content_walk *walk, const struct gm_content_level *level, uint8_t byte,
                       const gm_branch *branch)
{
    gm_below bytes = branch->below;
    if (byte < 0x80)
        bytes.ascii[byte / 64] |= (uint64_t)1 << byte % 64;
    else if (byte >= 0xC0)
        bytes.lead |= (uint64_t)1 << (byte - 0xC0);
    need_below(walk, level, &bytes, branch->height < UINT8_MAX ? branch->height + 1u : UINT8_MAX);
}

/* Adds what is needed behind a leaf that is sure. */
static void need_sure(gm_content_walk *walk, const struct gm_content_level *level)
{
    gm_content_find_needs(walk, level->content);
    need(walk, (uint64_t)level->points + 1, level->content->ways_need);
}

/* Whether a level whose bytes are in the set of the walk's base goes on so with a byte. */
static bool is_in_base(const gm_content_walk *walk, const struct gm_content_level *level, uint8_t byte)
{
    return level->spelling != GM_SPELLING_BETWEEN || gm_below_has(&walk->base->set, byte);
}

/* Follows the label of a node behind its first byte, which was followed to a level: *below is STEPPED_ON if it leads
 * on; else all is done. False when out of memory. Within the label what is below is taken to have all its bytes. */
static bool follow_label(gm_content_walk *walk, const gm_trie *trie, const gm_branch *branch,
                         const gm_alphabet *alphabet, content_mode mode, struct gm_content_level *level, verdict *below)
{
    gm_branch within;
    for (unsigned i = 0; i < branch->extra; i++) {
        const uint8_t byte = trie->labels[branch->label + i];
        const bool between = level->spelling == GM_SPELLING_BETWEEN;
        if (between && byte != '"' && !gm_byte_set_has(&level->content->worth, byte)) {
            *below = LEFT; /* mostly, and nothing behind it closes */
            return true;
        }
        if (i == 0)
            within = gm_trie_within_label(trie, branch, 0);
        if (!see(walk, level, &within, mode, below))
            return false;
        if (*below != STEPPED_ON)
            return true;
        walk->visited++;
        level->is_within = level->is_within && is_in_base(walk, level, byte);
        level->depth++;
        within.height -= within.height != UINT8_MAX;
        if (!follow(walk, level, byte, alphabet, mode, level)) {
            *below = LEFT;
            return !walk->failed;
        }
    }
    return true;
}

/* Looks closer at a child: takes it with all below, or follows its label, and steps down if its children are to be
 * seen. False when out of memory. */
static bool look_at(gm_content_walk *walk, const gm_trie *trie, uint32_t at, const gm_alphabet *alphabet,
                    content_mode mode, struct gm_content_level **level)
{
    const gm_branch *branch = &trie->branches[at];
    struct gm_content_level *next = *level + 1;
    verdict below = STEPPED_ON;
    next->is_within = (*level)->is_within && is_in_base(walk, *level, trie->bytes[at]);
    if ((mode == BY_SUBTREES || mode == MEASURED) && is_taken(*level, trie->bytes[at], branch)) {
        if (mode == MEASURED)
            need_taken(walk, *level, trie->bytes[at], branch);
        return gm_content_add_run(walk, branch->first, branch->end);
    }
    next->depth = (*level)->depth + 1;
    if (!follow(walk, *level, trie->bytes[at], alphabet, mode, next))
        return !walk->failed;
    gm_branch end;
    if (branch->extra != 0) {
        if (!follow_label(walk, trie, branch, alphabet, mode, next, &below))
            return false;
        if (below != STEPPED_ON)
            return true;
        if (branch->children != 0) {
            end = gm_trie_within_label(trie, branch, branch->extra);
            branch = &end;
        }
    }
    if (!see(walk, next, branch, mode, &below))
        return false;
    if (below != STEPPED_ON)
        return true;
    next->next = branch->children;
    next->end = branch->children + gm_child_count(branch);
    next->token_end = branch->end;
    *level = next;
    return true;
}

/* Moves on to the next child that is not dead: most are. False if there is none. */
static bool next_worth(struct gm_content_level *level, const uint8_t *bytes)
{
    level->next = gm_next_child(&level->content->worth, bytes, level->next, level->end);
    return level->next < level->end;
}

/* Whether a child is a leaf for which its byte is enough. */
static bool is_sure(const struct gm_content_level *level, const gm_trie *trie, uint32_t at)
{
    return trie->leaves[at] && gm_byte_set_has(&level->content->sure, trie->bytes[at]);
}

/* Adds such children, as many as stand side by side. */
static bool add_sure(gm_content_walk *walk, struct gm_content_level *level, const gm_trie *trie)
{
    const uint32_t first = trie->firsts[level->next];
    for (; level->next < level->end && is_sure(level, trie, level->next); level->next++)
        walk->visited++;
    return gm_content_add_run(walk, first, level->next != level->end ? trie->firsts[level->next] : level->token_end);
}

/* Adds that a token may close behind any byte below a node. */
static void need_closing(gm_content_walk *walk, uint64_t points, const gm_branch *branch)
{
    if (!gm_below_has(&branch->below, '"'))
        return;
    const uint64_t most = branch->height < UINT8_MAX ? points + branch->height : UINT64_MAX;
    walk->need.closing = walk->need.closing > most ? walk->need.closing : most;
}

/* Whether a child and all below it are the base's, as far as they are alive. Between two characters. */
static bool is_covered(gm_content_walk *walk, const struct gm_content_level *level, const gm_trie *trie, uint32_t at)
{
    const gm_content_base *base = walk->base;
    if (!level->is_within || !gm_below_has(&base->set, trie->bytes[at]))
        return false;
    const uint64_t used = (uint64_t)level->points + 1;
    if (trie->leaves[at])
        return base->ends || used <= base->most;
    const gm_branch *branch = &trie->branches[at];
    walk->visited++;
    if (gm_below_meets(&branch->below, &base->beyond) ||
        !(base->ends || base->most == UINT64_MAX ||
          (branch->height < UINT8_MAX && used + branch->height <= base->most)))
        return false;
    need_closing(walk, used, branch);
    return true;
}

static bool run(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, content_mode mode)
{
    const gm_trie *trie = &gm_vocab_tables_of(walk->vocab)->all;
    struct gm_content_level *level = walk->levels;
    walk->runs.count = 0;
    walk->failed = false;
    *level = (struct gm_content_level){.content = gm_content_of(walk, term),
                                       .next = trie->branches->children,
                                       .end = trie->branches->children + gm_child_count(trie->branches),
                                       .token_end = trie->token_count,
                                       .is_within = walk->base != NULL};
    if (level->content == NULL || (!level->content->explored && !gm_content_explore(walk, level->content)))
        return false;
    for (;;) {
        if (level->next == level->end) {
            if (level == walk->levels)
                return true;
            level--;
            continue;
        }
        const bool between = level->spelling == GM_SPELLING_BETWEEN;
        if (between && !next_worth(level, trie->bytes))
            continue;
        if (between && is_covered(walk, level, trie, level->next)) {
            level->next++;
            continue;
        }
        if (between && (mode == BY_SUBTREES || mode == MEASURED) && is_sure(level, trie, level->next)) {
            if (mode == MEASURED)
                need_sure(walk, level);
            if (!add_sure(walk, level, trie))
                return false;
            continue;
        }
        walk->visited++;
        if (!look_at(walk, trie, level->next++, alphabet, mode, &level))
            return false;
    }
}

bool gm_content_walk_run(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, bool scarce)
{
    return run(walk, term, alphabet, scarce ? SCARCE_ONLY : term == GM_TERM_ANY ? ALL_BYTES : BY_SUBTREES);
}

bool gm_content_walk_beyond(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet,
                            const gm_content_base *base, gm_need *measured)
{
    walk->base = base;
    walk->need = (gm_need){0};
    const bool done = run(walk, term, alphabet, measured != NULL ? MEASURED : BY_SUBTREES);
    if (done && base != NULL && measured != NULL) {
        const struct gm_content_level start = {.content = gm_content_of(walk, term)}; /* there since the walk */
        need_below(walk, &start, &base->set, base->most < base->longest ? (uint32_t)base->most : base->longest);
    }
    walk->base = NULL;
    if (measured != NULL)
        *measured = walk->need;
    return done;
}

bool gm_content_walk_bounded(gm_content_walk *walk, gm_term term, const gm_alphabet *alphabet, uint64_t least,
                             uint64_t most)
{
    walk->least = least;
    walk->most = most;
    return run(walk, term, alphabet, BOUNDED);
}

enum { PERPETUAL_SEARCH = 64 };

bool gm_content_is_perpetual(gm_text *text, gm_term term)
{
    gm_term met[PERPETUAL_SEARCH] = {term};
    uint32_t count = 1;
    for (uint32_t at = 0; at < count; at++) {
        const gm_lengths *lengths;
        const gm_text_row *row = gm_text_row_of(text, met[at]);
        if (row == NULL || gm_text_lengths(text, met[at], &lengths, NULL) != GM_OK || lengths->greatest != UINT64_MAX)
            return false;
        for (uint32_t i = 0; i < 128 + row->range_count; i++) {
            const gm_term to = i < 128 ? row->ascii[i] : row->ranges[i - 128].to;
            uint32_t known = 0;
            while (known < count && met[known] != to)
                known++;
            if (to == GM_TERM_NONE || known < count)
                continue;
            if (count == PERPETUAL_SEARCH)
                return false;
            met[count++] = to;
        }
    }
    return true;
}
