/* test_json_reader.c - reading, offsets of errors, equality, canonical texts, every allocation failing. */
#include "json/json.h"

#include "check.h"

static gm_arena fresh_arena(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_arena arena;
    gm_arena_init(&arena, &allocator);
    return arena;
}

/* ---- what is read ---- */

static bool text_is(const gm_json *value, gm_json_kind kind, const char *text, size_t length)
{
    return value != NULL && value->kind == kind && gm_bytes_equal(value->as.text, (gm_bytes){text, length});
}

static void values_keep_text_order_and_offsets(void)
{
    gm_arena arena = fresh_arena();
    const char *const text = " { \"z\" : [ -0.50e+07 , true , false , null , \"\" , {} , [] ] , \"\\u0061\" : 1 } \n";
    const gm_json *root = NULL;
    CHECK(gm_json_read(&arena, text, strlen(text), 10, &root, NULL) == GM_OK);
    CHECK(root->kind == GM_JSON_OBJECT && root->count == 2 && root->offset == 1);
    CHECK(gm_bytes_equal(root->as.members[0].key, GM_BYTES("z")));
    CHECK(gm_bytes_equal(root->as.members[1].key, GM_BYTES("a")));
    const gm_json *list = gm_json_get(root, GM_BYTES("z"));
    CHECK(list == root->as.members[0].value && list->kind == GM_JSON_ARRAY && list->count == 7);
    CHECK(text_is(list->as.items[0], GM_JSON_NUMBER, "-0.50e+07", 9) && list->as.items[0]->offset == 11);
    CHECK(list->as.items[1]->kind == GM_JSON_TRUE && list->as.items[1]->offset == 23);
    CHECK(list->as.items[2]->kind == GM_JSON_FALSE && list->as.items[3]->kind == GM_JSON_NULL);
    CHECK(gm_json_is_boolean(list->as.items[2]) && !gm_json_is_boolean(list->as.items[3]));
    CHECK(text_is(list->as.items[4], GM_JSON_STRING, "", 0));
    CHECK(list->as.items[5]->kind == GM_JSON_OBJECT && list->as.items[5]->count == 0);
    CHECK(list->as.items[6]->kind == GM_JSON_ARRAY && list->as.items[6]->count == 0);
    CHECK(text_is(gm_json_get(root, GM_BYTES("a")), GM_JSON_NUMBER, "1", 1));
    CHECK(gm_json_get(root, GM_BYTES("b")) == NULL && gm_json_get(list, GM_BYTES("z")) == NULL);
    gm_arena_destroy(&arena);
}

static void strings_are_decoded_to_utf8(void)
{
    static const struct {
        const char *text;
        gm_bytes decoded;
    } cases[] = {
        {"\"\"", {"", 0}},
        {"\"plain text of more than eight bytes\"", {"plain text of more than eight bytes", 35}},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", {"\"\\/\b\f\n\r\t", 8}},
        {"\"a\\u0000b\"", {"a\0b", 3}},
        {"\"\\u0022\\u005c\"", {"\"\\", 2}},
        {"\"\\u007f\\u0080\\u07fF\\u0800\\uffff\"", {"\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", 11}},
        {"\"\\uD83D\\ude00!\"", {"\xF0\x9F\x98\x80!", 5}},
        {"\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8}},
        {"\"1234567\xC3\xA9\\n7654321\x7F\"", {"1234567\xC3\xA9\n7654321\x7F", 18}},
        {"\"\xF0\x9F\x98\x80\xEF\xBB\xBF\"", {"\xF0\x9F\x98\x80\xEF\xBB\xBF", 7}}, /* no mark inside a string */
    };
    gm_arena arena = fresh_arena();
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        const gm_json *root = NULL;
        CHECK(gm_json_read(&arena, cases[i].text, strlen(cases[i].text), 0, &root, NULL) == GM_OK);
        CHECK(text_is(root, GM_JSON_STRING, cases[i].decoded.data, cases[i].decoded.length));
    }
    gm_arena_destroy(&arena);
}

/* ---- errors ---- */

