/* mask/openings.c - see openings.h. */
#include "mask/openings.h"

#include "base/array.h"

enum { MANY_TOKENS = 12 };

typedef GM_ARRAY(gm_small_text) text_list;
typedef GM_ARRAY(gm_opening) opening_list;
typedef GM_ARRAY(uint32_t) id_list;

/* Sorts a token by what it does after the quote; false when out of memory. */
static bool sort_token(id_list *ids, text_list *closing, gm_small_text behind, const gm_alphabet *alphabet,
                       const gm_allocator *allocator)
{
    behind.quote = gm_find_quote((const uint8_t *)behind.text.data, behind.text.length, alphabet);
    if (behind.quote == behind.text.length)
        return GM_ARRAY_PUSH(allocator, ids, behind.token);
    return behind.quote > behind.text.length || GM_ARRAY_PUSH(allocator, closing, behind);
}

/* Makes both tries of the tokens that close; `closing` is used up. False when out of memory. */
static bool make_tries(gm_opening *opening, text_list *closing, const gm_allocator *allocator)
{
    opening->tails = (gm_small_trie){0};
    if (!gm_small_trie_init(&opening->close, closing->items, closing->count, allocator))
        return false;
    for (size_t i = 0; i < closing->count; i++) {
        gm_small_text *at = &closing->items[i];
        at->text = (gm_bytes){at->text.data + at->quote, at->text.length - at->quote};
    }
    return gm_small_trie_init(&opening->tails, closing->items, closing->count, allocator);
}

static void destroy(gm_opening *opening, const gm_allocator *allocator)
{
    gm_small_trie_destroy(&opening->close, allocator);
    gm_small_trie_destroy(&opening->tails, allocator);
}

/* Sorts the tokens below a branch by what they do after its quote. */
static bool prepare(gm_opening *opening, id_list *ids, text_list *closing, const gm_vocab *vocab, uint32_t at,
                    const gm_alphabet *alphabet, const gm_allocator *allocator)
{
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    const gm_branch *branch = &trie->branches[at];
    size_t length;
    const uint8_t *first = gm_vocab_text(vocab, trie->tokens[branch->first], &length);
    const size_t depth = (size_t)(trie->labels + branch->label + branch->extra - first);
    *opening = (gm_opening){.branch = at, .first = (uint32_t)ids->count};
    closing->count = 0;
    for (uint32_t i = branch->own_end; i < branch->end; i++) {
        const uint32_t token = trie->tokens[i];
        const uint8_t *text = gm_vocab_text(vocab, token, &length) + depth;
        if (!sort_token(ids, closing, (gm_small_text){{(const char *)text, length - depth}, token, 0}, alphabet,
                        allocator))
            return false;
    }
    opening->count = (uint32_t)(ids->count - opening->first);
    return make_tries(opening, closing, allocator);
}

gm_status gm_openings_init(gm_openings *openings, const gm_vocab *vocab, const gm_alphabet *alphabet,
                           const gm_allocator *allocator)
{
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    opening_list list = {0};
    id_list ids = {0};
    text_list closing = {0};
    bool room = true;
    for (uint32_t at = 1; at < trie->node_count && room; at++) {
        gm_opening opening;
        if (trie->branches[at].end - trie->branches[at].own_end < MANY_TOKENS || gm_last_byte(trie, at) != '"')
            continue;
        room = prepare(&opening, &ids, &closing, vocab, at, alphabet, allocator);
        if (!room || !GM_ARRAY_PUSH(allocator, &list, opening)) {
            destroy(&opening, allocator);
            room = false;
        }
    }
    GM_ARRAY_FREE(allocator, &closing);
    *openings = (gm_openings){list.items, list.count, list.capacity, ids.items, ids.count, ids.capacity};
    if (room)
        return GM_OK;
    gm_openings_destroy(openings, allocator);
    return GM_OUT_OF_MEMORY;
}

