/*
 * schema/graph.h - private to schema/: what the graph is made of.
 *
 *   document   one JSON text, by the URI it was asked for
 *   resource   a document's root, or a subschema with an identifier of its own: a base URI and a dialect
 *   anchor     a plain name for a schema within a resource; dynamic ones may be overridden by a scope
 *   scope      for each dynamic name the outermost resource on the way that defines it (0: none)
 *   node       (value, resource, scope), where the resource's own dynamic anchors are in the scope
 *
 * Resources and nodes are known by the address of their value. Identifiers below a document's root
 * come to light in two ways that agree: while descending (gm_resource_at, value by value), and when
 * a reference asks for a name (gm_document_index, the whole document once). A document whose text
 * holds no identifier is never walked.
 *
 * Ids index the arrays of gm_schema. Entries are added and never changed, but for the rivals of
 * names: two different schemas of one name are an error only for those who use the name.
 */
#ifndef GM_SCHEMA_GRAPH_H
#define GM_SCHEMA_GRAPH_H

#include "base/array.h"
#include "base/table.h"
#include "schema/schema.h"
#include "schema/words.h"

#define GM_NO_ID UINT32_MAX

typedef struct gm_dialect {
    gm_bytes uri; /* as in $schema, without an empty fragment; "" for the default one */
    gm_draft draft;
    unsigned vocabularies;  /* set of gm_vocabulary */
    bool asserts_format;    /* by its vocabularies */
    bool is_unknown;        /* stands for a URI that nobody knows */
    gm_bytes unknown_needed; /* a vocabulary that must be understood and is not; or "" */
} gm_dialect;

typedef struct gm_document {
    gm_bytes uri; /* "" for the root document */
    const gm_json *root;
    uint32_t resource;   /* of its root */
    bool may_identify;   /* the text may hold identifiers below its root */
    bool may_anchor;     /* ... or anchors */
    bool may_be_dynamic; /* ... or dynamic ones */
    bool may_evaluate;   /* ... or unevaluatedProperties, unevaluatedItems */
    bool is_indexed;
} gm_document;

typedef struct gm_resource {
    const gm_json *value;
    gm_bytes uri; /* without fragment; maybe relative, "" */
    uint32_t document;
    uint32_t dialect;
    uint32_t dynamic_anchors; /* first of a list, or GM_NO_ID */
} gm_resource;

typedef struct gm_anchor {
    gm_bytes name; /* "" is $recursiveAnchor's */
    uint32_t resource;
    bool is_dynamic;
    uint32_t next_dynamic; /* of the same resource */
    const gm_json *value;
    const gm_json *rival; /* another schema that claims the name, or NULL */
} gm_anchor;

typedef struct gm_resource_name {
    gm_bytes uri;
    uint32_t resource;
    const gm_json *rival;
} gm_resource_name;

typedef struct gm_scope { /* distinct names */
    const uint32_t *anchors; /* ascending */
    uint32_t count;
} gm_scope;

typedef struct gm_scope_step { /* memo: entering a resource from a scope */
    uint32_t from;
    uint32_t resource;
    uint32_t to;
} gm_scope_step;

typedef struct gm_schema_node {
    const gm_json *value;
    uint32_t resource;
    uint32_t scope;
    bool is_noted;
} gm_schema_node;

/* A note before its strings are made. */
typedef struct gm_pending_note {
    gm_warning_kind kind;
    uint32_t document;
    const gm_json *value; /* the schema */
    gm_bytes keyword;     /* or "" */
    const char *text;
} gm_pending_note;

