/*
 * schema/dialect.c - from $schema to a dialect: a draft and the vocabularies in force.
 *
 * The five drafts are known by name. Another metaschema is read through the resolver: its own
 * $schema, followed until a draft is met, says what it builds on, its $vocabulary which keywords
 * mean something. A URI that leads nowhere stands for the default dialect, and a note says so.
 */
#include "schema/graph.h"
#include "schema/uri.h"

enum { LONGEST_CHAIN = 16 };

typedef struct known_draft {
    const char *uri;
    gm_draft draft;
} known_draft;

static const known_draft known_drafts[] = {
    {"https://json-schema.org/draft/2020-12/schema", GM_DRAFT_2020_12},
    {"https://json-schema.org/draft/2019-09/schema", GM_DRAFT_2019_09},
    {"http://json-schema.org/draft-07/schema", GM_DRAFT_7},
    {"http://json-schema.org/draft-06/schema", GM_DRAFT_6},
    {"http://json-schema.org/draft-04/schema", GM_DRAFT_4},
};

typedef struct known_vocabulary {
    const char *name; /* behind "https://json-schema.org/draft/DRAFT/vocab/" */
    unsigned set_2019;
    unsigned set_2020; /* 0: no vocabulary of that draft */
} known_vocabulary;

static const known_vocabulary known_vocabularies[] = {
    {"core", GM_VOCABULARY_CORE, GM_VOCABULARY_CORE},
    {"applicator", GM_VOCABULARY_APPLICATOR | GM_VOCABULARY_UNEVALUATED, GM_VOCABULARY_APPLICATOR},
    {"unevaluated", 0, GM_VOCABULARY_UNEVALUATED},
    {"validation", GM_VOCABULARY_VALIDATION, GM_VOCABULARY_VALIDATION},
    {"format", GM_VOCABULARY_FORMAT, 0},
    {"format-annotation", 0, GM_VOCABULARY_FORMAT},
    {"format-assertion", 0, GM_VOCABULARY_FORMAT},
    {"meta-data", GM_VOCABULARY_OTHER, GM_VOCABULARY_OTHER},
    {"content", GM_VOCABULARY_OTHER, GM_VOCABULARY_OTHER},
};

static bool starts_with(gm_bytes text, gm_bytes start)
{
    return text.length >= start.length && memcmp(text.data, start.data, start.length) == 0;
}

/* A dialect's URI with an empty fragment is the same URI. */
static gm_bytes without_empty_fragment(gm_bytes uri)
{
    if (uri.length != 0 && uri.data[uri.length - 1] == '#')
        uri.length--;
    return uri;
}

static gm_draft draft_of_uri(gm_bytes uri)
{
    for (size_t i = 0; i < GM_COUNT_OF(known_drafts); i++)
        if (gm_bytes_equal(uri, gm_bytes_of(known_drafts[i].uri)))
            return known_drafts[i].draft;
    return GM_DRAFT_BY_SCHEMA;
}

static gm_status add(gm_schema *schema, gm_dialect dialect, uint32_t *added, gm_error *error)
{
    if (!GM_ARRAY_PUSH(&schema->arena->allocator, &schema->dialects, dialect))
        return gm_no_memory(error);
    *added = (uint32_t)(schema->dialects.count - 1);
    return GM_OK;
}

gm_status gm_dialect_add_draft(gm_schema *schema, gm_draft draft, uint32_t *dialect, gm_error *error)
{
    const gm_dialect plain = {.uri = GM_BYTES(""), .draft = draft, .vocabularies = GM_VOCABULARY_ALL};
    return add(schema, plain, dialect, error);
}

/* Puts one member of $vocabulary into the dialect. */
static void take_vocabulary(gm_dialect *dialect, gm_bytes uri, bool is_needed)
{
    const bool is_2019 = dialect->draft == GM_DRAFT_2019_09;
    const gm_bytes stem = is_2019 ? GM_BYTES("https://json-schema.org/draft/2019-09/vocab/")
                                  : GM_BYTES("https://json-schema.org/draft/2020-12/vocab/");
    const gm_bytes name = starts_with(uri, stem) ? (gm_bytes){uri.data + stem.length, uri.length - stem.length} : uri;
    for (size_t i = 0; name.length != uri.length && i < GM_COUNT_OF(known_vocabularies); i++) {
        const known_vocabulary *const known = &known_vocabularies[i];
        const unsigned set = is_2019 ? known->set_2019 : known->set_2020;
        if (set == 0 || !gm_bytes_equal(name, gm_bytes_of(known->name)))
            continue;
        dialect->vocabularies |= set;
        /* 2019-09 asserts where the vocabulary is required, 2020-12 where the asserting one is named. */
        if (gm_bytes_equal(name, GM_BYTES("format-assertion")) ||
            (gm_bytes_equal(name, GM_BYTES("format")) && is_needed))
            dialect->asserts_format = true;
        return;
    }
    if (is_needed && dialect->unknown_needed.length == 0)
        dialect->unknown_needed = uri;
}

