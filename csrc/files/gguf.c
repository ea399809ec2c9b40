/*
 * files/gguf.c - the vocabulary in the header of a GGUF file.
 *
 *   "GGUF", u32 version, u64 tensors, u64 pairs, then pairs of key, u32 type, value
 *   string = u64 length, bytes; array = u32 element type, u64 count, elements
 *
 * The header is walked once; strings and arrays stay where they are in the file, as spans, and no
 * count is believed before it was compared with the bytes that are left. What follows the pairs
 * (tensors) is never touched. Versions 2 and 3 in both byte orders; version 1 had other sizes and
 * is refused by name.
 */
#include "files/readers.h"

#include <stdio.h>
#include <string.h>

enum {
    TYPE_U8 = 0,
    TYPE_I8 = 1,
    TYPE_U16 = 2,
    TYPE_I16 = 3,
    TYPE_U32 = 4,
    TYPE_I32 = 5,
    TYPE_F32 = 6,
    TYPE_BOOL = 7,
    TYPE_STRING = 8,
    TYPE_ARRAY = 9,
    TYPE_U64 = 10,
    TYPE_I64 = 11,
    TYPE_F64 = 12
};

typedef struct header_reader {
    gm_file_span file;
    size_t at;
    bool big_endian;
    gm_error *error;
} header_reader;

/* A value that stays in the file. */
typedef struct header_value {
    bool is_there;
    uint32_t type;         /* of an array: of its elements */
    bool is_array;
    uint64_t count;        /* elements of an array */
    size_t at;             /* first byte of the value or of the first element */
} header_value;

typedef struct tokenizer_values {
    header_value model, tokens, types, add_space_prefix;
    header_value stop[3];
} tokenizer_values;

static const char *const stop_keys[3] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                         "tokenizer.ggml.eom_token_id"};

/* ---- reading ---- */

static size_t left(const header_reader *reader) { return reader->file.size - reader->at; }

static gm_status ends_early(const header_reader *reader, const char *what)
{
    return gm_file_fail(reader->error, GM_INVALID_FILE, reader->at,
                        "GGUF: %s at byte %zu goes beyond the end of the file at %zu", what, reader->at,
                        reader->file.size);
}

static uint64_t integer_at(const header_reader *reader, size_t at, size_t width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | reader->file.data[at + (reader->big_endian ? i : width - 1 - i)];
    return value;
}

static gm_status read_integer(header_reader *reader, size_t width, const char *what, uint64_t *value)
{
    if (left(reader) < width)
        return ends_early(reader, what);
    *value = integer_at(reader, reader->at, width);
    reader->at += width;
    return GM_OK;
}

static gm_status read_string(header_reader *reader, const char *what, gm_file_span *text)
{
    uint64_t length = 0;
    GM_FILE_TRY(read_integer(reader, 8, what, &length));
    if (length > left(reader))
        return ends_early(reader, what);
    *text = (gm_file_span){reader->file.data + reader->at, (size_t)length};
    reader->at += (size_t)length;
    return GM_OK;
}

/* Bytes of a value of fixed width; 0 for strings, arrays and unknown types. */
static size_t width_of(uint32_t type)
{
    switch (type) {
    case TYPE_U8:
    case TYPE_I8:
    case TYPE_BOOL:
        return 1;
    case TYPE_U16:
    case TYPE_I16:
        return 2;
    case TYPE_U32:
    case TYPE_I32:
    case TYPE_F32:
        return 4;
    case TYPE_U64:
    case TYPE_I64:
    case TYPE_F64:
        return 8;
    default:
        return 0;
    }
}

static gm_status unknown_type(const header_reader *reader, uint32_t type, gm_file_span key)
{
    return gm_file_fail(reader->error, GM_INVALID_FILE, reader->at,
                        "GGUF: %.*s has the value type %u at byte %zu, which we do not know",
                        gm_file_shown(key.size), (const char *)key.data, (unsigned)type, reader->at);
}

/* ---- pairs ---- */

static gm_status skip_elements(header_reader *reader, gm_file_span key, uint32_t type, uint64_t count)
{
    const size_t width = width_of(type);
    if (type != TYPE_STRING && width == 0)
        return unknown_type(reader, type, key);
    if (count > left(reader) / (width != 0 ? width : 8))
        return ends_early(reader, "an array");
    if (width != 0) {
        reader->at += (size_t)count * width;
        return GM_OK;
    }
    gm_file_span text;
    for (uint64_t i = 0; i < count; i++)
        GM_FILE_TRY(read_string(reader, "a string of an array", &text));
    return GM_OK;
}

