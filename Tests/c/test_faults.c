/*
 * test_faults.c - every allocation failing once, over the whole path from a schema to masks.
 *
 * Each action is run on fresh objects with the allocation number 0, 1, 2 ... failing, alone or with
 * all that come after it, until an action needs no more of them. A failed action says
 * GM_OUT_OF_MEMORY, leaves the matcher as it was (configuration, count, mask), and succeeds when it
 * is tried again; an action that makes do without the memory gives the right result. In the end
 * nothing is left allocated.
 */
#include "match/matcher.h"
#include "small_vocabulary.h"

/* ---- an allocator that fails at one call, or from it on ---- */

typedef struct faults {
    long calls, fail_at; /* fail_at < 0: never */
    bool goes_on;
    long live;
} faults;

static bool spend(faults *f)
{
    const long call = f->calls++;
    return f->fail_at < 0 || (f->goes_on ? call < f->fail_at : call != f->fail_at);
}

static void *take(void *context, size_t size)
{
    faults *f = context;
    void *block = spend(f) ? malloc(size) : NULL;
    f->live += block != NULL;
    return block;
}

static void *retake(void *context, void *block, size_t old_size, size_t size)
{
    (void)old_size;
    return spend(context) ? realloc(block, size) : NULL;
}

static void give(void *context, void *block, size_t size)
{
    (void)size;
    ((faults *)context)->live -= block != NULL;
    free(block);
}

/* ---- the objects ---- */

static const char *const rich =
    "{\"$defs\":{\"n\":{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\",\"minimum\":-3,"
    "\"maximum\":70},\"next\":{\"$ref\":\"#/$defs/n\"}},\"required\":[\"v\",\"next\"],\"additionalProperties\":false}]}},"
    "\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[a-c]+(-\\\\d{2})?$\",\"maxLength\":9},"
    "\"kind\":{\"enum\":[\"x\",\"xy\",1,null,[1,{\"a\":2}]]},\"list\":{\"type\":\"array\",\"prefixItems\":[{\"type\":\"boolean\"}],"
    "\"items\":{\"type\":\"number\",\"multipleOf\":0.5},\"minItems\":1,\"maxItems\":4},\"node\":{\"$ref\":\"#/$defs/n\"},"
    "\"set\":{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"anyOf\":[{\"enum\":[\"p\",\"pq\",{\"k\":1}]},{\"type\":\"integer\",\"minimum\":8,"
    "\"maximum\":11},{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"boolean\"}}]},\"minItems\":4},"
    "\"families\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"patternProperties\":{\"^a+$\":{\"type\":\"null\"},\"^b\":{\"type\":\"boolean\"}},"
    "\"additionalProperties\":false}}},"
    "\"required\":[\"list\"],\"additionalProperties\":{\"type\":\"string\"}}";

typedef struct subject {
    faults state;
    gm_allocator allocator;
    gm_compiler *compiler;
    gm_grammar *grammar;
    gm_matcher *matcher;
} subject;

static gm_vocab *shared_vocab;
static uint32_t shared_stop;
static gm_schema_options shared_options = {.struct_size = sizeof(gm_schema_options)};

/* A matcher after `text`, nothing else built yet. */
static void subject_open(subject *s, const char *text)
{
    *s = (subject){.state = {.fail_at = -1}};
    s->allocator = (gm_allocator){&s->state, take, retake, give};
    const gm_matcher_options options = {.struct_size = sizeof options, .allocator = &s->allocator};
    CHECK(gm_compiler_create(shared_vocab, NULL, &s->allocator, &s->compiler, NULL) == GM_OK);
    CHECK(gm_compile_json_schema(s->compiler, rich, strlen(rich), &shared_options, &s->grammar, NULL) == GM_OK);
    CHECK(gm_matcher_create(s->grammar, &options, &s->matcher, NULL) == GM_OK);
    for (size_t i = 0; text[i] != '\0'; i++)
        CHECK(gm_matcher_accept(s->matcher, (uint8_t)text[i]) == GM_OK);
}

static void subject_close(subject *s)
{
    gm_matcher_destroy(s->matcher);
    gm_grammar_release(s->grammar);
    gm_compiler_release(s->compiler);
    CHECK(s->state.live == 0);
}

/* ---- actions ---- */

typedef struct result {
    uint32_t words[SMALL_WORDS];
    uint8_t bytes[64];
    size_t length;
    size_t tokens;
    gm_mask mask;
    gm_expected expected;
    char message[256];
} result;

