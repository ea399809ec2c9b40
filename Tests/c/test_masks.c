/*
 * test_masks.c - the fast ways to a mask equal the plain one, on the shipped vocabulary.
 *
 * Each random walk runs two matchers side by side: one computes masks the fast way, the other with
 * the machine over the whole trie, which is the specification. Every mask is compared, so patterns
 * are met in many states; several documents under one grammar, so what is remembered is met again. Both ways share the
 * walk of the trie, so one mask in some is also compared with what is accepted, token by token.
 */
#include "cli/shipped_vocabulary.h"
#include "walk_schemas.h"
#include "walks.h"

static const char *const patterns[] = {
    "^[a-z]+$", "^[a-zA-Z_][a-zA-Z0-9_-]*$", "^[^@ ]+@[^@ ]+\\\\.[a-z]{2,}$", "^.{1,5}$", "^.{3,40}$", "^(.|\\\\n){0,12}x$",
    "^[A-Z][a-z]{1,12}( [A-Z][a-z]{1,12}){0,3}$", "^\\\\w+( \\\\w+)*$", "^\\\\p{L}+$", "^[\\\\p{L}\\\\p{N} ]{2,20}$",
    "^[\\u0400-\\u04ff ]+$", "^[^a-m]*$", "^[^\\u4e00-\\u9fff]*$", "^[\\u0080-\\u07ff]+$", "^[\\u0800-\\uffff]+z$",
    "^[\\ud800\\udc00-\\udbff\\udfff]+$", "^[\\u00e9-\\u20ac]{1,4}$", "foo", "foo|bar$", "^(?!foo).*$", "^(?=.*[0-9])[a-z0-9]{2,10}$",
    "^([a-z]{3}-){2,4}$", "^[A-Za-z0-9]{8}-[a-z]{2,3}$", "^[a-f]{1,3}([0-9]{4}|$)", "^(\\u00e9|[a-z]){5}x?$", "^(a|bb|ccc)*d$", "^[0-9a-f]{8}-[0-9a-f]{4}$", "^\\\\S+$", "^[\\\\s\\\\S]*$", "^/([^/]+/)*[^/]*$",
    "^(ab)*$", "^(the|of|and|to) .*$", "^[ -~]*$", "^[\\u0000-\\u001f]*$", "^[\\\"\\\\\\\\]+$", "^[^\\\"\\\\\\\\]{0,6}$", "^$", ".",
    "^[0-9A-Za-z]{8}-[0-9A-Za-z]{4}-[0-9A-Za-z]{12}$", "^[^:\\\\s]+:[^:\\\\s]+(:[^\\\\s]+)?$", "^(?:\\\\S+\\\\s+){0,4}\\\\S+$",
    "^(https?:\\\\/\\\\/)?([\\\\da-z\\\\.-]+)\\\\.([a-z\\\\.]{2,6})([\\\\/\\\\w \\\\.-]*)*\\\\/?$", "^[a-z\u00e9]{4,9}[A-Z]?$",
    "^[\\\\s\\\\S]{3}\\\"$", "^[\\\\s\\\\S]{3}[\\\"\\\\n]+$", "^[\\\\s\\\\S]{1,3}\\\"?$",
};

/* Fills the same position the fast and the plain way. */
static bool same_masks(walker *w, gm_matcher *matcher)
{
    const gm_mask_source source = matcher->source;
    const gm_status fast = gm_matcher_fill(matcher, w->mask, w->words);
    matcher->source.inner = NULL;
    matcher->source.memo = NULL;
    matcher->found = NULL; /* not once more what was just found */
    const gm_status plain = gm_matcher_fill(matcher, w->again, w->words);
    matcher->source = source;
    w->masks++;
    if (fast == plain && memcmp(w->mask, w->again, w->words * sizeof *w->mask) == 0)
        return w->masks % w->brute_every != 0 || walk_mask_is_exact(w, matcher);
    for (uint32_t id = 0; id < w->words * 32; id++)
        if (walk_bit(w->mask, id) != walk_bit(w->again, id)) {
            fprintf(stderr, "schema %s\n  id %u: fast %d, plain %d, after %zu tokens\n", w->schema, id, walk_bit(w->mask, id),
                    walk_bit(w->again, id), gm_matcher_token_count(matcher));
            break;
        }
    return false;
}