/* Reads over a value and tells where it stands. */
static gm_status read_value(header_reader *reader, gm_file_span key, header_value *value)
{
    uint64_t type = 0, count = 1;
    GM_FILE_TRY(read_integer(reader, 4, "a value type", &type));
    const bool is_array = type == TYPE_ARRAY;
    if (is_array) {
        GM_FILE_TRY(read_integer(reader, 4, "an element type", &type));
        GM_FILE_TRY(read_integer(reader, 8, "a count", &count));
    }
    *value = (header_value){true, (uint32_t)type, is_array, count, reader->at};
    return skip_elements(reader, key, (uint32_t)type, count);
}

static header_value *wanted(tokenizer_values *values, gm_file_span key)
{
    static const char prefix[] = "tokenizer.ggml.";
    if (key.size < sizeof prefix - 1 || memcmp(key.data, prefix, sizeof prefix - 1) != 0)
        return NULL;
    struct {
        const char *name;
        header_value *value;
    } const places[] = {
        {"tokenizer.ggml.model", &values->model},
        {"tokenizer.ggml.tokens", &values->tokens},
        {"tokenizer.ggml.token_type", &values->types},
        {"tokenizer.ggml.add_space_prefix", &values->add_space_prefix},
        {stop_keys[0], &values->stop[0]},
        {stop_keys[1], &values->stop[1]},
        {stop_keys[2], &values->stop[2]},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strlen(places[i].name) == key.size && memcmp(places[i].name, key.data, key.size) == 0)
            return places[i].value;
    return NULL;
}

static gm_status read_pairs(header_reader *reader, tokenizer_values *values)
{
    uint64_t count = 0, ignored;
    GM_FILE_TRY(read_integer(reader, 8, "the count of tensors", &ignored));
    GM_FILE_TRY(read_integer(reader, 8, "the count of pairs", &count));
    /* The shortest pair is an empty key and one byte. */
    if (count > left(reader) / 13)
        return ends_early(reader, "the count of pairs");
    for (uint64_t i = 0; i < count; i++) {
        gm_file_span key = {NULL, 0};
        header_value value = {0};
        const size_t at = reader->at;
        GM_FILE_TRY(read_string(reader, "a key", &key));
        header_value *place = wanted(values, key);
        GM_FILE_TRY(read_value(reader, key, &value));
        if (place == NULL)
            continue;
        if (place->is_there)
            return gm_file_fail(reader->error, GM_INVALID_FILE, at, "GGUF: %.*s is there twice",
                                gm_file_shown(key.size), (const char *)key.data);
        *place = value;
    }
    return GM_OK;
}

static gm_status read_version(header_reader *reader)
{
    uint64_t version = 0;
    reader->at = 4;
    GM_FILE_TRY(read_integer(reader, 4, "the version", &version));
    /* A big-endian file read the wrong way round has its version in the high byte. */
    if (version != 0 && (version & 0xffff) == 0) {
        reader->big_endian = true;
        version = integer_at(reader, 4, 4);
    }
    if (version == 2 || version == 3)
        return GM_OK;
    return gm_file_fail(reader->error, GM_INVALID_FILE, 4, "GGUF: version %llu is neither 2 nor 3",
                        (unsigned long long)version);
}

/* ---- the vocabulary ---- */

/* Reads element `index` of an integer value; negative numbers become huge. */
static bool whole_number(const header_reader *reader, const header_value *value, uint64_t index, uint64_t *number)
{
    const size_t width = width_of(value->type);
    if (!value->is_there || width == 0 || value->type == TYPE_F32 || value->type == TYPE_F64 || index >= value->count)
        return false;
    *number = integer_at(reader, value->at + (size_t)index * width, width);
    const bool is_signed = value->type == TYPE_I8 || value->type == TYPE_I16 || value->type == TYPE_I32;
    if (is_signed && *number >> (8 * width - 1) != 0)
        *number = UINT64_MAX;
    return true;
}

static bool is_model(gm_file_span model, const char *name)
{
    return model.size == strlen(name) && memcmp(model.data, name, model.size) == 0;
}

/* bert: a piece that begins a word carries U+2581, any other goes on. */
static gm_status put_word_piece(gm_file_table *table, uint64_t id, gm_file_span piece, uint64_t kind, uint64_t offset,
                                gm_error *error)
{
    static const gm_file_spelling raw = {0};
    const bool is_start = piece.size >= 3 && memcmp(piece.data, GM_FILE_SPACE_SIGN, 3) == 0;
    if (kind == GM_FILE_PIECE_NORMAL && is_start)
        piece = (gm_file_span){piece.data + 3, piece.size - 3};
    return gm_file_put_piece(table, id, piece, kind, &raw, &raw, is_start ? 0 : GM_TOKEN_CONTINUATION, offset, error);
}

