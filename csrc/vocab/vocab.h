/*
 * vocab/vocab.h - a vocabulary: token bytes, kinds, and the tables that masks are computed from.
 *
 * The trie of all maskable tokens: a node stands for a text that is a token, or after which tokens part; bytes
 * without a choice on the way to it are its label. Nodes lie in the order of a breadth-first walk, children side by
 * side, ascending by byte. Tokens are listed in the order of their texts, so the tokens of a whole subtree are one
 * run. Node 0 is the root, stands for the empty text and has no tokens.
 *
 * Maskable: has text of at least one byte, and is neither control, unused nor unknown, nor an added
 * token other than white space (unless allow_added).
 *
 * Immutable after creation; tables live in one block that is either allocated or mapped (block.h).
 * Shared by reference count; no lock anywhere. Knows nothing of grammars.
 *
 *   create.c  description -> block     spelling.c  texts -> bytes     sort.c, trie.c  the tries
 *   saved.c   block <-> file           check.c     is a block sound?  digest.c        both hashes
 *   heads.c   the texts as accepting wants them
 */
#ifndef GM_VOCAB_VOCAB_H
#define GM_VOCAB_VOCAB_H

#include "base/array.h"

/* A set of bytes: one bit an ASCII byte, one a first byte of a longer
 * sequence. Bytes 0x80 to 0xBF have none: in well-formed text they follow one that has. */
typedef struct gm_below {
    uint64_t ascii[2];
    uint64_t lead; /* bit b: byte 0xC0 + b */
} gm_below;

/* A node. The first byte of its label is apart, in gm_trie.bytes; a quote ends a label, so that what is prepared behind
 * quotes has a node to stand at. */
typedef struct gm_branch {
    gm_below below;               /* the bytes behind the first of its label, to the ends of all its tokens */
    uint32_t first, own_end, end; /* tokens[first .. own_end) are the node's, up to `end` those below it */
    uint32_t children;            /* the first; 0 if it has none */
    uint32_t label;               /* labels[label .. label + extra): the bytes of the label but the first */
    uint8_t extra;
    uint8_t last_child; /* counted from 0 */
    uint8_t height;     /* bytes of the longest of these texts, UINT8_MAX if more */
    uint8_t has_rests;  /* 1 if some of these bytes is one of 0x80 to 0xBF */
} gm_branch;

typedef struct gm_trie {
    uint32_t node_count;
    uint32_t token_count;
    const uint32_t *tokens;    /* ids; equal texts share a node, ascending there */
    const gm_branch *branches; /* the nodes */
    /* by node, apart from it: most children are looked at no closer */
    const uint32_t *firsts; /* branches[i].first; so those of a leaf end where its next sibling's begin */
    const uint8_t *bytes;   /* the first of its label; 0 at the root */
    const uint8_t *leaves;  /* 1 if it has no children, and one byte for a label */
    const uint8_t *labels;  /* the texts of all tokens, which labels are parts of */
} gm_trie;

static inline uint32_t gm_child_count(const gm_branch *branch)
{
    return branch->children != 0 ? branch->last_child + 1u : 0;
}
/* The last byte of a node's label. */
static inline uint8_t gm_last_byte(const gm_trie *trie, uint32_t node)
{
    const gm_branch *branch = &trie->branches[node];
    return branch->extra != 0 ? trie->labels[branch->label + branch->extra - 1] : trie->bytes[node];
}
/* A node as if its label ended so many bytes behind the first, or did at least: before its end there are no own tokens,
 * and one child, which stands for the rest of the label. What is below is what is behind these bytes. */
gm_branch gm_trie_within_label(const gm_trie *trie, const gm_branch *branch, unsigned behind);

/* ---- making tries ---- */

typedef struct gm_trie_text {
    const uint8_t *text;
    uint32_t length;
    uint32_t token;
} gm_trie_text;

typedef struct gm_planned {
    uint32_t first, end; /* its texts and those below */
    uint32_t label;
    uint8_t extra;
} gm_planned;

/* The nodes of the trie of sorted texts, equal ones ascending by token. */
typedef struct gm_trie_plan {
    const gm_trie_text *texts;
    uint32_t text_count;
    const uint8_t *labels;
    GM_ARRAY(gm_planned) nodes; /* fewer than 2^32 */
} gm_trie_plan;

