/*
 * mask/digits.h - tokens of nothing but digits, where a number takes any.
 *
 * Vocabularies have all numbers of up to three digits as tokens. Where a number may go on with any digits, as most may,
 * they are taken at once: below a digit at the top of the trie, or as part of a mask that is prepared.
 */
#ifndef GM_MASK_DIGITS_H
#define GM_MASK_DIGITS_H

#include "machine/machine.h"
#include "mask/children.h"
#include "vocab/vocab.h"

enum { GM_MANY_DIGITS = 8 }; /* in a token: longer ones are not taken at once */

/* The digits at the top of a trie below which there is nothing but digits. */
typedef struct gm_digits {
    gm_byte_set bytes;
    uint8_t height; /* of the highest branch behind one */
} gm_digits;

/* Which of these may all follow, with all below. */
typedef enum gm_digits_kind { GM_DIGITS_NONE, GM_DIGITS_FROM_ONE, GM_DIGITS_ALL } gm_digits_kind;

gm_digits gm_digits_of(const gm_trie *trie);
/* At the beginning of a value or inside a number; NONE is always safe. */
gm_digits_kind gm_digits_apply(const gm_digits *digits, gm_machine *machine, const gm_config *config);
/* The bytes of a kind. */
gm_byte_set gm_digits_bytes(const gm_digits *digits, gm_digits_kind kind);
/* Whether a number half read goes on with any digits, up to so many. */
bool gm_digits_follow(gm_machine *machine, const gm_lexical *lexical, uint32_t most);

#endif
