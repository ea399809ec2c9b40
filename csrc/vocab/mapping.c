/* vocab/mapping.c - see mapping.h. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif

#include "vocab/mapping.h"

#include <errno.h>

static gm_status system_failed(gm_error *error, const char *path, int reason)
{
    return gm_fail(error, GM_IO, "", "", "cannot read %.200s: %s", path, strerror(reason));
}

static gm_status no_file(gm_error *error, const char *path)
{
    return gm_fail(error, GM_INVALID_FILE, "", "", "%.200s is empty, too large or not a plain file", path);
}

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static gm_status map_open_file(int file, const char *path, gm_mapping *mapping, gm_error *error)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return system_failed(error, path, errno);
    if (!S_ISREG(about.st_mode) || about.st_size <= 0 || (uintmax_t)about.st_size > PTRDIFF_MAX)
        return no_file(error, path);
    const size_t size = (size_t)about.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return system_failed(error, path, errno);
    (void)posix_madvise(bytes, size, POSIX_MADV_WILLNEED); /* all of it is about to be checked */
    *mapping = (gm_mapping){bytes, size};
    return GM_OK;
}

gm_status gm_mapping_open(const gm_allocator *allocator, const char *path, gm_mapping *mapping, gm_error *error)
{
    (void)allocator;
    /* O_NONBLOCK: opening a pipe must not wait for its writer. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return system_failed(error, path, errno);
    const gm_status status = map_open_file(file, path, mapping, error);
    close(file);
    return status;
}

void gm_mapping_close(const gm_allocator *allocator, gm_mapping mapping)
{
    (void)allocator;
    munmap((void *)(uintptr_t)mapping.bytes, mapping.size);
}
#else
#include <stdio.h>

static gm_status read_open_file(const gm_allocator *allocator, FILE *file, const char *path, gm_mapping *mapping,
                                gm_error *error)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return system_failed(error, path, errno);
    const long size = ftell(file);
    if (size <= 0)
        return no_file(error, path);
    void *bytes = gm_allocate(allocator, (size_t)size, 1);
    if (bytes == NULL)
        return gm_no_memory(error);
    rewind(file);
    if (fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        gm_deallocate(allocator, bytes, (size_t)size, 1);
        return system_failed(error, path, errno);
    }
    *mapping = (gm_mapping){bytes, (size_t)size};
    return GM_OK;
}

gm_status gm_mapping_open(const gm_allocator *allocator, const char *path, gm_mapping *mapping, gm_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return system_failed(error, path, errno);
    const gm_status status = read_open_file(allocator, file, path, mapping, error);
    fclose(file);
    return status;
}

void gm_mapping_close(const gm_allocator *allocator, gm_mapping mapping)
{
    gm_deallocate(allocator, (void *)(uintptr_t)mapping.bytes, mapping.size, 1);
}
#endif