/* Longer tokens are as likely as short ones, so most walks leave a pattern soon; short ones are preferred. */
static uint32_t choose(walker *w)
{
    uint32_t best = UINT32_MAX;
    size_t shortest = SIZE_MAX;
    for (int i = 0; i < 3; i++) {
        size_t length = 0;
        const uint8_t *bytes;
        const uint32_t id = walk_choose(w);
        if (id == UINT32_MAX)
            return id;
        if (id < w->tokens)
            gm_vocab_token(w->vocab, id, &bytes, &length, NULL);
        if (length < shortest || i == 0) {
            best = id;
            shortest = length;
        }
    }
    return best;
}

static bool walk_both(walker *w, gm_grammar *grammar)
{
    enum { LONGEST = 40 };
    gm_matcher *matcher = NULL;
    gm_error error;
    bool fine = gm_matcher_create(grammar, NULL, &matcher, &error) == GM_OK;
    for (size_t count = 0; fine && count < LONGEST && gm_matcher_state(matcher) != GM_STOPPED; count++) {
        fine = same_masks(w, matcher);
        const uint32_t id = fine ? choose(w) : UINT32_MAX;
        fine = fine && id != UINT32_MAX && gm_matcher_accept(matcher, id) == GM_OK;
        if (fine && walk_random(w, 12) == 0)
            fine = gm_matcher_rollback(matcher, walk_random(w, 3) % (gm_matcher_token_count(matcher) + 1)) == GM_OK;
    }
    gm_matcher_destroy(matcher);
    w->documents++;
    return fine;
}

static bool walk_schema_both(walker *w, gm_compiler *compiler, const char *schema, const gm_schema_options *options,
                             size_t documents)
{
    gm_grammar *grammar = NULL;
    gm_error error;
    w->schema = schema;
    if (gm_compile_json_schema(compiler, schema, strlen(schema), options, &grammar, &error) != GM_OK) {
        fprintf(stderr, "schema %s\n  %s: %s\n", schema, gm_status_name(error.status), error.message);
        return false;
    }
    bool fine = true;
    for (size_t i = 0; i < documents && fine; i++)
        fine = walk_both(w, grammar);
    gm_grammar_release(grammar);
    return fine;
}

/* A pattern as the whole document, under bounds, as keys, and beside other strings. */
static const char *const frames[] = {
    "{\"type\":\"string\",\"pattern\":\"%s\"}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"%s\",\"minLength\":1,\"maxLength\":7}}",
    "{\"type\":\"object\",\"patternProperties\":{\"%s\":{\"type\":\"integer\"}},\"properties\":{\"food\":{\"type\":\"null\"}},\"additionalProperties\":false}",
    "{\"type\":\"object\",\"patternProperties\":{\"%s\":{\"type\":\"null\"}},\"additionalProperties\":{\"type\":\"string\"}}",
    "{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"%s\"},{\"enum\":[\"foot\",\"food\",\"xyz\"]}]}",
};

