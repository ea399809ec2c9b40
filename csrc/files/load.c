/*
 * files/load.c - tells the kind of a file from its first bytes and calls its reader.
 *
 * The first bytes of our formats exclude each other: GGUF has a magic number, JSON begins with a
 * brace, the protobuf with the control byte of one of its fields, a rank file with a line of base64
 * and a number. The name of a file says nothing: Llama 3's tokenizer.model is a rank file.
 */
#include "files/load.h"

#include "files/protobuf.h"

#include <string.h>

/* What people pass by mistake, to say so. */
static const struct {
    const char *start;
    size_t length;
    const char *what;
} foreign[] = {
    {"version https://git-lfs", 23, "a Git LFS pointer, not the file it stands for"},
    {"PK\x03\x04", 4, "a zip archive (PyTorch weights?)"},
    {"\x1f\x8b", 2, "compressed with gzip"},
    {"\xfd" "7zXZ", 5, "compressed with xz"},
    {"\x28\xb5\x2f\xfd", 4, "compressed with zstd"},
    {"ggjt", 4, "a GGML file from before GGUF"},
    {"tjgg", 4, "a GGML file from before GGUF"},
    {"lmgg", 4, "a GGML file from before GGUF"},
    {"<!", 2, "a web page"},
    {"<html", 5, "a web page"},
};

static bool starts_with(gm_file_span file, const char *start, size_t length)
{
    return file.size >= length && memcmp(file.data, start, length) == 0;
}

static uint8_t first_visible(gm_file_span file)
{
    for (size_t i = 0; i < file.size; i++)
        if (strchr(" \t\r\n", file.data[i]) == NULL || file.data[i] == 0)
            return file.data[i];
    return 0;
}

static gm_status refuse_foreign(gm_file_span file, gm_error *error)
{
    if (file.size == 0)
        return gm_file_fail(error, GM_INVALID_FILE, 0, "the file is empty");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (starts_with(file, foreign[i].start, foreign[i].length))
            return gm_file_fail(error, GM_INVALID_FILE, 0, "the file is no vocabulary: it is %s", foreign[i].what);
    return gm_file_fail(error, GM_INVALID_FILE, 0,
                        "the file is none of tokenizer.json, tekken.json, rank file, SentencePiece model and GGUF");
}

/* First bytes of a SentencePiece model: fields 1, 2 or 3 as a run of bytes. */
static bool may_be_protobuf(gm_file_span file)
{
    return file.size > 1 && (file.data[0] == 0x0a || file.data[0] == 0x12 || file.data[0] == 0x1a);
}

/* The tag of field 1 is a newline and a length may be a brace, so what begins like JSON after a
 * newline is a protobuf if its fields fill it exactly. */
static bool is_whole_protobuf(gm_file_span file)
{
    gm_file_message message = {file, 0, 0};
    gm_file_field field;
    bool is_end = false;
    while (!is_end)
        if (gm_file_next_field(&message, &field, &is_end, NULL) != GM_OK)
            return false;
    return true;
}

static gm_status read_by_kind(gm_file_span file, gm_file_table *table, gm_error *error)
{
    if (starts_with(file, "GGUF", 4))
        return gm_file_read_gguf(file, table, error);
    if (first_visible(file) == '{' && !(may_be_protobuf(file) && is_whole_protobuf(file)))
        return gm_file_read_json(file, table, error);
    if (may_be_protobuf(file))
        return gm_file_read_sentence_piece(file, table, error);
    if (gm_file_is_rank_file(file))
        return gm_file_read_ranks(file, table, error);
    return refuse_foreign(file, error);
}

gm_status gm_file_load(gm_file_span file, gm_file_span specials, gm_file_table *table, gm_error *error)
{
    if (file.size < GM_FILE_MAX_TOKENS - GM_FILE_MAX_HOLES)
        table->id_limit = file.size + GM_FILE_MAX_HOLES;
    GM_FILE_TRY(read_by_kind(file, table, error));
    if (table->token_count == 0)
        return gm_file_fail(error, GM_INVALID_FILE, 0, "the file holds no token");
    if (specials.data != NULL) {
        if (table->kind != GM_FILE_TIKTOKEN)
            return gm_file_fail(error, GM_INVALID_ARGUMENT, 0,
                                "special tokens are given, but a file of kind %s has its own",
                                gm_file_kind_name(table->kind));
        GM_FILE_TRY(gm_file_read_specials(specials, table, error));
    }
    gm_file_table_sort_names(table);
    return GM_OK;
}
