/*
 * vocab/fuzz.c - a description out of bytes: a vocabulary that is right in itself, or a refusal.
 *
 * Byte by byte: spelling and options, then tokens as (length, kind, bytes). Some descriptions are wrong
 * on purpose: stop ids and widths out of range.
 */
#include "fuzz.h"

#include "base/base.h"
#include "vocab/vocab.h"

enum { MOST_TOKENS = 200, MOST_LISTED = 8 };

typedef struct description {
    gm_vocab_desc desc;
    const uint8_t *texts[MOST_TOKENS];
    size_t lengths[MOST_TOKENS];
    uint8_t flags[MOST_TOKENS];
    uint32_t special[MOST_LISTED], unused[MOST_LISTED], stop[MOST_LISTED];
} description;

static size_t read_list(gm_fuzz_reader *reader, uint32_t *ids)
{
    const size_t count = gm_fuzz_below(reader, MOST_LISTED + 1);
    for (size_t i = 0; i < count; i++)
        ids[i] = gm_fuzz_byte(reader);
    return count;
}

static void read_description(gm_fuzz_reader *reader, description *d)
{
    const uint8_t options = gm_fuzz_byte(reader);
    d->desc = (gm_vocab_desc){.struct_size = sizeof d->desc,
                              .spelling = (gm_spelling)(options & 3), /* 3 is none */
                              .allow_added = options & 4,
                              .word_pieces = options & 8,
                              .prefix_space = options & 16,
                              .texts = d->texts,
                              .lengths = d->lengths,
                              .special = d->special,
                              .unused = d->unused,
                              .stop = d->stop};
    if (options & 32)
        d->desc.flags = d->flags;
    d->desc.logit_width = options & 64 ? gm_fuzz_byte(reader) : 0;
    d->desc.special_count = read_list(reader, d->special);
    d->desc.unused_count = read_list(reader, d->unused);
    d->desc.stop_count = read_list(reader, d->stop);
    size_t count = 0;
    while (reader->left > 0 && count < MOST_TOKENS) {
        d->lengths[count] = gm_fuzz_below(reader, 40);
        d->flags[count] = gm_fuzz_byte(reader) & 63;
        d->texts[count] = gm_fuzz_bytes(reader, &d->lengths[count]);
        count++;
    }
    d->desc.token_count = count;
}

static void check_vocab(const description *d, gm_vocab *vocab)
{
    gm_error error;
    GM_FUZZ_CHECK(gm_vocab_check(vocab, &error) == GM_OK);
    GM_FUZZ_CHECK(gm_vocab_token_count(vocab) == d->desc.token_count);
    GM_FUZZ_CHECK(gm_vocab_logit_width(vocab) >= d->desc.token_count);
    GM_FUZZ_CHECK(gm_vocab_mask_words(vocab) == (gm_vocab_logit_width(vocab) + 31) / 32);
    GM_FUZZ_CHECK(gm_vocab_prefix_space(vocab) == d->desc.prefix_space);
    uint64_t missing[4], seen[4] = {0};
    size_t seen_count = 0;
    for (uint32_t id = 0; id < d->desc.token_count; id++) {
        const uint8_t *bytes;
        size_t length;
        uint32_t flags;
        GM_FUZZ_CHECK(gm_vocab_token(vocab, id, &bytes, &length, &flags) == GM_OK);
        const bool maskable = gm_vocab_is_maskable(gm_vocab_tables_of(vocab), id);
        GM_FUZZ_CHECK(!maskable || (bytes != NULL && length != 0));
        GM_FUZZ_CHECK(!maskable || (flags & (GM_TOKEN_CONTROL | GM_TOKEN_UNUSED | GM_TOKEN_UNKNOWN)) == 0);
        if (d->desc.spelling == GM_SPELLING_RAW && bytes != NULL)
            GM_FUZZ_CHECK(length == d->lengths[id] && (length == 0 || memcmp(bytes, d->texts[id], length) == 0));
        for (size_t i = 0; maskable && i < length; i++)
            seen[bytes[i] / 64] |= (uint64_t)1 << bytes[i] % 64;
    }
    const size_t missing_count = gm_vocab_missing_bytes(vocab, missing);
    for (size_t i = 0; i < 256; i++)
        seen_count += seen[i / 64] >> i % 64 & 1;
    for (size_t i = 0; i < 4; i++)
        GM_FUZZ_CHECK(missing[i] == ~seen[i]);
    GM_FUZZ_CHECK(missing_count == 256 - seen_count);
    const uint8_t *bytes = NULL;
    size_t length;
    uint32_t flags;
    GM_FUZZ_CHECK(gm_vocab_token(vocab, (uint32_t)d->desc.token_count, &bytes, &length, &flags) == GM_INVALID_ARGUMENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static description d;
    gm_fuzz_reader reader = {data, size};
    gm_vocab *vocab = NULL;
    gm_error error = {0};
    read_description(&reader, &d);
    const gm_status status = gm_vocab_create(&d.desc, &vocab, &error);
    if (status != GM_OK) {
        GM_FUZZ_CHECK(status == GM_INVALID_ARGUMENT && vocab == NULL && error.message[0] != '\0');
        return 0;
    }
    check_vocab(&d, vocab);
    gm_vocab *twice = gm_vocab_retain(vocab);
    gm_vocab_release(vocab);
    check_vocab(&d, twice);
    gm_vocab_release(twice);
    return 0;
}
