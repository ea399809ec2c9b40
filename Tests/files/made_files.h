/*
 * made_files.h - writers of small tokenizer files, and one way to open and look at them.
 *
 * A `made` is a growing run of bytes. The writers know as little of the readers as possible: GGUF
 * and protobuf are spelled out from their definitions. Opening copies the bytes into a block of
 * exactly their size, so that a sanitizer sees one byte too many being read.
 */
#ifndef MADE_FILES_H
#define MADE_FILES_H

#include "check.h"
#include "gmask/files.h"

#include <stdarg.h>

/* ---- bytes ---- */

typedef struct made {
    uint8_t bytes[1 << 16];
    size_t size;
    bool big_endian; /* of GGUF integers */
} made;

static inline void add(made *file, const void *bytes, size_t size)
{
    CHECK(size <= sizeof file->bytes - file->size);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static inline void add_text(made *file, const char *text) { add(file, text, strlen(text)); }

GM_PRINTF(2, 3) static inline void add_format(made *file, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(file, text);
}

static inline made made_of(const char *text)
{
    made file = {.size = 0};
    add_text(&file, text);
    return file;
}

/* ---- tokenizer.json ---- */

#define BYTE_LEVEL "{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"trim_offsets\":true}"
#define REPLACE "{\"type\":\"Replace\",\"pattern\":{\"String\":\"\xe2\x96\x81\"},\"content\":\" \"}"
#define FALLBACK "{\"type\":\"Sequence\",\"decoders\":[" REPLACE ",{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"}]}"
#define METASPACE "{\"type\":\"Metaspace\",\"replacement\":\"\xe2\x96\x81\",\"add_prefix_space\":true}"

static inline made hugging(const char *model, const char *decoder, const char *added)
{
    made file = {.size = 0};
    add_format(&file,
               "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[%s],\"normalizer\":null,"
               "\"pre_tokenizer\":null,\"post_processor\":null,\"decoder\":%s,\"model\":%s}",
               added, decoder, model);
    return file;
}

/* ---- protobuf ---- */

static inline void add_varint(made *file, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        add(file, (uint8_t[]){(uint8_t)(value | 0x80)}, 1);
    add(file, (uint8_t[]){(uint8_t)value}, 1);
}

static inline void add_field_integer(made *file, unsigned number, uint64_t value)
{
    add_varint(file, number << 3);
    add_varint(file, value);
}

static inline void add_field_bytes(made *file, unsigned number, const void *bytes, size_t size)
{
    add_varint(file, number << 3 | 2);
    add_varint(file, size);
    add(file, bytes, size);
}

static inline void add_field_text(made *file, unsigned number, const char *text)
{
    add_field_bytes(file, number, text, strlen(text));
}

/* kind 0: the field is absent. */
static inline void add_piece(made *file, const char *text, unsigned kind)
{
    made piece = {.size = 0};
    add_field_text(&piece, 1, text);
    add_varint(&piece, 2 << 3 | 5);
    add(&piece, "\0\0\x80\xbf", 4);
    if (kind != 0)
        add_field_integer(&piece, 3, kind);
    add_field_bytes(file, 1, piece.bytes, piece.size);
}

/* ---- GGUF ---- */

enum { U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 };

static inline void add_integer(made *file, size_t width, uint64_t value)
{
    for (size_t i = 0; i < width; i++)
        add(file, (uint8_t[]){(uint8_t)(value >> 8 * (file->big_endian ? width - 1 - i : i))}, 1);
}

static inline size_t width_of(unsigned type)
{
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return widths[type];
}

static inline void add_string(made *file, const char *text)
{
    add_integer(file, 8, strlen(text));
    add_text(file, text);
}

static inline void begin_gguf(made *file, uint32_t version, uint64_t pairs)
{
    add_text(file, "GGUF");
    add_integer(file, 4, version);
    add_integer(file, 8, 0);
    add_integer(file, 8, pairs);
}

static inline void add_pair_text(made *file, const char *key, const char *text)
{
    add_string(file, key);
    add_integer(file, 4, STRING);
    add_string(file, text);
}

static inline void add_pair_number(made *file, const char *key, unsigned type, uint64_t value)
{
    add_string(file, key);
    add_integer(file, 4, type);
    add_integer(file, width_of(type), value);
}

static inline void add_pair_texts(made *file, const char *key, const char *const *texts, size_t count)
{
    add_string(file, key);
    add_integer(file, 4, ARRAY);
    add_integer(file, 4, STRING);
    add_integer(file, 8, count);
    for (size_t i = 0; i < count; i++)
        add_string(file, texts[i]);
}

static inline void add_pair_numbers(made *file, const char *key, unsigned type, const uint8_t *values, size_t count)
{
    add_string(file, key);
    add_integer(file, 4, ARRAY);
    add_integer(file, 4, type);
    add_integer(file, 8, count);
    for (size_t i = 0; i < count; i++)
        add_integer(file, width_of(type), values[i]);
}

/* ---- opening and looking ---- */

typedef struct opened {
    gm_status status;
    gm_error error;
    gm_vocab_info *info;
} opened;

static inline opened open_made(const made *file, const gm_file_options *options)
{
    opened result = {.info = NULL};
    uint8_t *exact = malloc(file->size != 0 ? file->size : 1);
    memcpy(exact, file->bytes, file->size);
    result.status = gm_vocab_info_open_memory(exact, file->size, options, &result.info, &result.error);
    free(exact);
    CHECK((result.status == GM_OK) == (result.info != NULL));
    if (result.status != GM_OK)
        CHECK(result.error.status == result.status && result.error.message[0] != '\0');
    return result;
}

/* Opens what must be sound. */
static inline gm_vocab_info *sound(const made *file, const gm_file_options *options)
{
    const opened result = open_made(file, options);
    if (result.status != GM_OK) {
        fprintf(stderr, "refused: %s: %s\n", gm_status_name(result.status), result.error.message);
        CHECK(result.status == GM_OK);
        exit(1);
    }
    return result.info;
}

/* True when opening gives this status and a message that holds this text. */
static inline bool refused(const made *file, const gm_file_options *options, gm_status status, const char *text)
{
    const opened result = open_made(file, options);
    gm_vocab_info_destroy(result.info);
    if (result.status == status && strstr(result.error.message, text) != NULL)
        return true;
    fprintf(stderr, "got %s: %s\n", gm_status_name(result.status), result.error.message);
    return false;
}

static inline bool has_token(const gm_vocab_info *info, uint32_t id, const char *text, size_t length, uint32_t flags)
{
    const uint8_t *bytes = NULL;
    size_t found = 0;
    uint32_t found_flags = 0;
    if (gm_vocab_token(gm_vocab_info_vocab(info), id, &bytes, &found, &found_flags) != GM_OK)
        return false;
    if (found_flags == flags && (bytes == NULL) == (text == NULL) && found == length &&
        (length == 0 || memcmp(bytes, text, length) == 0))
        return true;
    fprintf(stderr, "token %u: %zu bytes \"%.*s\", flags %u\n", id, found, (int)found,
            bytes != NULL ? (const char *)bytes : "(none)", found_flags);
    return false;
}
#define IS_TOKEN(info, id, literal, flags) has_token(info, id, literal, sizeof(literal) - 1, flags)
#define IS_EMPTY(info, id, flags) has_token(info, id, NULL, 0, flags)

/* True when one of the names of this id is `text`. */
static inline bool is_named(const gm_vocab_info *info, uint32_t id, const char *text)
{
    for (size_t i = 0; i < gm_vocab_info_special_count(info); i++) {
        uint32_t found;
        const char *name;
        size_t length;
        if (gm_vocab_info_special(info, i, &found, &name, &length) == GM_OK && found == id && strlen(name) == length &&
            strcmp(name, text) == 0)
            return true;
    }
    return false;
}

static inline bool stops_are(const gm_vocab_info *info, const uint32_t *ids, size_t count)
{
    size_t found;
    const uint32_t *stop = gm_vocab_stop(gm_vocab_info_vocab(info), &found);
    return found == count && (count == 0 || memcmp(stop, ids, count * sizeof *ids) == 0);
}
#define STOPS_ARE(info, ...)                                                                                           \
    stops_are(info, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#endif
