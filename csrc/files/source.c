/* files/source.c - see source.h. */
#define _POSIX_C_SOURCE 200809L

#include "files/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static gm_status refused(gm_error *error, const char *what, int reason)
{
    char text[128] = "";
    if (strerror_r(reason, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", reason);
    return gm_file_fail(error, GM_IO, 0, "cannot %s the file: %s", what, text);
}

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

void gm_file_source_close(gm_file_source *source, const gm_allocator *allocator)
{
    if (source->is_mapped)
        munmap((void *)(uintptr_t)source->span.data, source->span.size);
    if (source->read.data != NULL)
        allocator->deallocate(allocator->context, source->read.data, source->read.capacity);
    *source = (gm_file_source){0};
}
