/*
 * schema/keywords.c - reading a schema object: which keywords mean something, and are they well shaped?
 *
 * Shapes are those of the metaschemas, with what changes no meaning let pass: booleans as schemas
 * and an empty `required` in draft 4, an `id` there that is no string, doubled values in `enum`.
 * Keywords of other drafts, keywords without the one they need beside them, annotations and
 * unknown keys become notes.
 */
#include "schema/graph.h"

#include <stdlib.h>

typedef struct reading {
    gm_schema *schema;
    const gm_json *value; /* the schema object */
    uint32_t document;
    const gm_dialect *dialect;
    bool is_root; /* of its resource */
    bool wants_notes;
    gm_schema_keywords *keywords;
    const gm_json *additional_items;
    gm_error *error;
} reading;

static GM_NOINLINE gm_status misshapen(const reading *of, gm_bytes keyword, const char *expected, const gm_json *found)
{
    const bool is_text = found->kind == GM_JSON_NUMBER || found->kind == GM_JSON_STRING;
    const int shown = !is_text ? 0 : found->as.text.length < 60 ? (int)found->as.text.length : 60;
    return gm_fail_in(of->schema, of->document, of->value, keyword, GM_INVALID_SCHEMA, of->error,
                      "expected %s, found %s%s%.*s", expected, gm_kind_name(found), is_text ? ": " : "", shown,
                      is_text ? found->as.text.data : "");
}

static gm_status note(const reading *of, gm_bytes keyword, const char *text)
{
    if (!of->wants_notes)
        return GM_OK;
    return gm_note(of->schema, of->document, of->value, keyword, GM_WARNING_ANNOTATION, text, of->error);
}

/* ---- shapes ---- */

static bool is_schema(const gm_json *value) { return value->kind == GM_JSON_OBJECT || gm_json_is_boolean(value); }

static int by_text(const void *a, const void *b)
{
    return gm_bytes_compare((*(const gm_json *const *)a)->as.text, (*(const gm_json *const *)b)->as.text);
}