static void walk_patterns(size_t frame, const gm_schema_options *options, uint64_t seed, const gm_limits *limits)
{
    gm_vocab *vocab = NULL;
    gm_compiler *compiler = NULL;
    gm_error error;
    walker w;
    CHECK(gm_shipped_vocabulary(NULL, &vocab, &error) == GM_OK);
    CHECK(gm_compiler_create(vocab, limits, NULL, &compiler, &error) == GM_OK);
    CHECK(walker_open(&w, vocab, seed, 64));
    for (size_t i = 0; i < GM_COUNT_OF(patterns); i++) {
        char schema[1024];
        snprintf(schema, sizeof schema, frames[frame], patterns[i]);
        CHECK(walk_schema_both(&w, compiler, schema, options, 3));
    }
    printf("  %zu documents, %zu masks\n", w.documents, w.masks);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

static void masks_inside_patterns_are_plain_masks(void) { walk_patterns(0, NULL, 1, NULL); }
static void masks_inside_bounded_patterns_are_plain_masks(void) { walk_patterns(1, NULL, 2, NULL); }

static void masks_inside_keys_of_patterns_are_plain_masks(void)
{
    const gm_schema_options any = {.struct_size = sizeof any, .property_order = GM_ORDER_ANY};
    walk_patterns(2, NULL, 3, NULL);
    walk_patterns(3, &any, 4, NULL);
}

static void masks_of_several_strands_are_plain_masks(void) { walk_patterns(4, NULL, 5, NULL); }

static void masks_under_minimal_escapes_are_plain_masks(void)
{
    const gm_schema_options minimal = {.struct_size = sizeof minimal, .escapes = GM_ESCAPES_MINIMAL};
    walk_patterns(0, &minimal, 6, NULL);
    walk_patterns(2, &minimal, 7, NULL);
}

static void masks_past_the_budget_are_plain_masks(void)
{
    const gm_limits limits = {.struct_size = sizeof limits, .max_mask_memory = 1};
    walk_patterns(0, NULL, 8, &limits);
    walk_patterns(2, NULL, 9, &limits);
}

static void walk_all(const gm_schema_options *options, uint64_t seed, const gm_limits *limits)
{
    gm_vocab *vocab = NULL;
    gm_compiler *compiler = NULL;
    gm_error error;
    walker w;
    CHECK(gm_shipped_vocabulary(NULL, &vocab, &error) == GM_OK);
    CHECK(gm_compiler_create(vocab, limits, NULL, &compiler, &error) == GM_OK);
    CHECK(walker_open(&w, vocab, seed, 64));
    for (size_t i = 0; i < GM_COUNT_OF(walk_schemas); i++)
        CHECK(walk_schema_both(&w, compiler, walk_schemas[i], options, 5));
    printf("  %zu documents, %zu masks\n", w.documents, w.masks);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

static void masks_of_all_kinds_are_plain_masks(void)
{
    const gm_schema_options any = {.struct_size = sizeof any,
                                   .property_order = GM_ORDER_ANY,
                                   .max_whitespace = GM_WHITESPACE_UNLIMITED,
                                   .integers = GM_NUMBERS_JSON,
                                   .numbers = GM_NUMBERS_JSON};
    const gm_schema_options compact = {.struct_size = sizeof compact, .whitespace = GM_WHITESPACE_COMPACT};
    const gm_schema_options indented = {.struct_size = sizeof indented, .whitespace = GM_WHITESPACE_INDENTED};
    const gm_limits limits = {.struct_size = sizeof limits, .max_mask_memory = 1, .max_cache_memory = 1};
    walk_all(NULL, 10, NULL);
    walk_all(&any, 11, NULL);
    walk_all(&compact, 12, NULL);
    walk_all(&indented, 13, NULL);
    walk_all(NULL, 14, &limits);
}

/* ---- tokens across structure ---- */

enum { PIECED = 1500, PIECES_IN_TOKEN = 8 };

static const char *const pieces[] = {"\"", "\"", "\"", ":", ":", ",", ",", "{", "}", "}", "[", "]", "a", "b", "aa", "1", "2", "null", " ",
                                     "\\u0061", "\\", "e", "0", ".", "\xC3\xA9", "\xE4\xB8", "x", "\\n", "\\u000", "\\\\"};

/* Single bytes, then random rows of up to `most` pieces: whole members with their keys, several brackets, halves of
 * characters. Of fewer than four pieces no token closes a key and reads another one to its end. No token has a byte of
 * `lacking`. */
static gm_vocab *pieced_vocabulary(walker *w, uint32_t most, const char *lacking)
{
    static uint8_t blob[256 + PIECED * PIECES_IN_TOKEN * 8];
    static uint64_t offsets[256 + PIECED + 2];
    size_t at = 0, count = 0;
    for (int byte = 0; byte < 256; byte++) {
        if (byte != 0 && strchr(lacking, byte) != NULL)
            continue;
        offsets[count++] = at;
        blob[at++] = (uint8_t)byte;
    }
    for (size_t i = 0; i < PIECED; i++) {
        offsets[count++] = at;
        for (uint32_t j = walk_random(w, most) + 1; j > 0; j--) {
            const char *piece = pieces[walk_random(w, GM_COUNT_OF(pieces))];
            if (strpbrk(piece, lacking) != NULL)
                continue;
            memcpy(blob + at, piece, strlen(piece));
            at += strlen(piece);
        }
    }
    const uint32_t stop = (uint32_t)count;
    static uint8_t flags[256 + PIECED + 1];
    flags[count] = GM_TOKEN_CONTROL;
    offsets[count++] = at;
    offsets[count] = at;
    const gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = count, .blob = blob, .offsets = offsets, .flags = flags,
                                .stop = &stop, .stop_count = 1};
    gm_vocab *vocab = NULL;
    gm_error error;
    return gm_vocab_create(&desc, &vocab, &error) == GM_OK ? vocab : NULL;
}

static const char *const structures[] = {
    "{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"null\",\"string\",\"object\"]}}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"},\"\":{\"type\":\"null\"},\"aa\":{\"type\":\"string\"}},"
    "\"additionalProperties\":{\"type\":\"integer\"}}",
    "{\"type\":\"object\",\"patternProperties\":{\"^a*$\":{\"type\":\"null\"},\"^b{0,2}$\":{\"$ref\":\"#\"}},"
    "\"additionalProperties\":false}",
    "{\"type\":\"object\",\"propertyNames\":{\"enum\":[\"\",\"a\",\"b\",\"ab\"]},\"additionalProperties\":{\"type\":\"null\"}}",
    "{\"type\":\"object\",\"minProperties\":2,\"maxProperties\":3,\"additionalProperties\":{\"type\":\"null\"}}",
    "{\"type\":\"array\",\"items\":{\"type\":[\"array\",\"null\",\"string\"],\"maxItems\":2},\"minItems\":2,\"maxItems\":3}",
    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":3},"
    "\"b\":{\"type\":\"number\"}},\"required\":[\"b\"],\"additionalProperties\":{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}}}",
    "{\"anyOf\":[{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"}},"
    "{\"type\":\"string\"},{\"type\":\"integer\"}]}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"null\"},\"b\":{\"type\":\"integer\"}},"
    "\"patternProperties\":{\"^a\":{\"type\":[\"null\",\"integer\"]},\"b$\":{\"$ref\":\"#\"}},\"additionalProperties\":false}",
    "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^(a|b|aa)*$\"},\"additionalProperties\":{\"$ref\":\"#\"}}",
    "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^[ab]{1,2}$\",\"minLength\":2},\"maxProperties\":3,"
    "\"additionalProperties\":{\"type\":[\"null\",\"integer\"]}}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(a|b1|[x1]+)*$\",\"minLength\":1,\"maxLength\":7}}",
    "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^a*$\"},{\"type\":\"string\",\"pattern\":\"b\","
    "\"maxLength\":4}]},\"contains\":{\"pattern\":\"^b\"}}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":[\"string\",\"object\",\"integer\"],\"pattern\":\"^[ab]*$\","
    "\"additionalProperties\":{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[1,2,\"a\"]}}}}",
    /* What half an escape can become is more than what stands for itself. */
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(\\\\n[ab]{5}|[ab1x])$\",\"maxLength\":4}}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(\\\\n[ab]{5}|[ab1x]*)$\",\"maxLength\":4}}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\",\"pattern\":\"^(\\\\n|[ab1x]*)$\"}}",
    "{\"type\":\"object\",\"patternProperties\":{\"^(\\\\n|[ab1x]*)$\":{\"type\":\"null\"}},\"additionalProperties\":false}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^([\\\\s\\\\S]{1,3}|b*)$\"}}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(\\\\S+\\\\s+){0,2}\\\\S+$\",\"maxLength\":8}}",
    "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"b|\\\\n.x\"}}",
    "{\"type\":\"object\",\"patternProperties\":{\"^[\\\\s\\\\S]{1,2}$\":{\"type\":\"null\"}},\"additionalProperties\":false}",
    "{\"type\":\"array\",\"prefixItems\":[{\"type\":\"null\"},{\"type\":\"string\"}],\"items\":{\"type\":\"integer\"}}",
    "{\"type\":\"object\",\"properties\":{\"\u00e9\":{\"type\":\"null\"},\"a\u00e9\":{\"$ref\":\"#\"},\"a\U0001F600\":{}},"
    "\"required\":[\"\u00e9\"],\"additionalProperties\":false}",
    "{\"type\":\"object\",\"properties\":{\"\u00e9\":{\"type\":\"null\"},\"\\\"\":{\"$ref\":\"#\"}},\"required\":[\"\u00e9\"],"
    "\"patternProperties\":{\"^[\\\"a]+$\":{\"type\":\"null\"}},\"additionalProperties\":{\"$ref\":\"#\"}}",
};