/* The branch of a trie's root with a byte; 0 if there is none. */
static uint32_t child_of_root(const gm_trie *trie, uint8_t byte)
{
    const gm_branch *root = trie->branches;
    for (uint32_t i = 0; i < gm_child_count(root); i++)
        if (trie->bytes[root->children + i] == byte)
            return root->children + i;
    return 0;
}

gm_status gm_openings_of_texts(gm_openings *openings, const gm_trie *trie, const gm_small_text *texts, size_t count,
                               const gm_alphabet *alphabet, const gm_allocator *allocator)
{
    opening_list list = {0};
    id_list ids = {0};
    text_list closing = {0};
    gm_opening opening = {.branch = child_of_root(trie, '"')};
    bool room = true;
    for (size_t i = 0; i < count && room && opening.branch != 0; i++) {
        const gm_bytes text = texts[i].text;
        const gm_small_text behind = {{text.data + 1, text.length - 1}, texts[i].token, 0};
        if (text.data[0] == '"' && text.length > 1)
            room = sort_token(&ids, &closing, behind, alphabet, allocator);
    }
    opening.count = (uint32_t)ids.count;
    room = room && make_tries(&opening, &closing, allocator);
    if (!room || !GM_ARRAY_PUSH(allocator, &list, opening)) {
        destroy(&opening, allocator);
        room = false;
    }
    GM_ARRAY_FREE(allocator, &closing);
    *openings = (gm_openings){list.items, list.count, list.capacity, ids.items, ids.count, ids.capacity};
    if (room)
        return GM_OK;
    gm_openings_destroy(openings, allocator);
    return GM_OUT_OF_MEMORY;
}

void gm_openings_destroy(gm_openings *openings, const gm_allocator *allocator)
{
    for (size_t i = 0; i < openings->count; i++)
        destroy(&openings->list[i], allocator);
    gm_deallocate(allocator, openings->list, openings->capacity, sizeof *openings->list);
    gm_deallocate(allocator, openings->ids, openings->id_capacity, sizeof *openings->ids);
    *openings = (gm_openings){0};
}

const gm_opening *gm_openings_find(const gm_openings *openings, uint32_t branch)
{
    size_t low = 0, high = openings->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (openings->list[middle].branch == branch)
            return &openings->list[middle];
        if (openings->list[middle].branch < branch)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Whether no token can carry a string's thread past its bound. */
static bool is_far_from_bound(const gm_config *config, const gm_text_thread *thread, uint32_t max_token_length)
{
    const uint64_t length = config->as.text.length;
    return thread->most == GM_UNBOUNDED || (length <= thread->most && thread->most - length >= max_token_length);
}

bool gm_is_free_string(const gm_config *config, uint32_t max_token_length)
{
    if (config->mode != GM_MODE_STRING || config->spelling != GM_SPELLING_BETWEEN)
        return false;
    for (uint32_t i = 0; i < config->as.text.lexical->count; i++) {
        const gm_strand strand = config->as.text.lexical->strands[i];
        const gm_text_thread *thread = &config->at.turn->place->texts[strand.thread].thread;
        if (strand.state != GM_TERM_ANY || config->as.text.length < thread->least ||
            !is_far_from_bound(config, thread, max_token_length))
            return false;
    }
    return true;
}

bool gm_openings_apply(const gm_config *config, uint32_t max_token_length)
{
    if (config->spelling != GM_SPELLING_BETWEEN)
        return false;
    if (config->mode == GM_MODE_KEY)
        return config->at.frame->keys == NULL && gm_frame_can_take_other(config->at.frame, config->top);
    if (config->mode != GM_MODE_STRING)
        return false;
    /* one strand of any text that no token can carry past its bound is enough: it stays alive */
    for (uint32_t i = 0; i < config->as.text.lexical->count; i++) {
        const gm_strand strand = config->as.text.lexical->strands[i];
        const gm_text_thread *thread = &config->at.turn->place->texts[strand.thread].thread;
        if (strand.state == GM_TERM_ANY && is_far_from_bound(config, thread, max_token_length))
            return true;
    }
    return false;
}