static void errors_name_the_byte(void)
{
    static const struct {
        const char *text;
        uint64_t offset;
    } cases[] = {
        {"", 0}, {"  ", 2}, {"\xEF\xBB\xBF{}", 0}, {" \xEF\xBB\xBF{}", 1}, {"{} x", 3}, {"1 2", 2}, {"\v1", 0},
        {"nul", 3}, {"nulx", 3}, {"nullx", 4}, {"True", 0}, {"tRue", 1}, {"NaN", 0}, {"Infinity", 0}, {"-Infinity", 1},
        {"01", 1}, {"-", 1}, {"-01", 2}, {"+1", 0}, {".5", 0}, {"1.", 2}, {"1.e1", 2}, {"1e", 2}, {"1e+", 3}, {"1e1.5", 3},
        {"0x10", 1}, {"1_0", 1}, {"[", 1}, {"[1", 2}, {"[1,", 3}, {"[1,]", 3}, {"[,1]", 1}, {"[1 2]", 3}, {"[1}", 2},
        {"{", 1}, {"{\"a\"", 4}, {"{\"a\":", 5}, {"{\"a\":1", 6}, {"{\"a\":1,", 7}, {"{\"a\":1,}", 7}, {"{a:1}", 1},
        {"{'a':1}", 1}, {"{\"a\" 1}", 5}, {"{\"a\":}", 5}, {"{1:2}", 1}, {"{\"a\":1]", 6}, {"{,}", 1}, {"]", 0}, {"[]]", 2},
        {"// x\n1", 0}, {"1/**/", 1}, {"'a'", 0},
        {"\"abc", 4}, {"\"abcdefghijk", 12}, {"\"a\\", 3}, {"\"a\\x\"", 3}, {"\"\\u12g4\"", 5}, {"\"\\u12", 5}, {"\"\\U0041\"", 2},
        {"\"a\nb\"", 2}, {"\"a\x1F\"", 2}, {"\"12345678\t\"", 9},
        {"\"\\uD800\"", 1}, {"\"ab\\uDC00\"", 3}, {"\"\\uD800\\n\"", 1}, {"\"\\uD800\\u0041\"", 1}, {"\"\\uD800\\uD800\\uDC00\"", 1},
        {"\"\\uD800\\uDC0\"", 12}, {"\"\\uDBFF\\uE000\"", 1},
        {"\"\x80\"", 1}, {"\"a\xC0\x80\"", 2}, {"\"\xED\xA0\x80\"", 1}, {"\"\xF4\x90\x80\x80\"", 1}, {"\"\xE2\x82\"", 1},
        {"\"12345678\xFF\"", 9}, {"\xC3\xA9", 0}, {"[\xC2\xA0]", 1},
        {"{\"a\":1,\"a\":2}", 7}, {"{\"a\":1,\"b\":1, \"\\u0061\":2}", 14}, {"{\"x\":{\"\":1,\"\":2},\"y\":0}", 11},
        {"{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"e\":0}", 55},
    };
    gm_arena arena = fresh_arena();
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        const gm_json *root = NULL;
        gm_error error = {0};
        CHECK(gm_json_read(&arena, cases[i].text, strlen(cases[i].text), 100, &root, &error) == GM_INVALID_SCHEMA);
        CHECK(root == NULL && error.status == GM_INVALID_SCHEMA && error.message[0] != '\0');
        CHECK(arena.chunk == NULL);
        if (error.offset != cases[i].offset)
            fprintf(stderr, "%s: offset %d, not %d\n", cases[i].text, (int)error.offset, (int)cases[i].offset);
        CHECK(error.offset == cases[i].offset);
    }
    gm_arena_destroy(&arena);
}

static void nul_bytes_do_not_end_a_text(void)
{
    gm_arena arena = fresh_arena();
    const gm_json *root;
    gm_error error;
    CHECK(gm_json_read(&arena, "1\0", 2, 1, &root, &error) == GM_INVALID_SCHEMA && error.offset == 1);
    CHECK(gm_json_read(&arena, "\"a\0\"", 4, 1, &root, &error) == GM_INVALID_SCHEMA && error.offset == 2);
    CHECK(gm_json_read(&arena, "\"\\\0\"", 4, 1, &root, &error) == GM_INVALID_SCHEMA && error.offset == 2);
    CHECK(gm_json_read(&arena, "[\0]", 3, 1, &root, &error) == GM_INVALID_SCHEMA && error.offset == 1);
    CHECK(gm_json_read(&arena, NULL, 0, 1, &root, &error) == GM_INVALID_SCHEMA && error.offset == 0);
    gm_arena_destroy(&arena);
}

static void an_error_leaves_what_was_in_the_arena(void)
{
    gm_arena arena = fresh_arena();
    char *const before = gm_arena_text(&arena, GM_BYTES("before"));
    const gm_arena_mark mark = gm_arena_save(&arena);
    const gm_json *root = NULL;
    CHECK(gm_json_read(&arena, "[1,[2,{\"a\":[3]}]", 16, 9, &root, NULL) == GM_INVALID_SCHEMA);
    const gm_arena_mark after = gm_arena_save(&arena);
    CHECK(after.chunk == mark.chunk && after.used == mark.used && strcmp(before, "before") == 0);
    gm_arena_destroy(&arena);
}

