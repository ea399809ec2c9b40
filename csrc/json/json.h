/*
 * json/json.h - a lossless, non-recursive JSON reader.
 *
 * A document becomes a tree in the caller's arena that keeps what a schema's meaning depends on:
 * numbers keep their text, objects the order of their members, strings are decoded to UTF-8. A
 * doubled key, a lone surrogate, ill-formed UTF-8, anything outside RFC 8259 and nesting beyond
 * the limit are errors with a byte offset.
 *
 * Nodes are immutable once read. Neither reading nor any function here recurses on depth.
 * Knows nothing of schemas.
 */
#ifndef GM_JSON_JSON_H
#define GM_JSON_JSON_H

#include "base/arena.h"

typedef enum gm_json_kind {
    GM_JSON_NULL,
    GM_JSON_FALSE,
    GM_JSON_TRUE,
    GM_JSON_NUMBER,
    GM_JSON_STRING,
    GM_JSON_ARRAY,
    GM_JSON_OBJECT
} gm_json_kind;

typedef struct gm_json gm_json;
typedef struct gm_json_member gm_json_member;

struct gm_json {
    gm_json_kind kind;
    uint32_t count;  /* items or members */
    uint64_t offset; /* of the value's first byte in its text */
    union {
        gm_bytes text;                 /* NUMBER: as spelled; STRING: decoded UTF-8 */
        const gm_json *const *items;   /* ARRAY */
        const gm_json_member *members; /* OBJECT, in the order of the text */
    } as;
};

struct gm_json_member {
    gm_bytes key;   /* decoded UTF-8 */
    const gm_json *value;
};

/* Reads one document; blanks may surround it. On failure the arena is as before. */
gm_status gm_json_read(gm_arena *arena, const char *text, size_t length, size_t max_nesting, const gm_json **root,
                       gm_error *error);

/* The value of a member, or NULL when there is none or `object` is no object. */
const gm_json *gm_json_get(const gm_json *object, gm_bytes key);

static inline bool gm_json_is_boolean(const gm_json *value)
{
    return value->kind == GM_JSON_FALSE || value->kind == GM_JSON_TRUE;
}

/* Of a NUMBER, exactly: -1, 0 or 1; and whether its value is an integer, however spelled. */
int gm_json_sign(const gm_json *number);
bool gm_json_is_integer(const gm_json *number);

/* Equality as JSON Schema means it: numbers by value, objects without order. GM_OK or
 * GM_OUT_OF_MEMORY; scratch memory comes from and returns to the arena. */
gm_status gm_json_equal(gm_arena *scratch, const gm_json *a, const gm_json *b, bool *equal);

/* A canonical text: equal values give equal bytes and others do not. Numbers as sign, digits
 * without trailing zeros, 'e', exponent; object keys sorted by bytes; strings raw with a length
 * before them. In the arena. */
gm_status gm_json_canonical(gm_arena *arena, const gm_json *value, gm_bytes *canonical);

#endif
