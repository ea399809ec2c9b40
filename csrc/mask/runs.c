/* mask/runs.c - see runs.h. */
#include "mask/runs.h"

/* Kinds of bytes that patterns tell apart. */
static unsigned kind_of(uint8_t byte)
{
    static const uint8_t ends[] = {' ', '!', '0', ':', 'A', '[', 'a', '{', 0x80};
    unsigned kind = 0;
    while (kind < sizeof ends && byte >= ends[kind])
        kind++;
    return kind;
}

enum { SPACE = 1 }; /* the kind that is one byte, with which half of all tokens begin */

static void cut_at(gm_segments *segments, uint32_t token)
{
    if (segments->bounds[segments->count] != token)
        segments->bounds[++segments->count] = token;
}

/* Cuts where the kind of a child's byte is another one than that of the child before. */
static void cut_children(gm_segments *segments, const gm_branch *parent)
{
    const gm_trie *trie = segments->trie;
    const uint32_t count = gm_child_count(parent);
    unsigned last = count != 0 ? kind_of(trie->bytes[parent->children]) : 0;
    for (uint32_t at = parent->children; at < parent->children + count; at++) {
        const unsigned kind = kind_of(trie->bytes[at]);
        if (kind != last)
            cut_at(segments, trie->branches[at].first);
        if (kind == SPACE && parent == trie->branches)
            cut_children(segments, &trie->branches[at]);
        last = kind;
    }
}

static void set_bit(uint32_t *words, uint32_t token) { words[token / 32] |= 1u << token % 32; }
static void clear_bit(uint32_t *words, uint32_t token) { words[token / 32] &= ~(1u << token % 32); }

bool gm_segments_init(gm_segments *segments, const gm_vocab *vocab, const gm_allocator *allocator)
{
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    *segments = (gm_segments){.trie = trie, .word_count = gm_vocab_facts_of(vocab)->mask_words};
    cut_children(segments, trie->branches);
    cut_at(segments, trie->token_count);
    segments->masks = gm_allocate_zeroed(allocator, segments->count * segments->word_count, sizeof *segments->masks);
    if (segments->masks == NULL)
        return segments->count == 0;
    for (uint32_t i = 0; i < segments->count; i++)
        for (uint32_t at = segments->bounds[i]; at < segments->bounds[i + 1]; at++)
            set_bit(segments->masks + i * segments->word_count, trie->tokens[at]);
    return true;
}

void gm_segments_destroy(gm_segments *segments, const gm_allocator *allocator)
{
    gm_deallocate(allocator, segments->masks, segments->count * segments->word_count, sizeof *segments->masks);
    segments->masks = NULL;
}

/* ---- writing ---- */

/* BLOCK: words that compilers take at once. WORTH: bits that take as long as a whole mask. */
enum { BLOCK = 16, WORTH = 400 };

static void unite(uint32_t *restrict words, const uint32_t *restrict more, size_t count)
{
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK)
        for (int j = 0; j < BLOCK; j++)
            words[i + j] |= more[i + j];
    for (; i < count; i++)
        words[i] |= more[i];
}

static void intersect(uint32_t *restrict words, const uint32_t *restrict within, size_t count)
{
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK)
        for (int j = 0; j < BLOCK; j++)
            words[i + j] &= within[i + j];
    for (; i < count; i++)
        words[i] &= within[i];
}

static gm_token_run meet(gm_token_run run, uint32_t first, uint32_t end)
{
    return (gm_token_run){run.first > first ? run.first : first, run.end < end ? run.end : end};
}

/* How many of the tokens from `first` to `end` are in runs, each of which has some there. */
static uint32_t count_taken(const gm_token_run *runs, size_t count, uint32_t first, uint32_t end)
{
    uint32_t taken = 0;
    for (size_t i = 0; i < count; i++) {
        const gm_token_run run = meet(runs[i], first, end);
        taken += run.end - run.first;
    }
    return taken;
}

static void set_runs(const uint32_t *tokens, const gm_token_run *runs, size_t count, uint32_t first, uint32_t end,
                     uint32_t *words)
{
    for (size_t i = 0; i < count; i++) {
        const gm_token_run run = meet(runs[i], first, end);
        for (uint32_t at = run.first; at < run.end; at++)
            set_bit(words, tokens[at]);
    }
}

static void clear_gaps(const uint32_t *tokens, const gm_token_run *runs, size_t count, uint32_t first, uint32_t end,
                       uint32_t *words)
{
    uint32_t at = first;
    for (size_t i = 0; i <= count; i++) {
        const gm_token_run run = i < count ? meet(runs[i], first, end) : (gm_token_run){end, end};
        for (; at < run.first; at++)
            clear_bit(words, tokens[at]);
        at = run.end;
    }
}

static void write_segment(const gm_segments *segments, uint32_t segment, const gm_token_run *runs, size_t count,
                          uint32_t *words)
{
    const uint32_t *tokens = segments->trie->tokens;
    const uint32_t first = segments->bounds[segment], end = segments->bounds[segment + 1];
    const uint32_t taken = count_taken(runs, count, first, end), left = end - first - taken;
    if (taken < left + WORTH) {
        set_runs(tokens, runs, count, first, end, words);
        return;
    }
    unite(words, segments->masks + segment * segments->word_count, segments->word_count);
    clear_gaps(tokens, runs, count, first, end, words);
}

void gm_segments_write(const gm_segments *segments, const gm_token_run *runs, size_t run_count, const uint32_t *within,
                       uint32_t *words)
{
    const uint32_t all = segments->trie->token_count, taken = count_taken(runs, run_count, 0, all);
    if (all - taken < segments->count * WORTH) {
        memcpy(words, within, segments->word_count * sizeof *words);
        clear_gaps(segments->trie->tokens, runs, run_count, 0, all, words);
        return;
    }
    memset(words, 0, segments->word_count * sizeof *words);
    for (uint32_t i = 0; i < segments->count; i++) {
        const uint32_t end = segments->bounds[i + 1];
        size_t here = 0;
        while (here < run_count && runs[here].first < end)
            here++;
        if (here != 0)
            write_segment(segments, i, runs, here, words);
        while (run_count != 0 && runs->end <= end) {
            runs++;
            run_count--;
        }
    }
    intersect(words, within, segments->word_count);
}
