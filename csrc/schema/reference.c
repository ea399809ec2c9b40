/*
 * schema/reference.c - where references lead, and the dynamic scopes on the way.
 *
 * A reference is a URI and a fragment. The URI names a resource: the one that the reference stands
 * in, one that a loaded document names, or a document that the resolver has. The fragment is empty,
 * a JSON Pointer, or an anchor of the resource. A pointer may pass through resources and through
 * places that are no schemas; where it ends, a schema begins.
 */
#include "schema/graph.h"
#include "schema/uri.h"

#include <stdlib.h>

typedef struct location {
    const gm_json *value; /* NULL: nothing is there */
    uint32_t resource;
    uint32_t anchor; /* by which it was found, or GM_NO_ID */
} location;

typedef struct reference {
    gm_schema *schema;
    const gm_schema_node *from;
    uint32_t document; /* of `from` */
    gm_bytes keyword;
    gm_bytes text;
    gm_error *error;
} reference;

static GM_NOINLINE gm_status refuse(const reference *of, gm_status status, const char *why)
{
    const int shown = of->text.length < 160 ? (int)of->text.length : 160;
    gm_fail_in(of->schema, of->document, of->from->value, of->keyword, status, of->error, "\"%.*s\" %s", shown,
               of->text.data, why);
    return status;
}

/* Two schemas of one name are one if they are equal. */
static gm_status refuse_rival(const reference *of, const gm_json *value, const gm_json *rival)
{
    bool equal = true;
    if (rival != NULL && gm_json_equal(of->schema->arena, value, rival, &equal) != GM_OK)
        return gm_no_memory(of->error);
    return equal ? GM_OK : refuse(of, GM_INVALID_SCHEMA, "names two different schemas");
}

/* ---- the resource ---- */

/* Looks a URI up among the names known so far; GM_NO_ID when it is none. */
static gm_status find_name(const reference *of, gm_bytes uri, uint32_t *resource)
{
    const gm_schema *const schema = of->schema;
    const gm_table *const table = &schema->name_table;
    *resource = GM_NO_ID;
    for (gm_probe probe = gm_table_find(table, gm_hash_bytes(uri.data, uri.length)); gm_probe_next(table, &probe);) {
        const gm_resource_name *const name = &schema->names.items[probe.id];
        if (gm_bytes_equal(name->uri, uri)) {
            *resource = name->resource;
            return refuse_rival(of, schema->resources.items[name->resource].value, name->rival);
        }
    }
    return GM_OK;
}

/* The same after all loaded documents have been indexed, and then with the resolver's document.
 * `uri` stays in the arena if that is loaded. */
static gm_status find_elsewhere(const reference *of, gm_bytes uri, uint32_t *resource)
{
    gm_schema *const schema = of->schema;
    for (uint32_t i = 0; i < schema->documents.count; i++)
        GM_TRY(gm_document_index(schema, i, of->error));
    GM_TRY(find_name(of, uri, resource));
    if (*resource != GM_NO_ID)
        return GM_OK;
    const char *text;
    size_t length;
    if (!gm_document_ask(schema, uri, &text, &length))
        return refuse(of, GM_UNSUPPORTED, "leads to a document that is not known");
    uint32_t document = 0;
    GM_TRY(gm_document_load(schema, uri, text, length, &document, of->error));
    *resource = schema->documents.items[document].resource;
    return GM_OK;
}

static gm_status find_resource(const reference *of, uint32_t *resource)
{
    gm_schema *const schema = of->schema;
    *resource = of->from->resource;
    if (of->text.length == 0 || *of->text.data == '#')
        return GM_OK;
    const gm_arena_mark mark = gm_arena_save(schema->arena);
    gm_bytes uri;
    if (!gm_uri_resolve(schema->arena, schema->resources.items[*resource].uri, of->text, &uri))
        return gm_no_memory(of->error);
    if (!gm_bytes_equal(uri, schema->resources.items[*resource].uri)) {
        GM_TRY(find_name(of, uri, resource));
        if (*resource == GM_NO_ID)
            return find_elsewhere(of, uri, resource);
    }
    gm_arena_rewind(schema->arena, mark);
    return GM_OK;
}