typedef gm_status (*action)(subject *s, const char *text, result *r);

static gm_status do_fill(subject *s, const char *text, result *r)
{
    (void)text;
    static const uint32_t none[SMALL_WORDS];
    memset(r->words, 0x3C, sizeof r->words);
    const gm_status status = gm_matcher_fill(s->matcher, r->words, SMALL_WORDS);
    CHECK(status == GM_OK || memcmp(none, r->words, sizeof none) == 0);
    return status;
}

static gm_status do_mask(subject *s, const char *text, result *r)
{
    (void)text;
    const gm_status status = gm_matcher_mask(s->matcher, &r->mask);
    for (uint32_t id = 0; id < SMALL_MOST && status == GM_OK; id++)
        if (gm_mask_allows(&r->mask, id))
            r->words[id / 32] |= 1u << id % 32;
    r->length = r->mask.allowed_count;
    r->mask = (gm_mask){0}; /* pointers differ */
    return status;
}

static gm_status do_batch(subject *s, const char *text, result *r)
{
    (void)text;
    gm_status status;
    gm_matcher *const matchers[] = {s->matcher};
    const gm_status all = gm_fill_batch(matchers, 1, r->words, SMALL_WORDS, NULL, &status, NULL, NULL);
    CHECK(all == status);
    return all;
}

static gm_status do_accept(subject *s, const char *text, result *r)
{
    const gm_status status = gm_matcher_accept(s->matcher, (uint8_t)text[0]);
    r->tokens = gm_matcher_token_count(s->matcher);
    return status;
}

static gm_status do_accept_bytes(subject *s, const char *text, result *r)
{
    const gm_status status = gm_matcher_accept_bytes(s->matcher, (const uint8_t *)text, strlen(text), &r->length);
    r->tokens = gm_matcher_token_count(s->matcher);
    return status;
}

static gm_status do_would_accept(subject *s, const char *text, result *r)
{
    (void)r;
    return gm_matcher_would_accept(s->matcher, (uint8_t)text[0]);
}

static gm_status do_would_accept_many(subject *s, const char *text, result *r)
{
    uint32_t tokens[256];
    size_t count = 0;
    for (; text[count] != '\0'; count++)
        tokens[count] = (uint8_t)text[count];
    return gm_matcher_would_accept_many(s->matcher, tokens, count, &r->length);
}

static gm_status do_fork(subject *s, const char *text, result *r)
{
    gm_matcher *fork = NULL;
    const gm_status status = gm_matcher_fork(s->matcher, &fork);
    CHECK((status == GM_OK) == (fork != NULL));
    if (fork != NULL) {
        r->tokens = gm_matcher_token_count(fork);
        CHECK(memcmp(&fork->config, &s->matcher->config, sizeof fork->config) == 0);
    }
    (void)text;
    gm_matcher_destroy(fork);
    return status;
}

/* Takes back a few tokens, to where the position was kept or to where it was not; the mask there is the result. */
static gm_status take_back(subject *s, result *r)
{
    const size_t count = gm_matcher_token_count(s->matcher);
    const gm_status status = gm_matcher_rollback(s->matcher, count < 3 ? count : 3);
    const faults state = s->state;
    s->state.fail_at = -1;
    if (status == GM_OK)
        CHECK(gm_matcher_fill(s->matcher, r->words, SMALL_WORDS) == GM_OK);
    s->state.fail_at = state.fail_at;
    s->state.calls = state.calls;
    r->tokens = gm_matcher_token_count(s->matcher);
    return status;
}

static gm_status do_rollback(subject *s, const char *text, result *r)
{
    (void)text;
    return take_back(s, r);
}

static gm_status do_rollback_shared(subject *s, const char *text, result *r)
{
    (void)text;
    gm_matcher *fork = NULL;
    const faults state = s->state;
    s->state.fail_at = -1;
    CHECK(gm_matcher_fork(s->matcher, &fork) == GM_OK);
    gm_matcher_destroy(fork);
    s->state.fail_at = state.fail_at;
    s->state.calls = state.calls;
    return take_back(s, r);
}

static gm_status do_create(subject *s, const char *text, result *r)
{
    (void)text;
    (void)r;
    gm_matcher *made = NULL;
    gm_error error = {0};
    const gm_matcher_options options = {.struct_size = sizeof options, .allocator = &s->allocator};
    const gm_status status = gm_matcher_create(s->grammar, &options, &made, &error);
    CHECK((status == GM_OK) == (made != NULL) && (status == GM_OK || error.status == status));
    gm_matcher_destroy(made);
    return status;
}

