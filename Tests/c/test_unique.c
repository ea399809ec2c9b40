/*
 * test_unique.c - arrays with unique items against lists of all their documents.
 *
 * The oracle knows nothing of machines: it writes down every document of a schema with finitely many, by putting
 * together spellings of items, each with the number of its value. A byte may stand behind a beginning of a document if
 * and only if some document goes on so; that is asked of every beginning and all 256 bytes.
 */
#include "match/matcher.h"
#include "small_vocabulary.h"

/* ---- lists of texts ---- */

typedef struct texts {
    char **items;
    int *values; /* equal numbers: equal values */
    size_t count, capacity;
} texts;

static void add_text(texts *list, const char *text, int value)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        list->values = realloc(list->values, list->capacity * sizeof *list->values);
    }
    list->items[list->count] = strdup(text);
    list->values[list->count++] = value;
}

static void texts_free(texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    free(list->values);
    *list = (texts){0};
}

/* Arrays of items, of which position i takes those of of[i], or of[last]. Equal arrays get equal numbers by the
 * numbers of their items, from 1 on. */
static void add_arrays(texts *out, const texts *const *of, size_t last, size_t least, size_t most, bool unique,
                       const char *text, const int *values, size_t count)
{
    char longer[512];
    int more[16];
    if (count >= least) {
        unsigned number = 1;
        for (size_t i = 0; i < count; i++)
            number = number * 1000003u + (unsigned)values[i] + 1;
        snprintf(longer, sizeof longer, "[%s]", text);
        add_text(out, longer, (int)(number & INT_MAX));
    }
    const texts *items = of[count < last ? count : last];
    for (size_t i = 0; count < most && items != NULL && i < items->count; i++) {
        bool is_new = true;
        for (size_t j = 0; j < count && unique; j++)
            is_new = is_new && values[j] != items->values[i];
        if (!is_new)
            continue;
        for (size_t j = 0; j < count; j++)
            more[j] = values[j];
        more[count] = items->values[i];
        snprintf(longer, sizeof longer, "%s%s%s", text, count != 0 ? "," : "", items->items[i]);
        add_arrays(out, of, last, least, most, unique, longer, more, count + 1);
    }
}

static texts arrays(const texts *items, size_t least, size_t most, bool unique)
{
    texts out = {0};
    const texts *const of[] = {items};
    add_arrays(&out, of, 0, least, most, unique, "", NULL, 0);
    return out;
}

static texts list_of(const char *const *items, const int *values, size_t count)
{
    texts out = {0};
    for (size_t i = 0; i < count; i++)
        add_text(&out, items[i], values != NULL ? values[i] : (int)i);
    return out;
}
#define LIST(...)                                                                                                      \
    list_of((const char *const[]){__VA_ARGS__}, NULL, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- the comparison ---- */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The bytes that may follow documents[low..high), which agree in `length` bytes; 0 stands for the end. */
static void follow(gm_machine *machine, gm_arena *journal, const gm_config *config, char **documents, size_t low,
                   size_t high, size_t length, size_t *compared)
{
    const gm_arena_mark mark = gm_arena_save(journal);
    CHECK(gm_machine_may_end(config) == (documents[low][length] == '\0'));
    size_t at = low;
    for (unsigned byte = 1; byte < 256; byte++) {
        gm_config next, untouched;
        memset(&next, 0xA5, sizeof next);
        untouched = next;
        while (at < high && (uint8_t)documents[at][length] < byte)
            at++;
        size_t end = at;
        while (end < high && (uint8_t)documents[end][length] == byte)
            end++;
        const gm_status status = gm_machine_step(machine, journal, config, (uint8_t)byte, &next);
        const bool expected = end > at;
        CHECK(status == GM_OK || memcmp(&next, &untouched, sizeof next) == 0);
        ++*compared;
        if ((status == GM_OK) != expected) {
            fprintf(stderr, "behind %.*s the byte %c: %s\n", (int)length, documents[low], byte, gm_status_name(status));
            CHECK(false);
        } else if (status == GM_OK) {
            follow(machine, journal, &next, documents, at, end, length + 1, compared);
        }
        gm_arena_rewind(journal, mark);
        at = end;
    }
}

static const gm_schema_options compact = {
    .struct_size = sizeof compact, .whitespace = GM_WHITESPACE_COMPACT, .escapes = GM_ESCAPES_MINIMAL};
static const gm_schema_options compact_any = {.struct_size = sizeof compact_any,
                                              .property_order = GM_ORDER_ANY,
                                              .whitespace = GM_WHITESPACE_COMPACT,
                                              .escapes = GM_ESCAPES_MINIMAL};

static void is_exactly(const char *schema, const gm_schema_options *options, texts *documents)
{
    gm_error error;
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL;
    uint32_t stop;
    size_t compared = 0;
    gm_vocab *vocab = small_byte_vocab((const char *const[]){NULL}, &stop);
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, &error) == GM_OK);
    const gm_status status = gm_compile_json_schema(compiler, schema, strlen(schema), options, &grammar, &error);
    if (status != GM_OK)
        fprintf(stderr, "%s: %s %s\n", schema, gm_status_name(status), error.message);
    CHECK(status == GM_OK);
    if (status == GM_OK && gm_matcher_create(grammar, NULL, &matcher, &error) == GM_OK) {
        const int failed_before = check_failed;
        qsort(documents->items, documents->count, sizeof *documents->items, by_text);
        gm_arena *journal = gm_history_journal(&matcher->history);
        follow(matcher->source.machine, journal, &matcher->config, documents->items, 0, documents->count, 0, &compared);
        if (check_failed > failed_before)
            fprintf(stderr, "schema %s\n", schema);
    }
    texts_free(documents);
    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

