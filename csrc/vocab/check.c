/*
 * vocab/check.c - is a block what it says it is?
 *
 * gm_vocab_check_block answers for a file, before use, in one pass over it: afterwards no reader can
 * leave a section, loop, or go deeper than max_token_length, even if somebody computed a checksum over
 * nonsense. gm_vocab_check answers for the tests and compares everything with the texts.
 */
#include "vocab/block.h"

typedef struct checker {
    const gm_vocab *vocab;
    gm_error *error;
    uint32_t *left; /* mask of maskable tokens not yet met, mask_words */
} checker;

static gm_status wrong(const checker *c, int section, uint64_t at, const char *what)
{
    return gm_fail_at(c->error, GM_INVALID_FILE, c->vocab->header->section[section].offset + at, "%s", what);
}

/* ---- starts, flags, stop, maskable ---- */

static gm_status check_tokens(const checker *c)
{
    const gm_vocab *v = c->vocab;
    const uint32_t count = v->facts.token_count;
    if (v->starts[0] != 0 || v->starts[count] != v->header->text_size)
        return wrong(c, GM_SECTION_STARTS, 0, "starts: do not span the text");
    for (uint32_t id = 0; id < count; id++)
        if (v->starts[id] > v->starts[id + 1])
            return wrong(c, GM_SECTION_STARTS, 4 * (uint64_t)id, "starts: decreasing");
    for (uint32_t id = 0; id < count; id++) {
        const uint32_t length = v->starts[id + 1] - v->starts[id];
        if (v->flags[id] == 0)
            continue;
        if (v->flags[id] >= 2 * GM_TOKEN_CONTINUATION)
            return wrong(c, GM_SECTION_FLAGS, id, "flags: unknown kind");
        if (v->flags[id] & GM_TOKEN_TEXTLESS ? length != 0 : v->flags[id] & GM_TOKEN_BYTE && length != 1)
            return wrong(c, GM_SECTION_FLAGS, id, "flags: do not fit the length of the text");
    }
    return GM_OK;
}

static gm_status check_stop(const checker *c)
{
    const gm_vocab_facts *facts = &c->vocab->facts;
    for (uint32_t i = 0; i < facts->stop_count; i++)
        if (facts->stop[i] >= facts->logit_width || (i > 0 && facts->stop[i - 1] >= facts->stop[i]))
            return wrong(c, GM_SECTION_STOP, 4 * (uint64_t)i, "stop: out of range or not ascending");
    return GM_OK;
}

static uint32_t maskable_word(const gm_vocab *v, uint32_t word)
{
    const uint32_t first = word * 32, count = v->facts.token_count;
    const uint32_t here = first >= count ? 0 : count - first < 32 ? count - first : 32;
    uint32_t bits = 0;
    for (uint32_t bit = 0; bit < here; bit++) {
        const uint32_t start = v->starts[first + bit], length = v->starts[first + bit + 1] - start;
        const uint32_t flags = v->flags[first + bit];
        bool may = length != 0; /* what has no text has no length */
        if (GM_UNLIKELY(flags & GM_TOKEN_ADDED))
            may = gm_vocab_may_mask(flags, v->text + start, length, v->facts.allow_added);
        bits |= (uint32_t)may << bit;
    }
    return bits;
}

static gm_status check_maskable(const checker *c)
{
    for (uint32_t word = 0; word < c->vocab->facts.mask_words; word++) {
        if (c->vocab->tables.maskable[word] != maskable_word(c->vocab, word))
            return wrong(c, GM_SECTION_MASKABLE, 4 * (uint64_t)word, "maskable: does not follow from the flags");
        c->left[word] = c->vocab->tables.maskable[word];
    }
    return GM_OK;
}

/* ---- tries ---- */

/* The list of tokens: each is maskable and met once. */
static gm_status check_listed(const checker *c, int base, const gm_trie *trie)
{
    const uint32_t *tokens = trie->tokens;
    const uint32_t count = trie->token_count, limit = c->vocab->facts.token_count;
    uint32_t *left = c->left;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = tokens[i], bit = 1u << id % 32;
        if (id >= limit || !(left[id / 32] & bit))
            return wrong(c, base + GM_TRIE_TOKENS, 4 * (uint64_t)i, "trie: not a maskable token, or met twice");
        left[id / 32] ^= bit;
    }
    return GM_OK;
}

