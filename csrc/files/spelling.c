/* files/spelling.c - see spelling.h. */
#include "files/spelling.h"

#include <string.h>

/* ---- GPT-2's alphabet ---- */

/* The alphabet writes 188 visible bytes as the letter with that code point, and the other 68, in
 * ascending order, as the letters from U+0100 on. Returns the byte of a letter, or -1. */
static int byte_of_letter(uint32_t letter)
{
    if ((letter >= 0x21 && letter <= 0x7e) || (letter >= 0xa1 && letter <= 0xff && letter != 0xad))
        return (int)letter;
    if (letter < 0x100 || letter > 0x143)
        return -1;
    const int rank = (int)letter - 0x100;
    return rank < 33 ? rank : rank < 67 ? 0x7f + (rank - 33) : 0xad;
}

/* False when a letter is outside the alphabet. Letters of it have at most two bytes in UTF-8. */
static bool spell_byte_level(const uint8_t *text, size_t length, uint8_t *out, size_t *out_length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t letter = text[i];
        if (letter >= 0x80) {
            if (letter < 0xc2 || letter > 0xdf || i + 1 == length || (text[i + 1] & 0xc0) != 0x80)
                return false;
            letter = (letter & 0x1f) << 6 | (text[++i] & 0x3f);
        }
        const int byte = byte_of_letter(letter);
        if (byte < 0)
            return false;
        out[count++] = (uint8_t)byte;
    }
    *out_length = count;
    return true;
}

/* ---- sign for a space ---- */

static size_t spell_spaces(const gm_file_spelling *spelling, const uint8_t *text, size_t length, uint8_t *out)
{
    size_t count = 0;
    for (size_t i = 0; i < length;) {
        if (length - i >= spelling->space_length && memcmp(text + i, spelling->space, spelling->space_length) == 0) {
            out[count++] = ' ';
            i += spelling->space_length;
        } else {
            out[count++] = text[i++];
        }
    }
    return count;
}

size_t gm_file_spell(const gm_file_spelling *spelling, const uint8_t *text, size_t length, uint8_t *out)
{
    size_t count;
    if (spelling->byte_level && spell_byte_level(text, length, out, &count))
        return count;
    if (!spelling->byte_level && spelling->space != NULL)
        return spell_spaces(spelling, text, length, out);
    if (length != 0)
        memcpy(out, text, length);
    return length;
}

/* ---- byte pieces ---- */

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool gm_file_byte_piece(const uint8_t *text, size_t length, uint8_t *byte)
{
    if (length != 6 || memcmp(text, "<0x", 3) != 0 || text[5] != '>')
        return false;
    const int high = hex_digit(text[3]), low = hex_digit(text[4]);
    if (high < 0 || low < 0)
        return false;
    *byte = (uint8_t)(high << 4 | low);
    return true;
}

/* ---- base64 ---- */

static int base64_digit(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool gm_file_base64(const uint8_t *text, size_t length, uint8_t *out, size_t *out_length)
{
    if (length == 1 && text[0] == '=') {
        *out_length = 0;
        return true;
    }
    if (length % 4 != 0)
        return false;
    size_t digits = length;
    while (digits > 0 && length - digits < 2 && text[digits - 1] == '=')
        digits--;

    uint32_t bits = 0;
    size_t count = 0;
    for (size_t i = 0; i < digits; i++) {
        const int digit = base64_digit(text[i]);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 0)
            out[count++] = (uint8_t)(bits >> (2 * (3 - i % 4)));
    }
    /* What the padding cuts off must be zero, else two spellings would be one text. */
    const uint32_t rest = length - digits == 1 ? 0x3 : length - digits == 2 ? 0xf : 0;
    *out_length = count;
    return (bits & rest) == 0;
}
