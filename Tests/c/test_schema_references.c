/* test_schema_references.c - where references lead: identifiers, anchors, pointers, scopes, documents. */
#include "schema/schema.h"

#include "check.h"

#define D2020 "\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
#define D2019 "\"$schema\":\"https://json-schema.org/draft/2019-09/schema\","
#define D7 "\"$schema\":\"http://json-schema.org/draft-07/schema#\","
#define D6 "\"$schema\":\"http://json-schema.org/draft-06/schema#\","
#define D4 "\"$schema\":\"http://json-schema.org/draft-04/schema#\","

/* ---- other documents ---- */

static const struct {
    const char *uri;
    const char *text;
} documents[] = {
    {"http://x/other", "{\"$defs\":{\"a/b\":{\"type\":\"null\"},\"n\":{\"$anchor\":\"named\"}},\"items\":{\"$ref\":\"#\"}}"},
    {"http://x/folder/leaf", "{\"$ref\":\"twig\"}"},
    {"http://x/folder/twig", "{\"$id\":\"http://y/real\",\"$ref\":\"#/$defs/q\",\"$defs\":{\"q\":true}}"},
    {"http://x/inner", "{\"$defs\":{\"deep\":{\"$id\":\"http://z/deep\",\"$defs\":{\"q\":{}}}}}"},
    {"http://x/old", "{\"$schema\":\"http://json-schema.org/draft-07/schema\",\"$ref\":\"#/definitions/q\",\"minimum\":3,\"definitions\":{\"q\":{}}}"},
    {"http://x/plain", "{\"dependencies\":{\"q\":{}}}"},
    {"http://x/broken", "{\"a\":[}"},
    {"http://x/number", "5"},
    {"http://x/list", "{\"$id\":\"list\",\"items\":{\"$dynamicRef\":\"#item\"},\"$defs\":{\"d\":{\"$dynamicAnchor\":\"item\"}}}"},
};

static long asked;

static bool resolve(void *context, const char *uri, size_t length, const char **text, size_t *text_length)
{
    (void)context;
    asked++;
    CHECK(uri[length] == '\0');
    for (size_t i = 0; i < GM_COUNT_OF(documents); i++)
        if (strlen(documents[i].uri) == length && memcmp(documents[i].uri, uri, length) == 0) {
            *text = documents[i].text;
            *text_length = strlen(documents[i].text);
            return true;
        }
    return false;
}

/* ---- walking ---- */

typedef struct graph {
    gm_arena arena;
    gm_schema *schema;
    gm_node root;
    gm_error error;
} graph;

static gm_status open_graph(graph *of, const gm_allocator *allocator, const char *text, gm_draft draft)
{
    const gm_schema_options options = {.struct_size = sizeof options, .draft = draft, .resolver = resolve};
    gm_arena_init(&of->arena, allocator);
    of->schema = NULL;
    of->error = (gm_error){0};
    return gm_schema_open(&of->arena, text, strlen(text), &options, NULL, &of->schema, &of->root, &of->error);
}

static void close_graph(graph *of)
{
    gm_schema_close(of->schema);
    gm_arena_destroy(&of->arena);
}

/* One step: "$ref", "$dynamicRef", "$recursiveRef", "keyword" or "keyword/key" ('\1' is a slash of the key). */
static gm_status take_step(graph *of, gm_node node, const char *part, size_t length, gm_node *next)
{
    gm_schema_keywords keywords;
    GM_TRY(gm_schema_read(of->schema, node, &keywords, &of->error));
    const gm_bytes name = {part, length};
    if (gm_bytes_equal(name, GM_BYTES("$ref")))
        return gm_schema_reference(of->schema, node, GM_KW_REF, next, &of->error);
    if (gm_bytes_equal(name, GM_BYTES("$dynamicRef")) || gm_bytes_equal(name, GM_BYTES("$recursiveRef")))
        return gm_schema_reference(of->schema, node, GM_KW_DYNAMIC_REF, next, &of->error);
    const char *const slash = memchr(part, '/', length);
    const gm_json *value = gm_json_get(gm_schema_value(of->schema, node), (gm_bytes){part, slash ? (size_t)(slash - part) : length});
    if (slash != NULL) {
        char key[64];
        const size_t key_length = length - (size_t)(slash + 1 - part);
        for (size_t i = 0; i < key_length; i++)
            key[i] = slash[1 + i] == '\1' ? '/' : slash[1 + i];
        value = value->kind == GM_JSON_ARRAY ? value->as.items[*key - '0'] : gm_json_get(value, (gm_bytes){key, key_length});
    }
    CHECK(value != NULL);
    return value != NULL ? gm_schema_child(of->schema, node, value, next, &of->error) : GM_INVALID_ARGUMENT;
}

static gm_status walk(graph *of, const char *path, gm_node *node)
{
    *node = of->root;
    while (*path != '\0') {
        const size_t length = strcspn(path, " ");
        GM_TRY(take_step(of, *node, path, length, node));
        path += length + (path[length] == ' ');
    }
    return GM_OK;
}

