/* mask/walk.c - see walk.h. */
#include "mask/walk.h"

struct gm_walk_level {
    gm_config config;   /* after the node's byte */
    gm_arena_mark mark; /* of the journal then */
    uint32_t end;       /* of the node's subtree */
    bool is_sifted;     /* bytes outside `first` are not tried */
    gm_first first;
};

enum { MANY_NODES = 24 }; /* below a node: so many are worth finding the bytes that may come next */

void gm_walk_init(gm_walk *walk, const gm_allocator *allocator, uint64_t budget)
{
    *walk = (gm_walk){.allocator = *allocator, .budget = budget};
}

void gm_walk_destroy(gm_walk *walk)
{
    gm_deallocate(&walk->allocator, walk->levels, walk->capacity, sizeof *walk->levels);
    walk->levels = NULL;
    walk->capacity = 0;
}

size_t gm_walk_memory(const gm_walk *walk) { return walk->capacity * sizeof *walk->levels; }

static bool make_room(gm_walk *walk, size_t levels)
{
    if (walk->capacity >= levels)
        return true;
    gm_walk_destroy(walk);
    walk->levels = gm_allocate(&walk->allocator, levels, sizeof *walk->levels);
    walk->capacity = walk->levels != NULL ? levels : 0;
    return walk->levels != NULL;
}

/* Calls for every accepted node that has tokens; the walk ends early when a call returns false. */
typedef bool (*visit)(void *context, const gm_trie *trie, uint32_t node);

typedef struct walking {
    gm_walk *walk;
    gm_machine *machine;
    gm_arena *journal;
    uint32_t max_depth;
    const gm_openings *openings;
    bool skip_blanks; /* at the root */
    bool takes_runs;  /* of tokens at once: the context is a mask */
    visit see;
    void *context;
    uint64_t visited;
    bool done; /* a call returned false */
} walking;

static void set_bit(uint32_t *words, uint32_t token) { words[token / 32] |= 1u << token % 32; }

static gm_status walk_nodes(walking *w, const gm_trie *trie, uint32_t node, uint32_t end, struct gm_walk_level *level);

/* ---- digits ---- */

enum { MANY_DIGITS = 8, MANY_STATES = 24 };

/* Whether a number half read goes on with any digits, up to so many. Follows each of its states once. */
static bool takes_digits(gm_machine *machine, const gm_lexical *lexical, uint32_t most)
{
    const gm_lexical *states[MANY_STATES] = {lexical};
    uint32_t count = 1;
    for (uint32_t depth = 0, begin = 0; depth < most && begin < count; depth++) {
        const uint32_t end = count;
        for (; begin < end; begin++)
            for (uint8_t digit = '0'; digit <= '9'; digit++) {
                bool failed, known = false;
                const gm_lexical *next = gm_lexical_digit(machine, states[begin], gm_number_class(digit), &failed);
                for (uint32_t i = 0; i < count && !known; i++)
                    known = states[i] == next;
                if (next == NULL || (!known && count == MANY_STATES))
                    return false;
                if (!known)
                    states[count++] = next;
            }
    }
    return true;
}

/* Whether nothing but digits is below a node, and all of them may follow: they are met by the thousand. */
static bool takes_all_below(gm_machine *machine, const gm_trie *trie, uint32_t node, const gm_config *config)
{
    uint32_t longest = 0;
    if (config->mode != GM_MODE_NUMBER || gm_config_may_repeat(config))
        return false;
    for (uint32_t i = node + 1; i < trie->end[node]; i++) {
        if (trie->byte[i] < '0' || trie->byte[i] > '9')
            return false;
        longest = trie->depth[i] > longest ? trie->depth[i] : longest;
    }
    return longest - trie->depth[node] <= MANY_DIGITS &&
           takes_digits(machine, config->as.text.lexical, longest - trie->depth[node]);
}

/* ---- the walk ---- */

/* Takes what is prepared behind a quote: `level` holds the configuration after it. The walk of the
 * tokens that close has levels of its own behind, and no openings: one level of recursion. */
static gm_status take_opening(walking *w, const gm_opening *opening, struct gm_walk_level *level)
{
    uint32_t *words = w->context;
    const gm_openings *openings = w->openings;
    for (uint32_t i = 0; i < opening->count; i++)
        set_bit(words, openings->ids[opening->first + i]);
    w->openings = NULL;
    level->mark = gm_arena_save(w->journal);
    level->end = opening->close.trie.node_count;
    level->is_sifted = false;
    const gm_status status = walk_nodes(w, &opening->close.trie, 1, level->end, level);
    w->openings = openings;
    return status;
}

