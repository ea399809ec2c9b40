/*
 * schema/schema.h - documents, dialects and references: from JSON text to a graph of schema nodes.
 *
 * A node is one schema in the sense of the specification: a JSON value (object or boolean), the
 * resource it stands in, its dialect, and the dynamic scope it was reached by (interned; 0 unless
 * a resource on the way has dynamic anchors). Equal quadruples are one node id.
 *
 * gm_schema_read hands out the keywords of a node that have a meaning in its dialect, each checked
 * for its shape: whoever lowers a node never sees a misshapen, foreign or ignored keyword. So all
 * that depends on drafts is decided in this module.
 *
 * Only nodes that are read are checked: an unused definition may hold anything.
 * Owner: the compile call; one thread. No recursion on depth. Knows nothing of automata.
 */
#ifndef GM_SCHEMA_SCHEMA_H
#define GM_SCHEMA_SCHEMA_H

#include "json/json.h"

typedef struct gm_schema gm_schema;
typedef uint32_t gm_node;

typedef enum gm_keyword {
    GM_KW_TYPE,
    GM_KW_ENUM,
    GM_KW_CONST,
    GM_KW_MINIMUM,
    GM_KW_MAXIMUM,
    GM_KW_EXCLUSIVE_MINIMUM, /* a number: draft-4 booleans have moved the bound here */
    GM_KW_EXCLUSIVE_MAXIMUM,
    GM_KW_MULTIPLE_OF,
    GM_KW_MIN_LENGTH,
    GM_KW_MAX_LENGTH,
    GM_KW_PATTERN,
    GM_KW_FORMAT,       /* only where it is to be asserted, by options and vocabulary */
    GM_KW_PREFIX_ITEMS, /* also the array form of `items` of older drafts */
    GM_KW_ITEMS,        /* one schema for the positions after prefix_items; also additionalItems */
    GM_KW_MIN_ITEMS,
    GM_KW_MAX_ITEMS,
    GM_KW_UNIQUE_ITEMS, /* only if true */
    GM_KW_CONTAINS,
    GM_KW_MIN_CONTAINS,
    GM_KW_MAX_CONTAINS,
    GM_KW_UNEVALUATED_ITEMS,
    GM_KW_PROPERTIES,
    GM_KW_PATTERN_PROPERTIES,
    GM_KW_ADDITIONAL_PROPERTIES,
    GM_KW_PROPERTY_NAMES,
    GM_KW_REQUIRED,
    GM_KW_MIN_PROPERTIES,
    GM_KW_MAX_PROPERTIES,
    GM_KW_DEPENDENT_REQUIRED,
    GM_KW_DEPENDENT_SCHEMAS,
    GM_KW_DEPENDENCIES, /* values are schemas or arrays of names; after draft 7 by the specification's
                           wish for a smooth transition: what reads as the old keyword is meant as it */
    GM_KW_UNEVALUATED_PROPERTIES,
    GM_KW_X_ORDER,
    GM_KW_REF,
    GM_KW_DYNAMIC_REF, /* also $recursiveRef of 2019-09 */
    GM_KW_ALL_OF,
    GM_KW_ANY_OF,
    GM_KW_ONE_OF,
    GM_KW_NOT,
    GM_KW_IF,
    GM_KW_THEN, /* then and else only beside if */
    GM_KW_ELSE,
    GM_KW_NULLABLE, /* openapi only, only if true */
    GM_KW_COUNT
} gm_keyword;

typedef struct gm_schema_keywords {
    gm_draft draft;
    const gm_json *value[GM_KW_COUNT]; /* NULL = absent, or without meaning here */
} gm_schema_keywords;

typedef struct gm_schema_note { /* something that does not constrain, or was not enforced */
    gm_warning_kind kind;
    const char *pointer; /* in the arena */
    const char *keyword;
    const char *text;
} gm_schema_note;

/* Reads the root document. All memory comes from `arena`, which must outlive the graph. */
gm_status gm_schema_open(gm_arena *arena, const char *text, size_t length, const gm_schema_options *options,
                         const gm_limits *limits, gm_schema **schema, gm_node *root, gm_error *error);
/* Whether some document read so far may use unevaluatedProperties or unevaluatedItems. */
bool gm_schema_has_unevaluated(const gm_schema *schema);
/* Frees what is not in the arena. */
void gm_schema_close(gm_schema *schema);

/* The JSON value of a node: an object, true or false. */
const gm_json *gm_schema_value(const gm_schema *schema, gm_node node);
/* The keywords of an object node. Checks shapes (GM_INVALID_SCHEMA with pointer and keyword) and
 * notes annotations and unknown keywords, once per node. */
gm_status gm_schema_read(gm_schema *schema, gm_node node, gm_schema_keywords *keywords, gm_error *error);
/* Node ids are below this; not every node was read. */
uint32_t gm_schema_node_count(const gm_schema *schema);
bool gm_schema_was_read(const gm_schema *schema, gm_node node);
/* The node of a subschema of `node`: `value` is an object or boolean somewhere below its value. */
gm_status gm_schema_child(gm_schema *schema, gm_node node, const gm_json *value, gm_node *child, gm_error *error);
/* The node that $ref (or $dynamicRef, $recursiveRef: GM_KW_DYNAMIC_REF) of `node` leads to.
 * Dangling: GM_INVALID_SCHEMA; a document that nobody knows: GM_UNSUPPORTED; both name the reference. */
gm_status gm_schema_reference(gm_schema *schema, gm_node node, gm_keyword keyword, gm_node *target, gm_error *error);

/* The JSON Pointer of a node (of a document other than the root: its URI, '#', the pointer), written
 * NUL-terminated, cut at its end if longer. */
void gm_schema_pointer(const gm_schema *schema, gm_node node, char *out, size_t size);
/* The name of a keyword in 2020-12, "" for GM_KW_COUNT. */
const char *gm_keyword_name(gm_keyword keyword);
/* The key under which a keyword stands in the node: older drafts spell some otherwise. */
const char *gm_schema_spelling(const gm_schema *schema, gm_node node, gm_keyword keyword);
/* Fails with the node's pointer, extended by "/" keyword. */
gm_status gm_schema_fail(const gm_schema *schema, gm_node node, gm_keyword keyword, gm_status status, gm_error *error,
                         const char *format, ...) GM_PRINTF(6, 7);

/* Adds a note of the lowering (a narrowed or ignored keyword), once for each keyword of a node if lowering
 * may come by again. */
gm_status gm_schema_add_note(gm_schema *schema, gm_node node, gm_keyword keyword, gm_warning_kind kind,
                             const char *text, bool is_again);
/* All notes so far; their strings are made here. NULL when there is no memory for that. */
const gm_schema_note *gm_schema_notes(gm_schema *schema, size_t *count);

#endif
