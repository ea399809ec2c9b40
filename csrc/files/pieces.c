/* files/pieces.c - what SentencePiece and GGUF readers share: see readers.h. */
#include "files/readers.h"

gm_status gm_file_put_piece(gm_file_table *table, uint64_t id, gm_file_span piece, uint64_t piece_kind,
                            const gm_file_spelling *spelling, const gm_file_spelling *added, uint8_t flags,
                            uint64_t offset, gm_error *error)
{
    static const gm_file_spelling raw = {0};
    uint8_t byte;
    switch (piece_kind) {
    case GM_FILE_PIECE_NORMAL:
        return gm_file_put(table, id, piece.data, piece.size, spelling, flags, offset, error);
    case GM_FILE_PIECE_USER_DEFINED:
        return gm_file_put(table, id, piece.data, piece.size, added, GM_TOKEN_ADDED, offset, error);
    case GM_FILE_PIECE_UNKNOWN:
        return gm_file_put_special(table, id, piece.data, piece.size, GM_TOKEN_UNKNOWN, offset, error);
    case GM_FILE_PIECE_CONTROL:
        return gm_file_put_special(table, id, piece.data, piece.size, GM_TOKEN_CONTROL, offset, error);
    case GM_FILE_PIECE_UNUSED:
        return gm_file_put_empty(table, id, GM_TOKEN_UNUSED, offset, error);
    case GM_FILE_PIECE_BYTE:
        if (!gm_file_byte_piece(piece.data, piece.size, &byte))
            return gm_file_fail(error, GM_INVALID_FILE, offset, "token %llu is a byte but not spelled <0xNN>: %.*s",
                                (unsigned long long)id, gm_file_shown(piece.size), (const char *)piece.data);
        return gm_file_put(table, id, &byte, 1, &raw, GM_TOKEN_BYTE, offset, error);
    default:
        return gm_file_fail(error, GM_INVALID_FILE, offset, "token %llu has the type %llu, which is none of 1 to 6",
                            (unsigned long long)id, (unsigned long long)piece_kind);
    }
}

gm_status gm_file_declare_stop(gm_file_table *table, uint64_t id, const char *field, gm_error *error)
{
    if (!gm_file_has(table, id))
        return gm_file_fail(error, GM_INVALID_FILE, 0, "%s is %llu, which is no token of the file", field,
                            (unsigned long long)id);
    for (size_t i = 0; i < table->declared_stop_count; i++)
        if (table->declared_stop[i] == id)
            return GM_OK;
    if (table->declared_stop_count < GM_FILE_MAX_DECLARED_STOP)
        table->declared_stop[table->declared_stop_count++] = (uint32_t)id;
    return GM_OK;
}