/* Walks the nodes up to `end`, all below the one that `level` holds; behind it is room. */
static gm_status walk_nodes(walking *w, const gm_trie *trie, uint32_t node, uint32_t end, struct gm_walk_level *level)
{
    gm_status status = GM_OK;
    for (; node < end; w->visited++) {
        while (node >= level->end)
            level--;
        if (level->is_sifted && !gm_first_has(&level->first, trie->byte[node])) {
            node = trie->end[node];
            continue;
        }
        gm_arena_rewind(w->journal, level->mark);
        if (w->visited >= w->walk->budget)
            return GM_LIMIT;
        if (w->skip_blanks && level == w->walk->levels && gm_is_whitespace(trie->byte[node])) {
            node = trie->end[node];
            continue;
        }
        gm_reads_before(w->walk->reads, &level->config, trie->byte[node]);
        status = gm_machine_step(w->machine, w->journal, &level->config, trie->byte[node], &level[1].config);
        if (status == GM_REJECTED) {
            node = trie->end[node];
            continue;
        }
        if (status != GM_OK)
            return status;
        gm_reads_after(w->walk->reads, &level[1].config);
        if (trie->first_token[node] != trie->first_token[node + 1] && !w->see(w->context, trie, node)) {
            w->done = true;
            return GM_OK;
        }
        if (w->takes_runs && trie->end[node] > node + 1 && takes_all_below(w->machine, trie, node, &level[1].config)) {
            for (uint32_t i = trie->first_token[node + 1]; i < trie->first_token[trie->end[node]]; i++)
                set_bit(w->context, trie->tokens[i]);
            node = trie->end[node];
            continue;
        }
        const gm_opening *opening = NULL;
        if (w->openings != NULL && trie->byte[node] == '"' && gm_openings_apply(&level[1].config, w->max_depth))
            opening = gm_openings_find(w->openings, node);
        if (opening != NULL) {
            GM_TRY(take_opening(w, opening, level + 1));
            node = trie->end[node];
            continue;
        }
        level++;
        level->mark = gm_arena_save(w->journal);
        level->end = trie->end[node];
        level->is_sifted = level->end - node > MANY_NODES;
        if (level->is_sifted)
            level->first = gm_first_bytes(&level->config);
        node++;
    }
    return GM_OK;
}

static uint32_t lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t at = 0;
    while (!(bits >> at & 1))
        at++;
    return at;
#endif
}

/* Walks a whole trie whose root's children are known by byte: below the root only what begins with a byte that may come
 * next. */
static gm_status walk_sifted(walking *w, const gm_trie *trie, struct gm_walk_level *root)
{
    const gm_first first = gm_first_bytes(&root->config);
    gm_status status = GM_OK;
    for (uint32_t word = 0; word < 4; word++)
        for (uint64_t bits = first.bytes[word]; bits != 0 && status == GM_OK && !w->done; bits &= bits - 1) {
            const uint32_t child = trie->children[word * 64 + lowest_bit(bits)];
            if (child != 0)
                status = walk_nodes(w, trie, child, trie->end[child], root);
        }
    return status;
}

/* The root's level; NULL when out of memory. */
static struct gm_walk_level *begin(walking *w, const gm_trie *trie, const gm_config *from)
{
    if (!make_room(w->walk, 2 * ((size_t)w->max_depth + 2)))
        return NULL;
    *w->walk->levels =
        (struct gm_walk_level){.config = *from, .mark = gm_arena_save(w->journal), .end = trie->node_count};
    return w->walk->levels;
}

static void end(walking *w)
{
    gm_arena_rewind(w->journal, w->walk->levels->mark);
    w->walk->visited += w->visited;
}

static gm_status run(walking *w, const gm_trie *trie, const gm_config *from)
{
    struct gm_walk_level *root = begin(w, trie, from);
    if (root == NULL)
        return GM_OUT_OF_MEMORY;
    const gm_status status =
        trie->children != NULL ? walk_sifted(w, trie, root) : walk_nodes(w, trie, 1, trie->node_count, root);
    end(w);
    return status;
}

static bool set_bits(void *context, const gm_trie *trie, uint32_t node)
{
    for (uint32_t i = trie->first_token[node]; i < trie->first_token[node + 1]; i++)
        set_bit(context, trie->tokens[i]);
    return true;
}

gm_status gm_walk_mask(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                       const gm_openings *openings, bool skip_blanks, const gm_config *from, uint32_t *words)
{
    walking w = {walk, machine, journal, max_depth, openings, skip_blanks, true, set_bits, words, 0, false};
    return run(&w, trie, from);
}

gm_status gm_walk_child(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                        uint8_t byte, const gm_config *from, uint32_t *words)
{
    walking w = {walk, machine, journal, max_depth, NULL, false, true, set_bits, words, 0, false};
    const uint32_t child = trie->children[byte];
    struct gm_walk_level *root = child != 0 ? begin(&w, trie, from) : NULL;
    if (root == NULL)
        return child != 0 ? GM_OUT_OF_MEMORY : GM_OK;
    const gm_status status = walk_nodes(&w, trie, child, trie->end[child], root);
    end(&w);
    return status;
}

typedef struct search {
    const uint32_t *except;
    size_t except_count;
    bool found;
} search;

static bool is_other(void *context, const gm_trie *trie, uint32_t node)
{
    search *s = context;
    for (uint32_t i = trie->first_token[node]; i < trie->first_token[node + 1] && !s->found; i++) {
        bool excepted = false;
        for (size_t j = 0; j < s->except_count && !excepted; j++)
            excepted = s->except[j] == trie->tokens[i];
        s->found = !excepted;
    }
    return !s->found;
}

gm_status gm_walk_any(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                      const gm_config *from, const uint32_t *except, size_t except_count, bool *any)
{
    search s = {except, except_count, false};
    walking w = {walk, machine, journal, max_depth, NULL, false, false, is_other, &s, 0, false};
    const gm_status status = run(&w, trie, from);
    *any = s.found;
    return status;
}
