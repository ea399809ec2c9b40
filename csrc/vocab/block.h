/*
 * vocab/block.h - the one block that a vocabulary lives in, in memory and in a file alike.
 *
 *   | header | starts | flags | stop | text | maskable | plain | heads | trie of all: branches firsts tokens bytes
 *   leaves | of quotes: ... |
 *
 * Each section begins at a multiple of 64 bytes, gaps are zero. Where the sections lie follows from
 * the counts in the header alone (gm_vocab_lay_out); the table of sections in the header repeats it,
 * so that a reader of another release cannot mistake one for another. Numbers are in the byte order
 * of the machine that wrote them, and a mark says which.
 *
 *   starts     token_count + 1 numbers: text i is text[starts[i] .. starts[i + 1]); a token without
 *              text has an empty range, and its flags tell it from an empty text
 *   maskable   mask_words words, zero past the tokens; and so is plain
 *   heads, branches and so on: see vocab.h
 *
 * Private to vocab/.
 */
#ifndef GM_VOCAB_BLOCK_H
#define GM_VOCAB_BLOCK_H

#include "vocab/vocab.h"

#include <stdatomic.h>
#include <stddef.h>

enum { GM_VOCAB_FORMAT = 3, GM_VOCAB_BYTE_ORDER = 0x01020304, GM_VOCAB_ALIGNMENT = 64 };

/* Flags of a token that is never text. */
enum { GM_TOKEN_TEXTLESS = GM_TOKEN_CONTROL | GM_TOKEN_UNUSED | GM_TOKEN_UNKNOWN };

/* Sections in their order; from GM_SECTION_TRIES on, those of each trie. */
enum {
    GM_SECTION_STARTS,
    GM_SECTION_FLAGS,
    GM_SECTION_STOP,
    GM_SECTION_TEXT,
    GM_SECTION_MASKABLE,
    GM_SECTION_PLAIN,
    GM_SECTION_HEADS,
    GM_SECTION_TRIES
};
enum { GM_TRIE_BRANCHES, GM_TRIE_FIRSTS, GM_TRIE_TOKENS, GM_TRIE_BYTES, GM_TRIE_LEAVES, GM_TRIE_SECTIONS };
enum { GM_TRIE_ALL, GM_TRIE_QUOTES, GM_TRIE_COUNT };
enum { GM_SECTION_COUNT = GM_SECTION_TRIES + GM_TRIE_COUNT * GM_TRIE_SECTIONS };

enum { GM_OPTION_ALLOW_ADDED = 1, GM_OPTION_WORD_PIECES = 2, GM_OPTION_PREFIX_SPACE = 4, GM_OPTIONS = 7 };

typedef struct gm_vocab_header {
    uint8_t magic[8];
    uint32_t byte_order;
    uint32_t format;
    uint64_t checksum; /* of all other bytes */
    uint64_t size;     /* of the block */
    uint64_t digest;
    uint32_t token_count;
    uint32_t logit_width;
    uint32_t stop_count;
    uint32_t text_size;
    uint32_t max_token_length;
    uint32_t options;
    uint32_t node_count[GM_TRIE_COUNT];
    uint32_t listed_count[GM_TRIE_COUNT]; /* tokens of each trie */
    uint64_t missing_bytes[4];
    struct {
        uint64_t offset;
        uint64_t size;
    } section[GM_SECTION_COUNT];
} gm_vocab_header;

struct gm_vocab {
    atomic_size_t references;
    gm_allocator allocator;
    const gm_vocab_header *header; /* the block */
    size_t size;
    bool mapped; /* by the system; else the block is the allocator's */
    const uint32_t *starts;
    const uint8_t *flags;
    const uint8_t *text;
    gm_vocab_tables tables;
    gm_vocab_facts facts;
};

extern const uint8_t gm_vocab_magic[8];

/* Fills size and sections from the counts; false when no memory could hold them. */
bool gm_vocab_lay_out(gm_vocab_header *header);
static inline void *gm_vocab_section_of(const gm_vocab_header *header, int section)
{
    return (char *)(uintptr_t)header + header->section[section].offset;
}
/* Points the fields of *vocab into a block whose layout is right. */
void gm_vocab_bind(gm_vocab *vocab, const gm_vocab_header *header);

/* ---- digest.c ---- */

uint64_t gm_vocab_compute_digest(const uint32_t *starts, const uint8_t *flags, const uint8_t *text, size_t count);
/* Of the whole block but for the field itself. */
uint64_t gm_vocab_checksum(const gm_vocab_header *header, size_t size);

/* ---- spelling.c ---- */

/* Writes the bytes that a piece stands for, at most `length`; returns how many. */
size_t gm_spell(gm_spelling spelling, const uint8_t *piece, size_t length, uint8_t *out);
/* True for `<0xNN>`; *byte is then NN. */
bool gm_spell_byte_piece(const uint8_t *piece, size_t length, uint8_t *byte);

/* ---- create.c ---- */

/* The rule of which tokens masks may hold. */
bool gm_vocab_may_mask(uint32_t flags, const uint8_t *text, size_t length, bool allow_added);

/* ---- sort.c ---- */

typedef struct gm_texts {
    const uint32_t *starts;
    const uint8_t *text;
} gm_texts;

static inline size_t gm_text_length(gm_texts texts, uint32_t id) { return texts.starts[id + 1] - texts.starts[id]; }

typedef struct gm_sorted {
    uint64_t key; /* scratch of the sort */
    uint32_t id;
} gm_sorted;

/* Sorts items by their texts (unsigned bytes, shorter first), equal texts in the order they come.
 * False when there is no memory. */
bool gm_sort_texts(const gm_allocator *allocator, gm_texts texts, gm_sorted *items, size_t count);

/* ---- heads.c ---- */

/* The head of a token: `maskable` says whether a mask may hold it. */
gm_token_head gm_vocab_head_of(const uint8_t *text, size_t length, bool maskable);
/* Whether a text is whole characters, none of which a JSON string must escape. */
bool gm_vocab_is_plain(const uint8_t *text, size_t length);

/* ---- check.c ---- */

/* Whether a laid-out block can be used without going out of any bound. GM_INVALID_FILE with the
 * place and the field, or GM_OUT_OF_MEMORY. */
gm_status gm_vocab_check_block(const gm_vocab *vocab, gm_error *error);

#endif
