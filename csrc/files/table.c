/* files/table.c - see table.h. */
#include "files/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

gm_status gm_file_fail(gm_error *error, gm_status status, uint64_t offset, const char *format, ...)
{
    if (error == NULL)
        return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->offset = offset;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    for (char *c = error->message; *c != '\0'; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return status;
}

gm_status gm_file_no_memory(gm_error *error)
{
    return gm_file_fail(error, GM_OUT_OF_MEMORY, 0, "no memory for the vocabulary file");
}

/* ---- memory ---- */

static void *default_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *default_reallocate(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    (void)old_size;
    return realloc(block, size);
}

static void default_deallocate(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

gm_allocator gm_file_allocator_or_default(const gm_allocator *custom)
{
    return custom != NULL ? *custom : (gm_allocator){NULL, default_allocate, default_reallocate, default_deallocate};
}

bool gm_file_grow(const gm_allocator *allocator, void **block, size_t *capacity, size_t needed, size_t element_size)
{
    if (needed <= *capacity)
        return true;
    size_t wanted = *capacity < 64 ? 64 : *capacity;
    while (wanted < needed) {
        if (wanted > SIZE_MAX / 2)
            return false;
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / element_size)
        return false;
    void *grown = *block == NULL ? allocator->allocate(allocator->context, wanted * element_size)
                                 : allocator->reallocate(allocator->context, *block, *capacity * element_size,
                                                         wanted * element_size);
    if (grown == NULL)
        return false;
    *block = grown;
    *capacity = wanted;
    return true;
}

bool gm_file_reserve(const gm_allocator *allocator, gm_file_buffer *buffer, size_t length)
{
    if (length > SIZE_MAX - buffer->size)
        return false;
    void *block = buffer->data;
    const bool is_there = gm_file_grow(allocator, &block, &buffer->capacity, buffer->size + length, 1);
    buffer->data = block;
    return is_there;
}

static void release(const gm_allocator *allocator, void *block, size_t size)
{
    if (block != NULL)
        allocator->deallocate(allocator->context, block, size);
}

void gm_file_table_init(gm_file_table *table, const gm_allocator *allocator)
{
    *table = (gm_file_table){.allocator = gm_file_allocator_or_default(allocator), .id_limit = GM_FILE_MAX_TOKENS};
}

void gm_file_table_free(gm_file_table *table)
{
    const gm_allocator allocator = table->allocator;
    release(&allocator, table->texts.data, table->texts.capacity);
    release(&allocator, table->tokens, table->token_capacity * sizeof *table->tokens);
    release(&allocator, table->names.data, table->names.capacity);
    release(&allocator, table->name_list, table->name_capacity * sizeof *table->name_list);
    *table = (gm_file_table){.allocator = allocator};
}

/* ---- putting tokens ---- */

bool gm_file_has(const gm_file_table *table, uint64_t id)
{
    return id < table->token_count && table->tokens[id].is_put;
}

/* Finds the place of an id, making holes up to it; NULL with *status when there can be none. */
static gm_file_token *place(gm_file_table *table, uint64_t id, uint64_t offset, gm_status *status, gm_error *error)
{
    void *block = table->tokens;
    if (id >= table->id_limit)
        *status = gm_file_fail(error, GM_INVALID_FILE, offset,
                               "token id %llu is beyond what a file of this size can hold", (unsigned long long)id);
    else if (gm_file_has(table, id))
        *status = gm_file_fail(error, GM_INVALID_FILE, offset, "token id %llu is given twice", (unsigned long long)id);
    else if (!gm_file_grow(&table->allocator, &block, &table->token_capacity, (size_t)id + 1, sizeof *table->tokens))
        *status = gm_file_no_memory(error);
    else
        *status = GM_OK;
    if (*status != GM_OK)
        return NULL;
    table->tokens = block;
    while (table->token_count <= id)
        table->tokens[table->token_count++] = (gm_file_token){.flags = GM_TOKEN_UNUSED};
    return &table->tokens[id];
}

gm_status gm_file_put(gm_file_table *table, uint64_t id, const uint8_t *text, size_t length,
                      const gm_file_spelling *spelling, uint8_t flags, uint64_t offset, gm_error *error)
{
    gm_status status;
    gm_file_token *token = place(table, id, offset, &status, error);
    if (token == NULL)
        return status;
    if (length >= UINT32_MAX)
        return gm_file_fail(error, GM_INVALID_FILE, offset, "token %llu is longer than 4 GiB", (unsigned long long)id);
    if (!gm_file_reserve(&table->allocator, &table->texts, length))
        return gm_file_no_memory(error);
    size_t spelled = 0;
    if (length != 0)
        spelled = gm_file_spell(spelling, text, length, table->texts.data + table->texts.size);
    *token = (gm_file_token){table->texts.size, (uint32_t)spelled, flags, true};
    table->texts.size += spelled;
    return GM_OK;
}

gm_status gm_file_put_empty(gm_file_table *table, uint64_t id, uint8_t flags, uint64_t offset, gm_error *error)
{
    gm_status status;
    gm_file_token *token = place(table, id, offset, &status, error);
    if (token == NULL)
        return status;
    *token = (gm_file_token){.flags = flags, .is_put = true};
    return GM_OK;
}

gm_status gm_file_add_name(gm_file_table *table, uint32_t id, const uint8_t *name, size_t length, gm_error *error)
{
    void *block = table->name_list;
    if (length >= UINT32_MAX || !gm_file_reserve(&table->allocator, &table->names, length + 1) ||
        !gm_file_grow(&table->allocator, &block, &table->name_capacity, table->name_count + 1,
                      sizeof *table->name_list))
        return gm_file_no_memory(error);
    table->name_list = block;
    table->name_list[table->name_count++] = (gm_file_name){id, (uint32_t)length, table->names.size};
    if (length != 0)
        memcpy(table->names.data + table->names.size, name, length);
    table->names.data[table->names.size + length] = 0;
    table->names.size += length + 1;
    return GM_OK;
}

gm_status gm_file_put_special(gm_file_table *table, uint64_t id, const uint8_t *name, size_t length, uint8_t flags,
                              uint64_t offset, gm_error *error)
{
    GM_FILE_TRY(gm_file_put_empty(table, id, flags, offset, error));
    return gm_file_add_name(table, (uint32_t)id, name, length, error);
}

void gm_file_forget(gm_file_table *table, uint64_t id)
{
    if (gm_file_has(table, id))
        table->tokens[id] = (gm_file_token){.flags = GM_TOKEN_UNUSED};
}

/* ---- looking up ---- */

static int compare_names(const void *left, const void *right)
{
    const gm_file_name *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

void gm_file_table_sort_names(gm_file_table *table)
{
    if (table->name_count != 0)
        qsort(table->name_list, table->name_count, sizeof *table->name_list, compare_names);
}

static size_t find_names(const gm_file_table *table, const uint8_t *text, size_t length, uint32_t *ids,
                         size_t capacity)
{
    size_t found = 0;
    for (size_t i = 0; i < table->name_count; i++) {
        const gm_file_name *name = &table->name_list[i];
        if (name->length != length || memcmp(table->names.data + name->offset, text, length) != 0)
            continue;
        if (found < capacity)
            ids[found] = name->id;
        found++;
    }
    return found;
}

static size_t find_texts(const gm_file_table *table, bool added, const uint8_t *text, size_t length, uint32_t *ids,
                         size_t capacity)
{
    size_t found = 0;
    for (size_t id = 0; id < table->token_count; id++) {
        const gm_file_token *token = &table->tokens[id];
        if (token->length != length || !gm_file_flags_have_text(token->flags) ||
            ((token->flags & GM_TOKEN_ADDED) != 0) != added || memcmp(gm_file_text(table, token), text, length) != 0)
            continue;
        if (found < capacity)
            ids[found] = (uint32_t)id;
        found++;
    }
    return found;
}

size_t gm_file_table_find(const gm_file_table *table, const uint8_t *text, size_t length, uint32_t *ids,
                          size_t capacity)
{
    size_t found = find_names(table, text, length, ids, capacity);
    if (found == 0)
        found = find_texts(table, true, text, length, ids, capacity);
    return found != 0 ? found : find_texts(table, false, text, length, ids, capacity);
}
