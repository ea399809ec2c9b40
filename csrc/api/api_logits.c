/*
 * api/api_logits.c - the public functions that apply a mask to logits.
 *
 * Every kind of mask is brought to plain words, a block of 128 at a time: a block that no list
 * touches is read where it lies, any other is copied to the stack and mended there. So an added id
 * keeps its logit, and no call allocates.
 *
 * What is in doubt is not allowed: ids past the token count, ids past the words, a mask of no known
 * kind, no mask.
 */
#include "base/base.h"
#include "mask/kernels.h"

enum { BLOCK_WORDS = 128, BLOCK_IDS = 32 * BLOCK_WORDS };

#define F32_BLOCKED 0xFF800000u /* minus infinity */
#define BF16_BLOCKED 0xFF80u    /* minus infinity */
#define F16_BLOCKED 0xFBFFu     /* -65504, the least finite half */

/* ---- words of a mask, block by block ---- */

typedef struct block_reader {
    const gm_mask *mask;
    size_t next_added, next_removed; /* in the lists: the first id not below the next block */
    uint32_t words[BLOCK_WORDS];     /* the block's, where it is not the mask's own */
} block_reader;

/* Sets or clears the bits of the ids of a list that lie in [first, end). */
static void mend(uint32_t *words, const uint32_t *ids, size_t count, size_t *next, size_t first, size_t end, bool set)
{
    for (; *next < count && ids[*next] < end; ++*next) {
        if (ids[*next] < first)
            continue;
        const size_t at = ids[*next] - first;
        const uint32_t bit = 1u << at % 32;
        words[at / 32] = set ? words[at / 32] | bit : words[at / 32] & ~bit;
    }
}

static bool list_begins_below(const uint32_t *ids, size_t count, size_t next, size_t end)
{
    return next < count && ids[next] < end;
}

/* The words of the ids from `first` on, BLOCK_IDS at most: *word_count of them, zeros after these. */
static const uint32_t *read_block(block_reader *reader, size_t first, size_t *word_count)
{
    const gm_mask *mask = reader->mask;
    const bool has_words = mask->kind == GM_MASK_DENSE || mask->kind == GM_MASK_BASE_AND_LISTS;
    const bool has_removed = mask->kind == GM_MASK_BASE_AND_LISTS;
    const bool has_added = mask->kind == GM_MASK_SPARSE || has_removed;
    const size_t end = first + BLOCK_IDS;

    size_t present = has_words && mask->word_count > first / 32 ? mask->word_count - first / 32 : 0;
    if (present > BLOCK_WORDS)
        present = BLOCK_WORDS;
    const uint32_t *words = present != 0 ? mask->words + first / 32 : NULL;

    const bool adds = has_added && list_begins_below(mask->added, mask->added_count, reader->next_added, end);
    const bool removes =
        has_removed && list_begins_below(mask->removed, mask->removed_count, reader->next_removed, end);
    *word_count = present;
    if (!adds && !removes)
        return words;

    memset(reader->words, 0, sizeof reader->words);
    if (present != 0)
        memcpy(reader->words, words, present * sizeof *words);
    if (adds)
        mend(reader->words, mask->added, mask->added_count, &reader->next_added, first, end, true);
    if (removes)
        mend(reader->words, mask->removed, mask->removed_count, &reader->next_removed, first, end, false);
    *word_count = BLOCK_WORDS;
    return reader->words;
}

/* ---- elements of three widths behind one loop ---- */

typedef enum target_kind { HALVES, FLOATS, ZEROED_FLOATS } target_kind;

typedef struct target {
    const gm_kernels *kernels;
    target_kind kind;
    void *elements;
    uint32_t blocked; /* what is not allowed becomes this */
} target;

/* Applies words to the elements of [first, first + count). */
static void apply(const target *to, size_t first, size_t count, const uint32_t *words, size_t word_count)
{
    if (to->kind == HALVES) {
        to->kernels->mask16(words, word_count, (uint16_t *)to->elements + first, count, (uint16_t)to->blocked);
        return;
    }
    if (to->kind == ZEROED_FLOATS)
        memset((uint32_t *)to->elements + first, 0, count * sizeof(uint32_t));
    to->kernels->mask32(words, word_count, (uint32_t *)to->elements + first, count, to->blocked);
}

