/* base/decimal.c - see decimal.h. */
#include "base/decimal.h"

/* ---- reading ---- */

/* The shape of a number's text: offsets of its parts. */
typedef struct shape {
    size_t integer, integer_count;
    size_t fraction, fraction_count;
    size_t exponent, exponent_count;
    bool negative, exponent_negative;
} shape;

static size_t count_digits(gm_bytes text, size_t at)
{
    size_t end = at;
    while (end < text.length && text.data[end] >= '0' && text.data[end] <= '9')
        end++;
    return end - at;
}

static bool find_shape(gm_bytes text, shape *out)
{
    shape s = {.negative = text.length > 0 && text.data[0] == '-'};
    size_t at = s.integer = s.negative;
    s.integer_count = count_digits(text, at);
    if (s.integer_count == 0 || (s.integer_count > 1 && text.data[at] == '0'))
        return false;
    at += s.integer_count;
    if (at < text.length && text.data[at] == '.') {
        s.fraction = ++at;
        s.fraction_count = count_digits(text, at);
        if (s.fraction_count == 0)
            return false;
        at += s.fraction_count;
    }
    if (at < text.length && (text.data[at] == 'e' || text.data[at] == 'E')) {
        at++;
        s.exponent_negative = at < text.length && text.data[at] == '-';
        at += at < text.length && (text.data[at] == '-' || text.data[at] == '+');
        s.exponent = at;
        s.exponent_count = count_digits(text, at);
        if (s.exponent_count == 0)
            return false;
        at += s.exponent_count;
    }
    *out = s;
    return at == text.length;
}

static bool read_exponent(gm_bytes text, const shape *s, int64_t *out)
{
    int64_t exponent = 0;
    for (size_t i = 0; i < s->exponent_count; i++) {
        exponent = exponent * 10 + (text.data[s->exponent + i] - '0');
        if (exponent > GM_DECIMAL_MAX_EXPONENT)
            return false;
    }
    *out = s->exponent_negative ? -exponent : exponent;
    return true;
}

/* The digit at an index of integer and fraction part together. */
static char mantissa_digit(gm_bytes text, const shape *s, size_t index)
{
    return text.data[index < s->integer_count ? s->integer + index : s->fraction + (index - s->integer_count)];
}

gm_status gm_decimal_parse(gm_bytes text, gm_decimal *decimal)
{
    shape s;
    if (!find_shape(text, &s))
        return GM_INVALID_ARGUMENT;
    size_t first = 0, last = s.integer_count + s.fraction_count;
    while (first < last && mantissa_digit(text, &s, first) == '0')
        first++;
    while (last > first && mantissa_digit(text, &s, last - 1) == '0')
        last--;
    if (first == last) {
        *decimal = (gm_decimal){0};
        return GM_OK;
    }
    int64_t exponent = 0;
    if (!read_exponent(text, &s, &exponent))
        return GM_LIMIT;
    const bool in_integer = first < s.integer_count;
    *decimal = (gm_decimal){
        .digits = text.data + (in_integer ? s.integer + first : s.fraction + (first - s.integer_count)),
        .count = last - first,
        .split = in_integer && last > s.integer_count ? s.integer_count - first : last - first,
        .point = (int64_t)s.integer_count - (int64_t)first + exponent,
        .negative = s.negative,
    };
    return GM_OK;
}

gm_decimal gm_decimal_of_u64(char buffer[20], uint64_t integer, int64_t scale)
{
    if (integer == 0)
        return (gm_decimal){0};
    for (; integer % 10 == 0; integer /= 10)
        scale++;
    size_t count = 0;
    for (uint64_t rest = integer; rest != 0; rest /= 10)
        count++;
    for (size_t i = count; i-- > 0; integer /= 10)
        buffer[i] = (char)('0' + integer % 10);
    return (gm_decimal){.digits = buffer, .count = count, .split = count, .point = (int64_t)count + scale};
}

/* ---- comparing ---- */