/* ---- the fragment ---- */

/* Writes `token` to `out` with ~0 and ~1 replaced; the two may be one. Another tilde stays, and
 * names no key that a well-formed pointer could name otherwise. */
static size_t tilde_decode(gm_bytes token, char *out)
{
    size_t count = 0;
    for (size_t i = 0; i < token.length; i++) {
        const bool escaped =
            token.data[i] == '~' && i + 1 < token.length && (token.data[i + 1] == '0' || token.data[i + 1] == '1');
        out[count++] = !escaped ? token.data[i] : token.data[i + 1] == '0' ? '~' : '/';
        i += escaped;
    }
    return count;
}

/* An index as JSON Pointer writes it, else SIZE_MAX. */
static size_t index_of(gm_bytes token)
{
    if (token.length == 0 || token.length > 10 || (token.length > 1 && *token.data == '0'))
        return SIZE_MAX;
    uint64_t index = 0;
    for (size_t i = 0; i < token.length; i++) {
        if (token.data[i] < '0' || token.data[i] > '9')
            return SIZE_MAX;
        index = index * 10 + (uint64_t)(token.data[i] - '0');
    }
    return index < UINT32_MAX ? (size_t)index : SIZE_MAX;
}

static gm_place place_of_keyword(const gm_schema *schema, uint32_t resource, gm_bytes key, const gm_json *value)
{
    const gm_dialect *const dialect = gm_dialect_of(schema, resource);
    const gm_word *const word = gm_word_find(key);
    if (word == NULL || !gm_word_is_active(word, dialect->draft, dialect->vocabularies))
        return GM_PLACE_NONE;
    if (word->place == GM_PLACE_SCHEMA_OR_LIST)
        return value->kind == GM_JSON_ARRAY ? GM_PLACE_LIST : GM_PLACE_SCHEMA;
    return word->place;
}

/* One step down. `place` is what `at` itself is: a schema, a list or map of them, or no such thing. */
static gm_status step(const reference *of, gm_bytes token, location *at, gm_place *place)
{
    gm_schema *const schema = of->schema;
    const gm_json *const value = at->value;
    if (value->kind == GM_JSON_ARRAY) {
        const size_t index = index_of(token);
        at->value = index < value->count ? value->as.items[index] : NULL;
        *place = *place == GM_PLACE_LIST ? GM_PLACE_SCHEMA : GM_PLACE_NONE;
    } else {
        at->value = gm_json_get(value, token);
        if (at->value != NULL)
            *place = *place == GM_PLACE_SCHEMA ? place_of_keyword(schema, at->resource, token, at->value)
                     : *place == GM_PLACE_MAP  ? GM_PLACE_SCHEMA
                                               : GM_PLACE_NONE;
    }
    if (at->value != NULL && *place == GM_PLACE_SCHEMA)
        return gm_resource_at(schema, at->value, at->resource, &at->resource, of->error);
    return GM_OK;
}

/* Follows a pointer from the root of a resource. `room` is NULL when it has no tilde, else holds it:
 * tokens are decoded in place. */
static gm_status follow(const reference *of, gm_bytes pointer, char *room, location *at)
{
    gm_place place = GM_PLACE_SCHEMA;
    for (size_t next = 0; at->value != NULL && next < pointer.length;) {
        const size_t start = next + 1;
        next = start;
        while (next < pointer.length && pointer.data[next] != '/')
            next++;
        gm_bytes token = {pointer.data + start, next - start};
        if (room != NULL)
            token.length = tilde_decode(token, room + start);
        GM_TRY(step(of, token, at, &place));
    }
    if (at->value != NULL && place != GM_PLACE_SCHEMA)
        return gm_resource_at(of->schema, at->value, at->resource, &at->resource, of->error);
    return GM_OK;
}

