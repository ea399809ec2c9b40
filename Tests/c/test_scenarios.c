/*
 * test_scenarios.c - what went wrong for users of such engines, one test a scenario.
 *
 * Numbers stand before the tests. Left to the tests of what is built later: 11, 15, 44, 45 (text
 * and tags as grammars), 23 for keywords still refused, 27 (default maxima), 28 (shortest end), 35
 * (EBNF), 43 (draft trees), 51 (events). 38 is a measurement, 40 is test_vocab_saved.c, 41 is
 * test_threads.c, 52 is the build.
 */
#include "small_vocabulary.h"

#include <time.h>

static const gm_schema_options compact = {.struct_size = sizeof compact, .whitespace = GM_WHITESPACE_COMPACT};
static const gm_schema_options any_json = {.struct_size = sizeof any_json,
                                           .property_order = GM_ORDER_ANY,
                                           .max_whitespace = GM_WHITESPACE_UNLIMITED,
                                           .integers = GM_NUMBERS_JSON,
                                           .numbers = GM_NUMBERS_JSON};

/* 1, 18 */
static void a_refused_token_leaves_the_mask_as_it_was(void)
{
    static const char *const texts[] = {"\"ab", "\"aX", NULL};
    uint32_t before[SMALL_WORDS], after[SMALL_WORDS];
    small s = small_open(texts, "{\"const\":\"abc\"}", NULL);
    CHECK(small_mask_is_exact(s.matcher, before));
    CHECK(gm_matcher_accept(s.matcher, 257) == GM_REJECTED);
    CHECK(small_mask_is_exact(s.matcher, after) && small_same_words(before, after));
    CHECK(gm_matcher_token_count(s.matcher) == 0);
    CHECK(gm_matcher_accept(s.matcher, 256) == GM_OK && small_put(s.matcher, "c\"") == GM_OK);
    small_close(&s);
}

/* 2 */
static void rollback_takes_back_a_stop_token_as_one_token(void)
{
    static const char *const texts[] = {"true", NULL};
    uint32_t fresh[SMALL_WORDS], done[SMALL_WORDS], words[SMALL_WORDS];
    small s = small_open(texts, "{\"type\":\"boolean\"}", NULL);
    CHECK(small_mask_is_exact(s.matcher, fresh));
    CHECK(gm_matcher_accept(s.matcher, 256) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, done));
    CHECK(gm_matcher_accept(s.matcher, s.stop) == GM_OK && gm_matcher_state(s.matcher) == GM_STOPPED);
    CHECK(gm_matcher_token_count(s.matcher) == 2);
    CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK && gm_matcher_state(s.matcher) == GM_COMPLETE);
    CHECK(small_mask_is_exact(s.matcher, words) && small_same_words(words, done));
    CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING);
    CHECK(small_mask_is_exact(s.matcher, words) && small_same_words(words, fresh));
    small_close(&s);
}

/* 3 */
static void rollback_counts_tokens_and_not_bytes(void)
{
    static const char *const texts[] = {"{\"a\"", ":", "[1,2", NULL};
    uint32_t masks[4][SMALL_WORDS], words[SMALL_WORDS];
    small s = small_open(texts, "{\"type\":\"object\",\"required\":[\"a\"]}", NULL);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(small_mask_is_exact(s.matcher, masks[i]));
        CHECK(gm_matcher_accept(s.matcher, 256 + i) == GM_OK);
    }
    for (uint32_t i = 3; i-- > 0;) {
        CHECK(gm_matcher_rollback(s.matcher, 4) == GM_INVALID_ARGUMENT);
        CHECK(gm_matcher_token_count(s.matcher) == i + 1);
        CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words) && small_same_words(words, masks[i]));
    }
    small_close(&s);
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Accepts tokens, eight of them rolled back at each; the time for `count` of them. */
static double drafts_time(size_t count)
{
    small s = small_open(NULL, "{\"type\":\"string\"}", NULL);
    CHECK(small_put(s.matcher, "\"") == GM_OK);
    const double start = seconds();
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 8; k++)
            CHECK(gm_matcher_accept(s.matcher, 'a') == GM_OK);
        CHECK(gm_matcher_rollback(s.matcher, 8) == GM_OK);
        CHECK(gm_matcher_accept(s.matcher, 'b') == GM_OK);
    }
    const double taken = seconds() - start;
    CHECK(gm_matcher_rollback(s.matcher, count) == GM_OK && gm_matcher_token_count(s.matcher) == 1);
    small_close(&s);
    return taken;
}

/* 4 */
static void rollback_does_not_cost_more_the_longer_the_text(void)
{
    const double few = drafts_time(10000), many = drafts_time(80000);
    CHECK(many < 8 * few * 4 + 0.2);
}

/* 5 */
static void tokens_after_the_end_change_nothing(void)
{
    uint32_t words[SMALL_WORDS];
    gm_mask mask;
    size_t prefix = 9, accepted = 9;
    small s = small_open(NULL, "{}", NULL);
    CHECK(gm_matcher_accept(s.matcher, '1') == GM_OK && gm_matcher_accept(s.matcher, s.stop) == GM_OK);
    CHECK(gm_matcher_accept(s.matcher, '2') == GM_TERMINATED);
    CHECK(gm_matcher_accept(s.matcher, s.stop) == GM_TERMINATED);
    CHECK(gm_matcher_would_accept(s.matcher, '2') == GM_TERMINATED);
    CHECK(gm_matcher_accept_bytes(s.matcher, (const uint8_t *)"2", 1, &accepted) == GM_TERMINATED && accepted == 0);
    CHECK(gm_matcher_fill(s.matcher, words, SMALL_WORDS) == GM_TERMINATED);
    CHECK(gm_matcher_mask(s.matcher, &mask) == GM_TERMINATED && mask.kind == GM_MASK_NONE && mask.allowed_count == 0);
    const uint32_t drafts[] = {'2', '3'};
    CHECK(gm_matcher_would_accept_many(s.matcher, drafts, 2, &prefix) == GM_OK && prefix == 0);
    CHECK(gm_matcher_token_count(s.matcher) == 2 && gm_matcher_state(s.matcher) == GM_STOPPED);
    CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK && gm_matcher_accept(s.matcher, '2') == GM_OK);
    small_close(&s);
}

