/*
 * files/spelling.h - how pieces are written in files: GPT-2's alphabet, U+2581, <0xNN>, base64.
 *
 * All of these shorten or keep a text, so the output fits where the input did. Pure functions.
 */
#ifndef GM_FILES_SPELLING_H
#define GM_FILES_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the pieces of a file stand for bytes. */
typedef struct gm_file_spelling {
    bool byte_level;      /* letters of the GPT-2 alphabet; a piece with any other letter is its own UTF-8 */
    const uint8_t *space; /* else: this run of bytes is a space (NULL: none is) */
    size_t space_length;
} gm_file_spelling;

/* U+2581, the usual sign for a space. */
#define GM_FILE_SPACE_SIGN "\xe2\x96\x81"

/* Writes the bytes of a piece to `out` (room for `length`), returns how many. */
size_t gm_file_spell(const gm_file_spelling *spelling, const uint8_t *text, size_t length, uint8_t *out);

/* Reads <0xNN>; false when it is anything else. */
bool gm_file_byte_piece(const uint8_t *text, size_t length, uint8_t *byte);

/* Decodes canonical base64 with padding; "=" alone is the empty text (rank files hold it). False
 * when it is not base64. `out` has room for 3 bytes for each 4 of the input. */
bool gm_file_base64(const uint8_t *text, size_t length, uint8_t *out, size_t *out_length);

#endif
