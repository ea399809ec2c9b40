/*
 * vocab/trie.c - from sorted texts to the nodes of a trie.
 *
 * The texts below a node are a run of the sorted ones, so a node is made of a run: what the first and the last of it
 * have in common, all have, and is the node's label; those that end there are its own; the rest falls into runs by the
 * byte that they go on with, which are its children. Nodes are made in the order of a breadth-first walk, and no other
 * memory is needed.
 *
 * In that order a node lies after its parent: going from the last to the first, what is below a node is whole when its
 * parent asks for it.
 */
#include "base/pages.h"
#include "vocab/vocab.h"

/* ---- what is below ---- */

static void add_byte(gm_branch *to, uint8_t byte)
{
    if (byte < 0x80)
        to->below.ascii[byte / 64] |= (uint64_t)1 << byte % 64;
    else if (byte >= 0xC0)
        to->below.lead |= (uint64_t)1 << (byte - 0xC0);
    else
        to->has_rests = 1;
}

static void raise_to(gm_branch *to, unsigned height)
{
    if (height > to->height)
        to->height = (uint8_t)(height < UINT8_MAX ? height : UINT8_MAX);
}

/* Makes of a node whose sets are empty one that knows what is behind so many bytes of its label and the first. */
static void add_below(gm_branch *to, unsigned behind, const gm_branch *branches, const uint8_t *labels)
{
    const unsigned rest = to->extra - behind;
    raise_to(to, rest);
    for (unsigned i = behind; i < to->extra; i++)
        add_byte(to, labels[to->label + i]);
    for (uint32_t i = 0; i < gm_child_count(to); i++) {
        const gm_branch *child = &branches[to->children + i];
        to->below.ascii[0] |= child->below.ascii[0];
        to->below.ascii[1] |= child->below.ascii[1];
        to->below.lead |= child->below.lead;
        to->has_rests |= child->has_rests;
        add_byte(to, labels[child->label - 1]);
        raise_to(to, rest + 1 + child->height);
    }
}

gm_branch gm_trie_within_label(const gm_trie *trie, const gm_branch *branch, unsigned behind)
{
    gm_branch node = *branch;
    if (behind != 0) {
        node.below = (gm_below){{0, 0}, 0};
        node.height = node.has_rests = 0;
        add_below(&node, behind, trie->branches, trie->labels);
    }
    if (behind < branch->extra) {
        node.own_end = node.first;
        node.children = 1;
        node.last_child = 0;
    }
    return node;
}

/* ---- the nodes ---- */

/* Where the label of a run's node ends, that has `depth` bytes of the texts already. */
static uint32_t end_of_label(const gm_trie_text *first, const gm_trie_text *last, uint32_t depth)
{
    const uint32_t shorter = first->length < last->length ? first->length : last->length;
    const uint32_t most = shorter - depth < UINT8_MAX ? shorter : depth + UINT8_MAX;
    while (depth < most && first->text[depth] == last->text[depth] && first->text[depth - 1] != '"')
        depth++;
    return depth;
}

/* The end of the run of texts that begins at `at` and goes on with one byte: looks ever further, then between. */
static uint32_t end_of_run(const gm_trie_text *texts, uint32_t at, uint32_t end, uint32_t depth)
{
    const uint8_t byte = texts[at].text[depth];
    uint32_t stride = 1, low = at;
    while (stride < end - low && texts[low + stride].text[depth] == byte) {
        low += stride;
        stride *= 2;
    }
    uint32_t high = stride < end - low ? low + stride : end;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (texts[middle].text[depth] == byte)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The end of a node's own texts. */
static uint32_t end_of_own(const gm_trie_plan *plan, const gm_planned *node)
{
    uint32_t end = node->first;
    if (end == node->end)
        return end;
    const uint32_t depth = (uint32_t)(plan->labels + node->label + node->extra - plan->texts[end].text);
    while (end < node->end && plan->texts[end].length == depth)
        end++;
    return end;
}

static bool add_children(gm_trie_plan *plan, const gm_planned node, const gm_allocator *allocator)
{
    const gm_trie_text *texts = plan->texts;
    const uint32_t depth = (uint32_t)(plan->labels + node.label + node.extra - texts[node.first].text);
    for (uint32_t at = end_of_own(plan, &node), end; at < node.end; at = end) {
        end = end_of_run(texts, at, node.end, depth);
        const uint32_t extra = end_of_label(&texts[at], &texts[end - 1], depth + 1) - depth - 1;
        const uint32_t label = (uint32_t)(texts[at].text + depth + 1 - plan->labels);
        if (!GM_ARRAY_PUSH(allocator, &plan->nodes, ((gm_planned){at, end, label, (uint8_t)extra})))
            return false;
    }
    return true;
}

bool gm_trie_plan_init(gm_trie_plan *plan, const gm_trie_text *texts, uint32_t count, const uint8_t *labels,
                       const gm_allocator *allocator)
{
    *plan = (gm_trie_plan){.texts = texts, .text_count = count, .labels = labels};
    const gm_planned root = {0, count, count != 0 ? (uint32_t)(texts[0].text - labels) : 0, 0};
    bool room = GM_ARRAY_RESERVE(allocator, &plan->nodes, (size_t)count + 1); /* about so many */
    gm_pages_give(plan->nodes.items, plan->nodes.capacity * sizeof root);
    room = room && GM_ARRAY_PUSH(allocator, &plan->nodes, root);
    for (size_t i = 0; i < plan->nodes.count && count != 0 && room; i++)
        room = plan->nodes.count < UINT32_MAX - UINT8_MAX && add_children(plan, plan->nodes.items[i], allocator);
    if (!room)
        gm_trie_plan_destroy(plan, allocator);
    return room;
}

void gm_trie_plan_destroy(gm_trie_plan *plan, const gm_allocator *allocator) { GM_ARRAY_FREE(allocator, &plan->nodes); }

void gm_trie_plan_write(const gm_trie_plan *plan, gm_branch *branches, uint32_t *firsts, uint8_t *bytes,
                        uint8_t *leaves, uint32_t *tokens)
{
    const gm_planned *nodes = plan->nodes.items;
    const size_t count = plan->nodes.count;
    uint32_t next = 1; /* the first node that nothing led to */
    for (size_t i = 0; i < count; i++) {
        const uint32_t own_end = end_of_own(plan, &nodes[i]), children = next;
        for (uint32_t at = own_end; at < nodes[i].end; next++)
            at = nodes[next].end;
        branches[i] = (gm_branch){.first = nodes[i].first,
                                  .own_end = own_end,
                                  .end = nodes[i].end,
                                  .children = next != children ? children : 0,
                                  .last_child = (uint8_t)(next != children ? next - children - 1 : 0),
                                  .label = nodes[i].label,
                                  .extra = nodes[i].extra};
        firsts[i] = nodes[i].first;
        bytes[i] = i != 0 ? plan->labels[nodes[i].label - 1] : 0;
        leaves[i] = nodes[i].extra == 0 && nodes[i].end == own_end;
    }
    for (size_t i = count; i-- > 0;)
        add_below(&branches[i], 0, branches, plan->labels);
    for (uint32_t i = 0; i < plan->text_count; i++)
        tokens[i] = plan->texts[i].token;
}
