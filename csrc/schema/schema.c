/*
 * schema/schema.c - the graph's life, and its nodes.
 */
#include "schema/graph.h"

#include <stdarg.h>
#include <stdio.h>

enum { DEFAULT_MAX_BYTES = 16 << 20, DEFAULT_MAX_NESTING = 1000, DEFAULT_MAX_NODES = 1000000 };

/* ---- opening and closing ---- */

static size_t limit_or(uint64_t limit, size_t otherwise)
{
    return limit == 0 ? otherwise : limit > SIZE_MAX ? SIZE_MAX : (size_t)limit;
}

static void init(gm_schema *schema, gm_arena *arena, const gm_schema_options *options, const gm_limits *limits)
{
    const gm_limits none = {0};
    const gm_limits *const given = limits != NULL ? limits : &none;
    schema->arena = arena;
    if (options != NULL)
        schema->options = *options;
    schema->max_bytes = limit_or(given->max_schema_bytes, DEFAULT_MAX_BYTES);
    schema->max_nesting = limit_or(given->max_nesting, DEFAULT_MAX_NESTING);
    schema->max_nodes = limit_or(given->max_nodes, DEFAULT_MAX_NODES);
    gm_table *const tables[] = {&schema->resource_table, &schema->anchor_table, &schema->name_table,
                                &schema->scope_table,    &schema->step_table,   &schema->node_table};
    for (size_t i = 0; i < GM_COUNT_OF(tables); i++)
        gm_table_init(tables[i], &arena->allocator);
}

void gm_schema_close(gm_schema *schema)
{
    if (schema == NULL)
        return;
    const gm_allocator *const allocator = &schema->arena->allocator;
    GM_ARRAY_FREE(allocator, &schema->dialects);
    GM_ARRAY_FREE(allocator, &schema->documents);
    GM_ARRAY_FREE(allocator, &schema->resources);
    GM_ARRAY_FREE(allocator, &schema->anchors);
    GM_ARRAY_FREE(allocator, &schema->names);
    GM_ARRAY_FREE(allocator, &schema->scopes);
    GM_ARRAY_FREE(allocator, &schema->steps);
    GM_ARRAY_FREE(allocator, &schema->nodes);
    GM_ARRAY_FREE(allocator, &schema->notes);
    gm_table_destroy(&schema->resource_table);
    gm_table_destroy(&schema->anchor_table);
    gm_table_destroy(&schema->name_table);
    gm_table_destroy(&schema->scope_table);
    gm_table_destroy(&schema->step_table);
    gm_table_destroy(&schema->node_table);
}

static gm_status open_root(gm_schema *schema, const char *text, size_t length, gm_node *root, gm_error *error)
{
    const gm_scope empty = {NULL, 0};
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->scopes, empty))
        return gm_no_memory(error);
    const gm_draft asked = schema->options.draft;
    const gm_draft draft = asked != GM_DRAFT_BY_SCHEMA ? asked : GM_DRAFT_2020_12;
    GM_TRY(gm_dialect_add_draft(schema, draft, &schema->default_dialect, error));
    uint32_t document = 0;
    GM_TRY(gm_document_load(schema, (gm_bytes){"", 0}, text, length, &document, error));
    const uint32_t resource = schema->documents.items[document].resource;
    if (asked == GM_DRAFT_BY_SCHEMA) /* other documents follow the root's */
        schema->default_dialect = schema->resources.items[resource].dialect;
    return gm_node_of(schema, schema->documents.items[document].root, resource, 0, root, error);
}

gm_status gm_schema_open(gm_arena *arena, const char *text, size_t length, const gm_schema_options *options,
                         const gm_limits *limits, gm_schema **schema, gm_node *root, gm_error *error)
{
    const gm_arena_mark mark = gm_arena_save(arena);
    gm_schema *const opened = GM_ARENA_NEW(arena, gm_schema, 1);
    if (opened == NULL)
        return gm_no_memory(error);
    init(opened, arena, options, limits);
    const gm_status status = open_root(opened, text, length, root, error);
    if (status != GM_OK) {
        gm_schema_close(opened);
        gm_arena_rewind(arena, mark);
        return status;
    }
    *schema = opened;
    return GM_OK;
}

/* ---- nodes ---- */