/* ---- depth ---- */

static void depth_is_bounded_by_the_limit_alone(void)
{
    enum { DEPTH = 100000 };
    char *const text = malloc(6 * DEPTH);
    size_t length = 0;
    for (size_t i = 0; i < DEPTH; i++) {
        memcpy(text + length, i % 2 != 0 ? "{\"\":" : "[", i % 2 != 0 ? 4 : 1);
        length += i % 2 != 0 ? 4 : 1;
    }
    for (size_t i = DEPTH; i-- > 0;)
        text[length++] = i % 2 != 0 ? '}' : ']';
    /* The innermost container is an object, which needs a value. */
    memmove(text + length - DEPTH + 1, text + length - DEPTH, DEPTH);
    text[length - DEPTH] = '0';
    length++;

    gm_arena arena = fresh_arena();
    const gm_json *root = NULL;
    const gm_json *twin = NULL;
    gm_error error;
    CHECK(gm_json_read(&arena, text, length, DEPTH - 1, &root, &error) == GM_LIMIT && root == NULL);
    CHECK(error.offset == DEPTH / 2 * 5 - 4 && strstr(error.message, "max_nesting") != NULL);
    CHECK(gm_json_read(&arena, text, length, DEPTH, &root, &error) == GM_OK);
    CHECK(gm_json_read(&arena, text, length, DEPTH, &twin, &error) == GM_OK);
    size_t depth = 0;
    for (const gm_json *at = root; at->kind != GM_JSON_NUMBER; depth++)
        at = at->kind == GM_JSON_ARRAY ? at->as.items[0] : at->as.members[0].value;
    CHECK(depth == DEPTH);
    bool equal = false;
    CHECK(gm_json_equal(&arena, root, twin, &equal) == GM_OK && equal);
    gm_bytes canonical;
    CHECK(gm_json_canonical(&arena, root, &canonical) == GM_OK && canonical.length == DEPTH / 2 * (2 + 5) + 3);
    gm_arena_destroy(&arena);
    free(text);
}

static void scalars_need_no_depth(void)
{
    gm_arena arena = fresh_arena();
    const gm_json *root;
    CHECK(gm_json_read(&arena, "1", 1, 0, &root, NULL) == GM_OK);
    CHECK(gm_json_read(&arena, "[]", 2, 0, &root, NULL) == GM_LIMIT);
    CHECK(gm_json_read(&arena, "[[],[],{}]", 10, 2, &root, NULL) == GM_OK);
    gm_arena_destroy(&arena);
}

/* ---- many members ---- */

/* An object of `count` members "k0".."kN" with their numbers, each key written with an escape. */
static size_t write_large_object(char *text, size_t count, size_t doubled)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += (size_t)sprintf(text + length, "%c\"\\u006B%zu\":%zu", i == 0 ? '{' : ',', i == doubled ? 0 : i, i);
    text[length++] = '}';
    return length;
}

static void members_are_found_in_objects_of_any_size(void)
{
    static char text[20000 * 24];
    for (size_t count = 1; count <= 20000; count = count < 40 ? count + 1 : count * 5) {
        gm_arena arena = fresh_arena();
        const gm_json *root = NULL;
        const size_t length = write_large_object(text, count, SIZE_MAX);
        CHECK(gm_json_read(&arena, text, length, 1, &root, NULL) == GM_OK && root->count == count);
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            char key[24];
            sprintf(key, "k%zu", i);
            found += gm_json_get(root, gm_bytes_of(key)) == root->as.members[i].value;
        }
        CHECK(found == count && gm_json_get(root, GM_BYTES("k")) == NULL && gm_json_get(root, GM_BYTES("")) == NULL);
        gm_arena_destroy(&arena);
    }
}

static void a_doubled_key_is_found_in_objects_of_any_size(void)
{
    static char text[12000 * 24];
    for (size_t count = 2; count <= 12000; count = count < 40 ? count + 1 : count * 3) {
        gm_arena arena = fresh_arena();
        const gm_json *root = NULL;
        gm_error error = {0};
        const size_t length = write_large_object(text, count, count - 1);
        CHECK(gm_json_read(&arena, text, length, 1, &root, &error) == GM_INVALID_SCHEMA);
        CHECK(error.offset < length && memcmp(text + error.offset, "\"\\u006B0\":", 10) == 0 &&
              (error.offset > 1 || count == 1));
        gm_arena_destroy(&arena);
    }
}

/* ---- equality and canonical texts ---- */

