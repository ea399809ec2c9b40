/* test_schema_keywords.c - which keywords mean something in which dialect, their shapes, the notes. */
#include "schema/schema.h"

#include "check.h"

static const gm_draft all_drafts[] = {GM_DRAFT_4, GM_DRAFT_6, GM_DRAFT_7, GM_DRAFT_2019_09, GM_DRAFT_2020_12};

/* ---- metaschemas ---- */

#define VOCABULARY(draft, name) "\"https://json-schema.org/draft/" draft "/vocab/" name "\""

static const struct {
    const char *uri;
    const char *text;
} metaschemas[] = {
    {"http://m/bare", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{" VOCABULARY("2020-12", "core") ":true}}"},
    {"http://m/applicator", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{" VOCABULARY("2020-12", "core")
                            ":true," VOCABULARY("2020-12", "applicator") ":true,\"http://v/other\":false}}"},
    {"http://m/formats", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{" VOCABULARY("2020-12", "validation")
                         ":false," VOCABULARY("2020-12", "format-assertion") ":false}}"},
    {"http://m/annotated", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{" VOCABULARY("2020-12", "format-annotation") ":true}}"},
    {"http://m/2019", "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$vocabulary\":{" VOCABULARY("2019-09", "applicator")
                      ":true," VOCABULARY("2019-09", "format") ":true}}"},
    {"http://m/2019-loose", "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$vocabulary\":{" VOCABULARY("2019-09", "format") ":false}}"},
    {"http://m/needs", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{\"http://v/other\":true}}"},
    {"http://m/silent", "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\"}"},
    {"http://m/second", "{\"$schema\":\"http://m/applicator#\"}"},
    {"http://m/seven", "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$vocabulary\":{}}"},
    {"http://m/loop", "{\"$schema\":\"http://m/loop\"}"},
    {"http://m/nothing", "true"},
    {"http://m/broken", "{"},
};

static bool resolve(void *context, const char *uri, size_t length, const char **text, size_t *text_length)
{
    (void)context;
    for (size_t i = 0; i < GM_COUNT_OF(metaschemas); i++)
        if (strlen(metaschemas[i].uri) == length && memcmp(metaschemas[i].uri, uri, length) == 0) {
            *text = metaschemas[i].text;
            *text_length = strlen(*text);
            return true;
        }
    return false;
}

/* ---- reading one schema ---- */

typedef struct outcome {
    gm_status status;
    gm_error error;
    char set[600];   /* names of the keywords handed out, a space behind each */
    char notes[600]; /* keywords of the notes */
    gm_schema_keywords keywords;
} outcome;

static outcome read_root(const char *text, gm_schema_options options)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    gm_schema *schema = NULL;
    gm_node root = 0;
    outcome out = {.status = GM_OK};
    options.struct_size = sizeof options;
    options.resolver = resolve;
    out.status = gm_schema_open(&arena, text, strlen(text), &options, NULL, &schema, &root, &out.error);
    if (out.status == GM_OK)
        out.status = gm_schema_read(schema, root, &out.keywords, &out.error);
    for (int keyword = 0; out.status == GM_OK && keyword < GM_KW_COUNT; keyword++)
        if (out.keywords.value[keyword] != NULL)
            strcat(strcat(out.set, gm_keyword_name((gm_keyword)keyword)), " ");
    size_t count = 0;
    const gm_schema_note *const notes = schema != NULL ? gm_schema_notes(schema, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        strcat(strcat(out.notes, notes[i].keyword), " ");
    gm_schema_close(schema);
    gm_arena_destroy(&arena);
    return out;
}

static bool expect(const char *text, gm_schema_options options, const char *set, const char *notes)
{
    const outcome out = read_root(text, options);
    const bool fine = out.status == GM_OK && strcmp(out.set, set) == 0 && strcmp(out.notes, notes) == 0;
    if (!fine)
        fprintf(stderr, "draft %d: %s\n  set   %s\n  notes %s\n  %s: %s\n", (int)options.draft, text, out.set, out.notes,
                out.error.pointer, out.error.message);
    return fine;
}

static bool in_draft(gm_draft draft, const char *text, const char *set, const char *notes)
{
    return expect(text, (gm_schema_options){.draft = draft}, set, notes);
}

/* Refused as no schema, with this keyword and its pointer. */
static bool is_misshapen(gm_draft draft, const char *keyword, const char *value)
{
    char text[500];
    char pointer[64];
    snprintf(text, sizeof text, "{\"%s\":%s}", keyword, value);
    snprintf(pointer, sizeof pointer, "/%s", keyword);
    const outcome out = read_root(text, (gm_schema_options){.draft = draft});
    const bool fine = out.status == GM_INVALID_SCHEMA && strcmp(out.error.keyword, keyword) == 0 &&
                      strcmp(out.error.pointer, pointer) == 0 && out.error.message[0] != '\0';
    if (!fine)
        fprintf(stderr, "draft %d: %s: status %d, %s\n", (int)draft, text, (int)out.status, out.error.message);
    return fine;
}

/* Accepted, whether handed out or not. */
static bool is_shaped(gm_draft draft, const char *keyword, const char *value)
{
    char text[500];
    snprintf(text, sizeof text, "{\"%s\":%s}", keyword, value);
    const outcome out = read_root(text, (gm_schema_options){.draft = draft});
    if (out.status != GM_OK)
        fprintf(stderr, "draft %d: %s: %s\n", (int)draft, text, out.error.message);
    return out.status == GM_OK;
}

/* ---- dialects ---- */

static void keywords_exist_from_their_draft_to_their_last(void)
{
    static const struct {
        const char *member;
        const char *name; /* as handed out */
        gm_draft since;
        gm_draft until;
    } words[] = {
        {"\"type\":\"null\"", "type", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"enum\":[1]", "enum", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"const\":1", "const", GM_DRAFT_6, GM_DRAFT_2020_12},
        {"\"minimum\":1", "minimum", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"maximum\":1", "maximum", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"multipleOf\":1", "multipleOf", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"minLength\":1", "minLength", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"maxLength\":1", "maxLength", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"pattern\":\"(\"", "pattern", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"format\":\"date\"", "format", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"prefixItems\":[true]", "prefixItems", GM_DRAFT_2020_12, GM_DRAFT_2020_12},
        {"\"items\":{}", "items", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"minItems\":1", "minItems", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"maxItems\":1", "maxItems", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"uniqueItems\":true", "uniqueItems", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"contains\":{}", "contains", GM_DRAFT_6, GM_DRAFT_2020_12},
        {"\"unevaluatedItems\":{}", "unevaluatedItems", GM_DRAFT_2019_09, GM_DRAFT_2020_12},
        {"\"properties\":{}", "properties", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"patternProperties\":{}", "patternProperties", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"additionalProperties\":{}", "additionalProperties", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"propertyNames\":{}", "propertyNames", GM_DRAFT_6, GM_DRAFT_2020_12},
        {"\"required\":[\"a\"]", "required", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"minProperties\":1", "minProperties", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"maxProperties\":1", "maxProperties", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"dependentRequired\":{}", "dependentRequired", GM_DRAFT_2019_09, GM_DRAFT_2020_12},
        {"\"dependentSchemas\":{}", "dependentSchemas", GM_DRAFT_2019_09, GM_DRAFT_2020_12},
        {"\"dependencies\":{}", "dependencies", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"unevaluatedProperties\":{}", "unevaluatedProperties", GM_DRAFT_2019_09, GM_DRAFT_2020_12},
        {"\"x-order\":[\"a\"]", "x-order", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"$ref\":\"#\"", "$ref", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"$dynamicRef\":\"#\"", "$dynamicRef", GM_DRAFT_2020_12, GM_DRAFT_2020_12},
        {"\"$recursiveRef\":\"#\"", "$dynamicRef", GM_DRAFT_2019_09, GM_DRAFT_2019_09},
        {"\"allOf\":[{}]", "allOf", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"anyOf\":[{}]", "anyOf", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"oneOf\":[{}]", "oneOf", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"not\":{}", "not", GM_DRAFT_4, GM_DRAFT_2020_12},
        {"\"if\":{}", "if", GM_DRAFT_7, GM_DRAFT_2020_12},
    };
    for (size_t i = 0; i < GM_COUNT_OF(words); i++)
        for (size_t j = 0; j < GM_COUNT_OF(all_drafts); j++) {
            char text[100];
            char set[40] = "";
            char key[40];
            snprintf(text, sizeof text, "{%s}", words[i].member);
            snprintf(key, sizeof key, "%.*s ", (int)(strchr(text + 2, '"') - text - 2), text + 2);
            const bool is_known = all_drafts[j] >= words[i].since && all_drafts[j] <= words[i].until;
            if (is_known)
                snprintf(set, sizeof set, "%s ", words[i].name);
            CHECK(in_draft(all_drafts[j], text, set, is_known ? "" : key));
        }
}

static void core_words_are_no_notes_and_annotations_are(void)
{
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"$id\":\"http://a/\",\"$anchor\":\"a\",\"$dynamicAnchor\":\"d\",\"$vocabulary\":{},\"$comment\":\"\","
                   "\"$defs\":{},\"definitions\":{},\"$schema\":\"https://json-schema.org/draft/2020-12/schema#\"}", "", ""));
    CHECK(in_draft(GM_DRAFT_2019_09, "{\"$recursiveAnchor\":true,\"$anchor\":\"a\"}", "", ""));
    CHECK(in_draft(GM_DRAFT_4, "{\"id\":\"http://a/\",\"definitions\":{}}", "", ""));
    CHECK(in_draft(GM_DRAFT_4, "{\"$id\":\"http://a/\",\"$defs\":{},\"$anchor\":5,\"$comment\":1}", "", "$id $defs $anchor $comment "));
    CHECK(in_draft(GM_DRAFT_7, "{\"$recursiveRef\":5,\"$dynamicAnchor\":5,\"id\":5}", "", "$recursiveRef $dynamicAnchor id "));
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"title\":\"\",\"description\":\"\",\"default\":1,\"examples\":[],\"readOnly\":true,\"writeOnly\":true,"
                   "\"deprecated\":true,\"contentEncoding\":\"\",\"contentMediaType\":\"\",\"contentSchema\":{},\"x\":0,\"Type\":0,\"typ\":0,\"\":0}", "",
                   "title description default examples readOnly writeOnly deprecated contentEncoding contentMediaType contentSchema x Type typ  "));
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"$id\":\"#a\",\"a keyword that is longer than any other one\":1}", "",
                   "$id a keyword that is longer than any other one "));
}