static gm_status do_forced(subject *s, const char *text, result *r)
{
    (void)text;
    const gm_status status = gm_matcher_forced(s->matcher, r->bytes, sizeof r->bytes, &r->length);
    if (status != GM_OK)
        memset(r->bytes, 0, sizeof r->bytes);
    return status;
}

static gm_status do_expected(subject *s, const char *text, result *r)
{
    (void)text;
    r->expected.struct_size = sizeof r->expected;
    return gm_matcher_expected(s->matcher, &r->expected);
}

static gm_status do_explain(subject *s, const char *text, result *r)
{
    (void)text;
    return gm_matcher_explain(s->matcher, '?', &r->length, r->message, sizeof r->message);
}

static gm_status do_prewarm(subject *s, const char *text, result *r)
{
    (void)text;
    (void)r;
    gm_error error = {0};
    const gm_status status = gm_grammar_prewarm(s->grammar, 3000, &error);
    CHECK(status == GM_OK || error.status == status);
    return status;
}

static bool count_text(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
    return true;
}

static gm_status do_explain_grammar(subject *s, const char *text, result *r)
{
    (void)text;
    gm_error error = {0};
    size_t length = 0;
    const gm_status status = gm_grammar_explain(s->grammar, true, count_text, &length, &error);
    CHECK(status == GM_OK || error.status == status);
    r->length = status == GM_OK ? length : 0;
    return status;
}

/* ---- the loop ---- */

static size_t failures_met;

/* One action with allocation number `at` failing; false once it needs no such allocation. */
static bool run_action(action act, const char *at_text, const char *text, long at, bool goes_on, const result *right)
{
    subject s;
    result first, again;
    memset(&first, 0, sizeof first);
    memset(&again, 0, sizeof again);
    subject_open(&s, at_text);
    const gm_config config = s.matcher->config;
    const size_t count = gm_matcher_token_count(s.matcher);
    s.state.calls = 0;
    s.state.fail_at = at;
    s.state.goes_on = goes_on;
    const gm_status status = act(&s, text, &first);
    const bool met = s.state.calls > at;
    s.state.fail_at = -1;
    if (status != GM_OK) {
        if (status != GM_OUT_OF_MEMORY)
            fprintf(stderr, "at \"%s\" on \"%s\", allocation %ld: %s\n", at_text, text, at, gm_status_name(status));
        CHECK(status == GM_OUT_OF_MEMORY && met);
        failures_met++;
        CHECK(memcmp(&config, &s.matcher->config, sizeof config) == 0);
        CHECK(gm_matcher_token_count(s.matcher) == count && !s.matcher->stopped);
        CHECK(act(&s, text, &again) == GM_OK);
        CHECK(memcmp(&again, right, sizeof again) == 0);
    } else {
        if (memcmp(&first, right, sizeof first) != 0)
            fprintf(stderr, "at \"%s\" on \"%s\", allocation %ld: another result\n", at_text, text, at);
        CHECK(memcmp(&first, right, sizeof first) == 0);
    }
    subject_close(&s);
    return met;
}

static void run_at(action act, const char *at_text, const char *text)
{
    static result right;
    subject s;
    memset(&right, 0, sizeof right);
    subject_open(&s, at_text);
    CHECK(act(&s, text, &right) == GM_OK);
    subject_close(&s);
    for (int goes_on = 0; goes_on < 2; goes_on++)
        for (long at = 0; run_action(act, at_text, text, at, goes_on, &right); at++)
            if (at == 3000) {
                CHECK(!"an action needs fewer than 3000 allocations");
                break;
            }
}

