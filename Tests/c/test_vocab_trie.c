/*
 * test_vocab_trie.c - the tries against a sorted list made the slow way.
 *
 * Random vocabularies over small alphabets (so that prefixes and duplicates abound) and over all
 * bytes; long texts; long runs of texts with one prefix, which take the sort through all its ways.
 */
#include "base/utf8.h"
#include "check.h"
#include "vocab/vocab.h"

typedef struct sample {
    uint8_t *blob;
    uint64_t *offsets;
    uint8_t *flags;
    size_t count;
} sample;

static uint64_t seed = 88172645463325252u;

static uint32_t next_random(uint32_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 32) * limit >> 32);
}

/* `count` texts of up to `length` bytes from an alphabet; `prefix` equal bytes in front of most. */
static sample make_sample(size_t count, uint32_t length, uint32_t alphabet, uint32_t prefix)
{
    sample s = {malloc(count * (length + prefix) + 1), malloc((count + 1) * 8), malloc(count), count};
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        s.offsets[i] = at;
        const uint32_t common = next_random(8) != 0 ? prefix : next_random(prefix + 1);
        memset(s.blob + at, 'p', common);
        at += common;
        for (uint32_t rest = next_random(length + 1); rest > 0; rest--)
            s.blob[at++] = alphabet == 256 ? (uint8_t)next_random(256) : (uint8_t)"\0\"ab\xFF "[next_random(alphabet)];
        s.flags[i] = (uint8_t)(next_random(10) == 0 ? 1u << next_random(3) : 0);
    }
    s.offsets[count] = at;
    return s;
}

static void free_sample(sample s)
{
    free(s.blob);
    free(s.offsets);
    free(s.flags);
}

static gm_bytes text_of(const sample *s, uint32_t id)
{
    return (gm_bytes){(const char *)s->blob + s->offsets[id], (size_t)(s->offsets[id + 1] - s->offsets[id])};
}

static bool is_white(gm_bytes text)
{
    for (size_t i = 0; i < text.length; i++)
        if (strchr(" \t\r\n", text.data[i]) == NULL || text.data[i] == '\0')
            return false;
    return true;
}

static bool belongs(const sample *s, uint32_t id, bool quotes)
{
    const gm_bytes text = text_of(s, id);
    if (text.length == 0 || s->flags[id] & (GM_TOKEN_CONTROL | GM_TOKEN_UNUSED))
        return false;
    if (s->flags[id] & GM_TOKEN_ADDED && !is_white(text))
        return false;
    return !quotes || memchr(text.data, '"', text.length) != NULL;
}

static const sample *sorting;

static int by_text(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const int order = gm_bytes_compare(text_of(sorting, x), text_of(sorting, y));
    return order != 0 ? order : x < y ? -1 : x > y;
}

static size_t sorted_ids(const sample *s, bool quotes, uint32_t *ids)
{
    size_t count = 0;
    for (uint32_t id = 0; id < s->count; id++)
        if (belongs(s, id, quotes))
            ids[count++] = id;
    sorting = s;
    qsort(ids, count, sizeof *ids, by_text);
    return count;
}

static bool starts_with(gm_bytes text, const uint8_t *prefix, size_t length)
{
    return text.length >= length && memcmp(text.data, prefix, length) == 0;
}

/* Every node's text by a walk with an explicit path; its subtree's run of tokens must be exactly the
 * run of texts that start with it. Texts are sorted, so each run is found where the last one began. */
static void nodes_hold_runs(const sample *s, const gm_trie *trie, const uint32_t *ids, size_t count, uint32_t longest)
{
    uint8_t *path = malloc(longest + 1);
    uint32_t *ends = malloc((longest + 1) * sizeof *ends);
    uint32_t depth = 0;
    size_t texts = 1;
    ends[0] = trie->end[0];
    for (uint32_t node = 1; node < trie->node_count; node++) {
        while (ends[depth] == node)
            depth--;
        CHECK(ends[depth] >= trie->end[node] && depth < longest);
        path[depth++] = trie->byte[node];
        ends[depth] = trie->end[node];
        const uint32_t first = trie->first_token[node], last = trie->first_token[trie->end[node]];
        CHECK(first < last && last <= count);
        CHECK(starts_with(text_of(s, ids[first]), path, depth) && starts_with(text_of(s, ids[last - 1]), path, depth));
        CHECK(first == 0 || !starts_with(text_of(s, ids[first - 1]), path, depth));
        CHECK(last == count || !starts_with(text_of(s, ids[last]), path, depth));
        for (uint32_t i = first; i < trie->first_token[node + 1]; i++)
            CHECK(text_of(s, ids[i]).length == depth);
        texts++;
    }
    CHECK(texts == trie->node_count);
    free(path);
    free(ends);
}

/* The branches against the trie: the same nodes with the same texts, and the bytes below them from the tokens of
 * their runs. */