static void a_reference_stands_alone_up_to_draft_7(void)
{
    const char *const text = "{\"type\":5,\"$ref\":\"#\",\"minimum\":1,\"title\":\"\",\"definitions\":{},\"unknown\":1}";
    CHECK(in_draft(GM_DRAFT_4, text, "$ref ", "type minimum "));
    CHECK(in_draft(GM_DRAFT_7, text, "$ref ", "type minimum "));
    CHECK(read_root(text, (gm_schema_options){.draft = GM_DRAFT_2019_09}).status == GM_INVALID_SCHEMA);
    CHECK(in_draft(GM_DRAFT_2019_09, "{\"$ref\":\"#\",\"minimum\":1}", "minimum $ref ", ""));
}

static void keywords_need_their_partners(void)
{
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"minContains\":1,\"maxContains\":1,\"then\":{},\"else\":{}}", "", "minContains maxContains then else "));
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"minContains\":0,\"maxContains\":1,\"then\":{},\"else\":{},\"if\":{},\"contains\":{}}",
                   "contains minContains maxContains if then else ", ""));
    CHECK(in_draft(GM_DRAFT_6, "{\"contains\":{},\"minContains\":0,\"if\":{},\"then\":{}}", "contains ", "minContains if then "));
    CHECK(in_draft(GM_DRAFT_7, "{\"uniqueItems\":false}", "", ""));
}