int gm_decimal_compare_digits(const gm_decimal *a, const gm_decimal *b)
{
    const size_t common = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < common; i++) {
        const unsigned x = gm_decimal_digit(a, i), y = gm_decimal_digit(b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return a->count < b->count ? -1 : a->count > b->count;
}

int gm_decimal_compare_magnitudes(const gm_decimal *a, const gm_decimal *b)
{
    if (a->count == 0 || b->count == 0)
        return (a->count != 0) - (b->count != 0);
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    return gm_decimal_compare_digits(a, b);
}

int gm_decimal_compare(const gm_decimal *a, const gm_decimal *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    const int order = gm_decimal_compare_magnitudes(a, b);
    return a->negative ? -order : order;
}

/* ---- arithmetic ---- */

gm_decimal gm_decimal_truncate(const gm_decimal *decimal, int64_t scale)
{
    const int64_t kept = decimal->point + scale;
    gm_decimal result = *decimal;
    if (kept <= 0 || decimal->count == 0)
        return (gm_decimal){0};
    if ((uint64_t)kept < result.count)
        result.count = (size_t)kept;
    while (gm_decimal_digit(&result, result.count - 1) == 0) /* the first digit is not 0 */
        result.count--;
    return result;
}

gm_decimal gm_decimal_negate(const gm_decimal *decimal)
{
    gm_decimal result = *decimal;
    result.negative = decimal->count != 0 && !decimal->negative;
    return result;
}

uint64_t gm_decimal_residue(const gm_decimal *decimal, int64_t scale, uint64_t modulus)
{
    GM_ASSERT(modulus > 0 && modulus <= INT64_MAX);
    const int64_t kept = decimal->point + scale;
    uint64_t residue = 0;
    for (int64_t i = 0; i < kept && decimal->count != 0; i++)
        residue = gm_residue_append(residue, gm_decimal_digit(decimal, (size_t)i), modulus);
    return residue;
}

/* The digit worth 10^weight. */
static int digit_of_weight(const gm_decimal *decimal, int64_t weight)
{
    return weight < decimal->point ? (int)gm_decimal_digit(decimal, (size_t)(decimal->point - 1 - weight)) : 0;
}

/* Cuts zeros off both ends of a buffer whose first digit is worth 10^top. */
static gm_decimal trimmed(const char *digits, size_t count, int64_t top, bool negative)
{
    size_t first = 0;
    while (first < count && digits[first] == '0')
        first++;
    while (count > first && digits[count - 1] == '0')
        count--;
    if (first == count)
        return (gm_decimal){0};
    return (gm_decimal){digits + first, count - first, count - first, top + 1 - (int64_t)first, negative};
}

bool gm_decimal_add(gm_arena *arena, const gm_decimal *a, const gm_decimal *b, gm_decimal *sum)
{
    if (a->count == 0 || b->count == 0) {
        *sum = a->count == 0 ? *b : *a;
        return true;
    }
    const bool subtract = a->negative != b->negative;
    const gm_decimal *large = gm_decimal_compare_magnitudes(a, b) >= 0 ? a : b, *small = large == a ? b : a;
    const int64_t end_a = a->point - (int64_t)a->count, end_b = b->point - (int64_t)b->count;
    const int64_t end = end_a < end_b ? end_a : end_b;
    const size_t count = (size_t)(large->point - end) + 1; /* one for a carry */
    char *digits = gm_arena_take(arena, count);
    if (digits == NULL)
        return false;
    int carry = 0;
    for (size_t i = count; i-- > 0;) {
        const int64_t weight = large->point - (int64_t)i;
        const int x = digit_of_weight(large, weight), y = digit_of_weight(small, weight);
        const int digit = subtract ? x - y - carry : x + y + carry;
        carry = subtract ? digit < 0 : digit > 9;
        digits[i] = (char)('0' + (subtract ? digit + 10 * carry : digit - 10 * carry));
    }
    *sum = trimmed(digits, count, large->point, large->negative);
    return true;
}
