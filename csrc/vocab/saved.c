/*
 * vocab/saved.c - a block as a file.
 *
 * A file is the block, byte for byte. Writing goes to a new file beside the named one, which takes
 * the name once it is whole. Reading trusts nothing: first the header (magic, byte order, format,
 * size, the layout that the counts ask for), then the checksum, then the structure itself (check.c).
 * The digest is under the checksum and is not computed again.
 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#define SYNC(file) fsync(fileno(file))
#define DROP_OLD(path) ((void)0)
#else
#define SYNC(file) 0
#define DROP_OLD(path) ((void)remove(path)) /* rename does not replace everywhere */
#endif

#include "vocab/block.h"
#include "vocab/mapping.h"

#include <errno.h>
#include <stdio.h>

/* ---- writing ---- */

enum { MOST_ATTEMPTS = 100, SUFFIX_ROOM = 16 };

static gm_status cannot_write(gm_error *error, const char *path, int reason)
{
    return gm_fail(error, GM_IO, "", "", "cannot write %.200s: %s", path, strerror(reason));
}

/* Opens a file that did not exist; its name goes to `name`. NULL with errno set. */
static FILE *open_beside(const char *path, char *name, size_t room)
{
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        snprintf(name, room, "%s.new%d", path, attempt);
        FILE *file = fopen(name, "wbx");
        if (file != NULL || errno != EEXIST)
            return file;
    }
    return NULL;
}

/* 0, or the reason why not all of the block is in the file. Closes it. */
static int write_and_close(FILE *file, const void *block, size_t size)
{
    errno = 0;
    int reason = 0;
    if (fwrite(block, 1, size, file) != size || fflush(file) != 0 || SYNC(file) != 0)
        reason = errno != 0 ? errno : EIO;
    if (fclose(file) != 0 && reason == 0)
        reason = errno != 0 ? errno : EIO;
    return reason;
}

static gm_status write_through(const gm_vocab *vocab, const char *path, char *name, size_t room, gm_error *error)
{
    FILE *file = open_beside(path, name, room);
    if (file == NULL)
        return cannot_write(error, path, errno);
    int reason = write_and_close(file, vocab->header, vocab->size);
    if (reason == 0) {
        DROP_OLD(path);
        if (rename(name, path) != 0)
            reason = errno;
    }
    if (reason == 0)
        return GM_OK;
    remove(name);
    return cannot_write(error, path, reason);
}

gm_status gm_vocab_write_file(const gm_vocab *vocab, const char *path, gm_error *error)
{
    const size_t room = strlen(path) + SUFFIX_ROOM;
    char *name = gm_allocate(&vocab->allocator, room, 1);
    if (name == NULL)
        return gm_no_memory(error);
    const gm_status status = write_through(vocab, path, name, room, error);
    gm_deallocate(&vocab->allocator, name, room, 1);
    return status;
}

/* ---- reading ---- */

#define REFUSE(field, ...) gm_fail_at(error, GM_INVALID_FILE, offsetof(gm_vocab_header, field), __VA_ARGS__)

static bool counts_are_sound(const gm_vocab_header *header)
{
    return header->token_count >= 1 && header->logit_width >= header->token_count && header->logit_width <= INT32_MAX &&
           header->stop_count <= header->logit_width && header->max_token_length <= header->text_size &&
           header->options <= GM_OPTIONS && header->node_count[GM_TRIE_ALL] >= 1 &&
           header->node_count[GM_TRIE_QUOTES] >= 1;
}

/* Whether the header is one of ours and its layout the one that its counts ask for. */
static gm_status check_header(gm_mapping file, gm_error *error)
{
    if (file.size < sizeof(gm_vocab_header))
        return gm_fail_at(error, GM_INVALID_FILE, file.size, "the file ends within its header");
    const gm_vocab_header *header = file.bytes;
    if (memcmp(header->magic, gm_vocab_magic, sizeof header->magic) != 0)
        return REFUSE(magic, "magic: not a saved vocabulary");
    if (header->byte_order != GM_VOCAB_BYTE_ORDER)
        return REFUSE(byte_order, "byte order: written by another kind of machine");
    if (header->format != GM_VOCAB_FORMAT)
        return REFUSE(format, "format: version %u, this release reads %u", header->format, (unsigned)GM_VOCAB_FORMAT);
    if (header->size != file.size)
        return REFUSE(size, "size: the file has %zu bytes, its header says %llu", file.size,
                      (unsigned long long)header->size);
    if (!counts_are_sound(header))
        return REFUSE(token_count, "counts: out of range");
    gm_vocab_header expected = *header;
    if (!gm_vocab_lay_out(&expected) || memcmp(&expected, header, sizeof expected) != 0)
        return REFUSE(section, "sections: not where the counts put them");
    return GM_OK;
}

static gm_status check_file(gm_vocab *vocab, gm_mapping file, gm_error *error)
{
    GM_TRY(check_header(file, error));
    const gm_vocab_header *header = file.bytes;
    if (header->checksum != gm_vocab_checksum(header, file.size))
        return REFUSE(checksum, "checksum: the file is damaged");
    gm_vocab_bind(vocab, header);
    return gm_vocab_check_block(vocab, error);
}

gm_status gm_vocab_map_file(const char *path, const gm_allocator *allocator, gm_vocab **vocab, gm_error *error)
{
    gm_vocab *made = gm_allocate_zeroed(allocator, 1, sizeof *made);
    if (made == NULL)
        return gm_no_memory(error);
    atomic_init(&made->references, 1);
    made->allocator = *allocator;
    made->mapped = true;
    gm_mapping file = {0};
    gm_status status = gm_mapping_open(allocator, path, &file, error);
    if (status == GM_OK)
        status = check_file(made, file, error);
    if (status == GM_OK) {
        *vocab = made;
        return GM_OK;
    }
    if (file.bytes != NULL)
        gm_mapping_close(allocator, file);
    gm_deallocate(allocator, made, 1, sizeof *made);
    return status;
}
