/*
 * cli/vocabulary.c - see vocabulary.h.
 */
#include "cli/vocabulary.h"

#include "cli/output.h"
#include "cli/shipped_vocabulary.h"
#include "cli/vocab1.h"

#include "gmask/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a file is ---- */

enum { START_SIZE = 8 };

/* First bytes of saved tables. */
static const unsigned char SAVED_START[START_SIZE] = {0x9D, 'G', 'M', 'V', 'O', '\r', '\n', 0x1A};

typedef enum file_form { FORM_SHIPPED, FORM_VOCAB1, FORM_SAVED, FORM_TOKENIZER } file_form;

/* False after saying why the file cannot be read. */
static bool find_form(const char *path, file_form *form)
{
    unsigned char start[START_SIZE];
    FILE *stream = fopen(path, "rb");
    const size_t got = stream != NULL ? fread(start, 1, sizeof start, stream) : 0;
    if (stream == NULL || ferror(stream) != 0) {
        gm_cli_say(path, "%s", strerror(errno));
        if (stream != NULL)
            fclose(stream);
        return false;
    }
    fclose(stream);
    if (gm_cli_is_vocab1((const char *)start, got))
        *form = FORM_VOCAB1;
    else if (got == sizeof start && memcmp(start, SAVED_START, sizeof start) == 0)
        *form = FORM_SAVED;
    else
        *form = FORM_TOKENIZER;
    return true;
}

/* ---- stop tokens ---- */

/* The id that a word names: a number, or the text of a token. */
static bool find_token(const gm_vocab *vocab, const char *word, uint32_t *id)
{
    uint64_t number;
    const size_t count = gm_vocab_token_count(vocab);
    if (gm_cli_parse_number(word, &number)) {
        *id = (uint32_t)number;
        return number < count;
    }
    for (*id = 0; *id < count; ++*id) {
        const uint8_t *bytes = NULL;
        size_t length = 0;
        uint32_t flags;
        gm_vocab_token(vocab, *id, &bytes, &length, &flags);
        if (bytes != NULL && length == strlen(word) && memcmp(bytes, word, length) == 0)
            return true;
    }
    return false;
}

/* --stop for a vocabulary that is already made: the matchers get a stop set of their own. */
static bool set_stops(const gm_cli_options *options, gm_cli_vocabulary *vocabulary)
{
    if (options->stop_count == 0)
        return true;
    uint32_t *stop = gm_cli_allocate(options->stop_count, sizeof *stop);
    vocabulary->own_stop = stop;
    vocabulary->matcher.own_stop_set = true;
    vocabulary->matcher.stop = stop;
    vocabulary->matcher.stop_count = options->stop_count;
    for (size_t i = 0; i < options->stop_count; i++)
        if (!find_token(vocabulary->vocab, options->stops[i], &stop[i])) {
            gm_cli_say(vocabulary->name, "no token '%s' to stop at", options->stops[i]);
            return false;
        }
    return true;
}

/* ---- opening ---- */

static bool is_ok(const gm_cli_vocabulary *vocabulary, gm_status status, const gm_error *error)
{
    if (status != GM_OK)
        gm_cli_say_error(vocabulary->name, error);
    return status == GM_OK;
}

static bool open_vocab1(const char *path, gm_cli_vocabulary *vocabulary)
{
    gm_cli_text text;
    gm_error error = {0};
    vocabulary->kind = "vocab1";
    if (!gm_cli_read_file(path, &text))
        return false;
    const gm_status status = gm_cli_vocab1_read(&text, &vocabulary->vocab, &error);
    free(text.data);
    return is_ok(vocabulary, status, &error);
}

static bool open_saved(const char *path, gm_cli_vocabulary *vocabulary)
{
    gm_error error = {0};
    vocabulary->kind = "saved tables";
    return is_ok(vocabulary, gm_vocab_load(path, NULL, &vocabulary->vocab, &error), &error);
}

static bool open_shipped(gm_cli_vocabulary *vocabulary)
{
    gm_error error = {0};
    vocabulary->kind = "shipped";
    return is_ok(vocabulary, gm_shipped_vocabulary(NULL, &vocabulary->vocab, &error), &error);
}

