/*
 * logits/fuzz.c - a mask out of bytes, applied in every way there is: all agree with gm_mask_allows,
 * and nothing past the count is touched.
 */
#include "fuzz.h"

#include "base/base.h"

#include <math.h>

enum { MOST_IDS = 4700, MOST_WORDS = (MOST_IDS + 31) / 32, MOST_LISTED = 200 };

/* Ascending ids, each a step beyond the last. */
static size_t read_list(gm_fuzz_reader *reader, uint32_t *ids)
{
    const size_t count = gm_fuzz_below(reader, MOST_LISTED + 1);
    uint32_t id = (uint32_t)gm_fuzz_below(reader, MOST_IDS);
    for (size_t i = 0; i < count; i++) {
        ids[i] = id;
        id += 1 + (uint32_t)gm_fuzz_byte(reader) % 90;
    }
    return count;
}

/* A few words from the input, over and over. */
static void read_words(gm_fuzz_reader *reader, uint32_t *words)
{
    uint32_t some[8];
    for (size_t i = 0; i < 8; i++)
        some[i] = gm_fuzz_byte(reader) * 0x01010101u ^ gm_fuzz_byte(reader);
    for (size_t i = 0; i < MOST_WORDS; i++)
        words[i] = some[(i * 5 + i / 8) % 8];
}

static bool is_minus_infinity(float value) { return isinf(value) && value < 0; }

static void check_floats(const gm_mask *mask, size_t count)
{
    float *logits = malloc((count + 1) * sizeof *logits), *additive = malloc((count + 1) * sizeof *additive);
    float *candidates = malloc((count + 1) * sizeof *candidates);
    uint32_t *ids = malloc((count + 1) * sizeof *ids);
    GM_FUZZ_CHECK(logits != NULL && additive != NULL && candidates != NULL && ids != NULL);
    for (size_t i = 0; i <= count; i++) {
        logits[i] = additive[i] = candidates[i] = (float)i;
        ids[i] = (uint32_t)(count - i);
    }
    gm_logits_mask_f32(mask, logits, count);
    gm_mask_additive_f32(mask, additive, count);
    gm_mask_candidates(mask, ids, candidates, count);
    for (size_t i = 0; i < count; i++) {
        const bool allowed = gm_mask_allows(mask, (uint32_t)i);
        GM_FUZZ_CHECK(allowed ? logits[i] == (float)i && additive[i] == 0
                              : is_minus_infinity(logits[i]) && is_minus_infinity(additive[i]));
        GM_FUZZ_CHECK(gm_mask_allows(mask, ids[i]) ? candidates[i] == (float)i : is_minus_infinity(candidates[i]));
    }
    GM_FUZZ_CHECK(logits[count] == (float)count && additive[count] == (float)count && candidates[count] == (float)count);
    free(logits);
    free(additive);
    free(candidates);
    free(ids);
}

static void check_halves(const gm_mask *mask, size_t count)
{
    uint16_t *halves = malloc((count + 1) * sizeof *halves), *brain = malloc((count + 1) * sizeof *brain);
    GM_FUZZ_CHECK(halves != NULL && brain != NULL);
    for (size_t i = 0; i <= count; i++)
        halves[i] = brain[i] = (uint16_t)i;
    gm_logits_mask_f16(mask, halves, count);
    gm_logits_mask_bf16(mask, brain, count);
    for (size_t i = 0; i < count; i++) {
        const bool allowed = gm_mask_allows(mask, (uint32_t)i);
        GM_FUZZ_CHECK(halves[i] == (allowed ? i : 0xFBFF) && brain[i] == (allowed ? i : 0xFF80));
    }
    GM_FUZZ_CHECK(halves[count] == (uint16_t)count && brain[count] == (uint16_t)count);
    free(halves);
    free(brain);
}

/* Copied words are a dense mask of as many ids as they have bits. */
static void check_words(const uint32_t *words, size_t word_count, size_t count)
{
    const gm_mask dense = {.kind = GM_MASK_DENSE, .words = words, .word_count = word_count, .token_count = 32 * word_count};
    float *a = calloc(count + 1, sizeof *a), *b = calloc(count + 1, sizeof *b);
    uint16_t *c = calloc(count + 1, sizeof *c), *d = calloc(count + 1, sizeof *d);
    GM_FUZZ_CHECK(a != NULL && b != NULL && c != NULL && d != NULL);
    gm_words_mask_f32(words, word_count, a, count);
    gm_logits_mask_f32(&dense, b, count);
    GM_FUZZ_CHECK(memcmp(a, b, (count + 1) * sizeof *a) == 0);
    gm_words_mask_f16(words, word_count, c, count);
    gm_logits_mask_f16(&dense, d, count);
    GM_FUZZ_CHECK(memcmp(c, d, (count + 1) * sizeof *c) == 0);
    gm_words_mask_bf16(words, word_count, c, count);
    gm_logits_mask_bf16(&dense, d, count);
    GM_FUZZ_CHECK(memcmp(c, d, (count + 1) * sizeof *c) == 0);
    free(a);
    free(b);
    free(c);
    free(d);
}

/* A copy in a block of its exact size, so that a read past it is seen. */
static uint32_t *exact(const uint32_t *items, size_t count)
{
    uint32_t *copy = malloc(count * sizeof *copy + (count == 0));
    GM_FUZZ_CHECK(copy != NULL);
    memcpy(copy, items, count * sizeof *copy);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t words[MOST_WORDS], added[MOST_LISTED], removed[MOST_LISTED];
    gm_fuzz_reader reader = {data, size};
    gm_mask mask = {.kind = (gm_mask_kind)gm_fuzz_below(&reader, 6)}; /* 5 is none */
    mask.token_count = gm_fuzz_below(&reader, MOST_IDS);
    mask.logit_width = mask.token_count + gm_fuzz_byte(&reader);
    const size_t count = gm_fuzz_below(&reader, MOST_IDS);
    mask.word_count = gm_fuzz_below(&reader, MOST_WORDS + 1);
    mask.added_count = read_list(&reader, added);
    mask.removed_count = read_list(&reader, removed);
    read_words(&reader, words);
    uint32_t *const own[3] = {exact(words, mask.word_count), exact(added, mask.added_count),
                              exact(removed, mask.removed_count)};
    mask.words = own[0];
    mask.added = own[1];
    mask.removed = own[2];
    check_floats(&mask, count);
    check_halves(&mask, count);
    check_words(own[0], mask.word_count, count);
    for (size_t i = 0; i < 3; i++)
        free(own[i]);
    return 0;
}