/* 6 */
static void every_stop_token_is_known_and_none_is_text(void)
{
    static const char *const texts[] = {"<end>", NULL};
    uint32_t words[SMALL_WORDS];
    small s = small_open(texts, "{\"type\":\"string\"}", NULL);
    const uint32_t stops[] = {s.stop, 256};
    const gm_matcher_options options = {
        .struct_size = sizeof options, .own_stop_set = true, .stop = stops, .stop_count = 2};
    gm_matcher *matcher = NULL;
    CHECK(gm_matcher_create(s.grammar, &options, &matcher, NULL) == GM_OK);
    CHECK(small_put(matcher, "\"ab") == GM_OK && small_put(s.matcher, "\"ab") == GM_OK);
    CHECK(small_mask_is_exact(matcher, words) && !small_bit(words, 256) && !small_bit(words, s.stop));
    CHECK(gm_matcher_accept(matcher, 256) == GM_REJECTED);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 256)); /* there it is text */
    CHECK(small_put(matcher, "\"") == GM_OK);
    CHECK(small_mask_is_exact(matcher, words) && small_bit(words, 256) && small_bit(words, s.stop));
    CHECK(gm_matcher_accept(matcher, 256) == GM_OK && gm_matcher_state(matcher) == GM_STOPPED);
    gm_matcher_destroy(matcher);
    small_close(&s);
}

/* 8 */
static void tokens_one_by_one_or_together_are_the_same(void)
{
    small s = small_open(NULL, "{\"const\":\"a\"}", NULL);
    const uint32_t tokens[] = {'"', 'a', '"', s.stop};
    size_t prefix = 0;
    CHECK(gm_matcher_would_accept_many(s.matcher, tokens, 4, &prefix) == GM_OK && prefix == 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK(gm_matcher_would_accept_many(s.matcher, tokens + i, 4 - i, &prefix) == GM_OK && prefix == 4 - i);
        CHECK(gm_matcher_accept(s.matcher, tokens[i]) == GM_OK);
    }
    CHECK(gm_matcher_state(s.matcher) == GM_STOPPED);
    small_close(&s);
}

/* 9 */
static void a_complete_document_allows_the_stop_tokens_alone(void)
{
    static const char *const schemas[] = {"{\"type\":\"integer\",\"const\":1}", "{\"const\":\"a\"}", "{\"const\":[]}", "{\"const\":null}",
                                          "{\"type\":\"integer\",\"minimum\":12,\"maximum\":12}"};
    static const char *const documents[] = {"1", "\"a\"", "[]", "null", "12"};
    uint32_t words[SMALL_WORDS];
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++) {
        small s = small_open(NULL, schemas[i], &compact);
        const gm_matcher_options none = {.struct_size = sizeof none, .own_stop_set = true};
        gm_matcher *matcher = NULL;
        CHECK(gm_matcher_create(s.grammar, &none, &matcher, NULL) == GM_OK);
        CHECK(small_put(s.matcher, documents[i]) == GM_OK && small_put(matcher, documents[i]) == GM_OK);
        CHECK(gm_matcher_state(s.matcher) == GM_COMPLETE);
        CHECK(small_mask_is_exact(s.matcher, words));
        for (uint32_t id = 0; id < SMALL_MOST; id++)
            CHECK(small_bit(words, id) == (id == s.stop));
        CHECK(gm_matcher_state(matcher) == GM_STOPPED);
        CHECK(gm_matcher_fill(matcher, words, SMALL_WORDS) == GM_TERMINATED);
        CHECK(gm_matcher_accept(matcher, '1') == GM_TERMINATED);
        CHECK(gm_matcher_would_accept(matcher, 'x') == GM_TERMINATED);
        CHECK(small_put(matcher, "1") == GM_TERMINATED);
        gm_matcher_destroy(matcher);
        small_close(&s);
    }
}

/* 10 */
static void accept_tells_the_end_before_the_token_is_shown(void)
{
    small s = small_open(NULL, "{\"type\":\"object\",\"additionalProperties\":false}", NULL);
    CHECK(gm_matcher_accept(s.matcher, '{') == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING);
    CHECK(gm_matcher_accept(s.matcher, '}') == GM_OK && gm_matcher_state(s.matcher) == GM_COMPLETE);
    CHECK(gm_matcher_accept(s.matcher, s.stop) == GM_OK && gm_matcher_state(s.matcher) == GM_STOPPED);
    small_close(&s);
}

/* 12 */
static void bits_past_the_vocabulary_are_zero_whatever_was_there(void)
{
    static const size_t widths[] = {300, 320, 384};
    for (size_t i = 0; i < GM_COUNT_OF(widths); i++) {
        const char *texts[300];
        char letters[300][2];
        uint32_t words[SMALL_WORDS];
        for (size_t j = 0; j < 290; j++) {
            letters[j][0] = (char)(j % 94 + 33);
            letters[j][1] = '\0';
            texts[j] = letters[j];
        }
        const uint32_t stop = 289;
        gm_vocab *vocab = small_vocab_of(texts, 290, (gm_vocab_desc){.logit_width = widths[i], .stop = &stop, .stop_count = 1});
        small s = small_compile(vocab, 289, "{\"type\":\"string\"}", NULL);
        CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
        CHECK(small_put(s.matcher, "\"") == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words));
        for (uint32_t id = 290; id < SMALL_MOST; id++)
            CHECK(!small_bit(words, id));
        CHECK(gm_matcher_accept(s.matcher, 290) == GM_REJECTED);
        small_close(&s);
    }
}

/* 13 */
static void ids_outside_the_vocabulary_are_rejected(void)
{
    uint32_t before[SMALL_WORDS], after[SMALL_WORDS];
    small s = small_open(NULL, "{\"type\":\"string\"}", NULL);
    const uint32_t ids[] = {(uint32_t)-1, s.stop + 1, 1u << 31, 0x10000u + '"', 1u << 30};
    CHECK(small_mask_is_exact(s.matcher, before));
    for (size_t i = 0; i < GM_COUNT_OF(ids); i++) {
        CHECK(gm_matcher_accept(s.matcher, ids[i]) == GM_REJECTED);
        CHECK(gm_matcher_would_accept(s.matcher, ids[i]) == GM_REJECTED);
    }
    CHECK(gm_matcher_token_count(s.matcher) == 0);
    CHECK(small_mask_is_exact(s.matcher, after) && small_same_words(before, after));
    small_close(&s);
}

/* 14 */
static void special_tokens_are_never_text(void)
{
    const char *const texts[] = {"\"", "a", "<unused7>", "[control_3]", "<|end|>", "b", "zz", "<x>", " \n", ""};
    const uint8_t flags[] = {0, 0, GM_TOKEN_UNUSED, GM_TOKEN_CONTROL, 0, GM_TOKEN_UNKNOWN, GM_TOKEN_CONTINUATION,
                             GM_TOKEN_ADDED, GM_TOKEN_ADDED, 0};
    const uint32_t special = 4;
    uint32_t words[SMALL_WORDS];
    gm_vocab *vocab = small_vocab_of(texts, GM_COUNT_OF(texts),
                                     (gm_vocab_desc){.flags = flags, .special = &special, .special_count = 1});
    small s = small_compile(vocab, 4, "{\"type\":\"string\"}", NULL);
    CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    CHECK(small_put(s.matcher, "\"a") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words));
    CHECK(small_bit(words, 0) && small_bit(words, 1) && small_bit(words, 6));
    for (uint32_t id = 2; id < 10; id++)
        if (id != 6) {
            CHECK(!small_bit(words, id));
            CHECK(gm_matcher_accept(s.matcher, id) == GM_REJECTED);
        }
    small_close(&s);
}