/* Whether two texts have equal values; checks that both functions agree and give all scratch back. */
static bool are_equal(const char *a, const char *b)
{
    gm_arena arena = fresh_arena();
    const gm_json *left = NULL;
    const gm_json *right = NULL;
    CHECK(gm_json_read(&arena, a, strlen(a), 100, &left, NULL) == GM_OK);
    CHECK(gm_json_read(&arena, b, strlen(b), 100, &right, NULL) == GM_OK);
    const gm_arena_mark mark = gm_arena_save(&arena);
    bool equal = false;
    bool reverse = true;
    CHECK(gm_json_equal(&arena, left, right, &equal) == GM_OK);
    CHECK(gm_json_equal(&arena, right, left, &reverse) == GM_OK && equal == reverse);
    CHECK(gm_arena_save(&arena).chunk == mark.chunk && gm_arena_save(&arena).used == mark.used);
    gm_bytes first = {0};
    gm_bytes second = {0};
    CHECK(gm_json_canonical(&arena, left, &first) == GM_OK && gm_json_canonical(&arena, right, &second) == GM_OK);
    CHECK(gm_bytes_equal(first, second) == equal);
    gm_arena_destroy(&arena);
    return equal;
}

static void values_are_equal_as_json_schema_says(void)
{
    CHECK(are_equal("[1,2]", "[1.0,20e-1]") && !are_equal("[1,2]", "[2,1]") && !are_equal("[1]", "[1,1]"));
    CHECK(are_equal("{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1}"));
    CHECK(!are_equal("{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}") && !are_equal("{\"a\":1}", "{\"b\":1}"));
    CHECK(!are_equal("{\"a\":null}", "{}") && !are_equal("{}", "[]") && !are_equal("0", "false") && !are_equal("0", "\"0\""));
    CHECK(are_equal("\"\\u00e9\"", "\"\xC3\xA9\"") && !are_equal("\"e\\u0301\"", "\"\\u00e9\""));
    CHECK(!are_equal("[[1],2]", "[[1,2]]") && !are_equal("[\"a\",\"b\"]", "[\"a\\\",\\\"b\"]") && !are_equal("[1,2]", "[12]"));
    CHECK(!are_equal("{\"a\":{\"b\":1}}", "{\"a\":{},\"b\":1}") && are_equal("{\"b\":{\"d\":0,\"c\":[]},\"a\":1}", "{\"a\":1,\"b\":{\"c\":[],\"d\":0}}"));
    CHECK(are_equal("null", " null ") && are_equal("[[[]],[]]", "[[[]],[]]") && !are_equal("[[[]],[]]", "[[],[[]]]"));
}

static void numbers_are_compared_by_value(void)
{
    CHECK(are_equal("1", "1.0") && are_equal("1", "10e-1") && are_equal("1E2", "100") && are_equal("-0", "0.00e99"));
    CHECK(!are_equal("1", "-1") && !are_equal("10", "1") && !are_equal("0.1", "0.10000000000000001"));
    CHECK(!are_equal("9007199254740993", "9007199254740992") && are_equal("9007199254740993", "90071992547409.93e2"));
    CHECK(are_equal("1e1000000000000000000", "10e999999999999999999"));
    CHECK(are_equal("0.1e1000000000000000000", "1e999999999999999999"));
    CHECK(are_equal("1e-1000000000000000000", "0.1e-999999999999999999") && are_equal("100e-1000000000000000001", "1e-999999999999999999"));
    CHECK(are_equal("1e99999999999999999999999999999999", "10e99999999999999999999999999999998"));
    CHECK(are_equal("1e100000000000000000000000000000000", "10e99999999999999999999999999999999"));
    CHECK(!are_equal("1e99999999999999999999999999999999", "1e-99999999999999999999999999999999"));
    CHECK(!are_equal("1e99999999999999999999999999999999", "1e99999999999999999999999999999998"));
    CHECK(are_equal("1e+0000000000000000000000000000000000007", "10000000") && are_equal("0e99999999999999999999", "-0.0"));
}

/* A second opinion on short numbers: (mantissa, exponent) in machine integers. */
static void small_canonical(const char *text, char *out)
{
    long mantissa = 0;
    long exponent = 0;
    const char *at = text + (*text == '-');
    bool after_point = false;
    for (; *at != '\0' && *at != 'e'; at++) {
        if (*at == '.') {
            after_point = true;
            continue;
        }
        mantissa = mantissa * 10 + (*at - '0');
        exponent -= after_point;
    }
    if (*at == 'e')
        exponent += strtol(at + 1, NULL, 10);
    while (mantissa != 0 && mantissa % 10 == 0) {
        mantissa /= 10;
        exponent++;
    }
    sprintf(out, "%s%lde%ld", *text == '-' && mantissa != 0 ? "-" : "", mantissa, mantissa == 0 ? 0 : exponent);
}

