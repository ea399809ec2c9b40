/*
 * vocab/mapping.h - a file's bytes, read-only: mapped where the system can, else read into memory.
 *
 * A mapped file must not be cut while it is in use; replacing it by renaming another over it is safe.
 */
#ifndef GM_VOCAB_MAPPING_H
#define GM_VOCAB_MAPPING_H

#include "base/base.h"

typedef struct gm_mapping {
    const void *bytes;
    size_t size; /* not 0 */
} gm_mapping;

/* GM_IO with the system's reason, GM_INVALID_FILE for an empty file or what is no file. */
gm_status gm_mapping_open(const gm_allocator *allocator, const char *path, gm_mapping *mapping, gm_error *error);
void gm_mapping_close(const gm_allocator *allocator, gm_mapping mapping);

#endif
