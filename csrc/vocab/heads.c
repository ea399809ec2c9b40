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
    for (size_t at = 0; at < length;) {
        const uint8_t byte = text[at];
        if (byte < 0x20 || byte == '"' || byte == '\\')
            return false;
        if (byte < 0x80)
            at++;
        else if (gm_utf8_read((const char *)text, length, &at) == UINT32_MAX)
            return false;
    }
    return true;
}

static gm_token_head head_of(const gm_vocab *vocab, uint32_t id)
{
    gm_token_head head = {0};
    size_t length;
    const uint8_t *text = gm_vocab_text(vocab, id, &length);
    if (!gm_vocab_is_maskable(&vocab->tables, id))
        return head;
    head.is_plain = is_plain(text, length);
    head.length = length <= sizeof head.text ? (uint8_t)length : GM_LONG_TEXT;
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
    for (uint32_t id = 0; id < count; id++)
        vocab->heads[id] = head_of(vocab, id);
    vocab->tables.heads = vocab->heads;
    vocab->facts.memory += count * sizeof *vocab->heads;
    return GM_OK;
}

void gm_vocab_drop_heads(gm_vocab *vocab)
{
    gm_deallocate(&vocab->allocator, vocab->heads, vocab->facts.token_count, sizeof *vocab->heads);
    vocab->heads = NULL;
}
