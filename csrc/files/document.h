/*
 * files/document.h - a JSON text walked in place; json-c reads what is small.
 *
 * Tokenizer files are tens of megabytes, and most of that (merges, scores, texts that repeat the
 * bytes) is of no use here. So a document is checked once from end to end without building a tree,
 * and then walked: a value is a span of the text, containers are iterated member by member, and
 * json-c is given single strings with escapes and small subtrees only.
 *
 *   open      whole grammar of JSON, UTF-8, surrogate pairs: every error has its exact offset
 *   iterate   cannot fail, since the text was checked
 *   parse     json-c; can fail only for lack of memory
 *
 * The check is not left to json-c because json-c is laxer (0.16 turns half a surrogate pair into
 * U+FFFD and cuts a key at a NUL), and a token text must be exact.
 */
#ifndef GM_FILES_DOCUMENT_H
#define GM_FILES_DOCUMENT_H

#include "files/table.h"

#include <json-c/json.h>

typedef struct gm_file_document {
    gm_file_span text;
    json_tokener *tokener;
    json_object *string; /* what the last gm_file_string was decoded into */
} gm_file_document;

/* A value: text[begin .. end), without white space around it. */
typedef struct gm_file_value {
    size_t begin;
    size_t end;
} gm_file_value;

/* Members of an object, or elements of an array. */
typedef struct gm_file_iterator {
    size_t at;
    size_t end;
    bool is_object;
} gm_file_iterator;

/* Checks the text and gives its root. On failure the document needs no closing. */
gm_status gm_file_document_open(gm_file_document *document, gm_file_span text, gm_file_value *root, gm_error *error);
void gm_file_document_close(gm_file_document *document);

/* First byte of a value: { [ " t f n or a number's. */
static inline uint8_t gm_file_type(const gm_file_document *document, gm_file_value value)
{
    return document->text.data[value.begin];
}
static inline bool gm_file_is_number(uint8_t type) { return type == '-' || (type >= '0' && type <= '9'); }

/* `value` must be an object or an array. */
gm_file_iterator gm_file_iterate(const gm_file_document *document, gm_file_value value);
/* The next member or element; false at the end. `key` (NULL for arrays) is a string's span. */
bool gm_file_next(const gm_file_document *document, gm_file_iterator *iterator, gm_file_value *key,
                  gm_file_value *value);

/* The decoded text of a string value, borrowed until the next call. */
gm_status gm_file_string(gm_file_document *document, gm_file_value value, gm_file_span *text, gm_error *error);
/* Reads a whole number in 0 .. 2^63 - 1; false for any other value. */
bool gm_file_whole_number(const gm_file_document *document, gm_file_value value, uint64_t *number);
/* True when a string value is exactly this ASCII text. */
bool gm_file_is_text(const gm_file_document *document, gm_file_value value, const char *text);
/* A small value (no number at its root) as a tree, NULL for null: release it with json_object_put. */
gm_status gm_file_parse(gm_file_document *document, gm_file_value value, json_object **tree, gm_error *error);

/* GM_INVALID_FILE at the value, for a field that is missing or not what it must be. */
gm_status gm_file_bad_field(gm_file_value value, const char *field, const char *expected, gm_error *error);

#endif