static void walk_structures(const gm_schema_options *options, uint32_t pieces_in_token, const char *lacking,
                            uint64_t seed)
{
    walker w = {.random = seed * 2 + 1};
    gm_compiler *compiler = NULL;
    gm_error error;
    gm_vocab *vocab = pieced_vocabulary(&w, pieces_in_token, lacking);
    CHECK(vocab != NULL && walker_open(&w, vocab, seed, 8));
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, &error) == GM_OK);
    for (size_t i = 0; i < GM_COUNT_OF(structures); i++)
        CHECK(walk_schema_both(&w, compiler, structures[i], options, 40));
    printf("  %zu documents, %zu masks\n", w.documents, w.masks);
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

static void masks_of_tokens_across_structure_are_plain_masks(void)
{
    const gm_schema_options any = {.struct_size = sizeof any, .property_order = GM_ORDER_ANY, .max_whitespace = 2};
    const gm_schema_options compact = {.struct_size = sizeof compact, .whitespace = GM_WHITESPACE_COMPACT,
                                       .property_order = GM_ORDER_ANY};
    const gm_schema_options indented = {.struct_size = sizeof indented, .whitespace = GM_WHITESPACE_INDENTED, .indent = 1};
    for (uint32_t pieces_in_token = 2; pieces_in_token <= PIECES_IN_TOKEN; pieces_in_token += 2) {
        walk_structures(NULL, pieces_in_token, "", 21);
        walk_structures(&any, pieces_in_token, "", 22);
        walk_structures(&compact, pieces_in_token, "", 23);
        walk_structures(&indented, pieces_in_token, "", 25);
    }
}

