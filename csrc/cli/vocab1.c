/*
 * cli/vocab1.c - see vocab1.h.
 */
#include "cli/vocab1.h"

#include <stdlib.h>
#include <string.h>

static const char MAGIC[] = "vocab1 ";

/* Where reading stands, and what it has gathered. */
typedef struct vocab1 {
    const char *at;
    const char *end;
    size_t line; /* number of the line at `at` */
    uint64_t token_count;
    uint8_t *blob;
    uint64_t *offsets;
    uint8_t *flags;
    uint32_t *stop;
    size_t stop_count;
} vocab1;

bool gm_cli_is_vocab1(const char *text, size_t length)
{
    return length >= sizeof MAGIC - 1 && memcmp(text, MAGIC, sizeof MAGIC - 1) == 0;
}

static gm_status fail(const vocab1 *file, gm_error *error, const char *message)
{
    *error = (gm_error){.status = GM_INVALID_FILE};
    snprintf(error->message, sizeof error->message, "line %zu: %s", file->line, message);
    return GM_INVALID_FILE;
}

/* A number that ends before anything but a digit. */
static bool read_number(vocab1 *file, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    const char *start = file->at;
    for (; file->at < file->end && *file->at >= '0' && *file->at <= '9'; file->at++) {
        value = value * 10 + (uint64_t)(*file->at - '0');
        if (value > most)
            return false;
    }
    *number = value;
    return file->at > start;
}

static bool skip(vocab1 *file, char wanted)
{
    if (file->at == file->end || *file->at != wanted)
        return false;
    file->at++;
    return true;
}

static gm_status read_first_line(vocab1 *file, gm_error *error)
{
    uint64_t id;
    file->at += sizeof MAGIC - 1;
    /* every token needs a line, so a count past the text's length is wrong before it costs memory */
    if (!read_number(file, (uint64_t)(file->end - file->at), &file->token_count) || !skip(file, ' '))
        return fail(file, error, "expected the number of tokens and the stop ids");
    do {
        if (!read_number(file, file->token_count - 1, &id) || file->token_count == 0)
            return fail(file, error, "expected the id of a stop token");
        file->stop = gm_cli_reallocate(file->stop, file->stop_count + 1, sizeof *file->stop);
        file->stop[file->stop_count++] = (uint32_t)id;
    } while (skip(file, ','));
    return skip(file, '\n') ? GM_OK : fail(file, error, "expected the end of the line after the stop ids");
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One token's line, its line feed left out; appends its bytes. */
static bool read_token(const char *line, size_t length, uint8_t *out, uint64_t *size)
{
    if (length % 2 != 0)
        return false;
    for (size_t i = 0; i < length; i += 2) {
        const int high = hex_digit(line[i]);
        const int low = hex_digit(line[i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[(*size)++] = (uint8_t)(high * 16 + low);
    }
    return true;
}

static gm_status read_tokens(vocab1 *file, gm_error *error)
{
    uint64_t size = 0;
    for (uint64_t id = 0; id < file->token_count; id++) {
        file->line++;
        if (file->at == file->end)
            return fail(file, error, "the file ends before its last token");
        const char *feed = memchr(file->at, '\n', (size_t)(file->end - file->at));
        const char *stop = feed != NULL ? feed : file->end;
        if (stop > file->at && *file->at == '!')
            file->flags[id] = GM_TOKEN_CONTROL;
        else if (!read_token(file->at, (size_t)(stop - file->at), file->blob, &size))
            return fail(file, error, "expected a token in hex, or !name");
        file->offsets[id + 1] = size;
        file->at = feed != NULL ? feed + 1 : file->end;
    }
    file->line++;
    return file->at == file->end ? GM_OK : fail(file, error, "more lines than tokens");
}

static gm_status read_all(vocab1 *file, gm_vocab **vocab, gm_error *error)
{
    gm_status status = read_first_line(file, error);
    if (status != GM_OK)
        return status;
    file->blob = gm_cli_allocate((size_t)(file->end - file->at) / 2 + 1, 1);
    file->offsets = gm_cli_allocate((size_t)file->token_count + 1, sizeof *file->offsets);
    file->flags = gm_cli_allocate((size_t)file->token_count, 1);
    status = read_tokens(file, error);
    if (status != GM_OK)
        return status;
    const gm_vocab_desc desc = {
        .struct_size = sizeof desc,
        .token_count = (size_t)file->token_count,
        .blob = file->blob,
        .offsets = file->offsets,
        .flags = file->flags,
        .stop = file->stop,
        .stop_count = file->stop_count,
    };
    return gm_vocab_create(&desc, vocab, error);
}

gm_status gm_cli_vocab1_read(const gm_cli_text *text, gm_vocab **vocab, gm_error *error)
{
    vocab1 file = {.at = text->data, .end = text->data + text->length, .line = 1};
    const gm_status status = read_all(&file, vocab, error);
    free(file.blob);
    free(file.offsets);
    free(file.flags);
    free(file.stop);
    return status;
}