static void items_mean_one_thing_in_all_drafts(void)
{
    static const char text[] = "{\"items\":[{}],\"additionalItems\":false}";
    const outcome seven = read_root(text, (gm_schema_options){.draft = GM_DRAFT_7});
    CHECK(strcmp(seven.set, "prefixItems items ") == 0 && strcmp(seven.notes, "") == 0);
    CHECK(in_draft(GM_DRAFT_2019_09, "{\"items\":[{}]}", "prefixItems ", ""));
    CHECK(in_draft(GM_DRAFT_7, "{\"items\":{},\"additionalItems\":false}", "items ", "additionalItems "));
    CHECK(in_draft(GM_DRAFT_7, "{\"additionalItems\":false}", "", "additionalItems "));
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"prefixItems\":[true],\"items\":false,\"additionalItems\":5}", "prefixItems items ", "additionalItems "));
    CHECK(in_draft(GM_DRAFT_7, "{\"prefixItems\":5,\"items\":true}", "items ", "prefixItems "));
    CHECK(is_misshapen(GM_DRAFT_2020_12, "items", "[{}]"));
}

static void exclusive_bounds_mean_one_thing_in_all_drafts(void)
{
    CHECK(in_draft(GM_DRAFT_4, "{\"minimum\":1,\"exclusiveMinimum\":true,\"maximum\":2,\"exclusiveMaximum\":false}",
                   "maximum exclusiveMinimum ", ""));
    const outcome moved = read_root("{\"exclusiveMinimum\":true,\"minimum\":1.50}", (gm_schema_options){.draft = GM_DRAFT_4});
    const gm_json *const bound = moved.keywords.value[GM_KW_EXCLUSIVE_MINIMUM];
    CHECK(moved.status == GM_OK && bound != NULL && moved.keywords.value[GM_KW_MINIMUM] == NULL);
    CHECK(in_draft(GM_DRAFT_6, "{\"minimum\":1,\"exclusiveMinimum\":2}", "minimum exclusiveMinimum ", ""));
    CHECK(is_misshapen(GM_DRAFT_4, "exclusiveMinimum", "true") && is_misshapen(GM_DRAFT_4, "exclusiveMaximum", "5"));
    CHECK(is_misshapen(GM_DRAFT_6, "exclusiveMaximum", "true") && is_misshapen(GM_DRAFT_2020_12, "exclusiveMinimum", "false"));
    const gm_schema_options open = {.draft = GM_DRAFT_2020_12, .openapi = true};
    CHECK(expect("{\"minimum\":1,\"exclusiveMinimum\":true,\"exclusiveMaximum\":5}", open, "exclusiveMinimum exclusiveMaximum ", ""));
}

