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

/* Whether every token that stays inside is allowed here, and all that close do so alike: then free
 * text's mask and the tails tell everything. */
static bool is_free_string(const gm_config *from, uint32_t max_token_length)
{
    const gm_lexical *lexical = from->as.text.lexical;
    for (uint32_t i = 0; i < lexical->count; i++) {
        const gm_place_text *text = &from->at.turn->place->texts[lexical->strands[i].thread];
        if (lexical->strands[i].state != GM_TERM_ANY || from->as.text.length < text->thread.least ||
            !is_clear_of_bounds(text, GM_TERM_ANY, from->as.text.length, max_token_length))
            return false;
    }
    return true;
}

/* Likewise for a key that no name begins with, while no other key has been used. */
static bool is_free_key(const gm_config *from)
{
    return from->as.key.low == from->as.key.high && from->at.frame->keys == NULL && from->top->others == NULL &&
           gm_frame_can_take_other(from->at.frame, from->top);
}

gm_status gm_mask_compute(const gm_mask_source *source, gm_walk *walk, gm_arena *journal, const gm_config *from,
                          uint32_t *words)
{
    const gm_vocab_tables *tables = gm_vocab_tables_of(source->vocab);
    const size_t size = gm_vocab_facts_of(source->vocab)->mask_words * sizeof *words;
    const bool minimal = source->machine->minimal_escapes;
    const gm_trie *trie = &tables->all;
    if (source->inner != NULL && from->spelling == GM_SPELLING_BETWEEN) {
        const uint32_t *base = NULL;
        const gm_tails *tails;
        if ((from->mode == GM_MODE_STRING && is_free_string(from, tables->max_token_length)) ||
            (from->mode == GM_MODE_KEY && is_free_key(from))) {
            base = gm_inner_free(source->inner, minimal, &tails, &walk->visited);
            if (base != NULL)
                trie = &tails->trie;
        } else if (from->mode == GM_MODE_KEY && from->at.frame->keys == NULL &&
                   gm_frame_can_take_other(from->at.frame, from->top)) {
            base = gm_inner_mask(source->inner, GM_TERM_ANY, minimal, &walk->visited);
            if (base != NULL)
                trie = &tables->quotes;
        }
        if (base != NULL) {
            memcpy(words, base, size);
            return gm_walk_mask(walk, source->machine, journal, trie, tables->max_token_length, from, words);
        }
    }
    memset(words, 0, size);
    if (source->inner != NULL && from->spelling == GM_SPELLING_BETWEEN && from->mode == GM_MODE_STRING) {
        if (add_inner(source, walk, from, words))
            trie = &tables->quotes;
        else
            memset(words, 0, size);
    }
    return gm_walk_mask(walk, source->machine, journal, trie, tables->max_token_length, from, words);
}