static void every_short_number_has_its_canonical_text(void)
{
    static const char letters[] = "0190.e-+";
    enum { LETTERS = sizeof letters - 1, LONGEST = 6 };
    gm_arena arena = fresh_arena();
    size_t numbers = 0;
    for (size_t length = 1; length <= LONGEST; length++) {
        size_t words = 1;
        for (size_t i = 0; i < length; i++)
            words *= LETTERS;
        for (size_t word = 0; word < words; word++) {
            char text[LONGEST + 1] = {0};
            size_t rest = word;
            for (size_t i = 0; i < length; i++, rest /= LETTERS)
                text[i] = letters[rest % LETTERS];
            const gm_json *value;
            const gm_arena_mark mark = gm_arena_save(&arena);
            if (gm_json_read(&arena, text, length, 0, &value, NULL) == GM_OK) {
                char expected[48];
                gm_bytes canonical = {0};
                small_canonical(text, expected);
                CHECK(gm_json_canonical(&arena, value, &canonical) == GM_OK && gm_bytes_equal(canonical, gm_bytes_of(expected)));
                numbers++;
            }
            gm_arena_rewind(&arena, mark);
        }
    }
    CHECK(numbers > 5000);
    gm_arena_destroy(&arena);
}

/* ---- memory ---- */

static const char *const every_part =
    "{\"a\":[1,2.50,{\"b\":\"\\u00e9\\ud83d\\ude00\"},[[[]]]],\"c\":{\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,"
    "\"7\":0,\"8\":0,\"9\":0,\"10\":0},\"d\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
    "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}";

static void every_allocation_may_fail(void)
{
    bool done = false;
    for (long budget = 0; !done; budget++) {
        failing_allocator state = {.budget = budget};
        const gm_allocator allocator = failing_allocator_of(&state);
        gm_arena arena;
        gm_arena_init(&arena, &allocator);
        const gm_json *root = NULL;
        const gm_json *twin = NULL;
        gm_bytes canonical = {0};
        bool equal = false;
        gm_error error = {0};
        gm_status status = gm_json_read(&arena, every_part, strlen(every_part), 50, &root, &error);
        CHECK((status == GM_OK) == (root != NULL) && (root != NULL || arena.chunk == NULL));
        CHECK(status == error.status);
        if (status == GM_OK)
            status = gm_json_read(&arena, every_part, strlen(every_part), 50, &twin, &error);
        if (status == GM_OK)
            status = gm_json_equal(&arena, root, twin, &equal);
        if (status == GM_OK) {
            CHECK(equal);
            status = gm_json_canonical(&arena, root, &canonical);
        }
        CHECK(status == GM_OK || status == GM_OUT_OF_MEMORY);
        done = status == GM_OK;
        gm_arena_destroy(&arena);
        CHECK(state.live == 0 && arena.reserved == 0);
        CHECK(budget < 1000);
    }
}

static void a_spent_budget_is_out_of_memory(void)
{
    size_t refused = 0;
    bool is_read = false;
    for (size_t budget = 0; !is_read && budget < 1 << 20; budget += 64) {
        gm_arena arena = fresh_arena();
        arena.budget = budget;
        const gm_json *root = NULL;
        const gm_status status = gm_json_read(&arena, every_part, strlen(every_part), 50, &root, NULL);
        is_read = status == GM_OK;
        refused += !is_read;
        CHECK(is_read ? root != NULL : status == GM_OUT_OF_MEMORY && root == NULL && arena.chunk == NULL);
        gm_arena_destroy(&arena);
    }
    CHECK(is_read && refused > 8);
}

int main(void)
{
    RUN(values_keep_text_order_and_offsets);
    RUN(strings_are_decoded_to_utf8);
    RUN(errors_name_the_byte);
    RUN(nul_bytes_do_not_end_a_text);
    RUN(an_error_leaves_what_was_in_the_arena);
    RUN(depth_is_bounded_by_the_limit_alone);
    RUN(scalars_need_no_depth);
    RUN(members_are_found_in_objects_of_any_size);
    RUN(a_doubled_key_is_found_in_objects_of_any_size);
    RUN(values_are_equal_as_json_schema_says);
    RUN(numbers_are_compared_by_value);
    RUN(every_short_number_has_its_canonical_text);
    RUN(every_allocation_may_fail);
    RUN(a_spent_budget_is_out_of_memory);
    return REPORT("test_json_reader");
}
