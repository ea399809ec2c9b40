/*
 * files/ranks.c - tiktoken rank files, and the special tokens that stand beside them.
 *
 * A line is base64, one space, a rank in decimal; the rank is the id. No header. Llama 3's
 * tokenizer.model and Qwen's qwen.tiktoken are such files. None of them holds its special tokens,
 * and one rank file goes with several sets of them, so the caller gives them.
 */
#include "files/readers.h"

#include <string.h>

typedef struct rank_line {
    gm_file_span text; /* base64 */
    uint64_t rank;
} rank_line;

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

/* Splits a line without its newline; false when it is not "text rank". */
static bool split_line(gm_file_span line, rank_line *split)
{
    size_t end = line.size;
    while (end > 0 && is_space(line.data[end - 1]))
        end--;
    size_t digits = end;
    uint64_t rank = 0, unit = 1;
    while (digits > 0 && line.data[digits - 1] >= '0' && line.data[digits - 1] <= '9' && end - digits < 12) {
        rank += unit * (uint64_t)(line.data[--digits] - '0');
        unit *= 10;
    }
    size_t text = digits;
    while (text > 0 && is_space(line.data[text - 1]))
        text--;
    if (digits == end || text == digits || text == 0)
        return false;
    *split = (rank_line){{line.data, text}, rank};
    return true;
}

static gm_file_span line_at(gm_file_span file, size_t at)
{
    const uint8_t *end = memchr(file.data + at, '\n', file.size - at);
    return (gm_file_span){file.data + at, end != NULL ? (size_t)(end - (file.data + at)) : file.size - at};
}

static bool is_blank(gm_file_span line)
{
    for (size_t i = 0; i < line.size; i++)
        if (!is_space(line.data[i]))
            return false;
    return true;
}

bool gm_file_is_rank_file(gm_file_span file)
{
    if (file.size == 0)
        return false;
    const gm_file_span line = line_at(file, 0);
    rank_line split;
    if (!split_line(line, &split))
        return false;
    for (size_t i = 0; i < split.text.size; i++) {
        const uint8_t c = split.text.data[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
              c == '='))
            return false;
    }
    return true;
}

/* `scratch` holds the decoded bytes of one line. */
static gm_status put_line(gm_file_table *table, const rank_line *line, gm_file_buffer *scratch, uint64_t offset,
                          gm_error *error)
{
    static const gm_file_spelling raw = {0};
    size_t length;
    scratch->size = 0;
    if (!gm_file_reserve(&table->allocator, scratch, line->text.size))
        return gm_file_no_memory(error);
    if (!gm_file_base64(line->text.data, line->text.size, scratch->data, &length))
        return gm_file_fail(error, GM_INVALID_FILE, offset, "the line at byte %llu is not base64: %.*s",
                            (unsigned long long)offset, gm_file_shown(line->text.size),
                            (const char *)line->text.data);
    return gm_file_put(table, line->rank, scratch->data, length, &raw, 0, offset, error);
}

static gm_status read_lines(gm_file_span file, gm_file_table *table, gm_file_buffer *scratch, gm_error *error)
{
    for (size_t at = 0; at < file.size;) {
        const gm_file_span line = line_at(file, at);
        rank_line split;
        if (!is_blank(line)) {
            if (!split_line(line, &split))
                return gm_file_fail(error, GM_INVALID_FILE, at,
                                    "the line at byte %zu should be base64, a space and a rank: %.*s", at,
                                    gm_file_shown(line.size), (const char *)line.data);
            GM_FILE_TRY(put_line(table, &split, scratch, at, error));
        }
        at += line.size + 1;
    }
    return GM_OK;
}

gm_status gm_file_read_ranks(gm_file_span file, gm_file_table *table, gm_error *error)
{
    table->kind = GM_FILE_TIKTOKEN;
    gm_file_buffer scratch = {0};
    const gm_status status = read_lines(file, table, &scratch, error);
    if (scratch.data != NULL)
        table->allocator.deallocate(table->allocator.context, scratch.data, scratch.capacity);
    return status;
}

/* ---- special tokens ---- */

static bool parse_id(gm_file_span text, uint64_t *id)
{
    *id = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || i == 12)
            return false;
        *id = *id * 10 + (uint64_t)(text.data[i] - '0');
    }
    return text.size != 0;
}

static gm_status put_special(gm_file_table *table, uint64_t id, gm_file_span text, uint64_t offset, gm_error *error)
{
    if (!gm_file_has(table, id))
        return gm_file_put_special(table, id, text.data, text.size, GM_TOKEN_CONTROL, offset, error);
    if ((table->tokens[id].flags & GM_TOKEN_CONTROL) == 0)
        return gm_file_fail(error, GM_INVALID_ARGUMENT, offset,
                            "special tokens: id %llu (%.*s) is an ordinary token of the rank file",
                            (unsigned long long)id, gm_file_shown(text.size), (const char *)text.data);
    return gm_file_add_name(table, (uint32_t)id, text.data, text.size, error);
}

static gm_status read_special(gm_file_document *document, gm_file_value key, gm_file_value value, gm_file_table *table,
                              gm_error *error)
{
    gm_file_span text;
    uint64_t id;
    if (gm_file_whole_number(document, value, &id)) {
        GM_FILE_TRY(gm_file_string(document, key, &text, error));
        return put_special(table, id, text, key.begin, error);
    }
    if (gm_file_type(document, value) != '"')
        return gm_file_bad_field(value, "special tokens: a member", "an id or a text", error);
    GM_FILE_TRY(gm_file_string(document, key, &text, error));
    if (!parse_id(text, &id))
        return gm_file_bad_field(key, "special tokens: the key of a text", "an id", error);
    GM_FILE_TRY(gm_file_string(document, value, &text, error));
    return put_special(table, id, text, value.begin, error);
}

gm_status gm_file_read_specials(gm_file_span text, gm_file_table *table, gm_error *error)
{
    gm_file_document document;
    gm_file_value root, key, value;
    GM_FILE_TRY(gm_file_document_open(&document, text, &root, error));
    gm_status status = GM_OK;
    if (gm_file_type(&document, root) != '{') {
        status = gm_file_bad_field(root, "special tokens: the value", "an object", error);
    } else {
        gm_file_iterator members = gm_file_iterate(&document, root);
        while (status == GM_OK && gm_file_next(&document, &members, &key, &value))
            status = read_special(&document, key, value, table, error);
    }
    gm_file_document_close(&document);
    return status;
}
