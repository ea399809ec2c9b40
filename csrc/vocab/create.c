/*
 * vocab/create.c - from a description to a block.
 *
 *   description -> flags -> texts as bytes -> sorted maskable tokens -> sizes known -> the block
 *
 * All that is needed on the way lives in a scratch arena; the block is taken once its size is known
 * and is never seen half full. Nothing scans the id lists once a token: J2-like vocabularies have tens
 * of thousands of special ids scattered among the others.
 */
#include "base/arena.h"
#include "base/pages.h"
#include "vocab/block.h"

typedef struct builder {
    const gm_vocab_desc *desc;
    const gm_allocator *allocator;
    gm_error *error;
    gm_arena scratch;
    uint32_t token_count;
    uint32_t logit_width;
    uint8_t *flags;
    uint32_t *starts;
    uint8_t *text;
    uint32_t *stop; /* ascending, without repeats */
    uint32_t stop_count;
    gm_trie_plan plan[GM_TRIE_COUNT]; /* of the maskable tokens; of those with a quote */
    uint32_t max_token_length;
    gm_vocab_header *block;
} builder;

/* ---- flags and lists ---- */

/* The unknown token is that before it is anything special. */
static uint8_t settled(uint32_t flags)
{
    return (uint8_t)(flags & GM_TOKEN_UNKNOWN ? flags & ~(uint32_t)GM_TOKEN_CONTROL : flags);
}

static gm_status collect_flags(builder *b)
{
    const gm_vocab_desc *desc = b->desc;
    b->flags = gm_arena_take_zeroed(&b->scratch, b->token_count);
    if (b->flags == NULL)
        return gm_no_memory(b->error);
    if (desc->flags != NULL)
        memcpy(b->flags, desc->flags, b->token_count);
    for (size_t i = 0; i < desc->special_count; i++)
        b->flags[desc->special[i]] |= GM_TOKEN_CONTROL;
    for (size_t i = 0; i < desc->unused_count; i++)
        b->flags[desc->unused[i]] |= GM_TOKEN_UNUSED;
    for (uint32_t id = 0; id < b->token_count; id++)
        b->flags[id] = settled(b->flags[id]);
    return GM_OK;
}

/* Through a mask, so that a long list costs no more than its length and the width. */
static gm_status collect_stop(builder *b)
{
    const size_t words = ((size_t)b->logit_width + 31) / 32;
    uint32_t *seen = GM_ARENA_NEW(&b->scratch, uint32_t, words);
    b->stop = GM_ARENA_NEW(&b->scratch, uint32_t, b->desc->stop_count);
    if (seen == NULL || b->stop == NULL)
        return gm_no_memory(b->error);
    for (size_t i = 0; i < b->desc->stop_count; i++)
        seen[b->desc->stop[i] / 32] |= 1u << b->desc->stop[i] % 32;
    for (uint32_t id = 0; id < b->logit_width; id++)
        if (seen[id / 32] >> id % 32 & 1)
            b->stop[b->stop_count++] = id;
    return GM_OK;
}

/* ---- texts ---- */

static gm_bytes text_of(const gm_vocab_desc *desc, uint32_t id)
{
    if (desc->texts != NULL)
        return (gm_bytes){(const char *)desc->texts[id], desc->lengths[id]};
    const uint64_t start = desc->offsets[id], end = desc->offsets[id + 1];
    return (gm_bytes){start == end ? NULL : (const char *)desc->blob + start, (size_t)(end - start)};
}

/* Writes one token's bytes and returns how many; SIZE_MAX when a byte piece is not one byte. */
static size_t spell_token(gm_spelling spelling, uint8_t *flags, gm_bytes piece, uint8_t *out)
{
    const uint8_t *bytes = (const uint8_t *)piece.data;
    if (!(*flags & GM_TOKEN_ADDED) && spelling == GM_SPELLING_BYTE_FALLBACK &&
        gm_spell_byte_piece(bytes, piece.length, out)) {
        *flags |= GM_TOKEN_BYTE;
        return 1;
    }
    if (*flags & GM_TOKEN_BYTE)
        return piece.length == 1 ? gm_spell(GM_SPELLING_RAW, bytes, 1, out) : SIZE_MAX;
    return gm_spell(*flags & GM_TOKEN_ADDED ? GM_SPELLING_RAW : spelling, bytes, piece.length, out);
}

