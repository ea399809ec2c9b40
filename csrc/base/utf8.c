/* base/utf8.c - see utf8.h. Well-formedness as in table 3-7 of the Unicode Standard. */
#include "base/utf8.h"

uint32_t gm_utf8_read(const char *text, size_t length, size_t *at)
{
    const unsigned char *bytes = (const unsigned char *)text + *at;
    const size_t left = length - *at;
    const unsigned char first = bytes[0];
    if (first < 0x80) {
        *at += 1;
        return first;
    }
    const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || left < size)
        return UINT32_MAX;
    uint32_t value = first & (0xFFu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return UINT32_MAX;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[size] || value > GM_MAX_CODE_POINT || (value >= 0xD800 && value <= 0xDFFF))
        return UINT32_MAX;
    *at += size;
    return value;
}

size_t gm_utf8_write(uint32_t code_point, char out[4])
{
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        out[0] = (char)(0xE0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code_point >> 18);
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}

size_t gm_utf8_count(gm_bytes text)
{
    size_t count = 0;
    for (size_t at = 0; at < text.length; count++)
        if (gm_utf8_read(text.data, text.length, &at) == UINT32_MAX)
            return SIZE_MAX;
    return count;
}

size_t gm_utf8_valid_prefix(gm_bytes text)
{
    size_t at = 0;
    while (at < text.length)
        if (gm_utf8_read(text.data, text.length, &at) == UINT32_MAX)
            break;
    return at;
}