/* ---- scalars ---- */

static void strings_that_begin_alike_are_told_apart(void)
{
    texts items = LIST("\"a\"", "\"ab\"", "\"abc\"", "\"b\"", "\"\"");
    texts all = arrays(&items, 0, 5, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[\"a\",\"ab\",\"abc\",\"b\",\"\"]}}",
               &compact, &all);
    all = arrays(&items, 5, 5, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":5,\"items\":{\"enum\":[\"a\",\"ab\",\"abc\","
               "\"b\",\"\"]}}",
               &compact, &all);
    texts_free(&items);
}

static void integers_that_begin_alike_are_told_apart(void)
{
    texts items = {0};
    char text[12];
    for (int i = 1; i <= 12; i++) {
        snprintf(text, sizeof text, "%d", i);
        add_text(&items, text, i);
    }
    texts all = arrays(&items, 0, 4, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":4,\"items\":{\"type\":\"integer\",\"minimum\":1,"
               "\"maximum\":12}}",
               &compact, &all);
    texts_free(&items);
    items = list_of((const char *const[]){"-0", "0", "-1", "1", "-2"}, (const int[]){0, 0, 1, 2, 3}, 5);
    all = arrays(&items, 0, 5, true);
    is_exactly(
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"integer\",\"minimum\":-2,\"maximum\":1}}",
        &compact, &all);
    texts_free(&items);
}

static void values_of_different_types_differ(void)
{
    texts items = LIST("null", "true", "false", "1", "\"1\"", "[1]", "[true]");
    texts all = arrays(&items, 2, 4, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":2,\"maxItems\":4,\"items\":{\"anyOf\":[{\"type\":"
               "[\"null\",\"boolean\"]},"
               "{\"type\":\"integer\",\"minimum\":1,\"maximum\":1},{\"const\":\"1\"},{\"type\":\"array\",\"minItems\":"
               "1,\"maxItems\":1,\"items\":{\"anyOf\":"
               "[{\"const\":true},{\"type\":\"integer\",\"minimum\":1,\"maximum\":1}]}}]}}",
               &compact, &all);
    texts_free(&items);
}

static void patterns_with_few_strings_run_out(void)
{
    texts items = LIST("\"\"", "\"a\"", "\"b\"", "\"ba\"", "\"bb\"");
    texts all = arrays(&items, 0, 5, true);
    is_exactly(
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\",\"pattern\":\"^(|a|b[ab]?)$\"}}",
        &compact, &all);
    all = arrays(&items, 0, 5, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\",\"pattern\":\"^[ab]*$\","
               "\"maxLength\":2,\"not\":{\"enum\":[\"aa\",\"ab\"]}}}",
               &compact, &all);
    texts_free(&items);
}

/* ---- containers ---- */

static const char *const pairs[] = {"{\"a\":true}",          "{\"a\":false}",         "{\"a\":true,\"b\":1}",
                                    "{\"a\":false,\"b\":1}", "{\"a\":true,\"b\":12}", "{\"a\":false,\"b\":12}",
                                    "{\"b\":1,\"a\":true}",  "{\"b\":1,\"a\":false}", "{\"b\":12,\"a\":true}",
                                    "{\"b\":12,\"a\":false}"};

static void objects_differ_whatever_the_order_of_their_members(void)
{
    static const int values[] = {0, 1, 2, 3, 4, 5, 2, 3, 4, 5};
    const char *schema = "{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":4,\"items\":{\"type\":\"object\","
                         "\"properties\":{\"a\":{\"type\":\"boolean\"},"
                         "\"b\":{\"anyOf\":[{\"type\":\"integer\",\"minimum\":1,\"maximum\":1},{\"type\":\"integer\","
                         "\"minimum\":12,\"maximum\":12}]}},"
                         "\"required\":[\"a\"],\"additionalProperties\":false}}";
    texts items = list_of(pairs, values, 6);
    texts all = arrays(&items, 0, 4, true);
    is_exactly(schema, &compact, &all);
    texts_free(&items);
    items = list_of(pairs, values, 10);
    all = arrays(&items, 0, 4, true);
    is_exactly(schema, &compact_any, &all);
    texts_free(&items);
}

static void counts_of_members_are_looked_through(void)
{
    static const char *const objects[] = {"{\"a\":1,\"b\":1}", "{\"b\":1,\"a\":1}", "{\"a\":1,\"c\":1}",
                                          "{\"c\":1,\"a\":1}", "{\"b\":1,\"c\":1}", "{\"c\":1,\"b\":1}"};
    static const int values[] = {0, 0, 1, 1, 2, 2};
    texts items = list_of(objects, values, 6);
    texts all = arrays(&items, 0, 3, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\",\"properties\":{\"a\":{"
               "\"type\":\"integer\",\"minimum\":1,\"maximum\":1},"
               "\"b\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1},\"c\":{\"type\":\"integer\",\"minimum\":1,"
               "\"maximum\":1}},\"minProperties\":2,\"maxProperties\":2,"
               "\"additionalProperties\":false}}",
               &compact_any, &all);
    texts_free(&items);
}

static void names_of_families_run_out(void)
{
    static const char *const objects[] = {"{}", "{\"x\":null}", "{\"xy\":null}", "{\"x\":null,\"xy\":null}",
                                          "{\"xy\":null,\"x\":null}"};
    static const int values[] = {0, 1, 2, 3, 3};
    texts items = list_of(objects, values, 5);
    texts all = arrays(&items, 0, 4, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\",\"propertyNames\":{\"pattern\":"
               "\"^xy?$\"},\"additionalProperties\":{\"type\":\"null\"}}}",
               &compact_any, &all);
    texts_free(&items);
}

static void arrays_in_arrays_are_unique_on_both_levels(void)
{
    texts bits = LIST("true", "false"), inner = arrays(&bits, 0, 2, true);
    texts all = arrays(&inner, 0, 5, true);
    const char *schema = "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"array\",\"uniqueItems\":true,"
                         "\"items\":{\"type\":\"boolean\"}}}";
    is_exactly(schema, &compact, &all);
    texts_free(&inner);
    inner = arrays(&bits, 1, 2, false);
    all = arrays(&inner, 3, 4, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"maxItems\":4,\"items\":{\"type\":\"array\","
               "\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"boolean\"}}}",
               &compact, &all);
    texts_free(&inner);
    texts single = LIST("null"), deep = arrays(&single, 0, 1, true), deeper = arrays(&deep, 0, 2, true);
    all = arrays(&deeper, 0, 5, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"array\",\"uniqueItems\":true,\"items\":{"
               "\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"null\"}}}}",
               &compact, &all);
    texts_free(&deeper);
    texts_free(&deep);
    texts_free(&single);
    texts_free(&bits);
}

/* ---- several threads ---- */

static void a_repeated_item_leaves_those_who_do_not_mind(void)
{
    texts some = LIST("\"a\"", "\"ab\"", "\"b\""), others = LIST("\"a\"", "\"c\"");
    texts all = arrays(&some, 0, 3, true), more = arrays(&others, 0, 4, false);
    for (size_t i = 0; i < more.count; i++) {
        bool known = false;
        for (size_t j = 0; j < all.count && !known; j++)
            known = strcmp(all.items[j], more.items[i]) == 0;
        if (!known)
            add_text(&all, more.items[i], 0);
    }
    is_exactly("{\"anyOf\":[{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[\"a\",\"ab\",\"b\"]}},{"
               "\"type\":\"array\",\"maxItems\":4,\"items\":{\"enum\":[\"a\",\"c\"]}}]}",
               &compact, &all);
    texts_free(&more);
    texts_free(&some);
    texts_free(&others);
}

static void those_who_do_not_mind_may_be_inside(void)
{
    /* items: unique arrays of 0, 1, or any arrays of 1; the outer array is unique */
    texts bits = LIST("true", "false"), trues = LIST("true");
    texts inner = arrays(&bits, 0, 2, true), more = arrays(&trues, 2, 3, false);
    for (size_t i = 0; i < more.count; i++)
        add_text(&inner, more.items[i], 1000 + (int)i);
    texts all = arrays(&inner, 0, 3, true);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":3,\"items\":{\"anyOf\":[{\"type\":\"array\","
               "\"uniqueItems\":true,\"items\":{\"type\":\"boolean\"}},"
               "{\"type\":\"array\",\"maxItems\":3,\"items\":{\"const\":true}}]}}",
               &compact, &all);
    texts_free(&more);
    texts_free(&inner);
    texts_free(&bits);
    texts_free(&trues);
}

