/* files/source.c - see source.h. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif

#include "files/source.h"

#include <errno.h>
#include <string.h>

static gm_status refused(gm_error *error, const char *what, int reason)
{
    return gm_file_fail(error, GM_IO, 0, "cannot %s the file: %s", what, strerror(reason));
}

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static gm_status read_all(int file, const gm_allocator *allocator, gm_file_buffer *read_bytes, gm_error *error)
{
    for (;;) {
        if (!gm_file_reserve(allocator, read_bytes, 65536))
            return gm_file_no_memory(error);
        const ssize_t count = read(file, read_bytes->data + read_bytes->size, 65536);
        if (count == 0)
            return GM_OK;
        if (count > 0)
            read_bytes->size += (size_t)count;
        else if (errno != EINTR)
            return refused(error, "read", errno);
    }
}

static gm_status map(int file, const gm_allocator *allocator, gm_file_source *source, gm_error *error)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return refused(error, "look at", errno);
    if (S_ISDIR(about.st_mode))
        return refused(error, "read", EISDIR);
    if (S_ISREG(about.st_mode) && about.st_size > 0 && (uint64_t)about.st_size <= SIZE_MAX) {
        void *mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED) {
            source->is_mapped = true;
            source->span = (gm_file_span){mapped, (size_t)about.st_size};
            return GM_OK;
        }
    }
    GM_FILE_TRY(read_all(file, allocator, &source->read, error));
    source->span = (gm_file_span){source->read.data, source->read.size};
    return GM_OK;
}

gm_status gm_file_source_open(const char *path, const gm_allocator *allocator, gm_file_source *source,
                              gm_error *error)
{
    *source = (gm_file_source){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return refused(error, "open", errno);
    const gm_status status = map(file, allocator, source, error);
    close(file);
    if (status != GM_OK)
        gm_file_source_close(source, allocator);
    return status;
}

static void unmap(gm_file_span span) { munmap((void *)(uintptr_t)span.data, span.size); }
#else
#include <stdio.h>

static gm_status read_all(FILE *file, const gm_allocator *allocator, gm_file_buffer *read_bytes, gm_error *error)
{
    size_t count;
    do {
        if (!gm_file_reserve(allocator, read_bytes, 65536))
            return gm_file_no_memory(error);
        count = fread(read_bytes->data + read_bytes->size, 1, 65536, file);
        read_bytes->size += count;
    } while (count != 0);
    return ferror(file) != 0 ? refused(error, "read", errno) : GM_OK;
}

gm_status gm_file_source_open(const char *path, const gm_allocator *allocator, gm_file_source *source,
                              gm_error *error)
{
    *source = (gm_file_source){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return refused(error, "open", errno);
    const gm_status status = read_all(file, allocator, &source->read, error);
    fclose(file);
    source->span = (gm_file_span){source->read.data, source->read.size};
    if (status != GM_OK)
        gm_file_source_close(source, allocator);
    return status;
}

static void unmap(gm_file_span span) { (void)span; }
#endif

void gm_file_source_close(gm_file_source *source, const gm_allocator *allocator)
{
    if (source->is_mapped)
        unmap(source->span);
    if (source->read.data != NULL)
        allocator->deallocate(allocator->context, source->read.data, source->read.capacity);
    *source = (gm_file_source){0};
}