static void check_leads(const char *text, const char *path, const char *expected)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    graph of;
    gm_node node = 0;
    char pointer[300] = "";
    gm_status status = open_graph(&of, &allocator, text, GM_DRAFT_BY_SCHEMA);
    if (status == GM_OK)
        status = walk(&of, path, &node);
    if (status == GM_OK)
        gm_schema_pointer(of.schema, node, pointer, sizeof pointer);
    if (status != GM_OK || strcmp(pointer, expected) != 0)
        fprintf(stderr, "%s\n  %s: leads to \"%s\", not \"%s\" (%d %s: %s)\n", text, path, pointer, expected, (int)status,
                of.error.pointer, of.error.message);
    CHECK(status == GM_OK && strcmp(pointer, expected) == 0);
    close_graph(&of);
}

static void check_fails(const char *text, const char *path, gm_status expected, const char *pointer, const char *keyword)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    graph of;
    gm_node node = 0;
    gm_status status = open_graph(&of, &allocator, text, GM_DRAFT_BY_SCHEMA);
    if (status == GM_OK)
        status = walk(&of, path, &node);
    const bool fine = status == expected && of.error.status == expected && strcmp(of.error.pointer, pointer) == 0 &&
                      strcmp(of.error.keyword, keyword) == 0;
    if (!fine)
        fprintf(stderr, "%s\n  %s: status %d at \"%s\" (%s): %s\n", text, path, (int)status, of.error.pointer, of.error.keyword,
                of.error.message);
    CHECK(fine);
    close_graph(&of);
}

/* ---- pointers ---- */

static void pointers_are_decoded(void)
{
    check_leads("{\"$ref\":\"#\"}", "$ref", "");
    check_leads("{\"$ref\":\"\"}", "$ref", "");
    check_leads("{\"$defs\":{\"a\":{}},\"$ref\":\"#/$defs/a\"}", "$ref", "/$defs/a");
    check_leads("{\"$defs\":{\"a/b~c\":{}},\"$ref\":\"#/$defs/a~1b~0c\"}", "$ref", "/$defs/a~1b~0c");
    check_leads("{\"$defs\":{\"~1\":{},\"/\":{}},\"$ref\":\"#/$defs/~01\"}", "$ref", "/$defs/~01");
    check_leads("{\"$defs\":{\"a b\":{}},\"$ref\":\"#/$defs/a%20b\"}", "$ref", "/$defs/a b");
    check_leads("{\"$defs\":{\"a\\\"b\":{}},\"$ref\":\"#/%24defs/a%22b\"}", "$ref", "/$defs/a\"b");
    check_leads("{\"$defs\":{\"%\":{}},\"$ref\":\"#/$defs/%25\"}", "$ref", "/$defs/%");
    check_leads("{\"$defs\":{\"100%\":{}},\"$ref\":\"#/$defs/100%\"}", "$ref", "/$defs/100%");
    check_leads("{\"$defs\":{\"~\":{}},\"$ref\":\"#/$defs/%7e0\"}", "$ref", "/$defs/~0");
    check_leads("{\"$defs\":{\"\\u00e9\":{}},\"$ref\":\"#/$defs/%C3%A9\"}", "$ref", "/$defs/\xC3\xA9");
    check_leads("{\"$defs\":{\"\":{\"not\":{}}},\"$ref\":\"#/$defs//not\"}", "$ref", "/$defs//not");
    check_leads("{\"$defs\":{\"a\":{\"b\":{}}},\"$ref\":\"#/$defs%2Fa\"}", "$ref", "/$defs/a");
    check_leads("{\"\":{\"\":{}},\"$ref\":\"#//\"}", "$ref", "//");
    check_leads("{\"allOf\":[{},{\"not\":{}}],\"$ref\":\"#/allOf/1/not\"}", "$ref", "/allOf/1/not");
    check_leads("{\"prefixItems\":[true,false],\"$ref\":\"#/prefixItems/0\"}", "$ref", "/prefixItems/0");
}

static void pointers_reach_places_that_are_no_schemas(void)
{
    check_leads("{\"x\":{\"y\":[{\"z\":{}}]},\"$ref\":\"#/x/y/0/z\"}", "$ref", "/x/y/0/z");
    check_leads("{\"examples\":[{\"type\":\"string\"}],\"$ref\":\"#/examples/0\"}", "$ref", "/examples/0");
    check_leads("{\"x\":{\"not\":{\"$ref\":\"#/x\"}},\"$ref\":\"#/x\"}", "$ref not $ref not", "/x/not");
    check_leads("{\"const\":{\"q\":true},\"$ref\":\"#/const/q\"}", "$ref", "/const/q");
}

