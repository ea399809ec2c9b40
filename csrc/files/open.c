/*
 * files/open.c - the public functions: options, the stop set, and the call that makes a vocabulary.
 *
 * An info owns the token table (for names and look-ups) and one reference to the vocabulary.
 */
#include "files/load.h"
#include "files/source.h"

#include <stdio.h>
#include <string.h>

struct gm_vocab_info {
    gm_file_table table;
    gm_vocab *vocab;
};

const char *gm_file_kind_name(gm_file_kind kind)
{
    static const char *const names[] = {"unknown",     "tiktoken",     "hf-bytelevel", "hf-byte-fallback",
                                        "hf-bpe",      "hf-unigram",   "hf-wordpiece", "tekken",
                                        "sentencepiece", "gguf-bytelevel", "gguf-spm",   "gguf-wordpiece"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : names[0];
}

/* ---- options ---- */

static gm_status read_options(const gm_file_options *given, gm_file_options *options, gm_error *error)
{
    *options = (gm_file_options){.struct_size = sizeof *options};
    if (given == NULL)
        return GM_OK;
    if (given->struct_size < offsetof(gm_file_options, specials))
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "gm_file_options: struct_size is %zu", given->struct_size);
    memcpy(options, given, given->struct_size < sizeof *options ? given->struct_size : sizeof *options);
    if (options->specials_path != NULL && options->specials != NULL)
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0,
                            "gm_file_options: special tokens are given both as a path and as text");
    if ((options->stop == NULL && options->stop_count != 0) ||
        (options->stop_texts == NULL && options->stop_text_count != 0))
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "gm_file_options: stop_count without a list");
    return GM_OK;
}

/* ---- the stop set ---- */

typedef struct stop_list {
    uint32_t *ids;
    size_t count;
    size_t capacity;
} stop_list;

/* Adds `count` ids; `ids` may lie in no list of ours. */
static gm_status add_stops(const gm_allocator *allocator, stop_list *list, const uint32_t *ids, size_t count,
                           gm_error *error)
{
    void *block = list->ids;
    if (count > SIZE_MAX - list->count ||
        !gm_file_grow(allocator, &block, &list->capacity, list->count + count, sizeof *list->ids))
        return gm_file_no_memory(error);
    list->ids = block;
    if (count != 0)
        memcpy(list->ids + list->count, ids, count * sizeof *ids);
    list->count += count;
    return GM_OK;
}

static gm_status add_stop_text(const gm_file_table *table, stop_list *list, const char *text, gm_error *error)
{
    const size_t length = strlen(text);
    const size_t found = gm_file_table_find(table, (const uint8_t *)text, length, NULL, 0);
    if (found == 0)
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "stop text: no token has the text %.*s",
                            gm_file_shown(length), text);
    void *block = list->ids;
    if (!gm_file_grow(&table->allocator, &block, &list->capacity, list->count + found, sizeof *list->ids))
        return gm_file_no_memory(error);
    list->ids = block;
    gm_file_table_find(table, (const uint8_t *)text, length, list->ids + list->count, found);
    list->count += found;
    return GM_OK;
}

static gm_status collect_stops(const gm_file_table *table, const gm_file_options *options, stop_list *list,
                               gm_error *error)
{
    if (options->stop_count == 0 && options->stop_text_count == 0)
        return add_stops(&table->allocator, list, table->declared_stop, table->declared_stop_count, error);
    GM_FILE_TRY(add_stops(&table->allocator, list, options->stop, options->stop_count, error));
    for (size_t i = 0; i < options->stop_text_count; i++)
        GM_FILE_TRY(add_stop_text(table, list, options->stop_texts[i], error));
    return GM_OK;
}

/* ---- from table to vocabulary ---- */

/* Form two of the description: a pointer, a length and flags for each id. */
typedef struct description {
    const uint8_t **texts;
    size_t *lengths;
    uint8_t *flags;
    stop_list stop;
} description;

