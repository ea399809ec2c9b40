/*
 * vocab/check.c - is a block what it says it is?
 *
 * gm_vocab_check_block answers for a file, before use, in one pass over it: afterwards no reader can
 * leave a section, loop, or go deeper than max_token_length, even if somebody computed a checksum over
 * nonsense. gm_vocab_check answers for the tests and compares everything with what is made of the texts.
 */
#include "base/utf8.h"
#include "vocab/block.h"

typedef struct checker {
    const gm_vocab *vocab;
    gm_error *error;
    uint32_t *left;     /* mask of maskable tokens not yet met, mask_words */
    uint32_t *depths;   /* by node: length of its text, as many as the larger trie has */
    struct span *spans; /* by place in the list of a trie */
} checker;

typedef struct span { /* of a token's text */
    uint32_t start, length;
} span;

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
        if (c->vocab->tables.plain[word] & ~c->vocab->tables.maskable[word])
            return wrong(c, GM_SECTION_PLAIN, 4 * (uint64_t)word, "plain: a token that no mask may hold");
        c->left[word] = c->vocab->tables.maskable[word];
    }
    return GM_OK;
}

static gm_status check_heads(const checker *c)
{
    const gm_vocab *v = c->vocab;
    for (uint32_t id = 0; id < v->facts.token_count; id++) {
        const uint32_t length = v->starts[id + 1] - v->starts[id];
        const uint32_t wanted = length <= sizeof v->tables.heads->text ? length : GM_LONG_TEXT;
        const gm_token_head *head = &v->tables.heads[id];
        const bool is_maskable = gm_vocab_is_maskable(&v->tables, id);
        bool bad = head->length != (is_maskable ? wanted : 0) || head->letters > (wanted != GM_LONG_TEXT ? wanted : 0);
        for (uint32_t i = 0; i < head->letters && !bad; i++) /* who follows letters looks up each of them */
            bad = !gm_spells_itself(head->text[i]);
        if (bad)
            return wrong(c, GM_SECTION_HEADS, sizeof *head * (uint64_t)id, "heads: not those of the texts");
    }
    return GM_OK;
}

/* ---- tries ---- */

/* The list of tokens: each is maskable and met once. Fills their spans: nodes ask for those in order. */
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
        c->spans[i] = (span){c->vocab->starts[id], c->vocab->starts[id + 1] - c->vocab->starts[id]};
    }
    return GM_OK;
}

/*
 * Whether something is wrong with a node alone: its tokens are there and as long as its text, and so is its label, and
 * the tokens below are not shorter; then who looks behind that text stays in a token's. Worked out without a branch:
 * nodes come as they like, and a wrong guess at each costs more than all the rest. There are tokens.
 */
static inline bool node_is_wrong(const gm_trie *trie, uint32_t node, uint32_t depth, const span *spans, uint32_t limit)
{
    const gm_branch *branch = &trie->branches[node];
    const uint32_t first = branch->first, own_end = branch->own_end, end = branch->end, count = trie->token_count;
    const span text = spans[first < count ? first : 0];
    const uint32_t least = first != own_end ? text.length : depth; /* own tokens are no longer, others no shorter */
    return (first > own_end) | (own_end > end) | (end > count) | (first >= end) | (trie->firsts[node] != first) |
           (trie->leaves[node] != ((branch->extra == 0) & (own_end == end))) | (least != depth) |
           (text.length < depth) | (branch->label != text.start + depth - branch->extra) | (depth > limit);
}

/* Whether the tokens of a node but the first have its text's length too. */
static bool twins_are_sound(const checker *c, const gm_trie *trie, uint32_t node)
{
    bool sound = true;
    for (uint32_t i = trie->branches[node].first + 1; i < trie->branches[node].own_end; i++)
        sound = sound && c->spans[i].length == c->depths[node];
    return sound;
}

/* Whether the children of a node share out the tokens behind its own, each beginning with a greater byte than the one
 * before. Fills their depths. */
static inline bool children_are_sound(const gm_trie *trie, const gm_branch *branch, uint32_t depth, uint32_t *depths)
{
    const gm_branch *branches = trie->branches;
    const uint8_t *bytes = trie->bytes;
    const uint32_t begin = branch->children, end = begin + branch->last_child + 1u;
    uint32_t first = branch->own_end;
    int last = -1;
    bool bad = false;
    for (uint32_t child = begin; child < end; child++) {
        bad |= (branches[child].first != first) | (bytes[child] <= last);
        depths[child] = depth + 1 + branches[child].extra;
        bad |= depths[child] <= depth; /* past 2^32 */
        first = branches[child].end;
        last = bytes[child];
    }
    return !bad && first == branch->end;
}

