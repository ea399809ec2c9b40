/*
 * test_logits.c - masks of every kind applied to logits, against a loop over ids.
 *
 * The loop decides about one id by reading the mask's definition: words, then added, then removed,
 * nothing from token_count on. Logits carry their index, so that an added id that lost its own
 * value is seen.
 */
#include "check.h"

#include "mask/kernels.h"

#include <math.h>

enum { GUARD = 40, WORDS = 300, IDS = 32 * WORDS };

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state >> 16;
}

/* ---- masks ---- */

typedef struct sample {
    gm_mask mask;
    uint32_t words[WORDS];
    uint32_t added[IDS];
    uint32_t removed[IDS];
} sample;

/* An ascending list: each id below `limit` with a chance of one in `rarity`. */
static size_t random_list(uint32_t *ids, size_t limit, uint64_t rarity)
{
    size_t count = 0;
    for (size_t id = 0; id < limit; id++)
        if (next_random() % rarity == 0)
            ids[count++] = (uint32_t)id;
    return count;
}

static void make_sample(sample *s, gm_mask_kind kind, size_t token_count, size_t logit_width)
{
    static const uint64_t rarities[] = {1, 2, 30, 1000, 1u << 30};
    const bool has_words = kind == GM_MASK_DENSE || kind == GM_MASK_BASE_AND_LISTS;
    const uint32_t style = (uint32_t)(next_random() % 3);
    s->mask = (gm_mask){.kind = kind, .token_count = token_count, .logit_width = logit_width};
    if (has_words) {
        s->mask.words = s->words;
        s->mask.word_count = next_random() % 8 == 0 ? (token_count + 31) / 64 : (logit_width + 31) / 32;
    }
    for (size_t i = 0; i < WORDS; i++) /* bits past token_count included: they must not count */
        s->words[i] = style == 0 ? UINT32_MAX : style == 1 ? 0 : (uint32_t)next_random();
    const size_t limit = next_random() % 4 == 0 ? IDS : token_count; /* ids that do not exist, too */
    s->mask.added = s->added;
    s->mask.removed = s->removed;
    s->mask.added_count = random_list(s->added, limit, rarities[next_random() % 5]);
    s->mask.removed_count = random_list(s->removed, limit, rarities[next_random() % 5]);
}

/* allowed[id] for every id below IDS. */
static void allow_by_definition(const gm_mask *mask, bool *allowed)
{
    for (size_t id = 0; id < IDS; id++) {
        allowed[id] = mask->kind == GM_MASK_ALL;
        if (mask->kind == GM_MASK_DENSE || mask->kind == GM_MASK_BASE_AND_LISTS)
            allowed[id] = id / 32 < mask->word_count && (mask->words[id / 32] >> id % 32 & 1) != 0;
    }
    if (mask->kind == GM_MASK_SPARSE || mask->kind == GM_MASK_BASE_AND_LISTS)
        for (size_t i = 0; i < mask->added_count; i++)
            allowed[mask->added[i]] = true;
    if (mask->kind == GM_MASK_BASE_AND_LISTS)
        for (size_t i = 0; i < mask->removed_count; i++)
            allowed[mask->removed[i]] = false;
    for (size_t id = mask->token_count; id < IDS; id++)
        allowed[id] = false;
}

/* ---- checks ---- */

static float logit_of(size_t index) { return (float)index * 0.5f - 7.0f; }

static void check_floats(const gm_mask *mask, const bool *allowed, size_t count)
{
    float *block = malloc((count + 2 * GUARD) * sizeof *block);
    float *added = malloc((count + 2 * GUARD) * sizeof *added);
    for (size_t i = 0; i < count + 2 * GUARD; i++)
        block[i] = added[i] = logit_of(i);
    gm_logits_mask_f32(mask, block + GUARD, count);
    gm_mask_additive_f32(mask, added + GUARD, count);
    size_t wrong = 0;
    for (size_t i = 0; i < count + 2 * GUARD; i++) {
        const bool inside = i >= GUARD && i < GUARD + count;
        const bool fine = !inside || allowed[i - GUARD];
        wrong += fine ? block[i] != logit_of(i) : !(isinf(block[i]) && block[i] < 0);
        wrong += inside ? (fine ? added[i] != 0 || signbit(added[i]) : !(isinf(added[i]) && added[i] < 0))
                        : added[i] != logit_of(i);
    }
    CHECK(wrong == 0);
    free(block);
    free(added);
}