static bool allocate_description(const gm_file_table *table, description *d)
{
    const gm_allocator *allocator = &table->allocator;
    const size_t count = table->token_count;
    d->texts = allocator->allocate(allocator->context, count * sizeof *d->texts);
    d->lengths = allocator->allocate(allocator->context, count * sizeof *d->lengths);
    d->flags = allocator->allocate(allocator->context, count * sizeof *d->flags);
    return d->texts != NULL && d->lengths != NULL && d->flags != NULL;
}

static void release_description(const gm_file_table *table, description *d)
{
    const gm_allocator *allocator = &table->allocator;
    const size_t count = table->token_count;
    if (d->texts != NULL)
        allocator->deallocate(allocator->context, d->texts, count * sizeof *d->texts);
    if (d->lengths != NULL)
        allocator->deallocate(allocator->context, d->lengths, count * sizeof *d->lengths);
    if (d->flags != NULL)
        allocator->deallocate(allocator->context, d->flags, count * sizeof *d->flags);
    if (d->stop.ids != NULL)
        allocator->deallocate(allocator->context, d->stop.ids, d->stop.capacity * sizeof *d->stop.ids);
}

static gm_status create_vocab(const gm_file_table *table, const gm_file_options *options, const description *d,
                              gm_vocab **vocab, gm_error *error)
{
    for (size_t id = 0; id < table->token_count; id++) {
        const gm_file_token *token = &table->tokens[id];
        d->texts[id] = gm_file_text(table, token);
        d->lengths[id] = token->length;
        d->flags[id] = token->flags;
    }
    const gm_vocab_desc desc = {
        .struct_size = sizeof desc,
        .token_count = table->token_count,
        .logit_width = options->logit_width,
        .texts = d->texts,
        .lengths = d->lengths,
        .flags = d->flags,
        .stop = d->stop.ids,
        .stop_count = d->stop.count,
        .spelling = GM_SPELLING_RAW,
        .allow_added = options->allow_added,
        .word_pieces = table->word_pieces,
        .prefix_space = table->prefix_space,
        .allocator = options->allocator,
    };
    return gm_vocab_create(&desc, vocab, error);
}

static gm_status make_vocab(const gm_file_table *table, const gm_file_options *options, gm_vocab **vocab,
                            gm_error *error)
{
    description d = {0};
    gm_status status = allocate_description(table, &d) ? GM_OK : gm_file_no_memory(error);
    if (status == GM_OK)
        status = collect_stops(table, options, &d.stop, error);
    if (status == GM_OK)
        status = create_vocab(table, options, &d, vocab, error);
    release_description(table, &d);
    return status;
}

/* ---- opening ---- */

static gm_status load_with_specials(gm_file_span file, const gm_file_options *options, gm_file_table *table,
                                    gm_error *error)
{
    gm_file_span text = {(const uint8_t *)options->specials, options->specials_length};
    if (options->specials_path == NULL)
        return gm_file_load(file, text, table, error);
    gm_file_source source;
    GM_FILE_TRY(gm_file_source_open(options->specials_path, &table->allocator, &source, error));
    text = source.span.data != NULL ? source.span : (gm_file_span){(const uint8_t *)"", 0};
    const gm_status status = gm_file_load(file, text, table, error);
    gm_file_source_close(&source, &table->allocator);
    return status;
}

static gm_status open_span(gm_file_span file, const gm_file_options *options, gm_vocab_info **info, gm_error *error)
{
    const gm_allocator allocator = gm_file_allocator_or_default(options->allocator);
    gm_vocab_info *made = allocator.allocate(allocator.context, sizeof *made);
    if (made == NULL)
        return gm_file_no_memory(error);
    made->vocab = NULL;
    gm_file_table_init(&made->table, &allocator);
    gm_status status = load_with_specials(file, options, &made->table, error);
    if (status == GM_OK)
        status = make_vocab(&made->table, options, &made->vocab, error);
    if (status != GM_OK) {
        gm_vocab_info_destroy(made);
        return status;
    }
    *info = made;
    return GM_OK;
}

