/*
 * form/alphabet.h - what can be spelled at all, where a vocabulary lacks some bytes.
 *
 * A byte that no token contains leaves the alphabet before satisfiability is decided: a code point
 * is spellable if its UTF-8 bytes, a short escape or \uXXXX are; a literal or a bracket if its
 * letters are. With all bytes there (the common case) nothing is asked and nothing changes.
 */
#ifndef GM_FORM_ALPHABET_H
#define GM_FORM_ALPHABET_H

#include "lex/text.h"

typedef struct gm_alphabet {
    bool is_whole;       /* no byte is missing: the rest says yes to everything */
    uint64_t missing[4]; /* bit b of missing[b / 64]: no token contains byte b */
    gm_term content;     /* strings of spellable code points */
} gm_alphabet;

/* `missing` as gm_vocab_missing_bytes gives it. */
gm_status gm_alphabet_init(gm_alphabet *alphabet, const uint64_t missing[4], gm_text *text, gm_error *error);
/* Whether every byte of a text is there. */
bool gm_alphabet_has(const gm_alphabet *alphabet, const char *bytes);
/* Whether a string (decoded UTF-8) can be spelled between quotes. */
bool gm_alphabet_spells(const gm_alphabet *alphabet, gm_bytes string);

#endif
