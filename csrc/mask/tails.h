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

#include "machine/machine.h"
#include "mask/canvas.h"
#include "vocab/vocab.h"

/* A trie of parts of the vocabulary's texts, with its arrays. */
typedef struct gm_small_trie {
    gm_trie trie;
    gm_branch *branches;
    uint32_t *numbers; /* firsts and tokens */
    uint8_t *bytes;    /* and leaves */
    size_t node_count, number_count;
} gm_small_trie;

typedef struct gm_small_text {
    gm_bytes text;
    uint32_t token;
    size_t quote; /* bytes of the inner part before the text, as spelled */
} gm_small_text;

/* Sorts the texts and makes their trie; false when out of memory. */
bool gm_small_trie_init(gm_small_trie *trie, gm_small_text *texts, size_t count, const gm_allocator *allocator);
void gm_small_trie_destroy(gm_small_trie *trie, const gm_allocator *allocator);
/* Where a token's closing quote stands when it is read from between two characters; its length if it
 * stays inside, SIZE_MAX if it breaks off. */
size_t gm_find_quote(const uint8_t *text, size_t length, const gm_alphabet *alphabet);

typedef struct gm_inner_part { /* of tokens that close: what stands before the quote */
    gm_bytes text;             /* decoded */
    uint32_t first;            /* its tokens: inner_tokens[first .. first + count) */
    uint32_t count;
    uint32_t points; /* code points of the text */
    uint32_t shared; /* bytes that it begins with as the part before does, up to a whole character */
} gm_inner_part;

typedef struct gm_tails {
    gm_small_trie small;  /* texts are tails: each begins with the quote */
    gm_small_trie listed; /* the same, with a token's index in inner_tokens in place of the token */
    gm_small_trie single; /* of these, those that cannot close a key and begin another one behind it */
    uint32_t *again;      /* all others, as a bit an index */
    size_t again_count;
    gm_small_trie staying; /* tokens that hold a quote and stay inside */
    gm_inner_part *parts;  /* distinct, sorted by text */
    uint32_t part_count;
    uint32_t from[257]; /* by byte: the first part that begins with it or a greater one; that without text is before */
    uint32_t *inner_tokens;
    size_t longest_part;  /* bytes */
    uint32_t *second_ids; /* tokens that may close a key, and read another one of the same object to its end */
    uint32_t second_count;
    char *texts;
    size_t part_room, text_room;
    uint32_t *open; /* mask of the tokens that hold a quote and stay inside; mask_words words */
    size_t open_count;
} gm_tails;

gm_status gm_tails_init(gm_tails *tails, const gm_vocab *vocab, const gm_alphabet *alphabet,
                        const gm_allocator *allocator);
/* The inner part with this text, or NULL. */
const gm_inner_part *gm_tails_find(const gm_tails *tails, gm_bytes text);
/* The inner part that makes a key the name with an index, which it may become; NULL if no token has it. */
const gm_inner_part *gm_tails_part_of_name(const gm_tails *tails, const gm_config *key, uint32_t index);
/* Takes the tokens of a part out. */
void gm_tails_clear(const gm_tails *tails, const gm_inner_part *part, gm_canvas *canvas);
/* The hash of a key that goes on with a text. */
gm_key_hash gm_tails_hash(gm_key_hash hash, gm_bytes text);
void gm_tails_destroy(gm_tails *tails, const gm_allocator *allocator);

#endif
