/*
 * schema/words.c - see words.h.
 *
 * Sorted by length: a key is compared with the few words of its own length.
 */
#include "schema/words.h"

#define WORD(name, keyword, since, until, vocabulary, shape, place, is_annotation)                                     \
    {name,  sizeof name - 1,  keyword,       since,                                                                  \
     until, GM_VOCABULARY_##vocabulary, GM_SHAPE_##shape, GM_PLACE_##place, is_annotation}

enum {
    D4 = GM_DRAFT_4,
    D6 = GM_DRAFT_6,
    D7 = GM_DRAFT_7,
    D19 = GM_DRAFT_2019_09,
    D20 = GM_DRAFT_2020_12,
    NONE = GM_KW_COUNT,
    LONGEST = 21
};

static const gm_word words[] = {
    WORD("id", NONE, D4, D4, CORE, ANY, NONE, false),
    WORD("if", GM_KW_IF, D7, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("$id", NONE, D6, D20, CORE, STRING, NONE, false),
    WORD("not", GM_KW_NOT, D4, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("$ref", GM_KW_REF, D4, D20, CORE, STRING, NONE, false),
    WORD("else", GM_KW_ELSE, D7, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("enum", GM_KW_ENUM, D4, D20, VALIDATION, ENUM, NONE, false),
    WORD("then", GM_KW_THEN, D7, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("type", GM_KW_TYPE, D4, D20, VALIDATION, TYPE, NONE, false),
    WORD("$defs", NONE, D19, D20, CORE, OBJECT, MAP, false),
    WORD("allOf", GM_KW_ALL_OF, D4, D20, APPLICATOR, SCHEMA_LIST, LIST, false),
    WORD("anyOf", GM_KW_ANY_OF, D4, D20, APPLICATOR, SCHEMA_LIST, LIST, false),
    WORD("const", GM_KW_CONST, D6, D20, VALIDATION, ANY, NONE, false),
    WORD("items", GM_KW_ITEMS, D4, D20, APPLICATOR, ITEMS, SCHEMA_OR_LIST, false),
    WORD("oneOf", GM_KW_ONE_OF, D4, D20, APPLICATOR, SCHEMA_LIST, LIST, false),
    WORD("title", NONE, D4, D20, OTHER, ANY, NONE, true),
    WORD("format", GM_KW_FORMAT, D4, D20, FORMAT, STRING, NONE, false),
    WORD("$anchor", NONE, D19, D20, CORE, STRING, NONE, false),
    WORD("$schema", NONE, D4, D20, CORE, STRING, NONE, false),
    WORD("default", NONE, D4, D20, OTHER, ANY, NONE, true),
    WORD("maximum", GM_KW_MAXIMUM, D4, D20, VALIDATION, NUMBER, NONE, false),
    WORD("minimum", GM_KW_MINIMUM, D4, D20, VALIDATION, NUMBER, NONE, false),
    WORD("pattern", GM_KW_PATTERN, D4, D20, VALIDATION, STRING, NONE, false),
    WORD("x-order", GM_KW_X_ORDER, D4, D20, CORE, ANY, NONE, false),
    WORD("$comment", NONE, D7, D20, CORE, ANY, NONE, false),
    WORD("contains", GM_KW_CONTAINS, D6, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("examples", NONE, D6, D20, OTHER, ANY, NONE, true),
    WORD("maxItems", GM_KW_MAX_ITEMS, D4, D20, VALIDATION, COUNT, NONE, false),
    WORD("minItems", GM_KW_MIN_ITEMS, D4, D20, VALIDATION, COUNT, NONE, false),
    WORD("nullable", GM_KW_NULLABLE, D4, D20, CORE, ANY, NONE, false),
    WORD("readOnly", NONE, D7, D20, OTHER, ANY, NONE, true),
    WORD("required", GM_KW_REQUIRED, D4, D20, VALIDATION, NAMES, NONE, false),
    WORD("maxLength", GM_KW_MAX_LENGTH, D4, D20, VALIDATION, COUNT, NONE, false),
    WORD("minLength", GM_KW_MIN_LENGTH, D4, D20, VALIDATION, COUNT, NONE, false),
    WORD("writeOnly", NONE, D7, D20, OTHER, ANY, NONE, true),
    WORD("deprecated", NONE, D19, D20, OTHER, ANY, NONE, true),
    WORD("multipleOf", GM_KW_MULTIPLE_OF, D4, D20, VALIDATION, POSITIVE, NONE, false),
    WORD("properties", GM_KW_PROPERTIES, D4, D20, APPLICATOR, OBJECT, MAP, false),
    WORD("$dynamicRef", GM_KW_DYNAMIC_REF, D20, D20, CORE, STRING, NONE, false),
    WORD("$vocabulary", NONE, D19, D20, CORE, OBJECT, NONE, false),
    WORD("definitions", NONE, D4, D20, CORE, OBJECT, MAP, false),
    WORD("description", NONE, D4, D20, OTHER, ANY, NONE, true),
    WORD("maxContains", GM_KW_MAX_CONTAINS, D19, D20, VALIDATION, COUNT, NONE, false),
    WORD("minContains", GM_KW_MIN_CONTAINS, D19, D20, VALIDATION, COUNT, NONE, false),
    WORD("prefixItems", GM_KW_PREFIX_ITEMS, D20, D20, APPLICATOR, SCHEMA_LIST, LIST, false),
    WORD("uniqueItems", GM_KW_UNIQUE_ITEMS, D4, D20, VALIDATION, BOOLEAN, NONE, false),
    WORD("dependencies", GM_KW_DEPENDENCIES, D4, D20, APPLICATOR, DEPENDENCIES, MAP, false),
    WORD("$recursiveRef", GM_KW_DYNAMIC_REF, D19, D19, CORE, HASH, NONE, false),
    WORD("contentSchema", NONE, D19, D20, OTHER, ANY, SCHEMA, true),
    WORD("maxProperties", GM_KW_MAX_PROPERTIES, D4, D20, VALIDATION, COUNT, NONE, false),
    WORD("minProperties", GM_KW_MIN_PROPERTIES, D4, D20, VALIDATION, COUNT, NONE, false),
    WORD("propertyNames", GM_KW_PROPERTY_NAMES, D6, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("$dynamicAnchor", NONE, D20, D20, CORE, STRING, NONE, false),
    WORD("additionalItems", NONE, D4, D19, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("contentEncoding", NONE, D7, D20, OTHER, ANY, NONE, true),
    WORD("$recursiveAnchor", NONE, D19, D19, CORE, BOOLEAN, NONE, false),
    WORD("contentMediaType", NONE, D7, D20, OTHER, ANY, NONE, true),
    WORD("dependentSchemas", GM_KW_DEPENDENT_SCHEMAS, D19, D20, APPLICATOR, OBJECT, MAP, false),
    WORD("exclusiveMaximum", GM_KW_EXCLUSIVE_MAXIMUM, D4, D20, VALIDATION, EXCLUSIVE, NONE, false),
    WORD("exclusiveMinimum", GM_KW_EXCLUSIVE_MINIMUM, D4, D20, VALIDATION, EXCLUSIVE, NONE, false),
    WORD("unevaluatedItems", GM_KW_UNEVALUATED_ITEMS, D19, D20, UNEVALUATED, SCHEMA, SCHEMA, false),
    WORD("dependentRequired", GM_KW_DEPENDENT_REQUIRED, D19, D20, VALIDATION, NAME_LISTS, NONE, false),
    WORD("patternProperties", GM_KW_PATTERN_PROPERTIES, D4, D20, APPLICATOR, OBJECT, MAP, false),
    WORD("additionalProperties", GM_KW_ADDITIONAL_PROPERTIES, D4, D20, APPLICATOR, SCHEMA, SCHEMA, false),
    WORD("unevaluatedProperties", GM_KW_UNEVALUATED_PROPERTIES, D19, D20, UNEVALUATED, SCHEMA, SCHEMA, false),
};

/* Where the words of each length begin; one past the longest: where all end. */
static const uint8_t begins[LONGEST + 2] = {0,  0,  0,  2,  4,  9,  16, 17, 24, 32, 35, 38,
                                            46, 47, 52, 53, 55, 61, 63, 63, 63, 64, 65};

const gm_word *gm_word_find(gm_bytes key)
{
    if (key.length > LONGEST)
        return NULL;
    for (size_t i = begins[key.length]; i < begins[key.length + 1]; i++)
        if (words[i].name[0] == key.data[0] && memcmp(words[i].name, key.data, key.length) == 0)
            return &words[i];
    return NULL;
}