static void the_draft_option_holds_where_no_schema_says_otherwise(void)
{
    const outcome own = read_root("{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}", (gm_schema_options){.draft = GM_DRAFT_7});
    CHECK(own.keywords.draft == GM_DRAFT_4);
    CHECK(read_root("{}", (gm_schema_options){.draft = GM_DRAFT_7}).keywords.draft == GM_DRAFT_7);
    CHECK(read_root("{}", (gm_schema_options){.draft = GM_DRAFT_BY_SCHEMA}).keywords.draft == GM_DRAFT_2020_12);
    const outcome unknown = read_root("{\"$schema\":\"http://nobody/knows\"}", (gm_schema_options){.draft = GM_DRAFT_6});
    CHECK(unknown.status == GM_OK && unknown.keywords.draft == GM_DRAFT_6 && strcmp(unknown.notes, "$schema ") == 0);
    CHECK(is_misshapen(GM_DRAFT_7, "$schema", "5"));
}

/* ---- vocabularies ---- */

static void vocabularies_switch_keywords(void)
{
    static const char format[] = "{\"$schema\":\"%s\",\"type\":\"null\",\"properties\":{},\"unevaluatedItems\":true,\"format\":\"date\",\"$ref\":\"#\"}";
    static const struct {
        const char *uri;
        gm_draft draft;
        const char *annotating; /* what is set under GM_FORMATS_ANNOTATE, SCHEMA and ASSERT */
        const char *by_schema;
        const char *asserting;
    } cases[] = {
        {"http://m/bare", GM_DRAFT_2020_12, "$ref ", "$ref ", "format $ref "},
        {"http://m/applicator", GM_DRAFT_2020_12, "properties $ref ", "properties $ref ", "format properties $ref "},
        {"http://m/formats", GM_DRAFT_2020_12, "type $ref ", "type format $ref ", "type format $ref "},
        {"http://m/annotated", GM_DRAFT_2020_12, "$ref ", "$ref ", "format $ref "},
        {"http://m/2019", GM_DRAFT_2019_09, "unevaluatedItems properties $ref ", "format unevaluatedItems properties $ref ",
         "format unevaluatedItems properties $ref "},
        {"http://m/2019-loose", GM_DRAFT_2019_09, "$ref ", "$ref ", "format $ref "},
        {"http://m/silent", GM_DRAFT_2019_09, "type unevaluatedItems properties $ref ", "type unevaluatedItems properties $ref ",
         "type format unevaluatedItems properties $ref "},
        {"http://m/second", GM_DRAFT_2020_12, "type unevaluatedItems properties $ref ", "type unevaluatedItems properties $ref ",
         "type format unevaluatedItems properties $ref "},
        {"http://m/seven", GM_DRAFT_7, "$ref ", "$ref ", "$ref "},
        {"https://json-schema.org/draft/2020-12/schema", GM_DRAFT_2020_12, "type unevaluatedItems properties $ref ",
         "type unevaluatedItems properties $ref ", "type format unevaluatedItems properties $ref "},
    };
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        char text[300];
        snprintf(text, sizeof text, format, cases[i].uri);
        const outcome annotating = read_root(text, (gm_schema_options){.formats = GM_FORMATS_ANNOTATE, .draft = GM_DRAFT_6});
        const outcome by_schema = read_root(text, (gm_schema_options){.formats = GM_FORMATS_SCHEMA, .draft = GM_DRAFT_6});
        const outcome asserting = read_root(text, (gm_schema_options){.formats = GM_FORMATS_ASSERT, .draft = GM_DRAFT_6});
        CHECK(annotating.status == GM_OK && annotating.keywords.draft == cases[i].draft);
        if (strcmp(annotating.set, cases[i].annotating) != 0)
            fprintf(stderr, "%s: %s\n", text, annotating.set);
        CHECK(strcmp(annotating.set, cases[i].annotating) == 0);
        CHECK(strcmp(by_schema.set, cases[i].by_schema) == 0);
        CHECK(strcmp(asserting.set, cases[i].asserting) == 0);
    }
}

