/*
 * files/tekken.c - tekken.json of mistral-common.
 *
 * Ids 0 to default_num_special_tokens - 1 are special, all of them control, whatever is_control
 * says; a rank r of the list is id r + that number. The list is longer than the vocabulary: ranks
 * from default_vocab_size - default_num_special_tokens on are dropped. Texts come from token_bytes,
 * since token_str is null where the bytes are not UTF-8.
 *
 * Files of version v3 name no special token: the first names are then the ones in that version's
 * definition; every other special token is called <SPECIAL_n>.
 */
#include "files/readers.h"

#include <stdio.h>
#include <string.h>

static const char *const first_names[] = {
    "<unk>",          "<s>",            "</s>",        "[INST]",      "[/INST]",
    "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]",
    "[IMG]",          "<pad>",          "[IMG_BREAK]", "[IMG_END]",   "[PREFIX]",
    "[MIDDLE]",       "[SUFFIX]",       "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
};
#define FIRST_NAME_COUNT (sizeof first_names / sizeof *first_names)

typedef struct tekken_reader {
    gm_file_document *document;
    gm_file_table *table;
    gm_file_buffer scratch;
    uint64_t vocab_size;
    uint64_t special_count;
    gm_error *error;
} tekken_reader;

static gm_status read_config(tekken_reader *reader, gm_file_value config)
{
    gm_file_document *document = reader->document;
    gm_file_value key, value;
    bool has_size = false, has_specials = false;
    for (gm_file_iterator it = gm_file_iterate(document, config); gm_file_next(document, &it, &key, &value);) {
        if (gm_file_is_text(document, key, "default_vocab_size"))
            has_size = gm_file_whole_number(document, value, &reader->vocab_size);
        if (gm_file_is_text(document, key, "default_num_special_tokens"))
            has_specials = gm_file_whole_number(document, value, &reader->special_count);
    }
    if (!has_size || reader->vocab_size == 0 || reader->vocab_size > reader->table->id_limit)
        return gm_file_bad_field(config, "config.default_vocab_size", "a number of tokens", reader->error);
    if (!has_specials || reader->special_count > reader->vocab_size)
        return gm_file_bad_field(config, "config.default_num_special_tokens",
                                 "a number not above default_vocab_size", reader->error);
    return GM_OK;
}

/* ---- special tokens ---- */

static gm_status read_special(tekken_reader *reader, gm_file_value element)
{
    gm_file_document *document = reader->document;
    gm_file_value key, value, name = {0};
    uint64_t rank = UINT64_MAX;
    if (gm_file_type(document, element) == '{')
        for (gm_file_iterator it = gm_file_iterate(document, element); gm_file_next(document, &it, &key, &value);) {
            if (gm_file_is_text(document, key, "rank") && !gm_file_whole_number(document, value, &rank))
                return gm_file_bad_field(value, "rank of a special token", "a number", reader->error);
            if (gm_file_is_text(document, key, "token_str"))
                name = value;
        }
    if (rank >= reader->special_count)
        return gm_file_bad_field(element, "rank of a special token", "below default_num_special_tokens",
                                 reader->error);
    if (name.end == 0 || gm_file_type(document, name) != '"')
        return gm_file_bad_field(element, "token_str of a special token", "a text", reader->error);
    gm_file_span text;
    GM_FILE_TRY(gm_file_string(document, name, &text, reader->error));
    return gm_file_put_special(reader->table, rank, text.data, text.size, GM_TOKEN_CONTROL, element.begin,
                               reader->error);
}

static gm_status read_specials(tekken_reader *reader, const gm_file_value *specials)
{
    gm_file_value element;
    if (specials != NULL)
        for (gm_file_iterator it = gm_file_iterate(reader->document, *specials);
             gm_file_next(reader->document, &it, NULL, &element);)
            GM_FILE_TRY(read_special(reader, element));
    for (uint64_t id = 0; id < reader->special_count; id++) {
        char name[40];
        if (gm_file_has(reader->table, id))
            continue;
        if (specials == NULL && id < FIRST_NAME_COUNT)
            snprintf(name, sizeof name, "%s", first_names[id]);
        else
            snprintf(name, sizeof name, "<SPECIAL_%llu>", (unsigned long long)id);
        GM_FILE_TRY(gm_file_put_special(reader->table, id, (const uint8_t *)name, strlen(name), GM_TOKEN_CONTROL, 0,
                                        reader->error));
    }
    return GM_OK;
}

/* ---- ordinary tokens ---- */

static gm_status put_entry(tekken_reader *reader, uint64_t rank, gm_file_value bytes)
{
    static const gm_file_spelling raw = {0};
    gm_file_span text;
    size_t length;
    GM_FILE_TRY(gm_file_string(reader->document, bytes, &text, reader->error));
    reader->scratch.size = 0;
    if (!gm_file_reserve(&reader->table->allocator, &reader->scratch, text.size))
        return gm_file_no_memory(reader->error);
    if (!gm_file_base64(text.data, text.size, reader->scratch.data, &length))
        return gm_file_bad_field(bytes, "token_bytes", "base64", reader->error);
    return gm_file_put(reader->table, rank + reader->special_count, reader->scratch.data, length, &raw, 0, bytes.begin,
                       reader->error);
}

static gm_status read_entry(tekken_reader *reader, gm_file_value element)
{
    gm_file_document *document = reader->document;
    gm_file_value key, value, bytes = {0};
    uint64_t rank = UINT64_MAX;
    if (gm_file_type(document, element) == '{')
        for (gm_file_iterator it = gm_file_iterate(document, element); gm_file_next(document, &it, &key, &value);) {
            if (gm_file_is_text(document, key, "rank") && !gm_file_whole_number(document, value, &rank))
                return gm_file_bad_field(value, "rank", "a number", reader->error);
            if (gm_file_is_text(document, key, "token_bytes"))
                bytes = value;
        }
    if (rank == UINT64_MAX)
        return gm_file_bad_field(element, "an element of vocab", "an object with a rank", reader->error);
    if (rank >= reader->vocab_size - reader->special_count)
        return GM_OK;
    if (bytes.end == 0 || gm_file_type(document, bytes) != '"')
        return gm_file_bad_field(element, "token_bytes", "a text", reader->error);
    return put_entry(reader, rank, bytes);
}

static gm_status read_all(tekken_reader *reader, gm_file_value config, gm_file_value vocab,
                          const gm_file_value *specials)
{
    gm_file_value element;
    GM_FILE_TRY(read_config(reader, config));
    GM_FILE_TRY(read_specials(reader, specials));
    for (gm_file_iterator it = gm_file_iterate(reader->document, vocab);
         gm_file_next(reader->document, &it, NULL, &element);)
        GM_FILE_TRY(read_entry(reader, element));
    return GM_OK;
}

gm_status gm_file_read_tekken(gm_file_document *document, gm_file_value config, gm_file_value vocab,
                              const gm_file_value *specials, gm_file_table *table, gm_error *error)
{
    table->kind = GM_FILE_TEKKEN;
    tekken_reader reader = {.document = document, .table = table, .error = error};
    const gm_status status = read_all(&reader, config, vocab, specials);
    if (reader.scratch.data != NULL)
        table->allocator.deallocate(table->allocator.context, reader.scratch.data, reader.scratch.capacity);
    return status;
}