/* 16 */
static void three_spellings_of_one_vocabulary_give_one_mask(void)
{
    static const char *const spelled[3][9] = {
        {"\"", " ", "\n", "\x80", "a b", "{", "\xE2", "\x82", "["},
        {"\"", "\xC4\xA0", "\xC4\x8A", "\xC4\xA2", "a\xC4\xA0"
                                                   "b",
         "{", "\xC3\xA2", "\xC4\xA4", "["}, /* U+0120, U+010A, U+0122, U+00E2, U+0124 */
        {"\"", "\xE2\x96\x81", "<0x0A>", "<0x80>", "a\xE2\x96\x81"
                                                   "b",
         "{", "<0xE2>", "<0x82>", "["}};
    uint32_t words[3][SMALL_WORDS];
    for (int i = 0; i < 3; i++) {
        gm_vocab *vocab = small_vocab_of(spelled[i], 9, (gm_vocab_desc){.spelling = (gm_spelling)i});
        const uint8_t *bytes;
        size_t length;
        for (uint32_t id = 0; id < 9; id++) {
            CHECK(gm_vocab_token(vocab, id, &bytes, &length, NULL) == GM_OK);
            CHECK(length == strlen(spelled[0][id]) && memcmp(bytes, spelled[0][id], length) == 0);
        }
        small s = small_compile(vocab, 9, "{\"type\":\"string\"}", NULL);
        CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
        CHECK(small_put(s.matcher, "\"\xE2\x82") == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words[i]) && small_bit(words[i], 3) && !small_bit(words[i], 4));
        CHECK(small_put(s.matcher, "\x80") == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words[i]) && small_bit(words[i], 4) && !small_bit(words[i], 3) &&
              !small_bit(words[i], 2));
        small_close(&s);
    }
    CHECK(small_same_words(words[0], words[1]) && small_same_words(words[0], words[2]));
}

/* 17 */
static void characters_may_be_split_over_tokens_and_ill_formed_ones_never_begin(void)
{
    static const char *const texts[] = {"\xF0\x9F\x98\x80\xF0", "\x9F\x98", "\xC0\x80", "\xED\xA0", "\xF4\x90", "\xF5", NULL};
    uint32_t words[SMALL_WORDS];
    small s = small_open(texts, "{\"type\":\"string\",\"pattern\":\"^[\\ud83d\\ude00-\\ud83d\\ude4f]*$\"}", NULL);
    CHECK(small_put(s.matcher, "\"") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words));
    CHECK(small_bit(words, 256) && small_bit(words, 0xF0) && !small_bit(words, 0xF1) && !small_bit(words, 0xC2));
    CHECK(gm_matcher_accept(s.matcher, 256) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 257) && !small_bit(words, '"'));
    CHECK(gm_matcher_accept(s.matcher, 257) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 0x80) && !small_bit(words, 0xC0));
    small_close(&s);
    s = small_open(texts, "{\"type\":\"string\"}", NULL);
    CHECK(small_put(s.matcher, "\"") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words));
    for (uint32_t id = 257; id < 262; id++)
        CHECK(!small_bit(words, id));
    for (uint32_t byte = 0x80; byte < 0xC2; byte++)
        CHECK(!small_bit(words, byte));
    for (uint32_t byte = 0xF5; byte < 256; byte++)
        CHECK(!small_bit(words, byte));
    small_close(&s);
}

/* 18 */
static void all_bytes_of_a_token_are_checked(void)
{
    static const char *const texts[] = {"{}", "\",\"", ":{\"", "],", "\":\"", "{\"", "\"Why", ",}", "1,", "\":1", "}}", NULL};
    static const char *const document = "{\"a\":{\"b\":[1,2],\"c\":\"x,y\"},\"d\":\"\"}";
    const char *schema = "{\"properties\":{\"a\":{\"properties\":{\"b\":{\"items\":{\"type\":\"integer\"},\"type\":\"array\"},"
                         "\"c\":{\"type\":\"string\"}},\"required\":[\"b\",\"c\"],\"type\":\"object\"},\"d\":{\"type\":\"string\"}},"
                         "\"required\":[\"a\",\"d\"],\"type\":\"object\",\"additionalProperties\":false}";
    uint32_t words[SMALL_WORDS];
    small s = small_open(texts, schema, NULL);
    for (size_t i = 0; document[i] != '\0'; i++) {
        CHECK(small_mask_is_exact(s.matcher, words));
        CHECK(gm_matcher_accept(s.matcher, (uint8_t)document[i]) == GM_OK);
    }
    CHECK(gm_matcher_state(s.matcher) == GM_COMPLETE);
    small_close(&s);
}

/* 19 */
static void forced_text_does_not_narrow_the_mask(void)
{
    static const char *const texts[] = {"t", "te", "tes", "test", NULL};
    uint32_t words[SMALL_WORDS];
    uint8_t bytes[16];
    size_t length = 0;
    small s = small_open(texts, "{\"const\":\"test\"}", NULL);
    CHECK(small_put(s.matcher, "\"") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words));
    for (uint32_t id = 256; id < 260; id++)
        CHECK(small_bit(words, id));
    CHECK(gm_matcher_forced(s.matcher, bytes, sizeof bytes, &length) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 't'));
    small_close(&s);
}

/* 20 */
static void forced_bytes_are_those_that_every_legal_text_shares(void)
{
    const char *schema = "{\"type\":\"object\",\"properties\":{\"abc\":{\"type\":\"integer\"},\"abd\":{\"type\":\"integer\"}},"
                         "\"required\":[\"abc\",\"abd\"],\"additionalProperties\":false}";
    const gm_schema_options minimal = {
        .struct_size = sizeof minimal, .whitespace = GM_WHITESPACE_COMPACT, .escapes = GM_ESCAPES_MINIMAL};
    uint8_t bytes[64];
    size_t length = 0;
    small s = small_open(NULL, schema, &minimal);
    CHECK(gm_matcher_forced(s.matcher, bytes, sizeof bytes, &length) == GM_OK);
    CHECK(length == 7 && memcmp(bytes, "{\"abc\":", 7) == 0);
    CHECK(gm_matcher_forced(s.matcher, bytes, 3, &length) == GM_OK && length == 3);
    CHECK(small_put(s.matcher, "{\"abc\":12") == GM_OK);
    CHECK(gm_matcher_forced(s.matcher, bytes, sizeof bytes, &length) == GM_OK && length == 0); /* 123 may follow */
    CHECK(small_put(s.matcher, ",") == GM_OK);
    CHECK(gm_matcher_forced(s.matcher, bytes, sizeof bytes, &length) == GM_OK && length == 6);
    small_close(&s);
    s = small_open(NULL, schema, NULL);
    CHECK(gm_matcher_forced(s.matcher, bytes, sizeof bytes, &length) == GM_OK && length == 1 && bytes[0] == '{');
    CHECK(small_put(s.matcher, "{") == GM_OK);
    CHECK(gm_matcher_forced(s.matcher, bytes, sizeof bytes, &length) == GM_OK && length == 0); /* white space may follow */
    small_close(&s);
}

