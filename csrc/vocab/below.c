/*
 * vocab/below.c - the trie of all tokens once more, as a walk by whole subtrees wants it; the root's
 * children by byte.
 *
 * Nodes lie in the order of a breadth-first walk, so children lie side by side, and a node after its
 * parent: going from the last to the first, what is below a node is whole when its parent asks for it.
 * Some ten nanoseconds a node: made whenever a vocabulary is made or mapped, and not saved.
 */
#include "vocab/block.h"

static void add_child(gm_branch *to, const gm_branch *from, uint8_t byte)
{
    to->below.ascii[0] |= from->below.ascii[0];
    to->below.ascii[1] |= from->below.ascii[1];
    to->below.lead |= from->below.lead;
    if (byte < 0x80)
        to->below.ascii[byte / 64] |= (uint64_t)1 << byte % 64;
    else if (byte >= 0xC0)
        to->below.lead |= (uint64_t)1 << (byte - 0xC0);
    if (from->height >= to->height)
        to->height = (uint8_t)(from->height < UINT8_MAX ? from->height + 1 : UINT8_MAX);
}

/* `order` has room for a number a node: where the nodes come from. */
static void fill(const gm_trie *trie, gm_branch *branches, uint8_t *bytes, uint32_t *order)
{
    uint32_t count = 1;
    order[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = order[i];
        gm_branch *branch = &branches[i];
        branch->first = trie->first_token[node];
        branch->own_end = trie->first_token[node + 1];
        branch->end = trie->first_token[trie->end[node]];
        branch->children = count;
        bytes[i] = trie->byte[node];
        for (uint32_t child = node + 1; child < trie->end[node]; child = trie->end[child])
            order[count++] = child;
        branch->child_count = (uint16_t)(count - branch->children);
    }
    for (uint32_t i = count; i-- > 0;)
        for (uint32_t j = 0; j < branches[i].child_count; j++)
            add_child(&branches[i], &branches[branches[i].children + j], bytes[branches[i].children + j]);
}

static void fill_children(gm_trie *trie, uint32_t *children)
{
    memset(children, 0, 256 * sizeof *children);
    for (uint32_t node = 1; node < trie->node_count; node = trie->end[node])
        children[trie->byte[node]] = node;
    trie->children = children;
}

enum { NODE_SIZE = sizeof(gm_branch) + 1 }; /* all branches, then all bytes */

gm_status gm_vocab_make_below(gm_vocab *vocab)
{
    const size_t count = vocab->tables.all.node_count;
    gm_branch *branches = gm_allocate_zeroed(&vocab->allocator, count, NODE_SIZE);
    uint32_t *order = gm_allocate(&vocab->allocator, count, sizeof *order);
    if (branches != NULL && order != NULL) {
        uint8_t *bytes = (uint8_t *)(branches + count);
        fill(&vocab->tables.all, branches, bytes, order);
        fill_children(&vocab->tables.all, vocab->children[GM_TRIE_ALL]);
        fill_children(&vocab->tables.quotes, vocab->children[GM_TRIE_QUOTES]);
        vocab->tables.branches = branches;
        vocab->tables.bytes = bytes;
        vocab->facts.memory += count * NODE_SIZE;
    }
    gm_deallocate(&vocab->allocator, order, count, sizeof *order);
    if (vocab->tables.branches != NULL)
        return GM_OK;
    gm_deallocate(&vocab->allocator, branches, count, NODE_SIZE);
    return GM_OUT_OF_MEMORY;
}

void gm_vocab_drop_below(gm_vocab *vocab)
{
    gm_deallocate(&vocab->allocator, (void *)(uintptr_t)vocab->tables.branches, vocab->tables.all.node_count,
                  NODE_SIZE);
    vocab->tables.branches = NULL;
    vocab->tables.bytes = NULL;
}