static void odd_metaschemas_are_said_so(void)
{
    static const char *const unknown[] = {"http://m/loop", "http://m/nothing"};
    char text[100];
    for (size_t i = 0; i < GM_COUNT_OF(unknown); i++) {
        snprintf(text, sizeof text, "{\"$schema\":\"%s\"}", unknown[i]);
        CHECK(in_draft(GM_DRAFT_7, text, "", "$schema "));
    }
    const outcome needs = read_root("{\"$schema\":\"http://m/needs\"}", (gm_schema_options){.draft = GM_DRAFT_7});
    CHECK(needs.status == GM_UNSUPPORTED && strcmp(needs.error.pointer, "/$schema") == 0 && strcmp(needs.error.keyword, "$schema") == 0);
    CHECK(strstr(needs.error.message, "http://v/other") != NULL);
    const outcome broken = read_root("{\"$schema\":\"http://m/broken\"}", (gm_schema_options){.draft = GM_DRAFT_7});
    CHECK(broken.status == GM_INVALID_SCHEMA && strcmp(broken.error.pointer, "http://m/broken#") == 0 && broken.error.offset == 1);
}

/* ---- options ---- */

static void formats_are_noted_where_they_are_not_asserted(void)
{
    CHECK(expect("{\"format\":\"date\"}", (gm_schema_options){.formats = GM_FORMATS_ASSERT}, "format ", ""));
    CHECK(expect("{\"format\":\"date\"}", (gm_schema_options){.formats = GM_FORMATS_ANNOTATE}, "", "format "));
    CHECK(expect("{\"format\":\"date\"}", (gm_schema_options){.formats = GM_FORMATS_SCHEMA}, "", "format "));
}

static void nullable_belongs_to_openapi(void)
{
    const gm_schema_options open = {.openapi = true};
    CHECK(expect("{\"nullable\":true}", open, "nullable ", "") && expect("{\"nullable\":false}", open, "", ""));
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"nullable\":true}", "", "nullable ") && in_draft(GM_DRAFT_4, "{\"nullable\":5}", "", "nullable "));
    CHECK(read_root("{\"nullable\":5}", open).status == GM_INVALID_SCHEMA);
}

static void another_x_order_is_an_unknown_keyword(void)
{
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"x-order\":3}", "", "x-order ") && in_draft(GM_DRAFT_4, "{\"x-order\":[\"a\",3]}", "", "x-order "));
    CHECK(in_draft(GM_DRAFT_2020_12, "{\"x-order\":[]}", "x-order ", ""));
}

