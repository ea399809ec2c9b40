/*
 * mask/tails.h - tokens that close a string, by what they hold from the closing quote on.
 *
 * Read from the state between two characters of a string, a token either stays inside, or breaks
 * off, or splits at its first unescaped quote into an inner part and a tail. Inside free text the
 * inner part does not matter: so a handful of tails, in a trie of their own, stands for all tokens
 * that close. Tokens that hold a quote only behind a backslash stay inside; they are in `open`.
 *
 * Made once per vocabulary and way of escaping; immutable.
 */
#ifndef GM_MASK_TAILS_H
#define GM_MASK_TAILS_H

#include "machine/spelling.h"
#include "vocab/vocab.h"

typedef struct gm_inner_part { /* of tokens that close: what stands before the quote */
    gm_bytes text;  /* decoded */
    uint32_t first; /* its tokens: inner_tokens[first .. first + count) */
    uint32_t count;
} gm_inner_part;

typedef struct gm_tails {
    gm_trie trie;         /* texts are tails: each begins with the quote */
    uint32_t *block;      /* all numbers of the trie */
    uint8_t *bytes;
    size_t block_count, byte_count;
    gm_inner_part *parts; /* distinct, sorted by text */
    uint32_t part_count;
    uint32_t *inner_tokens;
    char *texts;
    size_t part_room, text_room;
    uint32_t *open;       /* mask of the tokens that hold a quote and stay inside; mask_words words */
    size_t open_count;
} gm_tails;

gm_status gm_tails_init(gm_tails *tails, const gm_vocab *vocab, const gm_alphabet *alphabet, const gm_allocator *allocator);
/* The inner part with this text, or NULL. */
const gm_inner_part *gm_tails_find(const gm_tails *tails, gm_bytes text);
void gm_tails_destroy(gm_tails *tails, const gm_allocator *allocator);

#endif
