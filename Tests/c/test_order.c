/* test_order.c - the declared order of keys, where a schema's parts are taken apart and put together again. */
#include "small_vocabulary.h"

static bool accepts(const char *schema, const char *document)
{
    static const char *const none[] = {NULL};
    const gm_schema_options declared = {.struct_size = sizeof declared, .whitespace = GM_WHITESPACE_COMPACT};
    small s = small_open(none, schema, &declared);
    const bool fine = small_put(s.matcher, document) == GM_OK && gm_matcher_state(s.matcher) == GM_COMPLETE;
    small_close(&s);
    return fine;
}

/* Alternatives that may hold together are taken apart with the help of what stands beside them; that must not move
 * names of later parts to the front. */
static void names_of_overlapping_alternatives_keep_their_place(void)
{
    static const char schema[] =
        "{\"allOf\":[{\"oneOf\":[{\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]},"
        "{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"const\":2}},\"required\":[\"a\",\"b\"]}]},"
        "{\"properties\":{\"c\":true,\"d\":true},\"required\":[\"c\"]}],\"type\":\"object\"}";
    CHECK(accepts(schema, "{\"a\":1,\"c\":0,\"d\":0}"));
    CHECK(accepts(schema, "{\"a\":1,\"c\":0,\"b\":3}")); /* b is declared where it does not hold: another key */
    CHECK(!accepts(schema, "{\"a\":1,\"b\":2,\"c\":0}"));
    CHECK(!accepts(schema, "{\"c\":0,\"a\":1}"));
    CHECK(!accepts(schema, "{\"a\":1,\"d\":0,\"c\":0}"));
}

static void parts_follow_each_other_as_the_schema_names_them(void)
{
    static const char schema[] = "{\"properties\":{\"own\":true},\"$ref\":\"#/$defs/"
                                 "r\",\"allOf\":[{\"properties\":{\"all\":true,\"own\":true}}],"
                                 "\"if\":{\"properties\":{\"when\":{\"const\":1}},\"required\":[\"when\"]},\"then\":{"
                                 "\"properties\":{\"yes\":true}},"
                                 "\"else\":{\"properties\":{\"no\":true}},\"$defs\":{\"r\":{\"properties\":{\"ref\":"
                                 "true}}},\"type\":\"object\"}";
    CHECK(accepts(schema, "{\"own\":0,\"ref\":0,\"all\":0,\"when\":1,\"yes\":0}"));
    CHECK(accepts(schema, "{\"own\":0,\"no\":0,\"other\":0}"));
    CHECK(!accepts(schema, "{\"ref\":0,\"own\":0}"));
    CHECK(!accepts(schema, "{\"all\":0,\"ref\":0}"));
    CHECK(!accepts(schema, "{\"yes\":0,\"when\":1}"));
}

int main(void)
{
    RUN(names_of_overlapping_alternatives_keep_their_place);
    RUN(parts_follow_each_other_as_the_schema_names_them);
    return REPORT("test_order");
}