const char *gm_kind_name(const gm_json *value)
{
    switch (value->kind) {
    case GM_JSON_NULL:
        return "null";
    case GM_JSON_FALSE:
        return "false";
    case GM_JSON_TRUE:
        return "true";
    case GM_JSON_NUMBER:
        return "a number";
    case GM_JSON_STRING:
        return "a string";
    case GM_JSON_ARRAY:
        return "an array";
    case GM_JSON_OBJECT:
        return "an object";
    }
    return "?";
}

static gm_status add_node(gm_schema *schema, gm_schema_node added, uint64_t hash, gm_node *node, gm_error *error)
{
    if (schema->nodes.count >= schema->max_nodes)
        return gm_fail_in(schema, schema->resources.items[added.resource].document, added.value, (gm_bytes){"", 0},
                          GM_LIMIT, error, "more than max_nodes = %zu schemas after references", schema->max_nodes);
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->nodes, added))
        return gm_no_memory(error);
    if (!gm_table_add(&schema->node_table, hash, (uint32_t)(schema->nodes.count - 1))) {
        schema->nodes.count--;
        return gm_no_memory(error);
    }
    *node = (gm_node)(schema->nodes.count - 1);
    return GM_OK;
}

gm_status gm_node_of(gm_schema *schema, const gm_json *value, uint32_t resource, uint32_t scope, gm_node *node,
                     gm_error *error)
{
    if (value->kind != GM_JSON_OBJECT && !gm_json_is_boolean(value))
        return gm_fail_in(schema, schema->resources.items[resource].document, value, (gm_bytes){"", 0},
                          GM_INVALID_SCHEMA, error, "expected a schema (an object, true or false), found %s",
                          gm_kind_name(value));
    GM_TRY(gm_scope_enter(schema, scope, resource, &scope, error));
    const uint64_t hash = gm_hash_combine(gm_hash_value(value), (uint64_t)resource << 32 | scope);
    for (gm_probe probe = gm_table_find(&schema->node_table, hash); gm_probe_next(&schema->node_table, &probe);) {
        const gm_schema_node *const known = &schema->nodes.items[probe.id];
        if (known->value == value && known->resource == resource && known->scope == scope) {
            *node = probe.id;
            return GM_OK;
        }
    }
    return add_node(schema, (gm_schema_node){.value = value, .resource = resource, .scope = scope}, hash, node, error);
}

const gm_json *gm_schema_value(const gm_schema *schema, gm_node node) { return schema->nodes.items[node].value; }

gm_status gm_schema_child(gm_schema *schema, gm_node node, const gm_json *value, gm_node *child, gm_error *error)
{
    const gm_schema_node from = schema->nodes.items[node];
    uint32_t resource = from.resource;
    GM_TRY(gm_resource_at(schema, value, from.resource, &resource, error));
    return gm_node_of(schema, value, resource, from.scope, child, error);
}

/* ---- names, errors and notes of nodes ---- */

void gm_schema_pointer(const gm_schema *schema, gm_node node, char *out, size_t size)
{
    const gm_schema_node *const at = &schema->nodes.items[node];
    gm_pointer_write(schema, schema->resources.items[at->resource].document, at->value, (gm_bytes){"", 0}, out, size);
}

