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

static bool starts_with(gm_bytes text, gm_bytes prefix)
{
    return text.length >= prefix.length && memcmp(text.data, prefix.data, prefix.length) == 0;
}

/* What is below a node, from the tokens of its run. */
static void knows_what_is_below(const sample *s, const gm_trie *trie, const gm_branch *branch, size_t depth)
{
    gm_below below = {{0, 0}, 0};
    size_t height = 0;
    bool rests = false;
    for (uint32_t i = branch->first; i < branch->end; i++) {
        const gm_bytes text = text_of(s, trie->tokens[i]);
        height = text.length - depth > height ? text.length - depth : height;
        for (size_t at = depth; at < text.length; at++) {
            const uint8_t byte = (uint8_t)text.data[at];
            if (byte < 0x80)
                below.ascii[byte / 64] |= (uint64_t)1 << byte % 64;
            else if (byte >= 0xC0)
                below.lead |= (uint64_t)1 << (byte - 0xC0);
            else
                rests = true;
        }
    }
    CHECK(memcmp(&below, &branch->below, sizeof below) == 0 && branch->has_rests == rests);
    CHECK(branch->height == (height < UINT8_MAX ? height : UINT8_MAX));
}

/* A node's text is that which all tokens of its run begin with, and no others do; nothing could be left out of it, and a
 * longer one would lose a token, a choice or a quote. */
static void node_holds_run(const sample *s, const gm_trie *trie, uint32_t node, const uint32_t *ids, size_t count,
                           uint32_t parent, size_t above)
{
    const gm_branch *branch = &trie->branches[node];
    const size_t depth = above + (node != 0) + branch->extra;
    CHECK(branch->first < branch->end && branch->end <= count);
    const gm_bytes text = {text_of(s, ids[branch->first]).data, depth};
    CHECK(text_of(s, ids[branch->first]).length >= depth && starts_with(text_of(s, ids[branch->end - 1]), text));
    CHECK(node == 0 || branch->first == 0 || !starts_with(text_of(s, ids[branch->first - 1]), text));
    CHECK(node == 0 || branch->end == count || !starts_with(text_of(s, ids[branch->end]), text));
    for (uint32_t i = branch->first; i < branch->end; i++)
        CHECK((text_of(s, ids[i]).length == depth) == (i < branch->own_end));
    if (node == 0)
        return;
    CHECK(trie->bytes[node] == (uint8_t)text.data[above] && trie->firsts[node] == branch->first);
    CHECK(trie->leaves[node] == (branch->children == 0 && branch->extra == 0));
    CHECK(memcmp(trie->labels + branch->label, text.data + above + 1, branch->extra) == 0);
    CHECK(memchr(text.data + above, '"', depth - above - 1) == NULL && gm_last_byte(trie, node) == (uint8_t)text.data[depth - 1]);
    CHECK(node >= trie->branches[parent].children &&
          node < trie->branches[parent].children + gm_child_count(&trie->branches[parent]));
    const bool has_choice = gm_child_count(branch) != 1 || branch->first != branch->own_end;
    CHECK(has_choice || text.data[depth - 1] == '"' || branch->extra == UINT8_MAX);
}

/* All nodes, each reached once. */
static void nodes_hold_runs(const sample *s, const gm_trie *trie, const uint32_t *ids, size_t count)
{
    uint32_t *parents = malloc(trie->node_count * sizeof *parents), met = 1;
    size_t *depths = malloc(trie->node_count * sizeof *depths);
    depths[0] = parents[0] = 0;
    for (uint32_t node = 0; node < trie->node_count && count != 0; node++) {
        const gm_branch *branch = &trie->branches[node];
        CHECK(node < met);
        node_holds_run(s, trie, node, ids, count, parents[node], node != 0 ? depths[parents[node]] : 0);
        depths[node] = (node != 0 ? depths[parents[node]] + 1 : 0) + branch->extra;
        knows_what_is_below(s, trie, branch, depths[node] - branch->extra);
        for (unsigned behind = 0; behind <= branch->extra; behind++) {
            const gm_branch within = gm_trie_within_label(trie, branch, behind);
            CHECK(within.own_end == (behind < branch->extra ? branch->first : branch->own_end));
            knows_what_is_below(s, trie, &within, depths[node] - branch->extra + behind);
        }
        CHECK(branch->children == (gm_child_count(branch) != 0 ? met : 0));
        for (uint32_t i = 0; i < gm_child_count(branch); i++, met++) {
            parents[met] = node;
            CHECK(i == 0 || trie->bytes[met - 1] < trie->bytes[met]);
        }
    }
    CHECK(met == trie->node_count);
    free(parents);
    free(depths);
}

/* A head has what accepting asks of a token: its text, and whether a string holds it as it is. */
static bool head_is_right(const gm_token_head *head, bool is_plain, gm_bytes text, bool maskable)
{
    bool plain = gm_utf8_valid_prefix(text) == text.length;
    size_t letters = 0;
    while (letters < text.length && (uint8_t)text.data[letters] >= 0x20 && (uint8_t)text.data[letters] < 0x80 &&
           text.data[letters] != '"' && text.data[letters] != '\\')
        letters++;
    for (size_t i = 0; i < text.length; i++)
        plain = plain && (uint8_t)text.data[i] >= 0x20 && text.data[i] != '"' && text.data[i] != '\\';
    if (!maskable)
        return head->length == 0 && head->letters == 0 && !is_plain;
    if (is_plain != plain)
        return false;
    return text.length > sizeof head->text
               ? head->length == GM_LONG_TEXT && head->letters == 0
               : head->length == text.length && head->letters == letters && memcmp(head->text, text.data, text.length) == 0;
}

static void compare(const sample *s, const gm_vocab *vocab)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(vocab);
    uint32_t *ids = malloc((s->count + 1) * sizeof *ids);
    for (int quotes = 0; quotes < 2; quotes++) {
        const gm_trie *trie = quotes ? &tables->quotes : &tables->all;
        const size_t count = sorted_ids(s, quotes, ids);
        CHECK(trie->token_count == count && trie->branches->end == count && trie->bytes[0] == 0);
        CHECK(count == 0 || memcmp(ids, trie->tokens, count * sizeof *ids) == 0);
        nodes_hold_runs(s, trie, ids, count);
    }
    uint32_t longest = 0;
    uint64_t missing[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    for (uint32_t id = 0; id < s->count; id++) {
        CHECK(gm_vocab_is_maskable(tables, id) == belongs(s, id, false));
        CHECK(head_is_right(&tables->heads[id], tables->plain[id / 32] >> id % 32 & 1, text_of(s, id),
                            belongs(s, id, false)));
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
