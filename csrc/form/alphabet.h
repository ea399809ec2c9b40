/*
 * form/alphabet.h - what can be spelled at all, where a vocabulary lacks some bytes.
 *
 * A byte that no token contains leaves the alphabet before satisfiability is decided: a code point
 * is spellable if its UTF-8 bytes, a short escape or \uXXXX are; a literal or a bracket if its
 * letters are. With all bytes there (the common case) nothing is asked and nothing changes.
 *
 * While generating, the same holds for what is half read: a part of a character is alive only if
 * the rest of its bytes is there, a part of a number only if digits lead to its end.
 */
#ifndef GM_FORM_ALPHABET_H
#define GM_FORM_ALPHABET_H

#include "lex/number.h"
#include "lex/text.h"

typedef struct gm_alphabet {
    bool is_whole;       /* no byte that JSON needs is missing: the rest says yes to everything */
    bool minimal;        /* strings are escaped only where they must be */
    uint64_t missing[4]; /* bit b of missing[b / 64]: no token contains byte b */
    gm_term content;     /* strings of spellable code points */
} gm_alphabet;

/* `missing` as gm_vocab_missing_bytes gives it; `minimal` is the way of escaping. The allocator is for scratch. */
gm_status gm_alphabet_init(gm_alphabet *alphabet, const uint64_t missing[4], bool minimal, gm_text *text,
                           const gm_allocator *allocator, gm_error *error);

static inline bool gm_alphabet_has_byte(const gm_alphabet *alphabet, uint8_t byte)
{
    return !(alphabet->missing[byte / 64] >> byte % 64 & 1);
}
/* Whether every byte of a text is there. */
bool gm_alphabet_has(const gm_alphabet *alphabet, const char *bytes);
/* Whether a string (decoded UTF-8) can be spelled between quotes. */
bool gm_alphabet_spells(const gm_alphabet *alphabet, gm_bytes string);

/* ---- rests: what is still to come of a code point half read ---- */

/* The last `count` bytes of its UTF-8. */
bool gm_alphabet_has_tail(const gm_alphabet *alphabet, uint32_t point, size_t count);
/* What follows a backslash. */
bool gm_alphabet_has_escape(const gm_alphabet *alphabet, uint32_t point);
/* The last `count` digits of \uXXXX, and the second \uXXXX if it takes two. */
bool gm_alphabet_has_hex(const gm_alphabet *alphabet, uint32_t point, unsigned count);
/* The last `count` digits of that second one. */
bool gm_alphabet_has_low_hex(const gm_alphabet *alphabet, uint32_t point, unsigned count);

/* Whether a number half read can be ended; yes if that is not found out in 4,096 states. */
gm_status gm_alphabet_ends_number(const gm_alphabet *alphabet, gm_number *number, gm_number_state state,
                                  const gm_allocator *allocator, bool *ends);
/* Whether some byte of a number's class is there. */
bool gm_alphabet_has_class(const gm_alphabet *alphabet, int number_class);

#endif
