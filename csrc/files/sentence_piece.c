/*
 * files/sentence_piece.c - SentencePiece tokenizer.model, a protobuf.
 *
 *   message  1 piece (repeated): 1 text, 3 type (absent: normal)
 *            2 trainer:          42 eos_id (absent: 2)
 *            3 normalizer:       3 add_dummy_prefix (absent: true)
 *            5 denormalizer:     2 charsmap, which would change decoded texts
 *
 * The id of a piece is its place. U+2581 is a space in ordinary and in user-defined pieces.
 */
#include "files/protobuf.h"
#include "files/readers.h"

enum { MODEL_PIECE = 1, MODEL_TRAINER = 2, MODEL_NORMALIZER = 3, MODEL_DENORMALIZER = 5 };
enum { PIECE_TEXT = 1, PIECE_TYPE = 3 };
enum { TRAINER_EOS_ID = 42, NORMALIZER_DUMMY_PREFIX = 3, DENORMALIZER_CHARSMAP = 2 };

static const gm_file_spelling spaces = {.space = (const uint8_t *)GM_FILE_SPACE_SIGN, .space_length = 3};

static gm_status wrong_wire(const gm_file_field *field, const char *name, gm_error *error)
{
    return gm_file_fail(error, GM_INVALID_FILE, field->offset, "protobuf: %s at byte %llu has the wire type %u", name,
                        (unsigned long long)field->offset, field->wire);
}

static gm_status read_piece(const gm_file_field *outer, uint64_t id, gm_file_table *table, gm_error *error)
{
    gm_file_message message = gm_file_inner(outer);
    gm_file_field field;
    gm_file_span text = {(const uint8_t *)"", 0};
    uint64_t kind = GM_FILE_PIECE_NORMAL;
    bool is_end;
    for (;;) {
        GM_FILE_TRY(gm_file_next_field(&message, &field, &is_end, error));
        if (is_end)
            break;
        if (field.number == PIECE_TEXT) {
            if (field.wire != 2)
                return wrong_wire(&field, "the text of a piece", error);
            text = field.bytes;
        } else if (field.number == PIECE_TYPE) {
            if (field.wire != 0)
                return wrong_wire(&field, "the type of a piece", error);
            kind = field.integer;
        }
    }
    return gm_file_put_piece(table, id, text, kind, &spaces, &spaces, 0, outer->offset, error);
}

/* Finds the last integer of this number in an inner message. */
static gm_status read_integer(const gm_file_field *outer, uint64_t number, uint64_t *value, gm_error *error)
{
    gm_file_message message = gm_file_inner(outer);
    gm_file_field field;
    bool is_end;
    for (;;) {
        GM_FILE_TRY(gm_file_next_field(&message, &field, &is_end, error));
        if (is_end)
            return GM_OK;
        if (field.number == number && field.wire == 0)
            *value = field.integer;
    }
}

static gm_status check_denormalizer(const gm_file_field *outer, gm_error *error)
{
    gm_file_message message = gm_file_inner(outer);
    gm_file_field field;
    bool is_end;
    for (;;) {
        GM_FILE_TRY(gm_file_next_field(&message, &field, &is_end, error));
        if (is_end)
            return GM_OK;
        if (field.number == DENORMALIZER_CHARSMAP && field.wire == 2 && field.bytes.size != 0)
            return gm_file_fail(error, GM_UNSUPPORTED, field.offset,
                                "denormalizer: it changes decoded texts, so tokens have no bytes of their own");
    }
}

typedef struct model_facts {
    uint64_t piece_count;
    uint64_t eos_id;
    uint64_t dummy_prefix;
} model_facts;

static gm_status read_field(const gm_file_field *field, model_facts *facts, gm_file_table *table, gm_error *error)
{
    if (field->number == MODEL_PIECE && field->wire == 2)
        return read_piece(field, facts->piece_count++, table, error);
    if (field->number == MODEL_TRAINER && field->wire == 2)
        return read_integer(field, TRAINER_EOS_ID, &facts->eos_id, error);
    if (field->number == MODEL_NORMALIZER && field->wire == 2)
        return read_integer(field, NORMALIZER_DUMMY_PREFIX, &facts->dummy_prefix, error);
    if (field->number == MODEL_DENORMALIZER && field->wire == 2)
        return check_denormalizer(field, error);
    return field->number == MODEL_PIECE ? wrong_wire(field, "a piece", error) : GM_OK;
}

gm_status gm_file_read_sentence_piece(gm_file_span file, gm_file_table *table, gm_error *error)
{
    table->kind = GM_FILE_SENTENCE_PIECE;
    model_facts facts = {.eos_id = 2, .dummy_prefix = 1};
    gm_file_message message = {file, 0, 0};
    gm_file_field field;
    bool is_end;
    for (;;) {
        GM_FILE_TRY(gm_file_next_field(&message, &field, &is_end, error));
        if (is_end)
            break;
        GM_FILE_TRY(read_field(&field, &facts, table, error));
    }
    table->prefix_space = facts.dummy_prefix != 0;
    /* -1 says that the model has no such token; so does an ordinary piece at the default id. */
    if (gm_file_has(table, facts.eos_id) && (table->tokens[facts.eos_id].flags & GM_TOKEN_CONTROL) != 0)
        return gm_file_declare_stop(table, facts.eos_id, "trainer eos_id", error);
    return GM_OK;
}