/* Places in a document, and what goes on from there. */
static const char *const places[][2] = {
    {"", "{\"list\":[true,1.5],\"more\":\"x\",\"other\":\"\\u0041\"}"},
    {"{\"name\":\"a", "bc-07\",\"list\":[false],\"zz\":\"\"}"},
    {"{\"kind\":[1,{", "\"a\":2}],\"list\":[false"},
    {"{\"kind\":\"x", "y\" , \"list\" : [ true , -2.5, 0.0 ] }"},
    {"{\"list\":[true,-1", "2.5],\"node\":{\"v\":7,\"next\":{\"v\":-3,\"next\":null}}}"},
    {"{\"list\":[true],\"x1\":\"\",\"x2\":\"\",\"\\u00e9", "a\":\"\",\"x3\":\"\",\"x4\":\"\",\"x5\":\"\"}"},
    {"{\"list\":[true],\"set\":[\"pq\",10,[true],[", "true,false],8,{\"k\":1},9]}"},
    {"{\"list\":[true],\"families\":[", "{\"aa\":null,\"b\":true},{\"a\":null,\"bc\":false}]"},
    {"{\"list\":[true],\"set\":[[],[true,false],[false,true],[false", "],\"p\",11 , 1", },
};

static void everywhere(action act)
{
    for (size_t i = 0; i < GM_COUNT_OF(places); i++)
        run_at(act, places[i][0], places[i][1]);
}

static void accepting_survives_a_lack_of_memory(void)
{
    everywhere(do_accept);
    everywhere(do_accept_bytes);
    everywhere(do_would_accept);
    everywhere(do_would_accept_many);
}

static void masks_survive_a_lack_of_memory(void)
{
    everywhere(do_fill);
    everywhere(do_mask);
    everywhere(do_batch);
}

/* A key that no token may be: the mask is found as that of no used key, then the used ones are taken out, and tokens of
 * several keys tried. If that fails, what was found must not be taken for the mask. */
static void what_a_failed_mask_has_found_is_not_the_mask(void)
{
    static const char schema[] = "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}";
    uint32_t stop, words[SMALL_WORDS];
    gm_vocab *vocab = small_byte_vocab((const char *const[]){"a\":1", "x\":null,\"y\":null,\"z\":null", "a\":", NULL}, &stop);
    faults state = {.fail_at = -1};
    const gm_allocator allocator = {&state, take, retake, give};
    const gm_matcher_options options = {.struct_size = sizeof options, .allocator = &allocator};
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL, *fork = NULL;
    CHECK(gm_compiler_create(vocab, NULL, &allocator, &compiler, NULL) == GM_OK);
    CHECK(gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) == GM_OK);
    CHECK(gm_matcher_create(grammar, &options, &matcher, NULL) == GM_OK);
    CHECK(small_put(matcher, "{\"a\":1234,\"") == GM_OK && small_mask_is_exact(matcher, words));
    bool fails = true;
    for (long at = 0; fails; at++) {
        CHECK(gm_matcher_fork(matcher, &fork) == GM_OK);
        state = (faults){.fail_at = at, .live = state.live};
        fails = gm_matcher_fill(fork, words, SMALL_WORDS) == GM_OUT_OF_MEMORY;
        state.fail_at = -1;
        CHECK(small_mask_is_exact(fork, words));
        gm_matcher_destroy(fork);
    }
    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
    CHECK(state.live == 0);
}

/* An object whose names are of families, as the first, second, third ... object met: so each list and table of the
 * machine's is full once, and fails to grow, when what it leads to is there already. */
static void states_half_built_for_a_lack_of_memory_leave_no_trace(void)
{
    enum { MOST = 20 };
    for (int before = 0; before < MOST; before++) {
        char schema[4096] = "{\"type\":\"array\",\"prefixItems\":[{}", text[256] = "[0";
        for (int i = 0; i < before; i++) {
            const size_t length = strlen(schema);
            snprintf(schema + length, sizeof schema - length, ",{\"type\":\"object\",\"maxProperties\":%d}", i + 1);
            strcat(text, ",{}");
        }
        strcat(schema, "],\"items\":{\"type\":\"object\",\"patternProperties\":{\"^a+$\":{\"type\":\"null\"},\"^b\":{\"type\":\"boolean\"}},"
                       "\"additionalProperties\":false}}");
        bool fails = true;
        for (long at = 0; fails; at++) {
            static const char rest[] = ",{\"aa\":null,\"b\":true}]";
            faults state = {.fail_at = -1};
            const gm_allocator allocator = {&state, take, retake, give};
            const gm_matcher_options options = {.struct_size = sizeof options, .allocator = &allocator};
            gm_compiler *compiler = NULL;
            gm_grammar *grammar = NULL;
            gm_matcher *matcher = NULL;
            CHECK(gm_compiler_create(shared_vocab, NULL, &allocator, &compiler, NULL) == GM_OK);
            CHECK(gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) == GM_OK);
            CHECK(gm_matcher_create(grammar, &options, &matcher, NULL) == GM_OK && small_put(matcher, text) == GM_OK);
            state.calls = 0;
            state.fail_at = at;
            fails = small_put(matcher, rest) == GM_OUT_OF_MEMORY;
            state.fail_at = -1;
            CHECK(!fails || small_put(matcher, rest) == GM_OK);
            CHECK(gm_matcher_state(matcher) == GM_COMPLETE);
            gm_matcher_destroy(matcher);
            gm_grammar_release(grammar);
            gm_compiler_release(compiler);
            CHECK(state.live == 0);
        }
    }
}

