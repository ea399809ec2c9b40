/*
 * vocab/trie.c - the preorder arrays of a trie, from sorted texts.
 *
 * Sorted texts meet the nodes in preorder: each text closes the nodes past what it shares with the
 * text before it, then opens one for each byte of the rest. The path of open nodes, at most as long
 * as the longest text, is all the state there is.
 */
#include "vocab/block.h"

uint32_t gm_trie_count_nodes(gm_texts texts, const gm_sorted *items, size_t count)
{
    uint64_t nodes = 1;
    for (size_t i = 0; i < count; i++)
        nodes += gm_text_length(texts, items[i].id) - items[i].shared;
    return nodes <= UINT32_MAX ? (uint32_t)nodes : 0;
}

void gm_trie_fill(gm_vocab_header *header, int which, gm_texts texts, const gm_sorted *items, uint32_t *path)
{
    const int base = GM_SECTION_TRIES + which * GM_TRIE_SECTIONS;
    uint8_t *byte = gm_vocab_section_of(header, base + GM_TRIE_BYTE);
    uint32_t *end = gm_vocab_section_of(header, base + GM_TRIE_END);
    uint32_t *first = gm_vocab_section_of(header, base + GM_TRIE_FIRST);
    uint32_t *tokens = gm_vocab_section_of(header, base + GM_TRIE_TOKENS);
    uint32_t *depths = gm_vocab_section_of(header, base + GM_TRIE_DEPTH);
    const uint32_t count = header->listed_count[which];

    uint32_t nodes = 1, depth = 0;
    path[0] = 0;
    byte[0] = 0;
    first[0] = 0;
    depths[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *text = texts.text + texts.starts[items[i].id];
        const uint32_t length = (uint32_t)gm_text_length(texts, items[i].id);
        for (; depth > items[i].shared; depth--)
            end[path[depth]] = nodes;
        for (; depth < length; nodes++) {
            byte[nodes] = text[depth];
            first[nodes] = i;
            depths[nodes] = ++depth;
            path[depth] = nodes;
        }
        tokens[i] = items[i].id;
    }
    for (; depth > 0; depth--)
        end[path[depth]] = nodes;
    end[0] = nodes;
    first[nodes] = count;
    GM_ASSERT(nodes == header->node_count[which]);
}
