/*
 * files/tokenizer_json.c - Hugging Face tokenizer.json.
 *
 * The model's vocabulary maps pieces to ids (an object; a list for Unigram), the decoder says how a
 * piece stands for bytes, added tokens lie over both: special ones never are text, the others are
 * their own text. The unknown token wins over all of it.
 *
 * Added tokens are sorted by content first, so that one look-up a piece finds those that are pieces
 * as well; the vocabulary itself is never indexed.
 *
 * The ids of added tokens are also checked: the library of this format does not use the declared
 * id but the piece's, or else numbers on from the size of the model. A file where the two differ
 * means different tokens to different readers, and is refused.
 */
#include "files/decoder.h"
#include "files/readers.h"

#include <stdlib.h>
#include <string.h>

typedef enum model_type { MODEL_BPE, MODEL_UNIGRAM, MODEL_WORD_PIECE } model_type;

typedef struct added_token {
    uint64_t id;
    size_t name_offset; /* content, in the reader's buffer */
    size_t length;
    gm_file_value where;
    bool is_special;
    bool is_piece; /* the content is a piece of the model, with the same id */
} added_token;

typedef struct json_reader {
    gm_file_document *document;
    gm_file_table *table;
    gm_error *error;

    gm_file_value decoder_value, model_value, vocab_value;
    json_object *decoder_tree, *normalizer, *pre_tokenizer;
    model_type type;
    bool has_type;
    bool has_merges;
    bool byte_fallback;
    gm_file_decoder decoder;
    gm_file_spelling spelling;
    gm_file_buffer unknown; /* content of unk_token */
    bool has_unknown_token;
    uint64_t unknown_id; /* UINT64_MAX: none */
    gm_file_buffer continuation; /* continuing_subword_prefix */

    gm_file_buffer contents; /* of added tokens */
    added_token *added;
    size_t added_count;
    size_t added_capacity;
    uint64_t piece_count;
} json_reader;

static gm_status bad(const json_reader *reader, gm_file_value value, const char *field, const char *expected)
{
    return gm_file_bad_field(value, field, expected, reader->error);
}

static gm_status append_text(json_reader *reader, gm_file_value value, gm_file_buffer *buffer)
{
    gm_file_span text;
    GM_FILE_TRY(gm_file_string(reader->document, value, &text, reader->error));
    if (!gm_file_reserve(&reader->table->allocator, buffer, text.size + 1))
        return gm_file_no_memory(reader->error);
    if (text.size != 0)
        memcpy(buffer->data + buffer->size, text.data, text.size);
    buffer->size += text.size;
    return GM_OK;
}

static gm_status copy_text(json_reader *reader, gm_file_value value, gm_file_buffer *buffer)
{
    buffer->size = 0;
    return append_text(reader, value, buffer);
}

/* ---- added tokens ---- */

static gm_status read_added(json_reader *reader, gm_file_value element)
{
    gm_file_document *document = reader->document;
    gm_file_value key, value, content = {0};
    added_token token = {.id = UINT64_MAX, .where = element};
    if (gm_file_type(document, element) != '{')
        return bad(reader, element, "an element of added_tokens", "an object");
    for (gm_file_iterator it = gm_file_iterate(document, element); gm_file_next(document, &it, &key, &value);) {
        if (gm_file_is_text(document, key, "id") && !gm_file_whole_number(document, value, &token.id))
            return bad(reader, value, "added_tokens: id", "a token id");
        if (gm_file_is_text(document, key, "content"))
            content = value;
        if (gm_file_is_text(document, key, "special"))
            token.is_special = gm_file_type(document, value) == 't';
    }
    if (token.id >= reader->table->id_limit)
        return bad(reader, element, "added_tokens: an element", "one with an id");
    if (content.end == 0 || gm_file_type(document, content) != '"')
        return bad(reader, element, "added_tokens: an element", "one with a content");

    void *block = reader->added;
    if (!gm_file_grow(&reader->table->allocator, &block, &reader->added_capacity, reader->added_count + 1,
                      sizeof *reader->added))
        return gm_file_no_memory(reader->error);
    reader->added = block;
    token.name_offset = reader->contents.size;
    GM_FILE_TRY(append_text(reader, content, &reader->contents));
    token.length = reader->contents.size - token.name_offset;
    reader->added[reader->added_count++] = token;
    return GM_OK;
}

