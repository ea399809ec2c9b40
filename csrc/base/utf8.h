/*
 * base/utf8.h - UTF-8 and code points. Surrogates are not code points of text here.
 */
#ifndef GM_BASE_UTF8_H
#define GM_BASE_UTF8_H

#include "base/base.h"

#define GM_MAX_CODE_POINT 0x10FFFFu

/* Reads the code point at *at (*at < length), moves *at past it; UINT32_MAX (and *at unmoved) when
 * the bytes there are not well-formed UTF-8. */
uint32_t gm_utf8_read(const char *text, size_t length, size_t *at);
/* Writes 1 to 4 bytes; returns how many. */
size_t gm_utf8_write(uint32_t code_point, char out[4]);
/* Number of code points, or SIZE_MAX when the text is not well-formed. */
size_t gm_utf8_count(gm_bytes text);
/* Offset of the first ill-formed byte, or length. */
size_t gm_utf8_valid_prefix(gm_bytes text);

/* Whether an ASCII character stands for itself in a JSON string. */
static inline bool gm_spells_itself(uint32_t byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

#endif