/* Words that are numbers are ids, all others texts. */
static bool open_tokenizer(const gm_cli_options *options, gm_cli_vocabulary *vocabulary)
{
    gm_error error = {0};
    uint32_t *ids = gm_cli_allocate(options->stop_count, sizeof *ids);
    const char **texts = gm_cli_allocate(options->stop_count, sizeof *texts);
    gm_file_options file = {
        .struct_size = sizeof file, .specials_path = options->special_path, .stop = ids, .stop_texts = texts};
    for (size_t i = 0; i < options->stop_count; i++) {
        uint64_t number;
        if (gm_cli_parse_number(options->stops[i], &number) && number < UINT32_MAX)
            ids[file.stop_count++] = (uint32_t)number;
        else
            texts[file.stop_text_count++] = options->stops[i];
    }
    const gm_status status = gm_vocab_info_open(options->vocab_path, &file, &vocabulary->info, &error);
    free(ids);
    free(texts);
    if (!is_ok(vocabulary, status, &error))
        return false;
    vocabulary->vocab = gm_vocab_retain(gm_vocab_info_vocab(vocabulary->info));
    vocabulary->kind = gm_file_kind_name(gm_vocab_info_kind(vocabulary->info));
    return true;
}

static bool open_form(const gm_cli_options *options, file_form form, gm_cli_vocabulary *vocabulary)
{
    switch (form) {
    case FORM_VOCAB1:
        return open_vocab1(options->vocab_path, vocabulary);
    case FORM_SAVED:
        return open_saved(options->vocab_path, vocabulary);
    case FORM_TOKENIZER:
        return open_tokenizer(options, vocabulary);
    default:
        return open_shipped(vocabulary);
    }
}

bool gm_cli_vocabulary_open(const gm_cli_options *options, gm_cli_vocabulary *vocabulary)
{
    file_form form = FORM_SHIPPED;
    *vocabulary = (gm_cli_vocabulary){.name = options->vocab_path != NULL ? options->vocab_path : "shipped vocabulary",
                                      .matcher = {.struct_size = sizeof vocabulary->matcher}};
    if (options->vocab_path != NULL && !find_form(options->vocab_path, &form))
        return false;
    if (form != FORM_TOKENIZER && options->special_path != NULL) {
        gm_cli_say(options->special_path, "special tokens are given for rank files alone");
        return false;
    }
    const uint64_t start = gm_cli_now_ns();
    if (!open_form(options, form, vocabulary))
        return false;
    vocabulary->open_ns = gm_cli_now_ns() - start;
    if (form == FORM_TOKENIZER || set_stops(options, vocabulary))
        return true;
    gm_cli_vocabulary_close(vocabulary);
    return false;
}

void gm_cli_vocabulary_close(gm_cli_vocabulary *vocabulary)
{
    free(vocabulary->own_stop);
    gm_vocab_info_destroy(vocabulary->info);
    gm_vocab_release(vocabulary->vocab);
    *vocabulary = (gm_cli_vocabulary){0};
}

const uint32_t *gm_cli_vocabulary_stop(const gm_cli_vocabulary *vocabulary, size_t *count)
{
    if (!vocabulary->matcher.own_stop_set)
        return gm_vocab_stop(vocabulary->vocab, count);
    *count = vocabulary->matcher.stop_count;
    return vocabulary->matcher.stop;
}

/* ---- single bytes ---- */

gm_status gm_cli_byte_vocabulary(gm_vocab **vocab, gm_error *error)
{
    enum { BYTES = 256 };
    uint8_t blob[BYTES];
    uint64_t offsets[BYTES + 2];
    const uint32_t stop = BYTES;
    for (unsigned i = 0; i < BYTES; i++) {
        blob[i] = (uint8_t)i;
        offsets[i] = i;
    }
    offsets[BYTES] = offsets[BYTES + 1] = BYTES;
    const gm_vocab_desc desc = {
        .struct_size = sizeof desc,
        .token_count = BYTES + 1,
        .blob = blob,
        .offsets = offsets,
        .special = &stop,
        .special_count = 1,
        .stop = &stop,
        .stop_count = 1,
    };
    return gm_vocab_create(&desc, vocab, error);
}
