/*
 * vocab/heads.c - the texts once more, as accepting wants them.
 *
 * Which token a model chooses cannot be foreseen, so each look-up of one is a line of memory that is not in the cache.
 * A head has all in one. Some nanoseconds a token: made whenever a vocabulary is made or mapped, and not saved.
 */
#include "base/utf8.h"
#include "vocab/block.h"

/* Whether a text is whole characters, none of which a JSON string must escape. */
static bool is_plain(const uint8_t *text, size_t length)
{
    bool rare = false, wide = false;
    for (size_t i = 0; i < length; i++) {
        rare |= text[i] < 0x20 || text[i] == '"' || text[i] == '\\';
        wide |= text[i] >= 0x80;
    }
    return !rare && (!wide || gm_utf8_valid_prefix((gm_bytes){(const char *)text, length}) == length);
}

/* Of a token that may be masked. */
static gm_token_head head_of(const uint8_t *text, size_t length)
{
    gm_token_head head = {.length = length <= sizeof head.text ? (uint8_t)length : GM_LONG_TEXT,
                          .is_plain = is_plain(text, length)};
    if (head.length != GM_LONG_TEXT)
        memcpy(head.text, text, length);
    return head;
}

gm_status gm_vocab_make_heads(gm_vocab *vocab)
{
    const uint32_t count = vocab->facts.token_count;
    vocab->heads = gm_allocate(&vocab->allocator, count, sizeof *vocab->heads);
    if (vocab->heads == NULL)
        return GM_OUT_OF_MEMORY;
    for (uint32_t id = 0; id < count; id++) {
        const uint32_t start = vocab->starts[id], length = vocab->starts[id + 1] - start;
        const bool maskable = gm_vocab_is_maskable(&vocab->tables, id);
        vocab->heads[id] = maskable ? head_of(vocab->text + start, length) : (gm_token_head){0};
    }
    vocab->tables.heads = vocab->heads;
    vocab->facts.memory += count * sizeof *vocab->heads;
    return GM_OK;
}

void gm_vocab_drop_heads(gm_vocab *vocab)
{
    gm_deallocate(&vocab->allocator, vocab->heads, vocab->facts.token_count, sizeof *vocab->heads);
    vocab->heads = NULL;
}
