/*
 * files/protobuf.h - fields of a protobuf message, one after another, bounds-checked.
 *
 * Knows wire types, not messages: a field is a number with either an integer or a run of bytes.
 * Groups (wire types 3 and 4) are not used by the formats we read and are refused.
 */
#ifndef GM_FILES_PROTOBUF_H
#define GM_FILES_PROTOBUF_H

#include "files/table.h"

typedef struct gm_file_message {
    gm_file_span bytes;
    size_t at;
    uint64_t offset; /* of bytes in the file */
} gm_file_message;

typedef struct gm_file_field {
    uint64_t number;
    unsigned wire;       /* 0 varint, 1 eight bytes, 2 run of bytes, 5 four bytes */
    uint64_t integer;    /* wire 0 */
    gm_file_span bytes;  /* wires 1, 2 and 5 */
    uint64_t offset;     /* where the value stands in the file */
} gm_file_field;

/* Reads the next field; *is_end instead of one at the end of the message. */
gm_status gm_file_next_field(gm_file_message *message, gm_file_field *field, bool *is_end, gm_error *error);
/* A message inside a field of wire 2. */
static inline gm_file_message gm_file_inner(const gm_file_field *field)
{
    return (gm_file_message){field->bytes, 0, field->offset};
}

#endif
