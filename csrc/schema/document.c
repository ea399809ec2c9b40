/*
 * schema/document.c - documents, the resources in them, and the index of their names.
 *
 * Whether a document needs an index at all is read off its text when it is loaded: most schemas
 * have no identifier below their root, and the few bytes that one would need are not there. An
 * escape that could hide a key counts as one.
 */
#include "schema/graph.h"
#include "schema/uri.h"

#include <stdio.h>

/* ---- loading ---- */

bool gm_document_ask(const gm_schema *schema, gm_bytes uri, const char **text, size_t *length)
{
    return schema->options.resolver != NULL &&
           schema->options.resolver(schema->options.resolver_context, uri.data, uri.length, text, length);
}

gm_status gm_document_read(gm_schema *schema, gm_bytes uri, const char *text, size_t length, const gm_json **root,
                           gm_error *error)
{
    const int shown = uri.length < 200 ? (int)uri.length : 200;
    if (length > schema->max_bytes)
        return gm_fail(error, GM_LIMIT, "", "", "%.*s has %zu bytes, more than max_schema_bytes = %zu",
                       shown != 0 ? shown : 10, shown != 0 ? uri.data : "the schema", length, schema->max_bytes);
    const gm_status status = gm_json_read(schema->arena, text, length, schema->max_nesting, root, error);
    if (status != GM_OK && status != GM_OUT_OF_MEMORY && error != NULL && shown != 0)
        snprintf(error->pointer, sizeof error->pointer, "%.*s#", shown, uri.data);
    return status;
}

static bool has(const char *at, const char *end, gm_bytes word)
{
    return (size_t)(end - at) >= word.length && memcmp(at, word.data, word.length) == 0;
}

/* Sets what the text might hold. */
static void search_text(const char *text, size_t length, gm_document *document)
{
    const char *const end = text + length;
    for (const char *at = text; (at = memchr(at, '$', (size_t)(end - at))) != NULL; at++) {
        document->may_identify |= has(at, end, GM_BYTES("$id\""));
        document->may_anchor |= has(at, end, GM_BYTES("$anchor\""));
        document->may_be_dynamic |=
            has(at, end, GM_BYTES("$dynamicAnchor\"")) || has(at, end, GM_BYTES("$recursiveAnchor\""));
    }
    for (const char *at = text; !document->may_evaluate && (at = memchr(at, 'u', (size_t)(end - at))) != NULL; at++)
        document->may_evaluate = has(at, end, GM_BYTES("unevaluated"));
    bool is_hidden = false;
    for (const char *at = text; !is_hidden && (at = memchr(at, '\\', (size_t)(end - at))) != NULL; at++)
        is_hidden = has(at, end, GM_BYTES("\\u"));
    document->may_be_dynamic |= is_hidden;
    document->may_evaluate |= is_hidden;
    document->may_anchor |= document->may_be_dynamic;
    document->may_identify |= is_hidden;
}

static const gm_bytes no_bytes = {"", 0};

/* ---- names ---- */

/* Lets a URI stand for a resource. Another resource of that name becomes its rival. */
static gm_status add_name(gm_schema *schema, gm_bytes uri, uint32_t resource, gm_error *error)
{
    if (uri.length == 0)
        return GM_OK;
    const gm_json *const value = schema->resources.items[resource].value;
    const uint64_t hash = gm_hash_bytes(uri.data, uri.length);
    for (gm_probe probe = gm_table_find(&schema->name_table, hash); gm_probe_next(&schema->name_table, &probe);) {
        gm_resource_name *const known = &schema->names.items[probe.id];
        if (!gm_bytes_equal(known->uri, uri))
            continue;
        if (schema->resources.items[known->resource].value != value && known->rival == NULL)
            known->rival = value;
        return GM_OK;
    }
    const gm_resource_name name = {.uri = uri, .resource = resource};
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->names, name) ||
        !gm_table_add(&schema->name_table, hash, (uint32_t)(schema->names.count - 1)))
        return gm_no_memory(error);
    return GM_OK;
}