static void dangling_pointers_are_errors(void)
{
    static const char *const dangling[] = {"#/$defs/b", "#/$defs/a/", "#/$defs/a/b", "#/$defs/l/1", "#/$defs/l/00", "#/$defs/l/-",
                                           "#/$defs/l/+0", "#/$defs/l/", "#/$defs/l/99999999999", "#/$defs/l/18446744073709551616",
                                           "#nothing", "#/type/a", "#/type/0", "#/$defs/", "#/$defs/n/a", "#/$defs/a~1"};
    for (size_t i = 0; i < GM_COUNT_OF(dangling); i++) {
        char text[200];
        sprintf(text, "{\"type\":\"object\",\"$defs\":{\"a\":{},\"l\":[{}],\"n\":null},\"not\":{\"$ref\":\"%s\"}}", dangling[i]);
        check_fails(text, "not $ref", GM_INVALID_SCHEMA, "/not/$ref", "$ref");
    }
    check_fails("{\"$defs\":{\"a\":5},\"$ref\":\"#/$defs/a\"}", "$ref", GM_INVALID_SCHEMA, "/$ref", "$ref");
    check_fails("{\"$defs\":{\"a\":[]},\"$ref\":\"#/$defs/a\"}", "$ref", GM_INVALID_SCHEMA, "/$ref", "$ref");
    check_fails("{\"$ref\":\"http://x/nobody#/a\"}", "$ref", GM_UNSUPPORTED, "/$ref", "$ref");
    check_fails("{\"$ref\":\"relative\"}", "$ref", GM_UNSUPPORTED, "/$ref", "$ref");
    check_fails("{\"$ref\":5}", "$ref", GM_INVALID_SCHEMA, "/$ref", "$ref");
    check_fails("{\"properties\":{\"a\":5}}", "properties/a", GM_INVALID_SCHEMA, "/properties/a", "");
    check_fails("[]", "", GM_INVALID_SCHEMA, "", "");
}

/* ---- identifiers ---- */

static void identifiers_make_resources(void)
{
    check_leads("{\"$id\":\"http://a/b/c\",\"$defs\":{\"x\":{\"$id\":\"d\",\"not\":{\"$ref\":\"#\"}}},\"$ref\":\"#/$defs/x\"}",
                "$ref not $ref", "/$defs/x");
    check_leads("{\"$id\":\"http://a/b/c\",\"$defs\":{\"x\":{\"$id\":\"d\"}},\"$ref\":\"http://a/b/d\"}", "$ref", "/$defs/x");
    check_leads("{\"$id\":\"http://a/b/c\",\"$defs\":{\"x\":{\"$id\":\"../d/\",\"$defs\":{\"y\":{\"$id\":\"./e\"}}}},\"$ref\":\"/d/e\"}",
                "$ref", "/$defs/x/$defs/y");
    check_leads("{\"$id\":\"http://a/b/c\",\"$defs\":{\"x\":{\"$id\":\"d?q\"}},\"$ref\":\"d?q\"}", "$ref", "/$defs/x");
    check_leads("{\"$id\":\"http://a/b/c\",\"$ref\":\"//a/b/c#/$defs/x\",\"$defs\":{\"x\":{}}}", "$ref", "/$defs/x");
    check_leads("{\"$id\":\"http://a\",\"$defs\":{\"x\":{\"$id\":\"d\"}},\"$ref\":\"http://a/d\"}", "$ref", "/$defs/x");
    check_leads("{\"$id\":\"urn:a:b\",\"$defs\":{\"x\":{\"$id\":\"urn:a:c\",\"$anchor\":\"q\"}},\"$ref\":\"urn:a:c#q\"}", "$ref", "/$defs/x");
    check_leads("{\"$defs\":{\"x\":{\"$id\":\"d\"}},\"$ref\":\"d\"}", "$ref", "/$defs/x");
    check_leads("{\"$defs\":{\"x\":{\"$id\":\"d/e\",\"not\":{\"$ref\":\"../f\"}},\"y\":{\"$id\":\"f\"}}}", "$defs/x not $ref", "/$defs/y");
    check_leads("{\"$defs\":{\"x\":{\"$id\":\"http://a/d#\"}},\"$ref\":\"http://a/d\"}", "$ref", "/$defs/x");
    check_leads("{\"$defs\":{\"x\":{\"\\u0024id\":\"http://a/d\"}},\"$ref\":\"http://a/d\"}", "$ref", "/$defs/x");
    check_leads("{" D4 "\"definitions\":{\"x\":{\"id\":\"http://a/d\"}},\"not\":{\"$ref\":\"http://a/d\"}}", "not $ref", "/definitions/x");
    check_leads("{" D4 "\"id\":\"http://a/b\",\"properties\":{\"id\":{\"type\":\"string\"}},\"not\":{\"$ref\":\"b#/properties/id\"}}",
                "not $ref", "/properties/id");
}

static void pointers_pass_through_resources(void)
{
    const char *const text = "{\"$id\":\"http://a/b\",\"$defs\":{\"x\":{\"$id\":\"d\",\"$defs\":{\"y\":{\"$ref\":\"#/$defs/z\"},\"z\":{}}},"
                             "\"z\":false},\"$ref\":\"#/$defs/x/$defs/y\"}";
    check_leads(text, "$ref $ref", "/$defs/x/$defs/z");
    check_leads("{\"$id\":\"http://a/b\",\"$defs\":{\"x\":{\"$id\":\"d/\",\"not\":{\"$ref\":\"e\"}},\"e\":{\"$id\":\"d/e\"}},"
                "\"$ref\":\"#/$defs/x/not\"}", "$ref $ref", "/$defs/e");
    /* a place that is no schema passes nothing on, but where the pointer ends a schema begins */
    check_leads("{\"$id\":\"http://a/b\",\"x\":{\"$id\":\"d\",\"y\":{\"$ref\":\"#\"}},\"$ref\":\"#/x/y\"}", "$ref $ref", "");
    check_leads("{\"$id\":\"http://a/b\",\"x\":{\"$id\":\"d\",\"not\":{\"$ref\":\"#\"}},\"$ref\":\"#/x\"}", "$ref not $ref", "/x");
}

