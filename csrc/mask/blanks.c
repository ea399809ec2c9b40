/* mask/blanks.c - see blanks.h. */
#include "mask/blanks.h"

#include "base/array.h"

typedef GM_ARRAY(gm_small_text) text_list;

typedef struct blank_node {
    uint32_t node;
    uint32_t before; /* blanks before its label */
} blank_node;
typedef GM_ARRAY(blank_node) node_list;

typedef struct sorting {
    gm_blanks *blanks;
    const gm_vocab *vocab;
    const gm_allocator *allocator;
    uint32_t room;
    text_list rests;
    node_list nodes; /* still to be looked at */
} sorting;

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
static bool add_rests(sorting *s, const gm_branch *branch, size_t blanks)
{
    const gm_trie *trie = &gm_vocab_tables_of(s->vocab)->all;
    for (uint32_t i = branch->first; i < branch->end; i++) {
        size_t length;
        const uint32_t token = trie->tokens[i];
        const uint8_t *text = gm_vocab_text(s->vocab, token, &length);
        const gm_small_text rest = {{(const char *)text + blanks, length - blanks}, token, 0};
        if (may_follow(text + blanks, length - blanks) && !GM_ARRAY_PUSH(s->allocator, &s->rests, rest))
            return false;
    }
    return true;
}

/* Puts off the children of a node behind so many blanks, but for those that begin with what cannot follow: the words
 * that most are. */
static bool put_off_children(sorting *s, const gm_branch *branch, uint32_t before)
{
    const gm_trie *trie = &gm_vocab_tables_of(s->vocab)->all;
    for (uint32_t i = 0; i < gm_child_count(branch); i++) {
        const uint32_t child = branch->children + i;
        const bool is_worth =
            gm_is_whitespace(trie->bytes[child]) || (before != 0 && may_follow(&trie->bytes[child], 1));
        if (is_worth && !GM_ARRAY_PUSH(s->allocator, &s->nodes, ((blank_node){child, before})))
            return false;
    }
    return true;
}

/* Sorts the tokens of a node, and puts off those below it. */
static bool sort_node(sorting *s, blank_node at)
{
    const gm_trie *trie = &gm_vocab_tables_of(s->vocab)->all;
    const gm_branch *branch = &trie->branches[at.node];
    uint32_t blanks = at.before;
    for (unsigned i = 0; i <= branch->extra; i++) {
        const uint8_t *byte = i == 0 ? &trie->bytes[at.node] : &trie->labels[branch->label + i - 1];
        if (!gm_is_whitespace(*byte))
            return !may_follow(byte, 1) || add_rests(s, branch, blanks);
        if (++blanks > s->room)
            return true;
    }
    for (uint32_t i = branch->first; i < branch->own_end; i++)
        s->blanks->words[trie->tokens[i] / 32] |= 1u << trie->tokens[i] % 32;
    return put_off_children(s, branch, blanks);
}

gm_status gm_blanks_init(gm_blanks *blanks, const gm_vocab *vocab, const gm_alphabet *alphabet, uint32_t room,
                         const gm_allocator *allocator)
{
    sorting s = {.blanks = blanks, .vocab = vocab, .allocator = allocator, .room = room};
    *blanks = (gm_blanks){.word_count = gm_vocab_facts_of(vocab)->mask_words};
    blanks->words = gm_allocate_zeroed(allocator, blanks->word_count, sizeof *blanks->words);
    bool done = blanks->words != NULL && put_off_children(&s, gm_vocab_tables_of(vocab)->all.branches, 0);
    while (done && s.nodes.count != 0)
        done = sort_node(&s, s.nodes.items[--s.nodes.count]);
    done = done && gm_small_trie_init(&blanks->rests, s.rests.items, s.rests.count, allocator) &&
           gm_openings_of_texts(&blanks->quoted, &blanks->rests.trie, s.rests.items, s.rests.count, alphabet,
                                allocator) == GM_OK;
    GM_ARRAY_FREE(allocator, &s.rests);
    GM_ARRAY_FREE(allocator, &s.nodes);
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