typedef void half_function(const gm_mask *, uint16_t *, size_t);

static void check_halves(half_function *function, uint16_t blocked, const gm_mask *mask, const bool *allowed,
                         size_t count)
{
    uint16_t *block = malloc((count + 2 * GUARD) * sizeof *block);
    for (size_t i = 0; i < count + 2 * GUARD; i++)
        block[i] = (uint16_t)(i & 0x7FFF);
    function(mask, block + GUARD, count);
    size_t wrong = 0;
    for (size_t i = 0; i < count + 2 * GUARD; i++) {
        const bool kept = i < GUARD || i >= GUARD + count || allowed[i - GUARD];
        wrong += block[i] != (kept ? (uint16_t)(i & 0x7FFF) : blocked);
    }
    CHECK(wrong == 0);
    free(block);
}

static void check_ids(const gm_mask *mask, const bool *allowed)
{
    static uint32_t ids[IDS + 3];
    static float logits[IDS + 3];
    size_t wrong = 0;
    for (size_t i = 0; i < IDS; i++) {
        wrong += gm_mask_allows(mask, (uint32_t)i) != allowed[i];
        ids[i] = (uint32_t)(IDS - 1 - i); /* any order will do */
        logits[i] = logit_of(i);
    }
    ids[IDS] = UINT32_MAX;
    ids[IDS + 1] = IDS;
    logits[IDS] = logits[IDS + 1] = 1.0f;
    logits[IDS + 2] = 2.0f;
    gm_mask_candidates(mask, ids, logits, IDS + 2);
    for (size_t i = 0; i < IDS; i++)
        wrong += allowed[ids[i]] ? logits[i] != logit_of(i) : !(isinf(logits[i]) && logits[i] < 0);
    CHECK(wrong == 0);
    CHECK(isinf(logits[IDS]) && isinf(logits[IDS + 1]) && logits[IDS + 2] == 2.0f);
    CHECK(!gm_mask_allows(mask, UINT32_MAX) && !gm_mask_allows(mask, IDS));
}

static void check_sample(const gm_mask *mask, size_t count)
{
    static bool allowed[IDS];
    allow_by_definition(mask, allowed);
    check_floats(mask, allowed, count);
    check_halves(gm_logits_mask_f16, 0xFBFF, mask, allowed, count);
    check_halves(gm_logits_mask_bf16, 0xFF80, mask, allowed, count);
    check_ids(mask, allowed);
}

/* ---- tests ---- */

static void every_kind_agrees_with_its_definition(void)
{
    static sample s;
    for (int round = 0; round < 250; round++) {
        const gm_mask_kind kind = (gm_mask_kind)(round % 5);
        const size_t token_count = 1 + next_random() % (IDS - 200);
        const size_t logit_width = token_count + next_random() % 200;
        make_sample(&s, kind, token_count, logit_width);
        const size_t some = next_random() % IDS;
        check_sample(&s.mask, round % 3 == 0 ? logit_width : round % 3 == 1 ? some : token_count);
    }
}

static void edges_of_blocks_agree_with_the_definition(void)
{
    static sample s;
    static const size_t edges[] = {1, 31, 32, 33, 4095, 4096, 4097, 8191, 8192, 8193};
    for (size_t t = 0; t < GM_COUNT_OF(edges); t++)
        for (size_t c = 0; c < GM_COUNT_OF(edges); c++)
            for (int kind = 0; kind < 5; kind++) {
                make_sample(&s, (gm_mask_kind)kind, edges[t], edges[t]);
                check_sample(&s.mask, edges[c]);
            }
}

static void an_id_added_and_removed_is_not_allowed(void)
{
    const uint32_t word = 0, both[1] = {5};
    const gm_mask mask = {.kind = GM_MASK_BASE_AND_LISTS, .words = &word, .word_count = 1, .added = both,
                          .added_count = 1, .removed = both, .removed_count = 1, .token_count = 32};
    float logits[6] = {1, 1, 1, 1, 1, 1};
    gm_logits_mask_f32(&mask, logits, 6);
    CHECK(isinf(logits[5]) && !gm_mask_allows(&mask, 5));
}