/* 21 */
static void what_nothing_satisfies_is_refused_and_what_cannot_be_spelled_is_a_dead_end(void)
{
    gm_error error = {0};
    const char *empty_enum = "{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[]}},\"required\":[\"a\"]}";
    CHECK(small_status(empty_enum, strlen(empty_enum), NULL, &error) != GM_OK && error.status != GM_OK);
    const char *const texts[] = {"{\"a\":", "1", "}"}; /* no way to 2 */
    uint32_t words[SMALL_WORDS];
    gm_vocab *vocab = small_vocab_of(texts, 3, (gm_vocab_desc){0});
    small s = small_compile(vocab, 3, "{\"properties\":{\"a\":{\"const\":11}},\"required\":[\"a\"],\"type\":\"object\",\"additionalProperties\":false}", NULL);
    CHECK(s.grammar != NULL);
    CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    CHECK(small_put(s.matcher, "{") == GM_OK); /* no token begins with a quote */
    CHECK(gm_matcher_state(s.matcher) == GM_STUCK);
    memset(words, 0xFF, sizeof words);
    CHECK(gm_matcher_fill(s.matcher, words, SMALL_WORDS) == GM_DEAD_END && words[0] == 0 && words[SMALL_WORDS - 1] == 0);
    CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING);
    const uint32_t tokens[] = {0, 1, 1, 2};
    size_t prefix = 0;
    CHECK(gm_matcher_would_accept_many(s.matcher, tokens, 4, &prefix) == GM_OK && prefix == 4);
    small_close(&s);
}

/* 22 */
static void no_failure_leads_to_a_grammar(void)
{
    static const char *const schemas[] = {"{\"pattern\":\"(\"}", "{\"type\":\"string\",\"pattern\":\"[z-a]\"}", "{\"type\":7}", "",
                                          "{\"not\":{}}", "{\"properties\":[]}", "{\"required\":\"a\"}", "[]", "null"};
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++) {
        gm_error error = {0};
        const gm_status status = small_status(schemas[i], strlen(schemas[i]), NULL, &error);
        if (status == GM_OK)
            fprintf(stderr, "compiles: %s\n", schemas[i]);
        CHECK(status != GM_OK && error.status == status && error.message[0] != '\0');
    }
    gm_matcher *matcher = NULL;
    CHECK(gm_matcher_create(NULL, NULL, &matcher, NULL) == GM_INVALID_ARGUMENT && matcher == NULL);
}

/* 24 */
static void references_that_lead_nowhere_are_named(void)
{
    static const char *const schemas[] = {"{\"$ref\":\"/$defs/N\",\"$defs\":{\"N\":{\"enum\":[\"a\"]}}}",
                                          "{\"$ref\":\"#/$defs/M\",\"$defs\":{\"N\":{}}}", "{\"$ref\":\"#nowhere\"}",
                                          "{\"$ref\":\"https://example.com/x\"}",
                                          "{\"items\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/~2\"}}}}"};
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++) {
        gm_error error = {0};
        CHECK(small_status(schemas[i], strlen(schemas[i]), NULL, &error) != GM_OK);
        CHECK(strcmp(error.keyword, "$ref") == 0);
        CHECK(i != 4 || strcmp(error.pointer, "/items/properties/a/$ref") == 0 || strcmp(error.pointer, "/items/properties/a") == 0);
    }
}

/* 25 */
static void an_error_among_forty_schemas_names_its_place(void)
{
    char schema[8192];
    gm_error error = {0};
    size_t length = (size_t)snprintf(schema, sizeof schema, "{\"anyOf\":[");
    for (int i = 0; i < 40; i++)
        length += (size_t)snprintf(schema + length, sizeof schema - length,
                                   "%s{\"type\":\"object\",\"properties\":{\"a\":{\"properties\":{\"b\":{\"pattern\":\"%s\"}}}}}",
                                   i != 0 ? "," : "", i == 29 ? "a(b" : "ab");
    length += (size_t)snprintf(schema + length, sizeof schema - length, "]}");
    CHECK(small_status(schema, length, NULL, &error) == GM_INVALID_SCHEMA);
    CHECK(strncmp(error.pointer, "/anyOf/29/properties/a/properties/b", 35) == 0);
    CHECK(strcmp(error.keyword, "pattern") == 0 && error.message[0] != '\0');
}

/* 26 */
static void blanks_are_bounded_in_every_gap_and_after_rollback(void)
{
    static const char *const gaps[] = {"{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,\"b\":[", "{\"a\":1,\"b\":[1", "{\"a\":1,\"b\":[1,"};
    static const char *const texts[] = {"\n\n\n\n\n\n\n", NULL};
    const gm_schema_options seven = {.struct_size = sizeof seven, .max_whitespace = 9};
    uint32_t words[SMALL_WORDS];
    small s = small_open(texts, "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"array\"}},\"required\":[\"a\",\"b\"]}", &seven);
    CHECK(gm_matcher_accept(s.matcher, '\n') == GM_REJECTED);
    for (size_t i = 0; i < GM_COUNT_OF(gaps); i++) {
        gm_matcher *fork = NULL;
        CHECK(gm_matcher_fork(s.matcher, &fork) == GM_OK && small_put(fork, gaps[i]) == GM_OK);
        for (int round = 0; round < 3; round++) {
            CHECK(gm_matcher_accept(fork, 256) == GM_OK); /* seven at once */
            CHECK(small_mask_is_exact(fork, words) && !small_bit(words, 256) && small_bit(words, ' '));
            CHECK(gm_matcher_accept(fork, ' ') == GM_OK && gm_matcher_accept(fork, '\t') == GM_OK);
            CHECK(small_mask_is_exact(fork, words) && !small_bit(words, ' ') && !small_bit(words, '\n'));
            CHECK(gm_matcher_rollback(fork, 3) == GM_OK);
        }
        gm_matcher_destroy(fork);
    }
    CHECK(small_put(s.matcher, "{\"a\":1,\"b\":[]}") == GM_OK && gm_matcher_accept(s.matcher, '\n') == GM_REJECTED);
    small_close(&s);
}

