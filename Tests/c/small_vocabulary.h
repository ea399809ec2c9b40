/*
 * small_vocabulary.h - what tests of the whole engine need: vocabularies made of a few texts, a
 * matcher in one call, and the claim that a mask equals what accept says of every id.
 *
 * A byte vocabulary has a token for each byte (id = byte), then the texts given, then one stop
 * token without text, the last id.
 */
#ifndef SMALL_VOCABULARY_H
#define SMALL_VOCABULARY_H

#include "check.h"
#include "gmask/gmask.h"

#include <string.h>

enum { SMALL_MOST = 1024, SMALL_WORDS = SMALL_MOST / 32 };

typedef struct small {
    gm_vocab *vocab;
    gm_compiler *compiler;
    gm_grammar *grammar;
    gm_matcher *matcher;
    gm_error error;
    uint32_t stop; /* id of the stop token; the number of tokens if there is none */
} small;

/* A vocabulary of `texts` only, the description's other fields as given. */
static inline gm_vocab *small_vocab_of(const char *const *texts, size_t count, gm_vocab_desc desc)
{
    const uint8_t *bytes[SMALL_MOST];
    size_t lengths[SMALL_MOST];
    gm_vocab *vocab = NULL;
    gm_error error;
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (const uint8_t *)texts[i];
        lengths[i] = texts[i] != NULL ? strlen(texts[i]) : 0;
    }
    desc.struct_size = sizeof desc;
    desc.token_count = count;
    desc.texts = bytes;
    desc.lengths = lengths;
    const gm_status status = gm_vocab_create(&desc, &vocab, &error);
    if (status != GM_OK)
        fprintf(stderr, "vocabulary: %s\n", error.message);
    CHECK(status == GM_OK);
    return vocab;
}

/* All bytes, `texts` (up to NULL) and a stop token. */
static inline gm_vocab *small_byte_vocab(const char *const *texts, uint32_t *stop)
{
    static uint8_t all[256];
    const uint8_t *bytes[SMALL_MOST];
    size_t lengths[SMALL_MOST], count = 256;
    gm_vocab *vocab = NULL;
    for (unsigned i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
        bytes[i] = &all[i];
        lengths[i] = 1;
    }
    for (; texts != NULL && texts[count - 256] != NULL; count++) {
        bytes[count] = (const uint8_t *)texts[count - 256];
        lengths[count] = strlen(texts[count - 256]);
    }
    bytes[count] = NULL;
    lengths[count] = 0;
    *stop = (uint32_t)count;
    const gm_vocab_desc desc = {.struct_size = sizeof desc,
                                .token_count = count + 1,
                                .texts = bytes,
                                .lengths = lengths,
                                .special = stop,
                                .special_count = 1,
                                .stop = stop,
                                .stop_count = 1};
    CHECK(gm_vocab_create(&desc, &vocab, NULL) == GM_OK);
    return vocab;
}

/* Compiles a schema for a vocabulary, which it takes over; grammar stays NULL if it is refused. */
static inline small small_compile(gm_vocab *vocab, uint32_t stop, const char *schema, const gm_schema_options *options)
{
    small s = {.vocab = vocab, .stop = stop};
    CHECK(gm_compiler_create(vocab, NULL, NULL, &s.compiler, &s.error) == GM_OK);
    s.error.status = gm_compile_json_schema(s.compiler, schema, strlen(schema), options, &s.grammar, &s.error);
    return s;
}

/* A matcher of a schema over the byte vocabulary and some texts. */
static inline small small_open(const char *const *texts, const char *schema, const gm_schema_options *options)
{
    uint32_t stop;
    gm_vocab *vocab = small_byte_vocab(texts, &stop);
    small s = small_compile(vocab, stop, schema, options);
    if (s.grammar == NULL)
        fprintf(stderr, "schema %s: %s: %s\n", schema, gm_status_name(s.error.status), s.error.message);
    CHECK(s.grammar != NULL);
    if (s.grammar != NULL)
        CHECK(gm_matcher_create(s.grammar, NULL, &s.matcher, &s.error) == GM_OK);
    return s;
}

static inline void small_close(small *s)
{
    gm_matcher_destroy(s->matcher);
    gm_grammar_release(s->grammar);
    gm_compiler_release(s->compiler);
    gm_vocab_release(s->vocab);
    *s = (small){0};
}

/* The status of compiling a schema over the byte vocabulary. */
static inline gm_status small_status(const char *schema, size_t length, const gm_schema_options *options, gm_error *error)
{
    uint32_t stop;
    gm_vocab *vocab = small_byte_vocab(NULL, &stop);
    gm_compiler *compiler = NULL;
    gm_grammar *grammar = NULL;
    CHECK(gm_compiler_create(vocab, NULL, NULL, &compiler, NULL) == GM_OK);
    const gm_status status = gm_compile_json_schema(compiler, schema, length, options, &grammar, error);
    CHECK((status == GM_OK) == (grammar != NULL));
    gm_grammar_release(grammar);
    gm_compiler_release(compiler);
    gm_vocab_release(vocab);
    return status;
}

static inline gm_status small_put(gm_matcher *matcher, const char *text)
{
    return gm_matcher_accept_bytes(matcher, (const uint8_t *)text, strlen(text), NULL);
}

/* Whether a text is a whole document of the matcher's grammar, from where it stands; it stays there. */
static inline bool small_fits(gm_matcher *matcher, const char *text)
{
    gm_matcher *fork = NULL;
    CHECK(gm_matcher_fork(matcher, &fork) == GM_OK);
    bool fits = small_put(fork, text) == GM_OK;
    const gm_matcher_state_kind state = gm_matcher_state(fork);
    fits = fits && (state == GM_MAY_STOP || state == GM_COMPLETE || state == GM_STOPPED);
    gm_matcher_destroy(fork);
    return fits;
}

/* Whether a document is one of a schema's. */
static inline bool small_valid(const char *schema, const char *text, const gm_schema_options *options)
{
    small s = small_open(NULL, schema, options);
    const bool fits = s.matcher != NULL && small_fits(s.matcher, text);
    small_close(&s);
    return fits;
}

static inline bool small_bit(const uint32_t *words, uint32_t id) { return words[id / 32] >> id % 32 & 1; }

/* Fills `words` (SMALL_WORDS of them); every bit equals what accept would answer. */
static inline bool small_mask_is_exact(gm_matcher *matcher, uint32_t *words)
{
    memset(words, 0xA5, SMALL_WORDS * sizeof *words);
    const gm_status status = gm_matcher_fill(matcher, words, SMALL_WORDS);
    if (status != GM_OK && status != GM_TERMINATED && status != GM_DEAD_END)
        return false;
    size_t allowed = 0;
    for (uint32_t id = 0; id < SMALL_MOST; id++) {
        allowed += small_bit(words, id);
        if (small_bit(words, id) != (gm_matcher_would_accept(matcher, id) == GM_OK)) {
            fprintf(stderr, "id %u: the mask says %d\n", id, small_bit(words, id));
            return false;
        }
    }
    return (allowed != 0) == (status == GM_OK);
}

static inline bool small_same_words(const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, SMALL_WORDS * sizeof *a) == 0;
}

#endif
