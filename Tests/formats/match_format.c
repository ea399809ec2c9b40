/*
 * match_format.c - whether texts have a format.
 *
 * Reads lines of a format's name, a tab and the text with \uXXXX, \\, \n and the like as in a JSON
 * string, without quotes. Prints for each line 1, 0, or ? if the format is unknown. The length bounds of a
 * format are checked as well, as a schema would.
 */
#include "lex/format.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 1 << 20 };

static uint32_t read_hex(const char *digits)
{
    char four[5] = {0};
    memcpy(four, digits, 4);
    return (uint32_t)strtoul(four, NULL, 16);
}

/* Decodes in place what \ introduces; pairs of surrogates become one code point. */
static size_t decode(char *text)
{
    size_t length = 0;
    for (const char *at = text; *at != '\0';) {
        if (*at != '\\') {
            text[length++] = *at++;
            continue;
        }
        static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
        const char *const known = strchr(letters, at[1]);
        if (at[1] != 'u') {
            text[length++] = known != NULL ? meanings[known - letters] : at[1];
            at += 2;
            continue;
        }
        uint32_t code_point = read_hex(at + 2);
        at += 6;
        if (code_point >= 0xD800 && code_point < 0xDC00 && at[0] == '\\' && at[1] == 'u') {
            code_point = 0x10000 + ((code_point - 0xD800) << 10) + (read_hex(at + 2) - 0xDC00);
            at += 6;
        }
        length += gm_utf8_write(code_point, text + length);
    }
    return length;
}

static char answer(gm_text *text, char *line)
{
    char *const tab = strchr(line, '\t');
    if (tab == NULL)
        return '?';
    const gm_format *format = gm_format_find((gm_bytes){line, (size_t)(tab - line)});
    if (format == NULL)
        return '?';
    const gm_bytes string = {tab + 1, decode(tab + 1)};
    uint64_t code_points = 0;
    for (size_t i = 0; i < string.length; i++)
        code_points += ((unsigned char)string.data[i] & 0xC0) != 0x80;
    gm_term term;
    gm_error error = {0};
    bool matches = false;
    if (gm_text_format(text, format, &term, &error) != GM_OK || gm_text_matches(text, term, string, &matches) != GM_OK) {
        fprintf(stderr, "%s: %s\n", format->name, error.message);
        exit(1);
    }
    return matches && code_points >= format->least && code_points <= format->most ? '1' : '0';
}

int main(void)
{
    gm_text *text;
    char *line = malloc(LONGEST);
    if (line == NULL || gm_text_create(NULL, NULL, &text, NULL) != GM_OK)
        return 1;
    while (fgets(line, LONGEST, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        printf("%c\n", answer(text, line));
    }
    gm_text_destroy(text);
    free(line);
    return 0;
}
