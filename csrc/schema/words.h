/*
 * schema/words.h - private to schema/: every keyword that some dialect knows, as data.
 *
 * A word says in which drafts it exists, which vocabulary it belongs to, what shape its value must
 * have and where subschemas stand below it. A word outside its drafts or its vocabulary is an
 * unknown keyword there; gm_word_is_active decides. Knows nothing of documents.
 */
#ifndef GM_SCHEMA_WORDS_H
#define GM_SCHEMA_WORDS_H

#include "schema/schema.h"

typedef enum gm_vocabulary { /* a set */
    GM_VOCABULARY_CORE = 1,
    GM_VOCABULARY_APPLICATOR = 2,
    GM_VOCABULARY_UNEVALUATED = 4,
    GM_VOCABULARY_VALIDATION = 8,
    GM_VOCABULARY_FORMAT = 16,
    GM_VOCABULARY_OTHER = 32, /* contents and annotations */
    GM_VOCABULARY_ALL = 63
} gm_vocabulary;

typedef enum gm_shape {
    GM_SHAPE_ANY,
    GM_SHAPE_SCHEMA,
    GM_SHAPE_SCHEMA_LIST, /* not empty */
    GM_SHAPE_ITEMS,       /* a schema, up to 2019-09 also a list of them */
    GM_SHAPE_OBJECT,
    GM_SHAPE_NUMBER,
    GM_SHAPE_EXCLUSIVE, /* a number; a boolean in draft 4 */
    GM_SHAPE_POSITIVE,
    GM_SHAPE_COUNT, /* an integer, not negative */
    GM_SHAPE_STRING,
    GM_SHAPE_BOOLEAN,
    GM_SHAPE_TYPE,
    GM_SHAPE_ENUM,
    GM_SHAPE_NAMES,        /* distinct strings */
    GM_SHAPE_NAME_LISTS,   /* an object of such lists */
    GM_SHAPE_DEPENDENCIES, /* an object of such lists and of schemas */
    GM_SHAPE_HASH          /* the string "#" */
} gm_shape;

/* Where subschemas stand in the value of a keyword. */
typedef enum gm_place { GM_PLACE_NONE, GM_PLACE_SCHEMA, GM_PLACE_LIST, GM_PLACE_MAP, GM_PLACE_SCHEMA_OR_LIST } gm_place;

typedef struct gm_word {
    const char *name;
    uint8_t length;
    uint8_t keyword; /* GM_KW_*, or GM_KW_COUNT: nothing that a reader is handed */
    uint8_t since;   /* gm_draft, both inclusive */
    uint8_t until;
    uint8_t vocabulary;
    uint8_t shape;
    uint8_t place;
    bool is_annotation; /* worth a note */
} gm_word;

/* NULL for a key that no dialect knows. */
const gm_word *gm_word_find(gm_bytes key);

static inline bool gm_word_is_active(const gm_word *word, gm_draft draft, unsigned vocabularies)
{
    return draft >= word->since && draft <= word->until && (word->vocabulary & vocabularies) != 0;
}

#endif
