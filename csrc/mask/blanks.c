/* mask/blanks.c - see blanks.h. */
#include "mask/blanks.h"

#include "base/array.h"

typedef GM_ARRAY(gm_small_text) text_list;

/* Whether a text can stand at a structural place: most words cannot. */
static bool may_follow(const uint8_t *text, size_t length)
{
    static const char *const literals[3] = {"null", "true", "false"};
    for (int i = 0; i < 3; i++)
        if (text[0] == (uint8_t)literals[i][0]) {
            const size_t shared = strlen(literals[i]);
            return memcmp(text, literals[i], length < shared ? length : shared) == 0;
        }
    return strchr("{}[],:\"-0123456789", text[0]) != NULL && text[0] != '\0';
}

/* Adds the tokens of a node and below it, behind whose `blanks` something structural stands. */
static bool add_rests(text_list *rests, const gm_vocab *vocab, uint32_t node, size_t blanks,
                      const gm_allocator *allocator)
{
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    for (uint32_t i = trie->first_token[node]; i < trie->first_token[trie->end[node]]; i++) {
        size_t length;
        const uint32_t token = trie->tokens[i];
        const uint8_t *text = gm_vocab_text(vocab, token, &length);
        const gm_small_text rest = {{(const char *)text + blanks, length - blanks}, token, 0};
        if (may_follow(text + blanks, length - blanks) && !GM_ARRAY_PUSH(allocator, rests, rest))
            return false;
    }
    return true;
}

/* Sorts the tokens below one of the four blanks at the top of the trie: from blank to blank, past the words that most
 * are. */
static bool sort_below(gm_blanks *of, text_list *rests, const gm_vocab *vocab, uint32_t top, uint32_t room,
                       const gm_allocator *allocator)
{
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    for (uint32_t node = top; node < trie->end[top];) {
        const bool is_blank = gm_is_whitespace(trie->byte[node]);
        if (is_blank && trie->depth[node] <= room) {
            for (uint32_t i = trie->first_token[node]; i < trie->first_token[node + 1]; i++)
                of->words[trie->tokens[i] / 32] |= 1u << trie->tokens[i] % 32;
            node++;
            continue;
        }
        if (!is_blank && may_follow(&trie->byte[node], 1) &&
            !add_rests(rests, vocab, node, trie->depth[node] - 1, allocator))
            return false;
        node = trie->end[node];
    }
    return true;
}

gm_status gm_blanks_init(gm_blanks *blanks, const gm_vocab *vocab, const gm_alphabet *alphabet, uint32_t room,
                         const gm_allocator *allocator)
{
    const gm_trie *trie = &gm_vocab_tables_of(vocab)->all;
    text_list rests = {0};
    *blanks = (gm_blanks){.word_count = gm_vocab_facts_of(vocab)->mask_words};
    blanks->words = gm_allocate_zeroed(allocator, blanks->word_count, sizeof *blanks->words);
    bool done = blanks->words != NULL;
    for (uint32_t node = 1; node < trie->node_count && done; node = trie->end[node])
        if (gm_is_whitespace(trie->byte[node]))
            done = sort_below(blanks, &rests, vocab, node, room, allocator);
    done = done && gm_small_trie_init(&blanks->rests, rests.items, rests.count, allocator) &&
           gm_openings_of_texts(&blanks->quoted, &blanks->rests.trie, rests.items, rests.count, alphabet, allocator) ==
               GM_OK;
    GM_ARRAY_FREE(allocator, &rests);
    if (done)
        return GM_OK;
    gm_blanks_destroy(blanks, allocator);
    return GM_OUT_OF_MEMORY;
}

void gm_blanks_destroy(gm_blanks *blanks, const gm_allocator *allocator)
{
    gm_deallocate(allocator, blanks->words, blanks->word_count, sizeof *blanks->words);
    gm_small_trie_destroy(&blanks->rests, allocator);
    gm_openings_destroy(&blanks->quoted, allocator);
    *blanks = (gm_blanks){0};
}

bool gm_blanks_apply(const gm_machine *machine, const gm_config *config, uint32_t *room)
{
    if (machine->gaps.kind != GM_WHITESPACE_FLEXIBLE)
        return false;
    switch ((gm_mode)config->mode) {
    case GM_MODE_VALUE:
        if (config->at.turn->is_root)
            return false;
        break;
    case GM_MODE_OBJECT_OPEN:
    case GM_MODE_COLON:
    case GM_MODE_OBJECT_AFTER:
    case GM_MODE_OBJECT_COMMA:
    case GM_MODE_ARRAY_OPEN:
    case GM_MODE_ARRAY_AFTER:
        break;
    default:
        return false;
    }
    const uint32_t most = machine->gaps.most;
    *room = most == GM_WHITESPACE_UNLIMITED ? GM_WHITESPACE_UNLIMITED : most - config->gap;
    return true;
}