/* 29 */
static void large_bounds_cost_no_more_than_small_ones(void)
{
    static const char *const schemas[] = {"{\"type\":\"string\",\"maxLength\":524288}",
                                          "{\"type\":\"string\",\"maxLength\":2147483647,\"minLength\":2000000000}",
                                          "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"maxItems\":100000,\"minItems\":99999}",
                                          "{\"type\":\"string\",\"pattern\":\"^a{0,100000}$\"}",
                                          "{\"type\":\"string\",\"pattern\":\"^a{2147483648,}$\"}",
                                          "{\"type\":\"array\",\"maxItems\":18446744073709551616}"};
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++) {
        gm_error error = {0};
        const double start = seconds();
        const gm_status status = small_status(schemas[i], strlen(schemas[i]), NULL, &error);
        if (seconds() - start > 1 || (status != GM_OK && status != GM_LIMIT && status != GM_UNSUPPORTED))
            fprintf(stderr, "%s: %s %s, %.2f s\n", schemas[i], gm_status_name(status), error.message, seconds() - start);
        CHECK(seconds() - start < 1);
        CHECK(status == GM_OK || (i >= 3 && (status == GM_LIMIT || status == GM_UNSUPPORTED) && error.message[0] != '\0'));
    }
    small s = small_open(NULL, "{\"type\":\"array\",\"maxItems\":3,\"items\":{\"type\":\"string\",\"maxLength\":70000}}", NULL);
    CHECK(small_put(s.matcher, "[\"") == GM_OK);
    char many[1001];
    memset(many, 'a', 1000);
    many[1000] = '\0';
    for (int i = 0; i < 70; i++)
        CHECK(small_put(s.matcher, many) == GM_OK);
    CHECK(small_put(s.matcher, "a") == GM_REJECTED && small_put(s.matcher, "\",0") == GM_REJECTED && small_put(s.matcher, "\",\"\",\"\"]") == GM_OK);
    small_close(&s);
}

/* Repeats `open`, `middle`, repeats `close`. */
static char *nested(const char *open, const char *middle, const char *close, size_t depth)
{
    char *text = malloc((strlen(open) + strlen(close)) * depth + strlen(middle) + 1), *at = text;
    for (size_t i = 0; i < depth; i++)
        at += sprintf(at, "%s", open);
    at += sprintf(at, "%s", middle);
    for (size_t i = 0; i < depth; i++)
        at += sprintf(at, "%s", close);
    return text;
}

/* 30 */
static void size_does_not_double_with_nesting_or_optional_keys(void)
{
    char *arrays = nested("{\"type\":\"array\",\"items\":", "{\"type\":\"integer\"}", "}", 22);
    char *unions = nested("{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"array\",\"items\":", "{\"type\":\"integer\"}", "}]}", 22);
    char keys[4096];
    size_t length = (size_t)snprintf(keys, sizeof keys, "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{");
    for (int i = 0; i < 40; i++)
        length += (size_t)snprintf(keys + length, sizeof keys - length, "%s\"k%d\":{\"type\":\"integer\"}", i != 0 ? "," : "", i);
    snprintf(keys + length, sizeof keys - length, "}}");
    const char *const schemas[] = {arrays, unions, keys};
    for (int i = 0; i < 3; i++) {
        const double start = seconds();
        small s = small_open(NULL, schemas[i], &any_json);
        CHECK(s.grammar != NULL && gm_grammar_memory(s.grammar) < 4u << 20);
        CHECK(seconds() - start < 1);
        if (i == 2) {
            CHECK(small_fits(s.matcher, "{\"k39\":1,\"k3\":2,\"k38\":3}"));
            CHECK(!small_fits(s.matcher, "{\"k39\":1,\"k3\":2,\"k39\":3}"));
            CHECK(!small_fits(s.matcher, "{\"k40\":1}"));
        }
        small_close(&s);
    }
    free(arrays);
    free(unions);
}

/* 31 */
static void a_hundred_and_twenty_eight_tools_compile_in_no_time(void)
{
    char *schema = malloc(1 << 20);
    size_t length = (size_t)sprintf(schema, "{\"anyOf\":[");
    for (int tool = 0; tool < 128; tool++) {
        length += (size_t)sprintf(schema + length, "%s{\"type\":\"object\",\"properties\":{\"name\":{\"const\":\"tool_%d\"},\"arguments\":{\"type\":\"object\",\"properties\":{", tool != 0 ? "," : "", tool);
        for (int key = 0; key < 20; key++)
            length += (size_t)sprintf(schema + length, "%s\"key_%d\":{\"type\":\"%s\"}", key != 0 ? "," : "", key, key % 2 ? "string" : "integer");
        length += (size_t)sprintf(schema + length, "},\"required\":[\"key_%d\"],\"additionalProperties\":false}},\"required\":[\"name\",\"arguments\"],\"additionalProperties\":false}", tool % 20);
    }
    sprintf(schema + length, "]}");
    const double start = seconds();
    small s = small_open(NULL, schema, NULL);
    CHECK(seconds() - start < 2);
    if (s.matcher != NULL) {
        CHECK(small_fits(s.matcher, "{\"name\":\"tool_127\",\"arguments\":{\"key_7\":\"x\"}}"));
        CHECK(!small_fits(s.matcher, "{\"name\":\"tool_127\",\"arguments\":{\"key_8\":1}}"));
        CHECK(!small_fits(s.matcher, "{\"name\":\"tool_128\",\"arguments\":{\"key_8\":1}}"));
        CHECK(small_fits(s.matcher, "{\"name\":\"tool_8\",\"arguments\":{\"key_8\":1}}"));
    }
    small_close(&s);
    free(schema);
}

/* 32 */
static void an_enum_of_seventy_thousand_strings_is_exact(void)
{
    char *schema = malloc(2 << 20);
    size_t length = (size_t)sprintf(schema, "{\"enum\":[");
    for (int i = 0; i < 70000; i++)
        length += (size_t)sprintf(schema + length, "%s\"v%d\"", i != 0 ? "," : "", i * 3);
    sprintf(schema + length, "]}");
    const double start = seconds();
    small s = small_open(NULL, schema, NULL);
    CHECK(seconds() - start < 5);
    if (s.matcher != NULL) {
        CHECK(small_fits(s.matcher, "\"v0\"") && small_fits(s.matcher, "\"v209997\"") && small_fits(s.matcher, "\"v98304\""));
        CHECK(!small_fits(s.matcher, "\"v1\"") && !small_fits(s.matcher, "\"v210000\"") && !small_fits(s.matcher, "\"v\"") && !small_fits(s.matcher, "\"v98305\""));
    }
    small_close(&s);
    free(schema);
}

