/* mask/walk.c - see walk.h. */
#include "mask/walk.h"

struct gm_walk_level {
    gm_config config;   /* after the node's byte */
    gm_arena_mark mark; /* of the journal then */
    uint32_t end;       /* of the node's subtree */
};

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

static gm_status walk_trie(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                           const gm_config *from, visit see, void *context)
{
    if (!make_room(walk, (size_t)max_depth + 1))
        return GM_OUT_OF_MEMORY;
    const gm_arena_mark start = gm_arena_save(journal);
    struct gm_walk_level *level = walk->levels;
    *level = (struct gm_walk_level){*from, start, trie->node_count};
    gm_status status = GM_OK;
    uint64_t visited = 0;
    for (uint32_t node = 1; node < trie->node_count; visited++) {
        while (node >= level->end)
            level--;
        gm_arena_rewind(journal, level->mark);
        if (visited >= walk->budget) {
            status = GM_LIMIT;
            break;
        }
        status = gm_machine_step(machine, journal, &level->config, trie->byte[node], &level[1].config);
        if (status == GM_REJECTED) {
            status = GM_OK;
            node = trie->end[node];
            continue;
        }
        if (status != GM_OK)
            break;
        if (trie->first_token[node] != trie->first_token[node + 1] && !see(context, trie, node))
            break;
        level++;
        GM_ASSERT(level <= walk->levels + max_depth);
        level->mark = gm_arena_save(journal);
        level->end = trie->end[node];
        node++;
    }
    gm_arena_rewind(journal, start);
    walk->visited += visited;
    return status;
}

static bool set_bits(void *context, const gm_trie *trie, uint32_t node)
{
    uint32_t *words = context;
    for (uint32_t i = trie->first_token[node]; i < trie->first_token[node + 1]; i++)
        words[trie->tokens[i] / 32] |= 1u << trie->tokens[i] % 32;
    return true;
}

gm_status gm_walk_mask(gm_walk *walk, gm_machine *machine, gm_arena *journal, const gm_trie *trie, uint32_t max_depth,
                       const gm_config *from, uint32_t *words)
{
    return walk_trie(walk, machine, journal, trie, max_depth, from, set_bits, words);
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
    const gm_status status = walk_trie(walk, machine, journal, trie, max_depth, from, is_other, &s);
    *any = s.found;
    return status;
}