/* All texts lie behind `labels`, less than 2^32 bytes. False when out of memory: nothing is left then. */
bool gm_trie_plan_init(gm_trie_plan *plan, const gm_trie_text *texts, uint32_t count, const uint8_t *labels,
                       const gm_allocator *allocator);
void gm_trie_plan_destroy(gm_trie_plan *plan, const gm_allocator *allocator);
/* Writes branches, firsts, bytes and leaves, as many as there are nodes, and the tokens. */
void gm_trie_plan_write(const gm_trie_plan *plan, gm_branch *branches, uint32_t *firsts, uint8_t *bytes,
                        uint8_t *leaves, uint32_t *tokens);

/* What accepting asks of a token, in one line of the cache: most are short. */
typedef struct gm_token_head {
    uint8_t length;  /* of the text; 0: not maskable; GM_LONG_TEXT: longer than fits, see gm_vocab_text */
    uint8_t letters; /* ASCII characters at its beginning that stand for themselves in a JSON string; 0 if it is long */
    uint8_t text[14];
} gm_token_head;

enum { GM_LONG_TEXT = UINT8_MAX };

typedef struct gm_vocab_tables {
    gm_trie all;                /* every maskable token */
    gm_trie quotes;             /* maskable tokens that hold a '"' */
    const gm_token_head *heads; /* by id */
    const uint32_t *maskable;   /* mask of maskable tokens, mask_words words */
    const uint32_t *plain;      /* of those that are whole characters which stand for themselves in a JSON string */
    uint64_t missing_bytes[4];  /* bytes in no maskable token */
    uint32_t max_token_length;  /* of maskable tokens */
} gm_vocab_tables;

/* What a vocabulary says of itself. */
typedef struct gm_vocab_facts {
    uint32_t token_count;
    uint32_t logit_width;
    uint32_t mask_words;
    const uint32_t *stop; /* ascending, without repeats */
    uint32_t stop_count;
    bool allow_added;
    bool word_pieces;
    bool prefix_space;
    uint64_t digest;
    size_t memory; /* bytes held, mapped ones included */
} gm_vocab_facts;

/* Makes a vocabulary with one reference. The description's counts, lists and texts are already
 * checked (api/); what shows only once a text is spelled out is refused here. */
gm_status gm_vocab_build(const gm_vocab_desc *desc, const gm_allocator *allocator, gm_vocab **vocab, gm_error *error);
void gm_vocab_add_reference(gm_vocab *vocab);
/* The last one frees. */
void gm_vocab_drop_reference(gm_vocab *vocab);

/* Writes the block beside `path` and renames it, so that `path` never names half a file. */
gm_status gm_vocab_write_file(const gm_vocab *vocab, const char *path, gm_error *error);
/* Maps a file; nothing of it is used before it is known to be sound. */
gm_status gm_vocab_map_file(const char *path, const gm_allocator *allocator, gm_vocab **vocab, gm_error *error);

/* Walks everything and compares it with what the texts ask for; for tests and fuzzers.
 * GM_INVALID_FILE names the first thing that is wrong. */
gm_status gm_vocab_check(const gm_vocab *vocab, gm_error *error);

const gm_vocab_facts *gm_vocab_facts_of(const gm_vocab *vocab);
/* GM_TOKEN_* of a token that exists. */
uint32_t gm_vocab_flags(const gm_vocab *vocab, uint32_t id);
const gm_vocab_tables *gm_vocab_tables_of(const gm_vocab *vocab);
/* Bytes of a token that exists; NULL for a token without text. */
const uint8_t *gm_vocab_text(const gm_vocab *vocab, uint32_t id, size_t *length);
static inline bool gm_vocab_is_maskable(const gm_vocab_tables *tables, uint32_t id)
{
    return tables->maskable[id / 32] >> (id % 32) & 1;
}
/* True when the tokens do not spell bytes. */
bool gm_vocab_has_word_pieces(const gm_vocab *vocab);
const gm_allocator *gm_vocab_allocator(const gm_vocab *vocab);

#endif