/* 33 */
static void a_large_enum_of_two_part_names_takes_no_joins(void)
{
    char *schema = malloc(1 << 17);
    size_t length = (size_t)sprintf(schema, "{\"enum\":[");
    for (int i = 0; i < 1200; i++)
        length += (size_t)sprintf(schema + length, "%s\"a%d-b%d\"", i != 0 ? "," : "", i % 40, i * 7 % 1201);
    sprintf(schema + length, "]}");
    small s = small_open(NULL, schema, NULL);
    size_t members = 0;
    for (int a = 0; a < 40; a++)
        for (int b = 0; b < 1201; b += 13) {
            char text[32];
            bool member = false;
            for (int i = a; i < 1200 && !member; i += 40)
                member = i * 7 % 1201 == b;
            snprintf(text, sizeof text, "\"a%d-b%d\"", a, b);
            CHECK(small_fits(s.matcher, text) == member);
            members += member;
        }
    CHECK(members != 0);
    small_close(&s);
    free(schema);
}

/* 34 */
static void states_do_not_multiply_in_lists_of_lists(void)
{
    small s = small_open(NULL, "{\"type\":\"array\",\"maxItems\":200,\"items\":{\"type\":\"array\",\"maxItems\":200,\"items\":{\"type\":\"string\",\"maxLength\":20}}}", NULL);
    uint32_t words[SMALL_WORDS];
    const double start = seconds();
    CHECK(small_put(s.matcher, "[[\"a\"") == GM_OK);
    for (int i = 0; i < 199; i++)
        CHECK(small_put(s.matcher, ",\"ab\"") == GM_OK);
    CHECK(small_put(s.matcher, ",") == GM_REJECTED && small_put(s.matcher, "]") == GM_OK);
    for (int i = 0; i < 199; i++)
        CHECK(small_put(s.matcher, ",[\"b\",\"c\"]") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && !small_bit(words, ',') && small_bit(words, ']'));
    CHECK(seconds() - start < 1 && gm_grammar_memory(s.grammar) < 1u << 20);
    small_close(&s);
}

/* 36 */
static void reference_cycles_and_deep_schemas_are_errors(void)
{
    gm_error error = {0};
    const char *cycle = "{\"$ref\":\"#/$defs/A\",\"$defs\":{\"A\":{\"$ref\":\"#/$defs/A\"}}}";
    const char *two = "{\"$ref\":\"#/$defs/A\",\"$defs\":{\"A\":{\"allOf\":[{\"$ref\":\"#/$defs/B\"}]},\"B\":{\"anyOf\":[{\"$ref\":\"#/$defs/A\"}]}}}";
    CHECK(small_status(cycle, strlen(cycle), NULL, &error) != GM_OK && error.message[0] != '\0');
    CHECK(small_status(two, strlen(two), NULL, &error) != GM_OK && error.message[0] != '\0');
    char *deep = nested("{\"items\":", "{}", "}", 100000);
    CHECK(small_status(deep, strlen(deep), NULL, &error) == GM_LIMIT);
    free(deep);
    deep = nested("[", "", "]", 1000000);
    CHECK(small_status(deep, strlen(deep), NULL, &error) != GM_OK);
    free(deep);
    deep = nested("{\"const\":[", "1", "]}", 1);
    CHECK(small_status(deep, strlen(deep), NULL, &error) == GM_OK);
    free(deep);
    deep = nested("(", "a", ")", 100000);
    char *schema = malloc(strlen(deep) + 64);
    sprintf(schema, "{\"type\":\"string\",\"pattern\":\"%s\"}", deep);
    CHECK(small_status(schema, strlen(schema), NULL, &error) == GM_LIMIT);
    free(schema);
    free(deep);
}

/* 37 */
static void broken_input_is_an_error_result(void)
{
    static const struct {
        const char *schema;
        size_t length;
    } broken[] = {{"{\"pattern\":\"foo**\"}", 19}, {"{\"pattern\":\"(\"}", 15}, {"{\"type\":", 8}, {"{\"type\"\0:1}", 11},
                  {"{\"type\":\"strnig\"}", 17}, {"\0", 1}, {"", 0}, {"{}\0", 3}, {"{} {}", 5}, {"\xFF", 1}, {"{\"a\":\"\xC0\x80\"}", 10}};
    for (size_t i = 0; i < GM_COUNT_OF(broken); i++) {
        gm_error error = {0};
        const gm_status status = small_status(broken[i].schema, broken[i].length, NULL, &error);
        if (status != GM_INVALID_SCHEMA)
            fprintf(stderr, "%s: %s\n", broken[i].schema, gm_status_name(status));
        CHECK(status == GM_INVALID_SCHEMA && error.message[0] != '\0');
    }
}

/* 39 */
static void the_cache_does_not_grow_with_schemas_that_are_gone(void)
{
    failing_allocator state = {.budget = -1};
    const gm_allocator allocator = failing_allocator_of(&state);
    uint32_t stop;
    gm_vocab *vocab = small_byte_vocab(NULL, &stop);
    gm_compiler *compiler = NULL;
    long live[3] = {0};
    CHECK(gm_compiler_create(vocab, NULL, &allocator, &compiler, NULL) == GM_OK);
    for (int i = 0; i < 3000; i++) {
        char schema[64];
        gm_grammar *grammar = NULL;
        const int length = snprintf(schema, sizeof schema, "{\"type\":\"string\",\"x-number\":%d,\"minLength\":1}", i);
        CHECK(gm_compile_json_schema(compiler, schema, (size_t)length, NULL, &grammar, NULL) == GM_OK);
        gm_grammar_release(grammar);
        if (i % 1000 == 999)
            live[i / 1000] = state.live;
    }
    CHECK(live[1] == live[2]);
    gm_compiler_release(compiler);
    CHECK(state.live == 0);
    gm_vocab_release(vocab);
}