/* The end of one character is no token's, or of all but one; or the space. */
static void masks_of_vocabularies_that_lack_bytes_are_plain_masks(void)
{
    const gm_schema_options any = {.struct_size = sizeof any, .property_order = GM_ORDER_ANY};
    walk_structures(NULL, 3, "\xA9", 26);
    walk_structures(&any, 3, "\xA9\xB8", 27);
    walk_structures(&any, 5, "\x98\xA9", 28);
    walk_structures(NULL, 3, " ", 29); /* other blanks are there */
}

/* One place for objects of many names and for arrays: what is kept of names seen is the objects' alone. */
static void masks_of_arrays_beside_objects_of_many_names_are_plain_masks(void)
{
    static char schema[8192];
    walker w = {.random = 77};
    gm_compiler *compiler = NULL;
    gm_error error;
    const gm_schema_options any = {.struct_size = sizeof any, .property_order = GM_ORDER_ANY};
    size_t at = (size_t)snprintf(schema, sizeof schema,
                                 "{\"type\":[\"object\",\"array\"],\"minProperties\":1,\"properties\":{");
    for (int i = 0; i < 70; i++)
        at += (size_t)snprintf(schema + at, sizeof schema - at, "%s\"a%d\":{\"type\":\"null\"}", i != 0 ? "," : "", i);
    snprintf(schema + at, sizeof schema - at, "},\"additionalProperties\":false,\"items\":{\"$ref\":\"#\"}}");
    gm_vocab *vocab = pieced_vocabulary(&w, 4, "");
    CHECK(vocab != NULL && walker_open(&w, vocab, 78, 8));
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, &error) == GM_OK);
    CHECK(walk_schema_both(&w, compiler, schema, NULL, 40));
    CHECK(walk_schema_both(&w, compiler, schema, &any, 40));
    walker_close(&w);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
}

/* ---- the budget ---- */

enum { WIDE = 4008, KEPT = 5, POSITIONS = 20 };
enum { SHARED_SIZE = sizeof(gm_shared_mask) + WIDE * sizeof(uint32_t) };

/* Adds masks for made-up positions; returns how many are found in the end, the last one among them or not. */
static size_t add_and_count(gm_memo *memo, bool *last)
{
    static uint32_t words[WIDE], found[WIDE];
    const gm_config config = {.mode = GM_MODE_END};
    gm_reads reads;
    gm_canvas canvas;
    size_t count = 0;
    gm_reads_begin(&reads, &config);
    for (size_t i = 0; i < POSITIONS; i++) {
        const gm_memo_key key = {.hash = i * 7, .words = {i}};
        for (size_t j = 0; j < WIDE; j++)
            words[j] = (uint32_t)(i * WIDE + j + 1);
        gm_canvas_init(&canvas, words, WIDE);
        gm_canvas_forget(&canvas);
        gm_memo_add(memo, &key, &config, &reads, &canvas);
    }
    for (size_t i = 0; i < POSITIONS; i++) {
        const gm_memo_key key = {.hash = i * 7, .words = {i}};
        const gm_memo_entry *entry = gm_memo_find(memo, &key, &config);
        *last = entry != NULL;
        count += *last;
        gm_canvas_init(&canvas, found, WIDE);
        CHECK(entry == NULL || (gm_memo_write(entry, &canvas) && found[0] == i * WIDE + 1 && found[WIDE - 1] == i * WIDE + WIDE));
    }
    return count;
}

