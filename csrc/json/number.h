/*
 * json/number.h - private to json/: the exact value of a number's text, without arithmetic on it.
 *
 * value = (-1)^negative * (the digits from `first` to `last`, a point among them skipped) * 10^exponent
 *
 * Neither the first nor the last digit is 0, so equal values have equal digits and equal exponents
 * and others do not. The exponent may have any size: it is kept as the text's own exponent digits
 * and a small correction, and comes out digit by digit.
 */
#ifndef GM_JSON_NUMBER_H
#define GM_JSON_NUMBER_H

#include "base/base.h"

/* A magnitude: the number that `length` decimal digits spell, plus `carry`; never negative. */
typedef struct gm_json_magnitude {
    const char *digits;
    size_t length;
    int64_t carry;
} gm_json_magnitude;

typedef struct gm_json_number {
    bool is_zero; /* then nothing else counts */
    bool negative;
    const char *first;
    const char *last; /* inclusive */
    bool exponent_negative;
    gm_json_magnitude exponent;
} gm_json_number;

/* `text` is a number by RFC 8259. */
gm_json_number gm_json_number_of(gm_bytes text);
bool gm_json_numbers_equal(gm_bytes a, gm_bytes b);
/* Upper bound of what gm_json_number_write writes. */
size_t gm_json_number_room(gm_bytes text);
/* Writes sign, digits, 'e', exponent ("0e0" for zero); returns how many bytes. */
size_t gm_json_number_write(gm_bytes text, char *out);

#endif