/* Ones for every id below the token count, and so for those alone. */
static void apply_all(const target *to, size_t token_count, size_t count)
{
    const size_t allowed = token_count < count ? token_count : count;
    if (to->kind == ZEROED_FLOATS)
        memset(to->elements, 0, allowed * sizeof(uint32_t));
    apply(to, allowed, count - allowed, NULL, 0);
}

static void apply_mask(const gm_mask *mask, const target *to, size_t count)
{
    if (mask != NULL && mask->kind == GM_MASK_ALL) {
        apply_all(to, mask->token_count, count);
        return;
    }
    size_t first = 0;
    if (mask != NULL && mask->kind != GM_MASK_NONE) {
        const size_t decided = mask->token_count < count ? mask->token_count : count;
        block_reader reader = {.mask = mask};
        while (first < decided) {
            const size_t here = decided - first < BLOCK_IDS ? decided - first : BLOCK_IDS;
            size_t word_count;
            const uint32_t *words = read_block(&reader, first, &word_count);
            apply(to, first, here, words, word_count);
            first += here;
        }
    }
    apply(to, first, count - first, NULL, 0);
}

static void apply_to(const gm_mask *mask, target_kind kind, void *elements, size_t count, uint32_t blocked)
{
    if (count == 0)
        return;
    const target to = {gm_kernels_get(), kind, elements, blocked};
    apply_mask(mask, &to, count);
}

static void apply_words(const uint32_t *words, size_t word_count, target_kind kind, void *elements, size_t count,
                        uint32_t blocked)
{
    if (count == 0)
        return;
    const target to = {gm_kernels_get(), kind, elements, blocked};
    apply(&to, 0, count, words, word_count);
}

/* ---- public ---- */

void gm_logits_mask_f32(const gm_mask *mask, float *logits, size_t count)
{
    apply_to(mask, FLOATS, logits, count, F32_BLOCKED);
}

void gm_logits_mask_f16(const gm_mask *mask, uint16_t *logits, size_t count)
{
    apply_to(mask, HALVES, logits, count, F16_BLOCKED);
}

void gm_logits_mask_bf16(const gm_mask *mask, uint16_t *logits, size_t count)
{
    apply_to(mask, HALVES, logits, count, BF16_BLOCKED);
}

void gm_words_mask_f32(const uint32_t *words, size_t word_count, float *logits, size_t count)
{
    apply_words(words, word_count, FLOATS, logits, count, F32_BLOCKED);
}

void gm_words_mask_f16(const uint32_t *words, size_t word_count, uint16_t *logits, size_t count)
{
    apply_words(words, word_count, HALVES, logits, count, F16_BLOCKED);
}

void gm_words_mask_bf16(const uint32_t *words, size_t word_count, uint16_t *logits, size_t count)
{
    apply_words(words, word_count, HALVES, logits, count, BF16_BLOCKED);
}

void gm_mask_additive_f32(const gm_mask *mask, float *out, size_t count)
{
    apply_to(mask, ZEROED_FLOATS, out, count, F32_BLOCKED);
}

/* Whether an ascending list holds an id. */
static bool holds(const uint32_t *ids, size_t count, uint32_t id)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ids[low] == id;
}

static bool words_hold(const gm_mask *mask, uint32_t id)
{
    return id / 32 < mask->word_count && (mask->words[id / 32] >> id % 32 & 1) != 0;
}

bool gm_mask_allows(const gm_mask *mask, uint32_t token)
{
    if (mask == NULL || token >= mask->token_count)
        return false;
    switch (mask->kind) {
    case GM_MASK_NONE:
        return false;
    case GM_MASK_ALL:
        return true;
    case GM_MASK_DENSE:
        return words_hold(mask, token);
    case GM_MASK_SPARSE:
        return holds(mask->added, mask->added_count, token);
    case GM_MASK_BASE_AND_LISTS:
        return !holds(mask->removed, mask->removed_count, token) &&
               (holds(mask->added, mask->added_count, token) || words_hold(mask, token));
    }
    return false;
}

void gm_mask_candidates(const gm_mask *mask, const uint32_t *ids, float *logits, size_t count)
{
    const uint32_t blocked = F32_BLOCKED;
    for (size_t i = 0; i < count; i++)
        if (!gm_mask_allows(mask, ids[i]))
            memcpy(logits + i, &blocked, sizeof blocked);
}
