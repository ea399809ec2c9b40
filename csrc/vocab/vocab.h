/*
 * vocab/vocab.h - a vocabulary: token bytes, kinds, and the tables that masks are computed from.
 *
 * The trie of all maskable tokens lies in preorder arrays: the first child of node i is i + 1 if
 * end[i] > i + 1, its next sibling is end[i]. Tokens are listed in the order of their nodes, so the
 * tokens of a whole subtree are one run: tokens[first_token[i]] to tokens[first_token[end[i]]).
 * Node 0 is the root, stands for the empty text and has no tokens.
 *
 * Maskable: has text of at least one byte, and is neither control, unused nor unknown, nor an added
 * token other than white space (unless allow_added).
 *
 * Immutable after creation; tables live in one block that is either allocated or mapped (block.h),
 * but for what is made again from it each time (below.c, heads.c).
 * Shared by reference count; no lock anywhere. Knows nothing of grammars.
 *
 *   create.c  description -> block     spelling.c  texts -> bytes     sort.c, trie.c  the tries
 *   saved.c   block <-> file           check.c     is a block sound?  digest.c        both hashes
 *   below.c   the tries as walks want them          heads.c   the texts as accepting wants them
 */
#ifndef GM_VOCAB_VOCAB_H
#define GM_VOCAB_VOCAB_H

#include "base/base.h"

/* The bytes that occur below a node, its own aside: one bit an ASCII byte, one a first byte of a longer
 * sequence. Bytes 0x80 to 0xBF have none: in well-formed text they follow one that has. */
typedef struct gm_below {
    uint64_t ascii[2];
    uint64_t lead; /* bit b: byte 0xC0 + b */
} gm_below;

/* A node as walks want it. Children lie side by side, ascending by byte. */
typedef struct gm_branch {
    gm_below below;
    uint32_t first, own_end, end; /* tokens[first .. own_end) are the node's, up to `end` those below it */
    uint32_t children;            /* the first; 0 is the root */
    uint16_t child_count;
    uint8_t height; /* bytes of the longest text below the node, UINT8_MAX if more */
    bool has_rests; /* some byte below is one of 0x80 to 0xBF */
} gm_branch;

typedef struct gm_trie {
    uint32_t node_count;
    uint32_t token_count;
    const uint8_t *byte;         /* last byte of the node's text; 0 at the root */
    const uint32_t *end;         /* first node after the subtree */
    const uint32_t *first_token; /* node_count + 1 entries: index into tokens */
    const uint32_t *tokens;      /* ids; equal texts share a node, ascending there */
    const uint32_t *depth;       /* length of the node's text; so a walk finds its state at the parent
                                    as path[depth[i] - 1], and has nothing to pop after a jump to end */
    const gm_branch *branches;   /* the nodes once more, in the order of a breadth-first walk */
    /* by branch, apart from it: most children are looked at no closer */
    const uint32_t *firsts; /* branches[i].first; so those of a leaf end where its next sibling's begin */
    const uint8_t *bytes;   /* the last byte of its text */
    const uint8_t *leaves;  /* 1 if it has no children */
} gm_trie;

/* What accepting asks of a token, in one line of the cache: most are short. */
typedef struct gm_token_head {
    uint8_t length; /* of the text; 0: not maskable; GM_LONG_TEXT: longer than fits, see gm_vocab_text */
    uint8_t is_plain; /* whole characters that stand for themselves in a JSON string */
    uint8_t text[14];
} gm_token_head;

enum { GM_LONG_TEXT = UINT8_MAX };

typedef struct gm_vocab_tables {
    gm_trie all;               /* every maskable token */
    gm_trie quotes;            /* maskable tokens that hold a '"' */
    const gm_token_head *heads; /* by id */
    const uint32_t *maskable;  /* mask of maskable tokens, mask_words words */
    uint64_t missing_bytes[4]; /* bytes in no maskable token */
    uint32_t max_token_length; /* of maskable tokens */
} gm_vocab_tables;

enum { GM_BRANCH_SIZE = sizeof(gm_branch) + sizeof(uint32_t) + 2 }; /* of a node */

/* Makes branches, firsts, bytes and leaves of a trie in a block of node_count * GM_BRANCH_SIZE bytes, which is the caller's. False
 * when out of memory. */
bool gm_trie_make_branches(gm_trie *trie, void *block, const gm_allocator *allocator);

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
