/*
 * vocabulary.h - the vocabulary of the targets that compile schemas: every byte, tokens that cross
 * the borders of JSON's parts, duplicates, special ids in a gap, and a stop id.
 */
#ifndef GM_FUZZ_VOCABULARY_H
#define GM_FUZZ_VOCABULARY_H

#include "fuzz.h"

#include "gmask/gmask.h"

enum { GM_FUZZ_STOP = 256, GM_FUZZ_CONTROL = 257, GM_FUZZ_WIDTH = 340 };

static inline gm_vocab *gm_fuzz_vocabulary(void)
{
    static const char *const words[] = {
        "{\"", "\":", "\",", "\",\"", "\"}", "\"]", "\"", "\":\"", "\": ", "}}", "]}", "},{", "[[", "{}", "[]", "],[",
        "true", "false", "null", "tru", "e", "12", "123", "-1", "0.5", "1e", "E+1", ".0", "00", ", ", ": ", "  ", "\n  ",
        "ab", "abc", "a\"", "b\":", "aa", "\\\"", "\\u", "\\u00", "\\ud83d", "\\n", "\xC3", "\xC3\xA9", "\xA9", "\xF0\x9F",
        "\x98\x80", "\xF0\x9F\x98\x80\"", "1}", "1,", "1]", "\\", "u0061", "d", "_", "-", "a", "\"a", "\"a\"", "\"a\":1",
    };
    static char bytes[256];
    static const uint8_t *texts[GM_FUZZ_WIDTH];
    static size_t lengths[GM_FUZZ_WIDTH];
    static uint8_t flags[GM_FUZZ_WIDTH];
    size_t count = 0;
    for (; count < 256; count++) {
        bytes[count] = (char)count;
        texts[count] = (const uint8_t *)&bytes[count];
        lengths[count] = 1;
    }
    for (; count <= GM_FUZZ_CONTROL; count++) {
        texts[count] = (const uint8_t *)"\"";
        lengths[count] = 1;
        flags[count] = GM_TOKEN_CONTROL;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++, count++) {
        texts[count] = (const uint8_t *)words[i];
        lengths[count] = strlen(words[i]);
    }
    static const uint32_t stop[] = {GM_FUZZ_STOP};
    const gm_vocab_desc desc = {.struct_size = sizeof desc,
                                .token_count = count,
                                .logit_width = GM_FUZZ_WIDTH,
                                .texts = texts,
                                .lengths = lengths,
                                .flags = flags,
                                .stop = stop,
                                .stop_count = 1};
    gm_vocab *vocab = NULL;
    GM_FUZZ_CHECK(gm_vocab_create(&desc, &vocab, NULL) == GM_OK);
    return vocab;
}

/* Limits under which an input takes milliseconds. */
static inline gm_limits gm_fuzz_limits(void)
{
    return (gm_limits){.struct_size = sizeof(gm_limits),
                       .max_nesting = 100,
                       .max_nodes = 2000,
                       .max_regex_positions = 1000,
                       .max_lexical_states = 500,
                       .max_satisfiability_work = 50000,
                       .max_compile_work = 500000,
                       .max_compile_memory = 32u << 20,
                       .max_mask_work = 5000000};
}

/* Options that the input chooses; two bytes. */
static inline gm_schema_options gm_fuzz_options(gm_fuzz_reader *reader)
{
    const uint8_t a = gm_fuzz_byte(reader), b = gm_fuzz_byte(reader);
    return (gm_schema_options){.struct_size = sizeof(gm_schema_options),
                               .property_order = (gm_property_order)(a & 1),
                               .whitespace = (gm_whitespace)(a >> 1 & 3),
                               .max_whitespace = a & 8 ? GM_WHITESPACE_UNLIMITED : 0,
                               .integers = (gm_number_spelling)(a >> 4 & 1),
                               .numbers = (gm_number_spelling)(a >> 5 & 1),
                               .escapes = (gm_escapes)(a >> 6 & 1),
                               .strict = a >> 7 & 1,
                               .openapi = b & 1,
                               .formats = (gm_formats)((b >> 1 & 3) % 3),
                               .unsupported = (gm_unsupported)((b >> 3 & 3) % 3)};
}

#endif
