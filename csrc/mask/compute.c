/* mask/compute.c - see compute.h. */
#include "mask/compute.h"

static void add_words(uint32_t *words, const uint32_t *more, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] |= more[i];
}

/* Whether no token can carry a text thread past a bound: then its inner mask is exact. */
static bool is_clear_of_bounds(const gm_place_text *text, gm_term term, uint64_t length, uint32_t max_token_length)
{
    const gm_text_thread *thread = &text->thread;
    if (thread->least == 0 && thread->most == GM_UNBOUNDED)
        return true;
    return term == GM_TERM_ANY && length <= thread->most && thread->most - length >= max_token_length;
}

/* Adds the inner masks of a string's strands; false if they do not tell. */
static bool add_inner(const gm_mask_source *source, gm_walk *walk, const gm_config *from, uint32_t *words)
{
    const size_t count = gm_vocab_facts_of(source->vocab)->mask_words;
    const uint32_t longest = gm_vocab_tables_of(source->vocab)->max_token_length;
    const gm_lexical *lexical = from->as.text.lexical;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_strand strand = lexical->strands[i];
        const gm_place_text *text = &from->at.turn->place->texts[strand.thread];
        if (!is_clear_of_bounds(text, strand.state, from->as.text.length, longest))
            return false;
        const uint32_t *inner =
            gm_inner_mask(source->inner, strand.state, source->machine->minimal_escapes, &walk->visited);
        if (inner == NULL)
            return false;
        add_words(words, inner, count);
    }
    return true;
}

gm_status gm_mask_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                          uint32_t *words)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(source->vocab);
    const size_t size = gm_vocab_facts_of(source->vocab)->mask_words * sizeof *words;
    const gm_trie *trie = &tables->all;
    memset(words, 0, size);
    if (source->inner != NULL && from->spelling == GM_SPELLING_BETWEEN) {
        bool told = false;
        if (from->mode == GM_MODE_STRING)
            told = add_inner(source, walk, from, words);
        else if (from->mode == GM_MODE_KEY && from->at.frame->keys == NULL &&
                 gm_frame_can_take_other(from->at.frame, from->top)) {
            const uint32_t *inner =
                gm_inner_mask(source->inner, GM_TERM_ANY, source->machine->minimal_escapes, &walk->visited);
            told = inner != NULL;
            if (told)
                memcpy(words, inner, size);
        }
        if (told)
            trie = &tables->quotes;
        else
            memset(words, 0, size);
    }
    return gm_walk_mask(walk, source->machine, journal, trie, tables->max_token_length, from, words);
}