static void lists_count_only_for_kinds_that_have_them(void)
{
    const uint32_t word = 1, one[1] = {1}, zero[1] = {0};
    gm_mask mask = {.kind = GM_MASK_DENSE, .words = &word, .word_count = 1, .added = one, .added_count = 1,
                    .removed = zero, .removed_count = 1, .token_count = 2};
    CHECK(gm_mask_allows(&mask, 0) && !gm_mask_allows(&mask, 1));
    mask.kind = GM_MASK_SPARSE;
    CHECK(!gm_mask_allows(&mask, 0) && gm_mask_allows(&mask, 1));
    mask.kind = GM_MASK_ALL;
    CHECK(gm_mask_allows(&mask, 0) && gm_mask_allows(&mask, 1) && !gm_mask_allows(&mask, 2));
    mask.kind = (gm_mask_kind)77; /* what is in doubt is not allowed */
    float logits[2] = {1, 1};
    gm_logits_mask_f32(&mask, logits, 2);
    CHECK(!gm_mask_allows(&mask, 0) && isinf(logits[0]) && isinf(logits[1]));
}

static void copied_words_agree_with_the_bits(void)
{
    static uint32_t words[WORDS];
    static float floats[IDS];
    static uint16_t halves[IDS], brain[IDS];
    for (int round = 0; round < 60; round++) {
        const size_t word_count = next_random() % WORDS, count = next_random() % IDS;
        for (size_t i = 0; i < WORDS; i++)
            words[i] = round % 3 == 0 ? UINT32_MAX : (uint32_t)next_random();
        for (size_t i = 0; i < IDS; i++) {
            floats[i] = logit_of(i);
            halves[i] = brain[i] = 3;
        }
        gm_words_mask_f32(words, word_count, floats, count);
        gm_words_mask_f16(words, word_count, halves, count);
        gm_words_mask_bf16(words, word_count, brain, count);
        size_t wrong = 0;
        for (size_t i = 0; i < IDS; i++) {
            const bool kept = i >= count || (i / 32 < word_count && (words[i / 32] >> i % 32 & 1) != 0);
            wrong += kept ? floats[i] != logit_of(i) : !(isinf(floats[i]) && floats[i] < 0);
            wrong += halves[i] != (kept ? 3 : 0xFBFF);
            wrong += brain[i] != (kept ? 3 : 0xFF80);
        }
        CHECK(wrong == 0);
    }
}

static void nothing_is_touched_when_the_count_is_zero(void)
{
    gm_logits_mask_f32(NULL, NULL, 0);
    gm_logits_mask_f16(NULL, NULL, 0);
    gm_logits_mask_bf16(NULL, NULL, 0);
    gm_words_mask_f32(NULL, 0, NULL, 0);
    gm_words_mask_f16(NULL, 0, NULL, 0);
    gm_words_mask_bf16(NULL, 0, NULL, 0);
    gm_mask_candidates(NULL, NULL, NULL, 0);
    gm_mask_additive_f32(NULL, NULL, 0);
}

static void no_mask_allows_nothing(void)
{
    float logits[40], out[40] = {0};
    for (size_t i = 0; i < 40; i++)
        logits[i] = 1;
    gm_logits_mask_f32(NULL, logits, 40);
    gm_mask_additive_f32(NULL, out, 40);
    size_t wrong = 0;
    for (size_t i = 0; i < 40; i++)
        wrong += !isinf(logits[i]) + !isinf(out[i]);
    CHECK(wrong == 0 && !gm_mask_allows(NULL, 0));
}

int main(void)
{
    RUN(every_kind_agrees_with_its_definition);
    RUN(edges_of_blocks_agree_with_the_definition);
    RUN(an_id_added_and_removed_is_not_allowed);
    RUN(lists_count_only_for_kinds_that_have_them);
    RUN(copied_words_agree_with_the_bits);
    RUN(nothing_is_touched_when_the_count_is_zero);
    RUN(no_mask_allows_nothing);
    return REPORT("test_logits");
}