/* ---- shapes ---- */

static void shapes_are_checked(void)
{
    static const struct {
        const char *keywords; /* separated by spaces */
        const char *wrong[8];
        const char *right[8];
    } shapes[] = {
        {"minimum maximum exclusiveMinimum exclusiveMaximum", {"\"1\"", "null", "true", "{}"}, {"0", "-1.5e-7", "1e999"}},
        {"multipleOf", {"0", "-0.0", "-1", "0e5", "\"1\"", "null"}, {"0.01", "1e-999", "5"}},
        {"minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
         {"-1", "1.5", "\"1\"", "1e-1", "null", "-1e999"}, {"0", "-0", "2.0", "1e2", "150e-1", "1e999"}},
        {"pattern $ref $dynamicRef $id $anchor $dynamicAnchor format", {"1", "null", "[]", "{}", "true"}, {"\"\"", "\"a(\""}},
        {"uniqueItems", {"1", "\"true\"", "null"}, {"true", "false"}},
        {"properties patternProperties dependentSchemas $defs definitions", {"[]", "1", "true", "null"}, {"{}", "{\"a\":5}"}},
        {"items contains additionalProperties propertyNames not if unevaluatedItems unevaluatedProperties then else",
         {"1", "\"\"", "null", "[]"}, {"{}", "true", "false"}},
        {"allOf anyOf oneOf prefixItems", {"[]", "{}", "true", "null"}, {"[{}]", "[true,false]"}},
        {"required", {"true", "\"a\"", "{}", "[1]", "[\"a\",\"a\"]", "[\"a\",null]"}, {"[]", "[\"a\",\"b\"]", "[\"\"]"}},
        {"dependentRequired", {"[]", "{\"a\":\"b\"}", "{\"a\":[1]}", "{\"a\":{}}", "{\"a\":[\"b\",\"b\"]}"}, {"{}", "{\"a\":[]}", "{\"a\":[\"b\"]}"}},
        {"type", {"\"any\"", "\"\"", "1", "[]", "[\"string\",\"string\"]", "[\"foo\"]", "[[\"string\"]]", "null"},
         {"\"integer\"", "[\"null\"]", "[\"string\",\"object\",\"array\",\"number\",\"integer\",\"boolean\",\"null\"]"}},
        {"enum", {"1", "{}", "\"a\"", "null"}, {"[]", "[null]", "[1,1]"}},
    };
    for (size_t i = 0; i < GM_COUNT_OF(shapes); i++) {
        char list[200];
        strcpy(list, shapes[i].keywords);
        for (const char *keyword = strtok(list, " "); keyword != NULL; keyword = strtok(NULL, " ")) {
            for (size_t j = 0; j < 8 && shapes[i].wrong[j] != NULL; j++)
                CHECK(is_misshapen(GM_DRAFT_2020_12, keyword, shapes[i].wrong[j]));
            for (size_t j = 0; j < 8 && shapes[i].right[j] != NULL; j++)
                CHECK(is_shaped(GM_DRAFT_2020_12, keyword, shapes[i].right[j]));
        }
    }
}

static void shapes_follow_the_draft(void)
{
    CHECK(is_misshapen(GM_DRAFT_4, "enum", "[]") && is_misshapen(GM_DRAFT_6, "enum", "[]") && is_shaped(GM_DRAFT_7, "enum", "[]"));
    CHECK(is_shaped(GM_DRAFT_7, "items", "[{}]") && is_misshapen(GM_DRAFT_7, "items", "[]"));
    CHECK(is_shaped(GM_DRAFT_7, "dependencies", "{\"a\":[\"b\"],\"c\":{},\"d\":false,\"e\":[]}"));
    CHECK(is_misshapen(GM_DRAFT_7, "dependencies", "{\"a\":\"b\"}") && is_misshapen(GM_DRAFT_4, "dependencies", "[]"));
    CHECK(is_misshapen(GM_DRAFT_6, "dependencies", "{\"a\":[\"b\",\"b\"]}") && is_shaped(GM_DRAFT_2019_09, "dependencies", "5"));
    CHECK(is_misshapen(GM_DRAFT_2019_09, "$recursiveRef", "\"#a\"") && is_misshapen(GM_DRAFT_2019_09, "$recursiveAnchor", "1"));
    CHECK(is_shaped(GM_DRAFT_4, "const", "5") && is_shaped(GM_DRAFT_4, "if", "5") && is_shaped(GM_DRAFT_7, "dependentRequired", "5"));
    CHECK(is_shaped(GM_DRAFT_4, "required", "[]") && is_shaped(GM_DRAFT_4, "not", "true") && is_shaped(GM_DRAFT_4, "id", "{}"));
    CHECK(is_misshapen(GM_DRAFT_4, "required", "true") && is_misshapen(GM_DRAFT_4, "additionalItems", "[]"));
}