static void forks_and_matchers_survive_a_lack_of_memory(void)
{
    everywhere(do_fork);
    everywhere(do_rollback);
    everywhere(do_rollback_shared);
    everywhere(do_create);
}

static void answers_for_people_survive_a_lack_of_memory(void)
{
    everywhere(do_forced);
    everywhere(do_expected);
    everywhere(do_explain);
    run_at(do_prewarm, "", "");
    run_at(do_explain_grammar, "", "");
}

/* ---- compiling ---- */

static void compile_with_faults(const char *schema, gm_status expected)
{
    for (int goes_on = 0; goes_on < 2; goes_on++)
        for (long at = 0;; at++) {
            faults state = {.fail_at = at, .goes_on = goes_on};
            const gm_allocator allocator = {&state, take, retake, give};
            gm_compiler *compiler = NULL;
            gm_grammar *grammar = NULL;
            gm_error error = {0};
            gm_status status = gm_compiler_create(shared_vocab, NULL, &allocator, &compiler, &error);
            CHECK((status == GM_OK) == (compiler != NULL));
            if (status == GM_OK)
                status = gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, &error);
            const bool met = state.calls > at;
            state.fail_at = -1;
            if (status != expected) {
                if (!(status == GM_OUT_OF_MEMORY && met && grammar == NULL))
                    fprintf(stderr, "allocation %ld: %s %s\n", at, gm_status_name(status), error.message);
                CHECK(status == GM_OUT_OF_MEMORY && met && grammar == NULL && error.status == GM_OUT_OF_MEMORY);
                failures_met++;
                if (compiler != NULL)
                    CHECK(gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) == expected);
            }
            if (grammar != NULL) { /* good for work, however it came about */
                gm_matcher *matcher = NULL;
                uint32_t words[SMALL_WORDS];
                CHECK(gm_matcher_create(grammar, NULL, &matcher, NULL) == GM_OK);
                CHECK(schema != rich || (small_put(matcher, places[0][1]) == GM_OK && gm_matcher_state(matcher) == GM_COMPLETE));
                CHECK(small_mask_is_exact(matcher, words));
                gm_matcher_destroy(matcher);
            }
            gm_grammar_release(grammar);
            gm_compiler_release(compiler);
            CHECK(state.live == 0);
            if (!met || at == 5000)
                break;
        }
}

static void compiling_survives_a_lack_of_memory(void)
{
    compile_with_faults(rich, GM_OK);
    compile_with_faults("{\"allOf\":[{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"a|b\"},{\"type\":\"integer\",\"multipleOf\":3}]},"
                        "{\"enum\":[3,6,7,\"cab\",\"x\"]}],\"title\":\"t\",\"x-unknown\":1}",
                        GM_OK);
    compile_with_faults("{\"patternProperties\":{\"^a\":{\"not\":{\"type\":\"integer\"}},\"b$\":{\"minimum\":2},\"^.b\":true},"
                        "\"additionalProperties\":{\"oneOf\":[{\"multipleOf\":2},{\"multipleOf\":3}]}}",
                        GM_OK);
    compile_with_faults("{\"type\":\"string\",\"pattern\":\"^a$\",\"minLength\":2}", GM_UNSATISFIABLE);
    compile_with_faults("{\"not\":{\"anyOf\":[{\"multipleOf\":2},{\"multipleOf\":3},{\"multipleOf\":5},{\"multipleOf\":7},{\"multipleOf\":11},"
                        "{\"multipleOf\":13},{\"multipleOf\":17},{\"multipleOf\":19},{\"multipleOf\":23}]}}",
                        GM_LIMIT);
    compile_with_faults("{\"uniqueItems\":true,\"minItems\":4,\"items\":{\"anyOf\":[{\"pattern\":\"^[ab]?$\",\"type\":\"string\"},{\"type\":\"object\","
                        "\"properties\":{\"a\":{\"type\":\"boolean\"}},\"additionalProperties\":false,\"minProperties\":1}]},\"type\":\"array\"}",
                        GM_OK);
    compile_with_faults("{\"uniqueItems\":true,\"minItems\":3,\"prefixItems\":[{\"enum\":[1,2]},{\"enum\":[1,2]},{\"enum\":[1,2]}],\"type\":\"array\"}",
                        GM_UNSATISFIABLE);
    compile_with_faults("{\"items\":{\"$ref\":\"#/nowhere\"}}", GM_INVALID_SCHEMA);
    compile_with_faults("{\"pattern\":\"(a)\\\\1\"}", GM_UNSUPPORTED);
}

