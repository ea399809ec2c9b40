/* files/protobuf.c - see protobuf.h. */
#include "files/protobuf.h"

static gm_status broken(const gm_file_message *message, const char *what, gm_error *error)
{
    const uint64_t offset = message->offset + message->at;
    return gm_file_fail(error, GM_INVALID_FILE, offset, "protobuf: %s at byte %llu", what,
                        (unsigned long long)offset);
}

static bool read_varint(gm_file_message *message, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && message->at < message->bytes.size; shift += 7) {
        const uint8_t byte = message->bytes.data[message->at++];
        if (shift == 63 && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static gm_status read_run(gm_file_message *message, uint64_t size, gm_file_field *field, gm_error *error)
{
    if (size > message->bytes.size - message->at)
        return broken(message, "a field is longer than what holds it", error);
    field->offset = message->offset + message->at;
    field->bytes = (gm_file_span){message->bytes.data + message->at, (size_t)size};
    message->at += (size_t)size;
    return GM_OK;
}

gm_status gm_file_next_field(gm_file_message *message, gm_file_field *field, bool *is_end, gm_error *error)
{
    uint64_t key, size;
    *is_end = message->at == message->bytes.size;
    if (*is_end)
        return GM_OK;
    if (!read_varint(message, &key) || key >> 3 == 0)
        return broken(message, "no field number", error);
    *field = (gm_file_field){.number = key >> 3, .wire = (unsigned)(key & 7)};
    switch (field->wire) {
    case 0:
        field->offset = message->offset + message->at;
        return read_varint(message, &field->integer) ? GM_OK : broken(message, "no integer", error);
    case 1:
        return read_run(message, 8, field, error);
    case 2:
        if (!read_varint(message, &size))
            return broken(message, "no length", error);
        return read_run(message, size, field, error);
    case 5:
        return read_run(message, 4, field, error);
    default:
        return broken(message, "a wire type that is none of 0, 1, 2 and 5", error);
    }
}