gm_status gm_vocab_info_open_memory(const uint8_t *data, size_t size, const gm_file_options *options,
                                    gm_vocab_info **info, gm_error *error)
{
    gm_file_options own;
    if (info == NULL || (data == NULL && size != 0))
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "gm_vocab_info_open_memory: data or info is NULL");
    GM_FILE_TRY(read_options(options, &own, error));
    return open_span((gm_file_span){data, size}, &own, info, error);
}

gm_status gm_vocab_info_open(const char *path, const gm_file_options *options, gm_vocab_info **info, gm_error *error)
{
    gm_file_options own;
    gm_file_source source;
    if (info == NULL || path == NULL)
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "gm_vocab_info_open: path or info is NULL");
    GM_FILE_TRY(read_options(options, &own, error));
    const gm_allocator allocator = gm_file_allocator_or_default(own.allocator);
    GM_FILE_TRY(gm_file_source_open(path, &allocator, &source, error));
    const gm_status status = open_span(source.span, &own, info, error);
    gm_file_source_close(&source, &allocator);
    return status;
}

void gm_vocab_info_destroy(gm_vocab_info *info)
{
    if (info == NULL)
        return;
    const gm_allocator allocator = info->table.allocator;
    gm_vocab_release(info->vocab);
    gm_file_table_free(&info->table);
    allocator.deallocate(allocator.context, info, sizeof *info);
}

/* Keeps the vocabulary of an info, if there is one, and drops the rest. */
static void take_vocab(gm_vocab_info *info, gm_vocab **vocab)
{
    if (info == NULL)
        return;
    *vocab = gm_vocab_retain(info->vocab);
    gm_vocab_info_destroy(info);
}

gm_status gm_vocab_open(const char *path, const gm_file_options *options, gm_vocab **vocab, gm_error *error)
{
    gm_vocab_info *info = NULL;
    if (vocab == NULL)
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "gm_vocab_open: vocab is NULL");
    const gm_status status = gm_vocab_info_open(path, options, &info, error);
    take_vocab(info, vocab);
    return status;
}

gm_status gm_vocab_open_memory(const uint8_t *data, size_t size, const gm_file_options *options, gm_vocab **vocab,
                               gm_error *error)
{
    gm_vocab_info *info = NULL;
    if (vocab == NULL)
        return gm_file_fail(error, GM_INVALID_ARGUMENT, 0, "gm_vocab_open_memory: vocab is NULL");
    const gm_status status = gm_vocab_info_open_memory(data, size, options, &info, error);
    take_vocab(info, vocab);
    return status;
}

/* ---- info ---- */

gm_vocab *gm_vocab_info_vocab(const gm_vocab_info *info) { return info->vocab; }
gm_file_kind gm_vocab_info_kind(const gm_vocab_info *info) { return info->table.kind; }
size_t gm_vocab_info_special_count(const gm_vocab_info *info) { return info->table.name_count; }

gm_status gm_vocab_info_special(const gm_vocab_info *info, size_t index, uint32_t *id, const char **text,
                                size_t *length)
{
    if (index >= info->table.name_count)
        return GM_INVALID_ARGUMENT;
    const gm_file_name *name = &info->table.name_list[index];
    *id = name->id;
    *text = (const char *)info->table.names.data + name->offset;
    *length = name->length;
    return GM_OK;
}

size_t gm_vocab_info_find(const gm_vocab_info *info, const char *text, size_t length, uint32_t *ids, size_t capacity)
{
    return gm_file_table_find(&info->table, (const uint8_t *)text, length, ids, capacity);
}

const uint32_t *gm_vocab_info_declared_stop(const gm_vocab_info *info, size_t *count)
{
    *count = info->table.declared_stop_count;
    return info->table.declared_stop;
}