/* The runs of tokens: none decreases, and each leaf has some. */
static gm_status check_first(const checker *c, int base, const gm_trie *trie)
{
    const uint32_t *first = trie->first_token;
    const uint32_t count = trie->node_count;
    if (first[0] != 0 || first[1] != 0 || first[count] != trie->token_count)
        return wrong(c, base + GM_TRIE_FIRST, 0, "trie: first tokens do not span the list");
    for (uint32_t node = 1; node < count; node++)
        if (first[node + 1] < (uint64_t)first[node] + (trie->end[node] == node + 1)) /* which may be 2^32 */
            return wrong(c, base + GM_TRIE_FIRST, 4 * (uint64_t)node, "trie: first tokens decrease, or an empty leaf");
    return GM_OK;
}

/*
 * The tree. A sequence of depths that begins with 0 and goes on with 1 or more, never more than one
 * deeper than the last, is the preorder of exactly one tree, and there the subtree of node i ends at
 * the first later node that is not deeper. An `end` that leads to a node not deeper is that or beyond.
 * Beyond would show in the sum: the sizes of all subtrees count each node once for itself and once for
 * each node above it. So all is known from neighbours and one sum, and nothing is walked.
 *
 * Whether a node differs from that is worked out without a branch: leaves and siblings come as they
 * like, and a wrong guess at each costs more than all the rest.
 */
static inline bool node_is_wrong(const gm_trie *trie, uint32_t node, uint32_t limit)
{
    const uint32_t depth = trie->depth[node], end = trie->end[node];
    const uint32_t after = end < trie->node_count ? end : 0; /* the root is above all and nobody's sibling */
    /* What comes after a subtree is less deep, or a sibling of a greater byte: one comparison for both. */
    const uint64_t here = (uint64_t)depth << 8 | (0xFFu - trie->byte[node]);
    const uint64_t there = (uint64_t)trie->depth[after] << 8 | (0xFFu - trie->byte[after]);
    return (depth - 1 > trie->depth[node - 1]) | (depth > limit) | (end <= node) | (end > trie->node_count) |
           (there >= here);
}

static gm_status check_tree(const checker *c, int base, const gm_trie *trie, uint32_t *deepest)
{
    const uint32_t count = trie->node_count, limit = c->vocab->tables.max_token_length;
    uint64_t sizes = trie->end[0], depths = 1;
    uint32_t most = 0;
    bool bad = trie->end[0] != count || trie->byte[0] != 0 || trie->depth[0] != 0;
    for (uint32_t node = 1; node < count; node++) {
        const uint32_t depth = trie->depth[node];
        bad |= node_is_wrong(trie, node, limit);
        sizes += trie->end[node] - node;
        depths += (uint64_t)depth + 1;
        most = depth > most ? depth : most;
    }
    *deepest = most;
    if (!bad && sizes == depths)
        return GM_OK;
    uint32_t node = 1;
    while (node < count && !node_is_wrong(trie, node, limit))
        node++;
    return wrong(c, base + GM_TRIE_END, 4 * (uint64_t)(node < count ? node : 0),
                 "trie: end, depth and byte of a node do not make a tree");
}

static gm_status check_trie(const checker *c, int which, const gm_trie *trie, uint32_t *deepest)
{
    const int base = GM_SECTION_TRIES + which * GM_TRIE_SECTIONS;
    GM_TRY(check_listed(c, base, trie));
    GM_TRY(check_first(c, base, trie));
    return check_tree(c, base, trie, deepest);
}

static gm_status check_missing(const checker *c)
{
    const uint8_t *byte = c->vocab->tables.all.byte;
    const uint32_t count = c->vocab->tables.all.node_count;
    uint8_t present[256] = {0};
    for (uint32_t node = 1; node < count; node++)
        present[byte[node]] = 1;
    for (int value = 0; value < 256; value++)
        if ((c->vocab->tables.missing_bytes[value / 64] >> value % 64 & 1) == present[value])
            return gm_fail(c->error, GM_INVALID_FILE, "", "", "header: wrong set of missing bytes");
    return GM_OK;
}

static gm_status check_tries(const checker *c)
{
    const gm_vocab *v = c->vocab;
    uint32_t deepest;
    GM_TRY(check_trie(c, GM_TRIE_ALL, &v->tables.all, &deepest));
    if (deepest != v->tables.max_token_length)
        return gm_fail(c->error, GM_INVALID_FILE, "", "", "header: wrong length of the longest token");
    for (uint32_t word = 0; word < v->facts.mask_words; word++) {
        if (c->left[word] != 0)
            return wrong(c, GM_SECTION_TRIES + GM_TRIE_TOKENS, 0, "trie: a maskable token is missing");
        c->left[word] = v->tables.maskable[word];
    }
    GM_TRY(check_trie(c, GM_TRIE_QUOTES, &v->tables.quotes, &deepest));
    return check_missing(c);
}