static gm_status add_anchor(gm_schema *schema, gm_bytes name, uint32_t resource, const gm_json *value, bool is_dynamic,
                            gm_error *error)
{
    const uint64_t hash = gm_hash_combine(gm_hash_bytes(name.data, name.length), resource);
    for (gm_probe probe = gm_table_find(&schema->anchor_table, hash); gm_probe_next(&schema->anchor_table, &probe);) {
        gm_anchor *const known = &schema->anchors.items[probe.id];
        if (known->resource != resource || !gm_bytes_equal(known->name, name))
            continue;
        if (known->value != value && known->rival == NULL)
            known->rival = value;
        if (is_dynamic && !known->is_dynamic && known->value == value) {
            known->is_dynamic = true;
            known->next_dynamic = schema->resources.items[resource].dynamic_anchors;
            schema->resources.items[resource].dynamic_anchors = probe.id;
        }
        return GM_OK;
    }
    gm_resource *const of = &schema->resources.items[resource];
    const gm_anchor anchor = {name, resource, is_dynamic, is_dynamic ? of->dynamic_anchors : GM_NO_ID, value, NULL};
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->anchors, anchor) ||
        !gm_table_add(&schema->anchor_table, hash, (uint32_t)(schema->anchors.count - 1)))
        return gm_no_memory(error);
    if (is_dynamic)
        of->dynamic_anchors = (uint32_t)(schema->anchors.count - 1);
    return GM_OK;
}

/* ---- resources ---- */

static gm_status add_resource(gm_schema *schema, gm_resource resource, uint32_t *added, gm_error *error)
{
    resource.dynamic_anchors = GM_NO_ID;
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->resources, resource) ||
        !gm_table_add(&schema->resource_table, gm_hash_value(resource.value), (uint32_t)(schema->resources.count - 1)))
        return gm_no_memory(error);
    *added = (uint32_t)(schema->resources.count - 1);
    return GM_OK;
}

/* The identifier of a schema object as `draft` reads it, or nothing. Up to draft 7 a reference
 * makes its siblings void. */
static gm_bytes identifier(const gm_json *value, gm_draft draft)
{
    const gm_json *const found = gm_json_get(value, draft == GM_DRAFT_4 ? GM_BYTES("id") : GM_BYTES("$id"));
    if (found == NULL || found->kind != GM_JSON_STRING)
        return no_bytes;
    if (draft <= GM_DRAFT_7 && gm_json_get(value, GM_BYTES("$ref")) != NULL)
        return no_bytes;
    return found->as.text;
}

gm_status gm_resource_at(gm_schema *schema, const gm_json *value, uint32_t around, uint32_t *resource, gm_error *error)
{
    const gm_resource from = schema->resources.items[around];
    *resource = around;
    if (value->kind != GM_JSON_OBJECT || value == from.value || !schema->documents.items[from.document].may_identify)
        return GM_OK;
    const gm_table *const table = &schema->resource_table;
    for (gm_probe probe = gm_table_find(table, gm_hash_value(value)); gm_probe_next(table, &probe);)
        if (schema->resources.items[probe.id].value == value) {
            *resource = probe.id;
            return GM_OK;
        }

    const gm_draft draft = schema->dialects.items[from.dialect].draft;
    const gm_bytes id = identifier(value, draft); /* in the words of the dialect around it */
    if (id.length == 0 || *id.data == '#')
        return GM_OK;
    gm_resource made = {.value = value, .document = from.document, .dialect = from.dialect};
    if (!gm_uri_resolve(schema->arena, from.uri, id, &made.uri))
        return gm_no_memory(error);
    if (gm_bytes_equal(made.uri, from.uri))
        return GM_OK;
    GM_TRY(gm_dialect_find(schema, from.document, value, from.dialect, &made.dialect, error));
    return add_resource(schema, made, resource, error);
}

/* Makes the resource at the root of a document and lets the document's names stand for it. */
static gm_status add_root(gm_schema *schema, uint32_t document, gm_error *error)
{
    const gm_document of = schema->documents.items[document];
    gm_resource made = {.value = of.root, .uri = of.uri, .document = document};
    GM_TRY(gm_dialect_find(schema, document, of.root, schema->default_dialect, &made.dialect, error));
    const gm_draft draft = schema->dialects.items[made.dialect].draft;
    const gm_bytes id = identifier(of.root, draft);
    if (id.length != 0 && *id.data != '#' && !gm_uri_resolve(schema->arena, of.uri, id, &made.uri))
        return gm_no_memory(error);
    uint32_t resource = 0;
    GM_TRY(add_resource(schema, made, &resource, error));
    schema->documents.items[document].resource = resource;
    schema->documents.items[document].may_identify |= draft == GM_DRAFT_4;
    GM_TRY(add_name(schema, of.uri, resource, error));
    return add_name(schema, made.uri, resource, error);
}

gm_status gm_document_load(gm_schema *schema, gm_bytes uri, const char *text, size_t length, uint32_t *document,
                           gm_error *error)
{
    gm_document loaded = {.uri = uri};
    GM_TRY(gm_document_read(schema, uri, text, length, &loaded.root, error));
    search_text(text, length, &loaded);
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->documents, loaded))
        return gm_no_memory(error);
    *document = (uint32_t)(schema->documents.count - 1);
    GM_TRY(add_root(schema, *document, error));
    return loaded.may_be_dynamic ? gm_document_index(schema, *document, error) : GM_OK;
}