static gm_status find_anchor(const reference *of, gm_bytes name, location *at)
{
    gm_schema *const schema = of->schema;
    GM_TRY(gm_document_index(schema, schema->resources.items[at->resource].document, of->error));
    const gm_table *const table = &schema->anchor_table;
    const uint64_t hash = gm_hash_combine(gm_hash_bytes(name.data, name.length), at->resource);
    for (gm_probe probe = gm_table_find(table, hash); gm_probe_next(table, &probe);) {
        const gm_anchor *const anchor = &schema->anchors.items[probe.id];
        if (anchor->resource == at->resource && gm_bytes_equal(anchor->name, name)) {
            at->value = anchor->value;
            at->anchor = probe.id;
            return refuse_rival(of, anchor->value, anchor->rival);
        }
    }
    at->value = NULL;
    return GM_OK;
}

static gm_status find_fragment(const reference *of, gm_bytes fragment, char *room, location *at)
{
    if (fragment.length == 0)
        return GM_OK;
    return *fragment.data == '/' ? follow(of, fragment, room, at) : find_anchor(of, fragment, at);
}

/* Where the reference leads when no scope has a say. */
static gm_status find_location(const reference *of, location *at)
{
    gm_schema *const schema = of->schema;
    const gm_allocator *const allocator = &schema->arena->allocator;
    *at = (location){.anchor = GM_NO_ID};
    GM_TRY(find_resource(of, &at->resource));
    at->value = schema->resources.items[at->resource].value;
    gm_bytes fragment = gm_uri_fragment(of->text);
    char *room = NULL;
    const size_t size = fragment.length;
    if (size != 0 && (memchr(fragment.data, '%', size) != NULL || memchr(fragment.data, '~', size) != NULL)) {
        room = gm_allocate(allocator, size, 1);
        if (room == NULL)
            return gm_no_memory(of->error);
        fragment = (gm_bytes){room, gm_uri_percent_decode(fragment, room)};
    }
    const gm_status status = find_fragment(of, fragment, room, at);
    gm_deallocate(allocator, room, size, 1);
    if (status == GM_OK && at->value == NULL)
        return refuse(of, GM_INVALID_SCHEMA, "leads nowhere");
    return status;
}

/* ---- scopes ---- */

static bool is_in_scope(const gm_schema *schema, const gm_scope *scope, gm_bytes name, uint32_t *anchor)
{
    for (size_t i = 0; i < scope->count; i++) {
        *anchor = scope->anchors[i];
        if (gm_bytes_equal(schema->anchors.items[*anchor].name, name))
            return true;
    }
    return false;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static gm_status intern_scope(gm_schema *schema, gm_scope scope, uint32_t *id, gm_error *error)
{
    const size_t size = scope.count * sizeof *scope.anchors;
    const uint64_t hash = gm_hash_bytes(scope.anchors, size);
    for (gm_probe probe = gm_table_find(&schema->scope_table, hash); gm_probe_next(&schema->scope_table, &probe);) {
        const gm_scope *const known = &schema->scopes.items[probe.id];
        if (known->count == scope.count && memcmp(known->anchors, scope.anchors, size) == 0) {
            *id = probe.id;
            return GM_OK;
        }
    }
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->scopes, scope) ||
        !gm_table_add(&schema->scope_table, hash, (uint32_t)(schema->scopes.count - 1)))
        return gm_no_memory(error);
    *id = (uint32_t)(schema->scopes.count - 1);
    return GM_OK;
}

/* The scope `from` with the dynamic anchors of `resource` that it does not have yet. */
static gm_status extend_scope(gm_schema *schema, uint32_t from, uint32_t resource, uint32_t *to, gm_error *error)
{
    const gm_scope base = schema->scopes.items[from];
    const uint32_t first = schema->resources.items[resource].dynamic_anchors;
    size_t count = base.count;
    for (uint32_t at = first; at != GM_NO_ID; at = schema->anchors.items[at].next_dynamic)
        count++;
    uint32_t *const anchors = GM_ARENA_NEW(schema->arena, uint32_t, count);
    if (anchors == NULL)
        return gm_no_memory(error);
    if (base.count != 0)
        memcpy(anchors, base.anchors, base.count * sizeof *anchors);
    count = base.count;
    for (uint32_t at = first; at != GM_NO_ID; at = schema->anchors.items[at].next_dynamic) {
        uint32_t outer;
        if (!is_in_scope(schema, &base, schema->anchors.items[at].name, &outer))
            anchors[count++] = at;
    }
    if (count == base.count) {
        *to = from;
        return GM_OK;
    }
    qsort(anchors, count, sizeof *anchors, by_id);
    return intern_scope(schema, (gm_scope){anchors, (uint32_t)count}, to, error);
}

