/*
 * cli/input.h - what every command reads with: memory, whole files, lines, members of a JSON line.
 *
 * Memory: a command line tool has nothing better to do without memory than to say so and exit, so
 * these functions never return NULL. Free with free().
 */
#ifndef GM_CLI_INPUT_H
#define GM_CLI_INPUT_H

#include "gmask/gmask.h"

#include <stdio.h>

void *gm_cli_allocate(size_t count, size_t size); /* zeroed */
void *gm_cli_reallocate(void *block, size_t count, size_t size);

/* A text that is owned, NUL-terminated besides its length. */
typedef struct gm_cli_text {
    char *data;
    size_t length;
} gm_cli_text;

/* Reads a whole file, or standard input for "-". False after saying why not. */
bool gm_cli_read_file(const char *path, gm_cli_text *text);

/* Lines of a file, or of standard input for "-". */
typedef struct gm_cli_lines {
    const char *path;
    FILE *stream;
    char *line; /* the present line without its line feed, NUL-terminated; good until the next one */
    size_t length;
    size_t number; /* of the present line, from 1 */
    size_t capacity;
} gm_cli_lines;

/* False after saying why not. */
bool gm_cli_lines_open(gm_cli_lines *lines, const char *path);
/* The next line that is not blank; false at the end. */
bool gm_cli_lines_next(gm_cli_lines *lines);
/* False after saying so when reading had failed. */
bool gm_cli_lines_close(gm_cli_lines *lines);

struct json_object;

/* The JSON value that a text is, to be given back with json_object_put; NULL (which `null` is too)
 * with the reason in *why. For what is flat: 64 levels at most. */
struct json_object *gm_cli_parse_json(const char *text, size_t length, const char **why);
/* The JSON object that a line is, to be given back with json_object_put; NULL after saying why not. */
struct json_object *gm_cli_parse_line(const gm_cli_lines *lines);

/* Finds the text of a member of a JSON object without reading it: spelling, key order and depth
 * stay as they are. The key must be spelled without escapes. False when there is none. */
bool gm_cli_member_text(const char *object, size_t length, const char *key, const char **text, size_t *text_length);

/* A string member, NULL when it is missing or no string. Borrowed. */
const char *gm_cli_string_member(struct json_object *object, const char *key, size_t *length);

/* Digits alone, no sign, no overflow. */
bool gm_cli_parse_number(const char *text, uint64_t *number);

#endif