const char *gm_keyword_name(gm_keyword keyword)
{
    static const char *const names[GM_KW_COUNT] = {
        [GM_KW_TYPE] = "type",
        [GM_KW_ENUM] = "enum",
        [GM_KW_CONST] = "const",
        [GM_KW_MINIMUM] = "minimum",
        [GM_KW_MAXIMUM] = "maximum",
        [GM_KW_EXCLUSIVE_MINIMUM] = "exclusiveMinimum",
        [GM_KW_EXCLUSIVE_MAXIMUM] = "exclusiveMaximum",
        [GM_KW_MULTIPLE_OF] = "multipleOf",
        [GM_KW_MIN_LENGTH] = "minLength",
        [GM_KW_MAX_LENGTH] = "maxLength",
        [GM_KW_PATTERN] = "pattern",
        [GM_KW_FORMAT] = "format",
        [GM_KW_PREFIX_ITEMS] = "prefixItems",
        [GM_KW_ITEMS] = "items",
        [GM_KW_MIN_ITEMS] = "minItems",
        [GM_KW_MAX_ITEMS] = "maxItems",
        [GM_KW_UNIQUE_ITEMS] = "uniqueItems",
        [GM_KW_CONTAINS] = "contains",
        [GM_KW_MIN_CONTAINS] = "minContains",
        [GM_KW_MAX_CONTAINS] = "maxContains",
        [GM_KW_UNEVALUATED_ITEMS] = "unevaluatedItems",
        [GM_KW_PROPERTIES] = "properties",
        [GM_KW_PATTERN_PROPERTIES] = "patternProperties",
        [GM_KW_ADDITIONAL_PROPERTIES] = "additionalProperties",
        [GM_KW_PROPERTY_NAMES] = "propertyNames",
        [GM_KW_REQUIRED] = "required",
        [GM_KW_MIN_PROPERTIES] = "minProperties",
        [GM_KW_MAX_PROPERTIES] = "maxProperties",
        [GM_KW_DEPENDENT_REQUIRED] = "dependentRequired",
        [GM_KW_DEPENDENT_SCHEMAS] = "dependentSchemas",
        [GM_KW_DEPENDENCIES] = "dependencies",
        [GM_KW_UNEVALUATED_PROPERTIES] = "unevaluatedProperties",
        [GM_KW_X_ORDER] = "x-order",
        [GM_KW_REF] = "$ref",
        [GM_KW_DYNAMIC_REF] = "$dynamicRef",
        [GM_KW_ALL_OF] = "allOf",
        [GM_KW_ANY_OF] = "anyOf",
        [GM_KW_ONE_OF] = "oneOf",
        [GM_KW_NOT] = "not",
        [GM_KW_IF] = "if",
        [GM_KW_THEN] = "then",
        [GM_KW_ELSE] = "else",
        [GM_KW_NULLABLE] = "nullable",
    };
    return keyword < GM_KW_COUNT ? names[keyword] : "";
}

const char *gm_schema_spelling(const gm_schema *schema, gm_node node, gm_keyword keyword)
{
    const gm_schema_node *const at = &schema->nodes.items[node];
    const gm_draft draft = gm_draft_of(schema, at->resource);
    if (draft < GM_DRAFT_2020_12 && keyword == GM_KW_PREFIX_ITEMS)
        return "items";
    if (draft == GM_DRAFT_2019_09 && keyword == GM_KW_DYNAMIC_REF)
        return "$recursiveRef";
    if (draft < GM_DRAFT_2020_12 && keyword == GM_KW_ITEMS) {
        const gm_json *const items = gm_json_get(at->value, GM_BYTES("items"));
        if (items != NULL && items->kind == GM_JSON_ARRAY)
            return "additionalItems";
    }
    return gm_keyword_name(keyword);
}

gm_status gm_schema_fail(const gm_schema *schema, gm_node node, gm_keyword keyword, gm_status status, gm_error *error,
                         const char *format, ...)
{
    const gm_schema_node *const at = &schema->nodes.items[node];
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return gm_fail_in(schema, schema->resources.items[at->resource].document, at->value,
                      gm_bytes_of(gm_schema_spelling(schema, node, keyword)), status, error, "%s", message);
}

gm_status gm_schema_add_note(gm_schema *schema, gm_node node, gm_keyword keyword, gm_warning_kind kind,
                             const char *text, bool is_again)
{
    const gm_schema_node *const at = &schema->nodes.items[node];
    for (size_t i = 0; is_again && i < schema->notes.count; i++) {
        const gm_pending_note *const known = &schema->notes.items[i];
        if (known->value == at->value && known->kind == kind &&
            gm_bytes_equal(known->keyword, gm_bytes_of(gm_schema_spelling(schema, node, keyword))))
            return GM_OK;
    }
    const char *const kept = gm_arena_text(schema->arena, gm_bytes_of(text));
    if (kept == NULL)
        return GM_OUT_OF_MEMORY;
    return gm_note(schema, schema->resources.items[at->resource].document, at->value,
                   gm_bytes_of(gm_schema_spelling(schema, node, keyword)), kind, kept, NULL);
}

bool gm_schema_has_unevaluated(const gm_schema *schema)
{
    for (size_t i = 0; i < schema->documents.count; i++)
        if (schema->documents.items[i].may_evaluate)
            return true;
    return false;
}
