/*
 * base/decimal.h - exact decimals of any length.
 *
 *   value = (-1)^negative * 0.d1 d2 ... dn * 10^point,   d1 and dn not zero;   zero is n = 0
 *
 * So every value has one form (-0 is 0), and comparing is comparing points, then digits. Reading a
 * JSON number allocates nothing: the digits stay in the text, where at most one byte, the decimal
 * point, stands between them; `split` says after how many digits. Results of gm_decimal_add have
 * digits of their own.
 *
 * Magnitudes are of any length, exponents are bounded by GM_DECIMAL_MAX_EXPONENT.
 * Owner of the digits: whoever owns the text or the arena. Knows nothing of languages.
 */
#ifndef GM_BASE_DECIMAL_H
#define GM_BASE_DECIMAL_H

#include "base/arena.h"

#define GM_DECIMAL_MAX_EXPONENT 1000000000

typedef struct gm_decimal {
    const char *digits; /* ASCII */
    size_t count;
    size_t split; /* digits from here on stand one byte further; >= count: none does */
    int64_t point;
    bool negative;
} gm_decimal;

/* The digit at an index, 0 past the last. */
static inline unsigned gm_decimal_digit(const gm_decimal *decimal, size_t index)
{
    return index < decimal->count ? (unsigned)(decimal->digits[index + (index >= decimal->split)] - '0') : 0;
}

/* Reads JSON number text; the result borrows it. GM_INVALID_ARGUMENT when it is no number, GM_LIMIT
 * when its exponent is beyond GM_DECIMAL_MAX_EXPONENT (and the value not 0); *decimal is then untouched. */
gm_status gm_decimal_parse(gm_bytes text, gm_decimal *decimal);
/* integer * 10^scale; the digits go to `buffer`. */
gm_decimal gm_decimal_of_u64(char buffer[20], uint64_t integer, int64_t scale);

/* -1, 0 or 1. */
int gm_decimal_compare(const gm_decimal *a, const gm_decimal *b);
int gm_decimal_compare_magnitudes(const gm_decimal *a, const gm_decimal *b);
/* The order of the digits alone, as of fractions 0.d1d2... */
int gm_decimal_compare_digits(const gm_decimal *a, const gm_decimal *b);

static inline bool gm_decimal_is_zero(const gm_decimal *decimal) { return decimal->count == 0; }
static inline bool gm_decimal_is_integer(const gm_decimal *decimal)
{
    return decimal->point >= 0 ? decimal->count <= (uint64_t)decimal->point : decimal->count == 0;
}

/* The same without the digits worth less than 10^-scale: rounded toward zero. */
gm_decimal gm_decimal_truncate(const gm_decimal *decimal, int64_t scale);
gm_decimal gm_decimal_negate(const gm_decimal *decimal);
/* floor(|decimal| * 10^scale) mod modulus, for 0 < modulus < 2^63. Linear in point + scale. */
uint64_t gm_decimal_residue(const gm_decimal *decimal, int64_t scale, uint64_t modulus);
/* The exact sum. Linear in the distance from the first digit to the last of both; false when there
 * is no memory. */
bool gm_decimal_add(gm_arena *arena, const gm_decimal *a, const gm_decimal *b, gm_decimal *sum);

/* (10 * residue + digit) mod modulus, for residue < modulus < 2^63. */
static inline uint64_t gm_residue_append(uint64_t residue, unsigned digit, uint64_t modulus)
{
    if (modulus < (uint64_t)1 << 60)
        return (residue * 10 + digit) % modulus;
    uint64_t five = residue * 2; /* below 2^64 */
    five = five >= modulus ? five - modulus : five;
    five *= 2;
    five = five >= modulus ? five - modulus : five;
    five += residue;
    five = five >= modulus ? five - modulus : five;
    five *= 2;
    five = five >= modulus ? five - modulus : five;
    five += digit;
    return five >= modulus ? five - modulus : five;
}

#endif
