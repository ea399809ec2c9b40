/*
 * vocab/below.c - which bytes occur below each node of the trie, and how deep; the root's children by byte.
 *
 * One pass over the nodes, from the last to the first: children come after their parent, so their
 * sets are whole when the parent asks for them. A few nanoseconds a node: made whenever a vocabulary is
 * made or mapped, and not saved.
 */
#include "vocab/block.h"

static void add_child(gm_below *to, const gm_below *from, uint8_t byte)
{
    to->ascii[0] |= from->ascii[0];
    to->ascii[1] |= from->ascii[1];
    to->lead |= from->lead;
    if (byte < 0x80)
        to->ascii[byte / 64] |= (uint64_t)1 << byte % 64;
    else if (byte >= 0xC0)
        to->lead |= (uint64_t)1 << (byte - 0xC0);
}

static void fill(const gm_trie *trie, gm_below *below, uint8_t *height)
{
    for (uint32_t node = trie->node_count; node-- > 0;)
        for (uint32_t child = node + 1; child < trie->end[node]; child = trie->end[child]) {
            add_child(&below[node], &below[child], trie->byte[child]);
            if (height[child] >= height[node])
                height[node] = (uint8_t)(height[child] < UINT8_MAX ? height[child] + 1 : UINT8_MAX);
        }
}

static void fill_children(gm_trie *trie, uint32_t *children)
{
    memset(children, 0, 256 * sizeof *children);
    for (uint32_t node = 1; node < trie->node_count; node = trie->end[node])
        children[trie->byte[node]] = node;
    trie->children = children;
}

enum { NODE_SIZE = sizeof(gm_below) + 1 }; /* all sets, then all heights */

gm_status gm_vocab_make_below(gm_vocab *vocab)
{
    const gm_trie *trie = &vocab->tables.all;
    gm_below *below = gm_allocate_zeroed(&vocab->allocator, trie->node_count, NODE_SIZE);
    if (below == NULL)
        return GM_OUT_OF_MEMORY;
    uint8_t *height = (uint8_t *)(below + trie->node_count);
    fill(trie, below, height);
    fill_children(&vocab->tables.all, vocab->children[GM_TRIE_ALL]);
    fill_children(&vocab->tables.quotes, vocab->children[GM_TRIE_QUOTES]);
    vocab->tables.below = below;
    vocab->tables.height = height;
    vocab->facts.memory += (size_t)trie->node_count * NODE_SIZE;
    return GM_OK;
}

void gm_vocab_drop_below(gm_vocab *vocab)
{
    gm_deallocate(&vocab->allocator, (void *)(uintptr_t)vocab->tables.below, vocab->tables.all.node_count, NODE_SIZE);
    vocab->tables.below = NULL;
    vocab->tables.height = NULL;
}