static void many_names_are_compared_too(void)
{
    static char list[20000 * 10];
    size_t length = 1;
    list[0] = '[';
    for (size_t i = 0; i < 10000; i++)
        length += (size_t)sprintf(list + length, "\"n%zu\",", i * 7919 % 10000);
    static char text[sizeof list + 100];
    sprintf(text, "{\"required\":%.*s\"last\"]}", (int)length, list);
    CHECK(read_root(text, (gm_schema_options){.draft = GM_DRAFT_7}).status == GM_OK);
    sprintf(text, "{\"required\":%.*s\"n7\"]}", (int)length, list);
    CHECK(read_root(text, (gm_schema_options){.draft = GM_DRAFT_7}).status == GM_INVALID_SCHEMA);
}

/* ---- notes and errors ---- */

static void notes_come_once_per_node_with_their_pointers(void)
{
    static const char text[] = "{\"properties\":{\"a/b\":{\"title\":\"t\",\"odd/word\":1}}}";
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    gm_schema *schema = NULL;
    gm_node root = 0;
    gm_node child = 0;
    gm_schema_keywords keywords;
    size_t count = 9;
    CHECK(gm_schema_open(&arena, text, strlen(text), NULL, NULL, &schema, &root, NULL) == GM_OK);
    CHECK(gm_schema_notes(schema, &count) != NULL && count == 0);
    CHECK(gm_schema_read(schema, root, &keywords, NULL) == GM_OK);
    CHECK(gm_schema_child(schema, root, keywords.value[GM_KW_PROPERTIES]->as.members[0].value, &child, NULL) == GM_OK);
    CHECK(gm_schema_read(schema, child, &keywords, NULL) == GM_OK && gm_schema_read(schema, child, &keywords, NULL) == GM_OK);
    const gm_schema_note *notes = gm_schema_notes(schema, &count);
    CHECK(count == 2 && strcmp(notes[0].pointer, "/properties/a~1b/title") == 0 && strcmp(notes[0].keyword, "title") == 0);
    CHECK(strcmp(notes[1].pointer, "/properties/a~1b/odd~1word") == 0 && notes[1].kind == GM_WARNING_ANNOTATION && notes[1].text[0] != '\0');
    for (int again = 0; again < 2; again++) /* once, if lowering may come by again */
        CHECK(gm_schema_add_note(schema, child, GM_KW_PATTERN, GM_WARNING_NARROWED, "narrow", again) == GM_OK);
    const char *const first = notes[0].pointer;
    notes = gm_schema_notes(schema, &count);
    CHECK(count == 3 && notes[0].pointer == first && strcmp(notes[2].pointer, "/properties/a~1b/pattern") == 0);
    CHECK(notes[2].kind == GM_WARNING_NARROWED && strcmp(notes[2].text, "narrow") == 0 && strcmp(notes[2].keyword, "pattern") == 0);

    gm_error error;
    CHECK(gm_schema_fail(schema, child, GM_KW_NOT, GM_LIMIT, &error, "%d too many", 3) == GM_LIMIT);
    CHECK(error.status == GM_LIMIT && strcmp(error.pointer, "/properties/a~1b/not") == 0 && strcmp(error.message, "3 too many") == 0);
    CHECK(gm_schema_fail(schema, root, GM_KW_COUNT, GM_LIMIT, &error, "here") == GM_LIMIT);
    CHECK(strcmp(error.pointer, "") == 0 && strcmp(error.keyword, "") == 0);
    gm_schema_close(schema);
    gm_arena_destroy(&arena);
}

