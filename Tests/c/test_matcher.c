/*
 * test_matcher.c - matchers at their edges: misuse of every call, long histories, deep documents,
 * stop sets, and vocabularies with holes.
 */
#include "small_vocabulary.h"

#include <sys/resource.h>

/* ---- misuse ---- */

static void null_arguments_are_refused_and_never_a_trap(void)
{
    uint32_t words[SMALL_WORDS], token = 0;
    uint8_t bytes[4];
    size_t size = 77;
    gm_mask mask;
    gm_expected expected = {.struct_size = sizeof expected};
    gm_matcher *matcher = NULL;
    small s = small_open(NULL, "true", NULL);
    CHECK(gm_matcher_create(NULL, NULL, &matcher, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_create(s.grammar, NULL, NULL, NULL) == GM_INVALID_ARGUMENT && matcher == NULL);
    gm_matcher_destroy(NULL);
    CHECK(gm_matcher_reset(NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_fork(NULL, &matcher) == GM_INVALID_ARGUMENT && gm_matcher_fork(s.matcher, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_fill(NULL, words, SMALL_WORDS) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_fill(s.matcher, NULL, SMALL_WORDS) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_mask(NULL, &mask) == GM_INVALID_ARGUMENT && gm_matcher_mask(s.matcher, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_accept(NULL, 0) == GM_INVALID_ARGUMENT && gm_matcher_would_accept(NULL, 0) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_accept_bytes(NULL, bytes, 1, &size) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_accept_bytes(s.matcher, NULL, 1, &size) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_would_accept_many(NULL, &token, 1, &size) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_would_accept_many(s.matcher, NULL, 1, &size) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_would_accept_many(s.matcher, &token, 1, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_rollback(NULL, 0) == GM_INVALID_ARGUMENT && gm_matcher_state(NULL) == GM_STUCK);
    CHECK(gm_matcher_forced(NULL, bytes, 4, &size) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_forced(s.matcher, NULL, 4, &size) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_forced(s.matcher, bytes, 4, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_shortest(NULL, &size) == GM_INVALID_ARGUMENT && gm_matcher_shortest(s.matcher, &size) != GM_OK);
    CHECK(gm_matcher_fill_tree(NULL, &token, &token, 1, words, SMALL_WORDS, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_token_count(NULL) == 0 && gm_matcher_memory(NULL) == 0 && gm_matcher_grammar(NULL) == NULL);
    CHECK(gm_matcher_stop(NULL, &size) == NULL && size == 0 && gm_matcher_stop(s.matcher, NULL) != NULL);
    CHECK(gm_matcher_expected(NULL, &expected) == GM_INVALID_ARGUMENT && gm_matcher_expected(s.matcher, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_explain(NULL, 0, &size, (char *)bytes, 4) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_explain(s.matcher, 0, NULL, (char *)bytes, 4) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_explain(s.matcher, 0, &size, NULL, 4) == GM_INVALID_ARGUMENT);
    CHECK(gm_fill_batch(NULL, 1, words, SMALL_WORDS, NULL, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_fill_batch(&s.matcher, 1, NULL, SMALL_WORDS, NULL, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_fill_batch(NULL, 0, NULL, 0, NULL, NULL, NULL, NULL) == GM_OK);
    CHECK(gm_matcher_token_count(s.matcher) == 0);
    small_close(&s);
}

static void null_arguments_of_compiling_are_refused(void)
{
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_error error = {0};
    gm_grammar_stats stats = {.struct_size = sizeof stats};
    gm_warning warning;
    small s = small_open(NULL, "{\"title\":\"t\"}", NULL);
    CHECK(gm_compiler_create(NULL, NULL, NULL, &compiler, &error) == GM_INVALID_ARGUMENT && compiler == NULL);
    CHECK(gm_compiler_create(s.vocab, NULL, NULL, NULL, &error) == GM_INVALID_ARGUMENT);
    CHECK(gm_compiler_retain(NULL) == NULL && gm_compiler_vocab(NULL) == NULL);
    gm_compiler_release(NULL);
    gm_grammar_release(NULL);
    gm_vocab_release(NULL);
    CHECK(gm_compile_json_schema(NULL, "{}", 2, NULL, &grammar, &error) == GM_INVALID_ARGUMENT);
    CHECK(gm_compile_json_schema(s.compiler, NULL, 2, NULL, &grammar, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_compile_json_schema(s.compiler, "{}", 2, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_compile_json_schema(s.compiler, NULL, 0, NULL, &grammar, NULL) == GM_INVALID_SCHEMA && grammar == NULL);
    CHECK(gm_compile_json(NULL, NULL, &grammar, NULL) == GM_INVALID_ARGUMENT && gm_compile_json(s.compiler, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_grammar_retain(NULL) == NULL && gm_grammar_compiler(NULL) == NULL && gm_grammar_warning_count(NULL) == 0);
    CHECK(gm_grammar_warning(NULL, 0, &warning) == GM_INVALID_ARGUMENT && gm_grammar_warning(s.grammar, 0, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_grammar_warning(s.grammar, gm_grammar_warning_count(s.grammar), &warning) == GM_INVALID_ARGUMENT);
    CHECK(gm_grammar_get_stats(NULL, &stats) == GM_INVALID_ARGUMENT && gm_grammar_get_stats(s.grammar, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_grammar_prewarm(NULL, 1, NULL) == GM_INVALID_ARGUMENT && gm_grammar_prewarm(s.grammar, 0, NULL) == GM_OK);
    CHECK(gm_grammar_explain(s.grammar, false, NULL, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_grammar_memory(NULL) == 0);
    small_close(&s);
}

static void every_refused_token_is_explained_and_changes_nothing(void)
{
    static const char *const schemas[] = {"{\"type\": \"object\"}", "{\"type\": \"array\", \"uniqueItems\": true}", "{\"const\": 12}"};
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++) {
        small s = small_open(NULL, schemas[i], NULL);
        for (uint32_t token = 0; token < 128; token++) {
            char message[256] = "";
            size_t taken = 77;
            if (gm_matcher_would_accept(s.matcher, token) == GM_OK)
                continue;
            CHECK(gm_matcher_explain(s.matcher, token, &taken, message, sizeof message) == GM_OK);
            CHECK(taken == 0 && message[0] != '\0');
            CHECK(gm_matcher_accept(s.matcher, token) == GM_REJECTED && gm_matcher_token_count(s.matcher) == 0);
        }
        small_close(&s);
    }
}

static void options_out_of_range_are_refused(void)
{
    small s = small_open(NULL, "true", NULL);
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL;
    const gm_schema_options bad[] = {{.struct_size = sizeof bad[0], .whitespace = (gm_whitespace)9},
                                     {.struct_size = sizeof bad[0], .draft = (gm_draft)5},
                                     {.struct_size = sizeof bad[0], .whitespace = GM_WHITESPACE_SPACED, .item_separator = ";"},
                                     {.struct_size = sizeof bad[0], .whitespace = GM_WHITESPACE_SPACED, .key_separator = "::"},
                                     {.struct_size = sizeof bad[0], .whitespace = GM_WHITESPACE_SPACED, .item_separator = ""}};
    for (size_t i = 0; i < GM_COUNT_OF(bad); i++)
        CHECK(gm_compile_json_schema(s.compiler, "true", 4, &bad[i], &grammar, NULL) == GM_INVALID_ARGUMENT && grammar == NULL);
    const uint32_t far = s.stop + 1;
    const gm_matcher_options far_stop = {.struct_size = sizeof far_stop, .own_stop_set = true, .stop = &far, .stop_count = 1};
    const gm_matcher_options no_list = {.struct_size = sizeof no_list, .own_stop_set = true, .stop_count = 1};
    const gm_matcher_options budget = {.struct_size = sizeof budget, .token_budget = 5};
    CHECK(gm_matcher_create(s.grammar, &far_stop, &matcher, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_create(s.grammar, &no_list, &matcher, NULL) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_create(s.grammar, &budget, &matcher, NULL) != GM_OK && matcher == NULL);
    small_close(&s);
}

static void a_mask_of_the_wrong_size_is_refused_and_a_longer_one_is_cleared(void)
{
    uint32_t words[SMALL_WORDS];
    small s = small_open(NULL, "true", NULL);
    const size_t needed = gm_vocab_mask_words(s.vocab);
    memset(words, 0xFF, sizeof words);
    for (size_t size = 0; size < needed; size++)
        CHECK(gm_matcher_fill(s.matcher, words, size) == GM_INVALID_ARGUMENT && words[0] == UINT32_MAX);
    gm_status status = GM_OK;
    CHECK(gm_fill_batch(&s.matcher, 1, words, needed - 1, NULL, &status, NULL, NULL) == GM_INVALID_ARGUMENT);
    CHECK(status == GM_INVALID_ARGUMENT && words[0] == UINT32_MAX);
    CHECK(gm_matcher_fill(s.matcher, words, SMALL_WORDS) == GM_OK && words[needed] == 0 && words[SMALL_WORDS - 1] == 0);
    small_close(&s);
}

static void work_beyond_a_limit_leaves_nothing_but_zeros(void)
{
    uint32_t stop, words[SMALL_WORDS];
    gm_vocab *vocab = small_byte_vocab(NULL, &stop);
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL;
    gm_mask mask;
    const gm_limits limits = {.struct_size = sizeof limits, .max_mask_work = 1};
    CHECK(gm_compiler_create(vocab, &limits, NULL, &compiler, NULL) == GM_OK);
    CHECK(gm_compile_json(compiler, NULL, &grammar, NULL) == GM_OK);
    CHECK(gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK);
    memset(words, 0xFF, sizeof words);
    CHECK(gm_matcher_fill(matcher, words, SMALL_WORDS) == GM_LIMIT);
    for (size_t i = 0; i < SMALL_WORDS; i++)
        CHECK(words[i] == 0);
    CHECK(gm_matcher_mask(matcher, &mask) == GM_LIMIT);
    CHECK(gm_matcher_accept(matcher, '[') == GM_OK);
    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

/* ---- histories ---- */

/* States of a grammar are kept: past the bound new ones are refused, and all that was built goes on. */
/* Fills and accepts a text byte by byte. */
static void fill_and_accept(gm_matcher *matcher, const char *text)
{
    uint32_t words[SMALL_WORDS];
    for (; *text != '\0'; text++) {
        CHECK(gm_matcher_fill(matcher, words, SMALL_WORDS) == GM_OK);
        CHECK(gm_matcher_accept(matcher, (uint8_t)*text) == GM_OK);
    }
}

static void counted_work_is_what_was_done(void)
{
    static const char text[] = "{\"a\":12,\"b\":\"xyz\"";
    small s = small_open(NULL, "{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"pattern\":\"^[xyz]*$\"}}}", NULL);
    gm_grammar_stats none = {.struct_size = sizeof none}, once = none, twice = none, part = {.struct_size = offsetof(gm_grammar_stats, transitions)};
    const uint64_t mask = gm_vocab_mask_words(s.vocab) * sizeof(uint32_t), steps = sizeof text - 1;
    CHECK(gm_grammar_get_stats(s.grammar, &none) == GM_OK && none.mask_bytes == 0 && none.masks_built == 0);
    fill_and_accept(s.matcher, text);
    gm_matcher_destroy(s.matcher); /* adds what it counted */
    CHECK(gm_grammar_get_stats(s.grammar, &once) == GM_OK && once.masks_built + once.masks_found == steps);
    CHECK(once.mask_bytes >= steps * mask && once.mask_bytes % mask == 0 && once.transitions > none.transitions);
    CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    fill_and_accept(s.matcher, text);
    gm_matcher_destroy(s.matcher);
    /* all was there: nothing is built, each mask is found and written once */
    CHECK(gm_grammar_get_stats(s.grammar, &twice) == GM_OK && twice.transitions == once.transitions);
    CHECK(twice.masks_found == once.masks_found + steps && twice.mask_bytes == once.mask_bytes + steps * mask);
    /* who knows a shorter structure gets so much */
    CHECK(gm_grammar_get_stats(s.grammar, &part) == GM_OK && part.trie_nodes == twice.trie_nodes && part.transitions == 0);
    s.matcher = NULL;
    small_close(&s);
}

/* A mask is kept for other lengths only where those make no difference: also not to a token that closes the string and
 * puts more into it than any token that stays inside. */
static void kept_masks_know_the_lengths_of_closing_tokens(void)
{
    static const char *const texts[] = {"abababababababababab\",", "abababab\"]", "ab\\n\\nab\"]", NULL};
    static const char *const schemas[] = {
        "{\"items\":{\"type\":\"string\",\"pattern\":\"^(ab?)*$\",\"maxLength\":30}}",
        "{\"items\":{\"type\":\"string\",\"pattern\":\"^(ab?\\\\n*)*$\",\"maxLength\":30}}",
        "{\"items\":{\"type\":\"string\",\"pattern\":\"^(ab)*$\",\"minLength\":12,\"maxLength\":30}}",
        "{\"items\":{\"type\":\"string\",\"pattern\":\"b\",\"maxLength\":30}}",
    };
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++)
        for (int round = 0; round < 2; round++) { /* once from the beginning, once from the end */
            uint32_t words[SMALL_WORDS];
            small s = small_open(texts, schemas[i], NULL);
            CHECK(small_put(s.matcher, "[\"") == GM_OK);
            for (int j = 0; j < 30; j++) {
                CHECK(round == 1 || small_mask_is_exact(s.matcher, words));
                CHECK(gm_matcher_accept(s.matcher, "ab"[j % 2]) == GM_OK);
            }
            for (int j = 0; j < 30; j++) {
                CHECK(small_mask_is_exact(s.matcher, words));
                CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK);
            }
            small_close(&s);
        }
}

/* What must be left behind a token is found out when a token ends in a state, and again when the state is looked at
 * closer: whichever is first, also for another string of the same compiler. */
static void bounds_beside_patterns_do_not_depend_on_what_was_asked_before(void)
{
    static const char *const texts[] = {"\\n", "x(", "\\u0079", "zq", "aaaaaaaaaaa", NULL};
    static const char *const cases[][2] = {
        {"{\"type\":\"string\",\"pattern\":\"^[\\nx]([^(]|\\\\(.{12})*$\",\"maxLength\":9}", "\""},
        {"{\"type\":\"string\",\"pattern\":\"^[yz]([a-p]|q[a-z]{10})*$\",\"maxLength\":5}", "\"z"},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^\\\\n([^(]|\\\\(.{12})*$\",\"maxLength\":9},"
         "\"b\":{\"type\":\"string\",\"pattern\":\"^x([^(]|\\\\(.{12})*$\",\"maxLength\":9}}}", "{\"a\":\"\\n\",\"b\":\""},
        {"{\"type\":\"string\",\"pattern\":\"^a{1000000}b*$\",\"maxLength\":1000009}", "\""},
    };
    for (size_t i = 0; i < GM_COUNT_OF(cases); i++) {
        uint32_t words[SMALL_WORDS];
        small s = small_open(texts, cases[i][0], NULL);
        for (const char *at = cases[i][1]; *at != '\0'; at++)
            CHECK(small_mask_is_exact(s.matcher, words) && gm_matcher_accept(s.matcher, (uint8_t)*at) == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words));
        small_close(&s);
    }
}

static void runs_of_blanks_longer_than_a_byte_counts_keep_to_the_bound(void)
{
    char blanks[3][400];
    uint32_t words[SMALL_WORDS];
    const int lengths[3] = {280, 281, 399};
    for (int i = 0; i < 3; i++) {
        memset(blanks[i], ' ', sizeof blanks[i]);
        blanks[i][lengths[i]] = '\0';
    }
    const gm_schema_options bounded = {.struct_size = sizeof bounded, .max_whitespace = 280};
    const gm_schema_options endless = {.struct_size = sizeof endless, .max_whitespace = GM_WHITESPACE_UNLIMITED};
    for (int i = 0; i < 2; i++) {
        small s = small_open((const char *const[]){blanks[0], blanks[1], blanks[2], NULL}, "{\"type\":\"array\"}", i == 0 ? &bounded : &endless);
        for (const char *at = "[1, 2"; *at != '\0'; at++)
            CHECK(small_mask_is_exact(s.matcher, words) && gm_matcher_accept(s.matcher, (uint8_t)*at) == GM_OK);
        CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 256) && small_bit(words, 258) == (i == 1));
        small_close(&s);
    }
}

static void states_beyond_the_memory_of_a_grammar_are_a_limit(void)
{
    enum { NAMES = 300 };
    static char schema[NAMES * 40];
    uint32_t words[SMALL_WORDS], again[SMALL_WORDS];
    char value[48];
    size_t at = (size_t)snprintf(schema, sizeof schema, "{\"enum\":[");
    for (int i = 0; i < NAMES; i++)
        at += (size_t)snprintf(schema + at, sizeof schema - at, "%s\"%03d a constant text\"", i != 0 ? "," : "", i);
    snprintf(schema + at, sizeof schema - at, "]}");
    const gm_limits limits = {.struct_size = sizeof limits, .max_grammar_memory = 128 << 10};
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL;
    small s = small_open(NULL, "true", NULL);
    CHECK(gm_compiler_create(gm_compiler_vocab(s.compiler), &limits, NULL, &compiler, NULL) == GM_OK);
    CHECK(gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) == GM_OK);
    CHECK(gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK);
    size_t refused = 0;
    for (int i = 0; i < NAMES; i++) {
        const size_t length = (size_t)snprintf(value, sizeof value, "\"%03d a constant text\"", i);
        CHECK(gm_matcher_reset(matcher) == GM_OK);
        for (size_t j = 0; j < length; j++) {
            const gm_status filled = gm_matcher_fill(matcher, words, SMALL_WORDS);
            const gm_status status = gm_matcher_accept(matcher, (uint8_t)value[j]);
            CHECK(filled == GM_OK || (filled == GM_LIMIT && words[0] == 0 && words['"' / 32] == 0));
            if (status == GM_OK)
                continue;
            CHECK(status == GM_LIMIT && gm_matcher_token_count(matcher) == j);
            CHECK(gm_matcher_fill(matcher, again, SMALL_WORDS) == filled && small_same_words(words, again));
            refused++;
            break;
        }
        CHECK(i != 0 || gm_matcher_state(matcher) == GM_COMPLETE);
    }
    CHECK(refused != 0 && gm_grammar_memory(grammar) < 1 << 20);
    CHECK(gm_matcher_reset(matcher) == GM_OK && small_put(matcher, "\"000 a constant text\"") == GM_OK);
    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    small_close(&s);
}

static void rollback_beyond_the_start_changes_nothing(void)
{
    uint32_t before[SMALL_WORDS], after[SMALL_WORDS];
    small s = small_open(NULL, "true", NULL);
    CHECK(gm_matcher_rollback(s.matcher, 1) == GM_INVALID_ARGUMENT && gm_matcher_rollback(s.matcher, 0) == GM_OK);
    CHECK(small_put(s.matcher, "[1") == GM_OK && gm_matcher_accept(s.matcher, ',') == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, before));
    CHECK(gm_matcher_rollback(s.matcher, 3) == GM_INVALID_ARGUMENT && gm_matcher_rollback(s.matcher, SIZE_MAX) == GM_INVALID_ARGUMENT);
    CHECK(small_mask_is_exact(s.matcher, after) && small_same_words(before, after) && gm_matcher_token_count(s.matcher) == 2);
    gm_matcher *fork = NULL;
    CHECK(gm_matcher_fork(s.matcher, &fork) == GM_OK && gm_matcher_reset(s.matcher) == GM_OK);
    CHECK(gm_matcher_token_count(s.matcher) == 0 && gm_matcher_rollback(s.matcher, 1) == GM_INVALID_ARGUMENT);
    CHECK(gm_matcher_token_count(fork) == 2 && small_mask_is_exact(fork, after) && small_same_words(before, after));
    CHECK(gm_matcher_rollback(fork, 2) == GM_OK && gm_matcher_rollback(fork, 1) == GM_INVALID_ARGUMENT);
    gm_matcher_destroy(fork);
    small_close(&s);
}

static void an_empty_run_of_bytes_is_one_entry(void)
{
    size_t accepted = 5;
    small s = small_open(NULL, "true", NULL);
    CHECK(gm_matcher_accept_bytes(s.matcher, NULL, 0, &accepted) == GM_OK && accepted == 0);
    CHECK(gm_matcher_accept_bytes(s.matcher, (const uint8_t *)"", 0, NULL) == GM_OK && gm_matcher_token_count(s.matcher) == 2);
    CHECK(gm_matcher_accept_bytes(s.matcher, (const uint8_t *)"[1,]", 4, &accepted) == GM_REJECTED && accepted == 3);
    CHECK(gm_matcher_token_count(s.matcher) == 2 && gm_matcher_rollback(s.matcher, 2) == GM_OK);
    small_close(&s);
}

/* Letters of free text lead nowhere else; they are taken back like any others, and forks do not mind. */
static void inside_text_a_token_costs_a_few_bytes(void)
{
    enum { MANY = 100000 };
    uint32_t before[SMALL_WORDS], after[SMALL_WORDS];
    gm_matcher *fork = NULL;
    small s = small_open(NULL, "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}", NULL);
    CHECK(small_put(s.matcher, "{\"a\":\"") == GM_OK && small_mask_is_exact(s.matcher, before));
    const size_t memory = gm_matcher_memory(s.matcher);
    for (size_t i = 0; i < MANY; i++)
        CHECK(gm_matcher_accept(s.matcher, 'x') == GM_OK);
    CHECK(gm_matcher_memory(s.matcher) - memory <= 24 * MANY);
    CHECK(small_mask_is_exact(s.matcher, after) && small_same_words(before, after));
    CHECK(gm_matcher_fork(s.matcher, &fork) == GM_OK && gm_matcher_accept(fork, 'y') == GM_OK && gm_matcher_accept(fork, '"') == GM_OK);
    CHECK(gm_matcher_rollback(fork, 2 + MANY / 2) == GM_OK && gm_matcher_token_count(fork) == 1 + MANY / 2);
    CHECK(small_mask_is_exact(fork, after) && small_same_words(before, after));
    CHECK(gm_matcher_rollback(s.matcher, MANY) == GM_OK && gm_matcher_token_count(s.matcher) == 1);
    CHECK(small_mask_is_exact(s.matcher, after) && small_same_words(before, after));
    CHECK(gm_matcher_accept(fork, '"') == GM_OK && gm_matcher_accept(fork, '}') == GM_OK && gm_matcher_state(fork) == GM_COMPLETE);
    gm_matcher_destroy(fork);
    small_close(&s);
}

/* Members and numbers, byte by byte: where each step led is kept for one in some, and found again from there. */
static void a_token_of_structure_costs_tens_of_bytes(void)
{
    enum { MANY = 10000 };
    static const char item[] = "{\"abc\":12,\"de\":[true,\"f\"]}";
    const size_t length = sizeof item - 1;
    small s = small_open(NULL, "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"abc\":{},\"de\":{}}}}", NULL);
    CHECK(small_put(s.matcher, "[") == GM_OK);
    const size_t memory = gm_matcher_memory(s.matcher);
    for (size_t i = 0; i < MANY; i++) {
        for (size_t j = 0; j < length; j++)
            CHECK(gm_matcher_accept(s.matcher, (uint8_t)item[j]) == GM_OK);
        CHECK(gm_matcher_accept(s.matcher, ',') == GM_OK);
    }
    CHECK(gm_matcher_memory(s.matcher) - memory <= 64 * MANY * (length + 1));
    for (size_t i = 1; i <= length; i++) {
        CHECK(gm_matcher_rollback(s.matcher, i) == GM_OK);
        for (size_t j = length + 1 - i; j < length; j++)
            CHECK(gm_matcher_accept(s.matcher, (uint8_t)item[j]) == GM_OK);
        CHECK(gm_matcher_accept(s.matcher, ',') == GM_OK);
    }
    CHECK(gm_matcher_rollback(s.matcher, MANY * (length + 1)) == GM_OK && gm_matcher_accept(s.matcher, ']') == GM_OK);
    small_close(&s);
}

/* Random accepts, forks and rollbacks beside a list of what was accepted. `letters` are 16. */
static void follow_random_walks(const char *schema, const char *letters)
{
    enum { KEEP = 8, MOST = 400 };
    static uint8_t texts[KEEP][MOST];
    size_t lengths[KEEP] = {0};
    gm_matcher *live[KEEP] = {0};
    uint64_t random = 88172645463325252u;
    uint32_t words[SMALL_WORDS], expected[SMALL_WORDS];
    small s = small_open(NULL, schema, NULL);
    live[0] = s.matcher;
    s.matcher = NULL;
    for (int round = 0; round < 20000; round++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const size_t who = random >> 8 & (KEEP - 1), other = random >> 16 & (KEEP - 1);
        const unsigned what = random >> 24 & 15;
        if (live[who] == NULL)
            continue;
        if (what < 8 && lengths[who] < MOST) {
            const uint8_t byte = (uint8_t)letters[random >> 32 & 15];
            if ((what != 0 ? gm_matcher_accept(live[who], byte)
                           : gm_matcher_accept_bytes(live[who], &byte, 1, NULL)) == GM_OK)
                texts[who][lengths[who]++] = byte;
        } else if (what < 11) {
            const size_t back = lengths[who] != 0 ? (random >> 32) % (lengths[who] + 1) / (1 + (random >> 50) % 9) : 0;
            CHECK(gm_matcher_rollback(live[who], back) == GM_OK);
            lengths[who] -= back;
        } else if (what < 14 && who != other) {
            gm_matcher_destroy(live[other]);
            CHECK(gm_matcher_fork(live[who], &live[other]) == GM_OK);
            lengths[other] = lengths[who];
            memcpy(texts[other], texts[who], lengths[who]);
        } else if (what == 14 && who != other && live[other] != NULL) {
            gm_matcher_destroy(live[who]);
            live[who] = NULL;
        } else if (what == 15 && round % 8 == 0) {
            CHECK(gm_matcher_reset(live[who]) == GM_OK);
            lengths[who] = 0;
        }
        if (live[who] == NULL || round % 16 != 0)
            continue;
        gm_matcher *fresh = NULL;
        CHECK(gm_matcher_create(s.grammar, NULL, &fresh, NULL) == GM_OK);
        CHECK(gm_matcher_token_count(live[who]) == lengths[who]);
        for (size_t i = 0; i < lengths[who]; i++)
            CHECK(gm_matcher_accept(fresh, texts[who][i]) == GM_OK);
        CHECK(gm_matcher_fill(fresh, expected, SMALL_WORDS) == gm_matcher_fill(live[who], words, SMALL_WORDS));
        CHECK(small_same_words(words, expected) && gm_matcher_state(fresh) == gm_matcher_state(live[who]));
        gm_expected a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        CHECK(gm_matcher_expected(fresh, &a) == GM_OK && gm_matcher_expected(live[who], &b) == GM_OK);
        CHECK(strcmp(a.document_pointer, b.document_pointer) == 0 && memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0);
        gm_matcher_destroy(fresh);
    }
    for (int i = 0; i < KEEP; i++)
        gm_matcher_destroy(live[i]);
    small_close(&s);
}

static void forks_and_rollbacks_agree_with_replays(void)
{
    follow_random_walks("{\"type\":\"array\",\"items\":{\"type\":[\"integer\",\"array\"]}}", "[1,]2[ ,[1,]2[ ,");
    follow_random_walks("{\"type\":[\"object\",\"array\"],\"properties\":{\"a\":{\"$ref\":\"#\"},\"ab\":{\"type\":\"string\"}},"
                        "\"additionalProperties\":{\"$ref\":\"#\"},\"items\":{\"$ref\":\"#\"}}",
                        "[{}],\"\"\"::ab{\"{,");
    follow_random_walks("{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[1,12,\"a\",\"ab\",[],{\"a\":1}]}}",
                        "[]{}12,,,\"\"ab:1\"");
}

static void forks_may_be_destroyed_in_any_order(void)
{
    for (int order = 0; order < 6; order++) {
        gm_matcher *m[3] = {0};
        small s = small_open(NULL, "true", NULL);
        m[0] = s.matcher;
        s.matcher = NULL;
        CHECK(small_put(m[0], "[1") == GM_OK && gm_matcher_fork(m[0], &m[1]) == GM_OK);
        CHECK(small_put(m[1], ",2") == GM_OK && gm_matcher_fork(m[1], &m[2]) == GM_OK);
        CHECK(small_put(m[2], ",3]") == GM_OK);
        if (order % 2 == 0) { /* the grammar is held by its matchers alone */
            gm_grammar_release(s.grammar);
            gm_compiler_release(s.compiler);
            gm_vocab_release(s.vocab);
            s = (small){0};
        }
        for (int i = 0; i < 3; i++) {
            const int at = (order / 2 + i) % 3;
            gm_matcher_destroy(m[at]);
            m[at] = NULL;
            for (int j = 0; j < 3; j++)
                CHECK(m[j] == NULL || (gm_matcher_rollback(m[j], 1) == GM_OK && small_put(m[j], j == 0 ? "[1" : j == 1 ? ",2" : ",3]") == GM_OK));
        }
        small_close(&s);
    }
}

static void a_hundred_thousand_forks_in_a_chain_are_rolled_back_at_once(void)
{
    enum { CHAIN = 100000 };
    small s = small_open(NULL, "{\"type\":\"string\"}", NULL);
    gm_matcher *matcher = s.matcher;
    uint32_t words[SMALL_WORDS];
    s.matcher = NULL;
    CHECK(gm_matcher_accept(matcher, '"') == GM_OK);
    for (int i = 0; i < CHAIN; i++) {
        gm_matcher *fork = NULL;
        CHECK(gm_matcher_accept(matcher, 'a') == GM_OK && gm_matcher_fork(matcher, &fork) == GM_OK);
        gm_matcher_destroy(matcher);
        matcher = fork;
    }
    CHECK(gm_matcher_token_count(matcher) == CHAIN + 1);
    for (int i = 1; i <= CHAIN / 100; i++) {
        gm_matcher *fork = NULL;
        CHECK(gm_matcher_fork(matcher, &fork) == GM_OK);
        CHECK(gm_matcher_rollback(fork, (size_t)i * 100) == GM_OK && gm_matcher_token_count(fork) == CHAIN + 1 - (size_t)i * 100);
        gm_matcher_destroy(fork);
    }
    CHECK(gm_matcher_rollback(matcher, CHAIN) == GM_OK && small_mask_is_exact(matcher, words));
    CHECK(small_put(matcher, "b\"") == GM_OK && gm_matcher_state(matcher) == GM_COMPLETE);
    CHECK(gm_matcher_rollback(matcher, 2) == GM_OK && gm_matcher_state(matcher) == GM_RUNNING);
    gm_matcher_destroy(matcher);
    small_close(&s);
}

/* ---- depth ---- */

/* With 256 kB of stack, so that recursion over the depth would show. */
static void a_document_may_be_a_million_deep(void)
{
    enum { DEPTH = 1000000 };
    struct rlimit old, little;
    getrlimit(RLIMIT_STACK, &old);
    little = old;
    little.rlim_cur = 256 << 10;
    setrlimit(RLIMIT_STACK, &little);
    small s = small_open(NULL, "true", NULL);
    uint32_t words[SMALL_WORDS];
    gm_expected expected = {.struct_size = sizeof expected};
    uint8_t *text = malloc(DEPTH);
    memset(text, '[', DEPTH);
    size_t accepted = 0;
    const gm_status status = gm_matcher_accept_bytes(s.matcher, text, DEPTH, &accepted);
    if (status != GM_OK)
        fprintf(stderr, "%s after %zu bytes\n", gm_status_name(status), accepted);
    CHECK(status == GM_OK && accepted == DEPTH);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, ']'));
    CHECK(gm_matcher_expected(s.matcher, &expected) == GM_OK && strncmp(expected.document_pointer, "/0/0/0/0", 8) == 0);
    memset(text, ']', DEPTH);
    CHECK(gm_matcher_accept_bytes(s.matcher, text, DEPTH, &accepted) == GM_OK && gm_matcher_state(s.matcher) == GM_COMPLETE);
    CHECK(gm_matcher_rollback(s.matcher, 2) == GM_OK);
    for (int i = 0; i < DEPTH / 10 && gm_matcher_token_count(s.matcher) == (size_t)i; i++)
        CHECK(gm_matcher_accept(s.matcher, '[') == GM_OK);
    CHECK(gm_matcher_token_count(s.matcher) == DEPTH / 10);
    free(text);
    small_close(&s);
    setrlimit(RLIMIT_STACK, &old);
}

/* The lengths of what may follow in a repeat of repeats are no interval. */
static void bounds_on_nested_repeats_are_no_dead_end(void)
{
    small s = small_open(NULL, "{\"type\":\"string\",\"pattern\":\"^(((a{1,100}b){1,100}){1,100})$\",\"minLength\":5,\"maxLength\":5000}", NULL);
    uint32_t words[SMALL_WORDS];
    CHECK(small_put(s.matcher, "\"a") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 'a') && small_bit(words, 'b') && !small_bit(words, '"'));
    CHECK(small_put(s.matcher, "abab") == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && small_bit(words, 'a') && !small_bit(words, 'b') && small_bit(words, '"'));
    small_close(&s);
}

/* ---- tokens that hold two keys ---- */

/* Everywhere along some documents the masks of tokens that close a key and write another one are those of accept. */
static void two_keys_of_a_token_are_never_the_same(void)
{
    static const char *const texts[] = {"a\":1,\"a\":", "\":1,\"a\":", "\":1,\"ab\":", "b\":1,\"ab\":", "a\":1,\"b\":1,\"a\":", "\":1,\"",
                                        "\":1,\"a", "\":1,\"b\":1}", "b\":1,\"c\":1", "{\"a\":1,\"a\":", "1,\"a\":", "\":1,\"\\u0061\":", NULL};
    static const char *const schemas[] = {
        "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}",
        "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{\"type\":\"integer\"}},\"additionalProperties\":{\"type\":\"integer\"}}",
        "{\"type\":\"object\",\"patternProperties\":{\"^[ab]{1,2}$\":{\"type\":\"integer\"}},\"additionalProperties\":false}",
        "{\"type\":\"object\",\"patternProperties\":{\"^a\":{\"type\":\"integer\"}},\"properties\":{\"a\":{\"type\":\"integer\"}}}",
    };
    static const char *const documents[] = {"{\"a\":1,\"ab\":1,\"b\":12}", "{\"ab\":1,\"a\":1,\"aa\":1}", "{\"b\":1,\"bb\":1,\"a\":1}"};
    const gm_schema_options any = {.struct_size = sizeof any, .property_order = GM_ORDER_ANY};
    uint32_t words[SMALL_WORDS];
    for (size_t i = 0; i < GM_COUNT_OF(schemas) * 2; i++) {
        small s = small_open(texts, schemas[i / 2], i % 2 != 0 ? &any : NULL);
        for (size_t j = 0; j < GM_COUNT_OF(documents); j++) {
            CHECK(gm_matcher_reset(s.matcher) == GM_OK);
            for (const char *at = documents[j]; *at != '\0'; at++) {
                if (!small_mask_is_exact(s.matcher, words)) {
                    fprintf(stderr, "schema %s, before %s\n", schemas[i / 2], at);
                    CHECK(!"a mask differs");
                }
                if (gm_matcher_accept(s.matcher, (uint8_t)*at) != GM_OK)
                    break;
            }
        }
        small_close(&s);
    }
}

/* ---- stop sets and ends ---- */

static void an_ordinary_token_may_be_the_stop_token(void)
{
    uint32_t words[SMALL_WORDS];
    small s = small_open(NULL, "{\"type\":[\"string\",\"integer\"]}", NULL);
    const uint32_t stops[] = {'}', '5', '}'};
    const gm_matcher_options options = {.struct_size = sizeof options, .own_stop_set = true, .stop = stops, .stop_count = 3};
    gm_matcher *matcher = NULL;
    size_t count = 0;
    CHECK(gm_matcher_create(s.grammar, &options, &matcher, NULL) == GM_OK);
    const uint32_t *set = gm_matcher_stop(matcher, &count);
    CHECK(count == 2 && set[0] == '5' && set[1] == '}');
    CHECK(small_mask_is_exact(matcher, words) && !small_bit(words, '5') && small_bit(words, '4'));
    CHECK(gm_matcher_accept(matcher, '5') == GM_REJECTED);
    CHECK(gm_matcher_accept(matcher, '4') == GM_OK && gm_matcher_state(matcher) == GM_MAY_STOP);
    CHECK(small_mask_is_exact(matcher, words) && small_bit(words, '5') && small_bit(words, '}') && small_bit(words, '6'));
    CHECK(gm_matcher_accept(matcher, '5') == GM_OK && gm_matcher_state(matcher) == GM_STOPPED);
    CHECK(gm_matcher_reset(matcher) == GM_OK && small_put(matcher, "45") == GM_OK); /* bytes are text */
    CHECK(gm_matcher_rollback(matcher, 1) == GM_OK && small_put(matcher, "\"a") == GM_OK);
    CHECK(small_mask_is_exact(matcher, words) && !small_bit(words, '5') && !small_bit(words, '}'));
    gm_matcher_destroy(matcher);
    small_close(&s);
}

/* A mask may hold nothing but a stop token that is a text as well. The second time it is found, not computed. */
static void a_mask_of_nothing_but_a_stop_token_is_a_dead_end_each_time(void)
{
    uint32_t words[SMALL_WORDS];
    const gm_schema_options compact = {.struct_size = sizeof compact, .whitespace = GM_WHITESPACE_COMPACT};
    small s = small_open(NULL, "{\"type\":\"null\"}", &compact);
    const uint32_t stop = 'u';
    const gm_matcher_options options = {.struct_size = sizeof options, .own_stop_set = true, .stop = &stop, .stop_count = 1};
    for (int time = 0; time < 3; time++) {
        gm_matcher *matcher = NULL;
        CHECK(gm_matcher_create(s.grammar, &options, &matcher, NULL) == GM_OK);
        CHECK(small_put(matcher, "n") == GM_OK);
        memset(words, 0xFF, sizeof words);
        CHECK(gm_matcher_fill(matcher, words, SMALL_WORDS) == GM_DEAD_END);
        for (size_t i = 0; i < SMALL_WORDS; i++)
            CHECK(words[i] == 0);
        gm_matcher_destroy(matcher);
    }
    small_close(&s);
}

static void a_stop_token_may_lie_between_the_tokens_and_the_logit_width(void)
{
    const char *const texts[] = {"1", "2", "[", "]"};
    uint32_t words[SMALL_WORDS];
    const uint32_t stop = 40;
    gm_vocab *vocab = small_vocab_of(texts, 4, (gm_vocab_desc){.logit_width = 70});
    small s = small_compile(vocab, 4, "{\"type\":\"array\"}", NULL);
    const gm_matcher_options options = {.struct_size = sizeof options, .own_stop_set = true, .stop = &stop, .stop_count = 1};
    CHECK(gm_matcher_create(s.grammar, &options, &s.matcher, NULL) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && words[0] == 4 && words[1] == 0);
    CHECK(gm_matcher_accept(s.matcher, 2) == GM_OK && gm_matcher_accept(s.matcher, 3) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && words[0] == 0 && words[1] == 1u << 8);
    CHECK(gm_matcher_accept(s.matcher, 40) == GM_OK && gm_matcher_state(s.matcher) == GM_STOPPED);
    small_close(&s);
}

static void a_leading_space_is_one_and_only_at_the_start(void)
{
    static const char *const texts[] = {" {", " \"", "  ", NULL};
    uint32_t words[SMALL_WORDS];
    small s = small_open(texts, "true", NULL);
    const gm_matcher_options options = {.struct_size = sizeof options, .leading_space = true};
    gm_matcher *matcher = NULL;
    CHECK(gm_matcher_create(s.grammar, &options, &matcher, NULL) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && !small_bit(words, ' ') && !small_bit(words, 256));
    for (int round = 0; round < 2; round++) {
        CHECK(small_mask_is_exact(matcher, words) && small_bit(words, ' ') && small_bit(words, 256) && small_bit(words, 257) &&
              small_bit(words, '{') && !small_bit(words, 258) && !small_bit(words, '\n'));
        CHECK(gm_matcher_accept(matcher, ' ') == GM_OK);
        CHECK(small_mask_is_exact(matcher, words) && !small_bit(words, ' ') && !small_bit(words, 256) && small_bit(words, '{'));
        CHECK(gm_matcher_accept(matcher, ' ') == GM_REJECTED && small_put(matcher, "{}") == GM_OK);
        CHECK(gm_matcher_accept(matcher, ' ') == GM_REJECTED && gm_matcher_reset(matcher) == GM_OK);
    }
    gm_matcher_destroy(matcher);
    small_close(&s);
}

/* ---- vocabularies with holes ---- */

static void duplicate_texts_are_all_allowed_and_empty_ones_never(void)
{
    const char *const texts[] = {"\"", "a", "", "a", "ab", "b", "a", NULL, "\""};
    uint32_t words[SMALL_WORDS];
    gm_vocab *vocab = small_vocab_of(texts, 9, (gm_vocab_desc){0});
    small s = small_compile(vocab, 9, "{\"enum\":[\"ab\",\"a\"]}", NULL);
    CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && words[0] == 0x101);
    CHECK(gm_matcher_accept(s.matcher, 8) == GM_OK);
    CHECK(small_mask_is_exact(s.matcher, words) && words[0] == (1u << 1 | 1u << 3 | 1u << 4 | 1u << 6));
    CHECK(gm_matcher_accept(s.matcher, 2) == GM_REJECTED && gm_matcher_accept(s.matcher, 7) == GM_REJECTED);
    CHECK(gm_matcher_accept(s.matcher, 6) == GM_OK && gm_matcher_accept(s.matcher, 0) == GM_OK);
    CHECK(gm_matcher_state(s.matcher) == GM_STOPPED);
    small_close(&s);
}

static const char *const toy[] = {"name", "age", "city", "Paris", "Oslo", "true", "false", "null", "a", "b", "c", "d", "e",
                                  "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "{", "}", "[", "]", "\"", ":", ",", " ",
                                  "-", ".", "the", "of", "and", "is", "in", "it"};

static void a_toy_vocabulary_without_stop_token_finishes_an_object(void)
{
    const gm_schema_options compact = {.struct_size = sizeof compact, .whitespace = GM_WHITESPACE_COMPACT};
    const char *schema = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\"},"
                         "\"city\":{\"enum\":[\"Paris\",\"Oslo\"]}},\"required\":[\"name\",\"age\",\"city\"],\"additionalProperties\":false}";
    CHECK(GM_COUNT_OF(toy) == 39);
    for (int i = 0; i < 2; i++) {
        gm_vocab *vocab = small_vocab_of(toy, 39, (gm_vocab_desc){0});
        small s = small_compile(vocab, 39, schema, i != 0 ? &compact : NULL);
        uint32_t words[SMALL_WORDS];
        CHECK(s.grammar != NULL && gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
        uint64_t random = 12345 + (uint64_t)i;
        int step = 0;
        for (; step < 2000 && gm_matcher_state(s.matcher) != GM_STOPPED; step++) {
            CHECK(small_mask_is_exact(s.matcher, words));
            const uint64_t mask = words[0] | (uint64_t)words[1] << 32;
            CHECK(mask != 0 && mask >> 39 == 0);
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint32_t id = (uint32_t)(random >> 33) % 39;
            if (random >> 60 < 3 && (mask >> 27 & 1)) /* a quote ends strings */
                id = 27;
            while (!(mask >> id & 1))
                id = (id + 1) % 39;
            CHECK(gm_matcher_accept(s.matcher, id) == GM_OK);
        }
        CHECK(step < 2000 && gm_matcher_state(s.matcher) == GM_STOPPED);
        CHECK(gm_matcher_fill(s.matcher, words, SMALL_WORDS) == GM_TERMINATED && words[0] == 0 && words[1] == 0);
        CHECK(gm_matcher_rollback(s.matcher, 1) == GM_OK && gm_matcher_state(s.matcher) == GM_RUNNING);
        small_close(&s);
    }
}

static void word_pieces_are_refused(void)
{
    const char *const texts[] = {"a", "##b"};
    gm_vocab *vocab = small_vocab_of(texts, 2, (gm_vocab_desc){.word_pieces = true});
    gm_compiler *compiler = NULL;
    gm_error error = {0};
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, &error) == GM_UNSUPPORTED && compiler == NULL);
    CHECK(error.status == GM_UNSUPPORTED && error.message[0] != '\0');
    gm_vocab_release(vocab);
}

/* All printable ASCII but '{', '}', '<', '\\', '^', '`', and no control characters. */
static gm_vocab *t5_like(void)
{
    static char letters[128][2];
    const char *texts[128];
    size_t count = 0;
    for (int c = 0x20; c < 0x7F; c++)
        if (strchr("{}<\\^`", c) == NULL) {
            letters[count][0] = (char)c;
            texts[count] = letters[count];
            count++;
        }
    texts[count++] = "\xC3\xA9";
    return small_vocab_of(texts, count, (gm_vocab_desc){0});
}

static void what_needs_bytes_that_no_token_has_is_decided_at_compile(void)
{
    static const char *const refused[] = {"{\"type\":\"object\"}", "{\"const\":\"a<b\"}", "{\"const\":\"\\\\\"}", "{\"const\":\"\xC3\xA8\"}",
                                          "{\"type\":\"array\",\"items\":{\"type\":\"object\"},\"minItems\":1}",
                                          "{\"type\":\"string\",\"pattern\":\"\\\\n\"}", "{\"type\":\"string\",\"pattern\":\"^[\\\\^`]+$\"}",
                                          "{\"enum\":[{},\"<\"]}"};
    static const char *const fine[] = {"true", "{\"type\":\"string\"}", "{\"const\":\"\xC3\xA9\"}", "{\"enum\":[\"a<b\",\"ab\",{}]}",
                                       "{\"type\":\"array\",\"items\":{\"type\":[\"object\",\"integer\"]}}",
                                       "{\"type\":\"array\",\"items\":{\"type\":\"object\"}}", "{\"type\":\"string\",\"pattern\":\"<|b\"}"};
    uint32_t words[SMALL_WORDS];
    uint64_t missing[4];
    gm_vocab *vocab = t5_like();
    CHECK(gm_vocab_missing_bytes(vocab, missing) == 256 - 91);
    small s = small_compile(vocab, 0, "true", NULL);
    for (size_t i = 0; i < GM_COUNT_OF(refused); i++) {
        gm_grammar *grammar = NULL;
        gm_error error = {0};
        const gm_status status = gm_compile_json_schema(s.compiler, refused[i], strlen(refused[i]), NULL, &grammar, &error);
        if (status != GM_UNSATISFIABLE)
            fprintf(stderr, "%s: %s\n", refused[i], gm_status_name(status));
        CHECK(status == GM_UNSATISFIABLE && grammar == NULL);
    }
    for (size_t i = 0; i < GM_COUNT_OF(fine); i++) {
        gm_grammar *grammar = NULL;
        uint64_t random = 99 + i;
        CHECK(gm_compile_json_schema(s.compiler, fine[i], strlen(fine[i]), NULL, &grammar, NULL) == GM_OK);
        for (int walk = 0; walk < 40 && grammar != NULL; walk++) { /* no walk ever meets a dead end */
            gm_matcher *matcher = NULL;
            CHECK(gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK);
            for (int step = 0; step < 60; step++) {
                CHECK(small_mask_is_exact(matcher, words));
                const gm_matcher_state_kind state = gm_matcher_state(matcher);
                if (state == GM_STUCK)
                    fprintf(stderr, "%s: stuck after %d tokens\n", fine[i], step);
                CHECK(state != GM_STUCK);
                if (state == GM_STOPPED || state == GM_STUCK)
                    break;
                random = random * 6364136223846793005u + 1442695040888963407u;
                uint32_t id = (uint32_t)(random >> 33) % 128;
                while (!small_bit(words, id))
                    id = (id + 1) % 128;
                CHECK(gm_matcher_accept(matcher, id) == GM_OK);
            }
            gm_matcher_destroy(matcher);
        }
        gm_grammar_release(grammar);
    }
    small_close(&s);
}

static void a_letter_without_bytes_is_written_as_an_escape(void)
{
    const char *const texts[] = {"\"", "\\", "u", "0", "e", "9", "n", "{", "}", ":"};
    uint32_t words[SMALL_WORDS];
    gm_vocab *vocab = small_vocab_of(texts, 10, (gm_vocab_desc){0});
    small s = small_compile(vocab, 0, "{\"const\":\"\xC3\xA9\\n\"}", NULL);
    CHECK(s.grammar != NULL && gm_matcher_create(s.grammar, NULL, &s.matcher, NULL) == GM_OK);
    static const uint32_t tokens[] = {0, 1, 2, 3, 3, 4, 5, 1, 6, 0};
    for (size_t i = 0; i < GM_COUNT_OF(tokens); i++) {
        CHECK(small_mask_is_exact(s.matcher, words) && words[0] == 1u << tokens[i]);
        CHECK(gm_matcher_accept(s.matcher, tokens[i]) == GM_OK);
    }
    CHECK(gm_matcher_state(s.matcher) == GM_STOPPED);
    small_close(&s);
    vocab = small_vocab_of(texts, 10, (gm_vocab_desc){0});
    const gm_schema_options minimal = {.struct_size = sizeof minimal, .escapes = GM_ESCAPES_MINIMAL};
    s = small_compile(vocab, 0, "{\"const\":\"\xC3\xA9\"}", &minimal);
    CHECK(s.grammar == NULL && s.error.status == GM_UNSATISFIABLE); /* minimal escapes cannot write it */
    small_close(&s);
}

int main(void)
{
    RUN(null_arguments_are_refused_and_never_a_trap);
    RUN(null_arguments_of_compiling_are_refused);
    RUN(every_refused_token_is_explained_and_changes_nothing);
    RUN(options_out_of_range_are_refused);
    RUN(a_mask_of_the_wrong_size_is_refused_and_a_longer_one_is_cleared);
    RUN(work_beyond_a_limit_leaves_nothing_but_zeros);
    RUN(counted_work_is_what_was_done);
    RUN(kept_masks_know_the_lengths_of_closing_tokens);
    RUN(bounds_beside_patterns_do_not_depend_on_what_was_asked_before);
    RUN(runs_of_blanks_longer_than_a_byte_counts_keep_to_the_bound);
    RUN(states_beyond_the_memory_of_a_grammar_are_a_limit);
    RUN(rollback_beyond_the_start_changes_nothing);
    RUN(an_empty_run_of_bytes_is_one_entry);
    RUN(inside_text_a_token_costs_a_few_bytes);
    RUN(a_token_of_structure_costs_tens_of_bytes);
    RUN(forks_and_rollbacks_agree_with_replays);
    RUN(forks_may_be_destroyed_in_any_order);
    RUN(a_hundred_thousand_forks_in_a_chain_are_rolled_back_at_once);
    RUN(a_document_may_be_a_million_deep);
    RUN(bounds_on_nested_repeats_are_no_dead_end);
    RUN(two_keys_of_a_token_are_never_the_same);
    RUN(an_ordinary_token_may_be_the_stop_token);
    RUN(a_mask_of_nothing_but_a_stop_token_is_a_dead_end_each_time);
    RUN(a_stop_token_may_lie_between_the_tokens_and_the_logit_width);
    RUN(a_leading_space_is_one_and_only_at_the_start);
    RUN(duplicate_texts_are_all_allowed_and_empty_ones_never);
    RUN(a_toy_vocabulary_without_stop_token_finishes_an_object);
    RUN(word_pieces_are_refused);
    RUN(what_needs_bytes_that_no_token_has_is_decided_at_compile);
    RUN(a_letter_without_bytes_is_written_as_an_escape);
    return REPORT("test_matcher");
}