static gm_status read_added_tokens(json_reader *reader, gm_file_value list)
{
    gm_file_value element;
    if (gm_file_type(reader->document, list) == 'n')
        return GM_OK;
    if (gm_file_type(reader->document, list) != '[')
        return bad(reader, list, "added_tokens", "a list");
    for (gm_file_iterator it = gm_file_iterate(reader->document, list);
         gm_file_next(reader->document, &it, NULL, &element);)
        GM_FILE_TRY(read_added(reader, element));
    return GM_OK;
}

static gm_file_span content_of(const json_reader *reader, const added_token *token)
{
    return (gm_file_span){reader->contents.data + token->name_offset, token->length};
}

static int compare_spans(gm_file_span a, gm_file_span b)
{
    const size_t common = a.size < b.size ? a.size : b.size;
    const int order = common != 0 ? memcmp(a.data, b.data, common) : 0;
    return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size;
}

/* Shell sort: qsort has no context argument, and the texts lie in the reader's buffer. */
static void sort_added(json_reader *reader)
{
    added_token *added = reader->added;
    for (size_t gap = reader->added_count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < reader->added_count; i++) {
            const added_token moved = added[i];
            size_t at = i;
            for (; at >= gap && compare_spans(content_of(reader, &added[at - gap]), content_of(reader, &moved)) > 0;
                 at -= gap)
                added[at] = added[at - gap];
            added[at] = moved;
        }
}