static void positions_may_be_asked_different_things(void)
{
    texts bits = LIST("true", "false"),
          rest = list_of((const char *const[]){"true", "null", "\"n\""}, (const int[]){0, 7, 8}, 3), all = {0};
    const texts *const of[] = {&bits, &bits, &rest};
    add_arrays(&all, of, 2, 0, 4, true, "", NULL, 0);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":4,\"prefixItems\":[{\"type\":\"boolean\"},{"
               "\"type\":\"boolean\"}],\"items\":{\"enum\":[true,null,\"n\"]}}",
               &compact, &all);
    texts_free(&bits);
    texts_free(&rest);
}

static void counted_items_are_left_when_they_are_needed(void)
{
    texts items = LIST("\"a\"", "\"b\"", "\"c\"", "\"d\""), any = arrays(&items, 2, 3, true), all = {0};
    for (size_t i = 0; i < any.count; i++)
        if (strstr(any.items[i], "\"c\"") != NULL && strstr(any.items[i], "\"d\"") != NULL)
            add_text(&all, any.items[i], 0);
    is_exactly("{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":3,\"items\":{\"enum\":[\"a\",\"b\",\"c\",\"d\"]},"
               "\"contains\":{\"enum\":[\"c\",\"d\"]},\"minContains\":2}",
               &compact, &all);
    texts_free(&any);
    texts_free(&items);
}

