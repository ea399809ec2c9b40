/*
 * test_threads.c - many threads on one vocabulary, compiler and grammar see what one thread sees.
 *
 * A walk is a document chosen by a seed: at each position the mask is filled and hashed, then an
 * allowed token is taken by a number that the hash and the seed give. So a walk's hash is a function
 * of its seed alone, and walks on several threads, over states that are being built at that moment,
 * must give the hashes of one thread. Built to be run under a race checker as well.
 */
#include "small_vocabulary.h"

#include <pthread.h>

enum { THREADS = 4, WALKS = 24, LONGEST = 120 };

static const char *const schemas[] = {
    "true",
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[a-f]+(-\\\\d{2})?$\",\"maxLength\":9},"
    "\"kind\":{\"enum\":[\"x\",\"xy\",1,null,[1,{\"a\":2}]]},\"list\":{\"type\":\"array\",\"items\":{\"type\":\"number\","
    "\"multipleOf\":0.5},\"maxItems\":4}},\"required\":[\"list\"],\"additionalProperties\":{\"type\":\"string\"}}",
    "{\"$defs\":{\"n\":{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\",\"minimum\":-3},"
    "\"next\":{\"$ref\":\"#/$defs/n\"}},\"required\":[\"v\",\"next\"]}]}},\"$ref\":\"#/$defs/n\"}",
    "{\"anyOf\":[{\"type\":\"string\",\"maxLength\":6},{\"type\":\"string\",\"pattern\":\"^(ab|ba)*$\"},{\"type\":\"integer\",\"multipleOf\":7},"
    "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"maximum\":9}},{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":2}]}",
    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"boolean\"},\"b\":{\"type\":\"string\"},\"c\":{}},"
    "\"required\":[\"b\"],\"additionalProperties\":false}}",
};

static const char *const texts[] = {"\",\"", "true", "],", "\":[", "abc", "\\u00e9", "  ", "{\"a", "\xC3", "12", "\":", "ab-1", NULL};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 31;
}

static uint64_t hash_words(uint64_t hash, const uint32_t *words)
{
    for (int i = 0; i < SMALL_WORDS; i++)
        hash = mix(hash, words[i]);
    return hash;
}

/* The n-th allowed id, counting round. */
static uint32_t choose(const uint32_t *words, uint64_t n)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < SMALL_MOST; id++)
        count += small_bit(words, id);
    n %= count != 0 ? count : 1;
    for (uint32_t id = 0; id < SMALL_MOST; id++)
        if (small_bit(words, id) && n-- == 0)
            return id;
    return UINT32_MAX;
}

/* The hash of a walk; 0 if a call fails. Now and then it goes on in a fork, or back and forth. */
static uint64_t walk(gm_grammar *grammar, uint64_t seed)
{
    uint32_t words[SMALL_WORDS];
    gm_matcher *matcher = NULL;
    uint64_t hash = mix(0x9e3779b97f4a7c15u, seed);
    if (gm_matcher_create(grammar, NULL, &matcher, NULL) != GM_OK)
        return 0;
    for (int step = 0; step < LONGEST && hash != 0; step++) {
        const gm_status status = gm_matcher_fill(matcher, words, SMALL_WORDS);
        hash = hash_words(mix(hash, (uint64_t)status), words);
        if (status == GM_TERMINATED)
            break;
        const uint32_t id = choose(words, hash >> 20);
        if (status != GM_OK || gm_matcher_accept(matcher, id) != GM_OK)
            hash = 0;
        if (hash % 7 == 0 && gm_matcher_token_count(matcher) > 3) {
            gm_matcher *fork = NULL;
            if (gm_matcher_fork(matcher, &fork) != GM_OK || gm_matcher_rollback(fork, 3) != GM_OK)
                hash = 0;
            gm_matcher_destroy(matcher);
            matcher = fork;
        }
    }
    gm_matcher_destroy(matcher);
    return hash;
}

typedef struct work {
    pthread_t thread;
    gm_compiler *compiler;
    gm_grammar *grammar; /* NULL: each walk compiles its schema */
    int number;
    uint64_t hashes[WALKS];
} work;

static uint64_t compile_and_walk(gm_compiler *compiler, uint64_t seed)
{
    const char *schema = schemas[seed % GM_COUNT_OF(schemas)];
    gm_grammar *grammar = NULL;
    if (gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) != GM_OK)
        return 0;
    const uint64_t hash = walk(grammar, seed);
    gm_grammar_release(grammar);
    return hash;
}

static void *run(void *context)
{
    work *w = context;
    for (int i = 0; i < WALKS; i++) { /* each thread begins elsewhere */
        const int at = (i + w->number * (WALKS / THREADS)) % WALKS;
        w->hashes[at] = w->grammar != NULL ? walk(w->grammar, (uint64_t)at) : compile_and_walk(w->compiler, (uint64_t)at);
    }
    return NULL;
}