static added_token *find_added(const json_reader *reader, gm_file_span content)
{
    size_t low = 0, high = reader->added_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_spans(content_of(reader, &reader->added[middle]), content);
        if (order == 0)
            return &reader->added[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static int compare_places(const void *left, const void *right)
{
    const added_token *a = left, *b = right;
    return a->where.begin < b->where.begin ? -1 : a->where.begin > b->where.begin;
}

/* ---- pieces ---- */

static bool is_unknown(const json_reader *reader, uint64_t id, gm_file_span piece)
{
    if (reader->type == MODEL_UNIGRAM)
        return id == reader->unknown_id;
    return reader->has_unknown_token &&
           compare_spans(piece, (gm_file_span){reader->unknown.data, reader->unknown.size}) == 0;
}

static bool has_continuation(const json_reader *reader, gm_file_span piece)
{
    return piece.size >= reader->continuation.size &&
           memcmp(piece.data, reader->continuation.data, reader->continuation.size) == 0;
}

static gm_status put_text(json_reader *reader, uint64_t id, gm_file_span piece, uint64_t offset)
{
    static const gm_file_spelling raw = {0};
    uint8_t byte;
    if (reader->type == MODEL_WORD_PIECE) {
        const bool continues = has_continuation(reader, piece);
        const size_t skipped = continues ? reader->continuation.size : 0;
        return gm_file_put(reader->table, id, piece.data + skipped, piece.size - skipped, &raw,
                           continues ? GM_TOKEN_CONTINUATION : 0, offset, reader->error);
    }
    const bool is_byte = !reader->decoder.byte_level && gm_file_byte_piece(piece.data, piece.size, &byte);
    if (is_byte && reader->byte_fallback != reader->decoder.byte_fallback)
        return gm_file_fail(reader->error, GM_UNSUPPORTED, offset,
                            "model.byte_fallback and the decoder disagree whether %.*s is a byte", (int)piece.size,
                            (const char *)piece.data);
    if (is_byte && reader->byte_fallback)
        return gm_file_put(reader->table, id, &byte, 1, &raw, GM_TOKEN_BYTE, offset, reader->error);
    return gm_file_put(reader->table, id, piece.data, piece.size, &reader->spelling, 0, offset, reader->error);
}

static gm_status put_piece(json_reader *reader, uint64_t id, gm_file_value where)
{
    gm_file_span piece;
    if (gm_file_type(reader->document, where) != '"')
        return bad(reader, where, "model.vocab: a piece", "a text");
    GM_FILE_TRY(gm_file_string(reader->document, where, &piece, reader->error));
    added_token *added = find_added(reader, piece);
    /* Unigram lists may hold a text twice; any of the two is the piece. */
    if (added != NULL && added->id == id)
        added->is_piece = true;
    else if (added != NULL && reader->type != MODEL_UNIGRAM)
        return gm_file_fail(reader->error, GM_INVALID_FILE, added->where.begin,
                            "added token %.*s declares the id %llu, but it is the piece %llu of the model",
                            gm_file_shown(piece.size), (const char *)piece.data, (unsigned long long)added->id,
                            (unsigned long long)id);
    reader->piece_count++;
    if (is_unknown(reader, id, piece))
        return gm_file_put_special(reader->table, id, piece.data, piece.size, GM_TOKEN_UNKNOWN, where.begin,
                                   reader->error);
    return put_text(reader, id, piece, where.begin);
}

static gm_status read_map(json_reader *reader)
{
    gm_file_value key, value;
    uint64_t id;
    for (gm_file_iterator it = gm_file_iterate(reader->document, reader->vocab_value);
         gm_file_next(reader->document, &it, &key, &value);) {
        if (!gm_file_whole_number(reader->document, value, &id))
            return bad(reader, value, "model.vocab: the value of a piece", "a token id");
        GM_FILE_TRY(put_piece(reader, id, key));
    }
    return GM_OK;
}

/* Elements are [piece, score]. */
static gm_status read_list(json_reader *reader)
{
    gm_file_value element, piece;
    uint64_t id = 0;
    for (gm_file_iterator it = gm_file_iterate(reader->document, reader->vocab_value);
         gm_file_next(reader->document, &it, NULL, &element); id++) {
        if (gm_file_type(reader->document, element) != '[')
            return bad(reader, element, "model.vocab: an element", "a list of piece and score");
        gm_file_iterator inner = gm_file_iterate(reader->document, element);
        if (!gm_file_next(reader->document, &inner, NULL, &piece))
            return bad(reader, element, "model.vocab: an element", "a list of piece and score");
        GM_FILE_TRY(put_piece(reader, id, piece));
    }
    if (reader->unknown_id != UINT64_MAX && reader->unknown_id >= id)
        return bad(reader, reader->model_value, "model.unk_id", "the id of a piece");
    return GM_OK;
}

/* ---- laying added tokens over pieces ---- */

static gm_status lay_over(json_reader *reader, const added_token *token)
{
    static const gm_file_spelling raw = {0};
    gm_file_table *table = reader->table;
    const gm_file_span content = content_of(reader, token);
    if (gm_file_has(table, token->id) && (table->tokens[token->id].flags & GM_TOKEN_UNKNOWN) != 0)
        return GM_OK;
    if (!token->is_special && token->is_piece) {
        table->tokens[token->id].flags |= GM_TOKEN_ADDED;
        return GM_OK;
    }
    if (gm_file_has(table, token->id) && !token->is_piece)
        return gm_file_fail(reader->error, GM_INVALID_FILE, token->where.begin,
                            "added token %.*s has the id %llu, which another token has", gm_file_shown(content.size),
                            (const char *)content.data, (unsigned long long)token->id);
    gm_file_forget(table, token->id);
    if (token->is_special)
        return gm_file_put_special(table, token->id, content.data, content.size, GM_TOKEN_CONTROL, token->where.begin,
                                   reader->error);
    return gm_file_put(table, token->id, content.data, content.size,
                       reader->decoder.byte_level ? &raw : &reader->spelling, GM_TOKEN_ADDED, token->where.begin,
                       reader->error);
}

/* In the order of the file, which is the order in which they are numbered. */
static gm_status lay_over_all(json_reader *reader)
{
    if (reader->added_count != 0)
        qsort(reader->added, reader->added_count, sizeof *reader->added, compare_places);
    uint64_t next = reader->piece_count;
    for (size_t i = 0; i < reader->added_count; i++) {
        const added_token *token = &reader->added[i];
        if (!token->is_piece && token->id != next)
            return gm_file_fail(reader->error, GM_INVALID_FILE, token->where.begin,
                                "added token at byte %zu declares the id %llu, but readers of this format number it "
                                "%llu",
                                token->where.begin, (unsigned long long)token->id, (unsigned long long)next);
        if (token->id >= next)
            next = token->id + 1;
        GM_FILE_TRY(lay_over(reader, token));
    }
    return GM_OK;
}

/* ---- the model ---- */

static gm_status read_type(json_reader *reader, gm_file_value value)
{
    gm_file_document *document = reader->document;
    reader->has_type = true;
    if (gm_file_is_text(document, value, "BPE"))
        reader->type = MODEL_BPE;
    else if (gm_file_is_text(document, value, "Unigram"))
        reader->type = MODEL_UNIGRAM;
    else if (gm_file_is_text(document, value, "WordPiece"))
        reader->type = MODEL_WORD_PIECE;
    else if (gm_file_is_text(document, value, "WordLevel"))
        return gm_file_fail(reader->error, GM_UNSUPPORTED, value.begin,
                            "model.type: tokens of WordLevel are words and spell no bytes");
    else if (gm_file_type(document, value) == 'n')
        reader->has_type = false;
    else
        return bad(reader, value, "model.type", "BPE, Unigram or WordPiece");
    return GM_OK;
}

static gm_status read_unknown_token(json_reader *reader, gm_file_value value)
{
    if (gm_file_type(reader->document, value) == 'n')
        return GM_OK;
    if (gm_file_type(reader->document, value) != '"')
        return bad(reader, value, "model.unk_token", "a text");
    reader->has_unknown_token = true;
    return copy_text(reader, value, &reader->unknown);
}

static gm_status read_model_member(json_reader *reader, gm_file_value key, gm_file_value value)
{
    gm_file_document *document = reader->document;
    const uint8_t type = gm_file_type(document, value);
    if (gm_file_is_text(document, key, "type"))
        return read_type(reader, value);
    if (gm_file_is_text(document, key, "vocab"))
        reader->vocab_value = value;
    else if (gm_file_is_text(document, key, "merges"))
        reader->has_merges = true;
    else if (gm_file_is_text(document, key, "byte_fallback"))
        reader->byte_fallback = type == 't';
    else if (gm_file_is_text(document, key, "unk_token"))
        return read_unknown_token(reader, value);
    else if (gm_file_is_text(document, key, "unk_id") && type != 'n' &&
             !gm_file_whole_number(document, value, &reader->unknown_id))
        return bad(reader, value, "model.unk_id", "a token id");
    else if (gm_file_is_text(document, key, "continuing_subword_prefix") && type == '"')
        return copy_text(reader, value, &reader->continuation);
    else if (gm_file_is_text(document, key, "end_of_word_suffix") && type != 'n' &&
             !gm_file_is_text(document, value, ""))
        return gm_file_fail(reader->error, GM_UNSUPPORTED, value.begin,
                            "model.end_of_word_suffix: a token that ends a word spells a space only when another "
                            "follows");
    return GM_OK;
}

/* Old files do not name the type. */
static void guess_type(json_reader *reader)
{
    if (gm_file_type(reader->document, reader->vocab_value) == '[')
        reader->type = MODEL_UNIGRAM;
    else if (reader->continuation.size != 0 && !reader->has_merges)
        reader->type = MODEL_WORD_PIECE;
    else
        reader->type = MODEL_BPE;
}

static gm_status check_model(json_reader *reader)
{
    if (reader->vocab_value.end == 0)
        return bad(reader, reader->model_value, "model", "an object with a vocab");
    if (!reader->has_type)
        guess_type(reader);
    const uint8_t wanted = reader->type == MODEL_UNIGRAM ? '[' : '{';
    if (gm_file_type(reader->document, reader->vocab_value) != wanted)
        return bad(reader, reader->vocab_value, "model.vocab", wanted == '[' ? "a list" : "an object");
    if (reader->type == MODEL_WORD_PIECE && reader->continuation.size == 0)
        return bad(reader, reader->model_value, "model.continuing_subword_prefix", "a text");
    if (reader->type == MODEL_BPE && reader->continuation.size != 0)
        return gm_file_fail(reader->error, GM_UNSUPPORTED, reader->model_value.begin,
                            "model.continuing_subword_prefix: in a BPE model it has no fixed bytes");
    return GM_OK;
}

static gm_file_kind kind_of(const json_reader *reader)
{
    if (reader->type == MODEL_WORD_PIECE)
        return GM_FILE_HF_WORD_PIECE;
    if (reader->decoder.byte_level)
        return GM_FILE_HF_BYTE_LEVEL;
    if (reader->type == MODEL_UNIGRAM)
        return GM_FILE_HF_UNIGRAM;
    return reader->decoder.byte_fallback ? GM_FILE_HF_BYTE_FALLBACK : GM_FILE_HF_BPE;
}

static gm_status read_model(json_reader *reader)
{
    gm_file_value key, value;
    if (gm_file_type(reader->document, reader->model_value) != '{')
        return bad(reader, reader->model_value, "model", "an object");
    for (gm_file_iterator it = gm_file_iterate(reader->document, reader->model_value);
         gm_file_next(reader->document, &it, &key, &value);)
        GM_FILE_TRY(read_model_member(reader, key, value));
    GM_FILE_TRY(check_model(reader));
    if (reader->type != MODEL_WORD_PIECE)
        GM_FILE_TRY(gm_file_decoder_read(reader->decoder_tree, reader->decoder_value.begin, &reader->decoder,
                                         reader->error));
    if (reader->decoder.word_piece)
        return gm_file_fail(reader->error, GM_UNSUPPORTED, reader->decoder_value.begin,
                            "decoder: WordPiece puts spaces between the tokens of another model");
    reader->spelling = (gm_file_spelling){.byte_level = reader->decoder.byte_level,
                                          .space = reader->decoder.space_length != 0 ? reader->decoder.space : NULL,
                                          .space_length = reader->decoder.space_length};
    reader->table->kind = kind_of(reader);
    reader->table->word_pieces = reader->type == MODEL_WORD_PIECE;
    reader->table->prefix_space = reader->type != MODEL_WORD_PIECE &&
                                  gm_file_has_prefix_space(reader->normalizer, reader->pre_tokenizer);
    sort_added(reader);
    GM_FILE_TRY(reader->type == MODEL_UNIGRAM ? read_list(reader) : read_map(reader));
    return lay_over_all(reader);
}

/* ---- the file ---- */

typedef struct root_members {
    gm_file_value model, config, vocab, specials, added;
} root_members;

static gm_status read_root_member(json_reader *reader, root_members *found, gm_file_value key, gm_file_value value)
{
    gm_file_document *document = reader->document;
    json_object **tree = NULL;
    if (gm_file_is_text(document, key, "model"))
        found->model = value;
    else if (gm_file_is_text(document, key, "added_tokens"))
        found->added = value;
    else if (gm_file_is_text(document, key, "config"))
        found->config = value;
    else if (gm_file_is_text(document, key, "vocab"))
        found->vocab = value;
    else if (gm_file_is_text(document, key, "special_tokens"))
        found->specials = value;
    else if (gm_file_is_text(document, key, "decoder"))
        reader->decoder_value = value, tree = &reader->decoder_tree;
    else if (gm_file_is_text(document, key, "normalizer"))
        tree = &reader->normalizer;
    else if (gm_file_is_text(document, key, "pre_tokenizer"))
        tree = &reader->pre_tokenizer;
    if (tree == NULL)
        return GM_OK;
    const uint8_t type = gm_file_type(document, value);
    if (type != '{' && type != 'n')
        return bad(reader, value, "decoder, normalizer or pre_tokenizer", "an object or null");
    json_object_put(*tree);
    return gm_file_parse(document, value, tree, reader->error);
}

static gm_status read_root(json_reader *reader, gm_file_value root)
{
    gm_file_document *document = reader->document;
    gm_file_value key, value;
    root_members found = {0};
    if (gm_file_type(document, root) != '{')
        return bad(reader, root, "the JSON value", "an object");
    for (gm_file_iterator it = gm_file_iterate(document, root); gm_file_next(document, &it, &key, &value);)
        GM_FILE_TRY(read_root_member(reader, &found, key, value));
    if (found.config.end != 0 && gm_file_type(document, found.config) == '{' && found.vocab.end != 0 &&
        gm_file_type(document, found.vocab) == '[') {
        const bool has_specials = found.specials.end != 0 && gm_file_type(document, found.specials) == '[';
        return gm_file_read_tekken(document, found.config, found.vocab, has_specials ? &found.specials : NULL,
                                   reader->table, reader->error);
    }
    if (found.model.end == 0)
        return bad(reader, root, "the JSON object",
                   "a tokenizer.json (with \"model\") or a tekken.json (with \"config\" and \"vocab\")");
    reader->model_value = found.model;
    if (found.added.end != 0)
        GM_FILE_TRY(read_added_tokens(reader, found.added));
    return read_model(reader);
}

static void release_buffer(json_reader *reader, gm_file_buffer *buffer)
{
    const gm_allocator *allocator = &reader->table->allocator;
    if (buffer->data != NULL)
        allocator->deallocate(allocator->context, buffer->data, buffer->capacity);
}

gm_status gm_file_read_json(gm_file_span file, gm_file_table *table, gm_error *error)
{
    gm_file_document document;
    gm_file_value root;
    GM_FILE_TRY(gm_file_document_open(&document, file, &root, error));
    json_reader reader = {.document = &document, .table = table, .error = error, .unknown_id = UINT64_MAX};
    const gm_status status = read_root(&reader, root);

    json_object_put(reader.decoder_tree);
    json_object_put(reader.normalizer);
    json_object_put(reader.pre_tokenizer);
    release_buffer(&reader, &reader.unknown);
    release_buffer(&reader, &reader.continuation);
    release_buffer(&reader, &reader.contents);
    if (reader.added != NULL)
        table->allocator.deallocate(table->allocator.context, reader.added,
                                    reader.added_capacity * sizeof *reader.added);
    gm_file_document_close(&document);
    return status;
}
