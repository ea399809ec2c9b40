/* files/document.c - see document.h. */
#include "files/document.h"

#include "files/check.h"

#include <limits.h>
#include <string.h>

static size_t skip_white_space(const uint8_t *text, size_t at, size_t end)
{
    while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
        at++;
    return at;
}

/* ---- walking a checked text ---- */

/* The end of the string that begins at `at`. */
static size_t skip_string(const uint8_t *text, size_t at, size_t end)
{
    for (at++; at < end && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < end ? at + 1 : end;
}

static size_t skip_value(const uint8_t *text, size_t at, size_t end)
{
    size_t depth = 0;
    do {
        const uint8_t byte = text[at];
        if (byte == '"') {
            at = skip_string(text, at, end);
            continue;
        }
        if (byte == '{' || byte == '[') {
            depth++;
            at++;
        } else if (byte == '}' || byte == ']') {
            depth--;
            at++;
        } else if (depth != 0) {
            at++;
        } else {
            while (at < end && strchr(",]} \n\r\t", text[at]) == NULL)
                at++;
        }
    } while (depth != 0 && at < end);
    return at;
}

gm_file_iterator gm_file_iterate(const gm_file_document *document, gm_file_value value)
{
    return (gm_file_iterator){value.begin + 1, value.end - 1, gm_file_type(document, value) == '{'};
}

bool gm_file_next(const gm_file_document *document, gm_file_iterator *iterator, gm_file_value *key,
                  gm_file_value *value)
{
    const uint8_t *text = document->text.data;
    size_t at = skip_white_space(text, iterator->at, iterator->end);
    if (at >= iterator->end)
        return false;
    if (text[at] == ',')
        at = skip_white_space(text, at + 1, iterator->end);
    if (iterator->is_object) {
        const size_t key_end = skip_string(text, at, iterator->end);
        *key = (gm_file_value){at, key_end};
        at = skip_white_space(text, key_end, iterator->end); /* at the colon */
        at = skip_white_space(text, at + 1, iterator->end);
    }
    *value = (gm_file_value){at, skip_value(text, at, iterator->end)};
    iterator->at = value->end;
    return true;
}

/* ---- values ---- */

/* The text was checked, so json-c fails for lack of memory; should its idea of JSON be narrower than
 * ours after all, the file is refused. Codes past the last parse error are about memory and size. */
static gm_status parse_failure(const gm_file_document *document, gm_file_value value, gm_error *error)
{
    const enum json_tokener_error reason = json_tokener_get_error(document->tokener);
    if (reason == json_tokener_success || reason == json_tokener_continue || reason > json_tokener_error_parse_utf8_string)
        return gm_file_no_memory(error);
    return gm_file_fail(error, GM_INVALID_FILE, value.begin, "the value at byte %zu: %s", value.begin,
                        json_tokener_error_desc(reason));
}

gm_status gm_file_parse(gm_file_document *document, gm_file_value value, json_object **tree, gm_error *error)
{
    *tree = NULL;
    if (gm_file_type(document, value) == 'n')
        return GM_OK;
    const size_t length = value.end - value.begin;
    if (length > INT_MAX)
        return gm_file_fail(error, GM_INVALID_FILE, value.begin, "the value at byte %zu is longer than 2 GiB",
                            value.begin);
    json_tokener_reset(document->tokener);
    *tree = json_tokener_parse_ex(document->tokener, (const char *)document->text.data + value.begin, (int)length);
    return *tree != NULL ? GM_OK : parse_failure(document, value, error);
}

gm_status gm_file_string(gm_file_document *document, gm_file_value value, gm_file_span *text, gm_error *error)
{
    const uint8_t *begin = document->text.data + value.begin + 1;
    const size_t length = value.end - value.begin - 2;
    if (length == 0 || memchr(begin, '\\', length) == NULL) {
        *text = (gm_file_span){begin, length};
        return GM_OK;
    }
    json_object_put(document->string);
    document->string = NULL;
    GM_FILE_TRY(gm_file_parse(document, value, &document->string, error));
    *text = (gm_file_span){(const uint8_t *)json_object_get_string(document->string),
                           (size_t)json_object_get_string_len(document->string)};
    return GM_OK;
}

bool gm_file_whole_number(const gm_file_document *document, gm_file_value value, uint64_t *number)
{
    uint64_t n = 0;
    for (size_t i = value.begin; i < value.end; i++) {
        const uint8_t byte = document->text.data[i];
        if (byte < '0' || byte > '9' || n > (INT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (uint64_t)(byte - '0');
    }
    *number = n;
    return value.begin < value.end;
}

bool gm_file_is_text(const gm_file_document *document, gm_file_value value, const char *text)
{
    const size_t length = strlen(text);
    return gm_file_type(document, value) == '"' && value.end - value.begin == length + 2 &&
           memcmp(document->text.data + value.begin + 1, text, length) == 0;
}

gm_status gm_file_bad_field(gm_file_value value, const char *field, const char *expected, gm_error *error)
{
    return gm_file_fail(error, GM_INVALID_FILE, value.begin, "%s at byte %zu should be %s", field, value.begin,
                        expected);
}

/* ---- the document ---- */

gm_status gm_file_document_open(gm_file_document *document, gm_file_span text, gm_file_value *root, gm_error *error)
{
    GM_FILE_TRY(gm_file_check_json(text, error));
    *document = (gm_file_document){.text = text, .tokener = json_tokener_new_ex(80)};
    if (document->tokener == NULL)
        return gm_file_no_memory(error);
    json_tokener_set_flags(document->tokener, JSON_TOKENER_STRICT);
    const size_t begin = skip_white_space(text.data, 0, text.size);
    *root = (gm_file_value){begin, skip_value(text.data, begin, text.size)};
    return GM_OK;
}

void gm_file_document_close(gm_file_document *document)
{
    json_object_put(document->string);
    if (document->tokener != NULL)
        json_tokener_free(document->tokener);
    *document = (gm_file_document){0};
}
