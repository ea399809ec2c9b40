/*
 * cli/greedy.c - see greedy.h.
 */
#include "cli/greedy.h"

#include "cli/input.h"

#include <stdlib.h>
#include <string.h>

/* What is sorted: a token with its bytes. */
typedef struct entry {
    const uint8_t *bytes;
    size_t length;
    uint32_t id;
} entry;

static int compare_bytes(const uint8_t *left, size_t left_length, const uint8_t *right, size_t right_length)
{
    const int order = memcmp(left, right, left_length < right_length ? left_length : right_length);
    return order != 0 ? order : left_length < right_length ? -1 : left_length > right_length;
}

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    const int order = compare_bytes(a->bytes, a->length, b->bytes, b->length);
    return order != 0 ? order : a->id < b->id ? -1 : a->id > b->id;
}

void gm_cli_greedy_init(gm_cli_greedy *greedy, const gm_vocab *vocab)
{
    const size_t total = gm_vocab_token_count(vocab);
    entry *entries = gm_cli_allocate(total, sizeof *entries);
    *greedy = (gm_cli_greedy){.vocab = vocab};
    for (uint32_t id = 0; id < total; id++) {
        entry found = {.id = id};
        uint32_t flags = 0;
        gm_vocab_token(vocab, id, &found.bytes, &found.length, &flags);
        if (found.bytes == NULL || found.length == 0 || (flags & ~(uint32_t)GM_TOKEN_BYTE) != 0)
            continue;
        entries[greedy->count++] = found;
        if (found.length > greedy->longest)
            greedy->longest = found.length;
    }
    qsort(entries, greedy->count, sizeof *entries, compare_entries);
    greedy->order = gm_cli_allocate(greedy->count, sizeof *greedy->order);
    for (size_t i = 0; i < greedy->count; i++)
        greedy->order[i] = entries[i].id;
    free(entries);
}

void gm_cli_greedy_free(gm_cli_greedy *greedy)
{
    free(greedy->order);
}

static int compare_with(const gm_cli_greedy *greedy, size_t index, const uint8_t *bytes, size_t length)
{
    const uint8_t *candidate = NULL;
    size_t candidate_length = 0;
    uint32_t flags;
    gm_vocab_token(greedy->vocab, greedy->order[index], &candidate, &candidate_length, &flags);
    return compare_bytes(candidate, candidate_length, bytes, length);
}

/* The least id with exactly these bytes; UINT32_MAX when there is none. */
static uint32_t find(const gm_cli_greedy *greedy, const uint8_t *bytes, size_t length)
{
    size_t low = 0;
    size_t high = greedy->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_with(greedy, middle, bytes, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_found = low < greedy->count && compare_with(greedy, low, bytes, length) == 0;
    return is_found ? greedy->order[low] : UINT32_MAX;
}

bool gm_cli_greedy_encode(const gm_cli_greedy *greedy, const char *text, size_t length, uint32_t **tokens,
                          size_t *count)
{
    *tokens = gm_cli_allocate(length, sizeof **tokens);
    *count = 0;
    for (size_t at = 0; at < length;) {
        size_t step = length - at < greedy->longest ? length - at : greedy->longest;
        uint32_t token = UINT32_MAX;
        while (step > 0 && (token = find(greedy, (const uint8_t *)text + at, step)) == UINT32_MAX)
            step--;
        if (token == UINT32_MAX)
            return false;
        (*tokens)[(*count)++] = token;
        at += step;
    }
    return true;
}