/* ---- the index ---- */

typedef struct visit {
    const gm_json *value; /* an object */
    uint32_t resource;    /* around it */
} visit;

typedef struct indexing {
    gm_schema *schema;
    GM_ARRAY(visit) queue;
    gm_error *error;
} indexing;

static gm_status enqueue(indexing *work, const gm_json *value, uint32_t resource)
{
    const visit next = {value, resource};
    if (value->kind != GM_JSON_OBJECT)
        return GM_OK;
    return GM_ARRAY_PUSH(&work->schema->arena->allocator, &work->queue, next) ? GM_OK : gm_no_memory(work->error);
}

static gm_status enqueue_place(indexing *work, const gm_json *value, gm_place place, uint32_t resource)
{
    const bool is_list = value->kind == GM_JSON_ARRAY && (place == GM_PLACE_LIST || place == GM_PLACE_SCHEMA_OR_LIST);
    const bool is_map = value->kind == GM_JSON_OBJECT && place == GM_PLACE_MAP;
    for (size_t i = 0; is_list && i < value->count; i++)
        GM_TRY(enqueue(work, value->as.items[i], resource));
    for (size_t i = 0; is_map && i < value->count; i++)
        GM_TRY(enqueue(work, value->as.members[i].value, resource));
    return place == GM_PLACE_SCHEMA || place == GM_PLACE_SCHEMA_OR_LIST ? enqueue(work, value, resource) : GM_OK;
}

static gm_status add_anchor_by(indexing *work, const char *keyword, const gm_json *value, uint32_t resource,
                               bool is_dynamic)
{
    const gm_json *const name = gm_json_get(value, gm_bytes_of(keyword));
    if (name == NULL || name->kind != GM_JSON_STRING || name->as.text.length == 0)
        return GM_OK;
    return add_anchor(work->schema, name->as.text, resource, value, is_dynamic, work->error);
}

/* Adds the anchors that a schema object carries. */
static gm_status add_anchors(indexing *work, const gm_json *value, uint32_t resource)
{
    gm_schema *const schema = work->schema;
    const gm_draft draft = gm_draft_of(schema, resource);
    if (draft <= GM_DRAFT_7) {
        const gm_bytes name = gm_uri_fragment(identifier(value, draft));
        return name.length != 0 ? add_anchor(schema, name, resource, value, false, work->error) : GM_OK;
    }
    GM_TRY(add_anchor_by(work, "$anchor", value, resource, false));
    if (draft == GM_DRAFT_2020_12)
        return add_anchor_by(work, "$dynamicAnchor", value, resource, true);
    const gm_json *const recursive = gm_json_get(value, GM_BYTES("$recursiveAnchor"));
    if (recursive != NULL && recursive->kind == GM_JSON_TRUE && value == schema->resources.items[resource].value)
        return add_anchor(schema, no_bytes, resource, value, true, work->error);
    return GM_OK;
}

static gm_status index_schema(indexing *work, visit at)
{
    gm_schema *const schema = work->schema;
    uint32_t resource = at.resource;
    GM_TRY(gm_resource_at(schema, at.value, at.resource, &resource, work->error));
    if (schema->resources.items[resource].value == at.value)
        GM_TRY(add_name(schema, schema->resources.items[resource].uri, resource, work->error));
    GM_TRY(add_anchors(work, at.value, resource));
    const gm_dialect *const dialect = gm_dialect_of(schema, resource);
    for (size_t i = 0; i < at.value->count; i++) {
        const gm_json_member *const member = &at.value->as.members[i];
        const gm_word *const word = gm_word_find(member->key);
        if (word != NULL && word->place != GM_PLACE_NONE &&
            gm_word_is_active(word, dialect->draft, dialect->vocabularies))
            GM_TRY(enqueue_place(work, member->value, word->place, resource));
    }
    return GM_OK;
}

gm_status gm_document_index(gm_schema *schema, uint32_t document, gm_error *error)
{
    const gm_document of = schema->documents.items[document];
    if (of.is_indexed)
        return GM_OK;
    indexing work = {.schema = schema, .error = error};
    gm_status status = GM_OK;
    if (of.may_identify || of.may_anchor)
        status = enqueue(&work, of.root, of.resource);
    for (size_t i = 0; status == GM_OK && i < work.queue.count; i++)
        status = index_schema(&work, work.queue.items[i]);
    GM_ARRAY_FREE(&schema->arena->allocator, &work.queue);
    if (status == GM_OK)
        schema->documents.items[document].is_indexed = true;
    return status;
}