static void take_vocabularies(gm_dialect *dialect, const gm_json *vocabularies)
{
    dialect->vocabularies = GM_VOCABULARY_CORE | GM_VOCABULARY_OTHER;
    for (size_t i = 0; i < vocabularies->count; i++)
        take_vocabulary(dialect, vocabularies->as.members[i].key,
                        vocabularies->as.members[i].value->kind == GM_JSON_TRUE);
}

/* Reads the metaschema of `uri`; *root is NULL when nobody knows it. */
static gm_status read_metaschema(gm_schema *schema, gm_bytes uri, const gm_json **root, gm_error *error)
{
    const char *text;
    size_t length;
    *root = NULL;
    const char *const ended = gm_arena_text(schema->arena, uri);
    if (ended == NULL)
        return gm_no_memory(error);
    if (!gm_document_ask(schema, (gm_bytes){ended, uri.length}, &text, &length))
        return GM_OK;
    return gm_document_read(schema, uri, text, length, root, error);
}

/* Makes the dialect that `uri` names. */
static gm_status make(gm_schema *schema, gm_bytes uri, gm_dialect *made, gm_error *error)
{
    const gm_dialect otherwise = schema->dialects.items[schema->default_dialect];
    *made = (gm_dialect){.uri = uri, .draft = draft_of_uri(uri), .vocabularies = GM_VOCABULARY_ALL};
    const gm_json *vocabularies = NULL;
    gm_bytes next = uri;
    for (size_t hop = 0; made->draft == GM_DRAFT_BY_SCHEMA && hop < LONGEST_CHAIN; hop++) {
        const gm_json *metaschema;
        GM_TRY(read_metaschema(schema, next, &metaschema, error));
        if (metaschema == NULL)
            break;
        if (hop == 0)
            vocabularies = gm_json_get(metaschema, GM_BYTES("$vocabulary"));
        const gm_json *const its_own = gm_json_get(metaschema, GM_BYTES("$schema"));
        if (its_own == NULL || its_own->kind != GM_JSON_STRING)
            break;
        next = without_empty_fragment(its_own->as.text);
        made->draft = draft_of_uri(next);
    }
    if (made->draft == GM_DRAFT_BY_SCHEMA) {
        *made = otherwise;
        made->uri = uri;
        made->is_unknown = true;
    } else if (made->draft >= GM_DRAFT_2019_09 && vocabularies != NULL && vocabularies->kind == GM_JSON_OBJECT) {
        take_vocabularies(made, vocabularies);
    }
    return GM_OK;
}

static gm_status find_by_uri(gm_schema *schema, gm_bytes uri, uint32_t *dialect, gm_error *error)
{
    for (uint32_t i = 0; i < schema->dialects.count; i++)
        if (uri.length != 0 && gm_bytes_equal(schema->dialects.items[i].uri, uri)) {
            *dialect = i;
            return GM_OK;
        }
    gm_dialect made;
    GM_TRY(make(schema, uri, &made, error));
    return add(schema, made, dialect, error);
}

gm_status gm_dialect_find(gm_schema *schema, uint32_t document, const gm_json *value, uint32_t otherwise,
                          uint32_t *dialect, gm_error *error)
{
    static const gm_bytes word = {"$schema", 7};
    const gm_json *const named = gm_json_get(value, word);
    *dialect = otherwise;
    if (named == NULL)
        return GM_OK;
    if (named->kind != GM_JSON_STRING)
        return gm_fail_in(schema, document, value, word, GM_INVALID_SCHEMA, error, "expected a string, found %s",
                          gm_kind_name(named));
    GM_TRY(find_by_uri(schema, without_empty_fragment(named->as.text), dialect, error));
    const gm_dialect *const found = &schema->dialects.items[*dialect];
    if (found->unknown_needed.length != 0)
        return gm_fail_in(schema, document, value, word, GM_UNSUPPORTED, error,
                          "the metaschema requires the vocabulary %.*s, which is unknown",
                          (int)(found->unknown_needed.length < 200 ? found->unknown_needed.length : 200),
                          found->unknown_needed.data);
    if (found->is_unknown)
        return gm_note(schema, document, value, word, GM_WARNING_ANNOTATION,
                       "an unknown dialect, read as the default one", error);
    return GM_OK;
}