static gm_status check_all(const checker *c)
{
    GM_TRY(check_tokens(c));
    GM_TRY(check_stop(c));
    GM_TRY(check_maskable(c));
    return check_tries(c);
}

gm_status gm_vocab_check_block(const gm_vocab *vocab, gm_error *error)
{
    const gm_allocator *allocator = &vocab->allocator;
    const size_t words = vocab->facts.mask_words;
    checker c = {.vocab = vocab, .error = error, .left = gm_allocate(allocator, words, sizeof *c.left)};
    const gm_status status = c.left != NULL ? check_all(&c) : gm_no_memory(error);
    gm_deallocate(allocator, c.left, words, sizeof *c.left);
    return status;
}

/* ---- everything, for tests ---- */

static bool holds_quote(const uint8_t *text, size_t length) { return memchr(text, '"', length) != NULL; }

/* Finds the node of a text, or 0. */
static uint32_t find_node(const gm_trie *trie, const uint8_t *text, size_t length)
{
    uint32_t node = 0;
    for (size_t i = 0; i < length; i++) {
        const uint32_t end = trie->end[node];
        uint32_t child = node + 1;
        while (child < end && trie->byte[child] != text[i])
            child = trie->end[child];
        if (child >= end)
            return 0;
        node = child;
    }
    return node;
}

/* Whether the tokens of a text's node hold the id, in ascending order. */
static bool is_listed(const gm_trie *trie, const uint8_t *text, size_t length, uint32_t id)
{
    const uint32_t node = find_node(trie, text, length);
    bool found = false, ascending = node != 0;
    for (uint32_t i = trie->first_token[node]; i < trie->first_token[node + 1]; i++) {
        found |= trie->tokens[i] == id;
        ascending &= i == trie->first_token[node] || trie->tokens[i - 1] < trie->tokens[i];
    }
    return found && ascending;
}

/* Where a byte between two sections is not zero; the size of the block when all are. */
static uint64_t find_dirty_gap(const gm_vocab_header *header)
{
    const uint8_t *bytes = (const uint8_t *)header;
    uint64_t at = sizeof *header;
    for (int i = 0; i <= GM_SECTION_COUNT; i++) {
        const uint64_t next = i < GM_SECTION_COUNT ? header->section[i].offset : header->size;
        for (; at < next; at++)
            if (bytes[at] != 0)
                return at;
        at = i < GM_SECTION_COUNT ? next + header->section[i].size : next;
    }
    return at;
}

gm_status gm_vocab_check(const gm_vocab *vocab, gm_error *error)
{
    GM_TRY(gm_vocab_check_block(vocab, error));
    const gm_vocab_header *header = vocab->header;
    if (find_dirty_gap(header) != header->size)
        return gm_fail_at(error, GM_INVALID_FILE, find_dirty_gap(header), "a byte between sections is not zero");
    const uint32_t count = vocab->facts.token_count;
    if (header->digest != gm_vocab_compute_digest(vocab->starts, vocab->flags, vocab->text, count))
        return gm_fail(error, GM_INVALID_FILE, "", "", "header: wrong digest");
    if (header->checksum != gm_vocab_checksum(header, vocab->size))
        return gm_fail(error, GM_INVALID_FILE, "", "", "header: wrong checksum");
    for (uint32_t id = 0; id < count; id++) {
        size_t length;
        const uint8_t *text = gm_vocab_text(vocab, id, &length);
        const bool maskable = gm_vocab_is_maskable(&vocab->tables, id);
        const bool quoted = maskable && holds_quote(text, length);
        const gm_trie *all = &vocab->tables.all, *quotes = &vocab->tables.quotes;
        if (maskable && !is_listed(all, text, length, id))
            return gm_fail(error, GM_INVALID_FILE, "", "", "token %u is not where its text leads", id);
        if (quoted && !is_listed(quotes, text, length, id))
            return gm_fail(error, GM_INVALID_FILE, "", "", "token %u is not among those with a quote", id);
    }
    for (uint32_t i = 0; i < vocab->tables.quotes.token_count; i++) {
        size_t length;
        const uint8_t *text = gm_vocab_text(vocab, vocab->tables.quotes.tokens[i], &length);
        if (!holds_quote(text, length))
            return gm_fail(error, GM_INVALID_FILE, "", "", "a token without quote is among those with one");
    }
    return GM_OK;
}