/* ---- none to fail ---- */

/* Who makes a mask makes room for the step behind it: from then on accepting asks the matcher's allocator for nothing. */
static void accepting_behind_a_mask_takes_no_memory(void)
{
    enum { ROUNDS = 400 };
    static const char item[] = "{\"k\":[\"a long text\",12],\"other\":null},";
    static const char schema[] = "{\"type\":\"array\",\"items\":{\"properties\":{\"k\":{\"type\":\"array\"}},\"required\":[\"k\"]}}";
    faults state = {.fail_at = -1};
    const gm_allocator allocator = {&state, take, retake, give};
    const gm_matcher_options options = {.struct_size = sizeof options, .allocator = &allocator};
    uint32_t words[SMALL_WORDS];
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    gm_matcher *matcher = NULL;
    CHECK(gm_compiler_create(shared_vocab, NULL, NULL, &compiler, NULL) == GM_OK);
    CHECK(gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) == GM_OK);
    CHECK(gm_matcher_create(grammar, &options, &matcher, NULL) == GM_OK);
    CHECK(gm_matcher_accept(matcher, '[') == GM_OK);
    long taken = 0;
    bool good = true;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; item[i] != '\0'; i++) {
            good = good && gm_matcher_fill(matcher, words, SMALL_WORDS) == GM_OK;
            const long before = state.calls;
            good = good && gm_matcher_accept(matcher, (uint8_t)item[i]) == GM_OK;
            taken += state.calls - before;
        }
    CHECK(good && taken == 0);
    gm_matcher_destroy(matcher);
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    CHECK(state.live == 0);
}

/* ---- vocabularies ---- */

static void vocabularies_survive_a_lack_of_memory(void)
{
    const uint8_t text[] = "{}[]\":, 01ab{}aba\xC3\xA9";
    uint64_t offsets[18];
    for (size_t i = 0; i < 18; i++)
        offsets[i] = i < 14 ? i : i == 14 ? 16 : i == 15 ? 17 : i == 16 ? 18 : 19;
    for (int goes_on = 0; goes_on < 2; goes_on++)
        for (long at = 0;; at++) {
            faults state = {.fail_at = at, .goes_on = goes_on};
            const gm_allocator allocator = {&state, take, retake, give};
            const gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = 17, .blob = text, .offsets = offsets, .allocator = &allocator};
            gm_vocab *vocab = NULL;
            gm_error error = {0};
            const gm_status status = gm_vocab_create(&desc, &vocab, &error);
            CHECK(status == GM_OK ? vocab != NULL : status == GM_OUT_OF_MEMORY && vocab == NULL && error.status == status);
            const bool met = state.calls > at;
            failures_met += status != GM_OK;
            gm_vocab_release(vocab);
            CHECK(state.live == 0);
            if (!met)
                break;
        }
}

int main(void)
{
    shared_vocab = small_byte_vocab((const char *const[]){"\",\"", "true", "],", "\":[", "abc", "\\u00e9", "  ", NULL}, &shared_stop);
    RUN(accepting_survives_a_lack_of_memory);
    RUN(masks_survive_a_lack_of_memory);
    RUN(what_a_failed_mask_has_found_is_not_the_mask);
    RUN(states_half_built_for_a_lack_of_memory_leave_no_trace);
    RUN(forks_and_matchers_survive_a_lack_of_memory);
    RUN(answers_for_people_survive_a_lack_of_memory);
    RUN(compiling_survives_a_lack_of_memory);
    RUN(accepting_behind_a_mask_takes_no_memory);
    RUN(vocabularies_survive_a_lack_of_memory);
    gm_vocab_release(shared_vocab);
    printf("  %zu failures met\n", failures_met);
    return REPORT("test_faults");
}
