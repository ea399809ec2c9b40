/*
 * vocab/spelling.c - from the way a tokenizer file writes a piece to the bytes it stands for.
 *
 * Byte level: GPT-2 gave each byte a printable letter. Bytes that print (21 to 7E, A1 to AC, AE to
 * FF) are the letter of their own number; the other 68 are, in order, the letters from U+0100 on.
 * Some vocabularies hold pieces that were never put into this alphabet; one letter outside it, or
 * ill-formed UTF-8, means that the whole piece is to be taken as it stands.
 *
 * Byte fallback: a space is written U+2581, and what has no piece of its own is written in pieces
 * `<0xNN>`; those get a flag besides, so the caller asks for them first.
 *
 * Neither makes a text longer.
 */
#include "base/utf8.h"
#include "vocab/block.h"

/* The byte of a letter, or -1. */
static int byte_of_letter(uint32_t letter)
{
    if (letter < 0x100) {
        const bool prints = (letter >= 0x21 && letter <= 0x7E) || (letter >= 0xA1 && letter != 0xAD);
        return prints ? (int)letter : -1;
    }
    const uint32_t place = letter - 0x100;
    if (place <= 0x20)
        return (int)place;
    if (place <= 0x20 + (0xA0 - 0x7F + 1))
        return (int)(place - 0x21 + 0x7F);
    return letter == 0x143 ? 0xAD : -1;
}

static size_t spell_byte_level(const uint8_t *piece, size_t length, uint8_t *out)
{
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        const uint32_t letter = gm_utf8_read((const char *)piece, length, &at);
        const int byte = byte_of_letter(letter);
        if (byte < 0) {
            memcpy(out, piece, length);
            return length;
        }
        out[written++] = (uint8_t)byte;
    }
    return written;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const uint8_t lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool gm_spell_byte_piece(const uint8_t *piece, size_t length, uint8_t *byte)
{
    if (length != 6 || memcmp(piece, "<0x", 3) != 0 || piece[5] != '>')
        return false;
    const int high = hex_digit(piece[3]), low = hex_digit(piece[4]);
    if (high < 0 || low < 0)
        return false;
    *byte = (uint8_t)(high << 4 | low);
    return true;
}

static size_t spell_byte_fallback(const uint8_t *piece, size_t length, uint8_t *out)
{
    size_t written = 0;
    for (size_t at = 0; at < length; written++) {
        const bool space = piece[at] == 0xE2 && length - at >= 3 && piece[at + 1] == 0x96 && piece[at + 2] == 0x81;
        out[written] = space ? ' ' : piece[at];
        at += space ? 3 : 1;
    }
    return written;
}

size_t gm_spell(gm_spelling spelling, const uint8_t *piece, size_t length, uint8_t *out)
{
    if (length == 0)
        return 0;
    switch (spelling) {
    case GM_SPELLING_BYTE_LEVEL:
        return spell_byte_level(piece, length, out);
    case GM_SPELLING_BYTE_FALLBACK:
        return spell_byte_fallback(piece, length, out);
    case GM_SPELLING_RAW:
        break;
    }
    memcpy(out, piece, length);
    return length;
}
