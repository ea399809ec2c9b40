/* mask/commas.c - see commas.h. */
#include "mask/commas.h"

#include "base/array.h"

typedef GM_ARRAY(gm_small_text) text_list;

/* Whether a text holds a comma behind what the kind asks for. */
static bool holds_comma(const uint8_t *text, size_t length, unsigned kind)
{
    bool quoted = !(kind & GM_COMMAS_BEHIND_QUOTE), bracketed = !(kind & GM_COMMAS_BEHIND_BRACKET);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ',' && quoted && bracketed)
            return true;
        bracketed = bracketed || (quoted && (text[i] == '[' || text[i] == ']' || text[i] == '}'));
        quoted = quoted || text[i] == '"';
    }
    return false;
}

gm_status gm_commas_init(gm_commas *commas, const gm_vocab *vocab, const gm_trie *trie, unsigned kind,
                         const gm_allocator *allocator)
{
    text_list list = {0};
    *commas = (gm_commas){.word_count = gm_vocab_facts_of(vocab)->mask_words};
    commas->words = gm_allocate_zeroed(allocator, commas->word_count, sizeof *commas->words);
    bool done = commas->words != NULL;
    for (uint32_t i = 0; i < trie->token_count && done; i++) {
        size_t length;
        const uint32_t token = trie->tokens[i];
        const uint8_t *text = gm_vocab_text(vocab, token, &length);
        if (!holds_comma(text, length, kind))
            continue;
        commas->words[token / 32] |= 1u << token % 32;
        const gm_small_text whole = {{(const char *)text, length}, token, 0};
        done = GM_ARRAY_PUSH(allocator, &list, whole);
    }
    done = done && gm_small_trie_init(&commas->tokens, list.items, list.count, allocator);
    GM_ARRAY_FREE(allocator, &list);
    if (done)
        return GM_OK;
    gm_commas_destroy(commas, allocator);
    return GM_OUT_OF_MEMORY;
}

void gm_commas_destroy(gm_commas *commas, const gm_allocator *allocator)
{
    gm_deallocate(allocator, commas->words, commas->word_count, sizeof *commas->words);
    gm_small_trie_destroy(&commas->tokens, allocator);
    *commas = (gm_commas){0};
}