/* 42 */
static void a_batch_writes_the_rows_it_is_told_and_no_other(void)
{
    enum { STRIDE = SMALL_WORDS };
    static uint32_t words[6 * STRIDE], expected[STRIDE];
    small a = small_open(NULL, "{\"type\":\"integer\"}", NULL);
    small b = small_open(NULL, "{\"type\":\"string\"}", NULL);
    gm_matcher *draft = NULL;
    CHECK(gm_matcher_fork(b.matcher, &draft) == GM_OK && small_put(draft, "\"") == GM_OK);
    gm_matcher *const matchers[] = {a.matcher, NULL, b.matcher, draft};
    const uint32_t rows[] = {5, 0, 1, 3};
    gm_status statuses[4];
    memset(words, 0x5A, sizeof words);
    CHECK(gm_fill_batch(matchers, 4, words, STRIDE, rows, statuses, NULL, NULL) == GM_OK);
    for (int i = 0; i < 4; i++) {
        CHECK(statuses[i] == GM_OK);
        if (matchers[i] == NULL)
            continue;
        CHECK(gm_matcher_fill(matchers[i], expected, STRIDE) == GM_OK);
        CHECK(small_same_words(expected, words + rows[i] * STRIDE));
    }
    for (int i = 0; i < STRIDE; i++)
        CHECK(words[i] == 0x5A5A5A5A && words[2 * STRIDE + i] == 0x5A5A5A5A && words[4 * STRIDE + i] == 0x5A5A5A5A);
    gm_matcher_destroy(draft);
    small_close(&a);
    small_close(&b);
}

/* 46 */
static void a_replayed_matcher_and_a_fork_equal_the_original(void)
{
    static const char *const document = "{\"a\":[1,{\"b\":\"\\u00e9x\"}],\"zz\":-1.5e";
    uint32_t words[3][SMALL_WORDS];
    small s = small_open(NULL, "{\"type\":\"object\"}", NULL);
    gm_matcher *again = NULL, *fork = NULL;
    for (size_t i = 0; document[i] != '\0'; i++)
        CHECK(gm_matcher_accept(s.matcher, (uint8_t)document[i]) == GM_OK);
    CHECK(gm_matcher_create(s.grammar, NULL, &again, NULL) == GM_OK && small_put(again, document) == GM_OK);
    CHECK(gm_matcher_fork(s.matcher, &fork) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words[0]) && small_mask_is_exact(again, words[1]) && small_mask_is_exact(fork, words[2]));
    CHECK(small_same_words(words[0], words[1]) && small_same_words(words[0], words[2]));
    gm_matcher_destroy(s.matcher);
    s.matcher = NULL;
    CHECK(small_mask_is_exact(fork, words[0]) && small_same_words(words[0], words[2]));
    CHECK(gm_matcher_rollback(fork, strlen(document)) == GM_OK && gm_matcher_state(fork) == GM_RUNNING);
    gm_matcher_destroy(fork);
    gm_matcher_destroy(again);
    small_close(&s);
}

/* 47 */
static void no_key_comes_twice_in_any_spelling(void)
{
    const char *declared = "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}";
    for (int i = 0; i < 2; i++) {
        const gm_schema_options *options = i == 0 ? NULL : &any_json;
        CHECK(small_valid(declared, "{\"a\":1,\"b\":2,\"c\":3}", options));
        CHECK(!small_valid(declared, "{\"a\":1,\"a\":2}", options));
        CHECK(!small_valid(declared, "{\"a\":1,\"\\u0061\":2}", options));
        CHECK(!small_valid(declared, "{\"x\":1,\"y\":3,\"x\":2}", options));
        CHECK(!small_valid(declared, "{\"x\\/\":1,\"y\":3,\"\\u0078/\":2}", options));
        CHECK(!small_valid(declared, "{\"\xF0\x9F\x98\x80\":1,\"\\ud83d\\ude00\":2}", options));
        CHECK(!small_valid("true", "[{\"\":1,\"\":2}]", options));
        CHECK(small_valid("true", "[{\"\":1,\"b\":{\"\":2}},{\"\":1}]", options));
    }
}

/* 48 */
static void lone_surrogates_are_no_text(void)
{
    static const char *const bad[] = {"\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud83dx\"", "\"\\uD83D\\n\"", "\"\\ude00\"",
                                      "\"\\ud83d\\ud83d\\ude00\"", "\"\xED\xA0\x80\""};
    for (size_t i = 0; i < GM_COUNT_OF(bad); i++)
        CHECK(!small_valid("{\"type\":\"string\"}", bad[i], NULL));
    CHECK(small_valid("{\"type\":\"string\",\"maxLength\":1}", "\"\\ud83D\\uDE00\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"minLength\":2}", "\"\\ud83D\\uDE00\"", NULL));
    gm_error error;
    CHECK(small_status("{\"const\":\"\\ud800\"}", 18, NULL, &error) != GM_OK);
    CHECK(small_status("{\"type\":\"object\",\"properties\":{\"\\ud800\":{}},\"required\":[\"\\ud800\"]}", 66, NULL, &error) != GM_OK);
}

/* 49 */
static void patterns_have_the_meaning_of_ecma_262(void)
{
    gm_error error;
    CHECK(small_valid("{\"type\":\"string\",\"pattern\":\"^\\\\d$\"}", "\"7\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"pattern\":\"^\\\\d$\"}", "\"\xD9\xA3\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"pattern\":\"^.$\"}", "\"\\n\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"pattern\":\"^.$\"}", "\"\xE2\x80\xA8\"", NULL));
    CHECK(small_valid("{\"type\":\"string\",\"pattern\":\"^.$\"}", "\"\xF0\x9F\x98\x80\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"pattern\":\"^a$\"}", "\"a\\n\"", NULL));
    CHECK(small_valid("{\"type\":\"string\",\"pattern\":\"a\\\\b\"}", "\"xa b\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"pattern\":\"a\\\\b\"}", "\"xab\"", NULL));
    CHECK(small_valid("{\"type\":\"string\",\"pattern\":\"^\\\\p{Lu}$\"}", "\"\xC3\x89\"", NULL));
    CHECK(!small_valid("{\"type\":\"string\",\"pattern\":\"^\\\\p{Lu}$\"}", "\"\xC3\xA9\"", NULL));
    CHECK(small_status("{\"pattern\":\"(a)\\\\1\"}", 20, NULL, &error) == GM_UNSUPPORTED && strcmp(error.keyword, "pattern") == 0);
}

/* 50 */
static void numbers_are_compared_as_decimals_of_any_size(void)
{
    CHECK(small_valid("{\"type\":\"integer\",\"minimum\":9223372036854775808}", "9223372036854775808", NULL));
    CHECK(!small_valid("{\"type\":\"integer\",\"minimum\":9223372036854775808}", "9223372036854775807", NULL));
    CHECK(small_valid("{\"const\":1e400}", "1e400", &any_json) && small_valid("{\"const\":1e400}", "10E+399", &any_json));
    CHECK(!small_valid("{\"const\":1e400}", "1e401", &any_json));
    CHECK(small_valid("{\"type\":\"number\",\"multipleOf\":0.01}", "1000000000000000000.01", NULL));
    CHECK(!small_valid("{\"type\":\"number\",\"multipleOf\":0.01}", "1000000000000000000.001", NULL));
    CHECK(small_valid("{\"type\":\"number\",\"multipleOf\":0.01}", "19.99", NULL));
    CHECK(!small_valid("{\"type\":\"number\",\"exclusiveMaximum\":0.1}", "0.1000000000000000000000", NULL));
    CHECK(small_valid("{\"type\":\"number\",\"exclusiveMaximum\":0.1}", "0.0999999999999999999999", NULL));
}

