/*
 * vocab/below.c - the tries once more, as walks want them.
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
    to->has_rests = to->has_rests || from->has_rests || (byte & 0xC0) == 0x80;
    if (from->height >= to->height)
        to->height = (uint8_t)(from->height < UINT8_MAX ? from->height + 1 : UINT8_MAX);
}

/* `order` has room for a number a node: where the nodes come from. */
static void fill(const gm_trie *trie, gm_branch *branches, uint32_t *firsts, uint8_t *bytes, uint8_t *leaves,
                 uint32_t *order)
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
        firsts[i] = branch->first;
        bytes[i] = trie->byte[node];
        leaves[i] = trie->end[node] == node + 1;
        for (uint32_t child = node + 1; child < trie->end[node]; child = trie->end[child])
            order[count++] = child;
        branch->child_count = (uint16_t)(count - branch->children);
    }
    for (uint32_t i = count; i-- > 0;)
        for (uint32_t j = 0; j < branches[i].child_count; j++)
            add_child(&branches[i], &branches[branches[i].children + j], bytes[branches[i].children + j]);
}

bool gm_trie_make_branches(gm_trie *trie, void *block, const gm_allocator *allocator)
{
    const size_t count = trie->node_count;
    gm_branch *branches = block;
    uint32_t *firsts = (uint32_t *)(branches + count);
    uint8_t *bytes = (uint8_t *)(firsts + count), *leaves = bytes + count;
    uint32_t *order = gm_allocate(allocator, count, sizeof *order);
    if (order == NULL)
        return false;
    memset(branches, 0, count * sizeof *branches);
    fill(trie, branches, firsts, bytes, leaves, order);
    gm_deallocate(allocator, order, count, sizeof *order);
    trie->branches = branches;
    trie->firsts = firsts;
    trie->bytes = bytes;
    trie->leaves = leaves;
    return true;
}

static size_t block_count(const gm_vocab *vocab)
{
    return (size_t)vocab->tables.all.node_count + vocab->tables.quotes.node_count + 1;
}

gm_status gm_vocab_make_below(gm_vocab *vocab)
{
    const gm_allocator *allocator = &vocab->allocator;
    gm_vocab_tables *tables = &vocab->tables;
    vocab->below = gm_allocate(allocator, block_count(vocab), GM_BRANCH_SIZE);
    if (vocab->below == NULL)
        return GM_OUT_OF_MEMORY;
    const size_t all = ((size_t)tables->all.node_count * GM_BRANCH_SIZE + 15) & ~(size_t)15; /* less than a node more */
    if (gm_trie_make_branches(&tables->all, vocab->below, allocator) &&
        gm_trie_make_branches(&tables->quotes, (char *)vocab->below + all, allocator)) {
        vocab->facts.memory += block_count(vocab) * GM_BRANCH_SIZE;
        return GM_OK;
    }
    gm_vocab_drop_below(vocab);
    return GM_OUT_OF_MEMORY;
}

void gm_vocab_drop_below(gm_vocab *vocab)
{
    gm_deallocate(&vocab->allocator, vocab->below, block_count(vocab), GM_BRANCH_SIZE);
    vocab->below = NULL;
}
