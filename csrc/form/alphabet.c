/* form/alphabet.c - see alphabet.h. */
#include "form/alphabet.h"

#include "base/array.h"
#include "base/utf8.h"

#include <stdio.h>

static bool has(const gm_alphabet *alphabet, uint8_t byte) { return !(alphabet->missing[byte / 64] >> byte % 64 & 1); }

bool gm_alphabet_has(const gm_alphabet *alphabet, const char *bytes)
{
    for (; *bytes != '\0' && !alphabet->is_whole; bytes++)
        if (!has(alphabet, (uint8_t)*bytes))
            return false;
    return true;
}

/* One \uXXXX, its digits in either case. */
static bool has_unit(const gm_alphabet *alphabet, uint32_t unit)
{
    if (!gm_alphabet_has(alphabet, "\\u"))
        return false;
    for (int shift = 12; shift >= 0; shift -= 4) {
        const uint32_t digit = unit >> shift & 15;
        if (!has(alphabet, (uint8_t)"0123456789abcdef"[digit]) && !has(alphabet, (uint8_t)"0123456789ABCDEF"[digit]))
            return false;
    }
    return true;
}

static bool has_short_escape(const gm_alphabet *alphabet, uint32_t point)
{
    static const char points[] = "\"\\/\b\f\n\r\t", letters[] = "\"\\/bfnrt";
    for (size_t i = 0; i < sizeof points - 1; i++)
        if (point == (uint8_t)points[i])
            return has(alphabet, '\\') && has(alphabet, (uint8_t)letters[i]);
    return false;
}

static bool spells_point(const gm_alphabet *alphabet, uint32_t point)
{
    char bytes[4];
    bool raw = point >= 0x20 && point != '"' && point != '\\';
    const size_t length = gm_utf8_write(point, bytes);
    for (size_t i = 0; i < length && raw; i++)
        raw = has(alphabet, (uint8_t)bytes[i]);
    if (raw || has_short_escape(alphabet, point))
        return true;
    if (point < 0x10000)
        return has_unit(alphabet, point);
    return has_unit(alphabet, 0xD800 + ((point - 0x10000) >> 10)) && has_unit(alphabet, 0xDC00 + ((point - 0x10000) & 0x3FF));
}

typedef GM_ARRAY(char) pattern_text;

static bool add_range(const gm_allocator *allocator, pattern_text *pattern, uint32_t first, uint32_t last)
{
    char range[40];
    const int length = snprintf(range, sizeof range, "\\u{%x}-\\u{%x}", (unsigned)first, (unsigned)last);
    for (int i = 0; i < length; i++)
        if (!GM_ARRAY_PUSH(allocator, pattern, range[i]))
            return false;
    return true;
}

/* The pattern ^[...]*$ of the spellable code points. */
static bool write_pattern(const gm_alphabet *alphabet, const gm_allocator *allocator, pattern_text *pattern)
{
    const uint32_t none = UINT32_MAX;
    uint32_t first = none;
    bool room = GM_ARRAY_PUSH(allocator, pattern, '^') && GM_ARRAY_PUSH(allocator, pattern, '[');
    for (uint32_t point = 0; point <= GM_MAX_CODE_POINT + 1 && room; point++) {
        const bool inside = point <= GM_MAX_CODE_POINT && !(point >= 0xD800 && point <= 0xDFFF) && spells_point(alphabet, point);
        if (inside && first == none)
            first = point;
        if (!inside && first != none) {
            room = add_range(allocator, pattern, first, point - 1);
            first = none;
        }
    }
    static const char end[] = "]*$";
    for (size_t i = 0; i < sizeof end - 1 && room; i++)
        room = GM_ARRAY_PUSH(allocator, pattern, end[i]);
    return room;
}

gm_status gm_alphabet_init(gm_alphabet *alphabet, const uint64_t missing[4], gm_text *text, gm_error *error)
{
    memcpy(alphabet->missing, missing, sizeof alphabet->missing);
    alphabet->is_whole = (missing[0] | missing[1] | missing[2] | missing[3]) == 0;
    alphabet->content = GM_TERM_ANY;
    if (alphabet->is_whole)
        return GM_OK;
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    pattern_text pattern = {0};
    gm_status status = write_pattern(alphabet, &allocator, &pattern) ? GM_OK : gm_no_memory(error);
    if (status == GM_OK)
        status = gm_text_pattern(text, (gm_bytes){pattern.items, pattern.count}, &alphabet->content, error);
    GM_ARRAY_FREE(&allocator, &pattern);
    return status;
}

bool gm_alphabet_spells(const gm_alphabet *alphabet, gm_bytes string)
{
    for (size_t at = 0; at < string.length && !alphabet->is_whole;) {
        const uint32_t point = gm_utf8_read(string.data, string.length, &at);
        if (point == UINT32_MAX || !spells_point(alphabet, point))
            return false;
    }
    return true;
}
