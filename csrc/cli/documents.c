/*
 * cli/documents.c - see documents.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/documents.h"

#include "cli/input.h"
#include "cli/output.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text, size_t length)
{
    char *copy = gm_cli_allocate(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

static size_t without_fragment(const char *uri, size_t length)
{
    return length > 0 && uri[length - 1] == '#' ? length - 1 : length;
}

static int compare_uri(const char *left, size_t left_length, const char *right, size_t right_length)
{
    const size_t common = left_length < right_length ? left_length : right_length;
    const int order = memcmp(left, right, common);
    return order != 0 ? order : left_length < right_length ? -1 : left_length > right_length;
}

/* Index of the first document whose URI is not before `uri`. */
static size_t lower_bound(const gm_cli_documents *documents, const char *uri, size_t length)
{
    size_t low = 0;
    size_t high = documents->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *candidate = documents->items[middle].uri;
        if (compare_uri(candidate, strlen(candidate), uri, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const gm_cli_document *find(const gm_cli_documents *documents, const char *uri, size_t length)
{
    const size_t at = lower_bound(documents, uri, length);
    if (at == documents->count)
        return NULL;
    const gm_cli_document *document = &documents->items[at];
    return compare_uri(document->uri, strlen(document->uri), uri, length) == 0 ? document : NULL;
}

static void add(gm_cli_documents *documents, const char *uri, size_t uri_length, const char *text, size_t length)
{
    uri_length = without_fragment(uri, uri_length);
    if (find(documents, uri, uri_length) != NULL)
        return;
    const size_t at = lower_bound(documents, uri, uri_length);
    documents->items = gm_cli_reallocate(documents->items, documents->count + 1, sizeof *documents->items);
    memmove(documents->items + at + 1, documents->items + at, (documents->count - at) * sizeof *documents->items);
    documents->items[at] = (gm_cli_document){copy_text(uri, uri_length), copy_text(text, length), length};
    documents->count++;
}

bool gm_cli_documents_read(gm_cli_documents *documents, const char *path)
{
    gm_cli_lines lines;
    if (!gm_cli_lines_open(&lines, path))
        return false;
    bool is_good = true;
    while (is_good && gm_cli_lines_next(&lines)) {
        struct json_object *line = gm_cli_parse_line(&lines);
        size_t uri_length = 0;
        size_t length = 0;
        const char *uri = line != NULL ? gm_cli_string_member(line, "uri", &uri_length) : NULL;
        const char *text = line != NULL ? gm_cli_string_member(line, "text", &length) : NULL;
        is_good = uri != NULL && text != NULL;
        if (is_good)
            add(documents, uri, uri_length, text, length);
        else if (line != NULL)
            gm_cli_say(path, "line %zu: a document needs the strings uri and text", lines.number);
        json_object_put(line);
    }
    return gm_cli_lines_close(&lines) && is_good;
}

void gm_cli_documents_free(gm_cli_documents *documents)
{
    for (size_t i = 0; i < documents->count; i++) {
        free(documents->items[i].uri);
        free(documents->items[i].text);
    }
    free(documents->items);
    *documents = (gm_cli_documents){0};
}

static bool is_listed(struct json_object *list, const char *uri, size_t length)
{
    const size_t count = json_object_array_length(list);
    for (size_t i = 0; i < count; i++) {
        struct json_object *item = json_object_array_get_idx(list, i);
        if (!json_object_is_type(item, json_type_string))
            continue;
        const char *listed = json_object_get_string(item);
        const size_t listed_length = without_fragment(listed, (size_t)json_object_get_string_len(item));
        if (compare_uri(listed, listed_length, uri, length) == 0)
            return true;
    }
    return false;
}

bool gm_cli_resolve(void *view, const char *uri, size_t uri_length, const char **text, size_t *length)
{
    const gm_cli_view *seen = view;
    uri_length = without_fragment(uri, uri_length);
    if (seen->listed != NULL && !is_listed(seen->listed, uri, uri_length))
        return false;
    const gm_cli_document *document = find(seen->documents, uri, uri_length);
    if (document == NULL)
        return false;
    *text = document->text;
    *length = document->text_length;
    return true;
}
