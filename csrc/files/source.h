/*
 * files/source.h - the bytes of a file, mapped where the system can, else read.
 *
 * A regular file is mapped read-only and privately, so the tensors of a model file are never read.
 * A pipe is read to its end. Owner: whoever opened it closes it. What must hold: nobody shrinks the
 * file meanwhile.
 */
#ifndef GM_FILES_SOURCE_H
#define GM_FILES_SOURCE_H

#include "files/table.h"

typedef struct gm_file_source {
    gm_file_span span;
    gm_file_buffer read; /* what was read instead of mapped */
    bool is_mapped;
} gm_file_source;

/* On failure (GM_IO, GM_OUT_OF_MEMORY) *source needs no closing. */
gm_status gm_file_source_open(const char *path, const gm_allocator *allocator, gm_file_source *source,
                              gm_error *error);
void gm_file_source_close(gm_file_source *source, const gm_allocator *allocator);

#endif
