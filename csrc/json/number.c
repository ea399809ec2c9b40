/* json/number.c - see number.h. */
#include "json/number.h"

/* Exponents with more significant digits than this are kept as text. */
enum { SMALL_EXPONENT_DIGITS = 18, EXPONENT_ROOM = 24 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The lowest digit of what is left; 0 for ever once nothing is left. */
static char take_digit(gm_json_magnitude *left)
{
    int64_t sum = left->carry;
    if (left->length != 0)
        sum += left->digits[--left->length] - '0';
    int64_t digit = sum % 10;
    if (digit < 0)
        digit += 10;
    left->carry = (sum - digit) / 10;
    return (char)('0' + digit);
}

/* exponent = the text's exponent + shift, where |shift| is at most the length of a text. */
static void set_exponent(gm_json_number *number, gm_bytes text, int64_t shift)
{
    const bool negative = text.length != 0 && *text.data == '-';
    if (text.length != 0 && !is_digit(*text.data))
        text.data++, text.length--;
    while (text.length != 0 && *text.data == '0')
        text.data++, text.length--;

    if (text.length > SMALL_EXPONENT_DIGITS) { /* outweighs any shift, which cannot turn the sign */
        number->exponent_negative = negative;
        number->exponent = (gm_json_magnitude){text.data, text.length, negative ? -shift : shift};
        return;
    }
    int64_t exponent = 0;
    for (size_t i = 0; i < text.length; i++)
        exponent = exponent * 10 + (text.data[i] - '0');
    exponent = (negative ? -exponent : exponent) + shift;
    number->exponent_negative = exponent < 0;
    number->exponent = (gm_json_magnitude){.carry = exponent < 0 ? -exponent : exponent};
}

gm_json_number gm_json_number_of(gm_bytes text)
{
    gm_json_number number = {.is_zero = true, .negative = text.length != 0 && *text.data == '-'};
    const char *const end = text.data + text.length;
    const char *const start = text.data + number.negative;
    const char *point = NULL;
    const char *at = start;
    for (; at < end && (is_digit(*at) || *at == '.'); at++) {
        if (*at == '.') {
            point = at;
        } else if (*at != '0') {
            if (number.is_zero)
                number.first = at;
            number.is_zero = false;
            number.last = at;
        }
    }
    if (number.is_zero)
        return number;
    const char *const unit = point != NULL ? point : at; /* the digit before it counts ones */
    const int64_t shift = number.last > unit ? unit - number.last : unit - 1 - number.last;
    const char *const exponent = at < end ? at + 1 : end; /* past the 'e' */
    set_exponent(&number, (gm_bytes){exponent, (size_t)(end - exponent)}, shift);
    return number;
}

static bool magnitudes_equal(gm_json_magnitude a, gm_json_magnitude b)
{
    while (a.length != 0 || b.length != 0 || a.carry != 0 || b.carry != 0)
        if (take_digit(&a) != take_digit(&b))
            return false;
    return true;
}

static bool digits_equal(const gm_json_number *a, const gm_json_number *b)
{
    const char *left = a->first;
    const char *right = b->first;
    for (;; left++, right++) {
        if (*left == '.')
            left++;
        if (*right == '.')
            right++;
        if (*left != *right)
            return false;
        if (left == a->last || right == b->last)
            return left == a->last && right == b->last;
    }
}

bool gm_json_numbers_equal(gm_bytes a, gm_bytes b)
{
    if (gm_bytes_equal(a, b))
        return true;
    const gm_json_number left = gm_json_number_of(a);
    const gm_json_number right = gm_json_number_of(b);
    if (left.is_zero || right.is_zero)
        return left.is_zero && right.is_zero;
    return left.negative == right.negative && left.exponent_negative == right.exponent_negative &&
           digits_equal(&left, &right) && magnitudes_equal(left.exponent, right.exponent);
}

size_t gm_json_number_room(gm_bytes text) { return text.length + EXPONENT_ROOM; }

static size_t write_magnitude(gm_json_magnitude magnitude, char *out)
{
    size_t count = 0;
    while (magnitude.length != 0 || magnitude.carry != 0)
        out[count++] = take_digit(&magnitude);
    while (count > 0 && out[count - 1] == '0')
        count--;
    if (count == 0)
        out[count++] = '0';
    for (size_t i = 0; i < count / 2; i++) {
        const char low = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = low;
    }
    return count;
}

size_t gm_json_number_write(gm_bytes text, char *out)
{
    const gm_json_number number = gm_json_number_of(text);
    if (number.is_zero) {
        memcpy(out, "0e0", 3);
        return 3;
    }
    size_t count = 0;
    if (number.negative)
        out[count++] = '-';
    for (const char *at = number.first; at <= number.last; at++)
        if (*at != '.')
            out[count++] = *at;
    out[count++] = 'e';
    if (number.exponent_negative)
        out[count++] = '-';
    return count + write_magnitude(number.exponent, out + count);
}