/* ---- spellings ---- */

static gm_status status_of(const char *schema, const gm_schema_options *options, const char *document)
{
    small s = small_open((const char *const[]){NULL}, schema, options);
    gm_status status = GM_OK;
    for (size_t i = 0; document[i] != '\0' && status == GM_OK; i++)
        status = gm_matcher_accept(s.matcher, (uint8_t)document[i]);
    if (status == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING)
        status = GM_DEAD_END;
    small_close(&s);
    return status;
}

static void equal_values_in_other_spellings_are_equal(void)
{
    const gm_schema_options json = {.struct_size = sizeof json,
                                    .integers = GM_NUMBERS_JSON,
                                    .numbers = GM_NUMBERS_JSON,
                                    .property_order = GM_ORDER_ANY};
    const char *schema = "{\"type\":\"array\",\"uniqueItems\":true}";
    static const char *const equal[] = {"[1,1.0]",
                                        "[1,10e-1]",
                                        "[0,-0]",
                                        "[0.0,0e7]",
                                        "[\"a\",\"\\u0061\"]",
                                        "[\"\\u00e9\",\"\xc3\xa9\"]",
                                        "[\"\\/\",\"/\"]",
                                        "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1.0}]",
                                        "[[1],[1.0]]",
                                        "[ {} , { } ]",
                                        "[\"\\\"\\\\\",\"\\u0022\\u005c\"]",
                                        "[{\"a\":{\"b\":[1]}},{\"a\":{\"b\":[1.00]}}]",
                                        "[null,null]",
                                        "[1e400,10e399]"};
    static const char *const different[] = {"[1,true]",
                                            "[0,false]",
                                            "[1,\"1\"]",
                                            "[\"a\",\"A\"]",
                                            "[[],{}]",
                                            "[null,\"null\"]",
                                            "[[1],[[1]]]",
                                            "[1,-1]",
                                            "[{\"a\":1},{\"b\":1}]",
                                            "[[\"a\",\"b\"],[\"ab\"]]",
                                            "[\"\",null,[]]",
                                            "[1e400,1e401]",
                                            "[9007199254740993,9007199254740992]"};
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++)
        CHECK(status_of(schema, &json, equal[i]) == GM_REJECTED);
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        CHECK(status_of(schema, &json, different[i]) == GM_OK);
}