/* Runs the walks on all threads and compares them with those of one. */
static void compare(gm_vocab *vocab, const char *schema)
{
    static work works[THREADS + 1];
    for (int i = 0; i <= THREADS; i++)
        works[i] = (work){.number = i % THREADS};
    for (int alone = 0; alone < 2; alone++) { /* fresh objects for each: what is built lazily is built twice */
        gm_compiler *compiler = NULL;
        gm_grammar *grammar = NULL;
        CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, NULL) == GM_OK);
        if (schema != NULL)
            CHECK(gm_compile_json_schema(compiler, schema, strlen(schema), NULL, &grammar, NULL) == GM_OK);
        const int first = alone ? THREADS : 0, last = alone ? THREADS : THREADS - 1;
        for (int i = first; i <= last; i++) {
            works[i].compiler = compiler;
            works[i].grammar = grammar;
            CHECK(pthread_create(&works[i].thread, NULL, run, &works[i]) == 0);
        }
        for (int i = first; i <= last; i++)
            CHECK(pthread_join(works[i].thread, NULL) == 0);
        gm_grammar_release(grammar);
        gm_compiler_release(compiler);
    }
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < WALKS; j++)
            CHECK(works[i].hashes[j] != 0 && works[i].hashes[j] == works[THREADS].hashes[j]);
}

static void threads_on_one_grammar_see_the_masks_of_one_thread(void)
{
    uint32_t stop;
    gm_vocab *vocab = small_byte_vocab(texts, &stop);
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++)
        compare(vocab, schemas[i]);
    gm_vocab_release(vocab);
}

static void threads_on_one_compiler_see_the_masks_of_one_thread(void)
{
    uint32_t stop;
    gm_vocab *vocab = small_byte_vocab(texts, &stop);
    for (int round = 0; round < 3; round++)
        compare(vocab, NULL);
    gm_vocab_release(vocab);
}

static void *go_on(void *context)
{
    gm_matcher *matcher = context;
    uint32_t words[SMALL_WORDS];
    uint64_t *hash = malloc(sizeof *hash);
    *hash = 5;
    for (int i = 0; i < 200; i++) {
        const gm_status status = gm_matcher_fill(matcher, words, SMALL_WORDS);
        *hash = hash_words(mix(*hash, (uint64_t)status), words);
        if (status != GM_OK || gm_matcher_accept(matcher, choose(words, *hash >> 20)) != GM_OK)
            break;
        if (i % 5 == 4)
            gm_matcher_rollback(matcher, 4 + (size_t)i / 5 % 2);
    }
    gm_matcher_destroy(matcher);
    return hash;
}

/* Forks share history; they are used and destroyed on different threads. */
static void forks_may_live_on_different_threads(void)
{
    small s = small_open(texts, schemas[4], NULL);
    pthread_t threads[THREADS];
    void *hashes[THREADS];
    for (int i = 0; i < 40; i++)
        CHECK(small_put(s.matcher, i == 0 ? "[{\"b\":\"x\"}" : ",{\"b\":\"x\"}") == GM_OK);
    for (int i = 0; i < THREADS; i++) {
        gm_matcher *fork = NULL;
        CHECK(gm_matcher_fork(s.matcher, &fork) == GM_OK);
        CHECK(pthread_create(&threads[i], NULL, go_on, fork) == 0);
        CHECK(small_put(s.matcher, " ") == GM_OK && gm_matcher_rollback(s.matcher, 1) == GM_OK);
    }
    gm_matcher_destroy(s.matcher);
    s.matcher = NULL;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], &hashes[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        CHECK(*(uint64_t *)hashes[i] == *(uint64_t *)hashes[0]);
        if (i > 0)
            free(hashes[i]);
    }
    free(hashes[0]);
    small_close(&s);
}

static void *warm(void *context)
{
    gm_grammar_prewarm(context, 100000, NULL);
    gm_grammar_stats stats = {.struct_size = sizeof stats};
    gm_grammar_get_stats(context, &stats);
    gm_grammar_memory(context);
    return NULL;
}

static void warming_up_may_run_beside_walks(void)
{
    for (size_t i = 0; i < GM_COUNT_OF(schemas); i++) {
        small s = small_open(texts, schemas[i], NULL);
        pthread_t threads[2];
        for (int j = 0; j < 2; j++)
            CHECK(pthread_create(&threads[j], NULL, warm, s.grammar) == 0);
        const uint64_t beside = walk(s.grammar, 3);
        for (int j = 0; j < 2; j++)
            CHECK(pthread_join(threads[j], NULL) == 0);
        CHECK(beside != 0 && beside == walk(s.grammar, 3));
        small_close(&s);
    }
}

int main(void)
{
    RUN(threads_on_one_grammar_see_the_masks_of_one_thread);
    RUN(threads_on_one_compiler_see_the_masks_of_one_thread);
    RUN(forks_may_live_on_different_threads);
    RUN(warming_up_may_run_beside_walks);
    return REPORT("test_threads");
}