static void what_is_no_schema_identifies_nothing(void)
{
    static const char *const hidden[] = {"\"const\":%s", "\"enum\":[%s]", "\"default\":%s", "\"examples\":[%s]", "\"unknown\":%s",
                                         "\"unknown\":{\"properties\":{\"q\":%s}}", "\"properties\":%s", "\"definitions\":%s",
                                         "\"required\":[],\"x-order\":%s"};
    for (size_t i = 0; i < GM_COUNT_OF(hidden); i++) {
        char place[200];
        char text[400];
        sprintf(place, hidden[i], "{\"$id\":\"http://a/d\",\"$anchor\":\"n\",\"$dynamicAnchor\":\"n\"}");
        sprintf(text, "{%s,\"not\":{\"$ref\":\"http://a/d\"}}", place);
        check_fails(text, "not $ref", GM_UNSUPPORTED, "/not/$ref", "$ref");
        sprintf(text, "{%s,\"not\":{\"$ref\":\"#n\"}}", place);
        check_fails(text, "not $ref", GM_INVALID_SCHEMA, "/not/$ref", "$ref");
    }
}

static void older_drafts_have_their_own_identifiers(void)
{
    check_leads("{" D7 "\"definitions\":{\"x\":{\"$id\":\"#foo\"}},\"not\":{\"$ref\":\"#foo\"}}", "not $ref", "/definitions/x");
    check_leads("{" D4 "\"definitions\":{\"x\":{\"id\":\"#foo\"}},\"not\":{\"$ref\":\"#foo\"}}", "not $ref", "/definitions/x");
    check_leads("{" D6 "\"definitions\":{\"x\":{\"$id\":\"http://a/d#foo\"}},\"not\":{\"$ref\":\"http://a/d#foo\"}}", "not $ref",
                "/definitions/x");
    check_leads("{" D7 "\"$id\":\"http://a/b\",\"definitions\":{\"x\":{\"$id\":\"c\",\"definitions\":{\"y\":{\"$id\":\"#n\"}}}},"
                "\"not\":{\"$ref\":\"c#n\"}}", "not $ref", "/definitions/x/definitions/y");
    check_fails("{" D7 "\"$id\":\"http://a/b\",\"definitions\":{\"x\":{\"$id\":\"c\",\"definitions\":{\"y\":{\"$id\":\"#n\"}}}},"
                "\"not\":{\"$ref\":\"#n\"}}", "not $ref", GM_INVALID_SCHEMA, "/not/$ref", "$ref");
    check_fails("{" D7 "\"definitions\":{\"x\":{\"$anchor\":\"foo\"}},\"not\":{\"$ref\":\"#foo\"}}", "not $ref", GM_INVALID_SCHEMA,
                "/not/$ref", "$ref");
    check_fails("{" D6 "\"definitions\":{\"x\":{\"id\":\"http://a/d\"}},\"not\":{\"$ref\":\"http://a/d\"}}", "not $ref", GM_UNSUPPORTED,
                "/not/$ref", "$ref");
    check_fails("{" D4 "\"definitions\":{\"x\":{\"$id\":\"http://a/d\"}},\"not\":{\"$ref\":\"http://a/d\"}}", "not $ref", GM_UNSUPPORTED,
                "/not/$ref", "$ref");
    check_fails("{\"$defs\":{\"x\":{\"$id\":\"#foo\"}},\"not\":{\"$ref\":\"#foo\"}}", "not $ref", GM_INVALID_SCHEMA, "/not/$ref", "$ref");
}

static void an_identifier_beside_a_reference_is_void_up_to_draft_7(void)
{
    /* the reference is resolved against the base around it */
    check_leads("{" D7 "\"$id\":\"http://a/b/c\",\"definitions\":{\"x\":{\"$id\":\"http://a/b/t\"},\"y\":{\"$id\":\"http://q/t\"}},"
                "\"not\":{\"$id\":\"http://q/\",\"$ref\":\"t\"}}", "not $ref", "/definitions/x");
    check_leads("{\"$id\":\"http://a/b/c\",\"$defs\":{\"x\":{\"$id\":\"http://a/b/t\"},\"y\":{\"$id\":\"http://q/t\"}},"
                "\"not\":{\"$id\":\"http://q/\",\"$ref\":\"t\"}}", "not $ref", "/$defs/y");
    check_leads("{" D7 "\"$ref\":\"#/definitions/x\",\"definitions\":{\"x\":{}}}", "$ref", "/definitions/x");
}