/* A number that may only become one that is there already is rejected where that shows. */
static void numbers_in_every_spelling_are_seen_through(void)
{
    const gm_schema_options json = {
        .struct_size = sizeof json, .integers = GM_NUMBERS_JSON, .numbers = GM_NUMBERS_JSON};
    const char *few =
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"integer\",\"minimum\":8,\"maximum\":12}}";
    CHECK(status_of(few, &json, "[8,9,11") == GM_DEAD_END);
    CHECK(status_of(few, &json, "[8,8") == GM_REJECTED);
    CHECK(status_of(few, &json, "[10,1") == GM_DEAD_END);
    CHECK(status_of(few, &json, "[10,11,12,1") == GM_REJECTED);
    CHECK(status_of(few, &json, "[10,12,1.1") == GM_DEAD_END);
    CHECK(status_of(few, &json, "[10,11,1.1") == GM_REJECTED);
    CHECK(status_of(few, &json, "[10,11,12,0.9e1,80e-1]") == GM_OK);
    CHECK(status_of(few, &json, "[10,11,12,0.9e1,80e-1,") == GM_REJECTED);
}

/* ---- what is decided before the first byte ---- */

static void too_few_values_are_found_out_at_compile(void)
{
    static const struct {
        const char *schema;
        gm_status status;
    } cases[] = {
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"items\":{\"type\":\"boolean\"}}", GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"items\":{\"type\":[\"boolean\",\"null\"]}}", GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":71,\"items\":{\"type\":\"integer\",\"minimum\":1,"
         "\"maximum\":70}}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":70,\"items\":{\"type\":\"integer\",\"minimum\":1,"
         "\"maximum\":70}}",
         GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":4,\"items\":{\"enum\":[1,1.0,\"a\",\"b\"]}}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"items\":{\"enum\":[1,1.0,\"a\",\"b\"]}}", GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":5,\"items\":{\"type\":\"string\",\"pattern\":\"^[ab]{2}"
         "$\"}}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":4,\"items\":{\"type\":\"string\",\"pattern\":\"^[ab]{2}"
         "$\"}}",
         GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":1000,\"items\":{\"type\":\"string\",\"maxLength\":3}}",
         GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":6,\"items\":{\"type\":\"array\",\"uniqueItems\":true,"
         "\"items\":{\"type\":\"boolean\"}}}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":5,\"items\":{\"type\":\"array\",\"uniqueItems\":true,"
         "\"items\":{\"type\":\"boolean\"}}}",
         GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":5,\"items\":{\"type\":\"object\",\"properties\":{\"a\":"
         "{\"type\":\"boolean\"}},\"additionalProperties\":false}}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"items\":{\"type\":\"object\",\"properties\":{\"a\":"
         "{\"type\":\"boolean\"}},\"additionalProperties\":false}}",
         GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":2,\"prefixItems\":[{\"const\":1},{\"const\":1.0}]}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"prefixItems\":[{\"enum\":[1,2,3]},{\"const\":1},{"
         "\"const\":2}]}",
         GM_UNSUPPORTED},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"prefixItems\":[{\"const\":1},{\"const\":2},{"
         "\"enum\":[1,2,3]}]}",
         GM_OK},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"prefixItems\":[{\"enum\":[1,2]},{\"enum\":[1,2]},{"
         "\"enum\":[1,2]}]}",
         GM_UNSATISFIABLE},
        /* a unique array that needs itself twice, and its base only once */
        {"{\"$defs\":{\"t\":{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":2,\"items\":{\"anyOf\":[{\"type\":"
         "\"null\"},{\"$ref\":\"#/$defs/t\"}]}}},\"$ref\":\"#/$defs/t\"}",
         GM_UNSATISFIABLE},
        {"{\"$defs\":{\"t\":{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":2,\"items\":{\"anyOf\":[{\"type\":"
         "\"boolean\"},{\"$ref\":\"#/$defs/t\"}]}}},\"$ref\":\"#/$defs/t\"}",
         GM_OK},
        {"{\"$defs\":{\"t\":{\"type\":\"array\",\"uniqueItems\":true,\"minItems\":3,\"items\":{\"anyOf\":[{\"type\":"
         "\"boolean\"},{\"$ref\":\"#/$defs/t\"}]}}},\"$ref\":\"#/$defs/t\"}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"integer\"},\"contains\":{\"enum\":[1,2]},"
         "\"minContains\":3}",
         GM_UNSATISFIABLE},
        {"{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"integer\"},\"contains\":{\"enum\":[1,2]},"
         "\"minContains\":2}",
         GM_OK},
        {"{\"not\":{\"type\":\"array\",\"uniqueItems\":true}}", GM_UNSUPPORTED},
        {"{\"not\":{\"uniqueItems\":false}}", GM_UNSATISFIABLE},
    };
    uint32_t stop;
    gm_compiler *compiler = NULL;
    gm_vocab *vocab = small_byte_vocab((const char *const[]){NULL}, &stop);
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, NULL) == GM_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_grammar *grammar = NULL;
        gm_error error;
        const gm_status status =
            gm_compile_json_schema(compiler, cases[i].schema, strlen(cases[i].schema), NULL, &grammar, &error);
        if (status != cases[i].status)
            fprintf(stderr, "%s: %s %s\n", cases[i].schema, gm_status_name(status), error.message);
        CHECK(status == cases[i].status);
        gm_grammar_release(grammar);
    }
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