static gm_status put_tokens(header_reader *reader, const tokenizer_values *values, gm_file_table *table)
{
    static const gm_file_spelling raw = {0};
    static const gm_file_spelling byte_level = {.byte_level = true};
    static const gm_file_spelling spaces = {.space = (const uint8_t *)GM_FILE_SPACE_SIGN, .space_length = 3};
    const gm_file_spelling *spelling = table->kind == GM_FILE_GGUF_BYTE_LEVEL ? &byte_level : &spaces;
    reader->at = values->tokens.at;
    for (uint64_t id = 0; id < values->tokens.count; id++) {
        gm_file_span piece;
        uint64_t kind = GM_FILE_PIECE_NORMAL;
        const size_t at = reader->at;
        GM_FILE_TRY(read_string(reader, "a token", &piece));
        if (values->types.is_there)
            whole_number(reader, &values->types, id, &kind);
        if (table->word_pieces)
            GM_FILE_TRY(put_word_piece(table, id, piece, kind, at, reader->error));
        else
            GM_FILE_TRY(gm_file_put_piece(table, id, piece, kind, spelling, &raw, 0, at, reader->error));
    }
    return GM_OK;
}

static gm_status read_model(header_reader *reader, const tokenizer_values *values, gm_file_table *table)
{
    gm_file_span model = {NULL, 0};
    if (!values->model.is_there || values->model.is_array || values->model.type != TYPE_STRING)
        return gm_file_fail(reader->error, GM_INVALID_FILE, 0, "GGUF: the text tokenizer.ggml.model is missing");
    reader->at = values->model.at;
    GM_FILE_TRY(read_string(reader, "the model", &model));
    if (is_model(model, "gpt2"))
        table->kind = GM_FILE_GGUF_BYTE_LEVEL;
    else if (is_model(model, "llama") || is_model(model, "t5") || is_model(model, "gemma4"))
        table->kind = GM_FILE_GGUF_SENTENCE_PIECE;
    else if (is_model(model, "bert"))
        table->kind = GM_FILE_GGUF_WORD_PIECE;
    else
        return gm_file_fail(reader->error, GM_UNSUPPORTED, values->model.at,
                            "GGUF: tokenizer.ggml.model is %.*s; known are gpt2, llama, t5, gemma4 and bert",
                            gm_file_shown(model.size), (const char *)model.data);
    table->word_pieces = table->kind == GM_FILE_GGUF_WORD_PIECE;
    table->prefix_space = is_model(model, "llama");
    return GM_OK;
}

static gm_status check_values(const header_reader *reader, const tokenizer_values *values)
{
    const header_value *tokens = &values->tokens, *types = &values->types;
    uint64_t number;
    if (!tokens->is_there || !tokens->is_array || tokens->type != TYPE_STRING || tokens->count == 0)
        return gm_file_fail(reader->error, GM_INVALID_FILE, tokens->at,
                            "GGUF: the list of texts tokenizer.ggml.tokens is missing or empty");
    if (types->is_there && (!types->is_array || !whole_number(reader, types, 0, &number) ||
                            types->count != tokens->count))
        return gm_file_fail(reader->error, GM_INVALID_FILE, types->at,
                            "GGUF: tokenizer.ggml.token_type should be a list of %llu whole numbers",
                            (unsigned long long)tokens->count);
    return GM_OK;
}

static gm_status read_vocabulary(header_reader *reader, const tokenizer_values *values, gm_file_table *table)
{
    uint64_t number;
    GM_FILE_TRY(read_model(reader, values, table));
    GM_FILE_TRY(check_values(reader, values));
    GM_FILE_TRY(put_tokens(reader, values, table));
    if (!table->word_pieces && whole_number(reader, &values->add_space_prefix, 0, &number))
        table->prefix_space = number != 0;
    for (size_t i = 0; i < 3; i++)
        if (values->stop[i].is_there) {
            if (values->stop[i].is_array || !whole_number(reader, &values->stop[i], 0, &number))
                return gm_file_fail(reader->error, GM_INVALID_FILE, values->stop[i].at,
                                    "GGUF: %s should be a whole number", stop_keys[i]);
            GM_FILE_TRY(gm_file_declare_stop(table, number, stop_keys[i], reader->error));
        }
    return GM_OK;
}

gm_status gm_file_read_gguf(gm_file_span file, gm_file_table *table, gm_error *error)
{
    header_reader reader = {.file = file, .error = error};
    tokenizer_values values = {0};
    GM_FILE_TRY(read_version(&reader));
    GM_FILE_TRY(read_pairs(&reader, &values));
    return read_vocabulary(&reader, &values, table);
}