static void errors_use_the_spelling_of_the_draft(void)
{
    static const struct {
        const char *text;
        gm_draft draft;
        gm_keyword keyword;
        const char *spelling;
    } cases[] = {
        {"{\"items\":[{}],\"additionalItems\":{}}", GM_DRAFT_7, GM_KW_ITEMS, "additionalItems"},
        {"{\"items\":[{}]}", GM_DRAFT_7, GM_KW_PREFIX_ITEMS, "items"},
        {"{\"items\":{}}", GM_DRAFT_7, GM_KW_ITEMS, "items"},
        {"{\"prefixItems\":[{}],\"items\":{}}", GM_DRAFT_2020_12, GM_KW_ITEMS, "items"},
        {"{\"$recursiveRef\":\"#\"}", GM_DRAFT_2019_09, GM_KW_DYNAMIC_REF, "$recursiveRef"},
        {"{\"$dynamicRef\":\"#\"}", GM_DRAFT_2020_12, GM_KW_DYNAMIC_REF, "$dynamicRef"},
    };
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        const gm_schema_options options = {.struct_size = sizeof options, .draft = cases[i].draft};
        gm_arena arena;
        gm_arena_init(&arena, &allocator);
        gm_schema *schema = NULL;
        gm_node root = 0;
        gm_error error;
        CHECK(gm_schema_open(&arena, cases[i].text, strlen(cases[i].text), &options, NULL, &schema, &root, NULL) == GM_OK);
        CHECK(gm_schema_fail(schema, root, cases[i].keyword, GM_LIMIT, &error, "x") == GM_LIMIT);
        CHECK(strcmp(error.keyword, cases[i].spelling) == 0 && strcmp(error.pointer + 1, cases[i].spelling) == 0);
        gm_schema_close(schema);
        gm_arena_destroy(&arena);
    }
}

static void long_pointers_are_cut_between_characters(void)
{
    char key[600];
    char text[1000];
    size_t length = 0;
    for (size_t i = 0; i < 120; i++)
        length += (size_t)sprintf(key + length, "\xE2\x82\xAC");
    sprintf(text, "{\"properties\":{\"%s\":{}}}", key);
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    gm_schema *schema = NULL;
    gm_node root = 0;
    gm_node child = 0;
    CHECK(gm_schema_open(&arena, text, strlen(text), NULL, NULL, &schema, &root, NULL) == GM_OK);
    const gm_json *const properties = gm_schema_value(schema, root)->as.members[0].value;
    CHECK(gm_schema_child(schema, root, properties->as.members[0].value, &child, NULL) == GM_OK);
    for (size_t size = 0; size < 30; size++) {
        char out[32];
        memset(out, 'x', sizeof out);
        gm_schema_pointer(schema, child, out, size);
        const size_t whole = size <= 13 ? (size > 0 ? size - 1 : 0) : 12 + (size - 13) / 3 * 3;
        CHECK(size == 0 ? out[0] == 'x' : strlen(out) == whole && out[size] == 'x');
    }
    gm_schema_close(schema);
    gm_arena_destroy(&arena);
}

int main(void)
{
    RUN(keywords_exist_from_their_draft_to_their_last);
    RUN(core_words_are_no_notes_and_annotations_are);
    RUN(a_reference_stands_alone_up_to_draft_7);
    RUN(keywords_need_their_partners);
    RUN(items_mean_one_thing_in_all_drafts);
    RUN(exclusive_bounds_mean_one_thing_in_all_drafts);
    RUN(the_draft_option_holds_where_no_schema_says_otherwise);
    RUN(vocabularies_switch_keywords);
    RUN(odd_metaschemas_are_said_so);
    RUN(formats_are_noted_where_they_are_not_asserted);
    RUN(nullable_belongs_to_openapi);
    RUN(another_x_order_is_an_unknown_keyword);
    RUN(shapes_are_checked);
    RUN(shapes_follow_the_draft);
    RUN(many_names_are_compared_too);
    RUN(notes_come_once_per_node_with_their_pointers);
    RUN(errors_use_the_spelling_of_the_draft);
    RUN(long_pointers_are_cut_between_characters);
    return REPORT("test_schema_keywords");
}