/* Whether all of `count` strings differ. */
static gm_status check_distinct(const reading *of, gm_bytes keyword, const gm_json *list)
{
    enum { FEW = 8 };
    const gm_json *doubled = NULL;
    for (size_t i = 1; list->count <= FEW && i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            if (gm_bytes_equal(list->as.items[i]->as.text, list->as.items[j]->as.text))
                doubled = list->as.items[i];
    if (list->count > FEW) {
        const gm_allocator *const allocator = &of->schema->arena->allocator;
        const gm_json **const sorted = gm_allocate(allocator, list->count, sizeof *sorted);
        if (sorted == NULL)
            return gm_no_memory(of->error);
        memcpy(sorted, list->as.items, list->count * sizeof *sorted);
        qsort(sorted, list->count, sizeof *sorted, by_text);
        for (size_t i = 1; i < list->count; i++)
            if (by_text(&sorted[i - 1], &sorted[i]) == 0)
                doubled = sorted[i];
        gm_deallocate(allocator, sorted, list->count, sizeof *sorted);
    }
    return doubled == NULL ? GM_OK : misshapen(of, keyword, "distinct strings", doubled);
}

static gm_status check_names(const reading *of, gm_bytes keyword, const gm_json *list)
{
    if (list->kind != GM_JSON_ARRAY)
        return misshapen(of, keyword, "an array of strings", list);
    for (size_t i = 0; i < list->count; i++)
        if (list->as.items[i]->kind != GM_JSON_STRING)
            return misshapen(of, keyword, "an array of strings", list->as.items[i]);
    return check_distinct(of, keyword, list);
}

static gm_status check_name_lists(const reading *of, gm_bytes keyword, const gm_json *map, bool or_schemas)
{
    if (map->kind != GM_JSON_OBJECT)
        return misshapen(of, keyword, "an object", map);
    for (size_t i = 0; i < map->count; i++) {
        const gm_json *const value = map->as.members[i].value;
        if (!or_schemas || !is_schema(value))
            GM_TRY(check_names(of, keyword, value));
    }
    return GM_OK;
}

static bool is_type_name(const gm_json *value)
{
    static const char *const names[] = {"string", "object", "array", "number", "integer", "boolean", "null"};
    for (size_t i = 0; value->kind == GM_JSON_STRING && i < GM_COUNT_OF(names); i++)
        if (gm_bytes_equal(value->as.text, gm_bytes_of(names[i])))
            return true;
    return false;
}

static gm_status check_type(const reading *of, gm_bytes keyword, const gm_json *value)
{
    static const char expected[] = "a type (null, boolean, integer, number, string, array, object) or a list of types";
    if (value->kind != GM_JSON_ARRAY)
        return is_type_name(value) ? GM_OK : misshapen(of, keyword, expected, value);
    for (size_t i = 0; i < value->count; i++)
        if (!is_type_name(value->as.items[i]))
            return misshapen(of, keyword, expected, value->as.items[i]);
    return value->count != 0 ? check_distinct(of, keyword, value) : misshapen(of, keyword, "at least one type", value);
}

static gm_status check_schema_list(const reading *of, gm_bytes keyword, const gm_json *value)
{
    const bool fits = value->kind == GM_JSON_ARRAY && value->count != 0;
    return fits ? GM_OK : misshapen(of, keyword, "a list of at least one schema", value);
}

static gm_status check_number(const reading *of, gm_bytes keyword, const gm_json *value, gm_shape shape)
{
    if (value->kind != GM_JSON_NUMBER)
        return misshapen(of, keyword, "a number", value);
    if (shape == GM_SHAPE_POSITIVE && gm_json_sign(value) <= 0)
        return misshapen(of, keyword, "a number above 0", value);
    if (shape == GM_SHAPE_COUNT && (gm_json_sign(value) < 0 || !gm_json_is_integer(value)))
        return misshapen(of, keyword, "an integer that is not negative", value);
    return GM_OK;
}

/* Draft 4 has booleans, later drafts numbers; OpenAPI documents mix them. */
static gm_status check_exclusive(const reading *of, gm_bytes keyword, const gm_json *value)
{
    const bool is_draft_4 = of->dialect->draft == GM_DRAFT_4;
    const bool is_open = of->schema->options.openapi;
    if (gm_json_is_boolean(value) ? is_draft_4 || is_open : value->kind == GM_JSON_NUMBER && (!is_draft_4 || is_open))
        return GM_OK;
    return misshapen(of, keyword, is_draft_4 ? "a boolean" : "a number", value);
}

static gm_status check_shape(const reading *of, gm_bytes keyword, gm_shape shape, const gm_json *value)
{
    switch (shape) {
    case GM_SHAPE_ANY: return GM_OK;
    case GM_SHAPE_SCHEMA: return is_schema(value) ? GM_OK : misshapen(of, keyword, "a schema", value);
    case GM_SHAPE_SCHEMA_LIST: return check_schema_list(of, keyword, value);
    case GM_SHAPE_ITEMS:
        if (value->kind == GM_JSON_ARRAY && of->dialect->draft < GM_DRAFT_2020_12)
            return check_schema_list(of, keyword, value);
        return is_schema(value) ? GM_OK : misshapen(of, keyword, "a schema", value);
    case GM_SHAPE_OBJECT: return value->kind == GM_JSON_OBJECT ? GM_OK : misshapen(of, keyword, "an object", value);
    case GM_SHAPE_NUMBER:
    case GM_SHAPE_POSITIVE:
    case GM_SHAPE_COUNT: return check_number(of, keyword, value, shape);
    case GM_SHAPE_EXCLUSIVE: return check_exclusive(of, keyword, value);
    case GM_SHAPE_STRING: return value->kind == GM_JSON_STRING ? GM_OK : misshapen(of, keyword, "a string", value);
    case GM_SHAPE_BOOLEAN: return gm_json_is_boolean(value) ? GM_OK : misshapen(of, keyword, "a boolean", value);
    case GM_SHAPE_TYPE: return check_type(of, keyword, value);
    case GM_SHAPE_ENUM:
        if (value->kind == GM_JSON_ARRAY && (value->count != 0 || of->dialect->draft >= GM_DRAFT_7))
            return GM_OK;
        return misshapen(of, keyword, "a list of values", value);
    case GM_SHAPE_NAMES: return check_names(of, keyword, value);
    case GM_SHAPE_NAME_LISTS: return check_name_lists(of, keyword, value, false);
    case GM_SHAPE_DEPENDENCIES: return check_name_lists(of, keyword, value, true);
    case GM_SHAPE_HASH:
        if (value->kind == GM_JSON_STRING && gm_bytes_equal(value->as.text, GM_BYTES("#")))
            return GM_OK;
        return misshapen(of, keyword, "the string \"#\"", value);
    }
    return GM_OK;
}

/* ---- keywords that other keywords or the options change ---- */

static const gm_json *take(const reading *of, gm_keyword keyword)
{
    const gm_json *const value = of->keywords->value[keyword];
    of->keywords->value[keyword] = NULL;
    return value;
}

static gm_status settle_items(const reading *of)
{
    const gm_json **const value = of->keywords->value;
    if (value[GM_KW_ITEMS] != NULL && value[GM_KW_ITEMS]->kind == GM_JSON_ARRAY) {
        value[GM_KW_PREFIX_ITEMS] = value[GM_KW_ITEMS];
        value[GM_KW_ITEMS] = of->additional_items;
        return GM_OK;
    }
    if (of->additional_items == NULL)
        return GM_OK;
    return note(of, GM_BYTES("additionalItems"), "without a list in `items` it means nothing");
}

/* A draft-4 boolean turns the bound beside it into an exclusive one. */
static gm_status settle_exclusive(const reading *of, gm_keyword exclusive, gm_keyword bound)
{
    const gm_json **const value = of->keywords->value;
    if (value[exclusive] == NULL || !gm_json_is_boolean(value[exclusive]))
        return GM_OK;
    const gm_json *const flag = take(of, exclusive);
    if (value[bound] == NULL)
        return gm_fail_in(of->schema, of->document, of->value, gm_bytes_of(gm_keyword_name(exclusive)),
                          GM_INVALID_SCHEMA, of->error, "expected `%s` beside it, found none", gm_keyword_name(bound));
    if (flag->kind == GM_JSON_TRUE)
        value[exclusive] = take(of, bound);
    return GM_OK;
}

static gm_status drop_without(const reading *of, gm_keyword keyword, gm_keyword needed, const char *text)
{
    if (of->keywords->value[keyword] == NULL || of->keywords->value[needed] != NULL)
        return GM_OK;
    of->keywords->value[keyword] = NULL;
    return note(of, gm_bytes_of(gm_keyword_name(keyword)), text);
}

static gm_status settle_order(const reading *of)
{
    const gm_json *const order = of->keywords->value[GM_KW_X_ORDER];
    bool are_names = order == NULL || order->kind == GM_JSON_ARRAY;
    for (size_t i = 0; order != NULL && are_names && i < order->count; i++)
        are_names = order->as.items[i]->kind == GM_JSON_STRING;
    if (are_names)
        return GM_OK;
    of->keywords->value[GM_KW_X_ORDER] = NULL;
    return note(of, GM_BYTES("x-order"), "no list of names: an unknown keyword");
}

static gm_status settle_nullable(const reading *of)
{
    const gm_json *const nullable = of->keywords->value[GM_KW_NULLABLE];
    if (nullable == NULL)
        return GM_OK;
    if (of->schema->options.openapi && !gm_json_is_boolean(nullable))
        return misshapen(of, GM_BYTES("nullable"), "a boolean", nullable);
    if (!of->schema->options.openapi || nullable->kind == GM_JSON_FALSE)
        of->keywords->value[GM_KW_NULLABLE] = NULL;
    return of->schema->options.openapi ? GM_OK : note(of, GM_BYTES("nullable"), "an unknown keyword (of OpenAPI)");
}

static gm_status settle_format(const reading *of)
{
    const gm_formats formats = of->schema->options.formats;
    if (of->keywords->value[GM_KW_FORMAT] == NULL || formats == GM_FORMATS_ASSERT ||
        (formats == GM_FORMATS_SCHEMA && of->dialect->asserts_format))
        return GM_OK;
    of->keywords->value[GM_KW_FORMAT] = NULL;
    return note(of, GM_BYTES("format"), "an annotation here, by the options");
}

static gm_status settle(const reading *of)
{
    const gm_json **const value = of->keywords->value;
    GM_TRY(settle_items(of));
    GM_TRY(settle_exclusive(of, GM_KW_EXCLUSIVE_MINIMUM, GM_KW_MINIMUM));
    GM_TRY(settle_exclusive(of, GM_KW_EXCLUSIVE_MAXIMUM, GM_KW_MAXIMUM));
    if (value[GM_KW_UNIQUE_ITEMS] != NULL && value[GM_KW_UNIQUE_ITEMS]->kind == GM_JSON_FALSE)
        value[GM_KW_UNIQUE_ITEMS] = NULL;
    GM_TRY(drop_without(of, GM_KW_MIN_CONTAINS, GM_KW_CONTAINS, "without `contains` it means nothing"));
    GM_TRY(drop_without(of, GM_KW_MAX_CONTAINS, GM_KW_CONTAINS, "without `contains` it means nothing"));
    GM_TRY(drop_without(of, GM_KW_THEN, GM_KW_IF, "without `if` it means nothing"));
    GM_TRY(drop_without(of, GM_KW_ELSE, GM_KW_IF, "without `if` it means nothing"));
    GM_TRY(settle_order(of));
    GM_TRY(settle_nullable(of));
    return settle_format(of);
}

/* ---- reading ---- */

static bool is_active(const reading *of, const gm_word *word)
{
    unsigned vocabularies = of->dialect->vocabularies;
    if (word->keyword == GM_KW_FORMAT && of->schema->options.formats == GM_FORMATS_ASSERT)
        vocabularies |= GM_VOCABULARY_FORMAT;
    return gm_word_is_active(word, of->dialect->draft, vocabularies);
}

/* Notes what looks like an identity and is none. */
static gm_status read_identity(const reading *of, const gm_json_member *member)
{
    if (!of->is_root && gm_bytes_equal(member->key, GM_BYTES("$schema")))
        return note(of, member->key, "without an identifier beside it, it means nothing");
    if (gm_bytes_equal(member->key, GM_BYTES("$id")) && of->dialect->draft >= GM_DRAFT_2019_09 &&
        memchr(member->value->as.text.data, '#', member->value->as.text.length) != NULL)
        return note(of, member->key, "a fragment identifies nothing in this dialect");
    return GM_OK;
}

/* After draft 7 `dependencies` is a keyword only by habit: whatever does not look like one is none. */
static bool is_foreign_dependencies(const reading *of, const gm_word *word, const gm_json *value)
{
    if (word->keyword != GM_KW_DEPENDENCIES || of->dialect->draft < GM_DRAFT_2019_09)
        return false;
    for (uint32_t i = 0; value->kind == GM_JSON_OBJECT && i < value->count; i++) {
        const gm_json *const one = value->as.members[i].value;
        if (one->kind != GM_JSON_OBJECT && one->kind != GM_JSON_ARRAY && !gm_json_is_boolean(one))
            return true;
    }
    return value->kind != GM_JSON_OBJECT;
}

static gm_status read_member(reading *of, const gm_json_member *member)
{
    const gm_word *const word = gm_word_find(member->key);
    if (word == NULL)
        return note(of, member->key, "an unknown keyword");
    if (!is_active(of, word) || is_foreign_dependencies(of, word, member->value))
        return note(of, member->key, "no keyword of this dialect");
    GM_TRY(check_shape(of, member->key, (gm_shape)word->shape, member->value));
    if (word->keyword != GM_KW_COUNT)
        of->keywords->value[word->keyword] = member->value;
    else if (gm_bytes_equal(member->key, GM_BYTES("additionalItems")))
        of->additional_items = member->value;
    if (word->is_annotation)
        return note(of, member->key, "an annotation");
    return *member->key.data == '$' ? read_identity(of, member) : GM_OK;
}

/* Up to draft 7 a reference stands alone. */
static gm_status read_lone_reference(reading *of, const gm_json *reference)
{
    GM_TRY(check_shape(of, GM_BYTES("$ref"), GM_SHAPE_STRING, reference));
    of->keywords->value[GM_KW_REF] = reference;
    for (size_t i = 0; i < of->value->count; i++) {
        const gm_word *const word = gm_word_find(of->value->as.members[i].key);
        const bool constrains = word != NULL && word->keyword != GM_KW_COUNT && word->keyword != GM_KW_REF;
        if (constrains && is_active(of, word))
            GM_TRY(note(of, of->value->as.members[i].key, "void beside `$ref` up to draft 7"));
    }
    return GM_OK;
}

static gm_status read_object(reading *of)
{
    if (of->dialect->draft <= GM_DRAFT_7) {
        const gm_json *const reference = gm_json_get(of->value, GM_BYTES("$ref"));
        if (reference != NULL)
            return read_lone_reference(of, reference);
    }
    for (size_t i = 0; i < of->value->count; i++)
        GM_TRY(read_member(of, &of->value->as.members[i]));
    return settle(of);
}

gm_status gm_schema_read(gm_schema *schema, gm_node node, gm_schema_keywords *keywords, gm_error *error)
{
    gm_schema_node *const at = &schema->nodes.items[node];
    const gm_dialect *const dialect = gm_dialect_of(schema, at->resource);
    const size_t notes_before = schema->notes.count;
    gm_schema_keywords read = {.draft = dialect->draft};
    reading of = {.schema = schema,
                  .value = at->value,
                  .document = schema->resources.items[at->resource].document,
                  .dialect = dialect,
                  .is_root = schema->resources.items[at->resource].value == at->value,
                  .wants_notes = !at->is_noted,
                  .keywords = &read,
                  .error = error};
    if (at->value->kind == GM_JSON_OBJECT) {
        const gm_status status = read_object(&of);
        if (status != GM_OK) {
            schema->notes.count = notes_before;
            return status;
        }
    }
    at->is_noted = true;
    *keywords = read;
    return GM_OK;
}

uint32_t gm_schema_node_count(const gm_schema *schema) { return (uint32_t)schema->nodes.count; }

bool gm_schema_was_read(const gm_schema *schema, gm_node node) { return schema->nodes.items[node].is_noted; }