struct gm_schema {
    gm_arena *arena;
    gm_schema_options options;
    size_t max_bytes;
    size_t max_nesting;
    size_t max_nodes;
    uint32_t default_dialect;
    GM_ARRAY(gm_dialect) dialects;
    GM_ARRAY(gm_document) documents;
    GM_ARRAY(gm_resource) resources;
    GM_ARRAY(gm_anchor) anchors;
    GM_ARRAY(gm_resource_name) names;
    GM_ARRAY(gm_scope) scopes;
    GM_ARRAY(gm_scope_step) steps;
    GM_ARRAY(gm_schema_node) nodes;
    GM_ARRAY(gm_pending_note) notes;
    gm_table resource_table; /* by value */
    gm_table anchor_table;   /* by resource and name */
    gm_table name_table;     /* by URI */
    gm_table scope_table;    /* by content */
    gm_table step_table;     /* by scope and resource */
    gm_table node_table;     /* by value, resource and scope */
    gm_schema_note *written; /* the first written_count notes, finished */
    size_t written_count;
};

static inline const gm_dialect *gm_dialect_of(const gm_schema *schema, uint32_t resource)
{
    return &schema->dialects.items[schema->resources.items[resource].dialect];
}

static inline gm_draft gm_draft_of(const gm_schema *schema, uint32_t resource)
{
    return gm_dialect_of(schema, resource)->draft;
}

static inline uint64_t gm_hash_value(const gm_json *value) { return gm_mix((uint64_t)(uintptr_t)value); }

/* ---- dialect.c ---- */

/* The dialect of a schema that stands at the root of a resource: by its $schema, else `otherwise`. */
gm_status gm_dialect_find(gm_schema *schema, uint32_t document, const gm_json *value, uint32_t otherwise,
                          uint32_t *dialect, gm_error *error);
/* Adds the dialect of a draft, with all its vocabularies. */
gm_status gm_dialect_add_draft(gm_schema *schema, gm_draft draft, uint32_t *dialect, gm_error *error);

/* ---- document.c ---- */

/* Reads a text as the document of `uri`. The text may go afterwards. */
gm_status gm_document_load(gm_schema *schema, gm_bytes uri, const char *text, size_t length, uint32_t *document,
                           gm_error *error);
/* Reads the JSON of another document; errors name its URI. */
gm_status gm_document_read(gm_schema *schema, gm_bytes uri, const char *text, size_t length, const gm_json **root,
                           gm_error *error);
/* Finds all identifiers and anchors of a document, once. */
gm_status gm_document_index(gm_schema *schema, uint32_t document, gm_error *error);
/* The resource that `value` stands in, which is a schema below `around`: itself if it has an
 * identifier, else `around`. */
gm_status gm_resource_at(gm_schema *schema, const gm_json *value, uint32_t around, uint32_t *resource, gm_error *error);
/* The text of another document, from the caller's resolver. `uri` is NUL-terminated. */
bool gm_document_ask(const gm_schema *schema, gm_bytes uri, const char **text, size_t *length);

/* ---- pointer.c ---- */

/* Writes the JSON Pointer of `value`, which stands in `document`, and "/" `keyword` unless that is
 * empty; at most size - 1 bytes and a NUL. Returns the length of the whole. */
size_t gm_pointer_write(const gm_schema *schema, uint32_t document, const gm_json *value, gm_bytes keyword, char *out,
                        size_t size);
/* gm_fail with that pointer. */
gm_status gm_fail_in(const gm_schema *schema, uint32_t document, const gm_json *value, gm_bytes keyword,
                     gm_status status, gm_error *error, const char *format, ...) GM_PRINTF(7, 8);
gm_status gm_note(gm_schema *schema, uint32_t document, const gm_json *value, gm_bytes keyword, gm_warning_kind kind,
                  const char *text, gm_error *error);

/* ---- reference.c ---- */

/* The scope after a resource has been entered from another scope. */
gm_status gm_scope_enter(gm_schema *schema, uint32_t from, uint32_t resource, uint32_t *to, gm_error *error);

/* ---- schema.c ---- */

/* The node of a schema in a resource, seen from a scope; adds it. Not a schema: GM_INVALID_SCHEMA. */
gm_status gm_node_of(gm_schema *schema, const gm_json *value, uint32_t resource, uint32_t scope, gm_node *node,
                     gm_error *error);
/* "an object", "a string" ... */
const char *gm_kind_name(const gm_json *value);

#endif