gm_status gm_scope_enter(gm_schema *schema, uint32_t from, uint32_t resource, uint32_t *to, gm_error *error)
{
    *to = from;
    if (schema->resources.items[resource].dynamic_anchors == GM_NO_ID)
        return GM_OK;
    const uint64_t hash = gm_mix((uint64_t)from << 32 | resource);
    for (gm_probe probe = gm_table_find(&schema->step_table, hash); gm_probe_next(&schema->step_table, &probe);) {
        const gm_scope_step *const known = &schema->steps.items[probe.id];
        if (known->from == from && known->resource == resource) {
            *to = known->to;
            return GM_OK;
        }
    }
    GM_TRY(extend_scope(schema, from, resource, to, error));
    const gm_scope_step taken = {from, resource, *to};
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->steps, taken) ||
        !gm_table_add(&schema->step_table, hash, (uint32_t)(schema->steps.count - 1)))
        return gm_no_memory(error);
    return GM_OK;
}

/* ---- dynamic references ---- */

/* A dynamic reference that met a dynamic anchor goes on to the outermost one of its name in scope. */
static gm_status apply_scope(const reference *of, location *at)
{
    const gm_schema *const schema = of->schema;
    if (at->anchor == GM_NO_ID || !schema->anchors.items[at->anchor].is_dynamic)
        return GM_OK;
    uint32_t outermost;
    const gm_scope *const scope = &schema->scopes.items[of->from->scope];
    if (!is_in_scope(schema, scope, schema->anchors.items[at->anchor].name, &outermost))
        return GM_OK;
    const gm_anchor *const anchor = &schema->anchors.items[outermost];
    *at = (location){anchor->value, anchor->resource, outermost};
    return refuse_rival(of, anchor->value, anchor->rival);
}

gm_status gm_schema_reference(gm_schema *schema, gm_node node, gm_keyword keyword, gm_node *target, gm_error *error)
{
    GM_ASSERT(keyword == GM_KW_REF || keyword == GM_KW_DYNAMIC_REF);
    const gm_schema_node from = schema->nodes.items[node];
    const bool is_recursive = keyword == GM_KW_DYNAMIC_REF && gm_draft_of(schema, from.resource) == GM_DRAFT_2019_09;
    reference of = {.schema = schema, .from = &from, .error = error};
    of.document = schema->resources.items[from.resource].document;
    of.keyword = gm_bytes_of(is_recursive ? "$recursiveRef" : gm_keyword_name(keyword));
    const gm_json *const text = gm_json_get(from.value, of.keyword);
    GM_ASSERT(text != NULL && text->kind == GM_JSON_STRING); /* gm_schema_read has seen it */
    of.text = text->as.text;

    location at;
    GM_TRY(find_location(&of, &at));
    if (is_recursive) { /* its anchor is that of the resource */
        const gm_json *const root = at.value;
        GM_TRY(find_anchor(&of, (gm_bytes){"", 0}, &at));
        if (at.value == NULL)
            at.value = root;
    }
    if (keyword == GM_KW_DYNAMIC_REF)
        GM_TRY(apply_scope(&of, &at));
    if (at.value->kind != GM_JSON_OBJECT && !gm_json_is_boolean(at.value))
        return refuse(&of, GM_INVALID_SCHEMA, "leads to a value that is no schema");
    return gm_node_of(schema, at.value, at.resource, from.scope, target, error);
}