static void a_name_of_two_different_schemas_is_an_error_for_those_who_use_it(void)
{
    const char *const different = "{\"$defs\":{\"x\":{\"$id\":\"http://a/d\"},\"y\":{\"$id\":\"http://a/d\",\"not\":{}}},\"not\":{\"$ref\":\"%s\"}}";
    char text[300];
    sprintf(text, different, "http://a/d");
    check_fails(text, "not $ref", GM_INVALID_SCHEMA, "/not/$ref", "$ref");
    sprintf(text, different, "#/$defs/y");
    check_leads(text, "not $ref", "/$defs/y");
    check_leads("{\"$defs\":{\"x\":{\"$id\":\"http://a/d\"},\"y\":{\"$id\":\"http://a/d\"}},\"$ref\":\"http://a/d\"}", "$ref", "/$defs/x");
    check_fails("{\"$defs\":{\"x\":{\"$anchor\":\"n\"},\"y\":{\"$anchor\":\"n\",\"not\":{}}},\"$ref\":\"#n\"}", "$ref", GM_INVALID_SCHEMA,
                "/$ref", "$ref");
}

static void anchors_belong_to_their_resource(void)
{
    check_leads("{\"$defs\":{\"x\":{\"$anchor\":\"n\"}},\"$ref\":\"#n\"}", "$ref", "/$defs/x");
    check_leads("{\"$anchor\":\"n\",\"not\":{\"$ref\":\"#n\"}}", "not $ref", "");
    check_leads("{\"$defs\":{\"x\":{\"$dynamicAnchor\":\"n\"}},\"$ref\":\"#n\"}", "$ref", "/$defs/x");
    check_leads("{\"$defs\":{\"x\":{\"$anchor\":\"n\"},\"y\":{\"$id\":\"http://a/y\",\"not\":{\"$anchor\":\"n\"}}},\"$ref\":\"http://a/y#n\"}",
                "$ref", "/$defs/y/not");
    check_fails("{\"$defs\":{\"y\":{\"$id\":\"http://a/y\",\"not\":{\"$anchor\":\"n\"}}},\"$ref\":\"#n\"}", "$ref", GM_INVALID_SCHEMA,
                "/$ref", "$ref");
    check_leads("{\"$defs\":{\"x\":{\"$anchor\":\"n\"}},\"$ref\":\"#%6E\"}", "$ref", "/$defs/x");
}

/* ---- other documents ---- */

static void documents_come_from_the_resolver_once(void)
{
    asked = 0;
    check_leads("{\"$ref\":\"http://x/other\"}", "$ref", "http://x/other#");
    CHECK(asked == 1);
    asked = 0;
    check_leads("{\"$ref\":\"http://x/other#/$defs/a~1b\",\"not\":{\"$ref\":\"http://x/other#/items\"}}", "not $ref $ref items $ref",
                "http://x/other#");
    CHECK(asked == 1);
    asked = 0;
    check_leads("{\"properties\":{\"a\":{\"$ref\":\"http://x/other\"}}}", "properties/a", "/properties/a");
    CHECK(asked == 0);
    check_leads("{\"$id\":\"http://x/\",\"$ref\":\"other#/$defs/a%7E1b\"}", "$ref", "http://x/other#/$defs/a~1b");
    check_leads("{\"$id\":\"http://x/\",\"$ref\":\"other#named\"}", "$ref", "http://x/other#/$defs/n");
    check_leads("{\"$ref\":\"http://x/folder/leaf\"}", "$ref $ref $ref", "http://x/folder/twig#/$defs/q");
    check_leads("{\"$ref\":\"http://x/folder/twig\",\"not\":{\"$ref\":\"http://x/inner\"}}", "not $ref", "http://x/inner#");
    check_leads("{\"$ref\":\"http://x/inner#/$defs/deep/$defs/q\"}", "$ref", "http://x/inner#/$defs/deep/$defs/q");
}

static void names_in_loaded_documents_are_known(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    graph of;
    gm_node node = 0;
    char pointer[100] = "";
    CHECK(open_graph(&of, &allocator, "{\"allOf\":[{\"$ref\":\"http://x/inner\"},{\"$ref\":\"http://z/deep#/$defs/q\"}]}",
                     GM_DRAFT_BY_SCHEMA) == GM_OK);
    CHECK(walk(&of, "allOf/1 $ref", &node) == GM_UNSUPPORTED); /* nobody knows http://z/deep yet */
    CHECK(walk(&of, "allOf/0 $ref", &node) == GM_OK && walk(&of, "allOf/1 $ref", &node) == GM_OK);
    gm_schema_pointer(of.schema, node, pointer, sizeof pointer);
    CHECK(strcmp(pointer, "http://x/inner#/$defs/deep/$defs/q") == 0);
    close_graph(&of);
}

