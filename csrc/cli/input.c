/*
 * cli/input.c - see input.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/input.h"

#include "cli/output.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Schemas, which may be deeper, are strings in what is parsed here, or are cut out before. */
enum { JSON_DEPTH = 64 };

/* ---- memory ---- */

static void *or_exit(void *block)
{
    if (block == NULL) {
        gm_cli_say(NULL, "out of memory");
        exit(GM_CLI_FAILED);
    }
    return block;
}

void *gm_cli_allocate(size_t count, size_t size)
{
    return or_exit(calloc(count != 0 ? count : 1, size));
}

void *gm_cli_reallocate(void *block, size_t count, size_t size)
{
    return or_exit(count <= SIZE_MAX / size ? realloc(block, count != 0 ? count * size : 1) : NULL);
}

/* ---- files ---- */

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

static FILE *open_input(const char *path)
{
    FILE *stream = is_standard_input(path) ? stdin : fopen(path, "rb");
    if (stream == NULL)
        gm_cli_say(path, "%s", strerror(errno));
    return stream;
}

/* Closes; false after saying so when the stream had failed. */
static bool close_input(FILE *stream, const char *path)
{
    const bool is_good = ferror(stream) == 0;
    if (!is_good)
        gm_cli_say(path, "%s", strerror(errno));
    if (stream != stdin)
        fclose(stream);
    return is_good;
}

bool gm_cli_read_file(const char *path, gm_cli_text *text)
{
    FILE *stream = open_input(path);
    if (stream == NULL)
        return false;
    char *data = NULL;
    size_t length = 0;
    size_t capacity = 0;
    do {
        if (capacity - length < 2) {
            capacity = capacity != 0 ? capacity * 2 : 65536;
            data = gm_cli_reallocate(data, capacity, 1);
        }
        length += fread(data + length, 1, capacity - length - 1, stream);
    } while (feof(stream) == 0 && ferror(stream) == 0);
    if (!close_input(stream, path)) {
        free(data);
        return false;
    }
    data[length] = '\0';
    *text = (gm_cli_text){data, length};
    return true;
}

/* ---- lines ---- */

bool gm_cli_lines_open(gm_cli_lines *lines, const char *path)
{
    FILE *stream = open_input(path);
    if (stream == NULL)
        return false;
    *lines = (gm_cli_lines){.path = path, .stream = stream};
    return true;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

bool gm_cli_lines_next(gm_cli_lines *lines)
{
    for (;;) {
        const ssize_t got = getline(&lines->line, &lines->capacity, lines->stream);
        if (got < 0)
            return false;
        lines->number++;
        lines->length = (size_t)got;
        if (lines->length > 0 && lines->line[lines->length - 1] == '\n')
            lines->line[--lines->length] = '\0';
        if (!is_blank(lines->line))
            return true;
    }
}

bool gm_cli_lines_close(gm_cli_lines *lines)
{
    free(lines->line);
    return close_input(lines->stream, lines->path);
}

struct json_object *gm_cli_parse_json(const char *text, size_t length, const char **why)
{
    *why = NULL;
    if (length > INT_MAX) {
        *why = "too long";
        return NULL;
    }
    struct json_tokener *tokener = or_exit(json_tokener_new_ex(JSON_DEPTH));
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)length);
    if (json_tokener_get_error(tokener) == json_tokener_continue) /* a number at the end waits for more */
        value = json_tokener_parse_ex(tokener, "", 1);
    const enum json_tokener_error error = json_tokener_get_error(tokener);
    if (error != json_tokener_success)
        *why = error == json_tokener_continue ? "the JSON text ends early" : json_tokener_error_desc(error);
    json_tokener_free(tokener);
    return value;
}

struct json_object *gm_cli_parse_line(const gm_cli_lines *lines)
{
    const char *why;
    struct json_object *object = gm_cli_parse_json(lines->line, lines->length, &why);
    if (why == NULL && json_object_is_type(object, json_type_object))
        return object;
    gm_cli_say(lines->path, "line %zu: %s", lines->number, why != NULL ? why : "not a JSON object");
    json_object_put(object);
    return NULL;
}

/* ---- members ---- */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* Past the string that begins at `at`. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

/* Past the value that begins at `at`: up to the comma or bracket that ends it on its own level. */
static const char *skip_value(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
            break;
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    }
    return at;
}

bool gm_cli_member_text(const char *object, size_t length, const char *key, const char **text, size_t *text_length)
{
    const char *end = object + length;
    const char *at = skip_blanks(object, end);
    const size_t key_length = strlen(key);
    if (at == end || *at != '{')
        return false;
    for (at = skip_blanks(at + 1, end); at < end && *at == '"'; at = skip_blanks(at + 1, end)) {
        const char *name = at + 1;
        at = skip_string(at, end);
        const bool is_found = (size_t)(at - 1 - name) == key_length && memcmp(name, key, key_length) == 0;
        at = skip_blanks(at, end);
        if (at == end || *at != ':')
            return false;
        const char *value = skip_blanks(at + 1, end);
        at = skip_value(value, end);
        if (is_found && at > value) {
            *text = value;
            *text_length = (size_t)(at - value);
            return true;
        }
        if (at == end || *at != ',')
            return false;
    }
    return false;
}

const char *gm_cli_string_member(struct json_object *object, const char *key, size_t *length)
{
    struct json_object *value;
    if (!json_object_object_get_ex(object, key, &value) || !json_object_is_type(value, json_type_string))
        return NULL;
    if (length != NULL)
        *length = (size_t)json_object_get_string_len(value);
    return json_object_get_string(value);
}

bool gm_cli_parse_number(const char *text, uint64_t *number)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const unsigned digit = (unsigned)(*text - '0');
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}