/* The tree. Nodes are in the order of a breadth-first walk, so the children of each are those not yet met. What bytes
 * are where (in heads, on labels, below nodes, missing) is under the checksum alone: nothing out of bounds follows from
 * that. */
static gm_status check_tree(const checker *c, int base, const gm_trie *trie)
{
    const gm_branch *root = trie->branches;
    uint32_t met = 1, node = 0;
    c->depths[0] = 0;
    bool sound = trie->bytes[0] == 0 && root->extra == 0 && root->first == 0 && root->own_end == 0 &&
                 root->end == trie->token_count && trie->firsts[0] == 0;
    if (trie->token_count == 0)
        sound = sound && trie->node_count == 1 && root->children == 0;
    uint32_t *const depths = c->depths;
    const span *const spans = c->spans;
    const uint32_t limit = c->vocab->tables.max_token_length, nodes = trie->token_count != 0 ? trie->node_count : 0;
    for (; node < nodes && sound; node++) {
        const gm_branch *branch = &trie->branches[node];
        sound = node < met && !node_is_wrong(trie, node, depths[node], spans, limit);
        if (sound && branch->own_end - branch->first > 1)
            sound = twins_are_sound(c, trie, node);
        if (branch->children == 0) {
            sound = sound && branch->own_end == branch->end;
            continue;
        }
        sound = sound && branch->children == met && branch->last_child < trie->node_count - met &&
                children_are_sound(trie, branch, depths[node], depths);
        met += branch->last_child + 1u;
    }
    if (sound && met == trie->node_count)
        return GM_OK;
    return wrong(c, base + GM_TRIE_BRANCHES, sizeof *root * (uint64_t)(node != 0 ? node - 1 : 0),
                 "trie: a node is out of place");
}

static gm_status check_trie(const checker *c, int which, const gm_trie *trie)
{
    const int base = GM_SECTION_TRIES + which * GM_TRIE_SECTIONS;
    GM_TRY(check_listed(c, base, trie));
    return check_tree(c, base, trie);
}

static gm_status check_facts(const checker *c)
{
    const gm_vocab *v = c->vocab;
    const gm_trie *trie = &v->tables.all;
    uint32_t longest = 0;
    for (uint32_t node = 0; node < trie->node_count; node++)
        longest = c->depths[node] > longest ? c->depths[node] : longest;
    if (longest != v->tables.max_token_length)
        return gm_fail(c->error, GM_INVALID_FILE, "", "", "header: wrong length of the longest token");
    return GM_OK;
}

static gm_status check_tries(const checker *c)
{
    const gm_vocab *v = c->vocab;
    GM_TRY(check_trie(c, GM_TRIE_ALL, &v->tables.all));
    GM_TRY(check_facts(c));
    for (uint32_t word = 0; word < v->facts.mask_words; word++) {
        if (c->left[word] != 0)
            return wrong(c, GM_SECTION_TRIES + GM_TRIE_TOKENS, 0, "trie: a maskable token is missing");
        c->left[word] = v->tables.maskable[word];
    }
    return check_trie(c, GM_TRIE_QUOTES, &v->tables.quotes);
}

static gm_status check_all(const checker *c)
{
    GM_TRY(check_tokens(c));
    GM_TRY(check_stop(c));
    GM_TRY(check_maskable(c));
    GM_TRY(check_heads(c));
    return check_tries(c);
}

gm_status gm_vocab_check_block(const gm_vocab *vocab, gm_error *error)
{
    const gm_allocator *allocator = &vocab->allocator;
    const size_t words = vocab->facts.mask_words;
    const uint32_t all = vocab->tables.all.node_count, quotes = vocab->tables.quotes.node_count;
    const size_t nodes = all > quotes ? all : quotes, tokens = vocab->facts.token_count;
    checker c = {.vocab = vocab,
                 .error = error,
                 .left = gm_allocate(allocator, words, sizeof *c.left),
                 .depths = gm_allocate(allocator, nodes, sizeof *c.depths),
                 .spans = gm_allocate(allocator, tokens, sizeof *c.spans)};
    const bool room = c.left != NULL && c.depths != NULL && c.spans != NULL;
    const gm_status status = room ? check_all(&c) : gm_no_memory(error);
    gm_deallocate(allocator, c.left, words, sizeof *c.left);
    gm_deallocate(allocator, c.depths, nodes, sizeof *c.depths);
    gm_deallocate(allocator, c.spans, tokens, sizeof *c.spans);
    return status;
}

/* ---- everything, for tests ---- */

static bool holds_quote(gm_trie_text text) { return memchr(text.text, '"', text.length) != NULL; }

