/* base/base.c - errors and the allocator. */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends a text before byte `length`, or before the character that byte is within. */
static void cut_text(char *text, size_t length)
{
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    text[length] = '\0';
}

/* `from` may be `to` itself: an error passed on with more said about it. */
static void copy_text(char *to, size_t size, const char *from)
{
    const size_t length = strlen(from);
    const size_t copied = length < size ? length + 1 : size;
    memmove(to, from, copied);
    if (length >= size)
        cut_text(to, size - 1);
}

static void fill(gm_error *error, gm_status status, uint64_t offset, const char *pointer, const char *keyword,
                 const char *format, va_list arguments)
{
    char message[sizeof error->message + 1] = ""; /* the byte past the end tells where a character begins */
    vsnprintf(message, sizeof message, format, arguments);
    error->status = status;
    error->offset = offset;
    copy_text(error->pointer, sizeof error->pointer, pointer);
    copy_text(error->keyword, sizeof error->keyword, keyword);
    copy_text(error->message, sizeof error->message, message);
}

gm_status gm_fail(gm_error *error, gm_status status, const char *pointer, const char *keyword, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, 0, pointer, keyword, format, arguments);
        va_end(arguments);
    }
    return status;
}

gm_status gm_fail_at(gm_error *error, gm_status status, uint64_t offset, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, offset, "", "", format, arguments);
        va_end(arguments);
    }
    return status;
}

gm_status gm_no_memory(gm_error *error) { return gm_fail(error, GM_OUT_OF_MEMORY, "", "", "out of memory"); }

static void *malloc_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *malloc_reallocate(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    (void)old_size;
    return realloc(block, size);
}

static void malloc_deallocate(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

gm_allocator gm_allocator_or_default(const gm_allocator *custom)
{
    if (custom != NULL)
        return *custom;
    return (gm_allocator){NULL, malloc_allocate, malloc_reallocate, malloc_deallocate};
}

void *gm_allocate(const gm_allocator *allocator, size_t count, size_t size)
{
    size_t bytes;
    if (!gm_multiply(count, size, &bytes) || bytes == 0 || bytes > PTRDIFF_MAX)
        return NULL;
    return allocator->allocate(allocator->context, bytes);
}

void *gm_allocate_zeroed(const gm_allocator *allocator, size_t count, size_t size)
{
    void *block = gm_allocate(allocator, count, size);
    if (block != NULL)
        memset(block, 0, count * size);
    return block;
}

void *gm_reallocate(const gm_allocator *allocator, void *block, size_t old_count, size_t count, size_t size)
{
    if (block == NULL)
        return gm_allocate(allocator, count, size);
    size_t bytes;
    if (!gm_multiply(count, size, &bytes) || bytes == 0 || bytes > PTRDIFF_MAX)
        return NULL;
    return allocator->reallocate(allocator->context, block, old_count * size, bytes);
}

void gm_deallocate(const gm_allocator *allocator, void *block, size_t count, size_t size)
{
    if (block != NULL)
        allocator->deallocate(allocator->context, block, count * size);
}

uint64_t gm_hash_bytes(const void *data, size_t length)
{
    const unsigned char *at = data;
    uint64_t hash = gm_mix(0x9e3779b97f4a7c15u ^ length); /* mixed, or a length would weigh as much as a first byte */
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = gm_hash_combine(hash, word);
    }
    uint64_t last = 0;
    for (size_t i = 0; i < length; i++)
        last |= (uint64_t)at[i] << (8 * i);
    return gm_hash_combine(hash, last);
}
