/*
 * files/readers.h - one reader a format: bytes of a file in, token table out.
 *
 * A reader trusts nothing: every offset is checked against the span, every count against the bytes
 * that are left. On failure the table holds some of the tokens and must be freed.
 */
#ifndef GM_FILES_READERS_H
#define GM_FILES_READERS_H

#include "files/document.h"
#include "files/table.h"

/* True when the text begins with a line of a rank file. */
bool gm_file_is_rank_file(gm_file_span file);
gm_status gm_file_read_ranks(gm_file_span file, gm_file_table *table, gm_error *error);
/* Adds the special tokens of a rank file from JSON text. */
gm_status gm_file_read_specials(gm_file_span text, gm_file_table *table, gm_error *error);

/* Any JSON file: tokenizer.json or tekken.json, told apart by their members. */
gm_status gm_file_read_json(gm_file_span file, gm_file_table *table, gm_error *error);
gm_status gm_file_read_tekken(gm_file_document *document, gm_file_value config, gm_file_value vocab,
                              const gm_file_value *specials, gm_file_table *table, gm_error *error);

gm_status gm_file_read_sentence_piece(gm_file_span file, gm_file_table *table, gm_error *error);
gm_status gm_file_read_gguf(gm_file_span file, gm_file_table *table, gm_error *error);

/* Kinds of a piece: SentencePiece and GGUF use the same numbers. */
enum {
    GM_FILE_PIECE_NORMAL = 1,
    GM_FILE_PIECE_UNKNOWN = 2,
    GM_FILE_PIECE_CONTROL = 3,
    GM_FILE_PIECE_USER_DEFINED = 4,
    GM_FILE_PIECE_UNUSED = 5,
    GM_FILE_PIECE_BYTE = 6
};

/* Puts a piece as its kind says: `spelling` is that of ordinary ones, `flags` theirs, `added` that
 * of user-defined ones. */
gm_status gm_file_put_piece(gm_file_table *table, uint64_t id, gm_file_span piece, uint64_t piece_kind,
                            const gm_file_spelling *spelling, const gm_file_spelling *added, uint8_t flags,
                            uint64_t offset, gm_error *error);
/* Notes a stop id that the file declares; one that is no token of it is damage. */
gm_status gm_file_declare_stop(gm_file_table *table, uint64_t id, const char *field, gm_error *error);

#endif