static void a_memo_with_one_user_forgets_and_one_with_two_keeps(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_memo_pool pool;
    gm_memo *one = NULL, *two = NULL;
    bool last;
    CHECK(gm_memo_pool_init(&pool, &allocator, GM_POOL_BLOCK + KEPT * SHARED_SIZE));
    CHECK(gm_memo_create(&pool, &one) == GM_OK && gm_memo_create(&pool, &two) == GM_OK);
    gm_memo_join(one);
    const size_t kept = add_and_count(one, &last);
    CHECK(kept >= 1 && kept <= KEPT && last);
    CHECK(add_and_count(two, &last) == 0); /* no user, and another memo has the only block */
    gm_memo_join(one);
    CHECK(add_and_count(one, &last) == kept && last);
    gm_memo_destroy(one);
    gm_memo_join(two);
    gm_memo_join(two);
    CHECK(add_and_count(two, &last) == KEPT && !last);
    gm_memo_leave(two);
    CHECK(add_and_count(two, &last) >= 1 && last);
    gm_memo_destroy(two);
    gm_memo_pool_destroy(&pool);
}

/* One mask a position, whoever has it; those that nobody has are kept for a while, but not instead of others. */
static void memos_share_masks_by_their_words(void)
{
    const gm_allocator allocator = gm_allocator_or_default(NULL);
    gm_memo_pool pool;
    gm_memo *one = NULL, *two = NULL;
    bool last;
    CHECK(gm_memo_pool_init(&pool, &allocator, 2 * GM_POOL_BLOCK + POSITIONS * SHARED_SIZE));
    CHECK(gm_memo_create(&pool, &one) == GM_OK && gm_memo_create(&pool, &two) == GM_OK);
    CHECK(add_and_count(one, &last) == POSITIONS && add_and_count(two, &last) == POSITIONS);
    CHECK(gm_memo_pool_memory(&pool) == 2 * GM_POOL_BLOCK + POSITIONS * SHARED_SIZE);
    gm_memo_destroy(one);
    CHECK(add_and_count(two, &last) == POSITIONS && pool.idle_count == 0);
    gm_memo_destroy(two);
    CHECK(pool.idle_count == POSITIONS && pool.taken == POSITIONS * SHARED_SIZE);
    pool.budget = GM_POOL_BLOCK + 3 * SHARED_SIZE;
    gm_pool_block *blocks = NULL, *block;
    CHECK((blocks = gm_memo_pool_take(&pool)) != NULL && pool.idle_count == 3);
    for (; (block = gm_memo_pool_take(&pool)) != NULL; blocks = block)
        block->next = blocks;
    CHECK(pool.idle_count == 0 && pool.taken <= pool.budget);
    gm_memo_pool_give(&pool, blocks);
    gm_memo_pool_destroy(&pool);
}

int main(void)
{
    RUN(masks_inside_patterns_are_plain_masks);
    RUN(masks_inside_bounded_patterns_are_plain_masks);
    RUN(masks_inside_keys_of_patterns_are_plain_masks);
    RUN(masks_of_several_strands_are_plain_masks);
    RUN(masks_under_minimal_escapes_are_plain_masks);
    RUN(masks_past_the_budget_are_plain_masks);
    RUN(masks_of_all_kinds_are_plain_masks);
    RUN(masks_of_tokens_across_structure_are_plain_masks);
    RUN(masks_of_vocabularies_that_lack_bytes_are_plain_masks);
    RUN(masks_of_arrays_beside_objects_of_many_names_are_plain_masks);
    RUN(a_memo_with_one_user_forgets_and_one_with_two_keeps);
    RUN(memos_share_masks_by_their_words);
    return REPORT("test_masks");
}