static void a_document_has_its_own_dialect_or_the_default_one(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_schema_keywords keywords;
    gm_node node = 0;
    graph of;
    CHECK(open_graph(&of, &allocator, "{\"$ref\":\"http://x/old\"}", GM_DRAFT_BY_SCHEMA) == GM_OK);
    CHECK(walk(&of, "$ref", &node) == GM_OK && gm_schema_read(of.schema, node, &keywords, NULL) == GM_OK);
    CHECK(keywords.draft == GM_DRAFT_7 && keywords.value[GM_KW_MINIMUM] == NULL && keywords.value[GM_KW_REF] != NULL);
    close_graph(&of);

    CHECK(open_graph(&of, &allocator, "{" D7 "\"not\":{\"$ref\":\"http://x/plain\"}}", GM_DRAFT_BY_SCHEMA) == GM_OK);
    CHECK(walk(&of, "not $ref", &node) == GM_OK && gm_schema_read(of.schema, node, &keywords, NULL) == GM_OK);
    CHECK(keywords.draft == GM_DRAFT_7 && keywords.value[GM_KW_DEPENDENCIES] != NULL);
    close_graph(&of);

    CHECK(open_graph(&of, &allocator, "{" D7 "\"not\":{\"$ref\":\"http://x/plain\"}}", GM_DRAFT_2020_12) == GM_OK);
    CHECK(walk(&of, "not $ref", &node) == GM_OK && gm_schema_read(of.schema, node, &keywords, NULL) == GM_OK);
    CHECK(keywords.draft == GM_DRAFT_2020_12);
    close_graph(&of);
}

static void broken_documents_are_errors_of_theirs(void)
{
    check_fails("{\"$ref\":\"http://x/broken\"}", "$ref", GM_INVALID_SCHEMA, "http://x/broken#", "");
    check_fails("{\"$ref\":\"http://x/number\"}", "$ref", GM_INVALID_SCHEMA, "/$ref", "$ref");
}

/* ---- scopes ---- */

static void a_dynamic_reference_leads_to_the_outermost_anchor(void)
{
    const char *const list = "\"list\":{\"$id\":\"list\",\"items\":{\"$dynamicRef\":\"#item\"},\"$defs\":{\"d\":{\"$dynamicAnchor\":\"item\"}}}";
    char text[700];
    sprintf(text, "{\"$id\":\"http://a/root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\",\"type\":\"string\"},%s}}", list);
    check_leads(text, "$ref items $dynamicRef", "/$defs/s");
    sprintf(text, "{\"$id\":\"http://a/root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$anchor\":\"item\",\"type\":\"string\"},%s}}", list);
    check_leads(text, "$ref items $dynamicRef", "/$defs/list/$defs/d");
    sprintf(text, "{\"$id\":\"http://a/root\",\"$defs\":{\"s\":{\"$id\":\"s\",\"$ref\":\"list\",\"$defs\":{\"i\":{\"$dynamicAnchor\":\"item\"}}},"
                  "\"t\":{\"$id\":\"t\",\"$ref\":\"list\",\"$defs\":{\"i\":{\"$dynamicAnchor\":\"item\"}}},%s}}", list);
    check_leads(text, "$defs/s $ref items $dynamicRef", "/$defs/s/$defs/i");
    check_leads(text, "$defs/t $ref items $dynamicRef", "/$defs/t/$defs/i");
    check_leads(text, "$defs/list items $dynamicRef", "/$defs/list/$defs/d");
    check_leads("{\"$id\":\"http://x/root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\"}}}", "$ref items $dynamicRef",
                "/$defs/s");
}

static void a_dynamic_reference_needs_a_dynamic_anchor_to_begin_with(void)
{
    check_leads("{\"$id\":\"http://a/root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\"},\"list\":{\"$id\":\"list\","
                "\"items\":{\"$dynamicRef\":\"#item\"},\"$defs\":{\"d\":{\"$anchor\":\"item\"}}}}}", "$ref items $dynamicRef",
                "/$defs/list/$defs/d");
    check_leads("{\"$id\":\"http://a/root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\"},\"list\":{\"$id\":\"list\","
                "\"items\":{\"$dynamicRef\":\"#/$defs/d\"},\"$defs\":{\"d\":{\"$dynamicAnchor\":\"item\"}}}}}", "$ref items $dynamicRef",
                "/$defs/list/$defs/d");
    check_leads("{\"$defs\":{\"a\":{}},\"$dynamicRef\":\"#/$defs/a\"}", "$dynamicRef", "/$defs/a");
    check_leads("{\"$ref\":\"#n\",\"$defs\":{\"d\":{\"$dynamicAnchor\":\"n\"}}}", "$ref", "/$defs/d");
    check_fails("{\"not\":{\"$dynamicRef\":\"#n\"}}", "not $dynamicRef", GM_INVALID_SCHEMA, "/not/$dynamicRef", "$dynamicRef");
}

static void a_recursive_reference_leads_to_the_outermost_recursive_root(void)
{
    const char *const format = "{" D2019 "\"$id\":\"http://a/root\",\"$recursiveAnchor\":%s,\"$ref\":\"tree\","
                               "\"$defs\":{\"t\":{\"$id\":\"tree\",\"$recursiveAnchor\":%s,\"items\":{\"$recursiveRef\":\"#\"}}}}";
    char text[400];
    sprintf(text, format, "true", "true");
    check_leads(text, "$ref items $recursiveRef", "");
    sprintf(text, format, "false", "true");
    check_leads(text, "$ref items $recursiveRef", "/$defs/t");
    sprintf(text, format, "true", "false");
    check_leads(text, "$ref items $recursiveRef", "/$defs/t");
    check_leads("{" D2019 "\"items\":{\"$recursiveRef\":\"#\"}}", "items $recursiveRef", "");
    check_fails("{" D2019 "\"items\":{\"$recursiveRef\":\"#/x\"}}", "items $recursiveRef", GM_INVALID_SCHEMA, "/items/$recursiveRef",
                "$recursiveRef");
}

