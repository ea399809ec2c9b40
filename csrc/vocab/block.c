/* vocab/block.c - where the sections of a block lie, and what a vocabulary sees of them. */
#include "vocab/block.h"

#include "vocab/mapping.h"

/* The first byte is no ASCII and the line ends are of both kinds, so that a copy in text mode shows. */
const uint8_t gm_vocab_magic[8] = {0x9D, 'G', 'M', 'V', 'O', '\r', '\n', 0x1A};

static uint64_t round_up(uint64_t size)
{
    return (size + (GM_VOCAB_ALIGNMENT - 1)) & ~(uint64_t)(GM_VOCAB_ALIGNMENT - 1);
}

static uint32_t mask_words(const gm_vocab_header *header)
{
    return (uint32_t)(((uint64_t)header->logit_width + 31) / 32);
}

bool gm_vocab_lay_out(gm_vocab_header *header)
{
    uint64_t size[GM_SECTION_COUNT] = {
        [GM_SECTION_STARTS] = 4 * ((uint64_t)header->token_count + 1),
        [GM_SECTION_FLAGS] = header->token_count,
        [GM_SECTION_STOP] = 4 * (uint64_t)header->stop_count,
        [GM_SECTION_TEXT] = header->text_size,
        [GM_SECTION_MASKABLE] = 4 * (uint64_t)mask_words(header),
        [GM_SECTION_PLAIN] = 4 * (uint64_t)mask_words(header),
        [GM_SECTION_HEADS] = sizeof(gm_token_head) * (uint64_t)header->token_count,
    };
    for (int which = 0; which < GM_TRIE_COUNT; which++) {
        uint64_t *of = size + GM_SECTION_TRIES + which * GM_TRIE_SECTIONS;
        of[GM_TRIE_BRANCHES] = sizeof(gm_branch) * (uint64_t)header->node_count[which];
        of[GM_TRIE_FIRSTS] = 4 * (uint64_t)header->node_count[which];
        of[GM_TRIE_TOKENS] = 4 * (uint64_t)header->listed_count[which];
        of[GM_TRIE_BYTES] = header->node_count[which];
        of[GM_TRIE_LEAVES] = header->node_count[which];
    }
    uint64_t at = round_up(sizeof *header);
    for (int i = 0; i < GM_SECTION_COUNT; i++) {
        header->section[i].offset = at;
        header->section[i].size = size[i];
        at += round_up(size[i]);
    }
    header->size = at;
    return at <= PTRDIFF_MAX;
}

static gm_trie bind_trie(const gm_vocab_header *header, int which)
{
    const int base = GM_SECTION_TRIES + which * GM_TRIE_SECTIONS;
    return (gm_trie){
        .node_count = header->node_count[which],
        .token_count = header->listed_count[which],
        .tokens = gm_vocab_section_of(header, base + GM_TRIE_TOKENS),
        .branches = gm_vocab_section_of(header, base + GM_TRIE_BRANCHES),
        .firsts = gm_vocab_section_of(header, base + GM_TRIE_FIRSTS),
        .bytes = gm_vocab_section_of(header, base + GM_TRIE_BYTES),
        .leaves = gm_vocab_section_of(header, base + GM_TRIE_LEAVES),
        .labels = gm_vocab_section_of(header, GM_SECTION_TEXT),
    };
}

void gm_vocab_bind(gm_vocab *vocab, const gm_vocab_header *header)
{
    vocab->header = header;
    vocab->size = (size_t)header->size;
    vocab->starts = gm_vocab_section_of(header, GM_SECTION_STARTS);
    vocab->flags = gm_vocab_section_of(header, GM_SECTION_FLAGS);
    vocab->text = gm_vocab_section_of(header, GM_SECTION_TEXT);
    vocab->tables = (gm_vocab_tables){
        .all = bind_trie(header, GM_TRIE_ALL),
        .quotes = bind_trie(header, GM_TRIE_QUOTES),
        .maskable = gm_vocab_section_of(header, GM_SECTION_MASKABLE),
        .plain = gm_vocab_section_of(header, GM_SECTION_PLAIN),
        .heads = gm_vocab_section_of(header, GM_SECTION_HEADS),
        .max_token_length = header->max_token_length,
    };
    memcpy(vocab->tables.missing_bytes, header->missing_bytes, sizeof header->missing_bytes);
    vocab->facts = (gm_vocab_facts){
        .token_count = header->token_count,
        .logit_width = header->logit_width,
        .mask_words = mask_words(header),
        .stop = gm_vocab_section_of(header, GM_SECTION_STOP),
        .stop_count = header->stop_count,
        .allow_added = header->options & GM_OPTION_ALLOW_ADDED,
        .word_pieces = header->options & GM_OPTION_WORD_PIECES,
        .prefix_space = header->options & GM_OPTION_PREFIX_SPACE,
        .digest = header->digest,
        .memory = sizeof *vocab + (size_t)header->size,
    };
}

void gm_vocab_add_reference(gm_vocab *vocab) { atomic_fetch_add_explicit(&vocab->references, 1, memory_order_relaxed); }

void gm_vocab_drop_reference(gm_vocab *vocab)
{
    if (atomic_fetch_sub_explicit(&vocab->references, 1, memory_order_acq_rel) != 1)
        return;
    const gm_allocator allocator = vocab->allocator;
    if (vocab->mapped)
        gm_mapping_close(&allocator, (gm_mapping){vocab->header, vocab->size});
    else
        gm_deallocate(&allocator, (void *)(uintptr_t)vocab->header, vocab->size, 1);
    gm_deallocate(&allocator, vocab, 1, sizeof *vocab);
}

const gm_vocab_facts *gm_vocab_facts_of(const gm_vocab *vocab) { return &vocab->facts; }
const gm_vocab_tables *gm_vocab_tables_of(const gm_vocab *vocab) { return &vocab->tables; }
const gm_allocator *gm_vocab_allocator(const gm_vocab *vocab) { return &vocab->allocator; }
bool gm_vocab_has_word_pieces(const gm_vocab *vocab) { return vocab->facts.word_pieces; }

uint32_t gm_vocab_flags(const gm_vocab *vocab, uint32_t id)
{
    GM_ASSERT(id < vocab->facts.token_count);
    return vocab->flags[id];
}

const uint8_t *gm_vocab_text(const gm_vocab *vocab, uint32_t id, size_t *length)
{
    GM_ASSERT(id < vocab->facts.token_count);
    *length = vocab->starts[id + 1] - vocab->starts[id];
    return vocab->flags[id] & GM_TOKEN_TEXTLESS ? NULL : vocab->text + vocab->starts[id];
}
