/*
 * test_foundation_models.c - schemas in the dialect that Foundation Models' GenerationSchema encodes to.
 *
 * Properties stand in alphabetical order there, `x-order` has the declared one at every object, references
 * go to `$defs` or to the root, with descriptions beside them, and a constant is an enum of one value. Seven
 * of that make: documents in the declared order are accepted, others rejected, and random walks end.
 */
#include "cli/shipped_vocabulary.h"
#include "walks.h"

typedef struct fixture {
    const char *name;
    const char *schema;
    const char *accepted[4], *rejected[6];
} fixture;

static const fixture fixtures[] = {
    {.name = "a recursive root, an optional name first",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"age\":{\"type\":\"integer\"},\"children\":{\"items\":"
               "{\"$ref\":\"#\""
               "},\"maxItems\":3,\"type\":\"array\"},\"name\":{\"type\":\"string\"}},\"required\":[\"children\","
               "\"name\"],\"title\":\"Per"
               "son\",\"type\":\"object\",\"x-order\":[\"age\",\"children\",\"name\"]}",
     .accepted = {"{\"age\":41,\"children\":[],\"name\":\"Ada\"}",
                  "{\"children\":[{\"children\":[],\"name\":\"Bo\"},{\"age\":3,\"children\":[],\"name\":\"\"}],"
                  "\"name\":\"Cy\"}"},
     .rejected = {"{\"name\":\"Ada\",\"children\":[]}", "{\"children\":[],\"age\":4,\"name\":\"x\"}",
                  "{\"children\":[1],\"name\":\"x\"}", "{\"age\":4.5,\"children\":[],\"name\":\"x\"}",
                  "{\"children\":[],\"name\":\"x\",\"nick\":\"y\"}",
                  "{\"age\":1,\"children\":[{\"children\":[],\"name\":\"a\"},{\"children\":[],\"name\":\"a\"},{"
                  "\"children\":[],\"name\":\"a\""
                  "},{\"children\":[],\"name\":\"a\"}],\"name\":\"x\"}"}},
    {.name = "definitions with descriptions beside references",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"cover\":{\"$ref\":\"#/$defs/"
               "Cover\",\"description\":\"what is s"
               "een first\"},\"title\":{\"type\":\"string\",\"description\":\"as "
               "printed\"},\"tracks\":{\"items\":{\"$ref\":\"#/$defs/"
               "Track\"},\"minItems\":1,\"maxItems\":12,\"type\":\"array\"}},\"required\":[\"title\",\"tracks\","
               "\"cover\"],\"title\":\"A"
               "lbum\",\"type\":\"object\",\"x-order\":[\"title\",\"tracks\",\"cover\"],\"$defs\":{\"Cover\":{\"enum\":"
               "[\"plain\",\"photo\""
               ",\"drawing\"],\"type\":\"string\",\"title\":\"Cover\"},\"Track\":{\"additionalProperties\":false,"
               "\"properties\":{\"na"
               "me\":{\"type\":\"string\"},\"seconds\":{\"minimum\":1,\"maximum\":3600,\"type\":\"integer\"}},"
               "\"required\":[\"name\",\"s"
               "econds\"],\"title\":\"Track\",\"type\":\"object\",\"x-order\":[\"name\",\"seconds\"]}}}",
     .accepted = {"{\"title\":\"T\",\"tracks\":[{\"name\":\"a\",\"seconds\":200}],\"cover\":\"photo\"}"},
     .rejected = {"{\"title\":\"T\",\"tracks\":[],\"cover\":\"photo\"}",
                  "{\"title\":\"T\",\"tracks\":[{\"name\":\"a\",\"seconds\":0}],\"cover\":\"photo\"}",
                  "{\"title\":\"T\",\"tracks\":[{\"seconds\":9,\"name\":\"a\"}],\"cover\":\"photo\"}",
                  "{\"title\":\"T\",\"tracks\":[{\"name\":\"a\",\"seconds\":9}],\"cover\":\"oil\"}",
                  "{\"cover\":\"photo\",\"title\":\"T\",\"tracks\":[{\"name\":\"a\",\"seconds\":9}]}"}},
    {.name = "an enum of one value",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"kind\":{\"enum\":[\"refund\"],\"type\":\"string\"},"
               "\"order\":{\"typ"
               "e\":\"integer\",\"minimum\":1},\"reason\":{\"type\":\"string\"}},\"required\":[\"kind\",\"order\"],"
               "\"title\":\"Refund\",\""
               "type\":\"object\",\"x-order\":[\"kind\",\"order\",\"reason\"]}",
     .accepted = {"{\"kind\":\"refund\",\"order\":17}", "{\"kind\":\"refund\",\"order\":17,\"reason\":\"late\"}"},
     .rejected = {"{\"kind\":\"exchange\",\"order\":17}", "{\"order\":17,\"kind\":\"refund\"}",
                  "{\"kind\":\"refund\",\"order\":0}", "{\"kind\":\"refund\",\"order\":17,\"reason\":null}"}},
    {.name = "arrays of a fixed length",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"city\":{\"type\":\"string\"},\"days\":{\"items\":{\"$"
               "ref\":\"#/$def"
               "s/"
               "Day\"},\"maxItems\":2,\"minItems\":2,\"type\":\"array\"}},\"required\":[\"city\",\"days\"],\"title\":"
               "\"Trip\",\"type\":"
               "\"object\",\"x-order\":[\"city\",\"days\"],\"$defs\":{\"Day\":{\"additionalProperties\":false,"
               "\"properties\":{\"date\""
               ":{\"type\":\"string\"},\"stops\":{\"items\":{\"type\":\"string\"},\"type\":\"array\",\"maxItems\":3}},"
               "\"required\":[\"dat"
               "e\",\"stops\"],\"title\":\"Day\",\"type\":\"object\",\"x-order\":[\"date\",\"stops\"]}}}",
     .accepted =
         {"{\"city\":\"Oslo\",\"days\":[{\"date\":\"1 May\",\"stops\":[]},{\"date\":\"2 May\",\"stops\":[\"pier\"]}]}"},
     .rejected =
         {"{\"city\":\"Oslo\",\"days\":[{\"date\":\"1 May\",\"stops\":[]}]}", "{\"days\":[],\"city\":\"Oslo\"}",
          "{\"city\":\"Oslo\",\"days\":[{\"stops\":[],\"date\":\"1 May\"},{\"date\":\"2 May\",\"stops\":[]}]}"}},
    {.name = "two definitions that use each other",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"root\":{\"$ref\":\"#/$defs/"
               "Folder\"}},\"required\":[\"root\"],\"t"
               "itle\":\"Tree\",\"type\":\"object\",\"x-order\":[\"root\"],\"$defs\":{\"Folder\":{"
               "\"additionalProperties\":false,\"pro"
               "perties\":{\"entries\":{\"items\":{\"$ref\":\"#/$defs/"
               "Entry\"},\"maxItems\":10,\"type\":\"array\"},\"name\":{\"type\":\""
               "string\"}},\"required\":[\"name\",\"entries\"],\"title\":\"Folder\",\"type\":\"object\",\"x-order\":["
               "\"name\",\"entries\""
               "]},\"Entry\":{\"additionalProperties\":false,\"properties\":{\"folder\":{\"$ref\":\"#/$defs/"
               "Folder\"},\"label\":{\""
               "type\":\"string\"},\"size\":{\"type\":\"integer\",\"minimum\":0}},\"required\":[\"label\"],\"title\":"
               "\"Entry\",\"type\":\""
               "object\",\"x-order\":[\"label\",\"folder\",\"size\"]}}}",
     .accepted =
         {"{\"root\":{\"name\":\"/"
          "\",\"entries\":[{\"label\":\"a\",\"size\":1},{\"label\":\"b\",\"folder\":{\"name\":\"b\",\"entries\":[]"
          "}}]}}"},
     .rejected = {"{\"root\":{\"name\":\"/\",\"entries\":[{\"size\":1,\"label\":\"a\"}]}}",
                  "{\"root\":{\"entries\":[],\"name\":\"/\"}}",
                  "{\"root\":{\"name\":\"/\",\"entries\":[{\"label\":\"a\",\"size\":-1}]}}", "{}"}},
    {.name = "every property optional",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"lamp\":{\"enum\":[\"on\",\"off\"],\"type\":"
               "\"string\"},\"level\":{\"t"
               "ype\":\"integer\",\"minimum\":0,\"maximum\":100},\"zone\":{\"type\":\"string\"}},\"required\":[],"
               "\"title\":\"Light\",\"t"
               "ype\":\"object\",\"x-order\":[\"lamp\",\"level\",\"zone\"]}",
     .accepted = {"{}", "{\"lamp\":\"on\"}", "{\"level\":7,\"zone\":\"hall\"}",
                  "{\"lamp\":\"off\",\"level\":100,\"zone\":\"\"}"},
     .rejected = {"{\"zone\":\"hall\",\"lamp\":\"on\"}", "{\"level\":101}", "{\"lamp\":\"dim\"}",
                  "{\"lamp\":\"on\",\"lamp\":\"on\"}"}},
    {.name = "nested objects, each with an order of its own",
     .schema = "{\"additionalProperties\":false,\"properties\":{\"author\":{\"$ref\":\"#/$defs/"
               "Author\"},\"body\":{\"type\":\"strin"
               "g\"},\"score\":{\"minimum\":1,\"maximum\":5,\"type\":\"integer\"},\"tags\":{\"items\":{\"enum\":["
               "\"new\",\"old\",\"rare\"],"
               "\"type\":\"string\"},\"maxItems\":2,\"type\":\"array\"}},\"required\":[\"score\",\"body\",\"author\"],"
               "\"title\":\"Review\""
               ",\"type\":\"object\",\"x-order\":[\"score\",\"body\",\"author\",\"tags\"],\"$defs\":{\"Author\":{"
               "\"additionalProperties"
               "\":false,\"properties\":{\"mail\":{\"type\":\"string\"},\"nick\":{\"type\":\"string\"},\"since\":{"
               "\"type\":\"integer\"}},"
               "\"required\":[\"nick\",\"since\"],\"title\":\"Author\",\"type\":\"object\",\"x-order\":[\"nick\","
               "\"since\",\"mail\"]}}}",
     .accepted = {"{\"score\":5,\"body\":\"\",\"author\":{\"nick\":\"n\",\"since\":2001},\"tags\":[\"new\",\"rare\"]}",
                  "{\"score\":1,\"body\":\"b\",\"author\":{\"nick\":\"n\",\"since\":2001,\"mail\":\"m\"}}"},
     .rejected =
         {"{\"score\":6,\"body\":\"\",\"author\":{\"nick\":\"n\",\"since\":2001}}",
          "{\"score\":5,\"body\":\"\",\"author\":{\"since\":2001,\"nick\":\"n\"}}",
          "{\"score\":5,\"author\":{\"nick\":\"n\",\"since\":1},\"body\":\"\"}",
          "{\"score\":5,\"body\":\"\",\"author\":{\"nick\":\"n\"}}",
          "{\"score\":5,\"body\":\"\",\"author\":{\"nick\":\"n\",\"since\":2001},\"tags\":[\"new\",\"old\",\"new\"]}"}},
};

