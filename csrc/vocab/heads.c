/*
 * vocab/heads.c - the texts once more, as accepting wants them.
 *
 * Which token a model chooses cannot be foreseen, so each look-up of one is a line of memory that is not in the cache.
 * A head has all in one.
 */
#include "base/utf8.h"
#include "vocab/block.h"

bool gm_vocab_is_plain(const uint8_t *text, size_t length)
{
    bool rare = false, wide = false;
    for (size_t i = 0; i < length; i++) {
        rare |= text[i] < 0x20 || text[i] == '"' || text[i] == '\\';
        wide |= text[i] >= 0x80;
    }
    return !rare && (!wide || gm_utf8_valid_prefix((gm_bytes){(const char *)text, length}) == length);
}

gm_token_head gm_vocab_head_of(const uint8_t *text, size_t length, bool maskable)
{
    gm_token_head head = {0};
    if (!maskable)
        return head;
    head.length = length <= sizeof head.text ? (uint8_t)length : GM_LONG_TEXT;
    if (head.length == GM_LONG_TEXT)
        return head;
    memcpy(head.text, text, length);
    while (head.letters < length && gm_spells_itself(text[head.letters]))
        head.letters++;
    return head;
}
