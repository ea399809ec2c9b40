/*
 * bench_threads.c - how much faster two threads with a matcher each go through documents than one.
 *
 *   bench_threads [tokens of the vocabulary, default 131072]
 *
 * Each thread fills a mask and accepts a token, again and again, with masks that were met before. The threads share one
 * grammar, and then have a compiler and a grammar each: what two cores do not share is lost by both, what is lost by
 * the first alone is the price of sharing. Ratios are of the least times of some rounds; 2 would be perfect.
 */
#define _POSIX_C_SOURCE 200809L
#include <gmask/gmask.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 60, DOCUMENTS = 100, WORD = 6, LINE = 64 };

static const char schema[] = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"tags\":{\"type\":"
                             "\"array\",\"items\":{\"type\":"
                             "\"string\",\"pattern\":\"^[a-z]+$\"}},\"size\":{\"type\":\"integer\"}},"
                             "\"additionalProperties\":{\"type\":\"boolean\"}}";
static const char document[] = "{\"name\": \"a name of some length\", \"tags\": [\"first\", \"second\", \"third\"], "
                               "\"size\": 1234, \"other\": true}";

/* Bytes, then made words: no two are the same. */
static gm_vocab *make_vocabulary(size_t count)
{
    uint8_t *blob = malloc(count * WORD);
    uint64_t *offsets = malloc((count + 1) * sizeof *offsets);
    size_t at = 0;
    for (size_t id = 0; blob != NULL && offsets != NULL && id < count; id++) {
        offsets[id] = at;
        if (id < 256)
            blob[at++] = (uint8_t)id;
        size_t left = id;
        if (id % 2 == 0 && id >= 256)
            blob[at++] = ' ';
        for (int i = 0; i < 4 && id >= 256; i++, left /= 26)
            blob[at++] = (uint8_t)('a' + left % 26);
    }
    if (blob != NULL && offsets != NULL)
        offsets[count] = at;
    const gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = count, .blob = blob, .offsets = offsets};
    gm_vocab *vocab = NULL;
    if (blob == NULL || offsets == NULL || gm_vocab_create(&desc, &vocab, NULL) != GM_OK)
        vocab = NULL;
    free(blob);
    free(offsets);
    return vocab;
}

typedef struct worker {
    gm_matcher *matcher;
    uint32_t *words;
    size_t word_count;
    bool is_good;
} worker;

static void *work(void *argument)
{
    const worker w = *(worker *)argument; /* two may lie in one line of the cache */
    bool is_good = true;
    for (int i = 0; i < DOCUMENTS && is_good; i++) {
        is_good = gm_matcher_reset(w.matcher) == GM_OK;
        for (size_t j = 0; document[j] != '\0' && is_good; j++)
            is_good = gm_matcher_fill(w.matcher, w.words, w.word_count) == GM_OK &&
                      gm_matcher_accept(w.matcher, (uint8_t)document[j]) == GM_OK;
    }
    ((worker *)argument)->is_good = is_good;
    return NULL;
}

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Microseconds that so many threads take side by side; below 0 if one went wrong. */
static double run(worker *const *workers, int count)
{
    pthread_t threads[2];
    bool is_good = true;
    const double start = now_us();
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, workers[i]) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        is_good = pthread_join(threads[i], NULL) == 0 && workers[i]->is_good && is_good;
    return is_good ? now_us() - start : -1;
}

typedef struct subject {
    gm_compiler *compiler;
    gm_grammar *grammar;
    worker workers[2];
} subject;

static bool open_subject(subject *s, gm_vocab *vocab)
{
    bool is_good = gm_compiler_create(vocab, NULL, NULL, &s->compiler, NULL) == GM_OK &&
                   gm_compile_json_schema(s->compiler, schema, strlen(schema), NULL, &s->grammar, NULL) == GM_OK;
    for (int i = 0; i < 2 && is_good; i++) {
        worker *w = &s->workers[i];
        w->word_count = gm_vocab_mask_words(vocab);
        w->words = aligned_alloc(LINE, (w->word_count * sizeof *w->words + LINE - 1) / LINE * LINE);
        is_good = w->words != NULL && gm_matcher_create(s->grammar, NULL, &w->matcher, NULL) == GM_OK;
    }
    return is_good;
}

static void close_subject(subject *s)
{
    for (int i = 0; i < 2; i++) {
        gm_matcher_destroy(s->workers[i].matcher);
        free(s->workers[i].words);
    }
    gm_grammar_release(s->grammar);
    gm_compiler_release(s->compiler);
}

enum { ALONE, TOGETHER, APART, WAYS };

int main(int argc, char **argv)
{
    gm_vocab *vocab = make_vocabulary(argc > 1 ? (size_t)atol(argv[1]) : 131072);
    subject one = {0}, other = {0};
    bool is_good = vocab != NULL && open_subject(&one, vocab) && open_subject(&other, vocab);
    worker *const together[] = {&one.workers[0], &one.workers[1]}, *const apart[] = {&one.workers[0],
                                                                                     &other.workers[0]};
    double least[WAYS] = {1e18, 1e18, 1e18};
    for (int round = 0; round < ROUNDS && is_good; round++)
        for (int way = 0; way < WAYS; way++) {
            const double time = run(way == APART ? apart : together, way == ALONE ? 1 : 2);
            is_good = is_good && time >= 0;
            least[way] = time < least[way] ? time : least[way];
        }
    if (is_good)
        printf("documents a second: one thread %.0f, two over one grammar %.2f times as many, two apart %.2f times\n",
               DOCUMENTS / least[ALONE] * 1e6, 2 * least[ALONE] / least[TOGETHER], 2 * least[ALONE] / least[APART]);
    else
        fputs("bench_threads: something failed\n", stderr);
    close_subject(&one);
    close_subject(&other);
    gm_vocab_release(vocab);
    return is_good ? 0 : 1;
}
