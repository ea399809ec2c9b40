/*
 * mask/content_set.c - the tokens all of whose bytes are in a set.
 *
 * A walk that asks nothing of a state: a subtree whose bytes are all in the set is a run, one that begins with another
 * byte is nothing. Bytes 0x80 to 0xBF follow what decides for them, and are in every set.
 */
#include "base/array.h"
#include "mask/content_state.h"

static gm_byte_set with_rests(const gm_below *set)
{
    return (gm_byte_set){{set->ascii[0], set->ascii[1], ~(uint64_t)0, set->lead}};
}

static bool label_is_within(const gm_trie *trie, const gm_branch *branch, const gm_byte_set *set)
{
    for (unsigned i = 0; i < branch->extra; i++)
        if (!gm_byte_set_has(set, trie->labels[branch->label + i]))
            return false;
    return true;
}

bool gm_content_walk_set(gm_content_walk *walk, const gm_below *bytes, uint32_t *longest)
{
    const gm_trie *trie = &gm_vocab_tables_of(walk->vocab)->all;
    const gm_byte_set set = with_rests(bytes);
    struct gm_content_level *level = walk->levels;
    walk->runs.count = 0;
    *longest = 0;
    *level = (struct gm_content_level){.next = trie->branches->children,
                                       .end = trie->branches->children + gm_child_count(trie->branches)};
    for (;;) {
        level->next = gm_next_child(&set, trie->bytes, level->next, level->end);
        if (level->next == level->end) {
            if (level == walk->levels)
                return true;
            level--;
            continue;
        }
        const uint32_t at = level->next++;
        const gm_branch *branch = &trie->branches[at];
        const bool whole = gm_below_is_within(&branch->below, bytes);
        walk->visited++;
        if (!whole && !label_is_within(trie, branch, &set))
            continue;
        if (!gm_content_add_run(walk, branch->first, whole ? branch->end : branch->own_end))
            return false;
        const uint32_t depth = level->depth + 1 + (whole ? branch->height : branch->extra);
        *longest = depth > *longest ? depth : *longest;
        if (!whole && branch->children != 0)
            *++level = (struct gm_content_level){
                .next = branch->children, .end = branch->children + gm_child_count(branch), .depth = depth};
    }
}
