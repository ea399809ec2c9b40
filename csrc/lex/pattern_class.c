/*
 * lex/pattern_class.c - which code points an escape or a class of a pattern stands for.
 *
 * In both dialects a text is a sequence of code points, as JSON Schema has it: a pair of surrogate
 * escapes is the one code point it encodes, and a lone one matches nothing.
 */
#include "lex/pattern.h"
#include "lex/unicode.h"

#include "base/utf8.h"

static const gm_range digits[] = {{'0', '9'}};
static const gm_range word_characters[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const gm_range spaces[] = {{0x9, 0xD},       {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                  {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                  {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

static bool add_range(gm_pattern *pattern, gm_ranges *ranges, uint32_t low, uint32_t high)
{
    return gm_ranges_add(&pattern->text->allocator, ranges, low, high) || gm_pattern_no_memory(pattern);
}

/* Appends pattern->other, or its complement, to pattern->ranges. */
static bool add_other(gm_pattern *pattern, bool complement)
{
    const gm_allocator *allocator = &pattern->text->allocator;
    if (!gm_ranges_normalize(allocator, &pattern->other) ||
        (complement && !gm_ranges_complement(allocator, &pattern->other)))
        return gm_pattern_no_memory(pattern);
    for (size_t i = 0; i < pattern->other.count; i++)
        if (!add_range(pattern, &pattern->ranges, pattern->other.items[i].low, pattern->other.items[i].high))
            return false;
    return true;
}

static gm_escape fixed_set(gm_pattern *pattern, const gm_range *ranges, size_t count, bool complement)
{
    pattern->other.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!add_range(pattern, &pattern->other, ranges[i].low, ranges[i].high))
            return GM_ESCAPE_FAILED;
    return add_other(pattern, complement) ? GM_ESCAPE_SET : GM_ESCAPE_FAILED;
}

static gm_escape character(uint32_t value, uint32_t *code_point)
{
    *code_point = value;
    return GM_ESCAPE_CHARACTER;
}

static gm_escape failure(gm_pattern *pattern, size_t offset, const char *message)
{
    gm_pattern_fail(pattern, offset, message);
    return GM_ESCAPE_FAILED;
}

static bool is_digit(int byte) { return byte >= '0' && byte <= '9'; }

static int hex_value(int byte)
{
    if (is_digit(byte))
        return byte - '0';
    const int lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Reads exactly `count` hexadecimal digits at `ahead`; -1 if they are not there. Moves nothing. */
static int32_t hex_at(const gm_pattern *pattern, size_t ahead, size_t count)
{
    int32_t value = 0;
    for (size_t i = 0; i < count; i++) {
        const int digit = hex_value(gm_pattern_peek(pattern, ahead + i));
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

int32_t gm_pattern_unicode_escape(gm_pattern *pattern, bool braces)
{
    if (braces && gm_pattern_peek(pattern, 0) == '{') {
        size_t ahead = 1;
        int32_t value = 0;
        for (int digit; (digit = hex_value(gm_pattern_peek(pattern, ahead))) >= 0; ahead++) {
            value = value * 16 + digit;
            if (value > (int32_t)GM_MAX_CODE_POINT)
                return -1;
        }
        if (ahead == 1 || gm_pattern_peek(pattern, ahead) != '}')
            return -1;
        pattern->at += ahead + 1;
        return value;
    }
    const int32_t unit = hex_at(pattern, 0, 4);
    if (unit < 0)
        return -1;
    pattern->at += 4;
    if (unit >= 0xD800 && unit <= 0xDBFF && gm_pattern_peek(pattern, 0) == '\\' && gm_pattern_peek(pattern, 1) == 'u') {
        const int32_t low = hex_at(pattern, 2, 4);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            pattern->at += 6;
            return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return unit;
}

/* Annex B: up to three octal digits, at most 0377. */
static uint32_t read_octal(gm_pattern *pattern)
{
    uint32_t value = 0;
    for (int i = 0; i < 3; i++) {
        const int byte = gm_pattern_peek(pattern, 0);
        if (byte < '0' || byte > '7' || value * 8 + (uint32_t)(byte - '0') > 0377)
            break;
        value = value * 8 + (uint32_t)(byte - '0');
        pattern->at++;
    }
    return value;
}

static gm_escape reference(gm_pattern *pattern, size_t offset)
{
    gm_pattern_unsupported(pattern, offset, "back-references are not regular");
    return GM_ESCAPE_REFERENCE;
}

/* \1 ... \9 and what follows: a reference if there are so many groups. */
static gm_escape decimal_escape(gm_pattern *pattern, size_t offset, bool in_class, uint32_t *code_point)
{
    uint64_t number = 0;
    size_t length = 0;
    for (int byte; is_digit(byte = gm_pattern_peek(pattern, length)); length++)
        number = number > UINT32_MAX ? number : number * 10 + (uint64_t)(byte - '0');
    if (!in_class && number <= pattern->capture_count) {
        pattern->at += length;
        return reference(pattern, offset);
    }
    if (pattern->unicode)
        return failure(pattern, offset,
                       in_class ? "a decimal escape in a class" : "a reference to a group that is not there");
    if (gm_pattern_peek(pattern, 0) >= '8') {
        const uint32_t digit = (uint32_t)gm_pattern_peek(pattern, 0);
        pattern->at++;
        return character(digit, code_point);
    }
    return character(read_octal(pattern), code_point);
}

static gm_escape zero_escape(gm_pattern *pattern, size_t offset, uint32_t *code_point)
{
    if (!is_digit(gm_pattern_peek(pattern, 1))) {
        pattern->at++;
        return character(0, code_point);
    }
    if (pattern->unicode)
        return failure(pattern, offset, "\\0 before a digit");
    return character(read_octal(pattern), code_point);
}

static gm_escape control_escape(gm_pattern *pattern, size_t offset, bool in_class, uint32_t *code_point)
{
    const int byte = gm_pattern_peek(pattern, 1);
    const int lower = byte | 0x20;
    const bool is_letter = byte > 0 && lower >= 'a' && lower <= 'z';
    if (is_letter || (!pattern->unicode && in_class && (is_digit(byte) || byte == '_'))) {
        pattern->at += 2;
        return character((uint32_t)byte & 31, code_point);
    }
    if (pattern->unicode)
        return failure(pattern, offset, "\\c without a letter");
    return character('\\', code_point); /* the c is read as the next atom */
}

static gm_escape hex_escape(gm_pattern *pattern, size_t offset, uint32_t *code_point)
{
    pattern->at++;
    const int32_t value = hex_at(pattern, 0, 2);
    if (value >= 0) {
        pattern->at += 2;
        return character((uint32_t)value, code_point);
    }
    if (pattern->unicode)
        return failure(pattern, offset, "\\x without two hexadecimal digits");
    return character('x', code_point);
}

static gm_escape unicode_escape(gm_pattern *pattern, size_t offset, uint32_t *code_point)
{
    pattern->at++;
    const int32_t value = gm_pattern_unicode_escape(pattern, pattern->unicode);
    if (value >= 0)
        return character((uint32_t)value, code_point);
    return pattern->unicode ? failure(pattern, offset, "\\u without a code point") : character('u', code_point);
}

static gm_escape named_reference(gm_pattern *pattern, size_t offset, bool in_class, uint32_t *code_point)
{
    pattern->at++;
    if (!pattern->unicode && !pattern->named_groups)
        return character('k', code_point);
    if (in_class || !gm_pattern_skip(pattern, '<'))
        return failure(pattern, offset, "\\k without the name of a group");
    if (!gm_pattern_name(pattern))
        return GM_ESCAPE_FAILED;
    if (!gm_pattern_keep_name(pattern, offset, true))
        return GM_ESCAPE_FAILED;
    return reference(pattern, offset);
}

static bool is_property_byte(int byte)
{
    return is_digit(byte) || byte == '_' || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' && byte > 0);
}

static gm_bytes read_property_word(gm_pattern *pattern)
{
    const size_t from = pattern->at;
    while (is_property_byte(gm_pattern_peek(pattern, 0)))
        pattern->at++;
    return (gm_bytes){pattern->source.data + from, pattern->at - from};
}

/* \p{Name}, \p{Name=Value} */
static gm_escape property_escape(gm_pattern *pattern, size_t offset, bool complement)
{
    pattern->at++;
    if (!gm_pattern_skip(pattern, '{'))
        return failure(pattern, offset, "\\p without braces");
    gm_bytes name = read_property_word(pattern), value = {NULL, 0};
    if (gm_pattern_skip(pattern, '='))
        value = read_property_word(pattern);
    if (!gm_pattern_skip(pattern, '}'))
        return failure(pattern, offset, "\\p without a closing brace");
    pattern->other.count = 0;
    switch (gm_unicode_property(&pattern->text->allocator, name, value, &pattern->other)) {
    case GM_PROPERTY_FOUND:
        return add_other(pattern, complement) ? GM_ESCAPE_SET : GM_ESCAPE_FAILED;
    case GM_PROPERTY_UNKNOWN:
        return failure(pattern, offset, "no such Unicode property");
    case GM_PROPERTY_NO_MEMORY:
        break;
    }
    gm_pattern_no_memory(pattern);
    return GM_ESCAPE_FAILED;
}

static gm_escape identity_escape(gm_pattern *pattern, size_t offset, bool in_class, uint32_t *code_point)
{
    const int byte = gm_pattern_peek(pattern, 0);
    const bool is_syntax = byte > 0 && strchr("^$\\.*+?()[]{}|/", byte) != NULL;
    if (pattern->unicode && !is_syntax && !(in_class && byte == '-'))
        return failure(pattern, offset, "an escape without meaning");
    return gm_pattern_read(pattern, code_point) ? GM_ESCAPE_CHARACTER : GM_ESCAPE_FAILED;
}

static gm_escape simple_escape(gm_pattern *pattern, uint32_t value, uint32_t *code_point)
{
    pattern->at++;
    return character(value, code_point);
}

static gm_escape set_escape(gm_pattern *pattern, const gm_range *ranges, size_t count, bool complement)
{
    pattern->at++;
    return fixed_set(pattern, ranges, count, complement);
}

gm_escape gm_pattern_escape(gm_pattern *pattern, bool in_class, uint32_t *code_point)
{
    const size_t offset = pattern->at - 1;
    const int byte = gm_pattern_peek(pattern, 0);
    switch (byte) {
    case -1:
        return failure(pattern, offset, "a backslash at the end");
    case 'd':
    case 'D':
        return set_escape(pattern, digits, GM_COUNT_OF(digits), byte == 'D');
    case 'w':
    case 'W':
        return set_escape(pattern, word_characters, GM_COUNT_OF(word_characters), byte == 'W');
    case 's':
    case 'S':
        return set_escape(pattern, spaces, GM_COUNT_OF(spaces), byte == 'S');
    case 'p':
    case 'P':
        if (pattern->unicode)
            return property_escape(pattern, offset, byte == 'P');
        if (gm_pattern_peek(pattern, 1) == '{') /* by the letter of Annex B it is a p, but nobody means that */
            gm_pattern_unsupported(pattern, offset, "a \\p{...} in a pattern that is not valid with the u flag");
        break;
    case 'f':
        return simple_escape(pattern, '\f', code_point);
    case 'n':
        return simple_escape(pattern, '\n', code_point);
    case 'r':
        return simple_escape(pattern, '\r', code_point);
    case 't':
        return simple_escape(pattern, '\t', code_point);
    case 'v':
        return simple_escape(pattern, '\v', code_point);
    case 'b':
        if (in_class)
            return simple_escape(pattern, '\b', code_point);
        break;
    case 'c':
        return control_escape(pattern, offset, in_class, code_point);
    case 'x':
        return hex_escape(pattern, offset, code_point);
    case 'u':
        return unicode_escape(pattern, offset, code_point);
    case 'k':
        return named_reference(pattern, offset, in_class, code_point);
    case '0':
        return zero_escape(pattern, offset, code_point);
    default:
        if (byte >= '1' && byte <= '9')
            return decimal_escape(pattern, offset, in_class, code_point);
        break;
    }
    return identity_escape(pattern, offset, in_class, code_point);
}

bool gm_pattern_word_characters(gm_pattern *pattern)
{
    pattern->ranges.count = 0;
    return fixed_set(pattern, word_characters, GM_COUNT_OF(word_characters), false) != GM_ESCAPE_FAILED;
}

/* ---- classes ---- */

/* Reads one atom. A set is in pattern->ranges afterwards, a character is not. */
static bool read_class_atom(gm_pattern *pattern, bool *is_set, uint32_t *code_point)
{
    *is_set = false;
    *code_point = 0;
    if (gm_pattern_peek(pattern, 0) != '\\')
        return gm_pattern_read(pattern, code_point);
    pattern->at++;
    const gm_escape escape = gm_pattern_escape(pattern, true, code_point);
    *is_set = escape == GM_ESCAPE_SET;
    return escape != GM_ESCAPE_FAILED;
}

/* Adds low - high, where either may be a set that Annex B takes for itself, beside a hyphen. */
static bool add_class_range(gm_pattern *pattern, size_t offset, bool low_is_set, uint32_t low)
{
    bool high_is_set;
    uint32_t high = 0;
    pattern->at++; /* the hyphen */
    if (!read_class_atom(pattern, &high_is_set, &high))
        return false;
    if (low_is_set || high_is_set) {
        if (pattern->unicode)
            return gm_pattern_fail(pattern, offset, "a range between sets");
        return (low_is_set || add_range(pattern, &pattern->ranges, low, low)) &&
               (high_is_set || add_range(pattern, &pattern->ranges, high, high)) &&
               add_range(pattern, &pattern->ranges, '-', '-');
    }
    if (low > high)
        return gm_pattern_fail(pattern, offset, "a range out of order");
    return add_range(pattern, &pattern->ranges, low, high);
}

bool gm_pattern_class(gm_pattern *pattern)
{
    const size_t offset = pattern->at - 1;
    const bool complement = gm_pattern_skip(pattern, '^');
    pattern->ranges.count = 0;
    while (!gm_pattern_skip(pattern, ']')) {
        const size_t begin = pattern->at;
        bool is_set;
        uint32_t code_point;
        if (gm_pattern_peek(pattern, 0) < 0)
            return gm_pattern_fail(pattern, offset, "a class without an end");
        if (!read_class_atom(pattern, &is_set, &code_point))
            return false;
        const int next = gm_pattern_peek(pattern, 1);
        if (gm_pattern_peek(pattern, 0) == '-' && next != ']' && next >= 0) {
            if (!add_class_range(pattern, begin, is_set, code_point))
                return false;
        } else if (!is_set && !add_range(pattern, &pattern->ranges, code_point, code_point)) {
            return false;
        }
    }
    const gm_allocator *allocator = &pattern->text->allocator;
    if (!gm_ranges_normalize(allocator, &pattern->ranges) ||
        (complement && !gm_ranges_complement(allocator, &pattern->ranges)))
        return gm_pattern_no_memory(pattern);
    return true;
}