/* 53 */
static void stop_sets_of_one_matcher_do_not_show_in_another(void)
{
    uint32_t words[SMALL_WORDS];
    small s = small_open(NULL, "{\"type\":\"string\"}", NULL);
    const uint32_t letter = 'x';
    const gm_matcher_options options = {.struct_size = sizeof options, .own_stop_set = true, .stop = &letter, .stop_count = 1};
    gm_matcher *other = NULL;
    CHECK(gm_matcher_create(s.grammar, &options, &other, NULL) == GM_OK);
    for (int round = 0; round < 2; round++) {
        CHECK(small_put(s.matcher, "\"a") == GM_OK && small_put(other, "\"a") == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 'x') && !small_bit(words, s.stop));
        CHECK(small_mask_is_exact(other, words) && !small_bit(words, 'x') && !small_bit(words, s.stop));
        CHECK(small_put(s.matcher, "\"") == GM_OK && small_put(other, "\"") == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words) && !small_bit(words, 'x') && small_bit(words, s.stop));
        CHECK(small_mask_is_exact(other, words) && small_bit(words, 'x') && !small_bit(words, s.stop));
        CHECK(gm_matcher_reset(s.matcher) == GM_OK && gm_matcher_reset(other) == GM_OK);
    }
    gm_matcher_destroy(other);
    small_close(&s);
}

/* 54 */
static void the_mask_offers_every_legal_way_on(void)
{
    uint32_t words[SMALL_WORDS];
    small s = small_open(NULL, "{\"type\":\"object\",\"properties\":{\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
                               "\"x\":{\"type\":\"integer\"},\"y\":{\"type\":\"integer\"}},\"required\":[\"tags\"],\"additionalProperties\":false}",
                         NULL);
    CHECK(small_put(s.matcher, "{\"tags\":[") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, ']') && small_bit(words, '"'));
    CHECK(small_put(s.matcher, "]") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, '}') && small_bit(words, ','));
    CHECK(small_put(s.matcher, ",\"") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 'x') && small_bit(words, 'y') && !small_bit(words, 't'));
    small_close(&s);
}

/* 55 */
static void a_dead_end_says_where_it_is(void)
{
    const char *const texts[] = {"{\"a\":", "\\n", "}", "\""};
    uint32_t words[SMALL_WORDS];
    gm_expected expected = {.struct_size = sizeof expected};
    gm_vocab *vocab = small_vocab_of(texts, 4, (gm_vocab_desc){0});
    small s = small_compile(vocab, 4,
                            "{\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^\\\\n*$\"}},\"required\":[\"a\"],"
                            "\"type\":\"object\",\"additionalProperties\":false}",
                            NULL);
    CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    CHECK(gm_matcher_accept(s.matcher, 0) == GM_OK && gm_matcher_accept(s.matcher, 3) == GM_OK);
    CHECK(gm_matcher_accept(s.matcher, 1) == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING);
    CHECK(small_put(s.matcher, "\\") == GM_OK); /* half a line feed, and no token is the other half */
    CHECK(gm_matcher_state(s.matcher) == GM_STUCK && gm_matcher_fill(s.matcher, words, SMALL_WORDS) == GM_DEAD_END);
    CHECK(gm_matcher_accept(s.matcher, 1) == GM_REJECTED);
    CHECK(gm_matcher_expected(s.matcher, &expected) == GM_OK);
    CHECK(strcmp(expected.document_pointer, "/a") == 0 && strcmp(expected.schema_pointer, "/properties/a") == 0);
    CHECK(expected.bytes['n' / 64] == (uint64_t)1 << 'n' % 64 && expected.bytes[0] == 0 && !expected.may_stop);
    CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING);
    small_close(&s);
}

int main(void)
{
    RUN(a_refused_token_leaves_the_mask_as_it_was);
    RUN(rollback_takes_back_a_stop_token_as_one_token);
    RUN(rollback_counts_tokens_and_not_bytes);
    RUN(rollback_does_not_cost_more_the_longer_the_text);
    RUN(tokens_after_the_end_change_nothing);
    RUN(every_stop_token_is_known_and_none_is_text);
    RUN(tokens_one_by_one_or_together_are_the_same);
    RUN(a_complete_document_allows_the_stop_tokens_alone);
    RUN(accept_tells_the_end_before_the_token_is_shown);
    RUN(bits_past_the_vocabulary_are_zero_whatever_was_there);
    RUN(ids_outside_the_vocabulary_are_rejected);
    RUN(special_tokens_are_never_text);
    RUN(three_spellings_of_one_vocabulary_give_one_mask);
    RUN(characters_may_be_split_over_tokens_and_ill_formed_ones_never_begin);
    RUN(all_bytes_of_a_token_are_checked);
    RUN(forced_text_does_not_narrow_the_mask);
    RUN(forced_bytes_are_those_that_every_legal_text_shares);
    RUN(what_nothing_satisfies_is_refused_and_what_cannot_be_spelled_is_a_dead_end);
    RUN(no_failure_leads_to_a_grammar);
    RUN(references_that_lead_nowhere_are_named);
    RUN(an_error_among_forty_schemas_names_its_place);
    RUN(blanks_are_bounded_in_every_gap_and_after_rollback);
    RUN(large_bounds_cost_no_more_than_small_ones);
    RUN(size_does_not_double_with_nesting_or_optional_keys);
    RUN(a_hundred_and_twenty_eight_tools_compile_in_no_time);
    RUN(an_enum_of_seventy_thousand_strings_is_exact);
    RUN(a_large_enum_of_two_part_names_takes_no_joins);
    RUN(states_do_not_multiply_in_lists_of_lists);
    RUN(reference_cycles_and_deep_schemas_are_errors);
    RUN(broken_input_is_an_error_result);
    RUN(the_cache_does_not_grow_with_schemas_that_are_gone);
    RUN(a_batch_writes_the_rows_it_is_told_and_no_other);
    RUN(a_replayed_matcher_and_a_fork_equal_the_original);
    RUN(no_key_comes_twice_in_any_spelling);
    RUN(lone_surrogates_are_no_text);
    RUN(patterns_have_the_meaning_of_ecma_262);
    RUN(numbers_are_compared_as_decimals_of_any_size);
    RUN(stop_sets_of_one_matcher_do_not_show_in_another);
    RUN(the_mask_offers_every_legal_way_on);
    RUN(a_dead_end_says_where_it_is);
    return REPORT("test_scenarios");
}