static gm_status spell_texts(builder *b)
{
    uint64_t bound = 0; /* spelling never makes a text longer */
    for (uint32_t id = 0; id < b->token_count; id++) {
        const size_t length = b->flags[id] & GM_TOKEN_TEXTLESS ? 0 : text_of(b->desc, id).length;
        if (length > UINT32_MAX - bound)
            return gm_fail(b->error, GM_INVALID_ARGUMENT, "", "",
                           "the texts of tokens 0 to %u are longer than 2^32 - 1 bytes together", id);
        bound += length;
    }
    b->starts = GM_ARENA_NEW(&b->scratch, uint32_t, (size_t)b->token_count + 1);
    b->text = gm_arena_take(&b->scratch, (size_t)bound);
    if (b->starts == NULL || b->text == NULL)
        return gm_no_memory(b->error);

    uint32_t at = 0;
    for (uint32_t id = 0; id < b->token_count; id++) {
        b->starts[id] = at;
        if (b->flags[id] & GM_TOKEN_TEXTLESS)
            continue;
        const gm_bytes piece = text_of(b->desc, id);
        const size_t length = spell_token(b->desc->spelling, &b->flags[id], piece, b->text + at);
        if (length == SIZE_MAX)
            return gm_fail(b->error, GM_INVALID_ARGUMENT, "", "",
                           "token %u has the flag of a byte piece, but a text of %zu bytes", id, piece.length);
        at += (uint32_t)length;
    }
    b->starts[b->token_count] = at;
    return GM_OK;
}

/* ---- which tokens go where ---- */

bool gm_vocab_may_mask(uint32_t flags, const uint8_t *text, size_t length, bool allow_added)
{
    if (length == 0 || flags & GM_TOKEN_TEXTLESS)
        return false;
    if (!(flags & GM_TOKEN_ADDED) || allow_added)
        return true;
    size_t white = 0;
    while (white < length && (text[white] == ' ' || text[white] == '\t' || text[white] == '\n' || text[white] == '\r'))
        white++;
    return white == length;
}

static gm_status plan_tries(builder *b, const gm_trie_text *all, const gm_trie_text *quotes, const uint32_t counts[2])
{
    const bool room = gm_trie_plan_init(&b->plan[GM_TRIE_ALL], all, counts[0], b->text, b->allocator) &&
                      gm_trie_plan_init(&b->plan[GM_TRIE_QUOTES], quotes, counts[1], b->text, b->allocator);
    return room ? GM_OK : gm_no_memory(b->error);
}

/* Sorts the maskable tokens, and among them those that hold a quote, and plans their tries. */
static gm_status sort_maskable(builder *b, gm_texts texts)
{
    gm_sorted *items = GM_ARENA_NEW(&b->scratch, gm_sorted, b->token_count);
    gm_trie_text *all = GM_ARENA_NEW(&b->scratch, gm_trie_text, b->token_count);
    bool *has_quote = GM_ARENA_NEW(&b->scratch, bool, b->token_count);
    if (items == NULL || all == NULL || has_quote == NULL)
        return gm_no_memory(b->error);
    uint32_t counts[2] = {0, 0}, quoted = 0;
    for (uint32_t id = 0; id < b->token_count; id++) {
        const uint8_t *text = b->text + b->starts[id];
        const uint32_t length = b->starts[id + 1] - b->starts[id];
        if (!gm_vocab_may_mask(b->flags[id], text, length, b->desc->allow_added))
            continue;
        items[counts[0]++] = (gm_sorted){.id = id};
        has_quote[id] = memchr(text, '"', length) != NULL;
        quoted += has_quote[id];
        if (length > b->max_token_length)
            b->max_token_length = length;
    }
    gm_trie_text *quotes = GM_ARENA_NEW(&b->scratch, gm_trie_text, quoted);
    if (quotes == NULL || !gm_sort_texts(b->allocator, texts, items, counts[0]))
        return gm_no_memory(b->error);
    for (uint32_t i = 0; i < counts[0]; i++) {
        const uint32_t id = items[i].id;
        all[i] = (gm_trie_text){b->text + b->starts[id], b->starts[id + 1] - b->starts[id], id};
        if (has_quote[id])
            quotes[counts[1]++] = all[i];
    }
    return plan_tries(b, all, quotes, counts);
}

/* ---- the block ---- */

static uint32_t options_of(const gm_vocab_desc *desc)
{
    return (desc->allow_added ? GM_OPTION_ALLOW_ADDED : 0u) | (desc->word_pieces ? GM_OPTION_WORD_PIECES : 0u) |
           (desc->prefix_space ? GM_OPTION_PREFIX_SPACE : 0u);
}

static gm_status take_block(builder *b)
{
    gm_vocab_header header = {
        .byte_order = GM_VOCAB_BYTE_ORDER,
        .format = GM_VOCAB_FORMAT,
        .digest = gm_vocab_compute_digest(b->starts, b->flags, b->text, b->token_count),
        .token_count = b->token_count,
        .logit_width = b->logit_width,
        .stop_count = b->stop_count,
        .text_size = b->starts[b->token_count],
        .max_token_length = b->max_token_length,
        .options = options_of(b->desc),
    };
    memcpy(header.magic, gm_vocab_magic, sizeof header.magic);
    for (int which = 0; which < GM_TRIE_COUNT; which++) {
        header.listed_count[which] = b->plan[which].text_count;
        header.node_count[which] = (uint32_t)b->plan[which].nodes.count;
    }
    if (!gm_vocab_lay_out(&header))
        return gm_no_memory(b->error);
    b->block = gm_allocate_zeroed(b->allocator, (size_t)header.size, 1);
    if (b->block == NULL)
        return gm_no_memory(b->error);
    gm_pages_give(b->block, (size_t)header.size);
    *b->block = header;
    return GM_OK;
}