/* ---- what is known at once ---- */

/* Whether the item at hand may still be one before, where these bytes lead. */
static bool may_repeat(const char *schema, const char *bytes)
{
    small s = small_open((const char *const[]){NULL}, schema, NULL);
    CHECK(small_put(s.matcher, bytes) == GM_OK);
    const bool result = gm_config_may_repeat(&s.matcher->config);
    small_close(&s);
    return result;
}

static void a_string_among_numbers_is_new_at_once(void)
{
    static const char schema[] = "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":[\"integer\",\"string\",\"array\"],"
                                 "\"pattern\":\"^[^b]*b[^b]*$\",\"minLength\":6,\"maxLength\":6}}";
    CHECK(!may_repeat(schema, "[-1,\"") && !may_repeat(schema, "[-1,[2],[\"") && !may_repeat(schema, "[\"abcdef\",1"));
    CHECK(may_repeat(schema, "[-1,2") && may_repeat(schema, "[\"abcdef\",\"a") && may_repeat(schema, "[[\"a\"],\"a"));
    CHECK(may_repeat(schema, "[[1],[") && !may_repeat(schema, "[[1],[\"a\"") && may_repeat(schema, "[[1],2"));
}

/* ---- long arrays ---- */

/* Memory of a matcher behind so many items: strings of one length. */
static size_t memory_behind(int count)
{
    char text[32];
    small s = small_open((const char *const[]){NULL},
                         "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\"}}", NULL);
    CHECK(gm_matcher_accept(s.matcher, '[') == GM_OK);
    for (int i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%s\"item %06d\"", i > 0 ? "," : "", i);
        for (size_t j = 0; text[j] != '\0'; j++)
            CHECK(gm_matcher_accept(s.matcher, (uint8_t)text[j]) == GM_OK);
    }
    const size_t memory = gm_history_memory(&s.matcher->history);
    small_close(&s);
    return memory;
}

static void long_arrays_take_memory_in_proportion(void) { CHECK(memory_behind(4000) < 5 * memory_behind(1000)); }

int main(void)
{
    RUN(strings_that_begin_alike_are_told_apart);
    RUN(integers_that_begin_alike_are_told_apart);
    RUN(values_of_different_types_differ);
    RUN(patterns_with_few_strings_run_out);
    RUN(objects_differ_whatever_the_order_of_their_members);
    RUN(counts_of_members_are_looked_through);
    RUN(names_of_families_run_out);
    RUN(arrays_in_arrays_are_unique_on_both_levels);
    RUN(a_repeated_item_leaves_those_who_do_not_mind);
    RUN(those_who_do_not_mind_may_be_inside);
    RUN(positions_may_be_asked_different_things);
    RUN(counted_items_are_left_when_they_are_needed);
    RUN(equal_values_in_other_spellings_are_equal);
    RUN(numbers_in_every_spelling_are_seen_through);
    RUN(too_few_values_are_found_out_at_compile);
    RUN(a_string_among_numbers_is_new_at_once);
    RUN(long_arrays_take_memory_in_proportion);
    return REPORT("test_unique");
}