static bool accepts(gm_grammar *grammar, const char *text)
{
    gm_matcher *matcher = NULL;
    size_t accepted = 0;
    const size_t length = strlen(text);
    const bool fine = gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK &&
                      gm_matcher_accept_bytes(matcher, (const uint8_t *)text, length, &accepted) == GM_OK &&
                      accepted == length && gm_matcher_state(matcher) == GM_COMPLETE;
    gm_matcher_destroy(matcher);
    return fine;
}

static void try_fixture(walker *w, gm_compiler *compiler, const fixture *f)
{
    gm_grammar *grammar = NULL;
    CHECK(gm_compile_json_schema(compiler, f->schema, strlen(f->schema), NULL, &grammar, NULL) == GM_OK);
    for (size_t i = 0; i < GM_COUNT_OF(f->accepted) && f->accepted[i] != NULL; i++)
        CHECK(accepts(grammar, f->accepted[i]));
    for (size_t i = 0; i < GM_COUNT_OF(f->rejected) && f->rejected[i] != NULL; i++)
        CHECK(!accepts(grammar, f->rejected[i]));
    gm_grammar_release(grammar);
    CHECK(walk_schema(w, compiler, f->schema, NULL, 10));
}

static void schemas_of_foundation_models_are_enforced_in_their_order(void)
{
    gm_vocab *vocab = NULL;
    gm_compiler *compiler = NULL;
    walker w;
    CHECK(gm_shipped_vocabulary(NULL, &vocab, NULL) == GM_OK);
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, NULL) == GM_OK);
    CHECK(walker_open(&w, vocab, 1, 8));
    for (size_t i = 0; i < GM_COUNT_OF(fixtures); i++)
        try_fixture(&w, compiler, &fixtures[i]);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

int main(void)
{
    RUN(schemas_of_foundation_models_are_enforced_in_their_order);
    return REPORT("test_foundation_models");
}