static void fill_missing_bytes(const builder *b)
{
    const gm_trie_plan *all = &b->plan[GM_TRIE_ALL];
    uint8_t present[256] = {0};
    for (uint32_t i = 0; i < all->text_count; i++)
        for (uint32_t at = 0; at < all->texts[i].length; at++)
            present[all->texts[i].text[at]] = 1;
    for (int value = 0; value < 256; value++)
        if (!present[value])
            b->block->missing_bytes[value / 64] |= (uint64_t)1 << value % 64;
}

static void fill_trie(const builder *b, int which)
{
    const int base = GM_SECTION_TRIES + which * GM_TRIE_SECTIONS;
    const gm_vocab_header *block = b->block;
    gm_trie_plan_write(
        &b->plan[which], gm_vocab_section_of(block, base + GM_TRIE_BRANCHES),
        gm_vocab_section_of(block, base + GM_TRIE_FIRSTS), gm_vocab_section_of(block, base + GM_TRIE_BYTES),
        gm_vocab_section_of(block, base + GM_TRIE_LEAVES), gm_vocab_section_of(block, base + GM_TRIE_TOKENS));
}

static void fill_block(const builder *b)
{
    gm_vocab_header *block = b->block;
    memcpy(gm_vocab_section_of(block, GM_SECTION_STARTS), b->starts, ((size_t)b->token_count + 1) * sizeof *b->starts);
    memcpy(gm_vocab_section_of(block, GM_SECTION_FLAGS), b->flags, b->token_count);
    memcpy(gm_vocab_section_of(block, GM_SECTION_STOP), b->stop, b->stop_count * sizeof *b->stop);
    memcpy(gm_vocab_section_of(block, GM_SECTION_TEXT), b->text, block->text_size);
    uint32_t *maskable = gm_vocab_section_of(block, GM_SECTION_MASKABLE);
    uint32_t *plain = gm_vocab_section_of(block, GM_SECTION_PLAIN);
    gm_token_head *heads = gm_vocab_section_of(block, GM_SECTION_HEADS);
    const gm_trie_plan *all = &b->plan[GM_TRIE_ALL];
    for (uint32_t i = 0; i < all->text_count; i++)
        maskable[all->texts[i].token / 32] |= 1u << all->texts[i].token % 32;
    for (uint32_t id = 0; id < b->token_count; id++) {
        const uint8_t *text = b->text + b->starts[id];
        const size_t length = b->starts[id + 1] - b->starts[id];
        const bool may = maskable[id / 32] >> id % 32 & 1;
        heads[id] = gm_vocab_head_of(text, length, may);
        plain[id / 32] |= (uint32_t)(may && gm_vocab_is_plain(text, length)) << id % 32;
    }
    for (int which = 0; which < GM_TRIE_COUNT; which++)
        fill_trie(b, which);
    fill_missing_bytes(b);
    block->checksum = gm_vocab_checksum(block, (size_t)block->size);
}

static gm_status build(builder *b)
{
    GM_TRY(collect_flags(b));
    GM_TRY(collect_stop(b));
    GM_TRY(spell_texts(b));
    const gm_texts texts = {b->starts, b->text};
    GM_TRY(sort_maskable(b, texts));
    GM_TRY(take_block(b));
    fill_block(b);
    return GM_OK;
}

gm_status gm_vocab_build(const gm_vocab_desc *desc, const gm_allocator *allocator, gm_vocab **vocab, gm_error *error)
{
    builder b = {
        .desc = desc,
        .allocator = allocator,
        .error = error,
        .token_count = (uint32_t)desc->token_count,
        .logit_width = (uint32_t)(desc->logit_width != 0 ? desc->logit_width : desc->token_count),
    };
    gm_arena_init(&b.scratch, allocator);
    const gm_status status = build(&b);
    for (int which = 0; which < GM_TRIE_COUNT; which++)
        gm_trie_plan_destroy(&b.plan[which], allocator);
    gm_arena_destroy(&b.scratch);

    gm_vocab *made = status == GM_OK ? gm_allocate_zeroed(allocator, 1, sizeof *made) : NULL;
    if (made == NULL) {
        if (b.block != NULL)
            gm_deallocate(allocator, b.block, (size_t)b.block->size, 1);
        return status == GM_OK ? gm_no_memory(error) : status;
    }
    atomic_init(&made->references, 1);
    made->allocator = *allocator;
    gm_vocab_bind(made, b.block);
    *vocab = made;
    return GM_OK;
}
