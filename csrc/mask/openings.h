/*
 * mask/openings.h - what follows a quote, prepared: where a walk enters free text.
 *
 * Hundreds of tokens begin with a quote and go on with text. Where a walk of the vocabulary's trie
 * steps over such a quote into a string or key that may hold anything, the tokens below that stay
 * inside are all allowed and need no step each; those that close again are few, and are walked in a
 * trie of their own. Prepared for each node of the trie that ends in a quote and has many tokens
 * below. Immutable.
 */
#ifndef GM_MASK_OPENINGS_H
#define GM_MASK_OPENINGS_H

#include "machine/machine.h"
#include "mask/tails.h"

typedef struct gm_opening {
    uint32_t branch; /* of the trie of all tokens */
    uint32_t first;  /* tokens that stay inside: ids[first .. first + count) */
    uint32_t count;
    gm_small_trie close; /* texts after the quote of the tokens that close */
    gm_small_trie tails; /* of these, what they hold from the closing quote on: all that matters in free text */
} gm_opening;

typedef struct gm_openings {
    gm_opening *list; /* ascending by branch */
    size_t count, capacity;
    uint32_t *ids;
    size_t id_count, id_capacity;
} gm_openings;

gm_status gm_openings_init(gm_openings *openings, const gm_vocab *vocab, const gm_alphabet *alphabet,
                           const gm_allocator *allocator);
/* The same for a trie made of texts: those that begin with a quote. */
gm_status gm_openings_of_texts(gm_openings *openings, const gm_trie *trie, const gm_small_text *texts, size_t count,
                               const gm_alphabet *alphabet, const gm_allocator *allocator);
void gm_openings_destroy(gm_openings *openings, const gm_allocator *allocator);
const gm_opening *gm_openings_find(const gm_openings *openings, uint32_t branch);
/* Whether any text of up to max_token_length bytes may follow: the position is between two
 * characters of a free string, or of a key when any other key may be taken. */
bool gm_openings_apply(const gm_config *config, uint32_t max_token_length);
/* Whether a position is in a string of which every token that stays inside is allowed, and all that close do so
 * alike. */
bool gm_is_free_string(const gm_config *config, uint32_t max_token_length);

#endif