/* Whether texts are in the order of a trie. */
static bool are_sorted(const gm_trie_text *texts, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const gm_trie_text *a = &texts[i - 1], *b = &texts[i];
        const int order = gm_bytes_compare((gm_bytes){(const char *)a->text, a->length},
                                           (gm_bytes){(const char *)b->text, b->length});
        if (order > 0 || (order == 0 && a->token >= b->token))
            return false;
    }
    return true;
}

/* Whether a trie is the one that is made of the texts of its tokens. */
static bool is_made_of(const gm_vocab *vocab, const gm_trie *trie, const gm_trie_text *texts, bool *room)
{
    const size_t count = trie->node_count;
    gm_trie_plan plan;
    if (!are_sorted(texts, trie->token_count))
        return false;
    if (!gm_trie_plan_init(&plan, texts, trie->token_count, vocab->text, &vocab->allocator)) {
        *room = false;
        return false;
    }
    const size_t made = plan.nodes.count;
    bool same = made == count;
    gm_branch *branches = gm_allocate(&vocab->allocator, made, sizeof *branches);
    uint32_t *numbers = gm_allocate(&vocab->allocator, made + plan.text_count, sizeof *numbers);
    uint8_t *bytes = gm_allocate(&vocab->allocator, made, 2);
    *room = branches != NULL && numbers != NULL && bytes != NULL;
    if (*room) {
        gm_trie_plan_write(&plan, branches, numbers, bytes, bytes + made, numbers + made);
        same = same && memcmp(branches, trie->branches, count * sizeof *branches) == 0 &&
               memcmp(numbers, trie->firsts, count * sizeof *numbers) == 0 && memcmp(bytes, trie->bytes, count) == 0 &&
               memcmp(bytes + made, trie->leaves, count) == 0;
    }
    gm_deallocate(&vocab->allocator, branches, made, sizeof *branches);
    gm_deallocate(&vocab->allocator, numbers, made + plan.text_count, sizeof *numbers);
    gm_deallocate(&vocab->allocator, bytes, made, 2);
    gm_trie_plan_destroy(&plan, &vocab->allocator);
    return same && *room;
}

/* Compares a trie with the texts; each token is in the one of all, as gm_vocab_check_block knows. */
static gm_status compare_trie(const gm_vocab *vocab, const gm_trie *trie, bool quotes, gm_error *error)
{
    gm_trie_text *texts = gm_allocate(&vocab->allocator, (size_t)trie->token_count + 1, sizeof *texts);
    if (texts == NULL)
        return gm_no_memory(error);
    bool same = true, room = true;
    for (uint32_t i = 0; i < trie->token_count; i++) {
        const uint32_t id = trie->tokens[i], start = vocab->starts[id];
        texts[i] = (gm_trie_text){vocab->text + start, vocab->starts[id + 1] - start, id};
        same = same && (!quotes || holds_quote(texts[i]));
    }
    same = same && is_made_of(vocab, trie, texts, &room);
    gm_deallocate(&vocab->allocator, texts, (size_t)trie->token_count + 1, sizeof *texts);
    if (!room)
        return gm_no_memory(error);
    return same ? GM_OK : gm_fail(error, GM_INVALID_FILE, "", "", "a trie is not that of its texts");
}

static gm_status compare_facts(const gm_vocab *vocab, gm_error *error)
{
    uint64_t missing[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint32_t quoted = 0;
    for (uint32_t id = 0; id < vocab->facts.token_count; id++) {
        const bool maskable = gm_vocab_is_maskable(&vocab->tables, id);
        const uint32_t start = vocab->starts[id];
        const gm_trie_text text = (gm_trie_text){vocab->text + start, vocab->starts[id + 1] - start, id};
        const gm_token_head head = gm_vocab_head_of(text.text, text.length, maskable);
        const bool plain = vocab->tables.plain[id / 32] >> id % 32 & 1;
        if (memcmp(&head, &vocab->tables.heads[id], sizeof head) != 0 ||
            plain != (maskable && gm_vocab_is_plain(text.text, text.length)))
            return gm_fail(error, GM_INVALID_FILE, "", "", "what is kept of token %u is not that of its text", id);
        quoted += maskable && holds_quote(text);
        for (uint32_t i = 0; i < text.length && maskable; i++)
            missing[text.text[i] / 64] &= ~((uint64_t)1 << text.text[i] % 64);
    }
    if (quoted != vocab->tables.quotes.token_count)
        return gm_fail(error, GM_INVALID_FILE, "", "", "a token with a quote is missing among those");
    if (memcmp(missing, vocab->tables.missing_bytes, sizeof missing) != 0)
        return gm_fail(error, GM_INVALID_FILE, "", "", "header: wrong set of missing bytes");
    return GM_OK;
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
    GM_TRY(compare_facts(vocab, error));
    GM_TRY(compare_trie(vocab, &vocab->tables.all, false, error));
    return compare_trie(vocab, &vocab->tables.quotes, true, error);
}
