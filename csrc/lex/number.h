/*
 * lex/number.h - number languages: the JSON spellings of the numbers that some constraints allow.
 *
 * A language is a conjunction of bounds, multiples, complements of multiples and a finite set of values,
 * with a way of spelling. Its states are interned ids; a state stands for a prefix of a number's text, and it is
 * alive only if some continuation is an allowed number, exactly. GM_NUMBER_DEAD is the only dead
 * one.
 *
 * Values are decimals of any length, never doubles. A store is shared by all grammars of a
 * compiler; states are immutable once published, rows are built by whoever asks first, under the
 * store's lock, and published with release: a reader takes no lock.
 *
 * Knows nothing of schemas or tokens.
 */
#ifndef GM_LEX_NUMBER_H
#define GM_LEX_NUMBER_H

#include "base/arena.h"

typedef struct gm_number gm_number; /* a store of number languages */
typedef uint32_t gm_number_language;
typedef uint32_t gm_number_state;

enum { GM_NUMBER_DEAD = 0 };

typedef struct gm_number_limits {
    uint64_t max_exponent_digits;
    uint64_t max_modulus;
} gm_number_limits;

/* Everything by its JSON text. A bound with data == NULL is absent. */
typedef struct gm_number_constraints {
    gm_bytes minimum, maximum;
    bool exclusive_minimum, exclusive_maximum; /* of the bounds above */
    const gm_bytes *multiples;                 /* all of them; each > 0 */
    size_t multiple_count;
    bool integer;                  /* integral values only */
    const gm_bytes *not_multiples; /* no multiple of any of these; each > 0 */
    size_t not_multiple_count;
    const gm_bytes *values; /* if has_values: only these */
    size_t value_count;
    bool has_values;
    const gm_bytes *excluded; /* none of these */
    size_t excluded_count;
    bool plain_integer; /* an integer is spelled without fraction and exponent */
    bool plain;         /* constrained numbers are spelled without exponent */
    bool marked;        /* spelled with a fraction or an exponent */
} gm_number_constraints;

gm_status gm_number_create(const gm_allocator *allocator, const gm_number_limits *limits, gm_number **number,
                           gm_error *error);
void gm_number_destroy(gm_number *number);
size_t gm_number_memory(const gm_number *number);

/* Interns a language. *is_empty tells whether it has no spelling at all. GM_LIMIT with the reason
 * in the message (keyword set to the JSON Schema keyword at fault, pointer ""). */
gm_status gm_number_define(gm_number *number, const gm_number_constraints *constraints, gm_number_language *language,
                           bool *is_empty, gm_error *error);
/* The state before the first byte; GM_NUMBER_DEAD for an empty language. */
gm_number_state gm_number_start(const gm_number *number, gm_number_language language);

/* Classes of bytes: '0'..'9' are 0..9, then these. */
enum {
    GM_NUMBER_MINUS = 10,
    GM_NUMBER_PLUS = 11,
    GM_NUMBER_POINT = 12,
    GM_NUMBER_EXPONENT = 13,
    GM_NUMBER_CLASSES = 14
};

typedef struct gm_number_row {
    gm_number_state to[GM_NUMBER_CLASSES]; /* 'e' and 'E' share a class */
    bool accepts;                          /* the number may end here */
} gm_number_row;

/* The row of a state, borrowed for the life of the store; NULL when out of memory. */
const gm_number_row *gm_number_row_of(gm_number *number, gm_number_state state);

/* ---- number_another.c: how many values are left ---- */

/* Whether infinitely many values begin with the text read so far. True is certain; false is too, but for the exponents
 * of unconstrained numbers. */
bool gm_number_is_endless(gm_number *number, gm_number_state state);
/* How many values begin so, at least: no more than is seen at a glance. UINT64_MAX: infinitely many. */
uint64_t gm_number_least_values(gm_number *number, gm_number_state state);
/* How many exponents may follow, at least, where one is being read and any may; else 0. UINT64_MAX: infinitely many.
 * With a mantissa that is not 0 each makes another value. */
uint64_t gm_number_least_exponents(const gm_number *number, gm_number_state state);
/* A number of the language that begins with a text and has none of some values: *rest is what completes it, in the
 * arena; its data is NULL if there is none. Bytes of classes missing from `classes` (a bit each) are not used. */
gm_status gm_number_another(gm_number *number, gm_arena *arena, gm_number_language language, gm_bytes begun,
                            const gm_bytes *values, size_t count, uint32_t classes, gm_bytes *rest);

/* Class of a byte, or -1. */
static inline int gm_number_class(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    return byte == '-'            ? GM_NUMBER_MINUS
           : byte == '+'          ? GM_NUMBER_PLUS
           : byte == '.'          ? GM_NUMBER_POINT
           : (byte | 0x20) == 'e' ? GM_NUMBER_EXPONENT
                                  : -1;
}

#endif
