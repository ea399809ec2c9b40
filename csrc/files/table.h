/*
 * files/table.h - the token table that every reader fills, and what readers share.
 *
 * A reader puts each token once, in any order of ids. Ids below the highest that nobody put are
 * holes: without text, flag UNUSED. Control, unknown and unused tokens have no text; the literal
 * text of control and unknown tokens goes to a separate list of names.
 *
 *   texts   bytes of all tokens, in the order they were put; a token is an offset and a length
 *   names   literal texts of special tokens, each followed by a NUL
 *
 * Owned by whoever called gm_file_table_init; a failed call leaves a table that can be freed.
 * This folder is a library of its own: it sees nothing of the engine but gmask/gmask.h.
 */
#ifndef GM_FILES_TABLE_H
#define GM_FILES_TABLE_H

#include "gmask/files.h"
#include "files/spelling.h"

/* A run of bytes that somebody else owns. */
typedef struct gm_file_span {
    const uint8_t *data;
    size_t size;
} gm_file_span;

/* No vocabulary has more tokens, and none has a million holes: a file of n bytes may have ids below
 * n + GM_FILE_MAX_HOLES. An id beyond is damage, not a reason to allocate gigabytes. */
#define GM_FILE_MAX_TOKENS ((uint64_t)1 << 24)
#define GM_FILE_MAX_HOLES ((uint64_t)1 << 20)
#define GM_FILE_MAX_DECLARED_STOP 4

typedef struct gm_file_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
} gm_file_buffer;

typedef struct gm_file_token {
    size_t offset; /* into texts */
    uint32_t length;
    uint8_t flags;
    bool is_put;
} gm_file_token;

typedef struct gm_file_name {
    uint32_t id;
    uint32_t length;
    size_t offset; /* into names */
} gm_file_name;

typedef struct gm_file_table {
    gm_allocator allocator;
    uint64_t id_limit; /* every id is below */
    gm_file_buffer texts;
    gm_file_token *tokens;
    size_t token_count; /* highest id + 1 */
    size_t token_capacity;
    gm_file_buffer names;
    gm_file_name *name_list; /* in the order they came until gm_file_table_sort_names */
    size_t name_count;
    size_t name_capacity;
    uint32_t declared_stop[GM_FILE_MAX_DECLARED_STOP];
    size_t declared_stop_count;
    gm_file_kind kind;
    bool word_pieces;
    bool prefix_space;
} gm_file_table;

/* Passes a failure on. */
#define GM_FILE_TRY(call)                                                                                              \
    do {                                                                                                               \
        const gm_status gm_file_try_status = (call);                                                                   \
        if (gm_file_try_status != GM_OK)                                                                               \
            return gm_file_try_status;                                                                                 \
    } while (0)

#if defined(__GNUC__)
#define GM_FILE_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define GM_FILE_PRINTF(format_index, first)
#endif

/* Fills `error` (may be NULL) and returns `status`. Bytes outside printable ASCII become '?', so
 * that a damaged file cannot write to a terminal. */
gm_status gm_file_fail(gm_error *error, gm_status status, uint64_t offset, const char *format, ...)
    GM_FILE_PRINTF(4, 5);
gm_status gm_file_no_memory(gm_error *error);

/* For %.*s: the length to show of a text that may be long. */
static inline int gm_file_shown(size_t length) { return length < 60 ? (int)length : 60; }

gm_allocator gm_file_allocator_or_default(const gm_allocator *custom);
/* Makes room for `needed` elements in a growing array; false when there is no memory. */
bool gm_file_grow(const gm_allocator *allocator, void **block, size_t *capacity, size_t needed, size_t element_size);
/* Room for `length` more bytes at the end. */
bool gm_file_reserve(const gm_allocator *allocator, gm_file_buffer *buffer, size_t length);

void gm_file_table_init(gm_file_table *table, const gm_allocator *allocator);
void gm_file_table_free(gm_file_table *table);

/* Puts a token with its text. `offset` is where in the file it stands, for messages.
 * GM_INVALID_FILE when the id is too large or was put before. */
gm_status gm_file_put(gm_file_table *table, uint64_t id, const uint8_t *text, size_t length,
                      const gm_file_spelling *spelling, uint8_t flags, uint64_t offset, gm_error *error);
/* The same without text. */
gm_status gm_file_put_empty(gm_file_table *table, uint64_t id, uint8_t flags, uint64_t offset, gm_error *error);
/* Puts a control or unknown token, and its name. */
gm_status gm_file_put_special(gm_file_table *table, uint64_t id, const uint8_t *name, size_t length, uint8_t flags,
                              uint64_t offset, gm_error *error);
/* Forgets what was put at an id, so that it can be put again. Its name, if any, stays. */
void gm_file_forget(gm_file_table *table, uint64_t id);
gm_status gm_file_add_name(gm_file_table *table, uint32_t id, const uint8_t *name, size_t length, gm_error *error);

bool gm_file_has(const gm_file_table *table, uint64_t id);
static inline const uint8_t *gm_file_text(const gm_file_table *table, const gm_file_token *token)
{
    return token->length != 0 ? table->texts.data + token->offset : (const uint8_t *)"";
}
/* False for tokens that never are text, whatever they are called. */
static inline bool gm_file_flags_have_text(uint8_t flags)
{
    return (flags & (GM_TOKEN_CONTROL | GM_TOKEN_UNUSED | GM_TOKEN_UNKNOWN)) == 0;
}

void gm_file_table_sort_names(gm_file_table *table);
/* As gm_vocab_info_find. */
size_t gm_file_table_find(const gm_file_table *table, const uint8_t *text, size_t length, uint32_t *ids,
                          size_t capacity);

#endif