static void equal_quadruples_are_one_node(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    graph of;
    gm_node first = 0;
    gm_node second = 0;
    CHECK(open_graph(&of, &allocator, "{\"$dynamicAnchor\":\"n\",\"items\":{\"$dynamicRef\":\"#n\"},\"not\":{\"$ref\":\"#/items\"}}",
                     GM_DRAFT_BY_SCHEMA) == GM_OK);
    CHECK(walk(&of, "items $dynamicRef", &first) == GM_OK && first == of.root);
    CHECK(walk(&of, "items", &first) == GM_OK && walk(&of, "not $ref", &second) == GM_OK && first == second);
    close_graph(&of);

    CHECK(open_graph(&of, &allocator, "{\"$id\":\"http://a/\",\"$defs\":{\"s\":{\"$id\":\"s\",\"$ref\":\"/#/$defs/l\",\"$defs\":{\"i\":{\"$dynamicAnchor\":\"n\"}}},"
                     "\"l\":{\"$id\":\"l\",\"$dynamicAnchor\":\"n\"}}}", GM_DRAFT_BY_SCHEMA) == GM_OK);
    CHECK(walk(&of, "$defs/l", &first) == GM_OK && walk(&of, "$defs/s $ref", &second) == GM_OK && first != second);
    CHECK(gm_schema_value(of.schema, first) == gm_schema_value(of.schema, second));
    close_graph(&of);
}

/* ---- dialects by metaschema are in test_schema_keywords ---- */

static void a_dialect_switches_with_an_identifier_only(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_schema_keywords keywords;
    gm_node node = 0;
    graph of;
    CHECK(open_graph(&of, &allocator, "{" D2020 "\"$defs\":{\"x\":{" D7 "\"$id\":\"http://a/x\",\"not\":{}},\"y\":{" D7 "\"not\":{}}}}",
                     GM_DRAFT_BY_SCHEMA) == GM_OK);
    CHECK(walk(&of, "$defs/x not", &node) == GM_OK && gm_schema_read(of.schema, node, &keywords, NULL) == GM_OK);
    CHECK(keywords.draft == GM_DRAFT_7);
    CHECK(walk(&of, "$defs/y not", &node) == GM_OK && gm_schema_read(of.schema, node, &keywords, NULL) == GM_OK);
    CHECK(keywords.draft == GM_DRAFT_2020_12);
    close_graph(&of);
}

/* ---- cost ---- */

static void ten_thousand_references_are_fast(void)
{
    enum { COUNT = 10000 };
    char *const text = malloc(COUNT * 120 + 100);
    size_t length = (size_t)sprintf(text, "{\"$id\":\"http://a/\",\"allOf\":[");
    for (size_t i = 0; i < COUNT; i++)
        length += (size_t)sprintf(text + length, "%s{\"$ref\":\"%s%zu\"}", i == 0 ? "" : ",", i % 2 ? "d" : "#a", i);
    length += (size_t)sprintf(text + length, "],\"$defs\":{");
    for (size_t i = 0; i < COUNT; i++)
        length += (size_t)sprintf(text + length, "%s\"k%zu\":{\"%s%zu\"}", i == 0 ? "" : ",", i, i % 2 ? "$id\":\"d" : "$anchor\":\"a", i);
    sprintf(text + length, "}}");
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    graph of;
    CHECK(open_graph(&of, &allocator, text, GM_DRAFT_BY_SCHEMA) == GM_OK);
    const gm_json *const all = gm_json_get(gm_schema_value(of.schema, of.root), GM_BYTES("allOf"));
    size_t found = 0;
    for (size_t i = 0; i < COUNT; i++) {
        gm_node from = 0;
        gm_node to = 0;
        char pointer[40];
        char expected[40];
        if (gm_schema_child(of.schema, of.root, all->as.items[i], &from, NULL) == GM_OK &&
            gm_schema_reference(of.schema, from, GM_KW_REF, &to, NULL) == GM_OK) {
            gm_schema_pointer(of.schema, to, pointer, sizeof pointer);
            sprintf(expected, "/$defs/k%zu", i);
            found += strcmp(pointer, expected) == 0;
        }
    }
    CHECK(found == COUNT);
    close_graph(&of);
    free(text);
}