static void branches_know_what_is_below(const sample *s, const gm_vocab_tables *tables)
{
    const gm_trie *trie = &tables->all;
    uint32_t *node_of = malloc(trie->node_count * sizeof *node_of), met = 1;
    node_of[0] = 0;
    for (uint32_t i = 0; i < trie->node_count; i++) {
        const gm_branch *branch = &tables->all.branches[i];
        const uint32_t node = node_of[i];
        CHECK(branch->first == trie->first_token[node] && branch->own_end == trie->first_token[node + 1] &&
              branch->end == trie->first_token[trie->end[node]] && tables->all.bytes[i] == trie->byte[node]);
        CHECK(trie->firsts[i] == branch->first && trie->leaves[i] == (branch->child_count == 0));
        uint32_t child = node + 1;
        CHECK(branch->children == met);
        for (uint32_t j = 0; j < branch->child_count; j++, child = trie->end[child])
            node_of[met++] = child;
        CHECK(child == trie->end[node]);
        gm_below below = {{0, 0}, 0};
        size_t height = 0;
        for (uint32_t k = branch->first; k < branch->end; k++) {
            const gm_bytes text = text_of(s, trie->tokens[k]);
            height = text.length - trie->depth[node] > height ? text.length - trie->depth[node] : height;
            for (size_t at = trie->depth[node]; at < text.length; at++) {
                const uint8_t byte = (uint8_t)text.data[at];
                if (byte < 0x80)
                    below.ascii[byte / 64] |= (uint64_t)1 << byte % 64;
                else if (byte >= 0xC0)
                    below.lead |= (uint64_t)1 << (byte - 0xC0);
            }
        }
        CHECK(memcmp(&below, &branch->below, sizeof below) == 0);
        CHECK(branch->height == (height < UINT8_MAX ? height : UINT8_MAX));
    }
    CHECK(met == trie->node_count);
    free(node_of);
}

/* A head has what accepting asks of a token: its text, and whether a string holds it as it is. */
static bool head_is_right(const gm_token_head *head, gm_bytes text, bool maskable)
{
    bool plain = gm_utf8_valid_prefix(text) == text.length;
    for (size_t i = 0; i < text.length; i++)
        plain = plain && (uint8_t)text.data[i] >= 0x20 && text.data[i] != '"' && text.data[i] != '\\';
    if (!maskable)
        return head->length == 0 && !head->is_plain;
    if (head->is_plain != plain)
        return false;
    return text.length > sizeof head->text
               ? head->length == GM_LONG_TEXT
               : head->length == text.length && memcmp(head->text, text.data, text.length) == 0;
}

static void compare(const sample *s, const gm_vocab *vocab)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(vocab);
    uint32_t *ids = malloc((s->count + 1) * sizeof *ids);
    for (int quotes = 0; quotes < 2; quotes++) {
        const gm_trie *trie = quotes ? &tables->quotes : &tables->all;
        const size_t count = sorted_ids(s, quotes, ids);
        CHECK(trie->token_count == count && trie->first_token[trie->node_count] == count);
        CHECK(count == 0 || memcmp(ids, trie->tokens, count * sizeof *ids) == 0);
        CHECK(trie->end[0] == trie->node_count && trie->byte[0] == 0 && trie->first_token[0] == 0);
        nodes_hold_runs(s, trie, ids, count, tables->max_token_length);
    }
    branches_know_what_is_below(s, tables);
    uint32_t longest = 0;
    uint64_t missing[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    for (uint32_t id = 0; id < s->count; id++) {
        CHECK(gm_vocab_is_maskable(tables, id) == belongs(s, id, false));
        CHECK(head_is_right(&tables->heads[id], text_of(s, id), belongs(s, id, false)));
        const gm_bytes text = text_of(s, id);
        if (belongs(s, id, false) && text.length > longest)
            longest = (uint32_t)text.length;
        for (size_t i = 0; belongs(s, id, false) && i < text.length; i++)
            missing[(uint8_t)text.data[i] / 64] &= ~((uint64_t)1 << (uint8_t)text.data[i] % 64);
    }
    CHECK(longest == tables->max_token_length && memcmp(missing, tables->missing_bytes, sizeof missing) == 0);
    free(ids);
}

static void try_sample(size_t count, uint32_t length, uint32_t alphabet, uint32_t prefix)
{
    const sample s = make_sample(count, length, alphabet, prefix);
    const gm_vocab_desc desc = {
        .struct_size = sizeof desc, .token_count = count, .blob = s.blob, .offsets = s.offsets, .flags = s.flags};
    gm_vocab *vocab = NULL;
    gm_error error = {0};
    CHECK(gm_vocab_create(&desc, &vocab, &error) == GM_OK && gm_vocab_check(vocab, &error) == GM_OK);
    compare(&s, vocab);
    gm_vocab_release(vocab);
    free_sample(s);
}

static void small_vocabularies_agree_with_a_sorted_list(void)
{
    for (uint32_t round = 0; round < 300; round++)
        try_sample(1 + next_random(40), next_random(6), 1 + next_random(6), next_random(3));
}

static void large_vocabularies_agree_with_a_sorted_list(void)
{
    try_sample(5000, 4, 6, 0);
    try_sample(5000, 12, 2, 0);
    try_sample(5000, 12, 256, 0);
    try_sample(20000, 3, 256, 0);
}

static void long_shared_prefixes_agree_with_a_sorted_list(void)
{
    for (uint32_t prefix = 5; prefix < 17; prefix++) /* all ways to lie across steps of the sort */
        try_sample(300, 9, 6, prefix);
    try_sample(500, 3, 3, 1024);
    try_sample(100, 30, 1, 1000);
}

static void texts_that_differ_only_in_nul_bytes_are_kept_apart(void)
{
    for (uint32_t length = 1; length < 40; length += 3)
        try_sample(400, length, 1, 0);
}

int main(void)
{
    RUN(small_vocabularies_agree_with_a_sorted_list);
    RUN(large_vocabularies_agree_with_a_sorted_list);
    RUN(long_shared_prefixes_agree_with_a_sorted_list);
    RUN(texts_that_differ_only_in_nul_bytes_are_kept_apart);
    return REPORT("test_vocab_trie");
}