static void depth_costs_no_stack(void)
{
    enum { DEPTH = 100000 };
    char *const text = malloc(DEPTH * 20);
    size_t length = 0;
    for (size_t i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length, "{\"not\":");
    length += (size_t)sprintf(text + length, "{\"$anchor\":\"deep\",\"$ref\":\"#deep\"}");
    memset(text + length, '}', DEPTH);
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    const gm_limits limits = {.struct_size = sizeof limits, .max_nesting = DEPTH + 1};
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    gm_schema *schema = NULL;
    gm_node node = 0;
    gm_node deep = 0;
    CHECK(gm_schema_open(&arena, text, length + DEPTH, NULL, &limits, &schema, &node, NULL) == GM_OK);
    for (size_t i = 0; i < DEPTH; i++)
        CHECK(gm_schema_child(schema, node, gm_schema_value(schema, node)->as.members[0].value, &node, NULL) == GM_OK);
    CHECK(gm_schema_reference(schema, node, GM_KW_REF, &deep, NULL) == GM_OK && deep == node);
    char pointer[9];
    gm_schema_pointer(schema, node, pointer, sizeof pointer);
    CHECK(strcmp(pointer, "/not/not") == 0);
    gm_schema_close(schema);
    gm_arena_destroy(&arena);
    free(text);
}

static void nodes_are_limited(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    const gm_limits limits = {.struct_size = sizeof limits, .max_nodes = 2, .max_schema_bytes = 40};
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    gm_schema *schema = NULL;
    gm_node root = 0;
    gm_node child = 0;
    gm_error error;
    const char *const text = "{\"allOf\":[true,true]}";
    CHECK(gm_schema_open(&arena, text, strlen(text), NULL, &limits, &schema, &root, &error) == GM_OK);
    const gm_json *const all = gm_schema_value(schema, root)->as.members[0].value;
    CHECK(gm_schema_child(schema, root, all->as.items[0], &child, &error) == GM_OK);
    CHECK(gm_schema_child(schema, root, all->as.items[1], &child, &error) == GM_LIMIT);
    CHECK(strstr(error.message, "max_nodes") != NULL && strcmp(error.pointer, "/allOf/1") == 0);
    gm_schema_close(schema);
    const char *const large = "{\"description\":\"more than forty bytes of text\"}";
    CHECK(gm_schema_open(&arena, large, strlen(large), NULL, &limits, &schema, &root, &error) == GM_LIMIT);
    CHECK(strstr(error.message, "max_schema_bytes") != NULL);
    gm_arena_destroy(&arena);
}

static void every_allocation_may_fail(void)
{
    static const char text[] =
        "{\"$id\":\"http://x/root\",\"$ref\":\"list\",\"title\":\"t\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\",\"$id\":\"sub\","
        "\"not\":{\"$ref\":\"other#/$defs/a~1b\"}},\"u\":{\"$anchor\":\"n\",\"unknown\":1,\"$ref\":\"#n\"},\"v\":{\"$ref\":\"sub\"},"
        "\"w\":{\"$dynamicAnchor\":\"item\"},\"x\":{\"$ref\":\"#/$defs/l%20l/0\"},\"l l\":[true]}}";
    static const char *const paths[] = {"$ref items $dynamicRef", "$defs/s not $ref", "$defs/u $ref $ref", "$defs/v $ref not $ref", "$defs/x $ref"};
    bool done = false;
    for (long budget = 0; !done && budget < 1000; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        graph of;
        gm_node node = 0;
        size_t notes = 0;
        gm_status status = open_graph(&of, &allocator, text, GM_DRAFT_BY_SCHEMA);
        CHECK((status == GM_OK) == (of.schema != NULL));
        for (size_t i = 0; status == GM_OK && i < GM_COUNT_OF(paths); i++)
            status = walk(&of, paths[i], &node);
        CHECK(status == GM_OK || (status == GM_OUT_OF_MEMORY && of.error.status == GM_OUT_OF_MEMORY));
        done = status == GM_OK && gm_schema_notes(of.schema, &notes) != NULL;
        CHECK(!done || notes == 2);
        close_graph(&of);
        CHECK(state.live == 0);
    }
    CHECK(done);
}

int main(void)
{
    RUN(pointers_are_decoded);
    RUN(pointers_reach_places_that_are_no_schemas);
    RUN(dangling_pointers_are_errors);
    RUN(identifiers_make_resources);
    RUN(pointers_pass_through_resources);
    RUN(what_is_no_schema_identifies_nothing);
    RUN(older_drafts_have_their_own_identifiers);
    RUN(an_identifier_beside_a_reference_is_void_up_to_draft_7);
    RUN(a_name_of_two_different_schemas_is_an_error_for_those_who_use_it);
    RUN(anchors_belong_to_their_resource);
    RUN(documents_come_from_the_resolver_once);
    RUN(names_in_loaded_documents_are_known);
    RUN(a_document_has_its_own_dialect_or_the_default_one);
    RUN(broken_documents_are_errors_of_theirs);
    RUN(a_dynamic_reference_leads_to_the_outermost_anchor);
    RUN(a_dynamic_reference_needs_a_dynamic_anchor_to_begin_with);
    RUN(a_recursive_reference_leads_to_the_outermost_recursive_root);
    RUN(equal_quadruples_are_one_node);
    RUN(a_dialect_switches_with_an_identifier_only);
    RUN(ten_thousand_references_are_fast);
    RUN(depth_costs_no_stack);
    RUN(nodes_are_limited);
    RUN(every_allocation_may_fail);
    return REPORT("test_schema_references");
}
